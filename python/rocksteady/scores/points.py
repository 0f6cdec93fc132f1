"""Operating points: thresholds and the four counts there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from rocksteady.base.arguments import string
from rocksteady.base.record import Record
from rocksteady.base.result import Result
from rocksteady.errors import InputError
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import Counts
from rocksteady.scores.curves.line import Curve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from numpy.typing import ArrayLike, NDArray


_CHOSEN: Final = (
    "The threshold was chosen on the same rows, so the value is too good and its interval lies too far on that side; "
    'ScoreTable.bootstrap(..., threshold="best youden"), with the index that chose it, takes that out, and so do other rows.'
)


class _Best(NamedTuple):
    threshold: float
    value: float
    tp: float
    fp: float
    fn: float
    tn: float


class Best(Record, _Best):
    """A threshold at which an index is best.

    Attributes
    ----------
    threshold : float
        Rows with ``score >= threshold`` are predicted positive; ``inf`` where none is, and an integer of integer
        scores. NaN if there is no such threshold.
    value : float
        The index there.
    tp, fp, fn, tn : float
        The four counts there.
    cost_ratios : tuple of float, or None
        Of the best threshold for "cost", "mean_cost" or "savings": the least and the greatest cost of a false negative,
        in costs of a false positive, for which it stays the best (each beyond what a correct prediction of the same row
        costs). They are the slopes of the hull of the ROC curve at this point. None for other indices, under a
        condition, and where a class has no rows.
    ties : int, or None
        Of the cheapest threshold of a `CostTable`: how many thresholds cost the same.
    """

    _squares: Sequence[ArrayLike] | None = None  # the sums of squared sampling weights
    cost_ratios: tuple[float, float] | None = None
    ties: int | None = None

    def __repr__(self) -> str:
        more = []
        if self.cost_ratios is not None:
            more.append("cost_ratios=({:.6g}, {:.6g})".format(*self.cost_ratios))
        if self.ties is not None:
            more.append(f"ties={self.ties}")
        return ", ".join([super().__repr__()[:-1], *more]) + ")"

    def _named(self) -> dict[str, Any]:
        return {**self._asdict(), "cost_ratios": self.cost_ratios, "ties": self.ties}

    def counts(self) -> Counts:
        """The four counts at the threshold. Their intervals have a `note`: the threshold was chosen on the same rows."""
        counts = Counts._weighed(self[2:], self._squares)
        counts._note = _CHOSEN
        return counts


class CountsAt(Counts):
    """The four counts at one or several thresholds of a score table: `Counts` that know the labels.

    Attributes
    ----------
    labels : tuple of label
        The negative and the positive class; None for a class that no row has.
    classes : tuple of label
        The same in the order of `matrix`: ascending, as in a `ConfusionMatrix` of rows.

    Examples
    --------
    >>> import rocksteady as rs
    >>> counts = rs.ScoreTable(["no", "yes", "no"], [0.2, 0.7, 0.6]).at(0.5)
    >>> counts.matrix()
    ConfusionMatrix of 2 classes, 3 rows, positive class 'yes' (rows true, columns predicted)
         no  yes
    no    1    1
    yes   0    1
    """

    __slots__ = ("classes", "labels")

    labels: tuple[Any, Any]
    classes: tuple[Any, ...]

    @classmethod
    def _at(
        cls,
        labels: tuple[Any, Any],
        columns: Iterable[ArrayLike],
        classes: tuple[Any, ...] | None = None,
        squares: Iterable[ArrayLike] | None = None,
    ) -> CountsAt:
        counts = cls._weighed(columns, squares)
        counts.labels = labels
        counts.classes = (labels if None in labels else tuple(sorted(labels))) if classes is None else classes
        return counts

    def _ordered(self, classes: list[Any]) -> CountsAt:
        """The same counts with their classes in another order."""
        return self._at(self.labels, self._arrays, tuple(classes), self._squares)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._at, (self.labels, self._arrays, self.classes, self._squares)

    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix of a single threshold.

        Raises
        ------
        rocksteady.InputError
            If these are the counts of several thresholds, or a class has neither rows nor a name.
        """
        if self.shape:
            raise InputError(
                f"the counts have shape {self.shape}, one table for each threshold; expected the counts of one threshold"
            )
        if None in self.labels:
            raise InputError(f"the labels are {self.labels}; expected two: name the positive one as pos_label")
        matrix = ConfusionMatrix._of_counts(self, self.labels)
        return matrix if self.classes == self.labels else matrix.reorder(list(self.classes))


@dataclass(frozen=True, eq=False, repr=False)
class Points(Result):
    """Operating points: thresholds and the four counts there."""

    __slots__ = ()

    thresholds: NDArray[np.float64]
    tp: NDArray[np.float64]
    fp: NDArray[np.float64]
    fn: NDArray[np.float64]
    tn: NDArray[np.float64]

    _squares: ClassVar[Sequence[ArrayLike] | None] = None  # the sums of squared sampling weights

    def counts(self) -> Counts:
        """The four counts, from which any index can be read."""
        return Counts._weighed((self.tp, self.fp, self.fn, self.tn), self._squares)

    def _with_squares(self, squares: Sequence[ArrayLike] | None) -> Self:
        if squares is not None:
            object.__setattr__(self, "_squares", squares)
        return self

    def curve(self, x: str, y: str) -> Curve:
        """One count-based index against another over these points: a ROC curve over a grid is ("fpr", "tpr").

        Between its points it is straight, so what happens there is not seen, and its area is that of fewer points.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.grid(2).curve("fpr", "tpr").area(), table["roc_auc"]
        (0.5, 0.75)
        """
        names = string(x, "x", "the name of an index"), string(y, "y", "the name of an index")
        counts = self.counts()
        columns = [self.thresholds if name == "threshold" else np.asarray(counts[name]) for name in names]
        return Curve(columns[0], columns[1], self.thresholds, *names)


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdGrid(Points):
    """The counts at a fixed grid of thresholds; entry *i* belongs to threshold *i*, from high to low.

    Attributes
    ----------
    thresholds : numpy.ndarray of float64
        ``inf``, then ``m/m, (m-1)/m, ..., 0/m``, then ``-inf``.
    tp, fp, fn, tn : numpy.ndarray of float64
        Rows, or their weight. At ``inf`` nothing is predicted positive, at ``-inf`` everything, on either side.
    """


@dataclass(frozen=True, eq=False, repr=False)
class OperatingPoints(Points):
    """A few operating points that represent a table, from the highest threshold to the lowest; one per entry.

    Attributes
    ----------
    thresholds : numpy.ndarray of float64
        Scores, after ``inf``, at which nothing is predicted positive.
    tp, fp, fn, tn : numpy.ndarray of float64
        Rows, or their weight, at ``score >= thresholds[i]``.
    step : float
        At a threshold between two of these neither the true nor the false positive rate is by more than this above that
        of the point before; 0 where every threshold is there.
    """

    step: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class ParetoSet(Points):
    """Operating points that no other point beats, one per entry, from the highest threshold to the lowest.

    Attributes
    ----------
    thresholds : numpy.ndarray of float64
        Rows with ``score >= threshold`` are predicted positive; ``inf`` where none is.
    tp, fp, fn, tn : numpy.ndarray of float64
        Rows, or their weight.
    values : dict of str to numpy.ndarray of float64
        Each index at each of the points; ``points[name]`` for short, and a column of its name in tables and frames.
    """

    values: dict[str, NDArray[np.float64]]

    def _fields(self) -> Iterator[tuple[str, Any]]:
        for name, value in super()._fields():
            if name == "values":
                yield from value.items()
            else:
                yield name, value

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """One of the indices at each of the points."""
        return self.values[name]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.values)

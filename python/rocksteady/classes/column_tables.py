"""A ranking of each class or label: what `ScoreTables` and `LabelScoreTables` share."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, TypeVar, Union, overload

import numpy as np

from rocksteady.base.arguments import listed, one_of, shown, string, wrong_type
from rocksteady.base.named_columns import weights_by_class
from rocksteady.base.result import Result
from rocksteady.base.statistic import Along, Statistic, Weighed
from rocksteady.base.table import Table, number_of, one_line
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import InputError
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from rocksteady import _rocksteady
    from rocksteady.inference.interval import Interval, Method, Side

Absent = Literal["count", "skip"]
How = Union[Literal["macro", "micro", "weighted"], "ArrayLike", "Mapping[Any, float]"]
# Of more scores a notebook shows the sizes only.
_MOST_READ = 100_000
Curve = TypeVar("Curve")


@dataclass(frozen=True, eq=False, repr=False)
class AverageCurve(Result):
    """The mean of the curves of several classes or labels, taken upwards: at each x, of their y there.

    Entry *i* of each array is point *i*, from the left. Between its points each curve runs straight. Where one of them
    jumps, an x stands there twice, before and after the jump, so that the area under the mean is the mean of the areas.

    Attributes
    ----------
    x, y : numpy.ndarray
        The points of the mean.
    lowest, highest : numpy.ndarray
        The least and the greatest y of the curves at `x`.
    x_index, y_index : str
        The indices that `x` and `y` are.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    _: KW_ONLY
    x_index: str
    y_index: str


def named(x: str, y: str) -> tuple[str, str]:
    """The names of two indices."""
    return string(x, "x", "the name of an index"), string(y, "y", "the name of an index")


_CURVES = (*(name for name in dir(ScoreTable) if name.endswith("_curve")), "roc_convex_hull")


def called(curve: str | Callable[[ScoreTable], Curve]) -> Callable[[ScoreTable], Any]:
    """The function of a score table that is named, or given itself."""
    if isinstance(curve, str):
        one_of(curve, "curve", _CURVES)
        method: Callable[[ScoreTable], Any] = getattr(ScoreTable, curve)
        return method
    if not callable(curve):
        raise wrong_type(curve, "curve", "the name of a curve of ScoreTable, or a function of a score table")
    return curve


def columns_of_no_rows(meaning: dict[str, Any]) -> NDArray[np.float64]:
    """A matrix of no rows, with a column for each of the `labels`."""
    labels = meaning.get("labels")
    if labels is None:
        raise InputError("labels is None; expected a label for each column, as no rows show them", argument="labels")
    return np.empty((0, len(listed(labels, "labels", "a list of labels"))))


class Rankings(WaysOut, Along, Weighed, Statistic, ABC):
    """A `ScoreTable` for each class or label, by a column of scores of its own."""

    __slots__ = ()

    _axis: ClassVar[str]
    _places: ClassVar[str]

    _state: _rocksteady.RankingsState

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes or labels, in the order of the columns: Python's own numbers and strings."""
        return tuple(self._labels.tolist())

    @property
    def _labels(self) -> NDArray[Any]:
        return self._state.labels()

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state.rows

    def pooled(self) -> ScoreTable:
        """All classes or labels pooled in one `ScoreTable`, one row per cell. Micro averages read this table."""
        return ScoreTable._of(self._state.pooled())

    @overload
    def curves(self, curve: str) -> dict[Any, Any]: ...
    @overload
    def curves(self, curve: Callable[[ScoreTable], Curve]) -> dict[Any, Curve]: ...
    def curves(self, curve: str | Callable[[ScoreTable], Curve]) -> dict[Any, Any]:
        """A curve of each class against the rest, or of each label: ``tables.curves("roc_curve")``.

        Parameters
        ----------
        curve : str or callable
            The name of a method of `ScoreTable` that gives a curve, such as "roc_curve" or "precision_recall_curve"; or
            a function of a `ScoreTable`.

        Returns
        -------
        dict
            From the labels, in their order, to what `curve` gives. `pooled` has the curve of all together (micro),
            `average_curve` their mean, and `ScoreTables.one_vs_one` that of a pair of classes.

        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 1], [[0.6, 0.4], [0.2, 0.8], [0.5, 0.5]])
        >>> tables.curves("roc_curve")[1].tpr
        array([0. , 0.5, 1. , 1. ])
        >>> fpr, recall = tables.curves(lambda table: table.curve("fpr", "recall"))[1]
        >>> recall
        array([0. , 0.5, 1. , 1. ])
        """
        return {label: called(curve)(self._table(label)) for label in self.labels}

    def average_curve(
        self,
        x: str,
        y: str,
        average: Literal["macro", "weighted"] | ArrayLike | Mapping[Any, float] = "macro",
        *,
        absent: Absent = "count",
        points: int | None = None,
    ) -> AverageCurve:
        """The mean, over classes against the rest or over labels, of the curve of one index against another.

        Parameters
        ----------
        x, y : str
            Indices that are functions of the four counts; `x` one that never falls while the threshold does: "fpr" and
            "recall" for ROC curves, "recall" and "precision", "rpp" and "recall" for gain.
        average : {"macro", "weighted"}, array-like of K weights, or mapping or Series of weights by class
            The plain mean, that by the number of rows of the class or label, or by the weights given. `pooled` has the
            curve of all together (micro).
        absent : {"count", "skip"}
            Classes or labels without a point of the curve, mostly those without rows, leave the mean without points, or
            are left out.
        points : int, optional
            Take the mean at this many x at equal distances, 2 or more. Default: at each x of any of the curves. A
            number gives fewer points for many rows, as in scikit-learn's example of multi-class curves.

        Returns
        -------
        AverageCurve

        Raises
        ------
        rocksteady.InputError
            For an `x` that falls somewhere, and weights that are not K numbers.
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        References
        ----------
        Fawcett 2006, doi:10.1016/j.patrec.2005.10.010.

        Examples
        --------
        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 1, 2], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]])
        >>> mean = tables.average_curve("fpr", "recall")
        >>> mean.x, mean.y
        (array([0.        , 0.        , 0.33333333, 0.5       , 0.66666667,
               1.        ]), array([0., 1., 1., 1., 1., 1.]))
        """
        names = named(x, y)
        average = weights_by_class(average, self._labels, "average")
        lists = self._state.average_curve(*names, average, absent, points)
        return AverageCurve(*lists, x_index=names[0], y_index=names[1])

    def _answer(
        self, name: str, average: How | None, absent: Absent, parameters: dict[str, object]
    ) -> tuple[float, str | None]:
        weights = weights_by_class("macro" if average is None else average, self._labels, "average")
        return self._state.average(name, weights, absent, parameters)

    def value(  # type: ignore[override]  # averages are of classes and labels only
        self, name: str, *, average: How | None = None, absent: Absent = "count", **parameters: object
    ) -> float:
        """One index of all classes together; or of the ranking of each class or label, averaged.

        Parameters
        ----------
        name : str
            Of classes without `average` an index such as "macro_average_precision" or "one_vs_one_auc".
        average : {"macro", "micro", "weighted"}, array-like of K weights, or mapping or Series of weights by class, optional
            The plain mean; the index of `pooled`, one ranking in which every row and column is a row; the mean by the
            number of rows of the class or label; or by the weights given. Default: of labels the plain mean.
        absent : {"count", "skip"}
            With an average: what happens to classes or labels for which the index is undefined, mostly those without
            rows. They count with the index's conventional value, and make the average NaN where that is NaN; or they
            are left out.
        **parameters
            The index's own.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has values for single classes only: then `every`, or `value` with `average`.
        rocksteady.InputError
            If `average` or `absent` is none of these, or the weights are not K numbers.

        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 1], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.6, 0.1]], labels=[0, 1, 2])
        >>> tables.value("roc_auc", average="macro"), tables.value("roc_auc", average="macro", absent="skip")
        (nan, 1.0)
        """
        return self._answer(name, average, absent, parameters)[0]

    def why(  # type: ignore[override]
        self, name: str, *, average: How | None = None, absent: Absent = "count", **parameters: object
    ) -> str | None:
        """Why `value` is undefined; None if it is defined.

        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 1], [[2.5, -1.0], [0.5, 0.5], [0.0, 1.0]])
        >>> tables.why("expected_calibration_error", average="macro")
        'A score lies outside [0, 1], so the scores are not probabilities.'
        """
        return self._answer(name, average, absent, parameters)[1]

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The labels, as a column by its name."""
        return {self._axis: self._labels}

    @property
    def sizes(self) -> NDArray[np.float64]:
        """The number, or the weight, of the rows of each class, or with each label, shape (K,)."""
        return self._state.sizes()

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        return self._state.each(name, parameters)

    def _refuse_average(self, name: object, average: object) -> NoReturn:
        raise InputError(
            f"average is {shown(average)}; expected intervals of single classes or labels, by every_interval({shown(name)}), "
            "as the tables do not tell which of their rows are the same; rocksteady.evaluate(y_true, y_score, "
            f"inference=True).interval({shown(name)}, average={shown(average)}) knows the rows",
            argument="average",
        )

    def every_interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        **parameters: object,
    ) -> Interval:
        """As `ScoreTable.interval`, for the ranking of each class against the rest, or of each label: arrays of shape (K,).

        `why` and `note` are tuples with an entry for each class or label, or None.

        >>> import rocksteady as rs
        >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
        >>> tables = rs.ScoreTables(["cat", "dog", "dog", "eel"], y_proba)
        >>> tables.every_interval("roc_auc").low.round(3)
        array([0.322, 0.386, 0.322])
        """
        from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (not every program needs it)

        return Wanted(level, method, side, parameters).of_rankings(self._state, name, self.axis)

    def _table(self, label: object) -> ScoreTable:
        """The `ScoreTable` of one class against the rest, or of one label."""
        return ScoreTable._of(self._state.table(label))

    def _top_label(self) -> ScoreTable | None:
        """The ranking of the highest score of each row; only of classes."""
        return None

    @abstractmethod
    def summary(self) -> Table:
        """Every index of all classes or labels."""

    def __repr__(self) -> str:
        names = ", ".join(one_line(label) for label in self.labels[:12])
        more = ", …" if len(self.labels) > 12 else ""
        kind = type(self).__name__
        return f"<rocksteady.{kind} of {number_of(self.rows, 'row')}, {len(self.labels)} {self._places}: {names}{more}>"

    def _repr_html_(self) -> str:
        # The indices of millions of scores take seconds, which nobody who looks at a table asked for.
        indices = self.summary()._repr_html_() if self.rows * len(self.labels) <= _MOST_READ else ""
        return f"<p>{html.escape(repr(self))}</p>{indices}"

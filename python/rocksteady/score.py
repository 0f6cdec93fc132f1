"""The score table: one sort, and everything that sweeps a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady._arguments import listed, one_of, real, string, wrong_value
from rocksteady.cost import optimal_threshold
from rocksteady.counts import Counts
from rocksteady.registry import indices
from rocksteady.statistic import Statistic
from rocksteady.table import Cell, Table, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

Side = Literal[">=", ">"]
NanPolicy = Literal["raise", "omit", "worst", "best"]
Infinite = Literal["raise", "allow"]


class KS(NamedTuple):
    """The Kolmogorov–Smirnov statistic of two score distributions.

    Attributes
    ----------
    value : float
        The largest absolute value of TPR - FPR over all thresholds, in [0, 1].
    threshold : float
        The score at which it is reached, predicting positive at ``score >= threshold``; the lowest where several do.
    sign : int
        1 if TPR is above FPR there, -1 if below, 0 if the statistic is 0.
    """

    value: float
    threshold: float
    sign: int


class Best(NamedTuple):
    """A threshold at which an index is best.

    Attributes
    ----------
    threshold : float
        Rows with ``score >= threshold`` are predicted positive; ``inf`` where none is. NaN if the index has no value at all.
    value : float
        The index there.
    tp, fp, fn, tn : float
        The four counts there.
    """

    threshold: float
    value: float
    tp: float
    fp: float
    fn: float
    tn: float

    def counts(self) -> Counts:
        """The four counts at the threshold."""
        return Counts(self.tp, self.fp, self.fn, self.tn)


class ScoreTable(Statistic):
    """Distinct scores, high to low, with the cumulative number (or weight) of positives and negatives.

    Everything that sweeps a threshold is read from it, exactly. Additive: `a + b` is, to the bit, the table of the
    pooled rows, with weights too. A row is predicted positive where its score is at least the threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most.
    y_score : array-like of shape (n,)
        Any real scores, float64, float32, float16, integer or boolean; kept in their type, never rounded.
    pos_label : label, optional
        The positive class. Default: the greater label.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative; rows of weight 0 are left out.
    nan_policy : {"raise", "omit", "worst", "best"}
        What to do with a missing score: refuse, leave the row out, rank it below all or above all others.
    infinite : {"raise", "allow"}
        Whether infinite scores are ranked.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> table["roc_auc"], table["gini"], round(table["average_precision"], 6)
    (0.75, 0.5, 0.833333)
    >>> table.ks()
    KS(value=0.5, threshold=0.35, sign=1)
    >>> table.at(0.4)
    Counts(tp=1, fp=1, fn=1, tn=1)
    >>> table.at(0.4)["precision"]
    0.5
    >>> table.curve("fpr", "tpr")
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    """

    __slots__ = ()

    _read = _rocksteady.ScoreState.from_bytes

    _state: _rocksteady.ScoreState

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> None:
        self._state = _rocksteady.ScoreState.sweep(y_true, y_score, pos_label, sample_weight, nan_policy, infinite)

    @property
    def labels(self) -> tuple[object, object]:
        """The negative and the positive label; None for one that neither occurred nor was named."""
        return self._state.labels()

    @property
    def pos_label(self) -> object:
        """The positive label."""
        return self.labels[1]

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state.rows

    @property
    def positives(self) -> float:
        """The number, or weight, of positive rows."""
        return self._state.totals[0]

    @property
    def negatives(self) -> float:
        """The number, or weight, of negative rows."""
        return self._state.totals[1]

    def __len__(self) -> int:
        """The number of distinct scores."""
        return len(self._state)

    @property
    def thresholds(self) -> NDArray[Any]:
        """The distinct scores, high to low, after ``inf``, at which nothing is predicted positive: float64.

        Entry *i* belongs to entry *i* of `counts`, `every` and `curve`. Integers beyond 2**53, which are ranked exactly,
        are rounded here. A missing score that is ranked (`nan_policy`) is NaN.
        """
        return self._state.thresholds()

    def counts(self) -> Counts:
        """The four counts at each of `thresholds`: `Counts` of shape ``(len(table) + 1,)``."""
        return Counts(*self._state.counts())

    @overload
    def every(self, name: str, **parameters: object) -> NDArray[np.float64]: ...
    @overload
    def every(self, name: list[str] | tuple[str, ...], **parameters: object) -> dict[str, NDArray[np.float64]]: ...
    def every(
        self, name: str | list[str] | tuple[str, ...], **parameters: object
    ) -> NDArray[np.float64] | dict[str, NDArray[np.float64]]:
        """A count-based index at each of `thresholds`: float64; NaN, or the index's conventional value, where undefined.

        Parameters
        ----------
        name : str, or list or tuple of str
            An index that is a function of the four counts, or of a two-by-two matrix. Several are a good deal faster together
            than one by one: the counts are read once, in blocks that stay in cache.
        **parameters
            The index's own, such as ``beta=2`` for "fbeta"; for several, parameters that all of them have.

        Returns
        -------
        numpy.ndarray, or dict of str to numpy.ndarray
            Shape ``(len(table) + 1,)``; of several names, the array of each.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).every("recall")
        array([0. , 0.5, 1. , 1. ])
        >>> sorted(rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).every(["f1", "mcc"]))
        ['f1', 'mcc']
        """
        if isinstance(name, (list, tuple)):
            return dict(zip(name, self._state.every(list(name), parameters), strict=True))
        return self._state.every([name], parameters)[0]

    def curve(self, x: str, y: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """One count-based index against another over all `thresholds`: ROC is ("fpr", "tpr"), lift ("rpp", "lift")."""
        return self.every(string(x, "x", "the name of an index")), self.every(string(y, "y", "the name of an index"))

    def at(self, threshold: float, *, side: Side = ">=") -> Counts:
        """The four counts when rows with ``score >= threshold`` (or ``>``) are predicted positive.

        Parameters
        ----------
        threshold : float
            Any number but NaN; infinity too. Compared exactly with the scores as they came.
        side : {">=", ">"}
            Whether a score at the threshold is predicted positive.
        """
        return Counts(*self._state.at(threshold, side))

    @overload
    def best(
        self,
        name: str,
        *,
        maximize: bool = False,
        minimize: bool = False,
        all: Literal[False] = False,
        **parameters: object,
    ) -> Best: ...
    @overload
    def best(
        self, name: str, *, maximize: bool = False, minimize: bool = False, all: Literal[True], **parameters: object
    ) -> list[Best]: ...
    def best(
        self,
        name: str,
        *,
        maximize: bool = False,
        minimize: bool = False,
        all: bool = False,  # noqa: A002 (it says what it does: all of them)
        **parameters: object,
    ) -> Best | list[Best]:
        """The threshold at which a count-based index is best, over all thresholds, the lowest of several.

        Thresholds at which the index is undefined are passed over. What is best on these rows is too good an estimate of what
        will be on others.

        Parameters
        ----------
        name : str
            An index that is a function of the four counts, or of a two-by-two matrix.
        maximize, minimize : bool
            Look for the greatest or the least value. Default: what the index calls better.
        all : bool
            Give every threshold with the best value, from low to high.
        **parameters
            The index's own, such as ``fn=5`` for "cost".

        Returns
        -------
        Best, or list of Best
            NaN everywhere, or an empty list, if the index is undefined at every threshold.

        Raises
        ------
        rocksteady.InputError
            For an index without a better direction, unless `maximize` or `minimize` is said; for both of them.
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.best("cost", fp=1, fn=5)
        Best(threshold=0.4, value=1.0, tp=2.0, fp=1.0, fn=0.0, tn=1.0)
        >>> [best.threshold for best in table.best("accuracy", all=True)]
        [0.4, 0.8]
        """
        found = [
            Best(threshold, value, *counts)
            for value, threshold, counts in self._state.best(name, maximize, minimize, all, parameters)
        ]
        if all:
            return found
        return found[0] if found else Best(*[float("nan")] * 6)

    def cost_series(
        self,
        weights: Sequence[float],
        *,
        by: Literal["bayes", "sweep"] = "bayes",
        names: Sequence[str] = ("accuracy", "balanced_accuracy", "recall", "specificity"),
    ) -> Table:
        """Decisions for a series of costs of a false negative, a false positive costing 1: a row for each.

        Parameters
        ----------
        weights : sequence of float
            The cost of a false negative, above 0.
        by : {"bayes", "sweep"}
            The threshold: ``1 / (1 + weight)``, which is right for calibrated probabilities; or the lowest with the least cost
            on these very rows.
        names : sequence of str
            Indices of the four counts to list.

        Returns
        -------
        Table
            "weight", "threshold", the four counts, "cost", "mean_cost", then `names`.

        Raises
        ------
        rocksteady.InputError
            For a weight that is not above 0, and for "bayes" with scores outside [0, 1].
        rocksteady.UnknownIndexError
            For a name that is none of an index of counts.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.cost_series([1, 4], names=["recall"])
        weight  threshold  tp  fp  fn  tn  cost  mean_cost  recall
        1             0.5   1   1   1   1     2        0.5     0.5
        4             0.2   2   1   0   1     1       0.25       1
        """
        one_of(by, "by", ("bayes", "sweep"))
        if by == "bayes" and not self._state.are_probabilities:
            raise wrong_value(by, "by", "'sweep', as not all scores lie in [0, 1]")
        names = listed(names, "names", "a list of names of indices")
        rows: list[list[Cell]] = []
        for place, given in enumerate(listed(weights, "weights", "a list of numbers above 0")):
            weight = real(given, f"weights[{place}]")
            if not 0 < weight < float("inf"):
                raise wrong_value(given, f"weights[{place}]", "a finite number above 0")
            best = self.best("cost", fp=1.0, fn=weight)
            threshold = optimal_threshold(fp=1.0, fn=weight)
            counts = self.at(threshold) if by == "bayes" else best.counts()
            cells = [counts.tp, counts.fp, counts.fn, counts.tn]
            costs = [counts.value(name, fp=1.0, fn=weight) for name in ("cost", "mean_cost")]
            chosen = threshold if by == "bayes" else best.threshold
            values = [*cells, *costs, *(counts[name] for name in names)]
            rows.append([weight, chosen, *(float(value) for value in values)])
        return Table(["weight", "threshold", "tp", "fp", "fn", "tn", "cost", "mean_cost", *names], rows)

    def ks(self) -> KS:
        """The Kolmogorov–Smirnov statistic with its threshold and sign; NaN, NaN and 0 where one class is absent."""
        return KS(*self._state.ks())

    def value(self, name: str, **parameters: object) -> float:
        """One index of the whole ranking, such as "roc_auc", "gini", "ks", "average_precision" or "scored_auc".

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs a threshold: then ``table.at(0.5)[name]`` or ``table.every(name)``.
        """
        return self._state.value(name, parameters)[0]

    def _values(self) -> list[tuple[str, float]]:
        return [(row.name, self[row.name]) for row in indices() if "scores" in row.forms]

    def table(self) -> Table:
        """Every index of the ranking, and the threshold of the Kolmogorov–Smirnov statistic."""
        return Table(["index", "value"], [*self._values(), ("ks_threshold", self.ks().threshold)])

    def to_dict(self) -> dict[str, Any]:
        """Rows, labels and every index of the ranking, as plain Python values."""
        ks = self.ks()
        return {
            "rows": self.rows,
            "pos_label": self.pos_label,
            "positives": self.positives,
            "negatives": self.negatives,
            **dict(self._values()),
            "ks_threshold": ks.threshold,
            "ks_sign": ks.sign,
        }

    def __repr__(self) -> str:
        sizes = f"{number(self.positives, 15)} positive, {number(self.negatives, 15)} negative"
        return f"<rocksteady.ScoreTable of {self.rows} rows, {len(self)} distinct scores; {sizes}>"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


class ScoreCollector:
    """Collects scores batch by batch for one `ScoreTable`, in the narrowest form that is exact.

    What the labels mean is fixed over the whole stream, never inferred from a batch. A refused batch leaves the
    collector as it was. Several threads may fill it; the order of the batches does not change the table.

    Parameters
    ----------
    pos_label, nan_policy, infinite
        As for `ScoreTable`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> collector = rs.ScoreCollector()
    >>> collector.update([0, 0], [0.1, 0.4])
    >>> collector.update([1, 1], [0.35, 0.8])
    >>> collector.table()["roc_auc"]
    0.75
    """

    __slots__ = ("_state",)

    def __init__(
        self,
        *,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> None:
        self._state = _rocksteady.CollectorState(pos_label, nan_policy, infinite)

    @property
    def rows(self) -> int:
        """The number of rows taken so far."""
        return self._state.rows

    def update(self, y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> None:
        """Takes one batch; all batches have weights, or none has.

        Parameters
        ----------
        y_true, y_score, sample_weight
            As for `ScoreTable`. Scores may change their type where a third holds both exactly.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As for `ScoreTable`, and for weights in some batches only.
        """
        self._state.update(y_true, y_score, sample_weight)

    def table(self) -> ScoreTable:
        """The score table of all rows taken so far."""
        return ScoreTable._of(self._state.table())

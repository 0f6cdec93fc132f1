"""The scores of several classes: each class's rows ranked in each column, and everything that is read from them."""

from __future__ import annotations

import html
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of, string, wrong_type
from rocksteady.base.result import Result
from rocksteady.base.statistic import Statistic
from rocksteady.base.table import Table, one_line
from rocksteady.errors import UnknownIndexError
from rocksteady.registry import indices
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Absent = Literal["count", "skip"]
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


class ScoreTables(Statistic):
    """The scores of K classes: how the rows of each class rank in each column.

    Every index of a ranking for each class against the rest, its averages, and the indices of all classes together are
    read from it. Additive: `a + b` is, to the bit, the statistic of the pooled rows, with weights too.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_proba : array-like of shape (n, K)
        A column of scores for each class, in the order of the labels; probabilities where an index asks for them. At least two
        columns, at most 1,000.
    labels : array-like of K labels, optional
        The classes, ascending. Default: those that occur.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative; rows of weight 0 are left out.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> tables = rs.ScoreTables(["cat", "dog", "dog", "eel"], y_proba)
    >>> tables.per_class("roc_auc")
    array([1., 1., 1.])
    >>> round(tables["mean_probability_rate"], 6), round(tables["scored_auc"], 6)
    (0.55, 0.375)
    >>> tables.one_vs_rest("dog").at(0.5)
    Counts(tp=1, fp=0, fn=1, tn=2)
    """

    __slots__ = ()

    _read = _rocksteady.ScoreTablesState.from_bytes

    _state: _rocksteady.ScoreTablesState

    def __init__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        self._state = _rocksteady.ScoreTablesState.sweep(y_true, y_proba, labels, sample_weight)

    @property
    def labels(self) -> NDArray[Any]:
        """The classes, in the order of the columns: a bool, integer, float or str array."""
        return self._state.labels()

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state.rows

    def class_weights(self) -> NDArray[np.float64]:
        """The number, or the weight, of the rows of each class, shape (K,)."""
        return self._state.class_weights()

    def one_vs_rest(self, label: object) -> ScoreTable:
        """The `ScoreTable` of one class against the rest, by its own column; its labels are True for the class and False.

        Raises
        ------
        rocksteady.InputError
            If it is none of the labels.
        """
        return ScoreTable._of(self._state.one_vs_rest(label))

    def one_vs_one(self, label: object, other: object) -> ScoreTable:
        """The `ScoreTable` of the rows of one class against those of another, by the first one's column.

        Its labels are True for the first class and False. Hand and Till's measure, "one_vs_one_auc", is the mean of the
        "roc_auc" of all of them.

        Raises
        ------
        rocksteady.InputError
            If one is none of the labels, or both are the same.

        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 1, 2], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]])
        >>> tables.one_vs_one(1, 0)["roc_auc"], tables.one_vs_one(1, 2).rows
        (1.0, 3)
        """
        return ScoreTable._of(self._state.one_vs_one(label, other))

    def pooled(self) -> ScoreTable:
        """All classes against their rest as one `ScoreTable`, in which every row and class is a row: what micro averages are of."""
        return ScoreTable._of(self._state.pooled())

    @overload
    def curves(self, curve: str) -> dict[Any, Any]: ...
    @overload
    def curves(self, curve: Callable[[ScoreTable], Curve]) -> dict[Any, Curve]: ...
    def curves(self, curve: str | Callable[[ScoreTable], Curve]) -> dict[Any, Any]:
        """A curve of each class against the rest, by its label: ``tables.curves("roc_curve")``.

        Parameters
        ----------
        curve : str or callable
            The name of a method of `ScoreTable` that gives a curve, such as "roc_curve" or "precision_recall_curve"; or a
            function of a `ScoreTable`.

        Returns
        -------
        dict
            From the labels, in their order, to what `curve` gives. The curve of all classes together (micro) is that of
            `pooled`, their mean is `average_curve`, and a pair of classes has that of `one_vs_one`.

        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 1], [[0.6, 0.4], [0.2, 0.8], [0.5, 0.5]])
        >>> tables.curves("roc_curve")[1].tpr
        array([0. , 0.5, 1. , 1. ])
        >>> fpr, recall = tables.curves(lambda table: table.curve("fpr", "recall"))[1]
        >>> recall
        array([0. , 0.5, 1. , 1. ])
        """
        return {label: called(curve)(self.one_vs_rest(label)) for label in self.labels.tolist()}

    def average_curve(
        self,
        x: str,
        y: str,
        average: Literal["macro", "weighted"] | ArrayLike = "macro",
        *,
        absent: Absent = "count",
        points: int | None = None,
    ) -> AverageCurve:
        """The mean over classes, each against the rest, of the curve of one index against another: of y, at each x of any of them.

        Parameters
        ----------
        x, y : str
            Indices that are functions of the four counts; `x` one that never falls while the threshold does: "fpr" and
            "recall" for ROC curves, "recall" and "precision", "rpp" and "recall" for gain.
        average : {"macro", "weighted"} or array-like of K weights
            The plain mean, that by class size, or by the weights given. The curve of all classes together (micro) is that
            of `pooled`.
        absent : {"count", "skip"}
            Classes without a point of the curve, mostly those without rows, leave the mean without points, or are left out.
        points : int, optional
            Take the mean at so many x at equal distances instead, 2 or more: fewer points for many rows, as in
            scikit-learn's example of multi-class curves.

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
        lists = self._state.average_curve(*names, average, absent, points)
        return AverageCurve(*lists, x_index=names[0], y_index=names[1])

    def value(self, name: str, **parameters: object) -> float:
        """One index of all classes together, such as "macro_average_precision" or "one_vs_one_auc".

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has values for single classes only: then `per_class` or `average`.
        """
        return self._state.value(name, parameters)[0]

    def why(self, name: str, **parameters: object) -> str | None:
        """Why an index of all classes, or else the macro average of one of single classes, is undefined; None if it is not.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is none of a ranking.

        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 1], [[2.5, -1.0], [0.5, 0.5], [0.0, 1.0]])
        >>> tables.average("expected_calibration_error"), tables.why("expected_calibration_error")
        (nan, 'A score lies outside [0, 1], so the scores are not probabilities.')
        """
        try:
            return self._state.value(name, parameters)[1]
        except UnknownIndexError:
            return self._state.average(name, "macro", "count", parameters)[1]

    def per_class(self, name: str, **parameters: object) -> NDArray[np.float64]:
        """One index of the ranking of each class against the rest, shape (K,), in the order of `labels`.

        NaN, or the index's conventional value, where undefined.

        Parameters
        ----------
        name : str
            An index of a ranking: "roc_auc", "average_precision", "ks", …
        **parameters
            The index's own.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is none of a ranking.
        """
        return self._state.per_class(name, parameters)

    def average(
        self,
        name: str,
        average: Literal["macro", "micro", "weighted"] | ArrayLike = "macro",
        *,
        absent: Absent = "count",
        **parameters: object,
    ) -> float:
        """One index of the ranking averaged over the classes, each against the rest.

        Parameters
        ----------
        name : str
        average : {"macro", "micro", "weighted"} or array-like of K weights
            The mean over classes; the index of all classes as one ranking, in which every row and class is a row; the mean by
            class size; or by the weights given.
        absent : {"count", "skip"}
            What becomes of classes for which the index is undefined, mostly those without rows: they count with what the index
            has by convention, and make the average NaN where that is NaN; or they are left out.
        **parameters
            The index's own.

        Raises
        ------
        rocksteady.InputError
            If `average` or `absent` is none of these, or the weights are not K numbers.
        rocksteady.UnknownIndexError
            If there is no such index, or it is none of a ranking.

        Examples
        --------
        >>> import rocksteady as rs
        >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.6, 0.1]]
        >>> tables = rs.ScoreTables([0, 1, 1], y_proba, labels=[0, 1, 2])
        >>> tables.average("roc_auc"), tables.average("roc_auc", absent="skip")
        (nan, 1.0)
        """
        return self._state.average(name, average, absent, parameters)[0]

    def _values(self) -> list[tuple[str, float]]:
        return [(row.name, self[row.name]) for row in indices() if "score_tables" in row.forms]

    def table(self) -> Table:
        """Every index: its value for all classes together, and the macro and weighted averages of those of single classes."""
        self._state.prepare()
        overall = dict(self._values())
        rows = [
            (
                row.name,
                overall.get(row.name),
                self.average(row.name, "macro") if "scores" in row.forms else None,
                self.average(row.name, "weighted") if "scores" in row.forms else None,
            )
            for row in indices()
            if row.name in overall or "scores" in row.forms
        ]
        return Table(["index", "overall", "macro", "weighted"], rows)

    def to_dict(self) -> dict[str, Any]:
        """Rows, labels and every index of all classes together, as plain Python values."""
        return {"rows": self.rows, "labels": self.labels.tolist(), **dict(self._values())}

    def __repr__(self) -> str:
        names = ", ".join(one_line(label) for label in self.labels[:12])
        more = ", …" if len(self.labels) > 12 else ""
        return f"<rocksteady.ScoreTables of {self.rows} rows, {len(self.labels)} classes: {names}{more}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{self.table()._repr_html_()}"

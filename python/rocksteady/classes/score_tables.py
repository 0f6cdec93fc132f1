"""The scores of several classes: each class's rows ranked in each column, and everything that is read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.containers import elsewhere
from rocksteady.base.named_columns import by_class, refused_as
from rocksteady.base.table import Table
from rocksteady.classes.column_tables import Rankings, columns_of_no_rows
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError
from rocksteady.registry.registry import indices
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import WeightKind
    from rocksteady.classes.column_tables import Absent, How
    from rocksteady.inference.interval import Interval, Method, Side


def _counted_elsewhere(sweep: Callable[..., Any], rows: tuple[Any, Any, Any], weight_kind: str) -> Any:
    from rocksteady.devices.classes import score_tables_state  # noqa: PLC0415 (few programs need it)

    return score_tables_state(sweep, rows, weight_kind)


class ScoreTables(Rankings):
    """The scores of K classes: how the rows of each class rank in each column.

    Every index of a ranking for each class against the rest, its averages, and the indices of all classes together are
    read from it. Additive: `a + b` is, to the bit, the statistic of the pooled rows, with weights too.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels. Arrays on a GPU are counted there (docs/devices.md).
    y_proba : array-like of shape (n, K)
        A column of scores for each class, in the order of the labels; probabilities where an index asks for them. At
        least two columns, at most 1,000. Those of a frame that are called as the labels may be in any order.
    labels : array-like of K labels, optional
        The classes, ascending. Default: those that occur.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative; rows of weight 0 are left out.
    weight_kind : {"counts", "sampling"}
        What a weight means: so many rows, or how much one row of a sample counts. See `ConfusionMatrix`.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> tables = rs.ScoreTables(["cat", "dog", "dog", "eel"], y_proba)
    >>> tables.every("roc_auc")
    array([1., 1., 1.])
    >>> round(tables["mean_probability_rate"], 6), round(tables["scored_auc"], 6)
    (0.55, 0.375)
    >>> tables.one_vs_rest("dog").at(0.5)
    Counts(tp=1, fp=0, fn=1, tn=2)
    """

    __slots__ = ()

    _State = _rocksteady.ScoreTablesState
    _axis = "class"
    _places = "classes"

    _state: _rocksteady.ScoreTablesState

    def __init__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> None:
        paired(y_true, {"y_proba": y_proba, "sample_weight": sample_weight})
        if not elsewhere(y_proba):
            y_proba, labels = by_class(y_proba, labels, y_true, "y_proba")
        rows = (y_true, y_proba, sample_weight)

        def sweep(rows: tuple[Any, Any, Any]) -> _rocksteady.ScoreTablesState:
            return _rocksteady.ScoreTablesState.sweep(rows, labels, weight_kind)

        try:
            with refused_as("y_score", "y_proba"):
                self._state = _counted_elsewhere(sweep, rows, weight_kind) if any(map(elsewhere, rows)) else sweep(rows)
        except (InputError, InputTypeError) as error:
            raise hints.of_columns(error, y_true, y_proba) from None

    @classmethod
    def _no_rows(cls, meaning: dict[str, Any]) -> tuple[Any, ...]:
        return [], columns_of_no_rows(meaning)

    def one_vs_rest(self, label: object) -> ScoreTable:
        """The `ScoreTable` of one class against the rest, by its own column. Its labels are True and False.

        Raises
        ------
        rocksteady.InputError
            If it is none of the labels.
        """
        return self._table(label)

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

    def top_label(self) -> ScoreTable:
        """The `ScoreTable` of the highest score of each row, its confidence, against whether its class came true.

        It is that of `rocksteady.scores.top_label`, which explains it. Its labels are True and False. Where several scores of
        a row are the highest, the first counts.

        Raises
        ------
        rocksteady.InputError
            If it was read from bytes that have no such ranking.

        >>> import rocksteady as rs
        >>> tables = rs.ScoreTables([0, 1, 2], [[0.5, 0.25, 0.25], [0.25, 0.75, 0.0], [0.5, 0.0, 0.5]])
        >>> tables.top_label().thresholds, tables["top_label_calibration_error"] == tables.top_label()["ece"]
        (array([ inf, 0.75, 0.5 ]), True)
        """
        table = self._top_label()
        if table is None:
            raise InputError(
                "the tables were read from bytes that have no ranking of the top labels; count the rows again",
                argument="self",
            )
        return table

    def _top_label(self) -> ScoreTable | None:
        state = self._state.top_label()
        return None if state is None else ScoreTable._of(state)

    def _answer(
        self, name: str, average: How | None, absent: Absent, parameters: dict[str, object]
    ) -> tuple[float, str | None]:
        if average is None:
            return self._state.value(name, parameters)
        return super()._answer(name, average, absent, parameters)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("score_tables",))

    @overload
    def interval(  # type: ignore[overload-overlap]  # a string is a name, not names
        self, name: str, *, level: float = 0.95, method: Method | None = None, side: Side = "two-sided"
    ) -> Interval: ...

    @overload
    def interval(
        self, name: Iterable[str], *, level: float = 0.95, method: Method | None = None, side: Side = "two-sided"
    ) -> Table: ...

    def interval(
        self,
        name: str | Iterable[str],
        *,
        average: None = None,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
    ) -> Interval | Table:
        """One index of all classes together, with its interval of confidence: "log_loss" or "mean_probability_rate".

        These are means of what each row gets for its own class. Averages over classes, such as "one_vs_rest_auc", need
        to know which rows of two columns are the same, which the tables do not keep: they are refused. For the interval
        of each class see `every_interval`, and for those of averages ``rocksteady.evaluate(..., inference=True)``.

        Parameters
        ----------
        name, level, method, side
            As `ScoreTable.interval`.
        average : None
            Any other is refused.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval for all classes together.
        rocksteady.InputError
            For an average.

        >>> import rocksteady as rs
        >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
        >>> found = rs.ScoreTables(["cat", "dog", "dog", "eel"], y_proba).interval("log_loss")
        >>> round(found.low, 3), round(found.estimate, 3), round(found.high, 3)
        (0.423, 0.619, 0.907)
        """
        from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (not every program needs it)

        if average is not None:
            self._refuse_average(name, average)
        return Wanted(level, method, side, {}).of_score_tables(self._state, name)

    def _values(self) -> list[tuple[str, float]]:
        return [(row.name, self[row.name]) for row in indices() if "score_tables" in row.forms]

    def summary(self) -> Table:
        """Every index: its value for all classes together, or the macro and weighted averages over the classes."""
        self._state.prepare()
        overall = dict(self._values())
        rows = [
            (
                row.name,
                overall.get(row.name),
                self.value(row.name, average="macro") if "scores" in row.forms else None,
                self.value(row.name, average="weighted") if "scores" in row.forms else None,
            )
            for row in indices()
            if row.name in overall or "scores" in row.forms
        ]
        return Table(["index", "overall", "macro", "weighted"], rows)

    def to_dict(self) -> dict[str, Any]:
        """Rows, labels and every index of all classes together, as plain Python values."""
        return {"rows": self.rows, "labels": list(self.labels), **dict(self._values())}

"""The scores of several labels, of which a row may have any number: each label's rows ranked by its own column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from rocksteady import _rocksteady
from rocksteady.base.named_columns import labels_by_name
from rocksteady.base.table import Table
from rocksteady.classes.column_tables import Rankings, columns_of_no_rows
from rocksteady.columns.pairing import paired
from rocksteady.columns.tags import indicators
from rocksteady.registry.registry import indices
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import WeightKind


class LabelScoreTables(Rankings):
    """The scores of L labels, of which a row may have any number (multilabel): a `ScoreTable` for each.

    Every index of a ranking for each label, its averages, curves and their means are read from it. Additive: `a + b`
    is, to the bit, the statistic of the pooled rows, with weights too. How each row orders its own labels is in
    `rocksteady.metrics`: `label_ranking_average_precision_score` and its neighbours.

    Parameters
    ----------
    y_true : array-like of shape (n, L)
        1, or True, where the row has the label, else 0. At least two columns. Or lists of strings, the labels of each row.
    y_score : array-like of shape (n, L)
        A column of finite scores for each label, of any real type. Those of a frame that are called as the labels, or
        as the columns of `y_true`, may be in any order.
    labels : array-like of L labels, optional
        Their names. Those of the columns of a frame, in another order, bring the columns into this order. Default: the
        names of the columns of a frame, else 0 to L - 1.
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
    >>> y_true, y_score = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.4], [0.6, 0.3], [0.2, 0.8], [0.3, 0.1]]
    >>> tables = rs.LabelScoreTables(y_true, y_score, labels=["red", "round"])
    >>> tables.every("roc_auc")
    array([1.  , 0.75])
    >>> tables.value("roc_auc"), tables.value("roc_auc", average="micro")
    (0.875, 0.90625)
    >>> tables.score_table("round").at(0.5)
    Counts(tp=1, fp=0, fn=1, tn=2)
    """

    __slots__ = ()

    _State = _rocksteady.LabelScoreTablesState
    _axis = "label"
    _places = "labels"

    _state: _rocksteady.LabelScoreTablesState

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> None:
        paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
        tagged, labels = indicators({"y_true": y_true}, labels)
        y_true, (y_score,), labels = labels_by_name(tagged["y_true"], {"y_score": y_score}, labels)
        self._state = _rocksteady.LabelScoreTablesState.sweep((y_true, y_score, sample_weight), labels, weight_kind)

    @classmethod
    def _no_rows(cls, meaning: dict[str, Any]) -> tuple[Any, ...]:
        none = columns_of_no_rows(meaning)
        return none, none

    def score_table(self, label: object) -> ScoreTable:
        """The `ScoreTable` of one label; its own labels are True for rows that have it, and False.

        Raises
        ------
        rocksteady.InputError
            If it is none of the labels.
        """
        return self._table(label)

    def interval(self, name: str, *, average: object = "macro", **options: object) -> NoReturn:  # noqa: ARG002
        """Refused: the tables do not tell which of their rows are the same.

        ``rocksteady.evaluate(..., inference=True)`` has intervals of averages, and `every_interval` those of each label.
        """
        self._refuse_average(name, average)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("scores",))

    def summary(self) -> Table:
        """Every index of a ranking: its macro, micro and weighted average over the labels."""
        names = [row.name for row in indices() if "scores" in row.forms]
        pooled = self.pooled()
        rows = [(name, self.value(name), pooled[name], self.value(name, average="weighted")) for name in names]
        return Table(["index", "macro", "micro", "weighted"], rows)

    def to_dict(self) -> dict[str, Any]:
        """Rows, labels and the macro average of every index of a ranking, as plain Python values."""
        names = [row.name for row in indices() if "scores" in row.forms]
        return {"rows": self.rows, "labels": list(self.labels), **{name: self.value(name) for name in names}}

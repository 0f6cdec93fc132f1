"""The evaluation of models as an aggregation, and its state."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rocksteady.base.arguments import (
    data_of,
    listed,
    one_of,
    real,
    several,
    shown,
    string,
    whole,
    wrong_type,
    wrong_value,
)
from rocksteady.base.containers import headings_of
from rocksteady.base.named_columns import refused_as
from rocksteady.base.statistic import Additive, Kept
from rocksteady.columns.categories import refuse_one_class
from rocksteady.columns.complete import kept, missing
from rocksteady.errors import InputError
from rocksteady.evaluation.evaluation import Evaluation
from rocksteady.groups.group_by import group_by
from rocksteady.groups.groups import Groups
from rocksteady.merging import merge, reader_of
from rocksteady.models.bounded import BoundedModel
from rocksteady.models.columns import checked_labels, default_threshold, threshold_of
from rocksteady.models.counting import matrix_at, other_label
from rocksteady.models.model import ModelEvaluation
from rocksteady.scores.score_sketch import ScoreSketch, SketchCollector
from rocksteady.scores.score_table import ScoreCollector, ScoreTable

if TYPE_CHECKING:
    from rocksteady.base.arguments import Infinite, NanPolicy, WeightKind
    from rocksteady.base.statistic import Statistic

How = Literal["exact", "bounded"]

# The name of the model of a single column of scores.
_MODEL: Final = "model"
# A rounded logarithm is not exact to more bits.
_MOST_BITS: Final = 40
# The number of rows left out and the number of statistics come first, then each statistic after its length.
_HEAD: Final = struct.Struct("<QI")
_LENGTH: Final = struct.Struct("<Q")


class State(Additive):
    """What was counted so far: a statistic for each model, or nothing yet.

    States add: ``a + b`` is of the rows of both, and `rocksteady.merge` adds many. A state of no rows is the identity.
    """

    __slots__ = ("left_out", "statistics")

    #: A statistic for each model; empty before the first row.
    statistics: tuple[Statistic, ...]
    #: The number of rows with a missing value that were left out.
    left_out: int

    def __init__(self, statistics: Iterable[Statistic] = (), left_out: int = 0) -> None:
        self.statistics = tuple(listed(statistics, "statistics", "statistics"))
        for place, statistic in enumerate(self.statistics):
            if not isinstance(statistic, Kept):
                raise wrong_type(statistic, f"statistics[{place}]", "a statistic")
        self.left_out = whole(left_out, "left_out", "a number of rows", least=0)

    def _plus(self, other: State) -> State:
        left_out = self.left_out + other.left_out
        if not self.statistics or not other.statistics:
            return State(self.statistics or other.statistics, left_out)
        if len(self.statistics) != len(other.statistics):
            counts = f"{len(self.statistics)} models and {len(other.statistics)}"
            raise InputError(f"cannot add states of {counts}; expected states of the same models")
        return State((a + b for a, b in zip(self.statistics, other.statistics, strict=True)), left_out)

    def _size(self) -> int | None:
        sizes = [size for statistic in self.statistics if (size := statistic._size()) is not None]
        return sum(sizes) if len(sizes) == len(self.statistics) else None

    @classmethod
    def _pooled(cls, parts: Sequence[State]) -> State | None:
        """The sum of states, each statistic by itself; states without rows are left out."""
        counted = [part.statistics for part in parts if part.statistics]
        if len({len(statistics) for statistics in counted}) > 1:
            return None  # the error of adding them in pairs is clearer
        return State(map(merge, zip(*counted, strict=True)), sum(part.left_out for part in parts))

    def to_bytes(self) -> bytes:
        """The rows left out, the number of statistics, and for each its length and its bytes."""
        parts = [_HEAD.pack(self.left_out, len(self.statistics))]
        for statistic in self.statistics:
            data = statistic.to_bytes()
            parts += [_LENGTH.pack(len(data)), data]
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """Read the state that `to_bytes` wrote. Other bytes are refused."""
        try:
            left_out, count = _HEAD.unpack_from(data_of(data))
            place, statistics = _HEAD.size, []
            for _ in range(count):
                (length,) = _LENGTH.unpack_from(data, place)
                place += _LENGTH.size
                part = bytes(data[place : place + length])
                statistics.append(reader_of(part)(part))
                place += length
        except struct.error:
            place = -1
        if place != len(data):
            raise InputError("the bytes of a state have another length than they say", argument="data")
        return cls(statistics, left_out)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.left_out == other.left_out and self.statistics == other.statistics

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return State.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        held = ", ".join(type(statistic).__name__ for statistic in self.statistics) or "nothing yet"
        left_out = f" ({self.left_out} rows left out)" if self.left_out else ""
        return f"<rocksteady.engines.State of {held}{left_out}>"


class Aggregator:
    """The evaluation of models as an aggregation: `empty`, `update`, `merge` and `value`.

    The state after any sequence of updates and merges is that of all rows at once, to the bit. So it does not matter how
    an engine cuts the rows, in which order it merges, or which tasks it runs again.

    Parameters
    ----------
    label : str
        The column of class labels, two kinds at most.
    score : str or mapping from str to str
        The column of the scores of the positive class; or of several models, by their names.
    by : str or sequence of str, optional
        Columns of keys: then the state holds the statistics of each group, and `Evaluation.groups` has them.
    weight : str, optional
        The column of weights.
    pos_label : label, optional
        The positive class. Default: the greater of the labels of all rows.
    labels : array-like of 2 labels, optional
        The two classes; any other label is refused.
    threshold : float or mapping from str to float, optional
        As for `rocksteady.evaluate`. Default: 0.5 where all scores of the model lie in [0, 1], else 0.
    weight_kind, nan_policy
        As for `rocksteady.evaluate`.
    infinite : {"raise", "allow"}
        Whether infinite scores are ranked.
    how : {"exact", "bounded"}
        "exact" keeps every distinct score: 24 bytes each. "bounded" keeps a `rocksteady.ScoreSketch` of at most `cells`
        cells for each model, whatever the number of rows: indices have proven bounds, and counts at `threshold` are
        exact. It has no groups and no sampling weights.
    cells : int
        The most cells of a sketch.

    Examples
    --------
    >>> import rocksteady as rs
    >>> aggregator = rs.engines.Aggregator("y", "p")
    >>> batches = [{"y": [0, 1], "p": [0.1, 0.35]}, {"y": [], "p": []}, {"y": [0, 1], "p": [0.4, 0.8]}]
    >>> states = [aggregator.update(aggregator.empty(), batch) for batch in batches]
    >>> total = aggregator.merge(*states)
    >>> aggregator.value(total)["roc_auc"]
    0.75
    >>> total == aggregator.merge(*reversed(states)) == rs.engines.State.from_bytes(total.to_bytes())
    True
    """

    def __init__(
        self,
        label: str,
        score: str | Mapping[str, str],
        *,
        by: str | Iterable[str] | None = None,
        weight: str | None = None,
        pos_label: object = None,
        labels: Any = None,
        threshold: float | Mapping[str, float] | None = None,
        weight_kind: WeightKind = "counts",
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        how: How = "exact",
        cells: int = 65_536,
    ) -> None:
        one_of(how, "how", ("exact", "bounded"))
        one_of(nan_policy, "nan_policy", ("raise", "omit", "worst", "best"))
        self.label = string(label, "label")
        self.score = columns_of_models(score)
        self.by = [] if by is None else [by] if isinstance(by, str) else listed(by, "by", "names of columns")
        if how == "bounded":
            # Groups keep the scores of their rows, so their memory would not be bounded.
            for argument, value, expected in (("by", self.by or None, None), ("weight_kind", weight_kind, "counts")):
                if value != expected:
                    raise wrong_value(value, argument, f"{expected!r} with how='bounded'")
        self.weight = weight
        self.labels = None if labels is None else checked_labels(listed(labels, "labels", "two labels"), "labels")
        if self.labels is not None and len(self.labels) != 2:
            raise wrong_value(labels, "labels", "two labels")
        if self.labels is not None and pos_label is None:
            pos_label = max(self.labels)
        if self.labels is not None and pos_label not in self.labels:
            raise wrong_value(pos_label, "pos_label", f"one of the labels {self.labels}")
        self.pos_label = pos_label
        self.threshold = threshold
        for name in threshold if isinstance(threshold, Mapping) else ():
            if name not in self.score:
                raise wrong_value(name, "threshold", f"names of models: {several(self.score)}")
        self.weight_kind: WeightKind = weight_kind
        self.nan_policy: NanPolicy = nan_policy
        # Statistics see no row with a missing score under "omit": such rows are dropped before.
        policy = "raise" if nan_policy == "omit" else nan_policy
        self.options: dict[str, Any] = {"nan_policy": policy, "infinite": infinite}
        self.how: How = how
        self.cells = cells

    @property
    def columns(self) -> list[str]:
        """The columns that are read, each once."""
        weight = [] if self.weight is None else [self.weight]
        return list(dict.fromkeys([self.label, *self.score.values(), *self.by, *weight]))

    def empty(self) -> State:
        """The state of no rows: the identity of `merge`."""
        return State()

    def update(self, state: State, batch: Any) -> State:
        """The state with the rows of one batch more.

        Parameters
        ----------
        state : State
        batch : mapping, data frame, Arrow table or record batch
            Its columns by name. Batches of 100,000 rows or more keep the number of merges small.
        """
        return _state(state) + self.count([batch])

    def merge(self, *states: State) -> State:
        """The state of the rows of all states."""
        return merge(states) if states else State()

    def count(self, batches: Iterable[Any]) -> State:
        """The state of the rows of several batches, such as those of one partition.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As `rocksteady.evaluate`. Rows are counted from the start of a batch.
        """
        counter = (_Sketches if self.how == "bounded" else _Groups if self.by else _Tables)(self)
        left_out = 0
        if not isinstance(batches, Iterable):
            raise wrong_type(batches, "batches", "an iterable of batches")
        for batch in batches:
            read = _Rows(self, batch)
            left_out += read.left_out
            if read.rows:
                counter.add(read)
        return State(counter.statistics(), left_out)

    def value(self, state: State) -> Evaluation:
        """The evaluation of the rows of a state.

        Returns
        -------
        Evaluation

        Raises
        ------
        rocksteady.InputError
            If no rows were counted.
        """
        if not _state(state).statistics:
            left_out = f": all {state.left_out} are left out" if state.left_out else ""
            raise InputError(f"there are no rows{left_out}; expected at least one")
        tables = dict(zip(self.score, state.statistics, strict=True))
        asked = {name: cut for name in self.score if (cut := threshold_of(self.threshold, name)) is not None}
        if self.how == "bounded":
            sketches = [
                BoundedModel(name, sketch, asked.get(name))
                for name, sketch in tables.items()
                if isinstance(sketch, ScoreSketch)
            ]
            return Evaluation(sketches, rows_left_out=state.left_out)
        groups = None
        if self.by:
            groups = {name: part for name, part in tables.items() if isinstance(part, Groups)}
            tables = {name: part.score_table() for name, part in groups.items()}
        ranked = {name: table for name, table in tables.items() if isinstance(table, ScoreTable)}
        classes, positive = self._classes(next(iter(ranked.values())))
        models = []
        for name, table in ranked.items():
            cut = asked[name] if name in asked else default_threshold(table)
            matrix = matrix_at(table, cut, classes, positive)
            models.append(ModelEvaluation(name, matrix, table, threshold=cut))
        return Evaluation(models, rows_left_out=state.left_out, groups=groups)

    def _classes(self, table: ScoreTable) -> tuple[list[Any], Any]:
        """The two classes in ascending order, and the positive one, by the rules of `rocksteady.evaluate`."""
        if self.labels is not None:
            return sorted(self.labels), self.pos_label
        known = [label for label in table.labels if label is not None]
        if len(known) == 2:
            return sorted(known), table.labels[1]
        refuse_one_class(known, self.pos_label)
        (only,) = known
        classes = sorted([only, other_label(only)])
        return classes, only if table.labels[1] is not None else classes[classes[0] == only]


def columns_of_models(score: Any) -> dict[str, Any]:
    """The column of each model by its name; a single one is that of "model"."""
    if not isinstance(score, Mapping):
        return {_MODEL: score}
    if not score:
        raise InputError("score is empty; expected a column for each model", argument="score")
    return {string(name, "score"): column for name, column in score.items()}


def sketch_sql(
    table: str,
    label: str,
    score: str,
    *,
    pos_label: bool | float | str | None = None,
    thresholds: Iterable[float] = (),
    where: str | None = None,
    bits: int = 14,
) -> str:
    """A query for the cells of a sketch, in SQL that most databases know: what `ScoreSketch.from_counts` takes.

    Rows are grouped by the power of two and the first bits of the score, or of the score less 1 from one half to 1, and by
    the thresholds at which counts are to be exact. The query reads the table once, and without `pos_label` the labels
    once more.

    Parameters
    ----------
    table, label, score : str
        Names, or expressions in SQL, as they stand in the query. The score is a number.
    pos_label : bool, number or str, optional
        The positive class; all other labels are negative. Default: the greater label of the rows, in the order of the
        database. A label alone is known only if it is 0 or 1, false or true. Where there is another alone, or a third
        one, or NaN, numbers of rows are NULL, which `ScoreSketch.from_counts` refuses. Say `pos_label` for the parts of
        a whole, as a part may have one label only, and where the database has no greatest boolean (PostgreSQL).
    thresholds : iterable of float
        Those of the sketch; 0 and 0.5 are always among them.
    where : str, optional
        A condition in SQL: only rows for which it holds are counted.
    bits : int
        The bits of a score that tell groups apart, 1 to 40: there are 2**bits groups between one power of two and the
        next. With 14, a million probabilities fall into some 100,000 groups.

    Returns
    -------
    str
        A query with the columns least, greatest, positives and negatives. Rows without a label count as negative: leave
        them out by `where`. Rows without a score are one group, whose scores are NULL: see `nan_policy` of
        `ScoreSketch.from_counts`.

    Notes
    -----
    It uses MIN, MAX, SUM, CASE, ABS, FLOOR, LN and POWER; without `pos_label` COUNT, LOWER, CAST and CROSS JOIN, too.
    Rounding of LN and POWER, which differs from database to database, moves no score into a wrong cell: a sketch goes
    by the least and the greatest score of each group alone.
    The power of two is divided by in two steps, so that neither overflows, even for subnormal scores.

    Examples
    --------
    >>> import rocksteady as rs
    >>> print(rs.engines.sketch_sql("predictions", "y", "p", pos_label=1))
    SELECT MIN(s) AS least, MAX(s) AS greatest, SUM(c) AS positives, SUM(1 - c) AS negatives
    FROM (
      SELECT s, c, z, d, CASE WHEN d <> 0 THEN FLOOR(LN(ABS(d)) / LN(2.0)) END AS e
      FROM (
        SELECT s, c, CASE WHEN s >= 0.5 AND s <= 1 THEN s - 1 ELSE ABS(s) END AS d,
          CASE WHEN s >= 0 THEN 1 ELSE 0 END
          + CASE WHEN s >= 0.5 THEN 1 ELSE 0 END
          + CASE WHEN s > 1 THEN 1 ELSE 0 END AS z
        FROM (SELECT p AS s, CASE WHEN y = 1 THEN 1 ELSE 0 END AS c FROM predictions) AS r
      ) AS m
    ) AS x
    GROUP BY z, e, FLOOR(d / POWER(2.0, FLOOR(e / 2)) / POWER(2.0, e - FLOOR(e / 2)) * 16384)
    """
    width = whole(bits, "bits", "a number of bits from 1 to 40", least=1)
    if width > _MOST_BITS:
        raise wrong_value(bits, "bits", "a number of bits from 1 to 40")
    cuts = sorted({real(cut, "thresholds") for cut in listed(thresholds, "thresholds", "numbers")} - {0.0, 0.5})
    if any(math.isnan(cut) for cut in cuts):
        raise wrong_value(thresholds, "thresholds", "numbers")
    # An infinite score has an exponent of its own.
    cuts = [cut for cut in cuts if math.isfinite(cut)]
    zones = "".join(f"\n      + CASE WHEN s >= {_literal(cut)} THEN 1 ELSE 0 END" for cut in cuts)
    source = f"FROM {table}" + ("" if where is None else f" WHERE {where}")
    positives = "SUM(c)"
    if pos_label is None:
        # SUM skips NULL. A group with a label of unknown class has no result.
        positives = "CASE WHEN COUNT(c) = COUNT(*) THEN SUM(c) END"
        rows = f"""
      SELECT s, CASE WHEN y IS NULL THEN 0
          WHEN LOWER(CAST(high AS CHAR(5))) = 'nan' THEN NULL
          WHEN low < high THEN CASE WHEN y = high THEN 1 WHEN y = low THEN 0 END
          WHEN CAST(high AS CHAR(5)) IN ('1', '1.0', 'true') THEN 1
          WHEN CAST(high AS CHAR(5)) IN ('0', '0.0', 'false') THEN 0 END AS c
      FROM (SELECT {score} AS s, {label} AS y {source}) AS a
      CROSS JOIN (SELECT MIN({label}) AS low, MAX({label}) AS high {source}) AS b
    """  # noqa: S608 (as asked)
    else:
        is_positive = f"CASE WHEN {label} = {_literal(pos_label)} THEN 1 ELSE 0 END"
        rows = f"SELECT {score} AS s, {is_positive} AS c {source}"
    return f"""\
SELECT MIN(s) AS least, MAX(s) AS greatest, {positives} AS positives, SUM(1 - c) AS negatives
FROM (
  SELECT s, c, z, d, CASE WHEN d <> 0 THEN FLOOR(LN(ABS(d)) / LN(2.0)) END AS e
  FROM (
    SELECT s, c, CASE WHEN s >= 0.5 AND s <= 1 THEN s - 1 ELSE ABS(s) END AS d,
      CASE WHEN s >= 0 THEN 1 ELSE 0 END
      + CASE WHEN s >= 0.5 THEN 1 ELSE 0 END
      + CASE WHEN s > 1 THEN 1 ELSE 0 END{zones} AS z
    FROM ({rows}) AS r
  ) AS m
) AS x
GROUP BY z, e, FLOOR(d / POWER(2.0, FLOOR(e / 2)) / POWER(2.0, e - FLOOR(e / 2)) * {1 << width})"""  # noqa: S608 (names and conditions are the caller's)


def _literal(value: Any) -> str:
    """A literal of SQL."""
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(real(value, "pos_label")) if not isinstance(value, int) else str(value)


def _state(value: Any) -> State:
    if not isinstance(value, State):
        raise wrong_type(value, "state", "a State")
    return value


class _Rows:
    """The columns of one batch, without rows that are left out."""

    def __init__(self, aggregator: Aggregator, batch: Any) -> None:
        names = list(batch) if isinstance(batch, Mapping) else headings_of(batch)
        if names is None:
            raise wrong_type(batch, "batch", "a mapping, a data frame, an Arrow table or a record batch")
        absent = [column for column in aggregator.columns if column not in names]
        if absent:
            raise wrong_value(names, "batch", f"the columns {several(absent)} among them")
        self.truth = batch[aggregator.label]
        self.weight = None if aggregator.weight is None else batch[aggregator.weight]
        self.scores = {name: batch[column] for name, column in aggregator.score.items()}
        self.keys = {column: batch[column] for column in aggregator.by}
        self.left_out = 0
        self.rows = len(self.truth)
        if aggregator.nan_policy == "omit" and self.rows:
            self._complete()

    def _complete(self) -> None:
        """Leave out the rows without a label or without the score of any model.

        A group whose rows are all left out is no group: whether it were one would depend on how the rows are split.
        """
        masks = [missing(column, "score") for column in (self.truth, *self.scores.values())]
        found = [mask for mask in masks if mask is not None and mask.any()]
        if not found:
            return
        keep = ~np.logical_or.reduce(found)
        self.left_out = int(len(keep) - keep.sum())
        self.rows -= self.left_out
        if not self.rows:
            return
        self.truth = kept(self.truth, keep, "label")
        self.weight = None if self.weight is None else kept(self.weight, keep, "weight")
        self.scores = {name: kept(column, keep, "score") for name, column in self.scores.items()}
        self.keys = {name: kept(column, keep, "by") for name, column in self.keys.items()}


class _Tables:
    def __init__(self, aggregator: Aggregator) -> None:
        self.aggregator = aggregator
        self.has_rows = False
        self.collectors = {name: self.collector() for name in aggregator.score}

    def collector(self) -> Any:
        asked = self.aggregator
        return ScoreCollector(**asked.options, pos_label=asked.pos_label, weight_kind=asked.weight_kind)

    def collected(self, collector: Any) -> Any:
        return collector.score_table()

    def add(self, rows: _Rows) -> None:
        self.has_rows = True
        for name, collector in self.collectors.items():
            with _said(self.aggregator, name):
                collector.update(rows.truth, rows.scores[name], sample_weight=rows.weight)

    def statistics(self) -> list[Statistic]:
        tables: list[Statistic] = []
        for collector in self.collectors.values() if self.has_rows else ():
            table = self.collected(collector)
            _check_labels(self.aggregator, table.labels)
            tables.append(table)
        return tables


class _Sketches(_Tables):
    """Sketches, with exact counts at the thresholds of all models."""

    def collector(self) -> Any:
        asked = self.aggregator
        found = (threshold_of(asked.threshold, name) for name in asked.score)
        return SketchCollector(
            **asked.options,
            pos_label=asked.pos_label,
            labels=asked.labels,
            cells=asked.cells,
            thresholds=sorted({threshold for threshold in found if threshold is not None}),
        )

    def collected(self, collector: Any) -> Any:
        return collector.sketch()


class _Groups:
    def __init__(self, aggregator: Aggregator) -> None:
        self.aggregator = aggregator
        self.parts: dict[str, list[Groups]] = {name: [] for name in aggregator.score}

    def add(self, rows: _Rows) -> None:
        asked = self.aggregator
        for name, parts in self.parts.items():
            with _said(asked, name):
                part = group_by(
                    rows.truth,
                    y_score=rows.scores[name],
                    by=rows.keys,
                    sample_weight=rows.weight,
                    weight_kind=asked.weight_kind,
                    pos_label=asked.pos_label,
                    threshold=threshold_of(asked.threshold, name),
                    **asked.options,
                )
            _check_labels(asked, part.labels)
            parts.append(part)

    def statistics(self) -> list[Statistic]:
        return [merge(parts) for parts in self.parts.values() if parts]


def _check_labels(aggregator: Aggregator, found: Iterable[Any]) -> None:
    """Refuse a label that is not among the given labels."""
    for label in found:
        if label is not None and aggregator.labels is not None and label not in aggregator.labels:
            raise InputError(
                f"{aggregator.label} has {shown(label)}; expected one of the labels {aggregator.labels}",
                argument="label",
            )


def _said(aggregator: Aggregator, name: str) -> ExitStack:
    """Rename the argument of a refusal to the column of the user."""
    stack = ExitStack()
    score = aggregator.score[name]
    for argument, column in (("y_true", aggregator.label), ("y_score", score), ("sample_weight", aggregator.weight)):
        stack.enter_context(refused_as(argument, str(column)))
    return stack

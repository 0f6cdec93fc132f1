"""Evaluations of parts of the rows: their sum, and an evaluation as bytes."""

from __future__ import annotations

import json
import operator
import struct
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import data_of, shown
from rocksteady.base.statistic import Kept, digest_of
from rocksteady.classes.label_score_tables import LabelScoreTables
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.costs.cost_counts import CostCounts
from rocksteady.costs.cost_table import CostTable
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.evaluation.paired import Paired
from rocksteady.groups.groups import Groups
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.models.bounded import BoundedModel
from rocksteady.models.counting import arranged, matrix_at
from rocksteady.models.grouped_rows import GroupedRows
from rocksteady.models.judged_rows import without_rows
from rocksteady.models.model import ModelEvaluation
from rocksteady.models.multilabel import MultilabelModel
from rocksteady.scores.score_sketch import ScoreSketch
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.models.judged_rows import JudgedRows
    from rocksteady.models.model import Model

    Pair = tuple[Any, Any]

# The head of the bytes (docs/bytes.md): magic word, kind, version and the tag of the only section.
_HEAD: Final = b"rockstedE\x03\x01"
# Likewise of models of sketches.
_BOUNDED: Final = b"rockstedV\x03\x01"
_LENGTH: Final = struct.Struct("<Q")


class Parts(Kept):
    """What an `rocksteady.Evaluation` has of a statistic: sums, bytes and a digest."""

    __slots__ = ()

    def _plus(self: Any, other: Any) -> Any:
        return added(self, other)

    def __sub__(self: Any, other: Any) -> Any:
        """The evaluation of the rows here that are not those of `other`, which are a part of them; without `paired`.

        Raises
        ------
        rocksteady.InputTypeError
            For models of sketches.
        rocksteady.InputError
            If the models, their thresholds or the costs differ, or an amount would go below zero.

        >>> import rocksteady as rs
        >>> parts = [rs.evaluate(y, s, pos_label=1, threshold=0.5) for y, s in [([0, 1], [0.2, 0.9]), ([1], [0.4])]]
        >>> rs.merge(parts) - parts[1] == parts[0]
        True
        """
        return subtracted(self, other) if type(other) is type(self) else NotImplemented

    def to_bytes(self: Any) -> bytes:
        """The evaluation in a versioned, little-endian format. Any machine reads it back bit for bit, but for `paired`.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 1, 1], [0.2, 0.9, 0.4])
        >>> rs.Evaluation.from_bytes(ev.to_bytes())["roc_auc"]
        1.0
        """
        shown: dict[str, Any] = {"notes": list(self.notes), "min_rows": self.min_rows}
        if _has_design(self.models.values()):
            shown["has_design"] = True
        return _written(self, shown)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the evaluation that `to_bytes` wrote.

        Raises
        ------
        rocksteady.InputError
            For any other bytes.
        """
        try:
            data = data_of(data)
            evaluation: Self = _read_bounded(cls, data) if data.startswith(_BOUNDED) else _read(cls, data)
            if evaluation.to_bytes() != data:
                raise ValueError("they are written otherwise")  # noqa: TRY301
        except (RocksteadyError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise InputError(f"not the bytes of an Evaluation: {error}", argument="data") from None
        return evaluation

    def digest(self: Any) -> str:
        """A fingerprint of what was counted: the same for the same rows, however they were split or ordered.

        It is that of `to_bytes`, without what is not counted: `notes`, `min_rows`, and whether rows belong to clusters or strata.

        >>> import rocksteady as rs
        >>> parts = [rs.evaluate(y, s, pos_label=1, threshold=0.5) for y, s in [([0, 1], [0.2, 0.9]), ([1], [0.4])]]
        >>> rs.merge(parts).digest() == rs.evaluate([1, 1, 0], [0.9, 0.4, 0.2], pos_label=1, threshold=0.5).digest()
        True
        """
        return digest_of(_written(self, {}))

    def __eq__(self: Any, other: Any) -> bool:
        """Whether the same was counted of the same models: what `digest` tells, and `paired`."""
        if type(other) is not type(self):
            return NotImplemented
        return bool(_written(self, {}) == _written(other, {}) and self.paired == other.paired)

    __hash__ = None  # type: ignore[assignment]


# ------------------------------------------------------------------------------------------------------------------ sum


def _pairs(one: Evaluation, other: Evaluation) -> dict[str, Pair]:
    """The models of both by name; those of other names, kinds or costs are refused."""
    if set(one.models) != set(other.models) or type(one._first) is not type(other._first):
        first, second = (
            [f"{name!r}, {model._title()}" for name, model in each.models.items()] for each in (one, other)
        )
        raise _unlike(f"the models are {shown(first)} in one, {shown(second)} in the other")
    costs, others = (_or_none(_by_role(each)) for each in (one, other))
    if not np.array_equal(costs, others):
        raise _unlike("the costs differ")
    if bool(one._groups) != bool(other._groups):
        raise _unlike("one has groups and the other has none")
    return {name: (model, other.models[name]) for name, model in one.models.items()}


def added(one: Evaluation, other: Evaluation) -> Evaluation:
    """The evaluation of the rows of both."""
    models = _SUMS[type(one._first)](one, other, _pairs(one, other))
    costs = _by_role(one)
    if costs is not None and models[0].is_binary and models[0].labels[0] == models[0].pos_label:
        costs = costs[::-1, ::-1]
    both_paired = one.paired is not None and other.paired is not None
    return type(one)(
        models,
        costs=costs,
        notes=list(dict.fromkeys([*one.notes, *other.notes])),
        rows_left_out=one.rows_left_out + other.rows_left_out,
        # How areas vary together does not follow from the parts.
        paired=Paired(one.paired.labels + other.paired.labels) if both_paired else None,  # type: ignore[union-attr]
        groups={name: groups + other._groups[name] for name, groups in one._groups.items()} or None,
        min_rows=max(one.min_rows, other.min_rows),
    )


def subtracted(one: Evaluation, other: Evaluation) -> Evaluation:
    """The evaluation of the rows of one that are not those of the other."""
    models: list[Any] = []
    for name, pair in _pairs(one, other).items():
        if isinstance(pair[0], BoundedModel):
            raise InputTypeError(
                "sketches are not subtracted; add the evaluations of the parts that stay", argument="other"
            )
        _threshold(name, pair)
        found = {what: _sum_of(name, pair, what, operator.sub) for what in pair[0]._held}
        models.append(replace(pair[0], **found, _judged=_without(pair)))
    return type(one)(
        models,
        costs=one.costs,
        notes=one.notes,
        rows_left_out=one.rows_left_out - other.rows_left_out,
        groups={name: groups - other._groups[name] for name, groups in one._groups.items()} or None,
        min_rows=one.min_rows,
    )


def _of_two(one: Evaluation, other: Evaluation, pairs: dict[str, Pair]) -> list[Model]:
    """The sums of models of classes, which agree on the classes."""
    rankings = {name: _sum_of(name, pair, "scores") for name, pair in pairs.items()}
    classes, positive = _classes(one, other, [table for table in rankings.values() if table is not None])
    models: list[Model] = []
    for name, pair in pairs.items():
        table, threshold = rankings[name], _threshold(name, pair)
        if table is not None and threshold is not None:
            matrix = matrix_at(table, threshold, classes, positive)
        else:
            first, second = (model.confusion._state for model in pair)
            matrix = _of_classes(ConfusionMatrix._of(first.merged(second)), classes, positive)
        class_scores = _sum_of(name, pair, "class_scores")
        costs = _sum_of(name, pair, "row_costs")
        models.append(
            ModelEvaluation(name, matrix, table, class_scores, threshold, row_costs=costs, _judged=_without(pair))
        )
    return models


def _of_labels(one: Evaluation, other: Evaluation, pairs: dict[str, Pair]) -> list[Model]:
    if one.labels != other.labels:
        raise _unlike(f"the labels are {shown(list(one.labels))} in one, {shown(list(other.labels))} in the other")
    models: list[Model] = []
    for name, pair in pairs.items():
        matrices, right, tables = (_sum_of(name, pair, what) for what in MultilabelModel._held)
        models.append(
            MultilabelModel(name, one.labels, matrices, right, tables, _threshold(name, pair), _without(pair))
        )
    return models


def _without(pair: Pair) -> JudgedRows | None:
    """What a sum keeps of the rows: whether they belong to clusters or strata."""
    return without_rows(_has_design(pair))


def _has_design(models: Iterable[Any]) -> bool:
    return any(model._judged is not None and model._judged.has_design for model in models)


def _of_sketches(_one: Evaluation, _other: Evaluation, pairs: dict[str, Pair]) -> list[Model]:
    for first, second in pairs.values():
        if (first._asked, first._called) != (second._asked, second._called):
            raise _unlike(f"the threshold or the labels of {shown(first.name)} differ")
    return [
        BoundedModel(name, first.sketch + second.sketch, first._asked, labels=first._called)
        for name, (first, second) in pairs.items()
    ]


# How models of each kind add.
_SUMS: Final = {ModelEvaluation: _of_two, MultilabelModel: _of_labels, BoundedModel: _of_sketches}


def _unlike(what: str) -> InputError:
    return InputError(f"cannot add: {what}; expected evaluations of the same models", argument="other")


def _sum_of(name: str, pair: Pair, what: str, how: Callable[[Any, Any], Any] = operator.add) -> Any:
    first, second = (getattr(model, what) for model in pair)
    if (first is None) != (second is None):
        said = "costs of its rows" if what == "row_costs" else "scores"
        raise _unlike(f"{shown(name)} has {said} in one and none in the other")
    return None if first is None else how(first, second)


def _threshold(name: str, pair: Pair) -> float | None:
    """The threshold of both; that of a part without rows says nothing."""
    first, second = pair
    if first.threshold == second.threshold or 0 in (first.rows, second.rows):
        found: float | None = first.threshold if first.rows or not second.rows else second.threshold
        return found
    said = f"{shown(name)} has the threshold {first.threshold} in one and {second.threshold} in the other"
    raise _unlike(f"{said} (give evaluate the same threshold=)")


def _classes(one: Evaluation, other: Evaluation, tables: list[ScoreTable]) -> tuple[list[Any], Any]:
    """The classes of both in their order, and the positive one of two.

    A part of one class has made up the other. What is ranked knows better, once it has seen both.
    """
    first, second = list(one.labels), list(other.labels)
    found: set[Any] = {label for table in tables for label in table.labels if label is not None}
    if tables and len(found) == 2:
        order = next((labels for labels in (first, second) if set(labels) == found), sorted(found))
        return order, order[order.index(tables[0].labels[1])]
    classes = first if set(second) <= set(first) else second if set(first) < set(second) else sorted({*first, *second})
    if len(classes) != 2:
        return classes, None
    named = {each.pos_label for each in (one, other) if each.pos_label is not None}
    if len(named) > 1:
        raise _unlike(f"the positive class is {shown(one.pos_label)} in one and {shown(other.pos_label)} in the other")
    return classes, named.pop() if named else classes[1]


def _of_classes(matrix: ConfusionMatrix, classes: list[Any], positive: Any) -> ConfusionMatrix:
    """The matrix with these classes; a class that was made up has no rows and goes."""
    labels = list(matrix.labels)
    kept = [label for label in labels if label in classes]
    if len(kept) < len(labels):
        rest = ConfusionMatrix._of(matrix._selected(kept)._state)
        if rest.total != matrix.total:
            strange = [label for label in labels if label not in classes]
            raise _unlike(f"there are the classes {shown(strange)} beside {shown(classes)}")
        matrix = rest
    return arranged(matrix, classes, positive)


def _by_role(evaluation: Evaluation) -> NDArray[np.float64] | None:
    """The costs, of two classes the negative one first."""
    costs, labels = evaluation.costs, evaluation.labels
    if costs is None or len(labels) != 2 or labels[1] == evaluation.pos_label:
        return costs
    return costs[::-1, ::-1]


def _or_none(costs: NDArray[np.float64] | None) -> NDArray[np.float64]:
    return np.empty((0, 0)) if costs is None else costs


# ---------------------------------------------------------------------------------------------------------------- bytes


def _written(evaluation: Evaluation, shown: dict[str, Any]) -> bytes:
    """The bytes: what is no statistic as JSON, then the statistics of each model, empty where there is none."""
    models: list[Any] = list(evaluation.models.values())
    said: dict[str, Any] = {"rows_left_out": evaluation.rows_left_out}
    if isinstance(models[0], BoundedModel):
        said["labels"], said["models"] = models[0]._called, [model.name for model in models]
        said["thresholds"] = {model.name: model._asked for model in models if model._asked is not None}
        return joined(_BOUNDED, [_json(said), *(model.sketch.to_bytes() for model in models)])
    said |= shown | {"costs": None if evaluation.costs is None else evaluation.costs.tolist()}
    if isinstance(models[0], MultilabelModel):
        said["labels"] = evaluation.labels
        said["models"] = [{"name": model.name, "threshold": model.threshold} for model in models]
        held: list[Any] = [(model.indicators, model.matches, model.label_scores) for model in models]
    else:
        said["models"] = [
            {"name": model.name, "threshold": model.threshold, "positive": _place(model.confusion)} for model in models
        ]
        held = [(model.confusion, model._ranking, evaluation._groups.get(model.name)) for model in models]
        if models[0].row_costs is not None:
            said["row_costs"] = True
            held = [(*of, model.row_costs) for of, model in zip(held, models, strict=True)]
    return joined(_HEAD, [_json(said), *(b"" if each is None else each.to_bytes() for of in held for each in of)])


def _json(said: dict[str, Any]) -> bytes:
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def joined(head: bytes, blocks: Iterable[bytes]) -> bytes:
    """A head that ends with the tag of the only section, and blocks, each after its length."""
    core = b"".join(part for block in blocks for part in (_LENGTH.pack(len(block)), block))
    return head + _LENGTH.pack(len(core)) + core


def blocks_of(head: bytes, data: bytes) -> list[bytes]:
    """The blocks that `joined` wrote; a ValueError for other bytes."""
    if not data.startswith(head):
        raise ValueError("they begin otherwise, or are of a version that this release does not read")
    core = data[len(head) + _LENGTH.size :]
    if data[len(head) :][: _LENGTH.size] != _LENGTH.pack(len(core)):
        raise ValueError("the section has another length")
    blocks, at = [], 0
    while at < len(core):
        (length,) = _LENGTH.unpack_from(core, at) if at + _LENGTH.size <= len(core) else (len(core),)
        at += _LENGTH.size
        if length > len(core) - at:
            raise ValueError("a length is too great")
        blocks.append(core[at : at + length])
        at += length
    return blocks


def _place(matrix: ConfusionMatrix) -> int | None:
    """The place of the positive class."""
    return None if matrix.pos_label is None else matrix.labels.index(matrix.pos_label)


def _read(cls: Callable[..., Any], data: bytes) -> Any:
    said_of, *blocks = blocks_of(_HEAD, data)
    said = json.loads(said_of)
    each = 4 if said.get("row_costs") else 3
    if len(blocks) != each * len(said["models"]):
        raise ValueError(f"there are not {each} statistics for each model")
    parts = [blocks[place : place + each] for place in range(0, len(blocks), each)]
    names = ("rows_left_out", "notes", "min_rows")
    options = {name: said[name] for name in names if name in said}
    rows = without_rows(said.get("has_design", False))
    if "labels" in said:
        several = []
        for told, (indicators, matches, ranking) in zip(said["models"], parts, strict=True):
            matrices = ConfusionMatrix.from_bytes(indicators), ConfusionMatrix.from_bytes(matches, pos_label=True)
            tables = LabelScoreTables.from_bytes(ranking) if ranking else None
            several.append(MultilabelModel(told["name"], said["labels"], *matrices, tables, told["threshold"], rows))
        return cls(several, **options)
    models, groups = [], {}
    for told, (matrix, ranking, grouped, *costs) in zip(said["models"], parts, strict=True):
        confusion = ConfusionMatrix.from_bytes(matrix)
        if told["positive"] is not None:
            confusion = ConfusionMatrix.from_bytes(matrix, pos_label=confusion.labels[told["positive"]])
        model = ModelEvaluation(told["name"], confusion, threshold=told["threshold"], _judged=rows)
        if ranking[8:9] == b"S":
            model = replace(model, scores=ScoreTable.from_bytes(ranking))
        elif ranking:
            model = replace(model, class_scores=ScoreTables.from_bytes(ranking))
        if costs:
            kind: Any = CostTable if model.threshold is not None else CostCounts
            model = replace(model, row_costs=kind.from_bytes(costs[0]))
        models.append(model)
        if grouped:
            groups[model.name] = by = Groups.from_bytes(grouped)
            if rows is not None:
                by._rows = GroupedRows(rows, model.name, None, len(by))
    return cls(models, costs=said["costs"], groups=groups or None, **options)


def _read_bounded(cls: Callable[..., Any], data: bytes) -> Any:
    said_of, *sketches = blocks_of(_BOUNDED, data)
    said = json.loads(said_of)
    labels, asked = said["labels"], said["thresholds"]
    models = [
        BoundedModel(name, ScoreSketch.from_bytes(sketch), asked.get(name), labels=labels and tuple(labels))
        for name, sketch in zip(said["models"], sketches, strict=True)
    ]
    return cls(models, rows_left_out=said["rows_left_out"])

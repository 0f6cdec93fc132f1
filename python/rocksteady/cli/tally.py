"""Batches into statistics, and the meaning of the labels.

- **Predicted classes.** Confusion matrices add up batch by batch and stay small.
- **One column of scores.** The scores are collected, because a ranking needs all of them. The table at the end gives
  the ranking and the classes at the threshold.
- **With `--bounded`** a sketch of each column of scores takes the place of all scores.
- **Several columns of probabilities.** Each batch becomes tables of its own. They are added in pairs, like the carries
  of a binary counter, so that each row is merged only a few times.

**The meaning of the labels** does not depend on how the rows are split. `--proba` names the classes. Of two classes it
ranks only the column of the positive one. Without `--proba` the positive class is `--pos-label`, or else the later
category, or else the greater label in all files. Batches wait until both labels have been seen; they need no more
memory than the scores do.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import polars as pl

import rocksteady as rs
from rocksteady.base.arguments import printable, shown
from rocksteady.cli.differences import Kept
from rocksteady.cli.files import Kind
from rocksteady.cli.options import no_costs
from rocksteady.cli.sources import RefusedError
from rocksteady.models.columns import OF_OTHERS, OF_PROBABILITIES, default_threshold
from rocksteady.models.counting import arranged, matrix_at
from rocksteady.scores.unknown_labels.label_ledger import LabelLedger
from rocksteady.scores.unknown_labels.sketch_ledger import SketchLedger

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from rocksteady.base.arguments import WeightKind
    from rocksteady.cli.files import Batch
    from rocksteady.cli.options import Options

Label = bool | int | str
_S = TypeVar("_S", "rs.ScoreTables", "rs.Groups")
_SHOWN_LABELS = 10


@dataclass(frozen=True)
class Tally:
    """What was counted.

    Attributes
    ----------
    rows
        The number of rows that were counted.
    evaluation
        The statistics of every model, and the number of rows left out; with `--bounded` their sketches.
    not_probabilities
        For each model with a score outside [0, 1]: file, row and value of the first one, as a sentence.
    is_sorted_text
        Whether the classes are text in the order of the alphabet, as nobody said theirs. Of two, the greater is positive.
    """

    rows: int
    evaluation: rs.Evaluation
    not_probabilities: dict[str, str]
    is_sorted_text: bool

    def at_prevalence(self, prevalence: float | dict[str, float] | None) -> Tally:
        """The same rows, weighed so that the classes have these shares; as they are if there are none.

        Raises
        ------
        RefusedError
            If a class has no share, or a share has no class.
        """
        if prevalence is None:
            return self
        given: Any = prevalence
        if isinstance(prevalence, dict):
            labels = {str(label): label for label in self.evaluation.labels}
            for name in [*labels, *prevalence]:
                if name not in labels or name not in prevalence:
                    raise RefusedError(
                        f"--prevalence has shares of {', '.join(prevalence)}; expected {', '.join(labels)}"
                    )
            given = {labels[name]: share for name, share in prevalence.items()}
        return replace(self, evaluation=self.evaluation.at_prevalence(given))


def tally(
    batches: Iterable[Batch],
    options: Options,
    kind: Kind,
    order: Sequence[str] | None = None,
    *,
    has_rows: bool = False,
    is_bounded: bool = False,
) -> Tally:
    """Count the batches.

    Parameters
    ----------
    batches
        Checked rows.
    options
        Which models there are, and their columns.
    kind
        What the labels are.
    order
        The categories of the labels in their order, if all files have the same.
    has_rows
        Whether to keep the rows, for differences between models, clusters and means over classes.
    is_bounded
        Whether to keep sketches of the scores instead of all of them.

    Raises
    ------
    RefusedError
        The labels are too many, too few, or not what was asked for.
    """
    try:
        counters = _Counters(options, kind, order, has_rows=has_rows, is_bounded=is_bounded)
    except RefusedError:
        for _ in batches:  # read all batches: a later row may widen the kind of the labels
            pass
        raise
    rows = left_out = 0
    for batch in batches:
        rows += len(batch.label)
        left_out += batch.left_out
        if len(batch.label):
            counters.add(batch)
        if batch.unlabelled is not None:
            counters.add_unlabelled(batch.unlabelled)
    if not rows:
        raise RefusedError(f"none of {left_out} rows has both a label and a score; all are left out")
    evaluation = counters.bounded_evaluation(left_out) if is_bounded else counters.evaluation(left_out)
    is_sorted_text = kind is Kind.TEXT and counters.labels.order is None and options.pos_label is None
    return Tally(rows, evaluation, counters.not_probabilities(), is_sorted_text)


class _Counters:
    """The statistics of each column, and of the columns of `--proba` together."""

    def __init__(
        self, options: Options, kind: Kind, order: Sequence[str] | None, *, has_rows: bool, is_bounded: bool = False
    ) -> None:
        self.options, self.has_rows, self.is_bounded = options, has_rows, is_bounded
        self.kept = Kept() if has_rows or options.has_row_costs else None
        self.labels = _Labels(options, kind, order)
        self.matrices: dict[str, rs.ConfusionMatrix] = {}
        self.rankings = {name: self._ranked() for name in options.columns.scores}
        self.groups = _Groups(options) if options.columns.by else None
        self.probabilities: _Probabilities | None = None
        if self.labels.pair is not None and options.classes:
            self.rankings[self.labels.positive_column] = self._ranked()
        elif options.classes:
            self.probabilities = _Probabilities(self.labels, options.weight_kind)

    def _ranked(self) -> _Ranking:
        """The ranking of a column of scores, without rows."""
        options = self.options
        if not self.is_bounded:
            place: Any = {"memory": options.memory, "directory": options.directory}
            other: Any = None if options.missing_labels is None else rs.ScoreCollector(pos_label=True)
            return _Ranking(rs.ScoreCollector(pos_label=True, weight_kind=options.weight_kind, **place), other)
        own = [] if options.threshold is None else [options.threshold]
        edges = [OF_OTHERS, OF_PROBABILITIES, *own, *options.edges]
        meaning: Any = {"pos_label": True, "labels": [False, True]}
        sketched = partial(rs.SketchCollector, **meaning, cells=options.cells, thresholds=edges)
        return _Ranking(sketched(), None if options.missing_labels is None else sketched())

    def add_unlabelled(self, scores: pl.DataFrame) -> None:
        """Count rows without a label."""
        for name, ranking in self.rankings.items():
            if ranking.others is not None:
                ranking.others.update(np.zeros(scores.height, bool), scores[name])

    def _notes(self) -> list[str]:
        """For each model the bounds of its AUC over all labels that are missing, as a sentence."""
        if self.options.missing_labels is None:
            return []
        rankings = {name: self._ranking(name) for name in self.options.models.names}
        found = (each.ledger._whatever_they_are(printable(name, 60)) for name, each in rankings.items() if each)
        return [sentence for sentence in found if sentence is not None]

    def bounded_evaluation(self, left_out: int) -> rs.Evaluation:
        """The sketches of all batches."""
        self.labels.finish([])
        self._rank(self.labels.released())
        assert self.labels.pair is not None  # noqa: S101 (two classes are settled)
        models = []
        for name in self.options.models.names:
            ranking = self._ranking(name)
            if ranking is None or not isinstance(ranking.collector, rs.SketchCollector):
                raise RefusedError("--bounded is of scores of two classes; name them with --score")
            models.append(rs.results.BoundedModel(name, ranking.table, self.options.threshold, labels=self.labels.pair))
        return rs.Evaluation(models, notes=self._notes(), rows_left_out=left_out)

    def add(self, batch: Batch) -> None:
        """Count a batch, or keep it until the positive label is known."""
        self.labels.check(batch)
        if self.kept is not None:
            self.kept.add(batch)
        for name in self.options.columns.preds:
            part = rs.ConfusionMatrix(
                batch.label,
                batch.columns[name],
                labels=self.labels.given,
                sample_weight=batch.weight,
                weight_kind=self.options.weight_kind,
            )
            self.matrices[name] = self.matrices[name] + part if name in self.matrices else part
        if self.probabilities is not None:
            self.probabilities.add(batch)
        if self.rankings:
            self._rank(self.labels.settle(batch))
        elif self.groups is not None:
            self.groups.add(batch, self.labels, predicted_of=self._most_probable)

    def _rank(self, batches: Iterable[Batch]) -> None:
        for batch in batches:
            assert self.labels.pair is not None  # noqa: S101 (a batch waits until there is one)
            truth = batch.label == self.labels.pair[1]  # once for all columns
            for name, ranking in self.rankings.items():
                ranking.add(truth, batch.columns[name], batch)
            if self.groups is not None:
                self.groups.add(batch, self.labels, predicted_of=self._most_probable)

    def _most_probable(self, batch: Batch) -> NDArray[Any]:
        """For each row, the class of `--proba` with the greatest probability."""
        assert self.probabilities is not None  # noqa: S101 (asked only then)
        return self.probabilities.predicted(batch)

    def evaluation(self, left_out: int) -> rs.Evaluation:
        self.labels.finish([list(matrix.labels) for matrix in self.matrices.values()])
        self._rank(self.labels.released())
        costs = self.options.fixed_costs
        if self.options.costs is not None and len(self.labels.all) > 2:
            raise no_costs(len(self.labels.all))
        models = [self._model(name) for name in self.options.models.names]
        columns = {label: self.labels.columns[label] for label in self.labels.given or ()}
        paired, groups = None, {} if self.groups is None else self.groups.found()
        if self.kept is not None:
            whole = self.kept.evaluated(models, self.options, columns, has_rows=self.has_rows)
            found = ((model, whole.models[model.name]) for model in models)
            models = [replace(model, _judged=own._judged, row_costs=own.row_costs) for model, own in found]
            paired = whole.paired
            for name, own in whole._groups.items():
                groups[name]._with_rows_of(own)
        return rs.Evaluation(
            models,
            costs=costs,
            notes=self._notes(),
            rows_left_out=left_out,
            paired=paired,
            groups=groups or None,
            min_rows=self.options.min_rows,
        )

    def _model(self, name: str) -> rs.results.ModelEvaluation:
        ranking, models = self._ranking(name), self.options.models
        table: Any = None
        if ranking is not None and isinstance(ranking.collector, rs.ScoreCollector):
            table = ranking.table if self.options.memory is None else ranking.collector.view()
        tables = None
        if name in models.probabilities and self.probabilities is not None:
            tables = self.probabilities.tables()
        threshold: float | None = None
        if name in models.predicted:
            classes = self.labels.all
            matrix = arranged(self.matrices[models.predicted[name]], classes, classes[1] if len(classes) == 2 else None)
        elif table is not None:
            threshold = default_threshold(table) if self.options.threshold is None else self.options.threshold
            matrix = self._at(table, threshold, name)
        else:
            assert self.probabilities is not None  # noqa: S101 (a model has a column somewhere)
            assert self.probabilities.matrix is not None  # noqa: S101 (a file without rows is refused)
            matrix = arranged(self.probabilities.matrix, self.labels.all, None)
        return rs.results.ModelEvaluation(name, matrix, table, tables, threshold=threshold)

    def _ranking(self, name: str) -> _Ranking | None:
        """The scores of a model, if it has any; two classes of `--proba` are one column of scores."""
        models = self.options.models
        if name in models.probabilities:
            return self.rankings[self.labels.positive_column] if self.probabilities is None else None
        return self.rankings.get(models.scores.get(name, ""))

    def _at(self, table: rs.ScoreTable, threshold: float, name: str) -> rs.ConfusionMatrix:
        """The matrix of the classes at the threshold."""
        assert self.labels.pair is not None  # noqa: S101 (there is a ranking)
        if len(self.labels.all) > 2:
            raise RefusedError(
                f"{self.labels.where} hold {_listed(self.labels.all)}, but {name!r}, a score, ranks two classes; "
                "score the predicted classes and the scores apart"
            )
        return matrix_at(table, threshold, list(self.labels.pair), self.labels.pair[1])

    def not_probabilities(self) -> dict[str, str]:
        """For each model with a score outside [0, 1], file, row and value of the first one."""
        rankings = {name: self._ranking(name) for name in self.options.models.names}
        return {name: each.not_probabilities for name, each in rankings.items() if each and each.not_probabilities}


class _Labels:
    """The meaning of the labels: the classes, and which of two is positive.

    Attributes
    ----------
    order
        The classes in the order of `--labels`, of more than two texts of `--proba`, or of the categories; else None.
    listed
        The classes of `--labels`.
    given
        The classes of `--proba`, ascending; else None.
    all
        The classes in the order in which they are shown; complete after `finish`.
    pair
        The negative and the positive label of the rankings, as soon as they are known.
    """

    def __init__(self, options: Options, kind: Kind, order: Sequence[str] | None) -> None:
        self.options, self.kind = options, kind
        self.label = options.columns.label
        self.listed = [self._typed(word, "--labels") for word in options.labels]
        self.order: Sequence[Label] | None = self.listed or order
        self.wanted = None if options.pos_label is None else self._typed(options.pos_label, "--pos-label")
        self.columns = {self._typed(word, "--proba"): column for word, column in options.classes.items()}
        if len(self.columns) < len(options.classes):
            raise RefusedError(f"--proba names a class twice; as {kind.value} they are {_listed(sorted(self.columns))}")
        self.given = sorted(self.columns) or None
        self.pair: tuple[Label, Label] | None = None
        self.all: list[Label] = []
        self.seen: list[Label] = []
        self.waiting: list[Batch] = []
        if self.given is not None and self.listed and sorted(self.listed) != self.given:
            raise RefusedError(f"--labels has {_listed(self.listed)}, but --proba {_listed(self.given)}")
        if self.given is not None and len(self.given) == 2:
            self.pair = _pair(self.given, self.wanted, kind, "--proba", self.order)
        elif self.given is not None and self.order is None and kind is Kind.TEXT:
            self.order = list(self.columns)

    @property
    def positive_column(self) -> str:
        """The column of the positive class, for two classes of `--proba`."""
        assert self.pair is not None  # noqa: S101 (asked only then)
        return self.columns[self.pair[1]]

    @property
    def where(self) -> str:
        """The columns of labels, for a sentence."""
        return " and ".join(map(repr, self.options.columns.classes))

    def check(self, batch: Batch) -> None:
        """Refuse a label that is not a class of `--proba` or `--labels`."""
        known = self.given or self.listed
        if not known:
            return
        for name in self.options.columns.classes:
            column = batch.columns[name]
            found = column.unique(maintain_order=True).to_list()
            unknown = next((label for label in found if label not in known), None)
            if unknown is not None:
                row = int((column == unknown).arg_max() or 0)
                option = "--proba" if self.given else "--labels"
                said = (
                    f"{batch.where(row)}: {name!r} is {_word(unknown)}; expected a class of {option}: {_listed(known)}"
                )
                unnamed = bool(self.given) and all(word == column for word, column in self.options.classes.items())
                raise RefusedError(f"{said}; CLASS=COLUMN names the class of a column" if unnamed else said)

    def settle(self, batch: Batch) -> list[Batch]:
        """The batches that can be ranked now: this one and all that waited, or none."""
        if self.given is not None:
            return [batch]
        if self.pair is not None and bool(((batch.label == self.pair[0]) | (batch.label == self.pair[1])).all()):
            return [batch]
        for label in batch.label.unique(maintain_order=True).to_list():
            if label not in self.seen:
                self.seen.append(label)
        if len(self.seen) > 2:
            third = self.seen[2]
            raise RefusedError(
                f"{batch.where(int((batch.label == third).arg_max() or 0))}: {self.label!r} is {_word(third)}, a third "
                f"class beside {_listed(self.seen[:2])}; a score ranks two classes, so name the predicted classes with "
                "--pred, or a column of probabilities for each class with --proba, instead of --score"
            )
        self.waiting.append(batch)
        if len(self.seen) < 2:
            return []
        self.pair = _pair(self.seen, self.wanted, self.kind, repr(self.label), self.order)
        return self.released()

    def released(self) -> list[Batch]:
        waiting, self.waiting = self.waiting, []
        return waiting

    def finish(self, predicted: Sequence[Sequence[Label]]) -> None:
        """Settle the classes and the pair; all labels have been seen."""
        if self.given is not None:
            self.all = _ordered(self.given, self.order) if self.pair is None else list(self.pair)
            return
        found = _ordered({*self.listed, *self.seen, *(label for labels in predicted for label in labels)}, self.order)
        if len(found) <= 2:
            self.pair = _pair(found, self.wanted, self.kind, self.where, self.order)
            self.all = list(self.pair)
            return
        if self.wanted is not None:
            raise RefusedError(f"--pos-label needs two classes; {self.where} hold {len(found)}: {_listed(found)}")
        self.all = found
        if self.waiting and self.pair is None:
            self.pair = _pair(self.seen, None, self.kind, repr(self.label), self.order)

    def _typed(self, text: str, option: str) -> Label:
        """Convert a label typed in an option to the kind of the labels."""
        if self.kind is Kind.TEXT:
            return text
        try:
            if self.kind is Kind.TRUTH:
                return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
            number = float(text)
            if number.is_integer() and -(2.0**63) <= number < 2.0**64:
                return int(text) if text.lstrip("+-").isdigit() else int(number)
        except (KeyError, ValueError):
            pass
        if option == "--proba":
            raise RefusedError(
                f"--proba names the class {text!r}, but {self.label!r} holds {self.kind.value}; expected CLASS=COLUMN, "
                f"such as {'true' if self.kind is Kind.TRUTH else 1}={text}"
            )
        raise RefusedError(f"{option} is {text!r}, but {self.label!r} holds {self.kind.value}")


class _Ranking:
    def __init__(self, collector: rs.ScoreCollector | rs.SketchCollector, others: Any) -> None:
        self.collector = collector
        self.others = others  # of the rows without a label, as negatives; of sketches, of all rows
        self.not_probabilities: str | None = None

    @cached_property
    def table(self) -> Any:
        """The table of the rows with a label, or their sketch."""
        collector = self.collector
        return collector.sketch() if isinstance(collector, rs.SketchCollector) else collector.score_table()

    @property
    def ledger(self) -> LabelLedger | SketchLedger:
        """All rows, with and without a label."""
        if isinstance(self.others, rs.SketchCollector):
            return SketchLedger._of((self.table, self.others.sketch()))
        return LabelLedger._of_tables(self.table, self.others.score_table())

    def add(self, truth: pl.Series, score: pl.Series, batch: Batch) -> None:
        self.collector.update(truth, score, sample_weight=batch.weight)
        if isinstance(self.others, rs.SketchCollector):
            self.others.update(np.zeros(len(score), bool), score)
        if self.not_probabilities is None:
            outside = (score < 0) | (score > 1)
            if outside.any():
                row = int(outside.arg_max() or 0)
                self.not_probabilities = f"{batch.where(row)}: {score.name!r} is {score[row]}"


class _Probabilities:
    """The columns of `--proba` with more than two classes: the ranking of each class, and the most probable class."""

    def __init__(self, labels: _Labels, weight_kind: WeightKind) -> None:
        assert labels.given is not None  # noqa: S101 (`--proba` gives them)
        self.weight_kind = weight_kind
        self.classes = labels.given
        self.columns = [labels.columns[label] for label in self.classes]
        self.matrix: rs.ConfusionMatrix | None = None
        self.parts: _Carried[rs.ScoreTables] = _Carried()

    def add(self, batch: Batch) -> None:
        frame = batch.columns.select(self.columns)
        given: Any = {"labels": self.classes, "sample_weight": batch.weight, "weight_kind": self.weight_kind}
        try:
            part = rs.ScoreTables(batch.label, frame, **given)
        except rs.InputError as error:  # more columns than the limit
            raise RefusedError(f"--proba: {error}") from None
        self.labels_found = part._labels
        predicted = self.predicted(batch)
        matrix = rs.ConfusionMatrix(batch.label, predicted, **given)
        self.matrix = matrix if self.matrix is None else self.matrix + matrix
        self.parts.add(part)

    def predicted(self, batch: Batch) -> NDArray[Any]:
        """The class with the greatest probability; the first one of ties, as in `numpy.argmax`."""
        found: NDArray[Any] = self.labels_found[np.argmax(batch.columns.select(self.columns).to_numpy(), axis=1)]
        return found

    def tables(self) -> rs.ScoreTables:
        return self.parts.total


class _Carried(Generic[_S]):
    """A sum of parts, added in pairs like the carries of a binary counter: each row is merged only a few times."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, _S]] = []  # pairs of (number of batches, their sum), with falling numbers

    def add(self, part: _S) -> None:
        size = 1
        while self._parts and self._parts[-1][0] <= size:
            more, before = self._parts.pop()
            size, part = size + more, before + part
        self._parts.append((size, part))

    @property
    def total(self) -> _S:
        return reduce(operator.add, (part for _, part in reversed(self._parts)))


class _Groups:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.parts: dict[str, _Carried[rs.Groups]] = {name: _Carried() for name in options.models.names}

    def add(self, batch: Batch, labels: _Labels, predicted_of: Callable[[Batch], NDArray[Any]]) -> None:
        """Count a batch whose positive label is known, if there are scores."""
        models = self.options.models
        keys = batch.columns.select(self.options.columns.by)
        truth = _plain(batch.label)
        for name, parts in self.parts.items():
            given: dict[str, Any] = {}
            if name in models.predicted:
                given["y_pred"] = _plain(batch.columns[models.predicted[name]])
            if name in models.scores:
                given["y_score"] = batch.columns[models.scores[name]]
            elif name in models.probabilities and labels.pair is not None:
                given["y_score"] = batch.columns[labels.positive_column]
            elif name in models.probabilities and "y_pred" not in given:
                given["y_pred"] = predicted_of(batch)
            if "y_score" not in given and labels.pair is None and (labels.given or labels.listed):
                given["labels"] = labels.order or labels.given
            if "y_score" in given and "y_pred" not in given:
                given["threshold"] = self.options.threshold
            given |= {"sample_weight": batch.weight, "weight_kind": self.options.weight_kind}
            parts.add(rs.group_by(truth, by=keys, pos_label=self._positive(labels), **given))

    def found(self) -> dict[str, rs.Groups]:
        return {name: parts.total for name, parts in self.parts.items()}

    def _positive(self, labels: _Labels) -> Label | None:
        if labels.pair is not None:
            return labels.pair[1]
        if labels.wanted is not None or labels.order is None:
            return labels.wanted
        return labels.order[1] if len(labels.order) == 2 else None


def _plain(column: pl.Series) -> pl.Series:
    """Labels without the order of their categories, which is settled for all batches together."""
    return column.cast(pl.String) if column.dtype in (pl.Categorical, pl.Enum) else column


def _pair(
    seen: Collection[Label], wanted: Label | None, kind: Kind, where: str, order: Sequence[Label] | None
) -> tuple[Label, Label]:
    """The negative and the positive label, from the labels seen, the requested one, and the order of the categories."""
    labels = _ordered(order if order is not None and len(order) == 2 and set(seen) <= set(order) else seen, order)
    if wanted is not None and wanted not in labels and len(labels) > 1:
        raise RefusedError(f"--pos-label {_word(wanted)} is not among the labels of {where}: {_listed(labels)}")
    if len(labels) == 1:
        # One class only. 0 and 1 belong together; for words only the user knows the other class.
        (only,) = labels
        others: list[Label] = [False, True] if kind is Kind.TRUTH else [0, 1] if kind is not Kind.TEXT else []
        if wanted is not None and wanted != only:
            labels = [only, wanted]
        elif only in others:
            labels = others
        else:
            raise RefusedError(f"{where} holds one class only, {_word(only)}; expected two")
    positive = labels[1] if wanted is None else wanted
    return (labels[0] if positive == labels[1] else labels[1]), positive


def _ordered(labels: Collection[Label], order: Sequence[Label] | None) -> list[Label]:
    """Labels in their given order, or ascending if the order lacks one."""
    places = {label: place for place, label in enumerate(order or ())}
    return sorted(labels, key=places.__getitem__ if places.keys() >= set(labels) else None)


def _word(label: Label) -> str:
    return shown(label)


def _listed(labels: list[Label]) -> str:
    shown = ", ".join(_word(label) for label in labels[:_SHOWN_LABELS])
    return shown if len(labels) <= _SHOWN_LABELS else f"{shown} and {len(labels) - _SHOWN_LABELS} more"


__all__ = ["Label", "Tally", "tally"]

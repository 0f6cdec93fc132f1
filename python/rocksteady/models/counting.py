"""Counting the models: each column once, and one set of statistics for each model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, shown, wrong_value
from rocksteady.base.containers import elsewhere
from rocksteady.base.hints import GAP
from rocksteady.base.named_columns import ONE, refused_as
from rocksteady.base.warning import takes
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.columns.categories import categories_in_order, positive_in_order, refuse_one_class
from rocksteady.columns.complete import first_missing
from rocksteady.costs.cost_counts import CostCounts
from rocksteady.costs.cost_table import CostTable
from rocksteady.errors import InputError, InputTypeError
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.models.columns import (
    ModelColumns,
    checked_labels,
    default_threshold,
    probability_columns,
    threshold_of,
)
from rocksteady.models.model import ModelEvaluation
from rocksteady.scores.score_table import ScoreTable, advice_on

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy, WeightKind


def ranked(
    y_true: Any, y_score: Any, weights: Any, pos_label: object, labels: Any, *, of_classes: bool
) -> ScoreTable | ScoreTables:
    """What the displays draw of a column of scores or, with `of_classes`, of one for each class."""
    counter = Counting(ModelColumns.of_arrays({ONE: y_score}, None, None, None), y_true, weights, pos_label, labels)
    if of_classes:
        counter.rank_classes(ONE, y_score, "y_score")
    else:
        counter.rank(ONE, y_score, "y_score", counter.given)
    return counter.tables[ONE] if counter.tables else counter.class_tables[ONE]


class Counting:
    """Counts the models, each column once, and learns of their statistics which classes there are."""

    def __init__(
        self,
        columns: ModelColumns,
        y_true: Any,
        weights: Any,
        pos_label: object,
        labels: Any,
        nan_policy: NanPolicy = "raise",
        weight_kind: WeightKind = "counts",
        infinite: Infinite = "raise",
    ) -> None:
        self.columns = columns
        self.order = None if labels is not None else categories_in_order(y_true)
        self.asked = pos_label
        self.pos_label = positive_in_order(y_true) if pos_label is None and labels is None else pos_label
        self.truth = _read_once(y_true)
        self.y_true = y_true
        self.weighing: Any = {"sample_weight": weights, "weight_kind": weight_kind}
        # What is omitted is gone.
        self.ranking: Any = {"nan_policy": "raise" if nan_policy == "omit" else nan_policy, "infinite": infinite}
        self.given = None if labels is None else checked_labels(listed(labels, "labels", "a list of labels"), "labels")
        self.scores: dict[str, Any] = {}
        self.tables: dict[str, ScoreTable] = {}
        self.class_tables: dict[str, ScoreTables] = {}
        self.class_columns: dict[str, NDArray[Any]] = {}  # in the order of the labels of the tables
        self.matrices: dict[str, ConfusionMatrix] = {}
        self.predicted: dict[str, Any] = {}  # the predicted classes, where scores and a threshold do not say them
        self.ranked: set[Any] = set()  # the classes that scores are of

    def models(self, threshold: Any) -> list[ModelEvaluation]:
        """The models, all with the same classes."""
        for name in self.columns.names:
            if name in self.columns.probabilities:
                self.rank_classes(name, self.columns.probabilities[name], "y_proba")
            elif name in self.columns.scores:
                self.rank(name, self.columns.scores[name], "y_score", self.given)
            if name in self.columns.predicted:
                with refused_as("y_pred", self.columns.said("y_pred", name)):
                    self._compare(name, self.columns.predicted[name], self.given)
        classes = self._classes()
        positive = self._positive(classes)
        return [self._model(name, classes, positive, threshold_of(threshold, name)) for name in self.columns.names]

    def with_row_costs(self, models: list[ModelEvaluation], costs: dict[str, Any]) -> list[ModelEvaluation]:
        """The models with the costs of the rows: at every threshold, or of the predicted classes."""
        first = models[0]
        if not first.is_binary:
            raise wrong_value(costs, "costs", f"a matrix, as there are {len(first.labels)} classes")
        if self.weighing["weight_kind"] != "counts":
            raise wrong_value(self.weighing["weight_kind"], "weight_kind", '"counts" with a column of costs')
        options: dict[str, Any] = {
            "costs": costs,
            "pos_label": first.pos_label,
            "sample_weight": self.weighing["sample_weight"],
            "squares": True,
        }

        def counted(model: ModelEvaluation) -> CostTable | CostCounts:
            if model.threshold is None:
                return CostCounts(self.y_true, self.predicted[model.name], **options)
            return CostTable(self.y_true, self.scores[model.name], **options, **self.ranking)

        return [replace(model, row_costs=counted(model)) for model in models]

    def _compare(self, name: str, predicted: Any, labels: Any) -> None:
        """Count predicted classes."""
        options = {"pos_label": self.asked, **self.weighing, "strict": labels is not None}
        self.matrices[name] = ConfusionMatrix(self.truth, predicted, labels=labels, **options)
        self.predicted[name] = predicted

    def rank(self, name: str, scores: Any, argument: str, pair: list[Any] | None) -> None:
        """Rank scores of the positive one of two classes."""
        if pair is not None and len(pair) != 2:
            raise wrong_value(pair, "labels", "two labels with y_score; probabilities of more classes are y_proba")
        if pair is not None and self.pos_label is not None and self.pos_label not in pair:
            raise wrong_value(self.pos_label, "pos_label", f"one of the labels {shown(pair)}")
        positive = self.pos_label if pair is None or self.pos_label is not None else max(pair)
        said = "labels" if self.given is not None else f"{argument}.columns"
        named = "pos_label" if pair is None or self.pos_label is not None else f"{said}[{pair.index(positive)}]"
        with refused_as("y_score", self.columns.said(argument, name)), refused_as("pos_label", named):
            table = ScoreTable(self.truth, scores, pos_label=positive, **self.weighing, **self.ranking)
        table._advice = advice_on(table) if self.pos_label is None else None
        found = [label for label in table.labels if label is not None]
        for label in found:
            if pair is not None and label not in pair:
                raise InputError(
                    f"y_true has {shown(label)}; expected one of the labels {shown(pair)}", argument="y_true"
                )
        self.scores[name], self.tables[name] = scores, table
        self.ranked |= {*(pair or found), *([] if positive is None else [positive])}

    def rank_classes(self, name: str, given: Any, argument: str) -> None:
        """Rank a column of probabilities for each class."""
        said = self.columns.said(argument, name)
        matrix, classes = probability_columns(given, said, self.given, self.y_true)
        if matrix.ndim == 1:
            return self.rank(name, matrix, argument, self.given)
        if matrix.shape[1] == 2:
            column = self._column(classes)
            if self.ranking["nan_policy"] == "raise":
                _refuse_gap(matrix[:, 1 - column], said)
            self.rank(name, matrix[:, column], argument, classes)
            table = self.tables[name]
            first, second = sorted(map(repr, table.labels))
            if classes is None and isinstance(table.pos_label, str):
                table._advice = (
                    f"the columns of {said} were taken as those of {first} and {second}, in this order. If they are in "
                    f"the other order, pass labels=[{second}, {first}]"
                )
            return None
        with (
            refused_as("y_proba", said),
            refused_as("labels", "labels" if self.given is not None else f"{said}.columns"),
        ):
            tables = ScoreTables(self.truth, matrix, labels=classes, **self.weighing)
        if self.asked is not None:
            raise wrong_value(self.asked, "pos_label", f"None, as there are {len(tables.labels)} classes")
        self.class_tables[name], self.class_columns[name] = tables, matrix
        self.ranked |= set(tables.labels)
        if name not in self.columns.predicted:
            self._compare(name, tables._labels[np.argmax(matrix, axis=1)], tables.labels)
        return None

    def _column(self, pair: list[Any] | None) -> int:
        """Of two columns of probabilities, that of the positive class."""
        if self.pos_label is None:
            return 1
        found = pair or list(ConfusionMatrix(self.truth, self.truth).labels)
        if isinstance(self.pos_label, str) != isinstance(found[0], str):
            raise wrong_value(self.pos_label, "pos_label", f"one of the labels {shown(found)}")
        both = {*found, self.pos_label}
        return int(self.pos_label != min(both if len(both) > 1 else {*both, other_label(self.pos_label)}))

    def _classes(self) -> list[Any]:
        """The classes of all models, ascending or by their own order.

        Those given, and ordered categories, keep their order where only classes were predicted; so do two categories.
        """
        found = self._found()
        is_ordered = self.order is not None and set(found) <= set(self.order)
        if is_ordered and (len(found) == 2 or not self.ranked):
            return [label for label in self.order or () if label in found]
        return found

    def _found(self) -> list[Any]:
        if self.given is not None:
            return sorted(self.given) if self.ranked or len(self.given) == 2 else self.given
        predicted = {name: list(self.matrices[name].labels) for name in self.columns.predicted}
        if not self.ranked:
            return sorted({label for labels in predicted.values() for label in labels})
        classes = set(self.ranked)
        for name, labels in predicted.items():
            for label in labels:
                if label not in classes and len(classes) > 1:
                    said = self.columns.said("y_pred", name)
                    raise InputError(
                        f"{said} has the class {shown(label)}; expected one of {shown(sorted(classes))}, which are "
                        "ranked",
                        argument="y_pred",
                    )
                classes.add(label)
        refuse_one_class(classes, self.pos_label)
        if len(classes) == 1:
            return sorted({*classes, *map(other_label, classes)})
        return sorted(classes)

    def _positive(self, classes: list[Any]) -> Any:
        """The positive one of two classes; None of any other number."""
        if len(classes) != 2:
            return None
        if self.pos_label is not None:
            return next((label for label in classes if label == self.pos_label), max(classes))
        known = self.ranked.union(*(list(matrix.labels) for matrix in self.matrices.values()))
        if len(known) > 1 or not self.tables:
            return max(classes)
        # The other class was made up: the only one keeps the part that it has in the ranking.
        negative = next(iter(self.tables.values())).labels[0]
        return next(label for label in classes if label != negative) if negative is not None else next(iter(known))

    def _model(self, name: str, classes: list[Any], positive: Any, threshold: float | None) -> ModelEvaluation:
        table, class_tables = self.tables.get(name), self.class_tables.get(name)
        ranked = 2 if table is not None else len(classes if class_tables is None else class_tables.labels)
        if ranked < len(classes):
            argument = "y_proba" if name in self.columns.probabilities else "y_score"
            said = self.columns.said(argument, name)
            raise InputError(f"{said} ranks {ranked} classes; expected all of {shown(classes)}", argument=argument)
        if table is not None and (table.labels[0] == positive or table.labels[1] not in (None, positive)):
            # Rows of one class did not show what the predicted classes of a model do: which of the two is positive.
            scores = self.scores[name]
            table = ScoreTable(self.truth, scores, pos_label=positive, **self.weighing, **self.ranking)
        matrix = self.matrices.get(name)
        if matrix is not None:
            return ModelEvaluation(name, arranged(matrix, classes, positive), table, class_tables)
        assert table is not None  # noqa: S101 (a model has a column somewhere)
        said = self.columns.said("y_score", name)
        cut = default_threshold(table, said, self.scores.get(name)) if threshold is None else threshold
        return ModelEvaluation(name, matrix_at(table, cut, classes, positive), table, threshold=cut)


def _refuse_gap(column: NDArray[Any], said: str) -> None:
    """Refuse a gap in the column of the negative class, which is not ranked."""
    row = first_missing(column, said)
    if row is not None:
        remedy = f" ({GAP})" if takes("nan_policy", "omit") else ""
        raise InputError(
            f"{said}[{row}] has a missing probability of the negative class; expected a finite number{remedy}",
            argument=said.partition("[")[0],
            row=row,
            value="missing",
            expected="a finite number",
        )


def _read_once(y_true: Any) -> Any:
    """The labels as the statistics take them; text and other objects are hashed here, once for all models."""
    try:
        coded = _rocksteady.coded_labels(y_true, "y_true")
    except InputTypeError:
        if elsewhere(y_true):
            return y_true
        raise
    return y_true if coded is None else coded


def arranged(matrix: ConfusionMatrix, classes: list[Any], positive: Any) -> ConfusionMatrix:
    """A matrix with all classes, in their order."""
    if set(matrix.labels) != set(classes):
        same = matrix.pos_label if len(classes) == 2 else None  # matrices with different ones do not add
        matrix = ConfusionMatrix.from_cells([], [], [], labels=classes, pos_label=same) + matrix
    if list(matrix.labels) != classes:
        matrix = matrix.reorder(classes)
    return matrix if matrix.pos_label == positive else ConfusionMatrix._of(matrix._state, positive)


def matrix_at(table: ScoreTable, threshold: float, classes: list[Any], positive: Any) -> ConfusionMatrix:
    """The matrix of the rows at or above a threshold."""
    negative = classes[classes[0] == positive]
    matrix = ConfusionMatrix._of_counts(table.at(threshold), [negative, positive])
    return matrix if classes[1] == positive else matrix.reorder(classes)


def other_label(label: Any) -> Any:
    """What to call a class that no row has and that nobody named, beside the only one."""
    if isinstance(label, str):
        return f"not {label}"
    return not label if isinstance(label, bool) else {0: 1, 1: 0, -1: 1}.get(label, 0)

"""What an evaluation keeps of its models on the same rows, so that differences have intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocksteady import _rocksteady
from rocksteady.inference.covariance import Compared
from rocksteady.inference.judged_rows import JudgedRows
from rocksteady.inference.paired_labels import ComparedLabels, codes_of, tables_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.models.counting import Counting
    from rocksteady.models.model import ModelEvaluation


@dataclass(frozen=True, slots=True)
class Paired:
    """How several models fall together on the same rows.

    Attributes
    ----------
    labels : ComparedLabels
        The tables of pairs of the predicted classes; those of scores are at the thresholds of the models.
    scores : Compared or None
        The areas under the ROC curve of the models with scores of two classes, and how they vary together.
    """

    labels: ComparedLabels
    scores: Compared | None = None

    @classmethod
    def of_rows(cls, judged: JudgedRows, models: Sequence[ModelEvaluation]) -> Paired | None:
        """What was counted, of two models or more; None of one."""
        if len(models) < 2:
            return None
        positive = models[0].confusion.pos_label
        tables = tables_of(
            judged.truth, judged.predicted, judged.classes, positive, judged.sample_weight, judged.weight_kind
        )
        scored = list(judged.scores)
        areas = judged.compared("roc_auc", scored) if scored and judged.strata is None else None
        return cls(ComparedLabels(tables), areas)


def judged_of(counting: Counting, models: Sequence[ModelEvaluation], cluster: Any, strata: Any) -> JudgedRows:
    """The rows of the models, which are not copied."""
    confusion = models[0].confusion
    classes, positive = sorted(confusion.labels), confusion.pos_label
    columns = {}
    for name, matrix in counting.class_columns.items():
        ranked = list(counting.class_tables[name].labels)
        if set(ranked) == set(classes):
            columns[name] = matrix if ranked == classes else matrix[:, [ranked.index(label) for label in classes]]
    return JudgedRows(
        counting.truth,
        classes,
        None if positive is None else classes.index(positive),
        **counting.weighing,
        cluster=cluster,
        strata=strata,
        ranking=counting.ranking,
        scores={model.name: counting.scores[model.name] for model in models if model.scores is not None},
        columns=columns,
        predicted={model.name: _codes(counting, model, classes, positive) for model in models},
    )


def _codes(counting: Counting, model: ModelEvaluation, classes: list[Any], positive: Any) -> _rocksteady.CodesState:
    """The predicted class of each row as its place among the classes."""
    name = model.name
    if name in counting.predicted:
        return codes_of(counting.predicted[name], classes, counting.columns.said("y_pred", name))
    above = classes.index(positive)
    pair = (1 - above, above)
    return _rocksteady.CodesState.of_scores(
        counting.scores[name], model.threshold, pair, counting.ranking["nan_policy"]
    )

"""What an evaluation keeps of its models on the same rows, so that differences have intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocksteady import _rocksteady
from rocksteady.errors import UnknownIndexError
from rocksteady.inference.paired_areas import ComparedScores, areas_of
from rocksteady.inference.paired_labels import ComparedLabels, codes_of, tables_of
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from rocksteady.base.arguments import WeightKind
    from rocksteady.inference.difference import Difference
    from rocksteady.models.counting import Counting
    from rocksteady.models.model import ModelEvaluation


@dataclass(frozen=True, slots=True)
class Paired:
    """How several models fall together on the same rows.

    Attributes
    ----------
    labels : ComparedLabels
        The tables of pairs of the predicted classes; those of scores are at the thresholds of the models.
    scores : ComparedScores or None
        The areas under the ROC curve of the models with scores of two classes, and how they vary together.
    """

    labels: ComparedLabels
    scores: ComparedScores | None = None

    @classmethod
    def of_counting(
        cls, counting: Counting, models: list[ModelEvaluation], weight_kind: WeightKind = "counts"
    ) -> Paired | None:
        """What was counted, of two models or more; None of one."""
        if len(models) < 2:
            return None
        confusion = models[0].confusion
        classes, positive = sorted(confusion.labels), confusion.pos_label
        codes = {model.name: _codes(counting, model, classes, positive) for model in models}
        tables = tables_of(counting.truth, codes, classes, positive, counting.weighing["sample_weight"], weight_kind)
        scored = [model.name for model in models if model.scores is not None]
        areas = None
        if scored:
            state = areas_of(
                counting.truth,
                {name: (counting.scores[name], counting.columns.said("y_score", name)) for name in scored},
                pos_label=positive,
                sample_weight=counting.weighing["sample_weight"],
                weight_kind=weight_kind,
                cluster=None,
                nan_policy=counting.ranking["nan_policy"],
            )
            areas = ComparedScores(state, scored)
        return cls(ComparedLabels(tables), areas)

    def difference(
        self, name: str, models: tuple[ModelEvaluation, ModelEvaluation], level: float, parameters: dict[str, Any]
    ) -> Difference:
        """An index of one model less that of another."""
        row = index(name)
        first, second = (model.name for model in models)
        ranked = all(model.scores is not None for model in models)
        if row.name in ("roc_auc", "gini") and ranked and self.scores is not None:
            models[0].value(name, **parameters)  # refuses those that it does not have
            found = self.scores.difference(first, second, level=level)
            return found if row.name == "roc_auc" else _twice(found)
        of_scores = {"scores", "score_tables", "probabilities"} & set(row.forms)
        if not {"counts", "matrix"} & set(row.forms) or (of_scores and ranked):
            raise UnknownIndexError(
                f"{row.name} has no difference with an interval here, which roc_auc, gini and the indices of predicted "
                "classes have; rocksteady.inference.bootstrap resamples any index",
                argument="name",
            )
        return self.labels.difference(row.name, first, second, level=level, **parameters)


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


def _twice(found: Difference) -> Difference:
    """The difference of Gini coefficients, 2 AUC - 1, from that of areas."""
    return replace(
        found,
        index="gini",
        estimate=2 * found.estimate,
        low=2 * found.low,
        high=2 * found.high,
        standard_error=2 * found.standard_error,
    )

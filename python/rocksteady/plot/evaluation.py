"""The drawings of an evaluation: each display of all its models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from rocksteady._matplotlib import pyplot
from rocksteady.base.arguments import wrong_value
from rocksteady.charts.curves import GAIN, PRECISION_RECALL, ROC
from rocksteady.charts.scores import CALIBRATION_TITLE, KS_TITLE
from rocksteady.errors import InputError
from rocksteady.models.columns import ONE
from rocksteady.plot.artist import escaped
from rocksteady.plot.confusion import ConfusionMatrixDisplay
from rocksteady.plot.curves import DISPLAYS
from rocksteady.plot.display import ScoreDisplay
from rocksteady.plot.scores import CalibrationDisplay, KsDisplay, ScoreDistributionDisplay, ThresholdIndicesDisplay

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocksteady import plot
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.models.model import ModelEvaluation

D = TypeVar("D", bound=ScoreDisplay)


def _drawing(display: type[D]) -> Callable[..., D]:
    """A method of `Plots` that draws all models on one pair of axes."""

    def draw(self: Plots, ax: Any = None, **options: Any) -> D:
        return display.from_tables(self._tables(), ax=ax, **options)

    draw.__doc__ = f"{(display.__doc__ or '').partition(':')[0]}: see `rocksteady.plot.{display.__name__}`."
    return draw


class Plots:
    """The drawings of an evaluation: ``evaluation.plot.roc()``.

    Each method takes the axes to draw on, by default those of a new figure, and the options of its display, and gives
    the display. All models that have scores stand on one pair of axes.

    Parameters
    ----------
    evaluation : Evaluation

    Raises
    ------
    rocksteady.InputError
        By the methods that need scores, if no model has any; by those that need probabilities, if scores are none.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    ks = _drawing(KsDisplay)
    calibration = _drawing(CalibrationDisplay)
    if TYPE_CHECKING:  # those of `rocksteady.charts.curves`, which follow from their descriptions
        cost: Callable[..., plot.CostDisplay]
        decision: Callable[..., plot.DecisionDisplay]
        det: Callable[..., plot.DetDisplay]
        gain: Callable[..., plot.GainDisplay]
        lift: Callable[..., plot.LiftDisplay]
        precision_recall: Callable[..., plot.PrecisionRecallDisplay]
        roc: Callable[..., plot.RocDisplay]

    def threshold_indices(self, *names: str, ax: Any = None, **options: Any) -> ThresholdIndicesDisplay:
        """Indices over the threshold: see `rocksteady.plot.ThresholdIndicesDisplay`."""
        chosen = {"indices": names} if names else {}
        return ThresholdIndicesDisplay.from_tables(self._tables(), ax=ax, **chosen, **options)

    def confusion_matrix(self, model: str | None = None, ax: Any = None, **options: Any) -> ConfusionMatrixDisplay:
        """The confusion matrix of a model, by default the first: see `rocksteady.plot.ConfusionMatrixDisplay`."""
        return ConfusionMatrixDisplay.from_matrix(self._model(model).confusion, ax=ax, **options)

    def score_distribution(self, model: str | None = None, ax: Any = None, **options: Any) -> ScoreDistributionDisplay:
        """The scores of both classes of a model, of the first one by default, with its threshold.

        See `rocksteady.plot.ScoreDistributionDisplay`.
        """
        chosen = self._model(model)
        table = _statistic(chosen)
        if table is None:
            raise InputError(f"{chosen.name} has no scores; expected y_score or y_proba for a drawing of scores")
        if "threshold" not in options and chosen.scores is not None:
            options["threshold"] = chosen.threshold
        return ScoreDistributionDisplay.from_tables(table, ax=ax, **options)

    def overview(self) -> Any:
        """A figure with the commonest drawings on a grid: of models with scores and of models with classes only.

        Calibration is left out where scores are no probabilities. Of more than three models the first three have their
        matrix drawn.
        """
        plt = pyplot("Plots.overview")
        models = list(self._evaluation.models)
        drawings: list[tuple[str, Any]] = []
        if any(_statistic(model) is not None for model in self._evaluation.models.values()):
            drawings = [(ROC.title, self.roc), (PRECISION_RECALL.title, self.precision_recall), (GAIN.title, self.gain)]
            if self._evaluation.is_binary:
                drawings.append((KS_TITLE, self.ks))
            if all(_are_probabilities(model) for model in self._evaluation.models.values()):
                drawings.append((CALIBRATION_TITLE, self.calibration))
        for name in models[:3]:
            drawings.append((f"Confusion matrix: {name}" if len(models) > 1 else "Confusion matrix", name))
        columns = min(4 if len(drawings) in (7, 8) else 3, len(drawings))
        rows = -(-len(drawings) // columns)
        # Several models have a legend beside some of the drawings, classes beside each.
        width = 6.4 if not self._evaluation.is_binary else 5.4 if len(models) > 1 else 4.8
        figure = plt.figure(figsize=(width * columns, 4.4 * rows), layout="constrained")
        for place, (title, drawing) in enumerate(drawings):
            axes = figure.add_subplot(rows, columns, place + 1)
            if callable(drawing):
                drawing(ax=axes)
            else:
                self.confusion_matrix(drawing, ax=axes, colorbar=False)
            axes.set_title(escaped(title))
        return figure

    def _tables(self) -> Any:
        """The score tables of all models that have scores; of a single model that nobody named without a name."""
        models = self._evaluation.models.values()
        tables = {model.name: table for model in models if (table := _statistic(model)) is not None}
        if not tables:
            raise InputError("no model has scores; expected y_score or y_proba for a drawing of scores")
        return tables[ONE] if list(tables) == [ONE] else tables

    def _model(self, name: str | None) -> ModelEvaluation:
        models = self._evaluation.models
        if name is None:
            return next(iter(models.values()))
        if name not in models:
            raise wrong_value(name, "model", f"one of {', '.join(map(repr, models))}")
        return models[name]


for _display in DISPLAYS.values():
    setattr(Plots, _display._curve.key, _drawing(_display))


def _statistic(model: ModelEvaluation) -> Any:
    return model.scores if model.scores is not None else model.class_scores


def _are_probabilities(model: ModelEvaluation) -> bool:
    """Whether the model's scores, if it has any, lie in [0, 1]."""
    table = _statistic(model)
    return table is None or table.why("expected_calibration_error") is None

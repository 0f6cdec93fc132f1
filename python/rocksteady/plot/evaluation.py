"""The drawings of an evaluation: each display of all its models."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import lcm
from typing import TYPE_CHECKING, Any, TypeVar

from rocksteady._matplotlib import pyplot
from rocksteady.base.arguments import listed, named, wrong_value
from rocksteady.base.named_columns import ONE
from rocksteady.charts.classes import PREDICTION_ERRORS_TITLE
from rocksteady.charts.curves import GAIN, PRECISION_RECALL, ROC
from rocksteady.charts.differences import differences_chart, plotted
from rocksteady.charts.leaderboard import leaderboard_chart
from rocksteady.charts.scores import CALIBRATION_TITLE, CROWDED, KS_TITLE, most_in_one_bin
from rocksteady.errors import InputError
from rocksteady.plot.artist import escaped, legend_below
from rocksteady.plot.classes import ClassPredictionErrorsDisplay
from rocksteady.plot.confusion import ConfusionMatrixDisplay
from rocksteady.plot.curves import DISPLAYS
from rocksteady.plot.display import ScoreDisplay
from rocksteady.plot.forest import ForestDisplay
from rocksteady.plot.groups import GroupsDisplay
from rocksteady.plot.scores import CalibrationDisplay, KsDisplay, ScoreDistributionDisplay, ThresholdIndicesDisplay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocksteady import plot
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.models.model import Model

D = TypeVar("D", bound=ScoreDisplay)

# What is drawn of models without scores, too.
_WITHOUT_SCORES = ("confusion_matrix", "class_prediction_errors", "differences", "groups", "leaderboard", "overview")


def _drawing(name: str, display: type[D]) -> Callable[..., D]:
    """A method of `Plots` that draws all models on one pair of axes."""

    def draw(self: Plots, ax: Any = None, **options: Any) -> D:
        self._evaluation._check(name)
        return display.from_tables(self._tables(), ax=ax, **options)

    first = (display.__doc__ or "").partition("\n")[0].partition(":")[0].rstrip(".")
    draw.__doc__ = f"{first}: see `rocksteady.plot.{display.__name__}`."
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

    def __dir__(self) -> Iterable[str]:
        lacks, models = set(self._evaluation._lacks), self._evaluation.models.values()
        if all(model._ranking is None for model in models):
            lacks |= {name for name in vars(Plots) if name[0] != "_" and name not in _WITHOUT_SCORES}
            lacks |= {"overview"} if "confusion_matrix" in lacks else set()
        lacks |= {"differences"} if "difference" in lacks else set()
        return [name for name in super().__dir__() if name not in lacks]

    ks = _drawing("ks", KsDisplay)
    calibration = _drawing("calibration", CalibrationDisplay)
    if TYPE_CHECKING:  # methods of the curves in `charts.curves`, made from their descriptions
        cost: Callable[..., plot.CostDisplay]
        decision: Callable[..., plot.DecisionDisplay]
        det: Callable[..., plot.DetDisplay]
        gain: Callable[..., plot.GainDisplay]
        lift: Callable[..., plot.LiftDisplay]
        precision_recall: Callable[..., plot.PrecisionRecallDisplay]
        risk_coverage: Callable[..., plot.RiskCoverageDisplay]
        roc: Callable[..., plot.RocDisplay]

    def threshold_indices(self, *names: str, ax: Any = None, **options: Any) -> ThresholdIndicesDisplay:
        """Indices over the threshold: see `rocksteady.plot.ThresholdIndicesDisplay`."""
        chosen = {"indices": names} if names else {}
        return ThresholdIndicesDisplay.from_tables(self._tables(), ax=ax, **chosen, **options)

    def confusion_matrix(self, model: str | None = None, ax: Any = None, **options: Any) -> ConfusionMatrixDisplay:
        """The confusion matrix of a model, by default the first: see `rocksteady.plot.ConfusionMatrixDisplay`."""
        self._evaluation._check("confusion_matrix")
        return ConfusionMatrixDisplay.from_matrix(self._model(model).confusion, ax=ax, **options)

    def class_prediction_errors(
        self, model: str | None = None, ax: Any = None, **options: Any
    ) -> ClassPredictionErrorsDisplay:
        """What the rows of each predicted class are: see `rocksteady.plot.ClassPredictionErrorsDisplay`."""
        self._evaluation._check("class_prediction_errors")
        return ClassPredictionErrorsDisplay.from_matrix(self._model(model).confusion, ax=ax, **options)

    def groups(
        self, index: str | None = None, model: str | Sequence[str] | None = None, ax: Any = None, **options: Any
    ) -> GroupsDisplay:
        """The groups of a model, or of several, sorted by an index, each with its interval, and a line of all rows.

        Of more than thirty groups it has those whose intervals lie farthest out at either end.

        Parameters
        ----------
        index : str, optional
            Default: "roc_auc", or "recall" or "accuracy" where there are no scores.
        model : str or sequence of str, optional
            Default: the first. Several models are drawn side by side, without the line of all rows.
        ax : matplotlib axes, optional
        **options
            `min_rows` (default: as for `evaluate`), `level` and `legend`.
        """
        wanted = [model] if model is None or isinstance(model, str) else listed(model, "model", "names of models")
        names = [self._model(each).name for each in wanted]
        if not names:
            raise wrong_value(model, "model", "names of models, one at least")
        self._evaluation._check("groups")
        chosen = {"min_rows": self._evaluation.min_rows, **options}
        found = {name: self._evaluation._groups[name] for name in names}
        return GroupsDisplay.from_groups(found if len(names) != 1 else found[names[0]], index, ax=ax, **chosen)

    def differences(
        self,
        names: str | Sequence[str] | None = None,
        pairs: Sequence[tuple[str, str]] | None = None,
        ax: Any = None,
        *,
        level: float = 0.95,
        legend: bool = True,
    ) -> ForestDisplay:
        r"""How much higher the first model of each pair is than the second, with interval, p-value and verdict.

        With several pairs, p-values and verdicts allow for their number (Holm 1979). Of more than thirty differences it
        has those with the least p-values.

        Parameters
        ----------
        names : str or sequence of str, optional
            The indices. Default: "roc_auc", or "mcc" where there are no scores; of two models the common ones.
        pairs : sequence of (str, str), optional
            Such as ``[("new", "old")]``. Default: each two models, in their order.
        ax : matplotlib axes, optional
        level : float
            The confidence level.
        legend : bool

        >>> import matplotlib; matplotlib.use("Agg")
        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> ev = rs.evaluate(y_true, scores, inference=True)
        >>> display = ev.plot.differences("roc_auc", [("new", "old")])
        >>> display.points_.get_xdata().tolist(), display.ax_.get_yticklabels()[0].get_text()
        ([0.125], 'new − old\np = 0.54: no difference shown')
        """
        self._evaluation._check("difference")
        models = self._evaluation.models
        wanted = list(combinations(models, 2)) if pairs is None else _pairs(pairs, models)
        rows = plotted(self._evaluation._comparison, names, wanted, level)
        return ForestDisplay(differences_chart(rows)).plot(ax, legend=legend)

    def leaderboard(self, name: str, ax: Any = None, *, legend: bool = True, **options: Any) -> ForestDisplay:
        """The models, best first, each with the ranks that it may have: see `Evaluation.leaderboard`.

        Parameters
        ----------
        name : str
            The index.
        ax : matplotlib axes, optional
        legend : bool
        **options
            As for `Evaluation.leaderboard`.

        >>> import matplotlib; matplotlib.use("Agg")
        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> display = rs.evaluate(y_true, scores, inference=True).plot.leaderboard("roc_auc")
        >>> [line.get_xdata().tolist() for line in display.intervals_]
        [[1.0, 2.0], [1.0, 2.0]]
        """
        board = self._evaluation.leaderboard(name, **options)
        return ForestDisplay(leaderboard_chart(board)).plot(ax, legend=legend)

    def score_distribution(self, model: str | None = None, ax: Any = None, **options: Any) -> ScoreDistributionDisplay:
        """The scores of both classes of a model, of the first one by default, with its threshold.

        See `rocksteady.plot.ScoreDistributionDisplay`.
        """
        chosen = self._model(model)
        table = chosen._ranking
        if table is None:
            raise InputError(f"{chosen.name} has no scores; expected y_score or y_proba for a drawing of scores")
        if "threshold" not in options and chosen.is_binary:
            options["threshold"] = chosen.threshold
        return ScoreDistributionDisplay.from_tables(table, ax=ax, **options)

    def overview(self) -> Any:
        """A figure with the commonest drawings: of models with scores and of models with classes only.

        Legends stand below the drawings, and each row of the figure is full. Of several classes the curves have one kind
        of average, the micro average. Calibration is left out where scores are no probabilities; its bins have equal
        numbers of rows where one of ten of equal width has more than half of them. Of more than three models the first
        three have their matrix drawn.
        """
        plt = pyplot("Plots.overview")
        models, binary = self._evaluation.models, self._evaluation.is_binary
        drawings: list[tuple[str, Callable[..., Any]]] = []
        if any(model._ranking is not None for model in models.values()):
            one: dict[str, Any] = {} if binary else {"average": "micro"}
            drawings = [
                (ROC.title, partial(self.roc, **one)),
                (PRECISION_RECALL.title, partial(self.precision_recall, **one)),
                (GAIN.title, partial(self.gain, **one)),
            ]
            if binary:
                drawings.append((KS_TITLE, self.ks))
            if all(_are_probabilities(model) for model in models.values()):
                crowded = any(_most_in_one_bin(model) > CROWDED for model in models.values())
                strategy = "quantile" if crowded else "uniform"
                drawings.append((CALIBRATION_TITLE, partial(self.calibration, strategy=strategy)))
        lacks = self._evaluation._lacks
        for name in list(models)[:3] if "confusion_matrix" not in lacks else ():
            of = f": {name}" if len(models) > 1 else ""
            drawings.append((f"Confusion matrix{of}", partial(self.confusion_matrix, name, colorbar=False)))
            if not binary:
                drawings.append((f"{PREDICTION_ERRORS_TITLE}{of}", partial(self.class_prediction_errors, name)))
        if not drawings:
            self._tables()
        counts = _in_rows(len(drawings))
        figure = plt.figure(figsize=(5.2 * max(counts), 5.4 * len(counts)), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.12, w_pad=0.08)
        grid = figure.add_gridspec(len(counts), lcm(*counts))
        places = [(row, place, count) for row, count in enumerate(counts) for place in range(count)]
        for (title, draw), (row, place, count) in zip(drawings, places, strict=True):
            wide = lcm(*counts) // count
            axes = figure.add_subplot(grid[row, place * wide : (place + 1) * wide])
            draw(ax=axes)
            if title.partition(":")[0] != PREDICTION_ERRORS_TITLE:  # its title is below it already
                legend_below(axes)
            axes.set_title(escaped(title))
        return figure

    def _tables(self) -> Any:
        """The score tables of all models that have scores, by name; a single unnamed model has no name."""
        models = self._evaluation.models.values()
        tables = {model.name: table for model in models if (table := model._ranking) is not None}
        if not tables:
            raise InputError("no model has scores; expected y_score or y_proba for a drawing of scores")
        return tables[ONE] if list(tables) == [ONE] else tables

    def _model(self, name: str | None) -> Model:
        models = self._evaluation.models
        if name is None:
            return next(iter(models.values()))
        return models[named(name, "model", models)]


for _display in DISPLAYS.values():
    setattr(Plots, _display._curve.key, _drawing(_display._curve.key, _display))


def _pairs(given: Sequence[tuple[str, str]], models: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of different models that there are."""
    expected = "pairs of names of models"
    found = []
    for place, pair in enumerate(listed(given, "pairs", expected)):
        names = [] if isinstance(pair, str) else listed(pair, f"pairs[{place}]", expected)
        if len(names) != 2 or names[0] == names[1]:
            raise wrong_value(pair, f"pairs[{place}]", "two names of models")
        first, second = (named(name, f"pairs[{place}]", models) for name in names)
        found.append((first, second))
    if not found:
        raise InputError("pairs is empty; expected pairs of names of models", argument="pairs")
    return found


def _in_rows(drawings: int) -> list[int]:
    """How many drawings stand in each row, as even as can be.

    >>> _in_rows(1), _in_rows(5), _in_rows(6), _in_rows(7), _in_rows(8)
    ([1], [3, 2], [3, 3], [4, 3], [4, 4])
    """
    rows = -(-drawings // (4 if drawings in (7, 8) else 3))
    return [drawings // rows + (row < drawings % rows) for row in range(rows)]


def _most_in_one_bin(model: Model) -> float:
    """The greatest share of the model's rows in one of ten bins of equal width; 0 without scores."""
    classes = model._rankings
    table = model._ranking if classes is None else classes._top_label() or classes.pooled()
    return 0.0 if table is None else most_in_one_bin(table, 10)


def _are_probabilities(model: Model) -> bool:
    """Whether the model's scores, if it has any, lie in [0, 1]."""
    table = model._ranking
    return table is None or model.why("expected_calibration_error") is None

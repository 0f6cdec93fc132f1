"""What is drawn of an evaluation, said once: for the page, for its pictures in print, and for whoever draws them elsewhere.

A chart is data. It knows no colours but their places in `rocksteady.charts.palette`, no pixels and no fonts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from rocksteady.curve import DetCurve
from rocksteady.registry import index
from rocksteady.table import number, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.evaluation import Evaluation, ModelEvaluation
    from rocksteady.score import ScoreTable
    from rocksteady.score_tables import ScoreTables

    Reals = NDArray[np.float64]

Kind = Literal["line", "step", "points", "bars"]

#: The keys of all charts, in the order in which they are shown. Where a chart is of a single one of several models, or of the
#: classes of one, ``_0``, ``_1``, … follows: the place of the model.
KEYS: Final = (
    "roc",
    "roc_classes",
    "precision_recall",
    "precision_recall_classes",
    "classes",
    "calibration",
    "calibration_counts",
    "score_distribution",
    "ks",
    "gain",
    "lift",
    "indices",
    "mean_cost",
    "cost_curve",
    "decision",
    "det",
)

#: No line has more points.
MAX_POINTS: Final = 400


@dataclass(frozen=True, eq=False)
class Series:
    """One line, cloud of points or row of bars.

    Attributes
    ----------
    name : str
        What the legend calls it. Series of one name in a chart are one thing, drawn in two ways: the legend has them once.
    x, y : numpy.ndarray of float64
        The points, of one length; where both are NaN the line has a gap. Nothing is infinite.
    model : int or None
        The place of the model that it belongs to; None for a line of reference: chance, a perfect ranking.
    kind : {"line", "step", "points", "bars"}
        Straight lines between the points; steps, where y holds from the x before up to its own; points alone; or bars from 0 to
        y, with x in the middle of bars of one width, at equal distances. Bars of one model are drawn over one another, those of
        several side by side.
    style : int or None
        The place of its colour and dashes in `rocksteady.charts.palette`; None for those of a reference.
    thresholds : numpy.ndarray of float64 or None
        The threshold at each point, where points are of thresholds; ``inf`` where nothing is predicted positive.
    labels : tuple of str
        What each point is called, where they have names; else empty.
    """

    name: str
    x: Reals
    y: Reals
    model: int | None
    kind: Kind
    style: int | None
    thresholds: Reals | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Chart:
    """What is drawn on one pair of axes.

    Attributes
    ----------
    key : str
        One of `KEYS`, or with the place of a model behind it: unique in a report, letters, digits and ``_`` only.
    title : str
        What it is, in a few words.
    about : str
        How to read it, in a sentence or two; for a screen reader, too.
    x_label, y_label : str
        What the axes are.
    series : tuple of Series
        In the order of the legend: models, then lines of reference, which are drawn beneath the others.
    x_range, y_range : tuple of (float, float)
        What the axes show; points may lie beyond.
    x_ticks, y_ticks : tuple of (float, str)
        Places on an axis and what stands there, where numbers of the axis itself would say nothing; mostly empty.
    """

    key: str
    title: str
    about: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_ticks: tuple[tuple[float, str], ...] = ()
    y_ticks: tuple[tuple[float, str], ...] = ()


# Classes that are drawn one by one, as many as there are styles; and cells of scores up to which their averages are.
_CLASSES: Final = 6
_CELLS: Final = 5_000_000

# No axis of scores or costs reaches farther.
_FAR: Final = 4e307

# Thresholds at which what depends on the threshold is read: so many at equal distances, and so many of equal weight.
_GRID: Final = 150
_BARS: Final = 40
_BINS: Final = 10
_INDICES: Final = ("recall", "precision", "f1", "mcc", "accuracy")
_BEST: Final = ("f1", "mcc", "accuracy")  # of which a best threshold says something
_DET_RATES: Final = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)

_UNIT: Final = (0.0, 1.0)
_THRESHOLD: Final = "Threshold: positive from this score on"
_FPR: Final = "False positive rate"
_TPR: Final = "True positive rate (recall)"
_RPP: Final = "Share of rows predicted positive"
_DOT: Final = " A dot is where the predictions themselves, or the threshold in use, put a model."


def charts(evaluation: Evaluation) -> list[Chart]:
    """All charts of an evaluation, in the order of `KEYS`; only those that its statistics have.

    No line has more than `MAX_POINTS` points, whatever the number of rows.
    """
    models = list(evaluation.models.values())
    found = _of_two_classes(models, evaluation) if evaluation.is_binary else _of_classes(models)
    place = {key: place for place, key in enumerate(KEYS)}
    shown = [chart for chart in found if any(series.model is not None for series in chart.series)]
    return sorted(shown, key=lambda chart: place[chart.key.rstrip("0123456789_")])


def _line(name: str, x: ArrayLike, y: ArrayLike, *, kind: Kind = "line") -> Series:
    """A line of reference."""
    return Series(name, np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64), None, kind, None)


def _named(name: str, index: str, value: float) -> str:
    """A name for the legend with the number that goes with the line."""
    return name if np.isnan(value) else f"{name} ({index} {value:.3f})"


class _Model:
    """A model of two classes with scores, and the points that several charts share."""

    def __init__(self, place: int, model: ModelEvaluation, scores: ScoreTable) -> None:
        self.place = place
        self.name = one_line(model.name)
        self.scores = scores
        self.threshold = model.threshold
        #: Whether a score is the probability of the positive class.
        self.probable = scores.why("brier") is None
        #: Where the axis of the scores begins and ends.
        self.span = _span(scores, self.probable)
        #: Indices at the thresholds at which all curves of the model are drawn.
        self.columns = _columns(scores, "fpr", "recall", "fnr", "rpp", "informedness", "precision", "lift")

    def series(
        self, columns: dict[str, Reals], x: str, y: str, name: str = "", *, kind: Kind = "line"
    ) -> Iterator[Series]:
        """One column against another, where both have values."""
        return _against(columns, x, y, name or self.name, (self.place, self.place), kind)

    def thresholds(self) -> Reals:
        """Thresholds at which to read what depends on them, ascending: all, or some that tell them."""
        few = len(self.scores) <= 2 * _GRID
        found = self.scores.thresholds if few else self.scores.gains(_GRID).lowest
        low, high = self.span
        ends = [low, high] if few else np.linspace(low, high, _GRID)
        return np.unique(np.concatenate((ends, found[(found > low) & (found < high)])))


def _against(
    columns: dict[str, Reals], x: str, y: str, name: str, model_and_style: tuple[int, int], kind: Kind = "line"
) -> Iterator[Series]:
    """One column against another, where both have values; nothing if they never do."""
    known = np.isfinite(columns[x]) & np.isfinite(columns[y])
    model, style = model_and_style
    if known.any():
        thresholds = columns["threshold"][known] if "threshold" in columns else None
        yield Series(name, columns[x][known], columns[y][known], model, kind, style, thresholds)


def _columns(scores: ScoreTable, *names: str) -> dict[str, Reals]:
    """Indices at a few thresholds that stand for all."""
    points = scores.operating_points(MAX_POINTS)
    counts = points.counts()
    found = {name: np.array(counts[name]) for name in names}
    if "precision" in found:
        found["precision"][0] = 1.0  # by convention, where nothing is predicted positive
    return found | {"threshold": points.thresholds}


def _steps(scores: ScoreTable) -> Kind:
    """How points of precision over recall are joined: by steps, unless some of them stand for all."""
    return "step" if len(scores) < MAX_POINTS else "line"


def _span(scores: ScoreTable, probable: bool) -> tuple[float, float]:
    """Where the scores lie, without the ends where these are far out; 0 to 1 for probabilities that use it."""
    bands = scores.gains(20)
    lowest, highest = bands.lowest[np.isfinite(bands.lowest)], bands.highest[np.isfinite(bands.highest)]
    if not len(lowest) or not len(highest):
        return _UNIT
    low, high = float(lowest[-1]), float(highest[0])
    inner = float(lowest[0]) - float(highest[-1])
    if high - low > 4 * inner > 0:
        low, high = max(low, float(highest[-1]) - inner / 2), min(high, float(lowest[0]) + inner / 2)
    if probable and high - low > 0.3:
        return _UNIT
    # So far in that no distance on the axis is infinite, and so far apart that there are numbers enough between the ends: without
    # them bars have no width, and of the smallest Chart.js never ends to make ticks.
    low, high = max(low, -_FAR), min(high, _FAR)
    least = max(1e4 * float(np.spacing(max(-low, high))), 1e-300)
    if high - low >= least:
        return low, high
    aside = 0.5 if low == high and least < 0.5 else least
    return low - aside, high + aside


def _of_two_classes(models: list[ModelEvaluation], evaluation: Evaluation) -> Iterator[Chart]:
    scored = [
        _Model(place, model, model.scores)
        for place, model in enumerate(models)
        if model.scores is not None and model.scores.positives > 0 and model.scores.negatives > 0
    ]
    yield _roc(models, scored)
    yield _precision_recall(models, scored)
    if not scored:
        return
    prevalence = models[0].confusion["prevalence"]
    alone = len(models) == 1
    yield from _calibration([(model.place, model.name, model.scores) for model in scored if model.probable])
    for model in scored:
        suffix = "" if alone else f"_{model.place}"
        yield _distribution(model, suffix)
        yield _indices(model, suffix)
    yield _ks(scored[0]) if alone else _distances(scored)
    yield _gain(scored, prevalence)
    yield _lift(scored, prevalence)
    if evaluation.costs is not None:
        yield _mean_cost(scored, models[0].cost_parameters)
    yield _cost_curve(scored)
    yield from _decision([model for model in scored if model.probable])
    yield _det(scored)


def _dots(models: list[ModelEvaluation], x: str, y: str, names: dict[int, str]) -> Iterator[Series]:
    """Where the confusion matrix puts each model, by two indices."""
    for place, model in enumerate(models):
        point = np.array([model.confusion[x]]), np.array([model.confusion[y]])
        if np.isfinite(point).all():
            threshold = None if model.threshold is None else np.array([float(model.threshold)])
            yield Series(names.get(place, one_line(model.name)), *point, place, "points", place, threshold)


def _roc(models: list[ModelEvaluation], scored: list[_Model]) -> Chart:
    names = {model.place: _named(model.name, "AUC", model.scores["roc_auc"]) for model in scored}
    lines = [line for model in scored for line in model.series(model.columns, "fpr", "recall", names[model.place])]
    return Chart(
        key="roc",
        title="ROC curve",
        about="How many of the positives are found for how many false alarms, over all thresholds. The nearer to the upper left "
        "corner the better; the diagonal is chance. AUC is the area below." + _DOT,
        x_label=_FPR,
        y_label=_TPR,
        series=(*lines, *_dots(models, "fpr", "recall", names), _line("Chance", _UNIT, _UNIT)),
        x_range=_UNIT,
        y_range=_UNIT,
    )


def _precision_recall(models: list[ModelEvaluation], scored: list[_Model]) -> Chart:
    names = {model.place: _named(model.name, "AP", model.scores["average_precision"]) for model in scored}
    prevalence = models[0].confusion["prevalence"]
    lines = [
        line
        for model in scored
        for line in model.series(model.columns, "recall", "precision", names[model.place], kind=_steps(model.scores))
    ]
    chance = [] if np.isnan(prevalence) else [_line(f"Chance ({number(prevalence, 3)})", _UNIT, [prevalence] * 2)]
    return Chart(
        key="precision_recall",
        title="Precision and recall",
        about="How many of the rows predicted positive are so, for how many of the positives found, over all thresholds. The "
        "nearer to the upper right corner the better; chance is the prevalence. AP is the average precision." + _DOT,
        x_label="Recall",
        y_label="Precision",
        series=(*lines, *_dots(models, "recall", "precision", names), *chance),
        x_range=_UNIT,
        y_range=_UNIT,
    )


def _calibration(tables: list[tuple[int, str, ScoreTable]], of: str = "") -> Iterator[Chart]:
    """The calibration of models by place, name and scores, and how many rows stand behind each point."""
    if not tables:
        return
    points: list[Series] = []
    bars: list[Series] = []
    for place, name, scores in tables:
        bins = scores.calibration(_BINS)
        gaps = np.full(len(bins), np.nan)
        across = np.stack((bins.mean_score, bins.mean_score, gaps), axis=1).ravel()
        along = np.stack((bins.low, bins.high, gaps), axis=1).ravel()
        shown = _named(name, "ECE", scores["expected_calibration_error"])
        points.append(Series(shown, bins.mean_score, bins.observed, place, "line", place))
        points.append(Series(shown, bins.mean_score, bins.observed, place, "points", place))
        points.append(Series(shown, across, along, place, "line", place))
        weights = np.zeros(_BINS)
        weights[np.rint(bins.lower * _BINS).astype(np.int64)] = bins.weight
        bars.append(Series(name, (np.arange(_BINS) + 0.5) / _BINS, weights, place, "bars", place))
    yield Chart(
        key="calibration",
        title=f"Calibration{of}",
        about="How often what was given a probability came true, in ten bins of one width. On the diagonal probabilities "
        "are what they say; below it they promise too much. Upright strokes are 95% intervals. ECE is the mean distance.",
        x_label="Mean predicted probability",
        y_label="Share that came true",
        series=(*points, _line("Perfect", _UNIT, _UNIT)),
        x_range=_UNIT,
        y_range=_UNIT,
    )
    yield Chart(
        key="calibration_counts",
        title=f"Rows behind the calibration{of}",
        about="How many rows each of the ten bins of the calibration holds: where there are few, its points say little.",
        x_label="Predicted probability",
        y_label="Rows",
        series=tuple(bars),
        x_range=_UNIT,
        y_range=(0.0, 1.05 * max(float(series.y.max(initial=1.0)) for series in bars)),
    )


def _distribution(model: _Model, suffix: str) -> Chart:
    low, high = model.span
    # One band lies below the first edge and one from the last on: of probabilities they are bars, otherwise what lies far out.
    edges = np.linspace(low, high, _BARS + 1)
    top = np.nextafter(high, np.inf)
    bands = model.scores.gains(edges=np.append(edges[:-1], top))
    middles = (edges[:-1] + edges[1:]) / 2
    negative, positive = bands.negative_capture[-2:0:-1], bands.capture[-2:0:-1]
    beyond = float(bands.rows[0] + bands.rows[-1])
    about = "Which scores the positives and the negatives have, each as shares of their own class: the less the two overlap, "
    about += "the better the scores tell them apart."
    if beyond > 0:
        about += f" {number(beyond, 15)} rows lie beyond the axis."
    return Chart(
        key=f"score_distribution{suffix}",
        title="Distribution of the scores" + (f": {model.name}" if suffix else ""),
        about=about,
        x_label="Score",
        y_label="Share of the class",
        series=(
            Series("Positives", middles, positive, model.place, "bars", 0),
            Series("Negatives", middles, negative, model.place, "bars", 1),
        ),
        x_range=model.span,
        y_range=(0.0, 1.05 * float(max(positive.max(), negative.max()) or 1.0)),
    )


def _ks(model: _Model) -> Chart:
    """Both rates of the only model over the threshold."""
    ks = model.scores.ks()
    thresholds = np.unique(np.append(model.thresholds(), ks.threshold))
    counts = model.scores.at(thresholds)
    at = model.scores.at(ks.threshold)
    distance = f"KS {ks.value:.4f} at {number(ks.threshold, 4)}"
    return Chart(
        key="ks",
        title="Kolmogorov–Smirnov",
        about="The shares of the positives and of the negatives that are predicted positive, over the threshold. The greatest "
        f"distance between them is the KS statistic: {number(ks.value, 6)} at {number(ks.threshold, 6)}.",
        x_label=_THRESHOLD,
        y_label="Share predicted positive",
        series=(
            Series("Positives", thresholds, np.asarray(counts["recall"]), model.place, "step", 0, thresholds),
            Series("Negatives", thresholds, np.asarray(counts["fpr"]), model.place, "step", 1, thresholds),
            _line(distance, [ks.threshold] * 2, [float(at["fpr"]), float(at["recall"])]),
        ),
        x_range=model.span,
        y_range=_UNIT,
    )


def _distances(scored: list[_Model]) -> Chart:
    """The distance between both rates of several models, over what they have in common."""
    series: list[Series] = []
    for model in scored:
        ks = model.scores.ks()
        at = model.scores.at(ks.threshold)
        name = _named(model.name, "KS", ks.value)
        point = np.array([float(at["rpp"])]), np.array([float(at["informedness"])])
        series += model.series(model.columns, "rpp", "informedness", name)
        series.append(Series(name, *point, model.place, "points", model.place, np.array([ks.threshold])))
    least = min((float(line.y.min()) for line in series), default=0.0)
    most = max((float(line.y.max()) for line in series), default=1.0)
    return Chart(
        key="ks",
        title="Kolmogorov–Smirnov",
        about="By how much the share of the positives that is predicted positive exceeds that of the negatives. The dot is where "
        "they lie furthest apart: the KS statistic.",
        x_label=_RPP,
        y_label="True less false positive rate",
        series=(*series, _line("Chance", _UNIT, [0.0, 0.0])),
        x_range=_UNIT,
        y_range=(min(0.0, 1.05 * least), max(1.05 * most, 0.05)),
    )


def _gain(scored: list[_Model], prevalence: float) -> Chart:
    lines = [
        line
        for model in scored
        for line in model.series(model.columns, "rpp", "recall", _named(model.name, "Gini", model.scores["gini"]))
    ]
    return Chart(
        key="gain",
        title="Cumulative gain",
        about="How many of the positives are found among the rows with the highest scores. The ideal finds them all first; the "
        "diagonal is chance. Gini is the area above chance, compared with the ideal's.",
        x_label=_RPP,
        y_label="Share of the positives found (gain)",
        series=(*lines, _line("Ideal", [0.0, prevalence, 1.0], [0.0, 1.0, 1.0]), _line("Chance", _UNIT, _UNIT)),
        x_range=_UNIT,
        y_range=_UNIT,
    )


def _lift(scored: list[_Model], prevalence: float) -> Chart:
    lines = [line for model in scored for line in model.series(model.columns, "rpp", "lift")]
    # Among the first few rows anything can happen, so they do not set the axis.
    tops = [float(line.y[line.x >= 0.01].max(initial=1.0)) for line in lines]
    share = np.geomspace(prevalence, 1.0, 100)
    return Chart(
        key="lift",
        title="Lift",
        about="How many times as frequent the positives are among the rows with the highest scores as among all. It ends at 1, "
        "which is chance; at the left few rows are counted, so the line is restless there.",
        x_label=_RPP,
        y_label="Lift",
        series=(
            *lines,
            _line("Ideal", np.append(0.0, share), np.append(1 / prevalence, 1 / share)),
            _line("Chance", _UNIT, [1.0, 1.0]),
        ),
        x_range=_UNIT,
        y_range=(0.0, 1.1 * max(tops, default=1.0)),
    )


def _indices(model: _Model, suffix: str) -> Chart:
    thresholds = model.thresholds()
    counts = model.scores.at(thresholds)
    series: list[Series] = []
    for style, name in enumerate(_INDICES):
        values = np.asarray(counts[name])
        known = np.isfinite(values)
        shown = index(name).title.partition(" (")[0]
        series.append(Series(shown, thresholds[known], values[known], model.place, "step", style, thresholds[known]))
        if name in _BEST:
            best = model.scores.best(name)
            point = np.array([best.threshold]), np.array([best.value])
            if np.isfinite(point).all():
                series.append(Series(shown, *point, model.place, "points", style, point[0]))
    least = min((float(line.y.min(initial=0.0)) for line in series), default=0.0)
    if model.threshold is not None and model.span[0] <= model.threshold <= model.span[1]:
        in_use = f"Threshold in use ({number(float(model.threshold), 4)})"
        series.append(_line(in_use, [float(model.threshold)] * 2, [least, 1.0]))
    return Chart(
        key=f"indices{suffix}",
        title="Indices over the threshold" + (f": {model.name}" if suffix else ""),
        about="What becomes of some indices as the threshold moves; a dot is where one is best.",
        x_label=_THRESHOLD,
        y_label="Index",
        series=tuple(series),
        x_range=model.span,
        y_range=(min(0.0, 1.05 * least), 1.0),
    )


def _mean_cost(scored: list[_Model], costs: dict[str, Any]) -> Chart:
    """What a row costs at each threshold, or at each share of rows predicted positive where thresholds are no common axis."""
    common = len(scored) == 1 or all(model.probable for model in scored)
    series: list[Series] = []
    for model in scored:
        thresholds = model.thresholds()
        counts = model.scores.at(thresholds)
        best = model.scores.best("cost", **costs)  # as the explorer has it
        least = float(best.counts().value("mean_cost", **costs))
        name = f"{model.name} (least {number(least, 4)} at {number(best.threshold, 4)})"
        x = thresholds if common else np.asarray(counts["rpp"])
        point = np.array([best.threshold if common else float(best.counts()["rpp"])]), np.array([least])
        y = np.clip(np.asarray(counts.value("mean_cost", **costs)), -_FAR, _FAR)
        series.append(Series(name, x, y, model.place, "step" if common else "line", model.place, thresholds))
        if np.isfinite(point).all():
            series.append(Series(name, *point, model.place, "points", model.place, np.array([best.threshold])))
    spans = [model.span for model in scored]
    most, least = (pick(float(pick(line.y)) for line in series) for pick in (max, min))
    return Chart(
        key="mean_cost",
        title="Cost over the threshold" if common else "Cost over the share predicted positive",
        about="What a row costs on average, by the costs given. The dot is where it costs least on these very rows.",
        x_label=_THRESHOLD if common else _RPP,
        y_label="Mean cost of a row",
        series=tuple(series),
        x_range=(min(low for low, _ in spans), max(high for _, high in spans)) if common else _UNIT,
        y_range=(min(0.0, 1.05 * least), max(1.05 * most, 0.0) or float(least == 0)),
    )


def _cost_curve(scored: list[_Model]) -> Chart:
    lines: list[Series] = []
    for model in scored:
        curve = model.scores.cost_curve().simplify(MAX_POINTS)
        points = curve.probability_cost, curve.expected_cost
        lines.append(Series(model.name, *points, model.place, "line", model.place, curve.thresholds))
    return Chart(
        key="cost_curve",
        title="Cost curve",
        about="The least expected cost with the best threshold for every balance of costs and classes: in the middle both errors "
        "weigh alike. The lower the better; the triangle is whoever calls all rows one class.",
        x_label="Weight of the positives: prevalence times cost of missing one",
        y_label="Normalised expected cost",
        series=(*lines, _line("One class for all", [0.0, 0.5, 1.0], [0.0, 0.5, 0.0])),
        x_range=_UNIT,
        y_range=(0.0, 0.5),
    )


def _decision(probable: list[_Model]) -> Iterator[Chart]:
    if not probable:
        return
    most = min(max(model.span[1] for model in probable), 0.99)
    at = np.linspace(0.0, most, 100)
    curves = [model.scores.decision_curve(at) for model in probable]
    top = max(float(curve.net_benefit.max()) for curve in curves)
    yield Chart(
        key="decision",
        title="Decision curve",
        about="What acting on the predictions brings, in true positives per row, false ones weighed by the odds of the threshold, "
        "beside acting on all rows and on none. The higher the better, at the thresholds that one would choose.",
        x_label="Threshold probability",
        y_label="Net benefit",
        series=(
            *(
                Series(model.name, at, curve.net_benefit, model.place, "line", model.place, at)
                for model, curve in zip(probable, curves, strict=True)
            ),
            _line("All rows", at, curves[0].treat_all),
            _line("No row", [0.0, most], [0.0, 0.0]),
        ),
        x_range=(0.0, 1.0 if most == 0.99 else most),
        y_range=(-0.2 * top, 1.1 * top) if top > 0 else (-1.0, 1.0),
    )


def _det(scored: list[_Model]) -> Chart:
    lines: list[Series] = []
    for model in scored:
        roc = model.columns
        curve = DetCurve(roc["fpr"], roc["fnr"], roc["threshold"], model.scores.positives, model.scores.negatives)
        deviates = curve.normal_deviates()
        columns = {"x": deviates.x, "y": deviates.y, "threshold": deviates.thresholds}
        lines += model.series(columns, "x", "y", _named(model.name, "EER", model.scores["equal_error_rate"]))
    rates = np.array(_DET_RATES)
    places = DetCurve(rates, rates, rates, 1.0, 1.0).normal_deviates().x
    ticks = tuple((float(place), f"{rate:.4g}") for place, rate in zip(places, _DET_RATES, strict=True))
    ends = (float(places[0]), float(places[-1]))
    return Chart(
        key="det",
        title="Detection error trade-off",
        about="Both kinds of error against each other, on axes of normal deviates, which stretch the small rates. The nearer to "
        "the lower left corner the better; the diagonal is chance. EER is where both rates are equal.",
        x_label=_FPR,
        y_label="False negative rate",
        series=(*lines, _line("Chance", ends, ends[::-1])),
        x_range=ends,
        y_range=ends,
        x_ticks=ticks,
        y_ticks=ticks,
    )


class _Ranking(NamedTuple):
    """A curve that classes and their means have."""

    key: str
    title: str
    x: str
    y: str
    area: str  # the index that goes with it, and its short name
    short: str
    steps: bool  # whether y holds from one point to the next

    def line(self, scores: ScoreTable, name: str, model_and_style: tuple[int, int]) -> Iterator[Series]:
        """That of one score table."""
        kind = _steps(scores) if self.steps else "line"
        return _against(_columns(scores, self.x, self.y), self.x, self.y, name, model_and_style, kind)

    def chart(self, key: str, title: str, about: str, lines: list[Series]) -> Chart:
        """Its axes, with lines on them."""
        chance = [_line("Chance", _UNIT, _UNIT)] if self.key == "roc" else []
        return Chart(key, title, about, _LABELS[self.x], _LABELS[self.y], (*lines, *chance), _UNIT, _UNIT)


_LABELS: Final = {"fpr": _FPR, "recall": "Recall", "precision": "Precision"}
_RANKINGS: Final = (
    _Ranking("roc", "ROC curve", "fpr", "recall", "roc_auc", "AUC", steps=False),
    _Ranking("precision_recall", "Precision and recall", "recall", "precision", "average_precision", "AP", steps=True),
)


def _of_classes(models: list[ModelEvaluation]) -> Iterator[Chart]:
    alone = len(models) == 1
    yield _recall_and_precision(models)
    tables = [
        (place, one_line(model.name), model.class_scores)
        for place, model in enumerate(models)
        if model.class_scores is not None
    ]
    small = [each for each in tables if _is_small(each[2])]
    pooled = {place: scores.pooled() for place, _, scores in small}
    for ranking in _RANKINGS:
        yield _averages(ranking, small, pooled if alone else {})
        for place, name, scores in tables:
            yield _single_classes(ranking, place, scores, "" if alone else name)
    probable = [(place, name, pooled[place]) for place, name, _ in small if pooled[place].why("brier") is None]
    yield from _calibration(probable, " of all classes pooled")


def _is_small(scores: ScoreTables) -> bool:
    return scores.rows * len(scores.labels) <= _CELLS


def _averages(ranking: _Ranking, tables: list[tuple[int, str, ScoreTables]], pooled: dict[int, ScoreTable]) -> Chart:
    """The mean of the curves of the classes of each model; with `pooled` that of all classes as one ranking, too."""
    x, y = ranking.x, ranking.y
    lines: list[Series] = []
    for place, name, scores in tables:
        mean = scores.average_curve(x, y, absent="skip", points=_GRID)
        shown = "Mean of the classes (macro)" if pooled else name
        shown = _named(shown, ranking.short, scores.average(ranking.area, absent="skip"))
        lines += _against({x: mean.x, y: mean.y}, x, y, shown, (place, place))
    for place, table in pooled.items():
        shown = _named("All classes pooled (micro)", ranking.short, table[ranking.area])
        lines += ranking.line(table, shown, (place, place + 1))
    about = "Each class against the rest: the mean of their curves" + (
        ", and all of them as one ranking." if pooled else "."
    )
    return ranking.chart(ranking.key, f"{ranking.title}, mean over the classes", about, lines)


def _single_classes(ranking: _Ranking, place: int, scores: ScoreTables, name: str) -> Chart:
    """The curves of the classes of one model, or of the weakest of them, each against the rest."""
    labels, values = scores.labels.tolist(), scores.per_class(ranking.area)
    known = np.flatnonzero(np.isfinite(values))
    weakest = np.sort(known[np.argsort(values[known], kind="stable")][:_CLASSES])
    lines: list[Series] = []
    for style, found in enumerate(weakest.tolist()):
        shown = _named(one_line(labels[found]), ranking.short, float(values[found]))
        lines += ranking.line(scores.one_vs_rest(labels[found]), shown, (place, style))
    about = "Each class against the rest, by its own scores."
    if len(lines) < len(labels):
        about += f" Shown are the {len(lines)} classes of {len(labels)} with the lowest {ranking.short}."
    if not _is_small(scores):
        about += " The means over the classes are not drawn: of so many scores they would take longer than all else."
    key = f"{ranking.key}_classes" + (f"_{place}" if name else "")
    return ranking.chart(key, f"{ranking.title} of the classes" + (f": {name}" if name else ""), about, lines)


def _recall_and_precision(models: list[ModelEvaluation]) -> Chart:
    """Every class as a point; of very many the weakest."""
    series: list[Series] = []
    missing = 0
    for place, model in enumerate(models):
        matrix = model.confusion
        recall, precision, f1 = (matrix.per_class(name) for name in ("recall", "precision", "f1"))
        known = np.flatnonzero(np.isfinite(recall) & np.isfinite(precision))
        missing = max(missing, len(f1) - len(known))
        shown = known[np.argsort(f1[known], kind="stable")][:MAX_POINTS]
        names = matrix.labels.tolist()
        labels = tuple(one_line(names[found]) for found in shown.tolist())
        series.append(
            Series(one_line(model.name), recall[shown], precision[shown], place, "points", place, None, labels)
        )
    about = "A point for each class: how many of its rows are found, and how many of those predicted to be of it are. "
    about += "The weak ones lie to the lower left."
    if missing:
        about += f" Classes without rows, or never predicted, have no such point: up to {missing}."
    if any(len(line.x) == MAX_POINTS for line in series):
        about += f" Shown are the {MAX_POINTS} with the lowest F1."
    return Chart(
        key="classes",
        title="Recall and precision of the classes",
        about=about,
        x_label="Recall",
        y_label="Precision",
        series=tuple(line for line in series if len(line.x)),
        x_range=(_tenth_below([line.x for line in series]), 1.0),
        y_range=(_tenth_below([line.y for line in series]), 1.0),
    )


def _tenth_below(columns: list[Reals]) -> float:
    """The tenth below all, so that classes that are nearly all right are seen apart."""
    least = min(float(column.min(initial=1.0)) for column in columns)
    return max(0.0, float(np.floor(10 * least - 0.1)) / 10)

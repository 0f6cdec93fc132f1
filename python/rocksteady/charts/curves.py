"""Charts with one curve for each model, each described once.

To add one: describe it here and add it to `CURVES`. Its display in `rocksteady.plot`, its method of ``evaluation.plot``
and its card in the report follow; ``make reference`` writes its place in ``docs/charts.md``. Type checkers see no more
than is written, so the display has a line in ``plot/__init__.py`` and the method one in ``plot/evaluation.py``: a test
asks for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady._rocksteady import normal_deviates
from rocksteady.charts.chart import (
    FPR,
    PRECISION,
    RECALL,
    SELECTED,
    THRESHOLD,
    TPR,
    UNIT,
    Axis,
    Chart,
    Series,
    ends,
    reference,
)
from rocksteady.charts.palette import IDEAL
from rocksteady.charts.scale import stretch_of
from rocksteady.charts.source import MAX_POINTS, Lines, Points, Reach, Source, reach
from rocksteady.registry.registry import index
from rocksteady.scores.curves.line import Curve as PlainCurve
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.thresholds import threshold_grid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocksteady.charts.chart import Kind, Range
    from rocksteady.inference.band import BandKind
    from rocksteady.scores.curves.decision import DecisionCurve

    Ticks = tuple[tuple[float, str], ...]


#: Captions of bands.
BANDS: Final = {
    "simultaneous": " Each band holds the whole curve of the population in 95 % of samples.",
    "pointwise": " Each band holds the curve of the population at one place in 95 % of samples, and the whole curve in few.",
    "campbell": " Each band holds the whole curve of the population in at least 95 % of samples.",
}


def _chance(_: Lines) -> list[Series]:
    return [reference("chance", UNIT, UNIT)]


def _unit(_: Sequence[Series]) -> tuple[Range, Range]:
    return UNIT, UNIT


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A chart with one curve for each model.

    Attributes
    ----------
    key : str
        The name of its method of ``evaluation.plot``, and of its card in the report.
    title : str
        What it is, in a few words.
    display, summary, notes, source, example : str
        Of its display in `rocksteady.plot`: the name, and the parts of the documentation.
    about, of_references : str
        The caption: what to look for, and what the references are.
    x, y : Axis
        What the axes show.
    method : str
        The method of `ScoreTable` that gives the curve; its arrays go by the indices of the axes.
    points : callable, optional
        The points of a source, where they are not those of `method`.
    index, symbol : str
        The index that stands in the legend, by this symbol. Where it has no value, there is no curve.
    number : callable, optional
        What the legend says of a source instead of that.
    references : callable
        What the curves are compared with.
    ranges : callable
        What the axes show of the series.
    ticks : tuple of (float, str)
        Of both axes, where numbers would say nothing.
    has_mean : bool
        Whether the curves of several classes have a mean.
    has_steps : bool
        Whether y holds from the x before.
    is_of_probabilities : bool
        Whether scores must be probabilities.
    is_over_scores : bool
        Whether x is a score, so that its axis is stretched where most scores are close together.
    has_band : bool
        Whether `ScoreTable.band` has a band of confidence for it, by its key.
    is_square : bool
        Whether both axes are drawn at one length.
    is_of_top_label : bool
        Whether positives must be right predictions. Then several classes have one curve, that of the most probable class
        of each row, and a report of two classes does not have it.
    corner : str
        Where the axes have room for a legend; "best" where that differs.
    is_main : bool
        Whether a report has it of classes, too, and as a dot of a model without scores.
    """

    key: str
    title: str
    display: str
    summary: str
    about: str
    of_references: str = ""
    x: Axis
    y: Axis
    method: str = ""
    points: Callable[[Source], Points] | None = None
    index: str | None = None
    symbol: str = ""
    number: Callable[[Source], str] | None = None
    references: Callable[[Lines], list[Series]] = _chance
    ranges: Callable[[Sequence[Series]], tuple[Range, Range]] = _unit
    ticks: Ticks = ()
    has_mean: bool = False
    has_steps: bool = False
    is_of_probabilities: bool = False
    is_over_scores: bool = False
    has_band: bool = False
    is_square: bool = False
    is_main: bool = False
    is_of_top_label: bool = False
    corner: str = "best"
    notes: str = ""
    source: str = ""
    example: str

    @property
    def documentation(self) -> str:
        """What a reader must know: what it is, how to read it, where it comes from."""
        parts = [self.about, self.of_references, self.notes, self.source and f"Source: {self.source}."]
        return f"{self.summary}\n\n{' '.join(filter(None, parts))}"

    def why(self, source: Source) -> str | None:
        """Why the source has no curve."""
        return None if self.index is None else source.why(self.index)

    def name(self, source: Source) -> str:
        """What the legend says of a source."""
        why, number = self.why(source), ""
        if not why and self.number is not None:
            number = self.number(source)
        elif not why and self.index is not None and self.symbol:
            number = f"{self.symbol} = {source.value(self.index):.3f}"
        return source.words(number, why)

    def line(self, source: Source) -> Series:
        """The curve of a source; without points if it has none."""
        points = Points(np.empty(0), np.empty(0))
        if not self.why(source):
            points = self.points(source) if self.points else source.points(self.method, self.x.index, self.y.index)
        kind: Kind = "step" if self.has_steps and not source.is_thinned else "line"
        return source.series(self.name(source), points.x, points.y, kind, thresholds=points.thresholds)

    def band(self, source: Source, kind: BandKind) -> Series | None:
        """The band of confidence around the curve of a source, if it has one; the same for the same scores."""
        if not self.has_band or not isinstance(source.statistic, ScoreTable) or self.why(source):
            return None
        found = source.table.band(self.key, kind=kind, random_state=0)  # type: ignore[arg-type]  # where it has one
        return source.series(self.name(source), found.x, found.high, "band", base=found.low)

    def chart(self, lines: Lines, *, dots: Iterable[Series] = ()) -> Chart:
        """The chart of some lines, with single points beside them."""
        series = [self.line(source) for source in lines.sources]
        x_range, y_range = self.ranges(series)
        bands = [] if lines.band is None else [self.band(source, lines.band) for source in lines.sources]
        drawn = [band for band in bands if band is not None]
        references = self.references(lines)
        about = f"{self.about} {self.of_references}".strip() if references else self.about
        about += BANDS[lines.band] if drawn and lines.band is not None else ""
        x_label, y_label = (lines.label(axis.label) if axis.names_class else axis.label for axis in (self.x, self.y))
        follows: tuple[str, ...] = (THRESHOLD.index,) if self.x.index == THRESHOLD.index else ()
        if self.method:
            follows = index(self.x.index).name, index(self.y.index).name
        stretch = stretch_of(x_range, [source.quartiles for source in lines.sources]) if self.is_over_scores else None
        percent = "".join(name for name, axis in (("x", self.x), ("y", self.y)) if axis.is_percent)
        return Chart(
            self.key,
            self.title,
            about,
            x_label,
            y_label,
            (*series, *drawn, *dots, *references),
            x_range,
            y_range,
            self.ticks if stretch is None else Reach(x_range, stretch).ticks,
            self.ticks,
            follows,
            percent,
            self.is_square,
            stretch,
        )


ROC: Final = Curve(
    key="roc",
    title="ROC",
    display="RocDisplay",
    summary="ROC curves: the true against the false positive rate, with the area under each.",
    has_band=True,
    about="The share of the positives found (recall) at each share of the negatives wrongly called positive. The "
    "closer to the upper left corner, the better. AUC is the area below the curve: higher is better.",
    of_references="The dashed diagonal is a random model.",
    x=FPR,
    y=TPR,
    method="roc_curve",
    index="roc_auc",
    symbol="AUC",
    has_mean=True,
    is_square=True,
    is_main=True,
    notes="Several classes are drawn each against the rest, with the mean of their curves (macro) and the curve of all "
    "of them as one ranking (micro).",
    source="Fawcett 2006, doi:10.1016/j.patrec.2005.10.010",
    example="""
>>> display = rs.plot.RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> display.line_.get_xdata(), display.line_.get_ydata()
(array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
>>> display.line_.get_label()
'AUC = 0.750'
""",
)


def _prevalence(lines: Lines) -> list[Series]:
    shares = lines.prevalences("average_precision")
    return [reference(f"chance (prevalence = {share:.3f})", UNIT, [share, share]) for share in shares]


PRECISION_RECALL: Final = Curve(
    key="precision_recall",
    title="Precision and recall",
    display="PrecisionRecallDisplay",
    summary="Precision–recall curves by steps, with the average precision of each, which is the area below.",
    has_band=True,
    about="The precision at each recall. The closer to the upper right corner, the better. AP is the average "
    "precision: higher is better.",
    of_references="The dashed line is a random model, whose precision is the prevalence.",
    x=RECALL,
    y=PRECISION,
    method="precision_recall_curve",
    index="average_precision",
    symbol="AP",
    references=_prevalence,
    has_steps=True,
    is_square=True,
    is_main=True,
    notes="Several classes are drawn each against the rest, with the curve of all of them as one ranking (micro).",
    source="Manning, Raghavan, Schütze 2008, section 8.4",
    example="""
>>> display = rs.plot.PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> display.line_.get_label()
'AP = 0.833'
""",
)


def _ideal_gain(lines: Lines) -> list[Series]:
    ideal = [
        reference("ideal", [0.0, share, 1.0], [0.0, 1.0, 1.0], dashes=IDEAL) for share in lines.prevalences("gini")
    ]
    return [*ideal, *_chance(lines)]


GAIN: Final = Curve(
    key="gain",
    title="Gain",
    display="GainDisplay",
    summary="Gain charts, which are also CAP curves, with the Gini coefficient.",
    has_band=True,
    about="The share of the positives found among the rows with the highest scores. Higher is better. The ideal model "
    "finds all positives first. Gini is 1 for the ideal model and 0 for a random one.",
    of_references="The dashed diagonal is a random model.",
    x=SELECTED,
    y=Axis("Share of positives found", "tpr", names_class=True, is_percent=True),
    method="gain_curve",
    index="gini",
    symbol="Gini",
    references=_ideal_gain,
    has_mean=True,
    source="Engelmann, Hayden, Tasche 2003",
    example="""
>>> display = rs.plot.GainDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> display.line_.get_ydata(), display.line_.get_label()
(array([0. , 0.5, 0.5, 1. , 1. ]), 'Gini = 0.500')
""",
)


def _lift_references(lines: Lines) -> list[Series]:
    found = [reference("chance", UNIT, [1.0, 1.0])]
    for share in lines.prevalences("gini"):
        x = np.geomspace(share, 1.0, 100)
        found.append(reference("ideal", np.append(0.0, x), np.append(1 / share, 1 / x), dashes=IDEAL))
    return found


def _lift_ranges(series: Sequence[Series]) -> tuple[Range, Range]:
    # The first few rows vary too much to set the axis.
    return UNIT, (0.0, 1.1 * ends((line.y[line.x >= 0.01] for line in series), (1.0,))[1])


_LIFT: Final = "Lift"
LIFT: Final = Curve(
    key="lift",
    title=_LIFT,
    display="LiftDisplay",
    summary="Lift charts, with the lift of the first tenth of the rows.",
    about="How many times more frequent the positives are among the rows with the highest scores than among all rows. "
    "Higher is better. At the left the curve rests on few rows, so it is noisy.",
    of_references="The dashed line at 1 is a random model.",
    x=SELECTED,
    y=Axis(_LIFT, "lift", names_class=True),
    method="lift_curve",
    index="gini",  # undefined where there is no lift, or where only one class has some
    number=lambda source: f"first tenth: {source.table.gains(10).cumulative_lift[0]:.2f}",
    references=_lift_references,
    ranges=_lift_ranges,
    example="""
>>> display = rs.plot.LiftDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> display.line_.get_ydata().round(3)
array([  nan, 2.   , 1.   , 1.333, 1.   ])
""",
)


def _cost(source: Source) -> Points:
    curve = source.table.cost_curve().simplify(MAX_POINTS if source.is_sampled else source.max_points)
    return Points(curve.probability_cost, curve.expected_cost, curve.thresholds)


COST: Final = Curve(
    key="cost",
    title="Cost curve",
    display="CostDisplay",
    summary="Cost curves: the least expected cost over all thresholds, for each balance of costs and classes.",
    about="The expected cost at the best threshold, for every balance of costs and classes. Lower is better. The "
    "probability-cost is the prevalence weighed by the costs: in the middle both errors cost the same.",
    of_references="The dashed triangle predicts one class for all rows. Where a curve touches it, the scores are of no "
    "use.",
    x=Axis("Probability-cost", names_class=True),
    y=Axis("Normalised expected cost"),
    points=_cost,
    index="roc_auc",
    references=lambda _: [reference("all rows alike", [0.0, 0.5, 1.0], [0.0, 0.5, 0.0])],
    ranges=lambda _: (UNIT, (0.0, 0.5)),
    source="Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5",
    example="""
>>> display = rs.plot.CostDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
>>> display.line_.get_xdata(), display.line_.get_ydata()
(array([0. , 0.5, 1. ]), array([0.  , 0.25, 0.  ]))
""",
)


# At a threshold of 1 the odds are infinite.
_HIGHEST: Final = 0.99


def _decisions(source: Source) -> DecisionCurve:
    if source.is_sampled:
        found = np.append(0.0, reach([source]).spread(100))
        return source.table.decision_curve(np.unique(np.clip(found, 0.0, _HIGHEST)))
    return source.table.decision_curve(None if source.max_points is None else threshold_grid(source.max_points)[:0:-1])


def _net_benefit(source: Source) -> Points:
    curve = _decisions(source)
    return Points(curve.threshold_probability, curve.net_benefit, curve.threshold_probability)


def _treatments(lines: Lines) -> list[Series]:
    """Net benefit of treating everyone, once for each prevalence and as far as the longest curve, and of treating nobody."""
    treat_all: dict[float, Any] = {}
    for source in [] if lines.is_of_classes else lines.sources:
        curve, prevalence = _decisions(source), float(source.table.at(float("-inf"))["prevalence"])
        if (
            prevalence not in treat_all
            or curve.threshold_probability[-1] > treat_all[prevalence].threshold_probability[-1]
        ):
            treat_all[prevalence] = curve
    lines_of_all = [
        reference("treat all", curve.threshold_probability, curve.treat_all, dashes=IDEAL)
        for curve in treat_all.values()
    ]
    return [*lines_of_all, reference("treat none", UNIT, (0.0, 0.0))]


def _benefits(series: Sequence[Series]) -> tuple[Range, Range]:
    # Treating all, or acting on a high threshold, soon has a large negative benefit: the axis shows the positive part.
    most = ends((line.y for line in series), (0.02,))[1]
    last = ends(line.x for line in series)[1]
    return (0.0, last if 0 < last < 0.3 else 1.0), (-0.25 * most, 1.08 * most)


DECISION: Final = Curve(
    key="decision",
    title="Decision curve",
    display="DecisionDisplay",
    summary="Decision curves: the net benefit of acting on the scores as probabilities, over the threshold "
    "probability.",
    about="The net benefit of acting on the predictions: true positives per row, minus false positives weighed by the "
    "odds of the threshold. Higher is better, at the thresholds that you would choose. A model is of use where it lies "
    'above both "treat all" and "treat none".',
    x=Axis("Threshold probability", THRESHOLD.index),
    y=Axis("Net benefit", names_class=True),
    points=_net_benefit,
    references=_treatments,
    ranges=_benefits,
    is_of_probabilities=True,
    is_over_scores=True,
    notes="All scores must lie in [0, 1], else it raises `rocksteady.InputError`. There are `max_points` thresholds, "
    "at equal distances from 0 to just below 1; with None every score is one.",
    source="Vickers, Elkin 2006, doi:10.1177/0272989X06295361",
    example="""
>>> display = rs.plot.DecisionDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], max_points=4)
>>> display.line_.get_xdata(), display.line_.get_ydata().round(3)
(array([0.  , 0.25, 0.5 , 0.75]), array([0.5  , 0.417, 0.   , 0.25 ]))
""",
)


_RATES: Final = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999)
# Rates of 0 and 1 are infinitely far out; the axes end between these limits, at the least positive rate.
_NEAREST, _FURTHEST = 2.0, 5.0


def _deviates(source: Source) -> Points:
    if source.is_sampled:
        rates = source.points("det_curve", FPR.index, "fnr")
        x, y = (np.clip(normal_deviates(values), -_FURTHEST, _FURTHEST) for values in rates[:2])
        return Points(x, y, rates.thresholds)
    # Points that are left out must not show on these axes, which stretch both ends of the rates.
    curve = source.table.det_curve(max_deviation=0)
    deviates = curve.normal_deviates()
    x, y = (np.clip(values, -_FURTHEST, _FURTHEST) for values in (deviates.x, deviates.y))
    few = PlainCurve(x, y, curve.thresholds, "fpr", "fnr").simplify(source.max_points)
    return Points(few.x, few.y, few.thresholds)


def _diagonals(_: Lines) -> list[Series]:
    across = np.array([-_FURTHEST, _FURTHEST])
    return [reference("chance", across, -across), reference("equal rates", across, across, entry="", is_faint=True)]


def _deviation_ranges(series: Sequence[Series]) -> tuple[Range, Range]:
    columns = (np.abs(values) for line in series for values in (line.x, line.y))
    limit = ends((values[values < _FURTHEST] for values in columns), (_NEAREST,))[1] + 0.15
    return (-limit, limit), (-limit, limit)


DET: Final = Curve(
    key="det",
    title="Detection error trade-off",
    display="DetDisplay",
    summary="DET curves: the false negative against the false positive rate on axes of normal deviates, with the equal "
    "error rate.",
    about="The two error rates against each other, on axes that stretch small rates. The closer to the lower left "
    "corner, the better. EER is where both rates are equal: lower is better. Scores that are normal in both classes "
    "make a straight line.",
    of_references="The dashed diagonal is a random model.",
    x=FPR,
    y=Axis("False negative rate", "fnr", names_class=True),
    points=_deviates,
    index="equal_error_rate",
    symbol="EER",
    references=_diagonals,
    ranges=_deviation_ranges,
    ticks=tuple(
        zip(normal_deviates(np.array(_RATES)).tolist(), [f"{100 * rate:.4g}%" for rate in _RATES], strict=True)
    ),
    corner="upper right",
    is_square=True,
    notes="Rates of 0 and of 1, which lie infinitely far out, are drawn at the edge; the data of the lines are normal "
    "deviates.",
    source="Martin et al. 1997, doi:10.21437/Eurospeech.1997-504",
    example="""
>>> display = rs.plot.DetDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> display.line_.get_label()
'EER = 0.500'
""",
)


def _risks(lines: Lines) -> list[Series]:
    found = []
    for right in lines.prevalences("roc_auc"):
        x = np.linspace(right, 1.0, 100)
        found.append(reference("ideal", np.append(0.0, x), np.append(0.0, 1 - right / x), dashes=IDEAL))
        found.append(reference(f"chance (risk = {1 - right:.3f})", UNIT, [1 - right, 1 - right]))
    return found


def _risk_ranges(series: Sequence[Series]) -> tuple[Range, Range]:
    # The first few rows vary too much to set the axis.
    return UNIT, (0.0, 1.1 * ends((line.y[line.x >= 0.01] for line in series), (0.02,))[1])


RISK_COVERAGE: Final = Curve(
    key="risk_coverage",
    title="Risk and coverage",
    display="RiskCoverageDisplay",
    summary="Risk–coverage curves: the risk of the most confident predictions, with the area under each.",
    about="The share of wrong predictions among the rows that are accepted, at each share of rows accepted. Lower is "
    "better. A good confidence makes the curve rise from the left to the right; AURC is the area below it. At the left "
    "the curve rests on few rows, so it is noisy.",
    of_references="The dashed line is a random confidence, and the ideal one accepts all right predictions first.",
    x=Axis("Coverage: share of rows accepted, most confident first", "coverage", is_percent=True),
    y=Axis("Risk: share of the accepted rows that are wrong", "selective_risk"),
    method="risk_coverage_curve",
    index="aurc",
    symbol="AURC",
    references=_risks,
    ranges=_risk_ranges,
    has_steps=True,
    is_of_top_label=True,
    notes="The positive rows are right predictions, and the scores are confidences. Of more than two classes it is drawn "
    "of the most probable class of each row, and no report of two classes has it.",
    source="El-Yaniv, Wiener 2010, JMLR 11",
    example="""
>>> right, confidence = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
>>> display = rs.plot.RiskCoverageDisplay.from_predictions(right, confidence)
>>> display.line_.get_ydata().round(3), display.line_.get_label()
(array([0.   , 0.   , 0.333, 0.25 , 0.4  ]), 'AURC = 0.197')
""",
)

#: All curves, in the order of the report.
CURVES: Final = (
    ROC,
    PRECISION_RECALL,
    GAIN,
    LIFT,
    COST,
    DECISION,
    DET,
    RISK_COVERAGE,
)

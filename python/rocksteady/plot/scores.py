"""Displays of the charts in `rocksteady.charts.scores`: over the score or the threshold, and calibration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from rocksteady.base.arguments import flag, listed, one_of, parameters_of, real, string, whole, wrong_value
from rocksteady.charts.scores import (
    bars_for,
    calibration_chart,
    calibration_counts_chart,
    distribution_chart,
    indices_chart,
    ks_chart,
    why_no_ks,
)
from rocksteady.plot.artist import beside
from rocksteady.plot.display import ScoreDisplay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.charts.chart import Chart
    from rocksteady.charts.scale import Stretch
    from rocksteady.charts.source import Lines, Source, Tables
    from rocksteady.plot.display import Drawn
    from rocksteady.scores.calibration import Calibration, Strategy

# Below the axes: the distance and the height of the axes of scores, in heights of the axes above.
_GAP, _HEIGHT = 0.08, 0.22
_SCORES = "_scores"  # their name


class KsDisplay(ScoreDisplay):
    r"""KS charts: both rates over the threshold, and where they lie furthest apart, the best split by that measure.

    Of one model the false positive rate has a colour of its own, of several it is a thin line in the colour of the
    model. The upright segment is the Kolmogorov–Smirnov distance; its threshold stands beside it.

    Parameters
    ----------
    tables, classes, max_points
        As for `RocDisplay`.

    Attributes
    ----------
    lines_, line_ : matplotlib lines, and the first of them
        True positive rates.
    fpr_lines_ : list of matplotlib lines
        False positive rates.
    distances_ : list of matplotlib lines
        The segments.
    text_ : matplotlib text or None
        What stands beside the segment of a single model.
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.KsDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.text_.get_text()
    'KS = 0.5000\nat 0.35'
    """

    fpr_lines_: list[Any]
    distances_: list[Any]
    text_: Any

    _most_inside = 2  # the curves of several models leave little space
    _has_keys = True

    def _chart(self, lines: Lines) -> Chart:
        return ks_chart(lines, is_named=False)  # the words are beside the segment

    def _why(self, source: Source) -> str | None:
        return why_no_ks(source)

    def _keep(self, drawn: Drawn) -> None:
        upper, lower, strokes = (drawn[place : 3 * len(self._lines.sources) : 3] for place in range(3))
        self.lines_, self.fpr_lines_ = [line for _, line in upper], [line for _, line in lower]
        self.distances_ = [stroke for series, stroke in strokes if len(series.x)]
        self.reference_lines_, self.text_ = [], None
        for line, (_, stroke) in zip(self.lines_, strokes, strict=True):
            own = {"color": line.get_color(), "linewidth": 0.8}
            look = {"color": line.axes.xaxis.label.get_color(), "linewidth": 1.2} if len(drawn) == 3 else own
            stroke.set(**look, linestyle="-", marker="_", markersize=7, zorder=3)

    def _frame(self, axes: Any, chart: Chart, is_shared: bool) -> None:
        super()._frame(axes, chart, is_shared)
        if len(chart.series) == 3 and self.distances_:
            stroke = chart.series[2]
            words, threshold = stroke.name.replace(" at ", "\nat ").replace(" (", "\n("), float(stroke.x[0])
            to_right, height = self._room(axes, threshold, chart.x_scale)
            self.text_ = beside(axes, threshold, height, words, to_right=to_right)

    def _room(self, axes: Any, threshold: float, stretch: Stretch | None) -> tuple[bool, float]:
        """The side of the segment and the height where words lie on neither curve."""

        def on_axis(values: Any) -> Any:
            return values if stretch is None else stretch.places(values)

        low, high = sorted(self.distances_[0].get_ydata())
        left, right, threshold = np.asarray(on_axis(np.array([*axes.get_xlim(), threshold]))).tolist()
        width, half = 0.24 * (right - left), 0.08
        # Between the curves there is most space on the left of the upper part and on the right of the lower part.
        between = [(False, low + 0.75 * (high - low)), (True, low + 0.25 * (high - low))]
        around = [(side, height) for height in (0.5, 0.3, 0.7, 0.15, 0.85) for side in (False, True)]
        for to_right, height in [*between, *around]:
            start, end = (threshold, threshold + width) if to_right else (threshold - width, threshold)
            places = np.linspace(start, end, 50)
            if (
                left <= start
                and end <= right
                and all(
                    (heights > height + half).all() or (heights < height - half).all()
                    for heights in (_read(line, places, on_axis) for line in (self.lines_[0], self.fpr_lines_[0]))
                )
            ):
                return to_right, height
        return between[0] if threshold > (left + right) / 2 else between[1]


def _read(line: Any, places: Any, on_axis: Any) -> Any:
    """The heights of a line that runs from right to left."""
    x, y = line.get_data()
    return np.interp(places, on_axis(x)[::-1], y[::-1])


class ThresholdIndicesDisplay(ScoreDisplay):
    """Indices of the four counts over the threshold; a point, and the legend, say where each is best.

    Each index has a colour; of several models, each has dashes of its own. Rows with ``score >= threshold`` are
    predicted positive. What is best on these rows is too good an estimate of what will be on others.

    Parameters
    ----------
    tables, max_points
        As for `RocDisplay`.
    indices : list of str, or mapping from str to dict
        Names of indices, in a mapping with their parameters: ``{"fbeta": {"beta": 2}}``.
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, are drawn. Default: none, only all of them together
        (micro).

    Attributes
    ----------
    lines_, line_ : matplotlib lines, and the first of them
        For each model those of all indices.
    best_ : list of matplotlib lines
        A point each, where the index is best; of indices that call no direction better there is none.
    ax_, figure_ : matplotlib axes and figure

    Raises
    ------
    rocksteady.UnknownIndexError
        If there is no such index, or it needs no threshold.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.ThresholdIndicesDisplay.from_predictions(
    ...     [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], indices={"recall": {}, "cost": {"fp": 1, "fn": 5}}
    ... )
    >>> [line.get_label() for line in display.lines_]
    ['recall (best 1 at 0.1)', 'cost (best 1 at 0.4)']
    """

    best_: list[Any]

    _options = (*ScoreDisplay._options, "indices")
    _has_keys = True

    def __init__(
        self,
        tables: Tables,
        *,
        indices: Sequence[str] | Mapping[str, Mapping[str, Any]] = ("precision", "recall", "f1", "mcc"),
        classes: int | Sequence[Any] = 0,
        max_points: int | None = 1000,
    ) -> None:
        super().__init__(tables, classes=classes, max_points=max_points)
        self.indices: dict[str, dict[str, Any]]
        if isinstance(indices, Mapping):
            self.indices = {string(name, "indices"): parameters_of(given, "indices") for name, given in indices.items()}
        else:
            expected = "names of indices, or a mapping from them to parameters"
            self.indices = {string(name, "indices"): {} for name in listed(indices, "indices", expected)}
        if not self.indices:
            raise wrong_value(indices, "indices", "at least one index")

    def _chart(self, lines: Lines) -> Chart:
        return indices_chart(lines, self.indices)

    def _keep(self, drawn: Drawn) -> None:
        super()._keep(drawn)
        self.best_ = [artist for series, artist in drawn if series.kind == "points"]

    def _title(self, lines: Lines) -> str | None:
        single = lines.sources[0].name if lines.is_single else None
        return " ".join(part for part in (single, lines.note) if part) or None


class ScoreDistributionDisplay(ScoreDisplay):
    """Histograms of the scores of each class, from the counts of the score table at the edges of the bins.

    By default each class adds up to 1, so that a rare class is seen, too. Bins take the scores in [lower, upper), the
    last one its upper edge too; they run over [0, 1] where all scores do, else from the lowest score to the highest.

    Parameters
    ----------
    tables, classes
        As for `RocDisplay`. Of several models the positive class is drawn in full, the negative one dashed. Of more
        than two classes the rows of each class are drawn by their own scores.
    bins : int, optional
        How many, at least 1. Default: 50, of fewer than 2,000 rows 20.
    stat : {"share", "count"}
        The share of the class in each bin, or its rows (or their weight).
    threshold : float, optional
        Where rows are called positive: an upright line.

    Attributes
    ----------
    steps_ : list of matplotlib patches
        For each model the histograms of the negative and of the positive class; `lines_` is the same.
    threshold_line_ : matplotlib line or None
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.ScoreDistributionDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=4, stat="count")
    >>> [steps.get_data().values.tolist() for steps in display.steps_]
    [[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
    """

    threshold_line_: Any

    _options = (*ScoreDisplay._options, "bins", "stat", "threshold")

    def __init__(
        self,
        tables: Tables,
        *,
        bins: int | None = None,
        stat: str = "share",
        threshold: float | None = None,
        classes: int | Sequence[Any] = 10,
        max_points: int | None = 1000,
    ) -> None:
        super().__init__(tables, classes=classes, max_points=max_points)
        one_of(stat, "stat", ("share", "count"))
        expected = "a whole number, 1 or more, or None"
        self.bins = bars_for(self._lines) if bins is None else whole(bins, "bins", expected, least=1)
        self.stat = stat
        self.threshold = None if threshold is None else real(threshold, "threshold")

    @property
    def steps_(self) -> list[Any]:
        """The histograms."""
        return self.lines_

    def _chart(self, lines: Lines) -> Chart:
        return distribution_chart(lines, self.bins, stat=self.stat, threshold=self.threshold)

    def _keep(self, drawn: Drawn) -> None:
        super()._keep(drawn)
        self.threshold_line_ = next(iter(self.reference_lines_), None)


class CalibrationDisplay(ScoreDisplay):
    """Calibration curves with the expected calibration error, and the distribution of the scores below.

    Each point is a bin of scores: its mean score and the share of positives in it, for at most two models with Wilson's
    interval of confidence. On the diagonal every probability comes true as often as it says. Below stand the numbers of
    scores. The error is that of the bins drawn if they are of one width, else that of ten such.

    Of more than two classes the first line is that of the top label (`ScoreTables.top_label`): the confidence in the
    predicted class, and how often it came true. The classes against the rest and all of them pooled follow; most of
    their scores are close to 0 and right. Of several such models only the top labels are drawn.

    Parameters
    ----------
    tables, classes, max_points
        As for `RocDisplay`; all scores in [0, 1].
    bins : int
    strategy : {"uniform", "quantile", "isotonic"}
    level : float
        As for `rocksteady.ScoreTable.calibration`.

    Attributes
    ----------
    curves : list of rocksteady.results.Calibration
    lines_, line_ : matplotlib lines, and the first of them
    intervals_ : list of matplotlib collections
    scores_ax_ : matplotlib axes
        Those below.
    bars_ : list of matplotlib patches
        The numbers of scores.
    reference_lines_ : list of matplotlib lines
    ax_, figure_ : matplotlib axes and figure

    Raises
    ------
    rocksteady.InputError
        If a score lies outside [0, 1].

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.CalibrationDisplay.from_predictions([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9], bins=2)
    >>> display.line_.get_ydata().round(3)
    array([0.333, 0.667])
    """

    scores_ax_: Any
    intervals_: list[Any]
    bars_: list[Any]

    _has_top_label = True
    _most_inside = 2  # the curves of several models leave little space
    _method: ClassVar[Any] = "predict_proba"
    _options = (*ScoreDisplay._options, "bins", "strategy", "level")
    _size: ClassVar[tuple[float, float]] = (5.4, 5.6)

    def __init__(
        self,
        tables: Tables,
        *,
        bins: int = 10,
        strategy: Strategy = "uniform",
        level: float = 0.95,
        classes: int | Sequence[Any] = 10,
        max_points: int | None = 1000,
    ) -> None:
        super().__init__(tables, classes=classes, max_points=max_points)
        # The number in the legend belongs to the bins that are drawn, if it is a number of such bins.
        self._number_of = {"bins": bins} if isinstance(strategy, str) and strategy == "uniform" else {}
        self.curves: list[Calibration] = [
            source.table.calibration(bins, strategy=strategy, level=level) for source in self._lines.sources
        ]

    def plot(
        self, ax: Any = None, *, reference: bool = True, legend: bool = True, scores: bool = True, **kwargs: Any
    ) -> Self:
        """Draws on `ax`, or on the axes of a new figure.

        Parameters
        ----------
        ax : matplotlib axes, optional
        reference, legend : bool
        scores : bool
            Whether the scores stand below.
        **kwargs
            matplotlib's properties of all lines.

        Returns
        -------
        the display
        """
        self._with_scores = flag(scores, "scores")
        return super().plot(ax, reference=reference, legend=legend, **kwargs)

    def _chart(self, lines: Lines) -> Chart:
        chart = calibration_chart(lines, self.curves, **self._number_of)
        self._counts = calibration_counts_chart(lines, bars_for(lines))
        # matplotlib draws intervals in its own way.
        return replace(chart, series=tuple(each for each in chart.series if not each.is_faint))

    def _keep(self, drawn: Drawn) -> None:
        super()._keep(drawn)
        pairs = list(zip(self.curves, self.lines_, strict=True))
        self.intervals_ = [
            line.axes.vlines(curve.mean_score, curve.low, curve.high, color=line.get_color(), alpha=0.5, linewidth=1)
            for curve, line in (pairs if len(pairs) <= 2 else [])
            if line.get_marker() != "None"
        ]

    def _frame(self, axes: Any, chart: Chart, is_shared: bool) -> None:
        super()._frame(axes, chart, is_shared)
        self.bars_, self.scores_ax_ = [], None
        if not self._with_scores:
            return
        earlier = (inset for inset in axes.child_axes if inset.get_label() == _SCORES)
        below = next(earlier, None) or axes.inset_axes((0, -_GAP - _HEIGHT, 1, _HEIGHT), sharex=axes, label=_SCORES)
        counts = self._counts
        is_filled = len(counts.series) == 1
        filled = {"fill": True, "alpha": 0.45} if is_filled else {"fill": False, "linewidth": 1.0}
        for series in counts.series:
            rows, edges = _with_gaps(series.y, series.edges)
            self.bars_.append(below.stairs(rows, edges, color=self.lines_[series.model or 0].get_color(), **filled))
        below.set(ylabel=counts.y_label, xlabel=axes.get_xlabel())
        below.set_ylim(bottom=0, auto=None)  # another display may have taller bars
        below.spines[["top", "right"]].set_visible(False)
        below.locator_params(axis="y", nbins=2)
        axes.tick_params(labelbottom=False)
        axes.set_xlabel("")
        self.scores_ax_ = below


def _with_gaps(rows: Any, edges: Any) -> tuple[Any, Any]:
    """The bins from the first to the last with rows; neighbouring empty bins are one."""
    filled = np.flatnonzero(rows)
    if not len(filled):  # all weights are zero
        return np.zeros(1), edges[[0, -1]]
    kept = np.unique([filled, filled + 1])
    return np.where(np.isin(kept[:-1], filled), rows[kept[:-1]], 0.0), edges[kept]

"""Charts over the score or the threshold: KS, indices, costs, distribution of the scores, calibration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.table import number, one_line
from rocksteady.charts.chart import (
    INDEX,
    PROBABILITY,
    ROWS,
    SELECTED,
    SHARE,
    THRESHOLD,
    UNIT,
    Axis,
    Chart,
    Series,
    ends,
    reference,
)
from rocksteady.charts.palette import style
from rocksteady.charts.scale import stretch_of
from rocksteady.charts.source import FAR, Reach, reach
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from rocksteady.charts.chart import Kind, Range
    from rocksteady.charts.source import Lines, Source
    from rocksteady.costs.cost_table import CostTable
    from rocksteady.scores.calibration import Calibration
    from rocksteady.scores.curves.ks import KS
    from rocksteady.scores.points import Best
    from rocksteady.scores.score_table import ScoreTable

_NONE: Final = np.empty(0)
_BY_THRESHOLD: Final = (THRESHOLD.index,)


def _across(axis: Reach) -> dict[str, Any]:
    """The range, the ticks and the scale of the x axis of scores."""
    return {"x_range": axis.shown, "x_ticks": axis.ticks, "x_scale": axis.stretch}


def _upright(name: str, place: float, height: Range, **more: Any) -> Series:
    return reference(name, [place, place], height, **more)


# Kolmogorov-Smirnov ---------------------------------------------------------------------------------------------------

KS_TITLE: Final = "Kolmogorov–Smirnov"
_AT_OR_ABOVE: Final = Axis("Share at or above the threshold")


def why_no_ks(source: Source) -> str | None:
    """Why the source has no such chart."""
    return source.why("ks")


def ks_chart(lines: Lines, *, is_named: bool = True, threshold: float | None = None) -> Chart:
    """Both rates of each source over the threshold, and the stroke between them where they lie furthest apart.

    Each source has three series, in this order. The rates of a single one have colours of their own; `is_named` says
    whether the legend has its stroke, too. The axis reaches to `threshold`, the one in use.
    """
    splits = [source.table.ks() for source in lines.sources]
    axis = reach(lines.sources, [threshold, *(split.threshold for split in splits)])
    series = [
        each
        for source, split in zip(lines.sources, splits, strict=True)
        for each in _both_rates(source, split, axis, lines.is_single, is_named)
    ]
    if not lines.is_single:
        entry = "thin: false positive rate"
        series.append(Series(entry, _NONE, _NONE, None, "line", None, dashes=(), is_faint=True))
    return Chart(
        "ks",
        KS_TITLE,
        "Both rates at each threshold. The further apart they are, the better. The upright stroke marks the greatest "
        "distance, which is the KS statistic." + _stretched(axis),
        THRESHOLD.label,
        lines.label(_AT_OR_ABOVE.label),
        tuple(series),
        y_range=UNIT,
        follows=_BY_THRESHOLD,
        **_across(axis),
    )


def _stretched(axis: Reach) -> str:
    """A sentence of the caption about a stretched axis of scores."""
    return "" if axis.stretch is None else " The axis of scores is stretched where most rows are."


def _both_rates(source: Source, ks: KS, axis: Reach, single: bool, is_named: bool) -> list[Series]:
    why = why_no_ks(source)
    found = np.isfinite(ks.threshold)  # infinite where the best split is between the missing scores and the others
    single = single and bool(found)
    of = f"{source.name}: " if source.name is not None else ""
    distance = f"KS = {ks.value:.4f} at {number(ks.threshold, 4)}" + (" (reversed)" if ks.sign < 0 else "")
    names = (f"{of}true positive rate" if single else source.words(distance, why)), f"{of}false positive rate"
    kind: Kind = "line"
    x, rates = _NONE, (_NONE, _NONE)
    if not why and source.is_sampled:
        kind, x = "step", np.unique(np.append(source.thresholds(axis), ks.threshold))
        counts = source.table.at(x)
        rates = np.asarray(counts["recall"]), np.asarray(counts["fpr"])
    elif not why:
        curve = source.table.ks_curve(source.max_points)
        known = np.isfinite(curve.thresholds)
        x, rates = curve.thresholds[known], (curve.tpr[known], curve.fpr[known])
    below: dict[str, Any] = {"style": 1} if single else {"entry": "", "is_faint": True}
    stroke = reference(distance, _NONE, _NONE, entry="")
    if found:
        at = source.table.at(ks.threshold)
        entry = None if single and is_named else ""
        stroke = _upright(distance, ks.threshold, (float(at["fpr"]), float(at["recall"])), entry=entry)
    upper = source.series(names[0], x, rates[0], kind, thresholds=x)
    return [upper, source.series(names[1], x, rates[1], kind, thresholds=x, **below), stroke]


def distances_chart(lines: Lines) -> Chart:
    """The distance between both rates of several models, over what they have in common."""
    series: list[Series] = []
    for source in lines.sources:
        ks = source.table.ks()
        at = source.table.at(ks.threshold)
        name = source.words(f"KS = {ks.value:.3f}")
        x, y, thresholds = source.points("", "rpp", "informedness")
        series.append(source.series(name, x, y, thresholds=thresholds))
        series.append(_dot(name, source, float(at["rpp"]), float(at["informedness"]), ks.threshold))
    least, most = ends((line.y for line in series), (0.0,))
    return Chart(
        "ks",
        KS_TITLE,
        "The true positive rate minus the false positive rate, at each share of rows selected. Higher is better. The "
        "dot marks the highest point of a model, its KS statistic. The dashed line is a random model.",
        SELECTED.label,
        "True less false positive rate",
        (*series, reference("chance", UNIT, [0.0, 0.0])),
        UNIT,
        (1.05 * least, max(1.05 * most, 0.05)),
        follows=("rpp", "informedness"),
    )


def _dot(name: str, source: Source, x: float, y: float, threshold: float, **more: Any) -> Series:
    place = [np.array([float(number)]) for number in (x, y, threshold)]
    return source.series(name, place[0], place[1], "points", thresholds=place[2], **more)


# Indices and costs over the threshold ---------------------------------------------------------------------------------


def indices_chart(
    lines: Lines,
    wanted: Mapping[str, Mapping[str, Any]],
    *,
    best: Container[str] | None = None,
    threshold: float | None = None,
    known: Mapping[str, Best] | None = None,
) -> Chart:
    """Indices over the threshold, with a dot where each is best.

    Parameters
    ----------
    lines : Lines
        Of a single source each index has a colour and dashes; of several each source has dashes.
    wanted : mapping from names of indices to parameters
    best : container of str, optional
        The indices that have a dot. Default: all that call a direction better.
    threshold : float, optional
        The one in use: an upright line.
    known : mapping from names of indices to Best, optional
        The best thresholds that have been looked for already, of a single source.
    """

    def best_of(source: Source, name: str, parameters: Mapping[str, Any]) -> Best | None:
        if index(name).better == "neither" if best is None else name not in best:
            return None
        return (known or {}).get(name) or source.table.best(name, **parameters)

    series: list[Series] = []
    bests = {
        (row, name): best_of(source, name, parameters)
        for row, source in enumerate(lines.sources)
        for name, parameters in wanted.items()
    }
    axis = reach(lines.sources, [threshold, *(found.threshold for found in bests.values() if found is not None)])
    for row, source in enumerate(lines.sources):
        for place, (name, parameters) in enumerate(wanted.items()):
            found = bests[row, name]
            entry = None if lines.is_single else "" if row else name
            dashes = None if lines.is_single else style(source.style).dashes
            look = {"style": place, "entry": entry, "dashes": dashes}
            series += _index(source, axis, lines.is_single, name, parameters, found, look)
    if not lines.is_single:
        series += [
            reference(source.name or "", _NONE, _NONE, dashes=style(source.style).dashes) for source in lines.sources
        ]
    least, most = ends((line.y for line in series), UNIT)
    if threshold is not None and np.isfinite(threshold):
        series.append(_upright(f"threshold {number(float(threshold), 4)}", float(threshold), (least, most)))
    return Chart(
        "indices",
        "Indices over the threshold",
        "Each index at each threshold. The dot marks the best value of an index. On other rows the same threshold "
        "usually does a little worse." + _stretched(axis),
        lines.label(THRESHOLD.label),
        INDEX.label,
        tuple(series),
        y_range=(1.05 * least, most),
        follows=_BY_THRESHOLD,
        **_across(axis),
    )


def _index(
    source: Source,
    axis: Reach,
    single: bool,
    name: str,
    parameters: Mapping[str, Any],
    best: Best | None,
    look: Mapping[str, Any],
) -> list[Series]:
    """The line of an index, and the dot of its best threshold."""
    words = name if single or source.name is None else f"{source.name}: {name}"
    if best is not None and best.value != best.value:
        words += " (undefined at every threshold)"
    elif best is not None:
        words += f" (best {number(best.value, 3)} at {number(best.threshold, 3)})"
    kind: Kind = "line"
    if source.is_sampled:
        x, kind = source.thresholds(axis), "step"
        y = np.asarray(source.table.at(x).value(name, **parameters))
        known = np.isfinite(y)
    else:
        curve = source.table.curve("threshold", name, **parameters).simplify(source.max_points)
        x, y, known = curve.x, curve.y, np.isfinite(curve.x)
    found = [source.series(words, x[known], y[known], kind, thresholds=x[known], **look)]
    if best is not None and np.isfinite(best[:2]).all():
        found.append(_dot(words, source, best.threshold, best.value, best.threshold, **look))
    return found


def mean_cost_chart(
    lines: Lines, costs: Mapping[str, Any] | Sequence[CostTable], thresholds_in_use: Sequence[float | None] = ()
) -> Chart:
    """What a row costs at each threshold, or at each share of rows selected where thresholds are no common axis.

    The costs are those of the outcomes, or the cost table of each source.
    """
    by_row = None if isinstance(costs, Mapping) else costs
    given: Mapping[str, Any] = costs if isinstance(costs, Mapping) else {}
    common = lines.is_single or all(source.is_probability for source in lines.sources)
    series: list[Series] = []
    bests = [source.table.best("cost", **given) for source in lines.sources]  # as in the threshold explorer
    if by_row is not None:
        bests = [table.best() for table in by_row]
    together = reach(lines.sources, [*thresholds_in_use, *(best.threshold for best in bests)])
    for place, (source, best) in enumerate(zip(lines.sources, bests, strict=True)):
        thresholds = source.thresholds(together if common else reach([source]))
        counts = source.table.at(thresholds)
        if by_row is None:
            least = float(best.counts().value("mean_cost", **given))
            means = np.asarray(counts.value("mean_cost", **given))
        else:
            table = by_row[place]
            least = best.value / (table.positives + table.negatives)
            ascending = table.thresholds[::-1]
            means = table.every("mean_cost")[::-1][np.searchsorted(ascending, thresholds).clip(max=len(table))]
        name = source.words(f"least {number(least, 4)} at {number(best.threshold, 4)}")
        x = thresholds if common else np.asarray(counts["rpp"])
        y = np.clip(means, -FAR, FAR)
        series.append(source.series(name, x, y, "step" if common else "line", thresholds=thresholds))
        at = best.threshold if common else float(best.counts()["rpp"])
        if np.isfinite([at, least]).all():
            series.append(_dot(name, source, at, least, best.threshold))
    low, high = ends(line.y for line in series)
    return Chart(
        "mean_cost",
        "Cost over the threshold" if common else "Cost over the share selected",
        "The mean cost of a row, by the costs given. Lower is better. The dot marks the least cost on these rows."
        + (_stretched(together) if common else ""),
        (THRESHOLD if common else SELECTED).label,
        "Mean cost of a row",
        tuple(series),
        y_range=(min(0.0, 1.05 * low), max(1.05 * high, 0.0) or float(low == 0)),
        follows=_BY_THRESHOLD if common else (),
        **_across(together if common else Reach(UNIT)),
    )


# Distribution of the scores -------------------------------------------------------------------------------------------


def bars_for(lines: Lines) -> int:
    """Into how many bars the scores are to be counted: fewer where there are few rows."""
    return 50 if max(source.table.rows for source in lines.sources) >= 2000 else 20


def distribution_chart(
    lines: Lines, bins: int, *, stat: str = "share", threshold: float | None = None, is_whole: bool = True
) -> Chart:
    """The scores of each class in bins, the negative class first.

    Parameters
    ----------
    lines : Lines
        Of several models the positive class has unbroken lines, the negative one dashes. Of classes each has the rows
        of its own.
    bins : int
    stat : {"share", "count"}
        The share of the class in each bin, or its rows (or their weight).
    threshold : float, optional
        The one in use: an upright line.
    is_whole : bool
        Whether the bins have all scores; else those far out lie beyond the axis, and the caption says how many.
    """
    series: list[Series] = []
    beyond = 0.0
    if is_whole:
        shown = ends(np.array(_ends(source.table)) for source in lines.shown)
        axis = Reach(shown, stretch_of(shown, [source.quartiles for source in lines.shown]))
    else:
        axis = reach(lines.shown, [threshold])
    for source in lines.shown:
        own = Reach(_ends(source.table), axis.stretch) if is_whole else axis
        found, left = _histograms(lines, source, own, bins, stat)
        series += found
        beyond += left
    top = 1.05 * (ends((line.y for line in series), (0.0,))[1] or 1.0)
    if threshold is not None and np.isfinite(threshold):
        series.append(_upright(f"threshold {number(threshold, 4)}", threshold, (0.0, top)))
    about = (
        "The scores of each class, as shares of the class. The less the classes overlap, the better the scores "
        "separate them." + _stretched(axis)
    )
    return Chart(
        "score_distribution",
        "Distribution of the scores",
        about + (f" {number(beyond, 15)} rows lie beyond the axis." if beyond > 0 else ""),
        lines.label("Score"),
        (SHARE if stat == "share" else ROWS).label,
        tuple(series),
        y_range=(0.0, top),
        follows=_BY_THRESHOLD,
        **_across(axis),
    )


def _ends(table: ScoreTable) -> Range:
    """The lowest and the highest finite score, made different; 0 and 1 for scores between them."""
    all_rows = table.gains(1)
    low, high = float(all_rows.lowest[0]), float(all_rows.highest[0])
    if not np.isfinite([low, high]).all():
        scores = table.thresholds.astype(np.float64)
        finite = scores[np.isfinite(scores)]
        low, high = (float(finite[-1]), float(finite[0])) if len(finite) else UNIT
    if low >= 0 and high <= 1:
        return UNIT
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _histograms(lines: Lines, source: Source, axis: Reach, bins: int, stat: str) -> tuple[list[Series], float]:
    """The bars of the negative and the positive class, and the number of rows outside all bins. The last bin is closed above."""
    table, edges = source.table, axis.spread(bins + 1)
    above, beyond = table.at(edges), table.at(float(edges[-1]), side=">")
    labels = ["rest", source.name] if lines.is_of_classes else [one_line(label) for label in source.classes]
    name = f"{source.name}, " if source.name is not None and not lines.is_of_classes else ""
    own = lines.is_of_classes
    found: list[Series] = []
    left = 0.0
    for place, (label, count, share, total) in enumerate(
        zip(labels, ("fp", "tp"), ("fpr", "recall"), (table.negatives, table.positives), strict=True)
    ):
        if total == 0 or (own and len(lines.sources) > 1 and place == 0):
            continue
        upwards, last = (
            np.asarray(getattr(counts, count) if stat == "count" else counts[share]) for counts in (above, beyond)
        )
        falling = np.append(upwards[:-1], last)
        left += float(total - getattr(above, count)[0] + getattr(beyond, count))
        look: dict[str, Any] = {}
        if not own:
            look = {"style": 1 - place} if len(lines.sources) == 1 else {"dashes": () if place else (2, 1.5)}
        middles, bars = axis.middles(edges), falling[:-1] - falling[1:]
        found.append(source.series(f"{name}{label} ({number(total, 6)})", middles, bars, "bars", edges=edges, **look))
    return found, left


# Calibration ----------------------------------------------------------------------------------------------------------


CALIBRATION_TITLE: Final = "Calibration"
#: If one bin of equal width holds this share of the rows, such bins do not show the calibration of most rows.
CROWDED: Final = 0.5


def calibration_chart(lines: Lines, curves: Sequence[Calibration], **bins: int) -> Chart:
    """How often each probability came true: of each source a line with its points, and the intervals of these.

    Where most probabilities are close together and the bins follow them, both axes are stretched alike, so that the
    diagonal stays straight.

    Parameters
    ----------
    lines : Lines
    curves : sequence of Calibration
        That of each source.
    **bins
        The ``bins`` of the error in the legend, if they are not its own.
    """
    series: list[Series] = []
    for source, curve in zip(lines.sources, curves, strict=True):
        value = source.value("expected_calibration_error", **bins)
        name = source.words(f"ECE = {value:.3f}", source.why("expected_calibration_error", **bins))
        gaps = np.full(len(curve), np.nan)
        # A gap needs an x, too: Chart.js searches the visible points by x, and skips the points after one without x.
        across = np.stack((curve.mean_score,) * 3, axis=1).ravel()
        along = np.stack((curve.low, curve.high, gaps), axis=1).ravel()
        kinds: tuple[Kind, ...] = ("line", "points")
        series += [source.series(name, curve.mean_score, curve.observed, kind) for kind in kinds]
        series.append(source.series(name, across, along, is_faint=True))
    uniform = all(curve.strategy == "uniform" for curve in curves)
    stretch = None if uniform else stretch_of(UNIT, [source.quartiles for source in lines.sources])
    top = min(1.0, 1.05 * ends((values for line in series for values in (line.x, line.y)), (0.0,))[1]) or 1.0
    axis = Reach(UNIT if stretch is None else (0.0, top), stretch)
    return Chart(
        "calibration",
        CALIBRATION_TITLE,
        "The share of positives in each bin of predicted probability. Points on the dashed diagonal are right. Below "
        "it the probabilities are too high, above it too low. Upright strokes are 95% confidence intervals. ECE is the "
        "mean distance from the diagonal: lower is better."
        + ("" if stretch is None else " Both axes are stretched where most rows are."),
        PROBABILITY.label,
        lines.label("Share of positives"),
        (*series, reference("ideal", axis.shown, axis.shown)),
        y_range=axis.shown,
        y_ticks=axis.ticks,
        y_scale=axis.stretch,
        **_across(axis),
    )


def most_in_one_bin(table: ScoreTable, bins: int) -> float:
    """The greatest share of the rows that one of some bins of one width has; NaN without rows."""
    weight = table.calibration(bins).weight
    return float(weight.max() / weight.sum()) if len(weight) and weight.sum() > 0 else float("nan")


def calibration_counts_chart(lines: Lines, bins: int) -> Chart:
    """How many rows have scores in each of some bins of one width."""
    series: list[Series] = []
    edges = np.linspace(0.0, 1.0, bins + 1)
    for source in lines.shown:
        curve = source.table.calibration(bins)
        rows = np.zeros(bins)
        rows[np.rint(curve.lower * bins).astype(np.int64)] = curve.weight
        middles = (edges[:-1] + edges[1:]) / 2
        series.append(source.series(source.name or "rows", middles, rows, "bars", edges=edges))
    return Chart(
        "calibration_counts",
        "Rows behind the calibration",
        "The number of rows in each bin of predicted probability. Where there are few rows, the calibration is uncertain.",
        PROBABILITY.label,
        ROWS.label,
        tuple(series),
        UNIT,
        (0.0, 1.05 * ends((line.y for line in series), (1.0,))[1]),
    )

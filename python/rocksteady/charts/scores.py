"""Charts over the score or the threshold: KS, indices, costs, distribution of the scores, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.table import number, one_line
from rocksteady.charts.chart import PROBABILITY, ROWS, SELECTED, THRESHOLD, UNIT, Axis, Chart, Series, ends, reference
from rocksteady.charts.palette import style
from rocksteady.charts.source import FAR
from rocksteady.registry import index
from rocksteady.scores.thresholds import threshold_grid

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from rocksteady.charts.chart import Kind, Range
    from rocksteady.charts.source import Lines, Source
    from rocksteady.scores.calibration import Calibration
    from rocksteady.scores.points import Best
    from rocksteady.scores.score_table import ScoreTable

_NONE: Final = np.empty(0)
_BY_THRESHOLD: Final = (THRESHOLD.index,)


def _spans(sources: Sequence[Source]) -> Range:
    return ends(np.array(source.span) for source in sources)


def _upright(name: str, place: float, height: Range, **more: Any) -> Series:
    return reference(name, [place, place], height, **more)


# Kolmogorov-Smirnov ---------------------------------------------------------------------------------------------------

KS_TITLE: Final = "Kolmogorov–Smirnov"
_AT_OR_ABOVE: Final = Axis("Share at or above the threshold")


def why_no_ks(source: Source) -> str | None:
    """Why the source has no such chart."""
    return source.why("ks")


def ks_chart(lines: Lines, *, is_named: bool = True) -> Chart:
    """Both rates of each source over the threshold, and the stroke between them where they lie furthest apart.

    Each source has three series, in this order. The rates of a single one have colours of their own; `is_named` says
    whether the legend has its stroke, too.
    """
    series = [each for source in lines.sources for each in _both_rates(source, lines.is_single, is_named)]
    if not lines.is_single:
        entry = "thin: false positive rate"
        series.append(Series(entry, _NONE, _NONE, None, "line", None, dashes=(), is_faint=True))
    return Chart(
        "ks",
        KS_TITLE,
        "The true and the false positive rate at each threshold. The further apart, the better. The upright stroke "
        "marks the greatest distance, which is the KS statistic.",
        THRESHOLD.label,
        lines.label(_AT_OR_ABOVE.label),
        tuple(series),
        _spans(lines.sources),
        UNIT,
        follows=_BY_THRESHOLD,
    )


def _both_rates(source: Source, single: bool, is_named: bool) -> list[Series]:
    ks, why = source.table.ks(), why_no_ks(source)
    found = np.isfinite(ks.threshold)  # it is not where the best split is between the missing scores and the others
    single = single and bool(found)
    of = f"{source.name}: " if source.name is not None else ""
    distance = f"KS = {ks.value:.4f} at {number(ks.threshold, 4)}" + (" (reversed)" if ks.sign < 0 else "")
    names = (f"{of}true positive rate" if single else source.words(distance, why)), f"{of}false positive rate"
    kind: Kind = "line"
    x, rates = _NONE, (_NONE, _NONE)
    if not why and source.is_sampled:
        kind, x = "step", np.unique(np.append(source.thresholds, ks.threshold))
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
        "The true positive rate less the false positive rate, for each share of rows selected. Higher is better; the "
        "dot, where a model is highest, is its KS statistic. The dashed line is chance.",
        SELECTED.label,
        "True less false positive rate",
        (*series, reference("chance", UNIT, [0.0, 0.0])),
        UNIT,
        (1.05 * least, max(1.05 * most, 0.05)),
        follows=("rpp", "informedness"),
    )


def _dot(name: str, source: Source, x: float, y: float, threshold: float, **more: Any) -> Series:
    return source.series(name, np.array([x]), np.array([y]), "points", thresholds=np.array([threshold]), **more)


# Indices and costs over the threshold ---------------------------------------------------------------------------------


def indices_chart(
    lines: Lines,
    wanted: Mapping[str, Mapping[str, Any]],
    *,
    best: Container[str] | None = None,
    threshold: float | None = None,
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
    """
    series: list[Series] = []
    for row, source in enumerate(lines.sources):
        for place, (name, parameters) in enumerate(wanted.items()):
            has_best = index(name).better != "neither" if best is None else name in best
            found = source.table.best(name, **parameters) if has_best else None
            entry = None if lines.is_single else "" if row else name
            dashes = None if lines.is_single else style(source.style).dashes
            look = {"style": place, "entry": entry, "dashes": dashes}
            series += _index(source, lines.is_single, name, parameters, found, look)
    if not lines.is_single:
        series += [
            reference(source.name or "", _NONE, _NONE, dashes=style(source.style).dashes) for source in lines.sources
        ]
    least, most = ends((line.y for line in series), UNIT)
    shown = _spans(lines.sources)
    if threshold is not None and shown[0] <= threshold <= shown[1]:
        series.append(_upright(f"threshold {number(float(threshold), 4)}", float(threshold), (least, most)))
    return Chart(
        "indices",
        "Indices over the threshold",
        "Each index at each threshold. A dot marks the best value of an index; on other rows the same threshold will "
        "do a little worse.",
        lines.label(THRESHOLD.label),
        "Index",
        tuple(series),
        shown,
        (1.05 * least, most),
        follows=_BY_THRESHOLD,
    )


def _index(
    source: Source, single: bool, name: str, parameters: Mapping[str, Any], best: Best | None, look: Mapping[str, Any]
) -> list[Series]:
    """The line of an index, and the dot."""
    words = name if single or source.name is None else f"{source.name}: {name}"
    if best is not None and best.value != best.value:
        words += " (undefined at every threshold)"
    elif best is not None:
        words += f" (best {number(best.value, 3)} at {number(best.threshold, 3)})"
    kind: Kind = "line"
    if source.is_sampled:
        x, kind = source.thresholds, "step"
        y = np.asarray(source.table.at(x).value(name, **parameters))
        known = np.isfinite(y)
    else:
        curve = source.table.curve("threshold", name, **parameters).simplify(source.max_points)
        x, y, known = curve.x, curve.y, np.isfinite(curve.x)
    found = [source.series(words, x[known], y[known], kind, thresholds=x[known], **look)]
    if best is not None and np.isfinite(best[:2]).all():
        found.append(_dot(words, source, best.threshold, best.value, best.threshold, **look))
    return found


def mean_cost_chart(lines: Lines, costs: Mapping[str, Any]) -> Chart:
    """What a row costs at each threshold, or at each share of rows selected where thresholds are no common axis."""
    common = lines.is_single or all(source.is_probability for source in lines.sources)
    series: list[Series] = []
    for source in lines.sources:
        thresholds = source.thresholds
        counts = source.table.at(thresholds)
        best = source.table.best("cost", **costs)  # as the threshold explorer has it
        least = float(best.counts().value("mean_cost", **costs))
        name = source.words(f"least {number(least, 4)} at {number(best.threshold, 4)}")
        x = thresholds if common else np.asarray(counts["rpp"])
        y = np.clip(np.asarray(counts.value("mean_cost", **costs)), -FAR, FAR)
        series.append(source.series(name, x, y, "step" if common else "line", thresholds=thresholds))
        at = best.threshold if common else float(best.counts()["rpp"])
        if np.isfinite([at, least]).all():
            series.append(_dot(name, source, at, least, best.threshold))
    low, high = ends(line.y for line in series)
    return Chart(
        "mean_cost",
        "Cost over the threshold" if common else "Cost over the share selected",
        "What a row costs on average, by the costs given. Lower is better; the dot is where it is least on these rows.",
        (THRESHOLD if common else SELECTED).label,
        "Mean cost of a row",
        tuple(series),
        _spans(lines.sources) if common else UNIT,
        (min(0.0, 1.05 * low), max(1.05 * high, 0.0) or float(low == 0)),
        follows=_BY_THRESHOLD if common else (),
    )


# How scores are distributed -------------------------------------------------------------------------------------------


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
    outer, beyond = [], 0.0
    for source in lines.shown:
        low, high = _ends(source.table) if is_whole else source.span
        outer.append(np.array([low, high]))
        found, left = _histograms(lines, source, low, high, bins, stat)
        series += found
        beyond += left
    shown = ends(outer)
    top = 1.05 * (ends((line.y for line in series), (0.0,))[1] or 1.0)
    if threshold is not None and np.isfinite(threshold):
        series.append(_upright(f"threshold {number(threshold, 4)}", threshold, (0.0, top)))
    about = (
        "How the scores of each class are distributed, as shares of the class. The less the classes overlap, the "
        "better the scores tell them apart."
    )
    return Chart(
        "score_distribution",
        "Distribution of the scores",
        about + (f" {number(beyond, 15)} rows lie beyond the axis." if beyond > 0 else ""),
        "Score",
        "Share of the class" if stat == "share" else ROWS.label,
        tuple(series),
        shown,
        (0.0, top),
        follows=_BY_THRESHOLD,
    )


def _ends(table: ScoreTable) -> Range:
    """The lowest and the highest finite score, made apart; 0 and 1 of scores between them."""
    all_rows = table.gains(1)
    low, high = float(all_rows.lowest[0]), float(all_rows.highest[0])
    if not np.isfinite([low, high]).all():
        finite = table.thresholds[np.isfinite(table.thresholds)]
        low, high = (float(finite[-1]), float(finite[0])) if len(finite) else UNIT
    if low >= 0 and high <= 1:
        return UNIT
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _histograms(
    lines: Lines, source: Source, low: float, high: float, bins: int, stat: str
) -> tuple[list[Series], float]:
    """The bars of the negative and the positive class, and the rows outside all bins. The last bin is closed above."""
    fractions = threshold_grid(bins)[::-1]
    edges = low * (1 - fractions) + high * fractions  # a difference may be infinite
    edges[[0, -1]] = low, high
    table = source.table
    above, beyond = table.at(edges), table.at(high, side=">")
    labels = ["rest", source.name] if lines.is_of_classes else [one_line(label) for label in table.labels]
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
        middles, bars = (edges[:-1] + edges[1:]) / 2, falling[:-1] - falling[1:]
        found.append(source.series(f"{name}{label} ({number(total, 6)})", middles, bars, "bars", edges=edges, **look))
    return found, left


# Calibration ----------------------------------------------------------------------------------------------------------


CALIBRATION_TITLE: Final = "Calibration"


def calibration_chart(lines: Lines, curves: Sequence[Calibration], **bins: int) -> Chart:
    """How often each probability came true: of each source a line with its points, and the intervals of these.

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
        across = np.stack((curve.mean_score, curve.mean_score, gaps), axis=1).ravel()
        along = np.stack((curve.low, curve.high, gaps), axis=1).ravel()
        kinds: tuple[Kind, ...] = ("line", "points")
        series += [source.series(name, curve.mean_score, curve.observed, kind) for kind in kinds]
        series.append(source.series(name, across, along, is_faint=True))
    return Chart(
        "calibration",
        CALIBRATION_TITLE,
        "The share of positives in each bin of predicted probability. On the dashed diagonal the probabilities are "
        "right; below it they are too high, above it too low. Upright strokes are 95% confidence intervals. ECE is the "
        "mean distance from the diagonal: lower is better.",
        PROBABILITY.label,
        lines.label("Share of positives"),
        (*series, reference("ideal", UNIT, UNIT)),
        UNIT,
        UNIT,
    )


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
        "The number of rows in each bin of predicted probability. Where there are few, the calibration is uncertain.",
        PROBABILITY.label,
        ROWS.label,
        tuple(series),
        UNIT,
        (0.0, 1.05 * ends((line.y for line in series), (1.0,))[1]),
    )

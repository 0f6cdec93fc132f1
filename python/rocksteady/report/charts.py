"""The charts of an evaluation, as far as its statistics give them, in order."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady.base.table import one_line
from rocksteady.charts.chart import Series
from rocksteady.charts.classes import prediction_errors_chart, recall_and_precision_chart
from rocksteady.charts.curves import CURVES, ROC
from rocksteady.charts.differences import differences_chart, plotted
from rocksteady.charts.groups import MOST_CURVES, MOST_ROWS, curve_charts, forest_chart, forest_of, values_chart
from rocksteady.charts.leaderboard import leaderboard_chart
from rocksteady.charts.palette import COLOURS
from rocksteady.charts.scores import (
    CROWDED,
    calibration_chart,
    calibration_counts_chart,
    distances_chart,
    distribution_chart,
    indices_chart,
    ks_chart,
    mean_cost_chart,
    most_in_one_bin,
)
from rocksteady.charts.source import Lines, Source
from rocksteady.costs.cost_table import CostTable
from rocksteady.errors import InputError
from rocksteady.report.data import fewer
from rocksteady.report.differences import board_of, is_compared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocksteady.charts.chart import Chart
    from rocksteady.charts.curves import Curve
    from rocksteady.classes.column_tables import Rankings
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.models.model import Model
    from rocksteady.report.data import Bests

#: The prefix of the keys of charts of groups, and the keys of the charts of differences and of ranks.
OF_GROUPS: Final = "groups"
DIFFERENCES: Final = "differences"
LEADERBOARD: Final = "leaderboard"
# The suffix of the keys of the calibration of top labels.
_TOP_LABEL: Final = "_top_label"
_CALIBRATION: Final = ("calibration_quantile", "calibration", "calibration_counts")
#: The keys of all charts, in the order in which they are shown. Where a chart is of a single one of several models, or of the
#: classes of one, ``_0``, ``_1``, … follows: the place of the model.
KEYS: Final = (
    DIFFERENCES,
    LEADERBOARD,
    *(f"{curve.key}{of}" for curve in CURVES if curve.is_main for of in ("", "_classes")),
    *("prediction_errors", "classes", "score_distribution", "ks"),
    *(f"{key}{of}" for of in (_TOP_LABEL, "") for key in _CALIBRATION),
    *(curve.key for curve in CURVES if not curve.is_main),
    *("indices", "mean_cost"),
    *(OF_GROUPS, f"{OF_GROUPS}_values", *(f"{OF_GROUPS}_roc{place}" for place in range(MOST_CURVES))),
)

# The page has the curves of at most this many classes; those not drawn at first have fewer points.
_MOST_LISTED: Final = 40
_ALL_POINTS: Final = 4_000
# The averages of classes are drawn up to this many scores times classes.
_CELLS: Final = 5_000_000
# Bands are drawn for at most this many models, and up to this many rows: beyond, they are hardly wider than the line.
_MOST_BANDS: Final = 3
_BANDED_ROWS: Final = 10_000
_BARS: Final = 40
_BINS: Final = 10
_INDICES: Final = ("recall", "precision", "f1", "mcc", "accuracy")
_BEST: Final = ("f1", "mcc", "accuracy")  # of which a best threshold says something
_EACH: Final = {"classes": "Each class against the rest", "labels": "Each label"}
_DOT: Final = " The dot of each model is at the threshold in use, or at its own predictions."


def charts(evaluation: Evaluation, bests: Bests | None = None, first: int = 0) -> list[Chart]:
    """All charts of an evaluation, in the order of `KEYS`; only those that its statistics have.

    No line has more than `MAX_POINTS` points, whatever the number of rows.

    Parameters
    ----------
    evaluation : Evaluation
    bests : dict, optional
        The best thresholds that have been looked for already: by the place of the model, then by the index.
    first : int
        The place of the model that others are compared with.
    """
    models = list(evaluation.models.values())
    if evaluation.is_binary:
        positive = f" Positive class: {one_line(evaluation.pos_label)}."
        of_models = _of_two_classes(models, evaluation, bests or {})
        found = [replace(chart, about=chart.about + positive) for chart in of_models]
    else:
        found = list(_of_classes(models))
    if is_compared(evaluation):
        names = list(evaluation.models)
        pairs = list(combinations([names.pop(first), *names], 2))
        found.append(differences_chart(plotted(evaluation._comparison, None, pairs)))
        board = board_of(evaluation)
        found += [] if board is None else [leaderboard_chart(board)]
    found += _of_groups(evaluation)
    place = {key: place for place, key in enumerate(KEYS)}
    shown = [chart for chart in map(_drawn, found) if any(series.model is not None for series in chart.series)]
    return sorted(shown, key=lambda chart: place[re.sub(r"_\d+$", "", chart.key)])


def _of_groups(evaluation: Evaluation) -> Iterator[Chart]:
    """For each model a forest plot of its groups, and the values of many groups or the curves of a few."""
    alone = len(evaluation.models) == 1
    for place, (name, groups) in enumerate(evaluation._groups.items()):
        forest = forest_of(groups, min_rows=evaluation.min_rows)
        if not len(forest.value):
            continue
        some = [forest_chart(forest, place)]
        some += [values_chart(forest, place)] if len(forest.value) > MOST_ROWS else []
        some += curve_charts(groups, forest, place)
        for chart in some:
            of = f": {one_line(name)}"
            yield chart if alone else replace(chart, key=f"{chart.key}_{place}", title=f"{chart.title}{of}")


def _drawn(chart: Chart) -> Chart:
    """A chart without empty series, its references last."""
    series = [line for line in chart.series if len(line.x)]
    return replace(chart, series=tuple(sorted(series, key=lambda line: line.model is None)))


def _sampled(place: int, name: str | None, scores: object, style: int | None = None) -> Source:
    return Source(name, scores, place if style is None else style, place, is_sampled=True)  # type: ignore[arg-type]


def _of_two_classes(models: list[Model], evaluation: Evaluation, bests: Bests) -> Iterator[Chart]:
    negative = next(label for label in evaluation.labels if label != evaluation.pos_label)
    names = (negative, evaluation.pos_label)
    scored = [
        (replace(_sampled(place, one_line(model.name), model.scores), names=names), model)
        for place, model in enumerate(models)
        if model.scores is not None and model.scores.positives > 0 and model.scores.negatives > 0
    ]
    sources = [source for source, _ in scored]
    prevalence = float(models[0].confusion["prevalence"])
    lines = Lines(sources, prevalence=prevalence if prevalence == prevalence else None)
    is_banded = len(sources) <= _MOST_BANDS and all(source.table.rows <= _BANDED_ROWS for source in sources)
    for curve in CURVES:
        if curve.is_main:
            dots = list(_dots(curve, models, sources))
            chart = curve.chart(lines, dots=dots)
            if is_banded:
                with suppress(InputError):  # weights cannot be resampled
                    chart = curve.chart(replace(lines, band="simultaneous"), dots=dots)
            yield replace(chart, about=chart.about + _DOT)
        elif curve.is_of_top_label:
            continue
        elif some := [source for source in sources if source.is_probability or not curve.is_of_probabilities]:
            yield curve.chart(replace(lines, sources=some))
    if not scored:
        return
    alone = len(models) == 1
    yield from _calibration(lines)
    for source, model in scored:
        # A card for one model names this model.
        single = Lines([replace(source, name=None)])
        for chart in (
            distribution_chart(single, _BARS, threshold=model.threshold, is_whole=False),
            indices_chart(
                single,
                {name: {} for name in _INDICES},
                best=_BEST,
                threshold=model.threshold,
                known=bests.get(source.model),
            ),
        ):
            yield chart if alone else _of_model(chart, source)
    if alone:
        yield ks_chart(Lines([replace(sources[0], name=None)]), threshold=models[0].threshold)
    else:
        yield distances_chart(lines)
    in_use = [model.threshold for _, model in scored]
    by_row = [model.row_costs for _, model in scored if isinstance(model.row_costs, CostTable)]
    if evaluation.costs is not None or (by_row and len(by_row) == len(scored)):
        yield mean_cost_chart(lines, by_row or models[0].cost_parameters, in_use)


def _of_model(chart: Chart, source: Source) -> Chart:
    return replace(chart, key=f"{chart.key}_{source.model}", title=f"{chart.title}: {source.name}")


def _dots(curve: Curve, models: list[Model], sources: list[Source]) -> Iterator[Series]:
    """Where the confusion matrix puts each model, by the indices of the axes."""
    names = {source.model: curve.name(source) for source in sources}
    for place, model in enumerate(models):
        point = np.array([model.confusion[curve.x.index]]), np.array([model.confusion[curve.y.index]])
        if np.isfinite(point).all():
            threshold = None if model.threshold is None else np.array([float(model.threshold)])
            yield Series(names.get(place, one_line(model.name)), *point, place, "points", place, threshold)


def _calibration(lines: Lines, of: str = "", part: str = "") -> Iterator[Chart]:
    """The calibration of sources of probabilities, in bins of both kinds, and the number of rows of each bin."""
    probable = [source for source in lines.sources if source.is_probability]
    if not probable:
        return
    some = Lines(probable)
    for strategy, key in (("quantile", "calibration_quantile"), ("uniform", "calibration")):
        curves = [source.table.calibration(_BINS, strategy=strategy) for source in probable]  # type: ignore[arg-type]
        chart = calibration_chart(some, curves)
        words = "bins of equal width" if strategy == "uniform" else "bins with equal numbers of rows"
        bins = f" There are {_BINS} {words}."
        most = max(most_in_one_bin(source.table, _BINS) for source in probable)
        if strategy == "uniform" and most > CROWDED:
            bins += f" One of them has {100 * most:.0f} % of the rows, so look at the bins with equal numbers first."
        yield replace(chart, key=key + part, title=f"{chart.title}{of}: {words}", about=chart.about + bins)
    counts = calibration_counts_chart(some, _BINS)
    yield replace(counts, key=counts.key + part, title=counts.title + of)


def _of_classes(models: list[Model]) -> Iterator[Chart]:
    alone, words = len(models) == 1, models[0]._places
    for place, model in enumerate(models):
        if words == "labels":
            continue
        errors = prediction_errors_chart(model.confusion, place)
        name = one_line(model.name)
        yield errors if alone else replace(errors, key=f"{errors.key}_{place}", title=f"{errors.title}: {name}")
    yield recall_and_precision_chart({model.name: model._of_places for model in models}, words)
    tables = [
        (place, one_line(model.name), model._rankings)
        for place, model in enumerate(models)
        if model._rankings is not None
    ]
    small = [each for each in tables if _is_small(each[2])]
    pooled = [_sampled(place, name, scores.pooled()) for place, name, scores in small]
    for curve in (curve for curve in CURVES if curve.is_main):
        means = [_sampled(place, "macro average" if alone else name, scores) for place, name, scores in small]
        if alone:
            means += [replace(source, name="micro average", style=source.style + 1) for source in pooled]
        chart = curve.chart(Lines(means, is_of_classes=True))
        about = f"{_EACH[words]}: the mean of their curves (macro)" + (
            ", and all of them as one ranking (micro)" if alone else ""
        )
        yield replace(chart, title=f"{curve.title}, mean over the {words}", about=f"{about}. {chart.about}")
        for place, name, scores in tables:
            yield _single_classes(curve, place, scores, "" if alone else name)
    tops = [_sampled(place, name, top) for place, name, scores in small if (top := scores._top_label()) is not None]
    yield from _calibration(Lines(tops), " of the confidence (top label)", _TOP_LABEL)
    yield from (curve.chart(Lines(tops)) for curve in CURVES if curve.is_of_top_label)
    yield from _calibration(Lines(pooled), f" of all {words} pooled")


def _is_small(scores: Rankings) -> bool:
    return scores.rows * len(scores.labels) <= _CELLS


def _single_classes(curve: Curve, place: int, scores: Rankings, name: str) -> Chart:
    """The curves of the classes of one model, each against the rest: of the weakest, and of others if a reader asks."""
    # The same classes on each chart, so by the same index.
    labels, values = list(scores.labels), scores.every(str(ROC.index))
    known = np.flatnonzero(np.isfinite(values))
    by_value = known[np.argsort(values[known], kind="stable")].tolist()
    weakest = sorted(by_value[:COLOURS])
    more = sorted(by_value[COLOURS : _MOST_LISTED if _is_small(scores) else COLOURS])
    sources = [
        _sampled(place, one_line(labels[found]), scores._table(labels[found]), style)
        for style, found in enumerate([*weakest, *more])
    ]
    words = scores._places
    about = f"{_EACH[words]}, by its own scores."
    if len(weakest) < len(labels):
        about += f" Drawn at first are the {len(weakest)} {words} of {len(labels)} with the lowest {ROC.symbol}."
    if not _is_small(scores):
        about += f" The means over the {words} are not drawn: of so many scores they would take longer than all else."
    key = f"{curve.key}_classes" + (f"_{place}" if name else "")
    title = f"{curve.title} of the {words}" + (f": {name}" if name else "")
    chart = curve.chart(Lines(sources, is_of_classes=True))
    few = fewer(chart, max(_ALL_POINTS // max(len(sources), 1), 40)).series
    parts = [
        replace(few[i] if found in more else chart.series[i], part=found, is_extra=found in more)
        for i, found in enumerate([*weakest, *more])
    ]
    series = (*parts, *chart.series[len(parts) :])
    return replace(chart, key=key, title=title, about=f"{about} {chart.about}", series=series)

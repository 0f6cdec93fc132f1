"""Which charts an evaluation has: those that its statistics give, in order."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady.base.table import one_line
from rocksteady.charts.chart import Series
from rocksteady.charts.classes import recall_and_precision_chart
from rocksteady.charts.curves import CURVES
from rocksteady.charts.palette import COLOURS
from rocksteady.charts.scores import (
    calibration_chart,
    calibration_counts_chart,
    distances_chart,
    distribution_chart,
    indices_chart,
    ks_chart,
    mean_cost_chart,
)
from rocksteady.charts.source import Lines, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocksteady.charts.chart import Chart
    from rocksteady.charts.curves import Curve
    from rocksteady.classes.score_tables import ScoreTables
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.models.model import ModelEvaluation

#: The keys of all charts, in the order in which they are shown. Where a chart is of a single one of several models, or of the
#: classes of one, ``_0``, ``_1``, … follows: the place of the model.
KEYS: Final = (
    *(f"{curve.key}{of}" for curve in CURVES if curve.is_main for of in ("", "_classes")),
    *("classes", "calibration", "calibration_counts", "score_distribution", "ks"),
    *(curve.key for curve in CURVES if not curve.is_main),
    *("indices", "mean_cost"),
)

# Cells of scores of classes up to which their averages are drawn.
_CELLS: Final = 5_000_000
_BARS: Final = 40
_BINS: Final = 10
_INDICES: Final = ("recall", "precision", "f1", "mcc", "accuracy")
_BEST: Final = ("f1", "mcc", "accuracy")  # of which a best threshold says something
_DOT: Final = " The dot of each model is at its own predictions, or at the threshold in use."


def charts(evaluation: Evaluation) -> list[Chart]:
    """All charts of an evaluation, in the order of `KEYS`; only those that its statistics have.

    No line has more than `MAX_POINTS` points, whatever the number of rows.
    """
    models = list(evaluation.models.values())
    found = map(_drawn, _of_two_classes(models, evaluation) if evaluation.is_binary else _of_classes(models))
    place = {key: place for place, key in enumerate(KEYS)}
    shown = [chart for chart in found if any(series.model is not None for series in chart.series)]
    return sorted(shown, key=lambda chart: place[re.sub(r"_\d+$", "", chart.key)])


def _drawn(chart: Chart) -> Chart:
    """A chart without what has no points, its references last."""
    series = [line for line in chart.series if len(line.x)]
    return replace(chart, series=tuple(sorted(series, key=lambda line: line.model is None)))


def _sampled(place: int, name: str | None, scores: object, style: int | None = None) -> Source:
    return Source(name, scores, place if style is None else style, place, is_sampled=True)  # type: ignore[arg-type]


def _of_two_classes(models: list[ModelEvaluation], evaluation: Evaluation) -> Iterator[Chart]:
    scored = [
        (_sampled(place, one_line(model.name), model.scores), model)
        for place, model in enumerate(models)
        if model.scores is not None and model.scores.positives > 0 and model.scores.negatives > 0
    ]
    sources = [source for source, _ in scored]
    prevalence = float(models[0].confusion["prevalence"])
    lines = Lines(sources, prevalence=prevalence if prevalence == prevalence else None)
    for curve in CURVES:
        if curve.is_main:
            chart = curve.chart(lines, dots=_dots(curve, models, sources))
            yield replace(chart, about=chart.about + _DOT)
        elif some := [source for source in sources if source.is_probability or not curve.is_of_probabilities]:
            yield curve.chart(replace(lines, sources=some))
    if not scored:
        return
    alone = len(models) == 1
    yield from _calibration(lines)
    for source, model in scored:
        # A card of its own says which model it is of.
        single = Lines([replace(source, name=None)])
        for chart in (
            distribution_chart(single, _BARS, is_whole=False),
            indices_chart(single, {name: {} for name in _INDICES}, best=_BEST, threshold=model.threshold),
        ):
            yield chart if alone else _of_model(chart, source)
    yield ks_chart(Lines([replace(sources[0], name=None)])) if alone else distances_chart(lines)
    if evaluation.costs is not None:
        yield mean_cost_chart(lines, models[0].cost_parameters)


def _of_model(chart: Chart, source: Source) -> Chart:
    return replace(chart, key=f"{chart.key}_{source.model}", title=f"{chart.title}: {source.name}")


def _dots(curve: Curve, models: list[ModelEvaluation], sources: list[Source]) -> Iterator[Series]:
    """Where the confusion matrix puts each model, by the indices of the axes."""
    names = {source.model: curve.name(source) for source in sources}
    for place, model in enumerate(models):
        point = np.array([model.confusion[curve.x.index]]), np.array([model.confusion[curve.y.index]])
        if np.isfinite(point).all():
            threshold = None if model.threshold is None else np.array([float(model.threshold)])
            yield Series(names.get(place, one_line(model.name)), *point, place, "points", place, threshold)


def _calibration(lines: Lines, of: str = "") -> Iterator[Chart]:
    """The calibration of the sources that are probabilities, and how many rows stand behind each point."""
    probable = [source for source in lines.sources if source.is_probability]
    if probable:
        curves = [source.table.calibration(_BINS) for source in probable]
        for chart in (calibration_chart(Lines(probable), curves), calibration_counts_chart(Lines(probable), _BINS)):
            yield replace(chart, title=chart.title + of)


def _of_classes(models: list[ModelEvaluation]) -> Iterator[Chart]:
    alone = len(models) == 1
    yield recall_and_precision_chart({model.name: model.confusion for model in models})
    tables = [
        (place, one_line(model.name), model.class_scores)
        for place, model in enumerate(models)
        if model.class_scores is not None
    ]
    small = [each for each in tables if _is_small(each[2])]
    pooled = [_sampled(place, name, scores.pooled()) for place, name, scores in small]
    for curve in (curve for curve in CURVES if curve.is_main):
        means = [_sampled(place, "macro average" if alone else name, scores) for place, name, scores in small]
        if alone:
            means += [replace(source, name="micro average", style=source.style + 1) for source in pooled]
        chart = curve.chart(Lines(means, is_of_classes=True))
        about = "Each class against the rest: the mean of their curves" + (
            ", and all of them as one ranking" if alone else ""
        )
        yield replace(chart, title=f"{curve.title}, mean over the classes", about=f"{about}. {curve.about}")
        for place, name, scores in tables:
            yield _single_classes(curve, place, scores, "" if alone else name)
    yield from _calibration(Lines(pooled), " of all classes pooled")


def _is_small(scores: ScoreTables) -> bool:
    return scores.rows * len(scores.labels) <= _CELLS


def _single_classes(curve: Curve, place: int, scores: ScoreTables, name: str) -> Chart:
    """The curves of the classes of one model, or of the weakest of them, each against the rest."""
    labels, values = scores.labels.tolist(), scores.per_class(str(curve.index))
    known = np.flatnonzero(np.isfinite(values))
    weakest = np.sort(known[np.argsort(values[known], kind="stable")][:COLOURS]).tolist()
    sources = [
        _sampled(place, one_line(labels[found]), scores.one_vs_rest(labels[found]), style)
        for style, found in enumerate(weakest)
    ]
    about = "Each class against the rest, by its own scores."
    if len(sources) < len(labels):
        about += f" Shown are the {len(sources)} classes of {len(labels)} with the lowest {curve.symbol}."
    if not _is_small(scores):
        about += " The means over the classes are not drawn: of so many scores they would take longer than all else."
    key = f"{curve.key}_classes" + (f"_{place}" if name else "")
    title = f"{curve.title} of the classes" + (f": {name}" if name else "")
    return replace(
        curve.chart(Lines(sources, is_of_classes=True)), key=key, title=title, about=f"{about} {curve.about}"
    )

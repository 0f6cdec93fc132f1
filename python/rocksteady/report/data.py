"""What the script of the page needs, as JSON: charts, operating points, costs, matrices of many classes.

All of it is read from the statistics. However many rows there were, so few points are left that the page stays small,
and no point of them is made in Python: the extension chooses thresholds and counts there.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.table import one_line
from rocksteady.charts.chart import THRESHOLD, within
from rocksteady.charts.palette import BAND, COLOURS, REFERENCE, style, tint
from rocksteady.labels.cost import UNIT_COSTS
from rocksteady.scores.curves.line import Curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocksteady.charts.chart import Chart, Series
    from rocksteady.charts.scale import Stretch
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.labels.confusion import ConfusionMatrix
    from rocksteady.models.model import Model
    from rocksteady.scores.points import Best
    from rocksteady.scores.score_table import ScoreTable

#: The most operating points in the threshold explorer of one model.
MOST_POINTS: Final = 1000

#: A matrix of more classes than this is a picture; beyond `MOST_PICTURED`, a picture of the classes with the most rows.
MOST_CELLS: Final = 12
MOST_PICTURED: Final = 200

#: The names of the four counts, in the order of the questions about their costs.
OUTCOMES: Final = {"fp": "false positive", "fn": "false negative", "tp": "true positive", "tn": "true negative"}

# Further digits do not show on a chart.
_DIGITS = 5


def as_json(value: object) -> str:
    r"""JSON that may stand within a script element of HTML: nothing in it can end the element or begin another.

    >>> as_json(["</script>", 0.5])
    '["\\u003c/script\\u003e",0.5]'
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))  # ASCII: U+2028 and its like are escaped already
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def plain(array: NDArray[Any]) -> list[Any]:
    """Numbers as JSON has them: whole ones whole, and None for NaN and the infinities.

    >>> plain(np.array([1.0, 2.0])), plain(np.array([0.5, np.nan]))
    ([1, 2], [0.5, None])
    """
    whole = array.dtype.kind == "f" and bool(((array == np.trunc(array)) & (np.abs(array) < 2**53)).all())
    values: list[Any] = (array.astype(np.int64) if whole else array).tolist()
    return values if whole or np.isfinite(array).all() else [v if math.isfinite(v) else None for v in values]


def cost_of(evaluation: Evaluation) -> dict[str, Any]:
    """What the four outcomes of two classes cost: those of the evaluation, else 1 for each error."""
    model = next(iter(evaluation.models.values()))
    return model.cost_parameters or dict(UNIT_COSTS)


def named_thresholds(
    table: ScoreTable, threshold: float | None, cost: dict[str, Any], bests: dict[str, Best] | None = None
) -> dict[str, float]:
    """The thresholds with a name, as far as they exist: the given one, the best by some indices, that of KS, the cheapest.

    `bests` takes the best by F1 and by MCC, which are on a chart, too.
    """
    bests = {} if bests is None else bests
    bests |= {name: table.best(name) for name in ("f1", "mcc")}
    found = {
        "given": math.nan if threshold is None else threshold,
        **{name: best.threshold for name, best in bests.items()},
        "youden": table.best("informedness").threshold,
        "ks": table.ks().threshold,
        "cheapest": table.best("cost", **cost).threshold,
    }
    return {name: value for name, value in found.items() if not math.isnan(value)}


def operating_points(table: ScoreTable, named: dict[str, float], most: int = MOST_POINTS) -> dict[str, Any]:
    """Thresholds, ascending, with the four counts at each, exactly, and the places of those that have a name.

    Every threshold is there if there are at most `most`. Otherwise it is the corners of the convex hull, one of which
    costs least whatever errors cost; such as stand for all (`ScoreTable.operating_points`); hundredths, where the
    scores are probabilities; and always those with a name.

    Parameters
    ----------
    table : ScoreTable
    named : dict of str to float
        The thresholds with a name: `named_thresholds`.
    most : int
        How many points, about: corners of the hull and those with a name are there in any case.

    Examples
    --------
    >>> import rocksteady as rs
    >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    >>> points = operating_points(table, named_thresholds(table, 0.5, {"fp": 1, "fn": 5}))
    >>> points["threshold"], points["fp"], points["places"]["cheapest"]
    ([0.1, 0.4, 0.5, 0.6, 0.8, 'Infinity'], [2, 1, 1, 1, 0, 0], 1)
    """
    wanted = np.concatenate([*_spread(table, most), list(named.values())]).astype(np.float64)
    chosen = np.unique(wanted[~np.isnan(wanted)])  # a score may be NaN, where NaN ranks worst
    counts = table.at(chosen)
    return {
        "threshold": [value if math.isfinite(value) else _infinite(value) for value in chosen.tolist()],
        **{name: plain(getattr(counts, name)) for name in ("tp", "fp", "fn", "tn")},
        "places": {name: int(np.searchsorted(chosen, value)) for name, value in named.items()},
    }


def _infinite(value: float) -> str:
    return "Infinity" if value > 0 else "-Infinity"


def _spread(table: ScoreTable, most: int) -> list[NDArray[Any]]:
    """Thresholds that show the whole ranking, not many more than `most`."""
    if len(table) < most:
        return [table.operating_points(most).thresholds]
    # The corners are few, and each may be the cheapest: they are always kept.
    always = [table.roc_convex_hull().thresholds]
    if most > 500 and table._state.are_probabilities:
        always.append(np.linspace(0.0, 1.0, 101))
    room = most - sum(map(len, always))
    return [*always, table.operating_points(max(room, most // 4)).thresholds]


def fewer(chart: Chart, most: int | None) -> Chart:
    """The chart with at most so many points of each line; None for as many as there are."""
    if most is None:
        return chart
    return replace(chart, series=tuple(_fewer(series, most) for series in chart.series))


def _fewer(series: Series, most: int) -> Series:
    if series.kind not in ("line", "step") or len(series.x) <= most or not np.isfinite(series.y).all():
        return series
    thresholds = np.full(len(series.x), np.nan) if series.thresholds is None else series.thresholds
    curve = Curve(series.x.copy(), series.y.copy(), thresholds.copy(), "x", "y").simplify(most)
    return replace(series, x=curve.x, y=curve.y, thresholds=None if series.thresholds is None else curve.thresholds)


def of_chart(chart: Chart) -> dict[str, Any]:
    """A chart, its points rounded to what can be seen of them."""
    return {
        "key": chart.key,
        "about": chart.about,
        "x": chart.x_label,
        "y": chart.y_label,
        "xRange": plain(np.array(chart.x_range)),
        "yRange": plain(np.array(chart.y_range)),
        "xTicks": within(chart.x_ticks, chart.x_range),
        "yTicks": within(chart.y_ticks, chart.y_range),
        "xScale": _of_scale(chart.x_scale),
        "yScale": _of_scale(chart.y_scale),
        "marked": chart.follows if len(chart.follows) == 2 else None,
        "crossed": len(chart.follows) == 1,
        "tall": chart.tall,
        "series": [_of_series(series, chart) for series in chart.series],
    }


def _of_scale(stretch: Stretch | None) -> list[float] | None:
    return None if stretch is None else [stretch.centre, stretch.width]


def _of_series(series: Series, chart: Chart) -> dict[str, Any]:
    return {
        "name": one_line(series.name),
        "legend": one_line(series.legend),
        "model": series.model,
        "style": series.style,
        "kind": series.kind,
        "faint": series.is_faint,
        "dashes": list(series.look.dashes),
        "points": [_seen(series.x, chart.x_range, chart.x_scale), _seen(series.y, chart.y_range, chart.y_scale)],
        "base": None if series.base is None else plain(series.base),
        "tint": BAND if series.kind == "band" else None if series.base is None else tint(series.style),
        "part": series.part,
        "extra": series.is_extra,
        "thresholds": None if series.thresholds is None else _six_digits(series.thresholds),
        "labels": list(series.labels),
    }


def _six_digits(values: NDArray[np.float64]) -> list[float | None]:
    return plain(np.array([float(f"{value:.6g}") for value in values.tolist()]))


def _seen(values: NDArray[np.float64], across: tuple[float, float], stretch: Stretch | None) -> list[Any]:
    width = abs(across[1] - across[0]) if stretch is None else stretch.width
    digits = _DIGITS - math.floor(math.log10(width))
    return plain(np.round(values, digits) if digits < 300 else values)  # smaller numbers are left as they are


def pictured(matrix: ConfusionMatrix) -> ConfusionMatrix:
    """The matrix, or if it has very many classes that of those with the most rows, in their order."""
    if len(matrix.labels) <= MOST_PICTURED:
        return matrix
    return matrix.select(matrix._labels[largest(matrix, MOST_PICTURED)])


def largest(matrix: Any, most: int) -> NDArray[np.int64]:
    """The places of the classes with the most rows, ascending."""
    counts = matrix.counts()
    return np.sort(np.argsort(-(counts.tp + counts.fn), kind="stable")[:most])


def of_matrix(matrix: ConfusionMatrix) -> dict[str, Any]:
    """The cells that are not zero, to sort and to normalise the matrix, and for the label that follows the pointer."""
    actual, predicted, amounts = matrix._state.cells()
    return {
        "labels": [one_line(label) for label in matrix.labels],
        "cells": [actual.tolist(), predicted.tolist(), plain(amounts)],
    }


Named = dict[int, dict[str, float]]
Bests = dict[int, "dict[str, Best]"]


def named(evaluation: Evaluation) -> tuple[Named, Bests]:
    """The thresholds with a name of each model that has thresholds, by its place, and the best by F1 and by MCC."""
    thresholds: Named = {}
    bests: Bests = {}
    cost = cost_of(evaluation) if evaluation.is_binary else {}
    for place, model in enumerate(evaluation.models.values()):
        if evaluation.is_binary and model.scores is not None:
            bests[place] = {}
            thresholds[place] = named_thresholds(model.scores, model.threshold, cost, bests[place])
    return thresholds, bests


def data(evaluation: Evaluation, charts: Sequence[Chart], thresholds: Named, first: int = 0) -> dict[str, Any]:
    """All that the script needs.

    Parameters
    ----------
    evaluation : Evaluation
    charts : sequence of Chart
        What is drawn.
    thresholds : dict
        Those with a name: `named`.
    first : int
        The place of the model that is shown first.

    Returns
    -------
    dict
        Of lists, numbers, strings and None only; the same for the same evaluation.
    """
    models = list(evaluation.models.values())
    most = max(MOST_POINTS * 6 // max(len(models), 6), 100)
    return {
        "models": [_of_model(model, thresholds.get(place), most) for place, model in enumerate(models)],
        "first": first,
        "costs": cost_of(evaluation) if evaluation.is_binary else None,
        "charts": [of_chart(chart) for chart in charts],
        "threshold": THRESHOLD.label,
        "colours": [list(style(place)[:2]) for place in range(COLOURS)],
        "reference": list(REFERENCE[:2]),
    }


def _of_model(model: Model, thresholds: dict[str, float] | None, most: int) -> dict[str, Any]:
    explored = model.scores is not None and thresholds is not None
    return {
        "name": one_line(model.name),
        "points": operating_points(model.scores, thresholds, most) if explored else None,  # type: ignore[arg-type]
        "matrix": None if model.is_binary or "confusion" in model._lacks else of_matrix(pictured(model.confusion)),
    }

"""Charts of several classes that are not curves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.table import one_line
from rocksteady.charts.chart import PRECISION, PREDICTED, RECALL, ROWS, Chart, Series, reference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocksteady.charts.chart import Reals
    from rocksteady.labels.confusion import ConfusionMatrix

# The most classes of a model that have a point.
_MOST: Final = 400
# The most points of all models that have intervals.
_WITH_WHISKERS: Final = 24
# The most classes that have a bar, and a colour within each bar.
_BARS: Final = 12
_LONGEST: Final = 16  # letters of a name below a bar

#: What one of them is called.
ONE: Final = {"classes": "class", "labels": "label"}

PREDICTION_ERRORS_TITLE: Final = "Class prediction errors"


def recall_and_precision_chart(matrices: Mapping[str, Any], words: str = "classes") -> Chart:
    """Every class, or label, of each model as a point; of very many the weakest."""
    series: list[Series] = []
    missing, has_whiskers = 0, False
    for place, (name, matrix) in enumerate(matrices.items()):
        recall, precision, f1 = (matrix.every(index) for index in ("recall", "precision", "f1"))
        known = np.flatnonzero(np.isfinite(recall) & np.isfinite(precision))
        missing = max(missing, len(f1) - len(known))
        shown = known[np.argsort(f1[known], kind="stable")][:_MOST]
        names = list(matrix.labels)
        labels = tuple(one_line(names[found]) for found in shown.tolist())
        points = recall[shown], precision[shown]
        series.append(Series(one_line(name), *points, place, "points", place, None, labels))
        if len(shown) <= _WITH_WHISKERS // len(matrices):
            series.append(_whiskers(matrix, shown, series[-1]))
            has_whiskers = True
    about = f"Each {ONE[words]} is a point. The closer to the upper right corner, the better. Weak {words} lie to the lower left."
    if has_whiskers:
        about += " The strokes through a point are 95% confidence intervals of both."
    if missing:
        about += f" {words.capitalize()} without rows, or never predicted, have no point: up to {missing}."
    if any(len(line.x) == _MOST for line in series):
        about += f" Only the {_MOST} {words} with the lowest F1 are shown."
    return Chart(
        "classes",
        f"Recall and precision of the {words}",
        about,
        RECALL.label,
        PRECISION.label,
        tuple(line for line in series if len(line.x)),
        (_tenth_below([line.x for line in series]), 1.0),
        (_tenth_below([line.y for line in series]), 1.0),
    )


def _whiskers(matrix: Any, shown: NDArray[np.intp], points: Series) -> Series:
    """The intervals of recall, across, and of precision, upright, of each class."""
    both = (matrix.every_interval(name) for name in ("recall", "precision"))
    ends = [np.asarray(end)[shown] for interval in both for end in (interval.low, interval.high)]
    gaps = np.full(len(shown), np.nan)
    # A gap needs an x, too: Chart.js searches the visible points by x, and skips the points after one without x.
    across = (ends[0], ends[1], points.x, points.x, points.x, points.x)
    along = (points.y, points.y, gaps, ends[2], ends[3], gaps)
    x, y = (np.stack(columns, axis=1).ravel() for columns in (across, along))
    return replace(points, x=x, y=y, kind="line", labels=(), is_faint=True)


def _tenth_below(columns: list[Reals]) -> float:
    """The greatest tenth below all values, so that classes with few errors stay apart."""
    least = min(float(np.nanmin(column, initial=1.0)) for column in columns)
    return max(0.0, float(np.floor(10 * least - 0.1)) / 10)


def prediction_errors_chart(matrix: ConfusionMatrix, model: int = 0) -> Chart:
    """A bar for each predicted class, of what its rows actually are; of very many classes those with the most rows.

    Parameters
    ----------
    matrix : ConfusionMatrix
    model : int
        The place of the model.
    """
    counts, names = matrix.counts(), [one_line(name) for name in matrix.labels]
    largest = np.argsort(-(counts.tp + counts.fn).astype(np.float64), kind="stable")[:_BARS]
    shown = np.sort(largest)
    size = len(shown)
    cut = size < len(names)
    place_of = np.full(len(names), size)
    place_of[shown] = np.arange(size)
    actual, predicted, amounts = matrix._state.cells()
    parts = np.zeros((size + 1, size + 1))
    np.add.at(parts, (place_of[actual], place_of[predicted]), amounts.astype(np.float64))
    parts = parts[:, :size]
    # Correct rows are at the bottom of each bar; errors are above, in the order of the classes.
    right = parts.diagonal().copy()
    wrong = parts.copy()
    np.fill_diagonal(wrong, 0.0)
    tops = right + wrong.cumsum(axis=0)
    x = np.arange(size, dtype=np.float64)
    edges = np.arange(size + 1, dtype=np.float64) - 0.5
    labels = tuple(f"predicted {names[place]}" for place in shown.tolist())
    series = []
    for place in range(size + cut):
        base, top = tops[place] - wrong[place], tops[place].copy()
        if place < size:
            base[place], top[place] = 0.0, right[place]
            name = names[shown[place]]
            series.append(Series(name, x, top, model, "bars", place, labels=labels, edges=edges, base=base))
        else:
            other = reference(f"{len(names) - size} other classes", x, top, kind="bars", labels=labels)
            series.append(replace(other, edges=edges, base=base))
    about = (
        "A bar for each predicted class. Its colours are the classes that the rows actually are. What is right is at "
        "the bottom, and the errors are above it: look for thick parts there."
    )
    if cut:
        about += f" Only the {size} classes with the most rows of {len(names)} have a bar."
    ticks = tuple((place, _short(names[shown[place]])) for place in range(size))
    return Chart(
        "prediction_errors",
        PREDICTION_ERRORS_TITLE,
        about,
        PREDICTED.label,
        "Weight" if matrix.weighted else ROWS.label,
        tuple(series),
        (-0.6, size - 0.4),
        (0.0, 1.05 * float(tops[-1].max(initial=0.0)) or 1.0),
        x_ticks=ticks,
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"

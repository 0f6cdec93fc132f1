"""Charts of several classes that are no curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady.base.table import one_line
from rocksteady.charts.chart import PRECISION, RECALL, Chart, Series

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocksteady.charts.chart import Reals
    from rocksteady.labels.confusion import ConfusionMatrix

# Classes of a model that have a point.
_MOST: Final = 400


def recall_and_precision_chart(matrices: Mapping[str, ConfusionMatrix]) -> Chart:
    """Every class of each model as a point; of very many the weakest."""
    series: list[Series] = []
    missing = 0
    for place, (name, matrix) in enumerate(matrices.items()):
        recall, precision, f1 = (matrix.per_class(index) for index in ("recall", "precision", "f1"))
        known = np.flatnonzero(np.isfinite(recall) & np.isfinite(precision))
        missing = max(missing, len(f1) - len(known))
        shown = known[np.argsort(f1[known], kind="stable")][:_MOST]
        names = matrix.labels.tolist()
        labels = tuple(one_line(names[found]) for found in shown.tolist())
        points = recall[shown], precision[shown]
        series.append(Series(one_line(name), *points, place, "points", place, None, labels))
    about = "Each class is a point: its recall, and its precision. The weak classes lie to the lower left."
    if missing:
        about += f" Classes without rows, or never predicted, have no such point: up to {missing}."
    if any(len(line.x) == _MOST for line in series):
        about += f" Shown are the {_MOST} with the lowest F1."
    return Chart(
        "classes",
        "Recall and precision of the classes",
        about,
        RECALL.label,
        PRECISION.label,
        tuple(line for line in series if len(line.x)),
        (_tenth_below([line.x for line in series]), 1.0),
        (_tenth_below([line.y for line in series]), 1.0),
    )


def _tenth_below(columns: list[Reals]) -> float:
    """The tenth below all, so that classes that are nearly all right are seen apart."""
    least = min(float(column.min(initial=1.0)) for column in columns)
    return max(0.0, float(np.floor(10 * least - 0.1)) / 10)

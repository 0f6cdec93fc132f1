"""Areas of several columns of scores, from one call of the core: their average, and warnings of undefined areas.

Both halves of a metric read its areas here, so that the warnings are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.metrics._validation import check_consistent_length, column_or_1d, warn, warn_undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Reals = NDArray[np.float64]

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
NO_POSITIVE = "No positive class found in y_true, recall is set to one for all thresholds."


def warn_of_totals(positives: float, negatives: float) -> None:
    """Says which rate is undefined, if one is."""
    if negatives <= 0:
        warn_undefined("No negative samples in y_true, false positive value should be meaningless")
    if positives <= 0:
        warn_undefined("No positive samples in y_true, true positive value should be meaningless")


def warn_of_column(positives: float, negatives: float, both: bool) -> None:
    """Says why the area of a column is undefined, if it is."""
    if both:
        warn_of_totals(positives, negatives)
    else:
        warn_undefined(ONE_CLASS)


def average_precision(area: float, positives: float) -> float:
    """The area, with a warning where there are no positives."""
    if positives == 0:
        warn(NO_POSITIVE)
    return area


def mean(values: _Reals, weights: Any) -> float:
    """The mean; what weighs nothing may be NaN."""
    if weights is None:
        return float(np.average(values))
    check_consistent_length(values, weights)
    weights = column_or_1d(weights)
    values[weights == 0] = 0
    return float(np.average(values, weights=weights))


def of_columns(areas: _Reals, positives: _Reals, average: Any) -> Any:
    """The average that was asked for; each area for None."""
    if average is None:
        return areas
    return mean(areas, positives) if average == "weighted" else float(np.average(areas))


def roc_average(columns: tuple[_Reals, _Reals, _Reals, NDArray[np.bool_]], average: Any) -> Any:
    """The average of areas under ROC curves; None where no row has weight, unless the average is weighted."""
    areas, positives, negatives, both = columns
    if average == "weighted" and np.isclose(positives.sum(), 0):
        return 0
    if not (positives + negatives).any():
        return None
    if np.isnan(areas).any():
        for column in zip(positives, negatives, both, strict=True):
            if column[0] == 0 or column[1] == 0:
                warn_of_column(*column)
    return of_columns(areas, positives, average)


def of_classes(
    y_true: Any, y_score: Any, average: Any, sample_weight: Any, multi_class: str, labels: Any, sums: bool
) -> Any:
    """One class against the rest, or against one; with `sums` only if rows of scores add up to 1."""
    if multi_class == "ovo":
        pairs = _rocksteady.pair_areas(y_true, y_score, labels, sums)
        if pairs is None:
            return None
        areas, rows = pairs
        return np.average(areas) if average == "macro" else np.average(areas, weights=rows / len(y_score))
    columns = _rocksteady.class_areas(y_true, y_score, labels, sample_weight, 1.0, average == "micro", sums)
    return None if columns is None else roc_average(columns, average)

"""Areas of several columns of scores, from one call of the core: their average, and warnings of undefined areas.

Curves are measured here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady._rocksteady import SignedTotalsState
from rocksteady.errors import InputError
from rocksteady.metrics._counting import signs
from rocksteady.metrics._warning import warn, warn_undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Reals = NDArray[np.float64]

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
NO_POSITIVE = "No positive class found in y_true, recall is set to one for all thresholds."


def unanswered() -> InputError:
    """The refusal of what the core has no answer to."""
    return InputError(
        "y_true, y_score and the options do not go together; expected labels of two classes and a column of scores, or "
        "a column of scores for each class or label, and options that the documentation lists for them"
    )


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


def signed_totals(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, refusal: InputError
) -> SignedTotalsState:
    """The totals at all thresholds of weights of either sign, where they are what was refused."""
    parts = signs(sample_weight, refusal)
    if parts is None:
        raise refusal
    _rocksteady.threshold_counts(y_true, y_score, pos_label, np.add(*parts))  # checks the rest
    positive = np.asarray(y_true) == (1 if pos_label is None else pos_label)
    weights = np.asarray(sample_weight, dtype=np.float64)
    sums = SignedTotalsState.sweep(positive.astype(np.int32), np.asarray(y_score), weights)
    _, fps, _, tps, _ = sums.threshold_counts()
    if np.any(fps + tps == 0):  # numpy divides by zero in scikit-learn
        raise refusal
    return sums


def trapezoids(across: NDArray[Any], heights: NDArray[Any]) -> float:
    """The area by the trapezoidal rule, along what goes one way only; integers in their own dtype, as numpy has it."""
    across, heights = (v.astype(np.float64) if v.dtype.kind == "f" else v for v in (across, heights))
    if len(across) < 2:
        raise InputError(f"x has {len(across)} points; expected two or more", argument="x")
    steps = np.diff(across)
    direction = 1
    if np.any(steps < 0):
        if not np.all(steps <= 0):
            raise InputError("x goes up and down; expected ascending or descending numbers", argument="x")
        direction = -1
    return float(direction * ((across[1:] - across[:-1]) * (heights[1:] + heights[:-1]) / 2.0).sum())


def mean(values: _Reals, weights: Any) -> float:
    """The mean; what weighs nothing may be NaN."""
    if weights is None:
        return float(np.average(values))
    weights = np.asarray(weights)
    if weights.shape != values.shape or weights.dtype.kind not in "biuf":
        raise InputError(f"sample_weight has shape {weights.shape}; expected {values.shape}", argument="sample_weight")
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

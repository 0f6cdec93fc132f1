"""Demographic parity, equalized odds and equal opportunity, under fairlearn's names and signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of, shown
from rocksteady.base.containers import same_rows
from rocksteady.base.warning import warn
from rocksteady.fairness.disparity import METHODS, Compared
from rocksteady.fairness.features import counted, groups_of, side_by_side

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Aggregate = Literal["worst_case", "mean"]

# The places of difference and ratio in the results of the extension, between groups and to all rows.
_PLACES = {
    ("difference", "between_groups"): 3,
    ("ratio", "between_groups"): 4,
    ("difference", "to_overall"): 5,
    ("ratio", "to_overall"): 6,
}


def demographic_parity_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: Any,
    method: Compared = "between_groups",
    sample_weight: ArrayLike | None = None,
) -> float:
    """The greatest difference of selection rates, the shares of rows that are predicted positive.

    Parameters
    ----------
    y_true : array-like
        Actual labels; not used.
    y_pred : array-like
        Predicted labels; 1 is positive.
    sensitive_features : array-like, mapping of str to array-like, or data frame
        The columns that make the groups. A missing key is a group of its own.
    method : {"between_groups", "to_overall"}
        Between two groups, or between a group and all rows.
    sample_weight : array-like, optional
        A weight for each row.

    Returns
    -------
    float
        In [0, 1]; 0 is parity. The value is fairlearn's (0.15).

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For columns of different lengths and unknown options.

    >>> from rocksteady.fairness import demographic_parity_difference
    >>> demographic_parity_difference([1, 0, 1, 0], [1, 1, 1, 0], sensitive_features=["a", "a", "b", "b"])
    0.5
    """
    return _disparity("selection_rate", "difference", y_true, y_pred, sensitive_features, method, sample_weight)[0]


def demographic_parity_ratio(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: Any,
    method: Compared = "between_groups",
    sample_weight: ArrayLike | None = None,
) -> float:
    """The least ratio of selection rates; see `demographic_parity_difference`.

    In [0, 1]; 1 is parity. Between groups it is the adverse impact ratio, which the four-fifths rule wants to be at
    least 0.8. NaN if no row is predicted positive.

    >>> from rocksteady.fairness import demographic_parity_ratio
    >>> demographic_parity_ratio([1, 0, 1, 0], [1, 1, 1, 0], sensitive_features=["a", "a", "b", "b"])
    0.5
    """
    return _disparity("selection_rate", "ratio", y_true, y_pred, sensitive_features, method, sample_weight)[0]


def equalized_odds_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: Any,
    method: Compared = "between_groups",
    sample_weight: ArrayLike | None = None,
    agg: Aggregate = "worst_case",
) -> float:
    """The greater of the differences of true positive rates and of false positive rates.

    Parameters
    ----------
    y_true, y_pred : array-like
        Actual and predicted labels, of {0, 1} or {-1, 1}; 1 is positive.
    sensitive_features, method, sample_weight
        See `demographic_parity_difference`.
    agg : {"worst_case", "mean"}
        The greater of both differences, or their mean.

    Returns
    -------
    float
        In [0, 1]; 0 is parity. The value is fairlearn's (0.15): the rate of a group without positive, or negative, rows
        counts as 0, with a `RocksteadyWarning`.

    >>> from rocksteady.fairness import equalized_odds_difference
    >>> equalized_odds_difference([1, 0, 1, 0], [1, 1, 1, 0], sensitive_features=["a", "a", "b", "b"])
    1.0
    """
    return _odds("difference", y_true, y_pred, sensitive_features, method, sample_weight, agg)


def equalized_odds_ratio(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: Any,
    method: Compared = "between_groups",
    sample_weight: ArrayLike | None = None,
    agg: Aggregate = "worst_case",
) -> float:
    """The smaller of the ratios of true positive rates and of false positive rates; see `equalized_odds_difference`.

    >>> from rocksteady.fairness import equalized_odds_ratio
    >>> equalized_odds_ratio([1, 0, 1, 0], [1, 1, 1, 0], sensitive_features=["a", "a", "b", "b"], agg="mean")
    0.5
    """
    return _odds("ratio", y_true, y_pred, sensitive_features, method, sample_weight, agg)


def equal_opportunity_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: Any,
    method: Compared = "between_groups",
    sample_weight: ArrayLike | None = None,
) -> float:
    """The greatest difference of true positive rates; the arguments are those of `equalized_odds_difference`.

    >>> from rocksteady.fairness import equal_opportunity_difference
    >>> equal_opportunity_difference([1, 1, 1, 0], [1, 0, 1, 0], sensitive_features=["a", "a", "b", "b"])
    0.5
    """
    return _disparity("recall", "difference", y_true, y_pred, sensitive_features, method, sample_weight)[0]


def equal_opportunity_ratio(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: Any,
    method: Compared = "between_groups",
    sample_weight: ArrayLike | None = None,
) -> float:
    """The least ratio of true positive rates; the arguments are those of `equalized_odds_difference`.

    >>> from rocksteady.fairness import equal_opportunity_ratio
    >>> equal_opportunity_ratio([1, 1, 1, 0], [1, 0, 1, 0], sensitive_features=["a", "a", "b", "b"])
    0.5
    """
    return _disparity("recall", "ratio", y_true, y_pred, sensitive_features, method, sample_weight)[0]


def _odds(
    kind: Literal["difference", "ratio"],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sensitive_features: Any,
    method: Compared,
    sample_weight: ArrayLike | None,
    agg: Aggregate,
) -> float:
    one_of(agg, "agg", ("worst_case", "mean"))
    both = _disparity("recall fpr", kind, y_true, y_pred, sensitive_features, method, sample_weight)
    if agg == "mean":
        known = np.array([value for value in both if value == value])
        return _rocksteady.group_mean(known, np.ones(len(known)))
    # Python's max and min, as in fairlearn: their handling of NaN is part of the values.
    return max(both) if kind == "difference" else min(both)


def _disparity(
    names: str,
    kind: Literal["difference", "ratio"],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sensitive_features: Any,
    method: Compared,
    sample_weight: ArrayLike | None,
) -> list[float]:
    """The disparity of each index; an index of one class counts as 0 in a group without this class."""
    one_of(method, "method", METHODS)
    rows = same_rows(y_true, y_pred)
    selected = names == "selection_rate"
    columns = {"y_pred": y_pred, "sensitive_features": sensitive_features, "sample_weight": sample_weight}
    side_by_side("y_pred" if selected else "y_true", columns if selected else {"y_true": y_true, **columns})
    state, _, _ = groups_of(sensitive_features, None, rows)
    counts = counted(state, y_true, y_pred, sample_weight, None, selected=selected)
    if state.groups == 1:
        warn(f"there is one group only, and its {kind} to itself is {int(kind == 'ratio')}, as in fairlearn")
    found, without = [], {}
    for name in names.split():
        _, numbers, places, _ = _rocksteady.group_disparities(counts._arrays, name, None, None, 1, float("nan"), None)
        if not selected and places[5][0]:
            without[name] = int(places[5][0])
            _, numbers, *_ = _rocksteady.group_disparities(counts._arrays, name, None, None, 1, 0.0, None)
        found.append(float(numbers[_PLACES[kind, method]][0]))
    if without:
        several = ", ".join(f"{shown(name)} in {number}" for name, number in without.items())
        warn(
            f"rates have no value in some of {state.groups} groups and count as 0 there, as in fairlearn: {several}; "
            "rocksteady.group_by leaves such groups out"
        )
    return found

"""Confidence intervals for indices of counts, and scales that put values into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import string
from rocksteady.base.table import record_html

if TYPE_CHECKING:
    from numpy.typing import NDArray

Side = Literal["two-sided", "lower", "upper"]
Method = Literal[
    "normal", "wilson", "agresti_coull", "clopper_pearson", "jeffreys", "logarithm", "hanley_mcneil", "cohen", "fleiss"
]


@dataclass(frozen=True, slots=True)
class Interval:
    """An index with its confidence interval.

    Attributes
    ----------
    estimate : float or ndarray
        The index.
    low, high : float or ndarray
        The bounds; NaN where there are none. With side "lower", `high` is the upper end of the index's range. With side
        "upper", `low` is its lower end.
    level : float
        The confidence level: the share of samples whose interval contains the true value.
    method : str
        The method: one of `rocksteady.index(name).intervals`.
    side : str
        "two-sided", "lower" or "upper".
    standard_error : float or ndarray
        The standard error of the index; for the method "logarithm", of its logarithm.
    """

    estimate: float | NDArray[np.float64]
    low: float | NDArray[np.float64]
    high: float | NDArray[np.float64]
    level: float
    method: str
    side: str
    standard_error: float | NDArray[np.float64]

    _repr_html_ = record_html


def of_matrix(
    state: _rocksteady.ConfusionState, positive: int | None, name: str, level: float, method: str | None, side: str
) -> Interval:
    """Interval of a whole matrix, or of its positive class."""
    estimate, low, high, error, used = _rocksteady.interval_matrix(state, positive, name, level, method, side)
    return Interval(estimate, low, high, level, used, side, error)


def of_counts(
    arrays: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    name: str,
    level: float,
    method: str | None,
    side: str,
) -> Interval:
    """Interval of each two-by-two table; its fields are floats for a single table without axes."""
    found, used = _rocksteady.interval_counts(arrays, name, level, method, side)
    estimate, low, high, error = found if arrays[0].shape else map(float, found)
    return Interval(estimate, low, high, level, used, side, error)


def words(name: str, values: NDArray[np.float64] | np.float64, scale: str | None) -> list[str | None]:
    """Word for each value of an index on one of its scales; None where the scale has no word."""
    if scale is not None:
        string(scale, "scale", "the name of a scale")
    return _rocksteady.interpret(name, np.asarray(values, np.float64), scale)

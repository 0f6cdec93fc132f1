"""The warnings of scikit-learn's metrics."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base import warning

if TYPE_CHECKING:
    from numpy.typing import NDArray


class UndefinedMetricWarning(UserWarning):
    """A metric is not defined for these data. Used where scikit-learn's class of this name is not loaded."""


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns at the line outside this package that made the call."""
    warning.warn(message, category)


def warn_undefined(message: str) -> None:
    """Warns with scikit-learn's own class where it is loaded, so that filters for it keep working."""
    theirs = sys.modules.get("sklearn.exceptions")
    warn(message, getattr(theirs, "UndefinedMetricWarning", UndefinedMetricWarning))


def warn_of_division(quotients: NDArray[Any]) -> None:
    """Warns as numpy does where it divides by zero: of numbers, and of zero."""
    if np.any(np.isinf(quotients)):
        warn("divide by zero encountered in divide", RuntimeWarning)
    if np.any(np.isnan(quotients)):
        warn("invalid value encountered in divide", RuntimeWarning)

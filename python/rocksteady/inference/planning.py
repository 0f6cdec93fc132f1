"""How many rows a study needs, and what it can show, from the standard error of a pilot."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from rocksteady.base.arguments import not_negative, real, whole, wrong_type, wrong_value
from rocksteady.base.prevalence import share
from rocksteady.errors import InputError
from rocksteady.inference.difference import Difference, quantile_of
from rocksteady.inference.interval import Interval

if TYPE_CHECKING:
    Pilot = Interval | Difference

_NORMAL: Final = NormalDist()


def rows_for_width(pilot: Pilot, rows: int, width: float, *, level: float = 0.95) -> int:
    """How many rows make an interval about so wide, if they are like those of a pilot.

    Parameters
    ----------
    pilot : Interval or Difference
        Of any index: `interval` of a statistic, or `difference` of two models on the same rows. Without a pilot take counts
        of the size and rates that you expect (`ConfusionMatrix.from_counts`), or `auc_assumed`.
    rows : int
        The rows of the pilot; with clusters the number of clusters, and the answer is one.
    width : float
        The distance of the bounds.
    level : float
        The confidence level of the planned interval.

    Returns
    -------
    int
        At least 1. The standard error falls with the root of the rows: rows (2 z e / width)², e that of the pilot.

    Raises
    ------
    rocksteady.InputError
        If the pilot has no interval, or a number is not above zero.

    >>> import rocksteady as rs
    >>> expected = rs.ConfusionMatrix.from_counts([[900, 0], [20, 80]])       # 10 % ill, a sensitivity of 0.8
    >>> rs.inference.rows_for_width(expected.interval("recall"), 1000, 0.1)   # for 0.75 to 0.85
    2459
    """
    z = quantile_of(level)
    return _at_least(rows, 2 * z * _error(pilot) / _above_zero(width, "width"))


def rows_for_difference(pilot: Pilot, rows: int, difference: float, *, power: float = 0.8, level: float = 0.95) -> int:
    """How many rows find a difference with a probability of `power`, if they are like those of a pilot.

    Parameters
    ----------
    pilot : Difference or Interval
        The difference of two models on the same rows; of an `Interval` the difference from a fixed value.
    rows : int
        The rows of the pilot.
    difference : float
        What is to be found. Choose what matters, not what the pilot happened to have.
    power : float
        The probability that the test finds it.
    level : float
        1 less the size of the two-sided test.

    Returns
    -------
    int
        At least 1: rows ((z + z') e / difference)², z' that of the power.

    Raises
    ------
    rocksteady.InputError
        As for `rows_for_width`.

    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(400) < 0.3
    >>> scores = {"old": y + rng.normal(0, 1, 400), "new": y + rng.normal(0, 0.9, 400)}
    >>> pilot = rs.evaluate(y, scores, inference=True).difference("roc_auc", "new", "old")
    >>> needed = rs.inference.rows_for_difference(pilot, 400, 0.02)
    >>> round(rs.inference.power_of(pilot, 400, needed, 0.02), 3)
    0.8
    """
    z = quantile_of(level)
    wanted = share(power, "power")
    if wanted <= 1 - level:
        raise wrong_value(power, "power", f"more than the size of the test, {1 - level:.3g}")
    return _at_least(rows, (z + _NORMAL.inv_cdf(wanted)) * _error(pilot) / _above_zero(difference, "difference"))


def power_of(pilot: Pilot, rows: int, planned: int, difference: float, *, level: float = 0.95) -> float:
    """The probability that so many rows find a difference, if they are like those of a pilot.

    Parameters
    ----------
    pilot : Difference or Interval
        The difference of two models on the same rows; of an `Interval` the difference from a fixed value.
    rows, planned : int
        The rows of the pilot, and those planned.
    difference : float
        What is to be found.
    level : float
        1 less the size of the two-sided test.

    >>> import rocksteady as rs
    >>> pilot = rs.inference.auc_assumed(0.75, 50, 150)
    >>> round(rs.inference.power_of(pilot, 200, 400, 0.07), 3)   # 0.75 or 0.68?
    0.63
    """
    z = quantile_of(level)
    error = _error(pilot) * math.sqrt(_rows(rows, "rows") / _rows(planned, "planned"))
    apart = not_negative(difference, "difference") / error
    return _NORMAL.cdf(apart - z) + _NORMAL.cdf(-apart - z)


def auc_assumed(auc: float, positives: int, negatives: int) -> Interval:
    """The interval that an AUC would have, for planning without data.

    Parameters
    ----------
    auc : float
        The AUC that is expected: above 0 and below 1.
    positives, negatives : int
        The rows of each class.

    Notes
    -----
    The variance of exponential scores, which is about that of normal ones: Hanley, McNeil 1982,
    doi:10.1148/radiology.143.1.7063747.

    >>> import rocksteady as rs
    >>> rs.inference.auc_assumed(0.8, 50, 150)
    Interval(0.8, 0.721398 to 0.878602, 95 %, hanley_mcneil)
    """
    area, m, n = share(auc, "auc"), _rows(positives, "positives"), _rows(negatives, "negatives")
    above, below = area / (2 - area) - area**2, 2 * area**2 / (1 + area) - area**2
    error = math.sqrt((area * (1 - area) + (m - 1) * above + (n - 1) * below) / m / n)
    reach = error * quantile_of(0.95)
    low, high = max(area - reach, 0.0), min(area + reach, 1.0)
    return Interval(area, low, high, 0.95, "hanley_mcneil", "two-sided", error)


def _error(pilot: Pilot) -> float:
    if not isinstance(pilot, Interval | Difference):
        raise wrong_type(pilot, "pilot", "an Interval or a Difference")
    error = real(pilot.standard_error, "pilot.standard_error", "a pilot of one value")
    if not error > 0:
        expected = (
            f"a pilot with an interval. {pilot.why}" if pilot.why else "above 0: a pilot, or counts, with some errors"
        )
        raise wrong_value(error, "pilot.standard_error", expected)
    return error


def _rows(value: object, argument: str) -> int:
    return whole(value, argument, "a number of rows", least=1)


def _above_zero(value: object, argument: str) -> float:
    found = not_negative(value, argument)
    if not found:
        raise wrong_value(value, argument, "a number above 0")
    return found


def _at_least(rows: object, times: float) -> int:
    found = _rows(rows, "rows") * times * times
    if not found < 2**63:
        raise InputError("that takes more than 2**63 rows; expected a greater width or difference")
    return max(math.ceil(found), 1)

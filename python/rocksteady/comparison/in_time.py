"""Two models by their losses on rows in order of time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of, whole
from rocksteady.columns.pairing import paired
from rocksteady.comparison.folds import differences, t_tail
from rocksteady.errors import InputError
from rocksteady.inference.difference import Difference, level_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_ALIKE: Final = "All rows have the same difference, so they do not show how it scatters."
_NEGATIVE: Final = 'The estimate of the variance is not above 0. Take fewer lags, or method="newey_west".'


def compare_in_time(
    first: ArrayLike,
    second: ArrayLike,
    *,
    lags: int | None = None,
    method: Literal["newey_west", "diebold_mariano"] = "newey_west",
    level: float = 0.95,
) -> Difference:
    """Compare the mean losses of two models on rows in order of time, each of which may resemble those before it.

    Parameters
    ----------
    first, second : array-like of shape (n,)
        The loss of each row, or its sum over a day, of both models: finite numbers, in order of time and at equal
        distances.
    lags : int, optional
        How far back rows resemble each other: 0 to n - 1. Default of "newey_west": what the correlation r of rows with the
        row before asks for, ⌈1.1447 (4 r² n / (1 - r²)²)^(1/3)⌉ (Andrews 1991, doi:10.2307/2938229). Of "diebold_mariano" 0,
        for forecasts one step ahead; for h steps ahead pass h - 1.
    method : {"newey_west", "diebold_mariano"}
        How the covariances of rows k apart count in the variance of the mean. "newey_west": with 1 - k / (lags + 1), which
        is never negative (Newey, West 1987, doi:10.2307/1913610). "diebold_mariano": with 1, in the test of Diebold, Mariano
        1995, doi:10.1080/07350015.1995.10524599, with the correction of Harvey, Leybourne, Newbold 1997,
        doi:10.1016/S0169-2070(96)00719-4.
    level : float
        The confidence level.

    Returns
    -------
    rocksteady.inference.Difference
        The mean of `first` less that of `second`. Interval and test have Student's t distribution. Its degrees of freedom are
        n - 1; of "newey_west" at most 1.5 n / (lags + 1), those of the estimated variance (Sun 2014,
        doi:10.1016/j.jeconom.2013.10.001). `method` says how many lags were used.

    Raises
    ------
    rocksteady.InputError
        If there are fewer than two rows, the shapes differ, a value is missing or infinite, or `lags` is not below n.

    Notes
    -----
    With d the differences, m their mean and γ(k) = Σ (d[t] - m) (d[t - k] - m) / n, the variance of the mean is
    (γ(0) + 2 Σ w(k) γ(k)) / n. "newey_west" multiplies it by n / (n - 1), "diebold_mariano" by
    n / (n + 1 - 2 h + h (h - 1) / n) with h = lags + 1.

    In simulations the default interval covered 95 % where rows are independent; with a correlation of 0.5 from row to row
    92 % for 200 rows and 94 % for 1,000; with one of 0.8 it covered 89 and 93 %, and 47 to 49 % without lags. Where rows resemble
    each other for that long, take sums over longer spans, such as weeks, as rows.

    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(5)
    >>> season = np.sin(np.arange(120) / 4)
    >>> old, new = 1 + rng.random(120) + 0.3 * season, 0.9 + rng.random(120)
    >>> rs.comparison.compare_in_time(new, old)
    loss of 'first' less that of 'second': -0.161, 95 % interval -0.27 to -0.051, p = 0.005.
    loss of 'second' is higher than that of 'first': 0 lies outside the interval.
    """
    paired(first, {"second": second}, first="first")
    apart, rounding = differences(first, second, "row")
    one_of(method, "method", ("newey_west", "diebold_mariano"))
    used, rows = level_of(level), apart.size
    is_corrected = method == "diebold_mariano"
    if lags is None:
        far = 0 if is_corrected else _plug_in(apart, rounding)
    else:
        far = whole(lags, "lags", "a whole number of rows, 0 or more", least=0)
        if far >= rows:
            raise InputError(f"lags is {far}, of {rows} rows; expected a number below {rows}", argument="lags")
    # By a power of two, so that squares neither overflow nor vanish.
    scale = math.ldexp(1.0, math.frexp(float(np.abs(apart).max()))[1])
    mean = float((apart / scale).mean())
    left = apart / scale - mean
    variance = _covariance(left, 0)
    for lag in range(1, far + 1):
        weight = 1.0 if is_corrected else 1 - lag / (far + 1)
        variance += 2 * weight * _covariance(left, lag)
    steps = far + 1
    freedom = rows + 1 - 2 * steps + steps * (steps - 1) / rows if is_corrected else rows - 1
    error = scale * math.sqrt(variance / freedom) if variance > 0 and freedom > 0 else 0.0
    mean *= scale
    said = f"{method} with {far} lags"
    why = None if error > rounding else _ALIKE if float(np.ptp(apart)) <= rounding else _NEGATIVE
    if why:
        none = math.nan
        return Difference("loss", "first", "second", mean, none, none, used, said, none, none, none, why)
    student = rows - 1.0 if is_corrected else min(rows - 1.0, 1.5 * rows / steps)
    reach = error * _rocksteady.student_t_quantile((1 - used) / 2, student)
    p_value = 2 * t_tail(abs(mean) / error, student)
    return Difference(
        "loss", "first", "second", mean, mean - reach, mean + reach, used, said, error, mean / error, p_value
    )


def _plug_in(apart: NDArray[Any], rounding: float) -> int:
    """The lags that rows ask for whose correlation fades like a power of that with the row before."""
    if float(np.ptp(apart)) <= rounding:
        return 0
    left = apart / np.abs(apart).max()
    left -= left.mean()
    correlation = float((left[1:] * left[:-1]).sum() / (left * left).sum())
    square = min(correlation * correlation, 0.95)  # nearer to 1 the rule asks for all rows
    lags: int = math.ceil(1.1447 * (4 * square * apart.size / (1 - square) ** 2) ** (1 / 3))
    return min(lags, apart.size - 1)


def _covariance(left: NDArray[Any], lag: int) -> float:
    """The covariance of rows so far apart, by the number of all rows."""
    return float((left[lag:] * left[: left.size - lag]).sum()) / left.size

"""Evidence from the sum of a stream since its start: e-values, and the mean of numbers in [0, 1]."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import real, wrong_value
from rocksteady.inference.interval import Wanted
from rocksteady.inference.two_proportions import broadcast

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.inference.interval import Interval, Side

Alternative = Literal["two-sided", "greater", "less"]

_NO_ROWS: Final = "There are no rows."


def e_value(
    total: ArrayLike, rows: ArrayLike, mean: float, *, alternative: Alternative = "two-sided"
) -> float | NDArray[np.float64]:
    """The evidence against a mean, at all numbers of rows at once: the e-value of a stream of numbers in [0, 1].

    While the mean is `mean`, the probability that the e-value ever reaches 1/α is at most α. So ``min(1, 1 / e_value)`` is a
    p-value that may be read after every row. E-values of independent streams may be multiplied.

    Parameters
    ----------
    total : float or array-like
        The sum of the numbers since the start: of rows that are right, or of losses.
    rows : float or array-like
        How many there are, from `total` on.
    mean : float
        The mean to test, between 0 and 1.
    alternative : {"two-sided", "greater", "less"}
        What the evidence is for. "greater" is evidence against all means up to `mean`, "less" against all from `mean` on.

    Returns
    -------
    float or ndarray
        Of the common shape; 1 without rows, and infinite beyond the greatest float.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For a sum that is negative or greater than the number of rows, and for a mean that is not between 0 and 1.

    Notes
    -----
    With k the sum, m = n - k and B the beta function, it is B(k + ½, m + ½) / (B(½, ½) pᵏ (1 - p)ᵐ): the mean of likelihood
    ratios over Jeffreys' prior (Robbins 1970, doi:10.1214/aoms/1177696786). For "greater" and "less" the prior is that part
    of it. It depends on sum and number alone, so it is the same for every order and split of the rows. They must be
    independent and counted since a fixed start: of a sliding window it is no e-value.

    >>> import rocksteady as rs
    >>> round(rs.inference.e_value(41, 53, 0.5), 1)  # 41 of 53 rows that only one of two models has right
    478.0
    >>> rs.inference.e_value([6, 30.5], [10, 50], 0.5, alternative="greater").round(3)
    array([0.442, 0.715])
    """
    null = real(mean, "mean", "a number between 0 and 1, neither of them")
    if not 0 < null < 1:
        raise wrong_value(mean, "mean", "a number between 0 and 1, neither of them")
    some, others = _sums(total, rows)
    columns = [some.ravel(), others.ravel(), np.full(some.size, null)]
    with np.errstate(over="ignore"):
        found: NDArray[np.float64] = np.exp(_rocksteady.ln_e_values(columns, alternative)).reshape(some.shape)
    return found if found.shape else float(found)


def anytime_mean(total: ArrayLike, rows: ArrayLike, *, level: float = 0.95, side: Side = "two-sided") -> Interval:
    """The mean of a stream of numbers in [0, 1], with an interval that holds at all numbers of rows at once.

    Parameters
    ----------
    total, rows : float or array-like
        The sum of the numbers since the start, such as losses, and how many there are.
    level : float
        The probability that the interval contains the true mean at every time.
    side : {"two-sided", "lower", "upper"}
        Both bounds, or only one, which is then the tighter.

    Returns
    -------
    Interval
        Floats or arrays of the common shape. Its `standard_error` is that of a share, the greatest that the mean can have.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For a sum that is negative or greater than the number of rows.

    Notes
    -----
    All means that `e_value` is below 1/α against; of both bounds each has half of α. For losses between a and b
    take (loss - a) / (b - a). It needs no variance, so of losses that hardly scatter it is wide.

    >>> import rocksteady as rs
    >>> rs.inference.anytime_mean(12.5, 100)
    Interval(0.125, 0.0402101 to 0.254597, 95 %, anytime)
    """
    some, others = _sums(total, rows)
    zeros = np.zeros_like(some)
    found = Wanted(level, "anytime", side, {}).of_counts((some, zeros, others, zeros), "recall")
    none = some + others == 0
    why = tuple(_NO_ROWS if each else None for each in none.ravel()) if none.any() else None
    return replace(found, why=why if why is None or none.shape else why[0], note=None)


def _sums(total: ArrayLike, rows: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum, and the number of rows less it, of one shape."""
    arrays, shape = broadcast({"total": total, "rows": rows})
    some, all_ = (array.reshape(shape) for array in arrays.values())
    if (some > all_).any():
        place = int(np.argmax((some > all_).ravel()))
        expected = f"a sum of numbers in [0, 1], at most the rows, {all_.ravel()[place]:g}"
        raise wrong_value(float(some.ravel()[place]), "total", expected)
    return some, np.asarray(all_ - some)

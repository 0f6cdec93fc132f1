"""The difference and the ratio of two proportions, and the difference of two values of different rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, numbers, one_of, real, wrong_type, wrong_value
from rocksteady.base.gaps import refuse_gap
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError
from rocksteady.inference.difference import Difference, level_of
from rocksteady.inference.interval import Interval, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

_NO_ROWS = "A sample has no rows, or the ratio is 0 / 0."
_NO_ERROR = "This method needs a success in each sample, and a failure in one."

ProportionMethod = Literal["newcombe", "miettinen_nurminen", "mee", "agresti_caffo", "anytime"]
RatioMethod = Literal["koopman", "miettinen_nurminen", "katz"]


def proportion_difference(
    successes_1: ArrayLike,
    rows_1: ArrayLike,
    successes_2: ArrayLike,
    rows_2: ArrayLike,
    *,
    method: ProportionMethod = "newcombe",
    level: float = 0.95,
) -> Interval:
    """The proportion of one sample less that of another, of different rows, with its interval.

    For two models on the same rows see `paired_proportion_difference`, or `compare_labels`.

    Parameters
    ----------
    successes_1, rows_1 : float or array-like
        The number of successes and of rows of the first sample.
    successes_2, rows_2 : float or array-like
        Those of the second sample. Arrays are broadcast against each other.
    method : {"newcombe", "miettinen_nurminen", "mee", "agresti_caffo", "anytime"}
        "newcombe": from the Wilson intervals of both (Newcombe 1998, method 10,
        doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I). "mee": all differences that a score test
        does not reject (Mee 1984, Biometrics 40, 1175-1176). "miettinen_nurminen": the same with the variance times
        n / (n - 1) (Miettinen, Nurminen 1985, doi:10.1002/sim.4780040211). "agresti_caffo": Wald's, with a success and a
        failure added to each sample (Agresti, Caffo 2000, doi:10.1080/00031305.2000.10474560). "anytime": of two streams,
        however often one looks at either since its start: from the "anytime" intervals of both, each with half of the error.
        Successes may then be sums of numbers in [0, 1], such as losses.
    level : float
        The confidence level.

    Returns
    -------
    Interval
        Floats, or arrays of the common shape; NaN where a sample has no rows, and then `why` says so. `standard_error` is
        Wald's.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For numbers that are negative or not finite, and for more successes than rows.

    Examples
    --------
    The example of Newcombe 1998: 56 of 70 against 48 of 80.

    >>> import rocksteady as rs
    >>> found = rs.inference.proportion_difference(56, 70, 48, 80)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.2, 0.0524, 0.3339)
    >>> rs.inference.proportion_difference(56, 70, 48, 80, method="anytime")
    Interval(0.2, -0.169741 to 0.528035, 95 %, anytime)
    """
    arrays, shape = _samples(successes_1, rows_1, successes_2, rows_2)
    used = level_of(level)
    one_of(method, "method", get_args(ProportionMethod))
    if method == "anytime":
        return _interval(_of_streams(arrays, used), shape, used, method)
    found = _rocksteady.proportion_difference(arrays, used, method)
    return _interval(found, shape, used, method)


def proportion_ratio(
    successes_1: ArrayLike,
    rows_1: ArrayLike,
    successes_2: ArrayLike,
    rows_2: ArrayLike,
    *,
    method: RatioMethod = "koopman",
    level: float = 0.95,
) -> Interval:
    """The proportion of one sample over that of another, of different rows, with its interval: a relative risk.

    Parameters
    ----------
    successes_1, rows_1 : float or array-like
        The number of successes and of rows of the first sample.
    successes_2, rows_2 : float or array-like
        Those of the second sample. Arrays are broadcast against each other.
    method : {"koopman", "miettinen_nurminen", "katz"}
        "koopman": all ratios that a score test does not reject (Koopman 1984, Biometrics 40, 513-517).
        "miettinen_nurminen": the same with the variance times n / (n - 1) (Miettinen, Nurminen 1985,
        doi:10.1002/sim.4780040211). "katz": the ratio times and over exp(z e), with the standard error e of its logarithm
        (Katz, Baptista, Azen, Pike 1978, doi:10.2307/2530610); it needs a success in each sample, and a failure.
    level : float
        The confidence level.

    Returns
    -------
    Interval
        Floats, or arrays of the common shape, from 0 to infinity; NaN where a sample has no rows, or neither a success.
        `standard_error` is that of the ratio, by the standard error of its logarithm.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For numbers that are negative or not finite, and for more successes than rows.

    Examples
    --------
    36 of 40 against 16 of 80:

    >>> import rocksteady as rs
    >>> found = rs.inference.proportion_ratio(36, 40, 16, 80)
    >>> found.estimate, round(found.low, 2), round(found.high, 2)
    (4.5, 2.94, 7.15)
    """
    arrays, shape = _samples(successes_1, rows_1, successes_2, rows_2)
    used = level_of(level)
    found = _rocksteady.proportion_ratio(arrays, used, method)
    return _interval(found, shape, used, method)


def paired_proportion_difference(
    both: ArrayLike, first_only: ArrayLike, second_only: ArrayLike, neither: ArrayLike, *, level: float = 0.95
) -> Interval:
    """The proportion of successes of one model less that of another, on the same rows, with its interval.

    Newcombe's method 10 for pairs, from the Wilson intervals of both and their correlation (Newcombe 1998,
    doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C).

    Parameters
    ----------
    both, first_only, second_only, neither : float or array-like
        The number of rows that succeed in both, only in the first, only in the second, and in neither. Arrays are
        broadcast against each other.
    level : float
        The confidence level.

    Returns
    -------
    Interval
        Floats, or arrays of the common shape; NaN where there are no rows. `standard_error` is Wald's.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For numbers that are negative or not finite.

    Examples
    --------
    >>> import rocksteady as rs
    >>> found = rs.inference.paired_proportion_difference(36, 12, 2, 0)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.2, 0.0569, 0.3404)
    """
    given = {"both": both, "first_only": first_only, "second_only": second_only, "neither": neither}
    arrays, shape = broadcast(given)
    used = level_of(level)
    found = _rocksteady.paired_proportion_difference(list(arrays.values()), used)
    return _interval(found, shape, used, "newcombe")


def independent_difference(
    first: Interval, second: Interval, *, rows: Sequence[float] | None = None, level: float = 0.95
) -> Difference:
    """The difference of two values of different rows, such as the areas of one model on two samples.

    The distance from the difference to its bound is the root of the sum of the squared distances from both values to
    their bounds (MOVER: Zou, Donner 2008, doi:10.1002/sim.3095). So an area of 1 or a recall of 1, whose standard error
    is 0, is as uncertain as its interval says. The p-value belongs to the level at which the interval just reaches 0.

    For models on the same rows it is wrong: their values rise and fall together. See `compare_scores` and
    `compare_labels`.

    Parameters
    ----------
    first, second : Interval
        The values with their intervals, two-sided, at any level.
    rows : two numbers, optional
        The number of rows of each. Then the test is Student's with the degrees of freedom of Welch and Satterthwaite, as
        in pROC; else it is normal.
    level : float
        The confidence level.

    Returns
    -------
    Difference
        `statistic` is the number of standard errors at which the interval just reaches 0. `why` says which of the two
        has no interval, and `note` what speaks against them.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For intervals of arrays or with one bound, and for fewer than two rows.

    Examples
    --------
    >>> import rocksteady as rs
    >>> men = rs.inference.compare_scores([0, 0, 0, 1, 1, 1], {"model": [0.1, 0.4, 0.3, 0.35, 0.8, 0.7]})
    >>> women = rs.inference.compare_scores([0, 0, 0, 1, 1, 1], {"model": [0.6, 0.4, 0.3, 0.35, 0.8, 0.2]})
    >>> found = rs.inference.independent_difference(men.interval("model"), women.interval("model"))
    >>> round(found.estimate, 4), round(found.p_value, 4)
    (0.4444, 0.1711)
    """
    for argument, given in (("first", first), ("second", second)):
        if not isinstance(given, Interval):
            raise wrong_type(given, argument, "an Interval")
        if np.ndim(given.estimate) > 0:
            raise wrong_value(given, argument, "an Interval of one value")
        if given.side != "two-sided":
            raise wrong_value(given.side, argument, 'an Interval with both bounds: side="two-sided"')
    pair = None
    if rows is not None:
        counts = [real(count, "rows") for count in listed(rows, "rows", "two numbers of rows")]
        if len(counts) != 2 or not min(counts) >= 2:
            raise wrong_value(rows, "rows", "two numbers of rows, 2 or more each")
        pair = (counts[0], counts[1])
    used = level_of(level)
    names, method = ("first", "second"), "mover" if pair is None else "welch"
    each = dict(zip(names, (first, second), strict=True))
    known = [
        (float(one.estimate), (float(one.low), float(one.high)), float(one.standard_error), one.level)
        for one in each.values()
    ]
    reasons = [f"{name} has no interval: {one.why}" for name, one in each.items() if one.why]
    note = " ".join(dict.fromkeys(str(one.note) for one in each.values() if one.note)) or None
    told: _rocksteady._Told
    if reasons:
        told = (known[0][0] - known[1][0], *[math.nan] * 5, " ".join(reasons))  # type: ignore[assignment]  # five of them
    else:
        told = _rocksteady.independent_difference(known[0], known[1], pair, 0.0, used)
    return Difference._of(told, "estimate", names, used, method, note)


def _of_streams(arrays: list[NDArray[np.float64]], level: float) -> list[NDArray[np.float64]]:
    """The difference of two means, its bounds and its standard error, from intervals that each have half of the error."""
    wanted, each = Wanted((1 + level) / 2, "anytime", "two-sided", {}), []
    for successes, rows in (arrays[:2], arrays[2:]):
        zeros = np.zeros_like(rows)
        each.append(wanted.of_counts((successes, zeros, rows - successes, zeros), "recall"))
    first, second = each
    error = np.hypot(first.standard_error, second.standard_error)
    ends = first.estimate - second.estimate, first.low - second.high, first.high - second.low, error
    return [np.asarray(end) for end in ends]


def _samples(*given: ArrayLike) -> tuple[list[NDArray[np.float64]], tuple[int, ...]]:
    """Successes and rows of two samples as flat arrays of one length, and their common shape."""
    arrays, shape = broadcast(dict(zip(("successes_1", "rows_1", "successes_2", "rows_2"), given, strict=True)))
    for sample in ("1", "2"):
        successes, rows = arrays[f"successes_{sample}"], arrays[f"rows_{sample}"]
        if (successes > rows).any():
            place = int(np.argmax(successes > rows))
            raise wrong_value(float(successes[place]), f"successes_{sample}", f"at most the rows, {rows[place]:g}")
    return list(arrays.values()), shape


def broadcast(given: dict[str, Any]) -> tuple[dict[str, NDArray[np.float64]], tuple[int, ...]]:
    """Numbers as flat arrays of one length, and their common shape."""
    first = next(iter(given))
    paired(given[first], given, first=first)
    read = {argument: numbers(values, argument).astype(np.float64) for argument, values in given.items()}
    for argument, array in read.items():
        refuse_gap(array, argument, "a number of rows")
        if not (np.isfinite(array) & (array >= 0)).all():
            raise InputError(
                f"{argument} has a number that is negative or not finite; expected numbers of 0 or more",
                argument=argument,
            )
    try:
        arrays = np.broadcast_arrays(*read.values())
    except ValueError:
        shapes = ", ".join(f"{argument} {array.shape}" for argument, array in read.items())
        raise InputError(f"the shapes do not go together: {shapes}", argument=next(iter(read))) from None
    return {argument: array.ravel() for argument, array in zip(read, arrays, strict=True)}, arrays[0].shape


def _interval(found: list[NDArray[np.float64]], shape: tuple[int, ...], level: float, method: str) -> Interval:
    estimate, low, high, error = [column.reshape(shape) if shape else float(column[0]) for column in found]
    known = zip(found[0].tolist(), found[1].tolist(), strict=True)
    reasons = [_NO_ROWS if value != value else _NO_ERROR if low != low else None for value, low in known]
    why = reasons[0] if not shape else tuple(reasons) if any(reasons) else None
    return Interval(estimate, low, high, level, method, "two-sided", error, why)

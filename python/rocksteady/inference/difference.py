"""The difference of two models in one index, with its interval, its test and a verdict in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import real, wrong_value
from rocksteady.base.record import Record
from rocksteady.base.table import Table, class_named, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.base.table import Cell

Adjust = Literal["holm", "bh", "none"]

_LEAST: Final = 1e-300


def p_text(p_value: float) -> str:
    """Text of a p-value, which is never shown as 0.

    >>> p_text(0.0), p_text(0.0312), p_text(math.nan)
    ('p < 1e-300', 'p = 0.0312', 'p = nan')
    """
    return f"p < {_LEAST:g}" if p_value < _LEAST else f"p = {number(p_value, 3)}"


def level_of(level: object) -> float:
    """A confidence level."""
    found = real(level, "level", "a number between 0 and 1, neither of them")
    if not 0 < found < 1:
        raise wrong_value(level, "level", "a number between 0 and 1, neither of them")
    return found


def quantile_of(level: object) -> float:
    """The standard errors from a value to the bounds of its interval, by the normal distribution."""
    return -NormalDist().inv_cdf((1 - level_of(level)) / 2)


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Record):
    """An index of one model less that of another on the same rows, with its interval and its test.

    What they take for granted is on the page "What an interval here means" of the documentation.

    Attributes
    ----------
    index : str
        The name of the index.
    first, second : str
        The models: the difference is that of `first` less that of `second`.
    estimate : float
        The difference.
    low, high : float
        The bounds of the interval; NaN where there is none.
    level : float
        The confidence level: the share of samples whose interval contains the true difference.
    method : str
        How it was made.
    standard_error : float
        Of the difference.
    statistic : float
        The difference over its standard error.
    p_value : float
        The probability of a difference at least as great, of either sign, between models that are equal.
    why : str or None
        Why there is no interval or no test.
    note : str or None
        What speaks against the interval.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
    >>> rs.inference.compare_scores(y_true, scores).difference("new", "old")
    roc_auc of 'new' less that of 'old': 0.125, 95 % interval -0.275 to 0.525, p = 0.54.
    No difference is shown: 0 lies in the interval. Nor is it shown that there is none.
    The rarer class has fewer than 20 rows: the interval may cover the true value less often than its level says.
    """

    index: str
    first: str
    second: str
    estimate: float
    low: float
    high: float
    level: float
    method: str
    standard_error: float
    statistic: float
    p_value: float
    why: str | None = None
    note: str | None = None

    @classmethod
    def _of(
        cls,
        told: _rocksteady._Told,
        index: str,
        pair: tuple[str, str],
        level: float,
        method: str,
        note: str | None = None,
    ) -> Difference:
        estimate, low, high, error, statistic, p_value, why = told
        return cls(index, *pair, estimate, low, high, level, method, error, statistic, p_value, why, note)

    def _turned(self) -> Difference:
        """The difference in the other direction."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            estimate=-self.estimate,
            low=-self.high,
            high=-self.low,
            statistic=-self.statistic,
        )

    @property
    def side(self) -> str:
        """Always "two-sided": the interval has both bounds."""
        return "two-sided"

    @property
    def verdict(self) -> str:
        """What the interval says, in one sentence."""
        if math.isnan(self.low):
            return self.why or "There is no interval."
        first, second = class_named(self.first), class_named(self.second)
        if self.low <= 0 <= self.high:
            return "No difference is shown: 0 lies in the interval. Nor is it shown that there is none."
        higher, lower = (first, second) if self.estimate > 0 else (second, first)
        return f"{self.index} of {higher} is higher than that of {lower}: 0 lies outside the interval."

    def __repr__(self) -> str:
        pair = f"{self.index} of {class_named(self.first)} less that of {class_named(self.second)}: {number(self.estimate, 3)}"
        interval = (
            ""
            if math.isnan(self.low)
            else f", {_percent(self.level)} interval {number(self.low, 3)} to {number(self.high, 3)}"
        )
        test = "" if math.isnan(self.p_value) else f", {p_text(self.p_value)}"
        return "\n".join([f"{pair}{interval}{test}.", self.verdict, *([self.note] if self.note else [])])


@dataclass(frozen=True, slots=True, repr=False)
class NonInferiority(Record):
    """A test whether one model is at most a margin worse than another on the same rows.

    Attributes
    ----------
    index : str
        The name of the index.
    first, second : str
        The models: `first` is tested against `second`.
    margin : float
        What `first` may be worse by.
    estimate : float
        The index of `first` less that of `second`.
    low, high : float
        The one-sided interval of the difference. Of an index that is better high it has a lower bound, of a loss an upper
        one; the other is infinite.
    level : float
        Its confidence level.
    statistic : float
        The difference plus the margin, over the standard error of the difference; of a loss the margin less the
        difference.
    p_value : float
        The probability of a statistic as great if `first` is worse by the margin.
    holds : bool
        Whether it is shown: `low` is above minus the margin, or `high` below the margin.
    why : str or None
        Why there is no test.
    """

    index: str
    first: str
    second: str
    margin: float
    estimate: float
    low: float
    high: float
    level: float
    statistic: float
    p_value: float
    why: str | None = None

    @property
    def holds(self) -> bool:
        """Whether it is shown that `first` is worse by less than the margin."""
        return self.low > -self.margin or self.high < self.margin

    def __repr__(self) -> str:
        first, second = class_named(self.first), class_named(self.second)
        if math.isnan(self.p_value):
            return f"Non-inferiority of {first} to {second} in {self.index}: {self.why}"
        shown = "is shown" if self.holds else "is not shown"
        is_loss = math.isinf(self.low)
        side, bound, where = ("upper", self.high, "above") if is_loss else ("lower", self.low, "below")
        test = f"{side} {_percent(self.level)} bound {number(bound, 3)}, {p_text(self.p_value)}"
        return (
            f"It {shown} that {self.index} of {first} is at most {number(self.margin, 3)} {where} that of {second}:\n"
            f"difference {number(self.estimate, 3)}, {test}."
        )


@dataclass(frozen=True, slots=True, repr=False)
class Equivalence(Record):
    """A test whether two models differ by less than a margin on the same rows: two one-sided tests.

    Attributes
    ----------
    index : str
        The name of the index.
    first, second : str
        The models.
    margin : float
        What they may differ by.
    estimate : float
        The index of `first` less that of `second`.
    low, high : float
        The bounds of the difference, each one-sided at `level`.
    level : float
        The confidence level of each bound: together they are an interval of 90 % if it is 95 %.
    p_value : float
        The greater of the p-values of the two tests.
    holds : bool
        Whether it is shown: both bounds are within the margin.
    why : str or None
        Why there is no test.
    """

    index: str
    first: str
    second: str
    margin: float
    estimate: float
    low: float
    high: float
    level: float
    p_value: float
    why: str | None = None

    @property
    def holds(self) -> bool:
        """Whether it is shown that the models differ by less than the margin."""
        return -self.margin < self.low and self.high < self.margin

    def __repr__(self) -> str:
        first, second = class_named(self.first), class_named(self.second)
        if math.isnan(self.p_value):
            return f"Equivalence of {first} and {second} in {self.index}: {self.why}"
        shown = "is shown" if self.holds else "is not shown"
        bounds = f"{_percent(self.level)} bounds {number(self.low, 3)} and {number(self.high, 3)}"
        return (
            f"It {shown} that {self.index} of {first} and of {second} differ by less than {number(self.margin, 3)}:\n"
            f"difference {number(self.estimate, 3)}, {bounds}, {p_text(self.p_value)}."
        )


def _percent(level: float) -> str:
    return f"{number(100 * level)} %"


def pairs_table(pairs: Sequence[Difference], adjust: Adjust) -> Table:
    """Differences, a row each, with p-values that are adjusted for their number."""
    adjusted = _rocksteady.adjusted_p_values(np.array([found.p_value for found in pairs]), adjust).tolist()
    columns = ["first", "second", "difference", "low", "high", "p_value"]
    rows: list[list[Cell]] = [
        [found.first, found.second, found.estimate, found.low, found.high, found.p_value] for found in pairs
    ]
    if adjust == "none":
        return Table(columns, rows)
    with_adjusted = [[*row, value] for row, value in zip(rows, adjusted, strict=True)]
    return Table([*columns, f"{adjust}_p_value"], with_adjusted)

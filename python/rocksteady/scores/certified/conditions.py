"""Conditions on shares of the population, each with an exact binomial test at a threshold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from rocksteady.base.arguments import shown, string
from rocksteady.errors import InputError
from rocksteady.labels.counts import Counts
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_METHOD: Final = "clopper_pearson"
#: Functions of the share tp / (tp + fp + fn), which each of these rows adds to with the same probability.
_OVERLAPS: Final = ("f1", "jaccard")
#: Shares of the rows above a threshold. At the highest score they have one row.
ABOVE: Final = {"precision": ">=", "fdr": "<="}
#: Shares of rows that are counted at every threshold, and that a lower threshold can only make worse.
FALLING: Final = {"fpr": "<=", "specificity": ">=", "rpp": "<=", "rnp": ">="}
_EXPECTED: Final = (
    'comparisons of shares with numbers between 0 and 1, joined by "and", such as "precision >= 0.9 and rpp <= 0.2"'
)
_TURNED: Final = {">=": "<=", "<=": ">="}


class Condition(NamedTuple):
    """A limit on a share of the population; `said` is what the caller calls the share."""

    name: str
    order: str
    limit: float
    said: str

    def __str__(self) -> str:
        return f"{self.said} {self.order} {self.limit!r}"

    def bounds(self, counts: Sequence[NDArray[np.float64]], tail: float) -> NDArray[np.float64]:
        """What the share is at least, or at most, at each threshold: false with a probability of at most `tail`.

        It lies on the right side of the limit where the binomial test at level `tail` rejects all shares beyond it. NaN
        where no row has the denominator.
        """
        tp, fp, fn, tn = counts
        name, zero = self.name, np.zeros_like(tp)
        if name in _OVERLAPS:
            name, fp, fn, tn = "recall", zero, fp + fn, zero
        side = "lower" if self.order == ">=" else "upper"
        found = Counts(tp, fp, fn, tn).interval(name, level=1 - tail, method=_METHOD, side=side)  # type: ignore[arg-type]  # one of the words
        bounds = np.asarray(found.low if side == "lower" else found.high)
        return 2 * bounds / (1 + bounds) if self.name == "f1" else bounds

    def are_shown(self, counts: Sequence[NDArray[np.float64]], tail: float) -> NDArray[np.bool_]:
        """Whether the test shows the condition, at each threshold."""
        bounds = self.bounds(counts, tail)
        met: NDArray[np.bool_] = bounds >= self.limit if self.order == ">=" else bounds <= self.limit
        return met


def conditions_of(text: str) -> list[Condition]:
    """Read conditions.

    Raises
    ------
    InputError
        For what is no comparison, an index that is no share, and a limit that is not between 0 and 1.

    >>> [str(each) for each in conditions_of("ppv > 0.9 and 0.2 >= rpp")]
    ['ppv >= 0.9', 'rpp <= 0.2']
    """
    found = []
    for clause in re.split(r"\band\b", string(text, "conditions", _EXPECTED)):
        parts = [part.strip() for part in re.split("(>=|<=|>|<)", clause)]
        if len(parts) < 3 or not all(parts) or "=" in "".join(parts[::2]):
            raise InputError(f"conditions has {shown(clause.strip())}; expected {_EXPECTED}", argument="conditions")
        sides = zip(parts[:-2:2], parts[1::2], parts[2::2], strict=True)
        found += [_condition(left, f"{order[0]}=", right) for left, order, right in sides]
    return found


def _condition(left: str, order: str, right: str) -> Condition:
    limits = [_limit(side) for side in (left, right)]
    if limits[0] is not None:
        left, right, order, limits = right, left, _TURNED[order], limits[::-1]
    limit = limits[1]
    if limit is None or limits[0] is not None:
        raise InputError(
            f"conditions compares {shown(left)} with {shown(right)}; expected {_EXPECTED}", argument="conditions"
        )
    row = index(left)
    if row.name not in _OVERLAPS and _METHOD not in row.intervals:
        raise InputError(
            f"conditions has {row.name}, which is no share of rows, so no binomial test holds for it; expected precision, "
            "recall, fpr, rpp, accuracy, f1, jaccard or another share",
            argument="conditions",
        )
    if not 0 < limit < 1:
        raise InputError(
            f"conditions limits {row.name} by {right}; expected a number between 0 and 1", argument="conditions"
        )
    return Condition(row.name, order, limit, row.name if " " in left else left)


def _limit(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

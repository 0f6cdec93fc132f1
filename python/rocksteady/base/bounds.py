"""Proven bounds of a value that is not known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocksteady.base.table import record_html


@dataclass(frozen=True, slots=True)
class Bounds:
    """Two numbers between which a value lies for certain.

    A bound is a statement about these very rows, not about a population: there is no level, and it never fails. For a
    statement about the population see `rocksteady.Interval`.

    Attributes
    ----------
    low, high : float
        The value is at least `low` and at most `high`, rounding included; NaN where there are no bounds.
    value : float or None
        The value itself where it is known, then `low` and `high` equal it; NaN of an index that is undefined.
    why : str or None
        Why the index is undefined, or why there are no bounds.
    may_be_undefined : bool
        Whether the index may be undefined; the bounds are of the values that are defined.
    kind : str
        "proven".

    Examples
    --------
    >>> import rocksteady as rs
    >>> sketch = rs.ScoreSketch([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> sketch.bounds("roc_auc")
    Bounds(low=0.75, high=0.75, value=0.75, why=None, may_be_undefined=False, kind='proven')
    """

    low: float
    high: float
    value: float | None
    why: str | None = None
    may_be_undefined: bool = False
    kind: Literal["proven"] = "proven"

    @property
    def width(self) -> float:
        """How far the bounds are apart."""
        return self.high - self.low

    _repr_html_ = record_html

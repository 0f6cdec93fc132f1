"""Cumulative gains and lift, over the share of selected rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rocksteady.scores.curves.line import IndexCurve

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


@dataclass(frozen=True, eq=False, repr=False)
class GainCurve(IndexCurve):
    """Cumulative gains, or CAP curve: the share of the positives found in each share of the rows selected.

    Attributes
    ----------
    rpp : numpy.ndarray
        Rate of positive predictions, (TP + FP) / n, at ``score >= thresholds[i]``, from 0 to 1.
    tpr : numpy.ndarray
        The gain, TP / P, from 0 to 1; NaN if there are no positives.
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    positives, negatives : float
        The number, or weight, of all of each.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `tpr`; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).gain_curve()
    >>> curve.rpp, curve.tpr
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    >>> curve.ideal, curve.accuracy_ratio()
    (array([0. , 0.5, 1. , 1. , 1. ]), 0.5)
    """

    rpp: Array
    tpr: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "rpp"
    _y: ClassVar[tuple[str, ...]] = ("tpr",)
    _sweep: ClassVar[str] = "gain"

    def _totals(self) -> tuple[float, float]:
        return self.positives + self.negatives, self.positives

    @property
    def prevalence(self) -> float:
        """P / n, where the ideal curve has its corner. NaN without rows."""
        total = self.positives + self.negatives
        return self.positives / total if total > 0 else float("nan")

    @property
    def ideal(self) -> Array:
        """The gain at each `rpp` if all positives came first: ``min(rpp / prevalence, 1)``."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.minimum(self.rpp / self.prevalence, 1.0)

    @property
    def baseline(self) -> Array:
        """The gain at each `rpp` of a random ranking: `rpp` itself."""
        return self.rpp

    def accuracy_ratio(self) -> float:
        """The Gini coefficient: the area between curve and baseline, divided by that between ideal and baseline.

        In [-1, 1]; NaN if a class is absent. Source: Engelmann, Hayden, Tasche 2003.
        """
        below = 1.0 - self.prevalence
        return min(max((2.0 * self.area() - 1.0) / below, -1.0), 1.0) if 0 < below < 1 else float("nan")


@dataclass(frozen=True, eq=False, repr=False)
class LiftCurve(IndexCurve):
    """Lift: the share of positives among the selected rows, divided by their share among all rows.

    Attributes
    ----------
    rpp : numpy.ndarray
        Rate of positive predictions, (TP + FP) / n, at ``score >= thresholds[i]``, from 0 to 1.
    lift : numpy.ndarray
        Precision over prevalence; it ends at 1. NaN at point 0, where nothing is selected, and without positives.
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    positives, negatives : float
        The number, or weight, of all of each.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `lift`; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).lift_curve().lift.round(3)
    array([  nan, 2.   , 1.   , 1.333, 1.   ])
    """

    rpp: Array
    lift: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "rpp"
    _y: ClassVar[tuple[str, ...]] = ("lift",)
    _sweep: ClassVar[str] = "lift"

    @property
    def ideal(self) -> Array:
        """The lift at each `rpp` if all positives came first: ``min(1 / rpp, n / P)``; chance expects 1."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.minimum(1.0 / self.rpp, np.divide(self.positives + self.negatives, self.positives))

"""The detection error trade-off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rocksteady import _rocksteady
from rocksteady.scores.curves.line import Curve, IndexCurve

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(IndexCurve):
    """Detection error trade-off: false negative against false positive rate.

    Source: Martin et al. 1997, doi:10.21437/Eurospeech.1997-504.

    Attributes
    ----------
    fpr : numpy.ndarray
        False positive rate, FP / N, at ``score >= thresholds[i]``, from 0 to 1; NaN if there are no negatives.
    fnr : numpy.ndarray
        False negative rate, FN / P, from 1 to 0; NaN if there are no positives.
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down. All of them: scikit-learn cuts both ends off.
    positives, negatives : float
        The number, or weight, of all of each.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `fnr`; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).det_curve().fnr
    array([1. , 0.5, 0.5, 0. , 0. ])
    """

    fpr: Array
    fnr: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "fpr"
    _y: ClassVar[tuple[str, ...]] = ("fnr",)
    _sweep: ClassVar[str] = "det"

    def _totals(self) -> tuple[float, float]:
        return self.negatives, self.positives

    def normal_deviates(self) -> Curve:
        """The curve on normal-deviate axes, as it is usually drawn. Normal scores give a straight line.

        Both rates become the standard normal quantile, infinite at 0 and at 1.

        >>> import rocksteady as rs
        >>> x, y = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).det_curve().normal_deviates()
        >>> x, y
        (array([-inf, -inf,   0.,   0.,  inf]), array([ inf,   0.,   0., -inf, -inf]))
        """
        x, y = (_rocksteady.normal_deviates(np.ascontiguousarray(rates)) for rates in (self.fpr, self.fnr))
        return Curve(x, y, self.thresholds, "normal deviate of fpr", "normal deviate of fnr")

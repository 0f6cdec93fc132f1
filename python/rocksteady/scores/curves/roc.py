"""The ROC curve and its convex hull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rocksteady.scores.curves.line import Area, IndexCurve

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(IndexCurve):
    """The ROC curve: true against false positive rate (Fawcett 2006, doi:10.1016/j.patrec.2005.10.010).

    Attributes
    ----------
    fpr : numpy.ndarray
        False positive rate, FP / N, at ``score >= thresholds[i]``, from 0 to 1; NaN if there are no negatives.
    tpr : numpy.ndarray
        True positive rate, TP / P, from 0 to 1; NaN if there are no positives.
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    positives, negatives : float
        The number, or weight, of all of each.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `tpr`; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_curve()
    >>> curve.fpr, curve.tpr
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    >>> curve.thresholds
    array([ inf, 0.8 , 0.4 , 0.35, 0.1 ])
    >>> table = rs.ScoreTable([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> len(table.roc_curve()), len(table.roc_curve(max_deviation=0))
    (6, 5)
    """

    fpr: Array
    tpr: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "fpr"
    _y: ClassVar[tuple[str, ...]] = ("tpr",)
    _sweep: ClassVar[str] = "roc"

    def _totals(self) -> tuple[float, float]:
        return self.negatives, self.positives


@dataclass(frozen=True, eq=False, repr=False)
class RocConvexHull(Area):
    """Points of a ROC curve that no mixture of thresholds beats (Provost, Fawcett 2001, doi:10.1023/A:1007601015854).

    Attributes
    ----------
    fpr, tpr, thresholds : numpy.ndarray
        The corners of the hull from (0, 0) to (1, 1), at ``score >= thresholds[i]``; NaN where a class is absent.
        Between two of them a mixture of both thresholds is best.
    deviation : float
        0; after `simplify` how far the whole hull lies from this one, vertically.
    """

    fpr: Array
    tpr: Array
    thresholds: Array
    deviation: float = 0.0

    _x: ClassVar[str] = "fpr"
    _y: ClassVar[tuple[str, ...]] = ("tpr",)

"""Precision against recall, and the gain of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from rocksteady.scores.curves.line import Area

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


Interpolation = Literal["step", "linear", "davis_goadrich"]


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallCurve(Area):
    """Precision against recall, from the highest threshold down. By convention it starts at recall 0, precision 1.

    Attributes
    ----------
    recall : numpy.ndarray
        TP / P at ``score >= thresholds[i]``, from 0 to 1; NaN if there are no positives.
    precision : numpy.ndarray
        TP / (TP + FP). Where nothing is predicted positive it has no value: 1 stands there.
    thresholds : numpy.ndarray
        Scores, from ``inf`` down; NaN at points between two thresholds ("davis_goadrich").
    interpolation : str
        What stands between the points. "step": the precision of a point holds from the recall before up to its own, and
        the area is the average precision (Manning, Raghavan, Schütze 2008, section 8.4). "linear": straight lines,
        which are too good, as no mixture of two thresholds reaches them. "davis_goadrich": what mixtures do reach, by
        points on each hyperbola within 1e-6 of it, at most 1,000 between two thresholds (Davis, Goadrich 2006,
        doi:10.1145/1143844.1143874).
    positives, negatives : float
        The number, or weight, of all of each.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `precision`; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).precision_recall_curve()
    >>> curve.recall, curve.precision.round(3)
    (array([0. , 0.5, 0.5, 1. , 1. ]), array([1.   , 1.   , 0.5  , 0.667, 0.5  ]))
    >>> round(curve.area(), 6)
    0.833333
    """

    recall: Array
    precision: Array
    thresholds: Array
    interpolation: Interpolation
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "recall"
    _y: ClassVar[tuple[str, ...]] = ("precision",)

    def _steps(self) -> bool:
        return self.interpolation == "step"


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallGainCurve(Area):
    """Precision gain against recall gain: here straight lines may join points, and the area has a meaning.

    Flach, Kull 2015, "Precision-Recall-Gain curves: PR analysis done right", NIPS 28. The gain of a share s over the
    prevalence p is ``(s - p) / ((1 - p) s)``: 0 at the prevalence, 1 at 1.

    Attributes
    ----------
    recall_gain : numpy.ndarray
        At ``score >= thresholds[i]``, from 0 to 1. Thresholds whose recall is below the prevalence are left out.
    precision_gain : numpy.ndarray
        At most 1; negative where precision is below the prevalence; 0 at the end, where every row is predicted
        positive.
    thresholds : numpy.ndarray
        Scores, descending. The first is NaN if recall gain 0 lies between two thresholds: a mixture of both.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `precision_gain`; 0 where every point is
        there.

    A single NaN in each array where a class is absent.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).precision_recall_gain_curve()
    >>> curve.recall_gain, curve.precision_gain, curve.area()
    (array([0., 0., 1., 1.]), array([1. , 0. , 0.5, 0. ]), 0.25)
    """

    recall_gain: Array
    precision_gain: Array
    thresholds: Array
    deviation: float = 0.0

    _x: ClassVar[str] = "recall_gain"
    _y: ClassVar[tuple[str, ...]] = ("precision_gain",)

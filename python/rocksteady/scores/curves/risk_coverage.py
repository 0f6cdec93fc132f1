"""The risk–coverage curve of selective classification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rocksteady.scores.curves.line import IndexCurve

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


@dataclass(frozen=True, eq=False, repr=False)
class RiskCoverageCurve(IndexCurve):
    """The share of wrong predictions among the rows that are accepted, at each share of accepted rows.

    The positive rows are those whose prediction is right, and the scores are the confidences, as in the tables of
    `rocksteady.scores.top_label` and `ScoreTables.top_label`. Rows of at least the threshold are accepted. Between two
    thresholds the risk is that of the lower one, so that `area` is the index "aurc".

    Source: El-Yaniv, Wiener 2010, "On the foundations of noise-free selective classification", JMLR 11.

    Attributes
    ----------
    coverage : numpy.ndarray
        The share of rows accepted, (TP + FP) / n, at ``score >= thresholds[i]``, from 0 to 1.
    selective_risk : numpy.ndarray
        The share of these that are wrong, FP / (TP + FP). Where nothing is accepted it has no value: 0 stands there.
    thresholds : numpy.ndarray
        Confidences, from ``inf``, where nothing is accepted, down.
    positives, negatives : float
        The number, or weight, of all right and of all wrong rows.
    deviation : float
        How far the whole curve lies from this one, vertically; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> table = rs.ScoreTable([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])   # 1 is a right prediction
    >>> curve = table.risk_coverage_curve()
    >>> curve.coverage, curve.selective_risk.round(3)
    (array([0. , 0.2, 0.4, 0.6, 0.8, 1. ]), array([0.   , 0.   , 0.   , 0.333, 0.25 , 0.4  ]))
    >>> round(curve.area(), 6), round(table["aurc"], 6)
    (0.196667, 0.196667)
    """

    coverage: Array
    selective_risk: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "coverage"
    _y: ClassVar[tuple[str, ...]] = ("selective_risk",)

    def _steps(self) -> bool:
        return True

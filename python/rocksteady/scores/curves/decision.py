"""The decision curve: net benefit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rocksteady.scores.curves.line import Area

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurve(Area):
    """Net benefit: true positives less false ones, weighed by the odds of the threshold, per row.

    Vickers, Elkin 2006, doi:10.1177/0272989X06295361: ``TP / n - FP / n * t / (1 - t)``.

    Attributes
    ----------
    threshold_probability : numpy.ndarray
        t: who calls a row positive from t on holds a false positive to cost ``t / (1 - t)`` times what a true one is
        worth. The distinct scores, ascending, or what was asked for.
    net_benefit : numpy.ndarray
        Of predicting positive at ``score >= t``; at most the prevalence, ``-inf`` at t = 1 with false positives.
    treat_all : numpy.ndarray
        Of calling every row positive.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `net_benefit`; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).decision_curve(at=[0.2, 0.5])
    >>> curve.net_benefit, curve.treat_all, curve.treat_none
    (array([0.4375, 0.    ]), array([0.375, 0.   ]), array([0., 0.]))
    """

    threshold_probability: Array
    net_benefit: Array
    treat_all: Array
    deviation: float = 0.0

    _x: ClassVar[str] = "threshold_probability"
    _y: ClassVar[tuple[str, ...]] = ("net_benefit",)

    @property
    def treat_none(self) -> Array:
        """The net benefit of predicting no row positive: 0."""
        return np.zeros(len(self))

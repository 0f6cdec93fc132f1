"""The Kolmogorov–Smirnov statistic, and both rates over the threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from rocksteady.base.record import Record
from rocksteady.scores.curves.line import Line

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


class _KS(NamedTuple):
    value: float
    threshold: float
    sign: int


class KS(Record, _KS):
    """The Kolmogorov–Smirnov statistic of two score distributions.

    Attributes
    ----------
    value : float
        The largest absolute value of TPR - FPR over all thresholds, in [0, 1].
    threshold : float
        The score at which it is reached, predicting positive at ``score >= threshold``; the lowest where several do.
    sign : int
        1 if TPR is above FPR there, -1 if below, 0 if the statistic is 0.
    """

    __slots__ = ()


@dataclass(frozen=True, eq=False, repr=False)
class KsCurve(Line):
    """Both rates over the threshold; the Kolmogorov–Smirnov statistic is the greatest distance between them.

    Attributes
    ----------
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    tpr, fpr : numpy.ndarray
        The share of the positives, and of the negatives, with ``score >= thresholds[i]``; NaN where there are none.
    ks : rocksteady.results.KS
        The greatest distance, its threshold and its sign. `simplify` leaves its point where it is.
    deviation : float
        How far both whole curves lie from these, vertically; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).ks_curve().ks
    KS(value=0.5, threshold=0.35, sign=1)
    """

    thresholds: Array
    tpr: Array
    fpr: Array
    ks: KS
    deviation: float = 0.0

    _x: ClassVar[str] = "thresholds"
    _y: ClassVar[tuple[str, ...]] = ("tpr", "fpr")

    def _stays(self) -> list[int]:
        threshold = self.ks.threshold
        here = self.thresholds == threshold if threshold == threshold else np.isnan(self.thresholds)
        return np.flatnonzero(here).tolist()

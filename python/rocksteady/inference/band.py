"""Bands of confidence around curves, from resamples of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of, whole, wrong_value
from rocksteady.base.result import Result
from rocksteady.inference.resampling import planned

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BandKind = Literal["simultaneous", "pointwise", "campbell"]


@dataclass(frozen=True, eq=False, repr=False)
class Band(Result):
    """A curve with a band; entry *i* of each array belongs to x[i].

    Attributes
    ----------
    x : numpy.ndarray
        From 0 to 1 at equal distances: the false positive rate ("roc"), the recall ("precision_recall"), the share of
        rows predicted positive ("gain"), the threshold ("decision": those asked for).
    estimate : numpy.ndarray
        The curve: the true positive rate, the precision, the recall, or the difference of net benefits.
    low, high : numpy.ndarray
        The band.
    level : float
        The share of samples whose band holds the true curve ("simultaneous", "campbell") or the true point
        ("pointwise", and "folds" of `rocksteady.comparison.band_over_folds`).
    kind : str
        "simultaneous", "pointwise", "campbell" or "folds".
    curve : str
        "roc", "precision_recall", "gain" or "decision".
    undefined : int
        How many replicates had no curve and were left out.
    note : str or None
        What speaks against the band.
    """

    x: NDArray[np.float64]
    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    kind: str
    curve: str
    undefined: int
    note: str | None = None

    _first: ClassVar[tuple[str, ...]] = ("x", "estimate", "low", "high")


def band_of(
    state: _rocksteady.ScoreState,
    curve: str,
    *,
    kind: str,
    level: float,
    points: int,
    n_resamples: int,
    random_state: object,
) -> Band:
    """The band of a score table; see ``ScoreTable.band``."""
    number = _asked(curve, points)
    one_of(kind, "kind", ("simultaneous", "pointwise", "campbell"))
    plan = planned(
        "roc_auc",
        threshold=0.5,
        n_resamples=n_resamples,
        method="percentile",
        resample="multinomial",
        # The rates of an ROC curve condition on the class; precision and the selected share need both class sizes to
        # vary.
        strata="label" if curve == "roc" else None,
        level=level,
        random_state=random_state,
    )
    (x, estimate, low, high), undefined = _rocksteady.bootstrap_band(
        state, curve, kind, plan.level, number, plan.asked()
    )
    note = None
    if kind == "pointwise":
        note = "Each point has this level. The whole curve leaves the band in most samples."
    return Band(x, estimate, low, high, plan.level, kind, curve, undefined, note)


def points_of(
    state: _rocksteady.ScoreState, curve: str, points: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The x of a band, and the curve at each, which resamples play no part in."""
    number = _asked(curve, points)
    plan = planned(
        "roc_auc",
        threshold=0.5,
        n_resamples=2,
        method="percentile",
        resample="multinomial",
        strata="label",
        level=0.95,
        random_state=0,
    )
    (x, estimate, _, _), _ = _rocksteady.bootstrap_band(state, curve, "pointwise", plan.level, number, plan.asked())
    return x, estimate


def _asked(curve: str, points: int) -> int:
    """The number of points, of a curve that has a band."""
    one_of(curve, "curve", ("roc", "precision_recall", "gain"))
    number = whole(points, "points", "a whole number from 2 to 10,000", least=2)
    if number > 10_000:
        raise wrong_value(points, "points", "a whole number from 2 to 10,000")
    return number

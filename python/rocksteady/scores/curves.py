"""Curves over the thresholds of a score table, each a small typed object of named arrays."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import not_negative, numbers, one_of, string, whole, wrong_value
from rocksteady.base.result import Result
from rocksteady.registry import index
from rocksteady.scores.thresholds import KS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

Interpolation = Literal["step", "linear", "davis_goadrich"]


def _points(max_points: object) -> int | None:
    """A number of points, two at least; None for any."""
    if max_points is None:
        return None
    return whole(max_points, "max_points", "a whole number of points, 2 or more, or None", least=2)


class Line(Result):
    """A curve of points, joined in their order: what all kinds of curves share. Entry *i* of each array belongs to point *i*.

    `deviation` is 0 where every point is there, and otherwise bounds what is missing: read at any x, the whole curve lies no
    further from this one, in units of y. Where x turns back more often than `max_points` allowed: no point of it lies further from
    this one in either coordinate.
    """

    __slots__ = ()

    _x: ClassVar[str]
    _y: ClassVar[tuple[str, ...]]

    deviation: float

    def _steps(self) -> bool:
        """Whether y holds from the x before; straight lines join the points otherwise."""
        return False

    def _stays(self) -> list[int]:
        """The points that are left out in no case."""
        return []

    def _totals(self) -> tuple[float, float] | None:
        """What x and y are counts over, if they are."""
        return None

    def simplify(self, max_points: int | None = None, max_deviation: float = 0.0) -> Self:
        """The curve with fewer of its points; the first and the last stay, and those beside a gap.

        Points on a straight line between others are left out in any case. Rates that are counts are compared as whole numbers, so
        that this is exact; other numbers are compared as they stand.

        Parameters
        ----------
        max_points : int, optional
            Not more points than these, 2 or more: the deviation becomes as large as that needs.
        max_deviation : float
            So much deviation is allowed in any case. It is vertical, in units of y: read at any x, both curves differ
            by no more. Where the curve is itself vertical, its whole stretch counts. Where x turns back more often than
            `max_points` allows, x and y are both compared, place by place along the curve.

        Returns
        -------
        the same kind of curve
            With `deviation` as measured over every point left out, beside what the curve had.

        Raises
        ------
        rocksteady.InputError
            If more than `max_points` must stay: the ends, and points beside gaps (NaN and infinities).

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2])
        >>> table.roc_curve().simplify().tpr
        array([0.        , 0.66666667, 0.66666667, 1.        , 1.        ])
        >>> table.roc_curve().simplify(max_points=4)
        <rocksteady.RocCurve of 3: fpr, tpr, thresholds, positives=3.0, negatives=3.0, deviation=0.2222222222222222>
        """
        x = np.ascontiguousarray(getattr(self, self._x), dtype=np.float64)
        y = [np.ascontiguousarray(getattr(self, name), dtype=np.float64) for name in self._y]
        most, allowed = _points(max_points), not_negative(max_deviation, "max_deviation")
        places, deviation = _rocksteady.simplify_columns(
            x, y, self._totals(), self._steps(), self._stays(), most, allowed
        )
        columns = {name: column[places] for name, column in self._columns().items()}
        return replace(self, **columns, deviation=self.deviation + deviation)  # type: ignore[type-var]  # each kind is a dataclass


class _Area(Line):
    """A curve with an area below it."""

    __slots__ = ()

    def area(self) -> float:
        """The area between the curve and the axis of x: by trapezoids, or by steps where the curve has steps.

        Pieces that end at a point without coordinates count nothing; NaN if there are no others.

        Raises
        ------
        rocksteady.InputError
            If x turns back, so that there is nothing below the curve.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_curve().area()
        0.75
        """
        x, y = (np.ascontiguousarray(getattr(self, name), dtype=np.float64) for name in (self._x, self._y[0]))
        area = _rocksteady.area_of_curve(x, y, self._steps())
        if area is None:
            raise wrong_value(getattr(self, self._x), self._x, "numbers that rise throughout, or fall")
        return area


@dataclass(frozen=True, eq=False, repr=False)
class Curve(_Area):
    """One index against another over all thresholds. ``x, y = curve`` unpacks it.

    Attributes
    ----------
    x, y : numpy.ndarray
        The two indices at ``score >= thresholds[i]``; NaN, or the index's conventional value, where undefined.
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    x_name, y_name : str
        What the indices are.
    deviation : float
        How far the whole curve lies from this one, vertically; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> x, y = rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).curve("fpr", "tpr")
    >>> y
    array([0. , 0.5, 1. , 1. ])
    """

    x: Array
    y: Array
    thresholds: Array
    x_name: str
    y_name: str
    deviation: float = 0.0

    _x: ClassVar[str] = "x"
    _y: ClassVar[tuple[str, ...]] = ("y",)

    def __iter__(self) -> Iterator[Array]:
        return iter((self.x, self.y))


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(_Area):
    """The receiver operating characteristic: true against false positive rate (Fawcett 2006, doi:10.1016/j.patrec.2005.10.010).

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
    """

    fpr: Array
    tpr: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "fpr"
    _y: ClassVar[tuple[str, ...]] = ("tpr",)

    def _totals(self) -> tuple[float, float]:
        return self.negatives, self.positives


@dataclass(frozen=True, eq=False, repr=False)
class RocConvexHull(_Area):
    """The points of a ROC curve that no mixture of two thresholds beats (Provost, Fawcett 2001, doi:10.1023/A:1007601015854).

    Attributes
    ----------
    fpr, tpr, thresholds : numpy.ndarray
        The corners of the hull from (0, 0) to (1, 1), at ``score >= thresholds[i]``; NaN where a class is absent. Between two of
        them a mixture of both thresholds is best.
    deviation : float
        0; after `simplify` how far the whole hull lies from this one, vertically.
    """

    fpr: Array
    tpr: Array
    thresholds: Array
    deviation: float = 0.0

    _x: ClassVar[str] = "fpr"
    _y: ClassVar[tuple[str, ...]] = ("tpr",)


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallCurve(_Area):
    """Precision against recall, from the highest threshold down. The first point is (recall 0, precision 1), by convention.

    Attributes
    ----------
    recall : numpy.ndarray
        TP / P at ``score >= thresholds[i]``, from 0 to 1; NaN if there are no positives.
    precision : numpy.ndarray
        TP / (TP + FP). Where nothing is predicted positive it has no value: 1 stands there.
    thresholds : numpy.ndarray
        Scores, from ``inf`` down; NaN at points between two thresholds ("davis_goadrich").
    interpolation : str
        What stands between the points. "step": the precision of a point holds from the recall before up to its own, and the area is
        the average precision (Manning, Raghavan, Schütze 2008, section 8.4). "linear": straight lines, which are too good, as no
        mixture of two thresholds reaches them. "davis_goadrich": what mixtures do reach, by points on each hyperbola within
        1e-6 of it, at most 1,000 between two thresholds (Davis, Goadrich 2006, doi:10.1145/1143844.1143874).
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
class DetCurve(_Area):
    """Detection error trade-off: false negative against false positive rate (Martin et al. 1997, doi:10.21437/Eurospeech.1997-504).

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
    """

    fpr: Array
    fnr: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "fpr"
    _y: ClassVar[tuple[str, ...]] = ("fnr",)

    def _totals(self) -> tuple[float, float]:
        return self.negatives, self.positives

    def normal_deviates(self) -> Curve:
        """The curve on normal-deviate axes, as it is usually drawn: of normal scores it is a straight line.

        Both rates become the standard normal quantile, infinite at 0 and at 1.

        >>> import rocksteady as rs
        >>> x, y = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).det_curve().normal_deviates()
        >>> x, y
        (array([-inf, -inf,   0.,   0.,  inf]), array([ inf,   0.,   0., -inf, -inf]))
        """
        x, y = (_rocksteady.normal_deviates(np.ascontiguousarray(rates)) for rates in (self.fpr, self.fnr))
        return Curve(x, y, self.thresholds, "normal deviate of fpr", "normal deviate of fnr")


@dataclass(frozen=True, eq=False, repr=False)
class GainCurve(_Area):
    """Cumulative gains: the share of the positives that is found among the share of the rows that is selected. It is the CAP curve.

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

    def _totals(self) -> tuple[float, float]:
        return self.positives + self.negatives, self.positives

    @property
    def prevalence(self) -> float:
        """P / n: here the ideal curve has its corner. NaN without rows."""
        total = self.positives + self.negatives
        return self.positives / total if total > 0 else float("nan")

    @property
    def ideal(self) -> Array:
        """The gain at each `rpp` if all positives came first: ``min(rpp / prevalence, 1)``."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.minimum(self.rpp / self.prevalence, 1.0)

    @property
    def baseline(self) -> Array:
        """The gain at each `rpp` that chance expects: `rpp` itself."""
        return self.rpp

    def accuracy_ratio(self) -> float:
        """The area between the curve and the baseline over that between the ideal and the baseline; the Gini coefficient.

        In [-1, 1]; NaN if a class is absent. Source: Engelmann, Hayden, Tasche 2003.
        """
        below = 1.0 - self.prevalence
        return min(max((2.0 * self.area() - 1.0) / below, -1.0), 1.0) if 0 < below < 1 else float("nan")


@dataclass(frozen=True, eq=False, repr=False)
class LiftCurve(_Area):
    """Lift: how many times as frequent the positives are among the selected rows as among all.

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
    """

    rpp: Array
    lift: Array
    thresholds: Array
    positives: float
    negatives: float
    deviation: float = 0.0

    _x: ClassVar[str] = "rpp"
    _y: ClassVar[tuple[str, ...]] = ("lift",)

    @property
    def ideal(self) -> Array:
        """The lift at each `rpp` if all positives came first: ``min(1 / rpp, n / P)``; chance expects 1."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.minimum(1.0 / self.rpp, np.divide(self.positives + self.negatives, self.positives))


@dataclass(frozen=True, eq=False, repr=False)
class KsCurve(Line):
    """Both rates over the threshold; the Kolmogorov–Smirnov statistic is the greatest distance between them.

    Attributes
    ----------
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    tpr, fpr : numpy.ndarray
        The share of the positives, and of the negatives, with ``score >= thresholds[i]``; NaN where there are none.
    ks : rocksteady.KS
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


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(_Area):
    """The least expected cost over all thresholds, for each balance of costs and classes.

    Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5. It is the lower envelope of the lines of all thresholds
    (`cost_lines`), which the convex hull of the ROC curve gives.

    Attributes
    ----------
    probability_cost : numpy.ndarray
        ``p C(miss) / (p C(miss) + (1 - p) C(false alarm))``, p the prevalence where the classifier will be used: from 0 to 1.
        With equal costs it is that prevalence.
    expected_cost : numpy.ndarray
        The least ``fnr * probability_cost + fpr * (1 - probability_cost)``, in [0, 1/2]: the expected cost over the greatest
        possible. NaN if a class is absent.
    thresholds : numpy.ndarray
        The threshold that is best from corner *i* to the next.
    deviation : float
        0; after `simplify` how far the whole curve lies from this one, vertically.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).cost_curve()
    >>> curve.probability_cost, curve.expected_cost, curve.thresholds
    (array([0. , 0.5, 1. ]), array([0.  , 0.25, 0.  ]), array([0.8, 0.4, 0.1]))
    """

    probability_cost: Array
    expected_cost: Array
    thresholds: Array
    deviation: float = 0.0

    _x: ClassVar[str] = "probability_cost"
    _y: ClassVar[tuple[str, ...]] = ("expected_cost",)

    @property
    def baseline(self) -> Array:
        """The cost of the better of two who do not look: all positive, and none."""
        return np.minimum(self.probability_cost, 1.0 - self.probability_cost)


@dataclass(frozen=True, eq=False, repr=False)
class CostLines(Result):
    """The cost of each threshold: line *i* runs from ``fpr[i]`` at probability-cost 0 straight to ``fnr[i]`` at 1.

    Attributes
    ----------
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    fpr, fnr : numpy.ndarray
        False positive and false negative rate at ``score >= thresholds[i]``; NaN where they have no rows.
    """

    thresholds: Array
    fpr: Array
    fnr: Array

    def at(self, probability_cost: float) -> Array:
        """The normalised expected cost of every threshold at one probability-cost in [0, 1].

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).cost_lines().at(0.5)
        array([0.5 , 0.25, 0.5 , 0.25, 0.5 ])
        """
        share = not_negative(probability_cost, "probability_cost")
        if share > 1:
            raise wrong_value(probability_cost, "probability_cost", "a number from 0 to 1")
        return self.fnr * share + self.fpr * (1.0 - share)


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurve(_Area):
    """Net benefit: true positives less false ones, weighed by the odds of the threshold, per row.

    Vickers, Elkin 2006, doi:10.1177/0272989X06295361: ``TP / n - FP / n * t / (1 - t)``.

    Attributes
    ----------
    threshold_probability : numpy.ndarray
        t: who calls a row positive from t on holds a false positive to cost ``t / (1 - t)`` times what a true one is worth.
        The distinct scores, ascending, or what was asked for.
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
        """The net benefit of calling no row positive: 0."""
        return np.zeros(len(self))


@dataclass(frozen=True, eq=False, repr=False)
class BrierCurve(_Area):
    """The loss for each proportion of costs when the threshold is that proportion; its area is the Brier score.

    Hernández-Orallo, Flach, Ferri 2011, "Brier curves: a new cost-based visualisation of classifier performance", ICML 28.

    Attributes
    ----------
    cost_proportion : numpy.ndarray
        c, the cost of a false alarm among that of both errors, and the threshold: from 0 to 1. Each distinct score stands twice, as
        the loss jumps there: first what holds at it, then what holds just above.
    loss : numpy.ndarray
        ``2 (c FP + (1 - c) FN) / n`` at ``score >= c``: straight lines between the points.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `loss`; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.ScoreTable([0, 1], [0.25, 0.5]).brier_curve()
    >>> curve.cost_proportion, curve.loss
    (array([0.  , 0.25, 0.25, 0.5 , 0.5 , 1.  ]), array([0.  , 0.25, 0.  , 0.  , 0.5 , 0.  ]))
    >>> curve.area() == (0.25**2 + 0.5**2) / 2
    True
    """

    cost_proportion: Array
    loss: Array
    deviation: float = 0.0

    _x: ClassVar[str] = "cost_proportion"
    _y: ClassVar[tuple[str, ...]] = ("loss",)


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallGainCurve(_Area):
    """Precision gain against recall gain: on this scale straight lines are right, and the area has a meaning.

    Flach, Kull 2015, "Precision-Recall-Gain curves: PR analysis done right", NIPS 28. The gain of a share s over the prevalence
    p is ``(s - p) / ((1 - p) s)``: 0 at the prevalence, 1 at 1.

    Attributes
    ----------
    recall_gain : numpy.ndarray
        At ``score >= thresholds[i]``, from 0 to 1. Thresholds whose recall is below the prevalence are left out.
    precision_gain : numpy.ndarray
        At most 1; negative where precision is below the prevalence; 0 at the end, where every row is predicted positive.
    thresholds : numpy.ndarray
        Scores, descending. The first is NaN if recall gain 0 lies between two thresholds: a mixture of both.
    deviation : float
        How far the whole curve lies from this one, vertically, in units of `precision_gain`; 0 where every point is there.

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


class Curves:
    """What a `rocksteady.ScoreTable` knows at every threshold."""

    __slots__ = ()

    _state: _rocksteady.ScoreState
    _kept: dict[str, weakref.ref[Any]]

    @overload
    def every(self, name: str, **parameters: object) -> Array: ...
    @overload
    def every(self, name: list[str] | tuple[str, ...], **parameters: object) -> dict[str, Array]: ...
    def every(self, name: str | list[str] | tuple[str, ...], **parameters: object) -> Array | dict[str, Array]:
        """A count-based index at each of `thresholds`: float64; NaN, or the index's conventional value, where undefined.

        Parameters
        ----------
        name : str, or list or tuple of str
            An index that is a function of the four counts, or of a two-by-two matrix. Several are a good deal faster together
            than one by one: the counts are read once, in blocks that stay in cache.
        **parameters
            The index's own, such as ``beta=2`` for "fbeta"; for several, parameters that all of them have.

        Returns
        -------
        numpy.ndarray, or dict of str to numpy.ndarray
            Shape ``(len(table) + 1,)``; of several names, the array of each.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).every("recall")
        array([0. , 0.5, 1. , 1. ])
        >>> sorted(rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).every(["f1", "mcc"]))
        ['f1', 'mcc']
        """
        if isinstance(name, (list, tuple)):
            return dict(zip(name, self._state.every(list(name), parameters), strict=True))
        return self._state.every([name], parameters)[0]

    def _columns(self, *names: str) -> list[Array]:
        """Columns that several curves have; while one of these lives, the others share them."""
        try:
            kept = self._kept
        except AttributeError:
            kept = self._kept = {}  # type: ignore[misc]  # the table has the slot
        found = {name: kept[name]() for name in names if name in kept}
        missing = [name for name in names if found.get(name) is None]
        if missing:
            indices = [name for name in missing if name != "threshold"]
            made = dict(zip(indices, self._state.every(indices, {}), strict=True))
            if "threshold" in missing:
                made["threshold"] = _rocksteady.sweep_thresholds(self._state, None)
            if "precision" in made:
                made["precision"][0] = 1.0
            for name, column in made.items():
                column.setflags(write=False)
                kept[name] = weakref.ref(column)
            found |= made
        columns: dict[str, Any] = found
        return [columns[name] for name in names]

    def _few(self, kind: str, names: list[str], max_points: object, max_deviation: object) -> tuple[list[Array], float]:
        """Columns of `names`, then the thresholds: all points, or few that are chosen without writing the others."""
        if max_points is None and max_deviation is None:
            return self._columns(*names, "threshold"), 0.0
        most = _points(max_points)
        allowed = 0.0 if max_deviation is None else not_negative(max_deviation, "max_deviation")
        places, deviation = _rocksteady.simplify_sweep(self._state, kind, most, allowed)
        columns = _rocksteady.sweep_columns(self._state, names, places)
        return [*columns, _rocksteady.sweep_thresholds(self._state, places)], deviation

    def curve(self, x: str, y: str, **parameters: object) -> Curve:
        """One count-based index against another over all `thresholds`: ROC is ("fpr", "tpr"), lift ("rpp", "lift").

        Parameters
        ----------
        x, y : str
            Indices that are functions of the four counts, or of a two-by-two matrix; "threshold" stands for the threshold itself.
        **parameters
            Of the indices, such as ``beta=2`` for "fbeta": each goes to those of the two that have it.

        Returns
        -------
        Curve
            Of ``len(table) + 1`` points, which ``x, y = …`` unpacks.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.
        rocksteady.InputError
            If neither index has a parameter.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> rpp, f2 = table.curve("rpp", "fbeta", beta=2)
        >>> f2.round(3)
        array([0.   , 0.556, 0.5  , 0.909, 0.833])
        >>> table.curve("threshold", "mcc")
        <rocksteady.Curve of 5: x, y, thresholds, x_name='threshold', y_name='mcc', deviation=0.0>
        """
        names = string(x, "x", "the name of an index"), string(y, "y", "the name of an index")
        rows = [None if name == "threshold" else index(name) for name in names]
        own = [{p.name for p in row.parameters} if row else set() for row in rows]
        strange = {name: value for name, value in parameters.items() if name not in own[0] | own[1]}
        (thresholds,) = self._columns("threshold")
        columns = [
            self.every(row.name, **strange, **{name: parameters[name] for name in parameters if name in known})
            if row
            else thresholds
            for row, known in zip(rows, own, strict=True)
        ]
        return Curve(columns[0], columns[1], thresholds, *names)

    def roc_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> RocCurve:
        """The ROC curve: every threshold, or few points that tell the whole curve.

        Parameters
        ----------
        max_points : int, optional
            Not more points than these. They are chosen from the counts: ten million points are never written.
        max_deviation : float, optional
            How far, vertically, the whole curve may lie from them in any case; 0 leaves out only points on straight lines,
            exactly. Default: every threshold is there, unless `max_points` is said.

        Returns
        -------
        RocCurve
            Its `deviation` says how far the whole curve lies from it.

        Raises
        ------
        rocksteady.InputError
            As for `RocCurve.simplify`.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
        >>> len(table.roc_curve()), len(table.roc_curve(max_deviation=0))
        (6, 5)
        """
        (x, y, thresholds), deviation = self._few("roc", ["fpr", "recall"], max_points, max_deviation)
        return RocCurve(x, y, thresholds, *self._state.totals, deviation)

    def precision_recall_curve(
        self,
        interpolation: Interpolation = "step",
        max_points: int | None = None,
        max_deviation: float | None = None,
    ) -> PrecisionRecallCurve:
        """Precision against recall, from (recall 0, precision 1) on.

        Parameters
        ----------
        interpolation : {"step", "linear", "davis_goadrich"}
            What stands between two thresholds: see `PrecisionRecallCurve`. The last adds points where it bends.
        max_points, max_deviation
            As for `roc_curve`.

        Returns
        -------
        PrecisionRecallCurve

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> [round(table.precision_recall_curve(how).area(), 4) for how in ("step", "linear", "davis_goadrich")]
        [0.8333, 0.7917, 0.7917]
        """
        one_of(interpolation, "interpolation", ("step", "linear", "davis_goadrich"))
        totals = self._state.totals
        if interpolation == "davis_goadrich":
            columns = _rocksteady.interpolated_precision_recall(self._state)
            curve = PrecisionRecallCurve(*columns, interpolation, *totals)
            if max_points is None and max_deviation is None:
                return curve
            return curve.simplify(max_points, 0.0 if max_deviation is None else max_deviation)
        if max_points is None and max_deviation is None:
            recall, precision, thresholds = self._columns("recall", "precision", "threshold")
            return PrecisionRecallCurve(recall, precision, thresholds, interpolation, *totals)
        (x, y, thresholds), deviation = self._few(interpolation, ["recall", "precision"], max_points, max_deviation)
        y[0] = 1.0
        return PrecisionRecallCurve(x, y, thresholds, interpolation, *totals, deviation)

    def det_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> DetCurve:
        """The detection error trade-off; `DetCurve.normal_deviates` has the axes on which it is usually drawn.

        Parameters
        ----------
        max_points, max_deviation
            As for `roc_curve`.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).det_curve().fnr
        array([1. , 0.5, 0.5, 0. , 0. ])
        """
        (x, y, thresholds), deviation = self._few("det", ["fpr", "fnr"], max_points, max_deviation)
        return DetCurve(x, y, thresholds, *self._state.totals, deviation)

    def gain_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> GainCurve:
        """Cumulative gains with the ideal and the baseline: the share of the positives found over the share of the rows selected.

        Parameters
        ----------
        max_points, max_deviation
            As for `roc_curve`.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).gain_curve().tpr
        array([0. , 0.5, 0.5, 1. , 1. ])
        """
        (x, y, thresholds), deviation = self._few("gain", ["rpp", "recall"], max_points, max_deviation)
        return GainCurve(x, y, thresholds, *self._state.totals, deviation)

    def cap_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> GainCurve:
        """The cumulative accuracy profile: another name of `gain_curve`; its number is `GainCurve.accuracy_ratio`."""
        return self.gain_curve(max_points, max_deviation)

    def lift_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> LiftCurve:
        """Lift over the share of the rows that is selected.

        Parameters
        ----------
        max_points, max_deviation
            As for `roc_curve`.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).lift_curve().lift.round(3)
        array([  nan, 2.   , 1.   , 1.333, 1.   ])
        """
        (x, y, thresholds), deviation = self._few("lift", ["rpp", "lift"], max_points, max_deviation)
        return LiftCurve(x, y, thresholds, *self._state.totals, deviation)

    def ks_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> KsCurve:
        """Both rates over the threshold, with the point where they lie furthest apart.

        Parameters
        ----------
        max_points, max_deviation
            As for `roc_curve`; the point of the greatest distance stays.
        """
        (tpr, fpr, thresholds), deviation = self._few("ks", ["recall", "fpr"], max_points, max_deviation)
        return KsCurve(thresholds, tpr, fpr, KS(*self._state.ks()), deviation)

    def roc_convex_hull(self) -> RocConvexHull:
        """The corners of the convex hull of the ROC curve.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).roc_convex_hull().thresholds
        array([inf, 0.8, 0.4, 0.1])
        """
        places = _rocksteady.hull_places(self._state)
        fpr, tpr = _rocksteady.sweep_columns(self._state, ["fpr", "recall"], places)
        return RocConvexHull(fpr, tpr, _rocksteady.sweep_thresholds(self._state, places))

    def cost_curve(self) -> CostCurve:
        """The least expected cost over all thresholds, for each balance of costs and classes."""
        x, y, places = _rocksteady.cost_curve(self._state)
        return CostCurve(x, y, _rocksteady.sweep_thresholds(self._state, places))

    def cost_lines(self) -> CostLines:
        """The expected cost of each threshold, a straight line over the probability-cost."""
        fpr, fnr, thresholds = self._columns("fpr", "fnr", "threshold")
        return CostLines(thresholds, fpr, fnr)

    def decision_curve(self, at: ArrayLike | None = None) -> DecisionCurve:
        """Net benefit of acting on the scores as probabilities, beside acting on all rows.

        Parameters
        ----------
        at : array-like of float, optional
            Threshold probabilities, in [0, 1], in any order. Default: every distinct score, ascending.

        Returns
        -------
        DecisionCurve

        Raises
        ------
        rocksteady.InputError
            If scores lie outside [0, 1], or thresholds do.
        """
        if at is None:
            net_benefit, treat_all = _rocksteady.net_benefit(self._state, None)
            (thresholds,) = self._columns("threshold")
            return DecisionCurve(thresholds[:0:-1], net_benefit, treat_all)
        wanted = np.array(numbers(at, "at"), dtype=np.float64)
        if wanted.ndim != 1:
            raise wrong_value(at, "at", "a list of numbers")
        outside = ~((wanted >= 0) & (wanted <= 1))
        if outside.any():
            place = int(outside.argmax())
            raise wrong_value(float(wanted[place]), f"at[{place}]", "a number from 0 to 1")
        net_benefit, treat_all = _rocksteady.net_benefit(self._state, wanted)
        return DecisionCurve(wanted, net_benefit, treat_all)

    def brier_curve(self) -> BrierCurve:
        """The loss for each proportion of costs when the threshold is that proportion: its area is the Brier score.

        Raises
        ------
        rocksteady.InputError
            If scores lie outside [0, 1].
        """
        cost_proportion, loss = _rocksteady.brier_curve(self._state)
        return BrierCurve(cost_proportion, loss)

    def precision_recall_gain_curve(self) -> PrecisionRecallGainCurve:
        """Precision gain against recall gain, from recall gain 0 on."""
        recall_gain, precision_gain, thresholds = _rocksteady.precision_recall_gain(self._state)
        return PrecisionRecallGainCurve(recall_gain, precision_gain, thresholds)

"""Expected costs of errors: the cost curve, its lines, and the Brier curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rocksteady.base.arguments import not_negative, wrong_value
from rocksteady.base.result import Result
from rocksteady.scores.curves.line import Area

if TYPE_CHECKING:
    from rocksteady.scores.curves.line import Array


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Area):
    """The least expected cost over all thresholds, for each balance of costs and classes.

    Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5. It is the lower envelope of the lines of all thresholds
    (`cost_lines`), which the convex hull of the ROC curve gives.

    Attributes
    ----------
    probability_cost : numpy.ndarray
        ``p C(miss) / (p C(miss) + (1 - p) C(false alarm))``, p the prevalence where the classifier will be used: from 0
        to 1. With equal costs it is that prevalence.
    expected_cost : numpy.ndarray
        The least ``fnr * probability_cost + fpr * (1 - probability_cost)``, in [0, 1/2]: the expected cost over the
        greatest possible. NaN if a class is absent.
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
        """The lower cost of two trivial rules: predict all rows positive, or none."""
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
class BrierCurve(Area):
    """The loss for each proportion of costs when the threshold is that proportion; its area is the Brier score.

    Hernández-Orallo, Flach, Ferri 2011, "Brier curves: a new cost-based visualisation of classifier performance", ICML
    28.

    Attributes
    ----------
    cost_proportion : numpy.ndarray
        c, the cost of a false alarm among that of both errors, and the threshold: from 0 to 1. Each distinct score
        stands twice, as the loss jumps there: first what holds at it, then what holds just above.
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

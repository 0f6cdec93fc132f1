"""Uplift: how much more often an outcome occurs with a treatment than without, by a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from rocksteady.base.arguments import one_of, shown, whole, wrong_type
from rocksteady.base.prevalence import share
from rocksteady.base.result import Result
from rocksteady.errors import InputError
from rocksteady.inference.difference import level_of
from rocksteady.inference.interval import Interval
from rocksteady.inference.resampling import seed_of
from rocksteady.inference.two_proportions import proportion_difference
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocksteady.inference.resampling import RandomState

    Array = NDArray[np.float64]

_AREAS: Final = ("auuc", "qini_coefficient", "autoc")


@dataclass(frozen=True, eq=False, repr=False)
class UpliftCurve(Result):
    """What a treatment adds among the rows with the highest scores, from none of them to all: `rocksteady.scores.uplift`.

    Entry *i* is of the rows with ``score >= thresholds[i]``. Entry 0 is of no rows.

    Attributes
    ----------
    thresholds : numpy.ndarray
        The distinct scores of both arms, after ``inf``, high to low.
    treated, control : numpy.ndarray
        The rows of each arm.
    treated_positives, control_positives : numpy.ndarray
        Those with the outcome.
    effect : numpy.ndarray
        The rate of the outcome among the treated less that among the control; NaN where an arm has no rows. The last entry
        is the average effect of the treatment.
    uplift : numpy.ndarray
        The effect times the rows of both arms: outcomes that a treatment of all of them adds. An arm without rows has the
        rate 0.
    qini : numpy.ndarray
        Outcomes that the treatment added among the treated: those of the treated, less those of the control times treated /
        control. Without control rows none are taken off.
    auuc : float
        The area between `uplift` over the rows and its chord, divided by that of an order that knows each outcome, as
        scikit-uplift has it: 0 for a random order. It may exceed 1 where few rows have the outcome in one arm.
    qini_coefficient : float
        The same of `qini`. In the order that knows each outcome the treated with it come first, the control with it last.
    autoc : float
        The mean over the rows, from the highest score, of the effect up to the row less the average effect: the area under
        the curve of targeting operator characteristics. Above 0 where the treatment helps most at high scores. Before both
        arms have rows the first effect counts.

    Notes
    -----
    Radcliffe 2007, Using control groups to target on predicted lift (Qini); Devriendt, Van Belle, Guns, Verbeke 2020,
    doi:10.1109/TKDE.2020.3048510 (AUUC); Yadlowsky, Fleming, Shah, Brunskill, Wager 2025, doi:10.1080/01621459.2024.2393466
    (TOC). The effect is that of the treatment only where it was given at random.
    """

    thresholds: Array
    treated: Array
    treated_positives: Array
    control: Array
    control_positives: Array
    effect: Array
    uplift: Array
    qini: Array
    auuc: float
    qini_coefficient: float
    autoc: float

    _first: ClassVar[tuple[str, ...]] = ("thresholds", "treated", "control", "effect", "uplift", "qini")

    def top(self, part: float, *, level: float = 0.95) -> Interval:
        """The effect among a share of the rows, those with the highest scores, with its interval (Newcombe 1998).

        Parameters
        ----------
        part : float
            The share of the rows of both arms: above 0 and below 1. Rows of the score at its end are shared out.
        level : float
            The confidence level.

        >>> import rocksteady as rs
        >>> treated = rs.ScoreTable.from_counts([0.9, 0.5, 0.1], [30, 20, 10], [20, 30, 40])
        >>> control = rs.ScoreTable.from_counts([0.9, 0.5, 0.1], [15, 15, 15], [35, 35, 35])
        >>> found = rs.scores.uplift(treated, control).top(0.5)
        >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
        (0.233, 0.076, 0.376)
        """
        rows = self.treated + self.control
        wanted = share(part, "part") * rows[-1]
        columns = (self.treated_positives, self.treated, self.control_positives, self.control)
        return proportion_difference(*(float(np.interp(wanted, rows, column)) for column in columns), level=level)

    def interval(
        self, name: str, *, level: float = 0.95, n_resamples: int = 1000, random_state: RandomState = None
    ) -> Interval:
        """One of the three areas with its interval: percentiles of resamples of the rows.

        Each resample draws how often each row occurs from Poisson's distribution (Chamandy et al. 2012, Estimating uncertainty
        for massive data streams).

        Parameters
        ----------
        name : {"auuc", "qini_coefficient", "autoc"}
            The area.
        level : float
            The confidence level.
        n_resamples : int
            The number of resamples.
        random_state : int or numpy.random.Generator, optional
            As for `rocksteady.inference.bootstrap`.

        >>> import rocksteady as rs
        >>> treated = rs.ScoreTable.from_counts([0.9, 0.5, 0.1], [30, 20, 10], [20, 30, 40])
        >>> control = rs.ScoreTable.from_counts([0.9, 0.5, 0.1], [15, 15, 15], [35, 35, 35])
        >>> found = rs.scores.uplift(treated, control).interval("autoc", random_state=0)
        >>> found.low < found.estimate < found.high
        True
        """
        one_of(name, "name", _AREAS)
        used = level_of(level)
        draws = whole(n_resamples, "n_resamples", "a number of resamples", least=2)
        rng = np.random.default_rng(seed_of(random_state))
        columns = [self.treated, self.treated_positives, self.control, self.control_positives]
        others = [np.diff(all_of - those) for all_of, those in (columns[:2], columns[2:])]
        steps = np.array([np.diff(columns[1]), others[0], np.diff(columns[3]), others[1]])
        found = []
        for _ in range(draws):
            up, up_not, down, down_not = np.cumsum(rng.poisson(steps), axis=1, dtype=np.float64)
            cut = [np.concatenate([[0.0], column]) for column in (up + up_not, up, down + down_not, down)]
            found.append(_areas(*cut)[name])
        values = np.array(found)[np.isfinite(found)]
        estimate = float(getattr(self, name))
        if values.size < 0.9 * draws:
            low = high = error = np.nan
            why = f"{draws - values.size} of {draws} resamples have no value."
        else:
            low, high = np.quantile(values, [(1 - used) / 2, (1 + used) / 2])
            error, why = values.std(ddof=1), None
        return Interval(estimate, float(low), float(high), used, "percentile", "two-sided", float(error), why)


def uplift(treated: ScoreTable, control: ScoreTable) -> UpliftCurve:
    """How much more often an outcome occurs with a treatment than without it, among the rows with the highest scores.

    Parameters
    ----------
    treated, control : ScoreTable
        The outcome and the score of the rows of each arm, such as ``by.score_table(True)`` of
        ``by = rs.group_by(outcome, y_score=score, by=treatment)``. Tables of parts add, so uplift does.

    Returns
    -------
    UpliftCurve

    Raises
    ------
    rocksteady.InputError
        If the tables count another outcome, have weights or missing scores that are ranked, or an arm has no rows.

    >>> import rocksteady as rs
    >>> treated = rs.ScoreTable([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.4, 0.3, 0.1])
    >>> control = rs.ScoreTable([0, 1, 0, 1, 0, 1], [0.9, 0.7, 0.6, 0.4, 0.2, 0.1])
    >>> curve = rs.scores.uplift(treated, control)
    >>> round(curve.auuc, 4), round(curve.qini_coefficient, 4), round(curve.autoc, 4)
    (0.4914, 0.3889, 0.4139)
    """
    for table, argument in ((treated, "treated"), (control, "control")):
        if not isinstance(table, ScoreTable):
            raise wrong_type(table, argument, "a ScoreTable")
        if table.weight_kind == "sampling" or sum(table._state.totals) != table.rows:
            raise InputError(f"{argument} has weights; expected rows without weights", argument=argument)
        if not table.rows:
            raise InputError(f"{argument} has no rows; expected rows of both arms", argument=argument)
        if np.isnan(table.thresholds).any():
            raise InputError(f"{argument} ranks missing scores; expected scores of all rows", argument=argument)
    if treated.pos_label != control.pos_label:
        raise InputError(
            f"the outcome is {shown(treated.pos_label)} of treated and {shown(control.pos_label)} of control; expected one, "
            "as pos_label= of both",
            argument="control",
        )
    scores = np.unique(np.concatenate([treated.thresholds, control.thresholds]))[::-1].astype(np.float64)
    arms = [table.at(scores) for table in (treated, control)]
    up, down = ([np.asarray(arm.tp + arm.fp), np.asarray(arm.tp)] for arm in arms)
    effect, added, qini = _curves(*up, *down)
    return UpliftCurve(scores, up[0], up[1], down[0], down[1], effect, added, qini, **_areas(*up, *down))


def _curves(treated: Array, up: Array, control: Array, down: Array) -> tuple[Array, Array, Array]:
    """Effect, uplift and Qini."""
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = up / treated - down / control
        rates = [np.where(rows > 0, these / rows, 0.0) for these, rows in ((up, treated), (down, control))]
        taken = np.where(control > 0, down * treated / control, 0.0)
    return effect, (rates[0] - rates[1]) * (treated + control), up - taken


def _areas(treated: Array, up: Array, control: Array, down: Array) -> dict[str, float]:
    """The three areas, of running rows and outcomes of both arms."""
    effect, added, qini = _curves(treated, up, control, down)
    rows = treated + control
    # An order that knows each outcome: those of the treated and none of the control come first.
    with_outcome = np.array([up[-1], up[-1], 0, 0]), np.array([0, 0, down[-1], down[-1]])
    without = np.array([treated[-1] - up[-1], 0, 0, 0]), np.array([0, 0, control[-1] - down[-1], 0])
    last = [without[0], with_outcome[1]]
    if down[-1] > treated[-1] - up[-1]:
        last.reverse()
    best = _curves_of([with_outcome[0], without[1], *last])
    best_qini = _curves_of([with_outcome[0], without[0] + without[1], with_outcome[1]])
    known = effect[1:]
    defined = np.flatnonzero(np.isfinite(known))
    autoc = np.nan
    if defined.size:
        known = np.concatenate([np.full(defined[0], known[defined[0]]), known[defined[0] :]])
        autoc = float(np.sum(np.diff(rows) * (known - known[-1])) / rows[-1])
    return {
        "auuc": _share_of(_above_chord(rows, added), _above_chord(best[0], best[1])),
        "qini_coefficient": _share_of(_above_chord(rows, qini), _above_chord(best_qini[0], best_qini[2])),
        "autoc": autoc,
    }


def _curves_of(steps: list[Array]) -> tuple[Array, Array, Array]:
    """Rows, uplift and Qini of groups of rows one after the other."""
    treated, up, control, down = np.cumsum([np.zeros(4), *steps], axis=0).T
    return treated + control, *_curves(treated, up, control, down)[1:]


def _above_chord(x: Array, y: Array) -> float:
    """The area between a curve and the straight line to its end."""
    return float(np.trapezoid(y, x)) - float(x[-1] * y[-1] / 2)


def _share_of(area: float, best: float) -> float:
    return area / best if best else float("nan")

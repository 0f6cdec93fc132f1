"""Two models by expected cost: where each is cheaper, how surely, and what would change that."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from rocksteady.base.arguments import numbers, real, wrong_value
from rocksteady.base.gaps import refuse_gap
from rocksteady.base.prevalence import share
from rocksteady.base.record import Record
from rocksteady.base.result import Result
from rocksteady.base.table import class_named, number
from rocksteady.errors import InputError
from rocksteady.inference.band import Band
from rocksteady.inference.difference import level_of
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    Reals = NDArray[np.float64]
    Piece = tuple[Fraction, Fraction, str, Fraction]

NEITHER: Final = "neither"
BOTH: Final = "both"
_POINTS: Final = 100  # of the band; they lie closer at either end, where classes are rare
_DRAWS: Final = 20_000
_FEW: Final = 100  # draws beyond the quantile; with fewer the bound of independent points does


@dataclass(frozen=True, eq=False, repr=False)
class CostRegions(Result):
    """Where each of two models is cheaper: `Evaluation.cost_regions`. Entry *i* is a region of the probability-cost.

    Attributes
    ----------
    low, high : numpy.ndarray
        The ends of the region: ``c p / (c p + 1 - p)``, p the prevalence and c the cost of a miss over that of a false alarm.
        The regions fill [0, 1] without gaps.
    cheaper : numpy.ndarray of str
        The cheaper model; "neither" where both do best by predicting all rows alike; "both" where they cost the same, and less
        than that.
    saving : numpy.ndarray
        The most that it saves between two crossings, in units of `CostCurve.expected_cost`.
    is_certain : numpy.ndarray of bool
        Whether it is certain that this model is cheaper: throughout all regions of which that is said, at once.
    first, second : str
        The models.
    level : float
        The probability that all certain regions are right.
    crossings : tuple of fractions.Fraction
        Where another model becomes the cheaper one on these rows, exactly.
    band : rocksteady.inference.Band
        The expected cost of the first model less that of the second over the probability-cost, with a simultaneous band.
    """

    low: Reals
    high: Reals
    cheaper: NDArray[np.str_]
    saving: Reals
    is_certain: NDArray[np.bool_]
    _: KW_ONLY
    first: str
    second: str
    level: float
    crossings: tuple[Fraction, ...]
    band: Band

    _first: ClassVar[tuple[str, ...]] = ("low", "high", "cheaper", "is_certain")

    def _facts(self) -> list[str]:
        regions = f"{len(self)} region{'' if len(self) == 1 else 's'} of the probability-cost"
        return [f"{regions}, {class_named(self.first)} against {class_named(self.second)}, {100 * self.level:g} %"]


@dataclass(frozen=True, slots=True, repr=False)
class CostDecision(Record):
    """Which of two models is cheaper for one cost ratio and one prevalence, and how far these may move: `Evaluation.cheaper`.

    Attributes
    ----------
    cheaper : str
        The cheaper model, "neither" or "both", as in `CostRegions`.
    first, second : str
        The models.
    cost_ratio : float
        The cost of a miss over that of a false alarm.
    prevalence : float
        The share of positives where the model will be used.
    first_cost, second_cost : float
        The expected cost of each model at its best threshold, over the greatest possible.
    first_threshold, second_threshold : float
        These thresholds; ``inf`` where no row is predicted positive.
    cost_ratio_low, cost_ratio_high : float
        With this prevalence, the cost ratios between which the decision stays.
    prevalence_low, prevalence_high : float
        With this cost ratio, the prevalences between which it stays.
    wrong_labels : int or None
        The least number of labels that, were they wrong, would make the other model as cheap at the same thresholds; None of
        weighted rows.
    is_certain : bool
        Whether it is certain that this model is cheaper, as in `CostRegions`.
    level : float
        The confidence level of that.
    """

    cheaper: str
    first: str
    second: str
    cost_ratio: float
    prevalence: float
    first_cost: float
    second_cost: float
    first_threshold: float
    second_threshold: float
    cost_ratio_low: float
    cost_ratio_high: float
    prevalence_low: float
    prevalence_high: float
    wrong_labels: int | None
    is_certain: bool
    level: float

    def __repr__(self) -> str:
        costs = f"expected cost {number(self.first_cost, 3)} of {class_named(self.first)}, {number(self.second_cost, 3)} of "
        found = {NEITHER: "Neither model is cheaper than to treat all rows alike", BOTH: "Both models cost the same"}
        said = found.get(self.cheaper, f"{class_named(self.cheaper)} is cheaper")
        lines = [f"{said}: {costs}{class_named(self.second)}."]
        ratios, shares = ((self.cost_ratio_low, self.cost_ratio_high), (self.prevalence_low, self.prevalence_high))
        between = [f"{number(low, 3)} to {number(high, 3)}" for low, high in (ratios, shares)]
        lines.append(f"That stays for cost ratios of {between[0]}, or prevalences of {between[1]}.")
        if self.cheaper in (self.first, self.second):
            sure = "It is certain" if self.is_certain else "It is not certain"
            labels = (
                " Wrong labels of weighted rows are not counted."
                if self.wrong_labels is None
                else f" {self.wrong_labels} wrong label{'' if self.wrong_labels == 1 else 's'} could turn it."
            )
            lines.append(f"{sure} at {100 * self.level:g} %.{labels}")
        return "\n".join(lines)


class Envelope:
    """The least cost of one model over the probability-cost: the lines of the corners of the convex hull of its ROC curve."""

    def __init__(self, missed: Reals, alarms: Reals, thresholds: Reals) -> None:
        self.missed, self.alarms, self.thresholds = missed, alarms, thresholds
        self._fnr = [Fraction(each) / Fraction(missed[0]) for each in missed.tolist()]
        self._fpr = [Fraction(each) / Fraction(alarms[-1]) for each in alarms.tolist()]
        self.breaks = [
            (fpr - last_fpr) / (fpr - last_fpr + last_fnr - fnr)
            for (last_fnr, last_fpr), (fnr, fpr) in pairwise(zip(self._fnr, self._fpr, strict=True))
        ]

    def corner(self, at: Fraction) -> int:
        """The cheapest corner at, and just above, a probability-cost."""
        return bisect_right(self.breaks, at)

    def cost(self, corner: int, at: Fraction) -> Fraction:
        """The expected cost, over the greatest possible."""
        return self._fnr[corner] * at + self._fpr[corner] * (1 - at)

    def is_alike(self, corner: int) -> bool:
        """Whether all rows are predicted alike."""
        return corner in (0, len(self.breaks))


class CostRows:
    """Rows of two models with scores, counted by class and by the corners of both hulls at which they are called positive."""

    def __init__(
        self,
        positive: NDArray[np.bool_],
        scores: dict[str, ArrayLike],
        weights: ArrayLike | None,
        weight_kind: str,
    ) -> None:
        given = None if weights is None else numbers(weights, "sample_weight").astype(np.float64)
        self.is_weighted = given is not None
        self.names = tuple(scores)
        self.envelopes: list[Envelope] = []
        places = []
        for name, column in scores.items():
            score = numbers(column, "y_score").astype(np.float64)
            refuse_gap(score, f"y_score[{name!r}]")
            table = ScoreTable(positive, score, sample_weight=given, pos_label=True)
            thresholds = np.asarray(table.roc_convex_hull().thresholds)
            counts: Any = table.at(thresholds)
            missed, alarms = (np.asarray(cells, np.float64) for cells in (counts.fn, counts.fp))
            if not missed[0] or not alarms[-1]:
                raise InputError(
                    "y_true has rows of one class; expected both, whose errors have costs", argument="y_true"
                )
            self.envelopes.append(Envelope(missed, alarms, thresholds))
            place = len(thresholds) - np.searchsorted(thresholds[::-1], score, side="right")
            places.append(np.minimum(place, len(thresholds) - 1))  # below all: a row of weight 0
        sizes = [len(each.thresholds) for each in self.envelopes]
        cells = places[0] * sizes[1] + places[1]

        def counted(chosen: NDArray[np.bool_], weights: Reals | None) -> Reals:
            own = None if weights is None else weights[chosen]
            return np.bincount(cells[chosen], own, math.prod(sizes)).reshape(sizes).astype(np.float64)

        squares = given if given is None or weight_kind == "counts" else given * given
        # Of each class: the rows by both corners, and their squared weights.
        self.cells = [(counted(chosen, given), counted(chosen, squares)) for chosen in (positive, ~positive)]

    def pieces(self) -> list[Piece]:
        """The regions: their ends, the cheaper model, and the most that it saves."""
        a, b = self.envelopes
        found: list[Piece] = []
        for low, high in pairwise(sorted({Fraction(0), Fraction(1), *a.breaks, *b.breaks})):
            i, j = a.corner(low), b.corner(low)
            ends = [(at, a.cost(i, at) - b.cost(j, at)) for at in (low, high)]
            (_, one), (_, other) = ends
            if one * other < 0:
                ends.insert(1, (low + (high - low) * one / (one - other), Fraction(0)))
            for (start, before), (end, after) in pairwise(ends):
                apart = before + after
                equal = NEITHER if a.is_alike(i) else BOTH
                name = equal if not apart else self.names[0] if apart < 0 else self.names[1]
                piece = (start, end, name, max(abs(before), abs(after)))
                if found and found[-1][2] == name:
                    last = found.pop()
                    piece = (last[0], end, name, max(piece[3], last[3]))
                found.append(piece)
        return found

    def band(self, level: float) -> Band:
        """The cost of the first model less that of the second, with a band that holds all of it at once."""
        at = np.sin(np.pi * np.arange(1, _POINTS) / (2 * _POINTS)) ** 2
        corners = [np.searchsorted(np.array(each.breaks, np.float64), at, side="right") for each in self.envelopes]
        apart, covariance, least = np.zeros(len(at)), np.zeros((len(at),) * 2), np.zeros(len(at))
        for (rows, squares), weight in zip(self.cells, (-at, 1 - at), strict=True):
            mean, own, one = _called_apart(rows, squares, corners)
            apart += weight * mean
            covariance += np.outer(weight, weight) * own
            least += weight * weight * one
        variance = np.diag(covariance)
        known = variance > 1e-12 * least
        reach = _reach(covariance[np.ix_(known, known)], level)
        error = np.sqrt(np.clip(variance, 0, None) + least)
        note = "The thresholds are the best ones of these rows."
        return Band(at, apart, apart - reach * error, apart + reach * error, level, "simultaneous", "cost", 0, note)

    def regions(self, level: float) -> CostRegions:
        """The regions, cut where they become certain."""
        used = level_of(level)
        pieces, band = self.pieces(), self.band(used)
        certain = {
            self.names[0]: _runs(band.x, band.high < 0),
            self.names[1]: _runs(band.x, band.low > 0),
        }
        rows = [row for piece in pieces for row in _cut(piece, certain.get(piece[2], []))]
        low, high, cheaper, saving, sure = zip(*rows, strict=True)
        return CostRegions(
            np.array(low, np.float64),
            np.array(high, np.float64),
            np.array(cheaper),
            np.array(saving, np.float64),
            np.array(sure, bool),
            first=self.names[0],
            second=self.names[1],
            level=used,
            crossings=tuple(piece[0] for piece in pieces[1:]),
            band=band,
        )

    def decision(self, cost_ratio: object, prevalence: object, level: float) -> CostDecision:
        """Which model is cheaper for these costs and this prevalence."""
        wanted = "a number above 0, the cost of a miss over that of a false alarm"
        given = real(cost_ratio, "cost_ratio", wanted)
        if not 0 < given < math.inf:
            raise wrong_value(cost_ratio, "cost_ratio", wanted)
        ratio = Fraction(given)
        totals = [Fraction(float(rows.sum())) for rows, _ in self.cells]
        here = totals[0] / sum(totals) if prevalence is None else Fraction(share(prevalence, "prevalence"))
        at = ratio * here / (ratio * here + 1 - here)
        corners = [each.corner(at) for each in self.envelopes]
        costs = [each.cost(corner, at) for each, corner in zip(self.envelopes, corners, strict=True)]
        low, high, name, _ = next(piece for piece in reversed(self.pieces()) if piece[0] <= at)
        if costs[0] == costs[1] and name in self.names:  # at a crossing
            low, high, name = at, at, NEITHER if self.envelopes[0].is_alike(corners[0]) else BOTH
        regions = self.regions(level)
        place = int(np.searchsorted(regions.low, float(at), side="right")) - 1
        is_certain = name in self.names and bool(regions.is_certain[place] and regions.cheaper[place] == name)
        labels = self._wrong_labels(at, corners, name) if not self.is_weighted else None
        thresholds = [float(each.thresholds[corner]) for each, corner in zip(self.envelopes, corners, strict=True)]
        odds = [each / (1 - each) if each < 1 else None for each in (low, high)]
        ratios = [math.inf if each is None else float(each * (1 - here) / here) for each in odds]
        shares = [1.0 if each is None else float(each / (each + ratio)) for each in odds]
        return CostDecision(
            name,
            self.names[0],
            self.names[1],
            float(ratio),
            float(here),
            float(costs[0]),
            float(costs[1]),
            thresholds[0],
            thresholds[1],
            ratios[0],
            ratios[1],
            shares[0],
            shares[1],
            labels,
            is_certain,
            regions.level,
        )

    def _wrong_labels(self, at: Fraction, corners: Sequence[int], cheaper: str) -> int | None:
        """The least number of labels that make the dearer model as cheap, with both at these thresholds."""
        if cheaper not in self.names:
            return 0
        is_first = cheaper == self.names[0]
        useful, agreeing = [], []
        for (rows, _), is_positive in zip(self.cells, (True, False), strict=True):
            both = rows.cumsum(axis=0).cumsum(axis=1)
            alone = [both[corners[0], -1], both[-1, corners[1]]]
            alone = [int(each - both[corners[0], corners[1]]) for each in alone]  # called by one model only
            right = alone[0] if is_first == is_positive else alone[1]
            useful.append(right)
            agreeing.append(int(rows.sum()) - sum(alone))
        a, b = self.envelopes if is_first else self.envelopes[::-1]
        i, j = corners if is_first else corners[::-1]
        missed, alarms = int(a.missed[i] - b.missed[j]), int(a.alarms[i] - b.alarms[j])
        return _least_flips(at, missed, alarms, [int(rows.sum()) for rows, _ in self.cells], useful, agreeing)


def _called_apart(rows: Reals, squares: Reals, corners: Sequence[NDArray[np.intp]]) -> tuple[Reals, Reals, float]:
    """Of one class: the share that only the first model calls less that of the second, the covariance, and what one row adds.

    The last is that of one row on which the models differ, half of it in each direction (Agresti, Min 2005,
    doi:10.1002/sim.1781): else a difference of no rows would have no scatter.
    """
    a, b = corners
    total, weight = rows.sum(), squares.sum()

    def called(cells: Reals) -> tuple[Reals, Reals]:
        both = cells.cumsum(axis=0).cumsum(axis=1)
        shared = both[a[:, None], b]
        alone = both[np.minimum.outer(a, a), -1] + both[-1, np.minimum.outer(b, b)]
        return both[a, -1] - both[-1, b], alone - shared - shared.T

    mean = called(rows)[0] / total
    sums, products = called(squares)
    crossed = np.outer(mean, sums)
    covariance = (products - crossed - crossed.T + np.outer(mean, mean) * weight) / total**2
    return mean, covariance, float((weight / total / total) ** 2)


def _reach(covariance: Reals, level: float) -> float:
    """The standard errors that hold all points at once; drawn, always from the same numbers."""
    if not len(covariance):
        return 0.0
    if (1 - level) * _DRAWS < _FEW:
        return -NormalDist().inv_cdf((1 - min(level ** (1 / len(covariance)), 1 - 2**-53)) / 2)
    error = np.sqrt(np.diag(covariance))
    roots, vectors = np.linalg.eigh(covariance / np.outer(error, error))
    half = vectors[:, roots > 1e-9] * np.sqrt(roots[roots > 1e-9])
    greatest = np.abs(half @ np.random.default_rng(0).standard_normal((half.shape[1], _DRAWS))).max(axis=0)
    return round(float(np.quantile(greatest, level)), 6)  # the last bits depend on the threads of BLAS


def _runs(x: Reals, holds: NDArray[np.bool_]) -> list[tuple[Fraction, Fraction]]:
    """The stretches between neighbouring points at which something holds."""
    steps = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]]).astype(np.int8)))
    return [(Fraction(x[start]), Fraction(x[end - 1])) for start, end in steps.reshape(-1, 2).tolist()]


def _cut(
    piece: Piece, certain: Sequence[tuple[Fraction, Fraction]]
) -> Iterator[tuple[Fraction, Fraction, str, Fraction, bool]]:
    """A region in parts that are certain or not."""
    low, high, name, saving = piece
    inside = [(max(low, start), min(high, end)) for start, end in certain if start < high and end > low]
    inside = [each for each in inside if each[0] < each[1]]
    edges = sorted({low, high, *(edge for each in inside for edge in each)})
    for start, end in pairwise(edges):
        yield start, end, name, saving, any(first <= start and end <= last for first, last in inside)


def _least_flips(
    at: Fraction, missed: int, alarms: int, totals: Sequence[int], useful: Sequence[int], agreeing: Sequence[int]
) -> int | None:
    """The least number of labels that close a gap of `missed` positives and `alarms` negatives, in favour of one model.

    x positives and z negatives become rows of the other class, first the `useful` ones, which only that model has right: each
    adds one to both gaps. Then those on which the models agree, which only change the totals, then the others. With the sum of
    both gaps' changes fixed the cost is linear in x - z, so it is greatest at an edge, and only the edges are tried.
    """
    positives, negatives = totals
    weight = float(at)

    def gain(flips: Any, of_class: int) -> Any:
        far = useful[of_class] + agreeing[of_class]
        return np.minimum(flips, useful[of_class]) - np.maximum(flips - far, 0)

    def is_turned(labels: int) -> bool:
        some = np.arange(labels + 1)
        edges = [(some, labels - some)]
        for of_class, total in enumerate(totals):
            far = useful[of_class] + agreeing[of_class]
            ends = [np.full_like(some, kink) for kink in (0, useful[of_class], far, total)]
            ends += [some + total - 1, some + total - 2]
            edges += [(some, end) if of_class else (end, some) for end in ends]
        x, z = (np.concatenate([edge[axis] for edge in edges]) for axis in (0, 1))
        new = positives - x + z
        total = positives + negatives
        there = (
            (x >= 0) & (z >= 0) & (x + z <= labels) & (x <= positives) & (z <= negatives) & (new > 0) & (new < total)
        )
        x, z, new = x[there], z[there], new[there]
        if not len(x):
            return False
        more = gain(x, 0) + gain(z, 1)
        best = int(np.argmax(weight * (missed + more) * (total - new) + (1 - weight) * (alarms + more) * new))
        add, then = int(more[best]), int(new[best])
        return bool(at * (missed + add) * (total - then) + (1 - at) * (alarms + add) * then >= 0)

    most = 1
    while not is_turned(most):
        if most >= positives + negatives:
            return None
        most = min(2 * most, positives + negatives)
    low, high = most // 2, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_turned(middle) else (middle, high)
    return high

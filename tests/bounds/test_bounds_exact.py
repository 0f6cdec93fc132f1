"""Proven bounds hold the exact value, computed in fractions: weights of very different sizes, at thresholds and over all."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from itertools import pairwise

import numpy as np

import rocksteady as rs

BOUNDS = 1_000_000 if os.environ.get("ROCKSTEADY_THOROUGH") == "1" else 2_000
SEED = 18


def exact_or_none(statistic, name: str) -> Fraction | None:
    try:
        return statistic.exact(name)
    except rs.InputError:
        return None


SOME = rs.ConfusionMatrix.from_counts([[5, 2], [3, 7]], labels=[0, 1], pos_label=1)
FRACTIONS = sorted(
    {index.name for form in ("counts", "matrix") for index in rs.indices(form=form) if exact_or_none(SOME, index.name)}
)


def rows(rng, *, weighted: bool, extreme: bool = False):
    """Labels of both classes, scores with ties, weights over many orders of magnitude."""
    size = int(rng.integers(2, 12))
    actual = rng.permutation(np.arange(size) % 2 if rng.random() < 0.3 else np.r_[0, 1, rng.integers(0, 2, size - 2)])
    score = rng.integers(0, 9, size) / 8 if rng.random() < 0.5 else rng.random(size)
    if not weighted:
        return actual, score, None
    weight = 10 ** rng.uniform(-8, 8, size)
    if extreme:
        weight *= 10.0 ** rng.choice([-165, 0, 165], size)
    weight[rng.random(size) < 0.1] = 1.0
    return actual, score, weight


def is_outside(found: rs.results.Bounds, value: Fraction) -> bool:
    """Of a value that is known without weights the nearest float64 is its bound."""
    low, high = found.low, found.high
    if low == high == found.value:
        return float(value) != low
    return (math.isfinite(low) and Fraction(low) > value) or (math.isfinite(high) and Fraction(high) < value)


def test_bounds_at_thresholds_hold_exact_values():
    rng = np.random.default_rng(SEED)
    asked = 0
    while asked < BOUNDS:
        actual, score, weight = rows(rng, weighted=rng.random() < 0.75)
        sketch = rs.ScoreSketch(actual, score, sample_weight=weight, cells=int(rng.choice([3, 5, 4096])), pos_label=1)
        for threshold in rng.permutation(np.r_[score, rng.random(2)])[:3].tolist():
            matrix = rs.ConfusionMatrix(actual, score >= threshold, sample_weight=weight, labels=[0, 1], pos_label=1)
            counts = sketch.at(threshold)
            for name, found in zip(FRACTIONS, counts._bounds(FRACTIONS), strict=True):
                what = (name, threshold, actual, score, weight, found)
                if matrix.why(name) is not None:
                    assert found.may_be_undefined or found.why is not None, what
                elif not math.isnan(found.low) and (value := exact_or_none(matrix, name)) is not None:
                    asked += 1
                    assert not is_outside(found, value), (*what, float(value))
    print(f"{asked} bounds, none outside")


class Points:
    """The points of a ranking as fractions, and its areas."""

    def __init__(self, actual, score, weight) -> None:
        weights = [Fraction(w) for w in (np.ones(len(score)) if weight is None else weight).tolist()]
        self.rows = list(zip(actual.tolist(), score.tolist(), weights, strict=True))
        self.at = [(Fraction(0), Fraction(0))]
        for cut in sorted(set(score.tolist()), reverse=True):
            self.at.append(
                tuple(sum((w for y, s, w in self.rows if s >= cut and y == of), Fraction(0)) for of in (1, 0))
            )
        self.p, self.n = self.at[-1]

    def auc(self) -> Fraction:
        area = sum((fp - before_fp) * (tp + before) for (before, before_fp), (tp, fp) in pairwise(self.at))
        return area / (2 * self.p * self.n)

    def precision(self, point) -> Fraction:
        tp, fp = point
        return tp / (tp + fp) if tp + fp else Fraction(1)

    def average_precision(self) -> Fraction:
        return sum((b[0] - a[0]) * self.precision(b) for a, b in pairwise(self.at)) / self.p

    def linear(self) -> Fraction:
        return sum((b[0] - a[0]) * (self.precision(a) + self.precision(b)) for a, b in pairwise(self.at)) / (2 * self.p)

    def lift(self) -> Fraction:
        return sum(
            (b[0] + b[1] - a[0] - a[1]) * (self.precision(a) + self.precision(b)) for a, b in pairwise(self.at[1:])
        ) / (2 * self.p)

    def precision_gain(self) -> Fraction:
        odds, start = self.p / self.n, self.p * self.p / (self.p + self.n)
        area = Fraction(0)
        for (a, c), (b, d) in pairwise(self.at):
            if b <= start or a == b:
                continue
            left, height = (a, c) if a >= start else (start, c + (d - c) * (start - a) / (b - a))
            recall = [1 - odds * (self.p - tp) / tp for tp in (left, b)]
            precision = [1 - odds * fp / tp for tp, fp in ((left, height), (b, d))]
            area += (recall[1] - recall[0]) * (precision[0] + precision[1]) / 2
        return area

    def optimistic(self) -> Fraction:
        above = Fraction(0)
        for (a, c), (b, _) in pairwise(self.at):
            above += sum((a + j) / (a + j + c) for j in range(1, int(b - a) + 1))
        return above / self.p

    def sar(self) -> Fraction:
        total = self.p + self.n
        right = sum((w for y, s, w in self.rows if (s >= 0.5) == (y == 1)), Fraction(0)) / total
        square = sum(w * (Fraction(s) - y) ** 2 for y, s, w in self.rows) / total
        root = Fraction(math.isqrt(square.numerator * 4**400 // square.denominator), 2**400)
        return (right + self.auc() + 1 - root) / 3


AREAS = {
    "roc_auc": Points.auc,
    "gini": lambda points: 2 * points.auc() - 1,
    "ks": lambda points: max(abs(tp / points.p - fp / points.n) for tp, fp in points.at),
    "average_precision": Points.average_precision,
    "pr_auc_linear": Points.linear,
    "lift_auc": Points.lift,
    "gain_auc": lambda points: (points.p / 2 + points.n * points.auc()) / (points.p + points.n),
    "pr_gain_auc": Points.precision_gain,
    "optimistic_average_precision": Points.optimistic,
    "sar": Points.sar,
}


def test_bounds_of_rankings_hold_exact_values():
    rng = np.random.default_rng(SEED)
    asked = 0
    while asked < BOUNDS:
        weighted = rng.random() < 0.75
        actual, score, weight = rows(rng, weighted=weighted, extreme=rng.random() < 0.5)
        sketch = rs.ScoreSketch(actual, score, sample_weight=weight, cells=int(rng.choice([3, 5, 4096])), pos_label=1)
        points = Points(actual, score, weight)
        for name, value in AREAS.items():
            found = sketch.bounds(name)
            if found.why is None:
                asked += 1
                exact = value(points)
                assert not is_outside(found, exact), (name, actual, score, weight, found, float(exact))
    print(f"{asked} bounds, none outside")

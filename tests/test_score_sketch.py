"""Sketches of scores: canonical for any cut, order and merge, bounds that hold, exact where nothing is open."""

from __future__ import annotations

import os
import pickle
import struct
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import rocksteady as rs

DATA_SETS = 10_000 if os.environ.get("ROCKSTEADY_THOROUGH") == "1" else 300


# A naive twin: every score by itself, levels tried one after the other, exact fractions.


def order_key(score: float) -> int:
    (bits,) = struct.unpack("<Q", struct.pack("<d", score + 0.0))
    return bits ^ (2**64 - 1) if bits >> 63 else bits | 1 << 63


def mirrored_key(score: float) -> int:
    """The order of the scores, with as many keys near 1 as near 0."""
    half, one = order_key(0.5), order_key(1.0)
    if score < 0.5:
        return order_key(score)
    if score <= 1.0:
        return half + order_key(0.5) - order_key(1.0 - score)
    return order_key(score) - one + half + order_key(0.5) - order_key(0.0)


class Naive:
    """The cells of rows: for each level the cells, then the finest that keeps the budget."""

    def __init__(self, actual, score, weight, budget, thresholds):
        edges = sorted({0.0, 0.5, *(t + 0.0 for t in thresholds)})
        rows = [(s + 0.0, bool(y), Fraction(float(w))) for y, s, w in zip(actual, score, weight, strict=True) if w > 0]
        for self.level in range(70):
            cells = {}
            for s, y, w in rows:
                zone = sum(s >= edge for edge in edges)
                number = s if self.level == 0 else (mirrored_key(s) >> self.level, zone)
                scores, amounts = cells.setdefault(number, (set(), [Fraction(0), Fraction(0)]))
                scores.add(s)
                amounts[not y] += w
            if len(cells) <= budget:
                break
        self.cells = [(scores, *amounts) for _, (scores, amounts) in sorted(cells.items(), reverse=True)]

    def area(self):
        """Bounds of the area under the ROC curve."""
        wins = ties = doubtful = below = Fraction(0)
        for scores, p, n in reversed(self.cells):
            wins += p * below
            if len(scores) == 1:
                ties += p * n
            else:
                doubtful += p * n
            below += n
        pairs = sum(p for _, p, _ in self.cells) * below
        return (wins + ties / 2) / pairs, (wins + ties / 2 + doubtful) / pairs


def scores_of(rng: np.random.Generator, rows: int) -> np.ndarray:
    shape = rng.integers(9)
    uniform = rng.random(rows)
    if shape == 0:
        found = uniform
    elif shape == 1:
        found = np.round(uniform, int(rng.integers(1, 4)))
    elif shape == 2:
        found = 1 - 10.0 ** -rng.uniform(0, 17, rows)
    elif shape == 3:
        found = rng.normal(size=rows) * 10.0 ** rng.uniform(-3, 3)
    elif shape == 4:
        found = rng.choice([0.0, -0.0, 1.0, 0.5, -np.inf, np.inf, 5e-324, -5e-324, 1e-310, 0.3], rows)
    elif shape == 5:
        found = np.where(uniform < 0.5, rng.choice([0.25, 0.75, 0.1]), rng.random(rows))
    elif shape == 6:
        found = rng.random(rows) * 1e-308
    elif shape == 7:
        bits = rng.integers(0, 2**64, rows, dtype=np.uint64).view(np.float64)
        found = np.where(np.isnan(bits), 0.5, bits)
    else:
        found = rng.integers(-(2**53), 2**53, rows) if uniform[0] < 0.5 else rng.integers(-3, 4, rows)
    if rng.random() < 0.25 and found.dtype.kind == "f":
        with np.errstate(over="ignore"):
            found = found.astype(np.float32)
    return found


def budgets_of(rng: np.random.Generator, least: int) -> int:
    return int(rng.choice([least, least + 1, least + 5, 16, 64, 1000]).clip(least))


def sketch_of(y, s, **options):
    return rs.ScoreSketch(y, s, pos_label=1, infinite="allow", **options)


def merged(rng: np.random.Generator, parts: list) -> rs.ScoreSketch:
    """The sum of the parts in a random order of additions."""
    parts = list(parts)
    while len(parts) > 1:
        a, b = sorted(rng.choice(len(parts), 2, replace=False))
        parts[a] = parts[a] + parts.pop(b) if rng.random() < 0.5 else parts.pop(b) + parts[a]
    return parts[0]


@pytest.mark.parametrize("block", range(10))
def test_any_cut_order_and_tree_gives_the_same_bytes_and_bounds_hold(block: int) -> None:
    for seed in range(block * DATA_SETS // 10, (block + 1) * DATA_SETS // 10):
        rng = np.random.default_rng(seed)
        rows = int(rng.choice([1, 2, 3, 7, 30, 200]))
        score = scores_of(rng, rows)
        actual = (rng.random(rows) < rng.choice([0.02, 0.3, 0.5])).astype(int)
        thresholds = [float(t) for t in rng.choice([0.1, 0.3, 0.9, 1e-5, -1.0, 7.0, -np.inf], rng.integers(3))]
        thresholds += [float(score[0])] if rng.random() < 0.3 else []
        least = len({0.0, 0.5, *thresholds}) + 1
        cuts = np.sort(rng.integers(0, rows + 1, rng.integers(0, 6)))
        order = rng.permutation(rows)
        budgets = [budgets_of(rng, least) for _ in range(len(cuts) + 1)]
        filled = [b for b, (i, j) in zip(budgets, pairwise([0, *cuts, rows]), strict=True) if j > i]
        budget = min(filled)
        whole = sketch_of(actual, score, cells=budget, thresholds=thresholds)
        parts = []
        for cells, (start, end) in zip(budgets, pairwise([0, *cuts, rows]), strict=True):
            own = order[start:end]
            if rng.random() < 0.5:
                parts.append(sketch_of(actual[own], score[own], cells=cells, thresholds=thresholds))
                continue
            collector = rs.SketchCollector(pos_label=1, infinite="allow", cells=cells, thresholds=thresholds)
            for piece in np.array_split(own, 3):
                collector.update(actual[piece], score[piece])
            parts.append(collector.sketch())
        parts.append(rs.ScoreSketch.empty(pos_label=1, thresholds=thresholds))
        total = merged(rng, parts)
        assert total.to_bytes() == whole.to_bytes(), seed
        assert rs.ScoreSketch.from_bytes(whole.to_bytes()) == whole
        check(actual, score, whole, Naive(actual, score.astype(float), np.ones(rows), budget, thresholds), thresholds)


def check(actual, score, sketch: rs.ScoreSketch, naive: Naive, thresholds) -> None:
    assert (sketch.level, len(sketch)) == (naive.level, len(naive.cells))
    table = rs.ScoreTable(actual, score, pos_label=1, infinite="allow")
    assert sketch.is_exact == all(len(scores) == 1 for scores, *_ in naive.cells)
    if sketch.is_exact:
        assert sketch.table() == table
    for threshold in [0, 0.5, *thresholds]:
        for side in [">=", ">"] if threshold not in (0, 0.5, *thresholds) else [">="]:
            assert sketch.at(threshold, side=side) == table.at(threshold, side=side)
    for threshold in [*score[:5].astype(float), 0.2, -1e-3, 1e300]:
        for side in (">=", ">"):
            low, high = sketch.box(threshold, side=side)
            exact = table.at(threshold, side=side)
            assert low.tp <= exact.tp <= high.tp
            assert low.fp <= exact.fp <= high.fp
    found = sketch.bounds("roc_auc")
    if found.why is None:
        low, high = naive.area()
        exact = table.exact("roc_auc")
        assert Fraction(found.low) <= low <= exact <= high <= Fraction(found.high) or (
            low == high == exact and found.value == table["roc_auc"]
        )
        assert float(low) - found.low < 1e-10
        assert found.high - float(high) < 1e-10


def test_a_sketch_is_pickled_and_compared() -> None:
    sketch = rs.ScoreSketch([0, 1, 1], [0.2, 0.9, 0.4], cells=3)
    assert pickle.loads(pickle.dumps(sketch)) == sketch
    assert sketch != rs.ScoreSketch([0, 1, 1], [0.2, 0.9, 0.4], cells=4)
    assert sum([sketch]) == sketch

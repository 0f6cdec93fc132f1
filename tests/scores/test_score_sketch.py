"""Sketches of scores: canonical for any cut, order and merge, bounds that hold, exact where nothing is open."""

from __future__ import annotations

import os
import struct
from concurrent.futures import ThreadPoolExecutor
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


def cell_number(score: float, level: int) -> int:
    """A bit less in four levels; between, a quarter of the pairs is joined at a time."""
    bits, joined = divmod(level - 1, 4)
    number = mirrored_key(score) >> (1 + bits)
    return number & ~1 if (0, 2, 1, 3)[number // 2 % 4] < joined else number


class Naive:
    """The cells of rows: for each level the cells, then the finest that keeps the budget."""

    def __init__(self, actual, score, weight, budget, thresholds):
        edges = sorted({0.0, 0.5, *(t + 0.0 for t in thresholds)})
        rows = [(s + 0.0, bool(y), Fraction(float(w))) for y, s, w in zip(actual, score, weight, strict=True) if w > 0]
        for self.level in range(300):
            cells = {}
            for s, y, w in rows:
                number = s if self.level == 0 else (cell_number(s, self.level), sum(s >= edge for edge in edges))
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


def weights_of(rng: np.random.Generator, rows: int) -> np.ndarray | None:
    shape = rng.integers(6)
    if shape < 3:
        return None
    if shape == 3:
        return rng.integers(0, 5, rows).astype(float)
    if shape == 4:
        return rng.random(rows)
    return 2.0 ** rng.integers(-200, 200, rows)


def merged(rng: np.random.Generator, parts: list) -> rs.ScoreSketch:
    """The sum of the parts in a random order of additions."""
    parts = list(parts)
    while len(parts) > 1:
        a, b = sorted(rng.choice(len(parts), 2, replace=False))
        own, other = parts[a], parts.pop(b)
        parts[a] = own + other if rng.random() < 0.5 else other + own
    return parts[0]


INDICES = [index.name for index in rs.indices(form="scores")]


@pytest.mark.parametrize("block", range(10))
def test_any_cut_order_and_tree_gives_the_same_bytes_and_bounds_hold(block: int) -> None:
    for seed in range(block * DATA_SETS // 10, (block + 1) * DATA_SETS // 10):
        check_data_set(seed)


# Weights of 2^200 and of 2^-200: the table lost what is below a score, or above it, to rounding.
@pytest.mark.parametrize("seed", [3319, 5300, 8345, 9292])
def test_any_cut_of_weights_of_very_different_sizes(seed: int) -> None:
    check_data_set(seed)


def check_data_set(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.choice([1, 2, 3, 7, 30, 200]))
    score = scores_of(rng, rows)
    actual = (rng.random(rows) < rng.choice([0.02, 0.3, 0.5])).astype(int)
    weight = weights_of(rng, rows)
    thresholds = [float(t) for t in rng.choice([0.1, 0.3, 0.9, 1e-5, -1.0, 7.0, -np.inf], rng.integers(3))]
    thresholds += [float(score[0])] if rng.random() < 0.3 else []
    least = len({0.0, 0.5, *thresholds}) + 1
    options = {"pos_label": 1, "infinite": "allow", "thresholds": thresholds}
    cuts = [0, *np.sort(rng.integers(0, rows + 1, rng.integers(0, 6))), rows]
    order = rng.permutation(rows)
    weighed = np.ones(rows) if weight is None else weight
    parts, filled = [], []
    for start, end in pairwise(cuts):
        own, cells = order[start:end], budgets_of(rng, least)
        if (weighed[own] > 0).any():
            filled.append(cells)
        own_weight = None if weight is None else weight[own]
        if rng.random() < 0.5:
            part = rs.ScoreSketch(actual[own], score[own], sample_weight=own_weight, cells=cells, **options)
            parts.append(part)
            continue
        collector = rs.SketchCollector(cells=cells, **options)
        for piece in np.array_split(np.arange(len(own)), 3):
            batch = None if weight is None else own_weight[piece]
            collector.update(actual[own][piece], score[own][piece], sample_weight=batch)
        parts.append(collector.sketch())
    parts.append(rs.ScoreSketch.empty(pos_label=1, thresholds=thresholds))
    budget = min(filled, default=1000)
    whole = rs.ScoreSketch(actual, score, sample_weight=weight, cells=budget, **options)
    total = merged(rng, parts)
    assert total.to_bytes() == whole.to_bytes(), seed
    assert rs.ScoreSketch.from_bytes(whole.to_bytes()) == whole
    naive = Naive(actual, score.astype(float), weighed, budget, thresholds)
    table = rs.ScoreTable(actual, score, sample_weight=weight, pos_label=1, infinite="allow")
    check_cells(whole, table, naive, [0, 0.5, *thresholds], score.astype(float))
    check_bounds(whole, table, seed)


def check_cells(sketch: rs.ScoreSketch, table: rs.ScoreTable, naive: Naive, edges, score) -> None:
    assert (sketch.coarseness, len(sketch)) == (naive.level, len(naive.cells))
    assert sketch.is_exact == all(len(scores) == 1 for scores, *_ in naive.cells)
    if sketch.is_exact:
        assert sketch.rows == 0 or sketch.score_table() == table
    for threshold in edges:
        (tp, fp, *_), most = sketch._state.at(threshold, ">=")
        exact = table.at(threshold)
        assert (tp, fp) == most[:2] == (exact.tp, exact.fp)
    for threshold in [*score[:5], 0.2, -1e-3, 1e300]:
        for side in (">=", ">"):
            low, high = sketch._state.at(threshold, side)
            exact = table.at(threshold, side=side)
            assert low[0] <= exact.tp <= high[0]
            assert low[1] <= exact.fp <= high[1]
            box = sketch.at(threshold, side=side)
            assert box.tp == (low[0], high[0])
            assert box.fp == (low[1], high[1])
    found = sketch.bounds("roc_auc")
    if found.why is None:
        low, high = naive.area()
        if found.value is None:
            assert Fraction(found.low) <= low <= high <= Fraction(found.high)
            assert float(low) - found.low < 1e-10
            assert found.high - float(high) < 1e-10
        else:
            assert float(low) == float(high) == pytest.approx(found.value, rel=1e-15)
            assert found.value == table["roc_auc"]


def check_bounds(sketch: rs.ScoreSketch, table: rs.ScoreTable, seed: int) -> None:
    for name in INDICES:
        found, exact, why = sketch.bounds(name), table.value(name), table.why(name)
        if found.value is not None:
            np.testing.assert_allclose(found.value, exact, rtol=1e-11, atol=1e-14, err_msg=f"{seed} {name}")
            if found.why != why:
                assert "weighs next to nothing" in found.why, (seed, name)
            elif why is None:
                assert found.low <= found.value <= found.high, (seed, name)
                # A profit is a difference of numbers up to the greatest cost.
                greatest = max((each.default or 0.0 for each in rs.index(name).parameters), default=0.0)
                assert found.high - found.low < max(1e-8, 1e-8 * abs(found.high), 3e-11 * greatest), (seed, name)
        elif found.why is None:
            assert why is None, (seed, name)
            assert found.low <= exact <= found.high, (seed, name)
            assert found.low < found.high, (seed, name)
        else:
            assert not sketch.is_exact


def test_every_index_of_a_ranking_is_bounded_or_says_why_not() -> None:
    rng = np.random.default_rng(5)
    actual = rng.random(5000) < 0.2
    score = 1 / (1 + np.exp(-rng.normal(size=5000) - actual))
    sketch = rs.ScoreSketch(actual, score, cells=500)
    for name in INDICES:
        found = sketch.bounds(name)
        assert (found.why is None) != np.isnan(found.low), name
        if found.why is not None:
            assert len(found.why.split()) > 4
            with pytest.raises(rs.InputError, match=name):
                sketch[name]


def test_a_sketch_is_compared() -> None:
    sketch = rs.ScoreSketch([0, 1, 1], [0.2, 0.9, 0.4], cells=3)
    assert sketch != rs.ScoreSketch([0, 1, 1], [0.2, 0.9, 0.4], cells=4)
    assert sum([sketch]) == sketch


@pytest.mark.parametrize("scores", [lambda z: z, lambda z: 1 / (1 + np.exp(-z)), lambda z: z.round(4)])
def test_bytes_are_as_many_as_the_page_says(scores) -> None:
    rng = np.random.default_rng(0)
    actual = rng.random(100_000) < 0.1
    score, weight = scores(rng.normal(actual * 1.5 - 2)), rng.random(100_000)
    for given, least, most in (
        (None, 0.2e6, 0.7e6),
        (weight, 0.7e6, 2e6),
        (weight * 10 ** rng.uniform(-300, 300, 100_000), 2e6, 25e6),
    ):
        assert least < len(rs.ScoreSketch(actual, score, sample_weight=given).to_bytes()) < most


def test_losses_are_those_of_probability_sums() -> None:
    rng = np.random.default_rng(1)
    actual = rng.random(3000) < 0.3
    for dtype in (np.float64, np.float32, np.float16):
        score = rng.random(3000).astype(dtype)
        score[:40] = rng.integers(0, 2, 40)  # cut at the machine epsilon of the type
        for weight in (None, rng.random(3000)):
            sums = rs.ProbabilitySums(actual, score, sample_weight=weight)
            sketch = rs.ScoreSketch(actual, score, sample_weight=weight, cells=64)
            for name in ("log_loss", "brier", "root_mean_squared_error"):
                assert sketch[name] == sums[name]
    # Halves beside doubles are doubles, in any order.
    parts = [rs.ScoreSketch([0, 1], np.array([1, 0], dtype), cells=3) for dtype in (np.float16, np.float64)]
    assert parts[0] + parts[1] == parts[1] + parts[0]
    assert (parts[0] + parts[1])["log_loss"] == rs.ProbabilitySums([0, 1, 0, 1], [1.0, 0, 1, 0])["log_loss"]
    beyond = rs.ScoreSketch(actual, np.linspace(-1, 1, 3000), cells=64)
    assert np.isnan(beyond["log_loss"])
    assert beyond.why("log_loss") == "A score lies outside [0, 1], so the scores are not probabilities."


def test_missing_and_infinite_scores_are_ranked_as_in_a_table() -> None:
    score = np.array([0.3, np.nan, np.inf, -np.inf, 0.9, np.nan, 0.2])
    actual = [1, 0, 1, 0, 1, 1, 0]
    with pytest.raises(rs.InputError, match=r"y_score\[1\]"):
        rs.ScoreSketch(actual, score)
    with pytest.raises(rs.InputError, match=r"y_score\[2\]"):
        rs.ScoreSketch(actual, score, nan_policy="omit")
    for policy in ("omit", "worst", "best"):
        options = {"nan_policy": policy, "infinite": "allow"}
        sketch, table = rs.ScoreSketch(actual, score, **options), rs.ScoreTable(actual, score, **options)
        assert sketch.score_table() == table
        few = rs.ScoreSketch(actual, score, cells=4, **options).bounds("roc_auc")
        assert few.low <= table["roc_auc"] <= few.high


def test_what_cannot_be_used_is_refused() -> None:
    exact = rs.ScoreSketch([0, 1], np.array([2**53, -(2**53)]))
    assert exact.is_exact
    with pytest.raises(rs.InputError, match=r"y_score\[2\] is 9007199254740993; expected a score that a float64 holds"):
        rs.ScoreSketch([0, 1, 0], np.array([0, 1, 2**53 + 1]), sample_weight=[0, 1, 1])
    for cells in (3, 0, -1, 2**31):
        with pytest.raises(rs.RocksteadyError, match="cells"):
            rs.ScoreSketch([0, 1], [0.1, 0.2], cells=cells, thresholds=[0.2])
    with pytest.raises(rs.InputError, match="thresholds"):
        rs.ScoreSketch([0, 1], [0.1, 0.2], thresholds=[np.nan])
    with pytest.raises(rs.RocksteadyError, match="thresholds"):
        rs.ScoreSketch([0, 1], [0.1, 0.2], thresholds=["a"])
    sketch = rs.ScoreSketch([0, 1], [0.1, 0.2])
    with pytest.raises(rs.InputError, match="thresholds"):
        sketch + rs.ScoreSketch([0, 1], [0.1, 0.2], thresholds=[0.3])
    with pytest.raises(rs.InputError, match="weights"):
        sketch + rs.ScoreSketch([0, 1], [0.1, 0.2], sample_weight=[1, 2])
    with pytest.raises(rs.InputError, match="label"):
        sketch + rs.ScoreSketch([2, 1], [0.1, 0.2])
    with pytest.raises(rs.RocksteadyError, match="labels is .* expected the two labels"):
        rs.ScoreSketch([0, 1], [0.1, 0.2], labels=[0, 1, 2])
    with pytest.raises(rs.InputError):
        rs.ScoreSketch([], [])


def test_a_refused_batch_leaves_the_collector_as_it_was() -> None:
    rng = np.random.default_rng(2)
    for rows in (1000, 200_000, 1_100_000):
        collector = rs.SketchCollector(cells=100)
        actual, score = rng.random(rows) < 0.5, rng.random(rows)
        collector.update(actual, score)
        before = collector.sketch()
        for column, value in (("score", np.nan), ("label", 7)):
            bad_label, bad_score = actual.astype(int), score.copy()
            if column == "score":
                bad_score[-1] = value
            else:
                bad_label[-1] = value
            with pytest.raises(rs.InputError, match=str(rows - 1)):
                collector.update(bad_label, bad_score)
        with pytest.raises(rs.InputError, match="sample_weight"):
            collector.update(actual, score, sample_weight=score)
        assert collector.rows == rows
        assert collector.sketch() == before


def test_ordered_categories_keep_their_losses() -> None:
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(7)
    labels = np.where(rng.random(400) < 0.3, "bad", "good")
    score = rng.random(400)
    column = pd.Categorical(labels, categories=["good", "bad"], ordered=True)  # the later one is the lesser text
    collector = rs.SketchCollector(cells=50)
    with pytest.raises(rs.InputError):
        collector.update(column[:10], np.full(10, np.nan))
    for own in np.array_split(np.arange(400), 3):
        collector.update(column[own], score[own])
    sketch = collector.sketch()
    assert sketch == rs.ScoreSketch(column, score, cells=50)
    assert sketch.pos_label == "bad"
    for name in ("brier", "log_loss"):
        assert sketch[name] == rs.ProbabilitySums(labels, score, pos_label="bad")[name]
    # What is named counts more than the order.
    named = rs.SketchCollector(cells=50, pos_label="good")
    named.update(column, score)
    assert named.sketch() == rs.ScoreSketch(labels, score, cells=50, pos_label="good")


def test_counts_beyond_what_floats_tell_apart_have_bounds_at_a_threshold() -> None:
    columns = [0.1, 0.6, 0.7], [0.2, 0.65, 0.9], [1, 2**58 + 1, 7], [2**60 + 3, 2**50, 1]
    sketch = rs.ScoreSketch.from_counts(*columns, thresholds=[0.6])
    known = sketch.at(0.6)
    assert known.is_known
    exact = (2**58 + 8) / (2**58 + 8 + 2**50 + 1)
    assert known.bounds("precision").low <= exact <= known.bounds("precision").high
    assert sketch.at(0.62).bounds("recall").low <= 7 / (2**58 + 9) < sketch.at(0.62).bounds("recall").high


def test_weights_beyond_the_counts_have_bounds_at_a_threshold() -> None:
    rng = np.random.default_rng(8)
    actual, score, weight = rng.random(300) < 0.4, rng.random(300), rng.random(300)
    small = rs.ScoreSketch(actual, score, sample_weight=weight, cells=20).at(0.37)
    large = rs.ScoreSketch(actual, score, sample_weight=weight * 2.0**90, cells=20).at(0.37)
    assert large.positives == small.positives * 2.0**90
    assert not large.is_known
    for name in ("f1", "mcc", "precision"):
        assert large.bounds(name).low == pytest.approx(small.bounds(name).low, rel=1e-9)
        assert large.bounds(name).high == pytest.approx(small.bounds(name).high, rel=1e-9)


def test_threads_fill_one_collector() -> None:
    rng = np.random.default_rng(3)
    actual, score = rng.random(200_000) < 0.1, rng.random(200_000)
    collector = rs.SketchCollector(cells=500)
    parts = np.array_split(np.arange(200_000), 40)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda own: collector.update(actual[own], score[own]), parts))
    assert collector.sketch() == rs.ScoreSketch(actual, score, cells=500)


def test_labels_find_their_side_when_the_other_turns_up() -> None:
    rng = np.random.default_rng(4)
    actual, score = rng.integers(1, 3, 2000), rng.random(2000)
    whole = rs.ScoreSketch(actual, score, cells=50)
    order = np.argsort(actual)
    collector = rs.SketchCollector(cells=50)
    for own in np.array_split(order, 7):  # the first batches have rows of label 1 only, which alone is positive
        collector.update(actual[own], score[own])
    assert collector.sketch() == whole
    ones, twos = (rs.ScoreSketch(actual[actual == k], score[actual == k], cells=50, labels=[1, 2]) for k in (1, 2))
    assert ones + twos == twos + ones == whole
    empty = rs.ScoreSketch([], [], labels=[1, 2])
    assert empty.rows == 0
    assert empty.cells is None
    assert np.isnan(empty["roc_auc"])
    assert whole + empty == empty + whole == sum([empty, whole, empty]) == whole


PAIRS = [("no", "yes"), ("0", "1"), ("", "ä"), (False, True), (0, 1), (1, 2), (-1, 1), (0.0, 1.0), (1.0, 2.0)]
FORMS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda labels: np.array(labels, dtype=object),
    "series": lambda labels: pytest.importorskip("pandas").Series(labels),
    "nullable": lambda labels: pytest.importorskip("pandas").Series(labels).convert_dtypes(),
    "categories": lambda labels: pytest.importorskip("pandas").Categorical(labels),
    "polars": lambda labels: pytest.importorskip("polars").Series(labels),
    "polars categories": lambda labels: text_or_skip(pytest.importorskip("polars").Series(labels, dtype=None)),
    "arrow": lambda labels: pytest.importorskip("pyarrow").array(labels),
    "arrow dictionary": lambda labels: pytest.importorskip("pyarrow").array(labels).dictionary_encode(),
}


def text_or_skip(series):
    polars = pytest.importorskip("polars")
    return series.cast(polars.Categorical) if series.dtype == polars.String else pytest.skip("no categories of numbers")


def collected(y, score, cuts, cells=8, **options):
    collector = rs.SketchCollector(cells=cells, **options)
    for own in np.array_split(np.arange(len(score)), cuts):
        collector.update(y[own[0] : own[-1] + 1], score[own])
    assert collector.rows == len(score)
    return collector.sketch()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_the_greater_label_is_positive_whatever_labels_are(pair, form) -> None:
    y, s = FORMS[form](pair * 2), [0.1, 0.7, 0.4, 0.9]
    table = rs.ScoreTable(y, s)
    found = rs.ScoreSketch(y, s)
    assert (found.labels, found["roc_auc"]) == (table.labels, 1.0)
    assert found.score_table() == table
    assert found["log_loss"] == rs.ScoreSketch([0, 1, 0, 1], s)["log_loss"]
    for cuts in (1, 2, 4):
        assert collected(y, np.array(s), cuts, cells=rs.ScoreSketch([0], [1]).cells) == found
    bounded = rs.evaluate(y, s, bounded=True)
    assert (bounded["roc_auc"], bounded["accuracy"], bounded.pos_label) == (1.0, 1.0, table.pos_label)
    assert rs.Evaluation.from_bytes(bounded.to_bytes()) == bounded
    named = rs.evaluate(y, s, bounded=True, pos_label=pair[0])
    assert (named["roc_auc"], named.pos_label) == (0.0, pair[0])
    aggregator = rs.engines.Aggregator("y", "s", how="bounded")
    states = [aggregator.count([{"y": y[at : at + 1], "s": s[at : at + 1]}]) for at in range(4)]
    assert aggregator.value(aggregator.merge(*states)) == bounded
    for label in (0, 1):
        lone, scores, named = FORMS[form]([pair[label]] * 3), [0.2, 0.5, 0.5], {"pos_label": table.pos_label}
        alone, sketch = rs.ScoreTable(lone, scores, **named), rs.ScoreSketch(lone, scores, **named)
        assert (sketch.labels, sketch.score_table()) == (alone.labels, alone)
        assert collected(lone, np.array(scores), 3, cells=sketch.cells, **named) == sketch
        assert rs.ScoreSketch.from_bytes(sketch.to_bytes()) == sketch
        both = FORMS[form]([pair[label]] * 3 + list(pair) * 2)
        told = rs.ScoreSketch(y, s, **named)
        assert sketch + told == told + sketch == rs.ScoreSketch(both, scores + s, **named)
        assert rs.evaluate(lone, scores, bounded=True, **named).labels == alone.labels


@pytest.mark.parametrize("weighted", [False, True])
def test_text_is_counted_as_numbers_are(weighted) -> None:
    rng = np.random.default_rng(11)
    for first in (0, 1):
        code = np.where(rng.random(600) < 0.3, 1 - first, first)
        code[:200] = first  # the other label turns up late
        text, score = np.array(["lower", "upper"])[code], rng.random(600)
        weight = rng.random(600) if weighted else None
        whole = rs.ScoreSketch(text, score, sample_weight=weight, cells=20)
        numbers = rs.ScoreSketch(code, score, sample_weight=weight, cells=20)
        assert whole.labels == ("lower", "upper")
        for name in ("roc_auc", "brier", "log_loss", "average_precision", "ks"):
            assert whole.bounds(name) == numbers.bounds(name)
        collector = rs.SketchCollector(cells=20)
        for own in np.array_split(rng.permutation(200), 3) + np.array_split(np.arange(200, 600), 5):
            collector.update(text[own], score[own], sample_weight=None if weight is None else weight[own])
            collector.update([], [])
            assert collector.sketch().rows == collector.rows
        assert collector.sketch() == whole
        rows = (slice(200), slice(200, 600))
        parts = [rs.ScoreSketch(text[own], score[own], cells=20, labels=["lower", "upper"]) for own in rows]
        if not weighted:
            assert (
                sum(parts) == sum(reversed(parts)) == rs.ScoreSketch(text, score, cells=20, labels=["lower", "upper"])
            )


def test_a_batch_that_does_not_go_with_a_lone_text_label_is_refused() -> None:
    batches = [
        (["b", "c"], [0.1, 0.2], None, r"y_true\[1\] is \"c\"; expected \"a\" or \"b\""),
        ([1, 0], [0.1, 0.2], None, "expected labels that go with the earlier ones"),
        (["a", "b"], [0.1, 0.2], [1.0, 2.0], "sample_weight is given; expected none, as in the earlier batches"),
        (["a", "a"], [0.1, 0.2], [1.0, 2.0], "sample_weight is given; expected none, as in the earlier batches"),
        (["a", None], [0.1, 0.2], None, r"y_true\[1\] is missing"),
        (["a", "b"], [0.1, np.nan], None, r"y_score\[1\] is NaN"),
        (["a", "a"], [0.1], None, "y_score has 1 row"),
    ]
    for y, s, weight, said in batches:
        collector = rs.SketchCollector()
        collector.update(["a", "a"], [0.3, 0.4])
        before = collector.sketch()
        with pytest.raises((rs.InputError, rs.InputTypeError), match=said):
            collector.update(y, s, sample_weight=weight)
        assert (collector.rows, collector.sketch()) == (2, before)
        collector.update(["b"], [0.9])
        assert collector.sketch() == rs.ScoreSketch(["a", "a", "b"], [0.3, 0.4, 0.9])
    for y, said in ((["a", "b", "c"], "the two labels"), ([1, "a"], "expected"), (["a", None], "missing")):
        with pytest.raises((rs.InputError, rs.InputTypeError), match=said):
            rs.ScoreSketch(y, [0.1, 0.2, 0.3][: len(y)])


def test_text_labels_may_be_missing() -> None:
    pa = pytest.importorskip("pyarrow")
    y, s = ["no", None, "yes", None, "no"], [0.1, 0.2, 0.7, 0.8, 0.4]
    kept = [0, 2, 4]
    whole = rs.ScoreSketch([y[row] for row in kept], [s[row] for row in kept])
    nothing = rs.ScoreSketch(pa.array([None, None], pa.string()), [0.1, 0.2], nan_policy="omit")
    assert (nothing.rows, nothing.labels) == (0, (None, None))
    assert nothing + whole == whole + nothing == whole
    for form in (list, lambda labels: pa.array(labels, pa.string())):
        assert rs.ScoreSketch(form(y), s, nan_policy="omit") == whole
    for order in ((1, 0, 3, 4, 2), (0, 2, 1, 3, 4)):
        collector = rs.SketchCollector(nan_policy="omit")
        for row in order:
            collector.update(pa.array(y[row : row + 1], pa.string()), s[row : row + 1])
        assert collector.sketch() == whole


def test_ordered_text_of_which_one_category_came_first() -> None:
    pd = pytest.importorskip("pandas")
    labels = ["high"] * 3 + ["low", "high"]
    score = np.array([0.7, 0.8, 0.9, 0.2, 0.6])
    column = pd.Categorical(labels, categories=["low", "mid", "high"], ordered=True)
    found = collected(column, score, 5)
    assert (found.labels, found["roc_auc"]) == (("low", "high"), 1.0)
    assert found["log_loss"] == rs.ScoreSketch(column, score)["log_loss"]
    assert collected(column[:3], score[:3], 2).labels == ("high", None)
    two = pd.Categorical(labels[:3], categories=["low", "high"], ordered=True)
    assert collected(two, score[:3], 2).labels == rs.ScoreTable(two, score[:3]).labels == (None, "high")
    collector = rs.SketchCollector()
    collector.update(labels[:3], score[:3])
    collector.update(two, score[:3])
    assert (collector.sketch().labels, collector.rows) == ((None, "high"), 6)


def test_threads_fill_one_collector_with_text() -> None:
    rng = np.random.default_rng(3)
    text, score = np.array(["no", "yes"])[(rng.random(4000) < 0.1).astype(int)], rng.random(4000)
    collector = rs.SketchCollector(cells=50)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda own: collector.update(text[own], score[own]), np.array_split(np.arange(4000), 800)))
    assert collector.sketch() == rs.ScoreSketch(text, score, cells=50)


@pytest.mark.parametrize(
    "form", ["usual", "weighted", "beyond probabilities", "few scores", "sorted, with missing ones"]
)
def test_parts_on_threads_give_the_bytes_of_one(form: str) -> None:
    rng = np.random.default_rng(7)
    rows = 3_400_000  # parts have a million rows after the first million
    y, s = rng.integers(0, 2, rows), rng.random(rows)
    options: dict[str, object] = {"cells": 5_000}
    if form == "weighted":
        options["sample_weight"] = rng.random(rows) * 10.0 ** rng.integers(-3, 3, rows)
    elif form == "beyond probabilities":
        s = rng.normal(size=rows)
        s[-1] = np.inf
        options["infinite"] = "allow"
    elif form == "few scores":
        s = np.round(s, 2)
    elif form != "usual":
        s.sort()
        s[rng.integers(0, rows, 1000)] = np.nan
        s[1_100_000:2_300_000] = np.nan  # one part has no rows
        options["nan_policy"] = "omit"
    try:
        found = []
        for threads in (1, 3, 16):
            rs.set_threads(threads)
            found.append(rs.ScoreSketch(y, s, **options).to_bytes())
    finally:
        rs.set_threads(None)
    assert len(set(found)) == 1
    collector = rs.SketchCollector(**{name: value for name, value in options.items() if name != "sample_weight"})
    for cut in np.array_split(np.arange(rows), 5):
        weight = options.get("sample_weight")
        collector.update(y[cut], s[cut], sample_weight=None if weight is None else weight[cut])
    assert collector.sketch().to_bytes() == found[0]


def test_a_refused_row_of_any_part_is_named() -> None:
    y, s = np.arange(3_400_000) % 2, np.full(3_400_000, 0.25)
    s[[2_300_000, 3_300_000]] = np.nan
    with pytest.raises(rs.InputError, match=r"y_score\[2300000\]"):
        rs.ScoreSketch(y, s)

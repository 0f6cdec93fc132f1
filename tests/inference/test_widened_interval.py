"""Intervals from sketches and boxes of counts contain those of the exact rows."""

from __future__ import annotations

import os

import numpy as np
import pytest

import rocksteady as rs

TURNS = 400 if os.environ.get("ROCKSTEADY_THOROUGH") == "1" else 25

OF_SCORES = [index.name for index in rs.indices() if index.intervals and {"scores", "probabilities"} & set(index.forms)]
OF_COUNTS = [index.name for index in rs.indices() if index.intervals and {"counts", "matrix"} & set(index.forms)]


def rows_of(rng: np.random.Generator) -> tuple:
    rows = int(rng.choice([6, 40, 400, 3000]))
    y = (rng.random(rows) < rng.choice([0.05, 0.3, 0.5])).astype(int)
    y[:2] = 0, 1
    shape = rng.integers(4)
    if shape == 0:
        s = 0.3 * rng.random(rows) + 0.5 * rng.random(rows) * y
    elif shape == 1:
        s = np.round(rng.random(rows), 2)
    elif shape == 2:
        s = 1 / (1 + np.exp(-rng.normal(2 * y, 2)))
    else:
        s = rng.beta(0.3, 1 + 3 * (1 - y), rows)
    weight = [None, None, rng.random(rows) * 3, rng.integers(1, 4, rows).astype(float)][rng.integers(4)]
    return y, s, weight


def test_intervals_of_a_ranking_contain_those_of_the_table() -> None:
    rng = np.random.default_rng(20)
    found = 0
    for turn in range(TURNS):
        y, s, weight = rows_of(rng)
        cells = int(rng.choice([4, 8, 32, 256]))
        sketch = rs.ScoreSketch(y, s, sample_weight=weight, cells=cells, pos_label=1)
        table = rs.ScoreTable(y, s, sample_weight=weight, pos_label=1)
        for name in OF_SCORES:
            for method in rs.index(name).intervals:
                level = rng.choice([0.9, 0.9, 0.2])
                asked = {"method": method, "side": rng.choice(["two-sided", "lower", "upper"]), "level": level}
                try:
                    exact = table.interval(name, **asked)
                except rs.UnknownIndexError:
                    continue
                try:
                    own = sketch.interval(name, **asked)
                except rs.UnknownIndexError:
                    assert name.startswith(("calibration_", "debiased_")), name  # they need the scores themselves
                    continue
                what = (turn, name, asked)
                if own.why is not None:
                    continue
                if exact.why is not None:
                    assert own.may_be_none, what
                    continue
                assert own.low <= exact.low, what
                assert exact.high <= own.high, what
                rounding = 1e-12 * max(1.0, abs(exact.estimate))
                assert own.bounds.low - rounding <= exact.estimate <= own.bounds.high + rounding, what
                if not any(
                    (each.note or "").startswith("Few rows tell") for each in (own, exact)
                ):  # cells blur how many
                    assert own.note == exact.note, what
                found += not sketch.is_exact
    assert found > 100


def test_a_lone_bound_at_a_low_level_is_farthest_out_where_the_error_is_least() -> None:
    y, s = [1, 0, 0, 0, 1], [0.65, 0.05, 0.24, 0.38, 0.63]
    sketch = rs.ScoreSketch(y, s, cells=3, thresholds=[])
    asked = {"level": 0.1, "side": "lower"}
    assert sketch.interval("log_loss", **asked).low <= rs.ScoreTable(y, s).interval("log_loss", **asked).low


def test_many_cells_widen_little() -> None:
    rng = np.random.default_rng(21)
    y = (rng.random(40_000) < 0.2).astype(int)
    s = 1 / (1 + np.exp(-rng.normal(2 * y, 2)))
    sketch, table = rs.ScoreSketch(y, s, cells=4096), rs.ScoreTable(y, s)
    for name in ("roc_auc", "gini", "average_precision", "brier", "log_loss", "brier_skill_score"):
        own, exact = sketch.interval(name), table.interval(name)
        assert own.why is None
        assert own.high - own.low < 1.05 * (exact.high - exact.low), name
    for name in ("f1", "mcc", "kappa", "recall", "precision"):
        own, exact = sketch.at(0.31).interval(name), table.at(0.31).interval(name)
        assert own.low <= exact.low < exact.high <= own.high
        assert own.high - own.low < 1.2 * (exact.high - exact.low), name


def box_of(rng: np.random.Generator) -> tuple:
    scale = int(rng.choice([20, 1000, 10**5, 10**8]))
    classes = [int(rng.integers(1, scale)) for _ in range(2)]
    sides = []
    for size in classes:
        wide = int(min(size, rng.choice([0, 1, 3, 40, 2000])))
        low = int(rng.choice([0, size - wide, rng.integers(0, size - wide + 1)]))
        sides.append((low, low + wide))
    return *sides, *classes


def test_intervals_of_counts_contain_those_of_every_table() -> None:
    rng = np.random.default_rng(22)
    for turn in range(TURNS):
        tp, fp, positives, negatives = box_of(rng)
        weighted = True if rng.random() < 0.2 else None
        box = rs.CountsBounds(tp=tp, fp=fp, positives=positives, negatives=negatives, weighted=weighted)
        ends = [(own, other) for own in tp for other in fp]
        inside = [(int(rng.integers(tp[0], tp[1] + 1)), int(rng.integers(fp[0], fp[1] + 1))) for _ in range(4)]
        own, other = np.array(ends + inside).T
        tables = rs.Counts(own, other, positives - own, negatives - other)
        for name in rng.choice(OF_COUNTS, 8, replace=False).tolist():
            for method in rs.index(name).intervals:
                asked = {"method": method, "side": rng.choice(["two-sided", "lower", "upper"]), "level": 0.9}
                try:
                    exact = tables.interval(name, **asked)
                except rs.UnknownIndexError:
                    continue
                found = box.interval(name, **asked)
                what = (turn, name, asked, box)
                has_one = np.array([why is None for why in exact.why or (None,) * len(own)])
                if found.why is not None or not has_one.any():
                    continue
                assert found.may_be_none or has_one.all(), what
                assert found.low <= np.min(exact.low[has_one]), what
                assert np.max(exact.high[has_one]) <= found.high, what


def test_a_share_is_a_sum_of_cells() -> None:
    """Corners bound the successes and the failures of a share, so both must be sums of cells."""
    rng = np.random.default_rng(23)
    for name in OF_COUNTS:
        if "wilson" not in rs.index(name).intervals:
            continue
        found = rs.CountsBounds(tp=(0, 300), fp=(20, 300), positives=300, negatives=300).interval(name)
        tp, fp = rng.integers([[0], [20]], 301, (2, 100))
        each = rs.Counts(tp, fp, 300 - tp, 300 - fp).interval(name)
        assert found.low <= np.nanmin(each.low), name
        assert np.nanmax(each.high) <= found.high, name


def test_what_has_no_interval_says_so() -> None:
    rng = np.random.default_rng(24)
    y, s = (rng.random(3000) < 0.3).astype(int), rng.random(3000)
    sketch = rs.ScoreSketch(y, s, cells=64)
    with pytest.raises(rs.UnknownIndexError, match="bootstrap"):
        sketch.interval("h_measure")
    with pytest.raises(rs.UnknownIndexError, match="method"):
        sketch.interval("roc_auc", method="wilson")
    with pytest.raises(rs.InputError, match="level"):
        sketch.interval("roc_auc", level=1.0)
    weighed = rs.ScoreSketch(y, s, sample_weight=rng.random(3000), cells=64).interval("average_precision")
    assert np.isnan(weighed.low)
    assert "weight" in weighed.why
    box = rs.CountsBounds(tp=(100, 900), fp=(100, 900), positives=1000, negatives=1000)
    assert "4,096" in box.interval("lr+").why
    assert box.interval("lr+", method="delta").why is None
    table = box.interval(["f1", "lr+"])
    assert table.columns == ("index", "low", "high", "method", "why")
    assert sketch.interval(["roc_auc", "brier"]).columns == ("index", "low", "high", "method")
    exact = rs.ScoreSketch([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).interval("roc_auc")
    assert exact.low == rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).interval("roc_auc").low


def test_models_of_a_bounded_evaluation_have_intervals() -> None:
    rng = np.random.default_rng(25)
    y, s = (rng.random(3000) < 0.3).astype(int), rng.random(3000)
    model = rs.evaluate(y, s, bounded=True).models["model"]
    assert model.interval("roc_auc") == model.sketch.interval("roc_auc")
    assert model.interval("f1", level=0.8) == model.counts().interval("f1", level=0.8)

"""Scores that are natural logarithms of likelihood ratios: row by row, and by recalibration."""

import math

import numpy as np
import pytest

import rocksteady as rs

isotonic = pytest.importorskip("sklearn.isotonic")


def _cllr(y, s, w):
    positive = y == 1
    loss = np.where(positive, np.logaddexp(0, -s), np.logaddexp(0, s)) / math.log(2)
    return (np.average(loss[positive], weights=w[positive]) + np.average(loss[~positive], weights=w[~positive])) / 2


def _rows(seed, n=120):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, n - 2), [0, 1])
    return y, rng.normal(2.0 * y - 1, 2).round(seed % 3), rng.integers(1, 5, n) / 2


@pytest.mark.parametrize("seed", range(6))
def test_row_by_row_and_by_isotonic_regression(seed):
    y, s, w = _rows(seed)
    for weight in (np.ones(len(y)), w):
        table = rs.ScoreTable(y, s, sample_weight=None if weight is not w else w)
        assert table["cllr"] == pytest.approx(_cllr(y, s, weight), rel=1e-12)
        # Each class weighs one half.
        even = weight / np.where(y == 1, weight[y == 1].sum(), weight[y == 0].sum())
        fitted = isotonic.IsotonicRegression(out_of_bounds="clip").fit(s, y, sample_weight=even).predict(s)
        with np.errstate(divide="ignore"):
            best = np.log(fitted) - np.log1p(-fitted)
        assert table["minimum_cllr"] == pytest.approx(_cllr(y, best, weight), rel=1e-9)
        assert 0 <= table["minimum_cllr"] <= table["cllr"]


def test_the_way_by_probabilities():
    y, s, _ = _rows(1)
    even = rs.ScoreTable(y, 1 / (1 + np.exp(-s))).at_prevalence(0.5)
    table = rs.ScoreTable(y, s)
    assert table["cllr"] == pytest.approx(even["log_loss"] / math.log(2), rel=1e-9)
    assert table["minimum_cllr"] == pytest.approx(1 - even["log_loss_discrimination"] / math.log(2), rel=1e-9)


def test_extreme_ratios():
    assert rs.ScoreTable([0, 1], [-1e4, 1e4])["cllr"] == pytest.approx(0, abs=1e-300)
    assert rs.ScoreTable([1, 0], [-1e4, 1e4])["cllr"] == pytest.approx(1e4 / math.log(2), rel=1e-12)
    infinite = rs.ScoreTable([0, 1, 1], [-np.inf, np.inf, 0.0], infinite="allow")
    assert infinite["cllr"] == pytest.approx(0.25, rel=1e-12)
    wrong = rs.ScoreTable([1, 0], [-np.inf, np.inf], infinite="allow")
    assert np.isnan(wrong["cllr"])
    assert "too large" in wrong.why("cllr")
    missing = rs.ScoreTable([0, 1, 1], [-1.0, np.nan, 0.0], nan_policy="worst")
    assert np.isnan(missing["cllr"])
    assert rs.ScoreTable([1, 1], [0.5, 0.1]).why("minimum_cllr") == "All rows are actually of one class."


def test_the_least_detection_cost_and_the_actual_one():
    y, s, _ = _rows(2, 400)
    table = rs.ScoreTable(y, s)
    for prevalence, fn, fp in ((0.01, 1.0, 1.0), (0.5, 1.0, 1.0), (0.05, 10.0, 1.0)):
        chosen = {"prevalence": prevalence, "fn": fn, "fp": fp}
        costs = []
        for threshold in [np.inf, *np.unique(s)]:
            found = s >= threshold
            fnr, fpr = (~found)[y == 1].mean(), found[y == 0].mean()
            cost = (fn * prevalence * fnr + fp * (1 - prevalence) * fpr) / min(fn * prevalence, fp * (1 - prevalence))
            costs.append(cost)
        assert table.best("detection_cost", **chosen).value == pytest.approx(min(costs), rel=1e-12)
        assert table.best("detection_cost", **chosen).value <= 1
    with pytest.raises(rs.InputError, match="prevalence"):
        table.at(0.0).value("detection_cost", prevalence=1.0)


def test_a_sketch_and_rows_beyond_memory():
    y, s, _ = _rows(3, 400)
    table, bounds = rs.ScoreTable(y, s), rs.ScoreSketch(y, s).bounds("minimum_cllr")
    assert bounds.low - 1e-12 <= table["minimum_cllr"] <= bounds.high + 1e-12
    collector = rs.ScoreCollector(pos_label=1, memory="1MB")
    collector.update(y, s)
    assert collector.view()["minimum_cllr"] == table["minimum_cllr"]

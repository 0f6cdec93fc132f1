"""Prediction sets as groups of counts (docs/tasks/prediction-sets.md), against plain numpy and scipy."""

import numpy as np
import pytest
import scipy.stats

import rocksteady as rs


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(1)
    y_true = random.integers(0, 4, 900)
    sets = random.random((900, 4)) < 0.3
    sets[np.arange(900), y_true] |= random.random(900) < 0.8
    return y_true, sets[np.arange(900), y_true], sets.sum(axis=1)


def counted(y_true, covered, size):
    return rs.group_by(np.ones(y_true.size, bool), covered, by={"class": y_true, "size": size}, labels=[False, True])


def test_coverage_overall_by_class_and_by_size(rows):
    y_true, covered, size = rows
    groups = counted(*rows)
    found = groups.overall.interval("coverage")
    wilson = scipy.stats.binomtest(int(covered.sum()), covered.size).proportion_ci(method="wilson")
    assert (found.estimate, found.low, found.high) == pytest.approx((covered.mean(), wilson.low, wilson.high))
    for name, keys in (("class", y_true), ("size", size)):
        by = groups.over(name)
        expected = [covered[keys == key].mean() for key in by.axis[name]]
        assert by.every("coverage").tolist() == by.every("accuracy").tolist() == expected
        assert by.min("accuracy").value == min(expected)
        assert by.sizes.tolist() == [(keys == key).sum() for key in by.axis[name]]
    assert groups.over("size").axis["size"][0] == 0
    assert groups.over("size").every("coverage")[0] == 0  # an empty set covers nothing


def test_the_counts_of_parts_add_up(rows):
    parts = [counted(*(column[part] for column in rows)) for part in (slice(0, 200), slice(200, None))]
    assert rs.merge(parts) == counted(*rows)


def test_mean_size_and_shares_of_sizes(rows):
    _, covered, size = rows
    exists = np.ones(covered.size, bool)
    found = rs.CostCounts(exists, covered, costs={"tp": size, "fn": size}, squares=True).interval("mean_cost")
    t = scipy.stats.ttest_1samp(size, 0).confidence_interval(0.95)
    assert (found.estimate, found.low, found.high) == pytest.approx((size.mean(), t.low, t.high))
    for wanted in (0, 1):
        share = rs.ConfusionMatrix(exists, size == wanted, labels=[False, True])
        assert share["rpp"] == (size == wanted).mean()
        assert share.interval("rpp").method == "wilson"

"""Rows that a study needs, by formulas of others and by simulation."""

import math
from statistics import NormalDist

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.inference import auc_assumed, power_of, rows_for_difference, rows_for_width


def test_a_share_needs_the_rows_of_its_textbook_formula():
    pilot = rs.ConfusionMatrix.from_counts([[10**6, 0], [2 * 10**5, 8 * 10**5]]).interval("recall")
    # n = z² p (1 - p) / (width / 2)², Wald's; recall counts the positives, half of the rows here.
    z = 1.959963984540054
    wanted = z**2 * 0.8 * 0.2 / 0.05**2 * 2
    assert rows_for_width(pilot, 2 * 10**6, 0.1) == math.ceil(wanted)


def test_rows_and_power_agree():
    pilot = auc_assumed(0.8, 40, 160)
    for difference in (0.02, 0.1):
        for power in (0.5, 0.8, 0.95):
            for level in (0.9, 0.99):
                rows = rows_for_difference(pilot, 200, difference, power=power, level=level)
                assert power_of(pilot, 200, rows, difference, level=level) == pytest.approx(power, abs=0.005)
    assert power_of(pilot, 200, 100, 0) == pytest.approx(0.05)


def test_an_assumed_area_has_the_error_of_a_table_with_it():
    rng = np.random.default_rng(2)
    y = rng.random(150) < 0.4
    table = rs.ScoreTable(y, y + rng.normal(0, 1, 150))
    found = table.interval("roc_auc", method="hanley_mcneil")
    assumed = auc_assumed(found.estimate, int(table.positives), int(table.negatives))
    assert assumed.standard_error == pytest.approx(found.standard_error, rel=1e-12)
    assert (assumed.low, assumed.high) == pytest.approx((found.low, found.high), rel=1e-12)


def test_an_assumed_area_scatters_about_as_normal_scores_do():
    rng = np.random.default_rng(0)
    areas = []
    for _ in range(2000):
        y = np.repeat([1, 0], [30, 60])
        areas.append(rs.metrics.roc_auc_score(y, rng.normal(1.2 * y)))
    assert auc_assumed(float(np.mean(areas)), 30, 60).standard_error == pytest.approx(np.std(areas), rel=0.1)


def test_the_planned_rows_find_what_they_should():
    rng = np.random.default_rng(1)

    def study(n):
        y = rng.random(n) < 0.3
        return rs.evaluate(
            y, {"old": y + rng.normal(0, 1.3, n), "new": y + rng.normal(0, 1.1, n)}, inference=True
        ).difference("roc_auc", "new", "old")

    def area(noise):
        return NormalDist().cdf(1 / noise / math.sqrt(2))

    pilot = study(20_000)
    rows = rows_for_difference(pilot, 20_000, area(1.1) - area(1.3))
    found = np.mean([study(rows).p_value < 0.05 for _ in range(400)])
    assert 0.72 < found < 0.88
    widths = [each.high - each.low for each in (study(rows) for _ in range(50))]
    assert rows_for_width(pilot, 20_000, float(np.mean(widths))) == pytest.approx(rows, rel=0.1)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda p: rows_for_width(p, 0, 0.1), "rows"),
        (lambda p: rows_for_width(p, 100, 0), "width"),
        (lambda p: rows_for_width(p, 100, -1), "width"),
        (lambda p: rows_for_width(0.1, 100, 0.1), "pilot"),
        (lambda p: rows_for_difference(p, 100, 0), "difference"),
        (lambda p: rows_for_difference(p, 100, 0.1, power=1), "power"),
        (lambda p: rows_for_difference(p, 100, 0.1, level=2), "level"),
        (lambda p: power_of(p, 100, 0, 0.1), "planned"),
        (lambda p: auc_assumed(1, 10, 10), "auc"),
        (lambda p: auc_assumed(0.8, 0, 10), "positives"),
        (
            lambda p: rows_for_width(rs.ScoreTable([1, 1], [0.1, 0.2]).interval("roc_auc"), 2, 0.1),
            "pilot with an interval",
        ),
        (lambda p: rows_for_width(rs.Counts([1, 2], 1, 1, 1).interval("recall"), 2, 0.1), "pilot"),
    ],
)
def test_refusals(call, says):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=says):
        call(auc_assumed(0.8, 40, 160))


def test_at_least_one_row():
    assert rows_for_width(auc_assumed(0.8, 40, 160), 200, 1e9) == 1


def test_numbers_at_the_ends():
    pilot = auc_assumed(0.8, 40, 160)
    for power in (1e-10, 0.05):
        with pytest.raises(rs.InputError, match="size of the test"):
            rows_for_difference(pilot, 200, 0.05, power=power)
    with pytest.raises(rs.InputError, match="more than 2"):
        rows_for_width(pilot, 100, 1e-300)
    assert rows_for_width(pilot, 100, 0.1, level=1 - 1e-16) > rows_for_width(pilot, 100, 0.1, level=0.999)
    with pytest.raises(rs.InputError, match="some errors"):
        rows_for_width(rs.ConfusionMatrix.from_counts([[50, 0], [0, 50]]).interval("recall"), 100, 0.1)

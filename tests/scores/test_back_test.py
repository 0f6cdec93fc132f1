"""Promised probabilities of grades against what came true."""

import numpy as np
import pytest

import rocksteady as rs

stats = pytest.importorskip("scipy.stats")


def test_the_tests_by_scipy():
    rows = np.array([250, 1000, 40, 7])
    positives = np.array([5, 3, 0, 7])
    promised = np.array([0.01, 0.004, 0.02, 0.5])
    found = rs.scores.back_test(rows, positives, promised)
    assert found.jeffreys == pytest.approx(stats.beta.cdf(promised, positives + 0.5, rows - positives + 0.5), rel=1e-10)
    assert found.binomial == pytest.approx(stats.binom.sf(positives - 1, rows, promised), rel=1e-10)
    assert found.grades.tolist() == [1, 2, 3, 4]
    assert found.expected == pytest.approx(2.5 + 4 + 0.8 + 3.5)
    assert found.p_value == pytest.approx(stats.beta.cdf(10.8 / 1297, 15.5, 1297 - 15 + 0.5), rel=1e-10)
    assert found.herfindahl == pytest.approx(sum((rows / rows.sum()) ** 2))
    order = np.argsort(found.binomial)
    adjusted = np.minimum(np.maximum.accumulate(found.binomial[order] * [4, 3, 2, 1]), 1)
    assert found.binomial_adjusted[order] == pytest.approx(adjusted)


def test_the_lights_of_250_days_at_one_percent():
    """Basel Committee 1996, table 2: green to 4 exceptions, yellow from 5 to 9, red from 10 on."""
    lights = [rs.scores.back_test([250], [exceptions], [0.01]).light[0] for exceptions in range(15)]
    assert lights == ["green"] * 5 + ["yellow"] * 5 + ["red"] * 5


def test_the_tests_hold_their_level():
    """Of 20,000 grades of 500 rows at the promised 2 %: the binomial test is exact, so never above its level."""
    rng = np.random.default_rng(0)
    found = rs.scores.back_test(np.full(20_000, 500), rng.binomial(500, 0.02, 20_000), np.full(20_000, 0.02))
    assert np.mean(found.binomial < 0.05) <= 0.05
    assert 0.03 <= np.mean(found.jeffreys < 0.05) <= 0.07
    limits = [int(stats.binom.ppf(share, 500, 0.02)) for share in (0.95, 0.9999)]  # the fewest of each zone
    lights = ["red" if k >= limits[1] else "yellow" if k >= limits[0] else "green" for k in found.positives]
    assert found.light.tolist() == lights


def test_rows_of_scores_by_grade():
    rng = np.random.default_rng(1)
    grade = rng.integers(0, 3, 900)
    promised = np.array([0.05, 0.1, 0.2])[grade] * rng.uniform(0.5, 1.5, 900)
    y = rng.random(900) < promised
    by = rs.group_by(y, y_score=promised, by={"grade": grade})
    found = rs.scores.back_test(by.sizes, by.positive_sizes, by.every("mean_score"), grades=by.keys["grade"])
    for place in range(3):
        own = grade == place
        assert found.probability[place] == pytest.approx(promised[own].mean(), rel=1e-12)
        assert (found.rows[place], found.positives[place]) == (own.sum(), y[own].sum())


def test_grades_without_rows_and_ends():
    found = rs.scores.back_test([10, 0, 10], [0, 0, 10], [0.0, 0.5, 1.0], grades=["a", "b", "c"])
    assert found.binomial[[0, 2]].tolist() == [1.0, 1.0]
    assert found.light[1] == "none"
    assert np.isnan([found.jeffreys[1], found.binomial[1], found.observed[1]]).all()
    alone = rs.scores.back_test([10, 10], [0, 10], [0.0, 1.0])
    assert found.jeffreys_adjusted[[0, 2]].tolist() == alone.jeffreys_adjusted.tolist()  # no test of no rows


@pytest.mark.parametrize(
    ("given", "argument", "said"),
    [
        (([10], [11], [0.1]), "positives", r"positives\[0\] is 11"),
        (([10.5], [1], [0.1]), "rows", r"rows\[0\] is 10.5"),
        (([10, 5], [1, 1], [0.1, 1.5]), "probability", r"probability\[1\] is 1.5"),
        (([10, 5], [1], [0.1, 0.5]), "positives", "shape"),
        (([10], [1], [float("nan")]), "probability", "finite"),
        (([0], [0], [0.1]), "rows", "0 in all grades"),
        (([], [], []), "rows", "one number for each grade"),
        (([[10]], [[1]], [[0.1]]), "rows", "one number for each grade"),
    ],
)
def test_refusals(given, argument, said):
    with pytest.raises(rs.InputError, match=said) as refused:
        rs.scores.back_test(*given)
    assert refused.value.argument == argument


def test_names_of_grades_have_their_number():
    with pytest.raises(rs.InputError, match="grades"):
        rs.scores.back_test([10, 5], [1, 1], [0.1, 0.5], grades=["a"])

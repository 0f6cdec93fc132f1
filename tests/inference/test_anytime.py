"""Intervals of shares that hold at all numbers of rows at once: against quadrature, by exact probabilities, everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.special
import scipy.stats

import rocksteady as rs


def interval(right, wrong, **given):
    zeros = np.zeros_like(right)
    return rs.Counts(right, zeros, wrong, zeros).interval("recall", method="anytime", **given)


def least(right, wrong, tail):
    """The lower bound from scipy's beta functions."""
    if right == 0:
        return 0.0

    def ln_e(p):
        mean = scipy.special.betaln(right + 0.5, wrong + 0.5) + math.log(
            scipy.special.betaincc(right + 0.5, wrong + 0.5, p)
        )
        prior = scipy.special.betaln(0.5, 0.5) + math.log(scipy.special.betaincc(0.5, 0.5, p))
        return mean - prior - right * math.log(p) - wrong * math.log1p(-p) + math.log(tail)

    most = right / (right + wrong) if wrong else 1 - 1e-12
    return scipy.optimize.brentq(ln_e, 1e-300, most, xtol=1e-300, rtol=1e-14)


@pytest.mark.parametrize("level", [0.2, 0.5, 0.95, 0.999])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [(0, 5), (1, 0), (1, 1), (5, 0), (3, 7), (50, 50), (1, 999), (300, 200_000), (10**6, 10**6), (17.5, 3.25)],
)
def test_bounds_are_those_of_quadrature(right, wrong, level):
    tail = (1 - level) / 2
    found = interval(right, wrong, level=level)
    assert (found.low, found.high) == pytest.approx(
        (least(right, wrong, tail), 1 - least(wrong, right, tail)), rel=1e-10
    )
    lower = interval(right, wrong, level=1 - tail, side="lower")
    assert (lower.low, lower.high) == (pytest.approx(found.low, rel=1e-12), 1.0)


def ever_missed(tables, p, low, high):
    """The exact probability that p lies outside the interval after 1, 2, … or `tables` rows."""
    missed, alive = 0.0, np.array([1.0])
    for n in range(1, tables + 1):
        ahead = np.zeros(n + 1)
        ahead[:-1] += alive * (1 - p)
        ahead[1:] += alive * p
        first = n * (n + 1) // 2 - 1
        outside = (p < low[first : first + n + 1]) | (p > high[first : first + n + 1])
        missed += ahead[outside].sum()
        alive = np.where(outside, 0.0, ahead)
    return missed


def test_it_is_ever_wrong_as_rarely_as_its_level_says():
    rows = 400
    right = np.concatenate([np.arange(n + 1.0) for n in range(1, rows + 1)])
    wrong = np.concatenate([np.arange(n, -1.0, -1.0) for n in range(1, rows + 1)])
    found = interval(right, wrong, level=0.9)
    once = rs.Counts(right, 0 * right, wrong, 0 * right).interval("recall", method="clopper_pearson", level=0.9)
    for p in (0.01, 0.1, 0.5, 0.97):
        assert ever_missed(rows, p, found.low, found.high) <= 0.1
    assert ever_missed(rows, 0.5, found.low, found.high) > 0.02  # it is not idle
    assert ever_missed(rows, 0.5, once.low, once.high) > 0.3  # as an interval for one look is


def test_it_depends_on_counts_alone_and_rises_with_them():
    rng = np.random.default_rng(0)
    right, wrong = rng.integers(0, 400, (2, 500)).astype(float)
    wrong += right + wrong == 0
    found, more, less = interval(right, wrong), interval(right + 1, wrong), interval(right, wrong + 1)
    assert (more.low >= found.low).all()
    assert (more.high >= found.high).all()
    assert (less.low <= found.low).all()
    assert (less.high <= found.high).all()
    y, called = rng.integers(0, 2, (2, 300))
    whole = rs.ConfusionMatrix(y, called).interval("accuracy", method="anytime")
    order = rng.permutation(300)
    parts = [rs.ConfusionMatrix(y[part], called[part], labels=[0, 1]) for part in np.array_split(order, 7)]
    assert rs.merge(parts).interval("accuracy", method="anytime") == whole
    one = rs.group_by(y, called, by=np.zeros(300, int)).interval("accuracy", method="anytime")
    assert (one.low[0], one.high[0]) == (whole.low, whole.high)


@pytest.mark.parametrize("n", [2**40, 2**60])
def test_near_the_greatest_counts_it_is_as_wide_as_its_limit(n):
    """The logarithm of the mixture is that of a normal distribution there."""
    found = interval(n // 4, n - n // 4)
    share, tail = (n // 4) / n, 0.025
    half = math.sqrt(share * (1 - share) / n)
    # 2 ln(sqrt(n pi / 2) / tail) less what the cut of the prior gives, over n p (1 - p)
    for gap, beyond in ((share - found.low, 2 / 3), (found.high - share, 1 / 3)):
        z = math.sqrt(2 * (math.log(1 / tail) + 0.5 * math.log(n * math.pi / 2) + math.log(beyond)))
        assert gap == pytest.approx(z * half, rel=1e-5)


def test_weights_and_strata_are_told_that_it_does_not_hold():
    y, called = [0, 1, 1, 0, 1, 1], [0, 1, 0, 0, 1, 1]
    weights = [0.5, 2.0, 1.0, 1.5, 1.0, 3.0]
    sample = rs.ConfusionMatrix(y, called, sample_weight=weights, weight_kind="sampling")
    assert "at one time only" in sample.interval("accuracy", method="anytime").note
    assert "at one time only" in sample.interval("recall", method="anytime").note
    plain = rs.ConfusionMatrix(y, called)
    assert "at one time only" in plain.interval("accuracy", method="anytime", strata="label").note
    assert plain.interval("accuracy", method="anytime").note is None
    assert (
        "count as rows"
        in rs.ConfusionMatrix(y, called, sample_weight=weights[::-1]).interval("recall", method="anytime").note
    )
    with pytest.raises(rs.UnknownIndexError, match="anytime"):
        plain.interval("f1", method="anytime")
    assert "anytime" in rs.index("accuracy").intervals


def e_of(right, wrong, p, alternative):
    """The e-value from scipy's beta functions."""
    ln_e = scipy.special.betaln(right + 0.5, wrong + 0.5) - scipy.special.betaln(0.5, 0.5)
    ln_e -= right * math.log(p) + wrong * math.log1p(-p)
    if alternative == "two-sided":
        return np.exp(ln_e)
    a, b, x = (right, wrong, p) if alternative == "greater" else (wrong, right, 1 - p)
    within = scipy.special.betaincc(a + 0.5, b + 0.5, x) / scipy.special.betaincc(0.5, 0.5, x)
    return np.exp(ln_e + np.log(within))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_e_values_are_those_of_quadrature(alternative):
    rng = np.random.default_rng(0)
    for _ in range(1_000):
        rows = float(rng.choice([0, 1, 5, 60, 2_000, 90_000]))
        right, p = rows * rng.random() ** rng.choice([0, 1, 3]), rng.uniform(0.02, 0.98)
        if rng.random() < 0.5:
            right = round(right)
            p = min(max((right + 2) / (rows + 4), 0.02), 0.98)  # near the share, where evidence is not all or nothing
        with np.errstate(all="ignore"):
            expected = e_of(right, rows - right, p, alternative)
        found = rs.inference.e_value(right, rows, p, alternative=alternative)
        if 1e-200 < expected < 1e200:
            assert found == pytest.approx(expected, rel=1e-8)


def test_the_expectation_of_e_values_is_one():
    for rows in (1, 7, 40):
        right = np.arange(rows + 1.0)
        for p in (0.03, 0.4, 0.5, 0.9):
            mass = scipy.special.binom(rows, right) * p**right * (1 - p) ** (rows - right)
            for alternative in ("two-sided", "greater", "less"):
                assert mass @ rs.inference.e_value(right, rows, p, alternative=alternative) == pytest.approx(
                    1, rel=1e-12
                )
            assert mass @ rs.inference.e_value(right, rows, min(p + 0.05, 0.99), alternative="greater") < 1


def test_e_values_are_ever_great_as_rarely_as_they_say():
    rows = 300
    right = np.concatenate([np.arange(n + 1.0) for n in range(1, rows + 1)])
    total = np.repeat(np.arange(1.0, rows + 1), np.arange(2, rows + 2))
    for p, alternative in ((0.5, "two-sided"), (0.1, "two-sided"), (0.2, "greater"), (0.7, "less")):
        rejected = rs.inference.e_value(right, total, p, alternative=alternative) >= 20
        missed = ever_missed(rows, p, np.where(rejected, 2.0, 0.0), np.ones(len(right)))
        assert 0.01 < missed <= 0.05


def test_means_of_numbers_in_the_unit_interval_are_ever_missed_rarely():
    rng, rows, samples = np.random.default_rng(1), 400, 200
    n = np.arange(1, rows + 1)
    designs = [
        (lambda: rng.random(rows) < 0.1, 0.1),
        (lambda: rng.beta(0.2, 0.6, rows), 0.25),
        (lambda: rng.choice([0, 0.5, 1], rows, p=[0.2, 0.2, 0.6]), 0.7),
    ]
    for draw, mean in designs:
        missed = 0
        for _ in range(samples):
            found = rs.inference.anytime_mean(np.cumsum(draw()), n, level=0.8)
            missed += ((found.low > mean) | (found.high < mean)).any()
        assert missed <= scipy.stats.binom.isf(1e-3, samples, 0.2)


def test_two_streams_and_two_models():
    rng = np.random.default_rng(2)
    rows, samples, missed = 300, 200, 0
    n = np.arange(1, rows + 1)
    for _ in range(samples):
        a, b = np.cumsum(rng.random((2, rows)) < [[0.7], [0.5]], axis=1)
        found = rs.inference.proportion_difference(a, n, b[-1], n[-1], method="anytime", level=0.8)
        missed += ((found.low > 0.2) | (found.high < 0.2)).any()
    assert missed <= scipy.stats.binom.isf(1e-3, samples, 0.2)
    first, second = (rs.inference.anytime_mean(*each, level=0.975) for each in ((56, 70), (48.5, 80)))
    found = rs.inference.proportion_difference(56, 70, 48.5, 80, method="anytime")
    assert (found.low, found.high) == (first.low - second.high, first.high - second.low)
    assert (
        rs.inference.proportion_difference(0, 0, 4, 8, method="anytime").why
        == "A sample has no rows, or the ratio is 0 / 0."
    )
    y, old, new = rng.integers(0, 2, (3, 400))
    whole = rs.inference.compare_labels(y, {"old": old, "new": new}, labels=[0, 1]).pairs["old", "new"]
    parts = [
        rs.inference.compare_labels(y[part], {"old": old[part], "new": new[part]}, labels=[0, 1]).pairs["old", "new"]
        for part in np.array_split(rng.permutation(400), 5)
    ]
    test = sum(parts[1:], parts[0]).mcnemar(method="anytime")
    assert test == whole.mcnemar(method="anytime")
    evidence = rs.inference.e_value(test.first_only, test.first_only + test.second_only, 0.5)
    assert test.statistic == pytest.approx(evidence, rel=1e-14)
    assert test.p_value == pytest.approx(min(1, 1 / evidence), rel=1e-14)
    assert whole.mcnemar(method="anytime").p_value >= whole.mcnemar(method="exact").p_value


def test_sums_that_are_refused_and_very_many_rows():
    with pytest.raises(
        rs.InputError, match=r"total is 3.5; expected a sum of numbers in \[0, 1\], at most the rows, 3"
    ):
        rs.inference.e_value([1, 3.5], [2, 3], 0.5)
    with pytest.raises(rs.InputError, match="negative"):
        rs.inference.anytime_mean(-1, 5)
    for mean in (0, 1, math.nan):
        with pytest.raises(rs.InputError, match="mean is"):
            rs.inference.e_value(1, 2, mean)
    with pytest.raises(rs.InputError, match="alternative"):
        rs.inference.e_value(1, 2, 0.5, alternative="more")
    assert rs.inference.e_value(0, 0, 0.5) == 1.0
    assert rs.inference.e_value(2**59, 2**60, 0.5) == pytest.approx(math.sqrt(2 / (math.pi * 2**60)), rel=1e-9)
    assert rs.inference.e_value(2**59, 2**60, 0.6) == math.inf
    assert rs.inference.anytime_mean([0, 1], [0, 2]).why == ("There are no rows.", None)


def test_a_window_refuses_it():
    window = rs.Window(parts=2)
    for day in range(1, 5):
        window.update(f"2024-03-0{day}", rs.ConfusionMatrix([0, 1, 1, 0], [0, 1, 0, 0]))
    with pytest.raises(rs.InputError, match="since a fixed start"):
        window.interval("accuracy", method="anytime")
    assert window.interval("accuracy") == window.total.interval("accuracy")
    assert window.interval("accuracy", method="wilson", level=0.9) == window.total.interval("accuracy", level=0.9)

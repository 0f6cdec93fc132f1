"""Intervals of shares that hold at all numbers of rows at once: against quadrature, by exact probabilities, everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.special

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

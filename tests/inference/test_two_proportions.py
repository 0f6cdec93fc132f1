"""Differences of proportions, and of values of different rows: against the papers, pROC and a maximiser."""

import math
import os

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

import rocksteady as rs
from rocksteady.errors import InputError, RocksteadyError

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
METHODS = ["newcombe", "miettinen_nurminen", "mee", "agresti_caffo"]
difference, paired = rs.inference.proportion_difference, rs.inference.paired_proportion_difference


def test_the_example_of_newcombe():
    """Newcombe 1998: 56 of 70 against 48 of 80; digits beyond the printed four by numpy and an own maximisation."""
    expected = {
        "newcombe": (0.0524314724, 0.3338726540),
        "mee": (0.0533338493, 0.3377294638),
        "miettinen_nurminen": (0.0528297132, 0.3381729400),
    }
    for method, bounds in expected.items():
        found = difference(56, 70, 48, 80, method=method)
        assert found.estimate == pytest.approx(0.2, rel=1e-14)
        assert (found.low, found.high) == pytest.approx(bounds, abs=6e-11), method
    found = difference(7, 34, 1, 34, method="miettinen_nurminen")
    assert (found.low, found.high) == pytest.approx((0.0270416, 0.3452912), abs=6e-8)
    found = difference(7, 34, 1, 34, method="mee")
    assert (found.low, found.high) == pytest.approx((0.0283705, 0.3439399), abs=6e-8)


def score_bounds(x1, n1, x2, n2, level, factor):
    """The differences that the score test does not reject, by maximising the likelihood numerically."""
    z = scipy.stats.norm.isf((1 - level) / 2)

    def distance(d0):
        def surprise(p):
            q = p + d0
            return -(
                scipy.special.xlogy([x1, x2], [q, p]) + scipy.special.xlogy([n1 - x1, n2 - x2], [1 - q, 1 - p])
            ).sum()

        low, high = max(0, -d0), min(1, 1 - d0)
        p = scipy.optimize.minimize_scalar(surprise, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
        variance = factor * ((p + d0) * (1 - p - d0) / n1 + p * (1 - p) / n2)
        return (x1 / n1 - x2 / n2 - d0) ** 2 - z**2 * variance

    d, edge = x1 / n1 - x2 / n2, 1e-9
    low = -1.0 if d <= -1 + edge else scipy.optimize.brentq(distance, -1 + edge, d - 1e-7)
    return low, (1.0 if d >= 1 - edge else scipy.optimize.brentq(distance, d + 1e-7, 1 - edge))


@pytest.mark.parametrize(
    "sample",
    [(56, 70, 48, 80), (9, 10, 3, 10), (0, 12, 3, 30), (5, 56, 0, 29), (10, 10, 0, 20), (7, 9, 7, 9), (1, 2, 0, 1)],
)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_score_intervals_are_those_of_a_maximiser(sample, level):
    n = sample[1] + sample[3]
    for method, factor in (("mee", 1), ("miettinen_nurminen", n / (n - 1))):
        found = difference(*sample, method=method, level=level)
        assert (found.low, found.high) == pytest.approx(score_bounds(*sample, level, factor), abs=2e-6), method


def test_closed_forms_are_those_of_numpy():
    rng = np.random.default_rng(0)
    n1, n2 = rng.integers(1, 60, (2, 300))
    x1, x2 = rng.binomial(n1, 0.7), rng.binomial(n2, 0.4)
    z = scipy.stats.norm.isf(0.025)

    def wilson(x, n):
        p, middle = x / n, x + z**2 / 2
        reach = z * np.sqrt(p * (n - x) + z**2 / 4)
        return p - (middle - reach) / (n + z**2), (middle + reach) / (n + z**2) - p

    (below1, above1), (below2, above2) = wilson(x1, n1), wilson(x2, n2)
    found, d = difference(x1, n1, x2, n2), x1 / n1 - x2 / n2
    np.testing.assert_allclose(found.low, d - np.hypot(below1, above2), atol=1e-14)
    np.testing.assert_allclose(found.high, d + np.hypot(above1, below2), atol=1e-14)
    p1, p2 = (x1 + 1) / (n1 + 2), (x2 + 1) / (n2 + 2)
    reach = z * np.sqrt(p1 * (1 - p1) / (n1 + 2) + p2 * (1 - p2) / (n2 + 2))
    found = difference(x1, n1, x2, n2, method="agresti_caffo")
    np.testing.assert_allclose(found.low, np.maximum(p1 - p2 - reach, -1), atol=1e-14)
    np.testing.assert_allclose(found.high, np.minimum(p1 - p2 + reach, 1), atol=1e-14)
    e, f, g, h = rng.integers(0, 30, (4, 300))
    n = e + f + g + h
    ok = n > 0
    e, f, g, h, n = e[ok], f[ok], g[ok], h[ok], n[ok]
    (below1, above1), (below2, above2) = wilson(e + f, n), wilson(e + g, n)
    cross = e * h - f * g
    cross = np.where(cross > 0, np.maximum(cross - n / 2, 0), cross)
    margins = (e + f) * (g + h) * (e + g) * (f + h)
    phi = np.where(margins > 0, cross / np.sqrt(np.where(margins > 0, margins, 1)), 0)
    found, d = paired(e, f, g, h), (f - g) / n
    np.testing.assert_allclose(found.estimate, d, atol=1e-15)
    np.testing.assert_allclose(found.low, d - np.sqrt(below1**2 - 2 * phi * below1 * above2 + above2**2), atol=1e-12)
    np.testing.assert_allclose(found.high, d + np.sqrt(above1**2 - 2 * phi * above1 * below2 + below2**2), atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_bounds_stay_inside_and_hold_the_estimate(method):
    n1, n2 = 7, 12
    x1, x2 = np.arange(n1 + 1)[:, None], np.arange(n2 + 1)[None, :]
    found = difference(x1, n1, x2, n2, method=method)
    assert found.low.shape == (n1 + 1, n2 + 1)
    assert (found.low >= -1).all()
    assert (found.high <= 1).all()
    assert (found.low < found.high).all()
    if method != "agresti_caffo":
        assert (found.low <= found.estimate).all()
        assert (found.estimate <= found.high).all()
    turned = difference(x2, n2, x1, n1, method=method)
    np.testing.assert_allclose(turned.low, -found.high, atol=1e-12)


def test_what_is_no_number_of_rows_is_refused():
    for wrong in (
        (5, 3, 1, 2),
        (-1, 3, 1, 2),
        (1, np.inf, 1, 2),
        (1, 3, np.nan, 2),
        ("a", 3, 1, 2),
        ([1, 2], 3, [1, 1, 1], 3),
    ):
        with pytest.raises(RocksteadyError):
            difference(*wrong)
    with pytest.raises(InputError, match="method"):
        difference(1, 2, 1, 2, method="wald")
    with pytest.raises(InputError, match="level"):
        paired(1, 2, 1, 2, level=0)
    with pytest.raises(InputError):
        paired(1, 2, -1, 2)
    assert np.isnan(difference(0, 0, 1, 2).low)
    assert np.isnan(paired(0, 0, 0, 0).low)


def test_unpaired_areas_as_in_proc(data):
    """pROC 1.18.0: roc.test(s100b, wfns, paired=FALSE)."""
    rows = np.genfromtxt(data / "aSAH.csv", delimiter=",", names=True)
    tables = [rs.ScoreTable(rows["y"].astype(int), rows[name]) for name in ("s100b", "wfns")]
    intervals = [table.interval("roc_auc", method="delong") for table in tables]
    welch = rs.inference.independent_difference(*intervals, rows=[113, 113])
    assert (welch.statistic, welch.p_value) == pytest.approx((-1.43490640926908, 0.152825378808796), rel=1e-11)
    freedom = 206.661063787782
    reach = scipy.stats.t.isf(0.025, freedom) * welch.standard_error
    assert (welch.low, welch.high) == pytest.approx((welch.estimate - reach, welch.estimate + reach), rel=1e-10)
    normal = rs.inference.independent_difference(*intervals)
    assert normal.p_value == pytest.approx(2 * scipy.stats.norm.sf(1.43490640926908), rel=1e-11)
    assert normal.p_value < welch.p_value
    for rows_given in ([1, 5], [5], "ab"):
        with pytest.raises(RocksteadyError, match="rows"):
            rs.inference.independent_difference(*intervals, rows=rows_given)
    with pytest.raises(RocksteadyError, match="first"):
        rs.inference.independent_difference(0.5, intervals[0])
    with pytest.raises(RocksteadyError, match="second is 'lower'"):
        rs.inference.independent_difference(intervals[0], tables[0].interval("roc_auc", side="lower"))


SHARES = [
    ((800, 1000), (38, 40)),
    ((800, 1000), (40, 40)),
    ((50, 1000), (0, 60)),
    ((50, 1000), (9, 60)),
    ((5, 10), (10, 10)),
]


def wilson_of(x, n, level=0.95):
    return rs.Counts(x, 0, n - x, 0).interval("recall", level=level)


@pytest.mark.parametrize(("one", "other"), SHARES)
def test_differences_of_wilson_intervals_are_newcombes_and_agree_with_their_p_value(one, other):
    independent = rs.inference.independent_difference
    first, second = wilson_of(*one), wilson_of(*other)
    found, newcombe = independent(first, second), difference(*one, *other)
    assert (found.low, found.high) == pytest.approx((newcombe.low, newcombe.high), rel=1e-12)
    assert found.method == "mover"
    # At the level of the p-value, and at no higher one, the interval ends at 0.
    at = independent(first, second, level=1 - found.p_value)
    assert min(abs(at.low), abs(at.high)) < 1e-9
    turned = independent(second, first)
    assert (turned.low, turned.statistic, turned.p_value) == (-found.high, -found.statistic, found.p_value)

    def apart(z):  # Newcombe's interval asked again: where it ends at 0
        again = difference(*one, *other, level=2 * scipy.stats.norm.cdf(z) - 1)
        return again.low if again.estimate > 0 else -again.high

    exact = 2 * scipy.stats.norm.sf(scipy.optimize.brentq(apart, 1e-3, 6))
    assert 0.95 * exact < found.p_value < 2 * exact


def test_drift_of_what_has_not_changed_is_rarely_found():
    """20,000 rows before and 60 now of one model, 5 % of them positive: at 5 %, at most 6.5 % are found; of AP, noted."""
    rng = np.random.default_rng(0)

    def table(n):
        p = scipy.special.expit(1.5 * rng.normal(size=n) - 3.6)
        return rs.ScoreTable(rng.random(n) < p, p, pos_label=True)

    repeats = 4_000 if THOROUGH else 300
    before, found = table(20_000), {}
    for _ in range(repeats):
        now = table(60)
        for name in ("roc_auc", "average_precision", "brier", "log_loss", "recall", "precision", "f1", "mcc"):
            threshold = 0.1 if name in ("recall", "precision", "f1", "mcc") else None
            one = rs.drift(before, now, name, threshold=threshold)
            found.setdefault(name, []).append((one.p_value < 0.05, one.note is not None or one.why is not None))
    for name, each in found.items():
        size, noted = np.mean(each, axis=0)
        assert size < 0.065 + 3 * np.sqrt(0.065 * 0.935 / repeats) or noted > 0.95, (name, size, noted)


def test_differences_of_proportions_are_covered():
    """Exactly, over all outcomes of two binomials."""
    for n1, n2, p1, p2 in ((20, 30, 0.8, 0.6), (50, 15, 0.5, 0.9), (60, 40, 0.95, 0.9)):
        x1, x2 = np.arange(n1 + 1)[:, None], np.arange(n2 + 1)[None, :]
        weight = scipy.stats.binom.pmf(x1, n1, p1) * scipy.stats.binom.pmf(x2, n2, p2)
        for method in METHODS:
            found = difference(x1, n1, x2, n2, method=method)
            covered = weight[(found.low <= p1 - p2) & (p1 - p2 <= found.high)].sum()
            assert 0.93 < covered < 0.985, (method, n1, n2, covered)


def test_differences_of_pairs_are_covered():
    rng = np.random.default_rng(1)
    repeats = 40_000 if THOROUGH else 4_000
    for shares in ([0.6, 0.15, 0.1, 0.15], [0.85, 0.1, 0.02, 0.03]):
        for n in (30, 100):
            draws = rng.multinomial(n, shares, size=repeats).T
            found = paired(*draws)
            truth = shares[1] - shares[2]
            covered = ((found.low <= truth) & (truth <= found.high)).mean()
            assert 0.925 < covered < 0.99, (shares, n, covered)


# Ratios ----------------------------------------------------------------------------------------------------------------

ratio = rs.inference.proportion_ratio
RATIOS = ["koopman", "miettinen_nurminen", "katz"]


def ratio_distance(x1, n1, x2, n2, r, factor):
    """The square of the distance over its variance, of the most likely proportions with this ratio."""

    def surprise(p):
        logs = scipy.special.xlogy([x1, x2], [r * p, p]) + scipy.special.xlogy([n1 - x1, n2 - x2], [1 - r * p, 1 - p])
        return -logs.sum()

    p = scipy.optimize.minimize_scalar(
        surprise, bounds=(0, min(1, 1 / r)), method="bounded", options={"xatol": 1e-14}
    ).x
    return (x1 / n1 - r * x2 / n2) ** 2 / (factor * (r * p * (1 - r * p) / n1 + r * r * p * (1 - p) / n2))


@pytest.mark.parametrize("sample", [(36, 40, 16, 80), (9, 10, 3, 10), (5, 56, 7, 29), (1, 20, 4, 20), (10, 10, 3, 20)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_score_bounds_of_a_ratio_are_where_the_test_rejects(sample, level):
    limit = scipy.stats.chi2.ppf(level, 1)
    n = sample[1] + sample[3]
    for method, factor in (("koopman", 1.0), ("miettinen_nurminen", n / (n - 1))):
        found = ratio(*sample, method=method, level=level)
        assert found.estimate == pytest.approx(sample[0] / sample[1] / (sample[2] / sample[3]), rel=1e-14)
        for bound in (found.low, found.high):
            assert ratio_distance(*sample, bound, factor) == pytest.approx(limit, rel=1e-5)


def test_the_ratio_of_katz_and_the_example_of_koopman():
    found = ratio(36, 40, 16, 80, method="katz")
    error = np.sqrt(1 / 36 - 1 / 40 + 1 / 16 - 1 / 80)
    z = scipy.stats.norm.isf(0.025)
    assert (found.low, found.high) == pytest.approx((4.5 * np.exp(-z * error), 4.5 * np.exp(z * error)), rel=1e-13)
    assert found.standard_error == pytest.approx(4.5 * error, rel=1e-13)
    koopman = ratio(36, 40, 16, 80)
    assert (koopman.method, round(koopman.low, 2), round(koopman.high, 2)) == ("koopman", 2.94, 7.15)


def test_ratios_with_empty_and_full_samples():
    for method in RATIOS[:2]:
        none = ratio([0, 5, 0, 10, 0], [10, 10, 10, 10, 0], [5, 0, 0, 10, 1], [10, 10, 10, 10, 4], method=method)
        assert none.estimate[0] == 0
        assert none.low[0] == 0
        assert 0 < none.high[0] < 1
        assert np.isinf(none.estimate[1])
        assert none.low[1] > 1
        assert np.isinf(none.high[1])
        assert np.isnan(none.low[[2, 4]]).all()
        assert np.isnan(none.high[[2, 4]]).all()
        assert none.low[3] < 1 < none.high[3]
    katz = ratio([0, 5, 10], 10, [5, 0, 10], 10, method="katz")
    assert np.isnan(katz.low).all()
    assert all("success in each sample" in why for why in katz.why)
    for call, words in (
        (lambda: ratio(5, 4, 1, 4), "successes_1"),
        (lambda: ratio(1, 4, -1, 4), "successes_2"),
        (lambda: ratio(1, 4, 1, 4, method="newcombe"), "koopman"),
        (lambda: ratio(1, 4, 1, 4, level=2), "level"),
    ):
        with pytest.raises(RocksteadyError, match=words):
            call()


def test_a_ratio_turned_round_has_bounds_turned_round():
    rng = np.random.default_rng(2)
    n1, n2 = rng.integers(1, 60, (2, 500))
    x1, x2 = rng.integers(0, n1 + 1), rng.integers(0, n2 + 1)
    for method in RATIOS:
        one, other = ratio(x1, n1, x2, n2, method=method), ratio(x2, n2, x1, n1, method=method)
        known = np.isfinite(one.low) & np.isfinite(one.high) & (one.low > 0)
        np.testing.assert_allclose(one.low[known], 1 / other.high[known], rtol=1e-9)
        assert (one.low[known] < one.high[known]).all()
        assert ((one.low <= one.estimate) & (one.estimate <= one.high))[known].all()


def test_coverage_of_ratios():
    rng = np.random.default_rng(1)
    samples = 20_000 if THOROUGH else 4_000
    for p1, p2, n1, n2 in ((0.3, 0.2, 40, 60), (0.8, 0.5, 30, 30), (0.1, 0.15, 80, 120)):
        x1, x2 = rng.binomial(n1, p1, samples), rng.binomial(n2, p2, samples)
        for method in RATIOS[:2]:
            found = ratio(x1, n1, x2, n2, method=method)
            share = ((found.low <= p1 / p2) & (p1 / p2 <= found.high)).mean()
            assert 0.93 < share < 0.975, (method, share)


def test_a_sample_without_rows_has_no_interval_and_says_why():
    one = rs.inference.proportion_difference(0, 0, 1, 20)
    assert math.isnan(one.low)
    assert "no rows" in one.why
    several = rs.inference.proportion_ratio([0, 1], [0, 5], 1, 20)
    assert [reason is None for reason in several.why] == [False, True]

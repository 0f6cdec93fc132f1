"""Mean losses of rows in order of time, against statsmodels and the package scores."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.comparison import compare_in_time

stats = pytest.importorskip("scipy.stats")

_TIME = np.arange(60)
APART = np.round(0.3 * np.sin(_TIME / 3) + 0.2 * np.cos(_TIME * _TIME / 7) + 0.05, 3)
SECOND = np.linspace(1, 2, 60)

#: Newey and West's standard error by statsmodels 0.15.0: ``OLS(d, ones).fit(cov_type="HAC", use_t=True,
#: cov_kwds={"maxlags": lags, "use_correction": True})``.
NEWEY_WEST = {
    0: 0.035808329142391855,
    3: 0.060586699597828975,
    8: 0.06568173698879187,
}
#: The statistic and the interval by ``diebold_mariano(method="HLN", statistic_distribution="t")`` of the package scores 2.7.0,
#: by the horizon.
DIEBOLD_MARIANO = {
    1: (2.3593207322627463, 0.012831032222343884, 0.1561356344443228),
    3: (1.1998669462106837, -0.05640792136734158, 0.22537458803400826),
    5: (1.0026582430172934, -0.0841192395800125, 0.2530859062466792),
}


@pytest.mark.parametrize("lags", NEWEY_WEST)
def test_newey_west_is_that_of_statsmodels(lags):
    found = compare_in_time(APART + SECOND, SECOND, lags=lags)
    assert found.standard_error == pytest.approx(NEWEY_WEST[lags])
    student = stats.t(min(59, 90 / (lags + 1)))
    assert found.p_value == pytest.approx(2 * student.sf(abs(found.statistic)))
    reach = student.isf(0.05) * found.standard_error
    wide = compare_in_time(APART + SECOND, SECOND, lags=lags, level=0.9)
    assert (wide.low, wide.high) == pytest.approx((APART.mean() - reach, APART.mean() + reach))


@pytest.mark.parametrize("horizon", DIEBOLD_MARIANO)
def test_diebold_mariano_is_that_of_scores(horizon):
    found = compare_in_time(APART + SECOND, SECOND, lags=horizon - 1, method="diebold_mariano")
    assert (found.statistic, found.low, found.high) == pytest.approx(DIEBOLD_MARIANO[horizon])


def test_default_lags():
    # Differences 1, 3, 1, 3, …: r = -7/8, so ⌈1.1447 (4 · 49/64 · 8 / (15/64)²)^(1/3)⌉ = 9, of 7 that there are.
    assert compare_in_time([1, 3] * 4, np.zeros(8)).method == "newey_west with 7 lags"
    # 0, 0, 1, 1: r = 1/4, so ⌈1.1447 (4 · 1/16 · 4 / (15/16)²)^(1/3)⌉ = ⌈1.195⌉.
    assert compare_in_time([0, 0, 1, 1], np.zeros(4)).method == "newey_west with 2 lags"
    assert compare_in_time(APART, SECOND, method="diebold_mariano").method == "diebold_mariano with 0 lags"


def test_no_lags_are_the_paired_t_test():
    found = compare_in_time(APART, SECOND, lags=0)
    expected = stats.ttest_rel(APART, SECOND)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))


@pytest.mark.parametrize(("correlation", "least"), [(0.0, 0.92), (0.5, 0.91)])
def test_intervals_cover(correlation, least):
    rng = np.random.default_rng(9)
    runs, held, plain = 600, 0, 0
    for _ in range(runs):
        noise = rng.normal(size=400)
        for place in range(1, 400):
            noise[place] += correlation * noise[place - 1]
        for lags in (None, 0):
            found = compare_in_time(noise, np.zeros(400), lags=lags)
            inside = found.low <= 0 <= found.high
            held += inside and lags is None
            plain += inside and lags == 0
    assert least < held / runs < 0.98
    assert plain / runs < 0.8 or correlation == 0


def test_differences_that_do_not_scatter():
    same = compare_in_time([0.3, 0.4, 0.5], [0.1, 0.2, 0.3])
    assert math.isnan(same.p_value)
    assert "same difference" in same.why
    assert "same difference" in repr(same)
    turning = compare_in_time([0.0, 1.0, 0.0, 1.0, 0.0, 1.0], np.zeros(6), lags=1, method="diebold_mariano")
    assert math.isnan(turning.low)
    assert "fewer lags" in turning.why


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: compare_in_time([1.0, 2.0], [1.0]), "the same rows of both"),
        (lambda: compare_in_time(np.ones((2, 2)), np.ones((2, 2))), "the same rows"),
        (lambda: compare_in_time([1.0, np.nan], [1.0, 2.0]), "first has nan on row 1"),
        (lambda: compare_in_time([1.0], [2.0]), "there are 1 rows"),
        (lambda: compare_in_time([1.0, 2.0], [1.0, 3.0], lags=2), "lags is 2, of 2 rows"),
        (lambda: compare_in_time([1.0, 2.0], [1.0, 3.0], lags=-1), "lags"),
        (lambda: compare_in_time([1.0, 2.0], [1.0, 3.0], method="hac"), "method"),
        (lambda: compare_in_time([1.0, 2.0], [1.0, 3.0], level=1.0), "level"),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(rs.RocksteadyError, match=said):
        call()


@pytest.mark.parametrize("scale", [2.0**-700, 2.0**700])
@pytest.mark.parametrize("method", ["newey_west", "diebold_mariano"])
def test_very_small_and_very_large_losses_scale(scale, method):
    rng = np.random.default_rng(1)
    first, second = rng.random(50), rng.random(50)
    plain = rs.comparison.compare_in_time(first, second, method=method)
    found = rs.comparison.compare_in_time(first * scale, second * scale, method=method)
    assert found.low == plain.low * scale
    assert found.p_value == plain.p_value


def test_losses_too_far_apart_are_refused():
    with pytest.raises(rs.InputError, match="more than a float holds on row 1"):
        rs.comparison.compare_in_time([1.0, 1e308, 2.0], [0.0, -1e308, 1.0])


def test_rows_in_another_order_are_warned_of():
    first = pytest.importorskip("pandas").Series([1.0, 2.0, 4.0])
    with pytest.warns(rs.RocksteadyWarning, match="another order"):
        rs.comparison.compare_in_time(first, first[::-1] / 2)

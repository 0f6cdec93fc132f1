"""Concordance with amounts, against scipy, sums over all pairs, and published values."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.scores import concordance

stats = pytest.importorskip("scipy.stats")


def naive(outcome, scores):
    """Every pair by itself."""
    y, s = np.asarray(outcome, float), np.asarray(scores, float)
    a, b = np.sign(y[:, None] - y), np.sign(s[:, None] - s)
    rows = len(y)
    apart, agree = (a != 0).sum(), (a * b).sum()
    own, others = (a * b).sum(axis=1), (a != 0).sum(axis=1)
    d = agree / apart
    upper = np.triu_indices(rows, 1)
    return {
        "concordance": ((a * b > 0).sum() + ((a != 0) & (b == 0)).sum() / 2) / apart,
        "somers_d": d,
        "xauc": np.mean((a == b)[upper]),
        "gini": (y * b.sum(axis=1)).sum() / (y * a.sum(axis=1)).sum(),
        "standard_error": math.sqrt(rows / (rows - 1) * ((own - others * d) ** 2).sum()) / apart,
        "concordant": (a * b > 0)[upper].sum(),
        "discordant": (a * b < 0)[upper].sum(),
        "same_score": ((a != 0) & (b == 0))[upper].sum(),
        "same_outcome": ((a == 0) & (b != 0))[upper].sum(),
        "same_both": ((a == 0) & (b == 0))[upper].sum(),
    }


@pytest.mark.parametrize("rows", [2, 3, 17, 300, 1200])
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_values_are_those_of_all_pairs_and_of_scipy(rows, digits):
    rng = np.random.default_rng(rows + digits)
    outcome = rng.lognormal(size=rows).round(digits)
    scores = (outcome + rng.normal(size=rows)).round(digits)
    outcome[0] += 1  # two outcomes at least
    found = concordance(outcome, scores)
    for name, value in naive(outcome, scores).items():
        assert getattr(found, name) == pytest.approx(value, rel=1e-12, abs=1e-12), name
    assert found.kendall_tau_b == pytest.approx(stats.kendalltau(outcome, scores).statistic, nan_ok=True)
    if rows < 100:  # scipy makes a table of all values
        assert found.somers_d == pytest.approx(stats.somersd(outcome, scores).statistic)
    assert found.rows == rows


def test_published_values():
    # Somers 1962, table 5A: d is 129/340.
    table = np.array([[8, 2], [6, 5], [3, 4], [1, 3], [2, 3]])
    scores, outcome = (np.repeat(place.ravel(), table.ravel()) for place in np.indices(table.shape))
    assert concordance(outcome, scores).somers_d == 129 / 340
    # XAUC of torchrec's own test, whose row of weight 0 is left out: 0.6667.
    assert concordance([0.2, 0.1, 0.3, 0.25], [0.1, 0.2, 0.3, 0.5]).xauc == pytest.approx(4 / 6)


def test_gini_by_the_areas_of_lorenz_curves():
    rng = np.random.default_rng(4)
    outcome = rng.gamma(0.5, size=500)
    scores = outcome + rng.gamma(2, size=500)

    def area(order):
        shares = np.concatenate([[0.0], np.cumsum(outcome[order]) / outcome.sum()])
        return 0.5 - np.trapezoid(shares, dx=1 / 500)

    expected = area(np.argsort(scores)) / area(np.argsort(outcome))
    assert concordance(outcome, scores).gini == pytest.approx(expected)
    # Rows of one score: the mean over their orders.
    orders = [[0, 1, 2], [0, 2, 1]]
    ys = [np.array([2.0, 5.0, 1.0])[order] for order in orders]
    each = [concordance(y, [0, 1, 2]).gini for y in ys]
    assert concordance(ys[0], [0, 1, 1]).gini == pytest.approx(np.mean(each))


def test_of_two_classes_it_is_the_area_and_delongs_error():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 400)
    s = (rng.normal(size=400) + y).round(1)
    found, table = concordance(y, s), rs.ScoreTable(y, s)
    assert found.concordance == table["roc_auc"]
    assert found.somers_d == pytest.approx(table["gini"])
    delong = table.interval("roc_auc", method="logit")
    assert found.standard_error == pytest.approx(
        delong.standard_error, rel=5e-3
    )  # n / (n - 1) of all, not of each class
    own = found.interval()
    assert (own.low, own.high) == pytest.approx((delong.low, delong.high), rel=1e-3)


def test_the_interval_of_somers_d_is_by_fishers_z():
    rng = np.random.default_rng(2)
    y = rng.normal(size=60)
    found = concordance(y, y + rng.normal(size=60))
    of_d, of_c = found.interval("somers_d", level=0.9), found.interval(level=0.9)
    z, reach = math.atanh(found.somers_d), 1.6448536269514722 * 2 * found.standard_error / (1 - found.somers_d**2)
    assert (of_d.low, of_d.high) == pytest.approx((math.tanh(z - reach), math.tanh(z + reach)))
    assert (of_c.low, of_c.high) == pytest.approx(((of_d.low + 1) / 2, (of_d.high + 1) / 2))


@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_intervals_cover(correlation):
    rng = np.random.default_rng(11)
    true, held, runs = 2 / math.pi * math.asin(correlation), 0, 800
    for _ in range(runs):
        y, other = rng.normal(size=(2, 60))
        interval = concordance(y, correlation * y + math.sqrt(1 - correlation**2) * other).interval("somers_d")
        held += interval.low <= true <= interval.high
    assert 0.92 < held / runs < 0.975


def test_any_order_and_type_gives_the_same_bits():
    rng = np.random.default_rng(3)
    y, s = rng.gamma(1, size=40_000), rng.normal(size=40_000).round(2)
    expected = concordance(y, s)
    order = rng.permutation(40_000)
    assert concordance(y[order], s[order]) == expected
    before = rs.get_threads()
    try:
        for threads in (1, 5):
            rs.set_threads(threads)
            assert concordance(y, s) == expected
    finally:
        rs.set_threads(before)
    whole = rng.integers(-50, 50, 3000)
    assert concordance(whole.astype(np.int8), whole.astype(np.float32)) == concordance(whole, whole.tolist())


def test_values_without_pairs():
    same = concordance([3.0, 3.0], [1.0, 2.0])
    assert math.isnan(same.concordance)
    assert math.isnan(same.gini)
    assert same.why == "All rows have the same outcome."
    assert math.isnan(same.interval().low)
    assert same.interval().why == same.why
    assert math.isnan(concordance([3.0], [1.0]).xauc)
    best = concordance([1, 2, 3], [10, 20, 30])
    assert (best.concordance, best.gini, best.kendall_tau_b, best.gamma) == (1.0, 1.0, 1.0, 1.0)
    assert "equally well" in best.interval().why
    one_score = concordance([1, 2, 3], [5, 5, 5])
    assert (one_score.concordance, one_score.gini, one_score.somers_d) == (0.5, 0.0, 0.0)
    assert math.isnan(one_score.gamma)
    assert math.isnan(one_score.kendall_tau_b)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: concordance([1.0, np.nan], [1, 2]), r"outcome\[1\] is (NaN|nan)"),
        (lambda: concordance([1.0, 2.0], [1, np.inf]), r"scores\[1\] is inf"),
        (lambda: concordance([1.0, 2.0], [1]), "scores has 1"),
        (lambda: concordance([], []), "outcome"),
        (lambda: concordance(["a", "b"], [1, 2]), "outcome"),
        (lambda: concordance([1, 2], [1, 2]).interval("gini"), "name"),
        (lambda: concordance([1, 2], [1, 2]).interval(level=2), "level"),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(rs.RocksteadyError, match=said):
        call()

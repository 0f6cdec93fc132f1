"""Gains and profit tables: against a naive assignment of rows, ROCR.simple, and properties of all tables."""

import math
import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs

COUNTS = ("rows", "positives", "negatives")


def dealt(y, s, w, bands):
    """Positives and negatives of each band: tied rows are replaced by as many of their mean, then dealt out by weight."""
    found = np.zeros((bands, 2))
    edges = w.sum() * np.arange(bands + 1) / bands
    start = 0.0
    for score in sorted(set(s), reverse=True):
        tied = s == score
        amount = np.array([w[tied & (y == 1)].sum(), w[tied & (y == 0)].sum()])
        inside = np.clip(np.minimum(edges[1:], start + amount.sum()) - np.maximum(edges[:-1], start), 0, None)
        if amount.sum() > 0:
            found += inside[:, None] * amount / amount.sum()
        start += amount.sum()
    return found


@st.composite
def rankings(draw):
    rows = draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 12), st.integers(1, 9)), min_size=1, max_size=60))
    y, s, w = (np.array(column) for column in zip(*rows, strict=True))
    weights = draw(st.sampled_from([None, w / 4, w / 10]))
    return y, s / draw(st.sampled_from([1, 8, -3])), weights


@given(rankings(), st.integers(1, 14), st.booleans())
def test_bands_are_dealt_row_by_row(ranking, bands, ascending):
    y, s, weights = ranking
    w = np.ones(len(y)) if weights is None else weights
    gains = rs.ScoreTable(y, s, pos_label=1, sample_weight=weights).gains(bands, ascending=ascending)
    expected = dealt(y, s, w, bands)[:: -1 if ascending else 1]
    p, n = expected.T
    total_p, total_n = w[y == 1].sum(), w[y == 0].sum()
    np.testing.assert_allclose(gains.positives, p, atol=1e-12)
    np.testing.assert_allclose(gains.negatives, n, atol=1e-12)
    np.testing.assert_allclose(gains.rows, np.full(bands, w.sum() / bands), rtol=1e-12)
    np.testing.assert_allclose(gains.cumulative_positives, p.cumsum(), atol=1e-12)
    np.testing.assert_allclose(gains.cumulative_negatives, n.cumsum(), atol=1e-12)
    rate, overall = p / (p + n), total_p / w.sum()
    np.testing.assert_allclose(gains.response_rate, rate, atol=1e-12)
    with np.errstate(all="ignore"):
        tpr, fpr = p.cumsum() / total_p, n.cumsum() / total_n
        np.testing.assert_allclose(gains.lift, rate / overall, atol=1e-11)
        np.testing.assert_allclose(gains.cumulative_lift, p.cumsum() / (p + n).cumsum() / overall, atol=1e-11)
        np.testing.assert_allclose(gains.capture, p / total_p, atol=1e-12)
        np.testing.assert_allclose(gains.negative_capture, n / total_n, atol=1e-12)
    np.testing.assert_allclose(gains.gain, tpr, atol=1e-12)
    np.testing.assert_allclose(gains.negative_gain, fpr, atol=1e-12)
    np.testing.assert_allclose(gains.ks, tpr - fpr, atol=1e-12)
    if total_p and total_n:
        assert gains.greatest_ks == pytest.approx(np.abs(gains.ks).max())
        assert gains.greatest_ks <= rs.ScoreTable(y, s, pos_label=1, sample_weight=weights)["ks"] + 1e-12
        smooth = rs.ScoreTable(y, s, pos_label=1, sample_weight=weights).gains(
            bands, ascending=ascending, smoothing=0.5
        )
        a, b = (p + 0.5) / (total_p + bands / 2), (n + 0.5) / (total_n + bands / 2)
        np.testing.assert_allclose(smooth.weight_of_evidence, np.log(a / b), atol=1e-10)
        assert smooth.total_information_value == pytest.approx(((a - b) * np.log(a / b)).sum(), abs=1e-10)
    else:
        assert math.isnan(gains.greatest_ks)
    # The last band ends with exactly all rows.
    assert gains.cumulative_rows[-1] == gains.cumulative_positives[-1] + gains.cumulative_negatives[-1]
    assert gains.cumulative_positives[-1] == total_p or weights is not None


@given(rankings(), st.integers(1, 14), st.randoms(use_true_random=False))
def test_no_order_of_rows_and_no_cut_is_seen(ranking, bands, shuffle):
    y, s, weights = ranking
    whole = rs.ScoreTable(y, s, pos_label=1, sample_weight=weights).gains(bands)
    order = list(range(len(y)))
    shuffle.shuffle(order)
    cut = random.Random(len(y)).randrange(len(y) + 1)
    parts = [
        rs.ScoreTable(y[p], s[p], pos_label=1, sample_weight=None if weights is None else weights[p])
        for p in (order[:cut], order[cut:])
        if p
    ]
    pooled = parts[0] + parts[1] if len(parts) == 2 else parts[0]
    assert pooled.gains(bands) == whole
    turned = rs.ScoreTable(y, s, pos_label=1, sample_weight=weights).gains(bands, ascending=True)
    for name in (*COUNTS, "response_rate", "lift", "highest", "lowest", "weight_of_evidence"):
        np.testing.assert_array_equal(getattr(turned, name)[::-1], getattr(whole, name))


@given(rankings(), st.lists(st.integers(-5, 14), max_size=6, unique=True))
def test_given_edges(ranking, edges):
    y, s, weights = ranking
    w = np.ones(len(y)) if weights is None else weights
    edges = sorted(edges)
    gains = rs.ScoreTable(y, s, pos_label=1, sample_weight=weights).gains(edges=edges, ascending=True)
    band = np.digitize(s, edges)
    for name, chosen in (("rows", y >= 0), ("positives", y == 1), ("negatives", y == 0)):
        expected = np.bincount(band[chosen], weights=w[chosen], minlength=len(edges) + 1)
        np.testing.assert_allclose(getattr(gains, name), expected, atol=1e-12)
    for place in range(len(edges) + 1):
        inside = s[band == place]
        if len(inside):
            assert (gains.lowest[place], gains.highest[place]) == (inside.min(), inside.max())
        else:
            assert math.isnan(gains.lowest[place])
            assert math.isnan(gains.response_rate[place])
    assert gains.rank_order_breaks == (np.diff(gains.response_rate[gains.rows > 0]) > 0).sum()


def test_rocr_simple(rocr_simple):
    s, y = np.loadtxt(rocr_simple, delimiter=",", skiprows=1, unpack=True)
    table = rs.ScoreTable(y, s)
    gains = table.gains()
    assert gains.positives.tolist() == [16, 17, 17, 16, 13, 0, 4, 5, 2, 3]
    assert gains.rows.tolist() == [20] * 10
    # R's ROCR 1.0-11: performance(p, "tpr", "rpp") and performance(p, "lift", "rpp") at rpp 0.1, 0.2
    assert gains.gain[:2].tolist() == pytest.approx([0.17204301075268819, 0.3548387096774194], abs=1e-15)
    assert gains.cumulative_lift[:2].tolist() == pytest.approx([1.7204301075268817, 1.7741935483870968], abs=1e-15)
    assert gains.lift[:2].tolist() == pytest.approx([1.7204301075268817, 1.8279569892473118], abs=1e-15)
    assert gains.ks[:2].tolist() == pytest.approx([0.13465983318259472, 0.2894181489297558], abs=1e-15)
    assert gains.rank_order_breaks == 4
    assert gains.weight_of_evidence[5] == -math.inf
    assert gains.total_information_value == math.inf
    assert math.isfinite(table.gains(smoothing=0.5).total_information_value)
    for name in ("gain", "cumulative_lift"):
        whole = table.gains(200)
        index = {"gain": "recall", "cumulative_lift": "lift"}[name]
        np.testing.assert_allclose(getattr(whole, name), table.every(index)[1:], rtol=1e-14)


def test_golden_deciles(data, rocr_simple):
    import json

    deciles = json.loads((data / "golden.json").read_text())["rocr_simple"]["deciles"]
    s, y = np.loadtxt(rocr_simple, delimiter=",", skiprows=1, unpack=True)
    gains = rs.ScoreTable(y, s).gains(10)
    names = {
        "n": "rows",
        "events": "positives",
        "cum_events": "cumulative_positives",
        "cum_gain": "gain",
        "cum_lift": "cumulative_lift",
        "decile_lift": "lift",
        "ks_at_decile": "ks",
    }
    for key, name in names.items():
        expected = [row[key] for row in deciles]
        np.testing.assert_allclose(getattr(gains, name), expected, atol=1e-15, err_msg=key)


@pytest.mark.parametrize("weights", [None, [0.0, 0.0, 0.0]])
def test_one_class_and_none(weights):
    gains = rs.ScoreTable([1, 1, 1], [0.1, 0.2, 0.2], pos_label=1, sample_weight=weights).gains(2)
    if weights is None:
        assert gains.gain.tolist() == [0.5, 1]
        assert gains.lift.tolist() == [1, 1]
        assert np.isnan(gains.negative_gain).all()
        assert gains.odds.tolist() == [math.inf, math.inf]
    else:
        assert gains.rows.tolist() == [0, 0]
        assert np.isnan(gains.highest).all()
        assert np.isnan(gains.gain).all()
    assert math.isnan(gains.greatest_ks)
    assert math.isnan(gains.total_information_value)


def test_scores_of_any_kind():
    # One score only: every band is a part of the tie.
    flat = rs.ScoreTable([0, 1, 1], [2, 2, 2]).gains(4)
    np.testing.assert_allclose(flat.positives, [0.5] * 4)
    assert (flat.highest == 2).all()
    assert flat.greatest_ks == pytest.approx(0, abs=1e-15)
    infinite = rs.ScoreTable([0, 1, 1, 0], [-np.inf, np.inf, 1, 0], infinite="allow").gains(2)
    assert infinite.highest.tolist() == [math.inf, 0]
    assert infinite.lowest.tolist() == [1, -math.inf]
    missing = rs.ScoreTable([0, 1, 1, 0], [np.nan, 0.9, 0.8, 0.1], nan_policy="worst")
    assert missing.gains(4).rows.tolist() == [1, 1, 1, 1]
    assert math.isnan(missing.gains(4).highest[3])
    assert missing.gains(edges=[0.5]).rows.tolist() == [2, 2]
    large = 2**53
    integers = rs.ScoreTable([0, 1, 1], [large, large + 1, large + 2]).gains(edges=[large + 2])
    assert integers.rows.tolist() == [1, 2]
    # Weights at both ends of the range of floats.
    for unit in (1e300, 1e-300):
        gains = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.2], sample_weight=[unit] * 4).gains(2)
        assert gains.gain.tolist() == [1, 1]
        assert gains.lift.tolist() == [2, 0]


def test_equal_weights_are_cut_between_rows():
    table = rs.ScoreTable(np.arange(1000) % 2, np.arange(1000), sample_weight=np.full(1000, 0.1))
    gains = table.gains(10)
    assert gains.lowest.tolist() == list(range(900, -100, -100))
    np.testing.assert_allclose(gains.positives, 5, rtol=1e-13)


def test_large_counts():
    table = rs.ScoreTable([0, 1, 1, 0, 1, 0], [0.3, 0.3, 0.3, 0.1, 0.9, 0.8])
    rows = 6
    for _ in range(35):
        table, rows = table + table, 2 * rows
    gains = table.gains(4)
    assert gains.rows.tolist() == [rows / 4] * 4
    assert gains.cumulative_positives[-1] == rows / 2
    small = rs.ScoreTable([0, 1, 1, 0, 1, 0], [0.3, 0.3, 0.3, 0.1, 0.9, 0.8]).gains(4)
    np.testing.assert_allclose(gains.capture, small.capture, rtol=1e-15)


@given(rankings(), st.integers(1, 12), st.floats(-5, 50), st.floats(0, 5), st.floats(0, 20))
def test_profit(ranking, bands, benefit, cost, fixed):
    y, s, weights = ranking
    table = rs.ScoreTable(y, s, pos_label=1, sample_weight=weights)
    gains = table.gains(bands)
    profit = table.profit(bands, benefit=benefit, cost=cost, fixed_cost=fixed)
    np.testing.assert_allclose(profit.profit, benefit * gains.positives - cost * gains.rows, atol=1e-9)
    spent = cost * gains.cumulative_rows + fixed
    np.testing.assert_allclose(profit.cumulative_profit, benefit * gains.cumulative_positives - spent, atol=1e-9)
    if cost or fixed:
        np.testing.assert_allclose(profit.return_on_investment, profit.cumulative_profit / spent)
    best = profit.best_bands
    assert best == 0 or profit.cumulative_profit[best - 1] == profit.cumulative_profit.max() > 0
    np.testing.assert_array_equal(profit.highest, gains.highest)


def test_results_are_typed_and_travel():
    gains = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.2]).gains(2)
    assert isinstance(gains, rs.results.GainsTable)
    assert len(gains) == 2
    assert pickle.loads(pickle.dumps(gains)) == gains
    assert gains.to_frame().shape == (2, 20)
    assert gains.to_dict()["rank_order_breaks"] == 0
    assert "GainsTable of 2" in repr(gains)
    assert not gains.gain.flags.writeable
    assert isinstance(rs.ScoreTable([0, 1], [0.1, 0.9]).profit(benefit=1), rs.results.ProfitTable)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t: t.gains(0), "bands is 0; expected 1 to 65536"),
        (lambda t: t.gains(-3), "bands is -3"),
        (lambda t: t.gains(65_537), "bands is 65537"),
        (lambda t: t.gains(2.5), "bands is"),
        (lambda t: t.gains("ten"), "bands is"),
        (lambda t: t.gains(edges=[0.5, 0.5]), r"edges\[1\] is 0.5; expected a number above the one before"),
        (lambda t: t.gains(edges=[math.nan]), r"edges\[0\] is NaN"),
        (lambda t: t.gains(edges=["a"]), r"edges\[0\] is 'a'"),
        (lambda t: t.gains(edges=0.5), "edges is 0.5"),
        (lambda t: t.gains(ascending="yes"), "ascending is"),
        (lambda t: t.gains(smoothing=-1), "smoothing is -1"),
        (lambda t: t.profit(benefit=math.inf), "benefit is inf; expected a finite number"),
        (lambda t: t.profit(benefit=1, cost=-1), "cost is -1"),
        (lambda t: t.profit(benefit=1, fixed_cost=math.nan), "fixed_cost is nan"),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(rs.RocksteadyError, match=words):
        call(rs.ScoreTable([0, 1], [0.1, 0.9]))

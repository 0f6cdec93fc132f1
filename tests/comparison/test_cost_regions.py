"""Where one model is cheaper: against all thresholds and all labels over fractions, by rows, and by simulation."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.comparison.cost_regions import CostRows


def drawn(rng, rows, scores=6):
    """Classes and scores of two models, with ties; both classes are there."""
    y = rng.integers(0, 2, rows)
    y[:2] = 0, 1
    return y, rng.integers(0, scores, rows) + y, rng.integers(0, scores, rows) + 2 * y


def least(y, score, at):
    """The least cost of all thresholds, and whether all rows are then called alike."""
    positives, negatives = int(y.sum()), int((1 - y).sum())
    found = []
    for threshold in [*np.unique(score).tolist(), math.inf]:
        called = score >= threshold
        missed, alarms = int((y & ~called).sum()), int(((1 - y) & called).sum())
        cost = at * Fraction(missed, positives) + (1 - at) * Fraction(alarms, negatives)
        found.append((cost, called.all() or not called.any()))
    return min(cost for cost, _ in found), min(found)[1] or max(a for c, a in found if c == min(found)[0])


def test_the_regions_are_those_of_all_thresholds_over_fractions():
    rng = np.random.default_rng(0)
    for _ in range(1000):
        y, a, b = drawn(rng, int(rng.integers(4, 14)), int(rng.integers(2, 9)))
        pieces = CostRows(y == 1, {"a": a, "b": b}, None, "counts").pieces()
        assert pieces[0][0] == 0
        assert pieces[-1][1] == 1
        assert all(before[1] == after[0] and before[2] != after[2] for before, after in itertools.pairwise(pieces))
        for low, high, name, saving in pieces:
            for at in (low + (high - low) * Fraction(k, 97) for k in (31, 64)):
                (one, alike), (other, _) = least(y, a, at), least(y, b, at)
                expected = "a" if one < other else "b" if one > other else "neither" if alike else "both"
                assert name == expected
                assert abs(one - other) <= saving
        for at in (piece[0] for piece in pieces[1:]):
            assert least(y, a, at)[0] == least(y, b, at)[0]


def flips(y, calls, at):
    """The least number of other labels after which the dearer model is as cheap, by trying all labels."""
    labels = np.array(list(itertools.product([0, 1], repeat=len(y))))
    positives, negatives = labels.sum(axis=1), (1 - labels).sum(axis=1)
    missed, alarms = ([(cells @ way) for way in ways] for cells, ways in ((labels, 1 - calls), (1 - labels, calls)))
    gap = at.numerator * (missed[0] - missed[1]) * negatives
    gap = gap + (at.denominator - at.numerator) * (alarms[0] - alarms[1]) * positives
    known = (positives > 0) & (negatives > 0)
    now = gap[(labels == y).all(axis=1)][0]
    turned = known & ((gap >= 0) if now < 0 else (gap <= 0))
    return int((labels != y).sum(axis=1)[turned].min()) if turned.any() else None


def test_wrong_labels_are_the_least_of_all_labels():
    rng = np.random.default_rng(1)
    tried = 0
    for _ in range(1000):
        y, a, b = drawn(rng, int(rng.integers(4, 9)))
        rows = CostRows(y == 1, {"a": a, "b": b}, None, "counts")
        at = Fraction(int(rng.integers(1, 20)), 20)
        corners = [each.corner(at) for each in rows.envelopes]
        one, other = (each.cost(corner, at) for each, corner in zip(rows.envelopes, corners, strict=True))
        if one == other:
            assert rows._wrong_labels(at, corners, "both") == 0
            continue
        tried += 1
        cuts = [each.thresholds[corner] for each, corner in zip(rows.envelopes, corners, strict=True)]
        calls = np.array([a >= cuts[0], b >= cuts[1]]).astype(int)
        assert rows._wrong_labels(at, corners, "a" if one < other else "b") == flips(y, calls, at), (y, calls, at)
    assert tried > 500


def test_the_decision_stays_within_its_ranges_and_not_beyond():
    rng = np.random.default_rng(2)
    for _ in range(15):
        y, a, b = drawn(rng, 12)
        rows = CostRows(y == 1, {"a": a, "b": b}, None, "counts")
        found = rows.decision(float(rng.uniform(0.2, 5)), float(rng.uniform(0.1, 0.9)), 0.95)
        low, high = found.cost_ratio_low, found.cost_ratio_high
        assert low <= found.cost_ratio <= high
        assert found.prevalence_low <= found.prevalence <= found.prevalence_high
        for ratio in (low * 1.0001 + 1e-9, min(high * 0.9999, 1e9)):
            if low < ratio < high:
                assert rows.decision(ratio, found.prevalence, 0.95).cheaper == found.cheaper
        for ratio in (low * 0.9999, high * 1.0001):
            if 0 < ratio < math.inf and low < high:
                assert rows.decision(ratio, found.prevalence, 0.95).cheaper != found.cheaper
        for share in (found.prevalence_low * 0.9999, found.prevalence_high * 1.0001):
            if 0 < share < 1 and low < high:
                assert rows.decision(found.cost_ratio, share, 0.95).cheaper != found.cheaper


def test_the_band_is_that_of_the_rows():
    """The scatter of a mean over rows: the covariance of what each row adds, with one row on which the models differ more."""
    rng = np.random.default_rng(3)
    for weighted in (False, True):
        y, a, b = drawn(rng, 60)
        weights = rng.uniform(0.5, 2, 60) if weighted else np.ones(60)
        rows = CostRows(y == 1, {"a": a, "b": b}, weights if weighted else None, "sampling")
        band = rows.band(0.95)
        for place in (20, 50, 75):
            at = band.x[place]
            cut = [each.thresholds[each.corner(Fraction(at))] for each in rows.envelopes]
            differ = (a >= cut[0]).astype(float) - (b >= cut[1])
            apart = variance = extra = 0.0
            for of_class, factor in ((y == 1, -at), (y == 0, 1 - at)):
                d, w = differ[of_class], weights[of_class]
                mean = (w * d).sum() / w.sum()
                apart += factor * mean
                variance += factor**2 * (w**2 * (d - mean) ** 2).sum() / w.sum() ** 2
                extra += factor**2 * ((w**2).sum() / w.sum() / w.sum()) ** 2
            assert band.estimate[place] == pytest.approx(apart, abs=1e-12)
            reach = (band.high[place] - band.estimate[place]) / math.sqrt(variance + extra)
            assert 1.96 < reach < 3.5


def test_weights_count_rows_up_to_large_ones():
    rng = np.random.default_rng(4)
    y, a, b = drawn(rng, 40)
    times = rng.integers(1, 4, 40)
    weighted = CostRows(y == 1, {"a": a, "b": b}, times, "counts")
    repeated = CostRows(np.repeat(y == 1, times), {"a": np.repeat(a, times), "b": np.repeat(b, times)}, None, "counts")
    assert weighted.regions(0.95) == repeated.regions(0.95)
    many = CostRows(y == 1, {"a": a, "b": b}, np.full(40, 2.0**55), "counts")
    alone = CostRows(y == 1, {"a": a, "b": b}, None, "counts")
    assert many.pieces() == alone.pieces()
    named = {piece[2] for piece in alone.pieces()} & {"a", "b"}
    regions = many.regions(0.95)
    assert {
        name for name, sure in zip(regions.cheaper.tolist(), regions.is_certain.tolist(), strict=True) if sure
    } == named
    assert many.decision(1, None, 0.95).wrong_labels is None
    assert not alone.regions(1 - 1e-16).is_certain.any()


def test_equal_models_are_seldom_told_apart():
    rows = 300
    rng, wrong, samples = np.random.default_rng(5), 0, 60
    for _ in range(samples):
        y = rng.random(rows) < 0.3
        hard = rng.normal(size=rows)
        scores = {name: 1.5 * y + 0.8 * hard + 0.6 * rng.normal(size=rows) for name in "ab"}
        wrong += CostRows(y, scores, None, "counts").regions(0.95).is_certain.any()
    assert wrong <= 7


def test_a_better_model_is_found():
    rng = np.random.default_rng(6)
    y = rng.random(4000) < 0.3
    scores = {"old": 1.0 * y + rng.normal(size=4000), "new": 2.5 * y + rng.normal(size=4000)}
    ev = rs.evaluate(y, scores, inference=True, threshold=0)
    regions = ev.cost_regions("new", "old")
    sure = regions.is_certain
    assert set(regions.cheaper[sure]) == {"new"}
    assert (regions.high - regions.low)[sure].sum() > 0.9
    turned = ev.cost_regions("old", "new")
    assert turned.cheaper.tolist() == regions.cheaper.tolist()
    assert turned.crossings == regions.crossings
    np.testing.assert_array_equal(turned.band.estimate, -regions.band.estimate)
    curves = {name: ev.models[name].scores.cost_curve() for name in scores}
    at = regions.band.x
    both = [np.interp(at, curve.probability_cost, curve.expected_cost) for curve in curves.values()]
    np.testing.assert_allclose(regions.band.estimate, both[1] - both[0], atol=1e-12)
    found = ev.cheaper("new", "old", cost_ratio=2)
    assert (found.cheaper, found.is_certain) == ("new", True)
    assert found.prevalence == pytest.approx(y.mean())
    assert "It is certain at 95 %" in repr(found)


def test_equal_scores_and_useless_ones():
    y = np.array([0, 0, 1, 1])
    same = CostRows(y == 1, {"a": y, "b": 3 * y}, None, "counts")
    assert [piece[2] for piece in same.pieces()] == ["both"]
    useless = CostRows(y == 1, {"a": [1, 1, 1, 1], "b": [2, 1, 2, 1]}, None, "counts")
    assert [piece[2] for piece in useless.pieces()] == ["neither"]
    regions = useless.regions(0.95)
    assert not regions.is_certain.any()
    found = useless.decision(1, 0.5, 0.95)
    assert (found.cheaper, found.wrong_labels, found.cost_ratio_low, found.cost_ratio_high) == (
        "neither",
        0,
        0,
        math.inf,
    )
    assert "treat all rows alike" in repr(found)
    assert "cost the same" in repr(same.decision(1, 0.5, 0.95))
    # One row that only one model has right is an edge of the band, not certain.
    one = CostRows(
        np.arange(40) % 2 == 1,
        {"a": np.arange(40) % 2, "b": np.where(np.arange(40) == 1, 0, np.arange(40) % 2)},
        None,
        "counts",
    )
    assert not one.regions(0.95).is_certain.any()


Y = [0, 0, 0, 0, 1, 1, 1, 1]
SCORES = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"cost_ratio": 0}, "cost_ratio is 0; expected a number above 0"),
        ({"cost_ratio": -1}, "cost_ratio is -1"),
        ({"cost_ratio": math.inf}, "cost_ratio is inf"),
        ({"cost_ratio": 1, "prevalence": 1.0}, "prevalence is 1.0; expected a number above 0 and below 1"),
        ({"cost_ratio": 1, "level": 0}, "level is 0"),
        ({"cost_ratio": 1, "first": "newest"}, "newest"),
        ({"cost_ratio": 1, "first": "both"}, "first is 'both'; expected another name"),
        ({"cost_ratio": 1, "first": "old"}, "second is 'old'; expected another model"),
    ],
)
def test_bad_arguments(given, sentence):
    ev = rs.evaluate(Y, SCORES | {"both": SCORES["old"]}, inference=True)
    with pytest.raises(rs.RocksteadyError, match=re.escape(sentence)):
        ev.cheaper(**{"first": "new", "second": "old", **given})


def test_what_has_no_regions():
    for options, sentence in (
        ({}, "cost_regions needs the rows of the models"),
        ({"inference": True, "cluster": [0, 0, 1, 1, 2, 2, 3, 3]}, "cost_regions takes rows as independent"),
    ):
        with pytest.raises(rs.InputError, match=sentence):
            rs.evaluate(Y, SCORES, **options).cost_regions("new", "old")
    predicted = rs.evaluate(Y, y_pred={"old": Y[::-1], "new": Y}, inference=True)
    with pytest.raises(rs.InputError, match="expected a model with scores of two classes"):
        predicted.cost_regions("new", "old")
    alone = rs.evaluate([1, 1], {"a": [0.1, 0.2], "b": [0.3, 0.4]}, pos_label=1, inference=True)
    with pytest.raises(rs.InputError, match="rows of one class"):
        alone.cost_regions("a", "b")
    missing = rs.evaluate(
        [0, 1], {"a": [0.1, math.nan], "b": [0.3, 0.4]}, nan_policy="worst", threshold=0.5, inference=True
    )
    with pytest.raises(rs.InputError, match=r"y_score\['a'\]\[1\]"):
        missing.cost_regions("a", "b")

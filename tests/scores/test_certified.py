"""Certified thresholds: against exact tests one by one, by simulation where the hypotheses are as hard as they get, at any size."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import scipy.stats

import rocksteady as rs
from rocksteady.scores.certified.certificate import disproved

#: Numerator and denominator of shares, of tp, fp, fn, tn.
SHARES = {
    "precision": ((1, 0, 0, 0), (1, 1, 0, 0)),
    "fdr": ((0, 1, 0, 0), (1, 1, 0, 0)),
    "recall": ((1, 0, 0, 0), (1, 0, 1, 0)),
    "fpr": ((0, 1, 0, 0), (0, 1, 0, 1)),
    "specificity": ((0, 0, 0, 1), (0, 1, 0, 1)),
    "rpp": ((1, 1, 0, 0), (1, 1, 1, 1)),
    "accuracy": ((1, 0, 0, 1), (1, 1, 1, 1)),
    "npv": ((0, 0, 0, 1), (0, 0, 1, 1)),
    "jaccard": ((1, 0, 0, 0), (1, 1, 1, 0)),
}


def is_shown(name, order, limit, cells, tail):
    """The exact binomial test of one condition at one threshold."""
    if name == "f1":
        name, limit = "jaccard", limit / (2 - limit)
    some, all_ = (int(np.dot(each, cells)) for each in SHARES[name])
    if order == "<=":
        some, limit = all_ - some, 1 - limit
    return all_ > 0 and scipy.stats.binom.sf(some - 1, all_, limit) <= tail


def cells_at(y, s, threshold):
    called = s >= threshold
    return [(y & called).sum(), (~y & called).sum(), (y & ~called).sum(), (~y & ~called).sum()]


def plain(y, s, wanted, tail, thresholds=None, start=None):
    """The certified threshold, by the definition."""
    found = math.nan
    if thresholds is not None:
        for threshold in thresholds:
            if not all(is_shown(*each, cells_at(y, s, threshold), tail) for each in wanted):
                break
            found = threshold
        return found
    above = [each for each in wanted if each[0] in ("precision", "fdr")]
    tail = tail / 2 if above and len(above) < len(wanted) else tail
    if not all(is_shown(*each, [0, 0, y.sum(), (~y).sum()], tail) for each in wanted if each not in above):
        return found
    for threshold in np.unique(s)[::-1]:
        cells = cells_at(y, s, threshold)
        if not all(is_shown(*each, cells, tail) for each in wanted if each not in above):
            break
        if above:
            if cells[0] + cells[1] <= start:
                continue
            tp, fp = int((y & (s > threshold)).sum()), int((~y & (s > threshold)).sum())
            # Row by row, first the negatives of the tie; those before the start are not tested.
            tie = [(0, 1)] * (cells[1] - fp) + [(1, 0)] * (cells[0] - tp)
            tried = []
            for more in [(0, 0), *tie]:
                tp, fp = tp + more[0], fp + more[1]
                tried += [[tp, fp, 0, 0]] if tp + fp >= start else []
            if not all(is_shown(*above[0], each, tail) for each in tried):
                break
        found = threshold
    return found


def text(wanted):
    return " and ".join(f"{name} {order} {limit!r}" for name, order, limit in wanted)


def test_it_is_the_threshold_of_a_thousand_sequences_one_by_one():
    rng = np.random.default_rng(0)
    certified = 0
    for _ in range(1_000):
        rows = int(rng.integers(2, 60))
        s = rng.integers(0, rng.choice([5, 40, 10_000]), rows) / 7
        y = rng.random(rows) < 0.2 + 0.7 * (s / (s.max() + 1)) ** 0.3
        if y.all() or not y.any():
            continue
        table, tail = rs.ScoreTable(y, s), float(rng.choice([0.05, 0.2, 0.4]))
        limit = [round(float(each), 2) for each in rng.uniform(0.15, 0.85, 4)]
        first = [("precision", ">=", limit[0]), ("fdr", "<=", limit[0])][rng.integers(2)]
        falling = [("fpr", "<=", limit[1]), ("rpp", "<=", limit[2]), ("specificity", ">=", limit[3] / 2)]
        wanted = [[first], falling[:2], [first, falling[int(rng.integers(3))]]][rng.integers(3)]
        start = int(rng.integers(1, 8)) if first in wanted else None
        found = table.certify(text(wanted), confidence=1 - tail, start_rows=start)
        expected = plain(y, s, wanted, 1 - (1 - tail), start=start)
        assert found.threshold == expected or (math.isnan(found.threshold) and math.isnan(expected)), (wanted, found)
        assert (found.why is None) == (not math.isnan(expected))
        certified += found.why is None
        if found.why is None:
            assert [found.tp, found.fp, found.fn, found.tn] == cells_at(y, s, found.threshold)
        thresholds = rng.permutation(np.unique(s))[:4]
        wanted = [(name, [">=", "<="][rng.integers(2)], limit[0]) for name in rng.choice([*SHARES, "f1"], 2)]
        given = table.certify(text(wanted), confidence=1 - tail, thresholds=thresholds)
        expected = plain(y, s, wanted, 1 - (1 - tail), thresholds)
        assert given.threshold == expected or (math.isnan(given.threshold) and math.isnan(expected)), (wanted, given)
    assert certified > 200


def test_a_sketch_certifies_where_its_cells_begin_as_if_their_rows_tied():
    rng = np.random.default_rng(12)
    certified = lower = 0
    for _ in range(1_000):
        rows = int(rng.integers(2, 80))
        s = rng.normal(size=rows)
        y = rng.random(rows) < 0.2 + 0.7 / (1 + np.exp(-2 * s))
        if y.all() or not y.any():
            continue
        tail, given = float(rng.choice([0.05, 0.2, 0.4])), rng.normal(size=3)
        sketch = rs.ScoreSketch(y, s, cells=int(rng.integers(14, 60)), thresholds=given)
        limit = [round(float(each), 2) for each in rng.uniform(0.15, 0.85, 2)]
        above, falling = ("precision", ">=", limit[0]), ("rpp", "<=", limit[1])
        wanted = [[above], [falling], [above, falling]][rng.integers(3)]
        start = int(rng.integers(1, 8)) if above in wanted else None
        asked = {"confidence": 1 - tail, "start_rows": start}
        found = sketch.certify(text(wanted), **asked)
        begins = np.sort(sketch._state.least_scores())
        of_cells = begins[np.searchsorted(begins, s, side="right") - 1]
        expected = plain(y, of_cells, wanted, 1 - (1 - tail), start=start)
        assert found.threshold == expected or (math.isnan(found.threshold) and math.isnan(expected)), (wanted, found)
        if found.why is None:
            certified += 1
            assert [found.tp, found.fp, found.fn, found.tn] == cells_at(y, s, found.threshold)
            whole = rs.ScoreTable(y, s).certify(text(wanted), **asked)
            assert whole.threshold <= np.min(s[s >= found.threshold], initial=math.inf)
            lower += whole.threshold < found.threshold
        wanted = [(str(rng.choice(list(SHARES))), [">=", "<="][rng.integers(2)], limit[0])]
        again = sketch.certify(text(wanted), confidence=1 - tail, thresholds=given)
        table = rs.ScoreTable(y, s).certify(text(wanted), confidence=1 - tail, thresholds=given)
        of_table = {"cells": None, "edges": None, "fingerprint": table.fingerprint}
        assert json.dumps(again.to_dict() | of_table) == json.dumps(table.to_dict())
    assert certified > 200
    assert lower > 50


def test_a_sketch_of_merged_parts_and_its_receipt():
    rng = np.random.default_rng(13)
    s = rng.random(2_000)
    y = rng.random(2_000) < s
    asked = {"cells": 300, "thresholds": [0.6, 0.7]}
    whole = rs.ScoreSketch(y, s, **asked)
    parts = rs.ScoreSketch(y[1_500:], s[1_500:], **asked) + rs.ScoreSketch(y[:1_500], s[:1_500], **asked)
    found = parts.certify("precision >= 0.7 and rpp <= 0.8")
    assert (found, found.why) == (whole.certify("precision >= 0.7 and rpp <= 0.8"), None)
    assert (found.cells, found.edges) == (300, (0.0, 0.5, 0.6, 0.7))
    told = json.loads(json.dumps(found.to_dict()))
    assert disproved(told, rs.ScoreSketch.from_bytes(whole.to_bytes())) is None
    assert "not of these rows" in disproved(told, rs.ScoreSketch(y, s, cells=299, thresholds=[0.6]))
    assert "not of these rows" in disproved(told, rs.ScoreTable(y, s))
    assert "has been changed" in disproved(told | {"cells": 400}, whole)
    assert whole.certify("recall >= 0.6", thresholds=[0.6, 0.5]).threshold == 0.5
    with pytest.raises(rs.InputError, match=r"0\.603, which lies within a cell.*thresholds=\[0\.603"):
        whole.certify("recall >= 0.6", thresholds=[0.6, 0.603])
    with pytest.raises(rs.InputError, match="one threshold or more"):
        whole.certify("recall >= 0.6", thresholds=[[0.6]])
    with pytest.raises(rs.InputError, match="weights"):
        rs.ScoreSketch([0, 1], [0.2, 0.4], sample_weight=[1, 2]).certify("rpp <= 0.5")
    exact = rs.ScoreSketch(y, s)
    assert exact.is_exact
    same = {"cells": None, "edges": None}
    assert exact.certify("fpr <= 0.1").to_dict() | same == rs.ScoreTable(y, s).certify("fpr <= 0.1").to_dict()
    empty = rs.ScoreSketch.empty(pos_label="yes").certify("fpr <= 0.5")
    assert (empty.why, empty.pos_label) == ("There are 0 rows.", "yes")
    policy = {"infinite": "allow", "thresholds": [0.15]}
    for nan_policy, tp in (("worst", 1), ("best", 2)):
        missing = rs.ScoreSketch(
            [0, 1, 1, 0, 1], [math.nan, math.nan, 0.1, math.inf, 0.3], nan_policy=nan_policy, **policy
        )
        assert missing.certify("rpp <= 0.9", thresholds=[0.15], confidence=0.1).tp == tp
        with pytest.raises(rs.InputError, match="infinite or missing"):
            missing.certify("rpp <= 0.9")
    sizes = [2**58, 2**57, 0], [2**50, 2**56, 2**59]
    many = rs.ScoreSketch.from_counts([0.9, 0.5, 0.1], [0.9, 0.5, 0.1], *sizes)
    assert many.certify("precision >= 0.85", thresholds=[0.9, 0.5, 0.1]).threshold == 0.5


def violated(draw, is_bad, samples, cells=None, **asked):
    """In how many samples a certified threshold does not meet the conditions."""
    rng, found = np.random.default_rng(7), 0
    for _ in range(samples):
        s, y = draw(rng)
        of_cells = {} if cells is None else {"cells": cells}
        scores = (rs.ScoreTable if cells is None else rs.ScoreSketch)(y, s, pos_label=True, **of_cells)
        certificate = scores.certify(**asked)
        found += certificate.why is None and is_bad(certificate.threshold)
    return found


def most(samples, share):
    """What a binomial number exceeds in one of a thousand cases."""
    return scipy.stats.binom.isf(1e-3, samples, share)


def test_errors_are_as_rare_as_the_confidence_says():
    def calibrated(rng):
        s = rng.random(500)
        return s, rng.random(500) < s

    def alike(rng):  # at no threshold is the condition met, and at each it nearly is
        return rng.random(500), rng.random(500) < 0.8 - 1e-9

    def waves(rng):  # the precision rises and falls around the limit
        s = rng.random(500)
        return s, rng.random(500) < np.where(np.floor(40 * s) % 2 == 0, 0.7, 0.9) - 1e-9

    def is_below(t):
        places = np.linspace(t, 1, 2_001)[:-1] + (1 - t) / 4_000
        return np.where(np.floor(40 * places) % 2 == 0, 0.7, 0.9).mean() < 0.8 - 1e-10

    asked = {"conditions": "precision >= 0.8", "confidence": 0.8, "start_rows": 15}
    assert violated(calibrated, lambda t: (1 + t) / 2 < 0.8, 150, **asked) <= most(150, 0.2)
    assert 0 < violated(alike, lambda t: True, 150, **asked) <= most(150, 0.2)
    assert violated(waves, is_below, 150, **asked) <= most(150, 0.2)
    assert 0 < violated(alike, lambda t: True, 150, cells=40, **asked) <= most(150, 0.2)
    both = {"conditions": "fpr <= 0.16 and rpp <= 0.4", "confidence": 0.8}
    assert violated(calibrated, lambda t: t < 0.6, 150, **both) <= most(150, 0.2)
    grid = {"conditions": "recall >= 0.75", "confidence": 0.8, "thresholds": [0.3, 0.4, 0.5, 0.501, 0.6]}
    assert 0 < violated(calibrated, lambda t: t > 0.5, 150, **grid) <= most(150, 0.2)


def test_very_many_rows():
    many = rs.ScoreTable.from_counts([0.9, 0.5, 0.1], [2**58, 2**57, 0], [2**50, 2**56, 2**59])
    found = many.certify("precision >= 0.85", thresholds=[0.9, 0.5, 0.1])
    assert (found.threshold, found.tested) == (0.5, 3)
    rng = np.random.default_rng(2)
    s = rng.random(300_000, dtype=np.float32)
    table = rs.ScoreTable(rng.random(300_000) < s, s)
    found = table.certify("precision >= 0.7 and rpp <= 0.9")
    assert 0.4 < found.threshold < 0.41
    first = table.certify("precision >= 0.7", start_rows=100_000)
    assert first.threshold <= found.threshold


def test_splits_and_order_do_not_matter_and_scores_stay_as_they_are():
    rng = np.random.default_rng(3)
    s = rng.integers(0, 500, 2_000)
    y = rng.random(2_000) < s / 500
    whole = rs.ScoreTable(y, s).certify("fpr <= 0.1")
    parts = rs.ScoreTable(y[700:], s[700:]) + rs.ScoreTable(y[:700], s[:700])
    assert parts.certify("fpr <= 0.1") == whole
    assert rs.ScoreTable(y.astype(int), s.astype(float)).certify("fpr <= 0.1").fingerprint == whole.fingerprint
    assert rs.ScoreTable(~y, s).certify("fpr <= 0.1").fingerprint != whole.fingerprint
    assert isinstance(whole.threshold, int)
    assert f"score >= {whole.threshold}: fpr" in str(whole)
    assert disproved(whole.to_dict() | {"threshold": float(whole.threshold)}, rs.ScoreTable(y, s.astype(float))) is None
    great = rs.ScoreTable(y, s + 2**60).certify("fpr <= 0.1")
    assert great.threshold == whole.threshold + 2**60


def test_a_share_keeps_the_name_that_it_was_asked_by():
    table = rs.ScoreTable([0, 1, 1, 0] * 10, np.arange(40) / 40)
    found, same = table.certify("selection_rate <= 0.8"), table.certify("rpp <= 0.8")
    assert (found.conditions, list(found.values)) == ("selection_rate <= 0.8", ["selection_rate <= 0.8"])
    assert "selection_rate 0." in str(found)
    assert (found.threshold, list(found.values.values())) == (same.threshold, list(same.values.values()))
    assert disproved(json.loads(json.dumps(found.to_dict())), table) is None
    assert table.certify("Positive predictive value >= 0.01", start_rows=3).conditions == "precision >= 0.01"


def test_a_certificate_is_proved_again_or_not():
    rng = np.random.default_rng(4)
    s = rng.random(1_000)
    y = rng.random(1_000) < s
    table = rs.ScoreTable(y, s)
    for found in (
        table.certify("precision >= 0.7"),
        table.certify("precision >= 0.999"),
        table.certify("precision >= 0.9", start_rows=2_000),
        table.certify("recall >= 0.5 and f1 > 0.3", thresholds=[0.3, 0.4]),
    ):
        told = json.loads(json.dumps(found.to_dict()))
        assert disproved(told, table) is None
        assert "not of these rows" in disproved(told, rs.ScoreTable(y[1:], s[1:]))
        for name, other in (("threshold", 0.1), ("rows", 10), ("tested", 9_999), ("values", {})):
            assert told[name] == other or "has been changed" in disproved(told | {name: other}, table)
        assert str(found).startswith("score >= " if found.why is None else "No threshold is certified")
    with pytest.raises(rs.InputError, match="no 'thresholds'"):
        disproved({"conditions": "fpr <= 0.1"}, table)


def test_reasons():
    y, s = [0, 1, 1, 1] * 30, [0.1, 0.7, 0.8, 0.9] * 30
    tied = rs.ScoreTable(y, s)
    assert tied.certify("precision >= 0.6", start_rows=10).threshold == 0.1
    mixed = rs.ScoreTable([0] * 20 + [1] * 90 + [0] * 50, [0.9] * 110 + [0.1] * 50)
    assert "Rows tie there" in mixed.certify("precision >= 0.6", start_rows=10).why
    # The tests begin within the tie, below its negatives.
    assert mixed.certify("precision >= 0.6", start_rows=80).threshold == 0.9
    assert tied.certify("precision >= 0.6", thresholds=[0.9, 0.8, 0.7]).threshold == 0.7
    assert "below the top 500 rows. There are 120 rows." in tied.certify("precision >= 0.6", start_rows=500).why
    assert rs.ScoreTable.empty(pos_label=1).certify("fpr <= 0.5").why == "There are 0 rows."
    assert "down to the first threshold" in tied.certify("fpr <= 0.01").why
    assert "at the first threshold, 0.1" in tied.certify("fpr <= 0.5", thresholds=[0.1]).why


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"conditions": "precision"}, "expected comparisons of shares"),
        ({"conditions": "precision == 0.5"}, "expected comparisons of shares"),
        ({"conditions": "precision >= recall"}, "compares 'precision' with 'recall'"),
        ({"conditions": "precision >= 90"}, "between 0 and 1"),
        ({"conditions": "mcc >= 0.5"}, "mcc, which is no share of rows"),
        ({"conditions": "roc_auc >= 0.5"}, "no share"),
        ({"conditions": "recall >= 0.5"}, "pass thresholds="),
        ({"conditions": "precision <= 0.5"}, "pass thresholds="),
        ({"conditions": "precision >= 0.5 and fdr <= 0.5"}, "pass thresholds="),
        ({"conditions": "fpr <= 0.5", "start_rows": 3}, "no condition is on precision"),
        ({"conditions": "fpr <= 0.5", "start_rows": 3, "thresholds": [0.5]}, "start_rows"),
        ({"conditions": "fpr <= 0.5", "confidence": 1.0}, "confidence is 1.0"),
        ({"conditions": "fpr <= 0.5", "thresholds": []}, "one threshold or more"),
        ({"conditions": "fpr <= 0.5", "thresholds": [math.nan]}, "one threshold or more"),
        ({"conditions": "fpr <= 0.5", "thresholds": 0.5}, "one threshold or more"),
        ({"conditions": "precision >= 0.5", "start_rows": 0}, "start_rows is 0"),
    ],
)
def test_what_is_refused(asked, words):
    with pytest.raises(rs.InputError, match=words):
        rs.ScoreTable([0, 1, 1], [0.1, 0.2, 0.3]).certify(**asked)


def test_weights_and_missing_scores_are_refused():
    y, s = [0, 1, 1, 0], [0.1, 0.2, 0.3, 0.3]
    for kind in ("counts", "sampling"):
        with pytest.raises(rs.InputError, match="weights"):
            rs.ScoreTable(y, s, sample_weight=[1, 2, 0.5, 0.5], weight_kind=kind).certify("fpr <= 0.5")
    with pytest.raises(rs.InputError, match="weights"):
        rs.ScoreTable(y, s).at_prevalence(0.1).certify("fpr <= 0.5")
    with pytest.raises(rs.InputError, match="infinite or missing"):
        rs.ScoreTable(y, [math.inf, 1, 2, 3], infinite="allow").certify("fpr <= 0.5")
    missing = rs.ScoreTable(y, [math.nan, 1, 2, 3], nan_policy="worst")
    with pytest.raises(rs.InputError, match="infinite or missing"):
        missing.certify("fpr <= 0.5")
    assert missing.certify("fpr <= 0.99", thresholds=[2]).rows == 4
    with pytest.raises(rs.UnknownIndexError):
        missing.certify("precisio >= 0.5")

"""Rows with unknown labels: bounds against all labellings, moves of labels, parts, refusals."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.scores.unknown_labels import ledger_counts
from rocksteady.scores.unknown_labels.areas import area_bounds
from rocksteady.scores.unknown_labels.placed import Placed, allowed

COUNTED = ["accuracy", "precision", "recall", "f1", "mcc", "cohen_kappa", "informedness", "prevalence"]


def all_labels(y, share=None):
    """Each way to set the unknown labels (2), within a range of the number of positives."""
    open_rows = np.flatnonzero(y == 2)
    for labels in itertools.product([0, 1], repeat=len(open_rows)):
        if share is None or share[0] <= sum(labels) <= share[1]:
            whole = y.copy()
            whole[open_rows] = labels
            yield whole


def area(y, s):
    """The area under the ROC curve as a fraction, pair by pair; None without pairs."""
    up, down = s[y == 1], s[y == 0]
    if not len(up) or not len(down):
        return None
    twice = int((1 + np.sign(up[:, None] - down)).sum())
    return Fraction(twice, 2 * len(up) * len(down))


def drawn(rng, rows=12, unknown=None):
    levels = int(rng.choice([2, 4, 8, 1000]))
    s = rng.integers(0, levels, rows) / levels
    y = rng.integers(0, 2, rows) if rng.random() < 0.8 else np.full(rows, rng.integers(0, 2))
    y[rng.permutation(rows)[: rng.integers(0, 8) if unknown is None else unknown]] = 2
    share = None
    u = int((y == 2).sum())
    if rng.random() < 0.5:
        low, high = sorted(rng.integers(0, u + 1, 2).tolist())
        share = (low, high)
    return y, s, u, share


def ledger_of(y, s):
    return rs.scores.LabelLedger(y, s, unknown_label=2, pos_label=1)


def test_areas_are_sharp_in_a_thousand_samples():
    rng = np.random.default_rng(0)
    for _ in range(1000):
        y, s, u, share = drawn(rng)
        found = ledger_of(y, s).bounds(
            "roc_auc", prevalence=None if share is None or not u else (share[0] / u, share[1] / u)
        )
        areas = [each for labels in all_labels(y, share) if (each := area(labels, s)) is not None]
        if not areas:
            assert found.why
            continue
        assert found.kind == "sharp"
        if found.value is not None:
            assert set(map(float, areas)) == {found.low} == {found.high} == {found.value}
            continue
        assert found.low <= min(areas) < math.nextafter(math.nextafter(found.low, 2), 2)
        assert found.high >= max(areas) > math.nextafter(math.nextafter(found.high, -1), -1)
        gini = ledger_of(y, s).bounds("gini", prevalence=None if share is None else (share[0] / u, share[1] / u))
        assert (gini.low, gini.high) == pytest.approx((2 * found.low - 1, 2 * found.high - 1), abs=1e-15)
        assert found.may_be_undefined == any(area(labels, s) is None for labels in all_labels(y, share))


def test_many_rows_of_one_score_are_tried_by_their_roots():
    rng = np.random.default_rng(1)
    for _ in range(60):
        scores = np.arange(4.0)
        positives, negatives, unknown = rng.integers(0, 9, 4), rng.integers(0, 9, 4), rng.integers(0, 40, 4)
        positives[rng.integers(4)] += 1
        negatives[rng.integers(4)] += 1
        ledger = rs.scores.LabelLedger.from_counts(scores, positives, negatives, unknown)
        found = ledger.bounds("roc_auc")
        each = {1: [], -1: []}
        for sign in (1, -1):
            order = np.argsort(-sign * scores, kind="stable")
            taken = np.concatenate([[0], np.cumsum(unknown[order])])
            for m in range(unknown.sum() + 1):
                ups = np.zeros(4, int)
                ups[order] = np.clip(m - taken[:-1], 0, unknown[order])
                up, down = positives + ups, negatives + unknown - ups
                below = np.concatenate([[0], np.cumsum(down)[:-1]])
                pairs = int((2 * up * below + up * down).sum())
                each[sign].append(Fraction(pairs, 2 * int(up.sum()) * int(down.sum())))
        if not unknown.sum():
            continue
        assert found.low <= min(each[-1]) <= found.low + 1e-15
        assert found.high >= max(each[1]) >= found.high - 1e-15


def test_other_indices_of_the_ranking_hold():
    rng = np.random.default_rng(2)
    sharp = dict.fromkeys(["average_precision", "ks", "brier", "log_loss"], 0)
    for _ in range(300):
        y, s, u, share = drawn(rng, rows=9, unknown=int(rng.integers(1, 6)))
        prevalence = None if share is None else (share[0] / u, share[1] / u)
        ledger = ledger_of(y, s)
        tables = [rs.ScoreTable(labels, s, pos_label=1) for labels in all_labels(y, share)]
        for name in sharp:
            values = np.array([table[name] for table in tables if table.why(name) is None])
            found = ledger.bounds(name, prevalence=prevalence)
            if not len(values):
                assert found.why
                continue
            assert found.low <= values.min() + 1e-15
            assert found.high >= values.max() - 1e-15
            if name != "ks":
                assert found.kind == "proven" or (found.low, found.high) == pytest.approx(
                    (values.min(), values.max()), abs=1e-12
                )
            else:
                assert found.high == pytest.approx(values.max(), abs=1e-12)
            sharp[name] += found.kind == "sharp"
    assert sharp["brier"] == sharp["log_loss"] == 300
    assert sharp["ks"] == 0
    assert 30 < sharp["average_precision"] < 250


@pytest.mark.parametrize("most", [100_000, 0])
def test_counts_at_a_threshold_hold(most, monkeypatch):
    monkeypatch.setattr(ledger_counts, "_MOST", most)
    rng = np.random.default_rng(3)
    kinds = []
    for _ in range(60):
        y, s, u, share = drawn(rng, unknown=int(rng.integers(1, 8)))
        prevalence = None if share is None else (share[0] / u, share[1] / u)
        counts = ledger_of(y, s).at(0.5, prevalence=prevalence)
        tables = [rs.ScoreTable(labels, s, pos_label=1).at(0.5) for labels in all_labels(y, share)]
        for name in COUNTED:
            values = [float(table[name]) for table in tables if table.why(name) is None]
            found = counts.bounds(name)
            if not values:
                assert found.why or found.may_be_undefined
                continue
            assert found.low <= min(values) + 1e-15
            assert found.high >= max(values) - 1e-15
            kinds.append(found.kind)
            if found.kind == "sharp":
                assert (found.low, found.high) == pytest.approx((min(values), max(values)), abs=1e-8), name
            if most and not found.may_be_undefined:
                assert found.kind == "sharp"
    assert kinds.count("sharp") > (0.9 if most else 0.6) * len(kinds)


def test_every_index_of_counts_is_bounded_or_says_why():
    counts = rs.scores.LabelLedger.from_counts([0.2, 0.8], [30, 70], [80, 20], [300, 500]).at(0.5)
    rng = np.random.default_rng(4)
    up, down = rng.integers(0, 501, 300), rng.integers(0, 301, 300)
    tables = rs.Counts(70 + up, 520 - up, 30 + down, 380 - down)
    table = counts.summary()
    assert len(table.rows) > 150
    for name, low, high, note in table.rows:
        if math.isnan(low):
            assert note
            continue
        values = tables.value(name)
        values = values[~np.isnan(values)]
        slack = 1e-9 * max(1, abs(low), abs(high)) if math.isfinite(low) and math.isfinite(high) else 0
        assert low - slack <= values.min(), name
        assert values.max() <= high + slack, name


def test_parts_add_and_labels_that_arrive_narrow_the_bounds():
    rng = np.random.default_rng(5)
    s = rng.random(300).round(2)
    truth = (rng.random(300) < s).astype(int)
    y = np.where(rng.random(300) < 0.4, 2, truth)
    parts = [ledger_of(y[rows], s[rows]) for rows in (slice(0, 100), slice(100, 101), slice(101, 300))]
    whole = ledger_of(y, s)
    assert sum(parts) == whole == rs.merge(part.to_bytes() for part in parts)
    assert whole - parts[0] == parts[1] + parts[2]
    assert rs.scores.LabelLedger.from_bytes(whole.to_bytes()).digest() == whole.digest()
    assert whole + rs.scores.LabelLedger.empty(pos_label=1) == whole
    last = whole.bounds("roc_auc")
    for row in np.flatnonzero(y == 2):
        whole = whole.with_labels(truth[row : row + 1], s[row : row + 1])
        found = whole.bounds("roc_auc")
        assert last.low <= found.low <= found.high <= last.high
        last = found
    table = rs.ScoreTable(truth, s, pos_label=1)
    assert whole.unknown_rows == 0
    assert whole.known_table == table
    assert whole["roc_auc"] == table["roc_auc"] == last.value
    assert whole.value("pr_auc_linear") == table["pr_auc_linear"]


def test_a_narrower_range_of_shares_lies_within():
    rng = np.random.default_rng(6)
    y, s = rng.integers(0, 3, 500), rng.random(500)
    ledger = ledger_of(y, s)
    for name in ("roc_auc", "average_precision", "ks", "brier"):
        wide, near = ledger.bounds(name), ledger.bounds(name, prevalence=(0.4, 0.5))
        assert wide.low <= near.low <= near.high <= wide.high
        assert near.width < wide.width
    wide, near = ledger.at(0.5).bounds("f1"), ledger.at(0.5, prevalence=(0.4, 0.5)).bounds("f1")
    assert wide.low <= near.low <= near.high <= wide.high
    assert near.width < wide.width


def test_counts_near_two_to_the_sixty():
    scores = [0.1, 0.5, 0.9]
    small = rs.scores.LabelLedger.from_counts(scores, [1, 2, 5], [4, 2, 1], [3, 1, 2])
    large = rs.scores.LabelLedger.from_counts(
        scores, *(np.array(part) << 56 for part in ([1, 2, 5], [4, 2, 1], [3, 1, 2]))
    )
    for name in ("roc_auc", "gini", "average_precision", "ks", "brier"):
        found, same = small.bounds(name), large.bounds(name)
        # With many rows the greatest value may lie between the tables of few.
        assert same.low <= found.low + 1e-9
        assert same.high >= found.high - 1e-9
        assert same.width < found.width + 0.05
    counts = large.at(0.5)
    assert counts.bounds("precision").low == pytest.approx(7 / 13, abs=1e-12)
    assert counts.bounds("recall").kind == "sharp"


def test_containers_of_labels():
    import pandas as pd
    import polars as pl

    y, s = [1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    whole = rs.scores.LabelLedger(y, s)
    for labels in (
        np.array([1, 0, np.nan, 1, 0, np.nan]),
        pd.Series(y),
        pd.array(y, dtype="Int64"),
        pl.Series(y),
        np.ma.MaskedArray([1, 0, 5, 1, 0, 5], mask=[0, 0, 1, 0, 0, 1]),
    ):
        assert rs.scores.LabelLedger(labels, s).bounds("roc_auc") == whole.bounds("roc_auc")
    text = ["yes", "no", "open", "yes", "no", None]
    for labels in (text, np.array(text, object), pd.Series(text), pd.Categorical(text), pl.Series(text)):
        ledger = rs.scores.LabelLedger(labels, s, unknown_label="open", pos_label="yes")
        assert ledger.unknown_rows == 2
        assert ledger.bounds("roc_auc") == whole.bounds("roc_auc")
    assert rs.scores.LabelLedger(y, [9, 8, 7, 6, 3, 1]).bounds("roc_auc") == whole.bounds("roc_auc")
    assert rs.scores.LabelLedger(y, np.array(s, np.float32)).bounds("roc_auc") == whole.bounds("roc_auc")


def test_estimates_stand_beside_the_bounds():
    found = rs.scores.LabelLedger([1, 0, None], [0.9, 0.1, 0.5]).estimated("roc_auc")
    assert (found.low, found.high, found.at_random) == (1, 1, 1)
    # Half a positive and half a negative of the score between: 1.75 of 2.25 pairs and half of the tie.
    assert found.calibrated == pytest.approx((1 + 0.5 + 0.5 + 0.125) / 2.25)
    assert not found.calibrated_is_possible
    assert "outside the bounds" in repr(found)
    rng = np.random.default_rng(7)
    s = rng.random(4000)
    truth = (rng.random(4000) < s).astype(float)
    y = np.where(rng.random(4000) < 0.3, np.nan, truth)
    found = rs.scores.LabelLedger(y, s).estimated("roc_auc")
    assert found.at_random_is_possible
    assert found.calibrated_is_possible
    assert found.at_random == pytest.approx(found.calibrated, abs=0.02)
    assert found.low < rs.ScoreTable(truth, s)["roc_auc"] < found.high
    assert math.isnan(rs.scores.LabelLedger(y, 3 * s).estimated("roc_auc").calibrated)


def test_sentences_are_true_of_their_shares():
    ledger = rs.scores.LabelLedger([1, 0, None], [0.1, 0.2, 0.3])
    assert repr(ledger.estimated("roc_auc")).startswith("roc_auc: 0 to 0.5 whatever the unknown label is.")
    found = repr(ledger.estimated("roc_auc", prevalence=(0, 0)))
    assert found.startswith("roc_auc: 0 to 0 if 0 to 0 % of the unknown label is positive.")
    assert "which no such labels give" in found


def test_labels_that_cannot_have_arrived():
    ledger = rs.scores.LabelLedger([1, 0, None], [0.1, 0.2, 0.3])
    with pytest.raises(rs.InputError, match="y_score has more rows of a score than the ledger without a label"):
        ledger.with_labels([1], [0.5])
    with pytest.raises(rs.InputError, match="y_true has other labels than the ledger"):
        ledger.with_labels([2], [0.3])
    with pytest.raises(rs.InputError, match=r"y_true\[0\] is missing; expected a label that has arrived"):
        ledger.with_labels([None], [0.3])
    with pytest.raises(rs.InputError, match="unknown_label is 1; expected another label than pos_label"):
        rs.scores.LabelLedger([1, 0, 1], [0.1, 0.2, 0.3], unknown_label=1, pos_label=1)
    with pytest.raises(rs.InputError, match="no label of y_true is known"):
        rs.evaluate([None] * 3, [0.1, 0.2, 0.3], missing_labels="unknown", pos_label=1)


def test_what_is_refused_says_what_helps():
    y, s = [1, 0, None, 1], [0.9, 0.8, 0.7, 0.6]
    ledger = rs.scores.LabelLedger(y, s)
    with pytest.raises(rs.InputError, match=r"y_score\[3\] is NaN"):
        rs.scores.LabelLedger(y, [0.9, 0.8, 0.7, np.nan])
    with pytest.raises(rs.InputError, match=r"y_score\[2\] is NaN"):
        rs.scores.LabelLedger(y, [0.9, 0.8, np.nan, 0.6])
    with pytest.raises(rs.InputError, match=r"y_true\[3\]"):
        rs.scores.LabelLedger([1, 0, None, 5], s)
    with pytest.raises(rs.InputError, match="4"):
        rs.scores.LabelLedger(y, s[:3])
    with pytest.raises(rs.InputError, match=r"lies between .* ask for bounds\('roc_auc'\)"):
        ledger["roc_auc"]
    with pytest.raises(rs.UnknownIndexError, match="at"):
        ledger.bounds("f1")
    assert "Bounds over all labels are known of roc_auc" in ledger.why("pr_auc_linear")
    with pytest.raises(rs.InputError, match="prevalence is"):
        ledger.bounds("roc_auc", prevalence=(0.5, 0.2))
    with pytest.raises(rs.InputError, match="such as 0 / 1 or 1 / 1"):
        ledger.bounds("roc_auc", prevalence=(0.2, 0.3))
    with pytest.raises(rs.InputError, match="threshold has shape"):
        ledger.at([0.2, 0.3])
    with pytest.raises(rs.InputError, match="0.8"):
        ledger.with_labels([1], [0.8])
    with pytest.raises(rs.InputError, match=r"unknown\[1\]"):
        rs.scores.LabelLedger.from_counts([0.1, 0.2], [1, 1], [1, 1], [1, -1])
    with pytest.raises(rs.InputError, match="pos_label"):
        rs.scores.LabelLedger([None, None], [0.1, 0.2])
    assert rs.scores.LabelLedger([None, None], [0.1, 0.2], pos_label=1).bounds("roc_auc").high == 1
    assert "no probabilities" in rs.scores.LabelLedger(y, [9, 8, 7, 6]).why("brier")
    with pytest.raises(rs.InputError, match="brier has no bounds here: The scores are no probabilities"):
        rs.scores.LabelLedger(y, [9, 8, 7, 6]).estimated("brier")
    assert "both classes" in rs.scores.LabelLedger([None], [0.5], pos_label=1).why("roc_auc")
    for data in (b"", ledger.to_bytes()[:-1], ledger.to_bytes() + b"0", rs.ScoreTable([0, 1], [0, 1]).to_bytes()):
        with pytest.raises(rs.InputError, match="not the bytes of a LabelLedger"):
            rs.scores.LabelLedger.from_bytes(data)


def test_shares_are_the_decimal_numbers_that_were_written():
    assert allowed((0.07, 0.29), 100) == (7, 29)
    assert allowed((0, 1), 2**60) == (0, 2**60)


def test_pairs_do_not_overflow():
    # As many rows as an int64 of twice the pairs just holds, in a few scores.
    scores, rows = np.arange(3.0), 2**31 - 10
    ledger = rs.scores.LabelLedger.from_counts(scores, [rows // 4, 0, 1], [1, rows // 4, 1], [0, rows // 2 - 4, 1])
    known, unknown = ledger._state
    placed = Placed.of(known, unknown)
    assert placed.reached.dtype == np.int64
    exact = Placed(
        *(
            column.astype(object)
            for column in (
                placed.above,
                placed.reached,
                placed.positives_above,
                placed.positives_reached,
                placed.negatives_above,
                placed.negatives_reached,
            )
        ),
        placed.positives,
        placed.negatives,
    )
    twice = (int(known._state.twice_area(), 16),) * 2
    assert area_bounds(placed, twice, 0, placed.unknown) == area_bounds(exact, twice, 0, placed.unknown)


def test_an_evaluation_notes_the_bounds_of_the_auc():
    rng = np.random.default_rng(8)
    s, y = rng.random((200, 2)), rng.integers(0, 2, 200).astype(float)
    y[:60] = np.nan
    found = rs.evaluate(y, {"old": s[:, 0], "new": s[:, 1]}, missing_labels="unknown")
    assert (found.rows, found.rows_left_out, len(found.notes)) == (140, 60, 2)
    assert found.models["new"].scores == rs.ScoreTable(y[60:], s[60:, 1])
    bounds = rs.scores.LabelLedger(y, s[:, 1]).estimated("roc_auc")
    assert (
        found.notes[1]
        == repr(bounds).partition("\n")[0].replace("auc", "auc of new").replace("labels", "labels of 200 rows")[:-1]
    )
    s[100, 0] = np.nan
    with pytest.raises(rs.InputError, match=r"100\] is NaN.*nan_policy='omit'"):
        rs.evaluate(y, s[:, 0], missing_labels="unknown")
    found = rs.evaluate(y, s[:, 0], missing_labels="unknown", nan_policy="omit")
    assert (found.rows, found.rows_left_out) == (139, 61)
    assert "60 unknown labels of 199 rows" in found.notes[0]
    assert rs.evaluate(y[60:], s[60:, 1], missing_labels="unknown").notes == ()
    for other in ({"nan_policy": "best"}, {"by": y}, {"sample_weight": np.ones(200)}, {"y_pred": y}):
        with pytest.raises(rs.InputError, match="expected nothing with missing_labels") as refused:
            rs.evaluate(y, s[:, 1], missing_labels="unknown", **other)
        assert refused.value.argument == next(iter(other))

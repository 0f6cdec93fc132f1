"""The label ledger of sketches: bounds against all labellings and all orders within cells, counts, parts."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs


def drawn(rng):
    rows = int(rng.integers(6, 13))
    s = rng.integers(0, int(rng.choice([3, 6, 1000])), rows) / 1000
    y = rng.integers(0, 2, rows).astype(object)
    y[rng.permutation(rows)[: rng.integers(0, 7)]] = None
    return y, s


def cells_of(s, cells):
    """The cell of each score, and whether the cell has several scores."""
    every = rs.ScoreSketch(np.zeros(len(s), bool), s, pos_label=True, labels=[False, True], cells=cells)
    edges = every.roc_curve().thresholds[1:][::-1]
    place = np.searchsorted(edges, s, side="right") - 1
    return place, np.array([len(set(s[place == each])) > 1 for each in place])


def area(labels, ranks):
    """The area under the ROC curve as a fraction, pair by pair; None without pairs."""
    up, down = ranks[labels == 1], ranks[labels == 0]
    if not len(up) or not len(down):
        return None
    return Fraction(int((1 + np.sign(up[:, None] - down)).sum()), 2 * len(up) * len(down))


def test_bounds_are_those_of_all_labels_and_all_orders_within_cells():
    rng = np.random.default_rng(0)
    open_cells = 0
    for _ in range(500):
        y, s = drawn(rng)
        budget = int(rng.integers(3, 9))
        ledger = rs.scores.SketchLedger(y, s, pos_label=1, cells=budget)
        unknown = np.flatnonzero([label is None for label in y])
        place, is_open = cells_of(s, budget)
        open_cells += is_open.any()
        share = None
        if len(unknown) and rng.random() < 0.4:
            share = sorted(rng.integers(0, len(unknown) + 1, 2).tolist())
        least, most = [], []
        for labels in itertools.product([0, 1], repeat=len(unknown)):
            if share is not None and not share[0] <= sum(labels) <= share[1]:
                continue
            whole = y.copy()
            whole[unknown] = labels
            whole = whole.astype(int)
            # A positive row of a cell with several scores is above all its negative rows, or below them.
            shift = np.where(is_open, whole, 0) / 2
            areas = [area(whole, place + shift), area(whole, place - shift)]
            if areas[0] is not None:
                most.append(areas[0])
                least.append(areas[1])
        found = ledger.bounds(
            "roc_auc", prevalence=None if share is None else (share[0] / len(unknown), share[1] / len(unknown))
        )
        if not least:
            assert found.why
            continue
        if len(unknown):
            assert found.low == pytest.approx(float(min(least)), abs=1e-15)
            assert found.high == pytest.approx(float(max(most)), abs=1e-15)
            assert found.low <= min(least)
            assert found.high >= max(most)
            assert found.kind == ("proven" if is_open.any() else "sharp")
    assert open_cells > 100


def test_an_exact_sketch_has_the_bounds_of_all_scores():
    rng = np.random.default_rng(1)
    s = rng.integers(0, 200, 5000) / 200
    y = (rng.random(5000) < s).astype(float)
    y[rng.random(5000) < 0.2] = np.nan
    sketched, exact = rs.scores.SketchLedger(y, s), rs.scores.LabelLedger(y, s)
    for name in ("roc_auc", "gini"):
        assert sketched.bounds(name) == exact.bounds(name)
        ends = sketched.bounds(name, prevalence=(0.2, 0.3)), exact.bounds(name, prevalence=(0.2, 0.3))
        assert ends[0] == ends[1]
    for threshold in (0.0, 0.333, 0.5, 0.995):
        assert sketched.at(threshold, side=">") == exact.at(threshold, side=">")
    assert (sketched.rows, sketched.unknown_rows, sketched.labels) == (exact.rows, exact.unknown_rows, (0, 1))


def test_parts_add_to_the_bytes_of_the_whole_and_hold_the_exact_bounds():
    rng = np.random.default_rng(2)
    s = rng.random(30_000) ** 3
    y = (rng.random(30_000) < s).astype(float)
    y[rng.random(30_000) < 0.1] = np.nan
    options = {"cells": 512, "thresholds": [0.2], "pos_label": 1}
    whole = rs.scores.SketchLedger(y, s, **options)
    parts = [rs.scores.SketchLedger(y[rows], s[rows], **options) for rows in np.array_split(rng.permutation(30_000), 7)]
    assert rs.merge(parts) == whole
    assert rs.merge(part.to_bytes() for part in parts).digest() == whole.digest()
    exact = rs.scores.LabelLedger(y, s)
    wide, sharp = whole.bounds("roc_auc"), exact.bounds("roc_auc")
    assert wide.low <= sharp.low <= sharp.high <= wide.high
    assert wide.width - sharp.width < 0.01
    assert whole.at(0.2) == exact.at(0.2)
    assert whole.at(0.2, prevalence=(0.1, 0.2)).bounds("f1") == exact.at(0.2, prevalence=(0.1, 0.2)).bounds("f1")


def test_what_is_refused_says_what_helps():
    rng = np.random.default_rng(3)
    s = rng.random(500)
    y = (rng.random(500) < s).astype(object)
    ledger = rs.scores.SketchLedger(y, s, cells=16)
    assert ledger["roc_auc"] if ledger.bounds("roc_auc").value else ledger.bounds("roc_auc").width > 0
    y[::5] = None
    ledger = rs.scores.SketchLedger(y, s, cells=16)
    with pytest.raises(rs.InputError, match=r"counts at threshold 0\.3 .* thresholds=\[0\.3\]"):
        ledger.at(0.3)
    assert rs.scores.SketchLedger(y, s, cells=16, thresholds=[0.3]).at(0.3).bounds("recall").low > 0
    with pytest.raises(rs.InputError, match=r"ask for bounds\('roc_auc'\)"):
        ledger["roc_auc"]
    assert "LabelLedger" in ledger.why("ks")
    with pytest.raises(rs.InputError, match=r"y_score\[5\] is NaN"):
        rs.scores.SketchLedger(y, np.where(np.arange(500) == 5, np.nan, s))
    with pytest.raises(rs.InputError, match=r"y_true\[2\] .* pass unknown_label="):
        rs.scores.SketchLedger([0, -1, 1], [0.1, 0.2, 0.3])
    with pytest.raises(rs.InputError, match="nan_policy is 'worst'"):
        rs.scores.SketchLedger(y, s, nan_policy="worst")
    with pytest.raises(TypeError, match="SketchLedger"):
        ledger - ledger
    with pytest.raises(rs.InputError, match="not the bytes of a SketchLedger"):
        rs.scores.SketchLedger.from_bytes(rs.scores.LabelLedger([0, 1], [0, 1]).to_bytes())
    assert math.isnan(rs.scores.SketchLedger([None], [0.5], pos_label=1).bounds("roc_auc").low)

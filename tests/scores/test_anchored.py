"""Counts around the scores of a rare class: the pairs of the rows in two passes, however these are cut."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.errors import InputError, InputTypeError, RocksteadyWarning, UnknownIndexError


def rows(seed, count=4000, ties=0):
    rng = np.random.default_rng(seed)
    y = rng.random(count) < 0.05
    s = rng.normal(y * 1.3)
    return y, np.round(s, ties) if ties else s


def parts_of(y, s, cuts, weights=None):
    edges = [0, *cuts, len(y)]
    for start, end in pairwise(edges):
        yield y[start:end], s[start:end], None if weights is None else weights[start:end]


@pytest.mark.parametrize("ties", [0, 1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_two_passes_have_the_pairs_of_the_rows(ties, weighted):
    y, s = rows(ties, ties=ties)
    weights = np.random.default_rng(9).integers(1, 7, len(y)) / 7 if weighted else None
    table = rs.ScoreTable(y, s, pos_label=True, sample_weight=weights)
    for cuts in ([1000], [13, 14, 3000], [500, 1500, 2500, 3500]):
        parts = list(parts_of(y, s, cuts, weights))
        anchors = sum(rs.ScoreAnchors(y, s, pos_label=True) for y, s, _ in parts)
        assert anchors == rs.ScoreAnchors(y, s, pos_label=True)
        assert len(anchors) == len(np.unique(s[y]))
        counts = [rs.AnchoredCounts(anchors, y, s, sample_weight=w) for y, s, w in parts]
        total = sum(reversed(counts))
        assert total == rs.AnchoredCounts(anchors, y, s, sample_weight=weights)
        assert (total.rows, total.positives, total.negatives) == (table.rows, table.positives, table.negatives)
        for name in total.names:
            assert total[name] == pytest.approx(table[name], abs=1e-13), name
            if not weighted and name in ("roc_auc", "gini", "ks", "concordant_share", "tied_share"):
                assert total[name] == table[name], name


def test_types_and_policies_are_those_of_a_table():
    y, s = rows(5)
    s[::50], s[::51] = np.nan, np.inf
    for policy in ("omit", "worst", "best"):
        how = {"nan_policy": policy, "infinite": "allow"}
        anchors = rs.ScoreAnchors(y, s, pos_label=True, **how)
        assert rs.AnchoredCounts(anchors, y, s, **how)["roc_auc"] == rs.ScoreTable(y, s, **how)["roc_auc"]
    s = np.nan_to_num(s, posinf=1.0)
    for dtype in (np.float32, np.float16):
        single = s.astype(dtype)
        anchors = rs.ScoreAnchors(y, single, pos_label=True)
        assert rs.AnchoredCounts(anchors, y, single)["roc_auc"] == rs.ScoreTable(y, single)["roc_auc"]
        wide = rs.ScoreAnchors(y, single.astype(float), pos_label=True)
        assert rs.AnchoredCounts(wide, y, single)["roc_auc"] == rs.ScoreTable(y, single)["roc_auc"]
        with pytest.raises(InputTypeError, match="go with the anchors"):
            rs.AnchoredCounts(anchors, y, s)


def test_a_collector_takes_both_passes():
    y, s = rows(6)
    parts = list(parts_of(y, s, range(100, 4000, 100)))
    collector = rs.AnchoredCollector(pos_label=True)
    for early in (collector.anchors, collector.second_pass):
        with pytest.raises(InputError, match=r"no rows; update\(\) takes them"):
            early()
    for y_part, s_part, _ in parts:
        collector.update(y_part, s_part)
    assert "first pass" in repr(collector)
    with pytest.raises(InputError, match=r"second_pass\(\) and then update\(\) take them"):
        collector.counts()
    collector.second_pass()
    assert "second pass: 0 rows" in repr(collector)
    for y_part, s_part, _ in parts:
        collector.update(y_part, s_part)
    assert "second pass: 4000 rows" in repr(collector)
    assert collector.counts()["roc_auc"] == rs.ScoreTable(y, s)["roc_auc"]


def test_what_does_not_belong_together_is_refused():
    y, s = rows(7)
    anchors = rs.ScoreAnchors(y, s, pos_label=True)
    half = rs.ScoreAnchors(y[:2000], s[:2000], pos_label=True)
    with pytest.raises(InputError, match="a score that the first pass has gathered"):
        rs.AnchoredCounts(half, y, s)
    part = rs.AnchoredCounts(anchors, y[:2000], s[:2000])
    with pytest.raises(InputError, match="has not met"):
        part["roc_auc"]
    with pytest.raises(InputError, match="other anchors"):
        part + rs.AnchoredCounts(half, y[:2000], s[:2000])
    with pytest.raises(InputError, match="pos_label is None"):
        rs.ScoreAnchors(y, s, pos_label=None)
    with pytest.raises(InputError, match="anchors is without a row"):
        rs.AnchoredCounts(rs.ScoreAnchors([0, 0], [0.1, 0.2], pos_label=1), y, s)
    with pytest.raises(InputTypeError, match="anchors is"):
        rs.AnchoredCounts(rs.ScoreTable(y, s), y, s)
    with pytest.raises(InputTypeError, match="after the first pass"):
        anchors["roc_auc"]
    with pytest.raises(UnknownIndexError, match="not exact for counts around"):
        rs.AnchoredCounts(anchors, y, s)["brier"]
    with pytest.raises(InputError, match="not the bytes of a AnchoredCounts"):
        rs.AnchoredCounts.from_bytes(anchors.to_bytes())


def test_a_class_that_is_not_rare_gets_a_warning():
    y, s = [0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4]
    counts = rs.AnchoredCounts(rs.ScoreAnchors(y, s, pos_label=1), y, s)
    with pytest.warns(RocksteadyWarning, match="not the rare one"):
        assert counts["roc_auc"] == 1.0

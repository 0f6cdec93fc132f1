"""Label ledgers by group: each is the ledger of its rows alone, parts add, groups join, refusals name rows."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs


def drawn(seed, rows=400):
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 50, rows) / 50
    y = (rng.random(rows) < s).astype(object)
    y[rng.random(rows) < 0.25] = None
    return y, s, np.array(["north", "south", "west"])[rng.integers(0, 3, rows)], rng.integers(0, 2, rows)


@pytest.mark.parametrize("name", ["roc_auc", "gini", "average_precision", "ks", "brier", "log_loss"])
def test_each_group_has_the_bounds_of_its_rows_alone(name):
    y, s, region, _ = drawn(0)
    by = rs.group_by(y, y_score=s, by=region, missing_labels="unknown")
    for prevalence in (None, (0.0, 0.5)):
        table = by.bounds(name, prevalence=prevalence).to_dict()
        for place, key in enumerate(["north", "south", "west"]):
            alone = rs.scores.LabelLedger(y[region == key], s[region == key])
            found = alone.bounds(name, prevalence=prevalence)
            assert (table["low"][place], table["high"][place]) == (found.low, found.high)
            assert table["unknown"][place] == alone.unknown_rows
            assert by.ledger(key) == alone
    assert by.ledger() == rs.scores.LabelLedger(y, s)
    assert by.keys["group"].tolist() == ["north", "south", "west"]


def test_a_share_that_no_number_of_rows_has():
    by = rs.group_by(
        [1, 0, None, 1, 0, None, None], y_score=np.arange(7) / 7, by=[*"aaabbbb"], missing_labels="unknown"
    )
    table = by.bounds("roc_auc", prevalence=(0.4, 0.6)).to_dict()
    assert np.isnan(table["low"][0])
    assert "whole number of the 1 rows" in table["note"][0]
    assert table["low"][1] <= table["high"][1]
    with pytest.raises(rs.InputError, match="prevalence is"):
        by.bounds("roc_auc", prevalence=(0.6, 0.4))


def test_counts_at_a_threshold():
    y, s, region, _ = drawn(1)
    table = rs.group_by(y, y_score=s, by=region, missing_labels="unknown").bounds("recall", threshold=0.4).to_dict()
    for place, key in enumerate(["north", "south", "west"]):
        found = rs.scores.LabelLedger(y[region == key], s[region == key]).at(0.4).bounds("recall")
        assert (table["low"][place], table["high"][place]) == (found.low, found.high)


def test_parts_add_and_groups_join_to_the_bytes_of_the_whole():
    y, s, region, sex = drawn(2)
    keys = {"region": region, "sex": sex}

    def of(rows):
        own = {name: column[rows] for name, column in keys.items()}
        return rs.group_by(y[rows], y_score=s[rows], by=own, pos_label=True, missing_labels="unknown")

    whole = of(slice(None))
    parts = [of(rows) for rows in np.array_split(np.random.default_rng(3).permutation(len(y)), 6)]
    assert rs.merge(parts) == whole
    assert rs.merge(part.to_bytes() for part in parts) == whole
    assert rs.merge(parts[1:]) == whole - parts[0]
    assert whole.over("region") == rs.group_by(
        y, y_score=s, by={"region": region}, pos_label=True, missing_labels="unknown"
    )
    assert (whole.rows, whole.unknown_rows) == (len(y), sum(label is None for label in y))
    assert whole.sizes.sum() == len(y)


def test_groups_without_unknown_or_without_known_labels_are_there():
    by = rs.group_by(
        [1, 0, None, None], y_score=[0.9, 0.1, 0.4, 0.6], by=["a", "a", "b", "b"], missing_labels="unknown"
    )
    table = by.bounds("roc_auc").to_dict()
    assert (table["group"], table["unknown"]) == (["a", "b"], [0, 2])
    assert (table["low"], table["high"]) == ([1.0, 0.0], [1.0, 1.0])
    assert table["note"] == [None, "It may be undefined."]
    assert by.ledger().unknown_rows == 2
    known = rs.group_by([1, 0], y_score=[0.9, 0.1], by=["a", "b"], missing_labels="unknown")
    assert known.ledger()["roc_auc"] == 1
    assert known.ledger("a").rows == 1
    assert rs.results.LedgerGroups.empty(pos_label=1).ledger().rows == 0
    with pytest.raises(rs.InputError, match="no label of y_true is known"):
        rs.group_by([None, None], y_score=[0.1, 0.2], by=[1, 2], missing_labels="unknown")


def test_refusals_name_the_row_of_the_call():
    y, s, by = [1, None, 0, None], [0.9, 0.1, 0.4, 0.6], ["a", "a", "b", "b"]
    for place in (1, 2):
        scores = [*s[:place], float("nan"), *s[place + 1 :]]
        with pytest.raises(rs.InputError, match=rf"y_score\[{place}\] is NaN"):
            rs.group_by(y, y_score=scores, by=by, missing_labels="unknown")
        left = rs.group_by(y, y_score=scores, by=by, pos_label=1, nan_policy="omit", missing_labels="unknown")
        assert (left.rows, len(left)) == (3, 2)
    with pytest.raises(rs.InputError, match=r"y_true\[3\] is 7.*make it None"):
        rs.group_by([1, None, 0, 7], y_score=s, by=by, missing_labels="unknown")
    for argument, value in (("threshold", 0.5), ("sample_weight", [1, 1, 1, 1]), ("labels", [0, 1]), ("y_pred", y)):
        with pytest.raises(rs.InputError, match=rf"{argument} is .*missing_labels"):
            rs.group_by(y, y_score=s, by=by, missing_labels="unknown", **{argument: value})
    found = rs.group_by(y, y_score=s, by=by, missing_labels="unknown")
    with pytest.raises(rs.UnknownIndexError, match=r"bounds\('f1', threshold="):
        found.bounds("f1")
    with pytest.raises(rs.InputError, match=r"ask for bounds\('f1', threshold=0\.5\)"):
        found["f1"]
    with pytest.raises(rs.InputError, match=r"ask for bounds\('gini'\)"):
        found["gini"]
    with pytest.raises(rs.InputError, match="key is 'c'"):
        found.ledger("c")

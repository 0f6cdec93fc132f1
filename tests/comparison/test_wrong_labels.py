"""What wrong labels could do: against all labels of a few rows, by hand, and at a million rows."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import rocksteady as rs

INDICES = ["accuracy", "error_rate", "f1", "recall", "precision", "mcc", "balanced_accuracy", "jaccard"]


def pair(y, a, b, **given):
    return rs.inference.compare_labels(y, {"a": a, "b": b}, labels=[0, 1], **given).pairs["a", "b"]


def labellings(y):
    """All labels of the rows, by the number that is changed."""
    for labels in sorted(itertools.product([0, 1], repeat=len(y)), key=lambda labels: (np.array(labels) != y).sum()):
        yield np.array(labels), int((np.array(labels) != y).sum())


def value(y, predicted, name):
    return rs.ConfusionMatrix(y, predicted, labels=[0, 1])[name]


def least(y, a, b, name):
    """The least number of other labels after which the worse model is as good, by trying all of them."""
    sign = -1 if name == "error_rate" else 1
    now = sign * (value(y, a, name) - value(y, b, name))
    if math.isnan(now):
        return None
    for labels, changed in labellings(y):
        gap = sign * (value(labels, a, name) - value(labels, b, name))
        if gap * (1 if now >= 0 else -1) <= 1e-12:
            return changed
    return math.inf


@pytest.mark.parametrize("name", INDICES)
def test_fragility_is_the_least_number_of_all_labels_of_nine_rows(name):
    rng = np.random.default_rng(0)
    tried = 0
    for _ in range(12):
        y, a, b = rng.integers(0, 2, (3, 9))
        expected = least(y, a, b, name)
        if expected is None:
            with pytest.raises(rs.InputError, match="undefined"):
                rs.comparison.fragility(pair(y, a, b), name)
            continue
        tried += 1
        found = rs.comparison.fragility(pair(y, a, b), name)
        if expected is math.inf:
            assert not found.is_exact
        else:
            assert (found.rows, found.is_exact) == (expected, True), (y, a, b)
        for model, there in ((found.better, found.better_value), (found.worse, found.worse_value)):
            assert there == pytest.approx(value(y, a if model == "a" else b, name), rel=1e-14, abs=1e-15)
    assert tried >= 6


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("wrong", [0, 1, 3, 9])
def test_the_range_is_that_of_all_labels_of_nine_rows(name, wrong):
    rng = np.random.default_rng(wrong)
    y, predicted = rng.integers(0, 2, (2, 9))
    values = [value(labels, predicted, name) for labels, changed in labellings(y) if changed <= wrong]
    values = [each for each in values if not math.isnan(each)]
    cm = rs.ConfusionMatrix(y, predicted, labels=[0, 1])
    assert rs.comparison.if_wrong(cm, name, wrong) == pytest.approx((min(values), max(values)), rel=1e-14, abs=1e-14)


def areas(labels, scores):
    """The area for each row of labels, by comparing pairs; NaN of one class."""
    labels = np.asarray(labels, float)
    apart = np.sign(np.subtract.outer(scores, scores)) / 2 + 0.5
    pairs = ((labels @ apart) * (1 - labels)).sum(axis=1)
    positives = labels.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return pairs / (positives * (labels.shape[1] - positives))


def every_label(rows):
    return np.array(list(itertools.product([0, 1], repeat=rows)))


def test_areas_are_exact_against_all_labels_of_a_thousand_cases():
    rng = np.random.default_rng(3)
    every = {rows: every_label(rows) for rows in range(3, 10)}
    for _ in range(1_000):
        rows = int(rng.integers(3, 10))
        y = every[rows][rng.integers(1, 2**rows - 1)]
        a, b = rng.integers(0, rng.choice([3, 50]), (2, rows)) / 4
        changed = (every[rows] != y).sum(axis=1)
        first, second = areas(every[rows], a), areas(every[rows], b)
        most = int(rng.integers(0, rows + 1))
        low, high = rs.comparison.if_wrong(rs.ScoreTable(y, a, pos_label=1), "roc_auc", most)
        there = first[(changed <= most) & ~np.isnan(first)]
        assert (low, high) == pytest.approx((there.min(), there.max()), abs=1e-14)
        found = rs.comparison.area_fragility(y, {"a": a, "b": b}, pos_label=1)
        now = int(np.flatnonzero(changed == 0)[0])
        ahead = first - second if first[now] >= second[now] else second - first
        least = changed[ahead <= 1e-12].min()
        assert (found.rows, found.all_rows, found.is_exact) == (least, rows, True), (y, a, b)
        assert (found.better_value, found.worse_value) == pytest.approx(
            sorted([first[now], second[now]], reverse=True), abs=1e-14
        )
        assert bool(found.where) == bool(least)


def test_areas_of_wider_tables_and_what_they_refuse():
    rng = np.random.default_rng(4)
    y, s = rng.integers(0, 2, 2_000), rng.normal(size=2_000)
    table = rs.ScoreTable(y, s)
    low, high = rs.comparison.if_wrong(table, "gini", 20)
    area = rs.comparison.if_wrong(table, "roc_auc", 20)
    assert (low, high) == pytest.approx((2 * area[0] - 1, 2 * area[1] - 1))
    assert rs.comparison.if_wrong(table, "roc_auc", 0) == pytest.approx([table["roc_auc"]] * 2, abs=1e-15)
    many = rs.ScoreTable.from_counts([0.1, 0.4, 0.9], [2**58, 2**57, 2**59], [2**59, 2**57, 2**55])
    low, high = rs.comparison.if_wrong(many, "roc_auc", 1_000)
    assert low == pytest.approx(high) == pytest.approx(many["roc_auc"])
    with pytest.raises(rs.InputError, match="index is f1; expected roc_auc or gini"):
        rs.comparison.if_wrong(table, "f1", 3)
    with pytest.raises(rs.InputError, match="weights"):
        rs.comparison.if_wrong(rs.ScoreTable(y, s, sample_weight=y + 1), "roc_auc", 3)
    assert all(
        math.isnan(each) for each in rs.comparison.if_wrong(rs.ScoreTable([1], [0.2], pos_label=1), "roc_auc", 1)
    )
    with pytest.raises(rs.InputError, match="y_true has one class"):
        rs.comparison.area_fragility([1, 1], {"a": [1, 2], "b": [2, 1]}, pos_label=1)
    with pytest.raises(rs.InputError, match="the scores of two models"):
        rs.comparison.area_fragility([1, 0], {"a": [1, 2]})
    with pytest.raises(rs.InputError, match=r"y_score\['a'\]\[1\] is NaN"):
        rs.comparison.area_fragility([1, 0], {"a": [1, math.nan], "b": [2, 1]})
    words = rs.comparison.area_fragility(["no", "yes", "yes", "no"] * 5, {"a": range(20), "b": [*range(19, -1, -1)]})
    assert words.rows == 0
    assert "are equal" in repr(words)


def test_where_the_rows_are():
    y = [0, 0, 0, 1, 1, 1]
    found = rs.comparison.area_fragility(y, {"good": [1, 2, 3, 4, 5, 6], "bad": [3, 1, 2, 5, 4, 0]})
    assert "1 positive where 'good' is 6 to 6" in repr(found)
    table = pair([0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 0])
    assert rs.comparison.fragility(table).where == "1 that only 'a' has right"
    assert "only 'a' calls 1, which is not its label then" in rs.comparison.fragility(table, "f1").where


def test_the_positive_class_may_be_the_lesser_label():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 60)
    scores = {"a": y + rng.normal(size=60), "b": y + 2 * rng.normal(size=60)}
    expected = rs.comparison.area_fragility(y, scores)
    for labels, positive in ((1 - y, 0), (np.where(y, "n", "y"), "n"), (y == 0, False)):
        assert rs.comparison.area_fragility(labels, scores, pos_label=positive) == expected
    with pytest.raises(rs.InputError, match="neither end of rpp is better"):
        rs.comparison.fragility(pair(y, y, 1 - y), "rpp")


def test_a_million_rows():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 1_000_000)
    a, b = (np.where(rng.random(len(y)) < share, y, 1 - y) for share in (0.9, 0.88))
    table = pair(y, a, b)
    _, first, second, _ = table.agreement
    found = rs.comparison.fragility(table)
    assert found.rows == math.ceil((first - second) / 2)
    assert found.better == "a"
    assert "%" in repr(found)
    far = rs.comparison.fragility(table, "f1", most=5)
    assert (far.rows, far.is_exact) == (5, False)
    assert "No 5 of 1000000 labels" in repr(far)
    low, high = rs.comparison.if_wrong(rs.ConfusionMatrix(y, a), "f1", 500)
    assert low < rs.ConfusionMatrix(y, a)["f1"] < high


def test_accuracy_of_several_classes():
    y, a, b = [0, 1, 2, 2, 1, 0], [0, 1, 2, 2, 1, 1], [0, 2, 1, 2, 0, 1]
    table = rs.inference.compare_labels(y, {"a": a, "b": b}).pairs["a", "b"]
    assert rs.comparison.fragility(table).rows == 2  # three rows that only a has right
    assert rs.comparison.fragility(table, "error_rate").better == "a"
    with pytest.raises(rs.InputError, match="3 classes; expected two"):
        rs.comparison.fragility(table, "f1")


def test_what_is_refused():
    y, a, b = np.array([[0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0]])
    with pytest.raises(rs.InputError, match="weights"):
        rs.comparison.fragility(pair(y, a, b, sample_weight=[0.5, 1, 1, 1]))
    with pytest.raises(rs.InputError, match="weights"):
        rs.comparison.fragility(pair(y, a, b, sample_weight=[1, 1, 1, 1], weight_kind="sampling"))
    with pytest.raises(rs.InputTypeError, match="PairTable"):
        rs.comparison.fragility(rs.ConfusionMatrix(y, a))
    with pytest.raises(rs.InputError, match="most is 41; expected a number of labels, 1 to 40"):
        rs.comparison.fragility(pair(y, a, b), "f1", most=41)
    with pytest.raises(rs.InputError, match="2001"):
        rs.comparison.if_wrong(rs.ConfusionMatrix(y, a), "f1", 2001)
    with pytest.raises(rs.InputError, match="several tables"):
        rs.comparison.if_wrong(rs.Counts([1, 2], [1, 2], [1, 2], [1, 2]), "f1", 1)
    with pytest.raises(rs.InputError, match="classes"):
        rs.comparison.if_wrong(rs.ConfusionMatrix([0, 1, 2], [0, 1, 2]), "f1", 1)
    with pytest.raises(rs.InputError, match="weights"):
        rs.comparison.if_wrong(rs.Counts(1.5, 1, 1, 1), "f1", 1)
    with pytest.raises(rs.UnknownIndexError):
        rs.comparison.if_wrong(rs.Counts(1, 1, 1, 1), "roc_auc", 1)
    assert all(math.isnan(each) for each in rs.comparison.if_wrong(rs.Counts(0, 0, 0, 0), "f1", 1))
    same = rs.comparison.fragility(pair(y, a, a), "f1")
    assert (same.rows, same.is_exact) == (0, True)
    assert "are equal" in repr(same)

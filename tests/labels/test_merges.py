"""Merges of classes: against all merges by `collapse`, tails as fractions, and the share of false merges."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs

LABELS = ["a", "b", "c", "d", "e", "f"]


def draw(rng, most=6):
    classes = int(rng.integers(2, most + 1))
    cells = rng.integers(0, 6, (classes, classes)) * (rng.random((classes, classes)) < 0.8)
    cells[0, 0] += 1
    return rs.ConfusionMatrix.from_counts(cells, labels=LABELS[:classes])


def tail(cm, one, two):
    """The binomial upper tail, term by term."""
    cells = cm.to_array().astype(int)
    actual, called = cells.sum(axis=1), cells.sum(axis=0)
    wrong, confused = int(cells.sum() - np.trace(cells)), int(cells[one, two] + cells[two, one])
    if not wrong:
        return Fraction(1)
    pair = int(actual[one] * called[two] + actual[two] * called[one])
    share = Fraction(pair, int(cells.sum() ** 2 - actual @ called)) if pair else Fraction(0)
    return sum(math.comb(wrong, k) * share**k * (1 - share) ** (wrong - k) for k in range(confused, wrong + 1))


def merged(cm, one, two):
    labels = list(cm.labels)
    name = " + ".join(sorted(labels[one].split(" + ") + labels[two].split(" + ")))
    return cm.collapse({name: [labels[one], labels[two]]})


def order(cm, name):
    """What orders matrices as the index does, exactly where it is a fraction; NaN is the least."""
    sign = -1 if name in ("error_rate", "cen") else 1
    value = cm.value(name)
    if math.isnan(value) or cm.why(name):
        return -math.inf
    try:
        return sign * cm.exact(name)
    except rs.InputError:
        return sign * round(value, 11)


@pytest.mark.parametrize("name", ["accuracy", "error_rate", "kappa", "mcc", "mutual_information", "cen", "rand_index"])
def test_each_step_is_the_best_of_all_merges(name):
    rng = np.random.default_rng(0)
    for _ in range(150):
        cm = draw(rng)
        found, now = cm.merges(name), cm
        assert found.value[0] == pytest.approx(cm[name], nan_ok=True)
        for step in range(1, len(found)):
            labels = list(now.labels)
            pairs = [(i, j) for i in range(len(labels)) for j in range(i + 1, len(labels))]
            values = [order(merged(now, *pair), name) for pair in pairs]
            one, two = labels.index(found.first[step]), labels.index(found.second[step])
            best = max(values)
            if best > -math.inf:
                assert values[pairs.index((one, two))] >= best - (1e-10 if isinstance(best, float) else 0)
                if name in ("accuracy", "kappa", "error_rate"):
                    assert (one, two) == pairs[values.index(best)], (cm, step)
            assert found.p_value[step] == pytest.approx(min(1, float(tail(now, one, two)) * len(pairs)), rel=1e-9)
            cells = now.to_array().astype(int)
            assert found.confused[step] == cells[one, two] + cells[two, one]
            now = merged(now, one, two)
            assert found.classes[step] == len(now.labels)
            assert found.accuracy[step] == pytest.approx(now["accuracy"])
            if len(now.labels) > 1:
                assert found.value[step] == pytest.approx(now[name], abs=1e-12, nan_ok=True)
                assert found.information[step] == pytest.approx(now["mutual_information"], abs=1e-12)
            assert cm.collapse(found.members(int(found.classes[step]))) == now


@pytest.mark.parametrize("name", ["accuracy", "error_rate", "kappa", "mcc", "mutual_information", "cen"])
def test_every_pair(name):
    rng = np.random.default_rng(1)
    for _ in range(60):
        cm = draw(rng)
        if len(cm.labels) == 2:
            continue
        tails, rows = {}, cm.merges(name).pairs.rows
        for first, second, confused, value, won, lost, _ in rows:
            one, two = LABELS.index(first), LABELS.index(second)
            after = merged(cm, one, two)
            assert value == pytest.approx(after[name] if not after.why(name) else value, abs=1e-12, nan_ok=True)
            assert won == pytest.approx(after["accuracy"] - cm["accuracy"], abs=1e-12)
            assert lost == pytest.approx(cm["mutual_information"] - after["mutual_information"], abs=1e-12)
            assert confused == round(won * cm.rows)
            tails[first, second] = float(tail(cm, one, two))
        ordered, holm, greatest = sorted(tails, key=tails.get), {}, 0.0
        for place, pair in enumerate(ordered):
            greatest = holm[pair] = max(greatest, min(1.0, tails[pair] * (len(ordered) - place)))
        assert [row[6] for row in rows] == pytest.approx([holm[row[0], row[1]] for row in rows], rel=1e-9)
        values = [row[3] for row in rows if row[3] == row[3]]
        assert values == sorted(values, reverse=name not in ("error_rate", "cen"))


@pytest.mark.parametrize("name", ["kappa", "mutual_information"])
def test_two_hundred_classes_within_a_second(name):
    rng = np.random.default_rng(2)
    cm = rs.ConfusionMatrix.from_counts(rng.poisson(2, (200, 200)) + np.diag(rng.poisson(300, 200)))
    begun = time.process_time()
    found = cm.merges(name)
    assert time.process_time() - begun < 3  # 0.2 and 0.6 s
    assert len(found) == 200
    assert found.accuracy[-1] == 1


def test_kappa_rises_where_a_pair_is_confused_more_than_expected():
    rng = np.random.default_rng(3)
    for _ in range(200):
        cm = draw(rng)
        cells = cm.to_array().astype(int)
        actual, called, rows = cells.sum(axis=1), cells.sum(axis=0), int(cells.sum())
        wrong, chance = rows - int(np.trace(cells)), rows**2 - int(actual @ called)
        for i in range(len(cells)):
            for j in range(i + 1, len(cells)):
                after = merged(cm, i, j)
                if len(cells) > 2 and not after.why("kappa") and not cm.why("kappa"):
                    expected = Fraction(int(wrong * (actual[i] * called[j] + actual[j] * called[i])), chance)
                    assert (after.exact("kappa") > cm.exact("kappa")) == (cells[i, j] + cells[j, i] > expected)


def guesses(rng, rows, classes, known):
    """Rows of classes that are known, or guessed in proportion to their sizes."""
    shares = rng.dirichlet(np.full(classes, 3.0))
    actual, guess = (rng.choice(classes, rows, p=shares) for _ in range(2))
    return actual, np.where(rng.random(rows) < known, actual, guess)


def test_few_merges_where_all_confusion_is_chance():
    rng = np.random.default_rng(4)
    false = sum(
        rs.ConfusionMatrix(*guesses(rng, 1000, 8, 0.7), labels=range(8)).merges().p_value[1] < 0.05 for _ in range(400)
    )
    assert false <= 0.05 * 400 + 3 * math.sqrt(400 * 0.05 * 0.95)


def test_the_stop_finds_the_classes_that_were_split():
    rng = np.random.default_rng(5)
    found = []
    for _ in range(40):
        actual, called = guesses(rng, 4000, 6, 0.8)
        halves = [np.where(each == 5, rng.integers(5, 7, len(each)), each) for each in (actual, called)]
        found.append(rs.ConfusionMatrix(*halves, labels=range(7)).merges().stops_at())
    assert np.mean(np.array(found) == 6) > 0.85


def test_counts_of_any_size():
    cells = [[2**58, 3, 2**50], [5, 2**59, 1], [2**51, 7, 2**57]]
    cm = rs.ConfusionMatrix.from_counts(cells)
    for name in ("kappa", "mcc", "accuracy", "mutual_information"):
        found = cm.merges(name)
        assert (found.first[1], found.second[1]) == ("0", "2")
        assert found.value[1] == pytest.approx(cm.collapse(found.members(2))[name])


def test_labels_and_what_leaves():
    cm = rs.ConfusionMatrix.from_counts([[5, 4, 0], [3, 6, 0], [1, 0, 8]])
    found = cm.merges()
    assert found.members(3) == {"0": [0], "1": [1], "2": [2]}
    assert cm.collapse(found.members(1)).labels == ("0 + 1 + 2",)
    assert set(found.to_dict()) == {*found.summary().columns, "index", "pairs"}
    assert "kappa from 3 classes to one; confused more than chance down to 2" in repr(found)
    assert found == cm.merges("cohen_kappa")
    assert rs.ConfusionMatrix.from_counts([[5, 0], [0, 6]]).merges().stops_at() == 2


def test_what_is_refused():
    cm = rs.ConfusionMatrix.from_counts([[5, 4, 0], [3, 6, 0], [1, 0, 8]])
    with pytest.raises(rs.InputError, match="1 classes; expected 2 to 500"):
        rs.ConfusionMatrix([1], [1]).merges()
    with pytest.raises(rs.InputError, match=r"41 classes; expected 2 to 40 for cen \(accuracy, .* take 500"):
        rs.ConfusionMatrix.from_counts(np.eye(41)).merges("cen")
    with pytest.raises(rs.InputError, match="weights; expected whole rows"):
        rs.ConfusionMatrix.from_counts([[0.5, 1], [1, 1]]).merges()
    with pytest.raises(rs.InputError, match="no rows"):
        rs.ConfusionMatrix.empty(labels=[0, 1]).merges()
    with pytest.raises(rs.UnknownIndexError):
        cm.merges("roc_auc")
    with pytest.raises(rs.UnknownIndexError):
        cm.merges("f1")
    with pytest.raises(rs.InputError, match="classes is 4; expected a number of classes, 1 to 3"):
        cm.merges().members(4)
    with pytest.raises(rs.InputError, match="level"):
        cm.merges().stops_at(1)
    same = rs.ConfusionMatrix.from_counts([[5, 4, 0], [3, 6, 0], [1, 0, 8]], labels=["a", "b", "a + b"]).merges()
    with pytest.raises(rs.InputError, match="two classes would have one name"):
        same.members(2)

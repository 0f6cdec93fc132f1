"""Why an index changed: against plain sums over all orders as fractions, bootstrap errors, and the whole change."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs

explain = rs.comparison.explain_change


def accuracy(cells, classes):
    return sum(cells[k, k] for k in range(classes)) / sum(cells.values())


def kappa(cells, classes):
    whole = sum(cells.values())
    rows, columns = (
        [sum(mass for kind, mass in cells.items() if kind[side] == k) for k in range(classes)] for side in (0, 1)
    )
    chance = sum(r * c for r, c in zip(rows, columns, strict=True)) / whole**2
    return (accuracy(cells, classes) - chance) / (1 - chance) if chance != 1 else None


def f1(cells, _):
    return (
        2 * cells[1, 1] / (2 * cells[1, 1] + cells[0, 1] + cells[1, 0])
        if cells[1, 1] + cells[0, 1] + cells[1, 0]
        else None
    )


FORMULAS = {"accuracy": accuracy, "kappa": kappa, "f1": f1}


def shares(rows):
    """Of rows (group, actual, called): the shares of groups, of classes in them, and of calls in these."""
    groups, kinds, cells = Counter(g for g, _, _ in rows), Counter((g, y) for g, y, _ in rows), Counter(rows)
    return (
        {g: Fraction(n, len(rows)) for g, n in groups.items()},
        {(g, y): Fraction(n, groups[g]) for (g, y), n in kinds.items()},
        {(g, y, c): Fraction(n, kinds[g, y]) for (g, y, c), n in cells.items()},
    )


def pooled(before, after, state):
    """The mass of each cell where each factor is that of one of the two sets; what one set lacks is that of the other."""
    sets = [shares(before), shares(after)]
    sizes = sets[state[0]][0]
    found = {}
    for g, size in sizes.items():
        classes = sets[state[1]] if g in sets[state[1]][0] else sets[1 - state[1]]
        for (group, y), share in classes[1].items():
            if group == g:
                calls = sets[state[2]] if (g, y) in sets[state[2]][1] else sets[1 - state[2]]
                for (one, actual, c), part in calls[2].items():
                    if (one, actual) == (g, y):
                        found[g, y, c] = size * share * part
    return found


def shapley(value, factors):
    value = functools.cache(value)
    parts = [Fraction(0)] * factors
    orders = list(itertools.permutations(range(factors)))
    for order in orders:
        state = [0] * factors
        for factor in order:
            low = value(tuple(state))
            state[factor] = 1
            parts[factor] += (value(tuple(state)) - low) / len(orders)
    return parts


def grouped(rows, classes):
    g, y, p = zip(*rows, strict=True)
    return rs.group_by(list(y), list(p), by=list(g), labels=list(range(classes)))


def draw(rng, classes, rows):
    groups = rng.choice(4, rng.integers(1, 4), replace=False)
    return [
        tuple(map(int, row)) for row in zip(rng.choice(groups, rows), *rng.integers(0, classes, (2, rows)), strict=True)
    ]


@pytest.mark.parametrize("name", FORMULAS)
def test_the_parts_are_those_of_all_orders(name):
    rng = np.random.default_rng(1)
    tried = 0
    for case in range(340):
        classes = 2 if name == "f1" else 2 + case % 3
        before, after = (draw(rng, classes, int(rng.integers(4, 30))) for _ in range(2))

        def value(state, before=before, after=after, classes=classes):
            cells = Counter()
            for (_, y, c), mass in pooled(before, after, state).items():
                cells[y, c] += mass
            return FORMULAS[name](cells, classes)

        try:
            expected = shapley(value, 3)
        except TypeError:  # undefined in between
            continue
        tried += 1
        found = explain(grouped(before, classes), grouped(after, classes), name)
        assert list(found.exact) == expected, (before, after)
        assert sum(found.exact) == value((1, 1, 1)) - value((0, 0, 0))
        assert found.value == pytest.approx([float(part) for part in expected], rel=1e-15, abs=0)
        for place, part in enumerate(found.part):
            assert sum(row[3 + place] for row in found.by_group.rows) == pytest.approx(found[part], abs=1e-12)
    assert tried > 300


def areas(cells):
    """The share of the pairs that are won within groups, and across, of all pairs."""
    won = {True: Fraction(0), False: Fraction(0)}
    for (g, y, s), mass in cells.items():
        for (other, actual, score), less in cells.items():
            if y == 1 and actual == 0:
                won[g == other] += mass * less * (Fraction(int(s > score)) + Fraction(int(s == score), 2))
    sizes = [sum(mass for (_, y, _), mass in cells.items() if y == actual) for actual in (0, 1)]
    return {key: each / (sizes[0] * sizes[1]) for key, each in won.items()} if all(sizes) else None


def test_the_parts_of_the_area_are_those_of_all_orders_and_pairs():
    rng = np.random.default_rng(2)
    tried = 0
    for _ in range(200):
        sets = []
        for _ in range(2):
            rows = int(rng.integers(6, 20))
            groups = rng.choice(4, rng.integers(1, 4), replace=False)
            columns = rng.choice(groups, rows), rng.integers(0, 2, rows), rng.integers(0, 5, rows)
            sets.append([tuple(map(int, row)) for row in zip(*columns, strict=True)])

        def value(state, sets=sets):
            mix, prevalence, within, across = state
            own = areas(pooled(*sets, (mix, prevalence, within)))
            others = areas(pooled(*sets, (mix, prevalence, across)))
            return own[True] + others[False]

        try:
            expected = shapley(value, 4)
        except TypeError:
            continue
        tried += 1
        before, after = (
            rs.group_by(
                [y for _, y, _ in rows],
                y_score=[s for _, _, s in rows],
                by=[g for g, _, _ in rows],
                pos_label=1,
                threshold=2,
            )
            for rows in sets
        )
        found = explain(before, after, "roc_auc")
        assert list(found.exact) == expected, sets
        assert sum(found.exact) == after.overall.exact("roc_auc") - before.overall.exact("roc_auc")
    assert tried > 150


def samples(rng, rows, shift, mix):
    g = rng.choice(3, rows, p=mix)
    y = (rng.random(rows) < np.where(g == 0, 0.3, 0.5)).astype(int)
    return y, rng.normal(y * shift + (g == 1) * 0.5).round(1), g


@pytest.mark.parametrize("name", ["roc_auc", "accuracy", "f1", "mcc"])
def test_standard_errors_are_those_of_the_bootstrap(name):
    rng = np.random.default_rng(3)
    sets = [samples(rng, 800, 1.2, [0.5, 0.3, 0.2]), samples(rng, 600, 0.9, [0.2, 0.3, 0.5])]

    def parts(sets):
        return explain(*(rs.group_by(y, y_score=s, by=g, threshold=0.5) for y, s, g in sets), name)

    found, drawn = parts(sets), []
    for _ in range(120):
        places = [rng.integers(0, len(y), len(y)) for y, _, _ in sets]
        drawn.append(parts([tuple(column[at] for column in one) for one, at in zip(sets, places, strict=True)]).value)
    assert found.standard_error == pytest.approx(np.std(drawn, axis=0), rel=0.25)


def test_the_error_of_the_whole_is_that_of_drift():
    """One group: all of the change is within it or in its prevalence."""
    rng = np.random.default_rng(4)
    before, after = (samples(rng, rows, 1.0, [1, 0, 0]) for rows in (500, 700))
    groups = [rs.group_by(y, y_score=s, by=g, threshold=0.5) for y, s, g in (before, after)]
    found = explain(*groups, "roc_auc")
    assert (found["mix"], found["across"]) == (0, 0)
    told = rs.drift(*(each.overall for each in groups), "roc_auc")
    assert found.standard_error[2] == pytest.approx(told.standard_error, rel=0.03)
    recall = explain(*groups, "recall")
    assert recall["prevalence"] == 0
    told = rs.drift(*(each.matrix() for each in groups), "recall")
    variance = sum(
        each.matrix()["recall"] * (1 - each.matrix()["recall"]) / each.positive_sizes.sum() for each in groups
    )
    assert recall.standard_error[2] == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert recall.change == pytest.approx(told.change)


def test_averages_several_classes_and_keys():
    rng = np.random.default_rng(5)
    sets = [
        (y := rng.integers(0, 3, 300), np.where(rng.random(300) < right, y, rng.integers(0, 3, 300)),
         {"day": np.array(["2026-01-01", "NaT"], "datetime64[D]")[rng.integers(0, 2, 300)], "sex": rng.choice(["f", "m"], 300)})
        for right in (0.8, 0.6)
    ]  # fmt: skip
    groups = [rs.group_by(y, p, by=by) for y, p, by in sets]
    for name, options in (("f1", {"average": "macro"}), ("accuracy", {}), ("mutual_information", {}), ("mcc", {})):
        found = explain(*groups, name, **options)
        assert found.change == pytest.approx(
            groups[1].matrix().value(name, **options) - groups[0].matrix().value(name, **options)
        )
        assert float(sum(found.exact)) == pytest.approx(found.change, abs=1e-15)
        assert len(found.by_group) == 4
    assert found.by_group.columns[:2] == ("day", "sex")
    alone = explain(*(each.over([]) for each in groups), "accuracy")
    assert alone["mix"] == 0


def test_counts_of_any_size_are_exact():
    def groups(*cells):
        y, p, by = [0, 0, 1, 1] * 2, [0, 1, 0, 1] * 2, ["a"] * 4 + ["b"] * 4
        return rs.group_by(y, p, by=by, sample_weight=np.array(cells, np.uint64))

    before, after = groups(2**60, 3, 5, 2**59, 7, 11, 13, 2**58), groups(2**57, 3, 5, 2**60, 17, 2**55, 1, 3)
    found = explain(before, after, "accuracy")
    assert sum(found.exact) == after.matrix().exact("accuracy") - before.matrix().exact("accuracy")


def test_groups_that_come_and_go_are_mix():
    before = rs.group_by([1, 1, 0, 0], [1, 1, 0, 0], by=["old"] * 4, labels=[0, 1])
    after = rs.group_by([1, 1, 0, 0], [1, 0, 1, 0], by=["new"] * 4, labels=[0, 1])
    found = explain(before, after, "accuracy")
    assert found.exact == (Fraction(-1, 2), 0, 0)
    assert found.by_group.rows[0][:3] == ("new", 0.0, 1.0)


def test_what_is_refused():
    y, p, g = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1], list("aabbb")
    by = rs.group_by(y, p, by=g)
    with pytest.raises(rs.InputTypeError, match="before is .*expected Groups, of group_by"):
        explain(by.matrix(), by, "accuracy")
    for weights in ({"sample_weight": [0.5] * 5}, {"sample_weight": [1.0] * 5, "weight_kind": "sampling"}):
        weighted = rs.group_by(y, p, by=g, **weights)
        with pytest.raises(rs.InputError, match="weights; expected whole rows"):
            explain(weighted, weighted, "accuracy")
    with pytest.raises(rs.InputError, match="grows with the number of rows"):
        explain(by, by, "chi_squared")
    with pytest.raises(rs.UnknownIndexError, match="expected roc_auc"):
        explain(*[rs.group_by(y, y_score=[0.1, 0.4, 0.3, 0.6, 0.8], by=g)] * 2, "average_precision")
    with pytest.raises(rs.InputError, match="after has no rows"):
        explain(by, rs.Groups.empty(labels=[0, 1]), "accuracy")
    many = rs.group_by(np.arange(2000) % 2, np.arange(2000) % 2, by=np.arange(2000))
    with pytest.raises(rs.InputError, match=r"2,000 groups; expected up to 1,000 \(over"):
        explain(many, many, "accuracy")
    none = rs.group_by([0, 0], [0, 0], by=["a", "b"], labels=[0, 1])
    with pytest.raises(rs.InputError, match="recall is undefined with the groups as they are in size before"):
        explain(none, by, "recall")
    scored = [rs.group_by(y, y_score=[0.1, 0.4, 0.3, 0.6, last], by=g) for last in (0.8, 8)]
    with pytest.raises(rs.InputError, match="threshold is 0.5 in one, 0.0 in the other"):
        explain(*scored, "recall")
    assert explain(*scored, "roc_auc").change == 0
    ones = rs.group_by([1, 1], y_score=[0.1, 0.2], by=["a", "b"], pos_label=1)
    with pytest.raises(rs.InputError, match="all rows are of one class"):
        explain(ones, scored[1], "roc_auc")
    with pytest.raises(rs.InputError, match="part is 'mixed'"):
        explain(by, by, "accuracy")["mixed"]


def promised(rng, rows, mix, sure):
    g = rng.choice(3, rows, p=mix)
    p = rng.beta(2, np.array([6.0, 3.0, 2.0])[g])
    odds = sure * np.log(p / (1 - p))
    return (rng.random(rows) < p).astype(int), (1 / (1 + np.exp(-odds))).round(2), g


@pytest.mark.parametrize("name", ["brier", "log_loss"])
def test_the_parts_of_a_loss(name):
    """By group: uncertainty, miscalibration and discrimination of the score tables, at the mean of both shares."""
    rng = np.random.default_rng(6)
    for _ in range(100):
        sets = [promised(rng, int(rng.integers(20, 80)), rng.dirichlet([1, 1, 1]), 1.5) for _ in range(2)]
        sets[1] = tuple(column[sets[1][2] != 2] for column in sets[1])
        groups = [rs.group_by(y, y_score=s, by=g, pos_label=1) for y, s, g in sets]
        found = explain(*groups, name)
        split, shares = [], []
        for each in groups:
            keys = each.keys["group"].tolist()
            split.append({key: each.score_table(key).decomposition(name) for key in keys})
            shares.append(dict(zip(keys, each.sizes / each.rows, strict=True)))
        expected = np.zeros(4)
        for key in split[0].keys() | split[1].keys():
            one, two = (own.get(key, other.get(key)) for own, other in (split, split[::-1]))
            old, new = (each.get(key, 0.0) for each in shares)
            mean = (old + new) / 2
            expected += [
                (new - old) * (one.score + two.score) / 2,
                mean * (two.uncertainty - one.uncertainty),
                mean * (two.miscalibration - one.miscalibration),
                -mean * (two.discrimination - one.discrimination),
            ]
        assert found.part.tolist() == ["mix", "prevalence", "calibration", "discrimination"]
        assert found.value == pytest.approx(expected, abs=1e-12)
        assert found.change == pytest.approx(groups[1].overall[name] - groups[0].overall[name], abs=1e-12)
        assert float(sum(found.exact)) == found.change
        for place, part in enumerate(found.part):
            assert sum(row[3 + place] for row in found.by_group.rows) == pytest.approx(found[part], abs=1e-12)


@pytest.mark.parametrize("name", ["brier", "log_loss"])
def test_standard_errors_of_a_loss(name):
    """Those of the bootstrap, where there are any."""
    rng = np.random.default_rng(7)
    sets = [promised(rng, 1500, [0.5, 0.3, 0.2], 1.0), promised(rng, 1200, [0.2, 0.3, 0.5], 1.6)]

    def parts(sets):
        return explain(*(rs.group_by(y, y_score=s, by=g) for y, s, g in sets), name)

    found, drawn = parts(sets), []
    for _ in range(150):
        places = [rng.integers(0, len(y), len(y)) for y, _, _ in sets]
        drawn.append(parts([tuple(column[at] for column in one) for one, at in zip(sets, places, strict=True)]).value)
    shown = ~np.isnan(found.standard_error)
    assert shown[:2].all()
    assert found.standard_error[shown] == pytest.approx(np.std(drawn, axis=0)[shown], rel=0.3)


def test_no_interval_where_recalibration_gains_by_chance():
    rng = np.random.default_rng(8)
    many, few = (
        rs.group_by(y, y_score=s, by=g) for y, s, g in (promised(rng, n, [0.4, 0.3, 0.3], 1.0) for n in (5000, 150))
    )
    found = explain(many, few, "brier")
    assert np.isnan(found.low).tolist() == [False, False, True, True]
    assert "recalibration gains" in found.note
    assert "in the smaller groups after" in repr(found)
    assert "in the smaller groups before" in explain(few, many, "brier").note


@pytest.mark.parametrize("name", ["brier", "log_loss", "roc_auc", "f1"])
def test_whole_weights_are_rows(name):
    rng = np.random.default_rng(9)
    once, often = [], []
    for _ in range(2):
        y, s, g = promised(rng, 60, [0.4, 0.3, 0.3], 1.0)
        weights = rng.integers(0, 4, 60)
        weights[:3] = 1
        once.append(rs.group_by(y, y_score=s, by=g, sample_weight=weights, threshold=0.3))
        often.append(
            rs.group_by(
                *(np.repeat(c, weights) for c in (y,)),
                y_score=np.repeat(s, weights),
                by=np.repeat(g, weights),
                threshold=0.3,
            )
        )
    one, two = explain(*once, name), explain(*often, name)
    assert one.value == pytest.approx(two.value, abs=1e-13)
    assert one.standard_error == pytest.approx(two.standard_error, rel=1e-9, nan_ok=True)

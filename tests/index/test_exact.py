"""Single values are rounded once: against fractions, which are tested against formulas written anew."""

import itertools
import math
import os
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference

import rocksteady as rs

# make thorough asks for many tables.
TABLES = 10_000 if os.environ.get("ROCKSTEADY_THOROUGH") else 60


def tables(number, seed=0):
    """Random counts up to 2**60, in a quarter of them nearly cancelling, in some with empty cells."""
    rng = np.random.default_rng(seed)
    for place in range(number):
        bits = int(rng.integers(1, 61))
        cells = [int(rng.integers(0, 2**bits)) for _ in range(4)]
        if place % 4 == 0:
            tp, fp = cells[0], cells[1]
            cells = [tp, fp, max(tp - int(rng.integers(0, 4)), 0), max(fp + int(rng.integers(-2, 3)), 0)]
        if place % 7 == 0:
            cells[int(rng.integers(4))] = 0
        if any(cells):
            yield tuple(cells)


def matrix(tp, fp, fn, tn):
    return rs.ConfusionMatrix.from_counts(np.array([[tn, fp], [fn, tp]], dtype=np.uint64))


def nearest_root(square: Fraction) -> float:
    """The square root of a fraction, rounded once."""
    shift = 2 * (140 + max(square.denominator.bit_length() - square.numerator.bit_length(), 0))
    scaled = (square.numerator << shift) // square.denominator
    root = isqrt(scaled)
    exact = root * root == scaled and (square.numerator << shift) % square.denominator == 0
    return float(Fraction(2 * root + (not exact), 2 << (shift // 2)))


def exact_mcc(tp, fp, fn, tn):
    margins = (tp + fn) * (fp + tn) * (tp + fp) * (fn + tn)
    if not margins:
        return 0.0
    determinant = tp * tn - fp * fn
    return math.copysign(nearest_root(Fraction(determinant * determinant, margins)), determinant)


FORMULAS = {
    "accuracy": lambda tp, fp, fn, tn: Fraction(tp + tn, tp + fp + fn + tn),
    "error_rate": lambda tp, fp, fn, tn: Fraction(fp + fn, tp + fp + fn + tn),
    "f1": lambda tp, fp, fn, tn: Fraction(2 * tp, 2 * tp + fp + fn),
    "jaccard": lambda tp, fp, fn, tn: Fraction(tp, tp + fp + fn),
    "informedness": lambda tp, fp, fn, tn: Fraction(tp, tp + fn) + Fraction(tn, tn + fp) - 1,
    "markedness": lambda tp, fp, fn, tn: Fraction(tp, tp + fp) + Fraction(tn, tn + fn) - 1,
    "balanced_accuracy": lambda tp, fp, fn, tn: (Fraction(tp, tp + fn) + Fraction(tn, tn + fp)) / 2,
    "kappa": lambda tp, fp, fn, tn: Fraction(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
    "diagnostic_odds_ratio": lambda tp, fp, fn, tn: Fraction(tp * tn, fp * fn),
    "yule_q": lambda tp, fp, fn, tn: Fraction(tp * tn - fp * fn, tp * tn + fp * fn),
    "relative_risk": lambda tp, fp, fn, tn: Fraction(tp, tp + fp) / Fraction(fn, fn + tn),
    "equitable_threat_score": lambda tp, fp, fn, tn: Fraction(
        tp * tn - fp * fn, tp * tn - fp * fn + (fp + fn) * (tp + fp + fn + tn)
    ),
    "scott_pi": lambda tp, fp, fn, tn: Fraction(4 * tp * tn - (fp + fn) ** 2, (2 * tp + fp + fn) * (2 * tn + fp + fn)),
    "optimized_precision": lambda tp, fp, fn, tn: (
        Fraction(tp + tn, tp + fp + fn + tn)
        - abs(Fraction(tn, tn + fp) - Fraction(tp, tp + fn)) / (Fraction(tn, tn + fp) + Fraction(tp, tp + fn))
    ),
    "rand_index": lambda tp, fp, fn, tn: Fraction(
        sum(x * (x - 1) for x in (tp, fp, fn, tn)) + 2 * (tp * tn + fp * fn),
        (tp + fp + fn + tn) * (tp + fp + fn + tn - 1),
    ),
    "net_benefit": lambda tp, fp, fn, tn: Fraction(tp - fp, tp + fp + fn + tn),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_fractions_are_those_of_the_formula(name):
    asked = 0
    for cells in tables(300):
        try:
            expected = FORMULAS[name](*cells)
        except ZeroDivisionError:
            continue
        found = matrix(*cells)
        assert found.exact(name) == expected, cells
        assert found[name] == float(expected), cells
        asked += 1
    assert asked > 100


def test_mcc_is_rounded_once():
    for cells in tables(1_000):
        found, expected = matrix(*cells)["mcc"], exact_mcc(*cells)
        assert found == expected, cells


def exact_or_none(statistic, name):
    try:
        return statistic.exact(name)
    except rs.InputError:
        return None


def test_every_index_that_is_a_fraction_is_rounded_once():
    """Walks the registry, so that a row that is added is tested."""
    names = sorted(two_class_names())
    fractions = dict.fromkeys(names, 0)
    for cells in tables(TABLES, seed=1):
        found = matrix(*cells)
        for name in names:
            expected = exact_or_none(found, name)
            if expected is None:
                continue
            assert found[name] == float(expected), (name, cells)
            fractions[name] += 1
    always = [name for name, times in fractions.items() if times > TABLES // 2]
    assert len(always) >= 120, len(always)


def two_class_names():
    cells = matrix(5, 2, 3, 7)
    for index in rs.indices():
        try:
            cells.value(index.name)
        except rs.UnknownIndexError:
            continue
        yield index.name


@pytest.mark.parametrize("classes", [3, 7])
def test_matrices_of_more_classes_are_rounded_once(classes):
    rng = np.random.default_rng(classes)
    for bits in (4, 20, 50, 57):
        found = rs.ConfusionMatrix.from_counts(rng.integers(0, 2**bits, (classes, classes)))
        asked = 0
        for index in rs.indices():
            try:
                expected = exact_or_none(found, index.name)
            except rs.UnknownIndexError:
                continue
            if expected is not None:
                assert found[index.name] == float(expected), (index.name, bits)
                asked += 1
        assert asked >= 20


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(1, 2**40)), min_size=2, max_size=30))
@settings(deadline=None)
def test_areas_and_distances_are_fractions(rows):
    y, s, w = (list(column) for column in zip(*rows, strict=True))
    if len(set(y)) < 2:
        return
    for weights in (None, w):
        weight = weights or [1] * len(y)
        positives, negatives = ([(a, b) for t, a, b in zip(y, s, weight, strict=True) if t == k] for k in (1, 0))
        pairs = sum(b for _, b in positives) * sum(b for _, b in negatives)
        won = sum(b * d * ((a > c) + Fraction(a == c, 2)) for a, b in positives for c, d in negatives)
        table = rs.ScoreTable(y, s, sample_weight=weights)
        assert table.exact("roc_auc") == won / pairs
        assert table.exact("gini") == 2 * won / pairs - 1

        def above(rows, cut):
            return Fraction(sum(b for a, b in rows if a >= cut), sum(b for _, b in rows))

        assert table.exact("ks") == max(abs(above(positives, cut) - above(negatives, cut)) for cut in range(6))


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.floats(0.01, 10)), min_size=1, max_size=20))
@settings(deadline=None)
def test_laws_hold_exactly_with_weights(rows):
    y, p, w = (list(column) for column in zip(*rows, strict=True))
    found = rs.ConfusionMatrix(y, p, sample_weight=w)
    assert rs.ConfusionMatrix(y, y, sample_weight=w)["accuracy"] == 1.0
    assert rs.metrics.accuracy_score(y, y, sample_weight=w) == 1.0
    assert found["accuracy"] == 1.0 or found["error_rate"] > 0.0
    assert abs(found["accuracy"] + found["error_rate"] - 1.0) <= 2**-53
    assert math.isclose(found["accuracy"], reference.accuracy_score(y, p, sample_weight=w), rel_tol=1e-14)
    if len(set(y)) == 2:
        assert rs.ScoreTable(y, y, sample_weight=w)["roc_auc"] == 1.0


def test_one_implementation_stands_behind_every_door():
    rng = np.random.default_rng(5)
    y, s = rng.integers(0, 2, 500), rng.random(500).round(2)
    table = rs.ScoreTable(y, s)
    for threshold in (0.2, 0.5, 0.77):
        predicted = (s >= threshold).astype(int)
        cells = rs.ConfusionMatrix(y, predicted)
        values = {cells["mcc"], rs.metrics.matthews_corrcoef(y, predicted), table.at(threshold)["mcc"]}
        values.add(cells.every("mcc")[1])
        assert len(values) == 1
        kappas = {cells["kappa"], rs.metrics.cohen_kappa_score(y, predicted), table.at(threshold)["kappa"]}
        assert len(kappas) == 1


@pytest.mark.parametrize(
    ("cells", "name", "expected"),
    [
        ([[1, 0], [1, 1]], "mcc", 0.5),
        ([[2**58, 1], [2**58 - 3, 1]], "mcc", 9.693522803355793e-27),
        ([[2**58, 1], [2**58 - 3, 1]], "kappa", 3.611118645726067e-35),
    ],
)
def test_values_that_were_not_as_exact_as_promised(cells, name, expected):
    assert rs.ConfusionMatrix.from_counts(np.array(cells, dtype=np.uint64))[name] == expected


def test_words_on_the_edge_of_a_band():
    assert rs.ConfusionMatrix.from_counts([[1, 0], [1, 1]]).interpret("mcc") == "Moderate"


def test_what_is_no_fraction_is_refused():
    found = rs.ConfusionMatrix.from_counts([[3, 1], [2, 4]])
    with pytest.raises(rs.InputError, match="without logarithms and roots"):
        found.exact("cen")
    with pytest.raises(rs.InputError, match="No row is predicted positive"):
        rs.ConfusionMatrix.from_counts([[3, 0], [2, 0]]).exact("precision")
    with pytest.raises(rs.UnknownIndexError):
        found.exact("roc_auc")
    with pytest.raises(rs.UnknownIndexError):
        rs.ScoreTable([0, 1], [0.1, 0.2]).exact("f1")
    with pytest.raises(rs.InputError):
        rs.ScoreTable([1, 1], [0.1, 0.2]).exact("roc_auc")
    with pytest.raises(rs.InputError):
        rs.ScoreTable([0, 1], [0.1, 0.2]).exact("log_loss")
    fractions = rs.Counts(tp=[1, 2], fp=[1, 0], fn=[0, 3], tn=[1, 1]).exact("precision")
    assert fractions.tolist() == [Fraction(1, 2), Fraction(1)]


def test_information_near_independence_keeps_its_digits():
    found = rs.ConfusionMatrix.from_counts([[10**9 + 1, 10**9], [10**9, 10**9]])["mutual_information"]
    assert found == pytest.approx(4.5084219982695886486500332e-20, rel=1e-15)  # decimal arithmetic with 80 digits
    rng = np.random.default_rng(2)
    cells = np.outer(rng.integers(1, 40, 5), rng.integers(1, 40, 5)) * 10**6 + rng.integers(0, 3, (5, 5))
    for zero in (False, True):
        if zero:
            cells[0, 0] = 0
        found = rs.ConfusionMatrix.from_counts(cells)["mutual_information"]
        assert found == pytest.approx(decimal_information(cells.tolist()), rel=1e-13)


def decimal_information(cells):
    with localcontext() as context:
        context.prec = 60
        rows = [Decimal(sum(row)) for row in cells]
        columns = [Decimal(sum(column)) for column in zip(*cells, strict=True)]
        total = sum(rows)
        terms = [
            Decimal(cell) / total * (Decimal(cell) * total / (rows[i] * columns[j])).ln()
            for i, row in enumerate(cells)
            for j, cell in enumerate(row)
            if cell
        ]
        return float(sum(terms) / Decimal(2).ln())


def test_sums_beyond_the_range_of_doubles():
    table = rs.ScoreTable([0, 1, 1, 0], [0.9, 0.8, 0.3, 0.1], sample_weight=[1e308] * 4)
    assert (table["roc_auc"], table["gini"], table["ks"]) == (0.5, 0.0, 0.5)
    assert table["average_precision"] == pytest.approx(7 / 12)
    assert rs.Counts(1e308, 1e308, 1e308, 1e308)["accuracy"] == 0.5
    assert rs.Counts(tp=5e-127, fp=1e-126, fn=2e288, tn=1)["precision"] == 1 / 3
    matrix = rs.ConfusionMatrix([0, 0, 1, 1], [0, 1, 1, 0], sample_weight=[1e308, 1e308, 5e-127, 1e308])
    assert matrix["accuracy"] == pytest.approx(1 / 3)


def test_amounts_of_no_rows_are_0():
    nothing = rs.ConfusionMatrix.from_counts([[0, 0], [0, 0]])
    for name in ("tp", "fp", "fn", "tn", "errors", "population", "positives", "cost"):
        assert nothing[name] == 0.0, name
        assert nothing.why(name) is None, name
        assert rs.Counts(0, 0, 0, 0)[name] == 0.0, name
    assert math.isnan(nothing["accuracy"])
    assert nothing.why("accuracy") == "There are no rows, or all weigh nothing."


_OF_EITHER_SIGN = ["accuracy_score", "zero_one_loss", "cohen_kappa_score", "hamming_loss"]


@pytest.mark.parametrize("name", _OF_EITHER_SIGN)
def test_weights_of_either_sign_are_not_clamped(name):
    y, p, w = [0, 1, 1, 0, 1], [0, 1, 0, 1, 1], [1, -2, 3, 1, -0.5]
    expected = getattr(reference, name)(y, p, sample_weight=w)
    assert not 0 <= expected <= 1
    assert getattr(rs.metrics, name)(y, p, sample_weight=w) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", [*_OF_EITHER_SIGN, "balanced_accuracy_score"])
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true", "ignore:A single label was found")
def test_nor_are_they_with_more_classes(name):
    rng = np.random.default_rng(15)
    outside = 0
    for classes, scale in itertools.product((3, 4, 7), (1.0, 2.0**-200, 2.0**200)):
        for _ in range(20):
            rows = rng.integers(classes, 30)
            y, p = rng.integers(0, classes, (2, rows))
            w = rng.normal(size=rows)
            expected = getattr(reference, name)(y, p, sample_weight=w)
            outside += not -1 <= expected <= 1
            found = getattr(rs.metrics, name)(y, p, sample_weight=w * scale)
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-12), (y, p, w, scale)
    assert outside > 20


PERFECT = re.compile("all right, every class present: (.+)")


def perfect_of(form: str) -> dict[str, float]:
    """The indices of a form with a perfect value."""
    found = {index.name: [PERFECT.fullmatch(law) for law in index.laws] for index in rs.indices(form=form)}
    return {name: float(law[1]) for name, laws in found.items() for law in laws if law}


@pytest.mark.parametrize("rows", [7, 60, 700, 6000])
def test_perfect_predictions_have_the_perfect_value_with_any_weights(rows: int) -> None:
    rng = np.random.default_rng(rows)
    of_counts, of_scores = perfect_of("counts") | perfect_of("matrix"), perfect_of("scores")
    assert {"roc_auc", "gini", "ks", "pr_auc_linear"} <= of_scores.keys()
    for weight in (
        rng.random(rows),
        rng.integers(1, 9, rows) / 10,
        10 ** rng.uniform(-8, 8, rows),
        rng.random(rows) * 10.0 ** rng.choice([-160, 0, 160], rows),
        rng.random(rows) * 1e308,
    ):
        actual = np.r_[0, 1, rng.integers(0, 2, rows - 2)]
        score = np.where(rng.random() < 0.5, rng.random(rows), rng.integers(0, 9, rows) / 8) / 2.1 + actual / 2
        table = rs.ScoreTable(actual, score, sample_weight=weight, pos_label=1)
        for name, best in of_scores.items():
            assert table.why(name) is not None or table[name] == best, name
        assert rs.metrics.roc_auc_score(actual, score, sample_weight=weight) == 1
        assert rs.metrics.average_precision_score(actual, score, sample_weight=weight) == 1
        if weight.max() > 1e300:  # the sums are beyond float64
            continue
        matrix = rs.ConfusionMatrix(actual, actual, sample_weight=weight, labels=[0, 1], pos_label=1)
        for name, best in of_counts.items():
            for statistic in (matrix, table.at(0.49)):
                assert statistic.why(name) is not None or statistic[name] == best, name


@pytest.mark.parametrize("rows", [9, 400, 5000])
def test_areas_of_weights_are_rounded_once(rows: int) -> None:
    rng = np.random.default_rng(rows)
    for turn in range(12):
        actual = np.r_[0, 1, rng.integers(0, 2, rows - 2)]
        score = rng.integers(0, 20, rows) / 8 if turn % 2 else rng.random(rows)
        weight = [
            rng.random(rows),
            10 ** rng.uniform(-8, 8, rows),
            rng.random(rows) * 10.0 ** rng.choice([-300, 0, 300], rows),
            rng.random(rows) * 1e308,  # the sums are beyond float64
        ][turn % 4]
        table = rs.ScoreTable(actual, score, sample_weight=weight, pos_label=1)
        assert table["roc_auc"] == float(table.exact("roc_auc"))
        assert table["gini"] == float(table.exact("gini"))
        assert rs.metrics.roc_auc_score(actual, score, sample_weight=weight) == table["roc_auc"]

"""Curves over all thresholds: against scikit-learn, published values, other packages, and their definitions."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs

RANDOM = np.random.default_rng(20)

CURVES = ("roc_curve", "precision_recall_curve", "det_curve", "gain_curve", "cap_curve", "lift_curve", "ks_curve")
OTHERS = ("roc_convex_hull", "cost_curve", "decision_curve", "brier_curve", "precision_recall_gain_curve")


@pytest.fixture
def simple(data: Path) -> dict:
    return json.loads((data / "golden.json").read_text())["rocr_simple"]


@pytest.fixture
def rocr(rocr_simple: Path) -> rs.ScoreTable:
    scores, labels = np.loadtxt(rocr_simple, delimiter=",", skiprows=1, unpack=True)
    return rs.ScoreTable(labels.astype(int), scores)


def tables(rows: int = 400, digits: int = 2) -> list[tuple[np.ndarray, np.ndarray, np.ndarray | None, rs.ScoreTable]]:
    """Labels, scores in [0, 1] with ties, weights, and their table: without and with weights."""
    y = (RANDOM.random(rows) < 0.3).astype(int)
    s = np.round(np.clip(RANDOM.random(rows) * 0.7 + 0.3 * y, 0, 1), digits)
    w = RANDOM.integers(1, 5, rows) / 4
    return [(y, s, None, rs.ScoreTable(y, s)), (y, s, w, rs.ScoreTable(y, s, sample_weight=w))]


def four(y: np.ndarray, s: np.ndarray, w: np.ndarray | None, threshold: float) -> tuple[float, float, float, float]:
    """tp, fp, fn, tn at a threshold, row by row."""
    w = np.ones(len(y)) if w is None else w
    up = s >= threshold
    return tuple(float(w[mask].sum()) for mask in (up & (y == 1), up & (y == 0), ~up & (y == 1), ~up & (y == 0)))


# Against scikit-learn.


@pytest.mark.parametrize("place", [0, 1])
def test_points_are_those_of_scikit_learn(place: int) -> None:
    from sklearn import metrics as sk

    y, s, w, table = tables()[place]
    fpr, tpr, thresholds = sk.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    roc = table.roc_curve()
    np.testing.assert_allclose(roc.fpr, fpr, rtol=1e-14)
    np.testing.assert_allclose(roc.tpr, tpr, rtol=1e-14)
    np.testing.assert_array_equal(roc.thresholds, thresholds)
    assert roc.area() == pytest.approx(sk.roc_auc_score(y, s, sample_weight=w), abs=1e-14)
    precision, recall, thresholds = sk.precision_recall_curve(y, s, sample_weight=w)
    curve = table.precision_recall_curve()
    np.testing.assert_allclose(curve.precision, precision[::-1], rtol=1e-14)
    np.testing.assert_allclose(curve.recall, recall[::-1], rtol=1e-14)
    np.testing.assert_array_equal(curve.thresholds[1:], thresholds[::-1])
    assert (curve.recall[0], curve.precision[0]) == (0.0, 1.0)
    assert curve.area() == pytest.approx(sk.average_precision_score(y, s, sample_weight=w), abs=1e-14)
    linear = table.precision_recall_curve("linear")
    assert linear.area() == pytest.approx(sk.auc(recall, precision), abs=1e-14)
    fpr, fnr, thresholds = sk.det_curve(y, s, sample_weight=w)
    det = table.det_curve()
    first = len(det) - 1 - int(np.flatnonzero(det.thresholds[::-1] == thresholds[0])[0])
    last = int(np.flatnonzero(det.thresholds == thresholds[-1])[0])
    np.testing.assert_allclose(det.fpr[last : first + 1], fpr[::-1], rtol=1e-14)
    np.testing.assert_allclose(det.fnr[last : first + 1], fnr[::-1], rtol=1e-13, atol=1e-15)


def test_exact_removal_keeps_no_more_than_scikit_learn() -> None:
    from sklearn.metrics import roc_curve

    y, s, _, table = tables(3000, 3)[0]
    exact = table.roc_curve(max_deviation=0)
    dropped = roc_curve(y, s)[2]
    assert len(exact) <= len(dropped) < len(table.roc_curve())
    assert exact.deviation == 0.0
    assert exact == table.roc_curve().simplify()


# ROCR.simple: data/golden.json and the table of papers.


def test_gain_and_lift_of_rocr_simple(rocr: rs.ScoreTable, simple: dict) -> None:
    gain, lift = rocr.gain_curve(), rocr.lift_curve()
    assert len(simple["gain_lift"]) >= 9
    for row in simple["gain_lift"]:
        place = row["m"]
        assert gain.rpp[place] == pytest.approx(row["rpp"], abs=1e-15)
        assert gain.thresholds[place] == pytest.approx(row["threshold_ge"], abs=1e-15)
        assert gain.tpr[place] == pytest.approx(row["gain_tpr"], abs=1e-15)
        assert lift.lift[place] == pytest.approx(row["lift"], abs=1e-14)
    for rpp, printed in [
        (0.1, 1.72),
        (0.2, 1.774),
        (0.3, 1.792),
        (0.4, 1.774),
        (0.465, 1.781),
        (0.5, 1.699),
        (0.6, 1.416),
    ]:
        assert lift.lift[round(rpp * 200)] == pytest.approx(printed, abs=6e-4)
    assert lift.lift[round(0.035 * 200)] == pytest.approx(1.23, abs=5e-3)
    assert lift.lift[-1] == 1.0
    assert np.nanmax(lift.lift) == pytest.approx(200 / 93, abs=1e-14)
    for row in simple["deciles"]:
        assert gain.tpr[20 * row["decile"]] == pytest.approx(row["cum_gain"], abs=1e-15)
        assert lift.lift[20 * row["decile"]] == pytest.approx(row["cum_lift"], abs=1e-14)
    events = np.diff(gain.tpr[::20] * 93).round().astype(int).tolist()
    assert events == [16, 17, 17, 16, 13, 0, 4, 5, 2, 3]


def test_first_points_of_rocr_simple(rocr: rs.ScoreTable, simple: dict) -> None:
    roc, lift = rocr.roc_curve(), rocr.lift_curve()
    for place, row in enumerate(simple["curve_first_12_R"]):
        assert roc.thresholds[place] == (math.inf if row["cut"] is None else pytest.approx(row["cut"], abs=1e-15))
        assert roc.fpr[place] == pytest.approx(row["fpr"], abs=1e-15)
        assert roc.tpr[place] == pytest.approx(row["tpr"], abs=1e-15)
        assert lift.rpp[place] == pytest.approx(row["rpp"], abs=1e-15)
        found = lift.lift[place]
        assert math.isnan(found) if row["lift"] is None else found == pytest.approx(row["lift"], abs=1e-14)


def test_areas_of_rocr_simple(rocr: rs.ScoreTable) -> None:
    # AP, trapezoid, AUC = 2767/3317, Gini, KS = 6965/9951 at 0.5014893, Brier: ROCR and scikit-learn.
    assert rocr.precision_recall_curve().area() == pytest.approx(0.7846451320822524, abs=1e-14)
    assert rocr.precision_recall_curve("linear").area() == pytest.approx(0.7814245832778571, abs=1e-14)
    assert rocr.roc_curve().area() == pytest.approx(2767 / 3317, abs=1e-15)
    assert rocr.cap_curve().accuracy_ratio() == pytest.approx(0.6683750376846551, abs=1e-14)
    assert rocr.brier_curve().area() == pytest.approx(0.16766321215775837, abs=1e-14)
    curve = rocr.ks_curve()
    place = int(np.argmax(curve.tpr - curve.fpr))
    assert (place, curve.thresholds[place]) == (95, curve.ks.threshold)
    assert curve.ks.value == pytest.approx(6965 / 9951, abs=1e-15)


# Against other packages and definitions.

# pyprg 0.1.1b7: create_prg_curve without its crossings of the horizontal axis, calc_auprg.
PRG = [
    (
        [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1],
        list(range(25, 0, -1)),
        0.43246210357423226,
        [
            (0.0, 0.6527777777777778),
            (0.19191919191919204, 0.6767676767676768),
            (0.40740740740740744, 0.7037037037037037),
        ],
        [(0.746031746031746, 0.11111111111111116), (0.8814814814814815, 0.05185185185185193), (1.0, 0.0)],
    ),
    (
        [int(c) for c in "1100100101000000100110100000100100101001"],
        [
            *[1.2, 1.1, 0.7, 0.8, 0.8, 0.8, 0.9, 0.5, 0.8, 0.8, 0.5, 0.1, 0.7, 0.3, 0.9, 0.3, 1.0, 0.4, 0.6, 0.6],
            *[0.6, 0.7, 1.2, 0.6, 0.9, 0.2, 0.9, 0.2, 1.4, 0.6, 0.6, 1.4, 0.8, 0.8, 0.5, 0.4, 0.5, 0.2, 0.2, 1.3],
        ],
        0.6789243520012751,
        [(0.0, 1.0), (0.03076923076923077, 1.0), (0.28205128205128216, 1.0), (0.46153846153846156, 1.0)],
        [(0.8531468531468531, 0.21678321678321677), (1.0, 0.34615384615384626), (1.0, 0.0)],
    ),
]


@pytest.mark.parametrize(("y", "s", "area", "first", "among"), PRG)
def test_precision_recall_gain_as_pyprg(y: list, s: list, area: float, first: list, among: list) -> None:
    curve = rs.ScoreTable(y, s).precision_recall_gain_curve()
    assert curve.area() == pytest.approx(area, abs=1e-14)
    points = np.column_stack([curve.recall_gain, curve.precision_gain])
    np.testing.assert_allclose(points[: len(first)], first, atol=1e-14)
    for point in among:
        assert np.abs(points - point).max(axis=1).min() < 1e-14
    assert math.isnan(curve.thresholds[0])
    assert points[-1].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("place", [0, 1])
def test_cost_curve_is_the_least_of_all_lines(place: int) -> None:
    y, s, w, table = tables()[place]
    curve, lines = table.cost_curve(), table.cost_lines()
    assert len(lines) == len(table) + 1
    for x in np.linspace(0, 1, 41):
        each = []
        for threshold in lines.thresholds:
            tp, fp, fn, tn = four(y, s, w, threshold)
            each.append(fn / (fn + tp) * x + fp / (fp + tn) * (1 - x))
        np.testing.assert_allclose(lines.at(x), each, atol=1e-14)
        assert np.interp(x, curve.probability_cost, curve.expected_cost) == pytest.approx(min(each), abs=1e-14)
        place = int(np.searchsorted(curve.probability_cost, x, side="right")) - 1
        best = lines.at(x)[lines.thresholds == curve.thresholds[place]]
        assert best[0] == pytest.approx(min(each), abs=1e-13)
    assert (curve.expected_cost <= curve.baseline + 1e-15).all()


def test_cost_curve_of_drummond_and_holte() -> None:
    # By hand: one threshold at (fpr, tpr) = (0.25, 0.75) between the two trivial ones. Its line is flat at 1/4, and
    # their lines are x and 1 - x.
    curve = rs.ScoreTable([1, 1, 1, 0, 1, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0]).cost_curve()
    assert curve.probability_cost.tolist() == [0.0, 0.25, 0.75, 1.0]
    assert curve.expected_cost.tolist() == [0.0, 0.25, 0.25, 0.0]
    assert curve.thresholds.tolist() == [math.inf, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("place", [0, 1])
def test_decision_curve_is_dcurves_formula(place: int) -> None:
    # R's dcurves 0.5: tpr * prevalence - odds * fpr * (1 - prevalence), at prediction >= threshold.
    y, s, w, table = tables()[place]
    total = len(y) if w is None else w.sum()
    at = [0.01, 0.5, 0.25, 0.99]
    for curve in (table.decision_curve(), table.decision_curve(at=at)):
        for t, benefit, everyone in zip(curve.threshold_probability, curve.net_benefit, curve.treat_all, strict=True):
            tp, fp, fn, _ = four(y, s, w, t)
            prevalence, odds = (tp + fn) / total, t / (1 - t) if t < 1 else math.inf
            expected = tp / total - (odds * (fp / total) if fp else 0.0)
            assert benefit == pytest.approx(expected, abs=1e-14)
            assert everyone == pytest.approx(prevalence - (1 - prevalence) * odds, rel=1e-13)
    assert curve.threshold_probability.tolist() == at
    full = table.decision_curve()
    assert (np.diff(full.threshold_probability) > 0).all()
    assert full.treat_none.tolist() == [0.0] * len(full)


@pytest.mark.parametrize("place", [0, 1])
def test_brier_curve_has_the_brier_score_below_it(place: int) -> None:
    y, s, w, table = tables()[place]
    total = len(y) if w is None else w.sum()
    curve = table.brier_curve()
    assert curve.area() == pytest.approx(np.average((s - y) ** 2, weights=w), abs=1e-14)
    for c in [0.0051, 0.105, 0.333, 0.5051, 0.9951]:  # no scores, so no jumps
        _, fp, fn, _ = four(y, s, w, c)
        expected = 2 * (c * fp + (1 - c) * fn) / total
        assert np.interp(c, curve.cost_proportion, curve.loss) == pytest.approx(expected, abs=1e-13)
    # At a score itself: the first of its two points, then just above.
    for place in np.flatnonzero(curve.cost_proportion == 0.5):
        c = 0.5 if place % 2 else np.nextafter(0.5, 1)
        _, fp, fn, _ = four(y, s, w, c)
        assert curve.loss[place] == pytest.approx((fp + fn) / total, abs=1e-13)


def test_points_between_thresholds_of_davis_and_goadrich() -> None:
    # Their example (2006, table 1): from (tp, fp) = (5, 5) to (10, 30) of 20 positives.
    y = [*[1] * 5, *[0] * 5, *[1] * 5, *[0] * 25, *[1] * 10]
    s = [*[2] * 10, *[1] * 30, *[0] * 10]
    curve = rs.ScoreTable(y, s).precision_recall_curve("davis_goadrich")
    between = curve.recall * 20
    shown = [(0.25, 0.5), (0.3, 0.375), (0.35, 0.318), (0.4, 0.286), (0.45, 0.265), (0.5, 0.25)]
    for recall, precision in shown:
        place = int(np.abs(curve.recall - recall).argmin())
        assert curve.recall[place] == pytest.approx(recall)
        assert curve.precision[place] == pytest.approx(precision, abs=5e-4)
    assert np.isnan(curve.thresholds[(between > 5.5) & (between < 9.5)]).all()
    assert curve.recall[:2].tolist() == [0.0, 0.0]
    assert curve.precision[:2].tolist() == [1.0, 0.5]


@pytest.mark.parametrize("place", [0, 1])
def test_area_of_davis_and_goadrich_is_that_of_the_hyperbolas(place: int) -> None:
    y, s, w, table = tables(2000, 1)[place]
    area, before = 0.0, (0.0, 0.0)
    total = table.positives
    for threshold in table.thresholds[1:]:
        tp, fp, _, _ = four(y, s, w, threshold)
        grid = np.linspace(0, 1, 20001)
        found, wrong = before[0] + grid * (tp - before[0]), before[1] + grid * (fp - before[1])
        with np.errstate(invalid="ignore"):
            precision = found / (found + wrong)
        if before == (0.0, 0.0):
            precision[0] = precision[1]
        area += float(np.trapezoid(precision, found / total))
        before = tp, fp
    assert table.precision_recall_curve("davis_goadrich").area() == pytest.approx(area, abs=1.5e-6)


def test_normal_deviates_of_the_detection_errors() -> None:
    from scipy.stats import norm

    det = tables()[0][3].det_curve()
    curve = det.normal_deviates()
    np.testing.assert_allclose(curve.x, norm.ppf(det.fpr), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(curve.y, norm.ppf(det.fnr), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("place", [0, 1])
def test_hull_lies_above_and_its_corners_on_the_curve(place: int) -> None:
    table = tables()[place][3]
    roc, hull = table.roc_curve(), table.roc_convex_hull()
    points = set(zip(roc.fpr.tolist(), roc.tpr.tolist(), roc.thresholds.tolist(), strict=True))
    assert set(zip(hull.fpr.tolist(), hull.tpr.tolist(), hull.thresholds.tolist(), strict=True)) <= points
    assert (np.interp(roc.fpr, hull.fpr, hull.tpr) >= roc.tpr - 1e-14).all()
    slopes = np.diff(hull.tpr) / np.where(np.diff(hull.fpr) == 0, 1e-300, np.diff(hull.fpr))
    assert (np.diff(slopes) < 0).all()


def test_any_index_against_any_other() -> None:
    table = tables()[1][3]
    curve = table.curve("rpp", "mcc")
    x, y_values = curve
    assert x is curve.x
    np.testing.assert_array_equal(x, table.every("rpp"))
    np.testing.assert_array_equal(y_values, table.every("mcc"))
    np.testing.assert_array_equal(curve.thresholds, table.thresholds)
    over = table.curve("threshold", "fbeta", beta=2)
    np.testing.assert_array_equal(over.x, table.thresholds)
    np.testing.assert_array_equal(over.y, table.every("fbeta", beta=2))
    both = table.curve("fbeta", "cost", beta=3, fp=2)
    np.testing.assert_array_equal(both.x, table.every("fbeta", beta=3))
    np.testing.assert_array_equal(both.y, table.every("cost", fp=2))
    with pytest.raises(rs.RocksteadyError, match="beta"):
        table.curve("fpr", "tpr", beta=2)
    with pytest.raises(rs.UnknownIndexError):
        table.curve("fpr", "roc_auc")
    with pytest.raises(rs.InputError, match="rise throughout, or fall"):
        table.curve("precision", "recall").area()


def test_gain_and_its_ideal() -> None:
    y, _, _, table = tables()[0]
    gain = table.gain_curve()
    perfect = rs.ScoreTable(y, y).gain_curve()
    np.testing.assert_allclose(gain.ideal, np.interp(gain.rpp, perfect.rpp, perfect.tpr), atol=1e-14)
    assert gain.accuracy_ratio() == pytest.approx(table["gini"], abs=1e-14)
    lift = table.lift_curve()
    np.testing.assert_allclose(lift.lift[1:], gain.tpr[1:] / gain.rpp[1:], rtol=1e-14)
    assert math.isnan(lift.lift[0])
    np.testing.assert_allclose(lift.ideal[1:], gain.ideal[1:] / gain.rpp[1:], rtol=1e-14)
    assert lift.ideal[0] == pytest.approx(1 / gain.prevalence)
    assert (lift.lift[1:] <= lift.ideal[1:] + 1e-12).all()


# Features of all curves.


def test_every_curve_is_a_frozen_result() -> None:
    pytest.importorskip("pandas")
    table = tables()[0][3]
    for name in (*CURVES, *OTHERS):
        curve = getattr(table, name)()
        assert curve == getattr(table, name)()
        frame = curve.to_frame()
        assert len(frame) == len(curve) > 1
        assert all(not column.flags.writeable for column in curve._columns().values())
        with pytest.raises(AttributeError):
            curve.deviation = 1.0
        assert set(curve.to_dict()) >= set(frame.columns) | {"deviation"}
        assert type(curve).__name__ in repr(curve)
        assert type(curve).__name__ in rs.results.__all__
        assert curve.deviation == 0.0


def test_curves_of_one_table_share_their_columns_while_they_live() -> None:
    table = tables()[0][3]
    roc, ks = table.roc_curve(), table.ks_curve()
    assert roc.tpr is ks.tpr
    assert roc.thresholds is ks.thresholds
    del roc, ks
    assert table.gain_curve().tpr[-1] == 1.0
    assert pickle.loads(pickle.dumps(table)) == table


# One class, no rows, constant scores, missing and infinite scores.


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("y", "w", "pos_label"), [([0, 0, 0], None, 1), ([1, 1, 1], None, 1), ([0, 1, 1], [0.0, 0.0, 0.0], 1)]
)
def test_one_class_or_no_rows(y: list, w: list | None, pos_label: int) -> None:
    table = rs.ScoreTable(y, [0.25, 0.5, 0.5], sample_weight=w, pos_label=pos_label)
    for name in (*CURVES, *OTHERS):
        curve = getattr(table, name)()
        for column in curve._columns().values():
            assert len(column) == len(curve)
        few = curve.simplify()
        assert len(few) <= max(len(curve), 2)
    roc = table.roc_curve()
    assert np.isnan(roc.tpr).all() == (table.positives == 0)
    assert np.isnan(roc.fpr).all() == (table.negatives == 0)
    assert np.isnan(table.cost_curve().expected_cost).all()
    assert np.isnan(table.precision_recall_gain_curve().recall_gain).all()
    assert math.isnan(table.gain_curve().accuracy_ratio())
    assert len(table.roc_curve(max_points=2)) <= 2
    assert table.ks_curve(max_points=9).ks.sign == 0


def test_constant_scores() -> None:
    table = rs.ScoreTable([0, 1, 1, 0], [0.5] * 4)
    assert table.roc_curve().tpr.tolist() == [0.0, 1.0]
    assert table.roc_curve(max_points=2) == table.roc_curve()
    assert table.cost_curve().expected_cost.tolist() == [0.0, 0.5, 0.0]
    assert table.decision_curve().net_benefit.tolist() == [0.0]
    assert table.precision_recall_gain_curve().area() == 0.0


def test_undefined_curves_have_no_area() -> None:
    for y in ([1, 1], [0, 0]):
        table = rs.ScoreTable(y, [0.25, 0.5], pos_label=1)
        for name in ("roc_curve", "det_curve", "cost_curve", "precision_recall_gain_curve", "roc_convex_hull"):
            assert math.isnan(getattr(table, name)().area())
    assert math.isnan(rs.ScoreTable([0, 0], [0.25, 0.5], pos_label=1).gain_curve().area())
    # If only one end has no coordinates, the rest has an area.
    assert rs.ScoreTable([1, 0, 1], [0.5, 0.25, 0.125]).lift_curve().area() > 0


def test_the_widest_distance_may_lie_among_missing_scores() -> None:
    table = rs.ScoreTable([0, 1, 0, 1, 1, 1], [np.nan, np.nan, np.nan, 0.5, 0.3, 0.2], nan_policy="best")
    assert table.ks().sign == -1
    for few in (table.ks_curve(max_points=4), table.ks_curve().simplify(4)):
        assert np.isnan(few.thresholds[1])
        assert few.fpr[1] - few.tpr[1] == table.ks().value
        assert len(few) == 4


def test_scores_too_far_apart_for_their_distance() -> None:
    random = np.random.default_rng(5)
    y, s = random.integers(0, 2, 500), random.normal(size=500)
    table = rs.ScoreTable([*y, 0, 1], [*s, 1.5e308, -1.5e308])
    whole = table.ks_curve()
    for few in (table.ks_curve(max_points=20), whole.simplify(20), table.ks_curve(max_deviation=0.05)):
        places = np.flatnonzero(np.isin(whole.thresholds, few.thresholds))
        for name in ("tpr", "fpr"):
            # Points at infinity aside.
            near = np.interp(-whole.thresholds[2:-1], -few.thresholds[1:], getattr(few, name)[1:])
            assert np.abs(near - getattr(whole, name)[2:-1]).max() <= few.deviation + 1e-12
        assert len(places) == len(few) <= 20
        assert few.deviation < 0.1


def test_a_curve_that_turns_back_comes_down_to_a_few_points() -> None:
    random = np.random.default_rng(6)
    y = random.random(20_000) < 0.3
    table = rs.ScoreTable(y, random.normal(size=20_000) + y)
    for names in (("precision", "recall"), ("f1", "mcc"), ("accuracy", "f1")):
        curve = table.curve(*names)
        few = curve.simplify(max_points=300)
        assert len(few) <= 300
        finite = np.isfinite(curve.x) & np.isfinite(curve.y)
        place = np.searchsorted(-curve.thresholds, -few.thresholds)
        inside = finite & (np.arange(len(curve)) >= place[np.isfinite(few.x) & np.isfinite(few.y)][0])
        for name in ("x", "y"):
            known = np.isfinite(few.x) & np.isfinite(few.y)
            line = np.interp(np.flatnonzero(inside), place[known], getattr(few, name)[known])
            off = np.abs(line - getattr(curve, name)[inside]).max()
            assert off == pytest.approx(few.deviation, abs=1e-12) or off < few.deviation
        assert 0 < few.deviation < 0.2


def test_missing_and_infinite_scores() -> None:
    y, s = [0, 1, 1, 0, 1, 0], [0.1, np.nan, 0.9, 0.4, 0.6, -np.inf]
    for policy in ("worst", "best"):
        table = rs.ScoreTable(y, s, nan_policy=policy, infinite="allow")
        for name in CURVES:
            curve = getattr(table, name)()
            few = getattr(table, name)(max_points=7)
            assert len(few) <= len(curve) == 7
            np.testing.assert_array_equal(curve.thresholds, table.thresholds)
        assert table.ks_curve(max_points=7).ks == table.ks()
        with pytest.raises(rs.InputError, match="y_score"):
            table.brier_curve()


def test_large_counts_and_large_integers() -> None:
    table = rs.ScoreTable([0, 1, 1, 0], np.array([2**53, 2**53 + 1, 2**62, -5]))
    assert len(table.roc_curve()) == 5
    assert table.roc_curve().area() == 1.0
    many = table
    for _ in range(38):
        many += many
    assert many.positives == 2**39
    for name in (*CURVES, "roc_convex_hull", "cost_curve", "precision_recall_gain_curve"):
        a, b = getattr(table, name)(), getattr(many, name)()
        for column, other in zip(a._columns().values(), b._columns().values(), strict=True):
            np.testing.assert_allclose(column, other, rtol=1e-15)
    drawn = rs.ScoreTable([0, 1, 1, 0, 1], [2, 2, 1, 1, 3])
    for _ in range(38):
        drawn += drawn
    curve = drawn.precision_recall_curve("davis_goadrich")
    assert len(curve) < 3000


# Fewer points.


def away(curve: rs.results.Curve, few: rs.results.Curve) -> float:
    """The deviation by its definition: of every point of the curve from the line between the kept ones around it."""
    kept = []
    place = 0
    for x, y, threshold in zip(few.fpr, few.tpr, few.thresholds, strict=True):
        while (curve.fpr[place], curve.tpr[place], curve.thresholds[place]) != (x, y, threshold):
            place += 1
        kept.append(place)
    assert kept[0] == 0
    assert kept[-1] == len(curve) - 1
    worst = 0.0
    for a, b in itertools.pairwise(kept):
        x, y = curve.fpr[a : b + 1], curve.tpr[a : b + 1]
        if x[0] < x[-1]:
            worst = max(worst, np.abs(y - (y[0] + (y[-1] - y[0]) * (x - x[0]) / (x[-1] - x[0]))).max())
    return float(worst)


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 60), st.integers(1, 4)), min_size=2, max_size=150),
    weighted=st.booleans(),
    most=st.one_of(st.none(), st.integers(2, 20)),
    allowed=st.sampled_from([0.0, 0.01, 0.2]),
)
def test_the_stated_deviation_holds(rows: list, weighted: bool, most: int | None, allowed: float) -> None:
    y, s, w = ([row[place] for row in rows] for place in range(3))
    table = rs.ScoreTable([*y, 0, 1], [*s, 3, 4], sample_weight=[*w, 1, 2] if weighted else None)
    curve = table.roc_curve()
    for few in (table.roc_curve(max_points=most, max_deviation=allowed), curve.simplify(most, allowed)):
        assert most is None or len(few) <= most
        assert few.deviation == pytest.approx(away(curve, few), abs=1e-12)
        if most is None:
            assert few.deviation <= allowed
            assert allowed > 0 or few.area() == pytest.approx(curve.area(), abs=1e-13)
    steps = table.precision_recall_curve()
    few = table.precision_recall_curve(max_points=most, max_deviation=allowed)
    assert few == steps.simplify(most, allowed)
    assert most is None or len(few) <= most
    read = np.linspace(1e-3, 1, 77)
    place, other = np.searchsorted(steps.recall, read), np.searchsorted(few.recall, read)
    place, other = (np.minimum(p, len(c) - 1) for p, c in ((place, steps), (other, few)))
    assert np.abs(steps.precision[place] - few.precision[other]).max() <= few.deviation + 1e-12
    # Both rates of the KS curve, read at every threshold, and the point of the greatest distance.
    ks, short = table.ks_curve(), table.ks_curve(max_points=None if most is None else most + 4, max_deviation=allowed)
    at = ks.thresholds[1:][::-1]
    for name in ("tpr", "fpr"):
        drawn = np.interp(at, short.thresholds[1:][::-1], getattr(short, name)[1:][::-1])
        assert np.abs(drawn - getattr(ks, name)[1:][::-1]).max() <= short.deviation + 1e-12
    assert short.ks.threshold in short.thresholds
    place = int(np.flatnonzero(short.thresholds == short.ks.threshold)[0])
    assert abs(short.tpr[place] - short.fpr[place]) == pytest.approx(short.ks.value, abs=1e-12)


def test_every_curve_with_few_points() -> None:
    y = (RANDOM.random(30_000) < 0.3).astype(int)
    s = 1 / (1 + np.exp(-(RANDOM.normal(size=30_000) + 1.5 * y - 1.4)))
    table = rs.ScoreTable(y, s)
    assert len(table) == 30_000
    for name, deviation in zip(CURVES, (2e-3, 0.02, 2e-3, 2e-3, 2e-3, 0.05, 2e-3), strict=True):
        few = getattr(table, name)(max_points=200)
        assert 100 < len(few) <= 200, name
        assert 0 < few.deviation < deviation, name
        if name != "lift_curve":  # its first points jump; the others are the same in either way
            assert few == getattr(table, name)().simplify(200), name
    for name in ("decision_curve", "brier_curve", "precision_recall_gain_curve", "cost_curve"):
        curve = getattr(table, name)()
        few = curve.simplify(200)
        assert len(few) <= 200
        assert few.deviation < 0.05
    line = table.precision_recall_curve("linear", max_points=300)
    assert len(line) <= 300
    assert line.area() == pytest.approx(table.precision_recall_curve("linear").area(), abs=line.deviation)
    twice = table.roc_curve(max_points=400).simplify(100)
    assert twice.deviation >= table.roc_curve(max_points=400).deviation
    assert abs(twice.area() - table["roc_auc"]) <= twice.deviation


def test_counts_on_a_line_go_exactly_whatever_their_rates_round_to() -> None:
    # One positive in three rows, over and over: one straight line, though thirds and sevenths round.
    y = np.tile([1, 0, 0], 2_000)
    s = np.repeat(np.arange(2_000), 3)
    table = rs.ScoreTable(y, s)
    for curve in (table.roc_curve, table.det_curve, table.gain_curve):
        assert len(curve(max_deviation=0)) == 2
        assert len(curve().simplify()) == 2
        assert curve().simplify().deviation == 0.0


# Bad input.


def test_what_is_refused() -> None:
    table = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.5, 1.5, 0.7])
    for call in (table.brier_curve, table.decision_curve):
        with pytest.raises(rs.InputError, match=r"y_score is 1\.5; expected probabilities"):
            call()
    below = rs.ScoreTable([0, 1], [-0.25, 0.5])
    with pytest.raises(rs.InputError, match=r"y_score is -0\.25"):
        below.brier_curve()
    fine = rs.ScoreTable([0, 1, 0, 1, 0], [0.1, 0.5, 0.7, 0.9, 0.3])
    for bad, error in ((1, rs.InputError), (-3, rs.InputError), (True, rs.InputTypeError), (2.5, rs.InputTypeError)):
        with pytest.raises(error, match="max_points"):
            fine.roc_curve(max_points=bad)
        with pytest.raises(error, match="max_points"):
            fine.lift_curve().simplify(bad)
    for bad, error in ((-0.1, rs.InputError), (math.nan, rs.InputError), ("a", rs.InputTypeError)):
        with pytest.raises(error, match="max_deviation"):
            fine.roc_curve(max_deviation=bad)
        with pytest.raises(error, match="max_deviation"):
            fine.roc_curve().simplify(max_deviation=bad)
    with pytest.raises(rs.InputError, match="max_points is 2; expected at least 3"):
        fine.lift_curve(max_points=2)
    with pytest.raises(rs.InputError, match="max_points is 2; expected at least 3"):
        fine.lift_curve().simplify(2)
    with pytest.raises(rs.InputError, match="interpolation is 'cubic'"):
        fine.precision_recall_curve("cubic")
    with pytest.raises(rs.InputError, match=r"at\[1\] is 1\.5"):
        fine.decision_curve(at=[0.5, 1.5])
    with pytest.raises(rs.InputError, match=r"at\[0\] is nan"):
        fine.decision_curve(at=[math.nan])
    with pytest.raises(rs.InputTypeError, match="at"):
        fine.decision_curve(at=["a"])
    with pytest.raises(rs.InputError, match="at"):
        fine.decision_curve(at=[[0.5]])
    with pytest.raises(rs.InputError, match="probability_cost"):
        fine.cost_lines().at(2)
    with pytest.raises(rs.InputTypeError, match="x is 3"):
        fine.curve(3, "fpr")


def test_a_notebook_shows_the_ends_of_a_long_curve_and_makes_no_numbers_of_the_rest():
    table = rs.ScoreTable(np.arange(100_000) % 2, np.arange(100_000) / 1e5)
    curve = table.roc_curve()
    tracemalloc.start()
    page = curve._repr_html_()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 18  # as Python numbers the points would take several megabytes
    assert page.count("<tr>") == 1 + 5 + 1 + 5
    assert page.count("<td>…</td>") == 1 + 3
    assert "<td>inf</td>" in page
    assert page.endswith("<td>1</td><td>1</td><td>0</td></tr></tbody></table>")
    short = rs.ScoreTable([0, 1, 1], [0.1, 0.2, 0.3]).roc_curve()
    cells = [re.findall("<td>(.*?)</td>", row) for row in short._repr_html_().split("<tr>")[2:]]
    whole = [re.findall("<td>(.*?)</td>", row) for row in short.summary()._repr_html_().split("<tr>")[2:]]
    assert cells == [[str(place), *row] for place, row in enumerate(whole)]

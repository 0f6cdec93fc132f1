"""Calibration curves, errors, decompositions and tests against plain numpy, scikit-learn and values of other packages."""

from __future__ import annotations

import math
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs

EXAMPLES = Path(__file__).parents[2] / "examples"
THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
FAMILY = [row.name for row in rs.indices() if row.family == "calibration" and "scores" in row.forms]


@pytest.fixture(scope="module")
def rocr():
    scores, labels = np.loadtxt(EXAMPLES / "rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
    return labels.astype(int), scores


def bins_of(score, bins):
    """[i/n, (i + 1)/n), the last with its end."""
    edges = np.arange(1, bins) / bins
    return np.searchsorted(edges, score, side="right")


def errors(y, score, weight, place):
    """The three norms over any bins."""
    gaps, shares = [], []
    for bin_ in np.unique(place):
        inside = place == bin_
        w = weight[inside]
        gaps.append(abs((w * (y[inside] - score[inside])).sum() / w.sum()))
        shares.append(w.sum() / weight.sum())
    gaps, shares = np.array(gaps), np.array(shares)
    return {"l1": (shares * gaps).sum(), "l2": math.sqrt((shares * gaps**2).sum()), "max": gaps.max()}


def by_weight(score, weight, bins):
    """The bin of each row by the share of the weight below it. Weights are quarters, so these sums are exact."""
    below = np.array([weight[score < s].sum() for s in score])
    return np.floor(below * bins / weight.sum()).astype(int)


@st.composite
def columns(draw):
    rows = draw(st.integers(2, 120))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    ties = draw(st.sampled_from([2, 10, 64, 10**6]))
    score = random.integers(0, ties + 1, rows) / ties
    y = random.integers(0, 2, rows)
    y[0], y[-1] = 0, 1
    weight = random.integers(1, 9, rows) / 4 if draw(st.booleans()) else np.ones(rows)
    return y, score.astype(draw(st.sampled_from([np.float64, np.float32]))), weight


@settings(max_examples=60, deadline=None)
@given(columns(), st.integers(1, 30))
def test_errors_are_those_of_the_definition(rows, bins):
    y, score, weight = rows
    table = rs.ScoreTable(y, score, sample_weight=weight)
    wide = score.astype(float)
    names = {
        "l1": "expected_calibration_error",
        "l2": "root_mean_square_calibration_error",
        "max": "maximum_calibration_error",
    }
    uniform = errors(y, wide, weight, bins_of(wide, bins))
    equal = errors(y, wide, weight, by_weight(wide, weight, bins))
    assert table.value("adaptive_calibration_error", bins=bins) == pytest.approx(equal["l1"], abs=1e-12)
    for norm, name in names.items():
        assert table.value(name, bins=bins) == pytest.approx(uniform[norm], abs=1e-12)
        given_weights = {"bins": bins, "norm": norm, "sample_weight": weight}
        assert rs.scores.calibration_error(y, score, **given_weights) == pytest.approx(uniform[norm], abs=1e-12)
        assert rs.scores.calibration_error(y, score, strategy="quantile", **given_weights) == pytest.approx(
            equal[norm], abs=1e-12
        )
        if (weight == 1).all():
            assert rs.scores.calibration_error(y, score, bins=bins, norm=norm) == pytest.approx(
                uniform[norm], abs=1e-12
            )


@settings(max_examples=60, deadline=None)
@given(columns(), st.integers(1, 30), st.sampled_from(["uniform", "quantile", "isotonic"]))
def test_curves_hold_every_row_once(rows, bins, strategy):
    y, score, weight = rows
    curve = rs.ScoreTable(y, score, sample_weight=weight).calibration(bins, strategy=strategy)
    wide = score.astype(float)
    assert curve.weight.sum() == weight.sum()
    assert len(curve) + curve.empty == bins or strategy == "isotonic"
    for place in range(len(curve)):
        closed = place == len(curve) - 1 and (strategy != "uniform" or curve.upper[place] == 1)
        inside = (wide >= curve.lower[place]) & ((wide < curve.upper[place]) | (closed & (wide == curve.upper[place])))
        w = weight[inside]
        assert curve.weight[place] == w.sum()
        assert curve.mean_score[place] == pytest.approx((w * wide[inside]).sum() / w.sum(), abs=1e-13)
        assert curve.observed[place] == pytest.approx((w * y[inside]).sum() / w.sum(), abs=1e-13)
        assert curve.low[place] <= curve.observed[place] <= curve.high[place]
    if strategy == "isotonic":
        assert (np.diff(curve.observed) > 0).all()


@settings(max_examples=60, deadline=None)
@given(columns())
def test_decompositions_add_up(rows):
    y, score, weight = rows
    table = rs.ScoreTable(y, score, sample_weight=weight)
    wide = score.astype(float)
    brier = (weight * (wide - y) ** 2).sum() / weight.sum()
    parts = table.decomposition()
    assert parts.score == pytest.approx(brier, abs=1e-13)
    assert parts.miscalibration - parts.discrimination + parts.uncertainty == pytest.approx(brier, abs=1e-13)
    assert table["brier_reliability"] - table["brier_resolution"] + table["brier_uncertainty"] == pytest.approx(
        brier, abs=1e-13
    )
    # Isotonic regression does exactly as well as the rates of the distinct scores allow.
    assert parts.miscalibration <= table["brier_reliability"] + 1e-13
    parts = table.decomposition("log_loss")
    assert parts.miscalibration - parts.discrimination + parts.uncertainty == pytest.approx(parts.score, abs=1e-12)
    assert table["log_loss_skill_score"] == pytest.approx(1 - table["normalized_cross_entropy"], abs=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn_agrees(weighted):
    sk = pytest.importorskip("sklearn.metrics")
    isotonic = pytest.importorskip("sklearn.isotonic")
    random = np.random.default_rng(3)
    score = random.beta(0.7, 1.2, 3000).round(3)
    y = (random.random(3000) < score**1.3).astype(int)
    weight = random.random(3000) if weighted else None
    table = rs.ScoreTable(y, score, sample_weight=weight)
    brier, log_loss = (f(y, score, sample_weight=weight) for f in (sk.brier_score_loss, sk.log_loss))
    assert table.decomposition().score == pytest.approx(brier, rel=1e-13)
    assert table.decomposition("log_loss").score == pytest.approx(log_loss, rel=1e-13)
    assert table["brier_skill_score"] == pytest.approx(sk.d2_brier_score(y, score, sample_weight=weight), abs=1e-13)
    assert table["log_loss_skill_score"] == pytest.approx(
        sk.d2_log_loss_score(y, score, sample_weight=weight), abs=1e-13
    )
    fitted = isotonic.IsotonicRegression(y_min=0, y_max=1).fit(score, y, sample_weight=weight).predict(score)
    recalibrated = sk.brier_score_loss(y, fitted, sample_weight=weight)
    assert table["brier_miscalibration"] == pytest.approx(brier - recalibrated, abs=1e-13)
    curve = table.calibration(strategy="isotonic")
    steps = curve.observed[np.searchsorted(curve.lower, score, side="right") - 1]
    assert np.allclose(steps, fitted, atol=1e-12)


def test_the_curve_is_that_of_scikit_learn_but_for_edges():
    calibration = pytest.importorskip("sklearn.calibration")
    random = np.random.default_rng(4)
    score = random.random(5000)
    y = (random.random(5000) < score).astype(int)
    true, predicted = calibration.calibration_curve(y, score, n_bins=10)
    curve = rs.ScoreTable(y, score).calibration()
    assert np.allclose(curve.observed, true)
    assert np.allclose(curve.mean_score, predicted)
    # A score at an edge belongs to the bin above; in scikit-learn it belongs to the bin below.
    assert rs.ScoreTable([0, 1], [0.25, 0.5]).calibration(2).lower.tolist() == [0, 0.5]
    assert len(calibration.calibration_curve([0, 1], [0.25, 0.5], n_bins=2)[0]) == 1


def test_rocr_simple(rocr):
    """R's ROCR 1.0-11: Brier score and cross entropy; the rest by numpy and scipy."""
    y, score = rocr
    table = rs.ScoreTable(y, score)
    assert table.decomposition().score == pytest.approx(0.167663, abs=5e-7)
    assert table.decomposition("log_loss").score == pytest.approx(0.556176, abs=5e-7)
    place = bins_of(score, 10)
    assert table["expected_calibration_error"] == pytest.approx(errors(y, score, np.ones(200), place)["l1"], abs=1e-13)
    bend = 1 - 2 * score
    z = ((y - score) * bend).sum() / math.sqrt((bend**2 * score * (1 - score)).sum())
    assert table["spiegelhalter_z"] == pytest.approx(z, rel=1e-12)
    assert table["spiegelhalter_p_value"] == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-11)


def test_the_line_of_a_million_close_scores():
    """Scores so close that they are taken together: the derivatives of the likelihood vanish, row by row."""
    random = np.random.default_rng(9)
    score = random.beta(0.5, 0.8, 200_000)
    y = (random.random(score.size) < 1 / (1 + ((1 - score) / score) ** 1.7 * 1.3)).astype(int)
    table = rs.ScoreTable(y, score)
    x = np.log(np.clip(score, 2.0**-52, 1) / np.clip(1 - score, 2.0**-52, 1))
    excess = y - 1 / (1 + np.exp(-(table["calibration_intercept"] + table["calibration_slope"] * x)))
    assert abs(excess.mean()) < 1e-13
    assert abs((excess * x).mean()) < 1e-12
    shifted = y - 1 / (1 + np.exp(-(table["calibration_shift"] + x)))
    assert abs(shifted.mean()) < 1e-13


def test_several_classes():
    random = np.random.default_rng(2)
    y_score = random.dirichlet(np.ones(4), 500).round(2)
    y_score /= y_score.sum(axis=1, keepdims=True)
    y = random.integers(0, 4, 500)
    weight = random.integers(1, 9, 500) / 4
    top, right = y_score.max(axis=1), (y_score.argmax(axis=1) == y).astype(int)
    ones = np.ones(500)
    for bins in (5, 15, 40):
        for norm in ("l1", "l2", "max"):
            options = {"bins": bins, "norm": norm}
            expected = errors(right, top, ones, bins_of(top, bins))[norm]
            assert rs.scores.calibration_error(y, y_score, **options) == pytest.approx(expected, abs=1e-12)
            expected = errors(right, top, weight, bins_of(top, bins))[norm]
            found = rs.scores.calibration_error(y, y_score, mode="top_label", sample_weight=weight, **options)
            assert found == pytest.approx(expected, abs=1e-12)
            each = [
                errors((y == k).astype(int), y_score[:, k], ones, bins_of(y_score[:, k], bins))[norm] for k in range(4)
            ]
            expected = {"l1": np.mean(each), "l2": math.sqrt(np.mean(np.square(each))), "max": max(each)}[norm]
            found = rs.scores.calibration_error(y, y_score, mode="classwise", **options)
            assert found == pytest.approx(expected, abs=1e-12)
    tables = rs.ScoreTables(y, y_score)
    per_class = tables.every("expected_calibration_error")
    assert np.mean(per_class) == pytest.approx(rs.scores.calibration_error(y, y_score, mode="classwise"), abs=1e-12)
    table = rs.scores.top_label(y, y_score)
    assert table["expected_calibration_error"] == pytest.approx(rs.scores.calibration_error(y, y_score), abs=1e-14)
    assert table.positives == right.sum()
    assert table.pos_label is True
    assert tables.top_label() == table
    assert tables["top_label_calibration_error"] == table["expected_calibration_error"]
    model = rs.evaluate(y, y_proba=y_score).models["model"]
    assert model["top_label_calibration_error"] == table["expected_calibration_error"]
    rows = [row[0] for row in rs.evaluate(y, y_proba=y_score).summary().rows]
    place = rows.index("top_label_calibration_error")
    assert rows[place + 1] == "mean expected_calibration_error"
    assert model["ece"] == pytest.approx(np.mean(per_class))


def test_the_top_label_adds_up_and_is_kept():
    random = np.random.default_rng(6)
    y, y_score, weight = random.integers(0, 3, 300), random.dirichlet(np.ones(3), 300).round(1), random.random(300)
    for options in ({}, {"sample_weight": weight}, {"sample_weight": weight, "weight_kind": "sampling"}):

        def part(rows, options=options):
            given = {key: value[rows] if key == "sample_weight" else value for key, value in options.items()}
            return rs.ScoreTables(y[rows], y_score[rows], labels=[0, 1, 2], **given)

        whole, first, rest, none = (part(slice(*ends)) for ends in ((0, 300), (0, 100), (100, 300), (0, 0)))
        table = rs.scores.top_label(y, y_score, labels=[0, 1, 2], **options)
        assert (first + rest).top_label() == (none + whole).top_label() == table
        assert (whole - rest).top_label() == first.top_label()
        assert rs.ScoreTables.from_bytes(whole.to_bytes()).top_label() == table
    right = rs.ScoreTables([0, 1, 2], np.eye(3))
    assert (right.top_label().positives, right["top_label_calibration_error"]) == (3, 0)


def test_bytes_without_top_labels_say_so():
    tables = rs.ScoreTables.from_bytes((Path(__file__).parents[1] / "data" / "bytes" / "score_tables.v2").read_bytes())
    assert np.isnan(tables["top_label_calibration_error"])
    assert "bytes that have no ranking of the top labels" in tables.why("top_label_calibration_error")
    with pytest.raises(rs.errors.InputError, match="count the rows again"):
        tables.top_label()


def test_two_classes_in_two_columns_and_in_one():
    """One column is judged as it is, the most probable class by its confidence: they are different questions."""
    score = np.array([0.05, 0.3, 0.35, 0.45, 0.6, 0.65, 0.7, 0.95])
    y = np.array([0, 1, 0, 0, 1, 0, 1, 1])
    both = np.stack([1 - score, score], axis=1)
    binary = errors(y, score, np.ones(8), bins_of(score, 5))["l1"]
    assert rs.scores.calibration_error(y, score, bins=5) == pytest.approx(binary, abs=1e-15)
    assert rs.scores.calibration_error(y, both, bins=5) == pytest.approx(binary, abs=1e-15)
    confidence, right = both.max(axis=1), (both.argmax(axis=1) == y).astype(int)
    top = errors(right, confidence, np.ones(8), bins_of(confidence, 5))["l1"]
    assert top != pytest.approx(binary, abs=1e-3)
    for given_scores in (score, both):
        assert rs.scores.calibration_error(y, given_scores, bins=5, mode="top_label") == pytest.approx(top, abs=1e-15)


def test_labels_of_any_kind():
    score = [0.25, 0.625, 0.6875, 0.875]
    expected = rs.scores.calibration_error([0, 0, 1, 1], score)
    assert rs.scores.calibration_error(["no", "no", "yes", "yes"], score) == pytest.approx(expected, abs=1e-15)
    assert rs.scores.calibration_error([1, 1, 0, 0], score, pos_label=0) == pytest.approx(expected, abs=1e-15)
    assert rs.scores.calibration_error([False, False, True, True], np.float32(score)) == expected
    found = rs.scores.top_label(["a", "b"], [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25]], labels=["a", "b", "c"])
    assert (found.positives, found.negatives) == (2, 0)


@pytest.mark.parametrize("score", [[0.5, 1.5, 0.2], [0.5, -0.5, 0.2], [0.5, 2.0, -1.0]])
def test_what_is_no_probability_is_told(score):
    table = rs.ScoreTable([0, 1, 1], score)
    for name in FAMILY:
        assert math.isnan(table[name])
        assert "outside [0, 1]" in table.why(name)
    assert table["roc_auc"] >= 0
    wrong = next(f"{x:g}" for x in score if not 0 <= x <= 1)
    for ask in (table.calibration, table.decomposition):
        with pytest.raises(rs.InputError, match="y_score") as refusal:
            ask()
        assert wrong in str(refusal.value)
    for options in ({}, {"strategy": "quantile"}, {"sample_weight": [1, 2, 3]}):
        with pytest.raises(rs.InputError, match=r"y_score\[1\]"):
            rs.scores.calibration_error([0, 1, 1], score, **options)
    with pytest.raises(rs.InputError, match=r"y_score\[1\]"):
        rs.scores.top_label([0, 1, 2], [[1, 0, 0], [0.5, math.nan, 0.5], [1, 0, 0]])


@pytest.mark.parametrize("policy", ["worst", "best"])
def test_missing_scores_that_are_ranked_are_no_probabilities(policy):
    table = rs.ScoreTable([0, 1, 1], [0.5, math.nan, 0.25], nan_policy=policy)
    assert math.isnan(table["expected_calibration_error"])
    with pytest.raises(rs.InputError):
        table.calibration()


@pytest.mark.parametrize(
    ("positives", "negatives"),
    [
        ([3, 0, 1, 5], [5, 1, 1, 1]),
        ([2, 1.25, 1.5, 900], [900, 1, 2, 3]),
        ([0, 0, 858, 0, 4.5, 0.125, 3, 65, 0.125], [298, 693, 0.0625, 0.01, 0, 0.25, 0.125, 0.001, 993]),
        ([2, 1.7, 1.25, 1.7], [0.5, 1.25, 0.9, 0.5]),
        ([0, 0, 0, 2], [2, 3, 2, 3]),
        ([1, 2], [2, 5]),
    ],
)
def test_the_line_where_scores_are_0_and_1(positives, negatives):
    """There the likelihood is flat around a slope of 1; its derivatives vanish all the same."""
    score = np.linspace(0, 1, len(positives))
    y, p, w = np.repeat([1, 0], score.size), np.tile(score, 2), np.array([*positives, *negatives], float)
    table = rs.ScoreTable(y, p, sample_weight=w)
    x = np.log(np.clip(p, 2.0**-52, 1) / np.clip(1 - p, 2.0**-52, 1))
    excess = y - 1 / (1 + np.exp(-(table["calibration_shift"] + x)))
    assert abs((w * excess).sum()) < 1e-12 * w.sum()
    some = w > 0
    if p[some & (y == 1)].min() == p[some & (y == 0)].max():
        assert "overlap" in table.why("calibration_slope")
        return
    if p[some & (y == 1)].min() < p[some & (y == 0)].max() and p[some & (y == 0)].min() < p[some & (y == 1)].max():
        excess = y - 1 / (1 + np.exp(-(table["calibration_intercept"] + table["calibration_slope"] * x)))
        assert abs((w * excess).sum()) < 1e-12 * w.sum()
        assert abs((w * excess * x).sum()) < 1e-11 * w.sum()


@pytest.mark.parametrize("slope", [60, 500, -2000])
def test_the_line_of_nearly_parted_classes(slope):
    """Cells that are far too wide for the slope give way to narrow ones."""
    random = np.random.default_rng(4)
    score = 0.4 + 0.2 * random.random(40_000)
    x = np.log(score / (1 - score))
    y = (random.random(score.size) < 1 / (1 + np.exp(np.clip(-slope * x, -700, 700)))).astype(int)
    table = rs.ScoreTable(y, score)
    assert table["calibration_slope"] == pytest.approx(slope, rel=0.2)
    line = table["calibration_intercept"] + table["calibration_slope"] * x
    excess = y - 1 / (1 + np.exp(np.clip(-line, -700, 700)))
    assert abs(excess.mean()) < 1e-13
    assert abs((excess * x).mean()) < 1e-13


@pytest.mark.parametrize("weight", [None, [1.0, 1.0]])
def test_a_positive_label_that_does_not_occur(weight):
    with pytest.raises(rs.InputError, match="the two labels"):
        rs.scores.calibration_error([0, 1], [0.25, 0.75], pos_label=7, sample_weight=weight)
    with pytest.raises(rs.InputError):
        rs.scores.calibration_error(["a", "b"], [0.25, 0.75], pos_label="c", sample_weight=weight)


def test_no_rows_one_class_and_equal_scores():
    empty = rs.ScoreTable([0, 1], [0.25, 0.5], sample_weight=[0, 0])
    assert len(empty.calibration()) == 0
    assert math.isnan(empty.decomposition().score)
    assert all(math.isnan(empty[name]) and empty.why(name) for name in FAMILY)
    assert math.isnan(rs.scores.calibration_error([0, 1], [0.25, 0.5], sample_weight=[0, 0]))
    one = rs.ScoreTable([1, 1], [0.25, 0.75], pos_label=1)
    assert one["expected_calibration_error"] == 0.5
    assert math.isnan(one["calibration_slope"])
    assert "one class" in one.why("calibration_slope")
    alike = rs.ScoreTable([0, 1, 1], [0.5, 0.5, 0.5])
    assert alike.calibration(strategy="isotonic").observed.tolist() == [2 / 3]
    assert alike.calibration(4, strategy="quantile").empty == 3
    assert math.isnan(alike["calibration_slope"])
    assert "All scores are equal" in alike.why("calibration_slope")
    assert alike["calibration_shift"] == pytest.approx(math.log(2), abs=1e-14)


def test_certain_scores_that_are_wrong():
    table = rs.ScoreTable([0, 1, 0, 1, 0, 1], [0.0, 0.0, 0.5, 0.5, 1.0, 1.0])
    assert math.isnan(table["hosmer_lemeshow"])
    assert table["hosmer_lemeshow_p_value"] == 0
    assert table.decomposition("log_loss").score > 10
    assert math.isfinite(table["log_loss_miscalibration"])


def test_bits_do_not_depend_on_rows_threads_or_parts():
    random = np.random.default_rng(8)
    score = random.random(50_000)
    y = (random.random(50_000) < score).astype(int)
    weight = random.random(50_000)
    whole = rs.ScoreTable(y, score, sample_weight=weight)
    order = random.permutation(50_000)
    cut = 12_345
    parts = rs.ScoreTable(y[:cut], score[:cut], sample_weight=weight[:cut]) + rs.ScoreTable(
        y[cut:], score[cut:], sample_weight=weight[cut:]
    )
    shuffled = rs.ScoreTable(y[order], score[order], sample_weight=weight[order])
    for name in FAMILY:
        assert whole[name] == parts[name] == shuffled[name]
    assert whole.calibration() == parts.calibration() == shuffled.calibration()
    many = random.dirichlet(np.ones(3), 50_000)
    kinds = random.integers(0, 3, 50_000)
    for mode in ("top_label", "classwise"):
        assert rs.scores.calibration_error(kinds, many, mode=mode) == rs.scores.calibration_error(
            kinds[order], many[order], mode=mode
        )


def test_results_are_whole_objects():
    curve = rs.ScoreTable([0, 0, 1], [0.1, 0.4, 0.8]).calibration(4)
    assert isinstance(curve, rs.results.Calibration)
    assert (len(curve), curve.empty, curve.strategy, curve.level) == (3, 1, "uniform", 0.95)
    names = ["lower", "upper", "mean_score", "observed", "weight", "low", "high"]
    assert list(curve.summary().columns) == names
    assert not curve.observed.flags.writeable
    assert pickle.loads(pickle.dumps(curve)) == curve
    with pytest.raises(AttributeError):
        curve.empty = 3
    assert curve.to_dict()["lower"] == [0.0, 0.25, 0.75]
    wide = rs.ScoreTable([0, 0, 1], [0.1, 0.4, 0.8]).calibration(4, level=0.5)
    assert (wide.high - wide.low < curve.high - curve.low).all()


@pytest.mark.parametrize("bins", [0, -1, 2.5, "3", 1 << 17, None])
def test_bins_that_cannot_be(bins):
    table = rs.ScoreTable([0, 1], [0.25, 0.5])
    for ask in (lambda: table.calibration(bins), lambda: rs.scores.calibration_error([0, 1], [0.25, 0.5], bins=bins)):
        with pytest.raises((rs.InputError, rs.InputTypeError), match="bins"):
            ask()
    if bins is not None:
        with pytest.raises((rs.InputError, rs.InputTypeError), match="bins"):
            table.value("expected_calibration_error", bins=bins)


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"mode": "both"}, "mode"),
        ({"strategy": "isotonic"}, "strategy"),
        ({"norm": "l3"}, "norm"),
        ({"mode": "top_label", "pos_label": 1}, "pos_label"),
        ({"labels": [0, 1]}, "labels"),
        ({"mode": "classwise"}, "y_score"),
        ({"sample_weight": [1.0]}, "sample_weight"),
        ({"sample_weight": [1.0, -1.0]}, "sample_weight"),
    ],
)
def test_arguments_that_cannot_be(options, argument):
    with pytest.raises(rs.InputError, match=argument):
        rs.scores.calibration_error([0, 1], [0.25, 0.5], **options)


def test_columns_that_do_not_fit_the_classes():
    y_score = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25]]
    for ask in (rs.scores.top_label, rs.scores.calibration_error):
        with pytest.raises(rs.InputError, match="classes"):
            ask([0, 1], y_score)
    with pytest.raises(rs.InputError, match="binary"):
        rs.scores.calibration_error([0, 1], y_score, mode="binary")
    for level in (0, 1, math.nan):
        with pytest.raises(rs.InputError, match="level"):
            rs.ScoreTable([0, 1], [0.25, 0.5]).calibration(level=level)


# ---- tests of calibration ----

TESTS = (
    "cox_calibration_p_value",
    "cumulative_calibration_error_p_value",
    "cumulative_calibration_range_p_value",
    "spiegelhalter_p_value",
    "hosmer_lemeshow_p_value",
)


def test_calibrated_scores_are_rejected_as_often_as_promised():
    rng = np.random.default_rng(21)
    samples = 4000 if THOROUGH else 500
    rejected = dict.fromkeys(TESTS, 0)
    for _ in range(samples):
        score = rng.random(300)
        table = rs.ScoreTable(rng.random(300) < score, score, pos_label=True)
        for name in TESTS:
            rejected[name] += table[name] < 0.05
    most = 0.065 if THOROUGH else 0.085
    assert all(0.02 * samples < found < most * samples for found in rejected.values()), rejected


def test_scores_that_are_off_are_rejected():
    rng = np.random.default_rng(22)
    score = rng.random(2000)
    for true in (score**1.5, score + 0.5 * (0.5 - score)):
        table = rs.ScoreTable(rng.random(2000) < true, score)
        assert all(table[name] < 1e-3 for name in TESTS if name != "spiegelhalter_p_value")


def test_bins_that_rise_and_the_smooth_curve():
    """Against loops over the rows: of many distinct scores, of ties, of weights."""
    rng = np.random.default_rng(23)
    for digits, rows in ((17, 300), (2, 300), (1, 80)):
        score = np.round(rng.random(rows), digits)
        y = (rng.random(rows) < score).astype(int)
        table = rs.ScoreTable(y, score)
        best = None
        for bins in range(1, rows + 1):
            below = np.searchsorted(np.sort(score), score)
            place = below * bins // rows
            if np.any(np.diff([y[place == b].mean() for b in np.unique(place)]) < 0):
                break
            best = errors(y, score, np.ones(rows), place)["l1"]
        assert table["sweep_calibration_error"] == pytest.approx(best, abs=1e-13)
        distance = np.abs(score[:, None] - score)
        reach = np.sort(distance, axis=1)[:, math.ceil(0.75 * rows) - 1 :][:, :1]
        weight = np.clip(1 - (distance / reach) ** 3, 0, None) ** 3
        weight /= weight.sum(axis=1, keepdims=True)
        middle, share = weight @ score, weight @ y
        slope = ((weight * score) @ y - middle * share) / (weight @ score**2 - middle**2)
        gaps = np.abs(np.clip(share + slope * (score - middle), 0, 1) - score)
        assert table["ici"] == pytest.approx(gaps.mean(), abs=1e-12)
        assert table["e50"] == pytest.approx(np.quantile(gaps, 0.5, method="inverted_cdf"), abs=1e-12)
        assert table["e90"] == pytest.approx(np.quantile(gaps, 0.9, method="inverted_cdf"), abs=1e-12)
    score = rng.random(20_000)  # cells of several scores change little
    y = rng.random(20_000) < score**1.3
    few, many = (rs.ScoreTable(y, np.round(score, digits))["ici"] for digits in (3, 17))
    assert many == pytest.approx(few, rel=2e-3)
    alike = rs.ScoreTable([0, 1, 1, 1], [0.5] * 4)
    assert (alike["ici"], alike["e90"], alike["ece_sweep"]) == (0.25, 0.25, 0.25)

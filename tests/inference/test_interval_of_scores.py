"""Intervals of indices of scores, and the influence of single rows: R's pROC, simulations, extremes."""

import csv
import math
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

import rocksteady as rs

DATA = Path(os.environ.get("ROCKSTEADY_DATA", "/nowhere"))
THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
AREA = ("blended", "delong", "logit", "newcombe", "hanley_mcneil")
NAMES = [row.name for row in rs.indices(form="scores") if row.intervals]
INFLUENCED = [name for name in NAMES if name not in ("ks", "debiased_calibration_error")]
LINE = ("calibration_intercept", "calibration_slope", "calibration_shift")
SIMPLE = Path(__file__).parents[2] / "examples" / "rocr_simple.csv"


def simple():
    scores, labels = np.loadtxt(SIMPLE, delimiter=",", skiprows=1, unpack=True)
    return rs.ScoreTable(labels, scores)


def rows(table, influence):
    """The influence of each row of a table: those of the positives, and those of the negatives."""
    counts = table.counts()
    positives, negatives = (np.diff(column).astype(int) for column in (counts.tp, counts.fp))
    return np.repeat(influence.positive, positives), np.repeat(influence.negative, negatives)


# ---- golden values ----

# pROC 1.18.0, R 4.2.2: ci.auc and var of roc(outcome ~ marker, data = aSAH, levels = c("Good", "Poor"), direction = "<").
ASAH = {
    "s100b": (0.731368563685637, 0.00266868245717244, 0.630118211761623, 0.832618915609651),
    "wfns": (0.823678861788618, 0.00146991470882363, 0.748534887819453, 0.898822835757783),
    "ndka": (0.611957994579946, 0.0031908105493913, 0.501244999271703, 0.722670989888189),
}


@pytest.mark.skipif(not (DATA / "aSAH.csv").exists(), reason="needs pROC's data in ROCKSTEADY_DATA")
@pytest.mark.parametrize("marker", ASAH)
def test_delong_as_in_proc(marker):
    with (DATA / "aSAH.csv").open() as file:
        data = list(csv.DictReader(file))
    table = rs.ScoreTable([int(row["y"]) for row in data], [float(row[marker]) for row in data])
    found = table.interval("roc_auc", method="delong")
    expected = ASAH[marker]
    assert (found.estimate, found.standard_error**2, found.low, found.high) == pytest.approx(expected, rel=1e-12)


def test_delong_of_rocr_simple_as_in_proc():
    table = simple()
    rounded = rs.ScoreTable(*np.loadtxt(SIMPLE, delimiter=",", skiprows=1).T[::-1].round(1))
    found = rounded.interval("roc_auc", method="delong")
    expected = (0.826801326499849, 0.000974012503557823)
    assert (found.estimate, found.standard_error**2) == pytest.approx(expected, rel=1e-12)
    for level, low, high in [
        (0.95, 0.772966860641462, 0.895408177043193),
        (0.99, 0.753729935631507, 0.914645102053147),
    ]:
        found = table.interval("roc_auc", method="delong", level=level)
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)
    assert found.estimate == pytest.approx(0.834187518842327, rel=1e-12)
    assert found.standard_error**2 == pytest.approx(0.000975662935746377, rel=1e-12)


def test_closed_forms():
    """Newcombe's equation as R's SingleCaseES has it; the logit and Hanley-McNeil by their definitions."""
    table = simple()
    a, m, n, z = table["roc_auc"], table.positives, table.negatives, scipy.stats.norm.ppf(0.975)
    h = (m + n) / 2 - 1

    def zero(t):
        return m * n * (a - t) ** 2 * (2 - t) * (1 + t) - z * z * t * (1 - t) * (2 + h + (1 + 2 * h) * t * (1 - t))

    newcombe = table.interval("roc_auc", method="newcombe")
    expected = [scipy.optimize.brentq(zero, *ends, xtol=1e-15) for ends in ((1e-9, a), (a, 1 - 1e-9))]
    assert (newcombe.low, newcombe.high) == pytest.approx(expected, rel=1e-12)
    delong = table.interval("roc_auc", method="delong")
    logit = table.interval("roc_auc", method="logit")
    reach = z * delong.standard_error / (a * (1 - a))
    expected = scipy.special.expit(scipy.special.logit(a) + np.array([-reach, reach]))
    assert (logit.low, logit.high) == pytest.approx(tuple(expected), rel=1e-12)
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    variance = (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    assert table.interval("roc_auc", method="hanley_mcneil").standard_error == pytest.approx(math.sqrt(variance))


def test_hanley_mcneil_is_that_of_counts():
    """A score of two values is a 2x2 table: the method of this name gives the same standard error."""
    table = rs.ScoreTable([0] * 10 + [1] * 12, [0] * 7 + [1] * 3 + [0] * 4 + [1] * 8)
    of_counts = table.at(1).interval("balanced_accuracy", method="hanley_mcneil")
    found = table.interval("roc_auc", method="hanley_mcneil")
    assert found.estimate == pytest.approx(of_counts.estimate)
    assert found.standard_error == pytest.approx(of_counts.standard_error, rel=1e-12)


# statsmodels 0.15.0: GLM of the labels on the logits of the scores, and with them as offset, cov_type="HC0": estimate, bse,
# conf_int.
LINES = {
    "calibration_intercept": (-0.11048422955099764, 0.15720294451085032, -0.4185963390559128, 0.19762787995391756),
    "calibration_slope": (0.8117458715737842, 0.2011522668056989, 0.4174946732260225, 1.2059970699215459),
    "calibration_shift": (-0.11504728942281228, 0.16921690069285608, -0.44670632035630115, 0.21661174151067658),
}


@pytest.mark.parametrize("name", LINE)
def test_recalibration_as_in_statsmodels(name):
    found = simple().interval(name, method="normal")
    assert (found.estimate, found.standard_error, found.low, found.high) == pytest.approx(LINES[name], rel=1e-12)
    scores, labels = np.loadtxt(SIMPLE, delimiter=",", skiprows=1, unpack=True)
    sampled = rs.ScoreTable(labels, scores, sample_weight=np.ones(200), weight_kind="sampling")
    assert sampled.interval(name).standard_error == pytest.approx(LINES[name][1], rel=1e-12)
    weights = np.ones(200)
    place, step = 7, 1e-4  # one row that weighs a little more moves the line by its influence
    influence = simple().influence(name)
    own = (influence.positive if labels[place] else influence.negative)[influence.score == scores[place]][0]
    moved = []
    for weights[place] in (1 - step, 1 + step):
        moved.append(rs.ScoreTable(labels, scores, sample_weight=weights)[name])
    assert (moved[1] - moved[0]) / (2 * step) == pytest.approx(own, rel=1e-6)


@pytest.mark.parametrize("name", LINE)
@pytest.mark.parametrize("is_sample", [False, True])
def test_recalibration_has_the_degrees_of_freedom_of_satterthwaite(name, is_sample):
    rng = np.random.default_rng(21)
    y = rng.random(400) < 0.4
    p = 1 / (1 + np.exp(-(1.3 * y + rng.normal(size=400) - 0.8)))
    weight = rng.lognormal(0, 1, 400) if is_sample else np.ones(400)
    given = {"sample_weight": weight, "weight_kind": "sampling"} if is_sample else {}
    table = rs.ScoreTable(y, p, **given)
    found, own = table.interval(name), table.influence(name)
    place = np.searchsorted(-own.score, -p)
    influence = weight * np.where(y, own.positive[place], own.negative[place])
    squares = (influence**2).sum()
    # The variance of the sum of squares, from the fourth powers, is that of a chi-squared variable.
    freedom = 2 * squares**2 / (influence**4).sum()
    error = scipy.stats.t.ppf(0.975, freedom) * math.sqrt(squares)
    assert (found.method, found.standard_error) == ("t", pytest.approx(math.sqrt(squares), rel=1e-9))
    assert (found.low, found.high) == pytest.approx((found.estimate - error, found.estimate + error), rel=1e-9)


def debiased(y, s, bins, z):
    """The debiased square by pairs of rows, and its bounds by roots of the test that they invert."""
    place, rows = np.minimum((s * bins).astype(int), bins - 1), len(y)
    value = at_zero = rising = plain = fourth = 0.0
    for own in (np.flatnonzero(place == b) for b in range(bins)):
        n, d = len(own), (y - s)[own]
        if n > 1:
            pairs = (d.sum() ** 2 - (d * d).sum()) / (n * (n - 1))
            variance = max(d.var(ddof=1), (s * (1 - s))[own].mean())
            value += n / rows * pairs
            at_zero += (n / rows) ** 2 * 2 * variance**2 / (n * (n - 1))
            rising += (n / rows) ** 2 * 4 * d.mean() ** 2 * variance / n
            plain, fourth = plain + n / rows * d.mean() ** 2, fourth + n / rows * d.mean() ** 4
    slope = (rising + (fourth - plain**2) / rows) / plain

    def miss(true):
        return (value - true) ** 2 - z * z * (at_zero + slope * true)

    low = scipy.optimize.brentq(miss, 0, value, xtol=1e-15) if value > 0 and miss(0) > 0 else 0.0
    return value, low, scipy.optimize.brentq(miss, max(value, 0), 4, xtol=1e-15) if value > 0 else None


@pytest.mark.parametrize(("rows", "power", "bins"), [(300, 2, 10), (300, 1, 5), (40, 1, 10), (1000, 0.5, 7)])
def test_debiased_calibration_error(rows, power, bins):
    rng = np.random.default_rng(rows + bins)
    s = rng.random(rows)
    y = (rng.random(rows) < s**power).astype(int)
    found = rs.ScoreTable(y, s).interval("debiased_calibration_error", level=0.9, bins=bins)
    value, low, high = debiased(y, s, bins, scipy.stats.norm.ppf(0.95))
    assert (found.estimate, found.low) == pytest.approx((math.sqrt(max(value, 0)), math.sqrt(low)), abs=1e-12)
    assert found.high == pytest.approx(math.sqrt(high), rel=1e-10) if high else found.high > 0
    assert (found.note is None) == (low > 0)
    doubled = rs.ScoreTable(y, s, sample_weight=np.full(rows, 2.0), weight_kind="sampling")
    assert doubled.interval("debiased_calibration_error", level=0.9, bins=bins).high == pytest.approx(found.high)


def test_certain_scores_that_are_right_have_no_bounds():
    found = rs.ScoreTable([0, 0, 1, 1], [0.0, 0.0, 1.0, 1.0]).interval("debiased_calibration_error")
    assert found.estimate == 0
    assert math.isnan(found.low)
    assert "count alike" in found.why


# ---- what each interval is made of ----


@pytest.mark.parametrize("name", sorted({*INFLUENCED} - {*LINE}))
def test_standard_errors_are_sums_of_squared_influences(name):
    rng = np.random.default_rng(5)
    score = np.round(rng.random(400), 2)
    table = rs.ScoreTable(rng.random(400) < 0.1 + 0.8 * score, score)
    positive, negative = rows(table, table.influence(name))
    assert abs(positive.sum() + negative.sum()) < 1e-12
    m, n = len(positive), len(negative)
    if name in ("roc_auc", "gini"):
        expected = (positive**2).sum() * m / (m - 1) + (negative**2).sum() * n / (n - 1)
        found = table.interval(name, method="delong")
    else:
        expected = (positive**2).sum() + (negative**2).sum()
        expected *= 1 if name == "average_precision" else (m + n) / (m + n - 1)
        found = table.interval(name, method="normal")
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-11)


def test_losses_are_means():
    rng = np.random.default_rng(6)
    p = rng.random(300)
    y = rng.random(300) < p
    table = rs.ScoreTable(y, p)
    for name, loss in [("brier", (p - y) ** 2), ("log_loss", -np.log(np.where(y, p, 1 - p)))]:
        found = table.interval(name, method="normal")
        assert found.estimate == pytest.approx(loss.mean(), rel=1e-12)
        assert found.standard_error == pytest.approx(loss.std(ddof=1) / math.sqrt(300), rel=1e-12)
        by_ratio = table.interval(name)
        factor = math.exp(scipy.stats.norm.ppf(0.975) * found.standard_error / loss.mean())
        assert (by_ratio.low, by_ratio.high) == pytest.approx((loss.mean() / factor, loss.mean() * factor), rel=1e-12)


def test_gini_follows_the_area():
    table = simple()
    for method in AREA:
        area, gini = (table.interval(name, method=method) for name in ("roc_auc", "gini"))
        twice = (2 * area.low - 1, 2 * area.high - 1, 2 * area.standard_error)
        assert (gini.low, gini.high, gini.standard_error) == pytest.approx(twice, rel=1e-12)


def test_weights_count_as_rows():
    rng = np.random.default_rng(7)
    y, score, weight = rng.random(60) < 0.4, np.round(rng.random(60), 1), rng.integers(1, 5, 60)
    weighted = rs.ScoreTable(y, score, sample_weight=weight)
    repeated = rs.ScoreTable(np.repeat(y, weight), np.repeat(score, weight))
    for name in NAMES:
        for method in rs.index(name).intervals:
            a, b = (table.interval(name, method=method) for table in (weighted, repeated))
            expected = (b.low, b.high, b.standard_error)
            assert (a.low, a.high, a.standard_error) == pytest.approx(expected, rel=1e-11), (name, method)


def test_sampling_weights_are_those_of_single_rows():
    """The sum of squared influences, each times the weight of its row; equal weights are rows."""
    rng = np.random.default_rng(13)
    score = np.round(rng.random(300), 2)
    y, weight = rng.random(300) < 0.1 + 0.8 * score, rng.choice([0.5, 1, 8], 300)
    table = rs.ScoreTable(y, score, sample_weight=weight, weight_kind="sampling")
    up, down = weight[y], weight[~y]
    m, n, t = (w.sum() ** 2 / (w**2).sum() for w in (up, down, weight))
    for name in INFLUENCED:
        found = table.influence(name)
        place = np.searchsorted(-found.score, -score)
        positive, negative = (
            (w * of[place[rows]]) ** 2 for w, of, rows in [(up, found.positive, y), (down, found.negative, ~y)]
        )
        if name in ("roc_auc", "gini"):
            expected = positive.sum() * m / (m - 1) + negative.sum() * n / (n - 1)
            interval = table.interval(name, method="delong")
        else:
            factor = 1 if name in ("average_precision", *LINE) else t / (t - 1)
            expected = (positive.sum() + negative.sum()) * factor
            interval = table.interval(name, method="normal")
        assert interval.standard_error**2 == pytest.approx(expected, rel=1e-10), name
    rows = rs.ScoreTable(y, score)
    for unit in (0.37, 1e-30, 1e30):
        equal = rs.ScoreTable(y, score, sample_weight=np.full(300, unit), weight_kind="sampling")
        for name in sorted({*NAMES} - {*LINE}):  # without weights a line has Fisher's information
            for method in rs.index(name).intervals:
                a, b = (one.interval(name, method=method) for one in (equal, rows))
                expected = (b.low, b.high, b.standard_error)
                assert (a.low, a.high, a.standard_error) == pytest.approx(expected, rel=1e-9), (name, method)


@pytest.mark.skipif(not (DATA / "aSAH.csv").exists(), reason="needs pROC's data in ROCKSTEADY_DATA")
def test_weights_of_asah():
    """Weights 1, 2, 3, 4, 1, …: as counts, and row by row with numpy."""
    with (DATA / "aSAH.csv").open() as file:
        data = list(csv.DictReader(file))
    y = np.array([int(row["y"]) for row in data])
    score, weight = np.array([float(row["s100b"]) for row in data]), 1 + np.arange(len(y)) % 4
    counts = rs.ScoreTable(y, score, sample_weight=weight).interval("roc_auc", method="delong")
    assert counts.estimate == pytest.approx(0.7435286866875841, rel=1e-13)
    assert counts.standard_error**2 == pytest.approx(0.00101557, abs=5e-9)
    table = rs.ScoreTable(y, score, sample_weight=weight, weight_kind="sampling")
    found = table.influence("roc_auc")
    place = np.searchsorted(-found.score, -score)
    of_row = weight * np.where(y == 1, found.positive[place], found.negative[place])
    m, n = (y == 1).sum(), (y == 0).sum()
    sandwich = (of_row[y == 1] ** 2).sum() * m / (m - 1) + (of_row[y == 0] ** 2).sum() * n / (n - 1)
    assert sandwich == pytest.approx(0.00273220, abs=5e-9)
    # A table knows effective rows instead of rows.
    assert table.interval("roc_auc", method="delong").standard_error ** 2 == pytest.approx(sandwich, rel=0.01)


def test_coverage_of_sampling_weights():
    """Rows with weights 1, 1, 1 or 8, whatever their class and score; as counts the intervals are too narrow."""
    rng = np.random.default_rng(14)
    truth = 0.5 * (1 + math.erf(0.5))  # normal scores that are one apart
    samples = 2_000 if THOROUGH else 200
    hits = dict.fromkeys(("sampling", "counts"), 0)
    for _ in range(samples):
        y = np.arange(120) < 40
        score, weight = rng.normal(size=120) + y, rng.choice([1.0, 1, 1, 8], 120)
        for kind in hits:
            found = rs.ScoreTable(y, score, sample_weight=weight, weight_kind=kind).interval("roc_auc")
            hits[kind] += found.low <= truth <= found.high
    assert hits["sampling"] / samples > (0.93 if THOROUGH else 0.9)
    assert hits["counts"] / samples < 0.85


def test_sides_are_bounds_of_a_wider_interval():
    table = simple()
    for name in NAMES:
        row = rs.index(name)
        for method in row.intervals:
            both = table.interval(name, method=method, level=0.9)
            lower, upper = (table.interval(name, method=method, side=side) for side in ("lower", "upper"))
            assert (lower.low, upper.high) == pytest.approx((both.low, both.high), rel=1e-12)
            assert (lower.high, upper.low) == (row.high, row.low)
            assert row.low <= both.low < both.estimate < both.high <= row.high


# ---- the doors ----


def test_several_names_are_a_table():
    found = simple().interval(["auc", "gini", "brier"], level=0.9)
    assert found.columns == ("index", "estimate", "low", "high", "standard_error", "method")
    assert [row[0] for row in found.rows] == ["auc", "gini", "brier"]
    assert [row[-1] for row in found.rows] == ["blended", "blended", "logarithm"]
    assert found.note is None
    few = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.3, 0.2, 0.25]).interval(["roc_auc", "gini", "average_precision"])
    assert few.note.count("fewer than 20") == 2
    perfect = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.3, 0.2, 0.15]).interval(["roc_auc", "average_precision"])
    assert perfect.columns[-1] == "why"
    assert perfect.rows[0][-1] is None
    assert "count alike" in perfect.rows[1][-1]
    few_of_each = rs.ScoreTables([0, 1, 2], np.eye(3)).every_interval("roc_auc")
    assert len(few_of_each.note) == 3


def test_scores_of_several_classes():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 200)
    logits = rng.normal(size=(200, 3)) + np.eye(3)[y]
    proba = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    tables = rs.ScoreTables(y, proba)
    found = tables.every_interval("roc_auc", method="delong")
    for k in range(3):
        one = tables.one_vs_rest(k).interval("roc_auc", method="delong")
        assert (found.low[k], found.high[k], found.standard_error[k]) == (one.low, one.high, one.standard_error)
    assert found.why is found.note is None
    own = -np.log(proba[np.arange(200), y])
    whole = tables.interval("log_loss", method="normal")
    assert whole.estimate == pytest.approx(own.mean(), rel=1e-12)
    assert whole.standard_error == pytest.approx(own.std(ddof=1) / math.sqrt(200), rel=1e-11)
    for name in ("one_vs_rest_auc", "brier"):
        with pytest.raises(rs.UnknownIndexError, match="which of their rows are the same; every_interval"):
            tables.interval(name)


def test_what_has_no_formula_is_refused_in_words():
    table = simple()
    for name in ("partial_auc", "h_measure", "expected_calibration_error", "minimum_error_rate"):
        with pytest.raises(rs.UnknownIndexError, match=r"ScoreTable\.bootstrap"):
            table.interval(name)
    with pytest.raises(rs.UnknownIndexError, match="its methods: blended, delong, logit, newcombe, hanley_mcneil"):
        table.interval("roc_auc", method="wilson")
    with pytest.raises(rs.UnknownIndexError, match="f1"):
        table.interval("f1")
    with pytest.raises(rs.UnknownIndexError, match="influence"):
        table.influence("ks")
    with pytest.raises(rs.UnknownIndexError, match=r"ProbabilitySums\(\.\.\., squares=True\) keeps"):
        rs.ProbabilitySums([0, 1], [0.2, 0.7]).interval("brier")
    with pytest.raises(rs.InputError, match="level is 1"):
        table.interval("roc_auc", level=1)
    with pytest.raises(rs.InputTypeError, match="name"):
        table.interval(7)


def test_influence_is_a_result():
    table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    found = table.influence("auc")
    assert (found.index, found.value, found.why) == ("roc_auc", 0.75, None)
    np.testing.assert_array_equal(found.score, table.thresholds[1:])
    assert found.summary().columns == ("score", "positive", "negative")
    assert pickle.loads(pickle.dumps(found)) == found
    assert isinstance(found, rs.inference.Influence)
    alone = rs.ScoreTable([1, 1], [0.1, 0.4], pos_label=1).influence("roc_auc")
    assert np.isnan(alone.positive).all()
    assert "negative" in alone.why


# ---- extremes ----


def test_ends_and_few_rows():
    perfect = rs.ScoreTable([0] * 30 + [1] * 40, range(70))
    for method in ("delong", "logit", "hanley_mcneil"):
        found = perfect.interval("roc_auc", method=method)
        assert math.isnan(found.low)
        assert "count alike" in found.why
    for method in ("blended", "newcombe"):
        found = perfect.interval("roc_auc", method=method)
        assert 0.8 < found.low < found.high == 1
        assert (found.why, found.note[:13]) == (None, "Few rows tell")
    assert "count alike" in perfect.interval("average_precision").why
    single = rs.ScoreTable([0] * 30 + [1], range(31))
    assert "single row" in single.interval("roc_auc", method="delong").why
    blended = single.interval("roc_auc")
    assert 0 < blended.low < 1
    assert "fewer than 20 rows" in blended.note
    one_class = rs.ScoreTable([1, 1], [0.1, 0.2], pos_label=1).interval("roc_auc")
    assert math.isnan(one_class.estimate)
    assert one_class.why == "No row is actually negative."
    constant = rs.ScoreTable([0, 1] * 50, np.full(100, 0.5))
    assert constant.interval("roc_auc").low == pytest.approx(0.390, abs=5e-4)
    assert "count alike" in constant.interval("brier").why
    far = rs.ScoreTable([0, 1], [2.0, -1.0]).interval("brier")
    assert "outside [0, 1]" in far.why


def test_huge_counts():
    """145,000 rows, where sums of squares leave 32 bits; a table of 1e9 rows; weights of any size."""
    rng = np.random.default_rng(9)
    y = rng.random(145_000) < 0.2
    table = rs.ScoreTable(y, rng.normal(size=145_000) + y)
    found = table.interval("roc_auc", method="delong")
    positive, negative = rows(table, table.influence("roc_auc"))
    m, n = len(positive), len(negative)
    expected = (positive**2).sum() * m / (m - 1) + (negative**2).sum() * n / (n - 1)
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-11)
    small = rs.ScoreTable(y[:1000], np.round(table.thresholds[1:1001], 1))
    many = small
    for _ in range(20):
        many = many + many
    assert many.rows == 1000 << 20
    one, other = (t.interval("roc_auc", method="delong").standard_error for t in (small, many))
    assert other * math.sqrt(1 << 20) == pytest.approx(one, rel=2e-2)
    for factor in (1e-300, 1e-3, 1e250, 1e305):
        weighted = rs.ScoreTable(y[:1000], table.thresholds[1:1001], sample_weight=np.full(1000, factor))
        for name in ("roc_auc", "average_precision"):
            found = weighted.interval(name)
            assert found.why is not None or 0 <= found.low <= found.estimate <= found.high <= 1


@pytest.mark.skipif(not THOROUGH, reason="ten million rows")
def test_ten_million_rows():
    rng = np.random.default_rng(10)
    y = rng.random(10_000_000) < 0.3
    table = rs.ScoreTable(y, rng.normal(size=10_000_000) + y)
    found = table.interval("roc_auc", method="delong")
    # Placements by sorting.
    scores = table.thresholds[1:]
    assert len(scores) == 10_000_000
    cells = table.counts()
    of_positives = 1 - cells.fp[1:][np.diff(cells.tp) > 0] / cells.fp[-1]
    of_negatives = cells.tp[1:][np.diff(cells.fp) > 0] / cells.tp[-1]
    expected = of_positives.var(ddof=1) / len(of_positives) + of_negatives.var(ddof=1) / len(of_negatives)
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-9)


def test_no_interval_leaves_its_range_or_has_no_width():
    """Over random tables: few rows, ties, rare classes, perfect and reversed scores among them."""
    rng = np.random.default_rng(11)
    for _ in range(100_000 if THOROUGH else 400):
        n = int(rng.integers(2, 40))
        y = rng.random(n) < rng.choice([0.1, 0.5, 0.9])
        score = np.round(rng.random(n) ** rng.choice([0.2, 1, 5]), int(rng.integers(0, 4)))
        if rng.random() < 0.1:
            score = y * 0.5 + 0.25
        table = rs.ScoreTable(y, score, pos_label=True)
        for name in NAMES:
            row = rs.index(name)
            for method in row.intervals:
                found = table.interval(name, method=method)
                if found.why is None:
                    assert row.low <= found.low < found.high <= row.high, (name, method, found)
                    assert found.low <= found.estimate <= found.high, (name, method, found)
                    assert found.standard_error >= 0
                else:
                    assert math.isnan(found.low), (name, method, found)
                    assert math.isnan(found.high), (name, method, found)


# ---- coverage ----


def families(rng):
    """How positives and negatives score: (number, is positive, how far apart) -> scores."""
    return {
        "normal": lambda n, p, d: rng.normal(size=n) + d * p,
        "logistic": lambda n, p, d: rng.logistic(size=n) + 1.5 * d * p,
        "student": lambda n, p, d: rng.standard_t(3, size=n) + 1.2 * d * p,
        "cauchy": lambda n, p, d: rng.standard_cauchy(size=n) + 2 * d * p,
        "laplace": lambda n, p, d: rng.laplace(size=n) + 1.2 * d * p,
        "exponential": lambda n, p, d: rng.exponential(size=n) * np.exp(1.2 * d * p),
        "hidden positives": lambda n, p, d: rng.normal(size=n) + p * np.where(rng.random(n) < 0.25, 0, 1.6 * d),
        "stray negatives": lambda n, p, d: rng.normal(size=n) + np.where(p or rng.random(n) < 0.1, d + 2 * (not p), 0),
        "wide positives": lambda n, p, d: rng.normal(size=n) * (2.5 if p else 1) + 2 * d * p,
        "wide negatives": lambda n, p, d: rng.normal(size=n) * (1 if p else 2.5) + 2 * d * p,
        "five levels": lambda n, p, d: np.clip(np.floor(2.5 + 1.1 * (rng.normal(size=n) + d * (p - 0.5))), 0, 4),
        "one test": lambda n, p, d: (rng.normal(size=n) + d * (p - 0.5) > 0).astype(float),
        "rounded": lambda n, p, d: np.round(rng.gamma(1.5, size=n) * 1.5 + 1.6 * d * p),
    }


SIZES = [(5, 20), (10, 10), (10, 100), (100, 10), (20, 20), (20, 200), (50, 50), (60, 600)]
APART = [0.4, 1.0, 1.8, 2.8]


def coverage(samples, kinds, apart, sizes, seed):
    """Of each design (m, n): the share of intervals that hold the true AUC, and their mean width, for each method."""
    rng = np.random.default_rng(seed)
    found = []
    for kind, draw in families(rng).items():
        if kind not in kinds:
            continue
        for d in apart:
            many = 150_000
            y = np.repeat([True, False], many)
            truth = rs.ScoreTable(y, np.r_[draw(many, 1, d), draw(many, 0, d)])["roc_auc"]
            for m, n in sizes:
                y = np.repeat([True, False], [m, n])
                hits, widths = np.zeros(len(AREA)), np.zeros(len(AREA))
                for _ in range(samples):
                    table = rs.ScoreTable(y, np.r_[draw(m, 1, d), draw(n, 0, d)])
                    for place, method in enumerate(AREA):
                        one = table.interval("roc_auc", method=method)
                        # Where there is none, at an area of 0 or 1, the value alone.
                        low, high = (one.low, one.high) if one.why is None else (one.estimate, one.estimate)
                        hits[place] += low <= truth <= high
                        widths[place] += high - low
                found.append((kind, d, m, n, hits / samples, widths / samples))
    return found


def summary(designs):
    """Of each method: mean and worst coverage, the shares of designs below 0.93 and above 0.98, mean width."""
    hits, widths = (np.array([design[place] for design in designs]) for place in (4, 5))
    return {
        method: (of.mean(), of.min(), (of < 0.93).mean(), (of > 0.98).mean(), width.mean())
        for method, of, width in zip(AREA, hits.T, widths.T, strict=True)
    }


def shown(designs):
    lines = ["| method | mean | worst | below 0.93 | above 0.98 | mean width |", "|---|---|---|---|---|---|"]
    for method, (mean, worst, below, above, width) in summary(designs).items():
        lines.append(f"| {method} | {mean:.3f} | {worst:.3f} | {below:.0%} | {above:.0%} | {width:.3f} |")
    return "\n".join(lines)


def test_coverage_of_areas():
    """The blended interval holds its level where DeLong's does not; docs/interval-methods.md has the long form."""
    if THOROUGH:
        designs = coverage(1_000, families(None), APART, SIZES, 7)
        assert len(designs) >= 400
        print(shown(designs))
        print(shown([design for design in designs if min(design[2:4]) >= 50]))
    else:
        designs = coverage(150, ("normal", "exponential", "five levels"), (1.0, 2.8), ((5, 20), (20, 200), (50, 50)), 7)
    found = summary(designs)
    assert 0.94 < found["blended"][0] < 0.97
    assert found["blended"][1] > (0.78 if THOROUGH else 0.85)
    assert found["blended"][2] < found["delong"][2]
    assert found["delong"][0] < found["logit"][0] < found["blended"][0]


@pytest.mark.parametrize(
    "name",
    [
        "average_precision",
        "brier",
        "log_loss",
        "brier_skill_score",
        "log_loss_skill_score",
        "calibration_slope",
        "debiased_calibration_error",
    ],
)
def test_coverage_of_other_indices(name):
    """At 500 rows of calibrated and of overconfident probabilities."""
    rng = np.random.default_rng(12)
    for bend in (1, 2):

        def draw(n, bend=bend):
            logits = rng.normal(size=n) * 1.5 - 1
            return rng.random(n) < scipy.special.expit(logits), scipy.special.expit(bend * logits)

        truth = rs.ScoreTable(*draw(400_000))[name]
        samples = 2_000 if THOROUGH else 200
        hits = 0
        for _ in range(samples):
            found = rs.ScoreTable(*draw(500)).interval(name)
            hits += found.low <= truth <= found.high
        low, high = (0.92, 0.98) if THOROUGH else (0.89, 0.995)
        assert low < hits / samples < high


# ---- the Kolmogorov-Smirnov distance ----


def gap_bounds(y, score, level=0.95):
    """Bounds of the widest gap, threshold by threshold."""
    m, n, tail = y.sum(), (1 - y).sum(), (1 - level) / 2
    p, q = (np.array([(score[y == k] >= at).sum() for at in np.unique(score)]) for k in (1, 0))
    share, other = (p + 1) / (m + 2), (q + 1) / (n + 2)
    error = np.sqrt(share * (1 - share) / (m + 2) + other * (1 - other) / (n + 2))
    z, far = -scipy.stats.norm.ppf([tail, tail / 5])
    widest = np.abs(p / m - q / n).max()
    low = (np.abs(share - other) - far * error).max()
    low = 0.0 if 2 * np.exp(-2 * widest**2 * m * n / (m + n)) > tail else low
    return max(low, 0.0), min((np.abs(share - other) + z * error).max(), 1.0)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_gap_of_the_classes_has_the_greatest_bounds_of_all_thresholds(level):
    for seed, (m, n, apart) in enumerate([(8, 300, 1.0), (60, 40, 0.0), (60, 40, 0.8), (30, 30, 9.0)]):
        rng = np.random.default_rng(seed)
        y = np.repeat([1, 0], [m, n])
        score = (rng.normal(size=m + n) + apart * y).round(2)
        found = rs.ScoreTable(y, score).interval("ks", level=level)
        assert (found.low, found.high) == pytest.approx(gap_bounds(y, score, level), rel=1e-12)
        assert found.low <= found.estimate <= found.high
        assert found.method == "envelope"
        assert found.high - found.low > 0.05
        weighted = rs.ScoreTable(y, score, sample_weight=np.full(m + n, 2.5), weight_kind="sampling")
        assert weighted.interval("ks", level=level).low == pytest.approx(found.low, rel=1e-9)


def test_the_gap_is_covered():
    """Small, rare, separable, tied, wide, flat and equal classes; thorough: docs/interval-methods.md."""
    samples = 2_000 if THOROUGH else 200
    designs = {
        "small": (30, 30, lambda z, y: z + y),
        "rare": (10, 500, lambda z, y: z + y),
        "separable": (40, 60, lambda z, y: z + 4 * y),
        "five levels": (60, 140, lambda z, y: np.clip((z + y).round(), -1, 3)),
        "skewed": (50, 200, lambda z, y: np.exp(z + y)),
        "wide": (50, 150, lambda z, y: z * (1 + 2 * y)),
        "weak": (100, 300, lambda z, y: z + 0.3 * y),
        "equal": (50, 150, lambda z, _: z),
    }
    for place, (name, (m, n, score)) in enumerate(designs.items()):
        rng = np.random.default_rng(place)
        many = np.repeat([1, 0], 500_000)
        truth = 0.0 if name == "equal" else rs.ScoreTable(many, score(rng.normal(size=1_000_000), many))["ks"]
        y, below, above = np.repeat([1, 0], [m, n]), 0, 0
        for _ in range(samples):
            found = rs.ScoreTable(y, score(rng.normal(size=m + n), y)).interval("ks")
            below += found.high < truth
            above += found.low > truth
        covered = 1 - (below + above) / samples
        if THOROUGH:
            print(f"| {name} | {covered:.3f} | {above / samples:.3f} | {below / samples:.3f} |")
        assert covered > (0.94 if THOROUGH else 0.91), name

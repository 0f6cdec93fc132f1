"""Areas under parts of curves, H-measure, least losses: against definitions in numpy and scipy, and scikit-learn."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from sklearn.metrics import auc, precision_recall_curve, roc_auc_score

import rocksteady as rs

PAIRS = (
    "partial_auc",
    "standardized_partial_auc",
    "sensitivity_partial_auc",
    "standardized_sensitivity_partial_auc",
    "two_way_partial_auc",
    "log_auc",
    "roc_hull_auc",
    "pr_gain_auc",
    "gain_auc",
    "h_measure",
    "h_measure_by_prevalence",
    "minimum_error_rate",
    "minimum_weighted_loss",
)
POSITIVES = ("pr_auc_linear", "pr_auc_upper", "pr_auc_continuous", "lift_auc")


# ---- definitions ----


def points(y, s, w=None):
    """False and true positives from nothing predicted positive to all."""
    w = np.ones(len(y)) if w is None else np.asarray(w, float)
    kinds = np.unique(s)[::-1]
    amounts = [[(w * (y == label) * (s >= t)).sum() for t in kinds] for label in (0, 1)]
    return np.r_[0.0, amounts[0]], np.r_[0.0, amounts[1]]


def many_points(y, s, w=None):
    """The same for many rows."""
    w = np.ones(len(y)) if w is None else np.asarray(w, float)
    order = np.argsort(-s, kind="stable")
    last = np.r_[np.flatnonzero(np.diff(s[order])), len(y) - 1]
    amounts = [np.cumsum((w * (y == label))[order])[last] for label in (0, 1)]
    return np.r_[0.0, amounts[0]], np.r_[0.0, amounts[1]]


def cut(x, y, low, high):
    """A curve of straight lines, x ascending, between two values of x."""
    inner = (x > low) & (x < high)

    def at(value, side):
        place = np.searchsorted(x, value, side)
        if place == 0:
            return y[0]
        if place == len(x):
            return y[-1]
        a, b = place - 1, place
        if x[b] == x[a]:
            return y[a]
        return y[a] + (y[b] - y[a]) * (value - x[a]) / (x[b] - x[a])

    return np.r_[low, x[inner], high], np.r_[at(low, "right"), y[inner], at(high, "left")]


def partial(fp, tp, low, high):
    return np.trapezoid(*cut(fp / fp[-1], tp / tp[-1], low, high)[::-1])


def partial_by_sensitivity(fp, tp, low, high):
    return np.trapezoid(*cut(tp / tp[-1], 1 - fp / fp[-1], low, high)[::-1])


def two_way(fp, tp, low, high):
    x, y = cut(fp / fp[-1], tp / tp[-1], 0.0, high)
    area = 0.0
    for a, b, c, d in zip(x, x[1:], y, y[1:], strict=False):
        if d > low and b > a:
            start = a if c >= low else a + (b - a) * (low - c) / (d - c)
            area += (b - start) * ((max(c, low) + d) / 2 - low)
    return area


def standardized(area, chance, best):
    return (1 + (area - chance) / (best - chance)) / 2


def log_area(fp, tp, low, high):
    x, y = cut(fp / fp[-1], tp / tp[-1], low, high)
    area = 0.0
    for a, b, c, d in zip(x, x[1:], y, y[1:], strict=False):
        if b > a:
            slope = (d - c) / (b - a)
            area += slope * (b - a) + (c - slope * a) * np.log(b / a)
    return area / np.log(high / low)


def continuous(fp, tp):
    """As Keilwagen, Grosse and Grau write it."""
    area = 0.0
    for f, g, t, u in zip(fp, fp[1:], tp, tp[1:], strict=False):
        if u > t:
            h = (g - f) / (u - t)
            a, b = 1 + h, f - h * t
            area += (u - t) / a
            if abs(b) > 1e-12:
                area -= b / a**2 * np.log((a * u + b) / (a * t + b))
    return area / tp[-1]


def upper(fp, tp):
    tps, first = np.unique(tp, return_index=True)
    precision = np.r_[1.0, tps[1:] / (tps[1:] + fp[first][1:])]
    return np.trapezoid(precision, tps / tp[-1])


def gains(fp, tp):
    P, N = tp[-1], fp[-1]
    start = P * P / (P + N)
    tps, fps = cut(tp, fp, start, P)
    return np.trapezoid(1 - P / N * fps / tps, 1 - P / N * (P - tps) / tps)


def lift_area(fp, tp):
    share, precision = (fp + tp)[1:] / (fp + tp)[-1], tp[1:] / (fp + tp)[1:]
    return np.trapezoid(precision / (tp[-1] / (fp + tp)[-1]), share)


def hull(fp, tp):
    kept = []
    for point in zip(fp, tp, strict=True):
        while len(kept) > 1:
            (a, b), (c, d) = kept[-2:]
            if (d - b) * (point[0] - a) > (point[1] - b) * (c - a):
                break
            kept.pop()
        kept.append(point)
    return np.array(kept).T


def losses(fp, tp, cost):
    """The least mean cost of a row, a false positive costing `cost` and a false negative 1 - `cost`."""
    return (cost * fp + (1 - cost) * (tp[-1] - tp)).min() / (fp[-1] + tp[-1])


def h(fp, tp, a, b):
    """By quadrature, from the definition: no hull, no incomplete beta functions."""
    density = stats.beta(a, b).pdf
    prevalence = tp[-1] / (tp[-1] + fp[-1])
    shares = [x / (x + y) for x, y in zip(np.diff(hull(fp, tp)[1]), np.diff(hull(fp, tp)[0]), strict=True)]
    ends = np.unique([0.0, *shares, prevalence, 1.0])

    def over(loss):
        pieces = itertools.pairwise(ends)
        return sum(integrate.quad(lambda c: loss(c) * density(c), *piece, epsabs=1e-13)[0] for piece in pieces)

    return 1 - over(lambda c: losses(fp, tp, c)) / over(lambda c: min(c * (1 - prevalence), (1 - c) * prevalence))


def expected(fp, tp):
    """Values by name and parameters."""
    prevalence = tp[-1] / (tp[-1] + fp[-1])
    found = {}
    for low, high in ((0.0, 0.1), (0.25, 0.7), (0.9, 1.0), (0.0, 1.0)):
        area, chance = partial(fp, tp, low, high), (high**2 - low**2) / 2
        given = (("low_fpr", low), ("high_fpr", high))
        found["partial_auc", given] = area
        found["standardized_partial_auc", given] = standardized(area, chance, high - low)
        area, chance = partial_by_sensitivity(fp, tp, low, high), (high - low) * (2 - low - high) / 2
        given = (("low_tpr", low), ("high_tpr", high))
        found["sensitivity_partial_auc", given] = area
        found["standardized_sensitivity_partial_auc", given] = standardized(area, chance, high - low)
    for low, high in ((0.5, 0.5), (0.0, 1.0), (0.2, 0.8), (0.9, 0.1)):
        found["two_way_partial_auc", (("low_tpr", low), ("high_fpr", high))] = two_way(fp, tp, low, high)
    for low, high in ((0.001, 0.1), (0.3, 1.0)):
        found["log_auc", (("low_fpr", low), ("high_fpr", high))] = log_area(fp, tp, low, high)
    edge = hull(fp, tp)
    found["roc_hull_auc", ()] = np.trapezoid(edge[1] / tp[-1], edge[0] / fp[-1])
    precision = np.r_[1.0, tp[1:] / (tp + fp)[1:]]
    found["pr_auc_linear", ()] = np.trapezoid(precision, tp / tp[-1])
    found["pr_auc_upper", ()] = upper(fp, tp)
    found["pr_auc_continuous", ()] = continuous(fp, tp)
    found["pr_gain_auc", ()] = gains(fp, tp)
    found["gain_auc", ()] = np.trapezoid(tp / tp[-1], (fp + tp) / (fp + tp)[-1])
    found["lift_auc", ()] = lift_area(fp, tp)
    found["minimum_error_rate", ()] = (fp + tp[-1] - tp).min() / (fp + tp)[-1]
    for ratio in (None, 3.0):
        cost = prevalence if ratio is None else ratio / (1 + ratio)
        given = () if ratio is None else (("severity_ratio", ratio),)
        found["minimum_weighted_loss", given] = 2 * losses(fp, tp, cost)
    return found


def check(table, values, tolerance):
    for (name, parameters), value in values.items():
        found = table.value(name, **dict(parameters))
        assert found == pytest.approx(value, rel=tolerance, abs=tolerance), (name, parameters)


ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9), st.integers(1, 5)), min_size=2, max_size=40).filter(
    lambda rows: len({row[0] for row in rows}) == 2
)


@given(ROWS, st.booleans())
def test_areas_are_those_of_their_definitions(rows, weighted):
    y, s, w = (np.array(column) for column in zip(*rows, strict=True))
    w = w / 4 if weighted else None
    check(rs.ScoreTable(y, s, pos_label=1, sample_weight=w), expected(*points(y, s, w)), 1e-11)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("rows", "distinct", "share"), [(3_000, 10**9, 0.5), (40_000, 10**9, 0.02), (20_000, 700, 0.3)]
)
def test_long_tables(rows, distinct, share, weighted):
    random = np.random.default_rng(rows + distinct)
    y = (random.random(rows) < share).astype(int)
    s = np.floor((random.random(rows) + 0.7 * y * random.random(rows)) * distinct)
    w = random.integers(1, 9, rows) / 4 if weighted else None
    check(rs.ScoreTable(y, s, pos_label=1, sample_weight=w), expected(*many_points(y, s, w)), 1e-11)


@pytest.mark.parametrize("weighted", [False, True])
def test_areas_agree_with_scikit_learn(weighted):
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 500)
    s = np.round(random.normal(size=500) + y, 1)
    w = random.random(500) if weighted else None
    table = rs.ScoreTable(y, s, sample_weight=w)
    precision, recall, _ = precision_recall_curve(y, s, sample_weight=w)
    assert table["pr_auc_linear"] == pytest.approx(auc(recall, precision), abs=1e-13)
    for most in (0.01, 0.1, 0.5, 0.99, 1.0):
        theirs = roc_auc_score(y, s, sample_weight=w, max_fpr=most)
        assert table.value("standardized_partial_auc", high_fpr=most) == pytest.approx(theirs, abs=1e-13)
        ours = rs.metrics.roc_auc_score(y, s, sample_weight=w, max_fpr=most)
        assert table.value("standardized_partial_auc", high_fpr=most) == pytest.approx(ours, abs=1e-13)
    assert table.value("partial_auc", high_fpr=1) == pytest.approx(table["roc_auc"], abs=1e-14)
    assert table.value("sensitivity_partial_auc", low_tpr=0) == pytest.approx(table["roc_auc"], abs=1e-14)
    whole = table.value("two_way_partial_auc", low_tpr=0, high_fpr=1)
    assert whole == pytest.approx(table["roc_auc"], abs=1e-14)
    gain = 2 * table["gain_auc"] - 1
    prevalence = table.positives / (table.positives + table.negatives)
    assert gain / (1 - prevalence) == pytest.approx(table["gini"], abs=1e-13)


def torchmetrics_log_auc(y, s, low, high):
    """The trapezoidal rule over the logarithm, as torchmetrics has it."""
    fp, tp = many_points(y, s)
    x, height = cut(fp / fp[-1], tp / tp[-1], low, high)
    return np.trapezoid(height, np.log10(x)) / np.log10(high / low)


def test_log_auc_is_that_of_torchmetrics_without_ties():
    random = np.random.default_rng(8)
    y = (random.random(5_000) < 0.1).astype(int)
    s = random.normal(size=5_000) + y
    table = rs.ScoreTable(y, s)
    for low, high in ((0.001, 0.1), (0.01, 1.0)):
        found = table.value("log_auc", low_fpr=low, high_fpr=high)
        # Only at the two cuts does a line slope at all.
        assert found == pytest.approx(torchmetrics_log_auc(y, s, low, high), abs=1e-12)


@pytest.mark.parametrize(("share", "lead"), [(0.5, 1.0), (0.1, 0.5), (0.03, 2.0), (0.6, -1.0)])
def test_the_h_measure_is_the_mean_of_the_least_losses(share, lead):
    random = np.random.default_rng(round(1000 * share))
    y = np.r_[0, 1, random.random(150) < share].astype(int)
    s = np.round(random.normal(size=152) + lead * y, 1)
    w = random.integers(1, 6, 152) / 2
    for weights in (None, w):
        table = rs.ScoreTable(y, s, sample_weight=weights)
        fp, tp = points(y, s, weights)
        share_of_positives = tp[-1] / (tp[-1] + fp[-1])
        odds = tp[-1] / fp[-1]
        cases = [
            ({}, 2, 1 + 1 / odds),
            ({"severity_ratio": 0.2}, 2, 6),
            ({"severity_ratio": 4}, 2, 1.25),
            ({"alpha": 2, "beta": 2}, 2, 2),
            ({"alpha": 3, "severity_ratio": 0.5}, 3, 5),
            ({"alpha": 0.5, "beta": 0.75}, 0.5, 0.75),
            ({"alpha": 40, "beta": 7}, 40, 7),
        ]
        for given_, a, b in cases:
            # Quadrature is inaccurate where the density of the costs is infinite.
            tolerance = 1e-5 if a < 1 else 1e-9
            assert table.value("h_measure", **given_) == pytest.approx(h(fp, tp, a, b), abs=tolerance)
        by_prevalence = h(fp, tp, 1 + share_of_positives, 2 - share_of_positives)
        assert table["h_measure_by_prevalence"] == pytest.approx(by_prevalence, abs=1e-9)


@given(ROWS, st.integers(0, 39))
def test_weights_are_repetitions_and_cuts_cannot_be_seen(rows, place):
    y, s, w = (np.array(column) for column in zip(*rows, strict=True))
    weighted = rs.ScoreTable(y, s, pos_label=1, sample_weight=w)
    repeated = rs.ScoreTable(np.repeat(y, w), np.repeat(s, w), pos_label=1)
    place = min(place, len(y))
    parts = [
        rs.ScoreTable(y[part], s[part], pos_label=1, sample_weight=w[part])
        for part in (slice(place), slice(place, None))
        if len(y[part])
    ]
    whole = sum(parts[1:], parts[0])
    for name in PAIRS + POSITIVES:
        assert weighted[name] == pytest.approx(repeated[name], abs=1e-13), name
        assert whole[name] == weighted[name], name


def test_values_do_not_depend_on_the_order_of_rows_to_the_bit():
    random = np.random.default_rng(11)
    y, s, w = random.integers(0, 2, 3_000), random.integers(0, 2_000, 3_000), random.random(3_000)
    order = random.permutation(3_000)
    for weights in (None, w):
        one = rs.ScoreTable(y, s, sample_weight=weights)
        other = rs.ScoreTable(y[order], s[order], sample_weight=None if weights is None else weights[order])
        for name in PAIRS + POSITIVES:
            assert one[name] == other[name], name


def test_one_class_alone_has_no_rates_of_the_other():
    positives, negatives = (
        rs.ScoreTable([1, 1], [0.2, 0.4], pos_label=1),
        rs.ScoreTable([0, 0], [0.2, 0.4], pos_label=1),
    )
    for name in PAIRS:
        assert np.isnan(positives[name])
        assert positives.why(name) == "No row is actually negative."
    for name in PAIRS + POSITIVES:
        assert np.isnan(negatives[name])
        assert negatives.why(name) == "No row is actually positive."
    for name in POSITIVES[:3]:
        assert positives[name] == 1.0
    empty = rs.ScoreTable([0, 1], [0.1, 0.2], sample_weight=[0, 0])
    for name in PAIRS + POSITIVES:
        assert np.isnan(empty[name])
        assert empty.why(name) == "There are no rows, or all weigh nothing."


def test_constant_scores_tell_nothing():
    for y, w in (([0, 1, 1, 0, 0], None), ([0, 1], [3.0, 2.0])):
        table = rs.ScoreTable(y, [7] * len(y), sample_weight=w)
        assert table["standardized_partial_auc"] == pytest.approx(0.5, abs=1e-15)
        assert table["standardized_sensitivity_partial_auc"] == pytest.approx(0.5, abs=1e-15)
        assert (table["roc_hull_auc"], table["gain_auc"]) == (0.5, 0.5)
        assert (table["h_measure"], table["lift_auc"]) == (0.0, 0.0)
        assert table["pr_auc_continuous"] == pytest.approx(0.4, abs=1e-15)
        assert table["pr_gain_auc"] == pytest.approx(0.0, abs=1e-15)
        assert table["minimum_error_rate"] == pytest.approx(0.4, abs=1e-15)


def test_infinite_and_missing_scores_are_ranked_like_others():
    y, finite = [0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 0]
    infinite = rs.ScoreTable(y, [-1.0, 0.0, 0.5, 1.0, np.inf, -np.inf], infinite="allow")
    missing = rs.ScoreTable(y, [-1.0, 0.0, 0.5, 1.0, np.nan, -2.0], nan_policy="best")
    plain = rs.ScoreTable(y, finite)
    for name in PAIRS + POSITIVES:
        assert infinite[name] == missing[name] == plain[name], name


def test_huge_weights_and_counts():
    y, s = [1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.2, 0.1]
    plain = rs.ScoreTable(y, s)
    for weight in (1e-300, 3e-5, 1e300, float(2**40)):
        table = rs.ScoreTable(y, s, sample_weight=[weight] * 6)
        for name in PAIRS + POSITIVES:
            assert table[name] == pytest.approx(plain[name], abs=1e-13), (name, weight)
    doubled = plain
    for _ in range(40):
        doubled = doubled + doubled
    for name in PAIRS + POSITIVES:
        assert doubled[name] == pytest.approx(plain[name], abs=1e-13), name


def test_empty_ranges_and_bad_parameters():
    table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    reason = "The range is empty: its lower end is not below its upper end."
    for name, given_ in (
        ("partial_auc", {"low_fpr": 0.5, "high_fpr": 0.5}),
        ("standardized_partial_auc", {"low_fpr": 0.2}),
        ("sensitivity_partial_auc", {"high_tpr": 0.3}),
        ("two_way_partial_auc", {"low_tpr": 1}),
        ("two_way_partial_auc", {"high_fpr": 0}),
        ("log_auc", {"low_fpr": 0.5}),
    ):
        assert np.isnan(table.value(name, **given_))
        assert table.why(name, **given_) == reason
    assert table.why("h_measure", alpha=0.5, severity_ratio=0.25) is not None
    for name, given_ in (
        ("partial_auc", {"high_fpr": 1.5}),
        ("log_auc", {"low_fpr": 0}),
        ("h_measure", {"severity_ratio": 0}),
        ("h_measure", {"alpha": -1}),
    ):
        with pytest.raises(rs.InputError, match=next(iter(given_))):
            table.value(name, **given_)
    with pytest.raises(rs.RocksteadyError, match="max_fpr"):
        table.value("partial_auc", max_fpr=0.1)


def test_per_class_and_averages():
    random = np.random.default_rng(2)
    y = random.integers(0, 3, 300)
    scores = random.random((300, 3)) + np.eye(3)[y]
    tables = rs.ScoreTables(y, scores / scores.sum(axis=1, keepdims=True))
    found = tables.every("partial_auc", high_fpr=0.3)
    for label in range(3):
        one = rs.ScoreTable(y == label, scores[:, label] / scores.sum(axis=1))
        assert found[label] == pytest.approx(one.value("partial_auc", high_fpr=0.3), abs=1e-15)


def test_rocr_simple(rocr_simple, data):
    columns = np.genfromtxt(rocr_simple, delimiter=",", names=True)
    y, s = columns["label"].astype(int), columns["score"]
    table = rs.ScoreTable(y, s)
    golden = json.loads((data / "golden.json").read_text())["rocr_simple"]
    assert table["average_precision"] == pytest.approx(golden["average_precision_sklearn"], abs=1e-13)
    assert table["pr_auc_upper"] == pytest.approx(golden["aucpr_R_ROCR"], abs=1e-13)
    assert table["pr_auc_linear"] == pytest.approx(golden["auc_pr_trapezoid_sklearn"], abs=1e-13)
    assert table["accuracy_ratio"] == pytest.approx(golden["gini"], abs=1e-13)
    assert table["minimum_error_rate"] == pytest.approx(1 - golden["max_accuracy_R"], abs=1e-13)
    check(table, expected(*points(y, s)), 1e-12)

"""No interval without width, and no p-value from a standard error of 0, at the edges of every index that has an interval."""

import math
import pickle
import warnings

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.errors import RocksteadyError

# tp, fp, fn, tn: no event, one, two; all right, all wrong; all predicted alike; one class; one row.
TABLES = [
    (0, 3, 9, 30),
    (0, 0, 9, 30),
    (1, 0, 0, 40),
    (1, 2, 0, 40),
    (2, 0, 0, 40),
    (0, 0, 2, 40),
    (8, 0, 0, 30),
    (0, 30, 8, 0),
    (8, 30, 0, 0),
    (0, 0, 8, 30),
    (8, 0, 0, 0),
    (0, 0, 8, 0),
    (4, 4, 4, 4),
    (1, 0, 0, 0),
]
MATRICES = [
    np.diag([20, 5, 1]),
    np.diag([20, 5, 0]),
    np.roll(np.diag([20, 5, 1]), 1, axis=1),
    np.array([[20, 3, 0], [2, 5, 0], [1, 0, 0]]),
    np.array([[20, 3, 1], [2, 5, 0], [0, 1, 1]]),
    np.array([[20, 0, 0], [6, 0, 0], [1, 0, 0]]),
    np.array([[9, 0, 0], [0, 0, 0], [0, 0, 0]]),
    np.full((3, 3), 3),
]
SCORES = {
    "area 1": ([0] * 9 + [1] * 4, np.linspace(0.1, 0.9, 13)),
    "area 0": ([1] * 4 + [0] * 9, np.linspace(0.1, 0.9, 13)),
    "one positive, first": ([0] * 12 + [1], np.linspace(0.1, 0.9, 13)),
    "one positive, last": ([1] + [0] * 12, np.linspace(0.1, 0.9, 13)),
    "two positives": ([0] * 11 + [1] * 2, np.linspace(0.1, 0.9, 13)),
    "one score": ([0, 1] * 6, np.full(12, 0.5)),
    "certain and right": ([0] * 9 + [1] * 4, np.array([0.0] * 9 + [1.0] * 4)),
    "certain and wrong": ([0] * 9 + [1] * 4, np.array([1.0] * 9 + [0.0] * 4)),
    "one row of each": ([0, 1], np.array([0.2, 0.7])),
    "one class": ([1] * 6, np.linspace(0.1, 0.9, 6)),
}
WITH_INTERVALS = [row for row in rs.indices() if row.intervals]


def check(found, *said):
    """Each interval has a width, or is NaN and says why."""
    columns = np.broadcast_arrays(*(np.asarray(each, float) for each in (found.low, found.high, found.standard_error)))
    why = found.why if isinstance(found.why, tuple) else [found.why] * columns[0].size
    for low, high, error, reason in zip(*(each.ravel() for each in columns), why, strict=True):
        if math.isnan(low) or math.isnan(high):
            assert reason, said
        else:
            assert low < high, said
            assert math.isnan(error) or error >= 0, said


def check_difference(found, *said):
    if math.isnan(found.low):
        assert found.why, said
        assert math.isnan(found.p_value), said
    else:
        assert found.low < found.high, said
        assert found.standard_error > 0, said
        assert (found.p_value < 0.05) == (not found.low <= 0 <= found.high), said


def asked(call, *arguments, **options):
    """What a call gives; None where the index is refused there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocksteadyWarning)
        try:
            return call(*arguments, **options)
        except RocksteadyError:
            return None


AVERAGES = ("macro", "weighted", "micro", [1.0, 2.0, 0.0])


def test_counts_matrices_and_classes():
    counts, matrices = (
        rs.Counts(*np.transpose(TABLES)),
        [rs.ConfusionMatrix.from_counts(cells.tolist()) for cells in MATRICES],
    )
    for row in WITH_INTERVALS:
        if not {"counts", "matrix", "class"} & set(row.forms):
            continue
        for method in (None, *row.intervals):
            calls = [(counts.interval, {"side": side}) for side in ("two-sided", "lower", "upper")]
            calls += [(matrix.every_interval, {}) for matrix in matrices]
            calls += [(matrix.interval, {}) for matrix in matrices]
            calls += [(matrix.interval, {"average": average}) for matrix in matrices for average in AVERAGES]
            for call, options in calls:
                found = asked(call, row.name, method=method, **options)
                if found is not None:
                    check(found, row.name, method, call, options)


@pytest.mark.parametrize("said", SCORES)
def test_scores_and_sums_of_losses(said):
    y, scores = SCORES[said]
    table = rs.ScoreTable(y, scores, pos_label=1)
    sums = rs.ProbabilitySums(y, scores, pos_label=1, squares=True)
    for row in WITH_INTERVALS:
        for method in (None, *row.intervals):
            for source in (table, table.at(0.5), sums):
                found = asked(source.interval, row.name, method=method)
                if found is not None:
                    check(found, row.name, method, type(source).__name__)


def test_scores_of_several_classes_and_labels():
    y, right = np.array([0, 1, 2, 2, 0, 1] * 3), np.eye(3)[[0, 1, 2, 2, 0, 1] * 3]
    for scores in (right, np.roll(right, 1, axis=1), np.full((18, 3), 1 / 3), (right + 1) / 4):
        tables, labels = rs.ScoreTables(y, scores), rs.LabelScoreTables(right.astype(int), scores)
        for row in WITH_INTERVALS:
            for method in (None, *row.intervals):
                for call in (tables.interval, tables.every_interval, labels.every_interval):
                    found = asked(call, row.name, method=method)
                    if found is not None:
                        check(found, row.name, method, call)


def test_groups_and_disparities():
    rng = np.random.default_rng(0)
    y, predicted, by = rng.integers(0, 2, 60), rng.integers(0, 2, 60), np.repeat(["a", "b", "c", "d"], 15)
    predicted[by == "a"] = y[by == "a"]
    predicted[by == "b"] = 1 - y[by == "b"]
    y[by == "c"] = predicted[by == "c"] = 0
    groups = rs.group_by(y, predicted, by=by)
    for row in WITH_INTERVALS:
        found = [asked(groups.interval, row.name)]
        for pair in (("a", "b"), ("a", "d"), ("b", "c"), ("c", "d")):
            found += [asked(call, row.name, groups=pair) for call in (groups.difference, groups.ratio)]
        for each in found:
            if each is not None:
                check(each, row.name)
        for call in (groups.difference, groups.ratio, groups.min, groups.max):
            each = asked(call, row.name)
            if each is not None and each.why is None:
                assert each.low < each.high, (row.name, call)


def test_means_over_queries():
    y, query = [1, 0, 0] * 5, np.repeat(np.arange(5), 3)
    for scores in ([3, 2, 1] * 5, [1, 2, 3] * 5, [1, 1, 1] * 5, [3, 2, 1] * 4 + [1, 2, 3]):
        queries = rs.Queries(y, scores, query)
        for row in (row.name for row in rs.indices(form="queries")):
            for method in (None, "t", "normal"):
                check(queries.interval(row, method=method), row, method)
    hits = rs.Queries(y, [3, 2, 1] * 5, query).interval("hit_rate_at_k", k=1)
    assert (hits.method, hits.high) == ("wilson", 1)
    assert hits.low == pytest.approx(5 / (5 + 1.959963984540054**2), rel=1e-12)


def test_two_proportions():
    samples = np.array(
        [(0, 9, 0, 5), (9, 9, 5, 5), (9, 9, 0, 5), (0, 9, 5, 5), (1, 9, 0, 5), (1, 1, 1, 1), (0, 1, 0, 1)]
    ).T
    for method in ("newcombe", "miettinen_nurminen", "mee", "agresti_caffo"):
        check(rs.inference.proportion_difference(*samples, method=method), method)
    for method in ("koopman", "miettinen_nurminen", "katz"):
        check(rs.inference.proportion_ratio(*samples, method=method), method)
    check(rs.inference.paired_proportion_difference([9, 0, 0, 0, 1], [0, 9, 0, 0, 0], [0, 0, 9, 0, 0], [0, 0, 0, 9, 0]))


def test_differences_and_drift():
    """Two positives that rank first say little: not p = 2.6e-134."""
    rng = np.random.default_rng(1)
    y = (rng.random(20_000) < 0.05).astype(int)
    before = rs.ScoreTable(y, y + rng.normal(size=y.size), pos_label=1)
    now = rs.ScoreTable([1, 1] + [0] * 40, np.r_[9, 8, rng.normal(size=40)], pos_label=1)
    found = rs.drift(before, now, "roc_auc")
    assert (found.now, found.p_value > 0.05) == (1, True)
    assert "fewer than 20 rows" in found.note
    pairs = [(before.at(1), now.at(1))] + [
        (rs.Counts(*one), rs.Counts(*other)) for one in TABLES[:10] for other in TABLES[:10]
    ]
    names = ["recall", "precision", "accuracy", "f1", "mcc", "kappa", "plr", "diagnostic_odds_ratio", "lift"]
    for one, other in pairs:
        for name in names:
            intervals = one.interval(name), other.interval(name)
            check_difference(rs.inference.independent_difference(*intervals), name, one, other)
    tables = {said: rs.ScoreTable(*columns, pos_label=1) for said, columns in SCORES.items()}
    for name in ("roc_auc", "average_precision", "brier", "log_loss"):
        for one in tables.values():
            for other in tables.values():
                intervals = one.interval(name), other.interval(name)
                check_difference(rs.inference.independent_difference(*intervals), name)


# Notes where few rows tell how a value scatters: the square of the sum of the squared influences, by the sum of their fourth
# powers.


def has_few(found):
    return found.note is not None and found.note.startswith("Few rows tell")


def test_a_note_of_counts_with_few_errors():
    for name in ("recall", "f1", "mcc", "positive_likelihood_ratio"):
        for errors, is_few in ((0, True), (2, True), (12, False)):
            found = rs.Counts(100 - errors, errors, errors, 200 - errors).interval(name)
            assert found.why or has_few(found) == is_few, (name, errors)
    assert rs.Counts(97, 3, 3, 197).interval("recall", method="clopper_pearson").note is None  # it covers anyway
    matrix = rs.ConfusionMatrix.from_counts([[90, 2, 0], [0, 80, 1], [0, 0, 70]])
    assert has_few(matrix.interval("f1", average="macro"))
    assert has_few(matrix.interval("mcc"))
    weighted = [
        rs.ConfusionMatrix([1] * 97 + [0] * 3, [1] * 94 + [0] * 6, sample_weight=w * np.ones(100)) for w in (1, 9)
    ]
    assert [has_few(each.interval("accuracy")) for each in weighted] == [True, False]


def telling(influence):
    fourths = (influence**4).sum()
    return (influence**2).sum() ** 2 / fourths if fourths > 0 else math.nan


def test_a_note_of_scores_where_few_rows_tell():
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.3
    seen = set()
    for shift in (1.0, 2.0, 3.0, 4.0, 5.0):
        p = 1 / (1 + np.exp(-(shift * rng.normal(size=300) + shift**2 * (y - 0.5) - 0.8)))
        table, sums = rs.ScoreTable(y, p), rs.ProbabilitySums(y, p, squares=True)
        sampled = rs.ScoreTable(y, p, sample_weight=np.full(300, 4.0), weight_kind="sampling")
        compared = rs.evaluate(y, p, threshold=0.5, cluster=np.arange(300), inference=True)
        for name in ("roc_auc", "average_precision", "log_loss", "brier", "brier_skill_score", "calibration_slope"):
            own = table.influence(name)
            place = np.searchsorted(-own.score, -p)
            rows = telling(np.where(y, own.positive[place], own.negative[place]))
            is_few = not rows >= (20 if name in ("average_precision", "log_loss") else 5)  # they are skewed
            seen.add((name, is_few))
            for statistic in (table, sampled):
                found = statistic.interval(name)
                assert found.why or has_few(found) == is_few, (name, shift)
            found = compared.interval(name)
            assert found.why or has_few(found) == (not rows >= 5), (name, shift)
        loss = np.where(y, -np.log(p), -np.log1p(-p))
        assert has_few(sums.interval("log_loss")) == (loss.sum() ** 2 / (loss**2).sum() < 5)
    assert len(seen) == 12


def test_a_note_of_a_joint_test_where_few_rows_tell():
    rng = np.random.default_rng(4)
    y = rng.random(300) < 0.3

    def influence(scores):
        wins = (scores[y][:, None] > scores[~y]) - (scores[y][:, None] > scores[~y]).mean()
        return np.concatenate([wins.mean(axis=1) / y.sum(), wins.mean(axis=0) / (~y).sum()])

    for shift in (1.2, 3.3):
        common = shift * y + 0.8 * rng.normal(size=300)
        scores = {f"m{place}": common + 0.6 * rng.normal(size=300) for place in range(20)}
        rows = [telling(influence(each)) for each in scores.values()]
        for models in (2, 3, 8, 20):
            found = rs.inference.compare_scores(y, dict(list(scores.items())[:models]))
            assert has_few(found) == (min(rows[:models]) < 5 + 3 * (models - 1)), (shift, models)
            assert (found.note or "") in repr(found)
        assert has_few(found.interval("m0")) == (rows[0] < 5)
        weighted = rs.inference.compare_scores(y, scores, sample_weight=np.full(300, 1.0))
        assert weighted._state.parts()[6] == pytest.approx(rows, rel=0.02)  # by n - 1
    assert pickle.loads(pickle.dumps(found)).note == found.note


def test_a_note_of_resampled_rows_of_a_rare_class():
    rng = np.random.default_rng(5)
    y = np.arange(300) < 15
    pair = {name: y + rng.normal(size=300) for name in ("a", "b")}
    boot = rs.inference.bootstrap(y, pair, ["roc_auc"], n_resamples=99, random_state=0)
    for found in (boot.interval("roc_auc", "a"), boot.difference("roc_auc", "a", "b")):
        assert "fewer than 20 rows" in found.note


def test_a_note_of_resampled_rows_where_few_tell():
    rng = np.random.default_rng(7)
    user = np.arange(300) // 5
    seen = set()
    for shift in (1.0, 3.0, 4.0, 5.0):
        y = rng.random(300) < 0.3
        pair = {
            name: 1 / (1 + np.exp(0.8 - shift * rng.normal(size=300) - shift**2 * (y - 0.5))) for name in ("a", "b")
        }
        for clusters in (None, user):
            boot = rs.inference.bootstrap(y, pair, ["roc_auc", "f1"], cluster=clusters, n_resamples=99, random_state=0)
            for name in ("roc_auc", "f1"):
                found = {model: rs.evaluate(y, each, threshold=0.5, inference=True) for model, each in pair.items()}
                each = {model: one.influence(name) for model, one in found.items()}
                rows = [telling(one if clusters is None else np.bincount(user, one)) for one in each.values()]
                assert has_few(boot.interval(name, "a")) == (rows[0] < 5)
                assert has_few(boot.difference(name, "a", "b")) == (min(rows) < 8)
                seen.add((name, rows[0] < 5))
        alone = rs.ScoreTable(y, pair["a"]).bootstrap(["roc_auc", "f1"], n_resamples=99, random_state=0)
        matrix = rs.ConfusionMatrix(y, pair["a"] >= 0.5).bootstrap("f1", n_resamples=99, random_state=0)
        for name, other in (("roc_auc", alone), ("f1", alone), ("f1", matrix)):
            own = rs.evaluate(y, pair["a"], threshold=0.5, inference=True).influence(name)
            assert has_few(other[name]) == (telling(own) < 5)
    assert len(seen) == 4


def test_a_note_of_a_part_of_the_curve_with_few_rows():
    rng = np.random.default_rng(9)
    y = np.arange(600) % 3 == 0
    p, user = y + rng.normal(size=600), np.arange(600) // 10
    weight = np.where(np.arange(600) % 10 == 0, 10.0, 1.0)
    plain, design = {}, {"cluster": user}
    asked = [  # the rows of the class in that part, or as many clusters, or effective rows
        ("partial_auc", {"high_fpr": 0.04}, plain, 16),
        ("partial_auc", {"high_fpr": 0.06}, plain, 24),
        ("partial_auc", {"high_fpr": 0.4}, design, 16),
        ("standardized_partial_auc", {"low_fpr": 0.1, "high_fpr": 0.16}, {"sample_weight": np.ones(600)}, 24),
        ("sensitivity_partial_auc", {"low_tpr": 0.92}, plain, 16),
        (
            "partial_auc",
            {"high_fpr": 0.1},
            {"sample_weight": weight},
            0.1 * 2 / 3 * weight.sum() ** 2 / (weight**2).sum(),
        ),
    ]
    for name, part, given, rows in asked:
        found = rs.inference.bootstrap(y, p, name, n_resamples=50, random_state=0, **part, **given)[name]
        assert has_few(found) == (rows < 20), (name, part)


def test_intervals_of_ks_say_that_they_are_wide():
    rng = np.random.default_rng(10)
    y = rng.random(200) < 0.4
    found = rs.ScoreTable(y, y + rng.normal(size=200)).interval("ks")
    assert "at least as often" in found.note


def test_a_note_of_few_clusters_that_are_resampled():
    rng = np.random.default_rng(8)
    y, p = rng.random(900) < 0.5, rng.random(900)
    for units, is_few in ((12, True), (60, False)):
        user = np.arange(900) % units
        for given in ({"cluster": user}, {"key": user, "resample": "poisson"}):
            found = rs.inference.bootstrap(y, p, "brier", n_resamples=99, random_state=0, **given)["brier"]
            assert (found.note is not None and "fewer than 20 rows or clusters" in found.note) == is_few


def test_a_mean_over_labels_without_positives_says_why():
    y, p = np.zeros((30, 3), int), np.random.default_rng(0).random((30, 3))
    rows = rs.evaluate(y, p, threshold=0.5, inference=True)
    for name in ("f1", "precision", "recall"):
        found = rows.interval(name, average="weighted")
        assert np.isnan([found.estimate, found.low, found.high]).all()
        assert found.why
        assert found.note is None

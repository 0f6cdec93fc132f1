"""What a judge counted, corrected: against formulas written out, ppi_py, and by simulation."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.comparison import judged_index, judged_share, prediction_powered


def test_the_point_is_rogan_and_gladens():
    judge = rs.ConfusionMatrix.from_counts([[90, 10], [15, 85]])
    assert judged_share(judge, 420, 1000).estimate == pytest.approx((0.42 + 0.9 - 1) / (0.85 + 0.9 - 1))
    assert judged_share(judge, 0, 1000).estimate == 0
    assert judged_share(judge, 1000, 1000).estimate == 1


@pytest.mark.parametrize(("share", "sizes"), [(0.1, (30, 60)), (0.5, (50, 50)), (0.9, (100, 20))])
def test_intervals_of_judged_shares_cover(share, sizes):
    rng = np.random.default_rng(1)
    sensitivity, specificity, covered, draws = 0.85, 0.9, 0, 1000
    for _ in range(draws):
        tp, tn = rng.binomial(sizes[0], sensitivity), rng.binomial(sizes[1], specificity)
        judge = rs.ConfusionMatrix.from_counts([[tn, sizes[1] - tn], [sizes[0] - tp, tp]])
        found = rng.binomial(500, share * sensitivity + (1 - share) * (1 - specificity))
        interval = judged_share(judge, found, 500)
        covered += interval.low <= share <= interval.high
    assert 0.935 <= covered / draws <= 0.985


def test_a_judge_without_errors_leaves_the_share():
    judge = rs.ConfusionMatrix.from_counts([[10**6, 0], [0, 10**6]])
    found, plain = judged_share(judge, 420, 1000), rs.inference.proportion_difference(420, 1000, 0, 10**9)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-3)


def test_a_judge_that_guesses_has_no_interval():
    found = judged_share(rs.ConfusionMatrix.from_counts([[50, 50], [50, 50]]), 42, 100)
    assert np.isnan(found.estimate)
    assert "does not tell the classes apart" in found.why


def rows(rng, n, others, right=0.9):
    truth = rng.random(n + others) < 0.7
    judge = np.where(rng.random(n + others) < right, truth, ~truth)
    return truth[:n], judge[:n], judge[n:]


def test_prediction_powered_means_are_those_of_ppi_py():
    """ppi_python 0.2.3, which divides by n where this divides by n - 1."""
    found = prediction_powered(*rows(np.random.default_rng(0), 200, 4800))
    assert (found.estimate, found.low, found.high) == pytest.approx((0.6719826, 0.63518576, 0.70877944), abs=5e-4)


@pytest.mark.parametrize("right", [0.5, 0.8, 0.99])
def test_prediction_powered_intervals_cover_and_are_narrower(right):
    rng, covered, widths, plain = np.random.default_rng(2), 0, [], []
    for _ in range(1000):
        y, own, others = rows(rng, 100, 2000, right)
        found = prediction_powered(y, own, others)
        covered += found.low <= 0.7 <= found.high
        widths.append(found.high - found.low)
        plain.append(2 * 1.96 * y.std(ddof=1) / 10)
    assert 0.925 <= covered / 1000 <= 0.97
    assert np.mean(widths) < np.mean(plain) * {0.5: 1.01, 0.8: 0.9, 0.99: 0.5}[right]


def test_a_share_that_contradicts_the_judge_is_said():
    found = judged_share(rs.ConfusionMatrix.from_counts([[90, 10], [10, 90]]), 1, 1000)
    assert np.isnan(found.low)
    assert "errors alone exceed" in found.why
    assert "Too few rows" in judged_share(rs.ConfusionMatrix.from_counts([[1, 0], [9, 1]]), 5, 10).why
    assert prediction_powered([1, 0, 1], [1, 0, 1], [1, 1]).high <= 1
    assert "count alike" in prediction_powered([0.1] * 7, [0.1] * 7, [0.1] * 9).why


def test_grades_and_judges_that_say_nothing():
    found = prediction_powered([1.0, 3.0, 2.0, 5.0], [1, 1, 1, 1], [1, 1])
    assert found.estimate == 2.75
    assert "Few rows" in found.note
    assert "count alike" in prediction_powered([1, 1, 1], [0, 0, 0], [0, 0]).why


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: judged_share([[1, 2], [3, 4]], 1, 2), "judge"),
        (lambda: judged_share(rs.ConfusionMatrix.from_counts(np.eye(3, dtype=int)), 1, 2), "two classes"),
        (lambda: judged_share(rs.ConfusionMatrix.from_counts([[5, 1], [0, 0]]), 1, 2), "both true classes"),
        (lambda: judged_share(rs.ConfusionMatrix.from_counts([[5.5, 1], [1, 3]]), 1, 2), "without weights"),
        (lambda: judged_share(rs.ConfusionMatrix.from_counts([[5, 1], [1, 3]]), 3, 2), "at most the rows"),
        (lambda: judged_share(rs.ConfusionMatrix.from_counts([[5, 1], [1, 3]]), -1, 2), "positives"),
        (lambda: judged_share(rs.ConfusionMatrix.from_counts([[5, 1], [1, 3]]), 1, 2, level=0), "level"),
        (lambda: prediction_powered([1, 0], [1], [1]), "the same rows"),
        (lambda: prediction_powered([1], [1], [1]), "two and one"),
        (lambda: prediction_powered([1, 0], [1, 1], []), "two and one"),
        (lambda: prediction_powered([1, np.nan], [1, 1], [1]), r"labels\[1\]"),
        (lambda: prediction_powered([1, 0], [1, 1], [[1]]), "dimensions"),
        (lambda: prediction_powered(["a", "b"], [1, 1], [1]), "labels"),
    ],
)
def test_refusals(call, says):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=says):
        call()


def _judged(labels, judge, predicted, seen, index, **options):
    models = {"judge": judge[:seen], "model": predicted[:seen]}
    table = rs.inference.compare_labels(labels[:seen], models).pairs["judge", "model"]
    return judged_index(index, table, rs.ConfusionMatrix(judge[seen:], predicted[seen:]), **options)


def _drawn(rng, rows, classes=2):
    labels = rng.integers(0, classes, rows)
    wrong = [np.where(rng.random(rows) < right, labels, rng.integers(0, classes, rows)) for right in (0.9, 0.7)]
    return labels, *wrong


def test_the_accuracy_is_the_prediction_powered_mean_of_right_rows():
    labels, judge, predicted = _drawn(np.random.default_rng(2), 3000, 3)
    found = _judged(labels, judge, predicted, 250, "accuracy")
    right = labels == predicted, judge == predicted
    same = prediction_powered(right[0][:250], right[1][:250], right[1][250:])
    # The judge's variance is about the mean of each kind of rows instead of that of all.
    assert found.estimate == pytest.approx(same.estimate, abs=1e-4)
    assert found.standard_error == pytest.approx(same.standard_error, rel=1e-3)


@pytest.mark.parametrize(
    ("index", "options"), [("f1", {"average": "macro"}), ("kappa", {}), ("jaccard", {"average": "weighted"})]
)
def test_intervals_of_judged_indices_cover_and_are_shorter(index, options):
    rng = np.random.default_rng(3)
    true = rs.ConfusionMatrix(*_drawn(rng, 10**6, 3)[::2]).value(index, **options)
    covered, shorter, draws = 0, [], 150
    for _ in range(draws):
        labels, judge, predicted = _drawn(rng, 2000, 3)
        found = _judged(labels, judge, predicted, 200, index, **options)
        covered += found.low <= true <= found.high
        plain = rs.ConfusionMatrix(labels[:200], predicted[:200]).interval(index, **options)
        shorter.append((found.high - found.low) / (plain.high - plain.low))
    assert 0.89 <= covered / draws <= 0.995
    assert np.mean(shorter) < 0.85


def test_a_judge_without_errors_leaves_the_index_of_all_rows():
    labels, _, predicted = _drawn(np.random.default_rng(4), 20_000)
    found = _judged(labels, labels, predicted, 1000, "mcc")
    # The rows that people labelled weigh n / (n + N); the index is not linear, so 1 / n is left.
    assert found.estimate == pytest.approx(rs.ConfusionMatrix(labels, predicted)["mcc"], abs=2e-3)


def test_an_undefined_judged_index_says_so():
    found = _judged(np.array([0, 0, 0, 1, 1, 0]), np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 0, 0, 1, 1]), 4, "mcc")
    assert np.isnan(found.low)
    assert "undefined" in found.why


def test_judged_indices_refuse_other_labels():
    labels, judge, predicted = _drawn(np.random.default_rng(5), 100)
    table = rs.inference.compare_labels(labels, {"judge": judge, "model": predicted}).pairs["judge", "model"]
    with pytest.raises(rs.InputError, match="expected the same"):
        judged_index("f1", table, rs.ConfusionMatrix([0, 2], [2, 0]))
    with pytest.raises(rs.InputError, match="two and one at least"):
        judged_index("f1", table, rs.ConfusionMatrix.from_counts([[0, 0], [0, 0]]))


def test_the_judge_is_found_by_its_name():
    labels, judge, predicted = _drawn(np.random.default_rng(6), 1000)
    rest = rs.ConfusionMatrix(judge[200:], predicted[200:])
    pairs = [
        rs.inference.compare_labels(labels[:200], models).pairs[names]
        for models, names in (
            ({"judge": judge[:200], "model": predicted[:200]}, ("judge", "model")),
            ({"model": predicted[:200], "llm": judge[:200]}, ("model", "llm")),
        )
    ]
    assert judged_index("f1", pairs[0], rest) == judged_index("f1", pairs[1], rest, judge="llm")
    with pytest.raises(rs.InputError, match="'model' or 'llm'"):
        judged_index("f1", pairs[1], rest)

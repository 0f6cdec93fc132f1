"""Costs: decisions of least risk, thresholds, best thresholds over the data, normalised cost and savings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import rocksteady as rs

EIGHTHS = st.integers(0, 8).map(lambda x: x / 8)


@st.composite
def problems(draw):
    """Probabilities in eighths and small whole costs, so that risks are exact."""
    rows, classes = draw(st.integers(1, 30)), draw(st.integers(2, 10))
    proba = draw(hnp.arrays(np.float64, (rows, classes), elements=EIGHTHS))
    costs = draw(hnp.arrays(np.float64, (classes, classes), elements=st.integers(-3, 9)))
    return proba, costs


@given(problems(), st.sampled_from(["float64", "float32", "float16", ">f8"]), st.sampled_from("CFN"))
def test_decisions_have_the_least_risk(problem, dtype, order):
    proba, costs = problem
    risks = proba @ costs
    given_ = proba.astype(dtype)
    given_ = np.repeat(given_, 2, axis=0)[::2] if order == "N" else np.asarray(given_, order=order)
    np.testing.assert_array_equal(rs.costs.bayes_risk(given_, costs), risks)
    decided = rs.costs.bayes_decision(given_, costs)
    assert decided.dtype == np.int64
    np.testing.assert_array_equal(decided, risks.argmin(axis=1))
    with_reject = rs.costs.bayes_decision(given_, costs, reject_cost=1.0)
    np.testing.assert_array_equal(with_reject, np.where(risks.min(axis=1) > 1, -1, decided))


@given(
    hnp.arrays(np.float64, st.integers(1, 40), elements=EIGHTHS),
    hnp.arrays(np.float64, (2, 2), elements=st.integers(0, 9)),
)
def test_one_column_is_the_probability_of_the_second_class(p, costs):
    two = np.column_stack([1 - p, p])
    np.testing.assert_array_equal(rs.costs.bayes_decision(p, costs), rs.costs.bayes_decision(two, costs))
    np.testing.assert_array_equal(rs.costs.bayes_risk(p, costs), rs.costs.bayes_risk(two, costs))


def test_the_golden_risks():
    """shared/data/golden.json, doc000_cost: numpy 2.4.6."""
    proba = [[0.5, 0.3, 0.2], [0.2, 0.45, 0.35], [0.1, 0.2, 0.7]]
    costs = [[0, 1, 1], [1, 0, 1], [10, 10, 0]]
    expected = [[2.3, 2.5, 0.8], [3.95, 3.7, 0.65], [7.2, 7.1, 0.3]]
    np.testing.assert_allclose(rs.costs.bayes_risk(proba, costs), expected, atol=1e-14)
    assert rs.costs.bayes_decision(proba, costs).tolist() == [2, 2, 2]


def test_ties_go_to_the_first_class_and_labels_name_decisions():
    assert rs.costs.bayes_decision([[0.5, 0.5], [0.25, 0.75]], [[0, 1], [1, 0]]).tolist() == [0, 1]
    named = rs.costs.bayes_decision([0.1, 0.9], [[0, 1], [1, 0]], labels=["no", "yes"])
    assert named.tolist() == ["no", "yes"]
    assert named.dtype.kind == "U"
    rejected = rs.costs.bayes_decision([0.1, 0.5], [[0, 1], [1, 0]], labels=["no", "yes"], reject_cost=0.2)
    assert rejected.tolist() == ["no", None]


def test_many_rows_on_any_number_of_threads():
    proba = np.random.default_rng(0).dirichlet([1, 2, 3], 200_000)
    costs = np.array([[0, 1, 2], [3, 0, 1], [9, 4, 0]])
    before = rs.get_threads()
    try:
        results = []
        for threads in (1, 3):
            rs.set_threads(threads)
            results.append(rs.costs.bayes_decision(proba, costs))
    finally:
        rs.set_threads(before)
    np.testing.assert_array_equal(*results)
    np.testing.assert_array_equal(results[0], rs.costs.bayes_risk(proba, costs).argmin(axis=1))


@pytest.mark.parametrize(
    ("proba", "costs", "options", "words"),
    [
        ([[0.5, 1.5]], [[0, 1], [1, 0]], {}, r"y_proba\[0\] is 1\.5; expected a probability"),
        ([[0.5, 0.5], [0.5, float("nan")]], [[0, 1], [1, 0]], {}, r"y_proba\[1\] is NaN"),
        ([[0.2, 0.3, 0.5]], [[0, 1], [1, 0]], {}, "3 by 3"),
        ([[0.5, 0.5]], [[0, 1]], {}, "costs|matrix"),
        ([[0.5, 0.5]], [[0, float("inf")], [1, 0]], {}, "inf"),
        ([[0.5, 0.5]], "dear", {}, "costs"),
        ([[0.5, 0.5]], [[0, 1], [1, 0]], {"reject_cost": float("nan")}, "reject_cost"),
        ([[0.5, 0.5]], [[0, 1], [1, 0]], {"labels": ["a"]}, "labels"),
    ],
)
def test_what_cannot_be_decided_is_refused(proba, costs, options, words):
    with pytest.raises(rs.InputError, match=words):
        rs.costs.bayes_decision(proba, costs, **options)


def test_optimal_thresholds():
    for fp, fn, expected in [(1, 1, 0.5), (1, 10, 1 / 11), (1, 99, 0.01)]:
        assert rs.costs.optimal_threshold(fp=fp, fn=fn) == pytest.approx(expected, abs=1e-16)
        assert rs.costs.optimal_threshold([[0, fp], [fn, 0]]) == rs.costs.optimal_threshold(fp=fp, fn=fn)
    assert rs.costs.optimal_threshold(fp=2, fn=3, tp=-1, tn=0) == pytest.approx(1 / 3)
    assert rs.costs.optimal_threshold(fp=1.5e308, fn=1.5e308, tn=-1.5e308, tp=-1.5e308) == 0.5
    for bad in [{"fp": 0, "fn": 1}, {"fp": 1, "fn": 1, "tp": 1}, {"fp": 1, "fn": 1, "tn": 2}]:
        with pytest.raises(rs.InputError, match="expected more than"):
            rs.costs.optimal_threshold(**bad)
    with pytest.raises(rs.InputError, match="fp or fn"):
        rs.costs.optimal_threshold(fp=1)
    with pytest.raises(rs.InputError, match="beside"):
        rs.costs.optimal_threshold([[0, 1], [1, 0]], fp=1)
    with pytest.raises(rs.InputError, match="2 by 2"):
        rs.costs.optimal_threshold(np.ones((3, 3)))


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-5, 0), st.integers(-5, 0))
def test_the_threshold_is_where_both_predictions_cost_the_same(fp, fn, tp, tn):
    costs = [[tn, fp], [fn, tp]]
    threshold = rs.costs.optimal_threshold(costs)
    first, second = rs.costs.bayes_risk([threshold], costs)[0]
    assert first == pytest.approx(second, abs=1e-12)
    assert rs.costs.bayes_decision([min(threshold + 1e-9, 1), threshold - 1e-9], costs).tolist() == [1, 0]


@pytest.fixture(scope="module")
def table(request):
    scores, labels = np.loadtxt(request.getfixturevalue("rocr_simple"), delimiter=",", skiprows=1, unpack=True)
    return rs.ScoreTable(labels.astype(int), scores)


def test_rocr_simple(table):
    """papers.md 2.1: c_FN = 5, c_FP = 1."""
    threshold = rs.costs.optimal_threshold(fp=1, fn=5)
    assert threshold == pytest.approx(1 / 6)
    assert table.at(threshold).value("cost", fp=1, fn=5) == 100
    assert table.at(0.5).value("cost", fp=1, fn=5) == 86
    best = table.best("cost", fp=1, fn=5)
    assert best.value == 86
    assert best.threshold == pytest.approx(0.501489336, abs=1e-9)
    assert (best.tp, best.fp, best.fn, best.tn) == (79, 16, 14, 91)
    assert best.counts().value("cost", fp=1, fn=5) == 86
    assert best.counts() == table.at(best.threshold)


NAMES = ["accuracy", "f1", "cost", "mcc", "fpr", "precision", "balanced_accuracy", "error_rate"]


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9)), min_size=1, max_size=40),
    st.sampled_from(NAMES),
    st.sampled_from([None, "maximize", "minimize"]),
)
def test_the_best_is_the_best_of_all(rows, name, said):
    y, s = zip(*rows, strict=True)
    table = rs.ScoreTable(y, s, pos_label=1)
    goal = {said: True} if said else {}
    highest = said == "maximize" or (said is None and rs.index(name).better == "higher")
    every, counts = table.every(name), table.counts()
    defined = np.array([
        rs.Counts(*four).why(name) is None for four in zip(counts.tp, counts.fp, counts.fn, counts.tn, strict=True)
    ])  # fmt: skip
    found = table.best(name, all=True, **goal)
    if not defined.any():
        assert found == []
        assert np.isnan(table.best(name, **goal).threshold)
        return
    value = (max if highest else min)(every[defined])
    expected = table.thresholds[defined & (every == value)][::-1]
    assert [best.threshold for best in found] == expected.tolist()
    assert table.best(name, **goal) == found[0]
    for best in found:
        assert best.value == pytest.approx(value, rel=1e-12)  # which is rounded once
        assert best.counts() == table.at(best.threshold)


def test_a_direction_must_be_known(table):
    neither = next(row.name for row in rs.indices() if row.better == "neither" and "counts" in row.forms)
    with pytest.raises(rs.InputError, match="maximize=True or minimize=True"):
        table.best(neither)
    assert table.best(neither, maximize=True).value >= table.best(neither, minimize=True).value
    with pytest.raises(rs.InputError, match="not both"):
        table.best("f1", maximize=True, minimize=True)
    with pytest.raises(rs.UnknownIndexError):
        table.best("roc_auc")
    with pytest.raises(rs.InputError):
        table.best("cost", fn=float("nan"))


def test_a_series_of_weights(table):
    series = table.cost_series([1, 2, 5, 10, 20], names=["balanced_accuracy", "recall"])
    assert series.columns[:2] == ("weight", "threshold")
    columns = series.to_dict()
    assert columns["weight"] == [1, 2, 5, 10, 20]
    assert columns["cost"][2] == 100
    assert columns["threshold"] == [pytest.approx(1 / (1 + w)) for w in columns["weight"]]
    assert columns["recall"] == sorted(columns["recall"])
    swept = table.cost_series([1, 2, 5, 10, 20], by="sweep", names=[]).to_dict()
    assert swept["cost"][2] == 86
    assert all(least <= bayes for least, bayes in zip(swept["cost"], columns["cost"], strict=True))
    for weight, cost in zip(swept["weight"], swept["cost"], strict=True):
        assert cost == table.every("cost", fp=1, fn=weight).min()
    with pytest.raises(rs.InputError, match="by is 'luck'"):
        table.cost_series([1], by="luck")
    with pytest.raises(rs.InputError, match=r"weights\[0\] is 0"):
        table.cost_series([0])
    with pytest.raises(rs.InputError, match="sweep"):
        rs.ScoreTable([0, 1], [-1, 2]).cost_series([1])


@given(
    hnp.arrays(np.int64, (4, 4), elements=st.integers(0, 20)),
    hnp.arrays(np.int64, (4, 4), elements=st.integers(-3, 9)),
    st.integers(2, 4),
)
def test_normalised_cost_and_savings(cells, costs, classes):
    cells, costs = cells[:classes, :classes], costs[:classes, :classes]
    rows = cells.sum(axis=1)
    cost = (cells * costs).sum()
    least, greatest = rows @ costs.min(axis=1), rows @ costs.max(axis=1)
    trivial = (rows @ costs).min()
    cm = rs.ConfusionMatrix.from_counts(cells)
    found = [cm.value(name, matrix=costs) for name in ("cost", "normalized_cost", "savings")]
    assert found[0] == cost
    if not cells.any() or least == greatest:
        assert np.isnan(found[1])
        assert cm.why("normalized_cost", matrix=costs)
    else:
        assert found[1] == pytest.approx((cost - least) / (greatest - least), abs=1e-14)
    if not cells.any() or trivial <= 0:
        assert np.isnan(found[2])
    else:
        assert found[2] == pytest.approx(1 - cost / trivial, abs=1e-12)
    default = rs.ConfusionMatrix.from_counts(cells)
    if cells.any():
        assert default["normalized_cost"] == pytest.approx(default["error_rate"], abs=1e-14)
        frequent = rows.sum() - rows.max()
        if frequent:
            assert default["savings"] == pytest.approx(1 - default["cost"] / frequent, abs=1e-12)
        else:
            assert "nothing to save" in default.why("savings")


def test_weights_of_classes():
    np.testing.assert_array_equal(rs.costs.cost_weight_matrix([1, 5]), [[0, 1], [5, 0]])
    series = rs.costs.cost_weight_matrix([[1, 1, 1], [1, 2, 4]])
    assert series.shape == (2, 3, 3)
    np.testing.assert_array_equal(series[1], [[0, 1, 1], [2, 0, 2], [4, 4, 0]])
    for bad in ([[[1]]], [np.nan, 1], 3):
        with pytest.raises(rs.InputError, match="weights"):
            rs.costs.cost_weight_matrix(bad)


def test_the_smaller_class_is_positive():
    assert rs.costs.minority_label([1] + [0] * 99) == 1
    assert rs.costs.minority_label(["b", "a", "a"]) == "b"
    with pytest.raises(rs.InputError, match="expected `tie`"):
        rs.costs.minority_label([0, 1])
    assert rs.costs.minority_label([0, 1], tie=1) == 1
    with pytest.raises(rs.InputError, match="tie"):
        rs.costs.minority_label([0, 1], tie=2)

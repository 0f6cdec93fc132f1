"""Models compared by their predicted classes: tables of pairs, against R, scipy, quotients and simulations."""

import os
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import rocksteady as rs
from rocksteady.errors import InputError, RocksteadyError, UnknownIndexError

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
compare = rs.inference.compare_labels
# How many rows of each cell (actual, first, second) of two classes.
CELLS = {
    (0, 0, 0): 300,
    (0, 0, 1): 21,
    (0, 1, 0): 35,
    (0, 1, 1): 40,
    (1, 0, 0): 25,
    (1, 0, 1): 31,
    (1, 1, 0): 14,
    (1, 1, 1): 120,
}


def columns(cells):
    """The rows of a table of pairs."""
    return np.repeat(np.array(list(cells)), list(cells.values()), axis=0).T


def of_discordant(first, second):
    y, a, b = columns({(1, 1, 0): first, (1, 0, 1): second, (0, 0, 0): 50})
    return compare(y, {"a": a, "b": b}).pairs["a", "b"]


def test_mcnemar_as_in_r():
    """R 4.2.2 mcnemar.test; statsmodels and scipy for the binomial ones."""
    few, many = of_discordant(3, 12), of_discordant(86, 150)
    assert few.mcnemar(method="exact").p_value == pytest.approx(0.03515625, rel=1e-14)
    assert few.mcnemar().p_value == pytest.approx(0.02127075195312501, rel=1e-13)
    assert many.mcnemar(method="exact").p_value == pytest.approx(3.7159361395713866e-05, rel=1e-11)
    assert many.mcnemar().p_value == pytest.approx(2.893389517615428e-05, rel=1e-11)
    corrected = many.mcnemar(method="corrected")
    assert corrected.statistic == pytest.approx(16.81779661017, rel=1e-12)
    assert corrected.p_value == pytest.approx(4.11456228135e-05, rel=1e-11)
    plain = many.mcnemar(method="chi_squared")
    assert plain.statistic == pytest.approx(64**2 / 236, rel=1e-14)
    for a in range(12):
        for b in range(12):
            test = scipy.stats.binomtest(a, a + b) if a + b else None
            found = of_discordant(a, b) if a + b else of_discordant(0, 0)
            exact = 1.0 if test is None else min(test.pvalue, 1)
            assert found.mcnemar(method="exact").p_value == pytest.approx(exact, rel=1e-12)
            law = scipy.stats.binom(a + b, 0.5)
            mid = 1.0 if a == b else 2 * law.cdf(min(a, b)) - law.pmf(min(a, b))
            assert found.mcnemar().p_value == pytest.approx(mid, rel=1e-12)
    with pytest.raises(InputError, match="method"):
        few.mcnemar(method="yates")


def test_cochran_is_that_of_the_rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    models = {name: np.where(rng.random(200) < 0.2 + 0.05 * place, (y + 1) % 3, y) for place, name in enumerate("abcd")}
    right = np.array([column == y for column in models.values()], float)
    k, of_model, of_row = 4, right.sum(axis=1), right.sum(axis=0)
    q = (k - 1) * (k * (of_model**2).sum() - of_model.sum() ** 2) / (k * of_row.sum() - (of_row**2).sum())
    found = compare(y, models).cochran_q()
    assert found.statistic == pytest.approx(q, rel=1e-12)
    assert found.p_value == pytest.approx(scipy.stats.chi2.sf(q, 3), rel=1e-12)
    two = compare(y, {"a": models["a"], "b": models["b"]})
    plain = two.mcnemar("a", "b", method="chi_squared")
    assert two.cochran_q().statistic == pytest.approx(plain.statistic, rel=1e-12)
    assert compare(y, {"a": y, "b": y}).cochran_q().p_value == 1.0


def value(cells, model, name):
    matrix = np.zeros((2, 2))
    for cell, amount in cells.items():
        matrix[cell[0], cell[1 + model]] += amount
    return rs.ConfusionMatrix.from_counts(matrix, labels=[0, 1])[name]


def test_the_variance_of_every_index_is_that_of_quotients():
    """Slopes by central differences over the eight cells, of all indices of counts that a difference makes sense for."""
    y, a, b = columns(CELLS)
    table = compare(y, {"a": a, "b": b}).pairs["a", "b"]
    amounts = np.array(list(CELLS.values()), float)
    compared, refused = 0, []
    for row in rs.indices():
        if not {"counts", "matrix"} & set(row.forms):
            continue
        try:
            found = table.difference(row.name)
        except UnknownIndexError:
            refused.append(row.name)
            continue
        values = [value(CELLS, model, row.name) for model in (0, 1)]
        assert found.estimate == pytest.approx(values[0] - values[1], rel=1e-12, abs=1e-13), row.name
        if found.why is not None:
            continue
        slopes = []
        for cell, amount in CELLS.items():
            step = 1e-3 * amount
            ends = [{**CELLS, cell: amount + sign * step} for sign in (1, -1)]
            quotient = [value(end, 0, row.name) - value(end, 1, row.name) for end in ends]
            slopes.append((quotient[0] - quotient[1]) / (2 * step))
        slopes = np.array(slopes)
        if not np.isfinite(slopes).all():  # of indices that read whole rows only
            continue
        n = amounts.sum()
        variance = n / (n - 1) * (amounts @ slopes**2 - (amounts @ slopes) ** 2 / n)
        assert found.standard_error == pytest.approx(np.sqrt(variance), rel=2e-4), row.name
        assert found.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(found.statistic), n - 1), rel=1e-12)
        compared += 1
    assert compared > 170, (compared, refused)
    assert "mcnemar_p_value" in refused


def test_a_difference_of_accuracy_is_that_of_paired_proportions():
    y, a, b = columns(CELLS)
    found = compare(y, {"a": a, "b": b}).difference("accuracy", "a", "b")
    n, first, second = len(y), 21 + 14, 35 + 31
    d = (first - second) / n
    assert found.estimate == pytest.approx(d, rel=1e-13)
    assert found.standard_error == pytest.approx(np.sqrt(((first + second) / n - d**2) / (n - 1)), rel=1e-12)


def test_tables_add_up_to_that_of_all_rows():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 40, 3_000)
    a, b = (np.where(rng.random(3_000) < share, rng.integers(0, 40, 3_000), y) for share in (0.2, 0.3))
    weights = rng.random(3_000)
    for options in ({}, {"sample_weight": weights}, {"sample_weight": weights, "weight_kind": "sampling"}):

        def part(rows, options=options):
            own = {name: given if isinstance(given, str) else given[rows] for name, given in options.items()}
            return compare(y[rows], {"a": a[rows], "b": b[rows]}, labels=range(40), **own)

        whole = part(slice(None))
        thirds = [part(slice(start, None, 3)) for start in range(3)]
        assert sum(thirds) == whole
        assert thirds[2] + (thirds[0] + thirds[1]) == whole
        assert pickle.loads(pickle.dumps(whole)) == whole
        matrix = rs.ConfusionMatrix(y, a, sample_weight=options.get("sample_weight"))
        other = rs.ConfusionMatrix(y, b, sample_weight=options.get("sample_weight"))
        for name in ("accuracy", "kappa", "mcc"):
            found = whole.difference(name, "a", "b")
            assert found.estimate == pytest.approx(matrix[name] - other[name], rel=1e-10)
            assert found.low < found.estimate < found.high
        assert len(whole.pairs["a", "b"].summary()) < 3_000
    with pytest.raises(InputError, match="labels"):
        _ = compare([0, 1], {"a": [0, 1], "b": [1, 1]}) + compare([0, 2], {"a": [0, 2], "b": [2, 2]})
    with pytest.raises(InputError, match="weight_kind"):
        _ = thirds[0] + compare(y, {"a": a, "b": b})


def test_weights_that_count_are_rows_and_those_of_sampling_a_sandwich():
    y, a, b = columns(CELLS)
    rng = np.random.default_rng(2)
    weights = rng.integers(1, 5, len(y))
    repeated = compare(np.repeat(y, weights), {"a": np.repeat(a, weights), "b": np.repeat(b, weights)})
    counted = compare(y, {"a": a, "b": b}, sample_weight=weights)
    sampled = compare(y, {"a": a, "b": b}, sample_weight=weights, weight_kind="sampling")
    for name in ("accuracy", "f1", "mcc"):
        ours, theirs = counted.difference(name, "a", "b"), repeated.difference(name, "a", "b")
        assert ours.standard_error == pytest.approx(theirs.standard_error, rel=1e-12)
        assert sampled.difference(name, "a", "b").estimate == pytest.approx(ours.estimate, rel=1e-12)
    shift = (a == y) * 1.0 - (b == y)
    mean, n = np.average(shift, weights=weights), len(y)
    variance = n / (n - 1) * ((weights / weights.sum()) ** 2 * (shift - mean) ** 2).sum()
    assert sampled.difference("accuracy", "a", "b").standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)
    test = sampled.mcnemar("a", "b")
    assert np.isnan(test.p_value)
    assert "sampling" in repr(test)
    assert "sampling" in repr(sampled.cochran_q())


def test_the_order_of_models_turns_the_sign():
    y, a, b = columns(CELLS)
    found = compare(y, {"a": a, "b": b})
    one, other = found.difference("f1", "a", "b"), found.difference("f1", "b", "a")
    assert (one.estimate, one.low, one.p_value) == (-other.estimate, -other.high, other.p_value)
    assert found.mcnemar("b", "a").first_only == found.mcnemar("a", "b").second_only == 66
    for wrong in ({"first": "c", "second": "b"}, {"first": "a", "second": "a"}):
        with pytest.raises(InputError, match="model"):
            found.difference("f1", **wrong)
    assert len(found.summary("f1").rows) == 1


def test_equal_predictions_have_p_1():
    y, a, _ = columns(CELLS)
    found = compare(y, {"a": a, "b": a})
    for name in ("accuracy", "f1", "mcc", "kappa"):
        pair = found.difference(name, "a", "b")
        assert (pair.estimate, pair.p_value) == (0.0, 1.0)
        assert np.isnan(pair.low)
    assert found.mcnemar("a", "b").p_value == 1.0


def test_undefined_values_and_kinks_say_why():
    y, a, b = columns({(0, 0, 0): 10, (1, 0, 1): 5, (1, 0, 0): 3})
    found = compare(y, {"a": a, "b": b})
    pair = found.difference("precision", "a", "b")
    assert "predicted positive" in pair.why
    assert np.isnan(pair.p_value)
    with pytest.raises(UnknownIndexError, match="bootstrap"):
        found.difference("roc_auc", "a", "b")
    with pytest.raises(UnknownIndexError, match="result of a test"):
        found.difference("mcnemar_p_value", "a", "b")


def test_labels_are_read_as_by_evaluate():
    y, a, b = columns(CELLS)
    names = np.array(["no", "yes"])
    expected = compare(y, {"a": a, "b": b})
    text = compare(names[y], pd.DataFrame({"a": names[a], "b": names[b]}))
    assert text.pos_label == "yes"
    assert text.difference("f1", "a", "b") == expected.difference("f1", "a", "b")
    flipped = compare(names[y], {"a": names[a], "b": names[b]}, pos_label="no")
    assert flipped.difference("recall", "a", "b").estimate == expected.difference("specificity", "a", "b").estimate
    grades = pd.Series(pd.Categorical(names[y], categories=["yes", "no"], ordered=True))
    assert compare(grades, {"a": names[a], "b": names[b]}).pos_label == "no"
    gaps = [None, *names[a][1:]]
    with pytest.raises(InputError, match=r"y_pred\['a'\]\[0\] is missing"):
        compare(names[y], {"a": gaps, "b": names[b]})
    left = compare(names[y], {"a": gaps, "b": names[b]}, nan_policy="omit")
    assert sum(left.pairs["a", "b"].agreement) == len(y) - 1
    for wrong, word in (
        ({"y_pred": {"a": a}}, "two models"),
        ({"y_pred": {"a": a, "b": b}, "labels": [0, 2]}, "y_true|y_pred"),
        ({"y_pred": {"a": a, "b": b}, "pos_label": 5}, "pos_label"),
        ({"y_pred": {"a": a, "b": b[1:]}}, "y_pred"),
        ({"y_pred": {"a": a, "b": b}, "weight_kind": "x"}, "weight_kind"),
    ):
        with pytest.raises(RocksteadyError, match=word):
            compare(y, **wrong)
    for shown in (expected, expected.pairs["a", "b"], expected.mcnemar("a", "b"), expected.cochran_q()):
        assert len(repr(shown)) > 20
        assert shown._repr_html_().startswith("<")


# evaluate(inference=True) ---------------------------------------------------------------------------------------------


def scores_of(rng, y):
    return {"a": 1 / (1 + np.exp(-rng.normal(size=len(y)) - y)), "b": rng.normal(size=len(y)).astype(np.float32) + y}


def test_an_evaluation_has_differences_of_scores_and_of_predicted_classes():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 500)
    scores = scores_of(rng, y)
    ev = rs.evaluate(y, scores, threshold={"a": 0.6}, costs={"fp": 1, "fn": 5}, inference=True)
    areas = rs.inference.compare_scores(y, scores)
    assert ev.difference("roc_auc", "a", "b") == areas.difference("a", "b")
    assert ev.difference("auc", "b", "a").estimate == -areas.difference("a", "b").estimate
    gini = ev.difference("gini", "a", "b")
    assert gini.estimate == pytest.approx(ev["gini"]["a"] - ev["gini"]["b"], abs=1e-14)
    assert gini.p_value == areas.difference("a", "b").p_value
    labels = rs.inference.compare_labels(y, {"a": scores["a"] >= 0.6, "b": scores["b"] >= 0})
    for name in ("f1", "accuracy", "mcc", "recall"):
        found = ev.difference(name, "a", "b")
        assert found.estimate == pytest.approx(ev[name]["a"] - ev[name]["b"], abs=1e-14)
        assert found.standard_error == pytest.approx(labels.difference(name, "a", "b").standard_error, rel=1e-13)
    assert ev.difference("cost", "a", "b").estimate == pytest.approx(ev["cost"]["a"] - ev["cost"]["b"])
    for name in ("ks", "h_measure", "mcnemar_p_value"):
        with pytest.raises(UnknownIndexError, match="bootstrap"):
            ev.difference(name, "a", "b")
    with pytest.raises(InputError, match="inference=True"):
        rs.evaluate(y, scores).difference("f1", "a", "b")
    for wrong in (("a", "a"), ("a", "c")):
        with pytest.raises(InputError, match="model"):
            ev.difference("f1", *wrong)
    assert ev.paired is not None
    assert pickle.loads(pickle.dumps(ev)).difference("f1", "a", "b") == ev.difference("f1", "a", "b")
    assert rs.evaluate(y, scores["a"], inference=True).paired is None


def test_thresholds_are_compared_as_the_matrices_are():
    y = np.array([0, 1, 1, 0, 1, 0] * 4)
    scores = {
        "whole": np.array([1, 3, 2, 2, 0, 2**40] * 4),
        "narrow": np.array([0.7, 0.3, 0.7, 0.1, 0.9, 0.2] * 4, np.float32),
    }
    for threshold in ({"whole": 2, "narrow": 0.7}, {"whole": 2.5, "narrow": float(np.float32(0.7))}, 0.5):
        ev = rs.evaluate(y, scores, threshold=threshold, inference=True)
        for name in ("tp", "fp", "accuracy"):
            assert ev.difference(name, "whole", "narrow").estimate == ev[name]["whole"] - ev[name]["narrow"]


def test_an_evaluation_of_several_classes_and_of_probabilities():
    rng = np.random.default_rng(4)
    y = np.array(["x", "y", "z"])[rng.integers(0, 3, 300)]
    hot = (y[:, None] == np.array(["x", "y", "z"])) * 1.5
    proba = {name: np.exp(hot + rng.normal(size=(300, 3))) for name in "ab"}
    proba = {name: matrix / matrix.sum(axis=1, keepdims=True) for name, matrix in proba.items()}
    ev = rs.evaluate(y, y_proba=proba, inference=True)
    for name in ("accuracy", "f1", "recall", "mcc", "kappa", "precision"):
        found = ev.difference(name, "a", "b")
        assert found.estimate == pytest.approx(ev[name]["a"] - ev[name]["b"], abs=1e-13), name
        assert 0 < found.standard_error < 0.1
    recall, n = ev.difference("recall", "a", "b"), {label: (y == label).sum() for label in "xyz"}
    predicted = {name: np.array(["x", "y", "z"])[matrix.argmax(axis=1)] for name, matrix in proba.items()}
    shift = [((predicted["a"] == y) * 1.0 - (predicted["b"] == y))[y == label] for label in "xyz"]
    variance = 300 / 299 * sum(part.var() / n[label] for part, label in zip(shift, "xyz", strict=True)) / 9
    assert recall.standard_error == pytest.approx(np.sqrt(variance), rel=1e-10)
    with pytest.raises(UnknownIndexError, match="a mean over classes has one"):
        ev.difference("one_vs_rest_auc", "a", "b")
    mixed = rs.evaluate(y == "x", {"s": rng.random(300)}, y_pred={"p": y == "y"}, inference=True)
    found = mixed.difference("accuracy", "s", "p")
    assert found.estimate == pytest.approx(mixed["accuracy"]["s"] - mixed["accuracy"]["p"], abs=1e-14)
    with pytest.raises(UnknownIndexError, match="'p' needs scores"):
        mixed.difference("roc_auc", "s", "p")


@pytest.mark.parametrize("options", [{}, {"weight_kind": "sampling"}, {"weight_kind": "counts"}])
def test_a_difference_is_that_of_the_influences_of_the_rows(options):
    rng = np.random.default_rng(9)
    weights = {"sample_weight": rng.random(400) + 0.5} if options else {}
    for classes in (2, 4):
        y = rng.integers(0, classes, 400)
        predicted = {name: np.where(rng.random(400) < 0.3, rng.integers(0, classes, 400), y) for name in "ab"}
        ev = rs.evaluate(y, y_pred=predicted, inference=True, **weights, **options)
        for name in ("accuracy", "f1", "kappa", "mcc", "recall", "informedness", "odds_ratio"):
            found, expected = ev.difference(name, "a", "b"), ev.compared(name).difference("a", "b")
            for field in ("estimate", "low", "high", "standard_error", "statistic", "p_value"):
                assert getattr(found, field) == pytest.approx(getattr(expected, field), rel=1e-11), (name, field)
            assert (found.why, found.note) == (expected.why, expected.note)


def test_weights_and_gaps_of_an_evaluation():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 300).astype(float)
    scores = scores_of(rng, y.astype(int))
    scores["a"][7] = np.nan
    weights = rng.random(300) + 0.5
    ev = rs.evaluate(y, scores, sample_weight=weights, nan_policy="omit", inference=True)
    for name in ("f1", "roc_auc"):
        assert ev.difference(name, "a", "b").estimate == pytest.approx(ev[name]["a"] - ev[name]["b"], abs=1e-12)
    worst = rs.evaluate(y, scores, nan_policy="worst", inference=True)
    for name in ("f1", "roc_auc"):
        assert worst.difference(name, "a", "b").estimate == pytest.approx(
            worst[name]["a"] - worst[name]["b"], abs=1e-12
        )


# Simulations ----------------------------------------------------------------------------------------------------------


def drawn(rng, repeats, n, shares):
    """Tables of pairs of n rows, as cells."""
    draws = rng.multinomial(n, shares, size=repeats)
    cells = [(y, a, b) for y in (0, 1) for a in (0, 1) for b in (0, 1)]
    return [dict(zip(cells, draw.tolist(), strict=True)) for draw in draws]


@pytest.mark.parametrize("n", [100, 1_000])
def test_differences_are_covered(n):
    rng = np.random.default_rng(n)
    shares = np.array(list(CELLS.values())) / sum(CELLS.values())
    truth = dict(zip(CELLS, (1e6 * shares).tolist(), strict=True))
    repeats = 2_000 if THOROUGH else 300
    names = ["accuracy", "f1", "mcc", "kappa", "precision", "recall", "informedness", "jaccard"]
    covered = dict.fromkeys(names, 0)
    for cells in drawn(rng, repeats, n, shares):
        y, a, b = columns(cells)
        table = compare(y, {"a": a, "b": b}).pairs["a", "b"]
        for name in names:
            found = table.difference(name)
            expected = value(truth, 0, name) - value(truth, 1, name)
            covered[name] += found.low <= expected <= found.high
    slack = 0.0 if THOROUGH else 0.03
    for name, hits in covered.items():
        assert 0.92 - slack < hits / repeats < 0.98 + slack, name


def test_mid_p_is_nearer_to_its_level_than_the_exact_test():
    rng = np.random.default_rng(6)
    repeats = 20_000 if THOROUGH else 2_000
    discordant = rng.binomial(100, 0.2, repeats)
    first = rng.binomial(discordant, 0.5)
    found = {
        method: np.mean(
            [rs._rocksteady.mcnemar_test(a, n - a, method)[1] <= 0.05 for n, a in zip(discordant, first, strict=True)]
        )
        for method in ("mid_p", "exact")
    }
    assert found["exact"] < found["mid_p"] < 0.06
    assert found["exact"] < 0.04

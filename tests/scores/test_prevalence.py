"""Another share of positives: the statistics of rows whose class alone decides their weight."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs


def rows(n, seed, share=0.3):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:2] = True, False
    score = 1 / (1 + np.exp(-rng.normal(np.where(y, 0.8, -0.8), 1.2)))
    return y, score.round(2) if seed % 2 else score


def weights(y, prevalence):
    return np.where(y, prevalence * len(y) / y.sum(), (1 - prevalence) * len(y) / (~y).sum())


# Values ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prevalence", [0.5, 0.01, 1e-9, 0.999])
@pytest.mark.parametrize("seed", range(4))
def test_a_table_is_that_of_the_weighted_rows_to_the_bit(prevalence, seed):
    y, score = rows(500, seed)
    found = rs.ScoreTable(y, score).at_prevalence(prevalence)
    weighted = rs.ScoreTable(y, score, sample_weight=weights(y, prevalence), weight_kind="sampling")
    assert found == weighted
    assert found.to_bytes() == weighted.to_bytes()
    assert found.at(0.5)["prevalence"] == pytest.approx(prevalence, rel=1e-12)
    assert rs.ScoreTable.from_bytes(found.to_bytes()) == found


@pytest.mark.parametrize("seed", range(3))
def test_a_matrix_is_that_of_the_weighted_rows_to_the_bit(seed):
    rng = np.random.default_rng(seed)
    names = np.array(["a", "b", "c"])
    y, pred = names[rng.integers(0, 3, 300)], names[rng.integers(0, 3, 300)]
    shares = {"c": 0.2, "a": 0.7, "b": 0.1}
    here = {name: np.count_nonzero(y == name) for name in shares}
    weight = np.array([shares[name] * 300 / here[name] for name in y])
    found = rs.ConfusionMatrix(y, pred).at_prevalence(shares)
    weighted = rs.ConfusionMatrix(y, pred, sample_weight=weight, weight_kind="sampling")
    assert found == weighted
    assert found.to_bytes() == weighted.to_bytes()
    assert rs.ConfusionMatrix(y, pred).at_prevalence([0.7, 0.1, 0.2]) == found


def test_counts_near_the_largest():
    counts = [2**60 - 1, 12_345, 2**59 + 1]
    table = rs.ScoreTable.from_counts([0.9, 0.5, 0.1], counts, counts[::-1])
    found = table.at_prevalence(0.25)
    # Exactly the count times the weight, rounded once.
    weight = 0.25 * (2 * float(sum(counts))) / float(sum(counts))
    assert found.counts().tp[1:].tolist() == [float(sum(counts[:k]) * Fraction(weight)) for k in (1, 2, 3)]
    cm = rs.ConfusionMatrix.from_counts([[2**60, 1], [3, 2**59]])
    assert cm.at_prevalence(0.5)["recall"] == pytest.approx(cm["recall"], rel=1e-15)


@pytest.mark.parametrize("prevalence", [0.001, 0.2, 0.9])
def test_values_that_depend_on_the_share_and_those_that_do_not(prevalence):
    y, score = rows(400, 1)
    table = rs.ScoreTable(y, score)
    found = table.at_prevalence(prevalence)
    for name in ("roc_auc", "gini", "ks", "standardized_partial_auc"):
        assert found[name] == pytest.approx(table[name], rel=1e-12), name
    for name in ("recall", "specificity", "youden_j"):
        assert found.every(name) == pytest.approx(table.every(name), rel=1e-12), name
    at = table.at(0.5)
    for name in ("precision", "npv"):
        other = {"precision": "precision_at_prevalence", "npv": "npv_at_prevalence"}[name]
        assert found.at(0.5)[name] == pytest.approx(at.value(other, prevalence=prevalence), rel=1e-12)
    assert found["brier"] == pytest.approx(
        prevalence * np.mean((1 - score[y]) ** 2) + (1 - prevalence) * np.mean(score[~y] ** 2), rel=1e-12
    )


def test_an_evaluation_has_everything():
    y, score = rows(300, 2)
    ev = rs.evaluate(y, {"new": score, "old": score.round(1)}, costs={"fp": 1, "fn": 9})
    found = ev.at_prevalence(0.02)
    weighted = rs.evaluate(y, {"new": score, "old": score.round(1)}, costs={"fp": 1, "fn": 9},
                           sample_weight=weights(y, 0.02), weight_kind="sampling")  # fmt: skip
    assert [each.scores for each in found.models.values()] == [each.scores for each in weighted.models.values()]
    for name in ("new", "old"):
        assert np.allclose(*(ev.models[name].confusion.to_array() for ev in (found, weighted)), rtol=1e-13)
    assert found.value("log_loss") == weighted.value("log_loss")
    assert found.value("f1")["new"] == pytest.approx(weighted.value("f1")["new"], rel=1e-12)
    assert "prevalence of 0.02" in found.to_html()
    three = rs.evaluate(["a", "b", "c"], y_pred=["a", "b", "a"]).at_prevalence({"a": 0.5, "b": 0.25, "c": 0.25})
    assert three["accuracy"] == 0.75


# Intervals --------------------------------------------------------------------------------------------------------------


def mean_and_error(y, values, prevalence):
    """The mean of values at a prevalence, and its standard error where each class was sampled by itself."""
    up, down = values[y], values[~y]
    variance = prevalence**2 * up.var(ddof=1) / len(up) + (1 - prevalence) ** 2 * down.var(ddof=1) / len(down)
    return prevalence * up.mean() + (1 - prevalence) * down.mean(), np.sqrt(variance)


@pytest.mark.parametrize("prevalence", [0.05, 0.5])
def test_errors_of_means_are_those_of_two_samples(prevalence):
    y, score = rows(300, 5)
    table = rs.ScoreTable(y, score).at_prevalence(prevalence)
    for name, values in (
        ("brier", (score - y) ** 2),
        ("log_loss", -np.log(np.where(y, score, 1 - score))),
    ):
        found = table.interval(name, strata="label")
        assert (found.estimate, found.standard_error) == pytest.approx(mean_and_error(y, values, prevalence), rel=1e-9)


@pytest.mark.parametrize("name", ["brier", "log_loss", "average_precision", "brier_skill_score", "aurc", "roc_auc"])
def test_as_the_rows_with_their_strata(name):
    y, score = rows(400, 3)
    kept = rs.evaluate(y, score, sample_weight=weights(y, 0.1), weight_kind="sampling", strata=y, inference=True)
    of_rows = kept.interval(name)
    of_table = rs.ScoreTable(y, score).at_prevalence(0.1).interval(name, strata="label")
    assert of_table.estimate == pytest.approx(of_rows.estimate, rel=1e-9)
    assert of_table.standard_error == pytest.approx(of_rows.standard_error, rel=0.01)


def test_an_area_does_not_depend_on_the_weights_of_classes():
    y, score = rows(200, 4)
    table = rs.ScoreTable(y, score)
    plain = table.interval("roc_auc")
    for found in (
        table.interval("roc_auc", strata="label"),
        table.at_prevalence(0.01).interval("roc_auc", strata="label"),
    ):
        assert (found.low, found.high) == pytest.approx((plain.low, plain.high), rel=1e-9)


def test_counts_by_class_scatter_less_and_as_the_formula_says():
    cm = rs.ConfusionMatrix.from_counts([[910, 90], [40, 160]])
    for prevalence in (0.01, 0.3):
        rare = cm.at_prevalence(prevalence)
        found = rare.interval("precision", strata="label")
        formula = cm.interval("precision_at_prevalence", prevalence=prevalence)
        assert found.estimate == pytest.approx(formula.estimate)
        assert found.standard_error == pytest.approx(formula.standard_error, rel=0.02)
        assert found.high - found.low < rare.interval("precision").high - rare.interval("precision").low
        recall = rare.interval("recall", strata="label")
        assert (recall.low, recall.high) == pytest.approx(
            (cm.interval("recall").low, cm.interval("recall").high), rel=1e-6
        )
    several = rs.ConfusionMatrix.from_counts([[50, 5, 5], [9, 30, 1], [4, 4, 22]]).at_prevalence([0.6, 0.3, 0.1])
    accuracy = several.interval("accuracy", strata="label")
    shares, rates, sizes = np.array([0.6, 0.3, 0.1]), np.array([50 / 60, 30 / 40, 22 / 30]), np.array([60, 40, 30])
    assert accuracy.standard_error == pytest.approx(np.sqrt(shares**2 @ (rates * (1 - rates) / sizes)), rel=0.05)


def test_what_follows_from_the_sizes_of_the_classes_alone_has_no_interval():
    cm = rs.ConfusionMatrix.from_counts([[910, 90], [40, 160]])
    for matrix in (cm, cm.at_prevalence(0.1)):
        found = matrix.interval("prevalence", strata="label")
        assert np.isnan(found.low)
        assert "does not show how the value scatters" in found.why
        assert np.isnan(rs.Counts(160, 90, 40, 910).interval("prevalence", strata="label").low)


@pytest.mark.parametrize("name", ["precision", "f1", "mcc", "accuracy", "average_precision", "brier", "log_loss"])
def test_intervals_cover_where_each_class_was_sampled(name):
    rng = np.random.default_rng(11)
    prevalence, sizes, draws = 0.1, (150, 250), 400

    def sample(up, down):
        y = np.repeat([True, False], [up, down])
        return y, 1 / (1 + np.exp(-rng.normal(np.where(y, 0.8, -1.2), 1.2)))

    def asked(table):
        by_threshold = rs.index(name).forms[0] == "counts"
        return table.at(0.5) if by_threshold else table

    truth = asked(rs.ScoreTable(*sample(400_000, 400_000)).at_prevalence(prevalence))[name]
    covered = wide = 0
    for _ in range(draws):
        table = asked(rs.ScoreTable(*sample(*sizes)).at_prevalence(prevalence))
        found = table.interval(name, strata="label")
        covered += found.low <= truth <= found.high
        plain = table.interval(name)
        wide += plain.low <= truth <= plain.high
    assert 0.92 <= covered / draws <= 0.98
    assert wide >= covered - 4  # the default takes the sizes for random, so it is wider


# Probabilities ----------------------------------------------------------------------------------------------------------


def test_probabilities_are_corrected_by_their_odds():
    p = np.array([0.0, 0.01, 0.3, 0.5, 0.99, 1.0])
    found = rs.scores.at_prevalence(p, 0.02, trained_at=0.4)
    for own, new in zip(p, found, strict=True):
        odds = Fraction(own) * Fraction(0.02) * (1 - Fraction(0.4)) / (Fraction(0.4) * (1 - Fraction(0.02)))
        assert new == pytest.approx(float(odds / (odds + 1 - Fraction(own))), rel=1e-14)
    assert rs.scores.at_prevalence(found, 0.4, trained_at=0.02) == pytest.approx(p, rel=1e-12)


def test_corrected_probabilities_are_calibrated_at_the_prevalence():
    rng = np.random.default_rng(0)
    y = rng.random(200_000) < 0.5
    x = rng.normal(np.where(y, 1.0, -1.0))
    score = 1 / (1 + np.exp(-2 * x))  # the true probability at a share of one half
    table = rs.ScoreTable(y, rs.scores.at_prevalence(score, 0.05, trained_at=0.5)).at_prevalence(0.05)
    assert table["calibration_slope"] == pytest.approx(1, abs=0.03)
    assert table["calibration_shift"] == pytest.approx(0, abs=0.03)


# Refusals ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [0, 1, -0.1, 1.5, float("nan"), "half", None, True])
def test_a_share_is_between_none_and_all(bad):
    table, cm = rs.ScoreTable([0, 1, 1], [0.1, 0.4, 0.3]), rs.ConfusionMatrix([0, 1, 1], [0, 1, 0])
    ev = rs.evaluate([0, 1, 1], [0.1, 0.4, 0.3])
    for call in (
        table.at_prevalence,
        cm.at_prevalence,
        ev.at_prevalence,
        lambda share: rs.scores.at_prevalence([0.5], share, trained_at=0.5),
        lambda share: rs.scores.at_prevalence([0.5], 0.5, trained_at=share),
    ):
        with pytest.raises((rs.InputError, rs.InputTypeError), match=r"prevalence|trained_at"):
            call(bad)


def test_other_refusals():
    with pytest.raises(rs.InputError, match="no rows of one of both classes"):
        rs.ScoreTable([1, 1], [0.1, 0.4], pos_label=1).at_prevalence(0.5)
    weighted = rs.ScoreTable([0, 1], [0.1, 0.4], sample_weight=[1.5, 2])
    with pytest.raises(rs.InputError, match="weights already"):
        weighted.at_prevalence(0.5)
    with pytest.raises(rs.InputError, match="weights already"):
        rs.ScoreTable([0, 1], [0.1, 0.4]).at_prevalence(0.5).at_prevalence(0.1)
    three = rs.ConfusionMatrix(["a", "b", "c"], ["a", "b", "b"])
    with pytest.raises(rs.InputError, match="share of each of the 3 classes"):
        three.at_prevalence(0.5)
    with pytest.raises(rs.InputError, match="add up to 1"):
        three.at_prevalence([0.5, 0.1, 0.1])
    with pytest.raises(rs.InputError, match="label"):
        three.at_prevalence({"a": 0.5, "b": 0.25, "x": 0.25})
    with pytest.raises(rs.InputError, match='strata is "class"|strata is .class.'):
        three.interval("accuracy", strata="class")
    with pytest.raises(rs.UnknownIndexError, match="each by itself"):
        rs.ScoreTable([0, 1, 1, 0], [0.1, 0.4, 0.3, 0.2]).interval("debiased_calibration_error", strata="label")
    with pytest.raises(rs.InputError, match=r"y_score\[1\]"):
        rs.scores.at_prevalence([0.5, 1.5], 0.5, trained_at=0.1)
    with pytest.raises(rs.InputError, match="confusion.at_prevalence"):
        rs.evaluate(["a", "b", "c"], y_proba=np.eye(3)).at_prevalence(0.5)


# Few rows, and rows with a design -----------------------------------------------------------------------------------------


def test_one_row_of_a_class_tells_no_scatter():
    rng = np.random.default_rng(0)
    table = rs.ScoreTable(np.arange(101) < 1, rng.random(101))
    for name in ("average_precision", "brier", "aurc", "log_loss"):
        assert np.isnan(table.interval(name, strata="label").low), name
    cm = rs.ConfusionMatrix.from_counts([[90, 10], [0, 1]])
    assert np.isnan(cm.at_prevalence(0.3).interval("precision", strata="label").low)
    assert np.isfinite(cm.interval("specificity", strata="label").low)  # which that row has no part in


def test_a_class_without_rows_has_no_part():
    alone = rs.ConfusionMatrix.from_counts([[47, 3], [0, 0]])
    plain, by_class = alone.interval("accuracy"), alone.interval("accuracy", strata="label")
    assert (by_class.low, by_class.high) == pytest.approx((plain.low, plain.high), rel=1e-6)


def test_few_rows_are_noted():
    few = rs.ConfusionMatrix.from_counts([[10, 0], [1, 2]]).interval("accuracy", strata="label")
    assert "fewer than 20 rows" in few.note
    rare = rs.ConfusionMatrix.from_counts([[198, 2], [6, 24]]).at_prevalence(0.001)
    assert "Few rows tell" in rare.interval("precision", strata="label").note


def test_an_average_precision_that_rests_on_few_negatives_is_noted():
    rng = np.random.default_rng(1)
    for positives, negatives in ((90, 210), (300, 3000)):
        y = np.repeat([True, False], [positives, negatives])
        score = rng.normal(1.5 * y)
        table = rs.ScoreTable(y, score)
        assert "rests on few" not in str(table.interval("average_precision").note)
        assert "rests on fewer than 20 negatives" in table.at_prevalence(0.01).interval("average_precision").note
    y = np.repeat([True, False], [2000, 20_000])
    large = rs.ScoreTable(y, rng.normal(1.5 * y)).at_prevalence(0.05)
    assert large.interval("average_precision", strata="label").note is None


def test_clusters_and_strata_are_not_forgotten():
    y, score = rows(200, 1)
    ev = rs.evaluate(y, score, cluster=np.arange(200) // 10, inference=True)
    with pytest.raises(rs.InputError, match="would forget the clusters"):
        ev.at_prevalence(0.1)
    for name in ("average_precision", "accuracy"):
        with pytest.raises(rs.InputError, match="of their own"):
            ev.interval(name, strata="label")
    assert rs.evaluate(y, score, inference=True).at_prevalence([0.9, 0.1]).value("recall") > 0


def test_without_labels_the_counts_are_those_expected_over_all_labels():
    rng = np.random.default_rng(3)
    p, weights = rng.random(8).round(2), rng.integers(1, 4, 8)
    table = rs.scores.estimated_without_labels(p, sample_weight=weights)
    for threshold in (0.0, 0.3, 0.5, 2.0):
        expected = np.zeros(4)
        for labels in itertools.product([0, 1], repeat=8):
            y = np.array(labels)
            chance = np.prod(np.where(y == 1, p, 1 - p))
            called = p >= threshold
            cells = ((y == 1) & called, (y == 0) & called, (y == 1) & ~called, (y == 0) & ~called)
            expected += chance * np.array([(weights * cell).sum() for cell in cells])
        counts = table.at(threshold)
        assert [counts.tp, counts.fp, counts.fn, counts.tn] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_without_labels_a_calibrated_model_is_estimated_well_and_an_overconfident_one_too_high():
    rng = np.random.default_rng(4)
    p = rng.beta(2, 3, 200_000)
    later = rs.ScoreTable(rng.random(len(p)) < p, p, pos_label=True)
    assert rs.scores.estimated_without_labels(p)["roc_auc"] == pytest.approx(later["roc_auc"], abs=0.005)
    assert rs.scores.estimated_without_labels(p)["brier"] == pytest.approx(later["brier"], abs=0.005)
    sure = p**3 / (p**3 + (1 - p) ** 3)
    assert rs.scores.estimated_without_labels(sure)["roc_auc"] > later["roc_auc"] + 0.1


def test_without_labels_what_is_no_probability_or_weight_is_refused():
    with pytest.raises(rs.InputError, match=r"y_score\[1\] is 1.5"):
        rs.scores.estimated_without_labels([0.5, 1.5])
    with pytest.raises(rs.InputError, match=r"sample_weight has 1 rows"):
        rs.scores.estimated_without_labels([0.5, 0.5], sample_weight=[1])
    with pytest.raises(rs.InputError, match=r"sample_weight\[1\] is -1"):
        rs.scores.estimated_without_labels([0.5, 0.5], sample_weight=[1, -1])
    assert "count as rows" in rs.scores.estimated_without_labels([0.5, 0.3, 0.6]).interval("roc_auc").note

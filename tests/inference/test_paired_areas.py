"""Models compared by the area under the ROC curve: against pROC, numpy, the jackknife and simulations."""

import os
import pickle
from datetime import date, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats

import rocksteady as rs
from rocksteady.errors import InputError, InputTypeError, RocksteadyWarning

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
compare = rs.inference.compare_scores


def asah(data):
    rows = np.genfromtxt(data / "aSAH.csv", delimiter=",", names=True)
    return rows["y"].astype(int), {name: rows[name] for name in ("s100b", "wfns", "ndka")}


# Twins ----------------------------------------------------------------------------------------------------------------


def influences(y, score, weights):
    """Of each positive and of each negative row: the weighted share of pairs on the right side, its mean, its weight."""
    up, down = score[y == 1][:, None], score[y == 0][None, :]
    right = (up > down) + 0.5 * (up == down)
    w, v = weights[y == 1], weights[y == 0]
    of_up, of_down = right @ v / v.sum(), w @ right / w.sum()
    return of_up - np.average(of_up, weights=w), of_down - np.average(of_down, weights=v), w / w.sum(), v / v.sum()


def twin(y, scores, weights=None, kind="counts", cluster=None):
    """The covariance as its definition says, by all pairs of rows."""
    weights = np.ones(len(y)) if weights is None else weights
    each = [influences(y, score, weights) for score in scores]
    found = np.zeros((len(scores),) * 2)
    for a, (up_a, down_a, w, v) in enumerate(each):
        for b, (up_b, down_b, _, _) in enumerate(each):
            if cluster is not None:
                ids = np.unique(cluster, return_inverse=True)[1]

                def sums(values, class_of, ids=ids):
                    return np.bincount(ids[y == class_of], values, ids.max() + 1)

                pa, na, pb, nb = sums(w * up_a, 1), sums(v * down_a, 0), sums(w * up_b, 1), sums(v * down_b, 0)
                many = [len(np.unique(ids[y == 1])), len(np.unique(ids[y == 0])), len(np.unique(ids))]
                f = [count / (count - 1) for count in many]
                found[a, b] = f[0] * pa @ pb + f[1] * na @ nb + f[2] * (pa @ nb + na @ pb)
            elif kind == "sampling":
                m, n = len(w), len(v)
                found[a, b] = m / (m - 1) * (w**2 * up_a) @ up_b + n / (n - 1) * (v**2 * down_a) @ down_b
            else:
                m, n = weights[y == 1].sum(), weights[y == 0].sum()
                found[a, b] = (w * up_a) @ up_b / (m - 1) + (v * down_a) @ down_b / (n - 1)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_covariances_are_those_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 400))
    y = np.r_[0, 0, 1, 1, rng.integers(0, 2, n)]
    base = rng.normal(size=len(y)) + y
    scores = {
        "fine": base,
        "coarse": np.round(base, seed % 2).astype(np.float32),
        "whole": rng.integers(-3, 4, len(y)),
        "wide": base * 10.0 ** rng.integers(-200, 200, len(y)),
    }
    columns = [np.asarray(score, float) for score in scores.values()]
    weights = rng.integers(1, 5, len(y)) * 0.75
    cluster = rng.integers(0, len(y) // 4, len(y))
    for options in (
        {},
        {"sample_weight": weights},
        {"sample_weight": weights, "weight_kind": "sampling"},
        {"cluster": cluster},
        {"cluster": cluster, "sample_weight": weights},
    ):
        found = compare(y, scores, **options)
        expected = twin(
            y, columns, options.get("sample_weight"), options.get("weight_kind", "counts"), options.get("cluster")
        )
        np.testing.assert_allclose(found.covariance, expected, rtol=1e-9, atol=1e-14)
        for name, score in scores.items():
            table = rs.ScoreTable(y, score, sample_weight=options.get("sample_weight"))
            assert found.estimates[name] == pytest.approx(table["roc_auc"], rel=1e-14)
    whole = rng.integers(0, 4, len(y))
    whole[:4] = 1
    again = compare(np.repeat(y, whole), {name: np.repeat(score, whole) for name, score in scores.items()})
    np.testing.assert_allclose(compare(y, scores, sample_weight=whole).covariance, again.covariance, rtol=1e-11)


# Golden values --------------------------------------------------------------------------------------------------------


def test_aneurysms_as_in_proc(data):
    """pROC 1.18.0 under R 4.2.2: var, cov, roc.test; the joint test, clusters and weights by numpy."""
    y, scores = asah(data)
    found = compare(y, scores)
    expected = [
        [0.00266868245717244, 0.00119615567376754, -0.000756164938056579],
        [0.00119615567376754, 0.00146991470882363, -0.000532967856762438],
        [-0.000756164938056579, -0.000532967856762438, 0.0031908105493913],
    ]
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-12)
    assert list(found.estimates.values()) == pytest.approx(
        [0.731368563685637, 0.823678861788618, 0.611957994579946], rel=1e-14
    )
    pair = found.difference("s100b", "wfns")
    assert (pair.statistic, pair.p_value) == pytest.approx((-2.20898359144091, 0.0271757822291882), rel=1e-12)
    assert (pair.low, pair.high) == pytest.approx((-0.174214419249478, -0.010406176956485), rel=1e-12)
    pair = found.difference("s100b", "ndka")
    assert (pair.statistic, pair.p_value) == pytest.approx((1.39077002573558, 0.164295175223054), rel=1e-12)
    assert (found.statistic, found.degrees_of_freedom) == (pytest.approx(12.5127282824, rel=1e-10), 2)
    # Hotelling's F of 2 differences, with the degrees of freedom of Welch for 41 and 72 rows.
    freedom = (1 / 41 + 1 / 72) ** 2 / (1 / (41**2 * 40) + 1 / (72**2 * 71))
    f = found.statistic * (freedom - 1) / (freedom * 2)
    assert found.p_value == pytest.approx(scipy.stats.f.sf(f, 2, freedom - 1), rel=1e-10)
    for name, low, high in (
        ("s100b", 0.630118211761623, 0.832618915609651),
        ("wfns", 0.748534887819453, 0.898822835757783),
        ("ndka", 0.501244999271703, 0.722670989888189),
    ):
        interval = found.interval(name, method="delong")
        assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-12)
    clustered = compare(y, scores, cluster=np.arange(113) // 3)
    assert np.diag(clustered.covariance)[:2] == pytest.approx([0.00361866748, 0.00168136429], rel=1e-8)
    np.testing.assert_allclose(compare(y, scores, cluster=np.arange(113)).covariance, found.covariance, rtol=1e-13)
    weights = 1 + np.arange(113) % 4
    sampled = compare(y, scores, sample_weight=weights, weight_kind="sampling")
    assert sampled.estimates["s100b"] == pytest.approx(0.7435286866875841, rel=1e-14)
    assert sampled.covariance[0, 0] == pytest.approx(0.00273220, abs=5e-9)
    assert compare(y, scores, sample_weight=weights).covariance[0, 0] == pytest.approx(0.00101557, abs=5e-9)


def test_rocr_simple_as_in_proc(rocr_simple):
    """pROC 1.18.0: the scores against the same rounded to one digit."""
    rows = np.genfromtxt(rocr_simple, delimiter=",", names=True)
    score, label = rows.dtype.names
    found = compare(rows[label].astype(int), {"all": rows[score], "rounded": np.round(rows[score], 1)})
    covariance = [[0.000975662935746377, 0.000966618010390601], [0.000966618010390601, 0.000974012503557823]]
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-12)
    pair = found.difference("all", "rounded")
    assert (pair.statistic, pair.p_value) == pytest.approx((1.82170221674342, 0.0685001814351065), rel=1e-10)
    for level, low, high in (
        (0.95, 0.772966860641462, 0.895408177043193),
        (0.99, 0.753729935631507, 0.914645102053147),
    ):
        interval = found.interval("all", method="delong", level=level)
        assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-12)


def test_clusters_agree_with_the_jackknife(data):
    """pROC's areas without each cluster in turn give a variance of .00378422123 for s100b and .00170254507 for wfns."""
    y, scores = asah(data)
    cluster = np.arange(113) // 3
    found = np.diag(compare(y, scores, cluster=cluster).covariance)
    for place, (name, expected) in enumerate((("s100b", 0.00378422123), ("wfns", 0.00170254507))):
        ids = np.unique(cluster)
        without = [rs.ScoreTable(y[cluster != c], scores[name][cluster != c])["roc_auc"] for c in ids]
        jackknife = (len(ids) - 1) / len(ids) * ((without - np.mean(without)) ** 2).sum()
        assert jackknife == pytest.approx(expected, rel=1e-8)
        assert found[place] == pytest.approx(jackknife, rel=0.06)


def test_adjusted_p_values():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 300)
    found = compare(y, {name: rng.normal(size=300) + 0.2 * place * y for place, name in enumerate("abcd")})
    raw = np.array([row[5] for row in found.summary(adjust="none").rows])
    bh = [row[6] for row in found.summary(adjust="bh").rows]
    assert bh == pytest.approx(scipy.stats.false_discovery_control(raw))
    order = np.argsort(raw)
    holm = np.minimum(np.maximum.accumulate(raw[order] * np.arange(6, 0, -1)), 1)
    assert [found.summary().rows[place][6] for place in order] == pytest.approx(list(holm))
    with pytest.raises(InputError, match="adjust"):
        found.summary(adjust="bonferroni")


# Edges ----------------------------------------------------------------------------------------------------------------

Y = np.array([0, 0, 1, 1, 0, 1, 1, 0])
A = np.array([0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.3, 0.6])


def test_equal_columns_have_p_1_and_no_interval():
    found = compare(Y, {"a": A, "b": A, "c": A * 2})
    pair = found.difference("a", "b")
    assert (pair.estimate, pair.statistic, pair.p_value) == (0.0, 0.0, 1.0)
    assert np.isnan([pair.low, pair.high]).all()
    assert "equal on these rows" in repr(pair)
    assert (found.degrees_of_freedom, found.p_value) == (0, 1.0)
    other = compare(Y, {"a": A, "b": A, "c": A[::-1]})
    assert other.degrees_of_freedom == 1
    assert other.p_value == pytest.approx(other.difference("a", "c").p_value)
    for options in ({"cluster": [1, 2, 3, 4, 1, 2, 5, 6]}, {"sample_weight": [1, 2, 0.5, 3, 1, 1, 2, 1]}):
        assert compare(Y, {"a": A, "b": A}, **options).difference("a", "b").p_value == 1.0


@pytest.mark.parametrize(
    ("y", "word"),
    [
        ([0, 0, 1, 0], "one positive row"),
        ([1, 1, 1, 0], "one negative row"),
        ([0, 0, 0, 0], "actually positive"),
        ([1, 1, 1, 1], "actually negative"),
    ],
)
def test_too_few_rows_of_a_class_say_so(y, word):
    for options in ({}, {"sample_weight": [1, 1, 1, 1], "weight_kind": "sampling"}):
        found = compare(y, {"a": [0.1, 0.3, 0.2, 0.4], "b": [0.3, 0.1, 0.2, 0.4]}, **options)
        assert word in found.why
        assert np.isnan(found.covariance).all()
        pair = found.difference("a", "b")
        assert np.isnan([pair.low, pair.p_value]).all()
        assert word in pair.why
        assert np.isnan(found.p_value)
        assert np.isnan(found.interval("a").low)
        assert np.isnan(found.non_inferior("a", "b", margin=0.1).p_value)
        assert word in repr(found)


def test_one_cluster_of_a_class_says_so():
    found = compare(Y, {"a": A, "b": A[::-1]}, cluster=np.where(Y == 1, 7, np.arange(8)))
    assert "One cluster" in found.why


def test_perfect_and_constant_scores_have_no_test():
    found = compare(Y, {"perfect": Y, "constant": np.zeros(8), "a": A})
    assert found.estimates["perfect"] == 1.0
    pair = found.difference("perfect", "constant")
    assert pair.estimate == 0.5
    assert np.isnan(pair.p_value)
    assert "variance is 0" in pair.why
    assert np.isnan(found.p_value)
    assert np.isnan(found.interval("perfect", method="logit").low)
    assert "no test" in repr(found)
    assert 0 <= found.interval("a").low < found.interval("a").high <= 1


def test_tiny_p_values_are_not_printed_as_0():
    rng = np.random.default_rng(3)
    y = np.arange(60_000) % 2
    found = compare(y, {"a": rng.normal(size=len(y)) + 2 * y, "b": rng.normal(size=len(y))}).difference("a", "b")
    assert found.p_value < 1e-300
    assert "p < 1e-300" in repr(found)
    assert "p = 0" not in repr(found)


def test_any_number_of_threads_gives_the_same_bits():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 140_000)  # more than one thread counts on its own
    scores = {"a": rng.normal(size=len(y)) + y, "b": np.round(rng.normal(size=len(y)) + y, 2)}
    weights, cluster = rng.random(len(y)), rng.integers(0, 1000, len(y))
    found = []
    try:
        for threads in (1, 2, 7):
            rs.set_threads(threads)
            found.append(
                [
                    compare(y, scores),
                    compare(y, scores, sample_weight=weights),
                    compare(y, scores, cluster=cluster),
                    compare(y, scores, sample_weight=weights, weight_kind="sampling"),
                ]
            )
    finally:
        rs.set_threads()
    assert found[0] == found[1] == found[2]


def test_clusters_of_any_type():
    start = date(2020, 1, 1)
    ids = np.array([5, 5, 2, 7, 2, 9, 9, 5])
    expected = compare(Y, {"a": A, "b": A[::-1]}, cluster=ids)
    values = [
        ids.astype(np.int8),
        ids.astype(str),
        ids / 3,
        ids.astype(float),
        [start + timedelta(int(i)) for i in ids],
        np.datetime64("2020-01-01") + ids,
        pd.Series(ids).astype("category"),
        pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(ids, "D")),
        pl.Series([f"p{i}" for i in ids]),
        pl.Series([start + timedelta(int(i)) for i in ids]),
    ]
    for cluster in values:
        assert compare(Y, {"a": A, "b": A[::-1]}, cluster=cluster) == expected, cluster
    for cluster in ([1, None, 2, 3, 4, 5, 6, 7], np.where(np.arange(8) == 1, np.nan, ids / 3), ["a", None, *"bcdefg"]):
        with pytest.raises(InputError, match=r"cluster\[1\] is missing"):
            compare(Y, {"a": A, "b": A[::-1]}, cluster=cluster)
    with pytest.raises((InputError, InputTypeError), match="cluster"):
        compare(Y, {"a": A}, cluster=[1, 2, 3])


def test_columns_are_read_as_by_evaluate():
    y = pd.Series(np.where(Y == 1, "yes", "no"))
    frame = pd.DataFrame({"a": A, "b": A[::-1]})
    expected = compare(Y, {"a": A, "b": A[::-1]})
    assert compare(y, frame) == expected
    assert compare(list(y), frame.to_numpy(), names=["a", "b"]) == expected
    assert compare(y, pl.DataFrame(frame.to_dict("list")), pos_label="yes") == expected
    assert compare(y, {"a": A, "b": A[::-1]}, pos_label="no").estimates["a"] == 1 - expected.estimates["a"]
    assert compare(y, frame.to_numpy()).names == ("model 1", "model 2")
    shuffled = frame.sample(frac=1, random_state=1)
    assert compare(y, {"a": shuffled["a"], "b": shuffled["b"]}, align=True) == expected
    with pytest.warns(RocksteadyWarning, match="index labels"):
        compare(y, {"a": shuffled["a"], "b": shuffled["b"]})
    with pytest.warns(RocksteadyWarning, match="add up to 1"):
        compare(Y, np.column_stack([A, 1 - A]))
    gaps = A.copy()
    gaps[2] = np.nan
    with pytest.raises(InputError, match=r"y_score\['a'\]\[2\] is NaN"):
        compare(Y, {"a": gaps, "b": A})
    keep = np.arange(8) != 2
    options = {"sample_weight": np.arange(8) + 1.0, "cluster": np.arange(8) // 2}
    kept = {name: column[keep] for name, column in options.items()}
    left = compare(Y, {"a": gaps, "b": A}, nan_policy="omit", **options)
    assert left == compare(Y[keep], {"a": A[keep], "b": A[keep]}, **kept)
    assert compare(Y, {"a": gaps, "b": A}, nan_policy="worst").estimates["a"] < expected.estimates["a"] + 0.2
    for wrong in ({"weight_kind": "frequency"}, {"level": 1.0}, {"nan_policy": "drop"}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            compare(Y, {"a": A}, **wrong)
    with pytest.raises(InputError, match="y_score is empty"):
        compare(Y, {})
    with pytest.raises(InputError, match="one of the models"):
        expected.difference("a", "c")
    with pytest.raises(InputError, match="sample_weight"):
        compare(Y, {"a": A}, sample_weight=-A)
    with pytest.raises(InputError, match="label"):
        compare([0, 1, 2, 1, 0, 1, 0, 1], {"a": A})


def test_it_survives_pickling_and_shows_itself():
    found = compare(Y, {"a": A, "b": A[::-1], "c": Y})
    assert pickle.loads(pickle.dumps(found)) == found
    assert found != compare(Y, {"a": A, "b": A[::-1]})
    for shown in (found, found.difference("a", "b"), found.non_inferior("a", "b", margin=0.1)):
        assert len(repr(shown)) > 20
        assert shown._repr_html_().startswith("<")


def test_non_inferiority_is_the_one_sided_interval():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 400)
    found = compare(y, {"a": rng.normal(size=400) + y, "b": rng.normal(size=400) + y})
    pair = found.difference("a", "b", level=0.9)
    for margin in (0.0, 0.02, 0.1, 0.3):
        test = found.non_inferior("a", "b", margin=margin)
        assert test.low == pytest.approx(pair.low, rel=1e-12)
        assert test.p_value == pytest.approx(scipy.stats.norm.sf((pair.estimate + margin) / pair.standard_error))
        assert test.holds == (test.p_value < 0.05)
    with pytest.raises(InputError, match="margin"):
        found.non_inferior("a", "b", margin=-1)


def test_equivalence_is_two_one_sided_tests():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 400)
    found = compare(y, {"a": rng.normal(size=400) + y, "b": rng.normal(size=400) + y})
    pair = found.difference("a", "b", level=0.9)
    for margin in (0.0, 0.05, 0.1, 0.3):
        test = found.equivalent("a", "b", margin=margin)
        assert (test.low, test.high) == pytest.approx((pair.low, pair.high), rel=1e-12)
        above, below = ((margin + sign * pair.estimate) / pair.standard_error for sign in (1, -1))
        assert test.p_value == pytest.approx(scipy.stats.norm.sf(min(above, below)))
        assert test.holds == (test.p_value < 0.05)
        other = found.equivalent("b", "a", margin=margin)
        assert (other.p_value, other.low) == (test.p_value, -test.high)
    assert "is shown" in repr(found.equivalent("a", "b", margin=0.3))
    with pytest.raises(InputError, match="margin"):
        found.equivalent("a", "b", margin=-1)
    alone = compare([1, 1], {"a": [0.1, 0.2], "b": [0.3, 0.1]}).equivalent("a", "b", margin=0.1)
    assert np.isnan(alone.p_value)
    assert not alone.holds
    assert alone.why


# Simulations ----------------------------------------------------------------------------------------------------------


def rejected(rng, positives, negatives, correlation, repeats):
    y = np.repeat([1, 0], [positives, negatives])
    below = 0
    for _ in range(repeats):
        common, own = rng.normal(size=len(y)), rng.normal(size=(2, len(y)))
        scores = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own + y
        below += compare(y, {"a": scores[0], "b": scores[1]}).difference("a", "b").p_value < 0.05
    return below / repeats


@pytest.mark.parametrize(("positives", "negatives", "most"), [(50, 50, 0.065), (20, 180, 0.07), (10, 90, 0.085)])
def test_the_paired_test_keeps_its_level(positives, negatives, most):
    repeats = 10_000 if THOROUGH else 400
    error = 3.5 * np.sqrt(0.05 * 0.95 / repeats)
    found = rejected(np.random.default_rng(positives), positives, negatives, 0.5, repeats)
    assert 0.035 - error < found < most + error


def test_clustered_labels_are_covered():
    """Labels of 80 patients with 5 rows each: single rows cover about 75 %."""
    rng = np.random.default_rng(1)
    repeats = 2_000 if THOROUGH else 200
    truth, covered, naive = scipy.stats.norm.cdf(1 / np.sqrt(2 * 2)), 0, 0
    for _ in range(repeats):
        patient = np.repeat(np.arange(80), 5)
        y = np.repeat(rng.integers(0, 2, 80), 5)
        score = y + rng.normal(size=80)[patient] + rng.normal(size=400)
        for cluster in (patient, None):
            interval = compare(y, {"a": score}, cluster=cluster).interval("a", method="delong")
            hit = interval.low <= truth <= interval.high
            covered, naive = covered + (hit and cluster is not None), naive + (hit and cluster is None)
    assert 0.9 - (0 if THOROUGH else 0.03) < covered / repeats < 0.985
    assert naive / repeats < 0.85


def test_sampling_weights_are_covered():
    """Rows are kept with a chance of one over their weight, which depends on the score."""
    rng = np.random.default_rng(2)
    repeats = 2_000 if THOROUGH else 200
    truth, covered, naive = scipy.stats.norm.cdf(1 / np.sqrt(2)), 0, 0
    for _ in range(repeats):
        y = rng.integers(0, 2, 1_000)
        score = y + rng.normal(size=1_000)
        weight = np.where(score > 0.5, 4.0, 1.0)
        kept = rng.random(1_000) < 1 / weight
        options = {"sample_weight": weight[kept]}
        for kind in ("sampling", "counts"):
            interval = compare(y[kept], {"a": score[kept]}, weight_kind=kind, **options).interval("a")
            hit = interval.low <= truth <= interval.high
            covered, naive = covered + (hit and kind == "sampling"), naive + (hit and kind == "counts")
    assert 0.93 - (0 if THOROUGH else 0.04) < covered / repeats <= 0.99
    assert naive < covered


@pytest.mark.parametrize("given", [{}, {"sample_weight": True}, {"sample_weight": True, "weight_kind": "sampling"}])
def test_blended_is_that_of_the_score_table(given):
    rng = np.random.default_rng(4)
    y = (rng.random(150) < 0.2).astype(int)
    score, w = rng.normal(size=150) + y, rng.integers(1, 5, 150).astype(float)
    options = given | ({"sample_weight": w} if given else {})
    found = compare(y, {"a": score, "perfect": 1.0 * y, "constant": 0 * score}, **options)
    table = rs.ScoreTable(y, score, **options)
    own, other = found.interval("a", method="blended", level=0.9), table.interval("roc_auc", level=0.9)
    assert (own.method, other.method) == ("blended", "blended")
    # Sampling weights: one multiplies by m / (m - 1) of rows, the other of effective rows.
    near = {"rel": 1e-12} if given.get("weight_kind") != "sampling" else {"abs": 4e-3}
    assert (own.low, own.high) == pytest.approx((other.low, other.high), **near)
    for name in ("perfect", "constant"):
        interval = found.interval(name, method="blended")
        assert 0 <= interval.low < interval.estimate <= interval.high <= 1
        assert interval.why is None
        assert np.isnan(found.interval(name, method="delong").low)
    read = pickle.loads(pickle.dumps(found))
    assert read == found
    assert read.interval("a", method="blended") == found.interval("a", method="blended")


def test_blended_counts_clusters():
    rng = np.random.default_rng(5)
    y, score = np.repeat(rng.random(60) < 0.5, 5).astype(int), np.repeat(rng.normal(size=60), 5)
    score = score + 0.3 * rng.normal(size=300) + y
    cluster = np.arange(300) // 5
    alone = compare(y, {"a": score}).interval("a", method="blended")
    together = compare(y, {"a": score}, cluster=cluster)
    wide = together.interval("a", method="blended")
    assert wide.high - wide.low > 1.5 * (alone.high - alone.low)
    logit = together.interval("a", method="logit")
    assert (wide.low, wide.high) == pytest.approx((logit.low, logit.high), abs=0.03)

"""The influence of each row, and what follows from it: intervals, differences, clusters, strata, weights."""

import pickle

import numpy as np
import pytest
from scipy import stats

import rocksteady as rs

RNG = np.random.default_rng(7)
ROWS = 60
USERS = np.repeat(np.arange(12), 5)
TWO = (RNG.random(ROWS) < 0.4).astype(int)
LOGITS = {"old": TWO + RNG.normal(size=ROWS), "new": 1.5 * TWO + RNG.normal(size=ROWS)}
SCORES = {name: np.round(1 / (1 + np.exp(0.5 - logit)), 2).clip(0.01, 0.99) for name, logit in LOGITS.items()}
THREE = RNG.integers(0, 3, ROWS)
PROBA = {name: RNG.dirichlet([1, 1, 1], ROWS) * 0.6 + 0.4 * np.eye(3)[THREE] for name in ("old", "new")}
LABELS = (RNG.random((ROWS, 3)) < 0.4).astype(int)
OF_LABELS = {name: 0.3 * LABELS + 0.7 * RNG.random((ROWS, 3)) for name in ("old", "new")}
WEIGHTS = RNG.uniform(0.5, 3, ROWS)


def judged(kind, *, weights=None, models=("old", "new"), **options):
    """An evaluation of two classes, three, or three labels."""
    options = {"inference": True, "sample_weight": weights, **options}
    if kind == "two":
        return rs.evaluate(TWO, {name: SCORES[name] for name in models}, **options)
    if kind == "three":
        return rs.evaluate(THREE, y_proba={name: PROBA[name] for name in models}, **options)
    return rs.evaluate(LABELS, {name: OF_LABELS[name] for name in models}, threshold=0.5, **options)


ASKED = [
    *(("two", name, None) for name in ("roc_auc", "gini", "average_precision", "brier_score", "log_loss")),
    *(("two", name, None) for name in ("brier_skill_score", "root_mean_squared_error", "observed_expected_ratio")),
    *(("two", name, None) for name in ("accuracy", "f1", "mcc", "kappa", "balanced_accuracy", "precision")),
    *(("three", name, None) for name in ("accuracy", "mcc", "f1", "log_loss", "mean_probability_rate")),
    *(("three", "f1", average) for average in ("macro", "micro", "weighted")),
    *(("three", "roc_auc", average) for average in ("macro", "micro", "weighted", (1, 2, 3))),
    *(("labels", "f1", average) for average in ("macro", "micro", "weighted")),
    *(("labels", "roc_auc", average) for average in ("macro", "micro", "weighted")),
    ("labels", "log_loss", "macro"),
]


@pytest.mark.parametrize(("kind", "name", "average"), ASKED)
def test_the_influence_is_the_slope_over_the_weight_of_a_row(kind, name, average):
    options = {} if average is None else {"average": average}
    weights = WEIGHTS / WEIGHTS.mean()
    found = judged(kind, weights=weights).influence(name, "new", **options)
    value = judged(kind, weights=weights).models["new"].value(name, **options)
    assert abs(np.dot(weights, found)) <= 1e-12 * np.abs(found).sum()
    for row in range(0, ROWS, 7):
        step = 1e-5
        near = []
        for change in (-step, step):
            moved = weights.copy()
            moved[row] += change
            near.append(judged(kind, weights=moved).models["new"].value(name, **options))
        slope = (near[1] - near[0]) / (2 * step)
        assert found[row] == pytest.approx(slope, rel=1e-5, abs=1e-7 * max(1, abs(value)))


def sandwich(influences, clusters=None, strata=None):
    """The covariance of influences, shape (k, n), by its definition."""
    units = np.array([np.bincount(clusters, each) for each in influences]) if clusters is not None else influences
    of = np.zeros(units.shape[1], int)
    if strata is not None:
        of = strata if clusters is None else np.array([strata[clusters == c][0] for c in range(units.shape[1])])
    total = np.zeros((len(units), len(units)))
    for stratum in np.unique(of):
        own = units[:, of == stratum]
        own = own - own.mean(axis=1, keepdims=True)
        size = own.shape[1]
        total += size / (size - 1) * own @ own.T
    return total


@pytest.mark.parametrize(("kind", "name", "average"), [each for each in ASKED if each[1] not in ("roc_auc", "gini")])
@pytest.mark.parametrize("design", ["rows", "cluster", "strata", "both", "sampling"])
def test_covariances_are_sums_over_the_units(kind, name, average, design):
    strata = USERS % 3
    given = {"cluster": {"cluster": USERS}, "strata": {"strata": strata}, "both": {"cluster": USERS, "strata": strata}}
    options = dict(given.get(design, {}))
    if design == "sampling":
        options |= {"weights": WEIGHTS, "weight_kind": "sampling"}
    ev = judged(kind, **options)
    mean = {} if average is None else {"average": average}
    influences = np.array([ev.influence(name, model, **mean) for model in ev.models])
    influences = influences * (WEIGHTS if design == "sampling" else 1)
    expected = sandwich(
        influences,
        USERS if design in ("cluster", "both") else None,
        strata if design in ("strata", "both") else None,
    )
    found = ev.compared(name, **mean)
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-9, atol=1e-14)
    units = {"cluster": 11, "strata": ROWS - 3, "both": 9}.get(design, ROWS - 1)
    difference = found.difference("new", "old", level=0.9)
    error = np.sqrt(expected[0, 0] + expected[1, 1] - 2 * expected[0, 1])
    assert difference.standard_error == pytest.approx(error, rel=1e-7)
    assert difference.p_value == pytest.approx(2 * stats.t.sf(abs(difference.statistic), units), rel=1e-7)
    assert difference.low == pytest.approx(difference.estimate - stats.t.ppf(0.95, units) * error, rel=1e-6, abs=1e-9)
    values = [ev.models[model].value(name, **mean) for model in ("new", "old")]
    assert difference.estimate == pytest.approx(values[0] - values[1], abs=1e-14)


def test_the_difference_of_mean_losses_is_the_paired_t_test():
    for name in ("log_loss", "brier_score"):
        found = judged("two").difference(name, "new", "old")
        losses = {}
        for model, scores in SCORES.items():
            right = np.where(TWO, scores, 1 - scores)
            losses[model] = -np.log(right) if name == "log_loss" else (1 - right) ** 2
        expected = stats.ttest_rel(losses["new"], losses["old"])
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert found.p_value == pytest.approx(expected.pvalue, rel=1e-12)
        interval = expected.confidence_interval(0.95)
        assert (found.low, found.high) == pytest.approx(interval, rel=1e-11)


def test_an_area_with_the_classes_as_strata_is_delongs():
    plain, strata = judged("two"), judged("two", strata=TWO)
    np.testing.assert_allclose(strata.compared("roc_auc").covariance, plain.compared("roc_auc").covariance, rtol=1e-12)


def test_clusters_of_one_row_are_rows():
    alone = judged("two", cluster=np.arange(ROWS))
    for name in ("log_loss", "f1", "average_precision"):
        np.testing.assert_allclose(alone.compared(name).covariance, judged("two").compared(name).covariance, rtol=1e-12)


def test_weights_that_count_are_repeated_rows():
    times = RNG.integers(1, 4, ROWS)
    repeated = rs.evaluate(
        np.repeat(TWO, times), {name: np.repeat(s, times) for name, s in SCORES.items()}, inference=True
    )
    weighed = judged("two", weights=times.astype(float))
    for name in ("log_loss", "average_precision", "f1", "brier_skill_score"):
        a, b = repeated.compared(name), weighed.compared(name)
        np.testing.assert_allclose(a.covariance, b.covariance, rtol=1e-10)
        assert a.difference("new", "old").p_value == pytest.approx(b.difference("new", "old").p_value, rel=1e-9)


def test_equal_models_differ_by_nothing():
    for name in ("log_loss", "average_precision", "f1", "brier_skill_score"):
        ev = rs.evaluate(TWO, {"a": SCORES["old"], "b": SCORES["old"]}, inference=True, cluster=USERS)
        found = ev.difference(name, "a", "b")
        assert (found.estimate, found.standard_error, found.p_value) == (0, 0, 1)
        assert found.why


def test_intervals_know_the_clusters():
    plain, clustered = judged("two"), judged("two", cluster=USERS)
    for name in ("log_loss", "f1", "roc_auc", "average_precision"):
        interval = clustered.models["old"].interval(name)
        assert clustered.interval(name)["old"] == interval
        assert interval.low < plain["old" and name]["old"] < interval.high
    one = judged("two", cluster=np.zeros(ROWS, int))
    for name in ("log_loss", "f1", "roc_auc"):
        found = one.models["old"].interval(name)
        assert np.isnan(found.low)
        assert "cluster" in found.why


def test_means_over_classes_and_labels_have_intervals():
    for kind in ("three", "labels"):
        for name in ("roc_auc", "f1", "log_loss"):
            average = {} if (kind, name) == ("three", "log_loss") else {"average": "weighted"}
            found = judged(kind).models["new"].interval(name, **average)
            assert found.low < judged(kind).models["new"].value(name, **average) < found.high
    with pytest.raises(rs.RocksteadyError, match="inference=True"):
        rs.evaluate(LABELS, OF_LABELS).interval("f1")
    with pytest.raises(rs.RocksteadyError, match="inference=True"):
        rs.evaluate(THREE, y_proba=PROBA["old"]).interval("roc_auc")


def test_the_same_bits_for_any_number_of_threads():
    many = 50_000
    y, users = RNG.integers(0, 2, many), RNG.integers(0, 900, many)
    scores = {name: RNG.random(many) for name in "abc"}
    found = []
    try:
        for threads in (1, 2, 3):
            rs.set_threads(threads)
            each = [rs.evaluate(y, scores, inference=True, cluster=cluster) for cluster in (None, users)]
            found.append([repr(ev.compared(name)._parts()) for ev in each for name in ("log_loss", "f1")])
    finally:
        rs.set_threads()
    assert found[0] == found[1] == found[2]


def test_many_models_are_compared_by_hotelling():
    scores = {f"m{place}": RNG.random(40) for place in range(4)}
    y = np.arange(40) % 2
    found = rs.inference.compare_scores(y, scores)
    values = np.array(list(found.estimates.values()))
    contrast = np.eye(4)[1:] - np.eye(4)[0]
    squared = contrast @ values @ np.linalg.inv(contrast @ found.covariance @ contrast.T) @ contrast @ values
    freedom = 40 - 2
    f = squared * (freedom - 3 + 1) / (freedom * 3)
    assert found.statistic == pytest.approx(squared, rel=1e-9)
    assert found.p_value == pytest.approx(stats.f.sf(f, 3, freedom - 3 + 1), rel=1e-9)


def test_what_is_refused():
    for argument in ("cluster", "strata"):
        with pytest.raises(rs.RocksteadyError, match="inference=True"):
            rs.evaluate(TWO, SCORES["old"], **{argument: USERS})
        with pytest.raises(rs.RocksteadyError, match=argument):
            judged("two", **{argument: USERS[1:]})
        with pytest.raises(rs.RocksteadyError, match=rf"{argument}\[3\]"):
            judged("two", **{argument: [None if row == 3 else 1 for row in range(ROWS)]})
    with pytest.raises(rs.RocksteadyError, match="stratum"):
        judged("two", cluster=USERS, strata=np.arange(ROWS) % 2).difference("log_loss", "new", "old")
    with pytest.raises(rs.RocksteadyError, match="bootstrap"):
        judged("two").difference("ks", "new", "old")
    total = judged("two") + judged("two")
    with pytest.raises(rs.RocksteadyError, match="inference=True"):
        total.difference("log_loss", "new", "old")
    assert total.difference("f1", "new", "old").p_value <= 1
    read = pickle.loads(pickle.dumps(judged("two")))
    with pytest.raises(rs.RocksteadyError, match="inference=True"):
        read.difference("log_loss", "new", "old")
    assert read.difference("roc_auc", "new", "old") == judged("two").difference("roc_auc", "new", "old")
    assert "difference" not in dir(rs.evaluate(TWO, SCORES))


def test_a_model_without_a_value_says_nothing_of_the_others():
    random = np.random.default_rng(0)
    y = random.random(200) < 0.4
    predicted = {"a": random.random(200) < 0.5, "b": random.random(200) < 0.4, "none": np.zeros(200, bool)}
    ev = rs.evaluate(y, y_pred=predicted, inference=True, cluster=np.arange(200) // 2)
    found = ev.compared("precision")
    assert found.difference("a", "b") == ev.difference("precision", "a", "b")
    assert (found.difference("a", "b").why, found.interval("a").why) == (None, None)
    assert found.interval("none").why == found.difference("a", "none").why == "No row is predicted positive."


@pytest.mark.parametrize("kind", ["three", "labels", "strata"])
def test_areas_of_more_than_two_classes_have_intervals_by_the_logit(kind):
    strata = {"strata": np.arange(ROWS) // 30} if kind == "strata" else {}
    ev = judged("two" if kind == "strata" else kind, models=("new",), **strata)
    for method in (None, "blended"):
        found = ev.interval("roc_auc", method=method)
        logit = np.log(found.estimate / (1 - found.estimate))
        reach = found.standard_error / (found.estimate * (1 - found.estimate))
        freedom = ROWS - 2 if kind == "strata" else ROWS - 1
        low, high = (1 / (1 + np.exp(-(logit + sign * stats.t.ppf(0.975, freedom) * reach))) for sign in (-1, 1))
        assert found.method == "logit"
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)
        assert 0 < found.low < found.estimate < found.high < 1


def test_without_the_rows_clusters_are_not_forgotten():
    ev = judged("two", cluster=USERS)
    for kept in (pickle.loads(pickle.dumps(ev)), ev + ev, rs.Evaluation.from_bytes(ev.to_bytes())):
        for ask in (lambda kept=kept: kept.interval("f1"), lambda kept=kept: kept.difference("f1", "old", "new")):
            with pytest.raises(rs.InputError, match="clusters or strata"):
                ask()
    plain = pickle.loads(pickle.dumps(judged("two")))
    assert plain.interval("f1") == judged("two").interval("f1")


@pytest.mark.parametrize(
    ("kind", "name"), [("three", "recall"), ("three", "roc_auc"), ("labels", "f1"), ("labels", "roc_auc")]
)
def test_the_intervals_of_each_class_and_label_know_the_clusters(kind, name):
    model = judged(kind, cluster=USERS).models["new"]
    found, alone = model.every_interval(name), judged(kind).models["new"].every_interval(name)
    np.testing.assert_allclose(found.estimate, alone.estimate, rtol=1e-12)
    assert repr(found.keys) == repr(alone.keys)
    if kind == "three":
        one = judged(kind, cluster=USERS).compared(name, average=np.eye(3)[1])
        assert found.standard_error[1] == pytest.approx(one.covariance[1, 1] ** 0.5)


def test_columns_of_a_frame_by_name():
    frame = {"y": TWO, "p": SCORES["old"], "user": USERS, "site": USERS % 3}
    named = {"label": "y", "score": "p", "inference": True}
    expected = rs.evaluate(TWO, SCORES["old"], inference=True, cluster=USERS, strata=USERS % 3).interval("log_loss")
    assert rs.evaluate(frame, cluster="user", strata="site", **named).interval("log_loss") == expected
    both = rs.evaluate(frame, cluster=["user", "site"], **named)
    assert both.interval("log_loss") == rs.evaluate(frame, cluster="user", **named).interval("log_loss")
    days = np.datetime64("2024-01-01") + USERS
    assert judged("two", cluster=days).interval("f1") == judged("two", cluster=USERS).interval("f1")
    with pytest.raises(rs.InputError, match=r"cluster\[3\]"):
        judged("two", cluster=np.where(np.arange(ROWS) == 3, np.datetime64("NaT"), days))


def test_a_loss_is_better_low():
    found = rs.inference.compare_scores(TWO, SCORES, index="log_loss")
    worse, better = sorted(found.names, key=lambda name: -found.estimates[name])
    shown, not_shown = (found.non_inferior(*pair, margin=1e-3) for pair in ((better, worse), (worse, better)))
    assert shown.holds
    assert not not_shown.holds
    assert "above" in repr(shown)
    assert shown.high < 1e-3 < not_shown.high
    assert shown.estimate == found.estimates[better] - found.estimates[worse]
    assert shown.p_value < 0.5 < not_shown.p_value


def test_no_p_value_comes_from_a_variance_of_nothing():
    y = np.r_[1, 1, np.zeros(198, int)]
    first = np.linspace(1, 0, 200)
    ev = rs.evaluate(y, {"a": first, "b": np.roll(first, 77)}, inference=True)
    for name in ("average_precision", "roc_auc"):
        found = ev.difference(name, "a", "b")
        assert np.isnan(found.p_value), name
        assert "variance is 0" in found.why
    one = np.r_[1, np.zeros(39, int)]
    noise = {"a": RNG.random(40), "b": RNG.random(40)}
    for name in ("balanced_accuracy", "mcc", "average_precision", "roc_auc"):
        for options in ({}, {"cluster": np.arange(40) // 2}):
            found = rs.evaluate(one, noise, inference=True, **options).difference(name, "a", "b")
            assert np.isnan(found.p_value), (name, options)
            assert found.why
    alternating = np.arange(40) % 2
    together = np.where(alternating == 1, 0, np.arange(40))
    for name in ("recall", "roc_auc"):
        found = rs.evaluate(alternating, noise, inference=True, cluster=together).difference(name, "a", "b")
        assert np.isnan(found.p_value), name
    few = rs.evaluate(
        np.r_[np.ones(5, int), np.zeros(60, int)], {name: RNG.random(65) for name in "ab"}, inference=True
    )
    for name in ("roc_auc", "average_precision", "mcc"):
        assert "20 rows" in few.difference(name, "a", "b").note


def test_what_weighs_nothing_is_not_there():
    weight = np.where(USERS < 4, 0.0, 1.0)
    kept = weight > 0
    for name in ("roc_auc", "log_loss", "f1"):
        found = judged("two", weights=weight, cluster=USERS).difference(name, "old", "new")
        alone = rs.evaluate(
            TWO[kept], {model: scores[kept] for model, scores in SCORES.items()}, inference=True, cluster=USERS[kept]
        ).difference(name, "old", "new")
        assert found.p_value == pytest.approx(alone.p_value, rel=1e-9), name
    strata = np.where(kept, USERS % 2, 2)
    found = judged("two", weights=weight, strata=strata).compared("log_loss").interval("old")
    assert found.low < found.estimate < found.high


def test_many_strata_and_large_offsets():
    many = 20_000
    y, strata = RNG.integers(0, 2, many), np.arange(many) // 2
    scores = {name: RNG.random(many) for name in "ab"}
    found = rs.evaluate(y, scores, inference=True, strata=strata).compared("log_loss")
    loss = np.array([-np.log(np.where(y, p, 1 - p)) / many for p in scores.values()])
    np.testing.assert_allclose(found.covariance, sandwich(loss, strata=strata), rtol=1e-9)


def test_more_classes_than_a_table_holds():
    y = np.r_[np.arange(1500), RNG.integers(0, 1500, 500)]
    weight = np.r_[np.ones(1999), 0.0]
    ev = rs.evaluate(
        y,
        y_pred=np.roll(y, 3) * (np.arange(2000) % 2) + y * (1 - np.arange(2000) % 2),
        inference=True,
        sample_weight=weight,
        cluster=np.arange(2000) // 4,
    )
    assert ev.interval("accuracy").low < ev["accuracy"]


def test_the_brier_score_of_several_classes_has_an_interval():
    found = judged("three").models["new"].interval("brier")
    losses = ((PROBA["new"] - np.eye(3)[THREE]) ** 2).sum(axis=1)
    assert found.estimate == pytest.approx(losses.mean())
    assert found.standard_error == pytest.approx(stats.sem(losses))


def test_few_rows_of_a_class_are_few_for_many_models():
    """Before the degrees of freedom were those of the classes, 31 % of these samples were rejected."""
    draw, rejected = np.random.default_rng(15), 0
    for _ in range(300):
        y = (np.arange(500) < 15).astype(int)
        common = 1.5 * y + 0.8 * draw.normal(size=500)
        models = {str(place): common + 0.6 * draw.normal(size=500) for place in range(8)}
        rejected += rs.inference.compare_scores(y, models).p_value < 0.05
    assert rejected <= 20
    assert np.isnan(rs.inference.compare_scores(y, {str(place): draw.normal(size=500) for place in range(20)}).p_value)

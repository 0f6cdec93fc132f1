"""The bootstrap: against numpy and scipy, R's numbers, coverage by simulation, the same bits however rows are split."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import rocksteady as rs
from rocksteady import inference

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
SCORES = ["roc_auc", "gini", "average_precision", "ks", "brier", "log_loss", "h_measure", "f1", "mcc", "accuracy"]


@pytest.fixture
def threads():
    before = rs.get_threads()
    yield rs.set_threads
    rs.set_threads(before)


def drawn(n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.35
    p = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.2 * y - 0.6)))
    return y.astype(np.int64), p if digits is None else p.round(digits)


def values(boot):
    return {name: boot.every(name).tobytes() for name in boot.indices}


# Against plain numpy ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [None, 2])
@pytest.mark.parametrize("name", ["roc_auc", "average_precision", "ks", "brier", "f1"])
def test_the_spread_is_that_of_resampled_rows(name, digits):
    """Mean and standard deviation of the replicates are those of rows drawn by numpy."""
    y, p = drawn(400, digits=digits)
    boot = inference.bootstrap(y, p, name, n_resamples=4000, random_state=1)
    rng, plain = np.random.default_rng(2), []
    for _ in range(1200):
        rows = rng.integers(0, len(y), len(y))
        table = rs.ScoreTable(y[rows], p[rows])
        plain.append(table.at(0.5)[name] if name == "f1" else table[name])
    ours, plain = boot.every(name), np.array(plain)
    assert abs(ours.mean() - plain.mean()) < 4 * plain.std() / math.sqrt(1200)
    assert ours.std() / plain.std() == pytest.approx(1, abs=0.09)


def test_stratified_replicates_keep_the_classes():
    y, p = drawn(300)
    boot = inference.bootstrap(y, p, ["recall", "roc_auc", "prevalence"], strata="label", random_state=3)
    assert np.ptp(boot.every("prevalence")) < 1e-15
    free = inference.bootstrap(y, p, ["prevalence"], random_state=3)
    share = y.mean()
    assert free.every("prevalence").std() == pytest.approx(math.sqrt(share * (1 - share) / 300), rel=0.1)


def test_many_ties_are_drawn_by_their_cells():
    y, p = drawn(60_000, digits=1)
    quick = inference.bootstrap(y, p, SCORES[:6], n_resamples=600, random_state=1)
    slow = inference.bootstrap(y, {"only": p}, SCORES[:6], n_resamples=600, random_state=1)
    for name in SCORES[:6]:
        one, other = quick.every(name), slow.every(name, "only")
        assert abs(one.mean() - other.mean()) < 4 * one.std() * math.sqrt(2 / 600)
        assert one.std() / other.std() == pytest.approx(1, abs=0.15)


def test_intervals_are_those_of_scipy():
    """Percentile and basic of the same replicates; BCa with the jackknife's acceleration."""
    stats = pytest.importorskip("scipy.stats")
    y, p = drawn(120)
    boot = inference.bootstrap(y, p, "roc_auc", n_resamples=2000, random_state=5, method="bca")
    found = boot.every("roc_auc")
    low, high = np.quantile(found, [0.05, 0.95])
    percentile = boot.interval("roc_auc", method="percentile", level=0.9)
    assert (percentile.low, percentile.high) == pytest.approx((low, high), rel=1e-14)
    estimate = rs.ScoreTable(y, p)["roc_auc"]
    basic = boot.interval("roc_auc", method="basic", level=0.9)
    assert (basic.low, basic.high) == pytest.approx((2 * estimate - high, 2 * estimate - low), rel=1e-14)
    assert basic.standard_error == pytest.approx(found.std(ddof=1), rel=1e-12)
    # scipy's BCa of the same replicates, with influences by leaving out each row.
    left_out = np.array([rs.ScoreTable(np.delete(y, i), np.delete(p, i))["roc_auc"] for i in range(120)])
    far = left_out.mean() - left_out
    acceleration = (far**3).sum() / (6 * (far**2).sum() ** 1.5)
    shift = stats.norm.ppf(((found < estimate).sum() + (found <= estimate).sum()) / 2 / 2000)
    z = shift + stats.norm.ppf([0.05, 0.95])
    expected = np.quantile(found, stats.norm.cdf(shift + z / (1 - acceleration * z)))
    bca = boot.interval("roc_auc", level=0.9)
    assert bca.method == "bca"
    assert (bca.low, bca.high) == pytest.approx(tuple(expected), abs=2e-4)


@pytest.mark.parametrize("name", ["roc_auc", "average_precision", "brier", "log_loss", "f1", "mcc", "gini"])
def test_accelerations_are_those_of_the_jackknife(name):
    y, p = drawn(80, seed=4)
    boot = rs.ScoreTable(y, p).bootstrap(name, n_resamples=2, random_state=0, method="bca")
    found = boot._found(name, None).parts[0].acceleration

    def value(y, p):
        table = rs.ScoreTable(y, p)
        return table.at(0.5)[name] if name in ("f1", "mcc") else table[name]

    left_out = np.array([value(np.delete(y, i), np.delete(p, i)) for i in range(80)])
    far = left_out.mean() - left_out
    assert found == pytest.approx((far**3).sum() / (6 * (far**2).sum() ** 1.5), abs=0.01)


def jackknife(values):
    far = values.mean() - values
    return (far**3).sum() / (6 * (far**2).sum() ** 1.5)


@pytest.mark.parametrize("design", ["clusters", "weights", "keys", "stratified", "clusters of a stratum"])
@pytest.mark.parametrize("name", ["roc_auc", "average_precision", "brier", "f1"])
def test_accelerations_of_what_is_drawn_together(name, design):
    """Of clusters, weights and strata: by leaving out each cluster or row."""
    y, p = drawn(240, seed=6)
    q = np.clip(p + np.random.default_rng(7).normal(0, 0.25, 240), 0.001, 0.999)
    weights = np.random.default_rng(8).lognormal(0, 0.7, 240) if design == "weights" else None
    units = np.arange(240) if design in ("weights", "stratified") else np.arange(240) // 4
    halves = np.arange(240) // 120
    options = {
        "clusters": {"cluster": units},
        "keys": {"key": units, "resample": "poisson"},
        "stratified": {"strata": "label"},
        "clusters of a stratum": {"cluster": units, "strata": halves},
    }.get(design, {})
    boot = inference.bootstrap(
        y, {"a": p, "b": q}, name, n_resamples=200, random_state=1, method="bca", sample_weight=weights, **options
    )

    def value(score, kept):
        table = rs.ScoreTable(y[kept], score[kept], sample_weight=None if weights is None else weights[kept])
        return table.at(0.5)[name] if name == "f1" else table[name]

    each = {
        model: np.array([value(score, units != unit) for unit in range(units.max() + 1)])
        for model, score in (("a", p), ("b", q))
    }
    strata = {"stratified": y, "clusters of a stratum": halves[::4]}.get(design)
    for model, left_out in each.items():
        if strata is None:
            close = jackknife(left_out)
        else:
            far = np.concatenate([left_out[strata == k].mean() - left_out[strata == k] for k in (0, 1)])
            close = (far**3).sum() / (6 * (far**2).sum() ** 1.5)
        assert boot._found(name, model).parts[0].acceleration == pytest.approx(close, abs=0.012), model
    assert boot.interval(name, "a").method == "bca"
    assert boot.difference(name, "a", "b").method == "percentile"
    assert boot.difference(name, "a", "b") == boot.difference(name, "a", "b", method="percentile")


def test_accelerations_have_the_same_bits_for_any_model_beside_them():
    y, p = drawn(500, digits=2)
    options = {"n_resamples": 50, "random_state": 0, "method": "bca", "cluster": np.arange(500) // 3}
    alone = inference.bootstrap(y, {"a": p}, SCORES, **options)
    beside = inference.bootstrap(y, {"b": 1 - p, "a": p}, SCORES, **options)
    for name in SCORES:
        one, other = (boot._found(name, "a").parts[0].acceleration for boot in (alone, beside))
        assert one == other


def test_a_refused_column_is_named_as_it_was_given():
    y, p = drawn(20)
    broken = p.copy()
    broken[3] = np.nan
    for models, named in (
        ({"a": p, "b": broken}, r"y_score\['b'\]\[3\]"),
        ({"b": p, "c": ["x"] * 20}, r"y_score\['c'\]"),
    ):
        with pytest.raises((rs.InputError, rs.InputTypeError), match=named):
            inference.bootstrap(y, models, "roc_auc", n_resamples=5)
    with pytest.raises(rs.InputError, match=r"^y_score\[3\]"):
        inference.bootstrap(y, broken, "roc_auc", n_resamples=5)


def test_an_index_without_influence_says_so():
    y, p = drawn(100)
    found = inference.bootstrap(y, p, "ks", method="bca", n_resamples=50, random_state=0)["ks"]
    assert found.method == "percentile"
    assert "no BCa interval" in found.note


# R's numbers -----------------------------------------------------------------------------------------------------------


def test_the_intervals_of_asah_are_those_of_r(data):
    """R boot 1.3-28, 2,000 stratified replicates of s100b: percentile and BCa; pROC 1.18.0, 10,000."""
    columns = np.genfromtxt(data / "aSAH.csv", delimiter=",", names=True)
    y, s100b = columns["y"].astype(int), columns["s100b"]
    boot = inference.bootstrap(y, s100b, "roc_auc", n_resamples=20_000, strata="label", random_state=1, method="bca")
    percentile = boot.interval("roc_auc", method="percentile")
    # The standard error of a quantile of 2,000 replicates is about 0.0032, of 10,000 half of that.
    assert (percentile.low, percentile.high) == pytest.approx((0.6270, 0.8302), abs=0.008)
    assert (percentile.low, percentile.high) == pytest.approx((0.6240, 0.8264), abs=0.005)
    bca = boot["roc_auc"]
    assert (bca.low, bca.high) == pytest.approx((0.6237, 0.8251), abs=0.008)
    assert percentile.standard_error**2 == pytest.approx(0.00264221, rel=0.03)


# Coverage --------------------------------------------------------------------------------------------------------------


def test_intervals_cover_the_truth():
    """Binormal scores, whose area is known, and a rare class: F1 at a threshold."""
    samples, n = (2000, 400) if THOROUGH else (300, 200)
    rng = np.random.default_rng(9)
    truth = 0.5 * math.erfc(-1.2 / 2)
    hits = {"percentile": 0, "bca": 0, "basic": 0}
    for sample in range(samples):
        y = np.arange(n) % 3 == 0
        p = rng.normal(size=n) + 1.2 * y
        boot = inference.bootstrap(y, p, "roc_auc", n_resamples=400, random_state=sample, method="bca")
        for method in hits:
            found = boot.interval("roc_auc", method=method)
            hits[method] += found.low <= truth <= found.high
    error = math.sqrt(0.95 * 0.05 / samples)
    for method, times in hits.items():
        assert 0.95 - 0.025 - 3 * error < times / samples < 0.95 + 0.01 + 3 * error, method


def test_clusters_widen_intervals_to_their_coverage():
    """80 patients with 5 rows each and one label: rows drawn apart cover far less than 95 %."""
    samples = 1000 if THOROUGH else 150
    rng = np.random.default_rng(3)
    truth = 0.5 * (1 + math.erf(1.0 / math.sqrt(2 * 1.25 * 2)))
    hits = {"cluster": 0, "rows": 0}
    cluster = np.repeat(np.arange(80), 5)
    for sample in range(samples):
        of_patient = rng.normal(size=80)
        y = np.repeat(np.arange(80) % 2, 5)
        p = np.repeat(of_patient, 5) + rng.normal(size=400) * 0.5 + y
        for name, clusters in [("cluster", cluster), ("rows", None)]:
            found = inference.bootstrap(y, p, "roc_auc", n_resamples=300, random_state=sample, cluster=clusters)[
                "roc_auc"
            ]
            hits[name] += found.low <= truth <= found.high
    assert 0.87 < hits["cluster"] / samples < 0.99
    assert hits["rows"] / samples < 0.85


# The same bits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("resample", ["multinomial", "poisson"])
def test_threads_give_the_same_bits(threads, resample):
    y, p = drawn(30_000, digits=4)
    found = []
    for number in (1, 2, 7):
        threads(number)
        one = inference.bootstrap(y, p, SCORES, n_resamples=100, random_state=3, resample=resample)
        two = inference.bootstrap(y, {"a": p, "b": -p}, SCORES[:4], n_resamples=50, random_state=3, resample=resample)
        found.append((values(one), two.every("ks", "b").tobytes(), two.every("roc_auc", "a").tobytes()))
    assert found[0] == found[1] == found[2]


def test_instructions_give_the_same_bits():
    program = """if True:
        import hashlib
        import numpy as np
        import rocksteady as rs
        rng = np.random.default_rng(0)
        y, p = rng.integers(0, 2, 9000), rng.random(9000).round(3)
        names = ["roc_auc", "average_precision", "ks", "brier", "log_loss", "f1"]
        plain = rs.inference.bootstrap(y, p, names, n_resamples=40, random_state=1)
        keyed = rs.inference.bootstrap(
            y, p, names, n_resamples=40, random_state=1, resample="poisson", key=np.arange(9000)
        )
        found = [boot.every(name).tobytes() for boot in (plain, keyed) for name in names]
        print(hashlib.sha256(b"".join(found)).hexdigest())
    """
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "ROCKSTEADY_INSTRUCTIONS": level},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for level in ("sse2", "avx2", "avx512")
    }
    assert len(found) == 1


def test_fewer_replicates_are_the_first_ones():
    y, p = drawn(3000)
    many = inference.bootstrap(y, p, SCORES, n_resamples=70, random_state=8)
    few = inference.bootstrap(y, p, SCORES, n_resamples=19, random_state=8)
    for name in SCORES:
        assert np.array_equal(many.every(name)[:19], few.every(name), equal_nan=True)


def test_an_index_has_the_same_bits_beside_others():
    y, p = drawn(3000, digits=3)
    alone = inference.bootstrap(y, p, "ks", n_resamples=40, random_state=8)
    together = inference.bootstrap(y, p, SCORES, n_resamples=40, random_state=8)
    assert alone.every("ks").tobytes() == together.every("ks").tobytes()


@pytest.mark.parametrize("text", [False, True])
def test_keys_give_the_same_bits_for_any_order(text):
    y, p = drawn(4000, digits=3)
    key = np.arange(4000) * 7 + 1
    key = np.array([f"row {number}" for number in key]) if text else key
    options = {"n_resamples": 40, "random_state": 8, "resample": "poisson"}
    one = inference.bootstrap(y, p, SCORES, key=key, **options)
    order = np.random.default_rng(0).permutation(4000)
    other = inference.bootstrap(y[order], p[order], SCORES, key=key[order], **options)
    assert values(one) == values(other)


def test_shards_with_keys_add_up():
    y, p = drawn(5000)
    key = np.arange(5000)
    names = ["f1", "mcc", "accuracy", "recall"]
    options = {"n_resamples": 200, "random_state": 8, "resample": "poisson"}
    whole = inference.bootstrap(y, p, names, key=key, **options)
    parts = [
        inference.bootstrap(y[part], p[part], names, key=key[part], **options)
        for part in np.array_split(np.random.default_rng(1).permutation(5000), 3)
    ]
    added = sum(parts)
    assert values(added) == values(whole)
    assert added["f1"] == whole["f1"]
    assert added["f1"].estimate == rs.ScoreTable(y, p).at(0.5)["f1"]
    models = [
        inference.bootstrap(y[part], {"a": p[part], "b": 1 - p[part]}, names, key=key[part], **options)
        for part in (slice(2000), slice(2000, None))
    ]
    both = models[0] + models[1]
    assert both.every("f1", "a").tobytes() == whole.every("f1").tobytes()
    with_area = inference.bootstrap(y, p, ["f1", "roc_auc"], key=key, **options)
    with pytest.raises(rs.InputError, match="'roc_auc' of pooled rows"):
        _ = with_area + with_area
    by_place = inference.bootstrap(y, p, "f1", n_resamples=9)
    with pytest.raises(rs.InputError, match="drawn by their keys"):
        _ = by_place + by_place
    weighed = inference.bootstrap(y, p, "f1", key=key, sample_weight=key + 1.0, **{**options, "n_resamples": 3})
    with pytest.raises(rs.InputError, match="rows with weights are not added"):
        _ = weighed + weighed
    of_another_seed = inference.bootstrap(y, p, names, key=key, **{**options, "random_state": 9})
    with pytest.raises(rs.InputError, match="the two differ"):
        _ = whole + of_another_seed


def test_rows_with_one_key_are_drawn_together():
    y, p = drawn(300)
    key = np.repeat(np.arange(60), 5)
    clustered = inference.bootstrap(y, p, "accuracy", key=key, n_resamples=2000, resample="poisson", random_state=0)
    plain = inference.bootstrap(y, p, "accuracy", cluster=key, n_resamples=2000, random_state=0)
    assert clustered.every("accuracy").std() == pytest.approx(plain.every("accuracy").std(), rel=0.1)


# Several models, clusters, weights ---------------------------------------------------------------------------------------


def test_differences_come_from_shared_replicates():
    y, p = drawn(1000)
    q = np.clip(p + np.random.default_rng(1).normal(size=1000) * 0.02, 0, 1)
    boot = inference.bootstrap(y, {"p": p, "q": q, "again": p}, ["roc_auc", "brier"], random_state=0, n_resamples=500)
    assert boot.every("roc_auc", "p").tobytes() == boot.every("roc_auc", "again").tobytes()
    same = boot.difference("roc_auc", "p", "again")
    assert same.estimate == 0
    assert math.isnan(same.low)
    assert math.isnan(same.p_value)
    assert "equal" in same.why
    found = boot.difference("roc_auc", "p", "q")
    assert found.estimate == boot["roc_auc"]["p"].estimate - boot["roc_auc"]["q"].estimate
    alone = boot.interval("roc_auc", "p")
    assert found.high - found.low < 0.3 * (alone.high - alone.low)
    assert boot.names == ("p", "q", "again")
    assert len(boot.summary()) == 6


def test_equal_weights_are_none():
    y, p = drawn(300)
    one = inference.bootstrap(y, {"p": p}, SCORES, n_resamples=20, random_state=0)
    other = inference.bootstrap(y, {"p": p}, SCORES, n_resamples=20, random_state=0, sample_weight=np.full(300, 0.25))
    for name in SCORES:
        assert one.every(name, "p") == pytest.approx(other.every(name, "p"), rel=1e-12, nan_ok=True)


def test_weights_are_those_of_the_drawn_rows():
    y, p = drawn(200)
    w = np.random.default_rng(0).random(200)
    boot = inference.bootstrap(y, p, "roc_auc", n_resamples=1500, random_state=0, sample_weight=w)
    rng, plain = np.random.default_rng(2), []
    for _ in range(1500):
        rows = rng.integers(0, 200, 200)
        plain.append(rs.ScoreTable(y[rows], p[rows], sample_weight=w[rows])["roc_auc"])
    assert boot.every("roc_auc").std() / np.std(plain) == pytest.approx(1, abs=0.08)
    assert boot["roc_auc"].estimate == rs.ScoreTable(y, p, sample_weight=w)["roc_auc"]


# Matrices ----------------------------------------------------------------------------------------------------------------


def test_a_matrix_has_the_moments_of_its_cells():
    cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    boot = cm.bootstrap(["accuracy", "recall", "kappa"], n_resamples=20_000, random_state=1, method="bca")
    accuracy = boot.every("accuracy")
    assert accuracy.mean() == pytest.approx(0.85, abs=0.001)
    assert accuracy.std() == pytest.approx(math.sqrt(0.85 * 0.15 / 200), rel=0.02)
    kept = cm.bootstrap("recall", n_resamples=20_000, random_state=1, strata="label").every("recall")
    assert kept.std() == pytest.approx(math.sqrt(79 * 14 / 93**3), rel=0.02)
    assert boot["kappa"].standard_error == pytest.approx(cm.interval("kappa").standard_error, rel=0.03)


def test_a_matrix_of_classes_is_resampled_whole():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 400)
    predicted = np.where(rng.random(400) < 0.6, y, rng.integers(0, 5, 400))
    cm = rs.ConfusionMatrix(y, predicted)
    boot = cm.bootstrap(["accuracy", "kappa", "cramers_v"], n_resamples=2000, random_state=1, method="bca")
    plain = []
    for _ in range(600):
        rows = rng.integers(0, 400, 400)
        plain.append(rs.ConfusionMatrix(y[rows], predicted[rows])["kappa"])
    assert boot.every("kappa").std() / np.std(plain) == pytest.approx(1, abs=0.1)
    assert boot["kappa"].method == "bca"
    with pytest.raises(rs.UnknownIndexError):
        cm.bootstrap("f1")


def test_huge_counts_do_not_overflow():
    cm = rs.ConfusionMatrix.from_counts(np.array([[2**59, 2**57], [2**56, 2**59]], dtype=np.uint64))
    boot = cm.bootstrap(["accuracy", "mcc"], n_resamples=50, random_state=1)
    assert abs(boot["accuracy"].high - boot["accuracy"].low) < 1e-7
    assert np.isfinite(boot.every("mcc")).all()


def test_every_index_of_counts_has_replicates():
    cm = rs.ConfusionMatrix.from_counts([[26, 8], [7, 59]])
    names = [row.name for row in rs.indices() if "counts" in row.forms]
    boot = cm.bootstrap(names, n_resamples=40, random_state=1)
    for name in names:
        assert np.array_equal(boot[name].estimate, cm[name], equal_nan=True), name
    assert len(names) > 200


def test_every_index_of_scores_has_replicates():
    y, p = drawn(150)
    table = rs.ScoreTable(y, p)
    names = [row.name for row in rs.indices() if "scores" in row.forms]
    boot = table.bootstrap(names, n_resamples=20, random_state=1)
    for name in names:
        assert np.array_equal(boot[name].estimate, table[name], equal_nan=True), name
    assert len(names) > 40


# What a replicate is asked ---------------------------------------------------------------------------------------------


def test_a_normal_interval_is_the_estimate_less_the_shift():
    stats = pytest.importorskip("scipy.stats")
    y, p = drawn(120)
    boot = inference.bootstrap(y, p, "ks", random_state=5, method="normal", level=0.9)
    found, every = boot["ks"], boot.every("ks")
    middle, far = 2 * found.estimate - every.mean(), stats.norm.ppf(0.95) * every.std(ddof=1)
    assert (found.low, found.high) == pytest.approx((middle - far, middle + far), rel=1e-12)
    assert found.method == "normal"


def test_clusters_and_strata_of_several_columns_are_joined():
    rng = np.random.default_rng(11)
    y, p = rng.random(400) < 0.4, rng.random(400)
    user, day = np.arange(400) // 20, np.arange(400) % 2
    site = user % 3

    def drawn(**design):
        return (
            rs.inference.bootstrap(y, p, "roc_auc", n_resamples=50, random_state=1, **design).every("roc_auc").tolist()
        )

    joined = [f"{one}, {other}" for one, other in zip(user, day, strict=True)]
    assert drawn(cluster={"user": user, "day": day}) == drawn(cluster=joined) == drawn(cluster=[user, day])
    assert drawn(cluster=user, strata=[site, site]) == drawn(cluster=user, strata=site)
    dates = np.datetime64("2024-01-01") + day
    assert drawn(cluster=[user, dates]) == drawn(cluster=joined)


def test_bca_may_be_asked_of_any_bootstrap():
    rng = np.random.default_rng(12)
    y, p = rng.random(60) < 0.4, rng.random(60)
    asked = rs.inference.bootstrap(y, p, "roc_auc", method="bca", n_resamples=99, random_state=1)["roc_auc"]
    later = rs.inference.bootstrap(y, p, "roc_auc", n_resamples=99, random_state=1).interval("roc_auc", method="bca")
    assert (later.low, later.high, later.method) == (asked.low, asked.high, "bca")


def test_what_resampling_moves_has_a_note_with_a_remedy():
    y, p = drawn(120)
    moved = {
        "ks": 'interval("ks")',
        "h_measure": "normal",
        "expected_calibration_error": "calibrat",
        "brier_mcb": "calibrat",
    }
    boot = inference.bootstrap(y, p, [*moved, "roc_auc", "brier", "f1"], n_resamples=50, random_state=0)
    for name, said in moved.items():
        assert said in boot[name].note
    assert [boot[name].note for name in ("roc_auc", "brier", "f1")] == [None] * 3


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "normal"])
def test_equal_replicates_give_no_interval(method):
    boot = rs.ScoreTable([0, 0, 1, 1] * 9, [0.1, 0.2, 0.8, 0.9] * 9).bootstrap(
        ["roc_auc", "f1", "ks"], strata="label", method=method, n_resamples=50, random_state=0
    )
    for name in boot.indices:
        found = boot[name]
        assert found.estimate == 1
        assert np.isnan([found.low, found.high, found.standard_error]).all()
        assert "do not show how the value scatters" in found.why


def test_parameters_are_those_of_the_index():
    y, p = drawn(200)
    boot = inference.bootstrap(y, p, "f_beta", beta=2, n_resamples=50, random_state=0, method="bca")
    table = rs.ScoreTable(y, p)
    assert boot["f_beta"].estimate == table.at(0.5).value("f_beta", beta=2)
    same = table.bootstrap("f_beta", beta=2, n_resamples=50, random_state=0)
    other = table.bootstrap("f1", n_resamples=50, random_state=0)
    assert same.every("f_beta").tobytes() != other.every("f1").tobytes()
    assert table.bootstrap("f_beta", beta=1, n_resamples=50, random_state=0).every("f_beta") == pytest.approx(
        other.every("f1"), rel=1e-14
    )
    area = table.bootstrap("partial_auc", high_fpr=0.3, n_resamples=9, random_state=0)["partial_auc"]
    assert area.estimate == table.value("partial_auc", high_fpr=0.3)


@pytest.mark.parametrize("names", [["recall", "f1"], ["roc_auc", "recall", "f1"]])
@pytest.mark.parametrize("digits", [None, 1])
def test_several_thresholds_have_a_column_each(names, digits):
    y, p = drawn(30_000 if digits else 300, digits=digits)
    table, at = rs.ScoreTable(y, p), [0.7, 0.3, 0.5]
    boot = table.bootstrap(names, threshold=at, n_resamples=400, random_state=0)
    recall = boot["recall"]
    assert recall.keys["threshold"].tolist() == at
    assert recall.estimate.tolist() == table.at(at)["recall"].tolist()
    assert boot.every("f1").shape == (400, 3)
    assert (np.diff(boot.every("recall")[:, [0, 2, 1]], axis=1) >= 0).all()  # of one replicate
    alone = table.bootstrap("recall", threshold=0.3, n_resamples=400, random_state=1)
    assert boot.every("recall")[:, 1].std() / alone.every("recall").std() == pytest.approx(1, abs=0.12)
    assert len(boot.summary()) == 3 * 2 + len(names) - 2
    with pytest.raises(rs.InputError, match="one threshold"):
        inference.bootstrap(y[:99], {"a": p[:99], "b": p[:99]}, "f1", threshold=at, n_resamples=9).difference(
            "f1", "a", "b"
        )


def test_averages_over_the_classes_of_a_matrix():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 300)
    predicted = np.where(rng.random(300) < 0.6, y, rng.integers(0, 4, 300))
    cm = rs.ConfusionMatrix(y, predicted)
    for average in ("macro", "micro", "weighted", [1, 2, 0, 1]):
        boot = cm.bootstrap("f1", average=average, n_resamples=1000, random_state=1, method="bca")
        found = boot["f1"]
        assert found.estimate == cm.value("f1", average=average)
        assert found.method == "bca"
        assert found.standard_error == pytest.approx(cm.interval("f1", average=average).standard_error, rel=0.1)


def naive(value, rows, times=500):
    rng = np.random.default_rng(8)
    return np.std([value(rng.integers(0, rows, rows)) for _ in range(times)])


@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
def test_columns_of_classes_share_one_resample(average):
    rng = np.random.default_rng(4)
    y = np.array(["a", "b", "c"])[rng.integers(0, 3, 200)]
    proba = rng.dirichlet([1, 1, 1], 200) + (y[:, None] == ["a", "b", "c"]) * 0.3
    proba /= proba.sum(axis=1, keepdims=True)
    boot = inference.bootstrap(y, {"m": proba, "n": proba[::-1]}, ["roc_auc", "f1"], average=average, random_state=0)
    tables, how = rs.ScoreTables(y, proba), average or "macro"
    found = boot.interval("roc_auc", "m")
    if average is None:
        assert found.estimate == pytest.approx(tables.every("roc_auc"))
        assert found.keys["class"].tolist() == ["a", "b", "c"]
        assert boot.every("f1", "m").shape == (1000, 3)
        return
    assert found.estimate == pytest.approx(tables.value("roc_auc", average=how), rel=1e-14)
    spread = naive(lambda rows: rs.ScoreTables(y[rows], proba[rows]).value("roc_auc", average=how), 200)
    assert found.standard_error / spread == pytest.approx(1, abs=0.12)
    assert boot.difference("roc_auc", "m", "n").p_value < 0.01


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_columns_of_labels_share_one_resample(average):
    rng = np.random.default_rng(5)
    y = (rng.random((150, 2)) < [0.4, 0.2]).astype(int)
    scores = y + rng.normal(size=(150, 2)) + rng.normal(size=(150, 1))
    found = inference.bootstrap(y, scores, "roc_auc", average=average, random_state=0)["roc_auc"]

    def value(rows):
        return rs.LabelScoreTables(y[rows], scores[rows]).value("roc_auc", average=average)

    assert found.estimate == pytest.approx(value(np.arange(150)), rel=1e-14)
    assert found.standard_error / naive(value, 150) == pytest.approx(1, abs=0.12)


def test_strata_keep_their_sizes_and_clusters_stay_whole():
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(60), 3)
    y = np.repeat(rng.random(60) < 0.4, 3).astype(int)
    p = np.repeat(rng.normal(size=60), 3) + y
    boot = inference.bootstrap(y, p, ["roc_auc", "prevalence"], cluster=cluster, strata="label", random_state=0)
    assert np.ptp(boot.every("prevalence")) == 0
    rows = inference.bootstrap(y, p, "roc_auc", strata="label", random_state=0)
    assert boot["roc_auc"].standard_error > 1.4 * rows["roc_auc"].standard_error
    site = cluster % 4
    by_site = inference.bootstrap(y, p, "prevalence", cluster=cluster, strata=site, random_state=0)
    every = by_site.every("prevalence")
    shares = np.array([y[site == k].mean() for k in range(4)])
    assert every.std() == pytest.approx(math.sqrt((shares * (1 - shares) / 15).sum() / 16), rel=0.08)


def test_p_values_come_from_shifted_replicates():
    y, p = drawn(200)
    q = p + np.random.default_rng(1).normal(size=200) * 0.3
    boot = inference.bootstrap(y, {"p": p, "q": q}, "roc_auc", random_state=0)
    found = boot.difference("roc_auc", "p", "q")
    far = np.abs(boot.every("roc_auc", "p") - boot.every("roc_auc", "q") - found.estimate)
    assert found.p_value == (1 + (far >= abs(found.estimate)).sum()) / 1001
    assert found.statistic == pytest.approx(found.estimate / found.standard_error)
    assert boot.difference("roc_auc", "q", "p").p_value == found.p_value


def best_youden(y, s, weight):
    """The greatest tpr - fpr of each row of weights, and its place; scores without ties, from high to low."""
    tp, fp = np.cumsum(weight * y, axis=1), np.cumsum(weight * (1 - y), axis=1)
    gap = tp / tp[:, -1:] - fp / fp[:, -1:]
    return gap.max(axis=1), gap.argmax(axis=1)


@pytest.mark.parametrize("way", ["table", "rows", "weights"])
def test_the_optimism_of_a_chosen_threshold_is_taken_out(way):
    y, p = drawn(120, seed=3)
    order = np.argsort(-p)
    y, p = y[order], p[order]
    options = {"table": {}, "rows": {"cluster": np.arange(120)}, "weights": {"sample_weight": np.ones(120)}}[way]
    boot = inference.bootstrap(y, p, ["youden", "roc_auc"], threshold="best youden", random_state=0, **options)
    draws = np.random.default_rng(0).multinomial(120, np.full(120, 1 / 120), 4000)
    value, place = best_youden(y, p, draws)
    of_all = np.cumsum(y) / y.sum() - np.cumsum(1 - y) / (1 - y).sum()
    optimism = boot.optimism["informedness"]
    assert optimism == pytest.approx((value - of_all[place]).mean(), abs=0.006)
    assert boot.optimism["roc_auc"] == 0
    best = rs.ScoreTable(y, p).best("youden")
    assert boot["youden"].estimate == pytest.approx(best.value - optimism, rel=1e-12)
    given = inference.bootstrap(y, p, "youden", threshold=best.threshold, random_state=0, **options)
    assert boot["youden"].standard_error == pytest.approx(given["youden"].standard_error, rel=0.1)
    assert "chosen on the same rows" in best.counts().interval("youden").note


# What is awkward ---------------------------------------------------------------------------------------------------------


def test_replicates_without_a_value_are_counted_and_said():
    y = np.array([1] * 3 + [0] * 97)
    p = np.random.default_rng(0).random(100)
    with pytest.warns(rs.RocksteadyWarning, match="'roc_auc' has no value in .* of 2000 replicates"):
        boot = inference.bootstrap(y, p, ["roc_auc", "accuracy"], n_resamples=2000, random_state=1)
    # The probability that none of 3 in 100 rows is drawn.
    assert boot.undefined["roc_auc"] / 2000 == pytest.approx(0.97**100, abs=0.015)
    assert boot.undefined["accuracy"] == 0
    assert np.isnan(boot.every("roc_auc")).sum() == boot.undefined["roc_auc"]
    assert "left out" in boot["roc_auc"].note
    kept = inference.bootstrap(y, p, "roc_auc", n_resamples=2000, random_state=1, strata="label")
    assert kept.undefined == {"roc_auc": 0}


@pytest.mark.parametrize(
    ("y", "p"),
    [([0, 1], [0.1, 0.9]), ([0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5]), ([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])],
)
def test_few_rows_constant_scores_and_perfect_ones(y, p):
    boot = inference.bootstrap(y, p, SCORES[:6], n_resamples=200, random_state=0, strata="label", method="bca")
    for name in SCORES[:6]:
        found = boot[name]
        assert found.low <= found.estimate <= found.high or math.isnan(found.low), name
        assert found.estimate == rs.ScoreTable(y, p)[name]


@pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning")
def test_one_class_has_no_area():
    boot = inference.bootstrap([1, 1, 1], [0.1, 0.2, 0.3], ["roc_auc", "recall"], n_resamples=10, random_state=0)
    assert math.isnan(boot["roc_auc"].low)
    assert boot["roc_auc"].why
    assert boot["recall"].estimate == 0


def test_states_of_weights_are_refused_with_a_cure():
    y, p = drawn(50)
    table = rs.ScoreTable(y, p, sample_weight=np.full(50, 0.5))
    with pytest.raises(rs.InputError, match="takes rows and their weights"):
        table.bootstrap("roc_auc")
    with pytest.raises(rs.InputError, match="takes rows and their weights"):
        table.band("roc")
    with pytest.raises(rs.InputError, match="takes rows and their weights"):
        rs.ConfusionMatrix([0, 1], [1, 1], sample_weight=[0.5, 0.25]).bootstrap("accuracy")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "t"}, "method is 't'"),
        (
            {"threshold": "youden"},
            "threshold is 'youden'; expected a number, several, or the best one by an index, such as",
        ),
        ({"threshold": []}, "threshold is"),
        ({"threshold": "best prevalence"}, "better high or low"),
        ({"indices": "f_beta", "beta": -1}, "beta is -1"),
        ({"indices": "f1", "beta": 2}, "beta"),
        ({"average": "macro"}, "average is 'macro'; expected None for scores of two classes"),
        ({"strata": [1, 2, 3]}, "strata has 3 rows"),
        ({"resample": "rows"}, "resample is 'rows'"),
        ({"strata": "class"}, "strata is 'class'"),
        ({"strata": "label", "resample": "poisson"}, "None with resample"),
        ({"n_resamples": 1}, "n_resamples is 1"),
        ({"n_resamples": 10**9}, "n_resamples is 1000000000"),
        ({"level": 1.0}, "level is 1.0"),
        ({"threshold": math.nan}, "threshold is nan"),
        ({"random_state": -1}, "random_state is -1"),
        ({"random_state": "x"}, "random_state is 'x'"),
        ({"key": [1, 2, 3, 4]}, '"poisson" with key'),
        ({"key": [1, 2, 3], "resample": "poisson"}, "key has 3 rows"),
        ({"key": [1.5, 2, 3, 4], "resample": "poisson"}, r"key\[0\] is 1.5"),
        ({"cluster": [1, 2, 3]}, "cluster has 3 rows"),
        ({"cluster": [1, None, 3, 4]}, r"cluster\[1\] is missing"),
        ({"cluster": [1, 1, 2, 2], "strata": "label"}, r"cluster\[1\] lies in several strata"),
        ({"indices": []}, "indices is empty"),
        ({"indices": "nonsense"}, "nonsense"),
        ({"indices": 3}, "indices is 3"),
        ({"sample_weight": [1, 1, 1, -1]}, "sample_weight"),
    ],
)
def test_what_cannot_be_used_is_refused(options, said):
    with pytest.raises(rs.RocksteadyError, match=said):
        inference.bootstrap([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], **options)


def test_models_that_cannot_be_used_are_refused():
    with pytest.raises(rs.InputError, match="y_score is empty"):
        inference.bootstrap([0, 1], {})
    boot = inference.bootstrap([0, 1, 0, 1], {"a": [1, 2, 3, 4]}, n_resamples=9, strata="label", random_state=0)
    with pytest.raises(rs.InputError, match="one of 'a'"):
        boot.every("roc_auc", "b")
    with pytest.raises(rs.UnknownIndexError, match="was not bootstrapped"):
        boot.every("f1", "a")
    with pytest.raises(rs.InputError):
        inference.bootstrap([0, 1, 0], {"a": [1.0, math.nan, 2.0]}, n_resamples=9)


def test_random_states():
    y, p = drawn(100)
    one = inference.bootstrap(y, p, n_resamples=10, random_state=np.random.default_rng(1))
    other = inference.bootstrap(y, p, n_resamples=10, random_state=np.random.default_rng(1))
    assert values(one) == values(other)
    anew = inference.bootstrap(y, p, n_resamples=10)
    assert values(anew) != values(one)
    assert values(inference.bootstrap(y, p, n_resamples=10, random_state=anew.random_state)) == values(anew)


# Bands -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("curve", ["roc", "precision_recall", "gain"])
@pytest.mark.parametrize("kind", ["simultaneous", "pointwise"])
@pytest.mark.parametrize("digits", [None, 1])
def test_bands_hold_their_curve(curve, kind, digits):
    y, p = drawn(20_000 if digits else 400, digits=digits)
    table = rs.ScoreTable(y, p)
    band = table.band(curve, kind=kind, random_state=0, n_resamples=200)
    assert (band.low <= band.estimate).all()
    assert (band.estimate <= band.high).all()
    assert band.low.min() >= 0
    assert band.high.max() <= 1
    assert len(band) == 101
    if curve == "roc":
        fpr, tpr = table.curve("fpr", "recall")
        assert band.estimate == pytest.approx(np.interp(band.x, fpr, tpr), abs=1e-12)
    assert band == table.band(curve, kind=kind, random_state=0, n_resamples=200)


def test_simultaneous_bands_cover_whole_curves():
    """Binormal ROC curves of 200 rows of each class: pointwise bands do not hold the whole curve, the others do."""
    samples = 400 if THOROUGH else 80
    rng = np.random.default_rng(1)
    normal = np.vectorize(lambda z: 0.5 * math.erfc(-z / math.sqrt(2)))
    hits = {"simultaneous": 0, "pointwise": 0, "campbell": 0}
    y = np.arange(400) % 2
    grid = np.linspace(0, 1, 51)[1:-1]
    quantile = np.interp(grid, normal(np.linspace(-5, 5, 20_001)), np.linspace(-5, 5, 20_001))
    truth = normal(1.2 + quantile)
    for sample in range(samples):
        table = rs.ScoreTable(y, rng.normal(size=400) + 1.2 * y)
        for kind in hits:
            band = table.band("roc", kind=kind, points=51, n_resamples=300, random_state=sample)
            inner = slice(1, -1)
            hits[kind] += bool(((band.low[inner] <= truth) & (truth <= band.high[inner])).all())
    shares = {kind: times / samples for kind, times in hits.items()}
    assert shares["simultaneous"] > 0.89
    assert shares["pointwise"] < 0.5
    assert shares["campbell"] > 0.95


def test_bands_that_cannot_be_used_are_refused_or_said():
    table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])
    with pytest.raises(rs.InputError, match="kind is"):
        table.band("precision_recall", kind="campbell")
    with pytest.raises(rs.InputError, match="curve is 'lift'"):
        table.band("lift")
    with pytest.raises(rs.InputError, match="points is 1"):
        table.band("roc", points=1)
    with pytest.raises(rs.InputError, match="both classes"):
        rs.ScoreTable([1, 1], [0.1, 0.2]).band("roc")
    assert "whole curve leaves" in table.band("roc", kind="pointwise", random_state=0).note
    assert table.band("roc", kind="campbell").note is None


def in_time(rows, seed):
    """Rows of which neighbours resemble each other."""
    rng = np.random.default_rng(seed)
    noise, state = rng.normal(size=rows), np.zeros(rows)
    for row in range(1, rows):
        state[row] = 0.9 * state[row - 1] + noise[row]
    scores = 1 / (1 + np.exp(-state / 2))
    return (rng.random(rows) < scores).astype(int), scores


@pytest.mark.parametrize("length", [1, 7, 50])
def test_blocks_have_the_variance_of_the_circular_block_bootstrap(length):
    """That of a mean follows from the sums of all blocks of consecutive rows, the last one after the first."""
    actual, scores = in_time(400, 3)
    found = rs.inference.bootstrap(actual, scores, "prevalence", block=length, n_resamples=20_000, random_state=1)
    centred = actual - actual.mean()
    parts = [length] * (len(actual) // length) + ([len(actual) % length] if len(actual) % length else [])
    variance = 0.0
    for part in parts:
        sums = [np.take(centred, np.arange(start, start + part), mode="wrap").sum() for start in range(len(actual))]
        variance += np.mean(np.square(sums))
    expected = np.sqrt(variance) / len(actual)
    assert found["prevalence"].standard_error == pytest.approx(expected, rel=0.03, abs=1e-9)


def test_blocks_are_drawn_whole_in_any_path():
    actual, scores = in_time(300, 5)
    one = rs.inference.bootstrap(actual, scores, ["roc_auc", "f1"], block=20, random_state=2)
    several = rs.inference.bootstrap(actual, {"a": scores, "b": -scores}, ["roc_auc", "f1"], block=20, random_state=2)
    weighted = rs.inference.bootstrap(
        actual, scores, ["roc_auc", "f1"], block=20, random_state=2, sample_weight=np.ones(300)
    )
    for index in ("roc_auc", "f1"):
        assert one.every(index).tolist() == several.every(index, model="a").tolist()
        assert weighted.every(index) == pytest.approx(one.every(index), rel=1e-12)
    by_row = rs.inference.bootstrap(actual, scores, "prevalence", random_state=2)
    by_block = rs.inference.bootstrap(actual, scores, "prevalence", block=20, random_state=2)
    assert by_block["prevalence"].standard_error > 1.5 * by_row["prevalence"].standard_error
    bca = rs.inference.bootstrap(actual, scores, "roc_auc", block=20, random_state=2, method="bca")["roc_auc"]
    assert bca.low < bca.estimate < bca.high


def test_blocks_of_two_classes_of_columns_share_the_rows():
    actual, scores = in_time(200, 6)
    columns = np.column_stack([1 - scores, scores])
    labels = np.column_stack([1 - actual, actual])
    found = rs.inference.bootstrap(
        labels, columns, "roc_auc", average="micro", block=10, random_state=0, n_resamples=50
    )
    assert np.isfinite(found.every("roc_auc")).all()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"block": 0}, "block is 0"),
        ({"block": 5}, "at most the 4 rows"),
        ({"block": 2.5}, "block is 2.5"),
        ({"block": 2, "cluster": [1, 1, 2, 2]}, "cluster is given with block"),
        ({"block": 2, "strata": "label"}, "strata is given with block"),
        ({"block": 2, "resample": "poisson"}, "with block"),
    ],
)
def test_blocks_that_cannot_be_are_refused(options, said):
    with pytest.raises(rs.RocksteadyError, match=said):
        rs.inference.bootstrap([0, 1, 0, 1], [0.1, 0.4, 0.3, 0.8], **options)

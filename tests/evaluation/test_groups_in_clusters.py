"""Groups of `evaluate(by=, cluster=)`: intervals of the rows of each group alone, and differences by sums over clusters."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.charts.groups import forest_of

RNG = np.random.default_rng(42)
USERS = 90
USER = np.repeat(np.arange(USERS), 8)
ROWS = USER.size
OWN = RNG.normal(size=(2, USERS))[:, USER]
Y = np.where(RNG.random(ROWS) < 1 / (1 + np.exp(0.5 - OWN[0])), "yes", "no")
P = 1 / (1 + np.exp(-(1.4 * (Y == "yes") + 0.8 * OWN[1] + RNG.normal(size=ROWS) - 0.7)))
K = np.array(["cat", "dog", "eel"])[np.clip(np.round(OWN[0] + RNG.normal(size=ROWS)) + 1, 0, 2).astype(int)]
GUESS = np.where(RNG.random(ROWS) < 0.6, K, "dog")
WEIGHT = RNG.integers(1, 4, ROWS).astype(float)
ACROSS = RNG.choice(["n", "s", "w"], ROWS)
WITHIN = np.array(["n", "s", "w"])[USER % 3]
SITE = USER // 30
INDICES = ("recall", "f1", "mcc", "accuracy", "roc_auc", "average_precision", "log_loss")


def of_rows(rows, *, by=None, scores=True, **design):
    keys = {} if by is None else {"by": by[rows]}
    given = {"y_score": P[rows], "threshold": 0.4, "pos_label": "yes"} if scores else {"y_pred": GUESS[rows]}
    truth = Y[rows] if scores else K[rows]
    return rs.evaluate(truth, **given, **keys, inference=True, **{name: each[rows] for name, each in design.items()})


DESIGNS = {
    "cluster": {"cluster": USER},
    "strata": {"strata": SITE},
    "both": {"cluster": USER, "strata": SITE},
    "weights": {"cluster": USER, "sample_weight": WEIGHT},
}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("by", [ACROSS, WITHIN], ids=["across", "within"])
def test_the_interval_of_a_group_is_that_of_its_rows(by, design):
    given = DESIGNS[design]
    groups = of_rows(slice(None), by=by, **given).groups
    for name in INDICES:
        found = groups.interval(name, level=0.9)
        for place, key in enumerate(groups.keys["group"]):
            own = of_rows(by == key, **given).models["model"].interval(name, level=0.9)
            bounds = (found.low[place], found.high[place], found.standard_error[place])
            np.testing.assert_allclose(bounds, (own.low, own.high, own.standard_error), rtol=1e-12)
            assert found.value[place] == pytest.approx(own.estimate, rel=1e-12)
            assert (found.note and found.note[place]) == own.note


def test_several_classes_and_means_over_them():
    groups = of_rows(slice(None), by=WITHIN, scores=False, cluster=USER).groups
    assert groups.worst("f1", average="macro").tested == 3
    assert not math.isnan(groups.difference("f1", groups=("n", "s"), average="macro").low)
    weights = {"dog": 0.0, "eel": 1.0, "cat": 3.0}
    for name, average in (
        ("accuracy", None),
        ("kappa", None),
        ("f1", "macro"),
        ("f1", "weighted"),
        ("recall", weights),
    ):
        options = {} if average is None else {"average": average}
        found = groups.interval(name, **options)
        for place, key in enumerate(groups.keys["group"]):
            own = of_rows(key == WITHIN, scores=False, cluster=USER).models["model"].interval(name, **options)
            assert (found.low[place], found.high[place]) == pytest.approx((own.low, own.high), rel=1e-12)


def by_user(rows, name):
    """The influence of each user on an index of some of the rows."""
    return np.bincount(USER[rows], of_rows(rows).influence(name), USERS)


@pytest.mark.parametrize("name", ["recall", "log_loss", "average_precision"])
@pytest.mark.parametrize("by", [ACROSS, WITHIN], ids=["across", "within"])
def test_the_difference_of_two_groups_knows_how_they_vary_together(by, name):
    groups = of_rows(slice(None), by=by, cluster=USER).groups
    first, second = (by_user(by == key, name) for key in ("n", "w"))
    shared = (first @ second) / math.sqrt((first @ first) * (second @ second))
    assert (shared == 0) == (by is WITHIN)
    own = groups.interval(name)
    (one, _, two), (low, _, below), (high, _, above) = own.value, own.low, own.high

    def apart(a, b):
        return math.sqrt(a * a + b * b - 2 * shared * a * b)

    found = groups.difference(name, groups=("n", "w"))
    assert found.estimate == pytest.approx(one - two, rel=1e-12)
    assert found.low == pytest.approx(one - two - apart(one - low, above - two), rel=1e-6)
    assert found.high == pytest.approx(one - two + apart(high - one, two - below), rel=1e-6)
    # A bound of the ratio is where the difference of the first and of so many times the second may be 0.
    ratio = groups.ratio(name, groups=("n", "w"))
    for bound, down, up in ((ratio.low, one - low, above - two), (ratio.high, high - one, two - below)):
        assert abs(one - bound * two) == pytest.approx(apart(down, bound * up), rel=1e-6)


def test_the_farthest_groups_have_an_interval_unless_they_share_clusters():
    within, across = (of_rows(slice(None), by=by, cluster=USER).groups for by in (WITHIN, ACROSS))
    alone = rs.evaluate(Y, P, threshold=0.4, by=WITHIN).groups
    for name in ("recall", "roc_auc"):
        found, plain = within.difference(name), alone.difference(name)
        assert (found.value, found.why) == (pytest.approx(plain.value), None)
        assert found.high - found.low > plain.high - plain.low
        shared = across.difference(name)
        assert math.isnan(shared.low)
        assert "A cluster has rows in several groups" in shared.why
        assert not math.isnan(across.min(name).low)
    assert "is part of all rows" in within.difference("recall", method="to_overall").why
    assert "A cluster has rows in several groups" in across.mean("roc_auc").why
    assert within.mean("roc_auc") == alone.mean("roc_auc")


@pytest.mark.parametrize("by", [ACROSS, WITHIN], ids=["across", "within"])
def test_the_worst_groups_are_tested_by_clusters(by):
    stats = pytest.importorskip("scipy.stats")
    groups = of_rows(slice(None), by=by, cluster=USER).groups
    found = groups.worst("brier", k=3)
    for row in found.table.rows:
        key, value, rest, low, p_value = row[0], row[2], row[3], row[4], row[6]
        own, others = (by_user(which, "brier") for which in (by == key, by != key))
        units = [len(set(USER[which])) for which in (by == key, by != key)]
        variances = [units[i] / (units[i] - 1) * (each @ each) for i, each in enumerate((own, others))]
        shared = (own @ others) / math.sqrt((own @ own) * (others @ others))
        error = math.sqrt(sum(variances) - 2 * shared * math.sqrt(variances[0] * variances[1]))
        freedom = sum(variances) ** 2 / sum(v * v / (n - 1) for v, n in zip(variances, units, strict=True))
        assert p_value == pytest.approx(2 * stats.t.sf(abs(value - rest) / error, freedom), rel=1e-6)
        place = list(groups.keys["group"]).index(key)
        assert low == pytest.approx(groups.interval("brier", level=found.interval_level).low[place])


def test_coarser_groups_keep_their_rows():
    pandas = pytest.importorskip("pandas")
    size = pandas.Categorical(np.array(["small", "big"])[USER % 2], ["small", "big"], ordered=True)
    region = np.where(WITHIN == "w", None, WITHIN)
    when = np.datetime64("2024-01-01", "ns") + np.where(ACROSS == "n", 0, 1) * np.timedelta64(1, "D")
    fine = rs.evaluate(Y, P, inference=True, cluster=USER, by={"size": size, "region": region, "when": when}).groups
    for names, by in (("size", {"size": size}), ("region", {"region": region}), ("when", {"when": when})):
        coarse = rs.evaluate(Y, P, inference=True, cluster=USER, by=by).groups
        assert fine.over(names).interval("f1") == coarse.interval("f1")
    whole = rs.evaluate(Y, P, inference=True, cluster=USER)
    assert fine.over([]).interval("f1").low[0] == whole.interval("f1").low


def test_rows_that_are_lost_are_not_taken_as_independent():
    ev = of_rows(slice(None), by=WITHIN, cluster=USER)
    groups = ev.groups
    half = [of_rows(np.arange(ROWS) % 2 == part, by=WITHIN, cluster=USER) for part in (0, 1)]
    lost = {
        "sum": half[0].groups + half[1].groups,
        "sum with what has none": groups + rs.evaluate(Y, P, threshold=0.4, by=WITHIN).groups,
        "difference": groups - half[0].groups,
        "pickle": pickle.loads(pickle.dumps(groups)),
        "pickle again": pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(groups)))),
        "bytes": rs.Evaluation.from_bytes(ev.to_bytes()).groups,
        "sum of evaluations": (half[0] + half[1]).groups,
        "coarser": pickle.loads(pickle.dumps(groups)).over([]),
    }
    for kind, each in lost.items():
        assert not np.isnan(each.every("recall")).any(), kind
        for ask, options in (("interval", {}), ("worst", {}), ("difference", {"groups": ("n", "s")})):
            if kind != "coarser" or not options:
                with pytest.raises(rs.errors.InputError, match="clusters or strata"):
                    getattr(each, ask)("recall", **options)
        if kind != "coarser":  # one group
            assert "do not keep" in each.difference("recall").why
            assert np.isnan(forest_of(each, "recall").low).all()
    assert lost["pickle"] == groups
    assert lost["sum"].to_bytes() == groups.to_bytes()
    assert not np.isnan(forest_of(groups, "recall").low).any()


def test_rows_left_out_leave_a_group_without_rows():
    scores = np.where(WITHIN == "s", np.nan, P)
    groups = rs.evaluate(Y, scores, by=WITHIN, inference=True, cluster=USER, nan_policy="omit").groups
    found = groups.interval("recall")
    places = list(groups.keys["group"])
    if "s" in places:
        assert math.isnan(found.low[places.index("s")])
        assert found.why[places.index("s")] == "There are no rows, or all weigh nothing."
    own = rs.evaluate(Y[WITHIN == "n"], P[WITHIN == "n"], inference=True, cluster=USER[WITHIN == "n"])
    assert found.low[0] == own.interval("recall").low


@pytest.mark.parametrize("kind", ["list", "pandas", "polars", "arrow", "masked", "missing"])
def test_columns_of_any_kind(kind):
    some = slice(0, 240)
    expected = rs.evaluate(Y[some], P[some], threshold=0.4, by=ACROSS[some], inference=True, cluster=USER[some]).groups
    scores, options = P[some], {}
    if kind == "list":
        scores = scores.tolist()
    elif kind == "pandas":
        scores = pytest.importorskip("pandas").Series(scores, index=np.arange(240)[::-1])
    elif kind == "polars":
        scores = pytest.importorskip("polars").Series(scores)
    elif kind == "arrow":
        scores = pytest.importorskip("pyarrow").array(scores)
    elif kind == "masked":
        scores = np.ma.MaskedArray(scores, mask=np.zeros(240, bool))
    else:
        scores = [None if place % 50 == 0 else score for place, score in enumerate(scores.tolist())]
        options = {"nan_policy": "worst"}
    given = {"threshold": 0.4, "by": ACROSS[some], "inference": True, "cluster": USER[some], **options}
    found = rs.evaluate(Y[some].tolist() if kind == "list" else Y[some], scores, **given).groups
    if kind == "missing":
        assert not np.isnan(found.interval("roc_auc").low).any()
    else:
        for name in ("roc_auc", "recall"):
            assert found.interval(name) == expected.interval(name)


def test_thousands_of_groups_take_as_long_as_their_rows():
    groups = RNG.integers(0, 2_000, 20_000)
    y, user = RNG.integers(0, 2, 20_000), RNG.integers(0, 5_000, 20_000)
    by = rs.evaluate(y, RNG.random(20_000), by=groups, inference=True, cluster=user).groups
    found = by.interval("brier")
    assert len(found.value) == len(set(groups.tolist()))
    own = groups == 7
    assert found.rows[list(by.keys["group"]).index(7)] == own.sum()

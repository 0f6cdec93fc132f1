"""Differences between groups: fairlearn's values, intervals that cover, and the worst groups by evidence."""

from __future__ import annotations

import gzip
import json
import math
import os
import pickle
import warnings
from functools import partial

import fairness_frames
import numpy as np
import pandas as pd
import pytest
import sklearn.metrics

import rocksteady as rs
from rocksteady import fairness
from rocksteady.errors import InputError, InputTypeError, RocksteadyError, RocksteadyWarning, UnknownIndexError
from rocksteady.fairness.disparity import Keyed, disparity, pair
from rocksteady.fairness.worst import worst

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
GOLDEN = json.loads(gzip.decompress(fairness_frames.FILE.read_bytes())) if fairness_frames.FILE.exists() else None
METRICS = {name: getattr(fairness, name) for name in fairness_frames.RATES}
METRICS |= {"accuracy_score": sklearn.metrics.accuracy_score, "precision_score": sklearn.metrics.precision_score}
SIX = {name: getattr(fairness, name) for name in fairness_frames.SIX}
Y = [1, 1, 1, 1, 1, 0, 0, 1, 1, 0]
P = [0, 1, 1, 1, 1, 0, 0, 0, 1, 1]
SEX = ["F"] * 5 + ["M"] * 5


def keyed(tables, control=None):
    """Counts of groups with whole keys; `tables` are tp, fp, fn, tn of each."""
    counts = rs.Counts(*np.array(tables, dtype=float).T)
    keys = {"group": np.arange(len(tables))}
    return Keyed(counts, keys) if control is None else Keyed(counts, {"control": np.array(control), **keys}, 1)


def own_values(given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = fairness.MetricFrame(**fairness_frames.options(given, METRICS))
        return fairness_frames.values(made, SIX, given)


def assert_same(found, expected, name):
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        own = np.array(found[key], dtype=float)
        np.testing.assert_allclose(own, np.array(values, dtype=float), rtol=0, atol=1e-12, err_msg=f"{name}: {key}")


# fairlearn's values


@pytest.mark.skipif(GOLDEN is None, reason="a source distribution has no data")
def test_the_values_of_fairlearn():
    cases = {**fairness_frames.examples(), **{str(seed): fairness_frames.frame(seed) for seed in range(200)}}
    assert cases.keys() == GOLDEN["values"].keys()
    for name, given in cases.items():
        assert_same(own_values(given), GOLDEN["values"][name], name)


def test_fairlearn_itself():
    theirs = pytest.importorskip("fairlearn.metrics")
    functions = {name: getattr(theirs, name) for name in SIX}
    metrics = {name: getattr(theirs, name, None) or METRICS[name] for name in METRICS}
    for seed in range(1000, 2000 if THOROUGH else 1020):
        given = fairness_frames.frame(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = theirs.MetricFrame(**fairness_frames.options(given, metrics))
            expected = fairness_frames.values(made, functions, given)
            own = fairness.MetricFrame(**fairness_frames.options(given, METRICS))
        assert_same(own_values(given), expected, seed)
        for what in ("by_group", "overall"):
            ours, their = getattr(own, what), getattr(made, what)
            compare = (
                pd.testing.assert_frame_equal if isinstance(their, pd.DataFrame) else pd.testing.assert_series_equal
            )
            options = {"check_column_type": False} if compare is pd.testing.assert_frame_equal else {}
            compare(ours, their, check_index_type=False, check_dtype=False, rtol=0, atol=1e-12, **options)


def test_signatures_are_those_of_fairlearn():
    theirs = pytest.importorskip("fairlearn.metrics")
    import inspect

    for name, function in {
        **SIX,
        **{name: getattr(fairness, name) for name in (*fairness_frames.RATES, "count")},
    }.items():
        own, their = (inspect.signature(which).parameters for which in (function, getattr(theirs, name)))
        assert [(p.name, p.kind, p.default) for p in own.values()] == [
            (p.name, p.kind, p.default) for p in their.values()
        ]
    own, their = (inspect.signature(which.MetricFrame).parameters for which in (fairness, theirs))
    assert list(own) == list(their)


def test_a_group_without_positives_counts_as_0_here_and_says_so():
    columns = {"y_true": [1, 0, 0, 0], "y_pred": [1, 0, 1, 0], "sensitive_features": ["a", "a", "b", "b"]}
    with pytest.warns(RocksteadyWarning, match="'recall' in 1"):
        assert fairness.equalized_odds_difference(**columns) == 1.0
    with pytest.warns(RocksteadyWarning, match="leaves such groups out"):
        assert fairness.equal_opportunity_ratio(**columns) == 0.0
    frame = fairness.MetricFrame(metrics="recall", **columns)  # by the name of an index: left out, and counted
    assert math.isnan(frame.by_group["b"])
    assert frame.without == {"recall": 1}
    with pytest.warns(
        RocksteadyWarning, match="'recall': one group only has a value, and its difference to itself is 0"
    ):
        assert frame.difference() == 0.0
    with pytest.warns(RocksteadyWarning, match="ratio to itself is 1, as in fairlearn; ratio_interval has none there"):
        assert frame.ratio() == 1.0
    assert math.isnan(frame.ratio_interval().value)
    alone = {**columns, "y_true": [0, 1, 1, 0], "sensitive_features": ["a"] * 4}
    for function, value in (
        (fairness.demographic_parity_difference, 0.0),
        (fairness.demographic_parity_ratio, 1.0),
        (fairness.equalized_odds_difference, 0.0),
        (fairness.equal_opportunity_ratio, 1.0),
    ):
        with pytest.warns(RocksteadyWarning, match="there is one group only"):
            assert function(**alone) == value


def test_shapes_of_results_are_those_of_fairlearn():
    given = {"y_true": Y, "y_pred": P, "sensitive_features": pd.Series(SEX, name="sex")}
    single = fairness.MetricFrame(metrics="accuracy", **given)
    assert isinstance(single.overall, float)
    assert isinstance(single.difference(), float)
    assert isinstance(single.by_group, pd.Series)
    assert single.by_group.name == "accuracy"
    several = fairness.MetricFrame(metrics=["accuracy", "f1"], **given)
    assert isinstance(several.overall, pd.Series)
    assert isinstance(several.by_group, pd.DataFrame)
    assert several.by_group.index.name == "sex"
    control = fairness.MetricFrame(metrics=["accuracy", "f1"], control_features=[0, 1] * 5, **given)
    assert control.control_levels == ["control_feature_0"]
    assert control.sensitive_levels == ["sex"]
    assert control.overall.shape == (2, 2)
    assert control.by_group.index.names == ["control_feature_0", "sex"]
    assert control.difference().shape == (2, 2)
    alone = fairness.MetricFrame(metrics="accuracy", control_features=[0, 1] * 5, **given)
    assert isinstance(alone.ratio(), pd.Series)


def test_cells_without_rows_are_nan():
    frame = fairness.MetricFrame(
        metrics="accuracy",
        y_true=[0, 1, 1],
        y_pred=[0, 1, 0],
        sensitive_features=["a", "b", "a"],
        control_features=["x", "y", "y"],
    )
    assert math.isnan(frame.by_group[("x", "b")])
    assert frame.by_group[("y", "b")] == 1.0
    with pytest.warns(RocksteadyWarning, match="'accuracy': one group only has a value"):
        assert frame.difference().tolist() == [0.0, 1.0]
    assert frame.difference_interval().to_dict()["value"][1] == 1.0
    assert math.isnan(frame.difference_interval().to_dict()["value"][0])


def test_functions_of_any_package_are_recognised_and_others_are_called():
    y, p = [0, *Y[1:]], [0, *P[1:]]
    given = {"y_true": y, "y_pred": p, "sensitive_features": SEX}
    calls = []

    def own(y_true, y_pred, sample_weight=None):
        calls.append(len(y_true))
        return float(np.mean(np.asarray(y_true) == y_pred))

    metrics = {
        "own": own,
        "ours": rs.metrics.accuracy_score,
        "theirs": sklearn.metrics.accuracy_score,
        "partial": partial(sklearn.metrics.fbeta_score, beta=2),
        "other label": partial(sklearn.metrics.recall_score, pos_label=0),
        "balanced": sklearn.metrics.balanced_accuracy_score,
        "area": rs.metrics.roc_auc_score,
        "rows": fairness.count,
    }
    frame = fairness.MetricFrame(metrics=metrics, **given)
    table = frame.by_group
    assert sorted(calls) == [5, 5, 10]
    assert table["own"].tolist() == table["ours"].tolist() == table["theirs"].tolist() == [1.0, 0.6]
    for name, function in metrics.items():
        if name not in ("own", "area", "balanced"):
            for group, rows in (("F", slice(0, 5)), ("M", slice(5, 10))):
                assert table[name][group] == pytest.approx(function(y[rows], p[rows]), abs=1e-15)
    assert table["rows"].tolist() == [5, 5]
    assert frame.overall["area"] == rs.metrics.roc_auc_score(y, p)


def test_metrics_that_are_no_numbers():
    frame = fairness.MetricFrame(metrics=sklearn.metrics.confusion_matrix, y_true=Y, y_pred=P, sensitive_features=SEX)
    assert frame.by_group["M"].tolist() == [[2, 1], [1, 1]]
    assert math.isnan(frame.difference())
    with pytest.raises(InputError, match="no number"):
        frame.group_min()
    assert math.isnan(frame.group_max(errors="coerce"))


def test_ratios_of_negative_values_are_refused():
    given = {"y_true": [0, 1, 0, 1], "y_pred": [1, 0, 0, 1], "sensitive_features": ["a", "a", "b", "b"]}
    frame = fairness.MetricFrame(metrics="mcc", **given)
    assert frame.difference() == 2.0
    with pytest.warns(RocksteadyWarning, match="negative"):
        assert math.isnan(frame.ratio())
    with pytest.raises(InputError, match="negative"):
        frame.ratio(errors="raise")
    with pytest.raises(InputError, match="negative"):
        frame.ratio_interval()


def test_a_missing_key_is_a_group():
    frame = fairness.MetricFrame(
        metrics="accuracy", y_true=[0, 1, 1], y_pred=[0, 1, 0], sensitive_features=["a", None, None]
    )
    assert frame.by_group.tolist() == [1.0, 0.5]
    assert fairness.demographic_parity_difference([0, 1, 1], [0, 1, 0], sensitive_features=["a", None, None]) == 0.5


@pytest.mark.parametrize(
    "wrong",
    [
        {"y_pred": [1, 0]},
        {"sensitive_features": ["a"]},
        {"sensitive_features": None},
        {"sensitive_features": "abc"},
        {"sensitive_features": 3},
        {"sensitive_features": {}},
        {"sensitive_features": [["a"] * 10, ["b"] * 10]},
        {"sensitive_features": {1: SEX}},
        {"sensitive_features": np.zeros((10, 1, 1))},
        {"control_features": {"sex": SEX}, "sensitive_features": {"sex": SEX}},
        {"control_features": ["a"]},
        {"metrics": "no such index"},
        {"metrics": "roc_auc"},
        {"metrics": 3},
        {"metrics": {}},
        {"metrics": []},
        {"metrics": {1: "recall"}},
        {"metrics": {"a": None}},
        {"sample_params": 3},
        {"sample_params": {"sample_weight": [1, 2]}},
        {"sample_params": {"sample_weight": [-1] * 10}},
        {"metrics": {"a": "recall"}, "sample_params": {"b": {}}},
        {"metrics": {"a": "recall"}, "sample_params": {"a": 3}},
        {"n_boot": 100, "ci_quantiles": [0.5]},
        {"y_true": ["a", "b", "c", "d", "e"] * 2},
        {"y_true": [2] * 10},
    ],
)
def test_nonsense_is_refused_by_errors_of_ours(wrong):
    given = {"metrics": "recall", "y_true": Y, "y_pred": P, "sensitive_features": SEX, **wrong}
    with pytest.raises(RocksteadyError):
        fairness.MetricFrame(**given)


def test_options_that_are_unknown_are_refused():
    frame = fairness.MetricFrame(metrics="recall", y_true=Y, y_pred=P, sensitive_features=SEX)
    for call in (
        lambda: frame.difference(method="x"),
        lambda: frame.ratio(errors="x"),
        lambda: frame.group_min(errors=None),
        lambda: frame.difference_interval("x"),
        lambda: frame.difference_interval(level=2),
        lambda: frame.worst(k=0),
        lambda: frame.worst(adjust="x"),
        lambda: frame.worst(bad="x"),
        lambda: frame.worst(min_rows=-1),
        lambda: frame.worst(level=1),
        lambda: fairness.equalized_odds_ratio(Y, P, sensitive_features=SEX, agg="x"),
        lambda: fairness.demographic_parity_ratio(Y, P, sensitive_features=SEX, method="x"),
        lambda: fairness.true_positive_rate(["a"], ["b"]),
        lambda: fairness.selection_rate([], []),
        lambda: fairness.subgroup_areas(Y, P, subgroups={}),
        lambda: fairness.subgroup_areas(Y, P, subgroups={"a": [True]}),
        lambda: fairness.subgroup_areas(Y, P, subgroups={"a": range(10)}),
        lambda: fairness.subgroup_areas(Y, P, subgroups={"a": [0] * 10}),
        lambda: fairness.impact_curve([0.1, float("nan")], by=["a", "b"]),
        lambda: fairness.impact_curve([0.1, 0.2], by=["a"]),
        lambda: fairness.adverse_impact([1, 0], by=3),
    ):
        with pytest.raises(RocksteadyError):
            call()
    assert issubclass(InputTypeError, TypeError)
    with pytest.raises(UnknownIndexError):
        fairness.MetricFrame(metrics="recal", y_true=Y, y_pred=P, sensitive_features=SEX)


# intervals


def test_two_groups_have_newcombes_interval():
    groups = keyed([[56, 0, 14, 0], [48, 0, 32, 0]])
    found = pair(groups, "recall", "difference", (0, 1))
    expected = rs.inference.proportion_difference(56, 70, 48, 80)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-14)
    back = pair(groups, "recall", "difference", (1, 0))
    assert (back.low, back.high) == pytest.approx((-found.high, -found.low), abs=1e-14)
    ratio = pair(groups, "recall", "ratio", (0, 1))
    again = pair(groups, "recall", "ratio", (1, 0))
    assert ratio.estimate == pytest.approx(0.8 / 0.6)
    assert (again.low, again.high) == pytest.approx((1 / ratio.high, 1 / ratio.low), rel=1e-12)
    assert ratio.low > 1  # as the difference is above 0
    with pytest.raises(RocksteadyError):
        pair(groups, "recall", "ratio", (0, 7))


def test_bounds_over_groups_are_those_of_all_pairs():
    """The kernel looks at few pairs; here are all of them."""
    from scipy.stats import norm, studentized_range

    rng = np.random.default_rng(3)
    for _ in range(20):
        groups = int(rng.integers(2, 15))
        rows = rng.integers(1, 60, groups)
        hits = rng.binomial(rows, rng.random(groups))
        own = keyed(np.column_stack([hits, 0 * hits, rows - hits, 0 * hits]))
        found = disparity(own, "recall", "difference")
        z = studentized_range.ppf(0.975, groups, np.inf) / math.sqrt(2)
        alone = own.counts.interval("recall", level=0.95)
        together = own.counts.interval("recall", level=1 - 2 * norm.sf(z))
        p = hits / rows
        low = high = 0.0
        for i in range(groups):
            for j in range(groups):
                if i != j:
                    high = max(high, p[i] - p[j] + math.hypot(alone.high[i] - p[i], p[j] - alone.low[j]))
                    low = max(low, p[i] - p[j] - math.hypot(p[i] - together.low[i], together.high[j] - p[j]))
        assert found.low == pytest.approx(low, abs=1e-6)  # scipy's quantile has seven digits
        assert found.high == pytest.approx(min(high, 1), abs=1e-12)


def test_intervals_cover():
    """The true difference, ratio, least and greatest recall of groups, alike and not: at least 92 % of 200 samples."""
    rng = np.random.default_rng(11)
    for shares in ([0.8] * 10, [0.6, 0.7, 0.8, 0.9], [0.95, 0.5], [0.1] * 3):
        true = np.array(shares)
        truths = {
            "difference": np.ptp(true),
            "ratio": true.min() / true.max(),
            "min": true.min(),
            "max": true.max(),
        }
        covered = dict.fromkeys(truths, 0)
        samples = 4000 if THOROUGH else 200
        for _ in range(samples):
            rows = rng.integers(20, 200, true.size)
            hits = rng.binomial(rows, true)
            own = keyed(np.column_stack([hits, 0 * hits, rows - hits, 0 * hits]))
            for kind, value in truths.items():
                found = disparity(own, "recall", kind)
                covered[kind] += found.low - 1e-12 <= value <= found.high + 1e-12
        for kind, number in covered.items():
            assert number / samples >= (0.94 if THOROUGH else 0.92), (shares, kind, number)


def test_groups_without_a_value_are_left_out_and_counted():
    own = keyed([[8, 1, 2, 9], [0, 3, 0, 5], [5, 1, 5, 9]])
    for kind in ("difference", "ratio", "min", "max"):
        found = disparity(own, "recall", kind)
        assert (found.groups, found.without) == (2, 1)
        assert found.low <= found.value <= found.high
    none = disparity(keyed([[0, 3, 0, 5]]), "recall", "difference")
    assert math.isnan(none.value)
    assert (none.groups, none.without, none.lowest) == (0, 1, None)


@pytest.mark.parametrize("tables", [[[8, 1, 2, 9]], [[8, 1, 2, 9], [0, 3, 0, 5], [0, 0, 0, 2]], [[0, 3, 0, 5]]])
@pytest.mark.parametrize("method", ["between_groups", "to_overall"])
def test_fewer_than_two_values_make_no_difference_and_no_ratio(tables, method):
    """A group alone would be compared with itself: 0, or 1, with an interval of no width."""
    why = "Fewer than two groups have a value."
    for kind in ("difference", "ratio"):
        for level in (0.95, None):
            found = disparity(keyed(tables), "recall", kind, method=method, level=level)
            assert all(math.isnan(number) for number in (found.value, found.low, found.high))
            assert found.why == why
            assert f"nan, {why}" in repr(found)
    tables = [[8, 1, 2, 9], *tables]
    control = ["x", *["y"] * (len(tables) - 1)]
    for kind in ("difference", "ratio"):
        table = disparity(keyed(tables, control), "recall", kind, method=method)
        assert all(math.isnan(number) for number in table.to_dict()["value"])
        assert table.note == f"NaN where: {why}"
    for kind in ("min", "max"):
        found = disparity(keyed(tables[:1]), "recall", kind)
        assert found.low < found.value == 0.8 < found.high
        assert found.why is None


def test_fewer_than_two_values_of_scores_and_of_adverse_impact():
    y, keys = [1, 1, 0, 0, 0, 0, 0, 0], {"g": list("aaaabbbb")}
    by = rs.group_by(y, y_score=[1, 1, 0, 0, 1, 0, 0, 0], by=keys)
    for found in (by.difference("roc_auc"), by.ratio("roc_auc"), by.difference("roc_auc", method="to_overall")):
        assert all(math.isnan(number) for number in (found.value, found.low, found.high))
        assert found.why == "Fewer than two groups have a value."
    alone = fairness.adverse_impact([1, 0], by={"g": ["a", "a"]})
    assert math.isnan(alone.disparity.value)
    assert not alone.is_below()
    assert repr(alone).endswith("no adverse impact ratio: Fewer than two groups have a value.")
    for weight in (None, [1, 1, 0, 0]):
        keys = ["a"] * 4 if weight is None else list("aabb")
        curve = fairness.impact_curve([0.1, 0.2, 0.3, 0.4], by=keys, sample_weight=weight)
        assert np.isnan(curve.ratio).all()
        assert np.isnan(curve.difference).all()
        assert not curve.meets().any()
        assert curve.why == "Fewer than two groups have a value."
        assert curve.why in repr(curve)
    curve = fairness.impact_curve([0.1, 0.2, 0.3, 0.4], by=list("aabb"))
    assert curve.why is None
    assert "why" not in repr(curve)


MISSING = [None, float("nan"), pd.NA, pd.NaT]


def columns_with_a_gap():
    """Columns of labels whose row 3 is missing, in every form."""
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    texts, numbers = ["yes", "no", "yes", None, "no"], [1, 0, 1, None, 0]
    for values, positive in ((texts, "yes"), (numbers, 1)):
        for missing in MISSING:
            given = [missing if value is None else value for value in values]
            yield given, positive
            yield np.array(given, dtype=object), positive
            yield pd.Series(given, dtype=object), positive
        yield pd.Series(values), positive
        yield pd.Series(values, dtype="category"), positive
        yield polars.Series(values), positive
        yield pyarrow.array(values), positive
        yield pyarrow.chunked_array([values]), positive
    yield np.array([1, 0, 1, np.nan, 0]), 1
    yield pd.array(numbers, dtype="Int64"), 1
    yield pd.Series([True, False, True, None, False], dtype="boolean"), True
    yield np.ma.array([1, 0, 1, 1, 0], mask=[0, 0, 0, 1, 0]), 1


def test_missing_predictions_are_refused_with_argument_and_row():
    y, keys = [1, 0, 1, 1, 0], list("aabbb")
    for given, positive in columns_with_a_gap():
        calls = [
            lambda given=given, positive=positive: fairness.adverse_impact(given, by=keys, pos_label=positive),
            lambda given=given, positive=positive: fairness.selection_rate(y, given, pos_label=positive),
        ]
        rate = partial(fairness.selection_rate, pos_label=positive)
        options = {"y_pred": given, "sensitive_features": keys}
        calls.append(lambda options=options, rate=rate: fairness.MetricFrame(metrics=rate, y_true=y, **options))
        if positive in (0, 1):
            calls += [
                lambda call=call, options=options: call(y, **options)
                for call in (
                    fairness.demographic_parity_difference,
                    fairness.demographic_parity_ratio,
                    fairness.equalized_odds_difference,
                    fairness.equal_opportunity_ratio,
                )
            ]
            calls += [
                lambda given=given, call=call: call(y, given)
                for call in (
                    fairness.true_positive_rate,
                    fairness.true_negative_rate,
                    fairness.false_positive_rate,
                    fairness.false_negative_rate,
                )
            ]
            calls += [
                lambda options=options, metric=metric: fairness.MetricFrame(metrics=metric, y_true=y, **options)
                for metric in ("accuracy", fairness.true_positive_rate)
            ]
        for call in calls:
            with pytest.raises(rs.InputError, match=r"^y_pred\[3\] is missing; expected a label$") as refused:
                call()
            assert (refused.value.argument, refused.value.row) == ("y_pred", 3)


def test_missing_members_of_a_subgroup_are_refused_with_their_row():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    values = [True, False, None, True]
    forms = [values, np.array(values, dtype=object), np.array([1, 0, np.nan, 1]), pd.Series(values, dtype="boolean")]
    forms += [polars.Series(values), pyarrow.array(values), np.ma.array([1, 0, 1, 1], mask=[0, 0, 1, 0])]
    for form in forms:
        with pytest.raises(rs.InputError, match=r"subgroups\['s'\]\[2\] is missing") as refused:
            fairness.subgroup_areas([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], subgroups={"s": form})
        assert (refused.value.argument, refused.value.row) == ("subgroups", 2)


def test_predictions_that_are_no_labels_are_refused():
    for given in ([0.5, 1.0], [np.datetime64("NaT"), 1], [1, "a"]):
        with pytest.raises((rs.InputError, rs.InputTypeError), match="^y_pred"):
            fairness.adverse_impact(given, by=["a", "b"])
    assert fairness.adverse_impact(np.array([[1], [0], [2], [1]]), by=list("aabb")).disparity.value == 1.0


def test_index_labels_in_another_order_are_suspected_in_each_form():
    index = list("abcd")
    y, p = pd.Series([0, 0, 1, 1], index=index), pd.Series([0, 1, 1, 1], index=index)
    keys = pd.Series(["u", "v", "v", "u"], index=[*"badc"])
    weight = pd.Series(1.0, index=index[::-1])
    options = [keys, {"g": keys}, pd.DataFrame({"g": keys})]
    calls = [
        lambda form: fairness.adverse_impact(p, by=form),
        lambda form: fairness.impact_curve(p, by=form),
        lambda form: fairness.demographic_parity_ratio(y, p, sensitive_features=form),
        lambda form: fairness.equalized_odds_difference(y, p, sensitive_features=form),
        lambda form: fairness.MetricFrame(metrics="accuracy", y_true=y, y_pred=p, sensitive_features=form),
        lambda form: fairness.MetricFrame(
            metrics="accuracy", y_true=y, y_pred=p, sensitive_features=list("aabb"), control_features=form
        ),
    ]
    for form in options:
        for call in calls:
            with pytest.warns(RocksteadyWarning, match="in another order.*bring them into one order first") as said:
                call(form)
            assert len(said) == 1
    for call in (
        lambda: fairness.adverse_impact(p, by=list("aabb"), sample_weight=weight),
        lambda: fairness.selection_rate(y, p, sample_weight=weight),
        lambda: fairness.true_positive_rate(y, p.iloc[::-1]),
        lambda: fairness.subgroup_areas(y, p, subgroups={"a": keys == "u"}),
        lambda: fairness.subgroup_areas(y, p, subgroups={"a": list(keys == "u")}, sample_weight=weight),
        lambda: fairness.MetricFrame(
            metrics="accuracy",
            y_true=y,
            y_pred=p,
            sensitive_features=list("aabb"),
            sample_params={"sample_weight": weight},
        ),
    ):
        with pytest.warns(RocksteadyWarning, match="in another order"):
            call()


def test_disparities_within_control_groups_are_those_of_each_alone():
    rng = np.random.default_rng(5)
    tables = rng.integers(1, 30, (9, 4))
    control = np.repeat(["x", "y", "z"], 3)
    for kind in ("difference", "ratio", "min", "max"):
        table = disparity(keyed(tables, control), "f1", kind).to_dict()
        for place, name in enumerate(["x", "y", "z"]):
            alone = disparity(keyed(tables[control == name]), "f1", kind)
            for field in ("value", "low", "high", "overall"):
                assert table[field][place] == getattr(alone, field)


def test_groups_of_rows_answer_in_one_line():
    rng = np.random.default_rng(12)
    y, g = rng.integers(0, 2, 900), rng.choice(["a", "b", "c"], 900)
    s = np.round(rng.random(900) + 0.3 * y, 2)
    by = rs.group_by(y, s >= 0.6, s, by=g)
    found = by.difference("recall")
    assert isinstance(found, fairness.Disparity)
    assert found.value == np.ptp(by.every("recall"))
    assert found.low <= found.value <= found.high
    assert by.ratio("recall").value == by.every("recall").min() / by.every("recall").max()
    assert (by.min("recall").value, by.max("recall").value) == (by.every("recall").min(), by.every("recall").max())
    far = by.difference("recall", method="to_overall")
    whole = by.overall["recall"]
    assert far.value == np.abs(by.every("recall") - whole).max()
    assert 0 <= far.low <= far.value <= far.high
    assert far.why is None
    area = by.difference("roc_auc", method="to_overall")
    assert math.isnan(area.low)
    assert "part of all rows" in area.why
    two = by.difference("recall", groups=("a", "b"))
    assert two.estimate == by["recall"].value[0] - by["recall"].value[1]
    # The error of the logarithm of a ratio of shares: Katz, Baptista, Azen, Pike 1978, doi:10.2307/2530610.
    ratio, alone = by.ratio("recall", groups=("a", "b")), by.interval("recall")
    errors = alone.standard_error[:2] / alone.value[:2]
    assert ratio.standard_error / ratio.estimate == pytest.approx(np.hypot(*errors), rel=1e-12)
    assert len(by.worst("recall")) == 3
    with pytest.raises(InputError, match="groups"):
        by.difference("recall", groups=("a", "z"))
    with pytest.raises(UnknownIndexError):
        by.difference("recal")


@pytest.mark.parametrize("name", ["recall", "accuracy", "precision", "f1"])
@pytest.mark.parametrize("kind", ["difference", "ratio"])
def test_intervals_of_the_distance_to_all_rows_cover_it(name, kind):
    # Three groups of unlike size and quality, 400 samples; at 90 % the binomial's standard deviation is 1.5 %.
    rng = np.random.default_rng(5)
    shares = np.array([[0.3, 0.1, 0.1, 0.5], [0.1, 0.15, 0.1, 0.65], [0.2, 0.2, 0.15, 0.45]])
    sizes = np.array([300, 150, 80])
    true = keyed(shares * sizes[:, None])
    truth = disparity(true, name, kind, method="to_overall", level=None).value
    covered, samples = 0, 400
    for _ in range(samples):
        tables = np.array([rng.multinomial(size, share) for size, share in zip(sizes, shares, strict=True)])
        found = disparity(keyed(tables.astype(float)), name, kind, method="to_overall", level=0.9)
        assert found.low <= found.value <= found.high
        covered += found.low <= truth <= found.high
    assert covered / samples >= 0.86


def test_the_distance_to_all_rows_has_no_interval_where_they_lie_outside():
    tables = np.array([[40.0, 1, 1, 1], [1, 1, 1, 40]])  # each group is all of one class; together they tell both apart
    found = disparity(keyed(tables), "mcc", "difference", method="to_overall")
    assert math.isnan(found.low)
    assert "between_groups" in found.why


def test_areas_of_groups_have_differences_with_intervals():
    rng = np.random.default_rng(13)
    y, g = rng.integers(0, 2, 3000), rng.choice(["a", "b", "c"], 3000)
    s = rng.normal(0, 1, 3000) + y * np.where(g == "c", 0.5, 1.5)
    by = rs.group_by(y, y_score=s, by=g)
    found = by.difference("roc_auc")
    assert found.value == np.ptp(by.every("roc_auc"))
    assert 0 < found.low < found.value < found.high < 1
    assert (found.lowest, found.groups) == ("c", 3)
    assert by.ratio("roc_auc").low < by.ratio("roc_auc").value
    control = rs.group_by(y, y_score=s, by={"g": g}, control={"c": np.arange(3000) % 2})
    table = control.difference("roc_auc").to_dict()
    for place in (0, 1):
        rows = np.arange(3000) % 2 == place
        alone = rs.group_by(y[rows], y_score=s[rows], by=g[rows]).difference("roc_auc")
        assert (table["value"][place], table["low"][place], table["high"][place]) == (
            alone.value,
            alone.low,
            alone.high,
        )


def test_sampling_weights_widen_intervals():
    rng = np.random.default_rng(2)
    y, p, g = rng.integers(0, 2, 2000), rng.integers(0, 2, 2000), rng.integers(0, 2, 2000)
    w = rng.choice([1.0, 8.0], 2000)
    widths = {}
    for kind, weights in (("counts", np.full(2000, w.mean())), ("sampling", w)):
        by = rs.group_by(y, p, by=g, sample_weight=weights, weight_kind=kind)
        found = by.difference("recall", groups=(0, 1))
        widths[kind] = found.high - found.low
        assert by.worst("f1").tested == 2
        assert by.difference("f1").low <= by.difference("f1").value
    assert widths["sampling"] > 2 * widths["counts"]


def test_a_disparity_travels():
    found = disparity(keyed([[8, 1, 2, 9], [5, 1, 5, 9]]), "recall", "difference")
    assert pickle.loads(pickle.dumps(found)) == found
    assert float(found) == found.value
    assert "difference" in repr(found)
    assert "<td>" in found._repr_html_()


# the worst groups


def test_the_worst_groups_are_those_with_evidence():
    tables = [[0, 0, 2, 0], [500, 0, 500, 0], [9000, 0, 1000, 0], [30, 0, 1, 0], [0, 5, 0, 5]]
    found = worst(keyed(tables), "recall", k=3)
    assert [row[0] for row in found.table] == [1, 0, 3]
    assert (found.tested, found.without, found.small) == (4, 1, 0)
    assert found.interval_level == pytest.approx(1 - 0.05 * 3 / 4)
    columns = found.table.to_dict()
    exact = rs.Counts([500], 0, [500], 0).interval("recall", level=found.interval_level, method="clopper_pearson")
    assert (columns["low"][0], columns["high"][0]) == (exact.low[0], exact.high[0])
    assert columns["value"][1] < columns["shrunken"][1]
    assert worst(keyed(tables), "recall", min_rows=10).small == 1
    assert worst(keyed(tables), "recall", adjust="holm", k=1).interval_level == pytest.approx(1 - 0.05 / 4)
    assert worst(keyed(tables), "recall", adjust="none").interval_level == pytest.approx(0.95)
    assert worst(keyed(tables), "fnr", k=1).table.rows[0][0] == 1  # high values are bad
    assert worst(keyed(tables), "recall", k=1, bad="high").table.rows[0][0] == 2
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_p_value_is_fishers():
    from scipy.stats import hypergeom

    rng = np.random.default_rng(8)
    tables = rng.integers(0, 40, (30, 4))
    found = worst(keyed(tables), "precision", k=30)
    tp, fp = tables[:, 0], tables[:, 1]
    for row in found.table:
        group, p_value = row[0], row[found.table.columns.index("p_value")]
        n, hits = tp[group] + fp[group], tp.sum()
        tails = hypergeom(tp.sum() + fp.sum(), hits, n)
        expected = min(1, 2 * min(tails.cdf(tp[group]), tails.sf(tp[group] - 1)))
        assert p_value == pytest.approx(expected, rel=1e-9)
    adjusted = found.table.to_dict()["adjusted"]
    p_values = np.array(found.table.to_dict()["p_value"])
    order = np.argsort(p_values)
    plain = np.minimum.accumulate((p_values[order] * len(order) / np.arange(1, len(order) + 1))[::-1])[::-1]
    np.testing.assert_allclose(np.array(adjusted)[order], plain, rtol=1e-12)


@pytest.mark.parametrize("cells", [[0.3, 0.1, 0.1, 0.5], [0.05, 0.03, 0.02, 0.9]])
@pytest.mark.parametrize("name", ["recall", "accuracy", "f1", "mcc", "kappa"])
def test_no_difference_is_found_where_there_is_none(name, cells):
    """Groups of one distribution, small ones and few positives too: one is found in at most 5 % of the samples."""
    rng = np.random.default_rng(21)
    samples = 2000 if THOROUGH else 60
    for rows in (15, 40, 150):
        found = 0
        for _ in range(samples):
            own = worst(keyed(rng.multinomial(rows, cells, size=100)), name, k=100, bad="either")
            found += own.found > 0
        assert found / samples <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / samples), (name, rows, found)


def test_a_group_that_differs_is_found():
    """So that the test is not idle: a group of 400 rows at half the recall, by each index."""
    rng = np.random.default_rng(22)
    for name in ("recall", "accuracy", "f1", "mcc", "kappa"):
        tables = rng.multinomial(400, [0.3, 0.1, 0.1, 0.5], size=100)
        tables[7] = rng.multinomial(400, [0.18, 0.1, 0.22, 0.5])
        found = worst(keyed(tables), name, k=3)
        assert found.table.rows[0][0] == 7
        assert found.found >= 1


@pytest.mark.parametrize(("recall", "rows"), [(0.8, 60), (0.95, 20)])
def test_shown_intervals_miss_as_often_as_they_say(recall, rows):
    """The ten groups with the most evidence of 100 whose recalls differ: 5 % of their intervals miss, at most."""
    rng = np.random.default_rng(4)
    missed = shown = 0
    for _ in range(200):
        true = rng.normal(recall, 0.03, 100).clip(0, 1)
        hits = rng.binomial(rows, true)
        table = worst(keyed(np.column_stack([hits, 0 * hits, rows - hits, 0 * hits])), "recall", k=10).table.to_dict()
        for group, low, high in zip(table["group"], table["low"], table["high"], strict=True):
            missed += not low <= true[group] <= high
            shown += 1
    assert missed / shown <= 0.06


def test_edge_cases_of_worst():
    for tables in ([[5, 0, 5, 0]], [[0, 1, 0, 1]] * 3, [[1, 0, 0, 0]] * 1000, [[2**59, 0, 2**59, 0]] * 3):
        found = worst(keyed(tables), "recall")
        assert found.found == 0
        assert found.tested + found.without == len(tables)
    many = worst(keyed(np.tile([1, 0, 1, 0], (20_000, 1))), "recall", k=5)
    assert len(many) == 5


# scores


def test_the_impact_curve_is_the_ratio_at_each_threshold():
    rng = np.random.default_rng(6)
    scores, groups = rng.integers(0, 30, 500) / 30, rng.choice(["a", "b", "c"], 500, p=[0.6, 0.3, 0.1])
    weights = rng.integers(0, 4, 500)
    for sample_weight in (None, weights):
        curve = fairness.impact_curve(scores, by=groups, sample_weight=sample_weight)
        for threshold, ratio, lowest in zip(curve.thresholds, curve.ratio, curve.lowest, strict=True):
            found = fairness.adverse_impact(scores >= threshold, by=groups, sample_weight=sample_weight)
            assert ratio == pytest.approx(found.disparity.value, abs=1e-15)
            assert curve.lowest_rate[list(curve.thresholds).index(threshold)] == pytest.approx(
                found.disparity.lowest_value
            )
            assert curve.groups[lowest] in "abc"
    assert curve.ratio[-1] == 1.0
    assert curve.meets(0.99).sum() >= 1


def test_areas_of_subgroups_are_those_of_chosen_rows():
    rng = np.random.default_rng(9)
    y, s = rng.integers(0, 2, 300), rng.integers(0, 40, 300) / 40
    masks = {
        "few": rng.random(300) < 0.1,
        "many": rng.random(300) < 0.7,
        "positives": y == 1,
        "all": np.ones(300, bool),
    }
    for weights in (None, rng.random(300)):
        found = fairness.subgroup_areas(y, s, subgroups=masks, sample_weight=weights, level=0.9)
        for place, mask in enumerate(masks.values()):
            for field, rows in (
                ("subgroup_auc", mask),
                ("bpsn_auc", (mask & (y == 0)) | (~mask & (y == 1))),
                ("bnsp_auc", (mask & (y == 1)) | (~mask & (y == 0))),
            ):
                own = getattr(found, field)[place]
                ends = [getattr(found, f"{field[:-4]}_{end}")[place] for end in ("low", "high")]
                if len(set(y[rows])) < 2:
                    assert math.isnan(own)
                    assert np.isnan(ends).all()
                    continue
                part = None if weights is None else weights[rows]
                interval = rs.ScoreTable(y[rows], s[rows], sample_weight=part).interval("roc_auc", level=0.9)
                assert ends == [interval.low, interval.high]
                expected = sklearn.metrics.roc_auc_score(y[rows], s[rows], sample_weight=part)
                assert own == pytest.approx(expected, abs=1e-13)
    assert found.subgroup.tolist() == list(masks)
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_label_that_nobody_is_predicted_to_be_is_refused():
    guess, by = ["no", "yes", "no"], ["a", "b", "a"]
    frame = {"metrics": fairness.selection_rate, "y_true": guess, "y_pred": guess, "sensitive_features": by}
    for call in (
        lambda **own: fairness.adverse_impact(guess, by=by, **own),
        lambda **own: fairness.selection_rate(guess, guess, **own),
        lambda **_: fairness.MetricFrame(**frame),
    ):
        with pytest.raises(InputError, match=r"pos_label is 1; expected one of the labels of y_pred, \['no'"):
            call()
    assert fairness.selection_rate(guess, guess, pos_label="yes") == pytest.approx(1 / 3)
    with pytest.raises(InputError, match="pos_label is '1'; expected one of the labels of y_pred"):
        fairness.selection_rate([0, 0], [0, 0], pos_label="1")
    assert fairness.selection_rate([0, 0], [0, 0]) == 0

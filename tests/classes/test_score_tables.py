"""ScoreTables: every index of several classes' scores against naive sums; merging, bytes, refusals."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import rocksteady as rs


def pair_mean(function, y, scores, classes, weights):
    """The mean over ordered pairs of classes with rows of the weighted mean of `function` over pairs of rows."""
    present = [k for k in range(classes) if weights[y == k].sum() > 0]
    values = []
    for j in present:
        for k in present:
            if j != k:
                a, b = scores[y == j, j], scores[y == k, j]
                w = weights[y == j][:, None] * weights[y == k]
                values.append((function(a[:, None], b) * w).sum() / w.sum())
    return np.mean(values) if values else np.nan


@st.composite
def problems(draw):
    rows, classes = draw(st.integers(2, 30)), draw(st.integers(2, 5))
    y = draw(hnp.arrays(np.int64, rows, elements=st.integers(0, classes - 1)))
    scores = draw(hnp.arrays(np.float64, (rows, classes), elements=st.integers(0, 8).map(lambda x: x / 8)))
    weights = draw(st.none() | hnp.arrays(np.float64, rows, elements=st.sampled_from([0.25, 1.0, 3.0])))
    return y, scores, classes, weights


@given(problems(), st.sampled_from(["float64", "float32", "float16"]), st.sampled_from("CF"))
def test_indices_equal_their_definitions(problem, dtype, order):
    y, scores, classes, weights = problem
    tables = rs.ScoreTables(
        y, np.asarray(scores.astype(dtype), order=order), labels=range(classes), sample_weight=weights
    )
    w = np.ones(len(y)) if weights is None else weights
    own = scores[np.arange(len(y)), y]
    assert tables["mpr"] == pytest.approx(np.average(own, weights=w), abs=1e-14)
    present = [k for k in range(classes) if (y == k).any()]
    means = [np.average(own[y == k], weights=w[y == k]) for k in present]
    assert tables["macro_mpr"] == pytest.approx(np.mean(means), abs=1e-14)
    pairs = {
        "sauc": lambda a, b: np.maximum(a - b, 0),
        "pauc": lambda a, b: (a - b + 1) / 2,
        "au1u": lambda a, b: (a > b) + (a == b) / 2,
    }
    for name, function in pairs.items():
        expected = pair_mean(function, y, scores, classes, w)
        assert tables[name] == pytest.approx(expected, abs=1e-14, nan_ok=True), name
        assert (tables.why(name) is None) == (len(present) > 1)
    areas = tables.every("roc_auc")
    for k in range(classes):
        single = rs.ScoreTable(y == k, scores[:, k].astype(dtype), pos_label=True, sample_weight=weights)
        assert areas[k] == pytest.approx(single["roc_auc"], abs=1e-15, nan_ok=True)
        assert tables.one_vs_rest(k).value("ks") == pytest.approx(single["ks"], abs=1e-15, nan_ok=True)
        np.testing.assert_array_equal(tables.one_vs_rest(k).every("f1"), single.every("f1"))
    assert tables.value("roc_auc", average="macro") == pytest.approx(areas.mean(), abs=1e-15, nan_ok=True)
    assert tables["aunu"] == pytest.approx(areas.mean(), abs=1e-15, nan_ok=True)
    sizes = tables.sizes
    np.testing.assert_allclose(sizes, [w[y == k].sum() for k in range(classes)])
    if not np.isnan(areas).any():
        assert tables["aunp"] == pytest.approx(np.average(areas, weights=sizes), abs=1e-14)
        assert tables.value("roc_auc", average="weighted") == pytest.approx(tables["aunp"], abs=1e-14)
        assert tables.value("roc_auc", average=sizes) == pytest.approx(tables["aunp"], abs=1e-14)
    if len(present) > 1:
        skipped = tables.value("roc_auc", average="macro", absent="skip")
        assert skipped == pytest.approx(np.nanmean(areas), abs=1e-14)
    precisions = tables.every("average_precision")
    assert tables["map"] == pytest.approx(precisions.mean(), abs=1e-14)
    if weights is None:
        flags = (y[:, None] == np.arange(classes)).ravel()
        pooled = rs.ScoreTable(flags, scores.astype(dtype).ravel(), pos_label=True)
        assert tables.value("roc_auc", average="micro") == pooled["roc_auc"]
        assert tables.value("average_precision", average="micro") == pooled["average_precision"]


@given(problems(), st.integers(1, 29), st.randoms(use_true_random=False))
def test_parts_add_up_to_the_bit(problem, cut, random):
    y, scores, classes, weights = problem
    labels = range(classes)
    whole = rs.ScoreTables(y, scores, labels=labels, sample_weight=weights)
    order = list(range(len(y)))
    random.shuffle(order)
    cut = 1 + cut % (len(y) - 1) if len(y) > 1 else 1
    parts = [
        rs.ScoreTables(y[p], scores[p], labels=labels, sample_weight=None if weights is None else weights[p])
        for p in (order[:cut], order[cut:])
        if p
    ]
    both = parts[0] + parts[1] if len(parts) == 2 else parts[0]
    assert both == whole
    assert both.to_bytes() == whole.to_bytes()
    assert repr(both.to_dict()) == repr(whole.to_dict())


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=1, max_size=30),
)
def test_two_classes_are_a_score_table(rows):
    y, p = np.array([r[0] for r in rows]), np.array([r[1] for r in rows]) / 8
    tables = rs.ScoreTables(y, np.column_stack([1 - p, p]), labels=[0, 1])
    table = rs.ScoreTable(y, p, pos_label=1)
    for name in ("mpr", "macro_mpr", "sauc", "pauc", "map"):
        assert table[name] == pytest.approx(tables[name], abs=1e-15, nan_ok=True), name
    if len(set(y)) == 2:
        assert table["pauc"] == pytest.approx(table["macro_mpr"], abs=1e-15)
        assert tables["aunu"] == pytest.approx(table["roc_auc"], abs=1e-15)


@pytest.fixture(scope="module")
def golden(request):
    return json.loads((Path(request.getfixturevalue("data")) / "golden.json").read_text())["prob_matrix"]


def test_the_golden_matrix(golden):
    tables = rs.ScoreTables(golden["y"], golden["P"])
    for name, key in [
        ("mpr", "mpr_mean_true_class_prob"),
        ("mapr", "mapr_macro"),
        ("map", "map_macro_average_precision_sklearn"),
        ("aunu", "auc_ovr_macro_sklearn"),
        ("au1u", "auc_ovo_macro_sklearn"),
    ]:
        assert tables[name] == pytest.approx(golden[key], abs=1e-14), name
    np.testing.assert_allclose(tables.every("average_precision"), golden["ap_per_class"], atol=1e-14)


def test_scores_that_are_no_probabilities_are_told_apart():
    table = rs.ScoreTable([0, 1, 1], [-1.0, 0.5, 2.0])
    tables = rs.ScoreTables([0, 1], [[3.0, 1.0], [0.0, 2.0]])
    for statistic in (table, tables):
        for name in ("mpr", "macro_mpr", "sauc", "pauc"):
            assert np.isnan(statistic[name])
            assert statistic.why(name) == "A score lies outside [0, 1], so the scores are not probabilities."
        assert statistic["map"] == 1.0
        assert statistic.why("map") is None


def test_why_speaks_of_averages_too():
    tables = rs.ScoreTables([0, 1, 2], [[1, 2, 3], [3, -1, 2], [0, 0, 9]])
    for name in ("expected_calibration_error", "brier_miscalibration", "calibration_slope", "brier"):
        assert "not probabilities" in tables.why(name, average="macro")
    assert tables.why("roc_auc", average="macro") is None
    for name, average in (("mcc", "macro"), ("no such index", "macro"), ("roc_auc", None)):
        with pytest.raises(rs.UnknownIndexError):
            tables.why(name, average=average)


def test_absent_classes():
    tables = rs.ScoreTables([0, 1, 1], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.6, 0.1]], labels=[0, 1, 2])
    assert tables.every("roc_auc").tolist() == pytest.approx([1, 1, np.nan], nan_ok=True)
    assert np.isnan(tables["aunu"])
    assert tables.why("aunu") == "No row is actually of one of the classes."
    assert tables.value("average_precision", average="macro") == pytest.approx(2 / 3)
    assert tables.value("average_precision", average="macro", absent="skip") == 1
    assert tables["map"] == pytest.approx(2 / 3)
    assert tables["au1u"] == 1
    one = rs.ScoreTables([1, 1], [[0.5, 0.5], [0.2, 0.8]], labels=[0, 1])
    assert np.isnan(one["sauc"])
    assert one.why("sauc") == "All rows are actually of one class."
    assert one["mpr"] == one["macro_mpr"] == pytest.approx(0.65)


def test_labels_of_any_kind():
    scores = [[0.7, 0.3], [0.2, 0.8], [0.6, 0.4]]
    for labels in (["no", "yes", "no"], [False, True, False], [-1.0, 7.0, -1.0]):
        tables = rs.ScoreTables(labels, scores)
        assert list(tables.labels) == sorted(set(labels))
        assert tables.one_vs_rest(labels[1])["roc_auc"] == 1
        assert tables.one_vs_rest(labels[1]).labels == (False, True)
        assert rs.ScoreTables.from_bytes(tables.to_bytes()).labels == tables.labels
        assert str(labels[0]) in repr(tables)
        assert "roc_auc" in tables._repr_html_()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.ScoreTables([0, 1], [[0.1, 0.9]]), "y_score|y_true"),
        (lambda: rs.ScoreTables([0, 1], [0.1, 0.9]), "two dimensions"),
        (lambda: rs.ScoreTables([0, 1, 2], [[0.5, 0.5]] * 3), "columns"),
        (lambda: rs.ScoreTables([0, 1, 1], [[0.5, 0.5], [0.5, float("nan")], [1, 1]]), r"y_proba\[1\] is NaN"),
        (lambda: rs.ScoreTables([1, 0, 1], [[0.5, 0.5], [0.5, 0.5], [float("inf"), 1]]), r"y_proba\[2\] is inf"),
        (lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2, labels=[1, 0]), "ascending"),
        (lambda: rs.ScoreTables([0, 3], [[0.5, 0.5]] * 2, labels=[0, 1]), r"y_true\[1\] is of another class"),
        (lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2, sample_weight=[1, -1]), r"sample_weight\[1\] is -1"),
        (lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2, sample_weight=[1]), "sample_weight"),
        (lambda: rs.ScoreTables([], np.empty((0, 2))), "y_true"),
        (lambda: rs.ScoreTables([0, 1], np.zeros((2, 1001)), labels=range(1001)), "at most 1000"),
        (lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2).one_vs_rest(2), "one of the labels"),
        (lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2).value("ks", average="mean"), "macro"),
        (lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2).value("ks", average=[1.0]), "weights"),
        (lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2).value("ks", average="macro", absent="zero"), "skip"),
        (lambda: rs.ScoreTables.from_bytes(b"rocksted"), "not the bytes of a ScoreTables"),
        (
            lambda: rs.ScoreTables([0, 1], [[0.5, 0.5]] * 2) + rs.ScoreTables([0, 2], [[0.5, 0.5]] * 2),
            "different classes",
        ),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(rs.InputError, match=words):
        call()


def test_indices_without_a_value_for_all_classes():
    tables = rs.ScoreTables([0, 1], [[0.5, 0.5], [0.2, 0.8]])
    with pytest.raises(rs.UnknownIndexError, match="per class"):
        tables.value("roc_auc")
    with pytest.raises(rs.UnknownIndexError, match="several classes"):
        tables.value("accuracy")
    with pytest.raises(rs.UnknownIndexError):
        tables.every("accuracy")
    with pytest.raises(rs.UnknownIndexError):
        tables.value("one_vs_one_auc", average="macro")


def area(curve):
    return np.trapezoid(curve.y, curve.x)


@given(problems())
def test_pairs_of_classes_and_the_pool(problem):
    y, scores, classes, weights = problem
    tables = rs.ScoreTables(y, scores, labels=range(classes), sample_weight=weights)
    for a in range(classes):
        for b in range(classes):
            inside = (y == a) | (y == b)
            if a != b and inside.any():
                w = None if weights is None else weights[inside]
                single = rs.ScoreTable(y[inside] == a, scores[inside, a], pos_label=True, sample_weight=w)
                found = tables.one_vs_one(a, b)
                assert found.rows == single.rows
                np.testing.assert_array_equal(found.thresholds, single.thresholds)
                np.testing.assert_array_equal(found.every("tp"), single.every("tp"))
                np.testing.assert_array_equal(found.every("fp"), single.every("fp"))
    flags = (y[:, None] == np.arange(classes)).ravel()
    w = None if weights is None else np.repeat(weights, classes)
    pooled = rs.ScoreTable(flags, scores.ravel(), pos_label=True, sample_weight=w)
    np.testing.assert_array_equal(tables.pooled().every("f1"), pooled.every("f1"))
    curves = tables.curves(lambda table: table.curve("rpp", "recall"))
    assert list(curves) == list(tables.labels)
    for k, (x, recall) in curves.items():
        np.testing.assert_array_equal(x, tables.one_vs_rest(k).every("rpp"))
        np.testing.assert_array_equal(recall, tables.one_vs_rest(k).every("recall"))


@given(problems(), st.sampled_from([("fpr", "recall"), ("rpp", "recall"), ("recall", "precision")]))
def test_average_curves_are_means_upwards(problem, names):
    y, scores, classes, weights = problem
    tables = rs.ScoreTables(y, scores, labels=range(classes), sample_weight=weights)
    curves = []
    for k in range(classes):
        x, up = tables.one_vs_rest(k).curve(*names)
        known = ~(np.isnan(x) | np.isnan(up))
        curves.append((x[known], up[known]))
    present = [k for k in range(classes) if len(curves[k][0])]
    if len(present) < classes:
        assert len(tables.average_curve(*names)) == 0
    sizes = tables.sizes
    given_weights = np.arange(classes) + 1.0
    for average, shares in (("macro", np.ones(classes)), ("weighted", sizes), (given_weights, given_weights)):
        mean = tables.average_curve(*names, average, absent="skip")
        used = [k for k in present if shares[k] > 0]
        if not used:
            assert len(mean) == 0
            continue
        total = sum(shares[k] for k in used)
        xs = np.unique(np.concatenate([curves[k][0] for k in used]))
        np.testing.assert_array_equal(np.unique(mean.x), xs)
        # Before a jump the limit from the right, after it numpy's interpolation.
        after = sum(shares[k] * np.interp(xs, *curves[k]) for k in used) / total
        before = sum(shares[k] * np.interp(-xs, -curves[k][0][::-1], curves[k][1][::-1]) for k in used) / total
        for x, low, high in zip(xs, before, after, strict=True):
            found = mean.y[mean.x == x]
            assert found[0] == pytest.approx(low, abs=1e-12)
            assert found[-1] == pytest.approx(high, abs=1e-12)
        assert (mean.lowest <= mean.y + 1e-12).all()
        assert (mean.y <= mean.highest + 1e-12).all()
        even = tables.average_curve(*names, average, absent="skip", points=11)
        if xs[0] < xs[-1]:
            np.testing.assert_allclose(even.x, np.linspace(xs[0], xs[-1], 11), atol=1e-15)
            expected = sum(shares[k] * np.interp(even.x, *curves[k]) for k in used) / total
            np.testing.assert_allclose(even.y, expected, atol=1e-9)
    if names == ("fpr", "recall"):
        areas = tables.every("roc_auc")
        if not np.isnan(areas).any():
            assert area(tables.average_curve(*names)) == pytest.approx(areas.mean(), abs=1e-12)
            expected = tables.value("roc_auc", average="weighted")
            assert area(tables.average_curve(*names, "weighted")) == pytest.approx(expected, abs=1e-12)


def test_average_curve_of_scikit_learns_example():
    # plot_roc.py of scikit-learn 1.9: fpr_grid = linspace(0, 1, 1000), interpolated and averaged.
    from sklearn.metrics import auc, roc_curve

    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 400)
    scores = rng.dirichlet([1, 1, 1], 400)
    scores[np.arange(400), y] += 0.3
    grid, mean = np.linspace(0.0, 1.0, 1000), np.zeros(1000)
    for k in range(3):
        fpr, tpr, _ = roc_curve(y == k, scores[:, k])
        mean += np.interp(grid, fpr, tpr) / 3
    found = rs.ScoreTables(y, scores).average_curve("fpr", "recall", points=1000)
    np.testing.assert_allclose(found.y, mean, atol=1e-12)
    assert area(found) == pytest.approx(auc(grid, mean), abs=1e-12)
    assert (found.x_index, found.y_index) == ("fpr", "recall")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t: t.one_vs_one(0, 0), "other is 0; expected another label"),
        (lambda t: t.one_vs_one(0, 5), "other is 5; expected one of the labels"),
        (lambda t: t.average_curve("precision", "recall"), "x is .*never falls"),
        (lambda t: t.average_curve("fpr", "recall", "micro"), "average is .micro"),
        (lambda t: t.average_curve("fpr", "recall", "mean"), "average is"),
        (lambda t: t.average_curve("fpr", "recall", [1.0]), "1 weights"),
        (lambda t: t.average_curve("fpr", "recall", absent="zero"), "absent"),
        (lambda t: t.average_curve("fpr", "recall", points=1), "points is 1; expected 2 or more"),
        (lambda t: t.average_curve("fpr", "recall", points=-1), "points is -1"),
        (lambda t: t.average_curve("fpr", "recall", points="all"), "points"),
        (lambda t: t.average_curve("fpr", "roc_auc"), "roc_auc"),
        (lambda t: t.average_curve(1, "recall"), "x is 1"),
        (lambda t: t.curves("curve"), "curve is 'curve'"),
        (lambda t: t.curves(3), "curve is 3"),
    ],
)
def test_curves_that_are_refused(call, words):
    y, scores = [0, 1, 2, 0, 1], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.6, 0.1], [0.1, 0.2, 0.7], [0.5, 0.4, 0.1]]
    with pytest.raises(rs.RocksteadyError, match=words):
        call(rs.ScoreTables(y, scores))
    with pytest.raises((rs.RocksteadyError, AttributeError)):
        call(rs.LabelScoreTables(np.eye(3)[y], scores))


@st.composite
def indicators(draw):
    rows, labels = draw(st.integers(1, 30)), draw(st.integers(2, 5))
    truth = draw(hnp.arrays(np.int64, (rows, labels), elements=st.integers(0, 1)))
    scores = draw(hnp.arrays(np.float64, (rows, labels), elements=st.integers(-8, 8).map(lambda x: x / 8)))
    weights = draw(st.none() | hnp.arrays(np.float64, rows, elements=st.sampled_from([0.0, 0.25, 1.0, 3.0])))
    return truth, scores, weights


@given(indicators(), st.sampled_from(["float64", "float32", "int8"]), st.sampled_from("CF"), st.integers(0, 29))
def test_labels_of_which_a_row_may_have_several(problem, dtype, order, cut):
    truth, scores, weights = problem
    scores = np.asarray((scores * 8).astype(dtype), order=order)
    names = ["a", "b", "c", "d", "e"][: truth.shape[1]]
    tables = rs.LabelScoreTables(truth, scores, labels=names, sample_weight=weights)
    assert list(tables.labels) == names
    singles = [
        rs.ScoreTable(truth[:, k] == 1, scores[:, k], pos_label=True, sample_weight=weights) for k in range(len(names))
    ]
    for index in ("roc_auc", "average_precision", "ks"):
        values = np.array([single[index] for single in singles])
        np.testing.assert_array_equal(tables.every(index), values)
        assert tables[index] == pytest.approx(values.mean(), abs=1e-15, nan_ok=True)
    for name, single in zip(names, singles, strict=True):
        assert tables.score_table(name).labels == (False, True)
        np.testing.assert_array_equal(tables.score_table(name).every("f1"), single.every("f1"))
    sizes = tables.sizes
    w = np.ones(len(truth)) if weights is None else weights
    np.testing.assert_allclose(sizes, w @ truth)
    repeated = None if weights is None else np.repeat(weights, len(names))
    pooled = rs.ScoreTable(truth.ravel() == 1, scores.ravel(), pos_label=True, sample_weight=repeated)
    assert tables.value("average_precision", average="micro") == pytest.approx(pooled["average_precision"], nan_ok=True)
    np.testing.assert_array_equal(tables.pooled().every("f1"), pooled.every("f1"))
    areas = tables.every("roc_auc")
    if not np.isnan(areas).any():
        assert tables.value("roc_auc", average="weighted") == pytest.approx(np.average(areas, weights=sizes))
        assert area(tables.average_curve("fpr", "recall")) == pytest.approx(areas.mean(), abs=1e-12)
        theirs = rs.metrics.roc_auc_score(truth, scores, average="macro", sample_weight=weights)
        assert tables.value("roc_auc", average="macro") == pytest.approx(theirs, abs=1e-14)
    cut = 1 + cut % max(len(truth) - 1, 1)
    if cut < len(truth):
        parts = [
            rs.LabelScoreTables(
                truth[p], scores[p], labels=names, sample_weight=None if weights is None else weights[p]
            )
            for p in (slice(cut), slice(cut, None))
        ]
        assert (parts[0] + parts[1]).to_bytes() == (parts[1] + parts[0]).to_bytes() == tables.to_bytes()
    assert list(tables.curves(lambda table: table.ks())) == names


def test_label_score_tables_present_themselves():
    tables = rs.LabelScoreTables([[1, 0], [0, 1], [1, 1]], [[0.9, 0.1], [0.2, 0.3], [0.8, 0.7]])
    assert list(tables.labels) == [0, 1]
    assert repr(tables) == "<rocksteady.LabelScoreTables of 3 rows, 2 labels: 0, 1>"
    assert tables.to_dict()["roc_auc"] == 1
    assert tables.summary().columns == ("index", "macro", "micro", "weighted")
    assert "roc_auc" in tables._repr_html_()
    assert tables.why("roc_auc") is None
    empty = rs.LabelScoreTables([[1, 0], [0, 0]], [[0.9, 0.1], [0.2, 0.3]])
    assert np.isnan(empty["roc_auc"])
    assert empty.why("roc_auc") == "No row is actually positive."
    assert empty.value("roc_auc", average="macro", absent="skip") == 1
    assert len(empty.average_curve("fpr", "recall")) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.LabelScoreTables([[1, 2]], [[0.1, 0.2]]), r"y_true\[0\] is another number; expected 0 or 1"),
        (lambda: rs.LabelScoreTables([[1, 0]], [[0.1, 0.2, 0.3]]), "y_true is 1 by 2; expected 1 by 3"),
        (lambda: rs.LabelScoreTables([[1]], [[0.1]]), "two columns"),
        (lambda: rs.LabelScoreTables([1, 0], [0.1, 0.2]), "two dimensions"),
        (lambda: rs.LabelScoreTables([[1, 0]], [[0.1, np.nan]]), r"y_score\[0\] is NaN"),
        (lambda: rs.LabelScoreTables([[1, 0]], [[0.1, 0.2]], labels=["a"]), "labels is 1 labels; expected 2 labels"),
        (lambda: rs.LabelScoreTables([[1, 0]], [[0.1, 0.2]], labels=["a", "a"]), "each label once"),
        (lambda: rs.LabelScoreTables([[1, 0]], [[0.1, 0.2]], sample_weight=[-1]), r"sample_weight\[0\] is -1"),
        (lambda: rs.LabelScoreTables([[1, 0]], [[0.1, 0.2]]).score_table(2), "one of the labels"),
        (lambda: rs.LabelScoreTables([[1, 0]], [[0.1, 0.2]]).value("ks", average="mean"), "macro"),
        (lambda: rs.LabelScoreTables.from_bytes(b"rocksted"), "not the bytes of a LabelScoreTables"),
        (
            lambda: (
                rs.LabelScoreTables([[1, 0]], [[0.1, 0.2]])
                + rs.LabelScoreTables([[1, 0]], [[0.1, 0.2]], labels=["a", "b"])
            ),
            "different labels",
        ),
    ],
)
def test_labels_that_are_refused(call, words):
    with pytest.raises(rs.InputError, match=words):
        call()


def test_many_rows():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 60_000)
    scores = rng.dirichlet([1, 1, 1, 1], 60_000)
    tables = rs.ScoreTables(y, scores)
    for k, area in enumerate(tables.every("roc_auc")):
        assert area == rs.metrics.roc_auc_score(y == k, scores[:, k])
    assert tables["au1u"] == pytest.approx(rs.metrics.roc_auc_score(y, scores, multi_class="ovo"), abs=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_table_has_the_bits_of_each_index_asked_alone(weighted):
    generator = np.random.default_rng(12)
    y, scores = generator.integers(0, 4, 600), generator.dirichlet(np.ones(4), 600)
    weights = generator.random(600) if weighted else None
    for name, *found in rs.ScoreTables(y, scores, sample_weight=weights).summary().rows:
        forms = rs.index(name).forms
        alone = rs.ScoreTables(y, scores, sample_weight=weights)
        expected = [alone[name] if "score_tables" in forms else None, None, None]
        if "scores" in forms:
            expected[1:] = alone.value(name, average="macro"), alone.value(name, average="weighted")
        assert repr(found) == repr(expected), name

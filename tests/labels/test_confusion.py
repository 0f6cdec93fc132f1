"""ConfusionMatrix: counting, indices, merging, bytes, printing."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs


def naive(y_true, y_pred, labels):
    place = {label: i for i, label in enumerate(labels)}
    matrix = np.zeros((len(labels), len(labels)), dtype=np.uint64)
    for actual, predicted in zip(y_true, y_pred, strict=True):
        if actual in place and predicted in place:
            matrix[place[actual], place[predicted]] += 1
    return matrix


@given(st.lists(st.tuples(st.integers(-3, 5), st.integers(-3, 5)), min_size=1, max_size=60))
def test_counts_equal_the_naive_count(rows):
    y_true, y_pred = (list(column) for column in zip(*rows, strict=True))
    cm = rs.ConfusionMatrix(y_true, y_pred)
    labels = sorted({*y_true, *y_pred})
    assert list(cm.labels) == labels
    np.testing.assert_array_equal(cm.to_array(), naive(y_true, y_pred, labels))
    assert cm.rows == len(rows)


def test_labels_are_kept_in_order_and_others_left_out():
    cm = rs.ConfusionMatrix([1, 2, 3, 1], [1, 3, 3, 2], labels=[3, 1])
    assert list(cm.labels) == [3, 1]
    np.testing.assert_array_equal(cm.to_array(), [[1, 0], [0, 1]])
    with pytest.raises(rs.InputError, match=r"y_true\[1\] is 2"):
        rs.ConfusionMatrix([1, 2, 3, 1], [1, 3, 3, 2], labels=[3, 1], strict=True)
    weighted = rs.ConfusionMatrix([1, 2, 3, 1], [1, 3, 3, 2], labels=[3, 1], sample_weight=[1, 2, 0.5, 8])
    np.testing.assert_array_equal(weighted.to_array(), [[0.5, 0], [0, 1]])
    np.testing.assert_array_equal(rs.ConfusionMatrix([1, 2], [1, 2], labels=[7, 8]).to_array(), np.zeros((2, 2)))


def test_the_positive_class_is_the_greater_label_unless_named():
    y_true, y_pred = ["no", "yes", "yes", "no"], ["no", "yes", "no", "no"]
    cm = rs.ConfusionMatrix(y_true, y_pred)
    assert cm.pos_label == "yes"
    assert cm["recall"] == 0.5
    other = rs.ConfusionMatrix(y_true, y_pred, pos_label="no")
    assert other["recall"] == 1.0
    with pytest.raises(rs.InputError, match="pos_label"):
        rs.ConfusionMatrix(y_true, y_pred, pos_label="maybe")


def test_two_classes_give_every_promised_key():
    cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    for name in (
        "accuracy error_rate balanced_accuracy precision recall specificity npv fpr tpr fnr fdr rpp prevalence lift f1 "
        "fbeta jaccard mcc kappa cen mcen rci informedness markedness cost"
    ).split():
        assert isinstance(cm[name], float), name
    assert cm["accuracy"] == 0.85
    assert cm["mcc"] == pytest.approx(0.699087, abs=5e-7)
    assert cm["kappa"] == pytest.approx(0.698946, abs=5e-7)


def test_more_classes_refuse_a_one_class_index_with_a_hint():
    cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
    for name in "accuracy balanced_accuracy mcc kappa cen mcen rci".split():
        assert isinstance(cm[name], float), name
    assert isinstance(cm.value("cost", matrix=np.ones((3, 3)) - np.eye(3)), float)
    with pytest.raises(rs.UnknownIndexError, match="per class"):
        cm["f1"]
    with pytest.raises(rs.UnknownIndexError, match="precision"):
        cm["precison"]
    with pytest.raises(KeyError):
        cm["roc_auc"]


def test_averages():
    cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
    each = cm.every("f1")
    assert cm.value("f1", average="macro") == pytest.approx(each.mean(), abs=1e-15)
    assert cm.value("f1", average=[1, 0, 0]) == each[0]
    assert cm.value("f1", average="weighted") == pytest.approx(each @ [3, 3, 6] / 12, abs=1e-15)
    assert cm.value("f1", average="micro") == cm["accuracy"]
    with pytest.raises(rs.InputError, match="average"):
        cm.value("f1", average="median")
    with pytest.raises(rs.InputError):
        cm.value("f1", average=[1, 2])
    absent = rs.ConfusionMatrix.from_counts([[1, 0], [0, 0]])
    assert absent.value("recall", average="macro") == 0.5
    assert absent.value("recall", average="macro", zero_division=float("nan")) == 1.0


def test_undefined_is_nan_with_a_reason_and_no_warning():
    cm = rs.ConfusionMatrix.from_counts([[99, 0], [1, 0]])
    assert np.isnan(cm["precision"])
    assert "predicted positive" in cm.why("precision")
    assert cm["mcc"] == 0.0
    assert cm.why("mcc") is not None
    assert cm.why("recall") is None


def test_merging_is_pooling_to_the_bit():
    rng = np.random.default_rng(5)
    y_true, y_pred = rng.integers(0, 7, 5000), rng.integers(2, 9, 5000)
    for weight in (None, rng.lognormal(size=5000), np.where(rng.random(5000) < 0.5, 1e-300, 1.0)):

        def part(rows, weight=weight):
            return rs.ConfusionMatrix(
                y_true[rows], y_pred[rows], sample_weight=None if weight is None else weight[rows]
            )

        pooled = part(slice(None))
        merged = part(slice(0, 13)) + part(slice(13, 4000)) + part(slice(4000, None))
        assert merged == pooled
        assert merged.to_bytes() == pooled.to_bytes()
        order = rng.permutation(5000)
        assert part(order).to_bytes() == pooled.to_bytes()


def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(6)
    y_true, y_pred = rng.integers(0, 40, 700_000), rng.integers(0, 40, 700_000)
    weight = rng.random(700_000)
    try:
        states = []
        for threads in (1, 2, 7):
            rs.set_threads(threads)
            states.append(
                (
                    rs.ConfusionMatrix(y_true, y_pred).to_bytes(),
                    rs.ConfusionMatrix(y_true, y_pred, sample_weight=weight).to_bytes(),
                )
            )
        assert states[0] == states[1] == states[2]
    finally:
        rs.set_threads(None)


def test_a_pickle_knows_the_positive_class():
    cm = rs.ConfusionMatrix(["a", "b", "b"], ["a", "b", "a"], pos_label="a")
    again = pickle.loads(pickle.dumps(cm))
    assert again == cm
    assert again.pos_label == "a"


def test_large_counts_stay_right():
    exact = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    large = rs.ConfusionMatrix.from_counts(np.array([[91, 16], [14, 79]], dtype=np.uint64) << np.uint64(40))
    for name in ("mcc", "kappa", "cen", "accuracy", "f1"):
        assert large[name] == pytest.approx(exact[name], rel=1e-14), name
    assert large.total == 200 * 2.0**40


def test_printing():
    cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]], labels=["no", "yes"])
    assert "2 classes, 200 rows" in repr(cm)
    assert "91" in repr(cm)
    html = rs.ConfusionMatrix.from_counts([[1, 0], [0, 1]], labels=["<a>", "b"])._repr_html_()
    assert "&lt;a&gt;" in html
    assert "<a>" not in html
    assert "accuracy" in repr(cm.summary())
    wide = rs.ConfusionMatrix(np.arange(500), np.arange(500))
    assert len(repr(wide)) < 200
    assert wide.summary().columns == ("index", "overall", "macro", "weighted")


def test_to_dict_is_plain():
    import json

    described = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]]).to_dict()
    assert described["confusion_matrix"] == [[91, 16], [14, 79]]
    assert described["accuracy"] == 0.85
    json.dumps(described)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], "as many rows as columns"),
        ([[1, -2], [3, 4]], "-2"),
        ([[1, float("nan")], [3, 4]], "nan|NaN"),
        ([1, 2], "shape|dimension|square"),
        ([[1, 2], [3]], "counts has rows of different lengths"),
        (np.ma.array([[1, 2], [3, 4]], mask=[[1, 0], [0, 0]]), r"counts\[0\] is missing; expected a number"),
    ],
)
def test_bad_counts_are_refused(counts, message):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=message):
        rs.ConfusionMatrix.from_counts(counts)


def test_ten_million_rows():
    rng = np.random.default_rng(1)
    y_true = rng.integers(0, 2, 10_000_000)
    y_pred = np.where(rng.random(10_000_000) < 0.9, y_true, 1 - y_true)
    cm = rs.ConfusionMatrix(y_true, y_pred)
    expected = np.bincount(y_true * 2 + y_pred, minlength=4).reshape(2, 2)
    np.testing.assert_array_equal(cm.to_array(), expected)


def test_many_classes_count_sparsely():
    rng = np.random.default_rng(2)
    y_true, y_pred = rng.integers(0, 100_000, 300_000), rng.integers(0, 100_000, 300_000)
    cm = rs.ConfusionMatrix(y_true, y_pred)
    assert cm["accuracy"] == np.mean(y_true == y_pred)
    assert 0 <= cm.value("f1", average="macro") < 0.01
    with pytest.raises(rs.RocksteadyError, match="classes"):
        cm.to_array()


def test_labels_of_any_size_can_be_positive():
    cm = rs.ConfusionMatrix([2**70, 0, 0], [2**70, 0, 2**70])
    assert cm.pos_label == 2**70
    assert cm["precision"] == 0.5
    assert pickle.loads(pickle.dumps(cm)) == cm


def test_hostile_labels_stay_on_their_line():
    cm = rs.ConfusionMatrix(["a\nb", "\x1b[31m"], ["x" * 10_000, "\x1b[31m"])
    shown = repr(cm)
    assert len(shown.splitlines()) == 2 + 3
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) < 200
    with pytest.raises(rs.InputError, match="pos_label") as refused:
        rs.ConfusionMatrix(["x" * 10_000, "b"], ["b", "b"], pos_label="c")
    assert len(str(refused.value)) < 200


ROWS = ([0, 1, 1], [0, 1, 0])


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("name", lambda cm: cm[0]),
        ("name", lambda cm: cm.every(None)),
        ("name", lambda cm: cm.why(["f1"])),
        ("name", lambda cm: rs.Counts(1, 1, 1, 1)[b"f1"]),
        ("name", lambda cm: rs.ScoreTable([0, 1], [0.1, 0.2])[1]),
        ("name", lambda cm: rs.index(3)),
        ("beta", lambda cm: cm.value("fbeta", beta="2")),
        ("zero_division", lambda cm: cm.value("f1", average="macro", zero_division=[0])),
        ("data", lambda cm: rs.ConfusionMatrix.from_bytes("bytes")),
        ("data", lambda cm: rs.ScoreTable.from_bytes(None)),
        ("data", lambda cm: rs.ProbabilitySums.from_bytes(bytearray(3))),
        ("nan_policy", lambda cm: rs.ConfusionMatrix(*ROWS, nan_policy=None)),
        ("strict", lambda cm: rs.ConfusionMatrix(*ROWS, strict="yes")),
        ("infinite", lambda cm: rs.ScoreTable(*ROWS, infinite=True)),
        ("nan_policy", lambda cm: rs.ScoreCollector(nan_policy=1)),
        ("threshold", lambda cm: rs.ScoreTable(*ROWS).at("0.5")),
        ("side", lambda cm: rs.ScoreTable(*ROWS).at(0.5, side=1)),
        ("n", lambda cm: rs.set_threads("two")),
        ("counts", lambda cm: rs.ConfusionMatrix.from_counts([["1", "2"], ["3", "4"]])),
    ],
)
def test_arguments_of_another_type_are_refused_by_name(argument, call):
    with pytest.raises(rs.InputTypeError, match=rf"^{argument} (is|has) .+; expected ") as refused:
        call(rs.ConfusionMatrix(*ROWS))
    assert refused.value.argument == argument


def test_options_of_another_name_are_refused_with_those_known():
    with pytest.raises(rs.InputError, match='^nan_policy is \'worst\'; expected "raise" or "omit"$'):
        rs.ConfusionMatrix(*ROWS, nan_policy="worst")
    with pytest.raises(rs.InputError, match="n is -1; expected 1 to 1024 threads"):
        rs.set_threads(-1)


def test_missing_labels_are_called_missing():
    for missing in (None, float("nan")):
        said = r"^y_true\[1\] is missing; expected a label \(nan_policy='omit' leaves such rows out\)$"
        with pytest.raises(rs.InputError, match=said):
            rs.ConfusionMatrix([1, missing, 0], [1, 1, 0])


def test_zero_has_no_sign():
    cm = rs.ConfusionMatrix.from_counts([[1, 0], [0, 1]])
    values = [cm["cen"], cm["mcen"], *cm.every("cen"), *cm.every("mcen")]
    assert values == [0.0] * 6
    assert not np.signbit(values).any()


def test_a_positive_label_of_another_kind_is_refused():
    with pytest.raises(
        rs.InputError, match='^pos_label is "a"; expected a number like 0, as the labels of y_true are numbers$'
    ):
        rs.ConfusionMatrix([0], [0], pos_label="a")

"""The drop-ins of scikit-learn's ranking module against it: values, types, warnings, errors."""

import inspect
import os
import warnings

import numpy as np
import pytest
import sklearn.metrics
from scipy import sparse

import rocksteady.metrics as ours
from rocksteady import ScoreTable

FUNCTIONS = [
    "auc",
    "average_precision_score",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "dcg_score",
    "det_curve",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "metric_at_thresholds",
    "ndcg_score",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
]
CURVES = ["roc_curve", "precision_recall_curve", "det_curve", "confusion_matrix_at_thresholds"]
LISTWISE = [
    "coverage_error",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "dcg_score",
    "ndcg_score",
]

EXACT = 1e-12  # sums of doubles in another order
SINGLE = 40 * 2.0**-24  # the rounding of a float32 mean of at most 40 float32 ratios


def outcome(function, *args, **kwargs):
    """The value or the exception, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            value = error
    return value, [(w.category.__name__, str(w.message)) for w in caught]


def same(name, *args, text=False, rtol=EXACT, **kwargs):
    """Asserts that both packages give the same values, types and warnings, or exceptions of the same built-in type."""
    theirs, their_warnings = outcome(getattr(sklearn.metrics, name), *args, **kwargs)
    mine, my_warnings = outcome(getattr(ours, name), *args, **kwargs)
    case = (name, args, kwargs, theirs, mine)
    if isinstance(theirs, Exception):
        # Where numpy raises inside scikit-learn, our functions refuse the argument beforehand.
        kinds = (NotImplementedError, ZeroDivisionError, ValueError)
        assert isinstance(mine, next((c for c in kinds if isinstance(theirs, c)), Exception)), case
        if text:
            # Options are listed in no fixed order.
            assert sorted(str(mine)) == sorted(str(theirs)), case
        return
    assert not isinstance(mine, Exception), case
    assert my_warnings == their_warnings, case
    if not isinstance(theirs, tuple):
        theirs, mine = (theirs,), (mine,)
    for a, b in zip(theirs, mine, strict=True):
        np.testing.assert_allclose(b, a, rtol=rtol, atol=1e-14, err_msg=str(case))
        assert np.asarray(b).dtype == np.asarray(a).dtype, case
        assert type(b) is type(a), case


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(name):
    theirs = inspect.signature(getattr(sklearn.metrics, name)).parameters
    mine = inspect.signature(getattr(ours, name)).parameters
    assert [(p.name, p.default, p.kind) for p in mine.values()] == [
        (p.name, p.default, p.kind) for p in theirs.values()
    ]


RNG = np.random.default_rng(0)
THOROUGH = os.environ.get("ROCKSTEADY_THOROUGH") == "1"
N = 60
BINARY = {
    "int": RNG.integers(0, 2, N),
    "bool": RNG.random(N) < 0.4,
    "minus": RNG.choice([-1, 1], N),
    "uint8": RNG.integers(0, 2, N).astype(np.uint8),
    "float": RNG.integers(0, 2, N).astype(np.float32),
    "big": RNG.integers(0, 2, N).astype(">i4"),
}
SCORES = {
    "continuous": RNG.normal(size=N),
    "float32": RNG.normal(size=N).astype(np.float32),
    "float16": RNG.random(N).astype(np.float16),
    "rounded": RNG.random(N).round(1),
    "int": RNG.integers(-50, 50, N),
    "int8": RNG.integers(-5, 5, N).astype(np.int8),
    "uint64": RNG.integers(0, 9, N).astype(np.uint64),
    "bool": RNG.random(N) < 0.3,
    "big": RNG.normal(size=N).astype(">f8"),
    "strided": RNG.normal(size=2 * N)[::2],
    "tied": np.full(N, 0.25),
}
WEIGHTS = {"none": None, "float": RNG.random(N), "int": RNG.integers(0, 3, N), "f32": RNG.random(N).astype("f4")}


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("kind", BINARY)
def test_curves(kind, score):
    y, s = BINARY[kind], SCORES[score]
    for name in CURVES:
        for weight in ("none", "float", "int"):
            same(name, y, s, sample_weight=WEIGHTS[weight])
        if "at_thresholds" not in name:
            for drop in (True, False, np.True_):
                same(name, y, s, drop_intermediate=drop)
    for weight in WEIGHTS.values():
        same("roc_auc_score", y, s, sample_weight=weight)
        same("roc_auc_score", y, s, sample_weight=weight, max_fpr=0.3)
        same("average_precision_score", y, s, sample_weight=weight)


def test_positive_labels():
    s = RNG.random(N)
    text = RNG.choice(["spam", "ham"], N)
    for y, labels in [
        (text, ["ham", "spam", "eggs", 1, None]),
        (text.astype(object), ["ham", "eggs", None]),
        (RNG.choice(["a", "b", "c"], N), ["a", "z", None]),
        (BINARY["int"], [0, 1, 5, True, 0.5, "a", None]),
        (BINARY["bool"], [False, True, 1]),
        (BINARY["float"], [0.0, 1, 0]),
        (RNG.integers(0, 4, N), [3, 7, None]),
        (RNG.integers(1, 3, N), [1, 2, None]),
        (BINARY["int"].astype(object), [1, None]),
        (np.array([b"a", b"b"] * (N // 2)), [b"a", None]),
        ([[0]] * (N // 2) + [[1]] * (N // 2), [1, None]),
    ]:
        for label in labels:
            for name in CURVES:
                same(name, y, s, pos_label=label)
            if label is not None:
                same("average_precision_score", y, s, pos_label=label)
        same("roc_auc_score", y, s)


def test_containers():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    y, s, w = BINARY["int"], SCORES["rounded"], WEIGHTS["float"]
    odd = np.arange(N)[::-1] * 3
    for make in (
        list,
        tuple,
        np.ndarray.tolist,
        lambda a: pandas.Series(a, index=odd),
        lambda a: pandas.Series(a).convert_dtypes(),
        polars.Series,
        lambda a: a.reshape(-1, 1),
        memoryview,
    ):
        if make is memoryview:
            continue
        for name in (*CURVES, "roc_auc_score", "average_precision_score"):
            same(name, make(y), make(s), sample_weight=make(w))
    same("roc_curve", pandas.Series(y).astype("category"), s)
    readonly = s.copy()
    readonly.flags.writeable = False
    same("det_curve", y, readonly)


nan, inf = float("nan"), float("inf")
NASTY = [
    ([], []),
    ([0, 1], [0.5]),
    ([0, 1], [0.5, nan]),
    ([0, 1], [0.5, inf]),
    ([0, 1], ["a", "b"]),
    ([0, 1], [[0.1, 0.2], [0.3, 0.4]]),
    ([0, 1], None),
    (None, [0.1, 0.2]),
    (1, 0.5),
    ("ab", [0.1, 0.2]),
    ([0, nan], [0.1, 0.2]),
    ([0.5, 1.5], [0.1, 0.2]),
    ([0, 0], [0.1, 0.2]),
    ([1, 1], [0.1, 0.2]),
    ([-1, -1], [0.1, 0.2]),
    ([3, 3], [0.1, 0.2]),
    (["a", "a"], [0.1, 0.2]),
    ([0, 1, 2], [0.1, 0.2, 0.3]),
    ([[0, 1], [1, 0]], [0.1, 0.2]),
    ([[[0]], [[1]]], [0.1, 0.2]),
    ([0, 1], [[[0.1]], [[0.2]]]),
    ([0, "a"], [0.1, 0.2]),
    ([None, 1], [0.1, 0.2]),
    ([0, 1], [1 + 2j, 0.5]),
    ([0, 1], [None, 0.5]),
    ([True, False], [0, 1]),
    ([0, 1], [-0.0, 0.0]),
    ([0, 1], [10**19, 5]),
]


@pytest.mark.parametrize("arguments", NASTY, ids=repr)
def test_nasty_columns(arguments):
    for name in (*CURVES, "roc_auc_score", "average_precision_score"):
        same(name, *arguments)
    same("metric_at_thresholds", *arguments, lambda y, p: float(np.mean(np.asarray(y) == p)))


@pytest.mark.parametrize(
    "weights",
    [
        [1, nan],
        [1, inf],
        [0, 0],
        [1],
        [[1], [2]],
        [[1, 2], [3, 4]],
        "ab",
        1.0,
        ["a", "b"],
        [0, 1],
        [1, 0],
        [True, False],
    ],
    ids=repr,
)
def test_nasty_weights(weights):
    for name in (*CURVES, "roc_auc_score", "average_precision_score"):
        # Text is no weight, also where scikit-learn does not look at it: a deviation.
        for y in ([0, 1],) if weights == ["a", "b"] else ([0, 1], [1, 1]):
            same(name, y, [0.1, 0.2], sample_weight=weights)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("roc_curve", {"drop_intermediate": 1}),
        ("precision_recall_curve", {"drop_intermediate": "yes"}),
        ("det_curve", {"pos_label": [1]}),
        ("det_curve", {"drop_intermediate": None}),
        ("confusion_matrix_at_thresholds", {"pos_label": {}}),
        ("roc_auc_score", {"average": "binary"}),
        ("roc_auc_score", {"average": 3}),
        ("roc_auc_score", {"max_fpr": 0}),
        ("roc_auc_score", {"max_fpr": 1.5}),
        ("roc_auc_score", {"max_fpr": 1}),
        ("roc_auc_score", {"max_fpr": nan}),
        ("roc_auc_score", {"multi_class": "ova"}),
        ("roc_auc_score", {"multi_class": "ovr"}),
        ("roc_auc_score", {"labels": 3}),
        ("roc_auc_score", {"labels": [0, 1]}),
        ("average_precision_score", {"average": "binary"}),
        ("average_precision_score", {"pos_label": None}),
        ("average_precision_score", {"pos_label": [1]}),
    ],
    ids=repr,
)
def test_options(name, options):
    same(name, [0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4], text=True, **options)


def test_positional_arguments():
    y, s = BINARY["int"], SCORES["rounded"]
    same("det_curve", y, s, 1, None, True)
    same("confusion_matrix_at_thresholds", y, s, 1)
    same("confusion_matrix_at_thresholds", [0, 1], [0.1, 0.2], 1, [1.0, 2.0])
    with pytest.warns(FutureWarning, match="Pass pos_label=1 as keyword args"):
        ours.confusion_matrix_at_thresholds([0, 1], [0.1, 0.2], 1)


def test_auc():
    for x, y in [
        ([0, 1], [0, 1]),
        ([1, 0], [0, 1]),
        ([0, 0.5, 1], [1, 2, 3]),
        ([2, 1, 1], [4, 5, 6]),
        ([0, 2, 1], [1, 1, 1]),
        ([0], [1]),
        ([], []),
        ([0, 1], [0, 1, 2]),
        ([[0], [1]], [0, 1]),
        ([[0, 1], [1, 2]], [0, 1]),
        ([0, nan, 1], [0, 1, 2]),
        ([0, 1], [nan, 1]),
        ([0, 1], "ab"),
        (3, 4),
        ([False, True], [True, True]),
        (np.float32([0, 1, 3]), np.float32([1, 2, 4])),
    ]:
        same("auc", x, y, text=True)


# Several classes -----------------------------------------------------------------------------------------------------


def probabilities(rows, classes, digits=None):
    scores = RNG.random((rows, classes)) ** 2
    if digits is not None:
        scores = scores.round(digits) + 0.1
    return scores / scores.sum(axis=1, keepdims=True)


LABELS = {
    "int": np.arange(4),
    "wide": np.array([-7, 3, 10**6, 10**12]),
    "uint8": np.arange(4, dtype=np.uint8),
    "float": np.arange(4.0),
    "text": np.array(["ant", "bee", "cat", "dog"]),
    "object": np.array(["ant", "bee", "cat", "dog"], dtype=object),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("rows", [60, 4500])
def test_several_classes(kind, rows):
    y = LABELS[kind][np.concatenate([np.arange(4), RNG.choice(4, rows - 4, p=[0.1, 0.2, 0.3, 0.4])])]
    scores = probabilities(rows, 4)
    weights = RNG.integers(0, 3, rows) + RNG.random(rows)
    forms = (scores, np.asfortranarray(scores), probabilities(rows, 4, 1), scores.astype(np.float32), scores.tolist())
    for s in forms if rows < 100 else forms[: 1 if kind != "int" else 4]:
        # scikit-learn takes seconds for many samples.
        samples = ("samples",) if THOROUGH or rows < 100 or (kind == "int" and s is scores) else ()
        for average in ("macro", "weighted", "micro", None, *samples):
            for w in (None, weights):
                same("roc_auc_score", y, s, multi_class="ovr", average=average, sample_weight=w)
                if not isinstance(s, list):
                    same("average_precision_score", y, s, average=average, sample_weight=w)
            same("roc_auc_score", y, s, multi_class="ovo", average=average, text=True)
        same("roc_auc_score", y, s, multi_class="ovr", labels=LABELS[kind])
        same("roc_auc_score", y, s, multi_class="ovo", labels=LABELS[kind].tolist())
    same("roc_auc_score", y, scores, text=True)
    same("roc_auc_score", y, scores, multi_class="ovr", max_fpr=0.5, text=True)
    same("roc_auc_score", y, scores, multi_class="ovr", max_fpr=1.0)
    same("roc_auc_score", y, scores * 1.1, multi_class="ovr", text=True)
    same("roc_auc_score", y, scores, multi_class="ovo", sample_weight=weights, text=True)
    same("roc_auc_score", y, scores[:, :3], multi_class="ovo", text=True)
    same("roc_auc_score", y, scores[:, 0], multi_class="ovo", text=True)
    same("average_precision_score", y, scores, pos_label=LABELS[kind].tolist()[1], text=kind not in ("object", "text"))
    same("average_precision_score", y, scores[:, :3], text=True)


def test_absent_classes():
    scores = probabilities(50, 4)
    given = (None, [0, 1, 2, 3], [0, 1, 3], [3, 2, 1, 0], [0, 1, 1, 2], ["a", "b", "c", "d"], [[0], [1], [2], [3]])
    for present in ([0, 1, 3], [0, 3], [2], [0, 1, 2, 3, 4]):
        y = np.resize(present, 50)
        for mode in ("ovr", "ovo"):
            for average in ("macro", "weighted", None, "micro"):
                for labels in given:
                    same("roc_auc_score", y, scores, multi_class=mode, average=average, labels=labels)
    y = np.resize([0, 1, 2, 3], 50)
    for weights in ((y != 1).astype(float), (y == 1).astype(float), np.zeros(50), -np.ones(49), np.full(50, nan)):
        for average in ("macro", "weighted", None, "micro"):
            same("roc_auc_score", y, scores, multi_class="ovr", average=average, sample_weight=weights)
            same("average_precision_score", y, scores, average=average, sample_weight=weights)
    bad = scores.copy()
    bad[3, 2] = nan
    for mode in ("ovr", "ovo"):
        same("roc_auc_score", y, bad, multi_class=mode)
        same("roc_auc_score", y, np.zeros((50, 4), dtype=np.int64), multi_class=mode)
        same("roc_auc_score", y, np.eye(4, dtype=np.int64)[y], multi_class=mode)
        same("roc_auc_score", y, np.eye(4)[y].astype(np.float16), multi_class=mode)
        same("roc_auc_score", y, scores.astype(np.float16), multi_class=mode)
        same("roc_auc_score", y[:-1], scores, multi_class=mode)
        same("roc_auc_score", [], np.zeros((0, 3)), multi_class=mode)
        same("roc_auc_score", y, scores.reshape(25, 2, 4), multi_class=mode)
    same("roc_auc_score", np.resize([0, 1], 50), scores[:, :2])
    same("roc_auc_score", np.resize([0, 1], 50), scores[:, :2], multi_class="ovr")


# Labels that go together ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, bool, np.float64, np.float32])
@pytest.mark.parametrize("columns", [2, 5, 27])
def test_several_labels(dtype, columns):
    y = (RNG.random((12, columns)) < 0.4).astype(dtype)
    y[:2, :] = [[0], [1]]
    # Rows with both kinds of labels, so that samples have an area.
    both = y.copy()
    both[:, 0], both[:, 1] = 0, 1
    both[0, :2] = [1, 0]
    scores = RNG.random((12, columns))
    weights = RNG.integers(1, 4, 12)
    for average in ("macro", "weighted", "micro", "samples", None):
        for w in (None, weights, weights + 0.5):
            for truth in (y, both):
                same("average_precision_score", truth, scores.round(1), average=average, sample_weight=w)
                same("roc_auc_score", truth, scores.round(1), average=average, sample_weight=w)
        if columns < 20:
            for s in (scores, scores.astype(np.float32), np.asfortranarray(scores), scores[::-1], scores.tolist()):
                same("average_precision_score", np.asfortranarray(y), s, average=average)
                same("roc_auc_score", both.tolist(), s, average=average)
        same("roc_auc_score", both, scores, average=average, max_fpr=0.4)


def test_odd_indicators():
    scores = RNG.random((6, 3))
    zeros = np.zeros((6, 3), dtype=int)
    one = zeros.copy()
    one[:, 1] = 1
    mixed = (RNG.random((6, 3)) < 0.5).astype(int)
    for y in (
        zeros,
        zeros + 1,
        one,
        2 * mixed - 1,
        mixed + 2,
        2 * mixed,
        mixed * 0.5,
        mixed[:, :1],
        np.array([[0, 1, 2]] * 6),
    ):
        for average in ("macro", "weighted", "micro", "samples", None):
            for w in (None, [1, 0, 2, 0, 1, 1], np.zeros(6), [1, 2]):
                same("roc_auc_score", y, scores[:, : y.shape[1]], average=average, sample_weight=w)
                same("average_precision_score", y, scores[:, : y.shape[1]], average=average, sample_weight=w)
    same("roc_auc_score", mixed, scores[:, :2])
    same("roc_auc_score", mixed, scores[:5])
    same("average_precision_score", mixed, scores, pos_label=0)
    same("roc_auc_score", sparse.csr_array(mixed), scores)
    same("average_precision_score", sparse.csr_array(mixed), scores)


# A metric at every threshold -----------------------------------------------------------------------------------------

INDICES = {
    "accuracy_score": [{}, {"normalize": True}, {"normalize": False}],
    "balanced_accuracy_score": [{}, {"adjusted": True}],
    "f1_score": [{}, {"pos_label": 0}, {"zero_division": 1}, {"average": "macro"}, {"labels": [1]}],
    "fbeta_score": [{"beta": 2}, {"beta": 0.5, "pos_label": 0, "zero_division": 0}, {"beta": 0}],
    "precision_score": [{}, {"pos_label": 0}, {"pos_label": 0, "zero_division": nan}],
    "recall_score": [{}, {"pos_label": 0}],
    "jaccard_score": [{}, {"pos_label": 0, "zero_division": 1}],
    "matthews_corrcoef": [{}],
    "cohen_kappa_score": [{}],
    "hamming_loss": [{}],
    "zero_one_loss": [{}, {"normalize": False}],
    "confusion_matrix": [{}],
}


@pytest.mark.parametrize("metric", INDICES)
def test_metric_at_thresholds(metric):
    if not hasattr(ours, metric):
        pytest.skip("not there yet")
    own, other = getattr(ours, metric), getattr(sklearn.metrics, metric)
    for labels in (BINARY["int"], BINARY["bool"], BINARY["float"], BINARY["minus"], np.zeros(N, int), np.ones(N, int)):
        is_usual = THOROUGH or labels is BINARY["int"]
        for score in ("continuous", "rounded", "int8", "float32", "big") if is_usual else ("rounded", "float32"):
            y, s = labels[:12], SCORES[score][:12]
            for weights in (None, WEIGHTS["int"][:12], WEIGHTS["float"][:12]):
                for params in INDICES[metric]:
                    options = {"sample_weight": weights, "metric_params": params}
                    theirs, their_warnings = outcome(sklearn.metrics.metric_at_thresholds, y, s, other, **options)
                    mine, my_warnings = outcome(ours.metric_at_thresholds, y, s, own, **options)
                    case = (metric, params, theirs, mine)
                    if isinstance(theirs, Exception):
                        assert isinstance(mine, Exception), case
                        continue
                    assert not isinstance(mine, Exception), case
                    assert my_warnings == their_warnings, case
                    for a, b in zip(theirs, mine, strict=True):
                        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-14, err_msg=str(case))
                        assert a.dtype == b.dtype, case


def test_any_callable_at_thresholds():
    y, s = BINARY["int"][:50], SCORES["rounded"][:50]

    def counts(y_true, y_pred, *, sample_weight=None, factor=1):
        weights = np.ones(len(y_true)) if sample_weight is None else sample_weight
        return np.array([factor * weights[y_true == 1].sum(), weights[y_pred == 1].sum()])

    same("metric_at_thresholds", y, s, counts)
    same("metric_at_thresholds", y, s, counts, sample_weight=WEIGHTS["int"][:50], metric_params={"factor": 2})
    same("metric_at_thresholds", BINARY["minus"][:50], s, counts)
    same("metric_at_thresholds", y, s, "f1")
    same("metric_at_thresholds", y, s, counts, metric_params=3)
    same("metric_at_thresholds", y, s, counts, metric_params={"unknown": 3})


# Rows of labels ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LISTWISE)
@pytest.mark.parametrize("columns", [2, 5, 40])
def test_rows_of_labels(name, columns):
    y = (RNG.random((9, columns)) < 0.4).astype(np.int64)
    y[:2] = [[0], [1]]
    scores = RNG.normal(size=(9, columns))
    for truth in (
        y,
        y.astype(np.uint8),
        y.astype(bool),
        y.astype(float),
        np.asfortranarray(y),
        y[::-1],
        y.tolist(),
        y * 3,
    ):
        for s in (
            scores,
            scores.round(),
            scores.astype(np.float32),
            scores.round().astype(np.int64),
            np.asfortranarray(scores),
            scores.astype(">f8"),
            scores.tolist(),
            RNG.integers(0, 5, (9, columns)).astype(np.uint8),
            scores > 0,
        ):
            for w in (None, RNG.random(9), RNG.integers(0, 3, 9), np.zeros(9), -np.ones(9), np.full(9, nan)):
                # From scipy 1.18 on the ranks of float32 scores are float32, and scikit-learn divides and adds in it.
                singles = name == "label_ranking_average_precision_score" and getattr(s, "dtype", None) == np.float32
                same(name, truth, s, sample_weight=w, rtol=SINGLE if singles else EXACT)
                mine, _ = outcome(getattr(ours, name).ours, truth, s, sample_weight=w)
                if singles and not isinstance(mine, Exception):  # a value of ours, not scikit-learn's
                    doubles, _ = outcome(getattr(sklearn.metrics, name), truth, s.astype(float), sample_weight=w)
                    np.testing.assert_allclose(mine, doubles, rtol=EXACT)
    if "dcg" in name:
        for graded in (RNG.integers(0, 5, (9, columns)), RNG.random((9, columns)), RNG.normal(size=(9, columns))):
            for s in (scores, scores.round()):
                for k in (None, 1, 3, 100, np.int64(2), 10**30):
                    same(name, graded, s, k=k)
                same(name, graded, scores, ignore_ties=True, k=3)
                if name == "dcg_score":
                    for base in (10, np.e, 0.5, 1, 0, -1, inf):
                        same(name, graded, s, log_base=base)


@pytest.mark.parametrize("name", LISTWISE)
def test_nasty_rows_of_labels(name):
    y = np.array([[0, 1, 1], [1, 0, 0]])
    s = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.2]])
    bad = s.copy()
    bad[1, 1] = nan
    big = s.copy()
    big[1, 1] = inf
    for truth, scores in [
        (y, bad),
        (y, big),
        (y, s[:, :2]),
        (y, s[:1]),
        (y[:, :1], s[:, :1]),
        (y[0], s[0]),
        (y, s[0]),
        (np.zeros((0, 3)), np.zeros((0, 3))),
        (np.zeros((3, 0)), np.zeros((3, 0))),
        (y * 0.5, s),
        (y * nan, s),
        (y - 1, s),
        (np.array([[0, 1, 2], [1, 0, 0]]), s),
        (np.array([["a", "b", "c"], ["a", "b", "c"]]), s),
        (y, np.array([["a", "b", "c"], ["a", "b", "c"]])),
        (None, s),
        (y, None),
        (y, 3),
        (y[np.newaxis], s[np.newaxis]),
        (sparse.csr_array(y), s),
        (sparse.csr_matrix(y), s),
        (sparse.coo_array(y), s),
        (y, sparse.csr_array(s)),
        (y.astype(object), s.astype(object)),
    ]:
        same(name, truth, scores)
    for weights in ([1], [1, 2, 3], "ab", 3, [[1], [2]], ["a", "b"]):
        if name == "label_ranking_average_precision_score" and weights in ([[1], [2]], ["a", "b"]):
            continue  # scikit-learn multiplies row by row here, with numpy's result for any type.
        same(name, y, s, sample_weight=weights)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("dcg_score", {"k": 0}),
        ("dcg_score", {"k": 1.5}),
        ("dcg_score", {"log_base": "2"}),
        ("dcg_score", {"ignore_ties": 1}),
        ("ndcg_score", {"k": -1}),
        ("ndcg_score", {"k": True}),
        ("ndcg_score", {"ignore_ties": None}),
    ],
    ids=repr,
)
def test_options_of_gains(name, options):
    same(name, [[0, 1, 2], [1, 0, 0]], [[0.1, 0.2, 0.3], [0.3, 0.2, 0.2]], text=True, **options)


def test_wide_integers_are_told_apart():
    """Scores are never rounded: beyond 2**53 doubles would tie."""
    scores = np.array([[2**60, 2**60 + 1, 2**60 + 2]])
    truth = np.array([[0, 1, 0]])
    assert ours.coverage_error(truth, scores) == 2
    assert ours.label_ranking_loss(truth, scores) == 0.5


def test_the_same_bits_in_any_order_and_for_any_number_of_threads():
    import rocksteady

    rows = 30_000
    truth = (RNG.random((rows, 7)) < 0.3).astype(np.uint8)
    scores = RNG.random((rows, 7))
    weights = RNG.random(rows)
    order = RNG.permutation(rows)
    y = RNG.integers(0, 7, rows)
    proba = scores / scores.sum(axis=1, keepdims=True)
    before = rocksteady.get_num_threads() if hasattr(rocksteady, "get_num_threads") else None
    for name in LISTWISE:
        function = getattr(ours, name)
        assert function(truth, scores, sample_weight=weights) == function(
            truth[order], scores[order], sample_weight=weights[order]
        )
    for mode in ("ovr", "ovo"):
        assert ours.roc_auc_score(y, proba, multi_class=mode) == ours.roc_auc_score(
            y[order], proba[order], multi_class=mode
        )
    assert before is None or before == rocksteady.get_num_threads()


@pytest.mark.parametrize("rows", [1, 4097, 140_000])
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int8"])
def test_the_weighted_area_of_rows_has_the_bits_of_the_area_of_their_table(rows, dtype):
    rng = np.random.default_rng(rows)
    y = (rng.random(rows) < 0.3).astype(np.uint8)
    y[0] = 1
    x = rng.normal(size=rows) + y
    s = np.round(20 * x) if dtype == "int8" else 1 / (1 + np.exp(-x))
    s = s.clip(-100, 100).astype(dtype)
    kinds = {
        "fractions": rng.exponential(size=rows),
        "whole": rng.integers(0, 9, rows).astype(float),
        "huge whole": rng.integers(1, 2**62, rows).astype(float),
        "far apart": np.exp(50 * rng.normal(size=rows)),
        "tiny": 5e-324 * rng.integers(0, 9, rows),
    }
    for kind, w in kinds.items():
        y[0], w[0] = 1, max(w[0], 5e-324)
        table = ScoreTable(y, s, sample_weight=w, pos_label=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            area = ours.roc_auc_score(y, s, sample_weight=w)
        np.testing.assert_array_equal(area, table.value("roc_auc"), err_msg=kind)

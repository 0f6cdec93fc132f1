"""The metrics of labels against scikit-learn: values, dtypes, warnings and errors, over their options and containers."""

import inspect
import itertools
import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn.metrics

import rocksteady.metrics as ours
from rocksteady.errors import RocksteadyError

NAN = float("nan")
SETS = ["precision_score", "recall_score", "f1_score", "jaccard_score"]
PLAIN = ["accuracy_score", "zero_one_loss", "hamming_loss"]
COLUMNS = ["balanced_accuracy_score", "matthews_corrcoef", "confusion_matrix", "cohen_kappa_score"]
FUNCTIONS = [
    *SETS,
    *PLAIN,
    *COLUMNS,
    "fbeta_score",
    "precision_recall_fscore_support",
    "multilabel_confusion_matrix",
    "classification_report",
    "class_likelihood_ratios",
]


def outcome(function, *args, **kwargs):
    """The value or the exception, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            value = error
    return value, [(w.category.__name__, str(w.message), w.filename == __file__) for w in caught]


def alike(mine, theirs, context):
    assert type(mine) is type(theirs), (context, mine, theirs)
    if isinstance(theirs, dict):
        assert list(mine) == list(theirs), context
        for key, value in theirs.items():
            alike(mine[key], value, context)
    elif isinstance(theirs, tuple):
        assert len(mine) == len(theirs), context
        for a, b in zip(mine, theirs, strict=True):
            alike(a, b, context)
    elif isinstance(theirs, str | None):
        assert mine == theirs, context
    else:
        assert np.asarray(mine).dtype == np.asarray(theirs).dtype, (context, mine, theirs)
        np.testing.assert_allclose(mine, theirs, rtol=1e-13, atol=2e-15, err_msg=context)


def same(name, *args, texts=True, **kwargs):
    """Asserts that both give the same value and warnings, or exceptions of one built-in type, with one text."""
    theirs, their_warnings = outcome(getattr(sklearn.metrics, name), *args, **kwargs)
    mine, my_warnings = outcome(getattr(ours, name), *args, **kwargs)
    with np.printoptions(threshold=12):
        context = f"{name} {args!r:.300} {kwargs!r:.300}"
    if isinstance(theirs, Exception):
        assert isinstance(mine, Exception), (context, theirs, mine)
        builtin = next(c for c in (ValueError, TypeError, Exception) if isinstance(theirs, c))
        assert isinstance(mine, builtin), (context, theirs, mine)
        if texts:
            # scikit-learn lists options in the order of a set, which is not fixed.
            assert sorted(str(mine)) == sorted(str(theirs)), (context, theirs, mine)
        return
    if isinstance(mine, Exception):
        raise AssertionError((context, theirs, mine)) from mine  # noqa: TRY004
    alike(mine, theirs, context)
    assert [w[:2] for w in my_warnings] == [w[:2] for w in their_warnings], context
    if not all(w[2] for w in my_warnings):
        with pytest.raises(RocksteadyError):  # the value is scikit-learn's, and so are the warnings
            getattr(ours, name).ours(*args, **kwargs)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(name):
    theirs = inspect.signature(getattr(sklearn.metrics, name)).parameters
    mine = inspect.signature(getattr(ours, name)).parameters
    assert [(p.name, p.default, p.kind) for p in mine.values()] == [
        (p.name, p.default, p.kind) for p in theirs.values()
    ]


RNG = np.random.default_rng(4)
N = 300


def predicted(y_true, right=0.7, dtype=None):
    pred = np.where(RNG.random(len(y_true)) < right, y_true, RNG.permutation(y_true))
    return pred if dtype is None else pred.astype(dtype)


BINARY = RNG.integers(0, 2, N)
FOUR = RNG.integers(0, 4, N)
WORDS = RNG.choice(["spam", "ham", "eggs"], N)
LABELS = {
    "binary": (BINARY, predicted(BINARY)),
    "bool": (BINARY > 0, predicted(BINARY) > 0),
    "minus": (BINARY * 2 - 1, predicted(BINARY * 2 - 1)),
    "four": (FOUR, predicted(FOUR)),
    "float": (FOUR.astype(float), predicted(FOUR.astype(float))),
    "uint8": (FOUR.astype("u1"), predicted(FOUR).astype("u1")),
    "big": (FOUR.astype(">i4"), predicted(FOUR).astype(">i2")),
    "mixed": (FOUR.astype("f4"), predicted(FOUR)),
    "bool and int": (BINARY > 0, predicted(BINARY)),
    "text": (WORDS, predicted(WORDS)),
    "object": (WORDS.astype(object), predicted(WORDS).astype(object)),
    "list": (FOUR.tolist(), predicted(FOUR).tolist()),
    "words": (WORDS.tolist(), predicted(WORDS).tolist()),
    "unseen": (FOUR, np.where(FOUR == 1, 9, FOUR)),
    "never": (FOUR, np.where(FOUR == 1, 2, FOUR)),
    "wrong": (FOUR, FOUR + 10),
    "one": (np.ones(N, int), np.ones(N, int)),
    "column": (FOUR.reshape(-1, 1), predicted(FOUR).reshape(-1, 1)),
    "series": (pd.Series(FOUR, index=np.arange(N)[::-1]), pd.Series(predicted(FOUR))),
    "nullable": (pd.Series(FOUR, dtype="Int64"), pd.Series(predicted(FOUR), dtype="Int64")),
    "categories": (pd.Series(WORDS, dtype="category"), pd.Series(predicted(WORDS), dtype="category")),
    "polars": (pl.Series(FOUR), pl.Series(predicted(FOUR))),
}
WEIGHTS = {
    "none": None,
    "float": RNG.integers(1, 9, N) / 4,
    "int": RNG.integers(0, 4, N),
    "bool": RNG.random(N) < 0.5,
    "list": RNG.integers(1, 4, N).tolist(),
}
RARE = np.zeros(N)
RARE[0] = 1.5


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_columns(kind, weight):
    y_true, y_pred = LABELS[kind]
    w = WEIGHTS[weight]
    for name in [*PLAIN, *COLUMNS, "multilabel_confusion_matrix", "classification_report"]:
        same(name, y_true, y_pred, sample_weight=w)
    for name in ("accuracy_score", "zero_one_loss"):
        if weight != "bool":  # of truth values scikit-learn says only whether one is true
            same(name, y_true, y_pred, sample_weight=w, normalize=False)
    same("balanced_accuracy_score", y_true, y_pred, sample_weight=w, adjusted=True)
    same("classification_report", y_true, y_pred, sample_weight=w, output_dict=True)
    same("class_likelihood_ratios", y_true, y_pred, sample_weight=w)
    for weights in ("linear", "quadratic"):
        same("cohen_kappa_score", y_true, y_pred, sample_weight=w, weights=weights)
    for average in (None, "binary", "micro", "macro", "weighted", "samples"):
        for zero_division in ("warn", 0, 1, NAN):
            options = {"average": average, "zero_division": zero_division, "sample_weight": w}
            for name in SETS:
                same(name, y_true, y_pred, **options)
            same("precision_recall_fscore_support", y_true, y_pred, **options)
        for beta in (0, 0.5, 2, math.inf):
            same("fbeta_score", y_true, y_pred, beta=beta, average=average, sample_weight=w)
            same("precision_recall_fscore_support", y_true, y_pred, beta=beta, average=average, sample_weight=w)


@pytest.mark.parametrize("kind", ["binary", "four", "float", "text", "object", "never", "wrong", "one"])
@pytest.mark.parametrize("labels", ["reversed", "first", "absent", "more", "twice", "none"])
def test_labels(kind, labels):
    y_true, y_pred = LABELS[kind]
    found = np.unique(y_true)
    other = "zebra" if kind in ("text", "object") else 77
    labels = {
        "reversed": found[::-1],
        "first": found[:1].tolist(),
        "absent": [other],
        "more": [*found.tolist()[1:], other],
        "twice": [*found.tolist(), found.tolist()[0]],
        "none": found.tolist(),
    }[labels]
    for w in (None, WEIGHTS["float"]):
        for name in ("confusion_matrix", "cohen_kappa_score", "multilabel_confusion_matrix", "classification_report"):
            same(name, y_true, y_pred, labels=labels, sample_weight=w)
        same("classification_report", y_true, y_pred, labels=labels, sample_weight=w, output_dict=True, zero_division=1)
        same("class_likelihood_ratios", y_true, y_pred, labels=labels, sample_weight=w)
        for normalize in ("true", "pred", "all"):
            same("confusion_matrix", y_true, y_pred, labels=labels, sample_weight=w, normalize=normalize)
        for average, zero_division in itertools.product(
            (None, "binary", "micro", "macro", "weighted"), ("warn", 1, NAN)
        ):
            options = {"average": average, "zero_division": zero_division, "sample_weight": w, "labels": labels}
            same("precision_recall_fscore_support", y_true, y_pred, **options)
            for name in SETS:
                same(name, y_true, y_pred, **options)


@pytest.mark.parametrize("kind", ["binary", "bool", "minus", "float", "text", "one", "wrong", "object"])
def test_positive_labels(kind):
    y_true, y_pred = LABELS[kind]
    if kind in ("text", "object"):
        y_true, y_pred = (np.where(y == "eggs", "ham", y) for y in (y_true, y_pred))
    for pos_label in (0, 1, True, -1, 1.0, 1.5, "ham", "eggs", None, 7, np.int64(1), np.str_("ham")):
        for average in ("binary", "macro"):
            for name in SETS:
                same(name, y_true, y_pred, pos_label=pos_label, average=average)


@pytest.mark.parametrize("name", ["precision_score", "recall_score", "f1_score", "jaccard_score"])
@pytest.mark.parametrize("weights", [np.array(["2020-01-01"] * 4, dtype="datetime64[D]"), [1, -2, 3, 4]])
def test_the_positive_label_is_looked_at_before_the_weights(name, weights):
    for y_true, y_pred in (([5, 5, 6, 5], [5, 6, 5, 5]), ([0, 1, 0, 1], [1, 1, 0, 1]), ([0, 1, 2, 1], [1, 1, 0, 1])):
        same(name, y_true, y_pred, sample_weight=weights, texts=False)


@pytest.mark.parametrize("pos_label", ["yes", "1", "1.0"])
def test_text_as_the_positive_label_of_numbers(pos_label):
    for y_true, y_pred in ((np.array([1.0]), [1]), ([1.0], [1.0]), ([1], [1])):
        same("recall_score", y_true, y_pred, pos_label=pos_label, texts=False)


def test_a_matrix_without_rows_to_look_at_is_refused_by_a_typed_error():
    blocks = sp.bsr_matrix((3, 1), dtype=int)
    with pytest.raises(NotImplementedError):
        sklearn.metrics.recall_score([[1], [0], [1]], blocks)
    with pytest.raises(RocksteadyError, match="y_"):
        ours.recall_score([[1], [0], [1]], blocks)


@pytest.mark.parametrize("warn_for", [(), ("recall",), ["precision", "f-score"], {"f-score"}])
def test_warn_for(warn_for):
    for kind in ("never", "unseen", "four"):
        for average in (None, "macro", "micro"):
            same("precision_recall_fscore_support", *LABELS[kind], warn_for=warn_for, average=average)


DENSE = RNG.integers(0, 2, (N, 5))
GUESS = np.where(RNG.random((N, 5)) < 0.8, DENSE, 1 - DENSE)
BARE = DENSE * (np.arange(5) != 2) * (RNG.random((N, 1)) < 0.7)
WIDE = (RNG.random((40, 70)) < 0.1).astype(int)
INDICATORS = {
    "int": (DENSE, GUESS),
    "bool": (DENSE > 0, GUESS > 0),
    "float": (DENSE.astype(float), GUESS.astype("f4")),
    "uint8": (DENSE.astype("u1"), GUESS.astype("i2")),
    "fortran": (np.asfortranarray(DENSE), GUESS[:, :]),
    "strided": (DENSE[:, ::-1], GUESS[:, ::-1]),
    "bare": (BARE, GUESS * (np.arange(5) != 1)),
    "wrong": (DENSE, 1 - DENSE),
    "twos": (DENSE * 2, GUESS * 2),
    "zeros": (np.zeros((N, 3), int), np.zeros((N, 3), int)),
    "csr": (sp.csr_array(BARE), sp.csr_array(GUESS)),
    "csr matrix": (sp.csr_matrix(BARE), sp.csr_matrix(GUESS)),
    "csc": (sp.csc_array(BARE), sp.csc_array(GUESS)),
    "coo": (sp.coo_matrix(BARE), sp.coo_matrix(GUESS)),
    "lil": (sp.lil_matrix(BARE), sp.lil_matrix(GUESS)),
    "both": (sp.csr_array(DENSE), GUESS),
    "frame": (pd.DataFrame(DENSE), pd.DataFrame(GUESS)),
    "lists": (DENSE.tolist(), GUESS.tolist()),
    "two": (DENSE[:, :2], GUESS[:, :2]),
}


@pytest.mark.parametrize("kind", INDICATORS)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_indicators(kind, weight):
    y_true, y_pred = INDICATORS[kind]
    w = WEIGHTS[weight]
    if kind == "zeros" and w is not None:
        w = np.asarray(w, dtype=float)  # without rows scikit-learn's weighted counts are integers
    for name in [*PLAIN, *COLUMNS, "multilabel_confusion_matrix", "classification_report", "class_likelihood_ratios"]:
        same(name, y_true, y_pred, sample_weight=w)
    for name in ("accuracy_score", "zero_one_loss"):
        if weight != "bool":  # of truth values scikit-learn says only whether one is true
            same(name, y_true, y_pred, sample_weight=w, normalize=False)
    same("multilabel_confusion_matrix", y_true, y_pred, sample_weight=w, samplewise=True)
    same("classification_report", y_true, y_pred, sample_weight=w, output_dict=True, zero_division=NAN)
    for average in (None, "binary", "micro", "macro", "weighted", "samples"):
        for zero_division in ("warn", 1, NAN):
            options = {"average": average, "zero_division": zero_division, "sample_weight": w}
            for name in SETS:
                same(name, y_true, y_pred, **options)
            same("precision_recall_fscore_support", y_true, y_pred, **options)
        same("fbeta_score", y_true, y_pred, beta=2, average=average, sample_weight=w)


@pytest.mark.parametrize("kind", ["int", "bare", "csr", "csc", "lists", "twos"])
@pytest.mark.parametrize("labels", [[0], [3, 1], [1, 1, 0], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [5], [-1, 0], [2]])
def test_labels_of_indicators(kind, labels):
    y_true, y_pred = INDICATORS[kind]
    for w in (None, WEIGHTS["float"]):
        same("classification_report", y_true, y_pred, labels=labels, sample_weight=w)
        for samplewise in (False, True):
            same("multilabel_confusion_matrix", y_true, y_pred, labels=labels, sample_weight=w, samplewise=samplewise)
        for average in (None, "micro", "macro", "weighted", "samples"):
            options = {"average": average, "labels": labels, "sample_weight": w}
            same("precision_recall_fscore_support", y_true, y_pred, **options)
            same("jaccard_score", y_true, y_pred, **options)


def test_many_labels_a_row():
    for y_true, y_pred in [(WIDE, WIDE[::-1]), (WIDE[:, :16], WIDE[::-1, :16]), (sp.csr_array(WIDE), WIDE[::-1])]:
        for w in (None, RARE[: len(WIDE)]):
            same("accuracy_score", y_true, y_pred, sample_weight=w)
            same("hamming_loss", y_true, y_pred, sample_weight=w)
            for average in ("samples", "macro", None):
                same("precision_recall_fscore_support", y_true, y_pred, average=average, sample_weight=w)


def test_report_options():
    for kind in ("four", "never", "text", "binary"):
        y_true, y_pred = LABELS[kind]
        classes = len(np.unique(y_true))
        for digits in (0, 1, 5, 20):
            same("classification_report", y_true, y_pred, digits=digits)
        names = ["a very long name of a class", *"bcd"][:classes]
        same("classification_report", y_true, y_pred, target_names=names)
        same("classification_report", y_true, y_pred, target_names=np.array(names), output_dict=True)
        same("classification_report", y_true, y_pred, target_names=names[:1])
        same("classification_report", y_true, y_pred, target_names=names[:1], labels=np.unique(y_true))
    same("classification_report", DENSE, GUESS, target_names=list("abcde"), digits=3)


def test_likelihood_ratios():
    columns = {
        "usual": ([0, 1, 0, 1, 0], [1, 1, 0, 0, 0]),
        "no fp": ([0, 1, 0, 1, 0], [0, 1, 0, 0, 0]),
        "no tp, no fp": ([0, 1, 0, 1, 0], [0, 0, 0, 0, 0]),
        "no tn": ([0, 1, 0, 1, 0], [1, 1, 1, 0, 1]),
        "no positives": ([0, 0, 0, 0, 0], [0, 1, 1, 0, 1]),
        "no positives, all fp": ([0, 0, 0, 0, 0], [1, 1, 1, 1, 1]),
        "no negatives": ([1, 1, 1, 1, 1], [0, 1, 1, 0, 1]),
        "one": ([1, 1, 1], [1, 1, 1]),
        "three": ([0, 1, 2], [0, 1, 2]),
        "words": (["cat", "dog", "cat", "dog"], ["dog", "dog", "cat", "dog"]),
    }
    for y_true, y_pred in columns.values():
        for instead in (
            NAN,
            np.nan,
            1.0,
            1,
            {"LR+": 2.0, "LR-": 0.5},
            {"LR+": NAN, "LR-": 0.0},
            {"LR+": 0.5, "LR-": 0.5},
            {"LR+": 1.0},
            2.0,
            "nan",
        ):
            same("class_likelihood_ratios", y_true, y_pred, replace_undefined_by=instead)
    same("class_likelihood_ratios", *columns["usual"], labels=[1, 0])
    same("class_likelihood_ratios", *columns["words"], labels=["dog", "cat"])


def test_kappa_where_chance_agrees_always():
    for instead in (NAN, 0.0, -1, 1.0, 2.0, "x"):
        for weights in (None, "linear", "quadratic"):
            options = {"weights": weights, "replace_undefined_by": instead}
            same("cohen_kappa_score", [1, 1, 1], [1, 1, 1], **options)
            same("cohen_kappa_score", [1, 1, 2], [1, 1, 3], labels=[1, 2], **options)
            same("cohen_kappa_score", [1, 1, 2], [3, 3, 1], labels=[1, 4], **options)
            same("cohen_kappa_score", [1, 1, 2], [3, 3, 1], labels=[4, 5], **options)
            same("cohen_kappa_score", [1, 2, 3], [1, 2, 2], labels=[3, 1, 2], **options)


BAD = [
    ([0, 1], [0, 1, 1]),
    ([], []),
    ([0, 1], [0.5, 1]),
    ([0.1, 0.2], [0.1, 0.3]),
    ([0, 1], ["a", "b"]),
    ([0, NAN], [0, 1]),
    ([0, np.inf], [0, 1]),
    ([None, 1], [0, 1]),
    (["a", None], ["a", "b"]),
    ([[0, 1], [1, 0]], [0, 1]),
    ([[0, 1, 2], [1, 0, 2]], [[0, 1, 2], [1, 0, 2]]),
    ([[0], [1]], [0, 1]),
    ([b"a", b"b"], [b"a", b"a"]),
    (np.array(["a", "b"], dtype="S"), np.array(["a", "b"], dtype="S")),
    (np.zeros((2, 2, 2)), np.zeros((2, 2, 2))),
    (np.array(3), np.array(3)),
    (3, [3]),
    ("ab", "ab"),
    ([[0, 1], [1]], [[0, 1], [1]]),
    ([0, 1], None),
    (DENSE[:4], GUESS[:3]),
    (DENSE[:4], GUESS[:4, :3]),
    (DENSE[:4, :1], GUESS[:4, :1]),
    (DENSE[:4] * 1.5, GUESS[:4]),
    (sp.csr_array(DENSE[:4]), [0, 1, 1, 0]),
    (sp.csr_array(DENSE[:4, :1]), sp.csr_array(DENSE[:4, :1])),
    (np.zeros((0, 3), int), np.zeros((0, 3), int)),
    (np.array([1 + 1j, 2]), [1, 2]),
    ({0: 1, 1: 2}, [1, 2]),
]
BAD_WEIGHTS = [[1, NAN], [1, np.inf], [0, 0], [1], [[1], [1]], [[1, 1]], "ab", ["a", "b"], 1.0]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors(name):
    options = {"beta": 1.0} if name == "fbeta_score" else {}
    first, second = ("y1", "y2") if name == "cohen_kappa_score" else ("y_true", "y_pred")
    for y_true, y_pred in BAD:
        same(name, texts=False, **{first: y_true, second: y_pred}, **options)
        if name in SETS:
            same(name, y_true, y_pred, average="macro", texts=False)
            same(name, y_true, y_pred, average="samples", texts=False)
    for weights in BAD_WEIGHTS:
        same(name, [0, 1], [1, 1], sample_weight=weights, texts=False, **options)
        if name not in COLUMNS and name not in SETS and name != "fbeta_score":
            same(name, DENSE[:2], GUESS[:2], sample_weight=weights, texts=False)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("accuracy_score", {"normalize": "yes"}),
        ("zero_one_loss", {"normalize": 3}),
        ("confusion_matrix", {"normalize": "rows"}),
        ("confusion_matrix", {"labels": []}),
        ("confusion_matrix", {"labels": [7, 8]}),
        ("confusion_matrix", {"labels": 3}),
        ("balanced_accuracy_score", {"adjusted": None}),
        ("cohen_kappa_score", {"weights": "cubic"}),
        ("f1_score", {"average": "mean"}),
        ("f1_score", {"average": 3}),
        ("f1_score", {"zero_division": 0.5}),
        ("f1_score", {"zero_division": "nan"}),
        ("f1_score", {"pos_label": [1]}),
        ("f1_score", {"pos_label": 9}),
        ("f1_score", {"labels": "ab"}),
        ("jaccard_score", {"zero_division": NAN}),
        ("fbeta_score", {"beta": -1}),
        ("fbeta_score", {"beta": "2"}),
        ("precision_recall_fscore_support", {"beta": NAN}),
        ("precision_recall_fscore_support", {"warn_for": "recall"}),
        ("multilabel_confusion_matrix", {"samplewise": True}),
        ("multilabel_confusion_matrix", {"samplewise": 1}),
        ("multilabel_confusion_matrix", {"labels": ["a"]}),
        ("precision_recall_fscore_support", {"labels": ["a", "1"]}),
        ("classification_report", {"digits": -1}),
        ("classification_report", {"digits": 1.5}),
        ("classification_report", {"output_dict": 1}),
        ("classification_report", {"target_names": 3}),
        ("classification_report", {"zero_division": 3}),
    ],
)
def test_bad_options(name, options):
    same(name, [0, 1, 1], [1, 1, 0], **options)


def test_sums_of_weights_do_not_depend_on_the_order_of_the_rows():
    w = RNG.random(N)
    order = RNG.permutation(N)
    for y_true, y_pred in ((FOUR, predicted(FOUR)), (DENSE, GUESS)):
        for average in ("macro", "micro", "weighted"):
            one = ours.precision_recall_fscore_support(y_true, y_pred, sample_weight=w, average=average)
            other = ours.precision_recall_fscore_support(
                y_true[order], y_pred[order], sample_weight=w[order], average=average
            )
            assert one == other


def test_warnings_point_at_the_caller():
    with pytest.warns(UserWarning, match="A single label") as caught:
        ours.confusion_matrix([1, 1], [1, 1])
    assert caught[0].filename == __file__

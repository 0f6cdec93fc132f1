"""The drop-ins against scikit-learn: values, warnings, errors."""

import inspect
import warnings

import numpy as np
import pytest
import sklearn.metrics

import rocksteady.metrics as ours

FUNCTIONS = [
    "accuracy_score",
    "average_precision_score",
    "balanced_accuracy_score",
    "confusion_matrix",
    "matthews_corrcoef",
    "roc_auc_score",
    "roc_curve",
]


def outcome(function, *args, **kwargs):
    """The value or the exception, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            value = error
    return value, [(w.category.__name__, str(w.message)) for w in caught]


def same(name, *args, **kwargs):
    """Asserts that both packages give the same value and warnings, or exceptions of the same built-in type."""
    theirs, their_warnings = outcome(getattr(sklearn.metrics, name), *args, **kwargs)
    mine, my_warnings = outcome(getattr(ours, name), *args, **kwargs)
    if isinstance(theirs, Exception):
        assert isinstance(mine, Exception), (name, args, kwargs, theirs, mine)
        builtin = next(c for c in (ValueError, TypeError) if isinstance(theirs, c))
        assert isinstance(mine, builtin), (theirs, mine)
        return theirs, mine
    assert not isinstance(mine, Exception), (name, args, kwargs, theirs, mine)
    assert my_warnings == their_warnings
    if not isinstance(theirs, tuple):
        theirs, mine = (theirs,), (mine,)
    for a, b in zip(theirs, mine, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-13, atol=1e-15)
        assert np.asarray(b).dtype == np.asarray(a).dtype
        assert type(b) is type(a)
    return None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(name):
    theirs = inspect.signature(getattr(sklearn.metrics, name)).parameters
    mine = inspect.signature(getattr(ours, name)).parameters
    assert [(p.name, p.default, p.kind) for p in mine.values()] == [
        (p.name, p.default, p.kind) for p in theirs.values()
    ]


RNG = np.random.default_rng(0)
N = 3000
LABELS = {
    "binary": RNG.integers(0, 2, N),
    "bool": RNG.random(N) < 0.4,
    "minus": RNG.choice([-1, 1], N),
    "uint8": RNG.integers(0, 2, N).astype(np.uint8),
    "float": RNG.integers(0, 2, N).astype(float),
    "seven": RNG.integers(0, 7, N),
    "sparse": RNG.choice([-5, 3, 10**12], N),
    "text": RNG.choice(["spam", "ham", "eggs"], N),
    "object": RNG.choice(["yes", "no"], N).astype(object),
}
WEIGHTS = {"none": None, "float": RNG.random(N), "int": RNG.integers(0, 4, N), "f32": RNG.random(N).astype("f4")}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_label_metrics(kind, weight):
    y_true = LABELS[kind]
    y_pred = np.where(RNG.random(N) < 0.7, y_true, RNG.permutation(y_true))
    if kind == "object":
        y_pred = y_pred.astype(object)
    w = WEIGHTS[weight]
    for name in ("accuracy_score", "balanced_accuracy_score", "matthews_corrcoef", "confusion_matrix"):
        same(name, y_true, y_pred, sample_weight=w)
    if weight != "f32":
        # scikit-learn adds 32-bit weights in 32 bits here.
        same("accuracy_score", y_true, y_pred, sample_weight=w, normalize=False)
    same("balanced_accuracy_score", y_true, y_pred, sample_weight=w, adjusted=True)
    for normalize in ("true", "pred", "all"):
        same("confusion_matrix", y_true, y_pred, sample_weight=w, normalize=normalize)
    labels = np.unique(y_true)[::-1]
    same("confusion_matrix", y_true, y_pred, sample_weight=w, labels=labels)
    same("confusion_matrix", y_true, y_pred, sample_weight=w, labels=labels[:1])
    same("confusion_matrix", y_true.tolist(), y_pred.tolist())


SCORES = {
    "continuous": RNG.normal(size=N),
    "float32": RNG.normal(size=N).astype(np.float32),
    "rounded": RNG.random(N).round(2),
    "integer": RNG.integers(-50, 50, N),
    "tied": np.full(N, 0.25),
}


@pytest.mark.parametrize("kind", ["binary", "bool", "minus", "uint8", "float"])
@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("weight", ["none", "float", "int"])
def test_score_metrics(kind, score, weight):
    y, s, w = LABELS[kind], SCORES[score], WEIGHTS[weight]
    same("roc_auc_score", y, s, sample_weight=w)
    same("roc_auc_score", y, s, sample_weight=w, max_fpr=0.3)
    same("average_precision_score", y, s, sample_weight=w)
    same("roc_curve", y, s, sample_weight=w, drop_intermediate=False)
    if weight != "float":
        # With fractional weights scikit-learn's running sums carry rounding noise that hides straight lines.
        same("roc_curve", y, s, sample_weight=w)


def test_positive_labels():
    s = RNG.random(N)
    same("roc_auc_score", LABELS["object"], s)
    same("roc_curve", LABELS["object"], s, pos_label="no")
    same("roc_curve", LABELS["text"], s, pos_label="ham")
    same("roc_curve", LABELS["seven"], s, pos_label=3)
    same("roc_curve", LABELS["binary"], s, pos_label=0)
    same("roc_curve", LABELS["binary"], s, pos_label=5)
    same("average_precision_score", LABELS["object"], s, pos_label="no")
    same("average_precision_score", LABELS["binary"], s, pos_label=0)
    same("average_precision_score", LABELS["binary"] + 1, s)
    same("average_precision_score", [-1, 1, 1], [0.1, 0.2, 0.0])


nan = float("nan")
LABEL_CALLS = [
    ([0, 1], [0, 1, 1]),
    ([], []),
    ([0, 1], [0.5, 1]),
    ([0, 1], ["a", "b"]),
    (["a", "b"], [0, 1]),
    ([0, nan], [0, 1]),
    ([[0], [1]], [0, 1]),
    ([[0, 1], [1, 0]], [0, 1]),
    ([0, 0], [0, 0]),
    ([0, 0], [0, 1]),
    ([0, 1], [0, 0]),
    (0, 1),
    ("01", "01"),
    ([b"a", b"b"], [b"a", b"b"]),
    ([0, 1, None], [0, 1, 1]),
    (np.zeros((2, 2, 2)), [0, 1]),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("arguments", LABEL_CALLS, ids=str)
@pytest.mark.parametrize("name", ["accuracy_score", "balanced_accuracy_score", "matthews_corrcoef", "confusion_matrix"])
def test_nasty_labels(name, arguments):
    same(name, *arguments)


@pytest.mark.parametrize("weight", [[0, 0], [1, nan], [1, float("inf")], [1.5], 2.0, [[1], [2]], ["a", "b"]], ids=str)
@pytest.mark.parametrize("name", ["accuracy_score", "matthews_corrcoef", "confusion_matrix"])
def test_nasty_weights(name, weight):
    same(name, [0, 1], [0, 1], sample_weight=weight)


@pytest.mark.parametrize(
    "options",
    [{"labels": []}, {"labels": ["c"]}, {"labels": [5]}, {"normalize": "x"}, {"labels": [1, 0]}, {"labels": [0, 1, 2]}],
    ids=str,
)
def test_nasty_confusion_options(options):
    same("confusion_matrix", [0, 1, 1], [0, 1, 0], **options)


SCORE_CALLS = [
    ([0, 0], [0.1, 0.2]),
    ([1, 1], [0.1, 0.2]),
    ([0, 1], [0.1, nan]),
    ([0, 1], [0.1, float("inf")]),
    ([0, 1], [0.1, 0.2, 0.3]),
    ([0.5, 1], [0.1, 0.2]),
    ([0, 1], ["a", "b"]),
    ([0, 1], [[0.1], [0.2]]),
    ([0, 1], [[0.1, 0.9], [0.2, 0.8]]),
    ([0, nan], [0.1, 0.2]),
    (["a", "b"], [0.1, 0.2]),
    ([1, 2], [0.1, 0.2]),
    ([2, 2], [0.1, 0.2]),
    ([0, 1, 1], [True, False, True]),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("arguments", SCORE_CALLS, ids=str)
@pytest.mark.parametrize("name", ["roc_auc_score", "roc_curve", "average_precision_score"])
def test_nasty_scores(name, arguments):
    same(name, *arguments)


@pytest.mark.parametrize("weight", [[0, 0], [1, 0], [0, 1], [1, nan]], ids=str)
def test_nasty_score_weights(weight):
    same("roc_auc_score", [0, 1], [0.1, 0.2], sample_weight=weight)
    same("roc_curve", [0, 1], [0.1, 0.2], sample_weight=weight)


def test_more_classes_need_a_mode():
    with pytest.raises(ValueError, match="multi_class must be in"):
        ours.roc_auc_score([0, 1, 2], np.eye(3))


@pytest.mark.parametrize("options", [{"max_fpr": 2}, {"max_fpr": 0}, {"average": "x"}, {"max_fpr": 1.0}], ids=str)
def test_nasty_auc_options(options):
    same("roc_auc_score", [0, 1, 1], [0.1, 0.2, 0.3], **options)


def test_exceptions_read_like_scikit_learn():
    for name, arguments in [
        ("accuracy_score", ([0, 1], [0, 1, 1])),
        ("accuracy_score", ([], [])),
        ("accuracy_score", ([0, 1], [0.5, 1])),
        ("confusion_matrix", ([0, 1], ["a", "b"])),
        ("roc_auc_score", ([0, 1], [0.1, nan])),
        ("roc_curve", (["a", "b"], [0.1, 0.2])),
        ("roc_curve", ([0, 1, 2], [0.1, 0.2, 0.3])),
        ("roc_auc_score", ([0, 1, 2], [0.1, 0.2, 0.3])),
    ]:
        theirs, mine = same(name, *arguments)
        assert str(mine) == str(theirs)

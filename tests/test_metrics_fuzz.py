"""Random calls of every drop-in against scikit-learn: values, types, warnings, and the built-in types of exceptions.

Labels and scores of every kind come in every container, with every sort of weight, and now and then something that must be
refused. Wanted deviations are in `DEVIATIONS`, each with its reason; everything else must agree.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

import sklearn.metrics

import rocksteady.metrics

CALLS = 2_000
KINDS = {
    "01": [0, 1],
    "-11": [-1, 1],
    "bool": [False, True],
    "text": ["no", "yes"],
    "floats": [0.0, 1.0],
    "12": [1, 2],
    "far": [0, 10**12],
    "three": [0, 1, 2],
    "words": ["eggs", "ham", "spam"],
    "odd": [-3, 0, 5],
}
LABELS = ("confusion_matrix", "accuracy_score", "balanced_accuracy_score", "matthews_corrcoef")
SCORES = ("roc_curve", "roc_auc_score", "average_precision_score")


class Draw:
    """Random arguments."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def one(self, *options):
        return options[self.rng.integers(len(options))]

    def chance(self, probability):
        return self.rng.random() < probability

    def labels(self, kind, n):
        values = np.array(KINDS[kind])
        pattern = self.one("random", "random", "random", "random", "single", "rare")
        if pattern == "single":
            return np.full(n, values[self.rng.integers(len(values))])
        if pattern == "rare":
            return values[(np.arange(n) < max(1, n // 20)).astype(int)]
        return values[self.rng.integers(0, len(values), n)]

    def narrow(self, array):
        """The same labels in another dtype."""
        if array.dtype.kind != "i" or abs(array).max() > 100:
            return array
        unsigned = () if array.min() < 0 else ("uint8", "uint64", "float16")
        return array.astype(self.one("int64", "int32", "int8", "float64", "float32", *unsigned))

    def container(self, array):
        nullable = {"i": "Int64", "u": "UInt64", "f": "Float64", "b": "boolean", "U": "string"}
        n = len(array)
        return self.one(
            lambda: array,
            array.tolist,
            lambda: tuple(array.tolist()),
            lambda: pd.Series(array),
            lambda: pd.Series(array, index=self.rng.permutation(n) + 7),
            lambda: pd.Series(array).astype(nullable[array.dtype.kind]),
            lambda: pl.Series(array.tolist() if array.dtype.kind == "U" else array),
            lambda: array.astype(object) if array.dtype.kind == "U" else array,
            lambda: array.reshape(n, 1),
            lambda: array[::-1].copy()[::-1],
            lambda: array.astype(array.dtype.newbyteorder(">")),
        )()

    def weights(self, n):
        kind = self.one(*["none"] * 3, "float", "int", "zeros", "bool", "f32", "sparse", "list", "series")
        if self.chance(0.04):
            kind = self.one("long", "nan", "inf", "2d")
        return kind, {
            "none": lambda: None,
            "float": lambda: self.rng.random(n),
            "int": lambda: self.rng.integers(0, 4, n),
            "zeros": lambda: np.zeros(n),
            "bool": lambda: self.rng.random(n) < 0.5,
            "f32": lambda: self.rng.random(n).astype("f4"),
            "sparse": lambda: (self.rng.random(n) < 0.3).astype(float),
            "list": lambda: self.rng.integers(0, 3, n).tolist(),
            "series": lambda: pd.Series(self.rng.random(n)),
            "long": lambda: np.ones(n + 1),
            "nan": lambda: np.r_[np.ones(n - 1), np.nan],
            "inf": lambda: np.r_[np.ones(n - 1), np.inf],
            "2d": lambda: np.ones((n, 2)),
        }[kind]()

    def scores(self, n):
        kind = self.one("normal", "unit", "rounded", "int", "tied", "f32", "f16", "bool", "tiny", "u64", "zero")
        if self.chance(0.06):
            kind = self.one("long", "nan", "inf", "2d", "text")
        return kind, {
            "normal": lambda: self.rng.normal(size=n),
            "unit": lambda: self.rng.random(n),
            "rounded": lambda: self.rng.random(n).round(2),
            "int": lambda: self.rng.integers(-5, 6, n),
            "tied": lambda: np.full(n, 0.25),
            "f32": lambda: self.rng.normal(size=n).astype("f4"),
            "f16": lambda: self.rng.normal(size=n).astype("f2"),
            "bool": lambda: self.rng.random(n) < 0.5,
            "tiny": lambda: self.rng.normal(size=n) * 5e-324,
            "u64": lambda: self.rng.integers(0, 2**63, n).astype("u8") * np.uint64(2),
            "zero": lambda: self.rng.choice([-0.0, 0.0, 1.0], n),
            "long": lambda: self.rng.random(n + 1),
            "nan": lambda: np.r_[self.rng.random(n - 1), np.nan],
            "inf": lambda: np.r_[self.rng.random(n - 1), np.inf],
            "2d": lambda: self.rng.random((n, 2)),
            "text": lambda: np.full(n, "a"),
        }[kind]()

    def call(self):
        """A function's name, its arguments, and in words what matters for the deviations."""
        name = self.one(*LABELS, *SCORES)
        n = int(self.one(1, 2, 3, self.rng.integers(1, 12), self.rng.integers(1, 301)))
        kind = self.one(*KINDS)
        y_true = self.labels(kind, n)
        weight, sample_weight = self.weights(n)
        options = {} if weight == "none" else {"sample_weight": sample_weight}
        about = {"kind": kind, "weight": weight, "n": n, "classes": len(np.unique(y_true))}
        if name in SCORES:
            about["score"], score = self.scores(n)
            other = score if score.ndim == 2 or score.dtype.kind == "U" else self.container(score)
            self.ranking_options(name, kind, options)
        else:
            about["other"] = self.one(kind, kind, kind, kind, kind, *KINDS)
            other = self.labels(about["other"], n)
            if about["other"] == kind:
                other = np.where(self.rng.random(n) < 0.6, y_true, other)
            if self.chance(0.03):
                other = other[:-1]
            other = self.container(self.narrow(other) if len(other) else other)
            self.class_options(name, kind, options)
        return name, (self.container(self.narrow(y_true)), other), options, about

    def class_options(self, name, kind, options):
        if name == "confusion_matrix":
            if self.chance(0.4):
                options["normalize"] = self.one("true", "pred", "all", None, "rows")
            if self.chance(0.3):
                options["labels"] = self.rng.permutation(np.array(KINDS[self.one(kind, kind, *KINDS)]))
        elif name == "accuracy_score" and self.chance(0.4):
            options["normalize"] = self.one(True, False, 1)
        elif name == "balanced_accuracy_score" and self.chance(0.4):
            options["adjusted"] = self.one(True, False, "yes")

    def ranking_options(self, name, kind, options):
        if name == "roc_curve":
            if self.chance(0.6):
                options["pos_label"] = self.one(*KINDS[kind], 1, "yes", True)
            if self.chance(0.4):
                options["drop_intermediate"] = self.one(True, False, 1)
        elif name == "roc_auc_score":
            if self.chance(0.3):
                options["max_fpr"] = self.one(0.1, 0.5, 1, 1.0, 0.999, 1e-3, 0, 2, np.nan, True, "all")
            if self.chance(0.1):
                options["multi_class"] = self.one("raise", "ovr", "ovo", "rest", None)
        elif self.chance(0.5):
            options["pos_label"] = self.one(*KINDS[kind], 1, "yes", None, 5)
        if name != "roc_curve" and self.chance(0.1):
            options["average"] = self.one("macro", "micro", None, "samples", "weighted", "binary")


def outcome(module, name, arguments, options):
    """The value or the exception, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = getattr(module, name)(*arguments, **options)
        except Exception as error:
            value = error
    return value, [(w.category.__name__, str(w.message)) for w in caught]


def difference(theirs, ours):
    """In a word, how two outcomes differ; None if they agree."""
    (expected, their_warnings), (found, our_warnings) = theirs, ours
    refused = isinstance(expected, Exception), isinstance(found, Exception)
    if all(refused):
        builtin = [kind for kind in (ValueError, TypeError) if isinstance(expected, kind)] or [ValueError]
        return None if isinstance(found, tuple(builtin)) else "exception"
    if any(refused):
        return "we accept" if refused[0] else "we refuse"
    if their_warnings != our_warnings:
        return "warnings"
    pairs = zip(expected, found, strict=True) if isinstance(expected, tuple) else [(expected, found)]
    for a, b in pairs:
        if type(a) is not type(b) or np.shape(a) != np.shape(b) or np.asarray(a).dtype != np.asarray(b).dtype:
            return "type"
        if not np.allclose(a, b, rtol=1e-13, atol=1e-15, equal_nan=True):
            return "value"
    return None


# (what differs, the reason, when)
DEVIATIONS = [
    (
        "value",
        "scikit-learn adds weights of 32 bits in 32 bits, and truth values by 'or'; here every sum is exact",
        lambda name, options, about: (
            name == "accuracy_score" and options.get("normalize") is False and about["weight"] in ("f32", "bool")
        ),
    ),
    (
        "exception",
        "numbers and text cannot be compared in scikit-learn; here no such label is found",
        lambda name, options, about: name == "confusion_matrix" and "labels" in options,
    ),
    (
        "warnings",
        "numpy warns of a positive label that the labels' dtype cannot hold; here it only matches nothing",
        lambda name, options, about: name == "roc_curve" and options.get("pos_label") == 10**12,
    ),
    (
        "we refuse",
        "with one class scikit-learn answers nan before it looks at scores and weights; here bad ones are refused first",
        lambda name, options, about: (
            name == "roc_auc_score"
            and about["classes"] == 1
            and (
                about["weight"] in ("long", "nan", "inf", "2d")
                or about["score"] in ("long", "nan", "inf", "2d", "text")
            )
        ),
    ),
    (
        "we accept",
        "all rows with weight at one score: scikit-learn cannot integrate over a single point; here the area is undefined",
        lambda name, options, about: name == "roc_auc_score" and options.get("max_fpr", 1) < 1,
    ),
]


def test_random_calls_agree_with_scikit_learn():
    draw = Draw(20)
    refused = 0
    for place in range(CALLS):
        name, arguments, options, about = draw.call()
        theirs = outcome(sklearn.metrics, name, arguments, options)
        ours = outcome(rocksteady.metrics, name, arguments, options)
        refused += isinstance(ours[0], Exception)
        how = difference(theirs, ours)
        if how is not None and not any(how == kind and when(name, options, about) for kind, _, when in DEVIATIONS):
            pytest.fail(f"call {place}: {how}\n{name} {about}\n{arguments}\n{options}\n{theirs}\n{ours}")
    assert CALLS // 5 < refused < CALLS * 3 // 5  # both kinds of outcome are met often


@pytest.mark.parametrize("name", LABELS)
def test_negative_weights_are_refused(name):
    # scikit-learn adds them up, into negative cells and rates outside [0, 1].
    with pytest.raises(ValueError, match=r"sample_weight\[1\] is -1; expected a finite number that is not negative"):
        getattr(rocksteady.metrics, name)([0, 1], [0, 1], sample_weight=[1, -1])


@pytest.mark.parametrize("name", LABELS)
def test_objects_that_are_numbers_are_labels(name):
    # scikit-learn calls them "unknown", whatever they hold; here an object is what it is.
    numbers = [0, 1, 1, 0], [0, 1, 0, 0]
    objects = (np.array(column, dtype=object) for column in numbers)
    function = getattr(rocksteady.metrics, name)
    np.testing.assert_array_equal(function(*objects), function(*numbers))

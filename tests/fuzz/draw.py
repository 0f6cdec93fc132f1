"""Random calls: a function's name and arguments of every kind, container and dtype, with something nasty now and then.

`call(seed, place)` is the same call every time, made anew, so that each contestant gets its own copies and any call of
a run can be repeated alone. A call says in a set of words (`about`) how it was made; the deviations read them.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin

BINARY = {
    "01": [0, 1],
    "-11": [-1, 1],
    "bool": [False, True],
    "text": ["no", "yes"],
    "floats": [0.0, 1.0],
    "12": [1, 2],
    "far": [0, 10**12],
}
SEVERAL = {
    "three": [0, 1, 2],
    "words": ["eggs", "ham", "spam"],
    "odd": [-3, 0, 5],
    "dozen": list(range(12)),
    "letters": list("abcde"),
    "quarters": [1.0, 2.0, 3.0, 4.0],
    "huge": [-(2**62), 7, 2**62],
}
KINDS = BINARY | SEVERAL
NULLABLE = {"i": "Int64", "u": "UInt64", "f": "Float64", "b": "boolean", "U": "string"}
AVERAGES = ("binary", "micro", "macro", "weighted", "samples", None)


@dataclasses.dataclass
class Call:
    """One call, and in words how it was made."""

    name: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    about: set[str]
    then: Callable[[Any], Any] | None = None  # what is done with the value


class Draw:
    """The dice, and what they can make."""

    def __init__(self, *seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.about: set[str] = set()
        self.then: Callable[[Any], Any] | None = None

    def one(self, *options: Any) -> Any:
        return options[self.rng.integers(len(options))]

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def rows(self) -> int:
        return int(self.one(1, 2, 3, self.rng.integers(1, 12), self.rng.integers(2, 40), self.rng.integers(2, 301)))

    # One column.

    def labels(self, kind: str, n: int) -> np.ndarray:
        values = np.array(KINDS[kind])
        pattern = self.one("random", "random", "random", "random", "random", "single", "rare")
        if pattern == "single":
            return np.full(n, values[self.rng.integers(len(values))])
        if pattern == "rare":
            return values[(np.arange(n) < max(1, n // 20)).astype(int)]
        return values[self.rng.integers(0, len(values), n)]

    def like(self, labels: np.ndarray, kind: str) -> np.ndarray:
        """Predictions of the labels: right more often than not."""
        n = len(labels)
        other = kind
        if self.chance(0.08):
            other = self.one(*KINDS)
            self.about.add("another kind")
        guess = self.labels(other, n)
        if other == kind and not self.chance(0.1):
            guess = np.where(self.rng.random(n) < 0.6, labels, guess)
        return guess

    def narrow(self, array: np.ndarray) -> np.ndarray:
        """The same numbers in another dtype."""
        if array.dtype.kind != "i" or not array.size or abs(array).max() > 100 or self.chance(0.3):
            return array
        unsigned = () if array.min() < 0 else ("uint8", "uint16", "uint64", "float16")
        dtype = self.one("int64", "int32", "int8", "int16", "float64", "float32", *unsigned)
        self.about.add(f"dtype {dtype}")
        return array.astype(dtype)

    def column(self, array: np.ndarray) -> Any:
        """The same values in another container."""
        n = len(array)
        if self.chance(0.3) or array.ndim != 1:
            return array
        ways: dict[str, Callable[[], Any]] = {
            "list": array.tolist,
            "tuple": lambda: tuple(array.tolist()),
            "series": lambda: pd.Series(array),
            "odd index": lambda: pd.Series(array, index=self.rng.permutation(n) + 7),
            "nullable": lambda: pd.Series(array).astype(NULLABLE[array.dtype.kind]),
            "categorical": lambda: pd.Series(array).astype("category"),
            "polars": lambda: pl.Series(array.tolist() if array.dtype.kind == "U" else array),
            "arrow": lambda: pa.array(array.tolist()),
            "object": lambda: array.astype(object),
            "(n, 1)": lambda: array.reshape(n, 1),
            "strided": lambda: np.repeat(array, 3)[::3],
            "reversed": lambda: array[::-1].copy()[::-1],
            "read-only": lambda: read_only(array),
            "big-endian": lambda: array.astype(array.dtype.newbyteorder(">")),
            "numpy scalars": lambda: list(array),
            "frame": lambda: pd.DataFrame({"column": array}),
            "index": lambda: pd.Index(array),
        }
        likely = [*ways][:-5] * 3 + [*ways]  # the last are met less often
        way = self.one(*likely)
        if array.dtype == np.float16 and way in ("nullable", "categorical", "polars", "arrow", "index"):
            way = "list"  # these have no half floats, or none that can be made this way
        self.about.add(way)
        return ways[way]()

    def scores(self, n: int) -> np.ndarray:
        kind = self.one(
            *["normal", "unit", "rounded", "int", "tied"] * 2, "f32", "f16", "bool", "tiny", "big", "zero", "uint8"
        )
        self.about.add(f"scores {kind}")
        rng = self.rng
        return {
            "normal": lambda: rng.normal(size=n),
            "unit": lambda: rng.random(n),
            "rounded": lambda: rng.random(n).round(2),
            "int": lambda: rng.integers(-5, 6, n),
            "tied": lambda: np.full(n, 0.25),
            "f32": lambda: rng.normal(size=n).astype("f4"),
            "f16": lambda: rng.normal(size=n).astype("f2"),
            "bool": lambda: rng.random(n) < 0.5,
            "tiny": lambda: rng.normal(size=n) * 5e-324,
            "big": lambda: rng.normal(size=n) * 1e300,
            "zero": lambda: rng.choice([-0.0, 0.0, 1.0], n),
            "uint8": lambda: rng.integers(0, 256, n).astype("u1"),
        }[kind]()

    def unit(self, n: int) -> np.ndarray:
        """Probabilities of the positive class."""
        kind = self.one("unit", "unit", "rounded", "f32", "f16", "hard", "tied", "int", "ends")
        self.about.add(f"scores {kind}")
        rng = self.rng
        return {
            "unit": lambda: rng.random(n),
            "rounded": lambda: rng.random(n).round(1),
            "f32": lambda: rng.random(n).astype("f4"),
            "f16": lambda: rng.random(n).astype("f2"),
            "hard": lambda: (rng.random(n) < 0.5).astype(float),
            "tied": lambda: np.full(n, 0.25),
            "int": lambda: rng.integers(0, 2, n),
            "ends": lambda: rng.choice([0.0, 1e-300, 1e-16, 0.5, 1 - 2**-53, 1.0], n),
        }[kind]()

    def weights(self, n: int, options: dict[str, Any]) -> None:
        """Puts `sample_weight` into the options, more often than not none."""
        if self.chance(0.55):
            return
        kind = self.one("float", "float", "int", "int", "bool", "f32", "sparse", "list", "series", "uint8", "ones")
        if self.chance(0.12):
            kind = self.one(
                *["zeros", "negative", "long", "short", "nan", "inf", "2d", "text", "scalar", "object", "none in it"],
                *["(n, 1)", "large", "polars", "nullable", "big-endian", "cancelling", "empty", "f16", "missing"],
            )
        self.about.add(f"weights {kind}")
        rng = self.rng
        options["sample_weight"] = {
            "float": lambda: rng.random(n),
            "int": lambda: rng.integers(0, 4, n),
            "bool": lambda: rng.random(n) < 0.5,
            "f32": lambda: rng.random(n).astype("f4"),
            "sparse": lambda: (rng.random(n) < 0.3).astype(float),
            "list": lambda: rng.integers(0, 3, n).tolist(),
            "series": lambda: pd.Series(rng.random(n), index=rng.permutation(n) + 3),
            "uint8": lambda: rng.integers(0, 200, n).astype("u1"),
            "ones": lambda: np.ones(n),
            "zeros": lambda: np.zeros(n),
            "negative": lambda: rng.normal(size=n),
            "long": lambda: np.ones(n + 1),
            "short": lambda: np.ones(n - 1),
            "nan": lambda: np.r_[np.ones(n - 1), np.nan],
            "inf": lambda: np.r_[np.ones(n - 1), np.inf],
            "2d": lambda: np.ones((n, 2)),
            "text": lambda: ["a"] * n,
            "scalar": lambda: 2.0,
            "object": lambda: rng.integers(0, 3, n).astype(object),
            "none in it": lambda: [None, *[1] * (n - 1)],
            "(n, 1)": lambda: rng.random((n, 1)),
            "large": lambda: rng.random(n) * 1e200,
            "polars": lambda: pl.Series(rng.random(n)),
            "nullable": lambda: pd.Series(rng.integers(0, 3, n)).astype("Int64"),
            "big-endian": lambda: rng.random(n).astype(">f8"),
            "cancelling": lambda: np.resize([1.0, -1.0], n),
            "empty": list,
            "f16": lambda: rng.random(n).astype("f2"),
            "missing": lambda: None,
        }[kind]()

    # Matrices.

    def indicator(self, n: int, k: int) -> np.ndarray:
        density = self.one(0.2, 0.5, 0.5, 0.8, 0.0, 1.0, 0.5)
        return (self.rng.random((n, k)) < density).astype(int)

    def matrix(self, array: np.ndarray, *, may_be_sparse: bool = True) -> Any:
        """The same matrix in another container."""
        if array.dtype.kind == "i" and array.min(initial=0) >= 0 and array.max(initial=0) < 100 and self.chance(0.4):
            dtype = self.one("int8", "uint8", "bool" if array.max(initial=0) <= 1 else "int32", "float64", "float32")
            self.about.add(f"dtype {dtype}")
            array = array.astype(dtype)
        if self.chance(0.35) or array.ndim != 2:
            return array
        columns = [f"c{j}" for j in range(array.shape[1])]
        ways: dict[str, Callable[[], Any]] = {
            "Fortran": lambda: np.asfortranarray(array),
            "strided": lambda: np.repeat(np.repeat(array, 2, axis=0), 3, axis=1)[::2, ::3],
            "transposed": lambda: array.T.copy().T,
            "reversed": lambda: array[::-1, ::-1].copy()[::-1, ::-1],
            "lists": array.tolist,
            "list of arrays": lambda: list(array),
            "read-only": lambda: read_only(array),
            "big-endian": lambda: array.astype(array.dtype.newbyteorder(">")),
            "frame": lambda: pd.DataFrame(array, columns=columns),
            "odd frame": lambda: pd.DataFrame(array, columns=columns, index=self.rng.permutation(len(array)) + 3),
            "mixed frame": lambda: pd.DataFrame(array, columns=columns).astype(dict.fromkeys(columns[:1], "float64")),
            "object": lambda: array.astype(object),
            "polars frame": lambda: pl.DataFrame(dict(zip(columns, array.T, strict=True))),
        }
        if array.dtype != np.float16:
            sparse_ways: dict[str, Callable[[], Any]] = {
                "csr": lambda: sparse.csr_matrix(array),
                "csc": lambda: sparse.csc_matrix(array),
                "csr array": lambda: sparse.csr_array(array),
                "csc array": lambda: sparse.csc_array(array),
                "coo": lambda: sparse.coo_matrix(array),
                "lil": lambda: sparse.lil_matrix(array),
                "explicit zeros": lambda: with_explicit_zeros(array),
            }
            if may_be_sparse:
                ways |= sparse_ways
            elif self.chance(0.03):
                ways = sparse_ways
        else:
            del ways["polars frame"], ways["mixed frame"]
        way = self.one(*ways)
        self.about.add(way)
        return ways[way]()

    def probabilities(self, n: int, k: int) -> np.ndarray:
        kind = self.one("dirichlet", "dirichlet", "dirichlet", "f32", "f16", "hard", "rounded", "uniform", "sharp")
        if self.chance(0.06):
            kind = self.one("not one", "above one", "negative", "integers")
        self.about.add(f"scores {kind}")
        rng = self.rng
        rows = rng.dirichlet(np.ones(k), size=n)
        if kind == "hard":
            return np.eye(k)[rng.integers(0, k, n)]
        if kind == "integers":
            return np.eye(k, dtype=int)[rng.integers(0, k, n)]
        return {
            "dirichlet": lambda: rows,
            "f32": lambda: rows.astype("f4"),
            "f16": lambda: rows.astype("f2"),
            "rounded": lambda: rows.round(1),
            "uniform": lambda: np.full((n, k), 1 / k),
            "sharp": lambda: rng.dirichlet(np.full(k, 0.02), size=n),
            "not one": lambda: rng.random((n, k)),
            "above one": lambda: rows * 3,
            "negative": lambda: rows - 0.1,
        }[kind]()

    # Something nasty.

    def spoil(self, argument: Any) -> Any:
        """Something else in the place of a good argument."""
        array = np.asarray(argument) if not sparse.issparse(argument) else argument.toarray()
        flat = array.reshape(-1)
        ways: dict[str, Callable[[], Any]] = {
            "NaN": lambda: put(array.astype(object if flat.dtype.kind in "OUSM" else float), self.rng, np.nan),
            "inf": lambda: put(array.astype(object if flat.dtype.kind in "OUSM" else float), self.rng, np.inf),
            "-inf": lambda: put(array.astype(object if flat.dtype.kind in "OUSM" else float), self.rng, -np.inf),
            "None": lambda: put(array.astype(object), self.rng, None),
            "None in a list": lambda: put(array.astype(object), self.rng, None).tolist(),
            "NaN in a list": lambda: put(array.astype(object), self.rng, float("nan")).tolist(),
            "pd.NA": lambda: pd.Series(put(flat.astype(object), self.rng, pd.NA)),
            "text among numbers": lambda: put(array.astype(object), self.rng, "spam").tolist(),
            "number among text": lambda: put(array.astype(object), self.rng, 3).tolist(),
            "bytes": lambda: np.array([str(v).encode() for v in flat]),
            "bytes in a list": lambda: [str(v).encode() for v in flat],
            "empty": lambda: array[:0],
            "empty list": list,
            "shorter": lambda: argument[:-1] if isinstance(argument, list | tuple) else array[:-1],
            "longer": lambda: np.concatenate([array, array[-1:]]),
            "0-d": lambda: np.array(flat[0] if flat.size else 0),
            "scalar": lambda: flat[0].item() if flat.size and hasattr(flat[0], "item") else 1,
            "3-d": lambda: array.reshape((*array.shape, *[1] * (3 - array.ndim))) if array.ndim < 3 else array,
            "wide": lambda: np.stack([flat, flat], axis=1),
            "None itself": lambda: None,
            "text itself": lambda: "spam",
            "unseen": lambda: put(array.astype(float), self.rng, 77) if flat.dtype.kind in "iufb" else array,
            "halves": lambda: array.astype(float) + 0.5 if flat.dtype.kind in "iufb" else array,
            "all NaN": lambda: np.full(array.shape, np.nan),
            "a dictionary": lambda: {"a": 1},  # from here on what hardly anybody passes
            "a set": lambda: {0, 1},
            "a generator": lambda: (v for v in flat.tolist()),
            "complex": lambda: array.astype(complex) if flat.dtype.kind in "iufb" else array,
            "dates": lambda: np.array([np.datetime64("2020-01-01")] * len(array)),
            "Python dates": lambda: [dt.date(2020, 1, 1)] * len(array),
            "ragged": lambda: [[1], [1, 2], *[[3]] * (len(array) - 2)],
            "lists of labels": lambda: [[v] for v in flat.tolist()],
            "fractions": lambda: [Fraction(1, 2)] * len(array),
            "large integers": lambda: [10**30] * len(array),
            "structured": lambda: np.zeros(len(array), dtype=[("a", int)]),
            "masked": lambda: np.ma.masked_array(array, mask=self.rng.random(array.shape) < 0.3),
            "np.matrix": lambda: np.matrix(array) if array.ndim <= 2 else array,
            "half sparse": lambda: sparse.csr_matrix(array if array.ndim == 2 else array.reshape(1, -1)),
        }
        exotic = [*ways][[*ways].index("a dictionary") :]
        way = self.one(*[*ways][: -len(exotic)] * 6, *exotic)
        try:
            spoiled = ways[way]()
        except (TypeError, ValueError, IndexError):
            return argument
        self.about.add(f"spoiled: {way}")
        return spoiled

    def maybe_spoil(self, arguments: tuple[Any, ...], probability: float = 0.1) -> tuple[Any, ...]:
        if not self.chance(probability):
            return arguments
        which = int(self.rng.integers(len(arguments)))
        return tuple(self.spoil(v) if i == which else v for i, v in enumerate(arguments))

    # Options.

    def some_labels(self, kind: str) -> Any:
        """A value for `labels`."""
        values = KINDS[kind]
        way = self.one(
            *["same", "permuted", "part", "more"] * 8, "another", "another", "empty", "repeated", "scalar", "2d"
        )
        self.about.add(f"labels {way}")
        if way == "another":
            values = KINDS[self.one(*KINDS)]
        array = np.array(values)
        if way == "permuted":
            array = self.rng.permutation(array)
        elif way == "part":
            array = self.rng.permutation(array)[: self.rng.integers(1, len(array) + 1)]
        elif way == "more":
            array = np.array([*values, "zzz" if isinstance(values[0], str) else 99])
        elif way == "empty":
            return self.one([], np.array([]))
        elif way == "repeated":
            array = np.array([*values, values[0]])
        elif way == "scalar":
            return values[0]
        elif way == "2d":
            return [list(values)]
        return self.one(array, array, array.tolist(), tuple(array.tolist()), pd.Series(array))

    def pos_label(self, kind: str) -> Any:
        values = KINDS[kind]
        return self.one(*values, *values, *values, 1, "yes", True, None, 5, np.int64(1), [1], 1.0)

    def zero_division(self) -> Any:
        return self.one("warn", 0, 1, 0.0, 1.0, np.nan, float("nan"), 0, 1, 2, "spam", None, True, np.float64(1))


def put(array: np.ndarray, rng: np.random.Generator, value: Any) -> np.ndarray:
    if array.size:
        array.flat[rng.integers(array.size)] = value
    return array


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


def with_explicit_zeros(array: np.ndarray) -> sparse.csr_matrix:
    rows, columns = np.indices(array.shape)
    every = (array.reshape(-1), (rows.reshape(-1), columns.reshape(-1)))
    return sparse.csr_matrix(every, shape=array.shape)


# The functions, by what they take.


def of_labels(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Two columns of labels, or two indicator matrices."""
    n = draw.rows()
    options: dict[str, Any] = {}
    multilabel = draw.chance(0.35 if name in MULTILABEL else 0.05)
    if multilabel:
        draw.about.add("multilabel")
        k = int(draw.rng.integers(1, 6))
        true = draw.indicator(n, k)
        pred = np.where(draw.rng.random((n, k)) < 0.6, true, draw.indicator(n, k))
        if draw.chance(0.03):
            pred = pred[:, :-1]
        if draw.chance(0.02):
            pred = pred * 2
        kind = "01"
        arguments: tuple[Any, ...] = (draw.matrix(true), draw.matrix(pred))
    else:
        several = name in SEVERAL_TOO and draw.chance(0.5)
        kind = draw.one(*(SEVERAL if several else BINARY))
        true = draw.labels(kind, n)
        pred = draw.like(true, kind)
        if draw.chance(0.01):
            pred = pred[:-1]
        arguments = (draw.column(draw.narrow(true)), draw.column(draw.narrow(pred)))
        draw.about.add(kind)
    arguments = draw.maybe_spoil(arguments)
    draw.weights(n, options)
    if "labels" in LABEL_OPTIONS[name] and draw.chance(0.3):
        if multilabel:
            options["labels"] = draw.one([0], [1, 0], [0, 1, 2], [5], [-1], [0, 0], np.arange(k), [], ["a"])
            draw.about.add("labels of columns")
        else:
            options["labels"] = draw.some_labels(kind)
    if "average" in LABEL_OPTIONS[name] and draw.chance(0.8):
        options["average"] = draw.one(*AVERAGES, *AVERAGES[1:], *AVERAGES[1:], "spam", 1)
    if "pos_label" in LABEL_OPTIONS[name] and draw.chance(0.35):
        options["pos_label"] = draw.pos_label(kind)
    if "zero_division" in LABEL_OPTIONS[name] and draw.chance(0.5):
        options["zero_division"] = draw.zero_division()
    LABEL_OPTIONS[name].get("more", lambda *_: None)(draw, options, kind)
    return arguments, options


def flag(key: str) -> Callable[[Draw, dict[str, Any], str], None]:
    def more(draw: Draw, options: dict[str, Any], kind: str) -> None:
        if draw.chance(0.5):
            options[key] = draw.one(True, False, True, False, True, False, np.True_, 1, "yes", None)

    return more


def of_confusion(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.5):
        options["normalize"] = draw.one("true", "pred", "all", None, "true", "pred", "all", "rows", True)


def of_kappa(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.5):
        options["weights"] = draw.one(None, "linear", "quadratic", "linear", "quadratic", "cubic", 1)
    if draw.chance(0.3):
        options["replace_undefined_by"] = draw.one(np.nan, 0, 0.0, 1, -1.0, 0.5, 2, "x", None)


def of_ratios(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.5):
        options["replace_undefined_by"] = draw.one(
            *[np.nan, 1.0, 1, {"LR+": 1.0, "LR-": 1.0}, {"LR+": np.inf, "LR-": 0.5}, {"LR+": 0.5, "LR-": 0.5}],
            *[{"LR+": 2}, {}, 0.0, "x", {"LR+": np.nan, "LR-": np.nan}, None, {"LR+": 2, "LR-": 1, "x": 3}],
        )


def of_fbeta(draw: Draw, options: dict[str, Any], kind: str) -> None:
    options["beta"] = draw.one(0.5, 2, 1, 1.0, 0, 0.0, np.inf, 1e-3, 1e6, -1, np.nan, "1", None, np.float32(2))


def of_prfs(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.4):
        of_fbeta(draw, options, kind)
    if draw.chance(0.3):
        options["warn_for"] = draw.one(
            (), ["precision"], {"recall"}, ("f-score",), ("precision", "recall"), "recall", None
        )


def of_report(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.4):
        options["output_dict"] = draw.one(True, True, True, False, 1)
    if draw.chance(0.3):
        options["digits"] = draw.one(0, 1, 3, 4, 7, 12, -1, 2.0, "2", np.int64(3), None)
    if draw.chance(0.2):
        right = [f"class {i}" for i in range(len(KINDS[kind]))]
        options["target_names"] = draw.one(right, right, ["one", "two"], ["a"], [1, 2], [], np.array(["x", "y"]))


_SET_WISE = {"labels": 1, "average": 1, "pos_label": 1, "zero_division": 1}
LABEL_OPTIONS: dict[str, dict[str, Any]] = {
    "accuracy_score": {"more": flag("normalize")},
    "zero_one_loss": {"more": flag("normalize")},
    "hamming_loss": {},
    "balanced_accuracy_score": {"more": flag("adjusted")},
    "matthews_corrcoef": {},
    "cohen_kappa_score": {"labels": 1, "more": of_kappa},
    "class_likelihood_ratios": {"labels": 1, "more": of_ratios},
    "confusion_matrix": {"labels": 1, "more": of_confusion},
    "multilabel_confusion_matrix": {"labels": 1, "more": flag("samplewise")},
    "precision_score": _SET_WISE,
    "recall_score": _SET_WISE,
    "f1_score": _SET_WISE,
    "fbeta_score": _SET_WISE | {"more": of_fbeta},
    "jaccard_score": _SET_WISE,
    "precision_recall_fscore_support": _SET_WISE | {"more": of_prfs},
    "classification_report": {"labels": 1, "zero_division": 1, "more": of_report},
}
MULTILABEL = {
    *["accuracy_score", "zero_one_loss", "hamming_loss", "multilabel_confusion_matrix", "classification_report"],
    *[name for name, options in LABEL_OPTIONS.items() if "average" in options],
}
SEVERAL_TOO = {*LABEL_OPTIONS} - {"class_likelihood_ratios"}


def of_curve(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Labels and one score a row."""
    n = min(draw.rows(), 30 if name == "metric_at_thresholds" else 300)  # scikit-learn counts anew at every threshold
    options: dict[str, Any] = {}
    kind = draw.one(*BINARY, *BINARY, *KINDS)
    draw.about.add(kind)
    true = draw.column(draw.narrow(draw.labels(kind, n)))
    scores = draw.column(draw.unit(n) if name == "calibration_curve" else draw.scores(n))
    if draw.chance(0.02):
        scores = draw.matrix(draw.probabilities(n, 2))
    arguments = draw.maybe_spoil((true, scores))
    if name != "calibration_curve":
        draw.weights(n, options)
    usual = kind in ("01", "-11", "bool", "floats")
    if name != "metric_at_thresholds" and draw.chance(0.25 if usual else 0.8):
        options["pos_label"] = draw.pos_label(kind)
    if name in ("roc_curve", "precision_recall_curve", "det_curve") and draw.chance(0.5):
        options["drop_intermediate"] = draw.one(True, False, True, False, True, 1, "no", None)
    if name == "calibration_curve":
        if draw.chance(0.5):
            options["strategy"] = draw.one("uniform", "quantile", "quantile", "other", None)
        if draw.chance(0.5):
            options["n_bins"] = draw.one(1, 2, 3, 10, 50, 0, -1, 2.5, "5", np.int32(4))
    return arguments, options


def of_thresholds(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Labels, scores, and one of the metrics by name: each contestant uses its own."""
    arguments, options = of_curve(draw, name)
    usual = ("f1_score", "accuracy_score", "precision_score", "recall_score", "matthews_corrcoef", "fbeta_score")
    metric = draw.one(*usual, *usual, "balanced_accuracy_score", "confusion_matrix", "jaccard_score", "python", "bad")
    draw.about.add(f"metric {metric}")
    if metric == "fbeta_score":
        options["metric_params"] = {"beta": draw.one(0.5, 2.0)}
    elif draw.chance(0.2):
        options["metric_params"] = draw.one({}, None, {"zero_division": 0}, {"pos_label": 1}, {"unknown": 1}, 1)
    return (*arguments, Named(metric)), options


@dataclasses.dataclass(frozen=True)
class Named:
    """Stands for a function of the package that is called."""

    name: str

    def of(self, module: Any) -> Any:
        if self.name == "python":
            return hits
        return "not callable" if self.name == "bad" else getattr(module, self.name, None)


def hits(y_true: Any, y_pred: Any, sample_weight: Any = None, **options: Any) -> float:
    """A metric that neither package knows."""
    return float(np.sum(np.asarray(y_true) == np.asarray(y_pred)))


def of_area(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """`roc_auc_score` and `average_precision_score`: two classes, several, or indicator matrices."""
    n = draw.rows()
    options: dict[str, Any] = {}
    form = draw.one("binary", "binary", "several", "several", "multilabel", "multilabel")
    draw.about.add(form)
    k = int(draw.rng.integers(2, 6))
    kind = draw.one(*BINARY) if form == "binary" else draw.one(*SEVERAL)
    if form == "binary":
        true = draw.column(draw.narrow(draw.labels(kind, n)))
        scores = draw.column(draw.scores(n))
        if draw.chance(0.04):
            scores = draw.matrix(draw.probabilities(n, 2), may_be_sparse=False)
    elif form == "several":
        values = np.array(KINDS[kind])
        labels = draw.labels(kind, n)
        if n >= len(values) and draw.chance(0.85):
            labels[: len(values)] = values
        present = len(np.unique(labels))
        width = present if draw.chance(0.7) else len(values)
        true = draw.column(draw.narrow(labels))
        scores = draw.matrix(draw.probabilities(n, width), may_be_sparse=False)
    else:
        true = draw.matrix(draw.indicator(n, k), may_be_sparse=draw.chance(0.1))
        scores = draw.matrix(draw.scores(n * k).reshape(n, k), may_be_sparse=False)
    arguments = draw.maybe_spoil((true, scores), 0.07)
    draw.weights(n, options)
    if draw.chance(0.5):
        options["average"] = draw.one(
            "macro", "micro", None, "samples", "weighted", "macro", "micro", None, "weighted", "binary"
        )
    if name == "roc_auc_score":
        if form == "several" and draw.chance(0.9):
            options["multi_class"] = draw.one("ovr", "ovo")
            if options["multi_class"] == "ovo" and draw.chance(0.8):
                options.pop("sample_weight", None)
        elif draw.chance(0.1):
            options["multi_class"] = draw.one("raise", "ovr", "ovo", "rest", None)
        if draw.chance(0.25 if form != "several" else 0.05):
            options["max_fpr"] = draw.one(0.1, 0.5, 0.3, 1, 1.0, 0.999, 1e-3, 0, 2, np.nan, True, "all")
        if draw.chance(0.2):
            options["labels"] = draw.some_labels(kind) if draw.chance(0.5) else KINDS[kind]
            draw.about.add("labels")
    elif draw.chance(0.3 if kind in ("01", "floats", "bool", "12") else 0.7):
        options["pos_label"] = draw.pos_label(kind) if form == "binary" else draw.one(1, 1, 0, None)
    return arguments, options


def of_probabilities(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Labels and probabilities: one column, two, or one for each class."""
    n = draw.rows()
    options: dict[str, Any] = {}
    form = draw.one("column", "column", "two", "several", "several", "multilabel")
    draw.about.add(form)
    kind = draw.one(*(BINARY if form in ("column", "two") else SEVERAL))
    draw.about.add(kind)
    values = np.array(KINDS[kind])
    if form == "multilabel":
        k = int(draw.rng.integers(1, 5))
        true = draw.matrix(
            draw.indicator(n, k) if draw.chance(0.5) else np.eye(k, dtype=int)[draw.rng.integers(0, k, n)]
        )
        proba = draw.matrix(draw.probabilities(n, k), may_be_sparse=False)
    else:
        labels = draw.labels(kind, n)
        if n >= len(values) and draw.chance(0.7):
            labels[: len(values)] = values
        true = draw.column(draw.narrow(labels))
        if form == "column":
            proba = draw.column(draw.unit(n) if draw.chance(0.96) else draw.scores(n))
        else:
            width = len(np.unique(labels)) if draw.chance(0.5) else len(values)
            proba = draw.matrix(draw.probabilities(n, width), may_be_sparse=False)
    arguments = draw.maybe_spoil((true, proba), 0.08)
    draw.weights(n, options)
    if draw.chance(0.4):
        options["labels"] = draw.some_labels(kind) if draw.chance(0.6) else KINDS[kind]
        draw.about.add("labels")
    if name in ("brier_score_loss", "d2_brier_score") and draw.chance(0.6 if kind == "text" else 0.25):
        options["pos_label"] = draw.pos_label(kind)
    if name == "brier_score_loss" and draw.chance(0.3):
        options["scale_by_half"] = draw.one(True, False, "auto", True, False, "no", None, 1)
    if name == "log_loss":
        flag("normalize")(draw, options, kind)
    if name in ("log_loss", "d2_log_loss_score") and draw.chance(0.04):
        options["y_pred"] = arguments[1]
        if draw.chance(0.7):
            arguments = arguments[:1]
        draw.about.add("y_pred")
    return arguments, options


def of_hinge(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    n = draw.rows()
    options: dict[str, Any] = {}
    several = draw.chance(0.5)
    kind = draw.one(*(SEVERAL if several else BINARY))
    draw.about.add(kind)
    values = np.array(KINDS[kind])
    labels = draw.labels(kind, n)
    if n >= len(values) and draw.chance(0.7):
        labels[: len(values)] = values
    true = draw.column(draw.narrow(labels))
    if several:
        width = len(np.unique(labels)) if draw.chance(0.5) else len(values)
        decision = draw.matrix(draw.scores(n * width).reshape(n, width), may_be_sparse=False)
    else:
        decision = draw.column(draw.scores(n))
    arguments = draw.maybe_spoil((true, decision))
    draw.weights(n, options)
    if draw.chance(0.5 if several else 0.2):
        options["labels"] = draw.some_labels(kind) if draw.chance(0.5) else KINDS[kind]
        draw.about.add("labels")
    return arguments, options


def of_top_k(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    arguments, options = of_hinge(draw, name)
    if draw.chance(0.6):
        options["k"] = draw.one(1, 2, 3, 1, 2, 3, 4, 10, 0, -1, 1.5, "2", np.int64(2), None, True)
    flag("normalize")(draw, options, "")
    return arguments, options


def of_ranking(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A matrix of relevance and one of scores."""
    n = draw.rows()
    options: dict[str, Any] = {}
    k = int(draw.one(1, 2, 3, 4, 6, 9))
    gains = name in ("dcg_score", "ndcg_score")
    if gains and draw.chance(0.7):
        true = draw.one(
            lambda: draw.rng.integers(0, 5, (n, k)),
            lambda: draw.rng.random((n, k)),
            lambda: draw.rng.integers(0, 3, (n, k)).astype(float),
            lambda: draw.rng.integers(-1, 5, (n, k)),
            lambda: draw.rng.random((n, k)).astype("f4"),
            lambda: np.zeros((n, k)),
        )()
    else:
        true = draw.indicator(n, k)
    scores = draw.scores(n * k).reshape(n, k)
    if draw.chance(0.02):
        scores = scores[:, :-1]
    sparse_truth = name in ("label_ranking_average_precision_score", "label_ranking_loss")
    arguments = draw.maybe_spoil(
        (draw.matrix(true, may_be_sparse=sparse_truth), draw.matrix(scores, may_be_sparse=False))
    )
    draw.weights(n, options)
    if gains:
        if draw.chance(0.5):
            options["k"] = draw.one(1, 2, 3, 5, 100, None, 0, -1, 2.0, "1", np.int64(2), True)
        if draw.chance(0.5):
            options["ignore_ties"] = draw.one(True, True, True, False, 1, None)
        if name == "dcg_score" and draw.chance(0.3):
            options["log_base"] = draw.one(2, np.e, 10, 0.5, 1, 0, -1, np.inf, np.nan, "2", None)
    return arguments, options


def of_auc(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    n = draw.rows()
    x = draw.scores(n)
    way = draw.one("up", "down", "random", "up")
    if way != "random":
        x = np.sort(x)
    if way == "down":
        x = x[::-1]
    return draw.maybe_spoil((draw.column(x), draw.column(draw.scores(n)))), {}


class Estimator(ClassifierMixin, BaseEstimator):
    """A classifier that has its answers ready."""

    def __init__(self, classes: Any, predictions: Any, chances: Any) -> None:
        self.classes_ = classes
        self.predictions = predictions
        self.chances = chances

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.classes_.tolist()}, {self.predictions.tolist()}, {self.chances.tolist()})"

    def fit(self, X: Any, y: Any) -> Any:
        return self

    def predict(self, X: Any) -> Any:
        return self.predictions

    def predict_proba(self, X: Any) -> Any:
        return self.chances

    def score(self, X: Any, y: Any) -> float:
        return 0.25


class Deciding(Estimator):
    """It has decisions too, one column of them for two classes."""

    def decision_function(self, X: Any) -> Any:
        return self.chances[:, 1] - 0.5 if len(self.classes_) == 2 else self.chances


SCORERS = (
    *["accuracy", "balanced_accuracy", "average_precision", "matthews_corrcoef", "roc_auc", "top_k_accuracy"],
    *["neg_log_loss", "neg_brier_score", "d2_log_loss_score", "d2_brier_score", "positive_likelihood_ratio"],
    *["neg_negative_likelihood_ratio", "roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted"],
    *[
        f"{name}{kind}"
        for name in ("f1", "precision", "recall", "jaccard")
        for kind in ("", "_macro", "_micro", "_weighted")
    ],
)


def of_scorer(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A scorer or several, and what they make of a classifier."""
    n = max(draw.rows(), 2)
    kind = draw.one(*BINARY, *SEVERAL)
    classes = np.array(sorted(KINDS[kind]))
    y = draw.labels(kind, n)
    chances = draw.rng.dirichlet(np.ones(len(classes)), size=n)
    answers = (classes, draw.like(y, kind), chances)
    estimator = draw.one(Estimator, Deciding)(*answers)
    weights: dict[str, Any] = {}
    if draw.chance(0.3):
        weights["sample_weight"] = draw.rng.random(n)
    scoring: Any = draw.one(*SCORERS)
    if name != "get_scorer" and draw.chance(0.5):
        scoring = draw.one(list, tuple, set)(draw.rng.choice(SCORERS, 3, replace=False).tolist())
    if draw.chance(0.1):
        scoring = draw.one(
            "spam", 1, None, [], {}, [1, 2], "", {"a": "spam"}, {"a": "f1", "b": "accuracy"}, ("f1", "f1")
        )

    def then(scorer: Any) -> Any:
        return repr(scorer), scorer(estimator, np.zeros((n, 1)), y, **weights)

    draw.then = then
    if name == "get_scorer":
        return (scoring,), {}
    options: dict[str, Any] = {}
    if name == "check_scoring":
        if draw.chance(0.2):
            options["allow_none"] = draw.one(True, False, 1, "no")
        return (draw.one(estimator, estimator, estimator, None, "an estimator"), scoring), options
    metric = draw.one(
        "f1_score", "accuracy_score", "fbeta_score", "roc_auc_score", "log_loss", "cohen_kappa_score", "bad"
    )
    if metric == "fbeta_score":
        options["beta"] = 2
    if metric in ("f1_score", "fbeta_score"):
        options["average"] = draw.one("macro", "weighted", "micro")
    if metric in ("roc_auc_score", "log_loss") and draw.chance(0.8):
        options["response_method"] = draw.one("predict_proba", ("decision_function", "predict_proba"))
    elif draw.chance(0.3):
        options["response_method"] = draw.one(
            *["predict", "predict_proba", "decision_function", ("decision_function", "predict_proba"), "spam", None, 1],
        )
    if draw.chance(0.5):
        options["greater_is_better"] = draw.one(True, False, 1, "yes")
    return (Named(metric),), options


FUNCTIONS: dict[str, Callable[[Draw, str], tuple[tuple[Any, ...], dict[str, Any]]]] = {
    **dict.fromkeys(LABEL_OPTIONS, of_labels),
    **dict.fromkeys(("roc_curve", "precision_recall_curve", "det_curve", "confusion_matrix_at_thresholds"), of_curve),
    "calibration_curve": of_curve,
    "metric_at_thresholds": of_thresholds,
    **dict.fromkeys(("roc_auc_score", "average_precision_score"), of_area),
    **dict.fromkeys(("log_loss", "brier_score_loss", "d2_log_loss_score", "d2_brier_score"), of_probabilities),
    "hinge_loss": of_hinge,
    "top_k_accuracy_score": of_top_k,
    **dict.fromkeys(("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss"), of_ranking),
    **dict.fromkeys(("dcg_score", "ndcg_score"), of_ranking),
    "auc": of_auc,
    **dict.fromkeys(("get_scorer", "check_scoring", "make_scorer"), of_scorer),
}


def call(seed: int, place: int, names: tuple[str, ...] = tuple(FUNCTIONS)) -> Call:
    """The call at this place of the run with this seed: functions take turns."""
    name = names[place % len(names)]
    draw = Draw(seed, place)
    arguments, options = FUNCTIONS[name](draw, name)
    return Call(name, arguments, options, draw.about, draw.then)

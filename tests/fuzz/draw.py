"""Random arguments: columns and matrices of every kind, container and dtype, with something nasty now and then.

A call says in a set of words (`about`) how it was made.
"""

from __future__ import annotations

import array as arrays
import collections
import dataclasses
import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

BINARY = {
    "01": [0, 1],
    "-11": [-1, 1],
    "bool": [False, True],
    "text": ["no", "yes"],
    "floats": [0.0, 1.0],
    "12": [1, 2],
    "far": [0, 10**12],
    "beyond": [2**53, 2**53 + 1],
    "unsigned": [2**63, 2**63 + 1],
}
SEVERAL = {
    "three": [0, 1, 2],
    "words": ["eggs", "ham", "spam"],
    "odd": [-3, 0, 5],
    "dozen": list(range(12)),
    "letters": list("abcde"),
    "quarters": [1.0, 2.0, 3.0, 4.0],
    "huge": [-(2**62), 7, 2**62],
    "neighbours": [2**53, 2**53 + 1, 2**53 + 2],  # float64 has two of the three
    "mixed": [0, 1, 2.5],
}
KINDS = BINARY | SEVERAL
NULLABLE = {"i": "Int64", "u": "UInt64", "f": "Float64", "b": "boolean", "U": "string"}
AVERAGES = ("binary", "micro", "macro", "weighted", "samples", None)

# What a container raises that cannot hold a dtype; pyarrow's own errors are among them.
IMPOSSIBLE = (TypeError, ValueError, LookupError, NotImplementedError, OverflowError, pl.exceptions.PolarsError)


@dataclasses.dataclass
class Call:
    """One call, and in words how it was made."""

    name: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    about: set[str]
    then: Callable[[Any], Any] | None = None  # what is done with the value


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
        dtype = self.one("int64", "int32", "int8", "int16", "float64", "float32", "longdouble", *unsigned)
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
            "memoryview": lambda: memoryview(array),
            "array.array": lambda: arrays.array("d" if array.dtype.kind == "f" else "q", array.tolist()),
            "deque": lambda: collections.deque(array.tolist()),
            "UserList": lambda: collections.UserList(array.tolist()),
            "extension array": lambda: pd.array(array),
            "arrow in pandas": lambda: pd.Series(pd.array(array.tolist(), dtype=pd.ArrowDtype(pa.array(array).type))),
            "objects in pandas": lambda: pd.Series(array.astype(object), dtype=object),
            "ordered": lambda: pd.Categorical(array, ordered=True),
            "unused categories": lambda: pd.Series(np.r_[array, array[:1]]).astype("category").iloc[:n],
            "polars categories": lambda: pl.Series(array.tolist()).cast(pl.Categorical),
            "arrow chunks": lambda: pa.chunked_array([array[: n // 2].tolist(), array[n // 2 :].tolist()]),
            "arrow dictionary": lambda: pa.array(array.tolist()).dictionary_encode(),
            "StringDType": lambda: array.astype(np.dtypes.StringDType()),
            "text of numbers": lambda: [str(v) for v in array.tolist()],
            "longdouble": lambda: array.astype(np.longdouble),
            "masked by nothing": lambda: np.ma.masked_array(array),
            "subclass": lambda: array.view(Column),
        }
        rare = len(ways) - [*ways].index("numpy scalars")  # these are met less often
        likely = [*ways][:-rare] * 4 + [*ways]
        way = self.one(*likely)
        try:
            column = ways[way]()
        except IMPOSSIBLE:
            return array  # there is no such container of this dtype
        self.about.add(way)
        return column

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
                *["text of numbers", "text array", "text in objects", "text in pandas", "bytes", "memoryview", "tuple"],
                *[
                    "decimals",
                    "fractions",
                    "complex",
                    "masked",
                    "longdouble",
                    "arrow",
                    "huge",
                    "tiny",
                    "dates",
                    "frame",
                ],
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
            "text of numbers": lambda: ["1.5"] * n,
            "text array": lambda: rng.integers(1, 4, n).astype(str),
            "text in objects": lambda: rng.integers(1, 4, n).astype(str).astype(object),
            "text in pandas": lambda: pd.Series(rng.integers(1, 4, n).astype(str), dtype="string"),
            "bytes": lambda: rng.integers(1, 4, n).astype("S1"),
            "memoryview": lambda: memoryview(rng.random(n)),
            "tuple": lambda: tuple(rng.random(n).tolist()),
            "decimals": lambda: [Decimal("1.5")] * n,
            "fractions": lambda: [Fraction(1, 3)] * n,
            "complex": lambda: np.ones(n, complex),
            "masked": lambda: np.ma.masked_array(rng.random(n), mask=rng.random(n) < 0.3),
            "longdouble": lambda: rng.random(n).astype(np.longdouble),
            "arrow": lambda: pa.array(rng.random(n)),
            "huge": lambda: [2**70] * n,
            "tiny": lambda: rng.random(n) * 1e-310,
            "dates": lambda: np.array([np.datetime64("2020-01-01")] * n),
            "frame": lambda: pd.DataFrame({"w": rng.random(n)}),
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
            "tuples": lambda: tuple(map(tuple, array.tolist())),
            "list of tuples": lambda: list(map(tuple, array.tolist())),
            "tuple of lists": lambda: tuple(array.tolist()),
            "tuple of arrays": lambda: tuple(array),
            "list of series": lambda: [pd.Series(row) for row in array],
            "memoryview": lambda: memoryview(np.ascontiguousarray(array)),
            "arrow table": lambda: pa.table(dict(zip(columns, map(pa.array, array.T.copy()), strict=True))),
            "nullable frame": lambda: pd.DataFrame(array, columns=columns).astype(NULLABLE[array.dtype.kind]),
            "deque of lists": lambda: collections.deque(array.tolist()),
            "masked by nothing": lambda: np.ma.masked_array(array),
        }
        if array.dtype != np.float16:
            sparse_ways: dict[str, Callable[[], Any]] = {
                "csr": lambda: sparse.csr_matrix(array),
                "csc": lambda: sparse.csc_matrix(array),
                "csr array": lambda: sparse.csr_array(array),
                "csc array": lambda: sparse.csc_array(array),
                "coo": lambda: sparse.coo_matrix(array),
                "lil": lambda: sparse.lil_matrix(array),
                "bsr": lambda: sparse.bsr_matrix(array),
                "dia": lambda: sparse.dia_matrix(array),
                "dok array": lambda: sparse.dok_array(array),
                "explicit zeros": lambda: with_explicit_zeros(array),
            }
            if may_be_sparse:
                ways |= sparse_ways
            elif self.chance(0.03):
                ways = sparse_ways
        if len(array) == 3:  # of three rows scipy makes a matrix that reads memory past their ends, and may crash
            for way in ("tuples", "tuple of lists", "tuple of arrays"):
                ways.pop(way, None)
        if array.dtype == np.float16:
            for way in ("polars frame", "mixed frame", "nullable frame", "arrow table"):
                ways.pop(way, None)
        way = self.one(*ways)
        try:
            matrix = ways[way]()
        except IMPOSSIBLE:
            return array
        self.about.add(way)
        return matrix

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
            "masked constant": lambda: [np.ma.masked, *flat.tolist()[1:]],
            "numbers as text": lambda: np.array([str(v) for v in flat.tolist()]),
            "bytearray": lambda: bytearray(len(array)),
            "range": lambda: range(len(array)),
            "0-d entries": lambda: [np.array(v) for v in flat],
            "sets": lambda: [{v} for v in flat.tolist()],
            "truth among numbers": lambda: put(array.astype(object), self.rng, True).tolist(),
            "halves among text": lambda: put(array.astype(object), self.rng, 0.5),
            "np.str_": lambda: [np.str_(v) for v in flat],
            "beyond": lambda: put(array.astype(object), self.rng, 2**64).tolist(),
            "timedelta": lambda: np.arange(len(array)).astype("m8[s]"),
            "void": lambda: np.zeros(len(array), "V4"),
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
        if self.chance(0.05):
            self.about.add("labels in an odd container")
            return self.one(
                set(array.tolist()),
                array.astype(object),
                memoryview(array) if array.dtype.kind != "U" else [],
                pd.Index(array),
            )
        return self.one(array, array, array.tolist(), tuple(array.tolist()), pd.Series(array))

    def pos_label(self, kind: str) -> Any:
        values = KINDS[kind]
        return self.one(*values, *values, *values, 1, "yes", True, None, 5, np.int64(1), [1], 1.0)

    def zero_division(self) -> Any:
        return self.one("warn", 0, 1, 0.0, 1.0, np.nan, float("nan"), 0, 1, 2, "spam", None, True, np.float64(1))


class Column(np.ndarray):
    """An array of another class."""


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

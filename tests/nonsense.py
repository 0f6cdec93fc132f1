"""Every public callable with an argument that makes no sense: what is called, on what, and the values.

Callables are found by their signatures. An object to call a method on is the result of another call that makes sense.
"""

from __future__ import annotations

import array
import contextlib
import datetime as dt
import inspect
import io
import math
import signal
import sys
import types
import warnings
from collections import OrderedDict, UserDict, deque, namedtuple
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import public_calls as given
import pyarrow as pa
from matplotlib import pyplot as plt
from scipy import sparse
from sklearn import metrics as sk

import rocksteady as rs
from rocksteady import metrics as rm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST = 10  # seconds
#: These change the state of the program.
UNTRIED = (
    "set_threads set_kept_memory patch_sklearn unpatch_sklearn patched_sklearn get_threads get_kept_memory".split()
)


class OwnError(Exception):
    """What an argument itself raises, which is its caller's business."""


def _raising(*names: str, **others: Any) -> Any:
    def fails(*_: Any, **__: Any) -> Any:
        raise OwnError

    return type("Raising", (), dict.fromkeys(names, fails) | others)()


class _Odd:
    """What says that it has any attribute."""

    def __getattr__(self, name: str) -> Any:
        return self


class _Property:
    @property
    def shape(self) -> Any:
        raise OwnError

    @property
    def columns(self) -> Any:
        raise OwnError


def _capsules(schema_first: bool) -> Any:
    schema, values = pa.array([0, 1]).__arrow_c_array__()
    pair = (schema, values) if schema_first else (values, schema)
    return type("Capsules", (), {"__arrow_c_array__": lambda *_, **__: pair})()


def _deep(depth: int, make: Callable[[Any], Any]) -> Any:
    found: Any = 1
    for _ in range(depth):
        found = make(found)
    return found


def _recursive() -> list[Any]:
    found: list[Any] = [0, 1]
    found.append(found)
    return found


def _recursive_dict() -> dict[str, Any]:
    found: dict[str, Any] = {"a": 1}
    found["b"] = found
    return found


def _object_array(*values: Any) -> Any:
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


_ROWS = given.ROWS

#: Values that a call leaves as they are.
PLAIN: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 10**6, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400,
    -(10**400), 0.0, -0.0, 0.5, 1.5, 1e-320, 1e308, -1e308, math.nan, math.inf, -math.inf, 1j, complex(math.nan, 1),
    "", "x", " ", "0", "1", "nan", "é" * 50, "a\x00b", "\x1b[31mred", "\ud800", "\u202eabc", "recall", "model", "macro",
    "a\nb", "x" * 10_000, b"", b"x", b"\xff\x00", b"rocksteadS", (), (1,), (0, 1), (1, "a"), ((),), [], [0], [0, 1],
    [None], [math.nan], [0.5, "a"], ["a", "b"], [b"a"], [[]], [[], []], [[0, 1], [1]], [[0, 1], [1, 0]], [[[0]]], [{}],
    [object], [1, [2]], [True, 2], [10**30], [10**400, 1], [1j], ["\ud800"], [""], [()], ["recall", "recall"], ["recall", 1],
    {}, {"a": 1}, {1: 2}, {None: None}, {(): []}, {"model": None}, {"model": "x"}, {"recall": "x"}, {math.nan: 1},
    {"": 0.5}, {"\ud800": 1}, {b"x": [0, 1]}, {0: {0: 1}}, {"a": {"b": {}}}, {"tp": "x"}, {"fn": [1], "fp": object},
    {True: 0, "True": 1}, set(), {1, "a"}, frozenset({"f1"}), range(3), range(0), range(10**12), slice(None), slice(1, 2, 0),
    Ellipsis, NotImplemented, object, int, str, list, type, Exception, ValueError("x"), len, print, math.sqrt,
    np.mean, np, sys, math, Decimal(1), Decimal("nan"), Decimal("sNaN"), Decimal("1e999999"), Fraction(1, 3),
    Fraction(10**400, 3), dt.date(2020, 1, 1), dt.datetime(2020, 1, 1), dt.timedelta(1), dt.time(1), dt.UTC,
    np.int8(1), np.uint64(2**64 - 1), np.float16(0.5), np.float32("nan"), np.float64("inf"), np.longdouble(1) / 3,
    np.bool_(True), np.str_("x"), np.bytes_(b"x"), np.datetime64("2020-01-01"), np.datetime64("NaT"), np.timedelta64(1, "D"),
    np.complex128(1j), np.dtype("f8"), np.float64, np.ma.masked, np.void(b"abc"), pd.NA, pd.NaT, pd.Timestamp(0),
    pd.Timedelta(1), pd.Interval(0, 1), pd.Period("2020"), pd.CategoricalDtype(), pl.Int8, pl.col("a"), pl.lit(1),
    pa.scalar(1), pa.scalar(None), pa.int8(), rs, rs.errors, rs.ScoreTable, rs.ConfusionMatrix, rs.InputError("x"), rs.merge,
    Path("none/where"), Path("\x00"), pa.schema([("a", pa.int8())]),
]  # fmt: skip

#: What makes each value: some are used up by a call.
VALUES: dict[str, Callable[[], Any]] = {
    **{repr(value): lambda value=value: value for value in PLAIN},
    "lambda": lambda: lambda: None,
    "lambda of one": lambda: lambda value: value,
    "function that fails": lambda: _raising("__call__"),
    "generator": lambda: (place for place in (0, 1)),
    "generator that fails": lambda: (_raising("__call__")() for _ in (0, 1)),
    "endless generator of names": lambda: (f"a{place}" for place in range(10**5)),
    "iterator": lambda: iter([0, 1]),
    "map": lambda: map(str, [0, 1]),
    "zip": lambda: zip([0], [1], strict=True),
    "mock": mock.MagicMock,
    "plain mock": mock.Mock,
    "estimator": lambda: mock.Mock(spec=["fit", "predict", "predict_proba", "classes_"]),
    "any attribute": _Odd,
    "properties that fail": _Property,
    "namespace": types.SimpleNamespace,
    "no repr": lambda: _raising("__repr__"),
    "repr that is no text": type("NoText", (), {"__repr__": lambda _: 1}),
    "list of no repr": lambda: [_raising("__repr__")],
    "no len": lambda: _raising("__len__"),
    "no iter": lambda: _raising("__iter__"),
    "no len of a sequence": lambda: _raising("__len__", "__getitem__"),
    "negative len": type("Negative", (), {"__len__": lambda _: -1}),
    "no float": lambda: _raising("__float__", "__index__", "__int__"),
    "float that is none": type("NoFloat", (), {"__float__": lambda _: "x", "__index__": lambda _: "x"}),
    "no array": lambda: _raising("__array__"),
    "array that is none": type("NoArray", (), {"__array__": lambda *_, **__: "x"}),
    "array interface that is none": type("NoArray", (), {"__array_interface__": {"shape": "x"}}),
    "no hash": lambda: _raising("__hash__"),
    "no eq": lambda: _raising("__eq__", __hash__=lambda _: 1),
    "eq that is no bool": type("Eq", (), {"__eq__": lambda *_: _Odd(), "__hash__": lambda _: 1}),
    "no bool": lambda: _raising("__bool__"),
    "no str": lambda: _raising("__str__"),
    "no fspath": lambda: _raising("__fspath__"),
    "fspath that is none": type("NoPath", (), {"__fspath__": lambda _: 1}),
    "no keys": lambda: _raising("keys", "__getitem__", "items"),
    "no dataframe": lambda: _raising("__dataframe__", "__arrow_c_stream__"),
    "no dlpack": lambda: _raising("__dlpack__", "__dlpack_device__"),
    "dlpack that is none": type("NoDlpack", (), {"__dlpack__": lambda *_, **__: 1, "__dlpack_device__": lambda _: "x"}),
    "capsules": lambda: _capsules(True),
    "swapped capsules": lambda: _capsules(False),
    "capsule of a stream": lambda: pa.chunked_array([[0, 1]]).__arrow_c_stream__(),
    "capsule of a type": lambda: pa.int8().__arrow_c_schema__(),
    "capsules that are none": type("None_", (), {"__arrow_c_array__": lambda *_, **__: None}),
    "stream that is none": type("None_", (), {"__arrow_c_stream__": lambda *_, **__: "x"}),
    "recursive list": _recursive,
    "recursive dict": _recursive_dict,
    "deep list": lambda: _deep(3_000, lambda value: [value]),
    "deep dict": lambda: _deep(500, lambda value: {"a": value}),
    "text subclass": lambda: type("Text", (str,), {})("recall"),
    "float subclass": lambda: type("Float", (float,), {"__float__": lambda _: _raising("__call__")()})(0.5),
    "int subclass": lambda: type("Int", (int,), {})(1),
    "list subclass": lambda: type("List", (list,), {"__iter__": lambda _: iter(())})([0, 1]),
    "dict subclass": lambda: OrderedDict(a=[0, 1]),
    "user dict": lambda: UserDict({"model": [0, 1]}),
    "named tuple": lambda: namedtuple("Pair", "a b")(0, 1),
    "deque": lambda: deque([0, 1]),
    "keys of a dict": {"a": 1}.keys,
    "proxy": lambda: types.MappingProxyType({"a": 1}),
    "file": io.BytesIO,
    "text file": lambda: io.StringIO("x"),
    "bytearray": lambda: bytearray(b"x"),
    "memoryview": lambda: memoryview(b"x"),
    "memoryview of two dimensions": lambda: memoryview(b"abcd").cast("B", (2, 2)),
    "array.array": lambda: array.array("d", [0.5, 1]),
    "no dimension": lambda: np.array(3),
    "no dimension, text": lambda: np.array("x"),
    "no dimension, object": lambda: np.array(None),
    "empty": lambda: np.array([]),
    "one dimension": lambda: np.arange(_ROWS) % 2,
    "floats": lambda: np.linspace(0, 1, _ROWS),
    "nan": lambda: np.full(_ROWS, np.nan),
    "negative": lambda: -np.ones(_ROWS),
    "infinite": lambda: np.full(_ROWS, -np.inf),
    "booleans": lambda: np.arange(_ROWS) % 2 == 0,
    "text": lambda: np.array(["a", "b"] * (_ROWS // 2)),
    "StringDType": lambda: np.array(["a", "b"] * (_ROWS // 2), dtype=np.dtypes.StringDType()),
    "bytes of rows": lambda: np.array([b"a", b"b"] * (_ROWS // 2)),
    "complex": lambda: np.ones(_ROWS) * 1j,
    "dates": lambda: np.arange(_ROWS).astype("datetime64[s]"),
    "records": lambda: np.zeros(_ROWS, dtype=[("a", int)]),
    "two dimensions": lambda: np.eye(2),
    "two dimensions of rows": lambda: np.ones((_ROWS, 3)),
    "no columns": lambda: np.ones((_ROWS, 0)),
    "three dimensions": lambda: np.ones((2, 2, 2)),
    "objects": lambda: _object_array(object(), None, "x"),
    "objects of arrays": lambda: _object_array(np.zeros(2), np.zeros(3)),
    "objects of rows": lambda: _object_array(*[{}] * _ROWS),
    "long double": lambda: np.ones(_ROWS, dtype=np.longdouble),
    "big-endian": lambda: np.ones(_ROWS, dtype=">f8"),
    "negative stride": lambda: np.ones(_ROWS)[::-1],
    "masked": lambda: np.ma.array(np.ones(_ROWS), mask=True),
    "masked matrix": lambda: np.ma.array(np.eye(2), mask=np.eye(2)),
    "matrix": lambda: np.matrix(np.eye(2)),
    "sparse": lambda: sparse.csr_matrix(np.eye(3)),
    "sparse of rows": lambda: sparse.coo_array(np.ones((_ROWS, 3))),
    "Series": lambda: pd.Series([0, 1]),
    "Series of rows": lambda: pd.Series(np.arange(_ROWS) % 2),
    "Series of objects": lambda: pd.Series([object(), {}]),
    "Series of twice one name": lambda: pd.Series([1.0, 2.0], index=["a", "a"]),
    "categories": lambda: pd.Series(["a", "b"] * (_ROWS // 2)).astype("category"),
    "nullable": lambda: pd.Series([None] * _ROWS, dtype="Int64"),
    "DataFrame": lambda: pd.DataFrame({"a": [0, 1]}),
    "DataFrame of rows": lambda: pd.DataFrame(np.ones((_ROWS, 2)), columns=["a", "a"]),
    "DataFrame of nothing": pd.DataFrame,
    "DataFrame of odd names": lambda: pd.DataFrame(np.ones((_ROWS, 2)), columns=[None, (1, 2)]),
    "Index": lambda: pd.Index(["a", "b"]),
    "MultiIndex": lambda: pd.MultiIndex.from_tuples([(0, 1)]),
    "RangeIndex": lambda: pd.RangeIndex(3),
    "groupby": lambda: pd.DataFrame({"a": [0, 1]}).groupby("a"),
    "polars Series": lambda: pl.Series([0, 1]),
    "polars Series of lists": lambda: pl.Series([[0], [1]]),
    "polars Series of rows": lambda: pl.Series(["a", None] * (_ROWS // 2)),
    "polars objects": lambda: pl.Series([object()], dtype=pl.Object),
    "polars DataFrame": lambda: pl.DataFrame({"a": [0, 1]}),
    "polars DataFrame of nothing": pl.DataFrame,
    "LazyFrame": lambda: pl.LazyFrame({"a": [0, 1]}),
    "Arrow array": lambda: pa.array([0, 1]),
    "Arrow nulls": lambda: pa.nulls(_ROWS),
    "Arrow structs": lambda: pa.array([{"a": 1}]),
    "Arrow dictionary": lambda: pa.array(["a", "b"]).dictionary_encode(),
    "chunked": lambda: pa.chunked_array([[0, 1], [1]]),
    "Arrow table": lambda: pa.table({"a": [0, 1]}),
    "Arrow table of twice one name": lambda: pa.table([[0, 1], [1, 0]], names=["a", "a"]),
    "record batch": lambda: pa.record_batch({"a": [0, 1]}),
    "ScoreTable": lambda: rs.ScoreTable([0, 1], [0.2, 0.7]),
    "ScoreTable of text": lambda: rs.ScoreTable(["a", "b"], [0.2, 0.7]),
    "ScoreTable of nothing": lambda: rs.ScoreTable.empty(pos_label=1),
    "ConfusionMatrix of one": lambda: rs.ConfusionMatrix([0], [0]),
    "Evaluation": lambda: rs.evaluate([0, 1], [0.2, 0.7]),
    "bytes of a ScoreTable": lambda: rs.ScoreTable([0, 1], [0.2, 0.7]).to_bytes(),
    "cut bytes of a ScoreTable": lambda: rs.ScoreTable([0, 1], [0.2, 0.7]).to_bytes()[:-1],
    "list of a ScoreTable": lambda: [rs.ScoreTable([0, 1], [0.2, 0.7])],
    "dict of a ScoreTable": lambda: {"a": rs.ScoreTable([0, 1], [0.2, 0.7])},
    "dict of a ConfusionMatrix": lambda: {"a": rs.ConfusionMatrix([0, 1], [0, 1])},
    "axes": lambda: plt.figure().add_subplot(),
}  # fmt: skip

# Calls that make sense ---------------------------------------------------------------------------------------------------

_TABLE = rs.ScoreTable(given.Y.to_numpy(), given.SCORES.to_numpy())
_MATRIX = rs.ConfusionMatrix(given.OF_CLASSES.to_numpy(), np.roll(given.OF_CLASSES, 1))
_BINARY = rs.ConfusionMatrix(given.Y.to_numpy(), given.COLUMNS["y_pred"].to_numpy())
_PAIR = rs.inference.compare_labels([0, 1, 1, 0], {"a": [0, 1, 0, 0], "b": [1, 1, 0, 0]}).pairs["a", "b"]
_GROUPS = rs.group_by(given.Y.to_numpy(), given.COLUMNS["y_pred"].to_numpy(), by=np.arange(len(given.Y)) % 2)
_UPLIFT = rs.scores.uplift(_TABLE, _TABLE)
_RUN = rs.Queries([1, 0, 0, 1], [0.2, 0.1, 0.5, 0.4], [1, 1, 2, 2])
_TABLES = {"old": _TABLE, "new": rs.ScoreTable(given.Y.to_numpy(), 1 - given.SCORES.to_numpy())}


def _read_by_estimator(X: Any) -> int:
    try:
        return len(X)
    except Exception as error:
        raise OwnError from error


class _Classifier:
    _estimator_type = "classifier"
    classes_ = np.array([0, 1])

    def predict(self, X: Any) -> Any:
        return np.arange(_read_by_estimator(X)) % 2

    def predict_proba(self, X: Any) -> Any:
        return np.full((_read_by_estimator(X), 2), 0.5)

    def fit(self) -> None: ...


_CLASSIFIER = _Classifier()

#: Arguments that have no default, by their names; where one name has several meanings, by the callable.
NEEDED: dict[str, Any] = {
    "name": "recall", "index": "recall", "indices": ["recall"], "names": ["recall"], "x": "fpr", "y": "recall", "f": "recall",
    "g": "precision", "label": "eel", "labels": ["cat", "dog", "eel"], "threshold": 0.5, "data": _TABLE.to_bytes(),
    "curve": "roc_curve", "m": 4, "weights": [1, 2, 3], "condition": "recall >= 0.5", "model": "model", "first": "old",
    "second": "new", "level": 0.9, "matrix": _BINARY, "param": "ACC", "parts": [_TABLE], "tables": _TABLES, "margin": 0.1,
    "metric": "accuracy", "ratio": 3.0, "limit": 0.8, "batch": pa.table({"label": [0, 1], "score": [0.2, 0.8]}),
    "batches": [pa.table({"label": [0, 1], "score": [0.2, 0.8]})], "models": _TABLES, "path": "page.html", "search": "rare",
    "key": "north", "groups": {"both": ["cat", "dog"], "eel": ["eel"]}, "probability_cost": 0.5, "bands": 5, "other": "dog",
    "counts": [[3, 1], [2, 4]], "positives": 3, "negatives": 2, "class_sizes": [2, 2], "evaluations": [[[40, 10], [12, 38]]],
    "before": _TABLE, "now": _TABLE, "expression": "tp / (tp + fn)", "statistic": _TABLE, "date": dt.date(2020, 1, 1),
    "previous": 1, "days": 3, "table": "t", "estimator": _CLASSIFIER, "X": np.ones((_ROWS, 2)), "scores": _TABLE,
    "benefit": 1.0, "cost": 0.5, "fp": 1.0, "fn": 2.0, "a": "old", "b": "new", "at": [0.25, 0.5], "by": "group", "pos_label": 1,
    "prevalence": 0.2, "part": 0.5,
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "define_index": {"name": "of_nonsense"},
    "undefine_index": {"name": "of_nothing"},
    "Evaluation": {"models": list(rs.evaluate(given.Y, given.SCORES).models.values())},
    "BoundedModel": {"sketch": rs.ScoreSketch(given.Y, given.SCORES)},
    "Window": {"days": 3},
    "inference.auc_assumed": {"auc": 0.8, "positives": 40, "negatives": 60},
    "inference.rows_for_width": {"pilot": _BINARY.interval("recall"), "rows": 10, "width": 0.1},
    "inference.rows_for_difference": {"pilot": _BINARY.interval("recall"), "rows": 10, "difference": 0.1},
    "inference.power_of": {"pilot": _BINARY.interval("recall"), "rows": 10, "planned": 90, "difference": 0.1},
    "comparison.compare_folds": {"first": [0.8, 0.9, 0.7], "second": [0.7, 0.9, 0.6], "test_share": 0.3},
    "comparison.compare_in_time": {"first": [0.8, 0.9, 0.7], "second": [0.7, 0.9, 0.6]},
    "comparison.band_over_folds": {"tables": [_TABLE, _TABLE], "test_share": 0.3},
    "comparison.explain_change": {"before": _GROUPS, "after": _GROUPS, "index": "accuracy"},
    "comparison.area_fragility": {"y_score": {"a": given.SCORES, "b": given.SCORES}},
    "comparison.fragility": {"table": _PAIR, "index": "f1"},
    "comparison.if_wrong": {"counts": _BINARY, "index": "f1", "labels": 2},
    "comparison.compare_runs": {"runs": {"a": _RUN, "b": _RUN}, "name": "mrr", "n_resamples": 9},
    "comparison.five_by_two": {"first": np.eye(5, 2), "second": np.ones((5, 2))},
    "comparison.point_632": {"apparent": _BINARY, "out_of_bag": 0.2},
    "comparison.judged_index": {"index": "f1", "table": _PAIR, "judged": _BINARY},
    "comparison.judged_share": {"judge": _BINARY, "positives": 3, "rows": 10},
    "comparison.prediction_powered": {"labels": [1, 0, 1], "judged": [1, 0, 0], "judged_alone": [1, 0]},
    "scores.auc_mu": {"y_true": given.OF_CLASSES, "y_proba": given.PROBA},
    "scores.distances": {"table": _TABLE},
    "costs.profit_area": {"costs": {"fn": given.SCORES, "fp": 0.5}},
    "scores.concordance": {"outcome": [1.5, 0.0, 3.0], "scores": [0.2, 0.1, 0.3]},
    "comparison.rater_agreement": {"ratings": [["a", "a", None], ["b", "a", "b"], ["b", "b", "b"]]},
    "comparison.compare_readers": {
        "y_score": {m: {r: given.SCORES.to_numpy() * k for k, r in enumerate("ab", 1)} for m in ("film", "digital")}
    },
    "scores.back_test": {"rows": [10, 20], "positives": [1, 2], "probability": [0.1, 0.2]},
    "ConfusionMatrix.map_accuracy": {"areas": [0.5, 0.3, 0.2]},
    "scores.uplift": {"treated": _TABLE, "control": _TABLE},
    "scores.estimated_without_labels": {"y_score": [0.2, 0.7]},
    "scores.at_prevalence": {"y_score": [0.2, 0.7], "prevalence": 0.1, "trained_at": 0.5},
    "Table": {"columns": ["a"], "rows": [[1]]},
    "Groups.empty": {"labels": [0, 1]},
    "LedgerGroups.empty": {"pos_label": 1},
    "LedgerGroups.from_bytes": {"data": rs.results.LedgerGroups.empty(pos_label=1).to_bytes()},
    "scores.LabelLedger.from_bytes": {"data": rs.scores.LabelLedger.empty(pos_label=1).to_bytes()},
    "scores.SketchLedger.from_bytes": {"data": rs.scores.SketchLedger.empty(pos_label=1).to_bytes()},
    "Groups.from_bytes": {"data": rs.Groups.empty(labels=[0, 1]).to_bytes()},
    "ScoreSketch.from_bytes": {"data": rs.ScoreSketch.empty(pos_label=1).to_bytes()},
    "ConfusionMatrix.from_bytes": {"data": rs.ConfusionMatrix.empty(labels=[0, 1]).to_bytes()},
    "costs.optimal_threshold": {"fp": 1.0, "fn": 2.0},
    "plot.UpliftDisplay": {"curves": _UPLIFT},
    "UpliftDisplay.from_curves": {"curves": _UPLIFT},
    "plot.UpliftDisplay.from_curves": {"curves": _UPLIFT},
    "Queries.from_run": {"qrels": {"q": {"d": 1}}, "run": {"q": {"d": 0.5}}},
    "inference.ComparedLabels": {"pairs": {}},
    "engines.Aggregator": {"label": "label", "score": "score"},
    "engines.sketch_sql": {"label": "label", "score": "score"},
    "CountsBounds": {"tp": (3, 4), "fp": (1, 2), "positives": 9, "negatives": 9},
    "ConfusionMatrix.normalize": {"by": "true"},
    "ConfusionMatrix.relabel": {"labels": {"cat": "a"}},
    "ConfusionMatrix.pycm": {"name": "Kappa"},
    "ConfusionMatrix.interpret": {"name": "kappa"},
    "pycm.overall": {"name": "Kappa"},
    "pycm.why": {"name": "Kappa"},
    "pycm.every": {"name": "ACC"},
    "ConfusionMatrix.every_pycm": {"name": "ACC"},
    "ScoreTable.interval": {"name": "roc_auc"},
    "ScoreTable.influence": {"name": "roc_auc"},
    "ScoreTable.value": {"name": "roc_auc"},
    "ScoreTable.why": {"name": "roc_auc"},
    "ScoreTable.exact": {"name": "roc_auc"},
    "ScoreTable.target": {"name": "recall", "at_least": 0.5},
    "ScoreTable.decision_curve": {"at": [0.1]},
    "ScoreTable.band": {"curve": "roc"},
    "Consistency.why": {"name": "c"},
    "Window.drift": {"name": "roc_auc", "previous": _TABLE},
    "Window.stability": {"previous": _TABLE},
    "Evaluation.profit": {"bands": 4, "benefit": 1.0, "cost": 0.5},
    "Aggregator.update": {"state": rs.engines.Aggregator("label", "score").empty()},
    "Aggregator.value": {"state": rs.engines.Aggregator("label", "score").empty()},
    "Bootstrap.interval": {"name": "roc_auc", "model": "old"},
    "Bootstrap.values": {"name": "roc_auc", "model": "old"},
    "Compared.interval": {"name": "old"},
    "ScoreTable.cost_series": {"weights": [0.1]},
    "ScoreTable.certify": {"conditions": "precision >= 0.2", "start_rows": 1},
    "ScoreSketch.certify": {"conditions": "precision >= 0.2", "start_rows": 1},
    "ScoreTable.pareto": {"names": ["recall", "precision"]},
    "inference.e_value": {"total": 3.5, "rows": 10, "mean": 0.5},
    "inference.anytime_mean": {"total": [3.5, 4], "rows": 10},
    "Window.interval": {"name": "roc_auc"},
    "inference.independent_difference": {
        "first": _TABLE.interval("roc_auc"),
        "second": _TABLES["new"].interval("roc_auc"),
    },
}


@dataclass
class Tried:
    """A call of a public callable with one argument changed."""

    name: str
    argument: str
    call: Callable[[Any], Any]
    reference: Callable[[Any], Any] | None = None


def _bases(base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments, and others that a call may need instead."""
    yield base
    for index in ("roc_auc", "accuracy", "cost", "brier_loss", "kappa", "ndcg", "R"):
        others = {"name": index, "index": index, "names": [index], "indices": [index]}
        yield {**base, **{argument: value for argument, value in others.items() if argument in base}}
    yield {**base, **dict.fromkeys(("threshold",), 0.5)}


SELF = ("self", "_self")


def methods_of(thing: Any) -> dict[str, Any]:
    found = {}
    for name in dir(type(thing)):
        if name.startswith("_") or name in ("add_note", "with_traceback", "count", "index"):
            continue
        static = inspect.getattr_static(type(thing), name)
        if isinstance(static, (property, classmethod, staticmethod)) or not callable(static):
            continue
        found[name] = static
    return found


def _base(name: str, taken: dict[str, inspect.Parameter]) -> dict[str, Any]:
    own = OWN.get(name, {}) | ({"y": given.Y.to_numpy()} if name.endswith("from_estimator") else {})
    base = {argument: value for argument, value in own.items() if argument in taken}
    for argument, parameter in taken.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or argument in SELF:
            continue
        if argument not in own and parameter.default is parameter.empty:
            base[argument] = NEEDED[argument] if argument in NEEDED else given.COLUMNS[argument]
    return {**own, **base} if any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken.values()) else base


class _Gathered:
    """Calls that make sense, and the objects that they give."""

    def __init__(self) -> None:
        self.tried: list[Tried] = []
        self.objects: dict[str, Any] = {}
        #: Calls that made no sense after all.
        self.failed: list[str] = []

    def learn(self, result: Any) -> None:
        """Keep an object of each class of ours."""
        if type(result).__module__.startswith("rocksteady") and not isinstance(result, Exception):
            self.objects.setdefault(type(result).__name__, result)
        elif isinstance(result, dict | tuple | list):
            for part in list(result.values() if isinstance(result, dict) else result)[:2]:
                self.learn(part)

    def add(self, name: str, function: Callable[..., Any], base: dict[str, Any], signature: Any) -> None:
        """Each argument of a callable, beside the others."""
        for argument, parameter in given.parameters(signature).items():
            key, put = argument, dict(base)
            if argument in SELF or parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
                continue
            if parameter.kind is parameter.VAR_KEYWORD:
                if "name" not in base:
                    continue
                key, put["name"] = "beta", "fbeta"
            self.tried.append(Tried(name, key, lambda value, put=put, key=key: function(**{**put, key: value})))

    def gather(self, name: str, function: Callable[..., Any], signature: Any) -> None:
        """A callable with arguments that make sense, as far as these are known by their names."""
        try:
            base = _base(name, given.parameters(signature))
        except KeyError as error:
            self.failed.append(f"{name} needs {error}")
            return
        first = None
        for form in _bases(base):
            try:
                self.learn(function(**form))
            except Exception as error:
                first = first or error
            else:
                self.add(name, function, form, signature)
                return
        self.failed.append(f"{name}: {type(first).__name__}: {first}"[:200])
        self.add(name, function, base, signature)


def calls() -> _Gathered:
    """Each argument of each callable."""
    found = _Gathered()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of_rows = given.calls()
        for call in of_rows.values():
            found.learn(call())
            found.add(call.name, call, {}, given.public()[call.public])
        found.objects |= {type(thing).__name__: thing for thing in _objects()}
        known = {call.public for call in of_rows.values()}
        for name, function in given.public().items():
            is_method = "." in name and inspect.isclass(given.public().get(name.rpartition(".")[0]))
            is_bound = inspect.ismethod(function) or not is_method
            if name not in known and name not in UNTRIED and is_bound and not given.is_result(function):
                found.gather(name, function, function)
        done: set[str] = set()
        while new := sorted(set(found.objects) - done):
            done |= set(new)
            for kind in new:
                for method, function in methods_of(found.objects[kind]).items():
                    found.gather(f"{kind}.{method}", getattr(found.objects[kind], method), function)
        found.tried += of_metrics()
        plt.close("all")
    for row in rs.indices():
        if row.name == "of_nonsense":
            rs.undefine_index(row.name)
    return found


def _objects() -> Iterator[Any]:
    """Objects on which more methods make sense than on those that a first call gives."""
    scores = {"old": given.SCORES, "new": 1 - given.SCORES}
    yield from (
        _TABLE,
        _MATRIX,
        _TABLE.roc_curve(),
        rs.index("recall"),
        rs.indices(),
        rs.compare({"a": _BINARY, "b": _BINARY}),
    )
    yield rs.evaluate(given.Y, scores, by=given.COLUMNS["by"], costs={"fp": 1, "fn": 2}, inference=True)
    yield rs.inference.bootstrap(given.Y, scores, n_resamples=100, random_state=1)
    yield rs.inference.compare_scores(given.Y, scores)
    yield rs.group_by(given.Y, y_score=given.SCORES, threshold=0.5, by=given.COLUMNS["by"])
    yield rs.group_by(given.Y, y_score=given.SCORES, by=given.COLUMNS["by"], missing_labels="unknown")
    window, collector = rs.Window(days=3), rs.ScoreCollector(pos_label=1, memory=2**20)
    for day in (1, 2, 3):
        window.update(dt.date(2020, 1, day), _TABLE)
    collector.update(given.Y, given.SCORES)
    yield from (window, collector)


def of_metrics() -> list[Tried]:
    """The functions of `metrics`, each beside that of scikit-learn."""
    found = []
    columns = {
        "y_true": given.Y.to_numpy(), "y_pred": given.COLUMNS["y_pred"].to_numpy(), "y_score": given.SCORES.to_numpy(),
        "y_proba": given.SCORES.to_numpy(), "y_prob": given.SCORES.to_numpy(), "pred_decision": given.SCORES.to_numpy(),
        "y1": given.Y.to_numpy(), "y2": given.COLUMNS["y_pred"].to_numpy(), "x": [0.0, 0.5, 1.0], "y": [0.0, 0.5, 1.0],
        "beta": 2.0, "metric_func": sk.accuracy_score, "scoring": "accuracy", "score_func": sk.accuracy_score,
        "estimator": _CLASSIFIER,
    }  # fmt: skip
    several = {
        "coverage_error", "label_ranking_average_precision_score", "label_ranking_loss", "ndcg_score", "dcg_score",
    }  # fmt: skip
    for name in rm.__all__:
        function = getattr(rm, name)
        theirs = getattr(sk, name, None)
        if theirs is None:
            from sklearn import calibration

            theirs = getattr(calibration, name)
        if inspect.isclass(function):
            pairs = {
                f"metrics.{name}.from_predictions": (function.from_predictions, theirs.from_predictions),
            }
        else:
            pairs = {f"metrics.{name}": (function, theirs)}
        for said, (ours, sklearns) in pairs.items():
            taken = given.parameters(ours)
            base = {argument: columns[argument] for argument, parameter in taken.items()
                    if argument in columns and parameter.default is parameter.empty}  # fmt: skip
            if name in ("log_loss", "d2_log_loss_score"):
                base["y_proba"] = columns["y_proba"]
            if "check_scoring" in said or "Display" in said:
                base |= {argument: columns[argument] for argument in ("y_score", "y_prob", "y_pred", "estimator")
                         if argument in taken and not (argument == "y_pred" and "y_score" in taken)}  # fmt: skip
                base |= {"scoring": "accuracy"} if "check_scoring" in said else {}
            if name in several:
                base |= {"y_true": given.FLAGS.to_numpy(), "y_score": given.PROBA.to_numpy()}
            for argument, parameter in taken.items():
                if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                    continue
                found.append(
                    Tried(
                        said, argument,
                        lambda value, ours=ours, base=base, argument=argument: ours(**{**base, argument: value}),
                        lambda value, sklearns=sklearns, base=base, argument=argument: sklearns(**{**base, argument: value}),
                    )
                )  # fmt: skip
    return found


class TooLong(BaseException):
    """A call did not end in time."""


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    def ring(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def raised(call: Callable[[Any], Any], make: Callable[[], Any]) -> BaseException | None:
    """What a call raises of a value."""
    defined, found = {row.name for row in rs.indices()}, None
    try:
        with warnings.catch_warnings(), alarm(LONGEST):
            warnings.simplefilter("ignore")
            call(make())
    except (Exception, TooLong) as error:
        found = error
    plt.close("all")
    for name in {row.name for row in rs.indices()} - defined:
        rs.undefine_index(name)
    return found


def is_bare(tried: Tried, make: Callable[[], Any], error: BaseException | None) -> bool:
    """Whether a refusal helps nobody: it is not ours, and does not name the argument."""
    if error is None or isinstance(error, (rs.RocksteadyError, OwnError)):
        return False
    if tried.reference is not None and raised(tried.reference, make) is not None:
        return False
    if isinstance(error, MemoryError):
        return False
    return isinstance(error, TooLong) or tried.argument not in str(error)

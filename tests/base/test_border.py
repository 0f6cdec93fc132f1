"""The border: how array-likes are read, and how they are refused.

`lowered` shows how an argument is read. The same code reads all arguments, so a test of one argument holds for all.
"""

from __future__ import annotations

import array
import enum
import itertools
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import types
from collections import UserList, deque
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import rocksteady as rs
from rocksteady import errors
from rocksteady._rocksteady import _through_the_gate, get_threads, lowered, set_threads

INTEGERS = [np.dtype(code) for code in "bhilqBHILQ"]
FLOATS = [np.dtype(code) for code in "efd"]
NUMBERS = [np.dtype(bool), *INTEGERS, *FLOATS]


def decoded(values: Any) -> list[Any]:
    """The labels of the rows as they are read, with None where one is missing."""
    report: Any = lowered(values)
    if report["dtype"] == "coded":
        labels = report["labels"].tolist()
        return [None if code < 0 else labels[code] for code in report["values"]]
    return [None if value != value else value for value in report["values"].tolist()]


def of_objects(values: list[Any]) -> np.ndarray:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def misaligned(values: np.ndarray) -> np.ndarray:
    crooked = np.empty(values.nbytes + 1, np.uint8)[1:].view(values.dtype).reshape(values.shape)
    crooked[...] = values
    return crooked


def read_only(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values


def field_of_a_record(values: np.ndarray) -> np.ndarray:
    records = np.zeros(len(values), dtype=[("p", "u1"), ("q", values.dtype)])
    records["q"] = values
    return records["q"]


LAYOUTS = {
    "contiguous": lambda a: a,
    "backwards": lambda a: a[::-1],
    "every third": lambda a: np.repeat(a, 3)[::3],
    "column of a C matrix": lambda a: np.stack([a, a, a], axis=1)[:, 1],
    "row of a Fortran matrix": lambda a: np.asfortranarray(np.stack([a, a, a]))[1],
    "other byte order": lambda a: a.astype(a.dtype.newbyteorder()),
    "other byte order backwards": lambda a: a.astype(a.dtype.newbyteorder())[::-1],
    "misaligned": misaligned,
    "read-only": read_only,
    "all one": lambda a: np.broadcast_to(a[:1], 7),
    "field of a record": field_of_a_record,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda dtype: dtype.char)
def test_numbers_of_any_layout_are_read_in_place(dtype, layout):
    values = LAYOUTS[layout](np.array([0, 1, 1, 0, 1, 3, 2] * 3).astype(dtype))
    native = values.astype(dtype.newbyteorder("="))
    report = lowered(values)
    assert not report["copied"]
    assert np.dtype(report["dtype"]) == dtype or report["dtype"] == f"{dtype.name[: -len('longlong')]}int64"
    assert report["rows"] == len(values)
    assert report["values"].tobytes() == native.tobytes()
    assert lowered(values, "scores", "y_score")["values"].tobytes() == native.tobytes()
    weights = lowered(values, "weights", "sample_weight")
    assert weights["values"].dtype == np.float64
    assert weights["copied"] == (dtype != np.float64)
    assert weights["values"].tolist() == native.astype(float).tolist()


MATRIX_LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "backwards": lambda a: a[::-1, ::-1],
    "some columns": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "first columns": lambda a: np.hstack([a, a])[:, : a.shape[1]],
    "other byte order": lambda a: a.astype(a.dtype.newbyteorder()),
    "misaligned": misaligned,
    "read-only": read_only,
    "one row again and again": lambda a: np.broadcast_to(a[1], (50, a.shape[1])),
    "no rows": lambda a: a[:0],
    "no columns": lambda a: a[:, :0],
}


@pytest.mark.parametrize("layout", MATRIX_LAYOUTS)
@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda dtype: dtype.char)
def test_matrices_of_any_layout(dtype, layout):
    values = MATRIX_LAYOUTS[layout]((np.arange(900) % 7).reshape(300, 3).astype(dtype))
    report = lowered(values, "matrix")
    assert (report["rows"], report["columns"]) == values.shape
    assert np.dtype(report["dtype"]) == dtype or report["dtype"] == f"{dtype.name[: -len('longlong')]}int64"
    np.testing.assert_array_equal(report["values"].reshape(values.shape), values.astype(float))


def test_matrices_in_other_containers():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows = [[0.5, 1.0, 2.0], [3.0, 0.25, 4.0]]
    frame = pd.DataFrame(rows, index=[7, 3])
    containers = [rows, tuple(map(tuple, rows)), frame, pl.DataFrame(frame), np.ma.array(rows)]
    for values in containers:
        assert lowered(values, "matrix")["values"].tolist() == [0.5, 1.0, 2.0, 3.0, 0.25, 4.0]


@pytest.mark.parametrize(
    "values",
    [
        np.ones(3),
        np.ones((2, 2, 1)),
        np.array(1.0),
        [1.0, 2.0],
        [[1, 2], [3]],
        [["a", "b"]],
        np.array([["a"]]),
        np.ones((2, 2), dtype=complex),
        np.ones((2, 2), dtype=object),
        np.ma.ones(3),
        {"a": [1]},
        "ab",
        None,
        3,
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused(values):
    with pytest.raises((errors.InputError, errors.InputTypeError), match="^y_score is"):
        lowered(values, "matrix", "y_score")


@given(hnp.arrays(st.sampled_from(NUMBERS), st.integers(0, 40)), st.integers(-3, 3))
def test_any_numbers_any_stride(values, step):
    values = np.broadcast_to(values[:1], 5 * len(values[:1])) if step == 0 else values[::step]
    assert lowered(values, "scores")["values"].tobytes() == values.tobytes()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", "US")
def test_fixed_width_strings_of_any_layout(kind, layout):
    words = ["yes", "no", "", "a\0b", "no", "maybe", "yes"] * 3
    if kind == "U":
        words += ["ñandú", "🦀", "日本"]
    values = LAYOUTS[layout](np.array(words, dtype=kind))
    expected = [value.decode() if isinstance(value, bytes) else value for value in values.tolist()]
    assert decoded(values) == expected
    report: Any = lowered(values)
    assert report["kind"] == "text"
    assert sorted(report["labels"].tolist()) == sorted(set(expected))


# numpy drops null characters at the end of a string, both when it stores and when it returns the string.
TEXTS = st.text(st.characters(codec="utf-8"), max_size=6).map(lambda text: text.rstrip("\0"))


@given(st.lists(TEXTS, min_size=1, max_size=60))
def test_any_text_in_any_container(words):
    fixed = np.array(words)
    for values in (fixed, fixed.astype(fixed.dtype.newbyteorder()), words, tuple(words), of_objects(words)):
        assert decoded(values) == words
    assert decoded([word.encode() for word in words]) == words


def test_many_distinct_strings():
    words = np.array([f"label {i % 5000}" for i in range(20_000)])
    for values in (words, words.astype(object), words.tolist(), words.astype("S")):
        assert len(lowered(values)["labels"]) == 5000
        assert decoded(values) == words.tolist()


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="came with numpy 2")
def test_variable_width_strings():
    words = ["a", "a string that is too long to be stored in the array itself", "", "a"]
    assert decoded(np.array(words, dtype=np.dtypes.StringDType())) == words
    assert decoded(np.array(["a", None], dtype=np.dtypes.StringDType(na_object=None))) == ["a", None]
    with pytest.raises(errors.InputTypeError):
        lowered(np.array(words, dtype=np.dtypes.StringDType()), "scores")


def test_invalid_unicode_is_refused_with_its_row():
    for values in (np.array(["a", "\ud800"]), ["a", "\ud800"], np.array([b"a", b"\xff"]), ["a", b"\xff"]):
        with pytest.raises(errors.InputError, match=r"y_true\[1\] is not valid Unicode") as error:
            lowered(values)
        assert error.value.row == 1


# Lists, tuples, objects


class Colour(enum.IntEnum):
    RED = 1


class Word(enum.StrEnum):
    YES = "yes"


OBJECTS: list[tuple[list[Any], str, list[Any]]] = [
    ([1, 2, 1], "int64", [1, 2, 1]),
    ([1.0, 0.0], "float64", [1.0, 0.0]),
    ([True, False], "bool", [True, False]),
    ([1, True, 2.0], "coded", [1.0, 1.0, 2.0]),
    ([1, None, 2], "coded", [1, None, 2]),
    ([None, None], "coded", [None, None]),
    ([1.0, float("nan")], "float64", [1.0, None]),
    ([True, float("nan")], "coded", [True, None]),
    ([True, None], "coded", [True, None]),
    (["a", "b", None], "coded", ["a", "b", None]),
    (["a", float("nan")], "coded", ["a", None]),
    ([np.int8(1), np.uint64(2**63)], "coded", [1, 2**63]),
    ([np.float32(1), np.float16(2)], "coded", [1.0, 2.0]),
    ([np.True_, np.False_], "coded", [True, False]),
    ([np.str_("x"), "x"], "coded", ["x", "x"]),
    ([b"x", np.bytes_(b"y")], "coded", ["x", "y"]),
    ([Colour.RED, 0], "coded", [1, 0]),
    ([Word.YES, "no"], "coded", ["yes", "no"]),
    ([-0.0, 0], "coded", [0.0, 0.0]),
    ([2**63, 2**64 - 1], "coded", [2**63, 2**64 - 1]),
    ([2**64, -1], "coded", [2**64, -1]),
]


@pytest.mark.parametrize(("values", "dtype", "expected"), OBJECTS, ids=repr)
def test_lists_tuples_and_object_arrays(values, dtype, expected):
    objects = of_objects(values)
    for container in (values, tuple(values), objects, np.repeat(objects, 2)[::2], UserList(values)):
        assert lowered(container)["dtype"] == dtype
        assert decoded(container) == expected
        assert [type(value) for value in decoded(container)] == [type(value) for value in expected]


def test_object_arrays_that_were_never_filled():
    assert decoded(np.empty(3, dtype=object)) == [None] * 3


def test_wide_integers_are_kept_apart():
    # As floats these would be one label.
    assert len(lowered([2**60, 2**60 + 1, 2**60 + 2, None])["labels"]) == 3
    assert len(lowered([2**63, -1, 2**63 + 1])["labels"]) == 3


REFUSED_OBJECTS: list[tuple[list[Any], type[errors.RocksteadyError], int, str]] = [
    (["a", 1], errors.InputTypeError, 1, "y_true[1] is 1; expected text, as in the rows before it"),
    ([1, "a"], errors.InputTypeError, 1, "y_true[1] is 'a'; expected a number"),
    ([1.5, "a"], errors.InputError, 0, "y_true[0] is 1.5; expected a whole number"),
    ([None, 0.5], errors.InputError, 1, "y_true[1] is 0.5; expected a whole number"),
    ([1, float("inf")], errors.InputError, 1, "y_true[1] is inf; expected a whole number"),
    ([1, 1j], errors.InputTypeError, 1, "y_true[1] is 1j; expected a label"),
    ([[1], [2]], errors.InputTypeError, 0, "y_true[0] is [1]; expected a label"),
    ([1, Decimal(1)], errors.InputTypeError, 1, "y_true[1] is Decimal('1'); expected a label"),
    ([np.longdouble(1), 2], errors.InputTypeError, 0, "y_true[0] is"),
    ([1, np.timedelta64(5, "ns")], errors.InputTypeError, 1, "y_true[1] is"),
    ([np.datetime64("2020-01-01", "ns"), 1], errors.InputTypeError, 0, "y_true[0] is"),
    ([np.void(b"a"), 1], errors.InputTypeError, 0, "y_true[0] is"),
    ([np.array(1), 1], errors.InputTypeError, 0, "y_true[0] is array(1); expected a label"),
    ([np.datetime64("2020-01-01"), 1], errors.InputTypeError, 0, "y_true[0] is"),
    ([{}, 1], errors.InputTypeError, 0, "y_true[0] is {}; expected a label"),
    ([list(range(100)), 1], errors.InputTypeError, 0, "y_true[0] is of type list; expected a label"),
    ([2**200, 1], errors.InputError, 0, "y_true[0] is beyond 128 bits"),
    ([10**5000, 1], errors.InputError, 0, "y_true[0] is beyond 128 bits"),
]


@pytest.mark.parametrize("case", range(len(REFUSED_OBJECTS)))
def test_objects_that_are_no_labels_are_refused_with_their_row(case):
    values, error, row, message = REFUSED_OBJECTS[case]
    objects = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        objects[place] = value
    for container in (values, tuple(values), objects):
        with pytest.raises(error) as caught:
            lowered(container)
        assert str(caught.value).startswith(message)
        assert (caught.value.argument, caught.value.row) == ("y_true", row)


@pytest.mark.parametrize("what", ["scores", "weights"])
def test_scores_and_weights_from_objects(what):
    mixed = [1, 2.5, True, None, np.float32(0.5), float("inf")]
    for container in (mixed, tuple(mixed), of_objects(mixed)):
        np.testing.assert_array_equal(lowered(container, what)["values"], [1, 2.5, 1, np.nan, 0.5, np.inf])
    for text in (["0.5"], [0.5, "0.5"], np.array(["0.5"]), np.array([b"1"]), of_objects(["1"])):
        with pytest.raises(errors.InputTypeError):
            lowered(text, what)
    with pytest.raises(errors.InputError, match="float64 holds exactly"):
        lowered([2**53 + 1, 0.5], what)


def test_scores_from_ints_stay_ints():
    assert lowered([2**53 + 1, 1], "scores")["values"].tolist() == [2**53 + 1, 1]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_weights_that_no_float_holds_are_refused(dtype):
    held = np.array([2**53, 2**62, 0], dtype=dtype)
    assert lowered(held, "weights")["values"].tolist() == [2.0**53, 2.0**62, 0.0]
    with pytest.raises(errors.InputError, match=r"sample_weight\[1\] is 9007199254740993; expected"):
        lowered(np.array([1, 2**53 + 1], dtype=dtype), "weights", "sample_weight")


def test_a_list_that_shrinks_while_it_is_read():
    values: list[Any] = []

    class Clears:
        """Empties the list when anybody asks what it is."""

        @property
        def __class__(self) -> type:
            values.clear()
            return Clears

        def __repr__(self) -> str:
            values.clear()
            return "Clears()"

    for what in ("labels", "scores"):
        values[:] = [None, Clears(), 1, 2]
        with pytest.raises((errors.InputTypeError, IndexError)):
            lowered(values, what)


class Name(str):
    """A text of another type."""


@pytest.mark.parametrize("holds", [list, of_objects])
def test_rows_that_change_while_they_are_read_are_read_as_they_are_then(holds):
    class Changes(np.int64):
        """Replaces all rows, which nothing else refers to, when it is asked for its value."""

        def item(self, *args: Any) -> int:
            values[:] = [f"{row} is text now" for row in range(len(values))]
            return 1

    values = holds([10**6 + row for row in range(30)])
    values[3] = Changes(1)
    with pytest.raises(errors.InputTypeError, match=r"y_true\[4\] is '4 is text now'"):
        lowered(values, "labels", "y_true")


@given(st.data())
def test_texts_are_coded_alike_whoever_holds_them(data):
    """Objects that are shared, objects of their own, subclasses, and texts of every length."""
    texts = st.text("ab\0ñ€😀", max_size=20).map(lambda text: text.rstrip("\0"))
    names = data.draw(st.lists(texts, min_size=1, max_size=12, unique=True))
    rows = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=40)) * data.draw(st.sampled_from([1, 60]))
    forms = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=9))
    held = [
        [text, (text + "!")[:-1], Name(text), np.str_(text)][form]
        for text, form in zip(rows, itertools.cycle(forms), strict=False)
    ]
    expected = [str(text) for text in held]
    for values in (held, tuple(held), of_objects(held), of_objects(held[::-1])[::-1]):
        assert decoded(values) == expected
        labels = lowered(values)["labels"].tolist()
        assert labels == list(dict.fromkeys(expected))
    held[len(held) // 2] = 5
    with pytest.raises(errors.InputTypeError, match=rf"y_true\[{len(held) // 2 + 1}\] is .*; expected"):
        lowered(["a", *held], "labels", "y_true")


def test_references_are_given_back():
    label = f"a label of its own {os.getpid()}"
    number = 10**15 + os.getpid()
    values = [label, "b"] * 50
    numbers = of_objects([number, None] * 50)
    columns = np.arange(5)
    before = [sys.getrefcount(thing) for thing in (label, number, columns)]
    for _ in range(10):
        lowered(values)
        lowered(numbers)
        lowered(numbers, "scores")
        lowered(columns)
    assert [sys.getrefcount(thing) for thing in (label, number, columns)] == before


# Shapes, and objects that are not columns


@pytest.mark.parametrize("shape", [(), (2, 2), (3, 1), (1, 1, 1), (0, 0)])
def test_other_than_one_dimension_is_refused_with_the_shape(shape):
    text = f"({', '.join(map(str, shape))})"
    for values in (np.zeros(shape), np.zeros(shape, "U3"), np.zeros(shape, object)):
        with pytest.raises(errors.InputError) as error:
            lowered(values, "labels", "y_pred")
        assert str(error.value).startswith(f"y_pred is an array of shape {text}; expected one dimension")


def test_a_matrix_is_refused_and_other_subclasses_are_arrays():
    class Sub(np.ndarray):
        pass

    values = np.array([1, 0, 1]).view(Sub)
    assert decoded(values) == [1, 0, 1]
    assert not lowered(values)["copied"]
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix([1, 2])
    with pytest.raises(errors.InputError, match="shape"):
        lowered(matrix)


@pytest.mark.parametrize("values", [[], (), np.array([]), np.array([], int), np.array([], object)], ids=repr)
@pytest.mark.parametrize("what", ["labels", "scores", "weights"])
def test_empty_columns_are_read(values, what):
    assert lowered(values, what)["rows"] == 0


def test_empty_columns_of_text_are_read():
    assert lowered(np.array([], "U3"))["rows"] == 0
    assert decoded(np.array(["", ""], "U0")) == ["", ""]


NO_COLUMNS = [
    None,
    1,
    1.5,
    True,
    1j,
    ...,
    "text",
    b"bytes",
    bytearray(b"bytes"),
    {1: 2},
    {1, 2},
    frozenset({1}),
    object(),
    int,
    np.ndarray,
    range,
    len,
    np.int64(3),
    np.float64(0.5),
    np.str_("a"),
    iter([1, 2]),
    (i for i in range(3)),
]


@pytest.mark.parametrize("case", range(len(NO_COLUMNS)))
@pytest.mark.parametrize("what", ["labels", "scores", "weights"])
def test_what_is_no_column_is_refused(case, what):
    with pytest.raises(errors.InputTypeError, match=r"^y_true is ") as error:
        lowered(NO_COLUMNS[case], what)
    assert error.value.argument == "y_true"
    assert isinstance(error.value, TypeError)


@pytest.mark.parametrize("dtype", ["F", "D", "g", "G", "M8[s]", "m8[s]", "V4", "i4,f8"])
@pytest.mark.parametrize("what", ["labels", "scores", "weights"])
def test_dtypes_that_are_refused_are_named(dtype, what):
    values = np.zeros(3, dtype)
    with pytest.raises(errors.InputTypeError) as error:
        lowered(values, what)
    assert f"an array of dtype {values.dtype}" in str(error.value)


def test_masked_entries_are_missing():
    values = np.ma.array([1, 2, 3], mask=[False, True, False])
    assert decoded(values) == [1, None, 3]
    for what in ("scores", "weights"):
        np.testing.assert_array_equal(lowered(values, what)["values"], [1, np.nan, 3])
    for dtype, kind in [("f4", "float"), ("f8", "float"), ("bool", "bool"), (">i2", "int")]:
        masked = np.ma.array([1, 0, 1], mask=[0, 0, 1], dtype=dtype)
        assert decoded(masked) == [1, 0, None]
        assert lowered(masked)["kind"] == kind
    assert decoded(np.ma.array(["a", "b"], mask=[True, False])) == [None, "b"]
    assert decoded(np.ma.array([1, "b"], mask=[False, True], dtype=object)[:1]) == [1]
    assert not lowered(np.ma.array([1, 2, 3]))["copied"]
    assert lowered(np.ma.array([0.1, 0.2], mask=[0, 1], dtype="f4"), "scores")["dtype"] == "float32"
    with pytest.raises(errors.InputError, match="float64 holds exactly"):
        lowered(np.ma.array([2**53 + 1, 1], mask=[0, 1]), "scores")


# pandas


@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda dtype: dtype.char)
def test_pandas_numbers_are_read_in_place(dtype):
    pd = pytest.importorskip("pandas")
    series = pd.Series(np.array([0, 1, 1]).astype(dtype), index=[5, 5, -1])
    for values in (series, series.array, series[::-1][::-1]):
        assert not lowered(values)["copied"]
        assert decoded(values) == [0, 1, 1]


def test_pandas_indices():
    pd = pytest.importorskip("pandas")
    assert decoded(pd.Index([3, 1])) == [3, 1]
    assert decoded(pd.RangeIndex(3)) == [0, 1, 2]
    assert decoded(pd.Index(["a", "b"])) == ["a", "b"]
    assert decoded(pd.CategoricalIndex(["a", "b", "a"])) == ["a", "b", "a"]
    with pytest.raises(errors.InputError, match="a MultiIndex of 2 levels; expected one column"):
        lowered(pd.MultiIndex.from_tuples([(1, 2)]))


NULLABLE = {"Int8": "int", "Int64": "int", "UInt64": "int", "boolean": "bool", "Float32": "float", "Float64": "float"}


@pytest.mark.parametrize("dtype", NULLABLE)
def test_pandas_nullable_numbers(dtype):
    pd = pytest.importorskip("pandas")
    full = pd.Series([1, 0, 1], dtype=dtype)
    assert decoded(full) == [1, 0, 1]
    assert not lowered(full)["copied"]
    some = pd.Series([1, None, 0], dtype=dtype)
    assert decoded(some) == [1, None, 0]
    assert lowered(full)["kind"] == lowered(some)["kind"] == NULLABLE[dtype]
    for what in ("scores", "weights"):
        np.testing.assert_array_equal(lowered(some, what)["values"], [1, np.nan, 0])


def test_pandas_strings_of_every_storage():
    pd = pytest.importorskip("pandas")
    dtypes: list[Any] = ["str", object, pd.StringDtype("python"), pd.StringDtype("python", na_value=np.nan)]
    try:
        import pyarrow as pa
    except ImportError:
        pass
    else:
        dtypes += [pd.StringDtype("pyarrow"), pd.StringDtype("pyarrow", na_value=np.nan)]
        dtypes += [pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string())]
    for dtype in dtypes:
        series = pd.Series(["x", None, "ñ", "x"], dtype=dtype)
        assert decoded(series) == ["x", None, "ñ", "x"]
        assert decoded(series[2:]) == ["ñ", "x"]
        assert decoded(series[::-1]) == ["x", "ñ", None, "x"]
        with pytest.raises(errors.InputTypeError):
            lowered(series, "scores")


def test_pandas_categories():
    pd = pytest.importorskip("pandas")
    for values in (["b", None, "a", "b"], [3, None, 1, 3], [2.0, None, 1.0, 2.0], [True, None, False, True]):
        series = pd.Series(pd.Categorical(values))
        assert decoded(series) == values
        assert decoded(series[::-2]) == values[::-2]
        assert decoded(series.array) == values
    unused = pd.Series(pd.Categorical(["a"], categories=["c", "b", "a"], ordered=True))
    assert decoded(unused) == ["a"]
    assert lowered(unused)["labels"].tolist() == ["c", "b", "a"]
    with pytest.raises(errors.InputTypeError, match="categories"):
        lowered(unused, "scores")
    with pytest.raises(errors.InputError, match="whole"):
        lowered(pd.Series(pd.Categorical([0.5])))


def test_pandas_arrow_columns():
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.int8(), pa.uint32(), pa.float32(), pa.float64(), pa.bool_()):
        assert decoded(pd.Series([1, None, 0], dtype=pd.ArrowDtype(kind))) == [1, None, 0]
    words = pd.array(["a", "b", None], dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))
    assert decoded(pd.Series(words)) == ["a", "b", None]


def test_bits_of_arrow_begin_anywhere():
    pa = pytest.importorskip("pyarrow")
    truths = (np.random.default_rng(4).random(80) < 0.5).tolist()
    whole = pa.array(truths)
    for start in (0, 1, 3, 7, 8, 9, 16, 17):
        for rows in (1, 2, 6, 7, 8, 9, 15, 16, 17, 40, 63):
            expected = truths[start : start + rows]
            assert decoded(whole.slice(start, rows)) == expected, (start, rows)
            chunked = pa.chunked_array([whole.slice(start, rows), whole.slice(5, 11), whole.slice(0, 0)])
            assert decoded(chunked) == expected + truths[5:16], (start, rows)


def test_pandas_columns_that_are_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(errors.InputError, match=r"a DataFrame of shape \(2, 1\); expected one column"):
        lowered(pd.DataFrame({"y": [1, 2]}))
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    for values in (days, days.tz_localize("UTC"), pd.period_range("2020", periods=2), pd.interval_range(0, 2)):
        with pytest.raises(errors.InputTypeError):
            lowered(pd.Series(values))


def test_pandas_sparse_and_objects():
    pd = pytest.importorskip("pandas")
    assert decoded(pd.Series(pd.arrays.SparseArray([0, 0, 1]))) == [0, 0, 1]
    assert decoded([pd.NA, 1, pd.NaT, None]) == [None, 1, None, None]
    assert decoded(pd.Series([pd.NA, "a", float("nan")], dtype=object)) == [None, "a", None]


# polars


def test_polars_numbers():
    pl = pytest.importorskip("polars")
    integers = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
    for dtype in (*integers, pl.Float32, pl.Float64):
        full = pl.Series([1, 0, 3], dtype=dtype)
        assert decoded(full) == [1, 0, 3]
        assert not lowered(full)["copied"]
        some = pl.Series([1, None, 3], dtype=dtype)
        assert decoded(some) == [1, None, 3]
        np.testing.assert_array_equal(lowered(some, "scores")["values"], [1, np.nan, 3])
    assert decoded(pl.Series([True, False, None])) == [True, False, None]
    assert decoded(pl.Series([True] * 9 + [False] * 9)[3:14]) == [True] * 6 + [False] * 5
    assert decoded(pl.Series([1, 2, 3, 4, None])[1:4]) == [2, 3, 4]
    assert decoded(pl.Series([None, None])) == [None, None]
    assert decoded(pl.concat([pl.Series([1, 2]), pl.Series([3])], rechunk=False)) == [1, 2, 3]
    assert lowered(pl.Series([], dtype=pl.Int64))["rows"] == 0


def test_polars_texts():
    pl = pytest.importorskip("polars")
    words = ["x", None, "y", "a string too long for a view", "x"]
    assert decoded(pl.Series(words)) == words
    assert decoded(pl.Series(words, dtype=pl.Categorical)) == words
    assert decoded(pl.Series(words, dtype=pl.Enum(sorted({word for word in words if word})))) == words
    chunked = pl.concat([pl.Series(["a", "b"]), pl.Series(["b", None])], rechunk=False)
    assert decoded(chunked[1:]) == ["b", "b", None]
    with pytest.raises(errors.InputTypeError):
        lowered(pl.Series(words), "scores")


def test_polars_columns_that_are_refused():
    pl = pytest.importorskip("polars")
    with pytest.raises(errors.InputError, match="a table of 2 columns"):
        lowered(pl.DataFrame({"a": [1], "b": [2]}))
    for series in (pl.Series([[1], [2]]), pl.Series(["2020-01-01"]).str.to_date(), pl.Series([Decimal(1)])):
        with pytest.raises(errors.InputTypeError):
            lowered(series)


# Arrow


class ArrowArray:
    """Has `__arrow_c_array__` and nothing else."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self._held.__arrow_c_array__(requested_schema)


class ArrowStream:
    """Has `__arrow_c_stream__` and nothing else."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self._held.__arrow_c_stream__(requested_schema)


def arrow_arrays() -> list[tuple[Any, list[Any]]]:
    pa = pytest.importorskip("pyarrow")
    ints = [3, 1, None, 0, 1, 2]
    integers = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
    cases = [(pa.array(ints, kind), ints) for kind in integers]
    cases += [(pa.array([1, 2, 3], kind), [1, 2, 3]) for kind in integers]
    halves = [np.float16(0), None, np.float16(2)]
    cases += [(pa.array(halves, kind), [0.0, None, 2.0]) for kind in (pa.float16(), pa.float32(), pa.float64())]
    bools = [True, False, None, True, True, False, False, True, True, False, True]
    cases.append((pa.array(bools), bools))
    words = ["a", None, "", "a string too long to be stored in a view", "ñ", "a"]
    cases += [(pa.array(words, kind), words) for kind in (pa.string(), pa.large_string(), pa.string_view())]
    dictionary = pa.array(words).dictionary_encode()
    cases += [
        (dictionary.cast(pa.dictionary(kind, pa.string())), words) for kind in (pa.int8(), pa.uint8(), pa.int64())
    ]
    cases.append((pa.array(ints).dictionary_encode(), ints))
    with_null = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0]), pa.array(["x", None]))
    cases.append((with_null, ["x", None, None, "x"]))
    no_values = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.string()))
    cases.append((no_values, [None, None]))
    cases.append((pa.nulls(3), [None] * 3))
    return cases


def test_arrow_arrays_streams_and_slices():
    pa = pytest.importorskip("pyarrow")
    for values, expected in arrow_arrays():
        for first, last in [(0, len(expected)), (1, len(expected)), (1, len(expected) - 1), (2, 2)]:
            part, wanted = values[first:last], expected[first:last]
            assert decoded(part) == wanted, part.type
            assert decoded(ArrowArray(part)) == wanted, part.type
            chunks = pa.chunked_array([part, values, part[:0]])
            assert decoded(chunks) == wanted + expected, part.type
            assert decoded(ArrowStream(chunks)) == wanted + expected, part.type


def test_arrow_numbers_without_nulls_are_read_in_place():
    pa = pytest.importorskip("pyarrow")
    values = pa.array(np.arange(100.0))
    for column in (values, values[3:50], pa.chunked_array([values])):
        report = lowered(column, "scores")
        assert not report["copied"]
        np.testing.assert_array_equal(report["values"], column.to_numpy())
    assert lowered(pa.chunked_array([values, values]), "scores")["copied"]
    assert not lowered(values, "weights")["copied"]
    assert lowered(pa.chunked_array([], pa.int64()))["rows"] == 0
    np.testing.assert_array_equal(lowered(pa.array([0.5, None]), "weights")["values"], [0.5, np.nan])
    np.testing.assert_array_equal(lowered(pa.nulls(2), "scores")["values"], [np.nan] * 2)


def test_arrow_dictionaries_that_differ_between_chunks():
    pa = pytest.importorskip("pyarrow")
    chunks = pa.chunked_array([pa.array(words).dictionary_encode() for words in (["a", "b"], ["b", "c", "a"])])
    assert decoded(chunks) == ["a", "b", "b", "c", "a"]
    assert lowered(chunks)["labels"].tolist() == ["a", "b", "c"]


def test_arrow_types_that_are_refused():
    pa = pytest.importorskip("pyarrow")
    arrays = [pa.array([b"a"]), pa.array([Decimal(1)]), pa.array([[1]]), pa.array([{"a": 1}]), pa.array([1], "date32")]
    for values in (*arrays, pa.array([1], pa.timestamp("s"))):
        with pytest.raises(errors.RocksteadyError, match=r"^y_true is "):
            lowered(values)
    for values in (pa.array(["a"]), pa.array(["a"]).dictionary_encode()):
        with pytest.raises(errors.InputTypeError, match="an Arrow array of"):
            lowered(values, "scores")
    with pytest.raises(errors.InputError, match="a table of 2 columns"):
        lowered(pa.table({"a": [1], "b": [2]}))
    with pytest.raises(errors.InputError, match="whole"):
        lowered(pa.array([0.5]).dictionary_encode())


def test_arrow_streams_that_were_read_before():
    pa = pytest.importorskip("pyarrow")
    capsule = pa.chunked_array([[1]]).__arrow_c_stream__()

    class Once:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            return capsule

    assert decoded(Once()) == [1]
    with pytest.raises(errors.InputTypeError, match="cannot be imported"):
        lowered(Once())


def test_arrow_capsules_that_are_none():
    class Numbers:
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return (1, 2)

    class Raises:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            raise OSError("no stream today")

    with pytest.raises(TypeError):
        lowered(Numbers())
    with pytest.raises(OSError, match="no stream today"):
        lowered(Raises())


# DLPack, __array__, buffers, sequences, torch


class DLPack:
    """Has `__dlpack__` and `__dlpack_device__` and nothing else."""

    def __init__(self, held: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self._held = held
        self._device = device

    def __dlpack__(self, **options: Any) -> Any:
        return self._held.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


class HasArray:
    """Has `__array__` and nothing else."""

    def __init__(self, held: np.ndarray) -> None:
        self._held = held

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return self._held


@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda dtype: dtype.char)
@pytest.mark.parametrize("wrapper", [DLPack, HasArray])
def test_dlpack_and_array_are_read_in_place(wrapper, dtype):
    values = np.array([0, 1, 1, 3]).astype(dtype)
    for part in (values, values[::-1], values[::2]):
        assert not lowered(wrapper(part))["copied"]
        assert lowered(wrapper(part))["values"].tobytes() == part.tobytes()


def test_dlpack_of_another_device_or_shape_is_refused():
    with pytest.raises(errors.InputTypeError, match="DLPack device type 2"):
        lowered(DLPack(np.zeros(3), (2, 0)))
    with pytest.raises(errors.InputError, match=r"shape \(2, 2\)"):
        lowered(DLPack(np.zeros((2, 2))))


def test_dlpack_that_fails():
    class Fails(DLPack):
        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("not this dtype")

    class Homeless(DLPack):
        def __dlpack_device__(self) -> tuple[int, int]:
            raise ValueError("no memory at all")

    class FailsButHasArray(Fails, HasArray):
        pass

    with pytest.raises(errors.InputTypeError, match="not this dtype"):
        lowered(Fails(np.zeros(3)))
    with pytest.raises(errors.InputTypeError, match="no memory at all"):
        lowered(Homeless(np.zeros(3)))
    assert decoded(FailsButHasArray(np.ones(3))) == [1, 1, 1]


def test_the_array_protocols():
    assert decoded(HasArray(np.array(["a", "b"]))) == ["a", "b"]
    assert decoded(HasArray(of_objects(["a", None]))) == ["a", None]
    with pytest.raises(errors.InputTypeError, match="datetime64"):
        lowered(HasArray(np.zeros(2, "M8[s]")))

    class Raises:
        def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
            raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        lowered(Raises())

    class Interface:
        def __init__(self) -> None:
            self._held = np.array([1, 2], np.int16)
            self.__array_interface__ = self._held.__array_interface__

    assert decoded(Interface()) == [1, 2]


def test_buffers_and_sequences():
    buffers = [array.array("b", [1, 0, 1]), array.array("d", [1, 0, 1]), memoryview(b"\1\0\1")]
    for values in (*buffers, memoryview(buffers[1]), deque([1, 0, 1]), UserList([1, 0, 1])):
        assert decoded(values) == [1, 0, 1]
    assert decoded(range(3)) == [0, 1, 2]
    with pytest.raises(errors.InputError, match="shape"):
        lowered(memoryview(bytes(4)).cast("B", (2, 2)))


def test_tensors_of_a_stand_in_for_torch(monkeypatch):
    class Tensor(DLPack):
        dtype = "bfloat16"

        def detach(self) -> Tensor:
            return Tensor(self._held)

        def resolve_neg(self) -> Tensor:
            return self

        def float(self) -> DLPack:
            return DLPack(self._held.astype(np.float32))

        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("bfloat16 has no DLPack here")

    torch = types.SimpleNamespace(Tensor=Tensor, bfloat16="bfloat16")
    monkeypatch.setitem(sys.modules, "torch", torch)
    report = lowered(Tensor(np.array([0.25, 0.5])), "scores")
    assert report["dtype"] == "float32"
    assert report["values"].tolist() == [0.25, 0.5]


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"):
        values = torch.tensor([1, 0, 1], dtype=getattr(torch, name))
        assert decoded(values) == [1, 0, 1]
        assert not lowered(values)["copied"]
    scores = torch.tensor([0.25, 0.5], requires_grad=True)
    assert lowered(scores, "scores")["values"].tolist() == [0.25, 0.5]
    assert lowered(scores.detach().bfloat16(), "scores")["values"].tolist() == [0.25, 0.5]
    with pytest.raises(errors.InputTypeError):
        lowered(torch.zeros(2, device="meta"))


# labels= and pos_label=


LABEL_SETS: list[tuple[Any, str]] = [
    ([2, 0, 1], "int64"),
    ([True, False], "bool"),
    ([1.0, 0.0], "float64"),
    (["b", "a"], "<U1"),
    ([2**63, 1], "uint64"),
    ([2**63, -1], "object"),
    ((), "float64"),
    (np.array([3, 1], "u1"), "int64"),
    (np.array([1.0, 0.0], ">f4"), "float64"),
    (np.array([True, False]), "bool"),
    (np.array(["b", "a"]), "<U1"),
]


@pytest.mark.parametrize(("values", "dtype"), LABEL_SETS)
def test_label_sets_keep_order_and_type(values, dtype):
    labels = lowered(values, "label_set", "labels")["labels"]
    assert labels.dtype == np.dtype(dtype)
    assert labels.tolist() == list(values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0, 1, 0], r"labels\[2\] is 0; expected each label once"),
        ([1, True], r"labels\[1\] is 1; expected each label once"),
        (["a", "a"], r'labels\[1\] is "a"; expected each label once'),
        ([1, None], r"labels\[1\] is missing; expected a label"),
        ([1.0, float("nan")], r"labels\[1\] is missing; expected a label"),
        ([1.0, 0.5], r"labels\[1\] is 0.5; expected a whole number"),
        (np.array([1, 1]), r"labels\[1\] is 1; expected each label once"),
    ],
)
def test_label_sets_that_are_refused(values, message):
    with pytest.raises(errors.InputError, match=message):
        lowered(values, "label_set", "labels")


@pytest.mark.parametrize(
    ("label", "kind", "back"),
    [
        (1, "int", 1),
        (True, "bool", True),
        (1.0, "float", 1.0),
        ("yes", "text", "yes"),
        (b"yes", "text", "yes"),
        (2**100, "int", 2**100),
        (np.int8(-3), "int", -3),
        (np.float32(2), "float", 2.0),
        (np.True_, "bool", True),
        (np.str_("é"), "text", "é"),
    ],
)
def test_single_labels(label, kind, back):
    report = lowered(label, "label", "pos_label")
    assert report["kind"] == kind
    assert report["label"] == back
    assert type(report["label"]) is type(back)


@pytest.mark.parametrize(
    ("label", "error", "message"),
    [
        (None, errors.InputError, "pos_label is missing; expected a label"),
        (float("nan"), errors.InputError, "pos_label is missing; expected a label"),
        (0.5, errors.InputError, "pos_label is 0.5; expected a whole number"),
        ([1], errors.InputTypeError, r"pos_label is \[1\]; expected a label"),
        (1j, errors.InputTypeError, "pos_label is 1j; expected a label"),
        ("\ud800", errors.InputError, "pos_label is not valid Unicode"),
        (2**200, errors.InputError, "pos_label is beyond 128 bits"),
    ],
    ids=range(7),
)
def test_single_labels_that_are_refused(label, error, message):
    with pytest.raises(error, match=message):
        lowered(label, "label", "pos_label")


def test_options_of_lowered_are_checked():
    with pytest.raises(errors.InputError, match="what is"):
        lowered([1], "whatever")
    with pytest.raises(errors.InputError, match="argument is"):
        lowered([1], "labels", "whatever")


# Errors


def test_errors_are_values_types_keys_and_survive_pickle():
    assert issubclass(errors.InputError, ValueError)
    assert issubclass(errors.InputTypeError, TypeError)
    assert issubclass(errors.UnknownIndexError, KeyError)
    assert issubclass(errors.InternalError, RuntimeError)
    assert issubclass(errors.RocksteadyWarning, UserWarning)
    for name in set(errors.__all__) - {"RocksteadyWarning"}:
        cls = getattr(errors, name)
        assert issubclass(cls, errors.RocksteadyError)
        error = cls("a[1] is 2", argument="a", row=1, value="2", expected="3")
        assert str(error) == "a[1] is 2"
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is cls
        assert str(again) == str(error)
        assert (again.argument, again.row, again.value, again.expected) == ("a", 1, "2", "3")


def test_errors_from_rust_have_their_details():
    with pytest.raises(errors.InputError) as error:
        lowered(["1", None, 0.5][1:])
    details = error.value
    assert (details.argument, details.row, details.value) == ("y_true", 1, "0.5")
    assert str(details) == f"y_true[1] is 0.5; expected {details.expected}"
    assert str(pickle.loads(pickle.dumps(details))) == str(details)


# Threads, processes, the gate


def test_the_gate_sums_refuses_and_catches_panics(capfd):
    for rows in (0, 10, 1_000_000):
        assert _through_the_gate(rows) == rows * (rows - 1) // 2
        with pytest.raises(errors.InputError, match=r"rows\[17\] is 2; expected 0 or 1"):
            _through_the_gate(rows, "refusal")
        with pytest.raises(errors.InternalError, match="please report it: by accident"):
            _through_the_gate(rows, "by accident")
    capfd.readouterr()  # drops Rust's message about the panic


def test_threads_are_set_and_checked():
    before = get_threads()
    try:
        for threads in (1, 2, 7):
            set_threads(threads)
            assert get_threads() == threads
            assert _through_the_gate(3_000_000) == 3_000_000 * 2_999_999 // 2
        for threads in (0, 1025):
            with pytest.raises(errors.InputError, match="1 to 1024 threads"):
                set_threads(threads)
    finally:
        set_threads(None)
    assert get_threads() == before


def test_the_environment_sets_the_threads():
    command = [sys.executable, "-c", "import rocksteady; print(rocksteady.get_threads())"]
    environment = {**os.environ, "ROCKSTEADY_NUM_THREADS": "3"}
    assert subprocess.check_output(command, env=environment, text=True).strip() == "3"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    rows = 5_000_000
    expected = rows * (rows - 1) // 2
    set_threads(2)
    try:
        assert _through_the_gate(rows) == expected
        with multiprocessing.get_context("fork").Pool(2) as processes:
            results = processes.map_async(_through_the_gate, [rows] * 4)
            assert results.get(timeout=60) == [expected] * 4
        assert _through_the_gate(rows) == expected
    finally:
        set_threads(None)


def test_several_threads_at_once():
    rows = 2_000_000
    labels = np.array(["a", "bb", "c"] * 10_000)
    results: list[int] = []

    def work() -> None:
        for _ in range(5):
            results.append(_through_the_gate(rows))
            assert lowered(labels)["rows"] == len(labels)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [rows * (rows - 1) // 2] * 20


def test_strings_that_another_thread_writes_while_they_are_read():
    values = np.array(["aa", "bb", "cc", "dd"] * 50_000)
    stop = threading.Event()

    def scribble() -> None:
        for word in itertools.cycle(["xx", "y", "aa"]):
            values[:] = word
            if stop.is_set():
                return

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        for _ in range(20):
            report = lowered(values)
            assert report["values"].max() < len(report["labels"])
    finally:
        stop.set()
        writer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_walk_over_objects():
    program = """
import os, signal, threading, time
from rocksteady._rocksteady import lowered
values = [str(i) for i in range(300)] * 20_000
threading.Thread(target=lambda: (time.sleep(0.2), os.kill(os.getpid(), signal.SIGINT))).start()
try:
    while True:
        lowered(values)
except KeyboardInterrupt:
    print("interrupted")
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert result.stdout.strip() == "interrupted", result.stderr


@given(st.lists(st.one_of(st.none(), st.integers(-(2**100), 2**100), st.booleans()), max_size=30))
def test_any_integers_and_bools(values):
    assert decoded(values) == values
    assert decoded(of_objects(values)) == values


def test_version_is_a_string():
    assert isinstance(rs.__version__, str)


def decimal_columns(given):
    """Columns of the same decimals, None for what is missing: of Python, numpy, pandas, polars and Arrow."""
    pa, pd, pl = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "polars"))
    yield from (given, tuple(given), np.array(given, object), pd.Series(given, dtype=object))
    yield pl.Series(given, dtype=pl.Decimal(38, 17))
    yield pa.array(given, pa.decimal128(38, 17))
    yield pa.array([Decimal(7), *given], pa.decimal128(38, 17))[1:]
    yield pa.chunked_array([given[:2], given[2:]], pa.decimal128(38, 17))
    if hasattr(pa, "decimal64") and all(value is None or abs(value) < 10 for value in given):
        yield pa.array(given, pa.decimal64(18, 17))


@pytest.mark.parametrize(
    "texts", [["0.1", "-0.25", "0.30000000000000004", "0", "1e-17"], ["12345678901234567.89", "-9e20", "3"]]
)
def test_decimals_are_the_nearest_floats(texts):
    given = [*map(Decimal, texts)]
    columns = list(decimal_columns(given))
    assert len(columns) >= 8
    for column in columns:
        assert lowered(column, "scores")["values"].tolist() == [float(value) for value in given]
    for column in decimal_columns([*given[:-1], None]):
        with pytest.raises(errors.InputError, match=rf"y_score\[{len(given) - 1}\] is"):
            rs.ScoreTable(np.arange(len(given)) % 2, column)

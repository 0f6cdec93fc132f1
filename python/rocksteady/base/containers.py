"""Open containers that are neither numpy arrays nor lists.

The extension reads numpy arrays, lists, tuples and Arrow capsules itself. This module opens all other containers, once,
and returns one of these forms:

| form | values | other |
|---|---|---|
| `"array"` | a numpy array | |
| `"masked"` | a numpy array | a numpy array of bool, true where a value is missing |
| `"categories"` | a numpy array of indices into `other`, negative where missing | the categories |
| `"arrow"` | an object with `__arrow_c_array__` or `__arrow_c_stream__` | |
| `"items"` | a list | |

A container that holds an array is not copied. No library is imported: an object of a library's class exists only if the
library is already imported.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from rocksteady.base.arguments import as_array, shown
from rocksteady.base.gaps import gaps_in
from rocksteady.errors import InputError, InputTypeError

_Opened = tuple[str, Any, Any]

#: Columns that have neither an index nor categories.
PLAIN = (np.ndarray, list, tuple)

#: The dimensions that are told apart.
_DEEPEST = 8

# DLPack's device types whose memory the CPU can read directly: CPU, and pinned memory of CUDA and ROCm.
_HOST_DEVICES = frozenset({1, 3, 11})


# Libraries whose columns and frames are queries: reading one would run it, and may pull far more than fits in memory.
_LAZY = {"dask": "Dask", "dask_expr": "Dask", "pyspark": "Spark", "ibis": "Ibis"}


class Renamed:
    """A column of labels as places in a list of names, negative where missing."""

    __slots__ = ("codes", "names")

    def __init__(self, codes: np.ndarray[Any, Any], names: list[str]) -> None:
        self.codes, self.names = codes, names

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows, as arrays have it."""
        return (len(self.codes),)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> Renamed:
        return Renamed(self.codes[rows], self.names)

    def __iter__(self) -> Iterator[str | None]:
        return (None if code < 0 else self.names[code] for code in self.codes.tolist())

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        names: np.ndarray[Any, Any] = np.array([*self.names, None], dtype=object)
        return np.asarray(names[self.codes], dtype=dtype)


def refuse_lazy(values: Any, argument: str) -> None:
    """Refuse a query whose rows are not in memory."""
    kind = type(values)
    library = kind.__module__.partition(".")[0]
    if library == "polars" and kind.__name__ in ("LazyFrame", "Expr"):
        engine, call = "polars", ".collect()"
    elif library in _LAZY:
        engine = _LAZY[library]
        call = {"Dask": ".compute()", "Spark": ".toPandas() on the frame", "Ibis": ".execute()"}[engine]
    else:
        return
    article = "an" if engine == "Ibis" else "a"
    elsewhere = "count each part by itself and add up the score tables or matrices"
    if engine in ("Dask", "Spark"):
        elsewhere = f"rocksteady.{engine.lower()}.evaluate, which counts the rows where they are"
    raise _refused(
        argument,
        f"{article} {engine} {kind.__name__}, whose rows are not in memory",
        f"a column in memory: call {call}, or {elsewhere}",
    )


def opened(values: Any, argument: str) -> _Opened:
    """Open a container: the first step below that knows its type opens it or refuses it."""
    refuse_lazy(values, argument)
    for step in _STEPS:
        found = step(values, argument)
        if found is not None:
            return found
    raise _refused(argument, _described(values))


def opened_matrix(values: Any, argument: str) -> np.ndarray[Any, Any]:
    """Convert a container of rows to a numpy array: a data frame, a tensor, a list of lists and so on."""
    refuse_lazy(values, argument)
    if isinstance(values, np.ma.MaskedArray) and values.ndim == 2:
        return _of_numbers(values)
    single = isinstance(values, type | str | bytes | bytearray | np.ma.MaskedArray | np.matrix)
    if single or isinstance(values, Mapping | Set | Iterator):
        raise _refused(argument, _described(values), _MATRIX)
    if isinstance(values, np.ndarray):
        return _of_numbers(values.view(np.ndarray))
    torch, pandas = sys.modules.get("torch"), sys.modules.get("pandas")
    if torch is not None and hasattr(torch, "Tensor") and isinstance(values, torch.Tensor):
        values = _torch(values, torch)
    elif pandas is not None and hasattr(pandas, "DataFrame") and isinstance(values, pandas.DataFrame):
        # No copy of a frame that is one block of one dtype.
        values = _of_numbers(values.to_numpy())
    if hasattr(type(values), "__dlpack__") and not hasattr(type(values), "__arrow_c_array__"):
        return _from_dlpack(values, argument)
    is_array = any(hasattr(values, name) for name in ("__array__", "__array_interface__", "__array_struct__"))
    if is_array or isinstance(values, Sequence):
        try:
            return _of_numbers(np.asarray(values))
        except (TypeError, ValueError) as error:  # most often rows of different lengths
            raise _refused(argument, f"of type {type(values).__name__}, which numpy does not take", _MATRIX) from error
    raise _refused(argument, _described(values), _MATRIX)


def _of_numbers(matrix: Any) -> np.ndarray[Any, Any]:
    """A masked matrix, or one of objects, that has numbers and gaps as floats with NaN; any other as it is."""
    data: np.ndarray[Any, Any] = np.asarray(matrix)
    gaps = gaps_in(matrix) if data.ndim == 2 and (data.dtype.kind == "O" or data is not matrix) else None
    if gaps is None:
        return data
    known = data[~gaps]
    if not all(_is_float(number) for number in known.tolist()):
        return data
    found = np.full(data.shape, np.nan)
    found[~gaps] = known
    return found


def _is_float(number: Any) -> bool:
    """Whether an object is a number that a float64 holds."""
    if isinstance(number, int | np.integer | np.bool_):
        return abs(int(number)) <= 2**53
    return isinstance(number, float | np.floating)


_COLUMN = "a one-dimensional array, list or Series"
_MATRIX = "a two-dimensional array of numbers, a list of rows or a DataFrame"


def _numpy(values: Any, _argument: str) -> _Opened | None:
    """Open a subclass of numpy's array; the extension reads the class itself."""
    if isinstance(values, np.ma.MaskedArray):
        return "masked", values.data, np.ma.getmaskarray(values)
    return _array(values) if isinstance(values, np.ndarray) else None


def _renamed(values: Any, _argument: str) -> _Opened | None:
    return ("categories", values.codes, values.names) if isinstance(values, Renamed) else None


def _pandas(values: Any, argument: str) -> _Opened | None:
    pandas = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "Series"):  # not imported, or only in part
        return None
    if isinstance(values, pandas.DataFrame):
        such = f", such as {argument}[{values.columns[0]!r}]" if len(values.columns) else ""
        raise _shaped(argument, f"a DataFrame of shape {values.shape}", f"one column{such}")
    if isinstance(values, pandas.MultiIndex):
        raise _shaped(argument, f"a MultiIndex of {values.nlevels} levels")
    if isinstance(values, pandas.Series | pandas.Index):
        return _pandas_array(values.array, argument, pandas)
    if isinstance(values, pandas.api.extensions.ExtensionArray):
        return _pandas_array(values, argument, pandas)
    return None


def _pandas_array(array: Any, argument: str, pandas: Any) -> _Opened:
    dtype = array.dtype
    if isinstance(dtype, np.dtype):
        return _array(np.asarray(array))
    if isinstance(array, pandas.arrays.IntegerArray | pandas.arrays.FloatingArray | pandas.arrays.BooleanArray):
        mask, plain = array.isna(), dtype.numpy_dtype
        if not mask.any():
            return _array(array.to_numpy(dtype=plain))
        return "masked", array.to_numpy(dtype=plain, na_value=plain.type(0)), mask
    if isinstance(dtype, pandas.CategoricalDtype):
        return "categories", np.asarray(array.codes), array.categories
    if isinstance(dtype, pandas.ArrowDtype):
        return "arrow", array.__arrow_array__(), None
    if isinstance(dtype, pandas.StringDtype):
        if dtype.storage == "pyarrow" and hasattr(array, "__arrow_array__"):
            return "arrow", array.__arrow_array__(), None
        return _array(array.to_numpy(dtype=object))
    if isinstance(dtype, pandas.SparseDtype) or hasattr(dtype, "numpy_dtype"):
        return _array(np.asarray(array))
    raise _refused(argument, f"a pandas column of dtype {dtype}")


def _arrow(values: Any, _argument: str) -> _Opened | None:
    cls = type(values)
    if hasattr(cls, "__arrow_c_stream__") or hasattr(cls, "__arrow_c_array__"):
        return "arrow", values, None
    return None


def _no_column(values: Any, argument: str) -> None:
    """Refuse an object that has several values, or a buffer, but is not a column."""
    single = isinstance(values, type | np.generic | str | bytes | bytearray)
    if single or isinstance(values, Mapping | Set | Iterator):
        raise _refused(argument, _described(values))


def _dlpack(values: Any, argument: str) -> _Opened | None:
    if not hasattr(type(values), "__dlpack__"):
        return None
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor") and isinstance(values, torch.Tensor):
        values = _torch(values, torch)
    return _array(_from_dlpack(values, argument))


def _array_protocol(values: Any, argument: str) -> _Opened | None:
    if any(hasattr(values, name) for name in ("__array__", "__array_interface__", "__array_struct__")):
        return _array(as_array(values, argument, _COLUMN))
    return None


def _buffer(values: Any, _argument: str) -> _Opened | None:
    try:
        return _array(np.asarray(memoryview(values)))
    except (TypeError, ValueError):  # no buffer, or a format that numpy does not know
        return None


def _sequence(values: Any, _argument: str) -> _Opened | None:
    return ("items", list(values), None) if isinstance(values, Sequence) else None


_STEPS: tuple[Callable[[Any, str], _Opened | None], ...] = (
    _numpy,
    _renamed,
    _pandas,
    _arrow,
    _no_column,
    _dlpack,
    _array_protocol,
    _buffer,
    _sequence,
)


def _array(array: np.ndarray[Any, Any]) -> _Opened:
    return "array", array, None


def _torch(tensor: Any, torch: Any) -> Any:
    """Make a tensor readable for numpy: detach it, and convert bfloat16 to float32, which is exact."""
    tensor = tensor.detach().resolve_neg()
    return tensor.float() if tensor.dtype == torch.bfloat16 else tensor


def _from_dlpack(values: Any, argument: str) -> np.ndarray[Any, Any]:
    name = type(values).__name__
    try:
        device = int(values.__dlpack_device__()[0])
        if device in _HOST_DEVICES:
            return np.from_dlpack(values)
    except (BufferError, RuntimeError, ValueError) as error:
        # `__array__` can export some dtypes, and read-only memory, that DLPack cannot.
        if hasattr(values, "__array__"):
            return np.asarray(values)
        found = f"a {name} that DLPack cannot export ({error})"
        raise _refused(argument, found) from error
    found = f"of type {name}, in the memory of another device (DLPack device type {device})"
    raise _refused(
        argument, found, f"an array in the processor's memory: move it there first, {to_host(values, argument)}"
    )


def elsewhere(values: Any) -> bool:
    """Whether values are an array in the memory of another device, such as a GPU.

    >>> elsewhere(np.zeros(3)), elsewhere([1, 2])
    (False, False)
    """
    if isinstance(values, np.ndarray) or not hasattr(type(values), "__dlpack_device__"):
        return False
    try:
        return int(values.__dlpack_device__()[0]) not in _HOST_DEVICES
    except Exception:  # noqa: BLE001 (anybody's code; it was refused already)
        return False


def to_host(values: Any, argument: str) -> str:
    """The call that brings an array of another device here, for refusals."""
    library = type(values).__module__.partition(".")[0]
    calls = {"torch": f"{argument}.cpu()", "cupy": f"{argument}.get()"}
    return calls.get(library, f"numpy.asarray({argument})")


def _described(values: Any) -> str:
    if values is None or isinstance(values, bool | int | float | np.generic):
        return f"{values!r}"[:60]
    if isinstance(values, type):
        return f"the class {values.__name__}"
    return f"of type {type(values).__name__}"


def _refused(argument: str, found: str, expected: str = _COLUMN) -> InputTypeError:
    message = f"{argument} is {found}; expected {expected}"
    return InputTypeError(message, argument=argument, value=found, expected=expected)


def _shaped(argument: str, found: str, expected: str = "one column") -> InputError:
    message = f"{argument} is {found}; expected {expected}"
    return InputError(message, argument=argument, value=found, expected=expected)


def first_of(values: Any) -> Any:
    """The first value of a column, as Python's own number or text; None if there is none."""
    is_column = shape_of(values) and hasattr(values, "__iter__") and not isinstance(values, str)
    found: Any = next(iter(values), None) if is_column else None
    found = found.as_py() if hasattr(found, "as_py") else found
    return found.item() if isinstance(found, np.generic) else found if isinstance(found, str | int | float) else None


def is_matrix(values: Any) -> bool:
    """Whether values have two dimensions: an array, a data frame, a sparse matrix or a list of lists."""
    return len(shape_of(values)) == 2


def only_column(values: Any) -> Any:
    """The column of a matrix or data frame that has one; any other object as it is.

    >>> only_column([[0], [1]]), only_column([[0, 1]]), only_column([0, 1])
    ([0, 1], [[0, 1]], [0, 1])
    """
    if shape_of(values)[1:] != (1,):
        return values
    headings = headings_of(values)
    if headings is not None:
        return values[headings[0]]
    return [row[0] for row in values] if isinstance(values, list | tuple) else values[:, 0]


def shape_of(values: Any) -> tuple[int, ...]:
    """The shape of anything array-like, of lists by their first entries; () of what has no length. Nothing is converted.

    >>> shape_of([[1, 2], [3, 4], [5, 6]]), shape_of(np.ones((2, 3))), shape_of(["a"]), shape_of(None)
    ((3, 2), (2, 3), (1,), ())
    """
    return _shape_of(values, _DEEPEST)


def _shape_of(values: Any, deepest: int) -> tuple[int, ...]:
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple):
        return shape
    first = values[0] if isinstance(values, list | tuple) and values else None
    inner = (
        _shape_of(first, deepest - 1)
        if deepest and (isinstance(first, list | tuple) or hasattr(first, "shape"))
        else ()
    )
    try:
        return (len(values), *inner)
    except (TypeError, ValueError):  # without a length, or with a negative one
        return ()


def rows_of(values: Any, argument: str) -> int:
    """The number of rows of a column, a matrix or a frame.

    >>> rows_of([1, 2], "y_true"), rows_of(np.ones((3, 2)), "y_pred")
    (2, 3)
    """
    shape = shape_of(values)
    if not shape:
        raise _refused(argument, _described(values))
    return shape[0]


def same_rows(y_true: Any, y_pred: Any) -> int:
    """The number of rows of both columns."""
    rows, others = rows_of(y_true, "y_true"), rows_of(y_pred, "y_pred")
    if rows != others:
        raise InputError(f"y_true has {rows} rows and y_pred {others}; expected the same number", argument="y_pred")
    return rows


def columns_of(given: Any, argument: str) -> dict[Any, Any] | None:
    """The columns of a mapping, a data frame or an Arrow table by name; None for any other object."""
    headings = list(given) if isinstance(given, Mapping) else headings_of(given)
    if headings is None:
        return None
    twice = next((name for name, times in Counter(headings).items() if times > 1), None)
    if twice is not None:
        raise InputError(f"{argument} has two columns {shown(twice)}; expected each name once", argument=argument)
    return {name: given[name] for name in headings}


def headings_of(given: Any) -> list[Any] | None:
    """Headings of a data frame or an Arrow table; None for any other object."""
    kind = type(given)  # reading `columns` of a lazy frame would run it
    if hasattr(kind, "column_names"):
        return list(given.column_names)
    return list(given.columns) if hasattr(kind, "columns") and hasattr(kind, "to_numpy") else None

"""Opening the containers that are neither numpy arrays nor lists.

The extension reads numpy arrays, lists, tuples and Arrow capsules by itself. Everything else comes here once, and is
given back in one of these forms:

| form | values | other |
|---|---|---|
| `"array"` | a numpy array | |
| `"masked"` | a numpy array | a numpy array of bool, true where a value is missing |
| `"categories"` | a numpy array of places in `other`, negative where missing | the categories |
| `"arrow"` | an object with `__arrow_c_array__` or `__arrow_c_stream__` | |
| `"items"` | a list | |

Nothing is copied where the container has an array to give. No library is imported: if an object is of a library's
class, that library is there already.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from rocksteady.errors import InputError, InputTypeError

_Opened = tuple[str, Any, Any]

# DLPack's numbers of the devices whose memory the processor reads as its own: CPU, and pinned memory of CUDA and ROCm.
_HOST_DEVICES = frozenset({1, 3, 11})


def opened(values: Any, argument: str) -> _Opened:
    """Open a container; the order is documented in `src/py/border/mod.rs`."""
    cls = type(values)
    if isinstance(values, np.ma.MaskedArray):
        return "masked", values.data, np.ma.getmaskarray(values)
    if isinstance(values, np.ndarray):
        return "array", values, None
    if isinstance(values, np.generic):
        raise _refused(argument, f"the single value {values!r}")
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "Series"):
        if isinstance(values, pandas.DataFrame):
            raise _shaped(argument, f"a DataFrame of shape {values.shape}")
        if isinstance(values, pandas.MultiIndex):
            raise _shaped(argument, f"a MultiIndex of {values.nlevels} levels")
        if isinstance(values, pandas.Series | pandas.Index):
            if isinstance(values.dtype, np.dtype):
                return _array(np.asarray(values))
            return _pandas(values.array, argument, pandas)
        if isinstance(values, pandas.api.extensions.ExtensionArray):
            return _pandas(values, argument, pandas)
    if values is None or isinstance(values, type | str | bytes | bytearray | int | float | complex):
        raise _refused(argument, _described(values))
    if hasattr(cls, "__arrow_c_array__") or hasattr(cls, "__arrow_c_stream__"):
        return "arrow", values, None
    if isinstance(values, Mapping | Set | Iterator):
        raise _refused(argument, _described(values))
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor") and isinstance(values, torch.Tensor):
        values = _torch(values, torch)
    if hasattr(cls, "__dlpack__"):
        return "array", _dlpack(values, argument), None
    if any(hasattr(values, name) for name in _ARRAY_PROTOCOLS):
        return _array(np.asarray(values))
    try:
        return _array(np.asarray(memoryview(values)))
    except (TypeError, ValueError):
        pass
    if isinstance(values, Sequence):
        return "items", list(values), None
    raise _refused(argument, _described(values))


_ARRAY_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")


def _array(array: np.ndarray[Any, Any]) -> _Opened:
    return "array", array, None


def _pandas(array: Any, argument: str, pandas: Any) -> _Opened:
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


def _torch(tensor: Any, torch: Any) -> Any:
    """A tensor that numpy can take: without gradient, and with bfloat16 as float32, which holds it exactly."""
    tensor = tensor.detach().resolve_neg()
    return tensor.float() if tensor.dtype == torch.bfloat16 else tensor


def _dlpack(values: Any, argument: str) -> np.ndarray[Any, Any]:
    device, _ = values.__dlpack_device__()
    if int(device) not in _HOST_DEVICES:
        raise InputTypeError(
            f"{argument} is a {type(values).__name__} in the memory of another device (DLPack device type "
            f"{int(device)}); expected the processor's memory: move it there first",
            argument=argument,
            value=f"DLPack device type {int(device)}",
            expected="the processor's memory",
        )
    try:
        return np.from_dlpack(values)
    except (BufferError, RuntimeError) as error:
        # Some dtypes and read-only memory cannot go through DLPack, but through `__array__`.
        if hasattr(values, "__array__"):
            return np.asarray(values)
        raise InputTypeError(
            f"{argument} is a {type(values).__name__} that DLPack cannot hand over ({error}); "
            "expected an array of numbers",
            argument=argument,
            value=type(values).__name__,
            expected="an array of numbers",
        ) from error


def _described(values: Any) -> str:
    if values is None or isinstance(values, bool | int | float):
        return f"{values!r}"[:60]
    if isinstance(values, type):
        return f"the class {values.__name__}"
    return f"of type {type(values).__name__}"


def _refused(argument: str, found: str) -> InputTypeError:
    expected = "a one-dimensional array, list or Series"
    return InputTypeError(
        f"{argument} is {found}; expected {expected}",
        argument=argument,
        value=found,
        expected=expected,
    )


def _shaped(argument: str, found: str) -> InputError:
    expected = "one column"
    return InputError(
        f"{argument} is {found}; expected {expected}",
        argument=argument,
        value=found,
        expected=expected,
    )

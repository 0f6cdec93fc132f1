"""Columns on one device: their library and dtypes, blocks of rows, and how arrays come here."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rocksteady.base.containers import elsewhere, to_host
from rocksteady.base.ways_out import library
from rocksteady.errors import InputError, InputTypeError

#: Rows that are counted at once. Counting takes up to about 100 bytes a row on the device.
BLOCK: Final = 1 << 27

_TAKEN: Final = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_FLOATS: Final = ("float16", "float32", "float64")


def on_one_device(columns: dict[str, Any], axes: dict[str, int] | None = None) -> tuple[Any, list[Any]]:
    """The library of the columns, and the columns without gradients; bfloat16 as float32, which is exact.

    Refuses an array that is here or on another device than the first, or has another shape (`axes`: how many, if not one) or
    dtype.
    """
    argument, first = next(item for item in columns.items() if elsewhere(item[1]))
    xp, found = library_of(first, argument), []
    for name, values in columns.items():
        if not elsewhere(values) or type(values) is not type(first) or values.device != first.device:
            where = values.device if elsewhere(values) else "the processor's memory"
            raise InputTypeError(
                f"{name} is in {where} and {argument} on {first.device}; expected both on one device, or both in the "
                f"processor's memory: {to_host(first, argument)}",
                argument=name,
            )
        found.append(_readable(xp, values, name, (axes or {}).get(name, 1)))
    first_name, rows = next(iter(columns)), found[0].shape[0]
    for name, other in zip(columns, (column.shape[0] for column in found), strict=True):
        if other != rows:
            message = f"{name} has {other} rows; expected {rows}, as many as {first_name}"
            raise InputError(message, argument=name, value=str(other), expected=str(rows))
    return xp, found


def refuse_weights(weights: Any, weight_kind: str = "counts", y_true: Any = None) -> None:
    """Refuse weights, whose sums on a device would depend on the order in which it adds them."""
    if weights is not None or weight_kind != "counts":
        argument = "weight_kind" if weights is None else "sample_weight"
        raise InputTypeError(
            f"{argument} is given with rows on another device; expected no weights there, or all columns in the "
            f"processor's memory: move them there first, {to_host(y_true, 'y_true')}",
            argument=argument,
        )


def library_of(values: Any, argument: str) -> Any:
    """The namespace of an array in the array API standard."""
    own = type(values).__module__.partition(".")[0]
    if hasattr(values, "__array_namespace__") and own not in ("torch", "cupy"):
        return values.__array_namespace__()
    try:
        return library("array_api_compat", "device").array_namespace(values)
    except (ImportError, TypeError) as error:
        raise InputTypeError(
            f"{argument} is of type {type(values).__name__}, in the memory of another device, and cannot be counted there "
            f"({error}); move it to the processor's memory first, {to_host(values, argument)}",
            argument=argument,
        ) from error


def _readable(xp: Any, values: Any, argument: str, axes: int) -> Any:
    if len(values.shape) != axes:
        shape, expected = (
            f"an array of shape {tuple(values.shape)}",
            "one dimension" if axes == 1 else f"{axes} dimensions",
        )
        message = f"{argument} is {shape}; expected {expected}"
        raise InputError(message, argument=argument, value=shape, expected=expected)
    column = values.detach().contiguous() if hasattr(values, "detach") else values  # of torch, which warns of others
    name = dtype_of(column)
    if name == "bfloat16":
        return xp.astype(column, xp.float32)
    if name not in (*_TAKEN, *_FLOATS):
        raise InputTypeError(
            f"{argument} is an array of dtype {name} on {values.device}; expected real numbers of at most 64 bits: convert "
            f"it there, or move it to the processor's memory, {to_host(values, argument)}",
            argument=argument,
        )
    return column


def dtype_of(array: Any) -> str:
    """The name of a dtype, the same for all libraries."""
    return str(array.dtype).rpartition(".")[2]


def kind_of(array: Any) -> np.dtype[Any]:
    """The dtype of numpy of the same name."""
    return np.dtype(dtype_of(array))


def is_float(array: Any) -> bool:
    """Whether the numbers are floats."""
    return dtype_of(array) in _FLOATS


def here(array: Any) -> np.ndarray[Any, Any]:
    """A copy in the processor's memory."""
    if hasattr(array, "cpu"):  # torch
        array = array.detach().cpu()
        return np.asarray(array.float() if dtype_of(array) == "bfloat16" else array)
    if hasattr(array, "get"):  # CuPy
        return np.asarray(array.get())
    try:
        return np.asarray(array)  # JAX
    except (TypeError, RuntimeError):
        return np.from_dlpack(array, device="cpu", copy=True)


def counts_here(xp: Any, counts: Any) -> np.ndarray[Any, Any]:
    """Whole numbers from 0 on, which come in as few bytes as hold them."""
    most = int(xp.max(counts)) if counts.shape[0] else 0
    kind = xp.uint8 if most < 2**8 else xp.int32 if most < 2**31 else counts.dtype
    return here(xp.astype(counts, kind)).astype(np.int64)


def as_numbers(xp: Any, column: Any) -> Any:
    """Truth values as numbers, which have an order; any other column as it is."""
    return xp.astype(column, xp.uint8) if dtype_of(column) == "bool" else column


def blocks(rows: int, columns: int = 1) -> list[slice]:
    """Blocks of rows, in their order."""
    step = max(BLOCK // columns, 1)
    return [slice(start, min(start + step, rows)) for start in range(0, rows, step)]


def wide_integers(xp: Any) -> bool:
    """Whether integers have 64 bits: those of JAX have 32 unless jax_enable_x64 is set."""
    return dtype_of(xp.arange(1)) == "int64"


def ordered_bits(xp: Any, scores: Any) -> Any:
    """Floats as integers in their order, where the library takes subnormal ones for 0, as XLA's on a CPU; else as they are."""
    if not is_float(scores):
        return scores
    tiny = xp.full((1,), float(np.finfo(kind_of(scores)).smallest_subnormal), dtype=scores.dtype, device=scores.device)
    if bool(tiny[0] != 0):
        return scores
    width = kind_of(scores).itemsize * 8
    bits = scores.view(getattr(xp, f"int{width}"))
    bits = bits ^ ((bits >> (width - 1)) & (2 ** (width - 1) - 1))
    return xp.where(bits == -1, 0, bits)  # -0 as 0


def of_bits(bits: np.ndarray[Any, Any], kind: Any) -> np.ndarray[Any, Any]:
    """The floats of what `ordered_bits` gives."""
    width = bits.dtype.itemsize * 8
    floats: np.ndarray[Any, Any] = (bits ^ ((bits >> (width - 1)) & (2 ** (width - 1) - 1))).view(kind)
    return floats

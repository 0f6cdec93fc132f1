"""Rows with missing values: where they are, and the rows without."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import wrong_type
from rocksteady.base.containers import columns_of, headings_of, opened
from rocksteady.base.gaps import gaps_in, refuse_where
from rocksteady.base.ways_out import library
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def missing(values: Any, argument: str) -> NDArray[np.bool_] | None:
    """Where a column, or any column of a matrix or frame, has no value; None if no value can be missing.

    >>> missing([1, None, float("nan")], "y_true").tolist(), missing(np.arange(3), "y_true")
    ([False, True, True], None)
    """
    columns = None if isinstance(values, Mapping) else columns_of(values, argument)
    if columns is not None:
        masks = [missing(column, argument) for column in columns.values()]
        return _either([mask for mask in masks if mask is not None])
    form, data, other = opened(values, argument)
    if form == "arrow":
        return _missing_in_arrow(data, argument)
    found = np.asarray(data) < 0 if form == "categories" else gaps_in(data)
    if form == "masked":
        found = other if found is None else found | other
    return _either(list(found.T)) if found is not None and found.ndim == 2 else found


def first_missing(values: Any, argument: str) -> int | None:
    """The first row of a column that has no value; None if all have one."""
    gaps = missing(values, argument)
    return int(gaps.argmax()) if gaps is not None and gaps.any() else None


def refuse_missing(values: Any, argument: str, expected: str) -> None:
    """Refuse a column, or a matrix, in which a row has no value."""
    gaps = missing(values, argument.partition("[")[0])
    if gaps is not None:
        refuse_where(gaps, argument, expected)


def _either(masks: list[NDArray[np.bool_]]) -> NDArray[np.bool_] | None:
    if not masks:
        return None
    found: NDArray[np.bool_] = np.logical_or.reduce(masks)
    return found


def _missing_in_arrow(data: Any, argument: str) -> NDArray[np.bool_]:
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(data, polars.Series):
        found = data.is_null()
        if data.dtype.is_float():
            found = found | data.is_nan().fill_null(value=False)
        return np.asarray(found.to_numpy(), dtype=bool)
    column = _pyarrow_column(data, argument)
    return np.asarray(column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False), dtype=bool)


def _pyarrow_column(data: Any, argument: str) -> Any:
    pyarrow = library("pyarrow", "arrow")
    if isinstance(data, pyarrow.Array):
        return data
    try:
        return (data if isinstance(data, pyarrow.ChunkedArray) else pyarrow.chunked_array(data)).combine_chunks()
    except (TypeError, ValueError) as error:  # Arrow's own are of these
        raise wrong_type(data, argument, "an array that pyarrow takes") from error


def kept(values: Any, keep: NDArray[np.bool_], argument: str) -> Any:
    """The rows of a column, a matrix or a frame for which `keep` is true.

    >>> kept(["a", "b", "c"], np.array([True, False, True]), "y_true")
    ['a', 'c']
    """
    polars, pandas = sys.modules.get("polars"), sys.modules.get("pandas")
    if polars is not None and isinstance(values, polars.Series | polars.DataFrame):
        return values.filter(polars.Series(keep))
    if pandas is not None and isinstance(values, pandas.Series | pandas.DataFrame):
        return values.loc[keep]
    if headings_of(values) is not None:  # an Arrow table
        return values.filter(library("pyarrow", "arrow").array(keep))
    if isinstance(values, np.ndarray):
        return values[keep]
    form, data, other = opened(values, argument)
    if form == "arrow":
        return _pyarrow_column(data, argument).filter(library("pyarrow", "arrow").array(keep))
    if form == "items":
        return [item for item, is_kept in zip(data, keep.tolist(), strict=True) if is_kept]
    if form == "masked":
        return np.ma.MaskedArray(data[keep], mask=other[keep])
    return values[keep] if form == "categories" else data[keep]


def complete(columns: dict[str, Any], others: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The rows of columns, and of others, without a missing value in any of the columns; and how many were left out.

    >>> complete({"y_true": [1, None, 0]}, {"sample_weight": np.array([1.0, 2.0, 3.0])})
    ({'y_true': [1, 0], 'sample_weight': array([1., 3.])}, 1)
    """
    everything = {**columns, **others}
    masks = [missing(column, argument) for argument, column in columns.items()]
    found = [mask for mask in masks if mask is not None and mask.any()]
    lengths = {len(values) for values in everything.values() if hasattr(values, "__len__")}
    if not found or len(lengths) > 1:  # columns of several lengths are refused where they are counted
        return everything, 0
    keep = ~np.logical_or.reduce(found)
    if not keep.any():
        raise InputError(
            f"each of the {len(keep)} rows has a missing value; expected rows without, as nan_policy='omit' leaves "
            "the others out",
            argument="nan_policy",
        )
    kept_rows = {
        argument: None if values is None else kept(values, keep, argument.partition("[")[0])
        for argument, values in everything.items()
    }
    return kept_rows, int(len(keep) - keep.sum())

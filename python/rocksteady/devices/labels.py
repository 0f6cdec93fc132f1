"""The cells of a confusion matrix, counted on a device.

1. Each label becomes a code: its distance to the lowest, or its place among the distinct labels where these are far apart.
2. The two codes of a row are one number. `bincount` of the library, or else `unique_counts`, counts how often each occurs.
3. The cells that are not empty come here: two labels and a number of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.containers import to_host
from rocksteady.devices.arrays import (
    as_numbers,
    asked,
    blocks,
    dtype_of,
    first_row,
    here,
    is_float,
    kind_of,
    on_one_device,
    refuse_weights,
    some_rows,
    wide_integers,
)
from rocksteady.errors import InputTypeError

#: Labels whose codes are distances lie at most so far apart.
_SPAN: Final = 1 << 11
#: The most cells that are counted in a table.
_CELLS: Final = _SPAN * _SPAN


class Cells(NamedTuple):
    """The cells that are not empty, in the processor's memory; labels are in the dtypes of their columns."""

    actual: np.ndarray[Any, Any]
    predicted: np.ndarray[Any, Any]
    amounts: np.ndarray[Any, Any]
    row_of: Callable[[int], int | None]  # the first row of a cell


def confusion_state(columns: tuple[Any, Any], options: tuple[Any, ...], weights: Any) -> _rocksteady.ConfusionState:
    """`ConfusionState.count` of rows on a device: the same state, to the bit."""
    labels, policy, strict, weight_kind = options
    refuse_weights(weights, weight_kind, columns[0])
    found = cells_of(columns, policy)
    count = _rocksteady.ConfusionState.count
    # Of each cell one row: they have the classes of all rows, and what is to be refused.
    pair = found.actual, found.predicted
    known = asked(lambda: count(*pair, labels, None, policy, strict, weight_kind), found.row_of)
    place_of = {label: place for place, label in enumerate(known.labels().tolist())}
    places = [np.array([place_of.get(label, -1) for label in column.tolist()], np.int64) for column in pair]
    given = (places[0] >= 0) & (places[1] >= 0)
    taken = [column[given].astype(np.uint32) for column in places]
    return _rocksteady.ConfusionState.from_cells(taken[0], taken[1], found.amounts[given], known.labels())


def cells_of(columns: tuple[Any, Any], policy: str = "raise", names: tuple[str, str] = ("y_true", "y_pred")) -> Cells:
    """The cells of two columns on a device, or the refusal that `ConfusionState.count` has for one of their rows."""
    xp, read = on_one_device(dict(zip(names, columns, strict=True)))
    floats = [column for column in read if is_float(column)]
    gaps = [xp.isnan(column) for column in floats]
    bad = [((column != xp.floor(column)) | xp.isinf(column)) & ~gap for column, gap in zip(floats, gaps, strict=True)]
    first_rows = {first_row(xp, mask) for mask in (bad if policy == "omit" else bad + gaps)}
    odd = sorted(row for row in first_rows if row is not None)
    if odd:
        few = [some_rows(xp, column, odd) for column in read]
        count = _rocksteady.ConfusionState.count
        asked(lambda: count(few[0], few[1], None, None, policy, False, "counts"), odd.__getitem__)
    places = None
    if policy == "omit" and gaps:
        is_known = ~gaps[0] if len(gaps) == 1 else ~(gaps[0] | gaps[1])
        places = xp.nonzero(is_known)[0]
        if read[0].shape[0] and not places.shape[0]:
            first = [some_rows(xp, column, [0]) for column in read]
            return Cells(first[0], first[1], np.zeros(1, np.uint64), lambda _: None)
        read = [column[is_known] for column in read]
    (codes, actual), (others, predicted) = (_coded(xp, column) for column in read)
    size = actual.size * predicted.size
    if size >= 2**31 and not wide_integers(xp):
        raise InputTypeError(
            f"{names[0]} and {names[1]} have {actual.size} and {predicted.size} labels, too many for integers of 32 bits; expected "
            f"jax_enable_x64, or arrays in the processor's memory: move them there first, {to_host(columns[0], names[0])}",
            argument=names[0],
        )
    parts = [_counted(xp, codes[rows] * predicted.size + others[rows], size) for rows in blocks(codes.shape[0])]
    parts.append((np.zeros(0, np.int64), np.zeros(0, np.uint64)))
    cells, place = np.unique(np.concatenate([cell for cell, _ in parts]), return_inverse=True)
    amounts = np.zeros(cells.size, np.uint64)
    np.add.at(amounts, place, np.concatenate([amount for _, amount in parts]))
    across = max(predicted.size, 1)

    def row_of(cell: int) -> int | None:
        row = first_row(xp, (codes == int(cells[cell] // across)) & (others == int(cells[cell] % across)))
        return row if places is None or row is None else int(places[row])

    return Cells(actual[cells // across], predicted[cells % across], amounts, row_of)


def _coded(xp: Any, column: Any) -> tuple[Any, np.ndarray[Any, Any]]:
    """A whole number for each row, and the labels of these numbers in the processor's memory."""
    is_bool, whole = dtype_of(column) == "bool", xp.arange(1).dtype
    column = as_numbers(xp, column)
    kind = kind_of(column)
    if not column.shape[0]:
        return xp.astype(column, whole), np.zeros(0, bool if is_bool else kind)
    lowest, highest = xp.min(column), xp.max(column)
    span = int(highest) - int(lowest) + 1
    if span <= _SPAN:
        is_short = kind.kind in "iu" and kind.itemsize < 8
        codes = xp.astype(column, whole) - int(lowest) if is_short else xp.astype(column - lowest, whole)
        labels = here(lowest) + np.arange(span).astype(kind)
    else:
        distinct = xp.sort(xp.unique_values(column))
        codes, labels = xp.astype(xp.searchsorted(distinct, column), whole), here(distinct)
    return codes, labels.astype(bool if is_bool else kind)


def _counted(xp: Any, codes: Any, cells: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The codes that occur, ascending, and how often."""
    if hasattr(xp, "bincount") and cells <= _CELLS:
        amounts = here(xp.bincount(codes, minlength=cells))
        found = np.flatnonzero(amounts)
        return found, amounts[found].astype(np.uint64)
    values, amounts = xp.unique_counts(codes)
    return here(values).astype(np.int64), here(amounts).astype(np.uint64)

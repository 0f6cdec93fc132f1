"""Statistics of cells: the values that rows on a device have together, and how many rows have them.

1. Each value of a column becomes a code: its distance to the lowest, or its place among the distinct values where these are far
   apart. The codes of a row are one number.
2. `bincount` of the library, or else `unique_counts`, counts how often each number occurs. The cells that are not empty come here.
3. The statistic of one row of each cell is added up, doubled for each binary digit of the counts. It has all bits of the
   statistic of all rows, as statistics are additive.

If the rows are refused they come here, and are refused as any others, by argument, row and value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rocksteady.base.arguments import several
from rocksteady.base.containers import to_host
from rocksteady.devices import arrays
from rocksteady.errors import InputTypeError, RocksteadyError

#: Values whose codes are distances lie at most so far apart.
_SPAN: Final = 1 << 11
#: The most cells that are counted in a table.
_CELLS: Final = _SPAN * _SPAN
#: Rows that occur less often than this on average are repeated, which takes less time than sums.
FEW: Final = 4

_Array = np.ndarray[Any, Any]


def state_of_cells(
    ask: Callable[..., Any], columns: dict[str, Any], weighed: tuple[Any, str], nan_policy: str = "raise"
) -> Any:
    """The state that `ask` gives for columns on a device, from columns here. Weights and their kind are refused."""
    arrays.refuse_weights(*weighed, next(iter(columns.values())))
    xp, read = arrays.on_one_device(columns)
    values, counts = cells_of(xp, dict(zip(columns, read, strict=True)))
    if nan_policy == "omit":  # rows that are left out are of no more use than one of them
        for name, column in zip(columns, values, strict=True):
            counts[(column != column) & name.startswith("y_")] = 1
    try:
        return summed(ask, values, counts)
    except RocksteadyError:
        return ask(*map(arrays.here, read))


def summed(ask: Callable[..., Any], columns: list[_Array], counts: _Array) -> Any:
    """The state of rows that occur so often, from `ask`, which gives that of some rows."""
    if counts.sum() <= FEW * len(counts):
        return ask(*(np.repeat(column, counts) for column in columns))
    state, more, rest = ask(*columns), counts - 1, None
    for digit in reversed(range(int(more.max()).bit_length())):
        rest = rest if rest is None else rest.merged(rest)
        if (chosen := (more >> digit) & 1 == 1).any():
            part = ask(*(column[chosen] for column in columns))
            rest = part if rest is None else rest.merged(part)
    return state.merged(rest)


def cells_of(xp: Any, columns: dict[str, Any]) -> tuple[list[_Array], _Array]:
    """The values of each cell, ascending and in the dtypes of their columns, and the rows; in the processor's memory."""
    coded = [_coded(xp, column) for column in columns.values()]
    sizes = [len(values) for _, values in coded]
    if math.prod(sizes) >= 2 ** (63 if arrays.wide_integers(xp) else 31):
        argument, first = next(iter(columns.items()))
        bits, remedy = (64, "") if arrays.wide_integers(xp) else (32, "jax_enable_x64, or ")
        raise InputTypeError(
            f"{several(columns)} have {several(sizes)} values, too many for integers of {bits} bits; expected "
            f"{remedy}arrays in the processor's memory: move them there first, {to_host(first, argument)}",
            argument=argument,
        )
    codes = coded[0][0]
    for own, values in coded[1:]:
        codes = codes * len(values) + own
    parts = [_counted(xp, codes[rows], math.prod(sizes)) for rows in arrays.blocks(codes.shape[0])]
    parts.append((np.zeros(0, np.int64), np.zeros(0, np.int64)))
    cells, place = np.unique(np.concatenate([cell for cell, _ in parts]), return_inverse=True)
    counts = np.zeros(len(cells), np.int64)
    np.add.at(counts, place, np.concatenate([count for _, count in parts]))
    places = np.unravel_index(cells, [max(size, 1) for size in sizes])
    return [values[own] for (_, values), own in zip(coded, places, strict=True)], counts


def _coded(xp: Any, column: Any) -> tuple[Any, _Array]:
    """A whole number for each row, and the values of these numbers in the processor's memory."""
    is_bool, whole = arrays.dtype_of(column) == "bool", xp.arange(1).dtype
    column = arrays.as_numbers(xp, column)
    kind, keys = arrays.kind_of(column), arrays.ordered_bits(xp, column)
    gaps = xp.isnan(column) if arrays.is_float(column) else None
    if not column.shape[0]:
        return xp.astype(column, whole), np.zeros(0, bool if is_bool else kind)
    is_whole = gaps is None or (keys is column and bool(xp.all(xp.isfinite(column) & (column == xp.floor(column)))))
    lowest, highest = (xp.min(column), xp.max(column)) if is_whole else (0, _SPAN)
    span = int(highest) - int(lowest) + 1
    if span <= _SPAN:
        is_short = kind.kind in "iu" and kind.itemsize < 8
        codes = xp.astype(column, whole) - int(lowest) if is_short else xp.astype(column - lowest, whole)
        return codes, (arrays.here(lowest) + np.arange(span).astype(kind)).astype(bool if is_bool else kind)
    distinct = xp.sort(xp.unique_values(keys if gaps is None else keys[~gaps]))
    codes, values = xp.searchsorted(distinct, keys), arrays.here(distinct)
    if gaps is not None:  # a missing value comes after all others
        codes = xp.where(gaps, len(values), codes)
        values = np.append(arrays.of_bits(values, kind) if keys is not column else values, np.array([np.nan], kind))
    return xp.astype(codes, whole), values.astype(kind)


def _counted(xp: Any, codes: Any, cells: int) -> tuple[_Array, _Array]:
    """The codes that occur, ascending, and how often."""
    if hasattr(xp, "bincount") and cells <= _CELLS:
        counts = arrays.counts_here(xp, xp.bincount(codes, minlength=cells))
        found = np.flatnonzero(counts)
        return found, counts[found]
    values, counts = xp.unique_counts(codes)
    return arrays.counts_here(xp, values), arrays.counts_here(xp, counts)

"""What is drawn in a resample: rows, clusters of rows, within strata, rows by their keys, or blocks of rows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import shown, whole, wrong_value
from rocksteady.base.containers import rows_of
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.pairing import without_index
from rocksteady.errors import InputError, InputTypeError
from rocksteady.inference.clusters import grouping_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Units:
    """What is drawn: rows, or clusters of rows, perhaps within strata; rows by their keys; or blocks of rows in a row."""

    clusters: tuple[NDArray[np.uint32], int] | None = None
    strata: NDArray[np.uint32] | None = None
    keys: NDArray[np.uint64] | None = None
    block: int | None = None

    @classmethod
    def of(cls, columns: Mapping[str, Any], truth: Any, *, is_by_class: bool, block: int | None = None) -> Units:
        """The units of the columns that were given; the classes may be the strata."""
        rows = rows_of(truth, "y_true")
        if block is not None:
            if whole(block, "block", "a number of rows", least=1) > rows:
                raise wrong_value(block, "block", f"at most the {rows} rows of y_true")
            return cls((np.arange(rows, dtype=np.uint32), rows), block=int(block))
        clusters = _codes(columns["cluster"], truth, "cluster")
        in_strata = _codes(truth if is_by_class else columns["strata"], truth, "strata")
        strata = None if in_strata is None else in_strata[0]
        keys = None if columns["key"] is None else _keys(without_index(columns["key"]))
        if keys is not None and len(keys) != rows:
            raise InputError(f"key has {len(keys)} rows and y_true has {rows}; expected as many", argument="key")
        if clusters is not None and strata is not None:
            first = np.zeros(clusters[1], np.intp)
            first[clusters[0][::-1]] = np.arange(rows)[::-1]
            mixed = np.flatnonzero(strata != strata[first[clusters[0]]])
            if len(mixed):
                raise InputError(
                    f"cluster[{mixed[0]}] lies in several strata; expected the rows of a cluster to share one, or no strata",
                    argument="cluster",
                )
        return cls(clusters, strata, keys)

    def tiled(self, rows: int, times: int) -> Units:
        """The units of as many copies of the rows, where the copies of a row are drawn together."""
        codes, number = self.clusters or (np.arange(rows, dtype=np.uint32), rows)
        if self.keys is not None:
            return Units(keys=np.tile(self.keys, times))
        strata = None if self.strata is None else np.tile(self.strata, times)
        return Units((np.tile(codes, times), number), strata, block=self.block)

    @property
    def told(self) -> tuple[Any, Any, Any, Any]:
        """For the extension."""
        return self.clusters, self.strata, self.keys, self.block


def _codes(values: Any, truth: Any, argument: str) -> tuple[NDArray[np.uint32], int] | None:
    """A number from 0 on for each key of a column, or of several, in the order of the rows; and how many there are."""
    state = grouping_of(values, truth, argument)
    if state is None:
        return None
    _, first, places = np.unique(state.codes(), return_index=True, return_inverse=True)
    order = np.empty(len(first), np.uint32)
    order[np.argsort(first)] = np.arange(len(first), dtype=np.uint32)
    return order[places], len(first)


def _keys(values: Any) -> NDArray[np.uint64]:
    """64 bits for each key: the number itself, or a hash of text."""
    refuse_missing(values, "key", "a whole number or text")
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"key has shape {array.shape}; expected (n,)", argument="key")
    if array.dtype.kind in "bi":
        return array.astype(np.int64).view(np.uint64)
    if array.dtype.kind == "u":
        return array.astype(np.uint64)
    found = array.tolist()
    keys = np.empty(len(found), np.uint64)
    for row, key in enumerate(found):
        if isinstance(key, str):
            keys[row] = int.from_bytes(hashlib.blake2b(key.encode(errors="surrogatepass"), digest_size=8).digest())
        elif isinstance(key, int):
            keys[row] = key % 2**64
        else:
            raise InputTypeError(
                f"key[{row}] is {shown(key)}; expected a whole number or text", argument="key", row=row, value=str(key)
            )
    return keys

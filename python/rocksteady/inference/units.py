"""What is drawn in a resample: rows, clusters of rows, within strata, or rows by their keys."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import shown
from rocksteady.base.containers import rows_of
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.pairing import without_index
from rocksteady.errors import InputError, InputTypeError
from rocksteady.inference.clusters import codes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Units:
    """What is drawn: rows, or clusters of rows, perhaps within strata; or rows by their keys."""

    clusters: tuple[NDArray[np.uint32], int] | None = None
    strata: NDArray[np.uint32] | None = None
    keys: NDArray[np.uint64] | None = None

    @classmethod
    def of(cls, columns: Mapping[str, Any], truth: Any, *, is_by_class: bool) -> Units:
        """The units of the columns that were given; the classes may be the strata."""
        rows = rows_of(truth, "y_true")
        given = {
            name: without_index(columns[name]) for name in ("cluster", "strata", "key") if columns[name] is not None
        }
        if is_by_class:
            given["strata"] = truth
        clusters = codes_of(given["cluster"], "cluster") if "cluster" in given else None
        strata = codes_of(given["strata"], "strata")[0] if "strata" in given else None
        keys = _keys(given["key"]) if "key" in given else None
        for name, codes in (("cluster", clusters and clusters[0]), ("strata", strata), ("key", keys)):
            if codes is not None:
                _checked_length(codes, name, rows)
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
        return Units((np.tile(codes, times), number), strata)

    @property
    def told(self) -> tuple[Any, Any, Any]:
        """For the extension."""
        return self.clusters, self.strata, self.keys


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


def _checked_length(column: Any, argument: str, rows: int) -> None:
    if len(column) != rows:
        raise InputError(
            f"{argument} has {len(column)} rows and y_true has {rows}; expected as many", argument=argument
        )

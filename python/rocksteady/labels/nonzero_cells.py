"""The cells of a confusion matrix that are not zero, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocksteady.base.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Cells(Result):
    """The cells of a confusion matrix that are not zero, one per entry, by true and then predicted class.

    Attributes
    ----------
    actual, predicted : numpy.ndarray
        The labels.
    count : numpy.ndarray of uint64 or float64
        Rows, or their weight.
    places : tuple of two numpy.ndarray of int64
        The places of both labels: ``scipy.sparse.coo_array((cells.count, cells.places))`` is the sparse matrix.
    """

    actual: NDArray[Any]
    predicted: NDArray[Any]
    count: NDArray[Any]
    places: tuple[NDArray[np.int64], NDArray[np.int64]]

    def _fields(self) -> Iterator[tuple[str, Any]]:
        return (field for field in super()._fields() if field[0] != "places")

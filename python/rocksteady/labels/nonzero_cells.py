"""The cells of a confusion matrix that are not zero, as columns; the most confused pairs of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocksteady import _rocksteady


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


@dataclass(frozen=True, eq=False, repr=False)
class ConfusedPairs(Result):
    """The pairs of classes that are confused most, the pair with the most rows first.

    Attributes
    ----------
    actual, predicted : numpy.ndarray
        The labels.
    count : numpy.ndarray of uint64 or float64
        Rows of the one class that were predicted to be of the other, or their weight.
    share : numpy.ndarray of float64
        Their share of the rows of the actual class.
    """

    actual: NDArray[Any]
    predicted: NDArray[Any]
    count: NDArray[Any]
    share: NDArray[np.float64]


def confused(
    state: _rocksteady.ConfusionState, most: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any], int]:
    """The places and counts of the greatest cells beside the diagonal, and how many such cells are not zero.

    Cells of one count are in the order of the labels.
    """
    actual, predicted, count = state.cells()
    wrong = np.flatnonzero(actual != predicted)
    worst = wrong[np.argsort(-count[wrong].astype(np.float64), kind="stable")[:most]]
    return actual[worst], predicted[worst], count[worst], len(wrong)

"""Which rows are true and false positives and negatives of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.record import Record
from rocksteady.columns.pairing import paired

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.ways_out import Column


class _Positions(NamedTuple):
    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    fn: NDArray[np.int64]
    tn: NDArray[np.int64]


class Positions(Record, _Positions):
    """The places of the rows of each outcome of one class against the rest, ascending int64 arrays."""

    __slots__ = ()

    def _columns(self) -> Mapping[str, Column]:
        return {"row": np.concatenate(self), "outcome": np.repeat(self._fields, [len(rows) for rows in self])}


def positions(y_true: ArrayLike, y_pred: ArrayLike, label: object) -> Positions:
    """Which rows are true and false positives and negatives of a class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels, as for `ConfusionMatrix`.
    label : label
        The class.

    Raises
    ------
    rocksteady.InputError
        If a label is missing, or no row has `label` in either column.
    rocksteady.InputTypeError
        For a type or dtype that cannot be used.

    >>> import rocksteady as rs
    >>> rows = rs.ConfusionMatrix.positions(["cat", "dog", "dog", "eel"], ["cat", "cat", "dog", "dog"], "dog")
    >>> rows.tp.tolist(), rows.fp.tolist(), rows.fn.tolist(), rows.tn.tolist()
    ([2], [3], [1], [0])
    """
    paired(y_true, {"y_pred": y_pred})
    return Positions(*_rocksteady.positions(y_true, y_pred, label))

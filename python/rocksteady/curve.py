"""Curves over the thresholds of a score table."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from rocksteady._arguments import string

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rocksteady import _rocksteady


class Curves:
    """What a `rocksteady.ScoreTable` knows at every threshold."""

    __slots__ = ()

    _state: _rocksteady.ScoreState

    @overload
    def every(self, name: str, **parameters: object) -> NDArray[np.float64]: ...
    @overload
    def every(self, name: list[str] | tuple[str, ...], **parameters: object) -> dict[str, NDArray[np.float64]]: ...
    def every(
        self, name: str | list[str] | tuple[str, ...], **parameters: object
    ) -> NDArray[np.float64] | dict[str, NDArray[np.float64]]:
        """A count-based index at each of `thresholds`: float64; NaN, or the index's conventional value, where undefined.

        Parameters
        ----------
        name : str, or list or tuple of str
            An index that is a function of the four counts, or of a two-by-two matrix. Several are a good deal faster together
            than one by one: the counts are read once, in blocks that stay in cache.
        **parameters
            The index's own, such as ``beta=2`` for "fbeta"; for several, parameters that all of them have.

        Returns
        -------
        numpy.ndarray, or dict of str to numpy.ndarray
            Shape ``(len(table) + 1,)``; of several names, the array of each.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).every("recall")
        array([0. , 0.5, 1. , 1. ])
        >>> sorted(rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).every(["f1", "mcc"]))
        ['f1', 'mcc']
        """
        if isinstance(name, (list, tuple)):
            return dict(zip(name, self._state.every(list(name), parameters), strict=True))
        return self._state.every([name], parameters)[0]

    def curve(self, x: str, y: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """One count-based index against another over all `thresholds`: ROC is ("fpr", "tpr"), lift ("rpp", "lift")."""
        return self.every(string(x, "x", "the name of an index")), self.every(string(y, "y", "the name of an index"))

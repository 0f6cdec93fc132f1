"""Everything that can happen to a few rows: all their confusion matrices, all their rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, one_of, wrong_type, wrong_value
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def _size(given: object, argument: str) -> int:
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, np.integer)):
        raise wrong_type(given, argument, "a whole number")
    if not 0 <= given < 2**63:
        raise wrong_value(int(given), argument, "0 to 2**63 - 1")
    return int(given)


class EnumeratedMatrices:
    """All confusion matrices whose classes have given sizes; made by `enumerate_matrices`.

    Attributes
    ----------
    class_sizes : tuple of int
        The rows of each class.
    matrices : array of shape (N, K, K), uint64
        The cells, rows actual.
    multiplicity : array of shape (N,), uint64, or None
        In how many ways the rows can be predicted that give the matrix; None if each matrix counts once.
    """

    __slots__ = ("class_sizes", "matrices", "multiplicity")

    def __init__(
        self, class_sizes: tuple[int, ...], matrices: NDArray[np.uint64], multiplicity: NDArray[np.uint64] | None
    ) -> None:
        self.class_sizes = class_sizes
        self.matrices = matrices
        self.multiplicity = multiplicity

    def __len__(self) -> int:
        """The number of matrices."""
        return len(self.matrices)

    def value(self, name: str, **parameters: object) -> NDArray[np.float64]:
        """An index of each matrix: float64, shape (N,); of two classes the second is the positive one.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no value for a whole matrix.
        """
        return _rocksteady.evaluate_matrices(self.matrices, name, parameters)

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.class_sizes))
        return f"<{len(self)} confusion matrices of classes of {sizes} rows>"


class EnumeratedRankings:
    """All orders of so many positives and negatives; made by `enumerate_rankings`.

    Attributes
    ----------
    positives, negatives : int
        How many there are.
    cut : int
        How many rows of the highest ranks are predicted positive by an index of counts.
    rankings : array of shape (N, positives + negatives), uint8
        1 for a positive, 0 for a negative, the best rank first.
    """

    __slots__ = ("cut", "negatives", "positives", "rankings")

    def __init__(self, positives: int, negatives: int, cut: int, rankings: NDArray[np.uint8]) -> None:
        self.positives = positives
        self.negatives = negatives
        self.cut = cut
        self.rankings = rankings

    def __len__(self) -> int:
        """The number of rankings."""
        return len(self.rankings)

    def value(self, name: str, **parameters: object) -> NDArray[np.float64]:
        """An index of each ranking, float64, shape (N,): of all thresholds, or of the counts at the `cut`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is about probabilities.
        """
        return _rocksteady.evaluate_rankings(self.rankings, self.cut, name, parameters)

    def __repr__(self) -> str:
        return f"<{len(self)} rankings of {self.positives} positives and {self.negatives} negatives, cut at {self.cut}>"


def enumerate_matrices(
    class_sizes: Sequence[int], *, each: Literal["matrix", "outcome"] = "matrix"
) -> EnumeratedMatrices:
    """All confusion matrices whose classes have these sizes, for `consistency` without a sample.

    Parameters
    ----------
    class_sizes : sequence of K int
        The rows of each class, not negative, at least one in all.
    each : {"matrix", "outcome"}
        Whether each matrix counts once, or each way to predict every single row, of which many give the same matrix.

    Returns
    -------
    EnumeratedMatrices
        Of prod_k C(t[k] + K - 1, K - 1) matrices.

    Raises
    ------
    rocksteady.InputError
        For more than 2,000,000 matrices or 200,000,000 cells, and with "outcome" for 2**64 outcomes or more.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.enumerate_matrices([2, 1]).matrices.tolist()
    [[[2, 0], [1, 0]], [[2, 0], [0, 1]], [[1, 1], [1, 0]], [[1, 1], [0, 1]], [[0, 2], [1, 0]], [[0, 2], [0, 1]]]
    >>> rs.enumerate_matrices([2, 1], each="outcome").multiplicity.tolist()
    [1, 1, 2, 2, 1, 1]
    >>> rs.consistency("cen", "mcc", rs.enumerate_matrices([3, 3, 2]))
    <cen against mcc: R=141603, P=1409, Q=491, S=35831, none=366; C=0.79806, D=2.86965>
    """
    one_of(each, "each", ("matrix", "outcome"))
    given = listed(class_sizes, "class_sizes", "a list of whole numbers")
    sizes = [_size(size, f"class_sizes[{place}]") for place, size in enumerate(given)]
    matrices, multiplicity = _rocksteady.enumerate_matrices(sizes, each == "outcome")
    return EnumeratedMatrices(tuple(sizes), matrices, multiplicity)


def enumerate_rankings(positives: int, negatives: int, *, cut: int | None = None) -> EnumeratedRankings:
    """All orders of so many positives and negatives without ties, for `consistency` without a sample.

    Parameters
    ----------
    positives, negatives : int
        How many there are of each.
    cut : int, optional
        How many rows of the highest ranks are predicted positive, for an index of counts. Default: `positives`, which is the
        middle where there are as many of each.

    Returns
    -------
    EnumeratedRankings
        Of C(positives + negatives, positives) rankings.

    Raises
    ------
    rocksteady.InputError
        For more than 2,000,000 rankings or 200,000,000 labels in them, and for a cut below 0 or beyond all rows.

    References
    ----------
    Huang & Ling 2005, doi:10.1109/TKDE.2005.50, who compare AUC with accuracy so.

    Examples
    --------
    >>> import rocksteady as rs
    >>> both = rs.enumerate_rankings(2, 2)
    >>> both.rankings[1], both.value("roc_auc"), both.value("accuracy")
    (array([1, 0, 1, 0], dtype=uint8), array([1.  , 0.75, 0.5 , 0.5 , 0.25, 0.  ]), array([1. , 0.5, 0.5, 0.5, 0.5, 0. ]))
    """
    rows = (_size(positives, "positives"), _size(negatives, "negatives"))
    cut = rows[0] if cut is None else _size(cut, "cut")
    if cut > sum(rows):
        raise InputError(f"cut is {cut}; expected at most {sum(rows)}, the number of rows", argument="cut")
    return EnumeratedRankings(*rows, cut, _rocksteady.enumerate_rankings(*rows))

"""All possible outcomes for a few rows: all confusion matrices, all rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, one_of, wrong_type, wrong_value
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.table import repr_html
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


@dataclass(slots=True, eq=False, repr=False)
class EnumeratedMatrices:
    """All confusion matrices with given class sizes; made by `enumerate_matrices`.

    Attributes
    ----------
    class_sizes : tuple of int
        The number of rows of each class.
    matrices : array of shape (N, K, K), uint64
        The cells: rows are actual classes, columns predicted ones.
    multiplicity : array of shape (N,), uint64, or None
        The number of predictions of all rows that give the matrix; None if each matrix counts once.
    """

    class_sizes: tuple[int, ...]
    matrices: NDArray[np.uint64]
    multiplicity: NDArray[np.uint64] | None

    def __len__(self) -> int:
        """The number of matrices."""
        return len(self.matrices)

    def value(self, name: str, **parameters: object) -> NDArray[np.float64]:
        """An index of each matrix: float64, shape (N,). With two classes, the second is positive.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no value for a whole matrix.
        """
        return _rocksteady.evaluate_matrices(self.matrices, name, parameters_by_class(parameters, self))

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.class_sizes))
        return f"<{len(self)} confusion matrices of classes of {sizes} rows>"

    _repr_html_ = repr_html


@dataclass(slots=True, eq=False, repr=False)
class EnumeratedRankings:
    """All rankings of a given number of positives and negatives; made by `enumerate_rankings`.

    Attributes
    ----------
    positives, negatives : int
        The number of each.
    cut : int
        For an index of counts: the number of highest ranks that are predicted positive.
    rankings : array of shape (N, positives + negatives), uint8
        1 for a positive, 0 for a negative, the highest rank first.
    """

    positives: int
    negatives: int
    cut: int
    rankings: NDArray[np.uint8]

    def __len__(self) -> int:
        """The number of rankings."""
        return len(self.rankings)

    def value(self, name: str, **parameters: object) -> NDArray[np.float64]:
        """An index of each ranking: float64, shape (N,), computed over all thresholds or from the counts at the `cut`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs probabilities.
        """
        return _rocksteady.evaluate_rankings(self.rankings, self.cut, name, parameters_by_class(parameters, self))

    def __repr__(self) -> str:
        return f"<{len(self)} rankings of {self.positives} positives and {self.negatives} negatives, cut at {self.cut}>"

    _repr_html_ = repr_html


def enumerate_matrices(
    class_sizes: Sequence[int], *, each: Literal["matrix", "outcome"] = "matrix"
) -> EnumeratedMatrices:
    """Enumerate all confusion matrices with these class sizes, for `consistency` without a sample.

    Parameters
    ----------
    class_sizes : sequence of K int
        The number of rows of each class, not negative, with a sum of at least 1.
    each : {"matrix", "outcome"}
        "matrix": each matrix counts once. "outcome": each prediction of all rows counts once, and many give the same
        matrix.

    Returns
    -------
    EnumeratedMatrices
        prod_k C(t[k] + K - 1, K - 1) matrices.

    Raises
    ------
    rocksteady.InputError
        If there are more than 2,000,000 matrices or 200,000,000 cells or, with "outcome", at least 2**64 outcomes.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.comparison.enumerate_matrices([2, 1]).matrices.tolist()
    [[[2, 0], [1, 0]], [[2, 0], [0, 1]], [[1, 1], [1, 0]], [[1, 1], [0, 1]], [[0, 2], [1, 0]], [[0, 2], [0, 1]]]
    >>> rs.comparison.enumerate_matrices([2, 1], each="outcome").multiplicity.tolist()
    [1, 1, 2, 2, 1, 1]
    >>> rs.comparison.consistency("cen", "mcc", rs.comparison.enumerate_matrices([3, 3, 2]))
    <cen against mcc: R=141603, P=1409, Q=491, S=35831, none=366; C=0.79806, D=2.86965>
    """
    one_of(each, "each", ("matrix", "outcome"))
    given = listed(class_sizes, "class_sizes", "a list of whole numbers")
    sizes = [_size(size, f"class_sizes[{place}]") for place, size in enumerate(given)]
    matrices, multiplicity = _rocksteady.enumerate_matrices(sizes, each == "outcome")
    return EnumeratedMatrices(tuple(sizes), matrices, multiplicity)


def enumerate_rankings(positives: int, negatives: int, *, cut: int | None = None) -> EnumeratedRankings:
    """Enumerate all rankings of positives and negatives without ties, for `consistency` without a sample.

    Parameters
    ----------
    positives, negatives : int
        The number of each.
    cut : int, optional
        For an index of counts: the number of highest ranks that are predicted positive. Default: `positives`, the
        middle of the ranking if there are as many negatives.

    Returns
    -------
    EnumeratedRankings
        C(positives + negatives, positives) rankings.

    Raises
    ------
    rocksteady.InputError
        If there are more than 2,000,000 rankings or 200,000,000 labels in them, or `cut` is below 0 or above the number
        of rows.

    References
    ----------
    Huang & Ling 2005, doi:10.1109/TKDE.2005.50, compare AUC with accuracy this way.

    Examples
    --------
    >>> import rocksteady as rs
    >>> both = rs.comparison.enumerate_rankings(2, 2)
    >>> both.rankings[1], both.value("roc_auc"), both.value("accuracy")
    (array([1, 0, 1, 0], dtype=uint8), array([1.  , 0.75, 0.5 , 0.5 , 0.25, 0.  ]), array([1. , 0.5, 0.5, 0.5, 0.5, 0. ]))
    """
    rows = (_size(positives, "positives"), _size(negatives, "negatives"))
    cut = rows[0] if cut is None else _size(cut, "cut")
    if cut > sum(rows):
        raise InputError(f"cut is {cut}; expected at most {sum(rows)}, the number of rows", argument="cut")
    return EnumeratedRankings(*rows, cut, _rocksteady.enumerate_rankings(*rows))

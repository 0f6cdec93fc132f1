"""scikit-learn's metrics of how each row ranks its labels; the core measures each row and takes the exact mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._rocksteady import listwise_each, listwise_mean
from rocksteady.base.arguments import wrong_type, wrong_value
from rocksteady.errors import InputError
from rocksteady.metrics._counting import signs
from rocksteady.metrics._drop_in import drop_in, is_sparse
from rocksteady.metrics._warning import warn

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def _dense(y_true: Any) -> Any:
    """Relevance as an array; one of which scipy has no sparse matrix is refused, since scikit-learn makes one of it."""
    if is_sparse(y_true):
        rows = y_true.tocsr().copy()
        rows.data = np.ones_like(rows.data)  # what is stored is relevant
        return (rows.toarray() != 0).astype(np.uint8)
    dtype = getattr(y_true, "dtype", None)
    if not getattr(dtype, "isnative", True) or getattr(dtype, "char", "") == "e":
        raise wrong_type(dtype, "y_true.dtype", "one of which scipy has sparse matrices")
    return y_true


def _mean(
    name: str,
    y_true: Any,
    y_score: Any,
    sample_weight: Any,
    k: int | None = None,
    base: float = 2.0,
    ignore_ties: bool = False,
) -> float:
    """The mean over rows."""
    try:
        answer = listwise_mean(name, y_true, y_score, sample_weight, k, base, ignore_ties)
    except InputError as refusal:
        if signs(sample_weight, refusal) is None:
            raise
        each = listwise_each(name, y_true, y_score, k, base, ignore_ties)
        answer = float(np.average(each, weights=np.asarray(sample_weight, dtype=np.float64)))
    if answer != answer:
        raise InputError("sample_weight adds up to 0; expected weights above 0", argument="sample_weight")
    return answer


def _gain(name: str, y_true: Any, y_score: Any, k: Any, base: Any, sample_weight: Any, ignore_ties: Any) -> float:
    if k is not None and (type(k) is not int or k < 1):
        raise wrong_value(k, "k", "a whole number, 1 or more, or None")
    if type(ignore_ties) is not bool:
        raise wrong_value(ignore_ties, "ignore_ties", "True or False")
    if type(base) not in (int, float) or not 0 < base < np.inf or base == 1:
        raise wrong_value(base, "log_base", "a number above 0 that is not 1")
    return _mean(name, y_true, y_score, sample_weight, k, base, ignore_ties)


def _warn_of_halves(y_true: Any, y_score: Any) -> None:
    """Warns as numpy does in scikit-learn: the value for labels that are left out overflows a half float."""
    if getattr(getattr(y_score, "dtype", None), "char", "") == "e" and (len(y_score) > 1 or not np.any(y_true)):
        warn("overflow encountered in cast", RuntimeWarning)


@drop_in
def coverage_error(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """How far down its ranked labels a row must be read to cover all that are relevant, on average.

    Formula: mean over rows of the number of labels that score at least as high as the lowest relevant one; 0 for a row
    without relevant labels. Source: Schapire & Singer 2000, doi 10.1023/A:1007649029923.

    Parameters
    ----------
    y_true : array-like of shape (n, K)
        Relevance, 0 or 1.
    y_score : array-like of shape (n, K)
        Finite scores.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In [0, K]; the best is the mean number of relevant labels.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import coverage_error
    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    answer = _mean("coverage", y_true, y_score, sample_weight)
    _warn_of_halves(y_true, y_score)
    return answer


@drop_in
def label_ranking_average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """The mean, over rows and their relevant labels, of the share of relevant labels among those ranked as high.

    Formula: (1/n) Σ_i (1/|Y_i|) Σ_{j ∈ Y_i} |{k ∈ Y_i: s_ik >= s_ij}| / |{k: s_ik >= s_ij}|; 1 for a row in which all
    or none are relevant. Source: Schapire & Singer 2000, doi 10.1023/A:1007649029923.

    Parameters
    ----------
    y_true : array-like or sparse matrix of shape (n, K)
        Relevance, 0 or 1.
    y_score : array-like of shape (n, K)
        Finite scores.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In (0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import label_ranking_average_precision_score
    >>> round(label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]), 6)
    0.416667
    """
    if getattr(sample_weight, "ndim", 1) != 1:
        raise wrong_value(getattr(sample_weight, "shape", None), "sample_weight.shape", "(n,)")
    return _mean("average_precision", _dense(y_true), y_score, sample_weight)


@drop_in
def label_ranking_loss(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """The mean share of pairs of a relevant and another label in which the relevant one does not score higher.

    Formula: (1/n) Σ_i |{(j, k): s_ij <= s_ik, j relevant, k not}| / (|Y_i| (K − |Y_i|)); 0 for a row without such
    pairs. Source: Tsoumakas, Katakis & Vlahavas 2010, doi 10.1007/978-0-387-09823-4_34.

    Parameters
    ----------
    y_true : array-like or sparse matrix of shape (n, K)
        Relevance, 0 or 1.
    y_score : array-like of shape (n, K)
        Finite scores.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In [0, 1]; 0 is the best.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import label_ranking_loss
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    return _mean("loss", _dense(y_true), y_score, sample_weight)


@drop_in
def dcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
) -> float:
    """Discounted cumulative gain: relevance summed over the places of each row's ranking, later places counting less.

    Formula: mean over rows of Σ_r y_(r) / log_b(1 + r), r = 1 … k; labels of one score share the mean discount of their
    places. Source: Järvelin & Kekäläinen 2002, doi 10.1145/582415.582418; ties: McSherry & Najork 2008,
    doi 10.1007/978-3-540-78646-7_38.

    Parameters
    ----------
    y_true : array-like of shape (n, K)
        Relevance, any finite numbers.
    y_score : array-like of shape (n, K)
        Finite scores.
    k : int, optional
        Count only the first `k` ranks.
    log_base : float
        The base b of the logarithm.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    ignore_ties : bool
        Rank labels with equal scores one after another, in an unspecified order.

    Returns
    -------
    float
        The mean gain.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import dcg_score
    >>> round(dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 6)
    9.499458
    """
    return _gain("gain", y_true, y_score, k, log_base, sample_weight, ignore_ties)


@drop_in
def ndcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
) -> float:
    """Normalized discounted cumulative gain: the gain of each row's ranking by that of the best one.

    Formula: mean over rows of DCG_k(y, s) / DCG_k(y, y), with log₂; 0 where the best gain is 0. Source: Järvelin &
    Kekäläinen 2002, doi 10.1145/582415.582418; ties: McSherry & Najork 2008, doi 10.1007/978-3-540-78646-7_38.

    Parameters
    ----------
    y_true : array-like of shape (n, K)
        Relevance, finite and not negative; K at least 2.
    y_score : array-like of shape (n, K)
        Finite scores.
    k : int, optional
        Count only the first `k` ranks.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    ignore_ties : bool
        Rank labels with equal scores one after another, in an unspecified order.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import ndcg_score
    >>> round(ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 6)
    0.695694
    """
    return _gain("normalized_gain", y_true, y_score, k, 2.0, sample_weight, ignore_ties)

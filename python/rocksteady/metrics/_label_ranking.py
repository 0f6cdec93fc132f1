"""scikit-learn's metrics of how each row ranks its labels; the core measures each row and takes the exact mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._rocksteady import listwise_mean
from rocksteady.metrics._asking import ask
from rocksteady.metrics._mirror import rankings as mirror

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def _is_native(values: Any) -> bool:
    """Whether an array is of a dtype of which scipy has sparse matrices; of what is no array the mirror finds out."""
    dtype = getattr(values, "dtype", None)
    return dtype is None or (getattr(dtype, "isnative", True) and getattr(dtype, "char", "") != "e")


def _mean(
    name: str,
    y_true: Any,
    y_score: Any,
    sample_weight: Any,
    k: int | None = None,
    base: float = 2.0,
    ignore_ties: bool = False,
) -> float | None:
    """The mean over rows; None where the weights allow none."""
    answer = listwise_mean(name, y_true, y_score, sample_weight, k, base, ignore_ties)
    return answer if answer == answer else None


def _coverage(y_true: Any, y_score: Any, sample_weight: Any) -> float | None:
    answer = _mean("coverage", y_true, y_score, sample_weight)
    if answer is not None:
        mirror.warn_of_halves(y_true, y_score)
    return answer


def _precision(y_true: Any, y_score: Any, sample_weight: Any) -> float | None:
    if not _is_native(y_true) or getattr(sample_weight, "ndim", 1) != 1:
        return None
    return _mean("average_precision", y_true, y_score, sample_weight)


def _loss(y_true: Any, y_score: Any, sample_weight: Any) -> float | None:
    return _mean("loss", y_true, y_score, sample_weight) if _is_native(y_true) else None


def _gain(
    name: str, y_true: Any, y_score: Any, k: Any, base: Any, sample_weight: Any, ignore_ties: Any
) -> float | None:
    if (k is not None and (type(k) is not int or k < 1)) or type(ignore_ties) is not bool:
        return None
    if type(base) not in (int, float) or not 0 < base < np.inf or base == 1:
        return None
    return _mean(name, y_true, y_score, sample_weight, k, base, ignore_ties)


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
    return ask(_coverage, mirror.coverage_error, (y_true, y_score, sample_weight))


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
    return ask(_precision, mirror.label_ranking_average_precision_score, (y_true, y_score, sample_weight))


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
    return ask(_loss, mirror.label_ranking_loss, (y_true, y_score, sample_weight))


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
    return ask(_gain, mirror.dcg_score, ("gain", y_true, y_score, k, log_base, sample_weight, ignore_ties))


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
    return ask(_gain, mirror.ndcg_score, ("normalized_gain", y_true, y_score, k, 2.0, sample_weight, ignore_ties))

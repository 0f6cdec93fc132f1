"""scikit-learn's metrics of how each row orders its own labels; the core measures row by row and takes the exact mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.metrics._parameters import check_parameters, is_sparse
from rocksteady.metrics._validation import (
    check_array,
    check_consistent_length,
    refuse_unsparsable,
    type_of_target,
    warn,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_DIFFERENT_SHAPE = "y_true and y_score have different shape"
_GRADED = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")
_NO_NEGATIVE = (
    "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function "
    "instead."
)


def _relevant(y_true: Any) -> NDArray[np.uint8]:
    """1 where a label is relevant: what is not zero, or is stored in a sparse matrix."""
    if not is_sparse(y_true):
        relevant: NDArray[np.uint8] = np.not_equal(y_true, 0).astype(np.uint8)
        return relevant
    rows = y_true.tocsr()
    flags = np.zeros(rows.shape, dtype=np.uint8)
    flags[np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)), rows.indices] = 1
    return flags


def _warn_of_halves(y_true: Any, y_score: Any) -> None:
    """Warns where numpy does in scikit-learn: what it puts for the labels that are left out is more than a half float can be."""
    dtype = getattr(y_score, "dtype", None)
    if dtype is None:
        first = (
            y_score.iloc[0] if hasattr(y_score, "iloc") else y_score[0] if isinstance(y_score, list | tuple) else None
        )
        dtype = getattr(first, "dtype", None)
    if getattr(dtype, "char", "") == "e" and (len(y_score) > 1 or not np.any(np.asarray(y_true) != 0)):
        warn("overflow encountered in cast", RuntimeWarning)


def _is_native(values: Any) -> bool:
    """Whether an array is of a dtype of which scipy has sparse matrices; of what is no array the slow path finds out."""
    dtype = getattr(values, "dtype", None)
    return dtype is None or (getattr(dtype, "isnative", True) and getattr(dtype, "char", "") != "e")


def _negatable(y_score: NDArray[Any]) -> NDArray[Any]:
    """The scores in the order in which scikit-learn has them, which sorts their negatives: of unsigned ones 0 comes first."""
    if y_score.dtype.kind == "b":
        raise InputTypeError(_NO_NEGATIVE)
    return y_score - y_score.dtype.type(1) if y_score.dtype.kind == "u" else y_score


def _average(values: NDArray[np.float64], weights: Any) -> float:
    return float(np.average(values, weights=weights))


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
    try:
        answer = _rocksteady.listwise_mean("coverage", y_true, y_score, sample_weight, None, 2.0, False)
    except RocksteadyError:
        answer = np.nan
    if answer == answer:
        _warn_of_halves(y_true, y_score)
        return answer
    check_parameters("coverage_error", {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    true, score = check_array(y_true), check_array(y_score)
    check_consistent_length(true, score, sample_weight)
    kind = type_of_target(true, "y_true")
    if kind != "multilabel-indicator":
        raise InputError(f"{kind} format is not supported")
    if true.shape != score.shape:
        raise InputError(_DIFFERENT_SHAPE)
    _warn_of_halves(true, score)
    return _average(_rocksteady.listwise_each("coverage", _relevant(true), score, None, 2.0, False), sample_weight)


def label_ranking_average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """The mean, over rows and their relevant labels, of the share of relevant labels among those ranked as high.

    Formula: (1/n) Σ_i (1/|Y_i|) Σ_{j ∈ Y_i} |{k ∈ Y_i: s_ik >= s_ij}| / |{k: s_ik >= s_ij}|; 1 for a row in which all or
    none are relevant. Source: Schapire & Singer 2000, doi 10.1023/A:1007649029923.

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
    name = "average_precision"
    try:
        answer = _rocksteady.listwise_mean(name, y_true, y_score, sample_weight, None, 2.0, False)
    except RocksteadyError:
        answer = np.nan
    if answer == answer and _is_native(y_true) and getattr(sample_weight, "ndim", 1) == 1:
        return answer
    check_parameters(
        "label_ranking_average_precision_score",
        {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight},
    )
    check_consistent_length(y_true, y_score, sample_weight)
    true = check_array(y_true, ensure_2d=False, accept_sparse=True)
    true = true.tocsr() if is_sparse(true) else true
    score = check_array(y_score, ensure_2d=False)
    if true.shape != score.shape:
        raise InputError(_DIFFERENT_SHAPE)
    kind = type_of_target(true, "y_true")
    if kind != "multilabel-indicator" and not (kind == "binary" and true.ndim == 2):
        raise InputError(f"{kind} format is not supported")
    if not is_sparse(true):
        refuse_unsparsable(true)
    each = _rocksteady.listwise_each(name, _relevant(true), _negatable(score), None, 2.0, False)
    if sample_weight is None:
        return float(each.sum() / len(each))
    weights: Any = np.asarray(sample_weight)
    if weights.ndim > 1:
        raise InputTypeError("only 0-dimensional arrays can be converted to Python scalars")
    return float((each * weights).sum() / np.sum(weights))


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
    try:
        answer = _rocksteady.listwise_mean("loss", y_true, y_score, sample_weight, None, 2.0, False)
    except RocksteadyError:
        answer = np.nan
    if answer == answer and _is_native(y_true):
        return answer
    check_parameters("label_ranking_loss", {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    true = check_array(y_true, ensure_2d=False, accept_sparse=True)
    true = true.tocsr() if is_sparse(true) else true
    score = check_array(y_score, ensure_2d=False)
    check_consistent_length(true, score, sample_weight)
    kind = type_of_target(true, "y_true")
    if kind != "multilabel-indicator":
        raise InputError(f"{kind} format is not supported")
    if true.shape != score.shape:
        raise InputError(_DIFFERENT_SHAPE)
    if not is_sparse(true):
        refuse_unsparsable(true)
    return _average(_rocksteady.listwise_each("loss", _relevant(true), score, None, 2.0, False), sample_weight)


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
        Only the first `k` places count.
    log_base : float
        The base b of the logarithm.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    ignore_ties : bool
        Let labels of one score take places one by one, in an order that is not specified.

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
    arguments = (k, log_base, ignore_ties)
    if (k is None or type(k) is int) and type(log_base) in (int, float) and type(ignore_ties) is bool:
        answer = _mean_gain("gain", y_true, y_score, sample_weight, *arguments)
        if answer == answer:
            return answer
    check_parameters(
        "dcg_score",
        {
            "y_true": y_true,
            "y_score": y_score,
            "k": k,
            "log_base": log_base,
            "sample_weight": sample_weight,
            "ignore_ties": ignore_ties,
        },
    )
    true, score = check_array(y_true, ensure_2d=False), check_array(y_score, ensure_2d=False)
    check_consistent_length(true, score, sample_weight)
    _check_graded(true)
    if log_base == 1:
        warn("divide by zero encountered in divide", RuntimeWarning)
    return _average(_gains("gain", true, score, *arguments), sample_weight)


def ndcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
) -> float:
    """Normalized discounted cumulative gain: the gain of each row's ranking by that of the best one.

    Formula: mean over rows of DCG_k(y, s) / DCG_k(y, y), with log₂; 0 where the best gain is 0. Source: Järvelin & Kekäläinen
    2002, doi 10.1145/582415.582418; ties: McSherry & Najork 2008, doi 10.1007/978-3-540-78646-7_38.

    Parameters
    ----------
    y_true : array-like of shape (n, K)
        Relevance, finite and not negative; K at least 2.
    y_score : array-like of shape (n, K)
        Finite scores.
    k : int, optional
        Only the first `k` places count.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    ignore_ties : bool
        Let labels of one score take places one by one, in an order that is not specified.

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
    if (k is None or type(k) is int) and type(ignore_ties) is bool:
        answer = _mean_gain("normalized_gain", y_true, y_score, sample_weight, k, 2.0, ignore_ties)
        if answer == answer:
            return answer
    check_parameters(
        "ndcg_score",
        {"y_true": y_true, "y_score": y_score, "k": k, "sample_weight": sample_weight, "ignore_ties": ignore_ties},
    )
    true, score = check_array(y_true, ensure_2d=False), check_array(y_score, ensure_2d=False)
    check_consistent_length(true, score, sample_weight)
    if true.min() < 0:
        raise InputError("ndcg_score should not be used on negative y_true values.")
    if true.ndim > 1 and true.shape[1] <= 1:
        raise InputError(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {true.shape[1]} instead."
        )
    _check_graded(true)
    return _average(_gains("normalized_gain", true, score, k, 2.0, ignore_ties), sample_weight)


def _mean_gain(
    name: str, y_true: Any, y_score: Any, sample_weight: Any, k: int | None, base: float, ignore_ties: bool
) -> float:
    """The mean gain; NaN where the arguments have to be looked at."""
    if (k is not None and k < 1) or not 0 < base < np.inf or base == 1:
        return np.nan
    try:
        return _rocksteady.listwise_mean(name, y_true, y_score, sample_weight, k, base, ignore_ties)
    except (RocksteadyError, OverflowError):
        return np.nan


def _check_graded(y_true: NDArray[Any]) -> None:
    kind = type_of_target(y_true, "y_true")
    if kind not in _GRADED:
        raise InputError(f"Only {_GRADED} formats are supported. Got {kind} instead")


def _gains(
    name: str, y_true: NDArray[Any], y_score: NDArray[Any], k: Any, base: Any, ignore_ties: Any
) -> NDArray[np.float64]:
    if y_true.shape != y_score.shape:
        raise InputError(_DIFFERENT_SHAPE)
    first = None if k is None else min(int(k), y_true.shape[1])
    score = y_score if ignore_ties else _negatable(y_score)
    return _rocksteady.listwise_each(name, y_true, score, first, float(base), bool(ignore_ties))

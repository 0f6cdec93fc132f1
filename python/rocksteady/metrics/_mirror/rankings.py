"""Mirrors of the metrics of labels that each row orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._rocksteady import listwise_each
from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics._parameters import check_parameters, is_sparse
from rocksteady.metrics._validation import (
    as_numbers,
    check_array,
    check_consistent_length,
    refuse_unsparsable,
    type_of_target,
    warn,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIFFERENT_SHAPE = "y_true and y_score have different shape"
_GRADED = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")
_NO_NEGATIVE = (
    "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function "
    "instead."
)


def coverage_error(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    check_parameters("coverage_error", locals())
    true, score = check_array(y_true), check_array(y_score)
    check_consistent_length(true, score, sample_weight)
    _check_indicator(type_of_target(true, "y_true"), ("multilabel-indicator",))
    _check_shape(true, score)
    warn_of_halves(true, score)
    return _average(listwise_each("coverage", _relevant(true), score, None, 2.0, False), sample_weight)


def label_ranking_average_precision_score(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    check_parameters("label_ranking_average_precision_score", locals())
    check_consistent_length(y_true, y_score, sample_weight)
    true, score = _target(y_true), check_array(y_score, ensure_2d=False)
    _check_shape(true, score)
    flat = () if true.ndim == 1 else ("binary",)
    _check_indicator(type_of_target(true, "y_true"), ("multilabel-indicator", *flat))
    if not is_sparse(true):
        refuse_unsparsable(true)
    each = listwise_each("average_precision", _relevant(true), _negatable(score), None, 2.0, False)
    if sample_weight is None:
        return float(each.sum() / len(each))
    weights: Any = as_numbers(np.asarray(sample_weight))
    if weights.dtype.kind == "f":
        weights = weights.astype(np.float64)
    if weights.ndim > 1:
        raise InputTypeError("only 0-dimensional arrays can be converted to Python scalars")
    return float((each * weights).sum() / np.sum(weights))


def label_ranking_loss(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    check_parameters("label_ranking_loss", locals())
    true, score = _target(y_true), check_array(y_score, ensure_2d=False)
    check_consistent_length(true, score, sample_weight)
    _check_indicator(type_of_target(true, "y_true"), ("multilabel-indicator",))
    _check_shape(true, score)
    if not is_sparse(true):
        refuse_unsparsable(true)
    return _average(listwise_each("loss", _relevant(true), score, None, 2.0, False), sample_weight)


def dcg_score(
    name: str, y_true: Any, y_score: Any, k: Any, log_base: Any, sample_weight: Any, ignore_ties: Any
) -> float:
    check_parameters("dcg_score", locals())
    true, score = check_array(y_true, ensure_2d=False), check_array(y_score, ensure_2d=False)
    check_consistent_length(true, score, sample_weight)
    _check_graded(true)
    if log_base == 1:
        warn("divide by zero encountered in divide", RuntimeWarning)
    return _mean_gain(name, true, score, k, log_base, sample_weight, ignore_ties)


def ndcg_score(
    name: str, y_true: Any, y_score: Any, k: Any, log_base: float, sample_weight: Any, ignore_ties: Any
) -> float:
    check_parameters("ndcg_score", locals())
    true, score = check_array(y_true, ensure_2d=False), check_array(y_score, ensure_2d=False)
    check_consistent_length(true, score, sample_weight)
    if true.min() < 0:
        raise InputError("ndcg_score should not be used on negative y_true values.")
    if true.ndim > 1 and true.shape[1] <= 1:
        raise InputError(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {true.shape[1]} instead."
        )
    _check_graded(true)
    return _mean_gain(name, true, score, k, log_base, sample_weight, ignore_ties)


def warn_of_halves(y_true: Any, y_score: Any) -> None:
    """Warns as numpy does in scikit-learn: the value for labels that are left out overflows a half float."""
    dtype = getattr(y_score, "dtype", None)
    if dtype is None:
        first = (
            y_score.iloc[0] if hasattr(y_score, "iloc") else y_score[0] if isinstance(y_score, list | tuple) else None
        )
        dtype = getattr(first, "dtype", None)
    if getattr(dtype, "char", "") == "e" and (len(y_score) > 1 or not np.any(np.asarray(y_true) != 0)):
        warn("overflow encountered in cast", RuntimeWarning)


def _target(y_true: Any) -> Any:
    true = check_array(y_true, ensure_2d=False, accept_sparse=True)
    return true.tocsr() if is_sparse(true) else true


def _check_indicator(kind: str, kinds: tuple[str, ...]) -> None:
    if kind not in kinds:
        raise InputError(f"{kind} format is not supported")


def _check_shape(true: Any, score: NDArray[Any]) -> None:
    if true.shape != score.shape:
        raise InputError(_DIFFERENT_SHAPE)


def _check_graded(y_true: NDArray[Any]) -> None:
    kind = type_of_target(y_true, "y_true")
    if kind not in _GRADED:
        raise InputError(f"Only {_GRADED} formats are supported. Got {kind} instead")


def _relevant(y_true: Any) -> NDArray[np.uint8]:
    """1 where a label is relevant: what is not zero, or is stored in a sparse matrix."""
    if not is_sparse(y_true):
        relevant: NDArray[np.uint8] = np.not_equal(y_true, 0).astype(np.uint8)
        return relevant
    rows = y_true.tocsr()
    flags = np.zeros(rows.shape, dtype=np.uint8)
    flags[np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)), rows.indices] = 1
    return flags


def _negatable(y_score: NDArray[Any]) -> NDArray[Any]:
    """Scores that rank as in scikit-learn, which sorts their negatives: among unsigned scores 0 ranks first."""
    if y_score.dtype.kind == "b":
        raise InputTypeError(_NO_NEGATIVE)
    if y_score.dtype.kind in "MO":
        np.negative(y_score)  # numpy refuses dates
    return y_score - y_score.dtype.type(1) if y_score.dtype.kind == "u" else y_score


def _average(values: NDArray[np.float64], weights: Any) -> float:
    return float(np.average(values, weights=None if weights is None else as_numbers(np.asarray(weights))))


def _mean_gain(
    name: str, y_true: NDArray[Any], y_score: NDArray[Any], k: Any, base: Any, weights: Any, ignore_ties: Any
) -> float:
    score = y_score if ignore_ties else _negatable(y_score)
    _check_shape(y_true, y_score)
    first = None if k is None else min(int(k), y_true.shape[1])
    return _average(listwise_each(name, y_true, score, first, float(base), bool(ignore_ties)), weights)

"""scikit-learn's curves over thresholds, each made from one score table in the core."""

from __future__ import annotations

import functools
import inspect
import sys
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from rocksteady import _rocksteady
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.metrics import _signed
from rocksteady.metrics._parameters import check_parameters
from rocksteady.metrics._signed import NO_POSITIVE, is_signed
from rocksteady.metrics._validation import (
    as_numbers,
    assert_all_finite,
    check_consistent_length,
    check_pos_label_consistency,
    check_sample_weight,
    column_or_1d,
    no_weight,
    refuse_bytes,
    type_of_target,
    warn,
    warn_undefined,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    _Reals = NDArray[np.float64]

_Parameters = ParamSpec("_Parameters")
_Answer = TypeVar("_Answer")

#: What the core leaves to check: nothing, whether text was bytes, everything.
TEXT = 1
UNSURE = 2

_TWO = 2

_ONE_CLASS = "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."


class EmptyInputError(InputError, IndexError):
    """No rows: scikit-learn looks for the last threshold, and there is none."""


# Arguments -----------------------------------------------------------------------------------------------------------


def sorted_arguments(
    y_true: Any, y_score: Any, sample_weight: Any
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Raises what scikit-learn raises before it sorts scores, or returns plain columns."""
    check_consistent_length(y_true, y_score, sample_weight)
    true, score = column_or_1d(y_true), column_or_1d(y_score)
    assert_all_finite(true)
    assert_all_finite(score)
    if score.dtype.kind in "SU":
        raise InputTypeError(f"y_score is an array of dtype {score.dtype}; expected an array of real numbers")
    weights = None
    if sample_weight is not None:
        weights = check_sample_weight(column_or_1d(sample_weight), true, force_float=True)
    if score.dtype == object:
        try:
            np.argsort(score, kind="stable")
        except TypeError as error:
            raise InputTypeError(str(error)) from None
    if len(true) == 0:
        raise EmptyInputError("Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required.")
    return true, score, weights


def binary_arguments(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Raises what scikit-learn raises for labels of which one is positive; or returns plain columns, that label as 1."""
    kind = type_of_target(y_true, "y_true")
    if kind != "binary" and not (kind == "multiclass" and pos_label is not None):
        raise InputError(f"{kind} format is not supported")
    pos_label = check_pos_label_consistency(pos_label, y_true)
    true = np.asarray(np.asarray(y_true) == pos_label, dtype=np.int32)
    return sorted_arguments(true, y_score, sample_weight)


def _in_type_of(scores: Any, thresholds: NDArray[Any]) -> NDArray[Any]:
    """The thresholds in the dtype that numpy makes of the scores: of their byte order, of a list of its own scalars."""
    dtype = getattr(scores, "dtype", None)
    if isinstance(dtype, np.dtype):
        return thresholds if dtype == thresholds.dtype or dtype.kind not in "biufO" else thresholds.astype(dtype)
    if dtype is None and isinstance(scores, list | tuple) and len(scores) and isinstance(scores[0], np.generic):
        return thresholds.astype(np.asarray(scores).dtype)
    if dtype is not None and hasattr(scores, "iloc"):
        # What is nullable becomes float64, and so does what is categorical, unless its categories are numbers.
        own = getattr(getattr(dtype, "categories", None), "dtype", None)
        return thresholds.astype(own if getattr(own, "kind", "") in {"i", "u", "f"} else np.float64)
    return thresholds


def _is_flag(value: object) -> bool:
    return value is True or value is False or isinstance(value, np.bool_)


def _positional_for_now(version: str) -> Callable[[Callable[_Parameters, _Answer]], Callable[_Parameters, _Answer]]:
    """Takes keyword-only arguments by position too, with the warning that scikit-learn gives until `version`."""

    def decorated(function: Callable[_Parameters, _Answer]) -> Callable[_Parameters, _Answer]:
        parameters = inspect.signature(function).parameters
        keyword_only = [name for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY]
        positions = len(parameters) - len(keyword_only)

        @functools.wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            extra = len(args) - positions
            if extra > 0:
                named = zip(keyword_only[:extra], args[-extra:], strict=False)
                warn(
                    f"Pass {', '.join(f'{name}={value}' for name, value in named)} as keyword args. From version "
                    f"{version} passing these as positional arguments will result in an error",
                    FutureWarning,
                )
                kwargs.update(zip(parameters, args, strict=False))
                return function(**kwargs)  # type: ignore[call-arg]
            return function(*args, **kwargs)

        return inner

    return decorated


# Functions -----------------------------------------------------------------------------------------------------------


def auc(x: ArrayLike, y: ArrayLike) -> float:
    """The area under a curve by the trapezoidal rule.

    Formula: Σ_i (x_{i+1} − x_i) (y_i + y_{i+1}) / 2, negated where x decreases. Source: for ROC curves Bradley
    1997, doi 10.1016/S0031-3203(96)00142-2.

    Parameters
    ----------
    x : array-like of shape (n,)
        Ascending or descending; two points or more.
    y : array-like of shape (n,)
        Heights.

    Returns
    -------
    float
        The area.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import auc
    >>> auc([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    0.75
    """
    check_parameters("auc", {"x": x, "y": y})
    check_consistent_length(x, y)
    across, heights = column_or_1d(x), column_or_1d(y)
    return _signed.area(across, heights)


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[_Reals, _Reals, _Reals]:
    """The receiver operating characteristic: false and true positive rate at every threshold.

    Formula: FPR = FP / (FP + TN), TPR = TP / (TP + FN), predicting positive at ``score >= threshold``.
    Source: Fawcett 2006, doi 10.1016/j.patrec.2005.10.010.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels; {0, 1} or {-1, 1} unless `pos_label` is given.
    y_score : array-like of shape (n,)
        Finite scores.
    pos_label : label, optional
        The positive class; every other label is negative.
    sample_weight : array-like of shape (n,), optional
        Finite weights; rows of weight 0 are left out.
    drop_intermediate : bool
        Leave out points on a straight line between their neighbours.

    Returns
    -------
    fpr, tpr, thresholds : ndarray of shape (m,), float64
        Entry i: rates at ``score >= thresholds[i]``; the first threshold is infinity.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import roc_curve
    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), tpr.tolist(), thresholds.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1])
    """
    if not _is_flag(drop_intermediate):
        _check_curve("roc_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
    drop = bool(drop_intermediate)
    try:
        points, (positives, negatives), status = _rocksteady.roc_curve(y_true, y_score, pos_label, sample_weight, drop)
    except RocksteadyError:
        status = UNSURE
    if status == TEXT and isinstance(pos_label, str):
        refuse_bytes(y_true)
    elif status:
        _check_curve("roc_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
        true, score, weights = binary_arguments(y_true, y_score, pos_label, sample_weight)
        if is_signed(weights):
            return _signed.roc_curve(true, as_numbers(score), weights, drop)
        points, (positives, negatives), _ = _rocksteady.roc_curve(true, as_numbers(score), 1, weights, drop)
    if positives == 0 or negatives == 0:
        if positives == negatives:
            no_weight()
        if negatives == 0:
            warn_undefined("No negative samples in y_true, false positive value should be meaningless")
        if positives == 0:
            warn_undefined("No positive samples in y_true, true positive value should be meaningless")
    return points


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[_Reals, _Reals, NDArray[Any]]:
    """Precision and recall at every threshold, from the lowest to the highest, and the point (1, 0) at the end.

    Formula: precision = TP / (TP + FP), recall = TP / (TP + FN), predicting positive at ``score >= threshold``.
    Source: Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, section 8.4.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels; {0, 1} or {-1, 1} unless `pos_label` is given.
    y_score : array-like of shape (n,)
        Finite scores.
    pos_label : label, optional
        The positive class; every other label is negative.
    sample_weight : array-like of shape (n,), optional
        Finite weights; rows of weight 0 are left out.
    drop_intermediate : bool
        Leave out points at which the number of true positives is that of both neighbours.

    Returns
    -------
    precision, recall : ndarray of shape (m + 1,), float64
        Entry i: at ``score >= thresholds[i]``; the last entries are 1 and 0. Recall is 1 where there are no positives.
    thresholds : ndarray of shape (m,)
        Ascending, in the type of the scores.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import precision_recall_curve
    >>> precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision.round(6).tolist(), recall.tolist(), thresholds.tolist()
    ([0.5, 0.666667, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.5, 0.0], [0.1, 0.35, 0.4, 0.8])
    """
    if not _is_flag(drop_intermediate):
        _check_curve("precision_recall_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
    drop = bool(drop_intermediate)
    make = _rocksteady.precision_recall_curve
    try:
        points, positives, status = make(y_true, y_score, pos_label, sample_weight, drop)
    except RocksteadyError:
        status = UNSURE
    if status == TEXT and isinstance(pos_label, str):
        refuse_bytes(y_true)
    elif status:
        _check_curve("precision_recall_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
        true, score, weights = binary_arguments(y_true, y_score, pos_label, sample_weight)
        if is_signed(weights):
            precision, recall, thresholds = _signed.precision_recall_curve(true, as_numbers(score), weights, drop)
            return precision, recall, _in_type_of(y_score, thresholds)
        points, positives, _ = make(true, as_numbers(score), 1, weights, drop)
    precision, recall, thresholds = points
    if positives == 0:
        if len(thresholds) == 0:
            no_weight()
        warn(NO_POSITIVE)
    return precision, recall, _in_type_of(y_score, thresholds)


def det_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[_Reals, _Reals, _Reals]:
    """The detection error tradeoff: false positive and false negative rate at every threshold, from the lowest to the highest.

    Formula: FPR = FP / (FP + TN), FNR = FN / (TP + FN), predicting positive at ``score >= threshold``. The curve begins
    where the last positive is found and ends where the first false positive comes in. Source: Martin et al. 1997,
    doi 10.21437/Eurospeech.1997-504.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two kinds of labels; {0, 1} or {-1, 1} unless `pos_label` is given.
    y_score : array-like of shape (n,)
        Finite scores.
    pos_label : label, optional
        The positive class.
    sample_weight : array-like of shape (n,), optional
        Finite weights; rows of weight 0 are left out.
    drop_intermediate : bool
        Leave out points at which the number of true positives is that of both neighbours.

    Returns
    -------
    fpr, fnr, thresholds : ndarray of shape (m,), float64
        Entry i: rates at ``score >= thresholds[i]``.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import det_curve
    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), fnr.tolist(), thresholds.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.35, 0.4, 0.8])
    """
    if not _is_flag(drop_intermediate):
        _check_curve("det_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
    drop = bool(drop_intermediate)
    make = _rocksteady.det_curve
    try:
        points, (positives, negatives), both, status = make(y_true, y_score, pos_label, sample_weight, drop)
    except RocksteadyError:
        status = UNSURE
    if status == TEXT and isinstance(pos_label, str):
        refuse_bytes(y_true)
    elif status:
        _check_curve("det_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
        true, score, weights = binary_arguments(y_true, y_score, pos_label, sample_weight)
        both = len(np.unique(np.asarray(y_true))) == 2
        if is_signed(weights):
            if not both:
                raise InputError(_ONE_CLASS)
            return _signed.det_curve(true, as_numbers(score), weights, drop)
        points, (positives, negatives), _, _ = make(true, as_numbers(score), 1, weights, drop)
    if positives == 0 and negatives == 0:
        no_weight()
    if not both or (pos_label is not None and len(np.unique(np.asarray(y_true))) != _TWO):
        raise InputError(_ONE_CLASS)
    if negatives == 0:
        warn("invalid value encountered in divide", RuntimeWarning)
    if positives == 0:
        warn("invalid value encountered in divide", RuntimeWarning)
    return points


@_positional_for_now("1.11")
def confusion_matrix_at_thresholds(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
) -> tuple[_Reals, _Reals, _Reals, _Reals, NDArray[Any]]:
    """The four counts at every threshold, from the highest to the lowest.

    Formula: TP(t) = Σ w [positive and score >= t], and so on. Source: Fawcett 2006, doi 10.1016/j.patrec.2005.10.010.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels; {0, 1} or {-1, 1} unless `pos_label` is given.
    y_score : array-like of shape (n,)
        Finite scores.
    pos_label : label, optional
        The positive class; every other label is negative.
    sample_weight : array-like of shape (n,), optional
        Finite weights; rows of weight 0 are left out.

    Returns
    -------
    tns, fps, fns, tps : ndarray of shape (m,), float64
        True negatives, false positives, false negatives, true positives at ``score >= thresholds[i]``.
    thresholds : ndarray of shape (m,)
        The distinct scores, descending, in their own type.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import confusion_matrix_at_thresholds
    >>> tns, fps, fns, tps, thresholds = confusion_matrix_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> tns.tolist(), fps.tolist(), fns.tolist(), tps.tolist()
    ([2.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 2.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 2.0, 2.0])
    """
    make = _rocksteady.threshold_counts
    try:
        counts, status = make(y_true, y_score, pos_label, sample_weight)
    except RocksteadyError:
        status = UNSURE
    if status == TEXT and isinstance(pos_label, str):
        refuse_bytes(y_true)
    elif status:
        _check_curve("confusion_matrix_at_thresholds", y_true, y_score, pos_label, sample_weight, None)
        true, score, weights = binary_arguments(y_true, y_score, pos_label, sample_weight)
        if is_signed(weights):
            fps, tps, thresholds = _signed.threshold_counts(true, as_numbers(score), weights)
            return fps[-1] - fps, fps, tps[-1] - tps, tps, _in_type_of(y_score, thresholds)
        counts, _ = make(true, as_numbers(score), 1, weights)
    tns, fps, fns, tps, thresholds = counts
    if len(thresholds) == 0:
        no_weight()
    return tns, fps, fns, tps, _in_type_of(y_score, thresholds)


def _check_curve(
    function: str, y_true: object, y_score: object, pos_label: object, sample_weight: object, drop: object
) -> None:
    arguments = {"y_true": y_true, "y_score": y_score, "pos_label": pos_label, "sample_weight": sample_weight}
    check_parameters(function, {**arguments, "drop_intermediate": drop})


# A metric at every threshold -----------------------------------------------------------------------------------------

#: Our metrics of two classes that are an index of the registry.
_INDICES = {
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "cohen_kappa_score": "kappa",
    "f1_score": "f1",
    "fbeta_score": "fbeta",
    "hamming_loss": "error_rate",
    "jaccard_score": "jaccard",
    "matthews_corrcoef": "mcc",
    "precision_score": "precision",
    "recall_score": "recall",
    "zero_one_loss": "error_rate",
}
_SET_WISE = ("f1", "fbeta", "jaccard", "precision", "recall")


def _index_of(metric_func: Any, parameters: dict[str, Any]) -> tuple[str, dict[str, float], bool] | None:
    """The index that a metric of ours is with these parameters, the index's own, and whether 0 is the positive label."""
    function = getattr(metric_func, "__name__", "")
    name = _INDICES.get(function)
    if name is None or getattr(sys.modules["rocksteady.metrics"], function, None) is not metric_func:
        return None
    own: dict[str, float] = {}
    turned = False
    for option, value in parameters.items():
        if option == "pos_label" and name in _SET_WISE and type(value) in (int, bool) and value in (0, 1):
            turned = value == 0
        elif option == "average" and name in _SET_WISE and isinstance(value, str) and value == "binary":
            pass
        elif option == "zero_division" and name in _SET_WISE and type(value) in (str, int, float):
            if not (value in ("warn", 0, 1) or (value != value and name != "jaccard")):
                return None
        elif option == "beta" and name == "fbeta" and type(value) in (int, float) and 0 < value < 1e6:
            own["beta"] = value
        elif option == "normalize" and function in ("accuracy_score", "zero_one_loss") and value is True:
            pass
        elif option == "adjusted" and name.endswith("balanced_accuracy") and type(value) is bool:
            name = "adjusted_balanced_accuracy" if value else name
        else:
            return None
    return None if name == "fbeta" and not own else (name, own, turned)


def metric_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric_func: Callable[..., Any],
    *,
    sample_weight: ArrayLike | None = None,
    metric_params: dict[str, Any] | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """A metric of predicted labels at every threshold, from the highest to the lowest.

    Rows are predicted 1 at ``score >= threshold``, else 0. A metric of this package that is a formula over the four counts
    (`f1_score`, `accuracy_score`, `matthews_corrcoef`, …) is read from one score table; anything else is called
    once a threshold. Formula: metric(y, [score >= t]) for every distinct score t; its source is the metric's.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels, handed to `metric_func` as they are.
    y_score : array-like of shape (n,)
        Finite scores.
    metric_func : callable
        ``metric_func(y_true, y_pred, **metric_params)``, with ``sample_weight=`` where weights are given.
    sample_weight : array-like of shape (n,), optional
        Finite weights; rows of weight 0 are left out.
    metric_params : dict, optional
        Further arguments of `metric_func`.

    Returns
    -------
    values : ndarray of shape (m, …)
        What `metric_func` gives at each threshold.
    thresholds : ndarray of shape (m,)
        The distinct scores, descending, in their own type.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and whatever `metric_func` raises.

    Examples
    --------
    >>> from rocksteady.metrics import accuracy_score, metric_at_thresholds
    >>> metric_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], accuracy_score)
    (array([0.75, 0.5 , 0.75, 0.5 ]), array([0.8 , 0.4 , 0.35, 0.1 ]))
    """
    if metric_params is None:
        metric_params = {}
    index = _index_of(metric_func, metric_params) if isinstance(metric_params, dict) else None
    found = None
    if index is not None:
        try:
            found = _rocksteady.index_at_thresholds(y_true, y_score, sample_weight, *index)
        except RocksteadyError:
            found = None
    if found is not None:
        values, thresholds, undefined = found
        thresholds = _in_type_of(y_score, thresholds)
        if not undefined:
            return values, thresholds
    check_parameters(
        "metric_at_thresholds",
        {
            "y_true": y_true,
            "y_score": y_score,
            "metric_func": metric_func,
            "sample_weight": sample_weight,
            "metric_params": metric_params,
        },
    )
    true, score, weights = sorted_arguments(y_true, y_score, sample_weight)
    if weights is not None:
        kept = weights != 0
        true, score, weights = true[kept], score[kept], weights[kept]
    # Descending, rows of one score in their order.
    order = (len(score) - 1 - np.argsort(score[::-1], kind="stable"))[::-1]
    true, score = true[order], score[order]
    if weights is not None:
        metric_params = {**metric_params, "sample_weight": weights[order]}

    def at(threshold: Any) -> Any:
        return metric_func(true, (score >= threshold).astype(np.int32), **metric_params)

    if found is not None:
        # Where the formula is undefined, the metric itself says what stands there, and warns.
        for place in undefined:
            values[place] = at(thresholds[place])
        return values, thresholds
    thresholds = score[np.append(np.nonzero(np.diff(score))[0], len(score) - 1)]
    return np.asarray([at(threshold) for threshold in thresholds]), thresholds

"""scikit-learn's curves over thresholds, each made from one score table in the core."""

from __future__ import annotations

import functools
import inspect
import sys
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import mapping, wrong_type
from rocksteady.errors import InputError
from rocksteady.metrics._areas import NO_POSITIVE, signed_totals, trapezoids, unanswered, warn_of_totals
from rocksteady.metrics._drop_in import as_doubles, drop_in
from rocksteady.metrics._warning import warn, warn_of_division

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    _Reals = NDArray[np.float64]

_Parameters = ParamSpec("_Parameters")
_Answer = TypeVar("_Answer")

_ONE_CLASS = "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."


def _cast(thresholds: NDArray[Any], dtype: np.dtype[Any], scores: Any) -> NDArray[Any]:
    """The thresholds in the dtype of the scores, but doubles where scores that are no floats were read as doubles."""
    read = dtype.hasobject and thresholds.dtype.kind == "f"
    others = read and not all(isinstance(score, float) for score in np.asarray(scores, dtype=object).flat)
    return thresholds if others else thresholds.astype(dtype)


def _in_type_of(scores: Any, thresholds: NDArray[Any]) -> NDArray[Any]:
    """The thresholds in the dtype that numpy makes of the scores: of their byte order, of a list of its own scalars."""
    dtype = getattr(scores, "dtype", None)
    if isinstance(dtype, np.dtype):
        plain = dtype == thresholds.dtype or dtype.kind not in "biufO"
        return thresholds if plain else _cast(thresholds, dtype, scores)
    if dtype is None and hasattr(scores, "iloc"):
        return thresholds.astype(np.asarray(scores).dtype)  # a frame of one column
    if isinstance(scores, list | tuple) and len(scores):
        # Integers of more than 64 bits are objects.
        own = np.asarray(scores).dtype if isinstance(scores[0], np.generic) or np.max(thresholds) >= 2.0**63 else None
        return thresholds if own is None else _cast(thresholds, own, scores)
    if hasattr(scores, "iloc") or hasattr(dtype, "na_value"):
        # What is nullable becomes float64, and so does what is categorical, unless its categories are numbers.
        own = getattr(getattr(dtype, "categories", None), "dtype", None)
        return thresholds.astype(own if getattr(own, "kind", "") in {"i", "u", "f"} else np.float64)
    return thresholds


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


def _swept(curve: str, y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, *options: bool) -> Any:
    """A curve of the core, by its name there; of weights of either sign, from their totals."""
    try:
        found = getattr(_rocksteady, curve)(y_true, y_score, pos_label, sample_weight, *options)
    except InputError as refusal:
        return getattr(signed_totals(y_true, y_score, pos_label, sample_weight, refusal), curve)(*options)
    if found is None:
        raise unanswered()
    return found


# Curves --------------------------------------------------------------------------------------------------------------


@drop_in
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
    across, heights = np.asarray(x), np.asarray(y)
    if across.ndim != 1 or across.shape != heights.shape or not {across.dtype.kind, heights.dtype.kind} <= set("biuf"):
        raise InputError("x and y are not two columns of numbers of one length", argument="x")
    if not (np.isfinite(across).all() and np.isfinite(heights).all()):
        raise InputError("x or y is not finite; expected finite numbers", argument="x")
    return trapezoids(across, heights)


@drop_in
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
    points: tuple[_Reals, _Reals, _Reals]
    points, totals = _swept("roc_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
    warn_of_totals(*totals)
    return points


@drop_in
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
        Leave out points with the same number of true positives as both neighbours.

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
    columns = (y_true, y_score, pos_label, sample_weight)
    points, positives = _swept("precision_recall_curve", *columns, drop_intermediate)
    if positives == 0:
        warn(NO_POSITIVE)
    precision, recall, thresholds = points
    return precision, recall, _in_type_of(y_score, thresholds)


@drop_in
def det_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[_Reals, _Reals, _Reals]:
    """The detection error tradeoff: false positive and false negative rate at each threshold, in ascending order.

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
        Leave out points with the same number of true positives as both neighbours.

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
    points: tuple[_Reals, _Reals, _Reals]
    points, totals, *both = _swept("det_curve", y_true, y_score, pos_label, sample_weight, drop_intermediate)
    if (pos_label is not None or both != [True]) and len(np.unique(np.asarray(y_true))) != 2:
        raise InputError(_ONE_CLASS)
    for rates in points[:2] if 0 in totals else ():
        warn_of_division(rates)
    return points


@drop_in
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
    *counts, thresholds = _swept("threshold_counts", y_true, y_score, pos_label, sample_weight)
    return (*counts, _in_type_of(y_score, thresholds))


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
    """The index that equals a metric of ours with these parameters, its own parameters, and whether 0 is positive."""
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


def _index_at_thresholds(
    y_true: Any, y_score: Any, metric_func: Any, sample_weight: Any, metric_params: Any
) -> tuple[Any, NDArray[Any], list[int]] | None:
    """The values, the thresholds, and where the formula is undefined; None unless the metric is an index."""
    options = {} if metric_params is None else metric_params
    index = _index_of(metric_func, options) if isinstance(options, dict) else None
    return None if index is None else _rocksteady.index_at_thresholds(y_true, y_score, sample_weight, *index)


def _metric_at(
    y_true: Any, y_score: Any, metric_func: Any, sample_weight: Any, metric_params: Any
) -> tuple[Callable[[Any], Any], NDArray[Any]]:
    """The metric as a function of the threshold, and the scores from the highest to the lowest."""
    if not callable(metric_func):
        raise wrong_type(metric_func, "metric_func", "a function")
    true, score = np.asarray(y_true), as_doubles(np.asarray(y_score))
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    shapes = {column.shape for column in (true, score, weights) if column is not None}
    if len(shapes) > 1 or true.ndim != 1 or not true.size or score.dtype.kind not in "biuf":
        raise InputError("y_true, y_score and sample_weight are not columns of one length", argument="y_score")
    floats = [column for column in (true, score, weights) if column is not None and column.dtype.kind == "f"]
    if not all(np.isfinite(column).all() for column in floats):
        raise InputError("y_true, y_score or sample_weight is not finite; expected finite numbers", argument="y_score")
    options = mapping(metric_params, "metric_params", "a dict")
    if weights is not None:
        kept = weights != 0
        if not kept.any():
            raise InputError("sample_weight is 0 in all rows; expected a weight above 0", argument="sample_weight")
        true, score, weights = true[kept], score[kept], weights[kept]
    # Descending, rows of one score in their order.
    order = (len(score) - 1 - np.argsort(score[::-1], kind="stable"))[::-1]
    true, score = true[order], score[order]
    if weights is not None:
        options = {**options, "sample_weight": weights[order]}
    return lambda threshold: metric_func(true, (score >= threshold).astype(np.int32), **options), score


@drop_in
def metric_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric_func: Callable[..., Any],
    *,
    sample_weight: ArrayLike | None = None,
    metric_params: dict[str, Any] | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """A metric of predicted labels at every threshold, from the highest to the lowest.

    Rows are predicted 1 at ``score >= threshold``, else 0. A metric of this package that is a formula over the four
    counts (`f1_score`, `accuracy_score`, `matthews_corrcoef`, …) is read from one score table; anything else is called
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
    arguments = (y_true, y_score, metric_func, sample_weight, metric_params)
    found = _index_at_thresholds(*arguments)
    if found is None:
        at, scores = _metric_at(*arguments)
        thresholds = scores[np.append(np.nonzero(np.diff(scores))[0], len(scores) - 1)]
        return np.asarray([at(threshold) for threshold in thresholds]), _in_type_of(y_score, thresholds)
    values, thresholds, undefined = found
    if undefined:
        # There the metric itself says what stands in place of a value, and warns.
        at, _ = _metric_at(*arguments)
        for place in undefined:
            values[place] = at(thresholds[place])
    return values, _in_type_of(y_score, thresholds)

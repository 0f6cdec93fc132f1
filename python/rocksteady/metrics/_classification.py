"""scikit-learn's metrics of labels that read the whole confusion matrix, or how many rows of it are right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady._rocksteady import ConfusionState
from rocksteady.base.arguments import real, wrong_value
from rocksteady.errors import InputError
from rocksteady.metrics._counting import count, count_columns, is_among, is_flag
from rocksteady.metrics._drop_in import drop_in
from rocksteady.metrics._warning import warn, warn_undefined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.metrics._counting import State

_SINGLE_LABEL = (
    "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, "
    "use the 'labels' parameter to pass all known labels."
)

# The default itself: a call that leaves it has nothing to check.
_NAN = np.nan
_NORMALIZE = ("true", "pred", "all", None)


@drop_in
def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> NDArray[Any]:
    """The confusion matrix: entry (i, j) counts the rows of class i that were predicted to be class j.

    Formula: M_ij = Σ w over the rows with true class i and predicted class j. Source: Stehman 1997, doi
    10.1016/S0034-4257(97)00083-7.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    labels : array-like of shape (K,), optional
        The classes and their order; rows with another label are left out. Default: all that occur, ascending.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    normalize : {"true", "pred", "all"}, optional
        Divide by row sums, by column sums, or by the total; 0 where that is 0.

    Returns
    -------
    ndarray of shape (K, K)
        int64 counts; float64 where weighted by floats or normalized.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import confusion_matrix
    >>> confusion_matrix([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2])
    array([[2, 0, 0],
           [0, 0, 1],
           [1, 0, 2]])
    """
    if not is_among(normalize, _NORMALIZE):
        raise wrong_value(normalize, "normalize", "'true', 'pred', 'all' or None")
    state = count_columns(y_true, y_pred, sample_weight, labels)
    if normalize is not None:
        matrix = state.normalized(normalize)
    else:
        matrix = state.to_array()
        # Sums of whole weights stay whole where scikit-learn keeps them so: by the dtype of the weights.
        if sample_weight is None or np.asarray(sample_weight).dtype.kind in "biu":
            # Counts of rows are below 2**63, so that the same bits are the same numbers.
            matrix = matrix.view(np.int64) if matrix.dtype == np.uint64 else matrix.astype(np.int64)
        else:
            matrix = matrix.astype(np.float64, copy=False)
    if state.classes == 1:
        warn(_SINGLE_LABEL)
    return matrix


@drop_in
def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    """The fraction, or with ``normalize=False`` the number (weight), of rows whose label was predicted.

    Formula: Σ_k M_kk / n. Source: Sokolova and Lapalme 2009, doi 10.1016/j.ipm.2009.03.002.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels. A row of an indicator is correct if all its labels are.
    normalize : bool
        Whether to divide by the number (weight) of rows.
    sample_weight : array-like of shape (n,), optional
        Finite weights.

    Returns
    -------
    float
        In [0, 1], or the number (weight) of rows.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import accuracy_score
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3])
    0.5
    """
    if not is_flag(normalize):
        raise wrong_value(normalize, "normalize", "True or False")
    state = count(y_true, y_pred, sample_weight)
    return _accuracy(state) if normalize else _right(state)


def _accuracy(state: State) -> float:
    if isinstance(state, ConfusionState):
        value, why = state.value("accuracy", None)
        undefined = why is not None
    else:
        value, undefined = state.rows_right()[0], state.total == 0
    if undefined:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")  # as numpy.average
    return value


def _right(state: State) -> float:
    return state.correct if isinstance(state, ConfusionState) else state.rows_right()[1]


@drop_in
def zero_one_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    """The fraction, or with ``normalize=False`` the number (weight), of rows whose label was not predicted.

    Formula: 1 − Σ_k M_kk / n. Source: Sokolova and Lapalme 2009, doi 10.1016/j.ipm.2009.03.002.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels. A row of an indicator is correct if all its labels are.
    normalize : bool
        Whether to divide by the number (weight) of rows.
    sample_weight : array-like of shape (n,), optional
        Finite weights.

    Returns
    -------
    float
        In [0, 1], or the number (weight) of rows.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import zero_one_loss
    >>> zero_one_loss([2, 2, 3, 4], [1, 2, 3, 4])
    0.25
    """
    if not is_flag(normalize):
        raise wrong_value(normalize, "normalize", "True or False")
    state = count(y_true, y_pred, sample_weight)
    if normalize:
        return 1 - _accuracy(state)
    wrong = state.value("error_rate", None)[0] if isinstance(state, ConfusionState) else state.rows_right()[2]
    if sample_weight is not None:
        weight: float = _like(wrong * state.total, sample_weight)
        return weight
    return float(round(wrong * state.total))


def _like(value: float, sample_weight: Any) -> Any:
    """A number in the precision of the weights: of 32 or 16 bits if they are such floats, else of 64."""
    char = getattr(getattr(sample_weight, "dtype", None), "char", "")
    return np.float32(value) if char == "f" else np.float16(value) if char == "e" else np.float64(value)


@drop_in
def hamming_loss(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """The fraction of labels that are wrong: of rows, or of the cells of indicators.

    Formula: Σ_i w_i Σ_k [y_ik ≠ ŷ_ik] / (K Σ_i w_i). Source: Tsoumakas, Katakis 2007, doi 10.4018/jdwm.2007070101.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    sample_weight : array-like of shape (n,), optional
        Finite weights.

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
    >>> import numpy as np
    >>> from rocksteady.metrics import hamming_loss
    >>> hamming_loss([2, 2, 3, 4], [1, 2, 3, 4])
    0.25
    >>> hamming_loss(np.array([[0, 1], [1, 1]]), np.zeros((2, 2)))
    0.75
    """
    state = count(y_true, y_pred, sample_weight)
    if isinstance(state, ConfusionState):
        return 1 - _accuracy(state) if state.total == 0 else state.value("error_rate", None)[0]
    loss = state.cells_right()[2]
    if state.total == 0:
        problem = "invalid value" if math.isnan(loss) else "divide by zero"
        warn(f"{problem} encountered in scalar divide", RuntimeWarning)
    return loss if sample_weight is None else _like(loss, sample_weight)


@drop_in
def balanced_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, adjusted: bool = False
) -> float:
    """The mean recall over the classes that occur in `y_true`; adjusted, chance is 0 and perfection 1.

    Formula: (1/K) Σ_k M_kk / t_k; adjusted (BA − 1/K) / (1 − 1/K). Source: Brodersen et al. 2010,
    doi 10.1109/ICPR.2010.764.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    adjusted : bool
        Whether to put chance at 0.

    Returns
    -------
    float
        In [0, 1]; adjusted, at most 1.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import balanced_accuracy_score
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])
    0.625
    """
    if not is_flag(adjusted):
        raise wrong_value(adjusted, "adjusted", "True or False")
    state = count_columns(y_true, y_pred, sample_weight)
    if state.classes == 1:
        warn(_SINGLE_LABEL)
    value: float = state.value("balanced_accuracy", None)[0]
    if state.absent or math.isnan(value):
        value = _mean_recall(state, value)
    if not adjusted or math.isnan(value):
        return value
    tp, _, fn, _ = state.one_vs_rest()
    chance = 1 / int(np.count_nonzero(tp + fn))
    if chance == 1:
        # With one class in y_true, scikit-learn divides recall - 1 by zero.
        value, problem = (math.nan, "invalid value") if value == 1 else (-math.inf, "divide by zero")
        warn(f"{problem} encountered in scalar divide", RuntimeWarning)
        return value
    return (value - chance) / (1 - chance)  # rounded as scikit-learn rounds it


def _mean_recall(state: ConfusionState, value: float) -> float:
    """Balanced accuracy where the rows of a class weigh nothing, perhaps because weights of either sign cancel."""
    tp, _, fn, _ = state.one_vs_rest()
    with np.errstate(divide="ignore", invalid="ignore"):
        recall = tp / (tp + fn)
    absent = np.isnan(recall)
    if np.any(absent):
        warn("y_pred contains classes not in y_true")
    recall = recall[~absent]
    return float(np.mean(recall)) if math.isnan(value) or np.any(np.isinf(recall)) else value


@drop_in
def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Matthews' correlation coefficient, for any number of classes; 0 where a margin is empty.

    Formula: (c n − Σ p_k t_k) / √((n² − Σ p_k²)(n² − Σ t_k²)). Source: Gorodkin 2004,
    doi 10.1016/j.compbiolchem.2004.09.006.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    sample_weight : array-like of shape (n,), optional
        Finite weights.

    Returns
    -------
    float
        In [-1, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import matthews_corrcoef
    >>> round(matthews_corrcoef([1, 1, 1, 0], [1, 0, 1, 1]), 6)
    -0.333333
    """
    state = count_columns(y_true, y_pred, sample_weight)
    if state.classes == 1:
        warn(_SINGLE_LABEL)
    return state.value("mcc", None)[0]


_DISTANCES = {None: None, "linear": {"power": 1.0}, "quadratic": {"power": 2.0}}


@drop_in
def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    weights: Literal["linear", "quadratic"] | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Cohen's kappa: agreement of two raters beyond chance, optionally weighted by the distance of the classes.

    Formula: 1 − T Σ w_ij M_ij / Σ w_ij t_i p_j, with w_ij = [i ≠ j], |i − j| or (i − j)². Sources: Cohen 1960,
    doi 10.1177/001316446002000104; Cohen 1968, doi 10.1037/h0026256.

    Parameters
    ----------
    y1, y2 : array-like of shape (n,)
        The labels that each rater gave.
    labels : array-like of shape (K,), optional
        The classes and their order; rows with another label are left out. Default: all that occur, ascending.
    weights : {"linear", "quadratic"}, optional
        How the distance between two classes weighs an error. Default: all errors weigh the same.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    replace_undefined_by : float in [-1, 1] or NaN
        The value where chance alone always agrees, so that kappa is undefined.

    Returns
    -------
    float
        At most 1; 0 is what chance gives.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import cohen_kappa_score
    >>> cohen_kappa_score([0, 1, 2, 2], [0, 1, 1, 2])
    0.6363636363636364
    >>> cohen_kappa_score([0, 1, 2, 2], [0, 1, 1, 2], weights="quadratic")
    0.8
    """
    if not is_among(weights, _DISTANCES):
        raise wrong_value(weights, "weights", "'linear', 'quadratic' or None")
    if replace_undefined_by is not _NAN and abs(real(replace_undefined_by, "replace_undefined_by")) > 1:
        raise wrong_value(replace_undefined_by, "replace_undefined_by", "a number in [-1, 1] or NaN")
    state = count_columns(y1, y2, sample_weight, labels)
    if state.classes == 1:
        warn(_SINGLE_LABEL)
    if weights is None:
        value, why = state.value("kappa", None)
    else:
        value, why = state.value("weighted_kappa", None, _DISTANCES[weights])
    if why is None:
        return value
    if state.total == 0:
        problem = "`y2` contains no labels that are present in both `y1` and `labels`."
        the = "the"
    else:
        problem, the = "`y1`, `y2` and `labels` have only one label in common. ", "the the"
    warn_undefined(
        f"{problem}`cohen_kappa_score` is undefined and set to the value defined by {the} `replace_undefined_by` "
        f"param, which is set to {replace_undefined_by}."
    )
    return replace_undefined_by


_CONTROL = (
    "Use the `replace_undefined_by` param to control this behavior. To suppress this warning or turn it into an error, "
    "see Python's `warnings` module and `warnings.catch_warnings()`."
)


def _replacements(given: Any) -> tuple[float, float]:
    """What stands for an undefined positive and negative likelihood ratio."""
    if not isinstance(given, dict):
        if real(given, "replace_undefined_by") != 1:
            raise wrong_value(given, "replace_undefined_by", "1.0, numpy.nan or a dict with 'LR+' and 'LR-'")
        return 1.0, 1.0
    positive, negative = (real(given.get(name), f"replace_undefined_by[{name!r}]") for name in ("LR+", "LR-"))
    if positive < 1 or not (0 <= negative <= 1 or math.isnan(negative)):
        raise wrong_value(given, "replace_undefined_by", "'LR+' of 1 or more and 'LR-' in [0, 1], or NaN")
    return positive, negative


@drop_in
def class_likelihood_ratios(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float | Mapping[str, float] = np.nan,
) -> tuple[float, float]:
    """The positive and the negative likelihood ratio of two classes.

    Formula: LR+ = recall / (1 − specificity), LR− = (1 − recall) / specificity. Source: Deeks, Altman 2004,
    doi 10.1136/bmj.329.7458.168.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Two kinds of labels; the greater, or the second of `labels`, is positive.
    labels : array-like of two labels, optional
        The negative and the positive class.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    replace_undefined_by : NaN, 1.0 or dict with "LR+" and "LR-"
        The value where there are no false positives (LR+) or no true negatives (LR−).

    Returns
    -------
    tuple of two floats
        0 or more. A ratio of 1 is uninformative; a high LR+ and a low LR− are informative.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import class_likelihood_ratios
    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    instead = (_NAN, _NAN) if replace_undefined_by is _NAN else _replacements(replace_undefined_by)
    state = count_columns(y_true, y_pred, sample_weight, labels)
    if state.classes != 2:
        raise InputError(f"y_true and y_pred have {state.classes} classes; expected two", argument="y_true")
    if labels is not None and count_columns(y_true, y_pred, sample_weight).classes != 2:
        raise InputError("y_true and y_pred have other classes than `labels`; expected two", argument="labels")
    positive, no_positive = state.value("positive_likelihood_ratio", 1)
    negative, no_negative = state.value("negative_likelihood_ratio", 1)
    if no_positive is None and no_negative is None:
        return positive, negative
    (tn, fp), (fn, tp) = state.to_array().tolist()
    none = tp + fn == 0
    if none:
        warn_undefined(
            "No samples of the positive class are present in `y_true`. `positive_likelihood_ratio` and "
            f"`negative_likelihood_ratio` are both set to `np.nan`. {_CONTROL}"
        )
    if fp == 0:
        start = "`positive_likelihood_ratio` is ill-defined and "
        if tp == 0:
            start = "No samples were predicted for the positive class and `positive_likelihood_ratio` is "
        warn_undefined(start + "set to `np.nan`. Use the `replace_undefined_by` param to ")
        positive = instead[0]
    elif none:
        warn("invalid value encountered in scalar divide", RuntimeWarning)
    if tn == 0:
        warn_undefined(f"`negative_likelihood_ratio` is ill-defined and set to `np.nan`. {_CONTROL}")
        negative = instead[1]
    elif none:
        warn("invalid value encountered in scalar divide", RuntimeWarning)
    return positive, negative

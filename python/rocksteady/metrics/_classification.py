"""scikit-learn's metrics of labels, read from one confusion matrix."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady._rocksteady import ConfusionState
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.metrics._sharing import share
from rocksteady.metrics._validation import (
    as_array,
    check_flag,
    check_option,
    classification_arguments,
    refuse_bytes,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_SINGLE_LABEL = (
    "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, "
    "use the 'labels' parameter to pass all known labels."
)


def _count(function: str, y_true: Any, y_pred: Any, sample_weight: Any, labels: Any = None) -> ConfusionState:
    """The counted matrix; on a refusal, scikit-learn's view of the arguments decides (see `_validation`)."""
    try:
        state = share(ConfusionState.count, y_true, y_pred, labels, sample_weight, "raise", False)
    except RocksteadyError:
        true, pred, weights = classification_arguments(function, y_true, y_pred, sample_weight)
        if labels is not None and not np.isin(true, labels).any():
            raise InputError("At least one label specified must be in y_true") from None
        state = ConfusionState.count(true, pred, labels, weights, "raise", False)
    if state.text:
        refuse_bytes(y_true, y_pred)
    if state.total == 0:
        # All weights are zero, or no row has one of the labels given.
        classification_arguments(function, y_true, y_pred, sample_weight)
        if labels is not None and not np.isin(y_true, labels).any():
            raise InputError("At least one label specified must be in y_true")
    return state


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> NDArray[Any]:
    """The confusion matrix: entry (i, j) counts the rows of class i that were predicted to be class j.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    labels : array-like of shape (K,), optional
        The classes and their order; rows with another label are left out. Default: all that occur, ascending.
    sample_weight : array-like of shape (n,), optional
        Weights, finite and not negative.
    normalize : {"true", "pred", "all"}, optional
        Divide by row sums, by column sums, or by the total; 0 where that is 0.

    Returns
    -------
    ndarray of shape (K, K)
        int64 counts; float64 where weighted by floats or normalized.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import confusion_matrix
    >>> confusion_matrix([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2])
    array([[2, 0, 0],
           [0, 0, 1],
           [1, 0, 2]])
    """
    check_option("confusion_matrix", "normalize", normalize, ("true", "pred", "all", None))
    if labels is not None:
        labels = as_array(labels, "confusion_matrix", "labels")
        if labels.size == 0:
            raise InputError("'labels' should contain at least one label.")
    state = _count("confusion_matrix", y_true, y_pred, sample_weight, labels)
    if normalize is not None:
        matrix = state.normalized(normalize)
    else:
        matrix = state.to_array()
        # Sums of whole weights stay whole where scikit-learn keeps them so: by the dtype of the weights.
        if not state.weighted or np.asarray(sample_weight).dtype.kind in "biu":
            matrix = matrix.astype(np.int64)
    if matrix.shape == (1, 1):
        warnings.warn(_SINGLE_LABEL, UserWarning, stacklevel=2)
    return matrix


def accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The fraction, or with ``normalize=False`` the number (weight), of rows whose label was predicted.

    Formula: Σ_k M_kk / n.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    normalize : bool
        Whether to divide by the number (weight) of rows.
    sample_weight : array-like of shape (n,), optional
        Weights, finite and not negative.

    Returns
    -------
    float
        In [0, 1], or the number (weight) of rows.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import accuracy_score
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3])
    0.5
    """
    check_flag("accuracy_score", "normalize", normalize)
    state = _count("accuracy_score", y_true, y_pred, sample_weight)
    return state.value("accuracy", None, {})[0] if normalize else state.correct


def balanced_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    adjusted: bool = False,
) -> float:
    """The mean recall over the classes that occur in `y_true`; adjusted, chance is 0 and perfection 1.

    Formula: (1/K) Σ_k M_kk / t_k; adjusted (BA − 1/K) / (1 − 1/K). Source: Brodersen et al. 2010,
    doi 10.1109/ICPR.2010.764.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    sample_weight : array-like of shape (n,), optional
        Weights, finite and not negative.
    adjusted : bool
        Whether to put chance at 0.

    Returns
    -------
    float
        In [0, 1]; adjusted, at most 1.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import balanced_accuracy_score
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])
    0.625
    """
    check_flag("balanced_accuracy_score", "adjusted", adjusted)
    state = _count("balanced_accuracy_score", y_true, y_pred, sample_weight)
    if state.classes == 1:
        warnings.warn(_SINGLE_LABEL, UserWarning, stacklevel=2)
    if state.absent:
        warnings.warn("y_pred contains classes not in y_true", UserWarning, stacklevel=2)
    name = "adjusted_balanced_accuracy" if adjusted else "balanced_accuracy"
    value = state.value(name, None, {})[0]
    if math.isnan(value) and adjusted:
        # One class in y_true: scikit-learn divides recall - 1 by zero.
        perfect = state.value("balanced_accuracy", None, {})[0] == 1
        value, problem = (math.nan, "invalid value") if perfect else (-math.inf, "divide by zero")
        warnings.warn(f"{problem} encountered in scalar divide", RuntimeWarning, stacklevel=2)
    return value


def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Matthews' correlation coefficient, for any number of classes; 0 where a margin is empty.

    Formula: (c n − Σ p_k t_k) / √((n² − Σ p_k²)(n² − Σ t_k²)). Source: Gorodkin 2004,
    doi 10.1016/j.compbiolchem.2004.09.006.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels.
    sample_weight : array-like of shape (n,), optional
        Weights, finite and not negative.

    Returns
    -------
    float
        In [-1, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import matthews_corrcoef
    >>> round(matthews_corrcoef([1, 1, 1, 0], [1, 0, 1, 1]), 6)
    -0.333333
    """
    state = _count("matthews_corrcoef", y_true, y_pred, sample_weight)
    if state.classes == 1:
        warnings.warn(_SINGLE_LABEL, UserWarning, stacklevel=2)
    return state.value("mcc", None, {})[0]

"""scikit-learn's metrics of probabilities and of scores of several classes, each from one pass over the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady._rocksteady import ClassProbabilityState, calibration_bins, hinge, top_k
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.metrics._parameters import InvalidParameterError, check_parameters
from rocksteady.metrics._sharing import current, share
from rocksteady.metrics._validation import (
    assert_all_finite,
    check_array,
    check_consistent_length,
    check_pos_label_consistency,
    check_sample_weight,
    column_or_1d,
    encode,
    num_samples,
    type_of_target,
    unique_labels,
    warn,
    warn_undefined,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    _Sums = Callable[..., ClassProbabilityState]

_NO_PROBABILITIES = "The y_prob values do not sum to one. Make sure to pass probabilities."
_TOO_FEW = "D^2 score is not well-defined with less than two samples."
_BOTH = "Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead."
_RENAMED = "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use `y_proba` instead."
_NO_BINARIZATION = "Multioutput target data is not supported with label binarization"


class _NotPlainError(RocksteadyError):
    """What the core takes and scikit-learn looks at more closely."""


def _state(
    y_true: Any, y_proba: Any, labels: Any, pos_label: Any, sample_weight: Any, loss: str, classes: bool
) -> ClassProbabilityState:
    """The sums over the rows, with one look at what the core cannot know."""
    if y_proba.__class__ is not np.ndarray:
        y_proba = _in_their_precision(y_proba)
    make: _Sums = ClassProbabilityState.sum
    if current() is None:
        state = make(y_true, y_proba, labels, pos_label, sample_weight, loss, classes)
    else:
        state = share(make, y_true, y_proba, labels, pos_label, sample_weight, loss, True)
    _plain(y_true, state.text, state.weight)
    return state


def _in_their_precision(values: Any) -> Any:
    """Probabilities that are no array in the precision in which scikit-learn takes them: with numpy's dtype, or in double."""
    if hasattr(values, "iloc"):
        dtypes = set(getattr(values, "dtypes", ())) if hasattr(values, "columns") else set()
        return values.to_numpy() if dtypes in ({np.dtype("f2")}, {np.dtype("f4")}) else values
    first = values[0] if isinstance(values, list | tuple) and len(values) else values
    narrow = (
        getattr(first, "dtype", None) in (np.float16, np.float32) or str(getattr(values, "dtypes", "")).find("32") > 0
    )
    if narrow or str(getattr(values, "dtype", getattr(values, "type", ""))) in ("Float32", "float", "halffloat"):
        try:
            return np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            return values
    return values


def _plain(y_true: Any, text: bool, weight: float) -> None:
    """Turns to the checks for bytes, which the core takes for text, and for weights that are all zero."""
    if weight == 0 or (text and isinstance(_first(y_true), bytes)):
        raise _NotPlainError


def _first(values: Any) -> Any:
    if not hasattr(values, "__iter__"):
        values = np.asarray(values)
    return next(iter(values), None)


# Where the core refuses: scikit-learn's checks, then its definitions ------------------------------------------------------


def _fitted(values: Any) -> tuple[str, NDArray[Any]]:
    """The kind of a target and its classes."""
    kind = type_of_target(values, "y")
    if "multioutput" in kind:
        raise InputError(_NO_BINARIZATION)
    if num_samples(values) == 0:
        raise InputError(f"y has 0 samples: {values!r}")
    if kind == "multilabel-indicator":
        return kind, unique_labels(values, kind=kind)
    if kind not in ("binary", "multiclass"):
        raise InvalidParameterError(f"Unknown label type: {(values,)!r}")
    if not hasattr(values, "__array__"):
        try:
            set(values)
        except TypeError as error:
            raise InputTypeError(str(error)) from error
    return kind, unique_labels(column_or_1d(values), kind=kind)


def _indicator(y_true: Any, labels: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """A column of ones and zeros for each class, and the classes."""
    fitted, classes = _fitted(y_true if labels is None else labels)
    if labels is not None:
        if not np.all(classes == labels):
            warn(
                f"Labels passed were {labels}. But this function assumes labels are ordered lexicographically. Pass the "
                f"ordered labels={classes.tolist()} and ensure that the columns of y_prob correspond to this ordering."
            )
        if not np.all(np.isin(y_true, labels)):
            undeclared = set(y_true) - set(labels)
            raise InputError(f"y_true contains values {undeclared} not belonging to the passed labels {labels}.")
    if len(classes) == 1:
        if labels is None:
            raise InputError(
                f"y_true contains only one label ({classes[0]}). Please provide the list of all expected class labels "
                "explicitly through the labels argument."
            )
        raise InputError(f"The labels array needs to contain at least two labels, got {classes}.")
    kind = type_of_target(y_true)
    if kind == "multilabel-indicator":
        if fitted != kind:
            raise InputError("The object was not fitted with multilabel input.")
        dense = y_true.toarray() if hasattr(y_true, "toarray") else np.asarray(y_true)
        return dense.astype(np.int64), classes
    if "multioutput" in kind:
        raise InputError(_NO_BINARIZATION)
    if kind == "unknown":
        raise InputError("The type of target data is not known")
    if kind == "continuous":
        raise InputError("continuous target data is not supported with label binarization")
    column = column_or_1d(y_true)
    return (column[:, np.newaxis] == np.sort(classes)).astype(np.int64), classes


def _several_classes(
    y_true: Any, proba: NDArray[Any], sample_weight: Any, labels: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The indicator of the classes and a column of probabilities for each."""
    if proba.max() > 1:
        raise InputError(f"y_prob contains values greater than 1: {proba.max()}")
    if proba.min() < 0:
        raise InputError(f"y_prob contains values lower than 0: {proba.min()}")
    check_consistent_length(proba, y_true, sample_weight)
    if sample_weight is not None:
        check_sample_weight(sample_weight, proba)
    truth, classes = _indicator(y_true, labels)
    if proba.ndim == 1:
        proba = proba[:, np.newaxis]
    if proba.shape[1] == 1:
        proba = np.hstack([1 - proba, proba])
    if not np.allclose(proba.sum(axis=1), 1, rtol=float(np.sqrt(np.finfo(proba.dtype).eps))):
        warn(_NO_PROBABILITIES)
    if len(classes) != proba.shape[1]:
        if labels is None:
            raise InputError(
                f"y_true and y_prob contain different number of classes: {truth.shape[1]} vs {proba.shape[1]}. Please "
                "provide the true labels explicitly through the labels argument. Classes found in y_true: "
                f"{classes}"
            )
        raise InputError(
            f"The number of classes in labels is different from that in y_prob. Classes found in labels: {classes}"
        )
    return truth, proba


def _two_classes(y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """The same for a column of probabilities of the positive class."""
    true, proba = column_or_1d(y_true), column_or_1d(y_proba)
    assert_all_finite(true)
    assert_all_finite(proba)
    check_consistent_length(proba, true, sample_weight)
    if sample_weight is not None:
        check_sample_weight(sample_weight, proba)
    kind = type_of_target(true, "y_true")
    if kind != "binary":
        raise InputError(
            f"The type of the target inferred from y_true is {kind} but should be binary according to the shape of y_prob."
        )
    if proba.max() > 1:
        raise InputError(f"y_prob contains values greater than 1: {proba.max()}")
    if proba.min() < 0:
        raise InputError(f"y_prob contains values less than 0: {proba.min()}")
    try:
        pos_label = check_pos_label_consistency(pos_label, true)
    except InputError:
        classes = np.unique(true)
        if classes.dtype.kind in "OUS":
            raise
        pos_label = classes[-1]
    positive = np.asarray(true == pos_label, dtype=np.int64)
    return np.stack([1 - positive, positive], axis=1), np.stack([1 - proba, proba], axis=1)


def _log_losses(truth: NDArray[Any], proba: NDArray[Any]) -> NDArray[Any]:
    epsilon = np.finfo(proba.dtype).eps
    losses: NDArray[Any] = truth.astype(proba.dtype) * -np.log(np.clip(proba, epsilon, 1 - epsilon))
    return np.asarray(losses.sum(axis=1))


def _total(losses: NDArray[Any], weights: Any) -> Any:
    return losses.sum() if weights is None else np.dot(losses, weights)


def _mean(rows: NDArray[Any], weights: Any) -> Any:
    return np.average(rows, axis=0 if rows.ndim > 1 else None, weights=weights)


def _mean_square(truth: NDArray[Any], proba: NDArray[Any], weights: Any) -> Any:
    return _mean(((truth - proba) ** 2).sum(axis=1), weights)


def _brier_arguments(
    y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any, labels: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    proba = check_array(y_proba, dtype="float", ensure_2d=False)
    if proba.ndim == 1 or proba.shape[1] == 1:
        truth, proba = _two_classes(y_true, proba, sample_weight, pos_label)
    else:
        truth, proba = _several_classes(y_true, proba, sample_weight, labels)
    return truth.astype(proba.dtype), proba


def _renamed(function: str, y_true: Any, y_proba: Any, y_pred: Any, others: dict[str, Any]) -> Any:
    """The probabilities where they came as `y_pred`, the old name."""
    check_parameters(function, {"y_true": y_true, "y_proba": y_proba, **others, "y_pred": y_pred})
    if y_proba is not None:
        raise InputError(_BOTH)
    warn(_RENAMED, FutureWarning)
    return y_pred


# The functions --------------------------------------------------------------------------------------------------------


def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: ArrayLike | str = "deprecated",
) -> float:
    """The logarithmic loss, or cross-entropy: how surprising the truth is to who believes the probabilities.

    Formula: the mean of -ln q, q the probability given to the true class, cut to [eps, 1 - eps], eps the machine epsilon
    of the probabilities' type. Source: Good 1952, doi 10.1111/j.2517-6161.1952.tb00104.x.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_proba : array-like of shape (n, k) or (n,)
        Probabilities in [0, 1], a column for each class in ascending order; one column is that of the greater of two.
    normalize : bool
        Return the mean; otherwise the sum.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.
    labels : array-like, optional
        The classes, ascending; default: those in `y_true`.
    y_pred : array-like
        The old name of `y_proba`.

    Returns
    -------
    float
        In [0, -ln eps]; lower is better.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import log_loss
    >>> round(log_loss(["spam", "ham", "ham", "spam"], [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]]), 4)
    0.2162
    """
    if y_pred is not _DEPRECATED and not (isinstance(y_pred, str) and y_pred == _DEPRECATED):
        others = {"normalize": normalize, "sample_weight": sample_weight, "labels": labels}
        y_proba = _renamed("log_loss", y_true, y_proba, y_pred, others)
    flag: object = normalize
    if flag is not True and flag is not False:
        check_parameters("log_loss", {"y_true": y_true, "y_proba": y_proba, "normalize": normalize})
    try:
        state = _state(y_true, y_proba, labels, None, sample_weight, "log_loss", False)
    except RocksteadyError:
        check_parameters(
            "log_loss",
            {"y_true": y_true, "y_proba": y_proba, "sample_weight": sample_weight, "labels": labels},
        )
        proba = check_array(y_proba, dtype="float", ensure_2d=False)
        losses = _log_losses(*_several_classes(y_true, proba, sample_weight, labels))
        return float(_mean(losses, sample_weight) if normalize else _total(losses, sample_weight))
    if not state.sums_to_one:
        warn(_NO_PROBABILITIES)
    return state.value("log_loss", False) if normalize else state.total_log_loss


_DEPRECATED = "deprecated"


def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
    scale_by_half: bool | Literal["auto"] = "auto",
) -> float:
    """The Brier score: the mean squared difference between probability and truth.

    Formula: the mean over rows of the sum over classes of (y - p)^2, y 1 for the true class and 0 for the others; half of
    that with `scale_by_half`. Source: Brier 1950, doi 10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_proba : array-like of shape (n, k) or (n,)
        Probabilities in [0, 1], a column for each class in ascending order, or one for the positive class.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.
    pos_label : label, optional
        With one column: the positive class. Default: 1 where the labels are 0 and 1 or -1 and 1, else the greater number.
    labels : array-like, optional
        With several columns: the classes, ascending; default: those in `y_true`.
    scale_by_half : bool or "auto"
        Whether to halve the sum over classes; "auto" does so for two.

    Returns
    -------
    float
        In [0, 2], or [0, 1] when halved; lower is better.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import brier_score_loss
    >>> round(brier_score_loss([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 4)
    0.0375
    >>> round(brier_score_loss(["a", "b", "c"], [[0.8, 0.1, 0.1], [0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]), 4)
    0.2467
    """
    half: object = scale_by_half
    if half is not True and half is not False and half != "auto":
        check_parameters(
            "brier_score_loss",
            {
                "y_true": y_true,
                "y_proba": y_proba,
                "sample_weight": sample_weight,
                "pos_label": pos_label,
                "labels": labels,
                "scale_by_half": scale_by_half,
            },
        )
    try:
        state = _state(y_true, y_proba, labels, pos_label, sample_weight, "brier", False)
    except RocksteadyError:
        check_parameters(
            "brier_score_loss",
            {
                "y_true": y_true,
                "y_proba": y_proba,
                "sample_weight": sample_weight,
                "pos_label": pos_label,
                "labels": labels,
            },
        )
        truth, proba = _brier_arguments(y_true, y_proba, sample_weight, pos_label, labels)
        halved = proba.shape[1] < 3 if isinstance(scale_by_half, str) else scale_by_half
        score = _mean_square(truth, proba, sample_weight)
        return float(score * 0.5 if halved else score)
    if not state.sums_to_one:
        warn(_NO_PROBABILITIES)
    return state.value("brier", state.columns < 3 if isinstance(scale_by_half, str) else bool(scale_by_half))


def d2_log_loss_score(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: ArrayLike | str = "deprecated",
) -> float:
    """The part of the logarithmic loss of the class frequencies that the probabilities save.

    Formula: 1 - L / L0, L the logarithmic loss and L0 that of predicting each class by its frequency in `y_true`.
    Source: McFadden 1974, Conditional logit analysis of qualitative choice behavior, for R^2 of likelihoods.

    Parameters
    ----------
    y_true, y_proba, sample_weight, labels, y_pred
        As for `log_loss`.

    Returns
    -------
    float
        At most 1; 0 for the class frequencies, negative for worse. NaN, with a warning, for fewer than two rows.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import d2_log_loss_score
    >>> round(d2_log_loss_score([0, 1, 1, 0], [0.2, 0.7, 0.8, 0.4]), 4)
    0.5262
    """
    if y_pred is not _DEPRECATED and not (isinstance(y_pred, str) and y_pred == _DEPRECATED):
        others = {"sample_weight": sample_weight, "labels": labels}
        y_proba = _renamed("d2_log_loss_score", y_true, y_proba, y_pred, others)
    try:
        state = _state(y_true, y_proba, labels, None, sample_weight, "log_loss", True)
        if state.rows < 2:
            raise _NotPlainError
    except RocksteadyError:
        check_parameters(
            "d2_log_loss_score",
            {"y_true": y_true, "y_proba": y_proba, "sample_weight": sample_weight, "labels": labels},
        )
        check_consistent_length(y_proba, y_true, sample_weight)
        if num_samples(y_proba) < 2:
            warn_undefined(_TOO_FEW)
            return float("nan")
        proba = check_array(y_proba, dtype="float", ensure_2d=False)
        truth, proba = _several_classes(y_true, proba, sample_weight, labels)
        null = np.broadcast_to(_mean(truth, sample_weight), proba.shape)
        loss, least = (float(_total(_log_losses(truth, chances), sample_weight)) for chances in (proba, null))
        return 1 - loss / least
    if not state.sums_to_one:
        warn(_NO_PROBABILITIES)
    return state.saved("log_loss")


def d2_brier_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
) -> float:
    """The part of the squared error of the class frequencies that the probabilities save: the Brier skill score.

    Formula: 1 - B / B0, B the Brier score and B0 that of predicting each class by its frequency in `y_true`.
    Source: Brier 1950, doi 10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As for `brier_score_loss`.

    Returns
    -------
    float
        At most 1; 0 for the class frequencies, negative for worse. NaN, with a warning, for fewer than two rows.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import d2_brier_score
    >>> round(d2_brier_score([0, 1, 1, 0], [0.2, 0.7, 0.8, 0.4]), 4)
    0.67
    """
    try:
        state = _state(y_true, y_proba, labels, pos_label, sample_weight, "brier", True)
        saved = state.saved("brier")
        if state.rows < 2 or saved - saved != 0:
            raise _NotPlainError
    except RocksteadyError:
        check_parameters(
            "d2_brier_score",
            {
                "y_true": y_true,
                "y_proba": y_proba,
                "sample_weight": sample_weight,
                "pos_label": pos_label,
                "labels": labels,
            },
        )
        check_consistent_length(y_proba, y_true, sample_weight)
        if num_samples(y_proba) < 2:
            warn_undefined(_TOO_FEW)
            return float("nan")
        truth, proba = _brier_arguments(y_true, y_proba, sample_weight, pos_label, labels)
        null = np.broadcast_to(_mean(truth, sample_weight), proba.shape)
        return float(1 - _mean_square(truth, proba, sample_weight) / _mean_square(truth, null, sample_weight))
    if not state.sums_to_one:
        warn(_NO_PROBABILITIES)
    return saved


def hinge_loss(
    y_true: ArrayLike,
    pred_decision: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The mean hinge loss: how far the decisions fall short of a margin of one.

    Formula: the mean of max(0, 1 - m), m the decision for the true side of two classes, or by how much the decision for the
    true class is above the highest other one. Source: Crammer and Singer 2001, Journal of Machine Learning Research 2, 265.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    pred_decision : array-like of shape (n,) or (n, k)
        Decisions, as `decision_function` gives them: a column for each of three classes or more, ascending.
    labels : array-like, optional
        All the classes, where `y_true` lacks some.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.

    Returns
    -------
    float
        Not negative; lower is better.

    Raises
    ------
    ValueError, TypeError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import hinge_loss
    >>> round(hinge_loss([-1, 1, 1], [-2.2, 2.3, 0.1]), 4)
    0.3
    """
    try:
        total, weight, text = hinge(y_true, pred_decision, labels, sample_weight)
        if labels is not None and np.ndim(labels) > 1:
            labels = column_or_1d(labels)
        _plain(y_true, text, weight)
    except RocksteadyError:
        check_parameters(
            "hinge_loss",
            {"y_true": y_true, "pred_decision": pred_decision, "labels": labels, "sample_weight": sample_weight},
        )
        losses = np.clip(1 - _margins(y_true, pred_decision, labels, sample_weight), 0, None)
        return float(_mean(losses, sample_weight))
    return total / weight


def _margins(y_true: Any, pred_decision: Any, labels: Any, sample_weight: Any) -> NDArray[Any]:
    check_consistent_length(y_true, pred_decision, sample_weight)
    decisions = check_array(pred_decision, ensure_2d=False)
    true = column_or_1d(y_true)
    classes = np.unique(true if labels is None else np.asarray(labels))
    if len(classes) <= 2:
        decisions = column_or_1d(decisions)
        kind, found = _fitted(true)
        # Of more than two classes, which only `labels` could hide, the first stands against the rest.
        positive = true == (found[-1] if kind == "binary" else found[0])
        signs = np.where(positive & (len(found) > 1), 1, -1)
        if true.dtype.kind == "i":
            signs = signs.astype(true.dtype)
        try:
            return np.asarray(signs * decisions)
        except TypeError as error:
            raise InputTypeError("pred_decision should be an array of floats.") from error
    expected = f"({len(true)}, {len(classes)}). Got: {decisions.shape}"
    if decisions.ndim <= 1:
        raise InputError(
            "The shape of pred_decision cannot be 1d arraywith a multiclass target. pred_decision shape must be "
            f"(n_samples, n_classes), that is {expected}"
        )
    if len(classes) != decisions.shape[1]:
        if labels is None:
            raise InputError("Please include all labels in y_true or pass labels as third argument")
        raise InputError(
            "The shape of pred_decision is not consistent with the number of classes. With a multiclass target, "
            f"pred_decision shape must be (n_samples, n_classes), that is {expected}"
        )
    unseen = np.setdiff1d(true, classes)
    if len(unseen) and not (true.dtype.kind == "f" and np.isnan(unseen).all() and np.isnan(classes[-1])):
        raise InputError(f"y contains previously unseen labels: {list(unseen)}")
    own = encode(true, classes)
    others = np.ones(decisions.shape, dtype=bool)
    others[np.arange(len(true)), own] = False
    highest = decisions[others].reshape(len(true), -1).max(axis=1)
    try:
        return np.asarray(decisions[~others] - highest)
    except TypeError as error:
        raise InputTypeError(str(error)) from error


def top_k_accuracy_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """The fraction of rows whose true class is among the k classes with the highest scores.

    Formula: the mean over rows of [number of classes that stand before the true one < k]. Of equal scores those of the
    greater class stand first, as in scikit-learn. Source: Russakovsky and others 2015, doi
    10.1007/s11263-015-0816-y, where k = 5 of 1000.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_score : array-like of shape (n,) or (n, k)
        Finite scores, a column for each of three classes or more, ascending; one column is that of the greater of two.
    k : int
        How many of the first classes count.
    normalize : bool
        Return the fraction; otherwise the number of rows, or their weight.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.
    labels : array-like, optional
        The classes, ascending; default: those in `y_true`.

    Returns
    -------
    float
        In [0, 1] if normalised; higher is better.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import top_k_accuracy_score
    >>> scores = [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]]
    >>> top_k_accuracy_score([0, 1, 2, 2], scores, k=2)
    0.75
    """
    if type(k) is not int or k < 1 or (normalize is not True and normalize is not False):
        _check_top_k(y_true, y_score, k, normalize, sample_weight, labels)
        k = int(k)
    try:
        hits, weight, classes, text = top_k(y_true, y_score, k, labels, sample_weight)
        _plain(y_true, text, weight)
    except (RocksteadyError, OverflowError):
        _check_top_k(y_true, y_score, k, normalize, sample_weight, labels)
        places = _hits(y_true, y_score, k, sample_weight, labels)
        return float(_mean(places, sample_weight) if normalize else _total(places, sample_weight))
    if k >= classes:
        _warn_perfect(k, classes)
    return hits / weight if normalize else hits


def _check_top_k(y_true: Any, y_score: Any, k: Any, normalize: Any, sample_weight: Any, labels: Any) -> None:
    check_parameters(
        "top_k_accuracy_score",
        {
            "y_true": y_true,
            "y_score": y_score,
            "k": k,
            "normalize": normalize,
            "sample_weight": sample_weight,
            "labels": labels,
        },
    )


def _warn_perfect(k: int, classes: int) -> None:
    warn_undefined(
        f"'k' ({k}) greater than or equal to 'n_classes' ({classes}) will result in a perfect score and is therefore "
        "meaningless."
    )


def _hits(y_true: Any, y_score: Any, k: int, sample_weight: Any, labels: Any) -> NDArray[Any]:
    true = column_or_1d(check_array(y_true, ensure_2d=False, dtype=None))
    kind = type_of_target(true, "y_true")
    if kind == "binary" and labels is not None and len(labels) > 2:
        kind = "multiclass"
    if kind not in ("binary", "multiclass"):
        raise InputError(f"y type must be 'binary' or 'multiclass', got '{kind}' instead.")
    score = check_array(y_score, ensure_2d=False)
    if kind == "binary":
        if score.ndim == 2 and score.shape[1] != 1:
            raise InputError(
                f"`y_true` is binary while y_score is 2d with {score.shape[1]} classes. If `y_true` does not contain all the "
                "labels, `labels` must be provided."
            )
        score = column_or_1d(score)
    elif score.ndim != 2:
        raise InputError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={score.shape}`."
        )
    check_consistent_length(true, score, sample_weight)
    classes = _columns_of(true, score.shape[1] if score.ndim == 2 else 2, labels)
    if k >= len(classes):
        _warn_perfect(k, len(classes))
    own = encode(true, classes)
    if kind == "multiclass":
        first = np.argsort(score, axis=1, kind="stable")[:, ::-1][:, :k]
        return np.asarray((first == own[:, np.newaxis]).any(axis=1))
    if k > 1:
        return np.ones(len(score), dtype=bool)
    threshold = 0.5 if score.min() >= 0 and score.max() <= 1 else 0
    return np.asarray((score > threshold) == own)


def _columns_of(true: NDArray[Any], columns: int, labels: Any) -> NDArray[Any]:
    """The classes that the columns of scores are of."""
    if labels is None:
        classes = np.unique(true)
        if len(classes) != columns:
            raise InputError(
                f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in 'y_score' ({columns})."
                "You can provide a list of all known classes by assigning it to the `labels` parameter."
            )
    else:
        given = column_or_1d(labels)
        classes = np.unique(given)
        if len(classes) != len(given):
            raise InputError("Parameter 'labels' must be unique.")
        if not np.array_equal(classes, given):
            raise InputError("Parameter 'labels' must be ordered.")
        if len(classes) != columns:
            raise InputError(
                f"Number of given labels ({len(classes)}) not equal to the number of classes in 'y_score' ({columns})."
            )
        if len(np.setdiff1d(true, classes)):
            raise InputError("'y_true' contains labels not in parameter 'labels'.")
    return classes


def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: object = None,
    n_bins: int = 5,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The calibration curve, or reliability diagram: how often what was given a probability came true.

    Formula: of each bin, positives / rows against the mean probability. Bins without rows are left out. Source:
    Niculescu-Mizil and Caruana 2005, doi 10.1145/1102351.1102430.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels of two classes; {0, 1} or {-1, 1} unless `pos_label` is given.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class, in [0, 1].
    pos_label : label, optional
        The positive class.
    n_bins : int
        The number of bins.
    strategy : "uniform" or "quantile"
        Bins of one width over [0, 1], or of as many rows.

    Returns
    -------
    prob_true, prob_pred : ndarray of shape (m,), float64
        For each bin with rows: the fraction of positives, and the mean probability.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import calibration_curve
    >>> true, pred = calibration_curve([0, 0, 0, 0, 1, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.65, 0.7, 0.8, 0.9, 1.0], n_bins=3)
    >>> true.tolist(), pred.round(3).tolist()
    ([0.0, 0.5, 1.0], [0.2, 0.525, 0.85])
    """
    if type(n_bins) is not int or n_bins < 1 or strategy not in _STRATEGIES:
        _check_calibration(y_true, y_prob, pos_label, n_bins, strategy)
    try:
        prob_true, prob_pred, text = calibration_bins(y_true, y_prob, pos_label, n_bins, strategy)
        _plain(y_true, text, 1.0)
    except (RocksteadyError, OverflowError):
        _check_calibration(y_true, y_prob, pos_label, n_bins, strategy)
        return _calibrated(y_true, y_prob, pos_label, n_bins, strategy)
    return prob_true, prob_pred


_STRATEGIES = ("uniform", "quantile")


def _check_calibration(y_true: Any, y_prob: Any, pos_label: Any, n_bins: Any, strategy: Any) -> None:
    check_parameters(
        "calibration_curve",
        {"y_true": y_true, "y_prob": y_prob, "pos_label": pos_label, "n_bins": n_bins, "strategy": strategy},
    )


def _calibrated(
    y_true: Any, y_prob: Any, pos_label: Any, n_bins: int, strategy: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    true, prob = column_or_1d(y_true), column_or_1d(y_prob)
    check_consistent_length(true, prob)
    pos_label = check_pos_label_consistency(pos_label, true)
    if prob.min() < 0 or prob.max() > 1:
        raise InputError("y_prob has values outside [0, 1].")
    labels = np.unique(true)
    if len(labels) > 2:
        raise InputError(f"Only binary classification is supported. Provided labels {labels}.")
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.percentile(prob, edges * 100)
    bins = np.searchsorted(edges[1:-1], prob)
    rows = np.bincount(bins, minlength=n_bins)
    filled = rows != 0
    sums = (np.bincount(bins, weights=column, minlength=n_bins) for column in (true == pos_label, prob))
    prob_true, prob_pred = (column[filled] / rows[filled] for column in sums)
    return prob_true, prob_pred

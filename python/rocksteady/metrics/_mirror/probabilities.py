"""Mirrors of the metrics of probabilities, and of scores of several classes.

Where the core cannot be asked again they follow scikit-learn's definitions with numpy: for indicators of several labels
a row, and for weights of either sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics._parameters import UnusableError, check_parameters
from rocksteady.metrics._validation import (
    as_numbers,
    assert_all_finite,
    check_array,
    check_consistent_length,
    check_pos_label_consistency,
    check_sample_weight,
    column_or_1d,
    distinct,
    encode,
    flattened,
    not_of_classes,
    num_samples,
    type_of_target,
    unique_labels,
    warn,
    warn_undefined,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_PROBABILITIES = "The y_prob values do not sum to one. Make sure to pass probabilities."
_TOO_FEW = "D^2 score is not well-defined with less than two samples."
_BOTH = "Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead."
_RENAMED = "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use `y_proba` instead."
_NO_BINARIZATION = "Multioutput target data is not supported with label binarization"


# Losses --------------------------------------------------------------------------------------------------------------


def log_loss(y_true: Any, y_proba: Any, normalize: Any, sample_weight: Any, labels: Any) -> float:
    check_parameters("log_loss", locals())
    given = _probabilities(y_proba)
    losses = _log_losses(*_several_classes(y_true, given, sample_weight, labels), _least(given))
    return float(_mean(losses, sample_weight) if normalize else _total(losses, sample_weight))


def brier_score_loss(
    y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any, labels: Any, scale_by_half: Any
) -> float:
    check_parameters("brier_score_loss", locals())
    truth, proba = _brier_arguments(y_true, y_proba, sample_weight, pos_label, labels)
    halved = proba.shape[1] < 3 if isinstance(scale_by_half, str) else scale_by_half
    score = _mean_square(truth, proba, sample_weight)
    return float(score * 0.5 if halved else score)


def d2_log_loss_score(y_true: Any, y_proba: Any, sample_weight: Any, labels: Any) -> float:
    check_parameters("d2_log_loss_score", locals())
    if _are_too_few(y_true, y_proba, sample_weight):
        return float("nan")
    given = _probabilities(y_proba)
    truth, proba = _several_classes(y_true, given, sample_weight, labels)
    null = np.broadcast_to(_mean(truth, sample_weight), proba.shape)
    losses = _log_losses(truth, proba, _least(given)), _log_losses(truth, null, _least(null))
    loss, least = (np.float64(_total(each, sample_weight)) for each in losses)
    if least == 0:
        warn_undefined("D^2 score is not well-defined where the null model has no loss.")
        return float("nan")
    return float(1 - loss / least)


def d2_brier_score(y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any, labels: Any) -> float:
    check_parameters("d2_brier_score", locals())
    if _are_too_few(y_true, y_proba, sample_weight):
        return float("nan")
    truth, proba = _brier_arguments(y_true, y_proba, sample_weight, pos_label, labels)
    null = np.broadcast_to(_mean(truth, sample_weight), proba.shape)
    return float(1 - _mean_square(truth, proba, sample_weight) / _mean_square(truth, null, sample_weight))


def _are_too_few(y_true: Any, y_proba: Any, sample_weight: Any) -> bool:
    check_consistent_length(y_proba, y_true, sample_weight)
    if num_samples(y_proba) >= 2:
        return False
    warn_undefined(_TOO_FEW)
    return True


def _probabilities(y_proba: Any) -> NDArray[Any]:
    proba: NDArray[Any] = check_array(y_proba, dtype="float", ensure_2d=False)
    return proba


def renamed(function: str, arguments: dict[str, Any]) -> Any:
    """The probabilities where they came as `y_pred`, the old name."""
    check_parameters(function, arguments)
    if arguments["y_proba"] is not None:
        raise InputError(_BOTH)
    warn(_RENAMED, FutureWarning)
    return arguments["y_pred"]


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
        raise UnusableError(f"Unknown label type: {(values,)!r}")
    if not hasattr(values, "__array__"):
        try:
            found = set(values)
        except TypeError as error:
            raise InputTypeError(str(error)) from error
        if len({isinstance(label, str) for label in found}) > 1:
            raise InputError(f"Mix of label input types (string and number); Got {np.unique(np.asarray(values))}.")
    return kind, unique_labels(column_or_1d(values), kind=kind)


def _indicator(y_true: Any, labels: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """A column of ones and zeros for each class, and the classes."""
    fitted, classes = _fitted(y_true if labels is None else labels)
    if labels is not None:
        if fitted == "multilabel-indicator":
            raise InputError(f"labels of shape {np.shape(labels)}; expected shape (K,)")
        if not np.all(classes == labels):
            warn(
                f"Labels passed were {labels}. But this function assumes labels are ordered lexicographically. Pass "
                f"the ordered labels={classes.tolist()} and ensure that the columns of y_prob correspond to this "
                "ordering."
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
    """The indicator of the classes and a column of probabilities for each, in double precision."""
    if proba.max() > 1:
        raise InputError(f"y_prob contains values greater than 1: {proba.max()}")
    if proba.min() < 0:
        raise InputError(f"y_prob contains values lower than 0: {proba.min()}")
    check_consistent_length(proba, y_true, sample_weight)
    if sample_weight is not None:
        check_sample_weight(sample_weight, proba)
    truth, classes = _indicator(y_true, labels)
    tolerance = float(np.sqrt(_least(proba)))
    proba = proba.astype(np.float64)
    if proba.ndim == 1:
        proba = proba[:, np.newaxis]
    if proba.shape[1] == 1:
        proba = np.hstack([1 - proba, proba])
    if not np.allclose(proba.sum(axis=1), 1, rtol=tolerance):
        warn(NO_PROBABILITIES)
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
            f"The type of the target inferred from y_true is {kind} but should be binary according to the shape of "
            "y_prob."
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
    proba = proba.astype(np.float64)
    return np.stack([1 - positive, positive], axis=1), np.stack([1 - proba, proba], axis=1)


def _least(proba: NDArray[Any]) -> float:
    """How near to 0 and 1 scikit-learn lets probabilities come: by the dtype in which they came."""
    return float(np.finfo(proba.dtype).eps)


def _log_losses(truth: NDArray[Any], proba: NDArray[Any], epsilon: float) -> NDArray[Any]:
    losses: NDArray[Any] = truth * -np.log(np.clip(proba, epsilon, 1 - epsilon))
    return np.asarray(losses.sum(axis=1))


def _total(losses: NDArray[Any], weights: Any) -> Any:
    return losses.sum() if weights is None else np.dot(losses, as_numbers(np.asarray(weights)))


def _mean(rows: NDArray[Any], weights: Any) -> Any:
    weights = None if weights is None else as_numbers(np.asarray(weights))
    return np.average(rows, axis=0 if rows.ndim > 1 else None, weights=weights)


def _mean_square(truth: NDArray[Any], proba: NDArray[Any], weights: Any) -> Any:
    return _mean(((truth - proba) ** 2).sum(axis=1), weights)


def _brier_arguments(
    y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any, labels: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    proba = _probabilities(y_proba)
    if proba.ndim == 1 or proba.shape[1] == 1:
        truth, proba = _two_classes(y_true, proba, sample_weight, pos_label)
    else:
        truth, proba = _several_classes(y_true, proba, sample_weight, labels)
    return truth.astype(np.float64), proba


# Decisions and scores of several classes -----------------------------------------------------------------------------


def hinge_loss(y_true: Any, pred_decision: Any, labels: Any, sample_weight: Any) -> float:
    check_parameters("hinge_loss", locals())
    losses = np.clip(1 - _margins(y_true, pred_decision, labels, sample_weight), 0, None)
    return float(_mean(losses, sample_weight))


def _margins(y_true: Any, pred_decision: Any, labels: Any, sample_weight: Any) -> NDArray[Any]:
    check_consistent_length(y_true, pred_decision, sample_weight)
    decisions = check_array(pred_decision, ensure_2d=False)
    if decisions.dtype.kind == "f":
        decisions = decisions.astype(np.float64)
    true = column_or_1d(y_true)
    classes = distinct(true if labels is None else np.asarray(labels))
    if labels is not None and len(classes) > 2:
        flattened(np.asarray(labels))
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
    unseen = np.setdiff1d(distinct(true), classes)
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


def top_k_accuracy_score(y_true: Any, y_score: Any, k: Any, normalize: Any, sample_weight: Any, labels: Any) -> float:
    check_parameters("top_k_accuracy_score", locals())
    places = _hits(y_true, y_score, int(k), sample_weight, labels)
    return float(_mean(places, sample_weight) if normalize else _total(places, sample_weight))


def warn_perfect(k: int, classes: int) -> None:
    """Warns that all classes count."""
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
                f"`y_true` is binary while y_score is 2d with {score.shape[1]} classes. If `y_true` does not contain "
                "all the labels, `labels` must be provided."
            )
        score = column_or_1d(score)
    elif score.ndim != 2:
        raise not_of_classes(score.shape)
    check_consistent_length(true, score, sample_weight)
    classes = _columns_of(true, score.shape[1] if score.ndim == 2 else 2, labels)
    if k >= len(classes):
        warn_perfect(k, len(classes))
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
        classes = distinct(true)
        if len(classes) != columns:
            raise InputError(
                f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in 'y_score' "
                f"({columns}).You can provide a list of all known classes by assigning it to the `labels` parameter."
            )
    else:
        given = column_or_1d(labels)
        classes = _distinct_labels(given)
        if len(classes) != len(given):
            raise InputError("Parameter 'labels' must be unique.")
        if not np.array_equal(classes, given):
            raise InputError("Parameter 'labels' must be ordered.")
        if len(classes) != columns:
            raise InputError(
                f"Number of given labels ({len(classes)}) not equal to the number of classes in 'y_score' ({columns})."
            )
        if len(np.setdiff1d(distinct(true), distinct(classes))):
            raise InputError("'y_true' contains labels not in parameter 'labels'.")
    return classes


def _distinct_labels(labels: NDArray[Any]) -> NDArray[Any]:
    """The distinct labels, ascending; None stands last, as in scikit-learn."""
    if labels.dtype != object or None not in labels.tolist():
        return distinct(labels)
    known = distinct(np.array([label for label in labels.tolist() if label is not None], dtype=object))
    return np.array([*known, None], dtype=object)


def calibration_curve(
    y_true: Any, y_prob: Any, pos_label: Any, n_bins: int, strategy: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    check_parameters("calibration_curve", locals())
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

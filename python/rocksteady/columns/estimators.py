"""What a fitted estimator answers: whether it is a classifier, and its predictions. scikit-learn is not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import shown
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PROBABILITIES = ("predict_proba", "predict_log_proba")


def estimator_type(estimator: Any) -> str | None:
    """What it says that it is: "classifier", "regressor", ...; None if it says nothing."""
    tags = getattr(estimator, "__sklearn_tags__", None)
    kind = getattr(estimator, "_estimator_type", None) if tags is None else tags().estimator_type
    return kind if kind is None or isinstance(kind, str) else None


def is_classifier(estimator: Any) -> bool:
    """Whether it says so; an object that says nothing is one if it has classes."""
    kind = estimator_type(estimator)
    if kind is None and not hasattr(estimator, "__sklearn_tags__"):
        return hasattr(estimator, "classes_")
    return kind == "classifier"


def response_method(estimator: Any, wanted: str | Iterable[str]) -> Callable[..., Any]:
    """The first of the wanted methods that the estimator has."""
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    for name in names:
        method: Callable[..., Any] | None = getattr(estimator, name, None)
        if method is not None:
            return method
    listed = ", ".join(names)
    raise AttributeError(f"{type(estimator).__name__} has none of the following attributes: {listed}.")


def method_name(method: Any) -> str:
    """The name of a method, also of a partial one."""
    name: str | None = getattr(method, "__name__", None)
    return method_name(method.func) if name is None else name


def response(
    estimator: Any,
    X: Any,
    wanted: str | Iterable[str],
    pos_label: Any,
    *,
    refusal: Callable[[str], Exception] = InputError,
) -> Any:
    """What the estimator predicts, in the shape that metrics take: with two classes a column, for the positive one."""
    method = response_method(estimator, wanted)
    if not is_classifier(estimator):
        return method(X)
    classes = estimator.classes_
    kind = _kind_of(classes)
    if kind == "binary":
        if pos_label is None:
            pos_label = classes[-1]
        elif not np.isscalar(pos_label) or pos_label not in np.asarray(classes).tolist():
            given: Any = pos_label if np.isscalar(pos_label) else shown(pos_label)
            raise refusal(f"pos_label={given} is not a valid label: It should be one of {classes}")
    values, name = method(X), method_name(method)
    if isinstance(values, list) and kind == "binary" and name != "predict":
        values = np.asarray(values)
    if name in _PROBABILITIES:
        return _probabilities(values, kind, classes, pos_label, refusal)
    if name == "decision_function" and kind == "binary" and pos_label == classes[0]:
        return -1 * values
    return values


def _kind_of(classes: Any) -> str:
    if len(classes) and np.ndim(classes[0]):
        return "multilabel-indicator"
    return "binary" if len(classes) <= 2 else "multiclass"


def _probabilities(values: Any, kind: str, classes: Any, pos_label: Any, refusal: Callable[[str], Exception]) -> Any:
    if kind == "binary":
        if values.shape[1] < 2:
            raise refusal(f"Got predict_proba of shape {values.shape}, but need classifier with two classes.")
        return values[:, np.flatnonzero(np.asarray(classes) == pos_label)[0]]
    if kind == "multilabel-indicator" and isinstance(values, list):
        return np.vstack([column[:, -1] for column in values]).T
    return values

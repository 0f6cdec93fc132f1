"""Score tables of models or of classes, from the input of a display."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from rocksteady.base.arguments import labels_of, string, wrong_type, wrong_value
from rocksteady.base.named_columns import by_name, model_names, of_one_classifier
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.columns.estimators import is_classifier, response
from rocksteady.columns.pairing import paired, without_index
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.models.counting import ranked
from rocksteady.scores.score_table import ScoreTable


def tables_of(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    names: Any = None,
) -> Any:
    """The score tables of rows: of one column of scores or of several, of two classes or of more.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    y_score : array-like of shape (n,) or (n, m), data frame, or mapping from names to columns
        Of two classes a column is a model, but for two unnamed columns whose rows add up to 1: those are one
        classifier's probabilities. Of K classes K columns are one model, and a mapping has several of them.
    labels : array-like of K labels, optional
        The classes, where not all of them occur.
    names : str or list of str, optional
        The names of the models, unless `y_score` has them.
    """
    paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
    y_true = without_index(y_true)
    count = len(ConfusionMatrix(y_true, y_true).labels) if labels is None else len(labels_of(labels, "labels"))
    if count <= 2 and (names is None or isinstance(names, str)) and of_one_classifier(y_score):
        found = ranked(y_true, y_score, sample_weight, pos_label, labels, of_classes=True)
        return found if names is None else {names: found}
    if isinstance(y_score, Mapping) and not y_score:
        raise wrong_value(y_score, "y_score", "at least one model")
    if count > 2:
        _no_positive(pos_label, count)
    read: dict[Any, Any] = {}
    for name, scores in _models(y_score, names, dimensions=1 if count <= 2 else 2).items():
        read[name] = ranked(y_true, scores, sample_weight, pos_label, labels, of_classes=count > 2)
    return read.get(None, read)


def _no_positive(pos_label: Any, count: int) -> None:
    if pos_label is not None:
        raise wrong_value(pos_label, "pos_label", f"None, as there are {count} classes")


def _models(y_score: Any, names: Any, dimensions: int) -> dict[Any, Any]:
    """Scores by the name of their model; a single model may be unnamed."""
    if y_score is None:
        raise wrong_type(y_score, "y_score", "a column of scores, or several")
    models = by_name(
        y_score, "y_score", model_names([names] if isinstance(names, str) else names, "name"), each=dimensions
    )
    named = names is not None or isinstance(y_score, Mapping) or (dimensions == 1 and hasattr(y_score, "columns"))
    return models if named or len(models) > 1 else {None: next(iter(models.values()))}


def tables_of_estimators(
    estimator: Any, X: Any, y: Any, *, sample_weight: Any, pos_label: Any, name: Any, method: Any
) -> Any:
    """The score tables of a fitted classifier, or of a mapping from names to several, on the rows of `X`."""
    models: Mapping[Any, Any]
    if isinstance(estimator, Mapping):
        if not estimator:
            raise wrong_value(estimator, "estimator", "at least one")
        if name is not None:
            raise wrong_value(name, "name", "None, as the estimators have names")
        models = {
            string(each, "estimator", "estimators by names, which are strings"): estimator[each] for each in estimator
        }
    else:
        models = {type(estimator).__name__ if name is None else string(name, "name"): estimator}
    read: dict[str, Any] = {}
    for each, model in models.items():
        scores, classes, positive = _asked(model, X, pos_label, method)
        if len(classes) > 2:
            _no_positive(pos_label, len(classes))
            read[each] = ScoreTables(y, scores, labels=classes, sample_weight=sample_weight)
        else:
            read[each] = ScoreTable(y, scores, pos_label=positive, sample_weight=sample_weight)
    return read


def _asked(estimator: Any, X: Any, pos_label: Any, method: Any) -> tuple[Any, Any, Any]:
    """An estimator's scores, its classes, and the positive one of two."""
    if hasattr(estimator, "__sklearn_tags__"):
        import_module("sklearn.utils.validation").check_is_fitted(estimator)  # the estimator is scikit-learn's
    if not is_classifier(estimator):
        raise wrong_type(estimator, "estimator", "a fitted classifier")
    classes = np.asarray(estimator.classes_)
    if classes.ndim != 1:
        raise wrong_type(estimator, "estimator", "a classifier whose classes_ are a list of labels")
    if len(classes) == 2 and pos_label is None:
        pos_label = classes.tolist()[-1]
    if len(classes) > 2:
        used = next(
            (name for name in ([method] if isinstance(method, str) else method) if hasattr(estimator, name)), None
        )
        if used == "decision_function" and _decides_on_pairs(estimator):
            raise wrong_type(estimator, "estimator", "one that decides on classes, not on pairs of them ('ovo')")
    return response(estimator, X, method, pos_label), classes, pos_label


def _decides_on_pairs(estimator: Any) -> bool:
    """Whether a column stands for a pair of classes. Three classes have three pairs, so the shape does not tell."""
    while (inner := getattr(estimator, "best_estimator_", None)) is not None or hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1] if inner is None else inner
    return getattr(estimator, "decision_function_shape", None) == "ovo"

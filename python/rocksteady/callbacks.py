"""Evaluation functions for the training loops of LightGBM, XGBoost and CatBoost.

A training loop can report every index of the registry, every scorer and the common functions of `rocksteady.metrics`.
All of them use the weights of the data set:

    lightgbm.train(options, data, valid_sets=[held_out], feval=rocksteady.callbacks.lightgbm("ks"))
    xgboost.train(options, data, evals=[(held_out, "held out")], custom_metric=rocksteady.callbacks.xgboost("roc_auc"))
    catboost.CatBoostClassifier(eval_metric=rocksteady.callbacks.catboost("mcc", threshold=0.5))

``LGBMClassifier.fit`` and ``XGBClassifier`` take them as `eval_metric`.

- An index of counts needs classes. With two classes, the second is predicted where its probability is at least
  `threshold`. With more, the most probable class is predicted. An index without a value for the whole matrix is
  averaged over the classes.
- An index of scores takes the scores as they are.
- An index of probabilities takes probabilities.

This module imports none of the three packages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from inspect import signature
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np

from rocksteady import metrics
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError
from rocksteady.labels.confusion import Average, ConfusionMatrix
from rocksteady.metrics import _scorer
from rocksteady.registry.registry import index
from rocksteady.scores.probability_sums import ProbabilitySums
from rocksteady.scores.score_table import ScoreTable

__all__ = ["CatBoostMetric", "Evaluation", "catboost", "lightgbm", "xgboost"]

# Takes true classes, predictions and weights.
_Measure = Callable[[Any, Any, Any], float]
_Kind = Literal["classes", "scores", "probabilities"]

_DATA = ("y_true", "y_pred", "y_score", "y_proba", "pred_decision", "sample_weight")
# Functions of `rocksteady.metrics` without a scorer, and whether higher is better. All of them take classes.
_OF_CLASSES = {"cohen_kappa_score": True, "fbeta_score": True, "hamming_loss": False}
# Indices of scores and probabilities that are defined for more than two classes, and the function that computes them.
_OF_SEVERAL: dict[str, tuple[str, dict[str, Any]]] = {
    "roc_auc": ("roc_auc_score", {"multi_class": "ovr"}),
    "log_loss": ("log_loss", {}),
    "brier": ("brier_score_loss", {}),
}


@dataclass(frozen=True)
class Evaluation:
    """One metric of predictions, ready for a training loop.

    Attributes
    ----------
    name : str
        The metric's name in the log.
    greater_is_better : bool
        Whether higher is better. Some loops need it: ``xgboost.callback.EarlyStopping(maximize=…)``.
    threshold : float or None
        The threshold that the caller passed.
    margins : bool
        Whether predictions are log odds.
    """

    name: str
    greater_is_better: bool
    threshold: float | None
    margins: bool
    _kind: _Kind = field(repr=False)
    _two: _Measure = field(repr=False)
    _several: _Measure | None = field(repr=False)

    def value(self, y_true: Any, predictions: Any, sample_weight: Any = None) -> float:
        """Value of the metric.

        Parameters
        ----------
        y_true : array of shape (n,)
            Classes, numbered from 0.
        predictions : array of shape (n,) or (n, K)
            With two classes, the predictions of the second. With more, one column per class. With ``threshold=None``,
            classes.
        sample_weight : array of shape (n,), optional

        Raises
        ------
        rocksteady.InputError
            If the metric is not defined for more than two classes, or the arrays cannot be used. For example, log odds
            without ``margins=True``.

        >>> from rocksteady.callbacks import Evaluation, lightgbm
        >>> lightgbm("mcc", threshold=0.4).evaluation.value([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        0.0
        """
        predictions = np.asarray(predictions)
        several = predictions.ndim == 2 and predictions.shape[1] > 1
        if predictions.ndim == 2 and not several:
            predictions = predictions[:, 0]
        if several and self._several is None:
            raise InputError(f"{self.name} has no value for more than two classes", argument="predictions")
        if self._kind == "classes":
            predictions = self._classes(predictions, several)
        elif self._kind == "probabilities" and self.margins:
            predictions = _softmax(predictions) if several else np.exp(-np.logaddexp(0, -predictions))
        measure = self._several if several and self._several is not None else self._two
        return float(measure(y_true, predictions, sample_weight))

    def _classes(self, predictions: Any, several: bool) -> Any:
        if several:
            return predictions.argmax(axis=1)
        if self.threshold is None:
            return predictions
        if self.margins:
            return (predictions >= _log_odds(self.threshold)).view(np.int8)
        wrong = ~((predictions >= 0) & (predictions <= 1))
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"predictions[{row}] is {predictions[row]}; expected a probability in [0, 1]; pass margins=True for "
                "log odds, threshold=None for classes",
                argument="predictions",
                row=row,
            )
        return (predictions >= self.threshold).view(np.int8)


def _log_odds(probability: float) -> float:
    if probability <= 0:
        return -math.inf
    return math.inf if probability >= 1 else math.log(probability) - math.log1p(-probability)


def _softmax(margins: Any) -> Any:
    powers = np.exp(margins - margins.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


# The metrics ------------------------------------------------------------------------------------------------------


def _check(threshold: Any, average: object, greater_is_better: object, label: object) -> None:
    """Refuse options before training starts, not in the middle of it."""
    if threshold is not None and not (isinstance(threshold, Real) and 0 <= float(threshold) <= 1):
        raise InputError(f"threshold is {threshold!r}; expected a number in [0, 1], or None", argument="threshold")
    if average not in get_args(Average):
        raise InputError(f"average is {average!r}; expected one of {get_args(Average)}", argument="average")
    if greater_is_better is not None and not isinstance(greater_is_better, bool):
        raise InputTypeError(
            f"greater_is_better is {greater_is_better!r}; expected True, False or None", argument="greater_is_better"
        )
    if label is not None and not (isinstance(label, str) and label):
        raise InputTypeError(f"label is {label!r}; expected text", argument="label")


def _check_parameters(name: str, parameters: Iterable[str], known: Iterable[str]) -> None:
    unknown = [parameter for parameter in parameters if parameter not in known]
    if unknown:
        listed = ", ".join(known) or "none"
        raise InputError(f"{name!r} has no parameter {unknown[0]!r}; its parameters: {listed}", argument=unknown[0])


def _evaluation(
    name: str,
    threshold: float | None,
    average: Average,
    margins: bool,
    greater_is_better: bool | None,
    label: str | None,
    parameters: dict[str, Any],
) -> Evaluation:
    _check(threshold, average, greater_is_better, label)
    better: bool | None
    kind: _Kind
    several: _Measure | None
    try:
        row = index(name)
    except UnknownIndexError:
        row = None
    # A function has more parameters than the index that has its name as an alias.
    if row is None or (row.name != name and name in {*_functions(), *_OF_CLASSES}):
        better, kind, two, several = _function(name, average, parameters)
    else:
        known = [parameter.name for parameter in row.parameters]
        if row.name in _OF_SEVERAL:
            known += _options(_OF_SEVERAL[row.name][0])
        _check_parameters(name, parameters, known)
        two, several = partial(_index, row.name, parameters), None
        better = {"higher": True, "lower": False}.get(row.better)
        if "counts" in row.forms or "matrix" in row.forms:
            kind = "classes"
            counted = partial(_counted, row.name, "matrix" in row.forms, average, parameters)
            two, several = partial(counted, "given" if threshold is None else "two"), partial(counted, "several")
        else:
            kind = "probabilities" if row.family in ("probability", "calibration") else "scores"
            if "score_tables" in row.forms:
                several = partial(_ranked, row.name, parameters)
                two = two if "scores" in row.forms else several
            if row.name in _OF_SEVERAL:
                function, options = _OF_SEVERAL[row.name]
                several = partial(_called, function, 1, {**options, **parameters})
    if greater_is_better is not None:
        better = greater_is_better
    if better is None:
        raise InputError(f"neither way is better for {name!r}; pass greater_is_better", argument="greater_is_better")
    return Evaluation(label or name, better, threshold, margins, kind, two, several)


def _functions() -> dict[str, tuple[int, Any]]:
    """The functions of `rocksteady.metrics` that have a scorer, with its sign and what it reads."""
    return {function: (sign, response) for function, sign, _, response in _scorer._SCORERS.values()}


def _options(function: str) -> list[str]:
    """The parameters of a function of `rocksteady.metrics`, without its data."""
    return [name for name in signature(_scorer._metric(function)).parameters if name not in _DATA]


def _function(name: str, average: Average, parameters: dict[str, Any]) -> tuple[bool, _Kind, _Measure, _Measure]:
    """Look up a scorer, or a function of `rocksteady.metrics`, by name."""
    kinds: dict[Any, _Kind] = {"predict": "classes", "predict_proba": "probabilities"}
    functions = _functions()
    if name in _scorer._SCORERS:
        function, sign, options, response = _scorer._SCORERS[name]
        kind, better = kinds.get(response, "scores"), True
    elif name in functions:
        sign, response = functions[name]
        function, options, kind, better, sign = name, {}, kinds.get(response, "scores"), sign > 0, 1
    elif name in _OF_CLASSES:
        function, options, kind, better, sign = name, {}, "classes", _OF_CLASSES[name], 1
    else:
        raise UnknownIndexError(
            f"there is no index, no scorer and no function of labels and predictions called {name!r}; see "
            "rocksteady.indices() and rocksteady.metrics.get_scorer_names()"
        )
    known = _options(function)
    _check_parameters(name, parameters, known)
    options = {**options, **parameters}
    if function == "fbeta_score" and "beta" not in options:
        raise InputError("fbeta_score needs beta", argument="beta")
    two = several = partial(_called, function, sign, options)
    if kind == "classes" and "average" in known and options.get("average", "binary") == "binary":
        several = partial(_called, function, sign, {**options, "average": average})
    return better, kind, two, several


def _index(name: str, parameters: dict[str, Any], y_true: Any, scores: Any, weights: Any) -> float:
    """Compute an index of the scores or probabilities of two classes."""
    if name == "roc_auc":
        return float(metrics.roc_auc_score(y_true, scores, sample_weight=weights))
    statistic = ProbabilitySums if "probabilities" in index(name).forms else ScoreTable
    return statistic(y_true, scores, pos_label=1, sample_weight=weights).value(name, **parameters)


def _ranked(name: str, parameters: dict[str, Any], y_true: Any, scores: Any, weights: Any) -> float:
    """Compute an index of the scores of several classes. A single column belongs to the second of two classes."""
    columns = scores if scores.ndim == 2 else np.column_stack([1 - scores, scores])
    labels = np.arange(columns.shape[1])
    return ScoreTables(y_true, columns, labels=labels, sample_weight=weights).value(name, **parameters)


def _counted(
    name: str,
    overall: bool,
    average: Average,
    parameters: dict[str, Any],
    classes: Literal["two", "several", "given"],
    y_true: Any,
    predicted: Any,
    weights: Any,
) -> float:
    """Compute an index of a confusion matrix. With "given" the data decide on the number of classes."""
    if classes == "two":
        matrix = ConfusionMatrix(y_true, predicted, labels=[0, 1], pos_label=1, sample_weight=weights, strict=True)
    else:
        matrix = ConfusionMatrix(y_true, predicted, sample_weight=weights)
    if overall or (classes != "several" and matrix.pos_label is not None):
        return matrix.value(name, **parameters)
    return matrix.value(name, average=average, **parameters)


def _called(function: str, sign: int, options: dict[str, Any], y_true: Any, predictions: Any, weights: Any) -> float:
    """Call a function of `rocksteady.metrics`."""
    if predictions.ndim == 2:
        classes = np.arange(predictions.shape[1])
        if function in ("roc_auc_score", "top_k_accuracy_score", "log_loss", "brier_score_loss"):
            options = {"labels": classes, **options}
        if function == "roc_auc_score":
            options = {"multi_class": "ovr", **options}
    if weights is not None:
        options = {**options, "sample_weight": weights}
    value: float = _scorer._metric(function)(y_true, predictions, **options)
    return sign * value


# The three loops --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _LightGBM:
    evaluation: Evaluation

    def __call__(self, predictions: Any, data: Any, weights: Any = None) -> tuple[str, float, bool]:
        evaluation = self.evaluation
        if hasattr(data, "get_label"):
            value = evaluation.value(data.get_label(), predictions, _weights(data))
        else:  # LGBMClassifier passes labels, predictions and weights
            value = evaluation.value(predictions, data, weights)
        return evaluation.name, value, evaluation.greater_is_better


@dataclass(frozen=True)
class _XGBoost:
    evaluation: Evaluation

    @property
    def greater_is_better(self) -> bool:
        """For ``EarlyStopping(maximize=…)``."""
        return self.evaluation.greater_is_better

    @property
    def __name__(self) -> str:
        return self.evaluation.name

    def __call__(self, predictions: Any, data: Any, sample_weight: Any = None) -> tuple[str, float] | float:
        if hasattr(data, "get_label"):
            return self.evaluation.name, self.evaluation.value(data.get_label(), predictions, _weights(data))
        # XGBClassifier passes labels, predictions and weights, and expects the value alone.
        return self.evaluation.value(predictions, data, sample_weight)


def _weights(data: Any) -> Any:
    weights = data.get_weight()
    return None if weights is None or len(weights) == 0 else weights


@dataclass(frozen=True)
class CatBoostMetric:
    """An `eval_metric` for CatBoost, made by `catboost`."""

    evaluation: Evaluation

    # With numba installed, CatBoost would compile the methods. They already call compiled code.
    no_jit = True

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self.evaluation,)

    def __deepcopy__(self, memo: Any) -> CatBoostMetric:
        # The object is immutable, and `sklearn.base.clone` checks that CatBoost keeps this same object.
        return self

    def is_max_optimal(self) -> bool:
        """Whether higher is better."""
        return self.evaluation.greater_is_better

    def evaluate(self, approxes: Any, target: Any, weight: Any) -> tuple[float, float]:
        """Value of the metric for the margins, and 1."""
        margins = approxes[0] if len(approxes) == 1 else np.column_stack(approxes)
        return self.evaluation.value(target, margins, weight), 1.0

    def get_final_error(self, error: float, weight: float) -> float:  # noqa: ARG002 - CatBoost passes both
        """Value of the metric."""
        return error

    def __str__(self) -> str:
        return self.evaluation.name


@cache
def _named_class(name: str) -> type[CatBoostMetric]:
    return type(name, (CatBoostMetric,), {"__module__": __name__})


def _named(evaluation: Evaluation) -> CatBoostMetric:
    # CatBoost logs the name of the class.
    return _named_class(evaluation.name)(evaluation)


def lightgbm(
    name: str,
    *,
    threshold: float | None = 0.5,
    average: Average = "macro",
    margins: bool = False,
    greater_is_better: bool | None = None,
    label: str | None = None,
    **parameters: Any,
) -> _LightGBM:
    """A `feval` for ``lightgbm.train`` and ``lightgbm.cv``, and an `eval_metric` for ``LGBMClassifier.fit``.

    Parameters
    ----------
    name : str
        An index (`rocksteady.indices`), a scorer (`rocksteady.metrics.get_scorer_names`) or a function of
        `rocksteady.metrics`.
    threshold : float or None
        In [0, 1]. For metrics of two classes: the second class is predicted where its probability is at least
        `threshold`. None if the model predicts classes.
    average : {"macro", "micro", "weighted"}
        How to average over more than two classes, for per-class indices and functions such as "f1_score".
    margins : bool
        Whether the predictions are log odds, as with a custom objective function. The threshold is still a probability.
    greater_is_better : bool, optional
        Default: the direction of the index. An index whose direction is "neither" needs it.
    label : str, optional
        The name in the log. Default: `name`.
    **parameters
        Parameters of the metric, such as ``beta=2`` for "fbeta".

    Returns
    -------
    callable
        ``(predictions, data) -> (name, value, greater_is_better)``, also callable with labels, predictions and weights.

    Raises
    ------
    rocksteady.UnknownIndexError
        If there is no metric of that name.
    rocksteady.InputError, rocksteady.InputTypeError
        If an option has another value, or the metric has no such parameter. If `greater_is_better` is None and the
        direction of the index is "neither".

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> from rocksteady import callbacks
    >>> data = SimpleNamespace(get_label=lambda: np.array([0, 0, 1, 1], "f"), get_weight=lambda: None)
    >>> callbacks.lightgbm("ks")(np.array([0.1, 0.4, 0.35, 0.8]), data)
    ('ks', 0.5, True)
    """
    return _LightGBM(_evaluation(name, threshold, average, margins, greater_is_better, label, parameters))


def xgboost(
    name: str,
    *,
    threshold: float | None = 0.5,
    average: Average = "macro",
    margins: bool = False,
    greater_is_better: bool | None = None,
    label: str | None = None,
    **parameters: Any,
) -> _XGBoost:
    """A `custom_metric` for ``xgboost.train`` and ``xgboost.cv``, and an `eval_metric` for ``XGBClassifier``.

    Early stopping needs the direction: ``EarlyStopping(maximize=metric.greater_is_better, …)``. With
    `early_stopping_rounds` alone, XGBoost assumes that lower is better. With the objective "multi:softmax" XGBoost
    predicts classes: use ``threshold=None``, or the objective "multi:softprob".

    Parameters
    ----------
    name, threshold, average, margins, greater_is_better, label, **parameters
        As for `lightgbm`.

    Returns
    -------
    callable
        ``(predictions, data) -> (name, value)``, also callable as ``(labels, predictions, sample_weight=None) ->
        value``. It has the attribute `greater_is_better`.

    Raises
    ------
    rocksteady.UnknownIndexError, rocksteady.InputError
        As for `lightgbm`, and for a label with a space or a colon.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> from rocksteady import callbacks
    >>> data = SimpleNamespace(get_label=lambda: np.array([0, 0, 1, 1], "f"), get_weight=lambda: np.array([], "f"))
    >>> callbacks.xgboost("fbeta", beta=2, threshold=0.4)(np.array([0.1, 0.4, 0.35, 0.8], "f"), data)
    ('fbeta', 0.5)
    """
    evaluation = _evaluation(name, threshold, average, margins, greater_is_better, label, parameters)
    if ":" in evaluation.name or len(evaluation.name.split()) != 1:
        raise InputError(
            f"label is {evaluation.name!r}; expected no space and no colon: XGBoost passes values on as text",
            argument="label",
        )
    return _XGBoost(evaluation)


def catboost(
    name: str,
    *,
    threshold: float = 0.5,
    average: Average = "macro",
    greater_is_better: bool | None = None,
    label: str | None = None,
    **parameters: Any,
) -> CatBoostMetric:
    """An `eval_metric` for CatBoost.

    CatBoost passes margins (log odds). The threshold is still a probability, and metrics of probabilities get
    probabilities.

    Parameters
    ----------
    name, threshold, average, greater_is_better, label, **parameters
        As for `lightgbm`.

    Returns
    -------
    CatBoostMetric
        With the methods ``is_max_optimal``, ``evaluate`` and ``get_final_error``.

    Raises
    ------
    rocksteady.UnknownIndexError, rocksteady.InputError
        As for `lightgbm`.

    Examples
    --------
    >>> import numpy as np
    >>> from rocksteady import callbacks
    >>> metric = callbacks.catboost("mcc", threshold=0.5)
    >>> metric.is_max_optimal(), metric.evaluate((np.array([-2.0, 0.3, -0.4, 1.5]),), np.array([0.0, 0.0, 1.0, 1.0]), None)
    (True, (0.0, 1.0))
    """
    if threshold is None:
        raise InputError("threshold is None; expected a number in [0, 1]", argument="threshold")
    return _named(_evaluation(name, threshold, average, True, greater_is_better, label, parameters))


def __dir__() -> list[str]:
    return [*__all__]

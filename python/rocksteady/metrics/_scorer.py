"""scikit-learn's scorers: a metric, and how to ask an estimator for what the metric wants.

Where scikit-learn is loaded, a scorer is also an instance of scikit-learn's class of that name (made when first
needed), so that its searches, its caches and its routing of metadata know it. Where it is not, the same scorer works
with any object that has the methods.

A scorer of several metrics asks the estimator once for each method and counts once for all metrics of this package.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from inspect import Parameter, signature
from traceback import format_exc
from typing import TYPE_CHECKING, Any, Literal

from rocksteady.base.arguments import flag, one_of, wrong_type
from rocksteady.columns.estimators import estimator_type, method_name, response, response_method
from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics._drop_in import drop_in
from rocksteady.metrics._sharing import sharing
from rocksteady.metrics._warning import warn

if TYPE_CHECKING:
    from collections.abc import Iterable

Response = Literal["predict", "predict_proba", "decision_function"]

# scikit-learn's scorers are no values of these functions.
_refusing = partial(drop_in, values=False)

_METHODS = ("predict", "predict_proba", "decision_function")


def _refusal(message: str) -> ValueError:
    """The exception of a scorer: patched, scikit-learn's scorers call this module, and theirs is a plain one."""
    return InputError(message) if _others is None else ValueError(message)


# What an estimator answers --------------------------------------------------------------------------------------------


def answer(estimator: Any, wanted: str | Iterable[str], X: Any, pos_label: Any = None) -> Any:
    """What an estimator answers for rows: by the method wanted, or the first that it has of several."""
    return response(estimator, X, wanted, pos_label, refusal=_refusal)


class _Asking:
    """How scorers ask an estimator: several metrics once for each method, and what they have counted so far."""

    def __init__(self, cached: bool) -> None:
        self._answers: dict[str, Any] | None = {} if cached else None
        self.counted: dict[Any, Any] = {}

    def __call__(self, estimator: Any, response_method: str, X: Any, pos_label: Any = None) -> Any:
        if self._answers is None:
            return answer(estimator, response_method, X, pos_label)
        if response_method not in self._answers:
            self._answers[response_method] = answer(estimator, response_method, X, pos_label)
        return self._answers[response_method]


def _is_ours(metric: Any) -> bool:
    """Whether a metric is known to leave its arguments as they are, and to measure no arrays that it changes."""
    while isinstance(metric, partial):
        metric = metric.func
    if getattr(metric, "__name__", "") == "metric_at_thresholds":  # calls a function that we do not know
        return False
    module = getattr(metric, "__module__", None) or ""
    return module.startswith("rocksteady.metrics.") or hasattr(metric, "__rocksteady__")


def _measure(
    metric: Callable[..., Any], y_true: Any, y_pred: Any, options: Mapping[str, Any], counted: dict[Any, Any]
) -> Any:
    if _is_ours(metric):
        with sharing(counted):
            return metric(y_true, y_pred, **options)
    # It may change an array in place.
    counted.clear()
    return metric(y_true, y_pred, **options)


# Scorers --------------------------------------------------------------------------------------------------------------


def _sklearn(module: str) -> Any:
    """A module of scikit-learn's, if it is loaded."""
    return sys.modules.get(f"sklearn.{module}")


def _routing_enabled() -> bool:
    theirs = _sklearn("_config")
    return theirs is not None and bool(theirs.get_config().get("enable_metadata_routing", False))


@cache
def _joined(ours: type, theirs: type) -> type:
    return type(ours.__name__, (ours, theirs), {"__module__": __name__, "__doc__": ours.__doc__})


def _kind(ours: type) -> Any:
    """The class to make: also scikit-learn's of this name, where that is loaded."""
    theirs = getattr(_sklearn("metrics._scorer"), ours.__name__, None)
    return ours if theirs is None or issubclass(ours, theirs) else _joined(ours, theirs)


@lru_cache(maxsize=256)
def _known_parameters(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    return signature(function).parameters


def _parameters(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    try:
        return _known_parameters(function)
    except TypeError:  # it cannot be hashed
        return signature(function).parameters


class _Known:
    """What scorers have in common: their pickles, and scikit-learn's methods once it is loaded.

    While scikit-learn is patched, a pickle names scikit-learn's classes and functions only: it can be read without this
    package. Otherwise it names this package's, and can be read without scikit-learn.
    """

    def __getattr__(self, name: str) -> Any:
        # Made before scikit-learn was loaded: become its kind now.
        kind = _kind(type(self))
        if not name.startswith("__") and kind is not type(self) and hasattr(kind, name):
            object.__setattr__(self, "__class__", kind)
            return getattr(self, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        plain = next(kind for kind in type(self).__mro__ if kind in (_Scorer, _MultimetricScorer, _PassthroughScorer))
        theirs = getattr(_sklearn("metrics._scorer"), plain.__name__, None)
        if _others is None or theirs is None:
            return _empty, (plain,), self.__dict__
        return object.__new__, (theirs,), state_in_place(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def state_in_place(scorer: Any) -> dict[str, Any]:
    """The attributes of a scorer while scikit-learn is patched, with a metric that a pickle names as scikit-learn's."""
    state = dict(vars(scorer))
    metric: Any = state.get("_score_func")
    if metric in (positive_likelihood_ratio, negative_likelihood_ratio):
        state["_score_func"] = getattr(_sklearn("metrics._scorer"), metric.__name__)
    elif getattr(metric, "__module__", None) == "rocksteady.patching":  # scikit-learn's, kept from before
        state["_score_func"] = _functions.get(metric.__name__, metric)
    return state


def _empty(plain: type) -> Any:
    kind = _kind(plain)
    return kind.__new__(kind)


class _Scorer(_Known):
    """A metric of one method's answer; see `make_scorer`."""

    def __init__(
        self, score_func: Callable[..., Any], sign: int, kwargs: dict[str, Any], response_method: Any = "predict"
    ) -> None:
        self._score_func = score_func
        self._sign = sign
        self._kwargs = kwargs
        self._response_method = response_method

    def _get_pos_label(self) -> Any:
        if "pos_label" in self._kwargs:
            return self._kwargs["pos_label"]
        parameter = _parameters(self._score_func).get("pos_label")
        return None if parameter is None else parameter.default

    def _accept_sample_weight(self) -> bool:
        return "sample_weight" in _parameters(self._score_func)

    def __repr__(self) -> str:
        metric = self._score_func
        name = repr(metric) if isinstance(metric, partial) else getattr(metric, "__name__", repr(metric))
        sign = "" if self._sign > 0 else ", greater_is_better=False"
        options = "".join(f", {option}={value}" for option, value in self._kwargs.items())
        return f"make_scorer({name}{sign}, response_method={self._response_method!r}{options})"

    def __call__(
        self, estimator: Any, X: Any, y_true: Any, *deprecated: Any, sample_weight: Any = None, **kwargs: Any
    ) -> Any:
        if len(deprecated) > 1:
            raise TypeError(f"takes 4 positional arguments but {4 + len(deprecated) - 1} were given")
        if deprecated:
            (sample_weight,) = deprecated
            warn(
                f"Pass sample_weight={sample_weight} as keyword args. From version 1.11 passing these as positional "
                "arguments will result in an error",
                FutureWarning,
            )
        if kwargs and not _routing_enabled():
            raise _refusal(
                f"Passing extra keyword arguments to {self!r} is only supported if enable_metadata_routing=True, which "
                "you can set using `sklearn.set_config`. See the User Guide "
                "<https://scikit-learn.org/stable/metadata_routing.html> for more details. Extra parameters passed "
                f"are: {set(kwargs)}"
            )
        if sample_weight is not None:
            kwargs["sample_weight"] = sample_weight
        return self._score(answer, estimator, X, y_true, **kwargs)

    def _warn_overlap(self, message: str, kwargs: Mapping[str, Any]) -> None:
        overlap = set(self._kwargs or ()) & set(kwargs)
        if overlap:
            warn(f"{message} Overlapping parameters are: {overlap}")

    def _score(self, method_caller: Callable[..., Any], estimator: Any, X: Any, y_true: Any, **kwargs: Any) -> Any:
        self._warn_overlap(
            "There is an overlap between set kwargs of this scorer instance and passed metadata. Please pass them "
            "either as kwargs to `make_scorer` or metadata, but not both.",
            kwargs,
        )
        pos_label = None if estimator_type(estimator) == "regressor" else self._get_pos_label()
        method = response_method(estimator, self._response_method)
        y_pred = method_caller(estimator, method_name(method), X, pos_label=pos_label)
        options = {**self._kwargs, **kwargs}
        if isinstance(method_caller, _Asking):
            return self._sign * _measure(self._score_func, y_true, y_pred, options, method_caller.counted)
        return self._sign * self._score_func(y_true, y_pred, **options)


class _MultimetricScorer(_Known):
    """Several scorers, a dict of their scores; see `check_scoring`."""

    _scorers: dict[str, Any]
    _raise_exc: bool

    def __init__(self, *, scorers: dict[str, Any], raise_exc: bool = True) -> None:
        self._scorers = scorers
        self._raise_exc = raise_exc

    def __call__(self, estimator: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        asking, options = _Asking(self._use_cache(estimator)), _routed(self, kwargs)
        scores: dict[str, Any] = {}
        for name, scorer in self._scorers.items():
            try:
                if getattr(type(scorer), "_score", None) is not _Scorer._score:
                    # Who knows what it changes in place.
                    asking.counted.clear()
                if _has_metric(scorer):
                    scores[name] = scorer._score(asking, estimator, *args, **options(name))
                else:
                    scores[name] = scorer(estimator, *args, **options(name))
            except Exception:
                if self._raise_exc:
                    raise
                scores[name] = format_exc()
        return scores

    def __repr__(self) -> str:
        listed = ", ".join(f'"{name}"' for name in self._scorers)
        return f"MultiMetricScorer({listed})"

    def _accept_sample_weight(self) -> bool:
        return any(scorer._accept_sample_weight() for scorer in self._scorers.values())

    def _use_cache(self, estimator: Any) -> bool:
        """Whether a method would be called twice without one."""
        if len(self._scorers) == 1:
            return False
        methods = Counter(
            method_name(response_method(estimator, scorer._response_method))
            for scorer in self._scorers.values()
            if _has_metric(scorer)
        )
        return any(times > 1 for times in methods.values())


def _has_metric(scorer: Any) -> bool:
    theirs = getattr(_sklearn("metrics._scorer"), "_BaseScorer", _Scorer)
    return isinstance(scorer, (_Scorer, theirs))


def _routed(scorer: Any, given: dict[str, Any]) -> Callable[[str], dict[str, Any]]:
    """Which of the options given each scorer gets."""
    if _routing_enabled():
        routed = _sklearn("utils.metadata_routing").process_routing(scorer, "score", **given)
        return lambda name: dict(routed.get(name).score)
    common = {name: value for name, value in given.items() if name != "sample_weight"}
    weight = given.get("sample_weight")
    if weight is None:
        return lambda _: dict(common)
    accepting = {name for name, one in scorer._scorers.items() if one._accept_sample_weight()}
    return lambda name: {**common, "sample_weight": weight} if name in accepting else dict(common)


class _PassthroughScorer(_Known):
    """The estimator's own `score`."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def __call__(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        return estimator.score(*args, **kwargs)

    def __repr__(self) -> str:
        return f"{type(self._estimator).__name__}.score"

    def _accept_sample_weight(self) -> bool:
        return "sample_weight" in signature(self._estimator.score).parameters


# The scorers by name --------------------------------------------------------------------------------------------------


def positive_likelihood_ratio(y_true: Any, y_pred: Any) -> float:
    """The positive likelihood ratio, 1 where it is undefined.

    >>> from rocksteady.metrics._scorer import positive_likelihood_ratio
    >>> positive_likelihood_ratio([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    1.5
    """
    ratio: float = _metric("class_likelihood_ratios")(y_true, y_pred, replace_undefined_by=1.0)[0]
    return ratio


def negative_likelihood_ratio(y_true: Any, y_pred: Any) -> float:
    """The negative likelihood ratio, 1 where it is undefined.

    >>> from rocksteady.metrics._scorer import negative_likelihood_ratio
    >>> negative_likelihood_ratio([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.75
    """
    ratio: float = _metric("class_likelihood_ratios")(y_true, y_pred, replace_undefined_by=1.0)[1]
    return ratio


_EITHER = ("decision_function", "predict_proba")
_PROBA = "predict_proba"

# By name: the metric, the sign, its options, and what it asks for.
_SCORERS: dict[str, tuple[str, int, dict[str, Any], Any]] = {
    "accuracy": ("accuracy_score", 1, {}, "predict"),
    "average_precision": ("average_precision_score", 1, {}, _EITHER),
    "balanced_accuracy": ("balanced_accuracy_score", 1, {}, "predict"),
    "d2_brier_score": ("d2_brier_score", 1, {}, _PROBA),
    "d2_log_loss_score": ("d2_log_loss_score", 1, {}, _PROBA),
    "matthews_corrcoef": ("matthews_corrcoef", 1, {}, "predict"),
    "neg_brier_score": ("brier_score_loss", -1, {}, _PROBA),
    "neg_log_loss": ("log_loss", -1, {}, _PROBA),
    "neg_negative_likelihood_ratio": ("negative_likelihood_ratio", -1, {}, "predict"),
    "positive_likelihood_ratio": ("positive_likelihood_ratio", 1, {}, "predict"),
    "roc_auc": ("roc_auc_score", 1, {}, _EITHER),
    "roc_auc_ovo": ("roc_auc_score", 1, {"multi_class": "ovo"}, _PROBA),
    "roc_auc_ovo_weighted": ("roc_auc_score", 1, {"multi_class": "ovo", "average": "weighted"}, _PROBA),
    "roc_auc_ovr": ("roc_auc_score", 1, {"multi_class": "ovr"}, _PROBA),
    "roc_auc_ovr_weighted": ("roc_auc_score", 1, {"multi_class": "ovr", "average": "weighted"}, _PROBA),
    "top_k_accuracy": ("top_k_accuracy_score", 1, {}, _EITHER),
}
for _name in ("f1", "jaccard", "precision", "recall"):
    _SCORERS[_name] = (f"{_name}_score", 1, {"average": "binary"}, "predict")
    for _average in ("macro", "micro", "samples", "weighted"):
        _SCORERS[f"{_name}_{_average}"] = (f"{_name}_score", 1, {"pos_label": None, "average": _average}, "predict")

# While scikit-learn is patched: what stands for our functions there, and who knows the other names.
_functions: dict[str, Callable[..., Any]] = {}
_others: Callable[[str], Any] | None = None


def _metric(name: str) -> Callable[..., Any]:
    """A function of this module, or of `rocksteady.metrics`, by name. That module imports this one, so look late."""
    function = _functions.get(name) or globals().get(name)
    return function or getattr(sys.modules["rocksteady.metrics"], name)


@_refusing
def make_scorer(
    score_func: Callable[..., Any],
    *,
    response_method: Response | list[Response] | tuple[Response, ...] = "predict",
    greater_is_better: bool = True,
    **kwargs: Any,
) -> Any:
    """A scorer from a metric: called with an estimator, rows and their labels, it predicts and measures.

    Parameters
    ----------
    score_func : callable
        ``score_func(y_true, y_pred, **kwargs)``.
    response_method : {"predict", "predict_proba", "decision_function"}, or a list or tuple of them
        The method of the estimator whose answer is measured; of several, the first that it has. With two classes, of
        probabilities and decisions those of the positive class.
    greater_is_better : bool
        False for losses: the score is then the negative.
    **kwargs
        Options of the metric.

    Returns
    -------
    callable
        ``scorer(estimator, X, y_true, *, sample_weight=None)``; also scikit-learn's class where it is loaded.

    Raises
    ------
    ValueError, TypeError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import make_scorer, matthews_corrcoef
    >>> class Always:
    ...     classes_ = [0, 1]
    ...     def predict(self, X):
    ...         return [x > 0 for x in X]
    >>> scorer = make_scorer(matthews_corrcoef)
    >>> scorer
    make_scorer(matthews_corrcoef, response_method='predict')
    >>> scorer(Always(), [-1, 2, 3, -4], [False, True, True, False])
    1.0
    """
    if not callable(score_func):
        raise wrong_type(score_func, "score_func", "a function")
    if not isinstance(response_method, list | tuple):
        one_of(response_method, "response_method", _METHODS)
    flag(greater_is_better, "greater_is_better")
    return _kind(_Scorer)(score_func, 1 if greater_is_better else -1, kwargs, response_method)


def get_scorer_names() -> list[str]:
    """The names that `get_scorer` knows: scikit-learn's 36 scorers of classifications.

    Returns
    -------
    list of str
        In alphabetical order.

    Examples
    --------
    >>> from rocksteady.metrics import get_scorer_names
    >>> len(get_scorer_names()), get_scorer_names()[:3]
    (36, ['accuracy', 'average_precision', 'balanced_accuracy'])
    """
    return sorted(_SCORERS)


@_refusing
def get_scorer(scoring: str | Callable[..., Any] | None) -> Any:
    """A scorer by its name.

    Parameters
    ----------
    scoring : str, callable or None
        One of `get_scorer_names`; anything else is returned as it is.

    Returns
    -------
    callable
        A new one at every call.

    Raises
    ------
    ValueError
        If there is no scorer of that name.

    Examples
    --------
    >>> from rocksteady.metrics import get_scorer
    >>> get_scorer("roc_auc")
    make_scorer(roc_auc_score, response_method=('decision_function', 'predict_proba'))
    """
    if not isinstance(scoring, str):
        if scoring is not None and not callable(scoring):
            raise wrong_type(scoring, "scoring", "the name of a scorer, a scorer or None")
        return scoring
    return _named(scoring)


def _named(scoring: str) -> Any:
    if scoring not in _SCORERS:
        if _others is not None:
            return _others(scoring)
        raise InputError(
            f"{scoring!r} is not a valid scoring value. Use rocksteady.metrics.get_scorer_names() to get valid options."
        )
    metric, sign, options, response_method = _SCORERS[scoring]
    return _kind(_Scorer)(_metric(metric), sign, dict(options), response_method)


@_refusing
def check_scoring(
    estimator: Any = None,
    scoring: str | Callable[..., Any] | list[str] | tuple[str, ...] | set[str] | dict[str, Any] | None = None,
    *,
    allow_none: bool = False,
    raise_exc: bool = True,
) -> Any:
    """The scorer that `scoring` means, with scikit-learn's refusals.

    Parameters
    ----------
    estimator : object with a method ``fit``, optional
        Whose own ``score`` is used if `scoring` is None.
    scoring : str, callable, list, tuple, set or dict, optional
        A name of `get_scorer_names`; a scorer; several names; or a dict of names or scorers.
    allow_none : bool
        Whether None is returned, instead of an error raised, where there is nothing to score with.
    raise_exc : bool
        With several metrics: whether an error is raised; if not, its traceback, as text, stands in the place of the
        score.

    Returns
    -------
    callable or None
        With several metrics it gives a dict, asks the estimator once for each method, and the metrics of this package
        share one count and one sort.

    Raises
    ------
    ValueError, TypeError
        As scikit-learn 1.9 does; a metric, of this package too, is no scorer.

    Examples
    --------
    >>> from rocksteady.metrics import check_scoring
    >>> class Sign:
    ...     classes_ = [False, True]
    ...     def predict(self, X):
    ...         return [x > 0 for x in X]
    >>> scorer = check_scoring(scoring=["accuracy", "matthews_corrcoef"])
    >>> scorer
    MultiMetricScorer("accuracy", "matthews_corrcoef")
    >>> scorer(Sign(), [-1, 2, 3, -4], [False, True, True, True])
    {'accuracy': 0.75, 'matthews_corrcoef': 0.5773502691896257}
    """
    if estimator is not None and not callable(getattr(estimator, "fit", None)):
        raise wrong_type(estimator, "estimator", "an object with a method `fit`, or None")
    for name, value in (("allow_none", allow_none), ("raise_exc", raise_exc)):
        flag(value, name)
    if isinstance(scoring, str):
        return _named(scoring)
    if not (scoring is None or callable(scoring) or isinstance(scoring, list | set | tuple | dict)):
        raise wrong_type(scoring, "scoring", "the name of a scorer, a scorer, several of them or None")
    if callable(scoring):
        if _is_metric(scoring):
            raise InputError(
                f"scoring value {scoring!r} looks like it is a metric function rather than a scorer. A scorer should "
                "require an estimator as its first parameter. Please use `make_scorer` to convert a metric to a scorer."
            )
        return scoring
    if scoring is not None:
        scorers = _check_several(estimator, scoring)
        return _kind(_MultimetricScorer)(scorers=scorers, raise_exc=raise_exc)
    if hasattr(estimator, "score"):
        return _kind(_PassthroughScorer)(estimator)
    if allow_none:
        return None
    raise InputTypeError(
        "If no scoring is specified, the estimator passed should have a 'score' method. "
        f"The estimator {estimator!r} does not."
    )


def _is_metric(scoring: Callable[..., Any]) -> bool:
    """Whether it comes from a module of metrics that is not one of scorers."""
    module = getattr(scoring, "__module__", None)
    if not isinstance(module, str) or isinstance(scoring, _Known):
        return False
    if hasattr(scoring, "__rocksteady__"):
        return True
    scorers = ("sklearn.metrics._scorer", "sklearn.metrics.tests.", "rocksteady.metrics._scorer")
    return module.startswith(
        ("sklearn.metrics.", "rocksteady.metrics.", "rocksteady.patching")
    ) and not module.startswith(scorers)


def _check_several(estimator: Any, scoring: Any) -> dict[str, Any]:
    if isinstance(scoring, dict):
        if not all(isinstance(name, str) for name in scoring):
            raise InputError(f"Non-string types were found in the keys of the given dict. scoring={scoring!r}")
        if not scoring:
            raise InputError(f"An empty dict was passed. {scoring!r}")
        return {name: check_scoring(estimator, scoring=one) for name, one in scoring.items()}
    message = "The list/tuple elements must be unique strings of predefined scorers. "
    try:
        names = set(scoring)
    except TypeError as error:
        raise InputError(message) from error
    if len(names) != len(scoring):
        raise InputError(f"{message} Duplicate elements were found in the given list. {scoring!r}")
    if not names:
        raise InputError(f"{message} Empty list was given. {scoring!r}")
    if any(callable(name) for name in names):
        raise InputError(
            f"{message} One or more of the elements were callables. Use a dict of score name mapped to the scorer "
            f"callable. Got {scoring!r}"
        )
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{message} Non-string types were found in the given list. Got {scoring!r}")
    return {name: check_scoring(estimator, scoring=name) for name in scoring}

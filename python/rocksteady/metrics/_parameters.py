"""The domain of every parameter of every function, in one table, with scikit-learn's sentence for what lies outside.

Good calls never come here: a function looks at its options by itself, and asks `check_parameters` only when something
is amiss.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


class UnusableError(InputError, InputTypeError):
    """A `ValueError` and a `TypeError`: different functions of scikit-learn raise one or the other."""


class InvalidParameterError(UnusableError):
    """A parameter outside its domain; also scikit-learn's class of this name, where that is loaded."""

    def __new__(cls, *_: object, **__: object) -> InvalidParameterError:
        theirs = getattr(sys.modules.get("sklearn.utils._param_validation"), cls.__name__, None)
        kind = cls if theirs is None or issubclass(cls, theirs) else _joined(theirs)
        error: InvalidParameterError = super().__new__(kind)
        return error

    def __reduce__(self) -> tuple[type[InvalidParameterError], tuple[str]]:
        return InvalidParameterError, (str(self),)


@cache
def _joined(theirs: type) -> Any:
    names = {"__module__": __name__, "__doc__": InvalidParameterError.__doc__}
    return type(InvalidParameterError.__name__, (InvalidParameterError, theirs), names)


@dataclass(frozen=True)
class Domain:
    """A set of values, and the words for it."""

    words: str
    holds: Callable[[Any], bool]


def is_sparse(values: object) -> bool:
    """Whether the values are a sparse array or matrix of scipy's; scipy itself need not be installed."""
    return hasattr(values, "tocsr") and hasattr(values, "nnz")


def _is_array_like(values: object) -> bool:
    if is_sparse(values) or (np.isscalar(values) and not isinstance(values, memoryview)):
        return False  # numpy takes a memoryview for a scalar
    return hasattr(values, "__len__") or hasattr(values, "shape") or hasattr(values, "__array__")


def _one_of(*options: str) -> Domain:
    listed = ", ".join(repr(option) for option in sorted(options))
    return Domain(f"a str among {{{listed}}}", lambda value: isinstance(value, str) and value in options)


def _number_of(*options: float) -> Domain:
    listed = ", ".join(repr(option) for option in options)

    def holds(value: Any) -> bool:
        return isinstance(value, Real) and any(value == option or value is option for option in options)

    return Domain(f"a float among {{{listed}}}", holds)


def _interval(kind: type, low: float, high: float, closed: str) -> Domain:
    left, right = "[" if closed in ("left", "both") else "(", "]" if closed in ("right", "both") else ")"

    def holds(value: Any) -> bool:
        if not isinstance(value, kind) or (not isinstance(value, Integral) and math.isnan(value)):  # type: ignore[arg-type]
            return False
        number: Any = value
        above = number >= low if left == "[" else number > low
        below = number <= high if right == "]" else number < high
        return bool(above and below)

    noun = "an int" if kind is Integral else "a float"
    ends = (int(low), high) if kind is Integral else (float(low), float(high))
    return Domain(f"{noun} in the range {left}{ends[0]}, {ends[1]}{right}", holds)


def _instance(kind: type, name: str) -> Domain:
    return Domain(f"an instance of {name!r}", lambda value: isinstance(value, kind))


ARRAY = Domain("an array-like", _is_array_like)
SPARSE = Domain("a sparse array or matrix", is_sparse)
NONE = Domain("None", lambda value: value is None)
NAN = Domain(
    "numpy.nan", lambda value: isinstance(value, Real) and not isinstance(value, Integral) and math.isnan(value)
)
TEXT, LIST, TUPLE, SET, DICT = (_instance(kind, kind.__name__) for kind in (str, list, tuple, set, dict))
FLAG = Domain("an instance of 'bool' or an instance of 'numpy.bool'", lambda value: isinstance(value, bool | np.bool_))
CALLABLE = Domain("a callable", callable)
COLLECTIONS = (LIST, SET, TUPLE, DICT)
HIDDEN_NONE = Domain("", lambda value: value is None)  # accepted, not spoken of

_COLUMN = (ARRAY,)
_TARGET = (ARRAY, SPARSE)
_OPTIONAL = (ARRAY, NONE)
_LABEL = (_instance(Real, "float"), TEXT, FLAG)
_POSITIVE = (*_LABEL, NONE)
_ZERO_DIVISION = (_number_of(0.0, 1.0), NAN, _one_of("warn"))
_SET_AVERAGE = (_one_of("micro", "macro", "samples", "weighted", "binary"), NONE)
_SCORE_AVERAGE = (_one_of("micro", "macro", "samples", "weighted"), NONE)
_AT_LEAST_ONE = _interval(Integral, 1, math.inf, "left")
_BETA = (_interval(Real, 0.0, math.inf, "both"),)

_TARGETS: dict[str, tuple[Domain, ...]] = {"y_true": _TARGET, "y_pred": _TARGET}
_COLUMNS: dict[str, tuple[Domain, ...]] = {"y_true": _COLUMN, "y_pred": _COLUMN}
_SCORES: dict[str, tuple[Domain, ...]] = {"y_true": _COLUMN, "y_score": _COLUMN}
_WEIGHT: dict[str, tuple[Domain, ...]] = {"sample_weight": _OPTIONAL}
_LABELS: dict[str, tuple[Domain, ...]] = {"labels": _OPTIONAL}
_POS_LABEL: dict[str, tuple[Domain, ...]] = {"pos_label": _POSITIVE}
_BRIER: dict[str, tuple[Domain, ...]] = {"y_true": _COLUMN, "y_proba": _COLUMN, **_WEIGHT, **_POS_LABEL, **_LABELS}
_SET_WISE: dict[str, tuple[Domain, ...]] = {
    **_LABELS,
    **_POS_LABEL,
    "average": _SET_AVERAGE,
    **_WEIGHT,
    "zero_division": _ZERO_DIVISION,
}
_PROBABILITIES: dict[str, tuple[Domain, ...]] = {"y_true": _COLUMN, "y_proba": (ARRAY, HIDDEN_NONE)}
_CURVE: dict[str, tuple[Domain, ...]] = {**_SCORES, **_POS_LABEL, **_WEIGHT, "drop_intermediate": (FLAG,)}

PARAMETERS: Mapping[str, Mapping[str, tuple[Domain, ...]]] = {
    "accuracy_score": {**_TARGETS, "normalize": (FLAG,), **_WEIGHT},
    "auc": {"x": _COLUMN, "y": _COLUMN},
    "average_precision_score": {**_SCORES, "average": _SCORE_AVERAGE, "pos_label": _LABEL, **_WEIGHT},
    "balanced_accuracy_score": {**_COLUMNS, **_WEIGHT, "adjusted": (FLAG,)},
    "brier_score_loss": {**_BRIER, "scale_by_half": (FLAG, _one_of("auto"))},
    "calibration_curve": {
        "y_true": _COLUMN,
        "y_prob": _COLUMN,
        **_POS_LABEL,
        "n_bins": (_AT_LEAST_ONE,),
        "strategy": (_one_of("uniform", "quantile"),),
    },
    "class_likelihood_ratios": {
        **_TARGETS,
        **_LABELS,
        **_WEIGHT,
        "replace_undefined_by": (_number_of(1.0, np.nan), DICT),
    },
    "classification_report": {
        **_TARGETS,
        **_LABELS,
        "target_names": _OPTIONAL,
        **_WEIGHT,
        "digits": (_interval(Integral, 0, math.inf, "left"),),
        "output_dict": (FLAG,),
        "zero_division": _ZERO_DIVISION,
    },
    "cohen_kappa_score": {
        "y1": _COLUMN,
        "y2": _COLUMN,
        **_LABELS,
        "weights": (_one_of("linear", "quadratic"), NONE),
        **_WEIGHT,
        "replace_undefined_by": (_interval(Real, -1.0, 1.0, "both"), NAN),
    },
    "confusion_matrix": {**_COLUMNS, **_LABELS, **_WEIGHT, "normalize": (_one_of("true", "pred", "all"), NONE)},
    "confusion_matrix_at_thresholds": {**_SCORES, **_POS_LABEL, **_WEIGHT},
    "coverage_error": {**_SCORES, **_WEIGHT},
    "d2_brier_score": _BRIER,
    "d2_log_loss_score": {**_PROBABILITIES, **_WEIGHT, **_LABELS, "y_pred": (ARRAY, TEXT)},
    "dcg_score": {
        **_SCORES,
        "k": (_AT_LEAST_ONE, NONE),
        "log_base": (_interval(Real, 0.0, math.inf, "neither"),),
        **_WEIGHT,
        "ignore_ties": (FLAG,),
    },
    "det_curve": _CURVE,
    "f1_score": {**_TARGETS, **_SET_WISE},
    "fbeta_score": {**_TARGETS, "beta": _BETA, **_SET_WISE},
    "hamming_loss": {**_TARGETS, **_WEIGHT},
    "hinge_loss": {"y_true": _COLUMN, "pred_decision": _COLUMN, **_LABELS, **_WEIGHT},
    "jaccard_score": {**_TARGETS, **_SET_WISE, "zero_division": (_number_of(0, 1), _one_of("warn"))},
    "label_ranking_average_precision_score": {"y_true": _TARGET, "y_score": _COLUMN, **_WEIGHT},
    "label_ranking_loss": {"y_true": _TARGET, "y_score": _COLUMN, **_WEIGHT},
    "log_loss": {**_PROBABILITIES, "normalize": (FLAG,), **_WEIGHT, **_LABELS, "y_pred": (ARRAY, TEXT)},
    "make_scorer": {
        "score_func": (CALLABLE,),
        "response_method": (
            LIST,
            TUPLE,
            _one_of("predict", "predict_proba", "decision_function"),
        ),
        "greater_is_better": (FLAG,),
    },
    "get_scorer": {"scoring": (TEXT, CALLABLE, NONE)},
    "matthews_corrcoef": {**_COLUMNS, **_WEIGHT},
    "metric_at_thresholds": {**_SCORES, "metric_func": (CALLABLE,), **_WEIGHT, "metric_params": (DICT, NONE)},
    "multilabel_confusion_matrix": {**_TARGETS, **_WEIGHT, **_LABELS, "samplewise": (FLAG,)},
    "ndcg_score": {**_SCORES, "k": (_AT_LEAST_ONE, NONE), **_WEIGHT, "ignore_ties": (FLAG,)},
    "precision_recall_curve": _CURVE,
    "precision_recall_fscore_support": {
        **_TARGETS,
        "beta": _BETA,
        **_LABELS,
        **_POS_LABEL,
        "average": _SET_AVERAGE,
        "warn_for": (LIST, TUPLE, SET),
        **_WEIGHT,
        "zero_division": _ZERO_DIVISION,
    },
    "precision_score": {**_TARGETS, **_SET_WISE},
    "recall_score": {**_TARGETS, **_SET_WISE},
    "roc_auc_score": {
        **_SCORES,
        "average": _SCORE_AVERAGE,
        **_WEIGHT,
        "max_fpr": (_interval(Real, 0.0, 1, "right"), NONE),
        "multi_class": (_one_of("raise", "ovr", "ovo"),),
        **_LABELS,
    },
    "roc_curve": _CURVE,
    "top_k_accuracy_score": {**_SCORES, "k": (_AT_LEAST_ONE,), "normalize": (FLAG,), **_WEIGHT, **_LABELS},
    "zero_one_loss": {**_TARGETS, "normalize": (FLAG,), **_WEIGHT},
}


def invalid(function: str, name: str, domains: Collection[Domain], value: object) -> InvalidParameterError:
    """The error for a value outside its domains, in scikit-learn's words."""
    words = [domain.words for domain in domains if domain.words]
    expected = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return InvalidParameterError(f"The {name!r} parameter of {function} must be {expected}. Got {value!r} instead.")


def check_parameters(function: str, values: Mapping[str, object]) -> None:
    """Refuses the first of a function's arguments that lies outside its domain.

    Parameters
    ----------
    function : str
        The name of a function in `PARAMETERS`.
    values : mapping of str to object
        Its arguments by name, and perhaps others. The order of the signature decides what is refused first.

    Raises
    ------
    InvalidParameterError
        With scikit-learn's sentence.

    Examples
    --------
    >>> check_parameters("zero_one_loss", {"normalize": "yes"})
    Traceback (most recent call last):
    ...
    rocksteady.metrics._parameters.InvalidParameterError: The 'normalize' parameter of zero_one_loss must be an instance \
of 'bool' or an instance of 'numpy.bool'. Got 'yes' instead.
    """
    for name, domains in PARAMETERS[function].items():
        if name in values and not any(domain.holds(values[name]) for domain in domains):
            raise invalid(function, name, domains, values[name])

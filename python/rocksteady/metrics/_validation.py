"""What scikit-learn would have said.

The functions of `rocksteady.metrics` hand their arguments straight to the core, which checks while it counts. Only when
the core refuses does anything here run: it looks at the arguments in scikit-learn's order and either raises what
scikit-learn raises, or returns them in the plain form that the core takes (a column of shape (n, 1) flattened, say), to
be tried once more. So a good call pays nothing for these checks.
"""

from __future__ import annotations

import sys
import warnings
from numbers import Real
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray


class InvalidParameterError(InputError, InputTypeError):
    """An option outside its domain: a `ValueError` and a `TypeError`, as in scikit-learn."""


class UndefinedMetricWarning(UserWarning):
    """A metric is not defined for these data. Used where scikit-learn's class of this name is not loaded."""


def warn_undefined(message: str) -> None:
    """Warns with scikit-learn's own class where it is loaded, so that filters for it keep working."""
    theirs = sys.modules.get("sklearn.exceptions")
    category = getattr(theirs, "UndefinedMetricWarning", UndefinedMetricWarning)
    warnings.warn(message, category, stacklevel=3)


def _invalid(function: str, name: str, expected: str, value: object) -> InvalidParameterError:
    return InvalidParameterError(f"The {name!r} parameter of {function} must be {expected}. Got {value!r} instead.")


def check_option(function: str, name: str, value: object, options: Collection[str | None]) -> None:
    """Refuses a value that is not one of the options."""
    if not (value is None or isinstance(value, str)) or value not in options:
        listed = ", ".join(repr(option) for option in sorted(filter(None, options)))
        or_none = " or None" if None in options else ""
        raise _invalid(function, name, f"a str among {{{listed}}}{or_none}", value)


def check_flag(function: str, name: str, value: object) -> None:
    """Refuses a value that is not a truth value."""
    if not isinstance(value, bool | np.bool_):
        raise _invalid(function, name, "an instance of 'bool' or an instance of 'numpy.bool'", value)


def check_label(function: str, name: str, value: object) -> None:
    """Refuses what cannot be the label of a class."""
    if not isinstance(value, Real | str | np.bool_):
        expected = (
            "an instance of 'float', an instance of 'str' or an instance of 'bool' or an instance of 'numpy.bool'"
        )
        raise _invalid(function, name, expected, value)


def check_fraction(function: str, name: str, value: object) -> None:
    """Refuses what is not a number in (0, 1]."""
    if not (isinstance(value, Real) and 0 < float(value) <= 1):
        raise _invalid(function, name, "a float in the range (0.0, 1.0] or None", value)


def as_array(values: Any, function: str, name: str) -> NDArray[Any]:
    """The argument as an array, refusing what is not array-like."""
    arraylike = hasattr(values, "__array__") or hasattr(values, "__len__") or hasattr(values, "shape")
    if not arraylike or isinstance(values, str | bytes | dict | set):
        kind = "an array-like or None" if name in ("labels", "sample_weight") else "an array-like"
        raise _invalid(function, name, kind, values)
    array = np.asarray(values)
    if array.ndim == 0:
        raise InputTypeError(f"Expected a sequence or array of shape (n_samples,), got {values!r}")
    if array.dtype.kind == "U" and not hasattr(values, "dtype"):
        # numpy turns a mixed list into strings; scikit-learn looks at the objects.
        objects = np.asarray(values, dtype=object)
        if not all(isinstance(value, str) for value in objects.flat):
            return objects
    return array


def _check_lengths(*arrays: NDArray[Any] | None) -> None:
    lengths = [len(array) for array in arrays if array is not None]
    if len(set(lengths)) > 1:
        raise InputError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def refuse_bytes(*columns: Any) -> None:
    """Refuses labels that are bytes, which the core would read as text."""
    for column in columns:
        first = next(iter(column), None)
        if isinstance(first, bytes):
            raise InputTypeError(
                "Support for labels represented as bytes is not supported. "
                "Convert the labels to a string or integer format."
            )


def target_type(values: Any, function: str, name: str = "y_true") -> str:
    """The kind of target, in scikit-learn's words: "binary", "multiclass", "continuous", "multilabel-indicator" and so on."""
    array = as_array(values, function, name)
    if array.ndim > 2:
        return "unknown"
    refuse_bytes(array.flat)
    if array.dtype == object and array.size and not isinstance(array.flat[0], str):
        return "unknown"
    suffix = "-multioutput" if array.ndim == 2 and array.shape[1] > 1 else ""
    if array.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            fractional = bool(np.any(array != np.trunc(array)) or np.any(np.isinf(array)))
        if fractional:
            if np.isnan(array).any():
                raise InputError(f"Input {name} contains NaN.")
            if np.isinf(array).any():
                raise InputError(
                    f"Input {name} contains infinity or a value too large for dtype({str(array.dtype)!r})."
                )
            return "continuous" + suffix
    distinct = len(np.unique(array)) if array.dtype != object else len(set(array.ravel().tolist()))
    if suffix:
        return "multilabel-indicator" if distinct < 3 and array.dtype.kind in "biuf" else "multiclass-multioutput"
    return "multiclass" if distinct > 2 else "binary"


def _weights(values: Any, function: str, rows: int) -> NDArray[Any] | None:
    if values is None:
        return None
    weights = as_array(values, function, "sample_weight")
    if weights.dtype.kind in "OUS":
        try:
            weights = weights.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InvalidParameterError(str(error)) from None
    if weights.ndim != 1:
        raise InputError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array. "
            f"Expected either a scalar value or a 1D array of length {rows}."
        )
    if weights.dtype.kind == "f":
        if np.isnan(weights).any():
            raise InputError("Input sample_weight contains NaN.")
        if np.isinf(weights).any():
            raise InputError(
                f"Input sample_weight contains infinity or a value too large for dtype({str(weights.dtype)!r})."
            )
    return weights


def no_weight() -> NoReturn:
    """Refuses weights that are all zero."""
    raise InputError("Sample weights must contain at least one non-zero number.")


def classification_arguments(
    function: str, y_true: Any, y_pred: Any, sample_weight: Any
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Raises what scikit-learn raises for label arguments, or returns them flattened."""
    true, pred = as_array(y_true, function, "y_true"), as_array(y_pred, function, "y_pred")
    weights = _weights(sample_weight, function, len(true))
    _check_lengths(true, pred, weights)
    kinds = target_type(true, function), target_type(pred, function, "y_pred")
    if len(true) == 0:
        raise InputError(
            "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is required."
        )
    if weights is not None and not weights.any():
        no_weight()
    if not set(kinds) <= {"binary", "multiclass"}:
        if kinds[0] != kinds[1]:
            raise InputError("Classification metrics can't handle a mix of {} and {} targets".format(*kinds))
        if kinds[0] == "multilabel-indicator" and function == "accuracy_score":
            raise InputError("multilabel-indicator targets are not supported yet; expected one label a row")
        raise InputError(f"{kinds[0]} is not supported")
    true, pred = true.ravel(), pred.ravel()
    if isinstance(true[0], str) != isinstance(pred[0], str):
        raise InputError(f"Mix of label input types (string and number); Got {np.unique(true)} and {np.unique(pred)}.")
    return true, pred, weights


def ranking_arguments(
    function: str, y_true: Any, y_score: Any, sample_weight: Any, accepted: tuple[str, ...] = ("binary",)
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Raises what scikit-learn raises for labels and scores, or returns them flattened."""
    true, score = as_array(y_true, function, "y_true"), as_array(y_score, function, "y_score")
    kind = target_type(true, function)
    if kind not in accepted:
        if function == "roc_curve" or kind.startswith("continuous") or kind == "unknown":
            raise InputError(f"{kind} format is not supported")
        raise InputError(f"{kind} targets are not supported yet by {function}; expected two classes, one label a row")
    if len(true) == 0 or len(score) == 0:
        raise InputError(f"Found array with 0 sample(s) (shape={true.shape}) while a minimum of 1 is required.")
    if score.dtype.kind in "US":
        raise InvalidParameterError(
            "dtype='numeric' is not compatible with arrays of bytes/strings."
            "Convert your data to numeric values explicitly instead."
        )
    if sample_weight is not None:
        sample_weight = as_array(sample_weight, function, "sample_weight")
        if sample_weight.ndim == 2 and sample_weight.shape[1] == 1:
            sample_weight = sample_weight.ravel()
    weights = _weights(sample_weight, function, len(true))
    _check_lengths(true, score, weights)
    if score.ndim == 2 and score.shape[1] == 1:
        score = score.ravel()
    if score.ndim != 1:
        raise InputError(f"y should be a 1d array, got an array of shape {score.shape} instead.")
    if score.dtype.kind == "f":
        if np.isnan(score).any():
            raise InputError("Input contains NaN.")
        if np.isinf(score).any():
            raise InputError(f"Input contains infinity or a value too large for dtype({str(score.dtype)!r}).")
    return true.ravel(), score, weights

"""Who answers a call: the core; the core again, with the arguments in plain form; or scikit-learn.

A function of this folder asks the core and refuses what the core refuses. `drop_in` asks further:

1. The function again, with the arguments in plain form: an array instead of nested lists or a frame, a column instead
   of a matrix of one column, CSR instead of another sparse format.
2. scikit-learn's function of the same name, with the arguments as they came, where scikit-learn is installed. So
   refusals, and answers to what only scikit-learn takes, are those of the installed version.
3. Nobody: the refusal is ours.

Of arrays on another device nothing is made plain, and scikit-learn is not asked: `_devices` counts them there.

A call that the core takes pays for nothing of this.
"""

from __future__ import annotations

from functools import wraps
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from rocksteady.base.containers import elsewhere
from rocksteady.errors import InputError, InputTypeError, RocksteadyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

_Parameters = ParamSpec("_Parameters")
_Answer = TypeVar("_Answer")

# The last two are for options: one of another type, and a whole number that is too large.
_REFUSALS = (RocksteadyError, TypeError, OverflowError)
_HOMES = {"calibration_curve": "sklearn.calibration"}
_NUMBERS = ("sample_weight", "y_score")
_COLUMNS = ("y_true", "y_pred", "y_score", "y_proba", "y_prob", "pred_decision", "y1", "y2", "x", "y")


class UnusableError(InputError, InputTypeError):
    """A `ValueError` and a `TypeError`: different functions of scikit-learn raise one or the other."""


def drop_in(function: Callable[_Parameters, _Answer], *, values: bool = True) -> Callable[_Parameters, _Answer]:
    """Adds what answers where a function refuses.

    The attribute ``ours`` of the result is the function without scikit-learn's. Without `values` scikit-learn is asked
    for its refusals only.

    >>> from rocksteady.metrics import accuracy_score
    >>> accuracy_score([[0], [1]], [0, 1])
    1.0
    """

    @wraps(function)
    def ours(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except _REFUSALS as refusal:
            if any(map(elsewhere, (*args, *kwargs.values()))):
                return _of_device(ours, args, kwargs, refusal)
            return _in_plain_form(function, args, kwargs, refusal)

    @wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except _REFUSALS as error:
            refusal = error
        if any(map(elsewhere, (*args, *kwargs.values()))):
            return _of_device(answer, args, kwargs, refusal)
        try:
            return _in_plain_form(function, args, kwargs, refusal)
        except _REFUSALS as error:
            of_weights = isinstance(error, UnusableError) and error.argument == "sample_weight"
            if of_weights and getattr(refusal, "argument", None) in (None, *_COLUMNS, *_NUMBERS):
                raise
            refusal = error
        theirs = None if _is_wrong_call(function, args, kwargs) else counterpart(function)
        if theirs is None:
            raise refusal
        try:
            value = theirs(*map(_safe, args), **{name: _safe(value) for name, value in kwargs.items()})
        except (LookupError, AttributeError, NotImplementedError) as error:
            if _is_stumble(error):
                raise refusal from None
            raise
        if isinstance(refusal, UnusableError) or not values:  # it reads numbers from text
            raise refusal
        return value

    answer.ours = ours  # type: ignore[attr-defined]
    return answer


def _of_device(ask: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], refusal: Exception) -> Any:
    from rocksteady.metrics._devices import answer_of_counts  # noqa: PLC0415 (few programs need it)

    return answer_of_counts(ask, args, kwargs, refusal)


def counterpart(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """scikit-learn's own function of the same name and parameters, if it is installed and has one."""
    name = function.__name__
    try:
        found: Any = getattr(import_module(home_of(name)), name, None)
    except ImportError:
        return None
    if hasattr(found, "__rocksteady__"):  # ours, while scikit-learn is patched
        found = found.__wrapped__
    return found if found is not None and have_same_parameters(found, function) else None


def home_of(name: str) -> str:
    """The module of scikit-learn's that has a function."""
    return _HOMES.get(name, "sklearn.metrics")


def have_same_parameters(one: Callable[..., Any], other: Callable[..., Any]) -> bool:
    """Whether a call of one function means the same to the other; another version of scikit-learn may differ."""
    return list(signature(one).parameters) == list(signature(other).parameters)


def _is_stumble(error: Exception) -> bool:
    """Whether scikit-learn fell over what it had not checked."""
    return isinstance(error, LookupError | AttributeError) or not str(error)


def _is_wrong_call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    try:
        signature(function).bind(*args, **kwargs)
    except TypeError:
        return True
    return False


def _safe(value: Any) -> Any:
    """An argument as scikit-learn may see it: scipy takes a tuple of rows for the parts of a sparse matrix."""
    if isinstance(value, memoryview):
        return np.asarray(value)
    return list(value) if isinstance(value, tuple) and value and isinstance(value[0], tuple | list) else value


# Plain form -----------------------------------------------------------------------------------------------------------


def _in_plain_form(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], refusal: Exception
) -> Any:
    """The answer for the arguments in plain form; if they are plain already, the refusal."""
    if _is_wrong_call(function, args, kwargs):
        raise refusal
    given = signature(function).bind(*args, **kwargs).arguments
    plain = {name: _plain(name, value) for name, value in given.items()}
    if "y_pred" in plain:
        _make_indicators(plain)
    if all(plain[name] is value for name, value in given.items()):
        if isinstance(refusal, RocksteadyError):
            raise refusal
        raise InputTypeError(str(refusal)) from refusal
    try:
        return function(**plain)
    except RocksteadyError:
        raise
    except _REFUSALS as error:
        raise InputTypeError(str(error)) from error


def _plain(name: str, value: Any) -> Any:
    """An argument in plain form; itself if it is plain or has none."""
    if isinstance(value, np.generic) and value.dtype.kind in "biufU":
        return value.item()
    if name not in _COLUMNS and name not in _NUMBERS:
        return value
    if is_sparse(value):
        return _as_csr(value)
    if name in _COLUMNS and hasattr(value, "iloc") and np.ndim(value) == 2 and value.shape[1] == 1:
        return value.iloc[:, 0]
    array = _as_array(value)
    if name in _NUMBERS and array is not None and array.dtype.kind in "OUSVmM" and array.ndim:
        return as_numbers(array, name)
    if array is None or array.dtype.kind not in "biufU":
        return value
    if name in _COLUMNS and array.ndim == 2 and array.shape[1] == 1:
        return array.ravel()
    return array if _is_other(value) else value


def _is_other(value: Any) -> bool:
    """Whether values are no array of a kind that the core reads, and no column of a frame, of which it knows more."""
    if isinstance(value, list | tuple):
        return len(value) > 0 and isinstance(value[0], list | tuple | np.ndarray | np.generic)
    kinds = memoryview | np.ma.MaskedArray | np.memmap
    return (
        isinstance(value, kinds)
        or hasattr(value, "columns")
        or getattr(getattr(value, "dtype", None), "char", "") in ("g", "T")
    )


def _as_array(value: Any) -> NDArray[Any] | None:
    """The values as an array; None where they are none, or one that scikit-learn refuses."""
    if value is None or isinstance(value, np.matrix):
        return None
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return None
    return as_doubles(array)


def as_doubles(array: NDArray[Any]) -> NDArray[Any]:
    """Long doubles as doubles, where a double holds each of them, and text of any length as text of one length."""
    if array.dtype.kind == "T":
        return np.array(array.tolist(), dtype=np.str_).reshape(array.shape)
    if array.dtype.char != "g":
        return array
    double = array.astype(np.float64)
    return double if np.array_equal(double, array, equal_nan=True) else array


def as_numbers(array: NDArray[Any], name: str = "sample_weight") -> NDArray[Any]:
    """Objects that are numbers as doubles, as the core reads them in a list; text, dates and records are refused."""
    if array.dtype.kind in "mM":
        raise UnusableError(f"{name} is an array of dtype {array.dtype}; expected real numbers", argument=name)
    is_number = array.dtype.kind == "O"
    for place, value in np.ndenumerate(array):
        if not is_number or value is None or isinstance(value, str | bytes):
            found = value.item() if isinstance(value, np.generic) else value
            where = ", ".join(map(str, place))
            expected = "a real number of at most 64 bits"
            raise UnusableError(f"{name}[{where}] is {found!r}; expected {expected}", argument=name)
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise UnusableError(f"{name}: {error}", argument=name) from None


def is_sparse(values: object) -> bool:
    """Whether the values are a sparse array or matrix of scipy's; scipy itself need not be installed."""
    return hasattr(values, "tocsr") and hasattr(values, "nnz")


def _as_csr(values: Any) -> Any:
    """A sparse matrix in the one format that the core reads, with each cell once and no zeros."""
    values = values.tocsr().copy()
    values.sum_duplicates()
    values.eliminate_zeros()
    return values


def _make_indicators(plain: dict[str, Any]) -> None:
    """Makes ones of the other number in two indicators of zeros and one other number."""
    pair = plain["y_true"], plain["y_pred"]
    if all(is_sparse(values) for values in pair):
        found = np.unique(np.concatenate([values.data for values in pair]))
    elif all(isinstance(values, np.ndarray) and values.ndim == 2 for values in pair):
        found = np.unique(np.concatenate([np.unique(values) for values in pair]))
    else:
        return
    others = found[found != 0] if found.dtype.kind in "biuf" else found
    if len(others) == 1 and others[0] != 1 and float(others[0]).is_integer():
        plain["y_true"], plain["y_pred"] = (
            (values != 0).astype(np.int8) if is_sparse(values) else values != 0 for values in pair
        )

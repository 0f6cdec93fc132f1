"""What scikit-learn would have said.

The functions of `rocksteady.metrics` hand their arguments straight to the core, which checks while it counts. Only when
the core refuses does anything here run: it looks at the arguments in scikit-learn's order and either raises what
scikit-learn raises, or returns them in the plain form that the core takes (a column of shape (n, 1) flattened, say), to
be tried once more. So a good call pays nothing for these checks.

The functions have the names, the order of checks and the sentences of scikit-learn's own utilities (`sklearn.utils`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from rocksteady.base import warning
from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics._parameters import UnusableError, is_sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXT_OR_VOID = "USV"
_EMPTY = "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is required."
_BYTES = "Support for labels represented as bytes is not supported. Convert the labels to a string or integer format."
_SEQUENCES = (
    "You appear to be using a legacy multi-label data representation. Sequence of sequences are no longer supported; "
    "use a binary array or sparse matrix instead - the MultiLabelBinarizer transformer can convert to this format."
)
_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if "
    "it contains a single sample."
)


# Warnings -------------------------------------------------------------------------------------------------------------


class UndefinedMetricWarning(UserWarning):
    """A metric is not defined for these data. Used where scikit-learn's class of this name is not loaded."""


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns at the line outside this package that made the call."""
    warning.warn(message, category)


def warn_of_division(quotients: NDArray[Any]) -> None:
    """Warns as numpy does where it divides by zero: of numbers, and of zero."""
    if np.any(np.isinf(quotients)):
        warn("divide by zero encountered in divide", RuntimeWarning)
    if np.any(np.isnan(quotients)):
        warn("invalid value encountered in divide", RuntimeWarning)


def warn_undefined(message: str) -> None:
    """Warns with scikit-learn's own class where it is loaded, so that filters for it keep working."""
    theirs = sys.modules.get("sklearn.exceptions")
    warn(message, getattr(theirs, "UndefinedMetricWarning", UndefinedMetricWarning))


# Arrays ---------------------------------------------------------------------------------------------------------------


def num_samples(values: Any) -> int:
    """The number of rows of anything array-like."""
    message = f"Expected sequence or array-like, got {type(values)}"
    if callable(getattr(values, "fit", None)):
        raise InputTypeError(message)
    shape = getattr(values, "shape", None)
    if shape is not None:
        if len(shape) == 0:
            raise InputTypeError(
                f"Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, got scalar `{values!r}` "
                "instead."
            )
        return int(shape[0])
    if not hasattr(values, "__len__"):
        if not hasattr(values, "__array__"):
            raise InputTypeError(message)
        values = np.asarray(values)
    try:
        return len(values)
    except TypeError as error:
        raise InputTypeError(message) from error


def check_consistent_length(*arrays: Any) -> None:
    """Refuses arrays of different numbers of rows; None is no array."""
    lengths = [num_samples(array) for array in arrays if array is not None]
    if len(set(lengths)) > 1:
        raise InputError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def assert_all_finite(array: Any, input_name: str = "") -> None:
    """Refuses NaN and infinity."""
    array = np.asarray(array)
    name = f"{input_name} " if input_name else ""
    if array.dtype == object:
        if any(type(value).__name__ == "NAType" for value in array.flat):
            raise InputTypeError("boolean value of NA is ambiguous")
        if any(value is not value or (isinstance(value, float) and value != value) for value in array.flat):
            raise InputError("Input contains NaN")
        return
    if array.dtype.kind not in "fc":
        return
    if np.isnan(array).any():
        raise InputError(f"Input {name}contains NaN.")
    if np.isinf(array).any():
        raise InputError(f"Input {name}contains infinity or a value too large for {array.dtype!r}.")


def _as_numpy(values: Any, dtype: Any) -> NDArray[Any]:
    """`numpy.asarray`, after what pandas' nullable and truth-value dtypes need."""
    own: Any = getattr(values, "dtype", None)
    if hasattr(values, "iloc") or hasattr(own, "na_value"):
        nullable = hasattr(own, "na_value") and not isinstance(own, np.dtype)
        if nullable and getattr(own, "kind", "") in "biuf" and not hasattr(own, "fill_value"):
            # A nullable column of numbers becomes floats, its missing values NaN; but integers stay exact.
            floats = np.asarray(values.astype(np.float64 if dtype is None else dtype))
            exact = dtype is None and own.kind in "iu" and floats.ndim == 1 and np.any(np.abs(floats) >= 2.0**53)
            return (
                np.asarray(values.to_numpy(dtype=own.numpy_dtype)) if exact and not np.isnan(floats).any() else floats
            )
        if getattr(getattr(own, "categories", None), "dtype", None) == np.dtype(bool) and dtype is None:
            return np.asarray(values.astype(np.float64))  # as of all truth values that are not plain
    if hasattr(values, "columns") and hasattr(values, "dtypes") and hasattr(values, "iloc"):
        kinds = list(values.dtypes)
        if not all(isinstance(kind, np.dtype) for kind in kinds) and all(
            getattr(kind, "kind", "") in ("b", "i", "u", "f") for kind in kinds
        ):
            return np.asarray(values.astype(np.float64 if dtype is None else dtype))
    try:
        return _as_common(np.asarray(values, dtype=dtype))
    except ValueError as error:
        raise InputError(str(error)) from error
    except TypeError as error:
        raise InputTypeError(str(error)) from error


def _as_common(array: NDArray[Any]) -> NDArray[Any]:
    """Long doubles as doubles, where a double holds each of them, and text of any length as text of one length."""
    if array.dtype.kind == "T":
        return np.array(array.tolist(), dtype=np.str_).reshape(array.shape)
    if array.dtype.char != "g":
        return array
    double = array.astype(np.float64)
    return double if np.array_equal(double, array, equal_nan=True) else array


def check_array(
    values: Any,
    *,
    dtype: Literal["numeric", "float"] | type | None = "numeric",
    ensure_2d: bool = True,
    ensure_all_finite: bool = True,
    ensure_min_samples: int = 1,
    ensure_min_features: int = 1,
    allow_nd: bool = False,
    accept_sparse: bool = False,
    input_name: str = "",
) -> Any:
    """The argument as an array (or as it is, if sparse and accepted), or scikit-learn's refusal.

    `dtype` "numeric" makes objects float64; "float" keeps floats of 64, 32 and 16 bits and makes anything else float64.
    """
    if isinstance(values, np.matrix):
        raise InputTypeError(
            "np.matrix is not supported. Please convert to a numpy array with np.asarray. For more information see: "
            "https://numpy.org/doc/stable/reference/generated/numpy.matrix.html"
        )
    values = _of_one_dtype(values)
    own = getattr(values, "dtype", None)
    if own is None and hasattr(values, "iloc") and len(set(getattr(values, "dtypes", ()))) == 1:
        own = next(iter(values.dtypes))
    wanted: Any = dtype
    if dtype == "numeric":
        text = not isinstance(own, np.dtype) and str(own) in ("str", "string")
        wanted = np.float64 if text or (isinstance(own, np.dtype) and own.kind == "O") else None
    elif dtype == "float":
        wanted = (
            None if isinstance(own, np.dtype) and own.kind == "f" and own.itemsize <= 8 and own.isnative else np.float64
        )
    if is_sparse(values):
        return _check_sparse(values, accept_sparse, ensure_all_finite, input_name)
    if getattr(own, "kind", None) == "c":
        raise InputError(f"Complex data not supported\n{values}\n")
    array = _as_numpy(values, wanted)
    if array.dtype.kind == "c":
        raise InputError(f"Complex data not supported\n{array}\n")
    if ensure_2d and array.ndim < 2:
        raise not_two_dimensional(values, array)
    if dtype == "numeric" and (array.dtype.kind in _TEXT_OR_VOID or is_text(values)):
        raise InputError(
            "dtype='numeric' is not compatible with arrays of bytes/strings."
            "Convert your data to numeric values explicitly instead."
        )
    if dtype == "numeric" and array.dtype == object and all(isinstance(value, Number) for value in array.flat):
        array = array.astype(np.float64)  # integers of more than 64 bits
    if not allow_nd and array.ndim >= 3:
        raise InputError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    if ensure_all_finite:
        assert_all_finite(array, input_name)
    _check_size(array, ensure_min_samples, ensure_min_features)
    return array


def is_text(values: Any) -> bool:
    """Whether there is text among the values of a column, of pandas or of objects; numpy would read numbers from it."""
    own = getattr(values, "dtype", None)
    if str(own) not in ("str", "string") and not (isinstance(own, np.dtype) and own.kind == "O"):
        return False
    return any(isinstance(value, str | bytes) for value in np.asarray(values, dtype=object).flat)


def _of_one_dtype(values: Any) -> Any:
    """A frame with truth values among its numbers as numbers; numpy would make objects of them."""
    dtypes = list(getattr(values, "dtypes", ())) if hasattr(values, "iloc") and hasattr(values, "columns") else []
    plain = all(isinstance(one, np.dtype) and one.kind in "biuf" for one in dtypes)
    if plain and len(set(dtypes)) > 1 and np.dtype(bool) in dtypes:
        return values.astype(np.result_type(*dtypes))
    return values


def _check_sparse(values: Any, accept: bool, finite: bool, input_name: str) -> Any:
    if getattr(values.dtype, "kind", "") == "c":
        raise InputError(f"Complex data not supported\n{values}\n")
    if not accept:
        place = f" for {input_name}" if input_name else ""
        raise InputTypeError(
            f"Sparse data was passed{place}, but dense data is required. Use '.toarray()' to convert to a dense numpy "
            "array."
        )
    if finite and hasattr(values, "data"):
        assert_all_finite(values.data if isinstance(values.data, np.ndarray) else values.tocsr().data, input_name)
    return values


def not_two_dimensional(values: Any, array: NDArray[Any]) -> InputError:
    """The refusal of an argument that came as `values` and is a column or a scalar."""
    if array.ndim == 1 and hasattr(values, "iloc"):
        return InputError(
            f"Expected a 2-dimensional container but got {type(values)} instead. Pass a DataFrame containing a single "
            "row (i.e. single sample) or a single column (i.e. single feature) instead."
        )
    what = "1D" if array.ndim else "scalar"
    return InputError(f"Expected 2D array, got {what} array instead:\narray={array}.\n{_RESHAPE}")


def not_of_classes(shape: tuple[int, ...]) -> InputError:
    """The refusal of scores without a column for each of several classes."""
    return InputError(
        "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
        f"`y_score.shape={shape}`."
    )


def _check_size(array: NDArray[Any], samples: int, features: int) -> None:
    if samples > 0 and num_samples(array) < samples:
        found = f"{array.shape[0]} sample(s) (shape={array.shape})"
        raise InputError(f"Found array with {found} while a minimum of {samples} is required.")
    if features > 0 and array.ndim == 2 and array.shape[1] < features:
        found = f"{array.shape[1]} feature(s) (shape={array.shape})"
        raise InputError(f"Found array with {found} while a minimum of {features} is required.")


def column_or_1d(values: Any, *, input_name: str = "y") -> NDArray[Any]:
    """A column, flattened if it has shape (n, 1)."""
    array: NDArray[Any] = check_array(
        values, dtype=None, ensure_2d=False, ensure_all_finite=False, ensure_min_samples=0, input_name=input_name
    )
    return flattened(array)


def flattened(array: NDArray[Any]) -> NDArray[Any]:
    """An array of shape (n,) or (n, 1) as a column."""
    if array.ndim == 1 or (array.ndim == 2 and array.shape[1] == 1):
        return array.ravel()
    raise InputError(f"y should be a 1d array, got an array of shape {array.shape} instead.")


def is_signed(weights: NDArray[Any]) -> bool:
    """Whether some of the checked weights are negative."""
    return bool(np.any(weights < 0))


def check_sample_weight(weights: Any, rows: Any, *, force_float: bool = False) -> NDArray[Any]:
    """The weights of the rows of `rows`, one finite number each, not all zero."""
    count = num_samples(rows)
    if weights is None:
        return np.ones(count)
    if isinstance(weights, Number):
        return np.full(count, weights)
    array: NDArray[Any] = check_array(
        weights, dtype="float" if force_float else None, ensure_2d=False, input_name="sample_weight"
    )
    if array.ndim != 1:
        raise InputError(
            f"Sample weights must be 1D array or scalar, got {array.ndim}D array. "
            f"Expected either a scalar value or a 1D array of length {count}."
        )
    if array.shape != (count,):
        raise InputError(f"sample_weight.shape == {array.shape}, expected {(count,)}!")
    if np.all(array == 0):
        raise InputError("Sample weights must contain at least one non-zero number.")
    as_numbers(np.asarray(weights))  # scikit-learn reads numbers from text in some functions, but not in all
    return array


def as_numbers(array: NDArray[Any], name: str = "sample_weight") -> NDArray[Any]:
    """Convert objects that are numbers to float64, as numpy does while counting; refuse text, dates and records."""
    array = _as_common(array)
    if array.dtype.kind in "mM":
        raise UnusableError(f"{name} is an array of dtype {array.dtype}; expected real numbers")
    if array.dtype.kind in "OUSV":
        is_number = array.dtype.kind == "O"
        for place, value in np.ndenumerate(array):
            if not is_number or value is None or isinstance(value, str | bytes):
                found = value.item() if isinstance(value, np.generic) else value
                where = ", ".join(map(str, place))
                raise UnusableError(f"{name}[{where}] is {found!r}; expected a real number of at most 64 bits")
        try:
            return array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise UnusableError(f"{name}: {error}") from None
    return array


# Kinds of target ------------------------------------------------------------------------------------------------------


def _loosely(values: Any) -> Any:
    """As an array of any kind and shape; what does not fit one becomes objects."""
    keep = {"ensure_2d": False, "ensure_all_finite": False, "ensure_min_samples": 0, "ensure_min_features": 0}
    try:
        return check_array(values, dtype=None, allow_nd=True, accept_sparse=True, **keep)  # type: ignore[arg-type]
    except InputError as error:
        if str(error).startswith("Complex data not supported"):
            raise
        return check_array(values, dtype=object, allow_nd=True, accept_sparse=True, **keep)  # type: ignore[arg-type]


def _whole(array: NDArray[Any]) -> bool:
    with np.errstate(invalid="ignore"):
        return bool(np.all(array.astype(np.int64).astype(array.dtype) == array))


def distinct(array: NDArray[Any]) -> NDArray[Any]:
    """The distinct values, ascending; values that have no order are refused."""
    try:
        return np.unique(array)
    except TypeError as error:
        raise InputTypeError(str(error)) from error


def is_multilabel(values: Any) -> bool:
    """Whether the values are an indicator: two dimensions, two columns or more, at most two distinct whole numbers."""
    if not (hasattr(values, "__array__") or is_sparse(values) or isinstance(values, Sequence)):
        return False
    array = _loosely(values)
    if array.ndim != 2 or array.shape[1] < 2:
        return False
    if is_sparse(array):
        found = np.unique(array.tocsr().data)
        few = len(found) < 2 or (len(found) == 2 and 0 in found)
        return array.tocsr().data.size == 0 or (few and (array.dtype.kind in "biu" or _whole(found)))
    if array.dtype == object and _unordered(array):
        raise InputTypeError("'<' not supported between instances of the values of an object array")
    found = np.unique(array)
    return len(found) < 3 and (array.dtype.kind in "biu" or (array.dtype.kind == "f" and _whole(found)))


def _unordered(array: NDArray[Any]) -> bool:
    try:
        np.unique(array)
    except TypeError:
        return True
    return False


class _RowlessError(InputTypeError, NotImplementedError):
    """What scipy says of a matrix whose rows it cannot give, in words."""


def type_of_target(values: Any, input_name: str = "") -> str:
    """The kind of target in scikit-learn's words: "binary", "multiclass", "multilabel-indicator" and so on.

    Raises
    ------
    InputError, InputTypeError
        For what is no array-like, for bytes, for a sequence of sequences, and for floats that are neither whole nor
        finite.
    """
    array_like = isinstance(values, Sequence) or is_sparse(values) or hasattr(values, "__array__")
    if not array_like or isinstance(values, str):
        raise InputError(f"Expected array-like (array or non-string sequence), got {values!r}")
    if type(values).__name__ in ("SparseSeries", "SparseArray"):
        raise InputError("y cannot be class 'SparseSeries' or 'SparseArray'")
    if is_multilabel(values):
        return "multilabel-indicator"
    array = values if is_sparse(values) else _loosely(values)
    if is_sparse(array) and array.format in {"coo", "dia", "bsr"} and array.shape[0]:
        try:
            array[[0], :]
        except TypeError as error:
            raise InputTypeError(str(error)) from error
        except NotImplementedError as error:
            raise _RowlessError(f"a sparse matrix of the format {array.format!r} has no rows to look at") from error
    first = array[0] if array.ndim and array.shape[0] and not is_sparse(array) else None
    if isinstance(first, bytes):
        raise InputTypeError(_BYTES)
    if not hasattr(first, "__array__") and isinstance(first, Sequence) and not isinstance(first, str):
        raise InputError(_SEQUENCES)
    if array.ndim not in (1, 2):
        return "unknown"
    if not min(array.shape):
        return "binary" if array.ndim == 1 else "unknown"
    if array.dtype == object and not isinstance(array.flat[0], str):
        return "unknown"
    suffix = "-multioutput" if array.ndim == 2 and array.shape[1] > 1 else ""
    numbers = array.tocsr().data if is_sparse(array) else array
    if numbers.dtype.kind == "f" and not _whole(numbers):
        assert_all_finite(numbers, input_name)
        return "continuous" + suffix
    if is_sparse(array):
        # scikit-learn asks only whether the first row stores more than one number.
        return "multiclass" + suffix if array.tocsr()[[0], :].nnz > 1 else "binary"
    return "multiclass" + suffix if suffix or len(distinct(array)) > 2 else "binary"


def unique_labels(*columns: Any, kind: str) -> NDArray[Any]:
    """The labels that occur, ascending; of an indicator, the places of its columns."""
    if kind == "multilabel-indicator":
        widths = {check_array(column, accept_sparse=True).shape[1] for column in columns}
        if len(widths) > 1:
            raise InputError("Multi-label binary indicator input with different numbers of labels")
        return np.arange(widths.pop())
    if kind not in ("binary", "multiclass"):
        raise InputError(f"Unknown label type: {columns!r}")
    # numpy's own scalars: what they make together has the dtype that numpy gives it.
    found = [set(np.unique(column)) if column.dtype != object else set(column.tolist()) for column in columns]
    together = set().union(*found)
    if len({isinstance(label, str) for label in together}) > 1:
        listed = " and ".join(str(np.unique(column)) for column in columns)
        raise InputError(f"Mix of label input types (string and number); Got {listed}.")
    try:
        ordered = sorted(together)
    except TypeError as error:
        raise InputTypeError(str(error)) from error
    return np.asarray(ordered)


class Targets(NamedTuple):
    """Two targets that have been checked: columns of labels, or indicators, and the weights of the rows."""

    kind: str
    labels: NDArray[Any]
    y_true: Any
    y_pred: Any
    weights: NDArray[Any] | None


def check_targets(y_true: Any, y_pred: Any, sample_weight: Any = None, *, ordered: bool = True) -> Targets:
    """Refuses two targets that do not go together, in scikit-learn's order; else gives them plain.

    `ordered` says whether scikit-learn orders the labels before it looks at them, and stumbles over what has no order.
    Columns are flattened. Indicators stay dense numpy arrays, or become CSR where either of them is sparse.
    """
    for column in (y_true, y_pred):
        if ordered and type(column) is np.ndarray and column.dtype == object and _unordered(column):
            raise InputTypeError("'<' not supported between the labels of a column of objects")
    check_consistent_length(y_true, y_pred, sample_weight)
    kinds = type_of_target(y_true, "y_true"), type_of_target(y_pred, "y_pred")
    if num_samples(y_true) < 1:
        raise InputError(_EMPTY)
    weights = None if sample_weight is None else as_numbers(check_sample_weight(sample_weight, y_true))
    found = set(kinds)
    if found == {"binary", "multiclass"}:
        found = {"multiclass"}
    if len(found) > 1:
        raise InputError("Classification metrics can't handle a mix of {} and {} targets".format(*kinds))
    kind = found.pop()
    if kind not in ("binary", "multiclass", "multilabel-indicator"):
        raise InputError(f"{kind} is not supported")
    if kind == "multilabel-indicator":
        labels = unique_labels(y_true, y_pred, kind=kind)
        if is_sparse(y_true) or is_sparse(y_pred):
            true, pred = _to_csr(y_true), _to_csr(y_pred)
        else:
            refuse_unsparsable(y_true, y_pred)
            true, pred = check_array(y_true), check_array(y_pred)
        return Targets(kind, labels, true, pred, weights)
    if is_sparse(y_true) or is_sparse(y_pred):
        raise InputTypeError("Sparse input is only supported when targets are of multilabel type")
    true, pred = column_or_1d(y_true, input_name="y_true"), column_or_1d(y_pred, input_name="y_pred")
    labels = unique_labels(true, pred, kind=kind)
    if kind == "binary" and len(labels) > 2:
        kind = "multiclass"
    return Targets(kind, labels, true, pred, weights)


def with_weights(targets: Targets, sample_weight: Any) -> Targets:
    """The same targets with the weights of their rows, which are checked here."""
    if sample_weight is None:
        return targets
    check_consistent_length(targets.y_true, targets.y_pred, sample_weight)
    return targets._replace(weights=as_numbers(check_sample_weight(sample_weight, targets.y_true)))


def refuse_unsparsable(*indicators: Any) -> None:
    """Refuses indicators of a dtype of which scipy has no sparse matrices, since scikit-learn makes them sparse."""
    for values in indicators:
        dtype = np.asarray(values).dtype
        if not dtype.isnative or dtype.char in "eO":
            raise InputError(f"scipy.sparse does not support dtype {dtype}.")


def _to_csr(values: Any) -> Any:
    if is_sparse(values):
        return values.tocsr()
    scipy_sparse = sys.modules["scipy.sparse"]  # the other one is sparse, so it is loaded
    refuse_unsparsable(values)
    return scipy_sparse.csr_array(check_array(values))  # scipy takes a tuple of rows for the parts of a matrix


def check_pos_label_consistency(pos_label: Any, y_true: Any) -> Any:
    """The positive label: the one given, or 1 where the labels are {0, 1} or {-1, 1}, or one of these alone."""
    if pos_label is not None:
        return pos_label
    classes = np.unique(y_true)
    if classes.dtype.kind == "V":
        raise InputTypeError("Cannot compare structured or void to non-void arrays.")
    usual = classes.dtype.kind not in "OUS" and classes.tolist() in ([0, 1], [-1, 1], [0], [-1], [1])
    if not usual:
        listed = ", ".join(repr(label) for label in classes.tolist())
        raise InputError(
            f"y_true takes value in {{{listed}}} and pos_label is not specified: either make y_true take value in "
            "{0, 1} or {-1, 1} or pass pos_label explicitly."
        )
    return 1


def encode(values: Sequence[Any] | NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each value in the ascending `classes`, all of which are known."""
    return np.searchsorted(classes, np.asarray(values)).astype(np.int64)

"""Calls in other words: arguments in the plain form in which scikit-learn gives the result that we give at once.

Each function returns the rewritten call, or None where there is nothing to rewrite.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from calls import LABEL_OPTIONS
from draw import Call, Named
from scipy import sparse

OF_LABELS = {*LABEL_OPTIONS, "get_scorer", "check_scoring", "make_scorer"}
OF_PROBABILITIES = {"log_loss", "brier_score_loss", "d2_log_loss_score", "d2_brier_score"}
_DATA = ("sample_weight", "labels", "y_pred")
_EXACT = 2**53


def _each(call: Call, change: Callable[[Any], Any]) -> Call | None:
    """The call with every argument, and the options that hold data, changed; None if that changes nothing."""
    arguments = tuple(v if isinstance(v, Named) else change(v) for v in call.arguments)
    options = dict(call.options)
    for name in _DATA:
        if name in options:
            options[name] = change(options[name])
    same = all(a is b for a, b in zip(arguments, call.arguments, strict=True))
    if same and all(options[name] is call.options[name] for name in options):
        return None
    return dataclasses.replace(call, arguments=arguments, options=options)


def _with(call: Call, arguments: tuple[Any, ...] | None = None, **options: Any) -> Call:
    return dataclasses.replace(
        call, arguments=call.arguments if arguments is None else arguments, options=call.options | options
    )


def _plain(values: Any) -> np.ndarray | None:
    """The values of any container as an array, or None."""
    if values is None or isinstance(values, str | dict | set) or sparse.issparse(values) or np.isscalar(values):
        return None
    if not hasattr(values, "__len__"):
        return None
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        return None
    return array


def has_no_numbers(values: Any) -> bool:
    """Whether text, dates, None or other things that are no numbers are among the values."""
    array = _plain(values)
    if array is None:
        return False
    numbers = Real | Decimal | np.bool_
    return array.dtype.kind in "USTVMm" or (
        array.dtype == object and not all(isinstance(v, numbers) for v in array.flat)
    )


def has_infinite_objects(values: Any) -> bool:
    """Whether infinity is among numbers that are objects."""
    array = _plain(values)
    return array is not None and array.dtype == object and any(isinstance(v, float) and np.isinf(v) for v in array.flat)


def are_times(values: Any, kinds: str = "mM") -> bool:
    """Whether they are numpy's durations (m) or dates (M)."""
    array = _plain(values)
    return array is not None and array.dtype.kind in kinds


def _are_doubles(array: np.ndarray) -> bool:
    return np.array_equal(array, array.astype(float), equal_nan=True)


# Containers ----------------------------------------------------------------------------------------------------------


def memoryviews(call: Call) -> Call | None:
    return _each(call, lambda v: np.asarray(v) if isinstance(v, memoryview) else v)


def variable_text(call: Call) -> Call | None:
    kind = np.dtypes.StringDType
    return _each(call, lambda v: np.array(v.tolist(), dtype=str) if isinstance(getattr(v, "dtype", None), kind) else v)


def tuples(call: Call) -> Call | None:
    def is_nested(v: Any) -> bool:
        return isinstance(v, tuple) and bool(v) and not np.isscalar(v[0]) and hasattr(v[0], "__len__")

    def as_list(v: Any) -> Any:
        return [list(row) for row in v] if is_nested(v) else v

    def as_array(v: Any) -> Any:
        of_tuples = is_nested(v) or (isinstance(v, list) and bool(v) and isinstance(v[0], tuple))
        return v if not of_tuples or (array := _plain(v)) is None else array

    return _each(call, as_array if call.name in OF_PROBABILITIES else as_list)


def lists_of_scores(call: Call) -> Call | None:
    if call.name != "average_precision_score" or len(call.arguments) < 2 or hasattr(call.arguments[1], "shape"):
        return None
    array = _plain(call.arguments[1])
    return None if array is None else _with(call, (call.arguments[0], array))


def weights_that_are_no_array(call: Call) -> Call | None:
    weights = call.options.get("sample_weight")
    counts = call.name == "zero_one_loss" and call.options.get("normalize", True) is not True
    if type(weights) is np.ndarray or not (counts or call.name == "label_ranking_average_precision_score"):
        return None
    array = _plain(weights)
    return None if array is None else _with(call, sample_weight=array)


def stored_zeros(call: Call) -> Call | None:
    def without(v: Any) -> Any:
        if not sparse.issparse(v) or not hasattr(v, "data") or v.nnz == v.count_nonzero():
            return v
        v = v.tocsr().copy()
        v.eliminate_zeros()
        return v

    return None if call.name.startswith("label_ranking") else _each(call, without)


def columns_of_labels(call: Call) -> Call | None:
    nested = call.name in OF_PROBABILITIES and isinstance(call.arguments[0], list | tuple)
    if not nested and (call.name != "roc_auc_score" or call.options.get("multi_class") != "ovo"):
        return None
    array = _plain(call.arguments[0])
    return _with(call, (array.ravel(), *call.arguments[1:])) if array is not None and array.ndim == 2 else None


def masks(call: Call) -> Call | None:
    return _each(call, lambda v: np.ma.getdata(v) if isinstance(v, np.ma.MaskedArray) else v)


# Numbers -------------------------------------------------------------------------------------------------------------


def _integers(values: Any) -> np.ndarray | None:
    """The labels as objects that are exact, if there are integers beyond 2**53 among them."""
    array = _plain(values)
    if array is None or array.ndim > 2:
        return None
    if array.dtype.kind not in "iuO" and _is_nullable(values):
        array = np.asarray(values.to_numpy(dtype=object))  # pandas makes floats of them otherwise
    if array.dtype.kind == "f" and isinstance(values, list | tuple) and all(isinstance(v, int) for v in values):
        array = np.array(values, dtype=object)  # numpy makes floats of integers beyond 2**63 beside smaller ones
    if array.dtype.kind not in "iufO":
        return None
    exact = array.astype(object)
    numbers = [v for v in exact.flat if isinstance(v, int | float | np.number)]
    return exact if any(abs(v) >= _EXACT for v in numbers if v == v) and len(numbers) == exact.size else None


def large_labels(call: Call) -> Call | None:
    """Labels beyond 2**53 as smaller ones of the same order."""
    names = ("labels", "pos_label")
    if call.name in ("auc", "dcg_score", "ndcg_score", "get_scorer", "check_scoring", "make_scorer"):
        return None
    columns = [*call.arguments[: 2 if call.name in OF_LABELS else 1]]
    exact = [_integers(v) for v in (*columns, call.options.get("labels"), [call.options.get("pos_label", 0)])]
    large = sorted({int(v) for array in exact if array is not None for v in array.flat if _EXACT <= abs(v) < np.inf})
    if not large or (call.name not in OF_LABELS and large[-1] >= 2**64):  # the others refuse what 64 bits do not hold
        return None
    code = {v: (10**13 + place) for place, v in enumerate(large)}
    if large[0] < 0:
        code |= {v: -(10**13) + place for place, v in enumerate(w for w in large if w < 0)}

    def small(array: np.ndarray, original: Any) -> Any:
        dtype = object if getattr(getattr(original, "dtype", None), "char", "") == "O" else None
        changed = [code.get(v, v) for v in array.flat]
        whole = all(isinstance(v, int | np.integer) for v in changed)
        return np.array(changed, dtype=dtype or (np.int64 if whole else float)).reshape(array.shape)

    arguments = list(call.arguments)
    for place in range(len(columns)):
        if exact[place] is not None:
            arguments[place] = small(exact[place], columns[place])
    options = dict(call.options)
    for name, array in zip(names, exact[len(columns) :], strict=True):
        if array is not None:
            options[name] = small(array, options[name]) if name == "labels" else small(array, None)[0]
    if call.name == "classification_report" and options.get("target_names") is None:
        options["target_names"] = _shown(call, exact)
    return dataclasses.replace(call, arguments=tuple(arguments), options=options)


def _shown(call: Call, exact: list[np.ndarray | None]) -> list[str] | None:
    """The labels as a report shows them: as integers, or as floats where floats are among them."""
    if call.options.get("labels") is not None:
        columns = [(call.options["labels"], exact[2])]
    else:
        columns = list(zip(call.arguments[:2], exact[:2], strict=True))
    arrays = [_plain(values) for values, _ in columns]
    read = [array if known is None else known for array, (_, known) in zip(arrays, columns, strict=True)]
    if any(array is None for array in read):
        return None
    labels = [v for array in read for v in array.flat]
    if any(
        isinstance(v, bool | np.bool | np.timedelta64) or not isinstance(v, int | float | np.number) for v in labels
    ):
        return None
    dtypes = [array.dtype for array in arrays if array is not None]
    joined = np.result_type(*dtypes).kind if len(dtypes) > 1 and all(dtype.kind in "iu" for dtype in dtypes) else ""
    floats = joined == "f" or any(
        array is not None and array.dtype.kind == "f" and not _is_nullable(values)
        for array, (values, _) in zip(arrays, columns, strict=True)
    )
    if call.options.get("labels") is None:
        labels = sorted(set(labels))
    return [str(float(v)) if floats else str(int(v)) for v in labels]


def _is_nullable(values: Any) -> bool:
    return str(getattr(values, "dtype", "")).lower().startswith(("int", "uint"))


def ties(call: Call) -> Call | None:
    """Scores without ties, in the order of the columns from the last."""
    if call.name not in ("dcg_score", "ndcg_score") or not call.options.get("ignore_ties"):
        return None
    scores = _plain(call.arguments[1])
    try:
        scores = scores if scores is None else scores.astype(float)
    except (TypeError, ValueError):
        return None
    if scores is None or scores.ndim != 2 or np.isnan(scores).any():
        return None
    ranks = np.argsort(np.argsort(scores, axis=1, kind="stable"), axis=1, kind="stable")
    return _with(call, (call.arguments[0], ranks))


def whole_area(call: Call) -> Call | None:
    """The area up to a false positive rate as the whole area."""
    is_part = call.name == "roc_auc_score" and call.options.get("max_fpr") is not None
    return _with(call, max_fpr=None) if is_part else None


def long_doubles(call: Call) -> Call | None:
    def double(v: Any) -> Any:
        array = _plain(v)
        if array is None or array.dtype.char != "g" or not _are_doubles(array):
            return v
        return array.astype(float)

    return _each(call, double)


def numbers_that_are_objects(call: Call) -> Call | None:
    def doubles(values: Any) -> Any:
        array = _plain(values)
        if array is None or array.dtype != object or array.ndim != 1:
            return values
        return array.astype(float) if all(isinstance(v, Real | Decimal) for v in array) else values

    arguments, weights = list(call.arguments), call.options.get("sample_weight")
    if call.name not in OF_LABELS and len(arguments) > 1:
        arguments[1] = doubles(arguments[1])
    changed = doubles(weights)
    if changed is weights and (len(arguments) < 2 or arguments[1] is call.arguments[1]):
        return None
    return _with(call, tuple(arguments), **({} if weights is None else {"sample_weight": changed}))


def byte_order(call: Call) -> Call | None:
    def native(v: Any) -> Any:
        array = _plain(v)
        foreign = array is not None and array.ndim == 1 and array.dtype.kind == "u" and not array.dtype.isnative
        return array.astype(array.dtype.newbyteorder("=")) if foreign else v

    return _each(call, native)


def unsigned_margins(call: Call) -> Call | None:
    array = _plain(call.arguments[1]) if call.name == "hinge_loss" and len(call.arguments) > 1 else None
    if array is None or array.dtype.kind != "u":
        return None
    return _with(call, (call.arguments[0], array.astype(np.float64), *call.arguments[2:]))


def narrow_integers(call: Call) -> Call | None:
    weights = _plain(call.options.get("sample_weight"))
    if weights is None or weights.dtype.kind not in "bu":
        return None
    if call.options.get("normalize", True) is True and not call.options.get("samplewise"):
        return None
    whole = np.result_type(np.int32, weights) if call.options.get("samplewise") is True else np.int64
    return _with(call, sample_weight=weights.astype(whole))


# Scaling the weights changes these.
_AMOUNTS = {
    "confusion_matrix",
    "multilabel_confusion_matrix",
    "classification_report",
    "confusion_matrix_at_thresholds",
}


def scaled(call: Call) -> Call | None:
    """Weights of which the largest is about 1, where that does not change the result."""
    weights = _plain(call.options.get("sample_weight"))
    if weights is None or weights.dtype.kind != "f" or not weights.size or not np.isfinite(weights).all():
        return None
    largest = abs(weights).max()
    amounts = call.name in _AMOUNTS or call.options.get("normalize", True) is not True
    if amounts or "metric confusion_matrix" in call.about or 1e-60 < largest < 1e60 or not largest:
        return None
    return _with(call, sample_weight=np.ldexp(weights.astype(float), -int(np.frexp(largest)[1])))


_CLIPPED = ("log_loss", "d2_log_loss_score")


def narrow_floats(call: Call) -> Call | None:
    """Floats of 32 and 16 bits as doubles; probabilities as near 0 and 1 as scikit-learn takes them."""

    def wide(v: Any, clip: bool) -> Any:
        array = _plain(v)
        if array is None or array.dtype.kind != "f" or array.dtype.itemsize >= 8:
            return v
        if clip:
            epsilon = np.finfo(array.dtype).eps
            array = np.clip(array, epsilon, 1 - epsilon)
        return array.astype(np.float64)

    clip = call.name in _CLIPPED
    wider = [v if isinstance(v, Named) else wide(v, clip and place == 1) for place, v in enumerate(call.arguments)]
    options = {"sample_weight": False, "labels": False, "y_pred": clip}
    changed = {name: wide(call.options[name], narrow) for name, narrow in options.items() if name in call.options}
    same = all(a is b for a, b in zip(wider, call.arguments, strict=True))
    if same and all(changed[name] is call.options[name] for name in changed):
        return None
    return _with(call, tuple(wider), **changed)


def narrowed(value: Any, like: Any) -> Any:
    """A value in the dtypes of another."""
    if isinstance(value, tuple | list) and isinstance(like, tuple | list) and len(value) == len(like):
        return type(like)(narrowed(a, b) for a, b in zip(value, like, strict=True))
    if isinstance(value, dict) and isinstance(like, dict) and list(value) == list(like):
        return {key: narrowed(value[key], like[key]) for key in like}
    if isinstance(value, np.ndarray) and isinstance(like, np.ndarray):
        return value.astype(like.dtype)
    if isinstance(value, np.number | float) and isinstance(like, np.number | float) and type(like) is not np.longdouble:
        return type(like)(value)
    return value

"""scikit-learn's report of precision, recall, F1 and support, as text and as a dictionary."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady._rocksteady import ConfusionState, IndicatorState
from rocksteady.base.arguments import whole, wrong_value
from rocksteady.base.containers import elsewhere
from rocksteady.errors import InputError
from rocksteady.metrics._counting import count, is_flag
from rocksteady.metrics._drop_in import drop_in, is_sparse
from rocksteady.metrics._precision_recall import _WARN_FOR, of_classes, replacement, warn_prf, whole_if_empty
from rocksteady.metrics._warning import warn

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.metrics._counting import State

_NAMES = ("precision", "recall", "f1")
_HEADERS = ("precision", "recall", "f1-score", "support")
_HEADING = "  precision    recall  f1-score   support\n\n"
_OF_CLASSES = ("micro", "macro", "weighted")
_OF_LABELS = ("micro", "macro", "weighted", "samples")


def _is_nullable(values: Any) -> bool:
    """Whether numpy makes floats of a column of integers: one of pandas that may lack values."""
    return values.__class__ is not np.ndarray and hasattr(getattr(values, "dtype", None), "na_value")


def _joins_as_floats(y_true: Any, y_pred: Any) -> bool:
    """Whether numpy makes floats of the labels together: of unsigned integers of 64 bits and other integers.

    A list is taken to hold other integers.
    """
    columns = [column for column in (y_true, y_pred) if not isinstance(column, list | tuple)]
    dtypes = [column.dtype if isinstance(column, np.ndarray) else np.asarray(column).dtype for column in columns]
    return np.uint64 in dtypes and (len(dtypes) < 2 or any(dtype.kind == "i" for dtype in dtypes))


def _labels_of(state: State, y_true: Any, y_pred: Any) -> NDArray[Any]:
    """The labels, in the type that numpy gives them."""
    if isinstance(state, IndicatorState):
        return np.arange(state.labels)
    if elsewhere(y_true):
        return state.labels()
    nullable = _is_nullable(y_true) or _is_nullable(y_pred)
    if not (state.mixed or _joins_as_floats(y_true, y_pred) or nullable):
        return state.labels()
    found = np.asarray(sorted({*np.unique(_as_read(y_true)), *np.unique(_as_read(y_pred))}))
    return found if len(found) == state.classes else state.labels()  # different integers may be one float


def _as_read(column: Any) -> NDArray[Any]:
    numbers = _is_nullable(column) and getattr(column.dtype, "kind", "") in {"b", "i", "u"}
    return np.asarray(column, dtype=np.float64 if numbers else None)


@drop_in
def classification_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    target_names: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: float | Literal["warn"] = "warn",
) -> Any:
    """Precision, recall, F1 and support of each class and averaged, from one count.

    Formula and source: those of `precision_recall_fscore_support`; "macro avg" weighs classes alike, "weighted avg" by
    their rows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, and their order. Default: all labels that occur, ascending.
    target_names : array-like of shape (K,), optional
        What to call them. Default: the labels.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    digits : int
        Digits behind the point; a dictionary has them all.
    output_dict : bool
        A dictionary instead of text.
    zero_division : {"warn", 0, 1, NaN}
        The value of an undefined ratio. Means leave out NaN; "warn" is 0 with a warning.

    Returns
    -------
    str or dict
        "micro avg" stands only where it is not the accuracy; "samples avg" only for indicators.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import classification_report
    >>> print(classification_report([0, 1, 1, 1], [0, 1, 0, 1], target_names=["ham", "spam"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
             ham       0.50      1.00      0.67         1
            spam       1.00      0.67      0.80         3
    <BLANKLINE>
        accuracy                           0.75         4
       macro avg       0.75      0.83      0.73         4
    weighted avg       0.88      0.75      0.77         4
    <BLANKLINE>
    """
    digits = whole(digits, "digits", "a whole number, 0 or more", least=0)
    if not is_flag(output_dict):
        raise wrong_value(output_dict, "output_dict", "True or False")
    instead = replacement(zero_division)
    warns = zero_division.__class__ is str
    state = count(y_true, y_pred, sample_weight, None, labels)
    found = _labels_of(state, y_true, y_pred)
    if isinstance(state, ConfusionState):
        tables = state.tables() if labels is None else of_classes(state, labels)
    else:
        tables = state.by_label()
    listed = found.tolist() if labels is None else np.asarray(labels).tolist()
    names = [str(label) for label in listed] if target_names is None else _names(target_names, listed, labels)

    scores, undefined = tables.scores(_NAMES, None, instead, 1.0)
    if undefined and warns:
        warn_prf(_NAMES, undefined, None, len(tables), _WARN_FOR)
    support = whole_if_empty(tables.support(), state, y_true, y_pred, labels, sample_weight)
    if sample_weight is not None:
        columns = isinstance(state, ConfusionState)
        support = _added_in_order(
            support, y_true, y_pred, np.asarray(sample_weight), found if columns else None, listed
        )
    amounts = support.tolist()
    total = support.sum().item()  # as numpy adds, since the report shows all digits of floats
    rows = list(zip(names, *[column.tolist() for column in scores], amounts, strict=False))
    averages = []
    for average in _OF_CLASSES if isinstance(state, ConfusionState) else _OF_LABELS:
        if average == "samples" and not isinstance(state, ConfusionState):
            tables = state.by_row()
        means, undefined = tables.scores(_NAMES, average, instead, 1.0)
        if undefined and warns:
            size = {"micro": 1, "samples": state.rows}.get(average, len(tables))
            warn_prf(_NAMES, undefined, average, size, _WARN_FOR)
        averages.append((f"{average} avg", *means, total))
    if isinstance(state, ConfusionState) and (labels is None or set(listed) >= set(found.tolist())):
        averages[0] = ("accuracy", *averages[0][1:])
    return _dictionary(rows, averages) if output_dict else _text(rows, averages, names, digits)


def _added_in_order(
    support: NDArray[Any], y_true: Any, y_pred: Any, weights: NDArray[Any], found: Any | None, listed: list[Any]
) -> NDArray[Any]:
    """Add up the weights of each label as scikit-learn does: in the order of the rows, and hits apart from misses.

    The core's sums are exact, but the report shows all digits, and these are scikit-learn's.
    """
    if weights.dtype.kind != "f" or np.array_equal(weights, np.trunc(weights)):
        return support  # whole weights add up to the same in any order
    if found is None:  # indicators
        true, pred = (one.toarray() if is_sparse(one) else np.asarray(one) for one in (y_true, y_pred))
        rows, codes = np.nonzero(true)
        found, right, weights = np.arange(true.shape[1]), pred[rows, codes] != 0, weights[rows]
    else:
        if found.dtype.kind == "f" and np.any(np.abs(found.astype(np.float64)) >= 2.0**53):
            return support  # different integers may be one float
        true, pred = np.asarray(y_true), np.asarray(y_pred)
        codes, right = np.minimum(np.searchsorted(found, true), len(found) - 1), true == pred
        if not np.array_equal(found[codes], true):
            return support  # numpy and the core read the labels differently
    every = np.bincount(codes, weights, len(found))
    hits = np.bincount(codes[right], weights[right], len(found))
    sums = dict(zip(found.tolist(), (hits + (every - hits)).tolist(), strict=True))
    amounts = [sums.get(label, amount) for label, amount in zip(listed, support.tolist(), strict=True)]
    return np.array(amounts, dtype=np.float64)


def _names(target_names: Any, listed: list[Any], labels: Any) -> list[str]:
    """The names given, as many as there are labels."""
    names = list(target_names)
    if len(names) != len(listed):
        if labels is None:
            raise InputError(
                f"Number of classes, {len(listed)}, does not match size of target_names, {len(names)}. "
                "Try specifying the labels parameter"
            )
        warn(f"labels size, {len(listed)}, does not match size of target_names, {len(names)}")
    return names


def _dictionary(rows: list[tuple[Any, ...]], averages: list[tuple[Any, ...]]) -> dict[Any, Any]:
    report: dict[Any, Any] = {}
    for name, *values in (*rows, *averages):
        report[name] = dict(zip(_HEADERS, map(float, values), strict=True))
    if averages[0][0] == "accuracy":
        report["accuracy"] = averages[0][1]
    return report


def _text(rows: list[tuple[Any, ...]], averages: list[tuple[Any, ...]], names: list[str], digits: int) -> str:
    if not names:
        raise InputError("max() arg is an empty sequence")
    width = max(len("weighted avg"), digits, *map(len, names))
    row = first = f"%{width}s  %9.{digits}f %9.{digits}f %9.{digits}f %9s\n"
    if averages[0][0] == "accuracy":
        name, _, _, value, total = averages[0]
        averages[0] = (name, value, total)
        first = f"%{width}s  {'':19} %9.{digits}f %9s\n"
    # One format for all: a third faster than row by row.
    shape = "".join((" " * width, _HEADING, row * len(rows), "\n", first, row * (len(averages) - 1)))
    return shape % tuple(chain.from_iterable((*rows, *averages)))

"""Sensitive and control features as groups of rows, and the counts of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import shown, wrong_value
from rocksteady.base.containers import headings_of, shape_of
from rocksteady.base.keys import grouped
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.labels.counts import Counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def columns_of(features: Any, base: str, argument: str) -> dict[str, Any]:
    """Columns by name. Those without a name are called as in fairlearn: "sensitive_feature_0"."""
    if isinstance(features, Mapping):
        found = dict(features)
    else:
        headings = headings_of(features)
        if headings is not None:
            found = {heading: features[heading] for heading in headings}
        else:
            found = _unnamed(features, base, argument)
    for name in found:
        if not isinstance(name, str):
            raise wrong_value(name, argument, "columns whose names are text")
    if not found:
        raise wrong_value(features, argument, "at least one column")
    return found


def _unnamed(features: Any, base: str, argument: str) -> dict[str, Any]:
    if isinstance(features, str | bytes) or features is None or not hasattr(features, "__len__"):
        raise InputTypeError(
            f"{argument} is {shown(features)}; expected a column, a mapping of columns or a data frame", argument=argument
        )
    if isinstance(features, list | tuple):
        if any(isinstance(value, list | tuple | np.ndarray) for value in features):
            raise InputError(
                f"{argument} is a list of columns; expected one column, or several in a mapping with their names",
                argument=argument,
            )
        return {f"{base}0": features}
    name = getattr(features, "name", None)
    shape = shape_of(features)
    if len(shape) == 2:
        matrix = np.asarray(features)
        return {f"{base}{place}": matrix[:, place] for place in range(matrix.shape[1])}
    if len(shape) > 2:
        raise wrong_value(features, argument, "an array of one or two dimensions")
    if name is not None and name != "" and not isinstance(name, str):
        raise wrong_value(name, argument, "a column whose name is text")
    return {name or f"{base}0": features}


def groups_of(sensitive: Any, control: Any, rows: int) -> tuple[Any, list[str], list[str]]:
    """The groups of rows, and the names of the control and of the sensitive columns."""
    inner = columns_of(sensitive, "sensitive_feature_", "sensitive_features")
    outer = {} if control is None else columns_of(control, "control_feature_", "control_features")
    for name in inner:
        if name in outer:
            raise InputError(
                f"control_features has a column {shown(name)} that sensitive_features has, too; expected each name once",
                argument="control_features",
            )
    try:
        state = grouped(inner, outer or None, rows=rows)
    except RocksteadyError as error:
        names = {"by": "sensitive_features", "control": "control_features"}
        if error.argument not in names:
            raise
        argument = names[error.argument]
        text = str(error).removeprefix(error.argument)
        raise type(error)(f"{argument}{text}", argument=argument, row=error.row) from None
    return state, list(outer), list(inner)


def counted(
    state: Any,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    pos_label: Any,
    *,
    selected: bool = False,
) -> Counts:
    """The table of each group; without groups, of all rows. `selected` reads the predictions only."""
    pred = column(y_pred, "y_pred")
    true = np.zeros(len(pred), dtype=bool) if selected else column(y_true, "y_true")
    if len(true) != len(pred):
        raise InputError(
            f"y_true has {len(true)} rows and y_pred {len(pred)}; expected the same number", argument="y_pred"
        )
    if selected:
        wanted = 1 if pos_label is None else pos_label
        is_true, is_pred = true, pred == wanted
    else:
        labels = set(np.unique(true).tolist()) | set(np.unique(pred).tolist())
        wanted = positive_of(labels, pos_label)
        is_true, is_pred = true == wanted, pred == wanted
    codes = np.zeros(len(pred), dtype=np.uint32) if state is None else state.codes()
    groups = int(len(pred) > 0) if state is None else state.groups
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
    cells = codes.astype(np.int64) * 4 + is_true * 2 + is_pred
    tn, fp, fn, tp = np.bincount(cells, weights, minlength=4 * groups).reshape(groups, 4).T
    return Counts(tp, fp, fn, tn)


def positive_of(labels: set[Any], pos_label: Any) -> Any:
    """The positive label among at most two."""
    if pos_label is None:
        if not (labels <= {0, 1} or labels <= {-1, 1}):
            raise InputError(
                f"y_true and y_pred have the labels {shown(sorted(labels, key=repr))}; expected labels of {{0, 1}} or "
                "{-1, 1}, or a pos_label",
                argument="pos_label",
            )
        return 1
    if len(labels - {pos_label}) > 1:
        raise InputError(
            f"y_true and y_pred have {len(labels | {pos_label})} labels; expected at most two", argument="y_true"
        )
    return pos_label


def column(values: Any, argument: str) -> NDArray[Any]:
    """A column of labels as an array."""
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise wrong_value(array.shape, argument, "one column")
    return array

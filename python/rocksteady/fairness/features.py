"""Sensitive and control features as groups of rows, and the counts of each group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import as_array, label_of, shown, wrong_value
from rocksteady.base.containers import columns_of as named_columns
from rocksteady.base.containers import is_matrix, opened_matrix, rows_of, shape_of
from rocksteady.base.named_columns import refused_as
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.keys import grouped
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import Counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def columns_of(features: Any, base: str, argument: str) -> dict[str, Any]:
    """Columns by name. Those without a name are called as in fairlearn: "sensitive_feature_0"."""
    given = named_columns(features, argument)
    found = _unnamed(features, base, argument) if given is None else given
    for name in found:
        if not isinstance(name, str):
            raise wrong_value(name, argument, "columns whose names are text")
    if not found:
        raise wrong_value(features, argument, "at least one column")
    return found


def _unnamed(features: Any, base: str, argument: str) -> dict[str, Any]:
    if isinstance(features, str | bytes) or features is None or not hasattr(features, "__len__"):
        raise InputTypeError(
            f"{argument} is {shown(features)}; expected a column, a mapping of columns or a data frame",
            argument=argument,
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
        matrix = opened_matrix(features, argument)
        return {f"{base}{place}": matrix[:, place] for place in range(matrix.shape[1])}
    if len(shape) > 2:
        raise wrong_value(features, argument, "an array of one or two dimensions")
    if name is not None and name != "" and not isinstance(name, str):
        raise wrong_value(name, argument, "a column whose name is text")
    return {name or f"{base}0": features}


def side_by_side(first: str, columns: dict[str, Any]) -> None:
    """Warn of columns with the index labels of the first one in another order."""
    paired(columns[first], {name: column for name, column in columns.items() if name != first}, first=first)


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


class Labels:
    """The labels and predictions of rows, coded once, for the counts of groups.

    Parameters
    ----------
    state : state of the extension
        The groups of rows.
    y_true, y_pred : array-like
        Both columns.
    """

    __slots__ = ("_matrix", "_pred", "_true", "state", "y_pred", "y_true")

    def __init__(self, state: Any, y_true: ArrayLike, y_pred: ArrayLike) -> None:
        self.state = state
        self.y_true, self.y_pred = y_true, y_pred
        self._matrix: ConfusionMatrix | None = None

    def matrix(self) -> ConfusionMatrix:
        """The matrix of all rows, for its labels."""
        if self._matrix is None:
            self._true = _coded(self.y_true, "y_true")
            self._pred = _coded(self.y_pred, "y_pred")
            self._matrix = ConfusionMatrix(self._true, self._pred)
        return self._matrix

    def selected(self, pos_label: Any, sample_weight: ArrayLike | None) -> Counts:
        """The counts of groups of the rows that are predicted to be of a label, as if all were right.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            For missing predictions, those that are no labels, and a `pos_label` that none of several labels is.
        """
        positive = 1 if pos_label is None else label_of(pos_label, "pos_label")
        if rows_of(self.y_pred, "y_pred"):
            given = column(self.y_pred, "y_pred") if is_matrix(self.y_pred) else self.y_pred
            coded = _coded(given, "y_pred")
            with refused_as("y_true", "y_pred"):
                found = list(ConfusionMatrix(coded, coded).labels)
            is_other = len(found) > 1 or isinstance(found[0], str) != isinstance(positive, str)
            if positive not in found and is_other:  # with rows of one class only, it may be the other class
                raise wrong_value(positive, "pos_label", f"one of the labels of y_pred, {shown(found)}")
        pred = column(self.y_pred, "y_pred") == positive
        return self._counts(pred, pred, ConfusionMatrix(pred, pred, labels=[False, True]), sample_weight, True)

    def counts(self, pos_label: Any, sample_weight: ArrayLike | None) -> Counts:
        """The counts of groups.

        Raises
        ------
        rocksteady.InputError
            For more than two labels, and for labels other than 0 and 1, or -1 and 1, without a `pos_label`.
        """
        matrix = self.matrix()
        labels = list(matrix.labels)
        positive = positive_of(labels, pos_label)
        if len(labels) == 2:
            return self._counts(self._true, self._pred, matrix, sample_weight, positive)
        true, pred = column(self.y_true, "y_true") == positive, column(self.y_pred, "y_pred") == positive
        return self._counts(true, pred, ConfusionMatrix(true, pred, labels=[False, True]), sample_weight, True)

    def _counts(self, true: Any, pred: Any, matrix: ConfusionMatrix, weights: Any, positive: Any) -> Counts:
        state = _rocksteady.GroupsState.of_rows(
            self.state, true, (pred, matrix._state), None, positive, None, weights, "counts"
        )
        return Counts._weighed(*state.tables(None))

    def matrices(self, sample_weight: ArrayLike | None) -> Any:
        """The matrices of groups, of any number of labels."""
        matrix = self.matrix()
        return _rocksteady.GroupsState.of_rows(
            self.state, self._true, (self._pred, matrix._state), None, None, None, sample_weight, "counts"
        )


def _coded(values: Any, argument: Any) -> Any:
    """Complete labels in the form of the extension; text and other objects are hashed here, once."""
    refuse_missing(values, argument, "a label")
    found = _rocksteady.coded_labels(values, argument)
    return values if found is None else found


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
    rows = rows_of(y_pred, "y_pred")
    own = grouped(np.zeros(rows, dtype=np.uint8)) if state is None else state
    labels = Labels(own, y_true, y_pred)
    return labels.selected(pos_label, sample_weight) if selected else labels.counts(pos_label, sample_weight)


def positive_of(labels: list[Any], pos_label: Any) -> Any:
    """The positive label among at most two."""
    if pos_label is None:
        if not (set(labels) <= {0, 1} or set(labels) <= {-1, 1}):
            raise InputError(
                f"y_true and y_pred have the labels {shown(labels)}; expected labels of {{0, 1}} or {{-1, 1}}, or a "
                "pos_label",
                argument="pos_label",
            )
        return 1
    label_of(pos_label, "pos_label")
    if sum(label != pos_label for label in labels) > 1:
        raise InputError(
            f"y_true and y_pred have the labels {shown(labels)}; expected {shown(pos_label)} and one other",
            argument="y_true",
        )
    return pos_label


def column(values: Any, argument: str) -> NDArray[Any]:
    """A column of labels as an array."""
    array = as_array(values, argument, "one column")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise wrong_value(array.shape, argument, "one column")
    return array

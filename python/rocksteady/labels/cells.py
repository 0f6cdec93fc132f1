"""Given cells into the state of a confusion matrix: mappings, data frames, sparse and dense arrays."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import amounts, counts_or_weights, labels_of, numbers, shown, wrong_type, wrong_value
from rocksteady.base.gaps import refuse_gap
from rocksteady.base.named_columns import refused_as
from rocksteady.columns.keys import grouped, key_arrays
from rocksteady.errors import InputError, InputTypeError, RocksteadyError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# The most classes that are made without labels.
_MOST_CLASSES = 1_000_000

# The types of cells that the extension takes.
_TAKEN = (np.dtype(np.int64), np.dtype(np.uint64), np.dtype(np.float64))


def state_of(counts: Any, labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    """The state with the cells of `counts`; see `ConfusionMatrix.from_counts`."""
    if type(counts) is np.ndarray and counts.ndim == 2 and counts.dtype in _TAKEN:
        return _rocksteady.ConfusionState.from_counts(counts, labels)  # the fastest way
    if isinstance(counts, Mapping):
        return _of_mapping(counts, labels)
    if hasattr(counts, "tocoo"):
        return _of_sparse(counts, labels)
    if all(hasattr(counts, name) for name in ("index", "columns", "to_numpy")):
        return _of_frame(counts, labels)
    return _rocksteady.ConfusionState.from_counts(_square(amounts(counts, "counts")), labels)


def state_of_cells(
    actual: ArrayLike, predicted: ArrayLike, given: ArrayLike, labels: ArrayLike | None
) -> _rocksteady.ConfusionState:
    """The state with some cells; see `ConfusionMatrix.from_cells`."""
    places = _places(actual, "actual"), _places(predicted, "predicted")
    if labels is None:
        for column, argument in zip(places, ("actual", "predicted"), strict=True):
            large = np.flatnonzero(column >= _MOST_CLASSES)
            if large.size:
                place, expected = int(large[0]), f"a place below {_MOST_CLASSES:,} where labels are not given"
                raise wrong_value(int(column[place]), f"{argument}[{place}]", expected)
        labels = np.arange(1 + max((int(column.max()) for column in places if column.size), default=-1))
    cells = counts_or_weights(amounts(given, "amounts").reshape(-1))
    return _rocksteady.ConfusionState.from_cells(*places, cells, labels)


def state_of_long(y_true: Any, y_pred: Any, given: Any, labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    """The state with the cells that a ``GROUP BY`` gives; see `ConfusionMatrix.from_counts`."""
    cells = counts_or_weights(amounts(given, "counts").reshape(-1))
    columns = [_coded(y_true, "y_true", cells.size), _coded(y_pred, "y_pred", cells.size)]
    found = {label for keys, _ in columns for label in keys}
    try:
        order = sorted(found) if labels is None else labels_of(labels, "labels")
    except TypeError:
        raise InputTypeError("y_true and y_pred have text and numbers; expected labels of one kind") from None
    place_of = {label: place for place, label in enumerate(order)}
    places = []
    for (keys, codes), argument in zip(columns, ("y_true", "y_pred"), strict=True):
        odd = next((label for label in keys if label not in place_of), None)
        if odd is not None:
            raise InputError(f"{argument} has the class {shown(odd)}; expected one of {order}", argument=argument)
        places.append(np.array([place_of[label] for label in keys], dtype=np.uint32)[codes])
    return _rocksteady.ConfusionState.from_cells(places[0], places[1], cells, order)


def _coded(column: Any, argument: str, rows: int) -> tuple[list[Any], NDArray[np.uint32]]:
    """The labels of a column, and for each row the place of its label."""
    if column is None:
        raise InputError(f"{argument} is None; expected a column, as the other one is given", argument=argument)
    with refused_as("by", argument):
        state = grouped({argument: column}, rows=rows)
    labels = key_arrays(state)[argument].tolist()
    missing = next((place for place, label in enumerate(labels) if label is None or label != label), None)
    if missing is not None:
        row = int(np.flatnonzero(state.codes() == missing)[0])
        raise InputError(f"{argument}[{row}] is missing; expected a label", argument=argument)
    return labels, state.codes()


def _square(cells: NDArray[Any]) -> NDArray[Any]:
    if cells.ndim != 2:
        raise InputError(f"counts has shape {cells.shape}; expected (K, K)", argument="counts")
    return cells if cells.dtype in _TAKEN else counts_or_weights(cells)


def _places(values: ArrayLike, argument: str) -> NDArray[np.uint32]:
    """Places of classes: whole numbers from 0."""
    column = numbers(values, argument).reshape(-1)
    refuse_gap(column, argument, "the place of a class")
    if column.dtype.kind not in "iu" and column.size:
        raise InputTypeError(f"{argument} has dtype {column.dtype}; expected integers", argument=argument)
    outside = np.flatnonzero((column < 0) | (column >= 2**32 - 1))
    if outside.size:
        row = int(outside[0])
        raise InputError(f"{argument}[{row}] is {column[row]}; expected the place of a class", argument=argument)
    return column.astype(np.uint32)


def _of_mapping(counts: Mapping[Any, Mapping[Any, Any]], labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    places = _order(list(counts), labels, "the keys of counts")
    whole = _whole_square(counts, list(places))
    if whole is not None:
        return _rocksteady.ConfusionState.from_counts(counts_or_weights(whole), list(places))
    keys: list[tuple[Any, Any]] = []
    given: list[Any] = []
    for row, cells in counts.items():
        if not isinstance(cells, Mapping):
            raise wrong_type(cells, f"counts[{shown(row)}]", "a mapping of predicted label to amount")
        for column, amount in cells.items():
            if column not in places:
                raise InputError(
                    f"counts[{shown(row)}] has the class {shown(column)}, which counts has no row of; expected a row for every "
                    "class",
                    argument="counts",
                )
            keys.append((row, column))
            if not isinstance(amount, Real | np.bool_):
                raise wrong_type(
                    amount, f"counts[{shown(row)}][{shown(column)}]", "a finite number that is not negative"
                )
            given.append(amount)
    cells_given = amounts(given, "counts") if given else np.zeros(0)
    bad = np.flatnonzero(~((cells_given >= 0) & (cells_given < np.inf)))
    if bad.size:
        row, column = keys[bad[0]]
        raise InputError(
            f"counts[{shown(row)}][{shown(column)}] is {given[bad[0]]!r}; expected a finite number that is not negative",
            argument="counts",
        )
    actual, predicted = (np.array([places[key[side]] for key in keys], dtype=np.uint32) for side in (0, 1))
    return _rocksteady.ConfusionState.from_cells(actual, predicted, counts_or_weights(cells_given), list(places))


def _whole_square(counts: Mapping[Any, Mapping[Any, Any]], labels: list[Any]) -> NDArray[Any] | None:
    """The cells of a mapping with rows and columns in order and none missing, as PyCM's are; None for any other mapping."""
    if list(counts) != labels or not all(isinstance(row, Mapping) and list(row) == labels for row in counts.values()):
        return None
    try:
        cells = amounts([list(row.values()) for row in counts.values()], "counts")
    except RocksteadyError:  # cells that are not numbers
        return None
    if cells.ndim != 2 or cells.dtype.kind == "b" or not ((cells >= 0) & (cells < np.inf)).all():
        return None  # the check cell by cell finds the mistake and its place
    return cells


def _of_frame(counts: Any, labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    index, columns = list(counts.index), list(counts.columns)
    places = _order(index, labels, "the index of counts")
    if set(columns) != set(index) or len(columns) != len(index):
        odd = next((label for label in [*columns, *index] if (label in columns) != (label in index)), columns)
        raise InputError(
            f"the index and the columns of counts differ in {shown(odd)}; expected the same classes", argument="counts"
        )
    cells = _square(numbers(counts.to_numpy(), "counts"))
    row_of, column_of = ({label: place for place, label in enumerate(names)} for names in (index, columns))
    rows, across = ([where[label] for label in places] for where in (row_of, column_of))
    return _rocksteady.ConfusionState.from_counts(np.ascontiguousarray(cells[np.ix_(rows, across)]), list(places))


def _of_sparse(counts: Any, labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    if len(counts.shape) != 2 or counts.shape[0] != counts.shape[1]:
        raise InputError(f"counts has shape {counts.shape}; expected (K, K)", argument="counts")
    cells = counts.tocoo()
    wanted = np.arange(counts.shape[0]) if labels is None else labels
    if len(labels_of(wanted, "labels")) != counts.shape[0]:
        raise InputError(
            f"labels are {len(labels_of(wanted, 'labels'))}; expected {counts.shape[0]}, one for each row",
            argument="labels",
        )
    places = _places(cells.row, "counts"), _places(cells.col, "counts")
    return _rocksteady.ConfusionState.from_cells(*places, counts_or_weights(numbers(cells.data, "counts")), wanted)


def _order(own: list[Any], labels: ArrayLike | None, what: str) -> dict[Any, int]:
    """The place of each label in the requested order."""
    wanted = labels_of(own, "counts") if labels is None else labels_of(labels, "labels")
    if set(wanted) != set(own) or len(wanted) != len(own):
        raise InputError(
            f"labels are not the classes of {what}; expected the same classes, each once, in any order",
            argument="labels",
        )
    return {label: place for place, label in enumerate(wanted)}

"""Columns, rows and weights by the names of models or classes, and what refusals call them."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import labels_of, listed, numbers, several, shown, string, wrong_type, wrong_value
from rocksteady.base.containers import columns_of, first_of, headings_of, is_matrix, opened_matrix, shape_of
from rocksteady.base.gaps import refuse_gap
from rocksteady.base.taxonomy import shared_nodes
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

#: What the only model is called unless it has a name.
ONE: Final = "model"
#: How far from 1 the two probabilities of a row may add up.
SUM_OF_ONE: Final = 1e-6


def model_names(given: Any, argument: str = "names") -> list[str] | None:
    """Read the names of models."""
    if given is None:
        return None
    expected = "a list of names of models, which are strings"
    return [string(name, argument, expected) for name in listed(given, argument, expected)]


def by_name(given: Any, argument: str, names: Any, *, each: int = 1) -> dict[str, Any]:
    """Columns, or with `each` 2 matrices, by the names of their models."""
    names = model_names(names)
    if given is None:
        return {}
    headings = list(given) if isinstance(given, Mapping) else headings_of(given) if each == 1 else None
    if headings is not None:
        return _named(given, headings, argument, names)
    dimensions = len(shape_of(given))
    if dimensions <= each:
        return {_only(names, argument): given}
    if each == 2:
        raise InputError(
            f"y_proba has {dimensions} dimensions; expected 2, or a mapping from names to arrays of 2",
            argument=argument,
        )
    matrix = opened_matrix(given, argument)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError(f"{argument} has shape {matrix.shape}; expected (n,) or (n, m)", argument=argument)
    models = matrix.shape[1]
    called = [ONE] if models == 1 else [f"{ONE} {place + 1}" for place in range(models)]
    if names is not None:
        if len(names) != models:
            raise wrong_value(names, "names", f"{models} names, one for each column of {argument}")
        called = names
    return {name: matrix[:, place] for place, name in enumerate(called)}


# Columns of a data frame ----------------------------------------------------------------------------------------------


def named_columns(
    frame: Any, label: Any, *, one: dict[str, Any], some: dict[str, Any], beside: dict[str, Any]
) -> dict[str, Any]:
    """Columns of a data frame, or of a mapping or an Arrow table, where `label` names that of the labels.

    Parameters
    ----------
    frame : data frame
    label : str or None
        The column of the labels. None: no column may be named.
    one, some : dict
        By the argument, the name of a column; or a name, names, or a mapping from what they are called to names.
    beside : dict
        Arguments that take columns themselves, and so have to be None.

    Returns
    -------
    dict
        The labels, a column for each argument of `one`, and for each of `some` a dictionary of columns, or None where none
        was named; nothing without `label`.

    >>> named_columns({"y": [0, 1], "p": [0.2, 0.7]}, "y", one={"weight": None}, some={"score": "p"}, beside={})
    {'label': [0, 1], 'weight': None, 'score': {'p': [0.2, 0.7]}}
    """
    if label is None:
        for argument, name in {**one, **some}.items():
            if name is not None:
                raise wrong_value(name, argument, "None without label=, which names the column of the labels")
        return {}
    for argument, value in beside.items():
        if value is not None:
            raise wrong_value(value, argument, "None with label=, where other arguments name columns")
    judged = {argument: name for argument, name in {**one, **some}.items() if argument in ("score", "pred", "proba")}
    if all(name is None for name in judged.values()):
        first, *others = judged
        raise wrong_value(None, first, " or ".join(["the name of a column", *(f"{each}=" for each in others)]))
    columns = columns_of(frame, "y_true")
    if columns is None:
        raise wrong_type(frame, "y_true", "a data frame with label=, which names a column")

    def column(name: Any, argument: str) -> Any:
        if not np.isscalar(name) or name not in columns:
            raise wrong_value(name, argument, f"one of the columns {several(columns)}")
        return columns[name]

    def called(names: Any, argument: str) -> dict[Any, Any] | None:
        if names is None:
            return None
        if not isinstance(names, Mapping):
            alone = [names] if isinstance(names, str) else listed(names, argument, "a name or a list of names")
            names = {name if isinstance(name, str) else shown(name): name for name in alone}
        return {each: column(name, argument) for each, name in names.items()}

    single = {argument: None if name is None else column(name, argument) for argument, name in one.items()}
    return {
        "label": column(label, "label"),
        **single,
        **{argument: called(names, argument) for argument, names in some.items()},
    }


# Names of classes ------------------------------------------------------------------------------------------------------


def places_of(names: list[Any], labels: list[Any], argument: str, expected: str | None = None) -> list[int] | None:
    """The place of each label among the names of classes; None if the names say nothing of labels.

    With `expected`, names that are neither the labels nor mere places are refused.

    Names that are text, as those of polars and Arrow always are, stand for labels that are numbers, and labels that are
    text for names that are numbers.

    >>> places_of(["c", "a"], ["a", "c"], "costs"), places_of(["1", "0"], [0, 1], "costs"), places_of([0, 1], [7, 8], "costs")
    ([1, 0], [1, 0], None)
    """
    if _are_text(names) != _are_text(labels):
        names, labels = [str(name) for name in names], [str(label) for label in labels]
    if names == labels:
        return list(range(len(names)))
    if len(names) == len(labels) == len(set(names)) and set(names) == set(labels):
        return [names.index(label) for label in labels]
    if names == list(range(len(names))) or (expected is None and not set(names) & set(labels)):
        return None
    raise wrong_value(
        names, argument, expected or f"the names of all classes, {shown(labels)} in any order, or of none"
    )


def in_order(given: Any, labels: list[Any] | None, argument: str) -> Any:
    """A frame with its columns in the order of labels, if they are called so; any other object as it is."""
    headings = headings_of(given)
    if headings is None or labels is None:
        return given
    places = places_of(headings, labels, f"{argument}.columns")
    if places is None or places == list(range(len(places))):
        return given
    ordered = [headings[place] for place in places]
    return given.select(ordered) if hasattr(type(given), "select") else given[ordered]


def by_class(given: Any, labels: Any, y_true: Any, argument: str) -> tuple[Any, Any]:
    """A column for each class in the order of the labels, which are those that the columns of a frame are called by."""
    headings = headings_of(given)
    if headings is None:
        return _as_matrix(given, argument), labels
    if labels is None:
        headings = as_labels(headings, y_true)
        if first_of(y_true) not in headings:
            return _as_matrix(given, argument), None
        labels = sorted(headings)
    return _as_matrix(in_order(given, listed(labels, "labels", "a list of labels"), argument), argument), labels


def columns_of_classes(columns: dict[Any, Any], labels: Any, y_true: Any) -> tuple[Any, list[Any]]:
    """A matrix of the columns of the classes, which are called as the labels, and the labels in its order.

    >>> columns_of_classes({"1": [0.7], "0": [0.3]}, None, [1, 0])
    (array([[0.3, 0.7]]), [0, 1])
    """
    names = list(columns)
    classes = as_labels(names, y_true)
    first = first_of(y_true)
    wanted = listed([first] if labels is None else labels, "labels", "a list of labels")
    is_known = set(wanted) <= set(classes) and (labels is None or len(wanted) == len(names))
    if not is_known and wanted != [None]:
        expected = f"names that are the labels, such as {several(wanted)}, or a mapping from labels to names"
        raise wrong_value(names, "proba", expected)
    order = sorted(classes) if labels is None else wanted
    found = dict(zip(classes, columns.values(), strict=True))
    return np.column_stack([np.asarray(found[label]) for label in order]), order


def as_labels(names: list[Any], y_true: Any) -> list[Any]:
    """Names of columns in the kind of the labels, text or numbers; as they are where they cannot be read so."""
    first = first_of(y_true)
    if first is None or isinstance(first, str) == _are_text(names):
        return names
    return [str(name) for name in names] if isinstance(first, str) else _read(names) or names


def _as_matrix(given: Any, argument: str) -> Any:
    return opened_matrix(given, argument) if is_matrix(given) else given


def labels_by_name(y_true: Any, columns: dict[str, Any], labels: Any) -> tuple[Any, list[Any], list[Any] | None]:
    """Matrices with a column for each of several labels in one order, and what the labels are called, if anything.

    Labels that are the names of the columns in another order say the order; others are new names.
    """
    called = None if labels is None else labels_of(labels, "labels")
    # Names that are mere places give way to labels.
    names_of = headings_of if called is None else names_of_columns
    order = next((found for given in (y_true, *columns.values()) if (found := names_of(given)) is not None), None)
    if order is not None and called is not None and places_of(order, called, "labels") is not None:
        order = called
    order = called if order is None else order
    found = [_as_matrix(in_order(given, order, name), name) for name, given in {"y_true": y_true, **columns}.items()]
    return found[0], found[1:], order if called is None else called


def _are_text(names: list[Any]) -> bool:
    return all(isinstance(name, str) for name in names)


def _read(names: list[str]) -> list[Any]:
    """Labels that are numbers or truth values, of their text; none if one is of another kind."""
    try:
        found = [literal_eval(name) for name in names]
    except (ValueError, SyntaxError):
        return []
    return found if all(isinstance(label, int | float) for label in found) else []


def names_of_columns(given: Any) -> list[Any] | None:
    """What the columns of a frame, or a mapping of mappings, are called; None of anything else, and of mere places."""
    is_nested = isinstance(given, Mapping) and bool(given) and all(isinstance(row, Mapping) for row in given.values())
    names = list(next(iter(given.values()))) if is_nested else headings_of(given)
    return None if names == list(range(len(names or ()))) else names


def matrix_by_class(given: Any, labels: Any, argument: str) -> Any:
    """A matrix of classes by classes in the order of the labels, if it names them; any other object as it is.

    Parameters
    ----------
    given : array-like, data frame, or mapping of mappings
        Rows actual, columns predicted. A frame of polars or Arrow names only its columns.
    labels : labels or None
        None where nobody says what the classes are called.
    """
    if isinstance(given, Mapping):
        if not given or not all(isinstance(row, Mapping) for row in given.values()):
            return given
        rows, columns = list(given), list(next(iter(given.values())))
        if any(set(row) != set(columns) for row in given.values()):
            raise wrong_value(given, argument, "a cost of each predicted class in each row")
        matrix = np.array([[row[column] for column in columns] for row in given.values()])
    else:
        found = headings_of(given)
        if found is None:
            return _complete(given, argument)
        matrix, columns = opened_matrix(given, argument), found
        rows = list(given.index) if hasattr(given, "index") else columns
    matrix = _complete(matrix, argument)
    if rows == columns == list(range(len(rows))):
        return matrix
    classes = None if labels is None else listed(labels, "labels", "a list of labels")
    if classes is None:
        expected = "an array, rows actual and columns predicted, as nothing else here names the classes"
        raise wrong_value(columns, argument, expected)
    expected = f"a row and a column for each of the labels {shown(classes)}"
    places = [places_of(names, classes, argument, expected) for names in (rows, columns)]
    if places[0] is None or places[1] is None:
        raise wrong_value(columns, argument, expected)
    if rows is columns and not isinstance(given, Mapping) and places[1] != list(range(len(classes))):
        raise wrong_value(
            columns, argument, f"columns in the order of the labels {shown(classes)}, as its rows have no names"
        )
    return matrix[np.ix_(places[0], places[1])]


def _complete(given: Any, argument: str) -> Any:
    """An array, or lists, without a gap; any other object as it is."""
    if isinstance(given, list | tuple | np.ndarray):
        try:
            array = np.ma.asarray(given) if isinstance(given, np.ma.MaskedArray) else np.asarray(given)
        except ValueError:  # rows of different lengths, which are refused later
            return given
        refuse_gap(array, argument, "a finite number")
    return given


def parameters_by_class(
    parameters: dict[str, Any], statistic: Any = None, *, positive_first: bool = False
) -> dict[str, Any]:
    """Parameters of an index, with a matrix of costs or weights in the order of the statistic's labels; a taxonomy as one.

    An index of counts takes the negative class first: `positive_first` says that the labels begin with the positive one.
    """
    if "confidence" in parameters:
        raise UnknownIndexError(
            'no index has a parameter "confidence"; the confidence level is level=', argument="confidence"
        )
    named = parameters.keys() & {"costs", "matrix", "taxonomy"} if parameters else set()
    if not named:
        return parameters
    labels = getattr(statistic, "labels", None)
    if "taxonomy" in named:
        own = labels[::-1] if positive_first and labels is not None else labels
        parameters = {**parameters, "taxonomy": shared_nodes(parameters["taxonomy"], own)}
        named -= {"taxonomy"}
    found = {name: matrix_by_class(parameters[name], labels, name) for name in named}
    if positive_first:
        found = {
            name: given if isinstance(given, Mapping) else numbers(given, name)[::-1, ::-1]
            for name, given in found.items()
        }
    return {**parameters, **found}


def weights_by_class(given: Any, labels: Any, argument: str) -> Any:
    """Weights of classes in the order of the labels, if they are named, in a mapping or a Series; others as they are."""
    if isinstance(given, Mapping):
        names, values = list(given), list(given.values())
    elif hasattr(given, "to_numpy") and isinstance(getattr(given, "index", None), Iterable):
        names, values = list(given.index), given.to_numpy()
    else:
        return _complete(given, argument)
    classes = listed(labels, "labels", "a list of labels")
    places = places_of(names, classes, argument, f"a weight of each of the labels {shown(classes)}")
    weights = _complete(np.asarray(values), argument)
    return weights if places is None else weights[places]


# Models ----------------------------------------------------------------------------------------------------------------


def check_models(named: Any, models: Any, argument: str) -> None:
    """Refuse a mapping that names what is no model."""
    for name in named if isinstance(named, Mapping) else ():
        if name not in models:
            raise wrong_value(name, argument, f"names of models: {several(models)}")


def of_one_classifier(given: Any) -> bool:
    """Whether an unnamed matrix has the probabilities of two classes: two columns whose rows add up to 1."""
    if given is None or isinstance(given, Mapping) or headings_of(given) is not None or not is_matrix(given):
        return False
    matrix = opened_matrix(given, "y_score")
    if matrix.ndim != 2 or matrix.shape[1] != 2 or not len(matrix) or matrix.dtype.kind != "f":
        return False
    return add_up_to_one(matrix)


def add_up_to_one(matrix: NDArray[Any]) -> bool:
    """Whether the rows of a matrix of numbers add up to 1, where they have no gap; one row at least has none."""
    if matrix.dtype.kind not in "fiub":
        return False
    most = SUM_OF_ONE if matrix.dtype.kind != "f" else max(SUM_OF_ONE, 2 * float(np.finfo(matrix.dtype).eps))
    # In chunks: the first one tells most other matrices apart.
    starts = range(0, len(matrix), 65_536)
    sums = (matrix[start : start + 65_536].astype(np.float64).sum(axis=1) for start in starts)
    seen = False
    for chunk in sums:
        known = chunk[~np.isnan(chunk)]
        if (abs(known - 1.0) > most).any():
            return False
        seen = seen or len(known) > 0
    return seen


def _named(given: Any, headings: list[Any], argument: str, names: list[str] | None) -> dict[str, Any]:
    if names is not None:
        raise wrong_value(names, "names", f"None, as {argument} names the models itself")
    for name in headings:
        if not isinstance(name, str):
            raise InputTypeError(
                f"{argument} has a column for {shown(name)}; expected columns by the names of models, which are "
                "strings",
                argument=argument,
            )
        string(name, argument)
        if headings.count(name) > 1:
            raise InputError(f"{argument} has two columns {shown(name)}; expected one of each model", argument=argument)
    return {name: given[name] for name in headings}


def _only(names: list[str] | None, argument: str) -> str:
    if names is None:
        return ONE
    if len(names) != 1:
        raise wrong_value(names, "names", f"one name, as {argument} is of one model")
    return names[0]


@contextmanager
def refused_as(counted: str, said: str) -> Iterator[None]:
    """Refusals of an argument of a statistic as those of what the user gave for it."""
    try:
        yield
    except (InputError, InputTypeError) as error:
        if error.argument != counted or said == counted:
            raise
        raise type(error)(
            str(error).replace(counted, said, 1),
            argument=said.partition("[")[0],
            row=error.row,
            value=error.value,
            expected=error.expected,
        ) from None

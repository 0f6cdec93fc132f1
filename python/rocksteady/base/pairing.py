"""Columns side by side: rows in another order, rows with missing values, and the order of ordered categories."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import shown, wrong_type
from rocksteady.base.containers import columns_of, headings_of, opened
from rocksteady.base.gaps import gaps_in, refuse_where
from rocksteady.base.warning import takes, warn
from rocksteady.base.ways_out import library
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PLAIN = (np.ndarray, list, tuple)


# The index of pandas objects ------------------------------------------------------------------------------------------


def paired(y_true: Any, columns: dict[str, Any], *, align: bool = False, first: str = "y_true") -> dict[str, Any]:
    """The columns, whose rows belong to those of `y_true` by position or, with `align`, by index label.

    Warns if a column has the index labels of `y_true` in another order: rows are then taken by position, which is
    seldom what was meant.

    Parameters
    ----------
    y_true : column
    columns : dict of str to column
        By the names of their arguments; None is left as it is. An argument may hold several columns: a mapping, a frame
        or a list of them.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`.
    first : str
        What messages call `y_true`.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        With `align`: if `y_true` has no index, or a column has other labels, or a label occurs twice.
    """
    if not align and (type(y_true) in _PLAIN or _index(y_true) is None):
        return columns
    index = _index(y_true)
    if index is None:
        raise wrong_type(y_true, first, "a pandas Series, as align=True goes by its index")
    others: list[str] = []

    def placed(column: Any, argument: str, deepest: int = 2) -> Any:
        """A column, or the columns that an argument holds, with the rows in the order asked for."""
        other = _index(column)
        if other is None:
            parts = _parts(column) if deepest else None
            if parts is None:
                return column
            own = {key: placed(part, f"{argument}[{shown(key)}]", deepest - 1) for key, part in parts.items()}
            if all(own[key] is part for key, part in parts.items()):
                return column
            return own if isinstance(column, Mapping) else list(own.values())
        if other is index or other.equals(index):
            return column
        if align:
            return column.take(_places(index, other, argument, first))
        if _same_labels(index, other):
            others.append(argument)
        return column

    found = {argument: placed(column, argument) for argument, column in columns.items()}
    if others:
        verb = "has" if len(others) == 1 else "have"
        order = f"bring them into one order first, as by reindex({first}.index)"
        remedy = "pass align=True" if takes("align", value=True) else order
        warn(
            f"{' and '.join(others)} {verb} the index labels of {first} in another order, and rows are taken by "
            f"position. If they belong together by label, {remedy}"
        )
    return found


def _parts(given: Any) -> dict[Any, Any] | None:
    """The columns that an argument holds, by name or place; None for anything else than a mapping or a list of columns."""
    if isinstance(given, Mapping):
        return dict(given)
    # Of a column of values only the first is looked at.
    if isinstance(given, list | tuple) and all(
        hasattr(item, "__len__") and not isinstance(item, str) for item in given
    ):
        return dict(enumerate(given))
    return None


def without_index(values: Any) -> Any:
    """The values of a pandas Series; any other object as it is."""
    return values.array if _index(values) is not None and hasattr(values, "array") else values


def _index(values: Any) -> Any:
    """The index of a pandas object; None for any other object."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "DataFrame") or not isinstance(values, pandas.Series | pandas.DataFrame):
        return None
    return values.index


def _same_labels(index: Any, other: Any) -> bool:
    if len(index) != len(other):
        return False
    if index.is_unique and other.is_unique:
        return bool(index.isin(other).all())
    try:
        return bool(index.sort_values().equals(other.sort_values()))
    except TypeError:  # labels that cannot be compared
        return False


def _places(index: Any, other: Any, argument: str, first: str) -> NDArray[Any]:
    """The rows of a column in the order of another index."""
    for name, labels in ((first, index), (argument, other)):
        if not labels.is_unique:
            twice = labels[labels.duplicated()][0]
            raise InputError(
                f"{name} has the index label {shown(_plain(twice))} twice; expected each once, as align=True goes by them",
                argument=name.partition("[")[0],
            )
    places: NDArray[Any] = other.get_indexer(index)
    for name, labels, absent in (
        (argument, other, index[places < 0]),
        (first, index, other[~other.isin(index)]),
    ):
        if len(absent):
            raise InputError(
                f"{name} has {len(labels)} rows, none of which has the index label {shown(_plain(absent[0]))}; expected the "
                "same labels in all columns, as align=True goes by them",
                argument=name.partition("[")[0],
            )
    return places


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


# Missing values -------------------------------------------------------------------------------------------------------


def missing(values: Any, argument: str) -> NDArray[np.bool_] | None:
    """Where a column, or any column of a matrix or frame, has no value; None if no value can be missing.

    >>> missing([1, None, float("nan")], "y_true").tolist(), missing(np.arange(3), "y_true")
    ([False, True, True], None)
    """
    columns = None if isinstance(values, Mapping) else columns_of(values, argument)
    if columns is not None:
        masks = [missing(column, argument) for column in columns.values()]
        return _either([mask for mask in masks if mask is not None])
    form, data, other = opened(values, argument)
    if form == "arrow":
        return _missing_in_arrow(data, argument)
    found = np.asarray(data) < 0 if form == "categories" else gaps_in(data)
    if form == "masked":
        found = other if found is None else found | other
    return _either(list(found.T)) if found is not None and found.ndim == 2 else found


def first_missing(values: Any, argument: str) -> int | None:
    """The first row of a column that has no value; None if all have one."""
    gaps = missing(values, argument)
    return int(gaps.argmax()) if gaps is not None and gaps.any() else None


def refuse_missing(values: Any, argument: str, expected: str) -> None:
    """Refuse a column, or a matrix, in which a row has no value."""
    gaps = missing(values, argument.partition("[")[0])
    if gaps is not None:
        refuse_where(gaps, argument, expected)


def _either(masks: list[NDArray[np.bool_]]) -> NDArray[np.bool_] | None:
    if not masks:
        return None
    found: NDArray[np.bool_] = np.logical_or.reduce(masks)
    return found


def _missing_in_arrow(data: Any, argument: str) -> NDArray[np.bool_]:
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(data, polars.Series):
        found = data.is_null()
        if data.dtype.is_float():
            found = found | data.is_nan().fill_null(value=False)
        return np.asarray(found.to_numpy(), dtype=bool)
    column = _pyarrow_column(data, argument)
    return np.asarray(column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False), dtype=bool)


def _pyarrow_column(data: Any, argument: str) -> Any:
    pyarrow = library("pyarrow", "arrow")
    if isinstance(data, pyarrow.Array):
        return data
    try:
        return (data if isinstance(data, pyarrow.ChunkedArray) else pyarrow.chunked_array(data)).combine_chunks()
    except (TypeError, ValueError) as error:  # Arrow's own are of these
        raise wrong_type(data, argument, "an array that pyarrow takes") from error


def kept(values: Any, keep: NDArray[np.bool_], argument: str) -> Any:
    """The rows of a column, a matrix or a frame for which `keep` is true.

    >>> kept(["a", "b", "c"], np.array([True, False, True]), "y_true")
    ['a', 'c']
    """
    polars, pandas = sys.modules.get("polars"), sys.modules.get("pandas")
    if polars is not None and isinstance(values, polars.Series | polars.DataFrame):
        return values.filter(polars.Series(keep))
    if pandas is not None and isinstance(values, pandas.Series | pandas.DataFrame):
        return values.loc[keep]
    if headings_of(values) is not None:  # an Arrow table
        return values.filter(library("pyarrow", "arrow").array(keep))
    if isinstance(values, np.ndarray):
        return values[keep]
    form, data, other = opened(values, argument)
    if form == "arrow":
        return _pyarrow_column(data, argument).filter(library("pyarrow", "arrow").array(keep))
    if form == "items":
        return [item for item, is_kept in zip(data, keep.tolist(), strict=True) if is_kept]
    if form == "masked":
        return np.ma.MaskedArray(data[keep], mask=other[keep])
    return values[keep] if form == "categories" else data[keep]


def complete(columns: dict[str, Any], others: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The rows of columns, and of others, without a missing value in any of the columns; and how many were left out.

    >>> complete({"y_true": [1, None, 0]}, {"sample_weight": np.array([1.0, 2.0, 3.0])})
    ({'y_true': [1, 0], 'sample_weight': array([1., 3.])}, 1)
    """
    everything = {**columns, **others}
    masks = [missing(column, argument) for argument, column in columns.items()]
    found = [mask for mask in masks if mask is not None and mask.any()]
    lengths = {len(values) for values in everything.values() if hasattr(values, "__len__")}
    if not found or len(lengths) > 1:  # columns of several lengths are refused where they are counted
        return everything, 0
    keep = ~np.logical_or.reduce(found)
    if not keep.any():
        raise InputError(
            f"each of the {len(keep)} rows has a missing value; expected rows without, as nan_policy='omit' leaves "
            "the others out",
            argument="nan_policy",
        )
    kept_rows = {
        argument: None if values is None else kept(values, keep, argument.partition("[")[0])
        for argument, values in everything.items()
    }
    return kept_rows, int(len(keep) - keep.sum())


# Ordered categories ---------------------------------------------------------------------------------------------------


def categories_in_order(values: Any) -> list[Any] | None:
    """The categories of an ordered Categorical of pandas, an Enum of polars or an ordered dictionary of Arrow, in order.

    None for a column of any other kind.
    """
    found = None if type(values) in _PLAIN else _ordered(values)
    return None if found is None else found[0]


def positive_in_order(values: Any) -> Any:
    """The positive one of two classes by the order of ordered categories: the later one. Else None."""
    found = None if type(values) in _PLAIN else _ordered(values)
    if found is None:
        return None
    return later_of(*found)


def refuse_one_class(labels: Iterable[object], pos_label: object) -> None:
    """Refuse one class alone, unless the positive one was named: nobody said which it is. 0 and 1 belong together.

    >>> refuse_one_class(["yes", None], "yes"), refuse_one_class([None, 1], None)
    (None, None)
    """
    labels = tuple(labels)
    if len(labels) == 2 and None not in labels and type(labels[0]) is type(labels[1]):
        return
    known = [label for label in labels if label is not None]
    if pos_label is None and len(known) == 1 and known[0] not in (0, 1):
        expected = f"two, or pos_label={shown(known[0])} if it is the positive one, else pos_label= the other"
        raise InputError(
            f"y_true has one class only, {shown(known[0])}; expected {expected}",
            argument="y_true",
            value=shown(known[0]),
            expected=expected,
        )


def classes_in(labels: Any) -> list[Any]:
    """The classes of a column, ascending, without what is missing.

    >>> classes_in(["b", None, "a", "b"])
    ['a', 'b']
    """
    found: list[Any] = (
        _rocksteady.ConfusionState.count(labels, labels, None, None, "omit", False, "counts").labels().tolist()
    )
    return found


def positive_left(whole: Any, kept: Any) -> Any:
    """The positive one of the two classes of a column, where only rows of one are left; else None.

    >>> positive_left([1, 2, 1], [1, 1]), positive_left([1, 2, 1], [1, 2])
    (2, None)
    """
    labels = classes_in(whole)
    if len(labels) != 2 or len(classes_in(kept)) != 1:
        return None
    ordered = positive_in_order(whole)
    return max(labels) if ordered is None else ordered


def later_of(categories: list[Any], present: set[Any]) -> Any:
    """The later one of the two categories that occur, or of the only two that there are. Else None.

    >>> later_of(["low", "mid", "high"], {"low", "high"}), later_of(["low", "mid", "high"], {"low"})
    ('high', None)
    """
    occurring = [category for category in categories if category in present]
    if len(occurring) != 2 and len(categories) == 2:
        occurring = categories
    return occurring[1] if len(occurring) == 2 else None


def _is_a(value: Any, library: Any, name: str) -> bool:
    """Whether a value is of a class of a library, which may not be loaded, or only in part."""
    kind = getattr(library, name, None)
    return kind is not None and isinstance(value, kind)


def _ordered(values: Any) -> tuple[list[Any], set[Any]] | None:
    """Categories in order, and those that occur."""
    dtype: Any = getattr(values, "dtype", None)
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if _is_a(dtype, pandas, "CategoricalDtype"):
        if not dtype.ordered:
            return None
        codes = np.asarray(getattr(values, "cat", values).codes)
        categories = dtype.categories.tolist()
        return categories, {categories[code] for code in np.unique(codes[codes >= 0]).tolist()}
    if _is_a(dtype, polars, "Enum"):
        return dtype.categories.to_list(), set(values.unique().to_list()) - {None}
    pyarrow: Any = sys.modules.get("pyarrow")
    # Other columns are not asked for a type: polars takes long to say that it has none.
    is_arrow = _is_a(values, pyarrow, "Array") or _is_a(values, pyarrow, "ChunkedArray")
    if is_arrow and _is_a(values.type, pyarrow, "DictionaryType"):
        if not values.type.ordered:
            return None
        whole = values.unify_dictionaries() if isinstance(values, pyarrow.ChunkedArray) else values
        chunks = whole.chunks if isinstance(whole, pyarrow.ChunkedArray) else [whole]
        categories = chunks[0].dictionary.to_pylist() if chunks else []
        return categories, set(whole.unique().to_pylist()) - {None}
    return None

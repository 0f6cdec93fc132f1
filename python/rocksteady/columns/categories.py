"""The order of ordered categories, and the positive class that follows from it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import shown
from rocksteady.base.containers import PLAIN
from rocksteady.errors import InputError


def categories_in_order(values: Any) -> list[Any] | None:
    """The categories of an ordered Categorical of pandas, an Enum of polars or an ordered dictionary of Arrow, in order.

    None for a column of any other kind.
    """
    found = None if type(values) in PLAIN else _ordered(values)
    return None if found is None else found[0]


def positive_in_order(values: Any) -> Any:
    """The positive one of two classes by the order of ordered categories: the later one. Else None."""
    found = None if type(values) in PLAIN else _ordered(values)
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

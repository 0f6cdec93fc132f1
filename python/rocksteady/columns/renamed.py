"""Labels under other names: what ``labels=`` as a mapping means."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import label_of, several, shown, string, wrong_value
from rocksteady.base.containers import Renamed, first_of
from rocksteady.base.gaps import gaps_in
from rocksteady.base.named_columns import refused_as
from rocksteady.columns.categories import categories_in_order
from rocksteady.columns.complete import kept
from rocksteady.columns.keys import grouped, key_array
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Places of labels that count as missing, and of those that nobody named.
_MISSING: Final = -1
_UNKNOWN: Final = -2
#: Integers within this span are looked up.
_SPAN: Final = 1 << 20


def names_by_label(labels: Mapping[Any, Any]) -> dict[Any, str | None]:
    """The name of each label, all different; None of one that counts as missing.

    >>> names_by_label({0: "ham", 1: "spam", 255: None})
    {0: 'ham', 1: 'spam', 255: None}
    """
    found: dict[Any, str | None] = {}
    first: dict[str, Any] = {}
    for label, name in labels.items():
        if name is None:
            found[label_of(label, "labels")] = None
            continue
        said = f"labels[{shown(label)}]"
        called = str(string(name, said, "the name of a label, which is a string"))
        if called in first:
            both = f"{shown(first[called])} and {shown(label)} would both be {shown(called)}"
            expected = "another name for each label"
            raise InputError(f"labels: {both}; expected {expected}", argument="labels", expected=expected)
        first[called] = label_of(label, "labels")
        found[label] = called
    if not first:
        raise wrong_value(labels, "labels", "a name for each label")
    return found


def known_names(labels: Mapping[Any, Any]) -> dict[Any, str]:
    """The names of the labels that have one.

    >>> known_names({0: "ham", 1: "spam", 255: None})
    {0: 'ham', 1: 'spam'}
    """
    return {label: name for label, name in names_by_label(labels).items() if name is not None}


def by_names(labels: Any, pos_label: object) -> tuple[dict[Any, str | None] | None, Any, Any]:
    """The names of the labels, if `labels` is a mapping; the classes and the positive one by their names.

    >>> by_names({0: "spam", 1: "ham"}, None), by_names([0, 1], 1)
    (({0: 'spam', 1: 'ham'}, ['spam', 'ham'], 'ham'), (None, [0, 1], 1))
    """
    if not isinstance(labels, Mapping):
        return None, labels, pos_label
    known = known_names(labels)
    if pos_label is not None:
        given = label_of(pos_label, "pos_label")
        pos_label = next((name for label, name in known.items() if label == given), given)
    elif len(known) == 2:  # the greater label, whatever it is called
        try:
            pos_label = known[max(known)]
        except TypeError:
            raise wrong_value(labels, "labels", "labels that are all numbers or all strings") from None
    return names_by_label(labels), list(known.values()), pos_label


def renamed(values: Any, names: Mapping[Any, str | None] | None, argument: str) -> Any:
    """A column of labels under their names, with its index; as it is without names, or if it is None.

    Missing labels stay missing, and a label without a name is refused.

    >>> np.asarray(renamed([1, 0, 1], {0: "ham", 1: "spam"}, "y_true")).tolist()
    ['spam', 'ham', 'spam']
    """
    if names is None or values is None:
        return values
    called = [name for name in names.values() if name is not None]
    place = {label: _MISSING for label, name in names.items() if name is None}
    place |= {label: at for at, label in enumerate(label for label in names if label not in place)}
    found = _of_integers(values, place)
    if found is None:
        found = _of_any(values, place, argument)
    if len(found) and found.min() == _UNKNOWN:
        row = int(found.argmin())
        key = shown(first_of(kept(values, np.arange(len(found)) == row, argument)))
        expected = f"a label that labels= names: {several(names)}"
        raise InputError(
            f"{argument}[{row}] is {key}; expected {expected}",
            argument=argument.partition("[")[0],
            row=row,
            value=key,
            expected=expected,
        )
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "Series") and isinstance(values, pandas.Series):
        return pandas.Series(pandas.Categorical.from_codes(found, called), index=values.index)
    return Renamed(found, called)


def _of_integers(values: Any, place: Mapping[Any, int]) -> NDArray[np.int64] | None:
    """The place of each label of an array of integers, looked up; None if it is none, or its labels are far apart."""
    column = values if isinstance(values, np.ndarray) else getattr(values, "values", None)
    is_known = isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "iub"
    if not is_known or type(column) is not np.ndarray or column.dtype == np.uint64:
        return None
    if not all(isinstance(label, int | np.integer | np.bool_) for label in place):
        return None
    low, high = int(min(place)), int(max(place))
    if high - low > _SPAN or abs(low) > _SPAN:
        return None
    table = np.full(high - low + 3, _UNKNOWN, dtype=np.int64)  # what lies outside is at its ends
    for label, at in place.items():
        table[int(label) - low + 1] = at
    found: NDArray[np.int64] = table[np.clip(column.astype(np.int64), low - 1, high + 1) - (low - 1)]
    return found


def _of_any(values: Any, place: Mapping[Any, int], argument: str) -> NDArray[np.int64]:
    """The place of each label of any column."""
    with refused_as("by", argument):
        # The keys of ordered categories are text.
        state = grouped(values if categories_in_order(values) is None else np.asarray(values))
    keys = key_array(*state.columns()[0])
    gaps = gaps_in(keys)
    missing = np.zeros(len(keys), dtype=bool) if gaps is None else gaps
    each = zip(keys.tolist(), missing.tolist(), strict=True)
    places = [_MISSING if gap else place.get(key, _UNKNOWN) for key, gap in each]
    found: NDArray[np.int64] = np.array(places, dtype=np.int64)[state.codes()]
    return found

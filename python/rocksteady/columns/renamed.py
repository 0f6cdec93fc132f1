"""Labels under other names: what ``labels=`` as a mapping means."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from rocksteady.base.arguments import label_of, several, shown, string, wrong_value
from rocksteady.base.containers import Renamed
from rocksteady.base.gaps import gaps_in
from rocksteady.base.named_columns import refused_as
from rocksteady.columns.keys import grouped, key_array
from rocksteady.errors import InputError


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
    with refused_as("by", argument):
        state = grouped(values)
    codes = state.codes()
    keys = key_array(*state.columns()[0])
    gaps = gaps_in(keys)
    missing = np.zeros(len(keys), dtype=bool) if gaps is None else gaps
    called = [name for name in names.values() if name is not None]
    place = {label: -1 for label, name in names.items() if name is None}
    place |= {label: at for at, label in enumerate(label for label in names if label not in place)}
    places = [-1 if gap else place.get(key, -2) for key, gap in zip(keys.tolist(), missing.tolist(), strict=True)]
    if -2 in places:
        unknown = places.index(-2)
        row = int(np.flatnonzero(codes == unknown)[0])
        key = keys.tolist()[unknown]
        expected = f"a label that labels= names: {several(names)}"
        raise InputError(
            f"{argument}[{row}] is {shown(key)}; expected {expected}",
            argument=argument.partition("[")[0],
            row=row,
            value=shown(key),
            expected=expected,
        )
    found = np.array(places, dtype=np.int64)[codes]
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "Series") and isinstance(values, pandas.Series):
        return pandas.Series(pandas.Categorical.from_codes(found, called), index=values.index)
    return Renamed(found, called)

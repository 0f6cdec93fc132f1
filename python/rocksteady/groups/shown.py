"""Groups in reports: a few indices of each, without groups that are too small to publish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import whole
from rocksteady.base.table import Table
from rocksteady.base.ways_out import beside, items_of
from rocksteady.errors import UnknownIndexError
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocksteady.base.table import Cell
    from rocksteady.groups.groups import Groups
    from rocksteady.groups.results import GroupValues

#: The indices that are shown unless others are asked for; the first one that the groups have gets a chart.
INDICES: Final = ("roc_auc", "recall", "precision", "accuracy")


@dataclass(frozen=True)
class ShownGroups:
    """Some indices of the groups that are shown, in the order of their keys.

    Attributes
    ----------
    keys : dict of str to numpy.ndarray
        The columns of keys by name.
    rows : numpy.ndarray of int64
        The number of rows of each group.
    positives : numpy.ndarray of float64 or None
        The number, or weight, of the positive rows; None of more than two classes.
    values : dict of str to numpy.ndarray of float64
        From the name of an index to its values.
    places : numpy.ndarray of int64
        Which of all groups are shown.
    groups : int
        The number of all groups.
    hidden_rows : int
        The number of rows in groups that are hidden.
    min_rows : int
        Groups with fewer rows are hidden.
    """

    keys: dict[str, NDArray[Any]]
    rows: NDArray[np.int64]
    positives: NDArray[np.float64] | None
    values: dict[str, NDArray[np.float64]]
    places: NDArray[np.int64]
    groups: int
    hidden_rows: int
    min_rows: int

    @property
    def hidden(self) -> int:
        """How many groups are hidden."""
        return self.groups - len(self.rows)

    @property
    def note(self) -> str | None:
        """A sentence about the groups that are hidden; None if there are none."""
        if not self.hidden:
            return None
        one = self.hidden == 1
        return (
            f"{self.hidden:,} {'group' if one else 'groups'} of fewer than {self.min_rows:,} rows, with "
            f"{self.hidden_rows:,} {'row' if self.hidden_rows == 1 else 'rows'} in all, {'is' if one else 'are'} hidden"
        )

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """Keys, rows, positives and values by name. A key that is called as another column has a ``_`` more."""
        others: dict[str, NDArray[Any]] = {"rows": self.rows}
        if self.positives is not None:
            others["positives"] = self.positives
        others |= self.values
        return beside(self.keys, others)

    def summary(self) -> Table:
        """A row for each group that is shown."""
        columns = self.columns
        cells: list[list[Cell]] = [[_cell(value) for value in items_of(column)] for column in columns.values()]
        return Table(list(columns), list(zip(*cells, strict=True)), note=self.note)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain Python values: lists in the order of the keys."""
        return {
            "by": list(self.keys),
            "keys": {name: [_cell(value) for value in items_of(column)] for name, column in self.keys.items()},
            "rows": self.rows.tolist(),
            "positives": None if self.positives is None else self.positives.tolist(),
            "indices": {name: values.tolist() for name, values in self.values.items()},
            "groups": self.groups,
            "min_rows": self.min_rows,
            "hidden": {"groups": self.hidden, "rows": self.hidden_rows},
        }


def least_rows(given: object) -> int:
    """Check `min_rows`; None hides nothing."""
    return 0 if given is None else whole(given, "min_rows", "a number of rows", least=0)


def shown(groups: Groups, names: Sequence[str] | None = None, min_rows: int = 0) -> ShownGroups:
    """Some indices of the groups that have at least so many rows.

    Parameters
    ----------
    groups : Groups
    names : sequence of str, optional
        Default: those of `INDICES` that the groups have. Of names given, those that they have not are left out.
    min_rows : int
        Groups with fewer rows are hidden.
    """
    rows = groups.sizes
    places = np.flatnonzero(rows >= min_rows)
    values: dict[str, NDArray[np.float64]] = {}
    for name in INDICES if names is None else names:
        found = values_of(groups, name)
        if found is not None:
            values[index(name).name] = found[places]
    positives = groups._positives()
    return ShownGroups(
        {name: column[places] for name, column in groups.keys.items()},
        rows[places],
        None if positives is None else positives[places],
        values,
        places,
        len(rows),
        int(rows.sum() - rows[places].sum()),
        min_rows,
    )


def values_of(groups: Groups, name: str) -> NDArray[np.float64] | None:
    """An index of each group; None if groups of this kind have no such index."""
    forms = set(index(name).forms)
    has_counts, has_scores = groups._state.has
    is_binary = groups._state.positive is not None or not has_counts
    needed = {"scores"} if has_scores else set()
    needed |= {"counts", "matrix"} if is_binary else {"matrix"}
    return groups.every(name) if forms & needed else None


def interval_of(groups: Groups, name: str, level: float) -> GroupValues:
    """An index of each group, with its interval if it has one."""
    rows = groups._grouped
    try:
        return groups.value(name) if rows is not None and rows.is_lost else groups.interval(name, level=level)
    except UnknownIndexError:
        return groups.value(name)


def names_of(keys: dict[str, NDArray[Any]], longest: int = 32) -> list[str]:
    """What each group is called: its keys, in a few letters.

    >>> names_of({"region": np.array(["north", None]), "year": np.array([2023, 2024])})
    ['north, 2023', '(missing), 2024']
    >>> names_of({})
    ['all rows']
    """
    columns = [[_word(value) for value in items_of(column)] for column in keys.values()]
    found = [", ".join(words) for words in zip(*columns, strict=True)] if columns else ["all rows"]
    return [name if len(name) <= longest else f"{name[: longest - 1]}…" for name in found]


def _word(value: object) -> str:
    cell = _cell(value)
    if cell is None:
        return "(missing)"
    words = " ".join(str(cell).split()) or "(empty)"
    return words if words.isprintable() else repr(words)[1:-1]


def _cell(value: Any) -> Cell:
    """A key or a number as a cell; None for a missing one."""
    if value is None or value != value:
        return None
    return value if isinstance(value, str | int | float) else str(value)

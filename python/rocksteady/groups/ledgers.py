"""Label ledgers by group: bounds of indices of each group, whatever the labels are that are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import shown
from rocksteady.base.bounds import BoundsTable
from rocksteady.base.table import number_of, repr_html
from rocksteady.base.ways_out import WaysOut, beside, items_of
from rocksteady.columns.categories import refuse_one_class
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.groups.groups import Groups
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.unknown_labels.label_ledger import LabelLedger
from rocksteady.scores.unknown_labels.ledger import OfParts, Rows, is_of_ranking, no_bounds
from rocksteady.scores.unknown_labels.ledger_counts import note_of
from rocksteady.scores.unknown_labels.placed import allowed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocksteady.scores.unknown_labels.ledger import Shares


class LedgerGroups(WaysOut, OfParts):
    """A `rocksteady.scores.LabelLedger` of each group: ``rocksteady.group_by(..., missing_labels="unknown")``.

    It is three `Groups`: the scores of the rows with a label, those of the rows without, and the number of all rows. So it
    is additive as they are.

    Examples
    --------
    >>> import rocksteady as rs
    >>> region = ["n", "n", "n", "s", "s", "s"]
    >>> by = rs.group_by([1, 0, None, 1, 0, 0], y_score=[0.9, 0.4, 0.7, 0.8, 0.3, 0.1], by=region, missing_labels="unknown")
    >>> print(by.bounds("roc_auc"))
    group  rows  unknown  low  high
    n         3        1    1     1
    s         3        0    1     1
    >>> print(by.bounds("precision", threshold=0.5))
    group  rows  unknown  low  high
    n         3        1  0.5     1
    s         3        0    1     1
    >>> by.ledger("n").estimated("roc_auc").at_random
    1.0
    """

    __slots__ = ()

    _Part = Groups
    _parts = 3
    _KIND = b"W"

    #: With a label; without one, as negatives; all rows, whose classes say nothing.
    _state: tuple[Groups, Groups, Groups]

    @classmethod
    def _of_rows(cls, groups: Any, rows: Rows, pos_label: object, options: tuple[str, str]) -> LedgerGroups:
        """Count rows, of which `groups` says the group."""
        everywhere = np.ones(groups.rows, bool)

        def counted(keep: NDArray[np.bool_], labels: Any, scores: Any, positive: object) -> Groups:
            columns = labels, None, (scores, *options), positive, None, None, "counts"
            with rows.named(keep):
                return Groups._of(_rocksteady.GroupsState.of_rows(groups.kept(keep), *columns))

        known = counted(everywhere if rows.is_known is None else rows.is_known, rows.labels, rows.scores, pos_label)
        refuse_one_class(known._state.pair(), pos_label)
        without = ~everywhere if rows.is_unknown is None else rows.is_unknown
        unknown = counted(without, np.zeros(len(rows.others), bool), rows.others, True)
        none = np.zeros(groups.rows, bool), ConfusionMatrix.empty(labels=[False, True])._state
        every = Groups._of(_rocksteady.GroupsState.of_rows(groups, none[0], none, None, None, None, None, "counts"))
        # To take nothing away leaves no groups without rows.
        parts = known, unknown, every
        return cls._of(tuple(part if part.sizes.all() else part - (part - part) for part in parts))

    @classmethod
    def empty(  # type: ignore[override]  # keys are named
        cls, *, by: str | Sequence[str] = "group", control: str | Sequence[str] = (), pos_label: object = None
    ) -> LedgerGroups:
        """No groups, the identity of addition.

        Parameters
        ----------
        by, control, pos_label
            As for `Groups.empty`, with scores.

        >>> import rocksteady as rs
        >>> part = rs.group_by([1, 0, None], y_score=[0.9, 0.4, 0.7], by=[7, 7, 8], pos_label=1, missing_labels="unknown")
        >>> part + rs.results.LedgerGroups.empty(pos_label=1) == part
        True
        """
        keys: Any = {"by": by, "control": control}
        parts = [Groups.empty(**keys, scores=True, pos_label=label) for label in (pos_label, True)]
        return cls._of((*parts, Groups.empty(**keys, labels=[False, True])))

    @staticmethod
    def _belong(known: Groups, unknown: Groups, every: Groups) -> bool:
        is_alike = known.names == unknown.names == every.names and every._state.has == (True, False)
        is_alike &= known._state.has == unknown._state.has == (False, True)
        is_alike &= not (known._state.weighted or unknown._state.weighted or every._state.weighted)
        if not is_alike or unknown.pos_label is not True or unknown.positive_sizes.any():
            return False
        found = LedgerGroups._of((known, unknown, every))
        sizes = [
            sum(int(part.sizes[at]) for part, at in zip((known, unknown), place, strict=True) if at is not None)
            for place in found._places()
        ]
        return sizes == every.sizes.tolist() and known.rows + unknown.rows == every.rows

    def _places(self) -> list[list[int | None]]:
        """For each group its place among those of known labels, and among those of unknown ones."""
        (known, unknown, every), found = (_texts(part) for part in self._state), []
        next_ones = [0, 0]
        for text in every:
            places: list[int | None] = []
            for which, part in enumerate((known, unknown)):
                at = next_ones[which]
                is_there = at < len(part) and part[at] == text
                next_ones[which] += is_there
                places.append(at if is_there else None)
            found.append(places)
        if next_ones != [len(known), len(unknown)]:
            raise ValueError("a group of known or unknown labels is not among all groups")
        return found

    def __len__(self) -> int:
        """The number of groups."""
        return len(self._state[2])

    @property
    def keys(self) -> dict[str, NDArray[Any]]:
        """The columns of keys by name, a row for each group."""
        return self._state[2].keys

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state[2].rows

    @property
    def unknown_rows(self) -> int:
        """The number of rows with unknown labels."""
        return self._state[1].rows

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of rows of each group."""
        return self._state[2].sizes

    def _ledger(self, places: list[int | None]) -> LabelLedger:
        tables = [
            ScoreTable.empty(pos_label=part.pos_label) if place is None else ScoreTable._of(part._state.table(place))
            for part, place in zip(self._state[:2], places, strict=True)
        ]
        return LabelLedger._of_tables(*tables)

    def ledger(self, key: object = ...) -> LabelLedger:
        """The ledger of the group with a key, or of all rows.

        Raises
        ------
        rocksteady.InputError
            If there is no such group.
        """
        if key is ...:
            whole = self.over([])
            return whole._ledger((whole._places() or [[None, None]])[0])
        return self._ledger(self._places()[self._state[2].place(key)])

    def over(self, by: str | Sequence[str]) -> LedgerGroups:
        """Coarser groups: by some of the columns of keys alone. As `Groups.over`.

        >>> import rocksteady as rs
        >>> keys = {"region": ["n", "s", "n"], "sex": ["f", "f", "m"]}
        >>> by = rs.group_by([1, 0, None], y_score=[0.9, 0.4, 0.7], by=keys, missing_labels="unknown")
        >>> by.over("region").sizes.tolist()
        [2, 1]
        """
        return self._of(tuple(part.over(by) for part in self._state))

    def value(self, name: str, **parameters: object) -> NoReturn:  # noqa: ARG002 (as other statistics have it)
        """Refused: an index of groups lies within `bounds`."""
        threshold, asked = "" if is_of_ranking(name) else ", threshold=0.5", shown(name)
        raise InputError(
            f"{asked} of groups with unknown labels lies within bounds; ask for bounds({asked}{threshold})"
        )

    def why(self, name: str, **parameters: object) -> NoReturn:
        """Refused, as `value`."""
        self.value(name, **parameters)

    def bounds(
        self, name: str, *, threshold: float | None = None, prevalence: Shares | None = None, **parameters: object
    ) -> BoundsTable:
        """What is known for certain of an index of each group, whatever the unknown labels are.

        Parameters
        ----------
        name : str
            An index of the ranking, as for `LabelLedger.bounds`; with `threshold` one of counts.
        threshold : float, optional
            Scores at or above it are predicted positive.
        prevalence : tuple of two float, optional
            As for `LabelLedger.bounds`, of the unknown labels of each group.
        **parameters
            The index's own.

        Returns
        -------
        Table
            A row for each group: its key, the number of its rows and of those with unknown labels, low, high and, where there
            is something to be said, a note. A group takes about as long as a `LabelLedger`.

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            As `LabelLedger.bounds`.
        """
        if threshold is None and not is_of_ranking(name):
            raise UnknownIndexError(
                f"{shown(name)} needs a threshold; expected bounds({shown(name)}, threshold=0.5), or an index of the ranking"
            )
        allowed(prevalence, 0)  # whether these are shares at all
        ledgers, found = [self._ledger(places) for places in self._places()], []
        for ledger in ledgers:
            try:
                allowed(prevalence, ledger.unknown_rows)
            except InputError as error:
                found.append(no_bounds(f"The {error}."))
                continue
            if threshold is None:
                found.append(ledger.bounds(name, prevalence=prevalence, **parameters))
            else:
                found.append(ledger.at(threshold, prevalence=prevalence).bounds(name, **parameters))
        columns = {
            "rows": [ledger.rows for ledger in ledgers],
            "unknown": [ledger.unknown_rows for ledger in ledgers],
            "low": [each.low for each in found],
            "high": [each.high for each in found],
        }
        notes = [note_of(each) for each in found]
        if any(notes):
            columns["note"] = notes
        named = beside({name: items_of(keys) for name, keys in self.keys.items()}, columns)
        return BoundsTable(list(named), list(zip(*named.values(), strict=True)))

    def _columns(self) -> dict[str, Any]:
        sizes = [0 if place is None else int(self._state[1].sizes[place]) for _, place in self._places()]
        return beside(self.keys, {"rows": self.sizes, "unknown": np.array(sizes, np.int64)})

    def __repr__(self) -> str:
        keys, groups = " × ".join(map(shown, self._state[2].names)) or "nothing", number_of(len(self), "group")
        return (
            f"LedgerGroups by {keys}: {groups}, {number_of(self.rows, 'row')}, {self.unknown_rows} with unknown labels"
        )

    _repr_html_ = repr_html


def _texts(groups: Groups) -> list[str]:
    """The keys of each group as a text, also those that do not equal themselves."""
    columns = [items_of(keys) for keys in groups.keys.values()]
    return [repr(key) for key in zip(*columns, strict=True)] if columns else [""] * len(groups)

"""The label ledger in bounded memory: sketches of the scores instead of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, one_of, shown
from rocksteady.base.bounds import Bounds
from rocksteady.errors import InputError
from rocksteady.labels.counts import Counts
from rocksteady.scores.score_sketch import CELLS, ScoreSketch
from rocksteady.scores.unknown_labels.areas import area_bounds, outwards
from rocksteady.scores.unknown_labels.ledger import Ledger, Rows, no_bounds
from rocksteady.scores.unknown_labels.ledger_counts import LedgerCounts
from rocksteady.scores.unknown_labels.placed import Placed, allowed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy
    from rocksteady.scores.thresholds import Side
    from rocksteady.scores.unknown_labels.ledger import Shares

#: A float64 from here on may stand for several counts.
_WHOLE: Final = 2**53


class SketchLedger(Ledger):
    """A `LabelLedger` in bounded memory: bounds that hold whatever the unknown labels are, from two sketches of the scores.

    One sketch is of the rows with a label, one of all rows, so that both share cells. Ledgers of parts add, to the bit. Where
    cells join several scores, the bounds hold for any order of these as well.

    Parameters
    ----------
    y_true, y_score, unknown_label, pos_label, infinite, align
        As for `LabelLedger`.
    cells, thresholds
        As for `ScoreSketch`.
    nan_policy : {"raise", "omit"}
        What to do with a missing score.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ledger = rs.scores.SketchLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> ledger
    <rocksteady.scores.SketchLedger of 6 rows, 2 with unknown labels; 2 positive (class 1), 2 negative (class 0)>
    >>> found = ledger.bounds("roc_auc")
    >>> round(found.low, 4), round(found.high, 4)
    (0.4444, 0.7778)
    >>> print(ledger.at(0.5).summary(["precision"]))
    index      low  high
    precision  0.5  0.75
    """

    __slots__ = ()

    _Part = ScoreSketch
    _KIND = b"T"
    _bounded = ("roc_auc", "gini")

    _state: tuple[ScoreSketch, ScoreSketch]  # the second is of all rows, as negatives

    def __init__(
        self,
        y_true: ArrayLike | Sequence[Any],
        y_score: ArrayLike,
        *,
        unknown_label: Any = None,
        pos_label: object = None,
        cells: int = CELLS,
        thresholds: Iterable[float] = (),
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        align: bool = False,
    ) -> None:
        one_of(nan_policy, "nan_policy", ("raise", "omit"))
        rows = Rows.of(y_true, y_score, unknown_label, pos_label, align)
        edges = listed(thresholds, "thresholds", "numbers")
        options: Any = {"cells": cells, "thresholds": edges, "nan_policy": nan_policy, "infinite": infinite}
        with rows.named(rows.is_known):
            known = ScoreSketch(rows.labels, rows.scores, pos_label=pos_label, **options)
        every = np.zeros(len(rows.scores) + len(rows.others), bool)
        options |= {"labels": [False, True], "pos_label": True}
        self._state = known, ScoreSketch(every[: len(rows.scores)], rows.scores, **options)
        if len(rows.others):
            with rows.named(rows.is_unknown):
                others = ScoreSketch(every[len(rows.scores) :], rows.others, **options)
            self._state = known, self._state[1] + others

    @staticmethod
    def _belong(known: ScoreSketch, every: ScoreSketch) -> bool:
        is_alike = every.labels == (False, True) and not every.positives
        is_alike &= not known._state.is_weighted and not every._state.is_weighted
        return is_alike and SketchLedger._of((known, every))._cells() is not None

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state[1].rows

    @property
    def unknown_rows(self) -> int:
        """The number of rows with unknown labels."""
        return self._state[1].rows - self._state[0].rows

    def at(self, threshold: float, *, side: Side = ">=", prevalence: Shares | None = None) -> LedgerCounts:
        """The counts when rows with ``score >= threshold`` (or ``>``) are predicted positive.

        Parameters
        ----------
        threshold, side, prevalence
            As for `LabelLedger.at`.

        Raises
        ------
        rocksteady.InputError
            If the sketch does not know the counts at this threshold: it does at `thresholds`, at 0 and at 0.5.
        """
        known, every = (sketch._state.at(threshold, side) for sketch in self._state)
        if known[0] != known[1] or every[0] != every[1]:
            raise InputError(
                f"the counts at threshold {shown(threshold)} lie within bounds only; expected 0, 0.5 or another threshold of the "
                f"sketch, as thresholds=[{shown(threshold)}] would make it",
                argument="threshold",
            )
        counts, above = Counts(*known[0]), int(every[0][1] - known[0][0] - known[0][1])
        return LedgerCounts(counts, (above, self.unknown_rows - above), allowed(prevalence, self.unknown_rows))

    def bounds(self, name: str, *, prevalence: Shares | None = None, **parameters: object) -> Bounds:
        """What is known for certain of an index of the ranking, whatever the unknown labels are.

        Parameters
        ----------
        name : str
            "roc_auc" or "gini". Where all labels are known, any index of a `ScoreSketch`.
        prevalence : tuple of two float, optional
            As for `LabelLedger.bounds`.
        **parameters
            Parameters of the index, where all labels are known.

        Returns
        -------
        Bounds
            Rounded outwards. Its kind is "sharp" where no cell joins several scores. Where there are no bounds, `why` says
            why.

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            As `LabelLedger.bounds`.

        >>> import numpy as np
        >>> import rocksteady as rs
        >>> rng = np.random.default_rng(0)
        >>> score = rng.random(10_000)
        >>> actual = (rng.random(10_000) < score).astype(float)
        >>> actual[rng.random(10_000) < 0.1] = np.nan
        >>> wide = rs.scores.SketchLedger(actual, score, cells=256).bounds("roc_auc")
        >>> exact = rs.scores.LabelLedger(actual, score).bounds("roc_auc")
        >>> wide.low < exact.low < exact.high < wide.high, round(wide.width - exact.width, 3)
        (True, 0.011)
        """
        known, every = self._state
        asked = self._asked(name)
        found = known.bounds(asked, **parameters)
        least, most = allowed(prevalence, self.unknown_rows)
        if not self.unknown_rows:
            return found
        if asked not in self._bounded:
            return no_bounds(
                f"A SketchLedger has bounds of {' and '.join(self._bounded)}, not of {asked}; a LabelLedger has more. Those of "
                "an index of counts are at(threshold).bounds(name)."
            )
        if every.rows >= _WHOLE:
            return no_bounds("There are 2**53 rows or more.")
        placed, twice_areas = self._placed()
        ends = max(least, int(not placed.positives)), min(most, self.unknown_rows - int(not placed.negatives))
        if ends[0] > ends[1]:
            return no_bounds("No labels that are allowed give rows of both classes.")
        ratios = area_bounds(placed, twice_areas, *ends)
        low, high = outwards(*((2 * each - 1 if asked == "gini" else each) for each in ratios))
        return Bounds(low, high, None, None, ends != (least, most), "sharp" if placed.is_open is None else "proven")

    def _cells(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None:
        """The positives, the negatives and the rows with unknown labels of each cell; None of sketches of different rows."""
        known, every = self._state
        starts, own = -every._state.least_scores(), -known._state.least_scores()
        (tp, _, _), (fp, _, _) = _rocksteady.bands_of_sketch(known._state, ["tp", "fp"])
        sizes = np.diff(_rocksteady.bands_of_sketch(every._state, ["fp", "tn"])[0][0])
        # The cells of fewer rows are no wider, so each lies in one of all.
        place = np.searchsorted(starts, own)
        if len(own) and place[-1] == len(starts):
            return None
        amounts = [np.bincount(place, np.diff(column), len(starts)) for column in (tp, fp)]
        unknown = sizes - amounts[0] - amounts[1]
        if (unknown < 0).any():
            return None
        kind = np.int64 if every.rows < 2**31 else object
        positives, negatives, unknown = (column.astype(np.int64).astype(kind) for column in (*amounts, unknown))
        return positives, negatives, unknown

    def _placed(self) -> tuple[Placed, tuple[int, int]]:
        """The cells, and twice the least and the greatest number of ordered pairs of known labels."""
        found = self._cells()
        assert found is not None  # noqa: S101 (both sketches are of the same rows)
        positives, negatives, _ = found
        is_open = ~self._state[1]._state.atoms()
        up, down, above = (np.cumsum(column) - column for column in found)
        totals = int(positives.sum()), int(negatives.sum())
        lower = totals[1] - down - negatives
        least = int((positives * (2 * lower + np.where(is_open, 0, negatives))).sum())
        greatest = least + 2 * int((positives * negatives)[is_open].sum())
        columns = above, above + found[2], up, up + positives, down, down + negatives
        return Placed(*columns, *totals, is_open if is_open.any() else None), (least, greatest)

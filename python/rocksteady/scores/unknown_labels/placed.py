"""Where the scores of rows without a known label lie among the scores of the others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import listed, real, wrong_value
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocksteady.scores.score_table import ScoreTable

#: With fewer rows, twice the number of pairs fits an int64.
_FITS: Final = 2**31

_SHARES: Final = "two shares from 0 to 1, the lower one first"


@dataclass(frozen=True, eq=False)
class Placed:
    """Running numbers of rows at each score of an unknown label, from high to low, and the sizes of the classes.

    Numbers are int64, or Python's integers where the number of pairs of rows does not fit.
    """

    above: NDArray[Any]  # rows with unknown labels above the score
    reached: NDArray[Any]  # the same at or above it
    positives_above: NDArray[Any]
    positives_reached: NDArray[Any]
    negatives_above: NDArray[Any]
    negatives_reached: NDArray[Any]
    positives: int
    negatives: int
    #: Places whose rows have several scores, in any order; None if there are no such places.
    is_open: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, known: ScoreTable, unknown: ScoreTable) -> Placed:
        """Place the scores of one table among the scores of the other."""
        own, others = unknown._state.placements(unknown._state), known._state.placements(unknown._state)
        if own is None or others is None:
            raise InputError("the tables have weights; expected rows without weights")
        positives = int(known.positives)
        fits = known.rows + unknown.rows < _FITS
        columns = [column.view(np.int64) if fits else column.astype(object) for column in (*own[2:], *others)]
        above, reached, up_above, up_reached, down_above, down_reached = columns
        sizes = positives, known.rows - positives
        return cls(above, reached, up_above, up_reached, down_above, down_reached, *sizes)

    def pairs(self, *, are_ordered: bool) -> tuple[NDArray[Any], NDArray[Any]]:
        """Twice the ordered pairs of a row at each place with rows of known labels: if it is positive, and if it is negative.

        Pairs of one score count as half. Those of an open place are all ordered, or none is.
        """
        lower, higher = self.negatives_above + self.negatives_reached, self.positives_above + self.positives_reached
        if self.is_open is not None:
            open_lower = self.negatives_above if are_ordered else self.negatives_reached
            open_higher = self.positives_reached if are_ordered else self.positives_above
            lower = np.where(self.is_open, 2 * open_lower, lower)
            higher = np.where(self.is_open, 2 * open_higher, higher)
        return 2 * self.negatives - lower, higher

    @property
    def unknown(self) -> int:
        """The number of rows with unknown labels."""
        return int(self.reached[-1]) if len(self.reached) else 0


def allowed(prevalence: object, unknown: int) -> tuple[int, int]:
    """The least and the greatest number of positives among the rows with unknown labels.

    >>> allowed((0.07, 0.07), 100), allowed(None, 100)
    ((7, 7), (0, 100))
    """
    if prevalence is None:
        return 0, unknown
    ends = listed(prevalence, "prevalence", _SHARES)
    if len(ends) != 2:
        raise wrong_value(prevalence, "prevalence", _SHARES)
    low, high = (real(end, f"prevalence[{place}]") for place, end in enumerate(ends))
    if not 0 <= low <= high <= 1:
        raise wrong_value(prevalence, "prevalence", _SHARES)
    least, most = ceil(Fraction(low) * unknown), floor(Fraction(high) * unknown)
    # A share stands for the fraction that rounds to it, so that 0.07 of 100 rows are 7 rows.
    least -= int(least > 0 and (least - 1) / unknown >= low)
    most += int(most < unknown and (most + 1) / unknown <= high)
    if least > most:
        near = f"{most} / {unknown} or {least} / {unknown}"
        raise wrong_value(
            prevalence, "prevalence", f"a range with a whole number of the {unknown} rows, such as {near}"
        )
    return least, most

"""How much one more row changes an index of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocksteady import _rocksteady
from rocksteady.base.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Influence(Result):
    """How much one row more of each class, at each distinct score, changes an index: `ScoreTable.influence`.

    Entry *i* is that of the *i*-th distinct score. All numbers are slopes: one row more or less changes the index by
    about this much. Over all rows of the table they sum to 0.

    Attributes
    ----------
    score : numpy.ndarray
        The distinct scores, high to low: float64. NaN for a missing score that is ranked.
    positive : numpy.ndarray
        The change by one positive row more with this score: float64, in units of the index.
    negative : numpy.ndarray
        The change by one negative row more.
    index : str
        The index.
    value : float
        Its value for the table; where it is undefined the influences are NaN.
    why : str or None
        Why the index is undefined; None if it is defined.
    """

    score: NDArray[Any]
    positive: NDArray[Any]
    negative: NDArray[Any]
    index: str
    value: float
    why: str | None = None


def of_scores(state: _rocksteady.ScoreState, name: str) -> Influence:
    """Influence of a row of each class at each distinct score."""
    (score, positive, negative), (value, why) = _rocksteady.influence(state, name)
    return Influence(score, positive, negative, _rocksteady.index_name(name), value, why)

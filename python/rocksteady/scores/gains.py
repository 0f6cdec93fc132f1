"""Bands of a score table: gains, decile and Kolmogorov–Smirnov tables, and profit per band."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, not_negative, real, wrong_value
from rocksteady.base.result import Result, of_positive

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class GainsTable(Result):
    """A gains table; entry *i* of each array is band *i*.

    Band 0 has the highest scores, or with ``ascending=True`` the lowest.

    Bands may hold parts of rows: where a band ends among rows of one score, each of its two neighbours has its part of
    them.

    Attributes
    ----------
    highest, lowest : numpy.ndarray
        The highest and the lowest score in the band; NaN where it holds none.
    rows, positives, negatives : numpy.ndarray
        How many rows the band holds, or their weight.
    response_rate : numpy.ndarray
        ``positives / rows``, in [0, 1]: the precision within the band; where positives are defaults, the bad rate.
    capture, negative_capture : numpy.ndarray
        The band's share of all positives, and of all negatives, in [0, 1].
    lift : numpy.ndarray
        The marginal lift: `response_rate` over that of all rows.
    cumulative_rows, cumulative_positives, cumulative_negatives : numpy.ndarray
        Rows, positives and negatives of the band and all before it.
    cumulative_response_rate : numpy.ndarray
        ``cumulative_positives / cumulative_rows``.
    gain, negative_gain : numpy.ndarray
        The share of all positives, and of all negatives, in the band and all before it: TPR and FPR at its end.
    cumulative_lift : numpy.ndarray
        `cumulative_response_rate` over that of all rows.
    ks : numpy.ndarray
        ``gain - negative_gain``, in [-1, 1]: how far apart the classes are at the band's end.
    odds : numpy.ndarray
        ``positives / negatives``; infinite without negatives.
    weight_of_evidence : numpy.ndarray
        ``ln(capture / negative_capture)``, nats: above 0 where positives are more frequent than among all rows. -inf
        without positives and inf without negatives, unless they are smoothed.
    information_value : numpy.ndarray
        The band's part ``(capture - negative_capture) * weight_of_evidence`` of the information value; not negative.
    greatest_ks : float
        The greatest absolute `ks`; at most that of the ranking itself (``table["ks"]``), which looks between the ends
        of the bands too.
    total_information_value : float
        The sum of `information_value`. By custom below 0.02 of no use, from 0.1 medium, from 0.3 strong (Siddiqi 2006).
    rank_order_breaks : int
        How many bands have a higher response rate than the one before: 0 where positives gather in the first bands as
        they should. Bands without rows are passed over.
    """

    _first = (
        "highest", "lowest", "rows", "positives", "response_rate", "gain", "lift", "cumulative_lift", "ks",
        "information_value",
    )  # fmt: skip

    highest: Reals
    lowest: Reals
    rows: Reals
    positives: Reals
    negatives: Reals
    response_rate: Reals
    capture: Reals
    negative_capture: Reals
    lift: Reals
    cumulative_rows: Reals
    cumulative_positives: Reals
    cumulative_negatives: Reals
    cumulative_response_rate: Reals
    gain: Reals
    negative_gain: Reals
    cumulative_lift: Reals
    ks: Reals
    odds: Reals
    weight_of_evidence: Reals
    information_value: Reals
    _: KW_ONLY
    greatest_ks: float
    total_information_value: float
    rank_order_breaks: int


@dataclass(frozen=True, eq=False, repr=False)
class ProfitTable(Result):
    """The profit of addressing the rows of each band; entry *i* of each array is band *i*, as in `ScoreTable.gains`.

    Attributes
    ----------
    highest, lowest : numpy.ndarray
        The highest and the lowest score in the band.
    rows, positives, cumulative_rows, cumulative_positives : numpy.ndarray
        Rows and positives of the band, and of it and all before it.
    profit : numpy.ndarray
        ``benefit * positives - cost * rows``, in the unit of both.
    cumulative_profit : numpy.ndarray
        ``benefit * cumulative_positives - cost * cumulative_rows - fixed_cost``.
    return_on_investment : numpy.ndarray
        `cumulative_profit` over what was spent for it, ``cost * cumulative_rows + fixed_cost``; infinite, or NaN, where
        that is nothing.
    best_bands : int
        How many bands are best addressed: those up to the greatest cumulative profit; 0 if it is never above 0.
    """

    _first = ("highest", "lowest", "rows", "positives", "profit", "cumulative_profit", "return_on_investment")

    highest: Reals
    lowest: Reals
    rows: Reals
    positives: Reals
    cumulative_rows: Reals
    cumulative_positives: Reals
    profit: Reals
    cumulative_profit: Reals
    return_on_investment: Reals
    _: KW_ONLY
    best_bands: int


def edges_of(edges: ArrayLike | None) -> list[float] | None:
    """Edges as numbers; the extension checks that they ascend."""
    if edges is None:
        return None
    return [real(edge, f"edges[{place}]") for place, edge in enumerate(listed(edges, "edges", "a list of numbers"))]


def finite(value: object, argument: str) -> float:
    """A finite number."""
    number = real(value, argument, "a finite number")
    if not float("-inf") < number < float("inf"):
        raise wrong_value(value, argument, "a finite number")
    return number


class Gains:
    """The methods of a `rocksteady.ScoreTable` that read bands of scores: its gains and profit tables."""

    __slots__ = ()

    _state: _rocksteady.ScoreState

    @of_positive
    def gains(
        self, bands: int = 10, *, edges: ArrayLike | None = None, ascending: bool = False, smoothing: float = 0.0
    ) -> GainsTable:
        """The gains table: bands of equal weight from the highest score down, and the positives in each.

        Rows of one score among which a band ends are split between both bands in proportion, the tied positives and the
        tied negatives alike. So the order of rows does not matter, and bands of n rows hold n rows. The sums are exact;
        it takes a bisection a band.

        Parameters
        ----------
        bands : int
            How many, 1 to 65,536. 10 make a decile table.
        edges : array-like of float, optional
            Scores at which to cut instead, ascending: one band below the first, one from each on and below the next,
            one from the last on. Rows of one score then stay together.
        ascending : bool
            From the lowest score up, as is the custom where low scores are bad; the bands are the same. Take the bad
            for the positives.
        smoothing : float
            Positives, and negatives, that are added to each band for `weight_of_evidence` and `information_value`, so
            that they are finite (0.5 is usual); not negative.

        Returns
        -------
        GainsTable

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            For bands that are none, and edges that do not ascend.

        References
        ----------
        Siddiqi 2006, Credit Risk Scorecards, ISBN 978-0-471-75451-0.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.7, 0.2, 0.1])
        >>> gains = table.gains(3)
        >>> gains.positives, gains.gain
        (array([1., 1., 0.]), array([0.5, 1. , 1. ]))
        >>> gains.lift, round(gains.greatest_ks, 6)
        (array([1.5, 1.5, 0. ]), 0.5)
        >>> table.gains(edges=[0.5]).rows
        array([4., 2.])
        """
        columns, (ks, information, breaks) = _rocksteady.gains(
            self._state, bands, edges_of(edges), ascending, not_negative(smoothing, "smoothing")
        )
        return GainsTable(*columns, greatest_ks=ks, total_information_value=information, rank_order_breaks=breaks)

    @of_positive
    def profit(
        self,
        bands: int = 10,
        *,
        benefit: float,
        cost: float = 0.0,
        fixed_cost: float = 0.0,
        edges: ArrayLike | None = None,
        ascending: bool = False,
    ) -> ProfitTable:
        """The profit of a campaign that addresses one band after the other.

        Parameters
        ----------
        benefit : float
            What a positive row brings, if it is addressed.
        cost : float
            What it costs to address a row, positive or not; not negative.
        fixed_cost : float
            What is spent once, whoever is addressed; not negative.
        bands, edges, ascending
            As for `gains`.

        Returns
        -------
        ProfitTable

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As `gains`, and for amounts that are not finite, or costs that are negative.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.2, 0.1])
        >>> profit = table.profit(3, benefit=10, cost=3, fixed_cost=1)
        >>> profit.profit, profit.cumulative_profit, profit.best_bands
        (array([ 4.,  4., -6.]), array([3., 7., 1.]), 2)
        """
        columns, best = _rocksteady.profit(
            self._state,
            bands,
            edges_of(edges),
            ascending,
            finite(benefit, "benefit"),
            not_negative(cost, "cost"),
            not_negative(fixed_cost, "fixed_cost"),
        )
        return ProfitTable(*columns, best_bands=best)

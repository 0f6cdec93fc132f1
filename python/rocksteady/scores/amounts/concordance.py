"""How well scores order amounts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of
from rocksteady.base.record import Record
from rocksteady.base.table import number
from rocksteady.columns.pairing import paired
from rocksteady.inference.difference import level_of, quantile_of
from rocksteady.inference.interval import Interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_ONE_OUTCOME = "All rows have the same outcome."
_ONE_ORDER = "All rows are ordered equally well, so they do not show how the value scatters."


@dataclass(frozen=True, slots=True, repr=False)
class Concordance(Record):
    """How well scores order the outcomes of rows: of `rocksteady.scores.concordance`.

    With c pairs in the same order, d in the opposite order, s pairs of one score but different outcomes, y pairs of one
    outcome but different scores, and b pairs of one outcome and one score:

    Attributes
    ----------
    concordance : float
        (c + s / 2) / (c + d + s): the share of the pairs of different outcomes that the scores order the same way. 0.5 is
        chance. Of outcomes 0 and 1 it is the area under the ROC curve; of grades it is the ECB's generalised AUC.
    somers_d : float
        (c - d) / (c + d + s): twice the concordance less 1 (Somers 1962, doi:10.2307/2090408).
    kendall_tau_b : float
        (c - d) / √((c + d + s) (c + d + y)) (Kendall 1945, doi:10.1093/biomet/33.3.239).
    gamma : float
        (c - d) / (c + d) (Goodman, Kruskal 1954, doi:10.1080/01621459.1954.10501231).
    xauc : float
        (c + b) / all pairs: torchrec's XAUC. A pair of one outcome counts as wrong unless it has one score.
    gini : float
        The normalised Gini coefficient: the area between the Lorenz curve of the outcomes, ordered by score, and its chord,
        divided by the same of the outcomes in their own order. 1 is the best order, 0 chance, -1 the opposite order. Rows
        of one score share their places: the mean over all their orders.
    standard_error : float
        That of the concordance; that of Somers' D is twice this.
    rows : int
        The number of rows.
    concordant, discordant, same_score, same_outcome, same_both : int
        c, d, s, y and b.
    why : str or None
        Why values are NaN.
    """

    concordance: float
    somers_d: float
    kendall_tau_b: float
    gamma: float
    xauc: float
    gini: float
    standard_error: float
    rows: int
    concordant: int
    discordant: int
    same_score: int
    same_outcome: int
    same_both: int
    why: str | None = None

    def interval(self, name: Literal["concordance", "somers_d"] = "concordance", *, level: float = 0.95) -> Interval:
        """The concordance, or Somers' D, with its interval of confidence. Rows are taken to be independent.

        The interval of the concordance is made on the scale of log odds and mapped back. That of Somers' D is twice that
        less 1, the same as by Fisher's z (Newson 2002, doi:10.1177/1536867X0200200103). It has no bounds where no two
        rows are ordered differently well, as at 1.

        Parameters
        ----------
        name : {"concordance", "somers_d"}
            The value.
        level : float
            The confidence level.

        >>> import rocksteady as rs
        >>> found = rs.scores.concordance([0, 3, 1, 7, 4, 9, 2, 5] * 5, [1, 2, 2, 5, 6, 8, 1, 3] * 5)
        >>> found.interval("somers_d")
        Interval(0.714286, 0.586069 to 0.807604, 95 %, logit)
        """
        one_of(name, "name", ("concordance", "somers_d"))
        used, z = level_of(level), quantile_of(level)
        value, error, low, high, why = self.concordance, self.standard_error, math.nan, math.nan, self.why
        if why is None and not error > 0:
            why = _ONE_ORDER
        elif why is None:
            reach = z * error / (value * (1 - value))
            low, high = (value / (value + (1 - value) * math.exp(each)) for each in (reach, -reach))
        if name == "somers_d":
            value, low, high, error = self.somers_d, 2 * low - 1, 2 * high - 1, 2 * error
        return Interval(value, low, high, used, "logit", "two-sided", error, why)

    def __repr__(self) -> str:
        pairs = f"{self.concordant:,} pairs in the same order, {self.discordant:,} in the opposite order"
        ties = f"{self.same_score:,} of one score"
        return f"concordance {number(self.concordance, 4)}, Gini {number(self.gini, 4)} of {self.rows:,} rows: {pairs}, {ties}"


def concordance(outcome: ArrayLike, scores: ArrayLike) -> Concordance:
    """How well scores order amounts: losses given default, claims, watch times, grades.

    Parameters
    ----------
    outcome : array-like of shape (n,)
        What came true of each row: finite numbers of any sign.
    scores : array-like of shape (n,)
        Finite numbers; higher ones should go with higher outcomes. Only their order counts.

    Returns
    -------
    Concordance
        The same for any order of the rows and any number of threads: all pairs are counted as integers, and `gini` is the
        ratio of two exact sums.

    Raises
    ------
    rocksteady.InputError
        If a value is missing or infinite, the columns have different lengths or no rows, or there are more than
        2,147,483,647 rows.

    Notes
    -----
    Pairs are counted by sorting, so the time grows like n log n. The standard error is that of the influence of each row:
    with u rows of another outcome than row i, and s of them that the scores order the same way less those they order the
    opposite way, it is √(n / (n - 1) Σ (s - u D)²) / Σ u for the concordance, D being Somers' D. Of outcomes that are
    classes prefer ``ScoreTable(y, s).interval("roc_auc")``.

    >>> import rocksteady as rs
    >>> loss = [0.0, 120.0, 0.0, 3400.0, 80.0, 950.0]
    >>> found = rs.scores.concordance(loss, [0.1, 0.4, 0.2, 0.9, 0.4, 0.3])
    >>> found
    concordance 0.8214, Gini 0.827 of 6 rows: 11 pairs in the same order, 2 in the opposite order, 1 of one score
    >>> round(found.somers_d, 4), round(found.kendall_tau_b, 4)
    (0.6429, 0.6429)
    """
    paired(outcome, {"scores": scores}, first="outcome")
    rows, balance, same, squares, gini = _rocksteady.concordance_of_columns(outcome, scores)
    same_outcome, same_score, both = same
    pairs = rows * (rows - 1) // 2
    ordered = pairs - same_outcome - same_score + both
    concordant = (ordered + balance) // 2
    apart, beside = pairs - same_outcome, pairs - same_score
    counts = (rows, concordant, ordered - concordant, same_score - both, same_outcome - both, both)
    none = math.nan
    xauc = (concordant + both) / pairs if pairs else none
    if not apart:
        return Concordance(none, none, none, none, xauc, none, none, *counts, _ONE_OUTCOME)
    # Over all rows: Σ u is twice `apart`, Σ s twice `balance`.
    spread = squares[0] * apart**2 - 2 * squares[1] * apart * balance + squares[2] * balance**2
    error = math.sqrt(spread * rows / (4 * apart**4 * (rows - 1)))
    return Concordance(
        (apart + balance) / (2 * apart),
        balance / apart,
        balance / math.sqrt(apart * beside) if beside else none,
        balance / ordered if ordered else none,
        xauc,
        none if gini is None else gini,
        error,
        *counts,
    )

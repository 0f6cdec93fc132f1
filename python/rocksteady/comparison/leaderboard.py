"""Several models on the same rows: their values, the ranks that chance allows, and what would decide them."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from rocksteady.base.arguments import wrong_value
from rocksteady.base.prevalence import share
from rocksteady.base.result import Result
from rocksteady.base.table import Table, number
from rocksteady.inference.difference import Difference, level_of, quantile_of
from rocksteady.registry.registry import index as definition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from rocksteady.base.table import Cell
    from rocksteady.inference.covariance import Compared

    Reals = NDArray[np.float64]

_NORMAL: Final = NormalDist()
#: The level of 95 % is met within 0.2 points.
_DRAWS: Final = 40_000
#: So many draws beyond the quantile tell where it is; with fewer the bound of Šidák does.
_FEW: Final = 100
#: The square of a smaller difference is 0.
_LEAST: Final = 1e-150


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Result):
    """Several models on the same rows, the best first, each with the ranks that it may have: `Evaluation.leaderboard`.

    Entry *i* of each array is the model in place *i*.

    Attributes
    ----------
    model : numpy.ndarray of str
        The models.
    value, low, high : numpy.ndarray
        The index of each model, with its own interval; NaN where `why` says so.
    rank_low, rank_high : numpy.ndarray of int
        The best and the worst rank that the model may have. All these ranges hold at once, with probability `level`.
    group : numpy.ndarray of int
        Groups of ties, from 1: each model of a group is certainly better than each model of the groups below. Within a
        group no such line can be drawn, though some of its pairs may be decided.
    index : str
        The name of the index.
    level : float
        The confidence level.
    pair_level : float
        The level of the interval of each pair, with which all pairs hold at once at `level`.
    power : float
        The probability that as many rows as `pairs` says decide a pair.
    rows : float
        The number of rows, or their weight where weights count rows.
    differences : tuple of Difference
        Each two models, the better first, with intervals at `pair_level`.
    why : str or None
        Why there are no values or no intervals.
    note : str or None
        What speaks against the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(4)
    >>> y = rng.integers(0, 2, 600)
    >>> scores = {name: y * skill + rng.normal(size=600) for name, skill in {"a": 0.5, "b": 1.5, "c": 1.6}.items()}
    >>> board = rs.evaluate(y, scores, inference=True).leaderboard("roc_auc")
    >>> board
    model   roc_auc       low      high  ranks  group
    c      0.878519  0.848762  0.902574  1-2        1
    b      0.829184  0.794342   0.85855  1-2        1
    a      0.639766  0.594341  0.682357  3          2
    With 95 % confidence all these ranks hold at once. 1 of 3 pairs is undecided.
    >>> board.pairs.rows[0][:2], board.pairs.rows[0][5:]
    (('c', 'b'), (None, 521, 0, 43333))
    """

    model: NDArray[np.str_]
    value: Reals
    low: Reals
    high: Reals
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    group: NDArray[np.int64]
    _: KW_ONLY
    index: str
    level: float
    pair_level: float
    power: float
    rows: float
    differences: tuple[Difference, ...]
    why: str | None = None
    note: str | None = None

    _first: ClassVar[tuple[str, ...]] = ("model", "value", "rank_low", "rank_high")

    @property
    def pairs(self) -> Table:
        """Each two models: their difference, which one is certainly better, else how many rows more would decide it.

        Columns: "first", the better one here, and "second"; "difference", "low" and "high", intervals that hold all at once;
        "better", the model that is certainly better, None of an undecided pair. For an undecided pair "more_rows" is how
        many rows more, like these, would decide it with probability `power`, were the difference what it is here; from
        "more_rows_low" to "more_rows_high" were it as large as the bounds of its own interval at `level` say, inf where
        0 lies in that.
        """
        rows: list[list[Cell]] = []
        for each in self.differences:
            better = each.first if _is_decided(each) else None
            more: list[Cell] = [None] * 3 if better else [*self._more(each)]
            rows.append([each.first, each.second, each.estimate, each.low, each.high, better, *more])
        names = [
            "first",
            "second",
            "difference",
            "low",
            "high",
            "better",
            "more_rows",
            "more_rows_low",
            "more_rows_high",
        ]
        return Table(names, rows)

    def _more(self, pair: Difference) -> Iterable[float]:
        """The rows that would decide a pair, were its difference the estimate, the greatest and the least."""
        apart, error = abs(pair.estimate), pair.standard_error
        if math.isnan(pair.low):  # equal on every row, or without a value
            return (math.inf if apart == 0 else math.nan,) * 3
        wanted = (quantile_of(self.pair_level) + _NORMAL.inv_cdf(self.power)) * error
        own = quantile_of(self.level) * error
        found = [
            self.rows * ((wanted / gap) ** 2 - 1) if gap > _LEAST else math.inf
            for gap in (apart, apart + own, apart - own)
        ]
        return [max(math.ceil(rows), 0) if rows < 2**63 else math.inf for rows in found]

    @property
    def undecided(self) -> int:
        """The number of pairs of which it is not certain which model is better."""
        return sum(not _is_decided(each) for each in self.differences)

    @property
    def verdict(self) -> str:
        """What holds, in two sentences."""
        if self.why is not None:
            return self.why
        pairs, open_ = len(self.differences), self.undecided
        of = (
            "all pairs are decided"
            if not open_
            else "the one pair is undecided"
            if pairs == 1
            else f"{open_} of {pairs} pairs {'is' if open_ == 1 else 'are'} undecided"
        )
        return f"With {number(100 * self.level)} % confidence all these ranks hold at once. {of[0].upper()}{of[1:]}."

    @property
    def ranks(self) -> list[str]:
        """The ranks that each model may have, as text."""
        both = zip(self.rank_low.tolist(), self.rank_high.tolist(), strict=True)
        return [str(low) if low == high else f"{low}-{high}" for low, high in both]

    def _shown(self) -> Table:
        columns = [self.model.tolist(), self.value.tolist(), self.low.tolist(), self.high.tolist()]
        cells: list[list[Cell]] = [list(row) for row in zip(*columns, self.ranks, self.group.tolist(), strict=True)]
        note = self.verdict if self.note is None else f"{self.verdict}\n{self.note}"
        return Table(["model", self.index, "low", "high", "ranks", "group"], cells, note=note)

    def __repr__(self) -> str:
        return repr(self._shown())

    def _repr_html_(self) -> str:
        return self._shown()._repr_html_()


def leaderboard(compared: Compared, rows: float, *, level: float = 0.95, power: float = 0.8) -> Leaderboard:
    """The leaderboard of models whose values and their covariance are known."""
    row, used, wanted = definition(compared.index), level_of(level), share(power, "power")
    if row.better == "neither":
        raise wrong_value(row.name, "name", "an index that is better high or low, such as roc_auc or log_loss")
    sign = -1.0 if row.better == "lower" else 1.0
    values = compared.estimates
    names = sorted(values, key=lambda name: (math.isnan(values[name]), -sign * values[name]))
    pair_level = _pair_level(compared.covariance, used)
    places = list(combinations(range(len(names)), 2))
    pairs = tuple(compared.difference(names[a], names[b], level=pair_level) for a, b in places)
    better = np.zeros((len(names), len(names)), bool)  # the row than the column
    for (a, b), each in zip(places, pairs, strict=True):
        better[a, b] = _is_decided(each)
    ends = [place + 1 for place in range(len(names) - 1) if better[: place + 1, place + 1 :].all()]
    alone = [compared.interval(name, level=used) for name in names]
    value, low, high = (np.array([getattr(each, what) for each in alone]) for what in ("estimate", "low", "high"))
    return Leaderboard(
        np.array(names),
        value,
        low,
        high,
        1 + better.sum(axis=0),
        len(names) - better.sum(axis=1),
        1 + np.searchsorted(ends, np.arange(len(names)), side="right"),
        index=compared.index,
        level=used,
        pair_level=pair_level,
        power=wanted,
        rows=rows,
        differences=pairs,
        why=compared.why,
        note=next((each.note for each in pairs if each.note), None),
    )


def _is_decided(pair: Difference) -> bool:
    return pair.low > 0 or pair.high < 0


def _pair_level(covariance: NDArray[Any], level: float) -> float:
    """The level of each pair with which the intervals of all pairs hold at once.

    The greatest of all differences over their standard errors has a quantile that follows from the covariance of the values;
    it is found by drawing normal values with that covariance, always the same ones. It is at most that of independent
    differences (Šidák 1967, doi:10.1080/01621459.1967.10482935).
    """
    models = len(covariance)
    pairs = models * (models - 1) // 2
    bound = min(float(level ** (1 / pairs)), 1 - 2**-53)
    variances = np.diag(covariance).astype(np.float64)
    errors = np.sqrt(np.clip(variances[:, None] + variances - 2 * covariance, 0, None))
    if pairs == 1 or not np.isfinite(errors).all() or (1 - level) * _DRAWS < _FEW:
        return bound
    errors[errors <= 1e-7 * math.sqrt(variances.max())] = math.inf  # equal on every row
    roots, vectors = np.linalg.eigh(covariance)
    half = vectors * np.sqrt(np.clip(roots, 0, None))
    values = half @ np.random.default_rng(0).standard_normal((models, _DRAWS))
    greatest = np.zeros(_DRAWS)
    for place in range(models - 1):
        apart = np.abs(values[place + 1 :] - values[place]) / errors[place + 1 :, place, None]
        np.maximum(greatest, apart.max(axis=0), out=greatest)
    reach = round(float(np.quantile(greatest, level)), 6)  # the last bits depend on the threads of BLAS
    return min(max(math.erf(reach / math.sqrt(2)), level), bound)

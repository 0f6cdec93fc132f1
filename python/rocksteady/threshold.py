"""Thresholds: what happens at one, and which is best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, overload

from rocksteady._arguments import listed, one_of, real, wrong_value
from rocksteady.cost import optimal_threshold
from rocksteady.counts import Counts
from rocksteady.table import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady import _rocksteady

Side = Literal[">=", ">"]


class KS(NamedTuple):
    """The Kolmogorov–Smirnov statistic of two score distributions.

    Attributes
    ----------
    value : float
        The largest absolute value of TPR - FPR over all thresholds, in [0, 1].
    threshold : float
        The score at which it is reached, predicting positive at ``score >= threshold``; the lowest where several do.
    sign : int
        1 if TPR is above FPR there, -1 if below, 0 if the statistic is 0.
    """

    value: float
    threshold: float
    sign: int


class Best(NamedTuple):
    """A threshold at which an index is best.

    Attributes
    ----------
    threshold : float
        Rows with ``score >= threshold`` are predicted positive; ``inf`` where none is. NaN if the index has no value at all.
    value : float
        The index there.
    tp, fp, fn, tn : float
        The four counts there.
    """

    threshold: float
    value: float
    tp: float
    fp: float
    fn: float
    tn: float

    def counts(self) -> Counts:
        """The four counts at the threshold."""
        return Counts(self.tp, self.fp, self.fn, self.tn)


class Thresholds:
    """What a `rocksteady.ScoreTable` knows about single thresholds."""

    __slots__ = ()

    _state: _rocksteady.ScoreState

    def at(self, threshold: float, *, side: Side = ">=") -> Counts:
        """The four counts when rows with ``score >= threshold`` (or ``>``) are predicted positive.

        Parameters
        ----------
        threshold : float
            Any number but NaN; infinity too. Compared exactly with the scores as they came.
        side : {">=", ">"}
            Whether a score at the threshold is predicted positive.
        """
        return Counts(*self._state.at(threshold, side))

    @overload
    def best(
        self,
        name: str,
        *,
        maximize: bool = False,
        minimize: bool = False,
        all: Literal[False] = False,
        **parameters: object,
    ) -> Best: ...
    @overload
    def best(
        self, name: str, *, maximize: bool = False, minimize: bool = False, all: Literal[True], **parameters: object
    ) -> list[Best]: ...
    def best(
        self,
        name: str,
        *,
        maximize: bool = False,
        minimize: bool = False,
        all: bool = False,  # noqa: A002 (it says what it does: all of them)
        **parameters: object,
    ) -> Best | list[Best]:
        """The threshold at which a count-based index is best, over all thresholds, the lowest of several.

        Thresholds at which the index is undefined are passed over. What is best on these rows is too good an estimate of what
        will be on others.

        Parameters
        ----------
        name : str
            An index that is a function of the four counts, or of a two-by-two matrix.
        maximize, minimize : bool
            Look for the greatest or the least value. Default: what the index calls better.
        all : bool
            Give every threshold with the best value, from low to high.
        **parameters
            The index's own, such as ``fn=5`` for "cost".

        Returns
        -------
        Best, or list of Best
            NaN everywhere, or an empty list, if the index is undefined at every threshold.

        Raises
        ------
        rocksteady.InputError
            For an index without a better direction, unless `maximize` or `minimize` is said; for both of them.
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.best("cost", fp=1, fn=5)
        Best(threshold=0.4, value=1.0, tp=2.0, fp=1.0, fn=0.0, tn=1.0)
        >>> [best.threshold for best in table.best("accuracy", all=True)]
        [0.4, 0.8]
        """
        found = [
            Best(threshold, value, *counts)
            for value, threshold, counts in self._state.best(name, maximize, minimize, all, parameters)
        ]
        if all:
            return found
        return found[0] if found else Best(*[float("nan")] * 6)

    def cost_series(
        self,
        weights: Sequence[float],
        *,
        by: Literal["bayes", "sweep"] = "bayes",
        names: Sequence[str] = ("accuracy", "balanced_accuracy", "recall", "specificity"),
    ) -> Table:
        """Decisions for a series of costs of a false negative, a false positive costing 1: a row for each.

        Parameters
        ----------
        weights : sequence of float
            The cost of a false negative, above 0.
        by : {"bayes", "sweep"}
            The threshold: ``1 / (1 + weight)``, which is right for calibrated probabilities; or the lowest with the least cost
            on these very rows.
        names : sequence of str
            Indices of the four counts to list.

        Returns
        -------
        Table
            "weight", "threshold", the four counts, "cost", "mean_cost", then `names`.

        Raises
        ------
        rocksteady.InputError
            For a weight that is not above 0, and for "bayes" with scores outside [0, 1].
        rocksteady.UnknownIndexError
            For a name that is none of an index of counts.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.cost_series([1, 4], names=["recall"])
        weight  threshold  tp  fp  fn  tn  cost  mean_cost  recall
        1             0.5   1   1   1   1     2        0.5     0.5
        4             0.2   2   1   0   1     1       0.25       1
        """
        one_of(by, "by", ("bayes", "sweep"))
        if by == "bayes" and not self._state.are_probabilities:
            raise wrong_value(by, "by", "'sweep', as not all scores lie in [0, 1]")
        names = listed(names, "names", "a list of names of indices")
        rows: list[list[Cell]] = []
        for place, given in enumerate(listed(weights, "weights", "a list of numbers above 0")):
            weight = real(given, f"weights[{place}]")
            if not 0 < weight < float("inf"):
                raise wrong_value(given, f"weights[{place}]", "a finite number above 0")
            best = self.best("cost", fp=1.0, fn=weight)
            threshold = optimal_threshold(fp=1.0, fn=weight)
            counts = self.at(threshold) if by == "bayes" else best.counts()
            cells = [counts.tp, counts.fp, counts.fn, counts.tn]
            costs = [counts.value(name, fp=1.0, fn=weight) for name in ("cost", "mean_cost")]
            chosen = threshold if by == "bayes" else best.threshold
            values = [*cells, *costs, *(counts[name] for name in names)]
            rows.append([weight, chosen, *(float(value) for value in values)])
        return Table(["weight", "threshold", "tp", "fp", "fn", "tn", "cost", "mean_cost", *names], rows)

    def ks(self) -> KS:
        """The Kolmogorov–Smirnov statistic with its threshold and sign; NaN, NaN and 0 where one class is absent."""
        return KS(*self._state.ks())

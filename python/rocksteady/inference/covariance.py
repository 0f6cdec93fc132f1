"""An index of several models on the same rows: intervals, differences and tests, from how the values vary together."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rocksteady import _rocksteady
from rocksteady.base.arguments import named, not_negative
from rocksteady.base.table import Table, number
from rocksteady.base.ways_out import WaysOut
from rocksteady.inference.difference import Difference, Equivalence, NonInferiority, level_of, p_text, pairs_table
from rocksteady.inference.interval import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from rocksteady.base.table import Cell
    from rocksteady.inference.difference import Adjust
    from rocksteady.inference.interval import Method, Side


class Compared(WaysOut):
    """An index of several models on the same rows, and how its values vary together.

    Of `compare_scores` and of ``Evaluation.compared``. Values of the same rows rise and fall together, so the variance of
    a difference is not the sum of two variances. It follows from the influence of each row on each value: how much the
    value changes with one row more like it.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
    >>> found = rs.inference.compare_scores(y_true, scores)
    >>> found.covariance.round(4)
    array([[0.0417, 0.0104],
           [0.0104, 0.0208]])
    >>> interval = found.interval("new")
    >>> round(interval.low, 4), round(interval.high, 4), interval.method
    (0.4317, 0.9826, 'blended')
    """

    __slots__ = ("_state", "_why", "index", "level", "names")

    #: The name of the index.
    index: str
    #: The models, in the given order.
    names: tuple[str, ...]
    #: The confidence level of intervals, unless a method gets another one.
    level: float

    def __init__(
        self,
        state: _rocksteady.CovarianceState,
        names: Sequence[str],
        *,
        index: str = "roc_auc",
        level: float = 0.95,
        why: str | None = None,
    ) -> None:
        self._state, self._why = state, why
        self.names, self.index, self.level = tuple(names), index, level_of(level)

    @classmethod
    def _of_influences(
        cls,
        found: list[_rocksteady.InfluenceState],
        names: Sequence[str],
        index: str,
        design: tuple[Any, str, _rocksteady.GroupedState | None, _rocksteady.GroupedState | None, Any],
        level: float,
    ) -> Compared:
        """From the influence of each row on each value: weights, their kind, clusters, strata and squares of cells."""
        state = _rocksteady.CovarianceState.of_influences(found, *design)
        return cls(state, names, index=index, level=level, why=next((each.why for each in found if each.why), None))

    @property
    def estimates(self) -> dict[str, float]:
        """The value of each model."""
        return dict(zip(self.names, self._state.parts()[0], strict=True))

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of the values, shape (m, m), in the order of `names`; NaN where `why` says so."""
        return self._state.covariance()

    @property
    def why(self) -> str | None:
        """Why there are no values or no variances; None if there are."""
        return self._why or self._state.parts()[4]

    def _place(self, name: object, argument: str) -> int:
        return self.names.index(named(name, argument, self.names))

    def _two(self, first: object, second: object) -> tuple[int, int]:
        return self._place(first, "first"), self._place(second, "second")

    @property
    def _method(self) -> str:
        is_of_pairs = self.index in ("roc_auc", "gini") and self._state.parts()[3] is None
        return "delong" if is_of_pairs else "delta"

    def interval(
        self, name: str, *, level: float | None = None, method: Method | None = None, side: Side = "two-sided"
    ) -> Interval:
        """The value of one model with its interval.

        Parameters
        ----------
        name : str
            The model.
        level : float, optional
            The confidence level.
        method : str, optional
            One of ``rocksteady.index(name).intervals`` that has a standard error: of an area "blended" (the default),
            "logit", "delong" or "newcombe", as `ScoreTable.interval` explains; of an index of counts "delta". Of
            clusters, "blended" takes their number for the number of rows. Of a mean over classes or labels, and in
            strata, "blended" and "newcombe" are "logit", as they are of two classes.
        side : {"two-sided", "lower", "upper"}
            Which bounds.

        Returns
        -------
        Interval
            With clusters the quantile is Student's, with as many degrees of freedom as clusters less one. The bounds are
            NaN where `why` says so.
        """
        used = self.level if level is None else level_of(level)
        found, why = self._state.interval(self.index, self._place(name, "name"), (used, method, side, None))
        return Interval(*found[:3], used, found[4], side, found[3], self._why_of(found[1]) or why or found[5], found[6])

    def difference(self, first: str, second: str, *, level: float | None = None) -> Difference:
        """The value of one model less that of another, with its interval and its test.

        Parameters
        ----------
        first, second : str
            The models.
        level : float, optional
            The confidence level.

        Returns
        -------
        Difference
            For models that are equal on every row the p-value is 1 and there is no interval.
        """
        used = self.level if level is None else level_of(level)
        pair = self._two(first, second)
        told = self._state.difference(self.index, *pair, used)
        note = None if math.isnan(told[1]) else self._state.note_of(list(pair))
        return Difference._of(self._reasoned(told), self.index, (first, second), used, self._method, note)

    def _reasoned(self, told: _rocksteady._Told) -> _rocksteady._Told:
        return (*told[:6], self._why_of(told[1]) or told[6])

    def _why_of(self, low: float) -> str | None:
        """Why a model has no value, where there is no bound."""
        return self._why if math.isnan(low) else None

    def non_inferior(self, first: str, second: str, *, margin: float, level: float | None = None) -> NonInferiority:
        """Test whether one model is worse than another by at most `margin`: below it or, of a loss, above it.

        Parameters
        ----------
        first, second : str
            The models.
        margin : float
            What counts as no worse, to be chosen before the data are seen.
        level : float, optional
            The confidence level of the one-sided interval: the test is at 1 less this.

        Returns
        -------
        NonInferiority

        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> rs.inference.compare_scores(y_true, scores).non_inferior("new", "old", margin=0.25)
        It is shown that roc_auc of 'new' is at most 0.25 below that of 'old':
        difference 0.125, lower 95 % bound -0.211, p = 0.0331.
        """
        used = self.level if level is None else level_of(level)
        most = not_negative(margin, "margin")
        a, b = self._two(first, second)
        is_loss = _rocksteady.index_is_loss(self.index)
        told = self._state.non_inferior(self.index, (b, a) if is_loss else (a, b), most, used)
        estimate, low, _, _, statistic, p_value, why = self._reasoned(told)
        bounds = (-math.inf, -low) if is_loss else (low, math.inf)
        estimate = -estimate if is_loss else estimate
        return NonInferiority(self.index, first, second, most, estimate, *bounds, used, statistic, p_value, why)

    def equivalent(self, first: str, second: str, *, margin: float, level: float | None = None) -> Equivalence:
        """Test whether two models differ by less than `margin`: two one-sided tests (TOST).

        Parameters
        ----------
        first, second : str
            The models.
        margin : float
            What counts as no difference, to be chosen before the data are seen.
        level : float, optional
            The confidence level of each bound: each test is at 1 less this.

        Returns
        -------
        Equivalence

        Notes
        -----
        It is shown if both bounds lie within the margin. Source: Schuirmann 1987, doi:10.1007/BF01068419.

        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> rs.inference.compare_scores(y_true, scores).equivalent("new", "old", margin=0.25)
        It is not shown that roc_auc of 'new' and of 'old' differ by less than 0.25:
        difference 0.125, 95 % bounds -0.211 and 0.461, p = 0.27.
        """
        used = self.level if level is None else level_of(level)
        most = not_negative(margin, "margin")
        a, b = self._two(first, second)
        told, other = (self._state.non_inferior(self.index, pair, most, used) for pair in ((a, b), (b, a)))
        estimate, low, *_, p_value, why = self._reasoned(told)
        p_value = max(p_value, other[5])
        return Equivalence(self.index, first, second, most, estimate, low, -other[1], used, p_value, why)

    @property
    def _joint(self) -> tuple[float, int, float]:
        return (None if self._why else self._state.equal()) or (math.nan, 0, math.nan)

    @property
    def statistic(self) -> float:
        """The statistic of the test that all values are equal: Hotelling's T²."""
        return self._joint[0]

    @property
    def degrees_of_freedom(self) -> int:
        """The rank of the covariance of the differences; the number of models less one, unless models depend on others."""
        return self._joint[1]

    @property
    def p_value(self) -> float:
        """The p-value of the test that all values are equal, by Hotelling's F distribution; NaN where there is none.

        Hotelling 1931, doi:10.1214/aoms/1177732979; for areas the covariance is that of DeLong, DeLong and
        Clarke-Pearson 1988, with the degrees of freedom of Welch 1947: few rows of one class are few. The chi-squared
        distribution would reject equal models too often: 8 of them in 9 to 14 of 100 samples at 5 %.
        """
        return self._joint[2]

    @property
    def note(self) -> str | None:
        """What speaks against the test that all values are equal; None if nothing does, or there is no test.

        A few rows may tell how far a value scatters, as with few rows of one class or a nearly perfect model. Where fewer
        than about three rows do for each model, the test hardly ever rejects, though models differ.
        """
        return None if math.isnan(self.p_value) else self._state.note_of(list(range(len(self.names))))

    def summary(self, *, adjust: Adjust = "holm", level: float | None = None) -> Table:
        """The difference of every two models.

        Parameters
        ----------
        adjust : {"holm", "bh", "none"}
            How p-values allow for the number of tests. "holm" (Holm 1979) keeps the chance of any wrong rejection below
            the level; "bh" (Benjamini, Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x) the expected share of wrong
            ones among all rejections. The intervals are those of single differences.
        level : float, optional
            The confidence level.

        Returns
        -------
        Table
            First, second, difference, low, high, p-value, and the adjusted p-value unless `adjust` is "none".
        """
        return pairs_table([self.difference(a, b, level=level) for a, b in combinations(self.names, 2)], adjust)

    def _gini(self) -> Compared:
        """The same of Gini coefficients, 2 AUC - 1."""
        return Compared(self._state.scaled(2, -1), self.names, index="gini", level=self.level, why=self._why)

    def _parts(self) -> tuple[Any, ...]:
        return self._state.parts(), self.names, self.index, self.level, self._why

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, self._parts()

    def __eq__(self, other: object) -> bool:
        # NaN equals NaN.
        return repr(self._parts()) == repr(other._parts()) if isinstance(other, Compared) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _verdict(self) -> str:
        if self.why is not None:
            return self.why
        if len(self.names) == 1:
            return ""
        if len(self.names) == 2:
            return repr(self.difference(*self.names))
        if math.isnan(self.p_value):
            return "There is no test that all are equal: a difference has no variance, or rows of a class or clusters are too few."
        differ = self.p_value < 1 - self.level
        test = f"Hotelling's T² {number(self.statistic, 3)} of {self.degrees_of_freedom} differences, {p_text(self.p_value)}"
        words = "The models are not all equal" if differ else "No difference between the models is shown"
        return " ".join([f"{words}: {test}.", *([self.note] if self.note else [])])

    def _values(self) -> Table:
        found = [self.interval(name) for name in self.names]
        rows: list[list[Cell]] = [
            [name, float(each.estimate), float(each.low), float(each.high)]
            for name, each in zip(self.names, found, strict=True)
        ]
        return Table(["model", self.index, "low", "high"], rows, note=self._verdict() or None)

    def __repr__(self) -> str:
        return repr(self._values())

    def _repr_html_(self) -> str:
        return self._values()._repr_html_()


def _restored(parts: Any, names: Sequence[str], index: str, level: float, why: str | None) -> Compared:
    return Compared(_rocksteady.CovarianceState.of(*parts), names, index=index, level=level, why=why)

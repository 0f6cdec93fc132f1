"""Counts of predicted labels, with the costs of their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rocksteady import _rocksteady
from rocksteady.base.arguments import flag
from rocksteady.base.statistic import fraction
from rocksteady.base.table import Table, class_named, number, number_of
from rocksteady.columns.categories import positive_in_order, refuse_one_class
from rocksteady.costs.given import OUTCOMES, columns_of
from rocksteady.costs.statistic import CostStatistic
from rocksteady.errors import InputError
from rocksteady.inference.interval import Wanted
from rocksteady.scores.points import CountsAt

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from rocksteady.costs.given import Costs
    from rocksteady.inference.interval import Interval, Side

_INDICES = ("cost", "mean_cost", "savings")


class CostCounts(CostStatistic):
    """The four counts of predicted labels, and beside each what its rows cost.

    Costs may differ from row to row. The sums are exact, and additive: ``a + b`` is, to the bit, the state of the
    pooled rows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels, two kinds at most between them.
    costs : mapping, or array-like of shape (2, 2)
        What each outcome costs: ``{"fp": 5, "fn": amounts}``, each a finite number, or n finite numbers, one for each
        row. A gain is negative. Unless given, an error costs 1 and a correct prediction nothing. A matrix has rows
        actual, columns predicted, negative before positive. Of a column only the rows of the outcome's actual class
        matter: "tp" and "fn" read those of positives, "fp" and "tn" those of negatives.
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative. A row of weight w costs w times its amount, this product rounded to a float64.
    squares : bool
        Whether to keep the squares of amounts, which `interval` needs where a cost is a column. Counting takes about
        three times as long. A sum keeps them if all of its parts do.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Notes
    -----
    With ``counts["cost"]`` come "mean_cost", the cost per row, and "savings", ``1 - cost / base``: the base is the lower
    of the costs of predicting all rows positive and of predicting none (Bahnsen, Aouada, Ottersten 2014,
    doi:10.1109/ICMLA.2014.48). Savings are undefined where the base is not above 0.

    Examples
    --------
    >>> import rocksteady as rs
    >>> fraud, flagged, amounts = [1, 0, 1, 0], [1, 1, 0, 0], [250.0, 80.0, 30.0, 12.0]
    >>> counts = rs.CostCounts(fraud, flagged, costs={"tp": 5, "fp": 5, "fn": amounts})
    >>> counts["cost"], counts["mean_cost"], counts.costs
    (40.0, 10.0, {'tp': 5.0, 'fp': 5.0, 'fn': 30.0, 'tn': 0.0})
    >>> counts.always, counts.never, counts.exact("savings")
    (20.0, 280.0, Fraction(-1, 1))
    """

    __slots__ = ()

    def __init__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        costs: Costs,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        squares: bool = False,
        align: bool = False,
    ) -> None:
        given, columns = columns_of(y_true, costs, {"y_pred": y_pred, "sample_weight": sample_weight}, align)
        positive = positive_in_order(y_true) if pos_label is None else pos_label
        self._state = _rocksteady.CostState.count(
            y_true, columns["y_pred"], given, positive, columns["sample_weight"], flag(squares, "squares")
        )
        refuse_one_class(self.labels, positive)

    def counts(self) -> CountsAt:
        """The four counts, from which every index of counts can be read."""
        return CountsAt._at(self.labels, self._state.decided_counts())

    @property
    def costs(self) -> dict[str, float]:
        """What the rows of each outcome cost together: "tp", "fp", "fn" and "tn"."""
        return dict(zip(OUTCOMES, self._state.decided_costs(), strict=True))

    def value(self, name: str, **parameters: object) -> float:
        """One index of costs: "cost" (or "total_cost"), "mean_cost" or "savings".

        Each is computed exactly and rounded once.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is not one of costs: then ``counts().value(name)``.
        """
        _no_parameters(parameters)
        return self._state.value(name)[0]

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined; None if it is defined."""
        _no_parameters(parameters)
        return self._state.value(name)[1]

    def interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: Literal["t", "normal"] | None = None,
        side: Side = "two-sided",
        **parameters: object,
    ) -> Interval:
        """One index of costs with its interval of confidence, by what each row adds to it.

        Rows are taken to be independent, and their number as given: a total cost has the interval of the mean cost, times
        the rows.

        Parameters
        ----------
        name, **parameters
            As for `value`.
        level : float
            The confidence level.
        method : {"t", "normal"}, optional
            Student's t distribution, the default, or the normal distribution.
        side : {"two-sided", "lower", "upper"}
            Which bounds are wanted.

        Returns
        -------
        rocksteady.results.Interval
            Without bounds, and with `why`, where all rows cost the same. Its `note` says where few rows tell how far
            the costs scatter, and the interval is too narrow.

        Raises
        ------
        rocksteady.UnknownIndexError
            As for `value`; if a cost is a column, and not all rows were counted with ``squares=True``.

        >>> import rocksteady as rs
        >>> fraud, flagged, amounts = [1, 0, 1, 0], [1, 1, 0, 0], [250.0, 80.0, 30.0, 12.0]
        >>> counts = rs.CostCounts(fraud, flagged, costs={"tp": 5, "fp": 5, "fn": amounts}, squares=True)
        >>> found = counts.interval("mean_cost", level=0.9)
        >>> round(found.low, 2), found.estimate, round(found.high, 2)
        (-5.93, 10.0, 25.93)
        >>> found.note.split(":")[0]
        'Few rows tell how far the value scatters'
        """
        _no_parameters(parameters)
        wanted = Wanted(level, method, side, {})
        return wanted.of_one(self._state.interval(name, wanted._asked))

    def exact(self, name: str) -> Fraction:
        """The exact value of an index of costs, as a fraction of the amounts as they were given.

        Raises
        ------
        rocksteady.UnknownIndexError
            As `value`.
        rocksteady.InputError
            If the index has no value.
        """
        return fraction(*self._state.exact(name))

    def summary(self) -> Table:
        """Count and cost of each outcome, and of all rows."""
        counts = self._state.decided_counts()
        costs = self._state.decided_costs()
        rows: list[list[Any]] = [list(row) for row in zip(OUTCOMES, counts, costs, strict=True)]
        return Table(["outcome", "rows", "cost"], [*rows, ["all", sum(counts), self["cost"]]])

    def to_dict(self) -> dict[str, Any]:
        """Counts, costs and the indices of costs as plain Python values."""
        tp, fp, fn, tn = self._state.decided_counts()
        return {
            "rows": self.rows,
            "pos_label": self.pos_label,
            "counts": {"tp": tp, "fp": fp, "fn": fn, "tn": tn},
            "costs": self.costs,
            "always": self.always,
            "never": self.never,
            **{name: self[name] for name in _INDICES},
        }

    def __repr__(self) -> str:
        tp, fp, fn, tn = (number(count, 15) for count in self._state.decided_counts())
        positive = "" if self.pos_label is None else f"; positive class {class_named(self.pos_label)}"
        return (
            f"<rocksteady.CostCounts of {number_of(self.rows, 'row')}; tp {tp}, fp {fp}, fn {fn}, tn {tn}; "
            f"cost {number(self['cost'], 6)}{positive}>"
        )


def _no_parameters(parameters: dict[str, object]) -> None:
    if parameters:
        name = next(iter(parameters))
        raise InputError(f"{name} is given; expected no parameters, as the costs belong to the rows", argument=name)

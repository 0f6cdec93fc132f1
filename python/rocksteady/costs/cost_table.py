"""The cost table: the costs of the rows at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NoReturn, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag, shown, string, wrong_value
from rocksteady.base.statistic import Along
from rocksteady.base.table import Table, class_named, number, number_of
from rocksteady.base.warning import warn
from rocksteady.columns.categories import positive_in_order, refuse_one_class
from rocksteady.costs.cost_counts import CostCounts
from rocksteady.costs.given import columns_of
from rocksteady.costs.statistic import CostStatistic
from rocksteady.errors import InputError, InputTypeError
from rocksteady.labels.counts import Counts
from rocksteady.scores.points import Best
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy
    from rocksteady.costs.given import Costs
    from rocksteady.scores.thresholds import Side


class CostTable(Along, CostStatistic):
    """A score table with costs: at every threshold, exactly what the rows cost.

    Costs may differ from row to row. The table has, for each distinct score, the sums of the amounts of the rows at or
    above it. The sums are exact, and the table is additive: ``a + b`` is, to the bit, the table of the pooled rows. A
    row is predicted positive where its score is at least the threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most.
    y_score : array-like of shape (n,)
        Any real scores, as for `ScoreTable`.
    costs, sample_weight, squares, align
        As for `CostCounts`.
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    nan_policy, infinite
        As for `ScoreTable`.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> fraud, scores, amounts = [1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2], [250.0, 80.0, 30.0, 12.0]
    >>> table = rs.CostTable(fraud, scores, costs={"tp": 5, "fp": 5, "fn": amounts})
    >>> table.thresholds, table.every("cost")
    (array([inf, 0.9, 0.7, 0.4, 0.2]), array([280.,  35.,  40.,  15.,  20.]))
    >>> table.best()
    Best(threshold=0.4, value=15.0, tp=2.0, fp=1.0, fn=0.0, tn=1.0, ties=1)
    >>> table.at(0.4)["savings"], table.always, table.never
    (0.25, 20.0, 280.0)
    """

    __slots__ = ()

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        costs: Costs,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        squares: bool = False,
        align: bool = False,
    ) -> None:
        given, columns = columns_of(y_true, costs, {"y_score": y_score, "sample_weight": sample_weight}, align)
        positive = positive_in_order(y_true) if pos_label is None else pos_label
        scores, weights = columns["y_score"], columns["sample_weight"]
        try:
            self._state = _rocksteady.CostState.sweep(
                (y_true, scores, weights), given, (positive, nan_policy, infinite), flag(squares, "squares")
            )
        except (InputError, InputTypeError) as error:
            raise hints.of_scores(error, y_true, y_score) from None
        refuse_one_class(self.labels, positive)

    def __len__(self) -> int:
        """The number of distinct scores."""
        return len(self._state)

    @property
    def thresholds(self) -> NDArray[Any]:
        """The distinct scores, high to low, after ``inf``, at which nothing is predicted positive: float64."""
        return self._state.thresholds()

    @property
    def costs(self) -> dict[str, float | None]:
        """What each outcome costs; None where each row has an amount of its own."""
        return self._given

    def ranking(self) -> ScoreTable:
        """The `ScoreTable` of the same rows, without their costs."""
        return ScoreTable._of(self._state.ranking())

    def counts(self) -> Counts:
        """The four counts at each of `thresholds`: `Counts` of shape ``(len(table) + 1,)``."""
        return Counts(*self._state.counts())

    def at(self, threshold: float, *, side: Side = ">=") -> CostCounts:
        """Counts and costs when rows with ``score >= threshold`` (or ``>``) are predicted positive.

        Parameters
        ----------
        threshold : float
            Any number but NaN, compared exactly with the scores.
        side : {">=", ">"}
            Whether a score at the threshold is predicted positive.
        """
        return CostCounts._of(self._state.at(threshold, side))

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The `thresholds`, as a column by its name."""
        return {"threshold": self.thresholds}

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        if parameters:
            raise wrong_value(parameters, "parameters", "none, as the costs come from the table")
        return self._state.every(name)

    def value(self, name: str, **parameters: object) -> float:  # noqa: ARG002 (the base's signature)
        """Refused: costs belong to a threshold, so ask ``table.at(threshold)[name]``, `every` or `best`."""
        raise InputError(
            f"name is {shown(name)}; expected a threshold first: table.at(0.5)[{shown(name)}], table.every({shown(name)}) or "
            f"table.best({shown(name)})",
            argument="name",
        )

    def why(self, name: str, **parameters: object) -> str | None:  # noqa: ARG002 (the base's signature)
        """Refused: see `value`."""
        self.value(name)
        return None

    def interval(self, name: str, **options: object) -> NoReturn:  # noqa: ARG002 (as of `CostCounts`)
        """Refused: see `value`. ``table.at(threshold).interval(name)`` has one."""
        raise InputError(
            f"name is {shown(name)}; expected a threshold first: table.at(0.5).interval({shown(name)})", argument="name"
        )

    @overload
    def best(self, name: str = "cost", *, all: Literal[False] = False, subject_to: str | None = None) -> Best: ...
    @overload
    def best(self, name: str = "cost", *, all: Literal[True], subject_to: str | None = None) -> list[Best]: ...
    def best(
        self,
        name: str = "cost",
        *,
        all: bool = False,  # noqa: A002 (it says what it does)
        subject_to: str | None = None,
    ) -> Best | list[Best]:
        """The cheapest threshold on these rows; the lowest if there are several.

        Costs are compared as the exact sums that they are; with `subject_to`, as these sums rounded to a float64. What is
        cheapest on these rows is too good an estimate of what will be on others.

        Parameters
        ----------
        name : {"cost", "mean_cost", "savings"}
            What `value` of the result is. The threshold is the same for each.
        all : bool
            Give every threshold of least cost, from low to high.
        subject_to : str, optional
            Conditions that the counts at the threshold must meet, as for `ScoreTable.best`: a budget is ``"rpp <= 0.03"``.

        Returns
        -------
        Best, or list of Best
            Its `ties` is how many thresholds cost the same. NaN, or an empty list, if no threshold meets the conditions.

        Warns
        -----
        rocksteady.RocksteadyWarning
            If no threshold meets the conditions.

        >>> import rocksteady as rs
        >>> amounts = [250.0, 80.0, 30.0, 12.0]
        >>> table = rs.CostTable([1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2], costs={"tp": 5, "fp": 5, "fn": amounts})
        >>> table.best(subject_to="rpp <= 0.25")
        Best(threshold=0.9, value=35.0, tp=1.0, fp=0.0, fn=1.0, tn=2.0, ties=1)
        """
        string(name, "name", "the name of an index")
        found, ties = self._cheapest(flag(all, "all"), subject_to)
        results = []
        for cost, threshold, counts in found:
            value = cost if name in ("cost", "total_cost") else self.at(threshold)[name]
            best = Best(threshold, value, *counts)
            best.ties = ties
            results.append(best)
        if all:
            return results
        return results[0] if results else Best(*[float("nan")] * 6)

    def _cheapest(self, every: bool, subject_to: str | None) -> tuple[list[tuple[float, Any, Any]], int]:
        """Cost, threshold and counts of the cheapest thresholds that qualify, and how many they are."""
        if subject_to is None:
            return self._state.cheapest(every)
        places = np.flatnonzero(self.ranking().meeting(subject_to))
        if not len(places):
            warn(f"no threshold meets {shown(subject_to)}; ranking().why_no_best('recall', subject_to=...) says why")
            return [], 0
        costs = self._state.every("cost")[places]
        cheapest = places[costs == costs.min()][::-1].tolist()  # from the lowest threshold on
        thresholds, counts = self.thresholds, np.array(self._state.counts(), dtype=np.float64)
        found = [
            (float(costs.min()), *thresholds[[place]].tolist(), counts[:, place].tolist())
            for place in (cheapest if every else cheapest[:1])
        ]
        return found, len(cheapest)

    def summary(self) -> Table:
        """Costs of the cheapest threshold and of the two constant predictions."""
        threshold = self._state.cheapest(False)[0]
        rows: list[list[Any]] = [
            ["all positive", float("-inf"), self.always],
            ["none positive", float("inf"), self.never],
        ]
        if threshold:
            rows.insert(0, ["cheapest", threshold[0][1], threshold[0][0]])
        return Table(["decision", "threshold", "cost"], rows)

    def __repr__(self) -> str:
        negative, positive = ("" if one is None else f" (class {class_named(one)})" for one in self.labels)
        sizes = f"{number(self.positives, 15)} positive{positive}, {number(self.negatives, 15)} negative{negative}"
        costs = ", ".join(
            f"{name} {'by row' if cost is None else number(cost, 6)}" for name, cost in self.costs.items()
        )
        rows, scores = number_of(self.rows, "row"), number_of(len(self), "distinct score")
        return f"<rocksteady.CostTable of {rows}, {scores}; {sizes}; costs: {costs}>"

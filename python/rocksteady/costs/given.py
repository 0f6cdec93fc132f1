"""Costs by outcome, each a number for all rows or a column with a number for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from rocksteady.base.arguments import flag
from rocksteady.columns.pairing import paired
from rocksteady.labels.cost import costs_by_outcome

Costs = Mapping[str, float | ArrayLike] | ArrayLike

OUTCOMES = ("tp", "fp", "fn", "tn")


def columns_of(y_true: Any, costs: Costs, others: dict[str, Any], align: object) -> tuple[list[Any], dict[str, Any]]:
    """The four costs in the order of `OUTCOMES`, and the other columns; all of them in the order of the rows.

    >>> columns_of([0, 1], {"fn": [5, 7]}, {"y_pred": [1, 1]}, False)
    ([0.0, 1.0, [5, 7], 0.0], {'y_pred': [1, 1]})
    """
    given = costs_by_outcome(costs)
    named = {f"costs[{name!r}]": cost for name, cost in given.items() if not isinstance(cost, float)}
    columns = paired(y_true, {**others, **named}, align=flag(align, "align"))
    by_outcome = [columns.get(f"costs[{name!r}]", given[name]) for name in OUTCOMES]
    return by_outcome, {name: columns[name] for name in others}

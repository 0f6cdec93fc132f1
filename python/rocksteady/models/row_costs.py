"""Costs that differ by row: as the rows are predicted, and at the cheapest threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.base.arguments import wrong_value
from rocksteady.costs.cost_counts import CostCounts
from rocksteady.costs.cost_table import CostTable
from rocksteady.errors import UnknownIndexError
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from rocksteady.registry.registry import Index
    from rocksteady.scores.points import Best

OF_PREDICTED = "the costs are of the predicted classes; rs.CostTable has every threshold"


def takes_costs(row: Index) -> bool:
    """Whether the index has a cost for each outcome, right predictions among them; detection_cost has its own two."""
    return any(parameter.name == "tp" for parameter in row.parameters)


def is_of_rows(name: str) -> bool:
    """Whether the index is a sum of the rows' own costs; an expression is none."""
    try:
        return "costs" in index(name).forms
    except UnknownIndexError:
        return False


def decided(costs: CostTable | CostCounts, threshold: float | None) -> CostCounts:
    """What the rows cost as they are predicted: at the threshold, or by the classes that were given."""
    return costs.at(threshold) if isinstance(costs, CostTable) and threshold is not None else costs  # type: ignore[return-value]


def cheapest(costs: CostTable | CostCounts, name: str, **options: Any) -> Best | list[Best]:
    """The threshold at which the rows cost least."""
    if isinstance(costs, CostCounts):
        raise wrong_value(name, "name", f"another index, as {OF_PREDICTED}")
    if options.pop("maximize", False):
        raise wrong_value(True, "maximize", "False, as less cost is better")
    options.pop("minimize", None)
    found: Best | list[Best] = costs.best(name, **options)
    return found

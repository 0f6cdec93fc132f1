"""Differences between groups of rows: fairlearn's questions with its values, intervals, and which groups are worst.

Uses `base`, `labels`, `scores` and `inference`. In the order in which data flow:

| module | owns |
|---|---|
| `disparity` | least, greatest, difference and ratio of the values of groups, with intervals |
| `worst` | the groups with the most evidence against them |
| `rates` | the metrics of fairlearn: selection rate, rates of the two classes, count |
| `recognised` | which index a metric function computes |
| `features` | sensitive and control features as groups of rows |
| `metric_frame` | metrics by group under fairlearn's names |
| `parity` | demographic parity, equalized odds, equal opportunity |
| `impact` | adverse impact at a threshold and at all |
| `subgroups` | areas of a subgroup's scores against those of the other rows |
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors; a program takes these names from `_LATER`
    from rocksteady.fairness.disparity import Disparity as Disparity
    from rocksteady.fairness.impact import AdverseImpact as AdverseImpact
    from rocksteady.fairness.impact import ImpactCurve as ImpactCurve
    from rocksteady.fairness.impact import adverse_impact as adverse_impact
    from rocksteady.fairness.impact import impact_curve as impact_curve
    from rocksteady.fairness.metric_frame import MetricFrame as MetricFrame
    from rocksteady.fairness.parity import demographic_parity_difference as demographic_parity_difference
    from rocksteady.fairness.parity import demographic_parity_ratio as demographic_parity_ratio
    from rocksteady.fairness.parity import equal_opportunity_difference as equal_opportunity_difference
    from rocksteady.fairness.parity import equal_opportunity_ratio as equal_opportunity_ratio
    from rocksteady.fairness.parity import equalized_odds_difference as equalized_odds_difference
    from rocksteady.fairness.parity import equalized_odds_ratio as equalized_odds_ratio
    from rocksteady.fairness.rates import count as count
    from rocksteady.fairness.rates import false_negative_rate as false_negative_rate
    from rocksteady.fairness.rates import false_positive_rate as false_positive_rate
    from rocksteady.fairness.rates import selection_rate as selection_rate
    from rocksteady.fairness.rates import true_negative_rate as true_negative_rate
    from rocksteady.fairness.rates import true_positive_rate as true_positive_rate
    from rocksteady.fairness.subgroups import SubgroupAreas as SubgroupAreas
    from rocksteady.fairness.subgroups import subgroup_areas as subgroup_areas
    from rocksteady.fairness.worst import WorstGroups as WorstGroups

# What a program asks for is imported when it does.
_LATER = {
    name: module
    for module, names in {
        "disparity": "Disparity",
        "impact": "AdverseImpact ImpactCurve adverse_impact impact_curve",
        "metric_frame": "MetricFrame",
        "parity": (
            "demographic_parity_difference demographic_parity_ratio equal_opportunity_difference "
            "equal_opportunity_ratio equalized_odds_difference equalized_odds_ratio"
        ),
        "rates": ("count false_negative_rate false_positive_rate selection_rate true_negative_rate true_positive_rate"),
        "subgroups": "SubgroupAreas subgroup_areas",
        "worst": "WorstGroups",
    }.items()
    for name in names.split()
}

if not TYPE_CHECKING:  # a type checker goes by the imports above
    __all__ = sorted(_LATER)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """A name of those that are imported later; from then on it is an attribute like any other."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    found = getattr(import_module(f"rocksteady.fairness.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(_LATER)

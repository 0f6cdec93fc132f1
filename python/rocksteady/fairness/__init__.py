"""Differences between groups of rows: fairlearn's metrics with its values, intervals, and the worst groups.

In the order in which data flow:

| module | owns |
|---|---|
| `disparity` | least, greatest, difference and ratio of the values of groups, with intervals |
| `worst` | the groups with the most evidence against them |
| `rates` | the metrics of fairlearn: selection rate, rates of the two classes, count |
| `recognised` | the index that a metric function computes |
| `features` | sensitive and control features as groups of rows |
| `metric_frame` | metrics by group under fairlearn's names |
| `parity` | demographic parity, equalized odds, equal opportunity |
| `impact` | adverse impact at one threshold and at all; demographic disparity |
| `subgroups` | areas of a subgroup's scores against the scores of the other rows |
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

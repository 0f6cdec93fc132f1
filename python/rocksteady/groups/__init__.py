"""Statistics by group: every index for each group, coarser groups, means over groups.

In the order in which data flow:

| module | owns |
|---|---|
| `results` | results of groups: values with their keys, means over groups, pairs within and across |
| `shown` | a few indices of each group, without groups too small to publish |
| `groups` | `Groups`, the statistic |
| `ledgers` | groups some of whose labels are not known: bounds of each |
| `group_by` | `group_by`, which counts rows by group |
"""

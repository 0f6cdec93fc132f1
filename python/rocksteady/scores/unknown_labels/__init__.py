"""Rows whose label is not known: what indices can be, whatever these labels are.

In the order in which data flow:

| module | owns |
|---|---|
| `placed` | where the scores without a label lie among the others; which shares of positives are allowed |
| `areas` | bounds of the area under the ROC curve |
| `sweeps` | bounds of KS, of the average precision and of mean losses |
| `ledger_counts` | counts at a threshold, and bounds of their indices |
| `ledger` | what ledgers of all kinds are |
| `label_ledger` | the statistic, which has all of these |
| `sketch_ledger` | the statistic in bounded memory |
"""

"""Curves over the thresholds of a score table, each a small object of named arrays.

In the order in which data flow:

| module | owns |
|---|---|
| `line` | what all curves share, and one index against another |
| `roc` | the ROC curve and its convex hull |
| `det` | the detection error trade-off |
| `precision_recall` | precision against recall, and the gain of both |
| `gain` | cumulative gains and lift |
| `risk_coverage` | the risk of the most confident predictions |
| `ks` | the Kolmogorov–Smirnov statistic and its curve |
| `cost` | the cost curve, its lines, and the Brier curve |
| `decision` | the decision curve |
| `curves` | the methods of a score table that make them |
| `bounds` | curves of a sketch, within proven bounds |
"""

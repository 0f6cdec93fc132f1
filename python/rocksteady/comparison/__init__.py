"""Comparison of models, matrices and indices.

Uses `classes`, `scores` and `labels`. In the order in which data flow:

| module | owns |
|---|---|
| `comparison` | values and ranks of several models, the best model and the reason |
| `enumeration` | all matrices and all rankings of a size |
| `consistency` | how consistent two indices are, and which one discriminates better |
"""

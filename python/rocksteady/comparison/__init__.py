"""Models, matrices and indices compared with each other.

Uses `classes`, `scores` and `labels`. In the order in which data flow:

| module | owns |
|---|---|
| `comparison` | values and ranks of several models, and which is best and why |
| `enumeration` | all matrices and all rankings of a size |
| `consistency` | how consistent two indices are, and which discriminates better |
"""

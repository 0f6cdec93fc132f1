"""Evidence that holds at all numbers of rows at once, however often one looks.

In the order in which data flow:

| module | owns |
|---|---|
| `evidence` | e-values, and means of numbers in [0, 1] |
"""

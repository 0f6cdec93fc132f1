"""Outcomes that are amounts, and the scores that should order them.

In the order in which data flow:

| module | owns |
|---|---|
| `concordance` | how well scores order amounts: pairs in the same order, the Gini coefficient |
| `distances` | how far apart two samples of scores are |
"""

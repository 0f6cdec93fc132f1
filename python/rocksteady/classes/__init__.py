"""Scores of several classes, or of several labels a row.

Uses `scores`. In the order in which data flow:

| module | owns |
|---|---|
| `score_tables` | a score table for each class against the rest, and their averages |
| `label_score_tables` | a score table for each label of a row |
"""

"""Scores of several classes, or of several labels a row.

In the order in which data flow:

| module | owns |
|---|---|
| `row_mean` | the mean of a number for each row, as exact sums |
| `column_tables` | what the next two share |
| `score_tables` | a score table for each class against the rest, and their averages |
| `label_score_tables` | a score table for each label of a row |
"""

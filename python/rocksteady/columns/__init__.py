"""Columns side by side, without gaps, as categories and as keys.

In the order in which data flow:

| module | owns |
|---|---|
| `pairing` | pandas objects whose index labels are in another order |
| `complete` | rows with missing values, and the rows without |
| `categories` | the order of ordered categories, and the positive class that follows from it |
| `keys` | columns of keys, and the groups of rows that they make |
| `renamed` | labels under other names |
| `tags` | several labels a row as lists of strings |
| `estimators` | whether a fitted estimator is a classifier, and what it predicts |
"""

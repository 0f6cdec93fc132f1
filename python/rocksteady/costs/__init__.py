"""Costs that differ by row: amounts beside the counts.

| module | owns |
|---|---|
| `given` | costs by outcome, each a number or a column |
| `statistic` | what counts and tables of costs have in common |
| `cost_counts` | counts and costs of predicted labels, or at one threshold |
| `cost_table` | costs at every threshold |
"""

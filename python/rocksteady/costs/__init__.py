"""Costs that differ by row, summed beside the counts.

| module | owns |
|---|---|
| `given` | costs by outcome, each a number or a column |
| `statistic` | the common part of counts and tables of costs |
| `cost_counts` | counts and costs of predicted labels, or at one threshold |
| `cost_table` | costs at every threshold |
| `profit` | the profit of a ranking beside that of the best one |
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

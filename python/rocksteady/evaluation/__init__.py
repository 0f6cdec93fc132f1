"""One or several models judged on the same rows.

In the order in which data flow:

| module | owns |
|---|---|
| `evaluate` | columns in, an evaluation out |
| `paired` | how the models fall together on the same rows, for differences with intervals |
| `groups` | the statistics of each model by group |
| `parts` | sums and differences of evaluations, and their bytes |
| `evaluation` | the models together: look-up, summary, tables; pictures and page by the painters |
"""

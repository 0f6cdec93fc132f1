"""What is given of each model, and what is counted of it. `evaluate`, the command line and `plot` share it.

In the order in which data flow:

| module | owns |
|---|---|
| `columns` | which columns are of which model, the names of the models, the default threshold |
| `counting` | each column counted once |
| `judged_rows` | the rows of the models, and the influence of each on any index |
| `grouped_rows` | the same by group, where rows belong to clusters or strata; how two groups vary together |
| `row_costs` | costs that differ by row: as the rows are predicted, and at the cheapest threshold |
| `listing` | the rows and columns of a listing of several models |
| `model` | what all kinds of models answer; the model of two or more classes |
| `multilabel` | the model of several labels a row |
| `bounded` | the model of a sketch, every index of it within proven bounds |
"""

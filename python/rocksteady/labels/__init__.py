"""Counts of labels: the confusion matrix, two-by-two tables, costs.

In the order in which data flow:

| module | owns |
|---|---|
| `counts` | arrays of two-by-two tables, and every index over them |
| `counts_bounds` | counts that are known within bounds, and bounds of every index of them |
| `positions` | which rows are true and false positives and negatives |
| `cells` | given cells (mappings, frames, arrays) into the state of a matrix |
| `nonzero_cells` | the cells of a matrix that are not zero, as columns; the most confused pairs |
| `frames` | a matrix into dictionaries, frames, tables and text |
| `rearranged` | a matrix with its classes renamed, put together, left out or reordered |
| `merges` | which classes to merge: every pair, and the path from all classes to one |
| `map_accuracy` | a matrix as a sample of a map: accuracy and areas |
| `confusion` | the confusion matrix: counted, reshaped, and its indices |
| `cost` | decisions of least risk, thresholds and matrices of costs |
"""

"""What scikit-learn would have done: a mirror of each metric, for arguments that the core refuses.

A mirror has the name of its metric. It runs only after the core has refused (see `rocksteady.metrics._asking`), and:

1. checks the options against their domains: `rocksteady.metrics._parameters`;
2. checks the data once, in scikit-learn's order and words, with `rocksteady.metrics._validation`;
3. asks the core again, with the data in plain form. Some data have no plain form, such as probabilities for an
   indicator. For these it follows scikit-learn's definition with numpy.

| file | metrics of |
|---|---|
| `labels` | labels and indicators |
| `scores` | scores of two classes, at all thresholds; areas of several classes and labels |
| `rankings` | labels ordered row by row |
| `probabilities` | probabilities, and scores of several classes |
"""

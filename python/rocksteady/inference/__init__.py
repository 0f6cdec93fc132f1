"""How sure a value is: confidence intervals, models compared on the same rows, the bootstrap, and the most influential rows.

The statistics above call it: `cm.interval("f1")`.

| module | owns |
|---|---|
| `interval` | an index with its interval, words for values |
| `widened` | intervals where only bounds are known |
| `clusters` | columns that say which rows belong together |
| `difference` | the difference of two models, with its interval, its test and a verdict |
| `covariance` | an index of several models on the same rows: intervals, differences, tests |
| `paired_areas` | areas under the ROC curve of several models |
| `paired_labels` | predicted classes of several models: tables of pairs, McNemar's test, differences of any index |
| `scores_compared` | an index of the scores of several models, compared |
| `anytime` | evidence that holds at all numbers of rows at once |
| `planning` | rows that a study needs, and its power |
| `two_proportions` | the difference and the ratio of two proportions, and the difference of values of different rows |
| `influence` | how much one more row changes an index of scores |
| `resampling` | the bootstrap: indices of resampled rows, intervals from them |
| `units` | what a resample draws: rows, clusters, within strata, by keys |
| `resampled_rows` | the bootstrap of rows, of one model or several, of classes and labels |
| `band` | bands around curves |
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

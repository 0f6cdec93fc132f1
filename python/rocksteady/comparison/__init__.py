"""Comparison of models, matrices and indices.

In the order in which data flow:

| module | owns |
|---|---|
| `comparison` | values and ranks of several models, the best model and the reason |
| `leaderboard` | several models: the ranks that chance allows, and what would decide them |
| `folds` | two models by their values on the folds of a cross-validation |
| `in_time` | two models by their losses on rows in order of time |
| `readers` | modalities by several readers of the same cases |
| `runs` | several runs on the same queries |
| `cost_regions` | two models by expected cost: where each is cheaper, how surely, what would change that |
| `wrong_labels` | what wrong labels could do to a verdict, and to an index |
| `explained` | why an index changed: its difference as a sum of parts |
| `judges` | shares that a judge counted, corrected by rows that people judged, too |
| `raters` | how well several raters agree |
| `enumeration` | all matrices and all rankings of a size |
| `two_indices` | how consistent two indices are, and which one discriminates better |
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

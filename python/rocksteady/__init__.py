"""Classification metrics for millions of predictions: counted once, exact, the same bits however the data were split.

The statistics are counted in one pass and every index is derived from them:

>>> import rocksteady as rs
>>> cm = rs.ConfusionMatrix([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
>>> cm["accuracy"], cm["recall"]
(0.8, 0.6666666666666666)
>>> table = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8])
>>> table["roc_auc"]
0.5

`rocksteady.metrics` holds functions with scikit-learn's names and signatures, `rocksteady.results` the classes of what calls
return.
"""

import sys

from rocksteady._rocksteady import __version__ as __version__  # a broken build says so at once
from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

if "IPython" in sys.modules:  # a notebook or a shell, where the Tab key completes names of indices
    from rocksteady import _completion

    _completion.install()

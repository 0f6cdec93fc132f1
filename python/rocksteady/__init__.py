"""Classification metrics for millions of predictions: counted once, exact, the same bits however the data were split.

The statistics are counted in one pass and every index is derived from them:

>>> import rocksteady as rs
>>> cm = rs.ConfusionMatrix([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
>>> cm["accuracy"], cm["recall"]
(0.8, 0.6666666666666666)
>>> table = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8])
>>> table["roc_auc"]
0.5

`rocksteady.metrics` holds functions with scikit-learn's names and signatures.
"""

from rocksteady import callbacks, errors, metrics, pycm
from rocksteady._rocksteady import __version__, get_threads, set_threads
from rocksteady.comparison import ComparedIndex, Comparison, compare
from rocksteady.confusion import ConfusionMatrix, Positions, positions
from rocksteady.consistency import Consistency, consistency
from rocksteady.cost import bayes_decision, bayes_risk, cost_weight_matrix, minority_label, optimal_threshold
from rocksteady.counts import Counts
from rocksteady.definition import define_index, undefine_index
from rocksteady.enumeration import EnumeratedMatrices, EnumeratedRankings, enumerate_matrices, enumerate_rankings
from rocksteady.errors import InputError, InputTypeError, RocksteadyError, UnknownIndexError
from rocksteady.interval import Interval
from rocksteady.patching import patch_sklearn, patched_sklearn, unpatch_sklearn
from rocksteady.probability import ProbabilitySums
from rocksteady.registry import Index, Indices, Parameter, Scale, index, indices
from rocksteady.score import KS, Best, ScoreCollector, ScoreTable
from rocksteady.score_tables import ScoreTables
from rocksteady.table import Table

__all__ = [
    "KS",
    "Best",
    "ComparedIndex",
    "Comparison",
    "ConfusionMatrix",
    "Consistency",
    "Counts",
    "EnumeratedMatrices",
    "EnumeratedRankings",
    "Index",
    "Indices",
    "InputError",
    "InputTypeError",
    "Interval",
    "Parameter",
    "Positions",
    "ProbabilitySums",
    "RocksteadyError",
    "Scale",
    "ScoreCollector",
    "ScoreTable",
    "ScoreTables",
    "Table",
    "UnknownIndexError",
    "__version__",
    "bayes_decision",
    "bayes_risk",
    "callbacks",
    "compare",
    "consistency",
    "cost_weight_matrix",
    "define_index",
    "enumerate_matrices",
    "enumerate_rankings",
    "errors",
    "get_threads",
    "index",
    "indices",
    "metrics",
    "minority_label",
    "optimal_threshold",
    "patch_sklearn",
    "patched_sklearn",
    "positions",
    "pycm",
    "set_threads",
    "undefine_index",
    "unpatch_sklearn",
]

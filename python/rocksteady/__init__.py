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

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocksteady import errors, pycm
from rocksteady._rocksteady import __version__, get_threads, set_threads
from rocksteady.confusion import ConfusionMatrix, Positions, positions
from rocksteady.cost import bayes_decision, bayes_risk, cost_weight_matrix, minority_label, optimal_threshold
from rocksteady.counts import Counts
from rocksteady.definition import define_index, undefine_index
from rocksteady.errors import InputError, InputTypeError, RocksteadyError, UnknownIndexError
from rocksteady.interval import Interval
from rocksteady.probability import ProbabilitySums
from rocksteady.registry import Index, Indices, Parameter, Scale, index, indices
from rocksteady.table import Table

if TYPE_CHECKING:
    from rocksteady import callbacks, metrics
    from rocksteady._consistency import Consistency, consistency
    from rocksteady.calibration import Calibration, Decomposition, calibration_error, top_label
    from rocksteady.comparison import ComparedIndex, Comparison, compare
    from rocksteady.enumeration import EnumeratedMatrices, EnumeratedRankings, enumerate_matrices, enumerate_rankings
    from rocksteady.patching import patch_sklearn, patched_sklearn, unpatch_sklearn
    from rocksteady.score import ScoreCollector, ScoreTable
    from rocksteady.score_tables import ScoreTables
    from rocksteady.threshold import KS, Best

__all__ = [
    "KS",
    "Best",
    "Calibration",
    "ComparedIndex",
    "Comparison",
    "ConfusionMatrix",
    "Consistency",
    "Counts",
    "Decomposition",
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
    "calibration_error",
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
    "top_label",
    "undefine_index",
    "unpatch_sklearn",
]

# What not every program needs is imported when it is first asked for, so that the import of the whole stays short.
_LATER = {
    "KS": "threshold",
    "Best": "threshold",
    "Calibration": "calibration",
    "ComparedIndex": "comparison",
    "Comparison": "comparison",
    "Consistency": "_consistency",
    "Decomposition": "calibration",
    "EnumeratedMatrices": "enumeration",
    "EnumeratedRankings": "enumeration",
    "ScoreCollector": "score",
    "ScoreTable": "score",
    "ScoreTables": "score_tables",
    "calibration_error": "calibration",
    "callbacks": None,
    "compare": "comparison",
    "consistency": "_consistency",
    "enumerate_matrices": "enumeration",
    "enumerate_rankings": "enumeration",
    "metrics": None,
    "patch_sklearn": "patching",
    "patched_sklearn": "patching",
    "top_label": "calibration",
    "unpatch_sklearn": "patching",
}


def __getattr__(name: str) -> Any:
    """A name of those that are imported later; then it stands here like any other."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    module = _LATER[name]
    found = (
        import_module(f"rocksteady.{name}") if module is None else getattr(import_module(f"rocksteady.{module}"), name)
    )
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

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

from rocksteady import errors
from rocksteady._rocksteady import __version__, get_threads, set_threads
from rocksteady.confusion import ConfusionMatrix, Positions, positions
from rocksteady.counts import Counts
from rocksteady.errors import InputError, InputTypeError, RocksteadyError, UnknownIndexError
from rocksteady.probability import ProbabilitySums
from rocksteady.table import Table

if TYPE_CHECKING:
    from rocksteady import callbacks, metrics, plot, pycm
    from rocksteady._consistency import Consistency, consistency
    from rocksteady._evaluate import evaluate
    from rocksteady.calibration import Calibration, Decomposition, calibration_error, top_label
    from rocksteady.comparison import ComparedIndex, Comparison, compare
    from rocksteady.cost import bayes_decision, bayes_risk, cost_weight_matrix, minority_label, optimal_threshold
    from rocksteady.curve import (
        BrierCurve,
        CostCurve,
        CostLines,
        Curve,
        DecisionCurve,
        DetCurve,
        GainCurve,
        KsCurve,
        LiftCurve,
        PrecisionRecallCurve,
        PrecisionRecallGainCurve,
        RocConvexHull,
        RocCurve,
    )
    from rocksteady.definition import define_index, undefine_index
    from rocksteady.enumeration import EnumeratedMatrices, EnumeratedRankings, enumerate_matrices, enumerate_rankings
    from rocksteady.evaluation import Evaluation, ModelEvaluation
    from rocksteady.gains import GainsTable, ProfitTable
    from rocksteady.interval import Interval
    from rocksteady.label_score_tables import LabelScoreTables
    from rocksteady.patching import patch_sklearn, patched_sklearn, unpatch_sklearn
    from rocksteady.registry import Index, Indices, Parameter, Scale, index, indices
    from rocksteady.score import ScoreCollector, ScoreTable
    from rocksteady.score_tables import AverageCurve, ScoreTables
    from rocksteady.stability import CategoryStability, PopulationStability, category_stability, population_stability
    from rocksteady.threshold import KS, Best, OperatingPoints, ParetoSet, ThresholdGrid, counts_at, threshold_grid

__all__ = [
    "KS",
    "AverageCurve",
    "Best",
    "BrierCurve",
    "Calibration",
    "CategoryStability",
    "ComparedIndex",
    "Comparison",
    "ConfusionMatrix",
    "Consistency",
    "CostCurve",
    "CostLines",
    "Counts",
    "Curve",
    "DecisionCurve",
    "Decomposition",
    "DetCurve",
    "EnumeratedMatrices",
    "EnumeratedRankings",
    "Evaluation",
    "GainCurve",
    "GainsTable",
    "Index",
    "Indices",
    "InputError",
    "InputTypeError",
    "Interval",
    "KsCurve",
    "LabelScoreTables",
    "LiftCurve",
    "ModelEvaluation",
    "OperatingPoints",
    "Parameter",
    "ParetoSet",
    "PopulationStability",
    "Positions",
    "PrecisionRecallCurve",
    "PrecisionRecallGainCurve",
    "ProbabilitySums",
    "ProfitTable",
    "RocConvexHull",
    "RocCurve",
    "RocksteadyError",
    "Scale",
    "ScoreCollector",
    "ScoreTable",
    "ScoreTables",
    "Table",
    "ThresholdGrid",
    "UnknownIndexError",
    "__version__",
    "bayes_decision",
    "bayes_risk",
    "calibration_error",
    "callbacks",
    "category_stability",
    "compare",
    "consistency",
    "cost_weight_matrix",
    "counts_at",
    "define_index",
    "enumerate_matrices",
    "enumerate_rankings",
    "errors",
    "evaluate",
    "get_threads",
    "index",
    "indices",
    "metrics",
    "minority_label",
    "optimal_threshold",
    "patch_sklearn",
    "patched_sklearn",
    "plot",
    "population_stability",
    "positions",
    "pycm",
    "set_threads",
    "threshold_grid",
    "top_label",
    "undefine_index",
    "unpatch_sklearn",
]

# What not every program needs is imported when it is first asked for, so that the import of the whole stays short.
_LATER = {
    "AverageCurve": "score_tables",
    "Best": "threshold",
    "BrierCurve": "curve",
    "Calibration": "calibration",
    "CategoryStability": "stability",
    "ComparedIndex": "comparison",
    "Comparison": "comparison",
    "Consistency": "_consistency",
    "CostCurve": "curve",
    "CostLines": "curve",
    "Curve": "curve",
    "DecisionCurve": "curve",
    "Decomposition": "calibration",
    "DetCurve": "curve",
    "EnumeratedMatrices": "enumeration",
    "EnumeratedRankings": "enumeration",
    "Evaluation": "evaluation",
    "GainCurve": "curve",
    "GainsTable": "gains",
    "Index": "registry",
    "Indices": "registry",
    "Interval": "interval",
    "KS": "threshold",
    "KsCurve": "curve",
    "LabelScoreTables": "label_score_tables",
    "LiftCurve": "curve",
    "ModelEvaluation": "evaluation",
    "OperatingPoints": "threshold",
    "Parameter": "registry",
    "ParetoSet": "threshold",
    "PopulationStability": "stability",
    "PrecisionRecallCurve": "curve",
    "PrecisionRecallGainCurve": "curve",
    "ProfitTable": "gains",
    "RocConvexHull": "curve",
    "RocCurve": "curve",
    "Scale": "registry",
    "ScoreCollector": "score",
    "ScoreTable": "score",
    "ScoreTables": "score_tables",
    "ThresholdGrid": "threshold",
    "bayes_decision": "cost",
    "bayes_risk": "cost",
    "calibration_error": "calibration",
    "callbacks": None,
    "category_stability": "stability",
    "compare": "comparison",
    "consistency": "_consistency",
    "cost_weight_matrix": "cost",
    "counts_at": "threshold",
    "define_index": "definition",
    "enumerate_matrices": "enumeration",
    "enumerate_rankings": "enumeration",
    "evaluate": "_evaluate",
    "index": "registry",
    "indices": "registry",
    "metrics": None,
    "minority_label": "cost",
    "optimal_threshold": "cost",
    "patch_sklearn": "patching",
    "patched_sklearn": "patching",
    "plot": None,
    "population_stability": "stability",
    "pycm": None,
    "threshold_grid": "threshold",
    "top_label": "calibration",
    "undefine_index": "definition",
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

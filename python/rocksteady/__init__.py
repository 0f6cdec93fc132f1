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
from rocksteady.base.table import Table
from rocksteady.errors import InputError, InputTypeError, RocksteadyError, UnknownIndexError
from rocksteady.labels.confusion import ConfusionMatrix, Positions, positions
from rocksteady.labels.counts import Counts
from rocksteady.scores.probability_sums import ProbabilitySums

if TYPE_CHECKING:
    from rocksteady import callbacks, metrics, plot, pycm
    from rocksteady.classes.label_score_tables import LabelScoreTables
    from rocksteady.classes.rankings import AverageCurve
    from rocksteady.classes.score_tables import ScoreTables
    from rocksteady.comparison.comparison import ComparedIndex, Comparison, compare
    from rocksteady.comparison.consistency import Consistency, consistency
    from rocksteady.comparison.enumeration import (
        EnumeratedMatrices,
        EnumeratedRankings,
        enumerate_matrices,
        enumerate_rankings,
    )
    from rocksteady.definition import define_index, undefine_index
    from rocksteady.evaluation.evaluate import evaluate
    from rocksteady.evaluation.evaluation import Evaluation, ModelEvaluation
    from rocksteady.interval import Interval
    from rocksteady.labels.cost import bayes_decision, bayes_risk, cost_weight_matrix, minority_label, optimal_threshold
    from rocksteady.patching import patch_sklearn, patched_sklearn, unpatch_sklearn
    from rocksteady.registry import Index, Indices, Parameter, Scale, index, indices
    from rocksteady.scores.calibration import Calibration, Decomposition, calibration_error, top_label
    from rocksteady.scores.curves import (
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
    from rocksteady.scores.gains import GainsTable, ProfitTable
    from rocksteady.scores.score_table import ScoreCollector, ScoreTable
    from rocksteady.scores.stability import (
        CategoryStability,
        PopulationStability,
        category_stability,
        population_stability,
    )
    from rocksteady.scores.thresholds import (
        KS,
        Best,
        OperatingPoints,
        ParetoSet,
        ThresholdGrid,
        counts_at,
        threshold_grid,
    )

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
    "AverageCurve": "classes.rankings",
    "Best": "scores.thresholds",
    "BrierCurve": "scores.curves",
    "Calibration": "scores.calibration",
    "CategoryStability": "scores.stability",
    "ComparedIndex": "comparison.comparison",
    "Comparison": "comparison.comparison",
    "Consistency": "comparison.consistency",
    "CostCurve": "scores.curves",
    "CostLines": "scores.curves",
    "Curve": "scores.curves",
    "DecisionCurve": "scores.curves",
    "Decomposition": "scores.calibration",
    "DetCurve": "scores.curves",
    "EnumeratedMatrices": "comparison.enumeration",
    "EnumeratedRankings": "comparison.enumeration",
    "Evaluation": "evaluation.evaluation",
    "GainCurve": "scores.curves",
    "GainsTable": "scores.gains",
    "Index": "registry",
    "Indices": "registry",
    "Interval": "interval",
    "KS": "scores.thresholds",
    "KsCurve": "scores.curves",
    "LabelScoreTables": "classes.label_score_tables",
    "LiftCurve": "scores.curves",
    "ModelEvaluation": "evaluation.evaluation",
    "OperatingPoints": "scores.thresholds",
    "Parameter": "registry",
    "ParetoSet": "scores.thresholds",
    "PopulationStability": "scores.stability",
    "PrecisionRecallCurve": "scores.curves",
    "PrecisionRecallGainCurve": "scores.curves",
    "ProfitTable": "scores.gains",
    "RocConvexHull": "scores.curves",
    "RocCurve": "scores.curves",
    "Scale": "registry",
    "ScoreCollector": "scores.score_table",
    "ScoreTable": "scores.score_table",
    "ScoreTables": "classes.score_tables",
    "ThresholdGrid": "scores.thresholds",
    "bayes_decision": "labels.cost",
    "bayes_risk": "labels.cost",
    "calibration_error": "scores.calibration",
    "callbacks": None,
    "category_stability": "scores.stability",
    "compare": "comparison.comparison",
    "consistency": "comparison.consistency",
    "cost_weight_matrix": "labels.cost",
    "counts_at": "scores.thresholds",
    "define_index": "definition",
    "enumerate_matrices": "comparison.enumeration",
    "enumerate_rankings": "comparison.enumeration",
    "evaluate": "evaluation.evaluate",
    "index": "registry",
    "indices": "registry",
    "metrics": None,
    "minority_label": "labels.cost",
    "optimal_threshold": "labels.cost",
    "patch_sklearn": "patching",
    "patched_sklearn": "patching",
    "plot": None,
    "population_stability": "scores.stability",
    "pycm": None,
    "threshold_grid": "scores.thresholds",
    "top_label": "scores.calibration",
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

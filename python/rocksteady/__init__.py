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

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocksteady import errors as errors
from rocksteady._rocksteady import __version__ as __version__
from rocksteady._rocksteady import get_kept_memory as get_kept_memory
from rocksteady._rocksteady import get_threads as get_threads
from rocksteady._rocksteady import set_kept_memory as set_kept_memory
from rocksteady._rocksteady import set_threads as set_threads
from rocksteady.base.table import Table as Table
from rocksteady.errors import InputError as InputError
from rocksteady.errors import InputTypeError as InputTypeError
from rocksteady.errors import RocksteadyError as RocksteadyError
from rocksteady.errors import RocksteadyWarning as RocksteadyWarning
from rocksteady.errors import UnknownIndexError as UnknownIndexError
from rocksteady.labels.confusion import ConfusionMatrix as ConfusionMatrix
from rocksteady.labels.counts import Counts as Counts
from rocksteady.labels.positions import Positions as Positions
from rocksteady.labels.positions import positions as positions
from rocksteady.scores.probability_sums import ProbabilitySums as ProbabilitySums

if TYPE_CHECKING:  # for type checkers and editors; a program takes these names from `_LATER`
    from rocksteady import callbacks as callbacks
    from rocksteady import dask as dask
    from rocksteady import engines as engines
    from rocksteady import fairness as fairness
    from rocksteady import inference as inference
    from rocksteady import metrics as metrics
    from rocksteady import plot as plot
    from rocksteady import pycm as pycm
    from rocksteady import spark as spark
    from rocksteady.base.bounds import Bounds as Bounds
    from rocksteady.classes.column_tables import AverageCurve as AverageCurve
    from rocksteady.classes.label_score_tables import LabelScoreTables as LabelScoreTables
    from rocksteady.classes.row_mean import RowMean as RowMean
    from rocksteady.classes.score_tables import ScoreTables as ScoreTables
    from rocksteady.comparison.comparison import ComparedIndex as ComparedIndex
    from rocksteady.comparison.comparison import Comparison as Comparison
    from rocksteady.comparison.comparison import compare as compare
    from rocksteady.comparison.consistency import Consistency as Consistency
    from rocksteady.comparison.consistency import consistency as consistency
    from rocksteady.comparison.enumeration import EnumeratedMatrices as EnumeratedMatrices
    from rocksteady.comparison.enumeration import EnumeratedRankings as EnumeratedRankings
    from rocksteady.comparison.enumeration import enumerate_matrices as enumerate_matrices
    from rocksteady.comparison.enumeration import enumerate_rankings as enumerate_rankings
    from rocksteady.costs.cost_counts import CostCounts as CostCounts
    from rocksteady.costs.cost_table import CostTable as CostTable
    from rocksteady.definition import define_index as define_index
    from rocksteady.definition import undefine_index as undefine_index
    from rocksteady.evaluation.bounded import BoundedEvaluation as BoundedEvaluation
    from rocksteady.evaluation.evaluate import evaluate as evaluate
    from rocksteady.evaluation.evaluation import Evaluation as Evaluation
    from rocksteady.evaluation.multilabel import MultilabelEvaluation as MultilabelEvaluation
    from rocksteady.evaluation.multilabel import MultilabelModel as MultilabelModel
    from rocksteady.groups.group_by import group_by as group_by
    from rocksteady.groups.groups import Groups as Groups
    from rocksteady.groups.results import GroupMean as GroupMean
    from rocksteady.groups.results import GroupValues as GroupValues
    from rocksteady.groups.results import PairSplit as PairSplit
    from rocksteady.inference.interval import Interval as Interval
    from rocksteady.inference.widened import WidenedInterval as WidenedInterval
    from rocksteady.labels.cost import bayes_decision as bayes_decision
    from rocksteady.labels.cost import bayes_risk as bayes_risk
    from rocksteady.labels.cost import cost_weight_matrix as cost_weight_matrix
    from rocksteady.labels.cost import minority_label as minority_label
    from rocksteady.labels.cost import optimal_threshold as optimal_threshold
    from rocksteady.labels.counts_bounds import CountsBounds as CountsBounds
    from rocksteady.merging import merge as merge
    from rocksteady.models.model import ModelEvaluation as ModelEvaluation
    from rocksteady.patching import patch_sklearn as patch_sklearn
    from rocksteady.patching import patched_sklearn as patched_sklearn
    from rocksteady.patching import unpatch_sklearn as unpatch_sklearn
    from rocksteady.queries.queries import Queries as Queries
    from rocksteady.registry import Index as Index
    from rocksteady.registry import Indices as Indices
    from rocksteady.registry import Parameter as Parameter
    from rocksteady.registry import Scale as Scale
    from rocksteady.registry import index as index
    from rocksteady.registry import indices as indices
    from rocksteady.scores.anchored_counts import AnchoredCollector as AnchoredCollector
    from rocksteady.scores.anchored_counts import AnchoredCounts as AnchoredCounts
    from rocksteady.scores.anchored_counts import ScoreAnchors as ScoreAnchors
    from rocksteady.scores.calibration import Calibration as Calibration
    from rocksteady.scores.calibration import Decomposition as Decomposition
    from rocksteady.scores.calibration import calibration_error as calibration_error
    from rocksteady.scores.curves.bounds import CurveBounds as CurveBounds
    from rocksteady.scores.curves.cost import BrierCurve as BrierCurve
    from rocksteady.scores.curves.cost import CostCurve as CostCurve
    from rocksteady.scores.curves.cost import CostLines as CostLines
    from rocksteady.scores.curves.decision import DecisionCurve as DecisionCurve
    from rocksteady.scores.curves.det import DetCurve as DetCurve
    from rocksteady.scores.curves.gain import GainCurve as GainCurve
    from rocksteady.scores.curves.gain import LiftCurve as LiftCurve
    from rocksteady.scores.curves.ks import KS as KS
    from rocksteady.scores.curves.ks import KsCurve as KsCurve
    from rocksteady.scores.curves.line import Curve as Curve
    from rocksteady.scores.curves.precision_recall import PrecisionRecallCurve as PrecisionRecallCurve
    from rocksteady.scores.curves.precision_recall import PrecisionRecallGainCurve as PrecisionRecallGainCurve
    from rocksteady.scores.curves.roc import RocConvexHull as RocConvexHull
    from rocksteady.scores.curves.roc import RocCurve as RocCurve
    from rocksteady.scores.gains import GainsTable as GainsTable
    from rocksteady.scores.gains import ProfitTable as ProfitTable
    from rocksteady.scores.points import Best as Best
    from rocksteady.scores.points import CountsAt as CountsAt
    from rocksteady.scores.points import OperatingPoints as OperatingPoints
    from rocksteady.scores.points import ParetoSet as ParetoSet
    from rocksteady.scores.points import ThresholdGrid as ThresholdGrid
    from rocksteady.scores.score_sketch import ScoreSketch as ScoreSketch
    from rocksteady.scores.score_sketch import SketchCollector as SketchCollector
    from rocksteady.scores.score_table import ScoreCollector as ScoreCollector
    from rocksteady.scores.score_table import ScoreTable as ScoreTable
    from rocksteady.scores.score_view import ScoreView as ScoreView
    from rocksteady.scores.stability import CategoryStability as CategoryStability
    from rocksteady.scores.stability import PopulationStability as PopulationStability
    from rocksteady.scores.stability import category_stability as category_stability
    from rocksteady.scores.stability import population_stability as population_stability
    from rocksteady.scores.thresholds import counts_at as counts_at
    from rocksteady.scores.thresholds import ks as ks
    from rocksteady.scores.thresholds import threshold_grid as threshold_grid
    from rocksteady.scores.top_label import top_label as top_label
    from rocksteady.windows import Drift as Drift
    from rocksteady.windows import Window as Window
    from rocksteady.windows import drift as drift

_NOW = """
    ConfusionMatrix Counts InputError InputTypeError Positions ProbabilitySums RocksteadyError RocksteadyWarning Table
    UnknownIndexError __version__ errors get_kept_memory get_threads positions set_kept_memory set_threads
"""

# What not every program needs is imported when a program first asks for it, which keeps the import of the package
# short.
_LATER = {
    name: module
    for module, names in {
        "": "callbacks dask engines fairness inference metrics plot pycm spark",
        "base.bounds": "Bounds",
        "classes.label_score_tables": "LabelScoreTables",
        "classes.column_tables": "AverageCurve",
        "classes.row_mean": "RowMean",
        "classes.score_tables": "ScoreTables",
        "comparison.comparison": "ComparedIndex Comparison compare",
        "comparison.consistency": "Consistency consistency",
        "comparison.enumeration": "EnumeratedMatrices EnumeratedRankings enumerate_matrices enumerate_rankings",
        "costs.cost_counts": "CostCounts",
        "costs.cost_table": "CostTable",
        "definition": "define_index undefine_index",
        "evaluation.bounded": "BoundedEvaluation",
        "evaluation.evaluate": "evaluate",
        "evaluation.evaluation": "Evaluation",
        "evaluation.multilabel": "MultilabelEvaluation MultilabelModel",
        "groups.group_by": "group_by",
        "groups.groups": "Groups",
        "groups.results": "GroupMean GroupValues PairSplit",
        "inference.interval": "Interval",
        "inference.widened": "WidenedInterval",
        "labels.cost": "bayes_decision bayes_risk cost_weight_matrix minority_label optimal_threshold",
        "labels.counts_bounds": "CountsBounds",
        "merging": "merge",
        "models.model": "ModelEvaluation",
        "patching": "patch_sklearn patched_sklearn unpatch_sklearn",
        "queries.queries": "Queries",
        "registry": "Index Indices Parameter Scale index indices",
        "scores.anchored_counts": "AnchoredCollector AnchoredCounts ScoreAnchors",
        "scores.calibration": "Calibration Decomposition calibration_error",
        "scores.curves.bounds": "CurveBounds",
        "scores.curves.cost": "BrierCurve CostCurve CostLines",
        "scores.curves.decision": "DecisionCurve",
        "scores.curves.det": "DetCurve",
        "scores.curves.gain": "GainCurve LiftCurve",
        "scores.curves.ks": "KS KsCurve",
        "scores.curves.line": "Curve",
        "scores.curves.precision_recall": "PrecisionRecallCurve PrecisionRecallGainCurve",
        "scores.curves.roc": "RocConvexHull RocCurve",
        "scores.gains": "GainsTable ProfitTable",
        "scores.points": "Best CountsAt OperatingPoints ParetoSet ThresholdGrid",
        "scores.score_sketch": "ScoreSketch SketchCollector",
        "scores.score_table": "ScoreCollector ScoreTable",
        "scores.score_view": "ScoreView",
        "scores.stability": "CategoryStability PopulationStability category_stability population_stability",
        "scores.thresholds": "counts_at ks threshold_grid",
        "scores.top_label": "top_label",
        "windows": "Drift Window drift",
    }.items()
    for name in names.split()
}

if not TYPE_CHECKING:  # a type checker goes by the imports above
    __all__ = sorted([*_NOW.split(), *_LATER])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """A name of those that are imported later; from then on it is an attribute like any other."""
    if name not in _LATER:
        # The import system asks for every submodule here, before it imports it.
        if name.startswith("_") or sys._getframe(1).f_code.co_filename.startswith("<frozen importlib"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from rocksteady.metrics._missing import missing  # noqa: PLC0415 (few programs need it)

        raise missing(name, __dir__(), __name__)
    module = _LATER[name]
    found = getattr(import_module(f"rocksteady.{module}"), name) if module else import_module(f"rocksteady.{name}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*_NOW.split(), *_LATER])


if "IPython" in sys.modules:  # a notebook or a shell, where the Tab key completes names of indices
    from rocksteady import _completion

    _completion.install()

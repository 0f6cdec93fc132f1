"""Functions with scikit-learn's names, signatures, values, warnings and errors; scikit-learn itself is not needed.

The reference is scikit-learn 1.9. Change ``from sklearn.metrics import …`` to ``from rocksteady.metrics import …``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocksteady.metrics._classification import accuracy_score as accuracy_score
from rocksteady.metrics._classification import balanced_accuracy_score as balanced_accuracy_score
from rocksteady.metrics._classification import class_likelihood_ratios as class_likelihood_ratios
from rocksteady.metrics._classification import cohen_kappa_score as cohen_kappa_score
from rocksteady.metrics._classification import confusion_matrix as confusion_matrix
from rocksteady.metrics._classification import hamming_loss as hamming_loss
from rocksteady.metrics._classification import matthews_corrcoef as matthews_corrcoef
from rocksteady.metrics._classification import zero_one_loss as zero_one_loss
from rocksteady.metrics._curves import auc as auc
from rocksteady.metrics._curves import confusion_matrix_at_thresholds as confusion_matrix_at_thresholds
from rocksteady.metrics._curves import det_curve as det_curve
from rocksteady.metrics._curves import metric_at_thresholds as metric_at_thresholds
from rocksteady.metrics._curves import precision_recall_curve as precision_recall_curve
from rocksteady.metrics._curves import roc_curve as roc_curve
from rocksteady.metrics._label_ranking import coverage_error as coverage_error
from rocksteady.metrics._label_ranking import dcg_score as dcg_score
from rocksteady.metrics._label_ranking import (
    label_ranking_average_precision_score as label_ranking_average_precision_score,
)
from rocksteady.metrics._label_ranking import label_ranking_loss as label_ranking_loss
from rocksteady.metrics._label_ranking import ndcg_score as ndcg_score
from rocksteady.metrics._probability import brier_score_loss as brier_score_loss
from rocksteady.metrics._probability import calibration_curve as calibration_curve
from rocksteady.metrics._probability import d2_brier_score as d2_brier_score
from rocksteady.metrics._probability import d2_log_loss_score as d2_log_loss_score
from rocksteady.metrics._probability import hinge_loss as hinge_loss
from rocksteady.metrics._probability import log_loss as log_loss
from rocksteady.metrics._probability import top_k_accuracy_score as top_k_accuracy_score
from rocksteady.metrics._ranking import average_precision_score as average_precision_score
from rocksteady.metrics._ranking import roc_auc_score as roc_auc_score
from rocksteady.metrics._report import classification_report as classification_report
from rocksteady.metrics._scorer import check_scoring as check_scoring
from rocksteady.metrics._scorer import get_scorer as get_scorer
from rocksteady.metrics._scorer import get_scorer_names as get_scorer_names
from rocksteady.metrics._scorer import make_scorer as make_scorer
from rocksteady.metrics._sets import f1_score as f1_score
from rocksteady.metrics._sets import fbeta_score as fbeta_score
from rocksteady.metrics._sets import jaccard_score as jaccard_score
from rocksteady.metrics._sets import multilabel_confusion_matrix as multilabel_confusion_matrix
from rocksteady.metrics._sets import precision_recall_fscore_support as precision_recall_fscore_support
from rocksteady.metrics._sets import precision_score as precision_score
from rocksteady.metrics._sets import recall_score as recall_score

if TYPE_CHECKING:  # imported when they are first asked for
    from rocksteady.metrics._displays import CalibrationDisplay as CalibrationDisplay
    from rocksteady.metrics._displays import ConfusionMatrixDisplay as ConfusionMatrixDisplay
    from rocksteady.metrics._displays import DetCurveDisplay as DetCurveDisplay
    from rocksteady.metrics._displays import PrecisionRecallDisplay as PrecisionRecallDisplay
    from rocksteady.metrics._displays import RocCurveDisplay as RocCurveDisplay

_DISPLAYS = [f"{name}Display" for name in ("Calibration", "ConfusionMatrix", "DetCurve", "PrecisionRecall", "RocCurve")]

if not TYPE_CHECKING:  # a type checker goes by the imports above
    _FUNCTIONS = [name for name, value in globals().items() if getattr(value, "__module__", "").startswith(__name__)]
    __all__ = sorted([*_DISPLAYS, *_FUNCTIONS])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """A display, imported when it is first asked for: most programs draw nothing."""
    if name not in _DISPLAYS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    found = getattr(import_module("rocksteady.metrics._displays"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_DISPLAYS})

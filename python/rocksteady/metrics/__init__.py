"""Functions with scikit-learn's names, signatures, values, warnings and errors; scikit-learn itself is not needed.

The reference is scikit-learn 1.9. Change ``from sklearn.metrics import …`` to ``from rocksteady.metrics import …``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocksteady.metrics._classification import (
    accuracy_score,
    balanced_accuracy_score,
    class_likelihood_ratios,
    cohen_kappa_score,
    confusion_matrix,
    hamming_loss,
    matthews_corrcoef,
    zero_one_loss,
)
from rocksteady.metrics._curves import (
    auc,
    confusion_matrix_at_thresholds,
    det_curve,
    metric_at_thresholds,
    precision_recall_curve,
    roc_curve,
)
from rocksteady.metrics._label_ranking import (
    coverage_error,
    dcg_score,
    label_ranking_average_precision_score,
    label_ranking_loss,
    ndcg_score,
)
from rocksteady.metrics._probability import (
    brier_score_loss,
    calibration_curve,
    d2_brier_score,
    d2_log_loss_score,
    hinge_loss,
    log_loss,
    top_k_accuracy_score,
)
from rocksteady.metrics._ranking import average_precision_score, roc_auc_score
from rocksteady.metrics._report import classification_report
from rocksteady.metrics._scorer import check_scoring, get_scorer, get_scorer_names, make_scorer
from rocksteady.metrics._sets import (
    f1_score,
    fbeta_score,
    jaccard_score,
    multilabel_confusion_matrix,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)

if TYPE_CHECKING:  # imported when they are first asked for
    from rocksteady.metrics._displays import (
        CalibrationDisplay,
        ConfusionMatrixDisplay,
        DetCurveDisplay,
        PrecisionRecallDisplay,
        RocCurveDisplay,
    )

__all__ = [
    "CalibrationDisplay",
    "ConfusionMatrixDisplay",
    "DetCurveDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
    "accuracy_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "calibration_curve",
    "check_scoring",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "d2_brier_score",
    "d2_log_loss_score",
    "dcg_score",
    "det_curve",
    "f1_score",
    "fbeta_score",
    "get_scorer",
    "get_scorer_names",
    "hamming_loss",
    "hinge_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "make_scorer",
    "matthews_corrcoef",
    "metric_at_thresholds",
    "multilabel_confusion_matrix",
    "ndcg_score",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
    "zero_one_loss",
]

_DISPLAYS = frozenset(name for name in __all__ if name.endswith("Display"))


def __getattr__(name: str) -> Any:
    """A display, imported when it is first asked for: most programs draw nothing."""
    if name not in _DISPLAYS:
        from rocksteady.metrics._missing import missing  # noqa: PLC0415 (few programs need it)

        raise missing(name, __all__)
    found = getattr(import_module("rocksteady.metrics._displays"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__]

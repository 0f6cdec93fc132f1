"""Functions with scikit-learn's names, signatures, values, warnings and errors; scikit-learn itself is not needed.

The reference is scikit-learn 1.9. Change ``from sklearn.metrics import …`` to ``from rocksteady.metrics import …``.
"""

from rocksteady.metrics._classification import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    matthews_corrcoef,
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
from rocksteady.metrics._ranking import average_precision_score, roc_auc_score, roc_curve

__all__ = [
    "accuracy_score",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "calibration_curve",
    "confusion_matrix",
    "d2_brier_score",
    "d2_log_loss_score",
    "hinge_loss",
    "log_loss",
    "matthews_corrcoef",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
]

"""Functions with scikit-learn's names, signatures, values, warnings and errors; scikit-learn itself is not needed.

The reference is scikit-learn 1.9. Change ``from sklearn.metrics import …`` to ``from rocksteady.metrics import …``.
"""

from rocksteady.metrics._classification import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    matthews_corrcoef,
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
from rocksteady.metrics._ranking import average_precision_score, roc_auc_score

__all__ = [
    "accuracy_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "dcg_score",
    "det_curve",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "matthews_corrcoef",
    "metric_at_thresholds",
    "ndcg_score",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
]

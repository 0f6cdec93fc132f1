"""Functions with scikit-learn's names, signatures, values, warnings and errors; scikit-learn itself is not needed.

The reference is scikit-learn 1.9. Change ``from sklearn.metrics import …`` to ``from rocksteady.metrics import …``.
"""

from rocksteady.metrics._classification import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    matthews_corrcoef,
)
from rocksteady.metrics._ranking import average_precision_score, roc_auc_score, roc_curve
from rocksteady.metrics._scorer import check_scoring, get_scorer, get_scorer_names, make_scorer

__all__ = [
    "accuracy_score",
    "average_precision_score",
    "balanced_accuracy_score",
    "check_scoring",
    "confusion_matrix",
    "get_scorer",
    "get_scorer_names",
    "make_scorer",
    "matthews_corrcoef",
    "roc_auc_score",
    "roc_curve",
]

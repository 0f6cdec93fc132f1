"""Columns into an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocksteady.base.arguments import shown, wrong_value
from rocksteady.evaluation.evaluation import Evaluation
from rocksteady.models.columns import ModelColumns
from rocksteady.models.counting import Counting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from rocksteady.models.model import ModelEvaluation


def evaluate(
    y_true: ArrayLike,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    y_pred: ArrayLike | Mapping[str, ArrayLike] | None = None,
    y_proba: ArrayLike | Mapping[str, ArrayLike] | None = None,
    sample_weight: ArrayLike | None = None,
    costs: Mapping[str, float] | ArrayLike | None = None,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
    threshold: float | Mapping[str, float] | None = None,
) -> Evaluation:
    """Evaluate one or several models on the same rows: indices, curves, tables, charts and a report.

    The labels are read once, each column of scores is sorted once, and everything else is read from that.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_score : array-like of shape (n,) or (n, m), mapping or data frame, optional
        Scores of the positive one of two classes: a column, a column for each of m models, or columns by the models'
        names.
    y_pred : array-like of shape (n,) or (n, m), mapping or data frame, optional
        Predicted classes, likewise. With `y_score` or `y_proba` of a model of the same name they say its matrix.
    y_proba : array-like of shape (n, K), or mapping of such, optional
        Probabilities, a column for each class in the order of `labels`, ascending unless said; or a data frame or Arrow
        table whose columns are called as the labels, in any order. The one of most probability is predicted; of two
        classes, that at `threshold`.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    costs : mapping or array-like of shape (K, K), optional
        What each outcome costs: with two classes by "tp", "fp", "fn", "tn" (unless said, an error costs 1 and what is
        right nothing), else rows actual, columns predicted, in the order of the labels or a data frame that names them.
        The indices of costs go by it.
    names : sequence of str, optional
        What the models are called, where they have no names yet. Default: "model", or "model 1", "model 2", ….
    pos_label : label, optional
        The positive one of two classes. Default: the greater label.
    labels : array-like of K labels, optional
        The classes; any other label is refused. Default: those that occur.
    threshold : float or mapping from names to floats, optional
        Scores at or above it count as positive. Default: 0.5 where all scores of the model lie in [0, 1], else 0. It is
        compared exactly, so scores of float32 that stand for 0.7 are met by ``numpy.float32(0.7)``.

    Returns
    -------
    Evaluation

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row or model, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ev["roc_auc"], ev["accuracy"], ev["ks"]
    (0.75, 0.75, 0.5)
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> ev = rs.evaluate(["cat", "dog", "dog", "eel"], y_proba=y_proba)
    >>> ev["accuracy"], ev["mean_probability_rate"], ev["recall"]
    (0.75, 0.55, 0.8333333333333334)
    """
    columns = ModelColumns.of_arrays(y_score, y_proba, y_pred, names)
    for name in threshold if isinstance(threshold, Mapping) else ():
        if name not in columns.names:
            raise wrong_value(name, "threshold", f"names of models: {', '.join(map(repr, columns.names))}")
    found = Counting(columns, y_true, sample_weight, pos_label, labels).models(threshold)
    _check_threshold_is_used(threshold, found)
    return Evaluation(found, costs=costs)


def _check_threshold_is_used(threshold: Any, models: list[ModelEvaluation]) -> None:
    """Refuse a threshold of what has none, which nobody would notice."""
    without = [model.name for model in models if model.threshold is None]
    if isinstance(threshold, Mapping):
        unused = next((name for name in without if threshold.get(name) is not None), None)
    else:
        unused = without[0] if threshold is not None and len(without) == len(models) else None
    if unused is not None:
        raise wrong_value(
            threshold,
            "threshold",
            f"None for {shown(unused)}, whose classes are given or, of more than two, the most probable ones",
        )

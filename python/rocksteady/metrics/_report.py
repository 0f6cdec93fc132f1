"""scikit-learn's report of precision, recall, F1 and support, as text and as a dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady._rocksteady import ConfusionState
from rocksteady.errors import InputError
from rocksteady.metrics._counting import count, count_checked
from rocksteady.metrics._parameters import check_parameters
from rocksteady.metrics._sets import _WARN_FOR, check_places, of_classes, replacement, warn_prf
from rocksteady.metrics._validation import check_targets, warn

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_NAMES = ("precision", "recall", "f1")
_HEADERS = ("precision", "recall", "f1-score", "support")
_OF_CLASSES = ("micro", "macro", "weighted")
_OF_LABELS = ("micro", "macro", "weighted", "samples")


def _targets(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any) -> tuple[Any, Any]:
    values = {"y_true": y_true, "y_pred": y_pred, "labels": labels, "sample_weight": sample_weight}
    check_parameters("classification_report", values)
    targets = check_targets(y_true, y_pred, sample_weight)
    places = check_places(labels, len(targets.labels)) if targets.kind == "multilabel-indicator" else None
    return count_checked(targets, places), targets.labels


def classification_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    target_names: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: float | Literal["warn"] = "warn",
) -> Any:
    """Precision, recall, F1 and support of each class and averaged, from one count.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    labels : array-like of shape (K,), optional
        The classes (the columns, of indicators) and their order. Default: all that occur, ascending.
    target_names : array-like of shape (K,), optional
        What to call them. Default: the labels.
    sample_weight : array-like of shape (n,), optional
        Weights, finite and not negative.
    digits : int
        Digits behind the point; a dictionary has them all.
    output_dict : bool
        A dictionary instead of text.
    zero_division : {"warn", 0, 1, NaN}
        What stands where a ratio is undefined; NaN is left out of means, "warn" is 0 with a warning.

    Returns
    -------
    str or dict
        "micro avg" stands only where it is not the accuracy; "samples avg" only for indicators.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import classification_report
    >>> print(classification_report([0, 1, 1, 1], [0, 1, 0, 1], target_names=["ham", "spam"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
             ham       0.50      1.00      0.67         1
            spam       1.00      0.67      0.80         3
    <BLANKLINE>
        accuracy                           0.75         4
       macro avg       0.75      0.83      0.73         4
    weighted avg       0.88      0.75      0.77         4
    <BLANKLINE>
    """
    if digits.__class__ is not int or digits < 0 or output_dict.__class__ is not bool:
        check_parameters("classification_report", {"digits": digits, "output_dict": output_dict})
    if target_names is not None:
        check_parameters("classification_report", {"target_names": target_names})
    warns = zero_division.__class__ is str
    instead = replacement("classification_report", zero_division)
    found: Any = None
    state = count(y_true, y_pred, sample_weight, None, labels)
    if state is None or (isinstance(state, ConfusionState) and state.mixed):
        state, found = _targets(y_true, y_pred, labels, sample_weight)

    columns = isinstance(state, ConfusionState)
    if isinstance(state, ConfusionState):
        found = state.labels() if found is None else found
        tables = state.tables() if labels is None else of_classes(state, labels)
    else:
        found = np.arange(state.labels) if found is None else found
        tables = state.by_label()
    listed = found if labels is None else np.asarray(labels)
    names = [str(label) for label in listed.tolist()] if target_names is None else list(target_names)  # type: ignore[arg-type, unused-ignore]
    if len(names) != len(listed):
        if labels is None:
            raise InputError(
                f"Number of classes, {len(listed)}, does not match size of target_names, {len(names)}. "
                "Try specifying the labels parameter"
            )
        warn(f"labels size, {len(listed)}, does not match size of target_names, {len(names)}")
    all_rows = columns and (labels is None or set(listed.tolist()) >= set(found.tolist()))

    scores, undefined = tables.scores(_NAMES, None, instead, 1.0)
    if undefined and warns:
        warn_prf(_NAMES, undefined, None, len(tables), _WARN_FOR)
    support = tables.support()
    total = support.sum()
    rows = list(zip(names, *(column.tolist() for column in scores), support.tolist(), strict=False))
    averages = []
    for average in _OF_CLASSES if columns else _OF_LABELS:
        if average == "samples":
            tables, size = state.by_row(), state.rows  # type: ignore[union-attr]
        else:
            size = 1 if average == "micro" else len(tables)
        means, undefined = tables.scores(_NAMES, average, instead, 1.0)
        if undefined and warns:
            warn_prf(_NAMES, undefined, average, size, _WARN_FOR)
        averages.append((average, means))

    if output_dict:
        report: dict[Any, Any] = {
            name: dict(zip(_HEADERS, (p, r, f, float(n)), strict=True)) for name, p, r, f, n in rows
        }
        for average, means in averages:
            if average == "micro" and all_rows:
                report["accuracy"] = means[0]
            else:
                report[f"{average} avg"] = dict(zip(_HEADERS, (*means, float(total)), strict=True))
        return report

    width = max(*map(len, names), len("weighted avg"), digits) if names else max(len("weighted avg"), digits)
    text = [f"{'':>{width}s}  {'precision':>9} {'recall':>9} {'f1-score':>9} {'support':>9}\n\n"]
    text += [
        f"{name:>{width}s}  {p:>9.{digits}f} {r:>9.{digits}f} {f:>9.{digits}f} {n:>9}\n" for name, p, r, f, n in rows
    ]
    text.append("\n")
    for average, (p, r, f) in averages:
        if average == "micro" and all_rows:
            text.append(f"{'accuracy':>{width}s}  {'':>9} {'':>9} {f:>9.{digits}f} {total:>9}\n")
        else:
            name = f"{average} avg"
            text.append(f"{name:>{width}s}  {p:>9.{digits}f} {r:>9.{digits}f} {f:>9.{digits}f} {total:>9}\n")
    return "".join(text)

"""Answers for arrays of another device: the function again, with few rows that have the counts as weights."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.containers import elsewhere, to_host
from rocksteady.devices.arrays import here, refuse_weights
from rocksteady.devices.cells import FEW
from rocksteady.devices.ranks import hits_of
from rocksteady.devices.scores import read_rows, rows_here, twice_area
from rocksteady.errors import InputTypeError

if TYPE_CHECKING:
    from collections.abc import Callable

_OF_SCORES = (
    "average_precision_score",
    "confusion_matrix_at_thresholds",
    "det_curve",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
)


def answer_of_counts(ask: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], refusal: Exception) -> Any:
    """What `ask` gives for rows on a device; what only rows give is refused, and says how to bring them here."""
    given = dict(signature(ask).bind(*args, **kwargs).arguments)
    name = ask.__name__
    columns = {argument: values for argument, values in given.items() if elsewhere(values)}
    if any(argument in given for argument in ("y_pred", "y1")) and all(len(v.shape) == 1 for v in columns.values()):
        raise refusal  # it is counted in `_counting`
    y_score = given.get("y_score")
    axes = len(getattr(y_score, "shape", ()))
    is_taken = (name in _OF_SCORES and axes == 1) or (name == "top_k_accuracy_score" and axes == 2)
    if not is_taken or (axes == 2 and y_score.shape[1] < 3):  # type: ignore[union-attr]
        argument, values = next(iter(columns.items()))
        raise InputTypeError(
            f"{argument} is on {values.device}, and {name} reads its rows here; expected an array in the processor's memory: "
            f"move it there first, {to_host(values, argument)}",
            argument=argument,
        ) from None
    y_true = given.pop("y_true")
    del given["y_score"]
    refuse_weights(given.pop("sample_weight", None), y_true=y_true)
    return _of_ranks(ask, y_true, y_score, given) if axes == 2 else _of_scores(ask, y_true, y_score, given)


def _of_scores(ask: Callable[..., Any], y_true: Any, y_score: Any, options: dict[str, Any]) -> Any:
    rows = read_rows(y_true, y_score, (None, "raise", "raise", "counts"))
    if rows is None:
        return ask(here(y_true), here(y_score), **options)  # refused, by row
    if ask.__name__ == "roc_auc_score" and options.get("max_fpr") is None:
        pairs = twice_area(rows)
        if pairs is not None:
            ask(rows.labels, np.arange(2.0), **options)  # checks the options
            return pairs[0] / pairs[1]
    (labels, scores), counts = rows_here(rows)
    if counts.sum() > FEW * len(counts):
        return ask(labels, scores, sample_weight=counts, **options)
    return ask(np.repeat(labels, counts), np.repeat(scores, counts), **options)  # takes less time


def _of_ranks(ask: Callable[..., Any], y_true: Any, y_score: Any, options: dict[str, Any]) -> Any:
    k = options.get("k", 2)
    found = hits_of(y_true, y_score, k, options.get("labels"))
    columns = y_score.shape[1]
    if found is None:
        return ask(here(y_true), here(y_score), **options)  # refused, by row
    classes, hits, rows = found
    if not rows:  # no rows, or not as many classes as columns
        return ask(classes, np.zeros((len(classes), columns)), **options)
    scores = np.zeros((2, columns))
    scores[0, 0], scores[1, 1:] = 1, 1
    weights = np.array([hits, rows - hits])
    kept = weights > 0
    options["labels"] = classes
    return ask(classes[[0, 0]][kept], scores[kept], sample_weight=weights[kept], **options)

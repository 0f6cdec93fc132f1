"""Score tables of what is no label: whether the most probable class is right, and what probabilities promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import numbers
from rocksteady.base.named_columns import by_class
from rocksteady.columns.pairing import paired
from rocksteady.scores.prevalence import probabilities
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import WeightKind


def top_label(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
) -> ScoreTable:
    """The most probable class of each row as a two-class problem: its probability against whether it is correct.

    All that a `rocksteady.ScoreTable` knows then speaks of confidence: "expected_calibration_error" is the top-label
    error, `calibration` the reliability diagram of neural networks (Guo, Pleiss, Sun, Weinberger 2017, PMLR 70),
    "roc_auc" tells how well confidence tells right from wrong.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_score : array-like of shape (n,) or (n, K)
        Probabilities: a column for each class in ascending order of the labels, or one for the greater of two labels.
        Those of a frame that are called as the labels may be in any order.
    labels : array-like of shape (K,), optional
        The classes of the columns, ascending, where `y_true` does not have all of them.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    weight_kind : {"counts", "sampling"}
        What a weight means: so many rows, or how much one row of a sample counts. See `ConfusionMatrix`.

    Returns
    -------
    ScoreTable
        Its label True is "the most probable class came true"; of several classes with the highest probability the first
        counts.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected; for a score outside [0, 1], too.

    Examples
    --------
    >>> import rocksteady as rs
    >>> table = rs.scores.top_label([0, 1, 2], [[0.5, 0.25, 0.25], [0.25, 0.75, 0.0], [0.5, 0.0, 0.5]])
    >>> table.positives, table.thresholds
    (2.0, array([ inf, 0.75, 0.5 ]))
    """
    paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
    y_score, labels = by_class(y_score, labels, y_true, "y_score")
    return ScoreTable._of(_rocksteady.top_label((y_true, y_score, sample_weight), labels, weight_kind))


def estimated_without_labels(y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> ScoreTable:
    """The table that is expected of rows without labels, if their scores are calibrated probabilities.

    A row of score s counts as s of a positive and 1 - s of a negative row. So every index of the table, and of its counts
    at a threshold, is an **estimate that takes the scores at their word** (confidence-based performance estimation, CBPE).

    Parameters
    ----------
    y_score : array-like of shape (n,)
        Probabilities of the positive class: 0 to 1.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.

    Returns
    -------
    ScoreTable
        Of the classes 1 and 0, with weights that add up to the rows. An interval of it tells how an index scatters in so
        many labelled rows of which the scores are right; it does not tell how wrong the scores may be.

    Raises
    ------
    rocksteady.InputError
        If a score is not between 0 and 1.

    Notes
    -----
    What it cannot see: a model that is too sure of itself gets better values, and a change of what the scores mean (drift
    of concept) none at all. Its calibration is perfect by construction. Check it on labelled rows first, and recalibrate
    if `calibration_intercept` is not near 0 or `calibration_slope` not near 1. Source: NannyML's documentation, 2021-2025,
    https://nannyml.readthedocs.io; the values of ratios are ratios of expected counts.

    >>> import rocksteady as rs
    >>> table = rs.scores.estimated_without_labels([0.9, 0.8, 0.3, 0.1])
    >>> counts = table.at(0.5)
    >>> [round(value, 4) for value in (counts["precision"], counts["recall"], table["roc_auc"])]
    [0.85, 0.8095, 0.8634]
    """
    paired(y_score, {"sample_weight": sample_weight})
    scores = probabilities(y_score)
    weights = np.ones(len(scores))
    if sample_weight is not None:
        ScoreTable(weights, scores, pos_label=1, sample_weight=sample_weight)  # refuses what are no weights
        weights = np.asarray(numbers(sample_weight, "sample_weight"), np.float64)
    labels = np.repeat(np.array([1, 0], np.int8), len(scores))
    masses = np.concatenate([weights * scores, weights * (1 - scores)])
    return ScoreTable(labels, np.tile(scores, 2), sample_weight=masses, pos_label=1)

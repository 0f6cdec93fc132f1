"""What follows from the probabilities of several classes, and what probabilities promise without labels."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import numbers
from rocksteady.base.gaps import refuse_gap
from rocksteady.base.named_columns import by_class
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError
from rocksteady.inference.paired_labels import codes_of
from rocksteady.labels.confusion import ConfusionMatrix
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


def auc_mu(
    y_true: ArrayLike, y_proba: ArrayLike, *, labels: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """The mean over pairs of classes of how often the rows of the two are told apart by the difference of their columns.

    Rows of class i and of class j are ranked by column i minus column j: the AUC of this ranking, and the mean of all
    pairs. It is 1 exactly if the most probable of any two classes is always right after one shift for each pair, and 1/2
    for columns that say nothing. `one_vs_one_auc` (Hand and Till) ranks by one column alone. For two classes it is their AUC.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_proba : array-like of shape (n, K)
        Probabilities, or any scores: a column for each class in ascending order of the labels. Those of a frame that are
        called as the labels may be in any order.
    labels : array-like of shape (K,), optional
        The classes of the columns, ascending. Default: those of `y_true`.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected; also where a class has no rows.

    References
    ----------
    Kleiman, Page 2019, AUC-mu: a performance metric for multi-class machine learning models, PMLR 97, with unit costs.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_proba = [[0.6, 0.3, 0.1], [0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> rs.scores.auc_mu([0, 0, 1, 1, 2], y_proba)
    1.0
    """
    columns = paired(y_true, {"y_proba": y_proba, "sample_weight": sample_weight})
    truth, weights = without_index(y_true), columns["sample_weight"]
    given, names = by_class(columns["y_proba"], labels, truth, "y_proba")
    scores = numbers(given, "y_proba")
    classes = list(ConfusionMatrix(truth, truth).labels if names is None else names)
    if scores.ndim != 2 or scores.shape[1] != len(classes):
        raise InputError(
            f"y_proba has shape {scores.shape}; expected (n, {len(classes)}), a column for each class",
            argument="y_proba",
        )
    refuse_gap(scores, "y_proba")
    codes = np.asarray(codes_of(truth, classes, "y_true").each())
    if weights is not None:
        ConfusionMatrix(codes, codes, sample_weight=weights)  # refuses what is no weight, with its row
        weights = numbers(weights, "sample_weight")
    rows = [np.flatnonzero(codes == place) for place in range(len(classes))]
    for label, of_class in zip(classes, rows, strict=True):
        if not len(of_class):
            raise InputError(f"y_true has no row of {label!r}; expected rows of each class", argument="y_true")
    areas = []
    for first, second in combinations(range(len(classes)), 2):
        both = np.concatenate([rows[first], rows[second]])
        gaps = scores[both, second] - scores[both, first]
        table = ScoreTable(codes[both] == second, gaps, sample_weight=None if weights is None else weights[both])
        areas.append(table["roc_auc"])
    return math.fsum(areas) / len(areas) if areas else math.nan

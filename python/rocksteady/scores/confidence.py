"""The most probable class of each row, as a score table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocksteady import _rocksteady
from rocksteady.base.named_columns import by_class
from rocksteady.columns.pairing import paired
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

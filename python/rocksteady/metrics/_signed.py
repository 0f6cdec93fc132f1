"""Curves and tables of weights of which some are negative: no rates and no shares, but what scikit-learn's formulas give.

The core refuses such weights. Nobody has many of them, so this is plain numpy, over as many rows as there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from rocksteady._rocksteady import TablesState
from rocksteady.errors import InputError
from rocksteady.metrics._validation import warn, warn_undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Reals = NDArray[np.float64]

NO_POSITIVE = "No positive class found in y_true, recall is set to one for all thresholds."
NO_NEGATIVES = "No negative samples in y_true, false positive value should be meaningless"
NO_POSITIVES = "No positive samples in y_true, true positive value should be meaningless"


def is_signed(weights: Any) -> TypeGuard[NDArray[Any]]:
    """Whether some of the checked weights are negative."""
    return weights is not None and bool(np.any(weights < 0))


class SignedIndicators:
    """Two indicators and weights of either sign; speaks as `IndicatorState` does."""

    def __init__(self, y_true: NDArray[np.bool_], y_pred: NDArray[np.bool_], weights: Any, places: Any = None) -> None:
        if places is not None:
            y_true, y_pred = y_true[:, places], y_pred[:, places]
        self._weights: _Reals = np.asarray(weights, dtype=np.float64)
        self._cells = np.stack([~y_true & ~y_pred, ~y_true & y_pred, y_true & ~y_pred, y_true & y_pred], axis=-1)
        self.rows, self.labels = y_true.shape
        self.total = float(self._weights.sum())

    def by_label(self) -> TablesState:
        """The tables of the labels."""
        cells: _Reals = np.tensordot(self._weights, self._cells, axes=1)
        return TablesState.of(cells.tolist(), None, False)

    def by_row(self) -> TablesState:
        """The tables of the rows, with their shares."""
        return TablesState.of(self._of_rows().tolist(), self._weights.tolist(), False)

    def each_row(self) -> TablesState:
        """The tables of the rows."""
        return TablesState.of(self._of_rows().tolist(), None, False)

    def _of_rows(self) -> _Reals:
        cells: _Reals = self._cells.sum(axis=1) * self._weights[:, np.newaxis]
        return cells

    def rows_right(self) -> tuple[float, float, float]:
        """The share, and the weight, of the rows that are right in every label, and the share of those that are not."""
        wrong = (self._cells[..., 1] | self._cells[..., 2]).any(axis=1)
        right = float(self._weights[~wrong].sum())
        return self._share(right, self.total), right, self._share(float(self._weights[wrong].sum()), self.total)

    def cells_right(self) -> tuple[float, float, float]:
        """The same of the cells."""
        wrong = float(self._weights @ (self._cells[..., 1] | self._cells[..., 2]).sum(axis=1))
        whole = self.total * self.labels
        return self._share(whole - wrong, whole), whole - wrong, self._share(wrong, whole)

    @staticmethod
    def _share(part: float, whole: float) -> float:
        return float(np.float64(part) / np.float64(whole))


def threshold_counts(
    positive: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any]
) -> tuple[_Reals, _Reals, NDArray[Any]]:
    """False and true positives at each distinct score, from the highest."""
    kept = weights != 0
    positive, scores, weights = positive[kept] == 1, scores[kept], np.asarray(weights[kept], dtype=np.float64)
    order = (len(scores) - 1 - np.argsort(scores[::-1], kind="stable"))[::-1]
    positive, scores, weights = positive[order], scores[order], weights[order]
    last = np.append(np.nonzero(np.diff(scores))[0], len(scores) - 1)
    tps: _Reals = np.cumsum(weights * positive)[last]
    fps: _Reals = np.cumsum(weights * ~positive)[last]
    return fps, tps, scores[last]


def _turning(*counts: _Reals) -> NDArray[np.bool_]:
    """Which points to keep: the ends, and those at which one of the differences is not zero."""
    ends = np.array([True])
    inner = np.logical_or(*counts) if len(counts) > 1 else counts[0] != 0
    return np.concatenate([ends, inner, ends])


def roc_curve(
    positive: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any], drop: bool
) -> tuple[_Reals, _Reals, _Reals]:
    """False and true positive rate, and the thresholds."""
    fps, tps, thresholds = threshold_counts(positive, scores, weights)
    if drop and len(fps) > 2:
        kept = _turning(np.diff(fps, 2), np.diff(tps, 2))
        fps, tps, thresholds = fps[kept], tps[kept], thresholds[kept]
    rates = []
    for amounts, message in ((fps, NO_NEGATIVES), (tps, NO_POSITIVES)):
        if amounts[-1] <= 0:
            warn_undefined(message)
            rates.append(np.full(len(amounts) + 1, np.nan))
        else:
            rates.append(np.append(0.0, amounts) / amounts[-1])
    return rates[0], rates[1], np.append(np.inf, thresholds.astype(np.float64))


def precision_recall_curve(
    positive: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any], drop: bool
) -> tuple[_Reals, _Reals, NDArray[Any]]:
    """Precision and recall from the lowest threshold to the highest, and the thresholds."""
    fps, tps, thresholds = threshold_counts(positive, scores, weights)
    if drop and len(fps) > 2:
        kept = _turning(np.diff(tps[:-1]), np.diff(tps[1:]))
        fps, tps, thresholds = fps[kept], tps[kept], thresholds[kept]
    predicted = tps + fps
    precision = np.where(predicted != 0, np.divide(tps, predicted), 0.0)
    if tps[-1] == 0:
        warn(NO_POSITIVE)
        recall = np.ones(len(tps))
    else:
        recall = tps / tps[-1]
    return np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), thresholds[::-1]


def det_curve(
    positive: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any], drop: bool
) -> tuple[_Reals, _Reals, _Reals]:
    """False positive and false negative rate from the lowest threshold, and the thresholds."""
    fps, tps, thresholds = threshold_counts(positive, scores, weights)
    fps, tps = np.append(0.0, fps), np.append(0.0, tps)
    cuts = np.append(np.inf, thresholds.astype(np.float64))
    if drop and len(fps) > 2:
        kept = _turning(np.diff(tps[:-1]), np.diff(tps[1:]))
        fps, tps, cuts = fps[kept], tps[kept], cuts[kept]
    # Of counts that go up and down the search finds what it finds.
    first = np.searchsorted(fps, fps[0], side="right")
    part = slice(first - 1 if first > 0 else None, np.searchsorted(tps, tps[-1]) + 1)
    return fps[part][::-1] / fps[-1], (tps[-1] - tps)[part][::-1] / tps[-1], cuts[part][::-1]


def area(across: NDArray[Any], heights: NDArray[Any]) -> float:
    """The area by the trapezoidal rule, along what goes one way only."""
    if len(across) < 2:
        raise InputError(f"At least 2 points are needed to compute area under curve, but x.shape = {len(across)}")
    steps = np.diff(across)
    direction = 1
    if np.any(steps < 0):
        if not np.all(steps <= 0):
            raise InputError(f"x is neither increasing nor decreasing : {across}.")
        direction = -1
    return float(direction * ((across[1:] - across[:-1]) * (heights[1:] + heights[:-1]) / 2.0).sum())


def roc_auc(positive: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any], max_fpr: float | None) -> float:
    """The area under the curve, or the standardized part of it up to `max_fpr`."""
    fpr, tpr, _ = roc_curve(positive, scores, weights, True)
    if max_fpr is None or max_fpr == 1:
        return area(fpr, tpr)
    stop = int(np.searchsorted(fpr, max_fpr, "right"))
    end = np.interp(max_fpr, [fpr[stop - 1], fpr[stop]], [tpr[stop - 1], tpr[stop]])
    part = area(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], end))
    least, most = 0.5 * max_fpr**2, max_fpr
    return 0.5 * (1 + (part - least) / (most - least))


def average_precision(positive: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any]) -> float:
    """The area under the steps of precision over recall, not below 0."""
    precision, recall, _ = precision_recall_curve(positive, scores, weights, False)
    return float(max(0.0, -np.sum(np.diff(recall) * precision[:-1])))

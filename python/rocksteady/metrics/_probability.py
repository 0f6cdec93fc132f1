"""scikit-learn's metrics of probabilities and of scores of several classes, each from one pass over the rows."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady._rocksteady import ClassProbabilityState, IndicatorState, calibration_bins, hinge, top_k
from rocksteady.base.arguments import one_of, wrong_type, wrong_value
from rocksteady.errors import InputError
from rocksteady.metrics._counting import mean_of_parts, no_weight
from rocksteady.metrics._drop_in import drop_in
from rocksteady.metrics._sharing import current, share
from rocksteady.metrics._warning import warn, warn_undefined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_DEPRECATED = "deprecated"
_FLAGS = (bool, np.bool_)
_INTEGERS = (int, np.integer)
_STRATEGIES = ("uniform", "quantile")


def _sums(
    y_true: Any,
    y_proba: Any,
    labels: Any,
    pos_label: Any,
    sample_weight: Any,
    loss: Literal["log_loss", "brier"],
    classes: bool,
) -> ClassProbabilityState | _IndicatorSums:
    """The sums over the rows; bytes, which the core takes for text, are refused."""
    if y_proba.__class__ is not np.ndarray:
        y_proba = _in_their_precision(y_proba)
    if labels is None and _are_indicators(y_true, y_proba):
        return _IndicatorSums(y_true, y_proba, pos_label, sample_weight, classes)
    if getattr(getattr(labels, "dtype", None), "char", "") == "O":
        raise wrong_type(labels, "labels", "an array of numbers or text")
    if current() is None:
        state = ClassProbabilityState.sum(y_true, y_proba, labels, pos_label, sample_weight, loss, classes)
    else:
        state = share(ClassProbabilityState.sum, y_true, y_proba, labels, pos_label, sample_weight, loss, True)
    if state.weight == 0 or state.text:
        _check(state.weight, state.text, y_true, sample_weight)
    if not state.sums_to_one and (state.rows > 1 or not classes):
        warn("The y_prob values do not sum to one. Make sure to pass probabilities.")
    return state


def _are_indicators(y_true: Any, y_proba: Any) -> bool:
    if y_true.__class__ is not np.ndarray or y_true.ndim != 2 or y_true.shape != getattr(y_proba, "shape", None):
        return False
    return y_true.shape[1] > 1 and bool(((y_true == 0) | (y_true == 1)).all())


class _IndicatorSums:
    """The sums over a matrix of indicators: the core takes each cell for a row of two classes."""

    def __init__(
        self, y_true: NDArray[Any], y_proba: NDArray[Any], pos_label: Any, sample_weight: Any, classes: bool
    ) -> None:
        self.rows, self.columns = y_true.shape
        checked = (np.zeros(self.rows, dtype=np.int64), y_proba, np.arange(self.columns), pos_label, sample_weight)
        self.weight: float = _sums(*checked, "brier", classes).weight
        self._truth, self._proba, self._weights = y_true.astype(np.int8), y_proba, sample_weight

    def _total(self, y_proba: NDArray[Any], loss: Literal["log_loss", "brier"]) -> float:
        weights = np.ones(self.rows) if self._weights is None else np.asarray(self._weights, dtype=np.float64)
        cells = np.where(self._truth | (loss == "brier"), weights[:, np.newaxis], 0)
        columns = (self._truth.ravel(), y_proba.ravel(), [0, 1], 1, cells.ravel())
        state = ClassProbabilityState.sum(*columns, loss, False)
        return state.total_log_loss if loss == "log_loss" else state.value("brier", True) * state.weight

    @property
    def total_log_loss(self) -> float:
        return self._total(self._proba, "log_loss")

    def value(self, loss: Literal["log_loss", "brier"], halved: bool) -> float:
        return self._total(self._proba, loss) / self.weight / (2 if halved else 1)

    def saved(self, loss: Literal["log_loss", "brier"]) -> float:
        shares = IndicatorState.count(self._truth, self._truth, None, self._weights).by_label().support() / self.weight
        least = self._total(np.tile(shares, (self.rows, 1)), loss)
        return 1 - self._total(self._proba, loss) / least if least else math.nan


def _check(weight: float, text: bool, y_true: Any, sample_weight: Any) -> None:
    """Refuses sums without weight, and of bytes, which the core takes for text."""
    if weight == 0:
        raise no_weight(sample_weight)
    if text:
        first = next(iter(y_true if hasattr(y_true, "__iter__") else np.asarray(y_true)), None)
        if isinstance(first, bytes):
            raise wrong_type(first, "y_true[0]", "text or a number")


def _is_default(y_pred: Any) -> bool:
    return y_pred is _DEPRECATED or (isinstance(y_pred, str) and y_pred == _DEPRECATED)


def _renamed(y_proba: Any, y_pred: Any) -> Any:
    """The probabilities that came as `y_pred`, the old name."""
    if y_pred is None:
        raise wrong_type(y_pred, "y_pred", "an array of probabilities")
    if y_proba is not None:
        raise InputError("y_pred and y_proba are both given; expected y_proba alone", argument="y_pred")
    warn(
        "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use `y_proba` instead.",
        FutureWarning,
    )
    return y_pred


def _in_their_precision(values: Any) -> Any:
    """Probabilities that are not an array, in the precision that scikit-learn reads: their numpy dtype, or double."""
    if isinstance(values, np.matrix):
        return values  # it is refused
    if isinstance(values, np.ndarray | memoryview):
        return np.asarray(values)
    if hasattr(values, "iloc"):
        dtypes = set(getattr(values, "dtypes", ())) if hasattr(values, "columns") else set()
        return values.to_numpy() if dtypes in ({np.dtype("f2")}, {np.dtype("f4")}) else values
    first = values[0] if isinstance(values, list | tuple) and len(values) else values
    columns = str(getattr(values, "dtypes", getattr(getattr(values, "schema", None), "types", "")))
    # polars writes Float32, and Arrow float: its doubles are DataType(double).
    narrow = getattr(first, "dtype", None) in (np.float16, np.float32) or "32" in columns or "float)" in columns
    if narrow or str(getattr(values, "dtype", getattr(values, "type", ""))) in ("Float32", "float", "halffloat"):
        try:
            return np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            return values
    return values


# Losses --------------------------------------------------------------------------------------------------------------


def _log_loss(y_true: Any, y_proba: Any, labels: Any, normalize: bool, sample_weight: Any) -> float:
    state = _sums(y_true, y_proba, labels, None, sample_weight, "log_loss", False)
    return state.value("log_loss", False) if normalize else state.total_log_loss


@drop_in
def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: ArrayLike | str = "deprecated",
) -> float:
    """The logarithmic loss, or cross-entropy: how surprising the truth is to who believes the probabilities.

    Formula: the mean of -ln q, q the probability given to the true class, cut to [eps, 1 - eps], eps the machine
    epsilon of the probabilities' type. Source: Good 1952, doi 10.1111/j.2517-6161.1952.tb00104.x.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        True labels, or for k labels a row 1 for each that it has and 0 for the others.
    y_proba : array-like of shape (n, k) or (n,)
        Probabilities in [0, 1], a column for each class in ascending order; one column is that of the greater of two.
    normalize : bool
        Return the mean; otherwise the sum.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.
    labels : array-like, optional
        The classes, ascending; default: those in `y_true`.
    y_pred : array-like
        The old name of `y_proba`.

    Returns
    -------
    float
        In [0, -ln eps]; lower is better.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import log_loss
    >>> round(log_loss(["spam", "ham", "ham", "spam"], [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]]), 4)
    0.2162
    """
    if normalize is not True and not isinstance(normalize, _FLAGS):
        raise wrong_value(normalize, "normalize", "True or False")
    if not _is_default(y_pred):
        proba = _renamed(y_proba, y_pred)
        return log_loss(y_true, proba, normalize=normalize, sample_weight=sample_weight, labels=labels)
    try:
        return _log_loss(y_true, y_proba, labels, normalize, sample_weight)
    except InputError as refusal:
        measure = partial(_log_loss, y_true, y_proba, labels, normalize)
        return mean_of_parts(measure, sample_weight, refusal, normalize)


def _brier(y_true: Any, y_proba: Any, labels: Any, pos_label: Any, half: Any, sample_weight: Any) -> float:
    state = _sums(y_true, y_proba, labels, pos_label, sample_weight, "brier", False)
    return state.value("brier", state.columns < 3 if isinstance(half, str) else bool(half))


@drop_in
def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
    scale_by_half: bool | Literal["auto"] = "auto",
) -> float:
    """The Brier score: the mean squared difference between probability and truth.

    Formula: the mean over rows of the sum over classes of (y - p)^2, y 1 for the true class and 0 for the others; half
    of that with `scale_by_half`. Source: Brier 1950, doi 10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        True labels, or for k labels a row 1 for each that it has and 0 for the others.
    y_proba : array-like of shape (n, k) or (n,)
        Probabilities in [0, 1], a column for each class in ascending order, or one for the positive class.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.
    pos_label : label, optional
        With one column: the positive class. Default: 1 where the labels are 0 and 1 or -1 and 1, else the greater
        number.
    labels : array-like, optional
        With several columns: the classes, ascending; default: those in `y_true`.
    scale_by_half : bool or "auto"
        Whether to halve the sum over classes; "auto" does so for two.

    Returns
    -------
    float
        In [0, 2], or [0, 1] when halved; lower is better.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import brier_score_loss
    >>> round(brier_score_loss([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 4)
    0.0375
    >>> round(brier_score_loss(["a", "b", "c"], [[0.8, 0.1, 0.1], [0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]), 4)
    0.2467
    """
    half: object = scale_by_half
    if half is not True and half is not False and half != "auto" and not isinstance(half, np.bool_):
        raise wrong_value(half, "scale_by_half", "True, False or 'auto'")
    try:
        return _brier(y_true, y_proba, labels, pos_label, half, sample_weight)
    except InputError as refusal:
        measure = partial(_brier, y_true, y_proba, labels, pos_label, half)
        return mean_of_parts(measure, sample_weight, refusal, True)


def _saved(state: ClassProbabilityState | _IndicatorSums, loss: Literal["log_loss", "brier"]) -> float:
    """The part of the loss of the class frequencies that the probabilities save."""
    if state.rows < 2:
        warn_undefined("D^2 score is not well-defined with less than two samples.")
        return math.nan
    saved = state.saved(loss)
    if not math.isfinite(saved):
        raise InputError(
            "y_true is the same in every row; expected two classes, so that there is a loss to save", argument="y_true"
        )
    return saved


@drop_in
def d2_log_loss_score(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: ArrayLike | str = "deprecated",
) -> float:
    """The part of the logarithmic loss of the class frequencies that the probabilities save.

    Formula: 1 - L / L0, L the logarithmic loss and L0 that of predicting each class by its frequency in `y_true`.
    Source: McFadden 1974, Conditional logit analysis of qualitative choice behavior, for R^2 of likelihoods.

    Parameters
    ----------
    y_true, y_proba, sample_weight, labels, y_pred
        As for `log_loss`.

    Returns
    -------
    float
        At most 1; 0 for the class frequencies, negative for worse. NaN, with a warning, for fewer than two rows.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import d2_log_loss_score
    >>> round(d2_log_loss_score([0, 1, 1, 0], [0.2, 0.7, 0.8, 0.4]), 4)
    0.5262
    """
    if not _is_default(y_pred):
        return d2_log_loss_score(y_true, _renamed(y_proba, y_pred), sample_weight=sample_weight, labels=labels)
    return _saved(_sums(y_true, y_proba, labels, None, sample_weight, "log_loss", True), "log_loss")


@drop_in
def d2_brier_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
) -> float:
    """The part of the squared error of the class frequencies that the probabilities save: the Brier skill score.

    Formula: 1 - B / B0, B the Brier score and B0 that of predicting each class by its frequency in `y_true`.
    Source: Brier 1950, doi 10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As for `brier_score_loss`.

    Returns
    -------
    float
        At most 1; 0 for the class frequencies, negative for worse. NaN, with a warning, for fewer than two rows.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import d2_brier_score
    >>> round(d2_brier_score([0, 1, 1, 0], [0.2, 0.7, 0.8, 0.4]), 4)
    0.67
    """
    return _saved(_sums(y_true, y_proba, labels, pos_label, sample_weight, "brier", True), "brier")


# Decisions and scores of several classes -----------------------------------------------------------------------------


@drop_in
def hinge_loss(
    y_true: ArrayLike,
    pred_decision: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The mean hinge loss: how far the decisions fall short of a margin of one.

    Formula: the mean of max(0, 1 - m), m the decision for the true side of two classes, or by how much the decision for
    the true class is above the highest other one. Source: Crammer and Singer 2001, Journal of Machine Learning Research
    2, 265.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    pred_decision : array-like of shape (n,) or (n, k)
        Decisions, as `decision_function` gives them: a column for each of three classes or more, ascending.
    labels : array-like, optional
        All classes, if some do not occur in `y_true`.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.

    Returns
    -------
    float
        Not negative; lower is better.

    Raises
    ------
    ValueError, TypeError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import hinge_loss
    >>> round(hinge_loss([-1, 1, 1], [-2.2, 2.3, 0.1]), 4)
    0.3
    """
    if labels is not None and np.ndim(labels) != 1:
        raise InputError(f"labels is an array of shape {np.shape(labels)}; expected (K,)", argument="labels")
    if getattr(getattr(pred_decision, "dtype", None), "kind", "") in ("i", "u"):
        pred_decision = np.asarray(pred_decision, dtype=np.float64)

    def measure(weights: Any) -> float:
        total, weight, text = hinge(y_true, pred_decision, labels, weights)
        _check(weight, text, y_true, weights)
        return total / weight

    try:
        return measure(sample_weight)
    except InputError as refusal:
        return mean_of_parts(measure, sample_weight, refusal, True)


@drop_in
def top_k_accuracy_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """The fraction of rows whose true class is among the k classes with the highest scores.

    Formula: the mean over rows of [number of classes that stand before the true one < k]. Of equal scores those of the
    greater class stand first, as in scikit-learn. Source: Russakovsky and others 2015, doi
    10.1007/s11263-015-0816-y, where k = 5 of 1000.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels.
    y_score : array-like of shape (n,) or (n, k)
        Finite scores, a column for each of three classes or more, ascending; one column is that of the greater of two.
    k : int
        The number of top-ranked classes among which the true one counts as found.
    normalize : bool
        Return the fraction; otherwise the number of rows, or their weight.
    sample_weight : array-like of shape (n,), optional
        A weight for each row.
    labels : array-like, optional
        The classes, ascending; default: those in `y_true`.

    Returns
    -------
    float
        In [0, 1] if normalised; higher is better.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import top_k_accuracy_score
    >>> scores = [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]]
    >>> top_k_accuracy_score([0, 1, 2, 2], scores, k=2)
    0.75
    """
    if not isinstance(k, _INTEGERS) or k < 1:
        raise wrong_value(k, "k", "a whole number, 1 or more")
    if not isinstance(normalize, _FLAGS):
        raise wrong_value(normalize, "normalize", "True or False")

    def measure(weights: Any) -> float:
        hits, weight, classes, text = top_k(y_true, y_score, int(k), labels, weights)
        _check(weight, text, y_true, weights)
        if k >= classes:
            warn_undefined(
                f"'k' ({k}) greater than or equal to 'n_classes' ({classes}) will result in a perfect score and is "
                "therefore meaningless."
            )
        return hits / weight if normalize else hits

    try:
        return measure(sample_weight)
    except InputError as refusal:
        return mean_of_parts(measure, sample_weight, refusal, normalize)


@drop_in
def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: object = None,
    n_bins: int = 5,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The calibration curve, or reliability diagram: how often what was given a probability came true.

    Formula: of each bin, positives / rows against the mean probability. Bins without rows are left out. Source:
    Niculescu-Mizil and Caruana 2005, doi 10.1145/1102351.1102430.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels of two classes; {0, 1} or {-1, 1} unless `pos_label` is given.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class, in [0, 1].
    pos_label : label, optional
        The positive class.
    n_bins : int
        The number of bins.
    strategy : "uniform" or "quantile"
        "uniform": bins of equal width over [0, 1]. "quantile": bins of equal size.

    Returns
    -------
    prob_true, prob_pred : ndarray of shape (m,), float64
        For each bin with rows: the fraction of positives, and the mean probability.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import calibration_curve
    >>> true, pred = calibration_curve([0, 0, 0, 0, 1, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.65, 0.7, 0.8, 0.9, 1.0], n_bins=3)
    >>> true.tolist(), pred.round(3).tolist()
    ([0.0, 0.5, 1.0], [0.2, 0.525, 0.85])
    """
    if type(n_bins) is not int or n_bins < 1:
        raise wrong_value(n_bins, "n_bins", "a whole number, 1 or more")
    one_of(strategy, "strategy", _STRATEGIES)
    prob_true, prob_pred, text = calibration_bins(y_true, y_prob, pos_label, n_bins, strategy)
    _check(1.0, text, y_true, None)
    return prob_true, prob_pred

"""scikit-learn's precision, recall, F and Jaccard: ratios of the 2×2 tables of classes, of labels or of rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady._rocksteady import ConfusionState, IndicatorState
from rocksteady.base.arguments import not_negative, wrong_type, wrong_value
from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics._counting import count, is_among, is_flag, signs
from rocksteady.metrics._drop_in import drop_in
from rocksteady.metrics._warning import warn, warn_undefined

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import ArrayLike, NDArray

    from rocksteady._rocksteady import TablesState
    from rocksteady.metrics._counting import State

Average = Literal["binary", "micro", "macro", "weighted", "samples"]

_AVERAGES = ("binary", "micro", "macro", "weighted", "samples", None)
_LABELS = (int, str, bool, float)
_F1 = ("f1",)
_JACCARD = ("jaccard",)
_PRECISION = ("precision",)
_RECALL = ("recall",)
_MEANS = ("macro", "weighted")
_WARN_FOR = ("precision", "recall", "f-score")
_ALL = (*_WARN_FOR, "jaccard")

# The name of an index in a warning, and what is missing where it is undefined.
_WORDS = {
    "precision": ("precision", "predicted"),
    "recall": ("recall", "true"),
    "f1": ("f-score", "true nor predicted"),
    "fbeta": ("f-score", "true nor predicted"),
    "jaccard": ("jaccard", "true or predicted"),
}


def replacement(zero_division: Any) -> float:
    """The number that `zero_division` stands for."""
    if zero_division.__class__ is str and zero_division == "warn":
        return 0.0
    if isinstance(zero_division, int | float) and (zero_division in (0, 1) or math.isnan(zero_division)):
        return float(zero_division)
    raise wrong_value(zero_division, "zero_division", "'warn', 0, 1 or NaN")


def not_samplewise() -> InputError:
    """The refusal of tables of the rows of columns, which have one label a row."""
    return InputError("y_true is a column; expected indicators of several labels a row, for samples", argument="y_true")


def warn_prf(names: tuple[str, ...], undefined: int, average: str | None, size: int, warn_for: Collection[str]) -> None:
    """Warns of each index that is undefined for a table."""
    lacking, where = ("label", "sample") if average == "samples" else ("sample", "label")
    for bit, name in enumerate(names):
        metric, modifier = _WORDS[name]
        # F-beta that equals precision or recall does not warn again.
        if undefined >> bit & 1 and metric in warn_for and name not in names[:bit]:
            reason = "due to" if size == 1 else f"in {where}s with"
            warn_undefined(
                f"{metric.capitalize()} is ill-defined and being set to 0.0 {reason} no {modifier} {lacking}s. "
                "Use `zero_division` parameter to control this behavior."
            )


def _of_positive(state: State, pos_label: Any) -> TablesState:
    """The table of the positive class, of two classes."""
    if not isinstance(state, ConfusionState) or state.classes > 2:
        raise InputError(
            "y_true and y_pred have more than two classes; expected two, or another average than 'binary', such as "
            "average='macro'",
            argument="average",
        )
    tables = state.tables((pos_label,))
    if tables.absent and state.classes > 1:
        raise InputError(
            f"pos_label is {pos_label!r}; expected one of the labels {state.labels()}", argument="pos_label"
        )
    if tables.absent and isinstance(pos_label, str) != state.text:
        raise wrong_type(pos_label, "pos_label", f"a label like {state.labels().tolist()[0]!r}")
    return tables


def of_classes(state: ConfusionState, labels: Any) -> TablesState:
    """The tables of the classes listed, of which some may not occur."""
    if np.ndim(labels) != 1:
        raise InputError(f"labels is an array of shape {np.shape(labels)}; expected (K,)", argument="labels")
    tables = state.tables(labels)
    if tables.absent and any(isinstance(label, str) != state.text for label in np.asarray(labels).tolist()):
        raise InputTypeError("labels are of another type than those of y_true and y_pred", argument="labels")
    return tables


def _of_nothing() -> Any:
    """The mean of no values, with numpy's warnings."""
    return float(np.average(np.zeros(0)))


def _scores(
    names: tuple[str, ...],
    y_true: Any,
    y_pred: Any,
    labels: Any,
    pos_label: Any,
    average: Any,
    sample_weight: Any,
    zero_division: Any,
    beta: Any = 1.0,
    warn_for: Any = _ALL,
) -> tuple[tuple[Any, ...], TablesState, State]:
    """The values of several indices, averaged or not, the tables that they were read from, and the counted targets."""
    if not is_among(average, _AVERAGES):
        raise wrong_value(average, "average", "'binary', 'micro', 'macro', 'weighted', 'samples' or None")
    if pos_label.__class__ not in _LABELS and not (pos_label is None or isinstance(pos_label, np.generic)):
        raise wrong_type(pos_label, "pos_label", "a label")
    if labels is not None and (isinstance(labels, str) or not hasattr(labels, "__len__")):
        raise wrong_type(labels, "labels", "a list of labels")
    instead = replacement(zero_division)
    if names is _JACCARD and math.isnan(instead):
        raise wrong_value(zero_division, "zero_division", "'warn', 0 or 1")
    state = count(y_true, y_pred, sample_weight, None, labels)
    if average == "binary":
        tables, size = _of_positive(state, pos_label), 1
    elif isinstance(state, ConfusionState):
        if average == "samples":
            raise not_samplewise()
        tables = state.tables() if labels is None else of_classes(state, labels)
        size = 1 if average == "micro" else len(tables)
    elif average == "samples":
        tables, size = state.by_row(), state.rows
    else:
        tables = state.by_label()
        size = 1 if average == "micro" else len(tables)
    if average != "binary" and pos_label is not None and pos_label != 1:
        warn(
            f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got {average!r}). "
            "You may use labels=[pos_label] to specify a single positive class."
        )
    answers, undefined = tables.scores(names, average, instead, beta)
    if undefined and zero_division.__class__ is str:
        warn_prf(names, undefined, average, size, warn_for)
    if names is _JACCARD and sample_weight is not None and average in ("weighted", "samples"):
        support = tables.support()
        cancel = state.total == 0 if average == "samples" else np.any(support) and np.sum(support) == 0
        if cancel:
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")  # as numpy.average
    if labels is not None and names is _JACCARD and average in _MEANS and not len(tables):
        return (_of_nothing(),), tables, state
    return answers, tables, state


@drop_in
def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> Any:
    """The fraction of the rows predicted as a class that belong to it.

    Formula: tp / (tp + fp). Source: Kent et al. 1955, doi 10.1002/asi.5090060209.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    labels : array-like, optional
        The classes, or the columns of indicators, and their order. Rows with another label still count as errors of
        these classes. Default: all labels that occur, ascending.
    pos_label : label
        The positive class for ``average="binary"``; otherwise ignored.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None
        "binary": the class `pos_label` alone. "micro": all counts added up. "macro": the mean over the classes.
        "weighted": that mean, weighted by support. "samples": the mean over the rows of indicators. None: no average.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    zero_division : {"warn", 0, 1, NaN}
        The value of an undefined ratio. Means leave out NaN; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import precision_score
    >>> precision_score([0, 1, 1, 1, 0], [0, 1, 0, 1, 1])
    0.6666666666666666
    """
    (value,), *_ = _scores(_PRECISION, y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return value


@drop_in
def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> Any:
    """The fraction of the rows of a class that are predicted as it.

    Formula: tp / (tp + fn). Source: Kent et al. 1955, doi 10.1002/asi.5090060209.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    labels : array-like, optional
        The classes, or the columns of indicators, and their order. Rows with another label still count as errors of
        these classes. Default: all labels that occur, ascending.
    pos_label : label
        The positive class for ``average="binary"``; otherwise ignored.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None
        "binary": the class `pos_label` alone. "micro": all counts added up. "macro": the mean over the classes.
        "weighted": that mean, weighted by support. "samples": the mean over the rows of indicators. None: no average.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    zero_division : {"warn", 0, 1, NaN}
        The value of an undefined ratio. Means leave out NaN; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import recall_score
    >>> recall_score([0, 1, 1, 1, 0], [0, 1, 0, 1, 1])
    0.6666666666666666
    """
    (value,), *_ = _scores(_RECALL, y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return value


@drop_in
def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> Any:
    """The harmonic mean of precision and recall.

    Formula: 2 tp / (2 tp + fp + fn). Source: van Rijsbergen 1979, Information
    Retrieval; Chinchor 1992, doi 10.3115/1072064.1072067.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    labels : array-like, optional
        The classes, or the columns of indicators, and their order. Rows with another label still count as errors of
        these classes. Default: all labels that occur, ascending.
    pos_label : label
        The positive class for ``average="binary"``; otherwise ignored.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None
        "binary": the class `pos_label` alone. "micro": all counts added up. "macro": the mean over the classes.
        "weighted": that mean, weighted by support. "samples": the mean over the rows of indicators. None: no average.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    zero_division : {"warn", 0, 1, NaN}
        The value of an undefined ratio. Means leave out NaN; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import f1_score
    >>> f1_score([0, 1, 1, 1, 0], [0, 1, 0, 1, 1])
    0.6666666666666666
    """
    (value,), *_ = _scores(_F1, y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return value


@drop_in
def jaccard_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> Any:
    """Intersection over union: of the rows that belong to a class or are predicted as it, the fraction that do both.

    Formula: tp / (tp + fp + fn). Source: Jaccard 1901, doi 10.5169/seals-266450.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    labels : array-like, optional
        The classes, or the columns of indicators, and their order. Rows with another label still count as errors of
        these classes. Default: all labels that occur, ascending.
    pos_label : label
        The positive class for ``average="binary"``; otherwise ignored.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None
        "binary": the class `pos_label` alone. "micro": all counts added up. "macro": the mean over the classes.
        "weighted": that mean, weighted by support. "samples": the mean over the rows of indicators. None: no average.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    zero_division : {"warn", 0, 1, NaN}
        The value of an undefined ratio. Means leave out NaN; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import jaccard_score
    >>> jaccard_score([0, 1, 1, 1, 0], [0, 1, 0, 1, 1])
    0.5
    """
    (value,), *_ = _scores(_JACCARD, y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return value


def _beta(value: Any) -> float:
    return math.inf if value == math.inf else not_negative(value, "beta")


def _f_name(beta: Any) -> str:
    """The index that equals F-beta: precision for beta 0, recall for infinite beta. It has no warning of its own."""
    if beta == 1:
        return "f1"
    if beta == 0:
        return "precision"
    return "recall" if math.isinf(beta) else "fbeta"


@drop_in
def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> Any:
    """The weighted harmonic mean of precision and recall.

    Formula: (1 + β²) tp / ((1 + β²) tp + fp + β² fn). Source: van Rijsbergen 1979, Information
    Retrieval; Chinchor 1992, doi 10.3115/1072064.1072067.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    beta : float
        The weight of recall relative to precision, 0 or more.
    labels : array-like, optional
        The classes, or the columns of indicators, and their order. Rows with another label still count as errors of
        these classes. Default: all labels that occur, ascending.
    pos_label : label
        The positive class for ``average="binary"``; otherwise ignored.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None
        "binary": the class `pos_label` alone. "micro": all counts added up. "macro": the mean over the classes.
        "weighted": that mean, weighted by support. "samples": the mean over the rows of indicators. None: no average.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    zero_division : {"warn", 0, 1, NaN}
        The value of an undefined ratio. Means leave out NaN; "warn" is 0 with a warning.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import fbeta_score
    >>> fbeta_score([0, 1, 1, 1, 0], [0, 1, 0, 1, 0], beta=2)
    0.7142857142857143
    """
    if beta.__class__ is not float or not beta >= 0:
        beta = _beta(beta)
    arguments = (y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, beta, ("f-score",))
    (value,), *_ = _scores((_f_name(beta),), *arguments)
    return value


@drop_in
def precision_recall_fscore_support(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float = 1.0,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: Average | None = None,
    warn_for: list[str] | tuple[str, ...] | set[str] = ("precision", "recall", "f-score"),
    sample_weight: ArrayLike | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F-beta and support, from one count.

    Formulas: tp / (tp + fp), tp / (tp + fn), (1 + β²) tp / ((1 + β²) tp + fp + β² fn), tp + fn. Source: van Rijsbergen
    1979, Information Retrieval; Chinchor 1992, doi 10.3115/1072064.1072067.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    beta : float
        The weight of recall relative to precision, 0 or more.
    labels : array-like, optional
        The classes, or the columns of indicators, and their order. Rows with another label still count as errors of
        these classes. Default: all labels that occur, ascending.
    pos_label : label
        The positive class for ``average="binary"``; otherwise ignored.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None
        "binary": the class `pos_label` alone. "micro": all counts added up. "macro": the mean over the classes.
        "weighted": that mean, weighted by support. "samples": the mean over the rows of indicators. None: no average.
    warn_for : list, tuple or set of str
        Which of "precision", "recall" and "f-score" to warn about.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    zero_division : {"warn", 0, 1, NaN}
        The value of an undefined ratio. Means leave out NaN; "warn" is 0 with a warning.

    Returns
    -------
    tuple of three floats or ndarrays of shape (K,), and the support
        The support of each class, int64, or float64 with weights; None with an average.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import precision_recall_fscore_support
    >>> precision_recall_fscore_support([0, 1, 1, 1], [0, 1, 0, 1], average="macro")
    (0.75, 0.8333333333333333, 0.7333333333333334, None)
    """
    if beta.__class__ is not float or not beta >= 0:
        beta = _beta(beta)
    if not isinstance(warn_for, tuple | list | set):
        raise wrong_type(warn_for, "warn_for", "a tuple, a list or a set")
    names = ("precision", "recall", _f_name(beta))
    arguments = (y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, beta, warn_for)
    (precision, recall, f_score), tables, state = _scores(names, *arguments)
    return (
        precision,
        recall,
        f_score,
        (whole_if_empty(tables.support(), state, y_true, y_pred, labels, sample_weight) if average is None else None),
    )


def whole_if_empty(
    counts: NDArray[Any], state: State, y_true: Any, y_pred: Any, labels: Any, sample_weight: Any
) -> NDArray[Any]:
    """Counts of indicators, whole if no cell is one and the weights are whole: numpy then has no weights to add.

    Unsigned weights make floats of them, as numpy does of unsigned and signed integers together.
    """
    if sample_weight is None or isinstance(state, ConfusionState) or np.asarray(sample_weight).dtype.kind not in "ib":
        return counts
    if _has_ones(state):
        return counts
    # Rows of weight 0 may have ones.
    return counts if _has_ones(count(y_true, y_pred, None, None, labels)) else counts.astype(np.int64)


def _has_ones(state: State) -> bool:
    return isinstance(state, IndicatorState) and bool(state.by_label().to_array()[:, [0, 1, 1], [1, 0, 1]].any())


def _each_row(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any) -> NDArray[Any]:
    try:
        return IndicatorState.each_row(y_true, y_pred, labels, sample_weight).to_array()
    except InputError as refusal:
        parts = signs(sample_weight, refusal)
        if parts is None:
            raise
    more, less = (IndicatorState.each_row(y_true, y_pred, labels, part).to_array() for part in parts)
    return np.asarray(more - less)


@drop_in
def multilabel_confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    samplewise: bool = False,
) -> NDArray[Any]:
    """The 2×2 tables of each class against the rest, of each label, or of each row of indicators.

    Formula: ((TN, FP), (FN, TP)) of one class, label or row. Source: Tsoumakas, Katakis and Vlahavas 2010, doi
    10.1007/978-0-387-09823-4_34.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, K), dense or sparse
        True and predicted labels.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    labels : array-like, optional
        The classes, or the columns of indicators, and their order. Default: all labels that occur, ascending.
    samplewise : bool
        For indicators: one table per row.

    Returns
    -------
    ndarray of shape (K, 2, 2), or (n, 2, 2)
        [[tn, fp], [fn, tp]]; int64, or float64 with weights.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import multilabel_confusion_matrix
    >>> multilabel_confusion_matrix(["a", "b", "b"], ["a", "b", "a"])
    array([[[1, 1],
            [0, 1]],
    <BLANKLINE>
           [[1, 0],
            [1, 1]]])
    """
    if not is_flag(samplewise):
        raise wrong_value(samplewise, "samplewise", "True or False")
    state = count(y_true, y_pred, sample_weight, None, labels)
    if isinstance(state, ConfusionState):
        if samplewise:
            raise not_samplewise()
        return (state.tables() if labels is None else of_classes(state, labels)).to_array()
    if not samplewise:
        return whole_if_empty(state.by_label().to_array(), state, y_true, y_pred, labels, sample_weight)
    rows = _each_row(y_true, y_pred, labels, sample_weight)
    if sample_weight is not None:
        kind = np.asarray(sample_weight).dtype
        if kind.kind in "iub":
            # Sums of whole weights stay whole where scikit-learn keeps them so: by the dtype of the weights.
            return rows.astype(np.int64 if kind.kind == "b" else np.result_type(np.int32, kind))
    return rows

"""Shares that a judge counted, such as a language model, corrected by rows that people judged, too."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import not_negative, numbers, shown, string, wrong_type, wrong_value
from rocksteady.errors import InputError
from rocksteady.inference.difference import level_of, quantile_of
from rocksteady.inference.interval import Interval
from rocksteady.inference.paired_labels import PairTable
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.registry.registry import index as definition

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_GUESSES: Final = "The judge does not tell the classes apart: sensitivity and specificity add up to 1 or less."
_ALIKE: Final = "All rows count alike, so the sample does not show how the value scatters."
_UNTOLD: Final = "Too few rows were judged by people to tell how often the judge errs."
_OTHER: Final = (
    "The judge found a share that its errors alone exceed: it errs less on these rows than on those that people judged."
)
_UNDEFINED: Final = "The index is undefined on these rows, or without one of them."
_FEW: Final = "Few rows were judged by people: the interval may cover the true value less often than its level says."


def judged_share(judge: ConfusionMatrix, positives: float, rows: float, *, level: float = 0.95) -> Interval:
    """The share of positives among rows that only a judge saw, corrected for its errors, with its interval.

    Parameters
    ----------
    judge : ConfusionMatrix
        Rows that people and the judge saw: the true classes by people, the predicted ones by the judge. Two classes, of which
        the positive one is counted: of text name it, as `pos_label` of the matrix.
    positives, rows : float
        How many of the other rows the judge called positive, of how many.
    level : float
        The confidence level.

    Returns
    -------
    Interval
        The estimate of Rogan and Gladen 1978, doi:10.1093/oxfordjournals.aje.a112510, cut to 0 and 1, and the bounds of Lang
        and Reiczigel 2014, doi:10.1016/j.prevetmed.2013.09.015. `why` says where the judge is no better than chance.

    Raises
    ------
    rocksteady.InputError
        If the matrix has not two classes with rows of each, or has weights; if there are more positives than rows.

    Notes
    -----
    (p + c - 1) / (s + c - 1), p the share that the judge found, s its sensitivity and c its specificity. They must be the same
    on both kinds of rows.

    >>> import rocksteady as rs
    >>> judge = rs.ConfusionMatrix.from_counts([[90, 10], [15, 85]])   # rows people, columns judge
    >>> found = rs.comparison.judged_share(judge, 420, 1000)
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (0.427, 0.35, 0.5)
    """
    if not isinstance(judge, ConfusionMatrix):
        raise wrong_type(judge, "judge", "a ConfusionMatrix")
    if judge.pos_label is None:
        raise wrong_value(judge, "judge", "two classes, one of which is positive")
    if judge.weighted:
        raise wrong_value(judge, "judge", "rows without weights")
    table = judge.counts()
    place = judge.labels.index(judge.pos_label)
    tp, fp, fn, tn = (float(each[place]) for each in (table.tp, table.fp, table.fn, table.tn))
    if not tp + fn or not fp + tn:
        raise wrong_value(judge, "judge", "rows of both true classes")
    found, all_rows = not_negative(positives, "positives"), not_negative(rows, "rows")
    if not all_rows or found > all_rows:
        raise wrong_value(positives, "positives", f"at most the rows, {all_rows:g}, and rows above 0")
    used = level_of(level)
    z = quantile_of(used)
    note = _FEW if min(tp + fn, fp + tn) < 10 else None
    plain, apart = found / all_rows + tn / (fp + tn) - 1, tp / (tp + fn) + tn / (fp + tn) - 1
    none = Interval(math.nan, math.nan, math.nan, used, "lang_reiczigel", "two-sided", math.nan, _GUESSES)
    if apart <= 0:
        return none
    # Adjusted rates: two rows more of each true class, and z² more of those that only the judge saw.
    sensitivity, specificity = (tp + 1) / (tp + fn + 2), (tn + 1) / (fp + tn + 2)
    share, number = (found + z * z / 2) / (all_rows + z * z), all_rows + z * z
    youden = sensitivity + specificity - 1
    if youden <= 0:
        return replace(none, why=_UNTOLD)
    middle = (share + specificity - 1) / youden
    of_sensitivity = sensitivity * (1 - sensitivity) / (tp + fn + 2)
    of_specificity = specificity * (1 - specificity) / (fp + tn + 2)
    error = (
        math.sqrt(share * (1 - share) / number + middle**2 * of_sensitivity + (1 - middle) ** 2 * of_specificity)
        / youden
    )
    shift = 2 * z * z * (middle * of_sensitivity - (1 - middle) * of_specificity)
    bounds = [min(max(middle + shift + side * z * error, 0.0), 1.0) for side in (-1, 1)]
    estimate = min(max(plain / apart, 0.0), 1.0)
    if bounds[0] == bounds[1]:
        return replace(none, estimate=estimate, why=_OTHER)
    return replace(none, estimate=estimate, low=bounds[0], high=bounds[1], standard_error=error, why=None, note=note)


def prediction_powered(
    labels: ArrayLike, judged: ArrayLike, judged_alone: ArrayLike, *, level: float = 0.95
) -> Interval:
    """The mean of what people would say, from few rows that they judged and many that only a judge saw.

    The mean of the judge over all rows is corrected by its error on the labelled ones. The better the judge, the more its rows
    help; a judge that is useless adds nothing, so the interval is never much wider than that of the labelled rows alone.

    Parameters
    ----------
    labels, judged : array-like of shape (n,)
        Of the same rows, what people and the judge say: truth values, or numbers such as grades.
    judged_alone : array-like of shape (N,)
        What the judge says of the other rows.
    level : float
        The confidence level.

    Returns
    -------
    Interval

    Raises
    ------
    rocksteady.InputError
        If the first two columns differ in length, there are fewer than two labelled rows or no others, or a value is missing.

    Notes
    -----
    mean(y) + w (mean(f of the others) - mean(f)), whose weight w = cov(y, f) / ((1 + n / N) var(f)) makes the variance least:
    var(y - w f) / n + w² var(f) / N. Angelopoulos, Duchi, Zrnic 2023, arXiv:2311.01453 (PPI++).

    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(5000) < 0.7
    >>> judge = np.where(rng.random(5000) < 0.9, truth, ~truth)
    >>> few = rs.comparison.prediction_powered(truth[:200], judge[:200], judge[200:])
    >>> round(few.estimate, 3), round(few.low, 3), round(few.high, 3)
    (0.672, 0.635, 0.709)
    """
    columns = {"labels": labels, "judged": judged, "judged_alone": judged_alone}
    y, own, others = (_column(each, name) for name, each in columns.items())
    if len(y) != len(own):
        raise InputError(f"labels have {len(y)} rows, judged {len(own)}; expected the same rows", argument="judged")
    if len(y) < 2 or not len(others):
        raise InputError(
            f"there are {len(y)} labelled rows and {len(others)} others; expected two and one at least",
            argument="labels",
        )
    used = level_of(level)
    n, rest = len(y), len(others)
    everything = np.concatenate([own, others])
    spread = everything.var(ddof=1)
    weight = float(np.cov(y, own)[0, 1] / ((1 + n / rest) * spread)) if spread else 0.0
    estimate = float(y.mean() + weight * (others.mean() - own.mean()))
    error = math.sqrt((y - weight * own).var(ddof=1) / n + weight * weight * spread / rest)
    reach = quantile_of(used) * error
    if error <= 8 * np.finfo(float).eps * float(np.abs(y).max()):
        return Interval(estimate, math.nan, math.nan, used, "normal", "two-sided", 0.0, _ALIKE)
    # Shares stay shares.
    least, most = (0.0, 1.0) if set(np.unique(y)) <= {0.0, 1.0} else (-math.inf, math.inf)
    low, value, high = (min(max(each, least), most) for each in (estimate - reach, estimate, estimate + reach))
    return Interval(value, low, high, used, "normal", "two-sided", error, None, _FEW if n < 50 else None)


def judged_index(
    index: str, table: PairTable, judged: ConfusionMatrix, *, judge: str = "judge", level: float = 0.95, **options: Any
) -> Interval:
    """An index of a model's predictions, from few rows that people labelled and many that only a judge did.

    Its value by the judge's labels is corrected by what they change on the rows that people labelled, too. A judge that is
    useless adds nothing, so the interval is never much wider than that of these rows alone.

    Parameters
    ----------
    index : str
        An index of counts, such as "f1" or "mcc".
    table : PairTable
        The rows that people and the judge labelled: ``compare_labels(people, {"judge": judge, "model":
        predicted}).pairs["judge", "model"]``. Rows count alike.
    judged : ConfusionMatrix
        The other rows, with the labels of the judge in place of the true ones.
    judge : str
        What the judge is called in `table`.
    level : float
        The confidence level.
    **options
        Those of ``ConfusionMatrix.value``: `average` and the index's own parameters.

    Returns
    -------
    Interval
        With a reason in `why` where the index is undefined.

    Raises
    ------
    rocksteady.InputError
        For weights, other labels in `judged`, no column called `judge`, fewer than two labelled rows, or no others.

    Notes
    -----
    With people's labels p and the judge's j, on labelled rows and on the others: index(p) + w (index(j, others) - index(j)).
    The weight w makes the variance least, as in `prediction_powered` (Angelopoulos, Duchi, Zrnic 2023, arXiv:2311.01453). How
    much a row changes an index is found by leaving it out (the jackknife).

    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(5000) < 0.3
    >>> model, judge = (np.where(rng.random(5000) < right, truth, ~truth) for right in (0.8, 0.95))
    >>> few, rest = slice(300), slice(300, None)
    >>> table = rs.inference.compare_labels(truth[few], {"judge": judge[few], "model": model[few]}).pairs["judge", "model"]
    >>> found = rs.comparison.judged_index("f1", table, rs.ConfusionMatrix(judge[rest], model[rest]))
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (0.677, 0.629, 0.726)
    """
    if not isinstance(table, PairTable):
        raise wrong_type(table, "table", "a PairTable, of compare_labels(...).pairs")
    if not isinstance(judged, ConfusionMatrix):
        raise wrong_type(judged, "judged", "a ConfusionMatrix of the rows that only the judge saw")
    used = level_of(level)
    labels = list(table.labels)
    if set(judged.labels) != set(labels):
        raise InputError(
            f"judged has the labels {shown(list(judged.labels))} and table {shown(labels)}; expected the same",
            argument="judged",
        )
    called = string(judge, "judge", "the name of the judge")
    if called not in (table.first, table.second):
        raise wrong_value(judge, "judge", f"{shown(table.first)} or {shown(table.second)}, as the table has them")
    (people, *both), masses, _ = _rocksteady.pair_cells(table._state, None, len(labels))
    by_judge_and_model = both if called == table.first else both[::-1]
    cells = tuple(np.asarray(code.each()) for code in (people, *by_judge_and_model))
    rows, others = float(masses.sum()), judged.rows
    if table.weight_kind == "sampling" or judged.weighted or not np.array_equal(masses, np.floor(masses)):
        raise InputError("the rows have weights; expected rows that count alike", argument="table")
    if rows < 2 or not others:
        raise InputError(
            f"there are {int(rows)} labelled rows and {others} others; expected two and one at least", argument="table"
        )
    matrices = [np.zeros((len(labels), len(labels)), dtype=np.uint64) for _ in range(2)]
    for matrix, truth in zip(matrices, cells[:2], strict=True):
        np.add.at(matrix, (truth, cells[2]), masses.astype(np.uint64))
    matrices.append(judged.reorder(labels).to_array().astype(np.uint64))
    found = [_left_out(index, matrix, labels, table.pos_label, options) for matrix in matrices]
    none = Interval(math.nan, math.nan, math.nan, used, "normal", "two-sided", math.nan, _UNDEFINED)
    if any(math.isnan(value) or np.isnan(change).any() for value, change in found):
        return none
    (by_people, changes), (by_judge, own), (elsewhere, others_own) = found
    own, changes = (change[truth, cells[2]] for change, truth in ((own, cells[1]), (changes, cells[0])))
    elsewhere_squared = float((others_own**2 * matrices[2]).sum())
    spread = (float((own**2 * masses).sum()) + elsewhere_squared) / (rows + others - 1)

    def covariance(a: NDArray[Any], b: NDArray[Any]) -> float:
        return float((a * b * masses).sum() / (rows - 1))

    weight = covariance(changes, own) / ((1 + rows / others) * spread) if spread > 0 else 0.0
    estimate = float(by_people + weight * (elsewhere - by_judge))
    rest = changes - weight * own
    error = math.sqrt(covariance(rest, rest) / rows + weight * weight * spread / others)
    if error <= 8 * np.finfo(float).eps * abs(estimate):
        return replace(none, estimate=estimate, standard_error=0.0, why=_ALIKE)
    reach = float(quantile_of(used)) * error
    row = definition(index)
    low, value, high = (min(max(each, row.low), row.high) for each in (estimate - reach, estimate, estimate + reach))
    note = _FEW if rows < 50 else None
    return replace(none, estimate=value, low=low, high=high, standard_error=error, why=None, note=note)


def _left_out(
    index: str, counts: NDArray[np.uint64], labels: list[Any], pos_label: Any, options: dict[str, Any]
) -> tuple[float, NDArray[np.float64]]:
    """The value of an index, and how much a row of each cell adds to it: n - 1 times what leaving it out takes."""

    def value(counts: NDArray[np.uint64]) -> float:
        matrix = ConfusionMatrix.from_counts(counts, labels=labels, pos_label=pos_label)
        return math.nan if matrix.why(index, **options) else float(matrix.value(index, **options))

    whole, rows = value(counts), int(counts.sum())
    without = np.full(counts.shape, whole)
    for cell in zip(*np.nonzero(counts), strict=True):
        fewer = counts.copy()
        fewer[cell] -= np.uint64(1)
        without[cell] = value(fewer)
    changes = (rows - 1) * (whole - without)
    return whole, changes - (changes * counts).sum() / rows


def _column(values: ArrayLike, argument: str) -> NDArray[Any]:
    found = np.asarray(numbers(values, argument), np.float64)
    if found.ndim != 1:
        raise InputError(f"{argument} has {found.ndim} dimensions; expected one", argument=argument)
    missing = np.flatnonzero(~np.isfinite(found))
    if missing.size:
        row = int(missing[0])
        raise InputError(f"{argument}[{row}] is {found[row]}; expected a number", argument=argument, row=row)
    return found

"""Scores as probabilities: calibration curves, decompositions, calibration errors of classes, back-tests of grades."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import as_array, numbers
from rocksteady.base.named_columns import by_class
from rocksteady.base.record import Record
from rocksteady.base.result import Result, of_positive
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Strategy = Literal["uniform", "quantile", "isotonic"]


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """Observed frequency of the positive class in each bin of predicted probability: a reliability diagram.

    Entry *i* of each array belongs to bin *i* of those that have rows, from the lowest scores to the highest. All are
    float64.

    Attributes
    ----------
    lower, upper : ndarray of shape (m,)
        Where each bin begins and ends: it takes the scores in ``[lower, upper)``, the last one its upper edge too.
    mean_score : ndarray of shape (m,)
        The mean score of the bin's rows: what was promised.
    observed : ndarray of shape (m,)
        The share of positives among them: what came true.
    weight : ndarray of shape (m,)
        The number, or weight, of the bin's rows.
    low, high : ndarray of shape (m,)
        Wilson's interval of confidence for the rate behind `observed`, each bin by itself.
    strategy : str
        How the bins were set.
    level : float
        The level of the intervals.
    empty : int
        How many bins were left out because they have no rows.
    """

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    mean_score: NDArray[np.float64]
    observed: NDArray[np.float64]
    weight: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    strategy: str
    level: float
    empty: int


class _Decomposition(NamedTuple):
    score: float
    miscalibration: float
    discrimination: float
    uncertainty: float


class Decomposition(Record, _Decomposition):
    """The parts of a mean score: ``score == miscalibration - discrimination + uncertainty``, up to rounding.

    Attributes
    ----------
    score : float
        The Brier score or the logarithmic loss (in nats).
    miscalibration : float
        By how much isotonic recalibration would lower it; not negative.
    discrimination : float
        By how much the recalibrated scores are better than the prevalence for every row; not negative.
    uncertainty : float
        The score of the prevalence for every row.
    """

    __slots__ = ()


class ProbabilityQuality:
    """The methods of a `rocksteady.ScoreTable` that read its scores as probabilities."""

    __slots__ = ()

    _state: _rocksteady.ScoreState

    @of_positive
    def calibration(self, bins: int = 10, *, strategy: Strategy = "uniform", level: float = 0.95) -> Calibration:
        """The calibration curve: the mean score and the observed frequency of the positive class in each bin.

        Single numbers, such as "expected_calibration_error" or "calibration_slope", are indices of the table.

        Parameters
        ----------
        bins : int
            How many bins, from 1 to 65536; not looked at for "isotonic".
        strategy : {"uniform", "quantile", "isotonic"}
            Bins of one width over [0, 1]; bins of equal weight, where bin *i* of *n* takes a score if the share of the
            weight below it is at least *i/n* and less than *(i + 1)/n*, so that rows of one score stay together; or the
            scores that isotonic regression gives one probability, which is then `observed` (Dimitriadis, Gneiting,
            Jordan 2021, doi 10.1073/pnas.2016191118).
        level : float
            The level of the bins' intervals, between 0 and 1.

        Returns
        -------
        Calibration
            Without entries if the table has no rows.

        Raises
        ------
        rocksteady.InputError
            If a score lies outside [0, 1], and for an argument that is none of those above.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
        >>> curve = table.calibration(bins=2)
        >>> curve.mean_score.round(3).tolist(), curve.observed.round(3).tolist()
        ([0.2, 0.733], [0.333, 0.667])
        >>> table.calibration(strategy="isotonic").observed
        array([0. , 0.5, 1. ])
        """
        columns, empty = _rocksteady.calibration_curve_of(self._state, bins, strategy, level)
        lower, upper, mean_score, observed, weight, low, high = columns
        return Calibration(
            lower, upper, mean_score, observed, weight, low, high, strategy=strategy, level=float(level), empty=empty
        )

    def decomposition(self, rule: Literal["brier", "log_loss"] = "brier") -> Decomposition:
        """The Brier score or the logarithmic loss, split into parts by isotonic regression, without bins.

        Source: Dimitriadis, Gneiting, Jordan 2021, doi 10.1073/pnas.2016191118.

        Parameters
        ----------
        rule : {"brier", "log_loss"}
            The score; for "log_loss" scores are cut to ``[eps, 1 - eps]``, eps being the machine epsilon of their type.

        Returns
        -------
        Decomposition
            NaN without rows.

        Raises
        ------
        rocksteady.InputError
            If a score lies outside [0, 1].

        Examples
        --------
        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75]).decomposition()
        Decomposition(score=0.1875, miscalibration=0.0625, discrimination=0.0625, uncertainty=0.1875)
        """
        return Decomposition(*_rocksteady.decomposition(self._state, rule))


def calibration_error(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    mode: Literal["binary", "top_label", "classwise"] | None = None,
    bins: int = 10,
    strategy: Literal["uniform", "quantile"] = "uniform",
    norm: Literal["l1", "l2", "max"] = "l1",
    pos_label: object = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The distance between probabilities and observed frequencies, for two classes or several.

    With *o* the share of a bin's rows that came true, *q* their mean score and *w* the bin's share of all rows: "l1" is
    Σ w |o - q|, the expected calibration error; "l2" is sqrt(Σ w (o - q)²); "max" is the greatest |o - q|. Bins take
    the scores in [lower, upper), the last one its upper edge too; empty bins are left out. Bins of one width without
    weights are filled in one pass; for anything else of two classes a `rocksteady.ScoreTable` has the same as its
    indices, and more.

    Sources: Naeini, Cooper, Hauskrecht 2015, doi 10.1609/aaai.v29i1.9602; "top_label": Guo, Pleiss, Sun, Weinberger
    2017, PMLR 70; "classwise": Kull et al. 2019, NeurIPS 32; "quantile": Nixon et al. 2019, CVPR Workshops.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_score : array-like of shape (n,) or (n, K)
        Probabilities: of the positive class, or a column for each class in ascending order of the labels. Those of a
        frame that are called as the labels may be in any order.
    mode : {"binary", "top_label", "classwise"}, optional
        What is to come true: the positive class (of two columns without names, the second); the most probable class of
        each row, the first of several; or each class in turn, where the errors of the classes become one number by the same norm
        (mean, root of the mean square, greatest), classes alike. Default: "binary" for at most two columns, else
        "top_label".
    bins : int
        How many bins, from 1 to 65536.
    strategy : {"uniform", "quantile"}
        Bins of one width over [0, 1], or of equal weight as in `rocksteady.ScoreTable.calibration`.
    norm : {"l1", "l2", "max"}
        As above.
    pos_label : label, optional
        The positive class, for "binary". Default: the greater label.
    labels : array-like of shape (K,), optional
        The classes of the columns, ascending, where `y_true` does not have all of them.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.

    Returns
    -------
    float
        In [0, 1]; NaN if all rows weigh nothing.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected; for a score outside [0, 1], too.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.scores.calibration_error([0, 0, 1, 1], [0.25, 0.5, 0.75, 1.0], bins=2)
    0.125
    >>> y_score = [[0.5, 0.25, 0.25], [0.25, 0.75, 0.0], [0.5, 0.0, 0.5]]
    >>> rs.scores.calibration_error([0, 1, 2], y_score, bins=2, mode="top_label")
    0.08333333333333333
    """
    paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
    y_score, classes = by_class(y_score, labels, y_true, "y_score")
    if labels is None and classes is not None and len(classes) == 2 and mode in (None, "binary"):
        if pos_label == classes[0]:
            y_score = np.asarray(y_score)[:, ::-1]
        classes = None
    rows = (y_true, y_score, sample_weight)
    return _rocksteady.calibration_error(rows, mode, bins, strategy, norm, pos_label, classes)


#: Where the light turns yellow, and red: the chance of more positives than there were.
_YELLOW: Final = 0.05
_RED: Final = 0.0001


@dataclass(frozen=True, eq=False, repr=False)
class BackTest(Result):
    """The promised probabilities of grades against what came true; entry *i* of each array is grade *i*.

    Attributes
    ----------
    grades : numpy.ndarray
        What the grades are called.
    rows, positives : numpy.ndarray
        How many rows the grade has, and how many of them are positive: in default.
    probability : numpy.ndarray
        The probability that was promised, in [0, 1].
    observed : numpy.ndarray
        ``positives / rows``; NaN without rows.
    jeffreys : numpy.ndarray
        The p-value of the Jeffreys test: the probability that the true rate is at most `probability`, if the rate has a beta
        distribution with ``positives + 1/2`` and ``rows - positives + 1/2``. Small where the promise was too low.
    binomial : numpy.ndarray
        The p-value of the exact binomial test: the probability of at least so many positives if the promise is right.
    jeffreys_adjusted, binomial_adjusted : numpy.ndarray
        The same, adjusted for the number of grades (Holm 1979).
    light : numpy.ndarray of str
        "green", "yellow" where at most as many positives had a probability of 95 % or more if the promise is right, "red"
        from 99.99 % on: Basel's zones. "none" without rows.
    expected : float
        The number of positives that was promised for all rows.
    p_value : float
        The p-value of the Jeffreys test of all rows together, at their mean promised probability.
    herfindahl : float
        How concentrated the rows are: the sum of the squared shares of the grades, from 1 / (number of grades) to 1.
    """

    _first: ClassVar[tuple[str, ...]] = (
        "grades",
        "rows",
        "positives",
        "probability",
        "observed",
        "jeffreys_adjusted",
        "light",
    )

    grades: NDArray[Any]
    rows: NDArray[np.float64]
    positives: NDArray[np.float64]
    probability: NDArray[np.float64]
    observed: NDArray[np.float64]
    jeffreys: NDArray[np.float64]
    binomial: NDArray[np.float64]
    jeffreys_adjusted: NDArray[np.float64]
    binomial_adjusted: NDArray[np.float64]
    light: NDArray[np.str_]
    _: KW_ONLY
    expected: float
    p_value: float
    herfindahl: float


def back_test(
    rows: ArrayLike, positives: ArrayLike, probability: ArrayLike, *, grades: ArrayLike | None = None
) -> BackTest:
    """Test whether the probabilities that were promised for grades are too low, such as probabilities of default.

    The tests are one-sided: a small p-value says that more rows were positive than promised. They take the rows of a grade
    to be independent; defaults of one year are not quite, so they find too much rather than too little.

    Parameters
    ----------
    rows, positives : array-like of shape (m,)
        How many rows each grade, or score band, has, and how many of them are positive. Whole numbers.
    probability : array-like of shape (m,)
        What was promised, in [0, 1].
    grades : array-like of shape (m,), optional
        What the grades are called. Default: 1 to m.

    Returns
    -------
    BackTest

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        If the columns have different lengths, a number is not whole or is negative, there are more positives than rows, or a
        probability is not in [0, 1].

    References
    ----------
    Jeffreys test: European Central Bank 2019, Instructions for reporting the validation results of internal models, 2.5.3.
    Lights: Basel Committee on Banking Supervision 1996, Supervisory framework for the use of "backtesting".

    Examples
    --------
    Of rows with scores, ``by.sizes``, ``by.positive_sizes`` and ``by.every("mean_score")`` of `rocksteady.group_by` are the
    three columns.

    >>> import rocksteady as rs
    >>> found = rs.scores.back_test([250, 250, 250], [4, 5, 10], [0.01, 0.01, 0.01], grades=["A", "B", "C"])
    >>> found.light.tolist(), found.binomial.round(4)
    (['green', 'yellow', 'red'], array([0.2419, 0.1078, 0.0003]))
    >>> found.jeffreys_adjusted.round(4), round(found.p_value, 6), round(found.herfindahl, 4)
    (array([0.1648, 0.1357, 0.0004]), 0.000168, 0.3333)
    """
    given = {"rows": rows, "positives": positives, "probability": probability}
    paired(rows, {**given, "grades": grades}, first="rows")
    columns = [_column_of_grades(values, name) for name, values in given.items()]
    counts, events, promised = columns
    names = np.arange(1, len(counts) + 1) if grades is None else as_array(grades, "grades", "a name for each grade")
    for name, column in zip([*given, "grades"], [*columns, names], strict=True):
        if column.shape != counts.shape:
            raise InputError(
                f"{name} has the shape {column.shape}, rows {counts.shape}; expected one number for each grade in both",
                argument=name,
            )
    for name, column, most, expected in (
        ("rows", counts, np.full(len(counts), 2.0**53), "a whole number of rows, 0 or more"),
        ("positives", events, counts, "a whole number from 0 to the rows of the grade"),
    ):
        _refuse(name, column, (column < 0) | (column > most) | (column != np.floor(column)), expected)
    _refuse("probability", promised, (promised < 0) | (promised > 1), "a number in [0, 1]")
    total = float(counts.sum())
    if not total:
        raise InputError("rows are 0 in all grades; expected rows in one grade at least", argument="rows")
    jeffreys, binomial, beyond = (
        np.array([of(*one) for one in zip(events.tolist(), counts.tolist(), promised.tolist(), strict=True)])
        for of in (_jeffreys, _at_least, _more_than)
    )
    light = np.where(beyond > _YELLOW, "green", np.where(beyond > _RED, "yellow", "red"))
    has_rows = counts > 0
    observed = np.divide(events, counts, out=np.full(len(counts), np.nan), where=has_rows)
    adjusted = [_rocksteady.adjusted_p_values(each, "holm") for each in (jeffreys, binomial)]
    sum_promised = float((counts * promised).sum())
    return BackTest(
        names.copy(),
        counts,
        events,
        promised,
        observed,
        jeffreys,
        binomial,
        adjusted[0],
        adjusted[1],
        np.where(has_rows, light, "none"),
        expected=sum_promised,
        p_value=_jeffreys(float(events.sum()), total, sum_promised / total),
        herfindahl=float(((counts / total) ** 2).sum()),
    )


def _column_of_grades(values: ArrayLike, argument: str) -> NDArray[np.float64]:
    column = np.array(numbers(values, argument), dtype=np.float64)
    if column.ndim != 1 or not len(column):
        raise InputError(
            f"{argument} has the shape {column.shape}; expected one number for each grade", argument=argument
        )
    _refuse(argument, column, ~np.isfinite(column), "a finite number")
    return column


def _refuse(argument: str, column: NDArray[np.float64], wrong: NDArray[np.bool_], expected: str) -> None:
    """Refuse a column with a wrong number, naming the first."""
    if wrong.any():
        row = int(np.argmax(wrong))
        value = f"{column[row]:g}"
        raise InputError(
            f"{argument}[{row}] is {value}; expected {expected}",
            argument=argument,
            row=row,
            value=value,
            expected=expected,
        )


def _jeffreys(positives: float, rows: float, promised: float) -> float:
    """The probability that a rate is at most what was promised, after so many positives."""
    return _rocksteady.beta_cdf(positives + 0.5, rows - positives + 0.5, promised) if rows else float("nan")


def _at_least(positives: float, rows: float, promised: float) -> float:
    """The probability of so many positives or more."""
    if not rows:
        return float("nan")
    return _rocksteady.beta_cdf(positives, rows - positives + 1, promised) if positives else 1.0


def _more_than(positives: float, rows: float, promised: float) -> float:
    """The probability of more positives."""
    return _at_least(positives + 1, rows, promised) if positives < rows else 0.0

"""Two models compared by their values on the folds of a cross-validation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import flag, listed, not_negative, numbers, one_of, real, wrong_type, wrong_value
from rocksteady.base.prevalence import share
from rocksteady.base.record import Record
from rocksteady.base.table import number
from rocksteady.errors import InputError
from rocksteady.inference.band import Band, points_of
from rocksteady.inference.difference import level_of, p_text
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

_ALIKE: Final = "All folds have the same difference, so they do not show how it scatters."
_POINTS: Final = "Each point has this level. The whole curve leaves the band more often."
#: The share of rows that a bootstrap sample holds.
_OUT: Final = 0.632
_RATE: Final = "an error rate from 0 to 1"
_ALIKE_PAIRS: Final = "Both folds of each repeat have the same difference, so they do not show how it scatters."


@dataclass(frozen=True, slots=True, repr=False)
class FoldDifference(Record):
    """The values of one model on the folds less those of another, with interval, test and probabilities.

    Attributes
    ----------
    estimate : float
        The mean difference over the folds.
    low, high : float
        The bounds of the interval; NaN where there is none.
    level : float
        The confidence level.
    standard_error : float
        Of the mean difference, corrected for the rows that training sets share.
    statistic, degrees_of_freedom : float
        Student's t, and its degrees of freedom.
    p_value : float
        The probability of a mean difference at least as great, of either sign, between models that are equal.
    rope : float
        Differences up to this are too small to matter (the region of practical equivalence).
    probability_lower, probability_same, probability_higher : float
        That the difference is below -`rope`, within it, and above `rope`: Student's distribution around the estimate, the
        posterior of the Bayesian correlated t-test without prior knowledge.
    why : str or None
        Why there is no interval.
    """

    estimate: float
    low: float
    high: float
    level: float
    standard_error: float
    statistic: float
    degrees_of_freedom: float
    p_value: float
    rope: float
    probability_lower: float
    probability_same: float
    probability_higher: float
    why: str | None = None

    def __repr__(self) -> str:
        mean = f"mean difference {number(self.estimate, 3)}"
        if self.why:
            return f"{mean}. {self.why}"
        interval = f"{number(100 * self.level)} % interval {number(self.low, 3)} to {number(self.high, 3)}"
        shares = f"higher {self.probability_higher:.1%}, lower {self.probability_lower:.1%}"
        same = f", within {number(self.rope)} of each other {self.probability_same:.1%}" if self.rope else ""
        return f"{mean}, {interval}, {p_text(self.p_value)}.\nThe first is {shares}{same}."


def compare_folds(
    first: ArrayLike, second: ArrayLike, *, test_share: float, rope: float = 0.0, level: float = 0.95
) -> FoldDifference:
    """Compare two models by an index on each fold of a cross-validation, repeated or not.

    Folds share most of their training rows, so their values depend on each other, and a plain paired t-test finds
    differences that are not there. Here the variance is corrected for that.

    Parameters
    ----------
    first, second : array-like of shape (folds,) or (repeats, folds)
        An index of both models on the same folds. ``rs.group_by(y, y_score=s, by=fold).every("roc_auc")`` gives it.
    test_share : float
        The share of the rows that are in a test fold: 0.1 for ten folds.
    rope : float
        Differences up to this are too small to matter.
    level : float
        The confidence level.

    Returns
    -------
    FoldDifference

    Raises
    ------
    rocksteady.InputError
        If there are fewer than two folds, the shapes differ, a value is missing or infinite, or `test_share` is not between
        0 and 1.

    Notes
    -----
    With m differences of variance s² and test share q, the variance of their mean is (1/m + q / (1 - q)) s² with m - 1
    degrees of freedom (Nadeau, Bengio 2003, doi:10.1023/A:1024068626366). The probabilities are those of the Bayesian
    correlated t-test (Corani, Benavoli 2015, doi:10.1007/s10994-015-5486-z), whose correlation is q.

    >>> import rocksteady as rs
    >>> new, old = [0.83, 0.86, 0.84, 0.88, 0.85], [0.80, 0.85, 0.80, 0.86, 0.84]
    >>> rs.comparison.compare_folds(new, old, test_share=0.2, rope=0.01)
    mean difference 0.022, 95 % interval -0.00228 to 0.0463, p = 0.0657.
    The first is higher 87.9%, lower 1.1%, within 0.01 of each other 11.0%.
    """
    apart, rounding = differences(first, second)
    part, within, used = share(test_share, "test_share"), not_negative(rope, "rope"), level_of(level)
    mean, freedom = float(apart.mean()), float(apart.size - 1)
    error = math.sqrt((1 / apart.size + part / (1 - part)) * float(apart.var(ddof=1)))
    if error <= rounding:
        none = math.nan
        return FoldDifference(mean, none, none, used, 0.0, none, freedom, none, within, none, none, none, _ALIKE)
    reach = error * _rocksteady.student_t_quantile((1 - used) / 2, freedom)
    lower = t_tail((within + mean) / error, freedom)
    higher = t_tail((within - mean) / error, freedom)
    return FoldDifference(
        mean,
        mean - reach,
        mean + reach,
        used,
        error,
        mean / error,
        freedom,
        2 * t_tail(abs(mean) / error, freedom),
        within,
        lower,
        max(1 - lower - higher, 0.0),
        higher,
    )


def band_over_folds(
    tables: Sequence[ScoreTable],
    curve: Literal["roc", "precision_recall", "gain"] = "roc",
    *,
    test_share: float,
    points: int = 101,
    level: float = 0.95,
) -> Band:
    """The mean curve of the folds of a cross-validation, with a band: at each x the mean of y, and its interval.

    Parameters
    ----------
    tables : sequence of ScoreTable
        The test rows of each fold.
    curve : {"roc", "precision_recall", "gain"}
        As for `ScoreTable.band`, which gives the curve of each fold.
    test_share : float
        As for `compare_folds`: 0.1 for ten folds.
    points : int
        How many x, from 2 to 10,000.
    level : float
        The share of repetitions, with other rows, in which the interval at an x holds the mean of what such training
        gives there.

    Returns
    -------
    rocksteady.results.Band
        `estimate` is the vertical average (Provost, Fawcett, Kohavi 1998; Fawcett 2006, doi:10.1016/j.patrec.2005.10.010).
        `low` and `high` are the corrected t-interval of `compare_folds` at each x, cut to 0 and 1. Where all folds have one
        y it has no width.

    Raises
    ------
    rocksteady.InputError
        If there are fewer than two folds, or one has weights or rows of one class only.

    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(0)
    >>> y, fold = rng.integers(0, 2, 400), np.arange(400) % 5
    >>> score = y + rng.normal(size=400)
    >>> tables = [rs.ScoreTable(y[fold == k], score[fold == k]) for k in range(5)]
    >>> band = rs.comparison.band_over_folds(tables, test_share=0.2, points=3)
    >>> band.estimate.round(3), band.low.round(3), band.high.round(3)
    (array([0.131, 0.899, 1.   ]), array([0.001, 0.836, 1.   ]), array([0.262, 0.961, 1.   ]))
    """
    given = listed(tables, "tables", "a list of ScoreTable")
    part, used = share(test_share, "test_share"), level_of(level)
    for place, table in enumerate(given):
        if not isinstance(table, ScoreTable):
            raise wrong_type(table, f"tables[{place}]", "a ScoreTable")
        if not (table.positives and table.negatives):
            raise InputError(f"tables[{place}] has rows of one class; expected both in each fold", argument="tables")
    if len(given) < 2:
        raise InputError(f"tables has {len(given)} folds; expected two or more", argument="tables")
    curves = [points_of(table._state, curve, points) for table in given]
    values = np.array([y for _, y in curves])
    mean = values.mean(axis=0)
    error = np.sqrt((1 / len(given) + part / (1 - part)) * values.var(axis=0, ddof=1))
    reach = error * _rocksteady.student_t_quantile((1 - used) / 2, len(given) - 1.0)
    low, high = (np.clip(each, 0.0, 1.0) for each in (mean - reach, mean + reach))
    return Band(curves[0][0], mean, low, high, used, "folds", curve, 0, _POINTS)


def point_632(apparent: ConfusionMatrix, out_of_bag: float, *, plus: bool = True) -> float:
    """The error rate of a classifier on new rows, from that on its own training rows and that of the bootstrap: .632+.

    The error on the training rows is too low. That of bootstrap samples, on the rows that a sample left out, is too high, as
    a sample holds 63.2 % of the rows only. The estimate lies between them.

    Parameters
    ----------
    apparent : ConfusionMatrix
        The rows on which the classifier was trained, with its predictions for them.
    out_of_bag : float
        The error rate of classifiers trained on bootstrap samples, for the rows that are not in the sample: the mean over the
        samples, in [0, 1].
    plus : bool
        Whether the weight of `out_of_bag` grows from .632 to 1 as the classifier overfits. False gives the older .632.

    Returns
    -------
    float
        In [0, 1]; NaN without rows.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError

    Notes
    -----
    With the training error e, the error o and the error g of predictions that have nothing to do with the labels
    (1 - `chance_agreement` of the training rows), r = (o' - e) / (g - e), o' = min(o, g), where o' and g are greater than e, else
    0. The estimate is e + w (o' - e), w = .632 / (1 - .368 r). Efron, Tibshirani 1997,
    doi:10.1080/01621459.1997.10474007.

    >>> import rocksteady as rs
    >>> training = rs.ConfusionMatrix.from_counts([[48, 2], [3, 47]])
    >>> round(rs.comparison.point_632(training, 0.2), 4), round(rs.comparison.point_632(training, 0.2, plus=False), 4)
    (0.1581, 0.1448)
    """
    if not isinstance(apparent, ConfusionMatrix):
        raise wrong_type(apparent, "apparent", "a ConfusionMatrix of the training rows")
    outside = real(out_of_bag, "out_of_bag", _RATE)
    if not 0 <= outside <= 1:
        raise wrong_value(out_of_bag, "out_of_bag", _RATE)
    training = 1 - apparent["accuracy"]
    if not flag(plus, "plus"):
        return training + _OUT * (outside - training)
    guessed = 1 - apparent["chance_agreement"]
    least = min(outside, guessed)
    overfitting = (least - training) / (guessed - training) if training < min(least, guessed) else 0.0
    return training + _OUT / (1 - (1 - _OUT) * overfitting) * (least - training)


@dataclass(frozen=True, slots=True, repr=False)
class FiveByTwo(Record):
    """The test of two models by five repeats of twofold cross-validation.

    Attributes
    ----------
    estimate : float
        The mean difference over the ten folds.
    method : str
        "f" or "t".
    statistic : float
        The statistic.
    p_value : float
        The probability of one at least as great between models that are equal.
    why : str or None
        Why there is no test.
    """

    estimate: float
    method: str
    statistic: float
    p_value: float
    why: str | None = None

    def __repr__(self) -> str:
        return f"mean difference {number(self.estimate, 3)}, {self.why or p_text(self.p_value)}"


def five_by_two(first: ArrayLike, second: ArrayLike, *, method: Literal["f", "t"] = "f") -> FiveByTwo:
    """Compare two models by an index on five repeats of twofold cross-validation.

    Parameters
    ----------
    first, second : array-like of shape (5, 2)
        An index of both models: a row for each repeat, its two folds side by side.
    method : {"f", "t"}
        "f" takes all ten differences (Alpaydin 1999, doi:10.1162/089976699300016007); "t" the first one (Dietterich 1998,
        doi:10.1162/089976698300017197), so it depends on the order of the folds.

    Raises
    ------
    rocksteady.InputError
        If the shapes are not (5, 2), or a value is missing or infinite.

    Notes
    -----
    With s² the variance of both differences of a repeat, summed over the repeats: f = Σd² / (2 Σs²), which has Fisher's
    distribution with 10 and 5 degrees of freedom; t = d / √(Σs² / 5) with 5.

    >>> import rocksteady as rs
    >>> new = [[0.83, 0.86], [0.84, 0.88], [0.85, 0.84], [0.86, 0.83], [0.85, 0.87]]
    >>> old = [[0.80, 0.85], [0.80, 0.86], [0.84, 0.81], [0.82, 0.82], [0.84, 0.83]]
    >>> rs.comparison.five_by_two(new, old)
    mean difference 0.024, p = 0.165
    """
    apart, rounding = differences(first, second)
    if apart.shape != (5, 2):
        raise InputError(f"first and second have the shape {apart.shape}; expected (5, 2)", argument="first")
    one_of(method, "method", ("f", "t"))
    squares = float(((apart[:, 0] - apart[:, 1]) ** 2).sum() / 2)
    mean = float(apart.mean())
    if math.sqrt(squares) <= rounding:
        return FiveByTwo(mean, method, math.nan, math.nan, _ALIKE_PAIRS)
    if method == "t":
        statistic = float(apart[0, 0]) / math.sqrt(squares / 5)
        return FiveByTwo(mean, method, statistic, 2 * t_tail(abs(statistic), 5.0))
    statistic = float((apart**2).sum()) / (2 * squares)
    return FiveByTwo(mean, method, statistic, _rocksteady.beta_cdf(2.5, 5.0, 5 / (5 + 10 * statistic)))


def differences(
    first: ArrayLike, second: ArrayLike, each: Literal["fold", "row"] = "fold"
) -> tuple[NDArray[Any], float]:
    """The differences, and how much of them may be rounding."""
    one, other = (
        np.asarray(numbers(given, name), np.float64) for given, name in ((first, "first"), (second, "second"))
    )
    if one.shape != other.shape or one.ndim not in ({1, 2} if each == "fold" else {1}):
        raise InputError(
            f"first has the shape {one.shape}, second {other.shape}; expected the same {each}s of both",
            argument="second",
        )
    for values, name in ((one, "first"), (other, "second")):
        missing = np.flatnonzero(~np.isfinite(values))
        if missing.size:
            place = int(missing[0])
            raise InputError(
                f"{name} has {values.flat[place]} on {each} {place}; expected numbers", argument=name, row=place
            )
    if one.size < 2:
        raise InputError(f"there are {one.size} {each}s; expected two or more", argument="first")
    with np.errstate(over="ignore"):
        apart = one - other
    if not np.isfinite(apart).all():
        raise InputError(
            f"first and second differ by more than a float holds on {each} {int(np.argmax(~np.isfinite(apart).ravel()))}; "
            "expected smaller numbers",
            argument="first",
        )
    return apart, 8 * np.finfo(float).eps * float(max(np.abs(one).max(), np.abs(other).max()))


def t_tail(statistic: float, freedom: float) -> float:
    """The upper tail of Student's distribution."""
    beyond = _rocksteady.beta_cdf(freedom / 2, 0.5, freedom / (freedom + statistic * statistic)) / 2
    return beyond if statistic >= 0 else 1 - beyond

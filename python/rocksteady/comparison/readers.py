"""Modalities compared by several readers who read the same cases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import mapping, named, several, shown, string
from rocksteady.base.result import Result
from rocksteady.errors import InputError
from rocksteady.inference.difference import Difference, level_of
from rocksteady.inference.scores_compared import compare_scores
from rocksteady.registry.registry import index as definition

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Reals = NDArray[np.float64]

_BY_MODALITY: Final = "a mapping of modalities to mappings of readers to scores"
_ALIKE: Final = "The readers and the cases do not show how the values scatter: the variance is 0."


@dataclass(frozen=True, eq=False, repr=False)
class Readers(Result):
    """Modalities compared by several readers; entry *i* of each array is modality *i*.

    Attributes
    ----------
    modality : numpy.ndarray of str
        The modalities.
    mean : numpy.ndarray
        The mean of the index over the readers.
    standard_error, degrees_of_freedom, low, high : numpy.ndarray
        Of the mean, with its interval, from the rows of this modality alone; NaN where there is no variance.
    index : str
        The index.
    level : float
        The confidence level.
    readers : tuple of str
        The readers.
    values : tuple of tuple of float
        The index of each modality by each reader.
    statistic, numerator_freedom, denominator_freedom, p_value : float
        The F test that all modalities are equal; NaN where `why` says so.
    variance, cov1, cov2, cov3 : float
        The mean variance of a value, and the mean covariances: of one reader with two modalities, of two readers with one
        modality, and of two readers with two modalities.
    why : str or None
        Why there is no test.
    """

    _first: ClassVar[tuple[str, ...]] = ("modality", "mean", "standard_error", "low", "high")

    modality: NDArray[np.str_]
    mean: Reals
    standard_error: Reals
    degrees_of_freedom: Reals
    low: Reals
    high: Reals
    _: KW_ONLY
    index: str
    level: float
    readers: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    statistic: float
    numerator_freedom: float
    denominator_freedom: float
    p_value: float
    variance: float
    cov1: float
    cov2: float
    cov3: float
    why: str | None = None

    def difference(self, first: str, second: str, *, level: float | None = None) -> Difference:
        """The mean of one modality less that of another, with its interval and its test.

        Parameters
        ----------
        first, second : str
            The modalities.
        level : float, optional
            The confidence level.

        Returns
        -------
        Difference
            With Student's t distribution, and the degrees of freedom of the F test.
        """
        used = self.level if level is None else level_of(level)
        known = self.modality.tolist()
        a, b = (known.index(named(each, name, known)) for each, name in ((first, "first"), (second, "second")))
        estimate = float(self.mean[a] - self.mean[b])
        told: _rocksteady._Told
        if self.why is not None:
            told = (estimate, math.nan, math.nan, math.nan, math.nan, math.nan, self.why)
        else:
            values = np.array(self.values)
            error = math.sqrt(2 / len(self.readers) * _denominator(values, self.cov2, self.cov3)[1])
            freedom = self.denominator_freedom
            reach = error * _rocksteady.student_t_quantile((1 - used) / 2, freedom)
            ratio = estimate / error
            p_value = _rocksteady.beta_cdf(freedom / 2, 0.5, freedom / (freedom + ratio * ratio))
            told = (estimate, estimate - reach, estimate + reach, error, ratio, p_value, None)
        return Difference._of(told, self.index, (first, second), used, "obuchowski_rockette")

    def _facts(self) -> list[str]:
        return [fact for fact in super()._facts() if fact != "why None" and not fact.startswith("values ")]


def compare_readers(
    y_true: ArrayLike,
    y_score: Mapping[str, Mapping[str, ArrayLike]],
    *,
    index: str = "roc_auc",
    pos_label: object = None,
    cluster: Any = None,
    level: float = 0.95,
) -> Readers:
    """Compare modalities, such as two kinds of images, by several readers who read all cases in each (MRMC).

    Readers and cases are both samples: the interval is for other readers and other cases.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels of two kinds, one for each case.
    y_score : mapping of str to mapping of str to array-like of shape (n,)
        For each modality, for each reader, the scores of the cases. All modalities have the same readers: two or more of
        each.
    index : str
        As for `rocksteady.inference.compare_scores`.
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    cluster : column of keys, or several, optional
        Which cases belong together, such as those of one patient.
    level : float
        The confidence level.

    Returns
    -------
    Readers

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        If there are fewer than two modalities or readers, or modalities have different readers; and as `compare_scores`.

    Notes
    -----
    Obuchowski and Rockette 1995, doi:10.1080/03610919508813243, with the degrees of freedom of Hillis 2007,
    doi:10.1002/sim.2532. With t modalities and r readers, and the mean squares of modalities MS(T) and of modalities by readers
    MS(TR), F = MS(T) / D, D = MS(TR) + max(r (cov2 - cov3), 0), with t - 1 and (D / MS(TR))^2 (t - 1) (r - 1) degrees of
    freedom. The covariances of areas are DeLong's.

    Examples
    --------
    >>> import numpy as np, rocksteady as rs
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 50)
    >>> case, skill = rng.normal(size=100), {"Ann": 1.4, "Bo": 1.2, "Cy": 1.0}
    >>> scores = {
    ...     modality: {reader: gain * own * y + case + rng.normal(size=100) for reader, own in skill.items()}
    ...     for modality, gain in {"film": 1.0, "digital": 1.6}.items()
    ... }
    >>> found = rs.comparison.compare_readers(y, scores)
    >>> found.mean.round(3), round(found.statistic, 2), round(found.p_value, 4)
    (array([0.705, 0.787]), 34.25, 0.028)
    >>> found.difference("digital", "film")
    roc_auc of 'digital' less that of 'film': 0.0823, 95 % interval 0.0218 to 0.143, p = 0.028.
    roc_auc of 'digital' is higher than that of 'film': 0 lies outside the interval.
    """
    given = mapping(y_score, "y_score", _BY_MODALITY)
    by_modality = {}
    for name, each in given.items():
        modality = string(name, "y_score", _BY_MODALITY)
        by_modality[modality] = mapping(each, f"y_score[{shown(name)}]", "a mapping of readers to scores")
    names = list(by_modality)
    if len(names) < 2:
        raise InputError(f"y_score has {len(names)} modalities; expected two or more", argument="y_score")
    readers = [
        string(reader, f"y_score[{shown(names[0])}]", "readers whose names are text")
        for reader in by_modality[names[0]]
    ]
    if len(readers) < 2:
        raise InputError(
            f"y_score[{shown(names[0])}] has {len(readers)} readers; expected two or more. One reader is compared by "
            "rocksteady.inference.compare_scores",
            argument="y_score",
        )
    for name in names[1:]:
        if set(by_modality[name]) != set(readers):
            raise InputError(
                f"y_score[{shown(name)}] has the readers {several(by_modality[name])}; expected those of {shown(names[0])}: "
                f"{several(readers)}",
                argument="y_score",
            )
    columns = {f"{name}, {reader}": by_modality[name][reader] for name in names for reader in readers}
    if len(columns) < len(names) * len(readers):
        raise InputError(
            "y_score has names with commas that cannot be told apart; expected other names", argument="y_score"
        )
    found = compare_scores(y_true, columns, index=index, pos_label=pos_label, cluster=cluster, level=level)
    shape = (len(names), len(readers))
    values = np.array([*found.estimates.values()]).reshape(shape)
    covariance = found.covariance.reshape(*shape, *shape)
    return _analysed(values, covariance, names, readers, found.index, found.level, found.why)


def _analysed(
    values: Reals,
    covariance: Reals,
    names: list[str],
    readers: list[str],
    index: str,
    level: float,
    why: str | None,
) -> Readers:
    t, r = values.shape
    same_modality, same_reader = np.eye(t, dtype=bool)[:, None, :, None], np.eye(r, dtype=bool)[None, :, None, :]
    kinds = (same_modality & same_reader, ~same_modality & same_reader, same_modality & ~same_reader)
    means = [float(covariance[np.broadcast_to(kind, covariance.shape)].mean()) for kind in kinds]
    cov3 = float(covariance[np.broadcast_to(~same_modality & ~same_reader, covariance.shape)].mean())
    variance, cov1, cov2 = means
    mean = values.mean(axis=1)
    by_chance, below = _denominator(values, cov2, cov3)
    statistic = lower = p_value = math.nan
    upper = float(t - 1)
    if why is None and not by_chance > 0:
        why = _ALIKE
    if why is None:
        statistic = r * float(mean.var(ddof=1)) / below
        lower = (below / by_chance) ** 2 * (t - 1) * (r - 1)
        p_value = _rocksteady.beta_cdf(lower / 2, upper / 2, lower / (lower + upper * statistic))
    own = values.var(axis=1, ddof=1)
    pairs = ~np.eye(r, dtype=bool)
    apart = np.array([max(r * float(covariance[i, :, i, :][pairs].mean()), 0.0) for i in range(t)])
    error = np.where(own + apart > 0, np.sqrt((own + apart) / r), np.nan)
    freedom = np.divide(own + apart, own, out=np.full(t, np.nan), where=own > 0) ** 2 * (r - 1)
    reach = np.array(
        [
            one * _rocksteady.student_t_quantile((1 - level) / 2, each) if each == each else math.nan
            for one, each in zip(error.tolist(), freedom.tolist(), strict=True)
        ]
    )
    row = definition(index)
    return Readers(
        np.array(names),
        mean,
        error,
        freedom,
        np.maximum(mean - reach, row.low),
        np.minimum(mean + reach, row.high),
        index=index,
        level=level,
        readers=tuple(readers),
        values=tuple(map(tuple, values.tolist())),
        statistic=statistic,
        numerator_freedom=upper,
        denominator_freedom=lower,
        p_value=p_value,
        variance=variance,
        cov1=cov1,
        cov2=cov2,
        cov3=cov3,
        why=why,
    )


def _denominator(values: Reals, cov2: float, cov3: float) -> tuple[float, float]:
    """The mean square of modalities by readers, and the denominator of F."""
    t, r = values.shape
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0, keepdims=True) + values.mean()
    square = float((rest**2).sum()) / ((t - 1) * (r - 1))
    return square, square + max(r * (cov2 - cov3), 0.0)

"""How far two distributions are apart: the population stability index of scores and categories, and its relatives."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import not_negative, shown, wrong_type, wrong_value
from rocksteady.base.result import Result
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError
from rocksteady.registry.registry import Scale
from rocksteady.scores.gains import edges_of
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite

    Reals = NDArray[np.float64]

RULE_OF_THUMB = Scale(
    "population stability",
    ((-math.inf, "stable"), (0.1, "some shift"), (0.25, "shifted")),
    "Siddiqi 2006, Credit Risk Scorecards",
)


class _Stability(Result):
    """The base of both comparisons."""

    __slots__ = ()

    scale: ClassVar[Scale] = RULE_OF_THUMB

    psi: float

    def interpret(self) -> str | None:
        """The usual rule of thumb for `psi`: "stable" below 0.1, "some shift" below 0.25, else "shifted"; None for NaN.

        The rule knows nothing of the numbers of rows: of small samples even those of one distribution may have a `psi`
        above 0.1. `p_value` does.
        """
        if math.isnan(self.psi):
            return None
        return [word for edge, word in self.scale.bands if self.psi >= edge][-1]


@dataclass(frozen=True, eq=False, repr=False)
class PopulationStability(_Stability):
    """How far two distributions of scores are apart; entry *i* of each array is bin *i*, low scores first.

    Attributes
    ----------
    lower, upper : numpy.ndarray
        The bin is [lower, upper): scores from `lower` on and below `upper`; the first begins at -inf, the last ends
        with inf. A last bin of missing scores, where they are counted and there are any, has NaN.
    expected, actual : numpy.ndarray
        How many rows of the reference, and of the other, the bin holds, or their weight.
    expected_share, actual_share : numpy.ndarray
        The same as shares of all, in [0, 1].
    contribution : numpy.ndarray
        The bin's part of `psi`: ``(a - e) * ln(a / e)`` of the two shares, a share of 0 standing as `epsilon`; 0 where
        both are 0.
    bin_p_value : numpy.ndarray
        How probable shares so far apart were in any bin if both were drawn from one distribution: a chi-squared test of
        the bin against the others, adjusted for the number of bins (Holm 1979). NaN where both shares are 0, or both 1.
    psi : float
        The population stability index: the sum of `contribution`; from 0. NaN without rows.
    jensen_shannon : float
        The Jensen–Shannon divergence of the shares, in nats: 0 to ln 2, without need of `epsilon`.
    ks : float
        The greatest distance of the cumulative shares at the ends of bins, in [0, 1]. That of the scores themselves,
        which is at least as great, is ``ScoreTable(is_actual, scores)["ks"]``.
    total_variation : float
        Half the sum of the absolute differences of the shares, in [0, 1]: the share of rows that would have to move.
    chi_squared : float
        Pearson's statistic of the two rows of numbers.
    degrees_of_freedom : int
        Bins that are not empty in both, less one.
    p_value : float
        How probable so great a `chi_squared` were if both were drawn from one distribution, bins given; weights are
        taken for numbers of rows. NaN with one bin only.
    epsilon : float
        What stands for a share of 0 in `psi`.
    """

    lower: Reals
    upper: Reals
    expected: Reals
    actual: Reals
    expected_share: Reals
    actual_share: Reals
    contribution: Reals
    bin_p_value: Reals
    _: KW_ONLY
    psi: float
    jensen_shannon: float
    ks: float
    total_variation: float
    chi_squared: float
    degrees_of_freedom: int
    p_value: float
    epsilon: float

    @property
    def edges(self) -> Reals:
        """The inner edges of the bins, ascending: what `population_stability` takes as ``edges=`` for the same bins."""
        lower = self.lower[1:]
        return lower[~np.isnan(lower)]


@dataclass(frozen=True, eq=False, repr=False)
class CategoryStability(_Stability):
    """How far two distributions of labels are apart; entry *i* of each array is label *i*, ascending.

    Attributes
    ----------
    labels : numpy.ndarray
        The labels of both.
    expected, actual, expected_share, actual_share, contribution, bin_p_value : numpy.ndarray
        As in `PopulationStability`, for labels instead of bins.
    psi, jensen_shannon, total_variation, chi_squared, p_value, epsilon : float
        As in `PopulationStability`.
    degrees_of_freedom : int
        Labels that have rows, less one.
    """

    labels: NDArray[Any]
    expected: Reals
    actual: Reals
    expected_share: Reals
    actual_share: Reals
    contribution: Reals
    bin_p_value: Reals
    _: KW_ONLY
    psi: float
    jensen_shannon: float
    total_variation: float
    chi_squared: float
    degrees_of_freedom: int
    p_value: float
    epsilon: float


def population_stability(
    expected: ScoreTable | ArrayLike,
    actual: ScoreTable | ArrayLike,
    *,
    bins: int = 10,
    strategy: Literal["quantile", "uniform"] = "quantile",
    edges: ArrayLike | None = None,
    epsilon: float = 1e-4,
    expected_weight: ArrayLike | None = None,
    actual_weight: ArrayLike | None = None,
    nan_policy: Literal["raise", "omit", "bin"] = "raise",
    infinite: Infinite = "raise",
) -> PopulationStability:
    """The population stability index (PSI) of two sets of scores, bin by bin, and other distances between them.

    The bins follow from `expected`, the reference, alone: bins of nearly equal weight, each beginning at a score that
    occurs, the one below which the share of rows is nearest to k/bins. Heavy ties make fewer bins, none of them empty.

    Parameters
    ----------
    expected, actual : array-like of shape (n,), or ScoreTable
        Scores of any real type, compared exactly as they are: those to compare with, say of the training data, and
        those of today. Or two score tables, of both classes together, which takes no pass over rows.
    bins : int
        How many bins to make, 1 to 65,536.
    strategy : {"quantile", "uniform"}
        Bins of equal weight, or of equal width from the lowest to the highest reference score.
    edges : array-like of float, optional
        The inner edges instead, ascending: one bin below the first, one from each on and below the next, one from the
        last on.
    epsilon : float
        What stands for a share of 0 in the index, which would else be infinite; with 0 it is.
    expected_weight, actual_weight : array-like of shape (n,), optional
        Weights of the rows, finite and not negative; not with score tables, which have their own.
    nan_policy : {"raise", "omit", "bin"}
        What to do with missing scores: refuse them, leave them out, or count them in a bin of their own. Missing scores
        that are ranked in a score table are in a bin of their own.
    infinite : {"raise", "allow"}
        Whether infinite scores are counted.

    Returns
    -------
    PopulationStability

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected. A reference with one distinct score is refused
        without `edges`, unless `actual` has the same score only: it makes one bin, which holds any other scores, too.

    References
    ----------
    Siddiqi 2006, Credit Risk Scorecards, ISBN 978-0-471-75451-0; as a divergence Jeffreys 1946,
    doi:10.1098/rspa.1946.0056.

    Examples
    --------
    >>> import rocksteady as rs
    >>> found = rs.scores.population_stability([0.1, 0.2, 0.3, 0.4], [0.2, 0.4, 0.5, 0.6], bins=2)
    >>> found.edges, found.actual_share
    (array([0.3]), array([0.25, 0.75]))
    >>> round(found.psi, 6), found.interpret()
    (0.274653, 'shifted')
    """
    _side_by_side(expected, expected_weight, actual, actual_weight)
    small = not_negative(epsilon, "epsilon")
    cuts = edges_of(edges)
    if isinstance(expected, ScoreTable) and isinstance(actual, ScoreTable):
        for weight, argument in ((expected_weight, "expected_weight"), (actual_weight, "actual_weight")):
            if weight is not None:
                raise wrong_value(weight, argument, "None, as score tables have weights of their own")
        inner, missing, columns, single = _rocksteady.stability_of_tables(
            expected._state, actual._state, bins, strategy, cuts, small
        )
    elif isinstance(expected, ScoreTable) or isinstance(actual, ScoreTable):
        argument = "actual" if isinstance(expected, ScoreTable) else "expected"
        raise wrong_type(
            actual if argument == "actual" else expected,
            argument,
            "a ScoreTable, as the other is, or two columns of scores",
        )
    else:
        inner, missing, columns, single = _rocksteady.stability_of_columns(
            expected, actual, bins, strategy, cuts, small, expected_weight, actual_weight, nan_policy, infinite
        )
    if edges is None and not len(inner):
        _refuse_one_score(expected, actual, columns[0], bool(missing), (expected_weight, actual_weight))
    after = [math.nan] if missing else []
    lower = np.concatenate(([-math.inf], inner, after))
    upper = np.concatenate((inner, [math.inf], after))
    psi, jensen_shannon, ks, total_variation, chi_squared, freedom, p_value = single
    columns = [*columns, _of_bins(*columns[:2])]
    return PopulationStability(
        lower,
        upper,
        *columns,
        psi=psi,
        jensen_shannon=jensen_shannon,
        ks=ks,
        total_variation=total_variation,
        chi_squared=chi_squared,
        degrees_of_freedom=freedom,
        p_value=p_value,
        epsilon=small,
    )


def _of_bins(expected: Reals, actual: Reals) -> Reals:
    """The p-value of each bin against the others, adjusted for their number; there may be a million categories."""
    rows = expected.sum(), actual.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        pooled = (expected + actual) / (rows[0] + rows[1])
        error = np.sqrt(pooled * (1 - pooled) * (1 / rows[0] + 1 / rows[1]))
        apart = np.abs(expected / rows[0] - actual / rows[1]) / error / math.sqrt(2)
    apart[~((pooled > 0) & (pooled < 1))] = math.nan
    p_values = np.fromiter(map(math.erfc, apart.tolist()), np.float64, len(apart))
    return _rocksteady.adjusted_p_values(p_values, "holm")


def _side_by_side(expected: Any, expected_weight: Any, actual: Any, actual_weight: Any) -> None:
    """Warn about weights whose index labels are in another order than the labels of their column."""
    paired(expected, {"expected_weight": expected_weight}, first="expected")
    paired(actual, {"actual_weight": actual_weight}, first="actual")


def _refuse_one_score(expected: Any, actual: Any, counted: Reals, missing: bool, weights: tuple[Any, Any]) -> None:
    """Refuse a reference with one distinct score, which makes one bin, if the other column has other scores."""
    if not (counted[:-1] if missing else counted).any():
        return
    scores, others = map(_distinct, (expected, actual), weights)
    if len(scores) == 1 and len(others) and not np.array_equal(scores, others):
        only = scores.tolist()[0]
        raise InputError(
            f"expected has one distinct score, {shown(only)}, so that all scores are in one bin; expected two or more, or "
            "edges= with the inner edges of bins",
            argument="expected",
            value=shown(only),
            expected="two or more distinct scores",
        )


def _distinct(scores: Any, weight: Any) -> Reals:
    """The distinct scores of rows, or of a table."""
    if not isinstance(scores, ScoreTable):
        truth = np.zeros(len(scores), dtype=np.bool_)
        scores = ScoreTable(truth, scores, sample_weight=weight, pos_label=True, nan_policy="omit", infinite="allow")
    found: Reals = scores.thresholds[1:].astype(np.float64)  # the first is above all scores
    return found[~np.isnan(found)]


def category_stability(
    expected: ArrayLike,
    actual: ArrayLike,
    *,
    epsilon: float = 1e-4,
    expected_weight: ArrayLike | None = None,
    actual_weight: ArrayLike | None = None,
) -> CategoryStability:
    """The population stability index (PSI) of two columns of labels, such as predicted classes, grades or categories.

    Parameters
    ----------
    expected, actual : array-like of shape (n,)
        Labels of any kind, both of one: those to compare with, and those of today.
    epsilon : float
        What stands for a share of 0 in the index; with 0 a label that only one of them has makes it infinite.
    expected_weight, actual_weight : array-like of shape (n,), optional
        Weights of the rows, finite and not negative.

    Returns
    -------
    CategoryStability

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For missing labels, text beside numbers, no rows.

    Examples
    --------
    >>> import rocksteady as rs
    >>> found = rs.scores.category_stability(["A", "A", "B", "B"], ["A", "B", "B", "B"])
    >>> found.labels.tolist(), round(found.psi, 6), found.total_variation
    (['A', 'B'], 0.274653, 0.25)
    """
    _side_by_side(expected, expected_weight, actual, actual_weight)
    small = not_negative(epsilon, "epsilon")
    labels, columns, single = _rocksteady.stability_of_labels(expected, actual, small, expected_weight, actual_weight)
    psi, jensen_shannon, _, total_variation, chi_squared, freedom, p_value = single
    columns = [*columns, _of_bins(*columns[:2])]
    return CategoryStability(
        labels,
        *columns,
        psi=psi,
        jensen_shannon=jensen_shannon,
        total_variation=total_variation,
        chi_squared=chi_squared,
        degrees_of_freedom=freedom,
        p_value=p_value,
        epsilon=small,
    )

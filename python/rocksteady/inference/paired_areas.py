"""Models compared by the area under the ROC curve, on the same rows."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag, listed, named, not_negative, one_of, string
from rocksteady.base.named_columns import by_name, of_one_classifier, refused_as
from rocksteady.base.table import Table, number
from rocksteady.base.warning import warn
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.categories import positive_in_order
from rocksteady.columns.complete import complete
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError, InputTypeError
from rocksteady.inference.clusters import codes_of
from rocksteady.inference.difference import Difference, NonInferiority, level_of, p_text, pairs_table
from rocksteady.inference.interval import Interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import NanPolicy, WeightKind
    from rocksteady.base.table import Cell
    from rocksteady.inference.difference import Adjust


def compare_scores(
    y_true: ArrayLike,
    y_score: ArrayLike | Mapping[str, ArrayLike],
    *,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    cluster: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
    level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    align: bool = False,
) -> ComparedScores:
    """Compare the areas under the ROC curve of several models on the same rows.

    The models score the same rows, so their areas rise and fall together. Their covariance is that of DeLong, DeLong and
    Clarke-Pearson 1988 (doi:10.2307/2531595): with V the share of the other class that a model puts on the right side of
    a row, ties counted half, it is cov(V, V') over the positive rows divided by their number, plus the same over the
    negative rows. Each column is sorted once.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels of two kinds.
    y_score : mapping, data frame, or array-like of shape (n, m) or (n,)
        Scores of the positive class: columns by the models' names, or a column for each of m models.
    names : sequence of str, optional
        What the models are called, where they have no names yet.
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    cluster : array-like of shape (n,), optional
        Which rows belong together, such as those of one patient: whole numbers, text, dates or any other values that can
        be keys. Clusters are independent of each other, rows of one cluster are not (Obuchowski 1997,
        doi:10.2307/2533958).
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    weight_kind : {"counts", "sampling"}
        What a weight says. "counts": the row stands for so many rows. "sampling": the row is one row, which was drawn
        with a probability in proportion to one over the weight; then the variance is that of a sandwich, from the squares
        of the rows' influences. With `cluster`, influences are added up within clusters for both.
    level : float
        The confidence level of intervals, unless a method is given another.
    nan_policy : {"raise", "omit", "worst", "best"}
        What to do with missing values. "omit" leaves out rows where a label, a cluster or any score is missing. "worst"
        and "best" rank a missing score below all or above all others.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.

    Returns
    -------
    ComparedScores

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order; if two unnamed columns look like the probabilities
        of one classifier.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row or model, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> found = rs.inference.compare_scores(
    ...     y_true, {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
    ... )
    >>> found.estimates
    {'old': 0.75, 'new': 0.875}
    >>> round(found.difference("new", "old").p_value, 6)
    0.540291
    """
    one_of(nan_policy, "nan_policy", ("raise", "omit", "worst", "best"))
    given = None if names is None else [string(name, "names") for name in listed(names, "names", "a list of names")]
    if names is None and of_one_classifier(y_score):
        warn(
            "the two columns of y_score add up to 1 in each row, as probabilities of one classifier do, and are compared "
            "as two models"
        )
    columns = by_name(y_score, "y_score", given)
    if not columns:
        raise InputError("y_score is empty; expected a column for each model", argument="y_score")
    said = {name: "y_score" if len(columns) == 1 else f"y_score[{name!r}]" for name in columns}
    others = {"sample_weight": sample_weight, "cluster": cluster}
    given_columns = {**{said[name]: column for name, column in columns.items()}, **others}
    found = paired(y_true, given_columns, align=flag(align, "align"))
    truth: Any = without_index(y_true)
    positive = positive_in_order(y_true) if pos_label is None else pos_label
    if nan_policy == "omit":
        needed = {name: column for name, column in found.items() if name != "sample_weight" and column is not None}
        found, _ = complete({"y_true": truth, **needed}, {"sample_weight": found["sample_weight"]})
        truth = found["y_true"]
    policy = "raise" if nan_policy == "omit" else nan_policy
    try:
        areas = areas_of(
            truth,
            {name: (found[said[name]], said[name]) for name in columns},
            pos_label=positive,
            sample_weight=found["sample_weight"],
            weight_kind=weight_kind,
            cluster=found.get("cluster"),
            nan_policy=policy,
        )
    except InputError as error:
        raise hints.of_gap(error) from None
    return ComparedScores(areas, list(columns), level=level)


def areas_of(
    y_true: Any,
    columns: dict[str, tuple[Any, str]],
    *,
    pos_label: Any,
    sample_weight: Any,
    weight_kind: str,
    cluster: Any,
    nan_policy: str,
) -> _rocksteady.AreasState:
    """The areas of models, from their columns and what refusals call these."""
    rows = _rows(y_true, sample_weight, weight_kind, cluster, pos_label)
    placed = []
    for column, said in columns.values():
        with refused_as("y_score", said):
            placed.append(rows.place(column, nan_policy))
    return rows.areas(placed)


def _rows(
    y_true: Any, sample_weight: Any, weight_kind: str, cluster: Any, pos_label: Any
) -> _rocksteady.PairedRowsState:
    try:
        return _rocksteady.PairedRowsState.read(y_true, sample_weight, weight_kind, cluster, pos_label)
    except (InputError, InputTypeError) as error:
        if error.argument != "cluster" or error.value == "missing":
            raise
    codes, _ = codes_of(cluster, "cluster")
    return _rocksteady.PairedRowsState.read(y_true, sample_weight, weight_kind, codes, pos_label)


class ComparedScores(WaysOut):
    """Areas under the ROC curve of several models on the same rows, and how they vary together; of `compare_scores`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
    >>> found = rs.inference.compare_scores(y_true, scores)
    >>> found.covariance.round(4)
    array([[0.0417, 0.0104],
           [0.0104, 0.0208]])
    >>> interval = found.interval("new")
    >>> round(interval.low, 4), round(interval.high, 4), interval.method
    (0.3451, 0.9894, 'logit')
    """

    __slots__ = ("_state", "level", "names")

    #: The models, in the given order.
    names: tuple[str, ...]
    #: The confidence level of intervals, unless a method gets another one.
    level: float

    def __init__(self, state: _rocksteady.AreasState, names: Sequence[str], *, level: float = 0.95) -> None:
        self._state = state
        self.names = tuple(names)
        self.level = level_of(level)

    @property
    def estimates(self) -> dict[str, float]:
        """The area under the ROC curve of each model."""
        return dict(zip(self.names, self._state.parts()[0], strict=True))

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of the areas, shape (m, m), in the order of `names`; NaN where `why` says so."""
        return self._state.covariance()[1]

    @property
    def why(self) -> str | None:
        """Why there are no areas or no variances; None if there are."""
        return self._state.parts()[3]

    def _place(self, name: object, argument: str) -> int:
        return self.names.index(named(name, argument, self.names))

    def interval(
        self, name: str, *, level: float | None = None, method: Literal["logit", "delong", "blended"] = "logit"
    ) -> Interval:
        """The area of one model with its interval.

        Parameters
        ----------
        name : str
            The model.
        level : float, optional
            The confidence level.
        method : {"logit", "delong", "blended"}
            "delong" is the area plus and minus z standard errors, and may leave [0, 1]: it is cut there. "logit" is the
            same for log(A / (1 - A)), which stays inside, and covers better where areas are high. "blended" is that of
            `ScoreTable.interval`, which is ours: it also has a width where the variance is 0. Of clusters, it takes
            their number for that of the rows.

        Returns
        -------
        Interval
            The bounds of "delong" and "logit" are NaN where the variance is 0, as for perfect scores.
        """
        used = self.level if level is None else level_of(level)
        found = self._state.interval(self._place(name, "name"), used, method)
        return Interval(*found[:3], used, method, "two-sided", found[3], found[6])

    def difference(self, first: str, second: str, *, level: float | None = None) -> Difference:
        """The area of one model less that of another, with its interval and its test (DeLong's).

        Parameters
        ----------
        first, second : str
            The models.
        level : float, optional
            The confidence level.

        Returns
        -------
        Difference
            For models that rank every pair of rows alike the p-value is 1 and there is no interval.
        """
        used = self.level if level is None else level_of(level)
        places = self._place(first, "first"), self._place(second, "second")
        return Difference._of(self._state.difference(*places, used), "roc_auc", (first, second), used, "delong")

    def non_inferior(self, first: str, second: str, *, margin: float, level: float | None = None) -> NonInferiority:
        """Test whether the area of one model is at most `margin` below that of another.

        Parameters
        ----------
        first, second : str
            The models.
        margin : float
            What counts as no worse, to be chosen before the data are seen.
        level : float, optional
            The confidence level of the one-sided interval: the test is at 1 less this.

        Returns
        -------
        NonInferiority

        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> rs.inference.compare_scores(y_true, scores).non_inferior("new", "old", margin=0.25)
        It is shown that roc_auc of 'new' is at most 0.25 below that of 'old':
        difference 0.125, lower 95 % bound -0.211, p = 0.0331.
        """
        used = self.level if level is None else level_of(level)
        most = not_negative(margin, "margin")
        a, b = self._place(first, "first"), self._place(second, "second")
        found = self._state.difference(a, b, 2 * used - 1 if used > 0.5 else used)
        estimate, low, why = found[0], found[1], found[6]
        statistic, p_value = self._state.non_inferior(a, b, most)
        if why is not None:
            statistic = p_value = low = math.nan
        return NonInferiority("roc_auc", first, second, most, estimate, low, used, statistic, p_value, why)

    @property
    def _joint(self) -> tuple[float, int, float]:
        return self._state.equal() or (math.nan, 0, math.nan)

    @property
    def statistic(self) -> float:
        """The statistic of the test that all areas are equal: chi-squared with `degrees_of_freedom`."""
        return self._joint[0]

    @property
    def degrees_of_freedom(self) -> int:
        """The rank of the covariance of the differences; the number of models less one, unless models depend on others."""
        return self._joint[1]

    @property
    def p_value(self) -> float:
        """The p-value of the test that all areas are equal (DeLong et al. 1988); NaN where there is none."""
        return self._joint[2]

    def summary(self, *, adjust: Adjust = "holm", level: float | None = None) -> Table:
        """The difference of every two models.

        Parameters
        ----------
        adjust : {"holm", "bh", "none"}
            How p-values allow for the number of tests. "holm" (Holm 1979) keeps the chance of any wrong rejection below
            the level; "bh" (Benjamini, Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x) the expected share of wrong
            ones among all rejections. The intervals are those of single differences.
        level : float, optional
            The confidence level.

        Returns
        -------
        Table
            First, second, difference, low, high, p-value, and the adjusted p-value unless `adjust` is "none".
        """
        return pairs_table([self.difference(a, b, level=level) for a, b in combinations(self.names, 2)], adjust)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._state.parts(), self.names, self.level)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComparedScores):
            return NotImplemented
        return repr(self._state.parts()) == repr(other._state.parts()) and (self.names, self.level) == (
            other.names,
            other.level,
        )

    __hash__ = None  # type: ignore[assignment]

    def _verdict(self) -> str:
        if self.why is not None:
            return self.why
        if len(self.names) == 1:
            return ""
        if len(self.names) == 2:
            return repr(self.difference(*self.names))
        if math.isnan(self.p_value):
            return "There is no test that all are equal, as a difference has no variance."
        differ = self.p_value < 1 - self.level
        test = f"chi-squared {number(self.statistic, 3)} with {self.degrees_of_freedom} degrees of freedom, {p_text(self.p_value)}"
        words = "The models are not all equal" if differ else "No difference between the models is shown"
        return f"{words}: {test}."

    def _areas(self) -> Table:
        found = [self.interval(name) for name in self.names]
        rows: list[list[Cell]] = [
            [name, float(each.estimate), float(each.low), float(each.high)]
            for name, each in zip(self.names, found, strict=True)
        ]
        return Table(["model", "roc_auc", "low", "high"], rows, note=self._verdict() or None)

    def __repr__(self) -> str:
        return repr(self._areas())

    def _repr_html_(self) -> str:
        return self._areas()._repr_html_()


def _restored(
    parts: tuple[list[float], list[float], list[float], str | None], names: Sequence[str], level: float
) -> ComparedScores:
    return ComparedScores(_rocksteady.AreasState.of(*parts), names, level=level)

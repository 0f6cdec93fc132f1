"""Adverse impact: the least selection rate of a group divided by the greatest; demographic disparity within strata."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import real, shown
from rocksteady.base.containers import rows_of
from rocksteady.base.record import Record
from rocksteady.base.result import Result
from rocksteady.base.table import Table
from rocksteady.base.ways_out import items_of
from rocksteady.columns.keys import grouped, key_arrays
from rocksteady.errors import InputError
from rocksteady.fairness.disparity import FEW, Disparity, Keyed, disparity
from rocksteady.fairness.features import counted, side_by_side
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.ways_out import Column


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AdverseImpact(Record):
    """The adverse impact ratio of predicted labels.

    Attributes
    ----------
    disparity : Disparity
        The least selection rate over the greatest, with its interval and both groups.
    table : Table
        A row for each group: keys, rows, selected rows, selection rate.
    """

    disparity: Disparity
    table: Table

    def is_below(self, limit: float = 0.8) -> bool:
        """Whether the ratio is below a limit: 0.8 is the four-fifths rule. False where there is no ratio."""
        return self.disparity.value < real(limit, "limit")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AdverseImpact):
            return NotImplemented
        return self.disparity == other.disparity and self.table.rows == other.table.rows

    __hash__ = None  # type: ignore[assignment]

    def _columns(self) -> Mapping[str, Column]:
        return self.table._columns()

    def _facts(self) -> str:
        one = self.disparity
        if one.value != one.value and one.why is not None:
            return f"no adverse impact ratio: {one.why}"
        groups = f"{shown(one.lowest)} to {shown(one.highest)}"
        return f"adverse impact ratio {one.value:.4g} ({one.low:.4g} to {one.high:.4g}): {groups}"

    def __repr__(self) -> str:
        return f"{self.table!r}\n{self._facts()}"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (few programs need it)

        return f"{self.table._repr_html_()}<p>{html.escape(self._facts())}</p>"


def adverse_impact(
    y_pred: ArrayLike,
    *,
    by: Any,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    level: float = 0.95,
) -> AdverseImpact:
    """The least selection rate of a group over the greatest, with its interval.

    Parameters
    ----------
    y_pred : array-like
        Predicted labels.
    by : column of keys, several columns, mapping of str to columns, or data frame
        The groups. A missing key is a group of its own.
    pos_label : label
        The label of a selected row.
    sample_weight : array-like, optional
        A weight for each row.
    level : float
        The confidence level.

    Returns
    -------
    AdverseImpact

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For columns of different lengths, and missing predictions: the row is named.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order.

    Notes
    -----
    The Uniform Guidelines on Employee Selection Procedures (29 CFR 1607.4 D) take a ratio below four fifths as evidence
    of adverse impact. A ratio of small groups says little: read its interval.

    Examples
    --------
    >>> import rocksteady as rs
    >>> hired = [1] * 48 + [0] * 52 + [1] * 12 + [0] * 38
    >>> found = rs.fairness.adverse_impact(hired, by={"group": ["a"] * 100 + ["b"] * 50})
    >>> found
    group  rows  selected  selection_rate
    a       100        48            0.48
    b        50        12            0.24
    adverse impact ratio 0.5 (0.2896 to 0.8789): 'b' to 'a'
    >>> found.is_below()
    True
    """
    side_by_side("y_pred", {"y_pred": y_pred, "by": by, "sample_weight": sample_weight})
    rows = rows_of(y_pred, "y_pred")
    state = grouped(by, rows=rows)
    counts = counted(state, y_pred, y_pred, sample_weight, pos_label, selected=True)
    keyed = Keyed(counts, key_arrays(state))
    ratio = disparity(keyed, "selection_rate", "ratio", level=level)
    assert isinstance(ratio, Disparity)  # noqa: S101 (there are no control columns)
    selected = counts.tp + counts.fp
    columns = [
        *keyed.keys.values(),
        selected + counts.fn + counts.tn,
        selected,
        np.asarray(counts["selection_rate"]),
    ]
    cells = [
        [value if isinstance(value, str | int | float) or value is None else str(value) for value in items_of(column)]
        for column in columns
    ]
    table = Table([*keyed.keys, "rows", "selected", "selection_rate"], list(zip(*cells, strict=True)))
    return AdverseImpact(ratio, table)


def demographic_disparity(
    y_pred: ArrayLike,
    *,
    by: Any,
    control: Any = None,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> Table:
    """How much larger the share of each group is among the rejected rows than among the selected ones.

    Parameters
    ----------
    y_pred : array-like
        Predicted labels.
    by : column of keys, several columns, mapping of str to columns, or data frame
        The groups. A missing key is a group of its own.
    control : column of keys, several columns, mapping of str to columns, or data frame, optional
        Strata within which groups are compared: what may explain a disparity, such as the department applied to.
    pos_label : label
        The label of a selected row.
    sample_weight : array-like, optional
        A weight for each row.

    Returns
    -------
    Table
        A row for each group: its keys, `rows`, `rejected_share` and `selected_share`, its shares of the rejected and of the
        selected rows, and `disparity`, the first less the second, in [-1, 1]: above 0 the group is rejected more often than
        selected. With `control` all three are means over the strata, weighted by their rows.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For columns of different lengths, and missing predictions: the row is named.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order.

    Notes
    -----
    With `control` it is the conditional demographic disparity of Wachter, Mittelstadt and Russell 2021,
    doi:10.1016/j.clsr.2021.105567: sum_s n_s DD_s / sum_s n_s. In a stratum where all rows are selected, or none is, all
    groups are treated alike: its disparity is 0, and both shares are those of its rows. The number of AIF360 under that
    name is the mean of `disparity` over the groups, weighted by `rows`, without `control`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> granted = [1] * 60 + [0] * 40 + [1] * 20 + [0] * 80
    >>> group = ["a"] * 100 + ["b"] * 100
    >>> rs.fairness.demographic_disparity(granted, by={"group": group})
    group  rows  rejected_share  selected_share  disparity
    a       100        0.333333            0.75  -0.416667
    b       100        0.666667            0.25   0.416667
    """
    columns = {"y_pred": y_pred, "by": by, "control": control, "sample_weight": sample_weight}
    side_by_side(
        "y_pred", {name: column for name, column in columns.items() if name != "control" or column is not None}
    )
    length = rows_of(y_pred, "y_pred")
    if not length:
        raise InputError("y_pred has no rows; expected one at least", argument="y_pred")
    state = grouped(by, control, rows=length)
    counts = counted(state, y_pred, y_pred, sample_weight, pos_label, selected=True)
    selected = counts.tp + counts.fp
    rejected = counts.fn + counts.tn
    keys = key_arrays(state)
    inner = len(grouped(by, rows=state.rows).names())
    keyed = Keyed(counts, keys, control=len(keys) - inner)
    codes, strata, _ = keyed.strata()
    of_stratum = np.zeros(len(keyed), dtype=np.intp) if codes is None else codes.astype(np.intp)
    own = selected + rejected
    totals = [np.bincount(of_stratum, weights=each, minlength=strata) for each in (rejected, selected, own)]
    # All are treated alike where one of both has no rows.
    is_alike = (totals[0] == 0) | (totals[1] == 0)
    weight = totals[2] / totals[2].sum()
    names: dict[Any, list[int]] = {}
    for place in range(len(keyed)):
        names.setdefault(keyed.key(place), []).append(place)
    rows = []
    for key, places in names.items():
        shares = []
        for amounts, total in ((rejected, totals[0]), (selected, totals[1])):
            part = np.where(is_alike[of_stratum], own, amounts)[places]
            whole = np.where(is_alike, totals[2], total)[of_stratum[places]]
            shares.append(float((weight[of_stratum[places]] * part / whole).sum()))
        cells = key if isinstance(key, tuple) else (key,)
        told = [cell if isinstance(cell, str | int | float) or cell is None else str(cell) for cell in cells]
        rows.append([*told, float(own[places].sum()), *shares, shares[0] - shares[1]])
    return Table([*list(keys)[-inner:], "rows", "rejected_share", "selected_share", "disparity"], rows)


@dataclass(frozen=True, eq=False, repr=False)
class ImpactCurve(Result):
    """The adverse impact ratio at every threshold; entry *i* of each array is selecting ``score >= thresholds[i]``.

    Attributes
    ----------
    thresholds : numpy.ndarray
        The distinct scores of all groups, from high to low.
    ratio : numpy.ndarray
        The least selection rate over the greatest, in [0, 1]; NaN where fewer than two groups have rates.
    difference : numpy.ndarray
        The greatest selection rate less the least; NaN as `ratio`.
    lowest_rate, highest_rate : numpy.ndarray
        Both rates.
    lowest, highest : numpy.ndarray
        The places in `groups` of the groups that have them.
    groups : tuple
        The keys of the groups.
    why : str or None
        Why there is no ratio; None if there is one.
    """

    _first = ("thresholds", "ratio", "difference", "lowest_rate", "highest_rate")

    thresholds: NDArray[np.float64]
    ratio: NDArray[np.float64]
    difference: NDArray[np.float64]
    lowest_rate: NDArray[np.float64]
    highest_rate: NDArray[np.float64]
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    _: KW_ONLY
    groups: tuple[Any, ...]
    why: str | None = None

    def _facts(self) -> list[str]:
        return [fact for fact in super()._facts() if fact != "why None"]

    def meets(self, limit: float = 0.8) -> NDArray[np.bool_]:
        """At which thresholds the ratio is at least a limit; 0.8 is the four-fifths rule. False where there is no ratio."""
        return self.ratio >= real(limit, "limit")


def impact_curve(y_score: ArrayLike, *, by: Any, sample_weight: ArrayLike | None = None) -> ImpactCurve:
    """The adverse impact ratio at every distinct score.

    Parameters
    ----------
    y_score : array-like
        Scores; the higher the more likely selected.
    by : column of keys, several columns, mapping of str to columns, or data frame
        The groups. A missing key is a group of its own. A group whose rows all weigh 0 has no rate and is left out.
    sample_weight : array-like, optional
        A weight for each row.

    Returns
    -------
    ImpactCurve

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For missing scores and columns of different lengths.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order.

    Examples
    --------
    >>> import rocksteady as rs
    >>> curve = rs.fairness.impact_curve([0.9, 0.8, 0.6, 0.3, 0.7, 0.4, 0.2, 0.1], by=["a"] * 4 + ["b"] * 4)
    >>> curve.ratio.round(3).tolist()
    [0.0, 0.0, 0.5, 0.333, 0.667, 0.5, 0.75, 1.0]
    >>> float(curve.thresholds[curve.meets()].max())
    0.1
    """
    keys, tables = tables_of(y_score, by, sample_weight)
    numbers, places = _rocksteady.impact_over_thresholds(tables)
    keyed = Keyed(None, keys)
    groups = tuple(keyed.key(place) for place in range(len(tables)))
    thresholds, ratio, difference, *rates = numbers
    why = None
    if sum(float(ScoreTable._of(table).negatives) > 0 for table in tables) < 2:  # all rows are of one class
        ratio, difference, why = np.full_like(ratio, np.nan), np.full_like(difference, np.nan), FEW
    return ImpactCurve(thresholds, ratio, difference, rates[0], rates[1], places[0], places[1], groups=groups, why=why)


def tables_of(
    y_score: ArrayLike, by: Any, sample_weight: ArrayLike | None
) -> tuple[dict[str, NDArray[Any]], list[Any]]:
    """The keys of groups, and the ranking of each, of rows of one class."""
    side_by_side("y_score", {"y_score": y_score, "by": by, "sample_weight": sample_weight})
    rows = rows_of(y_score, "y_score")
    groups = grouped(by, rows=rows)
    truth = np.zeros(rows, dtype=bool)
    state = _rocksteady.GroupsState.of_rows(
        groups, truth, None, (y_score, "raise", "raise"), True, None, sample_weight, "counts"
    )
    return key_arrays(groups), [state.table(group) for group in range(state.groups)]

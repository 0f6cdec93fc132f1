"""Areas under the ROC curve of a subgroup's scores against the scores of the other rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import shown, wrong_value
from rocksteady.base.result import Result
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.pairing import without_index
from rocksteady.errors import InputError
from rocksteady.fairness.features import side_by_side
from rocksteady.inference.difference import level_of
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False, repr=False)
class SubgroupAreas(Result):
    """Areas under the ROC curve for subgroups; entry *i* of each array is subgroup *i*.

    The background are all rows outside the subgroup. An area is NaN where a class is absent.

    Attributes
    ----------
    subgroup : numpy.ndarray of object
        The name of the subgroup.
    rows, positives : numpy.ndarray
        Its rows and its positive rows, or their weight.
    subgroup_auc : numpy.ndarray
        Of its positives and its negatives. Low: the model ranks badly within the subgroup.
    bpsn_auc : numpy.ndarray
        Of the positives of the background and the negatives of the subgroup. Low: the subgroup is scored too high.
    bnsp_auc : numpy.ndarray
        Of the positives of the subgroup and the negatives of the background. Low: the subgroup is scored too low.
    subgroup_low, subgroup_high, bpsn_low, bpsn_high, bnsp_low, bnsp_high : numpy.ndarray
        The intervals of the areas at `level`; NaN without a level, and where there is none.
    auc : float
        Of all rows.
    level : float or None
        The level of confidence.
    """

    _first = ("subgroup", "rows", "positives", "subgroup_auc", "bpsn_auc", "bnsp_auc")

    subgroup: NDArray[Any]
    rows: NDArray[np.float64]
    positives: NDArray[np.float64]
    subgroup_auc: NDArray[np.float64]
    bpsn_auc: NDArray[np.float64]
    bnsp_auc: NDArray[np.float64]
    subgroup_low: NDArray[np.float64]
    subgroup_high: NDArray[np.float64]
    bpsn_low: NDArray[np.float64]
    bpsn_high: NDArray[np.float64]
    bnsp_low: NDArray[np.float64]
    bnsp_high: NDArray[np.float64]
    _: KW_ONLY
    auc: float
    level: float | None


def subgroup_areas(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    subgroups: Mapping[str, ArrayLike],
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    level: float | None = None,
) -> SubgroupAreas:
    """Areas of each subgroup alone, and of the subgroup against the background.

    Parameters
    ----------
    y_true : array-like
        Actual labels of two classes.
    y_score : array-like
        Scores; the higher the more likely positive.
    subgroups : mapping of str to array-like of bool
        For each subgroup whether a row belongs to it. Subgroups may share rows.
    sample_weight : array-like, optional
        A weight for each row.
    pos_label : label, optional
        The positive label; without it the greater of the two.
    level : float, optional
        The level of confidence of an interval of each area (DeLong's, as `ScoreTable.interval` has it). It takes two
        more sweeps of all rows for each subgroup. Default: no intervals.

    Returns
    -------
    SubgroupAreas
        Of counts each area is an exact ratio, rounded once.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For columns of different lengths, and subgroups that are no truth values, or where one is missing.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order.

    Notes
    -----
    Borkan, Dixon, Sorensen, Thain, Vasserman 2019, doi:10.1145/3308560.3317593.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.6, 0.7, 0.9, 0.2, 0.8]
    >>> found = rs.fairness.subgroup_areas(y, s, subgroups={"named": [0, 0, 1, 1, 0, 0]})
    >>> found.subgroup_auc.tolist(), found.bpsn_auc.tolist(), found.bnsp_auc.tolist()
    ([1.0], [0.5], [1.0])
    >>> found = rs.fairness.subgroup_areas(y, s, subgroups={"named": [0, 0, 1, 1, 0, 0]}, level=0.9)
    >>> found.bpsn_low.tolist() < found.bpsn_auc.tolist() < found.bpsn_high.tolist()
    True
    """
    if not isinstance(subgroups, Mapping) or not subgroups:
        raise wrong_value(subgroups, "subgroups", "a mapping from names to columns of truth values")
    columns = {"y_true": y_true, "y_score": y_score, "subgroups": subgroups, "sample_weight": sample_weight}
    side_by_side("y_true", columns)
    y_true, y_score, sample_weight = map(without_index, (y_true, y_score, sample_weight))
    whole = ScoreTable(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    scores, true = np.asarray(y_score), np.asarray(y_true)
    weights = None if sample_weight is None else np.asarray(sample_weight)
    used = None if level is None else level_of(level)

    def table(rows: NDArray[np.bool_]) -> ScoreTable:
        own = None if weights is None else weights[rows]
        return ScoreTable(true[rows], scores[rows], sample_weight=own, pos_label=whole.pos_label)

    of_positives = true == whole.pos_label
    tables, intervals = [], []
    for name, members in subgroups.items():
        refuse_missing(members, f"subgroups[{shown(name)}]", "a truth value")
        mask = np.asarray(members)
        if mask.shape != scores.shape:
            raise InputError(
                f"subgroups[{shown(name)}] has the shape {mask.shape}; expected {scores.shape}, one entry a row",
                argument="subgroups",
            )
        is_bool = mask.dtype.kind == "b"
        if not is_bool and (mask.dtype.kind not in "iuf" or not np.isin(mask, (0, 1)).all()):
            raise wrong_value(members, f"subgroups[{shown(name)}]", "truth values")
        rows = mask.astype(bool)
        if not rows.any():
            raise wrong_value(members, f"subgroups[{shown(name)}]", "at least one row")
        tables.append(table(rows))
        if used is not None:
            bounds: list[float] = []
            others = (table(chosen) if chosen.any() else None for chosen in (rows ^ of_positives, rows == of_positives))
            for ranked in (tables[-1], *others):
                found = None if ranked is None else ranked.interval("roc_auc", level=used)
                bounds += [float("nan")] * 2 if found is None else [float(found.low), float(found.high)]
            intervals.append(bounds)
    ends = np.array(intervals).T.copy() if intervals else np.full((6, len(tables)), np.nan)
    areas = _rocksteady.subgroup_areas([table._state for table in tables], whole._state)
    names = np.empty(len(tables), dtype=object)
    names[:] = list(subgroups)
    positives = [float(table.positives) for table in tables]
    every = [float(table.positives) + float(table.negatives) for table in tables]
    return SubgroupAreas(
        names, np.array(every), np.array(positives), *areas, *ends, auc=float(whole["roc_auc"]), level=used
    )

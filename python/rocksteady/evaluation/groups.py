"""The groups of each model of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.groups.group_by import coded
from rocksteady.groups.groups import Groups
from rocksteady.models.grouped_rows import GroupedRows

if TYPE_CHECKING:
    from rocksteady.models.columns import ModelColumns
    from rocksteady.models.counting import Counting
    from rocksteady.models.judged_rows import JudgedRows
    from rocksteady.models.model import ModelEvaluation


def complete_keys(keys: Any, columns: ModelColumns, y_true: Any, rows: int) -> Any:
    """The group of each row that has no missing label or score."""
    _, _, kept, left_out = columns.complete(y_true, {"place": np.arange(rows)})
    if not left_out:
        return keys
    keep = np.zeros(rows, dtype=np.bool_)
    keep[kept["place"]] = True
    return keys.kept(keep)


def groups_of(
    counting: Counting, models: list[ModelEvaluation], keys: Any, judged: JudgedRows | None
) -> dict[str, Groups]:
    """The statistics of each model by group, with the rows where these belong to clusters or strata."""
    found = {}
    for model in models:
        name, predicted, scores = model.name, None, None
        if name in counting.predicted:
            predicted = (coded(counting.predicted[name], "y_pred"), model.confusion._state)
        if name in counting.scores:
            scores = (counting.scores[name], counting.ranking["nan_policy"], counting.ranking["infinite"])
        state = _rocksteady.GroupsState.of_rows(
            keys,
            counting.truth,
            predicted,
            scores,
            model.confusion.pos_label,
            model.threshold,
            counting.weighing["sample_weight"],
            counting.weighing["weight_kind"],
        )
        found[name] = Groups._of(state)
        if judged is not None and judged.has_design:
            found[name]._rows = GroupedRows(judged, name, keys.codes, keys.groups)
    return found

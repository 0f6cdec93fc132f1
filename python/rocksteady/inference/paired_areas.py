"""Areas under the ROC curve of several models on the same rows."""

from __future__ import annotations

from typing import Any

from rocksteady import _rocksteady
from rocksteady.base.named_columns import refused_as


def areas_of(
    y_true: Any,
    columns: dict[str, tuple[Any, str]],
    *,
    pos_label: Any,
    sample_weight: Any,
    weight_kind: str,
    cluster: _rocksteady.GroupedState | None,
    nan_policy: str,
) -> _rocksteady.CovarianceState:
    """The areas of models, from their columns and what refusals call these."""
    codes = None if cluster is None else cluster.codes()
    rows = _rocksteady.PairedRowsState.read(y_true, sample_weight, weight_kind, codes, pos_label)
    placed = []
    for column, said in columns.values():
        with refused_as("y_score", said):
            placed.append(rows.place(column, nan_policy))
    return rows.areas(placed)

"""Areas under the ROC curve of several models on the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rocksteady import _rocksteady
from rocksteady.base.named_columns import refused_as
from rocksteady.inference.covariance import Compared

if TYPE_CHECKING:
    from collections.abc import Mapping

AREAS: Final = ("roc_auc", "gini")


def compared_areas(
    index: str,
    y_true: Any,
    columns: Mapping[str, Any],
    *,
    pos_label: Any,
    sample_weight: Any,
    weight_kind: str,
    cluster: _rocksteady.GroupedState | None,
    nan_policy: str,
    infinite: str = "raise",
    level: float,
    said: Mapping[str, str] | None = None,
) -> Compared:
    """The areas of models, or their Gini coefficients; `said` is what refusals call the columns."""
    rows = _rocksteady.PairedRowsState.read(y_true, sample_weight, weight_kind, cluster, pos_label)
    placed = []
    for name, column in columns.items():
        with refused_as("y_score", "y_score" if said is None else said[name]):
            placed.append(rows.place(column, nan_policy, infinite))
    areas = Compared(rows.areas(placed), list(columns), level=level)
    return areas if index == "roc_auc" else areas._gini()

"""The groups of an evaluation: their charts, and a table of the groups that may be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady.base.table import one_line
from rocksteady.groups.shown import names_of, shown
from rocksteady.report.elements import folded, panels, sortable, sortable_bar, table, title_of
from rocksteady.report.text import amount, label, text

if TYPE_CHECKING:
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.groups.groups import Groups

#: The most groups in the table.
MOST: Final = 100


def groups(evaluation: Evaluation, charts: str, curves: str) -> str:
    """The section: the charts of all groups, small multiples, and for each model a table."""
    parts = [f'<div class="grid">{charts}</div>' if charts else ""]
    if curves:
        parts.append(f'<h3>ROC curves of the groups</h3><div class="grid three">{curves}</div>')
    parts.append(panels(evaluation, lambda _, model: _table(evaluation._groups[model.name], evaluation.min_rows)))
    return "".join(parts)


def _table(of_model: Groups, min_rows: int) -> str:
    """The groups of one model, the largest first if there are many."""
    found = shown(of_model, min_rows=min_rows)
    size = len(found.rows)
    chosen = np.arange(size)
    if size > MOST:
        chosen = np.sort(np.argsort(-found.rows, kind="stable")[:MOST])
    names = names_of({name: column[chosen] for name, column in found.keys.items()}, 80)
    rows = []
    for name, place in zip(names, chosen.tolist(), strict=True):
        cells = [text(one_line(name)), sortable(float(found.rows[place]), amount)]
        if found.positives is not None:
            cells.append(sortable(float(found.positives[place]), amount))
        rows.append([*cells, *(sortable_bar(float(values[place])) for values in found.values.values())])
    by = " × ".join(map(one_line, found.keys))
    head = [label(by), "Rows", *([] if found.positives is None else ["Positives"]), *map(title_of, found.values)]
    told = [f"{found.groups:,} groups by {by}"]
    if size > MOST:
        told.append(f"the {MOST} with the most rows are in the table, {size - MOST:,} are not")
    if found.note:
        told.append(found.note)
    words = text("; ".join(told))
    return f"<p>{words}.</p>" + folded(
        "The groups as a table", table("Groups", head, rows, classes="sortable"), is_open=size <= 30
    )

"""`--bounded`: bounds of indices, and which of them are proven."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rocksteady as rs
from rocksteady.base.table import number, one_line
from rocksteady.cli.options import refuse
from rocksteady.cli.sources import RefusedError
from rocksteady.errors import for_terminal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocksteady.cli.options import Options
    from rocksteady.registry.selection import Names


def check(asked: Options, unused: Mapping[str, object]) -> None:
    """Refuse what sketches of scores cannot answer.

    Parameters
    ----------
    asked
        The columns and models.
    unused
        Options that need all scores, by their names; none of them may be given.
    """
    of_rows = {"--cluster": asked.columns.cluster, "--strata": asked.columns.strata}
    is_sample = {"--weight-kind sampling": asked.weight_kind == "sampling"}
    refuse({**unused, **of_rows, **is_sample}, "does not go with --bounded, which keeps a sketch of the scores")
    if not asked.columns.scores or asked.columns.preds or asked.classes:
        raise RefusedError("--bounded is of scores of two classes; name their columns with --score alone")
    if asked.columns.by or asked.costs is not None:
        raise RefusedError("--bounded keeps neither groups nor costs; leave out --by and --cost")


def text(evaluation: rs.Evaluation, names: Names | Sequence[str], source: str, title: str | None) -> str:
    """The table for people."""
    lines = [] if title is None else [for_terminal(title)]
    positive = one_line(evaluation.pos_label)
    lines.append(f"{evaluation.rows:,} rows {source}, positive class {positive}")
    for name, model in evaluation.models.items():
        of = f"{one_line(name)}: " if len(evaluation.models) > 1 else ""
        lines.append(f"{of}scores of {number(model.threshold)} and more count as positive")
    lines += map(for_terminal, evaluation.notes)
    of = " of the rows with a label" if evaluation.notes else ""
    lines += [f"Every index{of} lies between its bounds for certain.", "", repr(evaluation.summary(names))]
    return "\n".join(lines) + "\n"

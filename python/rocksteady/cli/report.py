"""Statistics into named values: the indices that the statistics answer, under the registry's names.

They are those of `rocksteady.selection.SUMMARY` and of `--define`, or with `--all-indices` every one of the registry.

The report is a plain dictionary, the very one that `--json` writes (there NaN becomes null); the table shows it.

| key | holds |
|---|---|
| `version`, `files`, `rows` | which program, how many files, how many rows |
| `labels`, `pos_label` | the classes in the order of the matrix; the positive one, or None for more than two |
| `threshold` | scores at or above it were predicted positive; None where a column held the predicted classes |
| `confusion_matrix` | rows are the actual classes, columns the predicted |
| an index's name | two classes: the positive class's or the overall value; more: the overall value |
| `per_class`, `macro`, `micro`, `weighted` | for more than two classes: index to a list in the order of `labels`, and to averages |
| `ks_threshold`, `ks_sign` | where the KS distance is reached, and +1 where positives have the greater scores |
| `undefined` | index to the reason why it has no value, or a conventional one |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import rocksteady as rs
from rocksteady.selection import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.cli.tally import Tally

AVERAGES: Final[tuple[Literal["macro", "micro", "weighted"], ...]] = ("macro", "micro", "weighted")


def report(tally: Tally, files: int, *, all_indices: bool = False) -> dict[str, Any]:
    """Name the values that the tally answers; the module's page lists the keys."""
    rows = shown("all" if all_indices else "summary")
    matrix = tally.matrix
    found: dict[str, Any] = {
        "version": rs.__version__,
        "files": files,
        "rows": tally.rows,
        "labels": matrix.labels.tolist(),
        "pos_label": tally.positive,
        "threshold": tally.threshold,
        "confusion_matrix": [[_amount(cell) for cell in row] for row in matrix.to_array().tolist()],
    }
    undefined: dict[str, str] = {}
    for row in rows:
        statistic = _source(tally, row)
        if statistic is not None:
            found[row.name] = statistic[row.name]
            reason = statistic.why(row.name)
            if reason is not None:
                undefined[row.name] = reason
        elif "probabilities" in row.forms and tally.not_probabilities is not None:
            undefined[row.name] = f"the scores are not probabilities ({tally.not_probabilities})"
    if tally.positive is None:
        found |= _of_each_class(matrix, rows)
    if tally.table is not None:
        ks = tally.table.ks()
        found["ks_threshold"], found["ks_sign"] = ks.threshold, ks.sign
    found["undefined"] = undefined
    return found


def _source(tally: Tally, row: rs.Index) -> rs.ConfusionMatrix | rs.ScoreTable | rs.ProbabilitySums | None:
    """The statistic that answers an index with one number, if it was counted."""
    if "probabilities" in row.forms:
        return tally.sums
    if "scores" in row.forms:
        return tally.table
    if "matrix" in row.forms or ("counts" in row.forms and tally.positive is not None):
        return tally.matrix
    return None


def _of_each_class(matrix: rs.ConfusionMatrix, rows: Sequence[rs.Index]) -> dict[str, Any]:
    """The indices of every class against the rest, and their averages."""
    found: dict[str, Any] = {
        "per_class": {
            row.name: matrix.per_class(row.name).tolist() for row in rows if {"counts", "class"} & set(row.forms)
        }
    }
    for how in AVERAGES:
        found[how] = {row.name: matrix.average(row.name, how) for row in rows if "counts" in row.forms}
    return found


def _amount(cell: float) -> float:
    """Give a count as a whole number: cells of an unweighted matrix are, and so are sums of whole weights."""
    return int(cell) if float(cell).is_integer() else float(cell)

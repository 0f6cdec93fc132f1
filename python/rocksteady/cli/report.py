"""Statistics into named values: every index of the registry that the statistics answer, under the registry's name.

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
| `undefined` | index to the reason why it has no value |
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import rocksteady as rs
from rocksteady.errors import RocksteadyError

if TYPE_CHECKING:
    from rocksteady.cli.tally import Tally

AVERAGES = ("macro", "micro", "weighted")


def report(tally: Tally, files: int) -> dict[str, Any]:
    """Name every value that the tally answers; the module's page lists the keys."""
    matrix = tally.matrix
    labels = [label.item() if hasattr(label, "item") else label for label in matrix.labels]
    found: dict[str, Any] = {
        "version": rs.__version__,
        "files": files,
        "rows": tally.rows,
        "labels": labels,
        "pos_label": tally.positive,
        "threshold": tally.threshold,
        "confusion_matrix": [[_amount(cell) for cell in row] for row in matrix.to_array().tolist()],
    }
    undefined: dict[str, str] = {}
    for row in rs.indices():
        name = row.name
        for statistic in (matrix, tally.table, tally.sums):
            value = _ask(statistic, name)
            if value is None:
                continue
            found[name] = value
            if math.isnan(value):
                undefined[name] = statistic.why(name) or "undefined"
            break
    if len(labels) > 2:  # noqa: PLR2004
        found |= _of_many(matrix)
    if tally.table is not None:
        ks = tally.table.ks()
        found["ks_threshold"], found["ks_sign"] = ks.threshold, ks.sign
    if tally.not_probabilities is not None:
        reason = f"the scores are not probabilities ({tally.not_probabilities})"
        undefined |= dict.fromkeys(("log_loss", "brier"), reason)
    found["undefined"] = undefined
    return found


def _ask(statistic: Any, name: str) -> float | None:
    """Ask for the statistic's value of an index, or None where it has none by nature (not: where it is undefined)."""
    if statistic is None:
        return None
    try:
        return float(statistic[name])
    except (RocksteadyError, KeyError):
        return None


def _of_many(matrix: rs.ConfusionMatrix) -> dict[str, Any]:
    per_class: dict[str, list[float]] = {}
    averages: dict[str, dict[str, float]] = {how: {} for how in AVERAGES}
    for row in rs.indices():
        try:
            per_class[row.name] = [float(value) for value in matrix.per_class(row.name)]
            for how in AVERAGES:
                averages[how][row.name] = float(matrix.average(row.name, how))
        except (RocksteadyError, KeyError):
            continue
    return {"per_class": per_class, **averages}


def _amount(cell: float) -> float:
    """Give a count as a whole number: cells of an unweighted matrix are, and so are sums of whole weights."""
    return int(cell) if float(cell).is_integer() else float(cell)

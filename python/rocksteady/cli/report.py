"""Statistics into named values: the indices that the statistics answer, under the registry's names.

They are those of `rocksteady.selection.SUMMARY` and of `--define`, or with `--all-indices` every one of the registry.

The report is a plain dictionary, the very one that `--json` writes (there NaN becomes null); the table shows it. What holds for all
models comes first:

| key | holds |
|---|---|
| `version`, `files`, `rows` | which program, how many files, how many rows |
| `labels`, `pos_label` | the classes in the order of the matrices; the positive one, or None for more than two |
| `costs` | with `--cost` only: what a tp, fp, fn and tn costs |
| `models` | with several models only: from their names to dictionaries of what follows |

Then what holds for one of them; of a single model it stands in the same dictionary:

| key | holds |
|---|---|
| `threshold` | scores at or above it were predicted positive; None where they did not say the classes |
| `confusion_matrix` | rows are the actual classes, columns the predicted |
| an index's name | two classes: the positive class's or the overall value; more: the overall value |
| `per_class`, `macro`, `micro`, `weighted` | for more than two classes: index to a list in the order of `labels`, and to averages |
| `ks_threshold`, `ks_sign` | where the KS distance is reached, and +1 where positives have the greater scores |
| `cost_threshold`, `least_cost` | with `--cost` and scores: the threshold at which all predictions together cost least, and what |
| `undefined` | index to the reason why it has no value, or a conventional one |
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal

import rocksteady as rs
from rocksteady.selection import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.cli.tally import Tally

AVERAGES: Final[tuple[Literal["macro", "micro", "weighted"], ...]] = ("macro", "micro", "weighted")

# What both layouts, of one model and of several, have at the top, in their order.
_SHARED: Final = ("version", "files", "rows", "labels", "pos_label")


def report(tally: Tally, files: int, *, all_indices: bool = False) -> dict[str, Any]:
    """Name the values that the tally answers; the module's page lists the keys."""
    rows = shown("all" if all_indices else "summary")
    evaluation = tally.evaluation
    shared = (rs.__version__, files, tally.rows, evaluation.labels, evaluation.pos_label)
    found: dict[str, Any] = dict(zip(_SHARED, shared, strict=True))
    models = {
        name: _of_model(model, rows, tally.not_probabilities.get(name)) for name, model in evaluation.models.items()
    }
    if evaluation.costs is not None:
        found["costs"] = next(iter(evaluation.models.values())).cost_parameters
    if len(models) == 1:
        return found | next(iter(models.values()))
    return found | {"models": models}


def _of_model(model: rs.ModelEvaluation, rows: Sequence[rs.Index], not_probabilities: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "threshold": model.threshold,
        "confusion_matrix": [[_amount(cell) for cell in row] for row in model.confusion.to_array().tolist()],
    }
    undefined: dict[str, str] = {}
    values = model.values([row.name for row in rows if not model.is_mean(row.name)])
    for row in rows:
        if not_probabilities is not None and "probabilities" in row.forms:
            undefined[row.name] = f"the scores are not probabilities ({not_probabilities})"
        elif row.name in values:
            found[row.name] = values[row.name]
            reason = model.why(row.name)
            if reason is not None:
                undefined[row.name] = reason
    if not model.is_binary:
        found |= _of_each_class(model, rows)
    if model.scores is not None:
        found |= _places(model, model.scores)
        if found.get("cost_threshold") == math.inf:
            undefined["cost_threshold"] = "It costs least to predict no row positive."
    found["undefined"] = undefined
    return found


def _of_each_class(model: rs.ModelEvaluation, rows: Sequence[rs.Index]) -> dict[str, Any]:
    """The indices of every class against the rest, and their averages: of the classes, and of the rankings if there are any."""
    of_classes = [row.name for row in rows if {"counts", "class"} & set(row.forms)]
    averaged = [row.name for row in rows if "counts" in row.forms]
    matrix, tables = model.confusion, model.class_scores
    found: dict[str, dict[str, Any]] = {"per_class": {name: matrix.per_class(name).tolist() for name in of_classes}}
    for how in AVERAGES:
        found[how] = {name: matrix.average(name, how) for name in averaged}
    if tables is not None:
        ranked = [row.name for row in rows if "scores" in row.forms]
        found["per_class"] |= {name: tables.per_class(name).tolist() for name in ranked}
        # Not micro: one ranking of all rows and classes is as many times larger as there are classes.
        for how in AVERAGES[::2]:
            found[how] |= {name: tables.average(name, how) for name in ranked}
    return found


def _places(model: rs.ModelEvaluation, table: rs.ScoreTable) -> dict[str, Any]:
    """Where on the threshold axis something is reached."""
    ks = table.ks()
    found: dict[str, Any] = {"ks_threshold": ks.threshold, "ks_sign": ks.sign}
    if model.costs is not None:
        best = table.best("cost", **model.cost_parameters)
        found |= {"cost_threshold": best.threshold, "least_cost": best.value}
    return found


def _amount(cell: float) -> float:
    """Give a count as a whole number: cells of an unweighted matrix are, and so are sums of whole weights."""
    return int(cell) if float(cell).is_integer() else float(cell)

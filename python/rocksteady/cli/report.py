"""Statistics to named values: indices under the names of the registry.

The report has the indices of `rocksteady.selection.SUMMARY` and of `--define` or, with `--all-indices`, all of the
registry.

It is a plain dictionary. `--json` writes it (NaN becomes null), and the table shows it. Keys for all models:

| key | value |
|---|---|
| `version`, `files`, `rows` | version of rocksteady, number of files, number of rows |
| `labels`, `pos_label` | the classes in the order of the matrices; the positive class, or None for more than two |
| `costs` | with `--cost` only: the costs of tp, fp, fn and tn |
| `models` | with several models only: a mapping from their names to the dictionaries below |

Keys for one model. With a single model they are in the same dictionary:

| key | value |
|---|---|
| `threshold` | scores at or above it are predicted positive; None where another column gives the classes |
| `confusion_matrix` | rows are actual classes, columns predicted ones |
| an index's name | its value: with two classes of the positive class or overall, with more classes overall |
| `per_class` | with more than two classes: from an index to its values, in the order of `labels` |
| `macro`, `micro`, `weighted` | with more than two classes: from an index to its average |
| `ks_threshold`, `ks_sign` | the threshold of the KS distance; +1 if positives have the higher scores |
| `cost_threshold`, `least_cost` | with `--cost` and scores: the threshold with the least total cost, and this cost |
| `undefined` | from an index to the reason why it is undefined, or has a conventional value |
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

# The first keys of the report, in their order, for one model and for several.
_SHARED: Final = ("version", "files", "rows", "labels", "pos_label")


def report(tally: Tally, files: int, *, all_indices: bool = False) -> dict[str, Any]:
    """Make the report from a tally; the module's docstring lists the keys."""
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
    """The indices of each class against the rest and their averages, from the classes and from scores if any."""
    of_classes = [row.name for row in rows if {"counts", "class"} & set(row.forms)]
    averaged = [row.name for row in rows if "counts" in row.forms]
    matrix, tables = model.confusion, model.class_scores
    found: dict[str, dict[str, Any]] = {"per_class": {name: matrix.per_class(name).tolist() for name in of_classes}}
    for how in AVERAGES:
        found[how] = {name: matrix.average(name, how) for name in averaged}
    if tables is not None:
        ranked = [row.name for row in rows if "scores" in row.forms]
        found["per_class"] |= {name: tables.per_class(name).tolist() for name in ranked}
        # No micro average: its ranking has all rows of all classes, so it is large.
        for how in AVERAGES[::2]:
            found[how] |= {name: tables.average(name, how) for name in ranked}
    return found


def _places(model: rs.ModelEvaluation, table: rs.ScoreTable) -> dict[str, Any]:
    """The thresholds of the KS distance and of the least cost."""
    ks = table.ks()
    found: dict[str, Any] = {"ks_threshold": ks.threshold, "ks_sign": ks.sign}
    if model.costs is not None:
        best = table.best("cost", **model.cost_parameters)
        found |= {"cost_threshold": best.threshold, "least_cost": best.value}
    return found


def _amount(cell: float) -> float:
    """Convert counts, and sums of whole weights, to whole numbers."""
    return int(cell) if float(cell).is_integer() else float(cell)

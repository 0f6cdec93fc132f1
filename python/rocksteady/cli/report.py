"""Statistics to named values: indices under the names of the registry.

The report has the indices of `Evaluation.summary`, of `--define` and of `--names`.

It is a plain dictionary. `--json` writes it (NaN becomes null), and the table shows it. Keys for all models:

| key | value |
|---|---|
| `version`, `files`, `rows` | version of rocksteady, number of files, number of rows counted |
| `title` | with `--title` only |
| `rows_left_out` | with `--nan-policy omit` and `--missing-labels`: the number of rows without a score or label |
| `notes` | with `--missing-labels`: for each model the bounds of its AUC over all labels that are missing, as a sentence |
| `labels`, `pos_label` | the classes in the order of the matrices; the positive class, or None for more than two |
| `costs` | with `--cost` only: the costs of tp, fp, fn and tn, or the names of columns |
| `weight_kind` | with `--weight-kind sampling` only |
| `at_prevalence` | with `--prevalence` only: the share of the positive class, or of each class |
| `cluster`, `strata` | with `--cluster` and `--strata` only: the column, or a list of several |
| `level` | with `--interval` only: the confidence level of the intervals |
| `differences` | of several models with `--interval` or `--difference`: of each: index, first and second model, difference, ... |
| `models` | with several models only: a mapping from their names to the dictionaries below |

Keys for one model. With a single model they are in the same dictionary:

| key | value |
|---|---|
| `threshold` | scores at or above it are predicted positive; None where another column gives the classes |
| `confusion_matrix` | rows are actual classes, columns predicted ones |
| an index's name | its value: with two classes of the positive class or overall, with more classes overall |
| `every` | with more than two classes: from an index to its values, in the order of `labels` |
| `macro`, `micro`, `weighted` | with more than two classes: from an index to its average |
| `ks_threshold`, `ks_sign` | the threshold of the KS distance; +1 if positives have the higher scores |
| `cost_threshold`, `least_cost` | with `--cost` and scores: the threshold with the least total cost, and this cost |
| `intervals` | with `--interval`: from an index to its interval: low, high, method; `why`; `note` |
| `thresholds` | with `--best` or `--thresholds`: the threshold in use and the best ones, see `conditions.thresholds` |
| `groups` | with `--by` only: columns of the groups, how many there are, and how many are hidden: see `ShownGroups.to_dict` |
| `requirements` | with `--require`: which are met, see `conditions.judged` |
| `undefined` | from an index to the reason why it is undefined, or has a conventional value |
"""

from __future__ import annotations

import contextlib
import math
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import rocksteady as rs
from rocksteady.base.arguments import shown
from rocksteady.base.table import one_line
from rocksteady.cli.conditions import amount, judged, thresholds
from rocksteady.cli.differences import differences
from rocksteady.cli.options import LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocksteady.cli.conditions import Goal, Requirement
    from rocksteady.cli.options import Options
    from rocksteady.cli.tally import Tally
    from rocksteady.registry.selection import Names

AVERAGES: Final[tuple[Literal["macro", "micro", "weighted"], ...]] = ("macro", "micro", "weighted")
#: The indices of each class.
OF_CLASSES: Final = ("precision", "recall", "f1")

# Which rows belong together, in words.
_DESIGN: Final = {"cluster": "clusters", "strata": "strata"}
_SAME: Final = 1e-9  # a smaller difference is a rounding error
_SHOWN: Final = 5

# The first keys of the report, in their order, for one model and for several.
_SHARED: Final = ("version", "files", "rows", "labels", "pos_label")


@dataclass(frozen=True)
class Wanted:
    """What the report has.

    Attributes
    ----------
    names
        The indices, as for `Evaluation.summary`.
    goals
        What the thresholds of its table are best at; None: there is no table.
    requirements
        What must hold.
    title
        The title of the user's own.
    level
        The confidence level of intervals; None: there are none.
    differences
        The pairs of models whose differences are wanted.
    """

    names: Names | Sequence[str] = "summary"
    goals: Sequence[Goal] | None = None
    requirements: Sequence[Requirement] = ()
    title: str | None = None
    level: float | None = None
    differences: Sequence[tuple[str, str]] = ()


def report(tally: Tally, files: int, wanted: Wanted, asked: Options, *, omit: bool = False) -> dict[str, Any]:
    """Make the report from a tally; the module's docstring lists the keys."""
    evaluation = tally.evaluation
    shared = (rs.__version__, files, tally.rows, evaluation.labels, evaluation.pos_label)
    found: dict[str, Any] = dict(zip(_SHARED, shared, strict=True))
    if wanted.title is not None:
        found["title"] = wanted.title
    if omit:
        found["rows_left_out"] = evaluation.rows_left_out
    if evaluation.notes:
        found["notes"] = list(evaluation.notes)
    told = evaluation.to_dict(wanted.names)
    read = told["models"]
    models = {
        name: _of_model(
            model,
            read[name]["indices"],
            wanted,
            tally.not_probabilities.get(name),
            has_strata=asked.prevalence is not None,
        )
        for name, model in evaluation.models.items()
        if isinstance(model, rs.results.ModelEvaluation)  # what is bounded is reported elsewhere
    }
    if asked.has_row_costs:
        found["costs"] = asked.costs
    elif evaluation.costs is not None:
        found["costs"] = next(iter(evaluation.models.values())).cost_parameters
    if asked.weight_kind == "sampling":
        found["weight_kind"] = asked.weight_kind
    if asked.prevalence is not None:
        found["at_prevalence"] = asked.prevalence
    if wanted.level is not None:
        found |= of_design(wanted.level, asked)
    if wanted.differences:
        names = list(dict.fromkeys(name for each in read.values() for name in each["indices"]))
        found["differences"] = differences(evaluation, wanted.differences, names, wanted.level or LEVEL)
    if "groups" in told:
        for name, groups in told["groups"].items():
            models[name]["groups"] = groups
    if len(models) == 1:
        return found | next(iter(models.values()))
    return found | {"models": models}


def of_design(level: float, asked: Options) -> dict[str, Any]:
    """The level of intervals, and the columns of clusters and strata."""
    columns = {"cluster": asked.columns.cluster, "strata": asked.columns.strata}
    given = {key: names[0] if len(names) == 1 else list(names) for key, names in columns.items() if names}
    return {"level": level, **given}


def of_intervals(told: dict[str, Any]) -> str:
    """What intervals a report has, in words."""
    named = {word: told[key] for key, word in _DESIGN.items() if key in told}
    of = "".join(
        f"; {word}: {' × '.join(map(one_line, [names] if isinstance(names, str) else names))}"
        for word, names in named.items()
    )
    return f"{100 * told['level']:g} % confidence intervals{of}"


def noted(models: Iterable[dict[str, Any]]) -> list[str]:
    """What speaks against intervals, a sentence each, and of which indices."""
    found: dict[str, dict[str, None]] = {}
    for model in models:
        for name, interval in model.get("intervals", {}).items():
            if "note" in interval:
                found.setdefault(interval["note"], {})[name] = None
    return [f"Intervals of {', '.join(names)}: {note}" for note, names in found.items()]


def as_dict(evaluation: rs.Evaluation, files: int, names: Names | Sequence[str], title: str | None) -> dict[str, Any]:
    """The report of what is no evaluation of classes: of sketches, or of several labels a row."""
    found: dict[str, Any] = {"version": rs.__version__, "files": files}
    if title is not None:
        found["title"] = title
    return found | evaluation.to_dict(names)


def _of_model(
    model: rs.results.ModelEvaluation,
    values: dict[str, float],
    wanted: Wanted,
    not_probabilities: str | None,
    *,
    has_strata: bool,
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "threshold": model.threshold,
        "confusion_matrix": [[amount(cell) for cell in row] for row in model.confusion.to_array().tolist()],
    }
    undefined: dict[str, str] = {}
    for name, value in values.items():
        if not_probabilities is not None and "probabilities" in rs.index(name).forms:
            undefined[name] = f"the scores are not probabilities ({not_probabilities})"
        elif not model.is_mean(name):
            found[name] = value
            reason = model.why(name)
            if reason is not None:
                undefined[name] = reason
    if wanted.level is not None:
        found["intervals"] = intervals(
            model, [name for name in values if name in found], wanted.level, has_strata=has_strata
        )
    if not model.is_binary:
        found |= _of_each_class(model, [rs.index(name) for name in dict.fromkeys([*values, *OF_CLASSES])])
    if model.scores is not None:
        found |= _places(model, model.scores)
        if found.get("cost_threshold") == math.inf:
            undefined["cost_threshold"] = "It costs least to predict no row positive."
    if wanted.goals is not None and model.scores is not None:
        found["thresholds"] = thresholds(model, wanted.goals)
    if wanted.requirements:
        found["requirements"] = judged(model, wanted.requirements)
    found["undefined"] = undefined
    return found


def intervals(model: Any, names: Sequence[str], level: float, *, has_strata: bool = False) -> dict[str, dict[str, Any]]:
    """The intervals of the indices that have one; with strata each class was sampled by itself."""
    options = {"strata": "label"} if has_strata else {}
    return {
        name: {"low": found.low, "high": found.high, "method": found.method}
        | {key: said for key, said in (("why", found.why), ("note", found.note)) if said is not None}
        for name, found in model._intervals(names, level=level, **options).items()
    }


def _of_each_class(model: rs.results.ModelEvaluation, rows: Sequence[rs.results.Index]) -> dict[str, Any]:
    """The indices of each class against the rest and their averages, from the classes and from scores if any."""
    of_classes = [row.name for row in rows if {"counts", "class"} & set(row.forms)]
    averaged = [row.name for row in rows if "counts" in row.forms]
    matrix, tables = model.confusion, model.class_scores
    found: dict[str, dict[str, Any]] = {"every": {name: matrix.every(name).tolist() for name in of_classes}}
    for how in AVERAGES:
        found[how] = {name: matrix.value(name, average=how) for name in averaged}
    if tables is not None:
        ranked = [row.name for row in rows if "scores" in row.forms]
        found["every"] |= {name: tables.every(name)[model._class_places].tolist() for name in ranked}
        # No micro average: its ranking has all rows of all classes, so it is large.
        for how in AVERAGES[::2]:
            found[how] |= {name: tables.value(name, average=how) for name in ranked}
    return found


def _places(model: rs.results.ModelEvaluation, table: rs.ScoreTable) -> dict[str, Any]:
    """The thresholds of the KS distance and of the least cost."""
    ks = table.ks()
    found: dict[str, Any] = {"ks_threshold": ks.threshold, "ks_sign": ks.sign}
    if model._has_costs and model.why_no_best("cost") is None:
        best: Any = model.best("cost")
        found |= {"cost_threshold": best.threshold, "least_cost": best.value}
    return found


def doubt(tally: Tally, report: dict[str, Any]) -> str | None:
    """A sentence, if classes were sorted as text, and scores or an index of ordered classes speak against it."""
    if not tally.is_sorted_text:
        return None
    if len(report["labels"]) > 2:
        return _unordered(tally.evaluation, report)
    models = report.get("models", {"": report})
    below = {name: model["roc_auc"] for name, model in models.items() if model.get("roc_auc", 1.0) < 0.5}
    if not below:
        return None
    positive = report["pos_label"]
    other = next(label for label in report["labels"] if label != positive)
    areas = " and ".join(
        f"roc_auc{f' of {one_line(name)}' if name else ''} is {area:.4g}" for name, area in below.items()
    )
    return (
        f"{shown(positive)} is the positive class, as it sorts after {shown(other)}, and {areas}, below 0.5; "
        f"--pos-label {one_line(shlex.quote(other))} makes {shown(other)} the positive class"
    )


def _unordered(evaluation: Any, report: dict[str, Any]) -> str | None:
    """A note, if a reported index depends on the order of the classes."""
    labels: list[Any] = report["labels"]
    found: dict[str, None] = {}
    for model in evaluation.models.values():
        shown = report.get("models", {model.name: report})[model.name]
        words = " ".join([*shown, *(row["requirement"] for row in shown.get("requirements", ()))])
        turned = [model.confusion.reorder(order) for order in ([*labels[1:], labels[0]], [labels[-1], *labels[:-1]])]
        for word in dict.fromkeys(re.findall(r"\w+", words)):
            with contextlib.suppress(rs.UnknownIndexError):
                name, is_of_matrix = (row := rs.index(word)).name, "matrix" in row.forms
                if is_of_matrix and any(abs(model.confusion[name] - other[name]) > _SAME for other in turned):
                    found[name] = None
    if not found:
        return None
    more = ", ..." if len(labels) > _SHOWN else ""
    others = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return (
        f"the classes are in the order of the alphabet, {', '.join(map(repr, labels[:_SHOWN]))}{more}, and "
        f"{', '.join(list(found)[:_SHOWN])}{others} go{'es' * (len(found) == 1)} by their order; --labels gives another"
    )


def unmet(report: dict[str, Any]) -> list[str]:
    """For each requirement that a model does not meet, a sentence."""
    models = report.get("models", {"": report})
    return [
        f"{f'{one_line(name)}: ' if name else ''}{row['requirement']}: {said(row)}"
        for name, model in models.items()
        for row in model.get("requirements", ())
        if not row["met"]
    ]


def said(row: dict[str, Any]) -> str:
    """The values of a requirement, and why one is undefined."""
    values = ", ".join(
        f"{name} is {'undefined' if math.isnan(value) else f'{value:.9g}'}" for name, value in row["values"].items()
    )
    return f"{values}: {row['why']}" if "why" in row else values

"""Show the results as a table for people, or as JSON for programs.

The table fits 80 columns. Four models stand side by side, further models below them. On a terminal the headings are
bold. In a pipe the table is plain text, so that `grep auc` and `diff` work.
"""

from __future__ import annotations

import io
import json
import math
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocksteady.base.table import one_line
from rocksteady.cli.report import AVERAGES
from rocksteady.models.columns import DEFAULT_THRESHOLD, OF_PROBABILITIES
from rocksteady.registry import indices

if TYPE_CHECKING:
    from typing import TextIO

_SHOWN_CLASSES = 8  # the largest confusion matrix that fits 80 columns
_SHOWN_ROWS = 40
_NAME_WIDTH = 26
_VALUE_WIDTH = 11
_FROM_SCORES = {"scores", "probabilities"}
_THRESHOLDS = ("ks_threshold", "cost_threshold")
_RANKING = [
    *(row.name for row in indices() if _FROM_SCORES & set(row.forms)),
    "ks_threshold", "ks_sign", "cost_threshold", "least_cost",
]  # fmt: skip
_PER_CLASS = ("precision", "recall", "f1")
_NOT_INDICES = {
    "version", "files", "rows", "labels", "pos_label", "costs", "models", "threshold", "confusion_matrix",
    "per_class", *AVERAGES, "undefined",
}  # fmt: skip


def as_json(report: dict[str, Any]) -> str:
    """Write the report as JSON. NaN and infinity become null, because JSON has neither."""
    return json.dumps(_finite(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return value


def print_report(report: dict[str, Any], stream: TextIO, *, chosen: bool) -> None:
    """Print the report as tables; `chosen` says whether the user gave the threshold."""
    if stream.isatty():
        _print(report, Console(file=stream, highlight=False, markup=False, emoji=False), chosen=chosen)
        return
    text = io.StringIO()
    _print(
        report, Console(file=text, highlight=False, markup=False, emoji=False, width=80, no_color=True), chosen=chosen
    )
    stream.writelines(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _print(report: dict[str, Any], console: Console, *, chosen: bool) -> None:
    models: dict[str, dict[str, Any]] = report.get("models", {"": report})
    _heading(console, report, models, chosen=chosen)
    binary, several = report["pos_label"] is not None, len(models) > 1
    classes = len(report["labels"])
    if classes > _SHOWN_CLASSES:
        console.print(Text(f"Confusion matrix: {classes} x {classes}, see --json"))
        console.print()
    elif not (binary and several):
        for name, model in models.items():
            of = f" of {one_line(name)}" if several else ""
            _matrix(console, f"Confusion matrix{of}", report["labels"], model["confusion_matrix"])
    if several:
        for block in _blocks(models, console.width):
            _side_by_side(console, block, binary=binary)
    else:
        counts, ranking = _names(models)
        _values(console, "From the classes", counts, report)
        if not binary:
            _classes(console, report)
        if ranking:
            _values(console, "From the scores", ranking, report)
    for name, model in models.items():
        _missing(console, model, f" of {one_line(name)}" if several else "")


def _names(models: dict[str, dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The values that at least one model has: those of the classes, and those of the scores."""
    found = dict.fromkeys(name for model in models.values() for name in model if name not in _NOT_INDICES)
    return [name for name in found if name not in _RANKING], [name for name in _RANKING if name in found]


def _missing(console: Console, model: dict[str, Any], of: str) -> None:
    """Print which of the common values a model does not have, and why."""
    without = {name: reason for name, reason in model["undefined"].items() if name not in model}
    for reason in dict.fromkeys(without.values()):
        names = " and ".join(name for name in without if without[name] == reason)
        console.print(Text(f"No {names}{of}: {reason}"))


def _blocks(models: dict[str, dict[str, Any]], width: int) -> list[dict[str, dict[str, Any]]]:
    """Split the models into blocks that fit side by side."""
    most = max(1, (width - _NAME_WIDTH) // (_VALUE_WIDTH + 2))
    names = list(models)
    return [{name: models[name] for name in names[at : at + most]} for at in range(0, len(names), most)]


def _side_by_side(console: Console, models: dict[str, dict[str, Any]], *, binary: bool) -> None:
    """Print the values of several models, one column per model."""
    counts, ranking = _names(models)
    cells: dict[str, list[tuple[str, list[str]]]] = {}
    if binary:
        matrices = [model["confusion_matrix"] for model in models.values()]
        places = (
            ("true positives", 1, 1),
            ("false positives", 0, 1),
            ("false negatives", 1, 0),
            ("true negatives", 0, 0),
        )
        cells["Outcomes"] = [(name, [_amount(each[row][column]) for each in matrices]) for name, row, column in places]
    cells["From the classes"] = [(name, [_value(name, model) for model in models.values()]) for name in counts]
    averaged = [
        name for name in (*_PER_CLASS, "roc_auc") if any(name in model.get("macro", ()) for model in models.values())
    ]
    cells["Averages over the classes"] = [
        (f"{how} {name}", [_number(model[how][name]) if name in model[how] else "" for model in models.values()])
        for how in AVERAGES
        for name in averaged
        if any(name in model[how] for model in models.values())
    ]
    cells["From the scores"] = [(name, [_value(name, model) for model in models.values()]) for name in ranking]
    room = (console.width - _NAME_WIDTH) // len(models) - 2
    for title, rows in cells.items():
        if not rows:
            continue
        table = _table(title)
        table.padding = (0, 1, 0, 0)
        table.add_column("", min_width=_NAME_WIDTH, max_width=_NAME_WIDTH, overflow="fold")
        for name in models:
            table.add_column(
                Text(one_line(name)), justify="right", overflow="fold", min_width=_VALUE_WIDTH, max_width=room
            )
        for name, values in rows:
            table.add_row(*(Text(cell) for cell in (name, *values)))
        console.print(table, "")


def _heading(console: Console, report: dict[str, Any], models: dict[str, dict[str, Any]], *, chosen: bool) -> None:
    rows, files, labels = report["rows"], report["files"], report["labels"]
    shown = ", ".join(one_line(label) for label in labels[:10])
    rest = f" and {len(labels) - 10} more" if len(labels) > 10 else ""
    counted = f"{rows:,} row{'s' * (rows != 1)} in {files:,} file{'s' * (files != 1)}"
    line = f"{counted}; {len(labels)} classes: {shown}{rest}"
    if report["pos_label"] is not None:
        line += f"; positive: {one_line(report['pos_label'])}"
    console.print(Text(line, style="bold"))
    cut = {name: model["threshold"] for name, model in models.items() if model["threshold"] is not None}
    rules = []
    for threshold in dict.fromkeys(cut.values()):
        names = [one_line(name) for name in cut if cut[name] == threshold]
        rules.append(f"{'score' if len(models) == 1 else ', '.join(names)} >= {threshold:g}")
    if rules:
        console.print(Text(f"predicted {one_line(report['pos_label'])} where {', '.join(rules)}"))
        if not (chosen or all(threshold == OF_PROBABILITIES for threshold in cut.values())):
            console.print(Text(f"default threshold: {DEFAULT_THRESHOLD}"))
    if "costs" in report:
        console.print(Text(f"costs: {', '.join(f'{outcome} {cost:g}' for outcome, cost in report['costs'].items())}"))
    console.print()


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)


def _matrix(console: Console, title: str, labels: list[Any], cells: list[list[float]]) -> None:
    table = _table(title)
    table.add_column("actual \\ predicted", overflow="fold")
    for label in labels:
        table.add_column(Text(one_line(label)), justify="right")
    for label, row in zip(labels, cells, strict=True):
        table.add_row(Text(one_line(label)), *(_amount(cell) for cell in row))
    console.print(table, "")


def _values(console: Console, title: str, names: list[str], report: dict[str, Any]) -> None:
    """Print names and values in two columns, reading down."""
    table = _table(title)
    table.padding = (0, 1, 0, 0)
    for indent in (0, 2):  # 79 columns in total, for names of up to 26 letters
        table.add_column("", min_width=_NAME_WIDTH + indent, overflow="fold")
        table.add_column("", justify="right", min_width=11)
    table.show_header = False
    half = (len(names) + 1) // 2
    left = [(name, _value(name, report)) for name in names[:half]]
    right = [(f"  {name}", _value(name, report)) for name in names[half:]]
    right += [("", "")] * (len(left) - len(right))
    for one, other in zip(left, right, strict=True):
        table.add_row(*(Text(cell) for cell in (*one, *other)))
    console.print(table, "")


def _value(name: str, report: dict[str, Any]) -> str:
    if name not in report:  # another model has this value
        return ""
    value = report[name]
    if name == "ks_sign":
        return {1: "+1", -1: "-1"}.get(value, "0")
    if name in _THRESHOLDS and not math.isnan(value):
        return f"{value:.9g}"
    return _number(value)


def _classes(console: Console, report: dict[str, Any]) -> None:
    labels, cells, per_class = report["labels"], report["confusion_matrix"], report["per_class"]
    table = _table("Each class")
    names = [name for name in (*_PER_CLASS, "roc_auc") if name in per_class]
    for heading in ("class", "support", *names):
        table.add_column(heading, justify="left" if heading == "class" else "right")
    for k, label in enumerate(labels[:_SHOWN_ROWS]):
        table.add_row(Text(one_line(label)), _amount(sum(cells[k])), *(_number(per_class[name][k]) for name in names))
    if len(labels) > _SHOWN_ROWS:
        table.add_row(f"{len(labels) - _SHOWN_ROWS} more, see --json")
    for how in AVERAGES:
        table.add_row(
            f"{how} average", "", *(_number(report[how][name]) if name in report[how] else "" for name in names)
        )
    console.print(table, "")


def _number(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.6f}" if abs(value) < 1e5 else f"{value:.6g}"


def _amount(cell: float) -> str:
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.6g}"

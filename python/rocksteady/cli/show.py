"""Named values into a table for people, or JSON for programs.

The table fits 80 columns. On a terminal the headings are bold; in a pipe it is plain text, so that `grep auc` and a diff work.
"""

from __future__ import annotations

import io
import json
import math
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocksteady.cli.report import AVERAGES
from rocksteady.registry import indices
from rocksteady.table import one_line

if TYPE_CHECKING:
    from typing import TextIO

_SHOWN_CLASSES = 8  # columns of a confusion matrix that fit 80 columns
_SHOWN_ROWS = 40
_NAME_WIDTH = 26
_FROM_SCORES = {"scores", "probabilities"}
_RANKING = [*(row.name for row in indices() if _FROM_SCORES & set(row.forms)), "ks_threshold", "ks_sign"]
_PER_CLASS = ("precision", "recall", "f1")
_NOT_INDICES = {
    "version", "files", "rows", "labels", "pos_label", "threshold", "confusion_matrix",
    "per_class", *AVERAGES, "undefined",
}  # fmt: skip


def as_json(report: dict[str, Any]) -> str:
    """Write the report as JSON; what has no finite value is null, since JSON has no NaN and no infinity."""
    return json.dumps(_finite(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return value


def print_report(report: dict[str, Any], stream: TextIO) -> None:
    """Print the report as tables."""
    if stream.isatty():
        _print(report, Console(file=stream, highlight=False, markup=False, emoji=False))
        return
    text = io.StringIO()
    _print(report, Console(file=text, highlight=False, markup=False, emoji=False, width=80, no_color=True))
    stream.writelines(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _print(report: dict[str, Any], console: Console) -> None:
    _heading(console, report)
    _matrix(console, report)
    ranking = [name for name in _RANKING if name in report]
    counts = [name for name in report if name not in _NOT_INDICES and name not in _RANKING]
    _values(console, "From the classes", counts, report)
    if "per_class" in report:
        _classes(console, report)
    if ranking:
        _values(console, "From the scores", ranking, report)
    without = {name: reason for name, reason in report["undefined"].items() if name not in report}
    for reason in dict.fromkeys(without.values()):
        names = " and ".join(name for name in without if without[name] == reason)
        console.print(Text(f"No {names}: {reason}"))


def _heading(console: Console, report: dict[str, Any]) -> None:
    rows, files, labels = report["rows"], report["files"], report["labels"]
    shown = ", ".join(one_line(label) for label in labels[:10])
    rest = f" and {len(labels) - 10} more" if len(labels) > 10 else ""
    counted = f"{rows:,} row{'s' * (rows != 1)} in {files:,} file{'s' * (files != 1)}"
    line = f"{counted}; {len(labels)} classes: {shown}{rest}"
    if report["pos_label"] is not None:
        line += f"; positive: {one_line(report['pos_label'])}"
    console.print(Text(line, style="bold"))
    if report["threshold"] is not None:
        console.print(Text(f"predicted {one_line(report['pos_label'])} where score >= {report['threshold']:g}"))
    console.print()


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)


def _matrix(console: Console, report: dict[str, Any]) -> None:
    labels, cells = report["labels"], report["confusion_matrix"]
    if len(labels) > _SHOWN_CLASSES:
        console.print(Text(f"Confusion matrix: {len(labels)} x {len(labels)}, see --json"))
        console.print()
        return
    table = _table("Confusion matrix")
    table.add_column("actual \\ predicted", overflow="fold")
    for label in labels:
        table.add_column(Text(one_line(label)), justify="right")
    for label, row in zip(labels, cells, strict=True):
        table.add_row(Text(one_line(label)), *(_amount(cell) for cell in row))
    console.print(table)
    console.print()


def _values(console: Console, title: str, names: list[str], report: dict[str, Any]) -> None:
    """Print names and values in two columns, reading down."""
    table = _table(title)
    table.padding = (0, 1, 0, 0)
    for indent in (0, 2):  # 79 columns, with room for a name of 26 letters
        table.add_column("", min_width=_NAME_WIDTH + indent, overflow="fold")
        table.add_column("", justify="right", min_width=11)
    table.show_header = False
    half = (len(names) + 1) // 2
    left = [(name, _value(name, report)) for name in names[:half]]
    right = [(f"  {name}", _value(name, report)) for name in names[half:]]
    right += [("", "")] * (len(left) - len(right))
    for one, other in zip(left, right, strict=True):
        table.add_row(*(Text(cell) for cell in (*one, *other)))
    console.print(table)
    console.print()


def _value(name: str, report: dict[str, Any]) -> str:
    value = report[name]
    if name == "ks_sign":
        return {1: "+1", -1: "-1"}.get(value, "0")
    if name == "ks_threshold" and not math.isnan(value):
        return f"{value:.9g}"
    return _number(value)


def _classes(console: Console, report: dict[str, Any]) -> None:
    labels, cells, per_class = report["labels"], report["confusion_matrix"], report["per_class"]
    table = _table("Each class")
    names = [name for name in _PER_CLASS if name in per_class]
    for heading in ("class", "support", *names):
        table.add_column(heading, justify="left" if heading == "class" else "right")
    for k, label in enumerate(labels[:_SHOWN_ROWS]):
        table.add_row(Text(one_line(label)), _amount(sum(cells[k])), *(_number(per_class[name][k]) for name in names))
    if len(labels) > _SHOWN_ROWS:
        table.add_row(f"{len(labels) - _SHOWN_ROWS} more, see --json")
    for how in AVERAGES:
        table.add_row(f"{how} average", "", *(_number(report[how][name]) for name in names))
    console.print(table)
    console.print()


def _number(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.6f}" if abs(value) < 1e5 else f"{value:.6g}"


def _amount(cell: float) -> str:
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.6g}"

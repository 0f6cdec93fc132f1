"""Show the results as a table for people, or as JSON for programs.

The table fits the terminal, and 80 columns in a pipe: wider rows continue below. On a terminal the
headings are bold. In a pipe the table is plain text, so that `grep auc` and `diff` work.
"""

from __future__ import annotations

import io
import json
import math
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from rocksteady.base.table import one_line
from rocksteady.cli.report import AVERAGES, OF_CLASSES, noted, of_intervals, said
from rocksteady.errors import for_terminal
from rocksteady.inference.difference import p_text
from rocksteady.models.columns import DEFAULT_THRESHOLD, OF_PROBABILITIES
from rocksteady.registry.registry import indices

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

_WIDTH = 80  # in a pipe
_ENDLESS = 1_000_000
_SHOWN_ROWS = 40
_SHOWN_PAIRS = 6
_NAME_WIDTH = 26
_VALUE_WIDTH = 11
_GOAL_WIDTH = 12  # the least width of the first column in a table of thresholds
_FROM_SCORES = {"scores", "probabilities"}
_THRESHOLDS = ("ks_threshold", "cost_threshold")
_PLACES = ("ks_threshold", "ks_sign", "cost_threshold", "least_cost")
_RANKING = {*(row.name for row in indices() if _FROM_SCORES & set(row.forms)), *_PLACES}
_NOT_INDICES = {
    "version", "files", "rows", "labels", "pos_label", "title", "rows_left_out", "notes", "costs", "models", "threshold",
    "confusion_matrix", "every", *AVERAGES, "intervals", "level", "differences", "thresholds", "requirements", "undefined",
    "groups", "weight_kind", "cluster", "strata", "at_prevalence",
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


def print_report(report: dict[str, Any], stream: TextIO, *, chosen: bool, source: str) -> None:
    """Print the report as tables.

    Parameters
    ----------
    report
        The report.
    stream
        Where to.
    chosen
        Whether the user gave the threshold.
    source
        Where the rows are from, in words.
    """
    if stream.isatty():
        _print(report, Console(file=stream, highlight=False, markup=False, emoji=False), chosen=chosen, source=source)
        return
    text = io.StringIO()
    console = Console(file=text, highlight=False, markup=False, emoji=False, width=_WIDTH, no_color=True)
    _print(report, console, chosen=chosen, source=source)
    stream.writelines(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _print(report: dict[str, Any], console: Console, *, chosen: bool, source: str) -> None:
    models: dict[str, dict[str, Any]] = report.get("models", {"": report})
    _heading(console, report, models, chosen=chosen, source=source)
    binary, several = report["pos_label"] is not None, len(models) > 1
    named = {name: f" of {one_line(name)}" if several else "" for name in models}
    if not (binary and several):
        for name, model in models.items():
            _matrix(console, f"Confusion matrix{named[name]}", report["labels"], model["confusion_matrix"])
    if several:
        for block in _blocks(models, console.width):
            _side_by_side(console, block, binary=binary)
    else:
        counts, ranking = _names(models)
        if ranking:
            _values(console, "From the scores", ranking, report)
        if counts:
            _values(console, "From the classes", counts, report)
        if not binary:
            _classes(console, report)
    _tell(console, noted(models.values()))
    _differences(console, report.get("differences", []))
    for name, model in models.items():
        _missing(console, model, named[name])
    for name, model in models.items():
        _best(console, model, named[name])
    for name, model in models.items():
        _groups(console, model, named[name])
    for name, model in models.items():
        _requirements(console, model, named[name])


def _names(models: dict[str, dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The values that at least one model has: of the classes, and of the scores."""
    found = dict.fromkeys(name for model in models.values() for name in model if name not in _NOT_INDICES)
    return [name for name in found if name not in _RANKING], [name for name in found if name in _RANKING]


def _missing(console: Console, model: dict[str, Any], of: str) -> None:
    """Print which of the common values a model does not have, and why."""
    without = {name: reason for name, reason in model["undefined"].items() if name not in model}
    for reason in dict.fromkeys(without.values()):
        names = " and ".join(name for name in without if without[name] == reason)
        console.print(Text(f"No {names}{of}: {reason}"))
    if without:
        console.print()


def _best(console: Console, model: dict[str, Any], of: str) -> None:
    """Print the threshold in use and the best thresholds, and why there is none."""
    asked = model.get("thresholds", [])
    rows = [row for row in asked if "threshold" in row]
    if rows:
        columns = {
            "threshold": [_threshold(row["threshold"]) for row in rows],
            "value": [_number(row["value"]) if "value" in row else "" for row in rows],
            **{name: [_rate(row[name]) for row in rows] for name in ("precision", "recall")},
            **{name: [_amount(row[name]) for row in rows] for name in ("tp", "fp", "fn", "tn")},
        }
        widths = {name: max(len(cell) for cell in (name, *cells)) for name, cells in columns.items()}
        room, count = console.width - sum(widths.values()), len(columns)
        longest = max(len(row["goal"]) for row in rows)
        parts = [list(columns)] if room >= _GOAL_WIDTH + count else [list(columns)[:4], list(columns)[4:]]
        tight = len(parts) == 1 and (room < _GOAL_WIDTH + 2 * count or longest + count <= room < longest + 2 * count)
        for part in parts:
            table = _table(f"Thresholds{of}")
            table.padding = (0, 1 if tight else 2, 0, 0)
            table.add_column("best", overflow="fold", min_width=_GOAL_WIDTH)
            for name in part:
                table.add_column(name, justify="right", no_wrap=True, min_width=widths[name])
            for place, row in enumerate(rows):
                style = "dim" if row["goal"] == "in use" else ""
                cells = [_typed(row["goal"]), *(columns[name][place] for name in part)]
                table.add_row(*(Text(cell, style=style) for cell in cells))
            console.print(table, "")
    _tell(
        console,
        [f"No threshold{of} for {_typed(row['goal'])}: {row['why']}" for row in asked if "threshold" not in row],
    )


def _groups(console: Console, model: dict[str, Any], of: str) -> None:
    """Print the indices of each group, or of the groups with the most rows, and how many groups are not shown."""
    if "groups" not in model:
        return
    found = model["groups"]
    rows, size = found["rows"], len(found["rows"])
    largest = sorted(sorted(range(size), key=lambda place: -rows[place])[:_SHOWN_ROWS])
    by = " × ".join(one_line(name) for name in found["by"])
    table = _table(f"Groups by {by}{of}")
    for name in found["by"]:
        table.add_column(one_line(name), overflow="fold")
    counts = {"rows": rows} | ({} if found["positives"] is None else {"positives": found["positives"]})
    for name in (*counts, *found["indices"]):
        table.add_column(name, justify="right")
    for place in largest:
        keys = (found["keys"][name][place] for name in found["by"])
        cells = ["(missing)" if key is None else one_line(key) for key in keys]
        amounts = [_amount(column[place]) for column in counts.values()]
        values = [_number(column[place]) for column in found["indices"].values()]
        table.add_row(*map(Text, cells), *amounts, *values)
    console.print(table, "")
    hidden = found["hidden"]
    told = []
    if size > len(largest):
        told.append(f"{size - len(largest):,} groups with fewer rows are not in this table; --json has all.")
    if hidden["groups"]:
        told.append(
            f"{hidden['groups']:,} of {found['groups']:,} groups, with {hidden['rows']:,} rows in all, are hidden: they have "
            f"fewer than {found['min_rows']:,} rows."
        )
    _tell(console, told)


def _tell(console: Console, lines: Sequence[str]) -> None:
    """Print sentences, and an empty line after them."""
    for line in lines:
        console.print(Text(line))
    if lines:
        console.print()


def _requirements(console: Console, model: dict[str, Any], of: str) -> None:
    if "requirements" not in model:
        return
    console.print(Text(f"Requirements{of}", style="bold"))
    for row in model["requirements"]:
        word, style = ("met    ", "green") if row["met"] else ("NOT MET", "bold red")
        line = Text.assemble((word, style), f"  {_typed(row['requirement'])}: {_typed(said(row))}")
        first, *rest = line.wrap(console, console.width - 9)
        console.print(first)
        for more in rest:
            console.print(Text(" " * 9).append(more))
    console.print()


def _differences(console: Console, rows: list[dict[str, Any]]) -> None:
    """Print the differences of each pair of models, of many pairs those of the first."""
    pairs = list(dict.fromkeys((row["first"], row["second"]) for row in rows))
    p_value, heading = ("holm_p_value", "adjusted p") if len(pairs) > 1 else ("p_value", "p-value")
    for pair in pairs[:_SHOWN_PAIRS]:
        table = _table(" less ".join(map(one_line, pair)))
        table.add_column("", overflow="fold")
        for heading_of_numbers in ("difference", "low", "high", heading):
            table.add_column(heading_of_numbers, justify="right", no_wrap=True)
        table.add_column("verdict", overflow="fold")
        for row in rows:
            if (row["first"], row["second"]) == pair:
                bounds = [_bound(row[end]) if math.isfinite(row[end]) else "" for end in ("low", "high")]
                test = "" if math.isnan(row[p_value]) else p_text(row[p_value]).removeprefix("p ").removeprefix("= ")
                table.add_row(row["index"], _number(row["difference"]), *bounds, test, Text(_typed(row["verdict"])))
        console.print(table, "")
    told = []
    if len(pairs) > 1:
        told.append("Adjusted p-values and verdicts allow for the number of pairs (Holm's method).")
    if len(pairs) > _SHOWN_PAIRS:
        told.append(f"{len(pairs) - _SHOWN_PAIRS:,} more pairs are not shown: --json has all, --difference chooses.")
    _tell(console, told)


def _blocks(models: dict[str, dict[str, Any]], width: int) -> list[dict[str, dict[str, Any]]]:
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
    cells["From the scores"] = [(name, [_value(name, model) for model in models.values()]) for name in ranking]
    cells["From the classes"] = [(name, [_value(name, model) for model in models.values()]) for name in counts]
    averaged = [
        name for name in (*OF_CLASSES, "roc_auc") if any(name in model.get("macro", ()) for model in models.values())
    ]
    cells["Averages over the classes"] = [
        (f"{how} {name}", [_number(model[how][name]) if name in model[how] else "" for model in models.values()])
        for how in AVERAGES
        for name in averaged
        if any(name in model[how] for model in models.values())
    ]
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


def _heading(
    console: Console, report: dict[str, Any], models: dict[str, dict[str, Any]], *, chosen: bool, source: str
) -> None:
    if "title" in report:
        console.print(Text(_typed(report["title"]), style="bold"), "")
    rows, labels = report["rows"], report["labels"]
    shown = ", ".join(one_line(label) for label in labels[:10])
    rest = f" and {len(labels) - 10} more" if len(labels) > 10 else ""
    counted = f"{rows:,} row{'s' * (rows != 1)} {source}"
    line = f"{counted}; {len(labels)} classes: {shown}{rest}"
    if report["pos_label"] is not None:
        line += f"; positive: {one_line(report['pos_label'])}"
    console.print(Text(line, style="bold"))
    if "rows_left_out" in report:
        left_out = report["rows_left_out"]
        console.print(Text(f"left out: {left_out:,} row{'s' * (left_out != 1)} without a score or label"))
    for note in report.get("notes", ()):
        console.print(Text(for_terminal(note)))
    cut = {name: model["threshold"] for name, model in models.items() if model["threshold"] is not None}
    rules = []
    for threshold in dict.fromkeys(cut.values()):
        names = [one_line(name) for name in cut if cut[name] == threshold]
        rules.append(f"{'score' if len(models) == 1 else ', '.join(names)} >= {threshold:g}")
    if rules:
        console.print(Text(f"predicted {one_line(report['pos_label'])} where {', '.join(rules)}"))
        if not (chosen or all(threshold == OF_PROBABILITIES for threshold in cut.values())):
            console.print(Text(f"default threshold: {DEFAULT_THRESHOLD}"))
    if "level" in report:
        console.print(Text(f"[low, high]: {of_intervals(report)}"))
    if "weight_kind" in report:
        console.print(Text("weights are those of a sample"))
    if "at_prevalence" in report:
        given = report["at_prevalence"]
        shares = (
            ", ".join(f"{one_line(name)} {share:g}" for name, share in given.items())
            if isinstance(given, dict)
            else given
        )
        console.print(Text(f"rows weighed to a prevalence of {shares}"))
    if "costs" in report:
        given = (
            f"{outcome} {cost if isinstance(cost, str) else format(cost, 'g')}"
            for outcome, cost in report["costs"].items()
        )
        console.print(Text(f"costs: {', '.join(given)}"))
    console.print()


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)


def _matrix(console: Console, title: str, labels: list[Any], cells: list[list[float]]) -> None:
    """Print a matrix if it fits, with a shorter heading if need be."""
    for heading, explained in (("actual \\ predicted", ""), ("actual", ", predicted classes in columns")):
        table = _table(f"{title}{explained}")
        table.add_column(heading)
        for label in labels:
            table.add_column(Text(one_line(label)), justify="right")
        for place, (label, row) in enumerate(zip(labels, cells, strict=True)):
            right = [Text(_amount(cell), style="bold" if place == at else "") for at, cell in enumerate(row)]
            table.add_row(Text(one_line(label)), *right)
        if Measurement.get(console, console.options.update_width(_ENDLESS), table).maximum <= console.width:
            console.print(table, "")
            return
    console.print(Text(f"{title}: {len(labels)} x {len(labels)}, too wide to show here; --json and --html have it"), "")


def _values(console: Console, title: str, names: Sequence[str], report: dict[str, Any]) -> None:
    """Print names and values, reading down, in as many columns as fit."""
    value_width = max(_VALUE_WIDTH, *(len(_value(name, report)) for name in names))
    columns = max(1, (console.width + 1) // (_NAME_WIDTH + value_width + 3))
    table = _table(title)
    table.padding = (0, 1, 0, 0)
    for place in range(columns):
        table.add_column("", min_width=_NAME_WIDTH + 2 * (place > 0), overflow="fold")
        table.add_column("", justify="left" if "intervals" in report else "right", min_width=value_width)
    table.show_header = False
    height = -(-len(names) // columns)
    for row in range(height):
        cells: list[Text] = []
        for place, name in enumerate(names[row::height]):
            cells += Text("  " * (place > 0) + name), Text(_value(name, report))
        table.add_row(*cells)
    console.print(table, "")


def _value(name: str, report: dict[str, Any]) -> str:
    if name not in report:  # another model has this value
        return ""
    value = report[name]
    if name == "ks_sign":
        return {1: "+1", -1: "-1"}.get(value, "0")
    if name in _THRESHOLDS and not math.isnan(value):
        return _threshold(value)
    return _number(value) + _interval(report.get("intervals", {}).get(name))


def _interval(found: dict[str, Any] | None) -> str:
    """The bounds of an interval, if there is one."""
    if found is None or math.isnan(found["low"]) or math.isnan(found["high"]):
        return ""
    return f" [{_bound(found['low'])}, {_bound(found['high'])}]"


def _bound(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 1e4 else f"{value:.4g}"


def _classes(console: Console, report: dict[str, Any]) -> None:
    labels, cells, every = report["labels"], report["confusion_matrix"], report["every"]
    table = _table("Each class")
    names = [name for name in (*OF_CLASSES, "roc_auc") if name in every]
    for heading in ("class", "support", *names):
        table.add_column(heading, justify="left" if heading == "class" else "right")
    for k, label in enumerate(labels[:_SHOWN_ROWS]):
        table.add_row(Text(one_line(label)), _amount(sum(cells[k])), *(_number(every[name][k]) for name in names))
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


def _threshold(value: float) -> str:
    """A threshold to nine digits, rounded down: rounded up, it would lose the row whose score it is."""
    shown = f"{value:.9g}"
    if not float(shown) > value:
        return shown
    exact = Decimal(value)
    return f"{float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - 8), ROUND_FLOOR)):.9g}"


def _rate(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def _amount(cell: float) -> str:
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.6g}"


def _typed(text: str) -> str:
    """The user's text in full, with control characters escaped."""
    return text if text.isprintable() else repr(text)[1:-1]

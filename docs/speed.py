"""The six rows of speed in README.md, and their chart docs/images/speed.svg, from the tables of docs/speed.md.

    python docs/speed.py            # write the rows and the chart
    python docs/speed.py --check    # fail if they are not those of docs/speed.md, and write nothing

``python benches/ratios.py --into docs/speed.md`` measures the tables.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from made import write_or_check

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "speed.md"
README = ROOT / "README.md"
CHART = ROOT / "docs" / "images" / "speed.svg"

OURS = "rocksteady"
#: What README says of a row, then the row's name and number of rows in docs/speed.md.
HEADLINES = (
    ("confusion matrix, 10 million int64 labels", "binary confusion, int64", "10,000,000"),
    ("exact AUC, 10 million float64 scores", "AUC, float64", "10,000,000"),
    ("`rs.evaluate` of 10 million rows: every index, deciles, calibration", "evaluate, everything", "10,000,000"),
    ("30 indices at 100 thresholds, 1 million rows", "30 indices at 100 thresholds", "1,000,000"),
    ("PyCM's 134 statistics of a matrix of 100 classes", "PyCM's 134 statistics of 100 classes", "100"),
    ("`f1_score` of 1,000 rows", "`f1_score`", None),
)
RIVALS = {"bincount": "numpy's bincount"}


@dataclass(frozen=True)
class Row:
    """One measurement: its name, our time as text, and how many times faster it is than each rival."""

    title: str
    time: str
    ratios: dict[str, float]


def rows() -> list[Row]:
    """The rows of HEADLINES, as docs/speed.md has them."""
    tables = _tables(PAGE.read_text(encoding="utf-8"))
    one_thread = next(table for table in tables if "task" in table[0])
    small = next(table for table in tables if "call" in table[0])
    found = []
    for title, name, count in HEADLINES:
        if count is None:
            row = next(row for row in small if row["call"] == name)
            found.append(Row(title, f"{row[OURS]} µs", {"scikit-learn": _number(row["ratio"])}))
        else:
            row = next(row for row in one_thread if (row["task"], row["rows"]) == (name, count))
            ratios = {
                RIVALS.get(rival, rival): _number(cell)
                for heading, cell in row.items()
                if (rival := heading.removeprefix("vs ")) != heading and cell
            }
            found.append(Row(title, row[OURS], ratios))
    return found


def _tables(text: str) -> list[list[dict[str, str]]]:
    """Every table of a Markdown page: a mapping of headings to cells for each row."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        heads, _, *lines = ([cell.strip() for cell in line[1:-1].split("|")] for line in block.splitlines())
        found.append([dict(zip(heads, line, strict=True)) for line in lines])
    return found


def _number(cell: str) -> float:
    return float(cell.removesuffix("×").replace(",", ""))


def table() -> str:
    """README's table, and when and where it was measured."""
    lines = ["| task | rocksteady | times faster than |", "|---|---:|---|"]
    for row in rows():
        rivals = ", ".join(f"{name} **{ratio:g} ×**" for name, ratio in row.ratios.items())
        lines.append(f"| {row.title} | {row.time} | {rivals} |")
    day, processor = re.findall(r"^Measured on (.+)\.\n(.+?),", PAGE.read_text(encoding="utf-8"), re.MULTILINE)[0]
    return "\n".join([*lines, "", f"Measured on {day} with one thread of an {processor}."]) + "\n"


# The chart is written by hand: an image follows the reader's dark mode only where its own styles say so.
STYLE = """\
text { font: 14px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328 }
.task { font-weight: 600 } .note, .tick { fill: #59636e; font-size: 12px } .bar { fill: #0969da } .grid { stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .note, .tick { fill: #9198a1 } .bar { fill: #4493f8 } .grid { stroke: #3d444d }
}"""
WIDTH, LEFT, RIGHT, BAR = 860, 140, 790, 15
DECADES = (1, 10, 100, 1000)


def chart() -> str:
    """Bars on a logarithmic axis, by task and rival."""
    parts, y = [], 46
    for row in rows():
        parts.append(
            f'<text class="task" x="8" y="{y}">{escape(row.title.replace("`", ""))}: {escape(row.time)}</text>'
        )
        y += 10
        for name, ratio in row.ratios.items():
            end = _x(ratio)
            parts.append(f'<text class="note" x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(name)}</text>')
            parts.append(f'<rect class="bar" x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="{BAR}" rx="2"/>')
            parts.append(f'<text x="{end + 6:.1f}" y="{y + 12}">{ratio:g} ×</text>')
            y += BAR + 5
        y += 20
    bottom = y - 12
    grid = [
        f'<line class="grid" x1="{_x(decade):.1f}" x2="{_x(decade):.1f}" y1="52" y2="{bottom}"/>'
        f'<text class="tick" x="{_x(decade):.1f}" y="{bottom + 16}" text-anchor="middle">{decade:,} ×</text>'
        for decade in DECADES
    ]
    title = "How many times faster rocksteady is, by task and rival (logarithmic axis, one thread)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 28}" role="img">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n"
        f'<text class="note" x="8" y="18">{title}</text>\n' + "\n".join([*grid, *parts]) + "\n</svg>\n"
    )


def _x(ratio: float) -> float:
    return LEFT + (RIGHT - LEFT) * math.log10(ratio) / math.log10(DECADES[-1])


def pages() -> dict[Path, str | None]:
    """README with its rows, and the chart."""
    before, _, rest = README.read_text(encoding="utf-8").partition("<!-- speeds -->\n")
    _, mark, after = rest.partition("<!-- /speeds -->")
    if not mark:
        raise SystemExit("README.md has no <!-- speeds --> and <!-- /speeds -->")
    return {README: f"{before}<!-- speeds -->\n{table()}{mark}{after}", CHART: chart()}


if __name__ == "__main__":
    write_or_check(__doc__ or "", pages)

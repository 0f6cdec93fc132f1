"""Binary metrics, ROC from a grid of thresholds, and AUC: the worked example of a well-known set of notes.

    python examples/threshold_grid.py

The script writes tables, a picture and a page with all of them, results.md, to output/threshold_grid.
docs/papers/threshold-grid.md explains the notes and the results. Needs ``pip install '.[plot]'``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from _paper import command, write
from matplotlib.figure import Figure

import rocksteady as rs
from rocksteady.charts.palette import style

if TYPE_CHECKING:
    from collections.abc import Sequence

# Notes on binary classification: labels, indices, ROC and AUC, with a worked example (after Zhou Zhihua, Machine
# Learning).
LABELS = [1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
SCORES = [0.5, 0.6, 0.2, 0.9, 0.5, 0.3, 0.1, 0.7, 0.3, 0.9, 0.5]
# The values printed in the notes, for thresholds from 1.0 down to 0.0 in steps of 0.1.
PRINTED_TPR = [0, 0.4, 0.4, 0.4, 0.6, 0.8, 1, 1, 1, 1, 1]
PRINTED_FPR = [0, 0, 0, 0, 0, 0, 0.33, 0.33, 0.67, 0.83, 1]
PRINTED_AUC = 0.967
STEPS = 10
INDICES = ["accuracy", "error_rate", "precision", "recall", "specificity", "fpr", "f1"]


def indices_at_half(table: rs.ScoreTable) -> rs.results.Table:
    """The indices of the notes at the threshold 0.5, with > and with >=."""
    strict, inclusive = table.at(0.5, side=">"), table.at(0.5, side=">=")
    return rs.results.Table(
        ["index", "score > 0.5", "score >= 0.5"],
        [(name, float(strict[name]), float(inclusive[name])) for name in INDICES],
    )


def rates_on_the_grid(table: rs.ScoreTable) -> rs.results.Table:
    """True and false positive rate at each threshold: as printed, and by the possible rules."""
    grid = rs.scores.threshold_grid(STEPS)
    added_up = np.arange(1.0, -0.1, -0.1)[: len(grid)]  # repeated subtraction gives 0.7000000000000001 for 0.7
    columns: dict[str, list[float]] = {"threshold": grid.tolist()}
    for rate, printed in (("tpr", PRINTED_TPR), ("fpr", PRINTED_FPR)):
        columns[f"printed {rate}"] = [float(value) for value in printed]
        columns[f"{rate}, >"] = table.at(grid, side=">")[rate].tolist()
        columns[f"{rate}, >="] = table.at(grid, side=">=")[rate].tolist()
        columns[f"{rate}, >= added up"] = table.at(added_up, side=">=")[rate].tolist()
    return rs.results.Table(list(columns), list(zip(*columns.values(), strict=True)))


def areas(table: rs.ScoreTable) -> rs.results.Table:
    """The area under the curve of all thresholds, and under the curves of two grids."""
    rows: list[tuple[str, float]] = [("every threshold", table["roc_auc"])]
    for steps in (STEPS, 3):
        for side in (">", ">="):
            curve = table.grid(steps, side=side).curve("fpr", "tpr")
            rows.append((f"grid of {steps} steps, {side}", curve.area()))
    return rs.results.Table(["curve", "area"], rows)


def figure(table: rs.ScoreTable) -> Figure:
    """Draw the ROC curve of all thresholds, and the points of the grids."""
    drawn = Figure(figsize=(5.5, 5.5), layout="constrained")
    axes = drawn.subplots()
    rs.plot.RocDisplay.from_tables({"every threshold": table}, ax=axes)
    for place, steps in enumerate((STEPS, 3), start=1):
        look, label = style(place), f"grid of {steps} steps"
        fpr, tpr = table.grid(steps).curve("fpr", "tpr")
        axes.plot(fpr, tpr, look.marker, color=look.light, ls="--", lw=1, fillstyle="none", clip_on=False, label=label)
    axes.legend(loc="lower right")
    axes.set_title("ROC: every threshold, and fixed grids")
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    given = command(__file__, __doc__).parse_args(arguments)
    table = rs.ScoreTable(LABELS, SCORES)
    tables = {
        "indices": ("Indices at 0.5", indices_at_half(table)),
        "rates": ("Rates on the grid", rates_on_the_grid(table)),
        "areas": ("Areas", areas(table)),
    }
    page = write(given.output, "Binary metrics, ROC by a grid, AUC", tables, [("roc", figure(table))])
    for heading, each in tables.values():
        print(f"{heading}\n{each}\n")
    print(f"{page}: all tables and pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())

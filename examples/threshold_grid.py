"""Binary metrics, ROC by a grid of thresholds, and AUC: the worked example of a well-known set of notes, to the last digit.

Run it from the project's folder; it writes tables (Markdown) and a picture into the output folder:

    python examples/threshold_grid.py --output output/threshold-grid

What it shows is explained in docs/papers/threshold-grid.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import rocksteady as rs
from rocksteady.plot.palette import style

# Notes on binary classification: labels, indices, ROC and AUC, with a worked example (after Zhou Zhihua, Machine Learning).
LABELS = [1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
SCORES = [0.5, 0.6, 0.2, 0.9, 0.5, 0.3, 0.1, 0.7, 0.3, 0.9, 0.5]
# What the notes print, from the threshold 1.0 down to 0.0 in steps of 0.1.
PRINTED_TPR = [0, 0.4, 0.4, 0.4, 0.6, 0.8, 1, 1, 1, 1, 1]
PRINTED_FPR = [0, 0, 0, 0, 0, 0, 0.33, 0.33, 0.67, 0.83, 1]
PRINTED_AUC = 0.967
STEPS = 10
INDICES = ["accuracy", "error_rate", "precision", "recall", "specificity", "fpr", "f1"]


def indices_at_half(table: rs.ScoreTable) -> rs.Table:
    """The indices of the notes at the threshold 0.5, by both readings of "reaches the threshold"."""
    strict, inclusive = table.at(0.5, side=">"), table.at(0.5, side=">=")
    return rs.Table(
        ["index", "score > 0.5", "score >= 0.5"],
        [(name, float(strict[name]), float(inclusive[name])) for name in INDICES],
    )


def rates_on_the_grid(table: rs.ScoreTable) -> rs.Table:
    """True and false positive rate at each threshold: as printed, and by the rules that could be meant."""
    grid = rs.threshold_grid(STEPS)
    added_up = np.arange(1.0, -0.1, -0.1)[: len(grid)]  # 0.7 becomes 0.7000000000000001 on the way
    columns: dict[str, list[float]] = {"threshold": grid.tolist()}
    for rate, printed in (("tpr", PRINTED_TPR), ("fpr", PRINTED_FPR)):
        columns[f"printed {rate}"] = [float(value) for value in printed]
        columns[f"{rate}, >"] = table.at(grid, side=">")[rate].tolist()
        columns[f"{rate}, >="] = table.at(grid, side=">=")[rate].tolist()
        columns[f"{rate}, >= added up"] = table.at(added_up, side=">=")[rate].tolist()
    return rs.Table(list(columns), list(zip(*columns.values(), strict=True)))


def areas(table: rs.ScoreTable) -> rs.Table:
    """The area under the whole curve, and under the curves of two grids."""
    rows: list[tuple[str, float]] = [("every threshold", table["roc_auc"])]
    for steps in (STEPS, 3):
        for side in (">", ">="):
            curve = table.grid(steps, side=side).curve("fpr", "tpr")
            rows.append((f"grid of {steps} steps, {side}", curve.area()))
    return rs.Table(["curve", "area"], rows)


def figure(table: rs.ScoreTable, path: Path) -> None:
    """The ROC curve of every threshold, and the points of the grid."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.use("Agg")
    shown = rs.plot.RocDisplay.from_tables({"every threshold": table})
    for place, steps in enumerate((STEPS, 3), start=1):
        fpr, tpr = table.grid(steps).curve("fpr", "tpr")
        look = style(place)
        shown.ax_.plot(
            fpr, tpr, look.marker, color=look.light, ls="--", lw=1, fillstyle="none", label=f"grid of {steps} steps"
        )
    shown.ax_.legend(loc="lower right")
    shown.ax_.set_title("ROC: every threshold, and fixed grids")
    shown.figure_.savefig(path, dpi=110, bbox_inches="tight")
    plt.close(shown.figure_)


def main() -> None:
    """Write the tables and the figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path("output/threshold-grid"), help="where tables and figure go")
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    table = rs.ScoreTable(LABELS, SCORES)
    tables = {"indices": indices_at_half(table), "rates": rates_on_the_grid(table), "areas": areas(table)}
    for name, each in tables.items():
        print(f"{name}\n{each}\n")
        (folder / f"{name}.md").write_text(each.to_markdown(), encoding="utf-8")
    figure(table, folder / "roc.png")
    print(f"written to {folder}")


if __name__ == "__main__":
    main()

"""ROC, gain, lift and KS charts of ROCR.simple: Zhao Cunxiu's evaluation of a classification model, reproduced.

    python examples/roc_gain_lift_ks.py
    python examples/roc_gain_lift_ks.py --rows 10000000      # the same tables and charts for ten million rows

The script writes the paper's tables and figures, and a page with all of them, results.md, to output/roc_gain_lift_ks.
docs/papers/roc-gain-lift-ks.md explains the paper and the results. Needs ``pip install '.[plot]'``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from _paper import command, write
from matplotlib.figure import Figure

import rocksteady as rs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

DATA = Path(__file__).parent / "rocr_simple.csv"
THRESHOLD = 0.5  # the paper calls it "subjective"
# The names in the output of caret's `confusionMatrix`, and ours.
CARET = {
    "Accuracy": "accuracy",
    "No Information Rate": "no_information_rate",
    "Kappa": "kappa",
    "Mcnemar's Test P-Value": "mcnemar_p_value",
    "Sensitivity": "recall",
    "Specificity": "specificity",
    "Pos Pred Value": "precision",
    "Neg Pred Value": "npv",
    "Prevalence": "prevalence",
    "Detection Rate": "detection_rate",
    "Detection Prevalence": "rpp",
    "Balanced Accuracy": "balanced_accuracy",
    "F1": "f1",
}
SHARES = [0.1, 0.2, 0.3, 0.4, 0.465, 0.5, 0.6, 0.8, 1.0]


def rocr_simple() -> tuple[NDArray[Any], NDArray[Any]]:
    """Read the labels, 0 or 1, and the scores of 200 rows."""
    scores, labels = np.loadtxt(DATA, delimiter=",", skiprows=1, unpack=True)
    return labels.astype(np.int8), scores


def many(rows: int, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw rows from ROCR.simple, and add a little noise to each score so that few are tied."""
    labels, scores = rocr_simple()
    random = np.random.default_rng(seed)
    drawn = random.integers(len(scores), size=rows)
    moved = np.abs(scores[drawn] + random.normal(scale=0.01, size=rows))
    return labels[drawn], 1.0 - np.abs(1.0 - moved)  # reflected at 0 and 1, so that no scores pile up there


def table_2(table: rs.ScoreTable) -> rs.results.Table:
    """The output of caret's confusionMatrix with either class as positive. caret's default is the first class, 0."""
    at = table.at(THRESHOLD)
    cells = [[at.tn, at.fp], [at.fn, at.tp]]
    matrices = [rs.ConfusionMatrix.from_counts(cells, labels=[0, 1], pos_label=label) for label in (1, 0)]
    rows: list[tuple[str, float, float]] = []
    for heading, name in CARET.items():
        rows.append((heading, *(matrix[name] for matrix in matrices)))
        if name == "accuracy":
            intervals = [matrix.interval(name, method="clopper_pearson") for matrix in matrices]
            rows.append(("95% CI, low", *(interval.low for interval in intervals)))
            rows.append(("95% CI, high", *(interval.high for interval in intervals)))
    return rs.results.Table(["statistic", "positive class 1", "positive class 0 (caret's default)"], rows)


def scalars(table: rs.ScoreTable) -> rs.results.Table:
    """The numbers printed in the paper, and other indices of the same ranking."""
    names = ["roc_auc", "gini", "average_precision", "log_loss", "root_mean_squared_error", "brier", "break_even_point"]
    ks = table.ks()
    found = [(name, table[name]) for name in names]
    return rs.results.Table(["index", "value"], [*found, ("ks", ks.value), ("ks threshold", ks.threshold)])


def shares(table: rs.ScoreTable) -> rs.results.Table:
    """Gain and lift of the rows with the highest scores."""
    rows = []
    for share in SHARES:
        counts = table.best("recall", subject_to=f"rpp <= {share}").counts()
        rows.append((share, float(counts["rpp"]), float(counts["recall"]), float(counts["lift"])))
    return rs.results.Table(["asked share", "share", "gain", "lift"], rows)


def figures(table: rs.ScoreTable, name: str) -> Iterator[tuple[str, Figure]]:
    """Draw figure 1 (ROC), figure 2 (gain and lift) and figure 3 (KS)."""
    for file, displays in {
        "figure-1-roc": [rs.plot.RocDisplay],
        "figure-2-gain-lift": [rs.plot.GainDisplay, rs.plot.LiftDisplay],
        "figure-3-ks": [rs.plot.KsDisplay],
    }.items():
        figure = Figure(figsize=(5.5 * len(displays), 4.6), layout="constrained")
        panels = figure.subplots(1, len(displays), squeeze=False).ravel()
        for axes, display in zip(panels, displays, strict=True):
            display.from_tables({name: table}, ax=axes)
        yield file, figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = command(__file__, __doc__)
    parser.add_argument("--rows", type=int, help="draw this number of rows from the 200")
    given = parser.parse_args(arguments)
    if given.rows is not None and given.rows < 1:
        parser.error(f"--rows is {given.rows}; expected at least 1")
    labels, scores = rocr_simple() if given.rows is None else many(given.rows)
    name = "ROCR.simple" if given.rows is None else f"{given.rows:,} rows"
    began = time.perf_counter()
    table = rs.ScoreTable(labels, scores)
    tables = {
        "table-2": ("Table 2: the confusion matrix at 0.5", table_2(table)),
        "scalars": ("Numbers of the whole ranking", scalars(table)),
        "gain-and-lift": ("Gain and lift", shares(table)),
        "deciles": ("Tenths of the rows", table.gains(10).summary()),
    }
    page = write(given.output, "ROC, gain, lift and KS", tables, figures(table, name), digits=7)
    for key in ("table-2", "scalars", "gain-and-lift"):
        heading, each = tables[key]
        print(f"{heading}\n{each}\n")
    print(f"{page}: all tables and pictures ({len(labels):,} rows, {time.perf_counter() - began:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

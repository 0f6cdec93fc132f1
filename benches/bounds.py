"""The page docs/widths-of-bounds.md: how wide the proven bounds of each index are, at thresholds nobody asked for.

python benches/bounds.py            # write the page; some minutes
python benches/bounds.py --rows N   # of fewer rows, to standard output

Every index of counts must have bounds narrower than its range, or a reason why it has none.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import rocksteady as rs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

PAGE = Path(__file__).parent.parent / "docs" / "widths-of-bounds.md"
ROWS = 5_000_000

TEXT = """\
<!-- Made by benches/bounds.py: edit that, not this page. -->
# How wide proven bounds are

A sketch of 65,536 cells, {rows:,} rows, and nine thresholds at which the counts are not known exactly: the deciles of
the scores of the positives. The table has the median width of the bounds of each index of counts, for three
populations:

| population | positives | scores |
|---|---|---|
| smooth | 10 % | overlapping, ROC AUC {aucs[0]:.3f} |
| fraud | 0.1 % | positives far out in the tail, ROC AUC {aucs[1]:.3f} |
| over-confident | 30 % | most of them near 0 or near 1, ROC AUC {aucs[2]:.3f} |

0 means that the sizes of the classes alone say the index. An index without bounds has its reason below the table.

{table}

{reasons}
"""


def populations(rows: int) -> Iterator[tuple[str, NDArray[np.bool_], NDArray[np.float64]]]:
    """Labels and scores of each population."""
    rng = np.random.default_rng(2026)
    logistic = lambda x: 1 / (1 + np.exp(-x))  # noqa: E731
    for name, share, low, high, spread in (
        ("smooth", 0.1, -2.0, -0.5, 1.0),
        ("fraud", 0.001, -6.0, -1.0, 1.5),
        ("over-confident", 0.3, -8.0, 8.0, 8.0),
    ):
        actual = rng.random(rows) < share
        yield name, actual, logistic(rng.normal(np.where(actual, high, low), spread))


def main() -> None:
    """Measure, and write or print the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=ROWS)
    rows = parser.parse_args().rows
    names = [row.name for row in rs.indices() if {"counts", "matrix"} & set(row.forms)]
    widths: dict[str, list[float]] = {name: [] for name in names}
    reasons: dict[str, str] = {}
    aucs = []
    for _, actual, score in populations(rows):
        sketch = rs.ScoreSketch(actual, score)
        aucs.append(sketch.bounds("roc_auc").low)
        boxes = [sketch.at(float(threshold)) for threshold in np.quantile(score[actual], np.arange(1, 10) / 10)]
        open_ = [box for box in boxes if not box.is_known]
        if not open_:
            raise SystemExit("all counts are known; take more rows")
        for name in names:
            found = [box.bounds(name) for box in open_]
            widths[name].append(float(np.median([bounds.width for bounds in found])))
            whys = {bounds.why for bounds in found} - {None}
            if whys:
                reasons[name] = whys.pop()
    lines = ["| index | smooth | fraud | over-confident |", "|---|---:|---:|---:|"]
    for name in names:
        low, high = rs.index(name).low, rs.index(name).high
        for width in widths[name]:
            if name not in reasons and not width < high - low and not (math.isfinite(width) and high - low == 0):
                raise SystemExit(f"the bounds of {name} say nothing: {widths[name]}")
        shown = ["none" if math.isnan(width) else f"{width:.2g}" for width in widths[name]]
        lines.append(f"| `{name}` | {' | '.join(shown)} |")
    told = [f"- `{name}`: {why}" for name, why in reasons.items()]
    text = TEXT.format(rows=rows, aucs=aucs, table="\n".join(lines), reasons="\n".join(told) or "All have bounds.")
    if rows == ROWS:
        PAGE.write_text(text.rstrip() + "\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()

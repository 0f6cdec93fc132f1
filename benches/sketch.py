"""Compare what a sketch of scores knows with other summaries of the same size; print two tables.

    python benches/sketch.py [--rows 5000000] [--parquet 0]

The first table has, for three populations, how far the proven bounds of the area under the ROC curve (AUC) and of
average precision (AP) are apart, and how far the summaries' own values are from the exact ones:

- "BC²/m" is the least expected distance of the AUC's bounds for any m cells that are chosen before the data: BC is the
  Bhattacharyya coefficient of the two classes, by the Cauchy-Schwarz inequality. m is the number of cells asked for.
- Uniform bins have bounds, too: the order within a bin is unknown. Its value takes the rows of a bin for ties.
- KLL (datasketches) and t-digest (pytdigest) have a sketch for each class, of about the bytes of ours. They have no
  proven bounds; KLL's hold with a probability. Their value depends on the order of the rows.

With `--parquet` rows, a file of that many rows is written, and the CPU time of the sketch is set against that of
reading the file with polars.

Bias disclosure: the authors of this file are the authors of rocksteady.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_LIMITS = ("ROCKSTEADY_NUM_THREADS", "RAYON_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS")
os.environ |= dict.fromkeys(_LIMITS, "1")

import numpy as np  # noqa: E402 (after the limits of threads)

import rocksteady as rs  # noqa: E402

Rows = tuple[Any, Any]


def populations(rows: int) -> Iterator[tuple[str, float, Rows]]:
    """Labels and scores: a smooth model, rare fraud, a model that is too sure of itself; and the coefficient.

    Logits are normal with a variance of 1 before they are scaled, so the Bhattacharyya coefficient follows from how far
    the means of the classes are apart: exp(-apart²/8).
    """
    for name, share, apart, scale, shift in (
        ("smooth, 10 %", 0.1, 1.5, 1.0, 0.0),
        ("fraud, 0.1 %", 0.001, 2.5, 1.5, -5.0),
        ("over-confident", 0.1, 1.5, 8.0, -4.0),
    ):
        rng = np.random.default_rng(0)
        actual = rng.random(rows) < share
        logit = (rng.normal(size=rows) + apart * actual) * scale + shift
        yield name, float(np.exp(-(apart**2) / 8)), (actual, 1 / (1 + np.exp(-logit)))


def area_of_quantiles(quantiles: Any, shares_below: Callable[[Any], Any]) -> float:
    """AUC from the quantiles of the positives and the distribution of the negatives."""
    return float(np.mean(shares_below(np.asarray(quantiles))))


def by_bins(actual: Any, score: Any, bins: int) -> tuple[float, float]:
    """How far the bounds of the AUC are apart with uniform bins, and the AUC with the rows of a bin tied."""
    at = np.minimum((score * bins).astype(np.int64), bins - 1)
    positives, negatives = (np.bincount(at[actual == label], minlength=bins).astype(float) for label in (1, 0))
    pairs = positives.sum() * negatives.sum()
    doubtful = float((positives * negatives).sum())
    below = np.cumsum(negatives) - negatives
    return doubtful / pairs, float((positives * below).sum() + doubtful / 2) / pairs


def by_kll(actual: Any, score: Any, size: int) -> tuple[float, int]:
    """The AUC from two KLL sketches, and their bytes."""
    from datasketches import kll_doubles_sketch

    sketches = []
    for label in (1, 0):
        sketch = kll_doubles_sketch(size)
        sketch.update(score[actual == label])
        sketches.append(sketch)
    points = sketches[0].get_quantiles((np.arange(20_000) + 0.5) / 20_000)

    def shares_below(values: Any) -> Any:
        cuts = np.unique(values)
        found = np.asarray(sketches[1].get_cdf(cuts))[:-1]
        return found[np.searchsorted(cuts, values)]

    return area_of_quantiles(points, shares_below), sum(len(sketch.serialize()) for sketch in sketches)


def by_digest(actual: Any, score: Any, compression: int) -> tuple[float, int]:
    """The AUC from two t-digests, and the bytes of their centroids."""
    from pytdigest import TDigest

    digests = [TDigest.compute(score[actual == label], compression=compression) for label in (1, 0)]
    points = digests[0].inverse_cdf((np.arange(20_000) + 0.5) / 20_000)
    size = sum(16 * len(digest.get_centroids()) for digest in digests)
    return area_of_quantiles(points, digests[1].cdf), size


def compare(rows: int, cells: int) -> None:
    """Print how much each summary knows."""
    print(f"{rows:,} rows, {cells:,} cells\n")
    print("| population | summary | bytes | AUC: bounds apart | over BC²/m | AUC: error | AP: bounds apart |")
    print("|---|---|---|---|---|---|---|")
    for name, coefficient, (actual, score) in populations(rows):
        table = rs.ScoreTable(actual, score)
        exact = table["roc_auc"]
        least = coefficient**2 / cells
        sketch = rs.ScoreSketch(actual, score, cells=cells)
        area, precision = sketch.bounds("roc_auc"), sketch.bounds("average_precision")
        assert area.low <= exact <= area.high
        assert precision.low <= table["average_precision"] <= precision.high
        size = len(sketch.to_bytes())
        error = (area.low + area.high) / 2 - exact
        cost = f"{area.width:.2g} | {area.width / least:.2f} | {error:.1g} | {precision.width:.2g}"
        print(f"| {name} | ScoreSketch | {size:,} | {cost} |")
        for bins in (200, 10_000):
            apart, tied = by_bins(actual, score, bins)
            line = f"{16 * bins:,} | {apart:.2g} | {apart / least:.2f} | {tied - exact:.1g} | "
            print(f"| {name} | {bins:,} uniform bins | {line}|")
        rivals = {"datasketches": ("KLL", by_kll, 6000), "pytdigest": ("t-digest", by_digest, 25_000)}
        for module, (title, area_by, parameter) in rivals.items():
            if importlib.util.find_spec(module) is not None:
                value, taken = area_by(actual, score, parameter)
                print(f"| {name} | {title} | {taken:,} | none | | {value - exact:.1g} | none |")


def memory() -> float:
    """The greatest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read_parquet(rows: int) -> None:
    """Print the CPU time of the sketch of a Parquet file against that of reading it."""
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        schema = {"actual": pl.Boolean, "score": pl.Float64}
        rng = np.random.default_rng(0)
        parts = []
        for part, size in enumerate([10_000_000] * (rows // 10_000_000) + [rows % 10_000_000]):
            if size:
                actual = rng.random(size) < 0.1
                score = 1 / (1 + np.exp(-rng.normal(size=size) - 1.5 * actual))
                parts.append(path.with_name(f"{part}.parquet"))
                pl.DataFrame({"actual": actual, "score": score}, schema=schema).write_parquet(parts[-1])
                del actual, score

        def batches() -> Iterator[pl.DataFrame]:
            return iter(pl.scan_parquet(parts).collect_batches())

        times = {"reading": float("inf"), "sketch": float("inf")}
        for _ in range(2):
            start = time.process_time()
            read = sum(len(batch) for batch in batches())
            times["reading"] = min(times["reading"], time.process_time() - start)
            of_reader = memory()
            start = time.process_time()
            collector = rs.SketchCollector()
            for batch in batches():
                collector.update(batch["actual"], batch["score"])
            found = collector.sketch().bounds("roc_auc")
            times["sketch"] = min(times["sketch"], time.process_time() - start)
            of_sketch = memory()
        assert read == collector.rows == rows
        print(f"\n{rows:,} rows of Parquet, AUC in [{found.low:.7f}, {found.high:.7f}]")
        for name, seconds in times.items():
            print(f"{name}: {seconds:.2f} s of CPU, {seconds / rows * 1e9:.1f} ns a row")
        print(f"ratio {times['sketch'] / times['reading']:.2f}; greatest memory {of_reader:.0f} and {of_sketch:.0f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--cells", type=int, default=65_536)
    parser.add_argument("--parquet", type=int, default=0)
    asked = parser.parse_args()
    if asked.rows:
        compare(asked.rows, asked.cells)
    if asked.parquet:
        read_parquet(asked.parquet)

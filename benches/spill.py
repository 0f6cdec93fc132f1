"""Rows beyond memory: processor time and peak memory of a spilled sweep, against a table in memory and reading alone.

    python benches/spill.py [ROWS] [--memory 2GB] [--rounds 3] [--directory /tmp]

A Parquet file of that many rows is made in the directory and removed at the end. Each contestant runs in a process of its
own, in turn, so that peaks of memory are its own; of several rounds the least time counts. All give the same area under the
ROC curve, KS, average precision, H-measure and Brier score, which is checked to the bit.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

_BATCH = 500_000
_NAMES = ("roc_auc", "ks", "average_precision", "h_measure", "brier")


def made(path: Path, rows: int, kind: str) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    writer = None
    for start in range(0, rows, _BATCH):
        count = min(_BATCH, rows - start)
        y = rng.random(count) < 0.1
        s = 1 / (1 + np.exp(2 - rng.normal(1.2 * y)))
        if kind == "rising":
            s = (start + np.sort(s) * count) / rows
        table = pa.table({"y": y.astype(np.uint8), "p": s})
        writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    writer.close()


def contestant(how: str, path: str, memory: str, directory: str) -> None:
    """What a process does: reads all batches, and prints the values, its processor time and its peak."""
    import polars as pl

    import rocksteady as rs

    rs.ScoreTable([0, 1], [0.1, 0.2]).value("roc_auc")
    batches = pl.scan_parquet(path).select("y", "p").collect_batches(chunk_size=_BATCH)
    collector = {
        "reading": lambda: None,
        "memory": rs.ScoreCollector,
        "spilled": lambda: rs.ScoreCollector(memory=memory, directory=directory),
    }[how]()
    for batch in batches:
        if collector is not None:
            collector.update(batch["y"], batch["p"])
    found = None
    if how == "memory":
        found = collector.score_table()
    elif how == "spilled":
        found = collector.view()
    values = {} if found is None else {name: found[name] for name in _NAMES}
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"values": values, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1e6}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", type=int, default=20_000_000)
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory", default=tempfile.gettempdir())
    parser.add_argument("--rows-are", choices=["shuffled", "rising"], default="shuffled")
    parser.add_argument("--contestant", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.contestant:
        contestant(*given.contestant, given.memory, given.directory)
        return
    with tempfile.TemporaryDirectory(dir=given.directory) as folder:
        path = Path(folder) / "rows.parquet"
        program = (
            f"import pathlib, sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import spill; "
            f"spill.made(pathlib.Path({str(path)!r}), {given.rows}, {given.rows_are!r})"
        )
        subprocess.run([sys.executable, "-c", program], check=True)  # its memory is no contestant's
        found: dict[str, list[dict]] = {"reading": [], "memory": [], "spilled": []}
        for _ in range(given.rounds):
            for how, runs in found.items():
                command = [sys.executable, __file__, "--contestant", how, str(path)]
                command += ["--memory", given.memory, "--directory", given.directory]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                runs.append(json.loads(done.stdout))
    values = {json.dumps(run["values"]) for how in ("memory", "spilled") for run in found[how]}
    assert len(values) == 1, values
    least = {how: min(run["cpu"] for run in runs) for how, runs in found.items()}
    peak = {how: max(run["peak"] for run in runs) for how, runs in found.items()}
    print(f"{given.rows} rows, memory={given.memory}; values {values.pop()}")
    for how in found:
        print(f"{how:8} {least[how]:7.2f} s of processor  {peak[how]:6.2f} GB at most")
    print(f"spilled / memory: {least['spilled'] / least['memory']:.2f} of the processor time")
    print(f"spilled - reading: {peak['spilled'] - peak['reading']:.2f} GB")


if __name__ == "__main__":
    main()

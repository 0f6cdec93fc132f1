"""Compare rocksteady.spark and rocksteady.dask with what the engines have; print a table.

    python benches/engines.py spark|dask [--rows N] [--files N] [--rounds N]

Rows are written as Parquet first: labels with 10 % positives, and scores in float64 that are all distinct. The contestants
run in turn, for several rounds, and the shortest time of each counts. Every AUC is checked.

* **Spark**, two local threads: wall time, and the bytes of the results of all tasks that reach the driver, as Spark's
  own metrics have them. Beside a plain sum of a column and Spark's BinaryClassificationEvaluator, which takes minutes
  for 1e7 rows: ask for `--rows 1000000 --files 16`.
* **Dask**, one thread: CPU time. Beside the sum of the column of scores, and the sums of both columns, as an evaluation
  reads both.

Bias disclosure: the authors of this file are the authors of rocksteady.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import rocksteady as rs


def _write(folder: Path, rows: int, files: int) -> float:
    """Write the rows; their AUC."""
    rng = np.random.default_rng(0)
    y = rng.random(rows) < 0.1
    score = 1 / (1 + np.exp(2 - rng.normal(y * 1.5)))
    parts = np.array_split(np.arange(rows), files)
    for place, part in enumerate(parts):
        table = pa.table({"y": y[part].astype(np.int32), "p": score[part]})
        pq.write_table(table, folder / f"{place:03}.parquet")
    return rs.ScoreTable(y, score)["roc_auc"]


def spark(folder: Path, auc: float, rounds: int) -> None:
    """Race on a local Spark."""
    from pyspark.ml.evaluation import BinaryClassificationEvaluator
    from pyspark.sql import SparkSession, functions

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "3g")
        .config("spark.driver.maxResultSize", "0")
        .config("spark.sql.shuffle.partitions", "8")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    df = session.read.parquet(str(folder))
    own = BinaryClassificationEvaluator(rawPredictionCol="p", labelCol="y", metricName="areaUnderROC")
    contestants: dict[str, Callable[[], Any]] = {
        "plain sum": lambda: df.agg(functions.sum("p")).collect(),
        "rocksteady, bounded": lambda: rs.spark.evaluate(df, "y", "p", how="bounded").bounds("roc_auc"),
        "rocksteady, exact": lambda: rs.spark.evaluate(df, "y", "p")["roc_auc"],
        "Spark's evaluator": lambda: own.evaluate(df),
    }
    context = session.sparkContext
    stages = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages"

    def to_driver() -> int:
        """The bytes of the results of all tasks so far."""
        with urllib.request.urlopen(stages) as answer:  # noqa: S310 (Spark's own page on this machine)
            return sum(stage["resultSize"] for stage in json.load(answer))

    _race(contestants, rounds, auc, time.perf_counter, to_driver)
    session.stop()


def _race(
    contestants: dict[str, Callable[[], Any]],
    rounds: int,
    auc: float,
    clock: Callable[[], float],
    bytes_so_far: Callable[[], int] | None,
) -> None:
    times = dict.fromkeys(contestants, float("inf"))
    sent = dict.fromkeys(contestants, 0)
    found: dict[str, Any] = {}
    for _ in range(rounds):
        for name, run in contestants.items():
            before, began = bytes_so_far() if bytes_so_far else 0, clock()
            found[name] = run()
            times[name] = min(times[name], clock() - began)
            sent[name] = (bytes_so_far() if bytes_so_far else 0) - before
    for name in contestants:
        value = found[name]
        error = ""
        if hasattr(value, "low"):
            assert value.low <= auc <= value.high
            error = f"  within {value.high - value.low:.1e}"
        elif isinstance(value, float) and name != "plain sum":
            assert abs(value - auc) < 1e-3
            error = f"  error {value - auc:.0e}"
        size = f"  {sent[name]:>13,} bytes to the driver" if bytes_so_far else ""
        print(f"{name:22} {times[name]:7.2f} s  {times[name] / times['plain sum']:6.2f} x the sum{size}{error}")


def dask(folder: Path, auc: float, rounds: int) -> None:
    """Race on one thread of Dask."""
    import dask
    import dask.dataframe as dd

    dask.config.set(scheduler="sync")
    df = dd.read_parquet(folder)
    contestants: dict[str, Callable[[], Any]] = {
        "plain sum": lambda: df["p"].sum().compute(),
        "sums of both columns": lambda: dask.compute(df["p"].sum(), df["y"].sum()),
        "rocksteady, bounded": lambda: rs.dask.evaluate(df, "y", "p", how="bounded").bounds("roc_auc"),
        "rocksteady, exact": lambda: rs.dask.evaluate(df, "y", "p")["roc_auc"],
    }
    _race(contestants, rounds, auc, time.process_time, None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=["spark", "dask"])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        exact = _write(Path(place), given.rows, given.files)
        {"spark": spark, "dask": dask}[given.engine](Path(place), exact, given.rounds)

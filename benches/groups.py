"""Compare the speed of statistics by group with numpy, polars and a loop over fairlearn; print a table.

    python benches/groups.py [--rows N] [--rounds N]

CPU time of one thread in a process of its own. The contestants of a row run in turn, for several rounds, and the
shortest time of each counts. Every result is checked against numpy's or polars'.

* **counts**: rows counted by group, of columns and groups that are ready (`rs.group_by` itself also finds the labels and the
  groups), against one `numpy.bincount` of the groups.
* **group_by**: all of `rs.group_by(y_true, y_pred, by=)`, of integers that are close together.
* **AUC by group**: all of `rs.group_by(y_true, y_score=, by=)` and the areas, against polars' `rank().over()` with the sums.
* **keys of text**: the groups of a column of text, against one `group_by` of polars.
* **memory**: bytes a group beyond keys and scores.

Bias disclosure: the authors of this file are the authors of rocksteady.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

_LIMITS = (
    "ROCKSTEADY_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
)


def _shortest(contestants: dict[str, Callable[[], Any]], rounds: int) -> tuple[dict[str, float], dict[str, Any]]:
    """The shortest CPU time of each in milliseconds, and what each gives."""
    times = dict.fromkeys(contestants, float("inf"))
    given = {}
    for _ in range(rounds):
        for name, run in contestants.items():
            gc.collect()
            start = time.process_time()
            given[name] = run()
            times[name] = min(times[name], (time.process_time() - start) * 1e3)
    return times, given


def _line(what: str, groups: int, times: dict[str, float], goal: str, ratio: float, met: bool) -> None:
    shown = "  ".join(f"{name} {value:.1f} ms" for name, value in times.items())
    print(f"{what:13} {groups:>9,} groups  {shown}  ratio {ratio:.2f} (goal {goal}){'' if met else '  MISSED'}")


def main(rows: int, rounds: int) -> None:
    """Measure in this process."""
    import numpy as np
    import polars as pl

    import rocksteady as rs
    from rocksteady import _rocksteady
    from rocksteady.columns.keys import grouped

    random = np.random.default_rng(0)
    y = (random.random(rows) < 0.3).astype(np.uint8)
    p = (random.random(rows) < 0.4).astype(np.uint8)
    score = random.random(rows)
    for groups in (1_000, 100_000, 1_000_000):
        ids = random.integers(0, groups, rows).astype(np.uint32)
        wide = ids.astype(np.int64)
        ready, matrix = grouped(ids), rs.ConfusionMatrix(y, p)

        def counts(ready: Any = ready, matrix: Any = matrix) -> Any:
            return _rocksteady.GroupsState.of_rows(ready, y, (p, matrix._state), None, None, None, None, "counts")

        times, given = _shortest({"ours": counts, "bincount": lambda wide=wide: np.bincount(wide)}, rounds)
        present = given["bincount"][given["bincount"] > 0]
        assert np.array_equal(given["ours"].rows(), present)
        ratio = times["ours"] / times["bincount"]
        _line("counts", groups, times, "≤ 2", ratio, ratio <= 2)

        times, given = _shortest(
            {"ours": lambda ids=ids: rs.group_by(y, p, by=ids), "bincount": lambda wide=wide: np.bincount(wide)}, rounds
        )
        expected = np.bincount(wide, weights=y & p)[np.bincount(wide) > 0]
        assert np.array_equal(given["ours"].counts().tp, expected)
        ratio = times["ours"] / times["bincount"]
        _line("group_by", groups, times, "none", ratio, True)

        frame = pl.DataFrame({"g": wide, "y": y.astype(np.int64), "s": score})

        def areas(ids: Any = ids) -> Any:
            return rs.group_by(y, y_score=score, by=ids).every("roc_auc")

        def ranks(frame: Any = frame) -> Any:
            own = pl.col("y").sum().cast(pl.Float64)
            all_rows = pl.len()
            ranked = frame.with_columns(r=pl.col("s").rank().over("g"))
            sums = ranked.group_by("g").agg(
                u=(pl.col("r") * pl.col("y")).sum() - own * (own + 1) / 2, pairs=own * (all_rows - own)
            )
            return sums.sort("g").with_columns(auc=pl.col("u") / pl.col("pairs"))["auc"].to_numpy()

        def rank_alone(frame: Any = frame) -> Any:
            return frame.select(pl.col("s").rank().over("g"))

        times, given = _shortest({"ours": areas, "polars rank": rank_alone, "polars AUC": ranks}, rounds)
        np.testing.assert_allclose(given["ours"], given["polars AUC"], rtol=1e-12, equal_nan=True)
        ratio = times["ours"] / times["polars rank"]
        _line("AUC by group", groups, times, "≤ 1/3", ratio, ratio <= 1 / 3)

        texts = pl.Series([f"user {number}" for number in range(groups)])[wide]
        keys = pl.DataFrame({"g": texts})
        times, given = _shortest(
            {"ours": lambda texts=texts: grouped(texts), "polars": lambda keys=keys: keys.group_by("g").agg(pl.len())},
            rounds,
        )
        assert given["ours"].groups == len(given["polars"])
        ratio = times["ours"] / times["polars"]
        _line("keys of text", groups, times, "≤ 1.5", ratio, ratio <= 1.5)

        both = rs.group_by(y, p, score, by=ids)
        beyond = (both._state.size - 8 * int(both._state.scores().sum())) / len(both)
        distinct = int(both._state.scores().sum()) / len(both)
        print(
            f"{'memory':13} {groups:>9,} groups  {beyond:.0f} bytes a group beyond keys and scores, of which "
            f"{8 * distinct:.0f} are the counts of {distinct:.1f} distinct scores"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        main(options.rows, options.rounds)
    else:
        environment = {**os.environ, **dict.fromkeys(_LIMITS, "1")}
        sys.exit(subprocess.run([sys.executable, *sys.argv, "--here"], env=environment, check=False).returncode)

"""How much more a sweep costs with a column of amounts: CPU time of one thread, in milliseconds.

    python benches/costs.py [--rows N] [--rounds N]

The contestants run in turn in one process; the shortest time of each counts. Amounts are money of two decimals, in one
column, for missed positives; a false positive costs 5. "With the curve" includes the cost at every threshold. Each
result is checked against sums in numpy.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import rocksteady as rs


def shortest(contestants: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The shortest CPU time of each, in milliseconds."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, call in contestants.items():
            start = time.thread_time()
            found = call()
            best[name] = min(best[name], time.thread_time() - start)
            del found
    return {name: 1e3 * seconds for name, seconds in best.items()}


def main() -> None:
    """Print a row of times for each share of positives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    rs.set_threads(1)
    rng = np.random.default_rng(0)
    for share in (0.01, 0.3, 0.5):
        actual = (rng.random(options.rows) < share).astype(np.int64)
        scores, amounts = rng.random(options.rows), np.round(rng.lognormal(4, 1, options.rows), 2)
        costs = {"fp": 5, "fn": amounts}
        times = shortest(
            {
                "ScoreTable": lambda: rs.ScoreTable(actual, scores),  # noqa: B023
                "CostTable": lambda: rs.CostTable(actual, scores, costs=costs),  # noqa: B023
                "ScoreTable with the curve": lambda: rs.ScoreTable(actual, scores).every("cost", fp=5, fn=50),  # noqa: B023
                "CostTable with the curve": lambda: rs.CostTable(actual, scores, costs=costs).every("cost"),  # noqa: B023
            },
            options.rounds,
        )
        order = np.argsort(-scores, kind="stable")
        missed = np.where(actual == 1, amounts, 0.0)
        expected = missed.sum() + np.cumsum(np.where(actual == 0, 5.0, 0.0)[order]) - np.cumsum(missed[order])
        found = rs.CostTable(actual, scores, costs=costs).every("cost")
        assert np.allclose(found[1:], expected, rtol=1e-9, atol=1e-6 * missed.sum())
        print(f"{share:.0%} positive: " + ", ".join(f"{name} {ms:.1f}" for name, ms in times.items()))
        alone = times["CostTable"] / times["ScoreTable"]
        curve = times["CostTable with the curve"] / times["ScoreTable with the curve"]
        print(f"    with amounts {alone:.2f} times the table, {curve:.2f} times the table with its curve")


if __name__ == "__main__":
    main()

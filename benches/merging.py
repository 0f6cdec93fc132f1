"""Compare the merging of many score tables, and their bytes, with one table of all rows; print a table.

    python benches/merging.py [--rows N] [--parts K] [--rounds N]

CPU time of one thread. The contestants run in turn, for several rounds, and the shortest time of each counts. Every
result is checked against the table of all rows.

* **one table**: `rs.ScoreTable` of all rows, float64 scores without ties.
* **merge**: `rs.merge` of the tables of K parts of the rows, each of which has rows from everywhere.
* **from bytes**: the same from the bytes of the parts.
* **sum**: `sum` of the same tables, which adds the first of them K times.
* **to_bytes, from_bytes**: of the table of all rows, and how many bytes a row takes.

Bias disclosure: the authors of this file are the authors of rocksteady.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import rocksteady as rs

#: How many times one table of all rows merging may take.
MOST = 3.0
#: How many bytes a row may take, from a million scores on.
MOST_BYTES = 6.0


def _shortest(contestants: dict[str, Callable[[], Any]], rounds: int) -> dict[str, tuple[float, Any]]:
    """The shortest CPU time of each in milliseconds, and what it gives."""
    found: dict[str, tuple[float, Any]] = {}
    for _ in range(rounds):
        for name, run in contestants.items():
            start = time.process_time()
            given = run()
            spent = (time.process_time() - start) * 1e3
            found[name] = (min(spent, found[name][0]) if name in found else spent, given)
    return found


def main(rows: int, parts: int, rounds: int) -> None:
    """Measure in this process."""
    rs.set_threads(1)
    rng = np.random.default_rng(0)
    actual, scores = rng.random(rows) < 0.2, rng.random(rows)
    tables = [rs.ScoreTable(actual[place::parts], scores[place::parts], pos_label=True) for place in range(parts)]
    data = [table.to_bytes() for table in tables]
    whole = rs.ScoreTable(actual, scores, pos_label=True)
    of_whole = whole.to_bytes()
    found = _shortest(
        {
            "one table": lambda: rs.ScoreTable(actual, scores, pos_label=True),
            "merge": lambda: rs.merge(tables),
            "from bytes": lambda: rs.merge(data),
            "to_bytes": whole.to_bytes,
            "from_bytes": lambda: rs.ScoreTable.from_bytes(of_whole),
        },
        rounds,
    )
    found |= _shortest({"sum": lambda: sum(tables)}, 1)
    one = found["one table"][0]
    print(f"{rows:,} rows in {parts} parts")
    for name, (spent, given) in found.items():
        assert name == "to_bytes" or given == whole, name
        print(f"{name:11} {spent:9.1f} ms  {spent * 1e6 / rows:7.1f} ns a row  {spent / one:6.2f} times one table")
    ratio, size = found["merge"][0] / one, len(of_whole) / rows
    print(f"merge: {ratio:.2f} times one table (goal {MOST:g}){'' if ratio <= MOST else '  MISSED'}")
    print(f"bytes: {size:.2f} a row (goal {MOST_BYTES:g}){'' if size <= MOST_BYTES else '  MISSED'}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    main(arguments.rows, arguments.parts, arguments.rounds)

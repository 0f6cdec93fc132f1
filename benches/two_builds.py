"""Compare the speed of two builds: each row of `make limits` up to a million rows, in turn, one thread, CPU time.

    python benches/two_builds.py CHECKOUT [--runs 3] [--seconds 0.2] [--only WORD ...]

CHECKOUT is another checkout of this project with its built package; its own benches/ say how each row is called there. Both
builds run in processes that stay, and take turns within each row, so a disturbance of the machine meets both. The shortest
time of each counts. A run has new processes. Printed are the ratios, this build ÷ the other, of rows that are slower by 3 %
in every run, then the median and the worst rows.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
SIZES = (1_000, 10_000, 100_000, 1_000_000)
LIMIT = 1.03


class Build:
    """A process that runs the rows of a checkout when it is told to."""

    def __init__(self, checkout: Path) -> None:
        paths = os.pathsep.join(str(checkout / folder) for folder in ("benches", "python"))
        environment = os.environ | {"PYTHONPATH": paths, "ROCKSTEADY_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-W", "ignore", "-P", __file__, "--child"]
        self.process = subprocess.Popen(
            command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1
        )

    def ask(self, *question: Any) -> Any:
        """An answer of `child`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(question), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def child() -> None:
    """Answer questions until there are no more."""
    import limits

    races: dict[str, Any] = {}
    for line in sys.stdin:
        match json.loads(line):
            case ["families"]:
                answer: Any = list(limits.FAMILIES)
            case ["load", family, rows]:
                races.clear()
                gc.collect()
                races |= {race.title: race.contestants[limits.OURS] for race in limits.FAMILIES[family](rows)}
                answer = list(races)
            case ["time", title, times]:
                began = time.process_time()
                for _ in range(times):
                    races[title]()
                answer = (time.process_time() - began) / times
        print(json.dumps(answer), flush=True)


def one_run(checkouts: list[Path], seconds: float, words: list[str]) -> dict[str, float]:
    """The ratio of the shortest times, by row."""
    builds = [Build(checkout) for checkout in checkouts]
    found = {}
    for family in builds[0].ask("families"):
        for rows in SIZES:
            titles = [build.ask("load", family, rows) for build in builds]
            for title in titles[0]:
                if title not in titles[1] or not all(word in title for word in words):
                    continue
                first = max(builds[0].ask("time", title, 2), builds[1].ask("time", title, 2), 1e-7)
                times = max(1, int(2e-3 / first))
                least = [float("inf")] * 2
                for turn in range(max(5, int(seconds / (first * times)))):
                    for at in (turn % 2, 1 - turn % 2):
                        least[at] = min(least[at], builds[at].ask("time", title, times))
                found[f"{title}, {rows:,} rows"] = least[0] / least[1]
                print(f"  {title}, {rows:,} rows: {least[0] / least[1]:.3f}", file=sys.stderr)
    for build in builds:
        build.process.kill()
    return found


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Compare the speed of two builds.")
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2, help="for each build and row")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="rows whose name has all these words")
    given = parser.parse_args()
    runs = [one_run([ROOT, given.checkout], given.seconds, given.only) for _ in range(given.runs)]
    ratios = {row: [run[row] for run in runs] for row in runs[0]}
    slower = {row: found for row, found in ratios.items() if min(found) > LIMIT}
    print(f"{len(ratios)} rows, median {median(median(found) for found in ratios.values()):.3f}")
    print(f"{len(slower)} slower by more than {LIMIT - 1:.0%} in every run:")
    for row, found in sorted(slower.items(), key=lambda item: -min(item[1])):
        print(f"  {row}: {', '.join(f'{ratio:.3f}' for ratio in found)}")


if __name__ == "__main__":
    child() if sys.argv[1:] == ["--child"] else main()

"""Random calls of every function of rocksteady.metrics and of scikit-learn: do values, warnings and exceptions agree?

    python tests/fuzz/run.py [--calls 200000] [--seed 0] [--jobs 2] [--function NAME ...] [--json FILE] [--show 3]
    python tests/fuzz/run.py --seed 0 --only 1234    # one call of that run again

Calls are made in worker processes, so that a crash or a hang is seen, named and survived. Prints, by function: calls,
how many both refuse, agreement of value (and type), of warning classes, of exception types and of their texts; then the
disagreements that no deviation of `tests/deviations.py` explains, the shortest first. Exits with 1 if there is any.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import multiprocessing
import multiprocessing.connection
import os
import sys
import time
import traceback
import types
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

PATIENCE = 60.0  # seconds that one call may take
KINDS = ("type", "value", "warnings", "exception", "we accept", "we refuse", "crash", "hang")
AGREEING = 8  # of the calls that agree one in so many is shown to the deviations, which should not match it
_REFUSALS = ("exception", "we accept", "we refuse", "crash", "hang")


Matches = list[tuple[str, bool]]
Compared = tuple[str, str, bool, Matches, "Found | None"]
Tally = dict[str, collections.Counter[str]]


@dataclasses.dataclass
class Found:
    """One call on which the packages differ."""

    place: int
    function: str
    how: str
    call: str
    about: list[str]
    theirs: str
    ours: str
    deviation: str | None

    def __str__(self) -> str:
        lines = [f"{self.function}: {self.how} (--only {self.place})", self.call, ", ".join(self.about)]
        return "\n  ".join([*lines, f"scikit-learn: {self.theirs}", f"rocksteady: {self.ours}\n"])


def names(wanted: list[str] | None = None) -> tuple[str, ...]:
    """The functions of the run: all that both packages have, unless some are asked for."""
    import calls

    return tuple(wanted or calls.FUNCTIONS)


def packages() -> tuple[Any, Any]:
    """The two contestants, scikit-learn's metrics and ours; calibration_curve is one of them."""
    import sklearn.calibration
    import sklearn.metrics

    import rocksteady.metrics

    theirs = vars(sklearn.metrics) | {"calibration_curve": sklearn.calibration.calibration_curve}
    # To try the harness itself: whatever differs then is its own mistake.
    own = {name: getattr(rocksteady.metrics, name) for name in rocksteady.metrics.__all__}
    ours = theirs if "ROCKSTEADY_FUZZ_ITSELF" in os.environ else own
    return types.SimpleNamespace(**theirs), types.SimpleNamespace(**ours)


def compared(seed: int, place: int, functions: tuple[str, ...], pair: tuple[Any, Any]) -> Compared:
    """The function called, in a word what came of it, whether the texts agree, which deviations match the call and
    whether it differs, and the difference if there is one."""
    import calls
    import compare
    import deviations

    call = calls.call(seed, place, functions)
    if not hasattr(pair[1], call.name):
        return call.name, "missing", False, [], None
    theirs = compare.outcome(pair[0], call)
    ours = compare.outcome(pair[1], calls.call(seed, place, functions))  # made anew: nobody sees what the other did
    how = compare.difference(theirs, ours)
    texts = compare.same_text(theirs, ours)
    words = how or ("refused" if theirs.refused else "answered")
    matches, explained = [], ()
    # What both refuse agrees whatever an entry says: the refusal is scikit-learn's.
    judged = how is not None or (place % AGREEING == 0 and not theirs.refused)
    again = calls.call(seed, place, functions)
    for entries, expected in deviations.expectations(again, theirs, pair[0]) if judged else ():
        right = deviations.agrees(expected, ours)
        if right and how and not explained:
            explained = entries
        if len(entries) == 1:
            matches.append((entries[0].name, how is not None))
    by = tuple(entry.name for entry in explained)
    if how is None:
        return call.name, words, texts, matches, None
    found = Found(
        place, call.name, how, described(call), sorted(call.about), str(theirs), str(ours), " and ".join(by) or None
    )
    return call.name, words, texts, matches, found


def described(call: Any) -> str:
    """The call as one might write it."""
    import numpy as np

    with np.printoptions(threshold=2000, linewidth=100_000, floatmode="unique"):
        values = [repr(v) for v in call.arguments] + [f"{k}={v!r}" for k, v in call.options.items()]
    return f"{call.name}({', '.join(' '.join(v.split()) for v in values)})"


def work(connection: Any, seed: int, start: int, stop: int, step: int, functions: tuple[str, ...]) -> None:
    """Make every `step`-th call from `start` on, and say after each what came of it."""
    pair = packages()
    connection.send("ready")
    for place in range(start, stop, step):
        try:
            connection.send((place, *compared(seed, place, functions, pair)))
        except Exception:
            connection.send(f"call {place} could not be made or compared:\n{traceback.format_exc()}")
            return
    connection.send(None)


@dataclasses.dataclass
class Worker:
    """A process that makes calls, and how far it is."""

    process: Any
    connection: Any
    next: int
    heard: float
    ready: bool = False


class Run:
    """The calls of one run, shared out among worker processes; what came of them."""

    def __init__(self, calls: int, seed: int, jobs: int, functions: tuple[str, ...]) -> None:
        self.calls, self.seed, self.jobs, self.functions = calls, seed, jobs, functions
        self.tally: Tally = collections.defaultdict(collections.Counter)
        self.differences: list[Found] = []
        self.matched: Tally = collections.defaultdict(collections.Counter)
        self.mistaken: dict[str, list[int]] = collections.defaultdict(list)

    def __call__(self) -> None:
        """Make them all."""
        os.environ.setdefault("ROCKSTEADY_NUM_THREADS", "1")
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        workers = [self.begin(start) for start in range(min(self.jobs, self.calls))]
        while workers:
            ready = multiprocessing.connection.wait([worker.connection for worker in workers], timeout=1.0)
            still = (self.hear(worker) if worker.connection in ready else self.miss(worker) for worker in workers)
            workers = [worker for worker in still if worker is not None]

    def begin(self, start: int) -> Worker:
        """Set a worker to every `jobs`-th call from `start` on."""
        context = multiprocessing.get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        arguments = (sender, self.seed, start, self.calls, self.jobs, self.functions)
        process = context.Process(target=work, args=arguments, daemon=True)
        process.start()
        sender.close()
        return Worker(process, receiver, start, time.monotonic())

    def hear(self, worker: Worker) -> Worker | None:
        """Take one message; gives the worker that goes on, if any."""
        try:
            message = worker.connection.recv()
        except EOFError:
            if not worker.ready:
                sys.exit("a worker could not start")
            return self.lost(worker, "crash")
        worker.heard = time.monotonic()
        worker.ready = True
        if message is None:
            worker.process.join()
            return None
        if isinstance(message, str):
            if message != "ready":
                sys.exit(message)
            return worker
        place, name, how, texts, matches, found = message
        worker.next = place + self.jobs
        self.tally[name]["calls"] += 1
        self.tally[name][how] += 1
        self.tally[name]["texts"] += texts
        for entry, differ in matches:
            self.matched[entry]["differ" if differ else "agree"] += 1
            if not differ:
                self.mistaken[entry].append(place)
        if found:
            self.differences.append(found)
        return worker

    def miss(self, worker: Worker) -> Worker | None:
        """Nothing was heard: wait, unless that takes too long."""
        return self.lost(worker, "hang") if time.monotonic() - worker.heard > PATIENCE else worker

    def lost(self, worker: Worker, how: str) -> Worker | None:
        """Note the call that was lost, and start again behind it."""
        worker.process.kill()
        worker.process.join()
        name = self.functions[worker.next % len(self.functions)]
        self.tally[name]["calls"] += 1
        self.tally[name][how] += 1
        code = worker.process.exitcode
        self.differences.append(Found(worker.next, name, how, "see --only", [], "", f"exit code {code}", None))
        return self.begin(worker.next + self.jobs) if worker.next + self.jobs < self.calls else None


def share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f}" if whole else "-"


def page(tally: Tally, differences: list[Found], functions: tuple[str, ...], show: int) -> str:
    """The table, the deviations met, and what they do not explain."""
    unexplained = collections.Counter(found.function for found in differences if found.deviation is None)
    lines = [f"{'':<40} calls  refused  value%  warnings%  exceptions%  agree%  text%  unexplained"]
    total: collections.Counter[str] = collections.Counter()
    for name in (*functions, "all"):
        count = total if name == "all" else tally.get(name, collections.Counter())
        calls = count["calls"] - count["missing"]
        if name != "all":
            total += count
            total["unexplained"] += unexplained[name]
        if not calls:
            lines.append(f"{name:<40} missing")
            continue
        refused = count["refused"] + count["exception"]
        answered = count["answered"] + count["type"] + count["value"] + count["warnings"]
        wrong = count["type"] + count["value"]
        bad = sum(count[how] for how in KINDS)
        lines.append(
            f"{name:<40} {calls:>5}  {refused:>7}  {share(answered - wrong, answered):>6}  "
            f"{share(answered - count['warnings'], answered):>9}  "
            f"{share(calls - sum(count[how] for how in _REFUSALS), calls):>11}  {share(calls - bad, calls):>6}  "
            f"{share(count['texts'], calls):>5}  {count['unexplained'] if name == 'all' else unexplained[name]:>11}"
        )
    lines += ["", "deviations met:"]
    for name, count in collections.Counter(found.deviation for found in differences if found.deviation).most_common():
        lines.append(f"{count:>8}  {name}")
    shortest = sorted((found for found in differences if found.deviation is None), key=lambda found: len(found.call))
    shown: collections.Counter[tuple[str, str]] = collections.Counter()
    lines += ["", f"{len(shortest)} disagreements that no deviation explains:", ""]
    for found in shortest:
        shown[found.function, found.how] += 1
        if shown[found.function, found.how] <= show:
            lines.append(str(found))
    return "\n".join(lines)


def main() -> int:
    """Make the calls and print what came of them."""
    parser = argparse.ArgumentParser(description="Random calls of rocksteady.metrics against scikit-learn.")
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--function", action="append", help="this function only; may be repeated")
    parser.add_argument("--json", type=Path, help="also write the tallies and all differences")
    parser.add_argument("--show", type=int, default=3, help="examples of a function and a kind of disagreement")
    parser.add_argument("--only", type=int, help="make this call of the run alone, and show it whole")
    arguments = parser.parse_args()
    functions = names(arguments.function)
    if arguments.only is not None:
        import calls
        import compare

        call = calls.call(arguments.seed, arguments.only, functions)
        print(described(call), sorted(call.about), sep="\n")
        for who, module in zip(("scikit-learn", "rocksteady"), packages(), strict=True):
            print(f"{who}: {compare.outcome(module, calls.call(arguments.seed, arguments.only, functions))}")
        return 0
    began = time.monotonic()
    run = Run(arguments.calls, arguments.seed, arguments.jobs, functions)
    run()
    print(page(run.tally, run.differences, functions, arguments.show))
    print(f"{arguments.calls:,} calls with seed {arguments.seed} in {time.monotonic() - began:.0f} s")
    if arguments.json:
        differences = [dataclasses.asdict(found) for found in run.differences]
        result = {"tally": run.tally, "matched": run.matched, "mistaken": run.mistaken, "differences": differences}
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return int(any(found.deviation is None for found in run.differences))


if __name__ == "__main__":
    sys.exit(main())

"""Measure how calls grow with the cores, and the serial share of each; print the tables of docs/speed.md.

    python benches/cores.py [--rows 10000000] [--threads 1,2,4,8,16] [--only WORD ...] [--rounds 5]
        [--into docs/speed.md] [--chart docs/images/cores.svg]

The **serial share** is the part of the time with one thread that more threads would not share: the core measures how long it
works in parallel parts, and the rest is serial. It does not need many cores, and says what they would gain.

The number of threads changes from call to call within a round, so a disturbance of the machine meets all of them. The
shortest time and the least share count. The floors are measured in the same run: reading the columns, and writing pages that
the system gives for the first time, by numpy on as many threads.

Bias disclosure: the authors of this file are the authors of rocksteady.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

import patterns
import rocksteady as rs
from ratios import have, machine, today, where_and_when, write_between
from rocksteady import _rocksteady, metrics

Call = Callable[[], object]
#: By the number of threads.
Threaded = Callable[[int], object]


def calls(rows: int) -> Iterator[tuple[str, Call]]:
    """The calls of the table, each with its own columns."""
    y, score = patterns.two_normals(rows)
    short, narrow = score.astype(np.float32), y.astype(np.int8)
    yield "AUC, float64 and int64", lambda: metrics.roc_auc_score(y, score)
    yield "AUC, float32 and int8", lambda: metrics.roc_auc_score(narrow, short)
    weight = np.random.default_rng(4).random(rows)
    yield "AUC, weighted", lambda: metrics.roc_auc_score(y, score, sample_weight=weight)
    yield "KS", lambda: rs.scores.ks(y, score)
    yield "average precision", lambda: metrics.average_precision_score(y, score)
    yield "score table", lambda: rs.ScoreTable(y, score)
    yield "score table, weighted", lambda: rs.ScoreTable(y, score, sample_weight=weight)
    yield "ROC curve", lambda: metrics.roc_curve(y, score)
    yield "precision-recall curve", lambda: metrics.precision_recall_curve(y, score)
    yield "log loss", lambda: metrics.log_loss(y, score)
    yield "Brier score", lambda: metrics.brier_score_loss(y, score)
    yield "evaluate", lambda: rs.evaluate(y, score).to_dict()
    yield "ScoreSketch", lambda: rs.ScoreSketch(y, score)
    groups = np.random.default_rng(5).integers(0, max(rows // 10, 1), rows)
    yield "AUC by group", lambda: rs.group_by(y, y_score=score, by=groups)["roc_auc"]
    yield "counts by group", lambda: rs.group_by(y, y_score=score, by=groups)["f1"]
    yield (
        "AUC by group, weighted",
        lambda: rs.group_by(y, y_score=score, by=groups, sample_weight=weight)["roc_auc"],
    )
    halves = [
        rs.group_by(y[part], y_score=score[part], by=groups[part])
        for part in (slice(0, rows // 2), slice(rows // 2, None))
    ]
    yield "two halves of the groups, merged", lambda: halves[0] + halves[1]
    actual, predicted = patterns.classes(rows, 10)
    yield "counts by group, 10 classes", lambda: rs.group_by(actual, predicted, by=groups)["accuracy"]
    yield "confusion of 10 classes, int64", lambda: metrics.confusion_matrix(actual, predicted)
    small, guessed = actual.astype(np.uint8), predicted.astype(np.uint8)
    yield "confusion of 10 classes, uint8", lambda: metrics.confusion_matrix(small, guessed)
    words = np.array(["ash", "beech", "cherry", "elm", "fir", "hazel", "larch", "maple", "oak", "yew"])
    names, guesses = words[actual], words[predicted]
    yield "confusion of 10 classes, <U6", lambda: metrics.confusion_matrix(names, guesses)
    few = max(rows // 10, 1)
    proba = np.random.default_rng(6).random((few, 10))
    proba /= proba.sum(axis=1, keepdims=True)
    classes = actual[:few]
    yield (
        "one-vs-rest AUC, 10 classes, a tenth of the rows",
        lambda: metrics.roc_auc_score(classes, proba, multi_class="ovr"),
    )
    yield "top 2 of 10 classes, a tenth of the rows", lambda: metrics.top_k_accuracy_score(classes, proba, k=2)
    query = np.sort(np.random.default_rng(7).integers(0, max(rows // 20, 1), rows))
    yield "NDCG of queries of 20 rows", lambda: rs.Queries(y, score, query).value("ndcg@10")
    order = np.random.default_rng(8).permutation(rows)
    shuffled = query[order]
    yield "NDCG of queries, in any order", lambda: rs.Queries(y, score, shuffled).value("ndcg@10")
    yield "costs of each row", lambda: rs.CostTable(y, score, costs={"fp": 1.0, "fn": weight})


def floors(rows: int) -> Iterator[tuple[str, Threaded]]:
    """What no call on two columns of 8 bytes a row can beat: numpy on several threads."""
    columns = np.ones(2 * rows)

    def over_parts(threads: int, work: Callable[[Any], object], whole: Any) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, np.array_split(whole, threads)))

    yield "floor: read 16 bytes a row", lambda threads: over_parts(threads, np.sum, columns)

    def touched(threads: int) -> None:
        memory = mmap.mmap(-1, 16 * rows)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            memory.madvise(mmap.MADV_HUGEPAGE)
        over_parts(threads, lambda part: part.fill(1.0), np.frombuffer(memory))

    yield "floor: first touch of 16 bytes a row", touched


def rivals(rows: int) -> Iterator[tuple[str, Threaded]]:
    """Others who count on several threads: polars and DuckDB, a confusion matrix each."""
    actual, predicted = patterns.classes(rows, 10)
    if polars := have("polars"):  # its number of threads is that of the machine
        frame = polars.DataFrame({"y": actual, "p": predicted})
        yield "polars: confusion of 10 classes", lambda _: frame.group_by("y", "p").len()
    if duckdb := have("duckdb"):
        connection = duckdb.connect()
        connection.register("rows", {"y": actual, "p": predicted})
        connection.execute("create table kept as select * from rows")

        def counted(threads: int) -> object:
            connection.execute(f"set threads = {threads}")
            return connection.execute("select y, p, count(*) from kept group by y, p").fetchall()

        yield "DuckDB: confusion of 10 classes", counted


def seconds(call: Call) -> tuple[float, float]:
    """Wall and CPU time."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


def of_call(call: Call, threads: list[int], rounds: int) -> dict[str, Any]:
    """The least wall and CPU time by threads, and the serial share."""
    found: dict[str, Any] = {"wall": {}, "cpu": {}}
    shares = []
    for turn in range(rounds + 1):
        for n in threads:
            rs.set_threads(n)
            _rocksteady._split_seconds(n == 1)
            wall, cpu = seconds(call)
            if turn == 0:  # the first call pays for the pool and the pages
                continue
            if n == 1:
                shares.append(1 - _rocksteady._split_seconds(False) / wall)
            _keep_least(found, n, wall, cpu)
    rs.set_threads(None)
    return found | {"serial share": min(shares)}


def of_threaded(call: Threaded, threads: list[int], rounds: int) -> dict[str, Any]:
    """The least wall and CPU time by threads."""
    found: dict[str, Any] = {"wall": {}, "cpu": {}}
    for _ in range(rounds):
        for n in threads:
            _keep_least(found, n, *seconds(lambda n=n: call(n)))  # type: ignore[misc]
    return found


def _keep_least(found: dict[str, Any], n: int, wall: float, cpu: float) -> None:
    for clock, took in (("wall", wall), ("cpu", cpu)):
        found[clock][str(n)] = min(took, found[clock].get(str(n), np.inf))


def measure(rows: int, threads: list[int], only: list[str], rounds: int) -> dict[str, Any]:
    """Every call that has all the words of `only`."""
    found: dict[str, Any] = {}

    def is_wanted(name: str) -> bool:
        return all(word.lower() in name.lower() for word in only)

    for name, call in calls(rows):
        if is_wanted(name):
            found[name] = of_call(call, threads, rounds)
            print(line(name, found[name], threads), file=sys.stderr)
    for name, threaded in (*floors(rows), *rivals(rows)):
        if is_wanted(name):
            found[name] = of_threaded(threaded, threads, rounds)
            print(line(name, found[name], threads), file=sys.stderr)
    return {"date": today(), "machine": machine(), "rows": rows, "threads": threads, "calls": found}


def line(name: str, found: dict[str, Any], threads: list[int]) -> str:
    """A row of the table."""
    wall = found["wall"]
    first = wall[str(threads[0])]
    ratios = (f"{wall[str(n)] / first:.2f}" for n in threads[1:])
    share = found.get("serial share")
    told = "| " if share is None else f"{share:.1%} | {predicted(share):.1f}"
    return f"| {name} | {first * 1e3:.4g} | {told} | {' | '.join(ratios)} |"


def predicted(share: float, threads: int = 16) -> float:
    """The speed-up by so many threads if only the serial share stays (Amdahl's law)."""
    return 1 / (share + (1 - share) / threads)


def page(measured: dict[str, Any]) -> str:
    """The measurements as Markdown."""
    threads = measured["threads"]
    heads = ["call", f"ms, {threads[0]} thread", "serial share", "16 threads, predicted"]
    heads += [f"{n} ÷ {threads[0]}" for n in threads[1:]]
    lines = [
        *where_and_when(measured),
        f"{measured['rows']:,} rows. Wall time.",
        "",
        f"| {' | '.join(heads)} |",
        f"|---|---:|---:|---:|{'---:|' * (len(threads) - 1)}",
        *(line(name, found, threads) for name, found in measured["calls"].items()),
    ]
    return "\n".join(lines) + "\n"


# Written by hand: an image follows the reader's dark mode only where its own styles say so.
STYLE = """\
text { font: 13px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328 }
.tick { fill: #59636e; font-size: 12px } .bar { fill: #0969da } .grid { stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .tick { fill: #9198a1 } .bar { fill: #4493f8 } .grid { stroke: #3d444d }
}"""


def chart(measured: dict[str, Any]) -> str:
    """The speed-ups predicted for 16 threads as bars."""
    left, wide, step = 330, 27, 20
    bars = {name: found["serial share"] for name, found in measured["calls"].items() if "serial share" in found}
    bottom = 34 + step * len(bars)
    parts = [
        f'<line class="grid" x1="{left + wide * times}" x2="{left + wide * times}" y1="30" y2="{bottom}"/>'
        f'<text class="tick" x="{left + wide * times}" y="{bottom + 16}" text-anchor="middle">{times} ×</text>'
        for times in (1, 4, 8, 12, 16)
    ]
    for place, (name, share) in enumerate(bars.items()):
        top, times = 32 + step * place, predicted(share)
        parts += [
            f'<text x="{left - 8}" y="{top + 12}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="bar" x="{left}" y="{top}" width="{wide * times:.1f}" height="15" rx="2"/>',
            f'<text x="{left + wide * times + 6:.1f}" y="{top + 12}">{times:.1f} ×</text>',
        ]
    title = "How many times faster with 16 threads, predicted from the serial share"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 {bottom + 26}" role="img">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n"
        f'<text class="tick" x="8" y="18">{title}</text>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def main() -> None:
    """Measure and print."""
    cores = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description="How rocksteady's calls grow with the cores.")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--threads", default=",".join(str(n) for n in (1, 2, 4, 8, 16) if n <= cores))
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="calls whose name has all these words")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="also write the raw times, in seconds")
    parser.add_argument("--into", type=Path, help="also write the table between the <!-- cores --> comments of a page")
    parser.add_argument("--chart", type=Path, help="also draw the predicted speed-ups, as SVG")
    arguments = parser.parse_args()
    threads = sorted({1, *map(int, arguments.threads.split(","))})
    measured = measure(arguments.rows, threads, arguments.only, arguments.rounds)
    text = page(measured)
    print(text)
    if arguments.json:
        arguments.json.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    if arguments.chart:
        arguments.chart.write_text(chart(measured), encoding="utf-8")
    if arguments.into:
        write_between(arguments.into, "cores", text)


if __name__ == "__main__":
    main()

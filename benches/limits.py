"""Measure how far the kernels are from their floors, at every size; print the tables of docs/limits.md.

    python benches/limits.py [--quick] [--only WORD ...] [--parts sizes,growth,threads,levels] [--into docs/limits.md]

A floor is what numpy needs to sort the same scores, or to read the same columns once. Each answer is compared with a
plain one in numpy. All contestants of a row run in one process, in turn, for several rounds; the shortest counts.

* **Sizes**: each kernel from a thousand to ten million rows, one thread, CPU time, and the rivals in the same run.
* **Growth**: the least-squares slope of log time over log rows, from 10,000 to 100,000,000 rows.
* **Threads**: wall time of two threads, divided by that of one.
* **Levels**: the instruction sets AVX-512, AVX2 and SSE2.

Bias disclosure: the authors of this file are the authors of rocksteady.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import mmap
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy._core._multiarray_umath import __cpu_dispatch__

import patterns
from ratios import (
    ONE_THREAD,
    OURS,
    TWENTY,
    Contestant,
    Race,
    have,
    machine,
    run_race,
    same,
    today,
    where_and_when,
    write_between,
)

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
GROWTH = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
#: The rows of a race by name, and what to reach, at which sizes: a multiple of the floor.
TARGETS: dict[str, tuple[float, tuple[int, ...]]] = {
    "AUC, float64": (0.65, (1_000_000, 10_000_000)),
    "AUC, float32": (0.95, (1_000_000, 10_000_000)),
    "AUC, 1 % positives, float64": (0.70, (1_000_000,)),
    "AUC, 1 % positives, float32": (1.05, (1_000_000,)),
    "AUC, over-confident, float64": (0.95, (100_000, 1_000_000)),
    "AUC, half atoms, float64": (0.95, (1_000_000,)),
    "AUC, half atoms, float32": (1.4, (1_000_000,)),
    "AUC, weighted, float64": (4, (100_000, 1_000_000, 10_000_000)),
    "average precision, float64": (1.3, (1_000_000, 10_000_000)),
    "KS, float64": (0.6, (1_000_000, 10_000_000)),
    "score table, float64": (1.5, (100_000, 1_000_000, 10_000_000)),
    "ROC curve, every threshold": (1.8, (10_000, 100_000, 1_000_000)),
    "precision–recall curve": (1.8, (10_000, 100_000, 1_000_000)),
    "evaluate, everything": (2.2, (10_000_000,)),
    "confusion of 10 classes, weighted": (4, (1_000_000,)),
    "confusion of 10 classes, uint8": (3, (1_000_000,)),
    "confusion of 100 classes, uint8": (3, (1_000_000,)),
    "confusion of 10 classes, int16": (3, (1_000_000,)),
    "confusion of 100 classes, int16": (3, (1_000_000,)),
    "confusion of 1,000 classes, int64": (6, (1_000_000,)),
    "calibration curve, 10 bins": (4, (1_000_000,)),
    "calibration curve, 20 bins": (9, (1_000_000,)),
    "calibration curve, 10 quantile bins": (8, (1_000_000,)),
    "log loss": (2.2, (1_000_000,)),
    "Brier score": (1.3, (1_000_000,)),
    "20 indices at every threshold": (1.5, (1_000_000,)),
    "NDCG of 10 labels a row, with ties": (1.3, (1_000_000,)),
    "AUC of each of 10 columns, in C order": (1.1, (1_000_000,)),
}


#: What keeps numpy from its AVX-512 kernels.
WITHOUT_AVX512 = {
    "NPY_DISABLE_CPU_FEATURES": " ".join(
        name for name in __cpu_dispatch__ if name.startswith("AVX512") or name == "X86_V4"
    )
}


#: From this slowdown on, the floor is numpy's sort without them.
SLOWER = 1.2


def slowdown_by_avx512() -> float:
    """How many times as long numpy sorts with AVX-512 as without: on some processors its floor is lower without."""
    code = (
        "import time, numpy as np\n"
        "score = np.random.default_rng(0).random(1_000_000)\n"
        "def seconds():\n"
        "    start = time.process_time()\n"
        "    np.sort(score)\n"
        "    return time.process_time() - start\n"
        "print(min(seconds() for _ in range(9)))"
    )

    def seconds(variables: dict[str, str]) -> float:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=os.environ | variables, stdout=subprocess.PIPE, text=True, check=True)
        return float(done.stdout)

    return seconds({}) / seconds(WITHOUT_AVX512)


def area(y: Any, score: Any, weight: Any = None) -> float:
    """The area under the ROC curve by sorting; a tie counts one half."""
    order = np.argsort(score, kind="stable")
    y, score = y[order], score[order]
    weight = np.ones(len(y)) if weight is None else weight[order]
    last = np.append(np.flatnonzero(np.diff(score)), len(y) - 1)
    positive, negative = (np.diff(np.cumsum(weight * (y == label))[last], prepend=0.0) for label in (1, 0))
    below = np.cumsum(negative) - negative
    return float((positive * (below + negative / 2)).sum() / positive.sum() / negative.sum())


def _areas(rows: int) -> Iterator[Race]:
    shapes = {
        "": patterns.two_normals,
        ", 1 % positives": patterns.rare_positives,
        ", over-confident": patterns.over_confident,
        ", half atoms": patterns.half_atoms,
        ", two digits": patterns.two_digits,
        ", uniform": patterns.uniform,
        ", sorted": patterns.presorted,
    }
    for shape, pattern in shapes.items():
        y, score = pattern(rows)
        for dtype in (np.float64, np.float32):
            yield _area(f"AUC{shape}, {np.dtype(dtype).name}", y, score.astype(dtype), None)
    y, score = patterns.presorted(rows)
    yield _area("AUC, sorted, bool labels, float64", y.astype(bool), score, None)
    y, score = patterns.two_normals(rows)
    weight = np.random.default_rng(4).random(rows)
    for dtype in (np.float64, np.float32):
        yield _area(f"AUC, weighted, {np.dtype(dtype).name}", y, score.astype(dtype), weight)


def _area(title: str, y: Any, score: Any, weight: Any) -> Race:
    from rocksteady.metrics import roc_auc_score

    contestants: dict[str, Contestant] = {
        OURS: lambda: roc_auc_score(y, score, sample_weight=weight),
        "numpy": lambda: area(y, score, weight),
    }
    truth = y.astype(bool)
    relative = 1e-9
    if scors := have("scors"):
        if weight is None:
            order = scors.Order.ASCENDING if "sorted" in title else None
            contestants["scors"] = lambda: scors.roc_auc(truth, score, order=order)
        else:  # it takes weights of the dtype of the scores only, and adds in that
            own = weight.astype(score.dtype)
            contestants["scors"] = lambda: scors.roc_auc(truth, score, own)
            relative = 1e-9 if score.dtype == np.float64 else 1e-3
    if weight is None and (rival := have("polars_ds")):
        import polars as pl

        frame = pl.DataFrame({"y": y, "score": score})
        contestants["polars-ds"] = lambda: frame.select(rival.query_roc_auc("y", "score")).item()

    def agree(answer: Any, expected: Any) -> bool:
        return math.isclose(answer, expected, rel_tol=relative)

    return Race(title, len(y), contestants, {"np.sort": lambda: np.sort(score)}, (), agree)


class _Sorted:
    """Rows from the highest score to the lowest, in numpy: what the curves are compared with."""

    def __init__(self, y: Any, score: Any) -> None:
        order = np.argsort(-score, kind="stable")
        high, found = score[order], np.cumsum(y[order])
        last = np.append(np.flatnonzero(np.diff(high)), len(y) - 1)
        self.thresholds, self.found, self.predicted = high[last], found[last], last + 1
        self.recall = self.found / self.found[-1]
        self.precision = self.found / self.predicted
        self.false_positive_rate = (self.predicted - self.found) / (len(y) - self.found[-1])

    def average_precision(self) -> float:
        return float((np.diff(self.recall, prepend=0) * self.precision).sum())

    def ks(self) -> float:
        return float((self.recall - self.false_positive_rate).max())

    def roc(self) -> tuple[Any, ...]:
        return np.r_[0, self.false_positive_rate], np.r_[0, self.recall], np.r_[np.inf, self.thresholds]

    def precision_recall(self) -> tuple[Any, ...]:
        return np.r_[self.precision[::-1], 1], np.r_[self.recall[::-1], 0], self.thresholds[::-1]


def _rankings(rows: int) -> Iterator[Race]:
    y, score = patterns.two_normals(rows)
    for dtype in (np.float64, np.float32):
        yield from _ranking(np.dtype(dtype).name, y, score.astype(dtype))
    yield from _curves(y, score)


def _ranking(name: str, y: Any, score: Any) -> Iterator[Race]:
    import rocksteady as rs
    from rocksteady.metrics import average_precision_score

    floors: dict[str, Contestant] = {"np.sort": lambda: np.sort(score)}
    contestants: dict[str, Contestant] = {
        OURS: lambda: average_precision_score(y, score),
        "numpy": lambda: _Sorted(y, score).average_precision(),
    }
    if scors := have("scors"):
        truth = y.astype(bool)
        contestants["scors"] = lambda: scors.average_precision(truth, score)
    # scors adds in the dtype of the scores.
    near = functools.partial(_is_near, relative=1e-9 if score.dtype == np.float64 else 1e-3)
    yield Race(f"average precision, {name}", len(y), contestants, floors, (), near)
    contestants = {OURS: lambda: rs.scores.ks(y, score).value, "numpy": lambda: _Sorted(y, score).ks()}
    yield Race(f"KS, {name}", len(y), contestants, floors)
    contestants = {OURS: lambda: rs.ScoreTable(y, score), "numpy": lambda: _Sorted(y, score)}
    yield Race(f"score table, {name}", len(y), contestants, floors, (), _is_the_table)


def _is_near(answer: Any, expected: Any, relative: float) -> bool:
    return math.isclose(answer, expected, rel_tol=relative)


def _is_the_table(answer: Any, expected: Any) -> bool:
    if isinstance(answer, _Sorted):
        return True
    return np.array_equal(answer.thresholds[1:], expected.thresholds) and np.array_equal(
        answer.every("recall")[1:], expected.recall
    )


def _curves(y: Any, score: Any) -> Iterator[Race]:
    import rocksteady as rs
    from rocksteady import metrics

    floors: dict[str, Contestant] = {"np.sort": lambda: np.sort(score)}
    contestants: dict[str, Contestant] = {
        OURS: lambda: metrics.roc_curve(y, score, drop_intermediate=False),
        "numpy": lambda: _Sorted(y, score).roc(),
    }
    yield Race("ROC curve, every threshold", len(y), contestants, floors, (), same)
    contestants = {
        OURS: lambda: metrics.precision_recall_curve(y, score),
        "numpy": lambda: _Sorted(y, score).precision_recall(),
    }
    yield Race("precision–recall curve", len(y), contestants, floors, (), same)

    def everything() -> float:
        evaluation = rs.evaluate(y, score)
        found = evaluation.to_dict("all")["models"]["model"]["indices"]
        table = evaluation.models["model"].scores
        assert table is not None
        assert all(map(len, (table.operating_points(), table.gains(10), table.calibration(10))))
        return float(found["roc_auc"])

    contestants = {OURS: everything, "numpy": lambda: area(y, score)}
    yield Race("evaluate, everything", len(y), contestants, floors)


def _columns(rows: int) -> Iterator[Race]:
    import rocksteady as rs

    if rows > 1_000_000:
        return  # 3.2 GB
    y, score = patterns.two_normals(rows)
    table, names = rs.ScoreTable(y, score), list(TWENTY)
    contestants: dict[str, Contestant] = {
        OURS: lambda: table.every(names)["tpr"],
        "numpy": lambda: np.r_[0, _Sorted(y, score).recall],
    }
    floors: dict[str, Contestant] = {"writing fresh memory": lambda: [_fresh(len(table) + 1) for _ in names]}
    yield Race("20 indices at every threshold", rows, contestants, floors)


def _fresh(numbers: int) -> Any:
    """Ones in memory that the system gives anew, as `np.ones` does or does not, depending on what was freed before."""
    memory = mmap.mmap(-1, 8 * numbers)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    array = np.frombuffer(memory)
    array[:] = 1
    return array


def _labels(rows: int) -> Iterator[Race]:
    from rocksteady import metrics

    for dtype, counts in ((np.int64, (2, 10, 100, 1000)), (np.int16, (10, 100)), (np.uint8, (2, 10, 100))):
        for count in counts:
            y, p = (column.astype(dtype) for column in patterns.classes(rows, count))
            if len(np.unique(np.r_[y, p])) < count:
                continue  # too few rows for all classes
            yield _counting(f"confusion of {count:,} classes, {np.dtype(dtype).name}", y, p, count)
    y, p = patterns.classes(rows, 10)
    weight = np.random.default_rng(4).random(rows)
    contestants: dict[str, Contestant] = {
        OURS: lambda: metrics.confusion_matrix(y, p, sample_weight=weight),
        "bincount": lambda: np.bincount(y * 10 + p, weight, 100).reshape(10, 10),
    }
    floors = {"np.sum": lambda: (y.sum(), p.sum(), weight.sum())}
    yield Race(
        "confusion of 10 classes, weighted",
        rows,
        contestants,
        floors,
        (),
        lambda a, b: bool(np.allclose(a, b, rtol=1e-9)),
    )
    words = np.array(["ash", "beech", "cherry", "elm", "fir", "hazel", "larch", "maple", "oak", "yew"])
    text, guessed = words[y], words[p]
    yield _counting("confusion of 10 classes, <U6", text, guessed, 10, (y, p))
    objects, guesses = text.astype(object), guessed.astype(object)
    if rows <= 1_000_000:
        yield _counting("confusion of 10 classes, Python's str", objects, guesses, 10, (y, p))


def _counting(title: str, y: Any, p: Any, count: int, codes: tuple[Any, Any] | None = None) -> Race:
    from rocksteady.metrics import confusion_matrix

    actual, predicted = codes or (y.astype(np.int64), p.astype(np.int64))
    contestants: dict[str, Contestant] = {
        OURS: lambda: confusion_matrix(y, p),
        "bincount" if codes is None else "numpy": lambda: np.bincount(
            actual * count + predicted, minlength=count**2
        ).reshape(count, count),
    }
    if y.dtype.kind in "iu":
        floors: dict[str, Contestant] = {"np.sum": lambda: (_read(y), _read(p))}
    else:
        floors = {"np.sum of codes": lambda: (actual.sum(), predicted.sum())}
    return Race(title, len(y), contestants, floors, (), lambda a, b: bool(np.array_equal(a, b)))


def _read(column: Any) -> Any:
    """The sum of the same bytes as words of 64 bits: numpy adds narrow integers more slowly than it reads them."""
    whole = len(column) * column.itemsize // 8 * 8 // column.itemsize
    return column[:whole].view(np.uint64).sum()


def _probabilities(rows: int) -> Iterator[Race]:
    from rocksteady import metrics

    y, score = patterns.two_normals(rows)
    floors: dict[str, Contestant] = {"np.sum": lambda: (y.sum(), score.sum())}
    contestants: dict[str, Contestant] = {
        OURS: lambda: metrics.log_loss(y, score),
        "numpy": lambda: -np.log(np.where(y == 1, score, 1 - score)).mean(),
    }
    yield Race("log loss", rows, contestants, floors)
    contestants = {
        OURS: lambda: metrics.brier_score_loss(y, score),
        "numpy": lambda: np.square(y - score).mean(),
    }
    yield Race("Brier score", rows, contestants, floors)
    for bins, strategy in ((10, "uniform"), (20, "uniform"), (10, "quantile")):
        options = {"n_bins": bins, "strategy": strategy}
        contestants = {
            OURS: functools.partial(metrics.calibration_curve, y, score, **options),
            "numpy": functools.partial(_binned, y, score, bins, strategy),
        }
        name = f"calibration curve, {bins} {'quantile ' if strategy == 'quantile' else ''}bins"
        yield Race(name, rows, contestants, floors, (), same)


def _binned(y: Any, score: Any, bins: int, strategy: str) -> tuple[Any, ...]:
    inner = np.arange(1, bins) / bins
    place = np.searchsorted(inner if strategy == "uniform" else np.quantile(score, inner), score)
    count = np.bincount(place, minlength=bins)
    kept = count > 0
    return tuple((np.bincount(place, values, bins) / np.maximum(count, 1))[kept] for values in (y, score))


def _several(rows: int) -> Iterator[Race]:
    """Ten scores in each of a tenth of the rows."""
    from rocksteady import metrics

    random = np.random.default_rng(6)
    scores, tags = random.random((rows // 10, 10)), random.random((rows // 10, 10)) < 0.3
    tags[0], tags[1] = True, False
    columns = np.asfortranarray(scores), np.asfortranarray(tags)

    def each() -> Any:
        return metrics.roc_auc_score(tags, scores, average=None)

    contestants: dict[str, Contestant] = {
        OURS: each,
        "numpy": lambda: [area(tags[:, k].astype(int), scores[:, k]) for k in range(10)],
    }
    floors: dict[str, Contestant] = {"F order": lambda: metrics.roc_auc_score(columns[1], columns[0], average=None)}
    yield Race("AUC of each of 10 columns, in C order", rows, contestants, floors)
    relevance = random.integers(0, 4, scores.shape)

    def gains() -> float:
        order = np.argsort(-scores, axis=1, kind="stable")
        discount = 1 / np.log2(np.arange(10) + 2)
        found = (np.take_along_axis(relevance, order, axis=1) * discount).sum(axis=1)
        ideal = (-np.sort(-relevance, axis=1) * discount).sum(axis=1)
        return float(np.divide(found, ideal, out=np.zeros(len(ideal)), where=ideal > 0).mean())

    contestants = {OURS: lambda: metrics.ndcg_score(relevance, scores), "numpy": gains}
    floors = {"ignore_ties": lambda: metrics.ndcg_score(relevance, scores, ignore_ties=True)}
    yield Race("NDCG of 10 labels a row, with ties", rows, contestants, floors)


#: Each family runs in a process of its own: what one leaves of memory does not help or hinder another.
FAMILIES: dict[str, Callable[[int], Iterator[Race]]] = {
    "areas": _areas,
    "rankings": _rankings,
    "columns": _columns,
    "labels": _labels,
    "probabilities": _probabilities,
    "several": _several,
}


# The parts, each in a child process.


def sizes(family: str, words: list[str], quick: bool) -> list[dict[str, Any]]:
    """Every race of a family at every size."""
    found = []
    for rows in SIZES[: 4 if quick else 5]:
        for race in FAMILIES[family](rows):
            if not all(word in race.title for word in words):
                continue
            print(f"  {race.title}, {rows:,} rows", file=sys.stderr)
            times = run(race, 0.1 if quick else 0.4)
            found.append({"title": race.title, "rows": rows, "times": times, "floors": [*race.floors]})
    return found


def run(race: Race, seconds: float) -> dict[str, float]:
    """As `ratios.run_race`, with many calls a round where a call is short."""
    if race.rows > 20_000:
        return run_race(race, time.process_time, seconds)
    _, reference, *_ = race.contestants
    expected = race.contestants[reference]()
    runners = race.contestants | race.floors
    for name, contestant in race.contestants.items():
        answer = contestant()
        if not race.agree(answer, expected):
            raise AssertionError(f"{race.title}, {name}: {answer!r}; {reference} says {expected!r}")
    least = dict.fromkeys(runners, math.inf)
    spent = time.perf_counter()
    while time.perf_counter() - spent < 4 * seconds:
        for name, runner in runners.items():
            times = 20 if name == OURS or name in race.floors else 3
            began = time.process_time()
            for _ in range(times):
                runner()
            least[name] = min(least[name], (time.process_time() - began) / times)
    return least


_GROWING = {
    "AUC, float64": 1.10,
    "AUC, float32": 1.10,
    "average precision, float64": 1.10,
    "KS, float64": 1.10,
    "score table, float64": 1.10,
    "confusion of 2 classes, int64": 1.06,
    "confusion of 10 classes, int64": 1.06,
    "confusion of 10 classes, uint8": 1.06,
    "log loss": 1.06,
}


def growth(words: list[str], quick: bool) -> list[dict[str, Any]]:
    """The time of ours alone at every size, and the slope."""
    found: dict[str, list[tuple[int, float]]] = {}
    for rows in GROWTH[: 4 if quick else 5]:
        for name, call in _calls(rows).items():
            if not all(word in name for word in words):
                continue
            print(f"  growth: {name}, {rows:,} rows", file=sys.stderr)
            times = max(1, 300_000 // rows)
            least = math.inf
            for _ in range(3 if rows > 10_000_000 else 9):
                began = time.process_time()
                for _ in range(times):
                    call()
                least = min(least, (time.process_time() - began) / times)
            found.setdefault(name, []).append((rows, least))
    return [
        {"title": name, "times": times, "slope": float(np.polyfit(*np.log(np.array(times)).T, 1)[0])}
        for name, times in found.items()
    ]


def _calls(rows: int) -> dict[str, Contestant]:
    import rocksteady as rs
    from rocksteady import metrics

    y, score = patterns.two_normals(rows)
    narrow = score.astype(np.float32)
    many, guess = patterns.classes(rows, 10)
    actual, predicted = many.astype(np.uint8), guess.astype(np.uint8)
    either = (guess > 4).astype(np.int64)
    return {
        "AUC, float64": lambda: metrics.roc_auc_score(y, score),
        "AUC, float32": lambda: metrics.roc_auc_score(y, narrow),
        "average precision, float64": lambda: metrics.average_precision_score(y, score),
        "KS, float64": lambda: rs.scores.ks(y, score),
        "score table, float64": lambda: rs.ScoreTable(y, score),
        "confusion of 2 classes, int64": lambda: metrics.confusion_matrix(y, either),
        "confusion of 10 classes, int64": lambda: metrics.confusion_matrix(many, guess),
        "confusion of 10 classes, uint8": lambda: metrics.confusion_matrix(actual, predicted),
        "log loss": lambda: metrics.log_loss(y, score),
    }


def of_ours(words: list[str], quick: bool) -> dict[str, float]:
    """The wall time (with more than one thread) or CPU time of each call; the environment says threads and level."""
    rows = 1_000_000 if quick or os.environ.get("ROCKSTEADY_INSTRUCTIONS") else 10_000_000
    clock = time.perf_counter if os.environ.get("ROCKSTEADY_CLOCK") == "wall" else time.process_time
    import rocksteady as rs
    from rocksteady import metrics

    calls = _calls(rows)
    y, score = patterns.two_normals(rows)
    weight = np.random.default_rng(4).random(rows)
    calls["AUC, weighted, float64"] = lambda: metrics.roc_auc_score(y, score, sample_weight=weight)
    calls["ROC curve, every threshold"] = lambda: metrics.roc_curve(y, score, drop_intermediate=False)
    calls["evaluate"] = lambda: rs.evaluate(y, score)
    calls["calibration curve, 10 bins"] = lambda: metrics.calibration_curve(y, score, n_bins=10)
    found = dict.fromkeys([name for name in calls if all(word in name for word in words)], math.inf)
    for _ in range(9):
        for name in found:
            began = clock()
            answer = calls[name]()
            found[name] = min(found[name], (clock() - began) / rows)
            del answer
    return found


PARTS: dict[str, Callable[[list[str], bool], Any]] = {
    **{family: functools.partial(sizes, family) for family in FAMILIES},
    "growth": growth,
    "of_ours": of_ours,
}


def measure(parts: list[str], words: list[str], quick: bool) -> dict[str, Any]:
    """Run the parts, each in a process of its own."""

    def child(part: str, **environment: str) -> Any:
        command = [sys.executable, __file__, "--child", part, *(["--quick"] if quick else [])]
        command += ["--only", *words] if words else []
        variables = os.environ | ONE_THREAD | environment
        done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    slower = slowdown_by_avx512()
    if slower > SLOWER:
        os.environ |= WITHOUT_AVX512
    measured: dict[str, Any] = {"date": today(), "machine": machine(), "quick": quick, "slowdown by AVX-512": slower}
    if "sizes" in parts:
        measured["sizes"] = [row for family in FAMILIES for row in child(family)]
    if "growth" in parts:
        measured["growth"] = child("growth")
    if "threads" in parts:
        measured["threads"] = {
            count: child("of_ours", ROCKSTEADY_NUM_THREADS=count, ROCKSTEADY_CLOCK="wall") for count in ("1", "2")
        }
    if "levels" in parts:
        measured["levels"] = {
            level: child("of_ours", ROCKSTEADY_INSTRUCTIONS=level) for level in ("avx512", "avx2", "sse2")
        }
    return measured


# The page.


def page(measured: dict[str, Any]) -> str:
    """The tables as Markdown."""
    lines = where_and_when(measured)
    if (slower := measured["slowdown by AVX-512"]) > SLOWER:
        lines.append(
            f"numpy was kept from AVX-512, with which its sort of 1,000,000 doubles takes {slower:.1f} times as long here."
        )
    if measured["quick"]:
        lines.append("\n**Quick run, with fewer rows and rounds.**")
    if "sizes" in measured:
        lines += ["", "## As a multiple of the floor", "", *_floors(measured["sizes"])]
        lines += ["", "## How many times faster than rivals", "", *_rivals(measured["sizes"])]
    if "growth" in measured:
        lines += ["", "## Growth", "", *_slopes(measured["growth"])]
    if "threads" in measured:
        lines += ["", "## Two threads", "", *_threads(measured["threads"])]
    if "levels" in measured:
        lines += ["", "## Instruction sets", "", *_levels(measured["levels"])]
    return "\n".join(lines) + "\n"


def _by_title(table: list[dict[str, Any]]) -> dict[str, dict[int, dict[str, Any]]]:
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for row in table:
        found.setdefault(row["title"], {})[row["rows"]] = row
    return found


def _floors(table: list[dict[str, Any]]) -> Iterator[str]:
    counts = sorted({row["rows"] for row in table})
    yield f"| task | floor |{''.join(f' {rows:,} |' for rows in counts)} goal |"
    yield f"|---|---|{'---:|' * len(counts)}---|"
    for title, by_rows in _by_title(table).items():
        floor = next(iter(by_rows.values()))["floors"][0]
        cells, missed = [], []
        goal, where = TARGETS.get(title, (None, ()))
        for rows in counts:
            if rows not in by_rows:
                cells.append("")
                continue
            times = by_rows[rows]["times"]
            ratio = times[OURS] / times[floor]
            cells.append(f"{ratio:.2f}")
            if goal is not None and rows in where and ratio > goal:
                missed.append(rows)
        said = ""
        where = tuple(rows for rows in where if rows in by_rows)
        if where:
            reached = "reached" if not missed else f"**not reached** at {', '.join(f'{rows:,}' for rows in missed)}"
            said = f"{goal:g} at {' and '.join(f'{rows:,}' for rows in where)}: {reached}"
        yield f"| {title} | {floor} | {' | '.join(cells)} | {said} |"


def _rivals(table: list[dict[str, Any]]) -> Iterator[str]:
    counts = sorted({row["rows"] for row in table})
    yield f"| task | rival |{''.join(f' {rows:,} |' for rows in counts)}"
    yield f"|---|---|{'---:|' * len(counts)}"
    for title, by_rows in _by_title(table).items():
        for rival in ("scors", "polars-ds", "bincount"):
            ratio = {
                rows: row["times"][rival] / row["times"][OURS] for rows, row in by_rows.items() if rival in row["times"]
            }
            if ratio:
                cells = [
                    (f"{ratio[rows]:.2g} ×" if ratio[rows] < 10 else f"{ratio[rows]:.0f} ×") if rows in ratio else ""
                    for rows in counts
                ]
                yield f"| {title} | {rival} | {' | '.join(cells)} |"


def _slopes(table: list[dict[str, Any]]) -> Iterator[str]:
    counts = [rows for rows, _ in table[0]["times"]]
    yield f"| task |{''.join(f' {rows:,} |' for rows in counts)} slope | goal |"
    yield f"|---|{'---:|' * len(counts)}---:|---|"
    for row in table:
        cells = [f"{seconds / rows * 1e9:.2f} ns" for rows, seconds in row["times"]]
        goal = _GROWING[row["title"]]
        said = "reached" if row["slope"] <= goal else "**not reached**"
        yield f"| {row['title']} | {' | '.join(cells)} | {row['slope']:.3f} | {goal:.2f}: {said} |"


def _threads(found: dict[str, dict[str, float]]) -> Iterator[str]:
    yield "| task | one thread, ns a row | two threads, ns a row | two ÷ one |"
    yield "|---|---:|---:|---:|"
    for name, one in found["1"].items():
        two = found["2"][name]
        yield f"| {name} | {one * 1e9:.2f} | {two * 1e9:.2f} | {two / one:.2f} |"


def _levels(found: dict[str, dict[str, float]]) -> Iterator[str]:
    yield f"| task, ns a row |{''.join(f' {level} |' for level in ('AVX-512', 'AVX2', 'SSE2'))}"
    yield "|---|---:|---:|---:|"
    for name in found["avx512"]:
        yield f"| {name} | {' | '.join(f'{found[level][name] * 1e9:.2f}' for level in ('avx512', 'avx2', 'sse2'))} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How far rocksteady's kernels are from their floors.")
    parser.add_argument("--quick", action="store_true", help="up to a million rows, and fewer rounds")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="tasks whose name has all these words")
    parser.add_argument("--parts", default="sizes,growth,threads,levels", help="a list with commas")
    parser.add_argument("--json", type=Path, help="also write the raw times, in seconds")
    parser.add_argument(
        "--into", type=Path, help="also write the page between the <!-- limits --> comments of a Markdown file"
    )
    parser.add_argument("--child", choices=tuple(PARTS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        warnings.simplefilter("ignore")
        json.dump(PARTS[arguments.child](arguments.only, arguments.quick), sys.stdout)
        return
    measured = measure(arguments.parts.split(","), arguments.only, arguments.quick)
    text = page(measured)
    print(text)
    if arguments.json:
        arguments.json.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    if arguments.into:
        write_between(arguments.into, "limits", text)


if __name__ == "__main__":
    main()

"""Compare the bits of the kernels' results between builds, levels of instructions and numbers of threads.

    python benches/same_bits.py [--inputs 100000] [--against FOLDER ...]

Random inputs, the same in every run, go through each kernel. The kernels are named whose results differ from those of
this build with the widest instructions and one thread. FOLDER holds another build of the package
`rocksteady`. Few inputs have as many rows as threads share, so a build with small pieces finds more: see `make pieces`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

#: Areas, sums in compensated lanes, the hull, calibration.
INDICES = (
    "roc_auc",
    "average_precision",
    "ks",
    "h_measure",
    "bedroc",
    "pr_auc_linear",
    "pr_auc_continuous",
    "pr_gain_auc",
)
OF_PROBABILITIES = ("log_loss", "brier", "calibration_slope", "expected_calibration_error")
LEVELS = ("avx512", "avx2", "sse2")
THREADS = (1, 2, 7, 16)


class Rows(NamedTuple):
    """Columns of one input."""

    labels: Any
    scores: Any
    weights: Any
    actual: Any
    predicted: Any


def inputs(count: int) -> Iterator[Rows]:
    """So many inputs, always the same."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(150_000, 300_000)) if seed % 1000 == 999 else int(2 ** rng.uniform(1, 11))
        logits = rng.normal(size=rows) * rng.choice([0.3, 1, 12])
        scores = 1 / (1 + np.exp(-logits)) if seed % 4 else logits
        digits = int(rng.integers(0, 12))
        if digits < 4:
            scores = scores.round(digits)
        elif digits == 4:
            scores[rng.random(rows) < 0.5] = 0.5
        elif digits == 5:
            scores.sort()
        labels = rng.random(rows) < rng.choice([0.5, 0.1, 0.01])
        labels[:2] = False, True
        classes = int(2 ** rng.uniform(1, 10))
        kind = rng.choice([np.int64, np.int32, np.int16])
        actual = rng.integers(0, classes, rows)
        yield Rows(
            labels=labels,
            scores=scores.astype(rng.choice([np.float64, np.float64, np.float32])),
            weights=rng.random(rows) * rng.choice([1.0, 1e300, 1e-300]),
            actual=actual.astype(kind),
            predicted=np.where(rng.random(rows) < 0.7, actual, rng.integers(0, classes, rows)).astype(kind),
        )


def kernels(rs: Any) -> dict[str, Callable[[Rows], Any]]:
    """What is called, by name."""
    m = rs.metrics

    def of_probabilities(call: Callable[..., Any]) -> Callable[[Rows], Any]:
        return lambda r: call(r.labels, r.scores) if r.scores.min() >= 0 and r.scores.max() <= 1 else 0.0

    def gain(r: Rows) -> Any:
        lists = len(r.labels) // 4
        columns = (column[: 4 * lists].reshape(lists, 4) for column in (r.labels.astype(float), r.scores))
        return m.ndcg_score(*columns) if lists else 0.0

    def indices(r: Rows) -> Any:
        table = rs.ScoreTable(r.labels, r.scores)
        are = r.scores.min() >= 0 and r.scores.max() <= 1
        return [table[name] for name in (*INDICES, *(OF_PROBABILITIES if are else ()))]

    def groups(r: Rows) -> Any:
        by = rs.group_by(r.labels, y_score=r.scores, by=r.actual % 37)
        return by["roc_auc"].value, by["f1"].value, by.keys["group"]

    def weighted_groups(r: Rows) -> Any:
        by = rs.group_by(r.labels, y_score=r.scores, by=r.actual % 37, sample_weight=r.weights)
        return by["roc_auc"].value, by["f1"].value

    def groups_of_classes(r: Rows) -> Any:
        by = rs.group_by(r.actual, r.predicted, by=np.arange(len(r.actual)) % 41)
        weighted = rs.group_by(r.actual, r.predicted, by=np.arange(len(r.actual)) % 41, sample_weight=r.weights)
        return by["accuracy"].value, weighted["accuracy"].value

    def merged_groups(r: Rows) -> Any:
        half = len(r.labels) // 2
        whole, first, second = (
            rs.group_by(r.labels[part], y_score=r.scores[part], by=r.actual[part] % 37, pos_label=True)
            for part in (slice(None), slice(half), slice(half, None))
        )
        merged = first + second
        if merged.to_bytes() != whole.to_bytes():
            raise AssertionError("the sum of two halves is not the whole")
        return np.frombuffer(merged.to_bytes(), "u1")

    def queries(r: Rows) -> Any:
        lists = rs.Queries(r.labels, r.scores, r.actual if len(r.labels) % 2 else np.sort(r.actual))
        return lists.value("ndcg@10"), lists.value("map")

    def evaluation(r: Rows) -> Any:
        return np.frombuffer(json.dumps(rs.evaluate(r.labels, r.scores).to_dict(), default=str).encode(), "u1")

    def texts(r: Rows) -> Any:
        return m.confusion_matrix(*((c % 100).astype("U") for c in (r.actual, r.predicted)))

    return {
        "AUC": lambda r: m.roc_auc_score(r.labels, r.scores),
        "AUC, weighted": lambda r: m.roc_auc_score(r.labels, r.scores, sample_weight=r.weights),
        "AP": lambda r: m.average_precision_score(r.labels, r.scores),
        "AP, weighted": lambda r: m.average_precision_score(r.labels, r.scores, sample_weight=r.weights),
        "ROC": lambda r: m.roc_curve(r.labels, r.scores, drop_intermediate=len(r.labels) % 2 == 0),
        "ROC, weighted": lambda r: m.roc_curve(r.labels, r.scores, sample_weight=r.weights),
        "PR": lambda r: m.precision_recall_curve(r.labels, r.scores),
        "PR, weighted": lambda r: m.precision_recall_curve(r.labels, r.scores, sample_weight=r.weights),
        "table": indices,
        "table, weighted": lambda r: rs.ScoreTable(r.labels, r.scores, sample_weight=r.weights)["h_measure"],
        "log loss": of_probabilities(m.log_loss),
        "Brier": of_probabilities(m.brier_score_loss),
        "calibration": of_probabilities(m.calibration_curve),
        "confusion": lambda r: m.confusion_matrix(r.actual, r.predicted),
        "confusion, weighted": lambda r: m.confusion_matrix(r.actual, r.predicted, sample_weight=r.weights),
        "confusion, bytes": lambda r: m.confusion_matrix(*((c % 100).astype("u1") for c in (r.actual, r.predicted))),
        "NDCG": gain,
        "groups": groups,
        "groups, weighted": weighted_groups,
        "groups of classes": groups_of_classes,
        "groups, merged": merged_groups,
        "queries": queries,
        "evaluation": evaluation,
        "texts": texts,
        "sketch": lambda r: np.frombuffer(rs.ScoreSketch(r.labels, r.scores, cells=64).to_bytes(), "u1"),
    }


def hashes(count: int) -> dict[str, str]:
    """A hash of the results of each kernel."""
    import rocksteady as rs
    import rocksteady.metrics

    found = {name: hashlib.sha256() for name in kernels(rs)}
    for rows in inputs(count):
        for name, call in kernels(rs).items():
            try:
                result = call(rows)
            except rs.RocksteadyError as refusal:
                result = np.frombuffer(str(refusal).encode(), "u1")
            for part in result if isinstance(result, tuple) else (result,):
                found[name].update(np.ascontiguousarray(part).tobytes())
    return {name: hashed.hexdigest()[:16] for name, hashed in found.items()}


def of_build(folder: str | None, level: str, threads: int, count: int) -> dict[str, str]:
    """The hashes in a process of its own."""
    environment = os.environ | {"ROCKSTEADY_INSTRUCTIONS": level, "ROCKSTEADY_NUM_THREADS": str(threads)}
    if folder is not None:
        environment["PYTHONPATH"] = folder
    command = [sys.executable, "-W", "ignore", __file__, "--inputs", str(count), "--hashes"]
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--against", nargs="*", default=[])
    parser.add_argument("--hashes", action="store_true", help="print those of this process and end")
    given = parser.parse_args()
    if given.hashes:
        print(json.dumps(hashes(given.inputs)))
        sys.exit()
    first = of_build(None, LEVELS[0], 1, given.inputs)
    differ = 0
    for build in (None, *given.against):
        for level in LEVELS:
            for threads in THREADS:
                if (build, level, threads) == (None, LEVELS[0], THREADS[0]):
                    continue  # what the others are compared with
                found = of_build(build, level, threads, given.inputs)
                others = [name for name in first if found[name] != first[name]]
                differ += len(others)
                where = build or "this build"
                print(f"{where}, {level}, {threads} threads: {', '.join(others) or 'the same bits'}", flush=True)
    sys.exit(differ > 0)

"""Compare the bits of the kernels' results between builds, levels of instructions and numbers of threads.

    python benches/same_bits.py [--inputs 100000] [--against FOLDER ...]

Random inputs, the same in every run, go through each kernel. A hash of all results of a kernel is printed where it
differs from that of this build with the widest instructions and one thread. FOLDER holds another build of the package
`rocksteady`. Few inputs have as many rows as threads share, so a build with small pieces finds more: see `make pieces`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

LEVELS = ("avx512", "avx2", "sse2")
THREADS = (1, 2, 7)


def inputs(count: int) -> Any:
    """Labels, scores, weights, classes, predicted classes, and a generator for more."""
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
        scores = scores.astype(rng.choice([np.float64, np.float64, np.float32]))
        labels = rng.random(rows) < rng.choice([0.5, 0.1, 0.01])
        labels[:2] = False, True
        weights = rng.random(rows) * rng.choice([1.0, 1e300, 1e-300])
        classes = int(2 ** rng.uniform(1, 10))
        kind = rng.choice([np.int64, np.int32, np.int16])
        actual = rng.integers(0, classes, rows).astype(kind)
        predicted = np.where(rng.random(rows) < 0.7, actual, rng.integers(0, classes, rows)).astype(kind)
        yield labels, scores, weights, actual, predicted, rng


def kernels(rs: Any) -> dict[str, Callable[..., Any]]:
    """What is called, by name: of labels, scores, weights, actual and predicted classes, and a generator."""

    def probabilities(call: Callable[..., Any], labels: Any, scores: Any) -> Any:
        return call(labels, scores) if scores.min() >= 0 and scores.max() <= 1 else 0.0

    def block(labels: Any, scores: Any) -> tuple[Any, Any]:
        rows = len(scores) // 4
        return np.ascontiguousarray(labels[: 4 * rows].reshape(rows, 4)), scores[: 4 * rows].reshape(rows, 4)

    def several(labels: Any, scores: Any) -> Any:
        truth, score = block(labels, scores)
        return rs.metrics.ndcg_score(truth.astype(float), score) if len(truth) else 0.0

    def indices(table: Any) -> Any:
        return [table[name] for name in ("roc_auc", "average_precision", "ks", "h_measure")]

    return {
        "AUC": lambda y, s, w, a, p, rng: rs.metrics.roc_auc_score(y, s),
        "AUC, weighted": lambda y, s, w, a, p, rng: rs.metrics.roc_auc_score(y, s, sample_weight=w),
        "AP": lambda y, s, w, a, p, rng: rs.metrics.average_precision_score(y, s),
        "AP, weighted": lambda y, s, w, a, p, rng: rs.metrics.average_precision_score(y, s, sample_weight=w),
        "ROC": lambda y, s, w, a, p, rng: rs.metrics.roc_curve(y, s, drop_intermediate=len(y) % 2 == 0),
        "ROC, weighted": lambda y, s, w, a, p, rng: rs.metrics.roc_curve(y, s, sample_weight=w),
        "PR": lambda y, s, w, a, p, rng: rs.metrics.precision_recall_curve(y, s),
        "table": lambda y, s, w, a, p, rng: indices(rs.ScoreTable(y, s)),
        "log loss": lambda y, s, w, a, p, rng: probabilities(rs.metrics.log_loss, y, s),
        "Brier": lambda y, s, w, a, p, rng: probabilities(rs.metrics.brier_score_loss, y, s),
        "calibration": lambda y, s, w, a, p, rng: probabilities(rs.metrics.calibration_curve, y, s),
        "confusion": lambda y, s, w, a, p, rng: rs.metrics.confusion_matrix(a, p),
        "confusion, weighted": lambda y, s, w, a, p, rng: rs.metrics.confusion_matrix(a, p, sample_weight=w),
        "confusion, bytes": lambda y, s, w, a, p, rng: rs.metrics.confusion_matrix((a % 100).astype("u1"), (p % 100).astype("u1")),
        "NDCG": lambda y, s, w, a, p, rng: several(y, s),
        "sketch": lambda y, s, w, a, p, rng: np.frombuffer(rs.ScoreSketch(y, s, cells=64).to_bytes(), "u1"),
    }


def hashes(count: int) -> dict[str, str]:
    """A hash of the results of each kernel."""
    import rocksteady as rs
    import rocksteady.metrics

    found = {name: hashlib.sha256() for name in kernels(rs)}
    for columns in inputs(count):
        for name, call in kernels(rs).items():
            try:
                result = call(*columns)
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
                found = of_build(build, level, threads, given.inputs)
                others = [name for name in first if found[name] != first[name]]
                differ += len(others)
                where = build or "this build"
                print(f"{where}, {level}, {threads} threads: {', '.join(others) or 'the same bits'}", flush=True)
    sys.exit(differ > 0)

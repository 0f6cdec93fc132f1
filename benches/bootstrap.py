"""Compare the speed of the bootstrap with rapidstats and with single areas of scikit-learn; print a table.

    python benches/bootstrap.py [--rows 1000000] [--replicates 1000]

CPU time in a process in which each library may use one thread. Contestants run in turn, and the shortest time of each
counts. rapidstats and scikit-learn compute few replicates, whose time is multiplied. Answers are checked: the standard
deviation of the replicates must be that of DeLong's formula within 15 %.

Bias disclosure: the authors of this file are the authors of rocksteady. Times include everything from numpy arrays to
the interval.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
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
os.environ |= dict.fromkeys(_LIMITS, "1")

import numpy as np  # noqa: E402 (after the limits of threads)

import rocksteady as rs  # noqa: E402


def _shortest(contestants: dict[str, tuple[Callable[[], Any], float]], rounds: int) -> dict[str, float]:
    """Seconds of each, times its factor."""
    found = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, (call, factor) in contestants.items():
            start = time.process_time()
            call()
            found[name] = min(found[name], (time.process_time() - start) * factor)
    return found


def _delong(y: Any, p: Any) -> float:
    """DeLong's standard error of the area, of scores without ties."""
    order = np.argsort(p)
    positive = y[order] == 1
    below = np.cumsum(~positive)[positive] / (~positive).sum()
    above = (positive.sum() - np.cumsum(positive))[~positive] / positive.sum()
    return float(np.sqrt(below.var(ddof=1) / positive.sum() + above.var(ddof=1) / (~positive).sum()))


def main() -> None:
    """Race, and print milliseconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    y = (rng.random(asked.rows) < 0.3).astype(np.int64)
    p = 1 / (1 + np.exp(-(rng.normal(size=asked.rows) + y)))
    number = asked.replicates
    boot = rs.inference.bootstrap(y, p, "roc_auc", n_resamples=number, random_state=0)
    ratio = boot["roc_auc"].standard_error / _delong(y, p)
    assert abs(ratio - 1) < 0.15, ratio

    def ours(names: Any, resample: Any) -> Callable[[], Any]:
        return lambda: rs.inference.bootstrap(y, p, names, n_resamples=number, random_state=0, resample=resample)

    several = ["roc_auc", "average_precision", "ks"]
    races: dict[str, tuple[Callable[[], Any], float]] = {
        "AUC, multinomial": (ours("roc_auc", "multinomial"), 1),
        "AUC, poisson": (ours("roc_auc", "poisson"), 1),
        "AUC, AP and KS, multinomial": (ours(several, "multinomial"), 1),
        "one AUC of scikit-learn": (lambda: roc_auc_score(y, p), 1),
    }
    if importlib.util.find_spec("rapidstats"):
        import rapidstats

        races["rapidstats, AUC"] = (lambda: rapidstats.Bootstrap(iterations=3, seed=0).roc_auc(y, p), number / 3)
    found = _shortest(races, asked.rounds)
    own = found["AUC, multinomial"]
    print(f"{number} replicates of {asked.rows} rows")
    for name, seconds in found.items():
        print(f"{name:32} {seconds * 1000:12.1f} ms {seconds / own:9.2f} x")

    cm = rs.ConfusionMatrix.from_counts([[91_000, 16_000], [14_000, 79_000]])
    names = [row.name for row in rs.indices() if "counts" in row.forms]
    quick = _shortest({"all": (lambda: cm.bootstrap(names, n_resamples=number, random_state=0), 1)}, 10)["all"]
    print(f"{len(names)} indices of a 2x2 matrix: {quick * 1000:.1f} ms")


if __name__ == "__main__":
    main()

"""Time metrics by group against fairlearn: true positive rate and selection rate of a million rows in 1,000 groups.

    ROCKSTEADY_NUM_THREADS=1 python benches/fairness.py [rows] [groups]

Times are CPU time, the minimum of several calls; fairlearn's, which takes seconds, is that of one call. Both frames are
made whole, from numpy arrays to pandas' Series of differences, and their values are compared.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rocksteady import fairness


def cpu(call: Callable[[], Any], times: int) -> tuple[float, Any]:
    """The least CPU time of some calls, in seconds, and the last answer."""
    least, answer = float("inf"), None
    for _ in range(times):
        start = time.process_time()
        answer = call()
        least = min(least, time.process_time() - start)
    return least, answer


def main() -> None:
    """Print both times and their ratio."""
    rows, groups = (int(number) for number in [*sys.argv[1:], "1000000", "1000"][:2])
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    keys = rng.integers(0, groups, rows)

    def frame(module: Any) -> Any:
        metrics = {"recall": module.true_positive_rate, "selection": module.selection_rate}
        made = module.MetricFrame(metrics=metrics, y_true=y_true, y_pred=y_pred, sensitive_features=keys)
        return made.by_group, made.difference(), made.ratio()

    ours, found = cpu(lambda: frame(fairness), 7)
    print(f"rocksteady  {1e3 * ours:10.1f} ms")
    disparity, _ = cpu(
        lambda: fairness.equalized_odds_difference(y_true, y_pred, sensitive_features=keys),
        7,
    )
    print(f"equalized odds difference  {1e3 * disparity:10.1f} ms")
    try:
        from fairlearn import metrics as theirs
    except ImportError:
        print("fairlearn is not installed")
        return
    their, expected = cpu(lambda: frame(theirs), 1)
    print(f"fairlearn   {1e3 * their:10.1f} ms, {their / ours:.0f} times as long")
    for own, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(own.to_numpy(float), other.to_numpy(float), rtol=0, atol=1e-12)


if __name__ == "__main__":
    main()

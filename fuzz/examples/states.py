"""Writes the inputs that the target `states` starts from into `corpus/states`: states of a few rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import rocksteady as rs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocksteady.base.statistic import Statistic

# Of version 3: magic, kind, version, tag and length of the only section.
HEAD = 19
FOLDER = Path(__file__).parent.parent / "corpus" / "states"


def states() -> Iterator[tuple[int, str, Statistic]]:
    """The number of the kind, a name and the statistic."""
    rng = np.random.default_rng(1)
    actual = (rng.random(24) < 0.4).astype(int)
    score = np.round(rng.random(24), 1)
    score[::3] = rng.random(8)
    group = rng.integers(0, 3, 24)
    text = np.array(["a", "b", "c"])[group]
    for name, weight in (("counts", None), ("weights", rng.random(24))):
        yield 1, f"sketch-{name}", rs.ScoreSketch(actual, score, sample_weight=weight, cells=6)
        yield 1, f"sketch-exact-{name}", rs.ScoreSketch(actual, np.round(score), sample_weight=weight, thresholds=[0.3])
        both = {"y_pred": (score > 0.5).astype(int), "y_score": score.astype(np.float32)}
        yield 2, f"groups-{name}", rs.group_by(actual, by={"g": group}, sample_weight=weight, **both)
        yield 2, f"groups-text-{name}", rs.group_by(actual, y_score=score, by={"t": text}, sample_weight=weight)
    yield 3, "queries", rs.Queries(actual, score, group)
    yield 3, "queries-graded", rs.Queries(np.round(3 * score), score.astype(np.float32), group)
    proba = 0.25 + 0.25 * np.eye(3)[group]
    yield 5, "row-mean-hits", rs.RowMean.top_k_accuracy_score(group, proba, k=2, labels=[0, 1, 2])
    yield 5, "row-mean-losses", rs.RowMean.log_loss(group, proba, labels=[0, 1, 2])
    yield 4, "anchored", rs.AnchoredCounts(rs.ScoreAnchors(actual, score, pos_label=1), actual, score)


FOLDER.mkdir(parents=True, exist_ok=True)
for form, name, state in states():
    data = state.to_bytes()
    FOLDER.joinpath(name).write_bytes(bytes([form]) + data[HEAD:])
    if form == 1:
        FOLDER.joinpath(f"{name}-whole").write_bytes(b"\0" + data)

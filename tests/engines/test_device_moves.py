"""The table of docs/devices.md that says what each call sorts on the device, and how many bytes come to the processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mock_devices import Strict, stood_for, strict

import rocksteady as rs
from rocksteady.devices import arrays

PAGE = Path(__file__).parents[2] / "docs" / "devices.md"
ROWS = 100_000
SORTS = ("sort", "argsort", "unique_values", "unique_counts")


def collected(y, s):
    collector = rs.ScoreCollector()
    collector.update(y, s)
    return collector.score_table()


CALLS = {
    "`rs.ScoreTable`": lambda d: rs.ScoreTable(d["y"], d["s"]),
    "`rs.ScoreSketch`": lambda d: rs.ScoreSketch(d["y"], d["s"]),
    "collectors, at the first question": lambda d: collected(d["y"], d["s"]),
    "`rs.metrics.roc_auc_score`": lambda d: rs.metrics.roc_auc_score(d["y"], d["s"]),
    "`rs.ConfusionMatrix`": lambda d: rs.ConfusionMatrix(d["y"], d["p"]),
    "`rs.group_by` with `y_pred`, 10 groups": lambda d: rs.group_by(d["y"], d["p"], by=d["g"]),
    "`rs.group_by` with `y_score`, 10 groups": lambda d: rs.group_by(d["y"], y_score=d["s"], by=d["g"]),
    "`rs.ScoreTables`, 5 classes": lambda d: rs.ScoreTables(d["c"], d["proba"]),
    "`rs.metrics.top_k_accuracy_score`, 5 classes": lambda d: rs.metrics.top_k_accuracy_score(d["c"], d["proba"], k=2),
}


def measured(monkeypatch, call, data):
    """Sorts, searches, and bytes a row."""
    found = {"sorts": 0, "searches": 0, "bytes": 0}

    def counting(name, kind):
        function = getattr(strict, name)

        def counted(*args, **kwargs):
            found[kind] += 1
            return function(*args, **kwargs)

        patch.setattr(strict, name, counted)

    def arrived(array, here=arrays.here):
        moved = here(array)
        found["bytes"] += moved.nbytes
        return moved

    with monkeypatch.context() as patch:
        for name in SORTS:
            counting(name, "sorts")
        counting("searchsorted", "searches")
        patch.setattr(arrays, "here", arrived)
        call(data)
    return found["sorts"], found["searches"], f"{found['bytes'] / ROWS:.2g}" if found["bytes"] >= 200 else "0"


@pytest.mark.parametrize("name", CALLS)
def test_what_each_call_moves(monkeypatch, name):
    device, rng = stood_for(monkeypatch, Strict, arrays.BLOCK), np.random.default_rng(0)
    labels = {name: rng.integers(0, most, ROWS) for name, most in {"y": 2, "p": 2, "g": 10, "c": 5}.items()}
    s, proba = (rng.permutation(ROWS) / ROWS).astype("f4"), rng.dirichlet(np.ones(5), ROWS).astype("f4")
    found = []
    for scores, matrix in ((s, proba), (s.round(2), proba.round(2))):
        data = {key: device.there(column) for key, column in {**labels, "s": scores, "proba": matrix}.items()}
        found.append(measured(monkeypatch, CALLS[name], data))
    (sorts, searches, most), (_, _, least) = found
    row = f"| {name} | {sorts} | {searches} | {most} | {least} |"
    assert row in PAGE.read_text().splitlines(), row

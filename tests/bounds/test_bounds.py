"""Proven bounds: of counts in a box against all tables of it, of sketches against the exact table, and their reports."""

from __future__ import annotations

import json
import math
import pickle
import struct
from itertools import product

import numpy as np
import pytest

import rocksteady as rs

OF_COUNTS = [row.name for row in rs.indices() if {"counts", "matrix"} & set(row.forms)]


def population(seed: int, rows: int = 3000, digits: int | None = None):
    rng = np.random.default_rng(seed)
    actual = rng.random(rows) < 0.3
    score = 1 / (1 + np.exp(-rng.normal(actual * 1.5 - 1, 1.2)))
    return actual, score if digits is None else score.round(digits)


@pytest.mark.parametrize(
    ("tp", "fp", "positives", "negatives"),
    [((3, 7), (0, 4), 9, 30), ((0, 2), (0, 2), 2, 2), ((900, 904), (17, 23), 1000, 9000), ((5, 5), (2, 2), 8, 8)],
)
def test_bounds_hold_every_table_of_a_box(tp, fp, positives, negatives):
    box = rs.CountsBounds(tp=tp, fp=fp, positives=positives, negatives=negatives)
    tables = list(product(range(tp[0], tp[1] + 1), range(fp[0], fp[1] + 1)))
    t, f = np.array(tables, dtype=float).T
    counts = rs.Counts(t, f, positives - t, negatives - f)
    for name in OF_COUNTS:
        values = counts[name]
        found = box.bounds(name)
        why = [rs.Counts(*one).why(name) for one in zip(counts.tp, counts.fp, counts.fn, counts.tn, strict=True)]
        defined = values[[each is None for each in why]]
        assert found.may_be_undefined or len(defined) == len(values), name
        if len(defined):
            assert found.low <= defined.min() + 1e-14 * abs(defined.min()), (name, found)
            assert defined.max() - 1e-14 * abs(defined.max()) <= found.high, (name, found)
        else:
            assert found.why is not None or len(tables) == 1, name
        if len(tables) == 1:
            single = rs.Counts(*(float(column[0]) for column in (counts.tp, counts.fp, counts.fn, counts.tn)))
            assert box[name] == single[name] or math.isnan(single[name]), name


@pytest.mark.parametrize("weighted", [False, True])
def test_bounds_of_a_sketch_hold_the_exact_table(weighted):
    for seed in range(3):
        actual, score = population(seed)
        weight = np.random.default_rng(seed).random(len(score)).round(3) if weighted else None
        sketch = rs.ScoreSketch(actual, score, sample_weight=weight, cells=64)
        table = rs.ScoreTable(actual, score, sample_weight=weight)
        for threshold in (0.1234, 0.41, 0.5, 0.777):
            box, exact = sketch.at(threshold), table.at(threshold)
            assert box.is_weighted == weighted
            for name in OF_COUNTS:
                found, value = box.bounds(name), exact[name]
                if found.why is not None:
                    assert "no bounds between" in found.why or found.why == exact.why(name), (name, found)
                elif not math.isnan(value) and exact.why(name) is None:
                    slack = 1e-12 * abs(value) if weighted else 0.0
                    assert found.low - slack <= value <= found.high + slack, (name, threshold, value, found)
        assert sketch.at(0.5).is_known
        assert sketch.at(0.5)["f1"] == pytest.approx(table.at(0.5)["f1"], rel=1e-15)


def test_expressions_and_parameters_have_bounds():
    box = rs.CountsBounds(tp=(10, 14), fp=(3, 9), positives=20, negatives=100)
    found = box.bounds("2*tp - fp")
    assert (found.low, found.high) == (pytest.approx(11, abs=1e-12), pytest.approx(25, abs=1e-12))
    tables = rs.Counts(
        *(np.array(column, float) for column in zip(*product(range(10, 15), range(3, 10)), strict=True)), 0, 0
    )
    tables = rs.Counts(tables.tp, tables.fp, 20 - tables.tp, 100 - tables.fp)
    for beta in (0.5, 3.0):
        found, values = box.bounds("fbeta", beta=beta), tables.value("fbeta", beta=beta)
        assert found.low == pytest.approx(values.min(), rel=1e-13)
        assert found.high == pytest.approx(values.max(), rel=1e-13)
    costs = box.bounds("cost", fp=-3.0, fn=1.0)
    assert (costs.low, costs.high) == (pytest.approx(-21, rel=1e-14), pytest.approx(1, rel=1e-14))


def test_counts_bounds_are_frozen_values():
    box = rs.CountsBounds(tp=(79, 81), fp=16, positives=93, negatives=107)
    assert repr(box) == "CountsBounds(tp=(79, 81), fp=(16, 16), positives=93, negatives=107)"
    assert pickle.loads(pickle.dumps(box)) == box
    assert hash(box) == hash(pickle.loads(pickle.dumps(box)))
    assert box != rs.CountsBounds(tp=(79, 81), fp=16, positives=93, negatives=107, weighted=True)
    assert (box.low, box.high) == (rs.Counts(79, 16, 14, 91), rs.Counts(81, 16, 12, 91))
    assert box["specificity"] == rs.Counts(79, 16, 14, 91)["specificity"]
    assert not box.is_known
    assert rs.CountsBounds(tp=79, fp=16, positives=93, negatives=107).counts() == rs.Counts(79, 16, 14, 91)
    assert len(box.summary()) == len(OF_COUNTS)
    assert "tp" in box._repr_html_()
    large = rs.CountsBounds(tp=(2**60, 2**60 + 1), fp=(0, 1), positives=2**61, negatives=2**60)
    assert large.tp == (2**60, 2**60 + 1)
    assert large.bounds("recall").width < 1e-15


def test_what_is_not_known_says_what_to_call():
    box = rs.CountsBounds(tp=(79, 81), fp=(16, 17), positives=93, negatives=107)
    with pytest.raises(rs.InputError, match=r"f1 lies between .* and .*; ask for bounds\('f1'\)|no more is known"):
        box["f1"]
    with pytest.raises(rs.InputError, match="not known exactly"):
        _ = box.counts()
    with pytest.raises(rs.UnknownIndexError):
        box.bounds("roc_auc")
    for wrong, argument in [
        ({"tp": (81, 79)}, "tp"),
        ({"tp": (0, 94)}, "tp"),
        ({"fp": (-1, 2)}, "fp"),
        ({"fp": (0, math.nan)}, "fp"),
        ({"fp": (1, 2, 3)}, "fp"),
        ({"positives": 2**63}, "positives"),
        ({"tp": (0.5, 1), "weighted": False}, "weighted"),
    ]:
        given = {"tp": (1, 2), "fp": (0, 1), "positives": 93, "negatives": 107} | wrong
        with pytest.raises(rs.InputError) as refused:
            rs.CountsBounds(**given)
        assert refused.value.argument == argument, wrong


def test_a_curve_lies_within_its_bounds():
    for seed, digits in ((0, None), (1, 2)):
        actual, score = population(seed, digits=digits)
        sketch, table = rs.ScoreSketch(actual, score, cells=100), rs.ScoreTable(actual, score)
        for x, y in (("fpr", "recall"), ("recall", "precision"), ("fpr", "mcc")):
            curve = sketch.curve(x, y)
            assert curve.kind == "proven"
            counts, slack = table.counts(), 1e-14  # columns are not rounded once
            for a, b in zip(counts[x], counts[y], strict=True):
                if not (math.isnan(a) or math.isnan(b)):
                    inside = (curve.x_low <= a + slack) & (a - slack <= curve.x_high)
                    assert (inside & (curve.y_low <= b + slack) & (b - slack <= curve.y_high)).any(), (x, y, a, b)
            at_edges = table.at(np.maximum(curve.thresholds[1:-1], 0))
            np.testing.assert_allclose(curve.y[1:-1], at_edges[y], rtol=1e-14)
            xs, low, high = curve.outline()
            assert (low <= high).all()
            assert len(xs) <= 4 * 257
    weighted = rs.ScoreSketch(actual, score, sample_weight=np.full(len(score), 0.5), cells=100).roc_curve()
    np.testing.assert_allclose(weighted.y, sketch.roc_curve().y, rtol=1e-14)


def test_a_bounded_evaluation_adds_and_reports():
    actual, score = population(5, rows=20_000)
    columns = {"old": score, "<b>new": 1 - (1 - score) ** 2}
    exact, whole = rs.evaluate(actual, columns), rs.evaluate(actual, columns, bounded=True)
    parts = [
        rs.evaluate(actual[rows], {name: column[rows] for name, column in columns.items()}, bounded=True)
        for rows in (slice(7000), slice(7000, None))
    ]
    assert sum(parts) == whole
    for name in ("roc_auc", "average_precision", "ks", "brier", "log_loss", "f1", "mcc"):
        for model in columns:
            found = whole.bounds(name)[model]
            assert found.low - 1e-12 <= exact[name][model] <= found.high + 1e-12, (name, model)
    assert whole["f1"] == exact["f1"]  # counts at the threshold are exact
    page = whole.to_html(title="a & b")
    assert "proven" in page
    assert "<script" not in page
    assert "&lt;b&gt;new" in page
    assert "a &amp; b" in page
    assert "proven" in whole.to_markdown()
    told = json.loads(json.dumps(whole.to_dict(["f1", "roc_auc"])))
    assert told["models"]["old"]["bounds"]["f1"]["is_exact"]
    assert repr(whole).startswith("<rocksteady.Evaluation of old, <b>new: 20000 rows")
    with pytest.raises(rs.InputError, match="bounded=True"):
        rs.evaluate(actual, score, bounded=True, inference=True)
    with pytest.raises(rs.InputError, match="cannot add"):
        whole + rs.evaluate(actual, score, bounded=True)


def test_the_command_line_shows_bounds(tmp_path, capsys):
    pl = pytest.importorskip("polars")
    pytest.importorskip("click")
    pytest.importorskip("rich")
    from rocksteady.cli.command import run

    actual, score = population(6, rows=70_000)
    frame = pl.DataFrame({"y": np.where(actual, "yes", "no"), "p": score})
    for place, rows in enumerate((slice(30_000), slice(30_000, None))):
        frame[rows].write_parquet(tmp_path / f"{place}.parquet")
    files = [str(tmp_path / f"{place}.parquet") for place in (0, 1)]
    arguments = ["score", *files, "--label", "y", "--score", "p", "--no-progress", "--bounded"]
    assert run([*arguments, "--threshold", "0.4", "--html", str(tmp_path / "a.html")]) == 0
    shown = capsys.readouterr().out
    assert "for certain" in shown
    assert "proven" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert run([*arguments, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    exact = rs.evaluate(frame["y"], frame["p"])
    bounds = told["models"]["p"]["bounds"]
    assert bounds["roc_auc"]["low"] <= exact["roc_auc"] <= bounds["roc_auc"]["high"]
    assert bounds["f1"]["low"] == exact["f1"]
    assert told["pos_label"] == "yes"
    assert run([*arguments, "--interval"]) == 2
    assert "--interval does not go with --bounded" in capsys.readouterr().err


# Bytes.

BOXES = [
    {"tp": (79, 81), "fp": (16, 18), "positives": 93, "negatives": 107},
    {"tp": 3, "fp": 0, "positives": 3, "negatives": 0},
    {"tp": (0, 2**62 + 1), "fp": 0, "positives": 2**62 + 1, "negatives": 2**61},
    {"tp": (0.25, 1e300), "fp": (0, 5e-324), "positives": 1e300, "negatives": 2**60},
    {"tp": (1, 2), "fp": 2, "positives": 3, "negatives": 4, "weighted": True},
]


@pytest.mark.parametrize("given", BOXES)
def test_counts_within_bounds_come_back_from_bytes_and_other_bytes_are_refused(given):
    box = rs.CountsBounds(**given)
    data = box.to_bytes()
    found = rs.CountsBounds.from_bytes(memoryview(data))
    assert found == box
    assert (found.is_weighted, found.to_bytes()) == (box.is_weighted, data)
    assert len(data) == 10 + 9 + 49  # as docs/bytes.md says
    assert struct.unpack("<6d" if box.is_weighted else "<6Q", data[20:])[:2] == box.tp
    for wrong in [*(data[:end] for end in range(len(data))), data + b"\0"]:
        with pytest.raises(rs.InputError, match="not the bytes of CountsBounds"):
            rs.CountsBounds.from_bytes(wrong)
    for place, bit in product(range(len(data)), range(8)):
        changed = data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]
        try:
            other = rs.CountsBounds.from_bytes(changed)
        except rs.InputError:
            continue
        assert place >= 19, "the head is always the same"
        assert other.to_bytes() == changed, "what is read is written so"
        assert other != box, (place, bit)


def bounded_parts(parts: int):
    actual, score = population(3, digits=3)
    options = {"bounded": True, "threshold": {"one": 0.3}, "pos_label": True}
    for rows in np.array_split(np.arange(len(actual)), parts):
        yield rs.evaluate(actual[rows], {"one": score[rows], "ü": score[rows] ** 2}, **options)


def test_a_bounded_evaluation_travels_as_bytes_and_merges_from_them():
    (whole,) = bounded_parts(1)
    data = whole.to_bytes()
    assert rs.Evaluation.from_bytes(data) == whole
    assert rs.merge([part.to_bytes() for part in bounded_parts(5)]).to_bytes() == data
    assert sum(bounded_parts(5)).digest() == whole.digest()
    model = rs.results.BoundedModel("a", rs.ScoreSketch([0, 1], [0.2, 0.9]), labels=("nö", "yes"))
    renamed = rs.Evaluation([model], rows_left_out=7)
    again = rs.Evaluation.from_bytes(renamed.to_bytes())
    assert (again == renamed, again.labels, again.rows_left_out) == (True, ("nö", "yes"), 7)


def test_other_bytes_are_no_bounded_evaluation():
    data = rs.evaluate([0, 1, 1], [0.2, 0.9, 0.4], bounded=True, threshold=0.25).to_bytes()
    wrong = [data[:end] for end in range(len(data))] + [data + b"\0", rs.ScoreSketch([0], [0.5]).to_bytes()]
    for given in wrong:
        with pytest.raises(rs.InputError, match="not the bytes of an Evaluation"):
            rs.Evaluation.from_bytes(given)
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(data), 2_000):
        changed = data[:place] + bytes([data[place] ^ 1 << rng.integers(8)]) + data[place + 1 :]
        try:
            other = rs.Evaluation.from_bytes(changed)
        except rs.InputError:
            continue
        assert other.to_bytes() == changed
    with pytest.raises(rs.InputError, match="expected the bytes of a statistic"):
        rs.merge([rs.CountsBounds(tp=1, fp=0, positives=2, negatives=2).to_bytes()])

"""Bytes of strangers: refused, or read as what holds its own rules and is written as it was read."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pandas")
pytest.importorskip("matplotlib").use("Agg")

import public_calls as given
from test_bytes import MAKERS

import rocksteady as rs

Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7]
BY, TEXTS = ["n", "s", "n", "s", "n", "n"], ["cat", "dog", "eel", "cat", "dog", "eel"]
PROBA = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7], [0.2, 0.7, 0.1], [0.3, 0.3, 0.4]]
FLAGS = [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 1]]
W = [0.5, 1.5, 2.25, 0.125, 1.0, 3.0]

#: Small statistics of every class that has bytes.
MADE: dict[str, Any] = {
    **{name: make() for name, make in MAKERS.items()},
    "matrix of truth values": rs.ConfusionMatrix([True, False, True], [True, True, False]),
    "matrix of floats": rs.ConfusionMatrix([1.0, 2.0, 3.0], [1.0, 1.0, 3.0]),
    "sampling": rs.ConfusionMatrix(Y, Y[::-1], sample_weight=W, weight_kind="sampling"),
    "sketch": rs.ScoreSketch(Y, S),
    "bounded sketch": rs.ScoreSketch(np.arange(200) % 2, np.sqrt(np.arange(200)), cells=64),
    "weighted sketch": rs.ScoreSketch(["a", "b", "b"], [0.1, 0.2, 0.3], sample_weight=[0.5, 1, 2]),
    "groups": rs.group_by(Y, Y[::-1], by=BY),
    "groups of scores": rs.group_by(Y, y_score=S, by={"a": BY, "b": [True, False] * 3}, sample_weight=W),
    "groups of texts": rs.group_by(TEXTS, TEXTS[::-1], by=[1.5, 2.0, 1.5, 2.0, 7.0, 7.0]),
    "groups of times": rs.group_by(Y, Y, by=np.array([1, 2, 1, 2, 1, 1], "M8[s]")),
    "queries": rs.Queries(Y, S, query=BY),
    "row mean": rs.RowMean.top_k_accuracy_score(TEXTS, PROBA, labels=["cat", "dog", "eel"]),
    "log loss": rs.RowMean.log_loss(TEXTS, PROBA, labels=["cat", "dog", "eel"]),
    "costs": rs.CostTable(Y, S, costs={"fn": W, "fp": 0.5}),
    "cost counts": rs.CostCounts(Y, Y[::-1], costs={"fn": W, "fp": 0.5}),
    "anchors": rs.ScoreAnchors(Y, S, pos_label=1),
    "anchored": rs.AnchoredCounts(rs.ScoreAnchors(Y, S, pos_label=1), Y, S),
    "ledger": rs.scores.LabelLedger([*Y[:-1], None], S, pos_label=1),
    "ledger of sketches": rs.scores.SketchLedger([*Y[:-1], None], S, pos_label=1),
    "ledgers of groups": rs.group_by([*Y[:-1], None], y_score=S, by=BY, pos_label=1, missing_labels="unknown"),
    "counts": rs.CountsBounds(tp=(79, 81), fp=(16, 18), positives=93, negatives=107),
    "at": rs.ScoreSketch(Y, S).at(0.5),
    "evaluation": rs.evaluate(Y, {"a": S, "b": S[::-1]}, by=BY, threshold={"a": 0.5}, costs=[[0, 1], [5, 0]]),
    "evaluation of classes": rs.evaluate(TEXTS, y_proba=PROBA),
    "evaluation of predictions": rs.evaluate(TEXTS, y_pred=TEXTS[::-1]),
    "bounded": rs.evaluate([*Y, 1], [*S, np.nan], bounded=True, nan_policy="omit", threshold=0.5),
    "bounded, named": rs.Evaluation([rs.results.BoundedModel("m", rs.ScoreSketch(Y, S), 0.5, labels=("no", "yes"))]),
    "evaluation of labels": rs.evaluate(
        [[1, 0], [0, 1], [1, 1]], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.7]], labels=["a", "b"]
    ),
    "state": rs.engines.State([rs.ConfusionMatrix(Y, Y), rs.ScoreTable(Y, S)], 2),
}
NUMBERS = [
    b"-5",
    b"1.5",
    b"NaN",
    b'"x"',
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"1e999",
    b"0",
    b"1",
    b"Infinity",
    b'"\\ud800"',
]


def test_every_class_with_bytes_is_there():
    named = {name.rpartition(".")[0] for name in given.public() if name.endswith(".from_bytes")}
    assert {type(made).__name__ for made in MADE.values()} == {name.rpartition(".")[2] for name in named}


def mutated(data: bytes, all_bytes: list[bytes], random: np.random.Generator) -> bytes:
    found = bytearray(data)
    for _ in range(random.integers(1, 4)):
        size = max(len(found), 1)
        place = int(random.integers(size)) if random.random() < 0.7 else int(random.integers(min(size, 80)))
        form = random.integers(9)
        if form == 0:
            found[place : place + 1] = bytes([random.integers(256)])
        elif form == 1:
            found[place : place + 1] = bytes([random.choice([0, 1, 2, 3, 127, 128, 255])])
        elif form == 2 and found:
            found[min(place, len(found) - 1)] ^= 1 << random.integers(8)
        elif form == 3:
            del found[place : place + int(random.integers(1, 9))]
        elif form == 4:
            found[place:place] = random.bytes(int(random.integers(1, 9)))
        elif form == 5:
            number = random.choice([0, 1, 2, 2**31, 2**32, 2**62, 2**63 - 1])
            found[place : place + 8] = struct.pack("<Q", int(number))
        elif form == 6:
            other = all_bytes[random.integers(len(all_bytes))]
            cut = int(random.integers(len(other)))
            found[place : place + 16] = other[cut : cut + 16]
        elif form == 7:
            found[place : place + 8] = struct.pack(
                "<d", random.choice([np.nan, np.inf, -np.inf, -1.0, 0.5, 5e-324, 1e300])
            )
        else:
            found = bytearray(_json_changed(bytes(found), random))
    return bytes(found)


def _json_changed(data: bytes, random: np.random.Generator) -> bytes:
    """Another value of what an evaluation says as JSON, its lengths put right."""
    start = data.find(b"{")
    if start < 27 or data[8:9] not in (b"E", b"B"):
        return data
    (length,) = struct.unpack("<Q", data[start - 8 : start])
    try:
        said = json.loads(data[start : start + length])
    except ValueError:
        return data
    names = [*said]
    name = names[random.integers(len(names))]
    value: Any = json.loads(NUMBERS[random.integers(len(NUMBERS))])
    inner = said[name]
    while isinstance(inner, dict | list) and inner and random.random() < 0.7:
        within = [*inner] if isinstance(inner, dict) else range(len(inner))
        said_in, place = inner, within[random.integers(len(within))]
        inner = inner[place]
        if not isinstance(inner, dict | list) or not inner or random.random() < 0.3:
            said_in[place] = inner if random.random() < 0.1 else value
            break
    else:
        said[name] = [inner, inner] if random.random() < 0.2 else value
    text = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    core = struct.pack("<Q", len(text)) + text + data[start + length :]
    return data[: start - 16] + struct.pack("<Q", len(core)) + core


def use(read: Any) -> None:
    """What was read is what its constructor could have made, and says all that it says."""
    data = read.to_bytes()
    again = type(read).from_bytes(data)
    assert again.to_bytes() == data
    assert repr(again) == repr(read)
    labels = getattr(read, "labels", None)
    if labels is not None and not isinstance(read, rs.RowMean):
        # Integers that no float holds may stand among floats, and are shown as those.
        known = [
            label
            for label in list(labels)
            if label is not None and not (isinstance(label, float) and abs(label) >= 2**53)
        ]
        assert len(set(known)) == len(known), labels
    if getattr(read, "rows_left_out", 0) is not None:
        left_out = getattr(read, "rows_left_out", 0)
        assert isinstance(left_out, int), left_out
        assert left_out >= 0, left_out
    for call in (
        *(getattr(read, name) for name in ("to_dict", "summary") if hasattr(read, name)),
        lambda: read + again if hasattr(read, "__add__") else None,
    ):
        try:
            call()
        except rs.errors.InternalError:
            raise
        except rs.RocksteadyError:
            pass


def without_unknown_sections(data):
    """The bytes without sections of an even tag that this version does not know, which a reader skips."""
    kept, place = data[:10], 10
    while place + 9 <= len(data):
        end = place + 9 + int.from_bytes(data[place + 1 : place + 9], "little")
        kept += data[place:end] if data[place] % 2 or data[place] <= 4 else b""
        place = end
    return kept


def tried(seed: int, calls: int) -> tuple[int, int]:
    """How many mutated bytes were read, and how many refused."""
    random = np.random.default_rng(seed)
    kept = [(type(made), made.to_bytes()) for made in MADE.values()]
    all_bytes = [data for _, data in kept]
    read = refused = 0
    for _ in range(calls):
        of, data = kept[random.integers(len(kept))]
        changed = mutated(data, all_bytes, random)
        try:
            found = of.from_bytes(changed)
        except rs.errors.InternalError:
            raise
        except rs.RocksteadyError:
            refused += 1
            continue
        read += 1
        try:
            if changed[9] == data[9]:  # a state has one byte string in this version
                assert found.to_bytes() == without_unknown_sections(changed)
            use(found)
        except BaseException as broken:
            raise AssertionError((of.__name__, changed.hex())) from broken
    return read, refused


def test_mutated_bytes():
    calls = int(os.environ.get("ROCKSTEADY_CALLS", "4000"))
    program = f"import test_bytes_hostile; print(*test_bytes_hostile.tried({os.environ.get('SEED', '1')}, {calls}))"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path])},
    )
    assert done.returncode == 0, done.stderr[-4000:]
    read, refused = map(int, done.stdout.split())
    assert read > calls // 20, read
    assert refused > calls // 4, refused


def test_labels_of_another_kind_are_refused():
    for statistic in (
        rs.ConfusionMatrix([0, 1, 2], [0, 1, 2]),
        rs.ScoreTables([0, 1, 2], PROBA[:3]),
        rs.group_by([0, 1, 2], [0, 1, 2], by=[1, 1, 1]),
        rs.ScoreTable([3, 7], [0.1, 0.2]),
    ):
        data, wrong = statistic.to_bytes(), []
        for place in range(19, min(len(data), 200)):
            if data[place] == 1:  # among them the kind of the labels: integers
                try:
                    read = type(statistic).from_bytes(data[:place] + b"\0" + data[place + 1 :])
                except rs.InputError as refused:
                    wrong.append("not of their kind" in str(refused))
                else:
                    assert not any(isinstance(label, (bool, np.bool_)) for label in read.labels)
        assert any(wrong), statistic


@pytest.mark.parametrize("name", ["bounded, named", "evaluation"])
def test_what_an_evaluation_says_is_checked_as_by_its_constructor(name):
    made = MADE[name]
    data = made.to_bytes()
    start = data.find(b"{")
    (length,) = struct.unpack("<Q", data[start - 8 : start])

    def said(**changed: Any) -> bytes:
        text = json.dumps(json.loads(data[start : start + length]) | changed, sort_keys=True, separators=(",", ":"))
        core = struct.pack("<Q", len(text)) + text.encode() + data[start + length :]
        return data[: start - 16] + struct.pack("<Q", len(core)) + core

    assert type(made).from_bytes(said()) == made
    wrong: list[dict[str, Any]] = [{"rows_left_out": value} for value in (-5, 1.5, float("nan"), "x", None, True)]
    if name == "evaluation":
        models = json.loads(data[start : start + length])["models"]
        wrong += [{"models": [models[0] | {"threshold": value}, models[1]]} for value in ("x", float("nan"), [])]
    else:
        wrong += [{"labels": value} for value in (["a", "a"], ["a"], ["a", 1], [None, 1], "ab")]
        wrong += [{"thresholds": {"m": value}} for value in ("x", float("nan"), None, [])]
    for changed in wrong:
        with pytest.raises(rs.InputError, match="not the bytes of"):
            type(made).from_bytes(said(**changed))

"""Collectors of batches on a device: nothing waits for it before the first question, which gives what numpy's batches give."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mock_devices import KINDS, NAMES, Jax, Strict, jax, needs_jax, stood_for, strict

import rocksteady as rs
from rocksteady.devices import arrays


@pytest.fixture(params=KINDS, ids=NAMES)
def device(request, monkeypatch):
    return stood_for(monkeypatch, *request.param)


def batches_of(rng, labels="int64", scores="float64"):
    """Batches of some rows, of none and of one class, with ties."""
    for rows in (3, 0, 5, 20, 1, 30):
        yield rng.integers(0, 2, rows).astype(labels), (rng.random(rows) * 3).round(1).astype(scores)
    yield np.ones(4, labels), np.arange(4).astype(scores)


def collected(make, *, answer, batches, there, asks=()):
    """The bytes of what a collector answers after all batches; it is asked before some of them, too."""
    collector = make()
    for place, columns in enumerate(batches):
        if place in asks:
            assert collector.rows >= 0
        collector.update(*map(there, columns))
    return getattr(collector, answer)().to_bytes()


MAKERS = [
    (rs.ScoreCollector, "score_table"),
    (lambda: rs.ScoreCollector(pos_label=0, infinite="allow"), "score_table"),
    (rs.SketchCollector, "sketch"),
    (lambda: rs.SketchCollector(cells=8, labels=[0, 1], thresholds=[0.7]), "sketch"),
]


@pytest.mark.parametrize(("make", "answer"), MAKERS)
@pytest.mark.parametrize(("labels", "scores"), [("int64", "float64"), ("bool", "float32"), ("uint8", "int8")])
def test_collectors(device, make, answer, labels, scores):
    if isinstance(device, Jax) and (labels, make) != ("int64", MAKERS[-1][0]):
        pytest.skip("it compiles for each shape, so few cases are tried")
    batches = list(batches_of(np.random.default_rng(1), labels, scores))
    here = collected(make, answer=answer, batches=batches, there=np.asarray)
    for asks in ((), (2, 5)):
        assert collected(make, answer=answer, batches=batches, there=device.there, asks=asks) == here


@pytest.mark.parametrize("seed", range(10))
def test_random_batches(monkeypatch, seed):
    device, rng = stood_for(monkeypatch, Strict, 50), np.random.default_rng(seed)
    for _ in range(100):
        policy, scores = rng.choice(["omit", "worst", "best"]), rng.choice(["float32", "float64"])
        batches = list(batches_of(rng, rng.choice(["int64", "float64", "uint8"]), scores))[: int(rng.integers(1, 8))]
        for y, s in batches:
            s[rng.random(len(s)) < 0.2] = np.nan
            if policy == "omit" and y.dtype == np.float64:
                y[rng.random(len(y)) < 0.2] = np.nan
        for kind, answer in ((rs.ScoreCollector, "score_table"), (rs.SketchCollector, "sketch")):
            options = {"nan_policy": str(policy), **({"pos_label": 1} if rng.random() < 0.5 else {})}
            found = []
            for there in (np.asarray, device.there):
                try:
                    found.append(
                        collected(
                            lambda kind=kind, options=options: kind(**options),
                            answer=answer,
                            batches=batches,
                            there=there,
                        )
                    )
                except rs.RocksteadyError as error:  # without rows
                    found.append(str(error))
            assert found[0] == found[1]


def test_batches_of_several_dtypes_and_of_the_processor(device):
    rng = np.random.default_rng(2)
    batches = [
        (y.astype(kind), s.astype(own))
        for (y, s), kind, own in zip(
            batches_of(rng), ["bool", "int8", "int64"] * 2, ["float32", "float64", "float32"] * 2, strict=False
        )
    ]
    here, there = rs.ScoreCollector(), rs.ScoreCollector()
    for place, (y, s) in enumerate(batches):
        here.update(y, s)
        there.update(*((y, s) if place % 2 else (device.there(y), device.there(s))))
    assert there.score_table() == here.score_table()


@pytest.mark.parametrize("policy", ["omit", "worst", "best"])
def test_missing_scores(device, policy):
    for y, s in (([0, 1, 0], [np.nan, 0.5, 0.2]), ([0, 0, 1.0], [0.1, 0.2, np.nan]), ([0.0, np.nan], [0.1, 0.2])):
        if policy != "omit" and np.isnan(y).any():
            continue
        for make, answer in (
            (lambda: rs.ScoreCollector(nan_policy=policy), "score_table"),
            (lambda: rs.SketchCollector(nan_policy=policy), "sketch"),
        ):
            batches = [(np.array(y), np.array(s)), (np.array([0, 1]), np.array([0.3, np.nan]))]
            here = collected(make, answer=answer, batches=batches, there=np.asarray)
            assert collected(make, answer=answer, batches=batches, there=device.there) == here


def test_rows_beyond_memory(device):
    batches = list(batches_of(np.random.default_rng(3)))
    found = []
    for there in (np.asarray, device.there):
        collector = rs.ScoreCollector(memory="64KiB")
        for y, s in batches:
            collector.update(there(y), there(s))
        found.append(collector.view()["roc_auc"])
    assert found[0] == found[1]


def test_nothing_waits_for_the_device_before_the_first_question(monkeypatch):
    device = stood_for(monkeypatch, Strict, arrays.BLOCK)
    y, s = device.there([0, 1, 0]), device.there([0.1, 0.2, np.nan])

    def read(*_, **__):
        raise AssertionError("the values were read")

    collectors = rs.ScoreCollector(nan_policy="omit"), rs.SketchCollector(nan_policy="omit")
    with monkeypatch.context() as patch:
        for name in (
            "__array__",
            "__bool__",
            "__int__",
            "__float__",
            "__index__",
            "__dlpack__",
            "tolist",
            "__getitem__",
        ):
            patch.setattr(type(strict.zeros(1)), name, read, raising=False)
        for collector in collectors:
            for _ in range(3):
                collector.update(y, s)
            assert "9 rows in 3 batches wait on a device, 144 bytes" in repr(collector)
    for collector in collectors:
        assert collector.rows == 6
        assert "wait" not in repr(collector)


def test_a_batch_may_be_changed_after_it_was_taken(monkeypatch):
    device = stood_for(monkeypatch, Strict, arrays.BLOCK)
    y, s = device.there([0, 1]), device.there([0.1, 0.2])
    collector = rs.ScoreCollector()
    collector.update(y, s)
    s[0] = 0.9
    assert collector.score_table()["roc_auc"] == 1


@pytest.mark.parametrize(
    ("y", "s", "message"),
    [
        ([0, 2], [0.1, 0.2], r"batch 2: y_true\[1\] is 2; expected [01] or [01]"),
        ([0, 1], [0.1, np.nan], r"batch 2: y_score\[1\] is NaN; .*nan_policy='omit'"),
        ([0, 1], [-np.inf, 0.3], r"batch 2: y_score\[0\] is -inf"),
        ([3, 4], [0.1, 0.2], r"batch 2: y_true\[1\] is 4"),
    ],
)
def test_a_refusal_names_batch_and_row_and_leaves_the_batch_out(device, y, s, message):
    for collector in (rs.ScoreCollector(), rs.SketchCollector()):
        good = device.there([0, 1]), device.there([0.5, 0.25])
        for columns in (good, good, (device.there(y), device.there(s)), good):
            collector.update(*columns)
        if y == [3, 4]:  # refused by what was counted before, as the batch by itself has two labels
            message = message.replace(r"\[1\] is 4", r"\[0\] is 3")
        with pytest.raises(rs.InputError, match=message) as raised:
            _ = collector.rows
        assert raised.value.row == (0 if y == [3, 4] or s[0] < 0 else 1)
        assert collector.rows == 6


def test_what_shapes_and_dtypes_show_is_refused_at_once(device):
    collector = rs.ScoreCollector()
    y, s = device.there([0, 1]), device.there([0.5, 0.25])
    for columns, options, message in (
        ((y, s[:1]), {}, "y_score has 1 rows; expected 2"),
        ((y, [0.5, 0.25]), {}, "y_score is in the processor's memory"),
        ((y, s), {"sample_weight": [1, 2]}, "sample_weight is given with rows on another device"),
        ((y, device.there([[0.5], [0.25]])), {}, "y_score is an array of shape"),
        ((device.there([0j, 1]), s), {}, "y_true is an array of dtype complex128"),
    ):
        with pytest.raises((rs.InputError, rs.InputTypeError), match=message):
            collector.update(*columns, **options)
    assert repr(collector) == "<rocksteady.ScoreCollector of 0 rows; update() takes the first>"
    with pytest.raises(rs.InputTypeError, match="weight_kind is given"):
        rs.ScoreCollector(weight_kind="sampling").update(y, s)


def test_threads(monkeypatch):
    device = stood_for(monkeypatch, Strict, arrays.BLOCK)
    collector = rs.ScoreCollector()
    rng = np.random.default_rng(4)
    batches = [(rng.integers(0, 2, 9), rng.random(9).round(1)) for _ in range(60)]

    def fill(columns):
        collector.update(*map(device.there, columns))
        return collector.rows

    with ThreadPoolExecutor(4) as pool:
        assert max(pool.map(fill, batches)) <= 540
    assert collector.score_table() == rs.ScoreTable(*map(np.concatenate, zip(*batches, strict=True)))


@needs_jax
def test_brain_floats(monkeypatch):
    stood_for(monkeypatch, Jax, arrays.BLOCK)
    rng = np.random.default_rng(5)
    y, s = rng.integers(0, 2, 90), jax.numpy.asarray(rng.normal(size=90), dtype=jax.numpy.bfloat16)
    collector = rs.ScoreCollector()
    collector.update(jax.numpy.asarray(y), s)
    assert "90 rows in 1 batch waits on a device, 1080 bytes" in repr(collector)
    assert collector.score_table() == rs.ScoreTable(y, np.asarray(s.astype(jax.numpy.float32)))

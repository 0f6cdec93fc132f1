"""Groups of rows on a device, by keys there or in the processor's memory, have the bytes that numpy's have."""

from __future__ import annotations

import datetime as dt

import mock_devices
import numpy as np
import pytest
from mock_devices import KINDS, NAMES, Jax, Strict, jax, needs_jax, stood_for

import rocksteady as rs
from rocksteady.devices import arrays


@pytest.fixture(params=KINDS, ids=NAMES)
def device(request, monkeypatch):
    return stood_for(monkeypatch, *request.param)


def there(device, given):
    """All arrays on the device, also those inside."""
    if isinstance(given, dict):
        return {name: device.there(column) for name, column in given.items()}
    return [device.there(column) for column in given] if isinstance(given, list) else device.there(given)


def same(device, y, p, s, keys, keys_there, **options):
    """The groups of both kinds of arrays have the same bytes, or are refused in the same words."""
    rows = {"y_true": y, "y_pred": p, "y_score": s}
    moved = {name: None if column is None else device.there(column) for name, column in rows.items()}
    return mock_devices.same(
        lambda: rs.group_by(**rows, **keys, **options), lambda: rs.group_by(**moved, **keys_there, **options)
    )


@pytest.mark.parametrize("seed", range(10))
def test_random_rows(monkeypatch, seed):
    device, rng = stood_for(monkeypatch, Strict, 50), np.random.default_rng(seed)
    for _ in range(100):
        random_case(device, rng)


def random_case(device, rng):
    rows = int(rng.integers(1, 150))
    classes = int(rng.choice([2, 2, 4]))
    y, p = (rng.integers(0, classes, rows).astype(rng.choice(["int64", "uint8", "float64"])) for _ in range(2))
    s = None if classes > 2 or rng.random() < 0.4 else rng.random(rows).round(int(rng.integers(1, 4)))
    p = p if s is None or rng.random() < 0.5 else None
    keys = rng.integers(0, int(rng.integers(1, 5)), rows).astype(rng.choice(["int64", "bool", "float32"]))
    options = {"pos_label": 1} if classes == 2 and rng.random() < 0.3 else {}
    if rng.random() < 0.3:
        y = y.astype(float)
        y[rng.random(rows) < 0.3] = np.nan
        options["nan_policy"] = "omit"
    same(device, y, p, s, {"by": keys}, {"by": device.there(keys)}, **options)


@pytest.mark.parametrize("many", [1, 40])
def test_forms_of_keys(device, many):
    rng = np.random.default_rng(1)
    y, p, k, g = (np.tile(rng.integers(0, 2, 30), many) for _ in range(4))
    s, f = (np.tile(rng.random(30).round(1), many) for _ in range(2))
    f[f < 0.2] = np.nan
    for keys in (
        {"by": g},
        {"by": {"a": g, "b": f}},
        {"by": [g, k]},
        {"by": np.stack([g, k], axis=1)},
        {"by": f, "control": g},
    ):
        for columns in ((p, None), (None, s), (p, s)):
            same(device, y, *columns, keys, {name: there(device, given) for name, given in keys.items()})
            if isinstance(device, Jax):
                break


def test_keys_in_the_processors_memory(device):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    y, p, g = rng.integers(0, 2, 60), rng.integers(0, 2, 60), rng.integers(0, 3, 60)
    text = np.array(["a", "b", "c"])[g]
    days = [None if place == 2 else dt.date(2026, 1, 1 + place) for place in g]
    for by in (
        text,
        text.tolist(),
        days,
        pandas.Series(text, name="region"),
        pandas.DataFrame({"a": text, "b": g == 1}),
        [text, [bool(place) if place else None for place in g]],
        pandas.Categorical(text),
        np.stack([g, g], axis=1),
    ):
        same(device, y, p, None, {"by": by}, {"by": by})
        if not isinstance(device, Jax):
            same(device, y, None, p / 2, {"by": by, "control": g}, {"by": by, "control": device.there(g)})
    ordered = pandas.Categorical(text, ["c", "a", "b"], ordered=True)
    with pytest.raises(rs.InputTypeError, match="by has ordered categories.* numbers, text or dates"):
        rs.group_by(device.there(y), device.there(p), by=ordered)
    same(device, y, p, None, {"by": ordered.astype(str)}, {"by": ordered.astype(str)})


@pytest.mark.parametrize("policy", ["raise", "omit", "worst", "best"])
def test_missing_labels_and_scores(device, policy):
    rng = np.random.default_rng(3)
    y, s = rng.integers(0, 2, 400).astype(float), rng.random(400).round(1)
    s[rng.random(400) < 0.6] = np.nan  # the most frequent rows are those that are left out
    if policy == "omit":
        y[rng.random(400) < 0.3] = np.nan
    g = rng.integers(0, 2, 400)
    same(device, y, None, s, {"by": g}, {"by": device.there(g)}, nan_policy=policy)


def test_refusals(device):
    y, s, g = np.array([0, 1, 1]), np.array([0.1, 0.2, 0.3]), np.array([1, 1, 2])
    by = {"by": device.there(g)}
    for columns in (
        (np.array([0, 1, 2]), None, s),
        (np.array([0, 1.5, 1]), y, None),
        (y, None, np.array([0.1, np.inf, np.nan])),
        (np.array([0, np.nan, 1]), y, None),
    ):
        assert same(device, *columns, {"by": g}, by) is None
    assert same(device, y, y, None, {"by": g}, by, labels=[0, 2]) is None
    assert same(device, y, y, None, {"by": g}, by, threshold=0.5) is None
    moved = device.there(y), device.there(y)
    with pytest.raises(rs.InputTypeError, match="sample_weight is given with rows on another device"):
        rs.group_by(*moved, by=by["by"], sample_weight=s)
    scored, gaps = {"y_score": device.there(s), **by}, device.there(np.array([0, np.nan, 1]))
    with pytest.raises(rs.InputError, match=f"missing_labels is 'unknown'; .*else {device.to_host('y_true')} first"):
        rs.group_by(moved[0], **scored, missing_labels="unknown")
    for ledger in (rs.scores.LabelLedger, rs.scores.SketchLedger):
        with pytest.raises(rs.InputTypeError, match=f"move it there first, {device.to_host('y_')}"[:-2]):
            ledger(gaps, scored["y_score"])
    with pytest.raises(rs.InputTypeError, match="move it there first"):
        rs.evaluate(gaps, scored["y_score"], missing_labels="unknown")
    with pytest.raises(rs.InputError, match=r"by has 2 rows; expected 3, as many as y_true"):
        rs.group_by(*moved, by=by["by"][:2])
    with pytest.raises(rs.InputError, match=r"by has 2 rows; expected 3, as many as y_true"):
        rs.group_by(*moved, by=["a", "b"])
    with pytest.raises(rs.InputTypeError, match="y_true is in the processor's memory"):
        rs.group_by(y, moved[1], by=g)
    with pytest.raises(rs.InputTypeError, match="expected a pandas Series, as align=True goes by its index"):
        rs.group_by(*moved, by=by["by"], align=True)
    with pytest.raises(rs.InputError, match=r"by\[1\] has 2 rows; expected 3, as many as y_true"):
        rs.group_by(*moved, by=[by["by"], by["by"][:2]])
    with pytest.raises(rs.RocksteadyError, match="by is None"):
        rs.group_by(*moved, by=None)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "uint8", "bool"])
def test_types(device, dtype):
    if dtype not in device.dtypes:
        pytest.skip("array-api-strict has no float16; of JAX few are tried")
    rng = np.random.default_rng(6)
    y, g = rng.integers(0, 2, 80).astype(np.int32), rng.integers(0, 3, 80).astype(dtype)
    s = (rng.random(80) * 3).round(1).astype(dtype)
    same(device, y, None, s, {"by": g}, {"by": device.there(g)})
    same(device, y[:0], None, s[:0], {"by": g[:0]}, {"by": device.there(g[:0])}, pos_label=1)


@needs_jax
def test_brain_floats(monkeypatch):
    stood_for(monkeypatch, Jax, arrays.BLOCK)
    rng = np.random.default_rng(7)
    y, s = rng.integers(0, 2, 80), jax.numpy.asarray(rng.normal(size=(80, 2)), dtype=jax.numpy.bfloat16)
    wide, there = np.asarray(s.astype(jax.numpy.float32)), jax.numpy.asarray(y)
    assert rs.group_by(there, y_score=s[:, 1], by=there) == rs.group_by(y, y_score=wide[:, 1], by=y)
    assert rs.ScoreTables(there, s) == rs.ScoreTables(y, wide)


def test_single_numbers_are_refused(device):
    one = device.there(1)
    for call in (
        lambda: rs.group_by(one, one, by=one),
        lambda: rs.ScoreTables(one, one),
        lambda: rs.ScoreSketch(one, one),
        lambda: rs.ScoreCollector().update(one, one),
    ):
        with pytest.raises(rs.InputError, match=r"y_true is an array of shape \(\); expected one dimension"):
            call()


def test_columns_that_are_not_contiguous(monkeypatch):
    device, rng = stood_for(monkeypatch, Strict, 50), np.random.default_rng(8)
    both = rng.integers(0, 2, (60, 4))
    there = device.there(both)
    here = rs.group_by(both[:, 0], both[:, 1], by=both[:, 2:])
    assert rs.group_by(there[:, 0], there[:, 1], by=there[:, 2:]) == here
    assert rs.group_by(there[:, 0], there[:, 1], by={"group_1": there[:, 2], "group_2": there[:, 3]}) == here


def test_names_of_labels(device):
    y, p = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0])
    found = same(device, y, p, None, {"by": y}, {"by": device.there(y)}, labels={0: "no", 1: "yes"})
    assert found.labels == ("no", "yes")


def test_rows_that_cross_are_cells(monkeypatch):
    device, rng = stood_for(monkeypatch, Strict, arrays.BLOCK), np.random.default_rng(5)
    y, p, g = (device.there(rng.integers(0, 3, 5_000)) for _ in range(3))
    crossed, here = [], arrays.here
    monkeypatch.setattr(arrays, "here", lambda array: (crossed.append(array), here(array))[1])
    rs.group_by(y, p, by=g)
    assert max(array.shape[0] for array in crossed if array.shape) == 27

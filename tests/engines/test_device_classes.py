"""`ScoreTables` of arrays on a device have the bytes of numpy's, and are refused in the same words."""

from __future__ import annotations

import mock_devices
import numpy as np
import pytest
from mock_devices import KINDS, NAMES, Strict, stood_for

import rocksteady as rs


@pytest.fixture(params=KINDS, ids=NAMES)
def device(request, monkeypatch):
    return stood_for(monkeypatch, *request.param)


def same(device, y, scores, **options):
    """The statistic of both kinds of arrays has the same bytes, or is refused in the same words."""
    y, scores = np.array(y), np.array(scores)
    moved = device.there(y), device.there(scores)
    return mock_devices.same(lambda: rs.ScoreTables(y, scores, **options), lambda: rs.ScoreTables(*moved, **options))


@pytest.mark.parametrize("seed", range(10))
def test_random_rows(monkeypatch, seed):
    device, rng = stood_for(monkeypatch, Strict, 50), np.random.default_rng(seed)
    for _ in range(100):
        random_case(device, rng)


def random_case(device, rng):
    rows, classes = int(rng.integers(1, 150)), int(rng.integers(2, 5))
    scores = rng.dirichlet(np.ones(classes), rows).round(int(rng.integers(1, 4)))
    dtype = rng.choice(["float64", "float32", "int8", "bool", "int64"])
    scores = (scores * 10).astype(dtype) if dtype in ("int8", "bool", "int64") else scores.astype(dtype)
    y = rng.integers(0, classes, rows).astype(rng.choice(["int64", "uint8", "float32"]))
    same(device, y, scores, **({} if rng.random() < 0.3 else {"labels": list(range(classes))}))


def test_what_derives_from_the_tables(device):
    rng = np.random.default_rng(1)
    scores = rng.dirichlet(np.ones(3), 200).round(2)
    y = rng.integers(5, 8, 200)
    found, here = same(device, y, scores), rs.ScoreTables(y, scores)
    assert found.to_dict() == here.to_dict()
    assert found.one_vs_one(6, 5) == here.one_vs_one(6, 5)
    assert found.top_label() == here.top_label()
    assert found + here == here + here
    assert str(found.every_interval("roc_auc")) == str(here.every_interval("roc_auc"))


@pytest.mark.parametrize(
    ("y", "scores", "options"),
    [
        ([0, 1], [[1.0, 0.0], [0.0, 1.0]], {}),
        ([1, 1], [[0.2, 0.8], [0.5, 0.5]], {"labels": [0, 1]}),
        ([1], [[-0.0, 0.0]], {"labels": [0, 1]}),
        (np.array([44, 45], np.uint8), [[0, 1.0, 0], [0, 0, 1.0]], {"labels": [44, 45, 300]}),
        (np.array([2**63 + 1, 2**63 + 5], np.uint64), [[0.5, 0.5], [0.1, 0.9]], {}),
        ([True, False, True], [[0.5, 0.5], [0.1, 0.9], [0.7, 0.3]], {}),
        ([-3, 0, 70_000], np.eye(3) - 2, {}),
        ([0, 1], [[2**60, 2**60 + 1], [2**60, 2**60 + 1]], {}),
        ([0, 1], [[np.finfo(float).smallest_subnormal, 0.0], [0.0, np.finfo(float).smallest_subnormal]], {}),
    ],
)
def test_few_rows(monkeypatch, y, scores, options):
    assert same(stood_for(monkeypatch, Strict, 50), y, scores, **options) is not None


@pytest.mark.parametrize(
    ("y", "scores", "options"),
    [
        ([0, 1, 2], [[0.5, 0.5]] * 3, {}),
        ([0, 1, 2], [[0.5, 0.5]] * 3, {"labels": [0, 1]}),
        ([0, 0], [[0.5, 0.5]] * 2, {}),
        ([0, 1], [[0.5, 0.5], [0.5, np.nan]], {}),
        ([0, 1], [[0.5, 0.5], [np.inf, 0.2]], {}),
        ([0, np.nan], [[0.5, 0.5]] * 2, {}),
        ([0, 1.5], [[0.5, 0.5]] * 2, {}),
        ([0, 1], [[0.5, 0.5]] * 2, {"labels": ["a", "b"]}),
        ([0, 1], [[0.5, 0.5]] * 2, {"labels": [1, 0]}),
        ([0, 1], [[0.5, 0.5]] * 2, {"weight_kind": "x"}),
        (np.zeros(0), np.zeros((0, 2)), {}),
    ],
)
def test_refusals_are_those_of_the_host(device, y, scores, options):
    if "weight_kind" in options:
        with pytest.raises(rs.InputTypeError, match="weight_kind is given with rows on another device"):
            rs.ScoreTables(device.there(y), device.there(scores), **options)
    else:
        same(device, y, scores, **options)


def test_refusals_of_devices(device):
    y, scores = np.array([0, 1]), np.array([[0.5, 0.5], [0.1, 0.9]])
    with pytest.raises(rs.InputTypeError, match="sample_weight is given with rows on another device"):
        rs.ScoreTables(device.there(y), device.there(scores), sample_weight=y)
    with pytest.raises(rs.InputTypeError, match="y_proba is in the processor's memory"):
        rs.ScoreTables(device.there(y), scores)
    with pytest.raises(rs.InputTypeError, match="y_true is in the processor's memory"):
        rs.ScoreTables(y, device.there(scores))
    with pytest.raises(rs.InputError, match="y_proba is an array of shape .* expected 2 dimensions"):
        rs.ScoreTables(device.there(y), device.there(y))
    with pytest.raises(rs.InputError, match="y_proba has 1 rows; expected 2"):
        rs.ScoreTables(device.there(y), device.there(scores[:1]))

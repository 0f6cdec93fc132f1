"""Arrays of another device: the same bits as numpy's, and refusals that name the row and the way here."""

from __future__ import annotations

import inspect
import subprocess
import sys
import warnings

import numpy as np
import pytest
from mock_devices import DTYPES, KINDS, NAMES, Jax, Strict, jax, needs_jax, stood_for

import rocksteady as rs
from rocksteady.devices import arrays


@pytest.fixture(params=[arrays.BLOCK, 7], ids=["strict", "strict in blocks of 7"])
def mock(request, monkeypatch):
    return stood_for(monkeypatch, Strict, request.param)


@pytest.fixture(params=KINDS, ids=NAMES)
def device(request, monkeypatch):
    return stood_for(monkeypatch, *request.param)


def scores_of(rng, dtype, rows):
    if dtype == "bool":
        return rng.random(rows) < 0.5
    kind = np.dtype(dtype)
    if kind.kind in "iu":
        ends = np.iinfo(kind)
        few = np.array([ends.min, ends.max, 0, 1, 2, 3], kind)
        return (
            rng.choice(few, rows) if rng.random() < 0.5 else rng.integers(ends.min, ends.max, rows, kind, endpoint=True)
        )
    few = np.array([-np.inf, -1.5, -0.0, 0.0, 0.25, 0.5, np.inf, np.finfo(kind).smallest_subnormal], kind)
    return rng.choice(few, rows) if rng.random() < 0.5 else rng.normal(size=rows).astype(kind)


def labels_of(rng, dtype, rows, least=0, most=1):
    return rng.integers(least, most + 1, rows).astype(dtype)


@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
def test_score_tables(device, dtype):
    if dtype not in device.dtypes:
        pytest.skip("array-api-strict has no float16; of JAX few are tried")
    rng = np.random.default_rng(3)
    for rows, of_labels, pos_label in [(1, "int8", 1), (40, "bool", None), (33, dtype, 0), (50, "int64", None)]:
        if isinstance(device, Jax) and rows != 33:
            continue
        y, s = labels_of(rng, of_labels, rows), scores_of(rng, dtype, rows)
        same(rs.ScoreTable, device, y, s, pos_label=pos_label, infinite="allow")


def test_what_derives_from_a_table_has_the_same_bits(device):
    rng = np.random.default_rng(8)
    y, s = labels_of(rng, "int32", 300), rng.random(300).round(2)
    here, there = rs.ScoreTable(y, s), rs.ScoreTable(device.there(y), device.there(s))
    assert there == here
    assert there.digest() == here.digest()
    for name in ("roc_auc", "average_precision", "brier", "log_loss", "ks", "calibration_slope"):
        assert there[name] == here[name]
    assert there.interval("roc_auc") == here.interval("roc_auc")
    assert str(there.summary()) == str(here.summary())


def same(make, device, *columns, **options):
    """A statistic of both kinds of arrays has the same bytes, or is refused in the same words."""
    columns = [np.array(column) for column in columns]
    there = [device.there(column) for column in columns]
    refusal = None
    try:
        here = make(*columns, **options)
    except rs.RocksteadyError as error:
        refusal = error
    if refusal is None:
        found = make(*there, **options)
        assert (found.to_bytes(), repr(found)) == (here.to_bytes(), repr(here))
        return None
    with pytest.raises(type(refusal)) as raised:
        make(*there, **options)
    assert (str(raised.value), raised.value.row) == (str(refusal), refusal.row)
    assert (raised.value.argument, raised.value.value) == (refusal.argument, refusal.value)
    return refusal


@pytest.mark.parametrize("y", [[1, 1, 1], [0, 0, 0], [True] * 3, [0.0, 0.0, 1.0], [-1, 1, -1], [2, 2, 5]])
@pytest.mark.parametrize("pos_label", [None, 0, 1, 2])
def test_labels_of_a_score_table(mock, y, pos_label):
    same(rs.ScoreTable, mock, y, [0.5, 0.25, 0.5], pos_label=pos_label)
    same(rs.ScoreTable, mock, y * 20, [0.5, 0.25, 0.5] * 20, pos_label=pos_label)
    same(rs.ScoreTable, mock, y, [0.5, 0.25, np.nan], pos_label=pos_label, nan_policy="omit")


@pytest.mark.parametrize("policy", ["omit", "worst", "best"])
def test_missing_scores_and_labels(device, policy):
    rng = np.random.default_rng(1)
    s = rng.normal(size=60).astype(np.float32).round(1)
    s[rng.random(60) < 0.2] = np.nan
    y = labels_of(rng, "float64", 60)
    if policy == "omit":
        y[[3, 50]] = np.nan
    cases = [(y, s), (y[:1], s[:1]), (y[y == y], np.full((y == y).sum(), np.nan))]
    for labels, scores in cases[:1] if isinstance(device, Jax) else cases:
        same(rs.ScoreTable, device, labels, scores, nan_policy=policy, pos_label=1)


@pytest.mark.parametrize(
    ("y", "s", "options"),
    [
        ([0, 1, 1], [0.1, np.nan, 0.3], {}),
        ([0, 1, 1], [0.1, 0.2, np.inf], {}),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}),
        ([0, 1.0, 1.5], [0.1, 0.2, 0.3], {}),
        ([0, 1.0, np.nan], [0.1, 0.2, 0.3], {}),
        ([0, 0, 1], [0.1, 0.2, 0.3], {"pos_label": 3}),
        ([0, 1, 2], [0.1, 0.2, np.nan], {"nan_policy": "omit"}),
        ([0, 1.0, np.nan], [0.1, 0.2, np.inf], {"nan_policy": "omit"}),
        ([1.0, np.nan, 0, 1], [0.1, 0.2, 0.3, np.inf], {"nan_policy": "omit"}),
        (1, 0.5, {}),
        ([], [], {}),
        ([0, 1], [0.5], {}),
        ([0, 1], [[0.5, 0.5], [0.5, 0.5]], {}),
        ([0, 1], [0.5, 0.6], {"pos_label": "x"}),
        ([0, 1], [0.5, 0.6], {"nan_policy": "x"}),
    ],
)
def test_refusals_of_a_score_table_are_those_of_the_host(mock, y, s, options):
    assert same(rs.ScoreTable, mock, y, s, **options)


@needs_jax
def test_jax_with_32_bits(monkeypatch):
    device, rng = stood_for(monkeypatch, Jax, arrays.BLOCK), np.random.default_rng(2)
    y, s = rng.integers(0, 2, 70, np.int32), rng.random(70, np.float32).round(1)
    many = np.arange(-(2**30), 2**30, 2**15, np.int32)
    with jax.enable_x64(False):
        same(rs.ScoreTable, device, y, s)
        same(rs.ConfusionMatrix, device, y, y[::-1])
        as_here(device, rs.metrics.roc_auc_score, y, s)
        same(rs.ScoreSketch, device, y, s, cells=8)
        same(rs.ScoreTables, device, y, np.stack([1 - s, s], axis=1))
        same(lambda *columns: rs.group_by(*columns[:2], by=columns[2]), device, y, y[::-1], y)
        with pytest.raises(rs.InputTypeError, match="65536, 65536 values, too many for integers of 32 bits"):
            rs.ConfusionMatrix(device.there(many), device.there(many))


def test_refusals_of_devices(device):
    y, s = np.array([0, 1]), np.array([0.1, 0.2])
    with pytest.raises(
        rs.InputTypeError, match=rf"y_true is in the processor's memory and y_score on .* {device.to_host('y_score')}"
    ):
        rs.ScoreTable(y.tolist(), device.there(s))
    with pytest.raises(
        rs.InputTypeError, match="sample_weight is given with rows on another device.* move them there first"
    ):
        rs.ScoreTable(device.there(y), device.there(s), sample_weight=s)
    with pytest.raises(rs.InputTypeError, match="weight_kind is given"):
        rs.ConfusionMatrix(device.there(y), device.there(y), weight_kind="sampling")
    with pytest.raises(
        rs.InputTypeError, match="y_score is an array of dtype complex128 .* convert it there, or move it"
    ):
        rs.ScoreTable(device.there(y), device.there(s + 1j))
    with pytest.raises(rs.InputTypeError, match=f"both in the processor's memory: {device.to_host('y_score')}"):
        rs.ScoreSketch(y, device.there(s))
    with pytest.raises(rs.InputTypeError, match=f"move it there first, {device.to_host('y_score')}"):
        rs.ScoreAnchors(y, device.there(s), pos_label=1)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "float64"])
def test_sketches(device, dtype):
    if dtype not in device.dtypes:
        pytest.skip("array-api-strict has no float16; of JAX few are tried")
    rng = np.random.default_rng(4)
    for rows, options in ((1, {"pos_label": 1}), (40, {"cells": 8}), (600, {"cells": 4, "thresholds": [0.7]})):
        y, s = labels_of(rng, "int64", rows), scores_of(rng, dtype, rows)
        same(rs.ScoreSketch, device, y, s, infinite="allow", **options)
    if dtype == "float64":
        s[rng.random(600) < 0.2] = np.nan
        for policy in ("omit", "worst", "best"):
            same(rs.ScoreSketch, device, y, s, nan_policy=policy, infinite="allow", labels=[0, 1])
        assert same(rs.ScoreSketch, device, y, s)
        assert same(rs.ScoreSketch, device, y + 1, s, labels=[0, 1], nan_policy="omit")
        same(rs.ScoreSketch, device, y[:0], s[:0], labels=[0, 1])
    if dtype == "int64":
        assert same(rs.ScoreSketch, device, [0, 1, 1], [1, 2, 2**53 + 1])


LABELS = [
    ([0, 1, 1, 0, 1], [0, 1, 0, 0, 1]),
    ([True, False, True], [True, True, False]),
    (np.array([0, 1, 2], np.uint8), np.array([2, 1, 2], np.int64)),
    ([-5, 7, 10**12, 7, -5], [7, 7, 10**12, 3, -5]),
    (np.array([2**63 + 5, 2**63 + 4], np.uint64), np.array([2**63 + 5, 2**63 + 5], np.uint64)),
    (np.array([-128, 127, 0], np.int8), np.array([127, 127, -128], np.int8)),
    ([0.0, 1.0, -0.0, 3.0], [1.0, 1.0, 0.0, 2.0]),
    (np.array([0, 2, 4], np.float32), [0, 2, 2]),
    ([1.0, 2.0**60], [2.0**60, 1.0]),
    ([True, False], [0, 2]),
    ([3], [3]),
]


@pytest.mark.parametrize(("y", "p"), LABELS)
@pytest.mark.parametrize("options", [{}, {"labels": [1, 0, 7]}, {"labels": ["a", "b"]}, {"pos_label": 1}])
def test_confusion_matrices(mock, y, p, options):
    same(rs.ConfusionMatrix, mock, y, p, **options)


@pytest.mark.parametrize("classes", [2, 30, 3000])
def test_matrices_of_many_rows(device, classes):
    rng = np.random.default_rng(5)
    y = rng.integers(0, classes, 1000)
    p = np.where(rng.random(1000) < 0.5, y, rng.integers(0, classes, 1000))
    if isinstance(device, Strict):  # a column that is not contiguous
        y, p = np.repeat(y, 2)[::2], np.asfortranarray(np.stack([p, y]).T)[:, 0]
    here, there = rs.ConfusionMatrix(y, p), rs.ConfusionMatrix(device.there(y), device.there(p))
    assert there.digest() == here.digest()
    assert there.value("f1", average="macro") == here.value("f1", average="macro")
    assert str(there.class_summary()) == str(here.class_summary())


@pytest.mark.parametrize(
    ("y", "p", "options"),
    [
        ([0, 1.0, 1.5], [0, 1, 1], {}),
        ([0, 1.0, 1], [0, np.inf, 1], {}),
        ([0, 1.0, np.nan], [0, 1, 1], {}),
        ([0, 1, np.nan], [0, 1, 2.5], {"nan_policy": "omit"}),
        ([np.nan, 1.0], [1.0, np.nan], {"nan_policy": "omit"}),
        ([0, 1, 2, 1], [0, 1, 2, 1], {"labels": [0, 1], "strict": True}),
        ([np.nan, 0, 1, 2], [0, 0, 1, 1], {"labels": [0, 1], "strict": True, "nan_policy": "omit"}),
        ([0, 1, 2], [0, 1], {}),
        ([0, 1], [[0, 1], [1, 0]], {}),
        ([], [], {}),
        (0, 1, {}),
        ([1e300, 0], [0.0, 1.0], {}),
        ([0, 1], [0, 1], {"pos_label": "a"}),
    ],
)
def test_refusals_of_a_matrix_are_those_of_the_host(mock, y, p, options):
    assert same(rs.ConfusionMatrix, mock, y, p, **options)


def test_missing_labels_are_left_out(device):
    same(rs.ConfusionMatrix, device, [0, np.nan, 1, 1, 5], [0, 7, 1, 0, np.nan], nan_policy="omit")


class Tensor:
    """An array of a GPU whose library is known to array-api-compat alone, or to nobody."""

    __module__, device, shape = "torch", "cuda:0", (2,)
    __dlpack_device__ = lambda self: (2, 0)  # noqa: E731
    __dlpack__ = None


@pytest.mark.parametrize("installed", [True, False])
def test_libraries_that_cannot_be_used(monkeypatch, installed):
    if installed:
        pytest.importorskip("array_api_compat")
    else:
        monkeypatch.setitem(sys.modules, "array_api_compat", None)
    expected = "Tensor is not a supported array type" if installed else r"pip install '.\[device\]'"
    with pytest.raises(
        rs.InputTypeError, match=rf"{expected}\); move it to the processor's memory first, y_true.cpu\(\)"
    ):
        rs.ScoreTable(Tensor(), Tensor())
    with pytest.raises(rs.InputTypeError, match=r"y_true.cpu\(\)"):
        rs.metrics.f1_score(Tensor(), Tensor())


def test_evaluations(mock):
    rng = np.random.default_rng(4)
    y, p, s = rng.integers(0, 2, 90), rng.integers(0, 2, 90), rng.random(90).round(2)
    gaps = np.where(s < 0.1, np.nan, s)
    for make in (
        lambda there: rs.evaluate(there(y), there(s)),
        lambda there: rs.evaluate(there(y), {"a": there(s), "b": there(s.astype(np.float32))}, y_pred={"a": there(p)}),
        lambda there: rs.evaluate(there(y), y_pred=there(p)),
        lambda there: rs.evaluate({"y": there(y), "s": there(s)}, label="y", score="s"),
        lambda there: rs.evaluate(there(y), there(gaps), nan_policy="worst"),
    ):
        assert make(mock.there).to_bytes() == make(np.array).to_bytes()
    for options in ({"inference": True}, {"by": p}, {"nan_policy": "omit"}, {"sample_weight": s}):
        with pytest.raises(rs.InputTypeError, match="move (it|them) there first"):
            rs.evaluate(mock.there(y), mock.there(s), **options)


def equal(found, expected):
    """Of one type, with the same bits."""
    if isinstance(expected, tuple):
        return len(found) == len(expected) and all(map(equal, found, expected))
    if isinstance(expected, np.ndarray):
        return (found.dtype, found.tobytes()) == (expected.dtype, expected.tobytes())
    return type(found) is type(expected) and repr(found) == repr(expected)


def as_here(mock, function, *columns, **options):
    """A function of `rocksteady.metrics` gives what it gives of arrays here, or refuses what it refuses here."""
    there = [mock.there(column) for column in columns]
    with warnings.catch_warnings(record=True) as here:
        warnings.simplefilter("always")
        try:
            expected = function(*columns, **options)
        except (ValueError, TypeError):
            expected = None
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        if expected is None:
            with pytest.raises((ValueError, TypeError)):
                function(*there, **options)
        else:
            assert equal(function(*there, **options), expected), (function.__name__, options)
            assert [str(each.message) for each in found] == [str(each.message) for each in here]


OF_LABELS = (
    "accuracy_score balanced_accuracy_score cohen_kappa_score confusion_matrix hamming_loss matthews_corrcoef zero_one_loss "
    "f1_score jaccard_score precision_score recall_score precision_recall_fscore_support multilabel_confusion_matrix "
    "classification_report class_likelihood_ratios"
).split()
OF_SCORES = (
    "roc_auc_score average_precision_score roc_curve precision_recall_curve det_curve confusion_matrix_at_thresholds"
).split()


@pytest.mark.parametrize("name", OF_LABELS)
def test_metrics_of_labels(mock, name):
    function, rng = getattr(rs.metrics, name), np.random.default_rng(6)
    known = inspect.signature(function).parameters
    for classes in (2, 5):
        y = rng.integers(0, classes, 60)
        p = np.where(rng.random(60) < 0.6, y, rng.integers(0, classes, 60))
        as_here(mock, function, y, p)
        as_here(mock, function, y, p[:5])
        for option in (
            {"average": "macro"},
            {"average": None},
            {"normalize": False},
            {"normalize": "true"},
            {"labels": [1, 0]},
        ):
            if set(option) <= set(known):
                as_here(mock, function, y, p, **option)


@pytest.mark.parametrize("name", OF_SCORES)
def test_metrics_of_scores(mock, name):
    function, rng = getattr(rs.metrics, name), np.random.default_rng(7)
    known = inspect.signature(function).parameters
    y, s = rng.integers(0, 2, 60), rng.random(60)
    for scores in (s, s.round(1), s.astype(np.float32), rng.integers(0, 5, 60), s > 0.5, np.where(s > 0.9, np.nan, s)):
        for labels in (y, y * 0, y * 0 + 1, y > 0, y * 2 - 1, y * 3, np.arange(60) % 3):
            as_here(mock, function, labels, scores)
    for option in (
        {"max_fpr": 0.3},
        {"drop_intermediate": True},
        {"pos_label": 0},
        {"pos_label": 7},
        {"average": "bad"},
    ):
        if set(option) <= set(known):
            as_here(mock, function, y, s.round(1), **option)


def test_top_k(device):
    rng = np.random.default_rng(9)
    y, s = rng.integers(0, 5, 80), rng.random((80, 5)).round(1)
    few = isinstance(device, Jax)
    for k in (2,) if few else (1, 2, 3, 5, 9, 0, "x"):
        for options in (
            ({},)
            if few
            else ({}, {"normalize": False}, {"labels": range(5)}, {"labels": range(6)}, {"labels": [0, 1, 2, 4, 3]})
        ):
            for scores in (
                s,
                s.astype(np.float32),
                (s * 5).astype(int),
                np.where(s == 0.5, np.nan, s),
                s[:, :3],
                s[:, :2],
            ):
                as_here(device, rs.metrics.top_k_accuracy_score, y, scores, k=k, **options)


@pytest.mark.filterwarnings("ignore:You are comparing a array_api_strict dtype")
def test_refusals_of_metrics(mock):
    y, s = np.array([0, 1, 1]), np.array([0.1, 0.2, 0.3])
    there, scores = mock.there(y), mock.there(s)
    with pytest.raises(rs.InputTypeError, match=r"brier_score_loss reads its rows here; .* numpy.asarray\(y_true\)"):
        rs.metrics.brier_score_loss(there, scores)
    with pytest.raises(rs.InputTypeError, match="sample_weight is given with rows on another device"):
        rs.metrics.roc_auc_score(there, scores, sample_weight=s)
    with pytest.raises(rs.InputTypeError, match="y_true is in the processor's memory"):
        rs.metrics.f1_score(y.tolist(), there)
    with pytest.raises(rs.InputTypeError, match="f1_score reads its rows here"):
        rs.metrics.f1_score(mock.there([[0, 1]]), mock.there([[0, 1]]))


def test_arrays_here_import_nothing_of_devices():
    script = (
        "import sys, numpy as np, rocksteady as rs; y = np.array([0, 1]); rs.evaluate(y, y / 2); rs.ConfusionMatrix(y, y);"
        "rs.metrics.roc_auc_score(y, y); rs.metrics.f1_score(y, y); rs.ScoreSketch(y, y / 2); rs.group_by(y, y, by=y);"
        "rs.ScoreTables(y, np.eye(2)); c = rs.ScoreCollector(); c.update(y, y / 2); c.score_table();"
        "assert not [name for name in sys.modules if 'rocksteady.devices' in name or name.startswith('array_api')]"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@needs_jax
@pytest.mark.parametrize("on_device", [False, True])
def test_brain_floats_are_what_float32_makes_of_them(monkeypatch, on_device):
    """bfloat16 on another device, and in the processor's memory, where numpy has it by an extension."""
    if on_device:
        stood_for(monkeypatch, Jax, arrays.BLOCK)
    rng = np.random.default_rng(2)
    y, scores = rng.integers(0, 2, 400), rng.normal(size=400)
    brain = jax.numpy.asarray(scores, dtype=jax.numpy.bfloat16)
    wide = np.asarray(brain.astype(jax.numpy.float32))
    truth = jax.numpy.asarray(y)
    assert rs.ScoreTable(truth, brain) == rs.ScoreTable(y, wide)
    assert rs.metrics.roc_auc_score(truth, brain) == rs.metrics.roc_auc_score(y, wide)
    if not on_device:
        proba = np.abs(np.asarray(brain)).reshape(-1, 4)[:, :4]
        assert proba.dtype.name == "bfloat16"
        of_classes = rng.integers(0, 4, len(proba))
        found = rs.metrics.top_k_accuracy_score(of_classes, proba, k=2)
        assert found == rs.metrics.top_k_accuracy_score(of_classes, proba.astype(np.float32), k=2)

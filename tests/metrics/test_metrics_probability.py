"""Metrics of probabilities and of scores of several classes: the same as scikit-learn's, in value, warning and error."""

from __future__ import annotations

import inspect
import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady import metrics
from rocksteady._rocksteady import set_threads

sk = pytest.importorskip("sklearn.metrics")
calibration = pytest.importorskip("sklearn.calibration")


def theirs(name: str) -> Any:
    return calibration.calibration_curve if name == "calibration_curve" else getattr(sk, name)


def outcome(function: Any, *args: Any, **options: Any) -> tuple[Any, list[tuple[str, str]], Any]:
    """The value, the warnings, and the error."""
    value = error = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **options)
        except Exception as found:
            error = found
    # Warnings of numpy inside scikit-learn are not compared.
    said = [(w.category.__name__, str(w.message)) for w in caught if not issubclass(w.category, RuntimeWarning)]
    return value, said, error


def same(name: str, *args: Any, rtol: float = 1e-12, texts: bool = True, **options: Any) -> Any:
    expected, warned, raised = outcome(theirs(name), *args, **options)
    value, said, error = outcome(getattr(metrics, name), *args, **options)
    if raised is not None:
        assert error is not None, f"scikit-learn raises {raised!r}; we give {value!r}"
        bases = [base for base in (ValueError, TypeError, ZeroDivisionError) if isinstance(raised, base)]
        assert isinstance(error, tuple(bases)), (raised, error)
        if texts:
            assert str(error) == str(raised)
        return None
    assert error is None, f"scikit-learn gives {expected!r}; we raise {error!r}"
    assert said == warned
    np.testing.assert_allclose(value, expected, rtol=rtol, atol=rtol)
    assert type(value) is type(expected)
    return value


RNG = np.random.default_rng(3)


def proba(rows: int, columns: int, dtype: Any = np.float64) -> Any:
    return RNG.dirichlet(np.full(columns, 0.5), rows).astype(dtype)


def binary(rows: int) -> Any:
    labels = RNG.integers(0, 2, rows)
    labels[:2] = 0, 1
    return labels


def classes(rows: int, columns: int) -> Any:
    labels = RNG.integers(0, columns, rows)
    labels[:columns] = range(columns)
    return labels


TOLERANCE = {np.float64: 1e-12, np.float32: 2e-5, np.float16: 2e-2}
COLUMN_METRICS = ("log_loss", "brier_score_loss", "d2_log_loss_score", "d2_brier_score")
NAMES = (*COLUMN_METRICS, "hinge_loss", "top_k_accuracy_score")
SPELLINGS = {
    "ints": lambda y: y,
    "bytes wide": lambda y: y.astype(np.int8),
    "unsigned": lambda y: y.astype(np.uint16),
    "floats": lambda y: y.astype(float),
    "singles": lambda y: y.astype(np.float32),
    "text": lambda y: np.array(list("abcdefghijklmnopqrstuvwxyz"))[y],
    "objects": lambda y: np.array(list("abcdefghijklmnopqrstuvwxyz"), dtype=object)[y],
    "far apart": lambda y: y * 1_000_003 - 5,
    "list": lambda y: y.tolist(),
    "column": lambda y: y[:, np.newaxis],
    "big-endian": lambda y: y.astype(">i4"),
    "strided": lambda y: np.repeat(y, 2)[::2],
}


@pytest.mark.parametrize("name", [*NAMES, "calibration_curve"])
def test_signatures(name):
    expected = inspect.signature(theirs(name)).parameters
    found = inspect.signature(getattr(metrics, name)).parameters
    assert [(p.name, p.default, p.kind) for p in found.values()] == [
        (p.name, p.default, p.kind) for p in expected.values()
    ]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("rows", [2, 7, 300, 5000])
@pytest.mark.parametrize("name", COLUMN_METRICS)
def test_one_column(name, rows, spelling, weighted):
    labels = SPELLINGS[spelling](binary(rows))
    weights = RNG.random(rows) if weighted else None
    score = RNG.random(rows)
    options = {"pos_label": "b"} if spelling in ("text", "objects") and "brier" in name else {}
    for values in (score, score[:, np.newaxis], np.column_stack([1 - score, score]), score.round()):
        same(name, labels, values, sample_weight=weights, **options)
        same(name, labels, values, sample_weight=weights)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("columns", [3, 5, 8, 17])
@pytest.mark.parametrize("name", NAMES)
def test_several_columns(name, columns, spelling, weighted):
    rows = 600
    labels = SPELLINGS[spelling](classes(rows, columns))
    weights = RNG.random(rows) if weighted else None
    values = proba(rows, columns)
    for layout in (values, np.asfortranarray(values), values[:, ::-1], values.tolist()):
        same(name, labels, layout, sample_weight=weights)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("columns", [1, 2, 4, 9])
@pytest.mark.parametrize("name", NAMES)
def test_float_types(name, columns, dtype):
    rows = 400
    if columns == 1:
        labels, values = binary(rows), RNG.random(rows).astype(dtype)
        values[:4] = 0, 1, 1, 0
    else:
        labels, values = classes(rows, columns), proba(rows, columns, dtype)
        values[:2] = np.eye(columns)[:2]
    same(name, labels, values, rtol=TOLERANCE[dtype])
    same(name, labels, np.asfortranarray(values).astype(np.dtype(dtype).newbyteorder()), rtol=TOLERANCE[dtype])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 3), (50, 2), (50, 4)])
@pytest.mark.parametrize("name", COLUMN_METRICS)
def test_indicators(name, rows, columns, dtype, weighted):
    weights = RNG.random(rows) if weighted else None
    truth = RNG.integers(0, 2, (rows, columns))
    truth[:2] = np.eye(columns)[: min(rows, 2)]
    for values in (proba(rows, columns, dtype), RNG.random((rows, columns)).astype(dtype), truth.astype(dtype)):
        value = same(name, truth.tolist(), values, sample_weight=weights, rtol=TOLERANCE[dtype])
        with warnings.catch_warnings(action="ignore"):
            np.testing.assert_array_equal(getattr(metrics, name).ours(truth, values, sample_weight=weights), value)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.uint8])
@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers(name, columns, dtype):
    labels = binary(50) if columns == 1 else classes(50, columns)
    values = RNG.integers(0, 2, 50) if columns == 1 else np.eye(columns)[RNG.integers(0, columns, 50)]
    same(name, labels, values.astype(dtype), texts=False)


@pytest.mark.parametrize("name", NAMES)
def test_containers(name):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    labels, values = classes(90, 3), proba(90, 3)
    odd = np.arange(90)[::-1] * 3
    for true in (pd.Series(labels, index=odd), pd.Series(labels.astype(str), dtype="category"), tuple(labels.tolist())):
        for score in (pd.DataFrame(values, index=odd), values.tolist(), values):
            same(name, true, score)
    if name != "d2_log_loss_score":
        for frame in (pl.DataFrame(values),):
            same(name, pl.Series(labels), frame)
    labels, values = binary(90), RNG.random(90)
    for true in (pd.Series(labels, index=odd), labels.tolist(), pd.Series(labels, dtype="Int64")):
        for score in (pd.Series(values, index=odd), values.tolist(), pd.Series(values, dtype="Float64")):
            options = {"k": 1} if name.startswith("top") else {}
            same(name, true, score, **options)


LABELS: list[Any] = [
    None,
    [0, 1],
    [0, 1, 2],
    [2, 1, 0],
    [0, 2],
    [0, 0, 1],
    [1],
    [],
    ["a", "b"],
    [0, 1, 2, 3],
    np.arange(3),
    3,
]


@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("true", [[0, 1, 1, 0], [0, 1, 2, 1], [0, 0, 0, 0], ["a", "b", "b", "a"]], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_labels(name, true, columns, labels):
    values = np.array([0.25, 0.5, 0.75, 1.0])[:, np.newaxis] if columns == 1 else np.eye(columns)[[0, 1, 1, 0]]
    # If numbers are mixed with text, the message is numpy's.
    texts = not (isinstance(labels, list) and labels in (["a", "b"], [])) and not (
        name == "hinge_loss" and true[0] == "a"
    )
    for score in (values, values[:, 0]):
        same(name, true, score, labels=labels, texts=texts)


TARGETS: list[Any] = [
    [0, 0, 1, 1],
    [-1, 1, 1, -1],
    [1, 1, 1, 1],
    [0, 0, 0, 0],
    [-1, -1, -1, -1],
    [2, 2, 2, 2],
    [1, 2, 2, 1],
    [3.0, 1.0, 3.0, 1.0],
    [0, 1, 2, 1],
    [0.5, 1.0, 0.5, 1.0],
    ["a", "b", "a", "b"],
    ["a", "a", "a", "a"],
    [b"a", b"b", b"a", b"b"],
    [True, False, True, True],
    [0.0, 1.0, np.nan, 1.0],
    [0, 1, None, 1],
    np.array([0, 1, 1, 0], dtype=object),
    np.array([[0], [1], [1], [0]]),
    [[0, 1], [1, 0], [0, 1], [1, 0]],
    [[0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0, 1], [1, 1], [0, 1], [1, 0]],
    [0, 1, 1],
    [],
    0,
    None,
    "abab",
]


@pytest.mark.parametrize("true", TARGETS, ids=str)
@pytest.mark.parametrize("name", [*NAMES, "calibration_curve"])
def test_targets(name, true):
    single = np.array([0.25, 0.5, 0.75, 1.0])
    texts = not isinstance(true, str | type(None) | int)
    same(name, true, single, texts=texts)
    same(name, true, np.column_stack([1 - single, single]), texts=texts)
    same(name, true, np.eye(3)[[0, 1, 2, 1]], texts=texts)


@pytest.mark.parametrize("pos_label", [None, 0, 1, 2, "a", "b", True, 1.0, [1]], ids=str)
@pytest.mark.parametrize("true", TARGETS[:13], ids=str)
@pytest.mark.parametrize("name", ["brier_score_loss", "d2_brier_score", "calibration_curve"])
def test_positive_label(name, true, pos_label):
    same(name, true, [0.25, 0.5, 0.75, 0.875], pos_label=pos_label)


SCORES: list[Any] = [
    [0.0, 1.0, 0.0, 1.0],
    [1.0, 0.0, 1.0, 0.0],
    [-0.0, 0.5, 0.5, 0.5],
    [0.5, 1.5, 0.5, 0.5],
    [0.5, -0.5, 0.5, 0.5],
    [0.5, np.nan, 0.5, 0.5],
    [0.5, np.inf, 0.5, 0.5],
    [0.5, None, 0.5, 0.5],
    ["0.5", "0.25", "0.5", "1"],
    np.array([0.5, 0.25, 0.5, 0.5], dtype=object),
    [0.5, 0.5, 0.5],
    [[0.5], [0.25], [0.5], [1.0]],
    [[0.5, 0.5], [0.25, 0.75], [0.5, 0.5], [1.0, 0.0]],
    [[0.5, 0.25], [0.25, 0.75], [0.5, 0.5], [1.0, 0.0]],
    [[0.5, 0.5 + 3e-8], [0.25, 0.75], [0.5, 0.5], [1.0, 0.0]],
    [[0.5, 0.5 + 2e-8], [0.25, 0.75], [0.5, 0.5], [1.0, 0.0]],
    [[0.5, 0.5], [0.25, 0.75], [0.5], [1.0, 0.0]],
    np.ones((4, 2, 1)),
    np.ones((4, 0)),
    [],
    0.5,
    None,
    "abcd",
    [1 + 2j, 1, 1, 1],
    np.ma.masked_array([0.5, 0.25, 0.5, 0.5], mask=[0, 0, 1, 0]),
]


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize("name", [*NAMES, "calibration_curve"])
def test_scores(name, score):
    bad = isinstance(score, str | float | type(None)) or (isinstance(score, list) and len(score) == 0)
    ragged = isinstance(score, list) and [0.5] in score
    options = {"k": 1} if name.startswith("top") else {}
    same(name, [0, 1, 1, 0], score, texts=not (bad or ragged), **options)


WEIGHTS: list[Any] = [
    [1, 2, 3, 4],
    [0.0, 1.0, 0.0, 2.0],
    [0, 0, 0, 0],
    [1, -1, 2, 3],
    [-1.0, -2.0, -1.0, -1.0],
    [1, np.nan, 1, 1],
    [1, np.inf, 1, 1],
    [1, 1, 1],
    [[1], [1], [2], [1]],
    2.0,
    "abcd",
    np.array([1, 2, 3, 4], dtype=np.float32),
    np.array([1, 2, 3, 4], dtype=object),
    [True, False, True, True],
]


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_weights(name, weights):
    odd = isinstance(weights, list) and isinstance(weights[0], list)
    if name == "d2_log_loss_score" and getattr(weights, "dtype", "") == "O":
        pytest.skip("scikit-learn stumbles over them: an AttributeError")
    for true, score in [([0, 1, 1, 0], [0.25, 0.5, 0.75, 0.125]), ([0, 1, 2, 0], proba(4, 3))]:
        same(name, true, score, sample_weight=weights, texts=not odd)


@pytest.mark.parametrize(
    "options",
    [{"normalize": False}, {"normalize": True}, {"normalize": np.True_}, {"normalize": 1}, {"normalize": "yes"}],
    ids=str,
)
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5, 0.0]], ids=str)
@pytest.mark.parametrize("name", ["log_loss", "top_k_accuracy_score"])
def test_normalize(name, weights, options):
    same(name, [0, 1, 2, 0], proba(4, 3), sample_weight=weights, **options)


@pytest.mark.parametrize("half", [True, False, "auto", "yes", 1, None, np.bool_(True), np.bool_(False)], ids=str)
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_scale_by_half(columns, half):
    true = [0, 1, 1, 0] if columns < 3 else [0, 1, 2, 1]
    values = [0.5, 0.25, 1.0, 0.0] if columns == 1 else proba(4, columns)
    same("brier_score_loss", true, values, scale_by_half=half)


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, -1, 1.0, np.int64(2), True, "2", None, 10**30], ids=str)
def test_k(k):
    same("top_k_accuracy_score", [0, 1, 2, 0], [[1, 1, 1], [0, 2, 2], [3, 3, 3], [1, 2, 3]], k=k)
    same("top_k_accuracy_score", [0, 1, 1, 0], [0.5, 0.6, 0.4, 0.3], k=k)
    same("top_k_accuracy_score", [0, 1, 1, 0], [-0.5, 0.6, 0.4, 0.3], k=k)


@settings(deadline=None)
@given(st.integers(3, 12), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_ties_among_the_first_k(columns, k, seed):
    rng = np.random.default_rng(seed)
    rows = 60
    labels = rng.integers(0, columns, rows)
    labels[:columns] = range(columns)
    for dtype in (np.int8, np.int64, np.float16, np.float32, np.float64, np.uint64):
        score = rng.integers(0, 4, (rows, columns)).astype(dtype)
        same("top_k_accuracy_score", labels, score, k=k)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.floats(0, 1) | st.sampled_from([0.0, 0.2, 0.25, 0.5, 1.0])), min_size=1),
    st.integers(1, 12),
    st.sampled_from(["uniform", "quantile"]),
    st.sampled_from([np.float64, np.float32]),
)
def test_calibration(rows, bins, strategy, dtype):
    labels = np.array([row[0] for row in rows], dtype=int)
    score = np.array([row[1] for row in rows], dtype=dtype)
    same("calibration_curve", labels, score, n_bins=bins, strategy=strategy)


@pytest.mark.parametrize("rows", [10, 1000, 30_000])
@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_long_calibration(rows, strategy):
    labels, score = binary(rows), RNG.random(rows)
    for dtype in (np.float64, np.float32, np.float16, int):
        same("calibration_curve", labels, score.astype(dtype), n_bins=10, strategy=strategy)


@pytest.mark.parametrize(
    "options",
    [{"n_bins": 0}, {"n_bins": 2.0}, {"n_bins": "5"}, {"n_bins": None}, {"strategy": "wide"}, {"strategy": None}],
    ids=str,
)
def test_options_of_calibration(options):
    # scikit-learn lists the strategies in the order of a set.
    same("calibration_curve", [0, 1, 1], [0.5, 0.25, 1.0], texts="strategy" not in options, **options)


@pytest.mark.parametrize("name", ["log_loss", "d2_log_loss_score"])
def test_the_old_name_of_the_probabilities(name):
    true, score = [0, 1, 1, 0], [0.25, 0.5, 0.75, 0.125]
    same(name, true, y_pred=score)
    same(name, [[1, 0], [0, 1]], y_pred=[[0.75, 0.25], [0.5, 0.5]])  # read again in plain form
    same(name, true, score, y_pred=score)
    same(name, true, score, y_pred="deprecated")
    same(name, true, y_pred="old", texts=False)
    same(name, true, texts=False)
    same(name, true, y_pred=None)


@pytest.mark.parametrize("name", ["d2_log_loss_score", "d2_brier_score"])
@pytest.mark.parametrize("rows", [0, 1])
def test_too_few_rows_to_compare(name, rows):
    same(name, [1][:rows], [0.5][:rows])
    same(name, [1][:rows], [[0.5, 0.5]][:rows], labels=[0, 1])


def test_the_same_bits_for_any_number_of_threads():
    rows = 300_000
    labels, values = classes(rows, 4), proba(rows, 4)
    two, single = binary(rows), RNG.random(rows)
    results = []
    for threads, order in itertools.product((1, 2, 5), (slice(None), slice(None, None, -1))):
        set_threads(threads)
        try:
            results.append(
                [getattr(metrics, name)(labels[order], values[order]) for name in NAMES]
                + [getattr(metrics, name)(two[order], single[order]) for name in COLUMN_METRICS]
                + [column.tolist() for column in metrics.calibration_curve(two[order], single[order])]
            )
        finally:
            set_threads()
    assert all(result == results[0] for result in results)


def test_a_refusal_is_ours_too():
    with pytest.raises(rs.errors.InputError):
        metrics.log_loss.ours([0, 1], [0.5, 1.5])

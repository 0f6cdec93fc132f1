"""Comparisons with scikit-learn under pytest-benchmark: one benchmark per package, pattern and size.

    pytest benches --benchmark-enable --benchmark-group-by=group     (make bench prints the table of ratios instead)

The name of a benchmark is its whole configuration. Each benchmark checks its result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.metrics

import patterns
import rocksteady.metrics

CONTESTANTS = {"rocksteady": rocksteady.metrics, "scikit-learn": sklearn.metrics}
SIZES = [1_000, 1_000_000]


@pytest.fixture(params=CONTESTANTS)
def module(request: pytest.FixtureRequest) -> Any:
    return CONTESTANTS[request.param]


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("pattern", patterns.SCORES.values(), ids=patterns.SCORES)
@pytest.mark.benchmark(group="roc_auc_score")
def test_roc_auc_score(benchmark: Any, module: Any, pattern: patterns.Pattern, rows: int) -> None:
    y, score = pattern(rows)
    answer = benchmark(module.roc_auc_score, y, score)
    assert answer == pytest.approx(sklearn.metrics.roc_auc_score(y, score), abs=1e-12)


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("pattern", patterns.SCORES.values(), ids=patterns.SCORES)
@pytest.mark.benchmark(group="average_precision_score")
def test_average_precision_score(benchmark: Any, module: Any, pattern: patterns.Pattern, rows: int) -> None:
    y, score = pattern(rows)
    answer = benchmark(module.average_precision_score, y, score)
    assert answer == pytest.approx(sklearn.metrics.average_precision_score(y, score), abs=1e-12)


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.benchmark(group="roc_curve")
def test_roc_curve(benchmark: Any, module: Any, rows: int) -> None:
    y, score = patterns.two_normals(rows)
    answer = benchmark(module.roc_curve, y, score, drop_intermediate=False)
    for ours, theirs in zip(answer, sklearn.metrics.roc_curve(y, score, drop_intermediate=False), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.bool_])
@pytest.mark.benchmark(group="confusion_matrix, binary")
def test_binary_confusion_matrix(benchmark: Any, module: Any, dtype: type, rows: int) -> None:
    y, p = (column.astype(dtype) for column in patterns.classes(rows, 2))
    answer = benchmark(module.confusion_matrix, y, p)
    np.testing.assert_array_equal(answer, sklearn.metrics.confusion_matrix(y, p))


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("count", [10, 100, 1_000])
@pytest.mark.benchmark(group="confusion_matrix, many classes")
def test_confusion_matrix(benchmark: Any, module: Any, count: int, rows: int) -> None:
    y, p = patterns.classes(rows, count)
    answer = benchmark(module.confusion_matrix, y, p)
    np.testing.assert_array_equal(answer, sklearn.metrics.confusion_matrix(y, p))

"""Samples of a task: pass@k and its relatives, against the formulas of their papers."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

import rocksteady as rs


def of(right, samples):
    """Queries of tasks with so many right samples of so many."""
    task = np.repeat(np.arange(len(right)), samples)
    ok = np.concatenate([np.arange(n) < c for c, n in zip(right, samples, strict=True)])
    return rs.Queries(ok, np.zeros(len(ok)), task)


@pytest.mark.parametrize("k", [1, 2, 5, 10])
def test_pass_at_k_is_that_of_human_eval(k):
    right, samples = [0, 1, 4, 10, 7], [10, 12, 10, 10, 20]
    expected = [
        1.0 if n - c < k else 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))
        for c, n in zip(right, samples, strict=True)
    ]
    queries = of(right, samples)
    assert queries.every("pass_at_k", k=k) == pytest.approx(expected, abs=1e-15)
    assert queries.value(f"pass@{k}") == pytest.approx(np.mean(expected))
    # The same as the hit rate of samples that are tied, where a task without a right one counts 0.
    assert queries.value("pass_at_k", k=k) == pytest.approx(queries.value("hit_rate_at_k", k=k, empty=0))


@pytest.mark.parametrize("k", [1, 3, 8])
def test_pass_to_the_k(k):
    right, samples = [0, 1, 4, 8, 7], [8, 12, 10, 8, 20]
    expected = [comb(c, k) / comb(n, k) for c, n in zip(right, samples, strict=True)]
    assert of(right, samples).every("pass_hat_k", k=k) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("k", [1, 2, 4, 6])
def test_best_of_k(k):
    grades = np.array([0.5, 3.0, 1.0, 1.0, 0.0, 2.5])
    queries = rs.Queries(grades, np.arange(6), np.zeros(6, int))
    expected = np.mean([max(each) for each in combinations(grades, k)])
    assert queries.value("best_of_k", k=k) == pytest.approx(expected)


def test_scores_do_not_count_and_the_least_relevance_does():
    rng = np.random.default_rng(0)
    grade, task = rng.integers(0, 5, 60), np.repeat(np.arange(6), 10)
    values = [rs.Queries(grade, rng.random(60), task).value("pass_at_k", k=3, min_relevance=4) for _ in range(3)]
    assert len(set(values)) == 1
    assert values[0] == rs.Queries(grade >= 4, np.zeros(60), task).value("pass_at_k", k=3)


def test_intervals_by_task_and_fewer_samples_than_k():
    queries = of([0, 3, 4, 10, 7], [10] * 5)
    found = queries.interval("pass_at_k", k=2)
    each = queries.every("pass_at_k", k=2)
    assert found.standard_error == pytest.approx(each.std(ddof=1) / np.sqrt(5))
    assert np.isnan(queries.value("pass_at_k", k=11))
    assert "fewer than k rows" in queries.why("pass_at_k", k=11)
    for name in ("pass_at_k", "pass_hat_k", "best_of_k"):
        with pytest.raises(rs.InputError):
            queries.value(name, k=0)

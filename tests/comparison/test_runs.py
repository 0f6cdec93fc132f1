"""Several runs on the same queries: Tukey's test by randomization against a loop, its error rate, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs


def runs_of(values):
    """Runs of three rows a query, of which the relevant one has the rank that gives it this reciprocal rank."""
    queries, names = values.shape
    query = np.repeat(np.arange(queries), 3)
    relevance = np.tile([1, 0, 0], queries)
    found = {}
    for run in range(names):
        rank = (1 / values[:, run]).round().astype(int)
        scores = np.stack([1.5 - rank, np.full(queries, 0.0), np.full(queries, -1.0)], axis=1)
        found[f"run {run}"] = rs.Queries(relevance, scores.ravel(), query)
    return found


def drawn(rng, queries, names):
    return 1 / rng.integers(1, 4, (queries, names))


def test_differences_are_those_of_pairs_and_tukey_is_the_widest_gap():
    rng = np.random.default_rng(0)
    values = drawn(rng, 40, 3)
    runs = runs_of(values)
    assert runs["run 1"].value("mrr") == pytest.approx(values[:, 1].mean())
    found = rs.comparison.compare_runs(runs, "mrr", n_resamples=999, random_state=1)
    rng = np.random.default_rng(1)
    gaps = [np.ptp(np.array([rng.permutation(row) for row in values]).mean(axis=0)) for _ in range(4_000)]
    for first, second, difference, low, high, p_value, tukey in found.rows:
        pair = runs[first].difference(runs[second], "mrr")
        assert (difference, low, high, p_value) == (pair.estimate, pair.low, pair.high, pair.p_value)
        assert tukey == pytest.approx(np.mean(np.array(gaps) >= abs(difference) - 1e-12), abs=0.05)
        assert tukey >= p_value - 0.05
    again = rs.comparison.compare_runs(runs, "mrr", n_resamples=999, random_state=1)
    assert again.rows == found.rows


def test_queries_are_matched_by_key_and_those_without_a_value_are_left_out():
    values = drawn(np.random.default_rng(3), 30, 2)
    runs = runs_of(values)
    order = np.random.default_rng(4).permutation(90)
    query, scores = np.repeat(np.arange(30), 3), np.concatenate([[1.5 - round(1 / v), 0.0, -1.0] for v in values[:, 1]])
    mixed = rs.Queries(np.tile([1, 0, 0], 30)[order], scores[order], query[order])
    straight = rs.comparison.compare_runs(runs, "mrr", random_state=0, n_resamples=200)
    assert (
        rs.comparison.compare_runs(runs | {"run 1": mixed}, "mrr", random_state=0, n_resamples=200).rows
        == straight.rows
    )
    some = {
        name: rs.Queries([1, 0, 0, 0], scores, [1, 1, 2, 2])
        for name, scores in (("a", [1, 0, 1, 0]), ("b", [0, 1, 0, 1]))
    }
    assert rs.comparison.compare_runs(some, "recall@1", n_resamples=9).rows[0][-1] == 1.0
    none = {name: rs.Queries([0, 0], scores, [1, 1]) for name, scores in (("a", [1, 0]), ("b", [0, 1]))}
    assert np.isnan(rs.comparison.compare_runs(none, "recall@1", n_resamples=9).rows[0][-1])


def test_the_chance_of_any_wrong_verdict_stays_below_the_level():
    rng = np.random.default_rng(5)
    wrong = unadjusted = 0
    for _ in range(200):
        found = rs.comparison.compare_runs(runs_of(drawn(rng, 30, 5)), "mrr", n_resamples=199, random_state=rng)
        wrong += min(row[-1] for row in found.rows) <= 0.05
        unadjusted += min(row[-2] for row in found.rows) <= 0.05
    assert wrong <= 20  # of 200 at 5 %, with more than 99.9 % probability
    assert unadjusted >= 30


def test_what_is_refused():
    run = rs.Queries([1, 0], [1.0, 0.5], [1, 1])
    with pytest.raises(rs.InputError, match="runs has 1 runs; expected two or more"):
        rs.comparison.compare_runs({"a": run}, "mrr")
    with pytest.raises(rs.InputTypeError, match="runs"):
        rs.comparison.compare_runs([run, run], "mrr")
    with pytest.raises(rs.InputTypeError, match=r"runs\['b'\]"):
        rs.comparison.compare_runs({"a": run, "b": 3}, "mrr")
    with pytest.raises(rs.InputError, match="quer"):
        rs.comparison.compare_runs({"a": run, "b": rs.Queries([1, 0], [1.0, 0.5], [2, 2])}, "mrr")
    with pytest.raises(rs.UnknownIndexError):
        rs.comparison.compare_runs({"a": run, "b": run}, "no_such")

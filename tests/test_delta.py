"""Intervals by the delta method: coverage over the registry, ends of ranges, kinks, averages, and every door."""

import os

import numpy as np

import rocksteady as rs

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
BALANCED = (0.26, 0.08, 0.07, 0.59)
RARE = (0.035, 0.03, 0.015, 0.92)
ROWS = [row for row in rs.indices() if "delta" in row.intervals]
OF_TABLES = [row for row in ROWS if {"counts", "matrix"} & set(row.forms)]


def drawn(shares, n, samples, seed=1):
    """Tables of n rows, and the one that has the true shares."""
    tables = np.random.default_rng(seed).multinomial(n, shares, samples).astype(np.float64)
    return rs.Counts(*tables.T), rs.Counts(*(n * np.array(shares)))


def coverage(counts, truth, name, method="delta"):
    """The share of the intervals that there are that contain the true value, and the share that there are."""
    found, true = counts.interval(name, method=method), float(truth[name])
    there = ~np.isnan(found.low)
    contains = (found.low <= true) & (true <= found.high)
    return contains[there].mean(), there.mean()


def test_at_least_195_rows_offer_an_interval():
    having = [row.name for row in rs.indices() if row.intervals and {"counts", "matrix"} & set(row.forms)]
    assert len(having) >= 195
    assert len(OF_TABLES) >= 195

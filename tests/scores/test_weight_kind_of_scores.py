"""Intervals of score tables of sampling weights: against the rows themselves, the unweighted table, and simulation."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
RNG = np.random.default_rng(17)
ROWS = 300
Y = (RNG.random(ROWS) < 0.4).astype(int)
S = np.clip(RNG.beta(2, 3, ROWS) * 0.8 + 0.2 * Y * RNG.random(ROWS), 0.01, 0.99).round(2)
W = np.exp(0.8 * RNG.normal(size=ROWS))

SCORED = [row.name for row in rs.indices(form="scores") if row.intervals]


def table(weights=W, kind="sampling", y=Y, s=S):
    return rs.ScoreTable(y, s, sample_weight=weights, weight_kind=kind)


def placements(y, s, w):
    """The weighted area, the influence of each row on it times its weight, and the weight of each class."""
    positive = y == 1
    p, n = s[positive], s[~positive]
    wp, wn = w[positive], w[~positive]
    beats = (p[:, None] > n) + 0.5 * (p[:, None] == n)
    above, below = beats @ wn / wn.sum(), wp @ beats / wp.sum()
    area = float(wp @ above / wp.sum())
    return area, wp * (above - area) / wp.sum(), wn * (below - area) / wn.sum(), wp, wn


def worth(w):
    return w.sum() ** 2 / (w**2).sum()


def sandwich(y, s, w, rows=worth):
    area, up, down, wp, wn = placements(y, s, w)
    m, n = rows(wp), rows(wn)
    return area, m / (m - 1) * (up**2).sum() + n / (n - 1) * (down**2).sum()


@pytest.mark.skipif("ROCKSTEADY_DATA" not in os.environ, reason="needs aSAH.csv")
def test_the_data_of_proc():
    """s100b with the weights 1, 2, 3, 4, 1, …; both numbers from numpy."""
    import csv

    with (Path(os.environ["ROCKSTEADY_DATA"]) / "aSAH.csv").open() as file:
        rows = list(csv.DictReader(file))
    y = np.array([row["y"] for row in rows], int)
    s = np.array([float(row["s100b"]) for row in rows])
    w = 1.0 + np.arange(len(y)) % 4
    area, by_rows = sandwich(y, s, w, rows=len)
    assert area == pytest.approx(0.7435286866875841, rel=1e-14)
    assert by_rows == pytest.approx(0.00273220, abs=5e-9)
    for kind, variance in (("sampling", sandwich(y, s, w)[1]), ("counts", 0.00101557)):
        found = table(w, kind, y, s).interval("roc_auc", method="delong")
        assert found.estimate == pytest.approx(area, rel=1e-14)
        assert found.standard_error**2 == pytest.approx(variance, rel=1e-12 if kind == "sampling" else 5e-6)


@pytest.mark.parametrize("weights", [W, np.full(ROWS, 0.3), np.where(Y == 1, 10.0, 1.0), 1.0 + np.arange(ROWS) % 4])
def test_the_variance_of_an_area_is_that_of_the_rows(weights):
    area, variance = sandwich(Y, S, weights)
    found = table(weights).interval("roc_auc", method="logit")
    assert found.estimate == pytest.approx(area, rel=1e-13)
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-10)
    z = 1.959963984540054 * np.sqrt(variance) / (area * (1 - area))
    logit = np.log(area / (1 - area))
    assert (found.low, found.high) == pytest.approx(
        (1 / (1 + np.exp(z - logit)), 1 / (1 + np.exp(-z - logit))), rel=1e-9
    )


def test_the_variance_of_the_mean_of_a_loss_is_that_of_the_rows():
    for name, loss in (("brier", (S - Y) ** 2), ("log_loss", -np.log(np.where(Y == 1, S, 1 - S)))):
        mean = W @ loss / W.sum()
        n = worth(W)
        error = np.sqrt(n / (n - 1) * ((W * (loss - mean)) ** 2).sum()) / W.sum()
        found = table().interval(name, method="normal")
        assert found.estimate == pytest.approx(mean, rel=1e-12)
        assert found.standard_error == pytest.approx(error, rel=1e-10)


@pytest.mark.parametrize("name", SCORED)
def test_equal_weights_have_the_intervals_of_rows(name):
    if name in ("calibration_slope", "calibration_intercept", "calibration_shift"):
        pytest.skip("Wald's of rows, a sandwich of sampling weights")
    plain = rs.ScoreTable(Y, S)
    for method in rs.index(name).intervals:
        expected = plain.interval(name, method=method)
        for weight in (1.0, 0.4, 1e-90, 1e90):
            found = table(np.full(ROWS, weight)).interval(name, method=method)
            assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9), (method, weight)
            assert found.note == expected.note


def test_average_precision_by_the_effects_of_rows():
    def value(w):
        return rs.ScoreTable(Y, S, sample_weight=w)["average_precision"]

    base = value(W)
    influences = [(value(W * np.where(np.arange(ROWS) == row, 1.0001, 1)) - base) / 1e-4 for row in range(ROWS)]
    found = table().interval("average_precision")
    assert found.standard_error == pytest.approx(np.sqrt(np.square(influences).sum()), rel=0.02)


def test_several_classes():
    y = RNG.integers(0, 3, ROWS)
    proba = RNG.dirichlet([2, 2, 2], ROWS) * 0.7
    proba[np.arange(ROWS), y] += 0.3
    plain = rs.ScoreTables(y, proba)
    same = rs.ScoreTables(y, proba, sample_weight=np.full(ROWS, 4.0), weight_kind="sampling")
    counts = rs.ScoreTables(y, proba, sample_weight=np.full(ROWS, 4.0))
    for a, b in ((plain.interval("log_loss"), same.interval("log_loss")),):
        assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-9)
    assert counts.interval("log_loss").standard_error < 0.6 * same.interval("log_loss").standard_error
    each, of_same = plain.every_interval("roc_auc"), same.every_interval("roc_auc")
    assert of_same.low == pytest.approx(each.low, rel=1e-9)


def test_tables_of_little():
    one = table([2.0, 3.0, 4.0], y=[1, 0, 0], s=[0.9, 0.1, 0.2]).interval("roc_auc", method="delong")
    assert np.isnan(one.low)
    assert "single row" in one.why
    perfect = table([2.0, 3.0, 4.0, 1.0], y=[1, 0, 0, 1], s=[0.9, 0.1, 0.2, 0.8]).interval("roc_auc")
    assert perfect.high == 1.0
    assert 0 < perfect.low < 1


def draw(rng, n, design):
    y = (rng.random(n) < (0.5 if design != "rare" else 0.1)).astype(int)
    s = rng.normal(size=n) + 1.2 * y
    if design == "lognormal":
        return y, s, np.exp(0.7 * rng.normal(size=n))
    if design == "inverse":  # rows of high scores were sampled less often
        keep = rng.random(n) < 1 / (1 + np.exp(s))
        return y[keep], s[keep], 1 + np.exp(s[keep])
    return y, s, rng.choice([1.0, 1.0, 1.0, 8.0], size=n)


@pytest.mark.parametrize("design", ["1, 1, 1, 8", "lognormal", "inverse", "rare"])
def test_coverage(design):
    """Of 95 %: logit and blended intervals of sampling weights; as counts the same weights cover far less."""
    rng = np.random.default_rng(8)
    truth = 0.801928045424  # Phi(1.2 / sqrt(2))
    covered = dict.fromkeys(("blended", "logit", "counts"), 0)
    samples = 4_000 if THOROUGH else 400
    for _ in range(samples):
        y, s, w = draw(rng, 200 if design != "inverse" else 400, design)
        found = {method: table(w, y=y, s=s).interval("roc_auc", method=method) for method in ("blended", "logit")}
        found["counts"] = table(w, "counts", y=y, s=s).interval("roc_auc", method="logit")
        for method, interval in found.items():
            covered[method] += interval.low <= truth <= interval.high
    shares = {method: count / samples for method, count in covered.items()}
    # The 20 positives of "rare" are worth 7: too few for a logit interval.
    assert shares["logit"] > (0.82 if design == "rare" else 0.90 if THOROUGH else 0.88), shares
    assert 0.91 < shares["blended"] + 0.01 < 1, shares
    if design == "1, 1, 1, 8":
        assert shares["counts"] < 0.75, shares

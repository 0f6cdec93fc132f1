"""`--cost fn=COLUMN`: costs that differ by row, on the command line."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A file of 500 rows with labels, scores, weights and amounts."""
    rng = np.random.default_rng(5)
    p = rng.beta(1, 3, 500).round(3)
    found = tmp_path_factory.mktemp("costs") / "rows.parquet"
    columns = {"y": (rng.random(500) < p).astype(int), "p": p, "w": rng.integers(0, 3, 500).astype(float)}
    pl.DataFrame({**columns, "amount": np.arange(500) % 97 + 0.5}).write_parquet(found)
    return found


def test_costs_of_a_column_are_those_of_evaluate(score, path):
    options = ["--label", "y", "--score", "p", "--weight", "w", "--cost", "tp=2,fp=2,fn=amount", "--threshold", "0.4"]
    report = score(path, *options, "--best", "mean_cost: rpp <= 0.3", "--interval", "--require", "savings > -9")
    frame = pl.read_parquet(path)
    y, p, w, amount = (frame[name].to_numpy() for name in ("y", "p", "w", "amount"))
    costs = {"tp": 2, "fp": 2, "fn": amount}
    table = rs.CostTable(y, p, costs=costs, sample_weight=w, squares=True)
    assert report["costs"] == {"tp": 2.0, "fp": 2.0, "fn": "amount"}
    assert report["cost"] == table.at(0.4)["cost"]
    assert report["intervals"]["mean_cost"]["low"] == table.at(0.4).interval("mean_cost").low
    assert report["least_cost"] == table.best().value
    within = next(row for row in report["thresholds"] if row["goal"] == "mean_cost: rpp <= 0.3")
    assert within["value"] == table.best("mean_cost", subject_to="rpp <= 0.3").value
    assert report["requirements"][0]["met"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cost", "fn=nothing"], "has no column 'nothing'"),
        (["--cost", "fn="], "expected a finite number for fn, or the name of a column"),
        (["--cost", "fn=p"], "asked for twice"),
        (["--cost", "fn=amount", "--best", "cost / n"], "'cost / n' has cost, and --cost names a column"),
        (["--cost", "fn=amount", "--prevalence", "0.2"], "--cost of a column cannot be used with --prevalence"),
        (["--cost", "fn=amount", "--bounded"], "--bounded keeps neither groups nor costs"),
        (["--cost", "fn=amount", "--memory", "1MB"], "--cost needs all scores in memory"),
    ],
)
def test_costs_of_a_column_that_cannot_be_are_refused(refusal, path, options, said):
    assert said in refusal(path, "--label", "y", "--score", "p", *options)

"""`--missing-labels unknown`: the bounds of the package, of any files, in the table, the page and JSON."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import rocksteady as rs
from rocksteady.cli.command import command


def run(*arguments):
    return CliRunner().invoke(command, ["score", *map(str, arguments)])


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    s = rng.random(1000).round(4)
    y = (rng.random(1000) < s).astype(int)
    frame = pl.DataFrame({"y": pl.Series(y), "p": s, "q": (s * s).round(5)})
    frame = frame.with_columns(pl.when(pl.Series(rng.random(1000) < 0.9)).then(pl.col("y")).alias("y"))
    frame[:400].write_csv(tmp_path / "a.csv")
    frame[400:700].write_csv(tmp_path / "b.csv", null_value="NA")
    frame[700:].write_parquet(tmp_path / "c.parquet")
    return frame, [tmp_path / name for name in ("a.csv", "b.csv", "c.parquet")]


def test_table_page_and_json_have_the_sentences_of_the_package(files, tmp_path):
    frame, paths = files
    expected = rs.evaluate(frame["y"], {"p": frame["p"], "q": frame["q"]}, missing_labels="unknown")
    page = tmp_path / "page.html"
    done = run(*paths, "--label", "y", "--score", "p", "--score", "q", "--missing-labels", "unknown", "--html", page)
    assert done.exit_code == 0, done.output
    for note in expected.notes:
        assert note in done.output
        assert note in page.read_text()
    assert f"left out: {expected.rows_left_out} rows" in done.output
    told = run(*paths, "--label", "y", "--score", "p", "--score", "q", "--missing-labels", "unknown", "--json", "-")
    report = tmp_path / "report.json"
    report.write_text(told.output)
    told = json.loads(told.output)
    assert CliRunner().invoke(command, ["verify", str(report), *map(str, paths)]).exit_code == 0
    report.write_text(json.dumps(told | {"notes": ["roc_auc of p: 0.9 to 1"]}))
    changed = CliRunner().invoke(command, ["verify", str(report), *map(str, paths)])
    assert (changed.exit_code, "its notes are not" in changed.output) == (3, True)
    done = run(*paths, "--label", "y", "--score", "p", "--missing-labels", "unknown", "--md", "-")
    assert expected.notes[0] in done.output
    assert (told["notes"], told["rows_left_out"]) == (list(expected.notes), expected.rows_left_out)
    verify = CliRunner().invoke(command, ["verify", str(page), *map(str, paths)])
    assert verify.exit_code == 0, verify.output
    assert CliRunner().invoke(command, ["verify", str(page), *map(str, paths[:2])]).exit_code == 3


def test_sketches_have_the_bounds_of_a_sketch_ledger(files):
    frame, paths = files
    done = run(*paths, "--label", "y", "--score", "q", "--missing-labels", "unknown", "--bounded")
    assert done.exit_code == 0, done.output
    (note,) = rs.evaluate(frame["y"], {"q": frame["q"]}, missing_labels="unknown", bounded=True).notes
    assert note in done.output


def test_missing_scores_and_other_options(files, tmp_path):
    _, paths = files
    gap = tmp_path / "gap.csv"
    gap.write_text("y,p\n1,.5\n,\n0,.3\n,.9\n")
    options = [gap, "--label", "y", "--score", "p", "--missing-labels", "unknown"]
    assert "gap.csv, row 2: 'p' is missing" in run(*options).output
    done = run(*options, "--nan-policy", "omit")
    assert "left out: 2 rows" in done.output
    assert "roc_auc of p: 0.5 to 1 whatever the unknown label of 3 rows is" in done.output
    gap.write_text("y,p\n1,.5\n,nan\n0,.3\n")
    assert "gap.csv, row 2: 'p' is" in run(*options).output
    for option in (["--by", "q"], ["--weight", "q"], ["--pred", "q"]):
        done = run(paths[0], "--label", "y", "--score", "p", "--missing-labels", "unknown", *option)
        assert done.exit_code == 1
        assert f"{option[0]} does not go with --missing-labels" in done.output
    gap.write_text("y,p\n,.5\n,.3\n")
    assert "none of 2 rows" in run(*options).output

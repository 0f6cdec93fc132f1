"""The command line's groups (`--by`, `--min-rows`) against `evaluate(by=)`, however the rows are cut into files."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import PROGRAM, text, write

import rocksteady as rs
from rocksteady.cli import files
from rocksteady.cli.command import run


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(18)
    size = 2_000
    y = random.random(size) < 0.4
    score = 1 / (1 + np.exp(-(random.normal(size=size) + y)))
    region = np.array(["north", "south", "mid, or so", None], object)[random.integers(0, 4, size)]
    frame = {
        "y": np.where(y, "yes", "no"),
        "p": score,
        "q": random.random(size),
        "c": np.where(score > 0.55, "yes", "no"),
        "region": region.tolist(),
        "age": np.minimum(random.geometric(0.2, size), 30),
        "w": random.integers(0, 3, size).astype(float),
        "k": random.choice(["a", "b", "c"], size),
    }
    proba = random.dirichlet(np.ones(3), size)
    return pl.DataFrame(frame).with_columns(pa=proba[:, 0], pb=proba[:, 1], pc=proba[:, 2])


def same(told, groups, min_rows=0):
    """What the command line tells of groups is what they are."""
    kept = groups.sizes >= min_rows
    assert told["rows"] == groups.sizes[kept].tolist()
    assert told["by"] == list(groups.names)
    for name, column in groups.keys.items():
        assert told["keys"][name] == [None if key is None or key != key else key for key in column[kept].tolist()]
    for name, values in told["indices"].items():
        expected = [None if value != value else value for value in groups.every(name)[kept].tolist()]
        assert values == expected, name
    assert told["hidden"] == {"groups": int((~kept).sum()), "rows": int(groups.sizes[~kept].sum())}


@pytest.mark.parametrize("batch", [131_072, 97])
def test_scores_by_group(rows, score, tmp_path, monkeypatch, batch):
    monkeypatch.setattr(files, "BATCH_ROWS", batch)
    path = write(rows, tmp_path / "rows.parquet")
    told = score(
        path, "--label", "y", "--score", "p", "--weight", "w", "--by", "region", "--by", "age", "--min-rows", 10
    )
    keys = {"region": rows["region"], "age": rows["age"]}
    groups = rs.group_by(rows["y"], y_score=rows["p"], by=keys, sample_weight=rows["w"])
    same(told["groups"], groups, 10)
    assert set(told["groups"]["indices"]) == {"roc_auc", "recall", "precision", "accuracy"}


def test_files_of_several_formats_and_standard_input_give_the_same(rows, score, tmp_path):
    options = ["--label", "y", "--score", "p", "--score", "q", "--by", "region", "--pos-label", "yes"]
    whole = score(write(rows, tmp_path / "rows.parquet"), *options)
    cuts = [
        write(rows[:700], tmp_path / "a.csv"),
        write(rows[700:701], tmp_path / "b.ndjson"),
        write(rows[701:], tmp_path / "c.arrow"),
    ]
    parts = score(*cuts, *options)
    assert {name: model["groups"] for name, model in parts["models"].items()} == {
        name: model["groups"] for name, model in whole["models"].items()
    }
    same(whole["models"]["q"]["groups"], rs.group_by(rows["y"], y_score=rows["q"], by={"region": rows["region"]}))
    command = [*PROGRAM, "score", "-", *options, "--format", "csv", "--json", "-"]
    piped = subprocess.run(command, input=rows.write_csv().encode(), capture_output=True, check=True, timeout=120)
    assert json.loads(piped.stdout)["models"] == parts["models"]


def test_predicted_classes_and_probabilities(rows, score, tmp_path):
    path = write(rows, tmp_path / "rows.parquet")
    by = {"region": rows["region"]}
    told = score(path, "--label", "y", "--pred", "c", "--by", "region")
    same(told["groups"], rs.group_by(rows["y"], rows["c"], by=by))
    told = score(path, "--label", "y", "--pred", "c", "--score", "p", "--by", "region")
    same(told["groups"], rs.group_by(rows["y"], rows["c"], rows["p"], by=by))
    told = score(path, "--label", "y", "--pred", "c", "--by", "region", "--pos-label", "no")
    same(told["groups"], rs.group_by(rows["y"], rows["c"], by=by, pos_label="no"))
    told = score(path, "--label", "k", "--proba", "a=pa,b=pb,c=pc", "--by", "region")
    predicted = np.array(["a", "b", "c"])[rows.select("pa", "pb", "pc").to_numpy().argmax(axis=1)]
    same(told["groups"], rs.group_by(rows["k"], predicted, by=by))
    assert told["groups"]["positives"] is None


def test_a_key_may_be_a_word_for_missing_cells(score, tmp_path):
    rows = [
        ("NA", "0", "0.1"),
        ("NA", "1", "0.9"),
        ("ZA", "0", "0.4"),
        ("null", "NA", "0.3"),
        ("", "1", "null"),
        ("", "1", "1"),
    ]
    for separator in (",", "\t"):
        content = "\n".join(map(separator.join, [("g", "label", "score"), *rows]))
        path = text(tmp_path / "rows.csv", content + "\n")
        asked = ["--label", "label", "--score", "score", "--by", "g", "--nan-policy", "omit", "--separator", separator]
        report = score(path, *asked)
        assert report["rows_left_out"] == 2
        assert (report["groups"]["keys"], report["groups"]["rows"]) == ({"g": ["NA", "ZA", None]}, [2, 1, 1])


def test_keys_of_text_files_are_text(rows, score, tmp_path):
    told = score(write(rows, tmp_path / "rows.csv"), "--label", "y", "--score", "p", "--by", "age")
    same(told["groups"], rs.group_by(rows["y"], y_score=rows["p"], by={"age": rows["age"].cast(pl.String)}))


def test_rows_that_are_left_out_are_in_no_group(rows, score, tmp_path):
    gaps = rows.with_columns(p=pl.when(pl.int_range(pl.len()) % 5 == 0).then(None).otherwise("p"))
    options = ["--label", "y", "--score", "p", "--by", "region", "--nan-policy", "omit"]
    told = score(write(gaps, tmp_path / "gaps.parquet"), *options)
    left = gaps.drop_nulls("p")
    same(told["groups"], rs.group_by(left["y"], y_score=left["p"], by={"region": left["region"]}))


def test_the_table_says_what_it_does_not_show(rows, tmp_path, capsys):
    many = rows.with_columns(user=pl.int_range(pl.len()) % 90)
    path = write(many, tmp_path / "many.parquet")
    assert run(["score", path, "--label", "y", "--score", "p", "--by", "user", "--no-progress"]) == 0
    out = capsys.readouterr().out
    assert "Groups by user" in out
    assert "50 groups with fewer rows are not in this table" in out
    options = [
        "--by",
        "region",
        "--by",
        "age",
        "--min-rows",
        "40",
        "--no-progress",
        "--html",
        str(tmp_path / "page.html"),
    ]
    assert run(["score", path, "--label", "y", "--score", "p", *options]) == 0
    out = " ".join(capsys.readouterr().out.split())
    groups = rs.group_by(rows["y"], y_score=rows["p"], by={"region": rows["region"], "age": rows["age"]})
    small = groups.sizes < 40
    expected = f"{small.sum()} of {len(groups)} groups, with {groups.sizes[small].sum()} rows in all, are hidden"
    assert expected in out
    assert "(missing)" in out
    assert '<section id="groups"' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_refusals(rows, refusal, tmp_path):
    path = write(rows, tmp_path / "rows.parquet")
    assert "--by does not say" in refusal(path, "--label", "y", "--score", "p", "--min-rows", 5)
    assert "no column 'town'" in refusal(path, "--label", "y", "--score", "p", "--by", "town")
    assert "asked for twice" in refusal(path, "--label", "y", "--score", "p", "--by", "y")
    assert "--min-rows" in refusal(path, "--label", "y", "--score", "p", "--by", "region", "--min-rows", -1)

"""Several labels a row on the command line: `--label` more than once."""

from __future__ import annotations

import json

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import WRITERS, write

import rocksteady as rs
from rocksteady.cli.command import run

LABELS = ("red", "green", "blue")
OPTIONS = [word for name in LABELS for word in ("--label", name)]


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(3)
    truth = random.random((300, 3)) < [0.4, 0.2, 0.6]
    new, old = (1 / (1 + np.exp(1 - shift * truth - random.normal(size=truth.shape))) for shift in (2, 1))
    columns: dict[str, object] = {"weight": random.random(300)}
    for place, name in enumerate(LABELS):
        columns |= {name: truth[:, place].astype(int), f"new {name}": new[:, place], f"old {name}": old[:, place]}
        columns[f"said {name}"] = old[:, place] > 0.4
    return pl.DataFrame(columns)


def matrix(rows: pl.DataFrame, prefix: str = "") -> np.ndarray:
    return rows.select(f"{prefix}{name}" for name in LABELS).to_numpy()


def scores(model: str) -> list[str]:
    return [word for name in LABELS for word in ("--score", f"{model} {name}")]


@pytest.mark.parametrize("suffix", WRITERS)
def test_one_model(score, rows, tmp_path, suffix):
    path = write(rows, tmp_path / f"rows.{suffix}")
    report = score(
        path, *OPTIONS, *scores("new"), "--weight", "weight", "--weight-kind", "sampling", "--names", "f1,roc_auc"
    )
    weighing = {"sample_weight": rows["weight"], "weight_kind": "sampling"}
    expected = rs.evaluate(matrix(rows), matrix(rows, "new "), labels=LABELS, **weighing)
    assert report["labels"] == list(LABELS)
    found = report["models"]["model"]
    for name in ("f1", "roc_auc"):
        for average, value in found["indices"][name].items():
            assert value == pytest.approx(expected.value(name, average=average), rel=1e-12)
        assert found["every"][name] == pytest.approx(expected.every(name), rel=1e-12)


def test_several_models_in_table_json_and_page(rows, tmp_path, capsys):
    path, page, said = (str(tmp_path / name) for name in ("rows.csv", "page.html", "said.json"))
    write(rows, tmp_path / "rows.csv")
    models = [f"--score={model}={','.join(f'{model} {name}' for name in LABELS)}" for model in ("new", "old")]
    predicted = "--pred=said=" + ",".join(f"said {name}" for name in LABELS)
    arguments = ["score", path, *OPTIONS, *models, predicted, "--html", page, "--json", said]
    assert run(arguments) == 0
    out = capsys.readouterr().out
    expected = rs.evaluate(
        matrix(rows),
        {"new": matrix(rows, "new "), "old": matrix(rows, "old ")},
        y_pred={"said": matrix(rows, "said ")},
        labels=LABELS,
    )
    assert repr(expected.summary("summary")) in out
    assert repr(expected.label_summary(["precision", "recall", "f1"], model="said")) in out
    assert "Each label of old" in out
    report = json.loads((tmp_path / "said.json").read_text(encoding="utf-8"))
    assert list(report["models"]) == ["new", "old", "said"]
    assert report["digest"] == expected.digest()
    assert report["models"]["said"]["counts"] == expected.to_dict("summary")["models"]["said"]["counts"]
    for written in (page, said):
        assert run(["verify", written, path]) == 0
    write(rows.with_columns(red=1 - pl.col("red")), tmp_path / "rows.csv")
    assert run(["verify", page, path]) == 3


def test_intervals_and_differences(score, rows, tmp_path, capsys):
    path = write(rows.with_columns(user=pl.int_range(300) // 3), tmp_path / "rows.parquet")
    models = [f"--score={model}={','.join(f'{model} {name}' for name in LABELS)}" for model in ("new", "old")]
    options = [path, *OPTIONS, *models, "--cluster", "user", "--names", "f1,average_precision"]
    report = score(*options)
    expected = rs.evaluate(
        matrix(rows),
        {"new": matrix(rows, "new "), "old": matrix(rows, "old ")},
        labels=LABELS,
        inference=True,
        cluster=np.arange(300) // 3,
    )
    for name in ("f1", "average_precision"):
        found, interval = report["models"]["old"]["intervals"][name], expected.models["old"].interval(name)
        assert (found["low"], found["high"]) == (interval.low, interval.high)
        (row,) = [row for row in report["differences"] if row["index"] == name]
        difference = expected.difference(name, "new", "old")
        assert (row["low"], row["p_value"]) == (difference.low, difference.p_value)
    assert run(["score", *options]) == 0
    out = capsys.readouterr().out
    assert "low, high: 95 % confidence intervals; clusters: user" in out
    assert "new less old" in out


def test_rows_without_a_label_are_left_out(score, rows, tmp_path):
    gaps = rows.with_columns(green=pl.when(pl.int_range(pl.len()) < 7).then(None).otherwise(pl.col("green")))
    path = write(gaps, tmp_path / "rows.csv")
    report = score(path, *OPTIONS, *scores("old"), "--nan-policy", "omit", "--names", "f1")
    assert (report["rows"], report["rows_left_out"]) == (293, 7)
    expected = rs.evaluate(matrix(rows[7:]), matrix(rows[7:], "old "))["f1"]
    assert report["models"]["model"]["indices"]["f1"]["macro"] == expected


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--score", "new red"], "--score has 1 columns for 3 labels; expected one for each --label, in their order"),
        (["--score", "a=new red,new green"], "--score has 2 columns for 3 labels"),
        (["--score", "a=weight,new red,old red", "--score", "a=new red,new green,x"], "several models of one name"),
        ([*scores("new"), "--best", "f1"], "--best is of one label a row; score each --label by itself"),
        ([*scores("new"), "--by", "weight"], "--by is of one label a row"),
        ([*scores("new"), "--bounded"], "--bounded is of one label a row"),
        (["--proba", "new red,old red"], "--proba is of one label a row"),
        ([*scores("new"), "--label", "weight"], "row 1: 'weight' is 0."),
        ([*scores("new"), "--label", "three", "--score", "old red"], "'three' is 2; expected 0 or 1, or true or false"),
    ],
)
def test_what_cannot_be_asked(refusal, rows, tmp_path, options, sentence):
    path = write(rows.with_columns(three=pl.Series(np.arange(300) % 3)), tmp_path / "rows.parquet")
    extra = ["--score", "old red"] if options[-2:] == ["--label", "weight"] else []
    assert sentence in refusal(path, *OPTIONS, *options, *extra)

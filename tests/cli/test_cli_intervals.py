"""The command line's intervals (`--interval`, `--level`) and differences between models (`--difference`)."""

from __future__ import annotations

import json

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import write

import rocksteady as rs
from rocksteady.cli.command import run

OPTIONS = ["--label", "y", "--score", "new", "--score", "old"]


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(5)
    y = random.random(600) < 0.3
    new, old = (1 / (1 + np.exp(-random.normal(shift * y - 1.0))) for shift in (2.0, 1.2))
    three = random.integers(0, 3, 600)
    frame = {"y": np.where(y, "yes", "no"), "new": new, "old": old, "w": random.integers(1, 4, 600).astype(float)}
    classes = {"kind": three, "one": np.where(random.random(600) < 0.7, three, 0), "two": random.integers(0, 3, 600)}
    return pl.DataFrame({**frame, "c": np.where(old > 0.4, "yes", "no"), **classes})


@pytest.fixture(scope="module")
def path(rows, tmp_path_factory) -> str:
    return write(rows, tmp_path_factory.mktemp("rows") / "rows.parquet")


@pytest.fixture(scope="module")
def evaluation(rows) -> rs.Evaluation:
    scores = {"new": rows["new"], "old": rows["old"]}
    return rs.evaluate(rows["y"], scores, inference=True)


def test_intervals_are_those_of_the_evaluation(score, path, evaluation):
    report = score(path, *OPTIONS, "--interval")
    assert report["level"] == 0.95
    for name, model in evaluation.models.items():
        found = report["models"][name]["intervals"]
        assert {"roc_auc", "average_precision", "f1", "mcc", "recall"} <= set(found)
        assert "ks" not in found
        for index, interval in found.items():
            expected = model.interval(index)
            assert (interval["low"], interval["high"], interval["method"]) == (
                expected.low,
                expected.high,
                expected.method,
            )


def test_a_level_of_your_own(score, path, evaluation):
    report = score(path, *OPTIONS, "--level", "0.8", "--names", "f1")
    assert report["level"] == 0.8
    assert report["models"]["new"]["intervals"]["f1"]["low"] == evaluation.models["new"].interval("f1", level=0.8).low
    assert "intervals" not in score(path, *OPTIONS)["models"]["new"]


def test_differences_are_those_of_the_evaluation(score, path, evaluation):
    report = score(path, *OPTIONS, "--difference", "new,old", "--level", "0.9")
    assert {"roc_auc", "f1", "mcc", "accuracy"} <= {row["index"] for row in report["differences"]}
    for row in report["differences"]:
        expected = evaluation.difference(row["index"], "new", "old", level=0.9)
        assert (row["difference"], row["low"], row["high"]) == (expected.estimate, expected.low, expected.high)
        assert (row["p_value"], row["method"]) == (expected.p_value, expected.method)


def test_differences_of_weighted_rows_and_of_predicted_classes(score, path, rows):
    options = ["--label", "y", "--score", "new", "--pred", "c", "--score", "old", "--weight", "w"]
    report = score(path, *options, "--difference", "old,c")
    expected = rs.evaluate(
        rows["y"],
        {"new": rows["new"], "old": rows["old"]},
        y_pred={"c": rows["c"]},
        sample_weight=rows["w"],
        inference=True,
    )
    found = {row["index"]: row for row in report["differences"]}
    assert "roc_auc" not in found  # one of the two has no scores
    difference = expected.difference("mcc", "old", "c")
    assert found["mcc"]["low"] == pytest.approx(difference.low, rel=1e-12)
    several = score(path, "--label", "kind", "--pred", "one", "--pred", "two", "--difference", "one,two")
    accuracy = next(row for row in several["differences"] if row["index"] == "accuracy")
    kind = rs.evaluate(rows["kind"], y_pred={"one": rows["one"], "two": rows["two"]}, inference=True)
    assert accuracy["p_value"] == kind.difference("accuracy", "one", "two").p_value


def test_tables_show_intervals_and_differences(path, capsys):
    assert run(["score", path, *OPTIONS, "--interval", "--difference", "new,old"]) == 0
    out = capsys.readouterr().out
    assert "[low, high]: 95 % confidence intervals" in out
    assert "new less old" in out
    assert all(len(line) <= 80 for line in out.splitlines())
    report_of_one = ["score", path, "--label", "y", "--score", "new", "--interval", "--names", "roc_auc,ks"]
    assert run(report_of_one) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line}
    assert "[" in lines["roc_auc"]
    assert "[" not in lines["ks"]


def test_the_page_has_differences(path, tmp_path):
    page, text = tmp_path / "page.html", tmp_path / "page.md"
    written = ["--html", str(page), "--md", str(text), "--json", str(tmp_path / "page.json")]
    assert run(["score", path, *OPTIONS, "--difference", "new,old", *written]) == 0
    assert "is better" in page.read_text(encoding="utf-8")
    assert "## Differences" in text.read_text(encoding="utf-8")
    assert json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))["differences"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--difference", "new"],
            "--difference is 'new'; expected two models, such as new,old; the models are 'new', 'old'",
        ),
        (["--difference", "new,new"], "expected two models"),
        (["--difference", "new,other"], "--difference has the model 'other'; the models are 'new', 'old'"),
        (["--level", "1"], "--level is 1; expected a number between 0 and 1, such as 0.95"),
        (["--level", "nan"], "--level is nan; expected a number between 0 and 1, such as 0.95"),
    ],
)
def test_what_cannot_be_asked(refusal, path, options, sentence):
    assert sentence in refusal(path, *OPTIONS, *options)

"""The order of the classes: `--labels`, `--proba`, the type `Enum`; and what depends on it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocksteady as rs

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import write

from rocksteady.cli.command import run

ORDER = ["low", "medium", "high"]
OPTIONS = ["--label", "y", "--names", "weighted_kappa,accuracy"]


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(5)
    y, shares = random.choice(ORDER, 400), random.dirichlet([1, 1, 1], 400)
    frame = pl.DataFrame({"y": y, "p": np.where(random.random(400) < 0.4, random.choice(ORDER, 400), y)})
    return frame.with_columns(pl.Series(name, shares[:, k]) for k, name in enumerate(ORDER)).with_columns(
        g=pl.Series(random.choice(["a", "b"], 400))
    )


@pytest.fixture(scope="module")
def kappa(rows) -> float:
    return rs.ConfusionMatrix(rows["y"], rows["p"], labels=ORDER)["weighted_kappa"]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "ndjson"])
def test_labels_are_in_the_order_asked_for(score, rows, kappa, tmp_path, suffix):
    path = write(rows, tmp_path / f"rows.{suffix}")
    report = score(path, *OPTIONS, "--pred", "p", "--by", "g", "--labels", ",".join(ORDER))
    assert (report["labels"], report["weighted_kappa"]) == (ORDER, kappa)
    assert report["confusion_matrix"] == rs.ConfusionMatrix(rows["y"], rows["p"], labels=ORDER).to_array().tolist()
    parts = [rows.filter(pl.col("g") == key) for key in ("a", "b")]
    values = [rs.ConfusionMatrix(part["y"], part["p"], labels=ORDER)["weighted_kappa"] for part in parts]
    assert report["groups"]["indices"]["weighted_kappa"] == values
    more = score(path, *OPTIONS, "--pred", "p", "--labels", "none,low,medium,high")
    assert more["labels"] == ["none", *ORDER]
    assert sum(more["confusion_matrix"][0]) == 0


def test_an_enum_has_its_order(score, rows, kappa, tmp_path):
    frame = rows.with_columns(pl.col("y", "p").cast(pl.Enum(ORDER)))
    path = write(frame, tmp_path / "rows.parquet")
    report = score(path, *OPTIONS, "--pred", "p")
    assert (report["labels"], report["weighted_kappa"]) == (ORDER, kappa)
    turned = score(path, *OPTIONS, "--pred", "p", "--labels", "high,medium,low")
    assert turned["labels"] == ORDER[::-1]


@pytest.mark.parametrize("how", [[], ["--labels", "medium,high,low"]])
def test_probabilities_are_in_their_order(score, rows, tmp_path, how):
    path = write(rows, tmp_path / "rows.csv")
    order = how[1].split(",") if how else ORDER
    asked = ["--label", "y", "--names", "weighted_kappa,roc_auc", "--proba", ",".join(ORDER), *how]
    report = score(path, *asked, "--by", "g")
    predicted = np.array(ORDER)[rows.select(ORDER).to_numpy().argmax(axis=1)]
    matrix = rs.ConfusionMatrix(rows["y"], predicted, labels=order)
    assert (report["labels"], report["confusion_matrix"]) == (order, matrix.to_array().tolist())
    assert report["weighted_kappa"] == matrix["weighted_kappa"]
    areas = [rs.ScoreTable(rows["y"] == label, rows[label])["roc_auc"] for label in order]
    assert report["every"]["roc_auc"] == areas
    assert run(["score", path, *asked, "--md", str(tmp_path / "a.md")]) == 0
    lines = (tmp_path / "a.md").read_text().partition("## Classes")[2].splitlines()
    shown = {line.split("|")[1].strip(): line.split("|")[6].strip() for line in lines if line.startswith("|")}
    assert {label: shown[label] for label in order} == {
        label: f"{area:.4g}" for label, area in zip(order, areas, strict=True)
    }


def test_the_later_label_is_positive(score, tmp_path):
    path = write(pl.DataFrame({"y": ["a", "b", "a"], "s": [0.9, 0.1, 0.8], "n": [1, 0, 1]}), tmp_path / "rows.csv")
    asked = ["--score", "s", "--names", "roc_auc"]
    report = score(path, "--label", "y", *asked, "--labels", "b,a")
    assert (report["labels"], report["pos_label"], report["roc_auc"]) == (["b", "a"], "a", 1.0)
    assert score(path, "--label", "y", *asked, "--labels", "b,a", "--pos-label", "b")["roc_auc"] == 0.0
    assert score(path, "--label", "n", *asked, "--labels", "1,0")["pos_label"] == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--pred", "p", "--labels", "low,high"], "rows.csv, row "),
        (["--pred", "p", "--labels", "low,high"], "is 'medium'; expected a class of --labels: 'low', 'high'"),
        (["--pred", "p", "--labels", "low"], "--labels is 'low', one class; expected all in their order"),
        (["--pred", "p", "--labels", "low,low"], "--labels names 'low' twice; expected each class once"),
        (["--score", "low", "--labels", "low,medium,high"], "--labels has 3 classes, and a score ranks two"),
        (["--pred", "p", "--labels", "a,b,c", "--pos-label", "a"], "--labels has 3 classes, and --pos-label needs two"),
        (
            ["--proba", "low,medium,high", "--labels", "low,high"],
            "--labels has 'low', 'high', but --proba 'high', 'low'",
        ),
    ],
)
def test_refusals_of_labels(refusal, rows, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in refusal(write(rows, tmp_path / "rows.csv"), "--label", "y", *options)


def test_one_warning_where_the_alphabet_decides(capsys, rows, tmp_path):
    path = write(rows, tmp_path / "rows.csv")

    def warnings(*options: str) -> str:
        assert run(["score", path, "--label", "y", "--pred", "p", "--json", str(tmp_path / "out.json"), *options]) == 0
        return capsys.readouterr().err

    shown = "the classes are in the order of the alphabet, 'high', 'low', 'medium', and "
    for options in (["--names", "weighted_kappa,f1"], ["--require", "accuracy > 0 and weighted_kappa > 0"]):
        assert warnings(*options) == (
            f"rocksteady: warning: {shown}weighted_kappa goes by their order; --labels gives another\n"
        )
    assert warnings("--names", "all").endswith(" and 5 more go by their order; --labels gives another\n")
    assert warnings("--names", "all").count("\n") == 1
    assert warnings("--names", "all", "--labels", ",".join(ORDER)) == ""
    assert warnings() == ""
    assert json.loads((tmp_path / "out.json").read_text())["labels"] == sorted(ORDER)
    numbers = write(rows.with_columns(pl.col("y", "p").replace_strict(ORDER, [0, 1, 2])), tmp_path / "numbers.csv")
    assert run(["score", numbers, "--label", "y", "--pred", "p", "--names", "all"]) == 0
    assert capsys.readouterr().err == ""

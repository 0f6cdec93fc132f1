"""The command line: every format, every refusal, and the numbers of ROCR.simple."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import PROGRAM, WRITERS, text, write
from sklearn import metrics as reference

import rocksteady as rs
from rocksteady.cli import files as reading
from rocksteady.cli import sources
from rocksteady.cli.command import run


@pytest.fixture(scope="module")
def predictions() -> pl.DataFrame:
    """Three hundred thousand rows: more than two batches, and the labels sorted, so that whole batches hold one class."""
    random = np.random.default_rng(20)
    y = np.sort(random.integers(0, 2, 300_000))
    return pl.DataFrame(
        {
            "other": random.random(len(y)),
            "p": np.round(1 / (1 + np.exp(-random.normal(y - 0.5, 1.5))), 4),
            "y": y,
            "c": np.where(random.random(len(y)) < 0.8, y, 1 - y),
            "w": random.integers(0, 5, len(y)) / 4,
        }
    )


# The numbers.


def test_rocr_simple(score, rocr_simple):
    names = "roc_auc,gini,ks,mcc,kappa,accuracy"
    report = score(rocr_simple, "--label", "label", "--score", "score", "--names", names)
    assert report["rows"] == 200
    assert report["labels"] == [0, 1]
    assert report["pos_label"] == 1
    assert report["threshold"] == 0.5
    assert report["confusion_matrix"] == [[91, 16], [14, 79]]
    assert report["roc_auc"] == pytest.approx(0.834187518842, abs=5e-13)
    assert report["gini"] == pytest.approx(2 * 0.834187518842 - 1, abs=1e-12)
    assert report["ks"] == pytest.approx(0.699929655311, abs=5e-13)
    assert report["ks_threshold"] == pytest.approx(0.501489336, abs=5e-10)
    assert report["ks_sign"] == 1
    assert report["mcc"] == pytest.approx(0.699087, abs=5e-7)
    assert report["kappa"] == pytest.approx(0.698946, abs=5e-7)
    assert report["accuracy"] == pytest.approx(170 / 200)
    assert report["undefined"] == {}


def test_all_indices_on_request(score, rocr_simple):
    arguments = (rocr_simple, "--label", "label", "--score", "score")
    few, every = score(*arguments), score(*arguments, "--all-indices")
    names = {row.name for row in rs.indices()}
    rows = pl.read_csv(rocr_simple)
    assert names & set(few) == set(
        rs.evaluate(rows["label"], rows["score"]).to_dict("summary")["models"]["model"]["indices"]
    )
    assert {row.name for row in rs.indices() if {"counts", "matrix"} & set(row.forms)} <= set(every)
    assert few.keys() <= every.keys()


def test_the_table_of_rocr_simple_fits_80_columns(rocr_simple):
    done = subprocess.run(
        [*PROGRAM, "score", rocr_simple, "--label", "label", "--score", "score"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stdout.isascii()
    words = done.stdout.split()
    for name, value in {
        "roc_auc": "0.834188",
        "ks": "0.699930",
        "ks_threshold": "0.501489336",
        "mcc": "0.699087",
    }.items():
        assert words[words.index(name) + 1] == value
    for cell in ("91", "16", "14", "79"):
        assert cell in words


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_many_batches_one_class_at_a_time(score, predictions, tmp_path, suffix):
    path = write(predictions, tmp_path / f"rows.{suffix}")
    report = score(path, "--label", "y", "--score", "p", "--weight", "w")
    y, p, w = (predictions[name].to_numpy() for name in ("y", "p", "w"))
    assert report["rows"] == len(y)
    expected = reference.confusion_matrix(y, p >= 0.5, sample_weight=w)
    assert report["confusion_matrix"] == pytest.approx(expected)
    assert report["roc_auc"] == pytest.approx(reference.roc_auc_score(y, p, sample_weight=w), abs=1e-12)
    assert report["average_precision"] == pytest.approx(
        reference.average_precision_score(y, p, sample_weight=w), abs=1e-12
    )
    assert report["log_loss"] == pytest.approx(reference.log_loss(y, p, sample_weight=w), rel=1e-12)
    assert report["brier"] == pytest.approx(reference.brier_score_loss(y, p, sample_weight=w), rel=1e-12)
    assert report["f1"] == pytest.approx(reference.f1_score(y, p >= 0.5, sample_weight=w), rel=1e-12)


def test_formats_files_and_their_order_give_the_same_bits(score, predictions, tmp_path):
    whole = score(write(predictions, tmp_path / "whole.csv"), "--label", "y", "--score", "p")
    first, second, third = 100_001, 150_000, 150_001
    parts = [
        write(predictions[third:], tmp_path / "b.parquet"),
        write(predictions[:first].with_columns(pl.col("y").cast(pl.Boolean)), tmp_path / "a.arrow"),
        write(predictions[first:second], tmp_path / "d.ndjson"),
        write(predictions[second:third], tmp_path / "e.arrows"),
        write(predictions[:0].vstack(predictions[:7]), tmp_path / "c.csv"),
    ]
    again = score(*parts, "--label", "y", "--score", "p")
    assert again["rows"] == whole["rows"] + 7
    split = score(*parts[:4], "--label", "y", "--score", "p", "--threads", 1)
    assert split | {"files": 1} == whole


def test_classes_and_scores_together(score, predictions, tmp_path):
    path = write(predictions, tmp_path / "rows.parquet")
    report = score(path, "--label", "y", "--pred", "c", "--score", "p", "--pos-label", 0)
    y, c, p = (predictions[name].to_numpy() for name in ("y", "c", "p"))
    assert report["threshold"] is None
    assert report["pos_label"] == 0
    assert report["labels"] == [1, 0]
    assert report["confusion_matrix"] == reference.confusion_matrix(y, c, labels=[1, 0]).tolist()
    assert report["precision"] == pytest.approx(reference.precision_score(y, c, pos_label=0))
    assert report["roc_auc"] == pytest.approx(1 - reference.roc_auc_score(y, p))
    assert report["ks_sign"] == -1


def test_many_classes(score, capsys, tmp_path):
    random = np.random.default_rng(3)
    names = np.array(["kiwi", "apple", "fig", "päron"])
    y = names[random.integers(0, 4, 3_000)]
    c = np.where(random.random(3_000) < 0.6, y, names[random.integers(0, 4, 3_000)])
    path = write(
        pl.DataFrame({"y": y, "c": c}).with_columns(pl.col("c").cast(pl.Categorical)), tmp_path / "fruit.parquet"
    )
    report = score(path, "--label", "y", "--pred", "c")
    assert report["labels"] == sorted(names)
    assert report["pos_label"] is None
    assert report["confusion_matrix"] == reference.confusion_matrix(y, c).tolist()
    assert report["mcc"] == pytest.approx(reference.matthews_corrcoef(y, c))
    assert report["kappa"] == pytest.approx(reference.cohen_kappa_score(y, c))
    assert report["every"]["f1"] == pytest.approx(reference.f1_score(y, c, average=None).tolist())
    for how in ("macro", "micro", "weighted"):
        assert report[how]["f1"] == pytest.approx(reference.f1_score(y, c, average=how))
    assert run(["score", path, "--label", "y", "--pred", "c"]) == 0
    assert "päron" in capsys.readouterr().out


def test_words_as_labels(score, tmp_path):
    path = text(tmp_path / "words.csv", "y,p\nno,0.1\nno,0.4\nyes,0.35\nyes,0.8\n")
    report = score(path, "--label", "y", "--score", "p")
    assert (report["labels"], report["pos_label"]) == (["no", "yes"], "yes")
    assert report["roc_auc"] == 0.75
    assert score(path, "--label", "y", "--score", "p", "--pos-label", "no")["roc_auc"] == 0.25


@pytest.mark.parametrize("ending", ["1.0,0.9\n", "1,0.9\n"])
def test_whole_numbers_may_be_written_as_decimals_anywhere(score, tmp_path, ending):
    path = text(tmp_path / "late.csv", "y,p\n" + "0,0.2\n1,0.7\n" * 2_000 + ending)
    report = score(path, "--label", "y", "--score", "p")
    assert report["labels"] == [0, 1]
    assert report["rows"] == 4_001


def test_labels_turn_out_to_be_words_late(score, tmp_path):
    path = text(tmp_path / "late.csv", "y,c\n" + "1,2\n2,2\n" * 2_000 + "x,1\n")
    report = score(path, "--label", "y", "--pred", "c")
    assert report["labels"] == ["1", "2", "x"]
    assert report["confusion_matrix"] == [[0, 2_000, 0], [0, 2_000, 0], [1, 0, 0]]


def test_truth_values(score, tmp_path):
    path = text(tmp_path / "truth.csv", "y,p\ntrue,0.9\nfalse,0.3\ntrue,0.8\n")
    report = score(path, "--label", "y", "--score", "p")
    assert (report["labels"], report["pos_label"], report["roc_auc"]) == ([False, True], True, 1.0)


def test_narrow_types_stay_exact(score, tmp_path):
    """Two scores that differ in the last bit of a double are no tie, though a third file holds singles."""
    high = np.nextafter(0.5, 1)
    a = write(pl.DataFrame({"y": [0, 1], "p": [0.5, high]}), tmp_path / "a.parquet")
    b = write(pl.DataFrame({"y": [1], "p": [1.0]}, schema_overrides={"p": pl.Float32}), tmp_path / "b.parquet")
    assert score(a, b, "--label", "y", "--score", "p")["roc_auc"] == 1.0


def test_scores_that_are_no_probabilities(score, capsys, tmp_path):
    path = text(tmp_path / "logits.csv", "y,p\n0,-1.5\n1,0.2\n1,3\n")
    report = score(path, "--label", "y", "--score", "p", "--threshold", 0)
    assert "log_loss" not in report
    assert report["undefined"]["log_loss"] == f"the scores are not probabilities ({path}, row 1: 'p' is -1.5)"
    assert report["confusion_matrix"] == [[1, 0], [0, 2]]
    assert run(["score", path, "--label", "y", "--score", "p"]) == 0
    assert "No log_loss and brier: the scores are not probabilities" in " ".join(capsys.readouterr().out.split())


def test_one_class_only(score, refusal, tmp_path):
    path = text(tmp_path / "ones.csv", "y,p\n1,0.5\n1,0.6\n")
    report = score(path, "--label", "y", "--score", "p")
    assert report["roc_auc"] is None
    assert report["undefined"]["roc_auc"]
    assert report["confusion_matrix"] == [[0, 0], [0, 2]]
    words = text(tmp_path / "words.csv", "y,p\nyes,0.5\n")
    assert refusal(words, "--label", "y", "--score", "p") == "'y' holds one class only, 'yes'; expected two"


def test_threshold_is_at_or_above(score, tmp_path):
    path = text(tmp_path / "edge.csv", "y,p\n0,0.25\n1,0.5\n0,0.5\n")
    assert score(path, "--label", "y", "--score", "p")["confusion_matrix"] == [[1, 1], [0, 1]]
    above = score(path, "--label", "y", "--score", "p", "--threshold", 0.51)
    assert above["confusion_matrix"] == [[2, 0], [1, 0]]


def test_the_default_threshold_is_that_of_evaluate_and_said(score, capsys, tmp_path):
    rows = {"y": [0, 0, 1, 1], "p": [0.1, 0.6, 0.4, 0.8], "logit": [-2.0, 0.25, -0.25, 3.0]}
    path = write(pl.DataFrame(rows), tmp_path / "rows.csv")
    models = score(path, "--label", "y", "--score", "p", "--score", "logit")["models"]
    evaluation = rs.evaluate(rows["y"], {"p": rows["p"], "logit": rows["logit"]})
    for name, threshold in (("p", 0.5), ("logit", 0.0)):
        assert (models[name]["threshold"], evaluation.models[name].threshold) == (threshold, threshold)
        assert models[name]["confusion_matrix"] == evaluation.models[name].confusion.to_array().tolist()
    rule = "0.5 where all scores of a model lie in [0, 1], else 0"
    for asked, lines in {
        ("--score=p",): ["predicted 1 where score >= 0.5", ""],
        ("--score=logit",): ["predicted 1 where score >= 0", f"default threshold: {rule}"],
        ("--score=p", "--score=logit"): ["predicted 1 where p >= 0.5, logit >= 0", f"default threshold: {rule}"],
        ("--score=p", "--score=logit", "--threshold=0"): ["predicted 1 where p, logit >= 0", ""],
    }.items():
        assert run(["score", path, "--label", "y", *asked]) == 0
        assert capsys.readouterr().out.splitlines()[1:3] == lines
    assert run(["score", "--help"]) == 0
    assert f"[default: {rule}]" in " ".join(capsys.readouterr().out.split())


# Which files.


def test_globs_folders_and_compressed_files(score, tmp_path, monkeypatch):
    frame = pl.DataFrame({"y": [0, 1, 1], "p": [0.1, 0.9, 0.4]})
    (tmp_path / "deep").mkdir()
    write(frame, tmp_path / "a.csv")
    write(frame, tmp_path / "b.csv")
    write(frame, tmp_path / "deep" / "c.parquet")
    text(tmp_path / "deep" / "notes.txt", "not data")
    import gzip

    (tmp_path / "d.csv.gz").write_bytes(gzip.compress((tmp_path / "a.csv").read_bytes()))
    text(tmp_path / "[e].tsv", "y\tp\n0\t0.5\n")
    options = ("--label", "y", "--score", "p")
    monkeypatch.chdir(tmp_path)
    assert score("*.csv", *options)["rows"] == 6
    assert score("deep", *options)["rows"] == 3
    assert score(".", *options)["rows"] == 13
    assert score("d.csv.gz", "[e].tsv", *options)["rows"] == 4
    assert score("**/*.parquet", "a.csv", *options)["files"] == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.csv"], "none.csv: no such file"),
        (["none*.csv"], "no file matches none*.csv"),
        (["rows.csv", "./rows.csv"], "rows.csv is named twice; its rows would count twice"),
        (["rows.xlsx"], "rows.xlsx has an unknown extension; expected CSV"),
        (["nothing"], "nothing holds no file to read; expected CSV"),
        (["zero.csv"], "zero.csv is empty"),
        (["head.csv"], "head.csv has no rows"),
        (["norows.parquet"], "norows.parquet has no rows"),
        (["rows.csv", "head.csv"], "head.csv has no rows"),
        (["broken.parquet"], "cannot read broken.parquet: parquet: File out of specification"),
        (["broken.arrow"], "cannot read broken.arrow: "),
        (["latin.csv"], "cannot read latin.csv: "),
        (["ragged.csv"], "ragged.csv, row 1 has 3 cells, but the header has 2; a cell with a comma"),
        (["columns.csv"], "columns.csv has no column 'y'; it has 'Y', 'p'"),
        (["twice.csv"], "twice.csv has more than one column 'y'"),
        (["null.csv"], "null.csv, row 3: 'p' is missing"),
        (["nolabel.csv"], "nolabel.csv, row 2: 'y' is missing"),
        (["nan.csv"], "nan.csv, row 2: 'p' is nan; expected a finite number"),
        (["inf.parquet"], "inf.parquet, row 140002: 'p' is inf; expected a finite number"),
        (["word.csv"], "word.csv, row 2: 'p' is 'high'; expected a number"),
        (["half.csv"], "half.csv, row 2: 'y' is 0.5; expected a whole number"),
        (["third.csv"], "third.csv, row 4: 'y' is 2, a third class beside 0, 1; "),
        (["text.parquet"], "'p' in text.parquet is of type String; expected floats or integers"),
        (["date.parquet"], "'y' in date.parquet is of type Date; expected truth values, whole numbers or text"),
        (["int.parquet", "words.csv"], "'y' in int.parquet holds whole numbers, but 'y' in words.csv holds text"),
        (["int.parquet", "late.csv"], "late.csv, row 2001: 'y' is 'yes'; expected whole numbers, as in int.parquet"),
        (["rows.csv", "--pos-label", "7"], "--pos-label 7 is not among the labels of 'y': 0, 1"),
        (["rows.csv", "--pos-label", "yes"], "--pos-label is 'yes', but 'y' holds whole numbers"),
        (["weights.csv", "--weight", "w"], "weights.csv, row 2: 'w' is -1.0; expected a weight of 0 or more"),
        (["badweight.csv", "--weight", "w"], "badweight.csv, row 1: 'w' is 'much'; expected a number"),
        (["rows.csv", "--weight", "w"], "rows.csv has no column 'w'; it has 'y', 'p'"),
        (["rows.csv", "--weight", "p"], "column 'p' is asked for twice"),
        (["rows.csv", "--pred", "y"], "column 'y' is asked for twice"),
        (["pred.csv", "--pred", "c", "--threshold", "0.4"], "--threshold makes classes out of scores, but --pred"),
        (["rows.csv", "--threshold", "half"], "Invalid value for '--threshold': 'half'"),
        (["rows.csv", "--threshold", "nan"], "--threshold is nan; expected a number"),
        (["rows.csv", "--threads", "0"], "Invalid value for '--threads'"),
        (["rows.csv", "--threads", "1025"], "Invalid value for '--threads'"),
        ([""], "a file name is empty"),
        (["wide.parquet"], "'p' in wide.parquet is of type Int128; expected floats or integers"),
        (["noise.csv"], "noise.csv has no column 'y'; it has '\\x1b[31mxxx"),
        (["rows.csv", "--json", "none/out.json"], "--json: cannot write none/out.json: there is no such folder"),
        (["rows.csv", "--json", "nothing"], "--json: cannot write nothing: it is a folder"),
        (["rows.csv", "--nonsense"], "No such option"),
        ([], "Missing argument 'FILES...'"),
    ],
)
def test_refusals(refusal, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    files = {
        "rows.csv": "y,p\n0,0.5\n1,0.7\n",
        "rows.xlsx": "",
        "zero.csv": "",
        "head.csv": "y,p\n",
        "broken.parquet": "this is not Parquet",
        "broken.arrow": "nor is this Arrow",
        "ragged.csv": "y,p\n0,0.5,7\n",
        "columns.csv": "Y,p\n0,0.5\n",
        "twice.csv": "y,y,p\n0,1,0.5\n",
        "null.csv": "y,p\n0,0.5\n1,0.5\n1,\n",
        "nolabel.csv": "y,p\n0,0.5\n,0.5\n",
        "nan.csv": "y,p\n0,0.5\n1,NaN\n",
        "word.csv": "y,p\n0,0.5\n1,high\n",
        "half.csv": "y,p\n0,0.5\n0.5,0.5\n",
        "third.csv": "y,p\n0,0.5\n1,0.5\n1,0.5\n2,0.5\n",
        "words.csv": "y,p\nno,0.5\nyes,0.5\n",
        "late.csv": "y,p\n" + "0,0.5\n" * 2_000 + "yes,0.5\n",
        "weights.csv": "y,p,w\n0,0.5,1\n1,0.5,-1\n",
        "badweight.csv": "y,p,w\n0,0.5,much\n1,0.5,1\n",
        "noise.csv": "\x1b[31m" + "x" * 9_999 + "\n1\n",
        "pred.csv": "y,p,c\n0,0.5,0\n1,0.5,1\n",
    }
    for name, content in files.items():
        text(tmp_path / name, content)
    (tmp_path / "latin.csv").write_bytes("y,p\nå,0.5\nb,0.5\n".encode("latin-1"))
    (tmp_path / "nothing").mkdir()
    write(pl.DataFrame({"y": [0], "p": [0.5]})[:0], tmp_path / "norows.parquet")
    write(pl.DataFrame({"y": [0, 1], "p": ["a", "b"]}), tmp_path / "text.parquet")
    write(pl.DataFrame({"y": [0, 1], "p": [0, 1]}).cast({"p": pl.Int128}), tmp_path / "wide.parquet")
    write(pl.DataFrame({"y": [0, 1], "p": [0.5, 0.6]}), tmp_path / "int.parquet")
    write(pl.DataFrame({"y": [0, 1], "p": [0.5, 0.6]}).cast({"y": pl.Date}), tmp_path / "date.parquet")
    inf = pl.DataFrame({"y": [0, 1] * 100_000, "p": [0.5] * 140_001 + [float("inf")] * 59_999})
    write(inf, tmp_path / "inf.parquet")
    said = refusal(*arguments, "--label", "y", "--score", "p")
    assert said.startswith(sentence)
    assert len(said) < 300


def test_labels_that_would_break_the_table(capsys, tmp_path):
    run(["score", text(tmp_path / "t.csv", 'y,p\n"a\nb",0.1\n\x1b[31mc,0.2\n'), "--label", "y", "--score", "p"])
    shown = capsys.readouterr().out
    assert "2 rows in 1 file; 2 classes: \\x1b[31mc, a\\nb; positive: a\\nb" in shown
    assert "\x1b" not in shown


def test_rows_that_a_file_promises_but_does_not_give(refusal, score, monkeypatch, tmp_path):
    """polars 2.1 ends the stream silently where a damaged Parquet file makes its reader fail."""
    path = write(pl.DataFrame({"y": [0, 1], "p": [0.5, 0.6]}), tmp_path / "rows.parquet")
    monkeypatch.setattr(reading, "_footer_rows", lambda _: 3)
    sentence = refusal(path, "--label", "y", "--score", "p")
    assert sentence == f"cannot read {path}: its footer says 3 rows, but 2 could be read"


def test_nothing_to_compare(refusal, rocr_simple):
    assert refusal(rocr_simple, "--label", "label").startswith("--score, --pred or --proba is missing")


def test_many_classes_have_no_positive_one(refusal, tmp_path):
    path = text(tmp_path / "three.csv", "y,c\n0,0\n1,1\n2,2\n")
    assert refusal(path, "--label", "y", "--pred", "c", "--pos-label", 1).startswith("--pos-label needs two classes; ")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(refusal, tmp_path):
    path = Path(text(tmp_path / "secret.csv", "y,p\n0,0.5\n"))
    path.chmod(0)
    assert refusal(path, "--label", "y", "--score", "p").startswith("cannot read ")


# Several models.

COMPARED = ["--label", "y", "--score", "p", "--score", "q", "--pred", "c", "--weight", "w", "--cost", "fp=1,fn=4"]


@pytest.fixture(scope="module")
def compared(predictions) -> pl.DataFrame:
    """The predictions with a second score and a second prediction; some rows weigh nothing."""
    random = np.random.default_rng(21)
    q = np.round(np.clip(predictions["p"].to_numpy() + random.normal(0, 0.2, len(predictions)), 0, 1), 3)
    return predictions.with_columns(q=q, d=pl.Series(random.integers(0, 2, len(predictions))))


def test_several_models_are_each_what_it_is_alone(score, compared, tmp_path):
    path = write(compared, tmp_path / "rows.parquet")
    report = score(path, *COMPARED)
    assert list(report) == ["version", "files", "rows", "labels", "pos_label", "costs", "models"]
    assert report["costs"] == {"tp": 0, "fp": 1, "fn": 4, "tn": 0}
    assert list(report["models"]) == ["p", "q", "c"]
    shared = {key: value for key, value in report.items() if key != "models"}
    for name, option in {"p": "--score", "q": "--score", "c": "--pred"}.items():
        alone = score(path, "--label", "y", option, name, "--weight", "w", "--cost", "fp=1,fn=4")
        assert alone == shared | report["models"][name]


def test_several_models_are_what_evaluate_says(score, compared, tmp_path):
    report = score(write(compared, tmp_path / "rows.arrow"), *COMPARED)
    y, p, q, c, w = (compared[name].to_numpy() for name in ("y", "p", "q", "c", "w"))
    costs = {"fp": 1, "fn": 4}
    evaluation = rs.evaluate(y, {"p": p, "q": q}, sample_weight=w, costs=costs, threshold=0.5)
    for name, model in evaluation.models.items():
        for index in ("roc_auc", "ks", "average_precision", "log_loss", "brier", "mcc", "f1", "cost", "mean_cost"):
            assert report["models"][name][index] == model[index], (name, index)
    classes = rs.evaluate(y, y_pred={"c": c}, sample_weight=w, costs=costs)
    assert report["models"]["c"]["mcc"] == classes["mcc"]
    assert report["models"]["c"]["cost"] == classes["cost"]
    assert "roc_auc" not in report["models"]["c"]


def test_the_cheapest_threshold(score, compared, tmp_path):
    rows = compared[::150]
    path = write(rows, tmp_path / "rows.parquet")
    report = score(path, "--label", "y", "--score", "p", "--cost", "fp=1,fn=4")
    y, p = rows["y"].to_numpy(), rows["p"].to_numpy()

    def cost(t: float) -> int:
        return int(((p >= t) & (y == 0)).sum() + 4 * ((p < t) & (y == 1)).sum())

    costs = {t: cost(t) for t in np.unique(p)}
    least = min(costs.values())
    assert (report["cost_threshold"], report["least_cost"]) == (min(t for t in costs if costs[t] == least), least)
    assert report["cost"] == cost(0.5)


def test_costs_go_by_the_positive_class(score, tmp_path):
    path = text(tmp_path / "rows.csv", "y,c\n0,1\n0,1\n1,0\n0,0\n1,1\n")
    options = ("--label", "y", "--pred", "c", "--cost", "fp=10,fn=1,tp=-2")
    assert score(path, *options)["cost"] == 2 * 10 + 1 - 2
    assert score(path, *options, "--pos-label", 0)["cost"] == 1 * 10 + 2 - 2
    assert score(path, *options[:-1], "fn=0")["cost"] == 2


def test_predicting_nothing_may_be_cheapest(score, tmp_path):
    path = text(tmp_path / "rows.csv", "y,p\n0,0.9\n1,0.1\n")
    report = score(path, "--label", "y", "--score", "p", "--cost", "fp=100")
    assert report["cost_threshold"] is None
    assert report["undefined"]["cost_threshold"] == "It costs least to predict no row positive."
    assert report["least_cost"] == 1


def test_several_models_cut_into_files(score, compared, tmp_path):
    whole = score(write(compared, tmp_path / "whole.csv"), *COMPARED)
    cut = 140_001
    parts = [
        write(compared[cut:].with_columns(pl.col("q").cast(pl.Float64)), tmp_path / "b.parquet"),
        write(compared[:cut].with_columns(pl.col("y").cast(pl.Int8)), tmp_path / "a.arrow"),
    ]
    assert score(*parts, *COMPARED, "--threads", 1) | {"files": 1} == whole


def test_a_second_score_of_another_type(score, tmp_path):
    """Each column keeps its own type: one is of singles, the other needs all bits of a double."""
    high = np.nextafter(0.5, 1)
    frame = pl.DataFrame({"y": [0, 1], "p": [0.5, high], "q": [0.25, 0.75]}, schema_overrides={"q": pl.Float32})
    report = score(write(frame, tmp_path / "a.parquet"), "--label", "y", "--score", "p", "--score", "q")
    assert [model["roc_auc"] for model in report["models"].values()] == [1.0, 1.0]


def test_one_score_with_one_pred_is_one_model_and_with_two_three(score, compared, tmp_path):
    path = write(compared[149_000:151_000], tmp_path / "rows.parquet")
    one = score(path, "--label", "y", "--score", "p", "--pred", "c")
    assert "models" not in one
    assert one["threshold"] is None
    three = score(path, "--label", "y", "--score", "p", "--pred", "c", "--pred", "d", "--threshold", 0.25)
    assert [model["threshold"] for model in three["models"].values()] == [0.25, None, None]
    assert three["models"]["c"]["confusion_matrix"] == one["confusion_matrix"]


def test_a_class_that_only_one_model_predicts_is_in_every_matrix(score, tmp_path):
    path = text(tmp_path / "rows.csv", "y,a,b\n1,1,1\n3,3,2\n1,3,1\n")
    models = score(path, "--label", "y", "--pred", "a", "--pred", "b")["models"]
    assert models["a"]["confusion_matrix"] == [[1, 0, 1], [0, 0, 0], [0, 0, 1]]
    assert models["b"]["confusion_matrix"] == [[2, 0, 0], [0, 0, 0], [0, 1, 0]]


def test_the_label_column_may_hold_one_class_where_a_prediction_names_the_other(score, tmp_path):
    path = text(tmp_path / "rows.csv", "y,p,c\nyes,0.7,yes\nyes,0.2,no\n")
    report = score(path, "--label", "y", "--score", "p", "--pred", "c")
    assert (report["labels"], report["pos_label"]) == (["no", "yes"], "yes")
    assert report["confusion_matrix"] == [[0, 0], [1, 1]]


def test_a_third_class_that_is_only_predicted(score, refusal, tmp_path):
    """A model that abstains: of one model the matrix has three classes and the ranking two; beside others it cannot stand."""
    path = text(tmp_path / "rows.csv", "y,p,c,d\n0,0.1,0,0\n1,0.8,1,1\n1,0.4,-1,1\n")
    report = score(path, "--label", "y", "--score", "p", "--pred", "c")
    assert report["labels"] == [-1, 0, 1]
    assert (report["pos_label"], report["roc_auc"]) == (None, 1.0)
    said = refusal(path, "--label", "y", "--score", "p", "--pred", "c", "--pred", "d")
    assert said.startswith("'y' and 'c' and 'd' hold -1, 0, 1, but 'p', a score, ranks two classes; ")


def test_scores_that_are_no_probabilities_are_said_of_their_model(score, capsys, tmp_path):
    path = text(tmp_path / "logits.csv", "y,p,q\n0,-1.5,0.2\n1,0.2,0.9\n")
    models = score(path, "--label", "y", "--score", "p", "--score", "q")["models"]
    assert "log_loss" not in models["p"]
    assert models["p"]["undefined"]["brier"] == f"the scores are not probabilities ({path}, row 1: 'p' is -1.5)"
    assert models["q"]["brier"] == pytest.approx(0.025)
    assert run(["score", path, "--label", "y", "--score", "p", "--score", "q"]) == 0
    assert "No log_loss and brier of p: the scores are not" in " ".join(capsys.readouterr().out.split())


def test_models_side_by_side_fit_80_columns(capsys, tmp_path):
    names = ["old", "new", "a very long name that goes on and on", "third", "x\ny\x1b[31m"]
    random = np.random.default_rng(5)
    frame = pl.DataFrame({"y": random.integers(0, 2, 50), **{name: random.random(50) for name in names}})
    path = write(frame, tmp_path / "rows.csv")
    for count in (3, 5):
        options = [option for name in names[:count] for option in ("--score", name)]
        assert run(["score", path, "--label", "y", *options, "--cost", "fp=1,fn=10", "--all-indices"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 80
        assert "costs: tp 0, fp 1, fn 10, tn 0" in lines
        values = " ".join(line for line in lines if line.startswith("roc_auc ")).split()
        expected = (reference.roc_auc_score(frame["y"].to_numpy(), frame[name].to_numpy()) for name in names[:count])
        assert [value for value in values if value != "roc_auc"] == [f"{value:.6f}" for value in expected]
        assert "\x1b" not in "".join(lines)


# Probabilities of each class.

PROBA = ["--label", "y", "--proba", "kiwi=p1,fig=p2,apple=p3"]


@pytest.fixture(scope="module")
def fruit() -> pl.DataFrame:
    """More than one batch of three classes, sorted by class; the probabilities have ties."""
    random = np.random.default_rng(8)
    y = np.sort(random.integers(0, 3, 140_000))
    p = random.dirichlet([1, 1, 1], len(y)) + 0.4 * np.eye(3)[y]
    p = np.round(p / p.sum(axis=1, keepdims=True), 3)
    names = np.array(["apple", "fig", "kiwi"])
    columns = {"p3": p[:, 0], "p2": p[:, 1], "p1": p[:, 2]}
    return pl.DataFrame({"y": names[y], "c": names[random.integers(0, 3, len(y))], **columns, "w": y % 3 + 0.5})


@pytest.mark.parametrize("suffix", WRITERS)
def test_probabilities_of_each_class(score, fruit, tmp_path, suffix):
    report = score(write(fruit, tmp_path / f"rows.{suffix}"), *PROBA, "--weight", "w")
    y, w = fruit["y"].to_numpy(), fruit["w"].to_numpy()
    p = fruit.select("p1", "p2", "p3").to_numpy()
    assert report["labels"] == ["kiwi", "fig", "apple"]
    assert (report["pos_label"], report["threshold"]) == (None, None)
    predicted = np.array(["apple", "fig", "kiwi"])[p[:, ::-1].argmax(axis=1)]  # of a tie the first in ascending order
    expected = reference.confusion_matrix(y, predicted, sample_weight=w, labels=report["labels"])
    assert report["confusion_matrix"] == pytest.approx(expected)
    for k, label in enumerate(report["labels"]):
        expected = reference.roc_auc_score(y == label, p[:, k], sample_weight=w)
        assert report["every"]["roc_auc"][k] == pytest.approx(expected, abs=1e-12)
    assert report["macro"]["roc_auc"] == pytest.approx(np.mean(report["every"]["roc_auc"]))
    tables = rs.ScoreTables(y, p[:, ::-1], sample_weight=w)
    assert report["log_loss"] == tables["log_loss"]
    assert report["weighted"]["average_precision"] == tables.value("average_precision", average="weighted")
    assert report["macro"]["f1"] == pytest.approx(reference.f1_score(y, predicted, sample_weight=w, average="macro"))


def test_probabilities_cut_into_files(score, fruit, tmp_path):
    whole = score(write(fruit, tmp_path / "whole.parquet"), *PROBA, "--all-indices")
    places = [0, 1, 30_000, 30_017, 90_003, len(fruit)]
    parts = [
        write(fruit[start:end], tmp_path / f"{start}.{suffix}")
        for start, end, suffix in zip(places, places[1:], ["csv", "arrow", "arrows", "ndjson", "parquet"], strict=False)
    ]
    again = score(*parts[::-1], *PROBA, "--all-indices", "--threads", 1)
    assert again | {"files": 1} == whole
    assert {"one_vs_one_auc", "scored_auc"} <= whole.keys()


def test_probabilities_and_predicted_classes(score, fruit, tmp_path):
    path = write(fruit[::50].with_columns(d="y"), tmp_path / "rows.parquet")
    alone = score(path, *PROBA)
    one = score(path, *PROBA, "--pred", "c")
    classes = score(path, "--label", "y", "--pred", "c", "--labels", "kiwi,fig,apple")
    assert one["confusion_matrix"] == classes["confusion_matrix"] != alone["confusion_matrix"]
    assert one["every"]["roc_auc"] == alone["every"]["roc_auc"]
    three = score(path, *PROBA, "--pred", "c", "--pred", "d")["models"]
    assert list(three) == ["proba", "c", "d"]
    assert alone.items() >= three["proba"].items()
    assert three["c"]["confusion_matrix"] == classes["confusion_matrix"]
    assert three["d"]["accuracy"] == 1


def test_labels_with_commas_and_columns_named_after_classes(score, tmp_path):
    path = text(tmp_path / "rows.csv", 'y,"a, b",c,d\n"a, b",0.5,0.3,0.2\nc,0.2,0.7,0.1\nd,0.3,0.4,0.3\n')
    report = score(path, "--label", "y", "--proba", '"a, b", c,d')
    assert report["labels"] == ["a, b", "c", "d"]
    assert report["confusion_matrix"] == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert report == score(path, "--label", "y", "--proba", '"a, b=a, b",c=c,d=d')
    turned = score(path, "--label", "y", "--proba", 'd=d,"a, b=a, b",c=c')
    assert turned["labels"] == ["d", "a, b", "c"]
    assert {name: turned[name] for name in ("log_loss", "macro", "mcc")} == {
        name: report[name] for name in ("log_loss", "macro", "mcc")
    }


def test_a_class_of_the_probabilities_that_no_row_has(score, tmp_path):
    path = text(tmp_path / "rows.csv", "y,p0,p1,p2\n0,0.9,0.1,0\n1,0.2,0.8,0\n")
    report = score(path, "--label", "y", "--proba", "0=p0,1=p1,2=p2")
    assert report["labels"] == [0, 1, 2]
    assert report["every"]["roc_auc"] == [1.0, 1.0, None]


def test_rows_need_not_add_up_to_one(score, tmp_path):
    path = text(tmp_path / "rows.csv", "y,a,b,c\na,7,-3,0\nb,0,2,1\nc,1,1,4\nb,1,0,0.5\n")
    report = score(path, "--label", "y", "--proba", "a,b,c")
    assert report["confusion_matrix"] == [[1, 0, 0], [1, 1, 0], [0, 0, 1]]
    assert report["every"]["roc_auc"] == [1.0, 0.75, 1.0]
    assert report["log_loss"] is None
    assert "not probabilities" in report["undefined"]["log_loss"]


def test_two_classes_of_probabilities_are_the_scores_of_the_positive_one(score, tmp_path):
    path = text(tmp_path / "rows.csv", "y,no,yes\nno,0.7,0.3\nyes,0.6,0.4\nyes,0.1,0.9\nno,0.5,0.5\n")
    for positive in ("yes", "no"):
        options = ("--label", "y", "--pos-label", positive, "--threshold", 0.4)
        assert score(path, "--proba", "no,yes", *options) == score(path, "--score", positive, *options)


def test_words_late_among_the_labels_are_classes_of_the_probabilities(score, refusal, tmp_path):
    """The first thousand rows look like whole numbers; that "other" is a class shows far below."""
    path = text(tmp_path / "late.csv", "y,a,b,c\n" + "1,0.5,0.3,0.2\n2,0.1,0.8,0.1\n" * 2_000 + "other,0.1,0.2,0.7\n")
    report = score(path, "--label", "y", "--proba", "1=a,2=b,other=c")
    assert report["labels"] == ["1", "2", "other"]
    assert report["accuracy"] == 1
    words = text(tmp_path / "words.csv", "y,a\n" + "1,0.5\n" * 2_000 + "other,0.1\n")
    assert score(words, "--label", "y", "--score", "a", "--pos-label", "other")["pos_label"] == "other"
    assert refusal(path, "--label", "y", "--proba", "a,b,c").startswith(f"{path}, row 1: 'y' is '1'; expected a class")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--score", "p", "--score", "p"],
            "column 'p' is asked for twice; --label, --score, --pred, --proba, --weight, --cost and",
        ),
        (["--score", "p", "--score", "r"], "rows.csv has no column 'r'; it has 'y', 'p', 'q', 'c', 't', 'n', 'h'"),
        (["--score", "p", "--score", "n"], "rows.csv, row 2: 'n' is nan; expected a finite number"),
        (["--score", "p", "--score", "h"], "rows.csv, row 3: 'h' is 'high'; expected a number"),
        (["--score", "p", "--score", "q", "--weight", "q"], "column 'q' is asked for twice"),
        (["--proba", "p"], "--proba is 'p', one column; expected one for each class, such as a,b,c or cat=a"),
        (["--proba", "0=p,1=p"], "column 'p' is asked for twice"),
        (["--proba", "0=p,0=q"], "--proba names '0' twice; expected one column for each class"),
        (["--proba", "1=p,01=q"], "--proba names a class twice; as whole numbers they are 1"),
        (
            ["--proba", "p,q"],
            "--proba names the class 'p', but 'y' holds whole numbers; expected CLASS=COLUMN, such as 1=p",
        ),
        (
            ["--proba", f"0=p,{10**20}=q"],
            f"--proba names the class '{10**20}', but 'y' holds whole numbers; expected CLASS",
        ),
        (["--proba", "0=p,7=q"], "rows.csv, row 2: 'y' is 1; expected a class of --proba: 0, 7"),
        (["--proba", "0=p,1=q", "--pred", "t"], "rows.csv, row 3: 't' is 2; expected a class of --proba: 0, 1"),
        (["--proba", "0=p,1=q,2=n"], "rows.csv, row 2: 'n' is nan; expected a finite number"),
        (["--proba", "0=p,1=r"], "rows.csv has no column 'r'"),
        (["--proba", ""], "--proba is '', with nothing between its commas; expected COLUMN or CLASS=COLUMN"),
        (["--proba", "p,,q"], "--proba is 'p,,q', with nothing between its commas"),
        (["--proba", '"p,q'], "--proba is '\"p,q'; expected one line, its quotes closed"),
        (["--proba", "0=,1=q"], "--proba has '0='; expected COLUMN or CLASS=COLUMN"),
        (["--proba", "0=p,1=q", "--score", "n"], "--score is the score of the positive class of two, --proba has"),
        (["--proba", "0=p,1=q,2=c", "--threshold", "0.4"], "--threshold is for two classes; with more, the"),
        (["--proba", "0=p,1=q,2=c", "--pos-label", "1"], "--pos-label needs two classes; --proba has 3"),
        (["--proba", "0=p,1=q", "--pos-label", "2"], "--pos-label 2 is not among the labels of --proba: 0, 1"),
        (["--score", "p", "--cost", "fp=x"], "rows.csv has no column 'x'"),
        (["--score", "p", "--cost", "fp=inf"], "--cost has 'fp=inf'; expected a finite number for fp"),
        (["--score", "p", "--cost", "fn=nan"], "--cost has 'fn=nan'; expected a finite number for fn"),
        (["--score", "p", "--cost", "zz=1"], "--cost has 'zz=1'; expected fp, fn, tp or tn and its cost, such"),
        (["--score", "p", "--cost", "fp"], "--cost has 'fp'; expected fp, fn, tp or tn and its cost"),
        (["--score", "p", "--cost", "fp=1,fp=2"], "--cost names fp twice; expected each outcome once"),
        (["--score", "p", "--cost", ""], "--cost is '', with nothing between its commas; expected OUTCOME=COST, such"),
        (
            ["--pred", "t", "--cost", "fp=2"],
            "--cost needs two classes; there are 3; for more, use rocksteady.evaluate",
        ),
        (["--proba", "0=p,1=q,2=c", "--cost", "fp=2"], "--cost needs two classes; there are 3; for more, use"),
        (["--pred", "c", "--pred", "t", "--threshold", "0.4"], "--threshold makes classes out of scores, but --pred"),
        (["--score", "p", "--html", "none/a.html"], "--html: cannot write none/a.html: there is no such folder"),
        (["--score", "p", "--md", "."], "--md: cannot write .: it is a folder"),
        (["--score", "p", "--md", ""], "--md is ''; expected a file name, or - for standard output"),
        (["--score", "p", "--html", "rows.csv"], "--html: cannot write rows.csv: it is one of the files to score"),
        (["--score", "p", "--html", "a", "--md", "./a"], "--html and --md both ask for ./a; expected one of them"),
        (["--score", "p", "--json", "-", "--md", "-"], "--json and --md both ask for standard output"),
        (["--score", "p", "--json", "n" * 300], f"--json: cannot write {'n' * 300}: "),
    ],
)
def test_refusals_of_models_and_costs(refusal, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    content = "y,p,q,c,t,n,h\n0,0.5,0.5,0,0,0.5,0.5\n1,0.7,0.3,1,1,NaN,0.5\n1,0.2,0.8,1,2,0.5,high\n"
    text(tmp_path / "rows.csv", content)
    said = refusal("rows.csv", "--label", "y", *options)
    assert said.startswith(sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
    assert (tmp_path / "rows.csv").read_text() == content


def test_more_classes_than_there_may_be(refusal, tmp_path):
    names = [f"c{place}" for place in range(1_001)]
    path = write(pl.DataFrame({"y": ["c0", "c1"], **{name: [0.5, 0.5] for name in names}}), tmp_path / "wide.parquet")
    said = refusal(path, "--label", "y", "--proba", ",".join(names))
    assert said.startswith("--proba: y_proba is 1001 columns; expected at most 1000")


def test_a_prediction_named_like_the_model_of_the_probabilities(refusal, tmp_path):
    path = text(tmp_path / "rows.csv", "y,a,b,proba,c\na,1,0,a,a\nb,0,1,b,b\n")
    said = refusal(path, "--label", "y", "--proba", "a,b", "--pred", "proba", "--pred", "c")
    assert said.startswith("--pred proba is also the name of the model of --proba")


def test_a_label_kind_that_a_typed_file_forbids_is_named(refusal, tmp_path):
    """Of truth values, too, the cell that is none is the one that is named."""
    typed = write(pl.DataFrame({"y": [True, False], "p": [0.5, 0.6]}), tmp_path / "a.parquet")
    late = text(tmp_path / "b.csv", "y,p\n" + "true,0.5\n" * 2_000 + "maybe,0.5\n")
    said = refusal(typed, late, "--label", "y", "--score", "p")
    assert said == f"{late}, row 2001: 'y' is 'maybe'; expected truth values, as in {typed}"


# The files it writes.


@pytest.fixture
def three(tmp_path) -> str:
    random = np.random.default_rng(11)
    y = random.integers(0, 2, 500)
    scores = {name: np.round(random.normal(y, 1), 2) for name in ("old", "<b>new</b>", "a|b")}
    return write(pl.DataFrame({"y": y, **scores}), tmp_path / "rows.csv")


MODELS = ["--label", "y", "--score", "old", "--score", "<b>new</b>", "--score", "a|b", "--cost", "fp=1,fn=10"]


def test_the_report_is_that_of_evaluate(three, capsys, tmp_path):
    page, notes, values = (tmp_path / name for name in ("report.html", "report.md", "report.json"))
    assert run(["score", three, *MODELS, "--html", str(page), "--md", str(notes), "--json", str(values)]) == 0
    assert capsys.readouterr().out.startswith("500 rows in 1 file; ")
    frame = pl.read_csv(three)
    scores = {name: frame[name].to_numpy() for name in ("old", "<b>new</b>", "a|b")}
    evaluation = rs.evaluate(frame["y"].to_numpy(), scores, costs={"fp": 1, "fn": 10})
    # Labels of rows that were ranked are truth values in the digest, and numbers in that of the arrays.
    told, digest = notes.read_text(encoding="utf-8").split("Digest: ")
    assert told == evaluation.to_markdown().split("Digest: ")[0]
    assert digest.strip().strip("`") == json.loads(values.read_text(encoding="utf-8"))["digest"]
    html = page.read_text(encoding="utf-8")
    assert html[:15].lower() == "<!doctype html>"
    assert "<b>new</b>" not in html
    assert f"{evaluation['roc_auc']['old']:.4f}"[:-1] in html
    assert list(json.loads(values.read_text(encoding="utf-8"))["models"]) == ["old", "<b>new</b>", "a|b"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json", "report.md", "rows.csv"]


def test_markdown_on_standard_output_leaves_no_table(three, capsys):
    assert run(["score", three, *MODELS, "--md", "-"]) == 0
    shown, err = capsys.readouterr()
    assert err == ""
    assert "From the classes" not in shown
    assert "roc_auc" in shown


def test_a_refused_row_leaves_what_stood_there(refusal, tmp_path):
    path = text(tmp_path / "rows.csv", "y,p\n0,0.5\n1,\n")
    for option in ("--json", "--html", "--md"):
        kept = text(tmp_path / "kept", "as before")
        assert refusal(path, "--label", "y", "--score", "p", option, kept).endswith("row 2: 'p' is missing")
        assert Path(kept).read_text() == "as before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "rows.csv"]


@pytest.mark.skipif(os.name != "posix", reason="POSIX limits")
def test_a_full_disk_leaves_what_stood_there(rocr_simple, tmp_path):
    kept = tmp_path / "kept.json"
    kept.write_text("as before")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))\n"
        "from rocksteady.__main__ import main; sys.exit(main())"
    )
    arguments = ["score", rocr_simple, "--label", "label", "--score", "score", "--json", "kept.json"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "rocksteady: --json: cannot write kept.json: File too large\n"
    assert kept.read_text() == "as before"
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions, links and devices")
def test_permissions_links_and_devices(rocr_simple, refusal, capsys, tmp_path):
    options = [str(rocr_simple), "--label", "label", "--score", "score", "--json"]
    new, old, link = (tmp_path / name for name in ("new", "old", "link"))
    old.touch(0o600)
    link.symlink_to(old)
    mask = os.umask(0o027)
    try:
        for path in (new, link):
            assert run(["score", *options, str(path)]) == 0
    finally:
        os.umask(mask)
    capsys.readouterr()
    assert link.is_symlink()
    assert json.loads(old.read_text()) == json.loads(new.read_text())
    assert [path.stat().st_mode & 0o777 for path in (new, old)] == [0o640, 0o600]
    assert refusal(*options, "/dev/full") == "--json: cannot write /dev/full: No space left on device"
    assert run(["score", *options, "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()


# The program itself, as a user runs it.


def test_a_refusal_of_the_program_is_one_line_and_exit_code_2(tmp_path):
    path = text(tmp_path / "null.csv", "y,p\n0,0.5\n1,\n")
    done = subprocess.run([*PROGRAM, "score", path, "--label", "y", "--score", "p"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"rocksteady: {path}, row 2: 'p' is missing\n"


def test_json_to_a_file_leaves_the_table(rocr_simple, tmp_path):
    out = tmp_path / "out.json"
    command = [*PROGRAM, "score", rocr_simple, "--label", "label", "--score", "score", "--json", out]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Confusion matrix" in done.stdout
    assert json.loads(out.read_text())["roc_auc"] == pytest.approx(0.834187518842, abs=5e-13)


def test_version_and_indices(capsys):
    done = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"rocksteady {rs.__version__}\n"
    assert run(["indices"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n{row.name}\n" in f"\n{listed}" for row in rs.indices())
    assert run(["indices", "TPR"]) == 0
    assert capsys.readouterr().out == f"{rs.index('recall')}\n"
    assert run(["indices", "TPR", "sensitivity"]) == 0
    assert capsys.readouterr().out.startswith("recall\n")
    assert run(["indices", "predictive", "value"]) == 0
    assert capsys.readouterr().out.startswith("precision\n    tp / (tp + fp)\n")
    assert run(["indices", "mcc"]) == 0
    assert capsys.readouterr().out == f"{rs.index('mcc')}\n"
    for refused in (["no", "such", "words"], ["--family", "ratios"]):
        assert run(["indices", *refused]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("rocksteady: ")


def test_no_command_shows_the_help(capsys):
    assert run([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Usage: rocksteady [OPTIONS] COMMAND")


def test_without_the_extra_it_says_how_to_get_it(tmp_path):
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'polars' else find(name, *rest)\n"
        "from rocksteady.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert (
        done.stderr == "rocksteady: the command line needs polars; in the clone of rocksteady: pip install '.[cli]'\n"
    )


def test_a_reader_that_goes_away_is_no_trouble(rocr_simple):
    read, written = os.pipe()
    os.close(read)
    command = [*PROGRAM, "score", rocr_simple, "--label", "label", "--score", "score"]
    done = subprocess.run(command, stdout=written, stderr=subprocess.PIPE, text=True)
    os.close(written)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_terminal_gets_a_bar_unless_told_otherwise(predictions, tmp_path):
    path = write(predictions, tmp_path / "rows.csv")
    for extra, expected in (([], True), (["--no-progress"], False)):
        main, end = pty.openpty()
        command = [*PROGRAM, "score", path, "--label", "y", "--score", "p", "--json", str(tmp_path / "o.json"), *extra]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=end, env={**os.environ, "TERM": "xterm"})
        os.write(end, b"end")
        shown = os.read(main, 1 << 20)
        os.close(end)
        os.close(main)
        assert done.returncode == 0
        assert (b"reading" in shown) is expected


def test_interrupted(tmp_path):
    """Ctrl-C while the files are being read."""
    code = (
        "import sys, time, rocksteady.cli.sources as f\n"
        "def waits(*_): print('waiting', flush=True); time.sleep(60)\n"
        "f.found = waits\n"
        "from rocksteady.__main__ import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, "score", "x.csv", "--label", "y", "--score", "p"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "waiting\n"
        time.sleep(0.1)
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=30)
    assert program.returncode == 130
    assert err.splitlines()[-1] == "rocksteady: interrupted"
    assert "Traceback" not in err


@pytest.mark.parametrize("suffix", WRITERS)
def test_no_batch_is_larger_than_promised(predictions, tmp_path, suffix):
    path = Path(write(predictions, tmp_path / f"rows.{suffix}"))
    behind: list[int] = []
    with sources.found([str(path)], sources.Dialect()) as found:
        reader = reading.Reader(found, reading.Columns(label="y", scores=("p",)))
        sizes = [len(batch.label) for batch in reader.batches(behind.append)]
    assert sum(sizes) == 300_000
    assert max(sizes) <= reading.BATCH_ROWS
    assert behind == sorted(behind)
    assert behind[-1] == path.stat().st_size

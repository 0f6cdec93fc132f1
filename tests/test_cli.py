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

from sklearn import metrics as reference

import rocksteady as rs
from rocksteady.cli import files as reading
from rocksteady.cli.command import run
from rocksteady.selection import SUMMARY

PROGRAM = [sys.executable, "-m", "rocksteady"]
WRITERS = {"csv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc"}


def write(frame: pl.DataFrame, path: Path) -> str:
    getattr(frame, WRITERS[path.suffix[1:]])(path)
    return str(path)


def text(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


@pytest.fixture
def score(capsys):
    """Score in this process; gives the report."""

    def call(*arguments: object) -> dict:
        code = run(["score", *map(str, arguments), "--json", "-"])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        return json.loads(out)

    return call


@pytest.fixture
def refusal(capsys):
    """Expect a refusal: exit code 2, nothing on standard output, one line; gives the line."""

    def call(*arguments: object) -> str:
        code = run(["score", *map(str, arguments)])
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        assert err.startswith("rocksteady: ")
        assert err.count("\n") == 1
        return err.removeprefix("rocksteady: ").rstrip("\n")

    return call


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
    report = score(rocr_simple, "--label", "label", "--score", "score")
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
    assert names & set(few) <= set(SUMMARY)
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
    cut = 100_001
    parts = [
        write(predictions[cut:], tmp_path / "b.parquet"),
        write(predictions[:cut].with_columns(pl.col("y").cast(pl.Boolean)), tmp_path / "a.arrow"),
        write(predictions[:0].vstack(predictions[:7]), tmp_path / "c.csv"),
    ]
    again = score(*parts, "--label", "y", "--score", "p")
    assert again["rows"] == whole["rows"] + 7
    split = score(*parts[:2], "--label", "y", "--score", "p", "--threads", 1)
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
    assert report["per_class"]["f1"] == pytest.approx(reference.f1_score(y, c, average=None).tolist())
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
        (["ragged.csv"], "cannot read ragged.csv: found more fields"),
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
        (["rows.csv", "--pos-label", "7"], "--pos-label 7 is none of the labels of 'y': 0, 1"),
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
    assert sentence == f"cannot read {path}: it promises 3 rows, but 2 could be read"


def test_nothing_to_compare(refusal, rocr_simple):
    assert refusal(rocr_simple, "--label", "label").startswith("give --score, --pred or --proba")


def test_many_classes_have_no_positive_one(refusal, tmp_path):
    path = text(tmp_path / "three.csv", "y,c\n0,0\n1,1\n2,2\n")
    assert refusal(path, "--label", "y", "--pred", "c", "--pos-label", 1).startswith("--pos-label needs two classes; ")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(refusal, tmp_path):
    path = Path(text(tmp_path / "secret.csv", "y,p\n0,0.5\n"))
    path.chmod(0)
    assert refusal(path, "--label", "y", "--score", "p").startswith("cannot read ")


# As a person meets it: the program itself.


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
    assert done.stderr == "rocksteady: the command line needs polars; install it with: pip install 'rocksteady[cli]'\n"


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
        "import sys, time, rocksteady.cli.files as f\n"
        "def waits(*_): print('waiting', flush=True); time.sleep(60)\n"
        "f.find = waits\n"
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


def test_no_batch_is_larger_than_promised(predictions, tmp_path):
    path = Path(write(predictions, tmp_path / "rows.parquet"))
    reader = reading.Reader([path], reading.Columns(label="y", scores=("p",)))
    behind: list[int] = []
    sizes = [len(batch.label) for batch in reader.batches(behind.append)]
    assert sum(sizes) == 300_000
    assert max(sizes) <= reading.BATCH_ROWS
    assert behind == sorted(behind)
    assert behind[-1] == path.stat().st_size

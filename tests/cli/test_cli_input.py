"""What the command line reads: standard input, NDJSON, Arrow streams, separators, missing cells; and how it fails."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import PROGRAM, WRITERS, text, write
from hypothesis import given, settings
from hypothesis import strategies as st

from rocksteady.cli.command import run

OPTIONS = ["--label", "y", "--score", "p"]


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(7)
    y = random.integers(0, 2, 5_000)
    return pl.DataFrame({"y": y, "p": np.round(random.random(5_000) * 0.6 + 0.4 * y, 5), "w": random.random(5_000)})


@pytest.fixture
def piped(monkeypatch, score):
    """Score what comes through standard input; gives the report."""

    def call(content: bytes, *arguments: object) -> dict:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return score("-", *arguments)

    return call


def bytes_of(frame: pl.DataFrame, suffix: str) -> bytes:
    memory = io.BytesIO()
    getattr(frame, WRITERS[suffix])(memory)
    return memory.getvalue()


# Standard input.


@pytest.mark.parametrize("suffix", WRITERS)
def test_standard_input_is_as_a_file(score, piped, rows, tmp_path, suffix):
    expected = score(write(rows, tmp_path / f"rows.{suffix}"), *OPTIONS, "--weight", "w")
    assert piped(bytes_of(rows, suffix), *OPTIONS, "--weight", "w") == expected
    shown = "arrow" if suffix == "arrows" else suffix
    assert piped(bytes_of(rows, suffix), *OPTIONS, "--weight", "w", "--format", shown) == expected


@pytest.mark.parametrize("suffix", ["csv", "ndjson"])
def test_compressed_standard_input(piped, rows, suffix):
    content = bytes_of(rows, suffix)
    whole = piped(content, *OPTIONS)
    assert piped(gzip.compress(content), *OPTIONS) == whole
    if sys.version_info >= (3, 14):
        from compression import zstd

        assert piped(zstd.compress(content), *OPTIONS) == whole


def test_standard_input_with_files(score, piped, rows, tmp_path):
    whole = score(write(rows, tmp_path / "whole.csv"), *OPTIONS)
    rest = write(rows[1_234:], tmp_path / "rest.parquet")
    assert piped(bytes_of(rows[:1_234], "ndjson"), rest, *OPTIONS) | {"files": 1} == whole


def test_standard_input_is_named(capsys, monkeypatch):
    for content, sentence in (
        ("y,p\n0,0.5\n1,\n", "standard input, row 2: 'p' is missing"),
        ("", "standard input is empty"),
        ("y,p\n", "standard input has no rows"),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        assert run(["score", "-", *OPTIONS]) == 2
        assert capsys.readouterr() == ("", f"rocksteady: {sentence}\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"y,p\n0,0.5\n1,0.6\n")))
    assert run(["score", "-", *OPTIONS]) == 0
    assert capsys.readouterr().out.startswith("2 rows from standard input; 2 classes: 0, 1; positive: 1\n")


def test_standard_input_once(refusal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"y,p\n0,0.5\n1,0.6\n")))
    assert refusal("-", "-", *OPTIONS) == "- is named twice; standard input can be read once"
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal("-", *OPTIONS) == "standard input is closed"


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
def test_a_named_pipe(score, rows, tmp_path):
    whole = score(write(rows, tmp_path / "rows.csv"), *OPTIONS)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", "rows.csv", "pipe"], cwd=tmp_path):
        assert score(tmp_path / "pipe", *OPTIONS) == whole


def test_no_copy_stays(rows, tmp_path):
    done = subprocess.run(
        [*PROGRAM, "score", "-", *OPTIONS],
        input=bytes_of(rows, "csv"),
        capture_output=True,
        check=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.stderr == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_interrupted_while_standard_input_lasts(tmp_path):
    with subprocess.Popen(
        [*PROGRAM, "score", "-", *OPTIONS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as program:
        for _ in range(600):
            if any(tmp_path.glob("*/rows")):
                break
            time.sleep(0.05)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err.strip()) == (130, b"", b"rocksteady: interrupted")
    assert list(tmp_path.iterdir()) == []


# CSV.


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("y\tp\n0\t0.25\n1\t0.75\n", ["--separator", "tab"]),
        ("y;p\n0;0.25\n1;0.75\n", ["--separator", ";"]),
        ('"y"|"p"\r\n"0"|"0.25"\r\n"1"|"0.75"\r\n', ["--separator", "|"]),
        ("\ufeffy,p\r\n0,0.25\r\n1,0.75\r\n", []),
        ('y,n,p\n0,"a, b\nc",0.25\n1,"say ""so""",0.75\n', []),
    ],
)
def test_dialects_of_csv(score, tmp_path, content, options):
    expected = score(text(tmp_path / "plain.csv", "y,p\n0,0.25\n1,0.75\n"), *OPTIONS)
    assert score(text(tmp_path / "rows.csv", content), *OPTIONS, *options) == expected


def test_columns_without_names_are_numbered(score, refusal, tmp_path):
    expected = score(text(tmp_path / "plain.csv", "y,p\n0,0.25\n1,0.75\n"), *OPTIONS)
    path = text(tmp_path / "rows.csv", "0,x,0.25\n1,x,0.75\n")
    assert score(path, "--no-header", "--label", 1, "--score", 3) == expected
    assert score(text(tmp_path / "t.tsv", "0\t0.25\n1\t0.75\n"), "--no-header", "--label=1", "--score=2") == expected
    sentence = refusal(path, "--no-header", "--label", 1, "--score", 4)
    assert sentence == f"{path} has no column '4'; it has '1', '2', '3'"
    bad = text(tmp_path / "bad.csv", "0,0.25\n1,much\n")
    sentence = refusal(bad, "--no-header", "--label", 1, "--score", 2)
    assert sentence == f"{bad}, row 2: '2' is 'much'; expected a number"


@pytest.mark.parametrize(
    ("name", "content", "options", "sentence"),
    [
        ("a.csv", "y;p\n0;1\n", [], "a.csv has no column 'y'; it has 'y;p'; --separator ';' would find it"),
        ("a.csv", "y\tp\n0\t1\n", [], "a.csv has no column 'y'; it has 'y\\tp'; --separator tab would find it"),
        ("a.csv", "0,0.5\n", [], "a.csv has no column 'y'; it has '0', '0.5'; --no-header numbers the columns"),
        ("a.csv", '{"y":0,"p":1}\n', [], "a.csv has no column 'y'; it has '{\"y\":0', 'p\":1'; --format ndjson reads"),
        ("a.csv", "y,p\n0,1\n", ["--separator", ";;"], "--separator is ';;'; expected one ASCII character"),
        ("a.csv", "y,p\n0,1\n", ["--separator", '"'], "--separator is '\"'; expected one ASCII character"),
        ("a.csv", "y,p\n0,1\n", ["--separator", "é"], "--separator is 'é'; expected one ASCII character"),
        ("a.ndjson", "{}\n", ["--separator", "tab"], "--separator is for CSV; a.ndjson is ndjson"),
        ("a.ndjson", "{}\n", ["--no-header"], "--no-header is for CSV; a.ndjson is ndjson"),
        ("a.ndjson", "{}\n", ["--decimal", ","], "--decimal is for CSV; a.ndjson is ndjson"),
        ("a.csv", "y,p\0\n0,1\n", [], "a.csv is read as csv, but holds bytes that are no text; --format says"),
        ("a.txt", "y,p\n0,1\n", [], "a.txt has an unknown extension; expected CSV"),
        ("a.csv", "y,p\n0,1\n", ["--format", "excel"], "Invalid value for '--format': 'excel'"),
        ("a.csv", "y,p\n,\n,0.5\n0,\n", ["--nan-policy", "omit"], "none of 3 rows has both a label and a score"),
        ("a.csv", "y,p,w\n0,1,\n", ["--nan-policy=omit", "--weight=w"], "a.csv, row 1: 'w' is missing"),
        ("a.csv", "y,p\n,2\n0,inf\n", ["--nan-policy", "omit"], "a.csv, row 2: 'p' is inf; expected a finite number"),
        ("a.csv", "y,p\n0,1\n,1\n1,1\n2,0\n", ["--nan-policy", "omit"], "a.csv, row 4: 'y' is 2, a third class"),
    ],
)
def test_refusals_of_input(refusal, tmp_path, monkeypatch, name, content, options, sentence):
    monkeypatch.chdir(tmp_path)
    text(tmp_path / name, content)
    assert refusal(name, *OPTIONS, *options).startswith(sentence)


def test_any_file_with_a_format(score, rows, tmp_path):
    for suffix, format_ in (("csv", "csv"), ("ndjson", "ndjson"), ("parquet", "parquet"), ("arrows", "arrow")):
        path = Path(write(rows, tmp_path / f"rows.{suffix}"))
        expected = score(path, *OPTIONS)
        assert score(path.rename(tmp_path / "data"), *OPTIONS, "--format", format_) == expected


def test_utf_16_and_latin_1(refusal, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes("y,p\n0,0.5\n".encode("utf-16"))
    assert refusal(path, *OPTIONS) == f"{path} is UTF-16; expected UTF-8, as from: iconv -f UTF-16 -t UTF-8"
    path.write_bytes("y,p\nnø,0.5\nja,0.5\n".encode("latin-1"))
    assert refusal(path, *OPTIONS).startswith(f"cannot read {path}: it is not UTF-8; of Latin-1")


# NDJSON.


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ('{"y":1,"p":0.75}\n{"y":0,"p":0.25}\n', [0, 1]),
        ('{"p":0.75,"y":"1"}\r\n\r\n{"y":0,"p":" 0.25","z":[1,{}]}\r\n{"y":0.0,"p":2.5e-1}', [0, 1]),
        ('{"y":true,"p":0.75}\n{"y":false,"p":0.25}\n', [False, True]),
        ('{"y":true,"p":0.75}\n{"y":0,"p":0.25}\n', ["0", "true"]),
        ('{"y":"yes","p":0.75,"q":1}\n{"y":"no","p":0.25,"q":{"a":1}}\n', ["no", "yes"]),
    ],
)
def test_labels_of_ndjson(score, tmp_path, content, labels):
    path = text(tmp_path / "[rows].ndjson", content)
    report = score(path, *OPTIONS)
    assert report["labels"] == labels
    assert report["roc_auc"] == 1.0
    marked = tmp_path / "marked.jsonl"
    marked.write_text("\ufeff" + content, encoding="utf-8")
    assert score(marked, *OPTIONS) == report


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"y":1,"p":0.5}\n{"y":0}\n', "row 2: 'p' is missing"),
        ('{"y":1,"p":0.5}\n{"y":0,"p":"high"}\n', "row 2: 'p' is 'high'; expected a number"),
        ('{"y":1,"p":0.5}\n\n{"y":0,"p":', 'row 2: \'{"y":0,"p":\' is no JSON; expected one JSON object on each line'),
        ('{"y":1,"p":NaN}\n', 'row 1: \'{"y":1,"p":NaN}\' is no JSON, which has null where Python writes NaN; '),
        ('[{"y":1,"p":0.5}]\n', 'row 1: \'[{"y":1,"p":0.5}]\' is no object; expected one JSON object on each line'),
        ('{"y":1,"p":0.5}\n' * 2_000 + "7\n", "row 2001: '7' is no object; expected one JSON object on each line"),
    ],
)
def test_refusals_of_ndjson(refusal, tmp_path, content, sentence):
    path = text(tmp_path / "rows.ndjson", content)
    assert refusal(path, *OPTIONS).startswith(f"{path}, {sentence}")


def test_a_key_that_comes_late(score, refusal, tmp_path):
    lines = '{"p":0.5}\n' * 3_000 + '{"y":1,"p":0.75}\n{"y":0,"p":0.25}\n'
    path = text(tmp_path / "rows.ndjson", lines)
    assert refusal(path, *OPTIONS) == f"{path} has no column 'y'; it has 'p'"
    report = score(path, *OPTIONS, "--nan-policy", "omit")
    assert (report["rows"], report["rows_left_out"]) == (2, 3_000)


def test_a_damaged_arrow_stream(refusal, rows, tmp_path):
    content = bytes_of(rows, "arrows")
    path = tmp_path / "rows.arrows"
    path.write_bytes(content[: len(content) // 2])
    assert refusal(path, *OPTIONS).startswith(f"cannot read {path}: ")


# Rows without a score or label.


@pytest.fixture(scope="module")
def gaps(rows) -> pl.DataFrame:
    place = pl.int_range(pl.len())
    return rows.with_columns(
        pl.when(place % 7 == 3).then(None).otherwise(pl.col("p")).alias("p"),
        pl.when(place % 11 == 5).then(None).otherwise(pl.col("y")).alias("y"),
    )


@pytest.mark.parametrize("suffix", WRITERS)
def test_rows_are_left_out(score, refusal, rows, gaps, tmp_path, suffix):
    kept = gaps.drop_nulls()
    expected = score(write(kept, tmp_path / f"kept.{suffix}"), *OPTIONS)
    path = write(gaps, tmp_path / f"gaps.{suffix}")
    assert refusal(path, *OPTIONS) == f"{path}, row 6: 'y' is missing"
    left_out = {"rows_left_out": gaps.height - kept.height}
    assert score(path, *OPTIONS, "--nan-policy", "omit") == expected | left_out
    whole = write(rows, tmp_path / f"rows.{suffix}")
    assert score(whole, *OPTIONS, "--nan-policy", "omit") == score(whole, *OPTIONS) | {"rows_left_out": 0}


def test_words_for_missing_cells_of_csv(score, refusal, tmp_path):
    path = text(tmp_path / "rows.csv", 'y,p\nNA,0.5\n1,NaN\n0,0.25\n1,0.75\n"",0.5\n1,nan\nnull,0.5\n0,<NA>\n')
    report = score(path, *OPTIONS, "--nan-policy", "omit")
    assert (report["rows"], report["rows_left_out"], report["labels"]) == (2, 6, [0, 1])
    assert (
        refusal(path, *OPTIONS)
        == f"{path}, row 8: 'p' is '<NA>'; expected a number; --nan-policy omit leaves such rows out"
    )


def test_nan_in_typed_files(score, tmp_path):
    frame = pl.DataFrame({"y": [0.0, 1.0, float("nan"), 1.0], "p": [0.25, 0.75, 0.5, float("nan")]})
    for suffix in ("parquet", "arrow", "arrows"):
        report = score(write(frame, tmp_path / f"rows.{suffix}"), *OPTIONS, "--nan-policy", "omit")
        assert (report["rows"], report["rows_left_out"], report["labels"]) == (2, 2, [0, 1])


def test_all_models_lose_the_same_rows(score, capsys, tmp_path):
    path = text(tmp_path / "rows.csv", "y,p,q,c\n0,0.25,,0\n1,0.75,0.5,1\n1,0.75,0.5,\n0,0.1,0.2,1\n")
    asked = [path, "--label=y", "--score=p", "--score=q", "--pred=c", "--nan-policy", "omit"]
    report = score(*asked)
    assert (report["rows"], report["rows_left_out"]) == (2, 2)
    assert {sum(map(sum, model["confusion_matrix"])) for model in report["models"].values()} == {2}
    assert run(["score", *asked]) == 0
    assert "\nleft out: 2 rows without a score or label\n" in capsys.readouterr().out


@settings(max_examples=40)
@given(
    cells=st.lists(
        st.tuples(st.sampled_from(["0", "1", "1.0", "", "NA"]), st.sampled_from(["0.25", "0.5", "1", "", "nan"])),
        min_size=1,
        max_size=12,
    ),
    cuts=st.sets(st.integers(1, 11), max_size=3),
    formats=st.lists(st.sampled_from(["csv", "ndjson"]), min_size=4, max_size=4),
)
def test_any_cut_gives_the_same(tmp_path_factory, cells, cuts, formats):
    """Rows with gaps, split over CSV and NDJSON files, have the numbers of one CSV file."""
    folder = tmp_path_factory.mktemp("cut")

    def outcome(*paths: str) -> object:
        out = folder / "out.json"
        out.unlink(missing_ok=True)
        code = run(["score", *paths, *OPTIONS, "--nan-policy", "omit", "--json", str(out)])
        return json.loads(out.read_text()) | {"files": 1} if code == 0 else code

    def part(number: int, chosen: list[tuple[str, str]]) -> str:
        if formats[number] == "csv":
            return text(folder / f"{number}.csv", "y,p\n" + "".join(f"{y},{p}\n" for y, p in chosen))
        null = {"": None, "NA": None, "nan": None}
        lines = [json.dumps({"y": null.get(y, y), "p": null.get(p, p)}) for y, p in chosen]
        return text(folder / f"{number}.ndjson", "\n".join(lines) + "\n")

    whole = text(folder / "whole.csv", "y,p\n" + "".join(f"{y},{p}\n" for y, p in cells))
    places = [0, *sorted(cut for cut in cuts if cut < len(cells)), len(cells)]
    parts = [part(number, cells[at:end]) for number, (at, end) in enumerate(pairwise(places))]
    assert outcome(*parts) == outcome(whole)

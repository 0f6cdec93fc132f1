"""CSV as programs write it by default: each is read, or refused with what cures it."""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
from typing import TYPE_CHECKING

import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import text

from rocksteady.cli import cells
from rocksteady.cli.command import run

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = ["--label", "label", "--score", "score"]
COMMAS = ["--separator", ";", "--decimal", ","]
LABELS, SCORES, NAMES = [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.3], ["Lee", "Smith, J", "O'Neil; W", 'Kim "Jo"']
AREA = 0.75


def put(folder: Path, content: bytes, name: str = "rows.csv") -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


PLAIN = b"label,score\n0,0.1\n1,0.9\n0,0.4\n1,0.3\n"
GERMAN = b"label;score\r\n0;0,1\r\n1;0,9\r\n0;4,00E-01\r\n1;0,3\r\n"

READ = {
    "R, write.csv": (
        b'"","name","label","score"\n"1","Lee",0,0.1\n"2","Smith, J",1,0.9\n"3","a",0,0.4\n"4","b",1,0.3\n',
        [],
    ),
    "R, write.csv2": (b'"";"label";"score"\n"1";0;0,1\n"2";1;0,9\n"3";0;0,4\n"4";1;0,3\n', COMMAS),
    "R, write.table(col.names=NA)": (
        b'"" "label" "score"\n"1" 0 0.1\n"2" 1 0.9\n"3" 0 0.4\n"4" 1 0.3\n',
        ["--separator", "space"],
    ),
    "R, data.table and readr": (b'name,label,score\n"Smith, J",0,0.1\nLee,1,0.9\na,0,0.4\nb,1,0.3\n', []),
    "Excel, English": (PLAIN.replace(b"\n", b"\r\n"), []),
    "Excel, CSV UTF-8": (b"\xef\xbb\xbf" + PLAIN.replace(b"\n", b"\r\n"), []),
    "Excel, German": (GERMAN, COMMAS),
    "Excel, French": ("\ufeffréf;label;score\r\né;0;0,1\r\nè;1;0,9\r\n;0;0,4\r\n;1;0,3\r\n".encode(), COMMAS),
    "Excel, Spanish, with blank rows": (GERMAN + b";\r\n;\r\n", COMMAS),
    "Excel, with sep=": (b"\xef\xbb\xbfsep=;\r\n" + GERMAN, ["--decimal", ","]),
    "LibreOffice, all cells quoted": (b'"label","score"\n"0","0.1"\n"1","0.9"\n"0","0.4"\n"1","0.3"\n', []),
    "LibreOffice, decimal commas quoted": (b'label,score\n0,"0,1"\n1,"0,9"\n0,"0,4"\n1,"0,3"\n', ["--decimal", ","]),
    "PostgreSQL, COPY csv header": (b'name,label,score\n"Smith, J",f,0.1\n,t,0.9\n"",f,0.4\na,t,0.3\n', []),
    "PostgreSQL, COPY": (
        b"f\t0.1\nt\t0.9\n\\N\t0.5\nf\t0.4\nt\t0.3\n",
        ["--separator", "tab", "--no-header", "--label", "1", "--score", "2", "--nan-policy", "omit"],
    ),
    "Spark, without a header": (
        b'0,0.1,"a, b"\n1,0.9,\n0,0.4,""\n1,0.3,c\n',
        ["--no-header", "--label", "1", "--score", "2"],
    ),
    "Java, spaces": (b"label, score \n0 , 0.1\n 1,0.9 \n0, 0.4 \n 1 ,0.3\n", ["--score", " score "]),
    "joined files with a mark each": (
        b"\xef\xbb\xbf0,0.1\n1,0.9\n\xef\xbb\xbf0,0.4\n1,0.3\n",
        ["--no-header", "--label", "1", "--score", "2"],
    ),
}


@pytest.mark.parametrize("program", READ)
def test_what_programs_write_is_read(score, monkeypatch, tmp_path, program):
    content, options = READ[program]
    asked = options if "--label" in options else ["--label", "label", *options]
    asked = asked if "--score" in asked else [*asked, "--score", "score"]
    report = score(put(tmp_path, content), *asked)
    assert (report["rows"], report["roc_auc"]) == (4, AREA)
    del report["files"]
    for other in (content + b"\r\n\r\n", content.rstrip(b"\r\n")):
        again = score(put(tmp_path, other), *asked)
        assert {name: again[name] for name in report} == report
    packed = gzip.compress(content)
    again = score(put(tmp_path, packed, "rows.csv.gz"), *asked)
    assert {name: again[name] for name in report} == report
    for piped in (content, packed):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped)))
        again = score("-", "--format", "csv", *asked)
        assert {name: again[name] for name in report} == report


REFUSED = {
    "R, write.csv2": (
        READ["R, write.csv2"][0],
        [],
        "no column 'label'; it has '\";\"label\";\"score'; --separator ';' would find it",
    ),
    "R, write.csv2 with its separator": (
        READ["R, write.csv2"][0],
        COMMAS[:2],
        "row 1: 'score' is '0,1'; expected a number; --decimal , reads",
    ),
    "R, write.table": (b'"label" "score"\n"1" 0 0.1\n', [], "--separator space would find it"),
    "R, write.table with its separator": (
        b'"label" "score"\n"1" 0 0.1\n"2" 1 0.9\n',
        ["--separator", "space"],
        "needs double quotes, and a column of row names a name: write.table of R has col.names=NA",
    ),
    "Excel, German": (GERMAN, [], "it has 'label;score'; --separator ';' would find it"),
    "Excel, Unicode text": (
        PLAIN.replace(b",", b"\t").decode().encode("utf-16"),
        [],
        "is UTF-16; expected UTF-8, as from: iconv -f UTF-16",
    ),
    "Excel, Western": (
        "größe,label,score\n1,0,0.1\n".encode("cp1252"),
        ["--by", "größe"],
        "is not UTF-8; of Latin-1 that comes from: iconv",
    ),
    "Excel, Japanese": (
        "名前,label,score\nあ,0,0.1\n".encode("cp932"),
        [],
        "what Excel writes is CP1252 in Western Europe, CP932 in Japan",
    ),
    "Excel, Macintosh": (
        PLAIN.replace(b"\n", b"\r"),
        [],
        "ends its lines with CR alone; expected LF, as from: tr '\\r' '\\n'",
    ),
    "SQL Server, without a mark": (
        PLAIN.decode().encode("utf-16-le"),
        [],
        "is UTF-16LE; expected UTF-8, as from: iconv -f UTF-16LE",
    ),
    "PostgreSQL, COPY": (b"f\t0.1\nt\t0.9\n", ["--separator", "tab"], "--no-header numbers the columns"),
    "PostgreSQL, COPY with a quote": (
        b'name\tlabel\tscore\n"5 pipe\t0\t0.1\nx\t1\t0.9\n',
        ["--separator", "tab"],
        "double quotes do not come in pairs",
    ),
    "thousands": (b"label;score\n0;1.000\n1;2.000\n", COMMAS, "row 1: 'score' is '1.000'; expected a number"),
    "missing words": (
        b"label,score\n0,0.1\nNA,0.2\n1,0.3\n",
        [],
        "row 2: 'label' is 'NA'; expected whole numbers, as in other rows; --nan-policy omit",
    ),
}


@pytest.mark.parametrize("program", REFUSED)
@pytest.mark.parametrize("packed", [False, True])
def test_what_is_refused_names_its_cure(refusal, tmp_path, program, packed):
    content, options, sentence = REFUSED[program]
    path = put(tmp_path, gzip.compress(content), "rows.csv.gz") if packed else put(tmp_path, content)
    assert sentence in refusal(path, *OPTIONS, *options)


def test_what_data_frames_write(score, tmp_path):
    """pandas, polars, DuckDB and Arrow themselves, where they are there."""
    data = {"name": NAMES, "label": LABELS, "score": SCORES, "none": [None, "a", None, ""]}
    frame = pl.DataFrame(data)
    frame.write_csv(tmp_path / "polars.csv")
    frame.write_csv(tmp_path / "marked.csv", include_bom=True, quote_style="always")
    asked = {name: [] for name in ("polars", "marked")}
    with contextlib.suppress(ImportError):
        import pandas as pd

        pd.DataFrame(data).to_csv(tmp_path / "pandas.csv")
        pd.DataFrame(data).set_index(["name", "none"]).to_csv(tmp_path / "indexed.csv")
        pd.DataFrame(data).to_csv(tmp_path / "commas.csv", sep=";", decimal=",", quoting=1)
        asked |= {"pandas": [], "indexed": [], "commas": COMMAS}
    with contextlib.suppress(ImportError):
        import pyarrow.csv

        pyarrow.csv.write_csv(frame.to_arrow(), tmp_path / "arrow.csv")
        asked["arrow"] = []
    with contextlib.suppress(ImportError):
        import duckdb

        frame.write_parquet(tmp_path / "rows.parquet")
        duckdb.sql(f"COPY (FROM '{tmp_path}/rows.parquet') TO '{tmp_path}/duckdb.csv'")
        asked["duckdb"] = []
    for name, options in asked.items():
        report = score(tmp_path / f"{name}.csv", *OPTIONS, *options)
        assert (report["rows"], report["roc_auc"]) == (4, AREA), name


@pytest.mark.parametrize("row", ["1 ,0.5 ", "1,0.5 ", " 1\u00a0,0.5"])
def test_a_space_far_down(score, tmp_path, row):
    """Rows that polars has parsed before it fails are not read twice."""
    rows = ["label,score", *(f"{place % 2},{place % 7}.0" for place in range(300_000))]
    expected = score(text(tmp_path / "rows.csv", "\n".join([*rows, "1,0.5"])), *OPTIONS)
    assert score(text(tmp_path / "rows.csv", "\n".join([*rows, row])), *OPTIONS) == expected


def test_names_of_several_words_are_no_hint_at_spaces(refusal, tmp_path):
    path = text(tmp_path / "rows.csv", "label of row,score\n0,0.5\n")
    assert refusal(path, *OPTIONS) == f"{path} has no column 'label'; it has 'label of row', 'score'"


def test_marks_and_lines_inside_zstd(score, refusal, tmp_path):
    codec = pytest.importorskip("pyarrow").Codec("zstd")

    def packed(name: str, content: bytes) -> str:
        return put(tmp_path, codec.compress(content, asbytes=True), f"{name}.zst")

    mark, lines = b"\xef\xbb\xbf", b'{"label":0,"score":0.1}\n{"label":1,"score":0.9}\n'
    for content in (lines, mark + lines, mark + lines + mark + lines):
        assert score(packed("rows.ndjson", content), *OPTIONS)["roc_auc"] == 1
    for content in (PLAIN, mark + PLAIN, PLAIN + b"\r\n,\r\n", mark + b"sep=|\n" + PLAIN.replace(b",", b"|")):
        assert score(packed("rows.csv", content), *OPTIONS)["roc_auc"] == AREA
    assert "row 5 has 3 cells, but the header has 2" in refusal(packed("rows.csv", PLAIN + b"1,0.5,"), *OPTIONS)
    assert "UTF-16; expected UTF-8" in refusal(packed("rows.csv", PLAIN.decode().encode("utf-16")), *OPTIONS)


def test_a_mark_between_joined_lines(refusal, score, tmp_path):
    lines = b'{"label":0,"score":0.1}\n{"label":1,"score":0.9}\n'
    sentence = refusal(put(tmp_path, lines + b"\xef\xbb\xbf" + lines, "rows.ndjson"), *OPTIONS)
    assert "row 3: " in sentence
    assert "with a byte order mark that sed 's/^\\xEF\\xBB\\xBF//' takes away" in sentence
    marked = b"\xef\xbb\xbf" + lines
    assert score(put(tmp_path, gzip.compress(marked + marked), "rows.ndjson.gz"), *OPTIONS)["roc_auc"] == 1


def test_a_missing_word_among_classes_of_text(score, capsys, tmp_path):
    path = text(tmp_path / "rows.csv", "label,pred\nyes,no\nNA,yes\nno,NA\nNA,NA\n")
    asked = [path, "--label", "label", "--pred", "pred"]
    assert score(*asked, "--nan-policy", "omit")["rows"] == 1
    assert run(["score", *asked, "--json", str(tmp_path / "out.json")]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"rocksteady: warning: {path}, row {row}: {name!r} is 'NA', which is read as a class; --nan-policy omit leaves "
        "such rows out"
        for row, name in ((2, "label"), (3, "pred"))
    ]


# Rows with too many cells.


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            "name,label,score\nSmith,0,0.5\nSmith, J,1,1\n",
            "row 2 has 4 cells, but the header has 3; a cell with a comma in",
        ),
        ("name,label,score\nSmith,0,0.5\nSmith, J,1,\n", "row 2 has 4 cells"),
        ('name,label,score\nSmith,0,0.5\n"a\n""b",1,0.5\nSmith, J,1,,,\n', "row 3 has 6 cells"),
        ('name,label,score\r\n5" x 3",0,0.5\r\na "x, y" b,1,0.5\r\n', "row 2 has 4 cells"),
        ("label,score,note\n0,0.5,x\n1,0.5,y, z", "row 2 has 4 cells"),
        (
            '\ufeffsep=;\n"la\nbel";label;score\na;0;0.5\nb;c;1;0.5\n',
            "row 2 has 4 cells, but the header has 3; a cell with a semicolon",
        ),
    ],
)
def test_a_row_with_too_many_cells(refusal, tmp_path, content, sentence):
    assert sentence in refusal(text(tmp_path / "rows.csv", content), *OPTIONS)
    headless = content.replace("\ufeffsep=;\n", "").replace("name,label,score", "x,0,0.5")
    if headless[0] == "x":
        said = refusal(text(tmp_path / "none.csv", headless), "--no-header", "--label", "2", "--score", "3")
        assert "but row 1 has 3; a cell with" in said


def test_a_long_row_far_down(refusal, tmp_path):
    rows = ["name,label,score,note", *(f'"Lee, {i}",{i % 2},1,' for i in range(300_000))]
    rows[200_000] = "Lee, J,1,1,"
    path = text(tmp_path / "rows.csv", "\n".join(rows))
    assert "row 200000 has 5 cells, but the header has 4" in refusal(path, *OPTIONS)
    assert "row 200000 has 5 cells, but the header has 4" in refusal(path, "--label", "label", "--pred", "score")


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 1_000])
@pytest.mark.parametrize(
    ("content", "cells_", "expected"),
    [
        (b"a,b\n1,2\n\n\n", 2, 2),
        (b"a,b\n1,2\n\n3,4", 2, 4),
        (b'a,b\r\n"1,\r\n""2",2\r\n,\r\n', 2, 2),
        (b'a,b\n5" x,2\n" ""q"" , ",4\n', 2, 3),
        (b'a,b\n"1","2"\n1,2,\n', 2, (2, 3)),
        (b'a,b\n"1,1",2\n"\n",",",1', 2, (2, 3)),
        (b'a,b\n5" x,2,1\n', 2, (1, 3)),
    ],
)
def test_blocks_of_any_size_have_the_same_rows(content, cells_, expected, size):
    def blocks():
        return (content[at : at + size] for at in range(0, len(content), size))

    if isinstance(expected, int):
        assert list(cells.rows(blocks, cells_, ","))[-1] == expected
        return
    with pytest.raises(cells.TooManyCellsError) as refused:
        list(cells.rows(blocks, cells_, ","))
    assert (refused.value.row, refused.value.cells) == expected

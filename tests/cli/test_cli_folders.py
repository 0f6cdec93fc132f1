"""Folders as Spark, Dask, Hive and Arrow write them: parts without rows, hidden files, keys in the names of folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import WRITERS, text, write

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = ["--label", "label", "--score", "score"]
ROWS = pl.DataFrame({"label": [0, 1, 0, 1], "score": [0.1, 0.9, 0.4, 0.3]})


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "rows").mkdir()
    return tmp_path / "rows"


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_part_may_have_no_rows(score, refusal, folder, suffix):
    path = write(ROWS, folder / f"part-1.{suffix}")
    expected = score(path, *OPTIONS)
    for part in ("part-0", "part-2"):
        write(ROWS.clear(), folder / f"{part}.{suffix}")
    (folder / "part-3.csv").write_bytes(b"")
    for files in (folder, folder / "part-*"):
        assert score(files, *OPTIONS) == expected
    empty = folder / f"part-0.{suffix}"
    assert refusal(path, empty, *OPTIONS) == f"{empty} {'is empty' if suffix == 'ndjson' else 'has no rows'}"
    (folder / f"part-1.{suffix}").unlink()
    assert refusal(folder, *OPTIONS) == f"no file of {folder} has rows"


def test_an_empty_part_may_lack_types(score, folder):
    """As Dask and pandas write columns of no rows."""
    expected = score(write(ROWS, folder / "1.parquet"), *OPTIONS)
    pl.DataFrame({"label": [], "score": []}).write_parquet(folder / "0.parquet")
    text(folder / "2.csv", "label,score\n")
    assert score(folder, *OPTIONS) == expected


def test_hidden_files_are_no_part(score, refusal, folder):
    expected = score(write(ROWS, folder / "1.csv"), *OPTIONS)
    for name in (
        ".1.csv",
        "_1.csv",
        "_temporary/0/1.csv",
        ".ipynb_checkpoints/1.csv",
        "_delta_log/1.parquet",
        "_SUCCESS",
    ):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        text(folder / name, "broken\n")
    assert score(folder, *OPTIONS) == expected
    assert score(write(ROWS, folder / "_2.csv"), *OPTIONS) == expected  # asked for by name
    (folder / "1.csv").unlink()
    assert refusal(folder, *OPTIONS).startswith(f"{folder} holds no file to read")


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("policy", ["raise", "omit"])
def test_keys_in_the_names_of_folders(score, folder, suffix, policy):
    names = {"NA": 4, "north%20east": 3, "__HIVE_DEFAULT_PARTITION__": 2}
    for name, rows in names.items():
        for part in ("_year=2025", "_year=2026"):
            (folder / f"region={name}" / part).mkdir(parents=True)
            write(ROWS[:rows], folder / f"region={name}" / part / f"0.{suffix}")
    (groups,) = [score(folder, *OPTIONS, "--by", "region", "--nan-policy", policy)["groups"]]
    assert (groups["keys"], groups["rows"]) == ({"region": ["NA", "north east", None]}, [8, 6, 4])
    pattern = folder / "region=*" / "*" / f"*.{suffix}"
    groups = score(pattern, *OPTIONS, "--by", "_year", "--by", "region")["groups"]
    assert groups["keys"]["_year"] == ["2025"] * 3 + ["2026"] * 3
    assert groups["rows"] == [4, 3, 2] * 2


def test_a_column_comes_before_the_name_of_its_folder(score, refusal, folder):
    (folder / "region=north").mkdir()
    path = write(ROWS.with_columns(region=pl.lit("south")), folder / "region=north" / "0.csv")
    assert score(path, *OPTIONS, "--by", "region")["groups"]["keys"] == {"region": ["south"]}
    assert refusal(path, "--label", "label", "--score", "area").startswith(f"{path} has no column 'area'")

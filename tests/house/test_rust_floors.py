"""The floors of DESIGN.md hold in the Rust code, and folders and files keep to a size that a reader can hold."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import floors
import pytest

import rocksteady as rs

ROOT = Path(__file__).parents[2]
FLOORS = floors.floors_of((ROOT / "DESIGN.md").read_text())

MOST_FILES = 16
MOST_LINES = 820
REGISTRY = tuple(f"derive/index/{part}" for part in ("rows", "names", "registry", "scale"))


def test_every_folder_and_file_stands_on_a_floor():
    crates = [folder for folder in (ROOT / "src").iterdir() if folder.is_dir()]
    assert {crate.name for crate in crates} == set(floors.CRATES)
    found = {path.stem for crate in crates for path in crate.iterdir() if path.is_dir() or path.suffix == ".rs"}
    assert found - {"lib"} == {floor.split("/")[0] for floor in FLOORS}


def test_nothing_runs_up():
    assert floors.Crate(ROOT / "src").upward(FLOORS) == []


def test_no_two_files_take_from_each_other():
    assert floors.Crate(ROOT / "src").circles() == []


@pytest.fixture
def copy(tmp_path):
    return shutil.copytree(ROOT / "src", tmp_path / "src")


@pytest.mark.parametrize(
    "line", ["use crate::index::find;", "use crate::{base::error::Result, index::registry::{self, find}};"]
)
def test_a_line_that_runs_up_is_found(copy, line):
    column = copy / "count" / "base" / "column.rs"
    column.write_text(f"{column.read_text()}\n{line}\n")
    assert "base::column -> index::registry" in floors.Crate(copy).upward(FLOORS)


def test_a_path_inside_code_that_runs_up_is_found(copy):
    column = copy / "count" / "base" / "column.rs"
    column.write_text(f"{column.read_text()}\nfn up() {{ let _ = super::super::index::find; }}\n")
    assert "base::column -> index::registry" in floors.Crate(copy).upward(FLOORS)


def test_two_files_that_take_from_each_other_are_found(copy):
    exact = copy / "count" / "arith" / "exact.rs"
    exact.write_text(f"{exact.read_text()}\nuse crate::arith::fast_sum::add_one;\n")
    assert any({"arith::exact", "arith::fast_sum"} <= set(circle) for circle in floors.Crate(copy).circles())


def test_imports_of_tests_are_no_arrows(copy):
    column = copy / "count" / "base" / "column.rs"
    column.write_text(f"{column.read_text()}\n#[cfg(test)]\nmod more_tests {{\n    use crate::index::find;\n}}\n")
    assert floors.Crate(copy).upward(FLOORS) == []


def _names_decided_on(source: Path) -> dict[str, set[str]]:
    """The names of indices in Rust outside the registry, but in a look-up of one and as an option of a call."""
    names = {index.name for index in rs.indices() if index.family != "amounts"}
    found = {}
    for file in source.rglob("*.rs"):
        place = file.relative_to(source).as_posix()
        if place.startswith(REGISTRY) or "tests" in place:
            continue
        text = re.sub(r"//.*", "", floors.without_tests(file.read_text()))
        text = re.sub(r'find\(\s*"\w+"\)|\("\w+", ', "", text)
        if used := names & set(re.findall(r'"(\w+)"', text)):
            found[place] = used
    return found


def test_what_an_index_can_do_is_said_in_its_row():
    assert _names_decided_on(ROOT / "src") == {}


@pytest.mark.parametrize(
    "line", ['const FAST: &[&str] = &["brier"];', 'fn f(row: &Index) -> bool { row.name == "brier" }']
)
def test_a_list_of_names_is_found(copy, line):
    sketch = copy / "derive" / "inference" / "widened" / "sketch.rs"
    sketch.write_text(f"{sketch.read_text()}\n{line}\n")
    assert _names_decided_on(copy) == {"derive/inference/widened/sketch.rs": {"brier"}}


def _sources():
    yield from (ROOT / "src").rglob("*.rs")
    yield from (ROOT / "python").rglob("*.py")


def test_no_folder_is_crowded():
    crowded = {}
    for folder in {file.parent for file in _sources()}:
        # A stub is no file of its own.
        files = {file.stem for file in folder.iterdir() if file.suffix in (".rs", ".py", ".pyi")}
        if len(files) > MOST_FILES:
            crowded[str(folder.relative_to(ROOT))] = len(files)
    assert crowded == {}


def test_no_file_is_long_without_a_reason():
    """A longer file says at its head why it is one file: a line that begins with "One file because"."""
    long = {}
    for file in _sources():
        text = file.read_text()
        lines = floors.without_tests(text).count("\n")
        head = "\n".join(text.splitlines()[:40])
        if lines > MOST_LINES and not re.search(r"One file because", head):
            long[str(file.relative_to(ROOT))] = lines
    assert long == {}

"""Each folder lists its files, and the paths and modules that pages and comments name are there."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "rocksteady"
#: Packages without a list: public namespaces whose documentation is for users, and folders with a rule for their files.
WITHOUT_A_LIST = {PACKAGE}

_TABLE = re.compile(
    r"^\| (?:file|module|part|folder) \| (?:owns|metrics of) \|\n\|[-|]+\|\n((?:\|.*\|\n?)+)", re.MULTILINE
)
_QUOTED = re.compile(r"`([^`\s]+)`")
_FILE = re.compile(r"[\w./-]*\w\.(?:rs|pyi?|md|toml|js)")
_MODULE = re.compile(r"(?:crate|rocksteady)(?:(?:::|\.)\w+)+")


def _head(file: Path) -> str:
    """The documentation at the head of a file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".rs":
        return "".join(f"{line}\n" for line in re.findall(r"^//! ?(.*)$", text, re.MULTILINE))
    return f"{ast.get_docstring(ast.parse(text)) or ''}\n"


def _listed(head: str) -> list[str]:
    table = _TABLE.search(head)
    lines = [] if table is None else table[1].splitlines()
    return [name for line in lines for name in re.findall(r"`(?:mod@)?(\w+)`", line.split("|")[1])]


def _there(head: Path) -> list[str]:
    """The files and folders that the head of a folder lists: not tests, and not what has no code."""
    code = [path for path in head.parent.iterdir() if path.suffix == head.suffix or any(path.glob(f"*{head.suffix}"))]
    return sorted({path.stem for path in code} - {"mod", "lib", "tests", "__init__", "__main__"})


HEADS = [
    *(ROOT / "src").rglob("mod.rs"),
    *(file for file in PACKAGE.rglob("__init__.py") if file.parent not in WITHOUT_A_LIST),
]


@pytest.mark.parametrize("head", HEADS, ids=lambda head: str(head.parent.relative_to(ROOT)))
def test_every_folder_lists_its_files(head):
    assert sorted(_listed(_head(head))) == _there(head)


def test_a_list_is_read():
    assert len(HEADS) > 60
    assert _listed("A folder.\n\n| file | owns |\n|---|---|\n| [`a`], `b` | x, not `c` |\n| [`mod@d`] | y |\n") == list(
        "abd"
    )


TRACKED = [
    Path(line)
    for line in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
]
PATHS = {f"/{path}" for path in TRACKED} | {f"/{parent}/" for path in TRACKED for parent in path.parents}


def _exists(name: str) -> bool:
    """Whether the end of some path of the project has this name."""
    return any(path.endswith(f"/{name.removeprefix('./')}") for path in PATHS)


def _has(module: str) -> bool:
    """Whether a module is there, and the next part of its name is a word of its file."""
    first, *rest = re.split(r"::|\.", module)
    roots = [ROOT / "src" / "count", ROOT / "src" / "derive"] if first == "crate" else [PACKAGE]
    for root in roots:
        place, names = root, list(rest)
        if first == "crate" and not (place / names[0]).is_dir():
            continue
        while names and (place / names[0]).is_dir():
            place /= names.pop(0)
        heads = [*place.glob("mod.rs"), *place.glob("lib.rs"), *place.glob("__init__.py*")]
        files = [
            file for suffix in (".rs", ".py", ".pyi") if names and (file := place / f"{names[0]}{suffix}").is_file()
        ]
        if not names or files or any(re.search(rf"\b{names[0]}\b", file.read_text(encoding="utf-8")) for file in heads):
            return True
    return False


def _said(file: Path) -> str:
    """What a page says, or the comments and strings of documentation of a file of code."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".rs":
        return "\n".join(re.findall(r"//[!/]?(.*)$", text, re.MULTILINE))
    if file.suffix == ".py":
        nodes = [
            node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        ]
        return "\n".join(ast.get_docstring(node) or "" for node in nodes)
    return re.sub(r"^```diff.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def _missing(text: str) -> list[str]:
    names = _QUOTED.findall(text)
    files = [name for name in names if _FILE.fullmatch(name) and not _exists(name)]
    return files + [name for name in names if _MODULE.fullmatch(name) and not _FILE.fullmatch(name) and not _has(name)]


def test_every_path_on_paper_is_there():
    code = [*(ROOT / "src").rglob("*.rs"), *PACKAGE.rglob("*.py")]
    missing = {file: _missing(_said(file)) for file in (ROOT / "DESIGN.md", ROOT / "CONTRIBUTING.md", *code)}
    assert {str(file.relative_to(ROOT)): names for file, names in missing.items() if names} == {}


def test_a_wrong_path_is_found():
    there = "`base/dtype.rs`, `crate::base::dtype`, `rocksteady.metrics._precision_recall`, `f1.py` is no path: `x.y`"
    assert _missing(there) == ["f1.py"]
    assert _missing("`rocksteady/_containers.py` and `crate::base::dtypes`") == [
        "rocksteady/_containers.py",
        "crate::base::dtypes",
    ]


def test_tests_lie_in_folders_of_the_same_names():
    subjects = {
        folder.name for home in (PACKAGE, ROOT / "src" / "derive") for folder in home.iterdir() if folder.is_dir()
    }
    others = {"everywhere", "house", "papers", "conformance", "data", "fuzz"}
    folders = {file.parent for file in (ROOT / "tests").rglob("test_*.py")}
    assert len(folders) > 15
    assert {folder.name for folder in folders} - subjects <= others
    assert ROOT / "tests" not in folders

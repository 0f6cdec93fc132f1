"""Every example in a docstring, the README and the guides is run, and must show what it says."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import importlib.util
import io
import json
import pkgutil
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocksteady
from rocksteady.registry.registry import _built_in

ROOT = Path(__file__).parents[2]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
DOCS = [page for folder in ("", "papers", "tasks") for page in sorted((ROOT / "docs" / folder).glob("*.md"))]
DOCS = [page for page in DOCS if page.name != "index.md"]  # which the site makes of README.md
PAGES = [page for page in (ROOT / "README.md", ROOT / "DESIGN.md", *DOCS) if page.exists()]


def _modules() -> list[str]:
    inner = pkgutil.walk_packages(rocksteady.__path__, "rocksteady.")
    return ["rocksteady", *(module.name for module in inner if not module.name.endswith("__main__"))]


def _examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found: dict[str, doctest.DocTest] = {}
    for name in _modules():
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as missing:  # an extra that is not installed
            if missing.name is not None and missing.name.startswith("rocksteady"):
                raise
            continue
        for test in finder.find(module, name):
            if test.examples:
                found[test.name] = test
    return list(found.values())


def _run(test: doctest.DocTest) -> None:
    report: list[str] = []
    known = {row.name for row in rocksteady.indices()}
    outcome = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=report.append)
    for name in {row.name for row in rocksteady.indices()} - known:  # which other tests do not expect
        rocksteady.undefine_index(name)
    if "matplotlib.pyplot" in sys.modules:  # which complains of many open figures
        sys.modules["matplotlib.pyplot"].close("all")
    assert outcome.failed == 0, "".join(report)


@pytest.mark.parametrize("test", _examples(), ids=lambda test: test.name)
def test_docstring(test: doctest.DocTest) -> None:
    _run(test)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path) -> None:
    """The python blocks of a page with prompts are one session, from top to bottom."""
    _run(doctest.DocTestParser().get_doctest(_session(page), {}, page.name, str(page), 0))


def _session(page: Path) -> str:
    """The examples of a page. A block below ``<!-- needs NAME -->`` is left out where that module is not installed."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^<!-- needs ([^\n]*) -->\n)?^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return "\n".join(block for needs, block in blocks if ">>>" in block and all(map(_is_there, needs.split())))


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


MOVING = {"scikit-learn.md": "sklearn", "tasks/from-pycm.md": "pycm", "tasks/from-r.md": None}
"""The pages that say what takes the place of what in another package, and the package, if it is one of Python's."""


@pytest.mark.parametrize("name", MOVING)
def test_what_takes_the_place_of_what(name: str) -> None:
    """Each call in a table works, with the names of the page's examples. Where both sides are calls they agree."""
    page = ROOT / "docs" / name
    if not page.exists():
        pytest.skip("a source distribution has no docs/")
    if MOVING[name] is not None:
        pytest.importorskip(MOVING[name])
    names: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(_session(page)):
        exec(example.source, names)
    tried = 0
    for row in re.findall(r"^\| (.+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE):
        theirs, *ours = ([*re.findall(r"`([^`]+)`", cell)] for cell in row.split(" | "))
        calls = [call for cell in ours for call in cell if "..." not in call and not call.startswith("theirs")]
        found = [eval(call, names) for call in calls]
        tried += len(found)
        if MOVING[name] is not None and len(theirs) == len(found) == 1 and "..." not in theirs[0]:
            expected = eval(theirs[0], names)
            if np.asarray(expected).dtype.kind in "biuf":
                np.testing.assert_allclose(found[0], expected, rtol=1e-12, err_msg=row)
            else:
                assert found[0] == expected, row
    assert tried >= 20


@pytest.mark.parametrize("script", sorted((ROOT / "examples" / "gallery").glob("*.py")), ids=lambda script: script.stem)
def test_gallery(script: Path) -> None:
    """An example of the gallery runs, and draws something."""
    pyplot = _pyplot()
    runpy.run_path(str(script))
    assert pyplot.get_fignums()
    pyplot.close("all")


def test_the_tour_shows_what_its_cells_give() -> None:
    """The cells of the notebook run from top to bottom, and print what is stored below them."""
    notebook = ROOT / "examples" / "tour.ipynb"
    if not notebook.exists():
        pytest.skip("a source distribution has no examples/")
    pyplot = _pyplot()
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 10
    names: dict[str, object] = {}
    for cell in cells:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            shown = _run_cell("".join(cell["source"]), names)
        stored = {"stream": "", "execute_result": ""}
        for output in cell["outputs"]:
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            stored[output["output_type"]] = stored.get(output["output_type"], "") + "".join(text)
        assert printed.getvalue() == stored["stream"]
        if " object at 0x" not in shown:  # IPython breaks lines where repr does not
            assert shown.split() == stored["execute_result"].split()
    assert any(output for cell in cells for output in cell["outputs"] if "image/png" in output.get("data", {}))
    pyplot.close("all")


def _run_cell(source: str, names: dict[str, object]) -> str:
    """What the last expression of a cell shows; nothing after a semicolon or where it is None."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "tour", "exec"), names)
    if last is None:
        return ""
    value = eval(compile(ast.Expression(last.value), "tour", "eval"), names)
    return "" if value is None or source.rstrip().endswith(";") else repr(value)


def _pyplot() -> Any:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    return importlib.import_module("matplotlib.pyplot")


def test_every_function_of_scikit_learn_has_its_place() -> None:
    page = ROOT / "docs" / "scikit-learn.md"
    if not page.exists():
        pytest.skip("a source distribution has no docs/")
    named = set(re.findall(r"\w+", page.read_text(encoding="utf-8")))
    assert set(rocksteady.metrics.__all__) <= named


SHELL = re.compile(r"^<!-- runs if (--\S+), exit (\d+) -->\n```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [page for page in PAGES if SHELL.search(page.read_text(encoding="utf-8"))])
def test_shell(page: Path) -> None:
    """The commands of a page end with the exit code that the comment above them says."""
    program = [sys.executable, "-m", "rocksteady"]
    options = subprocess.run([*program, "score", "--help"], capture_output=True, text=True).stdout
    for option, code, command in SHELL.findall(page.read_text(encoding="utf-8")):
        if option not in options:
            pytest.skip(f"this version has no {option}")
        done = subprocess.run([*program, *shlex.split(command)[1:]], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == int(code), f"{command}: {done.returncode}\n{done.stderr}"


@pytest.mark.parametrize("maker", ["speed.py", "intervals.py"])
def test_made_pages_are_fresh(maker: str) -> None:
    """Made in a process of its own: other tests may have defined indices."""
    if not (ROOT / "docs").exists():
        pytest.skip("a source distribution has no docs/")
    done = subprocess.run([sys.executable, ROOT / "docs" / maker, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_readme_is_short_enough_to_be_read() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def _linked(page: Path, text: str | None = None) -> list[Path]:
    """The files that a page links."""
    found = re.findall(r"\]\(([^)#\s]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8") if text is None else text)
    return [(page.parent / target).resolve() for target in found if ":" not in target]


def test_each_page_is_listed_once() -> None:
    """README links no page twice, and its list at most 15; docs/guides.md lists every page that README's head does not."""
    if not (ROOT / "docs").exists():
        pytest.skip("a source distribution has no docs/")
    readme, guides = ROOT / "README.md", ROOT / "docs" / "guides.md"
    linked = _linked(readme)
    assert len(linked) == len(set(linked))
    assert (
        len(_linked(readme, readme.read_text(encoding="utf-8").partition("## Documentation")[2])) <= 15 + 2
    )  # licences
    listed = [page for page in _linked(guides) if page.suffix == ".md"]
    assert len(listed) == len(set(listed))
    apart = {guides, ROOT / "docs" / "first-steps.md"}
    assert {page for page in listed if page.is_relative_to(ROOT / "docs")} == {
        *(page.resolve() for page in DOCS if page not in apart),
        ROOT / "docs" / "indices" / "README.md",
    }


def test_links_of_the_pages_lead_somewhere() -> None:
    if not (ROOT / "docs").exists():
        pytest.skip("a source distribution has no docs/")
    others = [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "examples/README.md")]
    for page in (*PAGES, *others, ROOT / "examples" / "tour.ipynb"):
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not target.startswith(("http:", "https:")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md"])
def test_pages_say_how_many_indices_have_intervals(page):
    rows = list(_built_in().values())
    with_intervals = sum(bool(row.intervals) for row in rows)
    assert f"{with_intervals} of {len(rows)}" in (ROOT / page).read_text()

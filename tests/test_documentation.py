"""Every example in a docstring, the README and the guides is run, and must show what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import rocksteady

ROOT = Path(__file__).parent.parent
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
DOCS = [*sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "papers").glob("*.md"))]
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
    outcome = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=report.append)
    if "matplotlib.pyplot" in sys.modules:  # which complains of many open figures
        sys.modules["matplotlib.pyplot"].close("all")
    assert outcome.failed == 0, "".join(report)


@pytest.mark.parametrize("test", _examples(), ids=lambda test: test.name)
def test_docstring(test: doctest.DocTest) -> None:
    _run(test)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path) -> None:
    """The python blocks of a page with prompts are one session, from top to bottom."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    session = "\n".join(block for block in blocks if ">>>" in block)
    _run(doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0))


def test_links_of_the_pages_lead_somewhere() -> None:
    if not (ROOT / "docs").exists():
        pytest.skip("a source distribution has no docs/")
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not target.startswith(("http:", "https:")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"

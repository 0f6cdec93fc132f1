"""What the site needs beside the pages of docs/: copies of the pages of the root, the API, and formulas as MathML.

* docs/index.md gets README.md, and docs/_project/ gets DESIGN.md, CONTRIBUTING.md, … and the notebook: Sphinx reads only what is
  below docs/.
* docs/_api/ gets a page for each public module, with a list of its public names by subject.
* Links to pages of the root, which GitHub shows, lead to their copies; GitHub's formulas become MyST's.
* A page that lists other pages has them below it in the navigation, under its headings.
* Docstrings are plain text with Markdown's tables, not reStructuredText.

What is written is git-ignored. conf.py calls all of this.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent
ROOT = DOCS.parent

#: Pages of the root, by their names in docs/_project/.
PROJECT = {
    "design.md": ROOT / "DESIGN.md",
    "contributing.md": ROOT / "CONTRIBUTING.md",
    "changelog.md": ROOT / "CHANGELOG.md",
    "security.md": ROOT / "SECURITY.md",
    "examples.md": ROOT / "examples" / "README.md",
    "tour.ipynb": ROOT / "examples" / "tour.ipynb",
}
#: Where the site has a page of the repository.
PLACES = {source: DOCS / "_project" / name for name, source in PROJECT.items()} | {
    ROOT / "README.md": DOCS / "index.md",
}
#: Pages whose links are the pages below them, in their order.
PARENTS = ("guides", "indices/README")
#: What stands in the head of each page of the site.
HEAD = {
    "Start": "first-steps",
    "Tour": "_project/tour",
    "All pages": "guides",
    "Gallery": "gallery/index",
    "Indices": "indices/README",
    "API": "_api/index",
}


LINK = re.compile(r"\[(?P<text>(?:!\[[^\[\]]*\]\([^)]*\)|[^\[\]])*)\]\((?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def links_moved(text: str, place: Path, new_place: Path) -> str:
    """The text of a page at another place, whose links lead to where the site has their targets."""

    def moved(link: re.Match[str]) -> str:
        target = (place.parent / link["path"]).resolve()
        if ":" in link["path"] or not target.exists():
            return link[0]
        words = LINK.sub(moved, link["text"])  # a picture within a link
        if target.is_dir():  # GitHub lists it, the site cannot
            return words
        path = os.path.relpath(PLACES.get(target, target), new_place.parent)
        return f"[{words}]({path}{link['anchor'] or ''})"

    return LINK.sub(moved, text)


def copy_project() -> None:
    """Copy README.md to docs/index.md, and the other pages of the root to docs/_project/."""
    home, text = DOCS / "index.md", (ROOT / "README.md").read_text(encoding="utf-8")
    pages = "\n".join(f"{words} <{page}>" for words, page in HEAD.items())
    metadata = "---\nhtml_theme.sidebar_secondary.remove: true\n---\n\n"
    _write(home, f"{metadata}{links_moved(text, ROOT / 'README.md', home)}\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n")
    for name, source in PROJECT.items():
        new = DOCS / "_project" / name
        _write(new, links_moved(source.read_text(encoding="utf-8"), source, new))


def adapt(app: Sphinx, name: str, source: list[str]) -> None:
    """Give a page the links, the formulas and the navigation of the site."""
    path = Path(app.env.doc2path(name))
    if path.suffix != ".md":
        return
    text = links_moved(source[0], path, path)
    text = re.sub(r"\$`(.+?)`\$", r"{math}`\1`", text)
    text = re.sub(
        r"^(```python\n.*?)\n+(\n```)$", r"\1\2", text, flags=re.DOTALL | re.MULTILINE
    )  # doctest wants the line
    text = text.replace("```floors\n", "```text\n")  # a name that DESIGN.md has for its test
    if name in PARENTS:
        app.env.note_reread()
        text += _navigation(name, text)
    source[0] = text


def _navigation(name: str, text: str) -> str:
    """The pages that a page links, as the pages below it: under its headings, where it has several."""
    found = {}
    above = set(HEAD.values()) - {name}
    for part in re.split(r"^## ", text, flags=re.MULTILINE):
        paths = (link["path"] for link in LINK.finditer(part))
        pages = [path for path in dict.fromkeys(paths) if re.search(r"\.(md|ipynb)$", path)]
        found[part.partition("\n")[0]] = [page for page in pages if page.rpartition(".")[0] not in above]
    if name == "guides":  # and every page of docs/ that no other page lists, also one that is new
        listed = {page for pages in found.values() for page in pages} | {"index.md", "guides.md"}
        new = [page.name for page in sorted(DOCS.glob("*.md")) if page.name not in listed and page.stem not in above]
        found["More"] = new
    else:
        found = {"": list(dict.fromkeys(page for pages in found.values() for page in pages))}
    trees = []
    for heading, pages in found.items():
        if pages:
            caption = f":caption: {heading}\n" if heading else ""
            trees.append("\n```{toctree}\n:hidden:\n" + caption + "\n" + "\n".join(pages) + "\n```\n")
    return "".join(trees)


def plain_docstring(app: Sphinx, what: str, name: str, found: object, options: object, lines: list[str]) -> None:
    """Write a docstring's tables as reStructuredText has them, and keep its bars (``|a - b|``) as they are."""
    del app, what, name, found, options
    new: list[str] = []
    is_example = False
    for line in lines:
        is_example = line.lstrip().startswith(">>>") or (is_example and bool(line.strip()))
        if is_example:
            new.append(line)
        elif re.fullmatch(r"\s*\|.*\|\s*", line):
            cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
            if set("".join(cells)) <= set("-:"):
                continue
            if not (new and new[-1].startswith("     - ")):
                new += [".. list-table::", "   :header-rows: 1", ""]
            new += [f"   * - {cells[0]}", *(f"     - {cell}" for cell in cells[1:])]
        else:
            new.append(line.replace("|", "\\|"))
    lines[:] = new


def _write(path: Path, text: str) -> None:
    """Write a file only if it changes, because Sphinx reads a page again if it is newer."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


# The API

#: The headings of the pages of `rocksteady` and `rocksteady.results`, with the folders and modules whose names stand below them.
SUBJECTS = {
    "Evaluation": ("evaluation", "models"),
    "Confusion matrices, counts and costs": ("labels",),
    "Scores: tables, thresholds, gains, calibration": ("scores",),
    "Curves": ("scores.curves",),
    "Several classes, several labels": ("classes",),
    "Groups, queries, costs by row": ("groups", "queries", "costs"),
    "Comparison": ("comparison",),
    "Indices": ("registry",),
    "Intervals": ("inference",),
    "Windows and sums": ("windows", "merging"),
    "scikit-learn": ("patching",),
    "Errors": ("errors",),
}
OTHERS = "Tables and threads"
MODULES = {
    "results": "what calls return",
    "scores": "functions of scores",
    "costs": "decisions of least cost",
    "comparison": "two indices against each other",
    "fairness": "differences between groups, and fairlearn's names",
    "inference": "how sure a value is, and whether models differ",
    "metrics": "scikit-learn's functions",
    "plot": "plots",
    "spark": "evaluation on Spark",
    "dask": "evaluation on Dask",
    "engines": "the four functions of any engine, and SQL",
    "callbacks": "training loops",
    "pycm": "PyCM's names",
    "errors": "exceptions",
    "settings": "memory that is kept",
}

API = """\
API reference
=============

The public names of rocksteady. Names that are not here, or that start with an underscore, may change in any version.

.. toctree::
   :hidden:

   {pages}

.. currentmodule:: rocksteady

"""


def write_api() -> None:
    """Write a page for `rocksteady` and one for each public module."""
    text = API.format(pages="\n   ".join(MODULES))
    for module, about in MODULES.items():
        text += f"- :doc:`rocksteady.{module} <{module}>`: {about}\n"
        name = f"rocksteady.{module}"
        page = f"{name}\n{'=' * 40}\n\n.. automodule:: {name}\n   :no-members:\n\n"
        page += _by_subject(name) if module == "results" else _summary(import_module(name).__all__, name)
        _write(DOCS / "_api" / f"{module}.rst", page)
    _write(DOCS / "_api" / "index.rst", text + _by_subject("rocksteady"))


def _by_subject(module: str) -> str:
    """The names of a module below the headings of their subjects."""
    headings = {place: heading for heading, places in SUBJECTS.items() for place in places}
    groups: dict[str, list[str]] = {heading: [] for heading in [*SUBJECTS, OTHERS]}
    found = import_module(module)
    for name in found.__all__:
        if name not in MODULES and not name.startswith("_"):
            parts = getattr(found, name).__module__.split(".")[1:]
            groups[headings.get(".".join(parts[:2])) or headings.get(parts[0], OTHERS)].append(name)
    return "".join(
        f"\n{heading}\n{'-' * len(heading)}\n\n{_summary(names, module)}" for heading, names in groups.items() if names
    )


def _summary(names: list[str], module: str) -> str:
    lines = "\n   ".join(sorted(names, key=str.lower))
    return f".. currentmodule:: {module}\n\n.. autosummary::\n   :toctree: {module}\n\n   {lines}\n"


# Formulas as MathML, which browsers typeset without a script.


def inline_math(translator: Any, node: nodes.math) -> None:
    """Write a formula within a paragraph."""
    translator.body.append(convert(node.astext()))
    raise SkipNode


def block_math(translator: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise SkipNode

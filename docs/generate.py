"""The reference of indices, docs/indices/, from the registry, docs/charts.md and docs/names-elsewhere.md.

    python docs/generate.py            # write the pages (make reference)
    python docs/generate.py --check    # say which are not as the registry has them, and write nothing

Formulas are typeset by formula.py, beside this file. One that does not keep to the grammar stops the generation.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parent))  # its neighbours, also when a test loads this file

import formula
from made import write_or_check

import rocksteady as rs
from rocksteady.charts.curves import CURVES

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "indices"
WIDE = 72  # a chain of equations whose text is longer is set one below the other

MADE = (
    "<!-- Made from the registry by docs/generate.py (make reference): edit the row in src/derive/index/rows/, not this "
    "page. -->\n"
)
INTRODUCTION = """\
# The indices

{count} indices, by family. Each is one row of the registry; these pages are generated from it. In Python
`rocksteady.indices("words")` searches the same rows, and `help(rocksteady.index("mcc"))` explains one; on the command line
`rocksteady indices mcc` does. The names that other packages use find their row, too.

In the formulas tp, fp, fn and tn are the true and false positives and negatives and $`n`$ their sum. Of a confusion matrix of
$`K`$ classes $`M_{{ij}}`$ is the amount of rows of class $`i`$ that were predicted to be of class $`j`$, $`t_i`$ and
$`p_j`$ are the sums of its rows (the actual classes) and columns (the predicted), and $`T`$ is the sum of all. A name such as
"recall" is the index of that name.

What an index can be read from:

| form | the index of |
|---|---|
| counts | a 2×2 table: two classes, each class against the rest, each threshold, each element of `Counts` |
| matrix | a whole confusion matrix, and so of two classes at each threshold as well |
| class | a class within the whole matrix |
| scores | a table of all scores |
| probabilities | scores that are probabilities |
| score_tables | the scores of several classes |
| queries | the ranked list of each query; its value is the mean over the queries |
| costs | what each row costs, where costs differ by row |

"""


def names_of(rows: Iterable[rs.results.Index]) -> dict[str, rs.results.Index]:
    """Every name and alias with its row."""
    return {name: row for row in rows for name in (row.name, *row.aliases)}


class Reference:
    """The pages of some rows."""

    def __init__(self, rows: Iterable[rs.results.Index]) -> None:
        self.rows = tuple(rows)
        self.names = names_of(self.rows)
        self.families: dict[str, list[rs.results.Index]] = {}
        self.read = self._read()
        for row in self.rows:
            self.families.setdefault(row.family, []).append(row)

    def pages(self) -> dict[str, str]:
        """Name of the file to its text."""
        found = {f"{family}.md": self._family(family, rows) for family, rows in self.families.items()}
        return {"README.md": self._overview(), **found}

    # The overview

    def _overview(self) -> str:
        parts = [MADE, INTRODUCTION.format(count=len(self.rows))]
        for family, rows in self.families.items():
            parts.append(f"## [{heading(family)}]({family}.md)\n\n{prose(preface(family))}\n\n")
            parts += [f"- {self.link(row.name)}: {prose(row.title)}\n" for row in rows]
            parts.append("\n")
        parts.append("## Every name\n\n")
        by_letter: dict[str, list[str]] = {}
        for name in sorted(self.names):
            by_letter.setdefault(name[0].upper(), []).append(self.link(name))
        parts += [f"**{letter}** {' · '.join(links)}\n\n" for letter, links in by_letter.items()]
        return "".join(parts).rstrip("\n") + "\n"

    def link(self, name: str, text: str | None = None) -> str:
        """A link to the row that a name finds."""
        row = self.names[name]
        return f"[{text or f'`{name}`'}]({row.family}.md#{row.name})"

    # A family

    def _family(self, family: str, rows: list[rs.results.Index]) -> str:
        parts = [MADE, f"# {heading(family)}\n\n{prose(preface(family))} [All indices](README.md).\n\n"]
        parts += [f"- {self.link(row.name)}: {prose(row.title)}\n" for row in rows]
        parts += [f"\n{self._index(row)}" for row in rows]
        return "".join(parts)

    def _index(self, row: rs.results.Index) -> str:
        also = f"; also {', '.join(f'`{alias}`' for alias in row.aliases)}" if row.aliases else ""
        lines = [f"## {row.name}", "", f"**{prose(row.title)}**{also}", ""]
        lines += self.typeset(row)
        if row.about:
            lines += [prose(row.about), ""]
        shown = ""
        for title, text in row.facts():
            if title == "Read from":
                continue
            said = self._fact(title, text, row)
            if title == shown:
                lines[-1] += f"; {said}"
            else:
                lines.append(f"- **{title}** {said}")
            shown = title
        lines.append(f"- **Read from** [{', '.join(row.forms)}](README.md)")
        return "\n".join(lines) + "\n"

    def _fact(self, title: str, text: str, row: rs.results.Index) -> str:
        """A fact about a row, with links."""
        if title == "Law":
            start, _, last = text.rpartition(" ")
            if last == row.name:
                return f"{start} the same"
            return f"{prose(start)} {self.link(last)}" if last in self.names else prose(text)
        if title == "Parameter":
            name, rest = re.split(r"(?=\W)", text, maxsplit=1)
            return f"`{name}`{prose(rest)}"
        if title in ("Source", "Scale"):
            return linked(text)
        return prose(text.replace("inf ", "∞ ").replace("inf;", "∞;") if title == "Range" else text)

    # Formulas

    def _read(self) -> dict[str, tuple[formula.Form, ...]]:
        """The formulas by row, read."""
        read, refused = {}, []
        for row in self.rows:
            known = {*self.names, *(parameter.name for parameter in row.parameters)}
            try:
                read[row.name] = formula.forms(row.formula, known)
            except formula.FormulaError as error:
                refused.append(f"the formula of {row.name} ({row.family}): {error}")
        if refused:
            raise SystemExit("\n".join(refused))
        return read

    def typeset(self, row: rs.results.Index) -> Iterator[str]:
        """The lines that show a row's formula."""
        for form in self.read[row.name]:
            explained = ", ".join(self._inline(clause) for clause in form.explained)
            if form.main.links[0].pieces is not None:
                yield ", ".join(filter(None, (self._inline(form.main), explained))) + "."
            else:
                yield from displays(form.main)
                if explained:
                    yield ""
                    yield f"where {explained.removeprefix('where ')}."
            yield ""
        used = dict.fromkeys(name for form in self.read[row.name] for name in form.names if self._is_other(name, row))
        if used:
            yield f"Of {', '.join(self.link(name) for name in used)}."
            yield ""

    def _is_other(self, name: str, row: rs.results.Index) -> bool:
        """Whether a name in a formula is another index."""
        is_count = name in formula.COUNTS or name in {parameter.name for parameter in row.parameters}
        return not is_count and len(name) > 1 and name in self.names and self.names[name] != row

    def _inline(self, clause: formula.Clause) -> str:
        """A clause within a paragraph."""
        if all(link.pieces is None for link in clause.links):
            return math(clause.formula)
        found = []
        for link in clause.links:
            if link.pieces is None:
                found.append(math(link.formula))
            else:
                said = (math(piece.strip()) if is_formula else prose(piece) for is_formula, piece in link.pieces)
                found.append("".join(said).strip())
        return " = ".join(found)


def displays(clause: formula.Clause) -> Iterator[str]:
    """A clause as blocks of mathematics: one, or one for each equation of a long chain."""
    formulas = [link.formula for link in clause.links]
    if sum(len(re.sub(r"\\[a-z]+|[{}]", "", text)) for text in formulas) <= WIDE:
        formulas = [" = ".join(formulas)]
    for place, text in enumerate(formulas):
        equals = "= " if place or clause.continues else ""
        yield f"```math\n{equals}{text}\n```"


def math(latex: str) -> str:
    """LaTeX within a paragraph, in the form of GitHub that Markdown leaves alone."""
    return f"$`{latex}`$"


def prose(text: str) -> str:
    """Text with what Markdown would take for its own marked as text."""
    text = re.sub(r"([\\*<>\[\]`|~$])", r"\\\1", text)
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", text)


def linked(source: str) -> str:
    """A source, its DOIs linked."""
    parts = []
    for place, part in enumerate(re.split(r"doi:(\S+)", source)):
        if place % 2 == 0:
            parts.append(prose(part))
            continue
        doi = part.rstrip(".,;")
        if doi.endswith(")") and "(" not in doi:
            doi = doi[:-1]
        parts.append(f"[doi:{prose(doi)}](https://doi.org/{quote(doi, safe='/:;.-_')}){part[len(doi) :]}")
    return "".join(parts)


def heading(family: str) -> str:
    """A family's name as a heading."""
    return family.replace("_", " ").capitalize()


def preface(family: str) -> str:
    """What a family holds: the first paragraph of its file."""
    rows = ROOT / "src" / "derive" / "index" / "rows"
    places = (rows / f"{family}.rs", rows / family / "mod.rs", rows / "scores" / f"{family}.rs")
    file = next(place for place in places if place.exists())
    lines = file.read_text(encoding="utf-8").splitlines()
    first = []
    for line in lines:
        if line.rstrip() in ("", "//!") or not line.startswith("//!"):
            break
        first.append(line.removeprefix("//!").strip())
    if not first:
        raise SystemExit(f"{file} must begin with a sentence (//!) on what its indices are")
    return " ".join(first)


CHARTS = """\
<!-- Made from python/rocksteady/charts/curves.py by docs/generate.py (make reference): edit the description, not this page. -->
# The curves

What the chart of each curve shows, and how to draw it. Every display draws several models or classes, too: see
[plots](plots.md). [Reports](report.md) have all of these charts.
"""


def charts() -> str:
    """The page of all charts with one curve for each model, from their descriptions."""
    parts = [CHARTS]
    for curve in CURVES:
        parts += [
            f"## {curve.title}\n",
            f"`rs.plot.{curve.display}`, or `evaluation.plot.{curve.key}()` of an [evaluation](evaluate.md).\n",
            f"{curve.documentation}\n",
            f"| axis | shows |\n|---|---|\n| x | {curve.x.label} |\n| y | {curve.y.label} |\n",
        ]
    return "\n".join(parts)


ELSEWHERE = """\
<!-- Made from src/derive/index/names/elsewhere.tsv by docs/generate.py (make reference): edit the table, not this page. -->
# Names of other packages

An index is found by its name or an alias, in upper or lower case, with spaces, hyphens or underscores, and by its title. The
aliases include the names that other packages use. A name with another meaning here is refused, and the message says what to
call instead:

```python
>>> import rocksteady as rs
>>> rs.index("Matthews-Corrcoef").name, rs.index("ROC AUC").name, rs.index("1 - specificity").name
('mcc', 'roc_auc', 'fpr')
>>> for name in ("neg_log_loss", "lift at 10 percent"):
...     try:
...         rs.index(name)
...     except rs.UnknownIndexError as error:
...         print(error)
"neg_log_loss" is not the name of an index: it is log_loss with the sign turned (higher is better); ask for log_loss (lower is \
better)
"lift at 10 percent" is not the name of an index; did you mean "enrichment_factor"?

```

These spellings hold wherever a name is asked for, such as `cm["F1 Score"]` and `table.every("Recall")`. In
[expressions](indices-of-your-own.md) names are written as they stand in the [reference](indices/README.md).

In IPython and in notebooks the Tab key completes names after `cm["`, `table["`, `ev["` and `rs.index("`. It offers names that
have a value there.

Several names mean different numbers in different packages. Three to know:

- **The positive class.** yardstick, caret and MLmetrics take the first level of a factor, scikit-learn and rocksteady the
  greater label (`pos_label`).
- **The area under the precision-recall curve** has four definitions, with four names here.
- **PyCM's AUC, AUNU, AUNP and AUPR** are of labels, not of scores. `cm.pycm(name)` gives [PyCM's values](pycm.md).

"""


def elsewhere(reference: Reference) -> str:
    """The page of the names of other packages, with what each finds or is told."""
    with (ROOT / "src" / "derive" / "index" / "names" / "elsewhere.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["package"]]
    parts = [ELSEWHERE]
    for package in dict.fromkeys(row["package"] for row in rows):
        of_package = [row for row in rows if row["package"] == package]
        parts.append(f"## {package} {of_package[0]['version']}\n\n| there | here | what differs |\n|---|---|---|\n")
        for row in of_package:
            if row["finds"]:
                page = reference.names[row["finds"]].family
                here, note = f"[`{row['finds']}`](indices/{page}.md#{row['finds']})", row["tells"]
            else:
                here, note = "–", answer(row["name"])
            parts.append(f"| `{row['name']}` | {here} | {cell(note)} |\n")
        parts.append("\n")
    return "".join(parts).rstrip("\n") + "\n"


def answer(name: str) -> str:
    """What an unknown name is told."""
    try:
        rs.index(name)
    except rs.UnknownIndexError as error:
        return str(error).partition("is not the name of an index: ")[2]
    raise SystemExit(f"{name} is the name of an index; src/derive/index/names/elsewhere.tsv does not say so")


def cell(text: str) -> str:
    """Text of a cell, with calls and names as code."""
    code = re.sub(r"(?<![\w.\"])([a-z]\w*(?:\.\w+)*\([^()]*\)|[a-z0-9]+(?:[._][a-z0-9]+)+)(?![\w\"])", r"`\1`", text)
    return code.replace("|", "\\|")


def pages() -> dict[Path, str | None]:
    """The text of every page, and None for those whose family is no more."""
    reference = Reference(rs.indices())
    return (
        dict.fromkeys(PAGES.glob("*.md"))
        | {PAGES / name: page for name, page in reference.pages().items()}
        | {PAGES.parent / "charts.md": charts(), PAGES.parent / "names-elsewhere.md": elsewhere(reference)}
    )


if __name__ == "__main__":
    write_or_check(__doc__ or "", pages)

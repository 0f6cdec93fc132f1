"""The generated reference is fresh and its formulas are valid; the registry lists, searches and explains itself."""

from __future__ import annotations

import copy
import dataclasses
import importlib.util
import json
import math
import pickle
import pydoc
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "indices").glob("*.md"))
KNOWN = {"precision", "recall", "npv", "balanced_accuracy", "beta", "weight", "cost_fp"}
"""Names that the formulas of the tests below may use."""

in_a_clone = pytest.mark.skipif(not PAGES, reason="a source distribution has no docs/")


@pytest.fixture(scope="module")
def formula() -> ModuleType:
    path = DOCS / "formula.py"
    if not path.exists():
        pytest.skip("a source distribution has no docs/")
    spec = importlib.util.spec_from_file_location("formula", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["formula"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


# The pages


@in_a_clone
def test_the_pages_are_fresh():
    """Made in a process of its own: other tests may have defined indices."""
    done = subprocess.run([sys.executable, DOCS / "generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@in_a_clone
def test_every_name_has_its_place():
    pages = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    named = {name for row in _built_in() for name in (row.name, *row.aliases)}
    assert named == set(re.findall(r"\[`([^`]+)`\]", pages["README.md"].partition("## Every name")[2]))
    for row in _built_in():
        assert f"\n## {row.name}\n" in pages[f"{row.family}.md"]


@in_a_clone
def test_links_lead_to_a_heading():
    headings = {
        page.name: set(re.findall(r"^## (\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE)) for page in PAGES
    }
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if not target.startswith("https://doi.org/"):
                name, _, heading = target.partition("#")
                assert name in headings, f"{page.name}: {target}"
                assert not heading or heading in headings[name], f"{page.name}: {target}"


@in_a_clone
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_formula_is_valid(page: Path):
    text = page.read_text(encoding="utf-8")
    formulas = re.findall(r"^```math\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL) + re.findall(r"\$`(.*?)`\$", text)
    assert formulas
    assert text.count("$`") == text.count("`$")
    for latex in formulas:
        _check(latex)


def _built_in() -> list[rs.results.Index]:
    """The rows that the pages are made from."""
    pages = {page.stem for page in PAGES}
    return [row for row in rs.indices() if row.family in pages]


ARGUMENTS = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2}


def _check(latex: str) -> None:
    """As MathML every command is known, every bracket closed, and every fraction and power has its parts."""
    converter = pytest.importorskip("latex2mathml.converter")
    assert latex.count("{") == latex.count("}"), latex
    depth = 0
    for brace in re.findall(r"[{}]", latex):
        depth += 1 if brace == "{" else -1
        assert depth >= 0, latex
    for element in ET.fromstring(converter.convert(latex)).iter():
        tag = element.tag.rpartition("}")[2]
        assert len(element) == ARGUMENTS.get(tag, len(element)), (latex, tag)
        assert "\\" not in (element.text or ""), (latex, element.text)


@in_a_clone
def test_the_recipe_for_an_index_works_as_written(tmp_path: Path, formula: ModuleType):
    """The diff applies to the tree; what it adds is Rust, typeset, found by its text, and gives its golden value."""
    root = DOCS.parent
    diff = re.search(
        r"^```diff\n(.*?)^```$", (root / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert diff is not None
    files = [tmp_path / name for name in re.findall(r"^\+\+\+ b/(\S+)$", diff[1], re.MULTILINE)]
    for file in files:
        file.parent.mkdir(parents=True)
        shutil.copy(root / file.relative_to(tmp_path), file)
    done = subprocess.run(
        ["git", "apply", "--unidiff-zero", "-"], cwd=tmp_path, input=diff[1], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr

    rows, golden = files
    if rustfmt := shutil.which("rustfmt"):
        command = [rustfmt, "--check", "--edition", "2024", "--config-path", root, rows]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    added = re.sub(r"\\\n\+ *", "", diff[1])  # a text goes on in the next line
    row = dict(re.findall(r'^\+ +(name|formula|title|about): "(.*)",$', added, re.MULTILINE))
    assert row["name"] not in {index.name for index in rs.indices()}
    assert formula.forms(row["formula"], {index.name for index in rs.indices()} | {"fpr"})
    case = json.loads(golden.read_text(encoding="utf-8"))["cases"][0]
    (alias, expected), *_ = case["values"].items()
    assert f'aliases: &["{alias}"]' in diff[1]
    rs.define_index(row["name"], row["formula"], aliases=[alias], title=row["title"], about=row["about"])
    try:
        assert rs.Counts(**case["counts"])[alias] == pytest.approx(expected, abs=1e-15)
        assert row["name"] in {index.name for index in rs.indices("rare events")}
    finally:
        rs.undefine_index(row["name"])


# Formulas

TRICKY = [
    ("tp / (tp + fp)", r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fp}}"),
    ("2 tp", r"2\,\mathrm{tp}"),
    ("2T / 2T", r"\frac{2\,T}{2\,T}"),
    ("-tp / n", r"-\frac{\mathrm{tp}}{n}"),
    ("-(tp / n)^2", r"-\left(\frac{\mathrm{tp}}{n}\right)^{2}"),
    ("(tp / n) ln(tp / n)", r"\frac{\mathrm{tp}}{n}\,\ln\left(\frac{\mathrm{tp}}{n}\right)"),
    ("tp n / (a b)", r"\frac{\mathrm{tp}\,n}{a\,b}"),
    ("a / b / c", r"\frac{\frac{a}{b}}{c}"),
    ("a / b * c", r"\frac{a}{b} \cdot c"),
    ("a^-1 b^(c + 1)", r"a^{-1}\,b^{c + 1}"),
    ("a^b^2", "a^{b^{2}}"),
    ("x[k]^2", "x_{k}^{2}"),
    ("x[i,j]", "x_{ij}"),
    ("x[i + 1,j]", "x_{i + 1,j}"),
    ("tp_random", r"\mathrm{tp}_{\mathrm{random}}"),
    ("p1 - p_2", "p_{1} - p_{2}"),
    ("sqrt(precision recall)", r"\sqrt{\text{precision} \cdot \text{recall}}"),
    ("sqrt 2", r"\sqrt{2}"),
    ("balanced_accuracy - npv", r"\text{balanced accuracy} - \mathrm{npv}"),
    ("(1 + beta^2)", r"1 + \beta^{2}"),
    ("|a| |b|", r"\left|a\right| \left|b\right|"),
    ("|a (|b| - c)|^2", r"\left|a \left(\left|b\right| - c\right)\right|^{2}"),
    ("min(a, b + 1) / max(a, b)", r"\frac{\min\left(a, b + 1\right)}{\max\left(a, b\right)}"),
    ("log2(a) + log_b a - log10 a", r"\log_{2}\left(a\right) + \log_{b} a - \log_{10} a"),
    ("q ln q + r ln r", r"q\,\ln q + r\,\ln r"),
    ("sum_k M[k,k] / T", r"\frac{\sum_{k} M_{kk}}{T}"),
    ("sum_(k != j) (a + b)", r"\sum_{k \ne j} \left(a + b\right)"),
    ("max_k t[k]", r"\max_{k} t_{k}"),
    ("sum_k M[k,k] / t[k] / K", r"\frac{\sum_{k} \frac{M_{kk}}{t_{k}}}{K}"),
    ("2 sum_ij M[i,j]^2 / (t[i] p[j]) - 1", r"2\,\sum_{ij} \frac{M_{ij}^{2}}{t_{i}\,p_{j}} - 1"),
    ("mean_i sum_j |i - j| x[j] / t[i]", r"\underset{i}{\mathrm{mean}} \frac{\sum_{j} \left|i - j\right| x_{j}}{t_{i}}"),
    ("sum_(k != j) a / b[k]", r"\sum_{k \ne j} \frac{a}{b_{k}}"),
    ("sum_i a[i] / sum_i b[i]", r"\frac{\sum_{i} a_{i}}{\sum_{i} b_{i}}"),
    ("chi_squared^2", r"\left(\chi^{2}\right)^{2}"),
    ("chi_squared / phi_squared_max", r"\frac{\chi^{2}}{\phi_{\mathrm{max}}^{2}}"),
    ("mean_k f[k]", r"\underset{k}{\mathrm{mean}} f_{k}"),
    ("binomial(n, k) p^k", r"\binom{n}{k}\,p^{k}"),
    ("k!", "k!"),
    ("x[0] + ... + x[k]", r"x_{0} + \dots + x_{k}"),
    ("max(x[0], ..., x[k])", r"\max\left(x_{0}, \dots, x_{k}\right)"),
    ("(mean score of x - y + 1) / 2", r"( \text{mean score of }x - y + 1) / 2"),
    ("p +- z s", r"p \pm z\,s"),
    ("a <= b != c >= d", r"a \le b \ne c \ge d"),
    ("[eps, 1 - eps], eps = 0.5", r"\left[\mathrm{eps}, 1 - \mathrm{eps}\right]"),
    ("cost_fp fp", r"\text{cost fp} \cdot \mathrm{fp}"),
    ("weight = infinity", r"\text{weight} = \infty"),
    ("max over thresholds of |a - b|", r"\text{max over thresholds of }\left|a - b\right|"),
    ("1 / a if a > 2 else 0", r"\frac{1}{a}\text{ if }a > 2\text{ else 0}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "latex"), TRICKY, ids=[text for text, _ in TRICKY])
def test_formulas_are_typeset(formula, text, latex):
    found = formula.forms(text, KNOWN)[0].main.formula
    assert found == latex
    _check(found)


def test_forms_clauses_and_sentences(formula):
    text = "(po - pe) / (1 - pe), po = tp / n, pe the share of [0, 1] by chance; = recall"
    first, second = formula.forms(text, KNOWN)
    assert len(first.explained) == 2
    assert first.explained[0].links[0].pieces is None
    assert first.explained[1].links[0].pieces[-2:] == ((True, r"\left[0, 1\right]"), (False, " by chance"))
    assert second.main.continues
    assert second.main.formula == r"= \text{recall}"
    pieces = formula.forms("P(one of a class > another) + P(equal) / 2", KNOWN)[0].main.links[0].pieces
    assert pieces == ((False, "P(one of a class > another) + P(equal) / 2"),)


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("tp / (tp + fp", 13, "')' was expected here"),
        ("tp / (tp + fp))", 14, "')' was not expected here"),
        ("presicion recall", 0, "'presicion' is no name"),
        ("tp +", 4, "a number, a name or a bracket was expected"),
        ("tp * / fp", 5, "a number, a name or a bracket was expected"),
        ("tp ? fp", 3, "'?' has no meaning"),
        ("tp, , fp", 8, "nothing between two commas"),
        ("a / b c", 4, "must stand in brackets"),
        ("(or - 1) / (or + 1)", 12, "is a word of a sentence here"),
        ("ln", 2, "what the function is of"),
        ("a^", 2, "an exponent"),
        ("mean of tp / (tp + fp", 13, "no partner"),
        ("max over thresholds of |a - ", 25, "expected"),
        ("number of tp fp +- * fn", 19, "expected"),
    ],
)
def test_what_is_no_formula_is_refused_with_its_place(formula, text, place, problem):
    with pytest.raises(formula.FormulaError, match=re.escape(problem)) as error:
        formula.forms(text, KNOWN)
    assert str(error.value).splitlines()[-1] == " " * (4 + place) + "^"


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from("tp n x k beta precision nobody sum_k mean_ij sum_( ln log_b sqrt min of the a 2 0.5 1e-9 ... "
                                "+ - * / ^ = <= ( ( ) ) [ ] | | , ; : ! eps_1 ' ?".split()), max_size=14),
       st.sampled_from(["", " "]))  # fmt: skip
def test_any_text_is_refused_or_becomes_valid(formula, parts, between):
    try:
        forms = formula.forms(between.join(parts), KNOWN)
    except formula.FormulaError:
        return
    for form in forms:
        for clause in (form.main, *form.explained):
            _check(clause.formula)


# Python's face of the registry


def test_search_finds_words_anywhere_in_any_case():
    def found(*args, **kwargs):
        return [row.name for row in rs.indices(*args, **kwargs)]

    assert "recall" in found("TPR")
    assert "fpr" in found("fawcett")
    assert found("Cohen kappa")[0] == "kappa"
    assert found("mcen modified") == ["mcen"]
    assert found("no such words anywhere") == []
    assert found("") == found() == found(None)
    assert {row.family for row in rs.indices(family="entropy")} == {"entropy"}
    assert all("class" in row.forms for row in rs.indices(form="class"))
    assert "cen" in found("entropy", form="class", better="lower", family="entropy")
    assert rs.indices() is rs.indices()


@pytest.mark.parametrize("option", [{"family": "ratios"}, {"form": "count"}, {"better": "up"}])
def test_an_unknown_filter_is_refused(option):
    ((argument, value),) = option.items()
    with pytest.raises(rs.InputError, match="expected ") as error:
        rs.indices(**option)
    assert (error.value.argument, error.value.value) == (argument, repr(value))


def test_indices_are_a_tuple_that_prints_as_a_table():
    rows = rs.indices(family="overlap")
    assert isinstance(rows, tuple)
    assert rows == tuple(rows)
    lines = repr(rows).splitlines()
    assert lines[0].split() == ["index", "family", "range", "better", "title"]
    assert len(lines) == len(rows) + 1
    assert rows._repr_html_().count("<tr>") == len(rows) + 1
    assert repr(rs.indices("no such words anywhere")).split() == lines[0].split()


def test_help_explains_an_index():
    row = rs.index("cen")
    assert repr(row) == "<Index cen: Confusion entropy>"
    helped = pydoc.render_doc(row, renderer=pydoc.plaintext)
    for part in (row.title, "confusion_entropy", "sum_j (s[j] / 2T) CEN[j]", "lower", "convention", row.source, "base"):
        assert part in helped
    assert 'cm.every("cen")' in helped
    assert "methods defined here" not in helped.lower()
    assert rs.results.Index.__doc__ is not None
    assert rs.results.Index.__doc__.startswith("One row of the registry")
    assert "Attributes" in pydoc.render_doc(rs.results.Index, renderer=pydoc.plaintext)


def test_every_index_explains_itself():
    for row in rs.indices():
        text = str(row)
        assert row.__doc__ == text
        assert max(map(len, text.splitlines())) <= 88 or "doi:" in text
        said = " ".join(text.split())
        for part in (
            row.title,
            row.about,
            row.source,
            *row.laws,
            *row.aliases,
            *(p.description for p in row.parameters),
        ):
            assert " ".join(part.split()) in said, (row.name, part)
        assert row._repr_html_().count("<tr>") == len(row.facts()) + 2


def test_the_examples_are_calls_that_exist():
    y, p = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1]
    names = {"rs": rs, "actual": y, "predicted": p, "scores": [0.1, 0.9, 0.4, 0.3, 0.8]}
    names["probabilities"] = names["scores"]
    names["amounts"] = [9.5, 1.0, 2.5, 0.0, 4.0]
    names |= {"relevance": y, "query": ["a", "a", "b", "b", "b"]}
    names["class_scores"] = [[1 - score, score] for score in names["scores"]]
    for row in rs.indices():
        session = dict(names)
        for line in row.example().splitlines():
            exec(line, session)


def test_a_row_equals_itself_pickled_copied_and_read_again():
    rows = list(rs.indices())
    try:
        rs.define_index("makes_all_be_read_again", "tp")
        again = list(rs.indices())[: len(rows)]
    finally:
        rs.undefine_index("makes_all_be_read_again")
    for others in (again, pickle.loads(pickle.dumps(rows)), copy.deepcopy(rows)):
        assert others == rows
        assert len({*others, *rows}) == len(rows)
        assert others is again or all(row is not other for row, other in zip(rows, others, strict=True))
    assert any(math.isnan(row.when_undefined) for row in rows)
    assert rs.index("f1") != rs.index("f2")
    assert rs.index("f1") != "f1"
    assert dataclasses.replace(rs.index("f1"), low=0.5) != rs.index("f1")

"""The words of docs/grammar.md: in all public classes one word is one kind of attribute, with one type of answer."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import rocksteady as rs
from rocksteady.base.statistic import Indexed

PAGE = Path(__file__).parents[2] / "docs" / "grammar.md"
CLASSES = [
    each
    for namespace in (rs, rs.results, rs.inference, rs.fairness, rs.engines, rs.pycm)
    for name in namespace.__all__
    if inspect.isclass(each := getattr(namespace, name)) and not issubclass(each, BaseException)
]
COLLECTORS = [rs.AnchoredCollector, rs.ScoreCollector, rs.SketchCollector, rs.Window]
STATISTICS = [each for each in CLASSES if inspect.isroutine(getattr(each, "value", None)) or issubclass(each, Indexed)]
# A statistic is asked, a result is read: these are questions to one, and answers in the other.
ANSWERS = {"value", "why", "bounds"}
# What one word may have several types of, each with the reason.
OF_SEVERAL_TYPES = {
    "costs": "four costs by outcome, or a matrix",
    "pairs": "which pairs were compared, or the tables of pairs",
    "tp": "of a box of counts the least and the greatest",
    "fp": "of a box of counts the least and the greatest",
}


def attributes(owner):
    """Public attributes: from names to methods, or else the types of what is read."""
    found = {}
    for name in dir(owner):
        held = inspect.getattr_static(owner, name)
        if name.startswith("_") or (issubclass(owner, tuple) and hasattr(tuple, name)):
            continue
        if isinstance(held, property):
            found[name] = str(held.fget.__annotations__.get("return"))
        elif isinstance(held, (classmethod, staticmethod)) or (
            inspect.isroutine(held) and not hasattr(held, "__set__")
        ):
            found[name] = "a method"
        else:
            notes = (vars(base).get("__annotations__", {}).get(name) for base in owner.__mro__)
            found[name] = str(next((note for note in notes if note), "?"))
    return found


def kind(said):
    """A type without what its elements are."""
    said = re.sub(r" \| None$", "", said)
    return "number" if said in ("int", "float", "int | float") else said.partition("[")[0]


def kinds_of(family):
    """From words to what they are, each with the classes where they are it."""
    found = defaultdict(lambda: defaultdict(set))
    for owner in family:
        for name, said in attributes(owner).items():
            found[name][kind(said)].add(owner.__name__)
    assert len(found) > 100
    return {name: dict(kinds) for name, kinds in found.items() if len(kinds) > 1}


def test_a_word_is_a_method_everywhere_or_nowhere():
    mixed = {name: kinds for name, kinds in kinds_of(CLASSES).items() if "a method" in kinds}
    assert mixed.keys() == ANSWERS
    results = set(CLASSES) - set(STATISTICS)
    assert not [name for name, kinds in kinds_of(results).items() if "a method" in kinds]


def test_a_property_has_one_type_in_all_statistics():
    found = {
        name: {each for each in kinds if each not in ("a method", "Any", "None", "NoReturn")}
        for name, kinds in kinds_of(STATISTICS).items()
    }
    several = {name: kinds for name, kinds in found.items() if len(kinds) > 1}
    assert several.keys() == OF_SEVERAL_TYPES.keys(), several


def words():
    """The words of the page, each with the names of the classes that need not have it."""
    rows = re.findall(r"^\| `(\w+)` \| (method|property) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 15
    return rows


@pytest.mark.parametrize(("word", "what"), words())
def test_the_words_of_the_page_are_those_of_the_package(word, what):
    owners = [each for each in STATISTICS if word in attributes(each)]
    assert len(owners) > 1, "a word of the page is of several statistics"
    for owner in owners:
        assert (attributes(owner)[word] == "a method") == (what == "method"), owner


def test_the_page_lists_the_top_level():
    """A new name at the top level needs a place in the page: statistics, collectors, functions, settings, errors, namespaces."""
    text = PAGE.read_text(encoding="utf-8").partition("## Where a name is")[2]
    top, namespaces = (
        re.findall(r"^\| (.*?) \| (.*?) \|$", part, re.MULTILINE)[1:] for part in text.split("In a namespace")
    )
    names = [name for _, cell in top for name in re.findall(r"`(\w+)`", cell)]
    assert len(names) <= 40
    names += [name for cell, _ in namespaces for name in re.findall(r"`(\w+)`", cell)]
    assert sorted([*names, "__version__"]) == rs.__all__
    assert {inspect.ismodule(getattr(rs, name)) for name in names[:40]} == {False}


def test_earlier_words_are_gone():
    gone = {"per_class", "per_label", "per_query", "table", "excluded", "values", "average", "gather", "add", "cells"}
    left = {f"{each.__name__}.{name}" for each in STATISTICS + COLLECTORS for name in gone & set(attributes(each))}
    assert left <= {"ScoreSketch.cells"}


def test_the_page_of_questions_is_what_statistics_answer():
    script = PAGE.parent / "questions.py"
    done = subprocess.run([sys.executable, "-W", "ignore", script, "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_collector_takes_rows_with_update():
    assert len(COLLECTORS) == 4
    for collector in COLLECTORS:
        assert attributes(collector)["update"] == "a method"

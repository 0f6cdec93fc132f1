"""The default intervals cover and the tests keep their size: the short form of docs/coverage.py, which `make thorough` runs."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

DOCS = Path(__file__).parents[2] / "docs"
SAMPLES = 300
SLACK = 4 * np.sqrt(0.05 * 0.95 / SAMPLES)


@pytest.fixture(scope="module")
def coverage():
    if not DOCS.exists():
        pytest.skip("a source distribution has no docs/")
    spec = importlib.util.spec_from_file_location("docs_coverage", DOCS / "coverage.py")
    module = sys.modules["docs_coverage"] = importlib.util.module_from_spec(spec)  # dataclasses look it up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(coverage):
    return coverage.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("design", ["medium", "survey", "five classes, more"])
def test_default_intervals_cover(coverage, page, monkeypatch, design):
    monkeypatch.setattr(coverage, "SCORES", [name for name in coverage.SCORES if rs.index(name).intervals])
    found = coverage.covered(design, SAMPLES, truth=400_000)
    known = {name for name, column in coverage.marked(page) if column == design}
    faults = {name: each.why(SLACK) for name, each in found.items() if each is not None and name not in known}
    assert len(found) > 15
    assert not any(faults.values()), {name: why for name, why in faults.items() if why}


def test_tests_keep_their_size(coverage, page):
    found = coverage.rejected("medium", SAMPLES)
    known = {name for name, column in coverage.marked(page) if column == "medium"}
    faults = {name: each.why(SLACK) for name, each in found.items() if each is not None and name not in known}
    assert not any(faults.values()), {name: why for name, why in faults.items() if why}


@pytest.mark.parametrize("where", ["within", "across"])
def test_intervals_of_groups_cover_with_clusters(coverage, where):
    found = coverage.of_groups(where, SAMPLES, truth=400_000)
    known, alone = found[f"{where}, cluster="], found[f"{where}, rows alone"]
    faults = {name: each.why(SLACK) for name, each in known.items()}
    assert not any(faults.values()), faults
    if where == "within":
        assert all(each.coverage() < 0.95 for each in alone.values())


def test_tests_of_groups_keep_their_size_with_clusters(coverage):
    rng = np.random.default_rng(3)
    rejects = {(how, test): [] for how in ("clusters", "rows") for test in ("worst", "farthest")}
    for _ in range(SAMPLES):
        y, p, _, user = coverage.clustered(rng, 2_000)
        for how, given in (("clusters", {"inference": True, "cluster": user}), ("rows", {})):
            by = rs.evaluate(y, p, threshold=0.5, by=user % 4, **given).groups
            tested = {row[0]: row[6] for row in by.worst("brier", k=4, adjust="none").table.rows}
            rejects[how, "worst"].append(tested[0] <= 0.05)
            rejects[how, "farthest"].append(by.difference("recall").low > 0)
    shares = {place: np.mean(each) for place, each in rejects.items()}
    assert max(shares["clusters", test] for test in ("worst", "farthest")) < 0.05 + SLACK, shares
    assert min(shares["rows", test] for test in ("worst", "farthest")) > 0.08, shares


def test_an_interval_that_misses_is_seen(coverage):
    side = np.repeat([-1.0, 0, 1], [100, 800, 100])
    quiet, told = (coverage.Covered(side, np.full(1_000, note)) for note in (False, True))
    assert (quiet.text(), told.text()) == ("**80.0** narrow", "80.0 (n)")
    rejects = np.repeat([1.0, 0], [300, 700])
    assert coverage.Rejected("roc_auc", rejects, np.zeros(1_000, bool)).text() == "**30.0** liberal"


def test_the_page_has_every_design_and_index(coverage, page):
    places = set(coverage.cells(page))
    grouped = {f"{where}, {how}" for where in coverage.GROUPED for how in ("cluster=", "rows alone")}
    assert {column for _, column in places} == {*coverage.DESIGNS, *coverage.NULLS, *grouped}
    assert {name for name, _ in places} >= {*coverage.COUNTS, *coverage.SCORES, *coverage.WHOLE, *coverage.RANKED}

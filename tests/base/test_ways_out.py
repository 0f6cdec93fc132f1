"""Every result leaves in the same ways, and can be read back: as plain values, data frames of three libraries, text."""

from __future__ import annotations

import csv
import inspect
import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from test_representation import MATRIX, OBJECTS, SCORES, TABLE, Y

import rocksteady as rs
from rocksteady.base.ways_out import WaysOut

MODELS = {'=a, "b"': Y, "c": Y[::-1]}
LABELS = rs.inference.compare_labels(Y, MODELS, pos_label="fraud")
AREAS = rs.inference.compare_scores(Y == "fraud", {"a": SCORES, "b": SCORES[::-1]})
COSTS = rs.evaluate(Y == "fraud", {"a": SCORES, "b": SCORES[::-1]}, inference=True)
BOOTSTRAP = rs.inference.bootstrap(
    Y, SCORES, "roc_auc", pos_label="fraud", n_resamples=50, strata="label", random_state=0
)
KEYS = {
    "rows": ["fraud, or not", 'a "quoted" one', None, "=1+1", "two\nlines", "b"],
    "day": np.array(["2024-01-01", "NaT", "2024-01-03", "2024-01-03", "2024-01-05", "2024-01-06"], "datetime64[s]"),
}
GROUPS = rs.group_by(Y, Y[::-1], by=KEYS, pos_label="fraud")
FRAME = rs.fairness.MetricFrame(
    metrics="recall", y_true=Y == "fraud", y_pred=Y[::-1] == "fraud", sensitive_features=["a", "b"] * 3
)
#: What is reached through other namespaces, and what several names give.
MORE = {
    "AdverseImpact": rs.fairness.adverse_impact(Y, by=["a", "b"] * 3, pos_label="fraud"),
    "Band": TABLE.band("roc", n_resamples=50, random_state=0),
    "Bootstrap": BOOTSTRAP,
    "Concordance": rs.scores.concordance([0.0, 2.0, 1.0, 5.0], [1, 3, 3, 4]),
    "Distances": rs.scores.distances(rs.ScoreTable([0, 1, 1], [0.1, 0.2, 0.3])),
    "CochranQ": LABELS.cochran_q(),
    "ComparedLabels": LABELS,
    "Compared": AREAS,
    "Difference": AREAS.difference("a", "b"),
    "Disparity": GROUPS.difference("recall"),
    "ExplainedChange": rs.comparison.explain_change(GROUPS, GROUPS, "recall"),
    "Fragility": rs.comparison.fragility(next(iter(LABELS.pairs.values()))),
    "ImpactCurve": rs.fairness.impact_curve(SCORES, by=["a", "b"] * 3),
    "Equivalence": AREAS.equivalent("a", "b", margin=0.1),
    "CostDecision": COSTS.cheaper("a", "b", cost_ratio=2),
    "CostRegions": COSTS.cost_regions("a", "b"),
    "Leaderboard": rs.evaluate(Y, y_pred=MODELS, pos_label="fraud", inference=True).leaderboard("f1"),
    "Influence": TABLE.influence("roc_auc"),
    "McNemar": LABELS.mcnemar(*MODELS),
    "MetricFrame": FRAME,
    "NonInferiority": AREAS.non_inferior("a", "b", margin=0.1),
    "PairTable": next(iter(LABELS.pairs.values())),
    "SubgroupAreas": rs.fairness.subgroup_areas(Y == "fraud", SCORES, subgroups={"=a": [True, False] * 3}),
    "WorstGroups": GROUPS.worst("recall"),
    "every": GROUPS.every(["recall", "precision"]),
    "every_interval": GROUPS.overall.every_interval("recall"),
    "groups": GROUPS,
    "group values": GROUPS.interval("recall"),
    "table": rs.results.Table(["a", "a", "b, c"], [["=1", None, 2**70], ['"', "x", float("nan")], [3, "\r", 0.5]]),
    "nothing": rs.results.Table(["a"], []),
}

MADE = {**OBJECTS, **MORE}
NAMES = sorted(name for name, made in MADE.items() if isinstance(made, WaysOut))
#: What has no columns: who takes rows, and statistics without a listing.
WITHOUT = {
    "AnchoredCollector", "ScoreCollector", "SketchCollector", "Window", "EnumeratedMatrices", "EnumeratedRankings",
    "AnchoredCounts", "BoundedModel", "ModelEvaluation", "MultilabelModel", "ProbabilitySums", "RowMean", "ScoreAnchors",
    "ScoreSketch",
}  # fmt: skip


def test_every_class_has_the_ways_out():
    assert {name for name, made in MADE.items() if not isinstance(made, WaysOut)} == WITHOUT
    public = {
        each.__name__
        for module in (rs, rs.results, rs.inference, rs.fairness)
        for name in module.__all__
        if inspect.isclass(each := getattr(module, name)) and not issubclass(each, BaseException)
    }
    assert public <= set(MADE)


def told(made):
    """The headings and the cells of text that is read as every program reads it."""
    heading, *rows = csv.reader(io.StringIO(made.to_csv()))
    return heading, rows


def same(cell, text):
    """Whether a cell of a frame is what the text says."""
    if cell is None or cell != cell:
        return text in ("", "nan")
    if isinstance(cell, (bool, str)):
        return str(cell) == text
    if isinstance(cell, (int, float)):
        return float(text) == cell
    return pd.Timestamp(text) == pd.Timestamp(cell)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
@pytest.mark.parametrize("name", NAMES)
def test_a_frame_has_the_cells_of_the_text(name, library):
    made = MADE[name]
    frame = getattr(made, f"to_{library}")()
    if library == "pandas":
        frame = frame if frame.index.name is None else frame.reset_index()
        assert type(made.to_frame()) is pd.DataFrame
        headings, columns = list(frame.columns), [frame.iloc[:, place].tolist() for place in range(frame.shape[1])]
    else:
        read = frame.to_dict(as_series=False) if library == "polars" else frame.to_pydict()
        headings, columns = list(read), list(read.values())
    heading, rows = told(made)
    assert list(map(str, headings)) == heading
    assert all(len(column) == len(rows) for column in columns)
    for place, column in enumerate(columns):
        for cell, row in zip(column, rows, strict=True):
            assert same(cell, row[place]), (headings[place], cell, row[place])


@pytest.mark.parametrize("name", NAMES)
def test_a_dictionary_is_plain(name):
    found = MADE[name].to_dict()
    json.dumps(found)
    assert all(isinstance(key, str) for key in found)


@pytest.mark.parametrize("name", sorted(MADE))
def test_tab_shows_nothing_that_only_refuses(name):
    made = MADE[name]
    for shown in dir(made):
        if not shown.startswith("_"):
            told = getattr(getattr(made, shown), "__annotations__", None) or {}  # a property is read
            assert told.get("return") != "NoReturn", shown


def test_types_stay():
    frame = MORE["groups"].to_pandas()
    assert [frame[name].dtype.kind for name in ("day", "rows", "recall")] == ["M", "i", "f"]
    assert list(frame.columns[:2]) == ["rows_", "day"]  # a column of keys with the name of another one
    arrow = MORE["groups"].to_arrow()
    assert [str(arrow.schema.field(name).type) for name in ("rows_", "day", "rows")] == [
        "string",
        "timestamp[s]",
        "int64",
    ]
    assert MATRIX.to_polars().schema.dtypes()[1:] == [pl.UInt64, pl.UInt64]
    assert rs.ConfusionMatrix([True, False], [True, True]).nonzero_cells().to_arrow().schema.field(0).type == "bool"


def test_text_goes_to_a_file_and_formulas_are_escaped(tmp_path):
    assert MORE["groups"].to_csv(tmp_path / "groups.csv") is None
    assert (tmp_path / "groups.csv").read_text(encoding="utf-8") == MORE["groups"].to_csv()
    escaped = MORE["groups"].to_csv(escape_formulas=True)
    assert "\n'=1+1," in escaped
    assert "\n=1+1," not in escaped


def test_without_a_library_it_is_said_how_to_get_it(monkeypatch):
    for name, extra in (("pandas", "pandas"), ("polars", "polars"), ("pyarrow", "arrow")):
        monkeypatch.setitem(__import__("sys").modules, name, None)
        with pytest.raises(ImportError, match=rf"pip install '\.\[{extra}\]'"):
            getattr(TABLE.ks(), f"to_{extra}")()


def test_what_is_asked_of_several_places_names_them():
    each = MATRIX.every_interval("recall")
    assert list(each.to_frame()["class"]) == list(MATRIX.labels)
    assert [line.split()[1] for line in repr(each).splitlines()[2:]] == list(MATRIX.labels)
    queries = OBJECTS["Queries"].every(["ndcg@10", "map"])
    assert list(queries.to_frame().columns) == [*OBJECTS["Queries"].keys, "ndcg@10", "map"]
    by = OBJECTS["Groups"].every(["roc_auc", "ks"])
    assert list(by.to_polars().columns) == [*OBJECTS["Groups"].keys, "roc_auc", "ks"]
    assert list(TABLE.every(["f1", "recall"]).to_frame()["threshold"]) == TABLE.thresholds.tolist()


def test_an_interval_is_one_line():
    lines = [
        MATRIX.interval("f1"),
        MATRIX.interval("accuracy", side="lower", level=0.9),
        rs.ScoreTable([0, 0], [0.1, 0.2], pos_label=1).interval("roc_auc"),
    ]
    assert [len(repr(each).splitlines()) for each in lines] == [1, 1, 1]
    assert f" to 1, 90 %, wilson, lower: {lines[1].note})" in repr(lines[1])
    assert "Interval(nan, none, " in repr(lines[2])
    assert lines[2].why in repr(lines[2])

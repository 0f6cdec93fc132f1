"""Columns of a data frame by their names give the bits that the columns themselves give."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs

RNG = np.random.default_rng(4)
N = 300
ROWS = {
    "y": RNG.integers(0, 2, N),
    "new": RNG.random(N).round(2),
    "old": RNG.random(N).round(2),
    "cut": RNG.integers(0, 2, N),
    "region": np.array(["north", "south", "west"])[RNG.integers(0, 3, N)],
    "age": RNG.integers(0, 2, N),
    "w": RNG.integers(1, 9, N) / 4,
    "user": RNG.integers(0, 40, N),
}
CLASSES = {"y": RNG.integers(0, 3, N), **dict(zip(("p0", "p1", "p2"), RNG.dirichlet(np.ones(3), N).T, strict=True))}
FRAMES = {
    "mapping": lambda rows: rows,
    "pandas": lambda rows: pytest.importorskip("pandas").DataFrame(rows),
    "polars": lambda rows: pytest.importorskip("polars").DataFrame(rows),
    "Arrow": lambda rows: pytest.importorskip("pyarrow").table(rows),
}


@pytest.fixture(params=FRAMES.values(), ids=FRAMES)
def frame(request):
    return request.param


def test_models_weights_and_groups(frame):
    df = frame(ROWS)
    found = rs.evaluate(df, label="y", score=["new", "old"], pred={"new": "cut"}, weight="w", by=["region", "age"])
    expected = rs.evaluate(
        ROWS["y"],
        {"new": ROWS["new"], "old": ROWS["old"]},
        y_pred={"new": ROWS["cut"]},
        sample_weight=ROWS["w"],
        by={"region": ROWS["region"], "age": ROWS["age"]},
    )
    assert found == expected
    assert rs.evaluate(df, label="y", score={"a": "new"}).models["a"].scores == rs.ScoreTable(ROWS["y"], ROWS["new"])
    assert list(rs.evaluate(df, label="y", score="new").models) == ["new"]


def test_probabilities_go_by_the_labels(frame):
    expected = rs.ScoreTables(CLASSES["y"], np.column_stack([CLASSES[f"p{k}"] for k in range(3)]))
    found = rs.evaluate(frame(CLASSES), label="y", proba={2: "p2", 0: "p0", 1: "p1"})
    assert found.models["model"].class_scores == expected
    renamed = {{"p0": "0", "p1": "1", "p2": "2"}.get(name, name): column for name, column in CLASSES.items()}
    found = rs.evaluate(frame(renamed), label="y", proba=["1", "2", "0"])
    assert found.models["model"].class_scores == expected
    text = {**CLASSES, "y": np.array(["cat", "dog", "eel"])[CLASSES["y"]]}
    found = rs.evaluate(frame(text), label="y", proba={"eel": "p2", "cat": "p0", "dog": "p1"})
    assert found.labels == ("cat", "dog", "eel")
    assert found["roc_auc"] == pytest.approx(expected.value("roc_auc", average="macro"), abs=0)


def test_tables_groups_and_queries(frame):
    df = frame(ROWS)
    table = rs.ScoreTable(df, label="y", score="new", weight="w", pos_label=0)
    assert table == rs.ScoreTable(ROWS["y"], ROWS["new"], sample_weight=ROWS["w"], pos_label=0)
    groups = rs.group_by(df, label="y", score="new", pred="cut", weight="w", by="region", control="age")
    assert groups == rs.group_by(
        ROWS["y"],
        ROWS["cut"],
        ROWS["new"],
        by={"region": ROWS["region"]},
        control={"age": ROWS["age"]},
        sample_weight=ROWS["w"],
    )
    queries = rs.Queries(df, label="y", score="new", query="user")
    assert queries == rs.Queries(ROWS["y"], ROWS["new"], {"user": ROWS["user"]})


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: rs.evaluate(ROWS, label="z", score="new"), "label is 'z'; expected one of the columns 'y', 'new'"),
        (lambda: rs.evaluate(ROWS, label="y", score=["new", "z"]), "score is 'z'; expected one of the columns 'y'"),
        (lambda: rs.evaluate(ROWS, label="y", by="z", score="new"), "by is 'z'; expected one of the columns"),
        (lambda: rs.evaluate(ROWS, label="y"), "score is None; expected the name of a column or pred= or proba="),
        (lambda: rs.ScoreTable(ROWS, label="y"), "score is None; expected the name of a column"),
        (lambda: rs.Queries(ROWS, label="y", score="new"), "query is None; expected a column of keys"),
        (lambda: rs.Queries(ROWS["y"], ROWS["new"]), "query is None; expected a column of keys"),
        (lambda: rs.group_by(ROWS["y"], ROWS["cut"], by=None), "by is None; expected a column of keys"),
        (lambda: rs.evaluate(ROWS["y"], score="new"), "score is 'new'; expected None without label="),
        (
            lambda: rs.group_by(ROWS["y"], ROWS["cut"], by=ROWS["age"], weight="w"),
            "weight is 'w'; expected None without",
        ),
        (
            lambda: rs.evaluate(ROWS["y"], label="y", score="new"),
            "expected a data frame with label=, which names a column",
        ),
        (lambda: rs.evaluate(ROWS, ROWS["new"], label="y"), r"y_score is .*; expected None with label="),
        (lambda: rs.ScoreTable(ROWS, label=["y"], score="new"), r"label is \['y'\]; expected one of the columns"),
        (
            lambda: rs.evaluate(CLASSES, label="y", proba={0: "p0", 1: "p1"}, labels=[0, 1, 2]),
            "proba is .*; expected names that are the labels, such as 0, 1, 2",
        ),
        (
            lambda: rs.evaluate(CLASSES, label="y", proba=["p0", "p1", "p2"]),
            "proba is .*; expected names that are the labels, such as",
        ),
    ],
)
def test_what_names_no_column_is_refused(call, says):
    with pytest.raises(rs.RocksteadyError, match=says):
        call()


def test_text_names_of_labels_that_are_numbers(frame):
    """Names of polars and Arrow are always text."""
    proba = frame({str(k): CLASSES[f"p{k}"] for k in (2, 0, 1)})
    if not isinstance(proba, dict):  # of a mapping the names are those of models
        expected = rs.evaluate(CLASSES["y"], y_proba=np.column_stack([CLASSES[f"p{k}"] for k in range(3)]))
        assert rs.evaluate(CLASSES["y"], y_proba=proba) == expected

"""The four functions: any cut and any tree of merges give the bits of all rows at once."""

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.engines import Aggregator, State


def frame(rows, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(rows) < 0.3
    return pd.DataFrame(
        {
            "y": y.astype(int),
            "old": np.round(rng.normal(y * 1.0), 1),
            "new": rng.random(rows).astype(np.float32),
            "group": rng.choice(["a", "b", None], rows),
            "weight": rng.exponential(1, rows),
        }
    )


def same(found, whole):
    for name, model in whole.models.items():
        own = found.models[name]
        assert own.scores == model.scores
        assert own.confusion == model.confusion
        assert own.threshold == model.threshold
    assert found.rows_left_out == whole.rows_left_out
    return True


@settings(max_examples=40)
@given(st.lists(st.integers(0, 200), max_size=6), st.randoms(), st.booleans(), st.booleans())
def test_any_cut_and_any_tree(cuts, random, weighted, by_group):
    rows = frame(200)
    options = {"pos_label": 1, "threshold": 0.5, "by": "group" if by_group else None}
    aggregator = Aggregator("y", {"old": "old", "new": "new"}, weight="weight" if weighted else None, **options)
    ends = sorted([0, *cuts, 200])
    states = [aggregator.count([rows[start:end]]) for start, end in pairwise(ends)]
    while len(states) > 1:
        random.shuffle(states)
        states.append(aggregator.merge(states.pop(), states.pop()))
    whole = aggregator.count([rows])
    assert states[0].to_bytes() == whole.to_bytes()
    assert pickle.loads(pickle.dumps(whole)) == whole
    weights = rows["weight"] if weighted else None
    by = {"group": rows["group"]} if by_group else None
    evaluation = rs.evaluate(
        rows["y"], {"old": rows["old"], "new": rows["new"]}, sample_weight=weights, by=by, pos_label=1, threshold=0.5
    )
    found = aggregator.value(states[0])
    assert same(found, evaluation)
    if by_group:
        assert found.groups["old"] == evaluation.groups["old"]


@settings(max_examples=30)
@given(st.lists(st.integers(0, 200), max_size=6), st.randoms(), st.booleans())
def test_bounded_states(cuts, random, weighted):
    rows = frame(200)
    options = {"cells": 9, "how": "bounded", "threshold": 0.3, "labels": [0, 1]}
    aggregator = Aggregator("y", {"old": "old", "new": "new"}, weight="weight" if weighted else None, **options)
    states = [aggregator.count([rows[start:end]]) for start, end in pairwise(sorted([0, *cuts, 200]))]
    random.shuffle(states)
    total = aggregator.merge(*states)
    assert total.to_bytes() == aggregator.count([rows]).to_bytes() == State.from_bytes(total.to_bytes()).to_bytes()
    weights = rows["weight"] if weighted else None
    for name, model in aggregator.value(total).models.items():
        whole = rs.ScoreSketch(
            rows["y"], rows[name], sample_weight=weights, cells=9, thresholds=[0.3], labels=[0, 1], pos_label=1
        )
        assert model.sketch == whole
        assert not whole.is_exact
        assert model.threshold == 0.3
    evaluation = rs.evaluate(
        rows["y"],
        {"old": rows["old"], "new": rows["new"]},
        sample_weight=weights,
        labels=[0, 1],
        pos_label=1,
        threshold=0.3,
        bounded=True,
    )
    bounded = Aggregator("y", {"old": "old", "new": "new"}, **{**options, "cells": 65_536}, weight=aggregator.weight)
    assert bounded.value(bounded.count([rows])) == evaluation


def test_containers_and_batches():
    rows = frame(1000)
    whole = rs.evaluate(rows["y"], rows["old"])
    aggregator = Aggregator("y", "old")
    table = pa.Table.from_pandas(rows)
    for batches in (
        [rows],
        [pl.from_pandas(rows)],
        [table],
        table.to_batches(max_chunksize=64),
        [{name: rows[name].to_numpy() for name in ("y", "old")}],
        [rows[:0], rows[rows["y"] == 1], rows[rows["y"] == 0], rows[:0]],
    ):
        assert same(aggregator.value(aggregator.count(batches)), whole)
        state = aggregator.empty()
        for batch in batches:
            state = aggregator.update(state, batch)
        assert same(aggregator.value(state), whole)


def test_no_rows():
    aggregator = Aggregator("y", "old")
    assert aggregator.count([]) == aggregator.empty() == aggregator.merge() == State()
    assert State.from_bytes(State().to_bytes()) == State()
    with pytest.raises(rs.InputError, match="there are no rows; expected at least one"):
        aggregator.value(State())


def test_one_class_and_its_label():
    rows = frame(50)
    for label in ("no", "yes", 0, 1, True, 7):
        y = [label] * 50
        for pos_label in (None, label) if label in (0, 1) else (label,):
            aggregator = Aggregator("y", "p", pos_label=pos_label)
            found = aggregator.value(aggregator.count([{"y": y, "p": rows["old"]}]))
            assert same(found, rs.evaluate(y, rows["old"], pos_label=pos_label))
            assert found.pos_label == rs.evaluate(y, rows["old"], pos_label=pos_label).pos_label
    aggregator = Aggregator("y", "p")
    with pytest.raises(rs.InputError, match="y_true has one class only, 'no'; expected two"):
        aggregator.value(aggregator.count([{"y": ["no"] * 50, "p": rows["old"]}]))
    aggregator = Aggregator("y", "p", labels=["no", "yes"])
    found = aggregator.value(aggregator.count([{"y": ["no"] * 50, "p": rows["old"]}]))
    assert found.labels == ("no", "yes")


def test_missing_values():
    rows = frame(300)
    rows.loc[::7, "old"] = np.nan
    rows["y"] = rows["y"].astype(object)
    rows.loc[::11, "y"] = None
    whole = rs.evaluate(rows["y"], {"old": rows["old"], "new": rows["new"]}, nan_policy="omit")
    aggregator = Aggregator("y", {"old": "old", "new": "new"}, nan_policy="omit")
    gone = rows[rows["old"].isna()]
    parts = [gone, rows[rows["old"].notna()][:100], rows[rows["old"].notna()][100:]]
    assert same(aggregator.value(aggregator.merge(*(aggregator.count([part]) for part in parts))), whole)
    assert whole.rows_left_out > 0
    with pytest.raises(rs.InputError, match=r"there are no rows: all \d+ are left out"):
        aggregator.value(aggregator.count([gone]))
    # A group whose rows are all left out is none, however the rows are cut.
    rows["group"] = np.where(rows["old"].isna(), "lost", "kept")
    aggregator = Aggregator("y", "old", by="group", nan_policy="omit")
    assert aggregator.count([rows]) == aggregator.count([rows[:150], rows[150:]])
    assert aggregator.value(aggregator.count([rows])).groups.keys["group"].tolist() == ["kept"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Aggregator("y", "p", how="about"), "how is 'about'; expected"),
        (lambda: Aggregator("y", "p", how="bounded", by="g"), r"by is \['g'\]; expected None with how='bounded'"),
        (lambda: Aggregator("y", "p", how="bounded", weight_kind="sampling"), "weight_kind is 'sampling'; expected"),
        (lambda: Aggregator("y", {}), "score is empty; expected a column for each model"),
        (lambda: Aggregator("y", "p", labels=[1, 2, 3]), "labels is .* expected two labels"),
        (lambda: Aggregator("y", "p", labels=[0, 1], pos_label=3), "pos_label is 3; expected one of the labels"),
        (lambda: Aggregator("y", "p", threshold={"q": 1}), "threshold is 'q'; expected names of models: 'model'"),
        (
            lambda: Aggregator("y", "p").count([{"y": [0, 1], "p": [0.1, np.nan]}]),
            r"p\[1\] is NaN; expected a finite number",
        ),
        (
            lambda: Aggregator("y", "p", weight="w").count([{"y": [0, 1], "p": [0.1, 0.2], "w": [1.0, -1.0]}]),
            r"w\[1\] is -1; expected a finite number that is not negative",
        ),
        (
            lambda: Aggregator("y", "p", labels=[0, 1]).count([{"y": [2, 1], "p": [0.1, 0.2]}]),
            r"y has 2; expected one of the labels \[0, 1\]",
        ),
        (
            lambda: State([rs.ScoreTable([0, 1], [0.1, 0.2])]) + State([rs.ScoreTable([0, 1], [0.1, 0.2])] * 2),
            "cannot add states of 1 models and 2",
        ),
        (lambda: State.from_bytes(b"abc"), "another length than they say"),
        (lambda: State.from_bytes(State().to_bytes() + b"x"), "another length than they say"),
    ],
)
def test_refusals(call, said):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=said):
        call()

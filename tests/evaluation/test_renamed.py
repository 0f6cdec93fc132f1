"""`labels=` as a mapping from labels to names: the same as rows of which the names were counted."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocksteady as rs

NAMES = {0: "setosa", 1: "versicolor", 2: "a third"}
TEXT = np.array(list(NAMES.values()))


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    y_true = rng.integers(0, 3, 300)
    return y_true, rng.dirichlet(np.ones(3), 300), rng.integers(0, 4, 300)


@pytest.mark.parametrize("options", [{}, {"inference": True}, {"sample_weight": np.arange(300) % 3}])
def test_names_give_what_rows_of_names_give(rows, options):
    y_true, y_proba, region = rows
    named = rs.evaluate(y_true, y_proba=y_proba, labels=NAMES, by=region, **options)
    text = rs.evaluate(TEXT[y_true], y_proba=y_proba, labels=TEXT, by=region, **options)
    assert json.dumps(named.to_dict("all")) == json.dumps(text.to_dict("all"))  # NaN, too
    assert named.groups.every("accuracy").tolist() == text.groups.every("accuracy").tolist()
    if "inference" in options:
        assert named.interval("f1") == text.interval("f1")


@pytest.mark.parametrize(
    "kind",
    [
        list,
        pd.Series,
        pl.Series,
        np.asarray,
        lambda rows: np.asarray(rows, dtype=float),
        lambda rows: np.asarray(rows, dtype=np.uint64),
        lambda rows: np.asarray(rows, dtype=np.int8),
        lambda rows: pd.Series(rows).astype("category"),
        lambda rows: pd.Series(rows).astype(pd.CategoricalDtype([2, 0, 1], ordered=True)),
        lambda rows: pd.Series(rows, dtype="Int64"),
    ],
)
def test_any_column_of_labels_gets_its_names(rows, kind):
    y_true = rows[0]
    y_pred = np.roll(y_true, 1)
    plain = rs.ConfusionMatrix(y_true, y_pred)
    named = rs.evaluate(kind(y_true), y_pred={"a": kind(y_pred), "b": kind(y_true)}, labels=NAMES)
    assert named.labels == tuple(NAMES.values())
    assert named.models["a"].confusion == plain.relabel(NAMES)
    assert rs.ConfusionMatrix(kind(y_true), kind(y_pred), labels=NAMES) == plain.relabel(NAMES)


def test_the_positive_class_is_the_greater_label_whatever_its_name(rows):
    y_true, y_score = rows[0] % 2, rows[1][:, 0]
    named = rs.evaluate(
        y_true,
        y_score,
        labels={0: "spam", 1: "ham"},
        costs={"spam": {"spam": 0, "ham": 5}, "ham": {"spam": 1, "ham": 0}},
    )
    plain = rs.evaluate(y_true, y_score, costs={"fp": 5, "fn": 1})
    assert named.pos_label == "ham"
    assert (named["roc_auc"], named["f1"], named["cost"]) == (plain["roc_auc"], plain["f1"], plain["cost"])
    for positive in (0, "spam"):
        other = rs.evaluate(y_true, y_score, labels={0: "spam", 1: "ham"}, pos_label=positive)
        assert other.pos_label == "spam"
        assert other["roc_auc"] == pytest.approx(1 - plain["roc_auc"])
        matrix = rs.ConfusionMatrix(y_true, y_true, labels={0: "spam", 1: "ham"}, pos_label=positive)
        assert matrix.pos_label == "spam"
    assert "predicted</span> ham" in named.to_html()


def test_pandas_rows_keep_their_index(rows):
    y_true, y_score = pd.Series(rows[0] % 2), pd.Series(rows[1][:, 0])
    turned = rs.evaluate(y_true, y_score[::-1], labels={0: "no", 1: "yes"}, align=True)
    assert turned["roc_auc"] == rs.evaluate(y_true, y_score)["roc_auc"]


def test_groups_and_compared_labels_take_names(rows):
    y_true, y_proba, region = rows
    y_pred = np.roll(y_true, 1)
    named = rs.group_by(y_true, y_pred, by=region, labels=NAMES)
    assert named == rs.group_by(TEXT[y_true], TEXT[y_pred], by=region, labels=TEXT)
    assert named.matrix().labels == tuple(NAMES.values())
    ranked = rs.group_by(y_true % 2, y_pred % 2, y_score=y_proba[:, 0], by=region, labels={0: "spam", 1: "ham"})
    assert (ranked.pos_label, ranked.every("roc_auc").tolist()) == (
        "ham",
        rs.group_by(y_true % 2, y_score=y_proba[:, 0], by=region).every("roc_auc").tolist(),
    )
    models = {"a": y_pred, "b": y_true}
    found = rs.inference.compare_labels(y_true, models, labels=NAMES)
    plain = rs.inference.compare_labels(y_true, models)
    assert sorted(found.labels) == sorted(NAMES.values())
    assert found.difference("accuracy", "a", "b").low == plain.difference("accuracy", "a", "b").low
    with pytest.raises(rs.InputError, match=r"y_pred\['a'\]\[0\] is 9; expected a label that labels= names"):
        rs.inference.compare_labels([0, 1], {"a": [9, 1], "b": [0, 1]}, labels={0: "no", 1: "yes"})


def test_missing_labels_stay_missing():
    rows, scores = [0, None, 1, 1], [0.1, 0.2, 0.3, 0.9]
    assert rs.evaluate(rows, scores, labels={0: "no", 1: "yes"}, nan_policy="omit").rows_left_out == 1
    with pytest.raises(rs.InputError, match=r"y_true\[1\] is missing"):
        rs.evaluate(rows, scores, labels={0: "no", 1: "yes"})


def test_a_label_without_a_name_counts_as_missing(rows):
    y_true, y_proba, _ = rows
    y_pred = np.roll(y_true, 1)
    ignored = {255: None, **NAMES}
    some = np.where(np.arange(300) % 7 == 0, 255, y_true)
    kept = some != 255
    with pytest.raises(rs.InputError, match=r"y_true\[0\] is missing; .*nan_policy='omit' leaves such rows out"):
        rs.evaluate(some, y_pred=y_pred, labels=ignored)
    for options in ({"y_pred": y_pred}, {"y_proba": y_proba}):
        found = rs.evaluate(some, **options, labels=ignored, nan_policy="omit")
        rest = {name: column[kept] for name, column in options.items()}
        expected = rs.evaluate(y_true[kept], **rest, labels=NAMES)
        assert (found.labels, found.rows, found.rows_left_out) == (expected.labels, kept.sum(), 300 - kept.sum())
        assert found["accuracy"] == expected["accuracy"]
    plain = rs.ConfusionMatrix(y_true[kept], y_pred[kept], labels=NAMES)
    assert rs.ConfusionMatrix(some, y_pred, labels=ignored) == plain
    assert rs.ConfusionMatrix([0, 1, 9], [0, 1, 1], labels={9: None, 0: "no", 1: "yes"}).pos_label == "yes"


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({0: "a", 1: "a"}, "labels: 0 and 1 would both be 'a'; expected another name for each label"),
        ({0: "a", 1: 7}, r"labels\[1\] is 7; expected the name of a label"),
        ({}, "expected a name for each label"),
        ({0: None}, "expected a name for each label"),
        ({0: "a", 2: "b"}, r"y_true\[1\] is 1; expected a label that labels= names: 0, 2"),
        ({0: "a", 2**40: "b"}, r"y_true\[1\] is 1; expected a label that labels= names: 0, 1099511627776"),
        ({1: "a", 2: "b"}, r"y_true\[0\] is 0; expected a label that labels= names: 1, 2"),
    ],
)
def test_names_that_do_not_fit_are_refused(labels, words):
    with pytest.raises(rs.RocksteadyError, match=words):
        rs.evaluate([0, 1], y_pred=[0, 1], labels=labels)
    with pytest.raises(rs.RocksteadyError, match=words):
        rs.evaluate(np.array([0, 1]), y_pred=[0, 1], labels=labels)


def test_parts_without_rows_take_names():
    names = {0: "no", 1: "yes"}
    whole = rs.evaluate([0, 1], [0.2, 0.7], labels=names)
    for nothing in ([], np.array([], dtype=int), pd.Series([], dtype=int)):
        assert (rs.evaluate(nothing, np.array([]), labels=names) + whole)["roc_auc"] == whole["roc_auc"]


def test_names_of_columns_are_a_list():
    with pytest.raises(rs.InputError, match="expected a list of names"):
        rs.evaluate([[0, 1], [1, 0]], y_pred=[[0, 1], [1, 1]], labels={0: "red", 1: "round"})

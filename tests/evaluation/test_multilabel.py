"""`evaluate` of several labels a row against scikit-learn."""

from __future__ import annotations

import json
import pickle
import re

import numpy as np
import pytest

import rocksteady as rs

reference = pytest.importorskip("sklearn.metrics")

RNG = np.random.default_rng(5)
Y = (RNG.random((300, 4)) < [0.2, 0.3, 0.5, 0.7]).astype(int)
S = np.clip(Y * 0.3 + RNG.random((300, 4)) * 0.7, 0, 1)
NAMES = ["red", "round", "large", "new"]
WEIGHTS = RNG.integers(1, 5, 300) / 2


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_averages_are_scikit_learn_s(average, weights):
    predicted = (S >= 0.4).astype(int)
    of = {"sample_weight": weights, "average": average}
    expected = {
        "f1": reference.f1_score(Y, predicted, **of),
        "precision": reference.precision_score(Y, predicted, **of),
        "recall": reference.recall_score(Y, predicted, **of),
        "jaccard": reference.jaccard_score(Y, predicted, **of),
        "roc_auc": reference.roc_auc_score(Y, S, **of),
        "average_precision": reference.average_precision_score(Y, S, **of),
    }
    for ev in (
        rs.evaluate(Y, S, sample_weight=weights, threshold=0.4),
        rs.evaluate(Y, S, y_pred=predicted, sample_weight=weights),
    ):
        found = {name: ev.value(name, average=average) for name in expected}
        assert found == pytest.approx(expected, rel=1e-12)
        assert ev.exact_match == pytest.approx(reference.accuracy_score(Y, predicted, sample_weight=weights), rel=1e-12)
        assert ev.total == (300 if weights is None else weights.sum())


def test_labels_have_names_and_values_of_their_own():
    pd = pytest.importorskip("pandas")
    ev = rs.evaluate(Y, S, labels=NAMES)
    assert (list(ev.labels), ev.pos_label, ev.is_binary, ev.rows) == (NAMES, None, False, 300)
    assert rs.evaluate(pd.DataFrame(Y, columns=NAMES), S).labels == tuple(NAMES)
    assert rs.evaluate(Y.tolist(), S.tolist()).labels == (0, 1, 2, 3)
    table = ev.label_summary(["roc_auc", "f1"])
    for place, (label, area, f1) in enumerate(table):
        alone = rs.evaluate(Y[:, place], S[:, place])
        assert (label, area, f1) == (NAMES[place], alone["roc_auc"], alone["f1"])
    assert list(ev.curves("roc_curve")["model"]) == NAMES
    assert repr(ev) == "<rocksteady.Evaluation of model: 300 rows, 4 labels>"
    assert "<table>" in ev._repr_html_()
    assert pickle.loads(pickle.dumps(ev)).to_dict() == ev.to_dict()
    assert ev.summary(["f1"]).to_frame().shape == (1, 4)


def test_several_models_and_models_without_scores():
    ev = rs.evaluate(Y, {"good": S, "bad": 1 - S}, threshold={"good": 0.4})
    assert ev["roc_auc"]["good"] > 0.8 > 0.2 > ev["roc_auc"]["bad"]
    assert {name: model.threshold for name, model in ev.models.items()} == {"good": 0.4, "bad": 0.5}
    assert [row[0] for row in ev.summary()][:2] == ["roc_auc", "average_precision"]
    assert ev.label_summary(["f1"], model="bad").rows[0][0] == "0"
    predicted = rs.evaluate(Y, y_pred=Y)
    assert (predicted["f1"], predicted.exact_match) == (1.0, 1.0)
    assert "roc_auc" not in predicted
    with pytest.raises(rs.UnknownIndexError, match="roc_auc of 'model' needs scores, which were not given"):
        _ = predicted["roc_auc"]
    logits = rs.evaluate(Y, (S - 0.5) * 10)
    assert logits.models["model"].threshold == 0.0


def test_a_threshold_is_compared_exactly():
    scores = np.full((2, 2), 0.7, dtype=np.float32)
    assert rs.evaluate([[1, 0], [0, 1]], scores, threshold=0.7).models["model"].counts().tp.tolist() == [0, 0]
    at_it = rs.evaluate([[1, 0], [0, 1]], scores, threshold=np.float32(0.7)).models["model"]
    assert at_it.counts().tp.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rs.evaluate(Y), "y_score and y_pred are None"),
        (lambda: rs.evaluate(Y, S[:, :3]), "expected 300 by 3"),
        (lambda: rs.evaluate(Y, S[:, 0]), "y_score is an array of shape (300); expected two dimensions"),
        (lambda: rs.evaluate(Y, S, labels=["a"]), "labels has 1 names; expected 4"),
        (lambda: rs.evaluate(Y, S, costs={"fp": 1}), "costs is {'fp': 1}; expected nothing"),
        (lambda: rs.evaluate(Y, S, pos_label=1), "pos_label is 1; expected nothing"),
        (lambda: rs.evaluate(Y, y_proba=S), "y_proba is"),
        (lambda: rs.evaluate(Y * 2, S), "expected 0 or 1"),
        (rs.evaluate(Y, S).plot.confusion_matrix, "confusion_matrix is of one label a row; models['model']"),
        (rs.evaluate(Y, y_pred=Y).plot.overview, "no model has scores"),
        (lambda: rs.evaluate(Y, y_pred=Y).best("f1"), "best needs scores, which 'model' does not have"),
        (lambda: rs.evaluate(Y, S).summary(interval=True), "evaluate(..., inference=True)"),
        (lambda: rs.evaluate(Y, S).value("f1", average="samples"), "average is 'samples'; expected 'macro'"),
        (
            lambda: rs.evaluate(Y, {"a": S, "b": S}).label_summary(model="c"),
            "model is 'c'; expected one of the models 'a', 'b'",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, said):
    with pytest.raises((rs.InputError, rs.InputTypeError)) as refused:
        call()
    assert said in str(refused.value)


def test_probabilities_come_as_scikit_learn_s_forests_give_them():
    by_label = [np.column_stack([1 - column, column]) for column in S.T]
    assert rs.evaluate(Y, by_label)["roc_auc"] == rs.evaluate(Y, S)["roc_auc"]
    assert rs.evaluate(Y, np.array(by_label), threshold=0.4)["f1"] == rs.evaluate(Y, S, threshold=0.4)["f1"]
    with pytest.raises(rs.InputError):
        rs.evaluate(Y, by_label[:3])


@pytest.mark.parametrize(("weights", "kind"), [(None, "counts"), (WEIGHTS / 3, "counts"), (WEIGHTS / 3, "sampling")])
def test_parts_of_the_rows_add_to_the_bit(weights, kind):
    def evaluated(rows):
        own = None if weights is None else weights[rows]
        models = {"scored": S[rows], "predicted": S[rows] > 0.3}
        given = {"y_score": {"scored": models["scored"]}, "y_pred": {"predicted": models["predicted"]}}
        return rs.evaluate(Y[rows], **given, labels=NAMES, sample_weight=own, weight_kind=kind, threshold=0.4)

    whole = evaluated(slice(None))
    for cuts in (2, 7):
        parts = [evaluated(rows) for rows in np.array_split(RNG.permutation(len(Y)), cuts)]
        assert rs.merge(parts) == whole == sum(parts)
        assert rs.merge([part.to_bytes() for part in parts]).digest() == whole.digest()
    assert rs.Evaluation.from_bytes(whole.to_bytes()) == whole
    assert whole + evaluated(slice(0)) == whole
    assert whole != evaluated(slice(1, None))
    with pytest.raises(rs.InputError, match="the labels are"):
        whole + rs.evaluate(Y, {"scored": S, "predicted": S})
    with pytest.raises(rs.InputError, match="threshold 0.4 in one and 0.5 in the other"):
        rs.evaluate(Y, S, threshold=0.4) + rs.evaluate(Y, S)


def test_each_label_has_a_best_threshold_counts_and_intervals():
    ev = rs.evaluate(Y, S, labels=NAMES)
    best, counts, intervals = ev.best("f1"), ev.at(0.3), ev.every_interval("recall")
    for place, name in enumerate(NAMES):
        alone = rs.evaluate(Y[:, place], S[:, place])
        assert (best[name], counts[name]) == (alone.best("f1"), alone.at(0.3))
        recall = alone.interval("recall")
        assert (intervals.low[place], intervals.high[place]) == (recall.low, recall.high)
        assert ev.every_interval("roc_auc").low[place] == alone.interval("roc_auc").low
        assert ev.every("f1")[place] == alone["f1"]


def test_the_report_and_the_pictures_have_every_label():
    plt = pytest.importorskip("matplotlib.pyplot")
    for given in ({"y_score": S}, {"y_score": {"old": S, "new": S**2}}, {"y_pred": S > 0.5}):
        ev = rs.evaluate(Y, **given, labels=NAMES)
        page, text = ev.to_html(), ev.to_markdown()
        assert all(f">{name}<" in page and f"| {name} |" in text for name in NAMES)
        assert "classes" not in re.sub(r"<[^>]*>", "", page.partition("Definitions</h2>")[0].partition("<main")[2])
        assert ev.digest() in page
        assert ev.digest() in text
    ev = rs.evaluate(Y, S, labels=NAMES)
    drawn = ev.plot.roc()
    entries = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
    assert entries[:4] == [f"{name} (AUC = {auc:.3f})" for name, auc in zip(NAMES, ev.every("roc_auc"), strict=True)]
    assert entries[4:] == [
        f"macro average (AUC = {ev['roc_auc']:.3f})",
        f"micro average (AUC = {micro(ev):.3f})",
        "chance",
    ]
    assert len(ev.plot.overview().axes) >= 4
    assert {"confusion_matrix", "groups", "roc"} & set(dir(ev.plot)) == {"roc"}
    plt.close("all")


def micro(ev):
    return ev.value("roc_auc", average="micro")


TAGS = [[name for name, has in zip(NAMES, row, strict=True) if has] for row in Y]
GUESSES = [[name for name, has in zip(NAMES, row, strict=True) if has] for row in S >= 0.5]


def _arrow_series(pd, pa, rows):
    return pd.Series(pa.array(rows), dtype=pd.ArrowDtype(pa.list_(pa.string())))


@pytest.mark.parametrize("kind", ["list", "sets", "series", "objects", "polars", "arrow", "arrow series"])
def test_lists_of_labels_are_what_multi_label_binarizer_makes_of_them(kind):
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    convert = {
        "list": list,
        "sets": lambda rows: [set(row) for row in rows],
        "series": pd.Series,
        "objects": lambda rows: pd.Series(rows).to_numpy(),
        "polars": pl.Series,
        "arrow": pa.array,
        "arrow series": lambda rows: _arrow_series(pd, pa, rows),
    }[kind]
    made = pytest.importorskip("sklearn.preprocessing").MultiLabelBinarizer().fit(TAGS)
    scores = S[:, [NAMES.index(name) for name in made.classes_]]
    expected = rs.evaluate(
        made.transform(TAGS), scores, y_pred=made.transform(GUESSES), labels=made.classes_, sample_weight=WEIGHTS
    )
    found = rs.evaluate(convert(TAGS), scores, y_pred=convert(GUESSES), sample_weight=WEIGHTS)
    assert found.labels == tuple(sorted(NAMES))
    assert json.dumps(found.to_dict("all")) == json.dumps(expected.to_dict("all"))  # NaN, too
    assert rs.LabelScoreTables(convert(TAGS), scores) == rs.LabelScoreTables(
        made.transform(TAGS), scores, labels=made.classes_
    )


def test_labels_say_which_tags_there_are_and_their_order():
    pd = pytest.importorskip("pandas")
    ev = rs.evaluate(TAGS, pd.DataFrame(S, columns=NAMES)[sorted(NAMES)], y_pred=GUESSES, labels=NAMES)
    assert ev.to_dict() == rs.evaluate(Y, S, y_pred=(S >= 0.5).astype(int), labels=NAMES).to_dict()
    several = rs.evaluate(TAGS, y_pred={"a": GUESSES, "b": TAGS}, labels=[*NAMES, "rare"], inference=True)
    assert several.labels == (*NAMES, "rare")
    assert several.difference("accuracy", "a", "b").estimate < 0
    assert rs.evaluate({"y": TAGS, "p": GUESSES}, label="y", pred="p")["f1"] == ev["f1"]


def test_rows_without_tags_and_tags_of_predictions_alone():
    assert rs.evaluate([[], ["a"]], y_pred=[["b"], ["a"]]).labels == ("a", "b")
    assert rs.evaluate([["a"], ["b"]], y_pred=[[], []])["recall"] == 0
    assert rs.evaluate([[], []], y_pred=[["b"], ["a"]]).exact_match == 0
    assert rs.evaluate([["a", "a"], ["b"]], y_pred=[["a"], ["b"]]).exact_match == 1


@pytest.mark.parametrize(
    ("y_true", "y_pred", "words"),
    [
        ([["a"], "b"], [["a"], ["b"]], r"y_true\[1\] is 'b'; expected a list of the labels of the row"),
        ([["a"], None], [["a"], ["b"]], r"y_true\[1\] is None; expected a list"),
        ([["a"], ["b", 3]], [["a"], ["b"]], r"y_true\[1\] has the label 3; expected labels that are strings"),
        ([["a"], ["b"]], [["a"], ["c"]], r"y_pred\[1\] has the label 'c'; expected one of labels="),
        ([["a"], ["b"]], ["a", "b"], "y_pred is an array of shape"),
    ],
)
def test_rows_that_are_no_lists_of_labels_are_refused(y_true, y_pred, words):
    with pytest.raises(rs.RocksteadyError, match=words):
        rs.evaluate(y_true, y_pred=y_pred, labels=["a", "b"])

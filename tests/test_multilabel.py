"""`evaluate` of several labels a row against scikit-learn."""

from __future__ import annotations

import pickle

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
    assert repr(ev) == "<rocksteady.results.MultilabelEvaluation of model: 300 rows, 4 labels>"
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
    assert rs.evaluate([[1, 0], [0, 1]], scores, threshold=0.7).models["model"].label_counts.tp.tolist() == [0, 0]
    at_it = rs.evaluate([[1, 0], [0, 1]], scores, threshold=np.float32(0.7)).models["model"]
    assert at_it.label_counts.tp.tolist() == [1, 1]


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
        (lambda: rs.evaluate(Y, S).plot, "plot is not made for several labels a row"),
        (lambda: rs.evaluate(Y, S).to_html("x.html"), "to_html is not made for several labels a row"),
        (lambda: rs.evaluate(Y, S).best("f1"), "best is not made for several labels a row"),
        (lambda: rs.evaluate(Y, S).value("f1", average="samples"), "average is 'samples'; expected 'macro'"),
        (lambda: rs.evaluate(Y, {"a": S, "b": S}).label_summary(model="c"), "model is 'c'; expected 'a' or 'b'"),
    ],
)
def test_what_cannot_be_is_refused(call, said):
    with pytest.raises((rs.InputError, rs.InputTypeError)) as refused:
        call()
    assert said in str(refused.value)


def test_many_indices_of_score_tables_in_one_call():
    proba = RNG.dirichlet(np.ones(3), 200)
    tables = rs.ScoreTables(RNG.integers(0, 3, 200), proba)
    names = ["roc_auc", "ks", "one_vs_one_auc"]
    assert tables.values(names) == {
        "roc_auc": tables.average("roc_auc"),
        "ks": tables.average("ks"),
        "one_vs_one_auc": tables["one_vs_one_auc"],
    }
    assert tables.values(["ks"], "weighted")["ks"] == tables.average("ks", "weighted")
    each = rs.LabelScoreTables(Y, S).values(["roc_auc"], average=None)["roc_auc"]
    assert each.tolist() == rs.LabelScoreTables(Y, S).every("roc_auc").tolist()
    with pytest.raises(rs.UnknownIndexError):
        tables.values(["nonsense"])


def test_probabilities_come_as_scikit_learn_s_forests_give_them():
    by_label = [np.column_stack([1 - column, column]) for column in S.T]
    assert rs.evaluate(Y, by_label)["roc_auc"] == rs.evaluate(Y, S)["roc_auc"]
    assert rs.evaluate(Y, np.array(by_label), threshold=0.4)["f1"] == rs.evaluate(Y, S, threshold=0.4)["f1"]
    with pytest.raises(rs.InputError):
        rs.evaluate(Y, by_label[:3])


def test_evaluations_of_labels_are_compared_but_neither_added_nor_written():
    y_true, y_score = [[1, 0], [0, 1], [1, 1]], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.7]]
    ev = rs.evaluate(y_true, y_score)
    assert ev == rs.evaluate(y_true, y_score)
    assert ev != rs.evaluate(y_true, [[0.9, 0.1], [0.2, 0.8], [0.6, 0.75]])
    for call in (ev.to_bytes, ev.digest, lambda: ev + ev, lambda: sum([ev, ev]), lambda: rs.merge([ev, ev])):
        with pytest.raises(rs.RocksteadyError, match="of several labels.*models\\[name\\].class_scores"):
            call()
    rankings = ev.models["model"].class_scores
    assert (rankings + rankings).digest() != rankings.digest()

"""`evaluate` counts the same as the statistics themselves, for every way to pass columns."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocksteady as rs
from rocksteady.registry.selection import SUMMARY


@pytest.fixture(scope="module")
def binary():
    rng = np.random.default_rng(7)
    y_true = rng.random(2_000) < 0.3
    noise = rng.normal(size=(2_000, 3))
    scores = 1 / (1 + np.exp(-(noise + y_true[:, None] * [0.5, 1.0, 2.0] - 1)))
    return y_true, scores, rng.random(2_000)


@pytest.fixture(scope="module")
def several():
    rng = np.random.default_rng(8)
    y_true = rng.choice(["cat", "dog", "eel"], size=900)
    raw = rng.random((900, 3)) + (y_true[:, None] == np.array(["cat", "dog", "eel"]))
    return y_true, raw / raw.sum(axis=1, keepdims=True)


def test_one_model_answers_with_the_values_of_its_statistics(binary):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true, scores[:, 0])
    table, matrix = rs.ScoreTable(y_true, scores[:, 0]), rs.ConfusionMatrix(y_true, scores[:, 0] >= 0.5)
    assert ev.models["model"].scores == table
    assert ev.models["model"].confusion == matrix
    assert ev["roc_auc"] == table["roc_auc"]
    assert ev["f1"] == matrix["f1"]
    assert ev.value("fbeta", beta=2) == matrix.value("fbeta", beta=2)
    for name in ev:
        expected = table[name] if "scores" in rs.index(name).forms else matrix[name]
        assert ev[name] == expected or (ev[name] != ev[name] and expected != expected), name


@pytest.mark.parametrize("weighted", [False, True])
def test_the_summary_is_that_of_scikit_learn(binary, several, weighted):
    reference = pytest.importorskip("sklearn.metrics")
    y_true, scores, weights = binary
    of = {"sample_weight": weights * (weights > 0.2) if weighted else None}
    ev, predicted = rs.evaluate(y_true, scores[:, 1], **of), scores[:, 1] >= 0.5
    expected = {
        "accuracy": reference.accuracy_score(y_true, predicted, **of),
        "balanced_accuracy": reference.balanced_accuracy_score(y_true, predicted, **of),
        "precision": reference.precision_score(y_true, predicted, **of),
        "recall": reference.recall_score(y_true, predicted, **of),
        "specificity": reference.recall_score(y_true, predicted, pos_label=0, **of),
        "npv": reference.precision_score(y_true, predicted, pos_label=0, **of),
        "f1": reference.f1_score(y_true, predicted, **of),
        "jaccard": reference.jaccard_score(y_true, predicted, **of),
        "kappa": reference.cohen_kappa_score(y_true, predicted, **of),
        "mcc": reference.matthews_corrcoef(y_true, predicted, **of),
        "roc_auc": reference.roc_auc_score(y_true, scores[:, 1], **of),
        "average_precision": reference.average_precision_score(y_true, scores[:, 1], **of),
        "log_loss": reference.log_loss(y_true, scores[:, 1], **of),
        "brier": reference.brier_score_loss(y_true, scores[:, 1], **of),
    }
    assert {name: ev[name] for name in expected} == pytest.approx(expected, rel=1e-12)

    y_true, proba = several
    of = {"sample_weight": weights[:900] if weighted else None}
    ev, predicted = rs.evaluate(y_true, y_proba=proba, **of), np.array(["cat", "dog", "eel"])[proba.argmax(axis=1)]
    mean, each = of | {"average": "macro"}, y_true[:, None] == np.array(["cat", "dog", "eel"])
    expected = {
        "accuracy": reference.accuracy_score(y_true, predicted, **of),
        "balanced_accuracy": reference.balanced_accuracy_score(y_true, predicted, **of),
        "precision": reference.precision_score(y_true, predicted, **mean),
        "recall": reference.recall_score(y_true, predicted, **mean),
        "f1": reference.f1_score(y_true, predicted, **mean),
        "kappa": reference.cohen_kappa_score(y_true, predicted, **of),
        "mcc": reference.matthews_corrcoef(y_true, predicted, **of),
        "roc_auc": reference.roc_auc_score(each, proba, **mean),
        "average_precision": reference.average_precision_score(each, proba, **mean),
        "log_loss": reference.log_loss(y_true, proba, **of),
    }
    assert {name: ev[name] for name in expected} == pytest.approx(expected, rel=1e-12)


def test_every_index_that_two_classes_have_is_there(binary):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true, scores[:, 0])
    lacking = {row.name for row in rs.indices()} - set(ev)
    assert {form for name in lacking for form in rs.index(name).forms} <= {"class", "score_tables", "queries"}
    assert len(ev) == len(list(ev)) > 280


@pytest.mark.parametrize("form", ["mapping", "array", "pandas", "polars"])
def test_columns_of_several_models_may_come_in_any_form(binary, form):
    y_true, scores, weights = binary
    names = ["weak", "fair", "strong"]
    columns = dict(zip(names, scores.T, strict=True))
    given, called = {
        "mapping": (columns, None),
        "array": (scores, names),
        "pandas": (lambda: pytest.importorskip("pandas").DataFrame(columns), None),
        "polars": (lambda: pytest.importorskip("polars").DataFrame(columns), None),
    }[form]
    ev = rs.evaluate(y_true, given() if callable(given) else given, sample_weight=weights, names=called)
    assert list(ev.models) == names
    for name, column in columns.items():
        assert ev.models[name].scores == rs.ScoreTable(y_true, column, sample_weight=weights)
    assert ev["roc_auc"] == {name: ev.models[name]["roc_auc"] for name in names}
    assert ev["roc_auc"]["weak"] < ev["roc_auc"]["fair"] < ev["roc_auc"]["strong"]
    assert ev.rows == 2_000
    assert ev.total == pytest.approx(weights.sum(), rel=1e-12)


def test_text_labels_are_hashed_once_and_mean_the_same(binary):
    y_true, scores, _ = binary
    words = np.where(y_true, "yes", "no")
    ev = rs.evaluate(words, scores)
    assert ev.labels == ("no", "yes")
    assert ev.pos_label == "yes"
    for place, model in enumerate(ev.models.values()):
        assert model.scores == rs.ScoreTable(words, scores[:, place])
        assert model.scores.labels == ("no", "yes")
    objects = rs.evaluate(words.astype(object), scores[:, 0], y_pred=np.where(scores[:, 0] > 0.4, "yes", "no"))
    assert objects["accuracy"] == np.mean((scores[:, 0] > 0.4) == y_true)


def test_the_positive_class_may_be_the_lesser(binary):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true.astype(int), 1 - scores[:, 0], pos_label=0, costs={"fp": 2, "fn": 7, "tp": -1})
    matrix = rs.ConfusionMatrix(y_true.astype(int), np.where(1 - scores[:, 0] >= 0.5, 0, 1), pos_label=0)
    assert ev.models["model"].confusion == matrix
    assert ev.pos_label == 0
    assert ev.costs.tolist() == [[-1, 7], [2, 0]]
    assert ev["cost"] == matrix.value("cost", fp=2, fn=7, tp=-1)
    assert ev.value("cost", fn=1) == matrix.value("cost", fp=2, fn=1, tp=-1)


@pytest.mark.parametrize("pos_label", [None, "no", "yes"])
def test_two_columns_of_probabilities_are_two_classes(binary, pos_label):
    y_true, scores, weights = binary
    words = np.where(y_true, "yes", "no")
    both = np.column_stack([1 - scores[:, 1], scores[:, 1]])
    ev = rs.evaluate(words, y_proba=both, pos_label=pos_label, sample_weight=weights)
    column = both[:, 0] if pos_label == "no" else both[:, 1]
    expected = rs.ScoreTable(words, column, pos_label=pos_label, sample_weight=weights)
    assert ev.models["model"].scores == expected
    assert ev.pos_label == (pos_label or "yes")


def test_several_classes(several):
    y_true, proba = several
    ev = rs.evaluate(y_true, y_proba={"a": proba, "b": proba[:, [1, 0, 2]]})
    tables = rs.ScoreTables(y_true, proba)
    matrix = rs.ConfusionMatrix(y_true, np.array(tables.labels)[proba.argmax(axis=1)])
    model = ev.models["a"]
    assert model.class_scores == tables
    assert model.confusion == matrix
    assert not ev.is_binary
    assert model["accuracy"] == matrix["accuracy"]
    assert model["recall"] == matrix.value("recall", average="macro")
    assert model["log_loss"] == tables["log_loss"]
    assert model["roc_auc"] == tables.value("roc_auc", average="macro")
    for average in ("macro", "micro", "weighted"):
        assert model.value("roc_auc", average=average) == tables.value("roc_auc", average=average)
        assert model.value("f1", average=average) == matrix.value("f1", average=average)
    assert model.is_mean("recall")
    assert not model.is_mean("accuracy")
    assert model["accuracy"] > ev.models["b"]["accuracy"]
    assert [row[0] for row in ev.summary(["recall"])] == ["mean recall"]
    assert set(ev.curves("roc_curve")["a"]) == {"cat", "dog", "eel"}
    assert ev.to_dict()["models"]["a"]["every"]["recall"] == matrix.every("recall").tolist()


def test_a_mean_over_classes_counts_an_undefined_one_as_0_but_there_is_none_of_such_alone():
    ev = rs.evaluate([0, 1, 2], y_pred=[0, 1, 2])
    assert np.isnan(ev["diagnostic_odds_ratio"])
    assert ev.why("diagnostic_odds_ratio") == "It is undefined for every class."
    assert ev.why("recall") is None
    assert rs.evaluate([0, 1, 1], y_pred=[0, 2, 1])["recall"] == 0.5


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow table", "arrow batch", "labels"])
def test_columns_of_probabilities_may_stand_in_any_order(several, form):
    y_true, proba = several
    labels, turned = ["eel", "cat", "dog"], proba[:, [2, 0, 1]]
    columns = dict(zip(labels, turned.T, strict=True))
    make = {
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(columns),
        "polars": lambda: pytest.importorskip("polars").DataFrame(columns),
        "arrow table": lambda: pytest.importorskip("pyarrow").table(columns),
        "arrow batch": lambda: pytest.importorskip("pyarrow").record_batch(columns),
        "labels": lambda: turned,
    }[form]
    model = rs.evaluate(y_true, y_proba=make(), labels=labels if form == "labels" else None).models["model"]
    expected = rs.evaluate(y_true, y_proba=proba).models["model"]
    assert model.class_scores == rs.ScoreTables(y_true, proba)
    assert model.confusion == expected.confusion
    assert model.confusion["accuracy"] == np.mean(np.array(["cat", "dog", "eel"])[proba.argmax(axis=1)] == y_true)


def test_two_columns_in_the_order_of_the_labels(binary):
    y_true, scores, _ = binary
    words = np.where(y_true, "yes", "no")
    turned = np.column_stack([scores[:, 1], 1 - scores[:, 1]])
    ev = rs.evaluate(words, y_proba=turned, labels=["yes", "no"])
    assert ev.labels == ("no", "yes")
    assert ev.pos_label == "yes"
    assert ev.models["model"].scores == rs.ScoreTable(words, scores[:, 1], pos_label="yes")


def test_arrow_tables_are_columns_by_model(binary):
    y_true, scores, _ = binary
    pyarrow = pytest.importorskip("pyarrow")
    columns = dict(zip(["weak", "fair", "strong"], scores.T, strict=True))
    for table in (pyarrow.table(columns), pyarrow.record_batch(columns)):
        ev = rs.evaluate(y_true, table)
        assert list(ev.models) == ["weak", "fair", "strong"]
        assert ev.models["fair"].scores == rs.ScoreTable(y_true, scores[:, 1])


def test_the_greater_label_is_positive_however_the_labels_are_listed():
    for labels in (None, [0, 1], [1, 0]):
        for given in ({"y_pred": [0, 1, 0]}, {"y_score": [0.1, 0.8, 0.2]}):
            ev = rs.evaluate([0, 1, 1], labels=labels, **given)
            assert (ev.labels, ev.pos_label, ev["recall"]) == ((0, 1), 1, 0.5)
    assert rs.evaluate(list("abc"), y_pred=list("abb"), labels=["c", "a", "b"]).labels == ("c", "a", "b")


def test_a_class_of_which_there_are_no_rows_has_the_name_that_was_given():
    assert rs.evaluate([7, 7], [0.1, 0.9], labels=[3, 7]).labels == (3, 7)
    assert rs.evaluate([3, 3], [0.1, 0.9], labels=[3, 7]).pos_label == 7
    ev = rs.evaluate(["b", "b"], {"ranked": [0.1, 0.9]}, y_pred={"named": ["a", "b"]}, pos_label="b")
    assert (ev.labels, ev.pos_label) == (("a", "b"), "b")
    assert ev.models["ranked"].confusion.to_array().tolist() == [[0, 0], [1, 1]]
    assert ev["recall"] == {"ranked": 0.5, "named": 0.5}
    assert rs.evaluate([1, 1], {"a": [0.1, 0.9]}, y_pred={"b": [1, 1]})["accuracy"] == {"a": 0.5, "b": 1.0}


@pytest.mark.parametrize("only", [0, 1])
@pytest.mark.parametrize("pos_label", [0, 1])
def test_two_columns_of_one_class_are_read_as_those_of_both(only, pos_label):
    proba = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]])
    ev = rs.evaluate([only] * 3, y_proba=proba, pos_label=pos_label)
    assert ev.models["model"].confusion["accuracy"] == (1.0 if only == 0 else 0.0)


def test_thresholds_of_whole_scores_are_exact():
    scores = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 1])
    ev = rs.evaluate([0, 1, 1, 1], scores, threshold=2**53 + 1)
    assert ev["accuracy"] == 1.0
    assert ev.models["model"].threshold == 2**53 + 1
    assert "9007199254740993" in ev.to_markdown()
    assert rs.evaluate([0, 1], [1, 2], threshold=10**30).models["model"].threshold == 1e30
    assert rs.evaluate([0, 1], np.array([0.5, 0.7], np.float32), threshold=np.float32(0.7))["recall"] == 1.0


def test_costs_in_a_frame_go_by_its_names(several):
    y_true, proba = several
    pandas = pytest.importorskip("pandas")
    costs = pandas.DataFrame(
        [[0, 1, 2], [3, 0, 4], [5, 6, 0]], index=["eel", "dog", "cat"], columns=["eel", "dog", "cat"]
    )
    ev = rs.evaluate(y_true, y_proba=proba, costs=costs)
    assert ev.costs.tolist() == [[0, 6, 5], [4, 0, 3], [2, 1, 0]]
    assert rs.evaluate([0, 1], [0.1, 0.2], costs=pandas.DataFrame([[0, 1], [5, 0]])).costs.tolist() == [[0, 1], [5, 0]]
    with pytest.raises(rs.InputError, match="a row and a column for each of the labels"):
        rs.evaluate(y_true, y_proba=proba, costs=costs.rename(index={"cat": "fox"}))


def test_models_have_their_whole_names_in_frames():
    long = "a name that is longer than what a terminal has room for, number "
    columns = {f"{long}{place}": [0.1, 0.2, 0.9] for place in (1, 2)} | {
        "index": [0.1, 0.2, 0.3],
        "why": [0.1, 0.6, 0.3],
    }
    ev = rs.evaluate([0, 1, 1], columns)
    assert ev.summary(["precision"]).columns == ("index_", *columns, "why_")
    assert list(ev.summary(["mcc"]).to_pandas().columns) == ["index_", *columns]
    assert ev.summary(["recall"]).to_pandas().loc[0, "why"] == 0.5
    assert max(map(len, repr(ev.summary(["recall"])).split("  "))) < 50
    lines = rs.evaluate([0, 1, 1], {"a\nb": [0.1, 0.2, 0.9], "c": [0.1, 0.2, 0.9]}).summary(["recall"])
    assert len(repr(lines).splitlines()) == 3  # with the positive class


def test_a_notebook_shows_every_matrix_with_its_model(several):
    y_true, proba = several
    shown = rs.evaluate(y_true, y_proba={"a&b": proba, "c": proba})._repr_html_()
    assert shown.count("rows true, columns predicted") == 2
    assert "<p>a&amp;b</p>" in shown


def test_predicted_classes_alone(several):
    y_true, proba = several
    predicted = np.array(["cat", "dog", "eel"])[proba.argmax(axis=1)]
    ev = rs.evaluate(
        y_true, y_pred={"some": predicted, "one": np.full(900, "dog")}, costs=[[0, 1, 1], [1, 0, 1], [9, 9, 0]]
    )
    assert ev["accuracy"]["one"] == np.mean(y_true == "dog")
    assert list(ev.models["one"].confusion.labels) == ["cat", "dog", "eel"]
    assert "roc_auc" not in ev
    assert ev["cost"]["one"] == 9 * np.sum(y_true == "eel") + np.sum(y_true == "cat")
    with pytest.raises(rs.UnknownIndexError, match="needs scores"):
        ev["roc_auc"]


def test_models_that_never_predict_a_class_are_compared_all_the_same():
    ev = rs.evaluate([0, 1, 1, 0], y_pred={"a": [0, 1, 2, 0], "b": [0, 1, 1, 0]})
    assert ev.labels == (0, 1, 2)
    assert ev["accuracy"] == {"a": 0.75, "b": 1.0}


def test_classes_given_beside_scores(binary):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true, {"m": scores[:, 0]}, y_pred={"m": scores[:, 0] >= 0.7})
    assert ev.models["m"].threshold is None
    assert ev.models["m"].confusion == rs.ConfusionMatrix(y_true, scores[:, 0] >= 0.7)
    assert ev["roc_auc"] == rs.ScoreTable(y_true, scores[:, 0])["roc_auc"]


def test_the_threshold_is_a_half_of_probabilities_and_else_nought(binary):
    y_true, scores, _ = binary
    logits = np.log(scores[:, 0] / (1 - scores[:, 0]))
    ev = rs.evaluate(y_true, {"p": scores[:, 0], "logit": logits})
    assert {name: model.threshold for name, model in ev.models.items()} == {"p": 0.5, "logit": 0.0}
    assert ev.models["p"].confusion == ev.models["logit"].confusion
    ev = rs.evaluate(y_true, {"p": scores[:, 0], "q": scores[:, 1]}, threshold={"q": 0.2})
    assert {name: model.threshold for name, model in ev.models.items()} == {"p": 0.5, "q": 0.2}


ONE_CLASS = {
    "evaluate": lambda y, **options: rs.evaluate(y, [0.2, 0.7], **options)["tpr"],
    "evaluate, probabilities": lambda y, **options: rs.evaluate(y, y_proba=[[0.8, 0.2], [0.3, 0.7]], **options)["tpr"],
    "evaluate, bounded": lambda y, **options: rs.evaluate(y, [0.2, 0.7], bounded=True, **options)["tpr"],
    "group_by": lambda y, **options: rs.group_by(y, y_score=[0.2, 0.7], threshold=0.5, by=[1, 1], **options).every(
        "tpr"
    )[0],
    "ScoreTable": lambda y, **options: rs.ScoreTable(y, [0.2, 0.7], **options).at(0.5)["tpr"],
    "ScoreSketch": lambda y, **options: rs.ScoreSketch(y, [0.2, 0.7], **options).at(0.5)["tpr"],
    "counts_at": lambda y, **options: rs.counts_at(y, [0.2, 0.7], 0.5, **options)["tpr"],
    "CostTable": lambda y, **options: rs.CostTable(y, [0.2, 0.7], costs={}, **options).at(0.5).counts()["tpr"],
    "CostCounts": lambda y, **options: rs.CostCounts(y, [y[0], y[0]], costs={}, **options).counts()["tpr"] / 2,
    "ProbabilitySums": lambda y, **options: rs.ProbabilitySums(y, [0.5, 0.5], **options)["brier"] * 2,
}


@pytest.mark.parametrize("call", ONE_CLASS)
@pytest.mark.parametrize("only", ["yes", 7, -1, 2.5e3])
def test_one_class_alone_is_refused_until_the_positive_one_is_named(call, only):
    called = ONE_CLASS[call]
    with pytest.raises(rs.InputError, match=r"y_true has one class only, .*; expected two, or pos_label=") as caught:
        called([only, only])
    assert (caught.value.argument, caught.value.value) == ("y_true", repr(only))
    assert called([only, only], pos_label=only) == 0.5
    other = "a" if isinstance(only, str) else 0
    assert np.isnan(called([only, only], pos_label=other)) or call in ("ProbabilitySums", "CostCounts")
    with pytest.raises(rs.RocksteadyError, match="pos_label is .*; expected |expected labels that go with the earlier"):
        called([only, only], pos_label=8 if isinstance(only, str) else "yes")
    assert called([1, 1]) == called([True, True]) == 0.5


@pytest.mark.parametrize("only", [0, 1, True, False, "a", 5, 2.0])
def test_one_class_only_leaves_what_needs_both_undefined(only):
    ev = rs.evaluate([only, only], [0.2, 0.7], pos_label=None if only in (0, 1) else only)
    assert len(ev.labels) == 2
    assert only in ev.labels
    assert np.isnan(ev["roc_auc"])
    assert "class" in ev.why("roc_auc") or "negative" in ev.why("roc_auc") or "positive" in ev.why("roc_auc")
    assert ev.models["model"].confusion.total == 2


def test_summary_says_why_an_index_is_undefined():
    ev = rs.evaluate([0, 0, 1], [0.1, 0.2, 0.3])
    table = ev.summary(["precision", "npv"])
    assert table.columns == ("index", "value", "why")
    assert table.rows[0][2] == "No row is predicted positive."
    assert rs.evaluate([0, 0, 1], [0.1, 0.2, 0.3]).summary(["recall", "npv", "precision"]).to_markdown().splitlines()[
        1
    ] == ("| --- | ---: | --- |")
    assert rs.evaluate([0, 0, 1], [0.1, 0.2, 0.8]).summary(["precision"]).columns == ("index", "value")


def test_a_model_without_scores_leaves_the_others_their_indices(binary):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true, {"a": scores[:, 0]}, y_pred={"b": scores[:, 1] > 0.5})
    assert ev.summary(["accuracy", "roc_auc"]).rows == (
        ("accuracy", *ev["accuracy"].values()),
        ("roc_auc", ev.models["a"]["roc_auc"], None),
    )
    assert "roc_auc" in [row[0] for row in ev.summary()]
    assert ev.to_dict()["models"]["a"]["indices"]["roc_auc"] == ev.models["a"]["roc_auc"]
    assert "roc_auc" not in ev.to_dict()["models"]["b"]["indices"]
    assert "roc_auc" not in ev
    assert np.isnan(ev.to_pandas().set_index("index").loc["roc_auc", "b"])
    assert "</html>" in ev.to_html()
    with pytest.raises(rs.UnknownIndexError, match="needs class probabilities|needs scores"):
        rs.evaluate(y_true, y_pred=y_true).summary(["roc_auc"])


def test_markdown_cuts_no_digits_of_weights():
    ev = rs.evaluate([0, 1, 1], [0.2, 0.7, 1e300], sample_weight=[123456.5, 0.25, 3], threshold=0.5)
    text = ev.to_markdown()
    assert "| 0 | 123456 | 0 |" in text
    assert "| 1 | 0 | 3.25 |" in text
    assert "1e+300" in text
    assert max(map(len, text.splitlines())) < 200


def test_it_pickles_and_makes_frames(binary):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true, scores, costs={"fn": 4})
    again = pickle.loads(pickle.dumps(ev))
    assert again.to_dict() == ev.to_dict()
    assert again.costs.tolist() == [[0, 1], [4, 0]]
    pytest.importorskip("pandas")
    assert ev.to_frame().shape == (len(ev.summary()), 4)
    assert ev.summary(["mcc"]).to_pandas().loc[0, "model 2"] == ev["mcc"]["model 2"]
    pytest.importorskip("polars")
    assert ev.to_polars().shape == (len(ev.summary()), 4)
    assert ev.compare().models == ("model 1", "model 2", "model 3")


def test_a_notebook_shows_names_as_they_are():
    shown = rs.evaluate([0, 1, 1], {"<script>alert(1)</script>": [0.1, 0.4, 0.9]})._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


REFUSED = [
    (lambda: rs.evaluate([0, 1]), "y_score, y_pred and y_proba are None"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], y_proba=[[0.1, 0.9], [0.2, 0.8]]), "y_proba is 'model'"),
    (lambda: rs.evaluate([0, 1], {"a": [0.1, 0.2]}, names=["b"]), "names is ['b']; expected None"),
    (lambda: rs.evaluate([0, 1], [[0.1, 0.2], [0.3, 0.4]], names=["b"]), "2 names"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], names=["a", "b"]), "one name"),
    (
        lambda: rs.evaluate([0, 1], {1: [0.1, 0.2]}),
        "y_score has a column for 1; expected columns by the names of models",
    ),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], threshold="half"), "threshold is 'half'; expected a number"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], threshold=float("nan")), "threshold is nan"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], threshold={"b": 0.5}), "threshold is 'b'"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], costs={"zz": 1}), "costs is 'zz'"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], costs={"fp": float("inf")}), "costs['fp'] is inf"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], costs=[[0, 1]]), "costs has shape (1, 2); expected (2, 2)"),
    (lambda: rs.evaluate([0, 1, 2], y_pred=[0, 1, 2], costs={"fp": 1}), "costs is {'fp': 1}; expected 3 rows"),
    (lambda: rs.evaluate([0, 1, 2], [0.1, 0.2, 0.3]), "y_true"),
    (lambda: rs.evaluate([0, 1], [0.1, float("nan")]), "y_score[1]"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2, 0.3]), "y_score"),
    (lambda: rs.evaluate([0, 1], np.zeros((2, 0))), "y_score has shape (2, 0)"),
    (lambda: rs.evaluate([0, 1], y_proba=np.zeros((2, 2, 2))), "y_proba has 3 dimensions"),
    (lambda: rs.evaluate([0, 1, 2], y_proba=np.eye(3), pos_label=1), "pos_label is 1; expected None"),
    (lambda: rs.evaluate([0, 1], {"a": [0.1, 0.2], "b": [0.1, float("nan")]}), "y_score['b'][1] is NaN"),
    (lambda: rs.evaluate([0, 1], {"a": [0.1, 0.2], "b": [0.1]}), "y_score['b'] has 1 rows"),
    (lambda: rs.evaluate([0, 1], y_pred={"a": [1, 0], "b": [1, None]}), "y_pred['b'][1] is missing"),
    (lambda: rs.evaluate([0, 1, 2], y_proba=np.diag([1.0, 1.0, np.nan])), "y_proba[2] is NaN"),
    (lambda: rs.evaluate([0, 1, 2], y_proba=np.eye(3), y_pred=[0, 1, 3]), "y_pred has the class 3; expected one of"),
    (lambda: rs.evaluate([0, 1, 1], [0.1, 0.2, 0.3], y_pred=[0, 1, 2]), "y_pred has the class 2; expected one of"),
    (lambda: rs.evaluate([0, 1, 2], y_pred=[0, 1, 2], labels=[0, 1]), "y_true[2] is 2; expected one of the given"),
    (lambda: rs.evaluate([0, 7], [0.1, 0.2], labels=[3, 7]), "y_true has 0; expected one of the labels [3, 7]"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], labels=[1, "a"]), "labels[1] is 'a'"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], labels=[1, 1]), "labels[1] is 1; expected each label once"),
    (lambda: rs.evaluate([0, 1], [0.1, 0.2], labels=[0, 1], pos_label=7), "pos_label is 7; expected one of"),
    (lambda: rs.evaluate([0, 1], y_proba=np.eye(2), pos_label="1"), "pos_label is '1'; expected one of"),
    (lambda: rs.evaluate([0, 1, 1], y_proba=np.eye(3), labels=[0, 1]), "y_proba has 3 columns; expected 2"),
    (lambda: rs.evaluate([0, 1, 1], y_proba=[[1, 0], [1], [0, 1]]), "y_proba is of type list"),
    (lambda: rs.evaluate([0, 1], [[0.1], [0.2, 0.3]]), "y_score is of type list"),
    (lambda: rs.evaluate([0, 1], np.eye(2), names=["a", "a"]), "names is ['a', 'a']; expected another name for each"),
    (lambda: rs.evaluate([0, 1], {}), "y_score is empty"),
    (lambda: rs.evaluate([0, 1], y_pred=[0, 1], threshold=0.5), "threshold is 0.5; expected None for 'model'"),
    (lambda: rs.evaluate([0, 1, 2], y_proba=np.eye(3), threshold={"model": 0.5}), "expected None for 'model'"),
    (lambda: rs.results.ModelEvaluation(1, rs.ConfusionMatrix([0, 1], [0, 1])), "name is 1; expected a string"),
    (lambda: rs.results.ModelEvaluation("a", [[1, 2], [3, 4]]), "expected a ConfusionMatrix"),
    (lambda: rs.Evaluation([]), "models is empty"),
    (lambda: rs.Evaluation(["a"]), "models[0] is 'a'"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_refusals_name_argument_value_and_expectation(call, sentence):
    with pytest.raises(rs.RocksteadyError) as refused:
        call()
    assert sentence in str(refused.value)


def test_headings_that_cannot_be_classes_or_models_are_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.eye(3), columns=["a", 1, "b"])
    with pytest.raises(rs.InputTypeError, match=r"y_proba.columns\[1\] is 1"):
        rs.evaluate(["a", "b", "c"], y_proba=frame)
    with pytest.raises(rs.InputTypeError, match="y_proba.columns is of another type than y_true"):
        rs.evaluate([0, 1, 2], y_proba=frame.set_axis(["x", "y", "z"], axis=1))
    with pytest.raises(rs.InputError, match="y_score has two columns 'a'"):
        rs.evaluate([0, 1, 1], frame.set_axis(["a", "b", "a"], axis=1))


def test_no_column_is_counted_twice(monkeypatch, binary):
    y_true, scores, _ = binary
    counted = []
    for kind in (rs.ScoreTable, rs.ConfusionMatrix):

        def noted(self, *columns, _kind=kind, _made=kind.__init__, **options):
            counted.append(_kind.__name__)
            _made(self, *columns, **options)

        monkeypatch.setattr(kind, "__init__", noted)
    rs.evaluate(y_true, {"a": scores[:, 0], "b": scores[:, 1]}, y_pred={"c": y_true, "d": np.zeros(2_000, bool)})
    assert sorted(counted) == ["ConfusionMatrix"] * 2 + ["ScoreTable"] * 2
    counted.clear()
    rs.evaluate([0, 1, 1, 0], y_pred={"a": [0, 1, 2, 0], "b": [0, 1, 1, 0]})
    assert counted == ["ConfusionMatrix"] * 2


def test_models_of_different_rows_are_refused():
    def model(name, y_true, y_pred):
        return rs.results.ModelEvaluation(name, rs.ConfusionMatrix(y_true, y_pred))

    with pytest.raises(rs.InputError, match="different rows"):
        rs.Evaluation([model("a", [0, 1], [0, 1]), model("b", [0, 1, 1], [0, 1, 1])])
    with pytest.raises(rs.InputError, match="another name"):
        rs.Evaluation([model("a", [0, 1], [0, 1]), model("a", [0, 1], [0, 1])])


def test_rows_that_all_weigh_nothing_have_a_report():
    for ev in (
        rs.evaluate([0, 1], [0.1, 0.2], sample_weight=[0, 0]),
        rs.evaluate([0, 1, 2], y_proba=np.eye(3), sample_weight=[0, 0, 0]),
    ):
        assert np.isnan(ev["accuracy"])
        assert "There are no rows" in ev.to_markdown()
        assert "</html>" in ev.to_html()
    points = ev.models["model"].class_scores.one_vs_rest(0).operating_points()
    assert [float(points.tp[0]), float(points.tn[0]), len(points)] == [0, 0, 1]


def test_statistics_can_be_summed():
    parts = [rs.ConfusionMatrix([0, 1], [0, 1]), rs.ConfusionMatrix([1, 1, 0], [0, 1, 0])]
    assert sum(parts) == parts[0] + parts[1]
    tables = [rs.ScoreTable([0, 1], [0.1, 0.2]), rs.ScoreTable([0, 1], [0.3, 0.2])]
    assert sum(tables) == tables[0] + tables[1]
    counts = [rs.Counts(1, 2, 3, 4), rs.Counts(4, 3, 2, 1)]
    assert sum(counts) == rs.Counts(5, 5, 5, 5)
    for statistic in (parts[0], tables[0], counts[0]):
        with pytest.raises(TypeError):
            1 + statistic


def test_many_indices_read_at_once_are_those_read_one_by_one(binary, several):
    y_true, scores, weights = binary
    y_class, proba = several
    for ev in (
        rs.evaluate(y_true, scores[:, 0], costs={"fn": 3}),
        rs.evaluate(y_true, scores[:, 0], sample_weight=weights),
        rs.evaluate(y_class, y_proba=proba),
        rs.evaluate(y_class, y_pred=y_class[::-1]),
    ):
        model = ev.models["model"]
        together = model.to_dict("all")["indices"]
        assert set(together) >= set(ev)
        assert ("roc_auc" in together) == ("roc_auc" in ev)
        again = pickle.loads(pickle.dumps(model))  # the pickle does not hold the cache
        for name, value in together.items():
            assert value == again[name] or (value != value and again[name] != again[name]), name
    with pytest.raises(rs.UnknownIndexError, match="no_such"):
        model.to_dict(["no_such"])


# Summaries, thresholds and costs of an evaluation


def test_a_summary_has_about_twelve_indices_that_suit_the_task(binary):
    y_true, scores, _ = binary
    kinds = {
        "two classes": rs.evaluate(y_true, scores[:, 0]),
        "rare positives": rs.evaluate(np.arange(2_000) < 40, scores[:, 0]),
        "several classes": rs.evaluate(np.arange(300) % 3, y_proba=np.full((300, 3), 1 / 3)),
    }
    names = {task: ev.summary().to_dict()["index"] for task, ev in kinds.items()}
    for task, found in names.items():
        assert found[0].removeprefix("mean ") == "roc_auc", task
        assert len(found) == len(set(found)) in (11, 12, 13)
        assert {name.removeprefix("mean ") for name in found} == set(SUMMARY[task])
    assert "accuracy" not in names["rare positives"]
    with_costs = rs.evaluate(y_true, scores[:, 0], costs={"fn": 5}).summary().to_dict()["index"]
    assert with_costs == [*names["two classes"], "cost", "mean_cost"]
    assert len(kinds["two classes"].summary("all")) > 280
    rs.define_index("own_index", "tp - fp", replace=True)
    try:
        assert kinds["two classes"].summary().to_dict()["index"] == [*names["two classes"], "own_index"]
    finally:
        rs.undefine_index("own_index")


def test_thresholds_are_read_with_the_costs_of_the_evaluation(binary):
    y_true, scores, _ = binary
    costs = {"fp": 2, "fn": 9}
    ev = rs.evaluate(y_true, {"weak": scores[:, 0], "strong": scores[:, 2]}, costs=costs)
    for name, column in (("weak", 0), ("strong", 2)):
        table = rs.ScoreTable(y_true, scores[:, column])
        assert ev.best("cost")[name] == table.best("cost", **costs) == table.best("cost", costs=costs)
        assert ev.best("cost", fn=1)[name] == table.best("cost", fp=2, fn=1)
        assert ev.best("cost", costs={"fn": 1})[name] == table.best("cost", fn=1)
        subject = {"subject_to": "recall >= 0.8"}
        assert ev.best("mean_cost", **subject)[name] == table.best("mean_cost", **subject, **costs)
        assert ev.best("f1")[name] == table.best("f1")
        assert ev.best("9*tp - 2*fp", maximize=True)[name].threshold == ev.best("cost")[name].threshold
        counts = ev.at(0.4)[name]
        assert counts == table.at(0.4)
        assert counts.matrix() == rs.ConfusionMatrix(y_true, scores[:, column] >= 0.4)
        assert pickle.loads(pickle.dumps(counts)).matrix() == counts.matrix()
        assert ev.why_no_best("recall", subject_to="precision > 2")[name].startswith("No threshold meets")
    with pytest.raises(rs.InputError, match="the counts have shape"):
        ev.at([0.4, 0.5])["weak"].matrix()
    for call in (lambda ev: ev.best("f1"), lambda ev: ev.at(0.5)):
        with pytest.raises(rs.InputError, match="needs scores of two classes, and 'model' has predicted classes alone"):
            call(rs.evaluate(y_true, y_pred=y_true))
        with pytest.raises(rs.InputError, match="has more than two classes"):
            call(rs.evaluate(np.arange(300) % 3, y_proba=np.full((300, 3), 1 / 3)))
    with pytest.raises(rs.InputError, match="two: name the positive one"):
        rs.ScoreTable([0, 0], [0.2, 0.4]).at(0.3).matrix()


def test_models_are_compared_by_their_scores_too(binary):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true, {"weak": scores[:, 0], "strong": scores[:, 2]})
    found = ev.compare(["roc_auc"])
    assert found.best_name == "strong"
    assert found.best_model is ev.models["strong"]
    assert found.rows[0].values == tuple(ev["roc_auc"].values())
    assert {row.index for row in ev.compare().rows} >= {"accuracy", "mcc", "roc_auc", "ks"}
    assert pickle.loads(pickle.dumps(found)).best_name == "strong"


@pytest.mark.parametrize("costs", [{"fp": 1, "fn": 5}, {"fn": 5}, [[0, 1], [5, 0]]])
def test_costs_are_taken_in_one_form_everywhere(binary, costs):
    y_true, scores, _ = binary
    table, proba = rs.ScoreTable(y_true, scores[:, 0]), np.column_stack([1 - scores[:, 0], scores[:, 0]])
    matrix = rs.ConfusionMatrix(y_true, scores[:, 0] >= 0.5)
    of = {"fp": 1, "fn": 5}
    for name in ("cost", "mean_cost", "normalized_cost", "savings"):
        assert matrix.value(name, costs=costs) == pytest.approx(matrix.value(name, **of), rel=1e-15)
        assert table.at(0.5).value(name, costs=costs) == table.at(0.5).value(name, **of)
        assert rs.evaluate(y_true, scores[:, 0]).value(name, costs=costs) == matrix.value(name, costs=costs)
        np.testing.assert_array_equal(table.every(name, costs=costs), table.every(name, **of))
    assert rs.costs.optimal_threshold(costs) == rs.costs.optimal_threshold(**of)
    np.testing.assert_array_equal(
        rs.costs.bayes_decision(proba, costs), rs.costs.bayes_decision(proba, [[0, 1], [5, 0]])
    )
    np.testing.assert_array_equal(rs.costs.bayes_risk(proba, costs), rs.costs.bayes_risk(proba, [[0, 1], [5, 0]]))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda cm: cm.value("cost", costs={"fq": 1}), "costs is 'fq'; expected costs by"),
        (lambda cm: cm.value("cost", costs={"fp": "x"}), "costs is 'x'; expected a number"),
        (lambda cm: cm.value("cost", costs={"fp": 1}, fn=2), "costs is given beside fn; expected one of them"),
        (lambda cm: cm.value("cost", costs=[[0, 1, 2]]), "expected a K by K matrix"),
        (lambda cm: cm.value("f1", costs={"fp": 1}), 'has no parameter "costs"'),
        (lambda cm: rs.costs.optimal_threshold({"fp": float("inf")}), "costs['fp'] is inf; expected a finite number"),
        (lambda cm: rs.costs.bayes_decision([0.5], {"rain": 1}), "costs is 'rain'; expected costs by"),
    ],
)
def test_costs_that_are_none_are_refused(call, said):
    with pytest.raises(rs.RocksteadyError) as refused:
        call(rs.ConfusionMatrix([0, 1], [0, 1]))
    assert said in str(refused.value)


def test_the_best_of_an_expression_is_that_of_the_definition(binary):
    y_true, scores, _ = binary
    table = rs.ScoreTable(y_true, scores[:, 0])
    rs.define_index("own_index", "tp/(tp + fp) - 0.1*fnr", replace=True)
    try:
        expected = table.best("own_index")
    finally:
        rs.undefine_index("own_index")
    assert table.best("tp/(tp + fp) - 0.1*fnr", maximize=True) == expected
    assert table.best("0.1*fnr - precision", minimize=True).value == -expected.value
    assert "tp/(tp + fp) - 0.1*fnr" not in rs.indices()
    with pytest.raises(rs.InputError, match="has no direction that is better; expected maximize=True or minimize=True"):
        table.best("tp - fp")
    with pytest.raises(rs.InputError, match="expression ends at character 7"):
        table.best("tp - (", maximize=True)
    with pytest.raises(rs.UnknownIndexError, match="no_such_index"):
        table.best("no_such_index")


# What is silent, or almost


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize("gap", [None, float("nan"), np.nan])
@pytest.mark.parametrize("frame", [False, True])
def test_a_gap_in_either_column_of_probabilities_is_refused_or_left_out(column, gap, frame):
    rows = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]]
    rows[1] = [gap if place == column else value for place, value in enumerate(rows[1])]
    proba = pd.DataFrame(rows, columns=[0, 1]) if frame else np.array(rows, dtype=np.float64)
    with pytest.raises(rs.InputError, match=r"y_proba\[1\]"):
        rs.evaluate([0, 1, 0, 1], y_proba=proba)
    assert rs.evaluate([0, 1, 0, 1], y_proba=proba, nan_policy="omit").rows_left_out == 1


@pytest.mark.parametrize("beyond", [1 + 2e-16, 1 + 1e-9, -1e-9])
def test_a_probability_that_rounding_carried_beyond_its_range_leaves_the_threshold(beyond):
    y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.7, 0.2, 0.6, 0.3, beyond]
    assert rs.evaluate(y, s).models["model"].threshold == 0.5


def test_few_scores_outside_the_range_get_one_warning_that_names_a_row():
    y, s = [0, 1] * 100, [0.1, 0.7] * 99 + [0.1, 3.0]
    with pytest.warns(
        rs.RocksteadyWarning, match=r"1 of 200 scores .* y_score\[199\], 3, so the threshold is 0"
    ) as warned:
        assert rs.evaluate(y, s).models["model"].threshold == 0
    assert len(warned) == 1
    assert rs.evaluate(y, s, threshold=0.5)["accuracy"] == 1  # the remedy, and no warning
    assert rs.evaluate(y, [4 * value for value in s]).models["model"].threshold == 0  # nor where many lie outside
    for policy in ("worst", "best"):  # nor for a missing score that is ranked
        assert rs.evaluate(y, [*s[:-1], np.nan], nan_policy=policy).models["model"].threshold == 0


@pytest.mark.parametrize(
    "named", [{0: [1, 2, 3, 4], 1: [4, 3, 2, 1]}, pd.DataFrame({0: [1, 2, 3, 4], 1: [4, 3, 2, 1]})]
)
def test_models_that_are_called_as_the_labels_are_no_probabilities(named):
    with pytest.raises(rs.InputError, match="do not add up to 1"):
        rs.evaluate([0, 1, 0, 1], named)


@pytest.mark.parametrize(
    "column",
    [
        np.array([[0], [1], [0], [1]]),
        [[0], [1], [0], [1]],
        pd.DataFrame({"y": [0, 1, 0, 1]}),
        pl.DataFrame({"y": [0, 1, 0, 1]}),
    ],
    ids=["array", "list", "pandas", "polars"],
)
def test_labels_in_a_matrix_of_one_column_are_a_column(column):
    assert rs.evaluate(column, [0.1, 0.4, 0.35, 0.8]) == rs.evaluate([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8])


def test_evaluations_of_the_same_rows_are_equal():
    y, s = [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.3]
    assert rs.evaluate(y, s) == rs.evaluate(y[::-1], s[::-1])
    assert rs.evaluate(y, s) != rs.evaluate(y, [0.1, 0.9, 0.4, 0.5])
    assert rs.evaluate(y, {"a": s, "b": s}, inference=True) != rs.evaluate(y, {"a": s, "b": s})
    assert rs.evaluate(y, s) != rs.evaluate(y, {"other": s})
    assert rs.evaluate(y, s) != 1


def test_infinite_scores_are_ranked_where_that_is_asked():
    y, s = [0, 1, 0, 1], [0.1, np.inf, 0.4, 0.3]
    with pytest.raises(rs.InputError, match="inf"):
        rs.evaluate(y, s)
    assert rs.evaluate(y, s, infinite="allow")["roc_auc"] == rs.ScoreTable(y, s, infinite="allow")["roc_auc"]
    found = rs.evaluate(y, s, infinite="allow", by={"g": ["a", "a", "b", "b"]})
    assert found.groups.every("roc_auc").tolist() == [1, 0]


@pytest.mark.parametrize("policy", ["raise", "omit"])
def test_a_missing_weight_gets_no_hint_that_would_not_help(policy):
    with pytest.raises(rs.InputError, match=r"sample_weight\[2\] is NaN") as refused:
        rs.ConfusionMatrix([0, 1, 0, 1], [0, 1, 0, 1], sample_weight=[1, 2, np.nan, 1], nan_policy=policy)
    assert "leaves such rows out" not in str(refused.value)


@pytest.mark.parametrize("threshold", [0.1, 0.2, 0.5, 0.7])
def test_net_benefit_weighs_by_the_threshold_that_the_classes_are_cut_at(binary, threshold):
    y_true, scores, _ = binary
    ev = rs.evaluate(y_true, scores[:, 0], threshold=threshold)
    expected = rs.ScoreTable(y_true, scores[:, 0]).at(threshold).value("net_benefit", threshold=threshold)
    assert ev["net_benefit"] == ev.interval("net_benefit").estimate == expected
    assert ev.value("net_benefit", threshold=0.5) == ev.models["model"].confusion.value("net_benefit")
    boot = rs.inference.bootstrap(y_true, scores[:, 0], ["net_benefit", "roc_auc"], threshold=threshold, n_resamples=50)
    table = rs.ScoreTable(y_true, scores[:, 0]).bootstrap(
        "net_benefit", threshold=threshold, n_resamples=50, method="bca"
    )
    assert boot["net_benefit"].estimate == table["net_benefit"].estimate == expected
    assert boot["net_benefit"].low < expected < boot["net_benefit"].high
    both = rs.evaluate(y_true, {"a": scores[:, 0], "b": scores[:, 0] ** 2}, threshold=threshold, inference=True)
    difference = both.models["a"].value("net_benefit") - both.models["b"].value("net_benefit")
    assert both.difference("net_benefit", "a", "b").estimate == pytest.approx(difference, abs=1e-15)


def test_net_benefit_is_refused_where_no_threshold_gives_its_weight(binary):
    y_true, scores, _ = binary
    models = {"a": scores[:, 0], "b": scores[:, 0] ** 2}
    unlike = rs.evaluate(y_true, models, threshold={"a": 0.2, "b": 0.4}, inference=True)
    with pytest.raises(rs.InputError, match="pass threshold=0.2 to weigh both alike"):
        unlike.difference("net_benefit", "a", "b")
    assert unlike.difference("net_benefit", "a", "b", threshold=0.2).estimate == pytest.approx(
        unlike.models["a"].value("net_benefit") - unlike.models["b"].value("net_benefit", threshold=0.2)
    )
    logits = rs.evaluate(y_true, 10 * scores[:, 0] - 5, threshold=-1)
    with pytest.raises(rs.InputError, match="pass weight=1"):
        logits.value("net_benefit")
    assert logits.value("net_benefit", weight=1) == logits.value("net_benefit", threshold=0.5)
    with pytest.raises(rs.InputError, match="threshold is -1"):
        rs.inference.bootstrap(y_true, 10 * scores[:, 0] - 5, "net_benefit", threshold=-1)

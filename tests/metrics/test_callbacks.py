"""Evaluation functions in the training loops of the real packages."""

from __future__ import annotations

import copy
import math
import pickle
import re
import warnings

import numpy as np
import pytest

import rocksteady as rs
from rocksteady import callbacks, metrics

RNG = np.random.default_rng(7)
X = RNG.normal(size=(400, 4))
BINARY = (X[:, 0] + RNG.normal(size=400) > 0).astype(int)
THREE = np.digitize(X[:, 0] + 0.3 * RNG.normal(size=400), [-0.5, 0.5])
WEIGHTS = RNG.random(400).astype(np.float32)  # the packages store 32 bits


def _import(name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return __import__(name)
    except ImportError as missing:
        pytest.skip(f"{name} cannot be imported: {missing}")


def _of_two(name, truth, probabilities, weights, threshold=0.5, **parameters):
    """The index, from our own objects."""
    forms = rs.index(name).forms
    if "scores" in forms:
        return rs.ScoreTable(truth, probabilities, sample_weight=weights).value(name, **parameters)
    if "probabilities" in forms:
        return rs.ProbabilitySums(truth, probabilities, sample_weight=weights).value(name, **parameters)
    if "score_tables" in forms:
        columns = np.column_stack([1 - probabilities, probabilities])
        return rs.ScoreTables(truth, columns, sample_weight=weights).value(name, **parameters)
    predicted = (np.asarray(probabilities) >= threshold).astype(int)
    matrix = rs.ConfusionMatrix(truth, predicted, labels=[0, 1], sample_weight=weights)
    return matrix.value(name, **parameters)


NAMES = [row.name for row in rs.indices() if row.better != "neither" and "queries" not in row.forms]
PARAMETERS = {"fbeta": {"beta": 2}, "cost": {"fp": 1, "fn": 5}, "mean_cost": {"fp": 1, "fn": 5}}


@pytest.mark.parametrize("name", NAMES)
def test_every_index_of_two_classes(name):
    scores = RNG.random(400)
    evaluation = callbacks.lightgbm(name, threshold=0.3, **PARAMETERS.get(name, {})).evaluation
    expected = _of_two(name, BINARY, scores, WEIGHTS, 0.3, **PARAMETERS.get(name, {}))
    assert evaluation.value(BINARY.astype(np.float32), scores, WEIGHTS) == pytest.approx(
        expected, rel=1e-14, nan_ok=True
    )
    assert evaluation.greater_is_better == (rs.index(name).better == "higher")


@pytest.mark.parametrize("name", ["mcc", "log_loss", "ks", "recall"])
def test_margins_are_taken_at_the_threshold_of_probabilities(name):
    margins = RNG.normal(size=400)
    probabilities = 1 / (1 + np.exp(-margins))
    evaluation = callbacks.lightgbm(name, threshold=0.3, margins=True).evaluation
    expected = _of_two(name, BINARY, probabilities, None, 0.3)
    assert evaluation.value(BINARY, margins) == pytest.approx(expected, rel=1e-12)


def test_margins_of_any_size():
    evaluation = callbacks.catboost("brier").evaluation
    assert evaluation.value(np.array([0, 1, 1]), np.array([-1e6, 1e6, -1e6])) == pytest.approx(1 / 3)


def test_thresholds_at_the_ends():
    for threshold, recall in ((0.0, 1.0), (1.0, 0.0)):
        evaluation = callbacks.catboost("recall", threshold=threshold).evaluation
        assert evaluation.value(BINARY, RNG.normal(size=400)) == recall


def test_one_class_only():
    value = callbacks.lightgbm("recall").evaluation.value(np.zeros(3), np.array([0.1, 0.2, 0.9]))
    assert math.isnan(value) or value == 0.0


def test_indices_of_several_classes():
    predicted = RNG.random((400, 3))
    matrix = rs.ConfusionMatrix(THREE, predicted.argmax(axis=1), sample_weight=WEIGHTS)
    for name in ("mcc", "kappa", "accuracy", "cen"):
        assert callbacks.lightgbm(name).evaluation.value(THREE, predicted, WEIGHTS) == matrix[name]
    for average in ("macro", "micro", "weighted"):
        evaluation = callbacks.lightgbm("f1", average=average).evaluation
        assert evaluation.value(THREE, predicted, WEIGHTS) == matrix.value("f1", average=average)
    with pytest.raises(rs.InputError, match="ks has no value for more than two classes"):
        callbacks.lightgbm("ks").evaluation.value(THREE, predicted)


def test_classes_may_be_predicted():
    predicted = RNG.integers(0, 3, 400).astype(np.float32)
    evaluation = callbacks.xgboost("mcc", threshold=None).evaluation
    assert evaluation.value(THREE, predicted) == rs.ConfusionMatrix(THREE, predicted)["mcc"]


def test_scorers_and_functions_by_name():
    scores = RNG.random(400)
    assert callbacks.lightgbm("roc_auc_score").evaluation.value(BINARY, scores) == metrics.roc_auc_score(BINARY, scores)
    accuracy = callbacks.lightgbm("accuracy_score", threshold=0.4).evaluation
    assert accuracy.value(BINARY, scores) == metrics.accuracy_score(BINARY, (scores >= 0.4).astype(int))
    assert callbacks.lightgbm("matthews_corrcoef").evaluation.greater_is_better


def test_they_can_be_copied_and_pickled():
    for evaluate in (callbacks.lightgbm("mcc"), callbacks.xgboost("roc_auc"), callbacks.catboost("matthews_corrcoef")):
        for again in (pickle.loads(pickle.dumps(evaluate)), copy.deepcopy(evaluate)):
            assert again.evaluation.value(BINARY, WEIGHTS) == evaluate.evaluation.value(BINARY, WEIGHTS)


def test_what_cannot_be_watched():
    with pytest.raises(rs.UnknownIndexError, match="called 'happiness'"):
        callbacks.xgboost("happiness")
    with pytest.raises(rs.InputError, match="neither way is better"):
        callbacks.xgboost("prevalence")
    assert callbacks.xgboost("prevalence", greater_is_better=False).greater_is_better is False
    with pytest.raises(rs.InputError, match="no space and no colon"):
        callbacks.xgboost("ks", label="held out: ks")


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("mcc", {"threshold": "half"}, "threshold is 'half'; expected a number in"),
        ("mcc", {"threshold": math.nan}, "threshold is nan"),
        ("mcc", {"threshold": 50}, "threshold is 50"),
        ("f1", {"average": "mean"}, "average is 'mean'; expected one of"),
        ("f1", {"beta": 2}, "'f1' has no parameter 'beta'; its parameters: none"),
        ("fbeta", {"bta": 2}, "'fbeta' has no parameter 'bta'; its parameters: beta"),
        ("recall_score", {"beta": 2}, "'recall_score' has no parameter 'beta'; its parameters: labels"),
        ("roc_auc", {"beta": 2}, "'roc_auc' has no parameter 'beta'; its parameters: average"),
        ("fbeta_score", {}, "fbeta_score needs beta"),
        ("mcc", {"greater_is_better": "yes"}, "greater_is_better is 'yes'"),
        ("mcc", {"label": 4}, "label is 4"),
        (4, {}, "name is 4"),
    ],
)
def test_nonsense_is_refused_before_the_training(name, options, said):
    for make in (callbacks.lightgbm, callbacks.xgboost, callbacks.catboost):
        with pytest.raises(rs.RocksteadyError, match=re.escape(said)):
            make(name, **options)
    with pytest.raises(rs.InputError, match="threshold is None"):
        callbacks.catboost("mcc", threshold=None)


@pytest.mark.parametrize("predictions", [[0.1, 1.2, 0.3], [0.1, -0.2, 0.3], [0.1, math.nan, 0.3]])
def test_what_is_no_probability_is_not_held_against_a_threshold(predictions):
    with pytest.raises(rs.InputError, match=r"predictions\[1\] is .*margins=True.*threshold=None"):
        callbacks.lightgbm("f1").evaluation.value([0, 1, 1], predictions)


def test_a_batch_without_some_of_the_classes_is_averaged_too():
    truth, predicted = [0, 0, 1, 1], np.eye(3)[[0, 1, 1, 1]]
    matrix = rs.ConfusionMatrix(truth, [0, 1, 1, 1])
    assert callbacks.lightgbm("f1").evaluation.value(truth, predicted) == matrix.value("f1", average="macro")


def test_functions_of_classes_are_averaged():
    predicted = RNG.random((400, 3))
    for average in ("macro", "micro", "weighted"):
        expected = metrics.f1_score(THREE, predicted.argmax(axis=1), average=average)
        assert callbacks.lightgbm("f1_score", average=average).evaluation.value(THREE, predicted) == expected


@pytest.mark.parametrize("name", ["roc_auc", "ks", "mcc", "log_loss"])
def test_lightgbm(name):
    lightgbm = _import("lightgbm")
    options = {"objective": "binary", "metric": "None", "verbose": -1, "num_threads": 1, "seed": 1}
    train = lightgbm.Dataset(X[:300], BINARY[:300])
    held_out = lightgbm.Dataset(X[300:], BINARY[300:], weight=WEIGHTS[300:], reference=train)
    seen: dict = {}
    evaluate = callbacks.lightgbm(name, threshold=0.4, label="watched")
    record = lightgbm.record_evaluation(seen)
    booster = lightgbm.train(
        options, train, 5, valid_sets=[held_out], valid_names=["held_out"], feval=evaluate, callbacks=[record]
    )
    expected = _of_two(name, BINARY[300:], booster.predict(X[300:]), WEIGHTS[300:], 0.4)
    assert seen["held_out"]["watched"][-1] == pytest.approx(expected, rel=1e-9)


def test_lightgbm_stops_early_the_right_way():
    lightgbm = _import("lightgbm")
    options = {"objective": "binary", "metric": "None", "verbose": -1, "num_threads": 1, "seed": 1}
    train = lightgbm.Dataset(X[:300], BINARY[:300])
    held_out = lightgbm.Dataset(X[300:], BINARY[300:], reference=train)
    for name, best in (("ks", max), ("log_loss", min)):
        seen: dict = {}
        stop = lightgbm.early_stopping(5, verbose=False)
        booster = lightgbm.train(
            options,
            train,
            100,
            valid_sets=[held_out],
            feval=callbacks.lightgbm(name),
            callbacks=[stop, lightgbm.record_evaluation(seen)],
        )
        values = seen["valid_0"][name]
        assert values[booster.best_iteration - 1] == best(values)
        assert len(values) < 100


def test_lightgbm_with_several_classes():
    lightgbm = _import("lightgbm")
    options = {"objective": "multiclass", "num_class": 3, "metric": "None", "verbose": -1, "num_threads": 1}
    train = lightgbm.Dataset(X, THREE)
    seen: dict = {}
    record = lightgbm.record_evaluation(seen)
    evaluations = [callbacks.lightgbm("mcc"), callbacks.lightgbm("f1", average="macro")]
    booster = lightgbm.train(
        options, train, 3, valid_sets=[train], valid_names=["train"], feval=evaluations, callbacks=[record]
    )
    matrix = rs.ConfusionMatrix(THREE, booster.predict(X).argmax(axis=1))
    assert seen["train"]["mcc"][-1] == pytest.approx(matrix["mcc"], rel=1e-12)
    assert seen["train"]["f1"][-1] == pytest.approx(matrix.value("f1", average="macro"), rel=1e-12)


@pytest.mark.parametrize("name", ["roc_auc", "ks", "mcc", "log_loss"])
def test_xgboost(name):
    xgboost = _import("xgboost")
    train = xgboost.DMatrix(X[:300], BINARY[:300])
    held_out = xgboost.DMatrix(X[300:], BINARY[300:], weight=WEIGHTS[300:])
    seen: dict = {}
    booster = xgboost.train(
        {"objective": "binary:logistic", "disable_default_eval_metric": True, "nthread": 1},
        train,
        5,
        evals=[(held_out, "held_out")],
        custom_metric=callbacks.xgboost(name, threshold=0.4),
        evals_result=seen,
        verbose_eval=False,
    )
    expected = _of_two(name, BINARY[300:], booster.predict(held_out), WEIGHTS[300:], 0.4)
    assert seen["held_out"][name][-1] == pytest.approx(expected, rel=1e-6)  # XGBoost passes the value on as text


def test_xgboost_stops_early_the_right_way():
    xgboost = _import("xgboost")
    metric = callbacks.xgboost("ks")
    train, held_out = xgboost.DMatrix(X[:300], BINARY[:300]), xgboost.DMatrix(X[300:], BINARY[300:])
    seen: dict = {}
    stop = xgboost.callback.EarlyStopping(rounds=5, metric_name="ks", maximize=metric.greater_is_better)
    booster = xgboost.train(
        {"objective": "binary:logistic", "disable_default_eval_metric": True, "nthread": 1},
        train,
        100,
        evals=[(held_out, "held_out")],
        custom_metric=metric,
        callbacks=[stop],
        evals_result=seen,
        verbose_eval=False,
    )
    values = seen["held_out"]["ks"]
    assert values[booster.best_iteration] == max(values)
    assert len(values) < 100


@pytest.mark.parametrize(("objective", "threshold"), [("multi:softprob", 0.5), ("multi:softmax", None)])
def test_xgboost_with_several_classes(objective, threshold):
    xgboost = _import("xgboost")
    data = xgboost.DMatrix(X, THREE)
    seen: dict = {}
    booster = xgboost.train(
        {"objective": objective, "num_class": 3, "disable_default_eval_metric": True, "nthread": 1},
        data,
        3,
        evals=[(data, "train")],
        custom_metric=callbacks.xgboost("kappa", threshold=threshold),
        evals_result=seen,
        verbose_eval=False,
    )
    predicted = booster.predict(data)
    predicted = predicted.argmax(axis=1) if predicted.ndim == 2 else predicted
    assert seen["train"]["kappa"][-1] == pytest.approx(rs.ConfusionMatrix(THREE, predicted)["kappa"], rel=1e-6)


@pytest.mark.parametrize("name", ["roc_auc", "ks", "mcc", "log_loss"])
def test_catboost(name):
    catboost = _import("catboost")
    metric = callbacks.catboost(name, threshold=0.4)
    held_out = catboost.Pool(X[300:], BINARY[300:], weight=WEIGHTS[300:])
    model = catboost.CatBoostClassifier(
        iterations=5,
        eval_metric=metric,
        use_best_model=False,
        logging_level="Silent",
        allow_writing_files=False,
        thread_count=1,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X[:300], BINARY[:300], eval_set=held_out)
    values = model.get_evals_result()["validation"][name]
    expected = _of_two(name, BINARY[300:], model.predict_proba(X[300:])[:, 1], WEIGHTS[300:], 0.4)
    assert values[-1] == pytest.approx(expected, rel=1e-9)
    best = model.get_best_iteration()
    assert values[best] == (max(values) if metric.is_max_optimal() else min(values))


def test_catboost_with_several_classes_of_text():
    catboost = _import("catboost")
    truth = np.array(["a", "b", "c"])[THREE]
    model = catboost.CatBoostClassifier(
        iterations=3,
        loss_function="MultiClass",
        eval_metric=callbacks.catboost("mcc"),
        use_best_model=False,
        logging_level="Silent",
        allow_writing_files=False,
        thread_count=1,
    )
    model.fit(X, truth, eval_set=(X, truth))
    (values,) = [values for key, values in model.get_evals_result()["validation"].items() if key != "MultiClass"]
    matrix = rs.ConfusionMatrix(truth, model.predict(X)[:, 0].astype(str))
    assert values[-1] == pytest.approx(matrix["mcc"], rel=1e-12)


def test_xgboost_classifiers_take_metrics_as_they_are():
    xgboost = _import("xgboost")
    model = xgboost.XGBClassifier(n_estimators=3, eval_metric=metrics.roc_auc_score, n_jobs=1)
    model.fit(X[:300], BINARY[:300], eval_set=[(X[300:], BINARY[300:])], verbose=False)
    expected = metrics.roc_auc_score(BINARY[300:], model.predict_proba(X[300:])[:, 1])
    assert model.evals_result()["validation_0"]["roc_auc_score"][-1] == pytest.approx(expected, rel=1e-6)


def test_lightgbm_classifiers():
    lightgbm = _import("lightgbm")
    for truth, name in ((BINARY, "ks"), (THREE, "mcc")):
        model = lightgbm.LGBMClassifier(n_estimators=3, verbosity=-1, n_jobs=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(
                X[:300],
                truth[:300],
                eval_set=[(X[300:], truth[300:])],
                eval_sample_weight=[WEIGHTS[300:]],
                eval_metric=callbacks.lightgbm(name),
            )
            predicted = model.predict_proba(X[300:])
        predicted = predicted[:, 1] if name == "ks" else predicted
        expected = callbacks.lightgbm(name).evaluation.value(truth[300:], predicted, WEIGHTS[300:])
        assert model.evals_result_["valid_0"][name][-1] == pytest.approx(expected, rel=1e-6)


def test_xgboost_classifiers():
    xgboost = _import("xgboost")
    for truth, name in ((BINARY, "ks"), (THREE, "mcc")):
        model = xgboost.XGBClassifier(n_estimators=3, eval_metric=callbacks.xgboost(name), n_jobs=1)
        held_out = [(X[300:], truth[300:])]
        model.fit(X[:300], truth[:300], eval_set=held_out, sample_weight_eval_set=[WEIGHTS[300:]], verbose=False)
        predicted = model.predict_proba(X[300:])
        predicted = predicted[:, 1] if name == "ks" else predicted
        expected = callbacks.xgboost(name).evaluation.value(truth[300:], predicted, WEIGHTS[300:])
        assert model.evals_result()["validation_0"][name][-1] == pytest.approx(expected, rel=1e-6)


def test_catboost_classifiers_can_be_cloned_and_pickled():
    catboost = _import("catboost")
    base = pytest.importorskip("sklearn.base")
    metric = callbacks.catboost("ks", label="held out ks")
    model = catboost.CatBoostClassifier(
        iterations=2, eval_metric=metric, logging_level="Silent", allow_writing_files=False
    )
    model = base.clone(model).fit(X, BINARY, eval_set=(X, BINARY))
    assert "held out ks" in model.get_evals_result()["validation"]
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all()

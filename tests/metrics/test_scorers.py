"""Scorers: scikit-learn's behaviour, one count for several metrics, and no need of scikit-learn."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
import warnings
from collections import Counter
from contextvars import copy_context
from functools import partial
from typing import Any

import numpy as np
import pytest

import rocksteady as rs
from rocksteady import metrics
from rocksteady._rocksteady import ConfusionState
from rocksteady.metrics import (
    accuracy_score,
    average_precision_score,
    check_scoring,
    get_scorer,
    get_scorer_names,
    make_scorer,
    matthews_corrcoef,
    roc_auc_score,
)
from rocksteady.metrics._sharing import current, share, sharing

TRUE, PRED = [0, 1, 1, 0, 2], [0, 1, 0, 0, 2]


class Fixed:
    """An estimator that knows its answers and counts how often it is asked."""

    def __init__(self, scores, classes=(0, 1), **more):
        self.scores = np.asarray(scores, float)
        self.classes_ = np.array(classes)
        self.asked: Counter[str] = Counter()
        vars(self).update(more)

    def fit(self, X, y):
        return self

    def predict(self, X):
        self.asked["predict"] += 1
        return self.classes_[(self.scores >= 0.5).astype(int)]

    def predict_proba(self, X):
        self.asked["predict_proba"] += 1
        return np.column_stack([1 - self.scores, self.scores])


class Deciding(Fixed):
    def decision_function(self, X):
        self.asked["decision_function"] += 1
        return self.scores - 0.5


SCORES, LABELS, ROWS = [0.1, 0.6, 0.35, 0.8, 0.7], np.array([0, 0, 1, 1, 1]), np.zeros((5, 1))


@pytest.fixture
def counted(monkeypatch):
    """How often labels were counted."""
    calls: Counter[str] = Counter()

    class Kind(type):
        def __instancecheck__(cls, state):
            return isinstance(state, ConfusionState)

    class Counted(metaclass=Kind):
        @staticmethod
        def count(*arguments: Any) -> ConfusionState:
            calls["count"] += 1
            return ConfusionState.count(*arguments)

    for name, module in list(sys.modules.items()):
        if name.startswith("rocksteady.metrics.") and hasattr(module, "ConfusionState"):
            monkeypatch.setattr(module, "ConfusionState", Counted)
    return calls


# One count ---------------------------------------------------------------------------------------------------------------


def test_the_same_arguments_are_counted_once_in_a_context(counted):
    with sharing():
        assert accuracy_score(TRUE, PRED) == 0.8
        matthews_corrcoef(TRUE, PRED)
    assert counted["count"] == 1
    accuracy_score(TRUE, PRED)
    matthews_corrcoef(TRUE, PRED)
    assert counted["count"] == 3


def test_equal_arguments_that_are_other_objects_are_counted_anew(counted):
    with sharing():
        accuracy_score(TRUE, PRED)
        accuracy_score(TRUE, list(PRED))
        accuracy_score(TRUE, [0, 1, 0, 0, 1])
    assert counted["count"] == 3


def test_shared_arguments_are_held_alive():
    with sharing():
        # Without a reference, a new list could get the address of the one before.
        assert [share(sum, [number, 1]) for number in range(100)] == [number + 1 for number in range(100)]


def test_contexts_nest_and_end():
    assert current() is None
    with sharing():
        outer = current()
        with sharing():
            assert current() is outer
        assert current() is outer
    assert current() is None
    with pytest.raises(ZeroDivisionError), sharing():
        raise ZeroDivisionError
    assert current() is None


def test_a_refusal_is_not_kept():
    with sharing():
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                share(divmod, 1, 0)


def test_the_context_belongs_to_the_thread():
    with sharing():
        inside = copy_context()
    assert current() is None
    assert inside.run(current) is not None


def test_a_context_can_go_on_with_what_another_held(counted):
    held: dict[Any, Any] = {}
    for _ in range(2):
        with sharing(held):
            accuracy_score(TRUE, PRED)
    assert counted["count"] == 1


def test_several_metrics_share_one_count(counted):
    scorer = check_scoring(scoring={name: name for name in ("accuracy", "balanced_accuracy", "matthews_corrcoef")})
    model = Fixed(SCORES)
    scores = scorer(model, ROWS, LABELS, sample_weight=[1.0, 2.0, 0.5, 1.0, 1.0])
    assert counted["count"] == 1
    assert model.asked == {"predict": 1}
    for name, score in scores.items():
        assert score == get_scorer(name)(model, ROWS, LABELS, sample_weight=[1.0, 2.0, 0.5, 1.0, 1.0])


def test_patched_several_metrics_share_one_count(counted):
    model_selection = pytest.importorskip("sklearn.model_selection")
    model, X, y = _fitted()
    with rs.patched_sklearn():
        model_selection.cross_validate(model, X, y, scoring=["accuracy", "f1_macro", "matthews_corrcoef"], cv=3)
    assert counted["count"] == 3


def test_a_metric_that_is_not_ours_is_not_trusted_with_a_count(counted):
    def spoils(y_true, y_pred):
        y_pred[:] = 0
        return accuracy_score(y_true, y_pred)

    scorers = {"before": "accuracy", "spoils": make_scorer(spoils), "after": "accuracy"}
    scores = check_scoring(scoring=scorers)(Fixed(SCORES), ROWS, LABELS)
    assert scores == {"before": 0.6, "spoils": 0.4, "after": 0.4}


def test_what_an_estimator_measures_for_itself_is_not_shared():
    class Measuring(Fixed):
        """Scores itself, each time over the same array, which it changes in place."""

        def predict(self, X):
            predicted = np.ones(5, int)
            self.own = [get_scorer("accuracy")(Echo(predicted), ROWS, LABELS)]
            predicted[:] = 0
            self.own.append(get_scorer("accuracy")(Echo(predicted), ROWS, LABELS))
            return super().predict(X)

    class Echo(Fixed):
        def __init__(self, answer):
            super().__init__(SCORES)
            self.answer = answer

        def predict(self, X):
            return self.answer

    model = Measuring(SCORES)
    check_scoring(scoring=["accuracy", "matthews_corrcoef"])(model, ROWS, LABELS)
    assert model.own == [0.6, 0.4]


def test_a_scorer_that_is_not_ours_is_not_trusted_with_a_count():
    truth = LABELS.copy()

    def spoils(estimator, X, y):
        y[:] = 0
        return 0.0

    scores = check_scoring(scoring={"before": "accuracy", "spoils": spoils, "after": "accuracy"})(
        Fixed(SCORES), ROWS, truth
    )
    assert scores == {"before": 0.6, "spoils": 0.0, "after": 0.4}


def test_a_refusal_of_one_metric_leaves_the_others():
    def refuses(y_true, y_pred):
        raise ZeroDivisionError("nothing doing")

    scoring = {"accuracy": "accuracy", "refuses": make_scorer(refuses), "mcc": "matthews_corrcoef"}
    scores = check_scoring(scoring=scoring, raise_exc=False)(Fixed(SCORES), ROWS, LABELS)
    assert "ZeroDivisionError: nothing doing" in scores["refuses"]
    assert scores["mcc"] == get_scorer("matthews_corrcoef")(Fixed(SCORES), ROWS, LABELS)
    with pytest.raises(ZeroDivisionError):
        check_scoring(scoring=scoring)(Fixed(SCORES), ROWS, LABELS)
    assert current() is None


# Without scikit-learn -----------------------------------------------------------------------------------------------------


def test_scorers_need_no_scikit_learn():
    program = """
import sys
sys.modules["sklearn"] = None
import copy, pickle
import numpy as np
from rocksteady.metrics import check_scoring, get_scorer, make_scorer, matthews_corrcoef

class Model:
    classes_ = ["no", "yes"]
    def predict(self, X): return ["yes" if x > 0 else "no" for x in X]
    def predict_proba(self, X): return [[0.5 - x, 0.5 + x] for x in X]
    def score(self, X, y): return 0.25

truth, X = ["no", "yes", "yes", "no"], [-0.2, 0.3, -0.1, -0.4]
assert get_scorer("accuracy")(Model(), X, truth) == 0.75
assert get_scorer("roc_auc")(Model(), X, truth, sample_weight=[1, 1, 2, 1]) == 1
scorer = make_scorer(matthews_corrcoef)
assert repr(pickle.loads(pickle.dumps(scorer))) == repr(copy.deepcopy(scorer)) == repr(scorer)
scores = check_scoring(scoring=["accuracy", "matthews_corrcoef"])(Model(), X, truth)
assert scores["accuracy"] == 0.75
assert check_scoring(Model_with_fit := type("M", (Model,), {"fit": lambda *_: None})())(Model(), X, truth) == 0.25
try:
    scorer.set_score_request(sample_weight=True)
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "'_Scorer' object has no attribute 'set_score_request'\n", done.stderr


def test_a_scorer_made_before_scikit_learn_was_loaded_becomes_its_kind():
    program = """
from rocksteady.metrics import check_scoring, get_scorer, make_scorer, matthews_corrcoef
import pickle
scorer, data = get_scorer("accuracy"), pickle.dumps(get_scorer("accuracy"))
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.metrics._scorer import _Scorer
import sklearn
X, y = [[0.0], [1.0], [2.0], [3.0]] * 3, [0, 0, 1, 1] * 3
print(cross_validate(LogisticRegression(), X, y, scoring={"a": scorer, "b": scorer}, cv=3)["test_a"].tolist())
assert isinstance(pickle.loads(data), _Scorer)
with sklearn.config_context(enable_metadata_routing=True):
    assert scorer.set_score_request(sample_weight=True) is scorer
assert isinstance(scorer, _Scorer)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[1.0, 1.0, 1.0]\n", done.stderr


# What an estimator is asked for ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Fixed(SCORES), Deciding(SCORES), Fixed(SCORES, _estimator_type="classifier")])
def test_the_first_method_that_there_is(model):
    assert get_scorer("roc_auc")(model, ROWS, LABELS) == roc_auc_score(LABELS, SCORES)
    assert sum(model.asked.values()) == 1
    assert ("decision_function" in model.asked) == isinstance(model, Deciding)


@pytest.mark.parametrize("kind", [Fixed, Deciding])
@pytest.mark.parametrize("pos_label", ["no", "yes"])
def test_scores_are_those_of_the_positive_class(kind, pos_label):
    truth = np.array(["no", "yes"])[LABELS]
    scorer = make_scorer(
        average_precision_score, response_method=("decision_function", "predict_proba"), pos_label=pos_label
    )
    scores = np.array(SCORES) if pos_label == "yes" else 1 - np.array(SCORES)
    expected = average_precision_score(truth, scores, pos_label=pos_label)
    assert scorer(kind(SCORES, ["no", "yes"]), ROWS, truth) == pytest.approx(expected, rel=1e-15)


def test_what_an_estimator_cannot_answer():
    class Mute:
        classes_ = (0, 1)

    with pytest.raises(
        AttributeError, match="Mute has none of the following attributes: decision_function, predict_proba"
    ):
        get_scorer("roc_auc")(Mute(), ROWS, LABELS)
    scorer = make_scorer(average_precision_score, response_method="predict_proba", pos_label=7)
    with pytest.raises(ValueError, match=r"pos_label=7 is not a valid label: It should be one of \[0 1\]"):
        scorer(Fixed(SCORES), ROWS, LABELS)

    class OneClass(Fixed):
        def predict_proba(self, X):
            return np.ones((5, 1))

    with pytest.raises(ValueError, match=r"Got predict_proba of shape \(5, 1\), but need classifier with two classes"):
        make_scorer(roc_auc_score, response_method="predict_proba")(OneClass(SCORES, [0]), ROWS, LABELS)


def test_a_regressor_is_taken_at_its_word():
    class Regressor(Fixed):
        def predict(self, X):
            return self.scores

    assert make_scorer(roc_auc_score)(Regressor(SCORES, _estimator_type="regressor"), ROWS, LABELS) == roc_auc_score(
        LABELS, SCORES
    )


# Beside scikit-learn -----------------------------------------------------------------------------------------------------

sklearn_metrics = pytest.importorskip("sklearn.metrics")


def _fitted():
    from sklearn.datasets import make_classification
    from sklearn.linear_model import LogisticRegression

    X, y = make_classification(n_samples=200, n_features=6, random_state=1)
    return LogisticRegression().fit(X, y), X, y


def test_the_names_are_theirs_without_regressions_and_clusterings():
    clusterings = set(sklearn_metrics.cluster.__all__)
    theirs = {
        name
        for name in sklearn_metrics.get_scorer_names()
        if sklearn_metrics.get_scorer(name)._score_func.__module__ != "sklearn.metrics._regression"
        and name not in clusterings
    }
    assert set(get_scorer_names()) == theirs
    assert len(theirs) == 36


@pytest.mark.parametrize("name", get_scorer_names())
def test_scorers_are_as_theirs(name):
    ours, theirs = get_scorer(name), sklearn_metrics.get_scorer(name)
    assert repr(ours) == repr(theirs)
    assert (ours._sign, ours._kwargs, ours._response_method) == (theirs._sign, theirs._kwargs, theirs._response_method)
    assert ours._score_func.__module__.startswith("rocksteady.metrics.")
    assert isinstance(ours, type(theirs))
    assert get_scorer(name) is not ours
    assert ours._accept_sample_weight() == theirs._accept_sample_weight()
    assert ours._get_pos_label() == theirs._get_pos_label()
    for again in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours), copy.copy(ours)):
        assert type(again) is type(ours)
        assert repr(again) == repr(ours)


@pytest.mark.parametrize("name", [name for name in get_scorer_names() if not name.endswith("_samples")])
def test_scores_are_as_theirs(name):
    model, X, y = _fitted()
    weights = np.linspace(0.5, 1.5, len(y))
    ours, theirs = get_scorer(name), sklearn_metrics.get_scorer(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert ours(model, X, y) == pytest.approx(theirs(model, X, y), rel=1e-12)
        if theirs._accept_sample_weight():
            weighted = theirs(model, X, y, sample_weight=weights)
            assert ours(model, X, y, sample_weight=weights) == pytest.approx(weighted, rel=1e-12)


def test_representations():
    def loss(y_true, y_pred):
        return 0.0

    for options in ({}, {"greater_is_better": False}, {"response_method": ["predict_proba"], "extra": "x"}):
        for metric in (loss, partial(loss, 1)):
            assert repr(make_scorer(metric, **options)) == repr(sklearn_metrics.make_scorer(metric, **options))
    assert repr(check_scoring(scoring=["accuracy", "roc_auc"])) == 'MultiMetricScorer("accuracy", "roc_auc")'
    assert repr(check_scoring(_fitted()[0])) == "LogisticRegression.score"


@pytest.mark.parametrize(
    "call",
    [
        lambda module: module.make_scorer("accuracy"),
        lambda module: module.make_scorer(accuracy_score, response_method="predict_log_proba"),
        lambda module: module.make_scorer(accuracy_score, greater_is_better="yes"),
        lambda module: module.get_scorer(3),
        lambda module: module.check_scoring(object()),
        lambda module: module.check_scoring(scoring=3),
        lambda module: module.check_scoring(scoring=["accuracy", "accuracy"]),
        lambda module: module.check_scoring(scoring=[]),
        lambda module: module.check_scoring(scoring=()),
        lambda module: module.check_scoring(scoring={}),
        lambda module: module.check_scoring(scoring={1: "accuracy"}),
        lambda module: module.check_scoring(scoring=[1]),
        lambda module: module.check_scoring(scoring=[[]]),
        lambda module: module.check_scoring(scoring=[len]),
        lambda module: module.check_scoring(scoring="accuracy", allow_none=2),
        lambda module: module.check_scoring(Fixed(SCORES)),
        lambda module: module.check_scoring(Fixed(SCORES), sklearn_metrics.r2_score),
        lambda module: module.make_scorer(accuracy_score)(Fixed(SCORES), ROWS, LABELS, wrong=1),
    ],
)
def test_refusals_are_theirs(call):
    def outcome(module):
        try:
            return call(module)
        except Exception as error:
            kinds = {kind for kind in type(error).__mro__ if kind in (ValueError, TypeError, AttributeError)}
            # scikit-learn lists the names in the order of a set.
            return kinds, re.sub(r"\{.*\}", "{}", str(error)).split(" at 0x")[0]

    ours, theirs = outcome(metrics), outcome(sklearn_metrics)
    assert ours == theirs
    assert isinstance(ours, tuple)


def test_an_unknown_name():
    with pytest.raises(rs.InputError, match="'r2' is not a valid scoring value"):
        get_scorer("r2")
    with pytest.raises(rs.InputError, match="'r2' is not a valid scoring value"):
        check_scoring(scoring="r2")


def test_a_metric_is_no_scorer():
    for metric in (accuracy_score, sklearn_metrics.accuracy_score):
        with pytest.raises(ValueError, match="looks like it is a metric function rather than a scorer"):
            check_scoring(scoring=metric)
    scorer = make_scorer(accuracy_score)
    assert check_scoring(scoring=scorer) is scorer
    assert check_scoring(scoring=max) is max
    assert check_scoring(allow_none=True) is None


def test_weights_by_position_are_deprecated():
    model, X, y = _fitted()
    for scorer in (get_scorer("accuracy"), sklearn_metrics.get_scorer("accuracy")):
        with pytest.warns(FutureWarning, match="Pass sample_weight="):
            scorer(model, X, y, np.ones(len(y)))


def test_model_selection():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_score, cross_validate

    _, X, y = _fitted()
    model, names = LogisticRegression(), ["accuracy", "roc_auc", "matthews_corrcoef"]
    for name in names:
        ours = cross_val_score(model, X, y, scoring=get_scorer(name), cv=4)
        np.testing.assert_allclose(ours, cross_val_score(model, X, y, scoring=name, cv=4), rtol=1e-12)
    theirs = cross_validate(model, X, y, scoring=names, cv=4, return_train_score=True)
    for scoring in (check_scoring(scoring=names), {name: get_scorer(name) for name in names}):
        ours = cross_validate(model, X, y, scoring=scoring, cv=4, return_train_score=True)
        assert list(ours) == list(theirs)
        for key in theirs:
            if not key.endswith("time"):
                np.testing.assert_allclose(ours[key], theirs[key], rtol=1e-12)
    searches = [
        GridSearchCV(model, {"C": [0.001, 0.1, 10]}, scoring=scoring, refit="roc_auc", cv=4).fit(X, y)
        for scoring in (names, check_scoring(scoring=names), {name: get_scorer(name) for name in names})
    ]
    assert len({str(search.best_params_) for search in searches}) == 1
    thresholds = [
        TunedThresholdClassifierCV(model, scoring=scoring, cv=3).fit(X, y).best_threshold_
        for scoring in ("balanced_accuracy", get_scorer("balanced_accuracy"))
    ]
    assert thresholds[0] == thresholds[1]


def test_their_cache_knows_our_scorers():
    from sklearn.model_selection import cross_validate

    asked: Counter[str] = Counter()

    class Counting(Deciding):
        def get_params(self, deep=True):
            return {"scores": self.scores}

        def __sklearn_tags__(self):
            from sklearn.base import BaseEstimator, ClassifierMixin

            return type("Tagged", (ClassifierMixin, BaseEstimator), {})().__sklearn_tags__()

        def predict(self, X):
            asked["predict"] += 1
            return self.classes_[(np.asarray(X)[:, 0] > 0).astype(int)]

        def __sklearn_clone__(self):
            return self

    X, y = np.array([[-1.0], [1.0], [2.0], [-2.0]] * 2), np.array([0, 1, 1, 0] * 2)
    scoring = {"a": get_scorer("accuracy"), "b": get_scorer("matthews_corrcoef")}
    cross_validate(Counting(SCORES), X, y, scoring=scoring, cv=2, error_score="raise")
    assert asked["predict"] == 2


def test_routing_of_metadata():
    from sklearn import config_context
    from sklearn.exceptions import UnsetMetadataPassedError
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_validate

    _, X, y = _fitted()
    weights = np.linspace(0, 1, len(y))
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer("accuracy")
        theirs = sklearn_metrics.get_scorer("accuracy").get_metadata_routing()
        assert scorer.get_metadata_routing().score.requests == theirs.score.requests
        model = LogisticRegression().set_fit_request(sample_weight=False)
        with pytest.raises(UnsetMetadataPassedError, match="accuracy_score"):
            cross_validate(model, X, y, scoring=scorer, params={"sample_weight": weights}, error_score="raise")
        results = [
            cross_validate(
                model,
                X,
                y,
                scoring={"a": module.get_scorer("accuracy").set_score_request(sample_weight=True)},
                params={"sample_weight": weights},
            )["test_a"]
            for module in (metrics, sklearn_metrics)
        ]
        np.testing.assert_allclose(results[0], results[1], rtol=1e-12)
        several = check_scoring(scoring={"a": get_scorer("accuracy").set_score_request(sample_weight="w")})
        assert several(model.fit(X, y), X, y, w=weights)["a"] == pytest.approx(
            accuracy_score(y, model.predict(X), sample_weight=weights)
        )
        fixed = make_scorer(accuracy_score, normalize=False)
        with pytest.warns(UserWarning, match="already set as kwargs"):
            fixed.set_score_request(normalize=True)
        with pytest.warns(UserWarning, match="There is an overlap"):
            fixed(model, X, y, normalize=True)

"""Scorers of indices by their names, in scikit-learn's cross-validation."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score

import rocksteady as rs
from rocksteady.metrics import make_scorer

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
Y = (X[:, 0] + RNG.normal(size=300) > 0).astype(int)
CLASSES = RNG.integers(0, 3, 300)
MODEL = LogisticRegression().fit(X, Y)


@pytest.mark.parametrize("name", ["ks", "h_measure", "log_loss", "brier", "roc_auc", "gini"])
def test_an_index_of_scores_is_asked_of_probabilities(name):
    table = rs.ScoreTable(Y, MODEL.predict_proba(X)[:, 1])
    sign = -1 if rs.index(name).better == "lower" else 1
    scorer = make_scorer(name)
    assert scorer(MODEL, X, Y) == sign * table[name]
    assert pickle.loads(pickle.dumps(scorer))(MODEL, X, Y) == scorer(MODEL, X, Y)
    weights = RNG.integers(1, 4, 300)
    weighted = rs.ScoreTable(Y, MODEL.predict_proba(X)[:, 1], sample_weight=weights)
    assert scorer(MODEL, X, Y, sample_weight=weights) == sign * weighted[name]


@pytest.mark.parametrize(
    ("name", "options"), [("mcc", {}), ("fbeta", {"beta": 2}), ("f1", {"average": "macro"}), ("error_rate", {})]
)
def test_an_index_of_counts_is_asked_of_predictions(name, options):
    cm = rs.ConfusionMatrix(Y, MODEL.predict(X))
    sign = -1 if name == "error_rate" else 1
    assert make_scorer(name, **options)(MODEL, X, Y) == sign * cm.value(name, **options)


def test_cross_validation_of_two_classes_of_several_and_of_text():
    assert len(cross_val_score(LogisticRegression(), X, Y, scoring=make_scorer("ks"), cv=3)) == 3
    several = cross_val_score(LogisticRegression(), X, CLASSES, scoring=make_scorer("one_vs_rest_auc"), cv=3)
    assert ((several > 0.3) & (several < 0.7)).all()
    words = np.where(Y, "yes", "no")
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, scoring=make_scorer("KS"), cv=3).fit(X, words)
    assert search.best_score_ > 0.4
    decided = make_scorer("gini", response_method="decision_function")
    assert decided(MODEL, X, Y) == pytest.approx(make_scorer("gini")(MODEL, X, Y))


def test_what_is_refused():
    with pytest.raises(rs.UnknownIndexError, match="nope"):
        make_scorer("nope")
    with pytest.raises(rs.InputError, match="better high, or low"):
        make_scorer("prevalence")
    with pytest.raises(rs.InputError, match="greater_is_better"):
        make_scorer("f1", greater_is_better=False)
    with pytest.raises(ValueError, match="response_method"):
        make_scorer("f1", response_method="nope")
    with pytest.raises(ValueError, match="score_func"):
        make_scorer(3)

"""AUC-mu against scikit-learn's AUC of each two classes, and the paper's properties."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import rocksteady as rs


def naive(actual, proba, weights=None):
    areas = []
    for first, second in combinations(np.unique(actual), 2):
        both = (actual == first) | (actual == second)
        gaps = proba[both, second] - proba[both, first]
        of = None if weights is None else weights[both]
        areas.append(roc_auc_score(actual[both] == second, gaps, sample_weight=of))
    return np.mean(areas)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_mean_area_of_each_two_classes(seed, weighted):
    rng = np.random.default_rng(seed)
    classes = int(rng.integers(2, 6))
    actual = np.concatenate([np.arange(classes), rng.integers(0, classes, 200)])
    proba = rng.dirichlet(np.ones(classes), len(actual)).round(2)
    weights = rng.random(len(actual)) if weighted else None
    expected = naive(actual, proba, weights)
    assert rs.scores.auc_mu(actual, proba, sample_weight=weights) == pytest.approx(expected, rel=1e-12)


def test_it_is_one_half_for_columns_that_say_nothing_and_one_for_the_truth():
    actual = np.array(["a", "b", "c", "a"])
    assert rs.scores.auc_mu(actual, np.full((4, 3), 1 / 3)) == 0.5
    truth = pd.get_dummies(pd.Series(actual)).astype(float)
    assert rs.scores.auc_mu(actual, truth[["c", "a", "b"]]) == 1  # columns go by their names
    assert rs.scores.auc_mu(actual, truth.to_numpy()) == 1


@pytest.mark.parametrize(
    ("actual", "proba", "labels", "said"),
    [
        ([0, 1, 2], [[0.1, 0.9]] * 3, None, "expected \\(n, 3\\)"),
        ([0, 1, 0], [[0.1, 0.9, 0]] * 3, [0, 1, 2], "y_true has no row of 2"),
        ([0, 1], [[0.1, np.nan], [0.2, 0.8]], None, "missing"),
        ([0, 1], [0.1, 0.9], None, "a column for each class"),
    ],
)
def test_what_it_cannot_be_of_is_refused(actual, proba, labels, said):
    with pytest.raises(rs.InputError, match=said):
        rs.scores.auc_mu(actual, proba, labels=labels)

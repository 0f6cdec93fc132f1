"""What was promised of single calls: each test is named for the promise."""


import numpy as np
import pytest
from sklearn import metrics as theirs

from rocksteady import metrics


def test_samples_average_takes_weights_of_one_column():
    truth = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    score = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.4], [0.5, 0.5]])
    for weights in (np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[1], [0], [3], [0]])):
        options = {"average": "samples", "sample_weight": weights}
        expected = theirs.roc_auc_score(truth, score, **options)
        assert metrics.roc_auc_score(truth, score, **options) == pytest.approx(expected, rel=1e-15)
        expected = theirs.average_precision_score(truth, score, **options)
        assert metrics.average_precision_score(truth, score, **options) == pytest.approx(expected, rel=1e-15)


def test_labels_of_text_and_numbers_are_text_as_in_scikit_learn():
    labels = ["a", "b", 97]
    for average in (None, "macro", "micro"):
        expected = theirs.f1_score(["a", "b"], ["a", "b"], labels=labels, average=average, zero_division=0)
        found = metrics.f1_score(["a", "b"], ["a", "b"], labels=labels, average=average, zero_division=0)
        np.testing.assert_array_equal(found, expected)
    found = metrics.f1_score(["a", "97"], ["a", "97"], labels=labels, average=None, zero_division=0)
    assert found.tolist() == [1, 0, 1]
    given = (["a", "b"], ["a", "b"])
    options = {"labels": labels, "zero_division": 0}
    assert metrics.classification_report(*given, **options) == theirs.classification_report(*given, **options)

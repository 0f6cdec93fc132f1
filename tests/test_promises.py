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

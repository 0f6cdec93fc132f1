"""Absurd arguments, which must cause neither a wrong result nor a crash."""

import numpy as np
import pytest
import sklearn.metrics as sk
from scipy import sparse

import rocksteady.metrics as rm
from rocksteady import _rocksteady as core
from rocksteady.errors import InputError

MATRIX = np.random.default_rng(5).random((1000, 2)) < 0.8


@pytest.mark.parametrize("labels", [[], [1], [0, 1] * 30, [1] * 100])
@pytest.mark.parametrize("samplewise", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_labels_named_again_and_again(labels, samplewise, weighted):
    y_true, y_pred = MATRIX.astype(int), MATRIX[::-1].astype(int)
    weights = np.arange(1000.0) if weighted else None
    options = {"labels": labels, "samplewise": samplewise, "sample_weight": weights}
    expected = sk.multilabel_confusion_matrix(y_true, y_pred, **options)
    answer = rm.multilabel_confusion_matrix(y_true, y_pred, **options)
    np.testing.assert_array_equal(answer, expected)


@pytest.mark.parametrize("columns", [2**21, 2**40, 2**62])
def test_more_columns_than_memory_holds_are_refused(columns):
    wide = sparse.csr_matrix((3, columns), dtype=int)
    with pytest.raises(InputError, match="columns"):
        core.IndicatorState.count(wide, wide, [0], None)
    with pytest.raises(InputError, match="columns"):
        rm.multilabel_confusion_matrix.ours(wide, wide, labels=[0])


def test_matrices_of_other_classes_are_not_taken_away():
    two, three = (
        core.ConfusionState.count(labels, labels, None, None, "raise", False, "counts")
        for labels in ([0, 1], [0, 1, 2])
    )
    for ours, theirs in ((two, three), (three, two)):
        with pytest.raises(ValueError, match="classes"):
            ours.less(theirs)


def test_more_indices_than_bits_are_refused():
    tables = core.ConfusionState.count([0, 1], [0, 1], None, None, "raise", False, "counts").tables()
    with pytest.raises(InputError, match="32"):
        tables.scores(("recall",) * 33, None, 0.0, 1.0)


@pytest.mark.parametrize("shape", [(2**40, 0), (2**40, 3)])
def test_rows_without_labels_are_not_read(shape):
    scores = np.broadcast_to(np.float64(0.5), shape)
    for areas in (
        lambda: core.class_areas([0, 1, 2], scores, None, None, 1.0, False, True),
        lambda: core.pair_areas([0, 1, 2], scores, None, True),
    ):
        with pytest.raises(InputError, match="rows"):
            areas()


def test_classes_without_end_are_not_compared_pair_by_pair():
    scores = np.random.default_rng(0).random((20, 100_000))
    with pytest.raises(ValueError, match=r"y_score is 100000 columns; expected at most 10000"):
        core.pair_areas(np.arange(20), scores, np.arange(100_000), False)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda m: m.accuracy_score([0, 1], [0, 1], sample_weight=["1", "b"]), "sample_weight[0] is '1'"),
        (lambda m: m.f1_score([0, 1], [0, 1], sample_weight=np.array([1, "b"], dtype=object)), "sample_weight[1] is 'b'"),
        (lambda m: m.ndcg_score([[0, 1], [1, 0]], [[0.2, 0.3], [0.1, 0.4]], sample_weight=[1, None]), "sample_weight[1] is None"),
        (lambda m: m.brier_score_loss([0, 1], [0.1, 0.9], sample_weight=[b"1", b"2"]), "sample_weight[0] is b'1'"),
    ],
)  # fmt: skip
def test_a_weight_that_is_no_number_is_named(call, sentence):
    with pytest.raises(InputError) as raised:
        call(rm)
    assert str(raised.value) == f"{sentence}; expected a real number of at most 64 bits"

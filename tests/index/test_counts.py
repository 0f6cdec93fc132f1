"""Counts and the registry: one formula over arrays of any shape."""

import numpy as np
import pytest

import rocksteady as rs


def test_one_formula_over_any_shape():
    tp, fp, fn, tn = np.random.default_rng(0).integers(1, 100, (4, 3, 5, 2))
    counts = rs.Counts(tp, fp, fn, tn)
    assert counts.shape == (3, 5, 2)
    np.testing.assert_allclose(counts["precision"], tp / (tp + fp), rtol=1e-15)
    np.testing.assert_allclose(counts["f1"], 2 * tp / (2 * tp + fp + fn), rtol=1e-15)
    np.testing.assert_allclose(counts.value("fbeta", beta=2), 5 * tp / (5 * tp + fp + 4 * fn), rtol=1e-15)
    assert counts["cen"].shape == (3, 5, 2)


def test_every_row_of_the_registry_can_be_found_and_read():
    names = [row.name for row in rs.indices()]
    assert len(names) == len(set(names))
    for place, row in enumerate(rs.indices()):
        assert rs.index(row.name) is rs.indices()[place]
        for alias in row.aliases:
            assert rs.index(alias) is row
        assert row.formula
        assert row.source
        assert row.low <= row.high
        assert row.better in {"higher", "lower", "neither"}
        assert row.forms


def test_every_count_form_works_on_counts_and_matrices():
    counts = rs.Counts(79, 16, 14, 91)
    cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    for row in rs.indices():
        if "counts" in row.forms or "matrix" in row.forms:
            assert counts[row.name] == pytest.approx(cm[row.name], rel=1e-14), row.name
        if "counts" in row.forms and "class" not in row.forms:  # otherwise a class has its own formula
            assert cm.every(row.name)[1] == pytest.approx(counts[row.name], rel=1e-14), row.name


def test_unknown_names_and_parameters():
    counts = rs.Counts(1, 1, 1, 1)
    with pytest.raises(rs.UnknownIndexError, match="accuracy"):
        counts["acuracy"]
    with pytest.raises(rs.UnknownIndexError, match="scores|ScoreTable"):
        counts["roc_auc"]
    with pytest.raises((rs.InputError, rs.UnknownIndexError), match="beta"):
        counts.value("f1", beta=2)
    with pytest.raises(rs.InputError, match="beta"):
        counts.value("fbeta", beta=-1)
    with pytest.raises(rs.RocksteadyError, match="beta"):
        counts.value("fbeta", beta="two")


def test_costs():
    cm = rs.ConfusionMatrix.from_counts([[99, 0], [1, 0]])
    assert cm.value("cost", fn=10, fp=1) == 10.0
    assert cm.value("mean_cost", fn=10, fp=1) == 0.1
    assert cm.value("cost", matrix=[[0, 1], [10, 0]]) == 10.0
    with pytest.raises(rs.InputError, match="3 by 3; expected 2 by 2"):
        cm.value("cost", matrix=[[0, 1, 2], [1, 0, 2], [1, 1, 0]])
    with pytest.raises((rs.InputError, rs.InputTypeError), match="cost"):
        cm.value("cost", matrix="free")


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf")])
def test_bad_counts(bad):
    with pytest.raises(rs.InputError, match="fp"):
        rs.Counts([1, 2], [1, bad], [1, 2], [1, 2])


@pytest.mark.parametrize(
    "bad",
    ["12", ["1", "2"], [1 + 1j], np.array([1, 2], "m8[s]"), [[1], [2, 3]], np.ma.array([1, 2], mask=[0, 1]), None],
)
def test_what_numpy_would_have_to_make_into_numbers_is_refused(bad):
    with pytest.raises(
        (rs.InputError, rs.InputTypeError), match=r"^fn(\[1\] is missing| has dtype| has rows| is )"
    ) as refused:
        rs.Counts(1, 1, bad, 1)
    assert refused.value.argument == "fn"


def test_equality():
    assert rs.Counts(1, 2, [3, 4], 5) == rs.Counts([1, 1], [2, 2], [3, 4], [5, 5])
    assert rs.Counts(1, 2, 3, 4) != rs.Counts(1, 2, 3, 5)
    assert rs.Counts(1, 2, 3, 4) != rs.Counts([1], [2], [3], [4])
    assert rs.Counts(1, 2, 3, 4) != (1, 2, 3, 4)


def test_shapes_must_go_together():
    with pytest.raises(rs.InputError, match=r"have the shapes \(2,\), \(3,\), \(2,\), \(2,\); expected one shape"):
        rs.Counts([1, 2], [1, 2, 3], [1, 2], [1, 2])
    assert rs.Counts([1, 2], 0, [1, 2], 5).shape == (2,)


def test_repr():
    assert repr(rs.Counts(79, 16, 14, 91)) == "Counts(tp=79, fp=16, fn=14, tn=91)"
    assert "(2,)" in repr(rs.Counts([1, 2], [1, 2], [1, 2], [1, 2]))

"""The accuracy of a map and the areas of its classes, from a stratified sample."""

import numpy as np
import pytest

import rocksteady as rs

# Olofsson et al. 2014, tables 8 and 9: rows the map, columns the reference; areas in pixels.
SAMPLE = np.array([[66, 0, 5, 4], [0, 55, 8, 12], [1, 0, 153, 11], [2, 1, 9, 313]])
PIXELS = np.array([200_000, 150_000, 3_200_000, 6_450_000])
HECTARES = 900_000 / 10_000_000


def test_the_example_of_the_paper():
    found = rs.ConfusionMatrix.from_counts(SAMPLE.T).map_accuracy(PIXELS)
    assert round(found.accuracy, 2) == 0.95
    assert round(1.96 * found.accuracy_error, 2) == 0.02
    assert found.users_accuracy.round(2).tolist() == [0.88, 0.73, 0.93, 0.96]
    assert (1.96 * found.users_error).round(2).tolist() == [0.07, 0.10, 0.04, 0.02]
    assert found.producers_accuracy.round(2).tolist() == [0.75, 0.85, 0.93, 0.96]
    assert (found.area * HECTARES).round().tolist() == [21158, 11686, 285770, 581386]
    assert (1.96 * found.area_error * HECTARES).round().tolist() == [6158, 3756, 15510, 16282]


def test_each_formula_one_by_one():
    found = rs.ConfusionMatrix.from_counts(SAMPLE.T).map_accuracy(PIXELS)
    n, w = SAMPLE.sum(1), PIXELS / PIXELS.sum()
    for j in range(4):
        q = SAMPLE[:, j] / n
        assert found.users_error[j] ** 2 == pytest.approx(q[j] * (1 - q[j]) / (n[j] - 1))
        share = sum(w[i] * q[i] for i in range(4))
        assert found.area[j] == pytest.approx(share * PIXELS.sum())
        variance = sum(w[i] ** 2 * q[i] * (1 - q[i]) / (n[i] - 1) for i in range(4))
        assert found.area_error[j] == pytest.approx(np.sqrt(variance) * PIXELS.sum())
        p = w[j] * q[j] / share
        own = w[j] ** 2 * (1 - p) ** 2 * q[j] * (1 - q[j]) / (n[j] - 1)
        others = p**2 * sum(w[i] ** 2 * q[i] * (1 - q[i]) / (n[i] - 1) for i in range(4) if i != j)
        assert found.producers_error[j] == pytest.approx(np.sqrt(own + others) / share)


def test_the_matrix_of_estimated_shares_has_the_same_values():
    cm = rs.ConfusionMatrix.from_counts(SAMPLE.T)
    found, weighed = cm.map_accuracy(PIXELS), cm.T.at_prevalence(PIXELS / PIXELS.sum()).T
    assert weighed["accuracy"] == pytest.approx(found.accuracy, rel=1e-12)
    assert weighed.every("precision") == pytest.approx(found.users_accuracy, rel=1e-12)
    assert weighed.every("recall") == pytest.approx(found.producers_accuracy, rel=1e-12)
    assert weighed.every("prevalence") == pytest.approx(found.area / PIXELS.sum(), rel=1e-12)


def test_standard_errors_are_the_scatter_of_samples():
    """800 samples from a known map; the errors of all estimates are within 10 % of their scatter."""
    rng = np.random.default_rng(0)
    truth = np.array([[0.85, 0.05, 0.1], [0.1, 0.8, 0.1], [0.02, 0.03, 0.95]])
    areas, rows = np.array([5.0, 15.0, 80.0]), (100, 150, 300)
    found = []
    for _ in range(800):
        sample = np.array([rng.multinomial(n, q) for n, q in zip(rows, truth, strict=True)])
        found.append(rs.ConfusionMatrix.from_counts(sample.T).map_accuracy(areas))
    for value, error in (
        ("area", "area_error"),
        ("users_accuracy", "users_error"),
        ("producers_accuracy", "producers_error"),
        ("accuracy", "accuracy_error"),
    ):
        values, errors = (np.array([getattr(one, name) for one in found]) for name in (value, error))
        assert errors.mean(axis=0) == pytest.approx(values.std(axis=0), rel=0.1)
    shares = areas / 100 @ truth
    area, error = (np.array([getattr(one, name) for one in found]) / 100 for name in ("area", "area_error"))
    assert (np.abs(area - shares) < 1.96 * error).mean() > 0.93


def test_a_class_that_is_not_on_the_map():
    cm = rs.ConfusionMatrix.from_counts([[8, 1, 0], [2, 9, 0], [1, 0, 0]], labels=["a", "b", "c"])
    found = cm.map_accuracy({"a": 10, "b": 20, "c": 0})
    assert np.isnan(found.users_accuracy[2])
    assert found.producers_accuracy[2] == 0
    assert found.area[2] == pytest.approx(10 / 11)
    assert found.area.sum() == pytest.approx(30)


def test_units_do_not_matter():
    cm = rs.ConfusionMatrix.from_counts(SAMPLE.T)
    one, other = cm.map_accuracy(PIXELS), cm.map_accuracy(PIXELS * 1e290)
    assert other.accuracy_error == pytest.approx(one.accuracy_error, rel=1e-12)
    assert other.area / 1e290 == pytest.approx(one.area, rel=1e-12)


def test_refusals():
    cm = rs.ConfusionMatrix.from_counts([[8, 1], [2, 9]], labels=["a", "b"])
    for areas, said in (
        ([1.0], "an area of each"),
        ([1.0, -1.0], "class 'b'"),
        ([1.0, float("inf")], "finite"),
        ([1.0, 0.0], "10 sampled rows are mapped as it"),
        ({"a": 1.0}, "'b'"),
        ({"a": 1.0, "b": 1.0, "c": 1.0}, "'c'"),
    ):
        with pytest.raises(rs.InputError, match=said):
            cm.map_accuracy(areas)
    with pytest.raises(rs.InputError, match="two or more"):
        rs.ConfusionMatrix.from_counts([[8, 1], [2, 0]]).map_accuracy([1, 1])
    with pytest.raises(rs.InputError, match="weights"):
        rs.ConfusionMatrix([0, 1, 1], [0, 1, 0], sample_weight=[1.5, 2, 1]).map_accuracy([1, 1])


def test_areas_that_no_float_adds_up_are_refused():
    cm = rs.ConfusionMatrix.from_counts([[2, 0], [0, 2]])
    with pytest.raises(rs.InputError, match="finite"):
        cm.map_accuracy([1.7e308, 1.7e308])

"""How far samples of scores are apart, against scipy."""

import numpy as np
import pytest
import scipy.stats

import rocksteady as rs


@pytest.mark.parametrize("seed", range(30))
def test_distances_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    first = rng.normal(size=rng.integers(1, 60)).round(seed % 3)
    second = rng.normal(0.4, 1.3, size=rng.integers(1, 60)).round(seed % 3)
    table = rs.ScoreTable(np.repeat([0, 1], [len(first), len(second)]), np.concatenate([first, second]))
    found = rs.scores.distances(table)
    assert found.wasserstein == pytest.approx(scipy.stats.wasserstein_distance(first, second), rel=1e-12)
    assert found.energy == pytest.approx(scipy.stats.energy_distance(first, second), rel=1e-12)
    assert found.ks == pytest.approx(scipy.stats.ks_2samp(first, second).statistic, rel=1e-12)
    if min(len(first), len(second)) > 1:
        expected = scipy.stats.cramervonmises_2samp(first, second, method="asymptotic").statistic
        assert found.cramer_von_mises == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_equal_samples_are_not_apart():
    table = rs.ScoreTable([0, 1, 0, 1], [0.2, 0.2, 0.7, 0.7])
    found = rs.scores.distances(table)
    assert (found.wasserstein, found.energy, found.ks) == (0, 0, 0)


@pytest.mark.parametrize(
    ("table", "error", "said"),
    [
        ([0, 1], rs.InputTypeError, "expected a ScoreTable"),
        (rs.ScoreTable([1, 1], [0.1, 0.2]), rs.InputError, "rows of one class"),
        (rs.ScoreTable([0, 1], [0.1, np.inf], infinite="allow"), rs.InputError, "not finite"),
    ],
)
def test_what_has_no_distance_is_refused(table, error, said):
    with pytest.raises(error, match=said):
        rs.scores.distances(table)

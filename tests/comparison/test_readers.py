"""Modalities compared by several readers: published figures, a naive twin, coverage."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.comparison.readers import _analysed

# The areas of Van Dyke et al. 1993 by reader, and the mean DeLong covariances, as printed in the vignette of MRMCaov 0.3.0.
AREAS = np.array(
    [
        [0.9196457, 0.8587762, 0.9038647, 0.9731079, 0.8297907],
        [0.9478261, 0.9053140, 0.9217391, 0.9993559, 0.9299517],
    ]
)
VARIANCE, COV1, COV2, COV3 = 0.0007921325, 0.0003420090, 0.0003395265, 0.0002358497


def _van_dyke():
    same_modality, same_reader = np.eye(2, dtype=bool)[:, None, :, None], np.eye(5, dtype=bool)[None, :, None, :]
    both = np.where(same_modality, COV2, COV3)
    covariance = np.where(same_reader, np.where(same_modality, VARIANCE, COV1), both)
    return _analysed(AREAS, covariance, ["CINE", "SE"], list("12345"), "roc_auc", 0.95, None)


def test_the_van_dyke_study():
    """MRMCaov 0.3.0, `summary(mrmc(empirical_auc(truth, rating), treatment, reader, case, data = VanDyke, cov = DeLong))`."""
    found = _van_dyke()
    assert found.statistic == pytest.approx(4.484854, rel=1e-5)
    assert (found.numerator_freedom, found.denominator_freedom) == (1, pytest.approx(15.06611, rel=1e-5))
    assert found.p_value == pytest.approx(0.05123303, rel=1e-5)
    apart = found.difference("CINE", "SE")
    assert apart.estimate == pytest.approx(-0.04380032, rel=1e-5)
    assert apart.standard_error == pytest.approx(0.0206825, rel=1e-5)
    assert (apart.low, apart.high) == (pytest.approx(-0.0878671960, rel=1e-5), pytest.approx(0.0002665519, abs=1e-6))
    assert apart.statistic == pytest.approx(-2.117747, rel=1e-5)
    assert apart.p_value == pytest.approx(found.p_value, rel=1e-12)  # of two modalities F is the square of t
    assert found.mean == pytest.approx([0.8970370, 0.9408374], rel=1e-6)


def _study(rng, gain=0.0, cases=60, readers=4, modalities=("film", "digital")):
    """Cases, readers and their interactions are normal, so the true areas are equal without a gain."""
    y = np.repeat([0, 1], cases // 2)
    case, skill = rng.normal(size=cases), rng.normal(0, 0.3, readers)
    return y, {
        name: {
            f"r{reader}": (1.5 + skill[reader] + rng.normal(0, 0.2) + gain * place) * y
            + case
            + 0.7 * rng.normal(size=cases)
            for reader in range(readers)
        }
        for place, name in enumerate(modalities)
    }


def test_covariances_and_mean_squares_one_by_one():
    y, scores = _study(np.random.default_rng(1), modalities=("a", "b", "c"))
    found = rs.comparison.compare_readers(y, scores)
    flat = {(m, r): column for m, own in scores.items() for r, column in own.items()}
    compared = rs.inference.compare_scores(y, {str(key): column for key, column in flat.items()})
    kinds = {"variance": [], "cov1": [], "cov2": [], "cov3": []}
    for i, one in enumerate(flat):
        for j, other in enumerate(flat):
            kind = {(True, True): "variance", (False, True): "cov1", (True, False): "cov2", (False, False): "cov3"}
            kinds[kind[one[0] == other[0], one[1] == other[1]]].append(compared.covariance[i, j])
    for name, all_of_it in kinds.items():
        assert getattr(found, name) == pytest.approx(np.mean(all_of_it), rel=1e-12)
    areas = np.array([[rs.ScoreTable(y, column)["roc_auc"] for column in own.values()] for own in scores.values()])
    t, r = areas.shape
    rows, columns, grand = areas.mean(1), areas.mean(0), areas.mean()
    of_modalities = r * sum((row - grand) ** 2 for row in rows) / (t - 1)
    both = sum((areas[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(t) for j in range(r)) / (
        (t - 1) * (r - 1)
    )
    below = both + max(r * (found.cov2 - found.cov3), 0)
    assert found.statistic == pytest.approx(of_modalities / below, rel=1e-12)
    assert found.denominator_freedom == pytest.approx((below / both) ** 2 * (t - 1) * (r - 1), rel=1e-12)
    scipy = pytest.importorskip("scipy.stats")
    assert found.p_value == pytest.approx(scipy.f.sf(found.statistic, t - 1, found.denominator_freedom), rel=1e-9)
    apart = found.difference("a", "c", level=0.9)
    assert apart.standard_error == pytest.approx(math.sqrt(2 * below / r), rel=1e-12)
    reach = scipy.t.ppf(0.95, found.denominator_freedom) * apart.standard_error
    assert (apart.low, apart.high) == pytest.approx((apart.estimate - reach, apart.estimate + reach), rel=1e-9)


def test_intervals_cover_and_the_test_holds_its_level():
    """400 studies of 60 cases and 4 readers without a difference; 4,000 of them give 0.947 and 0.053."""
    rng = np.random.default_rng(2)
    found = [rs.comparison.compare_readers(*_study(rng)) for _ in range(400)]
    assert (
        np.mean([one.difference("digital", "film").low <= 0 <= one.difference("digital", "film").high for one in found])
        >= 0.92
    )
    assert np.mean([one.p_value < 0.05 for one in found]) <= 0.08
    assert rs.comparison.compare_readers(*_study(rng, gain=2.0)).p_value < 0.05


def test_readers_in_another_order_are_the_same():
    y, scores = _study(np.random.default_rng(3))
    turned = {name: dict(reversed(own.items())) for name, own in scores.items()}
    turned["film"] = scores["film"]
    assert rs.comparison.compare_readers(y, turned) == rs.comparison.compare_readers(y, scores)


def test_readers_who_are_all_alike_show_no_variance():
    y, s = np.repeat([0, 1], 30), np.arange(60.0)
    found = rs.comparison.compare_readers(y, {"a": {"x": s, "y": s}, "b": {"x": s, "y": s}})
    assert math.isnan(found.p_value)
    assert "variance is 0" in found.why
    assert found.difference("a", "b").why == found.why


def test_refusals():
    y, s = [0, 1, 0, 1], [0.1, 0.4, 0.3, 0.8]
    for scores, said in (
        ({"a": {"x": s, "y": s}}, "two or more"),
        ({"a": {"x": s}, "b": {"x": s}}, "compare_scores"),
        ({"a": {"x": s, "y": s}, "b": {"x": s, "z": s}}, "expected those of 'a'"),
        ({"a": {"x": s, "y": s[:3]}, "b": {"x": s, "y": s}}, "3"),
        ({"a": [s, s], "b": {"x": s, "y": s}}, "a mapping of readers to scores"),
        (s, "a mapping of modalities"),
    ):
        with pytest.raises(rs.RocksteadyError, match=said) as refused:
            rs.comparison.compare_readers(y, scores)
        assert refused.value.argument.startswith("y_score")
    found = rs.comparison.compare_readers(*_study(np.random.default_rng(4)))
    with pytest.raises(rs.InputError, match="film"):
        found.difference("film", "paper")


def test_intervals_stay_in_the_range_of_the_index():
    readers = {"film": {"r": [1, 2, 3, 5], "s": [1, 3, 2, 4]}, "digital": {"r": [1, 2, 4, 4], "s": [1, 3, 2, 4]}}
    found = rs.comparison.compare_readers([0, 1, 0, 1], readers)
    assert found.low.min() >= 0
    assert found.high.max() <= 1

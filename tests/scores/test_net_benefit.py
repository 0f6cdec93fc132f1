"""Net benefit and differences of net benefit with their bands: by definition, and by simulation."""

import os

import numpy as np
import pytest
import scipy.special
import scipy.stats

import rocksteady as rs

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
Z = scipy.stats.norm.ppf(0.975)


def draw(rng, rows, shift=-1.5):
    """Labels, and the risks of two models: one of them knows the true risk."""
    own, other = rng.normal(size=(2, rows))
    logit = 1.5 * own + shift
    y = rng.random(rows) < scipy.special.expit(logit)
    return y, scipy.special.expit(logit), scipy.special.expit(1.2 * (0.7 * own + 0.7 * other) + shift)


def benefit(y, treated, t):
    """The benefit of each row."""
    return np.where(treated, np.where(y, 1.0, -t / (1 - t)), 0.0)


def wilson(share, rows):
    middle = (share + Z * Z / 2 / rows) / (1 + Z * Z / rows)
    half = Z * np.sqrt(share * (1 - share) / rows + Z * Z / 4 / rows**2) / (1 + Z * Z / rows)
    return middle - half, middle + half


@pytest.mark.parametrize("t", [0.0, 0.1, 0.5, 0.95])
def test_differences_and_bounds_by_definition(t):
    y, first, second = draw(np.random.default_rng(3), 400)
    rules = {"none": np.zeros(400, bool), "all": np.ones(400, bool), "other": second >= t}
    for name, rule in rules.items():
        against = second if name == "other" else name
        found = rs.scores.net_benefit(y, first, against=against, at=[t])
        own = first >= t
        assert found.estimate[0] == pytest.approx((benefit(y, own, t) - benefit(y, rule, t)).mean(), abs=1e-14)
        cells = [y & own & ~rule, y & rule & ~own, ~y & own & ~rule, ~y & rule & ~own]
        worth = [1, -1, -t / (1 - t), t / (1 - t)]
        possible = [k for k in range(4) if name == "other" or k % 2 == (name == "all")]
        share = [cells[k].mean() for k in possible]
        for sign, bound in ((-1, found.low[0]), (1, found.high[0])):
            far = [
                worth[k] * abs(wilson(s, 400)[int(worth[k] * sign > 0)] - s)
                for k, s in zip(possible, share, strict=True)
            ]
            odds = np.sqrt(np.array(share) / (1 - np.array(share)))
            correlation = np.where(np.eye(len(far), dtype=bool), 1, -np.outer(odds, odds))
            reach = np.sqrt(np.array(far) @ correlation @ np.array(far))
            assert bound == pytest.approx(found.estimate[0] + sign * reach, abs=1e-12)


def test_bands_cover():
    """The true difference at four thresholds, for few rows and a rare class."""
    at, rng = [0.05, 0.2, 0.5], np.random.default_rng(4)
    y, first, second = draw(rng, 1_000_000)
    truth = {
        "none": [benefit(y, first >= t, t).mean() for t in at],
        "all": [(benefit(y, first >= t, t) - benefit(y, y == y, t)).mean() for t in at],
        "other": [(benefit(y, first >= t, t) - benefit(y, second >= t, t)).mean() for t in at],
    }
    hits, samples = {name: np.zeros(3) for name in truth}, 3000 if THOROUGH else 300
    for _ in range(samples):
        y, first, second = draw(rng, 300)
        for name, true in truth.items():
            found = rs.scores.net_benefit(y, first, against=second if name == "other" else name, at=at)
            hits[name] += (found.low <= true) & (true <= found.high)
    least = 0.94 if THOROUGH else 0.91
    assert all((each >= least * samples).all() for each in hits.values()), hits


def test_arguments():
    y, first, second = draw(np.random.default_rng(5), 50)
    found = rs.scores.net_benefit(y, first)
    assert len(found) == 99
    assert (found.low < found.high).all()  # where no row is treated, too
    assert found.curve == "decision"
    assert np.isnan(rs.scores.net_benefit(y, first, at=[1]).estimate[0])
    doubled = rs.scores.net_benefit(y, first, sample_weight=np.full(50, 3.0), weight_kind="sampling")
    np.testing.assert_allclose(doubled.high, found.high, rtol=1e-12)
    with pytest.raises(rs.InputError, match="against has shape"):
        rs.scores.net_benefit(y, first, against=second[1:])
    with pytest.raises(rs.InputError, match="against"):
        rs.scores.net_benefit(y, first, against="both")
    with pytest.raises(rs.InputError, match=r"at\[0\]"):
        rs.scores.net_benefit(y, first, at=[1.5])
    with pytest.raises(rs.InputError, match="decision curve"):
        rs.scores.net_benefit(y, first * 3)

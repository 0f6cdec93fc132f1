"""Uplift, against scikit-uplift and sums over the rows."""

import numpy as np
import pytest

import rocksteady as rs


def experiment(rng, n, digits=6):
    treatment, x = rng.integers(0, 2, n), rng.normal(size=n)
    y = (rng.random(n) < 0.3 + 0.2 * treatment * (x > 0) - 0.1 * treatment * (x < -1)).astype(int)
    return y, (x + rng.normal(size=n)).round(digits), treatment


def curve_of(y, score, treatment):
    by = rs.group_by(y, y_score=score, by=treatment)
    return rs.scores.uplift(by.score_table(1), by.score_table(0))


#: (rows, digits of the scores): uplift_auc_score and qini_auc_score of scikit-uplift 0.5.1 for `experiment`, one after the
#: other from the seed 7.
SKLIFT = {
    (400, 1): (0.06764005636812338, 0.04632871715256643),
    (400, 6): (0.03354216065011698, 0.03800394664175063),
    (50, 0): (-0.03640730044030493, -0.026476985172637357),
    (3000, 2): (0.08937738430661249, 0.0883304139776659),
}


def test_areas_are_those_of_scikit_uplift():
    rng = np.random.default_rng(7)
    for (n, digits), expected in SKLIFT.items():
        curve = curve_of(*experiment(rng, n, digits))
        assert (curve.auuc, curve.qini_coefficient) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_curves_are_sums_over_the_rows(seed):
    rng = np.random.default_rng(seed)
    y, score, treatment = experiment(rng, 60, 1)
    curve = curve_of(y, score, treatment)
    assert curve.thresholds[0] == np.inf
    assert curve.thresholds[1:].tolist() == sorted(set(score.tolist()), reverse=True)
    for place, threshold in enumerate(curve.thresholds):
        top = score >= threshold
        own, other = y[top & (treatment == 1)], y[top & (treatment == 0)]
        assert (curve.treated[place], curve.control[place]) == (own.size, other.size)
        assert (curve.treated_positives[place], curve.control_positives[place]) == (own.sum(), other.sum())
        rates = [each.mean() if each.size else 0.0 for each in (own, other)]
        assert curve.uplift[place] == pytest.approx((rates[0] - rates[1]) * top.sum())
        assert curve.qini[place] == pytest.approx(
            own.sum() - (other.sum() * own.size / other.size if other.size else 0)
        )
        assert np.isnan(curve.effect[place]) == (not own.size or not other.size)
    # AUTOC row by row: each row has the effect up to the end of its score, the first ones that of the first score with both.
    known = [float(effect) for effect in curve.effect if np.isfinite(effect)]
    effects = [float(effect) if np.isfinite(effect) else known[0] for effect in curve.effect]
    each = [effects[curve.thresholds.tolist().index(one)] - effects[-1] for one in score.tolist()]
    assert curve.autoc == pytest.approx(np.mean(each))


def test_parts_add():
    y, score, treatment = experiment(np.random.default_rng(1), 500, 1)
    parts = [rs.group_by(y[rows], y_score=score[rows], by=treatment[rows]) for rows in (slice(0, 200), slice(200, 500))]
    tables = [sum(part.score_table(arm) for part in parts) for arm in (1, 0)]
    assert rs.scores.uplift(*tables) == curve_of(y, score, treatment)


def test_the_best_order_has_one_and_its_opposite_less_than_none():
    y, _, treatment = experiment(np.random.default_rng(2), 300)
    best = y * treatment - y * (1 - treatment)
    assert curve_of(y, best, treatment).qini_coefficient == pytest.approx(1)
    assert curve_of(y, -best, treatment).qini_coefficient < -0.3


def test_the_effect_among_the_top_rows():
    y, score, treatment = experiment(np.random.default_rng(3), 1000)
    curve = curve_of(y, score, treatment)
    top = score >= np.sort(score)[-300]
    own, other = y[top & (treatment == 1)], y[top & (treatment == 0)]
    assert curve.top(0.3).estimate == pytest.approx(own.mean() - other.mean())
    expected = rs.inference.proportion_difference(own.sum(), own.size, other.sum(), other.size, level=0.9)
    assert curve.top(0.3, level=0.9).low == pytest.approx(expected.low)


@pytest.mark.parametrize("name", ["auuc", "qini_coefficient", "autoc"])
def test_intervals_cover(name):
    rng = np.random.default_rng(5)
    truth = getattr(curve_of(*experiment(rng, 400_000, 2)), name)
    covered = 0
    for draw in range(100):
        found = curve_of(*experiment(rng, 400, 1)).interval(name, n_resamples=120, random_state=draw)
        covered += found.low <= truth <= found.high
    assert covered / 100 > 0.87
    again = [curve_of(*experiment(np.random.default_rng(9), 100)).interval(name, random_state=4) for _ in range(2)]
    assert again[0] == again[1]


def test_an_experiment_without_an_outcome_has_no_areas():
    curve = curve_of(np.array([0, 0, 0, 0, 1, 1]), np.arange(6), np.array([0, 1, 0, 1, 0, 1]))
    assert np.isfinite(curve.auuc)
    nothing = rs.ScoreTable([0, 0], [0.1, 0.2], pos_label=1)
    none = rs.scores.uplift(nothing, nothing)
    assert np.isnan(none.auuc)
    assert np.isnan(none.qini_coefficient)
    assert none.autoc == 0
    assert "200 resamples" in none.interval("auuc", n_resamples=200).why


def test_refusals():
    table = rs.ScoreTable([0, 1], [0.1, 0.2])
    for call, says in (
        (lambda: rs.scores.uplift(table, [1]), "control"),
        (lambda: rs.scores.uplift(rs.ScoreTable.empty(pos_label=1), table), "treated has no rows"),
        (lambda: rs.scores.uplift(table, rs.ScoreTable([0, 1], [0.1, 0.2], pos_label=0)), "the outcome is"),
        (lambda: rs.scores.uplift(table, rs.ScoreTable([0, 1], [np.nan, 0.2], nan_policy="worst")), "missing scores"),
        (
            lambda: rs.scores.uplift(table, rs.ScoreTable([0, 1], [0.1, 0.2], sample_weight=[9, 9])),
            "control has weights",
        ),
        (lambda: rs.scores.uplift(table.at_prevalence(0.2), table), "treated has weights"),
        (lambda: rs.scores.uplift(table, table).top(1.5), "part"),
        (lambda: rs.scores.uplift(table, table).interval("auc"), "name"),
        (lambda: rs.scores.uplift(table, table).interval("auuc", n_resamples=1), "n_resamples"),
        (lambda: rs.scores.uplift(table, table).interval("auuc", level=1), "level"),
    ):
        with pytest.raises((rs.InputError, rs.InputTypeError), match=says):
            call()

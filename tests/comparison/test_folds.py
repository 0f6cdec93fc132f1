"""Two models compared by folds, against scipy and sums written out."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.comparison import compare_folds, five_by_two

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("shape", [(2,), (10,), (10, 10), (5, 2)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_corrected_test_and_its_probabilities(shape, level):
    rng = np.random.default_rng(len(shape))
    first, second = rng.normal(0.81, 0.02, shape), rng.normal(0.8, 0.02, shape)
    share, rope = 0.1, 0.01
    found = compare_folds(first, second, test_share=share, rope=rope, level=level)
    apart = (first - second).ravel()
    error = np.sqrt((1 / apart.size + share / (1 - share)) * apart.var(ddof=1))
    posterior = stats.t(apart.size - 1, apart.mean(), error)
    assert found.standard_error == pytest.approx(error)
    assert (found.low, found.high) == pytest.approx(posterior.interval(level))
    assert found.p_value == pytest.approx(2 * stats.t(apart.size - 1).sf(abs(found.statistic)))
    assert found.probability_lower == pytest.approx(posterior.cdf(-rope))
    assert found.probability_higher == pytest.approx(posterior.sf(rope))
    assert found.probability_same == pytest.approx(posterior.cdf(rope) - posterior.cdf(-rope))
    turned = compare_folds(second, first, test_share=share, rope=rope, level=level)
    assert (turned.estimate, turned.p_value) == pytest.approx((-found.estimate, found.p_value))
    assert turned.probability_lower == pytest.approx(found.probability_higher)


def test_five_repeats_of_two_folds():
    rng = np.random.default_rng(3)
    first, second = rng.normal(0.82, 0.02, (5, 2)), rng.normal(0.8, 0.02, (5, 2))
    apart = first - second
    squares = sum(np.var(repeat, ddof=1) for repeat in apart)
    found = five_by_two(first, second)
    assert found.statistic == pytest.approx((apart**2).sum() / (2 * squares))
    assert found.p_value == pytest.approx(stats.f(10, 5).sf(found.statistic))
    found = five_by_two(first, second, method="t")
    assert found.statistic == pytest.approx(apart[0, 0] / np.sqrt(squares / 5))
    assert found.p_value == pytest.approx(2 * stats.t(5).sf(abs(found.statistic)))


def test_equal_models_are_found_different_no_more_often_than_said():
    """Folds of one data set: the plain paired t-test finds far too many differences, the corrected one does not."""
    rng = np.random.default_rng(5)
    draws, plain, corrected = 600, 0, 0
    for _ in range(draws):
        x, y = rng.normal(size=(100, 2)), rng.normal(size=100)
        values = np.empty((10, 10, 2))
        for repeat in range(10):
            for fold, test in enumerate(np.array_split(rng.permutation(100), 10)):
                train = np.setdiff1d(np.arange(100), test)
                for model in range(2):  # each predicts by one feature, which says nothing
                    slope, level = np.polyfit(x[train, model], y[train], 1)
                    values[repeat, fold, model] = np.mean((y[test] - level - slope * x[test, model]) ** 2)
        apart = values[..., 0] - values[..., 1]
        plain += stats.ttest_1samp(apart.ravel(), 0).pvalue < 0.05
        corrected += compare_folds(values[..., 0], values[..., 1], test_share=0.1).p_value < 0.05
    assert plain / draws > 0.2
    assert corrected / draws < 0.075


def test_folds_are_groups():
    rng = np.random.default_rng(0)
    y, fold = rng.random(500) < 0.4, np.arange(500) % 5
    each = [rs.group_by(y, y_score=y + rng.normal(0, noise, 500), by=fold).every("roc_auc") for noise in (0.8, 1.2)]
    assert compare_folds(*each, test_share=0.2).estimate == pytest.approx(np.mean(each[0] - each[1]))


def test_folds_that_do_not_scatter_have_no_test():
    found = compare_folds([0.8, 0.8, 0.8], [0.7, 0.7, 0.7], test_share=0.3)
    assert np.isnan([found.low, found.p_value, found.probability_higher]).all()
    assert "do not show" in repr(found)
    assert "do not show" in five_by_two(np.full((5, 2), 0.8), np.full((5, 2), 0.7)).why


def test_differences_that_are_rounding_have_no_test():
    rng = np.random.default_rng(0)
    for _ in range(50):
        first = rng.random((5, 2)).round(2)
        assert np.isnan(five_by_two(first, first - 0.003).p_value)
        assert np.isnan(compare_folds(first, first - 0.003, test_share=0.1).p_value)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: compare_folds([0.8], [0.7], test_share=0.1), "two or more"),
        (lambda: compare_folds([0.8, 0.9], [0.7], test_share=0.1), "the same folds"),
        (lambda: compare_folds([0.8, np.nan], [0.7, 0.7], test_share=0.1), "first has nan on fold 1"),
        (lambda: compare_folds([0.8, 0.9], [0.7, np.inf], test_share=0.1), "second has inf on fold 1"),
        (lambda: compare_folds([0.8, 0.9], [0.7, 0.7], test_share=10), "test_share"),
        (lambda: compare_folds([0.8, 0.9], [0.7, 0.7], test_share=0.1, rope=-1), "rope"),
        (lambda: compare_folds([0.8, 0.9], [0.7, 0.7], test_share=0.1, level=95), "level"),
        (lambda: compare_folds(["a", "b"], [0.7, 0.7], test_share=0.1), "first"),
        (lambda: five_by_two([0.8, 0.9], [0.7, 0.7]), r"\(5, 2\)"),
        (lambda: five_by_two(np.ones((5, 2)), np.zeros((5, 2)), method="z"), "method"),
    ],
)
def test_refusals(call, says):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=says):
        call()


def _folds(rng, folds=5, rows=80, shift=1.0):
    y = np.arange(rows) % 2
    return [rs.ScoreTable(y, rng.normal(size=rows) + shift * y) for _ in range(folds)]


def test_a_band_over_folds_is_the_vertical_average():
    tables = _folds(np.random.default_rng(1))
    band = rs.comparison.band_over_folds(tables, test_share=0.2, points=11, level=0.9)
    curves = [table.roc_curve() for table in tables]
    values = np.array([np.interp(band.x, curve.fpr, curve.tpr) for curve in curves])
    assert band.x == pytest.approx(np.linspace(0, 1, 11))
    assert band.estimate == pytest.approx(values.mean(axis=0))
    for place, column in enumerate(values.T):
        if np.ptp(column) > 0:
            one = compare_folds(column, np.zeros(5), test_share=0.2, level=0.9)
            assert (band.low[place], band.high[place]) == pytest.approx((max(one.low, 0), min(one.high, 1)))
        else:
            assert band.low[place] == band.high[place] == pytest.approx(column[0])
    assert (band.level, band.kind, band.curve) == (0.9, "folds", "roc")


@pytest.mark.parametrize("curve", ["precision_recall", "gain"])
def test_bands_of_other_curves_are_means_of_those_of_the_folds(curve):
    tables = _folds(np.random.default_rng(2), folds=3)
    band = rs.comparison.band_over_folds(tables, curve, test_share=0.3)
    each = [table.band(curve, n_resamples=9, random_state=1).estimate for table in tables]
    assert band.estimate == pytest.approx(np.mean(each, axis=0))


def test_a_band_of_folds_that_share_no_rows_covers():
    """Without training rows that folds share, test_share near 0, each point is held in 95 % of repetitions."""
    rng, held = np.random.default_rng(3), []
    true = stats.norm.sf(stats.norm.isf(0.5) - 1.0)
    for _ in range(200):
        band = rs.comparison.band_over_folds(_folds(rng, folds=8), test_share=1e-9, points=3)
        held.append(band.low[1] <= true <= band.high[1])
    assert 0.9 < np.mean(held) < 0.99


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (lambda: _folds(np.random.default_rng(1), folds=1), "1 folds"),
        (lambda: [rs.ScoreTable([0, 1], [0.1, 0.2]), 3], r"tables\[1\]"),
        (lambda: [rs.ScoreTable([0, 1], [0.1, 0.2]), rs.ScoreTable([1, 1], [0.1, 0.2], pos_label=1)], "one class"),
        (lambda: [rs.ScoreTable([0, 1], [0.1, 0.2], sample_weight=[0.5, 1])] * 2, "weights"),
        (lambda: rs.ScoreTable([0, 1], [0.1, 0.2]), "tables"),
    ],
)
def test_folds_that_have_no_band(tables, said):
    with pytest.raises(rs.RocksteadyError, match=said):
        rs.comparison.band_over_folds(tables(), test_share=0.2)


def test_point_632_plus_is_efrons_and_tibshiranis():
    training = rs.ConfusionMatrix.from_counts([[48, 2], [3, 47]])
    guessed = 1 - (0.5 * 0.51 + 0.5 * 0.49)
    r = (0.2 - 0.05) / (guessed - 0.05)
    weight = 0.632 / (1 - 0.368 * r)
    assert rs.comparison.point_632(training, 0.2) == pytest.approx((1 - weight) * 0.05 + weight * 0.2, abs=1e-15)
    # Worse than guessing counts as guessing, and no worse than on the training rows as no overfitting.
    assert rs.comparison.point_632(training, 0.9) == pytest.approx(guessed, abs=1e-15)
    assert rs.comparison.point_632(training, 0.03) == pytest.approx(0.368 * 0.05 + 0.632 * 0.03, abs=1e-15)
    with pytest.raises(rs.InputError, match="out_of_bag"):
        rs.comparison.point_632(training, 1.2)


def test_point_632_plus_tells_that_nearest_neighbours_guess():
    """A classifier that knows its own rows by heart, of labels that nothing predicts, errs on half of the rows."""
    rng = np.random.default_rng(6)
    found = []
    for _ in range(30):
        x, y = rng.normal(size=60), rng.integers(0, 2, 60)
        rates = []
        for _ in range(25):
            rows = rng.integers(0, 60, 60)
            out = np.setdiff1d(np.arange(60), rows)
            nearest = rows[np.abs(x[out][:, None] - x[rows]).argmin(axis=1)]
            rates.append(np.mean(y[nearest] != y[out]))
        own = rs.ConfusionMatrix(y, y, labels=[0, 1])
        found.append([rs.comparison.point_632(own, np.mean(rates), plus=plus) for plus in (True, False)])
    plus, plain = np.mean(found, axis=0)
    assert plus == pytest.approx(0.5, abs=0.05)
    assert plain < 0.35


@pytest.mark.parametrize("curve", ["roc", "precision_recall", "gain"])
def test_a_band_over_folds_needs_one_positive_a_fold(curve):
    rng = np.random.default_rng(8)
    for _ in range(20):
        tables = [rs.ScoreTable(np.arange(60) == 3, rng.random(60)) for _ in range(5)]
        band = rs.comparison.band_over_folds(tables, curve, test_share=0.2, points=5)
        assert np.isfinite(band.estimate).all()

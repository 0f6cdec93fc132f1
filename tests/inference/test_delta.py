"""Intervals by the delta method: coverage over the registry, ends of ranges, kinks, averages, and every door."""

import math
import os

import numpy as np
import pytest

import rocksteady as rs

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
BALANCED = (0.26, 0.08, 0.07, 0.59)
RARE = (0.035, 0.03, 0.015, 0.92)
ROWS = [row for row in rs.indices() if "delta" in row.intervals]
OF_TABLES = [row for row in ROWS if {"counts", "matrix"} & set(row.forms) and row.name != "adjacent_accuracy"]


def drawn(shares, n, samples, seed=1):
    """Tables of n rows, and the one that has the true shares."""
    tables = np.random.default_rng(seed).multinomial(n, shares, samples).astype(np.float64)
    return rs.Counts(*tables.T), rs.Counts(*(n * np.array(shares)))


def coverage(counts, truth, name, method="delta"):
    """The share of the intervals that there are that contain the true value, and the share that there are."""
    found, true = counts.interval(name, method=method), float(truth[name])
    there = ~np.isnan(found.low)
    contains = (found.low <= true) & (true <= found.high)
    return contains[there].mean(), there.mean()


def test_at_least_195_rows_offer_an_interval():
    having = [row.name for row in rs.indices() if row.intervals and {"counts", "matrix"} & set(row.forms)]
    assert len(having) >= 195
    assert len(OF_TABLES) >= 195


def test_adjacent_accuracy_of_several_classes_is_a_share_of_rows():
    """Of two classes it is 1 whatever they are."""
    cm = rs.ConfusionMatrix.from_counts([[13, 3, 1], [2, 10, 4], [0, 5, 12]])
    share = 49 / 50
    found = cm.interval("adjacent_accuracy")
    assert found.standard_error == pytest.approx(math.sqrt(share * (1 - share) / 50), rel=1e-12)
    assert 0.8 < found.low < share < found.high < 1
    assert cm.value("adjacent_accuracy", distance=2) == 1.0


@pytest.mark.parametrize("shares", [BALANCED, RARE], ids=["balanced", "rare"])
def test_every_row_covers_its_true_value(shares):
    """At n = 1,000 and 95 %, each row within what so few samples allow of 92 to 98 %; in thorough runs within that."""
    samples = 20_000 if THOROUGH else 600
    slack = 0.0 if THOROUGH else 4 * np.sqrt(0.05 * 0.95 / samples)
    counts, truth = drawn(shares, 1_000, samples)
    found = {row.name: coverage(counts, truth, row.name) for row in OF_TABLES}
    off = {name: found for name, found in found.items() if not 0.92 - slack <= found[0] <= 0.98 + slack}
    assert not off
    # Where the margins of errors are equal, in one of forty tables, a maximum of the two has a kink.
    rarely = {name: found for name, found in found.items() if found[1] < 0.95}
    assert set(rarely) <= {"goodman_kruskal_lambda", "goodman_kruskal_lambda_b"}, rarely


@pytest.mark.parametrize(("shares", "n"), [(BALANCED, 50), (RARE, 50), (RARE, 200)])
@pytest.mark.parametrize("name", ["mcc", "kappa"])
def test_an_empty_cell_is_not_certain(shares, n, name):
    tables, truth = drawn(shares, n, 200_000 if THOROUGH else 60_000)
    arrays = np.array([tables.tp, tables.fp, tables.fn, tables.tn])
    found, _ = coverage(rs.Counts(*arrays[:, (arrays == 0).any(axis=0)]), truth, name)
    assert found >= 0.88


def test_no_interval_leaves_its_range_or_has_no_width():
    """Over random tables, perfect ones and ones with empty cells among them; by default and by the delta method."""
    samples = 100_000 if THOROUGH else 2_000
    rng = np.random.default_rng(2)
    cells = np.floor(rng.lognormal(rng.uniform(0, 8, (4, samples)), 2.0))
    cells[rng.random((4, samples)) < 0.2] = 0
    cells[1:3, : samples // 10] = 0  # perfect
    cells[::3, samples // 10 : samples // 5] = 0  # always wrong
    counts = rs.Counts(*cells)
    for row in OF_TABLES:
        for method in {row.intervals[0], "delta"}:
            found = counts.interval(row.name, method=method)
            there = ~np.isnan(found.low)
            low, high, estimate = found.low[there], found.high[there], found.estimate[there]
            assert (low >= row.low).all(), (row.name, method)
            assert (high <= row.high).all(), (row.name, method)
            assert (low < high).all(), (row.name, method)
            slack = 1e-12 * np.abs(estimate)
            assert (low <= estimate + slack).all(), (row.name, method)
            assert (estimate <= high + slack).all(), (row.name, method)
            reasons = found.why or (None,) * samples
            assert [why is None for why in reasons] == there.tolist(), (row.name, method)


def test_what_was_wrong_at_the_ends():
    found = rs.Counts(tp=18, fp=0, fn=2, tn=5).interval("informedness")
    assert found.estimate == 0.9
    assert found.high < 1
    perfect = rs.ConfusionMatrix.from_counts([[50, 0], [0, 50]])
    for name in ["kappa", "balanced_accuracy", "mcc", "f1", "accuracy"]:
        found = perfect.interval(name)
        assert found.low < 0.999, name
        assert found.high == 1, name
    fleiss = perfect.interval("kappa", method="fleiss")
    assert np.isnan(fleiss.low)
    assert "no width" in fleiss.why
    three = rs.ConfusionMatrix.from_counts(np.diag([30, 40, 50]))
    for name in ["kappa", "mcc", "balanced_accuracy", "rci"]:
        found = three.interval(name)
        assert 0.7 < found.low < 0.999, name
        assert found.high == 1, name
    macro = three.interval("f1", average="macro")
    assert 0.8 < macro.low < 0.999
    assert macro.high == 1


def test_kinks_and_growth_are_refused_in_words():
    tied = rs.Counts([10, 30], [5, 5], [5, 15], [30, 30]).interval("minimum_recall", method="delta")
    assert np.isnan(tied.low[1]) == bool(tied.why and tied.why[1])
    least = rs.Counts(30, 10, 10, 30).interval("minimum_recall")
    assert np.isnan(least.low)
    assert "kink" in least.why
    for name, words in [
        ("tp", "grows with the number of rows"),
        ("chi_squared", "grows with the number of rows"),
        ("mcnemar_p_value", "result of a test"),
        ("kl_divergence", "slope vanishes"),
    ]:
        assert rs.index(name).intervals == ()
        with pytest.raises(rs.UnknownIndexError, match=words):
            rs.Counts(26, 8, 7, 59).interval(name)
    many = rs.ConfusionMatrix.from_counts(np.ones((51, 51), int) + np.diag(np.arange(51)))
    with pytest.raises(rs.UnknownIndexError, match="at most 2500 cells"):
        many.interval("adjusted_mutual_information")


@pytest.mark.parametrize("name", ["cen", "mcen"])
def test_confusion_entropy_of_many_cells_has_the_slopes_of_differences(name):
    rng = np.random.default_rng(7)
    cells = rng.integers(1, 9, (52, 52)) + 90 * np.eye(52)
    slopes, step = np.empty(cells.shape), 2.0**-10
    for place in np.ndindex(cells.shape):
        up, down = cells.copy(), cells.copy()
        up[place] += step
        down[place] -= step
        slopes[place] = (rs.ConfusionMatrix.from_counts(up)[name] - rs.ConfusionMatrix.from_counts(down)[name]) / (
            2 * step
        )
    variance = (cells * slopes**2).sum() - (cells * slopes).sum() ** 2 / cells.sum()
    found = rs.ConfusionMatrix.from_counts(cells.astype(int)).interval(name)
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-5)
    assert found.low < found.estimate < found.high


def test_slopes_over_many_cells():
    """Kappa of 300 classes against the closed form of Fleiss, Cohen and Everitt 1969, doi:10.1037/h0028106."""
    rng = np.random.default_rng(38)
    y = rng.integers(0, 300, 100_000)
    cm = rs.ConfusionMatrix(y, np.where(rng.random(y.size) < 0.6, y, rng.integers(0, 300, y.size)))
    p = cm.to_array() / y.size
    rows, columns, agreed = p.sum(axis=1), p.sum(axis=0), np.trace(p)
    chance = rows @ columns
    kappa = (agreed - chance) / (1 - chance)
    own = np.diag(p) @ (1 - (rows + columns) * (1 - kappa)) ** 2
    others = (p * (columns[:, None] + rows[None, :]) ** 2).sum() - np.diag(p) @ (rows + columns) ** 2
    variance = own + (1 - kappa) ** 2 * others - (kappa - chance * (1 - kappa)) ** 2
    expected = np.sqrt(variance / y.size) / (1 - chance)
    found = cm.interval("kappa")
    assert found.estimate == pytest.approx(kappa, rel=1e-12)
    assert found.standard_error == pytest.approx(expected, rel=1e-10)


def test_against_closed_forms():
    """Agresti's, Fleiss's, Katz's and Takahashi's formulas."""
    cm = rs.ConfusionMatrix.from_counts([[59, 8], [7, 26]], pos_label=1)
    accuracy = cm.interval("accuracy", method="delta")
    assert accuracy.standard_error == pytest.approx(np.sqrt(0.85 * 0.15 / 100), rel=1e-14)
    place, rise = np.log(0.85 / 0.15), accuracy.standard_error / (0.85 * 0.15)
    bounds = 1 / (1 + np.exp(-(place + np.array([-1, 1]) * 1.959963984540054 * rise)))
    assert (accuracy.low, accuracy.high) == pytest.approx(tuple(bounds), rel=1e-13)
    # Closed forms for ROCR.simple's matrix, by hand from the formulas of Wald, of Fleiss, Cohen and Everitt, and of Katz.
    rocr = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    assert rocr.interval("accuracy", method="delta").standard_error == pytest.approx(0.0252487623, abs=1e-10)
    assert rocr.interval("kappa", method="delta").standard_error == pytest.approx(0.0506552629, abs=1e-10)
    plr = rocr.interval("plr", method="delta")
    assert plr.standard_error / plr.estimate == pytest.approx(0.2346481308, abs=1e-10)
    ours = cm.interval("kappa", method="delta").standard_error
    assert ours == pytest.approx(cm.interval("kappa", method="fleiss").standard_error, rel=1e-12)
    ratio = rs.Counts(26, 8, 7, 59).interval("plr", method="delta")
    logarithm = rs.Counts(26, 8, 7, 59).interval("plr")
    assert ratio.standard_error == pytest.approx(logarithm.standard_error, rel=1e-12)
    assert (ratio.low, ratio.high) == pytest.approx((logarithm.low, logarithm.high), rel=1e-12)
    # Takahashi et al. 2022: F1 of one class in closed form. With s = 2 tp + fp + fn,
    # the variance is 4 (fn + fp) tp (fn + fp + tp) / s^4, since f1 has no part of tn.
    tp, fp, fn = 26, 8, 7
    s = 2 * tp + fp + fn
    f1 = rs.Counts(tp, fp, fn, 59).interval("f1")
    assert f1.standard_error**2 == pytest.approx(4 * tp * (fn + fp) * (tp + fn + fp) / s**4, rel=1e-12)


def numeric_error(value, cells):
    """The standard error of a function of cells from central quotients: independent of ours."""
    cells = np.asarray(cells, np.float64)
    slopes = np.zeros(cells.size)
    flat = cells.ravel()
    for place, amount in enumerate(flat):
        if amount:
            at = []
            for step in (-2, -1, 1, 2):
                moved = flat.copy()
                moved[place] += step * amount * 1e-3
                at.append(value(moved.reshape(cells.shape)))
            slopes[place] = (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * amount * 1e-3)
    return np.sqrt((flat * slopes**2).sum() - (flat * slopes).sum() ** 2 / flat.sum())


def weighted(cells):
    rows, columns = np.indices(cells.shape)
    return rs.ConfusionMatrix(rows.ravel(), columns.ravel(), sample_weight=cells.ravel(), labels=range(len(cells)))


CELLS = [[50, 7, 0], [11, 80, 9], [2, 6, 33]]


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", [1.0, 2.0, 0.5]])
@pytest.mark.parametrize("name", ["f1", "precision", "jaccard", "mcc", "cen"])
def test_averages_over_classes(name, average):
    if name == "cen" and average == "micro":
        pytest.skip("it is not a formula over counts")
    cm = rs.ConfusionMatrix.from_counts(CELLS)
    found = cm.interval(name, average=average)
    assert found.estimate == cm.value(name, average=average)
    expected = numeric_error(lambda cells: weighted(cells).value(name, average=average), CELLS)
    assert found.standard_error == pytest.approx(expected, rel=1e-6)
    assert found.low < found.estimate < found.high


def test_averages_cover():
    """Macro F1 and weighted precision of three classes, at n = 300."""
    shares = np.array([[0.25, 0.03, 0.02], [0.05, 0.35, 0.05], [0.05, 0.05, 0.15]])
    truth = weighted(shares * 1e6)
    samples = 2_000 if THOROUGH else 300
    tables = np.random.default_rng(5).multinomial(300, shares.ravel(), samples).reshape(-1, 3, 3)
    for name, average in [("f1", "macro"), ("precision", "weighted"), ("f1", "micro")]:
        true, inside = truth.value(name, average=average), 0
        for cells in tables:
            found = rs.ConfusionMatrix.from_counts(cells).interval(name, average=average)
            inside += found.low <= true <= found.high
        assert 0.91 < inside / samples < 0.985, (name, average)


def test_averages_with_a_rare_class_cover_and_say_that_it_is_rare():
    """Five classes, the rarest 1.5 % of 300 rows: by the delta method alone 71 to 86 % of the intervals cover."""
    prevalence, right = np.array([0.5, 0.25, 0.15, 0.085, 0.015]), np.array([0.9, 0.85, 0.8, 0.75, 0.6])
    others = prevalence * (1 - np.eye(5))
    shares = (others / others.sum(1, keepdims=True) * (1 - right[:, None]) + np.diag(right)) * prevalence[:, None]
    truth = weighted(shares * 1e6)
    samples = 4_000 if THOROUGH else 300
    tables = np.random.default_rng(3).multinomial(300, shares.ravel(), samples).reshape(-1, 5, 5)
    for name, options in [("precision", {"average": "macro"}), ("f1", {"average": "macro"}), ("balanced_accuracy", {})]:
        true, inside = truth.value(name, **options), 0
        for cells in tables:
            found = rs.ConfusionMatrix.from_counts(cells).interval(name, **options)
            inside += found.low <= true <= found.high
            assert "fewer than 20 rows" in found.note
        assert 0.91 < inside / samples < 0.99, (name, inside / samples)
    assert rs.ConfusionMatrix.from_counts(shares * 1e4 // 1).interval("f1", average="macro").note is None


def test_averages_join_the_intervals_of_classes():
    """Balanced accuracy: the recalls are of different rows, so the bounds are those of MOVER alone."""
    cm = rs.ConfusionMatrix.from_counts([[50, 7, 0], [11, 80, 9], [0, 0, 4]])
    each, found = cm.every_interval("recall"), cm.interval("balanced_accuracy")
    low = found.estimate - np.sqrt(np.square(each.estimate - each.low).sum()) / 3
    high = found.estimate + np.sqrt(np.square(each.high - each.estimate).sum()) / 3
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    macro = cm.interval("recall", average="macro")
    assert (macro.low, macro.high) == pytest.approx((low, high), rel=1e-9)
    never = rs.ConfusionMatrix.from_counts([[50, 7, 0], [11, 80, 0], [1, 3, 0]]).interval("precision", average="macro")
    assert never.high > never.estimate + 1 / 3  # the precision of the third class may be anything


@pytest.mark.parametrize("name", ["mcc", "kappa", "rci", "goodman_kruskal_gamma", "mean_cost", "adjusted_rand_index"])
def test_whole_matrices(name):
    cm = rs.ConfusionMatrix.from_counts(CELLS)
    found = cm.interval(name)
    if name != "adjusted_rand_index":  # it reads whole rows
        expected = numeric_error(lambda cells: weighted(cells)[name], CELLS)
        assert found.standard_error == pytest.approx(expected, rel=1e-6)
    assert found.estimate == cm[name]
    assert found.low < found.estimate < found.high


def test_each_class():
    cm = rs.ConfusionMatrix.from_counts(CELLS)
    for name in ["f1", "mcc", "cen", "recall"]:
        found = cm.every_interval(name)
        np.testing.assert_array_equal(found.estimate, cm.every(name))
        assert (found.low < found.estimate).all()
        assert (found.estimate < found.high).all()
        expected = [
            numeric_error(lambda cells, k=k, name=name: weighted(cells).every(name)[k], CELLS) for k in range(3)
        ]
        np.testing.assert_allclose(found.standard_error, expected, rtol=1e-6)
    absent = rs.ConfusionMatrix.from_counts([[3, 1, 0], [1, 4, 0], [0, 0, 0]]).every_interval("f1")
    assert absent.why[2] is not None
    assert absent.why[0] is None


def test_several_names_give_a_table():
    cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    table = cm.interval(["f1", "mcc", "accuracy"], level=0.9)
    assert table.columns == ("index", "estimate", "low", "high", "standard_error", "method")
    for name, estimate, low, high, error, method in table:
        one = cm.interval(name, level=0.9)
        assert (estimate, low, high, error, method) == (
            one.estimate,
            one.low,
            one.high,
            one.standard_error,
            one.method,
        )
    tied = rs.ConfusionMatrix.from_counts([[40, 10], [10, 40]]).interval(["f1", "minimum_recall"])
    assert tied.columns[-1] == "why"
    assert [row[-1] is None for row in tied] == [True, False]
    averages = rs.ConfusionMatrix.from_counts(CELLS).interval(["f1", "recall"], average="macro")
    assert [row[0] for row in averages] == ["f1", "recall"]
    for wrong in [1, {"f1": 1}, b"f1"]:
        with pytest.raises(rs.InputTypeError, match="name"):
            cm.interval(wrong)
    with pytest.raises(rs.InputError, match="average"):
        cm.interval("f1", average="median")


def test_parameters_and_definitions():
    counts = rs.Counts([26, 30], [8, 9], [7, 1], [59, 60])
    for name, given in [("fbeta", {"beta": 2}), ("net_benefit", {"threshold": 0.2}), ("mean_cost", {"fp": 1, "fn": 5})]:
        found = counts.interval(name, **given)
        np.testing.assert_array_equal(found.estimate, counts.value(name, **given))
        assert (found.low < found.estimate).all()
    rs.define_index("delta_f2", "5 * tp / (5 * tp + 4 * fn + fp)", low=0, high=1)
    rs.define_index("delta_logs", "ln(precision) - ln(recall)", low=-np.inf, high=np.inf)
    rs.define_index("delta_amount", "2 * tp + fp", low=0, high=np.inf)
    try:
        ours, theirs = counts.interval("delta_f2"), counts.interval("fbeta", beta=2)
        np.testing.assert_allclose(ours.low, theirs.low, rtol=1e-12)
        np.testing.assert_allclose(ours.high, theirs.high, rtol=1e-12)
        assert rs.index("delta_f2").intervals == ("delta",)
        expected = numeric_error(lambda cells: float(rs.Counts(*cells)["delta_logs"]), [26, 8, 7, 59])
        assert counts.interval("delta_logs").standard_error[0] == pytest.approx(expected, rel=1e-8)
        amount = counts.interval("delta_amount")
        assert np.isnan(amount.low).all()
        assert "grows with the number of rows" in amount.why[0]
    finally:
        for name in ["delta_f2", "delta_logs", "delta_amount"]:
            rs.undefine_index(name)


def test_evaluations_and_thresholds():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 300)
    scores = {name: labels * 0.3 + rng.random(300) * 0.8 for name in ("a", "b")}
    ev = rs.evaluate(labels, scores)
    found = ev.interval("f1")
    assert set(found) == {"a", "b"}
    for name, each in found.items():
        assert each.low < ev.models[name].value("f1") < each.high
    at = rs.ScoreTable(labels, scores["a"]).at(0.5).interval("mcc")
    assert float(at.low) < float(at.estimate) < float(at.high)
    shown = ev.summary(["f1", "recall"], interval=True)
    assert shown.columns == ("index", "a", "a low", "a high", "b", "b low", "b high")
    assert next(iter(shown))[2] == found["a"].low
    one = rs.evaluate(labels, scores["a"]).summary(["f1", "tp"], interval=True)
    assert one.columns == ("index", "value", "low", "high")
    assert list(one)[1][2] is None
    several = rs.evaluate(rng.integers(0, 3, 300), y_pred=rng.integers(0, 3, 300))
    macro = several.interval("f1")
    assert macro.estimate == several["f1"]


def test_one_side_is_tighter():
    counts = rs.Counts(26, 8, 7, 59)
    both = counts.interval("mcc", level=0.9)
    lower, upper = (counts.interval("mcc", level=0.95, side=side) for side in ("lower", "upper"))
    assert (lower.low, upper.high) == pytest.approx((both.low, both.high), rel=1e-13)
    assert (lower.high, upper.low) == (1, -1)


def test_extreme_tables():
    """Counts near 2^60, weights below 1, and no rows: an interval, or words."""
    for cells in [(2.0**60, 2.0**59, 2.0**58, 2.0**60), (0.25, 0.125, 0.5, 1.0), (0, 0, 0, 0), (1, 0, 0, 0)]:
        counts = rs.Counts(*cells)
        for row in OF_TABLES:
            found = counts.interval(row.name, method="delta")
            assert np.isnan(found.low) == (found.why is not None), (row.name, cells)
            if found.why is None:
                assert row.low <= found.low < found.high <= row.high, (row.name, cells)

"""Costs that differ by row: sums of amounts beside counts, against rows one by one in fractions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import rocksteady as rs

EXAMPLES = Path(__file__).parents[2] / "examples"
OUTCOMES = ("tp", "fp", "fn", "tn")

# The example of `savings_score` and `cost_loss` in costcla 0.6: columns fp, fn; a correct prediction costs nothing.
COSTCLA = {"fp": [4, 1, 2, 2], "fn": [1, 3, 3, 1]}


def costs_of_row(costs, row):
    unit = {"tp": 0.0, "fp": 1.0, "fn": 1.0, "tn": 0.0}
    given = {**unit, **costs}
    return {name: float(cost if np.ndim(cost) == 0 else cost[row]) for name, cost in given.items()}


def naive(actual, is_positive, costs, weights=None):
    """The sum for each outcome, in fractions; a weighted amount is rounded to a float64."""
    sums = dict.fromkeys(OUTCOMES, Fraction(0))
    for row, (y, positive) in enumerate(zip(actual, is_positive, strict=True)):
        outcome = ("tp" if positive else "fn") if y else ("fp" if positive else "tn")
        cost = costs_of_row(costs, row)[outcome]
        weight = 1.0 if weights is None else float(weights[row])
        of_row = np.ndim(costs.get(outcome, 0.0)) > 0
        sums[outcome] += Fraction(cost * weight) if of_row else Fraction(cost) * Fraction(weight)
    return sums


def columns(rng, n):
    """Costs by outcome of many kinds: numbers, counts, money, either sign, zeros, and sizes far apart."""

    def one():
        kind = rng.integers(0, 6)
        if kind == 0:
            return float(rng.integers(-3, 4))
        if kind == 1:
            return rng.integers(0, 5, n)
        if kind == 2:
            return np.round(rng.lognormal(3, 2, n), 2)
        if kind == 3:
            return rng.normal(size=n)
        if kind == 4:
            return np.zeros(n)
        return rng.normal(size=n) * 10.0 ** rng.integers(-250, 250, n)

    return {name: one() for name in OUTCOMES if rng.random() < 0.8}


def part(costs, rows):
    return {name: cost if np.ndim(cost) == 0 else cost[rows] for name, cost in costs.items()}


# Predicted labels ------------------------------------------------------------------------------------------------------


def test_the_example_of_costcla():
    counts = rs.CostCounts([0, 1, 1, 0], [0, 1, 0, 0], costs=COSTCLA)
    assert (counts["cost"], counts["total_cost"], counts["mean_cost"], counts["savings"]) == (3.0, 3.0, 0.75, 0.5)
    assert (counts.always, counts.never) == (6.0, 6.0)
    assert counts.costs == {"tp": 0.0, "fp": 0.0, "fn": 3.0, "tn": 0.0}
    assert counts.exact("savings") == Fraction(1, 2)


@pytest.mark.parametrize("seed", range(60))
def test_predicted_labels_cost_what_their_rows_cost(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    actual, predicted = rng.integers(0, 2, n), rng.integers(0, 2, n)
    costs, weights = columns(rng, n), rng.integers(0, 4, n) / 4 if seed % 2 else None
    if weights is not None:
        weights[0] = 1.0
    counts = rs.CostCounts(actual, predicted, costs=costs, sample_weight=weights, pos_label=1)
    sums = naive(actual, predicted == 1, costs, weights)
    assert counts.costs == {name: float(total) for name, total in sums.items()}
    assert counts.exact("cost") == sum(sums.values())
    ones = np.ones(n) if weights is None else weights
    for name, is_it in (("always", np.ones(n, bool)), ("never", np.zeros(n, bool))):
        assert getattr(counts, name) == float(sum(naive(actual, is_it, costs, weights).values()))
    assert counts["mean_cost"] == float(sum(sums.values()) / Fraction(float(ones.sum())))
    plain = rs.ConfusionMatrix(actual, predicted, sample_weight=weights, labels=[0, 1])
    assert counts.counts() == rs.Counts(*(plain.to_array()[i][j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0))))


def test_numbers_cost_what_the_index_of_counts_says():
    rng = np.random.default_rng(0)
    actual, predicted = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    costs = {"tp": 2.5, "fp": 1.1, "fn": 7, "tn": -0.3}
    matrix, counts = rs.ConfusionMatrix(actual, predicted), rs.CostCounts(actual, predicted, costs=costs)
    for name in ("cost", "mean_cost", "savings"):
        assert counts[name] == matrix.value(name, **costs)
    assert rs.CostCounts(actual, predicted, costs=[[-0.3, 1.1], [7, 2.5]]) == counts


def test_savings_are_undefined_where_a_constant_prediction_costs_nothing():
    counts = rs.CostCounts([0, 0, 1], [0, 1, 0], costs={"fn": [5, 5, 0.0], "fp": 1})
    assert np.isnan(counts["savings"])
    assert counts.why("savings").startswith("To predict one class always")
    assert counts.why("cost") is None
    with pytest.raises(rs.InputError, match="has a value here"):
        counts.exact("savings")


def test_text_labels_and_the_positive_class():
    actual, predicted = ["no", "yes", "yes", "no"], ["yes", "yes", "no", "no"]
    counts = rs.CostCounts(actual, predicted, costs={"fp": [7, 0, 0, 1], "fn": [9, 9, 4, 9]})
    assert (counts.labels, counts["cost"]) == (("no", "yes"), 11.0)
    turned = rs.CostCounts(actual, predicted, costs={"fn": [7, 0, 0, 1], "fp": [9, 9, 4, 9]}, pos_label="no")
    assert (turned.labels, turned["cost"]) == (("yes", "no"), 11.0)
    with pytest.raises(rs.InputError, match=r"y_pred\[2\]"):
        rs.CostCounts([0, 1, 1], [0, 1, 2], costs=COSTCLA | {"fp": [1, 1, 1], "fn": [1, 1, 1]})


# Thresholds ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(80))
def test_every_threshold_costs_what_its_rows_cost(seed):
    rng = np.random.default_rng(1000 + seed)
    n = int(rng.integers(2, 70))
    actual = rng.integers(0, 2, n)
    scores = rng.integers(0, rng.integers(2, 30), n) / 8
    if seed % 3 == 0:
        scores = rng.normal(size=n) * 10.0 ** rng.integers(-200, 200, n)
    costs, weights = columns(rng, n), rng.integers(1, 9, n) / 8 if seed % 2 else None
    table = rs.CostTable(actual, scores, costs=costs, sample_weight=weights, pos_label=1)
    expected = [sum(naive(actual, scores >= t, costs, weights).values()) for t in table.thresholds]
    assert table.every("cost").tolist() == [float(cost) for cost in expected]
    assert np.array_equal(table.counts()["recall"], table.ranking().counts()["recall"], equal_nan=True)
    least = min(expected)
    cheapest = sorted(t for t, cost in zip(table.thresholds.tolist(), expected, strict=True) if cost == least)
    best = table.best(all=True)
    assert [one.threshold for one in best] == cheapest
    assert table.best() == best[0]
    assert table.best().ties == len(cheapest)
    for place in (0, len(table) // 2, len(table)):
        at = table.at(table.thresholds[place])
        assert at.exact("cost") == expected[place]
        assert (at.always, at.never) == (table.always, table.never)
        saved = at["savings"]
        assert table.every("savings")[place] == pytest.approx(saved, rel=1e-9, abs=1e-9, nan_ok=True)
    assert (table.always, table.never) == (float(expected[-1]), float(expected[0]))


@pytest.mark.parametrize("seed", range(40))
def test_tables_add_up_to_that_of_all_rows(seed):
    rng = np.random.default_rng(2000 + seed)
    n = int(rng.integers(2, 80))
    actual, scores = rng.integers(0, 2, n), np.round(rng.normal(size=n), seed % 3)
    costs, weights = columns(rng, n), rng.random(n) if seed % 2 else None
    order = rng.permutation(n)
    whole = rs.CostTable(actual, scores, costs=costs, sample_weight=weights, pos_label=1)
    cuts = np.split(order, np.sort(rng.integers(1, n, 2)))
    parts = [
        rs.CostTable(
            actual[rows], scores[rows], costs=part(costs, rows), pos_label=1,
            sample_weight=None if weights is None else weights[rows],
        )
        for rows in cuts
        if len(rows)
    ]  # fmt: skip
    assert sum(parts) == whole
    assert sum(reversed(parts)) == whole
    assert whole - parts[-1] == sum(parts[:-1], parts[-1] - parts[-1])
    threshold = float(np.median(scores))
    assert sum(table.at(threshold) for table in parts).to_bytes() == whole.at(threshold).to_bytes()


def test_many_rows_on_several_threads():
    rng = np.random.default_rng(3)
    n = 200_000
    actual, scores = rng.integers(0, 2, n), np.round(rng.random(n), 4)
    costs = {"fn": np.round(rng.lognormal(4, 1, n), 2), "fp": 5}
    before = rs.get_threads()
    tables = []
    for threads in (1, 3):
        rs.set_threads(threads)
        tables.append(rs.CostTable(actual, scores, costs=costs))
    rs.set_threads(before)
    assert tables[0] == tables[1]
    halves = [slice(0, n // 2), slice(n // 2, n)]
    assert sum(rs.CostTable(actual[h], scores[h], costs=part(costs, h)) for h in halves) == tables[0]
    threshold = tables[0].best().threshold
    predicted = scores >= threshold
    expected = Fraction(5) * int((predicted & (actual == 0)).sum()) + sum(
        map(Fraction, costs["fn"][~predicted & (actual == 1)].tolist())
    )
    assert tables[0].best().value == float(expected)
    assert rs.CostCounts(actual, predicted.astype(int), costs=costs).exact("cost") == expected


def test_scores_that_are_missing_or_infinite():
    costs = {"fn": [10.0, 20.0, 30.0, 40.0], "fp": 1}
    table = rs.CostTable([1, 0, 1, 1], [0.5, np.nan, 0.2, np.nan], costs=costs, nan_policy="worst")
    # Nothing can be predicted positive below 0.2, so the last row is missed.
    assert table.best() == (0.2, 40.0, 2.0, 0.0, 1.0, 1.0)
    assert rs.CostTable([1, 0, 1, 1], [0.5, np.nan, 0.2, 0.1], costs=costs, nan_policy="omit").rows == 3
    assert np.isfinite(rs.CostTable([1, 0], [np.inf, 0.2], costs={"fn": [1, 2]}, infinite="allow").best().value)


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_columns_of_frames(frame):
    module = pytest.importorskip(frame)
    amounts = [1.0, 3.0, 3.0, 1.0]
    column = (
        module.Series(amounts)
        if frame == "pandas"
        else module.Series(values=amounts)
        if frame == "polars"
        else module.array(amounts)
    )
    counts = rs.CostCounts([0, 1, 1, 0], [0, 1, 0, 0], costs={"fp": 4, "fn": column})
    assert counts["cost"] == 3.0


# What is refused -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"fn": [1.0, np.nan, 2.0]}, r"costs\['fn'\]\[1\] is (NaN|nan); expected a finite number"),
        ({"fn": [1.0, 2.0, np.inf]}, r"costs\['fn'\]\[2\] is inf; expected a finite number"),
        ({"fp": [1.0, 2.0]}, r"costs\['fp'\] has 2 rows; expected 3"),
        ({"miss": 3}, "costs is 'miss'"),
        ({"fn": np.nan}, r"costs\['fn'\] is nan"),
        ([[0, 1]], "a matrix of 2 by 2"),
    ],
)
def test_costs_that_are_none(costs, message):
    with pytest.raises(rs.InputError, match=message):
        rs.CostTable([0, 1, 1], [0.1, 0.2, 0.3], costs=costs)
    with pytest.raises(rs.InputError, match=message):
        rs.CostCounts([0, 1, 1], [0, 1, 1], costs=costs)


def test_text_is_no_cost():
    with pytest.raises(rs.InputTypeError, match=r"costs\['fn'\]"):
        rs.CostTable([0, 1, 1], [0.1, 0.2, 0.3], costs={"fn": ["a", "b", "c"]})


def test_amounts_beyond_the_range_of_floats():
    with pytest.raises(rs.InputError, match=r"costs\['fn'\]\[1\] is 10+…; expected a number whose product"):
        rs.CostTable([0, 1], [0.1, 0.2], costs={"fn": [1, 1e308]}, sample_weight=[1, 1e10])
    table = rs.CostTable([1] * 4 + [0], range(5), costs={"fn": [1e308] * 4 + [0]})
    assert table.never == np.inf
    assert table.at(0.5).exact("cost") == Fraction(1e308) + 1


def test_tables_with_other_costs_are_not_added():
    def table(costs):
        return rs.CostTable([0, 1], [0.1, 0.2], costs=costs)

    with pytest.raises(rs.InputError, match="fp costs 5 a row in one and 6 a row in the other"):
        table({"fp": 5}) + table({"fp": 6})
    with pytest.raises(rs.InputError, match="fn costs an amount for each row in one and 1 a row in the other"):
        table({"fn": [1, 2]}) + table({})


def test_a_table_has_no_value_without_a_threshold():
    table = rs.CostTable([0, 1], [0.1, 0.2], costs={})
    with pytest.raises(rs.InputError, match="expected a threshold first"):
        table["cost"]
    with pytest.raises(rs.UnknownIndexError, match="is not an index of costs by row"):
        table.every("recall")
    with pytest.raises(rs.InputError, match="expected no parameters"):
        table.at(0.1).value("cost", fp=3)


# Bayes minimum risk ----------------------------------------------------------------------------------------------------


def test_the_cheaper_prediction_of_each_row():
    rng = np.random.default_rng(5)
    n = 5000
    p = rng.integers(0, 9, n) / 8
    costs = {name: rng.integers(-3, 6, n).astype(float) for name in OUTCOMES}
    costs["fn"][:50] = costs["tp"][:50] = costs["fp"][:50] = costs["tn"][:50] = 0.0  # whatever is predicted
    decided = rs.costs.bayes_decision(p, costs)
    # Sums of eighths are exact.
    assert np.array_equal(decided, p * (costs["fn"] - costs["tp"]) > (1 - p) * (costs["fp"] - costs["tn"]))
    risk = rs.costs.bayes_risk(p, costs)
    assert np.array_equal(risk[:, 1], p * costs["tp"] + (1 - p) * costs["fp"])
    assert np.array_equal(risk[:, 0], p * costs["fn"] + (1 - p) * costs["tn"])
    rejected = rs.costs.bayes_decision(p, costs, reject_cost=0.5)
    assert np.array_equal(rejected == -1, risk.min(axis=1) > 0.5)
    assert np.array_equal(rs.costs.bayes_decision(np.column_stack([1 - p, p]), costs), decided)


def test_the_same_costs_for_all_rows_decide_alike():
    p = np.linspace(0, 1, 1001)
    for costs in ({"fp": 1.0, "fn": 4.0}, {"fp": 3.0, "fn": 3.0, "tp": -1.0}):
        by_row = {name: np.full(len(p), cost) for name, cost in costs.items()}
        assert np.array_equal(rs.costs.bayes_decision(p, by_row), rs.costs.bayes_decision(p, costs))
        assert np.array_equal(rs.costs.bayes_risk(p, by_row), rs.costs.bayes_risk(p, costs))
    named = rs.costs.bayes_decision([0.1, 0.9], {"fn": [1, 1]}, labels=["keep", "block"])
    assert named.tolist() == ["keep", "block"]


def test_what_is_no_probability_or_cost_is_refused_by_row():
    with pytest.raises(rs.InputError, match=r"y_proba\[1\] is 1.5"):
        rs.costs.bayes_decision([0.1, 1.5], {"fn": [1, 1]})
    with pytest.raises(rs.InputError, match=r"costs\['fn'\]\[1\]"):
        rs.costs.bayes_risk([0.1, 0.5], {"fn": [1, np.nan]})
    with pytest.raises(rs.InputError, match=r"costs\['fn'\] has 3 rows; expected 2"):
        rs.costs.bayes_risk([0.1, 0.5], {"fn": [1, 2, 3]})
    with pytest.raises(rs.InputError, match="one column or two"):
        rs.costs.bayes_risk(np.full((2, 3), 1 / 3), {"fn": [1, 2]})


# Expected maximum profit -----------------------------------------------------------------------------------------------


def greatest(counts, gain, waste):
    """The greatest mean profit over all thresholds, and the least share of rows that reaches it."""
    rows = counts.tp[0] + counts.fp[0] + counts.fn[0] + counts.tn[0]
    profits = (gain * counts.tp - waste * counts.fp) / rows
    best = profits.max()
    shares = (counts.tp + counts.fp)[profits >= best - 1e-15] / rows
    return best, shares.min()


@pytest.mark.parametrize("seed", range(6))
def test_expected_maximum_profit_is_the_mean_of_the_greatest(seed):
    rng = np.random.default_rng(seed)
    actual = rng.integers(0, 2, 150)
    scores = np.round(actual * (seed % 3) + rng.normal(size=150), 1)
    table = rs.ScoreTable(actual, scores)
    counts = table.counts()
    steps = 4000
    x = (np.arange(steps) + 0.5) / steps
    p0, p1, roi = (0.55, 0.1, 0.2644) if seed % 2 else (0.2, 0.5, 0.1)
    found = np.array([greatest(counts, loss, roi) for loss in x])
    inner = found.mean(axis=0) * (1 - p0 - p1) + p1 * np.array(greatest(counts, 1.0, roi))
    given = {"p0": p0, "p1": p1, "roi": roi}
    assert table.value("emp_credit", **given) == pytest.approx(inner[0], abs=1e-6)
    assert table.value("emp_credit_fraction", **given) == pytest.approx(inner[1], abs=1e-3)
    alpha, beta, clv, d, f = 6, 14, 200, 10, 1
    density = x ** (alpha - 1) * (1 - x) ** (beta - 1)
    found = np.array([greatest(counts, chance * (clv - d) - f, d + f) for chance in x])
    expected = (found * density[:, None]).sum(axis=0) / density.sum()
    assert table["emp_churn"] == pytest.approx(expected[0], abs=1e-4)
    assert table["emp_churn_fraction"] == pytest.approx(expected[1], abs=1e-3)


def test_point_masses_of_credit_scoring():
    table = rs.ScoreTable([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1])
    # All defaults lose everything: half of the loans are refused, which saves all of them.
    assert table.value("empcs", p0=0, p1=1) == 0.5
    assert table.value("empcs_fraction", p0=0, p1=1) == 0.5
    # None loses anything: nothing is refused, although refusing the defaults would be free.
    assert table.value("empcs", p0=1, p1=0) == 0.0
    assert table.value("empcs_fraction", p0=1, p1=0) == 0.0
    assert table.why("empcs", p0=0.6, p1=0.6) is not None
    assert table.why("empc", d=300) is not None
    assert rs.ScoreTable([1, 1], [0.1, 0.2]).why("empc") == "No row is actually negative."


# Ratios of costs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_a_threshold_stays_best_within_its_cost_ratios(weighted):
    rng = np.random.default_rng(8)
    actual = rng.integers(0, 2, 300)
    scores = np.round(actual + rng.normal(size=300), 1)
    table = rs.ScoreTable(actual, scores, sample_weight=rng.integers(1, 5, 300) / 4 if weighted else None)
    for ratio in (0.05, 0.3, 1.0, 2.7, 40.0):
        best = table.best("cost", fp=2, fn=2 * ratio)
        low, high = best.cost_ratios
        assert low <= ratio <= high
        for inside in (low, high):
            if 0 < inside < np.inf:
                costs = table.every("cost", fp=1, fn=inside)
                at = np.flatnonzero(table.thresholds == best.threshold)[0]
                assert costs[at] == pytest.approx(costs.min(), rel=1e-12)
        if low > 0:
            assert table.best("cost", fp=1, fn=low * 0.999).threshold > best.threshold
        if high < np.inf:
            assert table.best("cost", fp=1, fn=high * 1.001).threshold < best.threshold
    assert "cost_ratios=(" in repr(table.best("savings", fn=3))
    assert table.best("mcc").cost_ratios is None
    assert table.best("cost", subject_to="recall > 0.5").cost_ratios is None
    assert table.best("2*tp - fp", maximize=True).cost_ratios is None
    assert table.best("cost", fp=-1).cost_ratios is None
    matrix, mapping = table.best("cost", matrix=[[0, 1], [5, 0]]), table.best("cost", costs={"fn": 5})
    assert matrix.cost_ratios == mapping.cost_ratios == table.best("cost", fn=5).cost_ratios


def spread(y, costs, always, never, weights):
    """The costs of rows under a decision and both constant ones, and their covariance over the rows."""
    mean = np.average([costs, always, never], axis=1, weights=weights)
    return mean, np.cov([costs, always, never], fweights=weights)


@pytest.mark.parametrize("seed", range(6))
def test_intervals_follow_from_what_each_row_adds(seed):
    rng = np.random.default_rng(seed)
    n = 60
    y, flagged, weights = rng.integers(0, 2, n), rng.integers(0, 2, n), rng.integers(1, 4, n)
    given = {"tp": rng.normal(1, 1, n), "fp": 2.0, "fn": rng.lognormal(1, 1, n), "tn": rng.normal(0, 0.1, n)}
    if seed % 2:
        given |= {"tp": 0.25, "fn": 3.0, "tn": 0.0}
    always, never = np.where(y, given["tp"], given["fp"]), np.where(y, given["fn"], given["tn"])
    costs = np.where(flagged, always, never)
    mean, covariance = spread(y, costs, always, never, weights)
    rows = weights.sum()
    base = 1 + int(mean[2] < mean[1])
    slopes = np.zeros(3)
    slopes[0], slopes[base] = -1 / mean[base], mean[0] / mean[base] ** 2
    expected = {
        "mean_cost": (mean[0], np.sqrt(covariance[0, 0] / rows)),
        "cost": (mean[0] * rows, np.sqrt(covariance[0, 0] * rows)),
        "savings": (1 - mean[0] / mean[base], np.sqrt(slopes @ covariance @ slopes / rows)),
    }
    counts = rs.CostCounts(y, flagged, costs=given, sample_weight=weights, squares=True)
    score = flagged * 0.5 + rng.random(n) * 0.25
    table = rs.CostTable(y, score, costs=given, sample_weight=weights, squares=True)
    for name, (value, error) in expected.items():
        low, high = scipy.stats.t(rows - 1, value, error).interval(0.9)
        for statistic in (counts, table.at(0.5)):
            found = statistic.interval(name, level=0.9)
            assert (found.estimate, found.standard_error) == pytest.approx((value, error), rel=1e-10), name
            highest = min(high, 1.0) if name == "savings" else high
            assert (found.low, found.high) == pytest.approx((low, highest), rel=1e-9), name


def test_second_moments_add_subtract_and_come_back():
    rng = np.random.default_rng(3)
    y, score, amounts = rng.integers(0, 2, 50), rng.integers(0, 9, 50) / 8, rng.lognormal(3, 1, 50)

    def made(rows, **given):
        costs = {"fn": amounts[rows], "tp": 5}
        return rs.CostTable(y[rows], score[rows], costs=costs, pos_label=1, **given)

    whole, parts = (
        made(slice(None), squares=True),
        [made(slice(0, 20), squares=True), made(slice(20, 50), squares=True)],
    )
    assert rs.merge(parts) == whole == rs.CostTable.from_bytes(whole.to_bytes())
    assert whole - parts[1] == parts[0]
    assert rs.merge(parts).at(0.5).interval("savings") == whole.at(0.5).interval("savings")
    none = made(slice(0, 0))
    assert whole + none == none + whole == whole
    plain = made(slice(0, 20))
    for lacking in (plain, plain + parts[1], parts[1] + plain):
        with pytest.raises(rs.UnknownIndexError, match="squares=True"):
            lacking.at(0.5).interval("cost")
    assert (plain + parts[1]).at(0.5)["cost"] == whole.at(0.5)["cost"]


def test_costs_that_do_not_scatter_have_no_interval():
    counts = rs.CostCounts([1, 0, 1], [1, 1, 1], costs={"tp": 2, "fp": 2})
    assert counts.interval("cost").why.startswith("All rows count alike")
    equal = rs.CostCounts([1, 0, 1, 0], [1, 0, 0, 0], costs={"fn": 1, "fp": 1})
    assert "kink" in equal.interval("savings").why
    with pytest.raises(rs.InputError, match=r"expected a threshold first: table.at\(0.5\).interval\('cost'\)"):
        rs.CostTable([1, 0], [0.5, 0.2], costs={}).interval("cost")
    with pytest.raises(rs.InputError, match="whose square is a finite number"):
        rs.CostCounts([1, 0], [1, 1], costs={"tp": [1e200, 1]}, squares=True)


@pytest.mark.parametrize("seed", range(20))
def test_the_cheapest_threshold_within_a_budget_is_that_of_a_loop(seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(2, 40))
    y, scores = rng.integers(0, 2, rows), rng.integers(0, 12, rows) / 12
    amounts = rng.integers(0, 20, rows) / 4
    table = rs.CostTable(y, scores, costs={"fp": 2, "fn": amounts}, pos_label=1)
    allowed = [
        (table.at(threshold)["cost"], threshold)
        for threshold in table.thresholds
        if (scores >= threshold).mean() <= 0.4 and (y[scores >= threshold] == 0).sum() <= 3
    ]
    least = min(cost for cost, _ in allowed)
    expected = sorted(threshold for cost, threshold in allowed if cost == least)
    found = table.best(subject_to="rpp <= 0.4 and fp <= 3", all=True)
    assert [best.threshold for best in found] == expected
    one = table.best("savings", subject_to="rpp <= 0.4 and fp <= 3")
    assert (one.threshold, one.ties) == (expected[0], len(expected))
    is_above = scores >= expected[0]
    assert (one.tp, one.fn) == ((is_above & (y == 1)).sum(), (~is_above & (y == 1)).sum())
    assert (one.fp, one.tn) == ((is_above & (y == 0)).sum(), (~is_above & (y == 0)).sum())
    free = table.best(subject_to="rpp <= 1")
    assert free == table.best()
    assert (free.ties, table.best(subject_to="rpp <= 1", all=True)) == (table.best().ties, table.best(all=True))


def test_no_threshold_within_the_budget():
    table = rs.CostTable([1, 0], [0.5, 0.2], costs={"fn": [5, 1]})
    with pytest.warns(rs.RocksteadyWarning, match="no threshold meets 'recall > 1'"):
        assert np.isnan(table.best(subject_to="recall > 1").threshold)
    with pytest.warns(rs.RocksteadyWarning):
        assert table.best(subject_to="recall > 1", all=True) == []
    with pytest.raises(rs.RocksteadyError, match="subject_to|condition"):
        table.best(subject_to="recall is high")
    assert rs.CostTable([1, 0], [7, 2], costs={}).best(subject_to="rpp <= 0.5").threshold == 7


#: The profits of examples/rocr_simple.csv by empulse 0.13.1: empa_score, its optimal_rate, empb_score and auepc_score.
ROCR = np.loadtxt(EXAMPLES / "rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
VALUE = 100 + np.arange(len(ROCR[0])) % 37 * 10.0
B2B = {"tp": 15 - 0.3 * 0.95 * VALUE, "fp": 0.05 * VALUE + 15, "fn": 0}


@pytest.mark.parametrize(
    ("given", "profit", "share"),
    [
        ({}, 3437.5000001050435, 0.999999989030304),
        (
            {"alpha": 3, "beta": 0.001, "contact_cost": 800, "sales_cost": 0.4 * 500, "commission": 0.6 * 0.2},
            607.3650391500081,
            0.4210748155559302,
        ),
    ],
)
def test_expected_profit_of_acquisition_is_that_of_empulse(given, profit, share):
    table = rs.ScoreTable(ROCR[1], ROCR[0])
    assert table.value("emp_acquisition", **given) == pytest.approx(profit, rel=1e-12)
    assert table.value("empa_fraction", **given) == pytest.approx(share, rel=1e-12)
    assert table.why("emp_acquisition", commission=1) is not None


def test_expected_profit_of_business_customers_is_that_of_empulse():
    table = rs.CostTable(ROCR[1], ROCR[0], costs=B2B)
    assert -table.best().value / table.rows == pytest.approx(23.837999999999994, rel=1e-12)
    assert rs.costs.profit_area(ROCR[1], ROCR[0], costs=B2B) == pytest.approx(0.7133421462562324, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_profit_area_is_the_mean_share_of_the_best_profit(seed):
    rng = np.random.default_rng(seed)
    rows = 40
    actual, scores = rng.integers(0, 2, rows), rng.permutation(rows).round(-(seed % 2))
    amounts = rng.uniform(1, 100, rows)
    gains = np.where(actual == 1, amounts - 5, -5.0)
    costs = {"tp": 5, "fp": 5, "fn": amounts}

    def profits(by):  # the mean over all orders of a tie
        return np.array([sum(_expected(gains, by, number)) for number in range(1, rows + 1)])

    own, best = profits(scores), np.cumsum(np.sort(gains)[::-1])
    end = int(np.argmax(best <= 0)) if (best <= 0).any() else rows
    expected = np.trapezoid(own[:end] / best[:end]) / (end - 1)
    assert rs.costs.profit_area(actual, scores, costs=costs) == pytest.approx(expected, rel=1e-12)
    assert rs.costs.profit_area(actual, gains, costs=costs) == pytest.approx(1, rel=1e-12)


def _expected(gains, scores, number):
    """What each row brings on average if so many rows are chosen from the top."""
    for score, gain in zip(scores, gains, strict=True):
        before, tied = (scores > score).sum(), (scores == score).sum()
        yield gain * min(max((number - before) / tied, 0), 1)


def test_profit_area_refuses_one_class():
    with pytest.raises(rs.InputError, match="y_true has one class; expected rows of both"):
        rs.costs.profit_area([1, 1], [0.2, 0.4], costs={"fn": [1, 2]}, pos_label=1)
    assert np.isnan(rs.costs.profit_area([1, 0], [0.2, 0.4], costs={"fp": 5, "tp": 5, "fn": [1.0, 2.0]}))

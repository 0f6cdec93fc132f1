"""The measures of AIF360: its values, naive twins, intervals of mean scores."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.fairness import MetricFrame, demographic_disparity, equalized_odds_difference, mean_prediction

# Forty rows, whose values under AIF360's names are those of AIF360 0.6.1.
GROUP = [int(c) for c in "0111001100100100110011111001000010001010"]
TRUTH = [int(c) for c in "0100000111010110100101000101011100111000"]
PREDICTED = [int(c) for c in "0111011001111111001101111011000001111100"]


def test_values_of_aif360():
    by = rs.group_by(TRUTH, PREDICTED, by=GROUP)
    apart = by.difference("average_odds", groups=(0, 1))
    assert apart.estimate == pytest.approx(-0.08441558441558444, rel=1e-12)  # average_odds_difference
    assert apart.low < apart.estimate < apart.high
    absolute = equalized_odds_difference(TRUTH, PREDICTED, sensitive_features=GROUP, agg="mean")
    assert absolute == pytest.approx(0.08441558441558444, rel=1e-12)  # average_odds_error
    table = demographic_disparity(PREDICTED, by={"group": GROUP}).rows
    sizes, disparities = (np.array([row[place] for row in table], dtype=float) for place in (1, 4))
    mean = (sizes * disparities).sum() / sizes.sum()
    assert mean == pytest.approx(0.008, rel=1e-9)  # conditional_demographic_disparity


def _benefits(y, predicted):
    return 1.0 + np.asarray(predicted, dtype=float) - np.asarray(y, dtype=float)


def test_inequality_of_benefits_row_by_row():
    rng = np.random.default_rng(0)
    for _ in range(20):
        y, predicted = rng.integers(0, 2, (2, 50))
        b = _benefits(y, predicted)
        share = b / b.mean()
        cm = rs.ConfusionMatrix(y, predicted)
        assert cm["generalized_entropy_index"] == pytest.approx((share**2 - 1).mean() / 2, rel=1e-12)
        known = share[share > 0]
        assert cm["theil_index"] == pytest.approx((known * np.log(known)).sum() / 50, rel=1e-12)


def test_intervals_of_inequality_cover():
    """400 samples of 400 rows from shares whose indices are known."""
    rng = np.random.default_rng(1)
    shares = np.array([[0.45, 0.05], [0.1, 0.4]])
    true = rs.ConfusionMatrix.from_counts((shares * 1000).round().astype(int))
    covered = {"generalized_entropy_index": 0, "theil_index": 0, "average_odds": 0}
    for _ in range(400):
        cm = rs.ConfusionMatrix.from_counts(rng.multinomial(400, shares.ravel()).reshape(2, 2))
        for name in covered:
            found = cm.interval(name)
            covered[name] += found.low <= true[name] <= found.high
    assert all(0.92 <= count / 400 <= 0.985 for count in covered.values()), covered


def _by_definition(predicted, group, stratum, weight, key):
    selected = predicted == 1
    total = 0.0
    for one in np.unique(stratum):
        own = stratum == one
        of_selected, of_rejected = weight[own & selected].sum(), weight[own & ~selected].sum()
        if not of_selected or not of_rejected:
            continue
        is_key = group == key
        apart = (
            weight[own & ~selected & is_key].sum() / of_rejected - weight[own & selected & is_key].sum() / of_selected
        )
        total += weight[own].sum() * apart
    return total / weight.sum()


@pytest.mark.parametrize("weighted", [False, True])
def test_disparity_within_strata(weighted):
    rng = np.random.default_rng(2)
    n = 300
    group, stratum = rng.choice(["a", "b", "c"], n), rng.choice(["u", "v", "w", "x"], n)
    predicted = (rng.random(n) < 0.5).astype(int)
    predicted[stratum == "w"] = 1  # all are treated alike
    group[(stratum == "x") & (group == "c")] = "a"  # a stratum without a group
    weight = rng.integers(0, 4, n) / 2 if weighted else np.ones(n)
    given = weight if weighted else None
    table = demographic_disparity(predicted, by={"g": group}, control={"s": stratum}, sample_weight=given)
    assert table.columns == ("g", "rows", "rejected_share", "selected_share", "disparity")
    assert [row[0] for row in table.rows] == ["a", "b", "c"]
    for key, rows, rejected, selected, apart in table.rows:
        assert rows == weight[group == key].sum()
        assert apart == pytest.approx(_by_definition(predicted, group, stratum, weight, key), abs=1e-12)
        assert apart == rejected - selected
    for place in (2, 3):
        assert sum(row[place] for row in table.rows) == pytest.approx(1, rel=1e-12)
    assert sum(row[4] for row in table.rows) == pytest.approx(0, abs=1e-12)
    turned = np.random.default_rng(3).permutation(n)
    columns = {"by": {"g": group[turned]}, "control": {"s": stratum[turned]}}
    again = demographic_disparity(predicted[turned], **columns, sample_weight=None if given is None else given[turned])
    assert again.rows == table.rows  # the same bits in any order


def test_disparity_of_several_columns_and_refusals():
    predicted = [1, 0, 1, 0]
    table = demographic_disparity(predicted, by={"g": ["a", "a", "b", "b"], "h": [1, 2, 1, 2]})
    assert table.columns[:2] == ("g", "h")
    assert len(table.rows) == 4
    with pytest.raises(rs.InputError, match="4"):
        demographic_disparity(predicted, by=["a", "b"])
    with pytest.raises(rs.InputError, match="4"):
        demographic_disparity(predicted, by=["a"] * 4, control=["u"] * 3)
    with pytest.raises(rs.InputError, match="y_pred"):
        demographic_disparity([1, None, 0, 1], by=["a"] * 4)


def test_mean_prediction_as_in_fairlearn():
    rng = np.random.default_rng(4)
    y, score, weight = rng.integers(0, 2, 60), rng.normal(size=60), rng.random(60)
    group = rng.choice(["a", "b"], 60)
    assert mean_prediction(y, score) == pytest.approx(score.mean(), rel=1e-12)
    assert mean_prediction(y, score, sample_weight=weight) == pytest.approx(
        np.average(score, weights=weight), rel=1e-12
    )
    assert mean_prediction(y, y) == y.mean()
    frame = MetricFrame(metrics=mean_prediction, y_true=y, y_pred=score, sensitive_features={"g": group})
    assert frame.by_group["a"] == pytest.approx(score[group == "a"].mean(), rel=1e-12)
    for wrong in ([0.1, float("nan")], [0.1, float("inf")], ["a", "b"]):
        with pytest.raises(rs.RocksteadyError) as refused:
            mean_prediction([0, 1], wrong)
        assert refused.value.argument == "y_pred"


def test_mean_scores_need_not_be_probabilities():
    rng = np.random.default_rng(5)
    y, score = rng.integers(0, 2, 200), rng.normal(3, 2, 200)
    table = rs.ScoreTable(y, score)
    found = table.interval("mean_score")
    assert found.estimate == pytest.approx(score.mean(), rel=1e-12)
    assert found.standard_error == pytest.approx(score.std(ddof=1) / np.sqrt(200), rel=1e-9)
    assert np.isnan(rs.ScoreTable([0, 1], [np.inf, 0.0], infinite="allow")["mean_score"])
    both = rs.inference.compare_scores(y, {"a": score, "b": score[::-1] + 0.5}, index="mean_score").difference("a", "b")
    apart = score - score[::-1] - 0.5
    assert both.estimate == pytest.approx(apart.mean(), rel=1e-9)
    assert both.standard_error == pytest.approx(apart.std(ddof=1) / np.sqrt(200), rel=1e-9)

"""Costs that differ by row in an evaluation: what `CostTable` and `CostCounts` say of the same rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocksteady as rs

ROWS = 600


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(11)
    risk = rng.beta(0.6, 6, ROWS)
    return {
        "fraud": (rng.random(ROWS) < risk).astype(int),
        "risk": risk,
        "other": np.clip(risk + rng.normal(0, 0.05, ROWS), 0, 1),
        "amount": rng.lognormal(4, 1, ROWS).round(2),
        "weight": rng.integers(0, 3, ROWS),
        "user": rng.integers(0, 80, ROWS),
    }


def costs_of(rows):
    return {"tp": 5, "fp": 5, "fn": rows["amount"]}


def models_of(rows):
    return {"risk": rows["risk"], "other": rows["other"]}


@pytest.mark.parametrize("weighted", [False, True])
def test_indices_are_those_of_the_cost_table(rows, weighted):
    weights = rows["weight"] if weighted else None
    ev = rs.evaluate(
        rows["fraud"], models_of(rows), costs=costs_of(rows), sample_weight=weights, threshold=0.1, inference=True
    )
    for name, scores in models_of(rows).items():
        table = rs.CostTable(rows["fraud"], scores, costs=costs_of(rows), sample_weight=weights, squares=True)
        at = table.at(0.1)
        for index in ("cost", "mean_cost", "savings"):
            assert ev[index][name] == at[index]
            assert ev.models[name].best(index) == table.best(index)
        assert ev.models[name].best("cost", subject_to="rpp <= 0.1") == table.best(subject_to="rpp <= 0.1")
        for index in ("mean_cost", "savings"):
            own, expected = ev.models[name].interval(index), at.interval(index)
            assert (own.low, own.high) == (expected.low, expected.high)


def test_predicted_classes_cost_what_they_cost(rows):
    flagged = (rows["risk"] > 0.1).astype(int)
    ev = rs.evaluate(rows["fraud"], y_pred=flagged, costs=costs_of(rows))
    counts = rs.CostCounts(rows["fraud"], flagged, costs=costs_of(rows))
    assert (ev["cost"], ev["savings"]) == (counts["cost"], counts["savings"])
    both = rs.evaluate(rows["fraud"], rows["risk"], y_pred=flagged, costs=costs_of(rows))
    assert both["cost"] == counts["cost"]
    with pytest.raises(rs.InputError, match="the costs are of the predicted classes; rs.CostTable has every threshold"):
        both.best("cost")
    assert both.why_no_best("cost").startswith("There is none")


def test_influence_and_difference_are_those_of_the_rows(rows):
    """A mean of amounts has the influence (amount - mean) / n; the difference of two is a paired t test."""
    ev = rs.evaluate(rows["fraud"], models_of(rows), costs=costs_of(rows), threshold=0.1, inference=True)
    each = {}
    for name, scores in models_of(rows).items():
        positive = scores >= 0.1
        missed = np.where(rows["fraud"] == 1, rows["amount"], 0.0)
        each[name] = np.where(positive, 5.0, missed)
        expected = (each[name] - each[name].mean()) / ROWS
        assert ev.influence("mean_cost", name) == pytest.approx(expected, abs=1e-15)
        assert ev.influence("cost", name) == pytest.approx(ROWS * expected, abs=1e-12)
        # Savings by jackknife: what a row changes, to first order.
        always, never = np.full(ROWS, 5.0), missed
        base = min(always, never, key=np.sum)
        linear = -(each[name] - each[name].mean() * base / base.mean()) / base.mean() / ROWS
        assert ev.influence("savings", name) == pytest.approx(linear, abs=1e-15)
    gaps = each["risk"] - each["other"]
    found = ev.difference("mean_cost", "risk", "other")
    assert found.estimate == pytest.approx(gaps.mean(), rel=1e-12)
    assert found.standard_error == pytest.approx(gaps.std(ddof=1) / ROWS**0.5, rel=1e-9)


def test_clusters_are_heeded(rows):
    ev = rs.evaluate(
        rows["fraud"], rows["risk"], costs=costs_of(rows), threshold=0.1, inference=True, cluster=rows["user"]
    )
    positive = rows["risk"] >= 0.1
    each = np.where(positive, 5.0, np.where(rows["fraud"] == 1, rows["amount"], 0.0))
    sums = np.bincount(rows["user"], each - each.mean())
    clusters = len(np.unique(rows["user"]))
    expected = np.sqrt((sums**2).sum() * clusters / (clusters - 1)) / ROWS
    assert ev.interval("mean_cost").standard_error == pytest.approx(expected, rel=1e-9)


def test_parts_add_and_bytes_read_back(rows):
    def part(place):
        own = {name: column[place] for name, column in rows.items()}
        return rs.evaluate(own["fraud"], models_of(own), costs=costs_of(own), threshold=0.1, pos_label=1)

    whole, first, second = part(slice(None)), part(slice(0, 250)), part(slice(250, None))
    merged = rs.merge([first, second])
    assert merged.digest() == whole.digest()
    assert merged["savings"] == whole["savings"]
    assert (whole - second).digest() == first.digest()
    again = rs.Evaluation.from_bytes(whole.to_bytes())
    assert again == whole
    assert again["cost"] == whole["cost"]
    assert again.to_dict()["row_costs"] == {"tp": 5.0, "fp": 5.0, "fn": None, "tn": 0.0}
    without = rs.evaluate(rows["fraud"], models_of(rows), threshold=0.1)
    assert without.digest() != whole.digest()
    with pytest.raises(rs.InputError, match="costs of its rows in one and none in the other"):
        whole + without
    with pytest.raises(rs.InputError, match="costs"):
        whole + rs.evaluate(rows["fraud"], models_of(rows), costs={"fn": rows["amount"]}, threshold=0.1)


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_columns_of_frames_go_by_their_names(rows, frame):
    ev = rs.evaluate(frame(rows), label="fraud", score="risk", costs={"tp": 5, "fp": 5, "fn": "amount"}, threshold=0.1)
    assert ev["cost"] == rs.CostTable(rows["fraud"], rows["risk"], costs=costs_of(rows)).at(0.1)["cost"]


def test_rows_left_out_cost_nothing(rows):
    scores = rows["risk"].copy()
    scores[[3, 77]] = np.nan
    ev = rs.evaluate(rows["fraud"], scores, costs=costs_of(rows), threshold=0.1, nan_policy="omit")
    kept = np.delete(np.arange(ROWS), [3, 77])
    own = {name: column[kept] for name, column in rows.items()}
    assert ev["cost"] == rs.CostTable(own["fraud"], own["risk"], costs=costs_of(own)).at(0.1)["cost"]


def test_indices_of_one_cost_for_each_outcome_are_refused(rows):
    ev = rs.evaluate(rows["fraud"], rows["risk"], costs=costs_of(rows), threshold=0.1)
    assert not ev.models["model"].has("normalized_cost")
    assert (
        "mean_cost" in ev.summary("all").to_dict()["index"] if isinstance(ev.summary("all").to_dict(), dict) else True
    )
    with pytest.raises(rs.UnknownIndexError, match="costs differ by row"):
        ev["normalized_cost"]
    with pytest.raises(rs.InputError, match="no parameters"):
        ev.value("cost", fp=2)
    with pytest.raises(rs.InputError, match="maximize is True"):
        ev.best("cost", maximize=True)
    with pytest.raises(rs.InputError, match="at_prevalence is of costs that are the same for all rows"):
        ev.at_prevalence(0.5)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"y_true": [0, 1, 2], "y_pred": [0, 1, 2], "costs": {"fn": [1, 2, 3]}},
            "expected a matrix, as there are 3 classes",
        ),
        ({"costs": {"fn": [1, 2]}}, r"costs\['fn'\] has 2 rows; expected 3"),
        ({"costs": {"fn": [1, 2, np.nan]}}, r"costs\['fn'\]\[2\] is NaN"),
        ({"costs": {"fn": "amount"}}, "without label="),
        ({"costs": {"miss": [1, 2, 3]}}, "costs"),
        ({"costs": {"fn": [1, 2, 3]}, "bounded": True}, "nothing with bounded=True"),
        ({"costs": {"fn": [1, 2, 3]}, "sample_weight": [1, 2, 1], "weight_kind": "sampling"}, "with a column of costs"),
    ],
)
def test_what_cannot_be_is_refused(options, said):
    given = {"y_true": [0, 1, 1], **({} if "y_pred" in options else {"y_score": [0.1, 0.2, 0.3]}), **options}
    with pytest.raises(rs.InputError, match=said):
        rs.evaluate(**given)


def test_the_report_has_the_costs_of_the_rows(rows):
    ev = rs.evaluate(rows["fraud"], models_of(rows), costs=costs_of(rows), threshold=0.1)
    text = ev.to_markdown()
    assert "a false negative its amount" in text
    best = ev.models["risk"].best("mean_cost")
    assert f"| mean_cost | {best.threshold:.6g} |" in text
    page = ev.to_html()
    assert "What the rows themselves cost" in page
    assert "Cost over the threshold" in page

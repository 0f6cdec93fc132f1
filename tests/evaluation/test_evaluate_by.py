"""`evaluate(by=)`: the groups of each model against groups counted alone, what is hidden, tables, pictures and the page."""

from __future__ import annotations

import json
import pickle
import re

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.charts.groups import MOST_CURVES, MOST_ROWS, forest_chart, forest_of, values_chart
from rocksteady.report.charts import charts

RNG = np.random.default_rng(18)
ROWS = 3_000
Y = np.where(RNG.random(ROWS) < 0.4, "spam", "ham")
S = 1 / (1 + np.exp(-(RNG.normal(size=ROWS) + (Y == "spam"))))
OLD = 1 / (1 + np.exp(-(RNG.normal(size=ROWS) + 0.5 * (Y == "spam"))))
W = RNG.integers(0, 4, ROWS) / 2
K = RNG.integers(0, 3, ROWS)
REGION = np.minimum(RNG.geometric(0.3, ROWS), 20).astype(str)
SEX = RNG.choice(["f", "m"], ROWS)


def test_groups_are_those_counted_alone():
    by = {"region": REGION, "sex": SEX}
    ev = rs.evaluate(Y, {"new": S, "old": OLD}, by=by, sample_weight=W, pos_label="spam", threshold={"old": 0.3})
    for name, scores in (("new", S), ("old", OLD)):
        cut = ev.models[name].threshold
        alone = rs.group_by(Y, y_score=scores, by=by, sample_weight=W, pos_label="spam", threshold=cut)
        assert ev.groups[name] == alone
        assert ev.groups[name].score_table() == ev.models[name].scores
        region = ev.groups[name].over("region")
        for place, key in enumerate(region.keys["region"]):
            rows = key == REGION
            own = rs.evaluate(Y[rows], scores[rows], sample_weight=W[rows], pos_label="spam", threshold=cut)
            for index in ("roc_auc", "recall", "accuracy"):
                np.testing.assert_equal(region.every(index)[place], own[index])


def test_one_model_of_predicted_classes_and_of_probabilities():
    predicted = np.where(RNG.random(ROWS) < 0.7, K, 0)
    ev = rs.evaluate(K, y_pred=predicted, by=SEX)
    assert ev.groups == rs.group_by(K, predicted, by=SEX)
    assert list(ev.group_summary().columns) == ["group", "rows", "accuracy"]
    proba = RNG.dirichlet(np.ones(3), ROWS)
    ev = rs.evaluate(K, y_proba=proba, by=SEX)
    assert ev.groups == rs.group_by(K, proba.argmax(axis=1), by=SEX)
    assert ev.groups.matrix() == ev.models["model"].confusion
    two = rs.evaluate(Y, y_proba=np.column_stack([1 - S, S]), by=SEX)
    assert two.groups == rs.group_by(Y, y_score=S, by=SEX, threshold=0.5, pos_label="spam")
    both = rs.evaluate(Y, S, y_pred=np.where(S > 0.6, "spam", "ham"), by=SEX)
    assert (
        both.groups.every("recall").tolist()
        == rs.group_by(Y, np.where(S > 0.6, "spam", "ham"), by=SEX).every("recall").tolist()
    )
    assert both.groups.every("roc_auc").tolist() == two.groups.every("roc_auc").tolist()


def test_keys_go_with_their_rows_where_rows_are_left_out_or_aligned():
    scores = S.copy()
    scores[::7] = np.nan
    ev = rs.evaluate(Y, scores, by=REGION, nan_policy="omit")
    keep = ~np.isnan(scores)
    alone = rs.group_by(Y[keep], y_score=S[keep], by=REGION[keep])
    assert (ev.groups["roc_auc"], ev.groups["recall"]) == (alone["roc_auc"], alone["recall"])
    pandas = pytest.importorskip("pandas")
    order = RNG.permutation(ROWS)
    series = pandas.Series(REGION, name="region")
    ev = rs.evaluate(pandas.Series(Y), S, by=series.iloc[order], align=True)
    assert ev.groups == rs.evaluate(pandas.Series(Y), S, by=series).groups
    missing = np.array([None, "a"], object)[RNG.integers(0, 2, ROWS)]
    assert rs.evaluate(Y, S, by=missing).group_summary().rows[-1][0] is None


def test_small_groups_are_hidden_and_counted():
    ev = rs.evaluate(Y, S, by=REGION, min_rows=100)
    rows = ev.groups.sizes
    small = rows < 100
    table = ev.group_summary()
    assert len(table.rows) == (~small).sum() < len(rows)
    assert f"{small.sum()} groups of fewer than 100 rows, with {rows[small].sum()} rows in all, are hidden" in str(
        table
    )
    told = ev.to_dict()["groups"]["model"]
    assert told["hidden"] == {"groups": small.sum(), "rows": rows[small].sum()}
    assert told["groups"] == len(rows)
    assert len(told["rows"]) == len(told["indices"]["roc_auc"]) == len(told["keys"]["group"]) == len(table.rows)
    json.dumps(told)
    assert len(ev.group_summary(min_rows=0).rows) == len(rows)
    assert "hidden" not in str(ev.group_summary(min_rows=0))
    assert list(ev.group_summary("f1").columns) == ["group", "rows", "positives", "f1"]
    page = ev.to_html()
    section = page[page.index('<section id="groups"') : page.index('<section id="matrix"')]
    for place, key in enumerate(map(str, ev.groups.keys["group"])):
        assert (f'<th scope="row">{key}</th>' in section) == (not small[place])
    assert "are hidden" in ev.to_html()
    assert "are hidden" in ev.to_markdown()


def test_what_is_wrong_is_refused():
    for arguments, words in [
        ({"by": REGION, "min_rows": -1}, "min_rows"),
        ({"by": REGION, "min_rows": 1.5}, "min_rows"),
        ({"min_rows": 5}, "without by="),
        ({"by": REGION[:-1]}, "by"),
    ]:
        with pytest.raises((rs.InputError, rs.InputTypeError), match=words):
            rs.evaluate(Y, S, **arguments)
    ev = rs.evaluate(Y, S)
    for call in (lambda: ev.groups, ev.group_summary, ev.plot.groups):
        with pytest.raises(rs.InputError, match="there are no groups"):
            call()
    with pytest.raises(rs.InputError, match="one of the models"):
        rs.evaluate(Y, S, by=SEX).group_summary(model="other")
    with pytest.raises(rs.InputError, match="y_true has several labels a row"):
        rs.evaluate([[0, 1]], [[0.5, 0.2]], by=["a"])
    with pytest.raises(rs.UnknownIndexError):
        rs.evaluate(Y, S, by=SEX).group_summary("no such index")


def test_it_pickles_and_says_what_it_is():
    ev = rs.evaluate(Y, {"a": S, "b": OLD}, by={"region": REGION, "sex": SEX}, min_rows=7)
    again = pickle.loads(pickle.dumps(ev))
    assert again.groups == ev.groups
    assert again.min_rows == 7
    named = f"{len(ev.groups['a'])} groups by region × sex"
    assert named in repr(ev)
    assert repr(ev.summary()).endswith(f"{named}: see group_summary()")
    assert "groups" not in rs.evaluate(Y, S).to_dict()
    state = rs.evaluate(Y, S).__reduce_ex__(2)
    del state[2][1]["_groups"], state[2][1]["min_rows"]  # as an earlier release wrote it
    old = state[0](*state[1])
    old.__setstate__(state[2])
    assert old.min_rows == 0
    assert old.to_dict()["rows"] == ROWS


@pytest.mark.parametrize("count", [1, 2, 30, 300])
def test_the_section_and_its_charts(count):
    keys = RNG.integers(0, count, ROWS)
    ev = rs.evaluate(Y, {"a": S, "b": OLD}, by=keys)
    page = ev.to_html()
    assert '<section id="groups"' in page
    found = [chart for chart in charts(ev) if chart.key.startswith("groups")]
    kinds = {re.sub(r"_\d+$|roc\d+_\d+$", "", chart.key) for chart in found}
    assert ("groups_values" in kinds) == (count > MOST_ROWS)
    curves = [chart for chart in found if "roc" in chart.key]
    assert len(curves) == (2 * count if count <= MOST_CURVES else 0)
    forest = next(chart for chart in found if chart.key == "groups_0")
    assert len(forest.y_ticks) == min(count, MOST_ROWS)
    points = next(series for series in forest.series if series.kind == "points")
    assert (np.diff(points.x) >= 0).all()
    if count > MOST_ROWS:
        known = int((~np.isnan(ev.groups["a"].every("roc_auc"))).sum())
        assert f"{known - MOST_ROWS} are not" in forest.about
    names = [str(key) for key in np.unique(keys)]
    assert set(points.labels) <= set(names)
    values = ev.groups["a"].every("roc_auc")
    assert points.x.tolist() == [values[names.index(name)] for name in points.labels]


def test_the_ends_are_those_with_evidence():
    # A hundred groups alike, of which one of many rows is far better, and one small one seems so.
    keys, y, p = [], [], []
    for group in range(100):
        size, right = (400, 320) if group == 7 else (4, 4) if group == 8 else (60, 36)
        keys += [group] * size
        y += [1] * size
        p += [1] * right + [0] * (size - right)
    forest = forest_of(rs.group_by(y, p, by=keys, pos_label=1), "recall")
    chart = forest_chart(forest)
    shown = next(series for series in chart.series if series.kind == "points").labels
    assert "7" in shown
    assert len(shown) == MOST_ROWS
    low = forest.low[[forest.names.index("7"), forest.names.index("8")]]
    assert low[0] > low[1]
    counts = values_chart(forest).series[0].y
    assert counts.sum() == 100
    assert forest.overall == pytest.approx(np.mean(p))


@pytest.mark.parametrize("weeks", [5, 40])
def test_dates_are_in_their_order_and_the_newest_are_shown(weeks):
    week = np.datetime64("2026-01-05") + 7 * RNG.integers(0, weeks, ROWS)
    ev = rs.evaluate(Y, S, by={"week": week})
    found = [chart for chart in charts(ev) if chart.key.startswith("groups")]
    in_order = [str(date) for date in np.unique(week)]
    points = next(series for series in found[0].series if series.kind == "points")
    assert list(points.labels) == in_order[-MOST_ROWS:][::-1]  # the first at the top
    assert (np.diff(points.y) > 0).all()
    assert "in the order of time" in found[0].about
    assert (f"the {MOST_ROWS} newest are shown" in found[0].about) == (weeks > MOST_ROWS)
    assert [chart.title for chart in found if "roc" in chart.key] == (in_order if weeks <= MOST_CURVES else [])


def test_groups_without_a_value_are_counted():
    forest = forest_of(rs.group_by([0, 0, 1, 1], [0, 1, 1, 1], by=["a", "a", "b", "b"]), "recall")
    assert (forest.names, forest.undefined) == (["b"], 1)
    assert (
        "1 groups have no value" in forest_chart(forest).about or "1 group has no value" in forest_chart(forest).about
    )
    rs.evaluate([0, 0, 0], y_pred=[0, 0, 0], by=["a", "b", "c"]).to_html()
    rs.evaluate([0, 1, 0], [0.1, 0.2, 0.3], by=["a", "b", "c"]).to_html()


def test_the_drawing():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ev = rs.evaluate(Y, {"a": S, "b": OLD}, by=REGION, min_rows=30)
    display = ev.plot.groups("recall", "b", level=0.9)
    forest = forest_of(ev.groups["b"], "recall", 30, 0.9)
    assert display.points_.get_xdata().tolist() == forest.value.tolist()
    assert [line.get_xdata().tolist() for line in display.intervals_] == np.column_stack(
        [forest.low, forest.high]
    ).tolist()
    assert display.reference_line_.get_xdata()[0] == ev.models["b"]["recall"]
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == forest.names
    figure, axes = matplotlib.pyplot.subplots()
    assert ev.plot.groups(ax=axes, legend=False).figure_ is figure
    with pytest.raises(rs.InputError, match="no value in any group"):
        ev.plot.groups(min_rows=10_000)
    matplotlib.pyplot.close("all")

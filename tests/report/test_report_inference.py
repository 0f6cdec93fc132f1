"""How sure: intervals of headlines, bands around curves and differences between models, in the page and in pictures."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.charts.chart import Chart, Series
from rocksteady.charts.classes import recall_and_precision_chart
from rocksteady.charts.differences import MOST_ROWS, differences_chart, judged, plotted
from rocksteady.report.svg import svg


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(9)
    y = random.random(500) < 0.4
    scores = {name: 1 / (1 + np.exp(random.normal(0.4 - shift * y))) for name, shift in (("new", 2.0), ("old", 0.8))}
    return np.where(y, "spam", "ham"), scores


@pytest.fixture(scope="module")
def evaluation(rows):
    y, scores = rows
    return rs.evaluate(y, scores, pos_label="spam", costs={"fp": 1, "fn": 5}, inference=True)


def test_headlines_and_the_table_have_intervals(evaluation):
    page = evaluation.to_html()
    found = evaluation.models["new"].interval("roc_auc")
    words = f' <small class="bounds">{found.low:.4f} to {found.high:.4f}</small>'
    assert page.count(words) == 2  # in the headline and in the table of all indices
    assert "Small figures are 95 % confidence intervals" in page


def test_values_without_an_interval_have_none(evaluation):
    page = evaluation.to_html()
    tiles = re.findall(r'<div class="tile">(.*?)</div>', page)
    assert tiles
    assert all("bounds" in tile for tile in tiles)
    rows = [row for row in re.findall(r"<tr[^>]*>.*?</tr>", page, re.DOTALL) if 'href="#define-cost"' in row]
    assert rows
    assert not any("bounds" in row for row in rows)


def test_bars_have_whiskers_where_their_values_have_intervals(rows):
    random = np.random.default_rng(3)
    y, predicted = random.integers(0, 4, 200), random.integers(0, 3, 200)  # class 3 is never predicted
    evaluation = rs.evaluate(y, y_pred=predicted)
    page, matrix = evaluation.to_html(), evaluation.models["model"].confusion
    found = matrix.every_interval("recall")
    cells = re.findall(r'<td data-value="[^"]*" class="bar whisker" style="([^"]*)" title="([^"]*)">', page)
    of_first = f"--low:{found.low[0]:.4f};--high:{found.high[0]:.4f}"
    assert [title for style, title in cells if style.endswith(of_first)] == [
        f"{found.low[0]:.4f} to {found.high[0]:.4f}"
    ]
    # Four classes, four values each, but for those that are undefined.
    assert len(cells) == 4 * 4 - page.count('class="undefined" data-value=""')
    scored = rs.evaluate(*rows, pos_label="spam").to_html()
    rates = re.findall(r'class="bar whisker" style="--share:([^;]*);--low:([^;]*);--high:([^"]*)"', scored)
    assert len(rates) == 2 * (10 + 2 * 10)  # tenths, and bins of both kinds, of two models
    for share, low, high in np.array(rates, float):
        assert 0 <= low <= share <= high <= 1
        assert low < high


def test_few_classes_have_strokes_through_their_points():
    random = np.random.default_rng(4)
    for classes, most in ((4, True), (30, False)):
        y = random.integers(0, classes, 900)
        predicted = np.where(random.random(900) < 0.6, y, random.integers(0, classes, 900))
        matrix = rs.ConfusionMatrix(y, predicted)
        chart = recall_and_precision_chart({"model": matrix})
        kinds = [series.kind for series in chart.series]
        assert kinds == ["points", "line"][: 1 + most]
        assert ("95% confidence intervals" in chart.about) == most
    matrix = rs.ConfusionMatrix([0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    points, strokes = recall_and_precision_chart({"model": matrix}).series
    recall, precision = (matrix.every_interval(name) for name in ("recall", "precision"))
    x, y = strokes.x.reshape(-1, 6), strokes.y.reshape(-1, 6)
    place = int(np.flatnonzero(points.x == matrix.every("recall")[0])[0])
    np.testing.assert_array_equal(x[place, :2], [recall.low[0], recall.high[0]])
    np.testing.assert_array_equal(y[place, 3:5], [precision.low[0], precision.high[0]])
    assert np.isnan(y[:, [2, 5]]).all()
    assert strokes.name == points.name
    assert strokes.is_faint
    assert not strokes.labels


def test_differences_stand_in_page_and_markdown(evaluation):
    found = evaluation.difference("mcc", "new", "old")
    page, text = evaluation.to_html(), evaluation.to_markdown()
    assert '<section id="differences"' in page
    assert f"{found.low:.4f} to {found.high:.4f}" in page
    assert "new is better" in page
    assert "| mcc | new less old |" in text


def test_without_inference_there_is_no_such_section(rows):
    y, scores = rows
    plain = rs.evaluate(y, scores, pos_label="spam")
    assert 'id="differences"' not in plain.to_html()
    assert "## Differences" not in plain.to_markdown()


def test_verdicts(evaluation):
    for pair in (("new", "old"), ("old", "new")):
        assert {row.verdict for row in judged(evaluation._comparison, ["roc_auc", "mean_cost"], [pair])} == {
            "new is better"
        }
    y = [0, 0, 0, 1, 1, 1, 0, 1]
    near = rs.evaluate(y, {"a": [1, 2, 5, 4, 3, 6, 7, 8], "b": [2, 1, 5, 3, 4, 7, 6, 8]}, inference=True)
    assert judged(near._comparison, ["roc_auc"], [("a", "b")])[0].verdict == "no difference shown"
    equal = rs.evaluate(y, {"a": [1, 2, 5, 4, 3, 6, 7, 8], "b": [2, 4, 10, 8, 6, 12, 14, 16]}, inference=True)
    (row,) = judged(equal._comparison, ["roc_auc"], [("a", "b")])
    assert row.verdict == row.found.why
    assert row.found.why in differences_chart([row]).about


@pytest.fixture(scope="module")
def several():
    random = np.random.default_rng(8)
    y = random.random(300) < 0.4
    skills = {"one": 0.6, "two": 0.9, "three": 1.1, "four": 1.2, "a-name-that-is-much-too-long-for-it": 2.0}
    return rs.evaluate(y, {name: random.normal(size=300) + skill * y for name, skill in skills.items()}, inference=True)


def test_verdicts_allow_for_the_number_of_pairs(several):
    rows = judged(several._comparison, ["roc_auc"], list(combinations(several.models, 2)))
    single = np.array([row.found.p_value for row in rows])
    order = np.argsort(single)
    holm = np.minimum(np.maximum.accumulate(single[order] * np.arange(10, 0, -1)), 1)
    np.testing.assert_allclose(np.array([row.p_value for row in rows])[order], holm, rtol=1e-12)
    shown = [row.verdict != "no difference shown" for row in rows]
    assert shown == [row.p_value <= 0.05 for row in rows]
    assert sum(shown) < sum(p_value <= 0.05 for p_value in single)


def test_a_forest_plot_of_differences(several, evaluation):
    pytest.importorskip("matplotlib").use("Agg")
    rows = judged(several._comparison, ["roc_auc"], list(combinations(several.models, 2)))[::-1]  # from below
    display = several.plot.differences()
    assert display.points_.get_xdata().tolist() == [row.found.estimate for row in rows]
    drawn = [line.get_xdata().tolist() for line in display.intervals_]
    assert drawn == [[row.found.low, row.found.high] for row in rows]
    words = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    assert words[-1].startswith("one − two\np = ")
    assert sum("is better" in each for each in words) == sum(row.winner is not None for row in rows)
    assert max(len(line) for each in words for line in each.split("\n")) < 45
    assert "a-name-t…-for-it" in words[0]
    of_two = evaluation.plot.differences(level=0.9)
    assert [tick.get_text().split("\n")[0] for tick in of_two.ax_.get_yticklabels()][::-1] == [
        "Area under the ROC curve",
        "Matthews correlation coefficient",
        "F1",
        "Balanced accuracy",
        "Accuracy",
    ]
    assert of_two.intervals_[-1].get_xdata()[0] == evaluation.difference("roc_auc", "new", "old", level=0.9).low
    cost = evaluation.plot.differences(["mean_cost"], [("old", "new")])
    assert cost.ax_.get_xlabel() == "Mean misclassification cost, old minus new"
    assert "new is better" in cost.ax_.get_yticklabels()[0].get_text()


def test_many_pairs_are_drawn_by_their_p_values():
    random = np.random.default_rng(2)
    y = random.random(200) < 0.4
    scores = {f"m{place}": random.normal(size=200) + place / 5 * y for place in range(9)}
    rows = plotted(rs.evaluate(y, scores, inference=True)._comparison, None, list(combinations(scores, 2)))
    chart = differences_chart(rows)
    assert len(chart.y_ticks) == MOST_ROWS < len(rows) == 36
    drawn = {label for series in chart.series for label in series.labels}
    least = sorted(rows, key=lambda row: row.p_value)[:MOST_ROWS]
    assert drawn == {f"{row.found.first} − {row.found.second}" for row in least}
    assert "Of 36 differences the 30 with the least p-values are shown" in chart.about


def test_the_page_has_the_forest_plot(several):
    page = several.to_html()
    best = "a-name-t…-for-it"
    assert page.index('id="differences"') < page.index('id="chart-differences"') < page.index('id="threshold-explorer"')
    assert f">{best} − one</text>" in page
    assert f": {best} is better</text>" in page
    assert "Test that they are equal, adjusted" in page
    assert ">a-name-that-is-much-too-long-for-it is better</td>" in page
    assert "holm_p_value" in several.to_markdown()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"names": "roc_auk"}, "roc_auk"),
        ({"names": []}, "there is no difference to draw; expected an index and two models"),
        ({"pairs": ["one"]}, "pairs[0] is 'one'; expected two names of models"),
        ({"pairs": [("one", "six")], "names": "mcc"}, "pairs[0] is 'six'"),
        ({"pairs": []}, "pairs is empty; expected pairs of names of models"),
    ],
)
def test_differences_that_there_are_not(several, given, sentence):
    pytest.importorskip("matplotlib").use("Agg")
    with pytest.raises(rs.RocksteadyError, match=re.escape(sentence)):
        several.plot.differences(**given)


def test_curves_of_few_rows_have_bands(evaluation, rows):
    page = evaluation.to_html()
    assert '"kind":"band"' in page
    assert page == evaluation.to_html()
    y, scores = rows
    weighted = rs.evaluate(y, scores, pos_label="spam", sample_weight=np.full(len(y), 0.5))
    assert '"kind":"band"' not in weighted.to_html()


def test_a_band_in_a_browser(evaluation, report):
    page = report(evaluation)
    page.wait_for_timeout(300)
    card = page.locator("#chart-roc")
    button = card.locator("ul.legend button").first
    before = card.locator("canvas").screenshot()
    button.click()  # hides the line and its band
    page.wait_for_timeout(200)
    assert card.locator("canvas").screenshot() != before
    button.click()
    page.mouse.move(0, 0)
    page.wait_for_timeout(200)
    card.locator("details.live summary").click()
    card.locator("th", has_text="upper end of the band").first.wait_for(timeout=5_000)


def test_a_band_as_svg():
    x = np.array([0.0, 0.5, 1.0])
    band = Series("a", x, np.array([0.5, 1.0, 1.0]), 0, "band", 0, base=np.array([0.0, 0.4, 0.9]))
    line = Series("a", x, np.array([0.2, 0.7, 1.0]), 0, "line", 0)
    drawn = svg(Chart("key", "title", "about", "x", "y", (line, band), (0.0, 1.0), (0.0, 1.0)))
    shapes = re.findall(r'<path d="(M[^"]*)"[^>]*?(fill-opacity="0.16"|fill="none" stroke="var\(--series-0)', drawn)
    assert shapes[0][0].count("L") == 5  # three places on each edge, beneath the line
    assert shapes[0][0].endswith("z")
    assert "stroke" in shapes[1][1]


def test_displays_draw_bands(rows):
    pytest.importorskip("matplotlib").use("Agg")
    y, scores = rows
    ev = rs.evaluate(y, scores, pos_label="spam")
    for display in (ev.plot.roc(band=True), ev.plot.precision_recall(band="pointwise"), ev.plot.gain(band=True)):
        areas = display.ax_.collections
        assert len(areas) == 2
        assert len(display.lines_) == 2
        assert len(display.ax_.get_legend().get_texts()) == len(
            {text.get_text() for text in display.ax_.get_legend().get_texts()}
        )
    table = ev.models["new"].scores
    expected = table.band("roc", random_state=0)
    drawn = rs.plot.RocDisplay.from_tables(table, band=True).ax_.collections[0].get_paths()[0].vertices
    assert set(expected.high) <= set(drawn[:, 1])
    assert set(expected.low) <= set(drawn[:, 1])


def test_bands_that_there_are_not(rows):
    pytest.importorskip("matplotlib").use("Agg")
    y, scores = rows
    with pytest.raises(rs.InputError, match="band is True; expected False, as these curves have no band"):
        rs.plot.LiftDisplay.from_predictions(y, scores["new"], band=True)
    with pytest.raises(rs.InputError, match="band is 'wide'; expected 'simultaneous', 'pointwise' or 'campbell'"):
        rs.plot.RocDisplay.from_predictions(y, scores["new"], band="wide")
    with pytest.raises(rs.InputTypeError, match="band is 3"):
        rs.plot.RocDisplay.from_predictions(y, scores["new"], band=3)

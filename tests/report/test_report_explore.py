"""What a reader does with the report: zooms, chooses classes and thresholds, sorts a matrix, asks what an index is."""

from __future__ import annotations

import datetime as dt
import re

import numpy as np
import pytest
from test_report import agrees, many_classes, two_classes

import rocksteady as rs
from rocksteady.charts.classes import prediction_errors_chart
from rocksteady.report.charts import charts
from rocksteady.report.page import page
from rocksteady.report.svg import svg

UNIT = {"tp": 0.0, "fp": 1.0, "fn": 1.0, "tn": 0.0}


@pytest.fixture(scope="module")
def rare():
    """2 % positives, whose probabilities are mostly close to 0: the truth, the scores, and their evaluation."""
    generator = np.random.default_rng(1)
    y_true = np.arange(20_000) < 400
    logits = np.where(y_true, generator.normal(-2.3, 1.6, y_true.size), generator.normal(-4.6, 1.0, y_true.size))
    scores = 1 / (1 + np.exp(-logits))
    evaluation = rs.evaluate(np.where(y_true, "fraud", "legit"), scores, pos_label="fraud", costs={"fn": 20})
    return y_true, scores, evaluation


@pytest.fixture(scope="module")
def ten():
    return many_classes(10, 3_000)


def axes_of(opened, key):
    """The ends of both axes of a chart, in places on the axis."""
    return opened.evaluate(
        f"(() => {{ const {{ x, y }} = Chart.getChart(document.querySelector('#chart-{key} canvas')).scales;"
        " return [x.min, x.max, y.min, y.max]; })()"
    )


# -------------------------------------------------------------------------------------------------------------------- axes


def test_axes_have_nearly_all_rows_and_every_mark(rare):
    y_true, scores, evaluation = rare
    table = evaluation.models["model"].scores
    found = {chart.key: chart for chart in charts(evaluation)}
    marks = [0.5, table.ks().threshold, *(table.best(name).threshold for name in ("f1", "mcc"))]
    marks.append(table.best("cost", **{**UNIT, "fn": 20.0}).threshold)
    for key in ("score_distribution", "ks", "indices", "mean_cost"):
        chart = found[key]
        low, high = chart.x_range
        assert chart.x_scale is not None
        for of_class in (scores[y_true], scores[~y_true]):
            assert np.mean((of_class >= low) & (of_class <= high)) >= 0.995
        assert all(low <= mark <= high for mark in marks)
        for series in chart.series:
            if series.kind == "points":
                assert low <= series.x[0] <= high
    for bars in (series for series in found["score_distribution"].series if series.kind == "bars"):
        assert bars.y.sum() >= 0.995
        np.testing.assert_allclose(np.diff(found["score_distribution"].x_scale.places(bars.x), n=2), 0, atol=1e-9)
    even = {chart.key: chart for chart in charts(two_classes(rows=2_000))}
    assert {even[key].x_scale for key in ("score_distribution", "ks", "indices")} == {None}
    assert even["ks"].x_range == (0.0, 1.0)


def test_scores_of_any_size_have_an_axis_with_nearly_all():
    generator = np.random.default_rng(5)
    y_true = generator.random(4_000) < 0.3
    scores = np.clip(generator.standard_cauchy(y_true.size) * 50 + 80 * y_true, -1e6, 1e6)
    scores[:2] = -1e6, 1e6
    chart = next(each for each in charts(rs.evaluate(y_true, scores, threshold=2e5)) if each.key == "indices")
    low, high = chart.x_range
    assert low > -1e6
    assert high >= 2e5
    for of_class in (scores[y_true], scores[~y_true]):
        assert np.mean((of_class >= low) & (of_class <= high)) >= 0.995
    words = [words for _, words in chart.x_ticks]
    assert len(set(words)) == len(words) >= 4


def test_all_painters_stretch_alike(rare, report):
    """Where the threshold lies on the axis, as a share of its length."""
    plt = pytest.importorskip("matplotlib.pyplot")
    evaluation = rare[2]
    chart = next(each for each in charts(evaluation) if each.key == "ks")
    low, high, mark = chart.x_scale.places(np.array([*chart.x_range, 0.5])).tolist()
    expected = (mark - low) / (high - low)
    assert expected > 0.5  # a linear axis has it in the middle
    opened = report(evaluation)
    first, last, *_ = axes_of(opened, "ks")
    crossed = opened.evaluate(
        "Chart.getChart(document.querySelector('#chart-ks canvas')).data.datasets.at(-1).data[0].x"
    )
    assert (crossed - first) / (last - first) == pytest.approx(expected, abs=1e-6)
    stroke = next(each for each in chart.series if each.name.startswith("KS"))
    place = (float(chart.x_scale.places(stroke.x)[0]) - low) / (high - low)
    picture = svg(chart)
    left, right = (
        float(re.search(pattern, picture)[1]) for pattern in (r"M([\d.]+) 12\.0V318\.0H", r"12\.0V318\.0H([\d.]+)")
    )
    drawn = float(re.search(r'<path d="M([\d.]+) [\d.]+L\1 ', picture)[1])
    assert (drawn - left) / (right - left) == pytest.approx(place, abs=1e-3)
    display = rs.plot.KsDisplay.from_tables(evaluation.models["model"].scores)
    shown = np.array([display.ax_.transData.transform((x, 0.5))[0] for x in (*chart.x_range, float(stroke.x[0]))])
    assert (shown[2] - shown[0]) / (shown[1] - shown[0]) == pytest.approx(place, abs=0.02)
    plt.close("all")


@pytest.mark.parametrize("low", [-1e6, -3.0, 0.0, 1e-9, 0.98, 5e8])
@pytest.mark.parametrize("length", [1e-3, 1.0, 1e7])
def test_ticks_of_a_stretched_axis_are_within_and_told_apart(low, length):
    from rocksteady.charts.scale import Stretch

    stretch = Stretch(low + length / 500, length / 1000)
    ticks = stretch.ticks((low, low + length))
    places = [place for place, _ in ticks]
    assert 3 <= len(places) <= 6
    assert places == sorted(set(places))
    assert all(low <= place <= low + length for place in places)
    # Few digits: each tick is as round as its neighbours allow.
    gaps = np.diff(stretch.places(np.array(places)))
    assert gaps.max() < 0.6 * np.ptp(stretch.places(np.array([low, low + length])))


# -------------------------------------------------------------------------------------------------------------------- zoom


def test_a_drag_zooms_and_a_double_click_shows_the_whole(rare, report):
    opened = report(rare[2])
    opened.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    canvas = opened.locator("#chart-ks canvas")
    canvas.scroll_into_view_if_needed()
    whole = axes_of(opened, "ks")
    box = canvas.bounding_box()
    at = [(box["x"] + box["width"] * share, box["y"] + box["height"] * up) for share, up in ((0.3, 0.3), (0.6, 0.6))]
    expected = opened.evaluate(
        "([x, X]) => { const { x: axis } = Chart.getChart(document.querySelector('#chart-ks canvas')).scales;"
        " return [x, X].map((pixel) => axis.getValueForPixel(pixel)); }",
        [at[0][0] - box["x"], at[1][0] - box["x"]],
    )
    opened.mouse.move(*at[0])
    opened.mouse.down()
    opened.mouse.move(*at[1], steps=3)
    assert opened.locator(".lasso").count() == 1
    opened.mouse.up()
    assert opened.locator(".lasso").count() == 0
    zoomed = axes_of(opened, "ks")
    assert zoomed[:2] == pytest.approx(expected, abs=1e-6)
    assert whole[2] < zoomed[2] < zoomed[3] < whole[3]
    labels = opened.evaluate(
        "Chart.getChart(document.querySelector('#chart-ks canvas')).scales.x.ticks.map((tick) => tick.label)"
    )
    assert len(set(labels)) == len(labels) >= 3
    opened.mouse.dblclick(*at[0])
    assert axes_of(opened, "ks") == whole


def test_the_keyboard_and_buttons_zoom(report):
    opened = report(two_classes())
    opened.focus("#chart-lift .canvas")
    for key, x in (
        ("ArrowRight", (0, 1)),  # nothing to move while all is seen
        ("+", (0.25, 0.75)),
        ("ArrowRight", (0.35, 0.85)),
        ("-", (0, 1)),
        ("+", (0.25, 0.75)),
        ("0", (0, 1)),
    ):
        opened.keyboard.press(key)
        assert axes_of(opened, "lift")[:2] == pytest.approx(x)
    buttons = opened.locator("#chart-lift .zoom button")
    assert buttons.nth(2).is_disabled()
    buttons.nth(0).click()
    assert axes_of(opened, "lift")[:2] == pytest.approx((0.25, 0.75))
    buttons.nth(2).click()
    assert axes_of(opened, "lift")[:2] == pytest.approx((0, 1))


# -------------------------------------------------------------------------------------------------------- models, thresholds


def test_the_best_model_is_shown_first(report):
    evaluation = two_classes(("Baseline", "Boosted trees"))
    order = sorted(evaluation.models, key=lambda name: evaluation["roc_auc"][name])
    turned = rs.Evaluation([evaluation.models[name] for name in order])
    opened = report(turned)
    assert opened.locator("#model option:checked").text_content() == order[-1]
    assert opened.locator("#gains h3:visible").all_text_contents() == [order[-1]]
    agrees(opened, turned.models[order[-1]].scores, UNIT)
    assert f"{order[-1]} is best by Area under the ROC curve" in opened.locator(".best-model").text_content()


def test_presets_find_their_thresholds(rare, report):
    table = rare[2].models["model"].scores
    cost = {**UNIT, "fn": 20.0}
    opened = report(rare[2])
    for name in ("f1", "mcc"):
        opened.click(f"[data-jump={name}]")
        assert float(agrees(opened, table, cost)["threshold"]) == table.best(name).threshold
        assert opened.get_attribute(f"[data-jump={name}]", "aria-pressed") == "true"
    thresholds = opened.evaluate(
        "JSON.parse(document.getElementById('report-data').textContent).models[0].points.threshold"
    )
    counts = table.at(np.array([float(threshold) for threshold in thresholds]))
    for name, other, least in (("recall", "precision", 0.75), ("precision", "recall", 0.4)):
        opened.fill(f"[data-wanted={name}]", str(least))
        opened.click(f"[data-jump={name}]")
        found = agrees(opened, table, cost)
        enough = counts[name] >= least
        assert found["indices"][name] >= least
        assert found["indices"][other] == pytest.approx(np.nanmax(counts[other][enough]), rel=1e-12)
    opened.fill("[data-wanted=recall]", "0.9")
    opened.press("[data-wanted=recall]", "Enter")
    assert agrees(opened, table, cost)["indices"]["recall"] >= 0.9
    opened.fill("[data-wanted=recall]", "1.5")
    assert opened.locator("[data-jump=recall]").is_disabled()


# ---------------------------------------------------------------------------------------------------------- charts and tables


def test_charts_come_before_tables_and_long_tables_fold(rare, report):
    opened = report(rare[2])
    order = opened.evaluate("[...document.querySelectorAll('main > section')].map((section) => section.id)")
    assert order.index("charts") < order.index("matrix") < order.index("gains")
    fold = opened.locator("#summary details.fold")
    assert fold.get_attribute("open") is None
    assert not fold.locator("table").first.is_visible()
    fold.locator("summary").click()
    assert fold.locator("table").first.is_visible()
    fold.locator("summary").click()
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert fold.locator("table").first.is_visible()


def test_calibration_has_both_kinds_of_bins(rare):
    chart = {each.key: each for each in charts(rare[2])}
    keys = list(chart)
    assert keys.index("calibration_quantile") < keys.index("calibration")
    table = rare[2].models["model"].scores
    for key, strategy in (("calibration_quantile", "quantile"), ("calibration", "uniform")):
        bins = table.calibration(10, strategy=strategy)
        np.testing.assert_array_equal(chart[key].series[0].x, bins.mean_score)
        np.testing.assert_array_equal(chart[key].series[0].y, bins.observed)
    most = table.calibration(10).weight.max() / 20_000
    assert most > 0.9
    assert f"One of them has {100 * most:.0f} % of the rows" in chart["calibration"].about
    assert "equal numbers of rows" in chart["calibration_quantile"].about
    assert chart["calibration_quantile"].x_scale == chart["calibration_quantile"].y_scale is not None
    text = page(rare[2])
    assert text.index("Calibration: bins with equal numbers of rows") < text.index("Calibration: bins of equal width")
    even = {each.key: each for each in charts(two_classes(rows=2_000))}
    assert "One of them" not in even["calibration"].about
    assert even["calibration_quantile"].x_scale is None


def test_all_points_of_a_line_are_drawn(rare, ten, report):
    """Chart.js searches the points for those within the axes, and misses some where an x is no number."""
    # The axes of detection errors end where the curve goes on.
    read = """() => [...document.querySelectorAll("article:not(#chart-det) canvas")]
        .map((canvas) => Chart.getChart(canvas)).filter(Boolean).flatMap((chart) => chart.data.datasets
            .map((set, place) => [set, chart.getDatasetMeta(place)])
            .filter(([set, meta]) => !set.mark && meta.type === "line" && set.data.length)
            .map(([set, { controller }]) => [set.label, set.data.length, controller._drawStart, controller._drawCount]))"""
    for evaluation in (rare[2], ten):
        drawn = report(evaluation).evaluate(read)
        assert len(drawn) > 10
        assert [each for each in drawn if each[2:] != [0, each[1]]] == []


def test_the_head_says_what_was_counted():
    day = dt.date(2024, 5, 17)
    weights = np.full(400, 2.0)
    text = page(two_classes(sample_weight=weights), title="Spring", date=day)
    assert "<h1>Spring</h1>" in text
    assert "<dt>Date</dt><dd>2024-05-17</dd>" in text
    assert "<dt>Total weight</dt><dd>800</dd>" in text
    assert f"Made by rocksteady {rs.__version__}." in text
    assert "<dt>Date</dt><dd>May &lt;b&gt;</dd>" in page(two_classes(), date="May <b>")
    assert "<dt>Date</dt>" not in page(two_classes())
    with pytest.raises(rs.InputTypeError, match="date is 3; expected a string or a datetime.date"):
        page(two_classes(), date=3)
    assert "Rows left out" not in text
    assert "<dt>Rows left out, with missing values</dt><dd>1</dd>" in page(with_a_gap())
    assert "3 rows (1 with missing values left out) of 2 classes" in with_a_gap().to_markdown()


def with_a_gap():
    y_true, scores = [0, 1, 0, 1], [0.1, 0.9, np.nan, 0.8]
    if "rows_left_out" in rs.Evaluation.__slots__:
        return rs.evaluate(y_true, scores, nan_policy="omit")

    class Counted(rs.Evaluation):
        rows_left_out = 1

    found = rs.evaluate([0, 1, 1], [0.1, 0.9, 0.8])
    return Counted(list(found.models.values()))


def test_every_picture_of_two_classes_names_the_positive_one():
    plt = pytest.importorskip("matplotlib.pyplot")
    evaluation = two_classes(("a", "b"), costs={"fp": 1})
    for chart in charts(evaluation):
        assert chart.about.endswith("Positive class: spam.")
    figure = evaluation.plot.overview()
    for axes in figure.axes:
        assert "(positive: spam)" in axes.get_xlabel() + axes.get_ylabel() or axes.get_title() == ""
    for draw in ("lift", "det", "cost", "decision", "threshold_indices", "score_distribution"):
        axes = getattr(evaluation.plot, draw)().ax_
        assert "(positive: spam)" in axes.get_xlabel() + axes.get_ylabel(), draw
    plt.close("all")


# ------------------------------------------------------------------------------------------------------------ several classes


def test_classes_are_chosen_by_boxes(ten, report):
    opened = report(ten)
    visible = """(key) => {
        const chart = Chart.getChart(document.querySelector(`#chart-${key} canvas`));
        const shown = chart.data.datasets.filter((set, i) => set.model === 0 && chart.isDatasetVisible(i));
        return shown.map((set) => set.label.split(" (")[0]);
    }"""
    boxes = opened.locator("[data-part]")
    assert boxes.count() == 10
    scores = ten.models["model"].class_scores
    weakest = np.array(scores.labels)[np.argsort(scores.every("roc_auc"))[:6]].tolist()
    for key in ("roc_classes", "precision_recall_classes"):
        assert sorted(opened.evaluate(visible, key)) == sorted(weakest)
    opened.click("[data-choose=none]")
    assert opened.evaluate(visible, "roc_classes") == []
    box = opened.get_by_label("class 003", exact=True)
    box.focus()
    opened.keyboard.press("Space")
    for key in ("roc_classes", "precision_recall_classes"):
        assert opened.evaluate(visible, key) == ["class 003"]
    assert opened.locator("#chart-roc_classes .legend button:visible").count() == 2  # and chance
    opened.click("[data-choose=all]")
    assert len(opened.evaluate(visible, "roc_classes")) == 10
    opened.click("[data-choose=first]")
    assert sorted(opened.evaluate(visible, "roc_classes")) == sorted(weakest)


def test_a_matrix_is_sorted_and_normalised(ten, report):
    matrix = ten.models["model"].confusion
    cells, labels = matrix.to_array(), np.array(matrix.labels)
    rows, wrong = cells.sum(axis=1), cells.sum(axis=1) - np.diag(cells)
    opened = report(ten)
    read = """() => {
        const table = document.querySelector("#matrix table.matrix");
        const name = (cell) => cell.lastChild.textContent.trim();
        const both = (cell) => [Number(cell.firstChild.textContent.replace(",", "")), cell.querySelector("small").textContent];
        return [[...table.tHead.rows[0].cells].slice(1).map(name), [...table.tBodies[0].rows].map((row) => name(row.cells[0])),
            [...table.querySelectorAll("td.cell")].map(both)];
    }"""
    for by, order in (
        ("rows", np.argsort(-rows, kind="stable")),
        ("errors", np.argsort(-wrong, kind="stable")),
        ("name", np.arange(10)),
        ("labels", np.arange(10)),
    ):
        opened.select_option("[data-order]", by)
        for of in ("true", "pred", "all", "none"):
            opened.select_option("[data-normalize]", of)
            heads, sides, shown = opened.evaluate(read)
            assert heads == sides == labels[order].tolist()
            assert [count for count, _ in shown] == cells[np.ix_(order, order)].ravel().tolist()
            if of == "none":
                assert {words for _, words in shown} == {""}
                continue
            shares = 100 * matrix.normalize(of)[np.ix_(order, order)].ravel()
            assert [float(words.removesuffix(" %")) for _, words in shown] == pytest.approx(shares.tolist(), abs=0.0501)


def test_a_picture_of_a_matrix_is_sorted_too(report):
    evaluation = many_classes(20, 3_000)
    cells = evaluation.models["model"].confusion.to_array()
    order = np.argsort(-cells.sum(axis=1), kind="stable")
    opened = report(evaluation)
    frame = opened.locator("[data-picture]")
    before = opened.get_attribute("[data-picture] img", "src")
    opened.select_option("[data-order]", "rows")
    opened.select_option("[data-normalize]", "pred")
    assert opened.get_attribute("[data-picture] img", "src") != before
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    opened.mouse.move(box["x"] + box["width"] * 4.5 / 20, box["y"] + box["height"] * 3.5 / 20)
    names = [f"class {place:03}" for place in order[[3, 4]]]
    share = 100 * cells[order[3], order[4]] / cells[:, order[4]].sum()
    expected = f"Actually {names[0]}, predicted {names[1]}: {cells[order[3], order[4]]} ({share:.1f} %)"
    assert opened.locator(".read").text_content() == expected


@pytest.mark.parametrize("classes", [3, 12, 30])
def test_prediction_errors_stack_what_was_predicted(classes):
    matrix = many_classes(classes, 2_000, proba=False).models["model"].confusion
    cells = matrix.to_array()
    chart = prediction_errors_chart(matrix)
    shown = min(classes, 12)
    assert len(chart.x_ticks) == shown
    assert len(chart.series) == shown + (classes > 12)
    largest = np.sort(np.argsort(-cells.sum(axis=1), kind="stable")[:shown])
    heights = np.array([series.y - series.base for series in chart.series])
    np.testing.assert_array_equal(heights[:shown], cells[np.ix_(largest, largest)])
    np.testing.assert_array_equal(heights.sum(axis=0), cells[:, largest].sum(axis=0))
    for place, series in enumerate(chart.series[:shown]):
        assert series.base[place] == 0
    # The parts of a bar lie on one another without a gap.
    for place in range(shown):
        parts = sorted(
            (series.base[place], series.y[place]) for series in chart.series if series.y[place] > series.base[place]
        )
        assert [low for low, _ in parts] == [0, *(high for _, high in parts[:-1])]


def test_prediction_errors_are_drawn_in_the_browser(ten, report):
    cells = ten.models["model"].confusion.to_array()
    opened = report(ten)
    bars = opened.evaluate("""() => {
        const chart = Chart.getChart(document.querySelector("#chart-prediction_errors canvas"));
        const unit = chart.scales.y.getPixelForValue(0) - chart.scales.y.getPixelForValue(1);
        return chart.data.datasets.slice(0, 10).map((set, i) => chart.getDatasetMeta(i).data
            .map((bar) => [(bar.base - bar.y) / unit, 1 / unit]));
    }""")
    for place, heights in enumerate(bars):
        pixel = heights[0][1]  # on which the foot of a bar lies, so that it does not cover the axis
        assert [height for height, _ in heights] == pytest.approx([c for c in cells[place].tolist() if c], abs=pixel)
    opened.locator("#chart-prediction_errors details.live summary").click()
    first = opened.locator("#chart-prediction_errors details.live tbody tr").first
    assert first.locator("th").text_content() == "class 000, predicted class 000"
    assert first.locator("td").nth(1).text_content() == str(cells[0, 0])


# ---------------------------------------------------------------------------------------------------------- what an index is


def test_an_index_is_explained_where_it_stands(report):
    opened = report(two_classes())
    link = opened.locator(".tile a.index").first
    box = opened.locator("#explained")
    assert not box.is_visible()
    link.focus()
    opened.keyboard.press("Enter")
    assert box.is_visible()
    row = rs.index("roc_auc")
    said = box.text_content()
    for words in (row.about, row.formula, row.source):
        assert words in said
    assert opened.evaluate("document.activeElement.id") == "explained"
    opened.keyboard.press("Escape")
    assert not box.is_visible()
    assert opened.evaluate("document.activeElement.getAttribute('href')") == "#define-roc_auc"
    for place in (0, -1):
        opened.locator("a.index:visible").nth(place).click()
        at, screen = box.bounding_box(), opened.viewport_size
        assert 0 <= at["x"] <= at["x"] + at["width"] <= screen["width"]
        assert 0 <= at["y"] <= at["y"] + at["height"] <= screen["height"]
        opened.mouse.click(3, 3)
        assert not box.is_visible()


def test_without_scripts_an_index_leads_to_its_definition(report):
    opened = report(two_classes(), java_script_enabled=False)
    opened.locator(".tile a.index").first.click()
    assert opened.url.endswith("#define-roc_auc")


# --------------------------------------------------------------------------------------------------------------------- phone


@pytest.mark.parametrize("evaluation", ["two", "ten"])
def test_on_a_phone_no_column_is_cut(rare, ten, report, evaluation):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    opened = report({"two": rare[2], "ten": ten}[evaluation], **phone)
    opened.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    cut = """[...document.querySelectorAll("td, th")].filter((cell) => {
        if (!cell.checkVisibility() || cell.closest(".hidden")) return false;
        const { left, right } = cell.getBoundingClientRect();
        const scroll = cell.closest(".scroll");
        const scrolls = scroll && scroll.scrollWidth > scroll.clientWidth && getComputedStyle(scroll).overflowX === "auto";
        return (left < -1 || right > 391) && !scrolls;
    }).map((cell) => cell.textContent)"""
    assert opened.evaluate(cut) == []
    stacked = """[...document.querySelectorAll("table.stacks td")].filter((cell) => cell.checkVisibility()).map((cell) => {
        const { left, right } = cell.getBoundingClientRect();
        return [left >= 0 && right <= 390, getComputedStyle(cell, "::before").content];
    })"""
    found = opened.evaluate(stacked)
    assert len(found) > 100 or evaluation == "ten"
    assert all(inside and len(words) > 3 for inside, words in found)
    link = opened.locator(".tile a.index").first
    link.scroll_into_view_if_needed()
    link.tap()
    at = opened.locator("#explained").bounding_box()
    assert 0 <= at["x"] <= at["x"] + at["width"] <= 390

"""What the report draws and writes: charts as data, as SVG and as Markdown."""

from __future__ import annotations

import csv
import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.charts.source import MAX_POINTS
from rocksteady.report.charts import KEYS, charts
from rocksteady.report.markdown import markdown
from rocksteady.report.svg import svg, ticks, width_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('x')</script> & \"quoted\" `a|b` \x00 # *_"


def two_classes(models: dict[str, float], n: int = 2_000, rate: float = 0.2, **options):
    random = np.random.default_rng(7)
    y_true = random.random(n) < rate
    scores = {name: 1 / (1 + np.exp(-random.normal(size=n) - skill * y_true + 1.5)) for name, skill in models.items()}
    return rs.evaluate(y_true, scores, **options)


def classes(count: int, n: int = 3_000, models: int = 1, skill: float = 3.0):
    random = np.random.default_rng(5)
    labels = np.array([HOSTILE, "漢字のとても長い名前", *(f"class {place:03d}" for place in range(2, count))])
    y_true = np.arange(n) % count
    probabilities = {}
    for place in range(models):
        odds = np.exp(random.normal(size=(n, count)))
        odds[np.arange(n), y_true] *= np.exp(skill + y_true / count)
        order = np.argsort(labels[:count])
        probabilities[f"net {place}"] = (odds / odds.sum(axis=1, keepdims=True))[:, order]
    return rs.evaluate(labels[y_true], y_proba=probabilities)


def heavy_tailed():
    random = np.random.default_rng(3)
    y_true = random.random(800) < 0.05
    return rs.evaluate(
        np.where(y_true, "bad", "good"), np.exp(random.normal(0, 3, 800)), pos_label="bad", costs={"fn": 20}
    )


CASES = {
    "one model": lambda: two_classes({"model": 1.5}),
    "three models and costs": lambda: two_classes({"a": 1.0, HOSTILE: 2.0, "c": 0.0}, costs={"fp": 1, "fn": 5}),
    "eight models": lambda: two_classes({f"model {place}": place / 4 for place in range(8)}, n=200),
    "weights": lambda: rs.evaluate([0, 1, 0, 1], [0.1, 0.7, 0.4, 0.9], sample_weight=[0.5, 0.25, 2.0, 1.0]),
    "heavy tails": heavy_tailed,
    "gains as costs": lambda: two_classes({"a": 1.0, "b": 2.0}, costs={"tp": -3, "fp": 1, "tn": 0, "fn": 0}),
    "integer scores": lambda: rs.evaluate([0, 1, 0, 1, 1], [2**60, 2**60 + 1, -5, 3, 7]),
    "scores of all sizes": lambda: two_classes({"a": 1.0}, n=50, threshold=math.inf),
    "scores out of all bounds": lambda: rs.evaluate([0, 1] * 3, np.array([-1, 1, -1, 1, 0.5, 0.2]) * 1.797e308),
    "the smallest scores": lambda: rs.evaluate([0, 1] * 3, 1e-310 * np.arange(6)),
    "costs out of all bounds": lambda: two_classes({"a": 1.0, "b": 2.0}, n=50, costs={"fp": 1e300, "fn": 1e308}),
    "all costs below zero": lambda: two_classes({"a": 1.0}, n=50, costs={"tp": -4, "fp": -1, "tn": -3, "fn": -2}),
    "two rows": lambda: rs.evaluate([0, 1], [0.2, 0.7]),
    "one score": lambda: rs.evaluate([0, 1, 1], [3.0, 3.0, 3.0]),
    "positives only": lambda: rs.evaluate([1, 1], [0.2, 0.7]),
    "negatives only": lambda: rs.evaluate([0, 0], [0.2, 0.7], pos_label=1),
    "a perfect ranking": lambda: rs.evaluate([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]),
    "the wrong way round": lambda: rs.evaluate([1, 1, 0, 0], [0.1, 0.2, 0.8, 0.9]),
    "rare scores near 0": lambda: rs.evaluate([0] * 998 + [1, 1], np.linspace(0, 0.01, 1000)),
    "predictions only": lambda: rs.evaluate([0, 1, 1, 0], y_pred={"a": [0, 1, 0, 0], "b": [1, 1, 1, 0]}),
    "scores and predictions": lambda: rs.evaluate([0, 1, 1, 0], [0.1, 0.5, 0.6, 0.7], y_pred=[0, 1, 0, 0]),
    "five classes": lambda: classes(5, models=2),
    "a hundred classes": lambda: classes(100),
    "a thousand classes, predictions only": lambda: rs.evaluate(np.arange(3000) % 1000, y_pred=np.arange(3000) % 997),
    "one class": lambda: rs.evaluate([3, 3], y_pred=[3, 3]),
    "a class that is never there": lambda: rs.evaluate([0, 1, 1], y_proba=[[0.6, 0.3, 0.1]] * 3, labels=[0, 1, 2]),
}


@pytest.fixture(scope="module", params=list(CASES))
def evaluation(request):
    return CASES[request.param]()


@pytest.fixture(scope="module")
def simple():
    from pathlib import Path

    path = Path(__file__).parents[2] / "examples" / "rocr_simple.csv"
    if not path.exists():
        pytest.skip(f"there is no {path}")
    with path.open() as file:
        rows = list(csv.DictReader(file))
    return rs.evaluate([int(row["label"]) for row in rows], [float(row["score"]) for row in rows])


def by_key(evaluation):
    return {chart.key: chart for chart in charts(evaluation)}


def named(chart, start):
    return next(series for series in chart.series if series.name.startswith(start))


# --- charts -------------------------------------------------------------------------------------------------------------------


def test_charts_are_well_formed(evaluation):
    found = charts(evaluation)
    keys = [chart.key for chart in found]
    assert len(set(keys)) == len(keys)
    places = [KEYS.index(re.sub(r"_\d+$", "", key)) for key in keys]
    assert places == sorted(places)
    for chart in found:
        assert re.fullmatch(r"[a-z_]+\d*", chart.key)
        assert chart.about.endswith(".")
        assert chart.title
        for low, high in (chart.x_range, chart.y_range):
            assert math.isfinite(low)
            assert math.isfinite(high)
            assert low < high
        assert any(series.model is not None for series in chart.series)
        models = [series.model for series in chart.series]
        assert None not in models[: len([model for model in models if model is not None])], "references stand last"
        for series in chart.series:
            check_series(series, len(evaluation.models), chart.x_scale)


def check_series(series, models, x_scale):
    assert series.name.isprintable()
    assert series.x.dtype == series.y.dtype == np.float64
    assert 0 < len(series.x) == len(series.y) <= MAX_POINTS
    assert (np.isnan(series.x) == np.isnan(series.y)).all() or series.kind == "line"
    assert not np.isinf(series.x).any()
    assert not np.isinf(series.y).any()
    assert series.model is None or 0 <= series.model < models
    assert (series.style is None) == (series.model is None)
    assert series.thresholds is None or len(series.thresholds) == len(series.x)
    assert len(series.labels) in (0, len(series.x))
    if series.kind == "step":
        assert (np.diff(series.x) >= 0).all()
    if series.kind == "bars" and len(series.x) > 1:
        places = series.x if x_scale is None else x_scale.places(series.x)
        assert np.ptp(np.diff(places)) <= 1e-9 * np.ptp(places)


def test_rocr_simple_looks_as_its_paper_says(simple):
    found = by_key(simple)
    ks = named(found["ks"], "KS")
    assert ks.name == "KS = 0.6999 at 0.5015"
    assert np.ptp(ks.y) == pytest.approx(6965 / 9951, abs=1e-15)
    assert ks.x.tolist() == [simple.models["model"].scores.ks().threshold] * 2
    upper, lower = named(found["ks"], "true positive rate"), named(found["ks"], "false positive rate")
    assert (upper.y >= lower.y - 0.1).all()
    lift = named(found["lift"], "model")
    middle = (lift.x >= 0.1) & (lift.x <= 0.465)
    assert lift.y[middle].min() > 1.66
    assert lift.y[middle].max() < 1.87
    assert lift.y[-1] == 1.0
    assert (np.diff(lift.y[lift.x > 0.55]) < 0.02).all()
    gain = named(found["gain"], "model")
    assert (gain.x[-1], gain.y[-1]) == (1.0, 1.0)
    assert np.interp(0.5, gain.x, gain.y) == pytest.approx(79 / 93, abs=0.02)
    assert named(found["roc"], "model").name == "model (AUC = 0.834)"
    assert named(found["precision_recall"], "model").name == "model (AP = 0.785)"


def test_points_are_those_of_the_table():
    evaluation = two_classes({"model": 1.5}, n=30_000, costs={"fp": 1, "fn": 7})
    table = evaluation.models["model"].scores
    axes = {
        "roc": ("fpr", "recall", "model"),
        "precision_recall": ("recall", "precision", "model"),
        "gain": ("rpp", "recall", "model"),
        "lift": ("rpp", "lift", "model"),
    }
    found = by_key(evaluation)
    for key, (x, y, name) in axes.items():
        series = named(found[key], name)
        counts = table.at(series.thresholds[1:])
        assert len(series.x) > 300
        np.testing.assert_array_equal(series.x[1:], counts[x])
        np.testing.assert_array_equal(series.y[1:], counts[y])
    cost = named(found["mean_cost"], "model")
    np.testing.assert_array_equal(cost.y, table.at(cost.x).value("mean_cost", fp=1, fn=7))
    best = next(series for series in found["mean_cost"].series if series.kind == "points")
    assert best.y[0] == table.best("mean_cost", fp=1, fn=7).value <= cost.y.min()
    decision = named(found["decision"], "model")
    np.testing.assert_array_equal(decision.y, table.decision_curve(decision.x).net_benefit)


def test_the_distribution_is_of_all_rows():
    found = by_key(two_classes({"a": 1.0, "b": 2.0}))
    for key in ("score_distribution_0", "score_distribution_1"):
        for series in (each for each in found[key].series if each.kind == "bars"):
            assert series.y.sum() == pytest.approx(1.0)
            assert (series.y >= 0).all()
    assert "beyond" not in found["score_distribution_0"].about
    random = np.random.default_rng(3)
    y_true = random.random(20_000) < 0.3
    tails = by_key(rs.evaluate(y_true, random.standard_cauchy(20_000) + y_true))["score_distribution"]
    missing = float(re.search(r"(\d+) rows lie beyond", tails.about)[1])
    assert 0 < missing <= 0.005 * 20_000
    assert all(0.995 <= series.y.sum() < 1 for series in tails.series if series.kind == "bars")
    ends = by_key(rs.evaluate([0, 1, 1], [0.0, 1.0, 1.0]))["score_distribution"]
    assert (named(ends, "1 (").y[-1], named(ends, "0 (").y[0]) == (1.0, 1.0)


def test_counts_behind_the_calibration_are_of_all_rows():
    found = by_key(two_classes({"a": 1.0, "b": 2.0}, n=500))
    for series in found["calibration_counts"].series:
        assert series.y.sum() == 500


def test_where_the_predictions_put_a_model_is_a_dot():
    found = by_key(CASES["predictions only"]())
    assert list(found) == ["roc", "precision_recall"]
    dots = [(series.x.tolist(), series.y.tolist()) for series in found["roc"].series if series.kind == "points"]
    assert dots == [([0.0], [0.5]), ([0.5], [1.0])]


def test_many_classes_are_the_weakest_and_that_is_said():
    evaluation = classes(100)
    scores = evaluation.models["net 0"].class_scores
    found = by_key(evaluation)
    chart = found["roc_classes"]
    lines = [series for series in chart.series if series.model is not None and not series.is_extra]
    weakest = np.sort(scores.every("roc_auc"))[:6]
    assert sorted(float(re.search(r"AUC = (.*)\)$", line.name)[1]) for line in lines) == pytest.approx(
        weakest, abs=5e-4
    )
    assert "the 6 classes of 100 with the lowest AUC" in chart.about
    assert len(found["classes"].series[0].x) == 100
    mean = found["roc"].series[0]
    assert mean.name == f"macro average (AUC = {scores.value('roc_auc', average='macro'):.3f})"


def test_scores_next_to_one_another_have_an_axis():
    evaluation = rs.evaluate([0, 1] * 3, 1 + 2.0**-52 * np.arange(6))
    bars = named(by_key(evaluation)["score_distribution"], "1 (")
    assert (np.diff(bars.x) > 0).all()
    assert bars.y.sum() == pytest.approx(1)


def test_the_least_cost_is_that_of_the_best_threshold():
    evaluation = two_classes({"a": 1.0}, costs={"fp": 2, "fn": 5})
    best = evaluation.models["a"].scores.best("mean_cost", fp=2, fn=5)
    dot = next(series for series in by_key(evaluation)["mean_cost"].series if series.kind == "points")
    assert (dot.x[0], dot.y[0]) == (best.threshold, pytest.approx(best.value, rel=1e-15))


def test_means_of_very_many_scores_are_left_out_and_that_is_said(monkeypatch):
    evaluation = classes(5)
    assert "not drawn" not in by_key(evaluation)["roc_classes"].about
    monkeypatch.setattr("rocksteady.report.charts._CELLS", 5 * 3_000 - 1)
    found = by_key(evaluation)
    assert set(found) == {"roc_classes", "precision_recall_classes", "prediction_errors", "classes"}
    assert "means over the classes are not drawn" in found["roc_classes"].about


def test_few_classes_are_all_there():
    evaluation = classes(5, models=2)
    found = by_key(evaluation)
    assert {"roc", "roc_classes_0", "roc_classes_1", "classes", "calibration"} <= set(found)
    assert [series.name.partition(" (AUC")[0] for series in found["roc"].series] == ["net 0", "net 1", "chance"]
    assert len([series for series in found["roc_classes_1"].series if series.model == 1]) == 5
    assert "lowest" not in found["roc_classes_1"].about


def test_a_million_rows_are_drawn_like_a_thousand():
    random = np.random.default_rng(1)
    y_true = random.random(1_000_000) < 0.3
    evaluation = rs.evaluate(y_true, {"a": random.random(1_000_000) + y_true, "b": random.random(1_000_000)})
    pictures = [svg(chart) for chart in charts(evaluation)]
    assert sum(map(len, pictures)) < 250_000


# --- SVG ----------------------------------------------------------------------------------------------------------------------


def parsed(text):
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == root.get("aria-label")
    assert root.find(f"{SVG}desc").text
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "title", "desc", "path", "text", "g"}
    assert not any("id" in element.attrib for element in root.iter())
    assert "nan" not in " ".join(
        value for element in root.iter() for value in element.attrib.values() if value != HOSTILE
    )
    return root


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def test_charts_become_well_formed_pictures(evaluation):
    for chart in charts(evaluation):
        root = parsed(svg(chart))
        assert root.find(f"{SVG}title").text == chart.title
        assert root.find(f"{SVG}desc").text == chart.about
        assert chart.x_label in texts(root)
        assert chart.y_label in texts(root)


def test_a_picture_has_every_series_in_its_colour():
    chart = by_key(two_classes({"a": 1.0, "b": 2.0}))["roc"]
    root = parsed(svg(chart))
    strokes = {element.get("stroke") for element in root.iter(f"{SVG}path")}
    assert {"var(--series-0, #0072b2)", "var(--series-1, #d55e00)", "var(--series-reference, #767676)"} <= strokes
    for series in chart.series:
        assert series.name in texts(root)
    assert texts(root).count(named(chart, "a").name) == 1, "line and dot are one entry of the legend"


def test_a_line_is_where_its_points_are():
    from rocksteady.charts.chart import Chart, Series

    x, y = np.array([0.0, 0.5, np.nan, 0.5, 1.0]), np.array([0.0, 1.0, np.nan, 0.5, 0.5])
    line = Series("a", x, y, 0, "line", 0)
    steps = Series("b", x[[0, 1, 4]], y[[0, 1, 4]], 1, "step", 1)
    root = parsed(svg(Chart("roc", "t", "a.", "x", "y", (line, steps), (0.0, 1.0), (0.0, 1.0))))
    inner = root.find(f"{SVG}svg")
    straight, stepped = (path.get("d") for path in inner)
    left, bottom = map(float, straight[1:].split("L")[0].split())
    number = r"[\d.]+"
    right, top = 620.0, 12.0
    middle = f"{(left + right) / 2:.1f}"
    half = f"{(top + bottom) / 2:.1f}"
    assert re.fullmatch(f"M{number} {number}L{middle} {top}M{middle} {half}L{right} {half}", straight)
    assert stepped == f"M{left:.1f} {bottom:.1f}V{top:.1f}H{middle}V{half}H{right:.1f}"


ENDS = st.floats(-1e12, 1e12).filter(lambda value: value == 0 or abs(value) > 1e-9)


@given(ENDS, ENDS)
def test_ticks_are_round_and_within(one, other):
    low, high = min(one, other), max(one, other)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        return
    found = ticks(low, high)
    places = [place for place, _ in found]
    slack = 1e-6 * (high - low)
    assert 2 <= len(found) <= 7
    assert all(low - slack <= place <= high + slack for place in places)
    assert np.ptp(np.diff(places)) <= slack
    assert len({text for _, text in found}) == len(found)
    for place, text in found:
        assert float(text.replace(",", "")) == pytest.approx(place, abs=slack)


@pytest.mark.parametrize("low", [0.0, 0.5, 1000.0, -3e4])
def test_ticks_that_lie_close_are_told_apart(low):
    found = ticks(low, low + 1e-5)
    assert len({text for _, text in found}) == len(found) >= 2


def test_no_ticks_on_no_axis():
    assert ticks(1.0, 1.0) == ticks(0.0, math.inf) == ticks(math.nan, 1.0) == []


def test_wider_text_is_wider():
    assert width_of("") == 0
    assert width_of("漢") > width_of("m") > width_of("a") > width_of("i")


# --- Markdown -----------------------------------------------------------------------------------------------------------------


def tables(text):
    """Every table: rows of cells."""
    found, current = [], []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            current.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif current:
            found.append(current)
            current = []
    return found


def test_markdown_is_well_formed(evaluation):
    text = markdown(evaluation)
    assert text.startswith("# Evaluation\n")
    assert "<script" not in text
    assert "\x00" not in text
    found = tables(text)
    assert len(found) >= 2
    for table in found:
        assert len({len(row) for row in table}) == 1
        assert all(re.fullmatch("---:?", cell) for cell in table[1])
        assert len(table) > 2
    for line in text.split("\n"):
        assert not line.startswith("#") or re.match(
            r"# Evaluation|## (Summary|Confusion matrix|Thresholds|Deciles|Calibration|Classes)$|### ", line
        )


def test_markdown_has_a_column_for_each_model():
    evaluation = two_classes({"a": 1.0, "b|c": 2.0}, costs={"fp": 2, "fn": 5})
    text = markdown(evaluation)
    summary = tables(text)[0]
    assert summary[0] == ["index", "a", r"b\|c"]
    auc = next(row for row in summary if row[0] == "roc_auc")
    assert [float(cell) for cell in auc[1:]] == pytest.approx(list(evaluation["roc_auc"].values()), rel=1e-3)
    assert text.count("### ") == 2 * 4
    assert "a false positive 2, a false negative 5" in text
    best = next(row for table in tables(text) for row in table if row[0] == "mean_cost" and len(row) == 9)
    assert float(best[2]) == pytest.approx(evaluation.models["a"].scores.best("mean_cost", fp=2, fn=5).value, rel=1e-5)


def test_markdown_has_deciles_and_calibration(simple):
    found = {tuple(table[0][:3]): table for table in tables(markdown(simple))}
    deciles = found["band", "highest", "lowest"]
    assert [int(row[4]) for row in deciles[2:]] == [16, 17, 17, 16, 13, 0, 4, 5, 2, 3]
    assert sum(int(row[2]) for row in found["from", "to", "rows"][2:]) == 200
    assert found["actual", "0", "1"][2:] == [["0", "91", "16"], ["1", "14", "79"]]


def test_markdown_lists_the_weakest_classes_first():
    evaluation = classes(150)
    text = markdown(evaluation)
    listed = next(table for table in tables(text) if table[0][0] == "class")[2:]
    assert len(listed) == 100
    assert "The 100 weakest of 150 classes" in text
    f1 = [float(row[4]) for row in listed]
    assert f1 == sorted(f1)
    assert f1[0] == pytest.approx(evaluation.models["net 0"].confusion.every("f1").min(), abs=1e-4)
    confused = next(table for table in tables(text) if table[0] == ["actual", "predicted", "rows"])[2:]
    off = evaluation.models["net 0"].confusion.to_array().astype(int)
    np.fill_diagonal(off, 0)
    assert [int(row[2]) for row in confused] == sorted(off.ravel().tolist(), reverse=True)[:20]


# --- in a browser -------------------------------------------------------------------------------------------------------------

OVERLAPS = """() => [...document.querySelectorAll('body > svg')].flatMap(picture => {
    const frame = picture.getBoundingClientRect();
    const found = [...picture.querySelectorAll('text')].filter(text => !text.hasAttribute('transform'));
    const boxes = found.map(text => [text.textContent, text.getBoundingClientRect()]);
    const bad = boxes.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1
        || box.bottom > frame.bottom + 1).map(([text]) => `${text} sticks out`);
    boxes.forEach(([text, a], place) => boxes.slice(place + 1).forEach(([other, b]) => {
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) bad.push(`${text} over ${other}`);
    }));
    return bad;
})"""


def test_pictures_are_readable_in_a_browser(evaluation, open_page, tmp_path):
    pictures = [svg(chart) for chart in charts(evaluation)]
    path = tmp_path / "pictures.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><body>{''.join(pictures)}</body>", encoding="utf-8")
    page = open_page(path)
    assert page.evaluate("document.querySelectorAll('script').length") == 0
    assert page.evaluate("document.querySelectorAll('body > svg').length") == len(pictures)
    assert page.evaluate(OVERLAPS) == []

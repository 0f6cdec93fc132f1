"""The page of the report: small, whole, asking for nothing, safe with any text, and right wherever it is moved."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.report.data import as_json, cost_of, fewer, named_thresholds, operating_points, plain
from rocksteady.report.matrix import picture
from rocksteady.report.page import MOST_BYTES, page
from rocksteady.report.text import amount, decimal, score
from rocksteady.report.threshold_explorer import EXPLORED

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "' onmouseover='alert(4)",
    "a\u2028b\u2029c\u202ed",
    "<!--",
    "{{7*7}} ${7*7} \\u003cb\\u003e &lt;b&gt;",
    "]]><svg onload=alert(5)>",
]


def two_classes(names=("model",), rows=400, *, labels=("ham", "spam"), seed=0, **options):
    generator = np.random.default_rng(seed)
    truth = generator.random(rows) < 0.4
    y_true = np.where(truth, labels[1], labels[0])
    scores = {
        name: 1 / (1 + np.exp(1 - generator.normal(size=rows) - truth * (2.2 - 0.7 * place)))
        for place, name in enumerate(names)
    }
    return rs.evaluate(y_true, scores, pos_label=labels[1], **options)


def many_classes(classes, rows=2_000, *, names=("model",), labels=None, proba=True):
    generator = np.random.default_rng(classes)
    labels = np.array(labels or [f"class {place:03}" for place in range(classes)])
    truth = generator.integers(0, classes, rows)
    given = {}
    for name in names:
        logits = generator.normal(size=(rows, classes))
        logits[np.arange(rows), truth] += 2.5
        logits[np.arange(rows), (truth + 1) % classes] += 1
        given[name] = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    order = np.argsort(labels)
    if not proba:
        return rs.evaluate(labels[truth], y_pred={name: labels[p.argmax(axis=1)] for name, p in given.items()})
    return rs.evaluate(
        labels[truth], y_proba={name: p[:, order] for name, p in given.items()}, labels=labels[order].tolist()
    )


def predicted_only(names=("model",)):
    generator = np.random.default_rng(4)
    y_true = generator.integers(0, 2, 200)
    return rs.evaluate(
        y_true, y_pred={name: np.where(generator.random(200) < 0.8, y_true, 1 - y_true) for name in names}
    )


KINDS = {
    "one model": two_classes,
    "three models": lambda: two_classes(("Boosted trees", "Logistic", "Baseline"), costs={"fp": 1, "fn": 5}),
    "weights": lambda: two_classes(sample_weight=np.random.default_rng(1).random(400) * 3),
    "scores that are no probabilities": lambda: rs.evaluate([0, 1, 0, 1, 1], [-3.5, 2.0, 0.25, 7.0, -1.0]),
    "predicted classes": predicted_only,
    "predicted classes of two models": lambda: predicted_only(("a", "b")),
    "three classes, predicted": lambda: many_classes(3, 100, proba=False),
    "five classes": lambda: many_classes(5),
    "a hundred classes": lambda: many_classes(100, 5_000, names=("a", "b")),
    "weights beyond all measure": lambda: two_classes(sample_weight=np.random.default_rng(1).random(400) * 1e17),
    "weights of next to nothing": lambda: two_classes(sample_weight=np.random.default_rng(1).random(400) * 1e-9),
    "costs beyond all measure": lambda: two_classes(("a", "b"), costs={"fp": 1e300, "fn": 1e308}),
    "costs below zero": lambda: two_classes(costs={"fp": -1, "fn": -10, "tp": -3, "tn": -2}),
    "scores out of all bounds": lambda: rs.evaluate([0, 1] * 3, np.array([-1, 1, -1, 1, 0.5, 0.2]) * 1.797e308),
    "scores next to one another": lambda: rs.evaluate([0, 1] * 3, 1 + 2.0**-52 * np.arange(6)),
    "the smallest scores": lambda: rs.evaluate([0, 1] * 3, 1e-310 * np.arange(6)),
    "constant scores": lambda: rs.evaluate([0, 1] * 3, [7.0] * 6),
    "long names": lambda: two_classes(
        ["W" * 60, "x" * 500, "", "a b " * 30, "\u05e9\u05dc\u05d5\u05dd " * 9, *map(str, range(9))],
        labels=("n" * 99, "p" * 99),
    ),
    "many long classes": lambda: many_classes(
        15, 300, names=("m" * 99, "\u6f22" * 99), labels=[f"{place}{'W' * 99}" for place in range(15)]
    ),
    "one class only": lambda: rs.evaluate([1, 1, 1], [0.2, 0.6, 0.9]),
    "scores far apart": lambda: rs.evaluate([0, 1, 1], [1e300, -1e300, 1e-300]),
    "scores alike": lambda: rs.evaluate([0, 1, 1], [0.5, 0.5, 0.5]),
    "rows that weigh nothing": lambda: rs.evaluate([0, 1], [0.2, 0.3], sample_weight=[0, 0]),
    "a class without rows": lambda: rs.evaluate([2, 2], y_proba=[[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]], labels=[0, 1, 2]),
    "hardly a row": lambda: rs.evaluate([0, 1], [0.2, 0.6]),
    "scores of one model, classes of the other": lambda: rs.evaluate(
        [0, 1, 0, 1, 1], {"a": [0.1, 0.4, 0.45, 0.7, 0.9]}, y_pred={"b": [0, 1, 1, 1, 1]}
    ),
    "a matrix alone": lambda: rs.Evaluation(
        [rs.results.ModelEvaluation("a", rs.ConfusionMatrix.from_counts([[5, 1], [2, 9]]))]
    ),
    "never predicted": lambda: rs.evaluate([0, 1, 0], [0.1, 0.2, 0.3]),
}


@pytest.fixture(scope="module", params=KINDS)
def kind(request, tmp_path_factory):
    evaluation = KINDS[request.param]()
    document = page(evaluation)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(document, encoding="utf-8")
    return evaluation, document, path


def until(opened, expression):
    """Waits for something to hold. (playwright's own way evaluates strings within the page, which the page forbids.)"""
    for _ in range(100):
        if opened.evaluate(expression):
            return
        opened.wait_for_timeout(30)
    pytest.fail(f"never: {expression}")


class Document(HTMLParser):
    """Reads a document strictly: what is opened is closed, in order."""

    VOID = frozenset("meta link img input br hr".split())

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.declaration = [], [], ""
        self.feed(text)
        self.close()

    def handle_decl(self, declaration):
        self.declaration = declaration

    def handle_starttag(self, name, attributes):
        if name not in self.VOID:
            self.open.append(name)
        assert len({key for key, _ in attributes}) == len(attributes), (name, attributes)
        self.elements.append((name, dict(attributes)))

    def handle_startendtag(self, name, attributes):
        self.elements.append((name, dict(attributes)))

    def handle_endtag(self, name):
        assert self.open, f"</{name}> ends nothing"
        assert self.open.pop() == name, name

    def each(self, *names):
        return [attributes for name, attributes in self.elements if name in names]


# ------------------------------------------------------------------------------------------------------------ the document


def test_a_page_is_whole_and_small(kind):
    _, text, _ = kind
    assert len(text.encode()) < MOST_BYTES
    found = Document(text)
    assert found.open == []
    assert found.declaration == "doctype html"
    assert found.each("html") == [{"lang": "en"}]
    assert {"charset": "utf-8"} in found.each("meta")
    assert any(attributes.get("name") == "viewport" for attributes in found.each("meta"))
    identities = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(identities) == len(set(identities))
    for attributes in found.each("a"):
        assert attributes["href"].removeprefix("#") in identities
    for attributes in found.each("label"):
        assert attributes.get("for", identities[0]) in identities
    for _, attributes in found.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(attributes.get(name, "").split()) <= set(identities)
    for attributes in found.each("th"):
        assert attributes.get("scope") in ("row", "col")
    assert len(found.each("caption")) == len(found.each("table"))
    headings = [int(name[1]) for name, _ in found.elements if re.fullmatch("h[1-6]", name)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))


def test_a_page_names_no_other_file(kind):
    _, text, _ = kind
    found = Document(text)
    for name, attributes in found.elements:
        assert not {"srcset", "action", "formaction", "background", "ping"} & set(attributes), (name, attributes)
        assert not [key for key in attributes if key.startswith("on")], (name, attributes)
        for key in ("src", "href", "xlink:href"):
            assert re.match(r"#|data:image/png;base64,|data:,$", attributes.get(key, "#")), (name, attributes)
    policies = [
        attributes["content"]
        for attributes in found.each("meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none'; script-src 'sha256-")
    assert "http" not in policies[0]
    assert "unsafe-eval" not in policies[0]


# What of a chart's legend lies beyond its card.
CUT_OFF = """(place) => {
    const card = document.querySelectorAll("article.chart")[place];
    const right = card.getBoundingClientRect().right;
    return [...card.querySelectorAll(".legend *")].filter((e) => e.getBoundingClientRect().right > right).map((e) => e.textContent);
}"""


def test_a_page_opens_without_a_word_and_fits_any_screen(kind, open_page):
    evaluation, _, path = kind
    for width in (1280, 640, 320):  # 640: the first at twice the size
        opened = open_page(path, viewport={"width": width, "height": 800})
        opened.wait_for_selector("html.ready")
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
        charts = opened.locator("article.chart")
        assert charts.count() > 0 or evaluation.rows < 3 or not evaluation.is_binary
        for place in range(charts.count()):
            if charts.nth(place).is_visible():
                assert charts.nth(place).locator("canvas").bounding_box()["height"] > 100
                assert opened.evaluate(CUT_OFF, place) == []


# How many lines of text are above each chart that is in sight, and how much wider each table is than what it holds.
LINES = """[...document.querySelectorAll("article.chart")].filter((card) => card.offsetParent).map((card) => {
    const range = document.createRange();
    range.selectNodeContents(card.querySelector(".lead"));
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""
AIR = """[...document.querySelectorAll(".scroll")].filter((box) => box.offsetParent && !box.closest(".explorer"))
    .map((box) => box.clientWidth - box.querySelector("table").offsetWidth)"""


def test_three_lines_of_text_are_above_a_chart_and_tables_are_as_wide_as_their_numbers(kind, open_page):
    _, _, path = kind
    for width in (1280, 390):
        opened = open_page(path, viewport={"width": width, "height": 800})
        opened.wait_for_selector("html.ready")
        opened.evaluate("document.querySelectorAll('details.fold').forEach((fold) => { fold.open = true; })")
        assert max(opened.evaluate(LINES), default=0) <= 3
        if width > 640:
            assert max(opened.evaluate(AIR), default=0) <= 24  # the margin of a matrix


def test_how_to_read_a_chart_is_behind_its_first_sentences():
    from rocksteady.report.elements import about

    assert (
        about("A line. Higher is better.") == '<div class="about"><p class="lead">A line. Higher is better.</p></div>'
    )
    told = about(f"{'What it is ' * 9}of 95 % of p. {'Why it is so ' * 5}too.")
    lead, fold, rest = told.partition('<details class="how"><summary>How to read this</summary>')
    assert fold
    assert "95 % of p." in lead
    assert "Why it is so" in rest


def test_the_same_bytes_every_time():
    program = """
import sys; sys.path[:0] = [sys.argv[1], sys.argv[1] + "/.."]
import hashlib, test_report
print(*(hashlib.sha256(test_report.page(test_report.KINDS[kind]()).encode()).hexdigest() for kind in sys.argv[2:]))
"""
    kinds = ["three models", "five classes"]
    found = {
        subprocess.run(
            [sys.executable, "-c", program, os.path.dirname(__file__), *kinds],  # noqa: PTH120
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_nothing_is_looked_for_twice(monkeypatch):
    """The best thresholds read every score, and are most of what a page of many rows costs."""
    sought = []
    best = rs.ScoreTable.best

    def counted(self, name, **options):
        sought.append(name)
        return best(self, name, **options)

    monkeypatch.setattr(rs.ScoreTable, "best", counted)
    page(two_classes(costs={"fn": 5}))
    assert sorted(sought) == ["accuracy", "cost", "cost", "f1", "informedness", "mcc"]  # a chart has a cost of its own


def test_many_rows_and_many_models_make_no_large_page():
    assert len(page(two_classes(rows=300_000)).encode()) < 700_000
    assert len(page(two_classes([f"model {place}" for place in range(60)], rows=2_000)).encode()) < MOST_BYTES


def test_many_classes_are_cut_and_it_is_said():
    text = page(many_classes(400, 4_000, proba=False, names=tuple("abcdef")))
    assert len(text.encode()) < MOST_BYTES
    assert "classes with the most rows, of 400" in text


def test_a_title_is_text():
    assert "<h1>A &lt;b&gt; of &quot;c&quot;</h1>" in page(two_classes(), title='A <b>\n of "c"')
    assert "<h1>Evaluation</h1>" in page(two_classes(), title=" \n ")
    with pytest.raises(rs.InputTypeError, match=r"title is 3; expected a string"):
        page(two_classes(), title=3)


# ---------------------------------------------------------------------------------------------------------------- hostile text


@pytest.mark.parametrize(
    "evaluation",
    [
        lambda: two_classes(HOSTILE[:5], labels=(HOSTILE[0], HOSTILE[2])),
        lambda: two_classes(HOSTILE[5:], labels=(HOSTILE[1], HOSTILE[4])),
        lambda: many_classes(len(HOSTILE), labels=HOSTILE, names=HOSTILE[:2]),
        lambda: many_classes(20, labels=[f"{HOSTILE[place % 8]}{place}" for place in range(20)], names=HOSTILE[2:4]),
    ],
)
def test_hostile_names_are_only_text(report, evaluation):
    made = evaluation()
    for title in HOSTILE[1:3]:
        opened = report(made, title=title)
        said = []
        opened.on("dialog", lambda dialog, said=said: (said.append(dialog.message), dialog.dismiss()))
        opened.wait_for_selector("html.ready")
        opened.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        opened.evaluate(
            "document.querySelectorAll('canvas, td, th').forEach(e => e.dispatchEvent(new MouseEvent('mouseover')))"
        )
        opened.wait_for_timeout(50)
        assert said == []
        assert opened.locator("h1").text_content() == title
        assert opened.evaluate("document.scripts.length") == 3
        assert opened.locator("img[src=x], svg[onload]").count() == 0
    shown = opened.locator("body").inner_text()
    for name in made.models:
        expected = name if name.isprintable() else repr(name)[1:-1]
        assert expected[:20] in shown


def test_json_within_a_script_ends_nothing():
    written = as_json(HOSTILE)
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == HOSTILE
    with pytest.raises(ValueError, match="JSON compliant"):
        as_json(math.nan)


# --------------------------------------------------------------------------------------------------------- threshold explorer


def state(opened):
    """What the explorer shows, to the last bit."""
    return opened.evaluate("""() => {
        const values = (key) => Object.fromEntries(
            [...document.querySelectorAll(`.explorer [data-${key}]`)].map((e) => [e.dataset[key], Number(e.dataset.value)]));
        const data = JSON.parse(document.getElementById("report-data").textContent);
        const model = Number(document.getElementById("model")?.value ?? 0);
        const slider = document.getElementById("threshold");
        const texts = Object.fromEntries([...document.querySelectorAll(".explorer [data-count], .explorer [data-index]")].map(
            (e) => [e.dataset.count ?? e.dataset.index, (e.querySelector("span") ?? e).textContent]));
        return { counts: values("count"), indices: values("index"), texts, place: Number(slider.value), said: slider.ariaValueText,
                 threshold: String(data.models[model].points.threshold[Number(slider.value)]),
                 cheapest: document.getElementById("cheapest").dataset.value };
    }""")


def agrees(opened, table, cost):
    """Whether all that is shown is what the score table says of the threshold."""
    found = state(opened)
    counts = table.at(float(found["threshold"]))
    assert found["counts"] == {name: float(getattr(counts, name)) for name in ("tp", "fp", "fn", "tn")}
    assert set(found["indices"]) == set(EXPLORED)
    for name, value in found["indices"].items():
        expected = counts.value(name, **cost) if "cost" in name else counts[name]
        shown = math.nan if value is None else value
        assert shown == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True), (name, found["threshold"])
        written = (
            "undefined" if math.isnan(shown) else amount(float(f"{shown:.12g}")) if name == "cost" else decimal(shown)
        )
        assert found["texts"][name] == written
    for name, value in found["counts"].items():
        assert found["texts"][name] == amount(value)
    assert found["said"] == score(float(found["threshold"]))
    assert float(found["cheapest"]) == table.best("cost", **cost).threshold
    return found


UNIT = {"tp": 0.0, "fp": 1.0, "fn": 1.0, "tn": 0.0}


@pytest.mark.parametrize("rows", [150, 20_000])
def test_the_keyboard_moves_the_threshold(report, rows):
    evaluation = two_classes(rows=rows)
    table = evaluation.models["model"].scores
    opened = report(evaluation)
    before = agrees(opened, table, UNIT)
    assert float(before["threshold"]) == 0.5
    opened.focus("#threshold")
    opened.keyboard.press("ArrowRight")
    after = agrees(opened, table, UNIT)
    assert after["place"] == before["place"] + 1
    assert float(after["threshold"]) > 0.5
    assert opened.locator('[data-count="tp"] span').text_content() == f"{after['counts']['tp']:,.0f}"
    assert opened.locator('[data-index="f1"]').text_content() == f"{after['indices']['f1']:.4f}"
    opened.keyboard.press("ArrowLeft")
    assert agrees(opened, table, UNIT) == before
    opened.keyboard.press("Home")
    assert agrees(opened, table, UNIT)["counts"]["fn"] == 0
    opened.keyboard.press("End")
    assert agrees(opened, table, UNIT)["counts"]["tp"] == 0
    assert opened.locator('[data-index="precision"]').text_content() == "undefined"
    until(opened, "document.getElementById('live').textContent.includes('Threshold ∞')")


def test_nothing_is_spoken_until_something_moves(report):
    opened = report(two_classes())
    assert opened.locator("output, [aria-live]:not(p, .filter span), [role=status]:not(#live)").count() == 0
    opened.wait_for_timeout(700)
    assert opened.locator("#live").text_content() == ""
    opened.focus("#threshold-number")
    opened.keyboard.press("Tab")
    opened.wait_for_timeout(700)
    assert opened.locator("#live").text_content() == ""
    opened.focus("#threshold")
    for _ in range(3):
        opened.keyboard.press("ArrowRight")
    said = state(opened)["said"]
    until(opened, f"document.getElementById('live').textContent.startsWith('Threshold {said}:')")


def test_only_charts_in_sight_are_drawn_anew(report):
    opened = report(KINDS["three models"]())
    opened.evaluate("""() => {
        window.updated = new Set();
        document.querySelectorAll("canvas").forEach((canvas) => {
            const chart = Chart.getChart(canvas), update = chart.update.bind(chart);
            chart.update = (mode) => { updated.add(canvas.closest("article").id); update(mode); };
        });
        document.documentElement.style.scrollBehavior = "auto";
    }""")
    opened.locator("#chart-roc").scroll_into_view_if_needed()
    opened.evaluate("document.getElementById('threshold').focus({ preventScroll: true })")
    opened.keyboard.press("ArrowRight")
    until(opened, "updated.has('chart-roc')")
    assert not opened.evaluate("updated.has('chart-lift')")
    opened.locator("#chart-lift").scroll_into_view_if_needed()
    until(opened, "updated.has('chart-lift')")
    assert not opened.evaluate("updated.has('chart-indices_1')")
    opened.select_option("#model", "1")
    opened.locator("#chart-indices_1").scroll_into_view_if_needed()
    until(opened, "updated.has('chart-indices_1')")


def test_the_mouse_moves_the_threshold_and_what_is_marked(report):
    evaluation = two_classes(rows=3_000)
    table = evaluation.models["model"].scores
    opened = report(evaluation)
    slider = opened.locator("#threshold")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    opened.mouse.move(box["x"] + box["width"] / 2, middle)
    opened.mouse.down()
    seen = set()
    for share in (0.3, 0.15, 0.8):
        opened.mouse.move(box["x"] + box["width"] * share, middle, steps=3)
        found = agrees(opened, table, UNIT)
        seen.add(found["threshold"])
        counts = table.at(float(found["threshold"]))
        for key, x, y in (
            ("roc", "fpr", "recall"),
            ("precision_recall", "recall", "precision"),
            ("gain", "rpp", "recall"),
        ):
            marked = opened.evaluate(
                f"Chart.getChart(document.querySelector('#chart-{key} canvas')).data.datasets.at(-2).data"
            )
            assert marked == [{"x": pytest.approx(counts[x]), "y": pytest.approx(counts[y])}]
        crossed = opened.evaluate(
            "Chart.getChart(document.querySelector('#chart-ks canvas')).data.datasets.at(-1).data"
        )
        assert [point["x"] for point in crossed] == [float(found["threshold"])] * 2
    opened.mouse.up()
    assert len(seen) == 3


def test_every_index_is_right_at_many_thresholds(report):
    weights = np.random.default_rng(9).random(400) * 2
    for evaluation in (two_classes(), two_classes(sample_weight=weights), KINDS["scores that are no probabilities"]()):
        table = evaluation.models["model"].scores
        opened = report(evaluation)
        last = int(opened.get_attribute("#threshold", "max"))
        for place in np.unique(np.linspace(0, last, 40).astype(int)).tolist():
            opened.locator("#threshold").fill(str(place))
            agrees(opened, table, UNIT)


def test_a_number_finds_the_nearest_threshold(report):
    evaluation = two_classes(rows=20_000)
    table = evaluation.models["model"].scores
    opened = report(evaluation)
    opened.fill("#threshold-number", "0.37")
    opened.keyboard.press("Enter")
    found = agrees(opened, table, UNIT)
    assert float(found["threshold"]) == 0.37  # hundredths are all there
    opened.keyboard.press("ArrowUp")
    assert agrees(opened, table, UNIT)["place"] == found["place"] + 1
    assert float(opened.input_value("#threshold-number")) == pytest.approx(float(state(opened)["threshold"]), rel=1e-5)
    opened.fill("#threshold-number", "0.123456789")
    opened.keyboard.press("Enter")
    assert opened.input_value("#threshold-number") == agrees(opened, table, UNIT)["said"]  # not what was typed
    opened.focus("#threshold-number")
    for nonsense in ("", "1e999", "-"):
        before = state(opened)
        opened.keyboard.press("Control+A")
        opened.keyboard.press("Delete")
        opened.keyboard.type(nonsense)
        opened.keyboard.press("Enter")
        assert state(opened) == before
        assert opened.input_value("#threshold-number") == before["said"]
    opened.fill("#threshold-number", "-5")
    opened.keyboard.press("Tab")
    assert agrees(opened, table, UNIT)["place"] == 0
    for key, expected in (
        ("youden", table.best("informedness").threshold),
        ("cheapest", table.best("cost").threshold),
        ("given", 0.5),
    ):
        opened.click(f".jumps [data-jump={key}]")
        assert float(agrees(opened, table, UNIT)["threshold"]) == expected
        assert opened.get_attribute(f".jumps [data-jump={key}]", "aria-pressed") == "true"


@pytest.mark.parametrize("rows", [150, 30_000])
def test_costs_can_be_edited_and_the_cheapest_threshold_follows(report, rows):
    evaluation = two_classes(rows=rows, costs={"fp": 2, "fn": 3})
    table = evaluation.models["model"].scores
    opened = report(evaluation)
    cost = {"tp": 0.0, "fp": 2.0, "fn": 3.0, "tn": 0.0}
    agrees(opened, table, cost)
    for name, value in (("fn", 25.0), ("fp", 7.5), ("tp", -4.0), ("tn", 0.25), ("fn", 0.5)):
        cost[name] = value
        opened.fill(f"[data-cost={name}]", str(value))
        agrees(opened, table, cost)
        opened.click("#cheapest")
        found = agrees(opened, table, cost)
        assert float(found["threshold"]) == table.best("cost", **cost).threshold
    opened.fill("[data-cost=fn]", "")
    agrees(opened, table, {**cost, "fn": 0.0})


def test_the_cheapest_threshold_is_a_score(report):
    evaluation = rs.evaluate([0, 1, 0, 1, 1], [0.1, 0.4, 0.45, 0.7, 0.9])  # nothing between 0.5, as evaluated, and 0.7
    opened = report(evaluation)
    found = agrees(opened, evaluation.models["model"].scores, UNIT)
    assert float(found["cheapest"]) == 0.4
    opened.fill("[data-cost=fp]", "3")
    found = agrees(opened, evaluation.models["model"].scores, {**UNIT, "fp": 3.0})
    assert float(found["cheapest"]) == 0.7


def test_the_cheapest_of_few_points_is_the_cheapest_of_all():
    table = two_classes(rows=50_000).models["model"].scores
    points = operating_points(table, named_thresholds(table, 0.5, UNIT))
    assert 500 < len(points["threshold"]) <= 1_004
    thresholds = np.array([float(value) for value in points["threshold"]])
    assert (np.diff(thresholds) > 0).all()
    counts = rs.Counts(*(points[name] for name in ("tp", "fp", "fn", "tn")))
    for fp, fn in np.random.default_rng(2).exponential(size=(50, 2)):
        best = table.best("cost", fp=fp, fn=fn)
        assert counts.value("cost", fp=fp, fn=fn).min() == pytest.approx(best.value, rel=1e-15)
        assert best.threshold in thresholds
    names = {name: thresholds[place] for name, place in points["places"].items()}
    assert names == {
        "given": 0.5,
        "f1": table.best("f1").threshold,
        "mcc": table.best("mcc").threshold,
        "youden": table.best("informedness").threshold,
        "ks": table.ks().threshold,
        "cheapest": table.best("cost").threshold,
    }


@pytest.mark.parametrize(
    "table",
    [
        rs.ScoreTable([0, 1, 1, 0], [0.1, 0.5, np.nan, 0.9], nan_policy="worst"),
        rs.ScoreTable([0, 1, 1, 0], [-np.inf, 0.5, np.inf, 0.9], infinite="allow"),
        rs.ScoreTable([0, 1, 1, 0], [1, 2**62, 2**62 + 1, 5]),
        rs.ScoreTable([0, 0], [0.5, 0.5]),
        rs.ScoreTable([0, 1, 1], np.array([0.1, 0.7, 0.3], dtype=np.float32), sample_weight=[0.1, 0.2, 0.3]),
    ],
)
def test_operating_points_are_what_the_table_says(table):
    points = operating_points(table, named_thresholds(table, 0.5, UNIT))
    json.loads(as_json(points))
    for place, threshold in enumerate(points["threshold"]):
        counts = table.at(float(threshold))
        for name in ("tp", "fp", "fn", "tn"):
            assert points[name][place] == float(getattr(counts, name))


def test_each_model_has_its_own_thresholds_tables_and_pictures(report):
    evaluation = KINDS["three models"]()
    cost = cost_of(evaluation)
    assert cost == {"tp": 0.0, "fp": 1.0, "fn": 5.0, "tn": 0.0}
    opened = report(evaluation)
    for place, (name, model) in enumerate(evaluation.models.items()):
        opened.select_option("#model", label=name)
        agrees(opened, model.scores, cost)
        for section in ("matrix", "gains", "calibration"):
            assert opened.locator(f"#{section} h3:visible").all_text_contents() == [name]
        assert opened.locator("#charts .panel:visible").count() > 0
        for canvas in opened.locator("#charts .panel:visible canvas").all():
            assert min(canvas.bounding_box()["width"], canvas.bounding_box()["height"]) > 100
        assert opened.locator(f'#charts .panel:visible:not([data-model="{place}"])').count() == 0


def test_a_model_without_scores_has_no_explorer(report):
    opened = report(KINDS["scores of one model, classes of the other"]())
    marked = "Chart.getChart(document.querySelector('#chart-roc canvas')).data.datasets.at(-2).data.length"
    assert opened.locator(".explorer").is_visible()
    assert opened.evaluate(marked) == 1
    opened.select_option("#model", label="b")
    assert not opened.locator(".explorer").is_visible()
    assert opened.evaluate(marked) == 0


# ------------------------------------------------------------------------------------------------------------------- summary


def test_the_best_is_marked_and_what_is_undefined_says_why(report):
    opened = report(KINDS["three models"]())
    row = opened.locator("#summary tbody tr", has=opened.locator("code", has_text=re.compile("^roc_auc$")))
    assert "best" in row.locator("td").nth(0).get_attribute("class")
    assert row.locator("td.best").count() == 1
    row = opened.locator("#summary tbody tr", has=opened.locator("code", has_text=re.compile("^prevalence$")))
    assert row.locator("td.best").count() == 0
    opened = report(KINDS["never predicted"]())
    row = opened.locator("#summary tbody tr", has=opened.locator("code", has_text=re.compile("^precision$")))
    assert "No row is predicted positive." in row.locator("td").text_content()
    row = opened.locator("#summary tbody tr", has=opened.locator("code", has_text=re.compile("^mcc$")))
    assert "by convention" in row.locator("td").text_content()


def test_every_number_of_the_summary_is_the_evaluation_s(report):
    evaluation = KINDS["three models"]()
    opened = report(evaluation)
    for name in ("accuracy", "roc_auc", "ks", "brier", "fpr"):
        row = opened.locator("#summary tbody tr", has=opened.locator("code", has_text=re.compile(f"^{name}$")))
        shown = [float(re.match(r"[\d.]+", cell).group()) for cell in row.locator("td").all_text_contents()]
        assert shown == pytest.approx(list(evaluation[name].values()), abs=5e-5)


# -------------------------------------------------------------------------------------------------------------------- charts


def test_a_legend_hides_a_model_and_the_pointer_asks(report):
    opened = report(KINDS["three models"]())
    chart = "Chart.getChart(document.querySelector('#chart-roc canvas'))"
    visible = f"{chart}.data.datasets.map((set, i) => [set.model, {chart}.isDatasetVisible(i)])"
    assert all(shown for _, shown in opened.evaluate(visible))
    button = opened.locator("#chart-roc .legend button").nth(1)
    assert button.text_content().startswith("Logistic (AUC ")
    button.focus()
    opened.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "false"
    assert {model for model, shown in opened.evaluate(visible) if not shown} == {1}
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert all(shown for _, shown in opened.evaluate(visible))
    canvas = opened.locator("#chart-roc canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    point = opened.evaluate(f"(() => {{ const p = {chart}.getDatasetMeta(0).data[9]; return [p.x, p.y]; }})()")
    opened.mouse.move(box["x"] + point[0], box["y"] + point[1])
    until(opened, f"{chart}.tooltip.opacity > 0 && {chart}.tooltip.body.length > 0")
    lines = opened.evaluate(f"{chart}.tooltip.body[0].lines")
    assert [line.partition(":")[0] for line in lines] == [
        "False positive rate",
        "True positive rate",
        "Threshold",
    ]


def test_every_chart_has_words_a_picture_and_its_points(report):
    opened = report(KINDS["one model"]())
    for card in opened.locator("article.chart").all():
        assert len(card.locator("canvas").get_attribute("aria-label")) > 40
        assert card.locator("canvas").get_attribute("role") == "img"
        assert card.locator(".static > svg[role=img]").count() == 1
        card.locator("details.live summary").click()
        card.locator("details tbody tr").nth(1).wait_for()
    for row in opened.locator("#chart-roc details tbody tr").all()[:5]:
        x, y = (float(cell) for cell in row.locator("td").all_text_contents()[:2])
        assert 0 <= x <= 1
        assert 0 <= y <= 1


def test_lines_of_fewer_points_keep_their_ends():
    from rocksteady.report.charts import charts

    for chart in charts(two_classes(rows=5_000)):
        for whole, part in zip(chart.series, fewer(chart, 30).series, strict=True):
            if whole.kind in ("line", "step") and np.isfinite(whole.y).all():
                assert len(part.x) <= max(30, min(len(whole.x), 30))
            for before, after in ((whole.x, part.x), (whole.y, part.y)):
                np.testing.assert_array_equal(before[[0, -1]], after[[0, -1]])


# ------------------------------------------------------------------------------------------------------------------- classes


def test_classes_can_be_found_and_sorted(report):
    evaluation = many_classes(100, 5_000)
    matrix = evaluation.models["model"].confusion
    opened = report(evaluation)
    rows = opened.locator("#classes-0 tbody tr")
    assert rows.count() == 100
    recall = dict(zip(list(matrix.labels), matrix.every("recall"), strict=True))
    opened.click("#classes-0 thead button:has-text('Recall')")
    names = opened.locator("#classes-0 tbody th").all_text_contents()
    assert [recall[name] for name in names] == sorted(recall.values(), reverse=True)
    assert opened.locator("#classes-0 [aria-sort=descending]").text_content() == "Recall"
    opened.click("#classes-0 thead button:has-text('Recall')")
    names = opened.locator("#classes-0 tbody th").all_text_contents()
    assert [recall[name] for name in names] == sorted(recall.values())
    opened.fill("#classes input[type=search]", "S 01")
    assert opened.locator("#classes-0 tbody tr:visible").count() == 10
    assert opened.locator("#classes [role=status]").first.text_content() == "10 of 100 classes"


def test_a_picture_of_a_matrix_can_be_asked(report):
    evaluation = many_classes(20, 3_000)
    counts = evaluation.models["model"].confusion.to_array()
    opened = report(evaluation)
    frame = opened.locator("[data-picture]")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    opened.mouse.move(box["x"] + box["width"] * 4.5 / 20, box["y"] + box["height"] * 3.5 / 20)
    assert (
        opened.locator(".read").text_content().startswith(f"Actually class 003, predicted class 004: {counts[3, 4]} (")
    )


def test_a_picture_of_up_to_sixty_classes_has_their_names_and_the_worst_come_first(report):
    evaluation = many_classes(20, 3_000)
    matrix = evaluation.models["model"].confusion
    opened = report(evaluation)
    names = list(map(str, matrix.labels))
    for side in ("rows", "columns"):
        assert opened.locator(f".names.of-{side} li").all_text_contents() == names
    opened.locator("[data-order]").select_option("errors")
    counts = matrix.counts()
    errors = dict(zip(names, counts.fn.tolist(), strict=True))
    for side in ("rows", "columns"):
        shown = opened.locator(f".names.of-{side} li").all_text_contents()
        assert [errors[name] for name in shown] == sorted(errors.values(), reverse=True)
    worst = opened.locator(".worst table")
    f1 = dict(zip(names, matrix.every("f1").tolist(), strict=True))
    weakest = worst.nth(1).locator("tbody th").all_text_contents()
    assert [f1[name] for name in weakest] == sorted(f1.values())[:15]
    assert 'class="names' not in many_classes(61, 3_000).to_html()


def test_how_often_the_right_class_is_among_the_most_probable():
    generator = np.random.default_rng(0)
    y_true = generator.integers(0, 6, 500)
    y_proba = generator.dirichlet(np.ones(6), 500) + 0.4 * (y_true[:, None] == np.arange(6))
    y_proba /= y_proba.sum(axis=1, keepdims=True)
    weights = generator.integers(1, 4, 500)
    page = rs.evaluate(y_true, y_proba=y_proba, sample_weight=weights, inference=True).to_html()
    section = page.partition('<section id="classes"')[2]
    rank = (y_proba > y_proba[np.arange(500), y_true][:, None]).sum(axis=1)
    for k in (1, 2, 3, 5):
        share = 100 * np.average(rank < k, weights=weights)
        assert re.search(rf'<th scope="row">{k}</th><td[^>]*>{share:.1f} %</td><td>\d', section)
    assert '<th scope="row">10</th>' not in section
    without = rs.evaluate(y_true, y_proba=y_proba).to_html()
    assert "needs the rows: <code>evaluate(..., inference=True)</code>" in without
    clustered = rs.evaluate(y_true, y_proba=y_proba, inference=True, cluster=np.arange(500) // 5).to_html()
    assert re.search(r'<th scope="row">2</th><td[^>]*>[\d.]+ %</td><td></td>', clustered)


def test_a_picture_has_a_pixel_for_each_cell():
    image = pytest.importorskip("matplotlib.image")
    shares = np.array([[0.75, 0.25, 0.0], [0.0, 1.0, 0.0], [0.1, 0.0, 0.9]])
    import io

    pixels = image.imread(io.BytesIO(picture(shares)), format="png")
    assert pixels.shape == (3, 3, 4)
    strength = pixels[..., 3]
    assert ((strength > 0) == (shares > 0)).all()
    assert strength[1, 1] > strength[2, 2] > strength[0, 0] > 0.8
    assert strength[0, 1] > strength[2, 0] > 0.2
    assert pixels[0, 0, 2] > pixels[0, 0, 0]  # right is blue
    assert pixels[0, 1, 2] < pixels[0, 1, 0]  # wrong is orange


ALPHAS = """image => {
    const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, canvas.width, canvas.height).data].filter((_, place) => place % 4 === 3);
}"""


def test_the_greatest_wrong_share_is_the_strongest_however_small_it_is(report):
    image = pytest.importorskip("matplotlib.image")
    import io

    shares = np.full((40, 40), 0.001)
    np.fill_diagonal(shares, 1 - shares.sum(axis=1) + 0.001)
    shares[3, 4] = 0.01
    strength = image.imread(io.BytesIO(picture(shares)), format="png")[..., 3]
    assert strength[3, 4] > 0.95
    assert strength[5, 6] < 0.25

    opened = report(many_classes(20, 3_000))
    image_of = opened.locator("[data-picture] img")
    alphas = image_of.evaluate(ALPHAS)
    for by in ("pred", "true"):
        before = image_of.get_attribute("src")
        opened.select_option("select[data-normalize]", by)
        opened.wait_for_function("([old]) => document.querySelector('[data-picture] img').src !== old", arg=[before])
        image_of.evaluate("image => image.decode()")
        assert (image_of.evaluate(ALPHAS) == alphas) == (by == "true"), "the script draws the picture of the page"


def test_a_matrix_of_few_classes_is_a_table(report):
    evaluation = many_classes(5)
    opened = report(evaluation)
    shown = opened.evaluate(
        "[...document.querySelectorAll('#matrix td.cell')].map(e => Number(e.firstChild.textContent))"
    )
    assert shown == evaluation.models["model"].confusion.to_array().ravel().tolist()


# -------------------------------------------------------------------------------------------------- light, dark, paper, no script

CONTRASTS = """() => {
    const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
    const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
    const ground = (element) => {
        if (!element) return [255, 255, 255];
        const colour = parse(getComputedStyle(element).backgroundColor);
        return colour[3] === 1 ? colour.slice(0, 3) : over(colour, ground(element.parentElement));
    };
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.checkVisibility() || element.closest("svg, script, .hidden, option")) continue;
        const behind = ground(element);
        const ink = over(parse(getComputedStyle(element).color), behind);
        const [a, b] = [light(ink), light(behind)].sort((x, y) => y - x);
        found.push([(a + 0.05) / (b + 0.05), element.tagName + "." + element.className + ": " + element.textContent.slice(0, 30)]);
    }
    return found.sort((x, y) => x[0] - y[0]);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("evaluation", ["three models", "five classes"])
def test_contrast_is_enough_in_light_and_dark(report, scheme, evaluation):
    opened = report(KINDS[evaluation](), color_scheme=scheme)
    contrasts = opened.evaluate(CONTRASTS)
    assert len(contrasts) > 100
    assert contrasts[0][0] >= 4.5, contrasts[:5]


def test_dark_follows_the_system_and_the_button(report):
    opened = report(KINDS["one model"](), color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]"
    line = "Chart.getChart(document.querySelector('#chart-roc canvas')).data.datasets[0].borderColor"
    assert opened.evaluate(ground) < 40
    assert opened.evaluate(line) == "#4aa8e0"
    opened.click("#theme")
    assert opened.evaluate(ground) > 200
    assert opened.evaluate(line) == "#0072b2"
    opened = report(KINDS["one model"](), color_scheme="light")
    assert opened.evaluate(ground) > 200
    opened.emulate_media(color_scheme="dark")
    assert opened.evaluate(ground) < 40
    until(opened, f"{line} === '#4aa8e0'")


@pytest.mark.parametrize("evaluation", ["three models", "a hundred classes"])
def test_on_paper_there_are_pictures_and_every_model(report, evaluation):
    opened = report(KINDS[evaluation](), color_scheme="dark")
    assert opened.locator(".static > svg:visible").count() == 0
    opened.emulate_media(media="print")
    assert (
        opened.locator(
            "canvas:visible, main > :not(section):visible, input:visible, nav:visible, select:visible"
        ).count()
        == 0
    )
    charts = opened.locator("article.chart").count()
    assert opened.locator(".static > svg:visible").count() == charts > 0
    assert opened.locator(".panel:not(:visible)").count() == 0
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = "[...document.querySelectorAll('.scroll')].filter(e => getComputedStyle(e).overflowY !== 'visible').length"
    assert opened.evaluate(cut) == 0
    written = opened.pdf(format="A4")
    assert written[:4] == b"%PDF"
    assert len(written) < 3_000_000


def test_what_is_folded_unfolds_on_paper(report):
    opened = report(KINDS["one model"]())
    folded = "document.querySelectorAll('.definitions details:not([open])').length"
    assert opened.evaluate(folded) > 30
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.evaluate(folded) == 0
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.evaluate(folded) > 30


@pytest.mark.parametrize("evaluation", ["three models", "five classes"])
def test_without_scripts_nothing_is_lost_but_what_moves(report, evaluation):
    opened = report(KINDS[evaluation](), java_script_enabled=False)
    assert opened.locator("canvas:visible, input:visible, select:visible").count() == 0
    assert opened.locator(".static > svg:visible").count() == opened.locator("article.chart").count() > 0
    assert opened.locator(".panel:not(:visible)").count() == 0


# ------------------------------------------------------------------------------------------------------------------- keyboard


def test_the_keyboard_reaches_everything_and_leaves_it(report):
    opened = report(KINDS["three models"]())
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.className") == "skip"
    assert opened.locator(".skip").bounding_box()["x"] >= 0
    opened.keyboard.press("Enter")
    assert opened.evaluate("document.activeElement.id") == "main"
    reached = []
    for _ in range(400):
        opened.keyboard.press("Tab")
        at = opened.evaluate("""() => {
            const at = document.activeElement;
            const left = at === document.body;
            return [at.id || at.className || at.tagName, left || at.matches(":focus-visible"), left];
        }""")
        if at[2]:
            break
        assert at[1], at
        reached.append(at[0])
    else:
        pytest.fail(f"the focus never leaves: {reached[-5:]}")
    assert {"threshold", "threshold-number", "cheapest", "scroll"} <= set(reached)


def test_numbers_as_json_has_them():
    assert plain(np.array([1.0, 2.0, np.inf])) == [1.0, 2.0, None]
    assert plain(np.array([3, 4], dtype=np.uint64)) == [3, 4]
    assert plain(np.array([2.0**60])) == [2.0**60]

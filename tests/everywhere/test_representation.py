"""Every public object shows its values, as text and in a notebook, quickly, and names the positive class."""

from __future__ import annotations

import csv
import inspect
import io
import math
import re
import timeit
from html.parser import HTMLParser
from operator import attrgetter

import numpy as np
import pytest

import rocksteady as rs

NASTY = "<script>alert('x')</script>"
Y = np.array(["legit", "fraud"])[[0, 0, 1, 1, 0, 1]]
SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.2, 0.7])
TABLE = rs.ScoreTable(Y, SCORES, pos_label="fraud")
EVALUATION = rs.evaluate(Y, SCORES, pos_label="fraud")
COMPARISON = rs.compare({"a": rs.ConfusionMatrix([0, 1, 1], [0, 1, 0]), "b": rs.ConfusionMatrix([0, 1, 1], [0, 1, 1])})
COLLECTOR = rs.ScoreCollector(pos_label="fraud")
COLLECTOR.update(Y, SCORES)
SKETCH_COLLECTOR = rs.SketchCollector(pos_label="fraud")
SKETCH_COLLECTOR.update(Y, SCORES)
SKETCH = SKETCH_COLLECTOR.sketch()
WINDOW = rs.Window(parts=2)
WINDOW.update("2024-03-31", rs.ScoreTable(Y, SCORES, pos_label="fraud"))
MATRIX = rs.ConfusionMatrix(Y, Y[::-1], pos_label="fraud")
COSTS = rs.CostTable(Y, SCORES, pos_label="fraud", costs={"fn": SCORES, "fp": 0.1})
THREE = rs.ScoreTables([0, 1, 1, 2], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]])

GROUPS = rs.group_by(
    Y, Y[::-1], SCORES, by=[NASTY, "b", "b", NASTY][: len(Y)] + ["b"] * (len(Y) - 4), pos_label="fraud"
)

# One object of each public class, most of them of the positive class "fraud".
LABELS = rs.evaluate([[1, 0], [0, 1]], [[0.9, 0.2], [0.3, 0.6]], labels=["a", NASTY])
SPILLING = rs.ScoreCollector(pos_label="fraud", memory="1MB")
SPILLING.update(Y, SCORES)
ANCHORS = rs.ScoreAnchors(Y, SCORES, pos_label="fraud")
LEDGER = rs.scores.LabelLedger([None, *Y[1:]], SCORES, pos_label="fraud")
ANCHORED = rs.AnchoredCollector(pos_label="fraud")
ANCHORED.update(Y, SCORES)
OBJECTS = {
    "AnchoredCollector": ANCHORED,
    "AnchoredCounts": rs.AnchoredCounts(ANCHORS, Y, SCORES),
    "AverageCurve": THREE.average_curve("fpr", "recall"),
    "Best": TABLE.best("f1"),
    "BoundedModel": rs.evaluate(Y, SCORES, pos_label="fraud", bounded=True).models["model"],
    "Bounds": SKETCH.bounds("roc_auc"),
    "BackTest": rs.scores.back_test([10, 5], [1, 2], [0.1, 0.2], grades=["a", NASTY]),
    "BrierCurve": TABLE.brier_curve(),
    "Calibration": TABLE.calibration(),
    "Cells": MATRIX.nonzero_cells(),
    "ConfusedPairs": MATRIX.most_confused(),
    "CategoryStability": rs.scores.category_stability(["a", NASTY], ["a", "c"]),
    "Certificate": TABLE.certify("precision >= 0.1", start_rows=1),
    "ComparedIndex": COMPARISON.rows[0],
    "Comparison": COMPARISON,
    "ConfusionMatrix": MATRIX,
    "Consistency": rs.comparison.consistency("accuracy", "mcc", rs.comparison.enumerate_matrices([2, 2])),
    "CostCounts": COSTS.at(0.5),
    "CostCurve": TABLE.cost_curve(),
    "CostLines": TABLE.cost_lines(),
    "CostTable": COSTS,
    "Counts": TABLE.counts(),
    "CountsAt": TABLE.at(0.5),
    "CountsBounds": SKETCH.at(0.3),
    "Curve": TABLE.curve("fpr", "recall"),
    "CurveBounds": SKETCH.roc_curve(),
    "DecisionCurve": TABLE.decision_curve(),
    "Decomposition": TABLE.decomposition("brier"),
    "DetCurve": TABLE.det_curve(),
    "EnumeratedMatrices": rs.comparison.enumerate_matrices([2, 2]),
    "EnumeratedRankings": rs.comparison.enumerate_rankings(2, 2),
    "Drift": rs.drift(MATRIX, MATRIX, "recall"),
    "Evaluation": EVALUATION,
    "GainCurve": TABLE.gain_curve(),
    "GainsTable": TABLE.gains(3),
    "GroupMean": GROUPS.mean("roc_auc"),
    "GroupValues": GROUPS["recall"],
    "Groups": GROUPS,
    "Index": rs.index("mcc"),
    "Indices": rs.indices("matthews"),
    "Interval": MATRIX.interval("accuracy"),
    "WidenedInterval": SKETCH.interval("roc_auc"),
    "KS": TABLE.ks(),
    "KsCurve": TABLE.ks_curve(),
    "LabelEstimates": LEDGER.estimated("roc_auc"),
    "LabelScoreTables": rs.LabelScoreTables([[1, 0], [0, 1]], [[0.9, 0.2], [0.3, 0.6]]),
    "LedgerCounts": LEDGER.at(0.5),
    "LedgerGroups": rs.group_by(
        [None, *Y[1:]], y_score=SCORES, by=[NASTY] * len(Y), pos_label="fraud", missing_labels="unknown"
    ),
    "LiftCurve": TABLE.lift_curve(),
    "RiskCoverageCurve": TABLE.risk_coverage_curve(),
    "Merges": rs.ConfusionMatrix.from_counts([[8, 1], [2, 9]], labels=["a", NASTY]).merges(),
    "MapAccuracy": rs.ConfusionMatrix.from_counts([[8, 1], [2, 9]], labels=["a", NASTY]).map_accuracy([0.5, 2.0]),
    "ModelEvaluation": EVALUATION.models["model"],
    "MultilabelModel": LABELS.models["model"],
    "OperatingPoints": TABLE.operating_points(),
    "PairSplit": GROUPS.pair_split(),
    "Parameter": rs.index("fbeta").parameters[0],
    "ParetoSet": TABLE.pareto(["recall", "precision"]),
    "PopulationStability": rs.scores.population_stability(SCORES, SCORES + 0.1),
    "Positions": rs.ConfusionMatrix.positions(Y, Y[::-1], "fraud"),
    "PrecisionRecallCurve": TABLE.precision_recall_curve(),
    "PrecisionRecallGainCurve": TABLE.precision_recall_gain_curve(),
    "ProbabilitySums": rs.ProbabilitySums(Y, SCORES),
    "ProfitTable": TABLE.profit(3, benefit=10, cost=1),
    "Queries": rs.Queries(Y == "fraud", SCORES, np.arange(len(Y)) % 3),
    "Readers": rs.comparison.compare_readers(
        Y,
        {NASTY: {"a": SCORES, "b": SCORES[::-1]}, "film": {"a": np.roll(SCORES, 1), "b": SCORES}},
        pos_label="fraud",
    ),
    "RocConvexHull": TABLE.roc_convex_hull(),
    "RocCurve": TABLE.roc_curve(),
    "RowMean": rs.RowMean.top_k_accuracy_score([0, 1], [0.2, 0.4], k=1, labels=[0, 1]),
    "Scale": rs.index("kappa").scales[0],
    "ScoreAnchors": ANCHORS,
    "ScoreCollector": COLLECTOR,
    "ScoreSketch": SKETCH,
    "ScoreTable": TABLE,
    "ScoreTables": THREE,
    "ScoreView": SPILLING.view(),
    "SketchCollector": SKETCH_COLLECTOR,
    "Table": TABLE.summary(),
    "ThresholdGrid": TABLE.grid(4),
    "Window": WINDOW,
}
# What a score table of one class, or a matrix of two, gives names that class.
OF_A_CLASS = [
    name
    for name, shown in OBJECTS.items()
    if hasattr(shown, "_positive") or name in ("ScoreTable", "ScoreCollector", "ConfusionMatrix")
]


class Tags(HTMLParser):
    """What a page has in it."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open = set(), []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not attrs, "nothing is fetched, and nothing is run"
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_here_is_an_object_of_each_public_class():
    classes = {name: getattr(home, name) for home in (rs, rs.results) for name in home.__all__}
    classes = {
        name: kind for name, kind in classes.items() if inspect.isclass(kind) and not issubclass(kind, Exception)
    }
    assert classes == {name: type(shown) for name, shown in OBJECTS.items()}


@pytest.mark.parametrize("name", OBJECTS)
def test_each_shows_itself(name):
    shown = OBJECTS[name]
    text, page = repr(shown), shown._repr_html_()
    assert type(shown).__repr__ is not object.__repr__
    if text.startswith("<rocksteady."):
        assert attrgetter(re.match(r"<rocksteady\.([\w.]+)", text)[1])(rs) is type(shown)
    assert " at 0x" not in text
    assert 5 < len(text) < 6000
    assert max(map(len, text.splitlines())) <= 200
    assert Tags(page).tags <= {"p", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "pre"}
    assert len(page) > 10


@pytest.mark.parametrize("name", OF_A_CLASS)
def test_the_positive_class_is_named(name):
    assert "fraud" in repr(OBJECTS[name])
    assert "fraud" in OBJECTS[name]._repr_html_()


def test_most_results_know_their_class():
    assert {"RocCurve", "GainsTable", "Calibration", "ParetoSet", "ThresholdGrid", "OperatingPoints"} <= set(OF_A_CLASS)
    assert "fraud" in repr(TABLE.roc_curve().simplify(max_points=3))


def test_a_gains_table_prints_its_bands():
    gains = rs.ScoreTable([0, 1] * 500, np.arange(1000) / 1000).gains(10)
    text = repr(gains)
    assert text.startswith("GainsTable of 10 entries, 20 columns; positive class 1; greatest_ks ")
    assert max(map(len, text.splitlines())) <= 100
    heading = next(line for line in text.splitlines() if line.split()[0] == "highest")
    assert heading.split()[:4] == ["highest", "lowest", "rows", "positives"]
    assert {"lift", "gain", "ks"} <= set(heading.split())
    bands = text.splitlines()[text.splitlines().index(heading) + 1 :][:10]
    assert bands[0].split()[:5] == ["0", "0.999", "0.9", "100", "50"]
    assert [band.split()[0] for band in bands] == [str(place) for place in range(10)]
    assert set(re.split(r"\W+", text)) >= set(gains.to_dict())


def test_a_long_result_is_cut():
    grid = TABLE.grid(1000)
    lines = repr(grid).splitlines()
    assert len(lines) == 2 + 5 + 1 + 5
    assert lines[7].split() == ["…"] * 6
    assert lines[-1].split()[0] == str(len(grid) - 1)
    assert grid._repr_html_().count("<tr>") == 12


def test_a_long_table_prints_both_ends():
    table = rs.Queries(np.ones(3000), np.ones(3000), np.arange(3000)).query_summary("mrr")
    lines = repr(table).splitlines()
    assert len(lines) == 1 + 30 + 1 + 30 + 1
    assert lines[31].split() == ["…"] * 4
    assert [line.split()[0] for line in (lines[1], lines[30], lines[32], lines[61])] == ["0", "29", "2970", "2999"]
    assert lines[-1] == "3,000 rows; both ends are shown, and .rows has all"
    assert table._repr_html_().count("<tr>") == 62
    assert len(table.rows) == 3000
    assert table.to_csv().count("\n") == table.to_markdown().count("\n") - 1 == 3001
    short = rs.Queries(np.ones(1000), np.ones(1000), np.arange(1000)).query_summary("mrr")
    assert len(repr(short).splitlines()) == 1001


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_labels_that_are_formulas_in_a_spreadsheet(start):
    label = f"{start}1+cmd"
    table = rs.group_by([0, 1], [0, 1], by={label: [label, "plain"]})["accuracy"].summary()
    read = [list(csv.reader(io.StringIO(table.to_csv(escape_formulas=flag), newline=""))) for flag in (False, True)]
    assert [read[0][0][0], read[0][1][0]] == [label] * 2
    assert [read[1][0][0], read[1][1][0]] == [f"'{label}"] * 2
    assert read[1][2][0] == "plain"
    with pytest.raises(rs.InputTypeError, match="escape_formulas"):
        table.to_csv(escape_formulas=1)


def test_whole_numbers_have_all_their_digits():
    assert "12345678" in repr(rs.Counts([12_345_678], [1], [2], [3]))
    assert "1.5" in repr(rs.Counts([1.5], [1], [2], [3]))


def test_counts_show_their_values():
    assert (
        repr(rs.Counts([5, 1], 2, 0, 1))
        == "Counts of shape (2,)\n   tp  fp  fn  tn\n0   5   2   0   1\n1   1   2   0   1"
    )
    assert rs.Counts(5, 2, 0, 1)._repr_html_().count("<td>") == 5
    assert repr(rs.Counts(np.ones((2, 3)), 1, 1, 1)).startswith("Counts of shape (2, 3)\n")
    assert repr(rs.Counts([], [], [], [])).startswith("Counts of shape (0,)")


def test_a_collector_tells_how_far_it_is():
    collector = rs.ScoreCollector()
    assert repr(collector) == "<rocksteady.ScoreCollector of 0 rows; update() takes the first>"
    collector.update(["a", "b", "b"], [0.1, 0.2, 0.3])
    assert repr(collector) == "<rocksteady.ScoreCollector of 3 rows so far, without weights; 2 positive (class 'b')>"
    collector.update(["a"], [0.4])
    assert repr(collector) == "<rocksteady.ScoreCollector of 4 rows so far, without weights; 2 positive (class 'b')>"
    with pytest.raises(rs.InputError):
        collector.update(["a", "c"], [0.1, 0.2])
    assert "4 rows so far, without weights; 2 positive" in repr(collector)
    weighted = rs.ScoreCollector(pos_label=0)
    weighted.update([1, 0, 0], [0.1, 0.2, 0.3], sample_weight=[1, 2, 3])
    assert repr(weighted) == "<rocksteady.ScoreCollector of 3 rows so far, with weights; 2 positive (class 0)>"
    first = rs.ScoreCollector()
    first.update([1, 1], [0.5, 0.6])
    assert "2 positive (class 1)" in repr(first)
    first.update([2, 2, 1], [0.1, 0.2, 0.3])
    assert "2 positive (class 2)" in repr(first)
    assert first.score_table().positives == 2


@pytest.mark.parametrize(
    "made",
    [
        lambda: rs.ScoreTable([1, 1], [0.5, 0.5]),
        lambda: rs.ScoreTable([1, 1], [0.5, 0.5]).roc_curve(),
        lambda: rs.ScoreTable([1, 1], [0.5, 0.5]).gains(2),
        lambda: rs.ScoreTable([0, 1], [math.inf, -math.inf], infinite="allow").roc_curve(),
        lambda: rs.ScoreTable([0, 1], [math.nan, 0.5], nan_policy="worst").roc_curve(),
        lambda: rs.ScoreTable([NASTY, "b"], [0.5, 0.6], pos_label=NASTY),
        lambda: rs.ScoreTable([NASTY, "b"], [0.5, 0.6], pos_label=NASTY).gains(2),
        lambda: rs.ScoreTable(["a\nb" * 100, "b"], [0.5, 0.6], pos_label="a\nb" * 100).calibration(),
        lambda: rs.ConfusionMatrix([NASTY, "b"], [NASTY, NASTY], pos_label=NASTY),
        lambda: rs.ConfusionMatrix([True, False], [True, True]),
        lambda: rs.Counts(1e300, 0, 0, 0),
        lambda: rs.Counts([1e300, 0.1], 0, 0, 0),
        lambda: rs.ScoreTable([0, 1], [0.2, 0.1]).pareto(["recall", "fpr"]),
        lambda: rs.ScoreTable([1, 1], [0.2, 0.1]).best("mcc"),
        lambda: rs.scores.category_stability([1, 5], [2, 3]),
        lambda: rs.ConfusionMatrix.positions([0] * 5000, [0] * 5000, 0),
    ],
)
def test_nothing_is_too_strange_to_be_shown(made):
    shown = made()
    text, page = repr(shown), shown._repr_html_()
    assert "<script>" not in page
    assert "script" not in Tags(page).tags
    assert len(text) < 3000
    assert max(map(len, text.splitlines())) <= 200


def test_millions_of_rows_are_shown_at_once():
    rows = 1_000_000
    rng = np.random.default_rng(0)
    scores = rng.random(rows)
    table = rs.ScoreTable(scores + rng.random(rows) > 1, scores)
    collector = rs.ScoreCollector()
    collector.update(rng.integers(0, 2, rows), scores)
    for shown in (
        table,
        table.roc_curve(),
        table.counts(),
        table.curve("fpr", "recall"),
        table.cost_lines(),
        collector,
    ):
        for show in (shown.__repr__, shown._repr_html_):
            assert min(timeit.repeat(show, number=1, repeat=5)) < 0.003, type(shown)


def test_displays_say_what_they_draw():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    display = rs.plot.RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model")
    assert "rocksteady.plot.RocDisplay of " in repr(display)
    assert "model" in repr(display)
    assert "not drawn yet" in repr(rs.plot.RocDisplay({"model": TABLE}))
    matrix = rs.plot.ConfusionMatrixDisplay.from_predictions([0, 1, 1], [0, 1, 0])
    assert "ConfusionMatrixDisplay of " in repr(matrix)
    for shown in (display, matrix):
        assert Tags(shown._repr_html_()).tags == {"p"}
    matplotlib.pyplot.close("all")

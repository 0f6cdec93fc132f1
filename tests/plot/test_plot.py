"""Displays: what is drawn is what the statistics say, and it can be read."""

import pickle
import re
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt

import rocksteady as rs
from rocksteady.charts.palette import style as style_of

plot = rs.plot
OF_CLASSES = ("ConfusionMatrixDisplay", "ClassPredictionErrorsDisplay")
OF_TWO_TABLES = ("UpliftDisplay",)  # has tests of its own
OF_SCORES = [getattr(plot, name) for name in plot.__all__ if name not in OF_CLASSES + OF_TWO_TABLES]
CURVES = [
    plot.RocDisplay,
    plot.PrecisionRecallDisplay,
    plot.DetDisplay,
    plot.GainDisplay,
    plot.LiftDisplay,
    plot.KsDisplay,
]
HOSTILE = {"$x^2$ and $": 1, "_hidden": 2, "two\nlines": 3, "long" * 50: 4, "$": 5, r"\$ back": 6}


def id_of(display):
    return display.__name__


every_display = pytest.mark.parametrize("display", OF_SCORES, ids=id_of)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def rocr():
    path = Path(__file__).parents[2] / "examples" / "rocr_simple.csv"
    if not path.exists():
        pytest.skip("a source distribution has no examples/")
    scores, labels = np.loadtxt(path, delimiter=",", skiprows=1, unpack=True)
    return labels.astype(int), scores


@pytest.fixture(scope="module")
def binary():
    random = np.random.default_rng(3)
    y = random.random(3_000) < 0.3
    logits = {"old": y + random.normal(size=y.size), "new": 2 * y + random.normal(size=y.size)}
    return y, {name: 1 / (1 + np.exp(1 - values)) for name, values in logits.items()}


@pytest.fixture(scope="module")
def classes():
    """Twelve classes, the greater the more frequent."""
    random = np.random.default_rng(4)
    y = random.choice(12, 1_500, p=np.arange(1, 13) / 78)
    proba = random.gamma(0.6, size=(y.size, 12))
    proba[np.arange(y.size), y] += random.gamma(2, size=y.size)
    return y, proba / proba.sum(axis=1, keepdims=True)


def words(display):
    """The texts of the legend as they are drawn."""
    return [text.get_text().replace(r"\$", "$") for text in display.ax_.get_legend().get_texts()]


def pixels(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba()).copy()


def texts(figure):
    """Every text that is seen, with its box in pixels."""
    figure.draw_without_rendering()
    found = [text for text in figure.findobj(matplotlib.text.Text) if text.get_visible() and text.get_text().strip()]
    ticks = {
        label
        for axes in figure.findobj(matplotlib.axes.Axes)
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
        if label not in shown_ticks(axis)
    }
    return [(text, text.get_window_extent()) for text in found if text not in ticks]


def shown_ticks(axis):
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


# What the source paper shows ----------------------------------------------------------------------------------------------


def test_ks_chart_of_rocr_simple(rocr):
    display = plot.KsDisplay.from_predictions(*rocr)
    segment = display.distances_[0]
    low, high = segment.get_ydata()
    assert segment.get_xdata()[0] == segment.get_xdata()[1] == pytest.approx(0.5015, abs=5e-5)
    assert high - low == pytest.approx(6965 / 9951, abs=1e-15)
    assert display.text_.get_text() == "KS = 0.6999\nat 0.5015"
    # Nowhere else are the drawn lines further apart.
    distances = display.line_.get_ydata() - display.fpr_lines_[0].get_ydata()
    assert distances.max() == high - low
    assert display.line_.get_xdata()[distances.argmax()] == segment.get_xdata()[0]


def test_gain_chart_of_rocr_simple(rocr):
    display = plot.GainDisplay.from_predictions(*rocr)
    rows, found = display.line_.get_data()
    ideal, baseline = display.reference_lines_
    assert np.interp([0.2, 0.465, 1], rows, found).round(4).tolist() == [0.3548, 0.828, 1]
    assert np.interp(93 / 200, *ideal.get_data()) == 1
    assert list(baseline.get_xdata()) == list(baseline.get_ydata()) == [0, 1]
    # Half of the rows hold 85 % of the positives: the slope is that of the lift, 1.7.
    assert np.interp(0.5, rows, found) / 0.5 == pytest.approx(1.699, abs=5e-4)


def test_lift_chart_of_rocr_simple(rocr):
    display = plot.LiftDisplay.from_predictions(*rocr)
    rows, lift = display.line_.get_data()
    said = {0.1: 1.72, 0.2: 1.774, 0.3: 1.792, 0.4: 1.774, 0.465: 1.781, 0.5: 1.699, 0.6: 1.416, 0.8: 1.183, 1: 1}
    for share, value in said.items():
        assert lift[np.abs(rows - share).argmin()] == pytest.approx(value, abs=5e-4)
    plateau = lift[(rows > 0.15) & (rows < 0.47)]
    assert 1.7 < plateau.min() < plateau.max() < 1.9
    assert list(display.reference_lines_[0].get_ydata()) == [1, 1]


# What is drawn is what the tables say ---------------------------------------------------------------------------------------


def read(table):
    """The curves of a table, by the display that draws them."""
    ks = table.ks_curve(1000)
    cost = table.cost_curve().simplify(1000)
    few = table.precision_recall_curve(max_points=1000)
    decision = table.decision_curve(rs.scores.threshold_grid(1000)[:0:-1])
    bins = table.calibration()
    return {
        "RocDisplay": (table.roc_curve(1000).fpr, table.roc_curve(1000).tpr),
        "PrecisionRecallDisplay": (few.recall, few.precision),
        "GainDisplay": (table.gain_curve(1000).rpp, table.gain_curve(1000).tpr),
        "LiftDisplay": (table.lift_curve(1000).rpp, table.lift_curve(1000).lift),
        "KsDisplay": (ks.thresholds[1:], ks.tpr[1:]),
        "CostDisplay": (cost.probability_cost, cost.expected_cost),
        "DecisionDisplay": (decision.threshold_probability, decision.net_benefit),
        "CalibrationDisplay": (bins.mean_score, bins.observed),
    }


@pytest.mark.parametrize("name", list(read(rs.ScoreTable([0, 1], [0.2, 0.7]))))
def test_lines_are_the_curves_of_the_tables(name, binary):
    y, models = binary
    display = getattr(plot, name).from_predictions(y, models)
    assert len(display.lines_) == 2
    assert display.line_ is display.lines_[0]
    for line, scores in zip(display.lines_, models.values(), strict=True):
        x, y_of_curve = read(rs.ScoreTable(y, scores))[name]
        np.testing.assert_array_equal(line.get_xdata(), x)
        np.testing.assert_array_equal(line.get_ydata(), y_of_curve)


def test_det_line_holds_every_corner_where_it_is_short_enough(binary):
    y, models = binary
    few = rs.ScoreTable(y[:200], models["old"][:200])
    x, fnr = plot.DetDisplay.from_tables(few).line_.get_data()
    curve = few.det_curve(max_deviation=0).normal_deviates()
    assert len(x) <= len(curve)
    inner = np.isfinite(curve.x) & np.isfinite(curve.y)
    assert inner.sum() > 30
    # The line goes through every point that it left out.
    drawn = np.array([*zip(x, fnr, strict=True)])
    for point in np.column_stack([curve.x[inner], curve.y[inner]]):
        before, after = drawn[:-1], drawn[1:]
        within = (np.minimum(before, after) - 1e-9 <= point).all(1) & (point <= np.maximum(before, after) + 1e-9).all(1)
        assert within.any()


def test_det_axes_tell_rates(binary):
    y, models = binary
    display = plot.DetDisplay.from_predictions(y, models["old"])
    axis = display.ax_.xaxis
    from scipy.stats import norm

    ticks = {label.get_text(): place for label, place in zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)}
    assert {"1%", "5%", "20%", "50%", "80%"} <= set(ticks)
    for word, place in ticks.items():
        assert norm.cdf(place) == pytest.approx(float(word.removesuffix("%")) / 100)
    assert display.ax_.get_box_aspect() == 1


def test_threshold_indices_are_those_at_every_threshold(rocr):
    table = rs.ScoreTable(*rocr)
    display = plot.ThresholdIndicesDisplay.from_tables(table, indices=["mcc", "accuracy"])
    for line, best, name in zip(display.lines_, display.best_, ("mcc", "accuracy"), strict=True):
        order = np.argsort(line.get_xdata())
        drawn = np.interp(table.thresholds[1:], line.get_xdata()[order], line.get_ydata()[order])
        np.testing.assert_allclose(drawn, table.every(name)[1:], atol=1e-12)
        assert (best.get_xdata()[0], best.get_ydata()[0]) == table.best(name)[:2]
    assert words(display) == ["mcc (best 0.699 at 0.501)", "accuracy (best 0.85 at 0.501)"]


def test_threshold_indices_take_parameters_and_know_of_no_best_without_a_direction(rocr):
    table = rs.ScoreTable(*rocr)
    display = plot.ThresholdIndicesDisplay.from_tables(table, indices={"fbeta": {"beta": 2}, "rpp": {}})
    best = table.best("fbeta", beta=2)
    assert display.best_[0].get_ydata()[0] == best.value
    assert len(display.best_) == 1
    assert words(display)[1] == "rpp"


@pytest.mark.parametrize("stat", ["share", "count"])
def test_distributions_are_histograms_of_the_rows(stat, rocr):
    y, scores = rocr
    display = plot.ScoreDistributionDisplay.from_predictions(y, scores, bins=16, stat=stat, threshold=0.5)
    for label, steps in enumerate(display.steps_):
        counts, edges = np.histogram(scores[y == label], bins=16, range=(0, 1))
        np.testing.assert_array_equal(steps.get_data().edges, edges)
        expected = counts / counts.sum() if stat == "share" else counts
        np.testing.assert_allclose(steps.get_data().values, expected, atol=1e-15)
    assert list(display.threshold_line_.get_xdata()) == [0.5, 0.5]
    assert words(display) == ["0 (107)", "1 (93)", "threshold 0.5"]


def test_distributions_of_other_scores_run_from_the_lowest_to_the_highest():
    random = np.random.default_rng(5)
    y, scores = random.random(500) < 0.5, random.normal(size=500)
    display = plot.ScoreDistributionDisplay.from_predictions(y, scores, stat="count")
    for place, steps in enumerate(display.steps_):
        counts, edges = np.histogram(scores[y == place], bins=20, range=(scores.min(), scores.max()))
        np.testing.assert_allclose(steps.get_data().edges, edges)
        assert steps.get_data().values.sum() == (y == place).sum()
        assert np.abs(steps.get_data().values - counts).sum() <= 2  # a score on an edge, which numpy rounds its own way
    alike = plot.ScoreDistributionDisplay.from_predictions([0, 1], [7.0, 7.0], stat="count")
    assert [steps.get_data().values.sum() for steps in alike.steps_] == [1, 1]
    infinite = rs.ScoreTable([0, 1, 1, 0], [-np.inf, 1.5, 2, 3], infinite="allow")
    assert plot.ScoreDistributionDisplay.from_tables(infinite).steps_[0].get_data().edges[[0, -1]].tolist() == [1.5, 3]


def test_scores_stand_below_the_calibration_curve(rocr):
    y, scores = rocr
    display = plot.CalibrationDisplay.from_predictions(y, scores)
    counts, _ = np.histogram(scores, bins=20, range=(0, 1))
    np.testing.assert_array_equal(display.bars_[0].get_data().values, counts)
    below, above = display.scores_ax_.get_position(), display.ax_.get_position()
    display.figure_.canvas.draw()
    assert display.scores_ax_.get_window_extent().y1 < display.ax_.get_window_extent().y0
    assert below.width == above.width
    low, high = (display.intervals_[0].get_segments()[3][end][1] for end in (0, 1))
    curve = rs.ScoreTable(y, scores).calibration()
    assert (low, high) == (curve.low[3], curve.high[3])
    assert plot.CalibrationDisplay.from_predictions(y, scores, scores=False).scores_ax_ is None
    for bins in (5, 10):
        error = rs.ScoreTable(y, scores).value("expected_calibration_error", bins=bins)
        assert words(plot.CalibrationDisplay.from_predictions(y, scores, bins=bins))[0] == f"ECE = {error:.3f}"


def test_missing_and_infinite_scores_are_left_out_of_the_axes():
    y, scores = [0, 0, 1, 1, 1], [np.nan, np.nan, 0.2, 0.4, 0.6]
    for policy in ("worst", "best"):
        table = rs.ScoreTable(y, scores, nan_policy=policy)
        display = plot.KsDisplay.from_tables(table)
        assert np.isfinite(display.line_.get_xdata()).all()
        assert np.isnan(table.ks().threshold) == (display.text_ is None)
        assert any(
            "KS = 1.000" in entry for entry in [*words(display), *(text.get_text() for text in display.ax_.texts)]
        )
        for other in (plot.ThresholdIndicesDisplay, plot.ScoreDistributionDisplay, plot.RocDisplay, plot.DetDisplay):
            assert np.isfinite(values_of(other.from_tables(table).line_)[0]).all()
    infinite = rs.ScoreTable([0, 1, 0, 1], [-np.inf, 0.0, 1.0, np.inf], infinite="allow")
    for other in (plot.KsDisplay, plot.ThresholdIndicesDisplay):
        assert len(other.from_tables(infinite).line_.get_xdata()) == 2


def test_bins_without_rows_are_gaps_in_the_bars():
    display = plot.CalibrationDisplay.from_predictions([0, 1, 1], [0.06, 0.06, 0.81])
    data = display.bars_[0].get_data()
    assert dict(zip(data.edges[:-1].round(2).tolist(), data.values.tolist(), strict=True)) == {0.05: 2, 0.1: 0, 0.8: 1}


@every_display
def test_weights_count_as_rows_do(display, rocr):
    y, scores = rocr
    times = np.random.default_rng(6).integers(1, 4, y.size)
    weighted = display.from_predictions(y, scores, sample_weight=times)
    repeated = display.from_predictions(np.repeat(y, times), np.repeat(scores, times))
    plain = display.from_predictions(y, scores)

    def areas(drawn):
        return [area_of(*values_of(line)) for line in drawn.lines_]

    np.testing.assert_allclose(areas(weighted), areas(repeated), rtol=1e-9)
    assert not np.allclose(areas(weighted), areas(plain), rtol=1e-6)
    assert words(weighted) == words(repeated)


def area_of(x, y):
    """The area below a line; points that can be left out of it do not change it."""
    if len(x) == len(y) + 1:
        return float(np.sum(np.diff(x) * y * np.arange(1, len(y) + 1)))
    known = np.isfinite(y)
    return float(np.trapezoid(y[known], x[known]))


def values_of(line):
    """x and y of a line, or edges and values of steps."""
    if isinstance(line, matplotlib.patches.StepPatch):
        return np.asarray(line.get_data().edges), np.asarray(line.get_data().values)
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


@every_display
def test_no_line_has_more_points_than_the_eye_can_use(display):
    random = np.random.default_rng(7)
    y = random.random(30_000) < 0.4
    scores = 1 / (1 + np.exp(0.7 - y - random.normal(size=y.size)))
    for most in (1000, 40):
        drawn = display.from_predictions(y, scores, max_points=most)
        assert all(len(values_of(line)[0]) <= max(most, 51) for line in drawn.lines_)
        assert len(values_of(drawn.line_)[0]) >= 10


# Several models, classes, estimators ----------------------------------------------------------------------------------------


@every_display
def test_models_come_in_any_form(display, binary):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    y, models = binary
    y, models = y[:400], {name: scores[:400] for name, scores in models.items()}
    matrix = np.column_stack(list(models.values()))
    drawn = [
        display.from_predictions(y, models),
        display.from_predictions(y, matrix, names=list(models)),
        display.from_predictions(y, matrix.tolist(), names=list(models)),
        display.from_predictions(y, pandas.DataFrame(models)),
        display.from_predictions(y, polars.DataFrame(models)),
        display.from_tables({name: rs.ScoreTable(y, scores) for name, scores in models.items()}),
    ]
    for other in drawn[1:]:
        assert words(other) == words(drawn[0])
        for line, first in zip(other.lines_, drawn[0].lines_, strict=True):
            for values, expected in zip(values_of(line), values_of(first), strict=True):
                np.testing.assert_array_equal(values, expected)
    assert any("old" in entry for entry in words(drawn[0]))


def test_legends_name_and_rate(binary, rocr):
    y, models = binary
    tables = {name: rs.ScoreTable(y, scores) for name, scores in models.items()}
    expected = [f"{name} (AUC = {table['roc_auc']:.3f})" for name, table in tables.items()]
    assert words(plot.RocDisplay.from_tables(tables)) == [*expected, "chance"]
    assert words(plot.RocDisplay.from_predictions(*rocr)) == ["AUC = 0.834", "chance"]
    assert words(plot.RocDisplay.from_predictions(*rocr, name="one"))[0] == "one (AUC = 0.834)"
    assert words(plot.PrecisionRecallDisplay.from_predictions(*rocr)) == ["AP = 0.785", "chance (prevalence = 0.465)"]
    assert words(plot.DetDisplay.from_predictions(*rocr)) == ["EER = 0.151", "chance"]
    assert words(plot.GainDisplay.from_predictions(*rocr)) == ["Gini = 0.668", "ideal", "chance"]
    assert words(plot.LiftDisplay.from_predictions(*rocr)) == ["first tenth: 1.72", "chance", "ideal"]
    assert words(plot.KsDisplay.from_predictions(*rocr, name="one"))[0] == "one: true positive rate"
    assert words(plot.KsDisplay.from_tables({"a": tables["old"], "b": tables["new"]}))[0].startswith("a (KS = 0.")
    assert words(plot.CostDisplay.from_predictions(*rocr)) == ["model", "all rows alike"]
    assert words(plot.DecisionDisplay.from_predictions(*rocr)) == ["model", "treat all", "treat none"]
    assert plot.RocDisplay.from_predictions(*rocr, legend=False).ax_.get_legend() is None
    without = plot.RocDisplay.from_predictions(*rocr, reference=False)
    assert len(without.ax_.lines) == 1
    assert "(positive: 1)" in without.ax_.get_ylabel()


def test_classes_are_drawn_against_the_rest_with_their_averages(classes):
    y, proba = classes
    tables = rs.ScoreTables(y, proba)
    display = plot.RocDisplay.from_tables(tables)
    largest = list(range(2, 12))
    entries = [f"{label} (AUC = {tables.every('roc_auc')[label]:.3f})" for label in largest]
    means = [f"{kind} average (AUC = {tables.value('roc_auc', average=kind):.3f})" for kind in ("macro", "micro")]
    assert words(display) == [*entries, *means, "chance"]
    assert display.ax_.get_legend().get_title().get_text() == "the 10 largest of 12 classes"
    assert display.ax_.get_ylabel() == "True positive rate"
    curve = tables.one_vs_rest(11).roc_curve(1000)
    np.testing.assert_array_equal(display.lines_[9].get_ydata(), curve.tpr)
    mean = tables.average_curve("fpr", "recall", points=1000)
    np.testing.assert_array_equal(display.lines_[10].get_ydata(), mean.y)
    np.testing.assert_array_equal(display.lines_[11].get_ydata(), tables.pooled().roc_curve(1000).tpr)
    same = plot.RocDisplay.from_predictions(y, proba)
    assert words(same) == words(display)


def test_classes_can_be_chosen(classes):
    tables = rs.ScoreTables(*classes)
    display = plot.PrecisionRecallDisplay.from_tables(tables, classes=[3, 0])
    assert [entry.split(" (")[0] for entry in words(display)] == ["3", "0", "micro average"]
    assert display.ax_.get_legend().get_title().get_text() == "2 of 12 classes"
    with pytest.raises(rs.InputError, match="classes is 12; expected labels of the score tables"):
        plot.RocDisplay.from_tables(tables, classes=[12])
    with pytest.raises(rs.InputError, match="classes is -1"):
        plot.RocDisplay.from_tables(tables, classes=-1)


def test_several_models_of_classes_are_their_averages(classes):
    y, proba = classes
    models = {"first": rs.ScoreTables(y, proba), "second": rs.ScoreTables(y, proba[:, ::-1])}
    display = plot.RocDisplay.from_tables(models)
    assert len(display.lines_) == 2
    assert display.ax_.get_legend().get_title().get_text() == "macro averages over the classes"
    assert f"first (AUC = {models['first'].value('roc_auc', average='macro'):.3f})" in words(display)
    pooled = plot.KsDisplay.from_predictions(y, {"first": proba, "second": proba[:, ::-1]})
    assert pooled.ax_.get_legend().get_title().get_text() == "micro averages over the classes"
    assert pooled.distances_[0].get_xdata()[0] == models["first"].pooled().ks().threshold


def test_a_class_without_rows_is_said_and_left_out_of_the_mean():
    y, proba = [0, 1, 1, 0], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    display = plot.RocDisplay.from_predictions(y, proba, labels=[0, 1, 2])
    entries = words(display)
    assert entries[2].replace("\n", " ") == "2 (undefined: no row is actually positive)"
    assert len(display.lines_[2].get_xdata()) == 0
    tables = rs.ScoreTables(y, proba, labels=[0, 1, 2])
    assert entries[3] == f"macro average (AUC = {tables.value('roc_auc', average='macro', absent='skip'):.3f})"
    assert len(display.lines_[3].get_xdata()) > 2


@every_display
@pytest.mark.parametrize("label", [0, 1])
def test_one_class_alone_is_no_crash(display, label):
    drawn = display.from_predictions([label] * 4, [0.1, 0.3, 0.3, 0.9], pos_label=1)
    pixels(drawn.figure_)
    said = [text.get_text() for text in drawn.ax_.texts]
    wanted = {0: "Nothing to draw. No row is actually\npositive.", 1: "Nothing to draw. No row is actually\nnegative."}
    index = "ks" if display is plot.KsDisplay else getattr(getattr(display, "_curve", None), "index", None)
    table = rs.ScoreTable([label] * 4, [0.1, 0.3, 0.3, 0.9], pos_label=1)
    if index is not None and table.why(index):
        assert said == [wanted[label]]
        assert all(len(line.get_xdata()) == 0 for line in drawn.lines_)
    else:
        assert len(values_of(drawn.line_)[0]) > 1


@every_display
def test_estimators_are_asked(display):
    pytest.importorskip("sklearn")
    from sklearn.datasets import make_classification
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    X, y = make_classification(400, 6, n_informative=4, n_classes=2, flip_y=0.2, random_state=0)
    model = LogisticRegression().fit(X, y)
    asked = display.from_estimator(model, X, y)
    told = display.from_predictions(y, model.predict_proba(X)[:, 1], name="LogisticRegression")
    assert words(asked) == words(told)
    np.testing.assert_array_equal(values_of(asked.line_)[1], values_of(told.line_)[1])
    both = display.from_estimator({"a": model, "b": GaussianNB().fit(X, y)}, X, y, pos_label=0)
    assert len(both.lines_) == 2 * len(asked.lines_)
    several = (y + (X[:, 0] > 1)).astype(int)
    many = display.from_estimator(LogisticRegression().fit(X, several), X, several)
    assert len(many.lines_) >= (1 if display is plot.RiskCoverageDisplay else 3)  # the most probable class alone
    with pytest.raises(rs.InputTypeError, match="estimator is .*; expected a fitted classifier"):
        display.from_estimator(object(), X, y)


def test_an_estimator_that_only_decides_is_drawn_by_its_decisions():
    pytest.importorskip("sklearn")
    from sklearn.datasets import make_classification
    from sklearn.exceptions import NotFittedError
    from sklearn.svm import LinearSVC

    X, y = make_classification(100, random_state=0)
    model = LinearSVC().fit(X, y)
    display = plot.KsDisplay.from_estimator(model, X, y)
    assert display.distances_[0].get_xdata()[0] == rs.ScoreTable(y, model.decision_function(X)).ks().threshold
    with pytest.raises(AttributeError, match="predict_proba"):
        plot.CalibrationDisplay.from_estimator(model, X, y)
    with pytest.raises(NotFittedError):
        plot.RocDisplay.from_estimator(LinearSVC(), X, y)


def test_decisions_on_pairs_of_classes_are_not_taken_for_classes():
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC

    random = np.random.default_rng(10)
    X = random.normal(size=(90, 2))
    y = np.arange(90) % 3
    pairs = SVC(decision_function_shape="ovo")
    assert pairs.fit(X, y).decision_function(X).shape == (90, 3)
    for model in (pairs, make_pipeline(pairs), GridSearchCV(make_pipeline(pairs), {"svc__C": [1]}, cv=2)):
        with pytest.raises(rs.InputTypeError, match="estimator is .*; expected one that decides on classes"):
            plot.RocDisplay.from_estimator(model.fit(X, y), X, y)
    assert len(plot.RocDisplay.from_estimator(SVC().fit(X, y), X, y).lines_) == 5


def test_estimators_are_asked_rightly(rocr):
    pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression

    y, scores = rocr
    X = scores.reshape(-1, 1)
    with pytest.raises(rs.InputError, match="response_method is 'predict'; expected 'auto'"):
        plot.RocDisplay.from_estimator(LogisticRegression().fit(X, y), X, y, response_method="predict")
    with pytest.raises(rs.InputError, match="estimator is {}; expected at least one"):
        plot.RocDisplay.from_estimator({}, X, y)
    several = y + (scores > 0.7)
    with pytest.raises(rs.InputError, match="pos_label is 1; expected None, as there are 3 classes"):
        plot.RocDisplay.from_estimator(LogisticRegression().fit(X, several), X, several, pos_label=1)
    with pytest.raises(rs.InputError, match="pos_label is 1; expected None, as there are 3 classes"):
        plot.RocDisplay.from_predictions([0, 1, 2], np.eye(3), pos_label=1)


# Refusals -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y_score", "options", "message"),
    [
        ({}, {}, "y_score"),
        (np.zeros((2, 2)), {"names": ["a"]}, "names"),
        ({"a": [0, 1]}, {"names": ["b"]}, "names"),
        ([0.1, 0.2], {"name": "a", "names": ["b"]}, "names is .*; expected None, as name is given"),
        (np.zeros((2, 2, 2)), {}, "y_score has shape"),
        ([0.1], {}, "y_score"),
        ([0.1, np.nan], {}, "y_score"),
    ],
)
def test_bad_scores_are_refused(y_score, options, message):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=message):
        plot.RocDisplay.from_predictions([0, 1], y_score, **options)


def test_bad_tables_are_refused(classes):
    table, tables = rs.ScoreTable([0, 1], [0, 3]), rs.ScoreTables(*classes)
    for wrong in (7, [table], {"a": table, "b": tables}, {"a": None}):
        with pytest.raises(
            rs.InputTypeError,
            match="tables is .*; expected a ScoreTable, a ScoreTables, a LabelScoreTables, or a mapping",
        ):
            plot.RocDisplay.from_tables(wrong)
    with pytest.raises(rs.InputError, match="tables"):
        plot.RocDisplay.from_tables({})
    with pytest.raises(rs.InputError, match=r"y_score is 3; expected .* probabilities"):
        plot.CalibrationDisplay.from_tables(table)
    with pytest.raises(rs.InputError, match=r"y_score is 3; expected probabilities"):
        plot.DecisionDisplay.from_tables(table)
    with pytest.raises(rs.UnknownIndexError):
        plot.ThresholdIndicesDisplay.from_tables(table, indices=["nothing"])
    with pytest.raises(rs.InputError, match="indices"):
        plot.ThresholdIndicesDisplay.from_tables(table, indices=[])
    for wrong in (0, 1.5):
        with pytest.raises((rs.InputError, rs.InputTypeError), match=f"bins is {wrong}; expected a whole number"):
            plot.ScoreDistributionDisplay.from_tables(table, bins=wrong)
    with pytest.raises(rs.InputError, match="stat is 'sum'; expected 'share' or 'count'"):
        plot.ScoreDistributionDisplay.from_tables(table, stat="sum")
    with pytest.raises(rs.InputTypeError, match="matrix is .*; expected a ConfusionMatrix"):
        plot.ConfusionMatrixDisplay.from_matrix(np.eye(2))


def test_without_matplotlib_the_error_says_what_to_install():
    program = """
import sys
sys.modules["matplotlib"] = sys.modules["matplotlib.pyplot"] = None
import rocksteady as rs
for display in (rs.plot.RocDisplay, rs.plot.ConfusionMatrixDisplay):
    try:
        display.from_predictions([0, 1], [0, 1])
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all("requires matplotlib" in line for line in lines)
    assert lines[0].startswith("RocDisplay.from_predictions")


# The picture ----------------------------------------------------------------------------------------------------------------


def same_axes():
    figure, axes = plt.subplots(figsize=(5, 5), layout="compressed")
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), box_aspect=1)
    return figure, axes


def test_roc_is_what_matplotlib_alone_would_draw(rocr):
    table = rs.ScoreTable(*rocr)
    figure, axes = same_axes()
    # All thresholds, from the counts: what is left out of the display cannot be seen.
    counts = table.counts()
    axes.plot(counts.fp / 107, counts.tp / 93, color="#0072b2", linewidth=1.8)
    axes.set(xlabel="False positive rate", ylabel="True positive rate (positive: 1)")
    display = plot.RocDisplay.from_tables(table, reference=False, legend=False)
    ours, plain = pixels(display.figure_).astype(float), pixels(figure).astype(float)
    assert ours.shape == plain.shape
    assert np.sqrt(np.mean((ours - plain) ** 2)) < 1
    # One row fewer is seen.
    other = rs.ScoreTable(rocr[0][1:], rocr[1][1:])
    wrong = plot.RocDisplay.from_tables(other, reference=False, legend=False)
    assert np.sqrt(np.mean((pixels(wrong.figure_).astype(float) - plain) ** 2)) > 1


def test_precision_holds_from_the_recall_before(rocr):
    table = rs.ScoreTable(*rocr)
    figure, axes = same_axes()
    corners = [(0.0, 1.0)]
    for recall, precision in zip(table.every("recall")[1:], table.every("precision")[1:], strict=True):
        if recall > corners[-1][0]:
            corners += [(corners[-1][0], precision), (recall, precision)]
    corners.append((1.0, 0.465))
    axes.plot(*zip(*corners, strict=True), color="#0072b2", linewidth=1.8)
    axes.set(xlabel="Recall (positive: 1)", ylabel="Precision")
    display = plot.PrecisionRecallDisplay.from_tables(table, reference=False, legend=False)
    ours, plain = pixels(display.figure_).astype(float), pixels(figure).astype(float)
    assert np.sqrt(np.mean((ours - plain) ** 2)) < 2
    display.line_.set_drawstyle("default")
    assert np.sqrt(np.mean((pixels(display.figure_).astype(float) - plain) ** 2)) > 2


@every_display
def test_hostile_names_are_drawn_as_they_are(display, binary):
    y, models = binary
    names = list(HOSTILE)
    scores = {name: models["old"][:300] ** power for name, power in HOSTILE.items()}
    drawn = display.from_predictions(y[:300], scores)
    all_words = "".join(words(drawn)).replace("\n", "").replace(" ", "")
    for name in names:
        assert name.replace("\n", "").replace(" ", "") in all_words
    drawn.figure_.draw_without_rendering()
    box = drawn.ax_.get_legend().get_window_extent()
    assert 0 <= box.x0 < box.x1 <= drawn.figure_.bbox.x1
    # A user's own legend of the same lines must not fail on them either.
    drawn.figure_.set_layout_engine("none")  # which has no room for all that it would say
    drawn.ax_.legend()
    drawn.figure_.draw_without_rendering()


def test_dollars_are_drawn_as_they_are(binary):
    y, models = binary
    drawn = plot.RocDisplay.from_predictions(y, {name: models["old"] ** power for name, power in HOSTILE.items()})
    pixels(drawn.figure_)
    drawn.figure_.set_layout_engine("none")  # which moves everything a little, each time
    before = pixels(drawn.figure_)
    for text in drawn.ax_.get_legend().get_texts():
        text.set_text(text.get_text().replace(r"\$", "$"))
        text.set_parse_math(False)
    np.testing.assert_array_equal(pixels(drawn.figure_), before)


def test_hostile_labels_are_drawn_as_they_are():
    labels = ["$a$", "_b", "c\nd", "e" * 200]
    y = np.array(labels)[[0, 1, 2, 3, 3]]
    display = plot.ConfusionMatrixDisplay.from_predictions(y, y[::-1])
    shown = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert shown == [r"\$a\$", "_b", r"c\nd", "e" * 23 + "…"]
    pixels(display.figure_)
    display = plot.RocDisplay.from_predictions(y[:2], [0.1, 0.7], pos_label="$a$")
    assert display.ax_.get_ylabel() == r"True positive rate (positive: \$a\$)"
    pixels(display.figure_)


def drawn_of_each_kind(rocr, binary, classes):
    y, models = binary
    matrix = rs.ConfusionMatrix(classes[0], classes[1].argmax(axis=1))
    for display in OF_SCORES:
        yield display.from_predictions(*rocr)
        yield display.from_predictions(
            y, {**models, "a model with a name that is long, and longer than that": models["old"] ** 2}
        )
        yield display.from_predictions(*classes)
    treated, control = (rs.ScoreTable(y, models[name]) for name in ("old", "new"))
    curves = {
        "new": (found := rs.scores.uplift(treated, control)),
        "a model with a name that is long, and longer": found,
    }
    for kind in ("qini", "uplift", "toc"):
        yield plot.UpliftDisplay.from_curves(curves, kind)
    yield plot.ConfusionMatrixDisplay.from_matrix(matrix)
    yield plot.ClassPredictionErrorsDisplay.from_matrix(matrix)
    yield plot.ConfusionMatrixDisplay.from_predictions(rocr[0], rocr[1] > 0.5)


def test_no_word_is_cut_off_or_lies_on_another(rocr, binary, classes):
    seen = 0
    for display in drawn_of_each_kind(rocr, binary, classes):
        found = texts(display.figure_)
        frame = display.figure_.bbox
        for place, (text, box) in enumerate(found):
            inside = box.x0 >= -1 and box.x1 <= frame.x1 + 1 and box.y0 >= -1 and box.y1 <= frame.y1 + 1
            assert inside, f"{type(display).__name__}: {text.get_text()!r} leaves the figure"
            if text.get_rotation() % 90:
                continue  # their boxes are larger than they
            for other, its in found[place + 1 :]:
                apart = box.x1 <= its.x0 + 1 or its.x1 <= box.x0 + 1 or box.y1 <= its.y0 + 1 or its.y1 <= box.y0 + 1
                assert apart or other.get_rotation() % 90, (
                    f"{type(display).__name__}: {text.get_text()!r} and {other.get_text()!r} overlap"
                )
            seen += 1
        plt.close(display.figure_)
    assert seen > 400


def test_the_ks_label_lies_on_neither_curve(rocr, binary):
    y, models = binary
    for labels, scores in (rocr, (y, models["old"]), (y, models["new"]), (~y, models["new"]), (y, models["old"] ** 4)):
        display = plot.KsDisplay.from_predictions(labels, scores)
        display.figure_.canvas.draw()
        box = display.text_.get_window_extent()
        for line in (display.line_, display.fpr_lines_[0]):
            inside = box.containsx, box.containsy
            points = line.axes.transData.transform(np.column_stack(line.get_data()))
            assert not any(inside[0](x) and inside[1](height) for x, height in points)


def test_a_legend_beside_the_axes_takes_nothing_from_them(classes):
    few = plot.RocDisplay.from_predictions(*classes, classes=[1])
    many = plot.RocDisplay.from_predictions(*classes)
    for display in (few, many):
        display.figure_.canvas.draw()
    assert few.ax_.get_legend().get_window_extent().x1 <= few.ax_.get_window_extent().x1
    assert many.ax_.get_legend().get_window_extent().x0 >= many.ax_.get_window_extent().x1
    assert many.ax_.get_window_extent().width > 0.9 * few.ax_.get_window_extent().width


def grey(place):
    """A line of the style at a place, as a printer without colour sees it."""
    figure, axes = plt.subplots(figsize=(3, 1))
    axes.axis("off")
    style = style_of(place)
    axes.plot([0, 1], [0, 0], color=style.light, linestyle=(0, style.dashes) if style.dashes else "-", linewidth=3)
    image = pixels(figure)[..., :3] @ [0.299, 0.587, 0.114]
    plt.close(figure)
    return image


def test_lines_differ_without_colour():
    images = [grey(place) for place in range(12)]
    for place, image in enumerate(images):
        assert (image < 200).sum() > 100
        for other in images[place + 1 :]:
            assert (np.abs(image - other) > 20).sum() > 50


# Machado, Oliveira, Fernandes 2009, A physiologically-based model for simulation of color vision deficiency,
# doi:10.1109/TVCG.2009.113, at severity 1.
SEEN_BY = {
    "anybody": np.eye(3),
    "protanopes": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopes": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopes": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour):
    values = np.array(matplotlib.colors.to_rgb(colour))
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIELAB of linear sRGB, in which 2.3 is a difference that is just noticed."""
    xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    ratios = xyz @ np.clip(rgb, 0, 1) / [0.95047, 1, 1.08883]
    x, y, z = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("page", ["light", "dark"])
@pytest.mark.parametrize("who", list(SEEN_BY))
def test_the_colour_blind_tell_colours_apart(page, who):
    seen = [lab(SEEN_BY[who] @ linear(getattr(style_of(place), page))) for place in range(6)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > 12


def test_colours_stand_out_from_the_page():
    for place in range(6):
        style = style_of(place)
        # Web Content Accessibility Guidelines 2.2, 1.4.11: 3 to 1.
        light, dark = ([0.2126, 0.7152, 0.0722] @ linear(colour) for colour in style[:2])
        assert 1.05 / (light + 0.05) > 3
        assert (dark + 0.05) / 0.05 > 4.5


def test_dark_axes_have_light_lines(rocr):
    with plt.style.context("dark_background"):
        display = plot.RocDisplay.from_predictions(*rocr)
    assert display.line_.get_color() == "#4aa8e0"
    assert plot.RocDisplay.from_predictions(*rocr).line_.get_color() == "#0072b2"


@every_display
def test_displays_draw_on_given_axes_as_often_as_asked(display, rocr):
    figure, axes = plt.subplots(1, 2)
    drawn = display.from_predictions(*rocr, ax=axes[0])
    assert drawn.ax_ is axes[0]
    assert drawn.figure_ is figure
    first = [values_of(line)[1] for line in drawn.lines_]
    empty = pixels(figure)[:, figure.canvas.get_width_height()[0] // 2 :]
    assert drawn.plot(ax=axes[1], linewidth=0.5) is drawn
    assert drawn.ax_ is axes[1]
    for before, line in zip(first, drawn.lines_, strict=True):
        np.testing.assert_array_equal(values_of(line)[1], before)
        assert line.get_linewidth() == 0.5
    assert (pixels(figure)[:, figure.canvas.get_width_height()[0] // 2 :] != empty).any()
    short = display.from_predictions(*rocr, lw=3)
    assert short.line_.get_linewidth() == 3
    assert short.figure_ is not figure


# Axes that are shared -------------------------------------------------------------------------------------------------------

LINES = [
    display for display in OF_SCORES if display not in (plot.ScoreDistributionDisplay, plot.ThresholdIndicesDisplay)
]


@pytest.mark.parametrize("display", [one for one in LINES if one is not plot.KsDisplay], ids=id_of)
def test_displays_share_axes_as_one_display_of_both_would_draw(display, binary):
    y, models = binary
    both = display.from_predictions(y, models)
    first = display.from_predictions(y, models["old"], name="old")
    second = display.from_predictions(y, models["new"], name="new", ax=first.ax_)
    assert words(second) == words(both)
    for line, same in zip((first.line_, second.line_), both.lines_, strict=True):
        assert line.get_color() == same.get_color()
        np.testing.assert_array_equal(values_of(line)[1], values_of(same)[1])
    # Both are within the axes, whichever came first.
    other = display.from_predictions(y, models["new"], name="new")
    display.from_predictions(y, models["old"], name="old", ax=other.ax_)
    np.testing.assert_allclose(other.ax_.get_ylim(), both.ax_.get_ylim())
    np.testing.assert_allclose(other.ax_.get_xlim(), both.ax_.get_xlim())


def test_scores_of_displays_that_share_axes_stand_together(binary):
    y, models = binary
    first = plot.CalibrationDisplay.from_predictions(y, models["old"])
    second = plot.CalibrationDisplay.from_predictions(y[:500], models["new"][:500], ax=first.ax_)
    assert second.scores_ax_ is first.scores_ax_
    assert first.scores_ax_.get_ylim()[1] >= first.bars_[0].get_data().values.max()


def test_a_second_ks_chart_has_colours_of_its_own(binary):
    y, models = binary
    first = plot.KsDisplay.from_predictions(y, models["old"])
    second = plot.KsDisplay.from_predictions(y, models["new"], name="new", ax=first.ax_)
    ours = {first.line_.get_color(), first.fpr_lines_[0].get_color()}
    assert second.line_.get_color() not in ours
    assert second.fpr_lines_[0].get_color() == second.line_.get_color()
    assert words(second)[:2] == ["true positive rate", "false positive rate"]
    assert words(second)[2].startswith("new (KS = ")


def test_a_second_display_of_indices_has_dashes_of_its_own(binary):
    y, models = binary
    first = plot.ThresholdIndicesDisplay.from_predictions(y, models["old"], indices=["f1"])
    second = plot.ThresholdIndicesDisplay.from_predictions(y, models["new"], indices=["f1"], name="new", ax=first.ax_)
    assert first.line_.get_color() == second.line_.get_color()
    assert first.line_.is_dashed() != second.line_.is_dashed()
    assert words(second)[1:] == ["f1", "new"]


def test_axes_can_be_made_logarithmic(rocr):
    display = plot.RocDisplay.from_predictions(*rocr)
    display.ax_.set(xscale="log", xlim=(0.001, 1))
    display.figure_.draw_without_rendering()
    box = display.ax_.get_window_extent()
    assert box.width == pytest.approx(box.height)
    assert box.width > 300


def test_many_displays_of_one_name_are_told_apart(binary):
    y, models = binary
    first = plot.CostDisplay.from_predictions(y, models["old"])
    lines = [first.line_]
    for _ in range(7):
        display = plot.CostDisplay.from_predictions(y, models["new"], ax=first.ax_)
        lines.append(display.line_)
    assert words(display) == ["model"] * 8 + ["all rows alike"]
    looks = {(line.get_color(), str(line._unscaled_dash_pattern)) for line in lines}
    assert len(looks) == 8


def test_lines_of_a_user_stay_in_the_legend(rocr):
    axes = plt.subplots()[1]
    axes.plot([0, 1], [0.5, 1], label="a $ of mine")
    display = plot.RocDisplay.from_predictions(*rocr, ax=axes)
    assert words(display) == ["a $ of mine", "AUC = 0.834", "chance"]
    axes.clear()
    assert words(display.plot(ax=axes)) == ["AUC = 0.834", "chance"]
    assert display.line_.get_color() == "#0072b2"


@every_display
@pytest.mark.parametrize("wrong", [3, "axes", np.empty(2, dtype=object)])
def test_what_is_no_axes_is_refused(display, wrong, rocr):
    with pytest.raises(rs.InputTypeError, match="ax is .*; expected matplotlib axes"):
        display.from_predictions(*rocr, ax=wrong)


def test_polar_axes_are_refused(rocr):
    with pytest.raises(rs.InputTypeError, match="ax is .*; expected matplotlib axes"):
        plot.RocDisplay.from_predictions(*rocr, ax=plt.figure().add_subplot(projection="polar"))


@every_display
def test_properties_of_lines_are_obeyed(display, rocr):
    drawn = display.from_predictions(*rocr, c="red", lw=3, alpha=0.5)
    for line in drawn.lines_:
        colour = line.get_edgecolor() if display is plot.ScoreDistributionDisplay else line.get_color()
        assert matplotlib.colors.to_rgb(colour) == (1, 0, 0)
        assert (line.get_linewidth(), line.get_alpha()) == (3, 0.5)
    if len(drawn.lines_) == 1:
        assert words(display.from_predictions(*rocr, label="$ mine"))[0] == "$ mine"
    else:
        with pytest.raises(rs.InputError, match="label is 'mine'; expected None"):
            display.from_predictions(*rocr, label="mine")


def test_all_of_a_calibration_has_the_colour_of_its_line(rocr):
    display = plot.CalibrationDisplay.from_predictions(*rocr, color="red")
    assert matplotlib.colors.to_rgb(display.intervals_[0].get_color()[0]) == (1, 0, 0)
    assert matplotlib.colors.to_rgb(display.bars_[0].get_facecolor()) == (1, 0, 0)


@every_display
def test_a_display_can_be_kept(display, rocr):
    drawn = display.from_predictions(*rocr)
    again = pickle.loads(pickle.dumps(drawn))
    assert words(again) == words(drawn)
    np.testing.assert_array_equal(values_of(again.plot().line_)[1], values_of(drawn.line_)[1])


@every_display
def test_all_points_or_few_are_drawn_as_asked(display, rocr):
    assert len(values_of(display.from_predictions(*rocr, max_points=None).line_)[1]) >= 7
    for wrong, error in ((1, rs.InputError), ("many", rs.InputTypeError)):
        with pytest.raises(error, match=f"max_points is {wrong!r}; expected a whole number of points"):
            display.from_predictions(*rocr, max_points=wrong)


@every_display
def test_rows_without_weight_are_no_crash(display):
    drawn = display.from_predictions([0, 1, 1], [0.2, 0.4, 0.7], sample_weight=[0, 0, 0])
    drawn.figure_.draw_without_rendering()


@every_display
def test_one_score_for_all_rows_is_seen(display):
    drawn = display.from_predictions([0, 1, 1, 0], [0.5] * 4)
    heights = values_of(drawn.line_)[1]
    assert np.isfinite(heights).sum() > 1 or drawn.line_.get_marker() not in ("", "None")


@every_display
def test_long_legends_leave_room_for_the_drawing(display, binary):
    y, models = binary
    drawn = display.from_predictions(
        y[:200], {f"model {place}": models["old"][:200] ** place for place in range(1, 31)}
    )
    drawn.figure_.draw_without_rendering()
    legend, frame = drawn.ax_.get_legend().get_window_extent(), drawn.figure_.bbox
    assert legend.y0 >= 0
    assert legend.x1 <= frame.x1
    assert drawn.ax_.get_window_extent().width > 300
    # Axes that were given are not pressed flat, whatever the figure makes room for.
    figure, axes = plt.subplots(2, 2, layout="constrained")
    display.from_predictions(y[:200], {"short": models["old"][:200], "long " * 20: models["new"][:200]}, ax=axes[0, 0])
    figure.draw_without_rendering()
    assert axes[0, 0].get_window_extent().width > 90


# Confusion matrices ---------------------------------------------------------------------------------------------------------


def test_cells_have_counts_and_shares(rocr):
    y, scores = rocr
    display = plot.ConfusionMatrixDisplay.from_predictions(y, (scores >= 0.5).astype(int))
    assert [[text.get_text() for text in row] for row in display.text_] == [
        ["91\n85%", "16\n15%"],
        ["14\n15.1%", "79\n84.9%"],
    ]
    np.testing.assert_array_equal(display.im_.get_array(), display.matrix.normalize("true"))
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("Predicted", "Actual (positive: 1)")
    of_all = plot.ConfusionMatrixDisplay.from_matrix(display.matrix, normalize="all", include_values=False)
    np.testing.assert_array_equal(of_all.im_.get_array(), display.matrix.normalize("all"))
    assert of_all.text_ is None


def test_words_in_cells_stand_out():
    display = plot.ConfusionMatrixDisplay.from_matrix(rs.ConfusionMatrix.from_counts([[99, 1], [50, 50]]))
    for (row, column), text in np.ndenumerate(display.text_):
        back = np.array(display.im_.cmap(display.im_.norm(display.im_.get_array()[row, column]))[:3]) @ [
            0.299,
            0.587,
            0.114,
        ]
        assert abs(back - matplotlib.colors.to_rgb(text.get_color())[0]) > 0.45


@pytest.mark.parametrize(
    ("count", "shares", "numbers"), [(8, True, True), (9, False, True), (20, False, True), (21, False, False)]
)
def test_more_classes_have_less_in_their_cells(count, shares, numbers):
    cells = np.arange(count * count).reshape(count, count)
    display = plot.ConfusionMatrixDisplay.from_matrix(rs.ConfusionMatrix.from_counts(cells))
    assert (display.text_ is not None) == numbers
    if numbers:
        assert ("%" in display.text_[1, 1].get_text()) == shares
        display.figure_.canvas.draw()
        side = display.ax_.get_window_extent().width / count
        assert max(text.get_window_extent().width for text in display.text_.flat) < side


def test_a_hundred_classes_can_be_read():
    random = np.random.default_rng(8)
    y = random.integers(0, 100, 5_000)
    display = plot.ConfusionMatrixDisplay.from_predictions(y, np.where(random.random(5_000) < 0.7, y, 99 - y))
    assert display.text_ is None
    assert display.im_.get_clim() == (0, display.matrix.normalize("true").max())
    ticks = display.ax_.get_yticklabels()
    assert 20 <= len(ticks) <= 25
    assert (ticks[0].get_text(), ticks[1].get_text()) == ("0", "4")
    assert display.ax_.get_ylabel() == "Actual (100 classes)"
    display.figure_.canvas.draw()
    boxes = [tick.get_window_extent() for tick in ticks]
    assert all(below.y1 < above.y0 for above, below in pairwise(boxes))


def test_estimators_of_classes_are_asked_for_predictions():
    pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression

    random = np.random.default_rng(9)
    X = random.normal(size=(200, 3))
    y = np.array(["cat", "dog", "eel"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    model = LogisticRegression().fit(X, y)
    display = plot.ConfusionMatrixDisplay.from_estimator(model, X, y, sample_weight=np.full(200, 2.0))
    np.testing.assert_array_equal(display.matrix.to_array(), 2.0 * rs.ConfusionMatrix(y, model.predict(X)).to_array())
    with pytest.raises(rs.InputTypeError, match="estimator"):
        plot.ConfusionMatrixDisplay.from_estimator(object(), X, y)


# Evaluations ----------------------------------------------------------------------------------------------------------------


def test_an_evaluation_draws_itself(binary):
    y, models = binary
    ev = rs.evaluate(y, models)
    for name, display in (
        ("roc", plot.RocDisplay),
        ("precision_recall", plot.PrecisionRecallDisplay),
        ("det", plot.DetDisplay),
        ("gain", plot.GainDisplay),
        ("lift", plot.LiftDisplay),
        ("ks", plot.KsDisplay),
        ("calibration", plot.CalibrationDisplay),
        ("cost", plot.CostDisplay),
        ("decision", plot.DecisionDisplay),
    ):
        axes = plt.subplots()[1]
        drawn = getattr(ev.plot, name)(ax=axes)
        assert type(drawn) is display
        assert drawn.ax_ is axes
        assert words(drawn) == words(display.from_predictions(y, models))
        plt.close("all")
    assert list(ev.plot.threshold_indices("f1", "mcc").indices) == ["f1", "mcc"]
    assert list(ev.plot.threshold_indices().indices) == ["precision", "recall", "f1", "mcc"]
    assert ev.plot.confusion_matrix().matrix == ev.models["old"].confusion
    assert ev.plot.confusion_matrix("new").matrix == ev.models["new"].confusion
    assert ev.plot.score_distribution("new").threshold == 0.5
    with pytest.raises(rs.InputError, match="model is 'none'; expected one of the models 'old', 'new'"):
        ev.plot.confusion_matrix("none")


def test_a_single_model_has_its_name_if_it_was_given_one(rocr):
    assert words(rs.evaluate(*rocr).plot.roc())[0] == "AUC = 0.834"
    assert words(rs.evaluate(*rocr, names=["mine"]).plot.roc())[0] == "mine (AUC = 0.834)"


def test_overviews_hold_what_there_is(rocr, binary, classes):
    y, proba = classes

    def titles(evaluation):
        figure = evaluation.plot.overview()
        for text, box in texts(figure):
            assert box.x0 >= -1, text
            assert box.x1 <= figure.bbox.x1 + 1, text
        check_overview(figure, is_binary=evaluation.is_binary)
        found = [axes.get_title() for axes in figure.axes]
        plt.close(figure)
        return found

    common = ["ROC", "Precision and recall", "Gain"]
    ks = "Kolmogorov–Smirnov"
    assert titles(rs.evaluate(*rocr)) == [*common, ks, "Calibration", "Confusion matrix"]
    assert titles(rs.evaluate(rocr[0], 3 * rocr[1])) == [*common, ks, "Confusion matrix"]
    of_classes = ["Confusion matrix", "Class prediction errors"]
    assert titles(rs.evaluate(y, y_pred=y)) == of_classes
    assert titles(rs.evaluate(y, y_proba=proba)) == [*common, "Calibration", *of_classes]
    matrices = ["Confusion matrix: old", "Confusion matrix: new"]
    assert titles(rs.evaluate(*binary)) == [*common, ks, "Calibration", *matrices]


def check_overview(figure, *, is_binary):
    """No cell is empty, no legend lies on a curve, and there is one kind of average."""
    drawings = [axes for axes in figure.axes if axes.get_title()]
    rows, words = {}, []
    for axes in drawings:
        place = axes.get_subplotspec()
        rows.setdefault(place.rowspan.start, []).append((place.colspan.start, place.colspan.stop))
        if axes.get_legend() is not None:
            assert axes.get_legend().get_window_extent().y1 <= axes.get_window_extent().y0
            words += [text.get_text() for text in axes.get_legend().get_texts()]
    for columns in rows.values():  # each begins where the one before ends
        starts, stops = zip(*sorted(columns), strict=True)
        assert (starts[0], stops[-1]) == (0, drawings[0].get_gridspec().ncols)
        assert starts[1:] == stops[:-1]
    assert not [word for word in words if word.startswith("macro")]
    curves = 0 if is_binary or len(drawings) == 2 else 4
    assert len([word for word in words if word.startswith("micro average")]) == curves


def test_one_average_is_drawn_where_one_is_asked_for(classes):
    def names(display):
        return [line.get_label().partition(" (")[0] for line in display.lines_[10:]]  # after the ten largest classes

    assert names(plot.RocDisplay.from_predictions(*classes)) == ["macro average", "micro average"]
    assert names(plot.RocDisplay.from_predictions(*classes, average="micro")) == ["micro average"]
    assert names(plot.RocDisplay.from_predictions(*classes, average="macro")) == ["macro average"]
    assert names(plot.PrecisionRecallDisplay.from_predictions(*classes, average="micro")) == ["micro average"]
    with pytest.raises(rs.InputError, match="average is 'macro'; expected 'micro' or None"):
        plot.PrecisionRecallDisplay.from_predictions(*classes, average="macro")
    with pytest.raises(rs.InputError, match="average is 'mean'; expected 'macro' or 'micro'"):
        plot.RocDisplay.from_predictions(*classes, average="mean")


def test_prediction_errors_are_bars_of_the_matrix(classes):
    y, proba = classes
    predicted = np.unique(y)[proba.argmax(axis=1)]
    display = plot.ClassPredictionErrorsDisplay.from_predictions(y, predicted)
    cells = display.matrix.to_array()
    heights = [[bar.get_height() for bar in bars] for bars in display.bars_]
    np.testing.assert_allclose(heights, cells)
    right = [bars[place].get_y() for place, bars in enumerate(display.bars_)]
    assert right == [0.0] * len(cells)
    with pytest.raises(rs.InputTypeError, match="matrix is"):
        plot.ClassPredictionErrorsDisplay.from_matrix(cells)
    with pytest.raises(rs.InputTypeError, match="a fitted classifier"):
        plot.ClassPredictionErrorsDisplay.from_estimator(object(), proba, y)


def test_an_evaluation_of_classes_only_has_no_curves():
    ev = rs.evaluate([0, 1, 1], y_pred=[0, 1, 0])
    for draw in (ev.plot.roc, ev.plot.score_distribution):
        with pytest.raises(rs.InputError, match="ha(s|ve) no scores|no model has scores"):
            draw()


def test_pictures_of_the_page_are_small_and_all_there():
    page = Path(__file__).parents[2] / "docs" / "plots.md"
    if not page.exists():
        pytest.skip("a source distribution has no docs/")
    shown = re.findall(r"\]\(images/([^)]+)\)", page.read_text(encoding="utf-8"))
    sizes = [(page.parent / "images" / name).stat().st_size for name in shown]
    assert len(set(shown)) == len(shown) >= 12
    assert max(sizes) < 60_000
    assert sum(sizes) < 600_000

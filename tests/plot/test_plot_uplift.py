"""Uplift, Qini and TOC curves: the same numbers in both painters."""

import pickle
from xml.etree import ElementTree as ET

import numpy as np
import pytest

pytest.importorskip("matplotlib").use("Agg")

from matplotlib import pyplot as plt

import rocksteady as rs
from rocksteady.charts.uplift import KINDS, MAX_POINTS, uplift_chart
from rocksteady.report.svg import svg


def curve_of(seed, rows=400, digits=2):
    rng = np.random.default_rng(seed)
    treatment, x = rng.integers(0, 2, rows), rng.normal(size=rows)
    y = rng.random(rows) < 0.3 + 0.2 * treatment * (x > 0)
    by = rs.group_by(y, y_score=(x + rng.normal(size=rows)).round(digits), by=treatment, pos_label=True)
    return rs.scores.uplift(by.score_table(1), by.score_table(0))


CURVES = {"new": curve_of(1), "old": curve_of(2)}


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.mark.parametrize(
    ("kind", "area", "values"),
    [
        ("qini", "Qini = {0.qini_coefficient:.3f}", lambda curve: curve.qini),
        ("uplift", "AUUC = {0.auuc:.3f}", lambda curve: curve.uplift),
        ("toc", "AUTOC = {0.autoc:.3f}", lambda curve: curve.effect - curve.effect[-1]),
    ],
)
def test_the_lines_are_the_curves_and_the_legend_has_their_areas(kind, area, values):
    display = rs.plot.UpliftDisplay.from_curves(CURVES, kind)
    for (name, curve), line in zip(CURVES.items(), display.lines_, strict=True):
        rows = curve.treated + curve.control
        np.testing.assert_array_equal(line.get_xdata(), rows / rows[-1])
        np.testing.assert_array_equal(line.get_ydata(), values(curve))
        assert line.get_label() == f"{name} ({area.format(curve)})"
    assert rs.plot.UpliftDisplay.from_curves(CURVES["old"], kind).line_.get_label() == area.format(CURVES["old"])
    ends = {float(line.get_ydata()[-1]) for line in display.reference_lines_}
    assert ends == ({0.0} if kind == "toc" else {float(values(curve)[-1]) for curve in CURVES.values()})
    words = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert words == [*(line.get_label() for line in display.lines_), "chance"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_static_painter_draws_the_same_chart(kind):
    chart = uplift_chart(CURVES, kind)
    drawn = ET.fromstring(svg(chart))
    assert chart.title in "".join(drawn.itertext())
    assert len([each for each in drawn.iter() if each.tag.endswith(("polyline", "path"))]) >= len(chart.series)


def test_many_points_are_thinned_and_the_ends_stay():
    curve = curve_of(3, rows=20_000, digits=9)
    display = rs.plot.UpliftDisplay.from_curves(curve, reference=False, legend=False, linewidth=3)
    assert MAX_POINTS // 2 < len(display.line_.get_xdata()) <= MAX_POINTS
    assert display.line_.get_xdata()[[0, -1]].tolist() == [0, 1]
    assert display.line_.get_ydata()[-1] == curve.qini[-1]
    assert (display.reference_lines_, display.ax_.get_legend(), display.line_.get_linewidth()) == ([], None, 3)


@pytest.mark.parametrize("wrong", [3, {}, {"a": 3}, [CURVES["new"]], rs.ScoreTable([0, 1], [0.1, 0.2])])
def test_what_is_no_curve_is_refused(wrong):
    with pytest.raises(rs.InputTypeError, match="expected an UpliftCurve, as rocksteady.scores.uplift gives"):
        rs.plot.UpliftDisplay.from_curves(wrong)
    with pytest.raises(rs.InputError, match="kind is 'roc'; expected"):
        rs.plot.UpliftDisplay.from_curves(CURVES, "roc")


def test_it_draws_on_given_axes_names_of_any_kind_and_can_be_kept():
    figure, axes = plt.subplots()
    name = "a $b$ _c " + "long " * 20
    display = rs.plot.UpliftDisplay({name: CURVES["new"], "_": CURVES["old"]})
    assert "not drawn yet" in repr(display)
    for _ in range(2):
        assert display.plot(axes) is display
        assert (display.ax_, display.figure_) == (axes, figure)
    figure.draw_without_rendering()
    words = "".join(text.get_text() for text in axes.get_legend().get_texts()).replace("\\$", "$")
    assert name.replace(" ", "") in words.replace("\n", "").replace(" ", "")
    assert "_ (Qini" in words
    kept = pickle.loads(pickle.dumps(rs.plot.UpliftDisplay(CURVES["new"])))
    assert kept.plot().line_.get_ydata().tolist() == CURVES["new"].qini.tolist()
    with pytest.raises(rs.InputTypeError, match="ax is 3; expected matplotlib axes"):
        display.plot(3)

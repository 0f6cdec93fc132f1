"""Displays of score tables draw a line for each group."""

import numpy as np
import pytest

pytest.importorskip("matplotlib").use("Agg")

from matplotlib import pyplot as plt

import rocksteady as rs
from rocksteady.plot.curves import DISPLAYS

RNG = np.random.default_rng(11)
Y = RNG.random(600) < 0.4
SCORES = np.clip(0.3 * Y + RNG.random(600) * 0.7, 0, 1)
REGION = RNG.choice(["north", "south", "west"], 600, p=[0.5, 0.3, 0.2])


@pytest.fixture(scope="module")
def by():
    return rs.group_by(Y, y_score=SCORES, by=REGION)


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_each_group_has_the_curve_of_its_table_and_all_rows_have_one(by):
    display = rs.plot.RocDisplay.from_tables(by)
    assert [line.get_label() for line in display.lines_] == [
        *(f"{name} (AUC = {by.score_table(name)['roc_auc']:.3f})" for name in ("north", "south", "west")),
        f"all rows (AUC = {by.score_table()['roc_auc']:.3f})",
    ]
    for name, line in zip(("north", "south", "west", ...), display.lines_, strict=True):
        curve = by.score_table(name).roc_curve(max_points=1000)
        assert line.get_xdata().tolist() == curve.fpr.tolist()
        assert line.get_ydata().tolist() == curve.tpr.tolist()
    assert len({(line.get_color(), line.get_linestyle()) for line in display.lines_}) == 4


@pytest.mark.parametrize("name", [*DISPLAYS, "CalibrationDisplay", "KsDisplay", "ScoreDistributionDisplay"])
def test_every_display_draws_groups(by, name):
    positive = rs.group_by(np.ones(600, dtype=bool), y_score=SCORES, by=REGION, pos_label=True)
    groups = rs.group_by(SCORES > 0.5, y_score=SCORES, by=REGION) if name == "RiskCoverageDisplay" else by
    assert len(getattr(rs.plot, name).from_tables(groups).lines_) >= 3  # bars are of groups only
    getattr(rs.plot, name).from_tables(positive)


def test_groups_are_chosen_by_size_or_key(by):
    assert (
        rs.plot.RocDisplay.from_tables(by, classes=2).ax_.get_legend().get_title().get_text()
        == "the 2 largest of 3 groups"
    )
    chosen = rs.plot.RocDisplay.from_tables(by, classes=["west"], band=True)
    assert [line.get_label().partition(" (")[0] for line in chosen.lines_] == ["west", "all rows"]
    with pytest.raises(rs.InputError, match="classes is 'east'; expected the key of one of the 3 groups"):
        rs.plot.RocDisplay.from_tables(by, classes=["east"])


def test_groups_without_scores_and_averages_of_groups_are_refused(by):
    with pytest.raises(rs.InputTypeError, match="Groups with scores"):
        rs.plot.RocDisplay.from_tables(rs.group_by(Y, SCORES > 0.5, by=REGION))
    with pytest.raises(rs.InputTypeError, match="average is 'macro'"):
        rs.plot.RocDisplay.from_tables(by, average="macro")

"""The forest plot of the groups of several models."""

import matplotlib as mpl
import numpy as np
import pytest

import rocksteady as rs
from rocksteady.plot.groups import GroupsDisplay

mpl.use("Agg")


@pytest.fixture(scope="module")
def evaluation():
    rng = np.random.default_rng(0)
    y = rng.random(900) < 0.4
    scores = {"old": rng.normal(1.0 * y), "new": rng.normal(1.6 * y), "other": rng.normal(2.0 * y)}
    return rs.evaluate(y, scores, by={"region": rng.choice(["n", "s", "e", "w"], 900)})


def test_a_dot_and_an_interval_for_each_group_and_model(evaluation):
    shown = evaluation.plot.groups("roc_auc", model=["new", "old"])
    names = [tick.get_text() for tick in shown.ax_.get_yticklabels()]
    groups = {name: evaluation.groups[name] for name in ("new", "old")}
    values = groups["new"].every("roc_auc")
    keys = groups["new"].keys["region"]
    assert names == [keys[place] for place in np.argsort(values, kind="stable")]  # in the order of the first model
    for points, (name, own) in zip(shown.points_, groups.items(), strict=True):
        expected = dict(zip(keys, own.every("roc_auc"), strict=True))
        rows = np.round(points.get_ydata()).astype(int)
        assert {names[row]: value for row, value in zip(rows, points.get_xdata(), strict=True)} == expected, name
    above, below = (points.get_ydata() for points in shown.points_)
    assert (above > np.round(above)).all()
    assert (below < np.round(below)).all()
    assert len(shown.intervals_) == 8
    found = groups["old"].interval("roc_auc")
    ends = {tuple(line.get_xdata()) for line in shown.intervals_}
    assert set(zip(found.low, found.high, strict=True)) <= ends
    assert shown.reference_line_ is None
    assert [text.get_text() for text in shown.ax_.get_legend().get_texts()] == ["new", "old"]


def test_one_model_is_drawn_as_before(evaluation):
    one, listed = evaluation.plot.groups("recall", model="old"), evaluation.plot.groups("recall", model=["old"])
    assert one.points_.get_xdata().tolist() == listed.points_.get_xdata().tolist()
    assert one.reference_line_ is not None


def test_groups_without_keys_are_all_rows(evaluation):
    whole = evaluation.groups["old"].over([])
    display = GroupsDisplay.from_groups(whole, "recall")
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == ["all rows"]
    assert display.points_.get_xdata().tolist() == whole.every("recall").tolist()


def test_refusals(evaluation):
    for wrong, error in (([], rs.InputError), (["paper"], rs.InputError), (3, rs.InputTypeError)):
        with pytest.raises(error, match="model"):
            evaluation.plot.groups("recall", model=wrong)
    with pytest.raises(rs.InputError, match="different groups"):
        GroupsDisplay({"a": rs.group_by([0, 1], [0, 1], by=[1, 2]), "b": rs.group_by([0, 1], [0, 1], by=[1, 3])})
    with pytest.raises(rs.InputError, match="one model"):
        GroupsDisplay({})
    with pytest.raises(rs.InputTypeError, match="a mapping of models"):
        GroupsDisplay({"a": 1})

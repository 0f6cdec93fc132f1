"""The worked example of the notes on binary classification: all printed numbers, whether ours agree or not."""

import sys
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

pytest.importorskip("matplotlib")
EXAMPLES = Path(__file__).parents[2] / "examples"
if not EXAMPLES.exists():
    pytest.skip("a source distribution has no examples/", allow_module_level=True)
sys.path.insert(0, str(EXAMPLES))

import threshold_grid as paper


@pytest.fixture(scope="module")
def table():
    return rs.ScoreTable(paper.LABELS, paper.SCORES)


def column(table, name):
    return table.to_dict()[name]


def test_the_printed_rates_differ_from_the_rule_at_one_entry_only(table):
    rates = paper.rates_on_the_grid(table)
    assert [round(rate, 2) for rate in column(rates, "fpr, >")] == paper.PRINTED_FPR
    differs = [
        threshold
        for threshold, printed, rule in zip(
            column(rates, "threshold"), paper.PRINTED_TPR, column(rates, "tpr, >"), strict=True
        )
        if printed != rule
    ]
    assert differs == [0.9]
    assert column(rates, "tpr, >")[1] == 0.0


def test_thresholds_added_up_give_what_is_printed(table):
    rates = paper.rates_on_the_grid(table)
    assert column(rates, "tpr, >= added up") == paper.PRINTED_TPR
    assert [round(rate, 2) for rate in column(rates, "fpr, >= added up")] == paper.PRINTED_FPR
    assert column(rates, "tpr, >=") != paper.PRINTED_TPR


def added_up(kind):
    """1.0, and down by 0.1 again and again."""
    return np.subtract.accumulate(np.array([1.0] + [0.1] * paper.STEPS, kind))


#: Ways to make the eleven thresholds, in 64 or 32 bits.
WAYS = {
    "fractions": lambda kind: rs.scores.threshold_grid(paper.STEPS).astype(kind),
    "linspace": lambda kind: np.linspace(1, 0, 11, dtype=kind),
    "multiplied": lambda kind: kind(0.1) * np.arange(10, -1, -1, dtype=kind),
    "arange": lambda kind: np.arange(1.0, -0.1, -0.1, dtype=kind)[:11],
    "added up, downwards": added_up,
    "added up, upwards": lambda kind: np.add.accumulate(np.array([0.0] + [0.1] * paper.STEPS, kind))[::-1],
}


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("side", [">", ">="])
@pytest.mark.parametrize("way", WAYS)
def test_only_thresholds_that_are_added_up_give_both_printed_lists(way, side, kind):
    """The notes' error, or their computer's: no rule gives their list without the drift of sums."""
    found = rs.ScoreTable(paper.LABELS, np.array(paper.SCORES, kind)).at(WAYS[way](kind), side=side)
    is_printed = found["tpr"].tolist() == paper.PRINTED_TPR and found["fpr"].round(2).tolist() == paper.PRINTED_FPR
    drifts = {("arange", ">="), ("added up, downwards", ">="), ("added up, upwards", ">")}
    assert is_printed == (kind is np.float64 and (way, side) in drifts)


def test_a_positive_that_is_missed_is_a_false_negative(table):
    """The notes' error: their prose exchanges FN and FP, their table is right."""
    strict, inclusive = table.at(0.5, side=">"), table.at(0.5, side=">=")
    assert (strict.tp, strict.fn, strict.fp, strict.tn) == (4, 1, 0, 6)  # the positive row at 0.5 is not above it
    assert (inclusive.tp, inclusive.fn, inclusive.fp, inclusive.tn) == (5, 0, 2, 4)  # two negative rows reach it


def test_the_false_positive_rate_is_not_what_the_prose_says(table):
    """The notes' error: the share of actual negatives among those predicted negative is another index."""
    inclusive = table.at(0.5, side=">=")
    assert inclusive["fpr"] == pytest.approx(2 / 6, abs=1e-15)
    assert inclusive["fpr"] == pytest.approx(1 - inclusive["specificity"], abs=1e-15)
    assert inclusive["npv"] == 1.0


@pytest.mark.parametrize("side", [">", ">="])
def test_curves_of_grids_reach_both_corners(side):
    """By `>` no threshold selects a score of 0, by `>=` none leaves a score of 1 out: the corners are added."""
    ends = rs.ScoreTable([0, 1, 0, 1], [0.0, 1.0, 0.0, 1.0])
    fpr, tpr = ends.grid(4, side=side).curve("fpr", "tpr")
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)


def test_other_labels_give_the_same_area():
    """The notes call scikit-learn with labels + 1 and pos_label=2."""
    assert rs.ScoreTable(np.array(paper.LABELS) + 1, paper.SCORES, pos_label=2)["roc_auc"] == 29 / 30


def test_other_numbers_of_the_ranking(table):
    found = {name: round(table[name], 6) for name in ("average_precision", "log_loss", "brier")}
    assert found == {"average_precision": 0.942857, "log_loss": 0.381774, "brier": 0.113636}
    assert (table.ks().value, table.ks().threshold) == (pytest.approx(0.8, abs=1e-15), 0.6)


def test_the_area(table):
    assert round(table["roc_auc"], 3) == paper.PRINTED_AUC
    found = dict(paper.areas(table).rows)
    assert found["every threshold"] == 29 / 30
    assert found["grid of 10 steps, >"] == pytest.approx(29 / 30, abs=1e-15)
    assert found["grid of 10 steps, >="] == pytest.approx(29 / 30, abs=1e-15)
    assert found["grid of 3 steps, >="] < 29 / 30


def test_precision_need_not_be_above_accuracy(table):
    found = paper.indices_at_half(table).to_dict()
    sides = (found["score > 0.5"], found["score >= 0.5"])
    strict, inclusive = (dict(zip(paper.INDICES, values, strict=True)) for values in sides)
    assert strict["precision"] > strict["accuracy"]
    assert inclusive["precision"] < inclusive["accuracy"]
    assert strict == {**strict, "accuracy": 10 / 11, "precision": 1.0, "recall": 0.8, "fpr": 0.0}
    np.testing.assert_allclose(strict["f1"], 8 / 9)
    np.testing.assert_allclose([inclusive[name] for name in ("precision", "accuracy")], [5 / 7, 9 / 11])


def test_the_command_writes_tables_and_figure(tmp_path, capsys):
    assert paper.main(["--output", str(tmp_path)]) == 0
    assert f"{tmp_path / 'results.md'}: all tables and pictures" in capsys.readouterr().out
    names = ["areas.csv", "indices.csv", "rates.csv", "results.md", "roc.png"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert "| every threshold | 0.966667 |" in (tmp_path / "results.md").read_text()
    assert (tmp_path / "roc.png").read_bytes().startswith(b"\x89PNG")

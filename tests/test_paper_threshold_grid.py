"""The worked example of the notes on binary classification: every number that they print, agreeing or not."""

import sys
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

pytest.importorskip("matplotlib")
EXAMPLES = Path(__file__).parent.parent / "examples"
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


def test_the_command_writes_tables_and_figure(tmp_path, capsys):
    assert paper.main(["--output", str(tmp_path)]) == 0
    assert f"{tmp_path / 'results.md'}: all tables and pictures" in capsys.readouterr().out
    names = ["areas.csv", "indices.csv", "rates.csv", "results.md", "roc.png"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert "| every threshold | 0.966667 |" in (tmp_path / "results.md").read_text()
    assert (tmp_path / "roc.png").read_bytes().startswith(b"\x89PNG")

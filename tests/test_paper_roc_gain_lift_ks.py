"""The paper on ROCR.simple: every number that it prints, and its charts, agreeing or not."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

pytest.importorskip("matplotlib")
EXAMPLES = Path(__file__).parent.parent / "examples"
if not EXAMPLES.exists():
    pytest.skip("a source distribution has no examples/", allow_module_level=True)
sys.path.insert(0, str(EXAMPLES))

import roc_gain_lift_ks as paper


@pytest.fixture(scope="module")
def table():
    return rs.ScoreTable(*paper.rocr_simple())


def test_the_printed_area_and_distance(table):
    found = dict(paper.scalars(table).rows)
    assert round(found["roc_auc"], 7) == 0.8341875
    assert found["roc_auc"] == pytest.approx(float(Fraction(2767, 3317)), abs=1e-15)
    assert round(found["ks"], 7) == 0.6999297
    assert found["ks"] == pytest.approx(float(Fraction(79, 93) - Fraction(16, 107)), abs=1e-15)
    assert round(found["ks threshold"], 9) == 0.501489336


def test_the_rows(table):
    assert (table.rows, table.positives, table.negatives, len(table)) == (200, 93, 107, 200)


def test_other_numbers_of_the_ranking(table):
    found = dict(paper.scalars(table).rows)
    expected = {
        "average_precision": 0.784645,
        "log_loss": 0.556176,
        "root_mean_squared_error": 0.409467,
        "brier": 0.167663,
        "gini": 0.668375,
        "break_even_point": 0.827957,
    }
    assert {name: round(found[name], 6) for name in expected} == expected


def test_table_2_by_both_conventions(table):
    rows = {name: (one, zero) for name, one, zero in paper.table_2(table)}
    assert rows["Accuracy"] == (0.85, 0.85)
    for name, one, zero in [
        ("Sensitivity", 0.849462, 0.850467),
        ("Specificity", 0.850467, 0.849462),
        ("Pos Pred Value", 0.831579, 0.866667),
        ("Neg Pred Value", 0.866667, 0.831579),
        ("F1", 0.840426, 0.858491),
        ("Prevalence", 0.465, 0.535),
        ("No Information Rate", 0.535, 0.535),
        ("Kappa", 0.698946, 0.698946),
        ("Balanced Accuracy", 0.849965, 0.849965),
        ("95% CI, low", 0.792841, 0.792841),
        ("95% CI, high", 0.896450, 0.896450),
        ("Mcnemar's Test P-Value", 0.855132, 0.855132),
    ]:
        assert tuple(round(value, 6) for value in rows[name]) == (one, zero), name


def test_the_lift_is_near_1_8_and_falls_to_1(table):
    lift = {row[0]: row[3] for row in paper.shares(table)}
    expected = {
        0.1: 1.72,
        0.2: 1.774,
        0.3: 1.792,
        0.4: 1.774,
        0.465: 1.781,
        0.5: 1.699,
        0.6: 1.416,
        0.8: 1.183,
        1.0: 1.0,
    }
    assert {share: round(value, 3) for share, value in lift.items()} == expected


def test_the_deciles(table):
    assert table.gains(10).positives.tolist() == [16, 17, 17, 16, 13, 0, 4, 5, 2, 3]


def test_many_rows_look_like_the_200(table):
    large = rs.ScoreTable(*paper.many(200_000))
    assert large.rows == 200_000
    assert large["roc_auc"] == pytest.approx(table["roc_auc"], abs=0.01)
    assert len(large) > 150_000
    np.testing.assert_array_equal(paper.many(1_000)[1], paper.many(1_000)[1])


@pytest.mark.parametrize("options", [[], ["--rows", "20000"]])
def test_the_command_writes_tables_and_figures(tmp_path, capsys, options):
    assert paper.main(["--output", str(tmp_path), *options]) == 0
    assert f"{tmp_path / 'results.md'}: all tables and pictures" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {
        *("table-2.csv", "scalars.csv", "gain-and-lift.csv", "deciles.csv", "results.md"),
        *("figure-1-roc.png", "figure-2-gain-lift.png", "figure-3-ks.png"),
    }


def test_no_rows_are_refused(capsys):
    with pytest.raises(SystemExit):
        paper.main(["--rows", "0"])
    assert "--rows is 0; expected at least 1" in capsys.readouterr().err

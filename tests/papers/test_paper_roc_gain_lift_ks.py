"""The paper on ROCR.simple: all its printed numbers and charts, whether ours agree or not."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

pytest.importorskip("matplotlib")
EXAMPLES = Path(__file__).parents[2] / "examples"
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
    _, scores = paper.rocr_simple()
    assert (round(scores.min(), 6), round(scores.max(), 6)) == (0.005423, 0.991096)


def test_to_call_everything_normal_is_accurate_and_of_no_use():
    """The paper's remark on imbalance, one in 10,000: right."""
    cm = rs.ConfusionMatrix.from_counts([[9_999, 0], [1, 0]])
    assert (cm["accuracy"], cm["recall"], cm["balanced_accuracy"]) == (0.9999, 0.0, 0.5)


def test_the_matrix_at_one_half_is_that_of_ks(table):
    half, best = table.at(paper.THRESHOLD), table.at(table.ks().threshold)
    assert (half.tn, half.fp, half.fn, half.tp) == (91, 16, 14, 79)
    assert (best.tn, best.fp, best.fn, best.tp) == (91, 16, 14, 79)
    around = [score for score in table.thresholds if 0.4997 < score < 0.5015]
    assert [round(score, 6) for score in around] == [0.501489, 0.499788]
    assert round(float(half["mcc"]), 6) == 0.699087


def test_ks_is_the_statistic_of_kolmogorov_and_smirnov(table):
    stats = pytest.importorskip("scipy.stats")
    labels, scores = paper.rocr_simple()
    assert table.ks().value == pytest.approx(stats.ks_2samp(scores[labels == 1], scores[labels == 0]).statistic)
    assert table.ks().sign == 1
    assert table.ks().value > 0.2  # the paper's rule of thumb


def test_an_area_of_0_is_a_perfect_ranking_upside_down():
    """The paper's error: it takes 0 for "completely inaccurate"."""
    scores = np.array([0.9, 0.8, 0.2, 0.1])
    assert rs.ScoreTable([0, 0, 1, 1], scores)["roc_auc"] == 0.0
    assert rs.ScoreTable([0, 0, 1, 1], -scores)["roc_auc"] == 1.0


def test_gain_is_the_true_positive_rate_and_not_precision(table):
    """The paper's error: "the probability of being right among those predicted positive" is precision."""
    at = table.best("recall", subject_to="rpp <= 0.5").counts()
    half = table.gains(10).summary().to_dict()
    assert half["gain"][4] == float(at["recall"]) == pytest.approx(79 / 93, abs=1e-15)
    assert half["cumulative_response_rate"][4] == float(at["precision"]) == pytest.approx(0.79, abs=1e-15)


def test_three_areas_under_precision_and_recall(table):
    """The steps of scikit-learn, ROCR's "aucpr", and the trapezoids on scikit-learn's curve."""
    names = ("average_precision", "rocr_aucpr", "trapezoidal_pr_auc")
    assert [round(table[name], 6) for name in names] == [0.784645, 0.787521, 0.781425]


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


def test_the_lift_over_all_shares(table):
    """Gain rises with slope 2, says the paper: its slope is the lift, and 1.66 to 1.86; more than n / P cannot be."""
    share, lift = table.curve("rpp", "lift")
    assert np.isnan(lift[0])  # 0/0
    assert lift[1] == pytest.approx(200 / 93, abs=1e-12)
    assert round(lift[1], 2) == 2.15
    assert (share[7], round(lift[7], 2)) == (0.035, 1.23)
    middle = lift[(share >= 0.1) & (share <= 0.47)]
    assert (round(middle.min(), 2), round(middle.max(), 2)) == (1.66, 1.86)
    assert (share[-1], lift[-1]) == (1.0, 1.0)
    assert (lift[1:] <= np.minimum(1 / share[1:], 200 / 93) + 1e-12).all()


def test_the_deciles(table):
    assert table.gains(10).positives.tolist() == [16, 17, 17, 16, 13, 0, 4, 5, 2, 3]


def test_many_rows_look_like_the_200(table):
    large = rs.ScoreTable(*paper.many(200_000))
    assert large.rows == 200_000
    for name in ("roc_auc", "log_loss", "brier"):
        assert large[name] == pytest.approx(table[name], abs=0.01), name
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

"""Confidence against right and wrong predictions: by definition, as a curve, with intervals, of several classes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs

NAMES = ("aurc", "e_aurc", "augrc")


def naive(right, confidence, weight=None):
    """Coverage, risk and generalised risk at every threshold, by masks over the rows."""
    right, confidence = np.asarray(right, bool), np.asarray(confidence, float)
    weight = np.ones(len(right)) if weight is None else np.asarray(weight, float)
    cuts = np.unique(confidence)[::-1]
    accepted = np.array([weight[confidence >= cut].sum() for cut in cuts]) / weight.sum()
    wrong = np.array([weight[(confidence >= cut) & ~right].sum() for cut in cuts]) / weight.sum()
    return accepted, wrong / accepted, wrong


def indices(right, confidence, weight=None):
    """All indices by the definitions of the papers."""
    coverage, risk, generalised = naive(right, confidence, weight)
    wrong = generalised[-1]
    best = wrong + (1 - wrong) * math.log(1 - wrong) if wrong < 1 else 1.0
    aurc = (np.diff(coverage, prepend=0) * risk).sum()
    return {
        "aurc": aurc,
        "e_aurc": aurc - best,
        "augrc": np.trapezoid(np.append(0, generalised), np.append(0, coverage)),
        "coverage_at_risk": max(coverage[risk <= 0.05], default=0.0),
    }


ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 12), st.integers(1, 9)), min_size=1, max_size=60)


@given(ROWS, st.booleans())
@settings(max_examples=150, deadline=None)
def test_every_index_is_its_definition(rows, weighted):
    right, confidence = [row[0] for row in rows], [row[1] / 12 for row in rows]
    weight = [row[2] / 4 for row in rows] if weighted else None
    table = rs.ScoreTable(right, confidence, sample_weight=weight, pos_label=True)
    for name, value in indices(right, confidence, weight).items():
        assert table[name] == pytest.approx(value, abs=1e-12), name
    curve = table.risk_coverage_curve()
    coverage, risk, _ = naive(right, confidence, weight)
    assert curve.coverage == pytest.approx(np.append(0, coverage))
    assert curve.selective_risk == pytest.approx(np.append(0, risk))
    assert curve.area() == pytest.approx(table["aurc"], abs=1e-12)
    for share in (0.1, 0.5, 0.8):
        assert table.value("risk_at_coverage", coverage=share) == pytest.approx(
            1 - table.value("top_precision", fraction=share), abs=1e-12
        )


def test_without_ties_the_area_is_the_mean_risk_of_the_first_rows():
    random = np.random.default_rng(1)
    confidence, right = random.permutation(500) / 500, random.random(500) < 0.8
    errors = ~right[np.argsort(-confidence)]
    accepted = np.arange(1, 501)
    table = rs.ScoreTable(right, confidence)
    assert table["aurc"] == pytest.approx((np.cumsum(errors) / accepted).mean(), rel=1e-14)
    assert table["e_aurc"] > 0
    best = rs.ScoreTable(right, right + confidence)
    wrong = errors.mean()
    assert best["augrc"] == pytest.approx(wrong**2 / 2)
    assert rs.ScoreTable(right, confidence - right)["augrc"] == pytest.approx(wrong - wrong**2 / 2)
    assert 0 <= best["e_aurc"] < 0.002


@pytest.mark.parametrize("risk", [0.1, 0.3, 0.55, 0.7, 0.9])
def test_a_risk_that_is_reached_exactly_counts(risk):
    wrong = round(100 * risk)
    table = rs.ScoreTable([1] * (100 - wrong) + [0] * wrong, [0.5] * 100, pos_label=1)
    assert table.value("coverage_at_risk", max_risk=risk) == 1
    assert table.value("coverage_at_risk", max_risk=np.nextafter(risk, 0)) == 0


def test_all_right_and_all_wrong():
    for right, aurc, augrc in ((1, 0.0, 0.0), (0, 1.0, 0.5)):
        table = rs.ScoreTable([right] * 3, [0.2, 0.4, 0.4], pos_label=1)
        assert (table["aurc"], table["augrc"], table["e_aurc"]) == (aurc, augrc, 0)
        assert table["risk_at_coverage"] == aurc
        assert table["coverage_at_risk"] == right
        for name in NAMES:
            assert math.isnan(table.interval(name).low)
            assert table.interval(name).why


def test_several_classes_are_read_by_their_most_probable_class():
    random = np.random.default_rng(2)
    y_proba = random.dirichlet([1, 1, 2], 400)
    y_true = np.array([random.choice(3, p=row) for row in y_proba])
    right, confidence = y_proba.argmax(1) == y_true, y_proba.max(1)
    of_rows, of_tables = rs.scores.top_label(y_true, y_proba), rs.ScoreTables(y_true, y_proba).top_label()
    for name, value in indices(right, confidence).items():
        assert of_rows[name] == of_tables[name] == pytest.approx(value, abs=1e-12), name
    halves = rs.scores.top_label(y_true[:150], y_proba[:150]) + rs.scores.top_label(y_true[150:], y_proba[150:])
    assert halves["aurc"] == of_rows["aurc"]


@pytest.mark.parametrize("name", NAMES)
def test_intervals_are_near_those_of_the_bootstrap(name):
    random = np.random.default_rng(3)
    confidence = random.beta(4, 2, 1000)
    table = rs.ScoreTable(random.random(1000) < confidence, confidence)
    found = table.interval(name)
    drawn = table.bootstrap(name, n_resamples=2000, random_state=0)[name]
    assert found.low < table[name] < found.high
    assert (found.high - found.low) / (drawn.high - drawn.low) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("name", NAMES)
def test_intervals_hold_their_level(name):
    """In samples of a population whose value is that of very many rows."""
    random = np.random.default_rng(4)

    def sample(rows):
        confidence = random.beta(4, 1.5, rows)
        return rs.ScoreTable(random.random(rows) < confidence, confidence)

    truth = sample(2_000_000)[name]
    found = [sample(400).interval(name) for _ in range(500)]
    held = np.mean([each.low <= truth <= each.high for each in found])
    assert 0.92 <= held <= 0.98


def test_two_models_on_the_same_rows():
    random = np.random.default_rng(5)
    y_true = random.integers(0, 2, 600)
    signal = y_true + random.normal(0, 0.8, 600)
    scores = {"new": signal, "old": signal + random.normal(0, 0.8, 600)}
    found = rs.inference.compare_scores(y_true, scores, index="augrc").difference("new", "old")
    new, old = (rs.ScoreTable(y_true, scores[model])["augrc"] for model in ("new", "old"))
    assert found.estimate == pytest.approx(new - old)
    assert found.low < found.estimate < found.high < 0


def test_a_curve_of_few_points_says_how_far_off_it_is():
    random = np.random.default_rng(6)
    confidence = random.random(3000)
    table = rs.ScoreTable(random.random(3000) < confidence, confidence)
    few = table.risk_coverage_curve(max_points=200)
    assert len(few.coverage) <= 200
    assert few.deviation > 0
    assert few.area() == pytest.approx(table["aurc"], abs=few.deviation)


def test_the_display_takes_several_classes_and_refuses_labels():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    y_true, y_proba = [0, 1, 2, 0], [[0.5, 0.2, 0.3], [0.1, 0.8, 0.1], [0.6, 0.2, 0.2], [0.7, 0.2, 0.1]]
    one = rs.plot.RiskCoverageDisplay.from_predictions(y_true, y_proba)
    of_top = rs.plot.RiskCoverageDisplay.from_tables(rs.scores.top_label(y_true, y_proba))
    assert len(one.lines_) == 1
    assert one.line_.get_ydata().tolist() == of_top.line_.get_ydata().tolist()
    tables = {name: rs.ScoreTables(y_true, y_proba) for name in ("a", "b")}
    both = rs.plot.RiskCoverageDisplay.from_tables(tables)
    assert [line.get_label()[:10] for line in both.lines_] == ["a (AURC = ", "b (AURC = "]
    labels = rs.LabelScoreTables([[0, 1], [1, 0]], [[0.2, 0.7], [0.6, 0.4]])
    with pytest.raises(rs.InputTypeError, match="most probable"):
        rs.plot.RiskCoverageDisplay.from_tables(labels)
    plt.close("all")

"""The leaderboard: against all pairs by hand, fractions, a simulation, and with bad arguments."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import combinations, permutations
from statistics import NormalDist

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.comparison.leaderboard import leaderboard
from rocksteady.inference.covariance import Compared


def drawn(rng, rows, skills, share=0.4):
    """Classes, and probabilities of models with these skills that find the same rows hard."""
    y = (rng.random(rows) < share).astype(int)
    y[:2] = 0, 1
    hard = rng.normal(size=rows)
    shift = math.log(share / (1 - share))
    return y, {
        f"m{k}": 1 / (1 + np.exp(-skill * (skill * (y - 0.5) + 0.8 * hard + 0.6 * rng.normal(size=rows)) - shift))
        for k, skill in enumerate(skills)
    }


@pytest.fixture(scope="module")
def evaluation():
    y, scores = drawn(np.random.default_rng(3), 500, [0.4, 0.5, 1.2, 1.3, 2.5])
    return rs.evaluate(y, scores, inference=True)


def by_hand(found, is_loss, pair_level):
    """Which model is certainly better than which, by the intervals of `Compared`."""
    apart = {pair: found.difference(*pair, level=pair_level) for pair in permutations(found.names, 2)}
    return {pair for pair, each in apart.items() if (each.high < 0 if is_loss else each.low > 0)}


@pytest.mark.parametrize("name", ["roc_auc", "log_loss", "f1", "accuracy", "gini", "average_precision"])
def test_ranks_and_groups_follow_from_the_pairs_of_random_models(name):
    rng = np.random.default_rng(0)
    is_loss = name == "log_loss"
    for _ in range(40):
        y, scores = drawn(rng, int(rng.integers(40, 300)), rng.choice([0.3, 1.0, 2.0, 3.0], rng.integers(2, 7)))
        ev = rs.evaluate(y, scores, inference=True)
        board = ev.leaderboard(name)
        models = board.model.tolist()
        values = [ev.models[model][name] for model in models]
        np.testing.assert_allclose(board.value, values, rtol=1e-12)
        assert values == sorted(values, reverse=not is_loss)
        better = by_hand(ev.compared(name), is_loss, board.pair_level)
        for place, model in enumerate(models):
            assert board.rank_low[place] == 1 + sum((other, model) in better for other in models)
            assert board.rank_high[place] == len(models) - sum((model, other) in better for other in models)
        # A group ends where every model above is certainly better than every model below.
        cuts = [c for c in range(1, len(models)) if all((a, b) in better for a in models[:c] for b in models[c:])]
        assert board.group.tolist() == [1 + sum(cut <= place for cut in cuts) for place in range(len(models))]
        assert board.undecided == len(board.differences) - len(better)
        rows = {row[:2]: row for row in board.pairs.rows}
        assert list(rows) == list(combinations(models, 2))
        for pair, row in rows.items():
            assert row[5] == (pair[0] if pair in better else None)
            assert (row[6] is None) == (pair in better)


def test_rows_more_decide_the_pair_as_fractions_say():
    """With as many rows more the expected statistic is the quantile and that of the power: exact over fractions."""
    rng = np.random.default_rng(1)
    tried = 0
    for _ in range(1000):
        a, b = rng.uniform(0.5, 0.9, 2)
        errors = rng.uniform(0.01, 0.2, 2)
        shared = rng.uniform(-0.9, 0.9) * errors[0] * errors[1]
        covariance = np.array([[errors[0] ** 2, shared], [shared, errors[1] ** 2]])
        n, power = int(rng.integers(10, 10**7)), float(rng.uniform(0.5, 0.95))
        found = compared([a, b], covariance)
        board = leaderboard(found, n, power=power)
        (row,) = board.pairs.rows
        if row[5] is not None:
            continue
        tried += 1
        (pair,) = board.differences
        z = Fraction(NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(power))
        e, d = Fraction(pair.standard_error), Fraction(abs(pair.estimate))
        own = Fraction(NormalDist().inv_cdf(0.975)) * e
        for told, gap in zip(row[6:], (d, d + own, d - own), strict=True):
            if gap <= 0:
                assert told == math.inf
                continue
            expected = max(math.ceil(n * ((z * e / gap) ** 2 - 1)), 0)
            assert told == pytest.approx(expected, rel=1e-9, abs=1)
    assert tried > 300


def compared(values, covariance):
    """What `Compared` says of these values; there is no state that is made from them, so a small one stands in."""

    class Stated(Compared):
        __slots__ = ("_cells",)

        estimates = property(lambda self: dict(zip(self.names, self._cells[0], strict=True)))
        covariance = property(lambda self: self._cells[1])
        why = property(lambda _: None)

        def difference(self, first, second, *, level=None):
            a, b = (self.names.index(name) for name in (first, second))
            v, c = self._cells
            error = math.sqrt(c[a, a] + c[b, b] - 2 * c[a, b])
            reach = error * -NormalDist().inv_cdf((1 - level) / 2)
            apart = v[a] - v[b]
            return rs.inference.Difference(
                "roc_auc",
                first,
                second,
                apart,
                apart - reach,
                apart + reach,
                level,
                "delong",
                error,
                apart / error,
                0.5,
            )

        def interval(self, name, **_):
            value = self._cells[0][self.names.index(name)]
            return rs.results.Interval(value, value, value, 0.95, "delong", "two-sided", 0.0)

    found = Stated(None, [f"m{k}" for k in range(len(values))])
    found._cells = values, covariance
    return found


def test_the_level_of_pairs_is_that_of_tukey_for_independent_models():
    """The quantile of the range of K normal values over the root of two: 3.633 / √2 for 4, 4.474 / √2 for 10."""
    for models, range_quantile in ((3, 3.3145), (4, 3.6332), (10, 4.4741)):
        board = leaderboard(compared([0.5] * models, np.eye(models) * 1e-4), 100)
        reach = -NormalDist().inv_cdf((1 - board.pair_level) / 2)
        assert reach == pytest.approx(range_quantile / math.sqrt(2), abs=0.02)
    # Two groups of equal models are one pair; models that hardly vary together need the bound of independent pairs.
    twins = np.kron(np.eye(2), np.ones((3, 3))) * 1e-4
    board = leaderboard(compared([0.5] * 6, twins + 1e-12 * np.eye(6)), 100)
    assert -NormalDist().inv_cdf((1 - board.pair_level) / 2) < 2.95


def test_one_more_model_is_one_more_column(evaluation):
    board = evaluation.leaderboard("roc_auc")
    judged = evaluation._judged
    more = dict(judged.scores) | {"twin": judged.scores["m4"]}
    longer = rs.evaluate(judged.truth, more, inference=True).leaderboard("roc_auc")
    values = dict(zip(board.model.tolist(), board.value.tolist(), strict=True))
    for model, value in zip(longer.model.tolist(), longer.value.tolist(), strict=True):
        assert value == values.get(model, values["m4"])
    pairs = {row[:2]: row for row in longer.pairs.rows}
    twins = pairs.get(("m4", "twin")) or pairs["twin", "m4"]
    assert twins[2] == 0
    assert math.isnan(twins[3])
    assert twins[5] is None
    assert twins[6:] == (math.inf,) * 3
    assert longer.group[:2].tolist() == [1, 1]


@pytest.mark.parametrize(("name", "skills"), [("roc_auc", [1.2] * 6), ("balanced_accuracy", [1, 1, 1, 1.5, 1.5, 2.2])])
def test_ranks_are_covered(name, skills):
    """All ranges of ranks hold the true ranks in at least 95 of 100 samples, up to what 100 samples scatter."""
    rng, held, samples = np.random.default_rng(5), 0, 100
    skills = np.array(skills, float)
    for _ in range(samples):
        y, scores = drawn(rng, 300, skills)
        board = rs.evaluate(y, scores, inference=True, threshold=0.5).leaderboard(name)
        own = skills[[int(model[1:]) for model in board.model.tolist()]]
        best = 1 + (skills > own[:, None]).sum(axis=1)
        worst = len(skills) - (skills < own[:, None]).sum(axis=1)
        held += bool(((board.rank_low <= best) & (board.rank_high >= worst)).all())
    assert held >= 90


def test_rows_that_differ():
    rng = np.random.default_rng(2)
    for _ in range(200):
        y, scores = drawn(rng, 30, [0.5, 1.5])
        ev = rs.evaluate(y, scores, inference=True)
        cut = {name: ev.models[name].threshold for name in scores}
        expected = [i for i in range(30) if (scores["m0"][i] >= cut["m0"]) != (scores["m1"][i] >= cut["m1"])]
        found = ev.disagreement("m0", "m1")
        assert found.tolist() == ev.disagreement("m1", "m0").tolist() == expected
        assert found.dtype == np.int64
    labels = rs.evaluate(["a", "b", "c"], y_pred={"one": ["a", "b", "b"], "two": ["a", "c", "b"]}, inference=True)
    assert labels.disagreement("one", "two").tolist() == [1]
    several = rs.evaluate(
        [[1, 0], [0, 1]], y_pred={"one": np.array([[1, 0], [1, 1]]), "two": np.array([[1, 0], [0, 1]])}, inference=True
    )
    assert several.disagreement("one", "two").tolist() == [1]


def test_clusters_weights_and_classes(evaluation):
    judged = evaluation._judged
    rows = len(judged.truth)
    clustered = rs.evaluate(judged.truth, dict(judged.scores), inference=True, cluster=np.arange(rows) // 5)
    board = clustered.leaderboard("f1")
    assert board.rows == rows
    assert len(board) == 5
    twice = rs.evaluate(judged.truth, dict(judged.scores), inference=True, sample_weight=np.full(rows, 2.0))
    assert twice.leaderboard("roc_auc").rows == 2 * rows
    y = np.arange(60) % 3
    guesses = {"right": y, "often": np.where(np.arange(60) % 7, y, 0), "never": (y + 1) % 3}
    of_classes = rs.evaluate(y, y_pred=guesses, inference=True)
    assert of_classes.leaderboard("f1", average="macro").model.tolist() == ["right", "often", "never"]
    assert of_classes.leaderboard("accuracy", models=["often", "never"]).model.tolist() == ["often", "never"]


def test_what_cannot_be_decided_says_why():
    ev = rs.evaluate([0, 0, 0], {"a": [0.1, 0.2, 0.9], "b": [0.4, 0.3, 0.2]}, pos_label=1, inference=True)
    board = ev.leaderboard("roc_auc")
    assert board.why
    assert board.ranks == ["1-2", "1-2"]
    assert board.group.tolist() == [1, 1]
    assert board.why in repr(board)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": "rpp"}, "name is 'rpp'; expected an index that is better high or low"),
        ({"name": "roc_auc", "level": 1.0}, "level is 1.0; expected a number between 0 and 1"),
        ({"name": "roc_auc", "power": 0}, "power is 0; expected"),
        ({"name": "roc_auc", "models": ["m1"]}, "expected the names of two models or more"),
        ({"name": "roc_auc", "models": ["m9", "m1"]}, "m9"),
        ({"name": "roc_auc", "confidence": 0.9}, "the confidence level is level="),
    ],
)
def test_bad_arguments(evaluation, given, sentence):
    with pytest.raises(rs.RocksteadyError, match=re.escape(sentence)):
        evaluation.leaderboard(**given)


def test_what_lacks_rows_or_models(evaluation):
    judged = evaluation._judged
    with pytest.raises(rs.InputError, match="leaderboard needs the rows of the models"):
        rs.evaluate(judged.truth, dict(judged.scores)).leaderboard("roc_auc")
    with pytest.raises(rs.InputError, match="leaderboard needs two models or more"):
        rs.evaluate(judged.truth, judged.scores["m1"], inference=True).leaderboard("roc_auc")
    with pytest.raises(rs.InputError, match="m9"):
        evaluation.disagreement("m1", "m9")


def test_the_picture_and_the_report_say_the_same(evaluation):
    mpl = pytest.importorskip("matplotlib")
    mpl.use("Agg")
    board = evaluation.leaderboard("roc_auc")
    display = evaluation.plot.leaderboard("roc_auc")
    lines = [line.get_xdata().tolist() for line in display.intervals_]
    assert lines == np.column_stack([board.rank_low, board.rank_high]).tolist()
    assert display.points_.get_xdata().tolist() == [1, 2, 3, 4, 5]
    page = evaluation.to_html()
    assert 'id="chart-leaderboard"' in page
    assert board.verdict in page
    undecided = next(row for row in board.pairs.rows if row[5] is None and row[6] != math.inf)
    assert f"{undecided[6]:,}" in page
    of_two = rs.evaluate(
        evaluation._judged.truth, {k: evaluation._judged.scores[k] for k in ("m0", "m1")}, inference=True
    )
    assert 'id="chart-leaderboard"' not in of_two.to_html()


def test_many_models_and_extreme_numbers():
    covariance = np.eye(60) * 1e-4
    board = leaderboard(compared(list(np.linspace(0.5, 0.9, 60)), covariance), 2**60)
    assert board.rank_low[0] == 1
    assert max(float(row[6]) for row in board.pairs.rows if row[5] is None) > 2**60
    tiny = leaderboard(compared([0.5, 0.5 + 1e-16], np.eye(2) * 1e-4), 2**60, level=0.999999)
    assert tiny.pairs.rows[0][6] == math.inf

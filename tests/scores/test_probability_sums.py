"""ProbabilitySums that keep squares: intervals as those of score tables, bytes, addition, kinds of weights."""

import math
import pickle

import numpy as np
import pytest

import rocksteady as rs

NAMES = ("log_loss", "brier", "root_mean_squared_error")
OPTIONS = [{}, {"sample_weight": True}, {"sample_weight": True, "weight_kind": "sampling"}]


def rows(n=400, seed=5):
    rng = np.random.default_rng(seed)
    p = rng.beta(1.2, 1.7, n)
    p[:3] = [0.0, 1.0, 0.5]
    return rng.random(n) < p, p, rng.lognormal(0, 1, n) * (rng.random(n) < 0.95)


def options(given, weights):
    return given | {"sample_weight": weights} if given else {}


@pytest.mark.parametrize("given", OPTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_intervals_are_those_of_the_score_table(given, name):
    y, p, w = rows()
    given = options(given, w)
    sums, table = rs.ProbabilitySums(y, p, squares=True, **given), rs.ScoreTable(y, p, **given)
    for method in (None, "normal", "logarithm"):
        for level, side in ((0.95, "two-sided"), (0.9, "lower"), (0.99, "upper")):
            own, other = (each.interval(name, method=method, level=level, side=side) for each in (sums, table))
            for field in ("estimate", "low", "high", "standard_error"):
                assert math.isclose(getattr(own, field), getattr(other, field), rel_tol=1e-12), (field, own, other)
            assert (own.method, own.side, own.why) == (other.method, other.side, None)
    found = sums.interval(NAMES)
    assert [row[0] for row in found] == list(NAMES)


@pytest.mark.parametrize("given", OPTIONS)
def test_any_split_adds_up_to_the_bit_and_travels(given):
    y, p, w = rows()
    whole = rs.ProbabilitySums(y, p, squares=True, **options(given, w))
    parts = [
        rs.ProbabilitySums(y[cut], p[cut], pos_label=True, squares=True, **options(given, w[cut]))
        for cut in (slice(0, 1), slice(1, 150), slice(150, None))
    ]
    named = rs.ProbabilitySums(y, p, pos_label=True, squares=True, **options(given, w))
    assert parts[2] + parts[0] + parts[1] == named
    open_parts = [rs.ProbabilitySums(y[cut], p[cut], squares=True, **options(given, w[cut])) for cut in (y, ~y)]
    assert open_parts[0] + open_parts[1] == open_parts[1] + open_parts[0] == whole
    for sums in (whole, named, *open_parts):
        for read in (rs.ProbabilitySums.from_bytes(sums.to_bytes()), pickle.loads(pickle.dumps(sums))):
            assert read == sums
            assert read.keeps_squares
            assert read.weight_kind == sums.weight_kind
            assert read.interval("brier") == sums.interval("brier")
    plain = rs.ProbabilitySums(y, p, **options({k: v for k, v in given.items() if k != "weight_kind"}, w))
    if whole.weight_kind == "counts":
        assert whole.to_bytes().startswith(plain.to_bytes()), "section 4 follows the core"
        assert not (whole + plain).keeps_squares
        assert (whole + plain)["brier"] == (plain + plain)["brier"]
    else:
        with pytest.raises(rs.RocksteadyError, match="sampling weights"):
            whole + plain
    data = whole.to_bytes()
    ends, place = {10}, 10  # of whole sections, behind a head of 10 bytes
    while place < len(data):
        place += 9 + int.from_bytes(data[place + 1 : place + 9], "little")
        ends.add(place)
    for cut in set(range(len(data))) - ends | {10}:
        with pytest.raises(rs.InputError):
            rs.ProbabilitySums.from_bytes(data[:cut])
    with pytest.raises(rs.InputError, match="contradict"):
        rs.ProbabilitySums.from_bytes(data[:-1] + b"\x7f")


def test_without_squares_the_refusal_says_how_to_keep_them():
    sums = rs.ProbabilitySums([0, 1], [0.2, 0.7])
    assert (sums.keeps_squares, sums.weight_kind) == (False, "counts")
    with pytest.raises(rs.UnknownIndexError, match=r"ProbabilitySums\(\.\.\., squares=True\)"):
        sums.interval("brier")
    kept = rs.ProbabilitySums([0, 1], [0.2, 0.7], squares=True)
    for name in ("roc_auc", "f1"):
        with pytest.raises(rs.UnknownIndexError, match=name):
            kept.interval(name)
    with pytest.raises(rs.UnknownIndexError, match="its methods: logarithm, normal"):
        kept.interval("brier", method="wilson")
    with pytest.raises(rs.InputTypeError, match="squares"):
        rs.ProbabilitySums([0, 1], [0.2, 0.7], squares=1)
    with pytest.raises(rs.InputError, match="a weight for each row"):
        rs.ProbabilitySums([0, 1], [0.2, 0.7], weight_kind="sampling")


def test_losses_that_are_all_alike_have_no_interval():
    for n in (1, 2, 7, 100_000):
        sums = rs.ProbabilitySums(np.ones(n), np.full(n, 0.3), pos_label=1, squares=True)
        for name in NAMES:
            found = sums.interval(name)
            assert math.isnan(found.low), (n, name, found)
            assert found.why
    one = rs.ProbabilitySums([1, 0, 1], [1.0, 0.0, 1.0], squares=True)
    assert one.interval("brier").why


def test_losses_that_nearly_agree_keep_their_digits():
    rng = np.random.default_rng(3)
    p = 0.3 + 1e-6 * rng.random(1000)
    sums = rs.ProbabilitySums(np.ones(1000), p, pos_label=1, squares=True)
    loss = -np.log(p)
    expected = loss.std(ddof=1) / np.sqrt(1000)
    assert math.isclose(sums.interval("log_loss", method="normal").standard_error, expected, rel_tol=1e-3)

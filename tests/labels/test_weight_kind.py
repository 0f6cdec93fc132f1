"""What weights mean: a state of sampling weights keeps the sums of their squares, however it travels."""

from __future__ import annotations

import itertools
import os
import pickle
import threading

import numpy as np
import pytest

import rocksteady as rs

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
RNG = np.random.default_rng(17)
ROWS = 4_000
Y = RNG.integers(0, 2, ROWS)
S = (RNG.normal(size=ROWS) + Y).round(2)
P = (S > 0.7).astype(int)
W = np.where(RNG.random(ROWS) < 0.05, 0.0, np.exp(RNG.normal(size=ROWS)))
K = RNG.integers(0, 3, ROWS)
PROBA = RNG.dirichlet(np.ones(3), ROWS).round(2)
FLAGS, COLUMNS = RNG.integers(0, 2, (ROWS, 3)), RNG.random((ROWS, 3)).round(2)

MAKERS = {
    "matrix": lambda rows, w, kind: rs.ConfusionMatrix(Y[rows], P[rows], sample_weight=w[rows], weight_kind=kind),
    "classes": lambda rows, w, kind: rs.ConfusionMatrix(
        K[rows], PROBA[rows].argmax(axis=1), labels=[0, 1, 2], sample_weight=w[rows], weight_kind=kind
    ),
    "table": lambda rows, w, kind: rs.ScoreTable(Y[rows], S[rows], sample_weight=w[rows], weight_kind=kind),
    "tables": lambda rows, w, kind: rs.ScoreTables(
        K[rows], PROBA[rows], labels=[0, 1, 2], sample_weight=w[rows], weight_kind=kind
    ),
    "labels": lambda rows, w, kind: rs.LabelScoreTables(FLAGS[rows], COLUMNS[rows], sample_weight=w[rows], weight_kind=kind),
    "top": lambda rows, w, kind: rs.scores.top_label(
        K[rows], PROBA[rows], labels=[0, 1, 2], sample_weight=w[rows], weight_kind=kind
    ),
}  # fmt: skip
ALL = slice(None)
KINDS = ("counts", "sampling")


@pytest.mark.parametrize("name", MAKERS)
def test_a_state_travels_with_its_kind(name):
    make = MAKERS[name]
    state, counts = make(ALL, W, "sampling"), make(ALL, W, "counts")
    assert (state.weight_kind, counts.weight_kind) == ("sampling", "counts")
    assert state != counts
    assert len(state.to_bytes()) > len(counts.to_bytes())
    cuts = [slice(0, 7), slice(7, 1900), slice(1900, None)]
    parts = [make(rows, W, "sampling") for rows in cuts]
    for order in ([0, 1, 2], [2, 0, 1]):
        added = sum(parts[place] for place in order)
        assert added == state
        assert added.to_bytes() == state.to_bytes()
    for copy in (type(state).from_bytes(state.to_bytes()), pickle.loads(pickle.dumps(state))):
        assert copy == state
        assert copy.weight_kind == "sampling"
    shuffled = np.random.default_rng(3).permutation(ROWS)
    assert make(shuffled, W, "sampling") == state
    many = np.tile(np.arange(ROWS), 30)
    parts = make(many, W, "sampling")
    try:
        for threads in (1, 2, 7):
            rs.set_threads(threads)
            assert make(many, W, "sampling").to_bytes() == parts.to_bytes()
    finally:
        rs.set_threads(None)


@pytest.mark.parametrize("name", MAKERS)
def test_the_two_kinds_are_not_added(name):
    make = MAKERS[name]
    state = make(ALL, W, "sampling")
    for a, b in ((state, make(ALL, W, "counts")), (make(ALL, W, "counts"), state)):
        with pytest.raises(rs.InputError, match="cannot add: .*sampling weights.*expected one weight_kind"):
            a + b


@pytest.mark.parametrize("name", MAKERS)
def test_squares_of_other_rows_are_refused(name):
    if name in ("tables", "labels"):
        pytest.skip("their sections are inside their cells")
    make = MAKERS[name]
    state, other = make(ALL, W, "sampling").to_bytes(), make(slice(0, 100), W, "sampling").to_bytes()
    core = 19 + int.from_bytes(state[11:19], "little")
    other_core = 19 + int.from_bytes(other[11:19], "little")
    for broken in (state[:-1], state + b"\0"):
        with pytest.raises(rs.InputError, match="not the bytes of a"):
            type(make(ALL, W, "counts")).from_bytes(broken)
    with pytest.raises(rs.InputError, match="the squares of the weights are of other rows"):
        type(make(ALL, W, "counts")).from_bytes(state[:core] + other[other_core:])


def squares_by_hand(y, p, w):
    return [float((w[(y == a) & (p == b)] ** 2).sum()) for a, b in ((1, 1), (0, 1), (1, 0), (0, 0))]


def test_squares_are_those_of_the_rows():
    expected = squares_by_hand(Y, P, W)
    cm = MAKERS["matrix"](ALL, W, "sampling")
    table = MAKERS["table"](ALL, W, "sampling")
    at = table.at(0.7, side=">")
    found = rs.counts_at(Y, S, [0.7], side=">", sample_weight=W, weight_kind="sampling")
    for counts in (cm.counts(), at, found):
        assert counts.weight_kind == "sampling"
    assert [float(square[1]) for square in cm.counts()._squares] == pytest.approx(expected, rel=1e-14)
    assert [float(square) for square in at._squares] == pytest.approx(expected, rel=1e-14)
    assert [float(square[0]) for square in found._squares] == [float(square) for square in at._squares]
    every = table.counts()
    place = int(np.flatnonzero(table.thresholds > 0.7)[-1])
    assert [float(square[place]) for square in every._squares] == [float(square) for square in at._squares]
    assert [float(square) for square in at.matrix().counts()._squares[0]] == pytest.approx(expected[3::-3], rel=1e-14)
    best = table.best("f1")
    assert best.counts() == rs.Counts._weighed(best[2:], table.at(best.threshold)._squares)
    for points in (table.grid(4, side=">"), table.operating_points(50), table.pareto(["recall", "precision"])):
        again = table.at(points.thresholds, side=">" if isinstance(points, type(table.grid(2))) else ">=")
        assert points.counts().weight_kind == "sampling"
        assert points.counts() == rs.Counts._weighed(again._arrays, again._squares)
    for made in (cm.counts(), at, best.counts(), points.counts()):
        assert pickle.loads(pickle.dumps(made)) == made
        assert made != rs.Counts(*made._arrays)
    assert pickle.loads(pickle.dumps(best)).counts() == best.counts()


def test_counts_add_with_their_squares():
    counts = MAKERS["matrix"](ALL, W, "sampling").counts()
    both = counts + counts
    assert [square.tolist() for square in both._squares] == [(2 * square).tolist() for square in counts._squares]
    assert sum([counts]) is counts
    plain = rs.Counts(*counts._arrays)
    for a, b in ((counts, plain), (plain, counts)):
        with pytest.raises(rs.InputError, match="cannot add: weight_kind is .* expected one kind"):
            a + b
    assert "weight_kind='sampling'" in repr(MAKERS["table"](ALL, W, "sampling").at(0.5))
    assert "sampling weights" in repr(counts)
    assert "sampling" not in repr(plain)


def test_a_matrix_is_rearranged_with_its_squares():
    cm = MAKERS["classes"](ALL, W, "sampling")
    predicted = PROBA.argmax(axis=1)

    def counted(y, p, **options):
        return rs.ConfusionMatrix(y, p, sample_weight=W, weight_kind="sampling", **options)

    names = np.array(["a", "b", "c"])
    assert cm.relabel({0: "a", 1: "b", 2: "c"}) == counted(names[K], names[predicted])
    assert counted(predicted, K) == cm.T
    assert cm.reorder([2, 0, 1]) == counted(K, predicted, labels=[2, 0, 1])
    assert cm.collapse({0: [0, 1]}) == counted(np.maximum(K - 1, 0) * 2, np.maximum(predicted - 1, 0) * 2)
    some = cm.select([2, 0])
    kept = np.isin(K, [0, 2]) & np.isin(predicted, [0, 2])
    direct = rs.ConfusionMatrix(K[kept], predicted[kept], labels=[2, 0], sample_weight=W[kept], weight_kind="sampling")
    assert some.counts() == direct.counts()
    assert some.weight_kind == "sampling"
    assert cm.one_vs_rest(1).counts()._squares[0][1] == cm.counts()._squares[0][1]
    one = rs.ConfusionMatrix([1, 1], [1, 1], sample_weight=[1, 2], weight_kind="sampling", pos_label=0)
    assert one.weight_kind == "sampling"
    assert one.counts()._squares[3].tolist() == [5.0, 0.0]
    assert "sampling weight" in repr(cm)
    assert "sampling weight" in cm._repr_html_()
    assert cm + rs.ConfusionMatrix.from_cells([], [], [], labels=[0, 1, 2]) == cm


def test_a_collector_in_chunks_is_one_call():
    table = MAKERS["table"](ALL, W, "sampling")
    for cuts in ([0, ROWS], [0, 1, 2, 1000, ROWS]):
        collector = rs.ScoreCollector(weight_kind="sampling")
        for start, end in itertools.pairwise(cuts):
            collector.update(Y[start:end], S[start:end], sample_weight=W[start:end])
        assert collector.score_table().to_bytes() == table.to_bytes()
    assert collector.weight_kind == "sampling"
    assert "sampling weights" in repr(collector)
    collector = rs.ScoreCollector(weight_kind="sampling")

    def fill(start):
        for first in range(start, ROWS, 400):
            rows = slice(first, first + 100)
            collector.update(Y[rows], S[rows], sample_weight=W[rows])

    threads = [threading.Thread(target=fill, args=(start,)) for start in (0, 100, 200, 300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert collector.score_table() == table
    before = collector.score_table()
    with pytest.raises(rs.InputError, match="sample_weight is missing; expected weights, as in the earlier batches"):
        collector.update(Y[:2], S[:2])
    with pytest.raises(
        rs.InputError, match=r"sample_weight\[1\] is 1e200; expected 0, or a number from 1e-100 to 1e100"
    ):
        collector.update(Y[:2], S[:2], sample_weight=[1.0, 1e200])
    assert collector.score_table() == before


def test_frames_and_other_containers_are_read_alike():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    state = MAKERS["matrix"](ALL, W, "sampling")
    frame = pandas.DataFrame({"y": Y, "p": P, "w": W})
    assert rs.ConfusionMatrix(frame.y, frame.p, sample_weight=frame.w, weight_kind="sampling") == state
    frame = polars.DataFrame({"y": Y, "p": P, "w": W})
    assert rs.ConfusionMatrix(frame["y"], frame["p"], sample_weight=frame["w"], weight_kind="sampling") == state
    lists = (column.tolist() for column in (Y, P, W))
    y, p, w = lists
    assert rs.ConfusionMatrix(y, p, sample_weight=w, weight_kind="sampling") == state


def test_an_evaluation_keeps_the_kind():
    ev = rs.evaluate(Y, {"a": S, "b": -S}, sample_weight=W, weight_kind="sampling")
    for model in ev.models.values():
        assert {statistic.weight_kind for statistic in model.statistics} == {"sampling"}
        assert model.confusion.counts().weight_kind == "sampling"
    assert ev.models["a"].scores == MAKERS["table"](ALL, W, "sampling")
    several = rs.evaluate(K, y_proba=PROBA, sample_weight=W, weight_kind="sampling")
    assert several.models["model"].class_scores == MAKERS["tables"](ALL, W, "sampling")
    assert several.models["model"].confusion == MAKERS["classes"](ALL, W, "sampling")
    labels = rs.evaluate(FLAGS, COLUMNS, sample_weight=W, weight_kind="sampling").models["model"]
    assert labels.label_scores == MAKERS["labels"](ALL, W, "sampling")
    squares = labels.counts()._squares
    for label in range(3):
        expected = squares_by_hand(FLAGS[:, label], (COLUMNS[:, label] >= 0.5).astype(int), W)
        assert [float(square[label]) for square in squares] == pytest.approx(expected, rel=1e-14)
    plain = rs.evaluate(Y, {"a": S}, sample_weight=W)
    assert plain.models["a"].confusion.weight_kind == "counts"
    assert ev["accuracy"]["a"] == plain["accuracy"]


def test_parts_of_tables_keep_the_kind():
    tables = MAKERS["tables"](ALL, W, "sampling")
    for table in (tables.one_vs_rest(1), tables.one_vs_one(0, 2), tables.pooled()):
        assert table.weight_kind == "sampling"
    direct = rs.ScoreTable(K == 1, PROBA[:, 1], sample_weight=W, weight_kind="sampling")
    assert tables.one_vs_rest(1).counts() == direct.counts()
    empty = rs.ScoreTables(
        [0, 1], [[0.5, 0.2, 0.3]] * 2, labels=[0, 1, 2], sample_weight=[1, 2], weight_kind="sampling"
    )
    more = rs.ScoreTables([2, 1], [[0.1, 0.2, 0.7]] * 2, labels=[0, 1, 2], sample_weight=[3, 2], weight_kind="sampling")
    assert (empty + more).one_vs_rest(2).counts().weight_kind == "sampling"


@pytest.mark.parametrize("weights", [None, [1.0, -1.0], [1.0, np.nan], [1.0, 1e101], [1.0, 1e-101], [1.0, np.inf]])
def test_weights_that_are_none(weights):
    calls = [
        lambda: rs.ConfusionMatrix([0, 1], [0, 1], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.ScoreTable([0, 1], [0, 1], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.ScoreTables([0, 1], [[0, 1], [1, 0]], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.LabelScoreTables([[0, 1], [1, 0]], [[0, 1], [1, 0]], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.counts_at([0, 1], [0, 1], [0.5], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.scores.top_label([0, 1], [[0, 1], [1, 0]], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.evaluate([0, 1], [0, 1], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.evaluate([[0, 1], [1, 0]], [[0, 1], [1, 0]], sample_weight=weights, weight_kind="sampling"),
        lambda: rs.ScoreCollector(weight_kind="sampling").update([0, 1], [0, 1], sample_weight=weights),
    ]
    place = "sample_weight is None" if weights is None else r"sample_weight\[1\] is .*; expected"
    for call in calls:
        with pytest.raises(rs.InputError, match=place):
            call()


@pytest.mark.parametrize("kind", ["sample", "Sampling", None, 1, b"counts"])
def test_kinds_that_there_are_not(kind):
    error = rs.InputError if isinstance(kind, str) else rs.InputTypeError
    calls = [
        lambda: rs.ConfusionMatrix([0, 1], [0, 1], weight_kind=kind),
        lambda: rs.ScoreTable([0, 1], [0, 1], weight_kind=kind),
        lambda: rs.ScoreTables([0, 1], [[0, 1], [1, 0]], weight_kind=kind),
        lambda: rs.LabelScoreTables([[0, 1], [1, 0]], [[0, 1], [1, 0]], weight_kind=kind),
        lambda: rs.counts_at([0, 1], [0, 1], [0.5], weight_kind=kind),
        lambda: rs.scores.top_label([0, 1], [[0, 1], [1, 0]], weight_kind=kind),
        lambda: rs.evaluate([0, 1], [0, 1], weight_kind=kind),
        lambda: rs.ScoreCollector(weight_kind=kind),
    ]
    for call in calls:
        with pytest.raises(error, match="weight_kind is .*; expected .counts. or .sampling."):
            call()


def test_pickles_of_counts_without_squares_are_read():
    counts = rs.Counts([1, 2], 3, 4, 5)
    old = rs.Counts.__new__(rs.Counts)
    old.__setstate__((None, {"_arrays": counts._arrays}))
    assert old == counts
    assert old.weight_kind == "counts"


def test_weights_of_one_sum_are_one_state_as_counts_and_two_as_sampling_weights():
    y, p = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 1, 1, 0, 0]
    given = [[1, 3, 3, 1, 1, 3, 3, 1], [2] * 8]
    uneven, even = (rs.ConfusionMatrix(y, p, sample_weight=w) for w in given)
    assert uneven == even
    assert uneven.interval("recall") == even.interval("recall")
    uneven, even = (rs.ConfusionMatrix(y, p, sample_weight=w, weight_kind="sampling") for w in given)
    assert uneven != even
    assert uneven["recall"] == even["recall"]
    assert uneven.interval("recall").low < even.interval("recall").low
    y = [0, 0, 1, 1]
    given = [[1, 3, 2, 2], [2, 2, 2, 2]]
    states = {kind: [rs.ConfusionMatrix(y, y, sample_weight=w, weight_kind=kind) for w in given] for kind in KINDS}
    assert states["counts"][0] == states["counts"][1]
    assert states["sampling"][0] != states["sampling"][1]
    first, second = (state.interval("specificity") for state in states["sampling"])
    assert first.estimate == second.estimate
    assert first.low < second.low


def indices_with_intervals():
    return [row.name for row in rs.indices() if row.intervals and {"counts", "matrix"} & set(row.forms)]


@pytest.mark.parametrize("weight", [1.0, 0.4, 1e-90, 1e90])
def test_equal_weights_have_the_intervals_of_rows(weight):
    """Of every index, by its default method; of two classes and of three."""
    w = np.full(ROWS, weight)
    two = [MAKERS["matrix"](slice(0, 300), w, "sampling"), rs.ConfusionMatrix(Y[:300], P[:300])]
    several = [
        MAKERS["classes"](slice(0, 300), w, "sampling"),
        rs.ConfusionMatrix(K[:300], PROBA[:300].argmax(axis=1), labels=[0, 1, 2]),
    ]
    checked = 0
    for weighted, plain in (two, several):
        for name in indices_with_intervals():
            try:
                expected = plain.interval(name)
            except rs.UnknownIndexError:
                continue
            found = weighted.interval(name)
            if "a fraction of one row" in str(found.why):  # what chance expects of pairs of rows
                assert "mutual_information" in name
                continue
            bounds = pytest.approx((expected.low, expected.high), rel=1e-7, abs=1e-9, nan_ok=True)
            assert (found.low, found.high) == bounds, name
            assert found.method == expected.method
            checked += 1
    assert checked >= 250, checked
    each = several[0].every_interval("recall")
    assert each.low == pytest.approx(several[1].every_interval("recall").low, rel=1e-9)


def sandwich(y, p, w, name):
    """The standard error of an index by the effects of single rows: a little more weight of each, one after the other."""
    values = np.array([
        rs.ConfusionMatrix(y, p, sample_weight=np.where(np.arange(len(y)) == row, w * 1.0001, w))[name]
        for row in range(len(y))
    ])  # fmt: skip
    influences = (values - rs.ConfusionMatrix(y, p, sample_weight=w)[name]) / 1e-4
    return float(np.sqrt((influences**2).sum()))


@pytest.mark.parametrize("name", ["accuracy", "recall", "precision", "npv"])
def test_the_standard_error_of_a_share_is_that_of_the_rows(name):
    rows = slice(0, 600)
    y, p, w = Y[rows], P[rows], W[rows]
    found = rs.ConfusionMatrix(y, p, sample_weight=w, weight_kind="sampling").interval(name, method="normal")
    assert found.standard_error == pytest.approx(sandwich(y, p, w, name), rel=0.01)
    as_counts = rs.ConfusionMatrix(y, p, sample_weight=w).interval(name, method="normal")
    assert found.standard_error > 1.3 * as_counts.standard_error


def test_the_unit_of_sampling_weights_does_not_matter():
    rows = slice(0, 500)
    found = [
        MAKERS["matrix"](rows, W * unit, "sampling").interval("kappa") for unit in (1.0, 2.0**-60, 2.0**60, 2.0**200)
    ]
    assert all(interval == found[0] for interval in found)


def test_intervals_of_little_or_nothing():
    def interval(y, p, w, name="recall", **options):
        return rs.ConfusionMatrix(y, p, labels=[0, 1], sample_weight=w, weight_kind="sampling").interval(
            name, **options
        )

    one = interval([1], [1], [7.0])
    plain = rs.ConfusionMatrix([1], [1], labels=[0, 1]).interval("recall")
    assert (one.low, one.high) == pytest.approx((plain.low, plain.high), rel=1e-12)
    empty = interval([0, 1], [0, 1], [1.0, 0.0])
    assert np.isnan(empty.low) and np.isnan(empty.high)  # noqa: PT018
    none = interval([0, 1], [0, 1], [0.0, 0.0], "accuracy")
    assert np.isnan(none.estimate) and np.isnan(none.low)  # noqa: PT018
    perfect = interval([0, 0, 1, 1], [0, 0, 1, 1], [1.0, 2.0, 10.0, 10.0])
    two = rs.ConfusionMatrix([1, 1], [1, 1], labels=[0, 1]).interval("recall")
    assert perfect.low == pytest.approx(two.low, rel=1e-12)  # two rows, whatever they and others weigh
    for side in ("lower", "upper"):
        assert interval(Y[:50], P[:50], W[:50], side=side).side == side


def test_bins_of_a_calibration_curve_know_their_rows():
    s = RNG.random(400)
    y = (RNG.random(400) < s).astype(int)
    plain = rs.ScoreTable(y, s).calibration(bins=5)
    for kind, factor in (("sampling", 1), ("counts", 9)):
        found = rs.ScoreTable(y, s, sample_weight=np.full(400, 9.0), weight_kind=kind).calibration(bins=5)
        widths = (plain.high - plain.low) / (found.high - found.low)
        assert widths == pytest.approx(np.full(5, np.sqrt(factor)), rel=0.05)


DESIGNS = {
    "1, 1, 1, 8": lambda rng, cells: rng.choice([1.0, 1.0, 1.0, 8.0], size=cells.shape),
    "lognormal": lambda rng, cells: np.exp(0.7 * rng.normal(size=cells.shape)),
    "by class": lambda rng, cells: np.where(cells % 2 == 0, 10.0, 1.0),
    "light errors": lambda rng, cells: (
        np.where((cells == 1) | (cells == 2), 0.3, 1.0) * np.exp(0.5 * rng.normal(size=cells.shape))
    ),
}


@pytest.mark.parametrize("shares", [(0.26, 0.08, 0.07, 0.59), (0.035, 0.03, 0.015, 0.92)])
@pytest.mark.parametrize("design", DESIGNS)
def test_coverage_with_sampling_weights(design, shares):
    """Of intervals at 95 %, of what the weights estimate; with weights read as counts it may be a quarter."""
    rng = np.random.default_rng(4)
    samples = 6_000 if THOROUGH else 1_500
    large = rng.choice(4, size=2_000_000, p=shares)
    weights = DESIGNS[design](rng, large)
    truth = rs.Counts(*np.bincount(large, weights, minlength=4))
    # Of 200 rows with 5 % positives and weights of 1 or 8, four positives make nearly all of the weight of their class.
    for n, least in ((1_000, 0.905), (200, 0.875)):
        cells = rng.choice(4, size=(samples, n), p=shares)
        w = DESIGNS[design](rng, cells)
        sums, squares = ([np.where(cells == cell, x, 0).sum(axis=1) for cell in range(4)] for x in (w, w * w))
        counts = rs.Counts._weighed(sums, squares)
        for name in ("recall", "precision", "accuracy", "f1", "mcc", "kappa", "balanced_accuracy"):
            found = counts.interval(name)
            inside = (found.low <= truth[name]) & (truth[name] <= found.high)
            defined = np.isfinite(found.low)
            covered = inside[defined].mean()
            assert defined.mean() > 0.9
            assert covered > least - (0 if THOROUGH else 0.015), (n, name, covered)
            assert covered < 0.995, (n, name, covered)
    if design == "1, 1, 1, 8":
        as_counts = rs.Counts(*sums).interval("accuracy")
        inside = (as_counts.low <= truth["accuracy"]) & (truth["accuracy"] <= as_counts.high)
        assert inside.mean() < 0.8

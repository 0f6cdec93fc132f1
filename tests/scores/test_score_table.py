"""ScoreTable, ScoreCollector, ProbabilitySums: exactness, merging, policies."""

import copy
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resident import NEEDS_PEAKS, PROGRAM

import rocksteady as rs


def naive_auc(y, s):
    positive, negative = s[y == 1], s[y == 0]
    greater = (positive[:, None] > negative).sum() + 0.5 * (positive[:, None] == negative).sum()
    return greater / (len(positive) * len(negative))


SCORES = st.one_of(st.floats(-1e3, 1e3, width=32), st.sampled_from([0.0, -0.0, 0.5, 1.0, 1 - 1e-16, 5e-324, -1e300]))


@given(st.lists(st.tuples(st.integers(0, 1), SCORES), min_size=2, max_size=60))
def test_the_table_equals_the_naive_sweep(rows):
    y, s = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    if len(set(y.tolist())) < 2:
        return
    table = rs.ScoreTable(y, s)
    assert table["roc_auc"] == pytest.approx(naive_auc(y, s), abs=1e-15)
    thresholds = table.thresholds
    assert thresholds[0] == np.inf
    np.testing.assert_array_equal(thresholds[1:], np.unique(s + 0.0)[::-1])
    counts = table.counts()
    for i, threshold in enumerate(thresholds):
        predicted = s >= threshold
        assert counts.tp[i] == (predicted & (y == 1)).sum()
        assert counts.fp[i] == (predicted & (y == 0)).sum()
        assert counts.fn[i] == (~predicted & (y == 1)).sum()
        assert counts.tn[i] == (~predicted & (y == 0)).sum()
    gaps = table.every("tpr") - table.every("fpr")
    ks = table.ks()
    assert ks.value == pytest.approx(np.abs(gaps).max(), abs=1e-15)
    if ks.sign:
        at = table.at(ks.threshold)
        assert ks.sign * (at["tpr"] - at["fpr"]) == pytest.approx(ks.value, abs=1e-15)


def test_worked_example_of_the_second_paper():
    labels = [1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
    probabilities = [0.5, 0.6, 0.2, 0.9, 0.5, 0.3, 0.1, 0.7, 0.3, 0.9, 0.5]
    table = rs.ScoreTable(labels, probabilities)
    assert table["roc_auc"] == 29 / 30
    assert table.ks() == rs.results.KS(pytest.approx(0.8, abs=1e-15), 0.6, 1)
    assert table["average_precision"] == pytest.approx(0.942857142857, abs=1e-12)


def test_sides_of_a_threshold():
    table = rs.ScoreTable([0, 1, 1], [0.2, 0.5, 0.7])
    assert table.at(0.5)["recall"] == 1.0
    assert table.at(0.5, side=">")["recall"] == 0.5
    assert table.at(-1.0)["fpr"] == 1.0
    assert table.at(2.0)["rpp"] == 0.0
    with pytest.raises(rs.InputError, match="side"):
        table.at(0.5, side="<")
    with pytest.raises(rs.InputError, match="threshold"):
        table.at(float("nan"))


def test_an_index_that_needs_a_threshold_is_refused_with_a_hint():
    table = rs.ScoreTable([0, 1], [0.1, 0.2])
    with pytest.raises(rs.UnknownIndexError, match=r"table\.at\(0\.5\)\[\"f1\"\]"):
        table["f1"]
    with pytest.raises(rs.UnknownIndexError):
        table["nonsense"]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int8, np.uint16, np.int32, np.int64, bool])
def test_every_score_type_is_ranked_in_its_own_precision(dtype):
    rng = np.random.default_rng(3)
    s = rng.integers(0, 100, 3000).astype(dtype)
    y = rng.integers(0, 2, 3000)
    table = rs.ScoreTable(y, s)
    assert table["roc_auc"] == pytest.approx(naive_auc(y, s.astype(float)), abs=1e-14)
    assert table.thresholds.dtype == np.float64


def test_scores_are_never_narrowed():
    assert rs.ScoreTable([0, 1], [0.5, 0.5 + 1e-9])["roc_auc"] == 1.0
    assert rs.ScoreTable([0, 1], np.array([2**53, 2**53 + 1]))["roc_auc"] == 1.0
    assert rs.ScoreTable([1, 0], [-0.0, 0.0])["roc_auc"] == 0.5


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
def test_merging_is_pooling_to_the_bit(dtype, weighted):
    rng = np.random.default_rng(8)
    y, s = rng.integers(0, 2, 3000), rng.normal(size=3000).round(2).astype(dtype)
    w = rng.lognormal(size=3000) if weighted else None

    def part(rows):
        return rs.ScoreTable(y[rows], s[rows], sample_weight=None if w is None else w[rows])

    pooled = part(slice(None))
    merged = part(slice(0, 10)) + part(slice(10, 1500)) + part(slice(1500, None))
    assert merged.to_bytes() == pooled.to_bytes()
    assert part(rng.permutation(3000)).to_bytes() == pooled.to_bytes()
    collector = rs.ScoreCollector()
    for start in range(0, 3000, 700):
        rows = slice(start, start + 700)
        collector.update(y[rows], s[rows], sample_weight=None if w is None else w[rows])
    assert collector.score_table()["roc_auc"] == pooled["roc_auc"]


def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(9)
    y, s, w = rng.integers(0, 2, 500_000), rng.normal(size=500_000), rng.random(500_000)
    try:
        states = []
        for threads in (1, 2, 7):
            rs.set_threads(threads)
            states.append(
                (
                    rs.ScoreTable(y, s).to_bytes(),
                    rs.ScoreTable(y, s, sample_weight=w).to_bytes(),
                    rs.metrics.roc_auc_score(y, s),
                    rs.ProbabilitySums(y, 1 / (1 + np.exp(-s))).to_bytes(),
                )
            )
        assert states[0] == states[1] == states[2]
    finally:
        rs.set_threads(None)


def test_nan_policies():
    y, s = [0, 1, 1, 0], [0.1, float("nan"), 0.9, 0.5]
    with pytest.raises(rs.InputError, match=r"y_score\[1\]"):
        rs.ScoreTable(y, s)
    assert rs.ScoreTable(y, s, nan_policy="omit").rows == 3
    assert rs.ScoreTable(y, s, nan_policy="worst")["roc_auc"] == 0.5
    assert rs.ScoreTable(y, s, nan_policy="best")["roc_auc"] == 1.0
    with pytest.raises(rs.InputError, match="nan_policy"):
        rs.ScoreTable(y, s, nan_policy="ignore")


def test_infinite_scores_are_refused_unless_allowed():
    with pytest.raises(rs.InputError, match=r"y_score\[1\]"):
        rs.ScoreTable([0, 1], [0.0, np.inf])
    assert rs.ScoreTable([0, 1], [0.0, np.inf], infinite="allow")["roc_auc"] == 1.0


def test_one_class_is_undefined_with_a_reason():
    table = rs.ScoreTable([0, 0], [0.1, 0.2])
    assert np.isnan(table["roc_auc"])
    assert np.isnan(table.ks().value)
    assert table.why("roc_auc")
    assert table["average_precision"] == 0.0


def test_bad_input_is_refused_and_costs_nothing():
    with pytest.raises(rs.InputError, match=r"y_true\[2\] is 2"):
        rs.ScoreTable([0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(rs.InputError, match="rows"):
        rs.ScoreTable([0, 1], [0.1])
    with pytest.raises(rs.InputError, match="empty"):
        rs.ScoreTable([], [])
    collector = rs.ScoreCollector()
    collector.update([0, 1], [0.1, 0.9])
    with pytest.raises(rs.InputError):
        collector.update([0, 1], [0.1, float("nan")])
    with pytest.raises(rs.InputError):
        collector.update([0, 2], [0.1, 0.5])
    assert collector.rows == 2
    assert collector.score_table()["roc_auc"] == 1.0


def test_all_tied_is_one_half():
    y = np.arange(1_000_000) % 3 == 0
    assert rs.metrics.roc_auc_score(y, np.full(1_000_000, 0.3)) == 0.5
    assert rs.ScoreTable(y, np.full(1_000_000, 0.3))["roc_auc"] == 0.5


def test_ten_million_rows_agree_with_the_table():
    rng = np.random.default_rng(4)
    y = rng.random(10_000_000) < 0.3
    s = rng.normal(size=10_000_000) + y
    area = rs.metrics.roc_auc_score(y, s)
    order = np.sort(s[y])
    below = np.searchsorted(np.sort(s[~y]), order).sum()
    assert area == pytest.approx(below / (len(order) * (10_000_000 - len(order))), abs=1e-15)


def test_probability_sums():
    rng = np.random.default_rng(10)
    p, y = rng.random(5000), rng.integers(0, 2, 5000)
    w = rng.random(5000)
    for weight in (None, w):
        sums = rs.ProbabilitySums(y, p, sample_weight=weight)
        loss = -np.average(np.log(np.where(y == 1, p, 1 - p)), weights=weight)
        assert sums["log_loss"] == pytest.approx(loss, rel=1e-13)
        assert sums["brier"] == pytest.approx(np.average((p - y) ** 2, weights=weight), rel=1e-13)
        parts = [
            rs.ProbabilitySums(y[i::7], p[i::7], sample_weight=None if weight is None else weight[i::7])
            for i in range(7)
        ]
        merged = parts[3]
        for part in (*parts[:3], *parts[4:]):
            merged = merged + part
        assert merged.to_bytes() == sums.to_bytes()
    with pytest.raises(rs.InputError, match=r"y_score\[1\] is 1.5"):
        rs.ProbabilitySums([0, 1], [0.5, 1.5])


def test_several_threads_may_fill_one_collector():
    rng = np.random.default_rng(4)
    y, s = rng.integers(0, 2, (8, 50_000)), rng.random((8, 50_000))
    collector = rs.ScoreCollector()
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(collector.update, *part) for part in zip(y, s, strict=True)]:
            done.result()
    assert collector.rows == y.size
    assert collector.score_table() == rs.ScoreTable(y.ravel(), s.ravel())


def test_a_collector_may_be_filled_while_it_reads_a_batch():
    collector = rs.ScoreCollector()

    class Batch:
        def __array__(self, dtype=None, copy=None):
            collector.update([1], [0.9])
            return np.array([0.1, 0.2])

    collector.update([0, 1], Batch())
    assert collector.rows == 3


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("bool", "f8", "f8"), ("i1", "f2", "f8"), ("u2", "f4", "f8"), ("i4", "f8", "f8"), ("u4", "f8", "f8"),
        ("i4", "u4", "i8"), ("u4", "i8", "i8"), ("u4", "u8", "u8"), ("f2", "f4", "f4"), ("f2", "f8", "f8"), ("f4", "f8", "f8"),
    ],
)  # fmt: skip
def test_scores_of_two_types_go_together_where_a_third_holds_both(one, other, both):
    y, scores = [0, 1, 1, 0], [0, 1, 0, 1]
    top = 1 if one == "bool" else np.finfo(one).max if one[0] == "f" else np.iinfo(one).max
    first = np.array([*scores, top]).astype(one)
    second = np.array([*scores, 1]).astype(other)
    pooled = rs.ScoreTable([*y, 1, *y, 0], np.r_[first.astype(both), second.astype(both)])
    for a, b in ((first, second), (second, first)):
        tables = [rs.ScoreTable([*y, int(part is first)], part) for part in (a, b)]
        assert tables[0] + tables[1] == pooled
        collector = rs.ScoreCollector()
        for part in (a, b):
            collector.update([*y, int(part is first)], part)
        assert collector.score_table() == pooled


def test_scores_that_no_type_holds_together_are_refused():
    with pytest.raises(rs.InputError, match="no type holds scores of I64 and F64 exactly"):
        rs.ScoreTable([0, 1], np.array([0, 2**53 + 1], "i8")) + rs.ScoreTable([0, 1], [0.1, 0.2])


@pytest.mark.parametrize("weight", [1.0, 3.0, 0.1, 1e-3])
def test_equal_weights_change_no_index(weight):
    rng = np.random.default_rng(6)
    for _ in range(200):
        n = rng.integers(4, 60)
        y, s = np.r_[0, 1, rng.integers(0, 2, n)], rng.integers(0, 12, n + 2) / 12
        plain, weighted = rs.ScoreTable(y, s), rs.ScoreTable(y, s, sample_weight=np.full(n + 2, weight))
        assert weighted.ks()[1:] == plain.ks()[1:]
        for name in ("ks", "roc_auc", "average_precision"):
            assert weighted[name] == pytest.approx(plain[name], abs=1e-14)


@pytest.mark.parametrize("weight", [5e-324, 1e-200, 1e200, 2.0**1020])
def test_weights_of_any_size(weight):
    rng = np.random.default_rng(7)
    y, s, w = [0, 1, 0, 1, 1, 0], [0.0, 1.0, 2.0, 3.0, 4.0, 4.0], rng.integers(1, 4, 6)
    plain, weighted = rs.ScoreTable(y, s, sample_weight=w * 1.0), rs.ScoreTable(y, s, sample_weight=w * weight)
    assert weighted["roc_auc"] == pytest.approx(plain["roc_auc"], rel=1e-14)
    assert weighted.ks() == pytest.approx(plain.ks(), rel=1e-14)
    assert weighted["average_precision"] == pytest.approx(plain["average_precision"], rel=1e-14)


def test_whole_numbers_and_floats_go_together_while_doubles_hold_them():
    pooled = rs.ScoreTable([0, 1, 1, 0], [0, 1, 0.5, 0.25])
    whole, fractions = rs.ScoreTable([0, 1], [0, 1]), rs.ScoreTable([1, 0], [0.5, 0.25])
    assert whole + fractions == pooled
    assert fractions + whole == pooled
    collector = rs.ScoreCollector()
    collector.update([0, 1], [0, 1])
    collector.update([1, 0], [0.5, 0.25])
    assert collector.score_table() == pooled
    with pytest.raises(rs.RocksteadyError, match="go with the earlier ones"):
        collector.update([0, 1], [0, 2**53 + 1])
    assert collector.rows == 4


def test_a_collector_is_not_pickled_but_the_tables_of_several_add_up():
    y, s = np.arange(500) % 3 == 0, np.random.default_rng(5).random(500)
    collectors = [rs.ScoreCollector() for _ in range(2)]
    for collector, rows in zip(collectors, (slice(0, 200), slice(200, 500)), strict=True):
        collector.update(y[rows], s[rows])
    for travel in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(rs.InputTypeError, match=r"pickle its score_table\(\)"):
            travel(collectors[0])
    sent = [pickle.loads(pickle.dumps(collector.score_table())) for collector in collectors]
    assert sent[0] + sent[1] == rs.ScoreTable(y, s)


@NEEDS_PEAKS
@pytest.mark.parametrize(("threads", "kept"), [(1, 0), (2, 0), (2, rs.settings.get_kept_memory())])
def test_a_collector_makes_its_table_in_little_memory(threads, kept):
    program = textwrap.dedent(f"""
        rs.set_threads({threads})
        rs.settings.set_kept_memory({kept})
        rng = np.random.default_rng(0)
        s = rng.random(500_000)
        y = rng.random(500_000) < s
        rs.ScoreTable(y, s)  # loads everything that is loaded only once
        collector = rs.ScoreCollector()
        gc.collect()
        before = resident("VmRSS")
        for _ in range(20):
            rng.random(out=s)
            collector.update(y, s)
        forget_the_peak()
        table = collector.score_table()
        print(resident("VmHWM") - before, resident("VmRSS") - before, table.rows)
    """)
    done = subprocess.run([sys.executable, "-c", PROGRAM + program], capture_output=True, text=True, check=True)
    peak, stays, rows = map(int, done.stdout.split())
    assert rows == 10_000_000
    assert 33 * rows - kept <= stays <= peak <= 36 * rows + kept, (
        f"{peak / rows} bytes a row at most, {stays / rows} in the end"
    )


def test_counts_beyond_doubles_keep_what_is_left():
    # 2^60 + 1 is no double, but one row is left below the first score.
    table = rs.ScoreTable.from_counts([0.9, 0.1], [2**60, 1], [0, 2**60 + 1])
    counts = table.at(0.5)
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (2**60, 0, 1, 2**60)
    assert table.every(["fn"])["fn"].tolist() == [2**60, 1, 0]
    assert counts["fnr"] == 2.0**-60

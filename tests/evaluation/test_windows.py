"""A statistic minus a part of its rows, windows over dated parts against sums of the parts, and drift."""

from __future__ import annotations

import datetime as dt
import math
import os
import pickle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rocksteady as rs

EXAMPLES = 1_000 if os.environ.get("ROCKSTEADY_THOROUGH") else 12
KINDS = ("none", "counts", "sampling")

# A row: true class, predicted class, a score in eighths, a weight, and a second prediction.
weights = st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0, 1e-90, 1e90]) | st.floats(0.001, 5)
rows = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 8), weights, st.integers(0, 2))
some_rows = st.lists(rows, min_size=1, max_size=25)


def columns(part):
    y, p, s, w, q = zip(*part, strict=True)
    return np.array(y), np.array(p), np.array(s) / 8, np.array(w), np.array(q)


def weighed(w, kind):
    return {} if kind == "none" else {"sample_weight": w, "weight_kind": kind}


def matrix(part, kind):
    y, p, _, w, _ = columns(part)
    return rs.ConfusionMatrix(y, p, labels=[0, 1, 2], **weighed(w, kind))


def score_table(part, kind):
    # Both labels are known, whatever rows there are.
    y, _, s, w, _ = columns(part)
    y, s, w = np.append(y > 0, [False, True]), np.append(s, [0.5, 0.5]), np.append(w, [1.0, 1.0])
    return rs.ScoreTable(y, s, **weighed(w, kind))


def score_tables(part, kind):
    y, p, s, w, _ = columns(part)
    proba = np.stack([s, (1 - s) * (p > 0), (1 - s) * (p == 0)], axis=1)
    return rs.ScoreTables(y, proba, labels=[0, 1, 2], **weighed(w, kind))


def label_tables(part, kind):
    y, p, s, w, _ = columns(part)
    return rs.LabelScoreTables(np.stack([y > 0, p > 1], axis=1), np.stack([s, 1 - s], axis=1), **weighed(w, kind))


def probability_sums(part, kind):
    y, _, s, w, _ = columns(part)
    y, s, w = np.append(y > 0, [False, True]), np.append(s, [0.5, 0.5]), np.append(w, [1.0, 1.0])
    return rs.ProbabilitySums(y, s, **weighed(w, kind))


def sums_with_squares(part, kind):
    y, _, s, w, _ = columns(part)
    y, s, w = np.append(y > 0, [False, True]), np.append(s, [0.5, 0.5]), np.append(w, [1.0, 1.0])
    return rs.ProbabilitySums(y, s, squares=True, **weighed(w, kind))


def compared(part, kind):
    y, p, _, w, q = columns(part)
    models = {"a": p, "b": q}
    return rs.inference.compare_labels(y, models, labels=[0, 1, 2], **weighed(w, kind))


def groups(part, kind):
    y, p, _, w, q = columns(part)
    return rs.group_by(y, p, by={"part": q, "even": w == 1.0}, labels=[0, 1, 2], **weighed(w, kind))


def groups_of_scores(part, kind):
    y, p, s, w, q = columns(part)
    # Both labels are known. Scores do not know rows without weight, so there are none.
    y, s, w, q = (
        np.append(y > 0, [False, True]),
        np.append(s, [0.5, 0.5]),
        np.append(w, [1.0, 1.0]),
        np.append(q, [0, 0]),
    )
    y_pred = np.append(p > 0, [True, True])
    return rs.group_by(y, y_pred, s, by=q, pos_label=True, **weighed(np.where(w == 0, 1.0, w), kind))


def queries(part, kind):
    y, _, s, _, q = columns(part)
    return rs.Queries(y, s, q, query_weight=None if kind == "none" else q + 0.5)


MAKERS = {
    "Groups": groups,
    "Groups of scores": groups_of_scores,
    "Queries": queries,
    "ConfusionMatrix": matrix,
    "ScoreTable": score_table,
    "ScoreTables": score_tables,
    "LabelScoreTables": label_tables,
    "ProbabilitySums": probability_sums,
    "ProbabilitySums with squares": sums_with_squares,
    "ComparedLabels": compared,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAKERS)
@settings(max_examples=EXAMPLES)
@given(a=some_rows, b=some_rows)
def test_what_was_added_is_taken_away(name, kind, a, b):
    make = MAKERS[name]
    one, other = make(a, kind), make(b, kind)
    both = one + other
    assert both - other == one
    assert both - one == other
    assert pickle.dumps(both - other) == pickle.dumps(one)
    nothing = both - both
    assert nothing + one == one
    with pytest.raises(rs.InputError, match="cannot subtract: "):
        _ = one - (both + make([(0, 0, 1, 1.0, 0), (1, 1, 7, 1.0, 1)], kind))


@settings(max_examples=EXAMPLES)
@given(st.lists(st.tuples(*[st.integers(0, 2**50)] * 8), min_size=1, max_size=9))
def test_counts_are_taken_away(each):
    cells = np.array(each).T
    a, b = rs.Counts(*cells[:4]), rs.Counts(*cells[4:])
    assert (a + b) - b == a
    if (cells[:4] < cells[4:]).any():
        place = np.argwhere((cells[:4] < cells[4:]).any(axis=1))[0, 0]
        name = ("tp", "fp", "fn", "tn")[place]
        with pytest.raises(rs.InputError, match=rf"cannot subtract: {name} at \[\d+\]: .* is below zero") as found:
            _ = a - b
        assert found.value.argument == name
    table = rs.ScoreTable([0, 1, 1], [0.1, 0.2, 0.3], sample_weight=[0.5, 1.5, 2], weight_kind="sampling")
    counts = table.at(0.2)
    assert (counts + counts) - counts == rs.Counts._weighed(counts._arrays, counts._squares)
    with pytest.raises(rs.InputError, match="expected one kind"):
        _ = counts - rs.Counts(0, 0, 0, 0)
    with pytest.raises(rs.InputError, match="expected one shape"):
        _ = a - rs.Counts(*np.zeros((4, 10)))


def test_counts_near_2_to_the_60():
    huge = rs.ConfusionMatrix.from_counts([[2**60, 5], [0, 2**61]])
    small = rs.ConfusionMatrix.from_counts([[3, 1], [0, 2]])
    assert (huge + small) - huge == small
    assert (huge - small).to_array().tolist() == [[2**60 - 3, 4], [0, 2**61 - 2]]


def test_classes_stay_and_cells_go():
    week = rs.ConfusionMatrix(["a", "b", "c"], ["a", "b", "b"])
    rest = week - rs.ConfusionMatrix(["c"], ["b"])
    assert list(rest.labels) == ["a", "b", "c"]
    assert rest.to_array().tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    for other, words in [
        (rs.ConfusionMatrix(["d"], ["a"]), 'the class "d" is not in what it is taken from'),
        (rs.ConfusionMatrix(["a"], ["b"]), 'rows of class "a" predicted to be "b", but none'),
        (rs.ConfusionMatrix(["a", "a"], ["a", "a"]), 'class "a" predicted to be "a": 1 less 2 is below zero'),
        (rs.ConfusionMatrix([1], [1]), "the labels of one are text"),
        (rs.ConfusionMatrix(["a"], ["a"], sample_weight=[0.5]), "weights are taken from counts of rows"),
        (rs.ConfusionMatrix(["a"], ["a"], sample_weight=[0.5], weight_kind="sampling"), "sampling weights"),
    ]:
        with pytest.raises(rs.InputError, match=words):
            _ = week - other
    weights = rs.ConfusionMatrix(["a", "b"], ["a", "b"], sample_weight=[1.5, 2])
    assert (weights + week) - week == weights + rs.ConfusionMatrix.from_counts(
        np.zeros((3, 3), int), labels=week.labels
    )
    with pytest.raises(TypeError):
        _ = week - 1


def test_scores_and_labels_are_named():
    week = rs.ScoreTable([0, 1, 1], [0.1, 0.5, 0.9])
    for y, s, words in [
        ([1, 0], [0.9, 0.2], "there are rows of score 0.2, but none"),
        ([0, 1], [0.9, 0.5], "negatives of score 0.9: 0 less 1 is below zero"),
        ([1, 1, 0], [0.9, 0.9, 0.1], "positives of score 0.9: 1 less 2 is below zero"),
        ([2, 1], [0.9, 0.1], "more than two labels between them"),
    ]:
        with pytest.raises(rs.InputError, match=words):
            _ = week - rs.ScoreTable(y, s)
    large = rs.ScoreTable([0, 1], np.array([5, 2**62 + 1]))
    with pytest.raises(rs.InputError, match=f"positives of score {2**62 + 1}: 1 less 2"):
        _ = large - (large + rs.ScoreTable([0, 1], np.array([5, 2**62 + 1])))
    only = rs.ScoreTable([1, 1], [0.1, 0.2])
    with pytest.raises(rs.InputError, match="rows with the labels 0 and 1 are taken from rows with 1 only"):
        _ = only - week
    tables = rs.ScoreTables(["x", "y"], [[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(rs.InputError, match='in the column of "x", positives of score 0.9: 1 less 2'):
        _ = tables - (tables + tables)
    with pytest.raises(TypeError):
        _ = week - tables


def test_groups_and_queries_are_named():
    by = rs.group_by(["a", "b", "b"], ["a", "b", "a"], by={"region": ["north", "south", None]})
    for other, words in (
        (
            rs.group_by(["a", "b"], ["a", "b"], by={"region": ["west", "west"]}),
            'the group with region "west", but none in',
        ),
        (
            rs.group_by(["b", "a"], ["b", "a"], by={"region": ["north", "south"]}),
            'region "north", there are rows of class "b"',
        ),
        (by + by, 'in the group with region "north", class "a" predicted to be "a": 1 less 2 is below zero'),
        (rs.group_by(["a", "b"], ["a", "b"], by={"land": ["west", "west"]}), 'key columns "region" and "land"'),
        (rs.group_by([1, 0], [1, 0], by={"region": ["north", "north"]}), "the labels of one are text"),
    ):
        with pytest.raises(rs.InputError) as found:
            _ = by - other
        assert words in str(found.value), found.value
        assert str(found.value).startswith("cannot subtract: ")
    by = rs.Queries([1, 0, 0], [0.5, 0.25, 0.5], ["x", "x", "y"])
    for other, words in (
        (rs.Queries([1], [0.5], ["z"]), 'there are rows of query "z", but none in what they are taken from'),
        (rs.Queries([1], [0.25], ["x"]), 'query "x": a row of score 0.25 and relevance 1 is taken more often than'),
        (rs.Queries([1], [0.5], ["x"], query_weight=[2.0]), "weights in one only"),
        (rs.Queries([1], [0.5], ["x"], ties="stable"), 'ties are "expected" in one and "stable" in the other'),
    ):
        with pytest.raises(rs.InputError) as found:
            _ = by - other
        assert words in str(found.value), found.value


def test_a_part_of_sampling_weights_must_have_their_squares():
    # The same sums of weights, of rows with other weights.
    whole = rs.ScoreTable([0, 1, 1], [0.1, 0.5, 0.5], sample_weight=[1.0, 1.0, 1.0], weight_kind="sampling")
    part = rs.ScoreTable([0, 1], [0.1, 0.5], sample_weight=[1.0, 2.0], weight_kind="sampling")
    with pytest.raises(rs.InputError, match="cannot subtract: "):
        _ = whole - part


def test_bootstraps_by_keys_are_taken_away():
    rng = np.random.default_rng(5)
    y, p, keys = rng.integers(0, 2, 60), rng.integers(0, 2, 60), np.arange(60)

    def boot(rows):
        return rs.inference.bootstrap(
            y[rows],
            p[rows],
            "recall",
            resample="poisson",
            key=keys[rows],
            n_resamples=50,
            random_state=1,
            threshold=0.5,
        )

    a, b, both = boot(slice(0, 20)), boot(slice(20, 60)), boot(slice(0, 60))
    assert (both - b).interval("recall") == a.interval("recall")
    with pytest.raises(rs.InputError, match="not among the rows"):
        _ = a - both


# Windows

DAY = dt.date(2024, 3, 1)


def days(count):
    return DAY + dt.timedelta(days=count)


def naive(limit, size, parts):
    """The dates that a window keeps of a mapping from dates to parts."""
    dates = sorted(parts)
    if limit == "parts":
        return dates[-size:]
    if limit == "days":
        return [date for date in dates if (dates[-1] - date).days < size]
    kept, rows = [], 0
    for date in reversed(dates):
        if rows < size:
            kept.append(date)
            rows += len(parts[date])
    return kept[::-1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAKERS)
@settings(max_examples=max(8, EXAMPLES // 4))
@given(
    coming=st.lists(st.tuples(st.integers(0, 9), some_rows), min_size=1, max_size=9),
    limit=st.sampled_from(["days", "rows", "parts"]),
    size=st.integers(1, 30),
)
@example(coming=[(5, [(0, 0, 0, 1.0, 0)]), (1, [(0, 0, 0, 1.0, 0)])], limit="days", size=2)
@pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning")
def test_a_window_is_the_sum_of_its_parts(name, kind, coming, limit, size):
    make = MAKERS[name]
    window, held, late = rs.Window(**{limit: size}), {}, 0
    # A score table of the tests has two rows more than its part, so rows are counted as they are made.
    length = {"Groups of scores": 2, "ScoreTable": 2, "ProbabilitySums": 2, "ProbabilitySums with squares": 2}.get(
        name, 0
    )
    if limit == "rows" and name == "ComparedLabels":
        with pytest.raises(rs.InputTypeError, match="one that knows its number of rows"):
            window.update(DAY, make(coming[0][1], kind))
        return
    counted = {}
    for offset, part in coming:
        date, statistic = days(offset), make(part, kind)
        if limit == "rows" and kind != "none" and name not in ("ConfusionMatrix", "Queries"):
            size_of = [0] * statistic.rows  # rows of no weight are not counted
        else:
            size_of = [0] * (len(part) + length)
        before = {**counted, date: counted.get(date, []) + size_of}
        kept = naive(limit, size, before)
        left = window.update(date, statistic)
        if date not in kept:
            late += 1
            assert not left
            continue
        held[date] = held[date] + statistic if date in held else statistic
        assert set(left) == set(held) - set(kept)
        held = {day: held[day] for day in kept}
        counted = {day: before[day] for day in kept}
        whole = sum(list(held.values())[1:], held[kept[0]])
        assert window.total == whole
        assert pickle.dumps(window.total) == pickle.dumps(whole)
        assert window.parts == held
        assert len(window) == len(held)
    assert window.late == late
    again = pickle.loads(pickle.dumps(window))
    assert again == window
    assert again.total == window.total


def test_classes_that_only_a_part_that_left_had_leave_with_it():
    window = rs.Window(parts=2)
    for day, label in enumerate(["rare", "a", "b", "a"]):
        window.update(days(day), rs.ConfusionMatrix([label, "a", "b"], ["a", "a", "c"]))
        whole = sum(window.parts.values())
        assert window.total == whole
        assert window.total["accuracy"] == whole["accuracy"]
    assert list(window.total.labels) == ["a", "b", "c"]


def test_scores_of_a_wider_type_leave_with_their_part():
    window = rs.Window(parts=1)
    window.update(DAY, rs.ScoreTable([0, 1], np.array([0.1, 0.7])))
    window.update(days(1), rs.ScoreTable([0, 1], np.array([0.1, 0.7], "f4")))
    assert window.total == rs.ScoreTable([0, 1], np.array([0.1, 0.7], "f4"))


def test_parts_that_left_are_the_time_before():
    now, before = rs.Window(days=7), rs.Window(days=7)
    rng = np.random.default_rng(2)
    tables = [rs.ScoreTable(rng.integers(0, 2, 50), rng.random(50).round(2)) for _ in range(14)]
    for day, table in enumerate(tables):
        for date, part in now.update(days(day), table).items():
            before.update(date, part)
    assert now.total == sum(tables[7:])
    assert before.total == sum(tables[:7])
    found = now.drift("roc_auc", before)
    one, other = (table.interval("roc_auc") for table in (now.total, before.total))
    expected = rs.inference.independent_difference(one, other)
    assert (found.change, found.low, found.high, found.p_value) == (
        expected.estimate,
        expected.low,
        expected.high,
        expected.p_value,
    )
    assert found == rs.drift(before.total, now, "roc_auc")
    assert (found.before, found.now) == (before.total["roc_auc"], now.total["roc_auc"])
    stability = now.stability(before, bins=5)
    assert stability.psi == rs.scores.population_stability(before.total, now.total, bins=5).psi


def test_dates():
    window = rs.Window(days=1.5)
    times = ["2024-03-31T00:00", np.datetime64("2024-03-31T12"), dt.datetime(2024, 4, 1, 11)]
    table = rs.ScoreTable([0, 1], [0.1, 0.7])
    for time in times:
        assert window.update(time, table) == {}
    assert list(window.update("2024-04-01T18:30", table)) == [dt.datetime(2024, 3, 31)]
    daily = rs.Window(days=dt.timedelta(days=2))
    daily.update("2024-03-31", table)
    daily.update(np.datetime64("2024-04-01"), table)
    assert list(daily.parts) == [dt.date(2024, 3, 31), dt.date(2024, 4, 1)]
    with pytest.raises(rs.InputError, match=r"date is .*; expected a day, as the others are"):
        daily.update(dt.datetime(2024, 4, 1), table)
    with pytest.raises(rs.InputError, match="a time without a time zone"):
        window.update(dt.datetime(2024, 4, 1, tzinfo=dt.UTC), table)
    for wrong in ("yesterday", "2024-13-01", np.datetime64("NaT", "D"), 20240331, None, 3.5):
        with pytest.raises((rs.InputError, rs.InputTypeError), match="date is .*; expected a date"):
            daily.update(wrong, table)
    pandas = pytest.importorskip("pandas")
    daily.update(pandas.Timestamp("2024-04-02").date(), table)
    stamps = rs.Window(days=1)
    stamps.update(pandas.Timestamp("2024-04-02T10:00"), table)
    with pytest.raises(rs.InputTypeError, match="expected a date"):
        stamps.update(pandas.NaT, table)


def test_a_refused_part_changes_nothing():
    window = rs.Window(parts=3)
    window.update(DAY, rs.ConfusionMatrix(["a", "b"], ["a", "a"]))
    copy = pickle.loads(pickle.dumps(window))
    for statistic in (
        rs.ConfusionMatrix([0, 1], [0, 1]),
        rs.ScoreTable([0, 1], [0.1, 0.7]),
        3,
        np.zeros(3),
        rs.Window(parts=1),
        "text",
    ):
        with pytest.raises((rs.InputError, rs.InputTypeError)):
            window.update(days(1), statistic)
        assert window == copy


def test_late_parts_are_counted_and_said():
    window = rs.Window(days=7)
    table = rs.ScoreTable([0, 1], [0.1, 0.7])
    window.update(days(10), table)
    window.update(days(5), table)  # out of order, not late
    with pytest.warns(rs.RocksteadyWarning, match="the part of 2024-03-04 is older than the window"):
        assert window.update(days(3), table) == {}
    assert (window.late, window.total.rows) == (1, 4)
    assert repr(window) == "<rocksteady.Window of 7 days: 2 parts of ScoreTable, 2024-03-06 to 2024-03-11, 1 late>"
    assert "1 late" in window._repr_html_()


def test_sizes_are_checked():
    for wrong in ({}, {"days": 1, "rows": 2}):
        with pytest.raises(rs.InputError, match="expected exactly one"):
            rs.Window(**wrong)
    for wrong in ({"days": 0}, {"days": -1}, {"days": math.nan}, {"days": "7"}, {"rows": 0}, {"parts": 1.5},
                  {"days": dt.timedelta(0)}, {"days": math.inf}, {"days": 1e300}):  # fmt: skip
        with pytest.raises((rs.InputError, rs.InputTypeError), match="expected a"):
            rs.Window(**wrong)
    empty = rs.Window(rows=5)
    with pytest.raises(rs.InputError, match="has no part yet"):
        _ = empty.total
    assert "no parts yet" in repr(empty)
    assert (len(empty), empty.parts) == (0, {})
    with pytest.raises(rs.InputTypeError, match="number of rows"):
        empty.update(DAY, rs.Counts(1, 2, 3, 4))


def test_a_window_of_groups():
    rng = np.random.default_rng(4)
    window = rs.Window(days=2)
    for day in range(5):
        y, s, g = rng.integers(0, 2, 40), rng.random(40).round(1), rng.integers(0, 3, 40)
        window.update(days(day), rs.group_by(y, y_score=s, by=g, pos_label=1))
    parts = list(window.parts.values())
    assert len(parts) == 2
    assert window.total == parts[0] + parts[1]
    assert window.total - parts[1] == parts[0]
    with pytest.raises(rs.InputError, match="cannot subtract: "):
        _ = parts[0] - window.total
    with pytest.raises(rs.InputError, match="expected one value"):
        window.drift("roc_auc", parts[0])


# Drift


def test_drift_of_counts_of_averages_and_without_interval():
    before = rs.ConfusionMatrix.from_counts([[50, 4, 2], [3, 40, 9], [1, 8, 60]])
    now = rs.ConfusionMatrix.from_counts([[40, 9, 4], [3, 30, 12], [2, 8, 66]])
    for options in ({}, {"average": "macro"}):
        name = "f1" if options else "accuracy"
        found = rs.drift(before, now, name, level=0.9, **options)
        intervals = [each.interval(name, level=0.9, **options) for each in (now, before)]
        expected = rs.inference.independent_difference(*intervals, level=0.9)
        assert (found.low, found.high, found.level) == (expected.low, expected.high, 0.9)
        assert found.change == pytest.approx(expected.estimate)
        assert "interval" in repr(found)
    tables = [
        rs.ScoreTable([0, 1, 1, 0, 1], scores) for scores in ([0.1, 0.4, 0.8, 0.5, 0.9], [0.3, 0.1, 0.2, 0.6, 0.9])
    ]
    ks = rs.drift(*tables, "h_measure")
    assert (ks.before, ks.now) == tuple(table["h_measure"] for table in tables)
    assert math.isnan(ks.low)
    assert ks.why
    assert ks.why in repr(ks)
    at = rs.drift(*tables, "recall", threshold=0.45)
    assert at == rs.drift(*(table.at(0.45) for table in tables), "recall")
    odds = rs.drift(rs.Counts(9, 4, 3, 8), rs.Counts(7, 5, 5, 9), "diagnostic_odds_ratio")
    assert odds.change == pytest.approx(7 * 9 / 25 - 9 * 8 / 12)
    assert odds.low < 0 < odds.high
    assert "fewer than 20" in odds.note
    assert odds.note in repr(odds)
    columns = [([0, 1, 1], scores) for scores in ([0.1, 0.4, 0.9], [0.3, 0.1, 0.6])]
    sums = [rs.ProbabilitySums(*each) for each in columns]
    assert "squares=True" in rs.drift(*sums, "log_loss").why
    assert "Drift" in rs.drift(*sums, "log_loss")._repr_html_()
    one, other = (rs.drift(*(kind(*each) for each in columns), "log_loss") for kind in (squared_sums, rs.ScoreTable))
    assert (one.low, one.p_value) == pytest.approx((other.low, other.p_value), rel=1e-9)
    queries = [
        rs.Queries([1, 0, 0, 1, 1, 0], scores, [1, 1, 2, 2, 3, 3])
        for scores in ([3, 1, 2, 4, 5, 1], [1, 2, 2, 4, 1, 5])
    ]
    assert rs.drift(*queries, "mrr").high > 0
    rows = [rs.RowMean.log_loss(*each, labels=[0, 1]) for each in columns]
    assert "No interval is known" in rs.drift(*rows, "log_loss").why


def squared_sums(y_true, y_score):
    return rs.ProbabilitySums(y_true, y_score, squares=True)


def test_drift_refuses_what_does_not_go_together():
    matrix, table = rs.ConfusionMatrix([0, 1], [0, 1]), rs.ScoreTable([0, 1], [0.1, 0.7])
    for arguments, error in [
        ((matrix, table, "accuracy"), rs.InputTypeError),
        ((matrix, 3, "accuracy"), rs.InputTypeError),
        ((matrix, matrix, "no such index"), rs.UnknownIndexError),
        ((table, table, "recall"), rs.UnknownIndexError),
        ((rs.Window(days=1), table, "roc_auc"), rs.InputError),
        ((rs.Counts([1, 2], 0, 0, 1), rs.Counts([1, 2], 0, 0, 1), "recall"), rs.InputError),
    ]:
        with pytest.raises(error):
            rs.drift(*arguments)
    with pytest.raises(rs.InputTypeError, match="score tables"):
        rs.drift(matrix, matrix, "recall", threshold=0.5)
    with pytest.raises(rs.InputError, match="level"):
        rs.drift(matrix, matrix, "accuracy", level=1)


def test_intervals_of_drift_cover():
    """Two samples of one population: about 95 of 100 intervals contain 0."""
    rng, covered, rounds = np.random.default_rng(11), 0, 300
    for _ in range(rounds):
        tables = []
        for _ in range(2):
            y = rng.integers(0, 2, 200)
            tables.append(rs.ScoreTable(y, rng.normal(size=200) + y))
        found = rs.drift(*tables, "roc_auc")
        covered += found.low <= 0 <= found.high
    assert 0.91 < covered / rounds < 0.985

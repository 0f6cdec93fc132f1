"""Merging: a tree of parts, threads, bytes that say what they are; and what does not go together."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pytest
from test_statistics import CLASSES, MAKERS, drawn

import rocksteady as rs
from rocksteady import merging


@pytest.mark.parametrize(
    "make",
    [
        lambda: rs.ScoreTable([], []),
        lambda: rs.ConfusionMatrix([], []),
        lambda: rs.ConfusionMatrix([], [], pos_label=1),
        lambda: rs.ProbabilitySums([], []),
        lambda: rs.ScoreTables([], np.empty((0, 3))),
        lambda: rs.LabelScoreTables(np.empty((0, 3)), np.empty((0, 3))),
        lambda: rs.CostCounts([], [], costs={}),
        lambda: rs.CostTable([], [], costs={}),
        lambda: rs.ScoreCollector().score_table(),
        lambda: rs.group_by([], [0][:0], by=[]),
        rs.ScoreTable.empty,
        rs.ScoreTables.empty,
        rs.Groups.empty,
        lambda: rs.Groups.empty(scores=True),
        lambda: rs.metrics.roc_auc_score([], []),
    ],
)
def test_no_rows_without_a_meaning_are_refused(make):
    with pytest.raises(ValueError, match=r"empty|None|0 sample"):
        make()


def test_a_collector_of_no_rows():
    collector = rs.ScoreCollector(pos_label="yes")
    assert collector.score_table() == rs.ScoreTable.empty(pos_label="yes")
    collector.update([], [])
    assert collector.score_table().labels == (None, "yes")
    table = collector.score_table() + rs.ScoreTable(["no", "yes"], [0.5, 0.7], pos_label="yes")
    assert table["roc_auc"] == 1


def test_what_no_rows_would_mean_must_agree():
    table = rs.ScoreTable([0, 1], [0.2, 0.4], pos_label=1)
    for other, words in [
        (rs.ScoreTable.empty(pos_label=0), "the positive label is 1 in one and 0 in the other"),
        (rs.ScoreTable.empty(pos_label="yes"), "positive label|text labels"),
        (rs.ScoreTable([], [], pos_label=1, sample_weight=[], weight_kind="sampling"), "sampling"),
    ]:
        for add in (lambda a, b: a + b, lambda a, b: b + a):
            with pytest.raises(rs.InputError, match=words):
                add(table, other)
    # Which of two classes is positive may come from what has no rows.
    alone = rs.ScoreTable([0, 0], [0.2, 0.4])
    assert (alone + rs.ScoreTable.empty(pos_label=0)).positives == 2
    assert (rs.ScoreTable.empty(pos_label=0) + alone).to_bytes() == rs.ScoreTable(
        [0, 0], [0.2, 0.4], pos_label=0
    ).to_bytes()


def test_merge_reads_an_iterator_once_and_holds_few_sums():
    held = []

    def parts(count):
        for place in range(count):
            one = rs.ScoreTable([0, 1], [place / 7, 0.5], pos_label=1)
            held.append(place)
            yield one.to_bytes() if place % 2 else one

    assert rs.merge(parts(21)).rows == 42
    assert held == list(range(21))
    assert rs.merge(iter([rs.ScoreTable([0, 1], [0.1, 0.5])]))["roc_auc"] == 1


def test_large_tables_are_added_by_several_threads():
    rng = np.random.default_rng(8)
    y, scores = rng.integers(0, 2, 400_000), rng.random(400_000)
    whole = rs.ScoreTable(y, scores, pos_label=1)
    parts = [rs.ScoreTable(y[place::11], scores[place::11], pos_label=1) for place in range(11)]
    assert len(parts[0]) > 1 << 15
    strange = [*parts[:5], rs.ScoreTable([0, 5], [0.1, 0.2], pos_label=5), *parts[5:]]
    before = rs.get_threads()
    try:
        for threads in (1, 2, 5):
            rs.set_threads(threads)
            assert rs.merge(parts).to_bytes() == whole.to_bytes()
            assert rs.merge(part.to_bytes() for part in parts) == whole
            with pytest.raises(
                rs.InputError, match=r"parts\[4:5\] and parts\[5:6\]: cannot add: the positive label is"
            ):
                rs.merge(strange)
            with pytest.raises(rs.InputTypeError, match=r"parts\[3\] is 7; expected a statistic"):
                rs.merge([*parts[:3], 7, *parts])
    finally:
        rs.set_threads(before)


def test_merge_of_every_kind_of_bytes():
    rows = drawn(np.random.default_rng(5), 20)
    for name, make in MAKERS.items():
        if name != "CostCounts":
            assert rs.merge([make(rows).to_bytes()]).to_bytes() == make(rows).to_bytes(), name
    counts = MAKERS["CostCounts"](rows)
    assert rs.merge([counts.to_bytes()] * 2, into=rs.CostCounts)["cost"] == 2 * counts["cost"]
    assert rs.merge([rs.Counts(1, 2, 3, 4)] * 3).tp == 3


@pytest.mark.parametrize(
    ("parts", "error", "words"),
    [
        ([], rs.InputError, "parts is empty; expected at least one"),
        (3, rs.InputTypeError, "parts is 3; expected an iterable of statistics"),
        (b"rocksted", rs.InputTypeError, "expected an iterable of statistics"),
        ([1], rs.InputTypeError, r"parts\[0\] is 1; expected a statistic, or its bytes"),
        ([b"rocksted?\2"], rs.InputError, r"parts\[0\]: the bytes begin with b'rocksted\?'; expected the bytes of a"),
        ([b"rockstedS\2"], rs.InputError, r"parts\[0\]: not the bytes of a ScoreTable"),
        (
            [rs.ConfusionMatrix([0, 1], [0, 1]), rs.ScoreTable([0, 1], [0.5, 1])],
            rs.InputTypeError,
            r"parts\[1\] is ScoreTable; expected ConfusionMatrix, as the first part",
        ),
        (
            [rs.ScoreTable([0, 1], [0.5, 1]), rs.ScoreTable([0, 2], [0.5, 1])],
            rs.InputError,
            r"parts\[0:1\] and parts\[1:2\]: cannot add.*more than two labels",
        ),
        (
            [*[rs.ScoreTable([0, 1], [0.5, 1])] * 4, rs.ScoreTable([0, 2], [0.5, 1])],
            rs.InputError,
            r"parts\[0:4\] and parts\[4:5\]: ",
        ),
    ],
)
def test_what_is_not_merged(parts, error, words):
    with pytest.raises(error, match=words):
        rs.merge(parts)


def test_into_says_what_parts_are():
    with pytest.raises(rs.InputTypeError, match=r"parts\[0\] is .*; expected CostCounts, or its bytes"):
        rs.merge([rs.ScoreTable([0, 1], [0.5, 1])], into=rs.CostCounts)


@pytest.mark.parametrize(
    ("name", "make", "function"),
    [
        (
            "top_k_accuracy_score",
            lambda r, w: rs.RowMean.top_k_accuracy_score(r.classes, r.proba, labels=CLASSES, k=2, sample_weight=w),
            lambda r, w: rs.metrics.top_k_accuracy_score(r.classes, r.proba, labels=CLASSES, k=2, sample_weight=w),
        ),
        (
            "hinge_loss",
            lambda r, w: rs.RowMean.hinge_loss(r.classes, r.proba * 3, labels=CLASSES, sample_weight=w),
            lambda r, w: rs.metrics.hinge_loss(r.classes, r.proba * 3, labels=CLASSES, sample_weight=w),
        ),
        (
            "log_loss",
            lambda r, w: rs.RowMean.log_loss(r.classes, r.proba.astype("f4"), labels=CLASSES, sample_weight=w),
            lambda r, w: rs.metrics.log_loss(r.classes, r.proba.astype("f4"), labels=CLASSES, sample_weight=w),
        ),
        (
            "coverage_error",
            lambda r, w: rs.RowMean.coverage_error(r.flags, r.proba, sample_weight=w),
            lambda r, w: rs.metrics.coverage_error(r.flags, r.proba, sample_weight=w),
        ),
        (
            "label_ranking_average_precision_score",
            lambda r, w: rs.RowMean.label_ranking_average_precision_score(r.flags, r.proba, sample_weight=w),
            lambda r, w: rs.metrics.label_ranking_average_precision_score(r.flags, r.proba, sample_weight=w),
        ),
        (
            "label_ranking_loss",
            lambda r, w: rs.RowMean.label_ranking_loss(r.flags, r.proba, sample_weight=w),
            lambda r, w: rs.metrics.label_ranking_loss(r.flags, r.proba, sample_weight=w),
        ),
        (
            "ndcg_score",
            lambda r, w: rs.RowMean.ndcg_score(r.flags * r.user[:, None], r.proba, k=2, sample_weight=w),
            lambda r, w: rs.metrics.ndcg_score(r.flags * r.user[:, None], r.proba, k=2, sample_weight=w),
        ),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_row_means_are_the_functions_of_all_rows(name, make, function):
    rng = np.random.default_rng(11)
    for n in (1, 7, 300):
        rows = drawn(rng, n)
        rows.columns["classes"][:3] = CLASSES[: min(n, 3)]
        for weight in (None, rng.random(n).round(2) + 0.1):
            cuts = [0, n // 3, n // 2, n]
            parts = [make(rows[a:b], None if weight is None else weight[a:b]) for a, b in pairwise(cuts)]
            found = rs.merge(parts)
            assert found.value() == function(rows, weight), (name, n)
            assert found[name] == found.value()
            assert found.measure == name
            assert found.weight == (n if weight is None else pytest.approx(weight.sum()))


def test_row_means_of_no_rows_and_of_others():
    for name in ("top_k_accuracy_score", "hinge_loss", "log_loss"):
        none = rs.RowMean.empty(name, labels=CLASSES)
        assert np.isnan(none.value())
        assert none.why() == "There are no rows."
        assert list(none.labels) == CLASSES
    none = rs.RowMean.empty("ndcg_score", columns=3, k=2)
    part = rs.RowMean.ndcg_score([[1, 0, 2]], [[0.1, 0.3, 0.2]], k=2)
    assert none + part == part + none == part
    assert part.why() is None
    for other in (
        rs.RowMean.ndcg_score([[1, 0, 2]], [[0.1, 0.3, 0.2]], k=1),
        rs.RowMean.ndcg_score([[1, 0]], [[0.1, 0.3]], k=2),
        rs.RowMean.coverage_error([[1, 0, 1]], [[0.1, 0.3, 0.2]]),
    ):
        with pytest.raises(rs.InputError, match="cannot add"):
            part + other
    with pytest.raises(rs.InputError, match="measure is 'accuracy'; expected 'top_k_accuracy_score'"):
        rs.RowMean.empty("accuracy", labels=[0, 1])
    with pytest.raises(rs.InputError, match="name is 'f1'; expected"):
        part["f1"]


def test_evaluations_of_one_class_learn_of_the_other():
    text, scores = np.array(["no", "yes", "no", "yes"]), np.array([0.1, 0.8, 0.6, 0.3])
    whole = rs.evaluate(text, scores, threshold=0.5, pos_label="yes")
    parts = [rs.evaluate(text[rows], scores[rows], threshold=0.5, pos_label="yes") for rows in ([1], [0, 2], [3])]
    assert rs.merge(parts).digest() == whole.digest()
    assert rs.merge(parts[::-1]).labels == ("no", "yes")
    with_costs = [
        rs.evaluate(text[rows], scores[rows], threshold=0.5, costs={"fn": 7}, pos_label="yes")
        for rows in ([1], [0, 2, 3])
    ]
    assert sum(with_costs)["cost"] == rs.evaluate(text, scores, threshold=0.5, costs={"fn": 7})["cost"]


def test_evaluations_that_do_not_go_together():
    own = rs.evaluate([0, 1], {"a": [0.2, 0.4]}, threshold=0.5)
    for other, words in [
        (rs.evaluate([0, 1], {"b": [0.2, 0.4]}), "the models are"),
        (rs.evaluate([0, 1], {"a": [0.2, 0.4]}, threshold=0.4), "give evaluate the same threshold"),
        (rs.evaluate([0, 1], {"a": [0.2, 0.4]}, threshold=0.5, costs={"fp": 3}), "the costs differ"),
        (rs.evaluate([0, 1], {"a": [0.2, 0.4]}, threshold=0.5, by=[1, 2]), "one has groups and the other has none"),
        (rs.evaluate([0, 1], y_pred={"a": [0, 1]}), "has scores in one and none in the other"),
        (rs.evaluate([0, 2], {"a": [0.2, 0.4]}, threshold=0.5), "more than two labels"),
    ]:
        with pytest.raises(rs.InputError, match=words):
            own + other
    data = own.to_bytes()
    for broken in (data[:-1], data + b"\0", b"", data[:9] + b"\2" + data[10:], data[:19] + data[27:], data[:60]):
        with pytest.raises(rs.InputError, match="not the bytes of an Evaluation"):
            rs.Evaluation.from_bytes(broken)


def test_sums_of_evaluations_keep_tables_of_pairs():
    y, a, b = (
        np.array([0, 1, 1, 0, 1, 0]),
        np.array([0.1, 0.9, 0.4, 0.6, 0.7, 0.3]),
        np.array([0.3, 0.6, 0.5, 0.2, 0.9, 0.7]),
    )

    def evaluated(rows):
        models = {"a": a[rows], "b": b[rows]}
        return rs.evaluate(y[rows], models, threshold={"a": 0.5, "b": 0.5}, pos_label=1, inference=True)

    whole, both = evaluated(slice(None)), evaluated(slice(0, 3)) + evaluated(slice(3, 6))
    assert both.paired.scores is None
    assert both.paired.labels == whole.paired.labels
    assert both.difference("accuracy", "a", "b").p_value == whole.difference("accuracy", "a", "b").p_value


def test_the_bytes_of_every_statistic_say_what_reads_them():
    written = {name for home in (rs, rs.results) for name in home.__all__ if hasattr(getattr(home, name), "from_bytes")}
    # Written as a cost table, no statistic, as a score table, and not at all.
    assert written - {name.rpartition(".")[2] for name in merging._kinds().values()} == {
        "CostCounts",
        "CountsBounds",
        "ScoreAnchors",
    }
    anchors = rs.ScoreAnchors([0, 1], [0.2, 0.4], pos_label=1)
    part = rs.AnchoredCounts(anchors, [0, 1], [0.2, 0.4])
    assert rs.merge([part.to_bytes(), part.to_bytes()]) == part + part


@pytest.mark.parametrize("had", [0, 1])
def test_merging_where_the_system_gives_no_threads(monkeypatch, had):
    rng = np.random.default_rng(5)
    parts = [rs.ScoreTable(rng.integers(0, 2, 40_000), rng.random(40_000), pos_label=1) for _ in range(8)]
    weighted = [rs.ScoreTable([0, 1] * 20_000, rng.random(40_000), sample_weight=rng.random(40_000)) for _ in range(8)]
    expected = sum(parts), sum(weighted)
    given, start = [], threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if len(given) >= had:
            raise RuntimeError("can't start new thread")
        given.append(thread)
        start(thread)

    before = rs.get_threads()
    rs.set_threads(4)
    monkeypatch.setattr(threading.Thread, "start", refused)
    try:
        assert (rs.merge(parts), rs.merge(weighted)) == expected
        assert rs.merge(part.to_bytes() for part in weighted) == expected[1]
    finally:
        rs.set_threads(before)

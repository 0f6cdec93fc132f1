"""Calls of every kernel and border path, each with every one of its large allocations failing once.

``tests/base/test_memory.py`` runs this file in a process of its own, with ``failing.c`` preloaded. It prints a line for each
call: how many large allocations the call makes, and how many of them failed without an error, because the call went on
without the memory.
"""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

import rocksteady as rs
from rocksteady import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 300_000  # more than the calling thread counts on its own
FEW = 20_000

random = np.random.default_rng(1)
y = random.integers(0, 2, ROWS)
s = random.random(ROWS)
w = random.random(ROWS)
few_y, few_s, few_w = y[:FEW], s[:FEW], w[:FEW]
tied = np.round(s, 2)
classes = random.integers(0, 20, ROWS)
other_classes = random.integers(0, 20, ROWS)
many = random.integers(0, 5000, ROWS)
other_many = random.integers(0, 5000, ROWS)
far = many * 1_000_003
words = np.array([f"word {number % 50}" for number in range(ROWS)])
few_words = words[:FEW]
different_words = [f"word {number}" for number in range(FEW)]
bits = random.integers(0, 2, (FEW, 12))
other_bits = random.integers(0, 2, (FEW, 12))
three = random.integers(0, 3, FEW)
shares = random.dirichlet([1, 1, 1], FEW)
matrix = random.random((FEW, 12))
relevance = random.integers(0, 4, (FEW, 12)).astype(float)
counts = random.integers(0, 9, (200, 200))
halves = counts + 0.5  # made here: numpy itself crashes if it has no memory for this sum

table = rs.ScoreTable(y, s)
few_table = rs.ScoreTable(few_y, few_s)
cost_table = rs.CostTable(few_y, few_s, costs={"fn": few_w})
weighted_table = rs.ScoreTable(few_y, few_s, sample_weight=few_w)
sketch = rs.ScoreSketch(y, s, cells=20_000)
weighted_sketch = rs.ScoreSketch(y, s, sample_weight=w, cells=20_000)
large_matrix = rs.ConfusionMatrix(many, other_many)
matrix_of_counts = rs.ConfusionMatrix.from_counts(counts)
weighted_matrix = rs.ConfusionMatrix(many, other_many, sample_weight=w)


def spilled(weights: Any) -> None:
    """Rows that go to a temporary file, and are asked for."""
    collector = rs.ScoreCollector(memory=400_000)
    for _ in range(2):
        collector.update(few_y, few_s, sample_weight=weights)
    view = collector.view()
    view.value("roc_auc")
    view.at(0.5)


def fresh(of: rs.ScoreTable) -> rs.ScoreTable:
    """A table of which nothing has been derived yet."""
    return rs.ScoreTable.from_bytes(of.to_bytes())


Calls = dict[str, "Callable[[], Any]"]

BORDER: Calls = {
    "lists": lambda: rs.ScoreTable(y.tolist(), s.tolist()),
    "tuples of texts": lambda: rs.ConfusionMatrix(tuple(few_words.tolist()), tuple(few_words.tolist())),
    "many texts": lambda: rs.ConfusionMatrix(different_words, different_words),
    "numpy texts": lambda: rs.ConfusionMatrix(words, words),
    "numpy bytes": lambda: rs.ConfusionMatrix(few_words.astype("S"), few_words.astype("S")),
    "numpy objects": lambda: rs.ConfusionMatrix(few_words.astype(object), few_words.astype(object)),
    "numpy variable strings": lambda: rs.ConfusionMatrix(few_words.astype("T"), few_words.astype("T")),
    "foreign bytes": lambda: rs.ScoreTable(few_y.astype(">i8"), few_s.astype(">f8")),
    "strides": lambda: rs.ScoreTable(y[::-2], s[::-2], sample_weight=w[::-2]),
    "masked": lambda: rs.ConfusionMatrix(np.ma.masked_array(y, y == 2), y),
    "range": lambda: rs.ScoreTable(range(2), range(2)) and rs.ConfusionMatrix(range(FEW), range(FEW)),
    "weights of integers": lambda: rs.ScoreTable(few_y, few_s, sample_weight=few_y + 1),
    "float labels": lambda: rs.ConfusionMatrix(classes.astype(float), other_classes.astype(np.float32)),
    "half scores": lambda: rs.ScoreTable(y, s.astype(np.float16)),
    "single scores": lambda: rs.ScoreTable(y, s.astype(np.float32)),
    "integer scores": lambda: rs.ScoreTable(y, many),
    "broadcast text": lambda: rs.ConfusionMatrix(np.broadcast_to("abc", FEW), np.broadcast_to("abc", FEW)),
}

LABELS: Calls = {
    "two classes": lambda: rs.ConfusionMatrix(y, y[::-1]),
    "classes": lambda: rs.ConfusionMatrix(classes, other_classes, sample_weight=w),
    "many classes": lambda: rs.ConfusionMatrix(many, other_many),
    "many classes with weights": lambda: rs.ConfusionMatrix(many, other_many, sample_weight=w),
    "sampling weights": lambda: rs.ConfusionMatrix(many, other_many, sample_weight=w, weight_kind="sampling"),
    "far classes": lambda: rs.ConfusionMatrix(far, far[::-1]),
    "labels asked for": lambda: rs.ConfusionMatrix(many, other_many, labels=np.arange(5000)),
    "sum": lambda: large_matrix + large_matrix,
    "sum of others": lambda: large_matrix + rs.ConfusionMatrix(far, far),
    "weighted sum": lambda: weighted_matrix + weighted_matrix,
    "difference": lambda: large_matrix - large_matrix,
    "weighted difference": lambda: weighted_matrix - weighted_matrix,
    "values": lambda: [rs.ConfusionMatrix(many, other_many)[name] for name in ("mcc", "kappa", "mutual_information")],
    "every class": lambda: rs.ConfusionMatrix(many, other_many).every("f1"),
    "transposed": large_matrix.transpose,
    "reordered": lambda: large_matrix.reorder(large_matrix.labels[::-1]),
    "selected": lambda: large_matrix.select(large_matrix.labels[:4000]),
    "bytes": lambda: rs.ConfusionMatrix.from_bytes(large_matrix.to_bytes()),
    "weighted bytes": lambda: rs.ConfusionMatrix.from_bytes(weighted_matrix.to_bytes()),
    "cells": large_matrix.nonzero_cells,
    "from counts": lambda: rs.ConfusionMatrix.from_counts(counts),
    "from amounts": lambda: rs.ConfusionMatrix.from_counts(halves),
    "from lists": lambda: rs.ConfusionMatrix.from_counts(counts.tolist()),
    "to array": lambda: rs.ConfusionMatrix.from_counts(counts).to_array(),
    "positions": lambda: rs.ConfusionMatrix.positions(y, y[::-1], 1),
    "multilabel": lambda: metrics.multilabel_confusion_matrix(bits, other_bits),
    "multilabel scores": lambda: metrics.f1_score(bits, other_bits, average="samples"),
    "multilabel weights": lambda: metrics.jaccard_score(bits, other_bits, average="samples", sample_weight=few_w),
    "samplewise": lambda: metrics.multilabel_confusion_matrix(bits, other_bits, samplewise=True),
    "hamming": lambda: metrics.hamming_loss(bits, other_bits),
    "accuracy": lambda: metrics.accuracy_score(words, words),
    "report": lambda: metrics.classification_report(classes, other_classes),
    "dissimilarity": matrix_of_counts.dissimilarity,
}

SCORES: Calls = {
    "table": lambda: rs.ScoreTable(y, s),
    "table of few rows": lambda: rs.ScoreTable(few_y, few_s),
    "rows beyond memory": lambda: spilled(None),
    "weighted rows beyond memory": lambda: spilled(few_w),
    "anchored counts": lambda: rs.AnchoredCounts(rs.ScoreAnchors(few_y, few_s, pos_label=1), few_y, few_s)["roc_auc"],
    "ledger": lambda: rs.scores.LabelLedger(np.where(np.arange(len(y)) % 2, y, 2), s, unknown_label=2).bounds("gini"),
    "table with weights": lambda: rs.ScoreTable(y, s, sample_weight=w),
    "sketch": lambda: rs.ScoreSketch(y, s),
    "sketch with weights": lambda: rs.ScoreSketch(y, s, sample_weight=w),
    "sum of sketches": lambda: sketch + sketch,
    "weighted sum of sketches": lambda: weighted_sketch + weighted_sketch,
    "bytes of a sketch": lambda: rs.ScoreSketch.from_bytes(sketch.to_bytes()),
    "weighted bytes of a sketch": lambda: rs.ScoreSketch.from_bytes(weighted_sketch.to_bytes()),
    "bounds": lambda: [(sketch + sketch).bounds(name) for name in ("roc_auc", "average_precision", "scored_auc")],
    "table with sampling weights": lambda: rs.ScoreTable(y, s, sample_weight=w, weight_kind="sampling"),
    "thresholds with sampling weights": lambda: rs.counts_at(
        y, s, rs.scores.threshold_grid(20_000), sample_weight=w, weight_kind="sampling"
    ),
    "table of ties": lambda: rs.ScoreTable(y, tied, sample_weight=w),
    "area": lambda: metrics.roc_auc_score(y, s),
    "area of ties": lambda: metrics.roc_auc_score(y, tied),
    "area of singles": lambda: metrics.roc_auc_score(y, s.astype(np.float32)),
    "area with weights": lambda: metrics.roc_auc_score(y, s, sample_weight=w),
    "part of the area": lambda: metrics.roc_auc_score(y, s, max_fpr=0.3),
    "average precision": lambda: metrics.average_precision_score(y, s),
    "average precision with weights": lambda: metrics.average_precision_score(y, s, sample_weight=w),
    "roc curve": lambda: metrics.roc_curve(y, s),
    "whole roc curve": lambda: metrics.roc_curve(y, s, drop_intermediate=False),
    "weighted roc curve": lambda: metrics.roc_curve(y, s, sample_weight=w),
    "weighted roc curve of either sign": lambda: metrics.roc_curve(few_y, few_s, sample_weight=few_w - 0.1),
    "precision and recall": lambda: metrics.precision_recall_curve(y, s),
    "weighted precision and recall": lambda: metrics.precision_recall_curve(few_y, few_s, sample_weight=few_w),
    "errors": lambda: metrics.det_curve(y, s),
    "counts at all thresholds": lambda: metrics.confusion_matrix_at_thresholds(few_y, few_s),
    "an index at all thresholds": lambda: metrics.metric_at_thresholds(few_y, few_s, metrics.accuracy_score),
    "sum": lambda: few_table + table,
    "weighted sum": lambda: weighted_table + weighted_table,
    "difference": lambda: few_table - few_table,
    "weighted difference": lambda: weighted_table - weighted_table,
    "bytes": lambda: rs.ScoreTable.from_bytes(few_table.to_bytes()),
    "weighted bytes": lambda: rs.ScoreTable.from_bytes(weighted_table.to_bytes()),
    "values": lambda: [
        fresh(few_table)[name]
        for name in ("roc_auc", "average_precision", "ks", "gini", "h_measure", "bedroc", "brier")
    ],
    "weighted values": lambda: [fresh(weighted_table)[name] for name in ("roc_auc", "average_precision", "ks")],
    "an index at every threshold": lambda: fresh(few_table).every("mcc"),
    "curves": lambda: [
        getattr(fresh(few_table), name)()
        for name in ("roc_curve", "precision_recall_curve", "det_curve", "gain_curve", "lift_curve", "ks_curve")
    ],
    "costs": lambda: [fresh(few_table).cost_curve(), fresh(few_table).brier_curve(), fresh(few_table).decision_curve()],
    "hull": lambda: fresh(few_table).roc_convex_hull(),
    "points of a curve": lambda: fresh(few_table).roc_curve(max_points=100),
    "operating points": lambda: fresh(few_table).operating_points(),
    "best": lambda: fresh(few_table).best("f1"),
    "target": lambda: fresh(few_table).target("precision", at_least=0.6),
    "meeting": lambda: fresh(few_table).meeting("precision >= 0.6"),
    "pareto": lambda: fresh(few_table).pareto(["precision", "recall"]),
    "gains": lambda: fresh(few_table).gains(),
    "profit": lambda: fresh(few_table).profit(benefit=2, cost=1),
    "calibration": lambda: fresh(few_table).calibration(),
    "isotonic": lambda: fresh(few_table).decomposition(),
    "thresholds": lambda: fresh(few_table).thresholds,
    "counts at thresholds": lambda: rs.counts_at(y, s, rs.scores.threshold_grid(20_000)),
    "weighted counts at thresholds": lambda: rs.counts_at(y, s, rs.scores.threshold_grid(20_000), sample_weight=w),
    "log loss": lambda: metrics.log_loss(y, s),
    "brier score": lambda: metrics.brier_score_loss(y, s, sample_weight=w),
    "calibration error": lambda: rs.scores.calibration_error(y, s),
    "calibration curve": lambda: metrics.calibration_curve(y, s, strategy="quantile", n_bins=10),
    "concordance": lambda: rs.scores.concordance(w, s),
    "concordance of few amounts": lambda: rs.scores.concordance(tied.astype(np.float32), tied),
    "stability": lambda: rs.scores.population_stability(s, w),
    "stability of classes": lambda: rs.scores.category_stability(many, other_many),
    "evaluation": lambda: rs.evaluate(few_y, few_s),
    "influence": lambda: [fresh(few_table).influence(name) for name in ("roc_auc", "average_precision", "log_loss")],
    "weighted influence": lambda: [fresh(weighted_table).influence(name) for name in ("roc_auc", "average_precision")],
    "intervals": lambda: fresh(few_table).interval(["roc_auc", "average_precision", "brier", "log_loss_skill_score"]),
    "area of a curve": lambda: metrics.auc(np.sort(s), w),
    "bootstrap": lambda: rs.inference.bootstrap(few_y, few_s, ["roc_auc", "brier", "h_measure"], n_resamples=9),
    "bootstrap of ties": lambda: rs.inference.bootstrap(y, tied, ["roc_auc", "f1"], n_resamples=9),
    "bootstrap of models": lambda: rs.inference.bootstrap(
        few_y, {"a": few_s, "b": few_w}, ["ks", "f1"], n_resamples=9, cluster=np.arange(FEW) // 3
    ),
    "bootstrap by keys": lambda: rs.inference.bootstrap(
        few_y, few_s, n_resamples=9, resample="poisson", key=np.arange(FEW)
    ),
    "bootstrap with weights": lambda: rs.inference.bootstrap(few_y, few_s, n_resamples=3, sample_weight=few_w),
    "bootstrap of many classes": lambda: large_matrix.bootstrap("accuracy", n_resamples=3),
    "band": lambda: few_table.band("roc", n_resamples=9),
}

CLASSES: Calls = {
    "one against the rest": lambda: metrics.roc_auc_score(three, shares, multi_class="ovr"),
    "one against one": lambda: metrics.roc_auc_score(three, shares, multi_class="ovo"),
    "weighted areas": lambda: metrics.roc_auc_score(three, shares, multi_class="ovr", sample_weight=few_w),
    "areas of labels": lambda: metrics.roc_auc_score(bits, matrix),
    "areas of samples": lambda: metrics.average_precision_score(bits, matrix, average="samples"),
    "micro": lambda: metrics.average_precision_score(bits, matrix, average="micro"),
    "tables of classes": lambda: rs.ScoreTables(three, shares),
    "tables of labels": lambda: rs.LabelScoreTables(bits, matrix),
    "bytes of tables": lambda: rs.ScoreTables.from_bytes(rs.ScoreTables(three, shares).to_bytes()),
    "log loss": lambda: metrics.log_loss(three, shares),
    "weighted log loss": lambda: metrics.log_loss(three, shares, sample_weight=few_w),
    "hinge": lambda: metrics.hinge_loss(three, shares),
    "top k": lambda: metrics.top_k_accuracy_score(three, shares, k=2),
    "coverage": lambda: metrics.coverage_error(bits, matrix, sample_weight=few_w),
    "ranking loss": lambda: metrics.label_ranking_loss(bits, matrix),
    "ranking precision": lambda: metrics.label_ranking_average_precision_score(bits, matrix),
    "ndcg": lambda: metrics.ndcg_score(relevance, matrix, sample_weight=few_w),
    "dcg": lambda: metrics.dcg_score(relevance, matrix, k=5),
    "costs by row": lambda: rs.CostTable(y, s, costs={"fn": w, "fp": w - 0.5}).every("savings"),
    "costs by row, weighted": lambda: rs.CostTable(few_y, few_s, costs={"tp": few_w}, sample_weight=few_w).best(),
    "costs added": lambda: cost_table + cost_table,
    "costs taken away": lambda: cost_table - cost_table,
    "costs in bytes": lambda: rs.CostTable.from_bytes(cost_table.to_bytes()).ranking(),
    "costs of labels": lambda: rs.CostCounts(few_y, few_y[::-1], costs={"fn": few_w}),
    "decisions by row": lambda: rs.costs.bayes_decision(few_s, {"fn": few_w}),
    "risk by row": lambda: rs.costs.bayes_risk(few_s, {"fn": few_w}),
    "expected profit": lambda: fresh(few_table)["emp_churn"],
    "decisions": lambda: rs.costs.bayes_decision(shares, [[0, 1, 2], [1, 0, 1], [2, 1, 0]]),
    "risk": lambda: rs.costs.bayes_risk(shares, [[0, 1, 2], [1, 0, 1], [2, 1, 0]]),
    "intervals of classes": lambda: rs.ScoreTables(three, shares).every_interval("roc_auc"),
    "top label": lambda: rs.scores.top_label(three, shares),
    "evaluation": lambda: rs.evaluate(three, y_proba=shares),
}

INFERENCE: Calls = {
    "two models": lambda: rs.inference.compare_scores(y, {"a": s, "b": tied}),
    "two models with weights": lambda: rs.inference.compare_scores(
        few_y, {"a": few_s, "b": tied[:FEW]}, sample_weight=few_w
    ),
    "two models with clusters": lambda: rs.inference.compare_scores(few_y, {"a": few_s}, cluster=many[:FEW]),
    "single scores of two models": lambda: rs.inference.compare_scores(few_y, {"a": few_s.astype(np.float32)}),
    "predicted classes of two models": lambda: rs.inference.compare_labels(classes, {"a": other_classes, "b": classes}),
    "pairs of many classes": lambda: rs.inference.compare_labels(
        many[:FEW], {"a": other_many[:FEW], "b": many[:FEW]}, sample_weight=few_w, weight_kind="sampling"
    ).difference("accuracy", "a", "b"),
    "proportions": lambda: rs.inference.proportion_difference(np.ones(FEW), 2, 1, 3),
    "e-values": lambda: rs.inference.e_value(np.ones(FEW), 3, 0.5),
    "pairs of proportions": lambda: rs.inference.paired_proportion_difference(np.ones(FEW), 2, 1, 3),
}
few_users = np.arange(FEW) % 9_000
by_user = rs.group_by(few_y, few_y[::-1], few_s, by=few_users)
by_weight = rs.group_by(few_y, few_y[::-1], few_s, by=few_users, sample_weight=few_w, weight_kind="sampling")

BY_GROUP: Calls = {
    "near keys": lambda: rs.group_by(few_y, few_y, by=few_users),
    "far keys": lambda: rs.group_by(few_y, few_y, by=few_users * 1_000_003),
    "float keys": lambda: rs.group_by(few_y, few_y, by=few_s),
    "text keys": lambda: rs.group_by(few_y, few_y, by=different_words),
    "several keys": lambda: rs.group_by(few_y, few_y, by=[few_users, few_words]),
    "scores": lambda: rs.group_by(few_y, y_score=few_s, by=few_users),
    "sampling weights": lambda: rs.group_by(
        few_y, few_y, few_s, by=few_users, sample_weight=few_w, weight_kind="sampling"
    ),
    "several classes": lambda: rs.group_by(three, three[::-1], by=few_users),
    "sum": lambda: by_user + by_user,
    "weighted sum": lambda: by_weight + by_weight,
    "all rows": lambda: by_weight.over([]),
    "bytes": lambda: rs.Groups.from_bytes(by_weight.to_bytes()),
    "counts": by_user.counts,
    "areas": lambda: by_user.every("roc_auc"),
    "reasons": lambda: by_user.why("recall"),
    "keys": lambda: rs.Groups._of(by_user._state).keys,
    "pairs": by_user.pair_split,
    "mean": by_user.mean,
    "difference": lambda: by_user.difference("recall"),
    "worst": lambda: by_user.worst("recall"),
    "worst by slopes": lambda: by_weight.worst("f1"),
    "metric frame": lambda: rs.fairness.MetricFrame(
        metrics="recall", y_true=few_y, y_pred=few_y[::-1], sensitive_features=few_users
    ).difference(),
    "impact curve": lambda: rs.fairness.impact_curve(few_s, by=few_y),
    "areas of a subgroup": lambda: rs.fairness.subgroup_areas(few_y, few_s, subgroups={"half": few_s > 0.5}),
}

queries = rs.Queries(many % 3, tied, far)
documented = rs.Queries(
    few_y, tied[:FEW], many[:FEW], document=different_words, ties="trec_eval", query_weight=many[:FEW]
)

QUERIES: Calls = {
    "queries": lambda: rs.Queries(many % 3, s, many),
    "queries of texts": lambda: rs.Queries(few_y.tolist(), few_s.astype(np.float32), few_words),
    "queries with weights": lambda: rs.Queries(y, s, many, query_weight=many, ties="stable"),
    "queries with documents": lambda: rs.Queries(
        few_y, tied[:FEW], many[:FEW], document=different_words, ties="trec_eval"
    ),
    "one query": lambda: rs.Queries(few_y, tied[:FEW], np.zeros(FEW))["ndcg"],
    "means of queries": lambda: [queries[name] for name in ("ndcg", "map", "expected_reciprocal_rank", "bpref")],
    "every query": lambda: queries.every("mrr"),
    "sum of queries": lambda: queries + queries,
    "sum of documents": lambda: documented + documented,
    "bytes of queries": lambda: rs.Queries.from_bytes(documented.to_bytes()),
    "interval of queries": lambda: queries.interval("ndcg"),
}
GROUPS = {
    "inference": INFERENCE,
    "border": BORDER,
    "labels": LABELS,
    "scores": SCORES,
    "classes": CLASSES,
    "groups": BY_GROUP,
    "queries": QUERIES,
}


def arrow_calls() -> Calls:
    """The same of Arrow arrays, where they can be had."""
    try:
        import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return {}
    numbers, texts, flags = pa.array(few_s), pa.array(different_words), pa.array(few_y == 1)
    dictionary = pa.array(few_words.tolist()).dictionary_encode()
    parts = pa.chunked_array([numbers, numbers])
    holes = pa.array([None, *few_y[1:].tolist()])
    return {
        "numbers": lambda: rs.ScoreTable(flags, numbers),
        "chunks": lambda: rs.ScoreTable(np.tile(few_y, 2), parts),
        "texts": lambda: rs.ConfusionMatrix(texts, texts),
        "views of texts": lambda: rs.ConfusionMatrix(texts.cast(pa.string_view()), texts.cast(pa.large_string())),
        "dictionary": lambda: rs.ConfusionMatrix(dictionary, dictionary),
        "chunks of dictionaries": lambda: rs.ConfusionMatrix(
            pa.chunked_array([dictionary, dictionary]), np.tile(few_words, 2)
        ),
        "nulls": lambda: rs.ConfusionMatrix(holes, holes, nan_policy="omit"),
    }


def collector_calls() -> list[tuple[str, Any, Callable[[Any], Any]]]:
    """Collectors that have counted something, and what is added to them."""
    counted = []
    for weights in (None, few_w):
        collector = rs.ScoreCollector()
        collector.update(few_y, few_s, sample_weight=weights)
        counted.append(collector)
    plain, weighted = counted
    cells, weighted_cells = rs.SketchCollector(cells=20_000), rs.SketchCollector(cells=20_000)
    cells.update(few_y, few_s)
    weighted_cells.update(few_y, few_s, sample_weight=few_w)
    return [
        ("update of a sketch", cells, lambda it: it.update(y[:100_000], s[:100_000])),
        ("long update of a sketch", cells, lambda it: it.update(y, s)),
        ("weighted update of a sketch", weighted_cells, lambda it: it.update(y, s, sample_weight=w)),
        ("sketch", cells, lambda it: it.sketch()),
        ("update", plain, lambda it: it.update(y, s)),
        ("weighted update", weighted, lambda it: it.update(y, s, sample_weight=w)),
        ("refused labels", plain, lambda it: it.update(words, s)),
        ("table", plain, lambda it: it.score_table()),
        ("weighted table", weighted, lambda it: it.score_table()),
    ]


def failures(call: Callable[[], Any], shim: ctypes.CDLL) -> tuple[int, int]:
    """Runs the call with its first large allocation failing, then its second, and so on until none does."""
    passed = 0
    for n in range(1, 1000):
        error = None
        shim.failing_start(n)
        try:
            call()
        except MemoryError as raised:
            error = str(raised)
        seen = shim.failing_stop()
        if seen < n:
            assert error is None, f"without a failing allocation: {error}"
            return n - 1, passed
        passed += error is None
    raise AssertionError("a thousand large allocations")


def main(group: str) -> None:
    shim = ctypes.CDLL(None)
    shim.failing_start.argtypes = [ctypes.c_long]
    shim.failing_stop.restype = ctypes.c_long
    rs.set_threads(2)
    rs.settings.set_kept_memory(0)  # kept blocks would come back instead of an allocation that fails
    if group == "collectors":
        for name, collector, change in collector_calls():
            made = collector.sketch if isinstance(collector, rs.SketchCollector) else collector.score_table
            rows, before = collector.rows, made()

            def unchanged(collector=collector, change=change, rows=rows, before=before) -> None:
                try:
                    change(collector)
                except MemoryError:
                    assert collector.rows == rows
                    raise
                except rs.RocksteadyError:
                    pass

            copies = 0
            for n in range(1, 1000):
                shim.failing_start(n)
                try:
                    unchanged()
                    failed = False
                except MemoryError:
                    failed = True
                seen = shim.failing_stop()
                if seen < n:
                    break
                if failed:
                    assert made() == before, name
                    copies += 1
                else:
                    rows, before = collector.rows, made()
            print(f"{name}: {copies} refused", flush=True)
        return
    calls = arrow_calls() if group == "arrow" else GROUPS[group]
    for name, call in calls.items():
        print(f"{name}: ", end="", flush=True)
        call()  # what is imported or kept at the first call is there at the next ones
        found, passed = failures(call, shim)
        print(f"{found} large allocations, {passed} done without", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

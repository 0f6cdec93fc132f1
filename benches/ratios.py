"""Compare the speed of rocksteady with scikit-learn, the fastest other packages and lower bounds; print a table.

    python benches/ratios.py [--quick] [--json FILE] [--into docs/speed.md]

All contestants of a row run in one process, in turn, for several rounds. The shortest time of each counts, as it was
disturbed least. Every result is checked against scikit-learn's or an exact one.

* **One thread**: CPU time, in a child process in which each library may use only one thread.
* **All cores**: wall time, in a child process without limits.
* **Small input**: a thousand rows, microseconds per call.
* **Memory**: the peak of resident memory during an AUC, minus the memory resident before, in its own process.

Bias disclosure: the authors of this file are the authors of rocksteady. Times include everything from numpy arrays to
the result. polars-ds gets a ready data frame, and scors gets bool labels, which it reads fastest. Where scikit-learn
has no such index, PyCM or rapidstats is the reference.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import functools
import gc
import importlib
import importlib.metadata
import json
import math
import os
import platform
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import patterns

Contestant = Callable[[], Any]
OURS, REFERENCE, INDICES, SWEEP, DELONG = "rocksteady", "scikit-learn", "PyCM", "rapidstats", "MLstatkit"
_LIMITS = (
    "ROCKSTEADY_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
)
ONE_THREAD = dict.fromkeys(_LIMITS, "1")
_PACKAGES = {
    "scikit-learn": "sklearn",
    "scors": "scors",
    "polars-ds": "polars_ds",
    INDICES: "pycm",
    SWEEP: "rapidstats",
    DELONG: "MLstatkit",
}


@dataclasses.dataclass(frozen=True)
class Mark:
    """A goal: at least `factor` times as fast as `against`, or at most `factor` times its time."""

    factor: float
    against: str
    at_least: bool = True

    def met(self, times: dict[str, float]) -> bool | None:
        """Whether the times reach the goal; None if `against` did not run."""
        if self.against not in times:
            return None
        faster = times[self.against] / times[OURS]
        return faster >= self.factor if self.at_least else 1 / faster <= self.factor

    def __str__(self) -> str:
        return f"{self.factor:g} × {self.against}" if self.at_least else f"≤ {self.factor:g} × {self.against}"


@dataclasses.dataclass(frozen=True)
class Race:
    """One row of the table: contestants, lower bounds and goals. Goals in one inner tuple are alternatives.

    The second contestant is the reference for results.
    """

    title: str
    rows: int
    contestants: dict[str, Contestant]
    floors: dict[str, Contestant]
    marks: tuple[tuple[Mark, ...], ...] = ()
    agree: Callable[[Any, Any], bool] = lambda answer, expected: bool(np.allclose(answer, expected, rtol=1e-9, atol=0))


# The rows.


def _confusion(title: str, y: Any, p: Any, marks: tuple[tuple[Mark, ...], ...]) -> Race:
    from sklearn.metrics import confusion_matrix as reference

    from rocksteady.metrics import confusion_matrix

    count = int(max(y.max(), p.max())) + 1
    narrow = y.dtype.itemsize == 1
    contestants: dict[str, Contestant] = {
        OURS: lambda: confusion_matrix(y, p),
        REFERENCE: lambda: reference(y, p),
    }
    floors: dict[str, Contestant] = {}
    if narrow:
        floors["u64 sum"] = lambda: (y.view(np.uint64).sum(), p.view(np.uint64).sum())
    else:
        contestants["bincount"] = lambda: np.bincount(y * count + p, minlength=count**2).reshape(count, count)
        floors["np.sum"] = lambda: (y.sum(), p.sum())
    return Race(
        title, len(y), contestants, floors, marks, lambda answer, expected: bool(np.array_equal(answer, expected))
    )


def _auc(title: str, y: Any, score: Any, marks: tuple[tuple[Mark, ...], ...] = ()) -> Race:
    from sklearn.metrics import roc_auc_score as reference

    from rocksteady.metrics import roc_auc_score

    contestants: dict[str, Contestant] = {OURS: lambda: roc_auc_score(y, score), REFERENCE: lambda: reference(y, score)}
    if scors := have("scors"):
        truth = y.astype(bool)
        contestants["scors"] = lambda: scors.roc_auc(truth, score)
    if rival := have("polars_ds"):
        import polars as pl

        frame = pl.DataFrame({"y": y, "score": score})
        contestants["polars-ds"] = lambda: frame.select(rival.query_roc_auc("y", "score")).item()
    return Race(title, len(y), contestants, {"np.sort": lambda: np.sort(score)}, marks)


def _roc_curve(title: str, y: Any, score: Any, marks: tuple[tuple[Mark, ...], ...]) -> Race:
    from sklearn.metrics import roc_curve as reference

    from rocksteady.metrics import roc_curve

    contestants: dict[str, Contestant] = {
        OURS: lambda: roc_curve(y, score, drop_intermediate=False),
        REFERENCE: lambda: reference(y, score, drop_intermediate=False),
    }

    def agree(answer: Any, expected: Any) -> bool:
        return all(np.allclose(ours, theirs, rtol=1e-12, atol=0) for ours, theirs in zip(answer, expected, strict=True))

    return Race(title, len(y), contestants, {"np.sort": lambda: np.sort(score)}, marks, agree)


def _average_precision(title: str, y: Any, score: Any, marks: tuple[tuple[Mark, ...], ...]) -> Race:
    from sklearn.metrics import average_precision_score as reference

    from rocksteady.metrics import average_precision_score

    contestants: dict[str, Contestant] = {
        OURS: lambda: average_precision_score(y, score),
        REFERENCE: lambda: reference(y, score),
    }
    if scors := have("scors"):
        truth = y.astype(bool)
        contestants["scors"] = lambda: scors.average_precision(truth, score)
    return Race(title, len(y), contestants, {"np.sort": lambda: np.sort(score)}, marks)


def _delong(y: Any, score: Any) -> Race:
    """DeLong's variance of the AUC from a table that is there, beside midranks from the rows."""
    from scipy.stats import rankdata

    import rocksteady as rs

    table = rs.ScoreTable(y, score)
    positive, negative = score[y == 1], score[y == 0]

    def midranks() -> float:
        all_, own, other = (rankdata(x) for x in (np.r_[positive, negative], positive, negative))
        m, n = len(positive), len(negative)
        up, down = (all_[:m] - own) / n, 1 - (all_[m:] - other) / m
        return float(up.var(ddof=1) / m + down.var(ddof=1) / n)

    contestants: dict[str, Contestant] = {
        OURS: lambda: table.interval("roc_auc", method="delong").standard_error ** 2,
        "SciPy": midranks,
    }
    mark = Mark(0.4, "np.sort", at_least=False)
    return Race("DeLong's variance of a table", len(y), contestants, {"np.sort": lambda: np.sort(score)}, ((mark,),))


# All curves of a score table. scikit-learn has the first three, too.
_CURVES = (
    *(
        "roc_curve",
        "precision_recall_curve",
        "det_curve",
        "gain_curve",
        "lift_curve",
        "ks_curve",
        "cost_curve",
        "cost_lines",
    ),
    *("decision_curve", "brier_curve", "precision_recall_gain_curve", "roc_convex_hull"),
)


def _every_curve(y: Any, score: Any) -> Race:
    """From two columns to the score table and all its curves in full. scikit-learn has three of them."""
    from sklearn import metrics as reference

    import rocksteady as rs

    def ours() -> list[Any]:
        table = rs.ScoreTable(y, score)
        return [getattr(table, name)() for name in _CURVES]

    def theirs() -> list[Any]:
        roc = reference.roc_curve(y, score, drop_intermediate=False)
        return [roc, reference.precision_recall_curve(y, score), reference.det_curve(y, score)]

    def agree(answer: Any, expected: Any) -> bool:
        if isinstance(answer[0], tuple):
            return len(answer) == len(expected)
        (fpr, tpr, _), (precision, recall, _), (_, fnr, _) = expected
        pairs = [(answer[0].fpr, fpr), (answer[0].tpr, tpr), (answer[1].precision[::-1], precision)]
        same = all(np.allclose(a, b, rtol=1e-12) for a, b in [*pairs, (answer[1].recall[::-1], recall)])
        return same and set(fnr.tolist()) <= set(answer[2].fnr.tolist())

    floors: dict[str, Contestant] = {"np.sort": lambda: np.sort(score)}
    mark = Mark(8, "np.sort", at_least=False)
    contestants: dict[str, Contestant] = {OURS: ours, REFERENCE: theirs}
    return Race("score table and every curve in full", len(y), contestants, floors, ((mark,),), agree)


def _every_scalar(y: Any, score: Any) -> Race:
    """All indices of scores in the registry, computed from arrays. scikit-learn has four of them."""
    from sklearn import metrics as reference

    import rocksteady as rs

    probability = 1 / (1 + np.exp(-score))
    names = ("roc_auc", "average_precision", "brier", "log_loss")

    def ours() -> list[Any]:
        found = {row[0]: row[1] for row in rs.ScoreTable(y, probability).summary()}
        return [found[name] for name in names]

    def four() -> list[Any]:
        functions = ("roc_auc_score", "average_precision_score", "brier_score_loss", "log_loss")
        return [getattr(reference, name)(y, probability) for name in functions]

    contestants: dict[str, Contestant] = {OURS: ours, REFERENCE: four}
    mark = Mark(4, "np.sort", at_least=False)
    floors: dict[str, Contestant] = {"np.sort": lambda: np.sort(probability)}
    return Race("score table and every scalar", len(y), contestants, floors, ((mark,),))


def _everything(y: Any, score: Any) -> Race:
    """`evaluate` with all indices, and the tables and operating points of a report. scikit-learn has some of them."""
    from sklearn import metrics as reference

    import rocksteady as rs

    probability = 1 / (1 + np.exp(-score))
    names = ("roc_auc", "average_precision", "brier", "log_loss", "accuracy", "f1", "mcc", "kappa")

    def ours() -> list[Any]:
        evaluation = rs.evaluate(y, probability)
        found = evaluation.to_dict("all")["models"]["model"]["indices"]
        table = evaluation.models["model"].scores
        assert table is not None
        shown = table.operating_points(), table.gains(10), table.calibration(10)
        assert all(map(len, shown))
        return [found[name] for name in names]

    def theirs() -> list[Any]:
        of_scores = ("roc_auc_score", "average_precision_score", "brier_score_loss", "log_loss")
        of_classes = ("accuracy_score", "f1_score", "matthews_corrcoef", "cohen_kappa_score")
        predicted = probability >= 0.5
        return [
            *(getattr(reference, name)(y, probability) for name in of_scores),
            *(getattr(reference, name)(y, predicted) for name in of_classes),
        ]

    contestants: dict[str, Contestant] = {OURS: ours, REFERENCE: theirs}
    floors: dict[str, Contestant] = {"np.sort": lambda: np.sort(probability)}
    return Race("evaluate, everything", len(y), contestants, floors, ((Mark(10, "np.sort", at_least=False),),))


def races(large: int, medium: int) -> Iterator[Race]:
    """All rows of the table, each made when it is needed."""

    def each(*marks: Mark) -> tuple[tuple[Mark, ...], ...]:
        return tuple((mark,) for mark in marks)

    y, p = patterns.classes(large, 2)
    yield _confusion("binary confusion, int64", y, p, each(Mark(80, REFERENCE)))
    for dtype in (np.uint8, np.bool_):
        either = ((Mark(300, REFERENCE), Mark(2, "u64 sum", at_least=False)),)
        yield _confusion(f"binary confusion, {np.dtype(dtype).name}", y.astype(dtype), p.astype(dtype), either)
    for count in (10, 100):
        y, p = patterns.classes(large, count)
        marks = each(Mark(80, REFERENCE), Mark(3, "bincount"), Mark(1.4, "np.sum", at_least=False))
        yield _confusion(f"confusion of {count} classes, int64", y, p, marks)
    y, score = patterns.two_normals(large)
    marks = each(Mark(50, REFERENCE), Mark(12, "scors"), Mark(1.0, "np.sort", at_least=False))
    yield _auc("AUC, float64", y, score, marks)
    yield _auc("AUC, float32", y, score.astype(np.float32), each(Mark(1.1, "np.sort", at_least=False)))
    yield _everything(y, score)
    yield _delong(y, score)
    yield _auc("AUC, two digits", *patterns.two_digits(large), each(Mark(100, REFERENCE)))
    yield _auc("AUC, 1 % positives", *patterns.rare_positives(large), each(Mark(60, REFERENCE)))
    y, score = patterns.two_normals(medium)
    marks = each(Mark(35, REFERENCE), Mark(8, "scors"), Mark(1.3, "np.sort", at_least=False))
    yield _auc("AUC, float64", y, score, marks)
    marks = each(Mark(10, REFERENCE), Mark(3, "np.sort", at_least=False))
    yield _roc_curve("ROC curve, every threshold", y, score, marks)
    yield _average_precision("average precision", y, score, marks)
    yield _every_curve(y, score)
    yield _every_scalar(y, score)
    for name in ("uniform", "presorted", "all_tied"):
        yield _auc(f"AUC, {name.replace('_', ' ')}", *patterns.SCORES[name](medium))
    if rival := have("MLstatkit"):
        yield _paired_areas(rival, y, score)
    yield from _drop_ins(medium)
    yield from _calibration(medium)
    yield from _indices(medium)


def _paired_areas(rival: Any, y: Any, score: Any) -> Race:
    """DeLong's test of two models; MLstatkit's p-value is two-sided, too."""
    from rocksteady.inference import compare_scores

    other = score + np.random.default_rng(11).normal(size=len(y))

    def ours() -> float:
        return compare_scores(y, {"one": score, "other": other}).difference("one", "other").statistic

    contestants: dict[str, Contestant] = {OURS: ours, DELONG: lambda: rival.Delong_test(y, score, other)[0]}
    mark = Mark(30, DELONG)
    return Race("DeLong's test of two models", len(y), contestants, {"np.sort": lambda: np.sort(score)}, ((mark,),))


def _indices(rows: int) -> Iterator[Race]:
    """Many indices at once: against PyCM, which has most of them, and rapidstats, which has them at all thresholds."""
    if pycm := have("pycm"):
        yield from _against_pycm(pycm, rows)
    y, score = patterns.two_normals(rows)
    if rapidstats := have("rapidstats"):
        yield _every_threshold(rapidstats, y, score)
        yield _fixed_thresholds(rapidstats, y, score)
    yield _expression(y, score)
    yield _best_under_conditions(y, score)


def _against_pycm(pycm: Any, rows: int) -> Iterator[Race]:
    import rocksteady as rs

    def is_near(answer: Any, expected: Any) -> bool:
        value = answer[0] if isinstance(answer, tuple) else answer.Overall_CEN
        return math.isclose(value, expected.Overall_CEN, rel_tol=1e-9)

    def all_of(matrix: Any) -> tuple[float, Any, Any]:
        """All indices of the matrix and of its classes, among them PyCM's. The first is compared."""
        return matrix["cen"], matrix.summary("all"), matrix.class_summary("all")

    def stats(matrix: Any) -> tuple[float, Any, Any]:
        """The statistics in PyCM's object."""
        whole = rs.pycm.overall_stat(matrix)
        return whole["Overall CEN"], whole, rs.pycm.class_stat(matrix)

    cells = np.random.default_rng(8).integers(0, 1000, (100, 100))
    nested = _nested(cells)
    # The same matrix for both: as an array, and as a nested dictionary, which is PyCM's own and fastest form.
    for given, form in ((cells, ""), (nested, ", from dictionaries")):
        marks = ((Mark(100, INDICES),),) if given is cells else ()
        same = {
            OURS: lambda given=given: stats(rs.ConfusionMatrix.from_counts(given)),
            INDICES: lambda given=given: pycm.ConfusionMatrix(matrix=given),
        }
        yield Race(f"PyCM's 134 statistics of 100 classes{form}", 100, same, {}, marks, is_near)
    every = {
        OURS: lambda: all_of(rs.ConfusionMatrix.from_counts(cells)),
        INDICES: lambda: pycm.ConfusionMatrix(matrix=cells),
    }
    yield Race("every index of a matrix of 100 classes", 100, every, {}, ((Mark(100, INDICES),),), is_near)
    y, p = patterns.classes(rows, 2)
    both = {OURS: lambda: all_of(rs.ConfusionMatrix(y, p)), INDICES: lambda: pycm.ConfusionMatrix(y, p)}
    yield Race("confusion of two classes and every index", rows, both, {}, ((Mark(100, INDICES),),), is_near)


def _nested(cells: Any) -> dict[str, dict[str, int]]:
    """A matrix in PyCM's form, with its classes in our order."""
    names = [f"{place:03}" for place in range(len(cells))]
    return {name: dict(zip(names, row, strict=True)) for name, row in zip(names, cells.tolist(), strict=True)}


# Twenty indices that rapidstats has too, with its names.
TWENTY = {
    **{name: name for name in ("tpr", "fpr", "fnr", "tnr", "fdr", "npv", "mcc", "dor", "plr", "nlr", "precision")},
    **{name: name for name in ("prevalence", "informedness", "markedness", "false_omission_rate", "balanced_accuracy")},
    "acc": "acc",
    "f1": "fbeta",
    "jaccard": "threat_score",
    "fowlkes_mallows": "folkes_mallows_index",
}


def _every_threshold(rapidstats: Any, y: Any, score: Any) -> Race:
    """Twenty of our indices at each distinct score, against the table of all 27 metrics of rapidstats."""
    import rocksteady as rs

    names = list(TWENTY)
    distinct = len(np.unique(score))
    theirs: dict[str, Any] = {}  # each metric at all distinct scores, from high to low

    def agree(answer: Any, expected: Any) -> bool:
        if not isinstance(answer, dict):
            return len(answer) == len(expected)
        if not theirs:
            for (metric,), part in expected.partition_by("metric", as_dict=True).items():
                theirs[metric] = part.sort("threshold", descending=True)["value"].to_numpy()
        # rapidstats computes ratios of ratios, so its values are near, not equal. It leaves out infinite and undefined
        # ones.
        return all(_near(answer[ours][1:], theirs[metric]) for ours, metric in TWENTY.items())

    contestants: dict[str, Contestant] = {
        OURS: lambda: rs.ScoreTable(y, score).every(names),
        SWEEP: lambda: rapidstats.metrics.confusion_matrix_at_thresholds(y, score),
    }
    floors: dict[str, Contestant] = {"writing": lambda: [np.ones(distinct + 1) for _ in names]}
    return Race("20 indices at every threshold", len(y), contestants, floors, ((Mark(20, SWEEP),),), agree)


# Ten more indices, which rapidstats does not have.
_THIRTY = [
    *TWENTY,
    "kappa",
    "error_rate",
    "rpp",
    "lift",
    "f2",
    "yule_q",
    "distance_to_corner",
    "sedi",
    "geometric_mean",
    "cost",
]


def _fixed_thresholds(rapidstats: Any, y: Any, score: Any) -> Race:
    """Thirty indices at a hundred thresholds, against rapidstats' loop over thresholds and counting with numpy."""
    import rocksteady as rs

    grid = rs.scores.threshold_grid(100)[:-1]
    ascending = grid[::-1].copy()

    def ours() -> dict[str, Any]:
        counts = rs.counts_at(y, score, grid)
        return {name: counts[name] for name in _THIRTY}

    def counted() -> Any:
        places = np.digitize(score, ascending)
        return np.bincount(2 * places + y, minlength=2 * len(ascending) + 2)

    def agree(answer: Any, expected: Any) -> bool:
        if not isinstance(answer, dict):
            return len(answer) == len(expected)
        theirs = {
            metric: part.sort("threshold", descending=True)["value"].to_numpy()
            for (metric,), part in expected.partition_by("metric", as_dict=True).items()
        }
        return all(_near(answer[ours], theirs[metric], defined=0.9) for ours, metric in TWENTY.items())

    listed = grid.tolist()
    contestants: dict[str, Contestant] = {
        OURS: ours,
        SWEEP: lambda: rapidstats.metrics.confusion_matrix_at_thresholds(y, score, thresholds=listed),
    }
    floors: dict[str, Contestant] = {"digitize + bincount": counted}
    marks = ((Mark(100, SWEEP),), (Mark(2, "digitize + bincount", at_least=False),))
    return Race("30 indices at 100 thresholds", len(y), contestants, floors, marks, agree)


def _best_under_conditions(y: Any, score: Any) -> Race:
    """From rows to the threshold with the highest recall under two conditions, against the same with numpy."""
    import rocksteady as rs

    condition = "precision >= 0.9 and rpp <= 0.05"

    def ours() -> tuple[float, float]:
        best = rs.ScoreTable(y, score).best("recall", subject_to=condition)
        return best.threshold, best.value

    def reference() -> tuple[float, float]:
        order = np.argsort(-score, kind="stable")
        scores, found = score[order], np.cumsum(y[order])
        last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
        predicted, found = last + 1, found[last]
        usable = np.flatnonzero((found / predicted >= 0.9) & (predicted / len(y) <= 0.05))
        best = usable[found[usable] == found[usable].max()][-1]
        return scores[last[best]], found[best] / y.sum()

    contestants: dict[str, Contestant] = {OURS: ours, "numpy": reference}
    mark = Mark(3, "np.sort", at_least=False)
    return Race(
        "best recall under two conditions", len(y), contestants, {"np.sort": lambda: np.sort(score)}, ((mark,),), same
    )


def _near(ours: Any, theirs: Any, defined: float = 0.99) -> bool:
    """Whether numbers are near where both are finite. More than the share `defined` must be finite."""
    if len(ours) != len(theirs):
        return False
    both = np.isfinite(ours) & np.isfinite(theirs)
    return bool(both.mean() > defined and np.allclose(ours[both], theirs[both], rtol=1e-6, atol=1e-6))


def _expression(y: Any, score: Any) -> Race:
    """An index defined at run time, against the same index built in."""
    import rocksteady as rs

    rs.define_index("expression_of_f1", "2*tp / (2*tp + fp + fn)", replace=True)
    table = rs.ScoreTable(y, score)
    contestants: dict[str, Contestant] = {
        OURS: lambda: table.every("expression_of_f1"),
        "built in": lambda: table.every("f1"),
    }
    mark = Mark(1.5, "built in", at_least=False)
    return Race("F1 as an expression, at every threshold", len(y), contestants, {}, ((mark,),), same)


def _drop_ins(rows: int) -> Iterator[Race]:
    """The functions of rocksteady.metrics that are not compared above, against scikit-learn's."""
    random = np.random.default_rng(6)
    y, score = patterns.two_normals(rows)
    many, guess = patterns.classes(rows, 10)
    yield _drop_in("report of 10 classes", "classification_report", (many, guess), 60)
    yield _drop_in("precision, recall, F of 10 classes", "precision_recall_fscore_support", (many, guess), 60)
    yield _drop_in("log loss", "log_loss", (y, score), 40)
    yield _drop_in("Brier score", "brier_score_loss", (y, score), 40)
    chances = random.dirichlet(np.ones(10), rows)
    yield _drop_in("AUC of 10 classes, one vs rest", "roc_auc_score", (many, chances), 12, multi_class="ovr")
    yield _drop_in("AUC of 10 classes, one vs one", "roc_auc_score", (many, chances), 30, multi_class="ovo")
    words = np.array(["ash", "elm", "fir", "oak", "yew"])
    trees, guessed = (words[column] for column in patterns.classes(rows, 5))
    yield _drop_in("confusion of <U3 labels", "confusion_matrix", (trees, guessed), 20)
    objects = trees.astype(object), guessed.astype(object)
    yield _drop_in("confusion of object labels", "confusion_matrix", objects, 20)
    scattered = patterns.classes(rows, 100_000)
    yield _drop_in("macro F1 of 100,000 classes", "f1_score", scattered, None, average="macro")
    hundred = random.integers(0, 100, rows)
    yield _drop_in("top 2 of 100", "top_k_accuracy_score", (hundred, random.random((rows, 100))), 60)
    yield _drop_in("F1 at every threshold", "metric_at_thresholds", (*patterns.two_normals(2_000), "f1_score"), 1000)


def _calibration(rows: int) -> Iterator[Race]:
    """Calibration curves against scikit-learn's, and the calibration error against counting with numpy."""
    from sklearn.calibration import calibration_curve

    import rocksteady as rs
    from rocksteady.metrics import calibration_curve as ours

    y, score = patterns.two_normals(rows)
    score = 1 / (1 + np.exp(-score))
    for bins, strategy in ((5, "uniform"), (10, "uniform"), (10, "quantile")):
        options: dict[str, Any] = {"n_bins": bins, "strategy": strategy}
        contestants = {
            OURS: functools.partial(ours, y, score, **options),
            REFERENCE: functools.partial(calibration_curve, y, score, **options),
        }
        marks = ((Mark(20, REFERENCE),),) if bins == 5 else ()  # scikit-learn's default
        yield Race(f"calibration curve, {bins} {strategy} bins", rows, contestants, {}, marks, same)

    def counted() -> float:
        place = np.digitize(score, np.linspace(0, 1, 11)[1:-1])
        return float(np.abs(np.bincount(place, y - score, minlength=10)).sum() / rows)

    contestants = {OURS: lambda: rs.scores.calibration_error(y, score), "digitize + bincount": counted}
    yield Race("expected calibration error, ten bins", rows, contestants, {}, (), same)


def _drop_in(title: str, function: str, arguments: tuple[Any, ...], factor: float | None, **options: Any) -> Race:
    import sklearn.metrics as reference

    import rocksteady.metrics as ours

    call = Small(function, arguments, options)
    contestants = {OURS: call.of(ours), REFERENCE: call.of(reference)}
    marks = () if factor is None else ((Mark(factor, REFERENCE),),)
    return Race(title, len(arguments[0]), contestants, {}, marks, same)


def same(answer: Any, expected: Any) -> bool:
    if isinstance(expected, str) or expected is None:
        return bool(answer == expected)
    if isinstance(expected, tuple):
        return all(same(ours, theirs) for ours, theirs in zip(answer, expected, strict=True))
    return bool(np.allclose(answer, expected, rtol=1e-9, atol=1e-12))


@dataclasses.dataclass(frozen=True)
class Small:
    """A call on a thousand rows, and its goals: a multiple of scikit-learn's speed, and the most microseconds."""

    function: str
    arguments: tuple[Any, ...]
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    factor: float = 50
    limit: float | None = 15

    def of(self, module: Any) -> Contestant:
        """The call of one package. A string among the arguments is the name of one of its functions."""
        function = getattr(module, self.function)
        arguments = tuple(getattr(module, v) if isinstance(v, str) else v for v in self.arguments)
        return lambda: function(*arguments, **self.options)


def small_calls() -> dict[str, Small]:
    """All functions of rocksteady.metrics on a thousand rows: two columns, several classes, several labels per row."""
    random = np.random.default_rng(5)
    y, score = patterns.two_normals(1_000)
    _, p = patterns.classes(1_000, 2)
    many, guess = patterns.classes(1_000, 10)
    chances = random.dirichlet(np.ones(10), 1_000)
    tags = (random.random((1_000, 10)) < 0.3).astype(np.int64)
    guessed = np.where(random.random(tags.shape) < 0.8, tags, 1 - tags)
    calls: dict[str, Small] = {}
    set_wise = ("precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score")
    beta = {"fbeta_score": {"beta": 2.0}}
    both = ("accuracy_score", "zero_one_loss", "hamming_loss")
    labels = (
        *both,
        *("balanced_accuracy_score", "matthews_corrcoef", "cohen_kappa_score", "confusion_matrix"),
        *("multilabel_confusion_matrix", "precision_recall_fscore_support", "classification_report"),
    )
    for name in (*labels, "class_likelihood_ratios"):
        calls[name] = Small(name, (y, p))
    for name in set_wise:
        calls[name] = Small(name, (y, p), beta.get(name, {}))
    scored = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve", "det_curve")
    proper = ("log_loss", "brier_score_loss", "d2_log_loss_score", "d2_brier_score")
    for name in (*scored, "confusion_matrix_at_thresholds", *proper, "hinge_loss", "top_k_accuracy_score"):
        calls[name] = Small(name, (y, score), {"k": 1} if name == "top_k_accuracy_score" else {})
    calls["calibration_curve"] = Small("calibration_curve", (y, score))
    for name in labels:
        calls[f"{name}, 10 classes"] = Small(name, (many, guess), {}, 30, None)
    for name in set_wise:
        options = {"average": "macro"} | beta.get(name, {})
        calls[f"{name}, 10 classes"] = Small(name, (many, guess), options, 30, None)
    for name in (*proper, "hinge_loss", "top_k_accuracy_score"):
        calls[f"{name}, 10 classes"] = Small(name, (many, chances), {}, 30, None)
    for way in ("ovr", "ovo"):
        calls[f"roc_auc_score, {way} of 10"] = Small("roc_auc_score", (many, chances), {"multi_class": way}, 30, None)
    for name in (*both, "multilabel_confusion_matrix", "classification_report"):
        options = {"zero_division": 0} if name == "classification_report" else {}
        calls[f"{name}, 10 labels a row"] = Small(name, (tags, guessed), options, 30, None)
    for name in set_wise:
        options = {"average": "samples", "zero_division": 0} | beta.get(name, {})
        calls[f"{name}, 10 labels a row"] = Small(name, (tags, guessed), options, 30, None)
    for name in ("roc_auc_score", "average_precision_score"):
        calls[f"{name}, 10 labels a row"] = Small(name, (tags, chances), {}, 30, None)
    gains = ("dcg_score", "ndcg_score")
    for name in ("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss", *gains):
        calls[f"{name}, 10 labels a row"] = Small(name, (tags, chances), {}, 30, None)
    return calls


def have(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


# Timing.


def run_race(race: Race, clock: Callable[[], float], seconds: float) -> dict[str, float]:
    """The shortest time of each contestant and lower bound, in seconds. Each runs until it has used its seconds.

    Short calls get more rounds: cold caches and interrupts disturb most runs of a fraction of a millisecond.
    """
    runners = race.contestants | race.floors
    least = dict.fromkeys(runners, math.inf)
    spent = dict.fromkeys(runners, 0.0)
    _, reference, *_ = race.contestants
    expected = race.contestants[reference]()
    for played in range(100):
        if played >= 25 and sum(spent.values()) > 0.1 * played:
            break
        for name, runner in runners.items():
            if spent[name] > seconds:
                continue
            gc.collect()
            began, wall = clock(), time.perf_counter()
            answer = runner()
            least[name] = min(least[name], clock() - began)
            spent[name] += time.perf_counter() - wall
            if name in race.contestants and not race.agree(answer, expected):
                raise AssertionError(f"{race.title}, {name}: {answer!r}; {reference} says {expected!r}")
            del answer
    return least


def run_small(call: Small) -> dict[str, float]:
    """The shortest CPU time of a call, in seconds, over rounds of many calls."""
    import sklearn.metrics
    from sklearn.calibration import calibration_curve

    import rocksteady.metrics

    if call.function == "calibration_curve":
        sklearn.metrics.calibration_curve = calibration_curve
    contestants = {OURS: call.of(rocksteady.metrics), REFERENCE: call.of(sklearn.metrics)}
    answers = {name: contestant() for name, contestant in contestants.items()}
    if not same(answers[OURS], answers[REFERENCE]):
        raise AssertionError(f"{call.function}: {answers}")
    least = dict.fromkeys(contestants, math.inf)
    spent = time.perf_counter()
    for _ in range(15):
        for name, contestant in contestants.items():
            times = 300 if name == OURS else 5
            began = time.process_time()
            for _ in range(times):
                contestant()
            least[name] = min(least[name], (time.process_time() - began) / times)
        if time.perf_counter() - spent > 3:
            break
    return least


def run_memory(rows: int) -> dict[str, float]:
    """Extra memory of an AUC beside its inputs, in bytes per row; empty if the system cannot measure it."""
    from rocksteady.metrics import roc_auc_score

    roc_auc_score(*patterns.two_normals(1_000))
    y, score = patterns.two_normals(rows)
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak
    except OSError:
        return {}
    before = _status("VmRSS")
    roc_auc_score(y, score)
    return {"rows": rows, "bytes a row": (_status("VmHWM") - before) / rows}


def _status(key: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return 0


# The child processes and the page.


def child(part: str, large: int, medium: int, seconds: float) -> Any:
    """Run one part of the measurements, and print the progress to standard error."""
    warnings.simplefilter("ignore")
    if part == "memory":
        return run_memory(large)
    if part == "small":
        return {title: run_small(call) for title, call in small_calls().items()}
    clock = time.process_time if part == "one" else time.perf_counter
    table = []
    for race in races(large, medium):
        print(f"  {part}: {race.title}, {race.rows:,} rows", file=sys.stderr)
        times = run_race(race, clock, seconds)
        marks = [[{"text": str(mark), "met": mark.met(times)} for mark in either] for either in race.marks]
        table.append({"title": race.title, "rows": race.rows, "times": times, "floors": [*race.floors], "marks": marks})
    return table


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Run each part in its own process."""
    measured: dict[str, Any] = {"date": today(), "machine": machine(), "quick": arguments.quick}
    for part in ("one", "all", "small", "memory"):
        command = [sys.executable, __file__, "--child", part, *(["--quick"] if arguments.quick else [])]
        environment = dict(os.environ) if part == "all" else os.environ | ONE_THREAD
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        measured[part] = json.loads(done.stdout)
    return measured


def today() -> str:
    day = dt.datetime.now(dt.UTC)
    return f"{day.day} {day:%B %Y}"


def machine() -> dict[str, str]:
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
        ]
        processor = names[0] if names else processor
    versions = {"Python": platform.python_version()}
    for package in ("rocksteady", "numpy", "scikit-learn", "scors", "polars-ds", "polars", "pycm", "rapidstats"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return {"processor": processor, "cores": str(os.cpu_count()), "system": platform.system(), **versions}


def where_and_when(measured: dict[str, Any]) -> list[str]:
    """The first lines of a page of measurements."""
    found = measured["machine"]
    versions = ", ".join(
        f"{name} {version}" for name, version in found.items() if name not in ("processor", "cores", "system")
    )
    return [
        f"Measured on {measured['date']}.",
        f"{found['processor']}, {found['cores']} cores, {found['system']}; {versions}.",
    ]


def write_between(file: Path, name: str, text: str) -> None:
    """Replace what is between the comments `<!-- name -->` and `<!-- /name -->` of a Markdown file."""
    before, opening, rest = file.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    _, mark, after = rest.partition(f"<!-- /{name} -->")
    if not mark:
        sys.exit(f"{file} has no <!-- {name} --> and <!-- /{name} -->")
    file.write_text(f"{before}{opening}{text}{mark}{after}", encoding="utf-8")


def page(measured: dict[str, Any]) -> str:
    """Format the measurements as Markdown."""
    lines = where_and_when(measured)
    if measured["quick"]:
        lines.append("\n**Quick run: a tenth of the rows, so the goals are only indications.**")
    lines += ["", "One thread, CPU time, least of interleaved rounds:", "", *_race_table(measured["one"], marks=True)]
    lines += _folded("All cores, wall time", _race_table(measured["all"], marks=False))
    lines += _folded(
        "Every function on a thousand rows, one thread, microseconds a call", _small_table(measured["small"])
    )
    if memory := measured["memory"]:
        taken = memory["bytes a row"]
        said = _said(taken <= 16)
        lines += [
            "",
            f"Extra memory of an AUC of {memory['rows']:,} float64 rows: {taken:.1f} bytes a row (goal: at most 16; {said}).",
        ]
    missing = [name for name, module in _PACKAGES.items() if not have(module)]
    if missing:
        lines += ["", f"Not installed, so not measured: {', '.join(missing)}."]
    return "\n".join(lines) + "\n"


def _folded(title: str, table: Iterator[str]) -> list[str]:
    """A table that the reader unfolds. The empty lines are needed for Markdown inside HTML."""
    return ["", f"<details><summary>{title}</summary>", "", *table, "", "</details>"]


def _small_table(measured: dict[str, dict[str, float]]) -> Iterator[str]:
    yield "| call | rocksteady | scikit-learn | ratio | goals |"
    yield "|---|---:|---:|---:|---|"
    for title, call in small_calls().items():
        times = measured[title]
        ours, theirs = times[OURS] * 1e6, times[REFERENCE] * 1e6
        marks = f"{call.factor:g} ×: {_said(theirs / ours >= call.factor)}"
        if call.limit is not None:
            marks += f"; ≤ {call.limit:g}: {_said(ours <= call.limit)}"
        yield f"| `{title}` | {ours:.1f} | {theirs:,.0f} | {theirs / ours:.0f} × | {marks} |"


def _race_table(table: list[dict[str, Any]], *, marks: bool) -> Iterator[str]:
    rivals = [REFERENCE, "scors", "polars-ds", "bincount", INDICES, SWEEP, "SciPy", "built in"]
    headings = [
        "task",
        "rows",
        "rocksteady",
        *(f"vs {name}" for name in rivals),
        "as a multiple of",
        *(["goals"] if marks else []),
    ]
    yield f"| {' | '.join(headings)} |"
    yield f"|---|---:|---:|{'---:|' * len(rivals)}---:|{'---|' if marks else ''}"
    for row in table:
        times = row["times"]
        ours = times[OURS]
        against = [_ratio(times[name] / ours) if name in times else "" for name in rivals]
        floors = ", ".join(f"{ours / times[name]:.2f} × {name}" for name in row["floors"])
        cells = [row["title"], f"{row['rows']:,}", f"{ours * 1e3:.2f} ms", *against, floors]
        if marks:
            cells.append("; ".join(_either(alternatives) for alternatives in row["marks"]))
        yield f"| {' | '.join(cells)} |"


def _either(alternatives: list[dict[str, Any]]) -> str:
    met = [mark["met"] for mark in alternatives]
    outcome = True if True in met else None if None in met else False
    return f"{' or '.join(mark['text'] for mark in alternatives)}: {_said(outcome)}"


def _ratio(faster: float) -> str:
    return f"{faster:.0f} ×" if faster >= 10 else f"{faster:.2g} ×"


def _said(met: bool | None) -> str:
    return {True: "reached", False: "**not reached**", None: "not measured"}[met]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare rocksteady's speed with other packages and lower bounds.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, and fewer rounds")
    parser.add_argument("--json", type=Path, help="also write the raw times, in seconds")
    parser.add_argument(
        "--into", type=Path, help="also write the page between the <!-- speeds --> comments of a Markdown file"
    )
    parser.add_argument("--child", choices=("one", "all", "small", "memory"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    large, medium, seconds = (1_000_000, 100_000, 0.5) if arguments.quick else (10_000_000, 1_000_000, 4.0)
    if arguments.child:
        json.dump(child(arguments.child, large, medium, seconds), sys.stdout)
        return
    measured = measure(arguments)
    text = page(measured)
    print(text)
    if arguments.json:
        arguments.json.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    if arguments.into:
        write_between(arguments.into, "speeds", text)


if __name__ == "__main__":
    main()

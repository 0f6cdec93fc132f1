"""Ctrl-C stops a long call at once, and leaves everything as it was.

``python tests/base/test_interrupt.py`` prints how long each call takes to stop.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import cache
from statistics import median

import numpy as np
import pytest

import rocksteady as rs

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(os.name == "nt", reason="signals are another matter there"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # of Python code that is interrupted
    pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning"),
]
ROWS = 6_000_000


@pytest.fixture(scope="module", autouse=True)
def alarm():
    """The system's alarm is Ctrl-C: it comes when it should, also while a call holds the interpreter."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGALRM, before)


def interrupted(call, after):
    """Seconds from Ctrl-C to the exception; none if it came after the call."""
    is_over = False
    start = time.perf_counter()
    try:
        signal.setitimer(signal.ITIMER_REAL, after)
        call()
        is_over = True
        time.sleep(after + 0.01)
    except KeyboardInterrupt:
        return None if is_over else time.perf_counter() - start - after
    return None


@cache
def columns():
    rng = np.random.default_rng(0)
    return rng.integers(0, 2, ROWS), rng.random(ROWS), rng.random(ROWS)


@pytest.fixture(scope="module")
def rows():
    return columns()


CALLS = {
    "table": lambda y, s, w: rs.ScoreTable(y, s),
    "table with weights": lambda y, s, w: rs.ScoreTable(y, s, sample_weight=w),
    "area": lambda y, s, w: rs.metrics.roc_auc_score(y, s),
    "area with weights": lambda y, s, w: rs.metrics.roc_auc_score(y, s, sample_weight=w),
    "average precision": lambda y, s, w: rs.metrics.average_precision_score(y, s),
    "ks": lambda y, s, w: [rs.scores.ks(y, s) for _ in range(4)],
    "evaluate": lambda y, s, w: rs.evaluate(y, s),
    "two models": lambda y, s, w: rs.inference.compare_scores(y, {"a": s, "b": w}),
    "two models with weights": lambda y, s, w: rs.inference.compare_scores(y, {"a": s, "b": w}, sample_weight=w),
    "counts at thresholds": lambda y, s, w: [rs.counts_at(y, s, rs.scores.threshold_grid(1000)) for _ in range(9)],
    "bootstrap": lambda y, s, w: rs.inference.bootstrap(y, s, n_resamples=200, random_state=0),
    "confusion of scores": lambda y, s, w: [rs.ConfusionMatrix(y, y, sample_weight=w) for _ in range(40)],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("threads", [1, 2])
def test_long_calls_stop_at_once(rows, name, threads):
    CALLS[name](*(column[:1_000] for column in rows))  # so that all is imported
    before = rs.get_threads()
    rs.set_threads(threads)
    try:
        found = [interrupted(lambda: CALLS[name](*rows), after) for after in (0.004, 0.012, 0.04)]
    finally:
        rs.set_threads(before)
    stopped = [seconds for seconds in found if seconds is not None]
    assert stopped, "the call was too short to be stopped"
    assert min(stopped) < 0.3  # a machine may be busy; what was measured is in the changelog


def random(seed=0):
    return np.random.default_rng(seed)


@cache
def sketch():
    y, _, _ = columns()
    return rs.ScoreSketch(y, random().normal(size=ROWS), cells=1_000_000)


@cache
def matrix(classes=3_000, weighted=False):
    """Of a million cells or so that are not zero."""
    y, p = random().integers(0, classes, (2, 2_000_000))
    return rs.ConfusionMatrix(y, p, sample_weight=random().random(len(y)) if weighted else None)


@cache
def groups(*, scores=False):
    y, p = random().integers(0, 2, (2, 2_000_000))
    given = {"y_score": random().random(len(y))} if scores else {"y_pred": p}
    return rs.group_by(y, **given, by={"key": random().integers(0, 200_000, len(y))})


@cache
def texts():
    arrow = pytest.importorskip("pyarrow")
    y, p = random().integers(0, 1_000_000, (2, 1_000_000)).astype(str)
    return arrow.array(y), arrow.array(p)


@cache
def lists():
    y, s, _ = columns()
    return y.tolist(), s.tolist()


@cache
def frame():
    dask = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    y, s, _ = columns()
    whole = pandas.DataFrame({"y": np.where(y, "yes", "no"), "s": s})
    return dask.from_pandas(whole, npartitions=4)


@cache
def evaluation():
    y, p = random().integers(0, 300, (2, 500_000))
    return rs.evaluate(y, y_pred=p)


@cache
def wild_weights():
    return random().integers(0, 2, 300_000), random().random(300_000), 10.0 ** random().uniform(-300, 300, 300_000)


def table():
    y, s, _ = columns()
    return rs.ScoreTable(y[:1_000_000], s[:1_000_000])


WITHOUT_ROWS = {
    "a curve of a sketch": (sketch, lambda of: of.roc_curve()),
    "another curve of a sketch": (sketch, lambda of: of.curve("recall", "mcc")),
    "bounds of a sketch": (sketch, lambda of: of.bounds("roc_auc")),
    "the sum of two sketches": (sketch, lambda of: of + of),
    "a sketch with weights": (wild_weights, lambda of: rs.ScoreSketch(of[0], of[1], sample_weight=of[2])),
    "all indices of many classes": (matrix, lambda of: of.to_dict("all")),
    "shares of many classes": (matrix, lambda of: of.normalize()),
    "an interval of many classes": (matrix, lambda of: of.interval("kappa")),
    "an interval of a mean over classes": (lambda: matrix(600), lambda of: of.interval("f1", average="macro")),
    "resamples of many classes": (matrix, lambda of: of.bootstrap(["mcc"], n_resamples=20, random_state=0)),
    "how alike classes are": (lambda: matrix(600), lambda of: of.dissimilarity()),
    "a fraction of many classes": (matrix, lambda of: of.exact("kappa")),
    "a fraction of weights": (lambda: matrix(1_500, weighted=True), lambda of: of.exact("kappa")),
    "intervals of groups": (groups, lambda of: of.interval("mcc")),
    "intervals of the scores of groups": (lambda: groups(scores=True), lambda of: of.interval("roc_auc")),
    "the difference of groups": (groups, lambda of: of.difference("f1")),
    "the worst groups": (groups, lambda of: of.worst("f1")),
    "text of Arrow": (texts, lambda of: rs.ConfusionMatrix(*of)),
    "groups by text": (texts, lambda of: rs.group_by(*[columns()[0][: len(of[0])]] * 2, by={"key": of[1]})),
    "lists": (lists, lambda of: rs.ScoreTable(*of)),
    "Dask": (frame, lambda of: rs.dask.evaluate(of, "y", "s")),
    "a report of many classes": (evaluation, lambda of: of.to_html()),
    "an index at every threshold": (table, lambda of: of.every("kappa")),
    "a band": (table, lambda of: of.band("roc")),
}


def seconds_to_stop(name):
    """Of some tries: the call is repeated for ever, so it is never too short."""
    make, call = WITHOUT_ROWS[name]
    of = make()
    call(of)  # so that all is imported, and remembered

    def repeated():
        while True:
            call(of)

    return [interrupted(repeated, after) for after in (0.31, 0.63, 1.17)]


@pytest.mark.parametrize("name", WITHOUT_ROWS)
def test_calls_over_cells_groups_and_texts_stop_at_once(name):
    assert median(seconds_to_stop(name)) < 0.3


def test_a_collector_keeps_its_state_or_has_the_new_one(rows):
    y, s, w = rows
    few = 100_000
    old = rs.ScoreTable(y[:few], s[:few], sample_weight=w[:few])
    new = rs.ScoreTable(np.append(y[:few], y), np.append(s[:few], s), sample_weight=np.append(w[:few], w))
    kept_old = 0
    for after in (0.002, 0.004, 0.006, 0.01, 0.02):
        collector = rs.ScoreCollector()
        collector.update(y[:few], s[:few], sample_weight=w[:few])
        stopped = interrupted(lambda collector=collector: collector.update(y, s, sample_weight=w), after)
        if collector.rows == few:
            assert stopped is not None
            assert collector.score_table() == old
            kept_old += 1
        else:
            assert collector.rows == few + ROWS
            assert collector.score_table() == new
    assert kept_old, "no update was stopped"


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for each in sys.argv[1:] or WITHOUT_ROWS:
        found = seconds_to_stop(each)
        print(f"{each:40}{max(found) * 1000:8.0f} ms", flush=True)

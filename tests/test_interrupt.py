"""Ctrl-C stops a long call at once, and leaves everything as it was."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import rocksteady as rs

pytestmark = pytest.mark.alone
ROWS = 6_000_000


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    return rng.integers(0, 2, ROWS), rng.random(ROWS), rng.random(ROWS)


def interrupted(call, after):
    """Seconds from Ctrl-C to the exception; none if it came after the call. If it comes before, it is tried again."""
    sent, state = [], "before"

    def press():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, press)
    try:
        timer.start()
        state = "during"
        call()
        state = "after"
        timer.join()
        time.sleep(0.01)
    except KeyboardInterrupt:
        if state == "before":
            return interrupted(call, 2 * after)
        return time.perf_counter() - sent[0] if state == "during" else None
    return None


CALLS = {
    "table": lambda y, s, w: rs.ScoreTable(y, s),
    "table with weights": lambda y, s, w: rs.ScoreTable(y, s, sample_weight=w),
    "area": lambda y, s, w: rs.metrics.roc_auc_score(y, s),
    "area with weights": lambda y, s, w: rs.metrics.roc_auc_score(y, s, sample_weight=w),
    "average precision": lambda y, s, w: rs.metrics.average_precision_score(y, s),
    "ks": lambda y, s, w: [rs.ks(y, s) for _ in range(4)],
    "evaluate": lambda y, s, w: rs.evaluate(y, s),
    "two models": lambda y, s, w: rs.inference.compare_scores(y, {"a": s, "b": w}),
    "two models with weights": lambda y, s, w: rs.inference.compare_scores(y, {"a": s, "b": w}, sample_weight=w),
    "counts at thresholds": lambda y, s, w: [rs.counts_at(y, s, rs.threshold_grid(1000)) for _ in range(9)],
    "bootstrap": lambda y, s, w: rs.inference.bootstrap(y, s, n_resamples=200, random_state=0),
    "confusion of scores": lambda y, s, w: [rs.ConfusionMatrix(y, y, sample_weight=w) for _ in range(40)],
}


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of Python code that is interrupted
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


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")
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
            assert collector.table() == old
            kept_old += 1
        else:
            assert collector.rows == few + ROWS
            assert collector.table() == new
    assert kept_old, "no update was stopped"

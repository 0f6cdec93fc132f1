"""Threads that share statistics, collectors, arrays and lists. On a free-threaded Python they really run at once.

The tests need numpy and pytest only, so they run where little else is installed; those with Arrow need pyarrow.
"""

from __future__ import annotations

import itertools
import math
import os
import pickle
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady import metrics

THREADS = 4
RNG = np.random.default_rng(15)
FEW = (1_000, 60_000)  # the interpreter is held for the first number of rows, and released for the second


@pytest.fixture(autouse=True)
def _switch_often() -> Iterator[None]:
    """Threads take turns as often as the interpreter lets them, so that they meet where they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(*works: Callable[[], None]) -> None:
    """Runs each work on a thread of its own, all from the same moment. The first exception is raised."""
    start = threading.Barrier(len(works))
    raised: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            start.wait(timeout=60)
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads), "threads wait for each other"
    if raised:
        raise raised[0]


@contextmanager
def meanwhile(work: Callable[[int], None]) -> Iterator[None]:
    """Repeats `work(0)`, `work(1)`, … on another thread until the block ends."""
    stop, raised = threading.Event(), []

    def run() -> None:
        try:
            for turn in itertools.count():
                work(turn)
                if stop.is_set():
                    return
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=60)
    assert not thread.is_alive()
    assert not raised, raised


def same(one: object, other: object) -> bool:
    """Equality to the bit, with NaN equal to itself."""
    return pickle.dumps(one) == pickle.dumps(other)


# One statistic ---------------------------------------------------------------------------------------------------------

OF_TABLE = ["roc_auc", "average_precision", "ks", "h_measure", "log_loss", "brier_score", "gini", "hosmer_lemeshow"]


@pytest.mark.parametrize("rows", FEW)
def test_threads_may_share_a_table_of_scores(rows):
    """What a table remembers is computed by whichever thread comes first, and is the same for all."""
    y, s, weights = RNG.integers(0, 2, rows), RNG.random(rows).round(4), RNG.random(rows)
    reads: list[Callable[[rs.ScoreTable], object]] = [
        *[lambda table, name=name: table[name] for name in OF_TABLE],
        lambda table: table.every("mcc").tobytes(),
        lambda table: table.summary().to_csv(),
        lambda table: table.roc_curve(max_points=50).tpr.tobytes(),
        lambda table: table.roc_convex_hull().tpr.tobytes(),
        lambda table: table.best("f1").threshold,
        lambda table: (table + table).to_bytes(),
        lambda table: pickle.loads(pickle.dumps(table))["roc_auc"],
        lambda table: table.exact("roc_auc"),
    ]
    for given in (None, weights):
        reads_here = reads if given is None else reads[:-1]  # weights have no exact value
        alone = [read(rs.ScoreTable(y, s, sample_weight=given)) for read in reads_here]
        for turn in range(3):
            table = rs.ScoreTable(y, s, sample_weight=given)

            def work(first: int, table: rs.ScoreTable = table, reads: list = reads_here, alone: list = alone) -> None:
                for turned in range(len(reads)):
                    place = (turned + first) % len(reads)
                    assert same(reads[place](table), alone[place]), place

            at_once(*[lambda first=turn + 5 * i: work(first) for i in range(THREADS)])


def test_threads_may_share_a_confusion_matrix():
    y, p = RNG.integers(0, 9, 50_000), RNG.integers(0, 9, 50_000)
    names = ["mcc", "kappa", "accuracy", "cen", "mutual_information", "v_measure"]

    def read(matrix: rs.ConfusionMatrix) -> list[object]:
        return [
            *[matrix[name] for name in names],
            matrix.every("f1"),
            matrix.to_bytes(),
            matrix.exact("accuracy"),
            (matrix + matrix).to_array().tolist(),
            matrix.transpose().collapse({10: [0, 1, 2]})["accuracy"],
            matrix.interval("accuracy"),
        ]

    alone = read(rs.ConfusionMatrix(y, p))
    for _ in range(3):
        matrix = rs.ConfusionMatrix(y, p)

        def work(matrix: rs.ConfusionMatrix = matrix) -> None:
            for _ in range(5):
                assert same(read(matrix), alone)

        at_once(*[work] * THREADS)


# One collector ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", FEW)
def test_a_collector_is_filled_and_read_by_several_threads(rows):
    batches = 40 if rows == FEW[0] else 8
    y, s = RNG.integers(0, 2, (batches, rows)), RNG.random((batches, rows))
    y[:, :2] = [0, 1]
    collector = rs.ScoreCollector()
    collector.update(y[0], s[0])
    left = iter(range(1, batches))
    lock = threading.Lock()

    def fill() -> None:
        while True:
            with lock:
                batch = next(left, None)
            if batch is None:
                return
            with pytest.raises(rs.InputError):  # a refused batch counts nothing
                collector.update(y[batch], np.full(rows, math.nan))
            collector.update(y[batch], s[batch])

    def read() -> None:
        for _ in range(5):
            before = collector.rows
            counts = collector.score_table().at(-1.0)
            assert before <= counts.tp + counts.fp <= collector.rows
            assert (counts.tp + counts.fp) % rows == 0  # whole batches

    at_once(fill, fill, fill, read)
    assert collector.rows == y.size
    assert collector.score_table() == rs.ScoreTable(y.ravel(), s.ravel())


# Arrays and lists that change ------------------------------------------------------------------------------------------


def settles(call: Callable[[], object]) -> object:
    """The value, or the refusal, of a call whose input changes: it ends in no other way."""
    try:
        return call()
    except (rs.InputError, rs.InputTypeError) as refusal:
        return refusal


@pytest.mark.parametrize("rows", FEW)
def test_arrays_are_written_while_they_are_read(rows):
    """Each element is read once and checked. So counts belong to some state of each element, and always add up."""
    y, p, s, w = RNG.integers(0, 3, rows), RNG.integers(0, 3, rows), RNG.random(rows), RNG.random(rows)
    text = np.array(["a", "bb", "ccc"])[y]
    probabilities = RNG.dirichlet([1, 1, 1], rows)
    columns = [
        (y, [2, 1, 0, -1, 2**40, 7]),
        (p, [0, 1, 2, 2**62]),
        (s, [0.5, math.nan, -math.inf, 1.0, 1e-320]),
        (w, [1.0, 0.0, math.nan, -1.0, 1e308]),
        (text, ["", "a", "dd"]),
        (probabilities, [0.25, 1.0, math.nan]),
    ]

    def scribble(turn: int) -> None:
        for column, values in columns:
            column[turn % 7 :: 1 + turn % 5] = values[turn % len(values)]
        y[::2], p[::3], s[::2], w[::2], text[::2] = 1, 0, 0.25, 0.5, "bb"

    def read() -> None:
        for _ in range(4):
            matrix = settles(lambda: rs.ConfusionMatrix(y, p))
            if isinstance(matrix, rs.ConfusionMatrix):
                assert int(matrix.to_array().sum()) == rows
            matrix = settles(lambda: rs.ConfusionMatrix(text, text))
            if isinstance(matrix, rs.ConfusionMatrix):
                assert int(matrix.to_array().sum()) == rows
            table = settles(lambda: rs.ScoreTable(y, s, nan_policy="omit", infinite="allow", pos_label=1))
            if isinstance(table, rs.ScoreTable):
                assert 0 <= (auc := table["roc_auc"]) <= 1 or math.isnan(auc)
            settles(lambda: rs.ScoreTable(y, s, sample_weight=w))
            settles(lambda: rs.ProbabilitySums(y > 1, s))
            settles(lambda: rs.ScoreTables(y, probabilities))
            settles(lambda: rs.counts_at(y, s, [0.25, 0.5], pos_label=1))

    with meanwhile(scribble):
        at_once(*[read] * (THREADS - 1))


def test_lists_change_while_they_are_read():
    """A list that has become shorter than it was ends in an IndexError."""
    values: list[object] = []
    kinds = [[0, 1] * 500, ["a", "b"] * 400, [0.5, None] * 300, [0, 1.0] * 700, []]

    def change(turn: int) -> None:
        values[:] = kinds[turn % len(kinds)]
        values.append(1)
        values.reverse()

    def read() -> None:
        for _ in range(300):
            try:
                matrix = settles(lambda: rs.ConfusionMatrix(values, values))
            except IndexError:
                continue
            if isinstance(matrix, rs.ConfusionMatrix):
                assert matrix.to_array().sum() <= max(map(len, kinds)) + 1

    with meanwhile(change):
        at_once(*[read] * (THREADS - 1))


def test_one_arrow_capsule_is_taken_by_one_thread():
    pa = pytest.importorskip("pyarrow")

    class Once:
        """Gives the same capsules again and again, against the protocol."""

        def __init__(self) -> None:
            self.capsules = pa.array(range(1_000)).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return self.capsules

    for _ in range(50):
        once, taken = Once(), []

        def take(once: Once = once, taken: list = taken) -> None:
            matrix = settles(lambda: rs.ConfusionMatrix(np.arange(1_000), once))
            taken.append(isinstance(matrix, rs.ConfusionMatrix))

        at_once(*[take] * THREADS)
        assert sum(taken) == 1


# The state of the process ----------------------------------------------------------------------------------------------


def test_indices_are_defined_while_others_are_read():
    table = rs.ScoreTable(RNG.integers(0, 2, 500), RNG.random(500))
    jaccard = table.every("jaccard").tobytes()

    def define(name: str) -> None:
        for _ in range(30):
            rs.define_index(name, "tp / (tp + fp + fn)")
            assert same(table.every(name).tobytes(), jaccard)
            rs.undefine_index(name)

    def read() -> None:
        for _ in range(30):
            assert "roc_auc" in [index.name for index in rs.indices()]
            assert rs.index("mcc").name == "mcc"

    at_once(*[lambda i=i: define(f"of_thread_{i}") for i in range(THREADS - 1)], read)


def test_threads_may_change_the_number_of_threads():
    y, s = RNG.integers(0, 2, 400_000), RNG.random(400_000)
    alone = metrics.roc_auc_score(y, s)

    def change() -> None:
        for threads in (1, 3, 2, None) * 5:
            rs.set_threads(threads)

    def read() -> None:
        for _ in range(5):
            assert metrics.roc_auc_score(y, s) == alone

    try:
        at_once(change, read, read)
    finally:
        rs.set_threads(None)


def test_threads_may_import_the_parts_of_the_package_at_once():
    program = """
import threading
import rocksteady as rs
names = [name for name in rs.__all__ if not name.startswith("_")]
start, found = threading.Barrier(4), []
def work(first):
    start.wait()
    found.append([getattr(rs, names[(first + i) % len(names)]) is not None for i in range(len(names))])
threads = [threading.Thread(target=work, args=(7 * i,)) for i in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
print(len(found), all(map(all, found)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["4", "True"], done.stderr


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter has its lock")
def test_the_package_leaves_the_interpreter_without_its_lock():
    program = "import sys, rocksteady, rocksteady.metrics; print(sys._is_gil_enabled())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "False", done.stderr


READS = """
import numpy as np
import rocksteady as rs
from rocksteady import metrics

y, s = np.arange(1000) % 3 == 0, np.linspace(0, 1, 1000)
calls = {
    "ScoreTable": lambda: rs.ScoreTable(y, s),
    "ConfusionMatrix": lambda: rs.ConfusionMatrix(y, s > 0.5),
    "ScoreSketch": lambda: rs.ScoreSketch(y, s, pos_label=True),
    "group_by": lambda: rs.group_by(y, y_score=s, by=np.arange(1000) % 7),
    "Queries": lambda: rs.Queries(y, s, np.arange(1000) // 10),
    "evaluate": lambda: rs.evaluate(y, s).value("roc_auc"),
    "roc_auc_score": lambda: metrics.roc_auc_score(y, s),
    "roc_curve": lambda: metrics.roc_curve(y, s),
    "log_loss": lambda: metrics.log_loss(y, s),
    "interval": lambda: rs.ScoreTable(y, s).interval("roc_auc"),
}

def reads():
    with open("/proc/self/io") as file:
        return int(file.read().split("syscr: ")[1].split()[0])

for name, call in calls.items():
    call()
    before = reads()
    for _ in range(50):
        call()
    if reads() - before >= 50:
        print(name, reads() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="the system does not count what a process reads")
def test_a_small_call_does_not_ask_the_system_for_its_cores():
    """The system reads files to tell them; a score table of 1,000 rows, which asked three times, took ten times as long."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    found = subprocess.run([sys.executable, "-c", READS], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout == ""

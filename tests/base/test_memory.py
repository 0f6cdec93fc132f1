"""No failed allocation ends the process: each large one of many calls fails once (``memory_calls.py``)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

HERE = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory) -> dict[str, str]:
    """An environment whose programs may let an allocation fail."""
    compiler = shutil.which("cc")
    if not sys.platform.startswith("linux") or compiler is None:
        pytest.skip("allocations are made to fail by a library in C, preloaded by Linux")
    library = tmp_path_factory.mktemp("failing") / "failing.so"
    command = [compiler, "-O1", "-fPIC", "-shared", "-o", str(library), str(HERE / "failing.c"), "-ldl"]
    subprocess.run(command, check=True)
    return {**os.environ, "LD_PRELOAD": str(library)}


@pytest.mark.parametrize(
    "group", ["border", "arrow", "labels", "scores", "classes", "collectors", "inference", "groups", "queries"]
)
def test_every_large_allocation_may_fail(preloaded, group):
    command = [sys.executable, str(HERE / "memory_calls.py"), group]
    done = subprocess.run(command, env=preloaded, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    refused = [line for line in done.stdout.splitlines() if not line.endswith(": 0 large allocations, 0 done without")]
    assert group == "arrow" or len(refused) > 3, done.stdout


def test_a_table_that_memory_cannot_hold_is_refused():
    program = """
        import resource
        import numpy as np
        import rocksteady as rs
        labels, scores = np.arange(10_000_000) % 2, np.random.default_rng(0).random(10_000_000)
        collector = rs.ScoreCollector()
        collector.update(labels[:1000], scores[:1000])
        before = collector.score_table()
        rs.ScoreTable(labels[:200_000], scores[:200_000])  # the threads are there
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), resource.RLIM_INFINITY))
        for call in (
            lambda: rs.ScoreTable(labels, scores),
            lambda: rs.ScoreTable(labels, scores, sample_weight=scores),
            lambda: collector.update(labels, scores),
            lambda: rs.metrics.roc_curve(labels, scores),
        ):
            try:
                call()
            except MemoryError as error:
                print(error)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert collector.score_table() == before
        collector.update(labels, scores)
        assert collector.rows == 10_001_000
    """
    pytest.importorskip("resource")
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory in use is read from Linux's /proc")
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 4, done.stdout


def test_kept_memory_goes_back_before_an_allocation_fails(preloaded):
    program = """
        import ctypes
        import numpy as np
        import rocksteady as rs
        shim = ctypes.CDLL(None)
        shim.failing_start.argtypes = [ctypes.c_long]
        rs.set_threads(1)
        random = np.random.default_rng(0)
        y, s = random.integers(0, 2, 60_000), random.random(60_000)
        for limit in (None, 0):
            rs.settings.set_kept_memory(limit)
            rs.ScoreTable(y[:20_000], s[:20_000])  # its memory is kept, if any is
            shim.failing_start(1)
            try:
                rs.ScoreTable(y, s)
                print("done")
            except MemoryError:
                print("refused")
            assert shim.failing_stop() >= 1
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, env=preloaded, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "done\nrefused\n"), done.stderr


def test_memory_that_is_kept_is_bounded_and_given_back():
    program = """
        import numpy as np
        import rocksteady as rs
        def resident():
            with open("/proc/self/status") as lines:
                return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS"))
        random = np.random.default_rng(0)
        y, s = random.integers(0, 2, 1_000_000), random.random(1_000_000)
        rs.set_threads(1)  # the system's allocator keeps blocks of its own for each thread
        rs.settings.set_kept_memory(0)
        rs.ScoreTable(y, s)
        before = resident()
        for limit in (0, 20_000_000, *[None] * 8):
            rs.settings.set_kept_memory(limit)
            for rows in range(100_000, 1_000_000, 50_000):
                rs.ScoreTable(y[:rows], s[:rows])
            print(resident() - before)
        rs.settings.set_kept_memory(0)
        print(resident() - before)
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("the memory in use is read from Linux's /proc")
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    nothing, some, *rounds, back = (int(line) for line in done.stdout.split())
    # The system's allocator may keep as much again as the largest call needed.
    largest = 96 << 20
    assert nothing < 8 << 20
    assert some < 20_000_000 + largest
    assert max(rounds) < (1 << 26) + largest
    # How much of that it keeps differs from round to round by up to 40 MB, whichever blocks fit where.
    assert max(rounds[4:]) < max(rounds[:4]) + (16 << 20), f"it grows from call to call: {rounds}"
    assert back < 8 << 20


def test_what_a_caller_holds_is_never_used_again():
    random = np.random.default_rng(0)
    y, s = random.integers(0, 2, 50_000), random.random(50_000)
    held = [
        (rows, rs.metrics.roc_curve(y[:rows], s[:rows]), rs.ScoreTable(y[:rows], s[:rows]))
        for rows in (40_000, 50_000, 40_000, 50_000)
    ]
    before = rs.settings.get_kept_memory()
    rs.settings.set_kept_memory(0)
    try:
        for rows, curve, table in held:
            for kept, fresh in zip(curve, rs.metrics.roc_curve(y[:rows], s[:rows]), strict=True):
                assert np.array_equal(kept, fresh)
            assert table == rs.ScoreTable(y[:rows], s[:rows])
    finally:
        rs.settings.set_kept_memory(before)


@pytest.mark.parametrize("wrong", [-1, 1.5, "64MB", 2**70])
def test_what_is_no_limit_is_refused(wrong):
    with pytest.raises(rs.RocksteadyError, match="limit"):
        rs.settings.set_kept_memory(wrong)
    assert rs.settings.get_kept_memory() == 1 << 26

"""No failed allocation ends the process: each large one of many calls fails once (``memory_calls.py``)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

HERE = Path(__file__).parent


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
        before = collector.table()
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
        assert collector.table() == before
        collector.update(labels, scores)
        assert collector.rows == 10_001_000
    """
    pytest.importorskip("resource")
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory in use is read from Linux's /proc")
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 4, done.stdout

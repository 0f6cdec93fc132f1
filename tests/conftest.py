"""Fixtures of all tests: repeatable property tests, and data outside the project."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import rocksteady

sys.path[:0] = map(str, {Path(__file__).parent, *(file.parent for file in Path(__file__).parent.glob("*/test_*.py"))})
from browser import browser, open_page, report  # noqa: F401 (fixtures)
from command import refusal, score  # noqa: F401 (fixtures)

if TYPE_CHECKING:
    from collections.abc import Iterator

# Property tests draw the same examples every time unless asked for others: HYPOTHESIS_PROFILE=explore pytest
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# A worker of pytest-xdist would have its share of the cores, which may be one thread; here threads are tested.
os.environ.setdefault("ROCKSTEADY_NUM_THREADS", str(os.cpu_count()))

# A process that a shell started in the background ignores Ctrl-C, and so do its children. The tests of Ctrl-C need it.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _no_index_stays_defined() -> Iterator[None]:
    """A test undefines what it defines: tests that read the registry do not expect it."""
    before = {row.name for row in rocksteady.indices()}
    yield
    left = [row.name for row in rocksteady.indices() if row.name not in before]
    for name in left:
        rocksteady.undefine_index(name)
    assert not left


@pytest.fixture(scope="session")
def rocr_simple() -> Path:
    """The 200 rows of ROCR.simple, `score,label`."""
    return _beside(ROOT / "examples" / "rocr_simple.csv")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of reference data, which is not part of the project: $ROCKSTEADY_DATA."""
    folder = os.environ.get("ROCKSTEADY_DATA")
    if not folder:
        pytest.skip("ROCKSTEADY_DATA does not say where the reference data are")
    return _beside(Path(folder))


def _beside(path: Path) -> Path:
    if not path.exists():  # a source distribution has no examples/
        pytest.skip(f"there is no {path}")
    return path

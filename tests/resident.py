"""The memory of a process, for programs that tests run: lines that begin such a program."""

from pathlib import Path

import pytest

PROGRAM = """
import gc
import numpy as np
import rocksteady as rs

def resident(field):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))

def forget_the_peak():
    gc.collect()
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
"""

NEEDS_PEAKS = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="peaks of memory are read from Linux's /proc"
)

"""The kernels give the same bits at every level of instructions."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest


@pytest.mark.parametrize("asked", ["sse2", "avx2", "avx512", "none of these"])
def test_results_are_the_same_at_every_level_of_instructions(asked):
    """The switch is for developers: it works in release builds, and never asks for more than the machine has."""
    program = """
        import hashlib
        import numpy as np
        import rocksteady as rs
        from rocksteady._rocksteady import _instructions
        random = np.random.default_rng(3)
        digest = hashlib.sha256()
        for rows in (1000, 150_001):
            y, s, w = random.integers(0, 2, rows), random.random(rows), random.random(rows)
            classes = random.integers(0, 9, (2, rows))
            for weight in (None, w):
                digest.update(rs.ScoreTable(y, s, sample_weight=weight).to_bytes())
                digest.update(rs.ScoreTable(y, s.astype(np.float32), sample_weight=weight).to_bytes())
                digest.update(rs.ConfusionMatrix(*classes, sample_weight=weight).to_bytes())
                digest.update(repr(rs.metrics.roc_auc_score(y, s, sample_weight=weight)).encode())
                digest.update(repr(rs.metrics.log_loss(y, s, sample_weight=weight)).encode())
            digest.update(rs.ScoreTable(y, s).every("mcc").tobytes())
        print(_instructions(), digest.hexdigest())
    """

    def found(environment: dict[str, str]) -> list[str]:
        command = [sys.executable, "-c", textwrap.dedent(program)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    plain = {name: value for name, value in os.environ.items() if name != "ROCKSTEADY_INSTRUCTIONS"}
    widest, expected = found(plain)
    used, digest = found({**plain, "ROCKSTEADY_INSTRUCTIONS": asked})
    levels = ["sse2", "avx2", "avx512"]
    if widest in levels and asked in levels:
        assert levels.index(used) == min(levels.index(widest), levels.index(asked))
    else:
        assert used == widest
    assert digest == expected

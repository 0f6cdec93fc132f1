"""Warnings at the line of the user's program."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from rocksteady.errors import RocksteadyWarning

_PACKAGE = str(Path(__file__).parent.parent)


def warn(message: str, category: type[Warning] = RocksteadyWarning) -> None:
    """Warn at the line outside this package that made the call."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)

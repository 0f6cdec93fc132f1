"""The call that the user's program made: where warnings point, and which options it takes."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocksteady.errors import RocksteadyWarning, for_terminal

if TYPE_CHECKING:
    from types import CodeType, FrameType

_PACKAGE = str(Path(__file__).parent.parent)


def warn(message: str, category: type[Warning] = RocksteadyWarning) -> None:
    """Warn at the line outside this package that made the call."""
    depth, _ = _call()
    warnings.warn(for_terminal(message), category, stacklevel=depth)


def takes(option: str, value: Any) -> bool:
    """Whether the call of the user's program, or the object whose method it calls, would take another value of an option.

    A message names an option only then: not where it has that value already, and not where only a function that was
    called within knows it.
    """
    _, frame = _call()
    if option in _arguments(frame.f_code):
        return bool(frame.f_locals.get(option) != value)
    constructor: Any = getattr(type(frame.f_locals.get("self")), "__init__", None)
    return hasattr(constructor, "__code__") and option in _arguments(constructor.__code__)


def _arguments(code: CodeType) -> tuple[str, ...]:
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _call() -> tuple[int, FrameType]:
    """How far away the user's program is for the caller of this, as `warnings.warn` counts, and what it called."""
    depth, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_back.f_code.co_filename.startswith(_PACKAGE):
        depth, frame = depth + 1, frame.f_back
    return depth + 1, frame

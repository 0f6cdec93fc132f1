"""What came of a call, and how two outcomes differ."""

from __future__ import annotations

import dataclasses
import traceback
import warnings
from typing import Any

import draw
import numpy as np

# scikit-learn's own rounding. It adds up at most 300 rows of 12 classes, and rounds every sum to 2⁻⁵³: 3,600 roundings
# are 4e-13, and a ratio of two such sums has twice that. A difference of such ratios is measured by them, that is by 1,
# but only a few of its roundings lie in one direction.
RELATIVE, ABSOLUTE = 1e-12, 1e-14


@dataclasses.dataclass
class Outcome:
    """A value or an exception, and the warnings."""

    value: Any
    warnings: list[tuple[str, str]]
    stumbled: bool = False  # an exception that no check raised: something inside failed on what it was given

    @property
    def refused(self) -> bool:
        return isinstance(self.value, Exception)

    def __str__(self) -> str:
        said = f"{type(self.value).__name__}: {self.value}" if self.refused else repr(self.value)
        return "\n".join([said, *(f"    warned {category}: {text}" for category, text in self.warnings)])


def outcome(module: Any, call: draw.Call) -> Outcome:
    """What a package makes of a call."""
    function = getattr(module, call.name)
    arguments = [v.of(module) if isinstance(v, draw.Named) else v for v in call.arguments]
    stumbled = False
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*arguments, **call.options)
            if call.then is not None and callable(value):
                value = call.then(value)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            stumbled = "sklearn" not in where.filename or not (where.line or "").startswith("raise ")
            value = error.with_traceback(None)
    return Outcome(value, [(w.category.__name__, str(w.message)) for w in caught], stumbled)


def difference(theirs: Outcome, ours: Outcome) -> str | None:
    """In a word, how two outcomes differ; None if they agree."""
    if theirs.refused and ours.refused:
        return None if same_kind(theirs.value, ours.value) else "exception"
    if theirs.refused or ours.refused:
        return "we accept" if theirs.refused else "we refuse"
    how = unlike(theirs.value, ours.value)
    if how is not None:
        return how
    if [category for category, _ in theirs.warnings] != [category for category, _ in ours.warnings]:
        return "warnings"
    return None


def same_kind(theirs: Exception, ours: Exception) -> bool:
    """Whether a caller who catches their exception catches ours too."""
    return isinstance(ours, type(theirs))


def same_text(theirs: Outcome, ours: Outcome) -> bool:
    """Whether messages agree too: of the exceptions, or of the warnings."""
    if theirs.refused and ours.refused:
        return str(theirs.value) == str(ours.value)
    return theirs.refused == ours.refused and theirs.warnings == ours.warnings


def same_report(theirs: str, ours: str) -> bool:
    """Whether texts are the same but for the last bits of numbers that are shown whole."""
    words, others = theirs.split(), ours.split()
    if len(words) != len(others):
        return False
    for a, b in zip(words, others, strict=True):
        if a != b:
            try:
                near = abs(float(a) - float(b)) <= RELATIVE * abs(float(a))
            except ValueError:
                return False
            if not near or len(a) < 15:
                return False
    return True


def unlike(theirs: Any, ours: Any) -> str | None:
    """How two values differ: "type" or "value"; None if they agree."""
    if type(theirs) is not type(ours):
        return "type"
    if isinstance(theirs, dict):
        if list(theirs) != list(ours):
            return "value"
        return next((how for key in theirs if (how := unlike(theirs[key], ours[key]))), None)
    if isinstance(theirs, tuple | list):
        if len(theirs) != len(ours):
            return "value"
        return next((how for a, b in zip(theirs, ours, strict=True) if (how := unlike(a, b))), None)
    if theirs is np.ma.masked:
        return None  # of this type there is one object
    if isinstance(theirs, np.ndarray | np.generic):
        if theirs.dtype != ours.dtype:
            return "type"
        if theirs.shape != ours.shape:
            return "value"
    if isinstance(theirs, np.ndarray | np.number | float | int):
        kind = np.asarray(theirs).dtype
        if kind.kind not in "biuf":
            return None if np.array_equal(theirs, ours) else "value"
        # A narrow result is rounded once more.
        relative = max(RELATIVE, float(np.finfo(kind).eps)) if kind.kind == "f" else RELATIVE
        # What is left of a difference of large numbers is measured by these.
        large = max((abs(v) for v in np.asarray(theirs).ravel().tolist() if np.isfinite(v)), default=0.0)
        absolute = max(ABSOLUTE, relative * large) if np.ndim(theirs) else ABSOLUTE
        return None if np.allclose(ours, theirs, rtol=relative, atol=absolute, equal_nan=True) else "value"
    if isinstance(theirs, str) and theirs != ours:
        return None if same_report(theirs, ours) else "value"
    return None if theirs == ours or (theirs != theirs and ours != ours) else "value"

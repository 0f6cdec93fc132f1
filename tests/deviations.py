"""Every wanted deviation from scikit-learn, with its reason: of random calls, and of scikit-learn's own tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any


@dataclasses.dataclass(frozen=True)
class Deviation:
    """How our answer differs, why, when, and a call that shows it."""

    name: str
    how: tuple[str, ...]
    reason: str
    when: Callable[[Any, Any, Any], bool]
    example: tuple[str, tuple[Any, ...], dict[str, Any]]


def _stumbled(call: Any, theirs: Any, ours: Any) -> bool:
    return not isinstance(theirs.value, ValueError | TypeError | NotImplementedError) and isinstance(
        ours.value, ValueError | TypeError
    )


FUZZ: list[Deviation] = [
    Deviation(
        "a refusal where scikit-learn stumbles",
        ("exception",),
        "Arguments that scikit-learn does not check make some line inside it fail with an IndexError, an AttributeError or "
        "the like, which says nothing about the argument; here they are refused with a ValueError or a TypeError.",
        _stumbled,
        ("confusion_matrix", ({"a": 1}, [0]), {}),
    ),
]

# Tests of scikit-learn's that fail with our functions in place, each with the reason.
CONFORMANCE: dict[str, str] = {}


def explanation(call: Any, how: str, theirs: Any, ours: Any) -> Deviation | None:
    """The deviation that explains a difference; None if there is none."""
    return next((d for d in FUZZ if how in d.how and d.when(call, theirs, ours)), None)

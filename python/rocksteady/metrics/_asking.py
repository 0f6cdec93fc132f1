"""How a metric of this folder asks for its answer: the core first, its mirror of scikit-learn second.

A metric has two halves, in two files:

- The quick call stands beside the public function. The core checks while it counts, so a good call pays for nothing
  else.
- The mirror stands in `_mirror/`, in the file of the same subject and under the metric's own name. It runs where the
  core refuses. It checks the arguments once, in scikit-learn's order, and raises what scikit-learn raises. Then it asks
  the core again, with the arguments in plain form.

`ask` ties the halves together. What follows it in a metric reads the answer: formulas, and warnings of undefined
values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocksteady.errors import InputTypeError, RocksteadyError

if TYPE_CHECKING:
    from collections.abc import Callable

_Answer = TypeVar("_Answer")

# The last two are for options: one of another type, and a whole number that is too large.
_REFUSALS = (RocksteadyError, TypeError, OverflowError)


def ask(
    core: Callable[..., _Answer | None], mirror: Callable[..., _Answer], arguments: tuple[Any, ...], *others: Any
) -> _Answer:
    """The answer of the core, or else of the mirror.

    Parameters
    ----------
    core : callable
        ``core(*arguments)`` raises where the core refuses, and is None where scikit-learn looks closer than the core.
    mirror : callable
        ``mirror(*arguments, *others)`` raises what scikit-learn raises, or gives an answer of the same form.
    arguments : tuple
        What the core reads.
    *others
        What only scikit-learn's checks read.

    Examples
    --------
    >>> ask(lambda x: None if x < 0 else x**0.5, lambda x, name: f"{name} of {x}", (-4.0,), "root")
    'root of -4.0'
    """
    try:
        answer = core(*arguments)
    except _REFUSALS:
        answer = None
    if answer is not None:
        return answer
    # A memoryview of two dimensions gives no rows, and one of text no values.
    arguments = tuple(np.asarray(value) if isinstance(value, memoryview) else value for value in arguments)
    try:
        return mirror(*arguments, *others)
    except TypeError as error:
        if isinstance(error, RocksteadyError):
            raise
        raise InputTypeError(str(error)) from error  # numpy's refusal of a dtype

"""Columns by the names of models: how several columns are told apart, and what refusals call them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import shown, wrong_value
from rocksteady.base.containers import headings_of, is_matrix, opened_matrix, shape_of
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

#: What the only model is called unless it has a name.
ONE: Final = "model"
#: How far from 1 the two probabilities of a row may add up.
SUM_OF_ONE: Final = 1e-6


def by_name(given: Any, argument: str, names: list[str] | None, *, each: int = 1) -> dict[str, Any]:
    """Columns, or with `each` 2 matrices, by the names of their models."""
    if given is None:
        return {}
    headings = list(given) if isinstance(given, Mapping) else headings_of(given) if each == 1 else None
    if headings is not None:
        return _named(given, headings, argument, names)
    dimensions = len(shape_of(given))
    if dimensions <= each:
        return {_only(names, argument): given}
    if each == 2:
        raise InputError(
            f"y_proba has {dimensions} dimensions; expected 2, or a mapping from names to arrays of 2",
            argument=argument,
        )
    matrix = opened_matrix(given, argument)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError(f"{argument} has shape {matrix.shape}; expected (n,) or (n, m)", argument=argument)
    models = matrix.shape[1]
    called = [ONE] if models == 1 else [f"{ONE} {place + 1}" for place in range(models)]
    if names is not None:
        if len(names) != models:
            raise wrong_value(names, "names", f"{models} names, one for each column of {argument}")
        called = names
    return {name: matrix[:, place] for place, name in enumerate(called)}


def of_one_classifier(given: Any) -> bool:
    """Whether an unnamed matrix has the probabilities of two classes: two columns whose rows add up to 1."""
    if given is None or isinstance(given, Mapping) or headings_of(given) is not None or not is_matrix(given):
        return False
    matrix = opened_matrix(given, "y_score")
    if matrix.ndim != 2 or matrix.shape[1] != 2 or not len(matrix) or matrix.dtype.kind != "f":
        return False
    return add_up_to_one(matrix)


def add_up_to_one(matrix: NDArray[Any]) -> bool:
    """Whether the rows of a matrix of numbers add up to 1, where they have no gap; one row at least has none."""
    if matrix.dtype.kind not in "fiub":
        return False
    most = SUM_OF_ONE if matrix.dtype.kind != "f" else max(SUM_OF_ONE, 2 * float(np.finfo(matrix.dtype).eps))
    # In chunks: the first one tells most other matrices apart.
    starts = range(0, len(matrix), 65_536)
    sums = (matrix[start : start + 65_536].astype(np.float64).sum(axis=1) for start in starts)
    seen = False
    for chunk in sums:
        known = chunk[~np.isnan(chunk)]
        if (abs(known - 1.0) > most).any():
            return False
        seen = seen or len(known) > 0
    return seen


def _named(given: Any, headings: list[Any], argument: str, names: list[str] | None) -> dict[str, Any]:
    if names is not None:
        raise wrong_value(names, "names", f"None, as {argument} names the models itself")
    for name in headings:
        if not isinstance(name, str):
            raise InputTypeError(
                f"{argument} has a column for {shown(name)}; expected columns by the names of models, which are "
                "strings",
                argument=argument,
            )
        if headings.count(name) > 1:
            raise InputError(f"{argument} has two columns {shown(name)}; expected one of each model", argument=argument)
    return {name: given[name] for name in headings}


def _only(names: list[str] | None, argument: str) -> str:
    if names is None:
        return ONE
    if len(names) != 1:
        raise wrong_value(names, "names", f"one name, as {argument} is of one model")
    return names[0]


@contextmanager
def refused_as(counted: str, said: str) -> Iterator[None]:
    """Refusals of an argument of a statistic as those of what the user gave for it."""
    try:
        yield
    except (InputError, InputTypeError) as error:
        if error.argument != counted or said == counted:
            raise
        raise type(error)(
            str(error).replace(counted, said, 1),
            argument=said.partition("[")[0],
            row=error.row,
            value=error.value,
            expected=error.expected,
        ) from None

"""The rows and columns of a listing of several models."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.models.model import Model
    from rocksteady.registry.selection import Names


def chosen_of(models: Sequence[Model], names: Names | Sequence[str] | None) -> list[str]:
    """Names of indices, each of which a model has; what none has is refused with a reason where it was named."""
    found = models[0]._chosen(names)
    had = [name for name in found if any(model.has(name) for model in models)]
    if names is not None and not isinstance(names, str) and len(had) < len(found):
        models[0].value(next(name for name in found if name not in had))
    return had


def headings_of(models: Sequence[Model], level: float | None) -> list[str]:
    """The heads of a summary, with those of bounds if there is a level."""
    heads = [model.name for model in models] if len(models) > 1 else ["value"]
    if level is None:
        return heads
    own = [f"{model.name} " if len(models) > 1 else "" for model in models]
    return [each for name, of in zip(heads, own, strict=True) for each in (name, f"{of}low", f"{of}high")]


def with_bounds(models: Sequence[Model], name: str, values: Sequence[Any], level: float | None) -> list[Any]:
    """The values of an index, each with its bounds if there is a level; None where there are none."""
    if level is None:
        return list(values)
    cells: list[Any] = []
    for model, value in zip(models, values, strict=True):
        found = model._intervals([name], level=level).get(name)
        if found is None or math.isnan(found.low):
            cells += [value, None, None]
        else:
            cells += [value, float(found.low), float(found.high)]
    return cells

"""Weights that give classes other shares of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.base.arguments import real, shown, wrong_value
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARE = "a number above 0 and below 1"


def share(value: object, argument: str) -> float:
    """Read a share of the rows that is neither none nor all."""
    number = real(value, argument, SHARE)
    if not 0 < number < 1:
        raise wrong_value(value, argument, SHARE)
    return number


def weights_at(shares: Sequence[float], rows: Sequence[float], labels: Sequence[Any]) -> list[float]:
    """The weight of a row of each class with which the classes have these shares, and weigh as much as all rows."""
    total = sum(rows)
    for wanted, here, label in zip(shares, rows, labels, strict=True):
        if wanted and not here:
            of = "one of both classes" if label is None else f"class {shown(label)}"
            raise InputError(f"there are no rows of {of}, so no weight gives it a share of the rows")
    return [wanted * total / here if here else 1.0 for wanted, here in zip(shares, rows, strict=True)]


def already_weighed() -> InputError:
    """What is raised for rows that have weights."""
    return InputError(
        "the rows have weights already; expected rows without. Pass sample_weight= where they are counted, times the wanted "
        'share / the share here of each class, with weight_kind="sampling"',
        argument="prevalence",
    )

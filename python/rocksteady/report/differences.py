"""Differences between models on the same rows, with a plain verdict; for evaluations made with ``inference=True``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from rocksteady.errors import RocksteadyError
from rocksteady.inference.difference import p_text
from rocksteady.registry.registry import index
from rocksteady.report.elements import swatch, table, title_of
from rocksteady.report.text import decimal, label, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.inference.difference import Difference

# The indices for comparing models, as far as the evaluation has them.
_INDICES: Final = ("roc_auc", "mcc", "f1", "balanced_accuracy", "accuracy", "mean_cost")
_ABOUT: Final = (
    "How much higher the first model is than the second, on the same rows: the interval of a difference allows for how "
    "much the two agree. A difference that is not shown is no proof that the models are equal. Each test stands for "
    "itself; of many some are below 0.05 by chance alone. A threshold chosen on these rows makes its model look better."
)


def found_differences(
    evaluation: Evaluation, first: str, others: Iterable[str], names: Sequence[str] = _INDICES, level: float = 0.95
) -> dict[str, list[Difference]]:
    """The differences of one model from each other, by the name of the other, in the indices that have one."""
    found: dict[str, list[Difference]] = {}
    for other in others:
        for name in names:
            if name not in evaluation or (name == "mean_cost" and evaluation.costs is None):
                continue
            try:
                found.setdefault(other, []).append(evaluation.difference(name, first, other, level=level))
            except RocksteadyError:  # the class means of some indices have no difference
                continue
    return found


def verdict(found: Difference) -> str:
    """What an interval says of two models, in some words."""
    if math.isnan(found.low):
        return found.why or "no interval"
    if found.low <= 0 <= found.high:
        return "no difference shown"
    better = index(found.index).better
    winner = found.first if (found.estimate > 0) == (better != "lower") else found.second
    return f"{winner} is {'higher' if better == 'neither' else 'better'}"


def differences(evaluation: Evaluation, first: int) -> str:
    """The section: the best model against each other; nothing if the evaluation does not hold what it takes."""
    if evaluation.paired is None:
        return ""
    names = list(evaluation.models)
    best = names[first]
    parts = [f"<p>{_ABOUT}</p>"]
    for other, found in found_differences(evaluation, best, [name for name in names if name != best]).items():
        rows = [
            [
                f'{title_of(each.index)} <code class="key">{text(each.index)}</code>',
                decimal(each.estimate),
                "" if math.isnan(each.low) else f"{decimal(each.low)} to {decimal(each.high)}",
                "" if math.isnan(each.p_value) else text(p_text(each.p_value)),
                label(verdict(each)),
            ]
            for each in found
        ]
        level = 100 * found[0].level
        head = ["Index", "Difference", f"{level:g} % interval", "Test that they are equal", "Verdict"]
        names_of_both = f"{swatch(first)}{label(best)} less {swatch(names.index(other))}{label(other)}"
        told = table(f"Differences of {label(best)} and {label(other)}", head, rows, classes="stacks differences")
        parts.append(f"<h3>{names_of_both}</h3>{told}")
    return "".join(parts)

"""Differences between models on the same rows, with a plain verdict; for evaluations made with ``inference=True``."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import combinations
from typing import TYPE_CHECKING, Final

from rocksteady.base.arguments import printable
from rocksteady.charts.differences import ADJUSTED, MOST_ROWS, judged, usual
from rocksteady.errors import RocksteadyError
from rocksteady.inference.difference import p_text
from rocksteady.report.elements import about, swatch, table, title_of
from rocksteady.report.text import decimal, label, text

if TYPE_CHECKING:
    from rocksteady.charts.differences import Judged
    from rocksteady.comparison.leaderboard import Leaderboard
    from rocksteady.evaluation.evaluation import Evaluation

_ABOUT: Final = (
    "How much higher the first model is than the second, on the same rows: the interval of a difference allows for how "
    "much the two agree. A difference that is not shown is no proof that the models are equal. Of many indices some "
    "p-values are below 0.05 by chance alone. A threshold chosen on these rows makes its model look better."
)


def of_model(evaluation: Evaluation, first: str) -> dict[str, list[Judged]]:
    """The differences of one model from each other, by the name of the other; judged among those of all pairs."""
    found: dict[str, list[Judged]] = {}
    pairs = list(combinations(evaluation.models, 2))
    for row in judged(evaluation._comparison, usual(evaluation._first._has_costs or None), pairs):
        pair = row.found.first, row.found.second
        if first in pair:
            found.setdefault(pair[pair[0] == first], []).append(row if pair[0] == first else row.turned())
    return found


def is_compared(evaluation: Evaluation) -> bool:
    """Whether there are two models or more, and what their differences need."""
    return len(evaluation.models) > 1 and "difference" not in evaluation._lacks


def board_of(evaluation: Evaluation) -> Leaderboard | None:
    """The ranks of three models or more, by the first of the common indices that they have."""
    if len(evaluation.models) > 2 and "leaderboard" not in evaluation._lacks:
        for name in usual(evaluation._first._has_costs or None):
            with suppress(RocksteadyError):
                return evaluation.leaderboard(name)
    return None


def _undecided(board: Leaderboard | None) -> str:
    """The undecided pairs, with how many rows more would decide each; those that need the fewest first."""
    if board is None or not board.undecided:
        return ""
    pairs = board.pairs.to_dict()
    columns = (pairs[name] for name in ("first", "second", "difference", "better", "more_rows", "more_rows_low"))
    found = [cells for cells in zip(*columns, strict=True) if cells[3] is None and not math.isnan(cells[4])]
    found.sort(key=lambda cells: cells[4])
    rows = [
        [label(first), label(second), decimal(apart), _rows(more), _rows(least)]
        for first, second, apart, _, more, least in found[:MOST_ROWS]
    ]
    percent = f"{100 * board.power:g} %"
    said = (
        f"Rows more, like these, that would decide a pair with a probability of {percent}, if the true difference is the one "
        "here, and at least so many if it is as large as its interval allows."
    )
    head = ["First", "Second", f"Difference of {text(board.index)}", "Rows more", "At least"]
    return f"<h3>Undecided pairs</h3>{about(said)}{table('Undecided pairs', head, rows, classes='stacks differences')}"


def _rows(number: float) -> str:
    return "no number" if math.isinf(number) else f"{number:,}"


def differences(evaluation: Evaluation, first: int, charts: str) -> str:
    """The section: a forest plot, and the best model against each other; nothing if the evaluation has no differences."""
    if not is_compared(evaluation):
        return ""
    names = list(evaluation.models)
    best = names[first]
    is_several = len(names) > 2
    parts = [
        about(f"{_ABOUT} {ADJUSTED}" if is_several else _ABOUT),
        f'<div class="grid">{charts}</div>' if charts else "",
    ]
    parts.append(_undecided(board_of(evaluation)))
    for other, found in of_model(evaluation, best).items():
        rows = [
            [
                f'{title_of(each.index)} <code class="key">{text(each.index)}</code>',
                decimal(each.estimate),
                "" if math.isnan(each.low) else f"{decimal(each.low)} to {decimal(each.high)}",
                "" if math.isnan(row.p_value) else text(p_text(row.p_value)),
                text(printable(row.verdict, 400)),
            ]
            for row in found
            for each in [row.found]
        ]
        level = 100 * found[0].found.level
        test = f"Test that they are equal{', adjusted' if is_several else ''}"
        head = ["Index", "Difference", f"{level:g} % interval", test, "Verdict"]
        names_of_both = f"{swatch(first)}{label(best)} less {swatch(names.index(other))}{label(other)}"
        told = table(f"Differences of {label(best)} and {label(other)}", head, rows, classes="stacks differences")
        parts.append(f"<h3>{names_of_both}</h3>{told}")
    return "".join(parts)

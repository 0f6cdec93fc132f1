"""The ranks that models may have, as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady.base.table import number
from rocksteady.charts.chart import Axis, Chart, Series
from rocksteady.charts.differences import MOST_ROWS, UPRIGHT, cut
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from rocksteady.comparison.leaderboard import Leaderboard

_RANK: Final = Axis("Rank")
_MODELS: Final = Axis("Models, best first")
_TICKS: Final = 12


def leaderboard_chart(board: Leaderboard) -> Chart:
    """A row for each model, best first: its place, and the ranks that it may have."""
    shown = min(len(board), MOST_ROWS)
    title = index(board.index).title.partition(" (")[0]
    ranks = f"ranks that it may have ({100 * board.level:g} %)"
    places = np.arange(shown - 1, -1, -1, dtype=np.float64)
    ends = np.column_stack([board.rank_low, board.rank_high])[:shown].astype(np.float64)
    names = [cut(name) for name in board.model[:shown].tolist()]
    values = [number(value, 4) for value in board.value[:shown].tolist()]
    greatest = max(float(ends.max()), 2.0)
    step = -(-int(greatest) // _TICKS)
    about = (
        "Each dot is the place of a model on these rows. Its line spans the ranks that it may have: models whose lines do "
        f"not overlap are in this order for certain. {board.verdict}"
    )
    if shown < len(board):
        about += f" Of {len(board):,} models the best {shown} are shown."
    series = (
        # One series for each line: Chart.js expects the x of a line to ascend.
        *(
            Series(ranks, ends[at], np.full(2, places[at]), 0, "line", 0, entry="" if at else None, dashes=())
            for at in range(shown)
        ),
        Series("place on these rows", np.arange(1.0, shown + 1), places, 0, "points", 0, labels=tuple(names)),
    )
    return Chart(
        "leaderboard",
        f"{title}: ranks that chance allows",
        about,
        _RANK.label,
        _MODELS.label,
        series,
        (0.5, greatest + 0.5),
        (-0.7, shown - 0.3),
        x_ticks=tuple((float(rank), str(rank)) for rank in range(1, int(greatest) + 1, step)),
        y_ticks=tuple(
            (place, f"{name}\n{value}") for place, name, value in zip(places.tolist(), names, values, strict=True)
        ),
        tall=max(1.0, shown / UPRIGHT),
    )

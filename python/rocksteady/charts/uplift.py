"""What a treatment adds among the rows with the highest scores: Qini, uplift and targeting operator curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rocksteady.base.arguments import wrong_type
from rocksteady.charts.chart import SELECTED, UNIT, Axis, Chart, Series, ends, reference
from rocksteady.scores.treatment import UpliftCurve

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocksteady.charts.chart import Reals

#: Of more points some are drawn, at equal distances on the axis.
MAX_POINTS: Final = 1000
#: The first few rows vary too much to set the axis.
_FIRST: Final = 0.02


class Kind(NamedTuple):
    """One of the three curves: its words, its values, and the area in the legend."""

    title: str
    about: str
    axis: Axis
    values: Callable[[UpliftCurve], Reals]
    area: str
    symbol: str


_LEFT: Final = " At the left the curve rests on few rows, so it is noisy."
KINDS: Final = {
    "qini": Kind(
        "Qini curve",
        "The outcomes that the treatment added among the treated rows with the highest scores. The farther above the dashed "
        "line, an order at random, the better.",
        Axis("Outcomes added among the treated"),
        lambda curve: curve.qini,
        "qini_coefficient",
        "Qini",
    ),
    "uplift": Kind(
        "Uplift curve",
        "The outcomes that treating all of the rows with the highest scores adds. The farther above the dashed line, an order "
        "at random, the better.",
        Axis("Outcomes added if all are treated"),
        lambda curve: curve.uplift,
        "auuc",
        "AUUC",
    ),
    "toc": Kind(
        "Targeting operator characteristic",
        "How much greater the effect is among the rows with the highest scores than among all. Above the dashed line, an order "
        "at random, the scores find those whom the treatment helps." + _LEFT,
        Axis("Effect less the average effect"),
        lambda curve: curve.effect - curve.effect[-1],
        "autoc",
        "AUTOC",
    ),
}


def curves_of(curves: Any) -> dict[str | None, UpliftCurve]:
    """One curve without a name, or several by name."""
    found = dict(curves) if isinstance(curves, Mapping) else {None: curves}
    expected = "an UpliftCurve, as rocksteady.scores.uplift gives, or a mapping from names to such"
    if not found or not all(isinstance(curve, UpliftCurve) for curve in found.values()):
        raise wrong_type(curves, "curves", expected)
    return {None if name is None else str(name): curve for name, curve in found.items()}


def uplift_chart(curves: Mapping[str | None, UpliftCurve], kind: str) -> Chart:
    """One of the `KINDS` of curves of some models, over the share of the rows."""
    drawn = KINDS[kind]
    series, chords = [], {}
    for place, (name, curve) in enumerate(curves.items()):
        x, y = _points(curve, drawn)
        number = f"{drawn.symbol} = {getattr(curve, drawn.area):.3f}"
        series.append(Series(f"{name} ({number})" if name else number, x, y, place, "line", place))
        end = 0.0 if kind == "toc" else float(y[-1])
        chords[end] = reference("chance", UNIT, [0.0, end])
    y_range = _widened([line.y[line.x >= _FIRST] for line in series], chords)
    return Chart(
        f"uplift_{kind}",
        drawn.title,
        drawn.about,
        SELECTED.label,
        drawn.axis.label,
        (*series, *chords.values()),
        UNIT,
        y_range,
        percent="x",
    )


def _points(curve: UpliftCurve, drawn: Kind) -> tuple[Reals, Reals]:
    rows = curve.treated + curve.control
    x, y = rows / rows[-1], drawn.values(curve)
    if len(x) > MAX_POINTS:
        places = np.unique(np.searchsorted(x, np.linspace(0, 1, MAX_POINTS)))
        x, y = x[places], y[places]
    return x, y


def _widened(columns: list[Reals], chords: Mapping[float, Series]) -> tuple[float, float]:
    low, high = ends(columns, [0.0, *chords])
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room

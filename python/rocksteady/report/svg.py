"""Charts as pictures: static SVG, for print and for readers without scripts.

Colours are CSS variables of the page, with the colours of a white page as defaults: ``--series-0`` to
``--series-5``, ``--series-reference``, ``--chart-text``, ``--chart-axis`` and ``--chart-grid``. All text is escaped,
and no element has an id, so that any number of pictures can stand on one page.
"""

from __future__ import annotations

import math
import re
from html import escape as html_escape
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

import numpy as np

from rocksteady.charts.chart import within
from rocksteady.charts.palette import BAND, COLOURS, tint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from rocksteady.charts.chart import Chart, Series
    from rocksteady.charts.scale import Stretch

    Reals = NDArray[np.float64]
    Scale = Callable[[Reals], Reals]
    Box = tuple[float, float, float, float]  # left, right, top, bottom

_TEXT: Final = "var(--chart-text, #222222)"
_AXIS: Final = "var(--chart-axis, #767676)"
_GRID: Final = "var(--chart-grid, #dddddd)"

_WIDTH: Final = 640.0
_HEIGHT: Final = 360.0  # of the plot with its axes; the legend comes below
_FONT: Final = 12.0
_LINE: Final = 18.0  # from one line of text to the next
_DENSE: Final = 14.0  # likewise of a tick
_STROKE: Final = 1.75
_FAINT: Final = 1.0
_EDGE: Final = 5.0  # a line or a marker may exceed the axes by this much
_DIRECT: Final = 8  # the most points of a series that are named beside them


def ticks(low: float, high: float, most: int = 6) -> list[tuple[float, str]]:
    """Round numbers on an axis, at equal distances, and how they are written.

    >>> ticks(0.0, 1.0)
    [(0.0, '0'), (0.2, '0.2'), (0.4, '0.4'), (0.6, '0.6'), (0.8, '0.8'), (1.0, '1')]
    >>> [text for _, text in ticks(-1.5, 12_000.0)]
    ['0', '2,500', '5,000', '7,500', '10,000']
    """
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return []
    least = (high - low) / most
    power = 10.0 ** math.floor(math.log10(least))
    step = next(
        (factor * power for factor in (1.0, 2.0, 2.5, 5.0) if factor * power >= least * (1 - 1e-9)), 10.0 * power
    )
    slack = 1e-9 * (high - low)
    first, last = math.ceil((low - slack) / step), math.floor((high + slack) / step)
    places = [float(f"{place * step:.15g}") for place in range(first, last + 1)]
    return [(place, _written(place, step)) for place in places]


def _written(value: float, step: float) -> str:
    if value == 0:
        return "0"
    if abs(value) >= 1e7 or step < 1e-4:
        digits = math.ceil(math.log10(abs(value) / step)) + 2  # enough digits to tell it from the next
        return f"{value:.{min(max(digits, 6), 17)}g}"
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def width_of(text: str) -> float:
    """About how wide a text is, in pixels, in whatever sans-serif there is.

    >>> width_of("iii") < width_of("WWW") < width_of("漢漢漢")
    True
    """
    wide = sum(
        1.0
        if east_asian_width(sign) in "WF"
        else 0.3
        if sign in "iljtf.,:;'|! "
        else 0.85
        if sign in "mwMW@%+<=>~"
        else 0.58
        for sign in text
    )
    return wide * _FONT


def escape(text: str) -> str:
    """Escape text for XML. Unprintable characters, which XML may refuse, become the replacement character."""
    return html_escape("".join(sign if sign.isprintable() else "\ufffd" for sign in text))


def _short(text: str, width: float) -> str:
    """A text of at most this width, cut if need be."""
    if width_of(text) <= width:
        return text
    while text and width_of(f"{text}…") > width:
        text = text[:-1]
    return f"{text}…"


def _label(x: float, y: float, text: str, *, anchor: str = "start", turn: float = 0.0) -> str:
    turned = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
    anchored = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{anchored}{turned}>{escape(text)}</text>'


def _document(width: float, height: float, title: str, about: str, parts: Iterable[str]) -> str:
    name = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'role="img" aria-label="{name}" font-family="system-ui, sans-serif" font-size="{_FONT:g}" fill="{_TEXT}">'
        f"<title>{name}</title><desc>{escape(about)}</desc>{''.join(parts)}</svg>"
    )


def _colour(series: Series) -> str:
    place = "reference" if series.style is None else series.style % COLOURS
    return f"var(--series-{place}, {series.look.light})"


def svg(chart: Chart) -> str:
    """A chart as a picture.

    Returns
    -------
    str
        One ``<svg>`` element, well-formed XML, with title and description for screen readers.
    """
    x_ticks = within(chart.x_ticks, chart.x_range) or ticks(*chart.x_range)
    y_ticks = within(chart.y_ticks, chart.y_range) or ticks(*chart.y_range)
    left = _LINE + 12.0 + max((width_of(line) for _, text in y_ticks for line in text.split("\n")), default=0.0)
    right = _WIDTH - max(20.0, *(width_of(text) / 2 + 2.0 for _, text in x_ticks[-1:]))
    high = _HEIGHT * chart.tall
    top, bottom = 12.0, high - 2 * _LINE - 6.0
    across = _scale(chart.x_range, left, right, chart.x_scale)
    along = _scale(chart.y_range, bottom, top, chart.y_scale)
    shown = [series for series in chart.series if series.style is None or not series.is_extra]
    drawn = sorted(shown, key=lambda series: (series.kind != "band", series.style is not None))
    size = (right - left + 2 * _EDGE, bottom - top + 2 * _EDGE)
    corner = f"{left - _EDGE:.1f} {top - _EDGE:.1f} {size[0]:.1f} {size[1]:.1f}"
    x, y, width, height = corner.split()
    turned = _are_turned(across, x_ticks)
    below = 0.5 * max(width_of(text) for _, text in x_ticks) if turned else 0.0
    legend, depth = _legend(chart, left, high + below + 6.0)
    parts = [
        _axes(chart, x_ticks, y_ticks, across, along, (left, right, top, bottom), below),
        # The inner picture clips the part beyond the axes.
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{corner}">',
        *(_drawn(series, chart, across, along) for series in drawn),
        # Points whose names are along the axis need no name beside them.
        *(() if chart.y_ticks else _direct(chart.series, across, along, (left, right, top, bottom))),
        "</svg>",
        legend,
    ]
    return _document(_WIDTH, high + depth, chart.title, chart.about, parts)


def _scale(ends: tuple[float, float], low: float, high: float, stretch: Stretch | None) -> Scale:
    """From numbers to pixels; far values stay near enough to be written."""

    def places(values: Reals) -> Reals:
        return np.asarray(values, dtype=np.float64) if stretch is None else stretch.places(values)

    first, last = places(np.array(ends)).tolist()
    span = (last - first) or 1.0

    def scale(values: Reals) -> Reals:
        with np.errstate(over="ignore"):  # infinitely far values count as far
            found: Reals = np.clip(low + (places(values) - first) / span * (high - low), -1e4, 1e4)
            return found

    return scale


def _are_turned(across: Scale, x_ticks: Sequence[tuple[float, str]]) -> bool:
    """Whether names along the x axis are too long to stand side by side; numbers are left out instead."""
    places = across(np.array([place for place, _ in x_ticks])).tolist()
    wide = [width_of(text) for _, text in x_ticks]
    fits = all(b - a > (v + w) / 2 + 4.0 for a, b, v, w in zip(places, places[1:], wide, wide[1:], strict=False))
    return not fits and any(not _is_number(text) for _, text in x_ticks)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-−\d.,e+%]+", text) is not None


def _axes(
    chart: Chart,
    x_ticks: Sequence[tuple[float, str]],
    y_ticks: Sequence[tuple[float, str]],
    across: Scale,
    along: Scale,
    box: Box,
    below: float,
) -> str:
    left, right, top, bottom = box
    x_places = across(np.array([place for place, _ in x_ticks])).tolist()
    y_places = along(np.array([place for place, _ in y_ticks])).tolist()
    grid = "".join(f"M{x:.1f} {top:.1f}V{bottom:.1f}" for x in x_places)
    grid += "".join(f"M{left:.1f} {y:.1f}H{right:.1f}" for y in y_places)
    parts = [
        f'<path d="{grid}" stroke="{_GRID}" fill="none"/>',
        f'<path d="M{left:.1f} {top:.1f}V{bottom:.1f}H{right:.1f}" stroke="{_AXIS}" fill="none"/>',
    ]
    end = -math.inf
    for x, (_, text) in zip(x_places, x_ticks, strict=True):
        half = width_of(text) / 2
        if below:
            parts.append(_label(x + 4.0, bottom + _LINE - 4.0, text, anchor="end", turn=-30))
        elif x - half > end:
            parts.append(_label(x, bottom + _LINE, text, anchor="middle"))
            end = x + half + 4.0
    for y, (_, text) in zip(y_places, y_ticks, strict=True):
        told = text.split("\n")
        above = y + 4.0 - (len(told) - 1) * _DENSE / 2
        parts += [_label(left - 6.0, above + place * _DENSE, line, anchor="end") for place, line in enumerate(told)]
    parts.append(_label((left + right) / 2, bottom + 2 * _LINE + below, chart.x_label, anchor="middle"))
    middle = (top + bottom) / 2
    parts.append(_label(_FONT + 2.0, middle, chart.y_label, anchor="middle", turn=-90))
    return "".join(parts)


def _drawn(series: Series, chart: Chart, across: Scale, along: Scale) -> str:
    if series.kind == "bars":
        return _bars(series, chart, across, along)
    x, y = across(series.x), along(series.y)
    colour = _colour(series)
    if series.kind == "band" and series.base is not None:
        edge = zip(np.append(x, x[::-1]).tolist(), np.append(y, along(series.base)[::-1]).tolist(), strict=True)
        path = "L".join(f"{across:.1f} {along:.1f}" for across, along in edge)
        return f'<path d="M{path}z" fill="{colour}" fill-opacity="{BAND:g}"/>'
    if series.kind == "points":
        marks = "".join(_marker(series.look.marker, *point) for point in zip(x.tolist(), y.tolist(), strict=True))
        faint = ' fill-opacity="0.7"' if len(x) > 20 else ""
        return f'<path d="{marks}" fill="{colour}" stroke="{colour}"{faint}/>'
    path = _steps(x, y) if series.kind == "step" else _polyline(x, y)
    return f'<path d="{path}" fill="none" stroke="{colour}"{_stroke(series)} stroke-linejoin="round"/>'


def _stroke(series: Series) -> str:
    """The width of a line, and its dashes."""
    width = _FAINT if series.is_faint else _STROKE
    lengths = ",".join(f"{length * width:g}" for length in series.look.dashes)
    return f' stroke-width="{width:g}"' + (f' stroke-dasharray="{lengths}"' if lengths else "")


def _polyline(x: Reals, y: Reals) -> str:
    """Straight lines; a gap where there is no number."""
    parts: list[str] = []
    before = ""
    for across, along in zip(x.tolist(), y.tolist(), strict=True):
        if across != across or along != along:
            before = ""
            continue
        here = f"{across:.1f} {along:.1f}"
        if here != before:
            parts.append(f"L{here}" if before else f"M{here}")
        before = here
    return "".join(parts)


def _steps(x: Reals, y: Reals) -> str:
    """Steps that keep y from the x before up to their own x."""
    points = [(f"{a:.1f}", f"{b:.1f}") for a, b in zip(x.tolist(), y.tolist(), strict=True) if a == a and b == b]
    if not points:
        return ""
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for before, here in pairwise(points):
        if here[1] != before[1]:
            parts.append(f"V{here[1]}")
        if here[0] != before[0]:
            parts.append(f"H{here[0]}")
    return "".join(parts)


# Paths around 0, 0 by matplotlib's names of markers.
_MARKERS: Final = {
    "o": "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "s": "m-3.5 -3.5h7v7h-7z",
    "^": "m0 -4.5l4.5 8h-9z",
    "D": "m0 -5l5 5l-5 5l-5 -5z",
    "v": "m0 4.5l4.5 -8h-9z",
    "P": "m-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
}


def _marker(name: str, x: float, y: float) -> str:
    return f"M{x:.1f} {y:.1f}{_MARKERS.get(name, _MARKERS['o'])}"


def _bars(series: Series, chart: Chart, across: Scale, along: Scale) -> str:
    """Bars of several models share their place side by side; bars of one model overlap."""
    bars = [other for other in chart.series if other.kind == "bars"]
    models = list(dict.fromkeys(other.model for other in bars))
    x = across(series.x)
    room = 0.92 * (float(x[1] - x[0]) if len(x) > 1 else 40.0)
    colour = _colour(series)
    if series.base is not None:
        room *= 0.85
        spans = zip(x.tolist(), along(series.base).tolist(), along(series.y).tolist(), strict=True)
        path = "".join(
            f"M{middle - room / 2:.1f} {ground:.1f}V{top:.1f}h{room:.1f}V{ground:.1f}z"
            for middle, ground, top in spans
            if abs(top - ground) >= 0.05
        )
        return f'<path d="{path}" fill="{colour}" fill-opacity="{tint(series.style):g}"/>'
    wide = room / len(models)
    offset = models.index(series.model) * wide - room / 2
    ground = float(along(np.zeros(1))[0])
    path = "".join(
        f"M{middle + offset:.1f} {ground:.1f}V{top:.1f}h{wide:.1f}V{ground:.1f}z"
        for middle, top in zip(x.tolist(), along(series.y).tolist(), strict=True)
        if abs(top - ground) >= 0.05
    )
    faint = ' fill-opacity="0.55"' if len(bars) > len(models) else ""
    return f'<path d="{path}" fill="{colour}"{faint} stroke="{colour}" stroke-width="0.75"/>'


def _direct(series: Sequence[Series], across: Scale, along: Scale, box: Box) -> Iterator[str]:
    """The names of the first points of each series beside them, if there is space."""
    left, right, top, bottom = box
    named = [
        (line, across(line.x).tolist(), along(line.y).tolist())
        for line in series
        if line.labels and line.kind == "points"
    ]
    taken: list[Box] = [(x - 3, x + 3, y - 3, y + 3) for _, xs, ys in named for x, y in zip(xs, ys, strict=True)]
    for line, xs, ys in named:
        for text, x, y in zip(line.labels[:_DIRECT], xs, ys, strict=False):
            shown = _short(text, 120.0)
            wide = width_of(shown)
            for start, base in ((x + 7, y + 4), (x - 7 - wide, y + 4), (x - wide / 2, y - 8), (x - wide / 2, y + 17)):
                spot = (start, start + wide, base - 9.0, base + 2.0)
                inside = spot[0] >= left and spot[1] <= right and spot[2] >= top and spot[3] <= bottom
                if inside and not any(_overlap(spot, other) for other in taken):
                    taken.append(spot)
                    yield _label(start, base, shown)
                    break


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _legend(chart: Chart, left: float, top: float) -> tuple[str, float]:
    """The legend in lines below the plot, and its height."""
    parts: list[str] = []
    x, y = left, top + _FONT
    for name, lines in chart.legend.items():
        shown = _short(name, _WIDTH - left - 60.0)
        wide = 32.0 + width_of(shown) + 18.0
        if x > left and x + wide > _WIDTH:
            x, y = left, y + _LINE
        parts += [_sample(line, x, y - 4.0) for line in lines]
        parts.append(_label(x + 32.0, y, shown))
        x += wide
    return "".join(parts), y - _HEIGHT * chart.tall + 8.0


def _sample(series: Series, x: float, y: float) -> str:
    colour = _colour(series)
    if series.kind == "bars":
        opaque = 0.7 if series.base is None else tint(series.style)
        return f'<path d="M{x + 8:.1f} {y - 5:.1f}h12v10h-12z" fill="{colour}" fill-opacity="{opaque:g}"/>'
    if series.kind == "band":
        return f'<path d="M{x:.1f} {y - 5:.1f}h26v10h-26z" fill="{colour}" fill-opacity="{BAND:g}"/>'
    if series.kind == "points":
        return f'<path d="{_marker(series.look.marker, x + 13, y)}" fill="{colour}"/>'
    return f'<path d="M{x:.1f} {y:.1f}h26" stroke="{colour}"{_stroke(series)} fill="none"/>'

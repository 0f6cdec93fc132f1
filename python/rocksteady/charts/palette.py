"""Colours and dashes of models, which every drawing shares: displays, pictures of the report, and its page.

The hues come from Okabe and Ito 2008, Color Universal Design (https://jfly.uni-koeln.de/color/). Each is dark or light
enough to stand out from the page, and from the others for people with any common kind of colour blindness. So on a
white page orange is a brown and the second blue a navy, as otherwise each would look like its neighbour in hue. Colour
is never the only difference: models have dashes of their own, too.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Style(NamedTuple):
    """How one model is drawn.

    Attributes
    ----------
    light, dark : str
        The colour on a white and on a dark page, ``#rrggbb``.
    dashes : tuple of float
        Lengths of strokes and gaps in multiples of the line's width; none is an unbroken line.
    marker : str
        matplotlib's name of the marker of single points.
    """

    light: str
    dark: str
    dashes: tuple[float, ...]
    marker: str


#: The number of colours.
COLOURS: Final = 6
_STYLES: Final = (
    Style("#0072b2", "#4aa8e0", (), "o"),
    Style("#d55e00", "#ff8c42", (6, 2), "s"),
    Style("#009e73", "#2fc79a", (2, 1.5), "^"),
    Style("#b5568f", "#e08fc0", (6, 2, 1.5, 2), "D"),
    Style("#6b4200", "#f0e442", (10, 3), "v"),
    Style("#1c2f70", "#a8e4ff", (1, 1.5), "P"),
)
# Models beyond the number of colours have other dashes: without colour only dashes tell lines apart.
_MORE_DASHES: Final = ((4, 4), (8, 2, 1, 2, 1, 2), (1, 3), (14, 2), (4, 1, 4, 5), (2, 1, 2, 4))
_ALL: Final = _STYLES + tuple(old._replace(dashes=new) for old, new in zip(_STYLES, _MORE_DASHES, strict=True))

#: The places of the averages over classes, which are drawn beside the classes.
MACRO: Final = -1
MICRO: Final = -2
TOP_LABEL: Final = -3
_WHOLE: Final = Style("#222222", "#eeeeee", (), "")
_AVERAGES: Final = {MACRO: _WHOLE, MICRO: Style("#222222", "#eeeeee", (1, 1), ""), TOP_LABEL: _WHOLE}

#: Lines that are not models: the chance line, and the dashes of a perfect ranking.
REFERENCE: Final = Style("#767676", "#9a9a9a", (3, 3), "")
IDEAL: Final = (6, 2, 1.5, 2)


def style(place: int) -> Style:
    """The style of the model at a place, counted from 0, or of an average; the models' begin again after twelve.

    >>> style(0).light == style(6).light, style(0).dashes == style(6).dashes, style(0) == style(12)
    (True, False, True)
    """
    return _AVERAGES[place] if place < 0 else _ALL[place % len(_ALL)]


#: The opacity of a band.
BAND: Final = 0.16


def tint(place: int | None) -> float:
    """How opaque the fill of a stacked bar is: the second time round the colours are lighter.

    >>> tint(0), tint(6), tint(None)
    (0.85, 0.4, 0.6)
    """
    if place is None:
        return 0.6
    return 0.85 if place % (2 * COLOURS) < COLOURS else 0.4

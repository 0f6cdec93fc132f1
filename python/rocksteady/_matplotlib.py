"""What everything that draws with matplotlib shares: importing matplotlib late, and merging its properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.base.arguments import mapping, string
from rocksteady.errors import InputTypeError

if TYPE_CHECKING:
    from collections.abc import Mapping

# matplotlib's short names of properties, and what they stand for.
_LONG = {
    "aa": "antialiased",
    "c": "color",
    "ds": "drawstyle",
    "ec": "edgecolor",
    "family": "fontfamily",
    "fc": "facecolor",
    "font": "fontproperties",
    "ha": "horizontalalignment",
    "ls": "linestyle",
    "lw": "linewidth",
    "ma": "multialignment",
    "mec": "markeredgecolor",
    "mew": "markeredgewidth",
    "mfc": "markerfacecolor",
    "mfcalt": "markerfacecoloralt",
    "ms": "markersize",
    "name": "fontname",
    "size": "fontsize",
    "stretch": "fontstretch",
    "style": "fontstyle",
    "va": "verticalalignment",
    "variant": "fontvariant",
    "weight": "fontweight",
}


def pyplot(caller: str) -> Any:
    """``matplotlib.pyplot``.

    Raises
    ------
    ImportError
        If matplotlib is not installed; the message names `caller` and what to install.
    """
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415 (heavy, and only drawing needs it)
    except ImportError as missing:
        sentence = f"{caller} requires matplotlib. You can install matplotlib with `pip install matplotlib`"
        raise ImportError(sentence, name="matplotlib") from missing
    return plt


def properties(default: Mapping[str, Any], given: Mapping[str, Any] | None, argument: str = "kwargs") -> dict[str, Any]:
    """The properties of an artist: the default ones but for those given, by whichever of their names.

    Raises
    ------
    rocksteady.InputTypeError
        If a property is given by both of its names.

    >>> properties({"color": "k", "linestyle": "--"}, {"ls": ":"})
    {'color': 'k', 'linestyle': ':'}
    """
    given = mapping(given, argument, "a mapping from matplotlib's properties to values")
    for name in given:
        string(name, argument, "matplotlib's properties by name")
    for short, long in _LONG.items():
        if short in given and long in given:
            raise InputTypeError(f"Got both {short} and {long}, which are aliases of one another")
    return {**default, **{_LONG.get(name, name): value for name, value in given.items()}}


def unframe(axes: Any) -> None:
    """Takes the upper and the right edge away, and draws the others from 0 to 1 only."""
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    for edge in ("bottom", "left"):
        axes.spines[edge].set_bounds(0, 1)

"""Drawing on the axes of matplotlib, shared by all displays: colours, words and legends."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.charts.palette import Style

_MANY = 6  # longer legends are set smaller where they take space from the drawing
_BELOW = 78  # letters of a line of a legend below the axes
_COLUMN = 22  # lines of a legend beside the axes; longer ones have several columns


def tidy(axes: Any) -> None:
    """Takes the upper and the right edge away, and lays a faint grid below everything."""
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    axes.grid(visible=True, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


def hexadecimal(colour: Any) -> str:
    """A colour of matplotlib as ``#rrggbb``."""
    from matplotlib.colors import to_hex  # noqa: PLC0415 (who has axes has matplotlib)

    return str(to_hex(colour))


def legend_below(axes: Any, *, lower: float = 0.0) -> None:
    """Moves the legend of axes below them, where it lies on no curve; `lower` by some inches."""
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415 (who has axes has matplotlib)

    old = axes.get_legend()
    if old is None:
        return
    handles, words, title = (
        old.legend_handles,
        [text.get_text() for text in old.get_texts()],
        old.get_title().get_text(),
    )
    old.remove()
    columns = min(len(words), max(1, _BELOW // (max(map(len, words)) + 8)))
    # A fixed distance in inches below the words along the axis; a distance that depends on the height would not settle.
    words_along = ScaledTranslation(0, -0.42 - lower, axes.figure.dpi_scale_trans)
    drawn = axes.legend(
        handles,
        ["·"] * len(handles),
        loc="upper center",
        bbox_to_anchor=(0.5, -0.3 if axes.child_axes else 0.0),  # a calibration has axes of scores there
        bbox_transform=axes.transAxes + words_along,
        ncols=columns,
        fontsize="small",
        frameon=False,
        handlelength=3.2,
        title=title or None,
        title_fontsize="small",
    )
    for text, said in zip(drawn.get_texts(), words, strict=True):
        text.set_text(said)


def is_dark(axes: Any) -> bool:
    """Whether what is drawn on is darker than it is light."""
    from matplotlib.colors import to_rgba  # noqa: PLC0415 (who has axes has matplotlib)

    red, green, blue, opaque = to_rgba(axes.get_facecolor())
    return opaque > 0 and 0.299 * red + 0.587 * green + 0.114 * blue < 0.5


def percent(axis: Any) -> None:
    """Writes the shares of an axis as per cent."""
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415 (who has axes has matplotlib)

    axis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def ink(axes: Any, style: Style) -> dict[str, Any]:
    """The properties of a line of a style, on these axes."""
    return {
        "color": style.dark if is_dark(axes) else style.light,
        "linestyle": (0, style.dashes) if style.dashes else "-",
        "linewidth": 1.8,
    }


def escaped(words: object) -> str:
    r"""What matplotlib draws as `words`: between two dollars it would read a formula.

    >>> escaped("a$b$")
    'a\\$b\\$'
    """
    return str(words).replace("$", r"\$")


def unescaped(label: str) -> str:
    r"""What `escaped` was given.

    >>> unescaped(escaped("a$b$"))
    'a$b$'
    """
    return label.replace(r"\$", "$")


def wrapped(words: str, width: int = 40) -> str:
    r"""Lines that are no longer than `width`, with all of the words.

    >>> wrapped("x" * 50).count("\n"), wrapped("short")
    (1, 'short')
    """
    return "\n".join(part for line in words.splitlines() for part in wrap(line, width) or [line])


def say(axes: Any, words: str) -> Any:
    """Words in the middle of axes on which nothing else can be drawn."""
    middle = {"ha": "center", "va": "center", "transform": axes.transAxes, "bbox": _backing(axes)}
    return axes.text(0.5, 0.5, escaped(wrapped(words)), **middle)


def _backing(axes: Any) -> dict[str, Any]:
    """A background that keeps words readable on lines."""
    return {"facecolor": axes.get_facecolor(), "edgecolor": "none", "alpha": 0.85, "pad": 2.0}


def beside(axes: Any, x: float, y: float, words: str, *, to_right: bool) -> Any:
    """Words beside a point of the axes."""
    return axes.annotate(
        escaped(words),
        (x, y),
        xytext=(6 if to_right else -6, 0),
        textcoords="offset points",
        ha="left" if to_right else "right",
        va="center",
        bbox=_backing(axes),
        zorder=4,
    )


def legend(
    axes: Any,
    entries: Sequence[tuple[Any, str]],
    *,
    title: str | None = None,
    corner: str = "best",
    outside: bool = False,
) -> Any:
    """A legend of (artist, words) entries, whatever the words begin with; `outside` puts it right of the axes."""
    where: dict[str, Any] = {"loc": corner}
    if outside:
        height = sum(1 + words.count("\n") for _, words in entries)
        where = {
            "loc": "upper left",
            "bbox_to_anchor": (1.02, 1.0),
            "borderaxespad": 0.0,
            "ncols": -(-height // _COLUMN),
        }
    # matplotlib skips labels that begin with an underscore, so the words are set afterwards.
    handles = [handle for handle, _ in entries]
    if len(handles) > _MANY and not outside:
        where |= {"fontsize": "x-small", "labelspacing": 0.25}
    drawn = axes.legend(
        handles, ["·"] * len(handles), **{"fontsize": "small", "framealpha": 0.9, "handlelength": 3.2, **where}
    )
    for text, (_, words) in zip(drawn.get_texts(), entries, strict=True):
        text.set_text(escaped(words))
    if title is not None:
        drawn.set_title(escaped(wrapped(title)), prop={"size": "small"})
    return drawn

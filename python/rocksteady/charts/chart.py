"""A chart as data: axes and series of points, without pixels or fonts. Colours are places in the palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from rocksteady.base.table import one_line
from rocksteady.charts.palette import REFERENCE, style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.charts.palette import Style
    from rocksteady.charts.scale import Stretch

    Reals = NDArray[np.float64]
    Range = tuple[float, float]

Kind = Literal["line", "step", "points", "bars", "band"]

UNIT: Final = (0.0, 1.0)


@dataclass(frozen=True)
class Axis:
    """What an axis shows.

    Attributes
    ----------
    label : str
        The words along it.
    index : str
        The index, or result of a curve, that it shows; empty where it shows none.
    names_class : bool
        Whether a painter that names the positive class does it here.
    is_percent : bool
        Whether a painter with room for it writes per cent.
    """

    label: str
    index: str = ""
    names_class: bool = False
    is_percent: bool = False


# Axis titles that several charts share.
FPR: Final = Axis("False positive rate", "fpr")
TPR: Final = Axis("True positive rate", "tpr", names_class=True)
RECALL: Final = Axis("Recall", "recall", names_class=True)
PRECISION: Final = Axis("Precision", "precision")
SELECTED: Final = Axis("Share of rows selected, highest scores first", "rpp", is_percent=True)
THRESHOLD: Final = Axis("Threshold", "threshold")
ROWS: Final = Axis("Rows")
SHARE: Final = Axis("Share of the class")
PROBABILITY: Final = Axis("Mean predicted probability")
ACTUAL: Final = Axis("Actual")
PREDICTED: Final = Axis("Predicted")
INDEX: Final = Axis("Index")


@dataclass(frozen=True, eq=False)
class Series:
    """One line, cloud of points or row of bars.

    Attributes
    ----------
    name : str
        What it is. Series of one name in a chart are one thing, drawn in two ways: the legend has them once.
    x, y : numpy.ndarray of float64
        The points, of one length; where both are NaN the line has a gap. A reference without points stands in the
        legend only.
    model : int or None
        The place of the model that it belongs to; None for a line of reference: chance, a perfect ranking.
    kind : {"line", "step", "points", "bars", "band"}
        Straight lines between the points; steps, where y holds from the x before up to its own; points alone; bars
        from 0 to y, with x in the middle of bars of one width, at equal distances on the axis; or the area between
        `base` and y, beneath all lines. Bars of one model are drawn over one another, those of several side by side.
    style : int or None
        The place of its colour and dashes in `rocksteady.charts.palette`; None for those of a reference.
    thresholds : numpy.ndarray of float64 or None
        The threshold at each point, where points are of thresholds; ``inf`` where nothing is predicted positive.
    labels : tuple of str
        What each point is called, where they have names; else empty.
    entry : str or None
        What the legend says instead of the name; nothing if it is empty.
    dashes : tuple of float or None
        Its dashes, if they are not those of its style.
    is_faint : bool
        Whether it only accompanies another line, and is drawn thinner.
    edges : numpy.ndarray of float64 or None
        The edges of bars, one more than these.
    base : numpy.ndarray of float64 or None
        Where stacked bars begin, if that is not 0, and the lower edge of a band; y is where they end.
    part : int or None
        The place of the class that it is of, where a reader may choose the classes that are drawn.
    is_extra : bool
        Whether it is drawn only where a reader asks for it.
    """

    name: str
    x: Reals
    y: Reals
    model: int | None
    kind: Kind
    style: int | None
    thresholds: Reals | None = None
    labels: tuple[str, ...] = ()
    entry: str | None = None
    dashes: tuple[float, ...] | None = None
    is_faint: bool = False
    edges: Reals | None = None
    base: Reals | None = None
    part: int | None = None
    is_extra: bool = False

    @property
    def look(self) -> Style:
        """Its colour, dashes and marker."""
        found = REFERENCE if self.style is None else style(self.style)
        return found if self.dashes is None else found._replace(dashes=self.dashes)

    @property
    def legend(self) -> str:
        """What the legend says of it."""
        return self.name if self.entry is None else self.entry


@dataclass(frozen=True, eq=False)
class Chart:
    """What is drawn on one pair of axes.

    Attributes
    ----------
    key : str
        Letters, digits and ``_`` only; unique in a report.
    title : str
        What it is, in a few words.
    about : str
        The caption: what to look for, in a sentence or two; for a screen reader, too.
    x_label, y_label : str
        The words along the axes.
    series : tuple of Series
        In the order of the legend: models, then lines of reference, which are drawn beneath the others.
    x_range, y_range : tuple of (float, float)
        What the axes show; points may lie beyond.
    x_ticks, y_ticks : tuple of (float, str)
        Places on an axis and what stands there, where numbers of the axis itself would say nothing; mostly empty. Those
        outside the range are not drawn.
    follows : tuple of str
        What marks a threshold on it: two indices, its point; or "threshold", an upright line. Empty if nothing does.
    percent : str
        The axes, of "x" and "y", on which a painter with room for it writes per cent.
    is_square : bool
        Whether both axes are drawn at one length.
    x_scale, y_scale : Stretch or None
        How an axis is stretched; None for a linear one. Points, ranges and ticks are values, not places on the axis.
    tall : float
        How many times as high as others it is drawn: one with many rows of words needs more room.
    """

    key: str
    title: str
    about: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_range: Range
    y_range: Range
    x_ticks: tuple[tuple[float, str], ...] = ()
    y_ticks: tuple[tuple[float, str], ...] = ()
    follows: tuple[str, ...] = ()
    percent: str = ""
    is_square: bool = False
    x_scale: Stretch | None = None
    y_scale: Stretch | None = None
    tall: float = 1.0

    @property
    def legend(self) -> dict[str, list[Series]]:
        """The entries of the legend, in order, with the series of each."""
        found: dict[str, list[Series]] = {}
        for series in self.series:
            if series.legend:
                found.setdefault(series.legend, []).append(series)
        return found


def reference(name: str, x: ArrayLike, y: ArrayLike, *, kind: Kind = "line", **more: object) -> Series:
    """A line of reference, or what else is of no model."""
    return Series(name, np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64), None, kind, None, **more)  # type: ignore[arg-type]


def of_positive(pos_label: object) -> str:
    """What words along an axis say of the positive class; nothing if there is none.

    >>> of_positive("spam"), of_positive(None)
    (' (positive: spam)', '')
    """
    if pos_label is None:
        return ""
    name = one_line(pos_label)
    return f" (positive: {name if len(name) <= 30 else name[:29] + '…'})"


def ends(columns: Iterable[Reals], among: Sequence[float] = ()) -> Range:
    """The least and the greatest of all numbers in the columns, and of those beside them; NaN is none."""
    known = [np.asarray(among, dtype=np.float64), *(column[~np.isnan(column)] for column in columns)]
    together = np.concatenate(known)
    return (float(together.min()), float(together.max())) if len(together) else UNIT


def within(ticks: Iterable[tuple[float, str]], shown: Range) -> list[tuple[float, str]]:
    """The ticks that the axis has room for."""
    return [(place, words) for place, words in ticks if shown[0] <= place <= shown[1]]

"""What is drawn of an evaluation, said once: for the page, for its pictures in print, and for whoever draws them elsewhere.

A chart is data. It knows no colours but their places in `rocksteady.plot.palette`, no pixels and no fonts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rocksteady.evaluation import Evaluation

    Reals = NDArray[np.float64]

Kind = Literal["line", "step", "points", "bars"]

#: The keys of all charts, in the order in which they are shown. Where a chart is of a single one of several models, or of the
#: classes of one, ``_0``, ``_1``, … follows: the place of the model.
KEYS: Final = (
    "roc",
    "roc_classes",
    "precision_recall",
    "precision_recall_classes",
    "calibration",
    "calibration_counts",
    "score_distribution",
    "ks",
    "gain",
    "lift",
    "indices",
    "cost",
    "cost_curve",
    "decision",
    "det",
)

#: No line has more points.
MAX_POINTS: Final = 400


@dataclass(frozen=True, eq=False)
class Series:
    """One line, cloud of points or row of bars.

    Attributes
    ----------
    name : str
        What the legend calls it. Series of one name in a chart are one thing, drawn in two ways: the legend has them once.
    x, y : numpy.ndarray of float64
        The points, of one length; where both are NaN the line has a gap. Nothing is infinite.
    model : int or None
        The place of the model that it belongs to; None for a line of reference: chance, a perfect ranking.
    kind : {"line", "step", "points", "bars"}
        Straight lines between the points; steps, where y holds from the x before up to its own; points alone; or bars from 0 to
        y, with x in the middle of bars of one width.
    style : int or None
        The place of its colour and dashes in `rocksteady.plot.palette`; None for those of a reference.
    """

    name: str
    x: Reals
    y: Reals
    model: int | None
    kind: Kind
    style: int | None


@dataclass(frozen=True, eq=False)
class Chart:
    """What is drawn on one pair of axes.

    Attributes
    ----------
    key : str
        One of `KEYS`, or with the place of a model behind it: unique in a report, letters, digits and ``_`` only.
    title : str
        What it is, in a few words.
    about : str
        How to read it, in a sentence or two; for a screen reader, too.
    x_label, y_label : str
        What the axes are.
    series : tuple of Series
        In the order of the legend; what comes later is drawn above.
    x_range, y_range : tuple of (float, float)
        What the axes show; points may lie beyond.
    x_ticks, y_ticks : tuple of (float, str)
        Places on an axis and what stands there, where numbers of the axis itself would say nothing; mostly empty.
    """

    key: str
    title: str
    about: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_ticks: tuple[tuple[float, str], ...] = ()
    y_ticks: tuple[tuple[float, str], ...] = ()


def charts(evaluation: Evaluation) -> list[Chart]:
    """All charts of an evaluation, in the order of `KEYS`; only those that its statistics have.

    No line has more than `MAX_POINTS` points, whatever the number of rows.
    """
    raise NotImplementedError

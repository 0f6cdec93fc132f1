"""The detection error trade-off, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady._rocksteady import normal_deviates
from rocksteady.plot.display import CurveDisplay
from rocksteady.scores.curves.line import Curve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocksteady.plot.display import Points
    from rocksteady.plot.source import Source

_TICKS = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999)
# Rates of 0 and 1 lie infinitely far out; the axes end between these, at the least rate that there is.
_NEAREST, _FURTHEST = 2.0, 5.0


class DetDisplay(CurveDisplay):
    """DET curves: the false negative against the false positive rate on axes of normal deviates, with the equal error rate.

    Scores that are normal in both classes make a straight line; the lower left is best. Rates of 0 and of 1, which lie infinitely
    far out, are drawn at the edge. Source: Martin et al. 1997, doi:10.21437/Eurospeech.1997-504.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, or mapping from names to either
        One model or several, of two classes or of more.
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, have a line.
    max_points : int or None
        No line has more points than these.

    Attributes
    ----------
    lines_, line_ : matplotlib lines, and the first of them
        Their data are normal deviates.
    reference_lines_ : list of matplotlib lines
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.DetDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_label()
    'EER = 0.500'
    """

    _index = "equal_error_rate"
    _symbol = "EER"
    _corner = "upper right"
    _size: ClassVar[tuple[float, float]] = (5.0, 5.0)

    def _points(self, source: Source) -> Points:
        # What is left out must not matter on these axes, which stretch both ends of the rates.
        curve = source.table.det_curve(max_deviation=0)
        deviates = curve.normal_deviates()
        x, y = (np.clip(values, -_FURTHEST, _FURTHEST) for values in deviates)
        few = Curve(x, y, curve.thresholds, "fpr", "fnr").simplify(self.max_points)
        return few.x, few.y

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        ends = [-_FURTHEST, _FURTHEST]
        return [
            self._reference_line(axes, ends, ends[::-1], "chance"),
            self._reference_line(axes, ends, ends, "", linewidth=0.8),
        ]

    def _finish(self, axes: Any) -> None:
        ticks = normal_deviates(np.array(_TICKS))
        words = [f"{100 * tick:.4g}%" for tick in _TICKS]
        drawn: list[NDArray[Any]] = [
            np.asarray(values) for line in [*self._earlier, *self.lines_] for values in line.get_data()
        ]
        within = [np.abs(values[np.abs(values) < _FURTHEST]).max(initial=_NEAREST) for values in drawn]
        limit = max([_NEAREST, *within]) + 0.15
        shown = np.abs(ticks) < limit
        kept = [word for word, is_shown in zip(words, shown.tolist(), strict=True) if is_shown]
        axes.set(
            xlim=(-limit, limit),
            ylim=(-limit, limit),
            box_aspect=1,
            xlabel="False positive rate",
            ylabel=f"False negative rate{self._about()}",
        )
        axes.set_xticks(ticks[shown], kept, rotation=45 if len(kept) > 7 else 0, ha="center")
        axes.set_yticks(ticks[shown], kept)

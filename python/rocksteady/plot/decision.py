"""The decision curve, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady.plot.display import CurveDisplay
from rocksteady.scores.thresholds import threshold_grid

if TYPE_CHECKING:
    from rocksteady.plot.display import Points
    from rocksteady.plot.source import Source
    from rocksteady.scores.curves.decision import DecisionCurve


class DecisionDisplay(CurveDisplay):
    """Decision curves: the net benefit of acting on the scores as probabilities, over the threshold probability.

    Beside them stand the net benefits of treating every row and of treating none; a model is of use where it lies above both.
    Source: Vickers, Elkin 2006, doi:10.1177/0272989X06295361.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, or mapping from names to either
        One model or several, of two classes or of more; all scores in [0, 1].
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, have a line.
    max_points : int or None
        The number of thresholds, at equal distances from 0 to just below 1. None takes every score.

    Attributes
    ----------
    lines_, line_ : matplotlib lines, and the first of them
    reference_lines_ : list of matplotlib lines
        Treating all, and none.
    ax_, figure_ : matplotlib axes and figure

    Raises
    ------
    rocksteady.InputError
        If a score lies outside [0, 1].

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.DecisionDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], max_points=4)
    >>> display.line_.get_xdata(), display.line_.get_ydata().round(3)
    (array([0.  , 0.25, 0.5 , 0.75]), array([0.5  , 0.417, 0.   , 0.25 ]))
    """

    _method: ClassVar[Any] = "predict_proba"

    def _curve(self, source: Source) -> DecisionCurve:
        # At 1 the odds of the threshold are infinite.
        return source.table.decision_curve(None if self.max_points is None else threshold_grid(self.max_points)[:0:-1])

    def _points(self, source: Source) -> Points:
        curve = self._curve(source)
        return curve.threshold_probability, curve.net_benefit

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        none = self._reference_line(axes, [0, 1], [0, 0], "treat none")
        if self._of_classes:
            return [none]
        curves = {source.table.at(float("-inf"))["prevalence"]: self._curve(source) for source in self.sources}
        treat_all = [
            self._reference_line(axes, curve.threshold_probability, curve.treat_all, "treat all", linestyle=":")
            for curve in curves.values()
        ]
        return [*treat_all, none]

    def _finish(self, axes: Any) -> None:
        # Treating all, or acting on a high threshold, soon costs more than fits: the axis shows where there is benefit.
        greatest = max(
            [0.02, *(float(np.nanmax(line.get_ydata(), initial=0)) for line in [*self._earlier, *self.lines_])]
        )
        axes.set(
            xlim=(-0.01, 1.01),
            ylim=(-0.25 * greatest, 1.08 * greatest),
            xlabel="Threshold probability",
            ylabel=f"Net benefit{self._about()}",
        )

"""The cost curve, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.plot.display import CurveDisplay

if TYPE_CHECKING:
    from rocksteady.plot.display import Points
    from rocksteady.plot.source import Source


class CostDisplay(CurveDisplay):
    """Cost curves: the least expected cost over all thresholds, for each balance of costs and classes.

    The triangle is the better of calling every row positive and calling none: where a curve touches it, the scores are of no use.
    Source: Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5.

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
    reference_lines_ : list of matplotlib lines
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.CostDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    >>> display.line_.get_xdata(), display.line_.get_ydata()
    (array([0. , 0.5, 1. ]), array([0.  , 0.25, 0.  ]))
    """

    def _points(self, source: Source) -> Points:
        curve = source.table.cost_curve().simplify(self.max_points)
        return curve.probability_cost, curve.expected_cost

    def _why(self, source: Source) -> str | None:
        return source.why("roc_auc")

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        return [self._reference_line(axes, [0, 0.5, 1], [0, 0.5, 0], "all rows alike")]

    def _finish(self, axes: Any) -> None:
        axes.set(
            xlim=(-0.01, 1.01),
            ylim=(-0.005, 0.51),
            xlabel=f"Probability-cost{self._about()}",
            ylabel="Least expected cost, normalised",
        )

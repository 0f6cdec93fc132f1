"""Cumulative gains and lift, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.classes.score_tables import ScoreTables
from rocksteady.plot.display import CurveDisplay

if TYPE_CHECKING:
    from rocksteady.plot.display import Points
    from rocksteady.plot.source import Source


def _finish_selected(axes: Any) -> None:
    """The axis of both charts: rows, from the highest score down."""
    percent(axes.xaxis)
    axes.set(xlim=(-0.01, 1.01), xlabel="Share of the rows selected, highest scores first")


def percent(axis: Any) -> None:
    """Writes the shares of an axis as per cent."""
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415 (who has axes has matplotlib)

    axis.set_major_formatter(PercentFormatter(1.0, decimals=0))


class GainDisplay(CurveDisplay):
    """Gain charts: the share of the positives that is found over the share of the rows that is selected, with the Gini coefficient.

    It is the CAP curve as well. Beside the curves stand the ideal, all positives first, and the baseline, what chance finds.
    Source: Engelmann, Hayden, Tasche 2003.

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
        The ideal, then the baseline.
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.GainDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_ydata(), display.line_.get_label()
    (array([0. , 0.5, 0.5, 1. , 1. ]), 'Gini = 0.500')
    """

    _index = "gini"
    _symbol = "Gini"
    _mean = ("rpp", "recall")

    def _points(self, source: Source) -> Points:
        if isinstance(source.statistic, ScoreTables):
            return self._mean_points(source.statistic)
        curve = source.statistic.gain_curve(self.max_points)
        return curve.rpp, curve.tpr

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        ideal = [
            self._reference_line(axes, [0, share, 1], [0, 1, 1], "ideal", linestyle=":")
            for share in sorted(self._prevalences())
        ]
        return [*ideal, self._reference_line(axes, [0, 1], [0, 1], "chance")]

    def _finish(self, axes: Any) -> None:
        _finish_selected(axes)
        percent(axes.yaxis)
        axes.set(ylim=(-0.01, 1.01), ylabel=f"Share of the positives found{self._about()}")


class LiftDisplay(CurveDisplay):
    """Lift charts: how many times as frequent positives are among the selected rows as among all; it ends at 1.

    The level line at 1 is what chance gives. The legend has the lift of the first tenth of the rows.

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
    >>> display = rs.plot.LiftDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_ydata().round(3)
    array([  nan, 2.   , 1.   , 1.333, 1.   ])
    """

    _index = "gini"  # undefined where there is no lift, or only that of one class

    def _points(self, source: Source) -> Points:
        curve = source.table.lift_curve(self.max_points)
        return curve.rpp, curve.lift

    def _number(self, source: Source) -> str:
        return f"first tenth: {source.table.gains(10).cumulative_lift[0]:.2f}"

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        return [self._reference_line(axes, [0, 1], [1, 1], "chance")]

    def _finish(self, axes: Any) -> None:
        _finish_selected(axes)
        axes.set(ylabel=f"Lift{self._about()}")
        axes.set_ylim(bottom=0, auto=None)  # another display may have more lift

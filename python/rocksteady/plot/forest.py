"""What forest plots share: a row for each value with its interval, and a line that they are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rocksteady.base.arguments import flag
from rocksteady.plot.artist import escaped, ink, legend_below, tidy
from rocksteady.plot.display import Display

if TYPE_CHECKING:
    from typing import Self

    from rocksteady.charts.chart import Chart


class ForestDisplay(Display):
    """A forest plot.

    Parameters
    ----------
    chart : Chart

    Attributes
    ----------
    points_ : matplotlib line, or list of matplotlib lines
        The values; of several models a line for each.
    intervals_ : list of matplotlib lines
        One for each value that has an interval.
    reference_line_ : matplotlib line or None
        What the values are compared with; None of several models.
    ax_, figure_ : matplotlib axes and figure
    """

    points_: Any
    intervals_: list[Any]
    reference_line_: Any
    _size: ClassVar[tuple[float, float]] = (6.4, 4.4)

    def __init__(self, chart: Chart) -> None:
        self._chart = chart

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draws on `ax`, or on the axes of a new figure; the legend stands below.

        Parameters
        ----------
        ax : matplotlib axes, optional
        legend : bool

        Returns
        -------
        the display
        """
        axes = self._take_axes(ax)
        tidy(axes)
        chart = self._chart
        if self._is_own:
            self.figure_.set_size_inches(self._size[0], self._size[1] * chart.tall)
        self.intervals_, self.reference_line_, entries, points = [], None, [], []
        for series in chart.series:
            how = ink(axes, series.look)
            if series.kind == "points":
                found = axes.plot(series.x, series.y, "o", color=how["color"], markersize=5, zorder=3)[0]
                points.append(found)
            elif series.model is None:
                found = axes.plot(series.x, series.y, **{**how, "linewidth": 1.2, "zorder": 1.5})[0]
                self.reference_line_ = found
            else:
                found = axes.plot(series.x, series.y, **how)[0]
                self.intervals_.append(found)
            entries.append((found, series.legend))
        self.points_ = points[0] if len(points) == 1 else points
        places, words = zip(*chart.y_ticks, strict=True)
        axes.set_yticks(places, [escaped(word) for word in words], fontsize="small")
        if chart.x_ticks:
            axes.set_xticks([place for place, _ in chart.x_ticks], [word for _, word in chart.x_ticks])
        axes.set(xlim=chart.x_range, ylim=chart.y_range, xlabel=escaped(chart.x_label))
        axes.grid(visible=False, axis="y")
        if flag(legend, "legend"):
            self._add_legend(entries)
            legend_below(axes)
        return self

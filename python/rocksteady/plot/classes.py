"""The actual classes of the rows of each predicted class, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rocksteady.base.arguments import flag
from rocksteady.charts.classes import prediction_errors_chart
from rocksteady.charts.palette import tint
from rocksteady.plot.artist import escaped, ink, legend_below, tidy
from rocksteady.plot.matrix import MatrixDisplay

if TYPE_CHECKING:
    from typing import Self


class ClassPredictionErrorsDisplay(MatrixDisplay):
    """A bar for each predicted class, of the classes that its rows actually are: what is right is at the bottom.

    Of more than twelve classes those with the most rows have a bar, and the rows of all others are one part of it.

    Parameters
    ----------
    matrix : ConfusionMatrix

    Attributes
    ----------
    bars_ : list of matplotlib bar containers
        One for each actual class.
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.ClassPredictionErrorsDisplay.from_predictions(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    >>> [[float(bar.get_height()) for bar in bars] for bars in display.bars_]  # of "c" one row is right, and one is a "b"
    [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    """

    bars_: list[Any]
    _size: ClassVar[tuple[float, float]] = (6.4, 5.0)

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
        chart = prediction_errors_chart(self.matrix)
        self.bars_ = [
            axes.bar(
                series.x,
                series.y - series.base,
                width=0.78,
                bottom=series.base,
                color=ink(axes, series.look)["color"],
                alpha=tint(series.style),
            )
            for series in chart.series
            if series.base is not None
        ]
        places, words = zip(*chart.x_ticks, strict=True) if chart.x_ticks else ((), ())
        long = sum(map(len, words)) > 40
        turned = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if long else {}
        axes.set_xticks(places, [escaped(word) for word in words], fontsize="small", **turned)
        axes.set(xlim=chart.x_range, ylim=chart.y_range, xlabel=chart.x_label, ylabel=chart.y_label)
        axes.grid(visible=False, axis="x")
        if flag(legend, "legend"):
            self._add_legend(list(zip(self.bars_, (series.legend for series in chart.series), strict=True)), "actually")
            legend_below(axes, lower=0.35 if long else 0.0)
        return self

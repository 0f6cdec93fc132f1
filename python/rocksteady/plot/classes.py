"""What the rows of each predicted class actually are, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rocksteady._matplotlib import pyplot
from rocksteady.base.arguments import wrong_type
from rocksteady.base.estimators import is_classifier
from rocksteady.charts.classes import prediction_errors_chart
from rocksteady.charts.palette import tint
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.plot.artist import escaped, ink, legend_below, tidy
from rocksteady.plot.display import Display

if TYPE_CHECKING:
    from typing import Self


class ClassPredictionErrorsDisplay(Display):
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

    def __init__(self, matrix: ConfusionMatrix) -> None:
        if not isinstance(matrix, ConfusionMatrix):
            raise wrong_type(matrix, "matrix", "a ConfusionMatrix")
        self.matrix = matrix

    @classmethod
    def from_matrix(cls, matrix: ConfusionMatrix, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draws a matrix that is counted already; options as for `plot`."""
        return cls(matrix).plot(ax=ax, **kwargs)

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Counts predictions and draws.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,)
        labels, sample_weight
            As for `rocksteady.ConfusionMatrix`.
        ax : matplotlib axes, optional
        **kwargs
            As for `plot`.
        """
        pyplot(f"{cls.__name__}.from_predictions")
        matrix = ConfusionMatrix(y_true, y_pred, labels=labels, sample_weight=sample_weight)
        return cls.from_matrix(matrix, ax=ax, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, labels: Any = None, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Asks a fitted classifier for its predictions of `X`, and draws; options as for `from_predictions`."""
        pyplot(f"{cls.__name__}.from_estimator")
        if not is_classifier(estimator):
            raise wrong_type(estimator, "estimator", "a fitted classifier")
        return cls.from_predictions(y, estimator.predict(X), labels=labels, ax=ax, **kwargs)

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
        if legend:
            self._add_legend(list(zip(self.bars_, (series.legend for series in chart.series), strict=True)), "actually")
            legend_below(axes, lower=0.35 if long else 0.0)
        return self

"""Uplift, Qini and targeting operator curves, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady._matplotlib import properties
from rocksteady.base.arguments import flag, one_of
from rocksteady.charts.uplift import KINDS, curves_of, uplift_chart
from rocksteady.plot.artist import escaped, ink, percent, tidy, wrapped
from rocksteady.plot.display import Display

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from rocksteady.scores.treatment import UpliftCurve


class UpliftDisplay(Display):
    """What a treatment adds among the rows with the highest scores, a line for each model.

    Parameters
    ----------
    curves : UpliftCurve, or mapping from names to such
        What `rocksteady.scores.uplift` gives.
    kind : {"qini", "uplift", "toc"}
        The outcomes added among the treated, those that treating all rows adds, or how much greater the effect is than among
        all rows (targeting operator characteristic). The legend has the area of each.

    Attributes
    ----------
    lines_, line_ : matplotlib lines, and the first of them
        In the order of the models.
    reference_lines_ : list of matplotlib lines
        An order at random.
    ax_, figure_ : matplotlib axes and figure

    Notes
    -----
    The curves and their sources are those of `rocksteady.scores.uplift`. Of more than 1,000 points some are drawn.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> treated = rs.ScoreTable([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.4, 0.3, 0.1])
    >>> control = rs.ScoreTable([0, 1, 0, 1, 0, 1], [0.9, 0.7, 0.6, 0.4, 0.2, 0.1])
    >>> display = rs.plot.UpliftDisplay.from_curves(rs.scores.uplift(treated, control))
    >>> display.line_.get_label(), float(display.line_.get_ydata()[-1])
    ('Qini = 0.389', 0.0)
    """

    lines_: list[Any]
    reference_lines_: list[Any]

    def __init__(self, curves: UpliftCurve | Mapping[str, UpliftCurve], kind: str = "qini") -> None:
        one_of(kind, "kind", tuple(KINDS))
        self._chart = uplift_chart(curves_of(curves), kind)

    @property
    def line_(self) -> Any:
        """The line, or of several the first."""
        return self.lines_[0]

    @classmethod
    def from_curves(
        cls, curves: UpliftCurve | Mapping[str, UpliftCurve], kind: str = "qini", *, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Draws curves that are counted already; other options are those of `plot`."""
        return cls(curves, kind).plot(ax=ax, **kwargs)

    def plot(self, ax: Any = None, *, reference: bool = True, legend: bool = True, **kwargs: Any) -> Self:
        """Draws on `ax`, or on the axes of a new figure.

        Parameters
        ----------
        ax : matplotlib axes, optional
        reference : bool
            Whether to draw what an order at random gives.
        legend : bool
        **kwargs
            matplotlib's properties of the lines of models: ``linewidth=1``, ``alpha=0.5``.

        Returns
        -------
        the display
        """
        has_references, has_legend = flag(reference, "reference"), flag(legend, "legend")
        axes = self._take_axes(ax)
        tidy(axes)
        chart = self._chart
        self.lines_, self.reference_lines_ = [], []
        for series in chart.series:
            default = {**ink(axes, series.look), "label": escaped(wrapped(series.legend))}
            if series.model is not None:
                self.lines_ += axes.plot(series.x, series.y, **properties(default, kwargs))
            elif has_references:
                self.reference_lines_ += axes.plot(series.x, series.y, **{**default, "linewidth": 1.2, "zorder": 1.5})
        axes.set(xlim=chart.x_range, ylim=chart.y_range, xlabel=chart.x_label, ylabel=chart.y_label)
        percent(axes.xaxis)
        if has_legend:
            drawn = [*self.lines_, *self.reference_lines_[:1]]
            words = [series.legend for series in chart.series][: len(drawn)]
            self._add_legend(list(zip(drawn, map(wrapped, words), strict=True)))
        return self

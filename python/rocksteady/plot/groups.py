"""A sorted forest plot of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rocksteady.base.arguments import flag, wrong_type
from rocksteady.charts.groups import forest_chart, forest_of
from rocksteady.errors import InputError
from rocksteady.groups.groups import Groups
from rocksteady.groups.shown import least_rows
from rocksteady.inference.difference import level_of
from rocksteady.plot.artist import escaped, ink, legend_below, tidy
from rocksteady.plot.display import Display

if TYPE_CHECKING:
    from typing import Self


class GroupsDisplay(Display):
    """The groups sorted by an index, each with its interval, and a line of all rows.

    Of more than thirty groups it has those whose intervals lie farthest out at either end.

    Parameters
    ----------
    groups : Groups
    index : str, optional
        Default: "roc_auc", or "recall" or "accuracy" where there are no scores.
    min_rows : int, optional
        Groups with fewer rows are hidden.
    level : float
        The confidence level.

    Attributes
    ----------
    points_ : matplotlib line
        The values.
    intervals_ : list of matplotlib lines
        One for each group that has an interval.
    reference_line_ : matplotlib line
        The value of all rows.
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> ev = rs.evaluate([0, 1, 1, 1, 0], y_pred=[0, 1, 0, 1, 0], by=["a", "a", "b", "b", "b"])
    >>> display = ev.plot.groups("accuracy")
    >>> display.points_.get_xdata().round(3).tolist(), [tick.get_text() for tick in display.ax_.get_yticklabels()]
    ([0.667, 1.0], ['b', 'a'])
    """

    points_: Any
    intervals_: list[Any]
    reference_line_: Any
    _size: ClassVar[tuple[float, float]] = (6.4, 4.4)

    def __init__(
        self, groups: Groups, index: str | None = None, *, min_rows: int | None = None, level: float = 0.95
    ) -> None:
        if not isinstance(groups, Groups):
            raise wrong_type(groups, "groups", "a Groups, as rocksteady.group_by gives")
        self._forest = forest_of(groups, index, least_rows(min_rows), level_of(level))
        if not len(self._forest.value):
            raise InputError(f"{self._forest.index} has no value in any group that is shown", argument="groups")

    @classmethod
    def from_groups(cls, groups: Groups, index: str | None = None, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draws groups that are counted already; the options are those of the class, then those of `plot`."""
        own = {name: kwargs.pop(name) for name in ("min_rows", "level") if name in kwargs}
        return cls(groups, index, **own).plot(ax=ax, **kwargs)

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
        chart = forest_chart(self._forest)
        if self._is_own:
            self.figure_.set_size_inches(self._size[0], self._size[1] * chart.tall)
        self.intervals_, entries = [], []
        for series in chart.series:
            how = ink(axes, series.look)
            if series.kind == "points":
                found = axes.plot(series.x, series.y, "o", color=how["color"], markersize=5, zorder=3)[0]
                self.points_ = found
            elif series.model is None:
                found = axes.plot(series.x, series.y, **{**how, "linewidth": 1.2, "zorder": 1.5})[0]
                self.reference_line_ = found
            else:
                found = axes.plot(series.x, series.y, **how)[0]
                self.intervals_.append(found)
            entries.append((found, series.legend))
        places, words = zip(*chart.y_ticks, strict=True)
        axes.set_yticks(places, [escaped(word) for word in words], fontsize="small")
        axes.set(xlim=chart.x_range, ylim=chart.y_range, xlabel=escaped(chart.x_label))
        axes.grid(visible=False, axis="y")
        if flag(legend, "legend"):
            self._add_legend(entries)
            legend_below(axes)
        return self

"""The common part of all displays of scores: the source of their tables, several lines on one pair of axes, the legend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady._matplotlib import properties, pyplot
from rocksteady.base.arguments import flag, one_of, string, whole, wrong_type, wrong_value
from rocksteady.base.table import one_line, repr_html
from rocksteady.charts.chart import within
from rocksteady.charts.palette import BAND, COLOURS, style
from rocksteady.charts.source import lines_of
from rocksteady.plot.artist import escaped, hexadecimal, ink, legend, percent, say, tidy, unescaped, wrapped
from rocksteady.plot.source import tables_of, tables_of_estimators

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from rocksteady.charts.chart import Chart, Series
    from rocksteady.charts.source import Lines, Source, Tables

    Drawn = list[tuple[Series, Any]]

# A wider legend goes beside the axes.
_WIDEST_INSIDE = 36
# Beside given axes, a legend takes at most this share of their width.
_MOST_OF_AXES = 0.6
# With more lines, lines are thinner.
_MOST_BOLD = 6


# The colours of models: lines in these colours were drawn by an earlier display.
_OURS = frozenset(colour for place in range(COLOURS) for colour in style(place)[:2])
# Bars of one model are filled, and may have a line of reference; with more words, the words on an axis are turned.
_MOST_FILLED, _MOST_LEVEL = 3, 7
# The style of a line that accompanies another.
_FAINT = {"linewidth": 0.7, "alpha": 0.7}


class Display:
    """Axes, of its own or given, and the convention that all displays follow."""

    ax_: Any
    figure_: Any
    _size: ClassVar[tuple[float, float]] = (6.0, 4.4)  # inches
    _corner: ClassVar[str] = "best"  # the place of a legend within the axes
    _most_inside: ClassVar[int] = 6  # entries; a longer legend goes beside the axes

    def __repr__(self) -> str:
        axes = getattr(self, "ax_", None)
        if axes is None:
            return f"<rocksteady.plot.{type(self).__name__}, not drawn yet; plot() draws it>"
        words = " against ".join(one_line(words) for words in (axes.get_ylabel(), axes.get_xlabel()) if words)
        entries = axes.get_legend_handles_labels()[1]
        lines = f": {', '.join(one_line(entry) for entry in entries[:3])}" if entries else ""
        more = ", …" if len(entries) > 3 else ""
        return f"<rocksteady.plot.{type(self).__name__} of {words}{lines}{more}>"

    # The notebook's own back-end shows the figure; a picture here would be a second one.
    _repr_html_ = repr_html

    def _take_axes(self, ax: Any) -> Any:
        plt = pyplot(f"{type(self).__name__}.plot")
        is_axes = isinstance(ax, import_module("matplotlib.axes").Axes)
        if ax is not None and not (is_axes and "top" in ax.spines):  # several axes, or polar ones
            raise wrong_type(ax, "ax", "matplotlib axes, one pair, at right angles")
        self._is_own = ax is None
        self.ax_ = plt.subplots(figsize=self._size, layout="compressed")[1] if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_

    def _add_legend(self, entries: Sequence[tuple[Any, str]], title: str | None = None) -> None:
        """The legend: within the axes where it is small, else beside them, if the figure makes room for it.

        A figure of our own is widened for it; other axes must not be pressed flat.
        """
        entries = [(handle, words) for handle, words in entries if words]
        if not entries:
            return
        widest = max(len(line) for _, words in entries for line in words.splitlines())
        makes_room = type(self.figure_.get_layout_engine()).__name__ == "ConstrainedLayoutEngine"
        outside = makes_room and (len(entries) > self._most_inside or widest > _WIDEST_INSIDE)
        drawn = legend(self.ax_, entries, title=title, corner=self._corner, outside=outside)
        if not outside:
            drawn.set_in_layout(self._is_own)  # small given axes must not vanish for it
            return
        needed, axes = drawn.get_window_extent(), self.ax_.get_window_extent()
        if self._is_own:
            width, height = self.figure_.get_size_inches()
            self.figure_.set_size_inches(width + 0.3 + needed.width / self.figure_.dpi, height)
        elif needed.width > _MOST_OF_AXES * axes.width or needed.height > 1.1 * axes.height:
            legend(self.ax_, entries, title=title, corner=self._corner).set_in_layout(False)


class ScoreDisplay(Display, ABC):
    """What the displays of score tables share: they draw a chart of one or of several models.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, LabelScoreTables, or mapping from names to one of them, or Groups
        One model or several, of two classes, of more, or of several labels a row; or the groups of one model.
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, have a line. The averages are of all. Of groups: the
        keys, or how many of the largest.
    max_points : int or None
        No line has more points than these; they are chosen so that the curve differs as little as can be. None draws
        all.
    average : {"macro", "micro"}, optional
        The only average that is drawn of more than two classes. Default: both where curves have a mean, else micro; of
        several models macro where curves have a mean, else micro.

    Attributes
    ----------
    lines_, line_ : matplotlib lines, and the first of them
        In the order of the models.
    reference_lines_ : list of matplotlib lines
        What they are compared with.
    ax_, figure_ : matplotlib axes and figure
    """

    lines_: list[Any]
    reference_lines_: list[Any]

    # Whether the curves of several classes have a mean curve.
    _has_mean: ClassVar[bool] = False
    # Whether the top label of several classes has a line.
    _has_top_label: ClassVar[bool] = False
    # Whether references belong to the chart itself, so that they are always drawn.
    _has_keys: ClassVar[bool] = False
    _method: ClassVar[Any] = ("predict_proba", "decision_function")
    _options: ClassVar[tuple[str, ...]] = ("classes", "max_points")

    def __init__(
        self,
        tables: Tables,
        *,
        classes: int | Sequence[Any] = 10,
        max_points: int | None = 1000,
        average: str | None = None,
    ) -> None:
        expected = "a whole number of points, 2 or more, or None"
        self.max_points = None if max_points is None else whole(max_points, "max_points", expected, least=2)
        self._lines = lines_of(tables, classes, self._has_mean, self.max_points, average, self._has_top_label)

    @property
    def line_(self) -> Any:
        """The line, or of several the first."""
        return self.lines_[0]

    @classmethod
    def from_tables(cls, tables: Tables, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draws what is counted already.

        Parameters
        ----------
        tables : ScoreTable, ScoreTables, LabelScoreTables, or mapping from names to one of them, or Groups
            With names several models are drawn on one pair of axes. Of more than two classes each class is drawn
            against the rest, with the averages; of several such models, their averages. Of `Groups` with scores each
            group has a line, and all rows together have one.
        ax : matplotlib axes, optional
            Default: those of a new figure.
        **kwargs
            The display's own parameters, then those of `plot`.

        Returns
        -------
        the display
        """
        own = {name: kwargs.pop(name) for name in cls._options if name in kwargs}
        return cls(tables, **own).plot(ax=ax, **kwargs)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        labels: Any = None,
        name: str | None = None,
        names: Sequence[str] | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Ranks the rows and draws.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Class labels.
        y_score : array-like of shape (n,) or (n, m), data frame, or mapping from names to columns
            Of two classes each column is a model. Of K classes y_score has a column for each class, and a mapping has
            several such models.
        sample_weight : array-like of shape (n,), optional
            Finite and not negative.
        pos_label : label, optional
            The positive one of two classes. Default: the greater.
        labels : array-like of K labels, optional
            The classes of the columns of y_score, where `y_true` does not have all of them.
        name, names : str, list of str, optional
            What the legend calls the model, or the columns of y_score.
        ax : matplotlib axes, optional
            Default: those of a new figure.
        **kwargs
            The display's own parameters, then those of `plot`.

        Returns
        -------
        the display

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As for `rocksteady.ScoreTable`.
        ImportError
            If matplotlib is not installed.
        """
        pyplot(f"{cls.__name__}.from_predictions")
        if name is not None and names is not None:
            raise wrong_value(names, "names", "None, as name is given")
        given = names if name is None else string(name, "name")
        tables = tables_of(
            y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, labels=labels, names=given
        )
        return cls.from_tables(tables, ax=ax, **kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: Any = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Asks a fitted classifier for its scores of `X`, and draws.

        Parameters
        ----------
        estimator : classifier, or mapping from names to several
            With scikit-learn's `predict_proba` or `decision_function`, and `classes_`.
        X, y : array-like
            What the estimator takes, and class labels of shape (n,).
        sample_weight, pos_label, ax, **kwargs
            As for `from_predictions`.
        response_method : {"auto", "predict_proba", "decision_function"}
            Default: the first of these that the estimator has; probabilities where the display needs them.
        name : str, optional
            Default: that of the estimator's class.
        """
        pyplot(f"{cls.__name__}.from_estimator")
        one_of(response_method, "response_method", ("auto", "predict_proba", "decision_function"))
        tables = tables_of_estimators(
            estimator,
            X,
            y,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            method=cls._method if response_method == "auto" else response_method,
        )
        return cls.from_tables(tables, ax=ax, **kwargs)

    def plot(self, ax: Any = None, *, reference: bool = True, legend: bool = True, **kwargs: Any) -> Self:
        """Draws on `ax`, or on the axes of a new figure.

        On axes that hold lines already, of another display or your own, the next colours are taken, and the legend has
        all.

        Parameters
        ----------
        ax : matplotlib axes, optional
        reference : bool
            Whether to draw what the curves are compared with: chance, an ideal ranking.
        legend : bool
        **kwargs
            matplotlib's properties of all lines: ``linewidth=1``, ``alpha=0.5``; the `label` of a single line stands in
            the legend in place of name and number.

        Returns
        -------
        the display
        """
        reference, legend = flag(reference, "reference"), flag(legend, "legend")
        axes = self._take_axes(ax)
        tidy(axes)
        earlier = list(zip(*axes.get_legend_handles_labels(), strict=True))
        lines = self._restyled(axes)
        chart = self._chart(lines)
        drawn = self._paint(axes, chart, kwargs, reference or self._has_keys)
        self._keep(drawn)
        if "label" in kwargs and len(self.lines_) > 1:
            raise wrong_value(
                kwargs["label"], "label", f"None, as there are {len(self.lines_)} lines; models have names"
            )
        self._frame(axes, chart, is_shared=not lines.is_alone)
        reasons = [self._why(source) for source in lines.sources]
        if all(reasons):
            say(axes, f"Nothing to draw. {reasons[0]}")
        elif legend:
            self._add_legend(self._entries(earlier, drawn, kwargs.get("label")), self._title(lines))
        return self

    # Hooks of each kind of display ------------------------------------------------------------------------------------

    @abstractmethod
    def _chart(self, lines: Lines) -> Chart:
        """The chart of the lines."""

    def _why(self, source: Source) -> str | None:  # noqa: ARG002 (for those that may have none)
        """Why the source has no curve."""
        return None

    def _title(self, lines: Lines) -> str | None:
        """The title of the legend."""
        return lines.note

    def _keep(self, drawn: Drawn) -> None:
        """Keep the artists in the attributes of the display."""
        main = ("line", "step", "bars")
        self.lines_ = [
            artist
            for series, artist in drawn
            if series.model is not None and series.kind in main and not series.is_faint
        ]
        self.reference_lines_ = [artist for series, artist in drawn if series.model is None]

    # Shared by all displays -------------------------------------------------------------------------------------------

    def _restyled(self, axes: Any) -> Lines:
        """The lines in the first styles that no earlier line on these axes has."""
        colours = [line.get_color() for line in axes.get_lines()] + [
            hexadecimal(bar.get_edgecolor()) for bar in axes.patches
        ]
        taken = _OURS.intersection(colour for colour in colours if isinstance(colour, str))
        free = (place for place in range(COLOURS) if not taken.intersection(style(place)[:2]))
        earlier = sum(colour in taken for colour in colours if isinstance(colour, str))
        first = next(free, earlier) if taken else 0
        sources = [
            source if source.is_average else replace(source, style=first + place)
            for place, source in enumerate(self._lines.sources)
        ]
        return replace(self._lines, sources=sources, is_alone=not taken)

    def _paint(self, axes: Any, chart: Chart, how: dict[str, Any], has_references: bool) -> Drawn:
        """Draw the series of a chart; series of models have the given properties."""
        drawn: Drawn = []
        is_bold = len(self._lines.sources) <= _MOST_BOLD
        for series in chart.series:
            default = {**ink(axes, series.look), "label": escaped(wrapped(series.name))}
            if series.model is None:
                if has_references:
                    own = {"linewidth": 1.2, "zorder": 1.5, **(_FAINT if series.is_faint else {})}
                    default["label"] = escaped(wrapped(series.legend))
                    drawn.append((series, axes.plot(series.x, series.y, **{**default, **own})[0]))
            elif series.kind == "bars":
                drawn.append(
                    (series, self._bars(axes, series, default, how, is_filled=len(chart.series) <= _MOST_FILLED))
                )
            elif series.kind == "band":
                area = axes.fill_between(
                    series.x, series.base, series.y, color=default["color"], alpha=BAND, linewidth=0, zorder=1.2
                )
                drawn.append((series, area))
            elif series.kind == "points":
                drawn.append((series, self._mark(axes, series, *drawn[-1], how)))
            else:
                if series.is_faint:
                    default |= _FAINT
                elif not is_bold and (series.style or 0) >= 0:
                    default["linewidth"] = 1.2
                if series.kind == "step":  # y keeps its value from the x before
                    default["drawstyle"] = "steps-pre"
                if np.isfinite(series.y).sum() == 1:  # which makes no line
                    default |= {"marker": "o", "markersize": 4}
                drawn.append((series, axes.plot(series.x, series.y, **properties(default, how))[0]))
        return drawn

    def _bars(self, axes: Any, series: Series, default: dict[str, Any], how: dict[str, Any], is_filled: bool) -> Any:
        own = {"linewidth": 1.4 if is_filled else 1.2, "fill": is_filled}
        chosen = properties({**default, **own}, how)
        colour = chosen.pop("color")  # matplotlib would lose it beside the colour of the inner part
        inner = {"facecolor": hexadecimal(colour) + "33"} if is_filled else {}
        return axes.stairs(series.y, series.edges, **{"edgecolor": colour, **inner, **chosen})

    def _mark(self, axes: Any, series: Series, before: Series, line: Any, how: dict[str, Any]) -> Any:
        """Points in the colour of the line before; points at all its vertices become markers of the line."""
        if series.x is before.x:
            marks = properties({"marker": series.look.marker or "o", "markersize": 4.5}, how)
            line.set(marker=marks["marker"], markersize=marks["markersize"])
            return line
        return axes.plot(
            series.x,
            series.y,
            marker=series.look.marker,
            color=line.get_color(),
            linestyle="",
            markersize=5,
            zorder=3,
            clip_on=False,
        )[0]

    def _frame(self, axes: Any, chart: Chart, is_shared: bool) -> None:
        """Words, ranges and ticks of the axes; ranges that an earlier display needs stay."""
        has_bars = any(series.kind == "bars" for series in chart.series)
        shown = []
        for name, (low, high), stretch, now, margin in (
            ("x", chart.x_range, chart.x_scale, axes.get_xlim(), 0.01),
            ("y", chart.y_range, chart.y_scale, axes.get_ylim(), 0.0 if has_bars else 0.01),
        ):
            if stretch is not None:
                low, high = stretch.places(np.array((low, high))).tolist()  # noqa: PLW2901
            aside = margin * (high - low)
            needed = (low - aside, high + aside)
            if stretch is not None:
                getattr(axes, f"set_{name}scale")("function", functions=(stretch.places, stretch.values))
                needed = tuple(stretch.values(np.array(needed)).tolist())
            shown.append((min(*needed, *now), max(*needed, *now)) if is_shared else needed)
        axes.set(xlim=shown[0], ylim=shown[1], xlabel=escaped(chart.x_label), ylabel=escaped(chart.y_label))
        if chart.is_square:
            axes.set_box_aspect(1)
        for name in chart.percent:
            percent(getattr(axes, f"{name}axis"))
        for name, ticks, room in (("x", chart.x_ticks, shown[0]), ("y", chart.y_ticks, shown[1])):
            if ticks:
                places, words = zip(*within(ticks, room), strict=True)
                turned = {"rotation": 45 if len(places) > _MOST_LEVEL else 0, "ha": "center"} if name == "x" else {}
                getattr(axes, f"set_{name}ticks")(places, words, **turned)

    def _entries(self, earlier: list[Any], drawn: Drawn, label: object) -> list[tuple[Any, str]]:
        """The legend: earlier entries, models, references, each once."""
        found: dict[tuple[int | None, str], Any] = {}
        for series, artist in drawn:
            if series.legend:
                found.setdefault((series.model, wrapped(series.legend)), artist)
        models = [(artist, words) for (model, words), artist in found.items() if model is not None]
        if label is not None:
            models = [(artist, str(label) if artist is self.line_ else words) for artist, words in models]
        references = [(artist, words) for (model, words), artist in found.items() if model is None]
        again = {words for _, words in references}
        kept = [(artist, unescaped(words)) for artist, words in earlier if unescaped(words) not in again]
        return kept + models + references

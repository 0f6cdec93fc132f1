"""What all displays of scores share: where their tables come from, several lines on one pair of axes, and the legend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady._arguments import one_of, whole, wrong_type, wrong_value
from rocksteady.charts.palette import REFERENCE
from rocksteady.plot.artist import escaped, ink, legend, properties, pyplot, say, tidy, unescaped, wrapped
from rocksteady.plot.source import Source, sources_of, style_of, tables_of, tables_of_estimators
from rocksteady.score_tables import ScoreTables
from rocksteady.table import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from numpy.typing import NDArray

    from rocksteady.plot.source import Tables

    Points = tuple[NDArray[Any], NDArray[Any]]

# A wider legend stands beside the axes.
_WIDEST_INSIDE = 36
# Beside axes that were given, a legend takes at most this share of their width.
_MOST_OF_AXES = 0.6
# More lines are drawn thinner.
_MOST_BOLD = 6


# Styles of different colours, and these colours.
_STYLES = 6
_COLOURS = frozenset(colour for place in range(_STYLES) for colour in style_of(place)[:2])


class Display:
    """Axes, of its own or given, and the convention that all displays follow."""

    ax_: Any
    figure_: Any
    _size: ClassVar[tuple[float, float]] = (6.0, 4.4)  # inches
    _corner: ClassVar[str] = "best"  # where a legend within the axes stands
    _most_inside: ClassVar[int] = 6  # entries; a longer legend stands beside the axes

    def _take_axes(self, ax: Any) -> Any:
        plt = pyplot(f"{type(self).__name__}.plot")
        if ax is not None and "top" not in getattr(ax, "spines", ()):  # several, or polar ones
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
            drawn.set_in_layout(self._is_own)  # small axes that were given must not vanish for it
            return
        needed, axes = drawn.get_window_extent(), self.ax_.get_window_extent()
        if self._is_own:
            width, height = self.figure_.get_size_inches()
            self.figure_.set_size_inches(width + 0.3 + needed.width / self.figure_.dpi, height)
        elif needed.width > _MOST_OF_AXES * axes.width or needed.height > 1.1 * axes.height:
            legend(self.ax_, entries, title=title, corner=self._corner).set_in_layout(False)


class ScoreDisplay(Display, ABC):
    """What the displays of score tables share.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, or mapping from names to either
        One model or several, of two classes or of more.
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, have a line. The averages are of all.
    max_points : int or None
        No line has more points than these; they are chosen so that the curve differs as little as can be. None draws all.
    """

    lines_: list[Any]
    reference_lines_: list[Any]

    # The index that stands in the legend, by this symbol. Where it has no value, there is no curve.
    _index: ClassVar[str | None] = None
    _symbol: ClassVar[str] = ""
    # Two indices of which the curves of several classes have a mean.
    _mean: ClassVar[tuple[str, str] | None] = None
    _method: ClassVar[Any] = ("predict_proba", "decision_function")
    _options: ClassVar[tuple[str, ...]] = ("classes", "max_points")

    def __init__(self, tables: Tables, *, classes: int | Sequence[Any] = 10, max_points: int | None = 1000) -> None:
        expected = "a whole number of points, 2 or more, or None"
        self.max_points = None if max_points is None else whole(max_points, "max_points", expected, least=2)
        self.sources, self.note, self._of_classes = sources_of(tables, classes, self._mean is not None)

    @property
    def line_(self) -> Any:
        """The line, or of several the first."""
        return self.lines_[0]

    @classmethod
    def from_tables(cls, tables: Tables, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draws what is counted already.

        Parameters
        ----------
        tables : ScoreTable, ScoreTables, or mapping from names to either
            With names several models are drawn on one pair of axes. Of more than two classes each class is drawn
            against the rest, with the averages; of several such models, their averages.
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
        given = names if name is None else name
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

        On axes that hold lines already, of another display or your own, the next colours are taken, and the legend has all.

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
        axes = self._take_axes(ax)
        tidy(axes)
        self.lines_, self.reference_lines_ = [], []
        earlier = list(zip(*axes.get_legend_handles_labels(), strict=True))
        self._take_styles(axes)
        entries = self._draw_all(axes, kwargs)
        if "label" in kwargs:
            if len(self.lines_) > 1:
                raise wrong_value(
                    kwargs["label"], "label", f"None, as there are {len(self.lines_)} lines; models have names"
                )
            entries = [(artist, str(kwargs["label"]) if artist is self.line_ else words) for artist, words in entries]
        references = self._draw_reference(axes) if reference else []
        again = {words for _, words in references}
        entries = [(artist, unescaped(label)) for artist, label in earlier if unescaped(label) not in again] + entries
        entries += references
        self._finish(axes)
        reasons = [self._why(source) for source in self.sources]
        if all(reasons):
            say(axes, f"Nothing to draw. {reasons[0]}")
        elif legend:
            self._add_legend(entries, self._title())
        return self

    # What each kind of display says of itself ---------------------------------------------------------------------------

    @abstractmethod
    def _draw_all(self, axes: Any, how: dict[str, Any]) -> list[tuple[Any, str]]:
        """Draws all lines: artists and words of the legend."""

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:  # noqa: ARG002 (for those that have something)
        """Draws what the curves are compared with: artists and words of the legend."""
        return []

    def _finish(self, axes: Any) -> None:
        """Names and limits of the axes."""

    def _title(self) -> str | None:
        """What stands above the legend."""
        return self.note

    # What they share ----------------------------------------------------------------------------------------------------

    @property
    def _is_alone(self) -> bool:
        """Whether the axes have one model only, so that colours are free for what is drawn of it."""
        return len(self.sources) == 1 and not self._earlier

    def _take_styles(self, axes: Any) -> None:
        """Gives models the first styles that no line of an earlier display on these axes has."""
        self._earlier = [line for line in axes.get_lines() if line.get_color() in _COLOURS]
        taken = {line.get_color() for line in self._earlier}
        free = (place for place in range(_STYLES) if not taken & {style_of(place).light, style_of(place).dark})
        first = next(free, len(self._earlier)) if taken else 0
        self.sources = [
            source._replace(style=style_of(first + place)) if source.style.marker else source
            for place, source in enumerate(self.sources)
        ]

    def _ink(self, axes: Any, source: Source) -> dict[str, Any]:
        chosen = ink(axes, source.style)
        many = len(self.sources) > _MOST_BOLD and source.style.marker
        return {**chosen, "linewidth": 1.2} if many else chosen

    def _line(self, axes: Any, x: Any, y: Any, default: dict[str, Any], words: str, how: dict[str, Any]) -> Any:
        chosen = properties({**default, "label": escaped(words)}, how)
        if np.isfinite(y).sum() == 1:  # which is no line
            chosen = {"marker": "o", "markersize": 4, **chosen}
        (line,) = axes.plot(x, y, **chosen)
        self.lines_.append(line)
        return line

    def _reference_line(self, axes: Any, x: Any, y: Any, words: str, **how: Any) -> tuple[Any, str]:
        (line,) = axes.plot(x, y, **{**ink(axes, REFERENCE), "linewidth": 1.2, "zorder": 1.5, **how}, label=words)
        self.reference_lines_.append(line)
        return line, words

    def _why(self, source: Source) -> str | None:
        """Why the source has no curve."""
        return None if self._index is None else source.why(self._index)

    def _number(self, source: Source) -> str:
        """The value that stands in the legend, by its symbol."""
        return "" if self._index is None else f"{self._symbol} = {source.value(self._index):.3f}"

    def _words(self, source: Source) -> str:
        """What the legend says of a source: its name, and a number or why there is none."""
        why = self._why(source)
        number = f"undefined: {why[0].lower()}{why[1:].rstrip('.')}" if why else self._number(source)
        if source.name is None:
            return wrapped(number or "model")
        return wrapped(f"{source.name} ({number})" if number else source.name)

    def _mean_points(self, tables: ScoreTables) -> Points:
        """The mean of the curves of the classes: every point where there are few rows."""
        assert self._mean is not None  # noqa: S101 (only such displays have the mean for a source)
        few = None if self.max_points is None or tables.rows <= self.max_points else self.max_points
        mean = tables.average_curve(*self._mean, "macro", absent="skip", points=few)
        return mean.x, mean.y

    def _prevalences(self) -> set[float]:
        """The shares of positives, of models on the same rows a single one; of classes they differ, and mean nothing."""
        if self._of_classes:
            return set()
        everything = [source.table.at(float("-inf")) for source in self.sources if not self._why(source)]
        return {float(counts["prevalence"]) for counts in everything}

    def _bars(self) -> int:
        """Into how many bars the scores are to be counted: fewer where there are few rows."""
        return 50 if max(source.table.rows for source in self.sources) >= 2000 else 20

    def _about(self) -> str:
        """Which class is the positive one, where the models have one and the same."""
        labels = {str(source.table.pos_label) for source in self.sources if not self._of_classes}
        if len(labels) != 1 or labels == {"None"}:
            return ""
        word = one_line(labels.pop())
        return escaped(f" (positive: {word if len(word) <= 30 else word[:29] + '…'})")


class CurveDisplay(ScoreDisplay):
    """A display that has a line of points for each model or class."""

    @abstractmethod
    def _points(self, source: Source) -> Points:
        """The points of a line."""

    def _draw_all(self, axes: Any, how: dict[str, Any]) -> list[tuple[Any, str]]:
        return [(self._draw(axes, source, how), self._words(source)) for source in self.sources]

    def _draw(self, axes: Any, source: Source, how: dict[str, Any]) -> Any:
        none: NDArray[Any] = np.empty(0)
        x, y = (none, none) if self._why(source) else self._points(source)
        return self._line(axes, x, y, self._ink(axes, source), self._words(source), how)

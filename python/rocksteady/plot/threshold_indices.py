"""Any indices over the threshold, drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._arguments import listed, parameters_of, string, wrong_value
from rocksteady.charts.palette import REFERENCE
from rocksteady.plot.artist import ink, wrapped
from rocksteady.plot.display import ScoreDisplay
from rocksteady.plot.source import style_of
from rocksteady.registry import index
from rocksteady.table import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.plot.display import Points
    from rocksteady.plot.source import Source, Tables
    from rocksteady.threshold import Best


class ThresholdIndicesDisplay(ScoreDisplay):
    """Indices of the four counts over the threshold; a point, and the legend, say where each is best.

    Each index has a colour; of several models, each has dashes of its own. Rows with ``score >= threshold`` are predicted positive.
    What is best on these rows is too good an estimate of what will be on others.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, or mapping from names to either
        One model or several, of two classes or of more.
    indices : list of str, or mapping from str to dict
        Names of indices, in a mapping with their parameters: ``{"fbeta": {"beta": 2}}``.
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, are drawn. Default: none, only all of them together (micro).
    max_points : int or None
        No line has more points than these.

    Attributes
    ----------
    lines_, line_ : matplotlib lines, and the first of them
        For each model those of all indices.
    best_ : list of matplotlib lines
        A point each, where the index is best; of indices that call no direction better there is none.
    ax_, figure_ : matplotlib axes and figure

    Raises
    ------
    rocksteady.UnknownIndexError
        If there is no such index, or it needs no threshold.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.ThresholdIndicesDisplay.from_predictions(
    ...     [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], indices={"recall": {}, "cost": {"fp": 1, "fn": 5}}
    ... )
    >>> [line.get_label() for line in display.lines_]
    ['recall (best 1 at 0.1)', 'cost (best 1 at 0.4)']
    """

    best_: list[Any]

    _options = (*ScoreDisplay._options, "indices")

    def __init__(
        self,
        tables: Tables,
        *,
        indices: Sequence[str] | Mapping[str, Mapping[str, Any]] = ("precision", "recall", "f1", "mcc"),
        classes: int | Sequence[Any] = 0,
        max_points: int | None = 1000,
    ) -> None:
        super().__init__(tables, classes=classes, max_points=max_points)
        self.indices: dict[str, dict[str, Any]]
        if isinstance(indices, Mapping):
            self.indices = {string(name, "indices"): parameters_of(given, "indices") for name, given in indices.items()}
        else:
            expected = "names of indices, or a mapping from them to parameters"
            self.indices = {string(name, "indices"): {} for name in listed(indices, "indices", expected)}
        if not self.indices:
            raise wrong_value(indices, "indices", "at least one index")

    def _draw_all(self, axes: Any, how: dict[str, Any]) -> list[tuple[Any, str]]:
        self.best_ = []
        single = self._is_alone
        entries = []
        for row, source in enumerate(self.sources):
            dashes = source.style.dashes
            for place, (name, parameters) in enumerate(self.indices.items()):
                best = None if index(name).better == "neither" else source.table.best(name, **parameters)
                words = self._words_of(source, name, best)
                chosen = ink(axes, style_of(place))
                if not single:
                    chosen["linestyle"] = (0, dashes) if dashes else "-"
                x, y = self._curve(source, name, parameters)
                line = self._line(axes, x, y, chosen, words, how)
                if best is not None:
                    self._mark_best(axes, best, style_of(place).marker)
                if single or row == 0:
                    entries.append((line, wrapped(words if single else name)))
        return entries if single else [*entries, *self._models(axes)]

    def _models(self, axes: Any) -> list[tuple[Any, str]]:
        """What the legend says of several models: their dashes, in no index's colour."""
        keys = []
        for source in self.sources:
            default = ink(axes, REFERENCE._replace(dashes=source.style.dashes))
            keys.append((axes.plot([], [], **default)[0], wrapped(source.name or "")))
        return keys

    def _curve(self, source: Source, name: str, parameters: dict[str, Any]) -> Points:
        curve = source.table.curve("threshold", name, **parameters).simplify(self.max_points)
        shown = np.isfinite(curve.x)
        return curve.x[shown], curve.y[shown]

    def _mark_best(self, axes: Any, best: Best, marker: str) -> None:
        if np.isfinite(best.threshold):
            (point,) = axes.plot(
                [best.threshold], [best.value], marker=marker, color=self.lines_[-1].get_color(), markersize=5, zorder=3
            )
            self.best_.append(point)

    def _words_of(self, source: Source, name: str, best: Best | None) -> str:
        title = name if source.name is None or self._is_alone else f"{source.name}: {name}"
        if best is None:
            return title
        if best.value != best.value:
            return f"{title} (undefined at every threshold)"
        return f"{title} (best {number(best.value, 3)} at {number(best.threshold, 3)})"

    def _title(self) -> str | None:
        single = self.sources[0].name if self._is_alone else None
        return " ".join(part for part in (single, self.note) if part) or None

    def _finish(self, axes: Any) -> None:
        axes.set(xlabel=f"Threshold{self._about()}", ylabel="Index")

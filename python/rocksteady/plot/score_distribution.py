"""How the scores of both classes are distributed, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._arguments import one_of, real, whole
from rocksteady.charts.palette import REFERENCE
from rocksteady.plot.artist import escaped, ink, is_dark, properties, wrapped
from rocksteady.plot.display import ScoreDisplay
from rocksteady.plot.source import style_of
from rocksteady.table import number, one_line
from rocksteady.threshold import threshold_grid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from numpy.typing import NDArray

    from rocksteady.plot.source import Source, Tables
    from rocksteady.score import ScoreTable


class ScoreDistributionDisplay(ScoreDisplay):
    """Histograms of the scores of each class, from the counts of the score table at the edges of the bins.

    By default each class adds up to 1, so that a rare class is seen, too. Bins take the scores in [lower, upper), the last one its
    upper edge too; they run over [0, 1] where all scores do, else from the lowest score to the highest.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, or mapping from names to either
        One model or several; of several the positive class is drawn in full, the negative one dashed. Of more than two classes
        the rows of each class by their own scores.
    bins : int, optional
        How many, at least 1. Default: 50, of fewer than 2,000 rows 20.
    stat : {"share", "count"}
        The share of the class in each bin, or its rows (or their weight).
    threshold : float, optional
        Where rows are called positive: an upright line.
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, have a line.

    Attributes
    ----------
    steps_ : list of matplotlib patches
        For each model the histograms of the negative and of the positive class; `lines_` is the same.
    threshold_line_ : matplotlib line or None
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.ScoreDistributionDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=4, stat="count")
    >>> [steps.get_data().values.tolist() for steps in display.steps_]
    [[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
    """

    threshold_line_: Any

    _options = (*ScoreDisplay._options, "bins", "stat", "threshold")

    def __init__(
        self,
        tables: Tables,
        *,
        bins: int | None = None,
        stat: str = "share",
        threshold: float | None = None,
        classes: int | Sequence[Any] = 10,
        max_points: int | None = 1000,
    ) -> None:
        super().__init__(tables, classes=classes, max_points=max_points)
        one_of(stat, "stat", ("share", "count"))
        count = self._bars() if bins is None else whole(bins, "bins", "a whole number, 1 or more, or None", least=1)
        self.fractions = threshold_grid(count)[::-1]
        self.stat = stat
        self.threshold = None if threshold is None else real(threshold, "threshold")

    @property
    def steps_(self) -> list[Any]:
        """The histograms."""
        return self.lines_

    def plot(self, ax: Any = None, *, reference: bool = True, legend: bool = True, **kwargs: Any) -> Self:
        """Draws on `ax`, or on the axes of a new figure.

        Parameters
        ----------
        ax : matplotlib axes, optional
        reference : bool
            Whether to draw the threshold.
        legend : bool
        **kwargs
            matplotlib's properties of all histograms.

        Returns
        -------
        the display
        """
        self.threshold_line_ = None
        return super().plot(ax, reference=reference, legend=legend, **kwargs)

    def _draw_all(self, axes: Any, how: dict[str, Any]) -> list[tuple[Any, str]]:
        # The average of classes would be of all their scores at once, which are no distribution of anything.
        shown = [source for source in self.sources if source.style.marker] or self.sources
        return [entry for source in shown for entry in self._draw_classes(axes, source, how)]

    def _draw_classes(self, axes: Any, source: Source, how: dict[str, Any]) -> list[tuple[Any, str]]:
        edges, counts = self._histogram(source.table)
        single = len(self.sources) == 1 and not self._of_classes
        labels = ["rest", source.name] if self._of_classes else source.table.labels
        totals = (source.table.negatives, source.table.positives)
        entries = []
        for place, (label, values, total) in enumerate(zip(labels, counts, totals, strict=True)):
            if total == 0 or (self._of_classes and len(self.sources) > 1 and place == 0):
                continue
            style = style_of(1 - place) if single else source.style._replace(dashes=() if place else (2, 1.5))
            if self._of_classes:
                style = source.style
            line = {**ink(axes, style), "linewidth": 1.4 if single else 1.2}
            own = {"fill": single}
            name = f"{source.name}, " if source.name is not None and not self._of_classes else ""
            words = wrapped(f"{name}{one_line(label)} ({number(total, 6)})")
            chosen = properties({**line, **own, "label": escaped(words)}, how)
            colour = chosen.pop("color")  # which matplotlib would lose beside that of the inner part
            inner = {"facecolor": (*_rgb(colour), 0.2)} if single else {}
            steps = axes.stairs(values, edges, **{"edgecolor": colour, **inner, **chosen})
            self.lines_.append(steps)
            entries.append((steps, words))
        return entries

    def _histogram(self, table: ScoreTable) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Edges of bins, and what the negative and the positive class have in each."""
        lowest, highest = _ends(table)
        if lowest >= 0 and highest <= 1:
            lowest, highest = 0.0, 1.0
        elif lowest == highest:
            lowest, highest = lowest - 0.5, highest + 0.5
        edges = lowest * (1 - self.fractions) + highest * self.fractions  # a difference may be infinite
        edges[[0, -1]] = lowest, highest
        above = table.at(edges)
        # The last bin takes its upper edge, too.
        beyond = table.at(float(edges[-1]), side=">")
        names = ("fp", "tp") if self.stat == "count" else ("fpr", "recall")
        found = []
        for name in names:
            upwards, last = (
                np.asarray(getattr(counts, name) if self.stat == "count" else counts[name])
                for counts in (above, beyond)
            )
            at_ends = np.append(upwards[:-1], last)
            found.append(at_ends[:-1] - at_ends[1:])
        return edges, found

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        if self.threshold is None or not np.isfinite(self.threshold):
            return []
        colour = REFERENCE.dark if is_dark(axes) else REFERENCE.light
        self.threshold_line_ = axes.axvline(self.threshold, color=colour, linewidth=1.2, linestyle=(0, (3, 3)))
        self.reference_lines_.append(self.threshold_line_)
        return [(self.threshold_line_, f"threshold {number(self.threshold, 4)}")]

    def _finish(self, axes: Any) -> None:
        axes.set(xlabel="Score", ylabel="Share of the class" if self.stat == "share" else "Rows")
        axes.set_ylim(bottom=0, auto=None)  # another display may have taller bars


def _rgb(colour: Any) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb  # noqa: PLC0415 (who draws has matplotlib)

    return to_rgb(colour)


def _ends(table: ScoreTable) -> tuple[float, float]:
    """The lowest and the highest finite score."""
    all_rows = table.gains(1)
    ends = float(all_rows.lowest[0]), float(all_rows.highest[0])
    if np.isfinite(ends).all():
        return ends
    finite = table.thresholds[np.isfinite(table.thresholds)]
    return (float(finite[-1]), float(finite[0])) if len(finite) else (0.0, 1.0)

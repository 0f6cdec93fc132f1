"""The Kolmogorov–Smirnov chart, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.charts.palette import REFERENCE
from rocksteady.plot.artist import beside, ink
from rocksteady.plot.display import ScoreDisplay
from rocksteady.plot.source import style_of
from rocksteady.table import number

if TYPE_CHECKING:
    from rocksteady.plot.source import Source


class KsDisplay(ScoreDisplay):
    r"""KS charts: both rates over the threshold, and where they lie furthest apart, the best split by that measure.

    Of one model the false positive rate has a colour of its own, of several it is a thin line in the colour of the model. The
    upright segment is the Kolmogorov–Smirnov distance; its threshold stands beside it.

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
        True positive rates.
    fpr_lines_ : list of matplotlib lines
        False positive rates.
    distances_ : list of matplotlib lines
        The segments.
    text_ : matplotlib text or None
        What stands beside the segment of a single model.
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.KsDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.text_.get_text()
    'KS = 0.5000\nat 0.35'
    """

    fpr_lines_: list[Any]
    distances_: list[Any]
    text_: Any

    _index = "ks"
    _symbol = "KS"
    _most_inside = 2  # the curves of several models leave no room

    def _draw_all(self, axes: Any, how: dict[str, Any]) -> list[tuple[Any, str]]:
        self.fpr_lines_, self.distances_, self.text_ = [], [], None
        entries = [entry for source in self.sources for entry in self._draw_both(axes, source, how)]
        if not self._is_alone:
            thin = {**ink(axes, REFERENCE), "linestyle": "-", "linewidth": 0.7}
            return [*entries, (axes.plot([], [], **thin)[0], "thin: false positive rate")]
        if self.distances_:
            self._say_distance(axes, self.sources[0])
        return entries

    def _draw_both(self, axes: Any, source: Source, how: dict[str, Any]) -> list[tuple[Any, str]]:
        why, threshold = self._why(source), source.table.ks().threshold
        single = self._is_alone and np.isfinite(threshold)
        chosen = self._ink(axes, source)
        below = ink(axes, style_of(1)) if single else {**chosen, "linewidth": 0.7, "alpha": 0.7}
        name = f"{source.name}: " if source.name is not None else ""
        words = f"{name}true positive rate" if single else self._words(source)
        none: Any = np.empty(0)
        x, tpr, fpr = (none, none, none) if why else self._rates(source)
        upper = self._line(axes, x, tpr, chosen, words, how)
        lower = self._line(axes, x, fpr, below, f"{name}false positive rate", how)
        self.fpr_lines_.append(self.lines_.pop())
        if np.isfinite(threshold):  # it is none where the best split is between the missing scores and the others
            self._draw_distance(axes, source, chosen, single)
        if single:
            return [(upper, words), (lower, f"{name}false positive rate")]
        return [(upper, words)]

    def _rates(self, source: Source) -> tuple[Any, Any, Any]:
        curve = source.table.ks_curve(self.max_points)
        shown = np.isfinite(curve.thresholds)
        return curve.thresholds[shown], curve.tpr[shown], curve.fpr[shown]

    def _draw_distance(self, axes: Any, source: Source, chosen: dict[str, Any], single: bool) -> None:
        threshold = source.table.ks().threshold
        counts = source.table.at(threshold)
        ends = sorted([float(counts["fpr"]), float(counts["recall"])])
        how = (
            {"color": axes.xaxis.label.get_color(), "linewidth": 1.2}
            if single
            else {"color": chosen["color"], "linewidth": 0.8}
        )
        (segment,) = axes.plot([threshold] * 2, ends, **how, marker="_", markersize=7, zorder=3)
        self.distances_.append(segment)

    def _say_distance(self, axes: Any, source: Source) -> None:
        ks = source.table.ks()
        to_right, height = self._room(axes, ks.threshold)
        sign = "" if ks.sign >= 0 else "\n(reversed)"
        words = f"KS = {ks.value:.4f}\nat {number(ks.threshold, 4)}{sign}"
        self.text_ = beside(axes, ks.threshold, height, words, to_right=to_right)

    def _room(self, axes: Any, threshold: float) -> tuple[bool, float]:
        """On which side of the segment, and how high, words lie on neither curve."""
        low, high = self.distances_[0].get_ydata()
        left, right = axes.get_xlim()
        width, half = 0.24 * (right - left), 0.08
        # Between the curves there is most room at the left of the upper part, and at the right of the lower part.
        between = [(False, low + 0.75 * (high - low)), (True, low + 0.25 * (high - low))]
        around = [(side, height) for height in (0.5, 0.3, 0.7, 0.15, 0.85) for side in (False, True)]
        for to_right, height in [*between, *around]:
            start, end = (threshold, threshold + width) if to_right else (threshold - width, threshold)
            places = np.linspace(start, end, 50)
            if (
                left <= start
                and end <= right
                and all(
                    (heights > height + half).all() or (heights < height - half).all()
                    for heights in (_read(line, places) for line in (self.lines_[0], self.fpr_lines_[0]))
                )
            ):
                return to_right, height
        return between[0] if threshold > (left + right) / 2 else between[1]

    def _number(self, source: Source) -> str:
        ks = source.table.ks()
        return f"KS = {ks.value:.4f} at {number(ks.threshold, 4)}"

    def _finish(self, axes: Any) -> None:
        axes.set(
            ylim=(-0.01, 1.01),
            xlabel="Threshold",
            ylabel=f"Share at or above the threshold{self._about()}",
        )


def _read(line: Any, places: Any) -> Any:
    """The heights of a line that runs from right to left."""
    x, y = line.get_data()
    return np.interp(places, x[::-1], y[::-1])

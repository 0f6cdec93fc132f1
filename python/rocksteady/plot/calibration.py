"""Calibration, or reliability, drawn: what was promised and what came true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady.plot.display import ScoreDisplay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.plot.source import Source, Tables
    from rocksteady.scores.calibration import Calibration, Strategy

_MOST_MARKED = 100  # bins
# Below the axes: how far down the scores' axes begin, and how high they are, in heights of the axes above.
_GAP, _HEIGHT = 0.08, 0.22
_SCORES = "_scores"  # what they are called


class CalibrationDisplay(ScoreDisplay):
    """Calibration curves: how often each probability came true, with the expected calibration error, and the scores below.

    Each point is a bin of scores: its mean score and the share of positives in it, for at most two models with Wilson's interval of
    confidence. On the diagonal every probability comes true as often as it says. Below stand the numbers of scores. The error is
    that of the bins drawn if they are of one width, else that of ten such.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, or mapping from names to either
        One model or several, of two classes or of more; all scores in [0, 1].
    bins : int
    strategy : {"uniform", "quantile", "isotonic"}
    level : float
        As for `rocksteady.ScoreTable.calibration`.
    classes : int or list of labels
        Of more than two classes: which, or how many of the largest, have a line.
    max_points : int or None
        No line has more points than these.

    Attributes
    ----------
    curves : list of rocksteady.Calibration
    lines_, line_ : matplotlib lines, and the first of them
    intervals_ : list of matplotlib collections
    scores_ax_ : matplotlib axes
        Those below.
    bars_ : list of matplotlib patches
        The numbers of scores.
    reference_lines_ : list of matplotlib lines
    ax_, figure_ : matplotlib axes and figure

    Raises
    ------
    rocksteady.InputError
        If a score lies outside [0, 1].

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.CalibrationDisplay.from_predictions([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9], bins=2)
    >>> display.line_.get_ydata().round(3)
    array([0.333, 0.667])
    """

    scores_ax_: Any
    intervals_: list[Any]
    bars_: list[Any]

    _most_inside = 2  # the curves of several models leave no room
    _method: ClassVar[Any] = "predict_proba"
    _options = (*ScoreDisplay._options, "bins", "strategy", "level")
    _size: ClassVar[tuple[float, float]] = (5.4, 5.6)

    def __init__(
        self,
        tables: Tables,
        *,
        bins: int = 10,
        strategy: Strategy = "uniform",
        level: float = 0.95,
        classes: int | Sequence[Any] = 10,
        max_points: int | None = 1000,
    ) -> None:
        super().__init__(tables, classes=classes, max_points=max_points)
        # The number in the legend is of the bins that are drawn, if it is one of such bins at all.
        self._number_of = {"bins": bins} if strategy == "uniform" else {}
        self.curves: list[Calibration] = [
            source.table.calibration(bins, strategy=strategy, level=level) for source in self.sources
        ]

    def plot(
        self, ax: Any = None, *, reference: bool = True, legend: bool = True, scores: bool = True, **kwargs: Any
    ) -> CalibrationDisplay:
        """Draws on `ax`, or on the axes of a new figure.

        Parameters
        ----------
        ax : matplotlib axes, optional
        reference, legend : bool
        scores : bool
            Whether the scores stand below.
        **kwargs
            matplotlib's properties of all lines.

        Returns
        -------
        the display
        """
        self._with_scores = scores
        return super().plot(ax, reference=reference, legend=legend, **kwargs)

    def _draw_all(self, axes: Any, how: dict[str, Any]) -> list[tuple[Any, str]]:
        self.intervals_, self.bars_ = [], []
        entries = []
        for source, curve in zip(self.sources, self.curves, strict=True):
            chosen = self._ink(axes, source)
            marker = {"marker": source.style.marker or "o", "markersize": 4.5} if len(curve) <= _MOST_MARKED else {}
            words = self._words(source)
            line = self._line(axes, curve.mean_score, curve.observed, {**chosen, **marker}, words, how)
            entries.append((line, words))
            if len(self.sources) <= 2 and marker:
                bars = axes.vlines(
                    curve.mean_score, curve.low, curve.high, color=line.get_color(), alpha=0.5, linewidth=1
                )
                self.intervals_.append(bars)
        self.scores_ax_ = self._draw_scores(axes) if self._with_scores else None
        return entries

    def _draw_scores(self, axes: Any) -> Any:
        earlier = (inset for inset in axes.child_axes if inset.get_label() == _SCORES)
        below = next(earlier, None) or axes.inset_axes((0, -_GAP - _HEIGHT, 1, _HEIGHT), sharex=axes, label=_SCORES)
        # The average of classes has as many scores as all of them, and would flatten their bars.
        pairs = list(zip(self.sources, self.lines_, strict=True))
        shown = [pair for pair in pairs if pair[0].style.marker] or pairs
        for source, line in shown:
            weights, edges = _with_gaps(source.table.calibration(self._bars()))
            single = len(shown) == 1
            filled = {"fill": True, "alpha": 0.45} if single else {"fill": False, "linewidth": 1.0}
            self.bars_.append(below.stairs(weights, edges, color=line.get_color(), **filled))
        below.set(ylabel="Rows")
        below.set_ylim(bottom=0, auto=None)  # another display may have taller bars
        below.spines[["top", "right"]].set_visible(False)
        below.locator_params(axis="y", nbins=2)
        axes.tick_params(labelbottom=False)
        return below

    def _number(self, source: Source) -> str:
        return f"ECE = {source.value('expected_calibration_error', **self._number_of):.3f}"

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        return [self._reference_line(axes, [0, 1], [0, 1], "ideal")]

    def _finish(self, axes: Any) -> None:
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), ylabel=f"Share of positives{self._about()}")
        (axes if self.scores_ax_ is None else self.scores_ax_).set_xlabel("Mean score")


def _with_gaps(curve: Calibration) -> tuple[Any, Any]:
    """The weights of the bins with all edges, where bins without rows have been left out."""
    if not len(curve):  # no row has a weight
        return np.zeros(1), np.array([0.0, 1.0])
    weights: list[float] = []
    edges: list[float] = []
    for low, high, weight in zip(curve.lower.tolist(), curve.upper.tolist(), curve.weight.tolist(), strict=True):
        if edges and edges[-1] != low:
            weights.append(0.0)
            edges.append(low)
        elif not edges:
            edges.append(low)
        weights.append(weight)
        edges.append(high)
    return np.array(weights), np.array(edges)

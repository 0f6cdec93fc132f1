"""Precision against recall, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rocksteady.plot.display import CurveDisplay

if TYPE_CHECKING:
    from rocksteady.plot.display import Points
    from rocksteady.plot.source import Source


class PrecisionRecallDisplay(CurveDisplay):
    """Precision–recall curves by steps, with the average precision of each, which is the area below.

    The level line is the prevalence: the precision of chance. Several classes are drawn each against the rest, with the
    curve of all of them as one ranking (micro). Source: Manning, Raghavan, Schütze 2008, section 8.4.

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
    reference_lines_ : list of matplotlib lines
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_label()
    'AP = 0.833'
    """

    _index = "average_precision"
    _symbol = "AP"
    _size: ClassVar[tuple[float, float]] = (5.0, 5.0)

    def _points(self, source: Source) -> Points:
        curve = source.table.precision_recall_curve(max_points=self.max_points)
        return curve.recall, curve.precision

    def _ink(self, axes: Any, source: Source) -> dict[str, Any]:
        # The precision of a point holds from the recall before up to its own.
        return {**super()._ink(axes, source), "drawstyle": "steps-pre"}

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        return [
            self._reference_line(axes, [0, 1], [share, share], f"chance (prevalence = {share:.3f})")
            for share in sorted(self._prevalences())
        ]

    def _finish(self, axes: Any) -> None:
        axes.set(
            xlim=(-0.01, 1.01),
            ylim=(-0.01, 1.01),
            box_aspect=1,
            xlabel=f"Recall{self._about()}",
            ylabel="Precision",
        )

"""The receiver operating characteristic, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rocksteady.classes.score_tables import ScoreTables
from rocksteady.plot.display import CurveDisplay

if TYPE_CHECKING:
    from rocksteady.plot.display import Points
    from rocksteady.plot.source import Source


class RocDisplay(CurveDisplay):
    """ROC curves: the true against the false positive rate, with the area under each.

    The diagonal is what chance gives. Several classes are drawn each against the rest, with the mean of their curves (macro) and
    the curve of all of them as one ranking (micro). Source: Fawcett 2006, doi:10.1016/j.patrec.2005.10.010.

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
        In the order of the models.
    reference_lines_ : list of matplotlib lines
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_xdata(), display.line_.get_ydata()
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    >>> display.line_.get_label()
    'AUC = 0.750'
    """

    _index = "roc_auc"
    _symbol = "AUC"
    _mean = ("fpr", "recall")
    _size: ClassVar[tuple[float, float]] = (5.0, 5.0)

    def _points(self, source: Source) -> Points:
        if isinstance(source.statistic, ScoreTables):
            return self._mean_points(source.statistic)
        curve = source.statistic.roc_curve(self.max_points)
        return curve.fpr, curve.tpr

    def _draw_reference(self, axes: Any) -> list[tuple[Any, str]]:
        return [self._reference_line(axes, [0, 1], [0, 1], "chance")]

    def _finish(self, axes: Any) -> None:
        axes.set(
            xlim=(-0.01, 1.01),
            ylim=(-0.01, 1.01),
            box_aspect=1,
            xlabel="False positive rate",
            ylabel=f"True positive rate{self._about()}",
        )

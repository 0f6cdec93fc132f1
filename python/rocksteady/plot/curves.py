"""The displays of charts that have one curve for each model, which `rocksteady.charts.curves` describes."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, ClassVar

from rocksteady.charts import curves
from rocksteady.plot.display import ScoreDisplay

if TYPE_CHECKING:
    from rocksteady.charts.chart import Chart
    from rocksteady.charts.source import Lines, Source


class CurveDisplay(ScoreDisplay):
    """A display that has a curve for each model or class.

    A subclass says which, and has an example; the rest of its documentation is that of the chart and of `ScoreDisplay`.
    """

    _curve: ClassVar[curves.Curve]

    def __init_subclass__(cls) -> None:
        curve = cls._curve
        cls._has_mean = curve.has_mean
        cls._method = "predict_proba" if curve.is_of_probabilities else cls._method
        cls._size = (5.0, 5.0) if curve.is_square else cls._size
        if cls.__doc__ and ScoreDisplay.__doc__:  # there is none with python -OO
            first, _, example = inspect.cleandoc(cls.__doc__).partition("\n\nExamples\n")
            shared = inspect.cleandoc(ScoreDisplay.__doc__).partition("\n\n")[2]
            cls.__doc__ = f"{first}\n\n{curve.about}\n\n{shared}\n\nExamples\n{example}"

    def _chart(self, lines: Lines) -> Chart:
        return self._curve.chart(lines)

    def _why(self, source: Source) -> str | None:
        return self._curve.why(source)


class RocDisplay(CurveDisplay):
    """ROC curves: the true against the false positive rate, with the area under each.

    Several classes are drawn each against the rest, with the mean of their curves (macro) and the curve of all of them as one
    ranking (micro). Source: Fawcett 2006, doi:10.1016/j.patrec.2005.10.010.

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

    _curve = curves.ROC


class PrecisionRecallDisplay(CurveDisplay):
    """Precision–recall curves by steps, with the average precision of each, which is the area below.

    Several classes are drawn each against the rest, with the curve of all of them as one ranking (micro).
    Source: Manning, Raghavan, Schütze 2008, section 8.4.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_label()
    'AP = 0.833'
    """

    _curve = curves.PRECISION_RECALL


class DetDisplay(CurveDisplay):
    """DET curves: the false negative against the false positive rate on axes of normal deviates, with the equal error rate.

    Rates of 0 and of 1, which lie infinitely far out, are drawn at the edge; the data of the lines are normal deviates.
    Source: Martin et al. 1997, doi:10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.DetDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_label()
    'EER = 0.500'
    """

    _curve = curves.DET
    _corner = "upper right"


class GainDisplay(CurveDisplay):
    """Gain charts, which are also CAP curves, with the Gini coefficient.

    Source: Engelmann, Hayden, Tasche 2003.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.GainDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_ydata(), display.line_.get_label()
    (array([0. , 0.5, 0.5, 1. , 1. ]), 'Gini = 0.500')
    """

    _curve = curves.GAIN


class LiftDisplay(CurveDisplay):
    """Lift charts, with the lift of the first tenth of the rows.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.LiftDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.line_.get_ydata().round(3)
    array([  nan, 2.   , 1.   , 1.333, 1.   ])
    """

    _curve = curves.LIFT


class CostDisplay(CurveDisplay):
    """Cost curves: the least expected cost over all thresholds, for each balance of costs and classes.

    Source: Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.CostDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    >>> display.line_.get_xdata(), display.line_.get_ydata()
    (array([0. , 0.5, 1. ]), array([0.  , 0.25, 0.  ]))
    """

    _curve = curves.COST


class DecisionDisplay(CurveDisplay):
    """Decision curves: the net benefit of acting on the scores as probabilities, over the threshold probability.

    All scores must lie in [0, 1], else it raises `rocksteady.InputError`. There are `max_points` thresholds, at equal
    distances from 0 to just below 1; with None every score is one. Source: Vickers, Elkin 2006, doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> display = rs.plot.DecisionDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], max_points=4)
    >>> display.line_.get_xdata(), display.line_.get_ydata().round(3)
    (array([0.  , 0.25, 0.5 , 0.75]), array([0.5  , 0.417, 0.   , 0.25 ]))
    """

    _curve = curves.DECISION

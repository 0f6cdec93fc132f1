"""Drawing with matplotlib, which only this part of the package needs: ``pip install '.[plot]'`` in the clone.

Each display holds its data and draws them on any axes, as often as asked. All follow scikit-learn's convention:
``from_predictions``, ``from_estimator``, ``plot``, ``ax_``, ``figure_``, ``line_``. They also draw statistics that have
been counted already: ``from_tables``, ``from_matrix``. In the order in which data flow:

| module | owns |
|---|---|
| `source` | score tables of models or classes, from whatever a display was given |
| `artist` | colours, words and legends |
| `display` | what all displays of scores share |
| `curves` | charts with one curve for each model |
| `scores` | charts over the score or the threshold, calibration |
| `confusion` | a confusion matrix, drawn |
| `classes` | the rows of each predicted class, drawn |
| `uplift` | uplift, Qini and targeting operator curves |
| `matrix` | displays of a confusion matrix |
| `forest` | what forest plots share; that of differences between models |
| `groups` | a forest plot of groups |
| `evaluation` | the displays of an evaluation |

>>> import matplotlib; matplotlib.use("Agg")
>>> import rocksteady as rs
>>> display = rs.plot.RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model")
>>> display.line_.get_label()
'model (AUC = 0.750)'
"""

from typing import TYPE_CHECKING

from rocksteady.plot.classes import ClassPredictionErrorsDisplay
from rocksteady.plot.confusion import ConfusionMatrixDisplay
from rocksteady.plot.curves import DISPLAYS, CurveDisplay
from rocksteady.plot.scores import CalibrationDisplay, KsDisplay, ScoreDistributionDisplay, ThresholdIndicesDisplay
from rocksteady.plot.uplift import UpliftDisplay

__all__ = [
    "CalibrationDisplay",
    "ClassPredictionErrorsDisplay",
    "ConfusionMatrixDisplay",
    "KsDisplay",
    "ScoreDistributionDisplay",
    "ThresholdIndicesDisplay",
    "UpliftDisplay",
]
__all__ += DISPLAYS  # noqa: PLE0605 (they follow from their descriptions)

if not TYPE_CHECKING:
    globals().update(DISPLAYS)
else:  # for type checkers, which cannot see what follows from a description

    class CostDisplay(CurveDisplay): ...

    class DecisionDisplay(CurveDisplay): ...

    class DetDisplay(CurveDisplay): ...

    class GainDisplay(CurveDisplay): ...

    class LiftDisplay(CurveDisplay): ...

    class PrecisionRecallDisplay(CurveDisplay): ...

    class RiskCoverageDisplay(CurveDisplay): ...

    class RocDisplay(CurveDisplay): ...


def __dir__() -> list[str]:
    return sorted(__all__)

"""Drawing with matplotlib, which only this part of the package needs: ``pip install 'rocksteady[plot]'``.

Each display holds what is to be drawn and draws it on any axes, as often as asked. All follow scikit-learn's convention:
``from_predictions``, ``from_estimator``, ``plot``, ``ax_``, ``figure_``, ``line_``; and draw what is counted already:
``from_tables``, ``from_matrix``.

>>> import matplotlib; matplotlib.use("Agg")
>>> import rocksteady as rs
>>> display = rs.plot.RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model")
>>> display.line_.get_label()
'model (AUC = 0.750)'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocksteady.plot.calibration import CalibrationDisplay
    from rocksteady.plot.confusion import ConfusionMatrixDisplay
    from rocksteady.plot.cost import CostDisplay
    from rocksteady.plot.decision import DecisionDisplay
    from rocksteady.plot.det import DetDisplay
    from rocksteady.plot.gain import GainDisplay, LiftDisplay
    from rocksteady.plot.ks import KsDisplay
    from rocksteady.plot.precision_recall import PrecisionRecallDisplay
    from rocksteady.plot.roc import RocDisplay
    from rocksteady.plot.score_distribution import ScoreDistributionDisplay
    from rocksteady.plot.threshold_indices import ThresholdIndicesDisplay

__all__ = [
    "CalibrationDisplay",
    "ConfusionMatrixDisplay",
    "CostDisplay",
    "DecisionDisplay",
    "DetDisplay",
    "GainDisplay",
    "KsDisplay",
    "LiftDisplay",
    "PrecisionRecallDisplay",
    "RocDisplay",
    "ScoreDistributionDisplay",
    "ThresholdIndicesDisplay",
]

_MODULES = {
    "CalibrationDisplay": "calibration",
    "ConfusionMatrixDisplay": "confusion",
    "CostDisplay": "cost",
    "DecisionDisplay": "decision",
    "DetDisplay": "det",
    "GainDisplay": "gain",
    "KsDisplay": "ks",
    "LiftDisplay": "gain",
    "PrecisionRecallDisplay": "precision_recall",
    "RocDisplay": "roc",
    "ScoreDistributionDisplay": "score_distribution",
    "ThresholdIndicesDisplay": "threshold_indices",
}


def __getattr__(name: str) -> Any:
    """A display, imported when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    globals()[name] = found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

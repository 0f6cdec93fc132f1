"""A pytest plugin that runs scikit-learn's own tests of its displays with the classes of rocksteady.metrics in their place.

python -m pytest -c tests/conformance/pytest.ini -p displays --pyargs sklearn.metrics._plot.tests.test_roc_curve_display

The report, JSON in ``$ROCKSTEADY_CONFORMANCE``, says how each test ended.
"""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
import sklearn.calibration
import sklearn.metrics

import rocksteady.metrics

mpl.use("Agg")

OUTCOMES: dict[str, str] = {}

for name in ("RocCurveDisplay", "PrecisionRecallDisplay", "DetCurveDisplay", "ConfusionMatrixDisplay"):
    setattr(sklearn.metrics, name, getattr(rocksteady.metrics, name))
    # Whoever would still reach for the original must not find it.
    home = {"RocCurveDisplay": "roc_curve", "PrecisionRecallDisplay": "precision_recall_curve"}
    home |= {"DetCurveDisplay": "det_curve", "ConfusionMatrixDisplay": "confusion_matrix"}
    setattr(importlib.import_module(f"sklearn.metrics._plot.{home[name]}"), name, getattr(rocksteady.metrics, name))
sklearn.calibration.CalibrationDisplay = rocksteady.metrics.CalibrationDisplay


def pytest_runtest_logreport(report: Any) -> None:
    """How each test ended."""
    if report.when == "call" or report.skipped or report.failed:
        OUTCOMES[report.nodeid.rpartition("/")[2]] = report.outcome


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Write the report."""
    Path(os.environ["ROCKSTEADY_CONFORMANCE"]).write_text(json.dumps(OUTCOMES))

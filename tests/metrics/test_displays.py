"""scikit-learn's displays and ours: scikit-learn's own tests pass, and both draw the same picture, to the pixel."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import sklearn.calibration
import sklearn.metrics
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

from rocksteady import metrics

HERE = Path(__file__).parents[1]
FILES = [
    f"sklearn.metrics._plot.tests.test_{name}_display"
    for name in ("common_curve", "confusion_matrix", "det_curve", "precision_recall", "roc_curve")
]
NOT_OURS = {
    "test_display_validate_plot_params": "A private method that only these tests call.",
    "test_confusion_matrix_display_validation": "Of targets of two kinds, confusion_matrix says what scikit-learn's does.",
}


def test_scikit_learns_own_tests_pass(tmp_path):
    report = tmp_path / "report.json"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(HERE / "conformance"), str(Path(metrics.__file__).parents[2]))),
        "ROCKSTEADY_CONFORMANCE": str(report),
        "OMP_NUM_THREADS": "1",
        "PYTEST_ADDOPTS": "",
    }
    settings = str(HERE / "conformance" / "pytest.ini")
    command = [sys.executable, "-m", "pytest", "-q", "-c", settings, "-p", "displays", "--pyargs", *FILES]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode in (0, 1), run.stdout[-5000:]
    ended = json.loads(report.read_text())
    failed = [
        name for name, outcome in ended.items() if outcome == "failed" and not any(part in name for part in NOT_OURS)
    ]
    assert not failed, f"{failed}\n{run.stdout[-5000:]}"
    assert sum(outcome == "passed" for outcome in ended.values()) > 300


@pytest.fixture(scope="module")
def problem():
    X, y = make_classification(n_samples=300, n_features=6, flip_y=0.2, random_state=0)
    weights = np.random.default_rng(1).integers(1, 4, len(y))  # whole: sums of floats may differ in their last bits
    return X, y, LogisticRegression().fit(X, y), weights


def theirs(name):
    return getattr(sklearn.calibration if name == "CalibrationDisplay" else sklearn.metrics, name)


def picture(draw):
    """The pixels of what is drawn on new axes."""
    figure, axes = plt.subplots(figsize=(5, 5), dpi=60)
    try:
        draw(axes)
        figure.canvas.draw()
        return np.asarray(figure.canvas.buffer_rgba()).copy()
    finally:
        plt.close(figure)


def same_picture(name, method, /, *arguments, **options):
    blank = picture(lambda axes: None)
    pictures = [
        picture(lambda axes, kind=kind: getattr(kind, method)(*arguments, ax=axes, **options))
        for kind in (getattr(metrics, name), theirs(name))
    ]
    assert np.array_equal(*pictures)
    assert not np.array_equal(pictures[0], blank)


CURVES = ("RocCurveDisplay", "PrecisionRecallDisplay", "DetCurveDisplay", "CalibrationDisplay")
OPTIONS = {
    "RocCurveDisplay": [
        {},
        {"plot_chance_level": True, "despine": True, "curve_kwargs": {"c": "r", "lw": 3}, "drop_intermediate": False},
        {"pos_label": 0, "name": "model", "chance_level_kw": {"ls": ":"}, "plot_chance_level": True},
    ],
    "PrecisionRecallDisplay": [{}, {"plot_chance_level": True, "name": "model", "despine": True}, {"pos_label": 0}],
    "DetCurveDisplay": [{}, {"name": "model", "color": "g"}],
    "CalibrationDisplay": [{}, {"n_bins": 7, "strategy": "quantile", "ref_line": False, "c": "m"}],
}


@pytest.mark.parametrize(("name", "options"), [(name, options) for name in CURVES for options in OPTIONS[name]])
def test_curves_are_the_same_pictures(problem, name, options):
    X, y, model, _ = problem
    same_picture(name, "from_predictions", y, model.predict_proba(X)[:, 1], **options)
    same_picture(name, "from_estimator", model, X, y, **options)


@pytest.mark.parametrize("name", ["RocCurveDisplay", "PrecisionRecallDisplay"])
@pytest.mark.parametrize("options", [{}, {"plot_chance_level": True}, {"curve_kwargs": [{"c": "C0"}] * 5, "name": "m"}])
def test_folds_are_the_same_pictures(problem, name, options):
    X, y, model, weights = problem
    folds = cross_validate(model, X, y, return_estimator=True, return_indices=True)
    same_picture(name, "from_cv_results", folds, X, y, sample_weight=weights, **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"normalize": "true", "values_format": ".1%", "cmap": "Blues", "colorbar": False},
        {"display_labels": ["no", "yes"], "xticks_rotation": 45, "text_kw": {"size": 20}, "im_kw": {"cmap": "gray"}},
        {"include_values": False},
    ],
)
def test_matrices_are_the_same_pictures(problem, options):
    X, y, model, weights = problem
    same_picture("ConfusionMatrixDisplay", "from_predictions", y, model.predict(X), **options)
    same_picture("ConfusionMatrixDisplay", "from_estimator", model, X, y, sample_weight=weights, **options)


def test_a_display_is_drawn_as_often_as_asked(problem):
    X, y, model, _ = problem
    display = metrics.RocCurveDisplay.from_predictions(y, model.predict_proba(X)[:, 1], name="one")
    _, axes = plt.subplots()
    again = display.plot(ax=axes, name="two")
    assert again is display
    assert display.ax_ is axes
    assert display.line_.get_label().startswith("two (AUC = ")
    plt.close("all")


def test_without_matplotlib_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from rocksteady.metrics import RocCurveDisplay\n"
        "try: RocCurveDisplay.from_predictions([0, 1], [0.1, 0.9])\n"
        "except ImportError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert (
        said
        == "RocCurveDisplay.from_predictions requires matplotlib. You can install matplotlib with `pip install matplotlib`\n"
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([0, 1, 2], [0.1, 0.2, 0.3]), "The target y is not binary"),
        (([0.5, 1.5], [0.1, 0.2]), "Got continuous type of target"),
        (([0, 1], [0.1]), "inconsistent numbers of samples"),
        ((["a", "b"], [0.1, 0.2]), "pos_label is not specified"),
    ],
)
def test_nonsense_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        metrics.RocCurveDisplay.from_predictions(*given)

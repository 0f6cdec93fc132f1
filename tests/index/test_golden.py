"""Values printed in papers or computed by other programs; see `tests/data` and ROCKSTEADY_DATA."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def golden():
    folder = os.environ.get("ROCKSTEADY_DATA")
    if not folder:
        pytest.skip("ROCKSTEADY_DATA does not name the folder with golden.json")
    return json.loads((Path(folder) / "golden.json").read_text())


@pytest.fixture(scope="module")
def rocr():
    scores, labels = np.loadtxt(EXAMPLES / "rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
    return labels.astype(int), scores


def test_rocr_simple(rocr):
    """R's ROCR 1.0-11 and scikit-learn 1.9 on ROCR.simple; the fourth source paper prints AUC and KS."""
    table = rs.ScoreTable(*rocr)
    assert table["roc_auc"] == pytest.approx(0.834187518842, abs=1e-12)
    assert table["roc_auc"] == 2767 / 3317
    assert table["gini"] == pytest.approx(2 * 2767 / 3317 - 1, abs=1e-15)
    ks = table.ks()
    assert ks.value == pytest.approx(0.699929655311, abs=1e-12)
    assert ks.threshold == pytest.approx(0.501489336, abs=1e-9)
    assert ks.sign == 1
    counts = table.at(0.5)
    assert [counts.tn, counts.fp, counts.fn, counts.tp] == [91, 16, 14, 79]
    assert counts["mcc"] == pytest.approx(0.699087, abs=5e-7)
    assert counts["kappa"] == pytest.approx(0.698946, abs=5e-7)
    assert table["average_precision"] == pytest.approx(0.784645, abs=5e-7)
    sums = rs.ProbabilitySums(*rocr)
    assert sums["log_loss"] == pytest.approx(0.556176, abs=5e-7)
    assert sums["brier"] == pytest.approx(0.167663, abs=5e-7)


def test_gain_and_lift_of_rocr_simple(rocr):
    """The fourth paper's lift chart: 1.774 at RPP 0.2, 1.699 at 0.5, 1 at 1."""
    table = rs.ScoreTable(*rocr)
    rpp, lift = table.curve("rpp", "lift")
    for share, value in [(0.1, 1.72), (0.2, 1.774), (0.3, 1.792), (0.4, 1.774), (0.5, 1.699), (0.8, 1.183), (1, 1)]:
        assert lift[np.argmin(np.abs(rpp - share))] == pytest.approx(value, abs=6e-4)
    assert np.isnan(lift[0])


def test_one_positive_in_a_hundred():
    """The first source paper's example."""
    cm = rs.ConfusionMatrix([1] + [0] * 99, [0] * 100)
    assert cm["accuracy"] == 0.99
    assert cm["balanced_accuracy"] == 0.5


def test_all_matrices_of_the_golden_file(golden):
    assert len(golden["multiclass"]) == 24
    for case in golden["multiclass"]:
        cm = rs.ConfusionMatrix.from_counts(case["matrix"])
        theirs, numpy = case["sklearn"], case["numpy"]
        expected = {
            "accuracy": theirs.get("accuracy"),
            "balanced_accuracy": theirs.get("balanced_accuracy_present_classes"),
            "mcc": theirs.get("mcc"),
            "kappa": theirs.get("kappa"),
            "cen": numpy.get("cen"),
            "mcen": numpy.get("mcen"),
            "rci": numpy.get("rci"),
        }
        for name, value in expected.items():
            if value is not None:
                assert cm[name] == pytest.approx(value, abs=1e-12), (case["name"], name)
        for key, name in [("Overall_CEN", "cen"), ("Overall_MCEN", "mcen"), ("RCI", "rci"), ("Kappa", "kappa")]:
            value = case["pycm"].get(key)
            if isinstance(value, float):
                assert cm[name] == pytest.approx(value, abs=1e-12), (case["name"], key)
        for average in ("macro", "micro", "weighted"):
            value = theirs.get(f"f1_{average}")
            if value is not None:
                assert cm.value("f1", average=average) == pytest.approx(value, abs=1e-12), (case["name"], average)
        np.testing.assert_allclose(cm.every("cen"), numpy["cen_class"], atol=1e-12, err_msg=case["name"])


@pytest.mark.parametrize("name", ["ROCR.hiv.svm", "ROCR.xval"])
def test_the_runs_of_rocr(golden, name):
    fold, scores, labels = np.loadtxt(
        Path(os.environ["ROCKSTEADY_DATA"]) / f"{name}.csv", delimiter=",", skiprows=1, unpack=True
    )
    for place, run in enumerate(np.unique(fold)):
        table = rs.ScoreTable(labels[fold == run], scores[fold == run])
        assert table["roc_auc"] == pytest.approx(golden[name]["auc_per_fold_sklearn"][place], abs=1e-12)
        assert table["ks"] == pytest.approx(golden[name]["ks_per_fold_scipy"][place], abs=1e-12)

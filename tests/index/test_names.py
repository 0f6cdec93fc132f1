"""Indices are found by name: in any spelling, by the names of other packages, or told why not and what to call."""

from __future__ import annotations

import csv
import inspect
import math
import timeit
from collections import Counter
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics

import rocksteady as rs

ELSEWHERE = Path(__file__).parents[2] / "src" / "derive" / "index" / "names" / "elsewhere.tsv"
with ELSEWHERE.open(encoding="utf-8") as _file:
    ROWS = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))
Y = np.array([0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1])
SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.55, 0.7, 0.6, 0.2, 0.9, 0.5, 0.3, 0.45])

# Spellings that another package has for another index; they are told the difference.
ELSEWHERE_ANOTHER = {"CSI", "CosineSimilarity", "HammingDistance"}

# Words of notes that are no names of indices.
OTHERS = {"pos_label", "event_level", "every_pycm", "max_fpr"}


def told(name):
    """What an unknown name is told, after "is not the name of an index"."""
    with pytest.raises(rs.UnknownIndexError) as refused:
        rs.index(name)
    sentence, _, rest = str(refused.value).partition(" is not the name of an index")
    assert sentence == (f'"{name}"' if len(name) <= 60 else f'"{name[:60]}"…')
    assert refused.value.value == name
    return rest


def answered(row):
    """The answer that the table has for a name, its own or the answer of another name."""
    of_name = {other["name"]: other["tells"] for other in reversed(ROWS) if not other["finds"]}
    return row["tells"] or of_name.get(row["same_as"])


def is_unknown(name):
    """Whether a name is neither found nor told what to call."""
    try:
        rs.index(name)
    except rs.UnknownIndexError as error:
        return "index: " not in str(error)
    return False


# Spellings


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("ROC AUC", "roc_auc"),
        ("roc-auc", "roc_auc"),
        ("AUROC", "roc_auc"),
        ("AP", "average_precision"),
        ("Matthews-Corrcoef", "mcc"),
        ("MatthewsCorrCoef", "mcc"),
        ("Cramér's V", "cramers_v"),
        ("F₁", "f1"),
        ("F0.5", "f0_5"),
        ("κ", "kappa"),
        ("H", "h_measure"),
        ("J", "jaccard"),
        ("Youden's J", "informedness"),
        ("  balanced   accuracy ", "balanced_accuracy"),
        ("Area under the ROC curve", "roc_auc"),
        ("1 - specificity", "fpr"),
        ("binary_auroc", "roc_auc"),
    ],
)
def test_a_name_in_any_spelling(name, row):
    assert rs.index(name).name == row


def test_every_name_in_every_spelling():
    for row in rs.indices():
        for name in (row.name, *row.aliases):
            spaced = name.replace("_", " ")
            for spelling in (
                name,
                name.upper(),
                spaced,
                spaced.title(),
                name.replace("_", "-"),
                spaced.title().replace(" ", ""),
            ):
                if spelling not in ELSEWHERE_ANOTHER:
                    assert rs.index(spelling).name == row.name, spelling
        assert rs.index(row.title).name == row.name


def test_every_look_up_takes_any_spelling():
    cm = rs.ConfusionMatrix(Y, SCORES >= 0.5)
    table = rs.ScoreTable(Y, SCORES)
    ev = rs.evaluate(Y, SCORES)
    assert cm["Matthews-Corrcoef"] == cm["mcc"]
    assert ev["ROC AUC"] == table["Roc-Auc"] == table["roc_auc"]
    assert cm.why("F1 Score") is None
    assert cm.every("Positive Predictive Value").tolist() == cm.every("precision").tolist()
    assert cm.value("F1", average="macro") == cm.value("f1", average="macro")
    assert cm.interval("True Positive Rate") == cm.interval("recall")
    assert cm.value("F-Beta", beta=2) == cm.value("fbeta", beta=2)
    assert cm.counts()["Sensitivity"].tolist() == cm.every("recall").tolist()
    assert table.every("Recall").tolist() == table.every("recall").tolist()
    assert table.best("F1") == table.best("f1")
    assert table.curve("FPR", "TPR").area() == table["roc_auc"]
    assert "ROC AUC" in ev
    assert ev.summary(["ROC AUC", "F1"]).rows[0][1] == ev["roc_auc"]
    assert rs.ProbabilitySums(Y, SCORES)["Log Loss"] == table["log_loss"]


def test_a_name_as_it_stands_goes_first():
    rs.define_index("Recall", "tp / n")
    try:
        counts = rs.Counts(2, 0, 2, 0)
        assert (counts["recall"], counts["Recall"]) == (0.5, 0.5)
        assert rs.index("Recall").family == "defined"
        assert rs.index("recall").family == "rates"
        assert told("RECALL") == " as it is written; it may be recall or Recall"
    finally:
        rs.undefine_index("Recall")
    assert rs.index("RECALL").family == "rates"


def test_an_index_of_ones_own_in_any_spelling():
    rs.define_index("net_profit", "10 * tp - fp", aliases=["gain_per_call"])
    try:
        assert rs.index("Net Profit").name == rs.index("GAIN-PER-CALL").name == "net_profit"
    finally:
        rs.undefine_index("Net-Profit")
    assert "did you mean" in told("net profit") or "lists them" in told("net profit")


def test_exact_names_cost_one_look_up():
    exact = min(timeit.repeat(lambda: rs.index("roc_auc"), number=200, repeat=5)) / 200
    assert exact < 20e-6
    for name in ("sensitivity score value", "x" * 100, "no such index at all, with many words in its long name"):
        assert min(timeit.repeat(lambda name=name: told(name), number=1, repeat=10)) < 20e-3
    rs.index("x" * 0 + "f1")
    with pytest.raises(rs.UnknownIndexError, match="lists them"):
        rs.index("f1 " * 1000)


# Other packages


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['package']}-{row['name']}")
def test_a_name_of_another_package(row):
    if row["finds"]:
        assert rs.index(row["name"]).name == row["finds"]
    else:
        answer = told(row["name"])
        assert answer == f": {answered(row)}" if answered(row) else answer.startswith(": ")
        assert len(answer) < 450


def test_ten_names_of_each_of_ten_packages():
    packages = Counter(row["package"] for row in ROWS if row["package"])
    assert sum(count >= 10 for count in packages.values()) >= 10
    assert len({(row["package"], row["name"]) for row in ROWS}) == len(ROWS)
    versions = {(row["package"], row["version"]) for row in ROWS if row["package"]}
    assert len(versions) == len(packages)


def test_answers_name_indices_and_calls_that_are_there():
    import re

    names = {name for row in rs.indices() for name in (row.name, *row.aliases)}
    for row in ROWS:
        if not row["finds"]:
            for name in re.findall(r"cm\.(?:value|interval|interpret|every)\(\"(\w+)\"", told(row["name"])):
                assert name in names
            for owner, kind in (("cm", rs.ConfusionMatrix), ("table", rs.ScoreTable), ("tables", rs.ScoreTables)):
                for method in re.findall(rf"\b{owner}\.(\w+)\(", told(row["name"])):
                    assert hasattr(kind, method), (row["name"], method)
            for name in re.findall(r"rocksteady\.(\w+(?:\.\w+)*)", told(row["name"])):
                assert attrgetter(name)(rs) is not None
        else:
            for name in re.findall(r"[a-z]+_[a-z_]+[a-z]", row["tells"]):
                assert name in names or hasattr(rs.metrics, name) or name in OTHERS, name


def test_scikit_learns_names_find_its_values():
    """What is found under a name of scikit-learn's has the value of its function."""
    labels = (SCORES >= 0.5).astype(int)
    cm, table = rs.ConfusionMatrix(Y, labels), rs.ScoreTable(Y, SCORES)
    compared = 0
    for row in ROWS:
        function = getattr(sklearn.metrics, row["name"], None)
        if row["package"] != "scikit-learn" or not row["finds"] or function is None or row["name"] == "auc":
            continue
        parameters = list(inspect.signature(function).parameters)
        of_scores = parameters[1] in ("y_score", "y_proba")
        given = {"beta": 2.0} if row["name"] == "fbeta_score" else {}
        expected = function(Y, SCORES if of_scores else labels, **given)
        found = (table if of_scores else cm).value(row["name"], **given)
        assert found == pytest.approx(expected, rel=1e-12), row["name"]
        compared += 1
    assert compared >= 25


def test_the_names_of_scorers_are_found_or_told():
    assert [name for name in rs.metrics.get_scorer_names() if is_unknown(name)] == []


def test_the_names_of_pycm_are_found_or_told():
    assert [name for name in rs.pycm.NAMES if is_unknown(name)] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pr_auc", ["average_precision", "pr_auc_linear", "pr_auc_continuous"]),
        ("CSI", ["jaccard", "classification_success_index"]),
        ("mutual_info_score", ["nats", "bits", "base=math.e"]),
        ("brier_class", ["brier", "half"]),
        ("neg_log_loss", ["log_loss", "sign turned"]),
        ("recall_weighted", ['cm.value("recall", average="weighted")']),
        ("roc_auc_micro", ['tables.value("roc_auc", average="micro")']),
        ("max_f1", ['table.best("f1")']),
        ("PPV Micro", ['cm.value("precision", average="micro")']),
        ("Mean_F1", ['cm.value("f1", average="macro")']),
        ("precisionByLabel", ['cm.every("precision")']),
        ("MultilabelF1Score", ["metrics.f1_score"]),
        ("binary_confusion_matrix", ["ConfusionMatrix"]),
        ("r2_score", ["not regression"]),
    ],
)
def test_a_name_with_another_meaning_is_told(name, words):
    for word in words:
        assert word in told(name)


def test_what_is_told_can_be_called():
    cm = rs.ConfusionMatrix(Y, SCORES >= 0.5)
    nats = sklearn.metrics.mutual_info_score(Y, SCORES >= 0.5)
    assert cm.value("mutual_information", base=math.e) == pytest.approx(nats)
    table = rs.ScoreTable(Y, SCORES)
    assert 0 <= table.value("sensitivity_at_specificity", min_specificity=0.95) <= 1
    assert 0 <= table.value("specificity_at_sensitivity", min_sensitivity=0.95) <= 1


# Suggestions


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("recal", "recall"),
        ("balanced acuracy", "balanced_accuracy"),
        ("sensitivity score value", "recall"),
        ("lift at 10 percent", "enrichment_factor"),
        ("rate of false positives", "fpr"),
        ("correlation coefficient of matthews", "mcc"),
        ("expected error of calibration", "expected_calibration_error"),
        ("percentage of correct predictions", "accuracy"),
        ("precision in the top 5 %", "top_precision"),
    ],
)
def test_suggestions_go_by_letters_and_by_meaning(name, row):
    answer = told(name)
    assert answer.startswith("; did you mean ")
    assert f'"{row}"' in answer


def test_false_alarms_are_two_rates():
    assert rs.index("false alarm rate").name == "fpr"
    assert rs.index("false alarm ratio").name == "fdr"


@pytest.mark.parametrize("name", ["", " ", "…", "_", "\n", "日本語", "🎯", "a" * 100, '"quoted"', "%s {}", "\x00"])
def test_names_that_are_none_are_refused(name):
    with pytest.raises(rs.UnknownIndexError, match="is not the name of an index"):
        rs.index(name)


# Functions that rocksteady.metrics does not have


def test_metrics_tells_where_other_names_are():
    with pytest.raises(ImportError, match="classification and ranking only") as refused:
        from rocksteady.metrics import mean_squared_error  # noqa: F401
    assert "sklearn.metrics" in str(refused.value)
    assert "patch_sklearn" in str(refused.value)
    with pytest.raises(AttributeError, match="classification and ranking only"):
        _ = rs.metrics.mean_squared_error
    with pytest.raises(ImportError, match="did you mean 'roc_auc_score'"):
        from rocksteady.metrics import roc_auc_scor  # noqa: F401
    with pytest.raises(AttributeError, match="rocksteady.index\\('specificity'\\)"):
        _ = rs.metrics.specificity_score
    assert not hasattr(rs.metrics, "r2_score")
    assert getattr(rs.metrics, "no_such_function", None) is None
    assert not hasattr(rs.metrics, "__wrapped__")


def test_metrics_knows_every_name_of_scikit_learn():
    from rocksteady.base.names.missing import _SKLEARN

    assert set(sklearn.metrics.__all__) - set(rs.metrics.__all__) <= set(_SKLEARN.split())
    for name in _SKLEARN.split():
        with pytest.raises(AttributeError, match="Import it from sklearn.metrics"):
            getattr(rs.metrics, name)

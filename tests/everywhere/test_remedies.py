"""Every remedy that a message names is tried: the call that was refused is made again as the message says."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import rocksteady as rs
from rocksteady import fairness, inference
from rocksteady.base import hints
from rocksteady.plot.groups import GroupsDisplay
from rocksteady.scores.score_view import ScoreView

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "python" / "rocksteady"

ROWS = 200
RANDOM = np.random.default_rng(0)
Y = RANDOM.integers(0, 2, ROWS)
P = np.clip(Y * 0.3 + RANDOM.random(ROWS) * 0.7, 0, 1)
PRED = (P > 0.5).astype(int)
KEYS = np.arange(ROWS) % 3
RARE = (np.arange(ROWS) % 10 == 0).astype(int)
GAPS = np.where(P > 0.95, np.nan, P)
THREE, PROBA3 = KEYS, np.eye(3)[KEYS] * 0.4 + 0.2
PROBA2 = np.column_stack([1 - P, P])
MATRIX, SCORES = np.column_stack([Y, 1 - Y]), np.column_stack([P, 1 - P * 0.5])
LOTS = np.arange(2000)
SERIES, OTHER = pd.Series(Y), pd.Series(P).sample(frac=1, random_state=1)
KEYED = pd.Series(KEYS).sample(frac=1, random_state=2)
MANY = RANDOM.random(100_000)
FINE = pd.Series(pd.date_range("2024", periods=ROWS, tz="Europe/Berlin", unit="ns") + pd.Timedelta(1, "ns"))

TABLE, CM, EV = rs.ScoreTable(Y, P), rs.ConfusionMatrix(Y, PRED), rs.evaluate(Y, P)
BY = rs.group_by(Y, PRED, P, by=KEYS)
FRAME = {"y": [0, 1, 1], "p": [0.2, 0.9, 0.4]}
SKETCH = rs.ScoreSketch(MANY > 0.4, np.sin(MANY * 9), cells=64)
BOUNDED = rs.evaluate(MANY > 0.4, np.sin(MANY * 9), bounded=True)
COSTS, KEPT = (rs.CostTable(Y, P, costs={"fn": P}, squares=squares) for squares in (False, True))
WINDOW = rs.Window(parts=2)
WINDOW.update("2024-03-01", rs.ConfusionMatrix(Y, PRED))
LABELS = rs.evaluate(MATRIX, SCORES)
OF_THREE = rs.evaluate(np.arange(ROWS) % 3, y_proba=RANDOM.dirichlet([1, 1, 1], ROWS))


def attribute(owner: object, name: str) -> object:
    """An attribute; before Python 3.12, where objects do not say it themselves, what they would say."""
    if sys.version_info < (3, 12):
        raise AttributeError(hints.of_attribute(owner, name))
    return getattr(owner, name)


class Remedy(NamedTuple):
    """A call, what its message says, and the call again as the message says."""

    call: Callable[[], object]
    says: str
    cure: Callable[[], object]


def said_by(call: Callable[[], object]) -> str:
    """The message of a refusal, the warnings of a call, and the note or the reason in its result."""
    said = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = call()
        except (rs.RocksteadyError, AttributeError, ImportError) as refused:
            said.append(str(refused))
        else:
            said += [text for name in ("note", "why") if isinstance(text := getattr(found, name, None), str)]
    return "\n".join([*said, *(str(one.message) for one in caught)])


def accepts(call: Callable[[], object], says: str) -> bool:
    """Whether a call is not refused, and does not say that again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call()
    return says not in said_by(call)


def without(module: str, call: Callable[[], object]) -> object:
    """The call where a module is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module, None)
        return call()


def frame(**columns: Any) -> Any:
    return pd.DataFrame(columns)


def update(collector: Any, *columns: Any) -> Any:
    collector.update(*columns)
    return collector


class OfSpark:
    """What is taken for a frame of Spark."""

    __module__ = "pyspark.sql"

    def toPandas(self) -> Any:  # noqa: N802 (Spark's name)
        return frame(y=Y, p=P)


def of_dask() -> Any:
    return pytest.importorskip("dask.dataframe").from_pandas(frame(y=Y, p=P), npartitions=2)


REMEDIES = {
    # Columns that are another argument, or those of another statistic.
    "scores of several classes": Remedy(
        lambda: rs.ScoreTable(THREE, P),
        "use y_proba of evaluate, or ScoreTables",
        lambda: rs.ScoreTables(THREE, PROBA3),
    ),
    "predicted classes of several": Remedy(
        lambda: rs.evaluate(THREE, THREE),
        "for predicted classes use y_pred of evaluate",
        lambda: rs.evaluate(THREE, y_pred=THREE),
    ),
    "a confidence level": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": Y}, inference=True).leaderboard("roc_auc", confidence=0.9),
        "the confidence level is level=",
        lambda: rs.evaluate(Y, {"a": P, "b": Y}, inference=True).leaderboard("roc_auc", level=0.9),
    ),
    "a pair in the other order": Remedy(
        lambda: rs.inference.compare_labels(Y, {"a": Y, "b": 1 - Y}).pairs["b", "a"],
        "two models in the order in which they were given: ('a', 'b')",
        lambda: rs.inference.compare_labels(Y, {"a": Y, "b": 1 - Y}).pairs["a", "b"],
    ),
    "scores as predictions": Remedy(
        lambda: rs.ConfusionMatrix(Y, P),
        "for scores and probabilities use y_score or y_proba of evaluate, or ScoreTable",
        lambda: rs.ScoreTable(Y, P),
    ),
    "predictions as scores": Remedy(
        lambda: rs.ScoreTable(["a", "b"], ["a", "b"]),
        "for predicted classes use y_pred of evaluate, or ConfusionMatrix",
        lambda: rs.ConfusionMatrix(["a", "b"], ["a", "b"]),
    ),
    "one column as several": Remedy(
        lambda: rs.ScoreTables(Y, P), "use y_score of evaluate, or ScoreTable", lambda: rs.ScoreTable(Y, P)
    ),
    "several labels a row": Remedy(
        lambda: rs.ScoreTable(MATRIX, SCORES), "use LabelScoreTables", lambda: rs.LabelScoreTables(MATRIX, SCORES)
    ),
    "probabilities of two classes": Remedy(
        lambda: rs.ScoreTable(Y, PROBA2),
        "or take the column of the positive class",
        lambda: rs.ScoreTable(Y, PROBA2[:, 1]),
    ),
    "y_proba of evaluate": Remedy(
        lambda: rs.ScoreTable(Y, PROBA2), "use y_proba of evaluate", lambda: rs.evaluate(Y, y_proba=PROBA2)
    ),
    "scores in the place of labels": Remedy(
        lambda: rs.ScoreTable(P, Y), "y_true and y_score may have changed places", lambda: rs.ScoreTable(Y, P)
    ),
    "classes that do not occur": Remedy(
        lambda: rs.evaluate([0, 1, 1], y_proba=PROBA3[:3]),
        "pass labels= if a class does not occur in y_true",
        lambda: rs.evaluate([0, 1, 1], y_proba=PROBA3[:3], labels=[0, 1, 2]),
    ),
    "columns called as the labels": Remedy(
        lambda: rs.evaluate([*"ab"] * 100, {"a": P, "b": P}),
        "Scores of the classes are y_proba=",
        lambda: rs.evaluate([*"ab"] * 100, y_proba=PROBA2, labels=["a", "b"]),
    ),
    "several labels by themselves": Remedy(
        lambda: LABELS.groups,
        "as in evaluate(y_true[:, 0], y_score[:, 0], by=keys)",
        lambda: rs.evaluate(MATRIX[:, 0], SCORES[:, 0], by=MATRIX[:, 1]).groups,
    ),
    "differences of several labels": Remedy(
        lambda: LABELS.difference("f1", "a", "b"),
        "evaluate(..., inference=True)",
        lambda: rs.evaluate(MATRIX, {"a": SCORES, "b": SCORES[:, ::-1]}, inference=True).difference("f1", "a", "b"),
    ),
    "a mean over labels has no interval": Remedy(
        lambda: LABELS.interval("f1"), "every_interval(name) has one of each label", lambda: LABELS.every_interval("f1")
    ),
    "an average of tables has no interval": Remedy(
        lambda: rs.ScoreTables(THREE, PROBA3).interval("roc_auc", average="macro"),
        "by every_interval('roc_auc')",
        lambda: rs.ScoreTables(THREE, PROBA3).every_interval("roc_auc"),
    ),
    "profit of a label": Remedy(
        lambda: LABELS.profit(benefit=1, cost=0),
        "models['model'].label_scores.score_table(label).profit() has that of one",
        lambda: LABELS.models["model"].label_scores.score_table(0).profit(benefit=1, cost=0),
    ),
    "risk and coverage of a label": Remedy(
        LABELS.plot.risk_coverage,
        "models['model'].label_scores.score_table(label) has one",
        lambda: LABELS.models["model"].label_scores.score_table(0).risk_coverage_curve(),
    ),
    "a picture of risk and coverage of a label": Remedy(
        lambda: rs.plot.RiskCoverageDisplay(LABELS.models["model"].label_scores),
        "such as score_table(label) of one label",
        lambda: rs.plot.RiskCoverageDisplay(LABELS.models["model"].label_scores.score_table(0)),
    ),
    "a matrix is no table of pairs": Remedy(
        lambda: rs.comparison.fragility(rs.ConfusionMatrix(Y, Y)),
        "a PairTable, of compare_labels(...).pairs",
        lambda: rs.comparison.fragility(rs.inference.compare_labels(Y, {"a": Y, "b": 1 - Y}).pairs["a", "b"]),
    ),
    "an index without a better side has no best model": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True).leaderboard("rpp"),
        "such as roc_auc or log_loss",
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True).leaderboard("log_loss"),
    ),
    "costs of rows in clusters": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True, cluster=np.arange(len(Y)) // 2).cost_regions(
            "a", "b"
        ),
        "difference('mean_cost', ...) of an evaluation with costs=",
        lambda: rs.evaluate(
            Y, {"a": P, "b": 1 - P}, inference=True, cluster=np.arange(len(Y)) // 2, costs={"fp": 1, "fn": 5}
        ).difference("mean_cost", "a", "b"),
    ),
    "weeks of two thresholds": Remedy(
        lambda: rs.comparison.explain_change(*(rs.group_by(Y, y_score=Y * to, by=Y) for to in (1, 3)), "accuracy"),
        "group_by(threshold=) with one for both",
        lambda: rs.comparison.explain_change(
            *(rs.group_by(Y, y_score=Y * to, by=Y, threshold=0.5) for to in (1, 3)), "accuracy"
        ),
    ),
    "parts of an index of scores": Remedy(
        lambda: rs.comparison.explain_change(*[rs.group_by(Y, y_score=Y / 2, by=[1] * len(Y))] * 2, "ks"),
        "expected roc_auc, brier or log_loss",
        lambda: rs.comparison.explain_change(*[rs.group_by(Y, y_score=Y / 2, by=[1] * len(Y))] * 2, "brier"),
    ),
    "parts of too many groups": Remedy(
        lambda: rs.comparison.explain_change(
            *[rs.group_by(*[LOTS % 2] * 2, by={"a": LOTS, "b": LOTS % 2})] * 2, "accuracy"
        ),
        "(over() makes coarser ones)",
        lambda: rs.comparison.explain_change(
            *[rs.group_by(*[LOTS % 2] * 2, by={"a": LOTS, "b": LOTS % 2}).over("b")] * 2, "accuracy"
        ),
    ),
    "merges of many classes": Remedy(
        lambda: rs.ConfusionMatrix(LOTS[:50], LOTS[:50]).merges("cen"),
        "(accuracy, error_rate, kappa, mcc, mutual_information take 500; collapse puts some together)",
        lambda: rs.ConfusionMatrix(LOTS[:50], LOTS[:50]).merges("mcc"),
    ),
    "a score table has counts at a threshold": Remedy(
        lambda: rs.comparison.if_wrong(TABLE, "f1", 2),
        "the counts of at(threshold)",
        lambda: rs.comparison.if_wrong(TABLE.at(0.5), "f1", 2),
    ),
    "costs of rows at another prevalence": Remedy(
        lambda: rs.evaluate(Y, P, costs={"fn": P}).at_prevalence(0.1),
        "evaluate(..., sample_weight=)",
        lambda: rs.evaluate(
            Y, P, costs={"fn": P}, sample_weight=np.where(Y == 1, 0.1 / Y.mean(), 0.9 / (1 - Y.mean()))
        ),
    ),
    "a mark of labels that are not known": Remedy(
        lambda: rs.scores.LabelLedger(np.where(KEYS == 0, -1, Y), P),
        "pass unknown_label=",
        lambda: rs.scores.LabelLedger(np.where(KEYS == 0, -1, Y), P, unknown_label=-1),
    ),
    "recall has no start at the top": Remedy(
        lambda: rs.ScoreTable(Y, P).certify("recall >= 0.1"),
        "pass thresholds= in the order in which to test them",
        lambda: rs.ScoreTable(Y, P).certify("recall >= 0.1", thresholds=[0.2, 0.3]),
    ),
    "infinite scores have no order of tests": Remedy(
        lambda: rs.ScoreTable(Y, np.where(P > 0.9, np.inf, P), infinite="allow").certify("fpr <= 0.9"),
        "or thresholds= to test",
        lambda: rs.ScoreTable(Y, np.where(P > 0.9, np.inf, P), infinite="allow").certify(
            "fpr <= 0.9", thresholds=[0.8]
        ),
    ),
    "a threshold within a cell has no counts": Remedy(
        lambda: rs.ScoreSketch(Y, P, cells=8).certify("recall >= 0.1", thresholds=[0.3]),
        "make the sketch with thresholds=[0.3, ...]",
        lambda: rs.ScoreSketch(Y, P, cells=8, thresholds=[0.3]).certify("recall >= 0.1", thresholds=[0.3]),
    ),
    "thresholds of tests say where they begin": Remedy(
        lambda: rs.ScoreTable(Y, P).certify("precision >= 0.1", thresholds=[0.8], start_rows=3),
        "None, as thresholds= says where the tests begin",
        lambda: rs.ScoreTable(Y, P).certify("precision >= 0.1", thresholds=[0.8]),
    ),
    "a window has no fixed start": Remedy(
        lambda: WINDOW.interval("accuracy", method="anytime"),
        "the sum of all parts since the start",
        lambda: rs.ConfusionMatrix(Y, PRED).interval("accuracy", method="anytime"),
    ),
    "ratings are no counts": Remedy(
        lambda: rs.comparison.rater_agreement(counts=[[1.5, 2], [2, 2]]),
        "(ratings= takes labels)",
        lambda: rs.comparison.rater_agreement(ratings=[[1.5, 2], [2, 2]]),
    ),
    "one reader is compared as one model": Remedy(
        lambda: rs.comparison.compare_readers(Y, {"film": {"Ann": P}, "digital": {"Ann": 1 - P}}),
        "rocksteady.inference.compare_scores",
        lambda: rs.inference.compare_scores(Y, {"film": P, "digital": 1 - P}),
    ),
    "rows with weights get no prevalence": Remedy(
        lambda: rs.ScoreTable(Y, P, sample_weight=P + 1).at_prevalence(0.1),
        "Pass sample_weight= where they are counted",
        lambda: rs.ScoreTable(
            Y, P, sample_weight=(P + 1) * np.where(Y, 0.1 / Y.mean(), 0.9 / (1 - Y.mean())), weight_kind="sampling"
        ),
    ),
    "scores of several classes get no prevalence": Remedy(
        lambda: rs.evaluate(THREE, y_proba=PROBA3).at_prevalence([0.2, 0.3, 0.5]),
        "confusion.at_prevalence(shares) is of the predicted classes",
        lambda: rs.evaluate(THREE, y_proba=PROBA3).models["model"].confusion.at_prevalence([0.2, 0.3, 0.5]),
    ),
    "clusters and another prevalence": Remedy(
        lambda: rs.evaluate(Y, P, cluster=KEYS, inference=True).at_prevalence(0.1),
        "evaluate(..., sample_weight=",
        lambda: rs.evaluate(
            Y,
            P,
            cluster=KEYS,
            inference=True,
            sample_weight=np.where(Y, 0.1 / Y.mean(), 0.9 / (1 - Y.mean())),
            weight_kind="sampling",
        ),
    ),
    "arms with different outcomes": Remedy(
        lambda: rs.scores.uplift(rs.ScoreTable(Y, P), rs.ScoreTable(Y, P, pos_label=0)),
        "expected one, as pos_label= of both",
        lambda: rs.scores.uplift(rs.ScoreTable(Y, P, pos_label=0), rs.ScoreTable(Y, P, pos_label=0)),
    ),
    "models of several labels side by side": Remedy(
        LABELS.compare, "summary() has the models side by side", LABELS.summary
    ),
    "no matrix of several labels": Remedy(
        LABELS.plot.confusion_matrix,
        "models['model'].counts() has the four counts of each label",
        LABELS.models["model"].counts,
    ),
    "labels without scores": Remedy(
        lambda: rs.evaluate(MATRIX, y_pred=MATRIX).best("f1"),
        "needs scores, which 'model' does not have: evaluate takes them as y_score",
        lambda: LABELS.best("f1"),
    ),
    "curves without scores": Remedy(
        lambda: rs.evaluate(Y, y_pred=Y).curves("roc_curve"),
        "needs scores, which 'model' does not have: evaluate takes them as y_score",
        lambda: rs.evaluate(Y, y_score=P).curves("roc_curve"),
    ),
    "curves of classes without scores": Remedy(
        lambda: rs.evaluate([0, 1, 2], y_pred=[0, 1, 2]).curves("roc_curve"),
        "evaluate takes them as y_proba",
        lambda: rs.evaluate([0, 1, 2], y_proba=np.eye(3)).curves("roc_curve"),
    ),
    "one label a row": Remedy(
        lambda: EV.exact_match, "value('accuracy') is the share of rows that are right", lambda: EV.value("accuracy")
    ),
    "no labels, but classes": Remedy(
        EV.label_summary,
        "models['model'].confusion.class_summary() has each class",
        EV.models["model"].confusion.class_summary,
    ),
    "best of predicted classes": Remedy(
        lambda: rs.evaluate(Y, y_pred=Y).best("f1"),
        "expected a model with y_score",
        lambda: rs.evaluate(Y, y_score=P).best("f1"),
    ),
    "best of several classes": Remedy(
        lambda: OF_THREE.best("f1"),
        "class_scores.one_vs_rest(label), where evaluate was given y_proba, has those of one class against the rest",
        lambda: OF_THREE.models["model"].class_scores.one_vs_rest(0).best("f1"),
    ),
    "AUC of each of two classes": Remedy(
        lambda: EV.every("roc_auc"),
        "roc_auc of two classes is one number: value('roc_auc')",
        lambda: EV.value("roc_auc"),
    ),
    "AUC of each of two classes, with intervals": Remedy(
        lambda: EV.every_interval("roc_auc"),
        "roc_auc of two classes is one number: interval('roc_auc')",
        lambda: EV.interval("roc_auc"),
    ),
    "no groups": Remedy(
        lambda: EV.groups, "evaluate(..., by=) takes their keys", lambda: rs.evaluate(Y, P, by=Y).groups
    ),
    "differences without inference": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": P**2}).difference("f1", "a", "b"),
        "evaluate(..., inference=True)",
        lambda: rs.evaluate(Y, {"a": P, "b": P**2}, inference=True).difference("f1", "a", "b"),
    ),
    "one model is not compared": Remedy(
        EV.compare,
        "evaluate takes several, as a dictionary from their names",
        rs.evaluate(Y, {"a": P, "b": P**2}).compare,
    ),
    "each of two classes, of a sketch": Remedy(
        lambda: BOUNDED.every("accuracy"),
        "value(name) is the one number of a model, or bounds(name) where it is not known",
        lambda: (BOUNDED.value("accuracy"), BOUNDED.bounds("roc_auc")),
    ),
    "best of a sketch": Remedy(
        lambda: BOUNDED.best("f1"), "evaluate(...) without bounded=True keeps them", lambda: EV.best("f1")
    ),
    "one label a row, of a sketch": Remedy(
        lambda: BOUNDED.exact_match,
        "value('accuracy') is the share of rows that are right",
        lambda: BOUNDED.value("accuracy"),
    ),
    "no labels, but indices": Remedy(
        BOUNDED.label_summary, "is of several labels a row; summary() has the indices", BOUNDED.summary
    ),
    "intervals of a sketch": Remedy(
        lambda: BOUNDED.summary(interval=True),
        "interval(name) has one of confidence",
        lambda: BOUNDED.interval("accuracy"),
    ),
    "a single label": Remedy(
        lambda: rs.LabelScoreTables(Y[:, None], P[:, None]),
        "a single label is for ScoreTable",
        lambda: rs.ScoreTable(Y, P),
    ),
    # One column of a frame.
    "labels in a frame": Remedy(
        lambda: rs.ScoreTable(frame(y=Y), P), "such as y_true['y']", lambda: rs.ScoreTable(frame(y=Y)["y"], P)
    ),
    "scores in a frame": Remedy(
        lambda: rs.ScoreTable(Y, frame(p=P)), "such as y_score['p']", lambda: rs.ScoreTable(Y, frame(p=P)["p"])
    ),
    "predictions in a frame": Remedy(
        lambda: rs.ConfusionMatrix(Y, frame(p=PRED)),
        "such as y_pred['p']",
        lambda: rs.ConfusionMatrix(Y, frame(p=PRED)["p"]),
    ),
    "labels of several classes in a frame": Remedy(
        lambda: rs.ScoreTables(frame(y=THREE), PROBA3), "such as y_true['y']", lambda: rs.ScoreTables(THREE, PROBA3)
    ),
    "weights in a frame": Remedy(
        lambda: rs.evaluate(Y, P, sample_weight=frame(w=P)),
        "such as sample_weight['w']",
        lambda: rs.evaluate(Y, P, sample_weight=frame(w=P)["w"]),
    ),
    "scores in a table of polars": Remedy(
        lambda: rs.ScoreTable(Y, pl.DataFrame({"p": P})),
        "take it by its name, as table[name]",
        lambda: rs.ScoreTable(Y, pl.DataFrame({"p": P})["p"]),
    ),
    "one column of an array": Remedy(
        lambda: rs.ScoreTable(Y, P[:, None]), "values.ravel() has one", lambda: rs.ScoreTable(Y, P[:, None].ravel())
    ),
    # Which label is positive.
    "text for a number": Remedy(
        lambda: rs.ScoreTable(Y, P, pos_label="1"),
        'pos_label is "1"; expected 1, as the labels of y_true are numbers',
        lambda: rs.ScoreTable(Y, P, pos_label=1),
    ),
    "text for a number of evaluate": Remedy(
        lambda: rs.evaluate(Y, P, pos_label="0"), "expected 0,", lambda: rs.evaluate(Y, P, pos_label=0)
    ),
    "text for a number of groups": Remedy(
        lambda: rs.group_by(Y, y_score=P, by=KEYS, pos_label="1"),
        "expected 1, as the labels of y_true are numbers",
        lambda: rs.group_by(Y, y_score=P, by=KEYS, pos_label=1),
    ),
    "text for a number of a collector": Remedy(
        lambda: update(rs.ScoreCollector(pos_label="1"), Y, P),
        "expected 1, as the labels of y_true are numbers",
        lambda: update(rs.ScoreCollector(pos_label=1), Y, P),
    ),
    "labels as text": Remedy(
        lambda: rs.evaluate(Y, P, labels=["0", "1"]),
        'labels[1] is "1"; expected 1, as the labels of y_true are numbers',
        lambda: rs.evaluate(Y, P, labels=[0, 1]),
    ),
    "a number for text": Remedy(
        lambda: rs.ScoreTable(Y.astype(str), P, pos_label=1),
        'expected "1", as the labels of y_true are text',
        lambda: rs.ScoreTable(Y.astype(str), P, pos_label="1"),
    ),
    "a name for a number": Remedy(
        lambda: rs.ScoreTable(Y, P, pos_label="fraud"),
        "expected 0 or 1, as the labels of y_true are numbers",
        lambda: rs.ScoreTable(Y, P, pos_label=1),
    ),
    "text for a truth value": Remedy(
        lambda: rs.ScoreTable(Y == 1, P, pos_label="True"),
        "expected 1, as the labels of y_true are numbers",
        lambda: rs.ScoreTable(Y == 1, P, pos_label=1),
    ),
    "a tie of two classes": Remedy(
        lambda: rs.costs.minority_label([0, 1]),
        "expected `tie`, one of them",
        lambda: rs.costs.minority_label([0, 1], tie=1),
    ),
    "columns in another order": Remedy(
        lambda: rs.evaluate(np.where(Y, "a", "b"), y_proba=PROBA2)["roc_auc"],
        "pass labels=['b', 'a']",
        lambda: rs.evaluate(np.where(Y, "a", "b"), y_proba=PROBA2, labels=["b", "a"], pos_label="a")["roc_auc"],
    ),
    # Rows in another order, and missing values.
    "order": Remedy(
        lambda: rs.ScoreTable(SERIES, OTHER), "pass align=True", lambda: rs.ScoreTable(SERIES, OTHER, align=True)
    ),
    "order of keys": Remedy(
        lambda: rs.evaluate(SERIES, OTHER, by=KEYED),
        "pass align=True",
        lambda: rs.evaluate(SERIES, OTHER, by=KEYED, align=True),
    ),
    "order without the option": Remedy(
        lambda: rs.counts_at(SERIES, OTHER, 0.5),
        "as by reindex(y_true.index)",
        lambda: rs.counts_at(SERIES, OTHER.reindex(SERIES.index), 0.5),
    ),
    "order of a picture": Remedy(
        lambda: rs.plot.RocDisplay.from_predictions(SERIES, OTHER),
        "as by reindex(y_true.index)",
        lambda: rs.plot.RocDisplay.from_predictions(SERIES, OTHER.reindex(SERIES.index)),
    ),
    "no index": Remedy(
        lambda: rs.ScoreTable(Y, OTHER, align=True),
        "a pandas Series, as align=True goes by its index",
        lambda: rs.ScoreTable(SERIES, OTHER, align=True),
    ),
    "a label twice": Remedy(
        lambda: rs.ScoreTable(SERIES, pd.Series(P, index=[0] * ROWS), align=True),
        "expected each once, as align=True goes by them",
        lambda: rs.ScoreTable(SERIES, pd.Series(P), align=True),
    ),
    "other labels": Remedy(
        lambda: rs.ScoreTable(SERIES, pd.Series(P, index=range(7, 7 + ROWS)), align=True),
        "same labels in all columns, as align=True goes by them",
        lambda: rs.ScoreTable(SERIES, pd.Series(P), align=True),
    ),
    "nothing is left": Remedy(
        lambda: rs.evaluate([None, None], [0.1, 0.2], nan_policy="omit"),
        "expected rows without, as nan_policy='omit' leaves the others out",
        lambda: rs.evaluate([None, 1, 0], [0.1, 0.2, 0.3], nan_policy="omit"),
    ),
    "nothing is left of groups": Remedy(
        lambda: rs.group_by([None, 1], y_score=[0.1, None], by=[1, 2], nan_policy="omit"),
        "expected rows without, as nan_policy='omit' leaves the others out",
        lambda: rs.group_by([None, 1], y_score=[0.1, 0.3], by=[1, 2], nan_policy="omit"),
    ),
    "a probability of the negative class": Remedy(
        lambda: rs.evaluate(Y, y_proba=np.column_stack([1 - GAPS, P])),
        "missing probability of the negative class; expected a finite number (nan_policy='omit' leaves such rows out)",
        lambda: rs.evaluate(Y, y_proba=np.column_stack([1 - GAPS, P]), nan_policy="omit"),
    ),
    "times of nanoseconds with a zone": Remedy(
        lambda: rs.group_by(Y, PRED, by=FINE),
        "dt.floor('us')",
        lambda: rs.group_by(Y, PRED, by=FINE.dt.floor("us")),
    ),
    "one class alone": Remedy(
        lambda: rs.ScoreTable(["no"] * ROWS, P),
        "pos_label='no' if it is the positive one, else pos_label= the other",
        lambda: (rs.ScoreTable(["no"] * ROWS, P, pos_label="no"), rs.ScoreTable(["no"] * ROWS, P, pos_label="yes")),
    ),
    "an average of two classes": Remedy(
        lambda: EV.value("roc_auc", average="macro"),
        "leave out average=",
        lambda: EV.value("roc_auc"),
    ),
    "a decision by costs without names": Remedy(
        lambda: rs.costs.bayes_decision(pd.DataFrame(PROBA3, columns=list("cab")), 1 - np.eye(3)),
        "labels=, the classes in the order of the costs",
        lambda: rs.costs.bayes_decision(pd.DataFrame(PROBA3, columns=list("cab")), 1 - np.eye(3), labels=list("abc")),
    ),
    "a lazy frame": Remedy(
        lambda: rs.ScoreTable(pl.LazyFrame({"y": Y}), P),
        "call .collect()",
        lambda: rs.ScoreTable(pl.LazyFrame({"y": Y}).collect()["y"], P),
    ),
    "a column of Spark": Remedy(
        lambda: rs.ScoreTable(OfSpark(), P),
        "call .toPandas() on the frame, or rocksteady.spark.evaluate",
        lambda: (rs.ScoreTable(OfSpark().toPandas()["y"], P), rs.spark.evaluate),
    ),
    "a column of Dask": Remedy(
        lambda: rs.ScoreTable(of_dask()["y"], P),
        "call .compute(), or rocksteady.dask.evaluate",
        lambda: (rs.ScoreTable(of_dask()["y"].compute(), P), rs.dask.evaluate(of_dask(), "y", "p")),
    ),
    # Another statistic, threshold or option.
    "a rate of a table": Remedy(lambda: TABLE["f1"], 'table.at(0.5)["f1"]', lambda: TABLE.at(0.5)["f1"]),
    "a rate of a view": Remedy(
        lambda: update(rs.ScoreCollector(memory="1MB"), Y, P).view()["f1"],
        'table.at(0.5)["f1"]',
        lambda: update(rs.ScoreCollector(memory="1MB"), Y, P).view().at(0.5)["f1"],
    ),
    "drift of a rate": Remedy(
        lambda: rs.drift(TABLE, TABLE, "f1"), "pass threshold=0.5", lambda: rs.drift(TABLE, TABLE, "f1", threshold=0.5)
    ),
    "a threshold of costs": Remedy(lambda: COSTS["cost"], "table.at(0.5)['cost']", lambda: COSTS.at(0.5)["cost"]),
    "the best of costs": Remedy(lambda: COSTS["cost"], "table.best('cost')", lambda: COSTS.best("cost")),
    "an interval of costs": Remedy(
        lambda: COSTS.interval("cost"), "table.at(0.5).interval('cost')", lambda: KEPT.at(0.5).interval("cost")
    ),
    "an interval without squares": Remedy(
        lambda: COSTS.at(0.5).interval("cost"), "CostTable(..., squares=True)", lambda: KEPT.at(0.5).interval("cost")
    ),
    "an area of a matrix": Remedy(
        lambda: CM["roc_auc"], 'ScoreTable(y_true, y_score)["roc_auc"]', lambda: rs.ScoreTable(Y, P)["roc_auc"]
    ),
    "an area of counts": Remedy(
        lambda: BY.counts()["roc_auc"], 'of groups by.score_table(key)["roc_auc"]', lambda: BY.score_table(1)["roc_auc"]
    ),
    "an area of several classes": Remedy(
        lambda: TABLE["one_vs_rest_auc"],
        'ScoreTables(y_true, y_proba)["one_vs_rest_auc"]',
        lambda: rs.ScoreTables(THREE, PROBA3)["one_vs_rest_auc"],
    ),
    "an index of queries": Remedy(
        lambda: CM["ndcg"], "ask a rocksteady.Queries for it", lambda: rs.Queries(Y, P, KEYS)["ndcg"]
    ),
    "an interval by no formula": Remedy(
        lambda: TABLE.interval("h_measure"),
        'ScoreTable.bootstrap("h_measure") draws one',
        lambda: TABLE.bootstrap("h_measure", n_resamples=50),
    ),
    "an interval of groups by no formula": Remedy(
        lambda: BY.interval("h_measure"),
        'ScoreTable.bootstrap("h_measure") draws one',
        lambda: BY.score_table(1).bootstrap("h_measure", n_resamples=50),
    ),
    "clusters without inference": Remedy(
        lambda: rs.evaluate(Y, P, cluster=KEYS),
        "None without inference=True, which keeps what intervals need",
        lambda: rs.evaluate(Y, P, inference=True, cluster=KEYS),
    ),
    "clusters of a sum": Remedy(
        lambda: sum([rs.evaluate(Y, P, inference=True, cluster=KEYS)] * 2, start=0).interval("f1"),
        "evaluate(..., inference=True) of all rows has intervals and differences",
        lambda: rs.evaluate([*Y, *Y], [*P, *P], inference=True, cluster=[*KEYS, *KEYS]).interval("f1"),
    ),
    "an index of several classes without a formula": Remedy(
        lambda: rs.evaluate(THREE, y_proba=PROBA3, inference=True).compared("one_vs_rest_auc"),
        "a mean over classes has one, such as that of roc_auc with average='macro'",
        lambda: rs.evaluate(THREE, y_proba=PROBA3, inference=True).compared("roc_auc", average="macro"),
    ),
    "a mean over classes without the rows": Remedy(
        lambda: rs.evaluate(THREE, y_proba=PROBA3).interval("roc_auc"),
        "evaluate(..., inference=True) keeps the rows, and class_scores.every_interval has one of each class",
        lambda: (
            rs.evaluate(THREE, y_proba=PROBA3, inference=True).interval("roc_auc"),
            rs.evaluate(THREE, y_proba=PROBA3).models["model"].class_scores.every_interval("roc_auc"),
        ),
    ),
    "an interval by clusters": Remedy(
        lambda: CM.interval("f1", cluster=KEYS),
        "evaluate(..., inference=True, cluster=) takes clusters, and so does rocksteady.inference.bootstrap",
        lambda: (
            inference.bootstrap(Y, P, "f1", cluster=KEYS, n_resamples=50),
            rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True, cluster=KEYS).interval("f1"),
        ),
    ),
    "a difference by clusters": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True).difference("roc_auc", "a", "b", cluster=KEYS),
        "evaluate(..., inference=True, cluster=) takes clusters",
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True, cluster=KEYS).difference("f1", "a", "b"),
    ),
    "a difference of groups": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}).difference("f1", "a", "b"),
        "evaluate(..., inference=True)",
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True).difference("f1", "a", "b"),
    ),
    "a difference by no formula": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": 1 - P}, inference=True).difference("ks", "a", "b"),
        "rocksteady.inference.bootstrap resamples any index",
        lambda: inference.bootstrap(Y, {"a": P, "b": 1 - P}, "ks", n_resamples=50),
    ),
    "groups of an evaluation": Remedy(
        lambda: EV.groups, "evaluate(..., by=) takes", lambda: rs.evaluate(Y, P, by=KEYS).groups
    ),
    "groups of an evaluation in a picture": Remedy(
        lambda: EV.plot.groups("f1"), "evaluate(..., by=) takes", lambda: rs.evaluate(Y, P, by=KEYS).plot.groups("f1")
    ),
    "groups of a picture": Remedy(
        lambda: GroupsDisplay(CM), "as rocksteady.group_by gives", lambda: GroupsDisplay(BY, "f1")
    ),
    "a picture of no uplift curve": Remedy(
        lambda: rs.plot.UpliftDisplay(TABLE),
        "as rocksteady.scores.uplift gives",
        lambda: rs.plot.UpliftDisplay(rs.scores.uplift(TABLE, TABLE)),
    ),
    "a label without a name": Remedy(
        lambda: rs.evaluate(THREE, y_pred=THREE, labels={0: "a", 1: "b"}),
        "expected a label that labels= names: 0, 1",
        lambda: rs.evaluate(THREE, y_pred=THREE, labels={0: "a", 1: "b", 2: "c"}),
    ),
    "a label of rows of several": Remedy(
        lambda: rs.evaluate([["a"], ["b", "c"]], y_pred=[["a"], ["b"]], labels=["a", "b"]),
        "expected one of labels=",
        lambda: rs.evaluate([["a"], ["b", "c"]], y_pred=[["a"], ["b"]], labels=["a", "b", "c"]),
    ),
    "no threshold within a budget": Remedy(
        lambda: COSTS.best(subject_to="recall > 1"),
        "ranking().why_no_best('recall', subject_to=...) says why",
        lambda: COSTS.ranking().why_no_best("recall", subject_to="recall > 1"),
    ),
    "rows of a group": Remedy(
        lambda: rs.evaluate(Y, P, min_rows=5),
        "None without by=",
        lambda: rs.evaluate(Y, P, by=KEYS, min_rows=5),
    ),
    "a threshold beside predictions": Remedy(
        lambda: rs.group_by(Y, PRED, P, by=KEYS, threshold=0.3),
        "Groups.at(threshold) has counts at any threshold",
        lambda: BY.at(0.3),
    ),
    "predictions of a bounded evaluation": Remedy(
        lambda: rs.evaluate(Y, y_pred=PRED, bounded=True),
        "None with bounded=True",
        lambda: rs.evaluate(Y, P, bounded=True),
    ),
    "groups of a bounded evaluation": Remedy(
        lambda: rs.evaluate(Y, P, by=KEYS, bounded=True),
        "nothing with bounded=True",
        lambda: rs.evaluate(Y, P, bounded=True),
    ),
    "an index of an evaluation that is bounded": Remedy(
        lambda: BOUNDED["roc_auc"], "ask for bounds('roc_auc')", lambda: BOUNDED.bounds("roc_auc")
    ),
    "an index of bounds": Remedy(
        lambda: rs.CountsBounds(tp=79, fp=(16, 18), positives=93, negatives=107)["precision"],
        "ask for bounds('precision')",
        lambda: rs.CountsBounds(tp=79, fp=(16, 18), positives=93, negatives=107).bounds("precision"),
    ),
    "an index of a sketch": Remedy(
        lambda: SKETCH["roc_auc"], "ask for bounds('roc_auc')", lambda: SKETCH.bounds("roc_auc")
    ),
    "a column without label=": Remedy(
        lambda: rs.ScoreTable(FRAME, score="p"),
        "expected None without label=, which names the column of the labels",
        lambda: rs.ScoreTable(FRAME, label="y", score="p"),
    ),
    "scores beside label=": Remedy(
        lambda: rs.ScoreTable(FRAME, FRAME["p"], label="y"),
        "expected None with label=, where other arguments name columns",
        lambda: rs.ScoreTable(FRAME, label="y", score="p"),
    ),
    "label= of an array": Remedy(
        lambda: rs.ScoreTable(FRAME["y"], label="y", score="p"),
        "expected a data frame with label=, which names a column",
        lambda: rs.ScoreTable(FRAME, label="y", score="p"),
    ),
    "a table of a sketch": Remedy(SKETCH.score_table, "bounds() gives bounds", lambda: SKETCH.bounds("roc_auc")),
    "groups of an aggregator that is bounded": Remedy(
        lambda: rs.engines.Aggregator("y", "p", by="k", how="bounded"),
        "None with how='bounded'",
        lambda: rs.engines.Aggregator("y", "p", how="bounded"),
    ),
    "why there is no threshold": Remedy(
        lambda: TABLE.best("recall", subject_to="precision > 2"),
        "why_no_best('recall', subject_to='precision > 2') says why",
        lambda: TABLE.why_no_best("recall", subject_to="precision > 2"),
    ),
    "why there is no target": Remedy(
        lambda: TABLE.target("precision", at_least=2),
        "why_no_best('recall', subject_to='precision >= 2') says why",
        lambda: TABLE.why_no_best("recall", subject_to="precision >= 2"),
    ),
    "few scores outside": Remedy(
        lambda: rs.evaluate(Y, np.where(np.arange(ROWS) == 3, 1.5, P)),
        "pass threshold=0.5 if they are probabilities",
        lambda: rs.evaluate(Y, np.where(np.arange(ROWS) == 3, 1.5, P), threshold=0.5),
    ),
    "two classes of one name": Remedy(
        lambda: rs.ConfusionMatrix(THREE, THREE).relabel(["a", "a", "b"]),
        "collapse({...}) merges classes",
        lambda: rs.ConfusionMatrix(THREE, THREE).collapse({"a": [0, 1], "b": [2]}),
    ),
    "thresholds of two parts": Remedy(
        lambda: rs.evaluate(Y, P, threshold=0.3) + rs.evaluate(Y, P),
        "give evaluate the same threshold=",
        lambda: rs.evaluate(Y, P, threshold=0.3) + rs.evaluate(Y, P, threshold=0.3),
    ),
    "no parts": Remedy(
        lambda: rs.merge([]),
        "such as rs.ScoreTable.empty(pos_label=1)",
        lambda: rs.merge([rs.ScoreTable.empty(pos_label=1)]),
    ),
    # The bootstrap.
    "strata of rows apart": Remedy(
        lambda: inference.bootstrap(Y, P, "ks", resample="poisson", strata="label"),
        'None with resample="poisson"',
        lambda: inference.bootstrap(Y, P, "ks", resample="poisson", n_resamples=50),
    ),
    "replicates without a value": Remedy(
        lambda: inference.bootstrap([1, *[0] * 9], np.arange(10) / 10, "roc_auc", n_resamples=200, random_state=0),
        'strata="label" keeps rows of both classes',
        lambda: inference.bootstrap(
            [1, *[0] * 9], np.arange(10) / 10, "roc_auc", n_resamples=200, random_state=0, strata="label"
        ),
    ),
    "replicates that do not add": Remedy(
        lambda: (one := inference.bootstrap(Y, P, "f1", n_resamples=50)) + one,
        'resample="poisson", key=...',
        lambda: (one := inference.bootstrap(Y, P, "f1", n_resamples=50, resample="poisson", key=np.arange(ROWS))) + one,
    ),
    # Collectors, windows and files.
    "a collector is not pickled": Remedy(
        lambda: rs.ScoreCollector().__reduce__(),
        "pickle its score_table()",
        lambda: update(rs.ScoreCollector(), Y, P).score_table(),
    ),
    "a collector of sketches is not pickled": Remedy(
        lambda: rs.SketchCollector().__reduce__(),
        "pickle its sketch()",
        lambda: update(rs.SketchCollector(), Y, P).sketch(),
    ),
    "a view of memory": Remedy(
        lambda: update(rs.ScoreCollector(), Y, P).view(),
        "table() has them; view() is for memory=",
        lambda: update(rs.ScoreCollector(memory="1MB"), Y, P).view(),
    ),
    "a view that is made": Remedy(
        ScoreView,
        "is made by view() of a ScoreCollector",
        lambda: update(rs.ScoreCollector(memory="1MB"), Y, P).view(),
    ),
    "a curve beyond memory": Remedy(
        lambda: update(rs.ScoreCollector(memory="1MB"), Y, P).view().roc_curve,
        "collect without memory=",
        lambda: update(rs.ScoreCollector(), Y, P).score_table().roc_curve,
    ),
    "a directory without memory": Remedy(
        lambda: rs.ScoreCollector(directory="."),
        "none without memory=",
        lambda: rs.ScoreCollector(memory="1MB", directory="."),
    ),
    "a window without parts": Remedy(
        lambda: rs.Window(rows=9).total,
        "update() takes the first",
        lambda: rs.Window(rows=9).update("2024-01-01", TABLE),
    ),
    "drift of two kinds": Remedy(
        lambda: rs.drift(TABLE, CM, "roc_auc"), "as before= is", lambda: rs.drift(TABLE, TABLE, "roc_auc")
    ),
    "drift of matrices at a threshold": Remedy(
        lambda: rs.drift(CM, CM, "f1", threshold=0.5),
        "score tables, as threshold= is",
        lambda: rs.drift(TABLE, TABLE, "f1", threshold=0.5),
    ),
    "a second pass first": Remedy(
        lambda: rs.AnchoredCollector(pos_label=1).second_pass(),
        "update() takes them",
        lambda: _anchored(rs.AnchoredCollector(pos_label=1)),
    ),
    "counts after the first pass": Remedy(
        lambda: update(rs.AnchoredCollector(pos_label=1), Y, P).counts(),
        "second_pass() and then update() take them",
        lambda: _anchored(rs.AnchoredCollector(pos_label=1)).counts(),
    ),
    "a part of the second pass": Remedy(
        lambda: rs.AnchoredCounts(rs.ScoreAnchors(RARE, P, pos_label=1), RARE[:100], P[:100])["roc_auc"],
        "add the counts of all parts before you ask for an index",
        lambda: (
            rs.AnchoredCounts(anchors := rs.ScoreAnchors(RARE, P, pos_label=1), RARE[:100], P[:100])
            + rs.AnchoredCounts(anchors, RARE[100:], P[100:])
        )["roc_auc"],
    ),
    "weights where labels are not known": Remedy(
        lambda: rs.evaluate([1, 0, None], [0.2, 0.7, 0.5], sample_weight=[1, 1, 2], missing_labels="unknown"),
        'nothing with missing_labels="unknown"',
        lambda: rs.evaluate([1, 0, None], [0.2, 0.7, 0.5], missing_labels="unknown"),
    ),
    "a ledger of groups without a threshold": Remedy(
        lambda: _open_groups().bounds("f1"),
        "expected bounds('f1', threshold=0.5), or an index of the ranking",
        lambda: (_open_groups().bounds("f1", threshold=0.5), _open_groups().bounds("gini")),
    ),
    "an index of counts of a ledger": Remedy(
        lambda: rs.scores.LabelLedger([1, 0, None], [0.2, 0.7, 0.5]).bounds("f1"),
        "expected at(0.5).bounds('f1')",
        lambda: rs.scores.LabelLedger([1, 0, None], [0.2, 0.7, 0.5]).at(0.5).bounds("f1"),
    ),
    "a value of a ledger of groups": Remedy(
        lambda: _open_groups()["gini"], "ask for bounds('gini')", lambda: _open_groups().bounds("gini")
    ),
    "a third label in a ledger of groups": Remedy(
        lambda: rs.group_by([1, 0, 7], y_score=[0.2, 0.7, 0.5], by=[1, 1, 2], missing_labels="unknown"),
        "if this stands for a label that is not known, make it None, or pass unknown_label= to LabelLedger",
        lambda: rs.group_by([1, 0, None], y_score=[0.2, 0.7, 0.5], by=[1, 1, 2], missing_labels="unknown"),
    ),
    "a threshold with unknown labels": Remedy(
        lambda: rs.group_by([1, 0], y_score=[0.2, 0.7], by=[1, 2], threshold=0.5, missing_labels="unknown"),
        'nothing with missing_labels="unknown"',
        lambda: rs.group_by([1, 0], y_score=[0.2, 0.7], by=[1, 2], missing_labels="unknown"),
    ),
    "counts of a sketch within bounds": Remedy(
        lambda: _open_sketch().at(0.3),
        "as thresholds=[0.3] would make it",
        lambda: _open_sketch(thresholds=[0.3]).at(0.3),
    ),
    "a ledger without a label": Remedy(
        lambda: rs.scores.LabelLedger([None, None], [0.2, 0.7]),
        "expected one, or pos_label=",
        lambda: rs.scores.LabelLedger([None, None], [0.2, 0.7], pos_label=1),
    ),
    "one bin": Remedy(
        lambda: rs.scores.population_stability([1, 1], [1, 2]),
        "or edges= with the inner edges of bins",
        lambda: rs.scores.population_stability([1, 1], [1, 2], edges=[1.5]),
    ),
    # Groups and fairness.
    "a ratio of negative values": Remedy(
        lambda: _negative().ratio("mcc"), "ask for the difference", lambda: _negative().difference("mcc")
    ),
    "an index of scores in a frame": Remedy(
        lambda: fairness.MetricFrame(metrics="roc_auc", y_true=Y, y_pred=P, sensitive_features=KEYS),
        "give a function for one of scores",
        lambda: fairness.MetricFrame(metrics=rs.metrics.roc_auc_score, y_true=Y, y_pred=P, sensitive_features=KEYS),
    ),
    "a bootstrap of a frame": Remedy(
        lambda: fairness.MetricFrame(metrics="recall", y_true=Y, y_pred=PRED, sensitive_features=KEYS, n_boot=9),
        "difference_interval and ratio_interval give intervals",
        lambda: fairness.MetricFrame(
            metrics="recall", y_true=Y, y_pred=PRED, sensitive_features=KEYS
        ).difference_interval("recall"),
    ),
    "rates without a value": Remedy(
        lambda: fairness.equalized_odds_difference([0, 0, 1, 0], [0, 1, 1, 0], sensitive_features=[*"aabb"]),
        "rocksteady.group_by leaves such groups out",
        lambda: rs.group_by([0, 0, 1, 0], [0, 1, 1, 0], by=[*"aabb"]).difference("recall", level=None),
    ),
    "metrics without a value": Remedy(
        lambda: fairness.MetricFrame(
            metrics=rs.metrics.recall_score, y_true=[0, 0, 1, 0], y_pred=[0, 1, 1, 0], sensitive_features=[*"aabb"]
        ),
        "the names of indices, and rocksteady.group_by, leave such groups out",
        lambda: fairness.MetricFrame(
            metrics="recall", y_true=[0, 0, 1, 0], y_pred=[0, 1, 1, 0], sensitive_features=[*"aabb"]
        ),
    ),
    "metrics that are no numbers": Remedy(
        lambda: _framed(lambda y, p: "high").ratio(errors="raise"),
        "or errors='coerce'",
        lambda: _framed(lambda y, p: "high").ratio(errors="coerce"),
    ),
    "negative metrics": Remedy(
        lambda: _framed(lambda y, p: -1.0).ratio(errors="raise"),
        "ask for the difference",
        lambda: _framed(lambda y, p: -1.0).difference(),
    ),
    "negative metrics that are coerced": Remedy(
        lambda: _framed(lambda y, p: -1.0).ratio(errors="coerce"),
        "has no ratio; ask for the difference",
        lambda: _framed(lambda y, p: -1.0).difference(errors="coerce"),
    ),
    "pairs with other labels": Remedy(
        lambda: _pairs([0, 1]) + _pairs([0, 2]),
        "give the same labels= to both",
        lambda: _pairs([0, 1], labels=[0, 1, 2]) + _pairs([0, 2], labels=[0, 1, 2]),
    ),
    "a note of resampled maxima": Remedy(
        lambda: inference.bootstrap(Y, P, "ks", n_resamples=50)["ks"],
        'ScoreTable.interval("ks") has one',
        lambda: rs.ScoreTable(Y, P).interval("ks"),
    ),
    "a note of a chosen threshold": Remedy(
        lambda: rs.ScoreTable(Y, P).best("youden").counts().interval("recall"),
        'ScoreTable.bootstrap(..., threshold="best youden")',
        lambda: rs.ScoreTable(Y, P).bootstrap("recall", threshold="best youden", n_resamples=50),
    ),
    "drift without an interval": Remedy(
        lambda: rs.drift(rs.ScoreSketch(Y, P), rs.ScoreSketch(Y, P), "brier"),
        "rocksteady.inference.bootstrap resamples rows",
        lambda: inference.bootstrap(Y, P, "brier", n_resamples=50),
    ),
    "a difference of lone bounds": Remedy(
        lambda: inference.independent_difference(*[CM.interval("recall", side="lower")] * 2),
        'side="two-sided"',
        lambda: inference.independent_difference(*[CM.interval("recall", side="two-sided")] * 2),
    ),
    "net benefit at two thresholds": Remedy(
        lambda: rs.evaluate(Y, {"a": P, "b": P}, threshold={"a": 0.2, "b": 0.4}, inference=True).difference(
            "net_benefit", "a", "b"
        ),
        "pass threshold=0.2",
        lambda: rs.evaluate(Y, {"a": P, "b": P}, threshold={"a": 0.2, "b": 0.4}, inference=True).difference(
            "net_benefit", "a", "b", threshold=0.2
        ),
    ),
    "net benefit of no probability": Remedy(
        lambda: rs.evaluate(Y, P, threshold=2).value("net_benefit"),
        "pass weight=1",
        lambda: rs.evaluate(Y, P, threshold=2).value("net_benefit", weight=1),
    ),
    "counts that a query leaves out": Remedy(
        lambda: rs.ScoreSketch.from_counts([0.1, 0.2], [0.1, 0.2], [1, None], [1, 1]),
        "say its pos_label=",
        lambda: rs.engines.sketch_sql("t", "y", "p", pos_label="b"),
    ),
    "a picture without matplotlib": Remedy(
        lambda: without("matplotlib.pyplot", EV.plot.roc),
        "`pip install matplotlib`",
        EV.plot.roc,
    ),
    # Training.
    "log odds": Remedy(
        lambda: rs.callbacks.lightgbm("f1")(Y, P * 9),
        "pass margins=True for log odds, threshold=None for classes",
        lambda: (
            rs.callbacks.lightgbm("f1", margins=True)(Y, P * 9),
            rs.callbacks.lightgbm("f1", threshold=None)(Y, PRED),
        ),
    ),
    "neither way is better": Remedy(
        lambda: rs.callbacks.lightgbm("prevalence"),
        "pass greater_is_better",
        lambda: rs.callbacks.lightgbm("prevalence", greater_is_better=True),
    ),
    "no metric": Remedy(
        lambda: rs.callbacks.lightgbm("qqqqqq"),
        "see rocksteady.indices() and",
        lambda: rs.callbacks.lightgbm(rs.indices()[0].name),
    ),
    # Names.
    "an attribute of a matrix": Remedy(lambda: attribute(CM, "f1"), "it is an index: ['f1']", lambda: CM["f1"]),
    "an attribute of an evaluation": Remedy(
        lambda: attribute(EV, "roc_auc"), "it is an index: ['roc_auc']", lambda: EV["roc_auc"]
    ),
    "an attribute of groups": Remedy(lambda: attribute(BY, "f1"), "it is an index: ['f1']", lambda: BY["f1"]),
    "an attribute of a table": Remedy(
        lambda: attribute(TABLE, "f1"), 'table.at(0.5)["f1"]', lambda: TABLE.at(0.5)["f1"]
    ),
    "a function of metrics": Remedy(
        lambda: rs.roc_auc_score, "it is rocksteady.metrics.roc_auc_score", lambda: rs.metrics.roc_auc_score(Y, P)
    ),
    "an import of metrics": Remedy(
        lambda: exec("from rocksteady import f1_score"),
        "it is rocksteady.metrics.f1_score",
        lambda: exec("from rocksteady.metrics import f1_score"),
    ),
    "an index as a function": Remedy(
        lambda: rs.gini, 'table = rs.ScoreTable(actual, scores); table["gini"]', lambda: rs.ScoreTable(Y, P)["gini"]
    ),
    "a slip": Remedy(lambda: rs.evalute, "did you mean 'evaluate'?", lambda: rs.evaluate),
    "no near name": Remedy(lambda: EV["qqqqqq"], "rocksteady.indices() lists them", rs.indices),
    "a slip in a name of PyCM's": Remedy(lambda: CM.pycm("Kapa"), "did you mean 'Kappa'", lambda: CM.pycm("Kappa")),
    "no near name of PyCM's": Remedy(
        lambda: CM.pycm("qqqqqq"), "rocksteady.pycm.NAMES lists them", lambda: rs.pycm.NAMES
    ),
    "a name of PyCM's of each class": Remedy(lambda: CM.pycm("TPR"), "ask every_pycm", lambda: CM.every_pycm("TPR")),
}


def _anchored(collector: Any) -> Any:
    update(collector, Y, P).second_pass()
    return update(collector, Y, P)


def _negative() -> Any:
    return rs.group_by([0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 0, 1], by=[*"aaaabb"])


def _open_groups() -> Any:
    return rs.group_by([1, 0, None], y_score=[0.2, 0.7, 0.5], by=[1, 1, 2], missing_labels="unknown")


def _open_sketch(**options: Any) -> Any:
    labels = np.where(np.arange(500) % 5, (np.arange(500) % 2).astype(object), None)
    return rs.scores.SketchLedger(labels, np.sqrt(np.arange(500) / 500), cells=16, **options)


def _framed(metric: Any) -> Any:
    return fairness.MetricFrame(metrics=metric, y_true=Y, y_pred=PRED, sensitive_features=KEYS)


def _pairs(found: list[int], **options: Any) -> Any:
    return inference.compare_labels(found, {"a": found, "b": found[::-1]}, **options).pairs["a", "b"]


@pytest.mark.parametrize("name", REMEDIES)
def test_the_remedy_is_accepted(name: str) -> None:
    call, says, cure = REMEDIES[name]
    assert says in said_by(call)
    assert accepts(cure, says)


def test_many_remedies_are_tried() -> None:
    assert len(REMEDIES) >= 120


#: What messages about an index call the statistics and columns of a user.
NAMES = {
    "table": TABLE,
    "by": BY,
    "key": 1,
    "y_true": Y,
    "y_pred": PRED,
    "y_score": P,
    "y_proba": PROBA2,
    "ConfusionMatrix": rs.ConfusionMatrix,
    "ScoreTable": rs.ScoreTable,
    "ScoreTables": rs.ScoreTables,
}
CODE = re.compile(r'(?:table|by|ConfusionMatrix|ScoreTables?)[.(][^;"]*?(?:\["\w+"\]|\("\w+"\))')


def test_what_a_statistic_without_an_index_names_has_it() -> None:
    tried = 0
    counted = TABLE.at(0.5)
    calls = (CM.value, TABLE.value, counted.value, SKETCH.value, TABLE.every, BY.worst, BY.interval, TABLE.interval)
    for name in (row.name for row in rs.indices()):
        for call in calls:
            try:
                call(name)
            except rs.UnknownIndexError as refused:
                for code in CODE.findall(str(refused)):
                    bound = code.replace("ScoreTable.bootstrap(", "table.bootstrap(")
                    eval(bound, dict(NAMES))
                    tried += 1
            except rs.InputError:  # a parameter, or what is known of a sketch
                pass
    assert tried >= 1300


def test_only_near_names_are_suggested() -> None:
    for name in ("top_5", "foo", "top5", "hello", "mmx"):
        assert "lists them" in said_by(lambda name=name: EV[name])
    for name, meant in (
        ("recal", "recall"),
        ("PRECISIO", "precision"),
        ("kapa", "kappa"),
        ("balanced", "balanced_accuracy"),
    ):
        assert f'did you mean "{meant}"' in said_by(lambda name=name: EV[name])


def test_one_warning_names_all_columns_in_another_order() -> None:
    said = said_by(lambda: rs.evaluate(SERIES, {"a": OTHER, "b": OTHER}, by={"k": KEYED}, sample_weight=OTHER))
    assert said.count("in another order") == 1
    assert all(name in said for name in ("y_score['a']", "y_score['b']", "by['k']", "sample_weight"))


# Missing values: the option is named where the call has it, and not where it was passed --------------------------------

NONE = [None, *Y[1:].tolist()]
GAP_CALLS: dict[str, Callable[..., object]] = {
    "ScoreTable": lambda **o: rs.ScoreTable(Y, GAPS, **o),
    "ScoreTable of labels": lambda **o: rs.ScoreTable(NONE, P, **o),
    "ConfusionMatrix": lambda **o: rs.ConfusionMatrix(NONE, PRED, **o),
    "ScoreSketch": lambda **o: rs.ScoreSketch(Y, GAPS, **o),
    "ScoreAnchors": lambda **o: rs.ScoreAnchors(RARE, GAPS, pos_label=1, **o),
    "AnchoredCounts": lambda **o: rs.AnchoredCounts(rs.ScoreAnchors(RARE, P, pos_label=1), RARE, GAPS, **o),
    "ScoreCollector": lambda **o: update(rs.ScoreCollector(**o), Y, GAPS),
    "SketchCollector": lambda **o: update(rs.SketchCollector(**o), Y, GAPS),
    "AnchoredCollector": lambda **o: rs.AnchoredCollector(pos_label=1, **o).update(RARE, GAPS),
    "ProbabilitySums": lambda **o: rs.ProbabilitySums(Y, GAPS, **o),
    "CostTable": lambda **o: rs.CostTable(Y, GAPS, costs={"fn": P}, **o),
    "counts_at": lambda **o: rs.counts_at(Y, GAPS, 0.5, **o),
    "ks": lambda **o: rs.scores.ks(Y, GAPS, **o),
    "calibration_error": lambda **o: rs.scores.calibration_error(Y, GAPS, **o),
    "minority_label": lambda **o: rs.costs.minority_label(NONE, **o),
    "group_by": lambda **o: rs.group_by(Y, y_score=GAPS, by=KEYS, **o),
    "evaluate": lambda **o: rs.evaluate(Y, GAPS, **o),
    "evaluate labels": lambda **o: rs.evaluate(NONE, P, **o),
    "evaluate predictions": lambda **o: rs.evaluate(Y, y_pred=NONE, **o),
    "evaluate probabilities": lambda **o: rs.evaluate(Y, y_proba=np.column_stack([1 - GAPS, GAPS]), **o),
    "evaluate bounded": lambda **o: rs.evaluate(Y, GAPS, bounded=True, **o),
    "bootstrap": lambda **o: inference.bootstrap(Y, GAPS, "ks", **o),
    "compare_scores": lambda **o: inference.compare_scores(Y, {"a": GAPS, "b": P}, **o),
    "compare_labels": lambda **o: inference.compare_labels(NONE, {"a": PRED, "b": PRED}, **o),
    "a display": lambda **o: rs.plot.RocDisplay.from_predictions(Y, GAPS, **o),
    "a display of labels": lambda **o: rs.plot.ConfusionMatrixDisplay.from_predictions(NONE, PRED, **o),
    "MetricFrame": lambda **o: (
        fairness.MetricFrame(metrics="recall", y_true=NONE, y_pred=PRED, sensitive_features=KEYS, **o).by_group
    ),
}


@pytest.mark.parametrize("name", GAP_CALLS)
def test_a_gap_names_the_option_only_where_the_call_has_it(name: str) -> None:
    call = GAP_CALLS[name]
    message = said_by(call)
    assert "missing" in message or "NaN" in message
    if "nan_policy" in message:
        assert "nan_policy" not in said_by(lambda: call(nan_policy="omit"))
    else:
        # A display takes any option for matplotlib, and refuses the gap before it comes there.
        with pytest.raises((TypeError, rs.InputError)):
            call(nan_policy="omit")


# Messages in the source -------------------------------------------------------------------------------------------------

#: What a remedy looks like: a verb to follow, an option, a call, or a name of ours.
REMEDY = re.compile(
    r"\b(pass|use|call|ask|import|bring|give) |\bsee |\b[a-z_]+=(?!\W*\{)|`|[a-z_]\(|did you mean|rocksteady\.|lists"
)
#: scikit-learn's sentences, and the command line's, whose options are words of a shell.
ELSEWHERE = ("metrics", "cli", "report")


def sentences() -> dict[str, str]:
    """Each text with a remedy in a function that refuses or warns, by its place; what varies in it is ``{}``."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] in ELSEWHERE:
            continue
        tree = ast.parse(path.read_text())
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _refuses(node)]
        for root in [tree, *functions] if path.name == "hints.py" else functions:
            within = {id(part) for node in ast.walk(root) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
            within -= {id(node) for node in ast.walk(root) if isinstance(node, ast.JoinedStr)}
            within |= {id(node.value) for node in ast.walk(root) if isinstance(node, ast.Expr)}  # docstrings
            for node in ast.walk(root):
                text = None if id(node) in within else _text(node)
                if text is not None and " " in text and "\n" not in text and REMEDY.search(text):
                    found[f"{path.relative_to(SOURCE)}:{node.lineno}"] = text  # type: ignore[attr-defined]
    return found


def _refuses(function: ast.FunctionDef) -> bool:
    is_error = function.returns is not None and "Error" in ast.unparse(function.returns)
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    warned = any(isinstance(called, ast.Name) and called.id == "warn" for called in calls)
    return (
        function.name == "_lacks"
        or is_error
        or warned
        or any(isinstance(node, ast.Raise) for node in ast.walk(function))
    )


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_remedy_in_the_source_is_tried() -> None:
    said = "\n".join(said_by(remedy.call) for remedy in REMEDIES.values())
    texts = sentences()
    pattern = {place: ".*".join(map(re.escape, text.split("{}"))) for place, text in texts.items()}
    assert len(texts) > 60
    assert [f"{place}: {texts[place]}" for place, each in pattern.items() if not re.search(each, said)] == []


# Extras ---------------------------------------------------------------------------------------------------------------


def test_extras_are_installed_from_the_clone() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    pages = [
        ROOT / "README.md",
        *(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "_project"),  # which the site copies
        *(ROOT / "examples").glob("*.*"),
        *SOURCE.rglob("*.py"),
    ]
    texts = {path: path.read_text() for path in pages}
    assert [
        path for path, text in texts.items() if re.search(r"rocksteady\[[a-z]|pip install '?rocksteady\b", text)
    ] == []
    named = {
        name for text in texts.values() for part in re.findall(r"'\.\[([a-z,]+)\]'", text) for name in part.split(",")
    }
    asked = {
        found for path in SOURCE.rglob("*.py") for found in re.findall(r'library\("[\w.]+", "(\w+)"\)', texts[path])
    }
    assert len(named) > 3
    assert len(asked) > 3
    assert named | asked - {"sums"} <= set(extras)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pandas", None)
        assert said_by(EV.summary().to_pandas) == (
            "this needs pandas, which is not installed; in the clone of rocksteady: pip install '.[pandas]'"
        )

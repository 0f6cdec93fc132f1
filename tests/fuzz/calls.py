"""Random calls of every function, by what it takes.

`call(seed, place)` is the same call every time, made anew, so that each contestant gets its own copies and any call of
a run can be repeated alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from draw import AVERAGES, BINARY, KINDS, SEVERAL, Call, Draw, Named
from sklearn.base import BaseEstimator, ClassifierMixin


def of_labels(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Two columns of labels, or two indicator matrices."""
    n = draw.rows()
    options: dict[str, Any] = {}
    multilabel = draw.chance(0.35 if name in MULTILABEL else 0.05)
    if multilabel:
        draw.about.add("multilabel")
        k = int(draw.rng.integers(1, 6))
        true = draw.indicator(n, k)
        pred = np.where(draw.rng.random((n, k)) < 0.6, true, draw.indicator(n, k))
        if draw.chance(0.03):
            pred = pred[:, :-1]
        if draw.chance(0.02):
            pred = pred * 2
        kind = "01"
        arguments: tuple[Any, ...] = (draw.matrix(true), draw.matrix(pred))
    else:
        several = name in SEVERAL_TOO and draw.chance(0.5)
        kind = draw.one(*(SEVERAL if several else BINARY))
        true = draw.labels(kind, n)
        pred = draw.like(true, kind)
        if draw.chance(0.01):
            pred = pred[:-1]
        arguments = (draw.column(draw.narrow(true)), draw.column(draw.narrow(pred)))
        draw.about.add(kind)
    arguments = draw.maybe_spoil(arguments)
    draw.weights(n, options)
    if "labels" in LABEL_OPTIONS[name] and draw.chance(0.3):
        if multilabel:
            options["labels"] = draw.one([0], [1, 0], [0, 1, 2], [5], [-1], [0, 0], np.arange(k), [], ["a"])
            draw.about.add("labels of columns")
        else:
            options["labels"] = draw.some_labels(kind)
    if "average" in LABEL_OPTIONS[name] and draw.chance(0.8):
        options["average"] = draw.one(*AVERAGES, *AVERAGES[1:], *AVERAGES[1:], "spam", 1)
    if "pos_label" in LABEL_OPTIONS[name] and draw.chance(0.35):
        options["pos_label"] = draw.pos_label(kind)
    if "zero_division" in LABEL_OPTIONS[name] and draw.chance(0.5):
        options["zero_division"] = draw.zero_division()
    LABEL_OPTIONS[name].get("more", lambda *_: None)(draw, options, kind)
    return arguments, options


def flag(key: str) -> Callable[[Draw, dict[str, Any], str], None]:
    def more(draw: Draw, options: dict[str, Any], kind: str) -> None:
        if draw.chance(0.5):
            options[key] = draw.one(True, False, True, False, True, False, np.True_, 1, "yes", None)

    return more


def of_confusion(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.5):
        options["normalize"] = draw.one("true", "pred", "all", None, "true", "pred", "all", "rows", True)


def of_kappa(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.5):
        options["weights"] = draw.one(None, "linear", "quadratic", "linear", "quadratic", "cubic", 1)
    if draw.chance(0.3):
        options["replace_undefined_by"] = draw.one(np.nan, 0, 0.0, 1, -1.0, 0.5, 2, "x", None)


def of_ratios(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.5):
        options["replace_undefined_by"] = draw.one(
            *[np.nan, 1.0, 1, {"LR+": 1.0, "LR-": 1.0}, {"LR+": np.inf, "LR-": 0.5}, {"LR+": 0.5, "LR-": 0.5}],
            *[{"LR+": 2}, {}, 0.0, "x", {"LR+": np.nan, "LR-": np.nan}, None, {"LR+": 2, "LR-": 1, "x": 3}],
        )


def of_fbeta(draw: Draw, options: dict[str, Any], kind: str) -> None:
    options["beta"] = draw.one(0.5, 2, 1, 1.0, 0, 0.0, np.inf, 1e-3, 1e6, -1, np.nan, "1", None, np.float32(2))


def of_prfs(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.4):
        of_fbeta(draw, options, kind)
    if draw.chance(0.3):
        options["warn_for"] = draw.one(
            (), ["precision"], {"recall"}, ("f-score",), ("precision", "recall"), "recall", None
        )


def of_report(draw: Draw, options: dict[str, Any], kind: str) -> None:
    if draw.chance(0.4):
        options["output_dict"] = draw.one(True, True, True, False, 1)
    if draw.chance(0.3):
        options["digits"] = draw.one(0, 1, 3, 4, 7, 12, -1, 2.0, "2", np.int64(3), None)
    if draw.chance(0.2):
        right = [f"class {i}" for i in range(len(KINDS[kind]))]
        options["target_names"] = draw.one(right, right, ["one", "two"], ["a"], [1, 2], [], np.array(["x", "y"]))


_SET_WISE = {"labels": 1, "average": 1, "pos_label": 1, "zero_division": 1}
LABEL_OPTIONS: dict[str, dict[str, Any]] = {
    "accuracy_score": {"more": flag("normalize")},
    "zero_one_loss": {"more": flag("normalize")},
    "hamming_loss": {},
    "balanced_accuracy_score": {"more": flag("adjusted")},
    "matthews_corrcoef": {},
    "cohen_kappa_score": {"labels": 1, "more": of_kappa},
    "class_likelihood_ratios": {"labels": 1, "more": of_ratios},
    "confusion_matrix": {"labels": 1, "more": of_confusion},
    "multilabel_confusion_matrix": {"labels": 1, "more": flag("samplewise")},
    "precision_score": _SET_WISE,
    "recall_score": _SET_WISE,
    "f1_score": _SET_WISE,
    "fbeta_score": _SET_WISE | {"more": of_fbeta},
    "jaccard_score": _SET_WISE,
    "precision_recall_fscore_support": _SET_WISE | {"more": of_prfs},
    "classification_report": {"labels": 1, "zero_division": 1, "more": of_report},
}
MULTILABEL = {
    *["accuracy_score", "zero_one_loss", "hamming_loss", "multilabel_confusion_matrix", "classification_report"],
    *[name for name, options in LABEL_OPTIONS.items() if "average" in options],
}
SEVERAL_TOO = {*LABEL_OPTIONS} - {"class_likelihood_ratios"}


def of_curve(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Labels and one score a row."""
    n = min(draw.rows(), 30 if name == "metric_at_thresholds" else 300)  # scikit-learn counts anew at every threshold
    options: dict[str, Any] = {}
    kind = draw.one(*BINARY, *BINARY, *KINDS)
    draw.about.add(kind)
    true = draw.column(draw.narrow(draw.labels(kind, n)))
    scores = draw.column(draw.unit(n) if name == "calibration_curve" else draw.scores(n))
    if draw.chance(0.02):
        scores = draw.matrix(draw.probabilities(n, 2))
    arguments = draw.maybe_spoil((true, scores))
    if name != "calibration_curve":
        draw.weights(n, options)
    usual = kind in ("01", "-11", "bool", "floats")
    if name != "metric_at_thresholds" and draw.chance(0.25 if usual else 0.8):
        options["pos_label"] = draw.pos_label(kind)
    if name in ("roc_curve", "precision_recall_curve", "det_curve") and draw.chance(0.5):
        options["drop_intermediate"] = draw.one(True, False, True, False, True, 1, "no", None)
    if name == "calibration_curve":
        if draw.chance(0.5):
            options["strategy"] = draw.one("uniform", "quantile", "quantile", "other", None)
        if draw.chance(0.5):
            options["n_bins"] = draw.one(1, 2, 3, 10, 50, 0, -1, 2.5, "5", np.int32(4))
    return arguments, options


def of_thresholds(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Labels, scores, and one of the metrics by name: each contestant uses its own."""
    arguments, options = of_curve(draw, name)
    usual = ("f1_score", "accuracy_score", "precision_score", "recall_score", "matthews_corrcoef", "fbeta_score")
    metric = draw.one(*usual, *usual, "balanced_accuracy_score", "confusion_matrix", "jaccard_score", "python", "bad")
    draw.about.add(f"metric {metric}")
    if metric == "fbeta_score":
        options["metric_params"] = {"beta": draw.one(0.5, 2.0)}
    elif draw.chance(0.2):
        options["metric_params"] = draw.one({}, None, {"zero_division": 0}, {"pos_label": 1}, {"unknown": 1}, 1)
    return (*arguments, Named(metric)), options


def of_area(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """`roc_auc_score` and `average_precision_score`: two classes, several, or indicator matrices."""
    n = draw.rows()
    options: dict[str, Any] = {}
    form = draw.one("binary", "binary", "several", "several", "multilabel", "multilabel")
    draw.about.add(form)
    k = int(draw.rng.integers(2, 6))
    kind = draw.one(*BINARY) if form == "binary" else draw.one(*SEVERAL)
    if form == "binary":
        true = draw.column(draw.narrow(draw.labels(kind, n)))
        scores = draw.column(draw.scores(n))
        if draw.chance(0.04):
            scores = draw.matrix(draw.probabilities(n, 2), may_be_sparse=False)
    elif form == "several":
        values = np.array(KINDS[kind])
        labels = draw.labels(kind, n)
        if n >= len(values) and draw.chance(0.85):
            labels[: len(values)] = values
        present = len(np.unique(labels))
        width = present if draw.chance(0.7) else len(values)
        true = draw.column(draw.narrow(labels))
        scores = draw.matrix(draw.probabilities(n, width), may_be_sparse=False)
    else:
        true = draw.matrix(draw.indicator(n, k), may_be_sparse=draw.chance(0.1))
        scores = draw.matrix(draw.scores(n * k).reshape(n, k), may_be_sparse=False)
    arguments = draw.maybe_spoil((true, scores), 0.07)
    draw.weights(n, options)
    if draw.chance(0.5):
        options["average"] = draw.one(
            "macro", "micro", None, "samples", "weighted", "macro", "micro", None, "weighted", "binary"
        )
    if name == "roc_auc_score":
        if form == "several" and draw.chance(0.9):
            options["multi_class"] = draw.one("ovr", "ovo")
            if options["multi_class"] == "ovo" and draw.chance(0.8):
                options.pop("sample_weight", None)
        elif draw.chance(0.1):
            options["multi_class"] = draw.one("raise", "ovr", "ovo", "rest", None)
        if draw.chance(0.25 if form != "several" else 0.05):
            options["max_fpr"] = draw.one(0.1, 0.5, 0.3, 1, 1.0, 0.999, 1e-3, 0, 2, np.nan, True, "all")
        if draw.chance(0.2):
            options["labels"] = draw.some_labels(kind) if draw.chance(0.5) else KINDS[kind]
            draw.about.add("labels")
    elif draw.chance(0.3 if kind in ("01", "floats", "bool", "12") else 0.7):
        options["pos_label"] = draw.pos_label(kind) if form == "binary" else draw.one(1, 1, 0, None)
    return arguments, options


def of_probabilities(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Labels and probabilities: one column, two, or one for each class."""
    n = draw.rows()
    options: dict[str, Any] = {}
    form = draw.one("column", "column", "two", "several", "several", "multilabel")
    draw.about.add(form)
    kind = draw.one(*(BINARY if form in ("column", "two") else SEVERAL))
    draw.about.add(kind)
    values = np.array(KINDS[kind])
    if form == "multilabel":
        k = int(draw.rng.integers(1, 5))
        true = draw.matrix(
            draw.indicator(n, k) if draw.chance(0.5) else np.eye(k, dtype=int)[draw.rng.integers(0, k, n)]
        )
        proba = draw.matrix(draw.probabilities(n, k), may_be_sparse=False)
    else:
        labels = draw.labels(kind, n)
        if n >= len(values) and draw.chance(0.7):
            labels[: len(values)] = values
        true = draw.column(draw.narrow(labels))
        if form == "column":
            proba = draw.column(draw.unit(n) if draw.chance(0.96) else draw.scores(n))
        else:
            width = len(np.unique(labels)) if draw.chance(0.5) else len(values)
            proba = draw.matrix(draw.probabilities(n, width), may_be_sparse=False)
    arguments = draw.maybe_spoil((true, proba), 0.08)
    draw.weights(n, options)
    if draw.chance(0.4):
        options["labels"] = draw.some_labels(kind) if draw.chance(0.6) else KINDS[kind]
        draw.about.add("labels")
    if name in ("brier_score_loss", "d2_brier_score") and draw.chance(0.6 if kind == "text" else 0.25):
        options["pos_label"] = draw.pos_label(kind)
    if name == "brier_score_loss" and draw.chance(0.3):
        options["scale_by_half"] = draw.one(True, False, "auto", True, False, "no", None, 1)
    if name == "log_loss":
        flag("normalize")(draw, options, kind)
    if name in ("log_loss", "d2_log_loss_score") and draw.chance(0.04):
        options["y_pred"] = arguments[1]
        if draw.chance(0.7):
            arguments = arguments[:1]
        draw.about.add("y_pred")
    return arguments, options


def of_hinge(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    n = draw.rows()
    options: dict[str, Any] = {}
    several = draw.chance(0.5)
    kind = draw.one(*(SEVERAL if several else BINARY))
    draw.about.add(kind)
    values = np.array(KINDS[kind])
    labels = draw.labels(kind, n)
    if n >= len(values) and draw.chance(0.7):
        labels[: len(values)] = values
    true = draw.column(draw.narrow(labels))
    if several:
        width = len(np.unique(labels)) if draw.chance(0.5) else len(values)
        decision = draw.matrix(draw.scores(n * width).reshape(n, width), may_be_sparse=False)
    else:
        decision = draw.column(draw.scores(n))
    arguments = draw.maybe_spoil((true, decision))
    draw.weights(n, options)
    if draw.chance(0.5 if several else 0.2):
        options["labels"] = draw.some_labels(kind) if draw.chance(0.5) else KINDS[kind]
        draw.about.add("labels")
    return arguments, options


def of_top_k(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    arguments, options = of_hinge(draw, name)
    if draw.chance(0.6):
        options["k"] = draw.one(1, 2, 3, 1, 2, 3, 4, 10, 0, -1, 1.5, "2", np.int64(2), None, True)
    flag("normalize")(draw, options, "")
    return arguments, options


def of_ranking(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A matrix of relevance and one of scores."""
    n = draw.rows()
    options: dict[str, Any] = {}
    k = int(draw.one(1, 2, 3, 4, 6, 9))
    gains = name in ("dcg_score", "ndcg_score")
    if gains and draw.chance(0.7):
        true = draw.one(
            lambda: draw.rng.integers(0, 5, (n, k)),
            lambda: draw.rng.random((n, k)),
            lambda: draw.rng.integers(0, 3, (n, k)).astype(float),
            lambda: draw.rng.integers(-1, 5, (n, k)),
            lambda: draw.rng.random((n, k)).astype("f4"),
            lambda: np.zeros((n, k)),
        )()
    else:
        true = draw.indicator(n, k)
    scores = draw.scores(n * k).reshape(n, k)
    if draw.chance(0.02):
        scores = scores[:, :-1]
    sparse_truth = name in ("label_ranking_average_precision_score", "label_ranking_loss")
    arguments = draw.maybe_spoil(
        (draw.matrix(true, may_be_sparse=sparse_truth), draw.matrix(scores, may_be_sparse=False))
    )
    draw.weights(n, options)
    if gains:
        if draw.chance(0.5):
            options["k"] = draw.one(1, 2, 3, 5, 100, None, 0, -1, 2.0, "1", np.int64(2), True)
        if draw.chance(0.5):
            options["ignore_ties"] = draw.one(True, True, True, False, 1, None)
        if name == "dcg_score" and draw.chance(0.3):
            options["log_base"] = draw.one(2, np.e, 10, 0.5, 1, 0, -1, np.inf, np.nan, "2", None)
    return arguments, options


def of_auc(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    n = draw.rows()
    x = draw.scores(n)
    way = draw.one("up", "down", "random", "up")
    if way != "random":
        x = np.sort(x)
    if way == "down":
        x = x[::-1]
    return draw.maybe_spoil((draw.column(x), draw.column(draw.scores(n)))), {}


class Estimator(ClassifierMixin, BaseEstimator):
    """A classifier that has its answers ready."""

    def __init__(self, classes: Any, predictions: Any, chances: Any) -> None:
        self.classes_ = classes
        self.predictions = predictions
        self.chances = chances

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.classes_.tolist()}, {self.predictions.tolist()}, {self.chances.tolist()})"

    def fit(self, X: Any, y: Any) -> Any:
        return self

    def predict(self, X: Any) -> Any:
        return self.predictions

    def predict_proba(self, X: Any) -> Any:
        return self.chances

    def score(self, X: Any, y: Any) -> float:
        return 0.25


class Deciding(Estimator):
    """It has decisions too, one column of them for two classes."""

    def decision_function(self, X: Any) -> Any:
        return self.chances[:, 1] - 0.5 if len(self.classes_) == 2 else self.chances


SCORERS = (
    *["accuracy", "balanced_accuracy", "average_precision", "matthews_corrcoef", "roc_auc", "top_k_accuracy"],
    *["neg_log_loss", "neg_brier_score", "d2_log_loss_score", "d2_brier_score", "positive_likelihood_ratio"],
    *["neg_negative_likelihood_ratio", "roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted"],
    *[
        f"{name}{kind}"
        for name in ("f1", "precision", "recall", "jaccard")
        for kind in ("", "_macro", "_micro", "_weighted")
    ],
)


def of_scorer(draw: Draw, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A scorer or several, and what they make of a classifier."""
    n = max(draw.rows(), 2)
    kind = draw.one(*BINARY, *SEVERAL)
    classes = np.array(sorted(KINDS[kind]))
    y = draw.labels(kind, n)
    chances = draw.rng.dirichlet(np.ones(len(classes)), size=n)
    answers = (classes, draw.like(y, kind), chances)
    estimator = draw.one(Estimator, Deciding)(*answers)
    weights: dict[str, Any] = {}
    if draw.chance(0.3):
        weights["sample_weight"] = draw.rng.random(n)
    scoring: Any = draw.one(*SCORERS)
    if name != "get_scorer" and draw.chance(0.5):
        scoring = draw.one(list, tuple, set)(draw.rng.choice(SCORERS, 3, replace=False).tolist())
    if draw.chance(0.1):
        scoring = draw.one(
            "spam", 1, None, [], {}, [1, 2], "", {"a": "spam"}, {"a": "f1", "b": "accuracy"}, ("f1", "f1")
        )

    def then(scorer: Any) -> Any:
        return repr(scorer), scorer(estimator, np.zeros((n, 1)), y, **weights)

    draw.then = then
    if name == "get_scorer":
        return (scoring,), {}
    options: dict[str, Any] = {}
    if name == "check_scoring":
        if draw.chance(0.2):
            options["allow_none"] = draw.one(True, False, 1, "no")
        return (draw.one(estimator, estimator, estimator, None, "an estimator"), scoring), options
    metric = draw.one(
        "f1_score", "accuracy_score", "fbeta_score", "roc_auc_score", "log_loss", "cohen_kappa_score", "bad"
    )
    if metric == "fbeta_score":
        options["beta"] = 2
    if metric in ("f1_score", "fbeta_score"):
        options["average"] = draw.one("macro", "weighted", "micro")
    if metric in ("roc_auc_score", "log_loss") and draw.chance(0.8):
        options["response_method"] = draw.one("predict_proba", ("decision_function", "predict_proba"))
    elif draw.chance(0.3):
        options["response_method"] = draw.one(
            *["predict", "predict_proba", "decision_function", ("decision_function", "predict_proba"), "spam", None, 1],
        )
    if draw.chance(0.5):
        options["greater_is_better"] = draw.one(True, False, 1, "yes")
    return (Named(metric),), options


FUNCTIONS: dict[str, Callable[[Draw, str], tuple[tuple[Any, ...], dict[str, Any]]]] = {
    **dict.fromkeys(LABEL_OPTIONS, of_labels),
    **dict.fromkeys(("roc_curve", "precision_recall_curve", "det_curve", "confusion_matrix_at_thresholds"), of_curve),
    "calibration_curve": of_curve,
    "metric_at_thresholds": of_thresholds,
    **dict.fromkeys(("roc_auc_score", "average_precision_score"), of_area),
    **dict.fromkeys(("log_loss", "brier_score_loss", "d2_log_loss_score", "d2_brier_score"), of_probabilities),
    "hinge_loss": of_hinge,
    "top_k_accuracy_score": of_top_k,
    **dict.fromkeys(("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss"), of_ranking),
    **dict.fromkeys(("dcg_score", "ndcg_score"), of_ranking),
    "auc": of_auc,
    **dict.fromkeys(("get_scorer", "check_scoring", "make_scorer"), of_scorer),
}


def call(seed: int, place: int, names: tuple[str, ...] = tuple(FUNCTIONS)) -> Call:
    """The call at this place of the run with this seed: functions take turns."""
    name = names[place % len(names)]
    draw = Draw(seed, place)
    arguments, options = FUNCTIONS[name](draw, name)
    return Call(name, arguments, options, draw.about, draw.then)

"""Every public call that takes columns of rows, found by its signature, with columns that it accepts."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, is_dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

import rocksteady as rs

ROWS = 24
#: The functions have scikit-learn's contract, take columns by place and are tested against it; engines read names of columns.
OF_OTHERS = ("metrics.", "callbacks.", "dask.", "spark.", "errors.")

_random = np.random.default_rng(7)
_index = [f"row {place}" for place in range(ROWS)]


def column(values: Any) -> pd.Series:
    return pd.Series(values, index=_index)


def frame(values: Any, names: Any) -> pd.DataFrame:
    return pd.DataFrame(values, index=_index, columns=names)


CLASSES = ["cat", "dog", "eel"]
_labels = np.arange(ROWS) % 2
_classes = np.array(CLASSES)[np.arange(ROWS) % 3]
_proba = _random.dirichlet(np.ones(3), ROWS)
_flags = np.column_stack([np.arange(ROWS) % k == 0 for k in (2, 3, 5)]).astype(int)

Y = column(_labels)
SCORES = column(_random.random(ROWS).round(2))
OF_CLASSES = column(_classes)
PROBA = frame(_proba, CLASSES)
FLAGS = frame(_flags, CLASSES)
COSTS = pd.DataFrame([[0.0, 1.0, 2.0], [3.0, 0.0, 5.0], [7.0, 8.0, 0.0]], index=CLASSES, columns=CLASSES)

#: Columns by the names of their arguments. The first one of a call says the order of the rows.
COLUMNS: dict[str, Any] = {
    "y_true": Y,
    "relevance": Y,
    "actual": Y,
    "y_pred": column(_random.permutation(_labels)),
    "predicted": column(_random.permutation(_labels)),
    "y_score": SCORES,
    "against": column(np.arange(ROWS) / ROWS),
    "scores": column(np.arange(ROWS) / ROWS),
    "outcome": column(np.arange(ROWS) % 7 / 7),
    "least": column(np.arange(ROWS) / ROWS),
    "greatest": column(np.arange(ROWS) / ROWS),
    "y_proba": PROBA,
    "pred_decision": PROBA,
    "sample_weight": column(_random.integers(1, 4, ROWS)),
    "amounts": column(_random.integers(1, 4, ROWS)),
    "by": column(_random.permutation(np.repeat(["north", "south"], ROWS // 2))),
    "control": column(_random.permutation(np.repeat(["old", "young"], ROWS // 2))),
    "sensitive_features": column(_random.permutation(np.repeat(["north", "south"], ROWS // 2))),
    "control_features": column(_random.permutation(np.repeat(["old", "young"], ROWS // 2))),
    "subgroups": {"north": column(_random.permutation(_labels).astype(bool))},
    "sample_params": {"sample_weight": column(_random.integers(1, 4, ROWS))},
    "cluster": column(_clusters := _random.permutation(np.arange(ROWS) // 3)),
    "strata": column(_clusters % 2),
    "key": column(_random.permutation(ROWS)),
    "query": column([f"q{place // 6}" for place in range(ROWS)]),
    "query_weight": column(np.arange(ROWS) // 6 + 1),
    "document": column([f"d{place}" for place in _random.permutation(ROWS)]),
    "positives": column(_random.integers(1, 9, ROWS)),
    "negatives": column(_random.integers(1, 9, ROWS)),
    **{name: column(_random.integers(10, 90, ROWS)) for name in ("tp", "fp", "fn", "tn")},
    **{name: column(_random.integers(10, 50, ROWS)) for name in ("successes_1", "successes_2", "both", "neither")},
    **{name: column(_random.integers(50, 90, ROWS)) for name in ("rows_1", "rows_2", "first_only", "second_only")},
    "expected": SCORES,
    "actual_": SCORES,
    "expected_weight": column(_random.integers(1, 4, ROWS)),
    "actual_weight": column(_random.integers(1, 4, ROWS)),
    "unknown": column(np.arange(ROWS) % 3),
}
#: Arguments that are array-like, and no columns of rows.
NO_COLUMNS = {
    *("labels", "average", "counts", "costs", "threshold", "thresholds", "at", "edges", "weights", "prevalence"),
    *("judged", "judged_alone", "first", "second", "total"),
    *("areas", "rows", "positives", "probability", "grades"),
}
#: Where the generic column does not fit, and what else a call needs.
OWN: dict[str, dict[str, Any]] = {
    "LabelScoreTables": {"y_true": FLAGS, "y_score": PROBA},
    "ScoreTables": {"y_true": OF_CLASSES},
    "scores.auc_mu": {"y_true": OF_CLASSES, "y_proba": PROBA},
    "costs.profit_area": {"costs": {"fn": SCORES, "fp": 0.5}},
    "scores.top_label": {"y_true": OF_CLASSES, "y_score": PROBA},
    "costs.bayes_decision": {"costs": COSTS},
    "scores.at_prevalence": {"prevalence": 0.1, "trained_at": 0.5},
    "costs.bayes_risk": {"costs": COSTS},
    "CostCounts": {"costs": {"fn": SCORES, "fp": 0.5}},
    "CostTable": {"costs": {"fn": SCORES, "fp": 0.5}},
    "AnchoredCounts": {"anchors": rs.ScoreAnchors(_labels, SCORES.to_numpy(), pos_label=1)},
    "ScoreAnchors": {"pos_label": 1},
    "counts_at": {"thresholds": [0.25, 0.5]},
    "ConfusionMatrix.positions": {"label": 1},
    "scores.population_stability": {"actual": SCORES + 0.01},
    "scores.category_stability": {"expected": OF_CLASSES, "actual": OF_CLASSES},
    "comparison.compare_readers": {
        "y_score": {"film": {"a": SCORES, "b": SCORES / 2}, "digital": {"a": 1 - SCORES, "b": SCORES}}
    },
    "comparison.area_fragility": {"y_score": {"old": SCORES, "new": 1 - SCORES}},
    "evaluate": {"y_proba": None, "inference": True},
    "inference.bootstrap": {"n_resamples": 100, "random_state": 1, "key": None, "strata": None},
    "costs.minority_label": {"tie": 0},
    "fairness.MetricFrame": {"metrics": "accuracy"},
    "Queries": {"ties": "trec_eval"},
    "comparison.rater_agreement": {"ratings": FLAGS},
    "inference.compare_labels": {"y_pred": {"old": Y, "new": 1 - Y}},
    **{
        f"RowMean.{name}": {"y_true": OF_CLASSES, "y_score": PROBA, "labels": CLASSES}
        for name in ("top_k_accuracy_score",)
    },
    **{
        f"RowMean.{name}": {"y_true": OF_CLASSES, "y_proba": PROBA, "labels": CLASSES}
        for name in ("log_loss", "ranked_probability_score")
    },
    **{f"RowMean.{name}": {"y_true": OF_CLASSES, "labels": CLASSES} for name in ("hinge_loss",)},
    **{
        f"RowMean.{name}": {"y_true": FLAGS, "y_score": PROBA}
        for name in ("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss", "ndcg_score")
    },
}
#: Calls in another form, with the columns that they take there.
FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "evaluate of classes": ("evaluate", {"y_true": OF_CLASSES, "y_score": None, "y_pred": None, "y_proba": PROBA}),
    "evaluate of labels": (
        "evaluate",
        {"y_true": FLAGS, "y_score": PROBA, "y_pred": FLAGS, "y_proba": None, "by": None, "sample_weight": None},
    ),
    "evaluate of models": (
        "evaluate",
        {"y_score": {"old": SCORES, "new": 1 - SCORES}, "y_pred": None, "y_proba": None},
    ),
    "evaluate of models of classes": (
        "evaluate",
        {"y_true": OF_CLASSES, "y_score": None, "y_pred": None, "y_proba": {"old": PROBA, "new": PROBA}},
    ),
    "evaluate, bounded": (
        "evaluate",
        {
            "bounded": True,
            **dict.fromkeys(("y_pred", "y_proba", "by", "cluster", "strata")),
            "inference": False,
        },
    ),
    "calibration_error of classes": ("scores.calibration_error", {"y_true": OF_CLASSES, "y_score": PROBA}),
    "calibration_error, classwise": (
        "scores.calibration_error",
        {"y_true": OF_CLASSES, "y_score": PROBA, "mode": "classwise"},
    ),
    "bayes_decision by row": (
        "costs.bayes_decision",
        {"y_proba": SCORES, "costs": {"fn": column(np.arange(ROWS)), "fp": 3.0}},
    ),
    "bayes_risk by row": ("costs.bayes_risk", {"y_proba": SCORES, "costs": {"fn": column(np.arange(ROWS)), "fp": 3.0}}),
    "bootstrap with a key": (
        "inference.bootstrap",
        {"cluster": None, "key": COLUMNS["key"], "resample": "poisson"},
    ),
    "bootstrap within strata": ("inference.bootstrap", {"cluster": None, "strata": COLUMNS["strata"]}),
    "group_by of scores": ("group_by", {"y_pred": None}),
    "group_by of unknown labels": (
        "group_by",
        {"missing_labels": "unknown", **dict.fromkeys(("y_pred", "sample_weight", "labels", "threshold"))},
    ),
    "compare_scores of models": ("inference.compare_scores", {"y_score": {"old": SCORES, "new": 1 - SCORES}}),
}


def _gathered() -> Any:
    found = rs.AnchoredCollector(pos_label=1)
    found.update(Y.to_numpy(), SCORES.to_numpy())
    found.second_pass()
    return found


#: What a method is called on.
OBJECTS: dict[str, Any] = {
    "ScoreCollector": lambda: rs.ScoreCollector(pos_label=1),
    "SketchCollector": lambda: rs.SketchCollector(pos_label=1),
    "AnchoredCollector": _gathered,
    "scores.LabelLedger": lambda: rs.scores.LabelLedger([None] * ROWS, SCORES, pos_label=1),
}


#: Not public calls of columns: what is returned and never constructed is left out by its kind.
NOT_OF_ROWS = {
    "ConfusionMatrix.from_counts": "takes counts, and names of columns",
    "Groups.empty": "takes names of columns",
    "Groups.over": "takes names of columns",
    "LedgerGroups.empty": "takes names of columns",
    "LedgerGroups.over": "takes names of columns",
    "engines.Aggregator": "takes names of columns",
    "ConfusionMatrix.normalize": "by= is a word",
    "ScoreTable.cost_series": "by= is a word",
    "compare": "by= is a word",
    "comparison.enumerate_rankings": "takes numbers",
    "inference.auc_assumed": "takes numbers",
    "comparison.judged_share": "takes numbers",
    "scores.back_test": "takes numbers of grades",
    "scores.uplift": "takes what was counted",
    "CountsBounds": "takes numbers and pairs of them",
    "costs.optimal_threshold": "takes numbers",
    "plot": "takes what was counted",
}


@dataclass
class Call:
    """A public call with columns by argument, and its other arguments."""

    name: str
    public: str
    function: Any
    columns: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)
    has_align: bool = False

    def __call__(self, **changed: Any) -> Any:
        return self.function(**{**self.columns, **self.options, **changed})


def public() -> dict[str, Any]:
    """Every public function, class and method by its dotted name, a result by the name of its class."""
    found: dict[str, Any] = {}
    for name in rs.__all__:
        thing = getattr(rs, name)
        members = {name: thing}
        if inspect.ismodule(thing):
            within = "" if thing is rs.results else f"{name}."
            members = {f"{within}{own}": getattr(thing, own) for own in thing.__all__ if not own.startswith("_")}
        for called, own in members.items():
            if not callable(own) or called.startswith(OF_OTHERS) or not own.__module__.startswith("rocksteady"):
                continue
            found[called] = own
            if inspect.isclass(own):
                methods = {
                    f"{called}.{method}": getattr(own, method) for method in dir(own) if not method.startswith("_")
                }
                found |= {method: function for method, function in methods.items() if callable(function)}
    return found


def is_result(thing: Any) -> bool:
    """Whether a class is of what calls return, which nobody constructs."""
    return inspect.isclass(thing) and (is_dataclass(thing) or issubclass(thing, tuple | Exception))


def parameters(thing: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(thing).parameters)
    except ValueError:
        return {}


def calls() -> dict[str, Call]:
    """The public calls that take columns of rows, and the forms of some of them."""
    everything = public()
    displays = [name for name, own in everything.items() if {"y_score", "ax"} <= set(parameters(own))]
    of_classes = {f"{name} of classes": (name, {"y_true": OF_CLASSES, "y_score": PROBA}) for name in displays}
    wanted = {name: (name, {}) for name in everything} | FORMS | of_classes
    found = {}
    for said, (name, form) in wanted.items():
        thing, own = everything[name], {**OWN.get(name, {}), **form}
        owner, _, method = name.rpartition(".")
        if is_result(thing) or name in NOT_OF_ROWS or method in ("from_estimator", "plot"):
            continue
        taken = parameters(thing)
        columns = {argument: own.get(argument, COLUMNS[argument]) for argument in taken if argument in COLUMNS}
        columns = {argument: values for argument, values in columns.items() if values is not None}
        if not columns or ("self" in taken and owner not in OBJECTS):
            continue
        if "self" in taken:
            thing = on(OBJECTS[owner], method)
        options = {argument: value for argument, value in own.items() if argument not in COLUMNS}
        found[said] = Call(said, name, thing, columns, options, "align" in taken)
    return found


def on(make: Any, method: str) -> Any:
    """A method on a new object, which it gives back."""

    def called(**columns: Any) -> Any:
        made = make()
        getattr(made, method)(**columns)
        return made.score_table() if hasattr(made, "score_table") else made

    return called


def bits(result: Any) -> Any:
    """All that a result says, so that two of them can be compared to the bit."""
    if isinstance(result, np.ndarray):
        return result.dtype.str, result.tolist() if result.dtype.kind == "O" else result.tobytes()
    if isinstance(result, dict):
        return {key: bits(value) for key, value in result.items()}
    if hasattr(result, "to_bytes") and not isinstance(result, int):
        return result.to_bytes()
    if hasattr(result, "figure_"):  # a display
        plt.close(result.figure_)
        return repr([[line.get_xydata().tolist() for line in axes.lines] for axes in result.figure_.axes]), [
            text.get_text() for axes in result.figure_.axes for text in axes.texts
        ]
    if hasattr(result, "n_resamples"):
        return repr(result.summary())
    if hasattr(result, "by_group"):
        return repr((result.by_group, result.overall))
    if is_dataclass(result):
        return {name: bits(getattr(result, name)) for name in result.__dataclass_fields__}
    return repr(result)

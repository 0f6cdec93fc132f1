"""Names decide in every public call: rows by their index, columns by classes, labels and models, costs by classes.

A call with shuffled names gives the same bits as with names in order, or refuses them. Rows in another order, which belong
together by place unless `align` says otherwise, are at least warned of.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("matplotlib").use("Agg")

import public_calls as given

import rocksteady as rs

CALLS = given.calls()
ORDER = np.random.default_rng(1).permutation(given.ROWS)
BACKWARDS = given.CLASSES[::-1]
FRAMES = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}
#: Other samples than the first column, so that their rows do not belong to its rows.
OTHER_SAMPLES = {("scores.population_stability", "actual"), ("scores.category_stability", "actual")}


def test_every_argument_that_is_a_column_is_tried():
    tried = {(call.public, argument) for call in CALLS.values() for argument in call.columns}
    for name, function in given.public().items():
        for argument, parameter in given.parameters(function).items():
            if (
                "ArrayLike" in str(parameter.annotation)
                and not given.is_result(function)
                and name not in given.NOT_OF_ROWS
            ):
                assert (name, argument) in tried or argument in given.NO_COLUMNS, (
                    "a column without an entry in public_calls"
                )


def quiet(call: Any, **changed: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return given.bits(call(**changed))


def by_row(values: Any) -> bool:
    """Whether an argument is a column, or a mapping of columns, with an index."""
    parts = values.values() if isinstance(values, dict) else [values]
    return any(hasattr(part, "iloc") and len(part) == given.ROWS for part in parts)


def other_rows(values: Any) -> Any:
    if isinstance(values, dict):
        return {name: other_rows(part) if hasattr(part, "iloc") else part for name, part in values.items()}
    return values.iloc[ORDER]


def test_columns_with_another_order_of_rows():
    tried = 0
    for call in CALLS.values():
        expected = quiet(call)
        for argument, values in [*list(call.columns.items())[1:], *call.options.items()]:
            if not by_row(values) or (call.name, argument) in OTHER_SAMPLES:
                continue
            for align in {False, call.has_align}:
                tried += 1
                options = {"align": True} if align else {}
                with warnings.catch_warnings(record=True) as said:
                    warnings.simplefilter("always")
                    try:
                        found = given.bits(call(**{argument: other_rows(values)}, **options))
                    except rs.RocksteadyError:
                        continue
                told = any(argument in str(each.message) and "in another order" in str(each.message) for each in said)
                assert found == expected or (told and not align), (call.name, argument, align)
    assert tried >= 200, f"{tried} calls with rows in another order"


def by_label(found: Any) -> Any:
    """What is counted of several labels, by their names, as their order is that of the columns of `y_true`."""
    if isinstance(found, rs.LabelScoreTables):
        return {label: found.score_table(label).to_bytes() for label in found.labels}
    if "label_summary" in dir(found):
        table = found.label_summary(["recall", "roc_auc"])
        return {row[0]: row[1:] for row in table.rows}, found.exact_match
    return given.bits(found)


def test_columns_with_another_order_of_names():
    tried = refused = 0
    for call in CALLS.values():
        framed = [argument for argument, values in call.columns.items() if hasattr(values, "columns")]
        takes_labels = "labels" in given.parameters(given.public()[call.public])
        for named, make in FRAMES.items() if framed else ():
            for labels in [{}, {"labels": given.CLASSES}] if takes_labels else [{}]:
                straight = {argument: make(call.columns[argument]) for argument in framed}
                expected = by_label(call(**straight, **labels))
                for argument in framed:
                    tried += 1
                    shuffled = {**straight, argument: make(call.columns[argument][BACKWARDS])}
                    try:
                        found = by_label(call(**shuffled, **labels))
                    except rs.RocksteadyError:
                        refused += 1
                        continue
                    assert found == expected, (call.name, argument, named, labels)
    assert tried >= 100, f"{tried} calls with columns in another order"
    assert refused == 0, f"{refused} calls refused columns in another order"


def test_names_of_labels():
    flags, scores = given.FLAGS, given.PROBA[BACKWARDS]
    expected = by_label(rs.LabelScoreTables(given.FLAGS, given.PROBA))
    assert list(rs.LabelScoreTables(flags, scores).labels) == given.CLASSES
    assert list(rs.LabelScoreTables(flags, scores, labels=BACKWARDS).labels) == BACKWARDS
    assert by_label(rs.LabelScoreTables(flags, scores, labels=BACKWARDS)) == expected
    renamed = rs.LabelScoreTables(flags, scores, labels=["x", "y", "z"])
    assert [renamed.score_table(label).to_bytes() for label in "xyz"] == list(expected.values())
    for unnamed in (flags.to_numpy(), flags.set_axis(range(3), axis=1)):
        assert by_label(rs.LabelScoreTables(unnamed, scores, labels=given.CLASSES)) == expected
    ev = rs.evaluate(flags, scores, labels=BACKWARDS)
    assert ev.labels == tuple(BACKWARDS)
    assert by_label(ev) == by_label(rs.evaluate(given.FLAGS, given.PROBA))
    with pytest.raises(rs.InputError, match=r"y_score\.columns is \['fox', 'dog', 'cat'\]; expected the names of all"):
        rs.LabelScoreTables(flags, scores.rename(columns={"eel": "fox"}))


def test_classes_that_are_numbers_in_frames_whose_names_are_text():
    numbers = np.arange(given.ROWS) % 3
    for y_true in (numbers, numbers.astype(float), numbers.astype(str)):
        names = np.unique(y_true)
        for call in (
            rs.ScoreTables,
            rs.scores.top_label,
            lambda y, p: rs.scores.calibration_error(y, p, mode="classwise"),
        ):
            expected = quiet(call, y=y_true, p=given.PROBA.to_numpy()) if call.__name__ == "<lambda>" else None
            expected = given.bits(call(y_true, given.PROBA.to_numpy())) if expected is None else expected
            backwards = given.PROBA.set_axis(names.astype(str), axis=1).iloc[:, ::-1]
            for make in FRAMES.values():
                assert given.bits(call(y_true, make(backwards))) == expected


def test_the_positive_class_goes_by_its_name():
    proba = pd.DataFrame({"no": 1 - given.SCORES, "yes": given.SCORES})
    y_true = np.array(["no", "yes"])[given.Y]
    for label in (None, "no", "yes"):
        column = proba["yes" if label is None else label].to_numpy()
        expected = rs.scores.calibration_error(y_true, column, pos_label=label)
        for frame in (proba, proba[["yes", "no"]]):
            assert rs.scores.calibration_error(y_true, frame, pos_label=label) == expected


# Costs, and weights of classes

MATRIX = rs.ConfusionMatrix(given.OF_CLASSES, np.roll(given.OF_CLASSES, 2))
TWO = given.column(np.array(["bad", "good"])[given.Y])
OF_TWO = pd.DataFrame([[0.0, 3.0], [5.0, 1.0]], index=["bad", "good"], columns=["bad", "good"])
PREDICTED = np.where(given.SCORES > 0.5, "good", "bad")
STATISTICS: dict[str, Any] = {
    "ConfusionMatrix": MATRIX,
    "ConfusionMatrix of two": rs.ConfusionMatrix(TWO, PREDICTED),
    "ConfusionMatrix, the other": rs.ConfusionMatrix(TWO, PREDICTED, pos_label="bad"),
    "ScoreTable": rs.ScoreTable(TWO, given.SCORES),
    "ScoreTable, the other": rs.ScoreTable(TWO, given.SCORES, pos_label="bad"),
    "CountsAt": rs.ScoreTable(TWO, given.SCORES).at(0.5),
    "Counts": rs.Counts(3, 2, 4, 6),
    "scores.LabelLedger": rs.scores.LabelLedger(TWO, given.SCORES, pos_label="good"),
    "scores.SketchLedger": rs.scores.SketchLedger(TWO, given.SCORES, pos_label="good"),
    "LedgerGroups": rs.group_by(
        TWO, y_score=given.SCORES, by=given.COLUMNS["by"], pos_label="good", missing_labels="unknown"
    ),
    "LedgerCounts": rs.scores.LabelLedger(TWO, given.SCORES, pos_label="good").at(0.5),
    "EnumeratedMatrices": rs.comparison.enumerate_matrices([2, 2]),
    "ScoreSketch": rs.ScoreSketch(TWO, given.SCORES),
    "CountsBounds": rs.ScoreSketch(TWO, given.SCORES).at(0.5),
    "Groups": rs.group_by(TWO, PREDICTED, by=given.COLUMNS["by"]),
    "Groups, the other": rs.group_by(TWO, PREDICTED, by=given.COLUMNS["by"], pos_label="bad"),
    "Groups of scores": rs.group_by(TWO, y_score=given.SCORES, by=given.COLUMNS["by"]),
    "Groups of classes": rs.group_by(given.OF_CLASSES, np.roll(given.OF_CLASSES, 2), by=given.COLUMNS["by"]),
    "Evaluation": rs.evaluate(TWO, given.SCORES),
    "Evaluation of models": rs.evaluate(TWO, {"old": given.SCORES, "new": 1 - given.SCORES}, inference=True),
    "Evaluation of classes": rs.evaluate(given.OF_CLASSES, y_proba=given.PROBA),
    "ModelEvaluation": rs.evaluate(TWO, given.SCORES).models["model"],
    "BoundedModel": rs.evaluate(TWO, given.SCORES, bounded=True).models["model"],
    "ScoreTables": rs.ScoreTables(given.OF_CLASSES, given.PROBA),
    "LabelScoreTables": rs.LabelScoreTables(given.FLAGS, given.PROBA),
    "MultilabelModel": rs.evaluate(given.FLAGS, given.PROBA).models["model"],
    "inference.ComparedLabels": rs.inference.compare_labels(TWO, {"old": PREDICTED, "new": PREDICTED[::-1]}),
    "inference.PairTable": rs.inference.compare_labels(TWO, {"old": PREDICTED, "new": PREDICTED[::-1]}).pairs[
        "old", "new"
    ],
}

#: What refuses costs with names, as it does not know what the classes are called, and methods that have no costs.
WITHOUT_NAMES = ("Counts.", "CountsBounds.", "LedgerCounts.", "LedgerGroups.", "EnumeratedMatrices.")
WITHOUT_NAMES += ("Evaluation.compare", "Evaluation.curves", "Evaluation.profit", "ModelEvaluation.curves")
WITHOUT_NAMES += ("BoundedModel.every", "BoundedModel.best", "BoundedModel.why_no_best")
WITHOUT_NAMES += ("ScoreSketch.", "ScoreTable.exact", "ScoreTable.interval", "ScoreTable.value", "ScoreTable.why")
#: Required arguments of methods that take the parameters of an index.
ASKED = {"x": "threshold", "first": "old", "second": "new", "previous": None}
WITH_MATRIX = [row.name for row in rs.indices() if any(each.name == "matrix" for each in row.parameters)]
#: Statistics that no index with a matrix of costs is read from.
WITHOUT_COSTS = (
    "AnchoredCounts",
    "CostCounts",
    "CostTable",
    "EnumeratedRankings",
    "fairness.MetricFrame",
    "plot.",
    "LabelScoreTables",
    "Multilabel",
    "ProbabilitySums",
    "Queries",
    "RowMean",
    "ScoreAnchors",
    "ScoreTables",
    "ScoreView",
    "Window",
    "scores.LabelLedger",
    "scores.SketchLedger",
)


def methods_of_costs() -> dict[str, list[tuple[str, Any]]]:
    """The public methods that take an index with its parameters, by name: what they are on, and themselves."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for name, function in given.public().items():
        owner, _, method = name.rpartition(".")
        taken = given.parameters(function)
        open_ended = [each.name for each in taken.values() if each.kind is each.VAR_KEYWORD]
        if name.startswith(WITHOUT_COSTS) or open_ended not in (["parameters"], ["options"]) or "self" not in taken:
            continue
        found[name] = [
            (said, getattr(statistic, method))
            for said, statistic in STATISTICS.items()
            if said.partition(" ")[0].rstrip(",") == owner
        ]
        assert found[name], f"no {owner} here, whose method {method} takes the parameters of an index"
    return found


def labels_of(statistic: Any) -> list[Any] | None:
    labels = getattr(getattr(statistic, "confusion", statistic), "labels", None)
    return None if labels is None else [str(label) for label in labels]


def test_costs_in_another_order_of_classes():
    tried, answered = 0, set()
    for name, methods in methods_of_costs().items():
        for said, method in methods:
            labels = labels_of(method.__self__)
            costs = given.COSTS if labels == given.CLASSES else OF_TWO
            required = {
                argument: ASKED.get(argument)
                for argument, each in given.parameters(method).items()
                if each.default is each.empty and each.kind is not each.VAR_KEYWORD
            }
            for index in WITH_MATRIX:
                asked = {
                    **required,
                    next((word for word in ("name", "index", "indices", "y") if word in required), "name"): index,
                }
                if "random_state" in given.parameters(method):
                    asked |= {"random_state": 0, "n_resamples": 3}
                for argument in ("costs", "matrix"):
                    array = costs.to_numpy() if labels is None else costs.loc[labels, labels].to_numpy()
                    try:
                        expected = quiet(method, **asked, **{argument: array})
                    except (rs.RocksteadyError, TypeError):
                        continue
                    names = list(costs)
                    shuffled = costs.loc[names[::-1], names[1:] + names[:1]]
                    nested = {row: dict(shuffled.loc[row]) for row in shuffled.index}
                    turned = pl.from_pandas(costs.loc[names[::-1], names[::-1]])
                    for form in (
                        costs,
                        shuffled,
                        nested,
                        turned,
                        pa.Table.from_pandas(turned.to_pandas(), preserve_index=False),
                    ):
                        tried += 1
                        try:
                            found = quiet(method, **asked, **{argument: form})
                        except rs.InputError:
                            assert labels is None or form is turned or isinstance(form, pa.Table), (
                                said,
                                name,
                                argument,
                            )
                            continue
                        assert found == expected, (said, name, index, argument, type(form))
                        answered.add(name)
    assert tried >= 4_000, f"{tried} calls with costs in another order"
    without = {name for name in methods_of_costs() if name not in answered and not name.startswith(WITHOUT_NAMES)}
    assert without == set(), f"no costs by name of {without}"


#: Functions and classes with costs, on three classes or on two.
WITH_COSTS: dict[str, Any] = {
    "evaluate": lambda costs: rs.evaluate(given.OF_CLASSES, y_proba=given.PROBA, costs=costs),
    "Evaluation": lambda costs: rs.Evaluation(list(STATISTICS["Evaluation of classes"].models.values()), costs=costs),
    "compare": lambda costs: rs.compare({"a": MATRIX, "b": MATRIX}, ["cost"], parameters={"cost": {"matrix": costs}}),
    "drift": lambda costs: rs.drift(MATRIX, MATRIX, "cost", costs=costs),
    "Window.drift": lambda costs: _window().drift("cost", MATRIX, costs=costs),
    "costs.bayes_decision": lambda costs: rs.costs.bayes_decision(given.PROBA[BACKWARDS], costs, labels=given.CLASSES),
    "costs.bayes_risk": lambda costs: rs.costs.bayes_risk(given.PROBA[BACKWARDS], costs, labels=given.CLASSES),
}
#: Those that cannot know what the classes are called.
REFUSED: dict[str, Any] = {
    "costs.optimal_threshold": rs.costs.optimal_threshold,
    "CostCounts": lambda costs: rs.CostCounts(TWO, PREDICTED, costs=costs),
    "CostTable": lambda costs: rs.CostTable(TWO, given.SCORES, costs=costs),
    "costs.profit_area": lambda costs: rs.costs.profit_area(TWO, given.SCORES, costs=costs),
}


def _window() -> rs.Window:
    found = rs.Window(parts=2)
    found.update("2024-03-31", MATRIX)
    return found


def test_costs_of_functions_in_another_order_of_classes():
    found = {
        name
        for name, function in given.public().items()
        if not given.is_result(function) and not {"costs"}.isdisjoint(given.parameters(function))
    }
    assert found <= {*WITH_COSTS, *REFUSED}, "a call that takes costs= has no entry here"
    shuffled = given.COSTS.loc[BACKWARDS, ["dog", "eel", "cat"]]
    for name, call in WITH_COSTS.items():
        expected = quiet(call, costs=given.COSTS.to_numpy())
        for form in (given.COSTS, shuffled, {row: dict(shuffled.loc[row]) for row in BACKWARDS}):
            assert quiet(call, costs=form) == expected, (name, type(form))
        with pytest.raises(rs.InputError, match="costs|matrix"):
            call(shuffled.rename(columns={"eel": "fox"}))
    for call in REFUSED.values():
        with pytest.raises(rs.InputError, match=r"costs is \['bad', 'good'\]"):
            call(OF_TWO)


def test_decisions_by_the_names_of_costs():
    decided = rs.costs.bayes_decision(given.PROBA, given.COSTS)
    assert set(decided) <= set(given.CLASSES)
    assert (
        decided.tolist() == rs.costs.bayes_decision(given.PROBA.to_numpy(), given.COSTS, labels=given.CLASSES).tolist()
    )
    assert decided.tolist() == rs.costs.bayes_decision(given.PROBA[BACKWARDS], given.COSTS.loc[BACKWARDS]).tolist()
    with pytest.raises(
        rs.InputError, match="y_proba.columns is .*expected labels=, the classes in the order of the costs"
    ):
        rs.costs.bayes_decision(given.PROBA[BACKWARDS], given.COSTS.to_numpy())


def test_weights_of_classes_by_name():
    weights = pd.Series([1.0, 2.0, 5.0], index=given.CLASSES)
    predicted = given.OF_CLASSES.to_numpy()
    judged = rs.evaluate(given.OF_CLASSES, y_pred={"old": predicted[::-1], "new": predicted}, inference=True)
    tried = set()
    for name, function in given.public().items():
        owner, _, method = name.rpartition(".")
        if "average" not in given.parameters(function) or owner not in STATISTICS or owner.startswith("Multilabel"):
            continue
        if name in ("ScoreTables.interval", "LabelScoreTables.interval"):  # refused
            continue
        asked = {
            "average_curve": ("fpr", "recall"),
            "bootstrap": ("recall",),
            "interval": ("recall",),
            "value": (one := "recall" if owner == "ConfusionMatrix" else "roc_auc",),
            "why": (one,),
            "compared": ("recall",),
            "leaderboard": ("recall",),
            "influence": ("recall",),
            "difference": ("recall", "old", "new"),
        }[method]
        several = STATISTICS["Evaluation of classes"].models["model"]
        of_rows = {"ModelEvaluation": several, "Evaluation": judged}
        call = getattr(of_rows.get(owner) or STATISTICS[owner], method)
        if "random_state" in given.parameters(function):
            call = partial(call, random_state=0)
        expected = given.bits(call(*asked, average=weights.to_numpy()))
        for form in (weights, weights[BACKWARDS], dict(weights[BACKWARDS])):
            assert given.bits(call(*asked, average=form)) == expected, (name, type(form))
        with pytest.raises(rs.InputError, match="average is .*expected a weight of each of the labels"):
            call(*asked, average=weights.rename({"eel": "fox"}))
        tried.add(name)
    assert len(tried) == 15, tried


def test_thresholds_of_no_model():
    tried = set()
    for call in CALLS.values():
        name = call.public
        if "threshold" in given.parameters(given.public()[name]):
            with pytest.raises(rs.RocksteadyError, match="nobody") as refused:
                call(threshold={"nobody": 0.5})
            assert refused.value.argument == "threshold"
            if name == "evaluate":
                assert "names of models: 'model'" in str(refused.value) or "'old', 'new'" in str(refused.value)
            tried.add(call.name)
    assert len(tried) >= 8, tried
    with pytest.raises(rs.InputError, match="threshold is 'nobody'; expected names of models"):
        rs.engines.Aggregator("label", {"model": "score"}, threshold={"nobody": 0.5})
    with pytest.raises(rs.InputError, match="threshold is 'nobody'; expected names of models"):
        rs.evaluate(given.Y, given.SCORES, threshold={"nobody": 0.5}, bounded=True)


def test_models_in_another_order():
    models = {"old": given.SCORES, "new": 1 - given.SCORES}
    others = {name: models[name] for name in ("new", "old")}
    for form in (models, others, *(make(pd.DataFrame(others)) for make in FRAMES.values())):
        ev = rs.evaluate(given.Y.to_numpy(), form, threshold={"new": 0.25, "old": 0.75})
        assert {name: ev.models[name].confusion["recall"] for name in models} == {
            name: rs.ScoreTable(given.Y, models[name]).at(cut)["recall"] for name, cut in (("old", 0.75), ("new", 0.25))
        }


def test_costs_of_groups_whose_positive_class_is_the_first():
    by, costs = given.COLUMNS["by"], [[0, 3], [5, 1]]
    for label in ("bad", "good"):
        found = rs.group_by(TWO, PREDICTED, by=by, pos_label=label)
        for name, value in zip(("north", "south"), found.every("cost", matrix=costs), strict=True):
            rows = (by == name).to_numpy()
            assert value == rs.ConfusionMatrix(TWO[rows], PREDICTED[rows]).value("cost", matrix=costs)

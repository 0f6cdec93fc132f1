"""Nonsense for every argument of the calls around confusion matrices, definitions, costs and comparisons.

For any argument a call must return a result, or raise our own error, which names the argument. No error of numpy,
pandas or the interpreter may come through, and no warning.
"""

from __future__ import annotations

import copy
import importlib.util
import math
import pickle
import subprocess
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocksteady as rs

NONSENSE: list[Any] = [
    None, math.nan, math.inf, -1, 0, 1.5, "", "x", "a\x00b\n", b"x", [], {}, object, 10**30, True, [1, 2], np.array([]), (),
    {1: 2}, len, 1j, np.float64("nan"), [None], [[1], [2, 3]], "é" * 50, {"f1"}, np.array(3),
]  # fmt: skip

TWO = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
THREE = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
PETS = rs.ConfusionMatrix(["cat", "dog", "eel"], ["cat", "dog", "cat"])
SCORES = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
PROBA = [[0.5, 0.5], [0.2, 0.8]]
COSTS = [[0, 1], [5, 0]]
BOTH = {"a": TWO, "b": TWO}
CURVE = [[[40, 10], [12, 38]], [[42, 8], [11, 39]]]

CALLS: dict[str, Callable[[Any], object]] = {
    "table": lambda x: (TWO.summary(x), THREE.summary(x)),
    "table of one": lambda x: THREE.summary([x]),
    "table family": lambda x: THREE.summary(family=x),
    "class_summary": THREE.class_summary,
    "class_summary family": lambda x: THREE.class_summary(family=x),
    "to_dict": THREE.to_dict,
    "normalize": THREE.normalize,
    "relabel": lambda x: None if callable(x) else THREE.relabel(x),
    "relabel one": lambda x: PETS.relabel({"cat": x}),
    "relabel function": lambda x: PETS.relabel(lambda _: x),
    "collapse": THREE.collapse,
    "collapse list": lambda x: THREE.collapse({9: x}),
    "collapse one": lambda x: THREE.collapse({9: [x]}),
    "one_vs_rest": THREE.one_vs_rest,
    "reorder": THREE.reorder,
    "select": lambda x: THREE.select([x]),
    "is_imbalanced": THREE.is_imbalanced,
    "value": TWO.value,
    "average": lambda x: THREE.value("f1", average=x),
    "interval": lambda x: TWO.interval("accuracy", level=x),
    "interval method": lambda x: TWO.interval("accuracy", method=x),
    "interpret": lambda x: TWO.interpret("kappa", scale=x),
    "pycm": TWO.pycm,
    "every_pycm": TWO.every_pycm,
    "confidence_interval": lambda x: rs.pycm.confidence_interval(THREE, x),
    "confidence_interval alpha": lambda x: rs.pycm.confidence_interval(THREE, "ACC", x),
    "confidence_interval method": lambda x: rs.pycm.confidence_interval(THREE, "ACC", binom_method=x),
    "confidence_interval matrix": lambda x: rs.pycm.confidence_interval(x, "ACC"),
    "why of pycm": lambda x: rs.pycm.why(x, "Kappa"),
    "from_counts": rs.ConfusionMatrix.from_counts,
    "from_counts row": lambda x: rs.ConfusionMatrix.from_counts({"a": x}),
    "from_counts cell": lambda x: rs.ConfusionMatrix.from_counts({"a": {"a": x}}),
    "from_counts labels": lambda x: rs.ConfusionMatrix.from_counts({"a": {"a": 1}}, labels=x),
    "from_counts transpose": lambda x: rs.ConfusionMatrix.from_counts([[1]], transpose=x),
    "from_cells": lambda x: rs.ConfusionMatrix.from_cells(x, x, x),
    "from_cells labels": lambda x: rs.ConfusionMatrix.from_cells([0], [0], [1], labels=x),
    "positions": lambda x: rs.ConfusionMatrix.positions([0, 1], [0, 1], x),
    "Counts": lambda x: rs.Counts(x, 1, 1, 1),
    "indices": rs.indices,
    "indices family": lambda x: rs.indices(family=x),
    "indices form": lambda x: rs.indices(form=x),
    "index": rs.index,
    "undefine_index": rs.undefine_index,
    "bayes_decision": lambda x: rs.costs.bayes_decision(x, COSTS),
    "bayes_decision costs": lambda x: rs.costs.bayes_decision(PROBA, x),
    "bayes_decision reject": lambda x: rs.costs.bayes_decision(PROBA, COSTS, reject_cost=x),
    "bayes_decision labels": lambda x: rs.costs.bayes_decision(PROBA, COSTS, labels=x),
    "optimal_threshold": lambda x: rs.costs.optimal_threshold(fp=x, fn=1),
    "cost_weight_matrix": rs.costs.cost_weight_matrix,
    "minority_label": rs.costs.minority_label,
    "minority_label tie": lambda x: rs.costs.minority_label([0, 1], tie=x),
    "cost_series": SCORES.cost_series,
    "cost_series of one": lambda x: SCORES.cost_series([x]),
    "cost_series by": lambda x: SCORES.cost_series([1], by=x),
    "cost_series names": lambda x: SCORES.cost_series([1], names=x),
    "best": SCORES.best,
    "curve": lambda x: SCORES.curve(x, "f1"),
    "every": SCORES.every,
    "compare": rs.compare,
    "compare models": lambda x: rs.compare({"a": x, "b": x}),
    "compare indices": lambda x: rs.compare(BOTH, x),
    "compare by": lambda x: rs.compare(BOTH, by=x),
    "compare by_class": lambda x: rs.compare(BOTH, by_class=x),
    "compare weights": lambda x: rs.compare(BOTH, weights=x),
    "compare weight": lambda x: rs.compare(BOTH, ["f1"], weights={"f1": x}),
    "compare class_weights": lambda x: rs.compare(BOTH, class_weights=x),
    "compare benchmark_weights": lambda x: rs.compare(BOTH, by="bands", benchmark_weights={"SOA1": x}),
    "compare parameters": lambda x: rs.compare(BOTH, ["fbeta"], parameters=x),
    "compare parameter": lambda x: rs.compare(BOTH, ["fbeta"], parameters={"fbeta": x}),
    "consistency": lambda x: rs.comparison.consistency("cen", "f1", x),
    "consistency f": lambda x: rs.comparison.consistency(x, "f1", CURVE),
    "consistency curve": lambda x: rs.comparison.consistency("cen", "f1", {"a": x}),
    "consistency folds": lambda x: rs.comparison.consistency("cen", "f1", [[x]]),
    "consistency pairs": lambda x: rs.comparison.consistency("cen", "f1", CURVE, pairs=x),
    "consistency tolerance": lambda x: rs.comparison.consistency("cen", "f1", CURVE, tolerance={"cen": x}),
    "consistency better": lambda x: rs.comparison.consistency("cen", "f1", CURVE, better=x),
    "consistency parameters": lambda x: rs.comparison.consistency("cen", "f1", CURVE, parameters={"cen": x}),
    "enumerate_matrices": rs.comparison.enumerate_matrices,
    "enumerate_matrices each": lambda x: rs.comparison.enumerate_matrices([1, 1], each=x),
    "enumerate_rankings": lambda x: rs.comparison.enumerate_rankings(1, x),
    "Table": lambda x: rs.results.Table(x, x),
    "Table row": lambda x: rs.results.Table(["a"], [x]),
}


@pytest.mark.parametrize("call", CALLS)
def test_nonsense_is_refused_by_errors_of_ours(call: str) -> None:
    for nonsense in NONSENSE:
        refusal = _refusal_of(CALLS[call], nonsense)
        assert not isinstance(refusal, rs.errors.InternalError)
        if isinstance(refusal, (rs.InputError, rs.InputTypeError)):
            assert refusal.argument, (nonsense, refusal)
            assert any(word in str(refusal) for word in ("expected", "there is no class", "names")), refusal
            assert "\x00" not in str(refusal), refusal


def _refusal_of(call: Callable[[Any], object], argument: Any) -> rs.RocksteadyError | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            call(argument)
        except rs.RocksteadyError as refusal:
            given = refusal
        else:
            return None
    return given


def test_weights_at_the_ends_of_floats_average_as_others_do() -> None:
    plain = THREE.value("f1", average=[1, 1, 1])
    for weight in (5e-324, 1e-310, 1e-200, 1e200, 1e308):
        assert THREE.value("f1", average=[weight] * 3) == pytest.approx(plain, rel=1e-15)


def test_parameters_are_not_called_as_what_the_calls_have() -> None:
    for name in ("average", "name", "matrix", "zero_division", "maximize"):
        with pytest.raises(rs.InputError, match="parameters"):
            rs.define_index("of_my_own", f"tp * {name}", parameters={name: 1})
    with pytest.raises(rs.InputError, match="title"):
        rs.define_index("of_my_own", "tp", title="two\nlines")


def test_an_interval_that_only_classes_have_says_so() -> None:
    assert THREE.every_interval("balanced_accuracy", method="hanley_mcneil").method == "hanley_mcneil"
    with pytest.raises(rs.UnknownIndexError, match="for each class only"):
        THREE.interval("balanced_accuracy", method="hanley_mcneil")


def test_comparisons_take_any_name_of_an_index_and_travel() -> None:
    other = rs.ConfusionMatrix.from_counts([[95, 12], [20, 73]])
    found = rs.compare(
        {"a": TWO, "b": other}, ["ppv", "fbeta"], weights={"precision": 2}, parameters={"fbeta": {"beta": 2}}
    )
    assert [row.weight for row in found.rows] == [2, 1]
    assert found.rows[1].values[0] == TWO.value("fbeta", beta=2)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert repr(again) == repr(found)
        assert again.class_rows == found.class_rows
    with pytest.raises(rs.InputError, match="parameters names 'cost'"):
        rs.compare(BOTH, ["f1"], parameters={"cost": {"fp": 1}})


def test_enumerations_are_refused_before_they_fill_the_memory() -> None:
    with pytest.raises(rs.InputError, match="cells in all"):
        rs.comparison.enumerate_matrices([0] * 1000 + [1])
    with pytest.raises(rs.InputError, match="rows in all"):
        rs.comparison.enumerate_rankings(10**18, 0)
    with pytest.raises(rs.InputError, match="10000 for a dense matrix"):
        rs.costs.cost_weight_matrix(np.ones(100_000))
    with pytest.raises(rs.InputError, match="one line"):
        rs.compare({"a\nb": TWO, "c": TWO})


def test_comparing_by_bands_a_thousand_classes() -> None:
    generator = np.random.default_rng(0)
    actual = generator.integers(0, 1000, 20_000)
    models = {
        name: rs.ConfusionMatrix(actual, np.where(generator.random(20_000) < share, actual, 0), labels=np.arange(1000))
        for name, share in (("good", 0.9), ("poor", 0.3))
    }
    assert rs.compare(models, by="bands").best_name == "good"


def test_modules_do_not_stand_where_functions_are_looked_for() -> None:
    for home in (rs, *(found for name in rs.__all__ if hasattr(found := getattr(rs, name), "__path__"))):
        for name in home.__all__:
            if importlib.util.find_spec(f"{home.__name__}.{name}") is not None:
                assert isinstance(getattr(home, name), types.ModuleType), name


def test_the_import_is_short_and_everything_is_there_when_asked_for() -> None:
    program = """
import sys, rocksteady
assert not {"pandas", "polars", "pyarrow", "matplotlib", "scipy", "sklearn", "rocksteady.metrics"} & set(sys.modules)
assert rocksteady.metrics.f1_score([0, 1], [0, 1]) == 1
from rocksteady import *
assert not [name for name in rocksteady.__all__ if name not in globals()]
assert set(rocksteady.__all__) <= set(dir(rocksteady)) and not hasattr(rocksteady, "nothing")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

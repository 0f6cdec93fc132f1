"""None, NaN, NaT, pd.NA and the nulls of Arrow mean the same in every argument: refused with the row, or as `nan_policy` says.

A missing key, of a group or of a query, is a key of its own.
"""

from __future__ import annotations

import warnings
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
ROW = 5
KEYS = {"by", "control", "sensitive_features", "control_features", "query"}
#: Arguments that are not read, as in fairlearn, or where a gap has a meaning of its own.
NOT_READ = {
    ("fairness.count", "y_true"),
    ("fairness.count", "y_pred"),
    ("fairness.mean_prediction", "y_true"),
    ("fairness.selection_rate", "y_true"),
    ("fairness.demographic_parity_difference", "y_true"),
    ("fairness.demographic_parity_ratio", "y_true"),
    ("Queries", "relevance"),
    ("scores.LabelLedger", "y_true"),
    ("scores.SketchLedger", "y_true"),
    ("group_by of unknown labels", "y_true"),
    ("comparison.rater_agreement", "ratings"),
}


def kinds_of_gap(values: Any) -> dict[str, Any]:
    """A column, or a matrix, without a value in one row, in every form that can say so."""
    return matrices(values) if values.ndim == 2 else columns(values.tolist())


def columns(values: list[Any]) -> dict[str, Any]:
    def with_gap(gap: Any) -> list[Any]:
        return [*values[:ROW], gap, *values[ROW + 1 :]]

    missing = with_gap(None)
    arrow = pa.array(values).type
    found = {
        "None": missing,
        "NaN": with_gap(float("nan")),
        "NaN of numpy": with_gap(np.float64("nan")),
        "NaT": with_gap(pd.NaT),
        "pd.NA": with_gap(pd.NA),
        "objects": np.array(missing, dtype=object),
        "objects with NaT": np.array(with_gap(pd.NaT), dtype=object),
        "objects with pd.NA": np.array(with_gap(pd.NA), dtype=object),
        "pandas": pd.Series(missing),
        "pandas' objects": pd.Series(missing, dtype=object),
        "pandas' nullable": pd.Series(missing, dtype=object).convert_dtypes(),
        "pandas' Arrow": pd.Series(pd.array(missing, dtype=pd.ArrowDtype(arrow))),
        "polars": pl.Series(missing),
        "Arrow": pa.array(missing),
        "Arrow's chunks": pa.chunked_array([pa.array(missing[:3], arrow), pa.array(missing[3:], arrow)]),
    }
    if isinstance(values[0], str):
        return {
            **found,
            "categories": pd.Series(missing).astype("category"),
            "Enum": pl.Series(missing).cast(pl.Categorical),
        }
    found["masked"] = np.ma.array(values, mask=np.arange(len(values)) == ROW)
    if not isinstance(values[0], bool):
        floats = [float(value) for value in with_gap("nan")]
        found |= {"floats": np.array(floats), "NaN of polars": pl.Series(floats), "NaN of Arrow": pa.array(floats)}
    return found


def matrices(frame: Any) -> dict[str, Any]:
    array = frame.to_numpy(np.float64, copy=True)
    array[ROW, 1] = np.nan
    gaps = np.isnan(array)

    def with_gap(gap: Any) -> list[list[Any]]:
        return [[gap if value != value else value for value in row] for row in array.tolist()]

    named = dict(zip(frame, np.array(with_gap(None), dtype=object).T.tolist(), strict=True))
    return {
        "None": with_gap(None),
        "NaN": array.tolist(),
        "NaT": with_gap(pd.NaT),
        "pd.NA": with_gap(pd.NA),
        "floats": array,
        "masked": np.ma.array(array, mask=gaps),
        "objects": np.array(with_gap(None), dtype=object),
        "objects with pd.NA": np.array(with_gap(pd.NA), dtype=object),
        "pandas": pd.DataFrame(array, columns=frame.columns),
        "pandas' nullable": pd.DataFrame(array, columns=frame.columns).convert_dtypes(),
        "polars": pl.DataFrame(named),
        "NaN of polars": pl.DataFrame(array, schema=list(frame.columns)),
        "Arrow": pa.table(named),
    }


def by_type(kinds: dict[str, Any]) -> list[dict[str, Any]]:
    """The kinds of gaps in whole numbers, text and so on, and those that make floats of whole numbers, which are others."""
    floats = [kind for kind in ("floats", "pandas", "NaN of polars", "NaN of Arrow") if kind in kinds]
    return [
        {kind: kinds[kind] for kind in own} for own in (floats, [kind for kind in kinds if kind not in floats]) if own
    ]


def arguments_of(call: given.Call) -> list[tuple[str, Any]]:
    """The arguments that hold a column, and what puts another in its place: the column itself, or that of a mapping."""
    found = []
    for argument, values in {**call.columns, **call.options}.items():
        if isinstance(values, dict):
            name = next((name for name, part in values.items() if hasattr(part, "iloc")), None)
            if name is not None:
                found.append((argument, values[name], lambda part, all_of=values, name=name: {**all_of, name: part}))
        elif hasattr(values, "iloc") and len(values) == given.ROWS:
            found.append((argument, values, lambda part: part))
    return found


def outcome(call: given.Call, **changed: Any) -> Any:
    """What a call gives, or what it says of the argument, the row and why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return given.bits(call(**changed))
        except rs.RocksteadyError as error:
            return error


def test_a_gap_is_refused_with_its_row():
    tried = 0
    for call in CALLS.values():
        for argument, values, put in arguments_of(call):
            if argument in KEYS or (call.name, argument) in NOT_READ:
                continue
            for kind, column in kinds_of_gap(values).items():
                tried += 1
                found = outcome(call, **{argument: put(column)})
                where = (call.name, argument, kind, found)
                assert isinstance(found, rs.InputError), where
                names = {argument, *(values if isinstance(values := call.columns.get(argument), dict) else ())}
                assert (found.argument or "").partition("[")[0] in names, where
                assert found.row == ROW, where
                assert f"[{ROW}]" in str(found), where
    assert tried >= 4_000, f"{tried} calls with a gap"


def test_a_missing_key_is_a_key_of_its_own():
    tried = 0
    for call in CALLS.values():
        policies = (
            [{}, {"nan_policy": "omit"}] if "nan_policy" in given.parameters(given.public()[call.public]) else [{}]
        )
        for argument, values, put in arguments_of(call):
            if argument not in KEYS:
                continue
            for policy in policies if call.public != "Queries" else [{}]:
                for kinds in by_type(kinds_of_gap(values)):
                    found = {kind: outcome(call, **{argument: put(each)}, **policy) for kind, each in kinds.items()}
                    tried += len(found)
                    first = next(iter(found.values()))
                    assert not isinstance(first, Exception), (call.name, argument, first)
                    assert {kind for kind, each in found.items() if each != first} == set(), (
                        call.name,
                        argument,
                        policy,
                    )
    assert tried >= 300, f"{tried} calls with a missing key"
    by = given.COLUMNS["by"].tolist()
    by[ROW] = None
    assert len(rs.group_by(given.Y, given.Y, by=by)) == 3


def test_kinds_of_gaps_agree_under_every_policy():
    tried = 0
    for call in CALLS.values():
        taken = given.parameters(given.public()[call.public])
        if "nan_policy" not in taken:
            continue
        words = ("raise", "omit", "worst", "best", "bin", "not_retrieved")
        policies = [word for word in words if not isinstance(outcome(call, nan_policy=word), Exception)]
        for argument, values, put in arguments_of(call):
            for policy in policies if argument not in KEYS else ():
                for kinds in by_type(kinds_of_gap(values)):
                    found = {
                        kind: outcome(call, **{argument: put(each)}, nan_policy=policy) for kind, each in kinds.items()
                    }
                    tried += len(found)
                    said = {
                        kind: (each.argument, each.row) if isinstance(each, rs.RocksteadyError) else each
                        for kind, each in found.items()
                    }
                    first = next(iter(said.values()))
                    others = {kind: found[kind] for kind, each in said.items() if each != first}
                    assert others == {}, (call.name, argument, policy, first)
    assert tried >= 1_000, f"{tried} calls with a policy"


def test_a_gap_in_costs_is_refused_with_its_row():
    y_true, others = given.OF_CLASSES, np.roll(given.OF_CLASSES, 1)
    confusion, ranked = rs.ConfusionMatrix(y_true, others), rs.ScoreTables(y_true, given.PROBA)
    of_matrices = {
        "costs": lambda costs: confusion.value("cost", costs=costs),
        "matrix": lambda costs: confusion.interval("cost", matrix=costs),
        "costs of evaluate": lambda costs: rs.evaluate(y_true, y_proba=given.PROBA, costs=costs),
        "costs of bayes_decision": lambda costs: rs.costs.bayes_decision(given.PROBA, costs, labels=given.CLASSES),
        "costs of bayes_risk": lambda costs: rs.costs.bayes_risk(given.PROBA, costs, labels=given.CLASSES),
    }
    of_two = {"costs of optimal_threshold": rs.costs.optimal_threshold}
    of_classes = {
        "weights": rs.costs.cost_weight_matrix,
        "average": lambda weights: confusion.value("recall", average=weights),
        "average of scores": lambda weights: ranked.value("roc_auc", average=weights),
    }
    for gap in (None, float("nan"), np.float64("nan"), pd.NaT, pd.NA):
        square, pair, weights = [[0, 1, 2], [3, gap, 5], [7, 8, 0]], [[0, 1], [gap, 0]], [1, gap, 2]
        by_name = pd.DataFrame(square, index=given.CLASSES, columns=given.CLASSES)
        forms = [
            (of_matrices, (square, np.array(square, dtype=object), by_name, by_name.T.to_dict())),
            (of_two, (pair, np.array(pair, dtype=object))),
            (of_classes, (weights, np.array(weights, dtype=object))),
        ]
        for calls, found in forms:
            for named, call in calls.items():
                for form in found:
                    with pytest.raises(rs.InputError, match=r"\[1\] is missing; expected a") as refused:
                        call(form)
                    assert (refused.value.argument, refused.value.row) == (named.partition(" ")[0], 1)

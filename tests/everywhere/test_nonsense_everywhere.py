"""Whatever an argument is, a call gives a result, or a refusal of ours that names the argument, within ten seconds."""

import os
import random

import numpy as np
import pytest

pytest.importorskip("matplotlib").use("Agg")
for _name in ("pandas", "polars", "pyarrow", "scipy", "sklearn"):
    pytest.importorskip(_name)

import nonsense
from nonsense import VALUES, TooLong, is_bare, raised

import rocksteady as rs

# `make thorough` asks for 200,000.
CALLS = int(os.environ.get("ROCKSTEADY_CALLS", "4000"))
#: Values that a call may well take long for.
LONG = {("n_resamples", "1000000")}


@pytest.fixture(scope="module")
def tried():
    return nonsense.calls()


def test_nonsense_is_refused_by_the_name_of_the_argument(tried, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a path may be asked for
    draw = random.Random(1)
    bare, names = [], list(VALUES)
    for _ in range(CALLS):
        one, name = draw.choice(tried.tried), draw.choice(names)
        if (one.argument, name) in LONG:
            continue
        error = raised(one.call, VALUES[name])
        assert not isinstance(error, TooLong), (one.name, one.argument, name)
        if is_bare(one, VALUES[name], error):
            bare.append((one.name, one.argument, name, repr(error)))
    assert len(bare) <= CALLS * 0.002, bare


def test_the_calls_that_are_tried_make_sense(tried):
    assert len(tried.tried) > 1700
    assert len(VALUES) > 190
    assert len(tried.failed) < 65, tried.failed


TABLE = rs.ScoreTable([0, 1], [0.2, 0.7])
EV = rs.evaluate([0, 1, 1, 0], [0.2, 0.7, 0.4, 0.3])
BOUNDED = rs.evaluate([0, 1, 1, 0], [0.2, 0.7, 0.4, 0.3], bounded=True)
LABELS = rs.evaluate(np.eye(3, dtype=int), np.eye(3) / 2)
ROWS = ([0, 1, 1, 0], [0, 1, 0, 0])


class NoRepr:
    def __repr__(self):
        raise ZeroDivisionError


def swapped():
    import pyarrow as pa

    schema, values = pa.array([0, 1]).__arrow_c_array__()
    return type("Swapped", (), {"__arrow_c_array__": lambda *_, **__: (values, schema)})()


def twice():
    import pandas as pd

    return pd.DataFrame(np.ones((4, 2)), columns=["a", "a"])


#: A call of each kind that left through an error of Python or numpy, and what it says.
KINDS = {
    "no class": (lambda: rs.merge([TABLE], into=np.ones(2)), "into is array"),
    "no statistic": (lambda: rs.merge([TABLE.to_bytes()], into=int), "into is <class 'int'>; expected a class of"),
    "a value without a text": (lambda: TABLE.at(NoRepr()), "threshold is .*NoRepr"),
    "an array for a label": (lambda: rs.fairness.selection_rate(*ROWS, pos_label=np.ones(2)), "pos_label is array"),
    "an array for a name": (lambda: EV.group_summary(model=np.ones(2)), "there are no groups"),
    "an array for a model": (lambda: LABELS.label_summary(model=np.ones(2)), "model is array"),
    "a list for an index": (lambda: EV.value(["recall"]), r"name is \['recall'\]"),
    "an array for True": (lambda: rs.evaluate(*ROWS, inference=np.ones(2)), "inference is array"),
    "swapped capsules": (lambda: rs.ScoreTable([0, 1], swapped()), "y_score is a Swapped that cannot be imported"),
    "no rows": (lambda: rs.fairness.count(3, 3), "y_true is 3; expected a one-dimensional array"),
    "one name twice": (lambda: rs.group_by(*ROWS, by=twice()), "by has two columns 'a'"),
    "no path": (lambda: EV.to_html(3), "path is 3; expected a path"),
    "no text": (lambda: BOUNDED.to_html(title=3), "title is 3; expected a string"),
    "no bytes": (lambda: rs.CountsBounds.from_bytes("x"), "data is 'x'; expected bytes"),
    "no number": (lambda: EV.summary().to_markdown(-1), "digits is -1"),
    "names that are no list": (lambda: rs.plot.RocDisplay.from_predictions(*ROWS, name=3), "name is 3; expected a string"),
    "no axes": (lambda: rs.plot.RocDisplay.from_predictions(*ROWS, ax=3), "ax is 3; expected matplotlib axes"),
    "no state": (lambda: rs.engines.Aggregator("a", "b").value(3), "state is 3; expected a State"),
    "no batch": (lambda: rs.engines.Aggregator("a", "b").count([3]), "batch is 3; expected a mapping"),
    "a batch without columns": (lambda: rs.engines.Aggregator("a", "b").count([{"a": [1]}]), "the columns 'b' among"),
    "a list in a list in a list": (lambda: rs.ScoreTable(nonsense.VALUES["deep list"](), [1.0]), "y_true"),
    "too many classes": (lambda: rs.ConfusionMatrix.from_cells([0], [2**31], [1]), r"predicted\[0\] is 2147483648"),
    "a count of a million digits": (
        lambda: rs.ScoreTable.from_counts([0.5], [nonsense.Decimal("1e999999")], [1]), "positives has decimal numbers that"
    ),
    "several labels": (lambda: LABELS.groups, "groups is of one label a row"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_refused(kind):
    call, said = KINDS[kind]
    with pytest.raises(rs.RocksteadyError, match=said):
        call()


@pytest.mark.parametrize("key", ["p", "other"])
def test_json_that_is_too_deep_is_refused(key, refusal, tmp_path):
    path = tmp_path / "deep.ndjson"
    path.write_text('{"y": 0, "p": 0.5}\n{"y": 1, "' + key + '": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    said = refusal(path, "--label", "y", "--score", "p")
    assert f"{path}, row 2: " in said
    assert "is too deep; expected one JSON object on each line" in said
    assert len(said) < 400

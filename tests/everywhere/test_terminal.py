"""What comes from data reaches a terminal without control characters, and is short: labels, keys, names, file names.

In messages, warnings, tables and texts of objects, from the library and from the command line.
"""

import contextlib
import os
import random
import warnings

import numpy as np
import pytest

pytest.importorskip("matplotlib").use("Agg")
for _name in ("pandas", "polars", "pyarrow", "scipy", "sklearn"):
    pytest.importorskip(_name)

import nonsense
import pandas as pd
import public_calls as given

import rocksteady as rs
from rocksteady.cli.command import run

CALLS = int(os.environ.get("ROCKSTEADY_CALLS", "1000"))
NASTY = {
    "escape": "\x1b[31mred\x07",
    "C1": "\x9b31mred",
    "end of line": "a\nb\r\x0bc",
    "line separator": "a\u2028b\u2029c",
    "direction": "\u202eabc\u2066",
    "a million letters": "x" * 1_000_000,
    "a million and an escape": "\x1b" * 1_000_000,
}
LONGEST = 2_200


def is_safe(text, most=LONGEST):
    return len(text) <= most and all(sign.isprintable() or sign == "\n" for sign in text)


def forms(text):
    """Text as a value, in columns, and as the name of one."""
    column = [text, "b"] * (given.ROWS // 2)
    return {
        "value": text,
        "list": [text],
        "column": column,
        "array": np.array(column, dtype=object),
        "keys": {text: column},
        "keys of numbers": {text: np.arange(given.ROWS) % 2},
        "number by name": {text: 0.5},
        "frame": pd.DataFrame({text: np.linspace(0, 1, given.ROWS), "b": np.linspace(0, 1, given.ROWS)}),
        "cells": {text: {text: 1, "b": 2}, "b": {text: 3, "b": 4}},
        "names": {"cat": text},
    }


def said_by(call, value):
    """All that a call says of a value: its message, its warnings, and the text of what it gives."""
    found = []
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            with nonsense.alarm(nonsense.LONGEST):
                result = call(value)
            if type(result).__module__.startswith("rocksteady"):
                found.append((repr(result), 60_000))
                summary = getattr(result, "summary", None)
                if callable(summary):
                    found.append((str(summary()), 60_000))
        except rs.RocksteadyError as error:
            found.append((str(error), LONGEST))
        except (Exception, nonsense.TooLong):
            pass  # tests/everywhere/test_nonsense_everywhere.py counts these
    found += [(str(each.message), LONGEST) for each in told if issubclass(each.category, rs.RocksteadyWarning)]
    for row in rs.indices():
        if row.name == "of_nonsense":
            rs.undefine_index(row.name)
    nonsense.plt.close("all")
    return found


def test_data_in_messages_and_texts_of_the_library(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tried = [one for one in nonsense.calls().tried if one.reference is None]  # whose messages are scikit-learn's
    draw, every = random.Random(2), {name: forms(text) for name, text in NASTY.items()}
    unsafe, texts = [], 0
    for _ in range(CALLS):
        one, kind = draw.choice(tried), draw.choice(list(NASTY))
        form = draw.choice(list(every[kind]))
        for text, most in said_by(one.call, every[kind][form]):
            texts += 1
            if not is_safe(text, most):
                unsafe.append((one.name, one.argument, kind, form, len(text), text[:300]))
    assert unsafe == []
    assert texts > CALLS / 2


def whole(kind):
    """Calls that go well with such labels, names and keys."""
    text = NASTY[kind]
    y, scores = np.array([text, "b", text, "b"], dtype=object), [0.2, 0.7, 0.4, 0.3]
    frame = pd.DataFrame({text: scores, "other": scores[::-1]})
    several = np.array([text, "b", "c", text], dtype=object)
    yield rs.ConfusionMatrix(y, y)
    yield rs.ConfusionMatrix(several, several)
    yield rs.ScoreTable(y, scores, pos_label=text)
    yield rs.ScoreTable(y, scores, pos_label=text).roc_curve()
    yield rs.ScoreSketch(y, scores, pos_label=text)
    yield rs.evaluate(y, scores, pos_label=text)
    yield rs.evaluate(y, frame, pos_label=text)
    yield rs.evaluate(y, frame, pos_label=text, by={text: y})
    yield rs.evaluate(y, scores, pos_label=text, by={text: y}).group_summary(["recall"])
    yield rs.evaluate(y, frame, pos_label=text, bounded=True)
    yield rs.evaluate(several, y_pred=several)
    yield rs.evaluate(pd.DataFrame({text: [0, 1, 1, 0], "b": [1, 0, 1, 0]}), pd.DataFrame({text: scores, "b": scores}))
    yield rs.group_by([0, 1, 1, 0], [0, 1, 0, 0], by={text: y})
    yield rs.group_by([0, 1, 1, 0], [0, 1, 0, 0], by={text: y}).value("recall")
    yield rs.group_by([0, 1, 1, 0], [0, 1, 0, 0], by={text: y}).difference("recall")
    yield rs.fairness.adverse_impact([0, 1, 1, 0], by={text: y})
    yield rs.fairness.MetricFrame(
        metrics={text: "accuracy"}, y_true=[0, 1], y_pred=[0, 1], sensitive_features=["a", text]
    )
    yield rs.inference.compare_scores(y, frame, pos_label=text)
    yield rs.inference.compare_labels(y, {text: y, "b": y[::-1]})
    yield rs.inference.bootstrap(y, {text: scores, "b": scores}, pos_label=text, n_resamples=20, random_state=1)
    if text.isprintable():  # others are refused
        yield rs.compare({text: rs.ConfusionMatrix([0, 1], [0, 1]), "b": rs.ConfusionMatrix([0, 1], [0, 0])})
    yield rs.scores.category_stability(several, several)
    yield rs.Queries([0, 1, 0, 1], scores, y)
    yield rs.plot.RocDisplay.from_predictions(y, frame, pos_label=text)


@pytest.mark.parametrize("kind", NASTY)
def test_texts_of_objects(kind):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for thing in whole(kind):
            for name in ("__repr__", "summary", "table", "class_summary"):
                shown = getattr(thing, name, None)
                if callable(shown):
                    with contextlib.suppress(TypeError, rs.RocksteadyError):
                        assert is_safe(str(shown()), 60_000), (type(thing).__name__, name, str(shown())[:500])
    assert all(is_safe(str(each.message)) for each in told if issubclass(each.category, rs.RocksteadyWarning))
    nonsense.plt.close("all")


SCORED = ["--label", "y", "--score", "p"]
FOUR, TWO = {"y": ["{}", "b", "{}", "b"], "p": [0.2, 0.7, 0.4, 0.3]}, {"y": [0, 1], "p": [0.2, 0.7]}
NAMES = {"{}y": [0, 1, 1, 0], "{}p": [0.2, 0.7, 0.1, 0.3], "{}q": [0.1, 0.6, 0.2, 0.4], "{}k": ["a", "b", "a", "b"]}
#: Columns and options, with text in the place of {}.
FILES = {
    "labels": (FOUR, SCORED),
    "the positive label": ({**FOUR, "p": [0.9, 0.7, 0.8, 0.3]}, [*SCORED, "--pos-label", "{}"]),
    "scores below chance": ({"y": ["a", "{}", "a", "{}"], "p": [0.9, 0.1, 0.8, 0.2]}, SCORED),
    "a third label": ({**FOUR, "y": ["{}", "b", "c", "b"]}, SCORED),
    "three labels": ({"y": ["{}", "b", "c", "b"], "q": ["{}", "b", "b", "b"]}, ["--label", "y", "--pred", "q"]),
    "keys": ({"y": [0, 1, 0, 1], "p": [0.9, 0.7, 0.8, 0.3], "k": ["{}", "{}", "b", "b"]}, [*SCORED, "--by", "k"]),
    "no number": ({"y": [0, 1], "p": ["0.5", "{}"]}, SCORED),
    "another column": ({"y": [0, 1], "{}": [0.2, 0.7]}, SCORED),
    "columns": (NAMES, ["--label", "{}y", "--score", "{}p", "--by", "{}k"]),
    "two models": (NAMES, ["--label", "{}y", "--score", "{}p", "--score", "{}q", "--interval"]),
    "a title": (TWO, [*SCORED, "--title", "{}"]),
    "bounds": (FOUR, [*SCORED, "--bounded", "--title", "{}"]),
    "an output": (TWO, [*SCORED, "--json", "none/{}"]),
    "a requirement": (TWO, [*SCORED, "--require", "{}"]),
}


@pytest.mark.parametrize("ending", ["csv", "parquet", "ndjson"])
@pytest.mark.parametrize("kind", NASTY)
def test_data_on_a_terminal(kind, ending, capsys, tmp_path, monkeypatch):
    import polars as pl

    monkeypatch.setenv("COLUMNS", "200")

    def filled(part):
        text = NASTY[kind]
        return part.replace("{}", text) if isinstance(part, str) else part

    name = "rows" if "million" in kind else filled("rows{}")
    path = tmp_path / f"{name}.{ending}"
    for columns, options in FILES.values():
        if "million" in kind and "--title" in options:
            continue  # which the user types, and is shown in full
        frame = pl.DataFrame({filled(name): list(map(filled, values)) for name, values in columns.items()})
        getattr(frame, {"csv": "write_csv", "parquet": "write_parquet", "ndjson": "write_ndjson"}[ending])(path)
        run(["score", str(path), *map(filled, options)])
        out, err = capsys.readouterr()
        assert is_safe(out, 60_000), out[:1000]
        assert is_safe(err), (options, len(err), err[:1000])
        assert out or err
    for arguments in (
        ["score", str(path)],
        ["score", str(path), "--label", "y", "--separator", filled("{}")],
        ["score", filled("none{}"[: 6 if "million" in kind else None])],
        ["verify", str(path)],
        ["indices", filled("{}")],
        [filled("{}")],
        ["score", filled("--{}")],
    ):
        run(arguments)
        out, err = capsys.readouterr()
        assert is_safe(out, 60_000), (arguments, out[:500])
        assert is_safe(err), (arguments, err[:500])

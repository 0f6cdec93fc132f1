"""Strings that are no Unicode, as every argument of every public call: refused or read, and nothing else."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pandas")
pytest.importorskip("polars")
pytest.importorskip("pyarrow")
pytest.importorskip("matplotlib").use("Agg")

import public_calls as given
from test_names_everywhere import ASKED, STATISTICS

import rocksteady as rs


def beyond() -> str:
    """A string that only numpy makes: its first character is none."""
    made = np.zeros(1, "U2")
    made.view("u4")[:] = [0x110000, ord("A")]
    return str(made[0])


#: Made by evaluations and comparisons, from what they have read.
MADE = ("Comparison", "engines.State", "pycm.")
MADE += ("inference.ComparedLabels", "inference.Compared", "inference.PairTable")


def calls() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Every public call, and what it is given beside."""
    rows = given.calls().values()
    for call in rows:
        yield call.name, call.function, {**call.columns, **call.options}
    tried = {call.public for call in rows}
    for name, function in given.public().items():
        owner, _, method = name.rpartition(".")
        if "self" in given.parameters(function):
            for said, statistic in STATISTICS.items():
                if said.partition(" ")[0].rstrip(",") == owner:
                    yield f"{said}: {method}", getattr(statistic, method), {}
        elif name not in tried and not given.is_result(function) and name not in MADE:
            yield name, function, {}


@pytest.mark.parametrize("text", [beyond(), np.str_(beyond()), "\ud800x", "f1\udc80"], ids=ascii)
def test_strings_that_are_no_unicode(text):
    tried = 0
    for name, function, beside in calls():
        taken = given.parameters(function).values()
        needed = [
            each.name
            for each in taken
            if each.default is each.empty and each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
        ]
        for parameter in taken:
            if parameter.kind is parameter.POSITIONAL_ONLY or parameter.name == "path":
                continue
            own = text if parameter.kind is parameter.VAR_KEYWORD else parameter.name
            for asked in (text, "f1", "roc_auc"):
                options = {argument: ASKED.get(argument, asked) for argument in needed} | beside
                if parameter.kind is parameter.VAR_POSITIONAL:
                    positional, options = [text], beside
                else:
                    positional, options = [], options | {own: text}
                tried += 1
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        function(*positional, **options)
                    except rs.errors.InternalError as broken:
                        raise AssertionError((name, own)) from broken
                    except (rs.RocksteadyError, TypeError, AttributeError):
                        pass  # the last are matplotlib's
                    except BaseException as broken:
                        raise AssertionError((name, own)) from broken
    assert tried > 4_000


def test_names_that_are_no_unicode():
    for text in (beyond(), "\ud800x"):
        for call in (
            lambda text=text: rs.index(text),
            lambda text=text: rs.ScoreTable(given.Y, given.SCORES).meeting(text),
            lambda text=text: rs.evaluate(given.Y, {text: given.SCORES}),
            lambda text=text: rs.ConfusionMatrix([text], ["a"]),
            lambda text=text: rs.group_by([1], [1], by={text: [1]}),
            lambda text=text: rs.define_index(text, "tp"),
            lambda text=text: rs.define_index("own", text),
        ):
            with pytest.raises(rs.InputError, match="valid Unicode"):
                call()

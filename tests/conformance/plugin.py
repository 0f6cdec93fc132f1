"""A pytest plugin that runs scikit-learn's own tests of its metrics with the functions of rocksteady.metrics in their place.

    python -m pytest -c tests/conformance/pytest.ini -p plugin --pyargs sklearn.metrics.tests.test_classification

Before the tests are collected, `rocksteady.patch_sklearn()` replaces every function that both packages have. What ours
refuses, scikit-learn's decides.

The report, JSON in ``$ROCKSTEADY_CONFORMANCE``, says of every test how it ended, which of our functions it called, which
of scikit-learn's gave a value where ours refused (their numbers of calls), and how it failed.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
import threading
import types
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sklearn.calibration
import sklearn.metrics
import sklearn.model_selection  # it imports some of the names to be replaced

import rocksteady.metrics
from rocksteady import patching


class Inside(threading.local):
    """Whether a function of scikit-learn's runs in this thread, in the place of one of ours."""

    theirs = False


INSIDE = Inside()
CALLED: Counter[str] = Counter()  # our functions, during this test
THEIRS: Counter[str] = Counter()  # scikit-learn's functions that gave a value where ours refused, during this test


def counted(name: str, ours: Callable[..., Any]) -> Callable[..., Any]:
    """The function, noting each call."""

    @functools.wraps(ours)
    def call(*args: Any, **kwargs: Any) -> Any:
        CALLED[name] += 1
        return ours(*args, **kwargs)

    return call


def watch(name: str, theirs: Any) -> None:
    """Note each value that scikit-learn's function gives where ours has refused, whoever holds it, under any name."""
    inner = theirs
    while hasattr(inner, "__wrapped__"):  # under the checks of its parameters
        inner = inner.__wrapped__
    real = types.FunctionType(inner.__code__, inner.__globals__, inner.__name__, inner.__defaults__, inner.__closure__)
    real.__kwdefaults__ = inner.__kwdefaults__

    def entered(args: Any, kwargs: Any) -> Any:
        if INSIDE.theirs or not patching._theirs_only.get():
            return real(*args, **kwargs)
        INSIDE.theirs = True
        try:
            value = real(*args, **kwargs)
        finally:
            INSIDE.theirs = False
        THEIRS[name] += 1
        return value

    inner.__signature__ = inspect.signature(inner)  # what the checks read
    hook = f"_entered_{name}"
    inner.__globals__[hook] = entered
    scope: dict[str, Any] = {}
    exec(f"def {inner.__name__}(*args, **kwargs): return {hook}(args, kwargs)", scope)
    inner.__code__ = scope[inner.__name__].__code__


def put_in_place() -> dict[str, tuple[str, ...]]:
    """Replace everything; gives the places of each function."""
    theirs = vars(sklearn.metrics) | {"calibration_curve": sklearn.calibration.calibration_curve}
    for name in rocksteady.metrics.__all__:
        ours = getattr(rocksteady.metrics, name)
        if callable(theirs.get(name)) and not isinstance(ours, type):
            replacement = counted(name, ours)
            replacement.ours = counted(name, getattr(ours, "ours", ours))
            for module in (rocksteady.metrics, sys.modules[ours.__module__]):
                setattr(module, name, replacement)
    patched = rocksteady.patch_sklearn()
    for name in patched:
        watch(name, theirs[name])
    return dict(patched)


PLACES = put_in_place()
TESTS: dict[str, dict[str, Any]] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Count what the test calls."""
    CALLED.clear()
    THEIRS.clear()
    try:
        return (yield)
    finally:
        TESTS[_name(item)] = {"called": dict(CALLED), "theirs": dict(THEIRS)}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Note how the test ended."""
    report: pytest.TestReport = yield
    entry = TESTS.setdefault(_name(item), {"called": {}})
    if report.failed or call.when == "call" or report.skipped:
        entry["outcome"] = report.outcome
    if report.failed:
        said = str(call.excinfo.value) if call.excinfo else ""
        kind = call.excinfo.typename if call.excinfo else ""
        entry["failure"] = f"{kind}: {said}"[:2000]
    return report


def _name(item: Any) -> str:
    """The test's name with its file: node ids of files outside the root have none."""
    return f"{item.module.__name__.rpartition('.')[2]}::{item.name}"


def pytest_sessionfinish() -> None:
    """Write the report."""
    path = os.environ.get("ROCKSTEADY_CONFORMANCE")
    if path:
        Path(path).write_text(json.dumps({"places": PLACES, "tests": TESTS}, indent=1) + "\n", encoding="utf-8")

"""Charts are described once, and all that shows them follows."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.charts import chart
from rocksteady.charts.curves import CURVES
from rocksteady.report.bounded import _charts as bounded_charts
from rocksteady.report.charts import KEYS, charts

PACKAGE = Path(rs.__file__).parent
ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(
    path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".js"} and not path.stem.endswith(".min")
)
DRAWING = [
    path
    for path in PROGRAMS
    if path.parent.name in {"charts", "plot", "_displays"}
    or path.name in {"charts.py", "data.py", "svg.py", "charts.js", "report.js"}
]


def strings(path: Path) -> list[str]:
    """Every string of a program that is no documentation."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        return re.findall(r"""["`']([^"`'\\n]*)["`']""", text)
    tree = ast.parse(text)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
    ]


def words_of_charts(path):
    """The words of axes that the calls of `Chart` in a program have."""
    calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == "Chart":
            for node in (node for axis in call.args[3:5] for node in ast.walk(axis)):
                if isinstance(node, ast.Constant) and str(node.value)[:1].isupper():
                    yield node.value


Y_TRUE, Y_SCORE = [0, 1, 0, 1, 1], [0.1, 0.7, 0.4, 0.9, 0.3]
DRAWN = {
    "one model": lambda: charts(rs.evaluate(Y_TRUE, Y_SCORE, costs={"fp": 1})),
    "models": lambda: charts(rs.evaluate(Y_TRUE, {"a": Y_SCORE, "b": Y_SCORE})),
    "classes": lambda: charts(rs.evaluate([0, 1, 2, 1, 0], y_proba=np.eye(3)[[0, 1, 2, 2, 1]])),
    "models of classes": lambda: charts(
        rs.evaluate([0, 1, 2, 1, 0], y_proba={name: np.eye(3)[[0, 1, 2, 2, 1]] for name in "ab"})
    ),
    "bounds": lambda: bounded_charts(rs.evaluate(Y_TRUE, Y_SCORE, bounded=True)),
}


def test_the_words_of_an_axis_occur_once():
    """Those of one word occur once in what draws, as they are words of tables, too."""
    modules = [
        importlib.import_module(f"rocksteady.charts.{found.name}")
        for found in pkgutil.iter_modules([str(PACKAGE / "charts")])
    ]
    axes = [each for module in modules for each in vars(module).values() if isinstance(each, chart.Axis)]
    axes += [axis for curve in CURVES for axis in (curve.x, curve.y)]
    labels = {axis.label for axis in axes}
    for draw in DRAWN.values():
        labels |= {label for found in draw() for label in (found.x_label, found.y_label)}
    for path in PROGRAMS:
        if path.suffix == ".py":
            labels |= set(words_of_charts(path))
    assert len(labels) > 15
    said = {path: strings(path) for path in PROGRAMS}
    places = {
        label: [path.name for path in (PROGRAMS if " " in label else DRAWING) for text in said[path] if text == label]
        for label in labels
    }
    assert {label: found for label, found in places.items() if len(found) != 1} == {}


@pytest.mark.parametrize("kind", DRAWN)
def test_a_caption_speaks_of_a_dashed_line_only_where_one_is_drawn(kind):
    drawn = DRAWN[kind]()
    for found in drawn:
        references = [line for line in found.series if line.model is None and len(line.x)]
        assert "dashed" not in found.about or references, found.key
    assert kind == "bounds" or any("dashed" in found.about for found in drawn)


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.key)
def test_all_that_shows_a_curve_follows_from_its_description(curve):
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    evaluation = rs.evaluate([0, 1, 0, 1, 1], [0.1, 0.7, 0.4, 0.9, 0.3], names=["mine"])
    display = getattr(rs.plot, curve.display)
    assert curve.display in rs.plot.__all__
    assert curve.documentation in display.__doc__
    drawn = getattr(evaluation.plot, curve.key)()
    plt.close("all")
    assert type(drawn) is display
    assert (drawn.ax_.get_xlabel().partition(" (positive")[0], drawn.ax_.get_ylabel().partition(" (positive")[0]) == (
        curve.x.label,
        curve.y.label,
    )
    assert curve.key in KEYS
    if curve.is_of_top_label:
        assert not [found for found in charts(evaluation) if found.key == curve.key]
        y_true, y_proba = [0, 1, 2, 0], [[0.5, 0.2, 0.3], [0.1, 0.8, 0.1], [0.6, 0.2, 0.2], [0.7, 0.2, 0.1]]
        evaluation = rs.evaluate(y_true, y_proba=y_proba, names=["mine"])
        drawn = getattr(evaluation.plot, curve.key)()
        plt.close("all")
    (card,) = [found for found in charts(evaluation) if found.key == curve.key]
    assert (card.x_label, card.y_label) == (curve.x.label, curve.y.label)
    assert card.about.startswith(curve.about)
    assert card.series[0].name == drawn.line_.get_label()


def test_type_checkers_see_every_display():
    declared = re.findall(r"class (\w+)\(CurveDisplay\): \.\.\.", (PACKAGE / "plot" / "__init__.py").read_text())
    assert declared == sorted(curve.display for curve in CURVES)
    plots = (PACKAGE / "plot" / "evaluation.py").read_text()
    methods = dict(re.findall(r"(\w+): Callable\[\.\.\., plot\.(\w+)\]", plots))
    assert methods == {curve.key: curve.display for curve in CURVES}


def test_charts_know_no_painter():
    for path in (PACKAGE / "charts").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        above = (
            "rocksteady.plot",
            "rocksteady.report",
            "rocksteady.metrics",
            "rocksteady.evaluation",
            "matplotlib",
            "html",
        )
        assert not [name for name in names if name.startswith(above)], path.name


@pytest.mark.skipif(not (ROOT / "CONTRIBUTING.md").exists(), reason="a source distribution has no recipes")
def test_the_recipe_for_a_curve_works_as_written(tmp_path):
    """The diff applies to the package; then all that follows from a description follows from it, its documentation too."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    diff = re.search(r"## Add a curve\n.*?^```diff\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert diff is not None
    shutil.copytree(PACKAGE, tmp_path / "python" / "rocksteady", ignore=shutil.ignore_patterns("__pycache__"))
    applied = subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff[1], capture_output=True, text=True)
    assert applied.returncode == 0, applied.stderr

    script = """
import sys
import numpy as np
import rocksteady as rs

assert rs.__file__.startswith(sys.argv[1])
table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
curve = table.mcc_f1_curve()
assert np.array_equal(curve.f1, table.every("f1")) and np.array_equal(curve.mcc, table.every("mcc"))
assert len(table.mcc_f1_curve(max_points=3)) == 3
assert isinstance(curve, rs.results.MccF1Curve)
sys.path.insert(0, sys.argv[2])
import generate
assert "## MCC–F1 curve" in generate.charts()
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "python"), "MPLBACKEND": "agg"}
    arguments = [sys.executable, "-c", script, str(tmp_path), str(ROOT / "docs")]
    ran = subprocess.run(arguments, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr

    follows = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(Path(__file__))]
    follows += ["-k", "mcc_f1 or type_checkers or words_of_an_axis", "--rootdir", str(ROOT)]
    ran = subprocess.run(follows, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout

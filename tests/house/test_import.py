"""Modules that an import of the package loads, and those that it loads only when they are used."""

import ast
import importlib
import re
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from types import ModuleType

import pytest

import rocksteady as rs

# Libraries that a plain install does not have, and modules of ours and of Python that few programs need.
NOT_AT_ONCE = (
    *("pandas", "polars", "pyarrow", "matplotlib", "sklearn", "scipy", "numpy.typing"),
    *("dataclasses", "html", "difflib"),
    *(
        f"rocksteady.{name}"
        for name in ("pycm", "registry", "selection", "interval", "metrics", "scores.score_table", "cli", "comparison")
    ),
)


def fresh(program):
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_an_import_brings_only_what_every_program_needs():
    ours = fresh("import numpy, sys; before = set(sys.modules); import rocksteady; print(*(set(sys.modules) - before))")
    assert "rocksteady._rocksteady" in ours
    assert not set(NOT_AT_ONCE) & set(ours)


def test_counting_brings_no_more():
    program = """
import numpy, sys
before = set(sys.modules)
import rocksteady as rs
matrix = rs.ConfusionMatrix([0, 1, 1], [0, 1, 0])
assert matrix["recall"] == 0.5
print(*(set(sys.modules) - before))
"""
    assert not set(NOT_AT_ONCE) & set(fresh(program))


def test_every_public_name_is_there_when_asked_for():
    program = "import rocksteady as rs; print(*(name for name in rs.__all__ if getattr(rs, name) is not None))"
    assert fresh(program) == rs.__all__


PACKAGE = Path(rs.__file__).parent


@pytest.mark.parametrize(
    "stub", sorted({*PACKAGE.rglob("*.pyi")} - {PACKAGE / "_rocksteady.pyi"}), ids=lambda stub: stub.parent.name
)
def test_a_stub_names_each_name_once_and_where_it_is_defined(stub):
    home = ".".join(stub.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    named = []
    for line in ast.parse(stub.read_text(encoding="utf-8")).body:
        (each,) = line.names
        assert each.asname == each.name
        found = getattr(importlib.import_module(home), each.name)
        assert getattr(found, "__module__", line.module) == line.module
        assert getattr(found, "__name__", each.name).rpartition(".")[2] == each.name
        named.append(each.name)
    assert sorted(named) == importlib.import_module(home).__all__


def test_all_of_them_at_once_and_no_other():
    assert fresh("from rocksteady import *; print(ConfusionMatrix.__name__, index('f1').name)") == [
        "ConfusionMatrix",
        "f1",
    ]
    with pytest.raises(AttributeError, match="rocksteady has no 'nothing'"):
        _ = rs.nothing
    assert set(rs.__all__) <= set(dir(rs))


def test_a_name_that_is_elsewhere_says_where():
    homes = [found for name in rs.__all__ if isinstance(found := getattr(rs, name), ModuleType)]
    names = {name for home in homes for name in home.__all__} - set(rs.__all__)
    assert len(names) > 150
    for name in names:
        with pytest.raises(
            AttributeError, match=rf"^rocksteady has no '{name}'; it is rocksteady\.\w+\.{name}$"
        ) as refused:
            getattr(rs, name)
        assert attrgetter(str(refused.value).rpartition("it is rocksteady.")[2])(rs) is not None
    with pytest.raises(ImportError, match=r"rocksteady\.results has no 'evaluate'; it is rocksteady\.evaluate$"):
        from rocksteady.results import evaluate  # noqa: F401


def test_displays_bring_no_matplotlib_before_they_draw():
    program = """
import sys
import rocksteady as rs
displays = [getattr(rs.plot, name) for name in rs.plot.__all__]
assert set(rs.plot.__all__) <= set(dir(rs.plot))
print(len(displays), *(name for name in sys.modules if name.split(".")[0] in ("matplotlib", "pandas", "sklearn", "scipy")))
"""
    assert fresh(program) == ["15"]


def test_a_release_has_one_version():
    root = Path(__file__).parents[2]
    if not (root / "CITATION.cff").exists():
        pytest.skip("a source distribution has no CITATION.cff")
    for name, line in (("Cargo.toml", f'version = "{rs.__version__}"'), ("CITATION.cff", f"version: {rs.__version__}")):
        assert line in (root / name).read_text().splitlines(), name


def test_every_action_of_the_workflows_is_pinned_to_a_commit():
    workflows = sorted((Path(__file__).parents[2] / ".github" / "workflows").glob("*.yml"))
    if not workflows:
        pytest.skip("a source distribution has no workflows")
    lines = [line.strip(" -") for path in workflows for line in path.read_text().splitlines()]
    uses = [line.removeprefix("uses: ") for line in lines if line.startswith("uses: ")]
    assert len(uses) > 20
    pinned = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\$/\.github/workflows/\w+\.yml")
    assert [use for use in uses if not pinned.fullmatch(use)] == []
    assert len({use for use in uses if "actions/checkout@" in use}) == 1  # one version everywhere

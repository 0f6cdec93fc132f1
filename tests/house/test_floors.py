"""Imports run down the floors that pyproject.toml lists, and never in a circle; a planted import that does otherwise is found."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest

import rocksteady

CONFIGURATION = Path(__file__).parents[2] / "pyproject.toml"
LINTER = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(sys.argv[1], no_cache=True))"

# A file, what is planted in it, and the contract that it breaks.
UP, CIRCLE = "No import runs up the floors", "No circles"
PLANTED = {
    "up the floors": (UP, "scores/gains.py", "from rocksteady.evaluation.evaluation import Evaluation"),
    "up the floors, inside a function": (
        UP,
        "registry.py",
        "def late():\n    from rocksteady.labels.counts import Counts",
    ),
    "beside each other": (UP, "callbacks.py", "import rocksteady.patching"),
    "a circle in a folder": (CIRCLE, "labels/cells.py", "from rocksteady.labels.confusion import ConfusionMatrix"),
    "a folder without a floor": (UP, "new.py", ""),
}


def lint(folder):
    """Whether the contracts hold for the package in a folder, and what the linter says of it."""
    done = subprocess.run(
        [sys.executable, "-c", LINTER, CONFIGURATION],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def package(tmp_path):
    """A copy of the package, to plant an import in."""
    source = Path(rocksteady.__file__).parent
    return shutil.copytree(
        source, tmp_path / "rocksteady", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )


def plant(package, file, line):
    with (package / file).open("a", encoding="utf-8") as module:
        module.write(f"\n{line}\n")


def test_python_imports_run_down_the_floors():
    kept, said = lint(Path(rocksteady.__file__).parent.parent)
    assert kept, said
    assert "2 kept, 0 broken" in said


@pytest.mark.parametrize("name", PLANTED)
def test_python_floors_find_a_planted_import(package, name):
    contract, file, line = PLANTED[name]
    plant(package, file, line)
    kept, said = lint(package.parent)
    assert not kept, said
    assert f"{contract} BROKEN" in said


def test_python_imports_for_type_checkers_do_not_count(package):
    plant(package, "registry.py", "if TYPE_CHECKING:\n    from rocksteady.labels.counts import Counts")
    kept, said = lint(package.parent)
    assert kept, said


def test_python_takes_only_the_compiled_module_from_the_package_itself():
    graph = grimp.build_graph("rocksteady", exclude_type_checking_imports=True, cache_dir=None)
    for module in graph.find_modules_that_directly_import("rocksteady"):
        for taken in graph.get_import_details(importer=module, imported="rocksteady"):
            allowed = taken["line_contents"] == "from rocksteady import _rocksteady"
            # The command line, and what finds the class of any bytes by its public name, stand above all others.
            assert allowed or module.startswith("rocksteady.cli.") or module == "rocksteady.merging", taken


def test_python_names_that_are_imported_later_run_down_the_floors():
    """The linter reads neither stubs nor strings."""
    source = Path(rocksteady.__file__).parent
    layers = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]["layers"]
    floors = {name: height for height, layer in enumerate(layers[::-1]) for name in layer.split(" | ")} | {
        "_rocksteady": -1
    }
    for stub in {*source.rglob("*.pyi")} - {source / "__init__.pyi", source / "_rocksteady.pyi"}:
        owner = stub.relative_to(source).with_suffix("").parts[0]
        for module in re.findall(r"^from rocksteady\.(\w+)", stub.read_text(encoding="utf-8"), re.MULTILINE):
            assert module == owner or floors[module] < floors[owner], (stub, module)
    for file in source.rglob("*.py"):
        assert not re.search(r"""import_module\(\s*f?["']rocksteady""", file.read_text(encoding="utf-8")), file

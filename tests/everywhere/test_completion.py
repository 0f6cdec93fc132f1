"""The Tab key: names of indices after a bracket or a call, and public names after a module."""

from __future__ import annotations

import json
import subprocess
import sys
from inspect import ismodule

import numpy as np
import pytest

import rocksteady as rs

Y = [0, 0, 1, 1]
SCORES = [0.1, 0.4, 0.35, 0.8]
THREE = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]

KEYED = {
    "evaluation": rs.evaluate(Y, SCORES),
    "model": rs.evaluate(Y, SCORES).models["model"],
    "evaluation of labels": rs.evaluate(Y, y_pred=[0, 1, 1, 1]),
    "matrix": rs.ConfusionMatrix(Y, [0, 1, 1, 1]),
    "matrix of three": rs.ConfusionMatrix([0, 1, 2], [0, 2, 2]),
    "counts": rs.Counts(1, 2, 3, 4),
    "score table": rs.ScoreTable(Y, SCORES),
    "score tables": rs.ScoreTables([0, 1, 1, 2], THREE),
    "label score tables": rs.LabelScoreTables([[1, 0], [0, 1]], [[0.9, 0.2], [0.3, 0.6]]),
    "sums": rs.ProbabilitySums(Y, SCORES),
    "queries": rs.Queries(Y, SCORES, [1, 1, 2, 2]),
    "pareto set": rs.ScoreTable(Y, SCORES).pareto(["recall", "precision"]),
}


@pytest.mark.parametrize("kind", KEYED)
def test_each_name_that_is_offered_has_a_value(kind):
    names = KEYED[kind]._ipython_key_completions_()
    assert names
    assert len(set(names)) == len(names)
    for name in names:
        KEYED[kind][name] if kind != "label score tables" else KEYED[kind].value(name)


def test_what_is_offered_is_all_that_has_a_value():
    for kind in ("matrix", "matrix of three", "counts", "score table", "sums"):
        offered = set(KEYED[kind]._ipython_key_completions_())
        for row in rs.indices():
            if row.name not in offered:
                with pytest.raises(rs.UnknownIndexError):
                    KEYED[kind][row.name]


SHELL = """
import json
import sys
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import numpy as np; import rocksteady as rs", silent=True)
shell.run_cell("y, s = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]", silent=True)
shell.run_cell("ev, cm, table = rs.evaluate(y, s), rs.ConfusionMatrix(y, y), rs.ScoreTable(y, s)", silent=True)
shell.run_cell("counts, d = rs.Counts(1, 2, 3, 4), {'recall_of_mine': 1}", silent=True)
shell.run_cell("class Other:\\n    def index(self, name): ...\\nother = Other()", silent=True)
with provisionalcompleter():  # as a terminal and a notebook ask
    found = {text: [each.text for each in shell.Completer.completions(text, len(text))] for text in json.load(sys.stdin)}
json.dump(found, sys.stdout)
"""


def test_a_shell_completes_names():
    pytest.importorskip("IPython")
    texts = [
        'ev["roc_a', 'cm["matt', 'table["average_p', 'counts["sensit', 'rs.index("balanced_ac', "rs.index('AUR", "rs.Conf",
        'table.value("h_me', 'other.index("balanced_ac', "rs.metrics.imp", "rs.metrics.roc_a", 'd["recall',
    ]  # fmt: skip
    done = subprocess.run([sys.executable, "-c", SHELL], input=json.dumps(texts), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = {text: [name.rstrip("\"']") for name in names] for text, names in json.loads(done.stdout).items()}

    def offers(text, name):
        return any(each.endswith(name) for each in found[text])

    assert offers('ev["roc_a', "roc_auc")
    assert offers('ev["roc_a', "roc_auc_score")
    assert offers('cm["matt', "matthews_corrcoef")
    assert offers('table["average_p', "average_precision")
    assert offers('counts["sensit', "sensitivity")
    assert offers('rs.index("balanced_ac', "balanced_accuracy")
    assert offers("rs.index('AUR", "auroc")
    assert offers("rs.Conf", "ConfusionMatrix")
    assert offers('table.value("h_me', "h_measure")
    assert offers("rs.metrics.roc_a", "roc_auc_score")
    assert offers('d["recall', "recall_of_mine")
    assert found['other.index("balanced_ac'] == []
    assert not offers("rs.metrics.imp", "import_module")


@pytest.mark.parametrize("found", [rs, *(home for name in rs.__all__ if ismodule(home := getattr(rs, name)))])
def test_dir_has_public_names_only(found):
    assert sorted(dir(found)) == sorted(found.__all__)
    for name in dir(found):
        assert hasattr(found, name)
        assert not name.startswith("_") or name == "__version__"


def test_the_package_asks_for_nothing_of_a_shell_that_is_not_there():
    code = (
        "import rocksteady, sys; assert 'IPython' not in sys.modules; assert 'rocksteady.registry' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_arrays_of_numpy_names_are_no_names():
    """A name is a text; what is not is refused with a type."""
    with pytest.raises(rs.InputTypeError):
        rs.index(np.array(["f1"]))  # type: ignore[arg-type]

"""Random calls of all drop-ins against scikit-learn, by tests/fuzz; and an example of each intended deviation."""

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

for needed in ("sklearn", "scipy", "pandas", "polars", "pyarrow"):
    pytest.importorskip(needed)

import rocksteady.metrics

HERE = Path(__file__).parents[1]
sys.path[:0] = [str(HERE), str(HERE / "fuzz")]
import calls
import compare
import deviations
import draw
import run

# As many calls as `make thorough` asks for.
CALLS = int(os.environ.get("ROCKSTEADY_CALLS", "5000"))
# What no deviation explains: options without a meaning, and values that cannot be labels, weights or scores.
UNEXPLAINED = 2 / 10_000
# An entry that also matches calls which agree explains nothing. A few agree by chance: two metrics are NaN whatever the
# weights are, and what both refuse has several reasons, of which each names one.
DIFFER = 0.9


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A run of the command; its page and its report."""
    report = tmp_path_factory.mktemp("fuzz") / "report.json"
    command = [sys.executable, str(HERE / "fuzz" / "run.py"), "--calls", str(CALLS), "--seed", "20"]
    command += ["--json", str(report)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600 + CALLS / 10)
    assert report.exists(), done.stderr
    return done.stdout, json.loads(report.read_text())


def test_random_calls_agree_with_scikit_learn(result):
    page, report = result
    unexplained = [found for found in report["differences"] if found["deviation"] is None]
    assert len(unexplained) <= UNEXPLAINED * CALLS, page[-20_000:]
    assert not {found["how"] for found in report["differences"]} & {"crash", "hang"}, page[-20_000:]


def test_deviations_match_only_calls_that_differ(result):
    matched = result[1]["matched"]
    # Of the calls that agree, only one in some is shown to the deviations.
    agree = {name: run.AGREEING * count.get("agree", 0) for name, count in matched.items()}
    differ = {name: count.get("differ", 0) for name, count in matched.items()}
    assert sum(differ.values()) >= DIFFER * sum([*differ.values(), *agree.values()]), matched
    if CALLS >= 100_000:  # enough calls of each
        poor = {name: (differ[name], agree[name]) for name in matched if differ[name] < 2 * agree[name]}
        assert not poor


def test_every_function_is_called_and_refuses_now_and_then(result):
    tally = result[1]["tally"]
    assert set(tally) == {name for name in rocksteady.metrics.__all__ if name.islower()} - {"get_scorer_names"}
    for name, count in tally.items():
        assert count.get("missing", 0) == 0, name
        assert count["calls"] // 10 < count["refused"] < count["calls"] * 9 // 10, name


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # np.matrix is among what is drawn
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")  # pandas shows half floats so
def test_the_same_call_every_time():
    for place in range(200):
        one, other = calls.call(3, place), calls.call(3, place)
        assert (one.name, one.about) == (other.name, other.about)
        assert run.described(one).split(" at 0x")[0] == run.described(other).split(" at 0x")[0]


@pytest.mark.parametrize("deviation", deviations.FUZZ, ids=lambda deviation: deviation.name)
def test_deviation(deviation):
    name, arguments, options = deviation.example
    call = draw.Call(name, arguments, options, set())
    packages = run.packages()
    theirs, ours = (compare.outcome(module, call) for module in packages)
    how = compare.difference(theirs, ours)
    assert len(deviation.reason) > 40
    if how is None and not deviation.everywhere:
        pytest.skip("does not show on this machine")
    assert how is not None, theirs
    matching = [
        (entries, expected)
        for entries, expected in deviations.expectations(call, theirs, packages[0])
        if deviations.agrees(expected, ours)
    ]
    assert (deviation,) in [entries for entries, _ in matching], f"scikit-learn: {theirs}\nrocksteady: {ours}"


def test_the_page_on_scikit_learn_lists_all_deviations():
    page = " ".join((HERE.parent / "docs" / "scikit-learn.md").read_text(encoding="utf-8").split())
    missing = [d for d in deviations.FUZZ if f"- **{d.name[0].upper()}{d.name[1:]}.** {d.reason}" not in page]
    assert not missing, "\n".join(f"- **{d.name[0].upper()}{d.name[1:]}.** {d.reason}" for d in missing)


_BYTES = np.array([b"1", b"0"])
_DATES = np.array(["2020-01-01"] * 3, dtype="M8[D]")

# Calls that random ones found to differ once, made short.
FOUND = [
    ("confusion_matrix", ([0], [1]), {"labels": [[-1, 1]]}),
    ("confusion_matrix", (_BYTES, [1]), {}),
    ("confusion_matrix", (_BYTES, _BYTES), {"sample_weight": []}),
    ("balanced_accuracy_score", (_BYTES, _BYTES), {"sample_weight": [1.0]}),
    ("balanced_accuracy_score", ([1, 1, 0], [1, 0, 0]), {"sample_weight": [-2.0, 2.0, 1.0]}),
    ("balanced_accuracy_score", ([0, 0], [0, 1]), {"sample_weight": [1.0, -1.0]}),
    ("class_likelihood_ratios", ([0, 0, 0], [0, 0, 0]), {"sample_weight": _DATES}),
    ("classification_report", ([0, 1], [1, 0]), {"labels": [], "target_names": ["none"]}),
    ("det_curve", ([-1, 1, -1], [0.1, 0.4, 0.3]), {"sample_weight": [1.0, 2.0, -1.0]}),
    ("det_curve", ([1, 2], [0.1, 0.4]), {"sample_weight": [-0.2, -0.9], "pos_label": 3}),
    ("f1_score", ([0, 1, 2], [0, 1, 2]), {"sample_weight": 2.0}),
    ("f1_score", ([1, 1], [1.0, 1.0]), {"pos_label": "yes"}),
    ("f1_score", ([1, 1], [True, True]), {"pos_label": "yes"}),
    ("jaccard_score", ([0, 1], [1, 1]), {"average": "weighted", "sample_weight": [1.0, -1.0]}),
    (
        "jaccard_score",
        (np.eye(2, dtype=int), np.eye(2, dtype=int)),
        {"average": "samples", "sample_weight": [1.0, -1.0]},
    ),
    (
        "precision_recall_curve",
        ([0, 0, 0], [0.3, 0.2, 0.1]),
        {"sample_weight": [1, -1, 1], "pos_label": 1, "drop_intermediate": True},
    ),
    (
        "roc_auc_score",
        ([0, 1, 2, 1], np.full((4, 3), 1 / 3)),
        {"multi_class": "ovr", "sample_weight": [Decimal("1.5")] * 4},
    ),
]


@pytest.mark.parametrize("call", FOUND, ids=lambda call: call[0])
def test_what_random_calls_found(call):
    name, arguments, options = call
    theirs, ours = (compare.outcome(module, draw.Call(name, arguments, options, set())) for module in run.packages())
    assert compare.difference(theirs, ours) is None, f"scikit-learn: {theirs}\nrocksteady: {ours}"


def test_labels_that_are_one_double_have_their_own_support():
    labels = np.array([2**53, 2**53 + 1, 2**53 + 1])
    weights = [0.5, 0.25, 1.5]
    report = rocksteady.metrics.classification_report(
        labels, [0.0, 1.0, 0.0], labels=[2**53, 2**53 + 1], sample_weight=weights, zero_division=0, output_dict=True
    )
    assert [report[str(label)]["support"] for label in (2**53, 2**53 + 1)] == [0.5, 1.75]

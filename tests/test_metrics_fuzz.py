"""Random calls of all drop-ins against scikit-learn, by tests/fuzz; and an example of each intended deviation."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

for needed in ("sklearn", "scipy", "pandas", "polars", "pyarrow"):
    pytest.importorskip(needed)

import rocksteady.metrics

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "fuzz")]
import calls
import compare
import deviations
import draw
import run

# As many calls as `make thorough` asks for.
CALLS = int(os.environ.get("ROCKSTEADY_CALLS", "10000"))
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

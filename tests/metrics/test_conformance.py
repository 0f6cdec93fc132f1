"""scikit-learn's own tests of its metrics, run with our functions; and our functions without scikit-learn."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")
import sklearn.calibration
import sklearn.metrics

import rocksteady.metrics

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE))
import deviations

# Test files of scikit-learn, split into two processes that take about the same time.
FILES = [("test_common",), ("test_classification", "test_ranking", "test_score_objects")]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """How every test ended, and which of our functions it called."""
    folder = tmp_path_factory.mktemp("conformance")
    runs = []
    for files in FILES:
        report = folder / f"{files[0]}.json"
        settings = str(HERE / "conformance" / "pytest.ini")
        modules = [f"sklearn.metrics.tests.{file}" for file in files]
        command = [sys.executable, "-m", "pytest", "-c", settings, "-p", "plugin", "--pyargs", *modules]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join((str(HERE / "conformance"), str(Path(rocksteady.__file__).parents[1]))),
            "ROCKSTEADY_CONFORMANCE": str(report),
            "OMP_NUM_THREADS": "1",
            "PYTEST_ADDOPTS": "",
        }
        output = (folder / f"{files[0]}.txt").open("w")
        runs.append((subprocess.Popen(command, env=environment, stdout=output, stderr=output), report, output))
    tests = {}
    for process, report, output in runs:
        process.wait(timeout=600)
        output.close()
        assert process.returncode in (0, 1), Path(output.name).read_text()[-5000:]
        tests |= json.loads(report.read_text())["tests"]
    return tests


def test_scikit_learns_own_tests_pass(results):
    failed = {name: test["failure"] for name, test in results.items() if "failure" in test}
    new = {name: said for name, said in failed.items() if name not in deviations.CONFORMANCE}
    assert not new, "\n\n".join(f"{name}\n{said}" for name, said in new.items())
    stale = [name for name in deviations.CONFORMANCE if name not in failed]
    assert not stale, f"these pass now, or are no more: {stale}"


def test_values_are_ours(results):
    theirs = {name: test["theirs"] for name, test in results.items() if test.get("theirs")}
    unexplained = {
        name: of for name, of in theirs.items() if not any(part in name for part in deviations.VALUES_OF_SCIKIT_LEARN)
    }
    assert not unexplained
    stale = [part for part in deviations.VALUES_OF_SCIKIT_LEARN if not any(part in name for name in theirs)]
    assert not stale, f"these are ours now, or are no more: {stale}"


def test_nearly_all_tests_that_exercise_our_functions_pass(results):
    exercising = [test for test in results.values() if test["called"] and test["outcome"] != "skipped"]
    passed = sum(test["outcome"] == "passed" for test in exercising)
    print(f"{passed} of {len(exercising)} tests that call a function of rocksteady.metrics pass")
    assert len(exercising) > 1_800
    assert passed >= 0.99 * len(exercising)
    assert all(deviations.CONFORMANCE.values())


def test_every_function_is_exercised(results):
    called = {name for test in results.values() for name in test["called"]}
    # One is tested in another file, among estimators. The other is not replaced, as scikit-learn's list has more names.
    assert called >= FUNCTIONS - {"calibration_curve", "get_scorer_names"}


FUNCTIONS = {name for name in rocksteady.metrics.__all__ if name.islower()}

NAN = float("nan")
TRUE, PREDICTED, SCORE = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], [0.1, 0.9, 0.4, 0.3, 0.8, 0.6]
WORDS, GUESSES = ["a", "b", "c", "a", "c"], ["a", "c", "c", "b", "c"]
THREE = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6], [0.5, 0.4, 0.1], [0.1, 0.5, 0.4]]
TAGS, GUESSED_TAGS = [[1, 0, 1], [0, 1, 0], [1, 1, 0]], [[1, 0, 0], [0, 1, 1], [1, 1, 0]]
RANKS = [[0.6, 0.3, 0.4], [0.1, 0.9, 0.2], [0.5, 0.5, 0.1]]
PAIRS = ((TRUE, PREDICTED), (WORDS, GUESSES))
SET_WISE = [
    *[((TRUE, PREDICTED), {"sample_weight": [1, 2, 3, 1, 2, 3]}), ((WORDS, GUESSES), {"average": "macro"})],
    *[((TAGS, GUESSED_TAGS), {"average": average}) for average in ("micro", "samples", None)],
    ((TRUE, [0] * 6), {"zero_division": 1.0}),
]
CALLS = {
    "accuracy_score": [*((pair, {}) for pair in PAIRS), ((TAGS, GUESSED_TAGS), {}), ((TRUE, PREDICTED[1:]), {})],
    "auc": [(([0, 0.5, 1], [0, 0.7, 1]), {})],
    "average_precision_score": [((TRUE, SCORE), {}), ((TAGS, RANKS), {})],
    "balanced_accuracy_score": [(pair, {"adjusted": True}) for pair in PAIRS],
    "brier_score_loss": [((TRUE, SCORE), {}), ((WORDS, THREE), {}), ((TAGS, THREE[:3]), {})],
    "calibration_curve": [((TRUE, SCORE), {"n_bins": 3, "strategy": "quantile"})],
    "class_likelihood_ratios": [((TRUE, PREDICTED), {})],
    "classification_report": [*((pair, {}) for pair in PAIRS), ((TAGS, GUESSED_TAGS), {"output_dict": True})],
    "cohen_kappa_score": [((TRUE, PREDICTED), {}), ((WORDS, GUESSES), {"weights": "linear"})],
    "confusion_matrix": [(pair, {}) for pair in PAIRS],
    "confusion_matrix_at_thresholds": [((TRUE, SCORE), {})],
    "coverage_error": [((TAGS, RANKS), {})],
    "d2_brier_score": [((TRUE, SCORE), {}), ((WORDS, THREE), {}), ((TAGS, THREE[:3]), {})],
    "d2_log_loss_score": [((TRUE, SCORE), {}), ((WORDS, THREE), {}), ((TAGS, THREE[:3]), {})],
    "dcg_score": [((RANKS, THREE[:3]), {}), ((RANKS, THREE[:3]), {"k": 2, "ignore_ties": True})],
    "det_curve": [((TRUE, SCORE), {})],
    "f1_score": SET_WISE,
    "fbeta_score": [(arguments, options | {"beta": 2}) for arguments, options in SET_WISE],
    "hamming_loss": [*((pair, {}) for pair in PAIRS), ((TAGS, GUESSED_TAGS), {})],
    "hinge_loss": [(([-1, 1, 1], [-2.2, 1.3, 0.6]), {}), ((WORDS, THREE), {})],
    "jaccard_score": SET_WISE,
    "label_ranking_average_precision_score": [((TAGS, RANKS), {})],
    "label_ranking_loss": [((TAGS, RANKS), {})],
    "log_loss": [((TRUE, SCORE), {}), ((WORDS, THREE), {}), ((TAGS, THREE[:3]), {}), ((TRUE, [2.0] * 6), {})],
    "matthews_corrcoef": [(pair, {}) for pair in PAIRS],
    "multilabel_confusion_matrix": [((WORDS, GUESSES), {}), ((TAGS, GUESSED_TAGS), {"samplewise": True})],
    "ndcg_score": [((RANKS, THREE[:3]), {}), (([[1, 0, 2]], [[1, 1, 1]]), {})],
    "precision_recall_curve": [((TRUE, SCORE), {})],
    "precision_recall_fscore_support": SET_WISE,
    "precision_score": SET_WISE,
    "recall_score": SET_WISE,
    "roc_auc_score": [
        *[((TRUE, SCORE), {}), ((TRUE, SCORE), {"max_fpr": 0.5}), ((TAGS, RANKS), {"average": None})],
        *[((WORDS, THREE), {"multi_class": way}) for way in ("ovr", "ovo")],
        *[(([1, 1], [0.1, 0.2]), {}), ((TRUE, [NAN] * 6), {})],
    ],
    "roc_curve": [((TRUE, SCORE), {}), ((TRUE, SCORE), {"drop_intermediate": False})],
    "top_k_accuracy_score": [((WORDS, THREE), {}), ((WORDS, THREE), {"k": 1, "normalize": False})],
    "zero_one_loss": [*((pair, {"normalize": False}) for pair in PAIRS), ((TAGS, GUESSED_TAGS), {})],
}


def said(function, arguments, options):
    """The value as lists of numbers or as text, or which error was raised; and what was warned."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = plain(function(*arguments, **options))
        except (ValueError, TypeError) as error:
            value = "ValueError" if isinstance(error, ValueError) else "TypeError"
    return [value, [[w.category.__name__, str(w.message)] for w in caught]]


def plain(value):
    """A value as JSON can hold it."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return value if isinstance(value, str) or value is None else np.asarray(value, dtype=float).tolist()


WITHOUT = """
import json, sys
for module in ("sklearn", "scipy", "pandas", "polars", "pyarrow"):
    sys.modules[module] = None  # importing it fails
import numpy as np
import rocksteady
import rocksteady.metrics as ours
{said}
calls = json.loads(sys.stdin.read())
answers = {{name: [said(getattr(ours, name), *call) for call in of_name] for name, of_name in calls.items()}}
for name, of_name in calls.items():
    for arguments, options in of_name:
        if len(arguments[0]) != len(arguments[1]):
            continue
        try:
            getattr(ours, name)(arguments[0][:-1], *arguments[1:], **options)
        except rocksteady.RocksteadyError as error:
            assert str(error), name
        else:
            raise AssertionError(name)


class Sign:
    classes_ = np.array([0, 1])

    def predict(self, X):
        return (np.asarray(X) > 0).astype(int)

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-np.asarray(X, dtype=float)))
        return np.stack([1 - p, p], axis=1)


scorer = ours.check_scoring(scoring=["accuracy", "f1", "roc_auc", "neg_log_loss"])
answers["scores"] = scorer(Sign(), [-2, -1, 1, 2, 3], [0, 1, 0, 1, 1])
answers["one score"] = ours.make_scorer(ours.fbeta_score, beta=2)(Sign(), [-2, -1, 1, 2, 3], [0, 1, 0, 1, 1])
answers["at thresholds"] = [v.tolist() for v in ours.metric_at_thresholds([0, 1, 1], [0.2, 0.7, 0.4], ours.f1_score)]
answers["one score by name"] = ours.get_scorer("recall")(Sign(), [-2, -1, 1, 2, 3], [0, 1, 0, 1, 1])
answers["names"] = len(ours.get_scorer_names())
answers["loaded"] = sorted(m for m in sys.modules if m.split(".")[0] in ("sklearn", "scipy") and sys.modules[m])
print(json.dumps(answers))
"""


def same(answer, expected):
    if isinstance(expected, dict):
        return list(answer) == list(expected) and all(same(answer[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return len(answer) == len(expected) and all(map(same, answer, expected))
    if isinstance(expected, float):
        return answer == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)
    return answer == expected


def test_all_works_without_scikit_learn():
    others = {"make_scorer", "get_scorer", "get_scorer_names", "check_scoring", "metric_at_thresholds"}
    assert set(CALLS) | others == FUNCTIONS
    code = WITHOUT.format(said=inspect.getsource(said) + inspect.getsource(plain))
    done = subprocess.run([sys.executable, "-c", code], input=json.dumps(CALLS), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert answers["loaded"] == []
    assert answers["names"] == 36
    reference = vars(sklearn.metrics) | {"calibration_curve": sklearn.calibration.calibration_curve}
    for name, calls in CALLS.items():
        for answer, (arguments, options) in zip(answers[name], calls, strict=True):
            expected = said(reference[name], arguments, options)
            assert answer[1] == expected[1], (name, arguments, options)
            assert same(answer[0], expected[0]), (name, arguments, options, answer, expected)
    p = 1 / (1 + np.exp(-np.array([-2, -1, 1, 2, 3])))
    y, predicted = [0, 1, 0, 1, 1], [0, 0, 1, 1, 1]
    scores = {
        "accuracy": sklearn.metrics.accuracy_score(y, predicted),
        "f1": sklearn.metrics.f1_score(y, predicted),
        "roc_auc": sklearn.metrics.roc_auc_score(y, p),
        "neg_log_loss": -sklearn.metrics.log_loss(y, p),
    }
    assert answers["scores"] == pytest.approx(scores, rel=1e-12)
    assert answers["one score by name"] == pytest.approx(sklearn.metrics.recall_score(y, predicted))
    expected = sklearn.metrics.metric_at_thresholds([0, 1, 1], [0.2, 0.7, 0.4], sklearn.metrics.f1_score)
    assert same(answers["at thresholds"], plain(expected))
    assert answers["one score"] == pytest.approx(sklearn.metrics.fbeta_score(y, predicted, beta=2))

"""What was promised of single calls: each test is named for the promise."""

import dataclasses
import os
import pickle
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import metrics as theirs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import rocksteady as rs
from rocksteady import metrics, patching
from rocksteady.errors import InputError, InputTypeError, RocksteadyError, UnknownIndexError


def test_perfect_predictions_of_any_weights_score_1_at_every_door():
    rng = np.random.default_rng(15)
    model = LogisticRegression(C=1e9).fit([[0], [1], [0]], [0, 1, 0])
    for weights in ([0.5, 0.81, 0.11], *rng.random((200, 3))):
        truth = np.array([0, 1, 0])
        doors = {
            "accuracy_score": metrics.accuracy_score(truth, truth, sample_weight=weights),
            "matrix": rs.ConfusionMatrix(truth, truth, sample_weight=weights)["accuracy"],
            "area": rs.ScoreTable(truth, truth, sample_weight=weights)["roc_auc"],
            "roc_auc_score": metrics.roc_auc_score(truth, truth, sample_weight=weights),
        }
        rs.patch_sklearn()
        try:
            doors["patched score"] = model.score([[0], [1], [0]], truth, sample_weight=weights)
        finally:
            rs.unpatch_sklearn()
        assert set(doors.values()) == {1.0}, (weights, doors)


def test_samples_average_takes_weights_of_one_column():
    truth = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    score = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.4], [0.5, 0.5]])
    for weights in (np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[1], [0], [3], [0]])):
        options = {"average": "samples", "sample_weight": weights}
        expected = theirs.roc_auc_score(truth, score, **options)
        assert metrics.roc_auc_score(truth, score, **options) == pytest.approx(expected, rel=1e-15)
        expected = theirs.average_precision_score(truth, score, **options)
        assert metrics.average_precision_score(truth, score, **options) == pytest.approx(expected, rel=1e-15)


def test_labels_of_text_and_numbers_are_text_as_in_scikit_learn():
    labels = ["a", "b", 97]
    for average in (None, "macro", "micro"):
        expected = theirs.f1_score(["a", "b"], ["a", "b"], labels=labels, average=average, zero_division=0)
        found = metrics.f1_score(["a", "b"], ["a", "b"], labels=labels, average=average, zero_division=0)
        np.testing.assert_array_equal(found, expected)
    found = metrics.f1_score(["a", "97"], ["a", "97"], labels=labels, average=None, zero_division=0)
    assert found.tolist() == [1, 0, 1]
    given = (["a", "b"], ["a", "b"])
    options = {"labels": labels, "zero_division": 0}
    assert metrics.classification_report(*given, **options) == theirs.classification_report(*given, **options)


def outcome(function, *arguments, **options):
    """The value of a call, or the exception that it raises."""
    try:
        return function(*arguments, **options)
    except Exception as error:
        return error


@pytest.mark.parametrize("metric", ["hinge_loss", "top_k_accuracy_score"])
@pytest.mark.parametrize("labels", [["a", 1, "b"], [1, None, 2], ["a", "b", None], [None, None, None]])
def test_labels_without_an_order_are_refused_as_by_scikit_learn(metric, labels):
    scores = [[0.1, 0.2, 0.7], [0.3, 0.4, 0.3], [0.5, 0.3, 0.2]]
    columns = [labels, np.array(labels, dtype=object), pd.Series(labels, dtype=object)]
    calls = [(column, None) for column in columns]
    calls += [(truth, labels) for truth in ([0, 1, 2], ["a", "b", "a"], labels)]
    for truth, given in calls:
        expected = outcome(getattr(theirs, metric), truth, scores, labels=given)
        found = outcome(getattr(metrics, metric), truth, scores, labels=given)
        if not isinstance(expected, Exception):
            assert found == pytest.approx(expected)
            continue
        assert type(found) is type(expected)
        assert str(found) == str(expected)


def test_weighted_support_of_the_report_has_scikit_learns_digits():
    rng = np.random.default_rng(15)
    for n in range(3, 60):
        true, pred = rng.integers(0, 3, (2, n))
        indicators = rng.integers(0, 2, (2, n, 3))
        names = np.array(["x", "y", "z"])
        weights = rng.random(n)
        cases = [
            (true, pred, None),
            (names[true], list(names[pred]), ["z", "q"]),
            (pd.Series(true), pred, [2, 0, 7]),
            (*indicators, None),
            (*map(sparse.csr_array, indicators), [2, 0]),
        ]
        for y_true, y_pred, labels in cases:
            options = {"labels": labels, "sample_weight": weights, "zero_division": 0}
            assert metrics.classification_report(y_true, y_pred, **options) == theirs.classification_report(
                y_true, y_pred, **options
            )


def test_scorers_and_searches_pickled_while_patched_load_without_rocksteady(tmp_path):
    X, y = np.arange(20.0)[:, np.newaxis], np.repeat([0, 1, 0, 1], [8, 2, 2, 8])
    kept = theirs.make_scorer(theirs.f1_score, average="macro")
    with rs.patched_sklearn():
        scorers = [kept, theirs.make_scorer(theirs.matthews_corrcoef), theirs.check_scoring(LogisticRegression())]
        scorers += [theirs.get_scorer(name) for name in ("accuracy", "roc_auc", "positive_likelihood_ratio", "r2")]
        scorers.append(theirs.check_scoring(scoring=["accuracy", "f1"]))
        for scoring in (kept, "roc_auc", ["accuracy", "f1"]):
            search = GridSearchCV(LogisticRegression(), {"C": [1, 2]}, scoring=scoring, refit=False, cv=2)
            scorers.append(search.fit(X, y))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            (tmp_path / f"{protocol}").write_bytes(pickle.dumps(scorers, protocol))
    expected = [scorer(LogisticRegression().fit(X, y), X, y) for scorer in scorers[:8]]
    program = f"""
        import pathlib, pickle, sys
        sys.modules["rocksteady"] = None  # an import of it fails
        import numpy as np
        from sklearn.linear_model import LogisticRegression
        X, y = np.arange(20.0)[:, np.newaxis], np.repeat([0, 1, 0, 1], [8, 2, 2, 8])
        model = LogisticRegression().fit(X, y)
        for file in pathlib.Path({str(tmp_path)!r}).iterdir():
            scorers = pickle.loads(file.read_bytes())
            for search in scorers[8:]:
                search.fit(X, y)
            print([scorer(model, X, y) for scorer in scorers[:8]])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) == pickle.HIGHEST_PROTOCOL + 1, done.stderr
    for line in lines:
        found = eval(line, {"np": np})  # the numbers that the program printed
        assert found[-1] == pytest.approx(expected[-1], rel=1e-12)
        assert found[:-1] == pytest.approx(expected[:-1], rel=1e-12)


def test_verification_of_float32_says_that_scikit_learn_sums_in_float32():
    rng = np.random.default_rng(15)
    truth, proba = rng.integers(0, 2, 10_000), rng.random(10_000, dtype=np.float32)
    with rs.patched_sklearn(verify=True) as patched:
        theirs.log_loss(truth, proba)
        theirs.roc_auc_score(truth, proba)
    said = "scikit-learn sums in float32 here"
    assert [row[3] for row in patched.summary().rows] == [said, patched.verified["roc_auc_score"].ulps]
    assert patched.verified["log_loss"].float32 == 1
    assert patched.verified["log_loss"].ulps == 0
    assert patched.verified["roc_auc_score"].ulps < 16
    # A real difference is still one.
    assert not patching._agree_narrowly(0.7, 0.7001, (truth, proba))
    assert not patching._agree_narrowly(0.7, 0.7 + 2**-40, (truth, proba.astype(float)))


@pytest.mark.parametrize(
    "scores",
    [pd.Series([".1", ".9", ".4"], dtype=kind) for kind in ("string", "str", object)]
    + [np.array([".1", ".9", ".4"], dtype=kind) for kind in (object, str)],
    ids=lambda scores: f"{type(scores).__name__}-{scores.dtype}",
)
def test_text_scores_are_refused_in_any_container(scores):
    names = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve", "det_curve")
    for name in (*names, "hinge_loss", "top_k_accuracy_score", "confusion_matrix_at_thresholds"):
        with pytest.raises(RocksteadyError):
            getattr(metrics, name).ours([0, 1, 1], scores)
    with pytest.raises(InputTypeError):
        rs.ScoreTable([0, 1, 1], scores)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
@pytest.mark.parametrize("options", [[], ["--json", "-"], ["--html", "-"]])
def test_a_full_disk_behind_standard_output_is_one_sentence(tmp_path, options):
    file = tmp_path / "rows.csv"
    file.write_text("y,s\n0,0.1\n1,0.9\n0,0.4\n1,0.3\n")
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "rocksteady", "score", str(file), "--label", "y", "--score", "s", *options]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("rocksteady: ")
    assert sentence.endswith("cannot write standard output: No space left on device")


def test_counts_from_2_to_the_63_in_a_list_are_exact():
    cells = [[2**63 + 1, 1], [0, 2**10]]
    nested = {"a": {"a": 2**63 + 1, "b": 1}, "b": {"a": 0, "b": 2**10}}
    sparse_nested = {"a": {"a": 2**63 + 1, "b": 1}, "b": {"b": 2**10}}
    for given in (cells, tuple(map(tuple, cells)), nested, sparse_nested):
        matrix = rs.ConfusionMatrix.from_counts(given)
        assert matrix.to_array().tolist() == cells
        assert matrix.rows == 2**63 + 1026
    found = rs.ConfusionMatrix.from_cells([0, 0, 1], [0, 1, 1], [2**63 + 1, 1, 2**10])
    assert found.to_array().tolist() == cells
    assert rs.ConfusionMatrix.from_counts([[2**63, 0.5], [0, 1]]).to_array().dtype == np.float64


@pytest.mark.alone
def test_lengths_that_no_memory_holds_are_refused_at_once():
    # In a process of its own: a failed allocation would end it.
    program = """
        import numpy as np
        import rocksteady as rs
        text, items = np.broadcast_to("abc", 2**40), np.broadcast_to(np.array("abc", dtype=object), 2**40)
        amounts = np.broadcast_to(np.array(1.5, dtype=object), 2**40)
        side = (2**20, 2**20)
        collector, names = rs.ScoreCollector(), len(rs.indices())
        collector.update([0, 1], [0.1, 0.9])
        calls = [
            lambda: rs.ConfusionMatrix(text, [0]),
            lambda: rs.ConfusionMatrix([0], text),
            lambda: rs.ConfusionMatrix(items, [0]),
            lambda: rs.ConfusionMatrix([0], [0], labels=text),
            lambda: rs.ConfusionMatrix([0], [0], sample_weight=amounts),
            lambda: rs.ScoreTable(text, [0.5]),
            lambda: rs.ScoreTable([0], amounts),
            lambda: rs.ConfusionMatrix(range(10**15), [0]),
            lambda: collector.update(text, [0.5]),
            lambda: collector.update([0], [0.5], sample_weight=np.broadcast_to(np.int8(1), 2**60)),
            lambda: rs.define_index("beyond_memory", "tp / n", aliases=range(10**15)),
            lambda: rs.metrics.accuracy_score(text, [0]),
        ]
        for one in (np.int64(1), np.uint64(1), np.float64(1), np.int8(1)):
            calls.append(lambda one=one: rs.ConfusionMatrix.from_counts(np.broadcast_to(one, side)))
        for call in calls:
            try:
                call()
            except (MemoryError, rs.RocksteadyError) as error:
                assert not isinstance(error, rs.errors.InternalError), error
                print(type(error).__name__, error)
        assert collector.rows == 2 and len(rs.indices()) == names
        assert collector.score_table()["roc_auc"] == 1
    """
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 16, done.stdout
    assert time.perf_counter() - started < 20


def test_a_parameter_of_two_classes_says_what_more_classes_take():
    several = rs.ConfusionMatrix([0, 1, 2, 3], [0, 1, 2, 2])
    with pytest.raises(InputError) as refused:
        several.value("mcnemar_statistic", correction=False)
    assert str(refused.value) == (
        'correction is given for 4 classes; expected two classes; with more, "mcnemar_statistic" takes no parameters'
    )
    assert several.value("mcnemar_statistic") == several["mcnemar_statistic"]
    two = rs.ConfusionMatrix.from_counts([[5, 3], [9, 5]])
    assert two.value("mcnemar_statistic", correction=False) == 3
    with pytest.raises(InputError, match="expected a matrix of costs"):
        several.value("expected_cost", fp=1, fn=2)


@pytest.mark.alone
@pytest.mark.parametrize("given", ["abc", "0", "-1", "2000", "20000", "1e3", "x" * 100_000])
def test_a_wrong_number_of_threads_is_refused_by_the_first_call_that_uses_threads(given):
    program = """
        import numpy as np
        import rocksteady as rs
        assert rs.ConfusionMatrix([0, 1], [0, 1])["accuracy"] == 1  # few rows need no threads
        labels = np.arange(2**18) % 2
        for call in (lambda: rs.ScoreTable(labels, labels), rs.get_threads):
            try:
                call()
            except rs.InputError as error:
                print(error)
        rs.set_threads(2)
        assert rs.ScoreTable(labels, labels)["roc_auc"] == 1
    """
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "ROCKSTEADY_NUM_THREADS": given},
        capture_output=True,
        text=True,
    )
    assert time.perf_counter() - started < 10
    assert done.returncode == 0, done.stderr
    sentence = f'ROCKSTEADY_NUM_THREADS is "{given[:100]}"; expected 1 to 1024 threads'
    assert done.stdout.splitlines() == [sentence] * 2


def default_threads(program: str = "print(rs.get_threads())", **variables: str) -> list[int]:
    ours = ("ROCKSTEADY_NUM_THREADS", "OMP_NUM_THREADS", "PYTEST_XDIST_WORKER_COUNT")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        [sys.executable, "-c", f"import rocksteady as rs\n{textwrap.dedent(program)}"],
        env=environment | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(line) for line in done.stdout.split()]


def test_the_default_number_of_threads_is_the_share_of_a_worker():
    (cores,) = default_threads()
    assert 1 <= cores <= (os.cpu_count() or 1)
    assert default_threads(OMP_NUM_THREADS="3") == [3]
    assert default_threads(OMP_NUM_THREADS=" 3,2") == [3]
    assert default_threads(OMP_NUM_THREADS="none") == default_threads(OMP_NUM_THREADS="0") == [cores]
    assert default_threads(PYTEST_XDIST_WORKER_COUNT="2") == [max(cores // 2, 1)]
    assert default_threads(PYTEST_XDIST_WORKER_COUNT="4096") == [cores]
    assert default_threads(PYTEST_XDIST_WORKER_COUNT="1000") == [1]
    assert default_threads(OMP_NUM_THREADS="3", PYTEST_XDIST_WORKER_COUNT="2", ROCKSTEADY_NUM_THREADS="5") == [5]


def test_workers_of_joblib_share_the_cores():
    (cores,) = default_threads()
    program = """
        from joblib import Parallel, delayed
        if __name__ == "__main__":
            print(*Parallel(n_jobs=2)(delayed(rs.get_threads)() for _ in range(4)))
    """
    assert default_threads(program) == [max(cores // 2, 1)] * 4


@pytest.mark.parametrize("given", [0, -1, 1025, 2000, 20_000, 2**70, "abc"])
def test_set_threads_refuses_a_wrong_number(given):
    before = rs.get_threads()
    with pytest.raises(RocksteadyError, match="expected 1 to 1024 threads"):
        rs.set_threads(given)
    assert rs.get_threads() == before


def test_an_empty_chunk_counts_nothing():
    collector = rs.ScoreCollector()
    collector.update([], [])
    collector.update(np.array([], dtype=int), np.array([]), sample_weight=[])
    assert collector.rows == 0
    collector.update([0, 1], [0.1, 0.9])
    collector.update([], np.array([], dtype=np.float32))
    collector.update([0, 1], [0.4, 0.3])
    assert collector.rows == 4
    assert collector.score_table() == rs.ScoreTable([0, 1, 0, 1], [0.1, 0.9, 0.4, 0.3])
    with pytest.raises(InputError, match="rows"):
        collector.update([], [0.5])
    with pytest.raises(InputError, match="rows"):
        collector.update([], [], sample_weight=[1.0])
    assert collector.rows == 4


@pytest.mark.alone
def test_an_unknown_name_of_any_length_is_refused_at_once():
    matrix, table = rs.ConfusionMatrix([0, 1], [0, 1]), rs.ScoreTable([0, 1], [0.1, 0.2])
    name = "x" * 100_000
    asked = [matrix.value, matrix.__getitem__, matrix.every, matrix.interval, matrix.exact, table.__getitem__]
    asked += [table.every, table.at(0.1).__getitem__, rs.index, rs.undefine_index]
    for ask in asked:
        started = time.perf_counter()
        with pytest.raises(UnknownIndexError) as refused:
            ask(name)
        assert time.perf_counter() - started < 0.01
        assert str(refused.value).startswith(f'"{name[:60]}"… is not the name of an index')
        assert len(str(refused.value)) < 200
    with pytest.raises(UnknownIndexError, match="did you mean"):
        matrix["acuracy"]


def test_structured_arrays_are_refused_by_a_typed_error():
    rows = np.zeros(3, dtype=[("a", int), ("b", float)])
    plain, scores = [0, 1, 1], [0.1, 0.2, 0.3]
    calls = [
        lambda: rs.ConfusionMatrix(rows, rows),
        lambda: rs.ScoreTable(plain, rows),
        lambda: rs.ScoreTable(plain, scores, sample_weight=rows),
        lambda: rs.ConfusionMatrix.from_counts(rows),
        lambda: rs.scores.population_stability(rows, rows),
        lambda: rs.evaluate(plain, rows),
    ]
    of_metrics = [
        lambda: metrics.accuracy_score(plain, plain, sample_weight=rows),
        lambda: metrics.auc(rows, rows),
    ]
    of_metrics += [
        lambda name=name: getattr(metrics, name)(rows, rows)
        for name in ("accuracy_score", "f1_score", "confusion_matrix", "matthews_corrcoef", "hamming_loss")
    ]
    of_metrics += [
        lambda name=name: getattr(metrics, name)(plain, rows)
        for name in ("roc_auc_score", "roc_curve", "log_loss", "brier_score_loss", "hinge_loss", "calibration_curve")
    ]
    for call in calls:
        with pytest.raises(RocksteadyError):
            call()
    for call in of_metrics:
        with pytest.raises((ValueError, TypeError)):
            call()


def test_a_result_made_by_hand_without_arrays_is_refused():
    with pytest.raises(InputTypeError, match="a RocCurve was given no array"):
        rs.results.RocCurve([0.0, 1.0], [0.0, 1.0], [1.0, 0.0], 1.0, 1.0)
    for value in (None, 1.0, "x", [1.0]):
        fields = {field.name: value for field in dataclasses.fields(rs.results.PopulationStability)}
        with pytest.raises(RocksteadyError):
            rs.results.PopulationStability(**fields)


@pytest.mark.parametrize("kind", ["i1", "u1", "?"])
def test_weights_of_2_to_the_62_rows_are_refused_by_their_length(kind):
    weights = np.broadcast_to(np.ones((), dtype=kind), 2**62)
    for compare in (rs.scores.population_stability, rs.scores.category_stability):
        for name, other in (("expected_weight", "expected"), ("actual_weight", "actual")):
            with pytest.raises(InputError) as refused:
                compare([1, 2], [1, 2], **{name: weights})
            assert str(refused.value) == f"{name} has {2**62} rows; expected 2, as many as {other}"
    with pytest.raises(MemoryError, match="sample_weight has"):
        rs.ScoreTable([0, 1], [0.1, 0.2], sample_weight=weights)


def test_cells_in_any_order_of_memory_are_read_by_rows():
    cells = np.array([[7, 0, 2], [5, 8, 1], [0, 3, 4]])
    for dtype in (np.int64, np.uint64, np.float64):
        given = cells.astype(dtype)
        expected = rs.ConfusionMatrix.from_counts(cells.tolist())
        assert rs.ConfusionMatrix.from_counts(np.asfortranarray(given)) == expected
        assert rs.ConfusionMatrix.from_counts(given.T.copy().T) == expected
        assert rs.ConfusionMatrix.from_counts(given[::-1][::-1]) == expected

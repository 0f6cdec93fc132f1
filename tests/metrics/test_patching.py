"""scikit-learn patched: the same results, and scikit-learn unchanged afterwards."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import warnings
from inspect import signature

import numpy as np
import pytest

pytest.importorskip("sklearn")

import sklearn.calibration
import sklearn.metrics
import sklearn.model_selection
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score as kept_accuracy
from sklearn.metrics import get_scorer, make_scorer
from sklearn.metrics._classification import matthews_corrcoef as kept_matthews
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.utils._param_validation import InvalidParameterError

import rocksteady as rs
from rocksteady import metrics, patching
from rocksteady.patching import ulps

X, Y = make_classification(n_samples=300, n_features=6, n_informative=4, random_state=3)
X3, Y3 = make_classification(n_samples=300, n_features=6, n_informative=5, n_redundant=0, n_classes=3, random_state=3)
SCORERS = [name for name in metrics.get_scorer_names() if not name.endswith("_samples")]
SHARED = [name for name in metrics.__all__ if name in sklearn.metrics.__all__ and name.islower()]
TRUE, PRED = [0, 1, 1, 0], [0, 1, 0, 0]


@pytest.fixture(autouse=True)
def unpatched():
    assert patching._effective is None
    yield
    rs.unpatch_sklearn()
    assert patching._effective is None


def _everything():
    """Every attribute of every module of scikit-learn, and of the classes and scorers that patching may touch."""
    kept = {
        (name, attribute): value
        for name, module in list(sys.modules.items())
        if name == "sklearn" or name.startswith("sklearn.")
        for attribute, value in vars(module).items()
    }
    home = sys.modules["sklearn.metrics._scorer"]
    for name, scorer in home._SCORERS.items():
        kept[name, "scorer"] = tuple(vars(scorer).items())
    for kind in (home._BaseScorer, home._Scorer, home._MultimetricScorer, home._PassthroughScorer, home._CurveScorer):
        kept[kind.__name__, "class"] = tuple(vars(kind).items())
    for name in SHARED:
        function = getattr(sklearn.metrics, name)
        kept[name, "names"] = (function.__module__, function.__qualname__, function.__name__)
    return kept


def _changed(before, after):
    """What is not the same object, or a tuple of the same objects."""
    return [
        key
        for key, value in before.items()
        if value is not after.get(key) and not (isinstance(value, tuple) and value == after.get(key))
    ]


# In place and back -------------------------------------------------------------------------------------------------------


def test_importing_does_not_import_scikit_learn():
    program = "import sys, rocksteady, rocksteady.callbacks; assert not any('sklearn' in name for name in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_without_scikit_learn_nothing_happens():
    program = """
import sys
sys.modules["sklearn"] = None
import rocksteady as rs
from rocksteady import patching
for patch in (rs.patch_sklearn, rs.patched_sklearn().__enter__):
    try:
        patch()
    except ImportError:
        print("no scikit-learn")
assert patching._effective is None
rs.unpatch_sklearn()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "no scikit-learn\n" * 2, done.stderr


def test_every_place_is_replaced_and_restored():
    before = _everything()
    patched = rs.patch_sklearn()
    during = _everything()
    assert not patched.skipped
    for name in metrics.__all__:
        if name == "get_scorer_names" or not name.islower():  # displays are classes, which are left alone
            continue
        home = sklearn.calibration if name == "calibration_curve" else sklearn.metrics
        assert getattr(home, name).__rocksteady__ is getattr(metrics, name)
        assert f"{home.__name__}.{name}" in patched[name]
    assert "sklearn.metrics._classification.accuracy_score" in patched["accuracy_score"]
    assert "sklearn.metrics._scorer._SCORERS['accuracy']" in patched["accuracy_score"]
    assert "sklearn.ensemble._forest.accuracy_score" in patched["accuracy_score"]
    assert "sklearn.model_selection._validation.check_scoring" in patched["check_scoring"]
    originals = {id(kept_accuracy), id(kept_matthews)}
    assert not [key for key, value in during.items() if id(value) in originals and key[0].startswith("sklearn")]
    rs.unpatch_sklearn()
    assert _changed(before, _everything()) == []


def test_patching_twice_is_patching_once():
    before = _everything()
    patched = rs.patch_sklearn()
    places = dict(patched)
    assert rs.patch_sklearn() is patched
    assert dict(patched) == places
    rs.unpatch_sklearn()
    rs.unpatch_sklearn()
    assert _changed(before, _everything()) == []


def test_contexts_nest():
    original = sklearn.metrics.accuracy_score
    with rs.patched_sklearn():
        with rs.patched_sklearn(verify=True) as inner:
            sklearn.metrics.accuracy_score(TRUE, PRED)
        sklearn.metrics.accuracy_score(TRUE, PRED)
        assert sklearn.metrics.accuracy_score is not original
    assert inner.verified["accuracy_score"].calls == 1
    assert sklearn.metrics.accuracy_score is original
    rs.patch_sklearn()
    with rs.patched_sklearn():
        rs.unpatch_sklearn()
        assert sklearn.metrics.accuracy_score is not original
    assert sklearn.metrics.accuracy_score is original
    with pytest.raises(ZeroDivisionError), rs.patched_sklearn():
        raise ZeroDivisionError
    assert sklearn.metrics.accuracy_score is original


def test_what_is_imported_later_is_ours_and_becomes_theirs_again():
    program = """
import rocksteady as rs
rs.patch_sklearn()
import sklearn.ensemble._forest as forest
assert forest.accuracy_score.__rocksteady__ is rs.metrics.accuracy_score
assert "sklearn.ensemble._forest.accuracy_score" in rs.patch_sklearn()["accuracy_score"]
rs.unpatch_sklearn()
assert not hasattr(forest.accuracy_score, "__rocksteady__")
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_names_and_signatures_stay():
    names = {
        name: (getattr(sklearn.metrics, name).__doc__, str(signature(getattr(sklearn.metrics, name))))
        for name in SHARED
    }
    representations = {name: repr(get_scorer(name)) for name in SCORERS}
    with rs.patched_sklearn():
        for name, (documentation, parameters) in names.items():
            function = getattr(sklearn.metrics, name)
            assert function.__name__ == function.__qualname__ == name
            assert function.__module__.startswith("sklearn.")
            assert (function.__doc__, str(signature(function))) == (documentation, parameters)
        assert representations == {name: repr(get_scorer(name)) for name in SCORERS}
        assert representations == {name: repr(sklearn.metrics.get_scorer(name)) for name in SCORERS}
        assert len(sklearn.metrics.get_scorer_names()) > 36


def test_a_name_that_was_imported_while_patched_is_theirs_afterwards():
    with rs.patched_sklearn(strict=True):
        function = sklearn.metrics.accuracy_score
        with pytest.raises(rs.RocksteadyError):
            function([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples") as raised:
        function([0, 1], [0, 1, 1])
    assert not isinstance(raised.value, rs.RocksteadyError)


def test_functions_with_other_parameters_are_left_alone(monkeypatch):
    def of_an_older_version(y_true, y_pred, *, weights=None):
        return 0.25

    monkeypatch.setattr(sklearn.metrics, "accuracy_score", of_an_older_version)
    monkeypatch.delattr(sklearn.metrics, "matthews_corrcoef")
    monkeypatch.setattr(patching, "_replacements", {})
    with rs.patched_sklearn() as patched:
        assert sklearn.metrics.accuracy_score is of_an_older_version
        assert sklearn.metrics.confusion_matrix.__rocksteady__ is metrics.confusion_matrix
    assert set(patched.skipped) == {"accuracy_score", "matthews_corrcoef"}
    assert "other parameters" in patched.skipped["accuracy_score"]
    assert "no such function" in patched.skipped["matthews_corrcoef"]
    assert "no such function" in repr(patched)


def test_many_threads_may_patch():
    before, failures = _everything(), []

    def work():
        try:
            for _ in range(4):
                with rs.patched_sklearn():
                    assert sklearn.metrics.accuracy_score(TRUE, PRED) == 0.75
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert _changed(before, _everything()) == []


# The same answers --------------------------------------------------------------------------------------------------------


def _with_and_without(run):
    without = run()
    with rs.patched_sklearn():
        return without, run()


@pytest.mark.parametrize("name", SCORERS)
def test_cross_val_score(name):
    several = (
        name.startswith("roc_auc_o") or name.endswith(("_macro", "_micro", "_weighted")) or name == "top_k_accuracy"
    )
    rows, labels = (X3, Y3) if several else (X, Y)
    without, patched = _with_and_without(
        lambda: cross_val_score(LogisticRegression(), rows, labels, scoring=name, cv=4, error_score="raise")
    )
    np.testing.assert_allclose(patched, without, rtol=1e-12, atol=1e-12)


def test_grid_search():
    def run():
        grid = GridSearchCV(LogisticRegression(), {"C": [0.001, 0.01, 0.1, 1, 10]}, scoring="roc_auc", cv=4)
        return grid.fit(X, Y)

    without, patched = _with_and_without(run)
    assert patched.best_params_ == without.best_params_
    np.testing.assert_allclose(patched.best_score_, without.best_score_, rtol=1e-12)
    np.testing.assert_allclose(
        patched.cv_results_["mean_test_score"], without.cv_results_["mean_test_score"], rtol=1e-12
    )


def test_grid_search_with_several_metrics():
    scoring = {"area": "roc_auc", "accuracy": "accuracy", "mcc": make_scorer(kept_matthews), "r2": "r2"}

    def run():
        grid = GridSearchCV(
            LogisticRegression(), {"C": [0.001, 0.1, 10]}, scoring=scoring, refit="mcc", cv=4, return_train_score=True
        )
        return grid.fit(X, Y, sample_weight=np.linspace(0.1, 1, 300))

    without, patched = _with_and_without(run)
    assert patched.best_params_ == without.best_params_
    for name, values in without.cv_results_.items():
        if "score" in name and "time" not in name and "rank" not in name:
            np.testing.assert_allclose(patched.cv_results_[name], values, rtol=1e-12)


@pytest.mark.parametrize("output_dict", [False, True])
def test_classification_report(output_dict):
    predicted = LogisticRegression().fit(X3, Y3).predict(X3)
    without, patched = _with_and_without(
        lambda: sklearn.metrics.classification_report(Y3, predicted, output_dict=output_dict)
    )
    assert patched == without


def test_tuned_thresholds():
    without, patched = _with_and_without(
        lambda: TunedThresholdClassifierCV(LogisticRegression(), scoring="balanced_accuracy", cv=3).fit(X, Y)
    )
    assert patched.best_threshold_ == without.best_threshold_
    assert patched.best_score_ == pytest.approx(without.best_score_, rel=1e-12)


def test_an_estimator_that_scores_itself():
    def run():
        model = HistGradientBoostingClassifier(max_iter=5, early_stopping=True, scoring="roc_auc", random_state=0)
        model.fit(X, Y)
        return model.validation_score_, model.score(X, Y)

    without, patched = _with_and_without(run)
    np.testing.assert_allclose(patched[0], without[0], rtol=1e-12)
    assert patched[1] == without[1]


def test_several_jobs():
    scoring = {"area": "roc_auc", "mcc": make_scorer(kept_matthews)}
    without, patched = _with_and_without(
        lambda: cross_validate(LogisticRegression(), X, Y, scoring=scoring, cv=2, n_jobs=2)
    )
    for name in ("test_area", "test_mcc"):
        np.testing.assert_allclose(patched[name], without[name], rtol=1e-12)


# What ours does not take -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "options"),
    [
        ("accuracy_score", ([0, 1], [0, 1, 1]), {}),
        ("accuracy_score", ([0, 1], [0.5, 0.1]), {}),
        ("accuracy_score", (TRUE, PRED), {"normalise": True}),
        ("accuracy_score", (TRUE,), {}),
        ("confusion_matrix", (TRUE, PRED), {"normalize": "columns"}),
        ("roc_auc_score", (Y3, Y3), {}),
        ("roc_curve", (["a", "b"], [0.1, 0.2]), {}),
    ],
)
def test_errors_are_literally_theirs(name, arguments, options):
    def run():
        try:
            return getattr(sklearn.metrics, name)(*arguments, **options)
        except Exception as error:
            return type(error), str(error)

    without, patched = _with_and_without(run)
    assert patched == without
    assert without[0] in (ValueError, TypeError, InvalidParameterError)


def test_negative_weights_are_answered():
    weights = [1.0, -0.5, 2.0, 1.0]

    def run():
        return (
            sklearn.metrics.accuracy_score(TRUE, PRED, sample_weight=weights),
            sklearn.metrics.roc_auc_score(TRUE, [0.1, 0.8, 0.3, 0.4], sample_weight=weights),
        )

    without, patched = _with_and_without(run)
    assert patched == pytest.approx(without, rel=1e-12)


def test_scorers_that_refuse_are_literally_theirs():
    texts = np.array(["no", "yes"])[Y]
    model = LogisticRegression().fit(X, texts)

    def run():
        with pytest.raises(ValueError, match="pos_label=1 is not a valid label") as one:
            sklearn.metrics.get_scorer("f1")(model, X, texts)
        with pytest.raises(ValueError, match="only supported if enable_metadata_routing=True") as other:
            sklearn.metrics.get_scorer("accuracy")(model, X, texts, groups=1)
        return [(type(seen.value), str(seen.value)) for seen in (one, other)]

    without, patched = _with_and_without(run)
    assert patched == without


def test_the_array_api_is_left_to_them(monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    called = []
    monkeypatch.setattr(metrics, "accuracy_score", lambda *_, **__: called.append("ours"))
    with rs.patched_sklearn() as patched:
        sklearn._config._get_threadlocal_config()["array_api_dispatch"] = True
        try:
            assert sklearn.metrics.accuracy_score(np.array(TRUE), np.array(PRED)) == 0.75
        finally:
            sklearn._config._get_threadlocal_config()["array_api_dispatch"] = False
    assert not called
    assert patched.fallbacks == {"accuracy_score": 1}


def test_a_fallback_uses_nothing_of_ours(monkeypatch):
    """classification_report calls other metrics: where it is theirs, they are theirs."""
    with rs.patched_sklearn(verify=True) as patched:
        sklearn.metrics.classification_report(TRUE, PRED)
    assert "precision_recall_fscore_support" not in patched.verified


def test_strict_raises_ours():
    with rs.patched_sklearn(strict=True) as patched, pytest.raises(rs.RocksteadyError):
        sklearn.metrics.accuracy_score([0, 1], [0, 1, 1])
    assert not patched.fallbacks


def test_warnings_are_of_their_class_and_say_where():
    with rs.patched_sklearn(), pytest.warns(UndefinedMetricWarning, match="Only one class") as seen:
        sklearn.metrics.roc_auc_score([0, 0], [0.1, 0.2])
    assert seen[0].filename == __file__
    with rs.patched_sklearn(), warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UndefinedMetricWarning):
            sklearn.metrics.roc_auc_score([0, 0], [0.1, 0.2])


@pytest.mark.parametrize("patch", [False, True])
def test_a_metric_is_no_scorer(patch):
    check = sklearn.metrics.check_scoring
    with rs.patched_sklearn() if patch else warnings.catch_warnings():
        if patch:
            check = sklearn.metrics.check_scoring
        with pytest.raises(ValueError, match="looks like it is a metric"):
            check(LogisticRegression(), sklearn.metrics.accuracy_score)
        with pytest.raises(ValueError, match="looks like it is a metric"):
            check(LogisticRegression(), kept_accuracy)
        with pytest.raises(ValueError, match="looks like it is a metric"):
            check(LogisticRegression(), sklearn.metrics.r2_score)
        if patch:
            with pytest.raises(ValueError, match="looks like it is a metric"):
                check(LogisticRegression(), metrics.accuracy_score)


def test_scorers_that_are_not_ours_are_theirs():
    with rs.patched_sklearn():
        assert repr(sklearn.metrics.get_scorer("r2")) == "make_scorer(r2_score, response_method='predict')"
        assert repr(sklearn.metrics.check_scoring(scoring="rand_score")).startswith("make_scorer(rand_score")
        for function in (sklearn.metrics.get_scorer, lambda name: sklearn.metrics.check_scoring(scoring=name)):
            with pytest.raises(ValueError, match="happiness"):
                function("happiness")
    with pytest.raises(rs.InputError, match="get_scorer_names"):
        metrics.get_scorer("r2")


# Pickles and clones ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_go_both_ways(protocol):
    original = sklearn.metrics.matthews_corrcoef

    def pickled():
        scorers = (make_scorer(original), get_scorer("accuracy"), sklearn.metrics.get_scorer("matthews_corrcoef"))
        functions = (original, sklearn.metrics.matthews_corrcoef)
        return pickle.dumps((functions, scorers), protocol)

    def read(data):
        functions, scorers = pickle.loads(data)
        model = LogisticRegression().fit(X, Y)
        assert [function(TRUE, PRED) for function in functions] == pytest.approx([original(TRUE, PRED)] * 2, rel=1e-15)
        return [scorer(model, X, Y) for scorer in scorers]

    expected = read(pickled())
    with rs.patched_sklearn():
        replaced = sklearn.metrics.matthews_corrcoef
        made_while_patched = pickled()
        assert read(made_while_patched) == pytest.approx(expected, rel=1e-12)
        assert pickle.loads(pickle.dumps(replaced, protocol)) is replaced
        assert pickle.loads(pickle.dumps(original, protocol)) is original
    assert read(made_while_patched) == pytest.approx(expected, rel=1e-12)
    assert pickle.loads(pickle.dumps(replaced, protocol)) is replaced
    assert pickle.loads(pickle.dumps(original, protocol)) is original


def test_pickles_are_read_where_nothing_is_patched(tmp_path):
    with rs.patched_sklearn():
        scorers = (make_scorer(kept_accuracy), sklearn.metrics.get_scorer("accuracy"), sklearn.metrics.accuracy_score)
        (tmp_path / "scorers").write_bytes(pickle.dumps((kept_accuracy, scorers)))
    program = f"""
import pickle, sys
function, scorers = pickle.load(open({str(tmp_path / "scorers")!r}, "rb"))
assert function([0, 1], [0, 0]) == scorers[2]([0, 1], [0, 0]) == 0.5
print(*map(repr, scorers[:2]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.count("make_scorer(accuracy_score, response_method='predict')") == 2, done.stderr


def test_clones():
    grid = GridSearchCV(LogisticRegression(), {"C": [1, 2]}, scoring=make_scorer(kept_matthews), cv=2)
    with rs.patched_sklearn():
        copy = clone(grid)
        assert copy.fit(X, Y).best_score_ == pytest.approx(grid.fit(X, Y).best_score_, rel=1e-12)
        copy.set_params(scoring=sklearn.metrics.make_scorer(sklearn.metrics.matthews_corrcoef))
        again = clone(copy)
    assert again.fit(X, Y).best_score_ == pytest.approx(grid.best_score_, rel=1e-12)


# Verification ------------------------------------------------------------------------------------------------------------


def test_verification_finds_no_difference():
    with rs.patched_sklearn(verify=True) as patched:
        cross_validate(LogisticRegression(), X, Y, scoring=["roc_auc", "accuracy", "matthews_corrcoef"], cv=3)
        with pytest.warns(UndefinedMetricWarning):
            sklearn.metrics.roc_auc_score([0, 0], [0.1, 0.2])
        with pytest.raises(ValueError, match="inconsistent"):
            sklearn.metrics.accuracy_score([0, 1], [0, 1, 1])
    assert set(patched.verified) >= {"roc_auc_score", "accuracy_score", "matthews_corrcoef"}
    for verification in patched.verified.values():
        assert verification.ulps <= 4
        assert (verification.warnings, verification.exceptions) == (0, 0)
    assert patched.verified["roc_auc_score"].calls == 4
    assert patched.fallbacks["accuracy_score"] == 1


def test_verification_finds_differences(monkeypatch):
    def half_an_accuracy(y_true, y_pred, *, normalize=True, sample_weight=None):
        warnings.warn("half", UserWarning, stacklevel=2)
        return 0.375

    def no_matrix(y_true, y_pred, *, labels=None, sample_weight=None, normalize=None):
        return np.zeros(0)

    monkeypatch.setattr(metrics, "accuracy_score", half_an_accuracy)
    monkeypatch.setattr(metrics, "confusion_matrix", no_matrix)
    monkeypatch.setattr(patching, "_replacements", {})
    with rs.patched_sklearn(verify=True) as patched:
        with pytest.warns(UserWarning, match="half"):
            assert sklearn.metrics.accuracy_score(TRUE, PRED) == 0.375
        sklearn.metrics.confusion_matrix([0, 1], [0, 1])
        sklearn.metrics.confusion_matrix([0, 1], [0, 1, 1])
    assert patched.verified["accuracy_score"].ulps == 2**52
    assert patched.verified["accuracy_score"].worst == (0.375, 0.75)
    assert patched.verified["accuracy_score"].warnings == 1
    assert patched.verified["confusion_matrix"].ulps == np.inf
    assert patched.verified["confusion_matrix"].exceptions == 1
    assert patched.summary().columns[0] == "function"
    assert "<table>" in patched._repr_html_()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (1.0, 1.0, 0),
        (0.0, -0.0, 0),
        (np.nan, np.nan, 0),
        (np.nan, 1.0, np.inf),
        (1.0, np.nextafter(1.0, 2.0), 1),
        (5e-324, -5e-324, 2),
        (np.inf, np.finfo(float).max, 1),
        (3, 3.0, 0),
        (np.arange(3), np.arange(3.0), 0),
        (np.arange(3), np.arange(4), np.inf),
        (None, None, 0),
        (None, 1.0, np.inf),
        ("a", "b", np.inf),
        ({"a": 1.0}, {"a": 1.0}, 0),
        ({"a": 1.0}, {"b": 1.0}, np.inf),
        ((1.0, (2.0, "x")), (1.0, (2.0, "x")), 0),
        ((), (), 0),
        (np.array(["a"]), np.array(["a"]), 0),
        (np.array(["a"]), np.array(["b"]), np.inf),
    ],
)
def test_units_in_the_last_place(first, second, expected):
    assert ulps(first, second) == ulps(second, first) == expected

"""Who answers a call of rocksteady.metrics: the core, the core with plain arguments, scikit-learn, or nobody."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")
pd = pytest.importorskip("pandas")
import sklearn.calibration
import sklearn.metrics
from scipy import sparse

import rocksteady as rs
from rocksteady import metrics as ours
from rocksteady.metrics import _drop_in

sys.path.insert(0, str(Path(__file__).parent))
from test_conformance import CALLS, PREDICTED, SCORE, TAGS, TRUE, said

THEIRS = vars(sklearn.metrics) | {"calibration_curve": sklearn.calibration.calibration_curve}
ANSWERED = [
    (name, arguments, options)
    for name, calls in CALLS.items()
    for arguments, options in calls
    if "Error" not in str(said(THEIRS[name], arguments, options)[0])
]
FORMS = {
    "columns": lambda values: np.asarray(values).reshape(len(values), -1),
    "frames": lambda values: pd.DataFrame(np.asarray(values)),
    "numpy's scalars": lambda values: [np.asarray(row) if np.ndim(row) else np.asarray(row)[()] for row in values],
    "arrays": np.asarray,
}


def plainly(function, arguments, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **options)


def flat(value):
    parts = value if isinstance(value, tuple) else (value,)
    return np.concatenate([np.ravel(part) for part in parts if part is not None])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("name", "arguments", "options"), ANSWERED, ids=lambda value: value if type(value) is str else ""
)
def test_other_forms_of_the_arguments_have_the_same_value_from_us(form, name, arguments, options):
    function = getattr(ours, name)
    expected = plainly(function, arguments, options)
    found = plainly(function.ours, map(FORMS[form], arguments), options)
    if isinstance(expected, (str, dict)):
        assert found == expected
    else:
        np.testing.assert_array_equal(flat(found), flat(expected))


@pytest.mark.parametrize("kind", ["csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("name", ["accuracy_score", "hamming_loss", "zero_one_loss", "multilabel_confusion_matrix"])
def test_every_sparse_format_is_ours(kind, name):
    function, other = getattr(ours, name), 1 - np.array(TAGS)
    found = function.ours(sparse.csr_array(TAGS).asformat(kind), sparse.csr_array(other).asformat(kind))
    np.testing.assert_array_equal(found, function(np.array(TAGS), other))


@pytest.mark.parametrize(
    ("name", "arguments", "options"), ANSWERED, ids=lambda value: value if type(value) is str else ""
)
def test_refusals_are_literally_theirs(name, arguments, options):
    wrong = [((arguments[0][:-1], *arguments[1:]), options)]
    wrong += [(arguments, options | {option: {1j}}) for option in ours_options(name) if option not in DATA]
    for call in wrong:
        mine, theirs = (refused(package, *call) for package in (getattr(ours, name), THEIRS[name]))
        assert mine[0] is theirs[0], call
        assert sorted(mine[1]) == sorted(theirs[1]), call  # options are listed in the order of a set


def ours_options(name):
    from inspect import signature

    parameters = signature(getattr(ours, name)).parameters.values()
    return [one.name for one in parameters if one.default is not one.empty and one.name not in ("y_pred", "y_proba")]


DATA = ("labels", "sample_weight", "target_names", "metric_params", "warn_for")


def refused(function, arguments, options):
    try:
        plainly(function, arguments, options)
    except (ValueError, TypeError) as error:
        return type(error), str(error)
    return None, ""


def test_what_only_scikit_learn_takes_is_theirs():
    call = (([1, 0], [[0.2, 0.8], [0.7, 0.3]]), {"labels": [1, 0]})
    with pytest.warns(UserWarning, match="Labels passed were"):
        theirs = sklearn.metrics.log_loss(*call[0], **call[1])
    with pytest.raises(rs.InputError, match="labels"):
        ours.log_loss.ours(*call[0], **call[1])
    with pytest.warns(UserWarning, match="Labels passed were"):
        assert ours.log_loss(*call[0], **call[1]) == theirs


def test_where_scikit_learn_stumbles_the_refusal_is_ours():
    with pytest.raises(rs.RocksteadyError, match="y_true"):
        ours.confusion_matrix(np.array(0), [0])


def test_another_version_with_other_parameters_is_not_asked(monkeypatch):
    monkeypatch.setattr(sklearn.metrics, "accuracy_score", lambda y_true, y_pred, normalise=True: 0.0)
    with pytest.raises(rs.InputError, match="y_pred"):
        ours.accuracy_score(TRUE, PREDICTED[1:])
    monkeypatch.delattr(sklearn.metrics, "accuracy_score")
    with pytest.raises(rs.InputError, match="y_pred"):
        ours.accuracy_score(TRUE, PREDICTED[1:])


def test_a_patched_scikit_learn_is_asked_itself():
    with (
        rs.patched_sklearn() as patched,
        pytest.raises(ValueError, match="inconsistent numbers of samples: \\[6, 5\\]"),
    ):
        ours.accuracy_score(TRUE, PREDICTED[1:])
    assert not patched.fallbacks


def test_a_call_that_python_would_refuse_is_not_handed_on():
    with pytest.raises(TypeError, match="unexpected keyword argument 'normalise'"):
        ours.accuracy_score(TRUE, PREDICTED, normalise=True)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        ours.roc_auc_score(TRUE)


@pytest.mark.parametrize("weights", [[4, 3, 2, -1, 1, 2], np.array([2, 4, 3, 1.5, -0.5, 1])])
def test_weights_of_either_sign_are_ours(weights):
    for name, calls in CALLS.items():
        function = getattr(ours, name)
        for arguments, options in calls:
            if arguments[0] is not TRUE or len(arguments[1]) != 6 or "sample_weight" not in ours_options(name):
                continue
            if name.startswith("d2_") or "max_fpr" in options:  # scikit-learn's
                continue
            given = options | {"sample_weight": weights}
            expected = said(THEIRS[name], arguments, given)[0]
            if "Error" in str(expected):
                continue
            found = plainly(function.ours, arguments, given)
            if isinstance(found, str):
                assert found == expected
            elif not isinstance(found, dict):
                np.testing.assert_allclose(flat(found), flat(plainly(THEIRS[name], arguments, given)), rtol=1e-12)


def test_the_floor_of_the_mechanism():
    assert _drop_in.counterpart(ours.roc_curve) is sklearn.metrics.roc_curve
    assert _drop_in.counterpart(len) is None
    assert ours.roc_curve.ours(TRUE, SCORE)[0].tolist() == ours.roc_curve(TRUE, SCORE)[0].tolist()

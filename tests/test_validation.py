"""The checks behind `rocksteady.metrics` against scikit-learn's own utilities: same result, or same message."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

import sklearn.metrics
from sklearn.metrics._classification import _check_targets
from sklearn.utils import validation as theirs
from sklearn.utils.multiclass import type_of_target

import rocksteady.metrics
from rocksteady.metrics import _parameters, _validation

TARGETS = {
    "list": [0, 1, 1, 0],
    "tuple": (0, 1, 1, 0),
    "ints": np.array([0, 1, 2, 1]),
    "bools": np.array([True, False, True, True]),
    "floats": np.array([0.0, 1.0, 1.0, 0.0]),
    "f16": np.array([0.0, 1.0, 1.0, 0.0], "f2"),
    "fractions": np.array([0.1, 0.2, 0.3, 1.0]),
    "nan": np.array([0, 1, np.nan, 1]),
    "inf": np.array([0, 1, np.inf, 1]),
    "text": np.array(["a", "b", "a", "a"]),
    "texts": ["a", "b", "c", "a"],
    "objects of text": np.array(["a", "b", "a", "a"], dtype=object),
    "objects of numbers": np.array([0, 1, 1, 0], dtype=object),
    "mixed": np.array(["a", 1, 1, 0], dtype=object),
    "mixed list": ["a", 1, 1, 0],
    "none": [0, 1, None, 1],
    "all none": [None, None, None, None],
    "bytes": np.array([b"a", b"b", b"a", b"a"]),
    "list of bytes": [b"a", b"b", b"a", b"a"],
    "column": np.array([[0], [1], [1], [0]]),
    "row": np.array([[0, 1, 1, 0]]),
    "indicator": np.array([[0, 1, 1], [1, 0, 0], [1, 1, 0], [0, 0, 0]]),
    "float indicator": np.array([[0, 1.0], [1, 0], [1, 1], [0, 0]]),
    "list of lists": [[0, 1], [1, 0], [1, 1], [0, 0]],
    "ragged": [[0, 1], [1], [1, 1], []],
    "multioutput": np.array([[0, 1], [2, 0], [1, 1], [0, 3]]),
    "continuous multioutput": np.array([[0, 1.5], [2, 0], [1, 1], [0, 3]]),
    "csr": sp.csr_array([[0, 1], [1, 0], [1, 1], [0, 0]]),
    "csc": sp.csc_matrix([[0, 1], [1, 0], [1, 1], [0, 0]]),
    "sparse of three": sp.csr_array([[0, 1], [2, 0], [1, 1], [0, 0]]),
    "empty": np.array([], dtype=int),
    "empty list": [],
    "scalar": np.array(3),
    "number": 3,
    "string": "abcd",
    "NoneType": None,
    "set": {0, 1},
    "dict": {0: 1},
    "three dimensions": np.zeros((4, 2, 2), int),
    "complex": np.array([1j, 0, 1, 0]),
    "short": np.array([0, 1]),
    "series": pd.Series([0, 1, 1, 0], index=[7, 3, 9, 1]),
    "nullable": pd.Series([0, 1, 1, 0], dtype="Int64"),
    "nullable with NA": pd.Series([0, 1, None, 0], dtype="Int64"),
    "nullable bools": pd.Series([True, False, True, True], dtype="boolean"),
    "series of text": pd.Series(["a", "b", "a", "a"]),
    "pandas string": pd.Series(["a", "b", "a", "a"], dtype="string"),
    "series with NaN": pd.Series(["a", "b", None, "a"]),
    "categorical": pd.Series(["a", "b", "a", "a"], dtype="category"),
    "frame": pd.DataFrame({"x": [0, 1, 1, 0], "y": [1, 0, 0, 0]}),
    "frame of one": pd.DataFrame({"x": [0, 1, 1, 0]}),
    "polars": pl.Series([0, 1, 1, 0]),
    "polars text": pl.Series(["a", "b", "a", "a"]),
    "matrix": np.array([[0, 1, 1, 0]]).view(np.matrix),
    "huge": np.array([2**63, 0, 1, 1], dtype="u8"),
    "dates": np.array(["2020-01-01", "2020-01-02", "2020-01-01", "2020-01-01"], dtype="M8[D]"),
}
WEIGHTS = {
    "none": None,
    "floats": [0.5, 1, 2, 0],
    "column": np.ones((4, 1)),
    "long": np.ones(5),
    "zeros": np.zeros(4),
    "negative": [-1, 1, 1, 1],
    "nan": [1, np.nan, 1, 1],
    "inf": [1, np.inf, 1, 1],
    "text": ["a", "b", "c", "d"],
    "numbers as text": ["1", "2", "3", "4"],
    "series": pd.Series([1, 2, 3, 4]),
    "objects": np.array([1, 2, 3, 4], dtype=object),
}


def outcome(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except Exception as error:
            return error


def assert_same(expected, found, exact_text=True):
    if isinstance(expected, Exception) or isinstance(found, Exception):
        assert isinstance(found, Exception), f"scikit-learn raises {expected!r}; we give {found!r}"
        assert isinstance(expected, Exception), f"scikit-learn gives {expected!r}; we raise {found!r}"
        builtin = [kind for kind in (ValueError, TypeError) if isinstance(expected, kind)]
        assert all(isinstance(found, kind) for kind in builtin), (expected, found)
        if exact_text:
            assert str(found) == str(expected)
    else:
        assert found == expected


# Messages of numpy itself are not compared.
NUMPYS = ("inhomogeneous", "not supported between", "Singleton array", "object of type", "could not convert", "DType")


@pytest.mark.parametrize("name", TARGETS)
def test_type_of_target(name):
    expected = outcome(type_of_target, TARGETS[name], input_name="y_true")
    found = outcome(_validation.type_of_target, TARGETS[name], "y_true")
    assert_same(expected, found, exact_text=not any(word in str(expected) for word in NUMPYS))


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("dtype", [None, "numeric", "float"])
@pytest.mark.parametrize("two", [False, True])
def test_check_array(name, dtype, two):
    their_dtype = [np.float64, np.float32, np.float16] if dtype == "float" else dtype
    expected = outcome(theirs.check_array, TARGETS[name], dtype=their_dtype, ensure_2d=two, input_name="y")
    found = outcome(_validation.check_array, TARGETS[name], dtype=dtype, ensure_2d=two, input_name="y")
    if isinstance(expected, np.ndarray) and isinstance(found, np.ndarray):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    else:
        assert_same(
            expected, found, exact_text=isinstance(expected, ValueError) and not any(w in str(expected) for w in NUMPYS)
        )


@pytest.mark.parametrize("first", TARGETS)
@pytest.mark.parametrize(
    "second", ["ints", "texts", "indicator", "csr", "column", "fractions", "objects of text", "same"]
)
def test_check_targets(first, second):
    pair = TARGETS[first], TARGETS[first if second == "same" else second]
    expected, found = outcome(_check_targets, *pair), outcome(_validation.check_targets, *pair)
    if isinstance(expected, Exception) or isinstance(found, Exception):
        assert_same(expected, found, exact_text=not any(word in str(expected) for word in (*NUMPYS, "Mix of")))
        return
    assert found.kind == expected[0]
    np.testing.assert_array_equal(found.labels, expected[1])
    for mine, other in zip(found[2:4], expected[2:4], strict=True):
        dense = [value.toarray() if sp.issparse(value) else value for value in (mine, other)]
        np.testing.assert_array_equal(*dense)


@pytest.mark.parametrize("name", WEIGHTS)
def test_check_sample_weight(name):
    rows = np.arange(4)
    for force in (False, True):
        expected = outcome(theirs._check_sample_weight, WEIGHTS[name], rows, force_float_dtype=force)
        found = outcome(_validation.check_sample_weight, WEIGHTS[name], rows, force_float=force)
        if isinstance(expected, np.ndarray) and np.asarray(WEIGHTS[name]).dtype.kind == "U":
            # A deviation: text is no weight. scikit-learn leaves it as it is or reads numbers from it, by function.
            assert isinstance(found, _validation.UnusableError)
            continue
        if isinstance(expected, np.ndarray) and isinstance(found, np.ndarray):
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
        else:
            assert_same(expected, found, exact_text="could not convert" not in str(expected))


def test_parameters_have_the_names_and_the_order_of_the_signatures():
    from inspect import signature

    from sklearn.calibration import calibration_curve

    for name, domains in _parameters.PARAMETERS.items():
        function = calibration_curve if name == "calibration_curve" else getattr(sklearn.metrics, name)
        constraints = function._skl_parameter_constraints
        assert set(domains) == set(constraints), name
        order = [parameter for parameter in signature(function).parameters if parameter in domains]
        assert set(order) == set(domains)


VALUES = [
    None, True, np.True_, 0, 1, 2, -1, 0.0, 1.0, 0.5, 1.5, -0.5, np.nan, float("nan"), np.inf, "binary", "micro", "macro",
    "samples", "weighted", "warn", "auto", "true", "linear", "ovr", "raise", "uniform", "predict", "x", [0, 1], np.arange(3),
    np.array(1), (1, 2), {1, 2}, {"a": 1}, len, sp.csr_array([[1, 0]]), pd.Series([1]), np.int8(1), np.float32(0.5), 1j, b"x",
]  # fmt: skip


@pytest.mark.parametrize("function", _parameters.PARAMETERS)
def test_domains_hold_what_scikit_learn_holds(function):
    from sklearn.calibration import calibration_curve
    from sklearn.utils._param_validation import validate_parameter_constraints

    original = calibration_curve if function == "calibration_curve" else getattr(sklearn.metrics, function)
    for name in _parameters.PARAMETERS[function]:
        for value in VALUES:
            expected = outcome(
                validate_parameter_constraints, original._skl_parameter_constraints, {name: value}, function
            )
            found = outcome(_parameters.check_parameters, function, {name: value})
            # Sets have no order, so the listed options may be in another order.
            assert_same(expected, found, exact_text="among" not in str(expected))
            assert sorted(str(found)) == sorted(str(expected))


def test_warnings_point_at_the_caller():
    with pytest.warns(UserWarning, match="A single label") as caught:
        rocksteady.metrics.confusion_matrix([1, 1], [1, 1])
    assert caught[0].filename == __file__

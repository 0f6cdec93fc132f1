"""Population stability: against numpy, scipy, rapidstats, and properties of any two distributions."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import chi2_contingency

import rocksteady as rs

scores = st.lists(st.integers(-8, 20).map(lambda x: x / 4) | st.floats(-3, 6), min_size=1, max_size=60)


def naive_psi(e, a, epsilon):
    e, a = e / e.sum(), a / a.sum()
    both = (e > 0) | (a > 0)
    e, a = np.where(e == 0, epsilon, e)[both], np.where(a == 0, epsilon, a)[both]
    return ((a - e) * np.log(a / e)).sum()


def check(found, e, a, epsilon=1e-4):
    np.testing.assert_allclose(found.expected, e, atol=1e-12)
    np.testing.assert_allclose(found.actual, a, atol=1e-12)
    np.testing.assert_allclose(found.expected_share, e / e.sum(), atol=1e-12)
    assert found.psi == pytest.approx(naive_psi(e, a, epsilon), abs=1e-12)
    assert found.psi == pytest.approx(found.contribution.sum(), abs=1e-12)
    assert found.jensen_shannon == pytest.approx(jensenshannon(e, a) ** 2, abs=1e-12)
    assert found.total_variation == pytest.approx(np.abs(e / e.sum() - a / a.sum()).sum() / 2, abs=1e-12)
    both = (e > 0) | (a > 0)
    assert found.degrees_of_freedom == both.sum() - 1
    if both.sum() > 1:
        expected = chi2_contingency(np.array([e, a])[:, both], correction=False)
        assert found.chi_squared == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
        assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-12)
    else:
        assert math.isnan(found.p_value)


@given(scores, scores, st.lists(st.integers(-6, 12), max_size=9, unique=True), st.booleans(), st.data())
def test_given_edges_equal_numpy(expected, actual, edges, weighted, data):
    edges = sorted(edges)
    weights = [None, None]
    if weighted:
        weights = [
            data.draw(st.lists(st.sampled_from([0.25, 1.0, 3.0]), min_size=len(c), max_size=len(c)))
            for c in (expected, actual)
        ]
    found = rs.scores.population_stability(
        expected, actual, edges=edges, expected_weight=weights[0], actual_weight=weights[1]
    )
    e, a = (
        np.bincount(np.digitize(column, edges), weights=weight, minlength=len(edges) + 1).astype(float)
        for column, weight in ((expected, weights[0]), (actual, weights[1]))
    )
    check(found, e, a)
    np.testing.assert_array_equal(found.edges, edges)
    cumulative = np.abs((e / e.sum() - a / a.sum()).cumsum())
    assert found.ks == pytest.approx(cumulative.max(), abs=1e-12)
    # Score tables give the same result, for any classes.
    tables = [
        rs.ScoreTable(np.arange(len(column)) % 2, column, pos_label=1, sample_weight=weight)
        for column, weight in ((expected, weights[0]), (actual, weights[1]))
    ]
    same = rs.scores.population_stability(*tables, edges=edges)
    np.testing.assert_allclose(same.actual, found.actual, atol=1e-12)
    assert same.psi == pytest.approx(found.psi, abs=1e-12)


@given(scores, scores, st.integers(1, 15), st.booleans())
def test_quantile_bins(expected, actual, bins, weighted):
    assume(len(set(expected)) > 1 or set(expected) == set(actual))  # else it is refused
    w = (np.arange(len(expected)) % 3 + 1) / 4 if weighted else np.ones(len(expected))
    s = np.array(expected)
    found = rs.scores.population_stability(expected, actual, bins=bins, expected_weight=w if weighted else None)
    edges = found.edges
    assert np.isin(edges, s).all()
    assert (found.expected > 0).all()
    assert len(found) <= bins
    below = np.array([w[s < score].sum() for score in np.unique(s)] + [w.sum()])
    for step in range(1, bins):
        goal = w.sum() * step / bins
        nearest = below[np.abs(below - goal).argmin()]
        # With rows on both sides, one of the edges has this many rows below it, or others are as near.
        if 0 < nearest < w.sum():
            own = np.array([w[s < edge].sum() for edge in edges])
            assert np.abs(own - goal).min() == pytest.approx(abs(nearest - goal), abs=1e-9) or not len(own)
    e = np.bincount(np.digitize(expected, edges), weights=w, minlength=len(edges) + 1)
    a = np.bincount(np.digitize(actual, edges), minlength=len(edges) + 1).astype(float)
    check(found, e, a)
    again = rs.scores.population_stability(expected, actual, edges=edges, expected_weight=w if weighted else None)
    assert again == found
    tables = [
        rs.ScoreTable(np.arange(len(c)) % 2, c, pos_label=1, sample_weight=weight)
        for c, weight in ((expected, w if weighted else None), (actual, None))
    ]
    same = rs.scores.population_stability(*tables, bins=bins)
    np.testing.assert_array_equal(same.edges, edges)
    np.testing.assert_allclose(same.contribution, found.contribution, atol=1e-12)


@given(scores, scores, st.integers(1, 12))
def test_uniform_bins(expected, actual, bins):
    assume(len(set(expected)) > 1 or set(expected) == set(actual))  # else it is refused
    found = rs.scores.population_stability(expected, actual, bins=bins, strategy="uniform")
    low, high = min(expected), max(expected)
    if high - low > 1e-6:
        np.testing.assert_allclose(found.edges, np.linspace(low, high, bins + 1)[1:-1], atol=1e-12)
    e = np.bincount(np.digitize(expected, found.edges), minlength=len(found)).astype(float)
    a = np.bincount(np.digitize(actual, found.edges), minlength=len(found)).astype(float)
    check(found, e, a)
    tables = [rs.ScoreTable(np.arange(len(c)) % 2, c, pos_label=1) for c in (expected, actual)]
    assert rs.scores.population_stability(*tables, bins=bins, strategy="uniform") == found


@pytest.mark.parametrize("low", [0.1, 1.0, -2.3, 1e300])
@pytest.mark.parametrize("bins", [10, 100, 65_536])
def test_uniform_bins_of_neighbouring_scores(low, bins):
    """Rounding may turn two edges round; they ascend nevertheless, and every row is counted once."""
    score = [low]
    for _ in range(5):
        score.append(np.nextafter(score[-1], np.inf))
    found = rs.scores.population_stability(score, score, bins=bins, strategy="uniform")
    assert (np.diff(found.edges) > 0).all()
    assert found.expected.sum() == len(score)
    assert found.psi == 0


def test_of_two_scores_as_near_the_greater_one_begins_a_bin_with_weights_too():
    score, weight = [1.0, 2.0, 3.0, 4.0], np.array([0.1, 0.2, 0.2, 0.1])
    for order in ([0, 1, 2, 3], [3, 1, 2, 0]):
        place = np.array(order)
        found = rs.scores.population_stability(np.array(score)[place], [1.0], bins=3, expected_weight=weight[place] * 3)
        whole = rs.scores.population_stability(np.repeat(score, [1, 2, 2, 1]), [1.0], bins=3)
        assert found.edges.tolist() == whole.edges.tolist()


@given(scores, scores)
def test_it_is_symmetric_in_given_bins_and_zero_of_the_same(expected, actual):
    edges = [-1.0, 0.0, 1.5]
    there, back = (
        rs.scores.population_stability(expected, actual, edges=edges),
        rs.scores.population_stability(actual, expected, edges=edges),
    )
    for name in ("psi", "jensen_shannon", "ks", "total_variation", "chi_squared"):
        assert getattr(there, name) == pytest.approx(getattr(back, name), abs=1e-12)
    same = rs.scores.population_stability(expected, expected[::-1])
    assert (same.psi, same.ks, same.total_variation) == (0, 0, 0)
    assert same.interpret() == "stable"


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "int32", "uint8", "bool"])
def test_any_type_and_many_rows(dtype):
    rng = np.random.default_rng(5)
    scale = {"b": 2, "u": 250, "i": 10_000}.get(np.dtype(dtype).kind, 0)
    columns = [rng.beta(2, shape, 300_000) for shape in (3, 3.3)]
    e, a = ((column * scale).astype(dtype) if scale else column.astype(dtype) for column in columns)
    if dtype == "bool":
        e, a = (column > 0.4 for column in columns)
    for bins in (10, 50):
        found = rs.scores.population_stability(e, a, bins=bins)
        expected = [
            np.bincount(np.digitize(column.astype(float), found.edges), minlength=len(found)).astype(float)
            for column in (e, a)
        ]
        check(found, *expected)
        weights = rng.uniform(size=len(a))
        weighted = rs.scores.population_stability(e, a, edges=found.edges, actual_weight=weights)
        sums = np.bincount(np.digitize(a.astype(float), found.edges), weights=weights, minlength=len(found))
        np.testing.assert_allclose(weighted.actual, sums, rtol=1e-10)


def test_rapidstats():
    rapidstats = pytest.importorskip("rapidstats.drift")
    rng = np.random.default_rng(7)
    e, a = rng.normal(size=5_000), rng.normal(0.3, 1.1, size=4_000)
    edges = [-2.0, -1.0, -0.25, 0.5, 1.0, 3.5]
    theirs = rapidstats.psi(e, a, bins=[-100.0, *edges, 100.0])  # its outer edges leave rows out
    assert rs.scores.population_stability(e, a, edges=edges).psi == pytest.approx(theirs, rel=1e-9)
    labels = ["A", "B", "C", "D"]
    e, a = rng.choice(labels[:3], 500), rng.choice(labels, 400, p=[0.5, 0.2, 0.2, 0.1])
    assert rs.scores.category_stability(e, a).psi == pytest.approx(rapidstats.psi(e, a), rel=1e-9)


def test_by_hand():
    # Two bins, 50 % and 50 % against 25 % and 75 %: 0.25 ln 2 + 0.25 ln 1.5 = 0.25 ln 3
    found = rs.scores.population_stability([0, 1, 2, 3], [0, 2, 3, 3], bins=2)
    assert found.psi == pytest.approx(0.25 * math.log(3), abs=1e-15)
    assert found.contribution.tolist() == pytest.approx([0.25 * math.log(2), 0.25 * math.log(1.5)], abs=1e-15)
    assert found.lower.tolist() == [-math.inf, 2]
    assert found.upper.tolist() == [2, math.inf]
    assert found.interpret() == "shifted"
    assert rs.scores.population_stability([0.0], [1.0], edges=[0.5], epsilon=0).psi == math.inf


def test_missing_and_infinite_scores():
    e, a = [0.1, 0.2, 0.3, np.nan], [0.2, np.nan, np.nan, 0.3, 0.3]
    with pytest.raises(rs.InputError, match=r"expected\[3\] is NaN"):
        rs.scores.population_stability(e, a)
    left = rs.scores.population_stability(e, a, bins=3, nan_policy="omit")
    assert left.actual.tolist() == [0, 1, 2]
    apart = rs.scores.population_stability(e, a, bins=3, nan_policy="bin")
    assert apart.expected.tolist() == [1, 1, 1, 1]
    assert apart.actual.tolist() == [0, 1, 2, 2]
    assert math.isnan(apart.lower[-1])
    assert math.isnan(apart.upper[-1])
    np.testing.assert_array_equal(apart.edges, left.edges)
    assert rs.scores.population_stability(e[:3], a, bins=3, nan_policy="bin").expected.tolist() == [1, 1, 1, 0]
    assert len(rs.scores.population_stability(e[:3], e[:3], bins=3, nan_policy="bin")) == 3
    for policy in ("worst", "best"):
        tables = [rs.ScoreTable(np.arange(len(c)) % 2, c, nan_policy=policy) for c in (e, a)]
        assert rs.scores.population_stability(*tables, bins=3) == apart
        uniform = [
            rs.scores.population_stability(*pair, strategy="uniform", bins=2, nan_policy="bin")
            for pair in ((e, a), tables)
        ]
        assert uniform[0] == uniform[1]
        assert uniform[0].edges.tolist() == pytest.approx([0.2])
    with pytest.raises(rs.InputError, match=r"actual\[0\] is inf"):
        rs.scores.population_stability([0.1], [np.inf])
    wide = rs.scores.population_stability([0.1, np.inf, -np.inf, 0.2], [np.inf, 0.1], bins=4, infinite="allow")
    assert wide.actual.tolist() == [0, 1, 0, 1]
    assert wide.edges.tolist() == [0.1, 0.2, math.inf]
    with pytest.raises(rs.InputError, match="uniform"):
        rs.scores.population_stability([0.1, np.inf], [0.1], strategy="uniform", infinite="allow")


def references_of_one_score():
    """Pairs of a reference of one score and other scores, in every form, with the options that go with it."""
    polars, pyarrow, pandas = map(pytest.importorskip, ("polars", "pyarrow", "pandas"))
    for make in (list, tuple, np.array, np.float32, pandas.Series, polars.Series, pyarrow.array):
        yield make([0.5, 0.5]), make([0.25, 0.5]), {}
    yield [7, 7], [7, 8], {}
    yield [0.5, 0.6], [0.5, 0.6], {"expected_weight": [1, 0]}
    for policy in ("omit", "bin"):
        yield [0.5, np.nan], [0.25, np.nan], {"nan_policy": policy}
    yield [np.inf] * 2, [0.5], {"infinite": "allow"}
    yield rs.ScoreTable([0, 1], [0.5, 0.5]), rs.ScoreTable(["a", "b"], [0.5, 0.6]), {}


def test_a_reference_of_one_score_is_refused_as_it_would_always_be_stable():
    for expected, actual, options in references_of_one_score():
        for own in ({}, {"bins": 2}, {"bins": 1}, {"strategy": "uniform"}):
            if own.get("strategy") and {"infinite", "expected_weight"} & set(options):
                continue
            with pytest.raises(
                rs.InputError, match="^expected has one distinct score, .*edges= with the inner"
            ) as refused:
                rs.scores.population_stability(expected, actual, **options, **own)
            assert refused.value.argument == "expected"
        found = rs.scores.population_stability(expected, actual, edges=[0.4, 0.55, 7.5], **options)
        assert found.psi > 0
    same = rs.scores.population_stability([0.5] * 3, [0.5, 0.5])
    assert (same.psi, same.interpret()) == (0, "stable")
    table = rs.ScoreTable([0, 1], [0.5, 0.5])
    assert rs.scores.population_stability(table, table).psi == 0
    assert math.isnan(rs.scores.population_stability([0.5], [0.25], actual_weight=[0]).psi)
    window = rs.Window(days=2)
    window.update("2024-01-01", rs.ScoreTable([0, 1], [0.5, 0.6]))
    with pytest.raises(rs.InputError, match="one distinct score"):
        window.stability(table)
    assert window.stability(table, edges=[0.55]).psi > 0


def test_no_weight_at_all():
    found = rs.scores.population_stability([0.1, 0.2], [0.1], expected_weight=[0, 0])
    for name in ("psi", "jensen_shannon", "ks", "total_variation", "chi_squared", "p_value"):
        assert math.isnan(getattr(found, name)), name
    assert found.interpret() is None


@given(
    st.lists(st.sampled_from(["A", "B", "C"]), min_size=1, max_size=30),
    st.lists(st.sampled_from(["B", "C", "D"]), min_size=1, max_size=30),
)
def test_categories(expected, actual):
    labels = sorted({*expected, *actual})
    e, a = (np.array([column.count(label) for label in labels], float) for column in (expected, actual))
    found = rs.scores.category_stability(expected, actual)
    assert list(found.labels) == labels
    check(found, e, a)
    numbers = rs.scores.category_stability([ord(x) for x in expected], [ord(x) for x in actual])
    assert numbers.psi == found.psi
    weighted = rs.scores.category_stability(expected, actual, expected_weight=np.full(len(expected), 0.5))
    assert weighted.psi == pytest.approx(found.psi, abs=1e-12)
    assert weighted.expected.tolist() == (e / 2).tolist()


def test_results_are_typed_and_travel():
    found = rs.scores.population_stability([0.1, 0.2], [0.3, 0.1])
    assert isinstance(found, rs.results.PopulationStability)
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.to_frame().shape[1] == 8
    assert "PopulationStability of" in repr(found)
    assert isinstance(rs.scores.category_stability([1], [1]), rs.results.CategoryStability)
    assert "stable below" in str(found.scale)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.scores.population_stability([], [1.0]), "expected"),
        (lambda: rs.scores.population_stability([1.0], []), "actual"),
        (lambda: rs.scores.population_stability([1.0], [1.0], bins=0), "bins is 0"),
        (lambda: rs.scores.population_stability([1.0], [1.0], bins="many"), "bins is"),
        (lambda: rs.scores.population_stability([1.0], [1.0], strategy="width"), "strategy is 'width'"),
        (lambda: rs.scores.population_stability([1.0], [1.0], edges=[1, 0]), r"edges\[1\]"),
        (lambda: rs.scores.population_stability([1.0], [1.0], epsilon=-1), "epsilon"),
        (lambda: rs.scores.population_stability([1.0], [1.0], nan_policy="worst"), "nan_policy is 'worst'"),
        (lambda: rs.scores.population_stability([1.0], [1.0], infinite="yes"), "infinite is 'yes'"),
        (lambda: rs.scores.population_stability([1.0], [1.0], actual_weight=[-1]), r"actual_weight\[0\] is -1"),
        (lambda: rs.scores.population_stability([1.0], [1.0], expected_weight=[-1]), r"expected_weight\[0\] is -1"),
        (lambda: rs.scores.population_stability([1.0], [1.0], expected_weight=[1, 2]), "expected_weight has 2 rows"),
        (lambda: rs.scores.population_stability(["a"], [1.0]), "expected"),
        (lambda: rs.scores.population_stability(rs.ScoreTable([0, 1], [1, 2]), [1.0]), "a ScoreTable, as the other is"),
        (
            lambda: rs.scores.population_stability(*[rs.ScoreTable([0, 1], [1, 2])] * 2, actual_weight=[1, 1]),
            "weights of their own",
        ),
        (lambda: rs.scores.population_stability([1], [1], bins=2**70), "1 to 65536"),
        (lambda: rs.scores.population_stability([1], [1], bins=-1), "1 to 65536"),
        (lambda: rs.scores.category_stability(["a"], [1]), "text"),
        (lambda: rs.scores.category_stability(["a", None], ["a"]), r"expected\[1\]"),
        (lambda: rs.scores.category_stability(["a"], ["a"], actual_weight=[1, 1]), "actual_weight has 2 rows"),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(rs.RocksteadyError, match=words):
        call()


def test_each_bin_is_tested_against_the_others():
    rng = np.random.default_rng(9)
    found = rs.scores.population_stability(rng.beta(2, 3, 3000), rng.beta(2.2, 3, 2000), bins=5)
    raw = []
    for expected, actual in zip(found.expected, found.actual, strict=True):
        table = [[expected, 3000 - expected], [actual, 2000 - actual]]
        raw.append(chi2_contingency(table, correction=False).pvalue)
    order = np.argsort(raw)
    holm = np.minimum(np.maximum.accumulate(np.array(raw)[order] * np.arange(5, 0, -1)), 1)
    np.testing.assert_allclose(found.bin_p_value[order], holm, rtol=1e-9)


def test_no_bin_is_tested_alone():
    assert np.isnan(rs.scores.population_stability([1.0, 1.0], [1.0, 1.0]).bin_p_value).all()
    found = rs.scores.category_stability(["a", "b"] * 50, ["a"] * 90 + ["c"] * 10)
    assert found.bin_p_value[1] < 1e-9 < found.bin_p_value[2] < 0.01


def test_bins_of_one_distribution_are_seldom_found_apart():
    rng = np.random.default_rng(10)
    draws = [rs.scores.population_stability(rng.random(500), rng.random(700)).bin_p_value.min() for _ in range(400)]
    assert 0.02 <= np.mean(np.array(draws) < 0.05) <= 0.08

"""Consistency and discriminancy of two indices: against plain loops, published numbers, and our own trial."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError

TRIAL = Path(__file__).parents[1] / "data" / "consistency.json"


def counts_of(found: rs.results.Consistency) -> tuple[int, int, int, int, int]:
    return found.R, found.P, found.Q, found.S, found.none


def loop(pairs, tolerance=(0.0, 0.0)) -> tuple[int, int, int, int, int]:
    """R, P, Q, S and neither over pairs of (f, g), one by one."""
    kinds = dict.fromkeys("RPQSn", 0)
    for (f0, g0), (f1, g1) in pairs:
        f = (f1 - f0 > tolerance[0]) - (f0 - f1 > tolerance[0])
        g = (g1 - g0 > tolerance[1]) - (g0 - g1 > tolerance[1])
        kinds["n" if f == g == 0 else "P" if g == 0 else "Q" if f == 0 else "R" if f == g else "S"] += 1
    return tuple(kinds.values())


values = st.one_of(st.integers(0, 5).map(float), st.integers(0, 30).map(lambda n: n / 10), st.floats(-2, 2))


@given(
    st.lists(st.tuples(values, values), max_size=30),
    st.sampled_from([0.0, 0.1, 1.0]),
    st.sampled_from([0.0, 0.25]),
    st.sampled_from(["steps", "all"]),
)
def test_numbers_are_counted_as_in_a_plain_loop(rows, tolerance_f, tolerance_g, pairs) -> None:
    found = rs.comparison.consistency(
        "accuracy",
        "mcc",
        ([f for f, _ in rows], [g for _, g in rows]) if rows else np.empty((2, 0)),
        pairs=pairs,
        tolerance={"accuracy": tolerance_f, "mcc": tolerance_g},
    )
    expected = itertools.pairwise(rows) if pairs == "steps" else itertools.combinations(rows, 2)
    assert counts_of(found) == loop(expected, (tolerance_f, tolerance_g))
    assert found.skipped == 0


def test_trends_have_the_types_of_the_paper_and_losses_are_flipped() -> None:
    cen, mcc = [0.5, 0.4, 0.3, 0.3, 0.3, 0.4], [0.5, 0.6, 0.6, 0.7, 0.7, 0.8]
    found = rs.comparison.consistency("cen", "mcc", {"svm": (cen, mcc), "knn": (cen[:2], mcc[:2])})
    assert found.trends == {"svm": (1, 2, 3, 4, 5), "knn": (1,)}
    assert counts_of(found) == (2, 1, 1, 1, 1)
    assert (found.c, found.d) == (2 / 3, 1.0)
    unflipped = rs.comparison.consistency("cen", "mcc", (cen, mcc), better={"cen": "higher"})
    assert unflipped.trends == {"evaluations": (5, 2, 3, 4, 1)}


def test_what_is_undefined_is_left_out_and_counted() -> None:
    f, g = [0.1, math.nan, 0.3, 0.4, 0.5], [0.1, 0.2, 0.3, math.nan, 0.5]
    steps = rs.comparison.consistency("accuracy", "mcc", (f, g))
    assert (counts_of(steps), steps.skipped, steps.trends["evaluations"]) == ((0, 0, 0, 0, 0), 4, (0, 0, 0, 0))
    everything = rs.comparison.consistency("accuracy", "mcc", (f, g), pairs="all")
    assert (counts_of(everything), everything.skipped) == ((3, 0, 0, 0, 0), 2)
    # Precision is undefined for the second matrix; MCC is 0 there by convention.
    matrices = [[[5, 5], [2, 8]], [[10, 0], [10, 0]], [[6, 4], [2, 8]]]
    found = rs.comparison.consistency("precision", "mcc", np.array(matrices))
    assert (counts_of(found), found.skipped) == ((0, 0, 0, 0, 0), 2)


def test_degrees_without_pairs_have_reasons() -> None:
    none = rs.comparison.consistency("accuracy", "mcc", ([1, 1], [2, 2]))
    assert math.isnan(none.c)
    assert math.isnan(none.d)
    assert none.why("c") == "accuracy and mcc never both tell a pair apart: R + S = 0."
    assert none.why("d") == "No pair is told apart by one of the indices alone: P = Q = 0."
    finer = rs.comparison.consistency("accuracy", "mcc", ([1, 2, 3], [1, 2, 2]))
    assert (finer.c, finer.d, finer.why("c")) == (1.0, math.inf, None)
    assert finer.verdict == "accuracy is consistent with mcc and more discriminating."
    assert finer.summary().to_dict()["value"] == [1, 1, 0, 0, 0, 1.0, math.inf]
    coarser = rs.comparison.consistency("accuracy", "mcc", ([1, 2, 2], [1, 2, 3]))
    assert coarser.d == 0.0
    assert coarser.verdict == "accuracy is consistent with mcc, which is more discriminating."
    against = rs.comparison.consistency("accuracy", "mcc", ([1, 2, 1, 1], [2, 1, 1, 2]))
    assert "not consistent" in against.verdict
    assert "accuracy against mcc" in repr(against)
    assert "each prefers the other one" in against._repr_html_()


def test_every_shape_of_evaluations_gives_the_same() -> None:
    cells = np.array([[[40, 10], [12, 38]], [[42, 8], [11, 39]], [[44, 6], [11, 39]], [[44, 6], [13, 37]]])
    matrices = [rs.ConfusionMatrix.from_counts(each) for each in cells]
    numbers = np.array([[each["cen"] for each in matrices], [each["f1"] for each in matrices]])
    counts = rs.Counts(tp=cells[:, 1, 1], fp=cells[:, 0, 1], fn=cells[:, 1, 0], tn=cells[:, 0, 0])
    folds = [
        [rs.ConfusionMatrix.from_counts(each // 2), rs.ConfusionMatrix.from_counts(each - each // 2)] for each in cells
    ]
    expected = rs.comparison.consistency("cen", "f1", matrices)
    for evaluations in (
        cells,
        cells.astype(float),
        cells.tolist(),
        tuple(matrices),
        numbers,
        tuple(numbers),
        counts,
        folds,
    ):
        found = rs.comparison.consistency("cen", "f1", evaluations)
        assert found == expected
        everything = rs.comparison.consistency("cen", "f1", evaluations, pairs="all")
        assert sum(counts_of(everything)) == 6
    with_beta = rs.comparison.consistency("fbeta", "f1", matrices, parameters={"fbeta": {"beta": 2}})
    numbers[0] = [each.value("fbeta", beta=2) for each in matrices]
    assert with_beta == rs.comparison.consistency("fbeta", "f1", numbers)


def test_folds_are_summed_or_their_values_averaged() -> None:
    one, other = ([[9, 1], [2, 8]], [[5, 5], [1, 9]]), ([[7, 3], [0, 10]], [[8, 2], [4, 6]])
    folds = [[rs.ConfusionMatrix.from_counts(fold) for fold in each] for each in (one, other)]
    pooled = [each[0] + each[1] for each in folds]
    means = [[sum(fold[name] for fold in each) / 2 for each in folds] for name in ("cen", "mcc")]
    assert rs.comparison.consistency("cen", "mcc", folds) == rs.comparison.consistency("cen", "mcc", pooled)
    assert rs.comparison.consistency("cen", "mcc", folds, aggregate="mean") == rs.comparison.consistency(
        "cen", "mcc", means
    )
    tables = [[rs.ScoreTable([0, 1, 1], [0.1, 0.3, 0.2])], [rs.ScoreTable([0, 1, 1], [0.3, 0.1, 0.2])]]
    # All rows correct, all rows wrong: KS is 1.
    assert rs.comparison.consistency("roc_auc", "ks", tables, aggregate="mean").P == 1
    undefined = [[rs.ConfusionMatrix.from_counts([[5, 0], [5, 0]]), folds[0][0]], folds[1]]
    assert rs.comparison.consistency("precision", "mcc", undefined, aggregate="mean").skipped == 1


def test_comparisons_add_where_they_are_of_the_same_indices() -> None:
    f, g = [0.5, 0.6, 0.6, 0.7], [0.5, 0.6, 0.7, math.nan]
    one = rs.comparison.consistency("accuracy", "mcc", {"svm": (f, g)}, tolerance=0.05)
    other = rs.comparison.consistency("accuracy", "mcc", {"knn": (g, f)}, tolerance=0.2)
    both = one + other
    assert counts_of(both) == tuple(a + b for a, b in zip(counts_of(one), counts_of(other), strict=True))
    assert (both.skipped, both.trends) == (2, {"svm": one.trends["svm"], "knn": other.trends["knn"]})
    assert counts_of(one) == (1, 0, 1, 0, 0)
    with pytest.raises(InputError, match="the curve 'svm' is in both"):
        one + one
    with pytest.raises(
        InputError, match="cannot add mcc against accuracy over steps to accuracy against mcc over steps"
    ):
        one + rs.comparison.consistency("mcc", "accuracy", (f, g))
    with pytest.raises(InputError, match="over all to accuracy"):
        one + rs.comparison.consistency("accuracy", "mcc", (f, g), pairs="all")
    with pytest.raises(TypeError):
        one + 1


@pytest.mark.parametrize(
    ("rows", "c", "d"),
    [
        # The tables of AUC against accuracy of Huang & Ling 2005, and more of the same kind.
        ((2, 2), (9, 0), (5, 0)),
        ((3, 3), (113, 1), (62, 4)),
        ((4, 4), (1459, 34), (762, 52)),
        ((5, 5), (19742, 766), (9416, 618)),
        ((6, 6), None, None),
        ((1, 3), None, None),
        ((2, 6), None, None),
        ((3, 9), None, None),
    ],
)
def test_rankings_are_those_of_a_plain_enumeration(rows, c, d) -> None:
    positives, negatives = rows
    found = rs.comparison.consistency("roc_auc", "accuracy", rs.comparison.enumerate_rankings(positives, negatives))
    points = []
    for places in itertools.combinations(range(positives + negatives), positives):
        # Ranks from the top: each negative above a positive costs one pair.
        auc = positives * negatives - sum(place - before for before, place in enumerate(places))
        right = sum(place < positives for place in places)
        points.append((auc, right))
    everything = loop(itertools.combinations(points, 2))
    assert counts_of(found) == everything
    if c is not None:
        assert [*c, *d] == [found.R, found.S, found.P, found.Q]


def test_the_cut_of_rankings_can_be_moved() -> None:
    rankings = rs.comparison.enumerate_rankings(2, 2, cut=1)
    assert rankings.value("recall").tolist() == [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]
    assert rankings.value("fbeta", beta=2).shape == (6,)
    assert len(rankings) == 6
    assert repr(rankings) == "<6 rankings of 2 positives and 2 negatives, cut at 1>"
    alone = rs.comparison.enumerate_rankings(0, 3)
    assert (alone.rankings.tolist(), math.isnan(alone.value("roc_auc")[0])) == ([[0, 0, 0]], True)


@pytest.mark.parametrize("sizes", [(3, 2), (2, 2, 1)])
def test_matrices_are_all_there_by_matrix_and_by_outcome(sizes) -> None:
    actual = [label for label, size in enumerate(sizes) for _ in range(size)]
    points, seen = [], {}
    for predicted in itertools.product(range(len(sizes)), repeat=len(actual)):
        matrix = rs.ConfusionMatrix(actual, predicted, labels=range(len(sizes)))
        points.append((-round(matrix["cen"], 9), round(matrix["mcc"], 9)))
        seen[matrix.to_array().tobytes()] = points[-1]
    by_outcome = rs.comparison.enumerate_matrices(sizes, each="outcome")
    assert counts_of(rs.comparison.consistency("cen", "mcc", by_outcome)) == loop(itertools.combinations(points, 2))
    assert by_outcome.multiplicity.sum() == len(points)
    by_matrix = rs.comparison.enumerate_matrices(sizes)
    assert {matrix.tobytes() for matrix in by_matrix.matrices} == set(seen)
    assert counts_of(rs.comparison.consistency("cen", "mcc", by_matrix)) == loop(
        itertools.combinations(seen.values(), 2)
    )
    together = rs.comparison.consistency("cen", "mcc", {"once": by_matrix, "again": by_matrix})
    assert sum(counts_of(together)) == math.comb(2 * len(seen), 2)
    assert "confusion matrices of classes of" in repr(by_matrix)


def test_enumerations_that_explode_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="good for 22515590729253376 confusion matrices; expected at most 2000000"):
        rs.comparison.enumerate_matrices([750, 750, 750])
    with pytest.raises(InputError, match="rankings; expected at most 2000000"):
        rs.comparison.enumerate_rankings(50, 50)
    with pytest.raises(InputError, match="at least one row"):
        rs.comparison.enumerate_matrices([0, 0])
    with pytest.raises(InputError, match="at least one row"):
        rs.comparison.enumerate_rankings(0, 0)
    with pytest.raises(InputError, match='else each="matrix"'):
        rs.comparison.enumerate_matrices([60, 10], each="outcome")
    with pytest.raises(InputError, match="expected 'matrix' or 'outcome'"):
        rs.comparison.enumerate_matrices([2, 2], each="once")
    with pytest.raises(InputTypeError, match="expected a whole number"):
        rs.comparison.enumerate_matrices([2.5, 2])
    with pytest.raises(InputError, match=r"expected 0 to 2\*\*63 - 1"):
        rs.comparison.enumerate_matrices([-1, 2])
    with pytest.raises(InputError, match="cut is 5; expected at most 4"):
        rs.comparison.enumerate_rankings(2, 2, cut=5)


@pytest.mark.parametrize(
    ("error", "sentence", "change"),
    [
        (UnknownIndexError, "is not the name of an index", {"f": "acuracy"}),
        (InputError, "neither higher nor lower is better for 'prevalence'", {"f": "prevalence"}),
        (InputError, "expected 'steps' or 'all'", {"pairs": "none"}),
        (InputError, "expected 'pooled' or 'mean'", {"aggregate": "max"}),
        (InputError, "a finite number that is not negative", {"tolerance": -1}),
        (InputError, "a finite number that is not negative", {"tolerance": {"mcc": math.inf}}),
        (InputTypeError, "expected a finite number", {"tolerance": "small"}),
        (InputError, "tolerance names 'cen'", {"tolerance": {"cen": 0.1}}),
        (InputError, "better names 'cen'", {"better": {"cen": "lower"}}),
        (InputError, "expected 'higher' or 'lower'", {"better": {"mcc": "neither"}}),
        (InputError, r"array of shape \(3, 2\)", {"evaluations": [[1, 2], [3, 4], [5, 6]]}),
        (InputError, r"\(N, K, K\)", {"evaluations": np.zeros((2, 2, 3))}),
        (InputError, "rows of different lengths", {"evaluations": ([1, 2], [3, 4, 5])}),
        (InputTypeError, "expected numbers", {"evaluations": (["a"], ["b"])}),
        (InputTypeError, "expected a sequence", {"evaluations": 7}),
        (InputError, "has no folds", {"evaluations": [[rs.ConfusionMatrix([0, 1], [0, 1])], []]}),
        (InputError, "expected 'all'", {"evaluations": rs.comparison.enumerate_rankings(2, 2), "pairs": "steps"}),
        (
            InputError,
            "in one of several",
            {"evaluations": {k: rs.comparison.enumerate_matrices([2], each="outcome") for k in "ab"}},
        ),
        (UnknownIndexError, "all scores together", {"f": "roc_auc", "evaluations": np.ones((2, 2, 2))}),
        (InputError, r"Counts of shape \(\)", {"evaluations": rs.Counts(1, 2, 3, 4)}),
    ],
)
def test_refusals_say_what_was_expected(error, sentence, change) -> None:
    arguments = {"f": "accuracy", "g": "mcc", "evaluations": ([1.0, 2.0], [1.0, 2.0]), **change}
    with pytest.raises(error, match=sentence):
        rs.comparison.consistency(**arguments)


def test_an_index_that_does_not_judge_or_is_not_ours_can_be_given_a_direction() -> None:
    given = ([1, 2, 3], [3, 2, 1])
    assert rs.comparison.consistency("prevalence", "mcc", given, better={"prevalence": "higher"}).S == 2
    assert rs.comparison.consistency("my_loss", "mcc", given, better={"my_loss": "lower"}).R == 2


def _trial(curves: dict, aggregate: str, f: str, g: str, tolerance: float) -> rs.results.Consistency:
    evaluations = {
        name: np.array([each["M"] for each in rows])
        if aggregate == "pooled"
        else [[each["means"][index] for each in rows] for index in (f, g)]
        for name, rows in curves.items()
    }
    return rs.comparison.consistency(f, g, evaluations, tolerance=tolerance)


def test_a_part_of_the_trial_agrees_with_its_own_counts() -> None:
    trial = json.loads(TRIAL.read_text(encoding="utf-8"))
    assert len(trial["expected"]) == 18
    for row in trial["expected"]:
        curves = trial["curves"][row["curves"]]
        found = _trial(curves, row["aggregate"], row["f"], row["g"], row["tolerance"])
        assert counts_of(found) == tuple(row[kind] for kind in ("R", "P", "Q", "S", "none")), row
        assert sum(counts_of(found)) == 80
        assert {len(steps) for steps in found.trends.values()} == {8}


# The published counts of the trial: R, P, Q, S, neither; C and D to three and two digits.
PUBLISHED = [
    ("old", "pooled", 0, "accuracy", (210, 20, 0, 27, 15), 0.886, math.inf),
    ("old", "pooled", 0, "mcc", (218, 1, 0, 38, 15), 0.852, math.inf),
    ("old", "pooled", 0.001, "accuracy", (180, 23, 14, 22, 33), 0.891, 1.64),
    ("old", "pooled", 0.001, "mcc", (189, 11, 18, 25, 29), 0.883, 0.61),
    # Two means of accuracy over folds differ only in their last bits. Tolerance 0 tells them apart: see below.
    ("old", "mean", 1e-12, "accuracy", (206, 4, 0, 62, 0), 0.769, math.inf),
    ("old", "mean", 0, "mcc", (210, 8, 0, 54, 0), 0.795, math.inf),
    ("old", "mean", 0.001, "accuracy", (168, 31, 16, 31, 26), 0.844, 1.94),
    ("old", "mean", 0.001, "mcc", (178, 14, 20, 38, 22), 0.824, 0.70),
    ("modern", "pooled", 0, "accuracy", (211, 26, 0, 23, 12), 0.902, math.inf),
    ("modern", "pooled", 0, "mcc", (225, 1, 0, 34, 12), 0.869, math.inf),
    ("modern", "pooled", 0.001, "accuracy", (176, 22, 14, 13, 47), 0.931, 1.57),
    ("modern", "pooled", 0.001, "mcc", (180, 17, 19, 14, 42), 0.928, 0.89),
    ("modern", "pooled", 0.005, "accuracy", (94, 52, 18, 5, 103), 0.949, 2.89),
    ("modern", "pooled", 0.005, "mcc", (124, 19, 31, 8, 90), 0.939, 0.61),
]


@pytest.fixture(scope="module")
def whole_trial(data: Path) -> dict[str, dict[str, list]]:
    stored = json.loads((data / "doc002_trial.json").read_text(encoding="utf-8"))
    curves: dict[str, dict[str, list]] = {"modern": {}, "old": {}}
    for setting, key in (("modern", "rows"), ("old", "rows_old_defaults")):
        for row in stored[key]:
            means = {"accuracy": row.get("facc"), "mcc": row.get("fmcc"), "cen": row.get("fcen")}
            pooled = {"accuracy": row["acc"], "mcc": row["mcc"], "cen": row["cen"]}
            curve = curves[setting].setdefault(f"{row['data']} {row['clf']}", [])
            curve.append({"M": row["M"], "means": means, "pooled": pooled})
    return curves


@pytest.mark.parametrize(("setting", "aggregate", "tolerance", "g", "expected", "c", "d"), PUBLISHED)
def test_the_whole_trial_agrees_with_what_was_published(
    whole_trial, setting, aggregate, tolerance, g, expected, c, d
) -> None:
    found = _trial(whole_trial[setting], aggregate, "cen", g, tolerance)
    assert counts_of(found) == expected
    assert round(found.c, 3) == c
    assert round(found.d, 2) == d


def test_means_that_differ_in_their_last_bit_only_are_told_apart_at_tolerance_zero(whole_trial) -> None:
    bits = _trial(whole_trial["old"], "mean", "cen", "accuracy", 0)
    assert counts_of(bits) == (207, 2, 0, 63, 0)
    exact = _trial(whole_trial["old"], "mean", "cen", "accuracy", 1e-12)
    places = [
        (name, step)
        for name, kinds in bits.trends.items()
        for step, (kind, other) in enumerate(zip(kinds, exact.trends[name], strict=True))
        if kind != other
    ]
    assert len(places) == 2
    for name, step in places:
        before, after = (whole_trial["old"][name][place]["means"]["accuracy"] for place in (step, step + 1))
        assert 0 < abs(after - before) <= 2 * math.ulp(before)


def test_the_stored_indices_are_ours(whole_trial) -> None:
    for curves in whole_trial.values():
        for rows in curves.values():
            stack = np.array([row["M"] for row in rows])
            for name in ("accuracy", "mcc", "cen"):
                ours = [rs.ConfusionMatrix.from_counts(cells)[name] for cells in stack]
                assert np.allclose(ours, [row["pooled"][name] for row in rows], rtol=1e-12, atol=1e-14)

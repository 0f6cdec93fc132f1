"""Comparison of ACC, MCC and CEN: the numbers of the paper, and those of the example.

Zhang, Liu, Wang, Tian, Comparison of the classifier evaluation indices ACC, MCC and CEN;
docs/papers/accuracy-mcc-confusion-entropy.md.
Tests that need more than the stored confusion matrices are skipped without $ROCKSTEADY_DATA.
"""

from __future__ import annotations

import csv
import gzip
import itertools
import json
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

pytest.importorskip("matplotlib")

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "accuracy_mcc_confusion_entropy.py"
PAGE = ROOT / "docs" / "papers" / "accuracy-mcc-confusion-entropy.md"
if not SCRIPT.exists():
    pytest.skip("a source distribution has no examples/", allow_module_level=True)

sys.path.insert(0, str(SCRIPT.parent))

import accuracy_mcc_confusion_entropy as example


def matrix(cells) -> rs.ConfusionMatrix:
    return rs.ConfusionMatrix.from_counts(cells)


def some_matrices():
    generator = np.random.default_rng(0)
    for classes in (2, 3, 4, 6):
        for _ in range(6):
            yield generator.integers(0, 40, (classes, classes))


@pytest.fixture(scope="module")
def stored():
    return example.load(example.STORED)


def curve_of(stored, setting, name, classifier):
    return example.pooled(stored[setting][name, classifier])


# The indices, as the paper defines them -----------------------------------------------------------------------------------


def test_accuracy_is_the_trace_over_all() -> None:
    for cells in some_matrices():
        assert matrix(cells)["accuracy"] == pytest.approx(np.trace(cells) / cells.sum(), rel=1e-15)


def test_mcc_is_the_sum_over_triples_of_classes() -> None:
    for cells in some_matrices():
        C = cells.T.astype(float)  # the paper's C has the predicted classes in its rows
        classes = range(len(C))
        top = sum(C[k, k] * C[m, q] - C[q, k] * C[k, m] for k in classes for q in classes for m in classes)
        rows = sum(C[k].sum() * (C.sum() - C[k].sum()) for k in classes)
        columns = sum(C[:, k].sum() * (C.sum() - C[:, k].sum()) for k in classes)
        assert matrix(cells)["mcc"] == pytest.approx(top / math.sqrt(rows) / math.sqrt(columns), rel=1e-12, abs=1e-15)


def test_cen_is_what_wei_and_others_define() -> None:
    for cells in some_matrices():
        M, K = cells.astype(float), len(cells)
        s = M.sum(0) + M.sum(1)

        def term(p: float, base: float = 2.0 * (K - 1)) -> float:
            return 0.0 if p == 0 else -p * math.log(p, base)

        of_class = [sum(term(M[j, k] / s[j]) + term(M[k, j] / s[j]) for k in range(K) if k != j) for j in range(K)]
        expected = sum(s[j] / (2 * M.sum()) * of_class[j] for j in range(K))
        assert matrix(cells)["cen"] == pytest.approx(expected, rel=1e-12)
        np.testing.assert_allclose(matrix(cells).every("cen"), of_class, rtol=1e-12)
        assert matrix(cells.T)["cen"] == pytest.approx(expected, rel=1e-12)
        assert matrix(cells[::-1, ::-1])["cen"] == pytest.approx(expected, rel=1e-12)


def test_mcc_is_minus_one_only_where_two_classes_are_exchanged() -> None:
    assert matrix([[0, 6, 0], [4, 0, 0], [0, 0, 0]])["mcc"] == -1.0
    assert matrix([[0, 5, 5], [5, 0, 5], [5, 5, 0]])["mcc"] == pytest.approx(-0.5, rel=1e-15)
    assert matrix([[0, 5, 0], [0, 0, 5], [5, 0, 0]])["mcc"] == pytest.approx(-0.5, rel=1e-15)
    every = rs.comparison.enumerate_matrices([3, 3, 2])
    lowest = every.matrices[every.value("mcc") < -1 + 1e-12]
    assert all(np.count_nonzero(each) == 2 for each in lowest)


def test_mcc_is_zero_in_more_than_the_papers_two_cases() -> None:
    """The paper's error: "in two cases" forgets every matrix whose rows are multiples of one another."""
    one_column, all_equal = matrix([[0, 8, 0], [0, 5, 0], [0, 7, 0]]), matrix([[4, 4, 4]] * 3)
    assert one_column["mcc"] == all_equal["mcc"] == 0.0
    assert one_column.why("mcc") == "All rows are predicted to be of one class."  # 0/0, so 0 by convention
    assert all_equal.why("mcc") is None
    neither = matrix([[2, 4, 6], [1, 2, 3], [3, 6, 9]])
    assert neither["mcc"] == 0.0
    assert neither.why("mcc") is None


def test_the_range_of_cen() -> None:
    """The paper is right: within [0, 1] for three and more classes, and beyond 1 for two."""
    assert matrix([[7, 0, 0], [0, 5, 0], [0, 0, 9]])["cen"] == 0.0
    assert matrix([[0, 5, 5], [5, 0, 5], [5, 5, 0]])["cen"] == pytest.approx(1.0, rel=1e-15)
    assert matrix([[0, 5], [5, 0]])["cen"] == pytest.approx(1.0, rel=1e-15)
    for sizes in ([3, 3, 2], [4, 4, 4], [2, 2, 2, 1]):
        assert rs.comparison.enumerate_matrices(sizes).value("cen").max() <= 1.0 + 1e-12
    two = rs.comparison.enumerate_matrices([60, 60])
    highest = two.value("cen").argmax()
    assert two.value("cen")[highest] == pytest.approx(2 * math.log2(math.e) / math.e, rel=1e-4)
    wrong = two.matrices[highest][0, 1] + two.matrices[highest][1, 0]
    assert wrong / 120 == pytest.approx(2 / math.e, abs=1 / 120)
    assert matrix([[132, 368], [368, 132]])["cen"] == pytest.approx(1.0614757, rel=1e-6)


def test_one_where_errors_are_spread_evenly_needs_that_nothing_is_right() -> None:
    """The paper's "CEN is 1 when the misclassified are spread evenly" leaves that out."""
    assert matrix([[9, 5, 5], [5, 9, 5], [5, 5, 9]])["cen"] < 0.9


def test_absent_classes_count_in_the_base_of_the_logarithm() -> None:
    assert matrix([[8, 2, 0], [1, 9, 0], [0, 0, 0]])["cen"] == pytest.approx(0.27401, abs=5e-6)
    assert matrix([[8, 2], [1, 9]])["cen"] == pytest.approx(0.54802, abs=5e-6)


def test_cen_praises_who_finds_nothing() -> None:
    nothing = matrix([[99, 0], [1, 0]])
    assert (nothing["accuracy"], nothing["mcc"], nothing["balanced_accuracy"]) == (0.99, 0.0, 0.5)
    assert nothing["cen"] == pytest.approx(0.03818, abs=5e-6)
    assert nothing["mcen"] == pytest.approx(0.03322, abs=5e-6)


def test_mcen_is_what_delgado_and_nunez_gonzalez_define() -> None:
    """For two classes its weights do not add up to 1."""
    for cells in some_matrices():
        M, K = cells.astype(float), len(cells)
        s = M.sum(0) + M.sum(1) - M.diagonal()
        total = 2 * M.sum() - (M.trace() if K > 2 else 0)

        def term(p: float, base: float = 2.0 * (K - 1)) -> float:
            return 0.0 if p == 0 else -p * math.log(p, base)

        of_class = [sum(term(M[j, k] / s[j]) + term(M[k, j] / s[j]) for k in range(K) if k != j) for j in range(K)]
        assert matrix(cells)["mcen"] == pytest.approx(sum(s / total * of_class), rel=1e-12)
        assert ((s / total).sum() == pytest.approx(1.0)) == (K > 2)


def test_the_range_of_mcen() -> None:
    """At most 1, for two classes as well."""
    assert matrix([[0, 5], [5, 0]])["mcen"] == pytest.approx(1.0, rel=1e-15)
    assert matrix([[0, 5, 5], [5, 0, 5], [5, 5, 0]])["mcen"] == pytest.approx(1.0, rel=1e-15)
    for sizes in ([60, 60], [3, 3, 2], [2, 2, 2, 1]):
        assert rs.comparison.enumerate_matrices(sizes).value("mcen").max() <= 1.0 + 1e-12


def test_what_one_class_alone_gives() -> None:
    """0/0 again: MCC and CEN are 0, and RCI has no value."""
    alone = matrix([[5, 0], [0, 0]])
    assert (alone["mcc"], matrix([[5]])["cen"]) == (0.0, 0.0)
    assert alone.why("mcc") == "No row is actually positive."
    assert math.isnan(matrix([[5, 5], [0, 0]])["rci"])
    assert matrix([[5, 5], [0, 0]]).why("rci") == "All rows are actually of one class."


def test_micro_f1_is_accuracy() -> None:
    for cells in some_matrices():
        assert matrix(cells).value("f1", average="micro") == pytest.approx(matrix(cells)["accuracy"], rel=1e-15)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        ([[4, 2], [2, 4]], {"cen": 0.861654166907052, "mcen": 2 / 3}),
        ([[5, 0, 0], [0, 10, 0], [0, 300, 0]], {"cen": 0.022168905807495587, "mcc": 0.3012440235352457}),
        ([[1, 3, 0, 0], [9, 1, 0, 0], [0, 0, 100, 0], [0, 0, 0, 200]], {"rci": 0.97856167828}),
        ([[1, 0, 3], [0, 100, 0], [0, 0, 200]], {"rci": 0.92640071504}),
        ([[0, 5, 0], [0, 0, 5], [5, 0, 0]], {"rci": 1.0}),  # all wrong, but in order
    ],
)
def test_published_checks_of_cen_and_its_relatives(cells, values) -> None:
    for name, value in values.items():
        assert matrix(cells)[name] == pytest.approx(value, abs=5e-12), name


def test_the_means_of_probabilities_that_the_paper_mentions(data) -> None:
    golden = json.loads((data / "golden.json").read_text(encoding="utf-8"))["prob_matrix"]
    scores = rs.ScoreTables(golden["y"], golden["P"])
    for name, key in (
        ("macro_average_precision", "map_macro_average_precision_sklearn"),
        ("mean_probability_rate", "mpr_mean_true_class_prob"),
        ("macro_mean_probability_rate", "mapr_macro"),
    ):
        assert scores.value(name) == pytest.approx(golden[key], rel=1e-12)


# The counts that the paper prints -----------------------------------------------------------------------------------------


def test_the_papers_arithmetic_of_c_and_d_is_right() -> None:
    accuracy, mcc = map(example.printed, example.AGAINST)
    assert (accuracy.c, accuracy.d) == (pytest.approx(242 / 294), 6.0)
    assert (mcc.c, mcc.d) == (pytest.approx(233 / 285), 7.0)
    assert (round(accuracy.c, 4), round(mcc.c, 4)) == (0.8231, 0.8175)
    assert accuracy.verdict == "cen is consistent with accuracy and more discriminating."


def test_its_640_results_are_320() -> None:
    """The paper's error: 8 sets by 4 classifiers and 4 by 2 make 40 curves of 8 steps; R, P, Q and S make 301 of these 320."""
    curves = 8 * 4 + 4 * 2
    assert curves == 40
    for against in example.AGAINST:
        found = example.printed(against)
        assert found.R + found.P + found.Q + found.S == 301
        assert found.none == 19
        assert found.R + found.P + found.Q + found.S + found.none == curves * 8 == 640 // 2


def test_svm_on_transfusion_has_a_negative_mcc_and_a_nearly_flat_accuracy(stored) -> None:
    """Reproduced, with the settings that scikit-learn had by default at the time."""
    by_k = dict(enumerate(curve_of(stored, "old", "transfusion", "SVM"), example.FEWEST))
    assert [round(by_k[k]["mcc"], 3) for k in (5, 6, 7, 8)] == [-0.049, -0.045, -0.068, -0.066]
    assert [k for k, each in by_k.items() if each["mcc"] < 0] == [4, 5, 6, 7, 8, 9, 10]
    flat = [by_k[k]["accuracy"] for k in range(5, 11)]
    assert (round(max(flat), 3), round(min(flat), 3)) == (0.709, 0.702)
    assert all(each["mcc"] > 0 for each in curve_of(stored, "new", "transfusion", "SVM"))


def test_accuracy_and_cen_rise_together_on_one_of_the_sets_called_breast_cancer(stored) -> None:
    """From four folds to five with LR: not on the Wisconsin set, but on the one that UCI calls plainly Breast Cancer."""
    four, five = curve_of(stored, "old", "breast_cancer_wisconsin", "LR")[2:4]
    assert [round(each["accuracy"], 4) for each in (four, five)] == [0.9599, 0.9628]
    assert [round(each["cen"], 4) for each in (four, five)] == [0.2224, 0.2104]
    four, five = curve_of(stored, "new", "breast_cancer", "LR")[2:4]
    assert [round(each["accuracy"], 4) for each in (four, five)] == [0.6859, 0.7076]
    assert [round(each["cen"], 4) for each in (four, five)] == [0.7357, 0.7386]
    four, five = curve_of(stored, "old", "breast_cancer", "LR")[2:4]
    assert four["cen"] > five["cen"]


# The experiment, from the stored matrices ---------------------------------------------------------------------------------


def test_the_stored_matrices_are_of_all_curves(stored) -> None:
    for setting in example.SETTINGS:
        curves = stored[setting]
        assert len(curves) == 7 * 4 + 4 * 2
        assert len(example.counted(curves)) == 34
        for folds_by_k in curves.values():
            assert [len(folds) for folds in folds_by_k] == list(range(2, 11))
            assert len({each.total for each in example.pooled(folds_by_k)}) == 1
        found = example.judge(example.counted(curves), "mcc", "pooled", 0)
        assert found.R + found.P + found.Q + found.S + found.none == 272
    assert example.STORED.stat().st_size < 60_000


def test_the_page_tells_the_sizes_of_the_sets(stored) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, data_set in example.SETS.items():
        whole = curve_of(stored, "old", name, data_set.classifiers[0])[0]
        rows = f"{whole.rows} of 58000" if name == "shuttle" else whole.rows
        row = rf"^\| {re.escape(data_set.title)} \| {rows} \| \d+ \| {len(whole.labels)} \|"
        assert re.search(row, page, re.MULTILINE), name


def test_the_numbers_of_the_run(stored) -> None:
    curves = [curve for each in stored.values() for curve in each.values()]
    assert (len(curves), sum(len(folds) for curve in curves for folds in curve)) == (72, 3_888)
    assert sum(range(2, 11)) == 54


def test_how_far_the_indices_move_in_half_of_the_steps(stored) -> None:
    curves = [example.pooled(curve) for curve in example.counted(stored["old"]).values()]
    for index, median in (("mcc", 0.0077), ("cen", 0.0060), ("accuracy", 0.0046)):
        moves = [abs(one[index] - other[index]) for curve in curves for one, other in itertools.pairwise(curve)]
        assert round(float(np.median(moves)), 4) == median


def test_cen_prefers_an_svm_that_calls_everyone_ill(stored) -> None:
    svm, lr = (curve_of(stored, "old", "z_alizadeh_sani", name)[-1] for name in ("SVM", "LR"))
    assert svm.to_array().tolist() == [[216, 0], [87, 0]]
    assert lr.to_array().tolist() == [[195, 21], [23, 64]]
    assert svm["cen"] < lr["cen"]


def test_what_is_stored_can_be_written_again(stored, tmp_path) -> None:
    """The same text. The compressed bytes differ between versions of zlib, but not between two runs of one."""
    again, twice = tmp_path / "again.json.gz", tmp_path / "twice.json.gz"
    example.save(again, stored)
    example.save(twice, stored)
    assert gzip.decompress(again.read_bytes()) == gzip.decompress(example.STORED.read_bytes())
    assert again.read_bytes() == twice.read_bytes()


def test_without_a_tolerance_d_is_infinite_by_construction(stored) -> None:
    """Along a curve CEN cannot tell two matrices apart only where they are equal, up to transposition: then no index can."""
    equal = 0
    for curves in stored.values():
        for against in example.AGAINST:
            found = example.judge(example.counted(curves), against, "pooled", 0)
            assert (found.Q, found.d) == (0, math.inf)
        for curve in curves.values():
            for one, other in itertools.pairwise(example.pooled(curve)):
                if one["cen"] == other["cen"]:
                    equal += 1
                    assert one == other or one == other.transpose()
    assert equal > 20


def test_c_agrees_with_the_paper_and_d_depends_on_the_tolerance(stored) -> None:
    found = {
        (setting, against, aggregate, tolerance): example.judge(example.counted(curves), against, aggregate, tolerance)
        for setting, curves in stored.items()
        for against in example.AGAINST
        for aggregate in ("pooled", "mean")
        for tolerance in example.TOLERANCES
    }
    assert round(min(each.c for each in found.values()), 2) == 0.77
    assert max(each.c for each in found.values()) == 1.0
    exact = {"mean": [], "pooled": []}
    for (_, _, aggregate, tolerance), each in found.items():
        if tolerance == 0:
            exact[aggregate].append(round(each.c, 2))
    assert {aggregate: (min(c), max(c)) for aggregate, c in exact.items()} == {
        "mean": (0.77, 0.81),
        "pooled": (0.85, 0.89),
    }
    d = {
        against: [each.d for (_, g, _, tolerance), each in found.items() if g == against and tolerance]
        for against in example.AGAINST
    }
    assert min(d["accuracy"]) > 1
    assert (min(d["mcc"]), max(d["mcc"])) == (0.5, 1.5)


def test_the_shared_axis_makes_cen_discriminating(stored) -> None:
    """What looks flat on the charts gives the paper's picture; with an axis for each most of it is gone."""
    for curves in map(example.counted, stored.values()):
        shared = [example.judge_by_eye(curves, "mcc", share, own_axis=False).d for share in example.SHARES]
        own = [example.judge_by_eye(curves, "mcc", share, own_axis=True).d for share in example.SHARES]
        assert 2.5 < min(shared) <= max(shared) < 7
        assert 0.55 < min(own) <= max(own) < 2.2
        assert all(here > 1.5 * there for here, there in zip(shared, own, strict=True))
        assert own[-1] < 1
        assert example.judge_by_eye(curves, "accuracy", 0.05, own_axis=False).d > 20


def test_by_eye_with_no_share_is_the_exact_comparison(stored) -> None:
    curves = example.counted(stored["old"])
    by_eye = example.judge_by_eye(curves, "accuracy", 0, own_axis=True)
    exact = example.judge(curves, "accuracy", "pooled", example.ROUNDING)
    assert by_eye.trends == exact.trends
    assert repr(by_eye) == repr(exact)


def test_each_example_of_a_trend_is_one(stored) -> None:
    table = example.trends_table(example.counted(stored["old"]), "accuracy")
    rows = {row[0]: row for row in table}
    assert list(rows) == [1, 2, 3, 4, 5]
    for kind, (cen, accuracy) in {1: (-1, 1), 2: (1, 0), 3: (0, 1), 4: (0, 0), 5: (1, 1)}.items():
        signs = []
        for moved in rows[kind][-2:]:
            before, after = map(float, moved.split(" to "))
            change = after - before
            signs.append(0 if abs(change) < 0.00095 else int(math.copysign(1, change)))
        assert signs in ([cen, accuracy], [-cen, -accuracy]), kind


# Against the earlier trial of the same experiment -------------------------------------------------------------------------

#: The paper's counts R, P, Q, S and neither, of CEN against ACC and against MCC.
TRIAL = [
    ("old", "pooled", 0, (210, 20, 0, 27, 15), (218, 1, 0, 38, 15)),
    ("old", "pooled", 0.001, (180, 23, 14, 22, 33), (189, 11, 18, 25, 29)),
    ("old", "mean", 0, (206, 4, 0, 62, 0), (210, 8, 0, 54, 0)),
    ("old", "mean", 0.001, (168, 31, 16, 31, 26), (178, 14, 20, 38, 22)),
    ("new", "pooled", 0, (211, 26, 0, 23, 12), (225, 1, 0, 34, 12)),
    ("new", "pooled", 0.001, (176, 22, 14, 13, 47), (180, 17, 19, 14, 42)),
    ("new", "pooled", 0.005, (94, 52, 18, 5, 103), (124, 19, 31, 8, 90)),
]
#: There the file has columns that reveal the class, or another order of the columns.
OTHER_DATA = {("old", "LR"), ("new", "SVM"), ("new", "LR")}


@pytest.fixture(scope="module")
def trial(data):
    found = json.loads((data / "doc002_trial.json").read_text(encoding="utf-8"))
    rows = {"new": found["rows"], "old": found["rows_old_defaults"]}
    curves: dict[str, dict] = {setting: {} for setting in rows}
    for setting, each in rows.items():
        for row in each:
            key = (row["data"].removesuffix("_extension"), row["clf"])
            curves[setting].setdefault(key, []).append(row)
    return curves


def test_the_stored_matrices_are_those_of_the_trial(stored, trial) -> None:
    for setting, curves in trial.items():
        for key, rows in curves.items():
            if key[0] == "z_alizadeh_sani" and (setting, key[1]) in OTHER_DATA:
                continue
            ours = [each.to_array().tolist() for each in example.pooled(stored[setting][key])]
            assert ours == [row["M"] for row in rows], (setting, key)
            if setting == "old":
                for index, name in (("accuracy", "facc"), ("mcc", "fmcc"), ("cen", "fcen")):
                    folds = [math.fsum(each[index] for each in folds) / len(folds) for folds in stored[setting][key]]
                    np.testing.assert_allclose(folds, [row[name] for row in rows], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("setting", "aggregate", "tolerance", "accuracy", "mcc"), TRIAL)
def test_the_counts_of_the_trial_come_out(stored, trial, setting, aggregate, tolerance, accuracy, mcc) -> None:
    for against, expected in (("accuracy", accuracy), ("mcc", mcc)):
        ours = dict(example.counted(stored[setting]))
        found = None
        for key in [key for key in ours if key[0] == "z_alizadeh_sani" and (setting, key[1]) in OTHER_DATA]:
            rows = trial[setting][key]
            del ours[key]
            columns = (
                [
                    [row[{"cen": "fcen", "mcc": "fmcc", "accuracy": "facc"}[name]] for row in rows]
                    for name in ("cen", against)
                ]
                if aggregate == "mean"
                else np.array([row["M"] for row in rows])
            )
            allowed = max(tolerance, example.ROUNDING) if aggregate == "mean" else tolerance
            theirs = rs.comparison.consistency("cen", against, {" ".join(key): columns}, tolerance=allowed)
            found = theirs if found is None else found + theirs
        found = example.judge(ours, against, aggregate, tolerance) + found
        assert (found.R, found.P, found.Q, found.S, found.none) == expected


def test_training_gives_what_is_stored(data, stored) -> None:
    names = ["hayes_roth", "seeds"]
    for setting in example.SETTINGS:
        for name in names:
            X, y = example.rows_of(name, data)
            for classifier in ("KNN", "DT"):
                estimator = example.classifier_of(classifier, setting)
                for k in (2, 5):
                    found = example.validate(estimator, X, y, k, shuffle=setting == "new")
                    expected = stored[setting][name, classifier][k - example.FEWEST]
                    assert [each.to_array().tolist() for each in found] == [
                        each.to_array().tolist() for each in expected
                    ]


# The command and the page -------------------------------------------------------------------------------------------------


def test_the_command_writes_charts_and_tables(tmp_path, capsys) -> None:
    names = ["seeds", "transfusion"]
    assert example.main(["--sets", *names, "--settings", "old", "--output", str(tmp_path)]) == 0
    assert "results.md: all tables and pictures" in capsys.readouterr().out
    for name in ("seeds_old", "transfusion_old", "discriminancy"):
        content = (tmp_path / f"{name}.png").read_bytes()
        assert content.startswith(b"\x89PNG")
        assert 5_000 < len(content) < 80_000
    with (tmp_path / "values_old.csv").open(newline="") as file:
        heading, *rows = csv.reader(file)
    assert heading == ["data set", "classifier", "folds", "ACC", "MCC", "CEN"]
    assert len(rows) == (4 + 2) * 9
    assert [row[:3] for row in rows[:2]] == [["seeds", "KNN", "2"], ["seeds", "KNN", "3"]]
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert text.count("| CEN, MCC |") == 1 + 2 * len(example.TOLERANCES) + 2 * len(example.SHARES) + 6


def test_without_data_the_command_trains_on_what_scikit_learn_has(tmp_path, capsys, monkeypatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.delenv("ROCKSTEADY_DATA", raising=False)
    # More folds would test no other code, and training forests takes long.
    command = ["--train", "--settings", "old", "--most-folds", "3", "--output", str(tmp_path)]
    assert example.main(command) == 0
    said = capsys.readouterr().out
    assert "hayes_roth.csv  https://archive.ics.uci.edu/dataset/44/hayes+roth" in said
    assert "Using data sets of scikit-learn instead: iris, wine, breast_cancer_wdbc." in said
    curves = example.load(tmp_path / "matrices.json.gz")["old"]
    assert [len(curve) for curve in curves.values()] == [2] * 10
    assert curves["iris", "KNN"][0][0].total == 75


def test_a_set_without_stored_matrices_is_refused(tmp_path, capsys) -> None:
    with pytest.raises(SystemExit):
        example.main(["--sets", "iris", "--output", str(tmp_path)])
    assert "has no matrices of iris; add --train" in capsys.readouterr().err


def test_matrices_that_are_not_there_are_refused(tmp_path, capsys) -> None:
    with pytest.raises(SystemExit):
        example.main(["--matrices", str(tmp_path / "none.json.gz"), "--output", str(tmp_path)])
    assert "none.json.gz; name another file, or add --train" in capsys.readouterr().err


def test_a_file_of_words_and_gaps_is_read(tmp_path) -> None:
    (tmp_path / "some.csv").write_text("size,colour,label\n1,red,a\n,blue,b\n2.5,red,a\n", encoding="utf-8")
    X, y = example.read(example.find("some", tmp_path))
    np.testing.assert_array_equal(X, [[0, 1, 1], [1, 0, math.nan], [0, 1, 2.5]])
    assert y.tolist() == ["a", "b", "a"]
    assert example.find("other", tmp_path) is None
    with pytest.raises(FileNotFoundError, match=r"there is no other\.csv"):
        example.rows_of("other", tmp_path)


def test_the_page_shows_the_tables_of_the_command(stored) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, (_, table) in example.tables(stored).items():
        if name.startswith("values_") or name in ("trends_accuracy_new", "trends_mcc_new", "best_new"):
            continue
        assert table.to_markdown(4) in page, name


def test_the_charts_are_those_of_the_page(stored) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, _ in stored["old"]:
        setting = "new" if name == "breast_cancer" else "old"
        picture = PAGE.parent / "images" / f"accuracy_mcc_cen_{name}_{setting}.png"
        assert picture.stat().st_size < 80_000
        assert f"images/{picture.name}" in page

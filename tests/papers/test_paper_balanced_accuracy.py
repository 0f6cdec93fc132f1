"""The paper on balanced accuracy for cost-sensitive algorithms: its numbers, its two classifiers, a small experiment.

Yang, Lu, Yan, Ye 2017, doi:10.3969/j.issn.2096-2835.2017.01.016; docs/papers/balanced-accuracy.md explains the paper.
"""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGE = EXAMPLES.parent / "docs" / "papers" / "balanced-accuracy.md"
if not (EXAMPLES / "balanced_accuracy.py").exists():
    pytest.skip("a source distribution has no examples/", allow_module_level=True)
pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(EXAMPLES))
import balanced_accuracy as example
from extreme_learning_machine import CostSensitiveELM, ExtremeLearningMachine, nearest_probabilities, solve


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small matrix products are done sooner than threads have met, on a machine that has others to serve most of all."""
    with threadpool_limits(1):
        yield


# --- numbers printed in the paper


def test_one_positive_and_99_negatives_all_called_negative():
    """Overall accuracy 0.99, accuracy of the minority 0, balanced accuracy 0.5: all three agree."""
    cm = rs.ConfusionMatrix([1] + [0] * 99, [0] * 100)
    assert [cm[name] for name in ("accuracy", "recall", "balanced_accuracy")] == [0.99, 0.0, 0.5]
    # CEN, which is better when lower, rates this classifier as excellent.
    assert [cm[name] for name in ("f1", "mcc", "kappa")] == [0.0, 0.0, 0.0]
    assert np.isnan(cm["precision"])
    assert cm.why("precision") == "No row is predicted positive."
    assert [cm["cen"], cm["mcen"]] == pytest.approx([0.03818, 0.03322], abs=5e-6)


def test_the_cost_of_calling_a_positive_negative_is_that_of_a_false_negative():
    """The paper's Table 1 calls C01 the cost of an "FP", its words make it that of a false negative: the words are right."""
    costs = [[0, 7], [3, 0]]  # rows actual, columns predicted, P before N: C01 = 7, C10 = 3
    labels = ["P", "N"]
    missed = rs.ConfusionMatrix(["P", "N"], ["N", "N"], labels=labels, pos_label="P")
    alarmed = rs.ConfusionMatrix(["P", "N"], ["P", "P"], labels=labels, pos_label="P")
    assert missed.counts().fn.tolist() == [1, 0]
    assert missed.value("cost", matrix=costs) == 7
    assert alarmed.value("cost", matrix=costs) == 3
    both = missed + alarmed
    assert both.value("mean_cost", matrix=costs) == (7 * 1 + 3 * 1) / 4


def test_only_the_ratio_of_the_costs_matters_to_a_decision():
    """Formula (1), the smaller cost taken for 1."""
    probabilities = np.linspace(0, 1, 101)
    scaled, plain = ([[0, 3.0], [30.0, 0]], [[0, 1.0], [10.0, 0]])
    decided = rs.costs.bayes_decision(probabilities, plain)
    np.testing.assert_array_equal(decided, rs.costs.bayes_decision(probabilities, scaled))
    assert rs.costs.optimal_threshold(plain) == pytest.approx(1 / 11, abs=1e-15)
    np.testing.assert_array_equal(decided, (probabilities > 1 / 11).astype(int))


def test_the_threshold_of_least_risk_when_being_right_costs_too():
    """(c_FP - c_TN) / ((c_FP - c_TN) + (c_FN - c_TP)), Elkan 2001."""
    assert rs.costs.optimal_threshold(fp=4, fn=7, tp=1, tn=2) == (4 - 2) / ((4 - 2) + (7 - 1))


@pytest.mark.parametrize("costs", [{"fp": 0, "fn": 1}, {"fp": 1, "fn": 0}, {"fp": 1, "fn": 1, "tn": 1}])
def test_costs_by_which_an_error_is_no_dearer_than_being_right_have_no_threshold(costs):
    """Elkan's condition, which the paper takes for granted."""
    with pytest.raises(rs.InputError, match="cost"):
        rs.costs.optimal_threshold(**costs)


def test_the_threshold_of_least_risk_is_right_for_calibrated_probabilities_only(rocr_simple):
    scores, labels = np.loadtxt(rocr_simple, delimiter=",", skiprows=1, unpack=True)
    table = rs.ScoreTable(labels, scores)
    threshold = rs.costs.optimal_threshold(fp=1, fn=5)
    assert threshold == pytest.approx(1 / 6, abs=1e-15)
    assert table.at(threshold).value("cost", fp=1, fn=5) == 100
    assert table.at(0.5).value("cost", fp=1, fn=5) == 86
    assert table.best("cost", fp=1, fn=5).value == 86


def test_formulas_2_and_3():
    cm = rs.ConfusionMatrix.from_counts([[90, 5], [2, 3]])
    assert cm["accuracy"] == (3 + 90) / (3 + 2 + 5 + 90)
    assert cm["balanced_accuracy"] == pytest.approx((3 / (3 + 2) + 90 / (90 + 5)) / 2, abs=1e-15)
    assert cm["adjusted_balanced_accuracy"] == pytest.approx((cm["balanced_accuracy"] - 1 / 2) / (1 - 1 / 2), abs=1e-15)


def test_formula_4_is_the_mean_of_the_recalls():
    cm = rs.ConfusionMatrix.from_counts([[3, 1, 0], [0, 1, 2], [2, 1, 3]])
    by_hand = (3 / 4 + 1 / 3 + 3 / 6) / 3
    assert cm["balanced_accuracy"] == pytest.approx(by_hand, abs=1e-15)
    assert cm.value("recall", average="macro") == pytest.approx(by_hand, abs=1e-15)
    assert cm["adjusted_balanced_accuracy"] == pytest.approx((by_hand - 1 / 3) / (1 - 1 / 3), abs=1e-15)


def test_formula_4_leaves_a_class_without_samples_out():
    """There the paper's formula is 0/0, of which it says nothing."""
    cm = rs.ConfusionMatrix.from_counts([[8, 2, 0], [1, 9, 0], [0, 0, 0]])
    assert cm["balanced_accuracy"] == pytest.approx((8 / 10 + 9 / 10) / 2, abs=1e-15)


def test_the_positive_class_is_the_smaller_one():
    assert rs.costs.minority_label(["AML"] * 25 + ["ALL"] * 47) == "AML"
    assert rs.costs.minority_label(["a", "b"], tie="b") == "b"
    with pytest.raises(rs.InputError, match="tie"):
        rs.costs.minority_label(["a", "b"])


def test_the_reason_given_for_colon_does_not_fit():
    """Colon's best weight is said to be the smallest "as its two classes differ less in size": Prostate's differ least."""
    sizes = {"prostate": (52, 50), "colon": (40, 22), "leukemia": (47, 25), "lung": (150, 31)}
    ratios = {name: rs.ConfusionMatrix.from_counts(np.diag(size)).class_ratio for name, size in sizes.items()}
    printed = {"prostate": 1.04, "colon": 1.82, "leukemia": 1.88, "lung": 4.84}
    assert ratios == pytest.approx(printed, abs=0.005)
    assert min(ratios, key=ratios.get) == "prostate"


# --- the classifiers


@parametrize_with_checks(
    [ExtremeLearningMachine(), CostSensitiveELM(reading="minimum_risk"), CostSensitiveELM(reading="class_weight")]
)
def test_scikit_learns_checks_of_estimators(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("rows", "nodes"), [(30, 8), (8, 30), (12, 12)])
def test_the_smaller_system_has_the_same_solution(rows, nodes):
    """(I/C + H'SH)^-1 H'SY, and H'(I/C + SHH')^-1 SY."""
    random = np.random.default_rng(0)
    hidden, targets = random.random((rows, nodes)), random.random((rows, 2))
    weights = np.where(random.random(rows) < 0.3, 0.0, random.random(rows) * 5)
    S = np.diag(weights)
    first = np.linalg.inv(np.eye(nodes) / 2 + hidden.T @ S @ hidden) @ hidden.T @ S @ targets
    second = hidden.T @ np.linalg.inv(np.eye(rows) / 2 + S @ hidden @ hidden.T) @ S @ targets
    np.testing.assert_allclose(first, second, atol=1e-9)
    np.testing.assert_allclose(solve(hidden, targets, weights, 2.0), first, atol=1e-9)


def test_without_a_ridge_it_is_the_pseudoinverse():
    """Huang, Zhu and Siew's first form: beta = pinv(H) Y."""
    random = np.random.default_rng(1)
    hidden, targets = random.normal(size=(40, 10)), random.normal(size=(40, 2))
    np.testing.assert_allclose(solve(hidden, targets, np.ones(40), 1e12), np.linalg.pinv(hidden) @ targets, atol=1e-6)


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True)
    return X - X.mean(axis=0), np.array(["setosa", "versicolor", "virginica"])[y]


def test_a_weight_counts_a_row_as_often(flowers):
    X, y = flowers
    weighted = CostSensitiveELM(rs.costs.cost_weight_matrix([1, 3, 1]), "class_weight", random_state=0).fit(X, y)
    often = np.repeat(np.arange(len(y)), np.where(y == "versicolor", 3, 1))
    repeated = ExtremeLearningMachine(random_state=weighted.members_[0].random_state).fit(X[often], y[often])
    np.testing.assert_allclose(weighted.members_[0].output_weights_, repeated.output_weights_, atol=1e-7)
    assert rs.ConfusionMatrix(y, weighted.predict(X))["accuracy"] > 0.9


def test_equal_costs_are_no_costs(flowers):
    X, y = flowers
    weighted = CostSensitiveELM(reading="class_weight", random_state=0).fit(X, y)
    plain = ExtremeLearningMachine(random_state=weighted.members_[0].random_state).fit(X, y)
    np.testing.assert_array_equal(weighted.predict(X), plain.predict(X))
    ensemble = CostSensitiveELM(random_state=0).fit(X, y)
    np.testing.assert_array_equal(ensemble.predict(X), ensemble.classes_[ensemble.predict_proba(X).argmax(axis=1)])


@pytest.mark.parametrize(("given", "expected"), [("balanced", [1 / 60, 1 / 30]), ("golden", [0.618 / 60, 1 / 30])])
def test_weights_that_follow_from_the_sizes(given, expected):
    random = np.random.default_rng(2)
    X, y = random.normal(size=(90, 4)), np.repeat([0, 1], [60, 30])
    named = ExtremeLearningMachine(class_weight=given, random_state=0).fit(X, y)
    spelt = ExtremeLearningMachine(class_weight=dict(enumerate(expected)), random_state=0).fit(X, y)
    np.testing.assert_array_equal(named.output_weights_, spelt.output_weights_)


def test_nearest_probabilities():
    random = np.random.default_rng(3)
    outputs = random.normal(size=(200, 2))
    halves = np.clip((1 + outputs[:, 1] - outputs[:, 0]) / 2, 0, 1)
    np.testing.assert_allclose(nearest_probabilities(outputs)[:, 1], halves, atol=1e-12)
    outputs = random.normal(size=(50, 4))
    found = nearest_probabilities(outputs)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_array_equal(found.argmax(axis=1), outputs.argmax(axis=1))
    others = random.dirichlet(np.ones(4) / 2, size=20_000)
    for row, nearest in zip(outputs, found, strict=True):
        assert ((others - row) ** 2).sum(axis=1).min() >= ((nearest - row) ** 2).sum() - 1e-12


def test_least_risk_is_what_is_predicted(flowers):
    X, y = flowers
    costs = rs.costs.cost_weight_matrix([1, 1, 8])
    model = CostSensitiveELM(costs, members=3, random_state=0).fit(X, y)
    risks = rs.costs.bayes_risk(model.predict_proba(X), costs)
    np.testing.assert_array_equal(model.predict(X), model.classes_[risks.argmin(axis=1)])
    rejecting = CostSensitiveELM(costs, members=3, reject_cost=0.4, random_state=0).fit(X, y)
    answers = rejecting.predict(X)
    rejected = np.array([answer is None for answer in answers])
    np.testing.assert_array_equal(rejected, risks.min(axis=1) > 0.4)
    assert 0 < rejected.sum() < len(y)
    counted = rs.ConfusionMatrix(y, answers, labels=model.classes_, nan_policy="omit")
    assert counted.rows == np.count_nonzero(~rejected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reading": "both"}, "reading is 'both'; expected"),
        ({"costs": [[0, 1], [1, 0]]}, r"costs has shape \(2, 2\); expected \(3, 3\)"),
        ({"reading": "class_weight", "reject_cost": 0.1}, "reject_cost is given; expected None"),
    ],
)
def test_what_cannot_be_meant_is_refused(flowers, options, message):
    with pytest.raises(ValueError, match=message):
        CostSensitiveELM(**options).fit(*flowers)


# --- the experiment


def assert_that_costs_help(every, readings=tuple(example.READINGS)):
    """Never that accuracy must fall: that is a tendency."""
    for runs in every:
        for reading in readings:
            best = runs.pooled(reading, runs.best_weight(reading))
            plain = runs.pooled("class_weight", example.PLAIN)
            assert best["balanced_accuracy"] > plain["balanced_accuracy"], (runs.data.name, reading)


def assert_that_recall_rises(every):
    for runs in every:
        for reading in example.READINGS:
            recalls = [runs.pooled(reading, weight)["recall"] for weight in (example.PLAIN, *example.WEIGHTS)]
            assert sorted(recalls) == recalls, (runs.data.name, reading)
            assert recalls[-1] > recalls[0], (runs.data.name, reading)


def run(sets, splits, *, nested=False):
    return [example.experiment(data, splits, nested=nested, progress=lambda _: None) for data in sets]


@pytest.fixture(scope="module")
def on_stand_ins():
    return run(example.stand_ins(), 5, nested=True)


def test_costs_help_on_the_stand_ins(on_stand_ins):
    assert_that_costs_help(on_stand_ins)
    assert_that_recall_rises(on_stand_ins)
    for runs in on_stand_ins:
        plain = runs.pooled("class_weight", example.PLAIN)
        assert plain["balanced_accuracy"] < plain["accuracy"]
        for kept in runs.rejecting.values():
            assert sum(kept)["accuracy"] > runs.pooled("minimum_risk", example.REJECT_WEIGHT)["accuracy"]


def test_what_is_pooled_is_the_mean_of_the_splits(on_stand_ins):
    for runs in on_stand_ins:
        for (reading, weight), matrices in runs.matrices.items():
            for name in ("accuracy", "balanced_accuracy", "recall"):
                mean = np.mean([matrix[name] for matrix in matrices])
                assert runs.pooled(reading, weight)[name] == pytest.approx(mean, abs=1e-12)


def test_one_command_runs_from_a_fresh_clone(tmp_path):
    command = [sys.executable, str(EXAMPLES / "balanced_accuracy.py"), "--splits", "5", "--quick"]
    environment = {name: value for name, value in os.environ.items() if name != "ROCKSTEADY_DATA"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Missing: prostate, leukemia, lung, colon" in done.stdout
    assert "datamicroarray/raw/master/data" in done.stdout
    assert "stand-in" in done.stdout
    output = tmp_path / "output" / "balanced_accuracy"
    page = (output / "results.md").read_text()
    assert page.startswith(
        "# Accuracy against balanced accuracy, 5 splits into halves: stand-ins, not the paper's data\n"
    )
    figures = sorted(output.glob("*.png"))
    assert [path.name for path in figures] == [
        "figure-2-breast.png",
        "figure-3-breast-thinned.png",
        "figure-6-weights.png",
    ]
    for path in figures:
        assert f"({path.name})" in page
        assert path.read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size < 80_000
    with (output / "table-5.csv").open() as file:
        heading, *rows = csv.reader(file)
    assert heading == ["set", "reading", "no costs", "1.5", "2", "3", "5", "10", "best"]
    for _, _, *values, best in rows:
        by_weight = dict(zip(heading[3:-1], map(float, values[1:]), strict=True))
        assert by_weight[best] == max(by_weight.values())


def test_too_few_splits_are_refused(capsys):
    with pytest.raises(SystemExit):
        example.main(["--splits", "4"])
    assert "--splits is 4; expected at least 5" in capsys.readouterr().err


def test_every_form_of_the_data_is_read(tmp_path):
    random = np.random.default_rng(4)
    X, y = random.normal(size=(6, 3)).astype(np.float32) * 100, np.array([0, 1, 0, 0, 1, 0])
    np.savez(tmp_path / "colon.npz", X=X, y=y, classes=np.array(["t", "n"]))
    lines = [
        ",".join([*map(repr, row), f'"{label}"'])
        for row, label in zip(X.tolist(), np.array(["t", "n"])[y], strict=True)
    ]
    (tmp_path / "lung.csv").write_text("\n".join(['"g 1","g 2","g 3","label"', *lines]))
    (lung, colon), missing = example.gene_expressions(tmp_path)
    assert missing == ["prostate", "leukemia"]
    assert (colon.minority, lung.minority) == ("n", "n")
    np.testing.assert_allclose(colon.X, lung.X, rtol=1e-6)
    np.testing.assert_array_equal(colon.y, lung.y)
    assert colon.X.min() == 0
    np.testing.assert_array_equal(colon.costs(5), [[0, 5], [1, 0]])  # n before t


# --- the paper's own data


@pytest.fixture(scope="module")
def genes(data):
    found, missing = example.gene_expressions(data)
    if missing:
        pytest.skip(f"ROCKSTEADY_DATA has no {', '.join(missing)}")
    splits = {"prostate": 3, "leukemia": 6, "lung": 6, "colon": 12}
    return {each.name: run([each], splits[each.name])[0] for each in found}


def test_the_sets_are_those_of_the_page(genes):
    expected = {
        "prostate": (102, 12600, [50, 52]),
        "leukemia": (72, 7129, [25, 47]),
        "lung": (181, 12533, [31, 150]),
        "colon": (62, 2000, [22, 40]),
    }
    for name, (samples, features, sizes) in expected.items():
        data = genes[name].data
        assert data.X.shape == (samples, features)
        assert sorted(np.unique(data.y, return_counts=True)[1].tolist()) == sizes
        assert np.count_nonzero(data.y == data.minority) == sizes[0]


def test_costs_help_on_lung_leukemia_and_colon(genes):
    unbalanced = [genes[name] for name in ("lung", "leukemia", "colon")]
    assert_that_costs_help(unbalanced)
    for runs in unbalanced:  # as the paper says of the machine without costs
        plain = runs.pooled("class_weight", example.PLAIN)
        assert plain["balanced_accuracy"] < plain["accuracy"]


def test_the_smaller_class_is_found_more_often_the_dearer_it_is(genes):
    assert_that_recall_rises(genes.values())


def test_on_prostate_weights_of_three_and_more_do_harm(genes):
    """Its classes are of one size, so there is nothing to mend."""
    runs = genes["prostate"]
    plain, *_, three, five, ten = (
        runs.pooled("minimum_risk", weight)["balanced_accuracy"] for weight in (example.PLAIN, *example.WEIGHTS)
    )
    assert plain > three > five > ten


def test_the_weighted_machine_agrees_with_another_program(genes, data):
    """An earlier trial in numpy, 50 splits of its own, with the same nodes and ridge."""
    trial = json.loads((data / "doc000_elm_trial.json").read_text())["results"]
    for name, runs in genes.items():
        theirs = trial[f"{name}|{{'G': 0, 'L': 100, 'C': 1.0}}"]
        for weight in (1, 2, 5, 10):
            ours = runs.pooled("class_weight", float(weight))
            for index, value in zip(("accuracy", "balanced_accuracy"), theirs[str(weight)][:2], strict=True):
                assert ours[index] == pytest.approx(value, abs=0.08), (name, weight, index)


def test_the_page_shows_what_the_command_gives(genes):
    """Within the scatter of fewer splits."""
    shown = re.search(r"^\| set \| reading \| no costs \|.*?(?=\n\n)", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert shown is not None
    lines = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in shown[0].splitlines()[2:]]
    assert len(lines) == 2 * len(genes)
    by_name = {with_costs: reading for reading, (_, with_costs) in example.READINGS.items()}
    for title, name, *cells in lines:
        runs = genes[title.lower()]
        for weight, cell in zip((example.PLAIN, *example.WEIGHTS), cells, strict=False):
            value = runs.pooled(by_name[name], weight)["balanced_accuracy"]
            assert value == pytest.approx(float(cell), abs=0.08), (title, name, weight)

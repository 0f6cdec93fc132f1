"""Comparison of several models: values, ranks, the best model and the reason; PyCM's scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import rankdata

import rocksteady as rs
from rocksteady.comparison.comparison import BENCHMARKS
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError


def matrix(*cells, **options) -> rs.ConfusionMatrix:
    return rs.ConfusionMatrix.from_counts(cells, **options)


TWO = {"svm": matrix([50, 8], [5, 37]), "knn": matrix([55, 3], [12, 30]), "rule": matrix([58, 0], [42, 0])}
THREE = {
    "a": matrix([2, 50, 6], [5, 50, 3], [1, 7, 50]),
    "b": matrix([50, 2, 6], [50, 5, 3], [1, 55, 2]),
    "c": matrix([40, 12, 6], [10, 40, 8], [5, 5, 48]),
}


def test_values_and_ranks_are_those_of_the_statistics() -> None:
    found = rs.compare(THREE, ["accuracy", "cen", "error_rate", "mcc"])
    for row in found.rows:
        assert row.values == tuple(each[row.index] for each in THREE.values())
        sign = 1 if rs.index(row.index).better == "lower" else -1
        assert row.ranks == tuple(rankdata([sign * value for value in row.values]))
    assert found.mean_ranks == {
        name: sum(row.ranks[place] for row in found.rows) / 4 for place, name in enumerate("abc")
    }
    assert (found.best_name, found.best_model) == ("c", THREE["c"])
    assert found.sorted == ("c", "a", "b")
    assert found.why == (
        "c is best: mean rank 1.5 over 4 indices, before a (1.75). It leads in accuracy, error_rate and mcc, a in cen."
    )
    assert found.ranking().to_dict()["model"] == ["c", "a", "b"]
    assert found.rank_table().to_dict()["b"] == [3, 2, 3, 3]
    assert found.summary().columns == ("index", "better", "a", "b", "c")
    assert [row.label for row in found.class_rows[:3]] == [0, 1, 2]
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith(found.why)
    plain = found.to_dict()
    assert (plain["best"], plain["indices"][1]["ranks"]["a"], plain["scores"]) == ("c", 1.0, None)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.1 + 0.2, 0.3, 1.0]), min_size=2, max_size=6), st.booleans())
def test_ranks_are_scipys_but_for_rounding(values, lower) -> None:
    # Accuracy is 1 - error rate; 0.1 + 0.2 and 0.3 differ only in their last bit, so they tie.
    from rocksteady.comparison.comparison import _ranks

    expected = rankdata(np.round(values, 9) * (1 if lower else -1))
    assert _ranks(values, lower=lower) == tuple(expected)


def test_no_one_is_best_where_several_share_the_first_place() -> None:
    same = rs.compare({"one": TWO["svm"], "other": TWO["svm"]}, ["accuracy", "recall"])
    assert (same.best_model, same.best_name) == (None, None)
    assert same.why == "None is best: one and other share the lowest mean rank, 1.5 over 2 indices."
    each = rs.compare({"svm": TWO["svm"], "knn": TWO["knn"]}, ["recall", "precision"])
    assert each.best_model is None
    assert each.why.endswith("First alone: svm in recall; knn in precision.")
    weighed = rs.compare({"svm": TWO["svm"], "knn": TWO["knn"]}, ["recall", "precision"], weights={"recall": 2})
    assert weighed.best_name == "svm"
    assert weighed.mean_ranks == {"svm": pytest.approx(4 / 3), "knn": pytest.approx(5 / 3)}
    alone = rs.compare({"svm": TWO["svm"], "knn": TWO["knn"]}, ["recall", "precision"], weights={"precision": 0})
    assert (
        alone.why
        == "svm is best: mean rank 1 over 1 index, before knn (2). No other model is ahead of it in any index."
    )


def test_what_is_undefined_or_does_not_judge_is_shown_and_not_ranked() -> None:
    found = rs.compare(TWO, ["precision", "prevalence", "accuracy"])
    assert found.notes == (
        "precision is not counted: it is undefined for rule.",
        "prevalence is not counted: neither higher nor lower is better.",
    )
    assert math.isnan(found.rows[0].values[2])
    assert [row.ranks is None for row in found.rows] == [True, True, False]
    assert found.best_name == "svm"
    nothing = rs.compare(TWO, ["prevalence"])
    assert (nothing.best_model, nothing.why) == (None, "None is best: no index can rank the models.")
    assert math.isnan(nothing.mean_ranks["svm"])
    assert nothing.ranking().to_dict()["first (of 0)"] == [0, 0, 0]


def test_classes_decide_by_their_weights() -> None:
    weights = {0: 3, 1: 1, 2: 0.5}
    found = rs.compare(THREE, ["recall", "precision", "accuracy"], by_class=True, class_weights=weights)
    expected = {}
    for name in THREE:
        ranks = [
            (weights[label], rankdata([-each.every(index)[label] for each in THREE.values()]))
            for index in ("recall", "precision", "accuracy")
            for label in range(3)
        ]
        place = list(THREE).index(name)
        expected[name] = sum(weight * rank[place] for weight, rank in ranks) / sum(weight for weight, _ in ranks)
    assert found.mean_ranks == pytest.approx(expected)
    assert found.class_summary().to_dict()["index"][:3] == ["recall of 0", "recall of 1", "recall of 2"]
    # An index without a value for the whole matrix is the mean over the classes, by the same weights.
    whole = found.rows[0]
    assert (whole.name, whole.averaged) == ("mean recall", True)
    assert whole.values[0] == THREE["a"].value("recall", average=[3, 1, 0.5])
    assert found.rows[2].name == "accuracy"
    lone = rs.compare(THREE, ["cen"], by_class=True, class_weights={0: 0, 1: 0})
    assert lone.best_name == "a"


def test_tables_of_scores_and_several_statistics_are_compared() -> None:
    y = [0, 0, 1, 1, 0, 1]
    scores = {"p": [0.1, 0.4, 0.35, 0.8, 0.2, 0.9], "q": [0.6, 0.4, 0.35, 0.8, 0.2, 0.3]}
    tables = {name: rs.ScoreTable(y, each) for name, each in scores.items()}
    found = rs.compare(tables)
    assert [row.index for row in found.rows] == ["roc_auc", "average_precision", "ks"]
    assert found.best_name == "p"
    assert found.scores == {}
    both = {
        name: (tables[name], rs.ConfusionMatrix(y, np.array(each) > 0.5), rs.ProbabilitySums(y, each))
        for name, each in scores.items()
    }
    found = rs.compare(both)
    assert [row.index for row in found.rows][:2] == ["accuracy", "balanced_accuracy"]
    assert {"roc_auc", "brier"} < {row.index for row in found.rows}
    assert found.best_model is both["p"]
    beta = rs.compare(both, ["fbeta"], parameters={"fbeta": {"beta": 3}})
    assert beta.rows[0].values[0] == both["p"][1].value("fbeta", beta=3)


def test_models_judged_on_other_rows_are_noted_or_refused() -> None:
    other_sizes = rs.compare({"a": TWO["svm"], "b": matrix([40, 10], [10, 40])})
    assert other_sizes.notes == (
        "The classes differ in size from model to model: the models were not evaluated on the same rows.",
    )
    with pytest.raises(InputError, match=r"models\['b'\] has the total 3; expected 100, as models\['a'\]"):
        rs.compare({"a": TWO["svm"], "b": matrix([1, 1], [1, 0])})
    with pytest.raises(InputError, match=r"has the classes \[1, 2\]; expected \[0, 1\]"):
        rs.compare({"a": TWO["svm"], "b": matrix([50, 8], [5, 37], labels=[1, 2])})
    with pytest.raises(InputError, match="has the positive class 0; expected 1"):
        rs.compare({"a": TWO["svm"], "b": matrix([50, 8], [5, 37], pos_label=0)})
    with pytest.raises(InputTypeError, match="is ScoreTable; expected ConfusionMatrix"):
        rs.compare({"a": TWO["svm"], "b": rs.ScoreTable([0, 1], [0, 1])})


@pytest.mark.parametrize(
    ("error", "sentence", "arguments"),
    [
        (InputTypeError, "expected a mapping", {"models": [TWO["svm"], TWO["knn"]]}),
        (InputError, "expected at least two", {"models": {"svm": TWO["svm"]}}),
        (InputTypeError, "expected a string", {"models": {1: TWO["svm"], 2: TWO["knn"]}}),
        (InputTypeError, "expected a ConfusionMatrix", {"models": {"svm": 1, "knn": 2}}),
        (InputTypeError, "expected a ConfusionMatrix", {"models": {"svm": [], "knn": []}}),
        (UnknownIndexError, "is not the name of an index", {"indices": ["acuracy"]}),
        (UnknownIndexError, "all scores together", {"indices": ["roc_auc"]}),
        (InputError, "expected at least one index", {"indices": []}),
        (InputError, "names 'recall' twice", {"indices": ["tpr", "recall"]}),
        (InputError, "weights names 'mcc'", {"indices": ["f1"], "weights": {"mcc": 1}}),
        (InputError, "not negative", {"weights": {"mcc": -1}}),
        (InputError, "class_weights names 7", {"class_weights": {7: 1}}),
        (InputError, "class_weights are all 0", {"class_weights": {0: 0, 1: 0}}),
        (InputError, "benchmark_weights names 'SOA11'", {"benchmark_weights": {"SOA11": 1}}),
        (InputError, "expected 'ranks' or 'bands'", {"by": "scores"}),
        (
            InputError,
            "or confusion matrices",
            {"models": dict.fromkeys("ab", rs.ScoreTable([0, 1], [0, 1])), "by": "bands"},
        ),
        (
            InputError,
            "an index that classes have",
            {"models": dict.fromkeys("ab", rs.ScoreTable([0, 1], [0, 1])), "by_class": True},
        ),
    ],
)
def test_refusals_say_what_was_expected(error, sentence, arguments) -> None:
    with pytest.raises(error, match=sentence):
        rs.compare(**{"models": TWO, **arguments})


def test_every_benchmark_has_its_index_and_scale() -> None:
    for benchmark in BENCHMARKS:
        assert benchmark.scale in {scale.name for scale in rs.index(benchmark.index).scales}, benchmark.name


def test_scores_by_bands_are_those_of_pycms_own_example() -> None:
    models = {"cm1": THREE["a"], "cm2": THREE["b"]}
    found = rs.compare(models, by="bands")
    # Printed in the documentation of PyCM 4.6's Compare.
    assert found.scores == {"cm1": (0.58095, 0.50278), "cm2": (0.52857, 0.33611)}
    assert found.why == (
        "cm1 is best: it has the highest scores by bands for its classes, 0.50278, and as a whole, 0.58095."
    )
    assert (found.best_name, found.sorted) == ("cm1", ("cm1", "cm2"))
    assert found.ranking().columns == ("model", "class score", "overall score")
    assert found.to_dict()["scores"]["cm2"] == {"overall": 0.52857, "by_class": 0.33611}
    same = rs.compare({"one": THREE["a"], "other": THREE["a"]}, by="bands")
    assert same.why.startswith("None is best: one and other have the same scores by bands, 0.50278 for their classes")
    by_class = rs.compare(models, by="bands", by_class=True)
    assert by_class.why == "cm1 is best: its classes have the highest score by bands, 0.50278."


def _at_an_edge(matrix: rs.ConfusionMatrix) -> bool:
    """Whether a value lies so near to the edge of a band that rounding decides: PyCM's kappa of [[1, 0], [1, 1]] is below 0.4."""
    for benchmark in BENCHMARKS:
        scale = next(scale for scale in rs.index(benchmark.index).scales if scale.name == benchmark.scale)
        whole = [] if benchmark.of_class else [matrix[benchmark.index]]
        values = matrix.every(benchmark.index).tolist() if benchmark.of_class else whole
        exact = (0.0, 1.0) if benchmark.scale in ("lambda", "contingency") else ()  # counts over counts
        if any(abs(value - edge) < 1e-9 for value in values if value not in exact for edge, _ in scale.bands):
            return True
    return False


cells = st.integers(0, 40)


@given(
    st.integers(2, 4).flatmap(
        lambda k: st.lists(
            st.lists(st.lists(cells, min_size=k, max_size=k), min_size=k, max_size=k), min_size=2, max_size=3
        )
    ),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.booleans(),
    st.randoms(use_true_random=False),
)
@pytest.mark.filterwarnings("ignore")
def test_scores_by_bands_are_pycms(tables, class_weights, by_class, random) -> None:
    pycm = pytest.importorskip("pycm")
    arrays = [np.array(table) for table in tables]
    # PyCM compares only models with the same number of rows.
    most = max(array.sum() for array in arrays)
    for array in arrays:
        array[0, 0] += most - array.sum() + 1
    classes = len(arrays[0])
    weights = {label: 1 + class_weights[label] for label in range(classes)}
    matrices = {str(place): rs.ConfusionMatrix.from_counts(array) for place, array in enumerate(arrays)}
    assume(not any(map(_at_an_edge, matrices.values())))
    of_benchmarks = {each.name: float(random.randint(0, 3)) for each in BENCHMARKS}
    of_benchmarks |= {"SOA1": 1.0, "MCCI": 1.0}  # each kind has a weight above 0
    if any(0 in array.sum(axis=axis) for array in arrays for axis in (0, 1)):
        # With an empty margin PyCM has no chi-squared, and no index computed from it. We have both.
        of_benchmarks |= {"SOA5": 0.0, "SOA10": 0.0}
    theirs = pycm.Compare(
        {
            str(place): pycm.ConfusionMatrix(
                matrix={i: {j: int(array[i, j]) for j in range(classes)} for i in range(classes)}
            )
            for place, array in enumerate(arrays)
        },
        by_class=by_class,
        class_weight=weights,
        class_benchmark_weight={each.name: of_benchmarks[each.name] for each in BENCHMARKS if each.of_class},
        overall_benchmark_weight={each.name: of_benchmarks[each.name] for each in BENCHMARKS if not each.of_class},
    )
    ours = rs.compare(
        matrices,
        by="bands",
        by_class=by_class,
        class_weights=weights,
        benchmark_weights=of_benchmarks,
    )
    for name, scores in ours.scores.items():
        assert scores.overall == pytest.approx(float(theirs.scores[name]["overall"]), abs=1e-9)
        assert scores.by_class == pytest.approx(float(theirs.scores[name]["class"]), abs=1e-9)
    assert ours.best_name == theirs.best_name
    assert (ours.best_name is None) == ours.why.startswith("None is best")
    assert [ours.scores[name] for name in ours.sorted] == [ours.scores[name] for name in theirs.sorted]

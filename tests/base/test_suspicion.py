"""Input that is legal but looks like a mistake gets one warning, or is read as it was meant and says so."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady import metrics

PAGE = Path(__file__).parents[2] / "docs" / "positive-class.md"
RNG = np.random.default_rng(0)
Y = np.arange(400) % 2
P = np.clip(Y * 0.3 + RNG.random(400) * 0.7, 0, 1)
FRAUD = np.where(Y == 1, "fraud", "legit")


def rows_of_the_page() -> list[tuple[str, str, bool]]:
    if not PAGE.exists():
        return []
    found = re.findall(r"^\| `(.+?)` \| `(.+?)` \| (.*?)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [(labels, positive, bool(said.strip())) for labels, positive, said in found]


def repeated(labels, pd, pl, pa):
    """The two labels of the page 200 times over, in a column of their own kind."""
    if isinstance(labels, pl.Series):
        return pl.concat([labels] * 200)
    if isinstance(labels, pa.Array):
        return pa.chunked_array([labels] * 200).combine_chunks()
    if isinstance(labels, pd.Categorical):
        return pd.Categorical.from_codes(np.tile(labels.codes, 200), dtype=labels.dtype)
    return labels * 200


def plain(column):
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


def collected(labels):
    collector = rs.ScoreCollector()
    for part in (slice(0, 150), slice(150, 400)):
        collector.update(labels[part], P[part])
    return collector.score_table()


def said_by(call):
    """What a call warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(one.category is rs.RocksteadyWarning and one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


# The positive class -----------------------------------------------------------------------------------------------------


def test_the_page_has_its_table():
    if not PAGE.exists():
        pytest.skip("a source distribution has no docs/")
    assert len(rows_of_the_page()) >= 15


@pytest.mark.parametrize(("labels", "positive", "warns"), rows_of_the_page())
def test_the_positive_class_is_the_one_on_the_page(labels, positive, warns):
    pd, pl, pa = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    given = repeated(eval(labels, {"pd": pd, "pl": pl, "pa": pa}), pd, pl, pa)
    expected = eval(positive)
    scores = np.where([label == expected for label in plain(given)], 0.2, 0.8)  # the wrong way round
    made = (
        rs.evaluate(given, P),
        rs.ScoreTable(given, P),
        rs.ConfusionMatrix(given, given),
        rs.evaluate(given, y_pred=given),
        collected(given),
    )
    for statistic in made:
        assert (statistic.pos_label, type(statistic.pos_label)) == (expected, type(expected))
    assert rs.counts_at(given, P, 0.5) == made[1].at(0.5)
    sums = rs.ProbabilitySums(given, scores)
    assert sums["brier"] == pytest.approx(0.64)
    for read in (
        lambda: rs.evaluate(given, scores)["roc_auc"],
        lambda: rs.evaluate(given, scores).summary(),
        lambda: rs.ScoreTable(given, scores)["roc_auc"],
        lambda: rs.ScoreTable(given, scores).summary(),
    ):
        assert len(said_by(read)) == warns


def test_text_that_was_sorted_is_suspected_once_and_only_below_one_half():
    ev = rs.evaluate(FRAUD, P)
    (sentence,) = said_by(lambda: (ev["roc_auc"], ev["roc_auc"], ev.summary(), ev.models["model"].scores["roc_auc"]))
    assert sentence.startswith("the AUC is 0.1")
    assert sentence.endswith(
        "below 0.5, and 'legit' is the positive class only because it sorts after 'fraud'. If the scores are those of "
        "'fraud', pass pos_label='fraud'"
    )
    assert said_by(lambda: rs.evaluate(FRAUD, 1 - P)["roc_auc"]) == []
    assert said_by(lambda: rs.evaluate(FRAUD, P, pos_label="legit")["roc_auc"]) == []
    assert said_by(lambda: rs.evaluate(Y, 1 - P)["roc_auc"]) == []
    assert said_by(lambda: rs.evaluate(FRAUD, P)["ks"]) == []  # no AUC is computed to warn
    assert len(said_by(lambda: rs.evaluate(FRAUD, P, labels=["fraud", "legit"])["roc_auc"])) == 1
    parts = [rs.ScoreTable(FRAUD[part], P[part]) for part in (slice(0, 150), slice(150, 400))]
    assert len(said_by(lambda: sum(parts)["roc_auc"])) == 1
    assert len(said_by(lambda: collected(FRAUD)["roc_auc"])) == 1


def test_functions_of_scikit_learn_never_suspect():
    pd = pytest.importorskip("pandas")
    ordered = pd.Series(pd.Categorical(np.where(Y == 1, "high", "low"), ["low", "high"], ordered=True))
    shuffled = pd.Series(P).sample(frac=1, random_state=1)
    assert said_by(lambda: metrics.roc_auc_score(FRAUD, P)) == []
    assert said_by(lambda: metrics.roc_auc_score(pd.Series(Y), shuffled)) == []
    assert metrics.roc_auc_score(ordered, P) == metrics.roc_auc_score(np.asarray(ordered), P) < 0.5
    assert metrics.confusion_matrix(ordered, ordered).tolist() == [[200, 0], [0, 200]]


def test_reprs_and_summaries_name_the_positive_class():
    ev = rs.evaluate(FRAUD, P, pos_label="fraud")
    assert repr(ev) == "<rocksteady.Evaluation of model: 400 rows, 2 classes, positive class fraud>"
    assert repr(ev.summary(["f1"])).splitlines()[-1] == "positive class: fraud"
    assert "positive class: fraud" in ev.summary()._repr_html_()
    assert "positive class: &lt;b&gt;" in rs.evaluate(np.where(Y == 1, "<b>", "a"), P, pos_label="<b>")._repr_html_()
    three = rs.evaluate([0, 1, 2], y_pred=[0, 1, 1])
    assert "positive" not in repr(three) + repr(three.summary())


def test_ordered_categories_order_the_matrix():
    pd = pytest.importorskip("pandas")
    levels = ["low", "mid", "high"]
    actual = pd.Series(pd.Categorical(["low", "high", "mid", "low"], levels, ordered=True))
    predicted = ["low", "mid", "mid", "high"]
    assert list(rs.ConfusionMatrix(actual, predicted).labels) == levels
    assert rs.evaluate(actual, y_pred=predicted).labels == tuple(levels)
    assert list(rs.ConfusionMatrix(actual, ["low", "mid", "mid", "none"]).labels) == ["high", "low", "mid", "none"]
    proba = np.full((4, 3), 1 / 3)
    assert rs.evaluate(actual, y_proba=proba).labels == tuple(sorted(levels))  # the columns are in this order
    # Two of three categories occur, and three columns are there: nobody named a positive class, so nothing is refused.
    assert rs.evaluate(actual[[0, 1, 3]], y_proba=proba[:3], labels=levels).labels == tuple(sorted(levels))


def test_a_collector_that_refuses_ordered_categories_stays_as_it_was():
    pd = pytest.importorskip("pandas")
    ordered = pd.Categorical(["low", "high"], ["low", "high"], ordered=True)
    collector = rs.ScoreCollector()
    with pytest.raises(rs.InputError, match="y_score"):
        collector.update(ordered, [0.5, float("nan")])
    collector.update(["low", "high"], [0.1, 0.9])
    assert collector.score_table().pos_label == "low"
    collector.update(ordered, [0.1, 0.9])
    assert (collector.score_table().pos_label, collector.score_table()["roc_auc"]) == ("high", 1.0)


# Probabilities ----------------------------------------------------------------------------------------------------------


def test_two_columns_that_add_up_to_one_are_one_model():
    proba = np.column_stack([1 - P, P])
    expected = rs.evaluate(Y, P)["roc_auc"]
    for given in (proba, proba.tolist(), proba + np.array([5e-7, 0]), proba.astype(np.float32)):
        ev = rs.evaluate(Y, given)
        assert list(ev.models) == ["model"]
        assert ev["roc_auc"] == pytest.approx(expected, abs=1e-4)
        assert repr(ev).endswith("the two columns of y_score were read as probabilities, as their rows add up to 1>")
        assert ev.to_dict()["notes"] == list(ev.notes)
    assert list(rs.evaluate(Y, proba, names=["forest"]).models) == ["forest"]
    assert rs.evaluate(FRAUD, np.column_stack([P, 1 - P]), pos_label="fraud")["roc_auc"] == expected
    for given, names in ((proba + np.array([2e-6, 0]), None), (proba * 2, None), (proba, ["old", "new"])):
        ev = rs.evaluate(Y, given, names=names)
        assert len(ev.models) == 2
        assert ev.notes == ()
    assert rs.evaluate(Y, np.zeros((400, 2), dtype=int)).models.keys() == {"model 1", "model 2"}


def test_the_columns_of_a_plot_are_told_apart_too():
    pytest.importorskip("matplotlib").use("Agg")
    drawn = rs.plot.RocDisplay.from_predictions(Y, np.column_stack([1 - P, P]))
    assert len([line for line in drawn.ax_.lines if len(line.get_xdata()) > 2]) == 1


@pytest.mark.parametrize("form", ["mapping", "pandas", "polars"])
def test_columns_called_as_the_labels_are_probabilities(form):
    columns = {"legit": 1 - P, "fraud": P}
    given = columns if form == "mapping" else pytest.importorskip(form).DataFrame(columns)
    ev = rs.evaluate(FRAUD, given, pos_label="fraud")
    assert ev["roc_auc"] == rs.evaluate(FRAUD, P, pos_label="fraud")["roc_auc"]
    assert "called as the labels" in repr(ev)
    others = {"legit": 1 - P, "forest": P}
    assert list(rs.evaluate(FRAUD, others, pos_label="fraud").models) == ["legit", "forest"]
    three = dict(zip("abc", np.eye(3)[np.arange(400) % 3].T, strict=True))
    assert rs.evaluate(np.array(list("abc"))[np.arange(400) % 3], three)["accuracy"] == 1.0


TEN = RNG.integers(0, 10, 60)
MATRIX = RNG.dirichlet(np.ones(10), 60)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: rs.evaluate(TEN, MATRIX), "y_proba of evaluate, or ScoreTables"),
        (lambda: rs.evaluate(TEN, MATRIX[:, 0]), "y_proba of evaluate, or ScoreTables"),
        (lambda: rs.ScoreTable(TEN, MATRIX), "y_proba of evaluate, or ScoreTables"),
        (
            lambda: rs.ScoreTable(Y, np.column_stack([1 - P, P])),
            "y_proba of evaluate, or take the column of the positive",
        ),
        (lambda: rs.ScoreTables(Y, P), "y_score of evaluate, or ScoreTable"),
        (lambda: rs.ScoreTables(MATRIX > 0.1, MATRIX), "LabelScoreTables"),
        (lambda: rs.ConfusionMatrix(Y, P), "y_score or y_proba of evaluate, or ScoreTable"),
        (lambda: rs.ConfusionMatrix(TEN, MATRIX), "y_score or y_proba of evaluate, or ScoreTable"),
        (lambda: rs.ConfusionMatrix(MATRIX > 0.1, MATRIX > 0.2), "LabelScoreTables"),
        (lambda: rs.evaluate(Y, y_pred=P), "y_score or y_proba of evaluate, or ScoreTable"),
        (lambda: rs.evaluate(FRAUD, FRAUD), "for predicted classes use y_pred of evaluate, or ConfusionMatrix"),
        (lambda: rs.evaluate(P, Y), "y_true and y_score may have changed places"),
        (lambda: rs.counts_at(P, Y, 0.5), "y_true and y_score may have changed places"),
        (lambda: rs.ProbabilitySums(Y, np.column_stack([1 - P, P])), "y_proba of evaluate"),
    ],
)
def test_a_refusal_names_what_would_have_been_right(call, hint):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=re.escape(hint)) as refused:
        call()
    assert refused.value.argument in ("y_true", "y_score", "y_pred", "y_proba")


# Rows that do not belong together ---------------------------------------------------------------------------------------


def test_the_same_index_labels_in_another_order_are_suspected():
    pd = pytest.importorskip("pandas")
    labels, scores = pd.Series(Y), pd.Series(P).sample(frac=1, random_state=1)
    expected = rs.evaluate(Y, P)["roc_auc"]
    by_position = rs.ScoreTable(Y, scores.to_numpy())["roc_auc"]
    sentence = (
        "y_score has the index labels of y_true in another order, and rows are taken by position. If they belong "
        "together by label, pass align=True"
    )
    for call in (
        lambda: rs.evaluate(labels, scores)["roc_auc"],
        lambda: rs.ScoreTable(labels, scores)["roc_auc"],
    ):
        assert said_by(call) == [sentence]
    for call in (  # which have no align=
        lambda: rs.counts_at(labels, scores, 0.5),
        lambda: rs.ProbabilitySums(labels, scores),
        lambda: rs.ScoreCollector().update(labels, scores),
        lambda: rs.plot.RocDisplay.from_predictions(labels, scores),
    ):
        remedy = "bring them into one order first, as by reindex(y_true.index)"
        assert said_by(call) == [sentence.replace("pass align=True", remedy)]
    assert said_by(lambda: rs.ConfusionMatrix(labels, scores > 0.5)) == [sentence.replace("y_score", "y_pred")]
    with pytest.warns(rs.RocksteadyWarning):
        assert rs.evaluate(labels, scores)["roc_auc"] == by_position != expected
    weights = pd.Series(1.0, index=scores.index)
    assert said_by(lambda: rs.evaluate(labels, scores, sample_weight=weights)) == [
        sentence.replace("y_score has", "y_score and sample_weight have")
    ]
    for statistic in (
        rs.evaluate(labels, scores, align=True, sample_weight=weights),
        rs.evaluate(labels, pd.DataFrame({"only": scores}), align=True),
        rs.ScoreTable(labels, scores, align=True),
    ):
        assert statistic["roc_auc"] == expected
    assert rs.ConfusionMatrix(labels, (scores > 0.5).astype(int), align=True)["accuracy"] == np.mean((P > 0.5) == Y)


def test_indexes_that_say_nothing_are_not_suspected():
    pd = pytest.importorskip("pandas")
    labels = pd.Series(Y)
    for scores in (pd.Series(P), pd.Series(P, index=np.arange(400) + 1000), P, pd.Series(P, index=["x"] * 400)):
        assert said_by(lambda scores=scores: rs.evaluate(labels, scores)["roc_auc"]) == []
    mixed = pd.Series(P, index=[*range(399), "x"])
    assert said_by(lambda: rs.evaluate(labels, mixed)) == []


def test_aligning_refuses_what_it_cannot_align():
    pd = pytest.importorskip("pandas")
    labels = pd.Series(Y)
    with pytest.raises(rs.InputError, match=r"y_score has the index label 'x' twice; expected each once"):
        rs.evaluate(labels, pd.Series(P, index=["x"] * 400), align=True)
    with pytest.raises(rs.InputError, match=r"y_score has 400 rows, none of which has the index label 0"):
        rs.evaluate(labels, pd.Series(P, index=np.arange(400) + 1000), align=True)
    with pytest.raises(rs.InputError, match=r"y_true has 399 rows, none of which has the index label 399"):
        rs.evaluate(labels[:399], pd.Series(P), align=True)
    with pytest.raises(
        rs.InputTypeError, match="y_true is .*expected a pandas Series, as align=True goes by its index"
    ):
        rs.evaluate(Y, pd.Series(P), align=True)
    with pytest.raises(rs.InputTypeError, match="align is 'yes'; expected True or False"):
        rs.evaluate(labels, P, align="yes")


def test_frames_that_are_queries_are_refused():
    pl = pytest.importorskip("polars")
    lazy = pl.LazyFrame({"score": P})
    expected = r"is a polars LazyFrame, whose rows are not in memory; expected a column in memory: call \.collect\(\)"
    for call in (lambda: rs.evaluate(Y, lazy), lambda: rs.ScoreTable(lazy, P), lambda: rs.ScoreTables(Y, lazy)):
        with pytest.raises(rs.InputTypeError, match=expected):
            call()


def test_dask_is_refused():
    frames, arrays = pytest.importorskip("dask.dataframe"), pytest.importorskip("dask.array")
    pd = pytest.importorskip("pandas")
    frame = frames.from_pandas(pd.DataFrame({"label": Y, "score": P}), npartitions=2)
    matrix = arrays.from_array(np.column_stack([1 - P, P]))
    for call in (
        lambda: rs.evaluate(frame["label"], frame["score"]),
        lambda: rs.evaluate(Y, frame),
        lambda: rs.evaluate(Y, y_proba=matrix),
        lambda: rs.ScoreTable(Y, matrix[:, 1]),
        lambda: rs.evaluate(frame["label"], P, nan_policy="omit"),
    ):
        with pytest.raises(rs.InputTypeError, match=r"is a Dask \w+, whose rows are not in memory.*call \.compute\(\)"):
            call()


# Missing values ---------------------------------------------------------------------------------------------------------


def with_gaps(form):
    """Labels and two models' scores with a gap in rows 3, 5 and 9."""
    labels: list[object] = Y.tolist()
    labels[3] = None
    old, new = P.copy(), P[::-1].copy()
    old[5], new[9] = np.nan, np.nan
    frame = {"old": old, "new": new}
    if form == "lists":
        return labels, {name: [None if score != score else score for score in column] for name, column in frame.items()}
    if form == "numpy":
        return np.array(labels, dtype=object), np.column_stack(list(frame.values()))
    if form == "masked":
        return np.ma.MaskedArray(Y, mask=np.arange(400) == 3), frame
    if form == "pandas":
        pd = pytest.importorskip("pandas")
        return pd.Series(labels, dtype="Int64"), pd.DataFrame(frame)
    if form == "polars":
        pl = pytest.importorskip("polars")
        return pl.Series(labels), pl.DataFrame(frame).with_columns(pl.col("new").fill_nan(None))
    pa = pytest.importorskip("pyarrow")
    return pa.chunked_array([pa.array(labels[:100]), pa.array(labels[100:])]), pa.table(frame)


@pytest.mark.parametrize("form", ["lists", "numpy", "masked", "pandas", "polars", "arrow"])
def test_rows_with_a_gap_in_any_model_are_left_out(form):
    labels, scores = with_gaps(form)
    kept = np.setdiff1d(np.arange(400), [3, 5, 9])
    weights = np.arange(400) / 7 + 1
    ev = rs.evaluate(labels, scores, nan_policy="omit", sample_weight=weights)
    expected = rs.evaluate(Y[kept], np.column_stack([P, P[::-1]])[kept], sample_weight=weights[kept])
    assert (ev.rows, ev.rows_left_out) == (397, 3)
    assert list(ev["roc_auc"].values()) == list(expected["roc_auc"].values())
    assert "397 rows (3 left out)" in repr(ev)
    assert ev.to_dict()["rows_left_out"] == 3
    with pytest.raises(rs.InputError, match=r"y_true\[3\]|y_score\['?(old|model 1)'?\]\[5\]"):
        rs.evaluate(labels, scores)


def test_missing_labels_and_classes_of_other_kinds():
    pd = pytest.importorskip("pandas")
    for labels in (
        pd.Categorical([None, *FRAUD[1:]]),
        pd.Series([None, *FRAUD[1:]], dtype="string"),
        [None, *FRAUD[1:].tolist()],
        np.array([pd.NA, *FRAUD[1:]], dtype=object),
    ):
        ev = rs.evaluate(labels, P, nan_policy="omit", pos_label="fraud")
        assert (ev.rows, ev.rows_left_out) == (399, 1)
        assert ev["roc_auc"] == rs.evaluate(FRAUD[1:], P[1:], pos_label="fraud")["roc_auc"]
        predicted = rs.evaluate(FRAUD, y_pred=labels, nan_policy="omit")
        assert (predicted.rows, predicted["accuracy"]) == (399, 1.0)
        assert rs.ScoreTable(labels, P, nan_policy="omit").rows == 399
    proba = np.column_stack([1 - P, P])
    proba[7, 0] = np.nan
    assert rs.evaluate(Y, y_proba=proba, nan_policy="omit").rows_left_out == 1
    assert rs.evaluate(Y, P, nan_policy="omit").rows_left_out == 0


def test_missing_scores_may_be_ranked():
    gaps = P.copy()
    gaps[:10] = np.nan
    for policy in ("worst", "best"):
        ev = rs.evaluate(Y, gaps, nan_policy=policy)
        assert ev["roc_auc"] == rs.ScoreTable(Y, gaps, nan_policy=policy)["roc_auc"]
        assert (ev.rows, ev.rows_left_out) == (400, 0)
    with pytest.raises(rs.InputError, match="y_true"):
        rs.evaluate([None, *Y[1:].tolist()], P, nan_policy="worst")
    with pytest.raises(rs.InputError, match="nan_policy is 'drop'; expected 'raise', 'omit', 'worst' or 'best'"):
        rs.evaluate(Y, P, nan_policy="drop")


def test_columns_of_other_lengths_are_still_refused():
    with pytest.raises(rs.InputError, match=r"y_score has 399 rows"):
        rs.evaluate([None, *Y[1:].tolist()], P[1:], nan_policy="omit")
    with pytest.raises(rs.InputError, match=r"sample_weight has 3 rows"):
        rs.evaluate([None, *Y[1:].tolist()], P, sample_weight=[1, 2, 3], nan_policy="omit")


# Conditions -------------------------------------------------------------------------------------------------------------


def test_a_condition_that_nothing_meets_is_said_once():
    table, ev = rs.ScoreTable(Y, P), rs.evaluate(Y, P)
    impossible = "precision > 2"
    for call in (
        lambda: table.best("recall", subject_to=impossible),
        lambda: table.best("recall", subject_to=impossible, all=True),
        lambda: ev.best("recall", subject_to=impossible),
    ):
        (sentence,) = said_by(call)
        assert sentence == "no threshold qualifies; why_no_best('recall', subject_to='precision > 2') says why"
    assert ev.why_no_best("recall", subject_to=impossible) is not None
    (sentence,) = said_by(lambda: table.target("precision", at_least=2))
    assert sentence == "no threshold qualifies; why_no_best('recall', subject_to='precision >= 2') says why"
    assert eval(f"table.{sentence.split('; ')[1].removesuffix(' says why')}") is not None
    assert said_by(lambda: (table.best("f1"), table.target("recall", at_least=0.5))) == []
    assert said_by(lambda: rs.ScoreTable([1, 1], [0.2, 0.3]).best("mcc")) == []  # no condition


# Found by people who tried ----------------------------------------------------------------------------------------------


def test_columns_of_probabilities_in_the_other_order_are_suspected_whatever_is_positive():
    proba = np.column_stack([1 - P, P])  # of a model of 0 and 1, whose classes are called otherwise here
    for options in ({}, {"pos_label": "fraud"}):
        for call in (
            lambda options=options: rs.evaluate(FRAUD, y_proba=proba, **options)["roc_auc"],
            lambda options=options: rs.evaluate(FRAUD, proba, **options).summary(),
        ):
            (sentence,) = said_by(call)
            assert sentence.endswith(
                "the columns of y_proba were taken as those of 'fraud' and 'legit', in this order. If they are in the "
                "other order, pass labels=['legit', 'fraud']"
            )
    cured = rs.evaluate(FRAUD, y_proba=proba, labels=["legit", "fraud"], pos_label="fraud")
    assert said_by(lambda: cured["roc_auc"]) == []
    assert cured["roc_auc"] > 0.8
    assert said_by(lambda: rs.evaluate(Y, y_proba=proba[:, ::-1])["roc_auc"]) == []  # numbers have one order


def test_a_negative_gini_is_an_auc_below_one_half():
    ev = rs.evaluate(FRAUD, P)
    (sentence,) = said_by(lambda: (ev["gini"], ev["roc_auc"]))
    assert sentence.startswith(f"the AUC is {rs.ScoreTable(Y, 1 - P)['roc_auc']:.3g}, below 0.5")


def test_two_columns_with_gaps_or_of_few_bits_are_told_apart():
    proba = np.column_stack([1 - P, P])
    gaps = proba.copy()
    gaps[[3, 70]] = np.nan
    assert list(rs.evaluate(Y, gaps, nan_policy="omit").models) == ["model"]
    assert list(rs.evaluate(Y, proba.astype(np.float16)).models) == ["model"]
    assert len(rs.evaluate(Y, np.full((400, 2), np.nan), nan_policy="worst").models) == 2


def test_one_evaluation_has_one_order_of_classes():
    for pos_label in ("fraud", "legit"):
        ev = rs.evaluate(FRAUD, P, pos_label=pos_label, threshold=0.3)
        confusion = ev.models["model"].confusion
        for matrix in (ev.at(0.3).matrix(), rs.ScoreTable(FRAUD, P, pos_label=pos_label).at(0.3).matrix()):
            assert matrix == confusion
            assert list(matrix.labels) == ["fraud", "legit"]
            assert matrix.pos_label == pos_label
    pd = pytest.importorskip("pandas")
    levels = pd.Categorical(np.where(Y == 1, "high", "low"), ["low", "high"], ordered=True)
    assert list(rs.evaluate(levels, P).at(0.5).matrix().labels) == ["low", "high"]


def test_a_gap_is_refused_with_the_cure():
    gaps = P.copy()
    gaps[3] = np.nan
    for call in (lambda: rs.ScoreTable(Y, gaps), lambda: rs.ConfusionMatrix([0, None], [0, 1])):
        with pytest.raises(rs.InputError, match=re.escape("(nan_policy='omit' leaves such rows out)")):
            call()
    with pytest.raises(rs.InputError, match="each of the 2 rows has a missing value"):
        rs.evaluate([None, None], [0.1, 0.2], nan_policy="omit")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_frames_go_by_name(library):
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    labels = {"a": [1, 0, 1, 0], "b": [1, 1, 0, 0]}
    scores = {"b": [0.9, 0.8, 0.1, 0.2], "a": [0.9, 0.1, 0.8, 0.2]}
    assert rs.evaluate(make(labels), make(scores))["roc_auc"] == 1.0
    assert rs.evaluate(make(labels), y_pred=make({"b": labels["b"], "a": labels["a"]}))["f1"] == 1.0
    assert rs.LabelScoreTables(make(labels), make(scores)).value("roc_auc", average="macro") == 1.0
    assert rs.LabelScoreTables(np.array(list(labels.values())).T, make(scores), labels=["a", "b"])["roc_auc"] == 1.0
    proba = dict(zip("cab", (np.eye(3)[[0, 1, 2] * 2] * 0.8 + 0.06)[:, [2, 0, 1]].T, strict=True))
    assert rs.ScoreTables(list("abcabc"), make(proba))["one_vs_rest_auc"] == 1.0
    assert rs.ScoreTables(list("abcabc"), make(proba), labels=list("abc"))["one_vs_rest_auc"] == 1.0


def test_rows_of_several_labels_in_another_order_are_suspected():
    pd = pytest.importorskip("pandas")
    labels, scores = pd.DataFrame({"a": Y, "b": 1 - Y}), pd.DataFrame({"a": P, "b": 1 - P})
    (sentence,) = said_by(lambda: rs.evaluate(labels, scores.iloc[::-1]))
    assert sentence.startswith("y_score has the index labels of y_true in another order")
    assert rs.evaluate(labels, scores.iloc[::-1], align=True)["roc_auc"] == rs.evaluate(labels, scores)["roc_auc"]


def test_the_name_of_a_model_is_no_index():
    ev = rs.evaluate(Y, {"gb": P, "lr": 1 - P})
    with pytest.raises(rs.UnknownIndexError, match=r"'gb' is a model, not an index; models\['gb'\] has its indices"):
        _ = ev["gb"]
    assert set(rs.evaluate(Y, {"f1": P, "lr": 1 - P})["f1"]) == {"f1", "lr"}


def test_a_class_that_does_not_occur_is_named_as_labels():
    with pytest.raises(rs.InputError, match=re.escape("(pass labels= if a class does not occur in y_true)")):
        rs.evaluate([0, 1, 1], y_proba=np.full((3, 3), 1 / 3))
    assert rs.evaluate([0, 1, 1], y_proba=np.full((3, 3), 1 / 3), labels=[0, 1, 2]).labels == (0, 1, 2)

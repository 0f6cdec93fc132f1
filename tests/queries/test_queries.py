"""Rankings by query: values of trec_eval, ranx and scikit-learn; keys, shards, bytes, weights, intervals, refusals."""

import datetime as dt
import gzip
import math
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats
import sklearn.metrics

import rocksteady as rs

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
NAMES = [row.name for row in rs.indices(form="queries")]

# Measures of trec_eval, each with the index and its parameters here.
TREC_EVAL = {
    "P_5": ("precision_at_k", {"k": 5}),
    "P_10": ("precision_at_k", {}),
    "recall_5": ("recall_at_k", {"k": 5}),
    "success_1": ("hit_rate_at_k", {"k": 1}),
    "success_5": ("hit_rate_at_k", {"k": 5}),
    "map": ("map", {}),
    "map_cut_5": ("map", {"k": 5}),
    "Rprec": ("r_precision", {}),
    "bpref": ("bpref", {}),
    "recip_rank": ("reciprocal_rank", {}),
    "ndcg": ("ndcg", {}),
    "ndcg_cut_5": ("ndcg", {"k": 5}),
    "11pt_avg": ("11pt_avg", {}),
    **{f"iprec_at_recall_{tenth / 10:.2f}": ("iprec_at_recall", {"recall": tenth / 10}) for tenth in range(11)},
}
FAMILIES = (
    "P",
    "recall",
    "success",
    "map",
    "map_cut",
    "Rprec",
    "bpref",
    "recip_rank",
    "ndcg",
    "ndcg_cut",
    "iprec_at_recall",
    "11pt_avg",
)

# Those of ranx. Its rank-biased precision multiplies by the relevance, so it is compared for relevance 0 and 1.
RANX = {
    "precision@5": ("precision@5", {}),
    "recall@5": ("recall@5", {}),
    "f1@5": ("f1@5", {}),
    "hit_rate@5": ("hit_rate@5", {}),
    "map": ("map", {}),
    "map@5": ("map@5", {}),
    "mrr": ("mrr", {}),
    "mrr@3": ("mrr@3", {}),
    "ndcg": ("ndcg", {}),
    "ndcg_burges@5": ("ndcg@5", {"gain": "exponential"}),
    "dcg@5": ("dcg@5", {}),
    "r-precision": ("r_precision", {}),
    "precision@5-l2": ("precision@5", {"min_relevance": 2}),
    "bpref": ("bpref", {}),
}


def random_run(rng, *, tied):
    """Judgements and a run: some documents are not judged, some judged ones not retrieved."""
    qrels, run = {}, {}
    for query in range(int(rng.integers(2, 6))):
        size = int(rng.integers(2, 40))
        documents = [f"d{document}" for document in rng.permutation(100)[:size]]
        grades = rng.choice(4, size=size, p=[0.6, 0.2, 0.1, 0.1]).tolist()
        judged = {document: grade for document, grade in zip(documents, grades, strict=True) if rng.random() < 0.8}
        missed = {f"e{place}": int(rng.integers(0, 3)) for place in range(int(rng.integers(0, 4)))}
        qrels[f"q{query}"] = {**judged, documents[0]: int(rng.integers(1, 3)), documents[1]: 0, **missed}
        scores = rng.integers(0, 12, size) / 3 if tied else rng.random(size)
        run[f"q{query}"] = dict(zip(documents, scores.tolist(), strict=True))
    return qrels, run


def ragged(rng, queries=40, most=12, *, levels=5):
    sizes = rng.integers(1, most, queries)
    query = np.repeat(np.arange(queries), sizes)
    relevance = rng.integers(0, 4, len(query)) * rng.integers(0, 2, len(query))
    return relevance, rng.integers(0, levels, len(query)) / 4, query


# Other packages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(200 if THOROUGH else 25))
def test_values_are_those_of_trec_eval(seed):
    pytrec_eval = pytest.importorskip(
        "pytrec_eval", reason="pytrec-eval-terrier is not installed; see golden/retrieval.json"
    )
    qrels, run = random_run(np.random.default_rng(seed), tied=seed % 2 == 0)
    expected = pytrec_eval.RelevanceEvaluator(qrels, set(FAMILIES)).evaluate(run)
    q = rs.Queries.from_run(qrels, run, ties="trec_eval")
    keys = q.keys["query"].tolist()
    for measure, (name, parameters) in TREC_EVAL.items():
        theirs = [expected[key][measure] for key in keys]
        np.testing.assert_allclose(
            q.every(name, empty=0, **parameters), theirs, rtol=1e-12, atol=1e-14, err_msg=measure
        )
        assert q.value(name, empty=0, **parameters) == pytest.approx(np.mean(theirs), rel=1e-12, abs=1e-14)


def test_scores_are_rounded_as_in_trec_eval():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1 + 1e-12, "b": 1.0}}
    assert rs.Queries.from_run(qrels, run)["mrr"] == 1
    assert rs.Queries.from_run(qrels, run, ties="trec_eval")["mrr"] == 0.5
    beyond = rs.Queries.from_run(qrels, {"q": {"a": 1e300, "b": 1e40}}, ties="trec_eval")
    assert beyond["mrr"] == 0.5
    assert rs.Queries.from_bytes(beyond.to_bytes()) == beyond


@pytest.mark.parametrize("seed", range(40 if THOROUGH else 6))
def test_values_are_those_of_ranx(seed):
    ranx = pytest.importorskip("ranx", reason="ranx is not installed; see golden/retrieval.json")
    qrels, run = random_run(np.random.default_rng(seed), tied=seed % 2 == 0)
    theirs = ranx.Run(run)
    # Its sort is not stable, so the order of tied documents is taken from it.
    ordered = {query: {document: run[query][document] for document in theirs.run[query]} for query in run}
    q = rs.Queries.from_run(qrels, ordered, ties="stable")
    for measure, (name, parameters) in RANX.items():
        expected = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(ordered) if seed % 2 else theirs, measure)
        assert q.value(name, empty=0, **parameters) == pytest.approx(expected, rel=1e-12), measure


@pytest.mark.parametrize("k", [None, 1, 3, 100])
def test_ndcg_of_ragged_lists_is_that_of_scikit_learn(k):
    relevance, score, query = ragged(np.random.default_rng(3), 100)
    q = rs.Queries(relevance, score, query)
    values = zip(q.every("ndcg", k=k, empty=0), q.every("dcg", k=k), strict=True)
    for place, (gain, cumulated) in enumerate(values):
        rows = query == place
        if rows.sum() > 1:  # scikit-learn refuses lists of one row
            theirs = [
                function([relevance[rows]], [score[rows]], k=k)
                for function in (sklearn.metrics.ndcg_score, sklearn.metrics.dcg_score)
            ]
            assert [gain, cumulated] == pytest.approx(theirs, abs=1e-14)


def test_queries_of_one_length_have_the_ndcg_of_metrics():
    rng = np.random.default_rng(4)
    relevance, score = rng.integers(0, 3, (50, 7)), rng.integers(0, 4, (50, 7)) / 2
    q = rs.Queries(relevance.ravel(), score.ravel(), np.repeat(np.arange(50), 7))
    assert q.value("ndcg", k=5, empty=0) == pytest.approx(rs.metrics.ndcg_score(relevance, score, k=5), rel=1e-14)


def test_average_precision_of_untied_lists_is_that_of_scikit_learn():
    rng = np.random.default_rng(5)
    query, relevance, score = rng.integers(0, 20, 300), rng.integers(0, 2, 300), rng.permutation(300)
    q = rs.Queries(relevance, score, query)
    for place, value in enumerate(q.every("map")):
        rows = query == place
        if relevance[rows].any():
            assert value == pytest.approx(
                sklearn.metrics.average_precision_score(relevance[rows], score[rows]), rel=1e-13
            )


# Definitions ------------------------------------------------------------------------------------------------------------


def test_ties_take_all_orders():
    # The relevant row is first, second or third.
    q = rs.Queries([1, 0, 0], [5, 5, 5], [1, 1, 1])
    assert q["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert q["hit_rate@1"] == pytest.approx(1 / 3)
    assert q["precision@2"] == pytest.approx(1 / 3)
    assert q.value("interpolated_precision", recall=1) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    stable = rs.Queries([1, 0, 0], [5, 5, 5], [1, 1, 1], ties="stable")
    assert [stable["mrr"], stable["hit_rate@1"], stable["precision@2"]] == [1, 1, 0.5]
    by_document = rs.Queries([1, 0, 0], [5, 5, 5], [1, 1, 1], document=["a", "b", "c"], ties="trec_eval")
    assert by_document["mrr"] == 1 / 3


def test_three_denominators_of_average_precision():
    q = rs.Queries([1, 0, 0, 1], [4, 3, 2, 1], [1] * 4)
    values = [q.value("map@2", denominator=by) for by in ("relevant", "min", "hits")]
    assert values == [0.5, 0.5, 1.0]
    many = rs.Queries([1, 0, 0, 1, 1], [5, 4, 3, 2, 1], [1] * 5)
    assert [many.value("map@2", denominator=by) for by in ("relevant", "min", "hits")] == [1 / 3, 0.5, 1]


def test_too_many_ties_are_a_reason_for_one_index_only():
    rows = 1000
    q = rs.Queries(np.arange(rows) % 2, np.zeros(rows), np.zeros(rows))
    assert math.isnan(q["interpolated_precision"])
    assert "ties=" in q.why("interpolated_precision")
    assert all(
        q.why(name) is None for name in set(NAMES) - {"interpolated_precision", "eleven_point_average_precision"}
    )


def test_unjudged_rows_keep_their_places():
    relevance = [None, 1, -1, 0, 1]
    q = rs.Queries(relevance, [5, 4, 3, 2, 1], ["q"] * 5)
    assert q["mrr"] == 0.5
    assert q["bpref"] == pytest.approx((1 + 0) / 2)
    assert q["ndcg"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(6)) / (1 + 1 / math.log2(3)))
    for same in (
        pd.array([pd.NA, 1, -1, 0, 1], dtype="Int64"),
        np.array([np.nan, 1, np.nan, 0, 1]),
        np.ma.masked_less([-5, 1, -1, 0, 1], 0),
    ):
        assert rs.Queries(same, [5, 4, 3, 2, 1], ["q"] * 5) == q


def test_rows_that_were_not_retrieved_count_as_relevant():
    q = rs.Queries([1, 0, 1], [0.5, 0.4, np.nan], [1, 1, 1], nan_policy="not_retrieved")
    assert q["recall@2"] == 0.5
    assert q["map"] == 0.5
    assert q["ndcg"] == pytest.approx(1 / (1 + 1 / math.log2(3)))
    with pytest.raises(rs.InputError, match="not_retrieved"):
        rs.Queries([1, 0, 1], [0.5, 0.4, np.nan], [1, 1, 1])
    nothing = rs.Queries([1], [np.nan], [1], nan_policy="not_retrieved")
    of_samples = ("pass_at_k", "pass_hat_k", "best_of_k")  # which no order can leave out
    ranked = [name for name in NAMES if name not in of_samples]
    assert {name: nothing.value(name, empty=0) for name in ranked} == dict.fromkeys(ranked, 0)
    assert {name: nothing.value(name) for name in of_samples} == dict.fromkeys(of_samples, 1)


@pytest.mark.parametrize("name", NAMES)
def test_every_index_has_a_mean_of_its_values(name):
    relevance, score, query = ragged(np.random.default_rng(6))
    q = rs.Queries(relevance, score, query)
    values = q.every(name)
    low, high = rs.index(name).low, rs.index(name).high
    defined = values[~np.isnan(values)]
    assert ((defined >= low) & (defined <= high)).all()
    assert q[name] == pytest.approx(defined.mean(), rel=1e-14)
    assert sum(q.reasons(name).values()) == np.isnan(values).sum()
    assert q.value(name, empty=0.25) == pytest.approx(np.where(np.isnan(values), 0.25, values).mean(), rel=1e-14)


# Keys, order, shards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [
        [3, 1, 1, 3, 2],
        ["c", "a", "a", "c", "b"],
        [2.5, -1.0, -1.0, 2.5, 0.5],
        [None, "a", "a", None, "b"],
        [math.nan, 1.5, 1.5, math.nan, 2.0],
        [dt.date(2024, 5, 3), dt.date(2020, 1, 1), dt.date(2020, 1, 1), dt.date(2024, 5, 3), dt.date(2022, 1, 1)],
        pd.Categorical(["c", "a", "a", "c", "b"], ordered=True),
        [["x", "a", "a", "x", "a"], [2, 1, 1, 2, 7]],
        pd.DataFrame({"user": [9, 1, 1, 9, 1], "day": ["m", "m", "m", "m", "n"]}),
        [None, False, False, None, True],
    ],
    ids=["int", "text", "float", "missing text", "nan", "date", "category", "columns", "frame", "bool"],
)
def test_keys_of_any_kind(keys):
    relevance, score = [1, 0, 1, 1, 0], [0.1, 0.9, 0.3, 0.2, 0.5]
    q = rs.Queries(relevance, score, keys)
    # Rows 1 and 2 are the first query, row 4 the second, rows 0 and 3 the last.
    np.testing.assert_array_equal(q.every("mrr"), [0.5, math.nan, 1.0])
    table = q.query_summary("mrr")
    assert [row[-3:-1] for row in table] == [(2, 1), (1, 0), (2, 2)]
    assert (q + q).query_summary("dcg").to_dict()["rows"] == [4, 2, 4]
    assert "3 queries" in repr(q)
    assert "<table>" in q._repr_html_()


@pytest.mark.parametrize("ties", ["expected", "trec_eval", "stable"])
def test_shards_add_up(ties):
    rng = np.random.default_rng(7)
    relevance, score, query = ragged(rng, 60)
    document = np.array([f"d{place}" for place in rng.permutation(len(query))])
    order = rng.permutation(len(query))
    relevance, score, query, document = relevance[order], score[order], query[order], document[order]

    def of(rows):
        documents = document[rows] if ties == "trec_eval" else None
        return rs.Queries(relevance[rows], score[rows], query[rows], document=documents, ties=ties)

    whole = of(np.arange(len(query)))
    parts = [of(rows) for rows in np.array_split(np.arange(len(query)), 7)]
    assert sum(parts) == whole
    assert sum(parts).to_bytes() == whole.to_bytes()
    assert sum(parts, of(slice(0, 0))) == whole
    if ties != "stable":
        assert sum(parts[::-1]) == whole
        turned = rng.permutation(len(query))
        assert of(turned) == whole
    for name in NAMES:
        assert sum(parts).value(name, empty=0) == whole.value(name, empty=0)


def test_statistics_that_do_not_go_together():
    plain = rs.Queries([1, 0], [2, 1], [1, 1])
    for other, words in (
        (rs.Queries([1, 0], [2, 1], [1, 1], ties="stable"), 'ties are "expected" in one and "stable" in the other'),
        (rs.Queries([1, 0], [2, 1], [1, 1], query_weight=[2, 2]), "weights in one only"),
        (rs.Queries([1, 0], [2, 1], ["a", "a"]), "cannot add"),
    ):
        with pytest.raises(rs.InputError, match=words):
            plain + other
    weighted = [rs.Queries([1, 0], [2, 1], [1, 1], query_weight=[w, w]) for w in (2, 3)]
    with pytest.raises(rs.InputError, match="weighs 2 in one and 3 in the other"):
        weighted[0] + weighted[1]
    with pytest.raises(TypeError):
        plain + 1
    assert plain != 1


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u8", ">i4", "bool"])
def test_types_of_scores_and_relevance(dtype):
    rng = np.random.default_rng(9)
    score, relevance = rng.integers(0, 2, 50).astype(dtype), rng.integers(0, 2, 50).astype(dtype)
    query = rng.integers(0, 5, 50)
    expected = rs.Queries(relevance.astype(float), score.astype(float), query)
    assert rs.Queries(relevance, score, query) == expected
    assert rs.Queries(relevance[::-1], score[::-1], query[::-1]) == expected
    assert rs.Queries(relevance.tolist(), score.tolist(), query.tolist()) == expected


def test_threads_change_no_bit():
    program = (
        "import numpy as np, rocksteady as rs; rng = np.random.default_rng(1); n = 400_000;"
        "q = rs.Queries(rng.integers(0, 4, n), rng.integers(0, 50, n), rng.integers(0, 200_000, n));"
        "print([q.value(name).hex() for name in ('ndcg', 'map', 'mrr', 'err_at_k', 'bpref')])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "ROCKSTEADY_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "3")
    }
    assert len(found) == 1


# Sizes ------------------------------------------------------------------------------------------------------------------


def test_no_rows_and_one_row():
    none = rs.Queries([], [], [])
    assert (len(none), none.rows) == (0, 0)
    assert math.isnan(none["ndcg"])
    assert none.why("ndcg") == "There are no rows, or all weigh nothing."
    assert none.query_summary("ndcg").rows == ()
    one = rs.Queries([1], [0.5], ["q"])
    assert {one.value(name) for name in ("ndcg", "map", "mrr", "r_precision", "bpref", "recall_at_k")} == {1.0}


def test_many_queries_of_one_row_and_one_of_many_rows():
    rows = 1_000_000
    relevance = np.arange(rows) % 2
    each = rs.Queries(relevance, np.zeros(rows), np.arange(rows))
    assert len(each) == rows
    assert each["precision@1"] == 0.5
    assert each.reasons("mrr") == {"No row of the query is relevant.": rows // 2}
    rows = 10_000_000 if THOROUGH else 300_000
    one = rs.Queries(np.arange(rows) % 2, np.arange(rows)[::-1], np.zeros(rows, dtype=np.int8))
    assert one["mrr"] == 0.5
    assert one["precision@1000"] == 0.5
    assert one.value("ndcg@2") == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))
    tied = rs.Queries(relevance[:100_000], np.zeros(100_000), np.zeros(100_000))
    assert tied["map"] == pytest.approx(0.5, abs=1e-3)
    assert tied["precision@7"] == 0.5


# Weights, what is left out, intervals -----------------------------------------------------------------------------------


def test_weights_of_queries():
    rng = np.random.default_rng(10)
    relevance, score, query = ragged(rng)
    weights = rng.random(40)
    q = rs.Queries(relevance, score, query, query_weight=weights[query])
    values = q.every("map")
    counts = ~np.isnan(values)
    assert q["map"] == pytest.approx(np.average(values[counts], weights=weights[counts]), rel=1e-13)
    found = q.interval("map")
    mean, n = q["map"], counts.sum()
    spread = (weights[counts] * (values[counts] - mean)) ** 2
    error = math.sqrt(n / (n - 1) * spread.sum()) / weights[counts].sum()
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    assert "weight" in q.query_summary("map").columns
    nothing = rs.Queries(relevance, score, query, query_weight=np.zeros(len(query)))
    assert math.isnan(nothing["map"])
    assert nothing.why("map") == "No query has a value to average."


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_intervals_of_means(level):
    relevance, score, query = ragged(np.random.default_rng(11))
    q = rs.Queries(relevance, score, query)
    values = q.every("reciprocal_rank", k=3)
    values = values[~np.isnan(values)]
    error = scipy.stats.sem(values)
    for method, bounds in (
        ("t", scipy.stats.t.interval(level, len(values) - 1, values.mean(), error)),
        ("normal", scipy.stats.norm.interval(level, values.mean(), error)),
    ):
        found = q.interval("reciprocal_rank", k=3, level=level, method=method)
        assert (found.estimate, found.method) == (q.value("reciprocal_rank", k=3), method)
        assert (found.low, found.high) == pytest.approx(bounds, rel=1e-12)
        assert found.standard_error == pytest.approx(error, rel=1e-13)
    lower = q.interval("mrr@3", level=level, side="lower")
    assert lower.low == pytest.approx(values.mean() - scipy.stats.t.ppf(level, len(values) - 1) * error, rel=1e-10)
    assert lower.high == 1


def test_an_interval_needs_two_queries():
    one = rs.Queries([0, 1], [2, 1], [1, 1]).interval("mrr")
    assert one.estimate == 0.5
    assert math.isnan(one.low)
    assert one.why == "All rows count alike, so the sample does not show how the value scatters."
    none = rs.Queries([0, 0], [2, 1], [1, 1]).interval("mrr")
    assert none.why == "No row of the query is relevant."
    with pytest.raises(rs.InputError, match="level is 2"):
        rs.Queries([1, 0], [2, 1], [1, 1]).interval("mrr", level=2)


def test_a_share_of_queries_has_wilsons_interval():
    y = [1] * 12 + [0] * 3
    for weight in (None, [2.0] * 15):
        q = rs.Queries(y, [1] * 15, range(15), query_weight=weight)
        found = q.interval("hit_rate_at_k", empty=0)
        expected = scipy.stats.binomtest(12, 15).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
        assert found.method == "wilson"
    perfect = rs.Queries([1] * 15, [1] * 15, range(15))
    assert perfect.interval("hit_rate_at_k").low == pytest.approx(0.796, abs=1e-3)
    assert perfect.interval("hit_rate_at_k", method="t").why.startswith("All rows count alike")


def runs(n=40, seed=0):
    """Two runs of the same queries, the second one in another order of rows."""
    rng = np.random.default_rng(seed)
    query = np.repeat(np.arange(n), 6)
    relevance = rng.integers(0, 3, 6 * n)
    order = rng.permutation(6 * n)
    noise = rng.normal(size=(2, 6 * n))
    own = rs.Queries(relevance, relevance + 1.5 * noise[0], query)
    other = rs.Queries(relevance[order], (relevance + 2 * noise[1])[order], query[order])
    return own, other


@pytest.mark.parametrize("name", ["ndcg", "mrr@3", "precision@2"])
def test_two_runs_are_compared_by_students_paired_test(name):
    own, other = runs()
    found = own.difference(other, name, level=0.9)
    expected = scipy.stats.ttest_rel(own.every(name), other.every(name), nan_policy="omit")
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)
    interval = expected.confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-12)
    back = other.difference(own, name, level=0.9)
    assert (back.estimate, back.p_value) == pytest.approx((-found.estimate, found.p_value), rel=1e-12)


def permuted(own, other, name, n_resamples=9999):
    difference = own.every(name) - other.every(name)
    pairs = (difference[~np.isnan(difference)],)
    mean = {"statistic": np.mean, "permutation_type": "samples", "n_resamples": n_resamples}
    return scipy.stats.permutation_test(pairs, rng=np.random.default_rng(0), **mean).pvalue


def test_two_runs_are_compared_by_fishers_randomization():
    own, other = runs(12)
    found = own.difference(other, "ndcg", method="randomization")
    assert found.p_value == pytest.approx(permuted(own, other, "ndcg"), rel=1e-12)  # all 4,096 ways
    own, other = runs(40)
    found = own.difference(other, "ndcg", method="randomization", random_state=7)
    assert found.p_value == pytest.approx(permuted(own, other, "ndcg"), abs=0.02)
    again = own.difference(other, "ndcg", method="randomization", random_state=7)
    assert (again.p_value, found.method) == (found.p_value, "randomization")
    assert own.difference(own, "ndcg", method="randomization").p_value == 1


def test_runs_that_do_not_go_together_are_refused():
    own = runs(3)[0]
    with pytest.raises(rs.InputError, match="6 queries that are in one run only; expected the same queries in both"):
        own.difference(rs.Queries([1] * 3, [1] * 3, [7, 8, 9]), "ndcg")
    weighted = [rs.Queries([1] * 3, [1] * 3, [1, 2, 3], query_weight=[1, 1, w]) for w in (1, 2)]
    with pytest.raises(rs.InputError, match="another weight of query number 2"):
        weighted[0].difference(weighted[1], "ndcg")
    with pytest.raises(rs.InputTypeError, match="other"):
        own.difference(3, "ndcg")
    equal = own.difference(own, "ndcg")
    assert (equal.estimate, equal.p_value) == (0, 1)
    assert equal.why.startswith("The two are equal")
    one = rs.Queries([0, 1], [2, 1], [1, 1])
    assert one.difference(one, "mrr").why == "Fewer than two queries have a value in both runs."


def test_queries_without_a_value_are_counted():
    q = rs.Queries([0, 0, 1, 1, 0], [1, 2, 3, 4, 5], [1, 1, 2, 2, 3])
    assert q["map"] == 1
    assert q.value("map", empty=0) == pytest.approx(1 / 3)
    assert q.reasons("map") == {"No row of the query is relevant.": 2}
    assert q.reasons("fall_out_at_k") == {"All rows of the query are relevant.": 1}
    assert q.reasons("dcg") == {}
    assert q.query_summary("map").note == "2 of 3 queries have no value: No row of the query is relevant."
    assert q.query_summary("map", empty=0).to_dict()["value"] == [0, 1, 0]


# Names and refusals -----------------------------------------------------------------------------------------------------


def test_names():
    q = rs.Queries([1, 0, 1, 0], [4, 3, 2, 1], [1] * 4)
    for name, row in (
        ("precision", "precision_at_k"),
        ("recall", "recall_at_k"),
        ("f1", "f1_at_k"),
        ("map", "average_precision_at_k"),
        ("mean_average_precision", "average_precision_at_k"),
        ("average_precision", "average_precision_at_k"),
        ("r_precision", "retrieval_r_precision"),
        ("hit_rate", "hit_rate_at_k"),
        ("fallout", "fall_out_at_k"),
        ("success", "hit_rate_at_k"),
        ("MRR", "reciprocal_rank"),
        ("RetrievalNormalizedDCG", "ndcg"),
        ("err", "expected_reciprocal_rank"),
    ):
        assert q[name] == q[row]
    assert q["NDCG@2"] == q.value("ndcg", k=2)
    assert q.value("ndcg", k=None) == q["ndcg"]
    assert "ndcg" in q._ipython_key_completions_()
    assert rs.index("ndcg").example().endswith('q.value("ndcg", gain="linear")\nq.interval("ndcg")')
    assert rs.index("ndcg").intervals == ("t", "normal")
    assert {row.family for row in rs.indices(form="queries")} == {"retrieval"}


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda q: q["mcc"], rs.UnknownIndexError, "not an index of ranked lists"),
        (lambda q: q["nothing_of_the_kind"], rs.UnknownIndexError, "not the name of an index"),
        (lambda q: q["bpref@3"], rs.UnknownIndexError, "has no parameter"),
        (lambda q: q["ndcg@0"], rs.InputError, "k is 0; expected a whole number from 1"),
        (lambda q: q.value("ndcg", k=1.5), rs.InputError, "k is 1.5"),
        (lambda q: q.value("ndcg@3", k=2), rs.InputError, "k is given"),
        (lambda q: q.value("ndcg", gain="cubic"), rs.InputError, 'expected "linear" or "exponential"'),
        (lambda q: q.value("ndcg", gain=1), rs.InputTypeError, 'expected "linear" or "exponential"'),
        (lambda q: q.value("rbp", p=1), rs.InputError, "p is 1"),
        (lambda q: q.value("ndcg", empty=math.inf), rs.InputError, "empty is inf"),
        (lambda q: q.value("ndcg", empty="0"), rs.InputTypeError, "empty is '0'"),
        (lambda q: q.value(3), rs.InputTypeError, "name is 3"),
        (lambda q: rs.ConfusionMatrix([0, 1], [0, 1])["ndcg"], rs.UnknownIndexError, "rocksteady.Queries"),
        (lambda q: rs.ScoreTable([0, 1], [0, 1])["ndcg"], rs.UnknownIndexError, "rocksteady.Queries"),
    ],
)
def test_what_is_refused_of_an_index(call, error, words):
    with pytest.raises(error, match=words):
        call(rs.Queries([1, 0, 1, 0], [4, 3, 2, 1], [1] * 4))


@pytest.mark.parametrize(
    ("columns", "options", "error", "words"),
    [
        (([1, 0], [1], [1]), {}, rs.InputError, "relevance has 2 rows"),
        (([1, 0], [1, 2], [1]), {}, rs.InputError, "query has 1 row"),
        (([1], [math.inf], [1]), {}, rs.InputError, r"y_score\[0\] is inf"),
        (([math.inf], [1], [1]), {}, rs.InputError, r"relevance\[0\] is inf"),
        ((["a"], [1], [1]), {}, rs.InputTypeError, "relevance"),
        (([1], [2**60], [1]), {}, rs.InputError, "2\\^53"),
        (([1], [1], "q"), {}, rs.InputTypeError, "query is 'q'"),
        (([1], [1], [1]), {"ties": "random"}, rs.InputError, "ties is 'random'"),
        (([1], [1], [1]), {"ties": "trec_eval"}, rs.InputError, "document is None"),
        (([1], [1], [1]), {"document": ["d"]}, rs.InputError, 'only ties="trec_eval"'),
        (([1], [1], [1]), {"document": [3], "ties": "trec_eval"}, rs.InputError, "expected text"),
        (([1], [1], [1]), {"document": [None], "ties": "trec_eval"}, (rs.InputError, rs.InputTypeError), "document"),
        (([1], [1], [1]), {"query_weight": [-1]}, rs.InputError, r"query_weight\[0\] is -1"),
        (([1, 1], [1, 2], [1, 1]), {"query_weight": [1, 2]}, rs.InputError, r"query_weight\[1\] is 2; expected 1"),
        (([1], [math.nan], [1]), {"nan_policy": "omit"}, rs.InputError, "nan_policy is 'omit'"),
        (([None], [math.nan], [1]), {"nan_policy": "not_retrieved"}, rs.InputError, "relevance is missing too"),
    ],
)
def test_what_is_refused_of_rows(columns, options, error, words):
    with pytest.raises(error, match=words):
        rs.Queries(*columns, **options)


def test_runs_and_judgements_as_mappings():
    qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 1}}
    run = {"q1": {"d1": 0.9, "d4": 0.8, "d2": 0.7}}
    q = rs.Queries.from_run(qrels, run)
    assert q.every("map").tolist() == [0.5, 0]
    assert (len(q), q.rows) == (2, 5)
    with pytest.warns(rs.RocksteadyWarning, match="2 queries have no judgements and are left out"):
        assert rs.Queries.from_run(qrels, {**run, "q3": {"d": 1}, "q4": {"d": 1}}) == q
    assert len(rs.Queries.from_run({}, {})) == 0
    for wrong in ([1], {"q1": 3}, {1: {"d": 1}}):
        with pytest.raises((rs.InputTypeError, rs.InputError)):
            rs.Queries.from_run(wrong, run)


TREC_QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\n"
TREC_RUN = "q1 Q0 d1 1 0.9 mine\nq1\tQ0\td4\t2\t0.8\tmine\n\nq1 Q0 d2 3 0.7 mine\n"


def test_runs_and_judgements_as_files_and_frames(tmp_path):
    qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 1}}
    run = {"q1": {"d1": 0.9, "d4": 0.8, "d2": 0.7}}
    q = rs.Queries.from_run(qrels, run, ties="trec_eval")
    (tmp_path / "qrels.txt").write_text(TREC_QRELS)
    with gzip.open(tmp_path / "run.gz", "wt") as file:
        file.write(TREC_RUN)
    assert rs.Queries.from_run(tmp_path / "qrels.txt", str(tmp_path / "run.gz"), ties="trec_eval") == q
    judged = [(query, document, grade) for query, each in qrels.items() for document, grade in each.items()]
    found = [(query, document, score) for query, each in run.items() for document, score in each.items()]
    for names in (("query_id", "doc_id", "relevance"), ("q_id", "doc_id", "rel"), ("qid", "docno", "label")):
        frames = [pd.DataFrame(judged, columns=names), pd.DataFrame(found, columns=[*names[:2], "score"])]
        for convert in (lambda frame: frame, pl.from_pandas, lambda frame: pl.from_pandas(frame).to_arrow()):
            assert rs.Queries.from_run(*map(convert, frames), ties="trec_eval") == q
    assert rs.Queries.from_run(frames[0], run, ties="trec_eval") == q


@pytest.mark.parametrize("seed", range(3))
def test_files_give_what_ir_measures_gives(seed, tmp_path):
    ir_measures = pytest.importorskip("ir_measures", reason="ir-measures is not installed; 0.4.3 was tried")
    pytest.importorskip("pytrec_eval", reason="pytrec-eval-terrier is not installed")
    qrels, run = random_run(np.random.default_rng(seed), tied=True)
    paths = tmp_path / "qrels", tmp_path / "run"
    paths[0].write_text("".join(f"{q} 0 {d} {grade}\n" for q, each in qrels.items() for d, grade in each.items()))
    paths[1].write_text("".join(f"{q} Q0 {d} 1 {score} me\n" for q, each in run.items() for d, score in each.items()))
    measures = {"map": ir_measures.AP, "ndcg@3": ir_measures.nDCG @ 3, "mrr": ir_measures.RR}
    theirs = ir_measures.calc_aggregate(
        list(measures.values()), ir_measures.read_trec_qrels(str(paths[0])), ir_measures.read_trec_run(str(paths[1]))
    )
    own = rs.Queries.from_run(*paths, ties="trec_eval")
    for name, measure in measures.items():
        assert own.value(name, empty=0) == pytest.approx(theirs[measure], rel=1e-12)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("q1 Q0 d1 1 0.9\n", r"run: line 1 of .* is 'q1 Q0 d1 1 0.9'; expected query Q0 document rank score tag"),
        ("q1 Q0 d1 1 0.9 me\nq1 Q0 d2 1 high me\n", "run: line 2 of"),
        ("q1 Q0 d1 1 0.9 me\nq1 Q0 d1 2 0.8 me\n", "run has a document of the query 'q1' twice, at row 1"),
    ],
)
def test_files_of_another_form_are_refused(tmp_path, lines, words):
    (tmp_path / "run").write_text(lines)
    with pytest.raises(rs.InputError, match=words):
        rs.Queries.from_run({"q1": {"d1": 1}}, tmp_path / "run")


def test_frames_of_other_columns_are_refused():
    with pytest.raises(
        rs.InputError, match="qrels has the columns 'query', 'doc_id'; expected one column called 'relevance'"
    ):
        rs.Queries.from_run(pd.DataFrame({"query": ["q"], "doc_id": ["d"]}), {"q": {"d": 1}})
    with pytest.raises(rs.InputError, match="qrels is the file 'no such file', which cannot be read"):
        rs.Queries.from_run("no such file", {"q": {"d": 1}})


def test_a_warning_where_rows_may_not_belong_together():
    relevance = pd.Series([1, 0, 1], index=[1, 2, 3])
    score = pd.Series([0.5, 0.2, 0.1], index=[3, 2, 1])
    with pytest.warns(rs.RocksteadyWarning, match="y_score has the index labels of relevance in another order"):
        rs.Queries(relevance, score, [1, 1, 1])


def test_queries_are_frozen():
    q = rs.Queries([1], [1], [1])
    with pytest.raises(AttributeError):
        q.anything = 1
    with pytest.raises(TypeError):
        hash(q)


def test_files_of_trec_may_begin_with_a_byte_order_mark(tmp_path):
    (tmp_path / "q").write_text("\ufeffq1 0 d1 1\n", encoding="utf-8")
    (tmp_path / "r").write_text("\ufeffq1 Q0 d1 1 0.5 t\n", encoding="utf-8")
    assert rs.Queries.from_run(tmp_path / "q", tmp_path / "r")["map"] == 1


@pytest.mark.parametrize("score", [float("nan"), None])
def test_what_was_retrieved_has_a_score(score, tmp_path):
    with pytest.raises(rs.InputError, match="missing score at row 1"):
        rs.Queries.from_run({"q": {"a": 1}}, {"q": {"b": 1.0, "a": score}})
    (tmp_path / "r").write_text("q1 Q0 d1 1 nan t\n")
    with pytest.raises(rs.InputError, match="line 1"):
        rs.Queries.from_run({"q1": {"d1": 1}}, tmp_path / "r")

"""Intervals of means over rows: against scipy, the index of the same name, and sums by hand."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
import scipy.stats

import rocksteady as rs

LABELS = [0, 1, 2]


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, n), rng.dirichlet([1, 1, 1], n), rng.integers(1, 4, n)


def margins(y, decisions):
    """The hinge loss of each row."""
    own = decisions[np.arange(len(y)), y]
    others = np.where(np.arange(3) == y[:, None], -np.inf, decisions).max(axis=1)
    return np.maximum(0, 1 - own + others)


def precisions(relevant, scores):
    return np.array(
        [
            rs.metrics.label_ranking_average_precision_score(r[None], s[None])
            for r, s in zip(relevant, scores, strict=True)
        ]
    )


def bounds(interval):
    return interval.low, interval.high


def test_a_mean_has_the_interval_of_students_t():
    y, decisions, _ = rows(40)
    found = rs.RowMean.hinge_loss(y, decisions, labels=LABELS).interval(level=0.9)
    expected = scipy.stats.ttest_1samp(margins(y, decisions), 0).confidence_interval(0.9)
    assert bounds(found) == pytest.approx(expected, rel=1e-12)
    assert found.standard_error == pytest.approx(scipy.stats.sem(margins(y, decisions)), rel=1e-12)
    relevant, scores = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]] * 4), np.random.default_rng(1).random((12, 3))
    values = precisions(relevant, scores)
    found = rs.RowMean.label_ranking_average_precision_score(relevant, scores).interval(side="lower")
    expected = scipy.stats.ttest_1samp(values, 0, alternative="greater").confidence_interval(0.95)
    assert bounds(found) == pytest.approx((expected.low, 1.0), rel=1e-12)


def test_weights_are_counts_of_rows_or_sampling_weights():
    y, decisions, weights = rows(30)

    def make(y, decisions, **given):
        return rs.RowMean.hinge_loss(y, decisions, labels=LABELS, **given)

    counted = make(y, decisions, sample_weight=weights).interval()
    repeated = make(np.repeat(y, weights), np.repeat(decisions, weights, axis=0)).interval()
    assert bounds(counted) == pytest.approx(bounds(repeated), rel=1e-12)
    sampled = make(y, decisions, sample_weight=weights / 7, weight_kind="sampling").interval()
    values, share = margins(y, decisions), weights / weights.sum()
    mean, n = (share * values).sum(), weights.sum() ** 2 / (weights**2).sum()
    error = math.sqrt((share**2 * (values - mean) ** 2).sum() * n / (n - 1))
    assert (sampled.estimate, sampled.standard_error) == pytest.approx((mean, error), rel=1e-12)
    assert bounds(sampled) == pytest.approx(scipy.stats.t(n - 1, mean, error).interval(0.95), rel=1e-12)


def test_a_mean_of_zeros_and_ones_is_a_share():
    y, proba, weights = rows(25)
    for given in ({}, {"sample_weight": weights}, {"sample_weight": weights, "weight_kind": "sampling"}):
        found = rs.RowMean.top_k_accuracy_score(y, proba, labels=LABELS, k=1, **given).interval()
        expected = rs.ConfusionMatrix(np.zeros(25, int), y != proba.argmax(axis=1), labels=[0, 1], **given)
        assert bounds(found) == pytest.approx(bounds(expected.interval("specificity")), rel=1e-9), given
        assert found.method == "wilson"
    perfect = rs.RowMean.label_ranking_loss([[1, 0]] * 5, [[0.9, 0.1]] * 5)
    assert bounds(perfect.interval()) == pytest.approx((0.0, 0.434482), abs=1e-6)
    assert perfect.interval(method="t").why


def test_the_logarithmic_loss_has_the_interval_of_the_index():
    y, proba, weights = rows(50)
    given = {"labels": LABELS, "sample_weight": weights, "weight_kind": "sampling"}
    for method in (None, "normal"):
        found = rs.RowMean.log_loss(y, proba, **given).interval(method=method)
        expected = rs.ScoreTables(y, proba, **given).interval("log_loss", method=method)
        assert found.method == expected.method
        assert bounds(found) == pytest.approx(bounds(expected), rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 1000])
def test_rows_alike_have_no_interval(n):
    found = rs.RowMean.hinge_loss([0] * n, [-0.3] * n, labels=[0, 1]).interval()
    assert math.isnan(found.low), found
    assert found.why.startswith("All rows count alike")
    assert rs.RowMean.empty("hinge_loss", labels=[0, 1]).interval().why.startswith("There are no rows")


@pytest.mark.parametrize("kind", ["counts", "sampling"])
def test_parts_add_up_with_their_squares(kind):
    y, decisions, weights = rows(40)

    def make(rows):
        weights_of_rows = weights[rows] / 3
        return rs.RowMean.hinge_loss(
            y[rows], decisions[rows], labels=LABELS, sample_weight=weights_of_rows, weight_kind=kind
        )

    whole, parts = make(slice(None)), [make(slice(0, 7)), make(slice(7, 40)), make(slice(0, 0))]
    assert rs.merge(parts) == rs.merge(parts[::-1]) == whole == rs.RowMean.from_bytes(whole.to_bytes())
    assert rs.merge(parts).interval() == whole.interval()
    other = rs.RowMean.hinge_loss(y, decisions, labels=LABELS, weight_kind="counts")
    if kind == "sampling":
        with pytest.raises(rs.InputError, match="sampling weights"):
            whole + other


def without_squares(data):
    """The bytes as older releases wrote them: without section 4."""
    head, rest = data[:10], data[10:]
    kept = b""
    while rest:
        (length,) = struct.unpack("<Q", rest[1:9])
        if rest[0] != 4:
            kept += rest[: 9 + length]
        rest = rest[9 + length :]
    return head + kept


def test_bytes_of_older_releases_have_no_interval():
    y, decisions, _ = rows(10)
    new = rs.RowMean.hinge_loss(y, decisions, labels=LABELS)
    old = rs.RowMean.from_bytes(without_squares(new.to_bytes()))
    assert old.value() == new.value()
    assert old.to_bytes() == without_squares(new.to_bytes())
    for mean in (old, old + new, new + old):
        with pytest.raises(rs.UnknownIndexError, match="sum those rows again"):
            mean.interval()
    assert (old + rs.RowMean.empty("hinge_loss", labels=LABELS)).to_bytes() == old.to_bytes()


def test_other_names_and_methods_are_refused():
    mean = rs.RowMean.hinge_loss([0, 1], [-0.3, 0.2], labels=[0, 1])
    with pytest.raises(rs.InputError, match="name is 'recall'"):
        mean.interval("recall")
    with pytest.raises(rs.UnknownIndexError, match='no interval by the method "wilson" here; its methods: t, normal'):
        mean.interval(method="wilson")


def ranked(y, proba):
    """The ranked probability score of each row, border by border between classes."""
    below = [np.subtract(proba[:, : k + 1].sum(axis=1), y <= k) ** 2 for k in range(proba.shape[1] - 1)]
    return np.mean(below, axis=0)


def test_the_ranked_probability_score_counts_near_misses_less():
    y, proba, weights = rows(50)
    found = rs.RowMean.ranked_probability_score(y, proba, labels=LABELS, sample_weight=weights)
    assert found.value() == pytest.approx(np.average(ranked(y, proba), weights=weights), rel=1e-14)
    plain = rs.RowMean.ranked_probability_score(y, proba, labels=LABELS)
    assert bounds(plain.interval()) == pytest.approx(
        tuple(scipy.stats.ttest_1samp(ranked(y, proba), 0).confidence_interval()), rel=1e-12
    )
    halves = [
        rs.RowMean.ranked_probability_score(y[part], proba[part], labels=LABELS)
        for part in (slice(20), slice(20, None))
    ]
    assert rs.merge(halves).to_bytes() == plain.to_bytes()
    near, far = np.array([[0.0, 1.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    assert rs.RowMean.ranked_probability_score([0], near, labels=LABELS).value() == 0.5
    assert rs.RowMean.ranked_probability_score([0], far, labels=LABELS).value() == 1.0


@pytest.mark.parametrize("rows", [10, 200_000])
def test_of_two_classes_it_is_the_brier_score(rows):
    rng = np.random.default_rng(2)
    y, p = rng.integers(0, 2, rows), rng.random(rows)
    expected = rs.metrics.brier_score_loss(y, p)
    assert rs.RowMean.ranked_probability_score(y, p, labels=[0, 1]).value() == expected
    both = np.column_stack([1 - p, p])
    assert rs.RowMean.ranked_probability_score(y, both, labels=[0, 1]).value() == pytest.approx(expected, rel=1e-13)


def test_probabilities_of_a_row_that_do_not_sum_to_one_are_refused():
    with pytest.raises(rs.InputError, match=r"y_proba\[1\] is probabilities that sum to 1.5"):
        rs.RowMean.ranked_probability_score([0, 1], [[0.5, 0.5, 0.0], [0.5, 0.5, 0.5]], labels=LABELS)
    with pytest.raises(rs.InputError, match=r"y_proba\[0"):
        rs.RowMean.ranked_probability_score([0], [[-0.5, 1.5, 0.0]], labels=LABELS)
    with pytest.raises(rs.InputError, match="3 classes"):
        rs.RowMean.ranked_probability_score([0], [[0.5, 0.5]], labels=LABELS)

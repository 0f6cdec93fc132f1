"""Single points of a ranking, the top of the list, pairs, ties, and the scores as probabilities: against naive computations."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference

import rocksteady as rs

EXAMPLES = Path(__file__).parents[2] / "examples"
TOP = ("enrichment_factor", "capture_rate", "top_precision")


@pytest.fixture(scope="module")
def rocr():
    scores, labels = np.loadtxt(EXAMPLES / "rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
    return labels.astype(int), scores


class Naive:
    """Everything by its definition, from rows, in numpy."""

    def __init__(self, y, s, w=None):
        self.y, self.s = np.asarray(y), np.asarray(s, float)
        self.w = np.ones(len(self.y)) if w is None else np.asarray(w, float)
        self.weighted = w is not None
        self.groups = [
            (self.w[at & (self.y == 1)].sum(), self.w[at & (self.y == 0)].sum())
            for score in np.unique(self.s)[::-1]
            for at in [self.s == score]
        ]
        self.p, self.n = self.w[self.y == 1].sum(), self.w[self.y == 0].sum()
        self.points = [(0.0, 0.0)]
        for p, n in self.groups:
            self.points.append((self.points[-1][0] + p, self.points[-1][1] + n))

    def captured(self, rows):
        found = 0.0
        for p, n in self.groups:
            taken = min(1.0, max(rows, 0.0) / (p + n))
            found += p * taken
            rows -= (p + n) * taken
        return found

    def eer(self):
        fpr = np.array([fp / self.n for _, fp in self.points])
        fnr = np.array([1 - tp / self.p for tp, _ in self.points])
        after = int(np.flatnonzero(fpr - fnr >= -1e-15)[0])
        gap = (fnr - fpr)[after - 1 : after + 1]
        part = gap[0] / (gap[0] - gap[1])
        return fpr[after - 1] + part * (fpr[after] - fpr[after - 1])

    def recall_at_precision(self, least):
        return max([tp / self.p for tp, fp in self.points[1:] if tp / (tp + fp) >= least], default=0.0)

    def precision_at_recall(self, least):
        return max(tp / (tp + fp) for tp, fp in self.points[1:] if tp / self.p >= least)

    def sensitivity_at_specificity(self, least):
        return max(tp / self.p for tp, fp in self.points if (self.n - fp) / self.n >= least)

    def specificity_at_sensitivity(self, least):
        return max((self.n - fp) / self.n for tp, fp in self.points if tp / self.p >= least)

    def rie(self, alpha):
        """Of counts, rank after rank, each with the mean of its tie; of weights, the integral over each tie."""
        total, sum_, above = self.p + self.n, 0.0, 0.0
        for p, n in self.groups:
            if self.weighted:
                spread = math.exp(-alpha * above / total) - math.exp(-alpha * (above + p + n) / total)
            else:
                ranks = above + np.arange(1, p + n + 1)
                spread = np.exp(-alpha * ranks / total).sum() * math.expm1(alpha / total)
            sum_ += p / (p + n) * spread
            above += p + n
        return sum_ * total / self.p / -math.expm1(-alpha)

    def bedroc(self, alpha):
        share = self.p / (self.p + self.n)
        most = (1 - math.exp(-alpha * share)) / (share * (1 - math.exp(-alpha)))
        least = (1 - math.exp(alpha * share)) / (share * (1 - math.exp(alpha)))
        return (self.rie(alpha) - least) / (most - least)

    def pairs(self):
        higher, same, apart = 0.0, 0.0, 0.0
        for i in range(len(self.y)):
            weight = self.w[i] * self.w
            negative = self.y == 0
            apart += weight[self.s != self.s[i]].sum() / 2
            if self.y[i] == 1:
                higher += weight[negative & (self.s < self.s[i])].sum()
                same += weight[negative & (self.s == self.s[i])].sum()
        return higher, same, apart

    def average_precision(self, sign):
        """Row after row, ties by class: sign 1 has positives first."""
        order = np.lexsort((-sign * self.y, -self.s))
        hits = self.y[order] == 1
        return (np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean()

    def errors(self):
        right = np.where(self.y == 1, self.s, 1 - self.s)
        cut = np.clip(right, np.finfo(float).eps, 1 - np.finfo(float).eps)
        return np.average((1 - right) ** 2, weights=self.w), np.average(-np.log(cut), weights=self.w)


def expected(naive):
    """Every row of the family by its defaults."""
    p, n, total = naive.p, naive.n, naive.p + naive.n
    higher, same, apart = naive.pairs()
    lower = p * n - higher - same
    brier, log_loss = naive.errors()
    at_half = naive.s >= 0.5
    accuracy = naive.w[at_half == (naive.y == 1)].sum() / total
    found = {
        "precision_recall_break_even": naive.captured(p) / p,
        "equal_error_rate": naive.eer(),
        "recall_at_precision": naive.recall_at_precision(0.9),
        "precision_at_recall": naive.precision_at_recall(0.9),
        "sensitivity_at_specificity": naive.sensitivity_at_specificity(0.9),
        "specificity_at_sensitivity": naive.specificity_at_sensitivity(0.9),
        "bedroc": naive.bedroc(20),
        "robust_initial_enhancement": naive.rie(20),
        "enrichment_factor": naive.captured(0.01 * total) / (0.01 * p),
        "capture_rate": naive.captured(0.1 * total) / p,
        "top_precision": naive.captured(0.1 * total) / (0.1 * total),
        "sar": (accuracy + (higher + same / 2) / (p * n) + 1 - math.sqrt(brier)) / 3,
        "concordant_share": higher / (p * n),
        "discordant_share": lower / (p * n),
        "tied_share": same / (p * n),
        "optimistic_roc_auc": (higher + same) / (p * n),
        "goodman_kruskal_gamma_of_scores": (higher - lower) / (higher + lower) if higher + lower else math.nan,
        "kendall_tau_b_of_scores": (higher - lower) / math.sqrt(p * n * apart) if apart else math.nan,
        "pessimistic_average_precision": math.nan if naive.weighted else naive.average_precision(-1),
        "optimistic_average_precision": math.nan if naive.weighted else naive.average_precision(1),
        "brier": brier,
        "root_mean_squared_error": math.sqrt(brier),
        "log_loss": log_loss,
    }
    assert {row.name for row in rs.indices(family="early_recognition")} <= found.keys()
    return found


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 16), st.integers(1, 9)), min_size=2, max_size=60),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_every_row_is_its_definition(rows, weighted):
    rows = [(True, 3, 1), (False, 5, 2), *rows]
    y = np.array([row[0] for row in rows], int)
    s = np.array([row[1] / 16 for row in rows])
    w = np.array([row[2] / 4 for row in rows]) if weighted else None
    table = rs.ScoreTable(y, s, sample_weight=w)
    one_by_one = {name: table[name] for name in expected(Naive(y, s, w))}
    for name, value in expected(Naive(y, s, w)).items():
        assert one_by_one[name] == pytest.approx(value, abs=1e-12, nan_ok=True), name
        assert math.isnan(value) == (table.why(name) is not None), name
    # One pass for all indices gives the same bits as one pass for each.
    together = dict(row[:2] for row in table.summary().rows)
    assert repr({name: together[name] for name in one_by_one}) == repr(one_by_one)


@given(st.integers(0, 2**32), st.integers(300, 3000), st.sampled_from([1, 3, 40, 10**9]))
@settings(max_examples=25, deadline=None)
def test_tables_of_many_blocks(seed, rows, per_tie):
    random = np.random.default_rng(seed)
    s = random.integers(0, max(rows // per_tie, 2), rows) / max(rows // per_tie, 2)
    y = (random.random(rows) < 0.2 + 0.5 * s).astype(int)
    y[:2] = 0, 1
    naive, table = Naive(y, s), rs.ScoreTable(y, s)
    for name, value in expected(naive).items():
        assert table[name] == pytest.approx(value, abs=2e-12), name
    for least in (0.2, 0.5, 0.95, 1.0):
        assert table.value("recall_at_precision", min_precision=least) == naive.recall_at_precision(least)
        assert table.value("precision_at_recall", min_recall=least) == naive.precision_at_recall(least)
        assert table.value("sensitivity_at_specificity", min_specificity=least) == pytest.approx(
            naive.sensitivity_at_specificity(least)
        )
        assert table.value("specificity_at_sensitivity", min_sensitivity=least) == pytest.approx(
            naive.specificity_at_sensitivity(least)
        )
    for alpha in (0.01, 1.0, 100.0, 1e6):
        if alpha < 1000:
            assert table.value("rie", alpha=alpha) == pytest.approx(naive.rie(alpha), rel=1e-11)
        assert 0 <= table.value("bedroc", alpha=alpha) <= 1
    for fraction in (1e-6, 0.013, 0.5, 0.999):
        captured = naive.captured(fraction * rows)
        assert table.value("capture_rate", fraction=fraction) == pytest.approx(captured / naive.p)
        assert table.value("enrichment_factor", fraction=fraction) == pytest.approx(captured / naive.p / fraction)
        assert table.value("top_precision", fraction=fraction) == pytest.approx(captured / fraction / rows)
    # The bits are the same with and without the cache, also for indices of other families.
    names = [row.name for row in rs.indices(form="scores") if row.family in {"ranking", "probability"}]
    before = {name: table[name] for name in names}
    together = dict(row[:2] for row in table.summary().rows)
    assert repr({name: together[name] for name in names}) == repr(before)


def test_rocr_simple(rocr):
    """R's ROCR 1.0-11: prbe, rmse, mxe; the rest of papers.md 4.2 stands in test_golden.py."""
    table = rs.ScoreTable(*rocr)
    assert table["prbe"] == pytest.approx(0.8279569892473119, abs=1e-15)
    assert table["rmse"] == pytest.approx(0.40946698543076504, rel=1e-15)
    assert table["brier"] == pytest.approx(0.16766321215775837, rel=1e-15)
    assert table["log_loss"] == pytest.approx(0.5561757365886415, rel=1e-14)
    assert table["sar"] == pytest.approx((0.85 + 2767 / 3317 + 1 - 0.40946698543076504) / 3, rel=1e-15)
    captured = [16, 33, 50, 66, 79, 79, 83, 88, 90]
    for tenth, events in enumerate(captured, 1):
        assert table.value("capture_rate", fraction=tenth / 10) == pytest.approx(events / 93, rel=1e-14)
        assert table.value("lift_at_fraction", fraction=tenth / 10) == pytest.approx(
            events / 93 / tenth * 10, rel=1e-14
        )


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int64, bool])
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_are_those_of_the_sums_of_rows(kind, weighted):
    random = np.random.default_rng(4)
    s = random.random(5000)
    s[:50], s[50:100] = 0, 1
    s = (s > 0.5).astype(kind) if kind in (np.int64, bool) else s.astype(kind)
    y = (random.random(5000) < s.astype(float)).astype(int)
    y[:100:7] = 1 - y[:100:7]
    w = random.random(5000) if weighted else None
    table, sums = rs.ScoreTable(y, s, sample_weight=w), rs.ProbabilitySums(y, s, sample_weight=w)
    for name in ("log_loss", "brier", "root_mean_squared_error"):
        assert table[name] == pytest.approx(sums[name], rel=1e-15, abs=0), name


def test_losses_of_several_classes_are_scikit_learns():
    random = np.random.default_rng(5)
    p = random.dirichlet([1, 1, 2], 400)
    y = np.array([random.choice(3, p=row) for row in p])
    tables = rs.ScoreTables(y, p)
    assert tables["log_loss"] == pytest.approx(reference.log_loss(y, p), rel=1e-14)
    assert tables["brier"] == pytest.approx(reference.brier_score_loss(y, p, labels=[0, 1, 2]), rel=1e-14)
    two = np.column_stack([1 - p[:, 0], p[:, 0]])
    pair = rs.ScoreTables((y == 0).astype(int), two)
    assert pair["brier"] == pytest.approx(reference.brier_score_loss(y == 0, p[:, 0]), rel=1e-14)
    of_class = tables.every("equal_error_rate")
    for k in range(3):
        assert of_class[k] == rs.ScoreTable((y == k).astype(int), p[:, k])["equal_error_rate"]


def test_scores_that_are_no_probabilities_get_the_rest():
    table = rs.ScoreTable([0, 1, 1, 0], [-1.0, 2.0, 0.5, 0.25])
    for name in ("log_loss", "brier", "root_mean_squared_error", "sar"):
        assert math.isnan(table[name])
        assert "probabilities" in table.why(name)
    shown = table.summary()
    assert shown.columns == ("index", "value", "why")
    found = {name: (value, why) for name, value, why in shown.rows}
    assert math.isnan(found["brier"][0])
    assert "probabilities" in found["brier"][1]
    assert found["roc_auc"] == (1.0, None)
    assert found["bedroc"] == (1.0, None)
    assert rs.ScoreTable([0, 1], [0.25, 0.5])["brier"] == (0.0625 + 0.25) / 2


@pytest.mark.parametrize("infinite", [[np.inf, 0.5, -np.inf, 0.5], [np.inf, np.inf, 0.5, -np.inf]])
def test_infinite_scores_rank_like_any_other(infinite):
    y = [1, 0, 0, 1]
    table = rs.ScoreTable(y, infinite, infinite="allow")
    finite = rs.ScoreTable(y, np.nan_to_num(infinite, posinf=9, neginf=-9))
    for row in rs.indices(family="early_recognition"):
        assert table[row.name] == pytest.approx(finite[row.name], nan_ok=True, abs=0), row.name


def test_one_class_only_constant_scores_and_no_weight():
    ones, zeros = rs.ScoreTable([1, 1], [0.2, 0.4], pos_label=1), rs.ScoreTable([0, 0], [0.2, 0.4], pos_label=1)
    for row in rs.indices(family="early_recognition"):
        for table in (ones, zeros):
            assert math.isnan(table[row.name]) == (table.why(row.name) is not None), row.name
    assert ones["precision_recall_break_even"] == ones["recall_at_precision"] == ones["robust_initial_enhancement"] == 1
    assert "negative" in ones.why("bedroc")
    assert "positive" in zeros.why("capture_rate")
    assert zeros["top_precision"] == 0
    constant = rs.ScoreTable([0, 1, 1, 0], [0.5] * 4)
    assert (constant["equal_error_rate"], constant["prbe"], constant["tied_share"]) == (0.5, 0.5, 1)
    assert constant["rie"] == pytest.approx(1, rel=1e-15)
    assert constant["enrichment_factor"] == pytest.approx(1, rel=1e-15)
    assert (constant["pessimistic_roc_auc"], constant["optimistic_roc_auc"]) == (0, 1)
    assert "equal" in constant.why("score_gamma")
    assert "equal" in constant.why("score_tau_b")
    empty = rs.ScoreTable([0, 1], [0.1, 0.2], sample_weight=[0, 0])
    for row in rs.indices(family="early_recognition"):
        assert math.isnan(empty[row.name])
        assert empty.why(row.name) is not None


def test_counts_near_2_to_the_40():
    """A table added to itself forty times has the indices of the rows, where amounts do not matter."""
    random = np.random.default_rng(6)
    y, s = random.integers(0, 2, 700), random.integers(0, 90, 700) / 100
    small = large = rs.ScoreTable(y, s)
    for _ in range(40):
        large = large + large
    assert large.rows == 700 * 2**40
    for row in rs.indices(form="scores"):
        if row.family in {"early_recognition", "ranking", "probability"} and not row.name.endswith(
            ("istic_average_precision", "p_value")
        ):
            assert large[row.name] == pytest.approx(small[row.name], rel=1e-13, abs=1e-14), row.name
    # With this many rows a tie becomes a ramp: the integral of precision, by the trapezoidal rule.
    for sign, name in ((-1, "pessimistic_average_precision"), (1, "optimistic_average_precision")):
        area = tp = fp = 0.0
        for p, n in Naive(y, s).groups:
            before = fp + n if sign < 0 else fp
            x = np.linspace(0, p, 20001)
            precision = (tp + x) / np.maximum(tp + x + before, 1e-300)
            precision[0] = precision[1] if tp + before == 0 else precision[0]
            area += np.trapezoid(precision, x)
            tp, fp = tp + p, fp + n
        assert large[name] == pytest.approx(area / y.sum(), abs=1e-8), name


def test_orders_within_long_ties():
    """Beyond 64 positives in a tie a formula takes the place of the sum."""
    y = np.array([0] * 30 + [1] * 1 + [1] * 5000 + [0] * 700 + [1] * 90 + [0] * 11)
    s = np.repeat([3, 2, 1], [31, 5700, 101])
    naive, table = Naive(y, s), rs.ScoreTable(y, s)
    assert table["pessimistic_average_precision"] == pytest.approx(naive.average_precision(-1), rel=1e-14)
    assert table["optimistic_average_precision"] == pytest.approx(naive.average_precision(1), rel=1e-14)


def test_parameters_are_checked():
    table = rs.ScoreTable([0, 1], [0.1, 0.2])
    for name in TOP:
        for fraction in (0, 1, -0.1, math.nan):
            with pytest.raises(rs.InputError, match="fraction"):
                table.value(name, fraction=fraction)
    with pytest.raises(rs.InputError, match="alpha"):
        table.value("bedroc", alpha=0)
    with pytest.raises(rs.InputError, match="min_recall"):
        table.value("precision_at_recall", min_recall=1.5)
    assert table.value("precision_at_recall", min_recall=0) == 1
    assert table.value("sar", threshold=0.15) == pytest.approx((1 + 1 + 1 - math.sqrt(0.65 / 2)) / 3)


def test_the_order_of_rows_does_not_matter_nor_how_they_were_split(rocr):
    y, s = rocr
    s = np.round(s, 1)
    whole = rs.ScoreTable(y, s)
    order = np.random.default_rng(7).permutation(len(y))
    shuffled = rs.ScoreTable(y[order], s[order])
    added = rs.ScoreTable(y[:77], s[:77]) + rs.ScoreTable(y[77:], s[77:])
    assert repr(whole.summary()) == repr(shuffled.summary()) == repr(added.summary())


def test_what_a_table_shows(rocr):
    table = rs.ScoreTable(*rocr)
    shown = table.summary()
    names = [row[0] for row in shown.rows]
    assert names[:4] == ["roc_auc", "average_precision", "ks", "log_loss"]  # as in a summary
    assert set(names) == {row.name for row in rs.indices(form="scores")} | {"ks_threshold"}
    assert set(table.to_dict()) >= {"roc_auc", "brier", "log_loss", "ks_threshold", "rows"}
    assert "bedroc" not in table.to_dict()
    assert set(table.to_dict("all")) >= set(names)
    assert table.to_dict(["rie"])["robust_initial_enhancement"] == table["rie"]
    assert len(dict(row[:2] for row in shown.rows)) == len(names)


@pytest.mark.parametrize(
    ("large", "small"), [(1.0, 1.0), (1e150, 1e-150), (1e160, 1e-160), (1e300, 1e-300), (1.0, 1e300)]
)
def test_tau_b_of_weights_near_the_limits(large, small):
    # Two rows of one class above or below the only one of the other: U = 2 P N, V = U + P P.
    expected = math.sqrt(2) * math.sqrt(small) / math.sqrt(2 * small + large)
    for y, sign in (([0, 1, 1], 1), ([1, 0, 0], -1)):
        table = rs.ScoreTable(y, [0.1, 0.2, 0.3], sample_weight=[small, large, large], pos_label=1)
        assert table["kendall_tau_b_of_scores"] == pytest.approx(sign * expected, rel=1e-12)


def test_p_values_of_kolmogorov_and_smirnov():
    """Every order of a few rows, with ties; scipy's exact p-value without ties; its limit for many rows and for weights."""
    rng = np.random.default_rng(31)
    for _ in range(20):
        rows, positives = int(rng.integers(4, 9)), int(rng.integers(1, 4))
        score = rng.integers(0, 4, rows)
        at = score[:, None] >= np.unique(score)

        def distance(place, at=at):
            own = np.isin(np.arange(len(at)), place)
            return np.abs(at[own].mean(axis=0) - at[~own].mean(axis=0)).max()

        y = np.isin(np.arange(rows), rng.choice(rows, positives, replace=False))
        orders = [distance(place) for place in itertools.combinations(range(rows), positives)]
        expected = np.mean(np.array(orders) >= distance(np.flatnonzero(y)) - 1e-12)
        assert rs.ScoreTable(y, score, pos_label=True)["ks_p_value"] == pytest.approx(expected, rel=1e-12)
    for positives, negatives, apart in ((30, 50, 0.5), (7, 900, 0.7), (400, 300, 0.1)):
        first, second = rng.normal(apart, 1, positives), rng.normal(0, 1, negatives)
        table = rs.ScoreTable([1] * positives + [0] * negatives, [*first, *second])
        exact = scipy.stats.ks_2samp(first, second, method="exact").pvalue
        assert table["ks_p_value"] == pytest.approx(exact, rel=1e-9)
        weighted = rs.ScoreTable(
            [1] * positives + [0] * negatives, [*first, *second], sample_weight=np.ones(len(first) + negatives)
        )
        assert weighted["ks_p_value"] == pytest.approx(exact, rel=0.25)
    first, second = rng.normal(0.03, 1, 6000), rng.normal(0, 1, 8000)
    limit = scipy.stats.kstwobign.sf(
        rs.ScoreTable([1] * 6000 + [0] * 8000, [*first, *second])["ks"] * (6 / 14 * 8000) ** 0.5
    )
    assert rs.ScoreTable([1] * 6000 + [0] * 8000, [*first, *second])["ks_p_value"] == pytest.approx(limit, rel=0.05)

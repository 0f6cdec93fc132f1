"""Confidence intervals and words for values, against scipy, PyCM and R."""

import numpy as np
import pycm
import pytest
import scipy.stats

import rocksteady as rs

MATRICES = [
    [[91, 16], [14, 79]],
    [[3, 0, 0], [0, 1, 2], [2, 1, 3]],
    [[50, 7, 0, 3], [11, 80, 9, 0], [2, 6, 33, 5], [0, 1, 4, 19]],
]
# PyCM's z, and the level that has exactly this z.
Z = 1.96
LEVEL = 2 * scipy.stats.norm.cdf(Z) - 1


def of_pycm(cells):
    return pycm.ConfusionMatrix(matrix={i: dict(enumerate(row)) for i, row in enumerate(cells)})


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999999])
@pytest.mark.parametrize("counts", [(0, 10), (1, 9), (5, 5), (10, 0), (170, 30), (99_999, 1)])
def test_shares_agree_with_scipy(counts, level):
    right, wrong = counts
    table = rs.Counts(tp=right, fp=0, fn=wrong, tn=0)
    for ours, theirs in [("wilson", "wilson"), ("clopper_pearson", "exact")]:
        for side, other in [("two-sided", "two-sided"), ("lower", "greater"), ("upper", "less")]:
            test = scipy.stats.binomtest(right, right + wrong, alternative=other)
            expected = test.proportion_ci(level, method=theirs)
            if theirs == "exact":  # scipy searches for the bounds, to about 1e-12
                tail = (1 - level) / (2 if side == "two-sided" else 1)
                low = scipy.stats.beta.ppf(tail, right, wrong + 1) if right else 0
                high = scipy.stats.beta.isf(tail, right + 1, wrong) if wrong else 1
                assert (low, high)[side == "upper"] == pytest.approx(expected[side == "upper"], abs=1e-8)
                expected = (0 if side == "upper" else low, 1 if side == "lower" else high)
            found = table.interval("recall", level=level, method=ours, side=side)
            assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-10, abs=1e-15), (ours, side)
            assert (found.estimate, found.method, found.side) == (right / (right + wrong), ours, side)
    jeffreys = table.interval("recall", level=level, method="jeffreys")
    expected = scipy.stats.beta(right + 0.5, wrong + 0.5).interval(level)
    if right:
        assert jeffreys.low == pytest.approx(expected[0], rel=1e-10)
    if wrong:
        assert jeffreys.high == pytest.approx(expected[1], rel=1e-10)


def test_rocr_simple_as_in_r():
    """The fourth source paper's matrix: caret 6.0-93 prints the exact interval."""
    cm = rs.ConfusionMatrix.from_counts(MATRICES[0])
    exact = cm.interval("accuracy", method="clopper_pearson")
    assert (exact.low, exact.high) == pytest.approx((0.792841296331449, 0.896450476478137), abs=1e-14)
    assert cm["mcnemar_p_value"] == pytest.approx(0.855132140584706, abs=1e-14)
    assert cm["accuracy_p_value"] == pytest.approx(3.57306217514618e-21, rel=1e-13)


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson", "jeffreys", "agresti_coull"])
@pytest.mark.parametrize("counts", [(0, 30, 0, 0), (30, 0, 0, 0), (1, 1, 0, 0), (0, 1, 0, 0)])
def test_intervals_of_shares_stay_in_their_range(counts, method):
    for level in (0.1, 0.8, 0.999999):
        found = rs.Counts(*counts).interval("precision", method=method, level=level)
        assert 0 <= found.low < found.high <= 1


@pytest.mark.parametrize("cells", MATRICES)
def test_intervals_of_pycm(cells):
    """Standard errors to twelve digits, bounds for PyCM's rounded z."""
    ours, theirs = rs.ConfusionMatrix.from_counts(cells), of_pycm(cells)
    methods = {"normal-approx": "normal", "wilson": "wilson", "agresti-coull": "agresti_coull"}
    rows = {
        "TPR": "recall",
        "TNR": "specificity",
        "PPV": "precision",
        "NPV": "npv",
        "ACC": "accuracy",
        "FPR": "fpr",
        "FNR": "fnr",
    }
    for name, row in {**rows, "PRE": "prevalence"}.items():
        for named, method in methods.items():
            found = ours.every_interval(row, level=LEVEL, method=method)
            for place, (error, bounds) in theirs.CI(name, binom_method=named).items():
                if error == "None":
                    assert np.isnan([found.low[place], found.high[place], found.standard_error[place]]).all()
                    continue
                assert found.standard_error[place] == pytest.approx(error, abs=1e-12)
                if bounds[0] == bounds[1]:  # no width
                    assert np.isnan(found.low[place])
                    continue
                expected = np.clip(bounds, 0, 1)  # PyCM's may leave the range
                assert [found.low[place], found.high[place]] == pytest.approx(expected, abs=1e-12), (name, method)
    four = np.transpose([ours.counts().tp, ours.counts().fp, ours.counts().fn, ours.counts().tn])
    for name, row in [("PLR", "plr"), ("NLR", "nlr")]:
        found = ours.every_interval(row, level=LEVEL)
        for place, (error, bounds) in theirs.CI(name).items():
            if 0 in four[place]:
                continue  # ours has half a row in each cell there
            # PyCM's is that of the logarithm.
            assert found.standard_error[place] == pytest.approx(error * found.estimate[place], abs=1e-12)
            assert (found.low[place], found.high[place]) == pytest.approx(bounds, rel=1e-11)
    # PyCM exchanges the numbers of positives and negatives in Hanley and McNeil's formula, so the classes are
    # exchanged.
    counts = ours.counts()
    exchanged = rs.Counts(counts.tn, counts.fn, counts.fp, counts.tp)
    found = exchanged.interval("balanced_accuracy", level=LEVEL, method="hanley_mcneil")
    for place, (error, bounds) in theirs.CI("AUC").items():
        assert found.standard_error[place] == pytest.approx(error, abs=1e-12)
        assert (found.low[place], found.high[place]) == pytest.approx(np.clip(bounds, 0, 1), abs=1e-12)
    for name, row, method in [("Kappa", "kappa", "cohen"), ("Overall ACC", "accuracy", "normal")]:
        found = ours.interval(row, level=LEVEL, method=method)
        error, bounds = theirs.CI(name)
        assert found.standard_error == pytest.approx(error, abs=1e-12)
        assert (found.low, found.high) == pytest.approx(bounds, abs=1e-12)


@pytest.mark.parametrize("method", ["normal-approx", "wilson", "agresti-coull"])
@pytest.mark.parametrize(("alpha", "one_sided"), [(0.05, False), (0.002, False), (0.05, True), (0.005, True)])
def test_pycms_function_for_intervals(method, alpha, one_sided):
    cells = MATRICES[2]
    ours, theirs = rs.ConfusionMatrix.from_counts(cells), of_pycm(cells)
    for name in ["TPR", "TNR", "PPV", "NPV", "ACC", "PLR", "NLR", "FPR", "FNR", "PRE", "AUC"]:
        found = rs.pycm.confidence_interval(ours, name, alpha, one_sided, method)
        expected = theirs.CI(name, alpha, one_sided, method)
        slack = 5e-3  # PyCM's z is rounded
        for place in range(len(cells)):
            bounds = expected[place][1]
            if "None" in bounds:
                assert np.isnan(found.low[place])
            else:
                if name not in ("PLR", "NLR"):
                    bounds = np.clip(bounds, 0, 1)  # PyCM's may leave the range
                assert (found.low[place], found.high[place]) == pytest.approx(bounds, rel=slack, abs=slack)
    for name in ["Kappa", "Overall ACC"]:
        found = rs.pycm.confidence_interval(ours, name, alpha, one_sided, method)
        if name == "Overall ACC" or method == "normal-approx":
            assert (found.low, found.high) == pytest.approx(theirs.CI(name, alpha, one_sided, method)[1], abs=1e-3)
    with pytest.raises(rs.UnknownIndexError):
        rs.pycm.confidence_interval(ours, "MCC")


def test_exact_intervals_hold_at_any_size():
    """At 2^53 rows the exact and the score interval are one to eight digits, and a single success still has a lower bound."""
    n = 2.0**53
    table = rs.Counts(tp=n / 4, fp=0, fn=3 * n / 4, tn=0)
    exact, score = (table.interval("recall", method=method) for method in ("clopper_pearson", "wilson"))
    width = exact.high - exact.low
    assert width == pytest.approx(score.high - score.low, rel=1e-7)
    assert width == pytest.approx(2 * 1.959963984540054 * np.sqrt(3 / 16 / n), rel=1e-7)
    one = rs.Counts(tp=1, fp=0, fn=n - 1, tn=0).interval("recall", method="clopper_pearson")
    # Poisson's: 1 - exp(-low n) is 0.025.
    assert one.low * n == pytest.approx(-np.log1p(-0.025), rel=1e-12)
    assert one.high * n == pytest.approx(scipy.stats.chi2.isf(0.025, 4) / 2, rel=1e-12)


def test_intervals_of_what_is_undefined():
    empty = rs.Counts([0, 5], [0, 1], [0, 0], [3, 3]).interval("recall")
    assert np.isnan([empty.estimate[0], empty.low[0], empty.high[0]]).all()
    assert empty.high[1] == 1
    assert 0.5 < empty.low[1] < 1
    one_class = rs.ConfusionMatrix.from_counts([[5, 0], [0, 0]]).interval("kappa")
    assert np.isnan([one_class.estimate, one_class.low, one_class.standard_error]).all()
    no_false = rs.Counts(5, 0, 1, 3).interval("plr")
    assert np.isnan([no_false.low, no_false.high]).all()


def test_an_empty_cell_gets_half_a_row():
    """Of likelihood and odds ratios and the relative risk; the value itself stays."""
    for counts, name in [
        ((0, 4, 9, 30), "plr"),
        ((9, 4, 0, 30), "nlr"),
        ((0, 4, 9, 30), "diagnostic_odds_ratio"),
        ((0, 4, 9, 30), "relative_risk"),
    ]:
        found = rs.Counts(*counts).interval(name)
        added = rs.Counts(*(cell + 0.5 for cell in counts)).interval(name)
        assert found.estimate == 0
        assert (found.low, found.high) == (0, pytest.approx(added.high, rel=1e-12))
        assert found.standard_error > 0


def test_weights_that_are_not_whole_are_said_to_count_as_rows():
    y, p = [0, 0, 1, 1, 0, 1] * 20, np.linspace(0.1, 0.9, 120)
    weight = np.full(120, 0.31)

    def said(**options):
        cm = rs.ConfusionMatrix(y, p > 0.5, sample_weight=weight, labels=[0, 1], **options)
        table, sums = (
            rs.ScoreTable(y, p, sample_weight=weight, **options),
            rs.ProbabilitySums(y, p, sample_weight=weight, squares=True, **options),
        )
        found = [
            cm.interval("accuracy"),
            cm.interval("f1"),
            table.interval("roc_auc"),
            table.interval("brier"),
            sums.interval("log_loss"),
            table.at(0.5).interval("recall"),
        ]
        return [
            each.note
            for each in [
                *found,
                rs.group_by(y, p > 0.5, by=["a"] * 120, sample_weight=weight, **options).interval("recall"),
            ]
        ]

    for note in said():
        assert 'weight_kind="sampling"' in (note[0] if isinstance(note, tuple) else note)
    assert not any(said(weight_kind="sampling"))
    whole = rs.ConfusionMatrix(y, p > 0.5, sample_weight=np.full(120, 2.0), labels=[0, 1])
    assert whole.interval("f1").note is None


def test_p_values_of_sampling_weights_are_undefined():
    y, p = [0, 0, 1, 1, 0, 1] * 20, np.linspace(0.1, 0.9, 120)
    weight = np.linspace(0.5, 2, 120)
    options = {"sample_weight": weight, "weight_kind": "sampling"}
    table, matrix = rs.ScoreTable(y, p, **options), rs.ConfusionMatrix(y, p > 0.5, labels=[0, 1], **options)
    tests = [row.name for row in rs.indices() if row.name.endswith("p_value")]
    assert len(tests) == 10
    for name in tests:
        sources = [table] if "scores" in rs.index(name).forms else [matrix, table.at(0.5)]
        for source in sources:
            assert np.isnan(source.value(name)), name
            assert "sampling weights" in source.why(name)
        if len(sources) > 1:
            assert np.isnan(matrix.every(name)).all()


def test_what_is_asked_for_must_exist():
    cm = rs.ConfusionMatrix.from_counts(MATRICES[1])
    with pytest.raises(rs.UnknownIndexError, match="has no interval"):
        cm.interval("chi_squared")
    with pytest.raises(rs.UnknownIndexError, match="its methods: wilson, clopper_pearson"):
        cm.interval("accuracy", method="logarithm")
    with pytest.raises(rs.UnknownIndexError, match="per class"):
        cm.interval("recall")
    with pytest.raises(rs.InputError, match="level is 1"):
        cm.interval("accuracy", level=1)
    with pytest.raises(rs.InputError, match='method is \'exact\'; expected "normal", "wilson"'):
        cm.interval("accuracy", method="exact")
    with pytest.raises(rs.InputError, match="side"):
        cm.interval("accuracy", side="both")
    with pytest.raises(rs.InputTypeError, match="level"):
        cm.interval("accuracy", level="95 %")


def test_every_row_with_intervals_gives_them():
    counts = rs.Counts([30, 5], [4, 9], [7, 2], [40, 60])
    cm = rs.ConfusionMatrix.from_counts(MATRICES[0])
    rows = [row for row in rs.indices() if row.intervals and not {"scores", "queries"} & set(row.forms)]
    assert len(rows) > 15
    for row in rows:
        for method in row.intervals:
            if row.name == "adjacent_accuracy":
                continue  # these tables are narrow, and it is 1
            whole = cm.interval(row.name, method=method)
            assert whole.low < cm[row.name] < whole.high
            found = counts.interval(row.name, method=method)
            assert found.estimate.shape == (2,)
            np.testing.assert_allclose(found.estimate, counts[row.name], rtol=1e-14)  # a column
            assert (found.low < found.estimate).all(), (row.name, method)
            assert (found.estimate < found.high).all(), (row.name, method)
            lower = counts.interval(row.name, method=method, side="lower", level=0.975)
            np.testing.assert_allclose(lower.low, found.low, rtol=1e-12)
            assert (lower.high == row.high).all()


def test_words():
    cm = rs.ConfusionMatrix.from_counts(MATRICES[1])
    assert cm.interpret("kappa") == "Fair"
    assert [cm.interpret("kappa", scale=scale.name) for scale in rs.index("kappa").scales] == [
        "Fair",
        "Poor",
        "Fair",
        "Poor",
    ]
    assert cm.every_interpret("mcc") == ["Moderate", "Negligible", "Negligible"]
    assert cm.every_interpret("plr", scale="likelihood_ratio")[1] == "Poor"
    with pytest.raises(rs.UnknownIndexError, match="landis_koch, fleiss, altman, cicchetti"):
        cm.interpret("kappa", scale="koch")
    with pytest.raises(rs.UnknownIndexError, match="no scale"):
        cm.interpret("accuracy")
    scale = rs.index("kappa").scales[0]
    assert (scale.name, scale.bands[1]) == ("landis_koch", (0.0, "Slight"))


def test_the_bounds_of_a_share_hold_it_at_the_ends_of_its_range():
    rows = np.arange(1, 2000)
    none = np.zeros_like(rows)
    for method in ("wilson", "clopper_pearson", "jeffreys"):
        all_right = rs.Counts(tp=rows, fp=none, fn=none, tn=none).interval("recall", method=method)
        all_wrong = rs.Counts(tp=none, fp=none, fn=rows, tn=none).interval("recall", method=method)
        assert (all_right.high == 1).all(), method
        assert (all_wrong.low == 0).all(), method

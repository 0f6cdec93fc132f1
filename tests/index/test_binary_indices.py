"""Indices of one two-by-two table against PyCM: every class statistic, every distance; and against exact arithmetic."""

import math
import re
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs

pycm = pytest.importorskip("pycm")

# PyCM's numeric class statistics, and our indices. PyCM's bands (PLRI, ...) are scales of words, not indices.
CLASS_STATISTICS = {
    "TPR": "tpr", "TNR": "tnr", "PPV": "ppv", "NPV": "npv", "FNR": "fnr", "FPR": "fpr", "FDR": "fdr", "FOR": "for",
    "ACC": "acc", "F1": "f1", "MCC": "mcc", "BM": "bm", "MK": "mk", "PLR": "plr", "NLR": "nlr", "DOR": "dor", "TP": "tp",
    "TN": "tn", "FP": "fp", "FN": "fn", "POP": "pop", "P": "positives", "PR": "prevalence", "N": "negatives", "TOP": "top",
    "TOPR": "topr", "TON": "ton", "PRE": "pre", "G": "g_measure", "RACC": "racc", "F05": "f0.5", "F2": "f2", "ERR": "err",
    "RACCU": "raccu", "J": "jaccard", "IS": "is", "CEN": "cen", "MCEN": "mcen", "AUC": "ba", "sInd": "sind", "dInd": "dind",
    "DP": "dp", "Y": "youden", "GI": "informedness", "LS": "ls", "AM": "am", "BCD": "bcd", "OP": "op", "IBA": "iba",
    "GM": "gm", "Q": "yule_q", "AGM": "agm", "AGF": "agf", "OC": "oc", "OOC": "ooc", "AUPR": "kulczynski_ii", "ICSI": "icsi",
    "HD": "hd", "BB": "bb",
}  # fmt: skip
BANDS = {"PLRI", "NLRI", "DPI", "AUCI", "MCCI", "QI"}

# Statistics that are "None" in PyCM and have a value here: by a convention, or by a formula without a division by zero.
DEFINED = {
    "MCC": {0.0},  # the convention
    "CEN": {0.0},  # of a class that does not occur
    "MCEN": {0.0},
    "Q": {-1.0, 0.0, 1.0},  # errors of one kind only; PyCM divides by both
    "AUC": None,  # a class without rows is left out
    "DOR": {0.0},  # no true positives or negatives, and errors of both kinds: PyCM divides by a ratio that is 0
}


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


# PyCM's statistic is not the rank correlation of this name.
OTHER_NAMES = {"kendall_tau": "kendall_tau_similarity"}
DISTANCES = {kind: OTHER_NAMES.get(snake(kind.name), snake(kind.name)) for kind in pycm.DistanceType}


def tables():
    """Random tables, tables with every pattern of zeros, lopsided ones."""
    rng = np.random.default_rng(20261122)
    rows = [rng.integers(0, 100, 4) for _ in range(120)]
    rows += [10 ** rng.uniform(0, 4, 4) for _ in range(60)]
    for pattern in range(1, 16):
        keep = [pattern >> bit & 1 for bit in range(4)]
        rows += [rng.integers(1, 6, 4) * keep, rng.integers(1, 900, 4) * keep]
    rows += [(1, 1, 1, 1), (1, 0, 0, 0), (0, 0, 1, 99), (7, 7, 7, 7), (1, 0, 0, 1), (4, 1, 2, 3)]
    return np.array([[int(count) for count in row] for row in rows])


def pycm_of(cells):
    tp, fp, fn, tn = (int(cell) for cell in cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pycm.ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})


class Tally:
    """How near two columns of values are."""

    def __init__(self):
        self.compared = self.close = 0
        self.wrong = []

    def meet(self, what, theirs, ours, defined=None):
        if isinstance(theirs, str):
            assert theirs == "None"
            if not math.isnan(ours):
                allowed = DEFINED.get(defined, set())
                if allowed is not None and ours not in allowed:
                    self.wrong.append((what, theirs, ours))
            return
        self.compared += 1
        distance = abs(ours - theirs) / max(1.0, abs(theirs))
        self.close += distance <= 1e-12
        if not distance <= 1e-9:
            self.wrong.append((what, theirs, ours))

    def judge(self):
        assert not self.wrong, f"{len(self.wrong)} of {sorted({what[0] for what, *_ in self.wrong})}: {self.wrong[:12]}"
        assert self.compared > 1000
        assert self.close >= 0.99 * self.compared


def test_the_names_of_all_class_statistics_are_known():
    numbers = {"F0.5" if name == "F05" else name for name in CLASS_STATISTICS}
    assert numbers | BANDS == set(pycm.params.CLASS_PARAMS)
    assert len(numbers | BANDS) == 65


def test_all_63_distances_have_a_row_by_their_name():
    assert len(DISTANCES) == 63
    for name in DISTANCES.values():
        assert "counts" in rs.index(name).forms


def test_class_statistics_and_distances_of_two_by_two_tables():
    cells, tally = tables(), Tally()
    counts = rs.Counts(*cells.T)
    ours = {name: counts[name] for name in {*CLASS_STATISTICS.values(), *DISTANCES.values()}}
    for place, table in enumerate(cells):
        theirs = pycm_of(table)
        for statistic, name in CLASS_STATISTICS.items():
            if statistic not in {"CEN", "MCEN"}:  # those of a whole table; those of a class are compared below
                tally.meet((statistic, table), getattr(theirs, statistic)[1], ours[name][place], statistic)
        for kind, name in DISTANCES.items():
            if kind.name == "GilbertWells" and table.sum() > 1000:
                continue  # factorials that PyCM cannot divide
            tally.meet((kind.name, table), theirs.distance(metric=kind)[1], ours[name][place])
    tally.judge()


def test_undefined_values_have_a_reason():
    names = {*CLASS_STATISTICS.values(), *DISTANCES.values()}
    for table in tables():
        counts = rs.Counts(*table)
        for name in names:
            if math.isnan(counts[name]):
                assert counts.why(name)


@pytest.mark.parametrize("classes", [3, 5])
def test_class_statistics_and_distances_of_each_class_against_the_rest(classes):
    rng, tally = np.random.default_rng(classes), Tally()
    for turn in range(12):
        matrix = rng.integers(0, 60, (classes, classes)) * (rng.random((classes, classes)) < 0.6)
        if turn % 3 == 0:
            matrix[:, 0] = 0  # a class that is never predicted
        if turn % 4 == 0:
            matrix[1] = 0  # one without rows
        if not matrix.any():
            continue
        ours = rs.ConfusionMatrix.from_counts(matrix)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows = {i: {j: int(matrix[i, j]) for j in range(classes)} for i in range(classes)}
            theirs = pycm.ConfusionMatrix(matrix=rows)
        for statistic, name in CLASS_STATISTICS.items():
            values = ours.every(name)
            for k in range(classes):
                tally.meet((statistic, k, matrix), getattr(theirs, statistic)[k], values[k], statistic)
        for kind, name in DISTANCES.items():
            values, expected = ours.every(name), theirs.distance(metric=kind)
            for k in range(classes):
                tally.meet((kind.name, k, matrix), expected[k], values[k])
    tally.judge()


def test_class_statistics_and_distances_of_weighted_rows():
    rng, tally = np.random.default_rng(7), Tally()
    for _ in range(10):
        actual, predicted = rng.integers(0, 2, (2, 50))
        weights = rng.integers(0, 9, 50)
        weights[:2], actual[:2], predicted[:2] = 1, (0, 1), (0, 1)
        ours = rs.ConfusionMatrix(actual, predicted, sample_weight=weights.astype(float))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = pycm.ConfusionMatrix(actual.tolist(), predicted.tolist(), sample_weight=weights.tolist())
        for statistic, name in CLASS_STATISTICS.items():
            for k in (0, 1):
                tally.meet((statistic, k), getattr(theirs, statistic)[k], ours.every(name)[k], statistic)
        for kind, name in DISTANCES.items():
            for k in (0, 1):
                tally.meet((kind.name, k), theirs.distance(metric=kind)[k], ours.every(name)[k])
    tally.judge()


def test_statistics_with_parameters():
    for table in tables()[:60]:
        theirs, ours = pycm_of(table), rs.Counts(*table)
        for alpha, beta in ((0.3, 0.7), (1, 1), (2, 0.5)):
            expected = theirs.TI(alpha, beta)[1]
            if expected != "None":
                assert ours.value("tversky", alpha=alpha, beta=beta) == pytest.approx(expected, rel=1e-13)
        for alpha in (0.1, 0.5, 2):
            expected = theirs.IBA_alpha(alpha)[1]
            if expected != "None":
                assert ours.value("iba", alpha=alpha) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        for weight in (0, 0.059, 3):
            expected = theirs.NB(weight)[1]
            assert ours.value("net_benefit", weight=weight) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        expected = theirs.sensitivity_index()[1]
        if expected == "None":
            assert math.isnan(ours["sensitivity_index"])
        else:
            assert ours["d_prime"] == pytest.approx(expected, rel=1e-12, abs=1e-12)
        expected = theirs.F_beta(3)[1]
        if expected != "None":
            assert ours.value("fbeta", beta=3) == pytest.approx(expected, rel=1e-13)


def test_values_at_another_prevalence():
    counts = rs.Counts(79, 16, 14, 91)
    recall, specificity = 79 / 93, 91 / 107
    for prevalence in (0.001, 0.2, 0.93):
        right = recall * prevalence
        expected = right / (right + (1 - specificity) * (1 - prevalence))
        assert counts.value("precision_at_prevalence", prevalence=prevalence) == pytest.approx(expected, rel=1e-13)
        right = specificity * (1 - prevalence)
        expected = right / (right + (1 - recall) * prevalence)
        assert counts.value("npv_at_prevalence", prevalence=prevalence) == pytest.approx(expected, rel=1e-13)
    assert counts["precision_at_prevalence"] == pytest.approx(counts["precision"], rel=1e-14)
    assert counts["npv_at_prevalence"] == pytest.approx(counts["npv"], rel=1e-14)
    assert counts.value("net_benefit", threshold=0.2) == pytest.approx((79 - 16 / 4) / 200, rel=1e-14)


LARGE = [
    (2**40 + 7, 2**39 - 3, 2**38 + 1, 2**41 + 5),
    (2**40, 2**40 + 1, 2**40 + 2, 2**40 + 3),  # all but independent: everything cancels
    (10**9, 1, 2, 10**9 + 7),
    (3, 10**9, 5, 2**40),
    (2**45 + 1, 2**20, 2**30, 2**44 - 1),
]

RATIONAL = {
    "baulieu_ii": lambda a, b, c, d: Fraction((a * d) ** 2, (a + b) * (a + c) * (b + d) * (c + d)),
    "baulieu_iii": lambda a, b, c, d: Fraction((a + b + c + d) ** 2 - 4 * (a * d - b * c), 2 * (a + b + c + d) ** 2),
    "batagelj_bren": lambda a, b, c, d: Fraction(b * c, a * d),
    "benini_i": lambda a, b, c, d: Fraction(a * d - b * c, (a + c) * (c + d)),
    "benini_ii": lambda a, b, c, d: Fraction(a * d - b * c, min((a + c) * (c + d), (a + b) * (b + d))),
    "forbes_i": lambda a, b, c, d: Fraction((a + b + c + d) * a, (a + b) * (a + c)),
    "dispersion": lambda a, b, c, d: Fraction(a * d - b * c, (a + b + c + d) ** 2),
    "doolittle": lambda a, b, c, d: Fraction((a * d - b * c) ** 2, (a + b) * (a + c) * (b + d) * (c + d)),
    "eyraud": lambda a, b, c, d: Fraction(a - (a + b) * (a + c), (a + b) * (a + c) * (b + d) * (c + d)),
    "kuder_richardson": lambda a, b, c, d: Fraction(
        4 * (a * d - b * c), (a + b) * (c + d) + (a + c) * (b + d) + 2 * (a * d - b * c)
    ),
    "kuhns_iii": lambda a, b, c, d: (
        (a - Fraction((a + b) * (a + c), a + b + c + d))
        / ((1 - Fraction(a, 2 * a + b + c)) * (2 * a + b + c - Fraction((a + b) * (a + c), a + b + c + d)))
    ),
    "kent_foster_i": lambda a, b, c, d: (
        (a - Fraction((a + b) * (a + c), a + b + c)) / (a - Fraction((a + b) * (a + c), a + b + c) + b + c)
    ),
    "yule_q": lambda a, b, c, d: Fraction(a * d - b * c, a * d + b * c),
    "icsi": lambda a, b, c, d: Fraction(a, a + b) + Fraction(a, a + c) - 1,
    "kendall_tau_similarity": lambda a, b, c, d: Fraction(2 * (a + d - b - c), (a + b + c + d) * (a + b + c + d - 1)),
    "goodman_kruskal_lambda": lambda a, b, c, d: Fraction(
        max(a, b) + max(c, d) + max(a, c) + max(b, d) - max(a + b, c + d) - max(a + c, b + d),
        2 * (a + b + c + d) - max(a + b, c + d) - max(a + c, b + d),
    ),
}


@pytest.mark.parametrize("name", RATIONAL)
def test_large_counts_agree_with_exact_fractions(name):
    for table in LARGE:
        exact = RATIONAL[name](*table)
        assert rs.Counts(*table)[name] == pytest.approx(float(exact), rel=1e-14, abs=0), table


def ln_factorial(x):
    """ln x!, by Stirling's series from 1000 on, to more than 30 digits."""
    lift = Decimal(1)
    while x < 1000:
        x += 1
        lift *= x
    pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
    x = Decimal(x)
    bernoulli = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)]
    series = sum(Decimal(top) / bottom / x ** (2 * k + 1) for k, (top, bottom) in enumerate(bernoulli))
    return x * x.ln() - x + (2 * pi * x).ln() / 2 + series - lift.ln()


def gilbert_wells(a, b, c, d):
    with localcontext() as context:
        context.prec = 60
        n, margins = a + b + c + d, (a + b, a + c, b + d, c + d)
        product = Decimal(math.prod(margins))
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
        weight = (Decimal(n) ** 3 / (2 * pi * product)).ln()
        factorials = sum(ln_factorial(x) for x in (n, a, b, c, d)) - sum(ln_factorial(x) for x in margins)
        return float(weight + 2 * factorials)


def test_gilbert_and_wells_where_factorials_overflow():
    small = [(5, 3, 2, 7), (40, 2, 0, 30), (1, 0, 3, 1)]
    for table in small + LARGE:
        expected = gilbert_wells(*table)
        assert rs.Counts(*table)["gilbert_wells"] == pytest.approx(expected, rel=1e-13, abs=1e-11), table


@pytest.mark.parametrize("scale", [1e-6, 1e6, 1e12])
def test_digby_and_goodall_keep_their_digits(scale):
    tp, fp, fn, tn = (scale * cell for cell in (1.0, 1.0, 1.0, 1.0 + 1e-9))
    assert rs.Counts(tp, fp, fn, tn)["digby"] == pytest.approx(0.375e-9, rel=1e-6)
    assert rs.Counts(scale, 0, 0, scale)["goodall"] == 1.0
    assert rs.Counts(tp, 0, 0, tn)["digby"] == 1.0

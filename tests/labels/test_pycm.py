"""Every name of PyCM 4.6 against PyCM itself, on random, degenerate, large and weighted matrices."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import rocksteady as rs

pycm = pytest.importorskip("pycm", minversion="4.6")

ROOT = Path(__file__).parents[2]
OVERALL = [name for name in rs.pycm.NAMES if name not in rs.pycm.CLASS_NAMES]


def of_pycm(cells):
    """PyCM's matrix of whole numbers."""
    return pycm.ConfusionMatrix(matrix={i: {j: int(n) for j, n in enumerate(row)} for i, row in enumerate(cells)})


def degenerate(classes, generator):
    """Matrices with absent classes, empty margins, one class, all right, all wrong."""
    full = generator.integers(1, 30, (classes, classes))
    for kind in ("no actual", "no predicted", "absent", "one actual", "one predicted"):
        cells = full.copy() if kind in ("no actual", "no predicted", "absent") else np.zeros_like(full)
        if kind in ("no actual", "absent"):
            cells[0] = 0
        if kind in ("no predicted", "absent"):
            cells[:, 0] = 0
        if kind == "one actual":
            cells[0] = full[0]
        if kind == "one predicted":
            cells[:, 0] = full[:, 0]
        yield cells
    yield np.diag(generator.integers(1, 30, classes))
    yield full - np.diag(np.diag(full))
    for place in ((0, 0), (0, 1), (1, 1)):
        cells = np.zeros_like(full)
        cells[place] = 7
        yield cells


def matrices():
    generator = np.random.default_rng(4)
    for classes in (2, 3, 4, 6):
        for most in (3, 10, 50, 50, 400):
            yield generator.integers(0, most, (classes, classes))
        yield from degenerate(classes, generator)


MATRICES = [cells for cells in matrices() if cells.any()]


# Our values where PyCM has "None", if they are not NaN: functions of the cells and, for class statistics, of the class.
# An average is over the classes that have a value; a word is the word of the value.


def shares(cells):
    """Recall and specificity of each class."""
    cells = np.asarray(cells, float)
    right, actual, predicted, total = np.diag(cells), cells.sum(1), cells.sum(0), cells.sum()
    with np.errstate(all="ignore"):
        return right / actual, (total - actual - predicted + right) / (total - actual)


def area(cells, place):
    return np.nanmean([share[place] for share in shares(cells)])


def odds_ratio(cells, place):
    counts = rs.ConfusionMatrix.from_counts(cells).counts()
    return (counts.tp * counts.tn / (counts.fp * counts.fn))[place]


def chi_squared(cells, divided=lambda value, total, classes: value):
    """Of the classes that occur, and of those that are predicted."""
    cells = cells[cells.any(1)][:, cells.any(0)]
    value = scipy.stats.chi2_contingency(cells, correction=False).statistic
    return divided(value, cells.sum(), min(cells.shape))


def divergence(cells):
    actual, predicted = cells.sum(1) / cells.sum(), cells.sum(0) / cells.sum()
    occurs = actual > 0
    with np.errstate(divide="ignore"):
        return np.sum(actual[occurs] * np.log2(actual[occurs] / predicted[occurs]))


def seen(cells):
    return cells.any(0) | cells.any(1)


def entropy(name, modified):
    """Overall confusion entropy of the classes that occur, from PyCM's class values."""

    def value(cells):
        classes = of_pycm(cells).class_stat[name]
        both, right = cells.sum(0) + cells.sum(1), np.diag(cells)
        both, all_ = (
            (both - right, 2 * cells.sum() - right.sum() * (len(cells) > 2)) if modified else (both, 2 * cells.sum())
        )
        return sum(both[place] / all_ * value for place, value in classes.items() if value != "None")

    return value


def over_seen(value):
    """The mean over the classes that occur or are predicted."""

    def mean(cells):
        with np.errstate(all="ignore"):
            return np.mean(np.nan_to_num(value(cells))[seen(cells)])

    return mean


def jaccard(cells):
    with np.errstate(all="ignore"):
        return np.diag(cells) / (cells.sum(0) + cells.sum(1) - np.diag(cells))


def macro(name):
    """PyCM's own average, which can leave out what is None."""
    return lambda cells: of_pycm(cells).average(name, none_omit=True)


CONVENTIONS = {
    "MCC": lambda cells, place: 0,
    "Overall MCC": lambda cells: 0,
    "DOR": odds_ratio,
    "AUC": area,
    "AUNU": lambda cells: np.mean([area(cells, place) for place in range(len(cells))]),
    "AUNP": lambda cells: np.average([area(cells, place) for place in range(len(cells))], weights=cells.sum(1)),
    "Q": lambda cells, place: 1,
    "CEN": lambda cells, place: 0,
    "MCEN": lambda cells, place: 0,
    "Overall CEN": entropy("CEN", modified=False),
    "Overall MCEN": entropy("MCEN", modified=True),
    "Chi-Squared": chi_squared,
    "Phi-Squared": lambda cells: chi_squared(cells, lambda x, total, _: x / total),
    "Cramer V": lambda cells: chi_squared(cells, lambda x, total, classes: math.sqrt(x / total / (classes - 1))),
    "Pearson C": lambda cells: chi_squared(cells, lambda x, total, _: math.sqrt(x / (x + total))),
    "KL Divergence": divergence,
    "ARI": lambda cells: 1,
    "CBA": over_seen(lambda cells: np.diag(cells) / np.maximum(cells.sum(0), cells.sum(1))),
    "Overall J": lambda cells: (
        np.nansum(jaccard(cells)),
        over_seen(jaccard)(cells),
    ),
    "CSI": macro("ICSI"),
    "TPR Macro": macro("TPR"),
    "TNR Macro": macro("TNR"),
    "FPR Macro": macro("FPR"),
    "FNR Macro": macro("FNR"),
    "PPV Macro": macro("PPV"),
    "NPV Macro": macro("NPV"),
    "F1 Macro": macro("F1"),
    "P-Value": lambda cells: scipy.stats.binom.sf(np.trace(cells) - 1, cells.sum(), cells.sum(1).max() / cells.sum()),
    "GilbertWells": None,  # factorials that overflow
}
WORDS = {"MCCI", "AUCI", "QI", "SOA5(Cramer)", "SOA6(Matthews)", "SOA10(Pearson C)"}


def within(name, ours, theirs):
    """Both bounds of an interval, PyCM's cut to the range; where they have no width, ours are NaN."""
    if "CI" not in name or "None" in theirs:
        return ours, theirs
    if theirs[0] == theirs[1]:
        assert np.isnan(ours).all(), name
        return theirs, theirs
    return ours, np.clip(theirs, -1 if "Kappa" in name else 0, 1).tolist()


class Comparison:
    """Differences of many values, and what is wrong."""

    def __init__(self):
        self.differences, self.wrong = [], []

    def add(self, name, ours, theirs, convention=None, why=None):
        if isinstance(ours, tuple):
            ours, both = within(name, ours, theirs if isinstance(theirs, tuple) else ("None", "None"))
            for part, (one, other) in enumerate(zip(ours, both, strict=True)):
                self.add(name, one, other, convention and (lambda part=part: convention()[part]), why)
        elif theirs != "None" and isinstance(theirs, str):
            if ours != theirs:
                self.wrong.append((name, ours, theirs))
        elif theirs != "None":
            difference = abs(ours - theirs) / max(1, abs(theirs))
            self.differences.append(difference)
            if not difference <= 1e-9:
                self.wrong.append((name, ours, theirs))
        elif ours is None or isinstance(ours, str):
            if ours is not None and name not in WORDS:
                self.wrong.append((name, ours, "a word for what is None"))
        elif math.isnan(ours):
            if not why():
                self.wrong.append((name, ours, "NaN without a reason"))
        elif name not in CONVENTIONS:
            self.wrong.append((name, ours, "a value for what is None"))
        elif convention and ours != convention() and ours != pytest.approx(convention(), abs=1e-11):
            self.wrong.append((name, ours, f"conventional {convention()}"))

    def check(self):
        assert not self.wrong, self.wrong[:20]
        differences = np.array(self.differences)
        assert (differences <= 1e-12).mean() >= 0.99


def compare(comparison, cells, theirs, ours, conventions=True):
    counts = ours.counts()
    tables = [rs.Counts(*(array[place] for array in counts._arrays)) for place in range(len(cells))]
    for name in [*rs.pycm.CLASS_NAMES, *rs.pycm.DISTANCES]:
        found = ours.every_pycm(name)
        distance = name in rs.pycm.DISTANCES
        expected = theirs.distance(pycm.DistanceType[name]) if distance else theirs.class_stat[name]
        rule = CONVENTIONS.get(name) if conventions else None
        row = (rs.pycm.DISTANCES if distance else rs.pycm.NAMES)[name].row
        for place, value in enumerate(expected.values()):
            convention = rule and (lambda place=place, rule=rule: rule(cells, place))
            comparison.add(name, found[place], value, convention, lambda place=place, row=row: tables[place].why(row))
    for name in OVERALL:
        rule = CONVENTIONS.get(name) if conventions else None
        convention = rule and (lambda rule=rule: rule(cells))
        reason = lambda name=name: rs.pycm.why(ours, name)  # noqa: E731
        comparison.add(name, ours.pycm(name), theirs.overall_stat[name], convention, reason)


def test_every_name_is_there():
    assert list(rs.pycm.CLASS_NAMES)
    assert set(rs.pycm.CLASS_NAMES) == set(pycm.params.CLASS_PARAMS)
    assert set(OVERALL) == set(pycm.params.OVERALL_PARAMS)
    assert set(rs.pycm.DISTANCES) == {kind.name for kind in pycm.DistanceType}
    assert (len(rs.pycm.NAMES), len(rs.pycm.DISTANCES)) == (134, 63)
    for reading in [*rs.pycm.NAMES.values(), *rs.pycm.DISTANCES.values()]:
        row = rs.index(reading.row)
        assert {parameter.name for parameter in row.parameters} >= set(reading.parameters)
        if "word" in reading.how:
            assert reading.option in {scale.name for scale in row.scales}


@pytest.mark.filterwarnings("ignore")
def test_every_value():
    comparison = Comparison()
    for cells in MATRICES:
        compare(comparison, cells, of_pycm(cells), rs.ConfusionMatrix.from_counts(cells))
    comparison.check()
    assert len(comparison.differences) > 20_000


@pytest.mark.filterwarnings("ignore")
def test_weights():
    """PyCM counts weights too, where it does not need whole numbers: "ARI" and "P-Value" are None there, and GilbertWells."""
    generator = np.random.default_rng(5)
    comparison = Comparison()
    for classes in (2, 3, 5):
        y_true, y_pred = generator.integers(0, classes, (2, 200))
        weights = generator.uniform(0.1, 3, 200)
        theirs = pycm.ConfusionMatrix(y_true.tolist(), y_pred.tolist(), sample_weight=weights.tolist())
        ours = rs.ConfusionMatrix(y_true, y_pred, sample_weight=weights)
        compare(comparison, ours.to_array(), theirs, ours, conventions=False)
    comparison.check()


@pytest.mark.filterwarnings("ignore")
def test_many_rows():
    """PyCM's P-Value is None from 2,000 rows on, ours is the binomial tail."""
    cells = np.random.default_rng(6).integers(0, 900, (4, 4))
    cells[0] += 300
    comparison = Comparison()
    compare(comparison, cells, of_pycm(cells), rs.ConfusionMatrix.from_counts(cells))
    comparison.check()
    likely = np.array([[600, 500], [480, 520]])
    assert of_pycm(likely).overall_stat["P-Value"] == "None"
    found = rs.ConfusionMatrix.from_counts(likely).pycm("P-Value")
    assert found == pytest.approx(scipy.stats.binom.sf(1119, 2100, 1100 / 2100), rel=1e-12)
    huge = rs.ConfusionMatrix.from_counts(np.array(likely) * 10**9)
    assert huge.pycm("P-Value") == 0
    for name in OVERALL:
        assert huge.pycm(name) is not None or "SOA" in name
        assert not (isinstance(huge.pycm(name), float) and math.isnan(huge.pycm(name))), name


def test_one_class():
    """PyCM refuses a single class; ours have a value, or a reason."""
    cm = rs.ConfusionMatrix.from_counts([[7]])
    assert cm.pycm("Overall ACC") == 1
    for name in rs.pycm.NAMES:
        value = cm.every_pycm(name)[0] if name in rs.pycm.CLASS_NAMES else cm.pycm(name)
        if isinstance(value, float) and math.isnan(value):
            assert rs.pycm.why(cm, name), name


def test_all_at_once():
    random = np.random.default_rng(3)
    for cells in (random.integers(0, 30, (5, 5)), random.random((4, 4)), [[5, 0], [3, 0]], [[7]], np.diag([0, 3, 0])):
        cm = rs.ConfusionMatrix.from_counts(cells)
        for name, found in rs.pycm.overall_stat(cm).items():
            np.testing.assert_equal(found, cm.pycm(name), err_msg=name)
        for name, each in rs.pycm.class_stat(cm).items():
            np.testing.assert_array_equal(each, cm.every_pycm(name), err_msg=name)
    assert [*rs.pycm.class_stat(cm), *rs.pycm.overall_stat(cm)] == [*rs.pycm.NAMES]
    with pytest.raises(rs.InputTypeError):
        rs.pycm.overall_stat([[1, 2], [3, 4]])


def test_an_unknown_name():
    cm = rs.ConfusionMatrix.from_counts([[3, 1], [2, 4]])
    with pytest.raises(rs.UnknownIndexError, match="'Overall ACC' or"):
        cm.pycm("Overal ACC")
    with pytest.raises(rs.UnknownIndexError, match="ask every_pycm"):
        cm.pycm("TPR")
    with pytest.raises(rs.UnknownIndexError, match="ask pycm"):
        cm.every_pycm("Kappa")
    with pytest.raises(rs.UnknownIndexError, match="lists them"):
        cm.pycm("xyz")
    assert cm.every_pycm("BaulieuXI").shape == (2,)


def test_the_page_is_fresh():
    page = ROOT / "docs" / "pycm_names.py"
    if not page.exists():
        pytest.skip("a source distribution has no docs/")
    done = subprocess.run([sys.executable, page, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

"""Thresholds: the best under a condition, targets, the Pareto set, exact grids, and counts at given thresholds."""

import json
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs

# The oracle: one threshold at a time, by the definition.


def naive_counts(y, s, threshold, side=">=", weights=None):
    """tp, fp, fn, tn, added up in fractions."""
    cells = [Fraction(0)] * 4
    for row, (truth, score) in enumerate(zip(y, s, strict=True)):
        positive = score >= threshold if side == ">=" else score > threshold
        place = (0 if truth else 1) if positive else (2 if truth else 3)
        cells[place] += 1 if weights is None else Fraction(weights[row])
    return [float(cell) for cell in cells]


def cells_of(counts):
    return [float(counts.tp), float(counts.fp), float(counts.fn), float(counts.tn)]


def at_each(table):
    """Counts of each threshold, from high to low, one by one; at inf nothing is predicted positive."""
    counts = table.counts()
    return [rs.Counts(*four) for four in zip(counts.tp, counts.fp, counts.fn, counts.tn, strict=True)]


def defined(counts, name):
    """The value, None where there is none."""
    return None if counts.why(name) else counts[name]


@pytest.fixture(scope="module")
def simple(request):
    scores, labels = np.loadtxt(request.getfixturevalue("rocr_simple"), delimiter=",", skiprows=1, unpack=True)
    return rs.ScoreTable(labels.astype(int), scores)


@pytest.fixture(scope="module")
def golden(request):
    return json.loads((request.getfixturevalue("data") / "golden.json").read_text())


ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9)), min_size=1, max_size=40)

# Conditions.

INDICES = ("recall", "precision", "specificity", "fpr", "npv", "f1", "mcc", "rpp", "kappa", "lift", "informedness")
AMOUNTS = ("tp", "fp", "fn", "tn", "n")
NUMBERS = st.sampled_from(["0", "0.5", "1", "2", "0.25", "1e-3", "-1", "3", ".75"])
LEAVES = st.one_of(st.sampled_from(INDICES), st.sampled_from(AMOUNTS), NUMBERS)
SIDES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(lambda x: f"({x[0]} {x[1]} {x[2]})"),
        inner.map(lambda x: f"abs({x})"),
        st.tuples(inner, inner).map(lambda x: f"min({x[0]}, {x[1]})"),
    ),
    max_leaves=4,
)
ORDERS = st.sampled_from([">=", ">", "<=", "<", "=="])


@st.composite
def conditions(draw):
    clauses = []
    for _ in range(draw(st.integers(1, 3))):
        clause = draw(SIDES)
        for _ in range(draw(st.sampled_from([1, 1, 1, 2]))):
            clause += draw(st.sampled_from(["", " "])) + draw(ORDERS) + draw(st.sampled_from(["", "  "])) + draw(SIDES)
        clauses.append(clause)
    return " and ".join(clauses)


class UndefinedError(Exception):
    """An index has no value."""


class Values(dict):
    """The names of a condition at one threshold."""

    def __init__(self, counts):
        super().__init__()
        self.counts = counts

    def __missing__(self, name):
        amounts = dict(zip(AMOUNTS, [*cells_of(self.counts), sum(cells_of(self.counts))], strict=True))
        if name in ("abs", "min"):
            raise KeyError(name)
        if name in amounts:
            return amounts[name]
        value = defined(self.counts, name)
        if value is None:
            raise UndefinedError
        return value


def python_says(condition, counts):
    """Python's own reading; all clauses are looked at, so that an undefined one is never passed over."""
    held = []
    for clause in condition.split(" and "):
        try:
            held.append(bool(eval(clause, {"abs": abs, "min": min}, Values(counts))))
        except (UndefinedError, ZeroDivisionError):
            held.append(False)
    return all(held)


def read(table, condition):
    """Where it is met; None if it is refused, as only numbers that are divided by 0 may be, before anything is read."""
    try:
        return table.meeting(condition)
    except rs.InputError as refusal:
        if "expected a denominator that is not 0" not in str(refusal):
            raise
        return None


@given(ROWS, conditions())
def test_conditions_hold_where_python_says_so(rows, condition):
    table = rs.ScoreTable(*zip(*rows, strict=True), pos_label=1)
    met = read(table, condition)
    if met is None:
        return
    assert met.dtype == bool
    assert met.tolist() == [python_says(condition, counts) for counts in at_each(table)]


@given(ROWS, conditions(), st.sampled_from(["recall", "f1", "mcc", "fpr", "precision", "error_rate"]), st.booleans())
def test_the_best_under_a_condition_is_the_best_of_those_that_meet_it(rows, condition, name, turned):
    table = rs.ScoreTable(*zip(*rows, strict=True), pos_label=1)
    met = read(table, condition)
    if met is None:
        return
    highest = (rs.index(name).better == "higher") != turned
    goal = {"maximize" if highest else "minimize": True}
    column = table.every(name)  # by which thresholds are compared
    is_usable = [ok and defined(counts, name) is not None for counts, ok in zip(at_each(table), met, strict=True)]
    values = [float(value) if ok else None for value, ok in zip(column, is_usable, strict=True)]
    usable = [value for value in values if value is not None]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        every = table.best(name, subject_to=condition, all=True, **goal)
        lowest = table.best(name, subject_to=condition, **goal)
    assert len(said) == (0 if usable else 2)
    why = table.why_no_best(name, subject_to=condition)
    if not usable:
        assert every == []
        assert np.isnan(list(lowest)).all()
        assert why is not None
        assert why.endswith(".")
        return
    best = (max if highest else min)(usable)
    places = [place for place, value in enumerate(values) if value == best][::-1]
    assert [found.threshold for found in every] == table.thresholds[places].tolist()
    assert all(found.value == pytest.approx(best, rel=1e-15) for found in every)
    assert lowest == every[0]
    assert lowest.value == at_each(table)[places[0]][name]
    assert cells_of(lowest.counts()) == cells_of(at_each(table)[places[0]])
    assert why is None


def test_many_thresholds_and_threads_are_as_few():
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 400_000)
    s = random.normal(size=len(y)) + y
    table = rs.ScoreTable(y, s)
    precision, rpp, recall = (table.every(name) for name in ("precision", "rpp", "recall"))
    usable = (precision >= 0.9) & (rpp <= 0.05)
    place = np.flatnonzero(usable & (recall == recall[usable].max()))[-1]
    before = rs.get_threads()
    try:
        for threads in (1, 2, 3):
            rs.set_threads(threads)
            found = table.best("recall", subject_to="precision >= 0.9 and rpp <= 0.05")
            assert (found.threshold, found.value) == (table.thresholds[place], recall[place])
            assert table.best("accuracy").value == table.every("accuracy").max()
            np.testing.assert_array_equal(table.meeting("precision >= 0.9 and rpp <= 0.05"), usable)
            near = table.best("accuracy", subject_to="accuracy <= 0.5", all=True)
            accuracy = table.every("accuracy")
            greatest = accuracy[accuracy <= 0.5].max()
            assert [one.threshold for one in near] == table.thresholds[accuracy == greatest][::-1].tolist()
    finally:
        rs.set_threads(before)


def test_conditions_know_parameters_aliases_and_definitions(simple):
    rs.define_index("gain_of_thresholds", "5*tp - fp", replace=True)
    try:
        found = simple.best(
            "rpp", minimize=True, subject_to="gain_of_thresholds >= 300 and fbeta(beta=2) > sensitivity/2"
        )
        gain, f2, recall = simple.every("gain_of_thresholds"), simple.every("f2"), simple.every("recall")
        place = np.flatnonzero((gain >= 300) & (f2 > recall / 2))[0]
        assert found.threshold == simple.thresholds[place]
        best = simple.best("gain_of_thresholds", subject_to="fpr <= 1/10")
        assert best.value == gain[simple.every("fpr") <= 0.1].max()
        assert simple.best("cost", fp=1, fn=5, subject_to="recall < 0.5").value == min(
            counts.value("cost", fp=1, fn=5) for counts in at_each(simple) if counts["recall"] < 0.5
        )
    finally:
        rs.undefine_index("gain_of_thresholds")


def test_parameters_in_a_condition_decide_where_it_is_undefined(simple):
    entropy = "marginal_cross_entropy"
    always = [counts.value(entropy, leave_out=1) for counts in at_each(simple)]
    assert np.isfinite(always).all()
    assert simple.meeting(f"{entropy}(leave_out=1) >= 0").all()
    assert simple.meeting(f"{entropy}(leave_out=0) >= 0").tolist() == simple.meeting(f"{entropy} >= 0").tolist()
    assert not simple.meeting(f"{entropy} >= 0")[0]  # no row is predicted positive
    nothing = rs.ScoreTable([0, 1], [0.5, 0.6], sample_weight=[0, 0], pos_label=1)
    assert not nothing.meeting("2*tp - fp >= 0").any()


def test_why_there_is_no_best(simple):
    assert simple.why_no_best("recall") is None
    assert simple.why_no_best("recall", subject_to="lift > 5") == "No threshold meets lift > 5."
    together = simple.why_no_best("recall", subject_to="precision >= 0.9 and recall >= 0.9")
    assert together.startswith(
        "No threshold meets all comparisons together; of 201 thresholds they are met alone: precision"
    )
    met = [simple.meeting(text).sum() for text in ("precision >= 0.9", "recall >= 0.9")]
    assert together.endswith(f"precision >= 0.9 at {met[0]}, recall >= 0.9 at {met[1]}.")
    nothing = simple.why_no_best("precision", subject_to="rpp == 0")
    assert nothing == "precision is undefined at every threshold that meets the condition: 1 of 201."
    positives = rs.ScoreTable([1, 1], [0.5, 0.6])
    assert positives.why_no_best("fpr", subject_to="recall > 0") == "fpr is undefined at every threshold."
    # The message names the comparison whose index is undefined, not the other one.
    blamed = positives.why_no_best("recall", subject_to="tp >= 0 and mcc + 1 > 0")
    assert blamed == "No threshold meets mcc + 1 > 0."


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("precision >= 0.9 and rpp =< 0.05", r'has "=<" at character 26; expected >=, >'),
        ("precision >= ", r"ends at character 14; expected a number"),
        ("precision", r"ends at character 10; expected a comparison"),
        ("", r"ends at character 1; expected a number"),
        ("precison >= 0.9", r"has \"precison\" at character 1; expected a count.*precision"),
        ("recall >= 0.5 or fpr < 0.1", r'has "or" at character 15; expected comparisons joined by "and"'),
        ("(recall >= 0.5) and fpr < 0.1", r'has ">=" at character 9; expected comparisons outside of parentheses'),
        ("roc_auc > 0.5", r'has "roc_auc" at character 1; expected an index that has a value at each threshold'),
        ("fbeta(beta=-1) > 0", r'has "-1" at character 12; expected a finite number that is not negative'),
        ("recall >= 0.5 # all", r'has "#" at character 15'),
        ("a" * 5000, r"is 5000 characters long; expected at most 4096"),
        ("(" * 100 + "1" + ")" * 100 + " > tp", "levels of nesting"),
        ("tp >\0 1", "expected a number"),
        ("__import__('os') > 1", r'has "__import__"'),
    ],
)
def test_a_condition_that_cannot_be_read_is_refused_at_its_place(simple, condition, sentence):
    asked = {
        "subject_to": [
            lambda: simple.best("recall", subject_to=condition),
            lambda: simple.best("recall", subject_to=condition, all=True),
            lambda: simple.why_no_best("recall", subject_to=condition),
        ],
        "condition": [lambda: simple.meeting(condition)],
    }
    for argument, calls in asked.items():
        for call in calls:
            with pytest.raises(rs.InputError, match=f"^{argument} .*{sentence}") as refused:
                call()
            assert refused.value.argument == argument


@given(st.text(alphabet="prec>=<0.9 and()tpn+*/!&|é\n,", max_size=30))
def test_nonsense_is_refused_or_read(condition):
    table = rs.ScoreTable([0, 1, 1], [0.1, 0.4, 0.6])
    refusal = None
    try:
        met = table.meeting(condition)
    except rs.InputError as refused:
        refusal = str(refused)
    assert met.shape == (4,) if refusal is None else "expected" in refusal


def test_a_condition_is_a_string(simple):
    for wrong in (1, ["recall > 1"], b"recall > 1"):
        with pytest.raises(rs.InputTypeError, match="subject_to is"):
            simple.best("recall", subject_to=wrong)
    with pytest.raises(rs.InputError, match="another name"):
        rs.define_index("subject_of_thresholds", "x*tp", parameters={"subject_to": 1, "x": 1})


# Named choices.


def test_named_choices_of_rocr_simple(simple, golden):
    known = golden["rocr_simple"]
    cut = known["max_acc_cut_R"]
    assert simple.best("accuracy").value == known["max_accuracy_R"]
    assert simple.best("accuracy").threshold == pytest.approx(cut, abs=1e-12)
    assert simple.best("f1").value == pytest.approx(known["max_f1_R"], abs=1e-15)
    assert simple.best("mcc").value == pytest.approx(known["max_mcc_phi_R"], abs=1e-15)
    youden = simple.best("youden_j")
    assert youden.value == pytest.approx(known["ks_R_ROCR"], abs=1e-15)
    assert youden.threshold == known["ks_threshold_ge"] == simple.ks().threshold
    example = known["cost_example"]
    costs = {"fp": example["c_fp"], "fn": example["c_fn"]}
    best = simple.best("cost", **costs)
    assert best.value == example["min_total_cost_over_thresholds"]
    assert best.threshold == example["argmin_threshold_ge"]
    assert best.tp + best.fp == example["argmin_number_predicted_positive"]
    assert simple.at(0.5).value("cost", **costs) == example["total_cost_at_0_5"]
    assert simple.at(example["bayes_threshold"]).value("cost", **costs) == example["total_cost_at_bayes_threshold"]


def test_named_choices_by_their_definitions(simple):
    """Each against its formula in numpy, over the counts of every threshold."""
    c = simple.counts()
    sensitivity, specificity = c.tp / (c.tp + c.fn), c.tn / (c.tn + c.fp)
    thresholds = simple.thresholds

    def lowest(values, best):
        return thresholds[np.flatnonzero(np.isclose(values, best(values), rtol=0, atol=1e-12))[-1]]

    assert simple.best("youden_j").threshold == lowest(sensitivity + specificity, np.max)
    corner = (1 - sensitivity) ** 2 + (1 - specificity) ** 2
    assert simple.best("distance_to_corner").threshold == lowest(corner, np.min)
    assert simple.best("closest_topleft").threshold == lowest(corner, np.min)
    assert simple.best("prod_sens_spec").threshold == lowest(sensitivity * specificity, np.max)
    assert simple.best("abs_d_sens_spec").threshold == lowest(abs(sensitivity - specificity), np.min)
    # Perkins and Schisterman's weights, as pROC's best.weights: what a miss costs, and the prevalence.
    for cost, prevalence in ((1, 0.5), (5, 0.1), (0.2, 0.3)):
        r = (1 - prevalence) / (cost * prevalence)
        options = {"cost": cost, "prevalence": prevalence}
        assert simple.best("sum_sens_spec", **options).threshold == lowest(sensitivity + r * specificity, np.max)
        weighted = (1 - sensitivity) ** 2 + r * (1 - specificity) ** 2
        assert simple.best("closest_topleft", **options).threshold == lowest(weighted, np.min)
        # The same threshold is the cheapest at that prevalence.
        expected = cost * prevalence * (1 - sensitivity) + (1 - prevalence) * (1 - specificity)
        assert simple.best("sum_sens_spec", **options).threshold == lowest(expected, np.min)
    phi = (c.tp * c.tn - c.fp * c.fn) ** 2 / np.maximum((c.tp + c.fp) * (c.fn + c.tn), 1)
    assert simple.best("chi_squared", maximize=True).threshold == lowest(phi, np.max)
    assert simple.best("chi_squared_p_value", minimize=True).threshold == lowest(phi, np.max)


def test_targets_of_rocr_simple(simple):
    c = simple.counts()
    recall, fpr = c.tp / (c.tp + c.fn), c.fp / (c.fp + c.tn)
    with np.errstate(invalid="ignore"):
        precision = c.tp / (c.tp + c.fp)

    def check(found, usable, better, then):
        """Within the limit nothing is better, and nothing as good is further within it."""
        place = np.flatnonzero(simple.thresholds == found.threshold)[0]
        assert usable[place]
        assert found.value == pytest.approx(then[place], abs=1e-15)
        dominated = (
            usable
            & (then >= then[place])
            & (better >= better[place])
            & ((then > then[place]) | (better > better[place]))
        )
        assert not dominated.any()
        assert then[place] == then[usable].max() or found.value == -then[usable].max()

    for limit in (0.0, 0.05, 0.1, 0.5):
        check(simple.target("fpr", at_most=limit), fpr <= limit, -fpr, recall)
        check(simple.target("specificity", at_least=1 - limit), fpr <= limit + 1e-12, -fpr, recall)
    for limit in (0.5, 0.9, 0.99, 1):
        found = simple.target("recall", at_least=limit)
        assert found.value == fpr[recall >= limit].min()
        assert found.tp / 93 == recall[(recall >= limit) & (fpr == found.value)].max()
        assert simple.target("fnr", at_most=1 - limit + 1e-12).threshold == found.threshold
    for limit in (0.6, 0.8, 0.9):
        check(simple.target("precision", at_least=limit), precision >= limit, np.nan_to_num(precision), recall)
    with pytest.warns(rs.RocksteadyWarning, match="no threshold qualifies"):
        assert np.isnan(simple.target("precision", at_least=1.5).threshold)
    capacity = simple.target("rpp", at_most=0.1, then="precision")
    assert capacity.value == precision[1:21].max()
    negative = simple.target("mcc", at_least=-0.5)
    assert negative.value == 92 / 93  # where all is predicted positive, MCC is undefined


def test_targets_that_are_none_are_refused(simple):
    with pytest.raises(rs.InputError, match="either at_most or at_least"):
        simple.target("fpr")
    with pytest.raises(rs.InputError, match="either at_most or at_least"):
        simple.target("fpr", at_most=0.1, at_least=0.1)
    with pytest.raises(rs.InputError, match="finite"):
        simple.target("fpr", at_most=float("nan"))
    with pytest.raises(rs.InputTypeError, match="at_least is 'much'"):
        simple.target("fpr", at_least="much")
    with pytest.raises(rs.UnknownIndexError):
        simple.target("roc_auc", at_least=0.5, then="nothing")
    with pytest.raises(rs.InputError, match="^name is roc_auc; expected an index that has a value at each threshold$"):
        simple.target("roc_auc", at_least=0.5)
    with pytest.raises(rs.InputError, match="then is rpp; expected an index that has a better direction"):
        simple.target("fpr", at_most=0.5, then="rpp")


# The Pareto set.


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 30)), min_size=1, max_size=60),
    st.lists(
        st.sampled_from(["recall", "precision", "specificity", "npv", "f1", "error_rate"]),
        min_size=2,
        max_size=5,
        unique=True,
    ),
)
def test_the_pareto_set_is_that_of_the_definition(rows, names):
    table = rs.ScoreTable(*zip(*rows, strict=True), pos_label=1)
    found = table.pareto(names)
    points = []
    for threshold, counts in zip(table.thresholds, at_each(table), strict=True):
        values = [defined(counts, name) for name in names]
        if None not in values:
            signs = [1 if rs.index(name).better == "higher" else -1 for name in names]
            points.append((threshold, [sign * value for sign, value in zip(signs, values, strict=True)]))

    def dominates(a, b):
        return all(x >= y for x, y in zip(a, b, strict=True)) and a != b

    expected = [t for t, values in points if not any(dominates(other, values) for _, other in points)]
    assert found.thresholds.tolist() == expected
    for name in names:
        np.testing.assert_array_equal(found[name], found.counts()[name] if len(found) else [])
    if len(found):
        inner = np.isfinite(found.thresholds)
        counts = rs.Counts(*(a[inner] for a in (found.tp, found.fp, found.fn, found.tn)))
        assert counts == table.at(found.thresholds[inner])


def test_the_pareto_set_as_an_object(simple):
    found = simple.pareto(["sensitivity", "ppv"])
    assert set(found.to_dict()) == {"thresholds", "tp", "fp", "fn", "tn", "sensitivity", "ppv"}
    assert found.summary().columns == ("thresholds", "tp", "fp", "fn", "tn", "sensitivity", "ppv")
    assert found == simple.pareto(["sensitivity", "ppv"])
    assert found != simple.pareto(["ppv", "sensitivity"])
    assert not found["ppv"].flags.writeable
    assert not found.thresholds.flags.writeable
    assert list(found.to_frame().columns) == list(found.summary().columns)
    assert (np.diff(found.thresholds) < 0).all()
    assert (np.diff(found["ppv"]) < 0).all()
    # Few rows predicted positive, many positives found.
    capacity = simple.pareto(["recall", "rpp"], minimize=["rpp"])
    assert (np.diff(capacity["rpp"]) > 0).all()
    assert (np.diff(capacity["recall"]) > 0).all()
    with pytest.raises(rs.InputError, match="names is rpp; expected an index that has a better direction"):
        simple.pareto(["recall", "rpp"])
    with pytest.raises(rs.InputError, match="not both"):
        simple.pareto(["recall", "rpp"], minimize=["rpp"], maximize=["rpp"])
    with pytest.raises(rs.InputError, match="names is a list of 1; expected two"):
        simple.pareto(["recall"])
    with pytest.raises(rs.InputTypeError, match="names is 'recall'"):
        simple.pareto("recall")
    with pytest.raises(rs.InputError, match="minimize is 'rnp'"):
        simple.pareto(["recall", "rpp"], minimize=["rnp"])
    with pytest.raises(rs.UnknownIndexError):
        simple.pareto(["recall", "roc_auc"])
    empty = rs.ScoreTable([1, 1], [0.3, 0.4]).pareto(["fpr", "recall"])
    assert len(empty) == 0
    assert empty["fpr"].shape == (0,)


# Exact grids.


def test_a_grid_has_the_numbers_nearest_to_its_fractions():
    for m in (1, 2, 3, 7, 10, 100, 997):
        grid = rs.scores.threshold_grid(m)
        assert grid.dtype == np.float64
        assert grid.shape == (m + 1,)
        assert grid.tolist() == [float(Fraction(m - i, m)) for i in range(m + 1)]
        singles = rs.scores.threshold_grid(m, dtype="float32")
        assert singles.dtype == np.float32
        for i, single in enumerate(singles):
            exact = Fraction(m - i, m)
            away = abs(Fraction(float(single)) - exact)
            for other in (np.nextafter(single, np.float32(2)), np.nextafter(single, np.float32(-1))):
                assert away <= abs(Fraction(float(other)) - exact)
    for wrong in (0, -1, 1 << 25):
        with pytest.raises(rs.InputError, match="m is"):
            rs.scores.threshold_grid(wrong)
    for wrong in (1.0, True, "10"):
        with pytest.raises(rs.InputTypeError, match="m is"):
            rs.scores.threshold_grid(wrong)
    with pytest.raises(rs.InputError, match="dtype is 'int64'"):
        rs.scores.threshold_grid(3, dtype="int64")


def test_the_second_source_paper(golden):
    """papers.md 1.2: its printed rates, and the one entry that its own rule does not give."""
    known = golden["doc001"]
    table = rs.ScoreTable(known["labels"], known["probs"])
    grid = rs.scores.threshold_grid(10)
    for side, name in ((">", "grid_exact_decimal_strict_gt"), (">=", "grid_exact_decimal_ge")):
        exact = known[name]
        assert grid.tolist() == exact.get("thresholds", grid.tolist())
        counts = table.at(grid, side=side)
        assert counts["tpr"].tolist() == exact["tpr"]
        assert counts["fpr"].tolist() == exact["fpr"]
        direct = rs.counts_at(known["labels"], known["probs"], grid, side=side)
        assert direct == counts
        # Both ends are in the grid. The area is the same here, because no corner lies between two grid points.
        ends = table.grid(10, side=side)
        tpr, fpr = ends.counts()["tpr"], ends.counts()["fpr"]
        assert ends.thresholds.tolist() == [math.inf, *grid.tolist(), -math.inf]
        assert (tpr[0], fpr[0], tpr[-1], fpr[-1]) == (0, 0, 1, 1)
        assert tpr[1:-1].tolist() == exact["tpr"]
        area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)
        assert area == pytest.approx(29 / 30, abs=1e-15) == pytest.approx(table["auc"], abs=1e-15)
    # The paper's rule is "prob > thr". Its printed list differs from the rule only at index 1, where two scores of 0.9
    # are not above 0.9. The list was computed with >= and with thresholds whose rounding errors had added up.
    printed, strict = known["printed"]["tpr"], table.at(grid, side=">")["tpr"].tolist()
    assert [place for place in range(11) if printed[place] != strict[place]] == [1]
    assert (printed[1], strict[1], grid[1]) == (0.4, 0.0, 0.9)
    drifted = np.arange(1.0, -0.1, -0.1)[:11]
    assert drifted[3] != 0.7 == grid[3]
    assert table.at(drifted)["tpr"].tolist() == printed
    assert table.at(drifted)["fpr"].round(2).tolist() == known["printed"]["fpr"]


def test_the_ends_of_a_grid_are_there_whatever_the_scores():
    table = rs.ScoreTable([0, 1, 1, 0], [0.0, 1.0, np.inf, -np.inf], infinite="allow")
    for side in (">=", ">"):
        grid = table.grid(4, side=side)
        assert cells_of(rs.Counts(grid.tp[0], grid.fp[0], grid.fn[0], grid.tn[0])) == [0, 0, 2, 2]
        assert cells_of(rs.Counts(grid.tp[-1], grid.fp[-1], grid.fn[-1], grid.tn[-1])) == [2, 2, 0, 0]
    ranked = rs.ScoreTable([0, 1, 1], [0.5, np.nan, 0.7], nan_policy="worst").grid(2)
    assert ranked.tp.tolist() == [0, 0, 1, 1, 2]


# Counts at any thresholds.

THRESHOLDS = st.one_of(
    st.floats(allow_nan=False),
    st.integers(0, 10).map(lambda x: x / 10),
    st.sampled_from([0.0, -0.0, math.inf, -math.inf]),
)
SCORES = st.one_of(
    st.integers(0, 10).map(lambda x: x / 10),
    st.floats(0, 1),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
)


@given(
    st.lists(
        st.tuples(st.integers(0, 1), SCORES, st.sampled_from([0.0, 0.1, 1.0, 2.5, 1e-12, 1e9])), min_size=1, max_size=50
    ),
    st.lists(THRESHOLDS, min_size=1, max_size=40),
    st.sampled_from([">=", ">"]),
    st.sampled_from(["float64", "float32"]),
    st.booleans(),
)
def test_counts_are_those_of_the_definition(rows, thresholds, side, dtype, weighted):
    y, s, w = (np.array(column) for column in zip(*rows, strict=True))
    with np.errstate(over="ignore"):
        s = s.astype(dtype)
    weights = w if weighted else None
    options = {"pos_label": 1, "sample_weight": weights, "infinite": "allow"}
    direct = rs.counts_at(y, s, thresholds, side=side, **options)
    table = rs.ScoreTable(y, s, **options)
    assert direct.shape == (len(thresholds),)
    assert table.at(thresholds, side=side) == direct
    for place, threshold in enumerate(thresholds):
        expected = naive_counts(y, s.astype(np.float64), threshold, side, weights)
        assert [float(a[place]) for a in (direct.tp, direct.fp, direct.fn, direct.tn)] == expected
        assert cells_of(table.at(threshold, side=side)) == expected


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=30),
    st.data(),
    st.sampled_from([">=", ">"]),
)
def test_integers_are_compared_as_integers(rows, data, side):
    y, s = zip(*rows, strict=True)
    near = st.tuples(st.sampled_from(s), st.integers(-2, 2)).map(lambda x: min(max(x[0] + x[1], -(2**63)), 2**63 - 1))
    thresholds = data.draw(st.lists(near, min_size=1, max_size=10))
    table = rs.ScoreTable(y, s, pos_label=1)
    counts = table.at(np.array(thresholds), side=side)
    assert rs.counts_at(y, s, thresholds, side=side, pos_label=1) == counts
    for place, threshold in enumerate(thresholds):
        expected = naive_counts(y, s, threshold, side)
        assert [float(a[place]) for a in (counts.tp, counts.fp, counts.fn, counts.tn)] == expected
        assert cells_of(table.at(threshold, side=side)) == expected
        as_double = float(threshold)
        assert cells_of(table.at(as_double, side=side)) == naive_counts(y, s, as_double, side)
    doubles = np.array(s, dtype=np.float64)
    of_doubles = rs.counts_at(y, doubles, thresholds, side=side, pos_label=1)
    for place, threshold in enumerate(thresholds):
        expected = naive_counts(y, doubles.tolist(), threshold, side)
        assert [float(a[place]) for a in (of_doubles.tp, of_doubles.fp, of_doubles.fn, of_doubles.tn)] == expected


def test_thresholds_of_any_shape_and_kind():
    y, s = [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    table = rs.ScoreTable(y, s)
    square = np.array([[0.4, 0.6], [0.7, 0.9]])
    for given_, shape in (
        (square, (2, 2)),
        (square.T, (2, 2)),
        (square[::-1, ::-1], (2, 2)),
        (square.astype(np.float32), (2, 2)),
        (square.astype(">f8"), (2, 2)),
        (np.array(0.4), ()),
        (np.zeros((0, 3)), (0, 3)),
        ([[0, 1], [2, 3]], (2, 2)),
        ((True, False), (2,)),
        (range(2), (2,)),
        (np.array([1, 200], dtype=np.uint8), (2,)),
    ):
        counts = table.at(given_)
        assert counts.shape == shape == rs.counts_at(y, s, given_).shape
        assert counts == rs.counts_at(y, s, given_)
        for place in np.ndindex(shape):
            expected = naive_counts(y, s, float(np.asarray(given_)[place]))
            assert [float(a[place]) for a in (counts.tp, counts.fp, counts.fn, counts.tn)] == expected
    assert table.at(np.float32(0.4)) == table.at(float(np.float32(0.4)))
    assert table.at(1) == table.at(1.0) == table.at(np.int8(1))
    if np.finfo(np.longdouble).bits > 64:
        for longer in (np.longdouble(0.1), np.array([0.1], dtype=np.longdouble)):  # they are not rounded silently
            with pytest.raises(rs.InputTypeError, match="expected floats of at most 64 bits"):
                table.at(longer)
    for wrong, kind in (
        ([0.1, math.nan], rs.InputError),
        ([[0.1], [0.2, 0.3]], rs.InputError),
        ("half", rs.InputTypeError),
        (["half"], rs.InputTypeError),
        (None, rs.InputTypeError),
        ([1j], rs.InputTypeError),
        ([2**70], rs.InputTypeError),
        (np.ma.array([0.1, 0.2], mask=[0, 1]), rs.InputError),
    ):
        with pytest.raises(kind, match="threshold"):
            table.at(wrong)
        with pytest.raises(kind, match="thresholds"):
            rs.counts_at(y, s, wrong)
    with pytest.raises(rs.InputError, match=r"threshold\[1\] is NaN; expected a number"):
        table.at([0.1, math.nan])
    with pytest.raises(rs.InputError, match="threshold is"):
        table.at(math.nan)
    for side in ("=>", "", None, 1):
        with pytest.raises((rs.InputError, rs.InputTypeError), match="side is"):
            table.at([0.5], side=side)
        with pytest.raises((rs.InputError, rs.InputTypeError), match="side is"):
            rs.counts_at(y, s, [0.5], side=side)


def test_batches_and_threads_add_up_to_the_whole():
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 300_001)
    s = random.random(len(y)).round(3)
    grid = rs.scores.threshold_grid(50)
    whole = rs.counts_at(y, s, grid)
    for place, threshold in enumerate(grid):
        assert whole.tp[place] == (y[s >= threshold] == 1).sum()
        assert whole.fp[place] == (y[s >= threshold] == 0).sum()
    before = rs.get_threads()
    weights = random.random(len(y))
    try:
        found = []
        for threads in (1, 2, 3):
            rs.set_threads(threads)
            assert rs.counts_at(y, s, grid) == whole
            found.append(rs.counts_at(y, s, grid, sample_weight=weights))
        assert found[0] == found[1] == found[2]
        turned = rs.counts_at(y[::-1], s[::-1], grid, sample_weight=weights[::-1])
        assert turned == found[0] == rs.ScoreTable(y, s, sample_weight=weights).at(grid)
    finally:
        rs.set_threads(before)
    parts = [rs.counts_at(y[i::7], s[i::7], grid, pos_label=1) for i in range(7)]
    assert sum(parts[1:], parts[0]) == whole
    with pytest.raises(rs.InputError, match="shapes"):
        whole + rs.counts_at(y, s, [0.5])
    with pytest.raises(TypeError):
        whole + 1


def test_missing_infinite_and_single_class_rows():
    y, s = [0, 1, 1, 0], [0.2, math.nan, 0.6, -math.inf]
    with pytest.raises(rs.InputError, match=r"y_score\[1\]"):
        rs.counts_at(y, s, [0.5])
    with pytest.raises(rs.InputError, match=r"y_score\[3\]"):
        rs.counts_at(y, s, [0.5], nan_policy="omit")
    grid = [math.inf, 0.5, 0.0, -math.inf]
    for policy, tp in (("omit", [0, 1, 1, 1]), ("worst", [0, 1, 1, 1]), ("best", [1, 2, 2, 2])):
        for dtype in (np.float64, np.float32, np.float16):
            scores = np.array(s, dtype=dtype)
            options = {"nan_policy": policy, "infinite": "allow"}
            counts = rs.counts_at(y, scores, grid, **options)
            assert counts.tp.tolist() == tp
            assert counts == rs.ScoreTable(y, scores, **options).at(grid)
    alone = rs.counts_at([1, 1], [0.2, 0.6], [0.5])
    assert cells_of(rs.Counts(alone.tp[0], alone.fp[0], alone.fn[0], alone.tn[0])) == [1, 0, 1, 0]
    assert rs.counts_at([0, 1], [0.2, 0.6], []).shape == (0,)
    with pytest.raises(rs.InputError, match="empty"):
        rs.counts_at([], [], [0.5])
    with pytest.raises(rs.InputError, match="y_score has 1 rows"):
        rs.counts_at([0, 1], [0.5], [0.5])
    with pytest.raises(rs.InputError, match=r"y_true\[2\] is 2"):
        rs.counts_at([0, 1, 2], [0.5, 0.6, 0.7], [0.5])
    nothing = rs.counts_at([0, 1], [0.5, 0.6], [0.5], sample_weight=[0, 0])
    assert nothing.tp.tolist() == [0]
    assert np.isnan(nothing["recall"]).all()


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("policy", ["worst", "best"])
@pytest.mark.parametrize(
    "scores",
    [[0.2, math.nan, 0.6, 0.4], [0.2, math.inf, 0.6, -math.inf], [math.nan] * 4, [math.nan, math.inf, -math.inf, 0.5]],
)
def test_what_no_threshold_gives_is_never_the_best(scores, policy, kind):
    """Missing scores that are ranked, and infinite ones: every answer is what its threshold does."""
    table = rs.ScoreTable([0, 1, 1, 0], np.array(scores, dtype=kind), nan_policy=policy, infinite="allow")
    found = [
        *table.best("population", maximize=True, all=True),
        *table.best("recall", minimize=True, all=True),
        *table.best("recall", all=True),
        *table.best("rpp", minimize=True, all=True),
        *table.best("specificity", subject_to="n > 0", all=True),
    ]
    assert found
    for one in found:
        assert cells_of(one.counts()) == cells_of(table.at(one.threshold))
    thresholds = [math.inf, *(score for score in table.thresholds[1:] if score == score)]
    reachable = {tuple(cells_of(table.at(threshold))) for threshold in thresholds}
    assert {tuple(cells_of(one.counts())) for one in table.best("population", maximize=True, all=True)} == reachable
    assert table.meeting("n > 0").sum() == len(reachable)
    points = table.pareto(["recall", "specificity"])
    assert points.counts() == table.at(points.thresholds)


def test_large_counts_and_weights():
    y, s, w = [1, 0, 1, 0], [0.9, 0.7, 0.4, 0.1], [2.0**40, 1.0, 1e-30, 2.0**41]
    table = rs.ScoreTable(y, s, sample_weight=w)
    assert rs.counts_at(y, s, [0.5], sample_weight=w) == table.at([0.5])
    assert table.best("recall", subject_to="fp == 0").threshold == 0.9
    assert table.best("precision", subject_to="fn == 0").threshold == 0.4


# Operating points for pictures.


@pytest.mark.parametrize("weighted", [False, True])
def test_a_few_operating_points_stand_for_all(weighted):
    random = np.random.default_rng(3)
    y = random.random(50_000) < 0.2
    score = random.normal(size=50_000) + y
    table = rs.ScoreTable(y, score, sample_weight=random.random(50_000) if weighted else None)
    points = table.operating_points(1000)
    assert len(points) <= 1000
    assert points.thresholds[0] == math.inf
    assert points.thresholds[-1] == score.min()
    exact = table.at(points.thresholds)
    assert all(np.array_equal(getattr(points, cell), getattr(exact, cell)) for cell in ("tp", "fp", "fn", "tn"))
    # Between two points no rate changes by more than the reported distance.
    every = table.counts()
    before = np.searchsorted(-points.thresholds, -table.thresholds, side="right") - 1
    for cell, total in (("tp", table.positives), ("fp", table.negatives)):
        rise = (getattr(every, cell) - getattr(points, cell)[before]) / total
        assert rise.min() >= 0
        assert rise.max() <= points.step + 1e-12
    assert 0 < points.step < 1 / 300
    assert points.curve("fpr", "tpr").area() == pytest.approx(table["roc_auc"], abs=1e-4)


def test_all_operating_points_are_there_if_they_are_few():
    table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    points = table.operating_points(5)
    assert points.thresholds.tolist() == table.thresholds.tolist()
    assert points.step == 0
    assert len(table.operating_points(4)) <= 4
    assert len(table.operating_points(2)) == 2
    for wrong, error in ((1, rs.InputError), (2.5, rs.InputTypeError), (True, rs.InputTypeError)):
        with pytest.raises(error, match="max_points is"):
            table.operating_points(wrong)
    only = rs.ScoreTable([1, 1], [0.2, 0.7]).operating_points(2)
    assert only.tp.tolist() == [0, 2]


@given(
    st.lists(st.tuples(st.integers(0, 1), SCORES, st.sampled_from([0.0, 0.1, 1.0, 2.5])), min_size=1, max_size=50),
    st.sampled_from(["float64", "float32", "float16"]),
    st.booleans(),
)
def test_the_ks_of_rows_is_that_of_the_definition_and_of_the_table(rows, dtype, weighted):
    y, s, w = (np.array(column) for column in zip(*rows, strict=True))
    with np.errstate(over="ignore"):
        s = s.astype(dtype)
    weights = w if weighted else None
    options = {"pos_label": 1, "sample_weight": weights, "infinite": "allow"}
    found = rs.scores.ks(y, s, **options)
    assert repr(found) == repr(rs.ScoreTable(y, s, **options).ks())
    p, n = (np.sum(np.where(y == label, w if weighted else 1, 0)) for label in (1, 0))
    if not (p and n):
        assert [math.isnan(x) for x in found] == [True, True, False]
        assert found.sign == 0
        return
    gaps = []
    for threshold in s.astype(np.float64):
        tp, fp, _, _ = naive_counts(y, s.astype(np.float64), threshold, ">=", weights)
        gaps.append(tp / p - fp / n)
    assert found.value == pytest.approx(max(map(abs, gaps)), abs=1e-12)
    tp, fp, _, _ = naive_counts(y, s.astype(np.float64), found.threshold, ">=", weights)
    assert found.value * found.sign == pytest.approx(tp / p - fp / n, abs=1e-12)


def test_the_ks_of_many_rows_is_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(20)
    for scores in (rng.normal(size=200_000), rng.normal(size=200_000).round(2), rng.random(200_000).astype(np.float32)):
        y = rng.random(200_000) < 0.3 + 0.1 * np.tanh(scores)
        found = rs.scores.ks(y, scores)
        wide = scores.astype(np.float64)  # scipy computes in the precision of the scores from 1.18 on
        expected = stats.ks_2samp(wide[y], wide[~y], method="asymp")
        assert found.value == pytest.approx(expected.statistic, abs=1e-12)
        assert found == rs.ScoreTable(y, scores).ks()


def test_what_is_no_column_is_refused_by_ks():
    for wrong, argument in [
        (lambda: rs.scores.ks([0, 1, 1], [0.5, 0.1]), "y_score"),
        (lambda: rs.scores.ks([0, 1], [0.5, np.nan]), "y_score"),
        (lambda: rs.scores.ks([0, 1], ["a", "b"]), "y_score"),
        (lambda: rs.scores.ks([0, 1, 2], [0.1, 0.2, 0.3]), "y_true"),
        (lambda: rs.scores.ks([0, 1], [0.1, 0.2], sample_weight=[1, -1]), "sample_weight"),
        (lambda: rs.scores.ks([0, 1], [0.1, 0.2], nan_policy="none"), "nan_policy"),
    ]:
        with pytest.raises(rs.RocksteadyError) as error:
            wrong()
        assert argument in str(error.value)
    assert rs.scores.ks([0, 1, 1], [0.5, np.nan, 0.7], nan_policy="omit") == (1.0, 0.7, 1)


@pytest.mark.parametrize("base", [2**53, 2**62, 2**63 - 9, -(2**63)])
@pytest.mark.parametrize("weight", [None, [1.5, 0.25, 1.0, 2.0, 0.5, 0.75]])
def test_integers_that_float64_does_not_hold_come_back_as_they_are(base, weight, tmp_path):
    score = np.array([base + shift for shift in (1, 2, 3, 4, 5, 7)], dtype=np.int64)
    check_thresholds(score, weight, tmp_path)


def test_the_greatest_integers_come_back_as_they_are(tmp_path):
    score = np.array([2**64 - 1 - shift for shift in (0, 1, 2, 3, 5, 4)], dtype=np.uint64)
    check_thresholds(score, None, tmp_path)


def check_thresholds(score, weight, directory):
    y = [0, 1, 0, 1, 1, 0]
    table = rs.ScoreTable(y, score, sample_weight=weight, pos_label=1)
    collector = rs.ScoreCollector(pos_label=1, memory="1MB", directory=directory)
    collector.update(y, score, sample_weight=weight)
    view = collector.view()
    for best in (*table.best("f1", all=True), table.best("cost", fp=1, fn=2), table.target("recall", at_least=0.5)):
        assert type(best.threshold) is int or best.threshold == np.inf
        for counts in (table.at(best.threshold), view.at(best.threshold)):
            assert (counts.tp, counts.fp, counts.fn, counts.tn) == (best.tp, best.fp, best.fn, best.tn)
    for ks in (table.ks(), rs.scores.ks(y, score, sample_weight=weight, pos_label=1), view.ks()):
        counts = table.at(ks.threshold)
        assert type(ks.threshold) is int
        assert abs(counts["recall"] - counts["fpr"]) == pytest.approx(ks.value, rel=1e-15)
    cost = rs.CostTable(y, score, costs={"fp": 1.0, "fn": 2.0}, sample_weight=weight, pos_label=1)
    cheapest = cost.best()
    counts = cost.at(cheapest.threshold).counts()
    assert (counts.tp, counts.fp) == (cheapest.tp, cheapest.fp)
    every, found = table.counts(), table.at(table.thresholds)
    for cell in ("tp", "fp", "fn", "tn"):
        assert np.array_equal(getattr(found, cell), getattr(every, cell))
    assert np.array_equal(table.at(table.thresholds.tolist()).tp, every.tp)


def test_thresholds_stay_float64_where_that_is_exact():
    table = rs.ScoreTable([0, 1, 1], [1, 2**53, 7])
    assert table.thresholds.dtype == np.float64
    assert type(table.best("f1").threshold) is int
    assert type(rs.ScoreTable([0, 1], [0.5, 1.0]).ks().threshold) is float

"""User-defined indices: values, where they can be used, and refusals."""

import json
import math
import multiprocessing
import pickle
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady import _rocksteady

MATRIX = [[91, 16], [14, 79]]
THREE = [[13, 2, 1], [0, 10, 6], [3, 1, 9]]


@pytest.fixture(autouse=True)
def _nothing_stays():
    before = {row.name for row in rs.indices()}
    yield
    for row in rs.indices():
        if row.name not in before:
            rs.undefine_index(row.name)


def test_the_example_of_the_guide_everywhere():
    row = rs.define_index("net", "tp/(tp+fp) - 0.1*fn/n", title="Net precision", source="Ours 2026", aliases=["netto"])
    assert row is rs.index("net")
    assert row is rs.index("netto")
    assert rs.indices()[-1] is row
    assert (row.title, row.family, row.forms) == ("Net precision", "defined", ("counts",))
    assert (row.formula, row.better, row.low) == ("tp/(tp+fp) - 0.1*fn/n", "higher", -math.inf)

    cm = rs.ConfusionMatrix.from_counts(MATRIX)
    expected = 79 / 95 - 0.1 * 14 / 200
    assert cm["net"] == cm.value("netto") == expected
    assert ("net", expected) in cm.summary().rows
    assert cm.to_dict()["net"] == expected
    three = rs.ConfusionMatrix.from_counts(THREE)
    counts = three.counts()
    each = counts.tp / (counts.tp + counts.fp) - 0.1 * counts.fn / 45
    np.testing.assert_array_equal(three.every("net"), each)
    np.testing.assert_array_equal(counts["net"], each)
    assert three.value("net", average="macro") == pytest.approx(each.mean())
    assert three.value("net", average="weighted") == pytest.approx(np.average(each, weights=[16, 16, 13]))
    assert three.value("net", average="micro") == 32 / 45 - 0.1 * 13 / 135
    assert "net" in three.summary().to_dict()["index"]
    with pytest.raises(rs.UnknownIndexError, match="average"):
        three["net"]

    table = rs.ScoreTable([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8])
    np.testing.assert_array_equal(table.every("net"), table.counts()["net"])
    assert math.isnan(table.every("net")[0])
    assert table.counts().why("net") == "No row is predicted positive."
    x, y = table.curve("recall", "net")
    assert len(x) == len(y) == 5
    with pytest.raises(rs.UnknownIndexError, match="all thresholds"):
        table["net"]


def test_parameters_of_its_own():
    row = rs.define_index("profit", "gain*tp - loss*fp", parameters={"gain": 10, "loss": 1}, better="higher")
    assert [(p.name, p.default, p.domain) for p in row.parameters] == [
        ("gain", 10.0, "a finite number"),
        ("loss", 1.0, "a finite number"),
    ]
    cm = rs.ConfusionMatrix.from_counts(MATRIX)
    assert cm["profit"] == 790 - 16
    assert cm.value("profit", gain=3) == 3 * 79 - 16
    assert cm.value("profit", gain=0, loss=-1) == 16
    table = rs.ScoreTable([0, 1], [0.2, 0.6])
    assert table.every("profit", loss=2).tolist() == [0, 10, 8]
    assert rs.ConfusionMatrix.from_counts(THREE).value("profit", average="macro", gain=1, loss=0) == pytest.approx(
        32 / 3
    )
    with pytest.raises(rs.UnknownIndexError, match="its parameters: gain, loss"):
        cm.value("profit", cost=3)
    with pytest.raises(rs.InputError, match="gain is inf"):
        cm.value("profit", gain=math.inf)
    rs.define_index("flexible", "fbeta(beta=b)", parameters={"b": 2})
    assert cm["flexible"] == cm.value("fbeta", beta=2)
    assert cm.value("flexible", b=0.5) == cm.value("fbeta", beta=0.5)
    with pytest.raises(rs.InputError, match="not negative"):
        cm.value("flexible", b=-1)


def test_it_has_the_forms_that_all_its_parts_have():
    two, three = rs.ConfusionMatrix.from_counts(MATRIX), rs.ConfusionMatrix.from_counts(THREE)
    rs.define_index("both", "mcc - cen")
    assert rs.index("both").forms == ("counts", "matrix", "class")
    assert two["both"] == pytest.approx(two["mcc"] - two["cen"], rel=1e-14)
    assert three["both"] == three["mcc"] - three["cen"]
    np.testing.assert_allclose(three.every("both"), three.every("mcc") - three.every("cen"), rtol=1e-15)
    table = rs.ScoreTable([0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.4])
    np.testing.assert_array_equal(table.every("both"), table.every("mcc") - table.every("cen"))

    rs.define_index("share_kappa", "kappa * accuracy / n")
    assert three["share_kappa"] == three["kappa"] * three["accuracy"] / 45
    rs.define_index("mixed", "f1 - cen")
    np.testing.assert_allclose(three.every("mixed"), three.every("f1") - three.every("cen"), rtol=1e-15)
    rs.define_index("distance", "abs(roc_auc - gini)")
    assert rs.index("distance").forms == ("scores",)
    assert table["distance"] == abs(table["roc_auc"] - table["gini"])
    assert "distance" in table.to_dict()
    rs.define_index("losses", "brier + log_loss")
    sums = rs.ProbabilitySums([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8])
    assert sums["losses"] == sums["brier"] + sums["log_loss"]
    rs.define_index("priced", "cost(fn=5) / n")
    assert two["priced"] == (16 + 5 * 14) / 200
    assert rs.index("priced").forms == ("counts",)


def test_a_part_without_a_value_leaves_none_and_one_with_a_conventional_value_counts():
    empty = rs.ConfusionMatrix.from_counts([[99, 0], [1, 0]])
    rs.define_index("twice", "2*precision")
    assert math.isnan(empty["twice"])
    assert empty.why("twice") == empty.why("precision") == "No row is predicted positive."
    rs.define_index("unit_mcc", "(mcc + 1) / 2")
    assert empty["unit_mcc"] == 0.5
    assert empty.why("unit_mcc") is None
    none = rs.ConfusionMatrix.from_counts([[0, 0], [0, 0]])
    assert math.isnan(none["unit_mcc"])
    assert none.why("unit_mcc") == "There are no rows, or all weigh nothing."
    rs.define_index("roots", "sqrt(tp - fp)")
    assert math.isnan(rs.Counts(1, 2, 3, 4)["roots"])
    assert "root or a logarithm" in rs.Counts(1, 2, 3, 4).why("roots")
    rs.define_index("huge", "exp(n)")
    assert math.isnan(rs.Counts(1e3, 2, 3, 4)["huge"])
    assert "too large" in rs.Counts(1e3, 2, 3, 4).why("huge")
    three = rs.ConfusionMatrix.from_counts([[1, 0, 0], [1, 2, 0], [0, 0, 0]])
    assert three.value("twice", average="macro", zero_division=math.nan) == pytest.approx((1 + 2) / 2)


def test_built_in_indices_written_out_have_their_values():
    rng = np.random.default_rng(4)
    counts = rs.Counts(*rng.integers(0, 4, (4, 5000)))
    for name, expression in [
        ("f1", "2*tp / (2*tp + fp + fn)"),
        ("mcc", "(tp*tn - fp*fn) / sqrt((tp+fn)*(tn+fp)*(tp+fp)*(tn+fn))"),
        ("kappa", "2*(tp*tn - fp*fn) / ((tp+fp)*(fp+tn) + (tp+fn)*(fn+tn))"),
        ("informedness", "recall + specificity - 1"),
        ("fowlkes_mallows", "sqrt(precision*recall)"),
        ("diagnostic_odds_ratio", "tp*tn / (fp*fn)"),
        ("positive_likelihood_ratio", "recall/fpr"),
        ("lift", "precision/prevalence"),
    ]:
        rs.define_index("written", expression, replace=True)
        written, built_in = counts["written"], counts[name]
        defined = ~np.isnan(written)
        assert defined.sum() > 1000
        np.testing.assert_allclose(written[defined], built_in[defined], rtol=1e-12, atol=1e-14)
        if not np.isnan(rs.Counts(0, 0, 0, 1)[name]):
            continue  # a conventional value
        np.testing.assert_array_equal(np.isnan(built_in), ~defined)


NAMES = ["tp", "fp", "fn", "tn", "n"]


@st.composite
def texts(draw, depth=4):
    """An expression that Python reads too."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([*NAMES, "0.5", "2", "3.25", "1e-3"]))
    left, right = draw(texts(depth=depth - 1)), draw(texts(depth=depth - 1))
    form = draw(
        st.sampled_from(["{} + {}", "{} - {}", "({}) * ({})", "({}) / ({})", "-({})", "({}) ** 2", "({}) ** -1"])
    )
    form = draw(st.sampled_from([form, form, "sqrt({})", "abs({})", "min({}, {})", "max({}, {})", "ln({})", "exp({})"]))
    return form.format(left, right)


@given(texts(), st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=20))
def test_values_are_those_of_python(text, rows):
    rows = [row for row in rows if sum(row)] or [(1, 1, 1, 1)]
    functions = {"sqrt": math.sqrt, "ln": math.log, "exp": math.exp, "abs": abs, "min": min, "max": max}

    def by_python(tp, fp, fn, tn):
        try:
            amounts = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "n": tp + fp + fn + tn}
            found = eval(text, {"__builtins__": {}}, {**functions, **amounts})
        except (ZeroDivisionError, ValueError, OverflowError):
            return math.nan
        return found if math.isfinite(found) else math.nan

    try:
        rs.define_index("any_text", f"({text}) + 0*n", replace=True)
    except rs.InputError:  # a quotient of numbers by zero, and the like
        return
    found = rs.Counts(*np.array(rows, dtype=float).T)["any_text"]
    expected = np.array([by_python(*map(float, row)) for row in rows])
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("expression", "position", "found", "message"),
    [
        ("tp/(tp+fp", 9, "", 'expression ends at character 10; expected an operator or ")"'),
        ("tp/(tp+fp))", 10, ")", "no parenthesis is open"),
        ("2 tp", 2, "tp", "products are written with *"),
        ("tp + recal", 5, "recal", 'did you mean "recall"'),
        ("tp + sqr(fp)", 5, "sqr", '"sqrt"'),
        ("wrong + 1", 0, "wrong", "the one that is being defined"),
        ("fbeta(bета=2)", 6, "b", "a parameter of fbeta: beta="),
        ("roc_auc - f1", 10, "f1", "all scores"),
        ("1", 0, "1", "a count or an index"),
        ("", 0, "", "a number, a count"),
        ("(" * 3000 + "tp" + ")" * 1000, 64, "(", "64 levels"),
        ("tp +\n fp +\n  ? + 1", 13, "?", "a number"),
    ],
)
def test_a_bad_expression_is_refused_at_its_place(expression, position, found, message):
    with pytest.raises(rs.InputError) as refused:
        rs.define_index("wrong", expression)
    error = refused.value
    assert (error.argument, error.position, error.value) == ("expression", position, found)
    assert message in str(error)
    _, line, caret = str(error).split("\n")
    assert line[len(caret) - 1 : len(caret)] == (expression[position : position + 1] or "")
    again = pickle.loads(pickle.dumps(error))
    assert (again.position, str(again)) == (error.position, str(error))
    with pytest.raises(rs.UnknownIndexError):
        rs.index("wrong")


def test_names_are_free_or_refused():
    rs.define_index("mine", "tp", aliases=("also_mine",))
    for again in [rs.define_index("mine", "tp", aliases=["also_mine"]), rs.index("mine")]:
        assert again.formula == "tp"
    with pytest.raises(rs.InputError, match="replace=True"):
        rs.define_index("mine", "tp + 1")
    with pytest.raises(rs.InputError, match="mine has it"):
        rs.define_index("also_mine", "fp", replace=True)
    for name in ["f1", "tpr", "cen", "auc"]:
        with pytest.raises(rs.InputError, match="rocksteady's own"):
            rs.define_index(name, "tp", replace=True)
        with pytest.raises(rs.InputError, match="define_index"):
            rs.undefine_index(name)
    for name in ["tp", "n", "sqrt", "and", "two words", "1st", "", "naïve"]:
        with pytest.raises(rs.InputError, match="^name is"):
            rs.define_index(name, "tp")
    rs.define_index("mine", "tp + 1", replace=True)
    assert rs.Counts(1, 2, 3, 4)["mine"] == 2
    with pytest.raises(rs.UnknownIndexError):
        rs.index("also_mine")
    rs.undefine_index("mine")
    with pytest.raises(rs.UnknownIndexError):
        rs.undefine_index("mine")
    assert "mine" not in {row.name for row in rs.indices()}


def test_replacing_leaves_those_that_were_defined_with_it():
    one = rs.Counts(1, 2, 3, 4)
    rs.define_index("base_part", "tp")
    rs.define_index("user_part", "base_part + 10")
    rs.define_index("base_part", "user_part + 100", replace=True)
    assert (one["base_part"], one["user_part"]) == (111, 11)
    for _ in range(3):
        rs.define_index("base_part", "user_part + 100", replace=True)
    rs.undefine_index("base_part")
    assert one["user_part"] == 11


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"name": 3}, rs.InputTypeError, "name is"),
        ({"expression": None}, rs.InputTypeError, "expression is"),
        ({"expression": b"tp"}, rs.InputTypeError, "expression is"),
        ({"expression": "tp" * 3000}, rs.InputError, "6000 characters long"),
        ({"parameters": ["gain"]}, rs.InputTypeError, "parameters is"),
        ({"parameters": {3: 4}}, rs.InputTypeError, "parameters is"),
        ({"parameters": {"gain": "x"}}, rs.InputTypeError, "parameters is"),
        ({"parameters": {"gain": math.nan}}, rs.InputError, "finite"),
        ({"parameters": {"tp": 1}}, rs.InputError, "this word"),
        ({"parameters": {"a b": 1}}, rs.InputError, "letters"),
        ({"parameters": dict.fromkeys("abcdefghij", 1)}, rs.InputError, "at most"),
        ({"better": "best"}, rs.InputError, "higher"),
        ({"low": 2, "high": 1}, rs.InputError, "low is 2"),
        ({"low": "x"}, rs.InputTypeError, "low is"),
        ({"title": 3}, rs.InputTypeError, "title is"),
        ({"aliases": "alias"}, rs.InputTypeError, "aliases is"),
        ({"aliases": ["a", "a"]}, rs.InputError, "once"),
        ({"aliases": ["f1"]}, rs.InputError, "aliases is"),
        ({"replace": "yes"}, rs.InputTypeError, "replace is"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(arguments, error, match):
    with pytest.raises(error, match=match):
        rs.define_index(**{"name": "never", "expression": "tp", **arguments})


def test_several_indices_at_every_threshold_are_those_one_by_one():
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 300_000), rng.random(300_000)
    w = rng.random(5_000)
    rs.define_index("mine_too", "f1 + 0.5*mcc - fn/n")
    names = ["f1", "mcc", "cen", "kappa", "mine_too"]
    for table in [
        rs.ScoreTable(y, s),
        rs.ScoreTable(y[:5000], s[:5000], sample_weight=w),
        rs.ScoreTable([0, 1], [1, 2]),
    ]:
        together = table.every(names)
        assert list(together) == names
        counts = table.counts()
        before = rs.get_threads()
        try:
            for threads in (1, 3):
                rs.set_threads(threads)
                for name in names:
                    np.testing.assert_array_equal(table.every(name), together[name])
                    np.testing.assert_array_equal(counts[name], together[name])
        finally:
            rs.set_threads(before)
    place = 1234
    one = rs.ScoreTable(y, s).at(rs.ScoreTable(y, s).thresholds[place])
    for name in names:
        assert one[name] == pytest.approx(rs.ScoreTable(y, s).every(name)[place], rel=1e-12)  # one is rounded once
    assert rs.ScoreTable(y, s).every([]) == {}
    with pytest.raises(rs.UnknownIndexError):
        rs.ScoreTable(y, s).every(["f1", "roc_auc"])
    with pytest.raises(rs.InputTypeError):
        rs.ScoreTable(y, s).every(3)


def test_amounts_of_extreme_size():
    rs.define_index("plain_precision", "tp / (tp + fp)")
    rs.define_index("via_mcc", "1 - mcc")
    for size in (1e-300, 1e-100, 1e100, 1e300):
        counts = rs.Counts([3 * size, 0], [size, 0], [size, 0], [2 * size, 0])
        np.testing.assert_allclose(counts["plain_precision"], [0.75, np.nan], rtol=1e-14)
        np.testing.assert_allclose(counts["via_mcc"], 1 - counts["mcc"], rtol=1e-14)


def test_arrays_in_any_order():
    rs.define_index("ordered", "tp + 10*fp + 100*fn + 1000*tn")
    tp = np.arange(24).reshape(2, 3, 4)
    counts = rs.Counts(tp.T, np.asfortranarray(tp.T), tp.T.copy(), 1)
    np.testing.assert_array_equal(counts["ordered"], tp.T * 111 + 1000)
    np.testing.assert_array_equal(rs.Counts(tp, np.asfortranarray(tp), 0, 1)["ordered"], tp * 11 + 1000)


def test_threads_and_forks():
    rs.define_index("shared", "tp")
    failed = []

    def work(seed):
        rng = random.Random(seed)
        for turn in range(100):
            name = f"of_thread_{seed}_{turn % 5}"
            rs.define_index(name, f"shared + {turn}", replace=True)
            if rs.Counts(1, 1, 1, 1)[name] != 1 + turn or rs.index(name).formula != f"shared + {turn}":
                failed.append(name)
            if rng.random() < 0.5:
                rs.undefine_index(name)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    if "fork" in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context("fork").Pool(1) as pool:
            assert pool.apply(_of_child) == 7.0


def _of_child():
    rs.define_index("of_child", "shared + 6")
    return rs.Counts(1, 1, 1, 1)["of_child"]


def test_the_drop_in_functions_keep_their_meaning():
    before = rs.metrics.f1_score([0, 1, 1], [0, 1, 0])
    with pytest.raises(rs.InputError):
        rs.define_index("f1", "tp", replace=True)
    with pytest.raises(rs.InputError, match="accuracy is an index"):
        rs.define_index("accuracy_score", "n")
    rs.define_index("hinge_loss", "n")
    assert rs.metrics.f1_score([0, 1, 1], [0, 1, 0]) == before
    assert rs.metrics.accuracy_score([0, 1], [0, 1]) == 1
    assert rs.metrics.hinge_loss([0, 1], [-2, 2]) == 0


def test_the_command_line_defines_and_reports_it(tmp_path):
    pytest.importorskip("polars")
    file = tmp_path / "rows.csv"
    file.write_text("label,score\n0,0.2\n1,0.7\n1,0.4\n0,0.1\n")
    options = ["--label", "label", "--score", "score", "--json", "-"]
    command = [sys.executable, "-m", "rocksteady", "score", str(file), *options]
    done = subprocess.run(
        [*command, "--define", "net = tp/(tp+fp) - 0.1*fn/n"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["net"] == 1 - 0.1 / 4
    for refused, sentence in [("net", "expected NAME=EXPRESSION"), ("net=tp/", "ends at character 4"), ("f1=tp", "f1")]:
        done = subprocess.run([*command, "--define", refused], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1


def test_definitions_take_the_same_time_each(monkeypatch):
    read = []
    rows = _rocksteady.index_rows

    def counted(*of):
        found = rows(*of)
        read.append(len(found))
        return found

    monkeypatch.setattr(_rocksteady, "index_rows", counted)
    before = len(rs.indices())
    names = [f"one_of_many_{place}" for place in range(300)]
    try:
        read.clear()
        for place, name in enumerate(names):
            assert rs.define_index(name, f"tp + {place}").name == name
        assert sum(read) == len(names)
        assert len(rs.indices()) == before + len(names)
        assert rs.index(names[7]) == rs.indices()[before + 7]
    finally:
        for name in names:
            rs.undefine_index(name)

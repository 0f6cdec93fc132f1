"""Statistics of what was counted elsewhere: the score table and the matrix of a GROUP BY are those of its rows."""

from collections import Counter
from contextlib import closing
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs

SCORES = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 5e-324, 0.1, 0.5, 1 - 2**-53, 1.0, 1e300, np.inf])
CONTAINERS = (list, np.array, pd.Series, pl.Series, pa.array)


@given(st.lists(st.tuples(st.integers(0, 1), SCORES), max_size=60), st.integers(0, 3), st.randoms())
def test_a_group_by_is_the_table_of_its_rows(rows, empty, random):
    counted = Counter(rows)
    # A database may tell -0 from 0, and may list a score twice or without rows.
    entries = [(score, p, 0) for (label, score), p in counted.items() if label for p in (p, 0)]
    entries += [(score, 0, n) for (label, score), n in counted.items() if not label]
    entries += [(0.25, 0, 0)] * empty
    random.shuffle(entries)
    columns = [[entry[place] for entry in entries] for place in range(3)]
    table = rs.ScoreTable.from_counts(*columns, infinite="allow")
    assert (table.rows, table.pos_label) == (len(rows), 1)
    if rows:
        labels, scores = zip(*rows, strict=True)
        whole = rs.ScoreTable(labels, scores, pos_label=1, infinite="allow")
        if whole.labels == table.labels:  # the bytes name a class that has no rows, as from_counts was told of both
            assert table == whole
        assert table.counts().tp.tolist() == whole.counts().tp.tolist()
        assert table.counts().fp.tolist() == whole.counts().fp.tolist()
    assert rs.ScoreTable.from_bytes(table.to_bytes()) == table


@given(st.lists(st.tuples(SCORES.filter(np.isfinite), st.floats(0, 1e3), st.floats(0, 1e3)), min_size=1, max_size=40))
def test_sums_of_weights_are_exact(entries):
    scores, positives, negatives = map(list, zip(*entries, strict=True))
    table = rs.ScoreTable.from_counts(scores, positives, negatives, weighted=True)
    y = [1] * len(entries) + [0] * len(entries)
    assert table == rs.ScoreTable(y, scores * 2, pos_label=1, sample_weight=positives + negatives)
    total = sum(map(Fraction, positives))
    assert table.positives == float(total)
    parts = [rs.ScoreTable.from_counts([s], [p], [n], weighted=True) for s, p, n in entries]
    assert sum(parts[::-1]) == table


@pytest.mark.parametrize("container", CONTAINERS)
def test_columns_of_any_kind(container):
    whole = rs.ScoreTable(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8], pos_label="yes")
    columns = [container(column) for column in ([0.8, 0.1, 0.4, 0.35], [1, 0, 0, 1], [0, 1, 1, 0])]
    assert rs.ScoreTable.from_counts(*columns, labels=["no", "yes"]) == whole
    turned = rs.ScoreTable.from_counts(columns[0], columns[2], columns[1], labels=["no", "yes"], pos_label="no")
    assert turned["roc_auc"] == 1 - whole["roc_auc"]
    cells = [container(column) for column in ([4, 1, 2, 3], ["a", "b", "b", "a"], ["a", "a", "b", "a"])]
    matrix = rs.ConfusionMatrix.from_counts(cells[0], y_true=cells[1], y_pred=cells[2])
    assert matrix == rs.ConfusionMatrix.from_counts([[7, 0], [1, 2]], labels=["a", "b"])
    assert matrix.rows == 10


def test_kinds_of_scores_are_kept():
    for dtype in (np.float64, np.float32, np.float16, np.int64, np.uint8, np.bool_):
        scores = np.array([0, 1, 1, 0], dtype=dtype)
        table = rs.ScoreTable.from_counts(scores, [1, 2, 0, 0], [2, 0, 0, 1])
        assert table == rs.ScoreTable([1, 0, 0, 1, 1, 0], np.array([0, 0, 0, 1, 1, 0], dtype=dtype), pos_label=1)


def test_counts_beyond_floats_and_sums_of_decimals():
    great = [2**60 + 1, 2**53 + 1, 3]
    table = rs.ScoreTable.from_counts([0.1, 0.9, 0.9], great, [1, 0, 2**60])
    assert table.rows == sum(great) + 2**60 + 1
    pairs = (2**53 + 4) * (1 + 2**60) + great[0] * 0
    won = 2 * (2**53 + 4) * 1 + (2**53 + 4) * 2**60 + great[0]
    assert table.exact("roc_auc") == Fraction(won, 2 * (pairs + great[0] * (1 + 2**60)))
    decimals = [Decimal(count) for count in great]
    assert rs.ScoreTable.from_counts([0.1, 0.9, 0.9], pa.array(decimals), [1, 0, 2**60]) == table


def test_parts_add_up():
    rng = np.random.default_rng(3)
    y, s = rng.integers(0, 2, 5000), rng.integers(0, 300, 5000) / 300
    whole = rs.ScoreTable(y, s, pos_label=1)

    def counted(rows):
        scores, place = np.unique(s[rows], return_inverse=True)
        both = [np.bincount(place[y[rows] == label], minlength=len(scores)) for label in (1, 0)]
        return rs.ScoreTable.from_counts(scores, *both)

    assert sum(map(counted, np.array_split(np.arange(5000), 7))) == whole
    assert sum([counted(slice(0, 0)), counted(slice(0, 5000))]) == whole


@pytest.mark.parametrize(
    ("positives", "options", "said"),
    [
        ([0, 1, 0, -1], {}, r"positives\[3\] is -1; expected a finite number that is not negative"),
        ([0, 1, np.nan, 1], {}, r"positives\[2\] is NaN; expected a finite number that is not negative"),
        ([0, 0.5, 0, 1], {"weighted": False}, r"positives\[1\] is 0.5; expected a whole number"),
        ([0, 1, 1], {}, "positives has 3 rows; expected 4, as many as scores"),
        ([[0], [1], [1], [0]], {}, r"positives has shape \(4, 1\); expected one axis"),
        (np.array([2**64 - 1, 1, 0, 0], dtype=np.uint64), {}, "positives is more than 2\\^64 in all"),
        ([2**53 + 1, 1, 0, 0], {"weighted": True}, r"positives\[0\] is 9007199254740993; expected at most 2\^53"),
        ([Decimal("0.5"), 1, 1, 1], {}, "positives has decimal numbers that are no counts"),
        (["a", "b", "c", "d"], {}, "positives has dtype"),
        ([0, 1, 0, 1], {"labels": [0]}, "labels are 1; expected two"),
        ([0, 1, 0, 1], {"labels": [0, 0]}, r"labels\[1\] is 0; expected each label once"),
        ([0, 1, 0, 1], {"pos_label": 7}, "pos_label is 7; expected one of the labels 0 and 1"),
        ([0, 1, 0, 1], {"weighted": "yes"}, "weighted is 'yes'; expected True, False or None"),
    ],
)
def test_refusals(positives, options, said):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=said):
        rs.ScoreTable.from_counts([0.1, 0.35, 0.4, 0.8], positives, [1, 0, 1, 0], **options)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"y_true": [0, 1, None], "y_pred": [0, 0, 0]}, r"y_true\[2\] is missing; expected a label"),
        ({"y_true": [0, 1, 2]}, "y_pred is None; expected a column"),
        ({"y_true": [0, 1, 2], "y_pred": [0, 1]}, "y_pred has 2 rows; expected 3"),
        ({"y_true": [0, 1, 2], "y_pred": [0, 1, 1], "labels": [0, 1]}, "y_true has the class 2; expected one of"),
        ({"y_true": [0, 1, 2], "y_pred": ["a", "b", "c"]}, "expected labels of one kind"),
    ],
)
def test_refusals_of_cells(columns, said):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=said):
        rs.ConfusionMatrix.from_counts([1, 2, 3], **columns)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    rng = np.random.default_rng(5)
    y, s = rng.integers(0, 2, 20_000), np.round(rng.beta(2, 5, 20_000), 3)
    predicted, weight = (s >= 0.3).astype(int), rng.random(20_000)
    rows = pa.table({"y": y, "s": s, "predicted": predicted, "weight": weight})  # noqa: F841 (DuckDB finds it by name)
    counted = duckdb.sql(
        "select s, count(*) filter (where y = 1) as p, count(*) filter (where y = 0) as n from rows group by s"
    ).to_arrow_table()
    assert rs.ScoreTable.from_counts(counted["s"], counted["p"], counted["n"]) == rs.ScoreTable(y, s, pos_label=1)
    # sum() of integers is a decimal in Arrow.
    summed = duckdb.sql("select s, sum(y) as p, sum(1 - y) as n from rows group by s").to_arrow_table()
    assert pa.types.is_decimal(summed["p"].type)
    assert rs.ScoreTable.from_counts(summed["s"], summed["p"], summed["n"]) == rs.ScoreTable(y, s, pos_label=1)
    weighed = duckdb.sql("select s, sum(weight * y) as p, sum(weight * (1 - y)) as n from rows group by s")
    columns = weighed.fetchnumpy()
    table = rs.ScoreTable.from_counts(columns["s"], columns["p"], columns["n"])
    assert table["roc_auc"] == pytest.approx(rs.ScoreTable(y, s, sample_weight=weight)["roc_auc"], abs=1e-12)
    cells = duckdb.sql("select y, predicted, count(*) as rows from rows group by y, predicted").to_arrow_table()
    matrix = rs.ConfusionMatrix.from_counts(cells["rows"], y_true=cells["y"], y_pred=cells["predicted"])
    assert matrix == rs.ConfusionMatrix(y, predicted)
    assert matrix.rows == 20_000


# Sketches ---------------------------------------------------------------------------------------------------------


def populations():
    rng = np.random.default_rng(8)
    y = rng.random(30_000) < 0.2
    logit = rng.normal(y * 2.0) * 3
    yield "probabilities", y, 1 / (1 + np.exp(-logit))
    yield "logits", y, logit
    yield "ties", y, np.round(1 / (1 + np.exp(-logit)), 2)
    awkward = [-np.inf, -1e300, -1.0, -0.5, -5e-324, -0.0, 0.0, 5e-324, 1e-300, 0.25, 0.5, 0.75, 0.875, 1 - 2**-53, 1.0]
    awkward += [1 + 2**-52, 2.0, 1e300, np.inf, np.nextafter(0.5, 0), np.nextafter(0.25, 0), 0.1, 0.9]
    yield "awkward", y, rng.choice([*awkward, *rng.random(200), *(1 - rng.random(200) * 1e-9)], 30_000)


@pytest.mark.parametrize(("name", "y", "s"), list(populations()), ids=lambda value: value if type(value) is str else "")
@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_a_query_gives_the_cells_of_the_sketch(name, y, s, engine):
    labels = np.where(y, "it's", "no")
    query = rs.engines.sketch_sql("rows", "y", "s", pos_label="it's", thresholds=[0.3, -2])
    cells = 100 if name == "awkward" else 3_000  # so that cells are no narrower than the groups of the query
    asked = {"cells": cells, "thresholds": [0.3, -2.0], "infinite": "allow"}
    found = answers(engine, query, labels, s)
    sketch = rs.ScoreSketch.from_counts(*found, labels=["it's", "no"], pos_label="it's", **asked)
    whole = rs.ScoreSketch(labels, s, labels=["it's", "no"], pos_label="it's", **asked)
    assert (sketch.coarseness, len(sketch), sketch.rows) == (whole.coarseness, len(whole), 30_000)
    outside = rs.ScoreSketch(["no"], [2.0], labels=["it's", "no"], pos_label="it's", **asked)
    assert (sketch + outside).to_bytes() == (whole + outside).to_bytes()  # one more score takes the losses from both
    if name in ("logits", "awkward"):
        assert sketch == whole
    if not sketch.is_exact:
        assert sketch.bounds("roc_auc") == whole.bounds("roc_auc")
    assert sketch.at(0.3) == whole.at(0.3)


def answers(engine, query, y, s):
    """The columns of a query."""
    if engine == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        rows = pa.table({"y": y, "s": s})  # noqa: F841 (DuckDB finds it by name)
        table = duckdb.sql(query).to_arrow_table()
        return [table[name] for name in ("least", "greatest", "positives", "negatives")]
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as base:
        try:
            base.execute("SELECT LN(2.0), POWER(2.0, 3), FLOOR(1.5)")
        except sqlite3.OperationalError:
            pytest.skip("this SQLite has no mathematical functions")
        base.execute(f"CREATE TABLE rows (y {'TEXT' if y.dtype.kind == 'U' else 'INTEGER'}, s REAL)")
        base.executemany("INSERT INTO rows VALUES (?, ?)", zip(y.tolist(), s.tolist(), strict=True))
        least, greatest, positives, negatives = zip(*base.execute(query), strict=True)
    return np.array(least, float), np.array(greatest, float), positives, negatives


def of_rows(engine, rows, **options):
    """The sketch of a table of rows, whose columns have the types that the engine gives to literals."""
    query = rs.engines.sketch_sql("p", "y", "s", **options)
    if engine == "duckdb":
        base = pytest.importorskip("duckdb").connect()
        text = ", ".join(f"({str(y).upper() if isinstance(y, bool) else repr(y)}, {s})" for y, s in rows)
        base.execute(f"create table p as select * from (values {text}) v(y, s)")
        found = base.execute(query).fetchall()
    else:
        import sqlite3

        base = sqlite3.connect(":memory:")
        base.execute("create table p (y, s)")
        base.executemany("insert into p values (?, ?)", rows)
        found = base.execute(query).fetchall()
    base.close()
    return rs.ScoreSketch.from_counts(*zip(*found, strict=True), cells=256)


PAIRS = [(0, 1), (1, 2), (-1, 1), (2, 10), (False, True), (0.0, 1.0), (1.0, 2.0), ("no", "yes"), ("A", "a"), ("1", "2")]


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize("scores", [(410, 600, 520, 500), (0.1, 0.7, 0.4, 0.9), (-3, 0, 2, 1), (0, 1, 0, 1)])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_greater_label_is_positive_in_a_query_too(pair, scores, engine):
    labels = pair * 2
    exact = rs.ScoreTable(labels, scores)
    for rows in (list(zip(labels, scores, strict=True)), list(zip(labels, scores, strict=True))[::-1]):
        sketch = of_rows(engine, rows)
        assert (sketch.positives, sketch.negatives) == (2, 2)
        assert sketch["roc_auc"] == exact["roc_auc"]
        assert of_rows(engine, rows, pos_label=pair[1])["roc_auc"] == exact["roc_auc"]
        assert of_rows(engine, rows, pos_label=pair[0])["roc_auc"] == 1 - exact["roc_auc"]


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_a_lone_label_of_a_query_is_known_or_refused(engine):
    for label, counts in ((1, (2, 0)), (0, (0, 2)), (True, (2, 0)), (False, (0, 2)), (1.0, (2, 0)), (0.0, (0, 2))):
        sketch = of_rows(engine, [(label, 0.25), (label, 7)])
        assert (sketch.positives, sketch.negatives) == counts
    for label in (2, -1, "yes", 0.5):
        with pytest.raises(rs.InputError, match="positives.* is missing; expected .*pos_label="):
            of_rows(engine, [(label, 0.25), (label, 7)])
        assert of_rows(engine, [(label, 0.25), (label, 7)], pos_label=label).positives == 2


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_a_third_label_of_a_query_is_refused(engine):
    rows = [(0, 1), (1, 2), (2, 3), (0, 4)]
    with pytest.raises(rs.InputError, match="positives.* is missing; expected .*pos_label="):
        of_rows(engine, rows)
    with pytest.raises(rs.InputError, match="is missing"):  # beside another label in its group
        of_rows(engine, [*rows, (0, 2)])
    assert of_rows(engine, rows, pos_label=2).negatives == 3
    assert of_rows(engine, rows, where="y < 2").positives == 1
    assert of_rows(engine, rows, where="y > 0")["roc_auc"] == 1


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_rows_of_a_query_without_a_label_are_negative(engine):
    y, s = np.array([1, 2, 1, 2]), np.array([0.1, 0.2, 0.3, 0.4])
    query = rs.engines.sketch_sql("rows", "NULLIF(y, 1)", "s", pos_label=2)
    assert rs.ScoreSketch.from_counts(*answers(engine, query, y, s)).negatives == 2
    query = rs.engines.sketch_sql("rows", "NULLIF(y, 3)", "s", where="s > 0.1")
    assert rs.ScoreSketch.from_counts(*answers(engine, query, y, s)).positives == 2
    query = rs.engines.sketch_sql("rows", "CASE WHEN s > 0.1 THEN y END", "s")
    assert rs.ScoreSketch.from_counts(*answers(engine, query, y, s)).negatives == 2


def test_a_label_that_is_no_number_is_not_the_greater_one():
    y, s = np.array([0.0, np.nan, 0.0]), np.array([0.1, 0.2, 0.3])
    with pytest.raises(rs.InputError, match="is missing"):
        rs.ScoreSketch.from_counts(*answers("duckdb", rs.engines.sketch_sql("rows", "y", "s"), y, s))
    found = answers("duckdb", rs.engines.sketch_sql("rows", "y", "s", pos_label=0), y, s)
    assert rs.ScoreSketch.from_counts(*found).positives == 2


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_missing_scores_are_a_group_of_their_own(engine):
    y = np.array([1, 0, 1, 0, 1, 1, 0])
    s = pa.array([0.0, None, -0.0, 1.0, None, 5e-324, 1.7976931348623157e308], pa.float64())
    found = answers(engine, rs.engines.sketch_sql("rows", "y", "s", thresholds=[0.3, np.inf]), y, s)
    with pytest.raises(rs.InputError, match="is NaN"):
        rs.ScoreSketch.from_counts(*found)
    sketch = rs.ScoreSketch.from_counts(*found, nan_policy="omit", thresholds=[0.3])
    kept = [0, 2, 3, 5, 6]
    kept_scores = np.array([0.0, -0.0, 1.0, 5e-324, 1.7976931348623157e308])
    assert sketch.score_table() == rs.ScoreTable(y[kept], kept_scores, pos_label=1)


def test_wide_groups_only_make_the_bounds_wider():
    rng = np.random.default_rng(9)
    y = rng.random(5_000) < 0.3
    s = rng.beta(2, 5, 5_000) * 0.5 + y * 0.2
    exact = rs.ScoreTable(y, s)["roc_auc"]
    widths = []
    for bins in (10, 100, 1_000, 10_000):
        group = np.floor(s * bins).astype(int)
        frame = pd.DataFrame({"g": group, "s": s, "p": y.astype(int)}).groupby("g")
        least, greatest, rows = frame["s"].min(), frame["s"].max(), frame["p"].agg(["sum", "count"])
        sketch = rs.ScoreSketch.from_counts(least, greatest, rows["sum"], rows["count"] - rows["sum"])
        found = sketch.bounds("roc_auc")
        assert found.low <= exact <= found.high
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0] / 5  # equal bins are wide near 0, and the widest sets the level


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (([0.1], [0.6], [1], [1]), r"least\[0\] is on both sides of the threshold 0.5"),
        (([0.3], [0.2], [1], [1]), r"least\[0\] is greater; expected at most the greatest score"),
        (([0.1], [0.2], [-1], [1]), r"positives\[0\] is -1.0; expected a number of rows"),
        (([0.1], [0.2], [1], [0.5]), r"negatives\[0\] is 0.5; expected a number of rows"),
        (([0.1], [0.2, 0.3], [1], [1]), "greatest has 2 rows; expected 1"),
        (([0.1, np.nan], [0.2, np.nan], [1, 1], [1, 1]), r"least\[1\] is NaN; expected a finite number"),
        (([1, 2**53 + 1], [1, 2**53 + 2], [1, 1], [1, 1]), r"least\[1\] is 9007199254740993; expected a score"),
        (([0.5], [Decimal("0.1234567890123456")], [1], [1]), r"greatest\[0\] is 0.1234567890123456; expected a score"),
        (([0.5], [Decimal("1E+400")], [1], [1]), r"greatest\[0\] is 1E\+400; expected a score that a float64 holds"),
        (([Decimal("1E-400")], [0.5], [1], [1]), r"least\[0\] is 1E-400; expected a score that a float64 holds"),
        ((["a"], ["b"], [1], [1]), "expected a real number"),
        (([0.1, 0.2], [0.1, 0.2], [1, None], [1, 1]), r"positives\[1\] is missing; expected a number .*pos_label="),
    ],
)
def test_refusals_of_groups(columns, said):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=said):
        rs.ScoreSketch.from_counts(*columns)


def whole_numbers():
    numbers = [0, 1, 3, 410, 2**53]
    yield from (tuple(numbers), numbers, [float(numbers[0]), *numbers[1:]], [Decimal(number) for number in numbers])
    for dtype in (np.int64, np.uint64, object):
        yield np.array(numbers, dtype)
    yield pd.Series(numbers)
    yield pd.Series(numbers, dtype="Int64")
    yield pd.Series(numbers, dtype="int64[pyarrow]")
    yield pl.Series(numbers)
    yield pl.Series(numbers, dtype=pl.Decimal(20, 0))
    for kind in (pa.int64(), pa.uint64(), pa.decimal128(20, 0), pa.float64()):
        yield pa.array(numbers, kind)
        yield pa.chunked_array([pa.array(numbers[:2], kind), pa.array(numbers[2:], kind)])
    yield np.ma.MaskedArray(numbers, mask=[False] * 5)


@pytest.mark.parametrize("scores", list(whole_numbers()), ids=lambda scores: type(scores).__name__)
def test_scores_of_groups_may_be_whole_numbers(scores):
    floats = [0.0, 1.0, 3.0, 410.0, 2.0**53]
    counts = [1, 0, 2, 0, 4], [0, 1, 1, 2, 0]
    assert rs.ScoreSketch.from_counts(scores, scores, *counts) == rs.ScoreSketch.from_counts(floats, floats, *counts)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.int32, np.float32, np.float16])
def test_scores_of_groups_may_be_narrow(dtype):
    scores = np.array([0, 1, 1], dtype)
    sketch = rs.ScoreSketch.from_counts(scores, scores, [1, 2, 3], [3, 2, 1])
    assert sketch["roc_auc"] == rs.ScoreTable.from_counts(scores, [1, 2, 3], [3, 2, 1])["roc_auc"]


@pytest.mark.parametrize("container", [list, np.array, pd.Series, pl.Series, pa.array])
def test_whole_numbers_that_no_float_holds_are_refused(container):
    for beyond in (2**53 + 1, -(2**53) - 1):
        scores = container([1, beyond])
        with pytest.raises(rs.InputError, match=rf"least\[1\] is {beyond}; expected a score that a float64 holds"):
            rs.ScoreSketch.from_counts(scores, scores, [1, 1], [1, 1])


def test_whole_numbers_may_be_missing():
    for scores in ([1, None, 3], (1, None, 3.0), pd.Series([1, None, 3], dtype="Int64"), pa.array([1, None, 3])):
        found = rs.ScoreSketch.from_counts(scores, scores, [1, 5, 1], [2, 6, 0], nan_policy="omit")
        assert found == rs.ScoreSketch.from_counts([1.0, 3.0], [1.0, 3.0], [1, 1], [2, 0])


def test_groups_without_a_score_are_left_out():
    found = rs.ScoreSketch.from_counts([0.1, np.nan], [0.2, np.nan], [1, 5], [2, 6], nan_policy="omit")
    assert found.rows == 3
    assert rs.ScoreSketch.from_counts(np.zeros(0), np.zeros(0), [], []).rows == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"bits": 0}, "bits is 0; expected"),
        ({"bits": 41}, "bits is 41; expected a number of bits from 1 to 40"),
        ({"thresholds": [np.nan]}, "thresholds"),
    ],
)
def test_refusals_of_queries(options, said):
    with pytest.raises((rs.InputError, rs.InputTypeError), match=said):
        rs.engines.sketch_sql("rows", "y", "s", **options)

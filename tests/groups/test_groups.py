"""Statistics by group against a loop over the groups, and laws of merging."""

from __future__ import annotations

import datetime as dt
import math
import os
import pickle
import sys

import numpy as np
import pytest
import scipy.stats

import rocksteady as rs

THOROUGH = os.environ.get("ROCKSTEADY_THOROUGH") == "1"
CUBES = 1_000 if THOROUGH else 60

KINDS = ("none", "counts", "sampling")


def cube(seed: int, classes: int = 2) -> dict[str, np.ndarray]:
    """Columns of a small random cube: keys with gaps, ties, weights with zeros."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 60))
    few = random.random() < 0.3
    score = random.integers(0, 4, rows) / 4 if few else random.random(rows).round(2)
    user = random.integers(0, 6, rows).astype(float)
    user[random.random(rows) < 0.1] = np.nan
    y = random.integers(0, classes, rows)
    y[: min(rows, classes)] = np.arange(min(rows, classes))  # each class occurs
    return {
        "region": np.array(["south", "north", "east", None], dtype=object)[random.integers(0, 4, rows)],
        "user": user,
        "day": np.array(["2024-01-01", "2023-05-05", "NaT"], dtype="datetime64[D]")[random.integers(0, 3, rows)],
        "y": y,
        "p": random.integers(0, classes, rows),
        "s": score,
        "w": random.integers(0, 5, rows) * random.choice([0.1, 1.0, 1e-9]),
    }


def options(columns: dict[str, np.ndarray], kind: str) -> dict:
    return {} if kind == "none" else {"sample_weight": columns["w"], "weight_kind": kind}


def is_same(a: object, b: object) -> bool:
    """Equal; a missing key is like another."""
    missing = [x is None or (isinstance(x, float | np.floating) and math.isnan(x)) or x != x for x in (a, b)]
    return all(missing) or (not any(missing) and a == b)


def rows_of(by: rs.Groups, columns: dict[str, np.ndarray], place: int) -> np.ndarray:
    """The rows of a group, by comparing keys row by row."""
    keys = {name: array[place] for name, array in by.keys.items()}
    found = [all(is_same(columns[name][row], key) for name, key in keys.items()) for row in range(len(columns["y"]))]
    return np.array(found)


def keys_of(columns: dict[str, np.ndarray], names: list[str]) -> dict[str, np.ndarray]:
    return {name: columns[name] for name in names}


def taken(columns: dict[str, np.ndarray], rows: np.ndarray) -> dict[str, np.ndarray]:
    return {name: array[rows] for name, array in columns.items()}


def agree(found: float, expected: float, context: object, tolerance: float = 1e-12) -> None:
    assert (np.isnan(found) and np.isnan(expected)) or found == pytest.approx(expected, rel=tolerance, abs=tolerance), (
        context
    )


# Threads --------------------------------------------------------------------------------------------------------------


def many(groups: int, shape: str, seed: int, rows: int = 300_000) -> dict[str, np.ndarray]:
    """Columns that several threads share."""
    random = np.random.default_rng(seed)
    group = random.integers(0, groups, rows)
    if shape == "zipf":
        group = np.minimum(random.zipf(1.3, rows), groups) - 1
    elif shape == "sorted":
        group.sort()
    scores = (random.random(rows) if seed % 2 else random.integers(0, 50, rows) / 50) * (2.0 if seed % 3 else 1.0)
    y = (random.random(rows) < 0.3).astype(int)
    return {"g": group, "y": y, "p": (random.random(rows) < 0.4).astype(int), "s": scores, "w": random.random(rows)}


@pytest.fixture
def threads():
    before = rs.get_threads()
    yield rs.set_threads
    rs.set_threads(before)


def bits_of(by: rs.Groups) -> list[object]:
    names = [name for name in ("roc_auc", "f1", "gini") if name != "f1" or by.counts() is not None]
    found: list[object] = [by.digest(), by.sizes.tobytes(), by.positive_sizes.tobytes(), by.threshold]
    found += [array.tobytes() for array in by.keys.values() if array.dtype != object]
    found += [array.tolist() for array in by.keys.values() if array.dtype == object]
    for name in names:
        if by._state.has[1] or name == "f1":
            values = by[name]
            found += [values.value.tobytes(), values.why]
    return [*found, by.counts().tp.tobytes(), by.counts().tn.tobytes()]


@pytest.mark.parametrize(
    ("groups", "shape"),
    [(1, "even"), (3, "zipf"), (500, "even"), (9_000, "zipf"), (60_000, "even"), (60_000, "sorted"), (250_000, "even")],
)
def test_any_number_of_threads_gives_the_same_bits(threads, groups, shape):
    columns = many(groups, shape, groups + len(shape))
    half = len(columns["y"]) // 2 + 1
    for given in ({"y_score": columns["s"]}, {"y_pred": columns["p"]}):
        found = []
        for number in (1, 2, 7, 16):
            threads(number)
            by = rs.group_by(columns["y"], by=columns["g"], **given)
            parts = [
                rs.group_by(
                    columns["y"][own], by=columns["g"][own], **{name: array[own] for name, array in given.items()}
                )
                for own in (slice(half), slice(half, None))
            ]
            assert parts[0] + parts[1] == by
            found.append(bits_of(by))
        assert all(bits == found[0] for bits in found)
        # Against numpy: the rows of each group, and its positives.
        keys, inverse = np.unique(columns["g"], return_inverse=True)
        assert np.array_equal(by.keys["group"], keys)
        assert np.array_equal(by.sizes, np.bincount(inverse))
        assert np.array_equal(by.positive_sizes, np.bincount(inverse, columns["y"]))
        guess = columns["s"] >= by.threshold if "y_score" in given else columns["p"] == 1
        assert np.array_equal(by.counts().tp, np.bincount(inverse, guess & (columns["y"] == 1)))
        for place in np.random.default_rng(1).choice(len(keys), min(len(keys), 20), replace=False):
            own = inverse == place
            if "y_score" in given and len(set(columns["y"][own])) == 2:
                assert by["roc_auc"].value[place] == rs.ScoreTable(columns["y"][own], columns["s"][own])["roc_auc"]


@pytest.mark.parametrize("kind", KINDS)
def test_threads_keep_missing_keys_and_several_columns(threads, kind):
    columns = many(400, "even", 3)
    user = np.where(columns["g"] % 7 == 0, np.nan, columns["g"] * 1e9)
    region = np.array(["north", "south", None], dtype=object)[columns["g"] % 3]
    weights = {} if kind == "none" else {"sample_weight": columns["w"], "weight_kind": kind}
    found = []
    for number in (1, 2, 7, 16):
        threads(number)
        for given in ({"y_score": columns["s"].astype(np.float32)}, {"y_pred": columns["p"]}):
            keys = {"user": user, "region": region, "g": columns["g"] % 11}
            found.append(bits_of(rs.group_by(columns["y"], by=keys, **given, **weights)))
    assert all(bits == found[place % 2] for place, bits in enumerate(found))


def test_threads_refuse_the_same_row(threads):
    columns = many(60_000, "even", 5)
    y, scores = columns["y"].copy(), columns["s"].copy()
    scores[[7, 200_000]] = np.nan
    words = []
    for wrong in (None, 290_000):
        if wrong is not None:
            y[wrong] = 2
        for number in (1, 2, 7, 16):
            threads(number)
            with pytest.raises(rs.InputError) as error:
                rs.group_by(y, y_score=scores, by=columns["g"])
            words.append(str(error.value))
    assert len(set(words[:4])) == len(set(words[4:])) == 1
    assert "y_score[7]" in words[0]
    assert "y_true[290000]" in words[4]


# A loop over the groups ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6 if not THOROUGH else 60))
def test_every_index_of_counts_is_that_of_each_group_alone(seed, kind):
    columns = cube(seed)
    by = rs.group_by(columns["y"], columns["p"], by=keys_of(columns, ["region", "user"]), **options(columns, kind))
    matrices = []
    for place in range(len(by)):
        own = taken(columns, rows_of(by, columns, place))
        assert len(own["y"]) == by.sizes[place] > 0
        matrices.append(
            rs.ConfusionMatrix(own["y"], own["p"], labels=by.labels, pos_label=by.pos_label, **options(own, kind))
        )
        assert by.matrix(tuple(array[place] for array in by.keys.values())) == matrices[-1]
    for row in rs.indices():
        if not {"counts", "matrix"} & set(row.forms):
            continue
        values, why = by.every(row.name), by.why(row.name)
        for place, matrix in enumerate(matrices):
            # Columns of sums of weights are computed in float64, as those of the classes of a matrix.
            of_columns = kind != "none" and "counts" in row.forms
            positive = by.labels.index(by.pos_label)
            expected = matrix.counts().value(row.name)[positive] if of_columns else matrix[row.name]
            agree(values[place], expected, (row.name, place), 1e-9)
            if not of_columns:
                assert (None if why is None else why[place]) == matrix.why(row.name), (row.name, place)
    assert by.overall == rs.ConfusionMatrix(
        columns["y"], columns["p"], labels=by.labels, pos_label=by.pos_label, **options(columns, kind)
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6 if not THOROUGH else 60))
def test_every_index_of_scores_is_that_of_each_group_alone(seed, kind):
    columns = cube(seed)
    weighed = options(columns, kind)
    by = rs.group_by(columns["y"], y_score=columns["s"], by=keys_of(columns, ["region", "day"]), pos_label=1, **weighed)
    tables = []
    for place in range(len(by)):
        own = taken(columns, rows_of(by, columns, place))
        table = rs.ScoreTable(own["y"], own["s"], pos_label=1, **options(own, kind))
        found = by.score_table(tuple(array[place] for array in by.keys.values()))
        assert found.thresholds.tolist() == table.thresholds.tolist()
        assert found.counts() == table.counts()
        assert found.rows == table.rows
        assert by.at(0.5).tp[place] == table.at(0.5).tp
        tables.append(table)
    for row in rs.indices():
        if "scores" not in row.forms:
            continue
        values, why = by.every(row.name), by.why(row.name)
        for place, table in enumerate(tables):
            agree(values[place], table.value(row.name), (row.name, place))
            assert (None if why is None else why[place]) == table.why(row.name), (row.name, place)
    for name in ("recall", "f1", "mcc", "accuracy"):
        for place, table in enumerate(tables):
            agree(by.every(name)[place], float(table.at(0.5)[name]), (name, place))
    whole = rs.ScoreTable(columns["y"], columns["s"], pos_label=1, **weighed)
    assert by.overall == whole


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4 if not THOROUGH else 40))
def test_several_classes_are_those_of_each_group_alone(seed, kind):
    columns = cube(seed, classes=4)
    by = rs.group_by(columns["y"], columns["p"], by=columns["region"], **options(columns, kind))
    if len(by.labels) < 3:
        return
    names = [row.name for row in rs.indices() if "matrix" in row.forms]
    for place, key in enumerate(by.keys["group"]):
        own = taken(columns, rows_of(by, {**columns, "group": columns["region"]}, place))
        matrix = rs.ConfusionMatrix(own["y"], own["p"], labels=by.labels, **options(own, kind))
        assert by.matrix(key) == matrix
        for name in names:
            agree(by.every(name)[place], matrix[name], (name, place))
    assert by.overall == rs.ConfusionMatrix(columns["y"], columns["p"], labels=by.labels, **options(columns, kind))
    with pytest.raises(rs.InputError, match="two classes"):
        _ = by.counts()


@pytest.mark.parametrize("name", ["recall", "mcc", "accuracy"])
def test_intervals_of_counts_are_those_of_each_group(name):
    columns = cube(3)
    by = rs.group_by(columns["y"], columns["p"], by=columns["region"], pos_label=1)
    found = by.interval(name, level=0.9)
    for place, key in enumerate(by.keys["group"]):
        one = by.matrix(key).interval(name, level=0.9)
        agree(found.value[place], one.estimate, key)
        agree(found.low[place], one.low, key)
        agree(found.high[place], one.high, key)


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_of_scores_are_those_of_each_group(kind):
    columns = cube(5)
    by = rs.group_by(columns["y"], y_score=columns["s"], by=columns["region"], pos_label=1, **options(columns, kind))
    found = by.interval("roc_auc", method="delong", side="lower")
    for place, key in enumerate(by.keys["group"]):
        one = by.score_table(key).interval("roc_auc", method="delong", side="lower")
        agree(found.low[place], one.low, key)
        assert (None if found.why is None else found.why[place]) == one.why


# Merging ---------------------------------------------------------------------------------------------------------------


def grouped(columns: dict[str, np.ndarray], names: list[str], kind: str, what: str) -> rs.Groups:
    given = {"y_pred": columns["p"]} if what != "scores" else {}
    if what != "classes":
        given["y_score"] = columns["s"]
    by = {"by": keys_of(columns, names)}
    return rs.group_by(columns["y"], **given, **by, pos_label=1, **options(columns, kind))


def test_rolling_up_is_counting_anew_to_the_bit():
    for seed in range(CUBES):
        columns = cube(seed)
        if len(columns["y"]) < 2:
            continue
        kind, what = KINDS[seed % 3], ("classes", "scores", "both")[seed // 3 % 3]
        by = grouped(columns, ["region", "user", "day"], kind, what)
        for names in (["region"], ["user"], ["day", "region"], ["user", "region", "day"]):
            anew = grouped(columns, names, kind, what)
            assert by.over(names) == anew, (seed, names)
            assert by.over(names).to_bytes() == anew.to_bytes()
            assert by.over(names).over(names[0]).to_bytes() == grouped(columns, names[:1], kind, what).to_bytes()


def test_groups_of_parts_add_up_to_those_of_all_rows():
    for seed in range(CUBES):
        columns = cube(seed)
        rows = len(columns["y"])
        if rows < 6:
            continue
        kind, what = KINDS[seed % 3], ("classes", "scores", "both")[seed // 3 % 3]
        whole = grouped(columns, ["region", "user", "day"], kind, what)
        order = np.random.default_rng(seed).permutation(rows)
        shuffled = grouped(taken(columns, order), ["region", "user", "day"], kind, what)
        assert shuffled.to_bytes() == whole.to_bytes()
        # Both classes in each part, as classes are those that occur.
        ends = np.array([np.flatnonzero(columns["y"] == 0)[:1], np.flatnonzero(columns["y"] == 1)[:1]]).ravel()
        cut = rows // 2
        parts = [np.arange(cut), np.arange(cut, rows)]
        if any(len(set(columns["y"][part])) < 2 for part in parts) or len(ends) < 2:
            continue
        first, second = (grouped(taken(columns, part), ["region", "user", "day"], kind, what) for part in parts)
        assert (first + second).to_bytes() == whole.to_bytes(), seed
        assert sum([second, first]) == whole


def test_classes_that_a_part_does_not_have_are_added():
    y, p, g = np.array([0, 1, 2, 2, 3]), np.array([0, 1, 2, 3, 3]), list("abbaa")
    whole = rs.group_by(y, p, by=g)
    for cut in (1, 2, 3, 4):
        parts = (rs.group_by(y[:cut], p[:cut], by=g[:cut]), rs.group_by(y[cut:], p[cut:], by=g[cut:]))
        assert (parts[0] + parts[1]).to_bytes() == whole.to_bytes(), cut
        assert parts[0] + parts[1] == parts[1] + parts[0]


def test_what_does_not_add_is_refused():
    def of(**changes):
        given = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 0], "by": list("aabb")}
        return rs.group_by(**{**given, **changes})

    base = of()
    for other, words in (
        (of(by=[1, 2, 3, 4]), "text in one and integers in the other"),
        (of(by={"key": list("aabb")}), "expected the same"),
        (of(by=None, control=list("aabb")), "other control columns"),
        (of(pos_label=0), None),
        (of(sample_weight=[1, 2, 3, 4]), "one has weights"),
        (of(y_score=[0.1, 0.2, 0.3, 0.4]), "one has scores"),
        (of(y_pred=None, y_score=[0.1, 0.2, 0.3, 0.4]), "predicted classes"),
    ):
        if words is None:
            continue
        with pytest.raises(rs.InputError, match=words):
            _ = base + other
    with pytest.raises(rs.InputError, match="positive label"):
        _ = of(pos_label=1) + of(pos_label=0)
    with pytest.raises(TypeError):
        _ = base + 1


def test_bytes_and_pickles_come_back():
    for seed in range(30):
        columns = cube(seed)
        for kind in KINDS:
            for what in ("classes", "scores", "both"):
                by = grouped(columns, ["region", "user", "day"], kind, what)
                again = rs.Groups.from_bytes(by.to_bytes())
                assert again == by
                assert again.to_bytes() == by.to_bytes()
                assert pickle.loads(pickle.dumps(by)) == by
                assert [str(key) for key in again.keys["day"]] == [str(key) for key in by.keys["day"]]


# Keys ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "sorted_keys"),
    [
        ([3, 1, 2, 3], [1, 2, 3]),
        ([2.5, -1.5, float("nan"), 2.5], [-1.5, 2.5, float("nan")]),
        ([True, False, True, True], [False, True]),
        (["b", "a", None, "b"], ["a", "b", None]),
        ([1, None, 2, 1], [1, 2, None]),
        ([1.5, None, 2, 1], [1.0, 1.5, 2.0, float("nan")]),
        (np.array([3, 1, 2, 3], dtype=np.uint8), [1, 2, 3]),
        (np.array([2**63, 1, 2, 3], dtype=np.uint64), [1, 2, 3, 2**63]),
        (np.array([10**15, -(10**15), 5, 5]), [-(10**15), 5, 10**15]),
        (np.array(["b", "a", "b", "aa"]), ["a", "aa", "b"]),
        (np.array([0.5, -0.0, 0.0, np.inf], dtype=np.float32), [0.0, 0.5, math.inf]),
        ([dt.date(2024, 2, 1), None, dt.date(2023, 1, 1), None], [dt.date(2023, 1, 1), dt.date(2024, 2, 1), None]),
        (np.array([5, 2, "NaT", 5], dtype="timedelta64[s]"), [dt.timedelta(0, 2), dt.timedelta(0, 5), None]),
    ],
)
def test_keys_of_every_kind_are_sorted_with_missing_ones_last(keys, sorted_keys):
    by = rs.group_by([0, 1, 1, 0], [0, 1, 0, 0], by=keys)
    found = by.keys["group"].tolist()
    assert len(found) == len(sorted_keys)
    assert all(map(is_same, found, sorted_keys)), found
    for place, key in enumerate(found):
        assert by.place(key) == place
    rows = [sum(is_same(key, each) for each in np.asarray(keys, dtype=object)) for key in found]
    if not isinstance(keys, np.ndarray) or keys.dtype.kind != "m":
        assert by.sizes.tolist() == rows
    assert rs.Groups.from_bytes(by.to_bytes()) == by


def test_keys_of_pandas():
    pandas = pytest.importorskip("pandas")
    y, p = [0, 1, 1, 0], [0, 1, 0, 0]

    def keys(column):
        return [str(key) for key in rs.group_by(y, p, by=column).keys["group"].tolist()]

    assert keys(pandas.Categorical(["b", "a", None, "b"], ["b", "a", "c"])) == ["a", "b", "None"]
    assert keys(pandas.Categorical(["b", "a", None, "b"], ["b", "a", "c"], ordered=True)) == ["b", "a", "None"]
    assert keys(pandas.cut(pandas.Series([1, 5, 20, None]), [0, 3, 10, 30])) == [
        "(0, 3]",
        "(3, 10]",
        "(10, 30]",
        "None",
    ]
    assert keys(pandas.Series(["2024-01", "2023-12", None, "2024-01"]).astype("period[M]")) == [
        "2023-12",
        "2024-01",
        "None",
    ]
    assert keys(pandas.array([3, None, 1, 3])) == ["1", "3", "None"]
    assert keys(pandas.Series(pandas.to_datetime(["2024-01-02", None, "2023-01-01", None]))) == [
        "2023-01-01 00:00:00",
        "2024-01-02 00:00:00",
        "None",
    ]
    frame = pandas.DataFrame({"region": list("bbaa"), "sex": [1, 0, 1, 1]})
    by = rs.group_by(y, p, by=frame)
    assert by.names == ("region", "sex")
    assert by.sizes.tolist() == [2, 1, 1]
    assert rs.group_by(y, p, by=frame["sex"], control=frame["region"]).controls == ("region",)
    assert by.over("region")["accuracy"].to_pandas()["region"].tolist() == ["a", "b"]
    shuffled = frame.loc[[3, 1, 0, 2]]
    truth = pandas.Series(y)
    assert rs.group_by(truth, p, by=shuffled, align=True) == by
    with pytest.warns(rs.RocksteadyWarning, match="another order"):
        rs.group_by(truth, p, by=shuffled)


def keys_of_other_order(pandas):
    """A column whose index labels are those of `y` in another order, in every form of keys, as `argument, form`."""
    keys = pandas.Series(["u", "v", "u", "v"], index=list("dcba"))
    plain = ["same"] * 4
    yield "", keys
    yield "", pandas.DataFrame({"g": keys})
    yield "['g']", {"g": keys}
    yield "['g']", {"other": plain, "g": keys}
    yield "['g']", {"g": keys.astype("category")}
    yield "[0]", [keys]
    yield "[0]", (keys,)
    yield "[1]", [plain, keys]


def test_keys_go_by_the_index_in_every_form():
    pandas = pytest.importorskip("pandas")
    y = pandas.Series([0, 1, 0, 1], index=list("abcd"))
    for said, form in keys_of_other_order(pandas):
        calls = [
            ("by", lambda form=form, **o: rs.group_by(y, y, by=form, **o)),
            ("control", lambda form=form, **o: rs.group_by(y, y, by={"one": [1] * 4}, control=form, **o)),
            ("by", lambda form=form, **o: rs.evaluate(y, y_pred=y, by=form, **o).groups),
            ("by", lambda form=form, **o: rs.evaluate(y, y.astype(float), by=form, **o).groups),
        ]
        for argument, call in calls:
            assert call(align=True).every("prevalence").tolist() == [1, 0]
            with pytest.warns(rs.RocksteadyWarning) as caught:
                assert call().every("prevalence").tolist() == [0, 1]
            (one,) = caught
            assert str(one.message).startswith(f"{argument}{said} has the index labels of y_true in another order")
            assert str(one.message).endswith("pass align=True")
        with pytest.warns(rs.RocksteadyWarning, match="query.* has the index labels of relevance in another order"):
            rs.Queries(y, y, form)
    other = {"g": pandas.Series(list("uvuv"), index=list("abcx"))}
    with pytest.raises(rs.InputError, match=r"by\['g'\] has 4 rows, none of which has the index label 'd'") as refused:
        rs.group_by(y, y, by=other, align=True)
    assert refused.value.argument == "by"


def zoned(zone):
    """Two times with a zone in every form."""
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    series = pandas.Series(pandas.date_range("2024-01-01", periods=2, tz=zone))
    items = [item.to_pydatetime() for item in series]
    yield from (series, pandas.DatetimeIndex(series), series.array, series.astype(object), series.astype("category"))
    yield from (items, list(series), np.array(items, dtype=object), [items[0], series[1]])
    yield from (polars.Series(items), pyarrow.array(items), pyarrow.chunked_array([items]))
    yield series.astype(pandas.ArrowDtype(pyarrow.timestamp("us", tz=zone)))


@pytest.mark.parametrize("zone", ["Europe/Berlin", "-03:30"])
def test_times_keep_their_zone(zone):
    y, days = [0, 1], ["2024-01-01 00:00:00", "2024-01-02 00:00:00"]
    expected = [f"{day}{'-03:30' if zone == '-03:30' else '+01:00'}" for day in days]
    for form in zoned(zone):
        if getattr(form.dtype if hasattr(form, "dtype") else None, "time_zone", zone) == "UTC":
            continue  # polars makes UTC of a distance
        by = rs.group_by(y, y, by={"t": form}, control={"c": form})
        assert list(map(str, by.keys["t"])) == list(map(str, by.keys["c"])) == expected
        assert [str(row[1]) for row in by["accuracy"].summary()] == expected
        assert by["accuracy"].summary().to_csv().count(expected[1]) == 2
        assert rs.Groups.from_bytes(by.to_bytes()) == by
        assert (by + by).sizes.tolist() == [2, 2]
        first = by.keys["t"][0]
        assert by.place((first, first.astimezone(dt.UTC))) == 0
        assert list(map(str, rs.Queries(y, y, form).keys["query"])) == expected
        in_utc = rs.group_by(y, y, by={"t": [time.astimezone(dt.UTC) for time in by.keys["t"]]})
        assert in_utc.keys["t"].dtype.kind == "M"
        with pytest.raises(rs.InputError, match="expected times of one unit"):
            rs.group_by(y, y, by={"t": form}) + in_utc
    for form in zoned("UTC"):
        by = rs.group_by(y, y, by={"t": form})
        assert [row[0] for row in by["accuracy"].summary().rows] == days
    pandas = pytest.importorskip("pandas")
    berlin = pandas.Series(pandas.date_range("2024-01-01", periods=2, tz="Europe/Berlin"))
    missing = rs.group_by([0, 1, 1], [0, 1, 1], by=[*berlin, pandas.NaT])
    assert (missing.keys["group"][2], missing.sizes.tolist()) == (None, [1, 1, 1])
    fine = berlin.dt.as_unit("ns") + pandas.Timedelta(1, "ns")
    with pytest.raises(rs.InputError, match="in row 0 of its column 'group'; expected times of whole microseconds"):
        rs.group_by(y, y, by=fine)
    assert rs.group_by(y, y, by=fine.dt.floor("us")).keys["group"][0] == berlin[0]
    mixed = [dt.datetime(2024, 1, 1), berlin[1].to_pydatetime()]
    with pytest.raises(rs.InputError, match="in row 1.*as in the rows before it") as refused:
        rs.group_by(y, y, by=mixed)
    assert refused.value.row == 1


@pytest.mark.parametrize("unit", ["D", "s", "ms", "us", "ns"])
@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
def test_times_in_tables_are_text(unit, kind):
    keys = np.array([0, 1, "NaT"], dtype=f"{kind}[{unit}]")
    by = rs.group_by([0, 1, 1], [0, 1, 1], by={"t": keys})
    tables = [
        by["accuracy"].summary(),
        by.worst("recall", k=3).table,
        rs.fairness.adverse_impact([1, 0, 1], by={"t": keys}).table,
        rs.fairness.MetricFrame(
            metrics="accuracy", y_true=[0, 1, 1], y_pred=[0, 1, 1], sensitive_features={"t": keys}
        ).summary(),
    ]
    for table in tables:
        cells = [row[0] for row in table.rows]
        assert all(cell is None or isinstance(cell, str) for cell in cells)
        assert str(table)
    cells = [row[0] for row in tables[0].rows]
    assert cells[2] is None
    if kind == "datetime64":
        assert cells[0].startswith("1970-01-01")
    assert str(by["accuracy"])


def test_keys_of_polars_and_arrow():
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    y, p = [0, 1, 1, 0], [0, 1, 0, 0]

    def keys(column):
        return [str(key) for key in rs.group_by(y, p, by=column).keys["group"].tolist()]

    texts = ["b", "a", None, "b"]
    assert keys(polars.Series(texts)) == ["a", "b", "None"]
    assert keys(polars.Series(texts, dtype=polars.Categorical)) == ["a", "b", "None"]
    assert keys(polars.Series(texts, dtype=polars.Enum(["b", "a", "c"]))) == ["b", "a", "None"]
    assert keys(polars.Series([dt.date(2024, 1, 2), None, dt.date(2023, 1, 1), None])) == [
        "2023-01-01",
        "2024-01-02",
        "None",
    ]
    assert keys(pyarrow.array(texts)) == ["a", "b", "None"]
    assert keys(pyarrow.array(texts).dictionary_encode()) == ["a", "b", "None"]
    assert keys(pyarrow.array([dt.datetime(2024, 1, 2), None, dt.datetime(2023, 1, 1), None]))[-1] == "None"
    frame = polars.DataFrame({"region": list("bbaa"), "sex": [1, 0, 1, 1]})
    assert rs.group_by(y, p, by=frame) == rs.group_by(y, p, by={"region": list("bbaa"), "sex": [1, 0, 1, 1]})


def test_keys_of_parts_that_are_of_other_widths_add():
    y, p = [0, 1], [0, 1]
    small = rs.group_by(y, p, by=np.array([1, 2], dtype=np.int8))
    large = rs.group_by(y, p, by=np.array([2, 2**40]))
    assert (small + large).keys["group"].tolist() == [1, 2, 2**40]
    floats = rs.group_by(y, p, by=np.array([0.5, np.nan], dtype=np.float32))
    assert (small + floats).keys["group"].tolist()[:3] == [0.5, 1.0, 2.0]
    nothing = rs.group_by(y, p, by=[None, None])
    assert (small + nothing).keys["group"].tolist() == [1, 2, None]
    assert (nothing + rs.group_by(y, p, by=["a", "b"])).keys["group"].tolist() == ["a", "b", None]


def test_a_key_of_a_million_characters():
    long = "x" * 1_000_000
    by = rs.group_by([0, 1, 1], [0, 1, 0], by=[long + "b", "y", long + "a"])
    assert [len(key) for key in by.keys["group"]] == [1_000_001, 1_000_001, 1]
    assert by.place(long + "b") == 1
    assert rs.Groups.from_bytes(by.to_bytes()) == by
    assert len(repr(by["accuracy"])) < 1_000


# Sizes -----------------------------------------------------------------------------------------------------------------


def test_many_groups_of_one_row():
    rows = 10_000_000 if THOROUGH else 100_000
    random = np.random.default_rng(0)
    y, p, s = random.integers(0, 2, rows), random.integers(0, 2, rows), random.random(rows)
    users = random.permutation(rows) * 1_000_003
    by = rs.group_by(y, p, s, by=users)
    assert len(by) == rows
    order = np.argsort(users)
    assert by.keys["group"][[0, -1]].tolist() == [0, (rows - 1) * 1_000_003]
    assert np.array_equal(by.counts().tp, (y & p)[order])
    assert np.array_equal(by.positive_sizes, y[order])
    assert np.isnan(by.every("roc_auc")).all()
    assert by.mean().excluded == {"one row": rows}
    assert by.matrix() == rs.ConfusionMatrix(y, p)
    assert by.score_table() == rs.ScoreTable(y, s)
    # 40 bytes a group beyond the keys and the scores, of 8 bytes each.
    assert by._state.size <= (40 + 8) * rows


def test_one_group_and_zipf_sizes():
    random = np.random.default_rng(1)
    rows = 10_000_000 if THOROUGH else 200_000
    y, s = random.integers(0, 2, rows), random.random(rows).round(4)
    by = rs.group_by(y, y_score=s, by=np.zeros(rows, dtype=int))
    assert by.score_table(0) == rs.ScoreTable(y, s)
    assert by.every("roc_auc").tolist() == [rs.ScoreTable(y, s)["roc_auc"]]
    users = np.minimum(random.zipf(1.3, rows), 50_000)
    by = rs.group_by(y, (s > 0.5).astype(int), s, by=users)
    assert by.sizes.sum() == rows
    for place in (0, 1, 2, len(by) // 2, len(by) - 1):
        own = users == by.keys["group"][place]
        assert by.sizes[place] == own.sum()
        if len(set(y[own])) == 2:
            assert by.every("roc_auc")[place] == rs.ScoreTable(y[own], s[own])["roc_auc"]
    assert by.over([]).score_table() == rs.ScoreTable(y, s)


# Means and pairs -------------------------------------------------------------------------------------------------------


def test_means_over_groups_in_every_weighting():
    random = np.random.default_rng(2)
    y, s, g = random.integers(0, 2, 300), random.random(300).round(1), random.integers(0, 60, 300)
    s[g == 7] = 0.5
    by = rs.group_by(y, y_score=s, by=g)
    areas, shares = [], {"rows": [], "positives": [], "pairs": [], "equal": []}
    left_out = {"one row": 0, "one class": 0}
    for group in np.unique(g):
        own = y[g == group]
        positives, negatives = int(own.sum()), int((1 - own).sum())
        if not positives or not negatives:
            left_out["one row" if len(own) == 1 else "one class"] += 1
            continue
        areas.append(rs.metrics.roc_auc_score(own, s[g == group]))
        for name, share in zip(shares, (len(own), positives, positives * negatives, 1), strict=True):
            shares[name].append(share)
    for name, own in shares.items():
        mean = by.mean("roc_auc", weights=name)
        assert mean.value == pytest.approx(np.average(areas, weights=own), rel=1e-13)
        assert mean.groups == len(areas)
        assert mean.excluded == {reason: number for reason, number in left_out.items() if number}
    without = by.mean("roc_auc", weights="equal", constant="exclude")
    assert without.excluded["one score"] >= 1
    assert without.groups + without.excluded["one score"] == len(areas)
    assert by.mean(weights="pairs").value == pytest.approx(by.pair_split().within, rel=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_the_auc_splits_into_pairs_within_and_across(kind):
    for seed in range(10):
        columns = cube(seed + 100)
        by = grouped(columns, ["region"], kind, "scores")
        split = by.pair_split()
        within, across, both = (split.pairs[name] for name in ("within", "across", "all"))
        assert (within[0] + across[0], within[1] + across[1]) == both
        weights = columns["w"] if kind != "none" else np.ones(len(columns["y"]))
        won = {"within": 0.0, "across": 0.0}
        every = {"within": 0.0, "across": 0.0}
        for i in np.flatnonzero(columns["y"] == 1):
            for j in np.flatnonzero(columns["y"] == 0):
                part = "within" if columns["region"][i] == columns["region"][j] else "across"
                every[part] += weights[i] * weights[j]
                difference = columns["s"][i] - columns["s"][j]
                won[part] += weights[i] * weights[j] * (0.5 + 0.5 * np.sign(difference))
        for part, expected in won.items():
            assert float(split.pairs[part][0]) == pytest.approx(expected, rel=1e-12)
            assert float(split.pairs[part][1]) == pytest.approx(every[part], rel=1e-12)
        if both[1]:
            assert split.auc == pytest.approx(by.overall["roc_auc"], rel=1e-14)
        if kind == "none":
            assert all(number.denominator in (1, 2) for number in (within[0], across[0]))


# Options and refusals --------------------------------------------------------------------------------------------------


def test_the_threshold_is_that_of_evaluate():
    y, g = [0, 1, 1, 0], list("abab")
    for scores in ([0.2, 0.6, 0.4, 0.7], [-1.5, 0.3, 2.0, -0.1]):
        by = rs.group_by(y, y_score=scores, by=g)
        model = rs.evaluate(y, scores)
        assert by.threshold == model.models["model"].threshold if hasattr(model, "models") else by.threshold
        assert by.over([]).every("accuracy")[0] == model["accuracy"]
    assert rs.group_by(y, y_score=[0.2, 0.6, 0.4, 0.7], by=g, threshold=0.65).counts().tp.tolist() == [0, 0]


def test_rows_with_gaps_are_left_out_and_their_groups_stay():
    y, s, g = [0, 1, None, 1, 0], [0.1, 0.9, 0.5, None, 0.3], list("aabba")
    by = rs.group_by(y, y_score=s, by=g, nan_policy="omit")
    assert by.sizes.tolist() == [3, 0]
    assert np.isnan(by.every("accuracy")[1])
    with pytest.raises(rs.InputError, match=r"y_true\[2\]"):
        rs.group_by(y, y_score=s, by=g)
    ranked = rs.group_by([0, 1], y_score=[0.5, None], by=["a", "a"], nan_policy="worst")
    assert ranked.every("roc_auc").tolist() == [0.0]


def test_ordered_categories_say_which_class_is_positive():
    pandas = pytest.importorskip("pandas")
    y = pandas.Categorical(["yes", "no", "yes", "no"], ["yes", "no"], ordered=True)
    by = rs.group_by(y, ["yes", "yes", "no", "no"], by=list("aabb"))
    assert by.pos_label == rs.ConfusionMatrix(y, ["yes", "yes", "no", "no"]).pos_label == "no"
    assert rs.group_by(y, y_score=[1, 2, 3, 4], by=list("aabb")).pos_label == "no"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"by": None}, "by"),
        ({"by": "region"}, "by"),
        ({"by": [1, 2, 3]}, "3 rows"),
        ({"by": 5}, "by"),
        ({"by": {}}, "no columns"),
        ({"by": [[1, 2, 3, 4], [1, 2]]}, "2 rows"),
        ({"by": [object()] * 4}, "by"),
        ({"by": [1, "a", 1, 1]}, "by"),
        ({"y_pred": None}, "at least one"),
        ({"y_true": [], "y_pred": [], "by": []}, "empty"),
        ({"threshold": 0.5}, "threshold"),
        ({"labels": [0]}, "y_true"),
        ({"pos_label": 7}, "pos_label"),
        ({"sample_weight": [1, -1, 1, 1]}, r"sample_weight\[1\]"),
        ({"sample_weight": [1, 1]}, "sample_weight"),
        ({"weight_kind": "sampling"}, "sample_weight"),
        ({"weight_kind": "other"}, "weight_kind"),
        ({"nan_policy": "drop"}, "nan_policy"),
        ({"y_score": [0.1, 0.2, np.nan, 0.4]}, r"y_score\[2\]"),
        ({"y_score": [0.1, 0.2, np.inf, 0.4]}, r"y_score\[2\]"),
        ({"y_score": [0.1, 0.2]}, "y_score"),
        ({"y_true": [0, 1, 2, 0], "y_score": [0.1, 0.2, 0.3, 0.4]}, "y_true"),
        ({"control": [1, 2]}, "control"),
        ({"by": {"a": [1, 1, 1, 1]}, "control": {"a": [1, 1, 1, 1]}}, "two columns"),
    ],
)
def test_nonsense_is_refused_by_name(given, words):
    columns = {"y_true": [0, 1, 1, 0], "y_pred": [0, 1, 0, 0], "by": list("abab")}
    with pytest.raises((rs.InputError, rs.InputTypeError), match=words):
        rs.group_by(**{**columns, **given})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("classes", [1, 2, 3, 5])
def test_the_mean_of_any_number_of_classes(classes, kind):
    for seed in range(10):
        columns = cube(seed, classes)
        by = rs.group_by(columns["y"], columns["p"], by=columns["user"], **options(columns, kind))
        values = by.every("accuracy")
        weights = np.ones(len(columns["y"])) if kind == "none" else columns["w"]
        rows = np.array(
            [weights[rows_of(by, {**columns, "group": columns["user"]}, place)].sum() for place in range(len(by))]
        )
        known = ~np.isnan(values)
        if not rows[known].any():
            continue
        mean = by.mean("accuracy")
        assert mean.value == pytest.approx(np.average(values[known], weights=rows[known]), rel=1e-12)
        assert mean.groups == known.sum()
        assert by.mean("accuracy", weights="equal").value == pytest.approx(values[known].mean(), rel=1e-12)
        if classes > 2:
            for weight in ("positives", "pairs"):
                with pytest.raises(rs.InputError, match=f"weights is '{weight}'; expected 'rows' or 'equal'"):
                    by.mean("accuracy", weights=weight)


def test_questions_that_have_no_answer_are_refused():
    by = rs.group_by([0, 1, 1, 0], [0, 1, 0, 0], by=list("abab"))
    with pytest.raises(rs.UnknownIndexError):
        _ = by["no such index"]
    for call in (
        lambda: by["roc_auc_of_nothing"],
        lambda: by.score_table("a"),
        by.pair_split,
        lambda: by.at(0.5),
        lambda: by.mean("brier"),
    ):
        with pytest.raises((rs.InputError, rs.UnknownIndexError)):
            call()
    for call in (
        lambda: by.place("c"),
        lambda: by.place(("a", "b")),
        lambda: by.place(None),
        lambda: by.place({"other": "a"}),
        lambda: by.over("other"),
        lambda: by.over(["group", "group"]),
        lambda: by.mean("recall", weights="none"),
        lambda: by.mean("recall", constant="exclude"),
        lambda: by.interval("recall", level=2),
    ):
        with pytest.raises((rs.InputError, rs.InputTypeError)):
            call()


def test_what_is_shown():
    by = rs.group_by([0, 1, 1, 0], [0, 1, 0, 0], by={"region": list("abab"), "sex": [1, 1, 2, 2]})
    assert repr(by) == "Groups by 'region' × 'sex': 4 groups, 4 rows, predicted classes"
    assert by._repr_html_().startswith("<p>Groups")
    recall = by["recall"]
    assert repr(recall).startswith("recall of 4 groups; undefined for 2")
    assert recall.to_pandas().columns.tolist() == ["region", "sex", "rows", "positives", "value"]
    assert recall == by.value("recall")
    assert recall != by.value("precision")
    assert list(recall.to_dict()) == ["region", "sex", "rows", "positives", "value", "index", "why", "note"]
    assert sys.getsizeof(by) < 1_000


# averages, two groups, means over groups


def several(n=400, seed=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n)
    return y, np.where(rng.random(n) < 0.6, y, rng.integers(0, 4, n)), rng.choice([*"abc"], n, p=[0.5, 0.3, 0.2])


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", {0: 1, 1: 2, 2: 0, 3: 1}])
def test_averages_over_classes_are_those_of_each_group(average):
    y, predicted, group = several()
    by = rs.group_by(y, predicted, by=group)
    found = by.interval("f1", average=average)
    assert by.value("f1", average=average).value.tolist() == found.value.tolist()
    for place, key in enumerate("abc"):
        alone = rs.ConfusionMatrix(y[group == key], predicted[group == key]).interval("f1", average=average)
        assert (found.value[place], found.low[place]) == (alone.estimate, alone.low)
    pair = by.difference("f1", average=average, groups=("a", "c"))
    assert pair.estimate == found.value[0] - found.value[2]
    reach = math.hypot(found.value[0] - found.low[0], found.high[2] - found.value[2])
    assert pair.low == pytest.approx(pair.estimate - reach, abs=1e-12)
    greatest = by.difference("f1", average=average)
    assert greatest.value == pytest.approx(np.ptp(found.value))
    with pytest.raises(rs.InputError, match="average"):
        by.value("f1", average="mean")


def test_two_groups_are_compared_by_any_index():
    rng = np.random.default_rng(1)
    y, group = rng.integers(0, 2, 300), rng.choice([*"abc"], 300)
    score = y + rng.normal(size=300)
    by = rs.group_by(y, y_score=score, by=group)
    tables = [rs.ScoreTable(y[group == key], score[group == key]) for key in "ab"]
    for side, level in (("two-sided", 0.9), ("lower", 0.95)):
        one, other = (table.interval("roc_auc", level=0.9) for table in tables)
        found = by.difference("roc_auc", groups=("a", "b"), level=level, side=side)
        assert found.estimate == one.estimate - other.estimate
        reach = math.hypot(one.estimate - one.low, other.high - other.estimate)
        assert found.low == pytest.approx(found.estimate - reach, abs=1e-12)
    assert found.high == 1
    ratio = by.ratio("roc_auc", groups=("a", "b"))
    assert ratio.estimate == one.estimate / other.estimate
    assert ratio.low < ratio.estimate < ratio.high


def test_the_difference_of_two_groups_covers_the_true_one():
    rng, covered, normal = np.random.default_rng(3), 0, scipy.stats.norm.cdf
    truth = normal(1 / math.sqrt(2)) - normal(2 / math.sqrt(2))
    for _ in range(300):
        group, y = np.repeat([0, 1], 60), rng.integers(0, 2, 120)
        found = rs.group_by(y, y_score=y * (1 + group) + rng.normal(size=120), by=group)
        interval = found.difference("roc_auc", groups=(0, 1))
        covered += interval.low <= truth <= interval.high
    assert 0.91 <= covered / 300 <= 0.985


def test_the_worst_groups_by_an_index_of_scores_or_an_average():
    rng = np.random.default_rng(5)
    y, group = rng.integers(0, 2, 3000), rng.integers(0, 30, 3000)
    score = np.where(group == 7, -0.5, 1.5) * y + rng.normal(size=3000)
    found = rs.group_by(y, y_score=score, by=group).worst("roc_auc", k=3)
    assert found.table.rows[0][0] == 7
    assert (found.tested, found.found, found.interval_level) == (30, 1, pytest.approx(1 - 0.05 * 3 / 30))
    own, rest = (rs.ScoreTable(y[rows], score[rows]) for rows in (group == 7, group != 7))
    row = found.table.to_dict()
    interval = own.interval("roc_auc", level=found.interval_level)
    assert (row["value"][0], row["rest"][0]) == (own["roc_auc"], rest["roc_auc"])
    assert (row["low"][0], row["high"][0]) == (interval.low, interval.high)
    y, predicted, group = several(2000)
    predicted = np.where(group == "b", 0, predicted)
    found = rs.group_by(y, predicted, by=group).worst("f1", average="macro", k=1)
    assert (found.table.rows[0][0], found.found) == ("b", 1)


@pytest.mark.parametrize("weights", ["rows", "equal"])
def test_the_mean_over_groups_takes_them_as_a_sample(weights):
    rng = np.random.default_rng(0)
    user = np.repeat(np.arange(50), rng.integers(2, 20, 50))
    y = rng.integers(0, 2, len(user))
    by = rs.group_by(y, y_score=y + 1.5 * rng.normal(size=len(user)), by=user)
    found, values = by.mean("roc_auc", weights=weights, level=0.9), by.every("roc_auc")
    kept = ~np.isnan(values)
    w = by.sizes[kept] if weights == "rows" else np.ones(kept.sum())
    n, mean = kept.sum(), np.average(values[kept], weights=w)
    error = math.sqrt(n / (n - 1) * (w**2 * (values[kept] - mean) ** 2).sum()) / w.sum()
    assert (found.value, found.standard_error) == pytest.approx((mean, error), rel=1e-12)
    assert (found.low, found.high) == pytest.approx(scipy.stats.t(n - 1, mean, error).interval(0.9), rel=1e-12)
    if weights == "equal":
        expected = scipy.stats.ttest_1samp(values[kept], 0).confidence_interval(0.9)
        assert (found.low, found.high) == pytest.approx(expected, rel=1e-12)
    one = rs.group_by([0, 1, 1], y_score=[0.5, 0.4, 0.6], by=[1, 1, 1]).mean("roc_auc")
    assert one.why.startswith("All rows count alike")

"""Conversions of confusion matrices to other matrices and formats; tables of classes; very many classes."""

import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resident import NEEDS_PEAKS, PROGRAM

import rocksteady as rs
from rocksteady.registry.selection import SUMMARY

LABELS = st.integers(0, 4)
WEIGHTS = st.sampled_from([0.0, 1.0, 0.1, 0.2, 1e-300, 1e300, 7.0])
ROWS = st.lists(st.tuples(LABELS, LABELS, WEIGHTS), min_size=1, max_size=40)


def columns(rows):
    return (list(column) for column in zip(*rows, strict=True))


@pytest.fixture
def cm():
    return rs.ConfusionMatrix.from_counts([[3, 0, 1], [0, 1, 2], [2, 1, 3]], labels=["cat", "dog", "eel"])


@given(ROWS, st.lists(st.sampled_from("xyz"), min_size=5, max_size=5), st.booleans())
def test_collapse_is_counting_the_labels_replaced(rows, names, weighted):
    y_true, y_pred, weight = columns(rows)
    weight = weight if weighted else None
    groups = {}
    for label in sorted({*y_true, *y_pred}):
        groups.setdefault(names[label], []).append(label)
    collapsed = rs.ConfusionMatrix(y_true, y_pred, sample_weight=weight).collapse(groups)
    replaced = [names[label] for label in y_true], [names[label] for label in y_pred]
    counted = rs.ConfusionMatrix(*replaced, sample_weight=weight, labels=list(groups))
    assert collapsed.to_bytes() == counted.to_bytes()


@given(ROWS, st.booleans())
def test_transposing_twice_changes_nothing(rows, weighted):
    y_true, y_pred, weight = columns(rows)
    weight = weight if weighted else None
    cm = rs.ConfusionMatrix(y_true, y_pred, sample_weight=weight)
    assert rs.ConfusionMatrix(y_pred, y_true, sample_weight=weight) == cm.T
    assert cm.T.T.to_bytes() == cm.to_bytes()


@given(ROWS, st.permutations(range(5)), st.booleans())
def test_relabelling_back_and_reordering_back_change_nothing(rows, order, weighted):
    y_true, y_pred, weight = columns(rows)
    cm = rs.ConfusionMatrix(y_true, y_pred, sample_weight=weight if weighted else None)
    labels = list(cm.labels)
    names = {label: f"class {order[label]}" for label in labels}
    there = cm.relabel(names)
    assert there.relabel({name: label for label, name in names.items()}) == cm
    mixed = [label for label in order if label in labels]
    turned = cm.reorder(mixed)
    counted = rs.ConfusionMatrix(y_true, y_pred, sample_weight=weight if weighted else None, labels=mixed)
    assert turned.to_bytes() == counted.to_bytes()
    assert turned.pos_label == cm.pos_label
    assert turned.reorder(labels).to_bytes() == cm.to_bytes()


@given(ROWS, st.lists(LABELS, min_size=1, max_size=4, unique=True))
def test_selecting_is_counting_these_labels(rows, wanted):
    y_true, y_pred, _ = columns(rows)
    cm = rs.ConfusionMatrix(y_true, y_pred)
    wanted = [label for label in wanted if label in cm.labels]
    if wanted:
        assert cm.select(wanted).to_bytes() == rs.ConfusionMatrix(y_true, y_pred, labels=wanted).to_bytes()


@given(ROWS, st.booleans())
def test_cells_make_the_matrix_again(rows, weighted):
    y_true, y_pred, weight = columns(rows)
    cm = rs.ConfusionMatrix(y_true, y_pred, sample_weight=weight if weighted else None)
    cells = cm.nonzero_cells()
    (actual, predicted), amounts = cells.places, cells.count
    assert [cells.actual.tolist(), cells.predicted.tolist()] == [
        np.array(cm.labels)[each].tolist() for each in cells.places
    ]
    dense = np.zeros(cm.to_array().shape, dtype=amounts.dtype)
    dense[actual, predicted] = amounts
    np.testing.assert_array_equal(dense, cm.to_array())
    assert (amounts > 0).all()
    order = np.argsort(amounts, kind="stable")
    again = rs.ConfusionMatrix.from_cells(actual[order], predicted[order], amounts[order], labels=cm.labels)
    np.testing.assert_array_equal(again.to_array(), cm.to_array())


@given(ROWS)
def test_nested_dictionaries_make_the_matrix_again(rows):
    y_true, y_pred, _ = columns(rows)
    cm = rs.ConfusionMatrix(y_true, y_pred)
    assert rs.ConfusionMatrix.from_counts(cm.to_nested()) == cm
    assert rs.ConfusionMatrix.from_counts(cm.to_nested(), transpose=True) == cm.T


def test_normalize_is_scikit_learns():
    from sklearn.metrics import confusion_matrix

    y_true, y_pred = [0, 0, 1, 1, 1, 3], [0, 1, 1, 1, 2, 0]
    cm = rs.ConfusionMatrix(y_true, y_pred)
    for by in ("true", "pred", "all"):
        np.testing.assert_array_equal(cm.normalize(by), confusion_matrix(y_true, y_pred, normalize=by))
    with pytest.raises(rs.InputError, match="expected 'true', 'pred' or 'all'"):
        cm.normalize("rows")


def test_relabel(cm):
    assert list(cm.relabel(str.upper).labels) == ["CAT", "DOG", "EEL"]
    assert list(cm.relabel([7, 5, 6]).labels) == [7, 5, 6]
    assert list(cm.relabel({"dog": "cod"}).labels) == ["cat", "cod", "eel"]
    with pytest.raises(rs.InputError, match="'cat' and 'eel' would both be 'x'; .*collapse"):
        cm.relabel({"cat": "x", "eel": "x"})
    with pytest.raises(rs.InputError, match="no class 'cow'"):
        cm.relabel({"cow": "x"})
    with pytest.raises(rs.InputError, match="length 2; expected 3 labels"):
        cm.relabel(["a", "b"])
    with pytest.raises(rs.InputTypeError):
        cm.relabel({"cat": 1})


def test_collapse_refuses_what_is_not_a_partition(cm):
    with pytest.raises(rs.InputError, match="'cat' stands under 'a' and 'b'"):
        cm.collapse({"a": ["cat"], "b": ["cat", "dog"]})
    with pytest.raises(rs.InputError, match="no class 'cow'"):
        cm.collapse({"a": ["cow"]})
    with pytest.raises(rs.InputError, match="'dog' stays"):
        cm.collapse({"dog": ["cat", "eel"]})
    with pytest.raises(rs.InputTypeError, match="list of labels"):
        cm.collapse({"a": "cat"})
    assert cm.collapse({"dog": ["dog", "eel"]}).to_array().tolist() == [[3, 1], [2, 7]]


def test_the_positive_class_goes_along(cm):
    two = rs.ConfusionMatrix(["no", "yes", "yes"], ["no", "no", "yes"], pos_label="no")
    assert two.relabel({"no": "ham"}).pos_label == "ham"
    assert two.reorder(["yes", "no"]).pos_label == "no"
    assert two.T.pos_label == "no"
    assert two.T["precision"] == two["recall"]
    assert two.collapse({"n": ["no"]}).pos_label == "n"
    assert two.select(["no"]).pos_label is None
    assert cm.select(["dog", "cat"]).pos_label == "cat"
    assert cm.collapse({"pet": ["cat", "dog"]}, pos_label="pet").pos_label == "pet"
    for made in (two.T, cm.one_vs_rest("dog"), cm.collapse({"pet": ["cat", "dog"]})):
        again = pickle.loads(pickle.dumps(made))
        assert (again, again.pos_label) == (made, made.pos_label)


def test_one_against_the_rest(cm):
    for place, label in enumerate(cm.labels):
        two = cm.one_vs_rest(label)
        assert (list(two.labels), two.pos_label) == (["rest", label], label)
        for name in ("precision", "recall", "mcc", "kappa"):
            assert two[name] == cm.every(name)[place]
    assert list(cm.relabel({"cat": "rest"}).one_vs_rest("rest").labels) == ["not rest", "rest"]
    with pytest.raises(rs.InputError, match="no class 'cow'"):
        cm.one_vs_rest("cow")


def test_reorder_and_select_refuse_other_classes(cm):
    with pytest.raises(rs.InputError, match="expected all 3 classes"):
        cm.reorder(["cat"])
    with pytest.raises(rs.InputError, match="no class 'cow'"):
        cm.select(["cow"])
    with pytest.raises(rs.InputError, match="each label once"):
        cm.select(["cat", "cat"])
    truths = rs.ConfusionMatrix([True, False], [True, True]).reorder([1, 0])
    assert (truths.labels, truths.pos_label) == ((True, False), True)


def test_nested_dictionaries_are_checked():
    build = rs.ConfusionMatrix.from_counts
    with pytest.raises(rs.InputError, match=r"counts\['a'\] has the class 'b'"):
        build({"a": {"b": 1}})
    with pytest.raises(rs.InputError, match=r"counts\['a'\]\['a'\] is -1"):
        build({"a": {"a": -1}})
    with pytest.raises(rs.InputError, match=r"counts\['a'\]\['b'\] is nan"):
        build({"a": {"a": 1, "b": float("nan")}, "b": {}})
    with pytest.raises(rs.InputTypeError, match="counts"):
        build({"a": {"a": "many"}})
    with pytest.raises(rs.InputTypeError, match=r"counts\['a'\] is \[1\]"):
        build({"a": [1]})
    with pytest.raises(rs.InputError, match="labels"):
        build({"a": {"a": 1}}, labels=["b"])
    with pytest.raises(rs.InputError):
        build({})
    assert build({"a": {"a": 0.5}, "b": {}}, labels=["b", "a"]).to_array().tolist() == [[0, 0], [0, 0.5]]


def test_frames_and_sparse_matrices_are_read(cm):
    pandas = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    frame = cm.to_pandas()
    assert (frame.index.name, frame.columns.name) == ("actual", "predicted")
    assert rs.ConfusionMatrix.from_counts(frame) == cm
    mixed = frame.loc[["eel", "cat", "dog"], ["dog", "eel", "cat"]]
    assert rs.ConfusionMatrix.from_counts(mixed, labels=["cat", "dog", "eel"]) == cm
    assert rs.ConfusionMatrix.from_counts(frame.T, transpose=True) == cm
    with pytest.raises(rs.InputError, match="differ in 'cow'"):
        rs.ConfusionMatrix.from_counts(frame.rename(columns={"dog": "cow"}))
    cells = cm.nonzero_cells()
    for form in (sparse.coo_array, sparse.csr_matrix):
        sparse_cells = form((cells.count, cells.places), shape=(3, 3))
        assert rs.ConfusionMatrix.from_counts(sparse_cells, labels=cm.labels) == cm
    with pytest.raises(rs.InputError, match="expected 3, one for each row"):
        rs.ConfusionMatrix.from_counts(sparse_cells, labels=["a"])
    listed = cells.to_pandas()
    assert isinstance(listed, pandas.DataFrame)
    assert listed.columns.tolist() == ["actual", "predicted", "count"]
    assert int(listed["count"].sum()) == cm.rows


def test_polars_and_arrow(cm):
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    for made in (cm.to_polars().to_dict(as_series=False), cm.to_arrow().to_pydict()):
        assert made == {"actual": ["cat", "dog", "eel"], "cat": [3, 0, 2], "dog": [0, 1, 1], "eel": [1, 2, 3]}
    weighted = rs.ConfusionMatrix([0, 1], [0, 0], sample_weight=[0.5, 0.25])
    weighted_cells = weighted.nonzero_cells()
    for made in (weighted_cells.to_polars().to_dict(as_series=False), weighted_cells.to_arrow().to_pydict()):
        assert made == {"actual": [0, 1], "predicted": [0, 0], "count": [0.5, 0.25]}
    assert cm.relabel({"cat": "actual"}).to_polars().columns == ["actual_", "actual", "dog", "eel"]


def test_a_missing_library_is_named(cm, monkeypatch):
    for name, extra, make in [
        ("pandas", "pandas", cm.to_pandas), ("polars", "polars", cm.to_polars), ("pyarrow", "arrow", cm.to_arrow),
        ("pandas", "pandas", cm.summary().to_pandas),
    ]:  # fmt: skip
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ImportError, match=rf"pip install .\.\[{extra}\]"):
            make()


def test_dissimilarity_and_imbalance_are_pycms(cm):
    pycm = pytest.importorskip("pycm")
    theirs = pycm.ConfusionMatrix(matrix=cm.to_nested())
    dissimilarity = theirs.dissimilarity_matrix()
    labels = list(cm.labels)
    assert cm.dissimilarity().tolist() == [[dissimilarity[a][b] for b in labels] for a in labels]
    assert cm.is_imbalanced() == theirs.imbalance
    assert cm.class_ratio == 2
    assert rs.ConfusionMatrix.from_counts([[0, 0], [3, 1]]).class_ratio == float("inf")


def test_positions_are_pycms():
    pycm = pytest.importorskip("pycm")
    y_true, y_pred = ["a", "b", "c", "a", "b", "c"], ["a", "c", "c", "b", "b", "a"]
    theirs = pycm.ConfusionMatrix(y_true, y_pred).position()
    for label in "abc":
        ours = rs.ConfusionMatrix.positions(y_true, y_pred, label)._asdict()
        assert {name.upper(): rows.tolist() for name, rows in ours.items()} == theirs[label]
    with pytest.raises(rs.InputError, match="label is"):
        rs.ConfusionMatrix.positions(y_true, y_pred, "d")
    with pytest.raises(rs.InputError, match="label is"):
        rs.ConfusionMatrix.positions(y_true, y_pred, 1)
    with pytest.raises(rs.InputError, match=r"y_pred\[1\] is missing"):
        rs.ConfusionMatrix.positions([1.0, 0.0], [1.0, np.nan], 1)


def test_class_tables_hold_what_each_class_has(cm):
    table = cm.class_summary()
    assert [row[0] for row in table.rows] == list(cm.labels)
    for place, name in enumerate(table.columns[1:], start=1):
        np.testing.assert_allclose([row[place] for row in table.rows], cm.every(name), rtol=1e-12, err_msg=name)
    assert cm.class_summary(["ppv"]).columns == ("class", "precision")
    assert set(cm.class_summary(family="entropy").columns) >= {"cen", "mcen"}
    assert pickle.loads(pickle.dumps(table)).rows == table.rows
    with pytest.raises(rs.UnknownIndexError):
        cm.class_summary(["roc_auc"])
    with pytest.raises(rs.UnknownIndexError):
        cm.summary(["nothing"])
    with pytest.raises(rs.InputError, match="family"):
        cm.summary(family="nothing")
    with pytest.raises(rs.InputError, match="names"):
        cm.summary("f1")


def test_tables_hold_what_is_asked_for_one_by_one(cm):
    two = cm.one_vs_rest("cat")
    for matrix in (cm, two):
        for name, *values in matrix.summary():
            if matrix is two:
                expected = [matrix[name]]
            else:
                forms = rs.index(name).forms
                means = [
                    matrix.value(name, average=how) if "counts" in forms else None for how in ("macro", "weighted")
                ]
                expected = [matrix[name] if "matrix" in forms else None, *means]
            np.testing.assert_array_equal(np.array(values, dtype=float), np.array(expected, dtype=float), err_msg=name)
    assert len(two.summary("summary")) < len(two.summary("all")) + 1
    assert [row[0] for row in two.summary(["f1", "mcc"])] == ["f1", "mcc"]


def test_the_summary_names_indices():
    for names in SUMMARY.values():
        assert [rs.index(name).name for name in names] == list(names)
    two = rs.ConfusionMatrix([0, 1], [0, 1])
    assert set(two.to_dict()) & {row.name for row in rs.indices()} <= set(SUMMARY["two classes"])
    every = {row.name for row in rs.indices() if {"counts", "matrix"} & set(row.forms)}
    assert set(two.to_dict("all")) >= every


def test_a_hundred_thousand_classes_are_no_dense_matrix():
    rng = np.random.default_rng(3)
    y_true, y_pred = rng.integers(0, 10**5, 200_000), rng.integers(0, 10**5, 200_000)
    cm = rs.ConfusionMatrix(y_true, y_pred)
    cells = cm.nonzero_cells()
    assert int(cells.count.sum()) == 200_000
    with pytest.raises(rs.InputError, match="cells"):
        cm.to_array()
    assert len(cells.to_pandas()) == len(cells)
    each = cm.every("cen")  # one pass, not one for each class
    assert each.shape == (len(cm.labels),)
    in_words = cm.relabel([f"class {label}" for label in cm.labels])
    assert in_words["mcc"] == cm["mcc"]
    halves = rs.ConfusionMatrix.from_cells(*(places // 2 for places in cells.places), cells.count)
    assert halves.rows == cm.rows


@NEEDS_PEAKS
@pytest.mark.parametrize("threads", [1, 2])
def test_very_many_classes_take_little_memory(threads):
    program = textwrap.dedent(f"""
        rs.set_threads({threads})
        rng = np.random.default_rng(0)
        y_true, y_pred = rng.integers(0, 10**5, (2, 10**6))
        few = np.arange(3000)
        rs.ConfusionMatrix(few, few).value("f1", average="macro")  # loads everything that is loaded only once
        forget_the_peak()
        before = resident("VmRSS")
        cm = rs.ConfusionMatrix(y_true, y_pred)
        cm.value("f1", average="macro"), cm["mcc"], cm["kappa"], cm["cen"], cm["mutual_information"]
        peak, stays = resident("VmHWM") - before, resident("VmRSS") - before
        print(peak, stays, cm._state.occupied + cm._state.classes)
    """)
    done = subprocess.run([sys.executable, "-c", PROGRAM + program], capture_output=True, text=True, check=True)
    peak, stays, size = map(int, done.stdout.split())
    assert max(peak, stays) <= 32 * size + 16_000_000, f"{peak:,} bytes at most, {stays:,} in the end"


@given(ROWS, st.integers(1, 12))
def test_the_most_confused_pairs_are_those_of_a_plain_count(rows, most):
    y_true, y_pred, weights = columns(rows)
    for options in ({}, {"sample_weight": weights}):
        matrix = rs.ConfusionMatrix(y_true, y_pred, **options)
        square = matrix.to_array().tolist()
        pairs = [
            (-square[i][j], i, j) for i in range(len(square)) for j in range(len(square)) if i != j and square[i][j] > 0
        ]
        expected = [(matrix.labels[i], matrix.labels[j], -count) for count, i, j in sorted(pairs)][:most]
        found = matrix.most_confused(most)
        assert list(zip(found.actual.tolist(), found.predicted.tolist(), found.count.tolist(), strict=True)) == expected
        shares = [count / sum(square[matrix.labels.index(i)]) for i, _, count in expected]
        assert found.share.tolist() == pytest.approx(shares)
        assert len(matrix.most_confused(None)) == len(pairs)


def test_the_most_confused_pairs_make_frames(cm):
    assert cm.most_confused(2).to_pandas().to_dict("list") == {
        "actual": ["dog", "eel"],
        "predicted": ["eel", "cat"],
        "count": [2, 2],
        "share": [2 / 3, 2 / 6],
    }
    assert len(rs.ConfusionMatrix([1, 2], [1, 2]).most_confused()) == 0
    for wrong in (0, -1, 1.5, "all"):
        with pytest.raises(rs.RocksteadyError, match="most is .*; expected a number of pairs, 1 or more, or None"):
            cm.most_confused(wrong)


@given(ROWS)
def test_pair_counts_are_those_of_scikit_learn(rows):
    cluster = pytest.importorskip("sklearn.metrics.cluster")
    y_true, y_pred, weights = columns(rows)
    matrix = rs.ConfusionMatrix(y_true, y_pred)
    found = matrix.pair_counts()
    assert (2 * found).tolist() == cluster.pair_confusion_matrix(y_true, y_pred).tolist()
    if found.sum():
        assert np.trace(found) / found.sum() == pytest.approx(matrix["rand_index"])
    with pytest.raises(rs.InputError, match="the rows have weights"):
        rs.ConfusionMatrix(y_true, y_pred, sample_weight=[0.5 for _ in weights]).pair_counts()


def test_pair_counts_of_very_many_rows_are_exact():
    matrix = rs.ConfusionMatrix.from_counts([[2**31 + 1, 3], [2, 2**31]])
    together = sum(n * (n - 1) // 2 for n in (2**31 + 1, 3, 2, 2**31))
    assert matrix.pair_counts()[1, 1] == together
    assert int(matrix.pair_counts().sum()) == (2**32 + 6) * (2**32 + 5) // 2
    with pytest.raises(rs.InputError, match="pairs of rows; expected fewer than"):
        rs.ConfusionMatrix.from_counts([[2**40, 0], [0, 1]]).pair_counts()

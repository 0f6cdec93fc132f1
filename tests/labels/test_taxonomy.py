"""Classes in a tree: hiclass and networkx, the rows one by one, and the matrices of the levels."""

from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs

TREE = {
    "cat": "animal/mammal/cat",
    "dog": ("animal", "mammal", "dog"),
    "eel": "animal/fish/eel",
    "moss": "plant/moss",
    "oak": "plant/tree/oak",
}
LABELS = list(TREE)
CELLS = [[30, 6, 2, 0, 1], [4, 25, 1, 0, 0], [2, 3, 18, 1, 0], [0, 0, 1, 9, 3], [0, 1, 0, 2, 21]]
NAMES = ["hierarchical_precision", "hierarchical_recall", "hierarchical_f1", "mean_taxonomy_distance"]


@pytest.fixture(scope="module")
def cm():
    return rs.ConfusionMatrix.from_counts(CELLS, labels=LABELS)


def nodes(label: str) -> set:
    path = TREE[label]
    path = path.split("/") if isinstance(path, str) else list(path)
    return {tuple(path[: place + 1]) for place in range(len(path))}


def by_rows(rows: list[tuple[str, str]]) -> dict[str, Fraction]:
    """Kiritchenko's definitions over sets of nodes; steps are nodes of one path only."""
    shared = sum(len(nodes(true) & nodes(pred)) for true, pred in rows)
    true, pred = (sum(len(nodes(row[side])) for row in rows) for side in (0, 1))
    steps = sum(len(nodes(true) ^ nodes(pred)) for true, pred in rows)
    return dict(
        zip(
            NAMES,
            [
                Fraction(shared, pred),
                Fraction(shared, true),
                Fraction(2 * shared, true + pred),
                Fraction(steps, len(rows)),
            ],
            strict=True,
        )
    )


def rows_of(cells) -> list[tuple[str, str]]:
    return [(LABELS[i], LABELS[j]) for (i, j), amount in np.ndenumerate(cells) for _ in range(int(amount))]


def test_values_are_those_of_hiclass_and_networkx(cm):
    """hiclass 5.0.8 (average="micro"), networkx 3.6.1 (shortest_path_length)."""
    expected = [0.8809523809523809, 0.883289124668435, 0.8821192052980132, 89 / 130]
    assert [cm.value(name, taxonomy=TREE) for name in NAMES] == pytest.approx(expected, abs=1e-15)


def test_values_are_those_of_the_rows():
    rng = np.random.default_rng(3)
    for _ in range(30):
        cells = rng.integers(0, 4, (5, 5)) * (rng.random((5, 5)) < 0.6)
        cells[0, 1] += 1
        cm = rs.ConfusionMatrix.from_counts(cells, labels=LABELS)
        assert {name: cm.exact(name, taxonomy=TREE) for name in NAMES} == by_rows(rows_of(cells))


def test_without_a_tree_it_is_the_accuracy(cm):
    for name in NAMES[:3]:
        assert cm[name] == cm["accuracy"]
    assert cm["mean_taxonomy_distance"] == 2 * cm["error_rate"]


def test_the_order_of_the_classes_plays_no_part(cm):
    turned = cm.reorder(LABELS[::-1])
    for name in NAMES:
        assert turned.value(name, taxonomy=TREE) == cm.value(name, taxonomy=TREE)
    wider = {**TREE, "ant": "animal/insect/ant"}  # a tree of more classes
    assert cm.value(NAMES[2], taxonomy=wider) == cm.value(NAMES[2], taxonomy=TREE)


def test_a_level_is_the_matrix_of_the_labels_cut_short(cm):
    def short(label: str, depth: int) -> str:
        path = TREE[label]
        return "/".join((path.split("/") if isinstance(path, str) else path)[:depth])

    rows = rows_of(CELLS)
    for depth in (1, 2, 3, 9):
        level = cm.collapse(taxonomy=TREE, depth=depth)
        true, pred = ([short(row[side], depth) for row in rows] for side in (0, 1))
        counted = rs.ConfusionMatrix(true, pred, labels=level.labels, pos_label=level.pos_label)
        assert level == counted
    # The mean distance adds up the classes that differ at each level, on either side.
    assert cm.collapse(taxonomy=TREE, depth=1).labels == ("animal", "plant")


def test_everywhere_a_matrix_answers(cm):
    rows = rows_of(CELLS)
    true, pred = ([row[side] for row in rows] for side in (0, 1))
    expected = cm.value("hierarchical_f1", taxonomy=TREE)
    evaluation = rs.evaluate(true, y_pred=pred)
    assert evaluation.value("hierarchical_f1", taxonomy=TREE) == expected
    groups = rs.group_by(true, pred, by=np.arange(len(rows)) % 2)
    each = groups.every("hierarchical_f1", taxonomy=TREE)
    alone = [rs.ConfusionMatrix(true[k::2], pred[k::2], labels=LABELS)["accuracy"] for k in (0, 1)]
    assert (each > alone).all()
    assert each[1] == rs.ConfusionMatrix(true[1::2], pred[1::2], labels=LABELS).value("hierarchical_f1", taxonomy=TREE)
    found = cm.bootstrap("hierarchical_f1", taxonomy=TREE, n_resamples=200, random_state=0)["hierarchical_f1"]
    delta = cm.interval("hierarchical_f1", taxonomy=TREE)
    assert found.estimate == delta.estimate == expected
    assert found.standard_error == pytest.approx(delta.standard_error, rel=0.2)


@pytest.mark.parametrize("pos_label", ["no", "yes"])
def test_two_classes_of_unlike_depth(pos_label):
    """Whichever class is positive, each keeps its own path."""
    tree, y = {"no": "no", "yes": "yes/very/much"}, ["no"] * 5 + ["yes"] * 4
    pred = ["no", "no", "no", "yes", "yes", "yes", "yes", "yes", "no"]
    cm = rs.ConfusionMatrix(y, pred, pos_label=pos_label)
    # Paths share 3 of 1 node and 3 of 3 nodes; predicted are 4 of 1 node and 5 of 3.
    assert cm.exact("hierarchical_precision", taxonomy=tree) == Fraction(12, 19)
    groups = rs.group_by(y, pred, by=[1] * 9, pos_label=pos_label)
    assert groups.every("hierarchical_precision", taxonomy=tree)[0] == pytest.approx(12 / 19)
    table = rs.ScoreTable(y, [each == pos_label for each in pred], pos_label=pos_label)
    assert table.at(0.5)["accuracy"] == cm["accuracy"]


def test_intervals_cover():
    rng = np.random.default_rng(1)
    shares = np.array(CELLS) / np.sum(CELLS)
    true = {
        name: rs.ConfusionMatrix.from_counts(shares * 130, labels=LABELS).value(name, taxonomy=TREE) for name in NAMES
    }
    covered, draws = dict.fromkeys(NAMES, 0), 500
    for _ in range(draws):
        cm = rs.ConfusionMatrix.from_counts(rng.multinomial(150, shares.ravel()).reshape(5, 5), labels=LABELS)
        for name in NAMES:
            found = cm.interval(name, taxonomy=TREE)
            covered[name] += found.low <= true[name] <= found.high
    for name in NAMES:
        assert 0.925 <= covered[name] / draws <= 0.975, name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda cm: cm.value("hierarchical_f1", taxonomy={"cat": "animal"}), "no path of the class 'dog'"),
        (lambda cm: cm.value("hierarchical_f1", taxonomy=["animal"] * 5), "a mapping from labels to paths"),
        (lambda cm: cm.value("hierarchical_f1", taxonomy={**TREE, "cat": ""}), "without an empty node"),
        (lambda cm: cm.value("hierarchical_f1", taxonomy={**TREE, "cat": "animal//cat"}), "without an empty node"),
        (lambda cm: cm.value("hierarchical_f1", taxonomy={**TREE, "cat": ()}), "without an empty node"),
        (lambda cm: cm.value("hierarchical_f1", taxonomy={**TREE, "cat": 5}), "nodes in a tuple"),
        (lambda cm: cm.value("hierarchical_f1", taxonomy={**TREE, "cat": [None]}), "a label"),
        (lambda cm: cm.value("hierarchical_f1", taxonomy={**TREE, "cat": "animal/mammal/dog"}), "have the same path"),
        (lambda cm: cm.value("f1", average="macro", taxonomy=TREE), "taxonomy"),
        (lambda cm: cm.counts().value("hierarchical_f1", taxonomy=TREE), "names the classes"),
        (lambda cm: cm.collapse(taxonomy=TREE), "depth"),
        (lambda cm: cm.collapse(taxonomy=TREE, depth=0), "1 or more"),
        (lambda cm: cm.collapse({"a": ["cat"]}, taxonomy=TREE, depth=1), "either groups"),
        (lambda cm: cm.collapse({"a": ["cat"]}, depth=1), "either groups"),
        (lambda cm: cm.collapse(), "a mapping of new label"),
    ],
)
def test_refusals(cm, call, message):
    with pytest.raises(rs.RocksteadyError, match=message):
        call(cm)

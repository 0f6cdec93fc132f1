"""The laws of every statistic: sum, order, cut, bytes, pickle, empty, value and why, repr, threads, columns of any kind."""

from __future__ import annotations

import copy
import importlib.util
import os
import pickle
import re
import shutil
import struct
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocksteady as rs
from rocksteady import merging
from rocksteady.base.statistic import Along, Statistic

ROOT = Path(__file__).parents[2]
ROUNDS = 300 if os.environ.get("ROCKSTEADY_THOROUGH") else 12
CLASSES = ["cat", "dog", "eel"]


class Rows:
    """Columns of rows; a part of them has the same columns."""

    def __init__(self, **columns):
        self.columns = columns

    def __getattr__(self, name):
        return self.columns[name]

    def __len__(self):
        return len(self.columns["y"])

    def __getitem__(self, rows):
        return Rows(**{name: column[rows] for name, column in self.columns.items()})


def drawn(rng, n):
    proba = rng.dirichlet([0.7] * 3, n).round(rng.integers(1, 17))
    ties = rng.integers(1, 17)
    scores = np.where(rng.random(n) < 0.2, rng.choice([0.0, -0.0, 5e-324, -3.5, 1e300], n), rng.random(n).round(ties))
    classes = np.array(CLASSES)[rng.integers(0, rng.integers(1, 4), n)]
    user = rng.integers(0, 4, n)
    return Rows(
        y=(rng.random(n) < rng.choice([0.0, 0.3, 1.0])).astype(rng.choice(["?", "i8", "f8"])),
        pred=rng.integers(0, 2, n),
        scores=scores,
        single=rng.random(n) < 0.5,  # whether a row's score came as float32
        probability=rng.random(n).round(ties),
        weight=rng.choice([0.0, 1.0, 0.1, 1e-90, 1e90], n) if rng.random() < 0.5 else rng.random(n).round(2),
        classes=classes,
        class_pred=np.array(CLASSES)[rng.integers(0, 3, n)],
        proba=proba,
        flags=rng.integers(0, 2, (n, 3)),
        loss=rng.normal(size=n).round(3),
        user=user,
        region=np.array(["north", "south", "ö"])[rng.integers(0, 3, n)],
        document=np.array([f"d{place}" for place in range(n)]),
    )


def collected(rows, weighted):
    """Rows whose scores came as float32, and rows whose scores came as float64."""
    collector = rs.ScoreCollector(pos_label=1)
    for kind, those in (("f4", rows.single), ("f8", ~rows.single)):
        part = rows[those]
        scores = part.scores if kind == "f8" else np.where(np.abs(part.scores) < 1e30, part.scores, 1.0).astype("f4")
        collector.update(part.y, scores, sample_weight=part.weight if weighted else None)
    return collector.score_table()


def sampled(rows):
    return {"sample_weight": rows.weight, "weight_kind": "sampling"}


MAKERS = {
    "ConfusionMatrix": lambda r: rs.ConfusionMatrix(r.classes, r.class_pred, labels=CLASSES),
    "ConfusionMatrix of weights": lambda r: rs.ConfusionMatrix(r.y, r.pred, labels=[0, 1], sample_weight=r.weight),
    "ConfusionMatrix of a sample": lambda r: rs.ConfusionMatrix(r.y, r.pred, labels=[0, 1], **sampled(r)),
    "ScoreTable": lambda r: rs.ScoreTable(r.y, r.scores, pos_label=1),
    "ScoreTable of zeros": lambda r: rs.ScoreTable(r.y, r.scores, pos_label=0),
    "ScoreTable of weights": lambda r: rs.ScoreTable(r.y, r.scores, pos_label=1, sample_weight=r.weight),
    "ScoreTable of a sample": lambda r: rs.ScoreTable(r.y, r.scores, pos_label=1, **sampled(r)),
    "ScoreTable of two types": lambda r: collected(r, False),
    "ScoreTable of two types and weights": lambda r: collected(r, True),
    "ProbabilitySums": lambda r: rs.ProbabilitySums(r.y, r.probability, pos_label=1),
    "ProbabilitySums with squares": lambda r: rs.ProbabilitySums(r.y, r.probability, pos_label=1, squares=True),
    "ProbabilitySums of a sample": lambda r: rs.ProbabilitySums(r.y, r.probability, pos_label=1, **sampled(r)),
    "ScoreTables": lambda r: rs.ScoreTables(r.classes, r.proba, labels=CLASSES),
    "ScoreTables of a sample": lambda r: rs.ScoreTables(r.classes, r.proba, labels=CLASSES, **sampled(r)),
    "LabelLedger": lambda r: rs.scores.LabelLedger(np.where(r.single, None, r.y.astype(object)), r.scores, pos_label=1),
    "SketchLedger": lambda r: rs.scores.SketchLedger(
        np.where(r.single, None, r.y.astype(object)), r.probability, pos_label=1, cells=8
    ),
    "LedgerGroups": lambda r: rs.group_by(
        np.where(r.single, None, r.y.astype(object)),
        y_score=r.scores,
        by={"region": r.region},
        pos_label=1,
        missing_labels="unknown",
    ),
    "LabelScoreTables": lambda r: rs.LabelScoreTables(r.flags, r.proba, labels=CLASSES),
    "LabelScoreTables of weights": lambda r: rs.LabelScoreTables(
        r.flags, r.proba, labels=CLASSES, sample_weight=r.weight
    ),
    "Queries": lambda r: rs.Queries(np.abs(r.loss), r.scores, r.user),
    "Queries of documents": lambda r: rs.Queries(
        np.abs(r.loss), r.scores, r.user, document=r.document, ties="trec_eval"
    ),
    "CostTable": lambda r: rs.CostTable(r.y, r.scores, costs={"fp": 2, "fn": r.loss}, pos_label=1),
    "CostTable of weights": lambda r: rs.CostTable(
        r.y, r.probability, costs={"tp": r.loss, "fp": 2}, pos_label=1, sample_weight=np.minimum(r.weight, 10)
    ),
    "CostTable with squares": lambda r: rs.CostTable(
        r.y, r.scores, costs={"fp": 2, "fn": r.loss}, pos_label=1, sample_weight=r.weight, squares=True
    ),
    "CostCounts": lambda r: rs.CostCounts(r.y, r.pred, costs={"fp": 2, "fn": r.loss}, pos_label=1),
    "Groups": lambda r: rs.group_by(r.y, r.pred, r.scores, by={"region": r.region}, labels=[0, 1]),
    "Groups of classes": lambda r: rs.group_by(
        r.classes, r.class_pred, by={"user": r.user}, control={"region": r.region}, labels=CLASSES
    ),
    "Groups of a sample": lambda r: rs.group_by(
        r.y, r.pred, r.probability, by=r.user, labels=[0, 1], pos_label=1, **sampled(r)
    ),
}


EVALUATED = {
    "scores": lambda r: rs.evaluate(
        r.y,
        {"a": r.scores, "b": r.probability},
        y_pred={"c": r.pred},
        pos_label=1,
        labels=[0, 1],
        threshold={"a": 0.5, "b": 0.3},
        costs={"fp": 1, "fn": 5},
    ),
    "weights": lambda r: rs.evaluate(r.y, r.probability, pos_label=1, threshold=0.5, sample_weight=r.weight),
    "groups": lambda r: rs.evaluate(
        r.y, r.probability, labels=[0, 1], pos_label=1, threshold=0.5, by=r.region, min_rows=2
    ),
    "classes": lambda r: rs.evaluate(r.classes, y_proba={"m": r.proba}, y_pred={"n": r.class_pred}, labels=CLASSES),
    "of a sample": lambda r: rs.evaluate(r.y, y_pred=r.pred, pos_label=1, labels=[0, 1], **sampled(r)),
}
MAKERS |= {f"Evaluation of {name}": make for name, make in EVALUATED.items()}

GRID = np.arange(11) / 10
ANCHORS = rs.ScoreAnchors(np.ones(11), GRID, pos_label=1)
MAKERS |= {
    "ScoreSketch": lambda r: rs.ScoreSketch(r.y, r.probability, pos_label=1, thresholds=[0.5]),
    "ScoreSketch of few cells": lambda r: rs.ScoreSketch(r.y, r.probability, pos_label=1, cells=8),
    "ScoreAnchors": lambda r: rs.ScoreAnchors(r.y, r.scores, pos_label=1),
    "AnchoredCounts": lambda r: rs.AnchoredCounts(ANCHORS, r.y, r.probability.round(1)),
}
MAKERS |= {
    "top_k_accuracy_score": lambda r: rs.RowMean.top_k_accuracy_score(r.classes, r.proba, labels=CLASSES, k=2),
    "hinge_loss": lambda r: rs.RowMean.hinge_loss(r.y, r.loss, labels=[0, 1], sample_weight=r.weight),
    "log_loss": lambda r: rs.RowMean.log_loss(r.classes, r.proba, labels=CLASSES, sample_weight=r.weight),
    "ranked_probability_score": lambda r: rs.RowMean.ranked_probability_score(
        r.classes, r.proba, labels=CLASSES, sample_weight=r.weight
    ),
    "hinge_loss of a sample": lambda r: rs.RowMean.hinge_loss(r.y, r.loss, labels=[0, 1], **sampled(r)),
    "coverage_error": lambda r: rs.RowMean.coverage_error(r.flags, r.proba),
    "ndcg_score": lambda r: rs.RowMean.ndcg_score(r.flags, r.proba, sample_weight=r.weight),
}


def summed_as_drawn(rng, parts):
    """The sum of parts, two of them at a time, at random."""
    parts = list(parts)
    while len(parts) > 1:
        a = parts.pop(rng.integers(len(parts)))
        b = parts.pop(rng.integers(len(parts)))
        parts.append(a + b)
    return parts[0]


def parts_add_up_to_the_bytes_of_all_rows(make):
    for seed in range(ROUNDS):
        rng = np.random.default_rng(seed)
        rows = drawn(rng, int(rng.integers(1, 40)))
        whole = make(rows)
        mixed = rows[rng.permutation(len(rows))]
        cuts = np.sort(rng.integers(0, len(rows) + 1, rng.integers(0, 8)))
        places = [0, *cuts.tolist(), len(rows)]
        parts = [make(mixed[a:b]) for a, b in pairwise(places)]
        for found in (
            rs.merge(parts),
            sum(parts),
            summed_as_drawn(rng, parts),
            rs.merge((part.to_bytes() for part in parts), into=type(whole)),
            pickle.loads(pickle.dumps(rs.merge(parts))),
        ):
            assert type(found) is type(whole)
            assert found.to_bytes() == whole.to_bytes(), seed


def no_rows_change_nothing(make):
    rows = drawn(np.random.default_rng(1), 30)
    part, empty = make(rows), make(rows[:0])
    for found in (part + empty, empty + part, part + 0, 0 + part, rs.merge([empty, part, empty])):
        assert found.to_bytes() == part.to_bytes()
    assert (empty + empty).to_bytes() == (empty + 0).to_bytes() == empty.to_bytes()
    assert type(part).from_bytes(empty.to_bytes()).to_bytes() == empty.to_bytes()
    assert pickle.loads(pickle.dumps(empty)).to_bytes() == empty.to_bytes()
    assert "0" in repr(empty) or "no" in repr(empty)
    if hasattr(part, "_repr_html_"):
        assert empty._repr_html_()


def one_row_is_no_rows(make):
    shown = [repr(make(drawn(np.random.default_rng(seed), 1))) for seed in range(3)]
    assert not re.search(r"(?<![\d.])1 (distinct )?(rows|scores|cells|groups|queries|parts)\b", " ".join(shown)), shown


def what_is_taken_away_was_there(make):
    rows = drawn(np.random.default_rng(3), 30)
    a, b, none = make(rows[rows.y == 1]), make(rows), make(rows[:0])
    if isinstance(a, NOT_SUBTRACTED):
        with pytest.raises(TypeError):
            b - a
        return
    assert (a + b) - b == a + (b - b)
    assert (b + a) - a == b
    assert (b - none).to_bytes() == (b - b + b).to_bytes() == b.to_bytes()


def is_between_sections(data, cut):
    """Whether a section of squares begins there, which may be left out."""
    place = 19 + int.from_bytes(data[11:19], "little")
    return cut == place or (cut > place and cut == place + 9 + int.from_bytes(data[place + 1 : place + 9], "little"))


def bytes_come_back_and_say_what_reads_them(make):
    made = make(drawn(np.random.default_rng(4), 20))
    data = made.to_bytes()
    for again in (type(made).from_bytes(data), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert again == made
        assert (again.to_bytes(), again.digest(), repr(again)) == (data, made.digest(), repr(made))
    assert merging.reader_of(data).__self__ is READ_AS.get(type(made), type(made))
    for cut in range(len(data)) if len(data) < 1000 else (0, 9, 19, len(data) // 2, len(data) - 1):
        if is_between_sections(data, cut):
            assert type(made).from_bytes(data[:cut]) != made
            continue
        with pytest.raises(rs.InputError, match="not the bytes of a"):
            type(made).from_bytes(data[:cut])


def one_thread_or_several_count_the_same(make):
    rows, before = drawn(np.random.default_rng(5), 30_000), rs.get_threads()
    try:
        found = set()
        for threads in (1, 3):
            rs.set_threads(threads)
            found.add(make(rows).digest())
    finally:
        rs.set_threads(before)
    assert len(found) == 1


def columns_of_any_kind_count_the_same(make):
    rows = drawn(np.random.default_rng(6), 40)
    others = {name: pd.Series(column) if column.ndim == 1 else column for name, column in rows.columns.items()}
    assert make(Rows(**others)) == make(rows)


LAWS = [
    parts_add_up_to_the_bytes_of_all_rows,
    no_rows_change_nothing,
    one_row_is_no_rows,
    what_is_taken_away_was_there,
    bytes_come_back_and_say_what_reads_them,
    one_thread_or_several_count_the_same,
    columns_of_any_kind_count_the_same,
]
NOT_SUBTRACTED = (rs.RowMean, rs.ScoreSketch, rs.ScoreAnchors, rs.AnchoredCounts, rs.scores.SketchLedger)
# Written as another statistic.
READ_AS = {rs.CostCounts: rs.CostTable, rs.ScoreAnchors: rs.ScoreTable}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", MAKERS)
def test_law(name, law):
    law(MAKERS[name])


def below(owner):
    return {owner, *(one for each in owner.__subclasses__() for one in below(each))}


def public(base):
    every = [getattr(rs, name) for name in rs.__all__]
    return {each for each in below(base) if each in every}


def test_every_statistic_has_a_maker():
    rows = drawn(np.random.default_rng(0), 10)
    assert public(Statistic) <= {type(make(rows)) for make in MAKERS.values()}


# What each statistic is asked, and the length of its axis.
ASKED = {
    "ConfusionMatrix": "accuracy",
    "ScoreTable": "roc_auc",
    "ProbabilitySums": "log_loss",
    "ScoreTables": "one_vs_rest_auc",
    "CostCounts": "mean_cost",
    "AnchoredCounts": "roc_auc",
}
ALONG = {
    "ConfusionMatrix": ("recall", lambda s: s.labels),
    "ScoreTable": ("f1", lambda s: s.thresholds),
    "ScoreTables": ("roc_auc", lambda s: s.labels),
    "LabelScoreTables": ("roc_auc", lambda s: s.labels),
    "CostTable": ("cost", lambda s: s.thresholds),
    "Groups": ("accuracy", lambda s: s.sizes),
    "Queries": ("mrr", list),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_value_is_a_number_or_there_is_a_reason(name):
    rows = drawn(np.random.default_rng(7), 60)
    rows.columns["y"] = np.arange(60) % 2
    for made in (MAKERS[name](rows), MAKERS[name](rows[rows.y == 1])):
        value = made.value(ASKED[name])
        assert (made[ASKED[name]] == value) | np.isnan(value)
        assert (made.why(ASKED[name]) is not None) == np.isnan(value)


@pytest.mark.parametrize("name", ALONG)
def test_every_has_a_value_for_each_place_of_the_axis(name):
    index, axis = ALONG[name]
    made = MAKERS[name](drawn(np.random.default_rng(8), 60))
    each = made.every(index)
    assert len(each) == (len(made) if axis is list else len(axis(made)))
    np.testing.assert_array_equal(made.every([index])[index], each)


def test_every_statistic_with_an_axis_is_asked_along_it():
    assert {each.__name__ for each in public(Along) & (public(Statistic) | {rs.ConfusionMatrix})} == set(ALONG)


@pytest.mark.parametrize(
    "make",
    [
        lambda y: rs.ConfusionMatrix(y, y, pos_label=1) if len(set(y)) == 2 else rs.ConfusionMatrix(y, y),
        lambda y: rs.ScoreTable(y, [0.5] * len(y), pos_label=1),
        lambda y: rs.ProbabilitySums(y, [0.5] * len(y), pos_label=1),
        lambda y: rs.CostCounts(y, y, costs={"fp": 2, "fn": 1}, pos_label=1),
        lambda y: rs.CostTable(y, [0.5] * len(y), costs={"fp": 2, "fn": 1}, pos_label=1),
    ],
)
def test_subtraction_from_one_class(make):
    one, both = make([1, 1]), make([0, 1])
    left = (one + both) - both
    assert left == one + (both - both)
    assert left.digest() == (one + (both - both)).digest()
    assert left != one  # it has the label 0, too
    assert (both + one) - one == both


EMPTY = {
    "ConfusionMatrix": lambda: rs.ConfusionMatrix.empty(labels=CLASSES),
    "ConfusionMatrix of a sample": lambda: rs.ConfusionMatrix.empty(
        labels=[0, 1], sample_weight=[], weight_kind="sampling"
    ),
    "ScoreTable": lambda: rs.ScoreTable.empty(pos_label=1),
    "ScoreTable of two types and weights": lambda: rs.ScoreTable.empty(pos_label=1),
    "ProbabilitySums with squares": lambda: rs.ProbabilitySums.empty(pos_label=1),
    "ScoreTables": lambda: rs.ScoreTables.empty(labels=CLASSES),
    "LabelLedger": lambda: rs.scores.LabelLedger.empty(pos_label=1),
    "SketchLedger": lambda: rs.scores.SketchLedger.empty(pos_label=1),
    "LedgerGroups": lambda: rs.results.LedgerGroups.empty(by="region", pos_label=1),
    "LabelScoreTables": lambda: rs.LabelScoreTables.empty(labels=CLASSES),
    "Queries": rs.Queries.empty,
    "CostTable": lambda: rs.CostTable.empty(costs={"fp": 2, "fn": []}, pos_label=1),
    "CostCounts": lambda: rs.CostCounts.empty(costs={"fp": 2, "fn": []}, pos_label=1),
    "Groups": lambda: rs.Groups.empty(by="region", labels=[0, 1], pos_label=1, scores=True),
    "Groups of classes": lambda: rs.Groups.empty(by="user", control="region", labels=CLASSES),
}


@pytest.mark.parametrize("name", EMPTY)
def test_the_empty_statistic_is_the_identity(name):
    part, empty = MAKERS[name](drawn(np.random.default_rng(2), 25)), EMPTY[name]()
    assert (part + empty).to_bytes() == (empty + part).to_bytes() == part.to_bytes()
    assert empty + empty == empty


@pytest.mark.parametrize(
    ("statistic", "index"),
    [
        (rs.ScoreTable.empty(pos_label="yes"), "roc_auc"),
        (rs.ConfusionMatrix.empty(labels=[0, 1]), "f1"),
        (rs.ConfusionMatrix.empty(labels=CLASSES), "accuracy"),
        (rs.ProbabilitySums.empty(pos_label=1), "log_loss"),
        (rs.ScoreTables.empty(labels=CLASSES), "one_vs_rest_auc"),
        (rs.LabelScoreTables.empty(labels=CLASSES), "roc_auc"),
        (rs.CostCounts.empty(costs={}, pos_label=1), "mean_cost"),
        (rs.Queries.empty(), "ndcg"),
    ],
)
def test_an_index_of_no_rows_has_a_reason(statistic, index):
    assert np.isnan(statistic.value(index)) or statistic.why(index)
    assert statistic.why(index)


@pytest.mark.skipif(not (ROOT / "CONTRIBUTING.md").exists(), reason="a source distribution has no recipes")
def test_the_recipe_for_a_statistic_works_as_written(tmp_path, monkeypatch):
    """The diff applies to the tree; its Rust is formatted, its kind is free, and its class of Python obeys the laws."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    diff = re.search(r"## Add a statistic\n.*?^```diff\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert diff is not None
    for name in re.findall(r"^--- a/(\S+)$", diff[1], re.MULTILINE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    applied = subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff[1], capture_output=True, text=True)
    assert applied.returncode == 0, applied.stderr
    rust = [tmp_path / name for name in re.findall(r"^\+\+\+ b/(src/\S+/score_range\.rs)$", diff[1], re.MULTILINE)]
    assert len(rust) == 2
    if rustfmt := shutil.which("rustfmt"):
        command = [rustfmt, "--check", "--edition", "2024", "--config-path", ROOT, *rust]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    name, kind = re.search(r"NAME: &'static str = \"(\w+)\";\n.*KIND: u8 = b'(.)'", rust[0].read_text()).groups()
    assert kind.encode() not in merging._kinds()

    class RangeState:
        """The class of Rust, as the stub has it."""

        KIND, NAME = ord(kind), name

        def __init__(self, scores):
            self.scores, self.rows = sorted(scores), len(scores)
            self.ends = (self.scores[0], self.scores[-1]) if self.scores else (np.inf, -np.inf)

        @classmethod
        def of_rows(cls, scores):
            return cls(np.asarray(scores, float).tolist())

        def merged(self, other):
            return RangeState(self.scores + other.scores)

        def to_bytes(self):
            return b"rocksted" + bytes([self.KIND, 3]) + struct.pack("<Q2d", self.rows, *self.ends)

    stub = (tmp_path / "python" / "rocksteady" / "_rocksteady.pyi").read_text()
    typed = re.search(r"^class RangeState\(_State\):\n(.*?)\n\n", stub, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"def (\w+)", typed[1])) <= {*dir(RangeState), *vars(RangeState([]))}
    monkeypatch.setattr(rs._rocksteady, "RangeState", RangeState, raising=False)
    source = tmp_path / "python" / "rocksteady" / "scores" / "score_range.py"
    spec = importlib.util.spec_from_file_location("score_range", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    one, other = module.ScoreRange([0.5, 0.25]), module.ScoreRange([2.0])
    assert repr(sum([one, other])) in module.ScoreRange.__doc__
    assert one + module.ScoreRange.empty() == one != other
    assert rs.merge([one, other]).digest() == (other + one).digest()

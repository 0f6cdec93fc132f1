"""Batches into statistics, and the meaning of the labels.

Confusion matrices are added batch by batch and stay small. Scores are collected, since ranking needs all of them; what is derived
from them (classes at the threshold, the ranking) comes from the one table at the end. Probability sums are added while every score
lies in [0, 1].

**Which label is positive** never depends on a batch: it is `--pos-label`, or the greater of the two labels of all files. Until both
have been seen, batches wait; no more is held than the scores take anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import rocksteady as rs
from rocksteady.cli.files import Kind, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocksteady.cli.files import Batch, Columns

Label = bool | int | str
_SHOWN_LABELS = 10


@dataclass(frozen=True)
class Tally:
    """What was counted: the statistics, and what their labels mean."""

    rows: int
    matrix: rs.ConfusionMatrix
    positive: Label | None
    threshold: float | None
    table: rs.ScoreTable | None
    sums: rs.ProbabilitySums | None
    not_probabilities: str | None


def tally(batches: Iterable[Batch], columns: Columns, kind: Kind, positive: str | None, threshold: float) -> Tally:
    """Count the batches.

    Parameters
    ----------
    batches
        Checked rows.
    columns
        Which columns the batches have.
    kind
        What the labels are.
    positive
        The positive label as typed, or None for the greater of two.
    threshold
        Scores at or above it are predicted positive; used where no column holds the predicted class.

    Raises
    ------
    RefusedError
        The labels are too many, too few, or not what was asked for.
    """
    wanted = None if positive is None else _as_label(positive, kind, columns.label)
    classes = _Classes(columns, kind, wanted) if columns.pred is not None else None
    ranking = _Ranking(columns, kind, wanted) if columns.score is not None else None
    rows = 0
    for batch in batches:
        rows += len(batch.label)
        if classes is not None:
            classes.add(batch)
        if ranking is not None:
            ranking.add(batch)
    table = sums = None
    pair: tuple[Label, Label] | None = None
    if ranking is not None:
        table, sums, pair = ranking.finish()
    if classes is not None:
        matrix, pair = classes.finish()
        used = None
    else:
        assert table is not None and pair is not None  # noqa: S101, PT018 (the command asks for scores or classes)
        counts = table.at(threshold)
        cells = [[float(counts.tn), float(counts.fp)], [float(counts.fn), float(counts.tp)]]
        matrix = rs.ConfusionMatrix.from_counts(cells, labels=list(pair), pos_label=pair[1])
        used = threshold
    return Tally(
        rows=rows,
        matrix=matrix,
        positive=pair[1] if pair is not None else None,
        threshold=used,
        table=table,
        sums=sums,
        not_probabilities=ranking.not_probabilities if ranking is not None else None,
    )


class _Classes:
    """The confusion matrix of the label column and the predicted classes."""

    def __init__(self, columns: Columns, kind: Kind, wanted: Label | None) -> None:
        self.columns, self.kind, self.wanted = columns, kind, wanted
        self.matrix: rs.ConfusionMatrix | None = None

    def add(self, batch: Batch) -> None:
        assert batch.pred is not None  # noqa: S101 (the column was asked for)
        part = rs.ConfusionMatrix(batch.label, batch.pred, sample_weight=batch.weight)
        self.matrix = part if self.matrix is None else self.matrix + part

    def finish(self) -> tuple[rs.ConfusionMatrix, tuple[Label, Label] | None]:
        assert self.matrix is not None  # noqa: S101 (a file without rows is refused)
        labels: list[Label] = self.matrix.labels.tolist()
        if len(labels) > 2:
            if self.wanted is not None:
                raise RefusedError(
                    f"--pos-label needs two classes; {self.columns.label!r} and {self.columns.pred!r} hold "
                    f"{len(labels)}: {_listed(labels)}"
                )
            return self.matrix, None
        pair = _pair(labels, self.wanted, self.kind, f"{self.columns.label!r} and {self.columns.pred!r}")
        counts = {label: dict.fromkeys(pair, 0) for label in pair}
        for true, row in zip(labels, self.matrix.to_array().tolist(), strict=True):
            counts[true].update(zip(labels, row, strict=True))
        cells = [list(counts[true].values()) for true in pair]
        return rs.ConfusionMatrix.from_counts(cells, labels=list(pair), pos_label=pair[1]), pair


class _Ranking:
    """The scores of two classes, and the sums of their probabilities."""

    def __init__(self, columns: Columns, kind: Kind, wanted: Label | None) -> None:
        self.columns, self.kind, self.wanted = columns, kind, wanted
        self.seen: list[Label] = []
        self.waiting: list[Batch] = []
        self.positive: Label | None = None
        self.collector = rs.ScoreCollector(pos_label=True)
        self.sums: rs.ProbabilitySums | None = None
        self.not_probabilities: str | None = None

    def add(self, batch: Batch) -> None:
        if self.positive is not None and bool(((batch.label == self.seen[0]) | (batch.label == self.seen[1])).all()):
            self._count(batch)
            return
        for label in batch.label.unique(maintain_order=True).to_list():
            if label not in self.seen:
                self.seen.append(label)
        if len(self.seen) > 2:
            third = self.seen[2]
            raise RefusedError(
                f"{batch.where(int((batch.label == third).arg_max() or 0))}: {self.columns.label!r} is {_word(third)}, a third "
                f"class beside {_listed(self.seen[:2])}; a score ranks two classes, so name the predicted classes with "
                "--pred instead of --score"
            )
        self.waiting.append(batch)
        if len(self.seen) == 2:
            self._release()

    def finish(self) -> tuple[rs.ScoreTable, rs.ProbabilitySums | None, tuple[Label, Label]]:
        pair = self._release()
        return self.collector.table(), self.sums, pair

    def _release(self) -> tuple[Label, Label]:
        pair = _pair(self.seen, self.wanted, self.kind, repr(self.columns.label))
        self.positive = pair[1]
        self.seen = list(pair)
        waiting, self.waiting = self.waiting, []
        for batch in waiting:
            self._count(batch)
        return pair

    def _count(self, batch: Batch) -> None:
        score = batch.score
        assert score is not None  # noqa: S101 (the column was asked for)
        truth = batch.label == self.positive
        self.collector.update(truth, score, sample_weight=batch.weight)
        if self.not_probabilities is not None:
            return
        outside = (score < 0) | (score > 1)
        if outside.any():
            row = int(outside.arg_max() or 0)
            self.not_probabilities = f"{batch.where(row)}: {score.name!r} is {score[row]}"
            self.sums = None
            return
        part = rs.ProbabilitySums(truth, score, pos_label=True, sample_weight=batch.weight)
        self.sums = part if self.sums is None else self.sums + part


def _pair(seen: list[Label], wanted: Label | None, kind: Kind, where: str) -> tuple[Label, Label]:
    """The negative and the positive label, from those seen and the one asked for."""
    labels = sorted(seen)
    if wanted is not None and wanted not in labels and len(labels) > 1:
        raise RefusedError(f"--pos-label {_word(wanted)} is none of the labels of {where}: {_listed(labels)}")
    if len(labels) == 1:
        # One class only. 0 and 1 are known to go together; of two words only a person can say which is which.
        (only,) = labels
        others: list[Label] = [False, True] if kind is Kind.TRUTH else [0, 1] if kind is not Kind.TEXT else []
        if wanted is not None and wanted != only:
            labels = [only, wanted]
        elif only in others:
            labels = others
        else:
            raise RefusedError(f"{where} holds one class only, {_word(only)}; expected two")
    positive = labels[1] if wanted is None else wanted
    return (labels[0] if positive == labels[1] else labels[1]), positive


def _as_label(text: str, kind: Kind, column: str) -> Label:
    if kind is Kind.TEXT:
        return text
    try:
        if kind is Kind.TRUTH:
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        number = float(text)
        if number.is_integer():
            return int(text) if text.lstrip("+-").isdigit() else int(number)
    except (KeyError, ValueError):
        pass
    raise RefusedError(f"--pos-label is {text!r}, but {column!r} holds {kind.value}")


def _word(label: Label) -> str:
    return repr(label) if isinstance(label, str) else str(label)


def _listed(labels: list[Label]) -> str:
    shown = ", ".join(_word(label) for label in labels[:_SHOWN_LABELS])
    return shown if len(labels) <= _SHOWN_LABELS else f"{shown} and {len(labels) - _SHOWN_LABELS} more"


__all__ = ["Label", "Tally", "tally"]

"""Several labels a row: `--label` more than once, with a column of scores or of predicted labels for each.

All columns stay in memory until they are counted together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

import rocksteady as rs
from rocksteady.base.table import Table, number, one_line
from rocksteady.cli.differences import differences
from rocksteady.cli.options import LEVEL, refuse
from rocksteady.cli.report import OF_CLASSES, as_dict, intervals, noted, of_design, of_intervals
from rocksteady.cli.sources import RefusedError
from rocksteady.cli.tally import Tally
from rocksteady.errors import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocksteady.cli.files import Batch
    from rocksteady.cli.options import Options
    from rocksteady.cli.report import Wanted


_ABSENT: Final = ("0", "false")
_PRESENT: Final = ("1", "true")


def check(asked: Options, unused: Mapping[str, object]) -> None:
    """Refuse what is of one label a row.

    Parameters
    ----------
    asked
        The columns and models.
    unused
        Options of one label, by their names; none of them may be given.
    """
    others = {"--proba": asked.classes, "--pos-label": asked.pos_label, "--labels": asked.labels, "--cost": asked.costs}
    more = {"--by": asked.columns.by, "--memory": asked.memory}
    refuse({**unused, **others, **more}, "is of one label a row; score each --label by itself, or leave it out")


def tally(batches: Iterable[Batch], asked: Options) -> Tally:
    """Count the batches.

    Raises
    ------
    RefusedError
        A label is neither 0 nor 1.
    """
    frames, left_out = [], 0
    for batch in batches:
        for name in asked.columns.classes:
            column = batch.columns[name]
            strange = ~_words(column).is_in([*_ABSENT, *_PRESENT])
            if strange.any():
                row = int(strange.arg_max() or 0)
                said = f"{batch.where(row)}: {name!r} is {column[row]!r}"
                raise RefusedError(
                    f"{said}; expected 0 or 1, or true or false, as there are several columns of --label"
                )
        frames.append(batch.columns)
        left_out += batch.left_out
    frame, models, columns = pl.concat(frames), asked.models, asked.columns
    frame = frame.with_columns(_words(frame[name]).is_in(_PRESENT) for name in columns.classes)
    if frame.is_empty():
        raise RefusedError(f"none of {left_out} rows has every label and score; all are left out")
    labels = [columns.label, *columns.more_labels]

    def matrices(given: dict[str, Any]) -> dict[str, Any] | None:
        return {name: frame.select(of).to_numpy() for name, of in given.items()} or None

    counted = rs.evaluate(
        frame.select(labels).to_numpy(),
        matrices(models.scores),
        y_pred=matrices(models.predicted),
        labels=labels,
        weight_kind=asked.weight_kind,
        threshold=asked.threshold,
        inference=True,
        **columns.design(frame),
    )
    evaluation = rs.Evaluation(list(counted.models.values()), rows_left_out=left_out)
    return Tally(len(frame), evaluation, {}, is_sorted_text=False)


def _words(column: pl.Series) -> pl.Series:
    """Labels as text: of CSV some may be numbers and others truth values."""
    return column.cast(pl.String).str.to_lowercase()


def report(evaluation: rs.Evaluation, files: int, wanted: Wanted, asked: Options) -> dict[str, Any]:
    """The report for `--json`."""
    found = as_dict(evaluation, files, wanted.names, wanted.title)
    names = list(dict.fromkeys(name for told in found["models"].values() for name in told["indices"]))
    if wanted.level is not None:
        found |= of_design(wanted.level, asked)
        for name, model in evaluation.models.items():
            found["models"][name]["intervals"] = intervals(model, names, wanted.level)
    if wanted.differences:
        found["differences"] = differences(evaluation, wanted.differences, names, wanted.level or LEVEL)
    return found


def text(evaluation: rs.Evaluation, told: dict[str, Any], wanted: Wanted, source: str) -> str:
    """The tables for people."""
    lines = [] if wanted.title is None else [for_terminal(wanted.title)]
    labels = ", ".join(map(one_line, evaluation.labels))
    lines.append(f"{evaluation.rows:,} rows {source}; {len(evaluation.labels)} labels: {labels}")
    if evaluation.rows_left_out:
        lines.append(f"left out: {evaluation.rows_left_out:,} rows without a score or label")
    is_alone = len(evaluation.models) == 1
    for name, model in evaluation.models.items():
        if model.threshold is not None:
            lines.append(
                f"{'' if is_alone else f'{one_line(name)}: '}predicted where score >= {number(model.threshold)}"
            )
    level: Any = {} if wanted.level is None else {"interval": True, "level": wanted.level}
    if level:
        lines.append(f"low, high: {of_intervals(told)}")
    lines += ["", repr(evaluation.summary(wanted.names, **level))]
    lines += noted(told["models"].values())
    for first, second in wanted.differences:
        rows = [row for row in told["differences"] if (row["first"], row["second"]) == (first, second)]
        columns = ["index", "difference", "low", "high", "holm_p_value", "verdict"]
        lines += ["", f"{one_line(first)} less {one_line(second)}"]
        lines.append(repr(Table(columns, [[row[column] for column in columns] for row in rows])))
    usual = wanted.names == "summary"
    for name, model in evaluation.models.items():
        of_labels = [each for each in ("roc_auc", *OF_CLASSES) if model.has(each)] if usual else wanted.names
        lines += ["", f"Each label{'' if is_alone else f' of {one_line(name)}'}"]
        lines.append(repr(evaluation.label_summary(of_labels, model=name)))
    return "\n".join(lines) + "\n"

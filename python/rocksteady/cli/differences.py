"""Differences between models (`--difference`): their statistics on the same rows, and the values.

A difference needs the rows of both models together, so the columns of all batches are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import polars as pl

import rocksteady as rs
from rocksteady.charts.differences import judged
from rocksteady.cli.sources import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.cli.files import Batch
    from rocksteady.cli.options import Options
    from rocksteady.models.columns import ModelColumns


def pairs(texts: Sequence[str], models: ModelColumns, *, every: bool) -> list[tuple[str, str]]:
    """Read `--difference`: two models with a comma between them, each; or `every` two models, where there is none.

    Raises
    ------
    RefusedError
        If they are not two models that there are, or a pair is named twice.
    """
    found: list[tuple[str, str]] = []
    for text in texts:
        first, comma, second = (part.strip() for part in text.partition(","))
        known = f"the models are {', '.join(map(repr, models.names))}"
        if not comma or first == second:
            raise RefusedError(f"--difference is {text!r}; expected two models, such as new,old; {known}")
        for name in (first, second):
            if name not in models.names:
                raise RefusedError(f"--difference has the model {name!r}; {known}")
        if {first, second} in map(set, found):
            raise RefusedError(f"--difference is {text!r}, but these two models are compared already; name a pair once")
        found.append((first, second))
    return found or (list(combinations(models.names, 2)) if every else [])


@dataclass
class Kept:
    """The columns of all batches."""

    columns: list[pl.DataFrame] = field(default_factory=list)

    def add(self, batch: Batch) -> None:
        """Keep the columns of a batch."""
        self.columns.append(batch.columns)

    def evaluated(
        self, models: Sequence[rs.results.ModelEvaluation], options: Options, classes: dict[Any, str], *, has_rows: bool
    ) -> rs.Evaluation:
        """The models with their rows.

        Parameters
        ----------
        models
            The models, counted.
        options
            The columns of each.
        classes
            From `--proba`: the column of each class.
        has_rows
            Whether to keep them for intervals and differences.
        """
        frame, of, columns = pl.concat(self.columns), options.models, options.columns
        confusion = models[0].confusion
        scores = {name: frame[column] for name, column in of.scores.items()}
        proba: dict[str, Any] = {}
        for name in of.probabilities:
            if confusion.pos_label is None:
                proba[name] = frame.select(classes.values()).to_numpy()
            else:
                scores[name] = frame[classes[confusion.pos_label]]
        return rs.evaluate(
            frame[columns.label],
            scores or None,
            y_proba=proba or None,
            y_pred={name: frame[column] for name, column in of.predicted.items()} or None,
            labels=sorted(confusion.labels),
            pos_label=confusion.pos_label,
            threshold={model.name: model.threshold for model in models if model.threshold is not None} or None,
            weight_kind=options.weight_kind,
            inference=has_rows,
            costs=None
            if options.costs is None
            else {outcome: frame[cost] if isinstance(cost, str) else cost for outcome, cost in options.costs.items()},
            by=frame.select(columns.by) if columns.by and options.is_design else None,
            **columns.design(frame),
        )


def differences(
    evaluation: rs.Evaluation, wanted: Sequence[tuple[str, str]], names: Sequence[str], level: float
) -> list[dict[str, Any]]:
    """The differences in those of the indices that have one, as the report has them."""
    rows: list[dict[str, Any]] = []
    for judgement in judged(evaluation._comparison, names, wanted, level):
        found = judgement.found
        row = {
            "index": found.index,
            "first": found.first,
            "second": found.second,
            "difference": found.estimate,
            "low": found.low,
            "high": found.high,
            "p_value": found.p_value,
            "holm_p_value": judgement.p_value,
            "method": found.method,
            "verdict": judgement.verdict,
        }
        rows.append(row if found.why is None else {**row, "why": found.why})
    return rows

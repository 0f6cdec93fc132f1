"""Differences between models (`--difference`): their statistics on the same rows, and the values.

A difference needs the rows of both models together, so the columns of all batches are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import rocksteady as rs
from rocksteady.charts.differences import judged
from rocksteady.cli.sources import RefusedError
from rocksteady.evaluation.paired import Paired

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.cli.files import Batch
    from rocksteady.models.columns import ModelColumns


def pairs(texts: Sequence[str], models: ModelColumns) -> list[tuple[str, str]]:
    """Read `--difference`: two models with a comma between them, each.

    Raises
    ------
    RefusedError
        If they are not two models that there are.
    """
    found = []
    for text in texts:
        first, comma, second = (part.strip() for part in text.partition(","))
        known = f"the models are {', '.join(map(repr, models.names))}"
        if not comma or first == second:
            raise RefusedError(f"--difference is {text!r}; expected two models, such as new,old; {known}")
        for name in (first, second):
            if name not in models.names:
                raise RefusedError(f"--difference has the model {name!r}; {known}")
        found.append((first, second))
    return found


@dataclass
class Kept:
    """The columns of all batches."""

    labels: list[pl.Series] = field(default_factory=list)
    weights: list[pl.Series] = field(default_factory=list)
    columns: list[pl.DataFrame] = field(default_factory=list)

    def add(self, batch: Batch) -> None:
        """Keep the columns of a batch."""
        self.labels.append(batch.label)
        self.columns.append(batch.columns)
        if batch.weight is not None:
            self.weights.append(batch.weight)

    def paired(
        self, models: Sequence[rs.results.ModelEvaluation], columns: ModelColumns, classes: dict[Any, str]
    ) -> Paired:
        """What the models have in common.

        Parameters
        ----------
        models
            The models, counted.
        columns
            The columns of each.
        classes
            From `--proba`: the column of each class.
        """
        truth, frame = pl.concat(self.labels), pl.concat(self.columns)
        weight = pl.concat(self.weights) if self.weights else None
        positive = models[0].confusion.pos_label
        negative = next((label for label in models[0].confusion.labels if label != positive), None)
        scores = {
            model.name: frame[_column(model.name, columns, classes, positive)] for model in models if model.scores
        }
        predicted: dict[str, Any] = {}
        for model in models:
            if model.name in columns.predicted:
                predicted[model.name] = frame[columns.predicted[model.name]]
            elif model.name in scores:
                above = scores[model.name].to_numpy() >= model.threshold
                predicted[model.name] = np.array([negative, positive])[above.astype(np.intp)]
            else:
                known = np.array(list(classes), dtype=object)
                predicted[model.name] = known[np.argmax(frame.select(classes.values()).to_numpy(), axis=1)].tolist()
        inference = rs.inference
        labels = inference.compare_labels(
            truth, predicted, labels=models[0].confusion.labels, pos_label=positive, sample_weight=weight
        )
        ranked = inference.compare_scores(truth, scores, pos_label=positive, sample_weight=weight) if scores else None
        return Paired(labels, ranked)


def _column(name: str, columns: ModelColumns, classes: dict[Any, str], positive: Any) -> str:
    """The column with the scores of a model of two classes."""
    return str(columns.scores[name]) if name in columns.scores else classes[positive]


def differences(
    evaluation: rs.Evaluation, wanted: Sequence[tuple[str, str]], names: Sequence[str], level: float
) -> list[dict[str, Any]]:
    """The differences in those of the indices that have one, as the report has them."""
    rows: list[dict[str, Any]] = []
    for judgement in judged(evaluation.difference, names, wanted, level):
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

"""The model of a sketch of scores: every index within proven bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.base.arguments import cut, one_of, shown, string, wrong_type, wrong_value
from rocksteady.base.bounds import BoundsTable
from rocksteady.base.named_columns import parameters_by_class, refused_as
from rocksteady.base.table import Table, number, number_of, repr_html
from rocksteady.errors import InputError
from rocksteady.models.columns import OF_OTHERS, OF_PROBABILITIES, ModelColumns, checked_labels, threshold_of
from rocksteady.models.model import Model
from rocksteady.registry.registry import Index, index
from rocksteady.registry.selection import task_of
from rocksteady.scores.counted_scores import pair_of
from rocksteady.scores.score_sketch import ScoreSketch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.base.arguments import NanPolicy
    from rocksteady.base.bounds import Bounds
    from rocksteady.inference.widened import WidenedInterval
    from rocksteady.labels.counts_bounds import CountsBounds
    from rocksteady.registry.selection import Task
    from rocksteady.scores.curves.bounds import CurveBounds
    from rocksteady.scores.thresholds import Side

_CURVES = ("roc_curve", "precision_recall_curve")
_OF_SCORES = frozenset({"scores", "probabilities"})


class BoundedModel(Model):
    """What was counted of one model of two classes in bounded memory: every index within proven bounds.

    Parameters
    ----------
    name : str
        What the model is called.
    sketch : ScoreSketch
        Its scores.
    threshold : float, optional
        Scores at or above it count as positive. Default: 0.5 where all scores lie in [0, 1], else 0.
    labels : tuple of two labels, optional
        What the negative and the positive label are called. Default: as in the sketch.

    Examples
    --------
    >>> import rocksteady as rs
    >>> model = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bounded=True).models["model"]
    >>> model["roc_auc"], model.at(0.3)["recall"]
    (0.75, 1.0)
    """

    _forms = ("counts", "matrix", "scores", "probabilities")

    def __init__(
        self,
        name: str,
        sketch: ScoreSketch,
        threshold: float | None = None,
        *,
        labels: tuple[object, object] | None = None,
    ) -> None:
        self.name = string(name, "name")
        if not isinstance(sketch, ScoreSketch):
            raise wrong_type(sketch, "sketch", "a ScoreSketch")
        self.sketch = sketch
        self._asked = None if threshold is None else cut(threshold, "threshold")
        self._called = None if labels is None else tuple(checked_labels(pair_of(labels), "labels"))

    @property
    def _lacks(self) -> dict[str, str]:
        one = "is of several classes or labels; value(name) is the one number of a model, or bounds(name) where it is not known"
        whole = "needs all scores; evaluate(...) without bounded=True keeps them"
        several = "is of several labels a row; value('accuracy') is the share of rows that are right"
        found = {"exact_match": several, "label_summary": "is of several labels a row; summary() has the indices"}
        found |= dict.fromkeys(("axis", "every", "every_interval"), one)
        of_all = (
            "best",
            "why_no_best",
            "profit",
            "difference",
            "compare",
            "plot",
            "groups",
            "group_summary",
            "confusion",
            "at_prevalence",
        )
        return found | dict.fromkeys(of_all, whole)

    @property
    def threshold(self) -> float:
        """Scores at or above it count as positive."""
        if self._asked is not None:
            return self._asked
        are_others = self.sketch.rows and self.sketch.bounds("brier").why is not None
        return OF_OTHERS if are_others else OF_PROBABILITIES

    @property
    def labels(self) -> tuple[Any, ...]:
        """The negative and the positive label."""
        return self.sketch.labels if self._called is None else self._called

    @property
    def pos_label(self) -> object:
        """The positive label."""
        return self.labels[1]

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self.sketch.rows

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        return self.sketch.positives + self.sketch.negatives

    @property
    def task(self) -> Task:
        """Which indices a summary of the model has: see `rocksteady.registry.selection`."""
        return task_of(2, self.sketch.positives, self.total)

    def counts(self) -> CountsBounds:
        """The counts at the threshold."""
        return self.at(self.threshold)

    def at(self, threshold: float, *, side: Side = ">=") -> CountsBounds:  # type: ignore[override]
        """The counts at a threshold, within bounds; see `ScoreSketch.at`."""
        return self.sketch.at(threshold, side=side)

    def curves(self, curve: str) -> CurveBounds:  # type: ignore[override]
        """A curve within bounds: "roc_curve" or "precision_recall_curve"; `ScoreSketch.curve` takes any two indices."""
        one_of(curve, "curve", _CURVES)
        found: CurveBounds = getattr(self.sketch, curve)()
        return found

    def _source(self, row: Index) -> Any:
        return None if set(self._forms).isdisjoint(row.forms) else self

    def _statistic(self, name: str) -> ScoreSketch | CountsBounds:
        """What has an index, or an expression of the counts."""
        is_expression = any(sign in string(name, "name", "the name of an index") for sign in "*/^(+-")
        return self.counts() if is_expression or _OF_SCORES.isdisjoint(index(name).forms) else self.sketch

    def value(self, name: str, **parameters: Any) -> float:
        """One index, where it is known exactly.

        Raises
        ------
        rocksteady.InputError
            If only bounds are known: `bounds` gives them.
        """
        found = self.bounds(name, **parameters)
        if found.value is None:
            known = found.why or f"it lies between {number(found.low)} and {number(found.high)}"
            raise InputError(
                f"{name} of {shown(self.name)} is not known exactly: {known}; ask for bounds({shown(name)})",
                argument="name",
            )
        return found.value

    def why(self, name: str, **parameters: Any) -> str | None:
        """Why an index is undefined, or why there are no bounds; None if it is defined and bounded."""
        return self.bounds(name, **parameters).why

    def bounds(self, name: str, **parameters: Any) -> Bounds:
        """What is known for certain of one index: of the counts at the threshold, or of the ranking."""
        return self._statistic(name).bounds(name, **parameters_by_class(parameters, self.sketch))

    def interval(self, name: str, **options: Any) -> WidenedInterval:  # type: ignore[override]
        """The confidence interval of one index, which contains that of the exact rows: `ScoreSketch.interval`."""
        found: WidenedInterval = self._statistic(name).interval(name, **parameters_by_class(options, self.sketch))
        return found

    def _every_bounds(self, names: Sequence[str]) -> dict[str, Bounds]:
        counts = self.counts()
        of_counts = [name for name in names if self._statistic(name) is not self.sketch]
        known = dict(zip(of_counts, counts._bounds(of_counts), strict=True))
        return {name: known.get(name) or self.sketch.bounds(name) for name in names}

    def _dict(self, names: Sequence[str]) -> dict[str, Any]:
        counts = self.counts()
        found: dict[str, Any] = {
            "threshold": self.threshold,
            "cells": len(self.sketch),
            "counts": {"tp": list(counts.tp), "fp": list(counts.fp)},
            "bounds": {},
        }
        for name, bounds in self._every_bounds(names).items():
            row: dict[str, Any] = {"low": bounds.low, "high": bounds.high, "is_exact": bounds.value is not None}
            if bounds.why is not None:
                row["why"] = bounds.why
            if bounds.may_be_undefined:
                row["may_be_undefined"] = True
            found["bounds"][name] = row
        return found

    def _told(self) -> dict[str, Any]:
        return {"kind": "proven", "positives": self.sketch.positives, "negatives": self.sketch.negatives}

    @classmethod
    def _table(
        cls, models: Sequence[Any], names: Sequence[str], notes: Sequence[str], level: float | None = None
    ) -> Table:
        """The bounds of the indices: model, if there are several, index, low, high, and how well known."""
        if level is not None:
            raise InputError(
                "interval is True; expected False, as low and high are bounds here: interval(name) has one of confidence",
                argument="interval",
            )
        rows = [
            (model.name, name, found.low, found.high, _known(found))
            for model in models
            for name, found in model._every_bounds(names).items()
        ]
        columns = ["model", "index", "low", "high", "known"]
        first = int(len(models) == 1)
        return BoundsTable(columns[first:], [row[first:] for row in rows], note="\n".join(notes) or None)

    def _title(self) -> str:
        return f"{super()._title()}, within proven bounds"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundedModel) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<rocksteady.results.BoundedModel {shown(self.name)}, {number_of(self.rows, 'row')}, threshold {self.threshold:g}>"

    _repr_html_ = repr_html


def _known(found: Bounds) -> str:
    """How well an index is known, in words."""
    if found.why is not None:
        return found.why
    if found.value is not None:
        return "exactly"
    return "within proven bounds, if defined" if found.may_be_undefined else "within proven bounds"


def models_of_sketches(
    columns: ModelColumns,
    y_true: Any,
    *,
    sample_weight: Any,
    pos_label: object,
    labels: Any,
    threshold: Any,
    nan_policy: NanPolicy,
) -> list[BoundedModel]:
    """The models of columns of scores: what `evaluate` makes with ``bounded=True``."""
    for argument, given in (("y_proba", columns.probabilities), ("y_pred", columns.predicted)):
        if given:
            raise wrong_value(shown(next(iter(given))), argument, "None with bounded=True, which is of scores")
    asked = {name: found for name in columns.names if (found := threshold_of(threshold, name)) is not None}
    edges = sorted({OF_PROBABILITIES, OF_OTHERS, *asked.values()})  # of all models the same
    models = []
    for name, scores in columns.scores.items():
        with refused_as("y_score", columns.said("y_score", name)):
            sketch = ScoreSketch(
                y_true,
                scores,
                pos_label=pos_label,
                labels=labels,
                sample_weight=sample_weight,
                thresholds=edges,
                nan_policy="raise" if nan_policy == "omit" else nan_policy,
            )
        models.append(BoundedModel(name, sketch, asked.get(name)))
    return models

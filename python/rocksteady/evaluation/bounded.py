"""Models judged in bounded memory: every index within proven bounds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, overload

from rocksteady.base.arguments import cut, data_of, mapping, named, shown, string, whole, wrong_value
from rocksteady.base.bounds import BoundsTable
from rocksteady.base.files import written
from rocksteady.base.named_columns import check_models, parameters_by_class, refused_as
from rocksteady.base.statistic import Kept
from rocksteady.base.table import Table, number, one_line
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.evaluation.parts import blocks_of, joined
from rocksteady.models.columns import OF_OTHERS, OF_PROBABILITIES, ModelColumns, checked_labels, threshold_of
from rocksteady.registry import index
from rocksteady.scores.counted_scores import pair_of
from rocksteady.scores.score_sketch import CELLS, ScoreSketch
from rocksteady.selection import chosen, task_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from rocksteady.base.arguments import NanPolicy
    from rocksteady.base.bounds import Bounds
    from rocksteady.inference.widened import WidenedInterval
    from rocksteady.labels.counts_bounds import CountsBounds
    from rocksteady.selection import Names

# The head of the bytes (docs/bytes.md): magic word, kind, version and the tag of the only section.
_HEAD: Final = b"rockstedV\x03\x01"

_FORMS: Final = ("counts", "matrix", "scores", "probabilities")


@dataclass(frozen=True, slots=True)
class BoundedModel:
    """One model of a `BoundedEvaluation`.

    Attributes
    ----------
    name : str
        What the model is called.
    sketch : ScoreSketch
        Its scores.
    threshold : float
        Scores at or above it count as positive.
    """

    name: str
    sketch: ScoreSketch
    threshold: float

    def counts(self) -> CountsBounds:
        """The counts at the threshold."""
        return self.sketch.at(self.threshold)

    def bounds(self, name: str, **parameters: object) -> Bounds:
        """What is known for certain of one index: of the counts at the threshold, or of the ranking."""
        of_counts = not {"scores", "probabilities"} & set(_forms_of(name))
        own = parameters_by_class(parameters, self.sketch)
        return (self.counts() if of_counts else self.sketch).bounds(name, **own)

    def interval(self, name: str, **options: Any) -> WidenedInterval:
        """The confidence interval of one index, which contains that of the exact rows: `ScoreSketch.interval`."""
        of_counts = not {"scores", "probabilities"} & set(_forms_of(name))
        own = parameters_by_class(options, self.sketch)
        found: WidenedInterval = (self.counts() if of_counts else self.sketch).interval(name, **own)
        return found


def _forms_of(name: str) -> tuple[str, ...]:
    """The forms of an index; of an expression those of counts."""
    return (
        ("counts",)
        if any(sign in string(name, "name", "the name of an index") for sign in "*/^(+-")
        else index(name).forms
    )


class BoundedEvaluation(WaysOut, Kept):
    """One or several models judged on the same rows in bounded memory, with proven bounds of every index.

    `evaluate` makes it with ``bounded=True``, and the command line with ``--bounded``. It holds a `ScoreSketch` of each
    model and nothing else, so it adds: of any parts of the rows, in any order, the sum is the same to the bit.

    Parameters
    ----------
    sketches : mapping from str to ScoreSketch
        The scores of each model.
    thresholds : mapping from str to float, optional
        Scores at or above it count as positive. Default: 0.5 where all scores of the model lie in [0, 1], else 0.
    labels : tuple of two labels, optional
        What the negative and the positive label are called. Default: those of the sketches.
    rows_left_out : int
        How many rows were left out since a label or a score was missing.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bounded=True)
    >>> ev.bounds("roc_auc").value, ev["accuracy"]
    (0.75, 0.75)
    >>> print(ev.summary(["roc_auc", "f1"]))
    index         low      high  known
    roc_auc      0.75      0.75  exactly
    f1       0.666667  0.666667  exactly
    """

    def __init__(
        self,
        sketches: Mapping[str, ScoreSketch],
        thresholds: Mapping[str, float] | None = None,
        *,
        labels: tuple[object, object] | None = None,
        rows_left_out: int = 0,
    ) -> None:
        given = mapping(sketches, "sketches", "a mapping from names of models to ScoreSketch")
        if not given:
            raise wrong_value(sketches, "sketches", "at least one model")
        for name, sketch in given.items():
            string(name, "sketches")
            if not isinstance(sketch, ScoreSketch):
                raise wrong_value(sketch, f"sketches[{shown(name)}]", "a ScoreSketch")
        asked = {} if thresholds is None else mapping(thresholds, "thresholds", "a mapping from names to numbers")
        check_models(asked, given, "thresholds")
        self._asked = {name: cut(threshold, f"thresholds[{shown(name)}]") for name, threshold in asked.items()}
        self.models = {
            name: BoundedModel(name, sketch, self._asked[name] if name in asked else _default(sketch))
            for name, sketch in given.items()
        }
        self._labels = None if labels is None else tuple(checked_labels(pair_of(labels), "labels"))
        self.rows_left_out = whole(rows_left_out, "rows_left_out", "a number of rows", least=0)

    @classmethod
    def of_columns(
        cls,
        columns: ModelColumns,
        y_true: Any,
        *,
        sample_weight: Any,
        pos_label: object,
        labels: Any,
        threshold: Any,
        nan_policy: NanPolicy,
        cells: int = CELLS,
        rows_left_out: int = 0,
    ) -> BoundedEvaluation:
        """The evaluation of columns of scores: what `evaluate` makes with ``bounded=True``."""
        for argument, given in (("y_proba", columns.probabilities), ("y_pred", columns.predicted)):
            if given:
                raise wrong_value(shown(next(iter(given))), argument, "None with bounded=True, which is of scores")
        asked = {name: found for name in columns.names if (found := threshold_of(threshold, name)) is not None}
        edges = sorted({OF_PROBABILITIES, OF_OTHERS, *asked.values()})  # of all models the same
        sketches = {}
        for name, scores in columns.scores.items():
            with refused_as("y_score", columns.said("y_score", name)):
                sketches[name] = ScoreSketch(
                    y_true,
                    scores,
                    pos_label=pos_label,
                    labels=labels,
                    sample_weight=sample_weight,
                    cells=cells,
                    thresholds=edges,
                    nan_policy="raise" if nan_policy == "omit" else nan_policy,
                )
        return cls(sketches, asked, rows_left_out=rows_left_out)

    @property
    def _first(self) -> BoundedModel:
        return next(iter(self.models.values()))

    @property
    def labels(self) -> tuple[object, object]:
        """The negative and the positive label."""
        return self._first.sketch.labels if self._labels is None else self._labels

    @property
    def pos_label(self) -> object:
        """The positive label."""
        return self.labels[1]

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._first.sketch.rows

    def _model(self, model: str | None) -> BoundedModel:
        if model is None and len(self.models) == 1:
            return self._first
        found: BoundedModel = self.models[named(model, "model", self.models)]
        return found

    def bounds(self, name: str, *, model: str | None = None, **parameters: object) -> Bounds:
        """What is known for certain of one index: of the counts at the threshold, or of the ranking.

        Parameters
        ----------
        name : str
            An index.
        model : str, optional
            Which model, if there are several.
        **parameters
            Parameters of the index.
        """
        return self._model(model).bounds(name, **parameters)

    def __getitem__(self, name: str) -> Any:
        """An index where it is known exactly: a number, or with several models a mapping from their names.

        Raises
        ------
        rocksteady.InputError
            If only bounds are known: `bounds` gives them.
        """
        found = {}
        for model in self.models.values():
            bounds = model.bounds(name)
            if bounds.value is None:
                of = f" of {shown(model.name)}" if len(self.models) > 1 else ""
                known = bounds.why or f"it lies between {number(bounds.low)} and {number(bounds.high)}"
                raise InputError(f"{name}{of} is not known exactly: {known}; ask for bounds({shown(name)})")
            found[model.name] = bounds.value
        return found[self._first.name] if len(found) == 1 else found

    def __iter__(self) -> Iterator[str]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    def _chosen(self, names: Names | Sequence[str] | None) -> list[str]:
        sketch = self._first.sketch
        task = task_of(2, sketch.positives, sketch.positives + sketch.negatives)
        return chosen(names, default="summary", form=_FORMS, task=task)[0]

    def _rows(self, names: Names | Sequence[str] | None) -> list[tuple[str, str, Bounds]]:
        wanted = self._chosen(names)
        found = []
        for model in self.models.values():
            counts = model.counts()
            of_counts = [name for name in wanted if not {"scores", "probabilities"} & set(_forms_of(name))]
            known = dict(zip(of_counts, counts._bounds(of_counts), strict=True))
            found += [(model.name, name, known.get(name) or model.sketch.bounds(name)) for name in wanted]
        return found

    def summary(self, names: Names | Sequence[str] | None = None) -> Table:
        """The bounds of many indices as a table: model, if there are several, index, low, high, and how well known.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            As for `Evaluation.summary`.
        """
        rows = [(model, name, found.low, found.high, known(found)) for model, name, found in self._rows(names)]
        if len(self.models) == 1:
            return BoundsTable(["index", "low", "high", "known"], [row[1:] for row in rows])
        return BoundsTable(["model", "index", "low", "high", "known"], rows)

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """The evaluation as plain dictionaries, ready for JSON."""
        models: dict[str, Any] = {
            model.name: {
                "threshold": model.threshold,
                "cells": len(model.sketch),
                "counts": {"tp": list(model.counts().tp), "fp": list(model.counts().fp)},
                "bounds": {},
            }
            for model in self.models.values()
        }
        for model, name, found in self._rows(names):
            row: dict[str, Any] = {"low": found.low, "high": found.high, "is_exact": found.value is not None}
            if found.why is not None:
                row["why"] = found.why
            if found.may_be_undefined:
                row["may_be_undefined"] = True
            models[model]["bounds"][name] = row
        sketch = self._first.sketch
        return {
            "kind": "proven",
            "rows": self.rows,
            "rows_left_out": self.rows_left_out,
            "labels": list(self.labels),
            "pos_label": self.pos_label,
            "positives": sketch.positives,
            "negatives": sketch.negatives,
            "models": models,
        }

    @overload
    def to_markdown(self, path: None = None) -> str: ...
    @overload
    def to_markdown(self, path: str | PathLike[str]) -> None: ...
    def to_markdown(self, path: str | PathLike[str] | None = None) -> str | None:
        """The report as Markdown; see `Evaluation.to_markdown`."""
        from rocksteady.report.bounded import markdown  # noqa: PLC0415

        return written(markdown(self), path)

    @overload
    def to_html(self, path: None = None, *, title: str | None = None) -> str: ...
    @overload
    def to_html(self, path: str | PathLike[str], *, title: str | None = None) -> None: ...
    def to_html(self, path: str | PathLike[str] | None = None, *, title: str | None = None) -> str | None:
        """The report as one page without scripts: what is exact, what is bounded, and curves within proven bands.

        Parameters
        ----------
        path : path, optional
            The file to write.
        title : str, optional
            What stands above the page.
        """
        from rocksteady.report.bounded import page  # noqa: PLC0415

        return written(page(self, title=title), path)

    def _plus(self, other: BoundedEvaluation) -> BoundedEvaluation:
        if set(self.models) != set(other.models) or self._asked != other._asked:
            raise InputError("cannot add: the models or their thresholds differ; expected the same of both")
        return BoundedEvaluation(
            {name: model.sketch + other.models[name].sketch for name, model in self.models.items()},
            self._asked,
            labels=self._labels,
            rows_left_out=self.rows_left_out + other.rows_left_out,
        )

    def to_bytes(self) -> bytes:
        """The evaluation in a versioned, little-endian format. Any machine reads it back bit for bit.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 1, 1], [0.2, 0.9, 0.4], bounded=True)
        >>> rs.results.BoundedEvaluation.from_bytes(ev.to_bytes()) == ev
        True
        """
        said = {
            "labels": None if self._labels is None else list(self._labels),
            "models": list(self.models),
            "rows_left_out": self.rows_left_out,
            "thresholds": self._asked,
        }
        text = json.dumps(said, sort_keys=True, separators=(",", ":"), default=_plain)
        return joined(_HEAD, [text.encode(), *(model.sketch.to_bytes() for model in self.models.values())])

    @classmethod
    def from_bytes(cls, data: bytes) -> BoundedEvaluation:
        """Read the evaluation that `to_bytes` wrote.

        Raises
        ------
        rocksteady.InputError
            For any other bytes.
        """
        try:
            found = _read(data_of(data))
        except (RocksteadyError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise InputError(f"not the bytes of a BoundedEvaluation: {error}", argument="data") from None
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundedEvaluation):
            return NotImplemented
        return (self.models, self._labels, self.rows_left_out) == (other.models, other._labels, other.rows_left_out)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        models = ", ".join(map(one_line, self.models))
        left_out = f" ({self.rows_left_out} left out)" if self.rows_left_out else ""
        positive = f"positive class {one_line(self.pos_label)}"
        return f"<rocksteady.results.BoundedEvaluation of {models}: {self.rows} rows{left_out}, {positive}>"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415

        return f"<p>{html.escape(repr(self))}</p>{self.summary()._repr_html_()}"


def _plain(label: Any) -> Any:
    """A label of numpy as a Python value."""
    return label.item()


def _read(data: bytes) -> BoundedEvaluation:
    said, *sketches = blocks_of(_HEAD, data)
    given = json.loads(said)
    labels = given["labels"]
    evaluation = BoundedEvaluation(
        dict(zip(given["models"], map(ScoreSketch.from_bytes, sketches), strict=True)),
        given["thresholds"],
        labels=None if labels is None else (labels[0], labels[1]),
        rows_left_out=given["rows_left_out"],
    )
    if evaluation.to_bytes() != data:
        raise ValueError("they are written otherwise")
    return evaluation


def known(found: Bounds) -> str:
    """How well an index is known, in words."""
    if found.why is not None:
        return found.why
    if found.value is not None:
        return "exactly"
    return "within proven bounds, if defined" if found.may_be_undefined else "within proven bounds"


def _default(sketch: ScoreSketch) -> float:
    """The threshold of a model that is given none."""
    return OF_OTHERS if sketch.bounds("brier").why is not None and sketch.rows else OF_PROBABILITIES

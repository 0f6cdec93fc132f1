"""Read the options: the files' dialect, the models and their columns, the classes of `--proba`, and the costs."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

from rocksteady.base.arguments import amount_of_bytes
from rocksteady.base.named_columns import ONE
from rocksteady.cli.files import Columns
from rocksteady.cli.sources import SEPARATORS, Dialect, RefusedError
from rocksteady.errors import InputError
from rocksteady.models.columns import PROBA, ModelColumns
from rocksteady.scores.score_sketch import CELLS

if TYPE_CHECKING:
    from rocksteady.base.arguments import WeightKind
    from rocksteady.cli.sources import Format
    from rocksteady.registry.selection import Names

#: The default confidence level.
LEVEL: Final = 0.95

_OUTCOMES = ("tp", "fp", "fn", "tn")
_NO_SEPARATORS = ('"', "\n", "\r")


@dataclass(frozen=True)
class Options:
    """The options that say what to count.

    Attributes
    ----------
    models
        The names of the columns of each model, in the order of the output.
    columns
        The columns to read.
    classes
        From `--proba`: a mapping from each class, as typed, to its column.
    pos_label
        The positive class, as typed.
    threshold
        Scores from here on predict the positive class; None if the option is not given.
    costs
        From `--cost`: a mapping from outcomes to costs, or to the name of a column with an amount for each row.
    min_rows
        Groups with fewer rows are hidden.
    labels
        From `--labels`: the classes in their order, as typed.
    weight_kind
        What weights mean.
    prevalence
        From `--prevalence`: the share of the positive class, or a mapping from each class, as typed, to its share.
    memory, directory
        From `--memory`: bytes that scores may take; the rest is in a temporary file, in this directory.
    cells, edges
        Of sketches: the most cells, and thresholds at which the counts are exact.
    """

    models: ModelColumns
    columns: Columns
    classes: dict[str, str]
    pos_label: str | None
    threshold: float | None
    costs: dict[str, float | str] | None
    min_rows: int = 0
    memory: int | None = None
    directory: str | None = None
    labels: tuple[str, ...] = ()
    weight_kind: WeightKind = "counts"
    prevalence: float | dict[str, float] | None = None
    missing_labels: str | None = None
    cells: int = CELLS
    edges: Sequence[float] = ()

    @property
    def has_row_costs(self) -> bool:
        """Whether costs differ by row."""
        return bool(self.columns.amounts)

    @property
    def fixed_costs(self) -> dict[str, float] | None:
        """The costs, if they are the same for all rows."""
        return (
            None if self.costs is None or self.has_row_costs else {key: float(cost) for key, cost in self.costs.items()}
        )

    @property
    def is_design(self) -> bool:
        """Whether rows are in clusters or strata, which only intervals need."""
        return bool(self.columns.cluster or self.columns.strata)


def options(
    *,
    label: str | Sequence[str],
    scores: Sequence[str],
    preds: Sequence[str],
    proba: str | None,
    weight: str | None,
    pos_label: str | None,
    threshold: float | None,
    cost: str | None,
    by: Sequence[str] = (),
    min_rows: int | None = None,
    memory: str | None = None,
    temporary: str | None = None,
    labels: str | None = None,
    weight_kind: WeightKind | None = None,
    cluster: str | Sequence[str] | None = None,
    strata: str | Sequence[str] | None = None,
    prevalence: str | None = None,
    missing_labels: str | None = None,
) -> Options:
    """Read the options of `rocksteady score` that say what to count.

    Raises
    ------
    RefusedError
        If options contradict each other or cannot be read.
    """
    if not (scores or preds or proba is not None):
        raise RefusedError("--score, --pred or --proba is missing: there is nothing to compare with --label")
    if scores and proba is not None:
        raise RefusedError(
            "--score is the score of the positive class of two, --proba has one column per class; expected one of them"
        )
    classes = {} if proba is None else _classes(proba)
    if min_rows is not None and not by:
        raise RefusedError("--min-rows hides groups, but --by does not say what the groups are")
    if weight_kind is not None and weight is None:
        raise RefusedError("--weight-kind says what weights mean, but --weight does not say which column has them")
    first, *others = [label] if isinstance(label, str) else label  # a text in reports of earlier releases
    models = ModelColumns.of_headings(scores, list(classes.values()), preds)
    if others:
        each = (_of_labels(given, len(label), option) for given, option in ((scores, "--score"), (preds, "--pred")))
        models = ModelColumns(of_scores := next(each), {}, of_preds := next(each))
        scores, preds = (list(chain.from_iterable(of.values())) for of in (of_scores, of_preds))
    costs = None if cost is None else _costs(cost)
    columns = Columns(
        first,
        tuple(scores),
        tuple(preds),
        tuple(classes.values()),
        weight,
        tuple(by),
        _several(cluster, "--cluster"),
        _several(strata, "--strata"),
        tuple(others),
        tuple(dict.fromkeys(column for column in (costs or {}).values() if isinstance(column, str))),
    )
    for name in columns.names:
        if columns.names.count(name) > 1:
            raise RefusedError(
                f"column {name!r} is asked for twice; --label, --score, --pred, --proba, --weight, --cost and keys must differ"
            )
    if proba is not None and PROBA in preds and len(preds) > 1:
        raise RefusedError(f"--pred {PROBA} is also the name of the model of --proba; expected another column name")
    if threshold is not None:
        _check_threshold(threshold, models, binary=len(classes) <= 2)
    if pos_label is not None and len(classes) > 2:
        raise RefusedError(f"--pos-label needs two classes; --proba has {len(classes)}")
    if cost is not None and len(classes) > 2:
        raise no_costs(len(classes))
    if temporary is not None and memory is None:
        raise RefusedError("--temporary says where rows beyond --memory go, and --memory is not given")
    order = () if labels is None else _order(labels)
    if len(order) > 2 and (scores or pos_label is not None):
        rest = "a score ranks two" if scores else "--pos-label needs two"
        raise RefusedError(f"--labels has {len(order)} classes, and {rest}")
    return Options(
        models,
        columns,
        classes,
        pos_label,
        threshold,
        costs,
        min_rows or 0,
        None if memory is None else _memory(memory, len(columns.scores) or int(len(classes) == 2)),
        temporary,
        order,
        weight_kind or "counts",
        None if prevalence is None else _prevalence(prevalence),
        missing_labels,
    )


def _several(given: str | Sequence[str] | None, option: str) -> tuple[str, ...]:
    """The columns of keys: one or several; a text or nothing in reports of earlier releases."""
    names = (given,) if isinstance(given, str) else tuple(given or ())
    for name in names:
        if names.count(name) > 1:
            raise RefusedError(f"{option} {name} is given twice; name each of its columns once")
    return names


def check_memory(asked: Options, options: dict[str, object]) -> None:
    """Refuse options that need a table of all scores in memory, where `--memory` is given.

    Parameters
    ----------
    asked
        What to count.
    options
        The other options that need such a table, by name; those that are not given are empty.
    """
    if asked.memory is None:
        return
    needing = {**options, "--by": asked.columns.by, "--cost": asked.costs, "--cluster": asked.columns.cluster}
    needing |= {"--strata": asked.columns.strata, "--weight-kind sampling": asked.weight_kind == "sampling"}
    refuse(needing, "needs all scores in memory; leave out --memory, or give a sample of the rows")


def check_missing_labels(asked: Options) -> None:
    """Refuse options beside `--missing-labels` that need the label of each row."""
    if asked.missing_labels is None:
        return
    columns = asked.columns
    others: dict[str, object] = {"--pred": columns.preds, "--proba": asked.classes, "--weight": columns.weight}
    others |= {"--by": columns.by, "a second --label": columns.more_labels, "--prevalence": asked.prevalence}
    others |= {"--cluster": columns.cluster, "--strata": columns.strata, "--memory": asked.memory}
    refuse(others, "does not go with --missing-labels, which is for scores of two classes, without weights and groups")


def check_prevalence(asked: Options, options: dict[str, object]) -> None:
    """Refuse options that `--prevalence` cannot be used with: it gives each row a weight by its class.

    Parameters
    ----------
    asked
        What to count.
    options
        Other such options by name; those that are not given are empty.
    """
    if asked.prevalence is None:
        return
    columns = asked.columns
    others = {"--weight": columns.weight, "--cluster": columns.cluster, "--strata": columns.strata, "--by": columns.by}
    more = {"--memory": asked.memory, "--proba of more than two classes": len(asked.classes) > 2}
    labels = {"more than one --label": columns.more_labels, "--cost of a column": columns.amounts}
    refuse(
        {**options, **others, **more, **labels},
        "cannot be used with --prevalence, which weighs the rows by their class",
    )


def refuse(options: Mapping[str, object], why: str) -> None:
    """Refuse options that are given, by their names."""
    for name, given in options.items():
        if given:
            raise RefusedError(f"{name} {why}")


def _memory(text: str, rankings: int) -> int:
    """The memory for each column of scores, in bytes."""
    if rankings == 0:
        raise RefusedError(
            "--memory limits scores of two classes, and there are none; expected --score, or --proba of two classes"
        )
    try:
        return amount_of_bytes(int(text) if text.isdigit() else text, "--memory") // rankings
    except InputError as error:
        raise RefusedError(str(error)) from None


def dialect(
    format_: Format | None,
    separator: str | None,
    *,
    no_header: bool,
    nan_policy: str | None,
    decimal: str | None = None,
    missing_labels: str | None = None,
) -> Dialect:
    """Read the options that say how to read the files.

    Raises
    ------
    RefusedError
        If the separator is none.
    """
    if separator is not None:
        found = (SEPARATORS | {"\\t": "\t"}).get(separator.lower(), separator)
        if (
            len(found.encode(errors="replace")) != 1
            or found in _NO_SEPARATORS
            or not (found == "\t" or found.isprintable())
        ):
            raise RefusedError(f"--separator is {separator!r}; expected one ASCII character that is no quote, or tab")
        separator = found
    return Dialect(
        format_,
        separator,
        header=not no_header,
        omit=nan_policy == "omit",
        decimal=decimal or ".",
        unlabelled=missing_labels is not None,
    )


def names(text: str | None) -> Names | list[str]:
    """Read `--names`: all, summary, or names of indices with commas between them."""
    if text is None:
        return "summary"
    if text in ("all", "summary"):
        return cast("Names", text)
    return [item.strip() for item in _items(text, "--names", "all, summary or names of indices, such as roc_auc,f1")]


def level(given: float | None, *, wanted: bool) -> float | None:
    """Read `--level`: None where there are no intervals."""
    if given is None:
        return LEVEL if wanted else None
    if not 0 < given < 1:
        raise RefusedError(f"--level is {given:g}; expected a number between 0 and 1, such as 0.95")
    return given


def no_costs(classes: int) -> RefusedError:
    """The refusal of `--cost` with more than two classes."""
    return RefusedError(
        f"--cost needs two classes; there are {classes}; for more, use rocksteady.evaluate(costs=) with a matrix: one "
        "row per actual and one column per predicted class"
    )


def _check_threshold(threshold: float, models: ModelColumns, *, binary: bool) -> None:
    if math.isnan(threshold):
        raise RefusedError("--threshold is nan; expected a number")
    if set(models.names) <= set(models.predicted):
        raise RefusedError("--threshold makes classes out of scores, but --pred already names the classes; drop one")
    if not binary:
        raise RefusedError(
            "--threshold is for two classes; with more, the most probable class of --proba is predicted; drop it"
        )


def _of_labels(texts: Sequence[str], labels: int, option: str) -> dict[str, list[str]]:
    """The columns of each model of several labels: one column after the other of a single model, or ``new=a,b`` of each."""
    expected = "one for each --label, in their order; of several models MODEL=COLUMN,COLUMN,..."
    found = {ONE: list(texts)} if texts else {}
    if any("," in text for text in texts):
        parts = [text.partition("=") for text in texts]
        named = [(name, columns) if equals else (ONE, name) for name, equals, columns in parts]
        found = {name: _items(columns, option, expected) for name, columns in named}
        if len(found) < len(texts):
            raise RefusedError(f"{option} has several models of one name; expected MODEL=COLUMN,COLUMN,... for each")
    for columns in found.values():
        if len(columns) != labels:
            raise RefusedError(f"{option} has {len(columns)} columns for {labels} labels; expected {expected}")
    return found


def _classes(text: str) -> dict[str, str]:
    """The column of each class, from ``a,b,c`` or ``cat=a,dog=b,eel=c``."""
    columns: dict[str, str] = {}
    for item in _items(text, "--proba", "COLUMN or CLASS=COLUMN"):
        name, equals, column = item.partition("=")
        if equals and not (name and column):
            raise RefusedError(f"--proba has {item!r}; expected COLUMN or CLASS=COLUMN")
        if name in columns:
            raise RefusedError(f"--proba names {name!r} twice; expected one column for each class")
        columns[name] = column if equals else name
    if len(columns) < 2:
        raise RefusedError(
            f"--proba is {text!r}, one column; expected one for each class, such as a,b,c or cat=a,dog=b"
        )
    return columns


def _order(text: str) -> tuple[str, ...]:
    """The classes of ``low,medium,high``."""
    labels = _items(text, "--labels", "the classes in their order, such as low,medium,high")
    for label in labels:
        if labels.count(label) > 1:
            raise RefusedError(f"--labels names {label!r} twice; expected each class once")
    if len(labels) < 2:
        raise RefusedError(f"--labels is {text!r}, one class; expected all in their order, such as low,medium,high")
    return tuple(labels)


def _costs(text: str) -> dict[str, float | str]:
    """The cost of each outcome, or the column of its amounts, from ``fp=1,fn=amount``."""
    costs: dict[str, float | str] = {}
    for item in _items(text, "--cost", "OUTCOME=COST, such as fp=1,fn=10"):
        outcome, equals, amount = (part.strip() for part in item.partition("="))
        if not equals or outcome not in _OUTCOMES:
            raise RefusedError(f"--cost has {item!r}; expected fp, fn, tp or tn and its cost, such as fp=1,fn=10")
        if outcome in costs:
            raise RefusedError(f"--cost names {outcome} twice; expected each outcome once")
        try:
            costs[outcome] = float(amount)
        except ValueError:
            costs[outcome] = amount
        if amount == "" or (costs[outcome] != amount and not math.isfinite(float(costs[outcome]))):
            raise RefusedError(f"--cost has {item!r}; expected a finite number for {outcome}, or the name of a column")
    return costs


def _prevalence(text: str) -> float | dict[str, float]:
    """The share of the positive class, or of each, from ``0.01`` or ``cat=0.7,dog=0.3``."""
    expected = "the share of the positive class, such as 0.01, or the share of each class, such as cat=0.7,dog=0.3"
    found: dict[str, float] = {}
    for item in _items(text, "--prevalence", expected):
        name, _, share = item.rpartition("=")
        try:
            found[name] = float(share)
        except ValueError:
            raise RefusedError(f"--prevalence is {text!r}; expected {expected}") from None
    if "" in found and len(found) > 1:
        raise RefusedError(f"--prevalence is {text!r}; expected {expected}")
    return found.get("", found)


def _items(text: str, option: str, expected: str) -> list[str]:
    """Split text at commas. As in a CSV file, an item with a comma stands in double quotes."""
    try:
        lines = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        raise RefusedError(f"{option} is {text!r}; expected one line, its quotes closed") from None
    items = [item for line in lines for item in line]
    if not items or not all(items):
        raise RefusedError(f"{option} is {text!r}, with nothing between its commas; expected {expected}")
    return items

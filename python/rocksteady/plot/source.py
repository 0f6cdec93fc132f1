"""What lines are drawn of: the score tables of models or of classes, read from whatever a display was given."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from rocksteady._arguments import labels_of, string, wrong_type, wrong_value
from rocksteady._evaluate import by_name, ranked
from rocksteady.charts.palette import Style, style
from rocksteady.confusion import ConfusionMatrix
from rocksteady.score import ScoreTable
from rocksteady.score_tables import ScoreTables

Tables = ScoreTable | ScoreTables | Mapping[str, ScoreTable] | Mapping[str, ScoreTables]

_MACRO = Style("#222222", "#eeeeee", (), "")
_MICRO = Style("#222222", "#eeeeee", (1, 1), "")

# Where the colours begin again they have other dashes, as in print without colour these alone tell lines apart.
_MORE_DASHES = ((4, 4), (8, 2, 1, 2, 1, 2), (1, 3), (14, 2), (4, 1, 4, 5), (2, 1, 2, 4))


class Source(NamedTuple):
    """What one line is of.

    Attributes
    ----------
    name : str or None
        What the legend calls it.
    statistic : ScoreTable or ScoreTables
        Of several classes: the mean of their curves.
    style : rocksteady.charts.palette.Style
    """

    name: str | None
    statistic: ScoreTable | ScoreTables
    style: Style

    def value(self, index: str, **parameters: object) -> float:
        """An index of the ranking, or its mean over the classes that have it."""
        if isinstance(self.statistic, ScoreTables):
            return self.statistic.average(index, "macro", absent="skip", **parameters)
        return self.statistic.value(index, **parameters)

    def why(self, index: str, **parameters: object) -> str | None:
        """Why the index has no value."""
        reason = self.statistic.why(index, **parameters)
        if isinstance(self.statistic, ScoreTables):
            value = self.value(index, **parameters)
            return reason if value != value else None  # a class without it is left out
        return reason

    @property
    def table(self) -> ScoreTable:
        """The score table of one model, or of one class against the rest."""
        assert isinstance(self.statistic, ScoreTable)  # noqa: S101 (a display of no mean has no other source)
        return self.statistic


class Sources(NamedTuple):
    """All that is drawn on one pair of axes.

    Attributes
    ----------
    lines : list of Source
    note : str or None
        What a reader must know of all of them.
    of_classes : bool
        Whether they are classes against the rest, or means of such.
    """

    lines: list[Source]
    note: str | None
    of_classes: bool


def style_of(place: int) -> Style:
    """The style of a model or class; twelve differ.

    >>> style_of(0).light == style_of(6).light, style_of(0).dashes == style_of(6).dashes, style_of(0) == style_of(12)
    (True, False, True)
    """
    place %= 12
    return style(place) if place < 6 else style(place)._replace(dashes=_MORE_DASHES[place - 6])


def sources_of(tables: Any, classes: Any, has_mean: bool) -> Sources:
    """The lines for score tables: of one model or of several, of two classes or of more.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, or mapping from names to either
    classes : int or list of labels
        Which classes, or how many of the largest, have a line.
    has_mean : bool
        Whether the curves of several classes have a mean that can be drawn.
    """
    expected = "a ScoreTable, a ScoreTables, or a mapping from names to either"
    models: dict[Any, Any] = dict(tables) if isinstance(tables, Mapping) else {None: tables}
    if not models:
        raise wrong_value(tables, "tables", expected)
    kinds = {type(table) for table in models.values()}
    if len(kinds) > 1 or not kinds <= {ScoreTable, ScoreTables}:
        raise wrong_type(tables, "tables", expected)
    names = [None if name is None else str(name) for name in models]
    if kinds == {ScoreTable}:
        lines = [
            Source(name, table, style_of(place))
            for place, (name, table) in enumerate(zip(names, models.values(), strict=True))
        ]
        return Sources(lines, None, False)
    if len(models) > 1:
        lines = [
            Source(name, table if has_mean else table.pooled(), style_of(place))
            for place, (name, table) in enumerate(zip(names, models.values(), strict=True))
        ]
        kind = "macro" if has_mean else "micro"
        return Sources(lines, f"{kind} averages over the classes", True)
    return _of_classes(names[0], next(iter(models.values())), classes, has_mean)


def _of_classes(name: str | None, tables: ScoreTables, classes: Any, has_mean: bool) -> Sources:
    labels = tables.labels.tolist()
    chosen, note = _chosen(tables, labels, classes)
    lines = [Source(str(label), tables.one_vs_rest(label), style_of(place)) for place, label in enumerate(chosen)]
    if has_mean:
        lines.append(Source("macro average", tables, _MACRO))
    lines.append(Source("micro average", tables.pooled(), _MICRO))
    return Sources(lines, ": ".join(part for part in (name, note) if part) or None, True)


def _chosen(tables: ScoreTables, labels: list[Any], classes: Any) -> tuple[list[Any], str | None]:
    """The classes that have a line, in their order, and what is to be said if others have none."""
    expected = "how many classes to draw, 0 or more, or a list of their labels"
    if isinstance(classes, (int, np.integer)) and not isinstance(classes, bool):
        if classes < 0:
            raise wrong_value(classes, "classes", expected)
        largest = np.argsort(-tables.class_weights(), kind="stable")[: int(classes)]
        chosen = [labels[place] for place in sorted(largest.tolist())]
        which = f"the {len(chosen)} largest of"
    else:
        chosen = labels_of(classes, "classes")
        which = f"{len(chosen)} of"
        for label in chosen:
            if label not in labels:
                raise wrong_value(label, "classes", "labels of the score tables")
    if len(chosen) == len(labels):
        return chosen, None
    if not chosen:
        return chosen, f"of {len(labels)} classes"
    return chosen, f"{which} {len(labels)} classes"


def tables_of(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    names: Any = None,
) -> Any:
    """The score tables of rows: of one column of scores or of several, of two classes or of more.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    y_score : array-like of shape (n,) or (n, m), data frame, or mapping from names to columns
        Of two classes a column is a model. Of K classes K columns are one model, and a mapping has several of them.
    labels : array-like of K labels, optional
        The classes, where not all of them occur.
    names : str or list of str, optional
        The names of the models, unless `y_score` has them.
    """
    count = len(ConfusionMatrix(y_true, y_true).labels) if labels is None else len(labels_of(labels, "labels"))
    if isinstance(y_score, Mapping) and not y_score:
        raise wrong_value(y_score, "y_score", "at least one model")
    if count > 2:
        _no_positive(pos_label, count)
    read: dict[Any, Any] = {}
    for name, scores in _models(y_score, names, dimensions=1 if count <= 2 else 2).items():
        read[name] = ranked(y_true, scores, sample_weight, pos_label, labels, of_classes=count > 2)
    return read.get(None, read)


def _no_positive(pos_label: Any, count: int) -> None:
    if pos_label is not None:
        raise wrong_value(pos_label, "pos_label", f"None, as there are {count} classes")


def _models(y_score: Any, names: Any, dimensions: int) -> dict[Any, Any]:
    """Scores by the name of their model, of which a single one may have none."""
    models = by_name(y_score, "y_score", [names] if isinstance(names, str) else names, each=dimensions)
    named = names is not None or isinstance(y_score, Mapping) or (dimensions == 1 and hasattr(y_score, "columns"))
    return models if named or len(models) > 1 else {None: next(iter(models.values()))}


def tables_of_estimators(
    estimator: Any, X: Any, y: Any, *, sample_weight: Any, pos_label: Any, name: Any, method: Any
) -> Any:
    """The score tables of a fitted classifier, or of a mapping from names to several, on the rows of `X`."""
    models: Mapping[Any, Any]
    if isinstance(estimator, Mapping):
        if not estimator:
            raise wrong_value(estimator, "estimator", "at least one")
        if name is not None:
            raise wrong_value(name, "name", "None, as the estimators have names")
        models = {
            string(each, "estimator", "estimators by names, which are strings"): estimator[each] for each in estimator
        }
    else:
        models = {type(estimator).__name__ if name is None else string(name, "name"): estimator}
    read: dict[str, Any] = {}
    for each, model in models.items():
        scores, classes, positive = _asked(model, X, pos_label, method)
        if len(classes) > 2:
            _no_positive(pos_label, len(classes))
            read[each] = ScoreTables(y, scores, labels=classes, sample_weight=sample_weight)
        else:
            read[each] = ScoreTable(y, scores, pos_label=positive, sample_weight=sample_weight)
    return read


def _asked(estimator: Any, X: Any, pos_label: Any, method: Any) -> tuple[Any, Any, Any]:
    """An estimator's scores, its classes, and which of two is the positive one."""
    scorer = import_module("rocksteady.metrics._scorer")
    if hasattr(estimator, "__sklearn_tags__"):
        import_module("sklearn.utils.validation").check_is_fitted(estimator)  # the estimator is scikit-learn's
    if not scorer._is_classifier(estimator):
        raise wrong_type(estimator, "estimator", "a fitted classifier")
    classes = np.asarray(estimator.classes_)
    if len(classes) == 2 and pos_label is None:
        pos_label = classes.tolist()[-1]
    if len(classes) > 2:
        used = next(
            (name for name in ([method] if isinstance(method, str) else method) if hasattr(estimator, name)), None
        )
        if used == "decision_function" and _decides_on_pairs(estimator):
            raise wrong_type(estimator, "estimator", "one that decides on classes, not on pairs of them ('ovo')")
    return scorer._response(estimator, X, method, pos_label), classes, pos_label


def _decides_on_pairs(estimator: Any) -> bool:
    """Whether there is a decision for each pair of classes: of three classes as many as if there was one for each class."""
    while (inner := getattr(estimator, "best_estimator_", None)) is not None or hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1] if inner is None else inner
    return getattr(estimator, "decision_function_shape", None) == "ovo"

"""What was counted of one or several models: every index by name, and the same as tables, pictures and a page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from rocksteady.base.arguments import (
    flag,
    listed,
    mapping,
    named,
    numbers,
    printable,
    several,
    shown,
    string,
    whole,
    wrong_type,
    wrong_value,
)
from rocksteady.base.files import written
from rocksteady.base.named_columns import matrix_by_class
from rocksteady.base.table import Table, number_of, one_line
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError
from rocksteady.evaluation.paired import SameRows
from rocksteady.evaluation.parts import Parts
from rocksteady.groups.groups import Groups
from rocksteady.groups.shown import least_rows
from rocksteady.groups.shown import shown as shown_groups
from rocksteady.labels.cost import cost_matrix
from rocksteady.models.bounded import BoundedModel
from rocksteady.models.listing import chosen_of
from rocksteady.models.model import Model, ModelEvaluation
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date as calendar_date
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.comparison.comparison import Comparison
    from rocksteady.evaluation.paired import Paired
    from rocksteady.labels.confusion import ConfusionMatrix
    from rocksteady.plot.evaluation import Plots
    from rocksteady.registry.selection import Names
    from rocksteady.scores.thresholds import Side

# What a model without scores leaves to the others.
_OF_SOME = ("curves", "profit")
# What needs two models and their rows.
_OF_PAIRS = ("leaderboard", "disagreement", "cost_regions", "cheaper")
_MODELS = "a list of ModelEvaluation, of MultilabelModel or of BoundedModel"


class Evaluation(WaysOut, SameRows, Parts):
    """One or several models judged on the same rows; made by `evaluate`.

    It holds statistics, never rows, so that it is small beside the data and can be kept. Its models are of two or more
    classes (`ModelEvaluation`), of several labels a row (`MultilabelModel`) or of sketches of scores (`BoundedModel`).
    Of one model each question has the model's answer, of several a dictionary from their names to the answers;
    ``evaluation.models[name]`` answers the same however many there are. What a kind of model lacks is refused with a word
    on what to call instead.

    It adds: ``a + b`` is the evaluation of the rows of both, of the models by their names. Parts need the same
    `threshold`, and `pos_label` or `labels` where a part may have rows of one class, or none. `paired` of a sum has no
    areas, which do not follow from those of parts.

    Parameters
    ----------
    models : sequence of ModelEvaluation, of MultilabelModel or of BoundedModel
        With different names and the same classes or labels.
    costs : mapping or array-like of shape (K, K), optional
        As for `evaluate`.
    notes : sequence of str
        How the columns were read, where that was not as they came.
    rows_left_out : int
        The number of rows with a missing value that were left out.
    paired : Paired, optional
        How the models fall together on the same rows.
    groups : mapping from str to Groups, optional
        The statistics by group of each model, by its name.
    min_rows : int
        Groups with fewer rows are hidden from tables, pictures and the report.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 1, 1, 1]
    >>> ev = rs.evaluate(y_true, {"old": [0.2, 0.6, 0.4, 0.7, 0.9], "new": [0.1, 0.4, 0.6, 0.8, 0.7]}, costs={"fp": 1, "fn": 5})
    >>> ev["roc_auc"]
    {'old': 0.8333333333333334, 'new': 1.0}
    >>> ev["cost"]
    {'old': 6.0, 'new': 0.0}
    >>> ev.summary(["accuracy", "f1", "ks"])
    index          old  new
    accuracy       0.6    1
    f1        0.666667    1
    ks        0.666667    1
    positive class: 1
    """

    __slots__ = ("_groups", "costs", "min_rows", "models", "notes", "paired", "rows_left_out")

    #: The models by name, in the order given.
    models: dict[str, Model]
    #: What each outcome costs, shape (K, K), rows actual, in the order of `labels`; None if that was not said.
    costs: NDArray[np.float64] | None
    #: How the columns were read, where that was not as they came.
    notes: tuple[str, ...]
    #: The number of rows with a missing value that were left out, with ``nan_policy="omit"``.
    rows_left_out: int
    #: How the models fall together on the same rows: the tables of pairs, ``paired.labels``, and the areas under the ROC
    #: curve, ``paired.scores``; None unless `evaluate` was told ``inference=True`` and there are two models.
    paired: Paired | None
    #: Groups with fewer rows are hidden from tables, pictures and the report.
    min_rows: int
    _groups: dict[str, Groups]

    def __init__(
        self,
        models: Sequence[Model],
        *,
        costs: Mapping[str, float] | Mapping[Any, Mapping[Any, float]] | ArrayLike | None = None,
        notes: Sequence[str] = (),
        rows_left_out: int = 0,
        paired: Paired | None = None,
        groups: Mapping[str, Groups] | None = None,
        min_rows: int = 0,
    ) -> None:
        found: dict[str, Model] = {}
        for place, model in enumerate(listed(models, "models", _MODELS)):
            if not isinstance(model, Model) or type(model) is not type(next(iter(found.values()), model)):
                raise wrong_type(model, f"models[{place}]", _MODELS)
            if model.name in found:
                raise wrong_value(model.name, f"models[{place}].name", "another name for each model")
            found[model.name] = model
        if not found:
            raise InputError("models is empty; expected at least one model", argument="models", value="empty")
        _check_same_classes(list(found.values()))
        self.models, self.costs = found, None
        classes = {name: model for name, model in found.items() if isinstance(model, ModelEvaluation)}
        for argument, given in (("costs", costs), ("paired", paired), ("groups", groups)):
            if given is not None and not classes:
                raise wrong_value(given, argument, "None for models that are no ModelEvaluation")
        if classes:
            self.costs = _cost_matrix(costs, self._first.confusion)
            self.models = {name: replace(model, costs=self.costs) for name, model in classes.items()}
        self.notes = tuple(string(note, "notes") for note in listed(notes, "notes", "a list of sentences"))
        self.rows_left_out = whole(rows_left_out, "rows_left_out", "a number of rows", least=0)
        self.paired = paired
        self.min_rows = least_rows(min_rows)
        self._groups = _checked_groups(groups, self.models)

    @property
    def _first(self) -> Model:
        return next(iter(self.models.values()))

    @property
    def _lacks(self) -> dict[str, str]:
        """What is refused: by the evaluation itself, and by a model."""
        found: dict[str, str] = {}
        if not self._groups:
            found |= dict.fromkeys(
                ("groups", "group_summary"),
                "has nothing to show: there are no groups; evaluate(..., by=) takes their keys",
            )
        if self._judged is None:
            needs = (
                "needs the rows of the models; expected an evaluation made with evaluate(..., inference=True), not a sum "
                "or one read from bytes"
            )
            found |= dict.fromkeys(("compared", "influence", *_OF_PAIRS), needs)
            if self.paired is None:
                found["difference"] = needs
        if len(self.models) == 1:
            needs = "needs two models or more; evaluate takes several, as a dictionary from their names"
            found |= dict.fromkeys(("compare", *_OF_PAIRS), needs)
        lacks = [model._lacks for model in self.models.values()]
        for each in reversed(lacks):
            found |= each
        for name in _OF_SOME:
            if not all(name in each for each in lacks):
                found.pop(name, None)
        return found

    def _check(self, what: str) -> None:
        """Refuse what the models lack."""
        if said := self._lacks.get(what):
            raise InputError(f"{what} {said}", argument=what)

    def __dir__(self) -> list[str]:
        lacks = self._lacks
        return [name for name in super().__dir__() if name not in lacks]

    def __setstate__(self, state: Any) -> None:
        self.min_rows, self._groups = 0, {}  # pickles of earlier releases have none
        for name, value in state[1].items():
            setattr(self, name, value)

    @property
    def groups(self) -> Any:
        """The statistics by group: of the only model a `Groups`, of several a dictionary from their names.

        Raises
        ------
        rocksteady.InputError
            Without ``evaluate(..., by=)``.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 1, 1, 1], [0.2, 0.9, 0.4, 0.7], by=["north", "north", "south", "south"])
        >>> ev.groups["recall"].summary()
        group  rows  positives  value
        north     2          1      1
        south     2          2    0.5
        """
        self._check("groups")
        return self._each(self._groups)

    def group_summary(
        self, names: str | Sequence[str] | None = None, *, model: str | None = None, min_rows: int | None = None
    ) -> Table:
        """Some indices of each group of a model, a row for each group; a note says how many groups are hidden.

        Parameters
        ----------
        names : str or sequence of str, optional
            Default: "roc_auc", "recall", "precision" and "accuracy", where the groups have them.
        model : str, optional
            Default: the first.
        min_rows : int, optional
            Groups with fewer rows are hidden. Default: as for `evaluate`.

        Raises
        ------
        rocksteady.InputError
            Without ``evaluate(..., by=)``, and for a name that no model has.
        rocksteady.UnknownIndexError
            For a name that no index has.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 1, 1, 1, 0], [0.2, 0.9, 0.4, 0.7, 0.6], by=["north", "north", "south", "south", "west"])
        >>> ev.group_summary(["recall", "accuracy"], min_rows=2)
        group  rows  positives  recall  accuracy
        north     2          1       1         1
        south     2          2     0.5       0.5
        1 group of fewer than 2 rows, with 1 row in all, is hidden
        """
        self._check("group_summary")
        chosen_model = next(iter(self.models)) if model is None else named(model, "model", self._groups)
        least = self.min_rows if min_rows is None else least_rows(min_rows)
        wanted = [names] if isinstance(names, str) else None if names is None else listed(names, "names", "names")
        return shown_groups(self._groups[chosen_model], wanted, least).summary()

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, in the order of the matrices, or the labels of rows that have several."""
        return self._first.labels

    @property
    def pos_label(self) -> object:
        """The positive class; None with more than two classes, and several labels a row."""
        return self._first.pos_label

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes."""
        return self._first.is_binary

    @property
    def rows(self) -> int:
        """The number of rows; where there are scores, of those whose weight is not 0."""
        return self._first.rows

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        return self._first.total

    def _each(self, found: dict[str, Any]) -> Any:
        """The only answer, or the answers by model."""
        return found if len(found) > 1 else next(iter(found.values()))

    def _of_each(self, what: str, *given: Any, **options: Any) -> Any:
        """What a method of each model answers."""
        return self._each({name: getattr(model, what)(*given, **options) for name, model in self.models.items()})

    @property
    def exact_match(self) -> Any:
        """The share of the rows whose labels are all predicted right, of several labels a row."""
        return self._each({name: model.exact_match for name, model in self.models.items()})

    def value(self, name: str, **parameters: Any) -> Any:
        """One index: of the only model a float, of several a dictionary from their names to floats.

        See `ModelEvaluation.value`, which says what an index of several classes is, and `MultilabelModel`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores or probabilities that were not given.
        rocksteady.InputError
            If only `bounds` of it are known.
        """
        if string(name, "name", "the name of an index") in self.models:
            try:
                index(name)
            except UnknownIndexError:
                raise UnknownIndexError(
                    f"{shown(name)} is a model, not an index; models[{shown(name)}] has its indices", argument="name"
                ) from None
        return self._of_each("value", name, **parameters)

    def __getitem__(self, name: str) -> Any:
        return self.value(name)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return [name for name in names_of() if name in self]

    def why(self, name: str, **parameters: object) -> Any:
        """Why an index is undefined, None if it is not: of the only model, or by name."""
        return self._of_each("why", name, **parameters)

    def bounds(self, name: str, **parameters: Any) -> Any:
        """What is known for certain of one index: of the only model a `Bounds`, of several a dictionary from their names.

        Of models that hold all scores it is the value.

        >>> import rocksteady as rs
        >>> rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bounded=True).bounds("roc_auc").value
        0.75
        """
        return self._of_each("bounds", name, **parameters)

    def every(self, name: str | Sequence[str], **parameters: Any) -> Any:
        """One index of each class against the rest, or of each label: of the only model an array, or by name.

        >>> import rocksteady as rs
        >>> rs.evaluate([0, 1, 2, 2], y_pred=[0, 1, 1, 2]).every("recall")
        array([1. , 1. , 0.5])
        """
        return self._of_each("every", name, **parameters)

    def interval(self, name: str, **options: Any) -> Any:
        """One index with its interval of confidence: of the only model, of several a dictionary from their names.

        Overlapping intervals of two models on the same rows do not tell whether they differ: the models are wrong on
        the same rows, so their difference is better known than each of them.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        **options
            As for `ModelEvaluation.interval`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval, or it needs scores that were not given.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.2, 0.35, 0.8, 0.9])
        >>> recall = ev.interval("recall", level=0.9)
        >>> round(recall.low, 3), round(recall.high, 3)
        (0.254, 0.922)
        """
        return self._of_each("interval", name, **options)

    def every_interval(self, name: str, **options: Any) -> Any:
        """As `every`, with intervals of confidence; the options are those of `interval`."""
        return self._of_each("every_interval", name, **options)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and all(model.has(name) for model in self.models.values())
        except UnknownIndexError:
            return False

    def __iter__(self) -> Iterator[str]:
        """The names of the indices that all models have."""
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> list[str]:
        return [name for name in self._chosen("all") if name in self]

    def _chosen(self, names: Names | Sequence[str] | None) -> list[str]:
        return chosen_of(list(self.models.values()), names)

    def at(self, threshold: ArrayLike, *, side: Side = ">=") -> Any:
        """The four counts at a threshold: of the only model, of several a dictionary from their names.

        Of several labels a row they are a dictionary from the labels; of a sketch they are a `CountsBounds`.

        ``.matrix()`` makes a confusion matrix of them, and ``["f1"]`` reads any index of counts.

        Parameters
        ----------
        threshold, side
            As for `ScoreTable.at`.

        Raises
        ------
        rocksteady.InputError
            If a model has no scores of two classes.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate(["no", "no", "yes", "yes"], [0.1, 0.6, 0.35, 0.8])
        >>> ev.at(0.3)
        Counts(tp=2, fp=1, fn=0, tn=1)
        >>> ev.at(0.3).matrix()
        ConfusionMatrix of 2 classes, 4 rows, positive class 'yes' (rows true, columns predicted)
             no  yes
        no    1    1
        yes   0    2
        """
        return self._of_each("at", threshold, side=side)

    def best(self, name: str, **options: Any) -> Any:
        """The threshold at which an index is best: of the only model, of several a dictionary from their names.

        Parameters
        ----------
        name : str
            An index of the four counts, or an expression such as ``"2*tp - fp"``.
        **options
            As for `ScoreTable.best`: `subject_to`, `maximize`, `minimize`, `all`, and the index's own parameters. The
            costs are those of the evaluation, unless others are given.

        Raises
        ------
        rocksteady.InputError
            If a model has no scores of two classes, and as for `ScoreTable.best`.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], costs={"fp": 1, "fn": 5})
        >>> ev.best("cost").threshold, ev.best("f1").threshold, ev.best("2*tp - fp", maximize=True).threshold
        (0.4, 0.4, 0.4)
        >>> ev.best("recall", subject_to="precision >= 0.9")
        Best(threshold=0.8, value=0.5, tp=1.0, fp=0.0, fn=1.0, tn=2.0)
        """
        return self._of_each("best", name, **options)

    def why_no_best(self, name: str, **options: Any) -> Any:
        """Why `best` finds no threshold, None if it finds one: of the only model, or by name."""
        return self._of_each("why_no_best", name, **options)

    def curves(self, curve: str, **options: object) -> dict[str, Any]:
        """A curve of each model: ``evaluation.curves("roc_curve", max_points=200)``.

        Parameters
        ----------
        curve : str
            The name of a method of `ScoreTable` that gives one, such as "roc_curve", "precision_recall_curve" or
            "ks_curve".
        **options
            Its own.

        Returns
        -------
        dict
            From names to curves, of the models that have scores; with more than two classes, and several labels a row,
            from names to dictionaries from labels to the curves of each class against the rest.

        Raises
        ------
        rocksteady.InputError
            For a curve that there is not.
        """
        self._check("curves")
        return {
            name: model.curves(curve, **options) for name, model in self.models.items() if "curves" not in model._lacks
        }

    def at_prevalence(self, prevalence: float | ArrayLike | Mapping[Any, float]) -> Evaluation:
        """The evaluation as if the true classes had other shares of the rows: every index, chart and table of it.

        Parameters
        ----------
        prevalence : float, array-like of shape (K,) or mapping
            Of two classes the share of the positive one: above 0 and below 1. Of more, where only classes were predicted,
            the share of each class.

        Returns
        -------
        Evaluation
            Of weighted rows, ``weight_kind="sampling"``, without groups and tests of paired rows. Thresholds and scores stay
            as they are.

        Raises
        ------
        rocksteady.InputError
            As `ConfusionMatrix.at_prevalence`; of several labels, and of several classes with scores.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 0, 1, 1, 1], [0.2, 0.6, 0.4, 0.7, 0.9])
        >>> rare = ev.at_prevalence(0.02)
        >>> round(ev["precision"], 6), round(rare["precision"], 6), ev["roc_auc"] == rare["roc_auc"]
        (0.666667, 0.02649, True)
        """
        self._check("at_prevalence")
        models = [
            model.at_prevalence(prevalence) for model in self.models.values() if isinstance(model, ModelEvaluation)
        ]
        note = f"The rows are weighed to a prevalence of {shown(prevalence)}."
        return Evaluation(models, costs=self.costs, notes=(*self.notes, note), rows_left_out=self.rows_left_out)

    def profit(self, bands: int = 10, **options: Any) -> Table:
        """The profit of addressing one band of rows after the other, all models side by side.

        Parameters
        ----------
        bands : int
            How many bands of equal weight, from the highest scores down.
        **options
            As for `ScoreTable.profit`: `benefit`, `cost` and `fixed_cost`.

        Returns
        -------
        Table
            One row for each band: "band", from 1; "rows", the rows in it and all before it; and the cumulative profit
            of each model that has scores, under its name.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As `ScoreTable.profit`, for `edges`, which cut each model's scores elsewhere, and for more than two classes.

        Examples
        --------
        >>> import rocksteady as rs
        >>> models = {"first": [0.9, 0.2, 0.7, 0.4], "second": [0.1, 0.3, 0.8, 0.9]}
        >>> rs.evaluate([1, 0, 1, 0], models).profit(2, benefit=10, cost=4)
        band  rows  first  second
           1     2     12       2
           2     4      4       4
        """
        if "edges" in options:
            raise wrong_value(options["edges"], "edges", "bands, as each model has scores of its own")
        self._check("profit")
        ranked = {name: model.scores for name, model in self.models.items() if model.scores is not None}
        tables = {name: scores.profit(bands, **options) for name, scores in ranked.items()}
        of_rows = next(iter(tables.values())).cumulative_rows.tolist()
        columns = [table.cumulative_profit.tolist() for table in tables.values()]
        rows = [[band, *cells] for band, cells in enumerate(zip(of_rows, *columns, strict=True), 1)]
        return Table(["band", "rows", *tables], rows)

    def compare(self, indices: Sequence[str] | None = None, **options: Any) -> Comparison:
        """Compare the models by their matrices and scores: ranks, the best model and why; see `rocksteady.compare`.

        Ranks do not show whether chance explains a difference; `difference` does.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 0, 1, 1, 1], {"old": [0.2, 0.6, 0.4, 0.7, 0.9], "new": [0.1, 0.4, 0.6, 0.8, 0.7]})
        >>> ev.compare(["roc_auc", "f1"]).best_name
        'new'
        """
        from rocksteady.comparison.comparison import compare  # noqa: PLC0415

        self._check("compare")
        return compare(self.models, indices, **options)

    def summary(
        self, names: Names | Sequence[str] | None = None, *, interval: bool = False, level: float = 0.95
    ) -> Table:
        """Indices in rows, models in columns; where one is undefined, a last column says why.

        The cell of a model that has no such index, as it has no scores, is empty. A note names the positive class, and
        the groups if there are any. Of one model of several labels a row the columns are its macro, micro and weighted
        mean; of sketches there is a row for each model and index, with its bounds.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: "summary", about twelve that suit two classes, rare positives (below 5 % of the
            rows) or several classes.
        interval : bool
            Whether each model has two columns more, the bounds of the index's interval of confidence, see `interval`;
            they are empty where there is none.
        level : float
            Of the intervals.

        Raises
        ------
        rocksteady.UnknownIndexError
            For a name that no index has, or of an index that no model has.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.2, 0.35, 0.8, 0.9])
        >>> print(ev.summary(["recall", "f1"], interval=True))
        index      value       low      high
        recall  0.666667   0.20766  0.938508
        f1      0.666667  0.219803  0.934202
        positive class: 1
        """
        notes = [f"{self._groups_named()}: see group_summary()"] if self._groups else []
        models, wanted = list(self.models.values()), self._chosen(names)
        return self._first._table(models, wanted, notes, level if flag(interval, "interval") else None)

    def label_summary(self, names: Names | Sequence[str] | None = None, *, model: str | None = None) -> Table:
        """Indices of each label of rows that have several: labels in rows, indices in columns.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: "summary".
        model : str, optional
            Default: the first.

        >>> import rocksteady as rs
        >>> y_true, y_score = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.4], [0.6, 0.3], [0.2, 0.8], [0.3, 0.1]]
        >>> rs.evaluate(y_true, y_score, labels=["red", "round"]).label_summary(["roc_auc", "f1"])
        label  roc_auc        f1
        red          1         1
        round     0.75  0.666667
        """
        self._check("label_summary")
        each = self._first if model is None else self.models[named(model, "model", self.models)]
        had = [name for name in self._chosen(names) if each.has(name)]
        columns = [each.every(name).tolist() for name in had]
        return Table(["label", *had], list(map(list, zip(map(one_line, each.labels), *columns, strict=True))))

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """Classes, rows, costs, and each model's threshold, matrix and indices, as plain Python values.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices, as for `summary`; a model has those that its columns give.
        """
        wanted = self._chosen(names)
        return {
            "rows": self.rows,
            "rows_left_out": self.rows_left_out,
            "total": self.total,
            "notes": list(self.notes),
            "labels": self.labels,
            "pos_label": self.pos_label,
            "costs": None if self.costs is None else self.costs.tolist(),
            **({} if self._first.row_costs is None else {"row_costs": self._first.row_costs._given}),
            **self._first._told(),
            "models": {name: model._dict(wanted) for name, model in self.models.items()},
            **({"groups": self._groups_as_dict(names)} if self._groups else {}),
        }

    def _groups_as_dict(self, names: Names | Sequence[str] | None) -> dict[str, Any]:
        """What is shown of the groups of each model: the indices named, or a few."""
        wanted = None if names is None or isinstance(names, str) else list(names)
        return {name: shown_groups(groups, wanted, self.min_rows).to_dict() for name, groups in self._groups.items()}

    @overload
    def to_markdown(self, path: None = None) -> str: ...
    @overload
    def to_markdown(self, path: str | PathLike[str]) -> None: ...
    def to_markdown(self, path: str | PathLike[str] | None = None) -> str | None:
        """The whole evaluation as Markdown; with a path it is written there instead."""
        from rocksteady.report import bounded, markdown  # noqa: PLC0415

        report = bounded if isinstance(self._first, BoundedModel) else markdown
        return written(report.markdown(self), path)

    @overload
    def to_html(
        self, path: None = None, *, title: str | None = None, date: str | calendar_date | None = None
    ) -> str: ...
    @overload
    def to_html(
        self, path: str | PathLike[str], *, title: str | None = None, date: str | calendar_date | None = None
    ) -> None: ...
    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        *,
        title: str | None = None,
        date: str | calendar_date | None = None,
    ) -> str | None:
        """The report: one page that stands by itself, with charts to explore; with a path it is written there.

        Parameters
        ----------
        path : path, optional
            The file to write.
        title : str, optional
            What stands above the page.
        date : str or datetime.date, optional
            When it was made, for the head of the page. Default: nothing, so that the page is reproducible.

        Returns
        -------
        str or None
            The page, unless it is written to a file. It has at most 2 MB, whatever the number of rows, and asks nothing
            of any network.
        """
        from rocksteady.report import bounded, page  # noqa: PLC0415

        report = bounded if isinstance(self._first, BoundedModel) else page
        return written(report.page(self, title=title, date=date), path)

    @property
    def plot(self) -> Plots:
        """The pictures: ``evaluation.plot.roc()``, ``.ks()``, ``.confusion_matrix()``, … Needs matplotlib."""
        from rocksteady.plot.evaluation import Plots  # noqa: PLC0415

        self._check("plot")
        return Plots(self)

    def _groups_named(self) -> str:
        """How many groups there are, and by which keys."""
        groups = next(iter(self._groups.values()))
        return (
            f"{len(groups):,} {'group' if len(groups) == 1 else 'groups'} by {' × '.join(map(one_line, groups.names))}"
        )

    def __repr__(self) -> str:
        models = ", ".join(map(one_line, self.models))
        left_out = f" ({self.rows_left_out} left out)" if self.rows_left_out else ""
        notes = "".join(f"; {printable(note, 400)}" for note in self.notes)
        if self._groups:
            notes = f", {self._groups_named()}{notes}"
        return f"<rocksteady.Evaluation of {models}: {number_of(self.rows, 'row')}{left_out}, {self._first._title()}{notes}>"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415

        shown = [f"<p>{html.escape(repr(self))}</p>", self.summary()._repr_html_()]
        for name, model in self.models.items() if "confusion" not in self._lacks else ():
            named = f"<p>{html.escape(one_line(name))}</p>" if len(self.models) > 1 else ""
            shown.append(named + model.confusion._repr_html_())
        return "".join(shown)


def _checked_groups(given: Mapping[str, Groups] | None, models: dict[str, Model]) -> dict[str, Groups]:
    if given is None:
        return {}
    found = mapping(given, "groups", "a mapping from names of models to Groups")
    if set(found) != set(models) or not all(isinstance(groups, Groups) for groups in found.values()):
        raise wrong_value(given, "groups", f"Groups of each of the models {several(models)}")
    return {name: found[name] for name in models}


def _check_same_classes(models: list[Model]) -> None:
    first = models[0]
    for model in models[1:]:
        same = first.labels == model.labels and first.pos_label == model.pos_label
        # Not the rows: those of weight 0 are left out of rankings. Sums of weights may differ in their last bits.
        if not (same and math.isclose(first.total, model.total, rel_tol=1e-9)):
            raise InputError(
                f"models are of different rows: {shown(first.name)} of {first.rows} with the labels "
                f"{shown(list(first.labels))}, {shown(model.name)} of {model.rows} with {shown(list(model.labels))}",
                argument="models",
            )


def _cost_matrix(costs: Any, confusion: ConfusionMatrix) -> NDArray[np.float64] | None:
    """Costs as a matrix in the order of the labels."""
    if costs is None:
        return None
    labels = list(confusion.labels)
    costs = matrix_by_class(costs, labels, "costs")
    if not isinstance(costs, Mapping):
        matrix = numbers(costs, "costs").astype(np.float64)
        if matrix.shape != (len(labels), len(labels)):
            raise InputError(
                f"costs has shape {matrix.shape}; expected {(len(labels), len(labels))}, a row and a column for each "
                "label",
                argument="costs",
            )
        if not np.isfinite(matrix).all():
            wrong = matrix[~np.isfinite(matrix)][0]
            raise InputError(f"costs has {wrong}; expected finite numbers", argument="costs")
        return matrix
    if confusion.pos_label is None:
        raise InputTypeError(
            f"costs is {shown(costs)}; expected {len(labels)} rows of {len(labels)} costs, as there are that many "
            "classes",
            argument="costs",
        )
    matrix = cost_matrix(costs)
    return matrix if labels.index(confusion.pos_label) else matrix[::-1, ::-1].copy()

"""What an evaluation keeps of its models on the same rows, so that differences have intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, named, shown, wrong_value
from rocksteady.errors import InputError
from rocksteady.inference.covariance import Compared
from rocksteady.inference.paired_labels import ComparedLabels, codes_of, tables_of
from rocksteady.models.judged_rows import JudgedRows
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocksteady.comparison.cost_regions import CostDecision, CostRegions, CostRows
    from rocksteady.comparison.leaderboard import Leaderboard
    from rocksteady.inference.difference import Difference
    from rocksteady.models.counting import Counting
    from rocksteady.models.model import Model, ModelEvaluation


@dataclass(frozen=True, slots=True)
class Paired:
    """How several models fall together on the same rows.

    Attributes
    ----------
    labels : ComparedLabels
        The tables of pairs of the predicted classes; those of scores are at the thresholds of the models.
    scores : Compared or None
        The areas under the ROC curve of the models with scores of two classes, and how they vary together.
    """

    labels: ComparedLabels
    scores: Compared | None = None

    @classmethod
    def of_rows(cls, judged: JudgedRows, models: Sequence[ModelEvaluation]) -> Paired | None:
        """What was counted, of two models or more; None of one."""
        if len(models) < 2:
            return None
        positive = models[0].confusion.pos_label
        tables = tables_of(
            judged.truth, judged.predicted, judged.classes, positive, judged.sample_weight, judged.weight_kind
        )
        scored = list(judged.scores)
        areas = judged.compared("roc_auc", scored) if scored and judged.strata is None else None
        return cls(ComparedLabels(tables), areas)


def judged_of(
    counting: Counting,
    models: Sequence[ModelEvaluation],
    cluster: Any,
    strata: Any,
    costs: dict[str, Any] | None = None,
) -> JudgedRows:
    """The rows of the models, which are not copied."""
    confusion = models[0].confusion
    classes, positive = sorted(confusion.labels), confusion.pos_label
    columns = {}
    for name, matrix in counting.class_columns.items():
        ranked = list(counting.class_tables[name].labels)
        if set(ranked) == set(classes):
            columns[name] = matrix if ranked == classes else matrix[:, [ranked.index(label) for label in classes]]
    return JudgedRows(
        counting.truth,
        classes,
        None if positive is None else classes.index(positive),
        **counting.weighing,
        cluster=cluster,
        strata=strata,
        costs=costs or {},
        ranking=counting.ranking,
        scores={model.name: counting.scores[model.name] for model in models if model.scores is not None},
        columns=columns,
        predicted={model.name: _codes(counting, model, classes, positive) for model in models},
    )


def _codes(counting: Counting, model: ModelEvaluation, classes: list[Any], positive: Any) -> _rocksteady.CodesState:
    """The predicted class of each row as its place among the classes."""
    name = model.name
    if name in counting.predicted:
        return codes_of(counting.predicted[name], classes, counting.columns.said("y_pred", name))
    above = classes.index(positive)
    pair = (1 - above, above)
    return _rocksteady.CodesState.of_scores(
        counting.scores[name], model.threshold, pair, counting.ranking["nan_policy"]
    )


class SameRows:
    """What an `rocksteady.Evaluation` says of its models on the same rows."""

    __slots__ = ()

    if TYPE_CHECKING:  # what the evaluation holds
        models: dict[str, Model]
        paired: Paired | None

        @property
        def _first(self) -> Model: ...
        def _check(self, what: str) -> None: ...

    @property
    def _judged(self) -> JudgedRows | None:
        """The rows, if they are kept."""
        return self._first._judged

    def difference(
        self, name: str, first: str, second: str, *, average: Any = None, level: float = 0.95, **parameters: object
    ) -> Difference:
        """An index of one model less that of another on the same rows, with its interval and its test.

        Parameters
        ----------
        name : str
            Any index with an interval. "roc_auc" and "gini": DeLong, DeLong, Clarke-Pearson 1988 (doi:10.2307/2531595).
            Of predicted classes: the delta method; see `rocksteady.inference.PairTable.difference`. Any other index of
            scores, and means over classes or labels: by the influence of each row; see `compared`.
        first, second : str
            The models.
        average : {"macro", "micro", "weighted"} or array-like, optional
            The mean over classes or labels to take, as for `value`.
        level : float
            The confidence level.
        **parameters
            The index's own. Those of costs are `costs` unless said, and the threshold of the net benefit is that of the
            models.

        Returns
        -------
        rocksteady.inference.Difference

        Raises
        ------
        rocksteady.InputError
            Without ``evaluate(..., inference=True)``, and for a name that no model has.
        rocksteady.UnknownIndexError
            For an index whose influences are not known, and for one that is the result of a test or whose scatter is
            not normal.

        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> ev = rs.evaluate(y_true, scores, inference=True)
        >>> found = ev.difference("roc_auc", "new", "old")
        >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4), round(found.p_value, 4)
        (0.125, -0.2751, 0.5251, 0.5403)
        >>> round(ev.difference("log_loss", "new", "old").p_value, 4)
        0.3905
        """
        self._check("difference")
        for model, argument in ((first, "first"), (second, "second")):
            named(model, argument, self.models)
        if first == second:
            raise wrong_value(second, "second", f"another model than {shown(first)}")
        return self._comparison(name, (first, second), average=average, level=level, **parameters)(first, second)

    def _comparison(
        self, name: str, models: Sequence[str], *, average: Any = None, level: float = 0.95, **parameters: object
    ) -> Callable[[str, str], Difference]:
        """What gives the difference of any two of these models; what it takes of each model is found once."""
        row, judged = index(name), self._judged
        is_area = row.name in ("roc_auc", "gini")
        ranked = all(self.models[model]._ranking is not None for model in models)
        has_design = judged is not None and judged.has_design
        by_row = self._first.row_costs is not None and "costs" in row.forms
        if self.paired is not None and average is None and not (has_design or is_area or by_row):
            of_classes = {"counts", "matrix"} & set(row.forms)
            if of_classes and not ({"scores", "score_tables"} & set(row.forms) and ranked):
                given = self._parameters(name, models, average, parameters)
                return partial(self.paired.labels.difference, row.name, level=level, **given)
        areas = None if self.paired is None else self.paired.scores
        if is_area and areas is not None and set(models) <= set(areas.names):
            self.models[models[0]].value(name, **parameters)  # refuses those that it does not have
            found = areas if row.name == "roc_auc" else areas._gini()
            return partial(found.difference, level=level)
        return partial(self.compared(name, average=average, models=models, **parameters).difference, level=level)

    def compared(
        self, name: str, *, average: Any = None, models: Sequence[str] | None = None, **parameters: object
    ) -> Compared:
        """An index of the models on the same rows, and how its values vary together; of ``evaluate(..., inference=True)``.

        It has the interval of each model, the difference of each two with its test, the test that all are equal, and the
        covariance. All follow from the influence of each row on each value, which clusters and strata add up.

        Parameters
        ----------
        name : str
            An index of scores whose influences are known (areas, average precision, losses and what follows from them),
            or any index of counts or of a matrix that has an interval.
        average : {"macro", "micro", "weighted"} or array-like, optional
            The mean over classes or labels to take, as for `value`.
        models : sequence of str, optional
            Default: all.
        **parameters
            The index's own. Those of costs are `costs` unless said.

        Raises
        ------
        rocksteady.InputError
            Without ``evaluate(..., inference=True)``, and for a name that no model has.
        rocksteady.UnknownIndexError
            If a model does not have the index, or its influences are not known.

        >>> import rocksteady as rs
        >>> y_true, users = [0, 0, 0, 0, 1, 1, 1, 1], ["a", "a", "b", "b", "c", "c", "d", "d"]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> ev = rs.evaluate(y_true, scores, inference=True, cluster=users)
        >>> ev.compared("brier_score").summary()
        first  second  difference        low      high   p_value  holm_p_value
        old    new           0.05  -0.145317  0.245317  0.474912      0.474912
        """
        judged = self._judged
        self._check("compared")
        assert judged is not None  # noqa: S101 (else it is lacking)
        chosen = list(self.models)
        if models is not None:
            chosen = [named(model, "models", self.models) for model in listed(models, "models", "a list of models")]
            if not chosen:
                raise wrong_value(models, "models", "the name of a model or more")
        given = self._parameters(name, chosen, average, parameters)
        return judged.compared(name, chosen, average=average, parameters=given)

    def leaderboard(
        self,
        name: str,
        *,
        average: Any = None,
        models: Sequence[str] | None = None,
        level: float = 0.95,
        power: float = 0.8,
        **parameters: object,
    ) -> Leaderboard:
        """The models by an index, the best first, each with the ranks that it may have; of ``evaluate(..., inference=True)``.

        Parameters
        ----------
        name, average, models, **parameters
            As for `compared`. The index has to be better high or better low.
        level : float
            The probability with which all ranges of ranks hold at once.
        power : float
            Of an undecided pair, the probability that so many rows more decide it: above 0 and below 1.

        Returns
        -------
        rocksteady.comparison.Leaderboard
            `pairs` has each two models.

        Raises
        ------
        rocksteady.InputError, rocksteady.UnknownIndexError
            As `compared`; of one model, and of an index that is better neither high nor low.

        Notes
        -----
        A model is certainly better than another if the interval of their difference does not hold 0. The intervals of all
        pairs hold at once, by the greatest of all differences over their standard errors, whose distribution follows from
        the covariance. The best rank of a model is 1 and the number of models that are certainly better, the worst the
        number of models less those that are certainly worse (Mogstad, Romano, Shaikh, Wilhelm 2024,
        doi:10.1093/restud/rdad006). With n rows, a standard error e and a difference d,
        n ((z + z')² e² / d² - 1) rows more decide a pair, z the quantile of its interval and z' that of `power`.

        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> board = rs.evaluate(y_true, scores, inference=True).leaderboard("roc_auc")
        >>> board.model.tolist(), board.ranks
        (['new', 'old'], ['1-2', '1-2'])
        """
        from rocksteady.comparison.leaderboard import leaderboard  # noqa: PLC0415

        self._check("leaderboard")
        found = self.compared(name, average=average, models=models, **parameters)
        if len(found.names) < 2:
            raise wrong_value(models, "models", "the names of two models or more")
        counts = self._judged is not None and self._judged.weight_kind == "counts"
        return leaderboard(found, self._first.total if counts else self._first.rows, level=level, power=power)

    def disagreement(self, first: str, second: str) -> NDArray[np.int64]:
        """The rows for which two models predict different classes; of ``evaluate(..., inference=True)``.

        Labels of these rows are worth checking first: the others count alike for both models.

        Parameters
        ----------
        first, second : str
            The models. With scores, the classes are those at their thresholds.

        Returns
        -------
        numpy.ndarray of int64
            The places of the rows, from 0, ascending, among the rows that were counted. Of several labels a row: where some
            label differs.

        Raises
        ------
        rocksteady.InputError
            Without ``evaluate(..., inference=True)``, and for a name that no model has.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 0, 1, 1], {"old": [0.1, 0.6, 0.3, 0.8], "new": [0.2, 0.3, 0.4, 0.7]}, inference=True)
        >>> ev.disagreement("new", "old")
        array([1])
        """
        self._check("disagreement")
        judged = self._judged
        assert judged is not None  # noqa: S101 (else it is lacking)
        judged._check()
        a, b = (
            judged.predicted[named(model, argument, self.models)]
            for model, argument in ((first, "first"), (second, "second"))
        )
        is_of_classes = isinstance(a, _rocksteady.CodesState)
        differ = a.each() != b.each() if is_of_classes else (np.asarray(a) != np.asarray(b)).any(axis=1)
        return np.flatnonzero(differ)

    def cost_regions(self, first: str, second: str, *, level: float = 0.95) -> CostRegions:
        """For which costs and prevalences each of two models is cheaper, and where that is certain.

        Of ``evaluate(..., inference=True)``. Each model is used at its best threshold. Costs and prevalence enter by one
        number, the probability-cost ``c p / (c p + 1 - p)``, p the prevalence where the model will be used and c the cost of a
        missed positive over that of a false alarm. So the regions of that number are those of all pairs (c, p).

        Parameters
        ----------
        first, second : str
            Models with scores of two classes.
        level : float
            The probability that all certain regions are right.

        Returns
        -------
        rocksteady.comparison.CostRegions

        Raises
        ------
        rocksteady.InputError
            Without ``evaluate(..., inference=True)``, for a name that no model has, a model without scores of two classes,
            scores that are not finite, rows of one class, and clusters or strata.

        Notes
        -----
        The expected costs are the lower envelopes of the lines of all thresholds (Drummond, Holte 2006,
        doi:10.1007/s10994-006-8199-5), so the regions are exact, and their ends fractions. The band of the difference comes
        from the covariance of the costs at 99 points, and its width from the greatest deviation of all of them.

        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> rs.evaluate(y_true, scores, inference=True).cost_regions("new", "old").summary()
        low           high  cheaper    saving  is_certain
        0         0.333333  both            0       False
        0.333333         1  new      0.166667       False
        """
        return self._cost_rows("cost_regions", first, second).regions(level)

    def cheaper(
        self, first: str, second: str, *, cost_ratio: float, prevalence: float | None = None, level: float = 0.95
    ) -> CostDecision:
        """Which of two models is cheaper for these costs, and how far costs, prevalence and labels may move until it is not.

        Of ``evaluate(..., inference=True)``. Each model is used at its best threshold.

        Parameters
        ----------
        first, second : str
            Models with scores of two classes.
        cost_ratio : float
            The cost of a missed positive over that of a false alarm: above 0.
        prevalence : float, optional
            The share of positives where the model will be used: above 0 and below 1. Default: that of these rows.
        level : float
            The confidence level of `is_certain`.

        Returns
        -------
        rocksteady.comparison.CostDecision

        Raises
        ------
        rocksteady.InputError
            As `cost_regions`, and for a number out of its range.

        >>> import rocksteady as rs
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> scores = {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
        >>> rs.evaluate(y_true, scores, inference=True).cheaper("new", "old", cost_ratio=1)
        'new' is cheaper: expected cost 0.125 of 'new', 0.25 of 'old'.
        That stays for cost ratios of 0.5 to inf, or prevalences of 0.333 to 1.
        It is not certain at 95 %. 1 wrong label could turn it.
        """
        return self._cost_rows("cheaper", first, second).decision(cost_ratio, prevalence, level)

    def _cost_rows(self, what: str, first: str, second: str) -> CostRows:
        from rocksteady.comparison.cost_regions import BOTH, NEITHER, CostRows  # noqa: PLC0415

        self._check(what)
        judged = self._judged
        assert judged is not None  # noqa: S101 (else it is lacking)
        for model, argument in ((first, "first"), (second, "second")):
            named(model, argument, self.models)
            if model in (NEITHER, BOTH):
                raise wrong_value(
                    model, argument, "another name of a model, as this says that no single one is cheaper"
                )
            if model not in judged.scores:
                raise wrong_value(
                    model, argument, "a model with scores of two classes, which evaluate takes as y_score"
                )
        if first == second:
            raise wrong_value(second, "second", f"another model than {shown(first)}")
        if judged.has_design:
            raise InputError(
                f"{what} takes rows as independent, and these belong to clusters or strata; difference('mean_cost', ...) of an "
                "evaluation with costs= knows them",
                argument=what,
            )
        positive = codes_of(judged.truth, judged.classes, "y_true").each() == judged.positive
        scores = {name: judged.scores[name] for name in (first, second)}
        return CostRows(positive, scores, judged.sample_weight, judged.weight_kind)

    def _parameters(self, name: str, models: Sequence[str], average: Any, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters of an index, which has to weigh all models alike."""
        given, *others = (self.models[model]._parameters_of(name, average, parameters) for model in models)
        for model, other in zip(models[1:], others, strict=True):
            own, theirs = given.get("threshold"), other.get("threshold")
            if own != theirs:
                raise InputError(
                    f"{name} weighs by the threshold, which is {own} of {shown(models[0])} and {theirs} of {shown(model)}; "
                    f"pass threshold={own} to weigh both alike",
                    argument="threshold",
                )
        return given

    def influence(
        self, name: str, model: str | None = None, *, average: Any = None, **parameters: object
    ) -> NDArray[np.float64]:
        """How much an index of a model changes with one row more like each row; of ``evaluate(..., inference=True)``.

        Over all rows the influences, times the weights, sum to 0; the root of the sum of their squares is the standard
        error of the index. Hampel 1974, doi:10.1080/01621459.1974.10482962.

        Parameters
        ----------
        name, average, **parameters
            As for `compared`.
        model : str, optional
            Default: the first.

        Returns
        -------
        numpy.ndarray of shape (n,)
            In the order of the rows, in units of the index.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], inference=True)
        >>> ev.influence("roc_auc")
        array([ 0.125, -0.125, -0.125,  0.125])
        """
        self._check("influence")
        judged = self._judged
        assert judged is not None  # noqa: S101 (else it is lacking)
        chosen = next(iter(self.models)) if model is None else named(model, "model", self.models)
        given = self.models[chosen]._parameters_of(name, average, parameters)
        return judged.influence(name, chosen, average=average, parameters=given).each()

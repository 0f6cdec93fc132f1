"""The bootstrap of rows: of one model or several, of two classes, several, or labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import numbers, shown, wrong_value
from rocksteady.base.named_columns import by_class, labels_by_name, refused_as, weights_by_class
from rocksteady.columns.categories import positive_in_order
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError, InputTypeError
from rocksteady.inference.resampling import Bootstrap, OfModel, Plan, Replicated, Replicates, of_model, planned, warned
from rocksteady.inference.units import Units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite
    from rocksteady.inference.resampling import BootstrapMethod, RandomState, Resample
    from rocksteady.labels.confusion import Average


def bootstrap(
    y_true: ArrayLike,
    y_score: ArrayLike | Mapping[str, ArrayLike],
    indices: str | Sequence[str] = ("roc_auc", "average_precision"),
    *,
    average: Average | ArrayLike | Mapping[Any, float] | None = None,
    threshold: float | Sequence[float] | str = 0.5,
    n_resamples: int = 1000,
    method: BootstrapMethod = "percentile",
    resample: Resample = "multinomial",
    strata: Literal["label"] | ArrayLike | None = None,
    cluster: Any = None,
    key: ArrayLike | None = None,
    block: int | None = None,
    random_state: RandomState = None,
    sample_weight: ArrayLike | None = None,
    level: float = 0.95,
    pos_label: object = None,
    infinite: Infinite = "raise",
    **parameters: object,
) -> Bootstrap:
    """Bootstrap indices of one or several models: intervals from resamples of the rows.

    A resample draws as many rows as there are, with replacement. Rows are sorted once, and a replicate is how often each
    row was drawn. Models share their replicates, so the interval of a difference is there, too. The same `random_state`
    gives the same bits for any number of threads.

    Parameters
    ----------
    y_true : array-like of shape (n,), or indicator matrix of shape (n, L)
        Class labels, or which rows have which labels.
    y_score : array-like of shape (n,), (n, K) or (n, L), or mapping of str to such
        Scores, of one model or of several by name. Of more than two classes, or of labels, a column for each, as
        `ScoreTables` and `LabelScoreTables` take them; one resample of the rows is for all columns.
    indices : str or sequence of str
        Any index of scores ("roc_auc", "ks", "brier", "h_measure"), and any index of counts ("f1", "mcc"), which is then
        that at `threshold`.
    average : {"macro", "micro", "weighted"}, array-like of weights, or mapping of weights by class, optional
        Of columns of scores: the mean over classes or labels, as `ScoreTables.value` has it. None: the value of each.
    threshold : float, sequence of float, or str
        Rows with at least this score are predicted positive. Of several thresholds, indices of counts have a value at
        each. "best youden", or "best" and any other index of counts, chooses the threshold at which it is best, anew in
        each replicate: estimates and intervals are less the `Bootstrap.optimism` that comes from choosing it on the same
        rows.
    n_resamples : int
        The number of replicates, 2 or more.
    method : {"percentile", "basic", "bca", "normal"}
        How intervals are made. "percentile": quantiles of the replicates, linear between them. "basic": twice the
        estimate minus them. "normal": the estimate less the shift of the replicates, plus and minus z standard errors.
        "bca": quantiles corrected for bias and skewness (Efron 1987, doi:10.1080/01621459.1987.10478410); the
        acceleration comes from the influence of the rows, added up within clusters and keys. Where that is not known,
        the interval is "percentile" and says so.
    resample : {"multinomial", "poisson"}
        "multinomial": a resample has n rows. "poisson": each row is drawn as often as a Poisson number of mean 1 says,
        apart from all others.
    strata : {"label"} or column of keys, or several as for `group_by`, optional
        Keep the number of rows of each class, or of each key; with `cluster`, of clusters. For rates within
        classes, such as AUC and recall, of data where the sizes of the classes were chosen. Average precision,
        precision, F1 and accuracy depend on the prevalence: keeping it makes their intervals too short where it is a
        matter of chance.
    cluster : column of keys, or several, optional
        Which rows belong together, such as those of one patient. Clusters are drawn whole. With `strata` the rows of a
        cluster share one class or stratum.
    key : array-like of shape (n,), optional
        A whole number or text for each row; needs ``resample="poisson"``. How often a row is drawn follows from its key
        and `random_state` alone: the same for any order and split of the rows. Rows that share a key are drawn
        together.
    block : int, optional
        How many consecutive rows are drawn together, of rows in order of time: blocks that overlap, and go on at the
        first row after the last (the circular block bootstrap of Politis and Romano 1992). It must be longer than rows
        depend on each other, and short beside all rows; it grows as the cube root of their number.
    random_state : None, int or numpy.random.Generator
        Where the random bits begin. None: anew each time.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative. A row that is drawn counts with its weight. Each replicate then sorts the rows again.
    level : float
        The confidence level, between 0 and 1.
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    infinite : {"raise", "allow"}
        Whether infinite scores are ranked.
    **parameters
        Those of the indices, such as ``beta=2`` for "f_beta" or ``high_fpr=0.1`` for "partial_auc".

    Returns
    -------
    Bootstrap

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError, rocksteady.UnknownIndexError
        The message names argument, row, value and what was expected.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If an index has no value in more than 1 % of the replicates, such as the AUC in those that hold one class only.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y = [0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1] * 10
    >>> p = [i % 12 / 12 for i in range(120)]
    >>> boot = rs.inference.bootstrap(y, p, ["roc_auc", "f1"], random_state=0)
    >>> auc = boot["roc_auc"]
    >>> round(auc.estimate, 6), auc.low < auc.estimate < auc.high
    (0.888889, True)
    >>> boot.every("f1").shape
    (1000,)
    """
    plan = planned(
        indices,
        threshold=threshold,
        n_resamples=n_resamples,
        method=method,
        resample=resample,
        strata=strata,
        level=level,
        random_state=random_state,
        is_keyed=key is not None,
        parameters=parameters,
    )
    if key is not None and resample != "poisson":
        raise wrong_value(resample, "resample", '"poisson" with key, as only it draws each row apart from all others')
    if block is not None:
        for argument, column in (("cluster", cluster), ("key", key), ("strata", strata)):
            if column is not None:
                raise InputError(f"{argument} is given with block; expected one of them", argument=argument)
        if resample != "multinomial":
            raise wrong_value(resample, "resample", '"multinomial" with block')
    if cluster is not None and key is not None:
        raise InputError("cluster is given with key; expected the clusters themselves as key", argument="cluster")
    models: dict[Any, Any] = dict(y_score) if isinstance(y_score, Mapping) else {None: y_score}
    if not models:
        raise InputError("y_score is empty; expected the scores of a model", argument="y_score")
    said = {name: "y_score" if name is None else f"y_score[{name!r}]" for name in models}
    given = None if strata is None or isinstance(strata, str) else strata
    others = {"sample_weight": sample_weight, "cluster": cluster, "key": key, "strata": given}
    columns = paired(y_true, {**{said[name]: column for name, column in models.items()}, **others})
    weights = columns["sample_weight"]
    truth: Any = without_index(y_true)
    scores = [columns[said[name]] for name in models]
    has_columns = any(map(_is_matrix, scores))
    is_by_class = plan.strata == "label" and (has_columns or cluster is not None)
    units = Units.of(columns, truth, is_by_class=is_by_class, block=block)
    if has_columns:
        return warned(_of_columns(plan, truth, dict(zip(models, scores, strict=True)), weights, units, average))
    if average is not None:
        raise wrong_value(average, "average", "None for scores of two classes")
    options = (positive_in_order(y_true) if pos_label is None else pos_label, "raise", infinite)
    if models.keys() == {None} and weights is None and all(column is None for column in units.told):
        state = _rocksteady.ScoreState.sweep((truth, scores[0], None), options)
        return warned(Bootstrap(plan, {None: of_model(plan, _rocksteady.bootstrap_scores(state, plan.asked()))}))
    try:
        told = _rocksteady.bootstrap_rows([truth], scores, weights, options, *units.told, plan.asked())
    except (InputError, InputTypeError):
        # A refusal of a column does not know the models: each model is checked alone, under its own name.
        for name, column in zip(models, scores, strict=True):
            with refused_as("y_score", said[name]):
                _rocksteady.ScoreState.sweep((truth, column, weights), options)
        raise
    at = None if isinstance(plan.at, str) else plan.at[0]
    each = zip(models, told, strict=True)
    found = {name: of_model(plan, one, None if at is None else state.at(at, ">=")) for name, (state, one) in each}
    return warned(Bootstrap(plan, found))


def _is_matrix(column: Any) -> bool:
    is_rows = isinstance(column, (list, tuple)) and len(column) > 0 and np.ndim(column[0]) == 1
    return is_rows or len(getattr(column, "shape", ())) == 2


def _of_columns(plan: Plan, truth: Any, models: dict[Any, Any], weights: Any, units: Units, average: Any) -> Bootstrap:
    """The bootstrap of a column of scores for each class or label, one resample of the rows for all."""
    if plan.has_axis:
        raise wrong_value(list(plan.at), "threshold", "one number for scores of several classes or labels")
    has_labels = _is_matrix(truth)
    state = _rocksteady.LabelScoreTablesState if has_labels else _rocksteady.ScoreTablesState
    labels: NDArray[Any] = np.array([])
    each: list[tuple[Any, Any]] = []
    for name, matrix in models.items():
        with refused_as("y_proba", "y_score") if name is None else refused_as("y_score", f"y_score[{name!r}]"):
            if has_labels:
                indicators, (scores,), names = labels_by_name(truth, {"y_score": matrix}, None)
            else:
                indicators, (scores, names) = truth, by_class(matrix, None, truth, "y_score")
            found_labels = state.sweep((indicators, scores, None), names, "counts").labels()
        if each and list(found_labels) != list(labels):
            raise InputError(
                f"y_score[{name!r}] has the columns {shown(list(found_labels))}, and the model before it {shown(list(labels))}; "
                "expected the same of all models",
                argument="y_score",
            )
        labels = found_labels
        if has_labels:
            dense = np.asarray(indicators.toarray() if hasattr(indicators, "toarray") else indicators)
            flags = list(dense.T.astype(bool))
        else:
            flags = [np.asarray(truth) == label for label in labels]
        each += zip(flags, np.asarray(scores).T, strict=True)
    axis, number = {"label" if has_labels else "class": labels}, len(labels)
    if isinstance(average, str) and average == "micro":
        # All cells of a row are drawn together.
        rows = len(each[0][0])
        groups = range(0, len(each), number)
        each = [tuple(np.concatenate(part) for part in zip(*each[at : at + number], strict=True)) for at in groups]  # type: ignore[misc]  # a pair
        weights = None if weights is None else np.tile(np.asarray(weights), number)
        units, number = units.tiled(rows, number), 1
    shares = isinstance(average, str) and average == "weighted"
    asked = replace(plan, indices=(*dict.fromkeys((*plan.indices, "prevalence")),)) if shares else plan
    told = _rocksteady.bootstrap_rows(
        [np.ascontiguousarray(flags) for flags, _ in each],
        [np.ascontiguousarray(column) for _, column in each],
        weights,
        (True, "raise", "raise"),
        *units.told,
        asked.asked(),
    )
    found: dict[Any, OfModel] = {}
    for at, name in enumerate(models):
        parts = [of_model(asked, one).indices for _, one in told[at * number : (at + 1) * number]]
        of_each = {index: tuple(part[index].parts[0] for part in parts) for index in asked.indices}
        if average is None:
            indices = {index: Replicates(of_each[index], axis) for index in plan.indices}
        elif number == 1:
            indices = {index: Replicates(of_each[index]) for index in plan.indices}
        else:
            if shares:
                counted = [(part.estimate, part.values) for part in of_each["prevalence"]]
            else:
                own = 1.0 if isinstance(average, str) and average == "macro" else average
                given = weights_by_class(own, labels, "average")
                counted = [(weight, weight) for weight in np.broadcast_to(numbers(given, "average"), number).tolist()]
            indices = {index: Replicates((_mean(of_each[index], counted),)) for index in plan.indices}
        found[name] = OfModel(indices)
    return Bootstrap(plan, found)


def _mean(parts: Sequence[Replicated], shares: Sequence[tuple[Any, Any]]) -> Replicated:
    """The weighted mean of the values of classes, and of those in each replicate."""
    own, drawn = zip(*shares, strict=True)
    estimate = np.average([part.estimate for part in parts], weights=own)
    weights = np.array([np.broadcast_to(share, parts[0].values.shape) for share in drawn])
    values = (weights * np.array([part.values for part in parts])).sum(axis=0) / weights.sum(axis=0)
    why = next((part.why for part in parts if part.why), None)
    return Replicated(float(estimate), None, values, int(np.isnan(values).sum()), why, note=parts[0].note)

"""Columns into an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady.base.arguments import flag, listed, one_of, printable, shown, wrong_value
from rocksteady.base.containers import first_of, headings_of, is_matrix, only_column
from rocksteady.base.named_columns import (
    add_up_to_one,
    check_models,
    columns_of_classes,
    named_columns,
    of_one_classifier,
)
from rocksteady.columns.categories import positive_left
from rocksteady.columns.keys import grouped
from rocksteady.columns.renamed import by_names, renamed
from rocksteady.columns.tags import are_tags
from rocksteady.errors import InputError
from rocksteady.evaluation.evaluation import Evaluation
from rocksteady.evaluation.groups import complete_keys, groups_of
from rocksteady.evaluation.paired import Paired, judged_of
from rocksteady.groups.shown import least_rows
from rocksteady.inference.clusters import grouping_of
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.cost import is_number, row_costs
from rocksteady.models.bounded import models_of_sketches
from rocksteady.models.columns import ModelColumns
from rocksteady.models.counting import Counting
from rocksteady.models.multilabel import models_of_labels
from rocksteady.scores.unknown_labels.label_ledger import LabelLedger
from rocksteady.scores.unknown_labels.sketch_ledger import SketchLedger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import Infinite, NanPolicy, WeightKind
    from rocksteady.models.model import ModelEvaluation


def evaluate(
    y_true: ArrayLike | Sequence[Any],
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    y_pred: ArrayLike | Mapping[str, ArrayLike] | None = None,
    y_proba: ArrayLike | Mapping[str, ArrayLike] | None = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
    costs: Mapping[str, float | ArrayLike] | Mapping[Any, Mapping[Any, float]] | ArrayLike | None = None,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    labels: ArrayLike | Mapping[Any, str] | None = None,
    threshold: float | Mapping[str, float] | None = None,
    nan_policy: NanPolicy = "raise",
    missing_labels: Literal["unknown"] | None = None,
    infinite: Infinite = "raise",
    align: bool = False,
    inference: bool = False,
    cluster: Any = None,
    strata: Any = None,
    by: Any = None,
    min_rows: int | None = None,
    label: Any = None,
    score: Any = None,
    pred: Any = None,
    proba: Any = None,
    weight: Any = None,
    bounded: bool = False,
) -> Evaluation:
    """Evaluate one or several models on the same rows: indices, curves, tables, charts and a report.

    The labels are read once, each column of scores is sorted once, and everything else is read from that.

    Parameters
    ----------
    y_true : array-like of shape (n,), or (n, L)
        Class labels. A matrix of 0 and 1 has a column for each of L labels, of which a row may have any number; then
        `y_score` and `y_pred` are matrices of this shape, or mappings from models to such, `labels` are the names of
        the columns, and the models are `MultilabelModel`. Columns of frames go by their names. Lists of strings, such as
        ``[["red", "new"], ["red"], []]``, in `y_true` and `y_pred` mean such matrices, with a column for each label that
        occurs, ascending, or for each of `labels`; scikit-learn's ``MultiLabelBinarizer`` makes the same. `y_score` may
        also be what scikit-learn's multilabel ``predict_proba`` gives: for each label two columns. With `label` it is
        a data frame that has all columns.
    y_score : array-like of shape (n,) or (n, m), mapping or data frame, optional
        Scores of the positive one of two classes: a column, a column for each of m models, or columns by the models'
        names. Two unnamed columns whose rows add up to 1 within 1e-6 are `y_proba` of one classifier. So are columns that are
        called as the labels; if their rows do not add up to 1 they are refused.
    y_pred : array-like of shape (n,) or (n, m), mapping or data frame, optional
        Predicted classes, likewise. With `y_score` or `y_proba` of a model of the same name they say its matrix.
    y_proba : array-like of shape (n, K), or mapping of such, optional
        Probabilities, a column for each class in the order of `labels`, ascending unless said; or a data frame or Arrow
        table whose columns are called as the labels, in any order. The one of most probability is predicted; of two
        classes, that at `threshold`.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    weight_kind : {"counts", "sampling"}
        What a weight means: so many rows, or how much one row of a sample counts (an inverse probability, an
        importance, a class weight). It is part of all that is counted. See `ConfusionMatrix`.
    costs : mapping or array-like of shape (K, K), optional
        What each outcome costs: with two classes by "tp", "fp", "fn", "tn" (unless said, an error costs 1 and what is
        right nothing), else rows actual, columns predicted, in the order of the labels, or in a data frame or a mapping of
        mappings that names them. The indices of costs go by it. An outcome of two classes may have a column with an
        amount for each row, or with `label` its name: then "cost", "mean_cost" and "savings" are sums of the amounts, as of
        `CostTable`, and `Evaluation.best` finds the cheapest threshold.
    names : sequence of str, optional
        What the models are called, where they have no names yet. Default: "model", or "model 1", "model 2", ….
    pos_label : label, optional
        The positive one of two classes. Default: the greater label; of ordered categories the later one.
    labels : array-like of K labels, or mapping from labels to names, optional
        The classes; any other label is refused. Default: those that occur. With names, such as ``{0: "ham", 1: "spam"}`` or
        ``dict(enumerate(names))``, the classes are called so in all that follows, and other arguments go by the names. A
        label named None counts as missing, so ``nan_policy="omit"`` leaves its rows out: 255 in ``{0: "road", 255: None}``.
    threshold : float or mapping from names to floats, optional
        Scores at or above it count as positive. Default: 0.5 where all scores of the model lie in [0, 1], or within 1e-6
        of it, else 0; where fewer than 1 % lie outside, a warning names one of them. It is compared exactly, so scores of
        float32 that stand for 0.7 are met by ``numpy.float32(0.7)``.
    nan_policy : {"raise", "omit", "worst", "best"}
        What to do with missing values. "omit" leaves out the rows where a label, or a score or class of any model, is
        missing; `Evaluation.rows_left_out` counts them. "worst" and "best" rank a missing score of `y_score` below all
        or above all others.
    missing_labels : {"unknown"}, optional
        With "unknown" rows without a label are left out, and a note says between which bounds the AUC of each model lies
        whatever these labels are (`rocksteady.scores.LabelLedger` has the bounds of more indices). For scores of two
        classes, without weights and groups.
    infinite : {"raise", "allow"}
        Whether infinite scores of `y_score` are ranked.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.
    inference : bool
        Whether to keep how the models fall together on the same rows: for each two of them the table of (actual class,
        predicted by one, predicted by the other), the covariance of their areas under the ROC curve, and the rows
        themselves. The columns are not copied, so they must not change; sums of evaluations, bytes and pickles have no
        rows. Then `Evaluation.difference` has the difference of any two models in an index, with its interval and its
        test, and means over classes or labels have intervals.
    cluster : column of keys, or several as for `by`, optional
        Which rows belong together, such as those of one user: clusters are independent of each other, their rows are
        not. Intervals and tests then count clusters, with Student's t distribution, and so do those of the groups of
        `by`. Needs ``inference=True``.
    strata : column of keys, or several, optional
        The strata that the rows, or the clusters, were drawn from, each by itself. A cluster lies in one stratum. Needs
        ``inference=True``.
    by : column, sequence of columns, mapping, data frame or array of two dimensions, optional
        Keys of groups, as for `group_by`. Then `Evaluation.groups` has the statistics of each group, and the report a
        section of them.
    min_rows : int, optional
        Groups with fewer rows are not shown in tables, pictures and the report, which say how many are hidden.
        `Evaluation.groups` has all of them.
    label, weight : str, optional
        Of a data frame of pandas, polars or Arrow, or a mapping from names to columns, passed as `y_true`: the columns
        of the labels and of `sample_weight`. Then `by`, `cluster` and `strata` name columns, too.
    score, pred : str, sequence of str or mapping, optional
        Likewise the columns of `y_score` and `y_pred`: a name or several, or a mapping from what the models are called.
    proba : sequence of str or mapping, optional
        Likewise the columns of `y_proba` of one model: names that are the labels, or a mapping from labels to names.
    bounded : bool
        Whether to keep a `ScoreSketch` of each column of scores instead of all of its scores. The models are
        `BoundedModel`: small, additive, and with proven bounds of every index.

    Returns
    -------
    Evaluation

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order. If few scores lie outside [0, 1] and no threshold is
        given. When an AUC is read and lies below 0.5, and the positive class was chosen by sorting text.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row or model, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ev["roc_auc"], ev["accuracy"], ev["ks"]
    (0.75, 0.75, 0.5)
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> ev = rs.evaluate(["cat", "dog", "dog", "eel"], y_proba=y_proba)
    >>> ev["accuracy"], ev["mean_probability_rate"], ev["recall"]
    (0.75, 0.55, 0.8333333333333334)
    >>> rs.evaluate([0, 1, 1], y_pred=[0, 1, 0], labels={0: "ham", 1: "spam"}).pos_label
    'spam'
    >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], by=["north", "south", "north", "south"])
    >>> ev.groups.every("roc_auc").tolist()
    [1.0, 1.0]
    >>> rs.evaluate([0, 0, 1, 1, None], [0.1, 0.4, 0.35, 0.8, 0.7], missing_labels="unknown").notes
    ('roc_auc of model: 0.666 to 0.834 whatever the unknown label of 5 rows is',)
    >>> df = {"y": [0, 0, 1, 1], "new": [0.1, 0.4, 0.35, 0.8], "old": [0.2, 0.6, 0.4, 0.5], "region": ["n", "s", "n", "s"]}
    >>> rs.evaluate(df, label="y", score=["new", "old"], by="region")["roc_auc"]
    {'new': 0.75, 'old': 0.5}
    """
    called, labels, pos_label = by_names(labels, pos_label)
    by_row = row_costs(costs)
    named = named_columns(
        y_true,
        label,
        one={
            "weight": weight,
            **{f"costs[{outcome!r}]": cost for outcome, cost in by_row.items() if isinstance(cost, str)},
        },
        some={
            "score": score,
            "pred": pred,
            "proba": proba,
            **({} if label is None else {"by": by, "cluster": cluster, "strata": strata}),
        },
        beside={"y_score": y_score, "y_pred": y_pred, "y_proba": y_proba, "sample_weight": sample_weight},
    )
    if named:
        y_true, y_score, y_pred, sample_weight, by, cluster, strata = (
            named[each] for each in ("label", "score", "pred", "weight", "by", "cluster", "strata")
        )
        by_row = {outcome: named.get(f"costs[{outcome!r}]", cost) for outcome, cost in by_row.items()}
        if named["proba"] is not None:
            y_proba, labels = columns_of_classes(named["proba"], labels, y_true)
    one_of(nan_policy, "nan_policy", ("raise", "omit", "worst", "best"))
    one_of(infinite, "infinite", ("raise", "allow"))
    one_of(weight_kind, "weight_kind", ("counts", "sampling"))
    inference, bounded = flag(inference, "inference"), flag(bounded, "bounded")
    # What only models of classes use.
    unused = {"costs": costs, "by": by}
    grouping = {"cluster": cluster, "strata": strata}
    if not inference:
        _refuse(grouping, "None without inference=True, which keeps what intervals need")
    unused["infinite"] = None if infinite == "raise" else infinite
    tagged = are_tags(y_true)
    y_true = y_true if tagged else only_column(y_true)
    if tagged or is_matrix(y_true):
        _refuse({"labels": called}, "a list of names, as y_true has a column for each label")
        _refuse(
            {"y_proba": y_proba}, "nothing, as y_true has several labels a row; probabilities of labels are y_score"
        )
        unused |= {"names": names, "pos_label": pos_label, "min_rows": min_rows, "bounded": bounded or None}
        unused["nan_policy"] = None if nan_policy == "raise" else nan_policy
        unused["missing_labels"] = missing_labels
        _refuse(unused, "nothing, as y_true has several labels a row")
        several = models_of_labels(
            y_true,
            y_score,
            y_pred,
            labels=labels,
            sample_weight=sample_weight,
            weight_kind=weight_kind,
            threshold=threshold,
            align=flag(align, "align"),
            grouping=grouping if inference else None,
        )
        return Evaluation(several)
    y_true = renamed(y_true, called, "y_true")
    notes: list[str] = []
    if y_proba is None and y_score is not None:
        y_score, y_proba, notes = _told_apart(y_true, y_score, names)
    columns = ModelColumns.of_arrays(y_score, y_proba, y_pred, names).renamed(called)
    if min_rows is not None and by is None:
        raise wrong_value(min_rows, "min_rows", "None without by=, which says what the groups are")
    amounts = {f"costs[{outcome!r}]": cost for outcome, cost in by_row.items() if not is_number(cost)}
    beside = {"sample_weight": sample_weight, "by": by, **grouping, **amounts}
    columns, y_true, beside = columns.paired(y_true, beside, align=flag(align, "align"))
    weighed = {"sample_weight": beside["sample_weight"], **{name: beside[name] for name in amounts}}
    by = beside["by"]
    keys = {"by": None if by is None else grouped(by)}
    keys |= {argument: grouping_of(beside[argument], y_true, argument) for argument in grouping}
    left_out = 0
    if missing_labels is not None:
        one_of(missing_labels, "missing_labels", ("unknown",))
        other = {"y_pred": y_pred, "y_proba": y_proba, **beside}
        other = {argument: value for argument, value in other.items() if argument not in amounts}
        other["nan_policy"] = None if nan_policy in ("raise", "omit") else nan_policy
        _refuse(
            other,
            'nothing with missing_labels="unknown", which is for scores of two classes, without weights; for groups call '
            "rocksteady.group_by",
        )
        if nan_policy == "omit":  # whether or not the label is known
            rows: Any = y_true
            columns, _, kept, left_out = columns.complete(np.zeros(len(rows), bool), {"y_true": rows, **weighed})
            y_true, weighed = kept["y_true"], {name: kept[name] for name in weighed}
        notes += _whatever_they_are(SketchLedger if bounded else LabelLedger, y_true, columns, pos_label, infinite)
        columns, y_true, weighed, unknown = columns.complete(y_true, weighed)
        left_out += unknown
    elif nan_policy == "omit":
        keys = {argument: each and complete_keys(each, columns, y_true, each.rows) for argument, each in keys.items()}
        whole = y_true
        columns, y_true, weighed, left_out = columns.complete(y_true, weighed)
        if left_out and pos_label is None and labels is None:
            pos_label = positive_left(whole, y_true)
    sample_weight = weighed["sample_weight"]
    by_row = {outcome: weighed.get(f"costs[{outcome!r}]", cost) for outcome, cost in by_row.items()}
    check_models(threshold, columns.names, "threshold")
    if bounded:
        unused |= {"weight_kind": None if weight_kind == "counts" else weight_kind, "inference": inference or None}
        _refuse(unused, "nothing with bounded=True, which keeps sketches of scores only")
        sketched = models_of_sketches(
            columns,
            y_true,
            sample_weight=sample_weight,
            pos_label=pos_label,
            labels=labels,
            threshold=threshold,
            nan_policy=nan_policy,
        )
        return Evaluation(sketched, notes=notes, rows_left_out=left_out)
    counting = Counting(columns, y_true, sample_weight, pos_label, labels, nan_policy, weight_kind, infinite)
    found = counting.models(threshold)
    _check_threshold_is_used(threshold, found)
    if by_row:
        found = counting.with_row_costs(found, by_row)
    pairs = judged = None
    if inference:
        judged = judged_of(counting, found, keys["cluster"], keys["strata"], by_row)
        found = [replace(model, _judged=judged) for model in found]
        pairs = Paired.of_rows(judged, found)
    groups = None if keys["by"] is None else groups_of(counting, found, keys["by"], judged)
    return Evaluation(
        found,
        costs=None if by_row else costs,  # type: ignore[arg-type]  # without columns
        notes=notes,
        rows_left_out=left_out,
        paired=pairs,
        groups=groups,
        min_rows=least_rows(min_rows),
    )


def _whatever_they_are(
    kind: type[LabelLedger | SketchLedger], y_true: Any, columns: ModelColumns, pos_label: object, infinite: Infinite
) -> list[str]:
    """For each model the bounds of its AUC over all labels that are missing, as a sentence."""
    ledgers = {
        name: kind(y_true, scores, pos_label=pos_label, infinite=infinite) for name, scores in columns.scores.items()
    }
    for ledger in ledgers.values():
        if ledger.rows and ledger.unknown_rows == ledger.rows:
            raise InputError(
                "no label of y_true is known; expected one: a LabelLedger has bounds without", argument="y_true"
            )
    found = (ledger._whatever_they_are(printable(name, 60)) for name, ledger in ledgers.items())
    return [sentence for sentence in found if sentence is not None]


def _refuse(unused: dict[str, Any], expected: str) -> None:
    """Refuse arguments that nothing would be done with."""
    for argument, value in unused.items():
        if value is not None:
            raise wrong_value(value, argument, expected)


def _told_apart(y_true: Any, y_score: Any, names: Any) -> tuple[Any, Any, list[str]]:
    """`y_score` as scores or, if it is one classifier's, as probabilities of classes; and a note that says so."""
    if of_one_classifier(y_score):
        if names is not None and len(listed(names, "names", "a list of names")) != 1:
            return y_score, None, []
        return None, y_score, ["the two columns of y_score were read as probabilities, as their rows add up to 1"]
    headings = list(y_score) if isinstance(y_score, Mapping) else headings_of(y_score)
    if headings is None or len(headings) < 2 or names is not None or first_of(y_true) not in headings:
        return y_score, None, []
    classes = list(ConfusionMatrix(y_true, y_true, nan_policy="omit").labels)
    if set(classes) != set(headings) or len(classes) != len(headings):
        return y_score, None, []
    matrix = np.column_stack([np.asarray(y_score[label]) for label in classes])
    if not add_up_to_one(matrix):
        raise InputError(
            "y_score has columns that are called as the labels, and whose rows do not add up to 1; expected "
            "probabilities of the classes. Scores of the classes are y_proba=; models are called otherwise",
            argument="y_score",
        )
    proba = matrix if isinstance(y_score, Mapping) else y_score
    return None, proba, ["the columns of y_score were read as probabilities, as they are called as the labels"]


def _check_threshold_is_used(threshold: Any, models: list[ModelEvaluation]) -> None:
    """Refuse a threshold of what has none, which nobody would notice."""
    without = [model.name for model in models if model.threshold is None]
    if isinstance(threshold, Mapping):
        unused = next((name for name in without if threshold.get(name) is not None), None)
    else:
        unused = without[0] if threshold is not None and len(without) == len(models) else None
    if unused is not None:
        raise wrong_value(
            threshold,
            "threshold",
            f"None for {shown(unused)}, whose classes are given or, of more than two, the most probable ones",
        )

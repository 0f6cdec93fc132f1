"""Counting rows by group."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag, listed, one_of, real, shown, wrong_value
from rocksteady.base.containers import elsewhere, to_host
from rocksteady.base.named_columns import named_columns, refused_as
from rocksteady.columns.categories import categories_in_order, positive_in_order, positive_left, refuse_one_class
from rocksteady.columns.complete import kept, missing
from rocksteady.columns.keys import grouped
from rocksteady.columns.pairing import paired, without_index
from rocksteady.columns.renamed import by_names, renamed
from rocksteady.errors import InputError, InputTypeError
from rocksteady.groups.groups import Groups, refuse_unused
from rocksteady.groups.ledgers import LedgerGroups
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.models.columns import checked_labels
from rocksteady.scores.unknown_labels.ledger import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy, WeightKind


@overload
def group_by(
    y_true: ArrayLike,
    y_pred: ArrayLike | None = None,
    y_score: ArrayLike | None = None,
    *,
    by: Any,
    control: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
    labels: ArrayLike | Mapping[Any, str] | None = None,
    pos_label: object = None,
    threshold: float | None = None,
    nan_policy: NanPolicy = "raise",
    infinite: Infinite = "raise",
    missing_labels: None = None,
    align: bool = False,
    label: Any = None,
    pred: Any = None,
    score: Any = None,
    weight: Any = None,
) -> Groups: ...


@overload
def group_by(
    y_true: ArrayLike | Sequence[Any],
    y_pred: None = ...,
    y_score: ArrayLike | None = ...,
    *,
    by: Any,
    control: Any = ...,
    sample_weight: None = ...,
    weight_kind: Literal["counts"] = ...,
    labels: None = ...,
    pos_label: object = ...,
    threshold: None = ...,
    nan_policy: NanPolicy = ...,
    infinite: Infinite = ...,
    missing_labels: Literal["unknown"],
    align: bool = ...,
    label: Any = ...,
    pred: None = ...,
    score: Any = ...,
    weight: None = ...,
) -> LedgerGroups: ...


def group_by(
    y_true: ArrayLike | Sequence[Any],
    y_pred: ArrayLike | None = None,
    y_score: ArrayLike | None = None,
    *,
    by: Any,
    control: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
    labels: ArrayLike | Mapping[Any, str] | None = None,
    pos_label: object = None,
    threshold: float | None = None,
    nan_policy: NanPolicy = "raise",
    infinite: Infinite = "raise",
    missing_labels: Literal["unknown"] | None = None,
    align: bool = False,
    label: Any = None,
    pred: Any = None,
    score: Any = None,
    weight: Any = None,
) -> Groups | LedgerGroups:
    """Count and rank rows by group: every index for each group, exactly.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels. Arrays on a GPU are counted there (docs/devices.md).
    y_pred : array-like of shape (n,), optional
        Predicted classes, two or more.
    y_score : array-like of shape (n,), optional
        Scores of the positive one of two classes. At least one of both is needed.
    by : column, sequence of columns, mapping, data frame or array of two dimensions
        The keys: numbers, truth values, text, categories, dates. Several columns make a group of each combination that
        rows have. A missing key (None, NaN, not-a-time) is a group of its own. Keys have no time zone: times of UTC are
        taken without it, those of another zone are refused.
    control : as `by`, optional
        More columns of keys, which come before those of `by`: groups are compared within each of them.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative. Sums of weights are exact.
    weight_kind : {"counts", "sampling"}
        What a weight means. See `ConfusionMatrix`.
    labels : array-like or mapping, optional
        The classes and their order; any other label is refused. Default: those that occur in any group. With `y_score`
        they are two. A mapping from labels to names says what they are called, as for `evaluate`.
    pos_label : label, optional
        The positive one of two classes. Default: the greater label; of ordered categories the later one.
    threshold : float, optional
        Without `y_pred`: scores at or above it count as positive. Default: 0.5 where the scores of all groups lie in
        [0, 1], else 0.
    nan_policy : {"raise", "omit", "worst", "best"}
        What to do with a missing label or score: see `evaluate`. It is not about keys. A group all of whose rows are left
        out stays, with no rows.
    infinite : {"raise", "allow"}
        Whether infinite scores are ranked.
    missing_labels : {"unknown"}, optional
        With "unknown" rows without a label stay, and each group has bounds over all their labels: of scores of two classes,
        without weights. See `rocksteady.scores.LabelLedger`.
    align : bool
        Whether to bring pandas objects, also those inside `by` and `control`, into the order of the index of `y_true`.
        Default: rows go by position.
    label, pred, score, weight : str, optional
        With a data frame as `y_true`: the columns of the labels, of `y_pred`, `y_score` and `sample_weight`. Then `by`
        and `control` are names of columns, too.

    Returns
    -------
    Groups, or LedgerGroups with `missing_labels`
        In the order of the sorted keys, whatever the order of the rows. Its intervals take rows as independent; those of
        ``evaluate(..., by=, inference=True, cluster=)`` do not.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order.

    Examples
    --------
    >>> import rocksteady as rs
    >>> user = [7, 3, 3, 7, 7, 3]
    >>> by = rs.group_by([0, 1, 0, 1, 0, 0], y_score=[0.2, 0.9, 0.4, 0.1, 0.6, 0.3], by=user)
    >>> by["roc_auc"].summary()
    group  rows  positives  value
    3         3          1      1
    7         3          1      0
    >>> by.every("accuracy").round(6).tolist(), by.threshold
    ([1.0, 0.333333], 0.5)
    >>> df = {"click": [0, 1, 0, 1, 0, 0], "p": [0.2, 0.9, 0.4, 0.1, 0.6, 0.3], "user": user}
    >>> rs.group_by(df, label="click", score="p", by="user").every("roc_auc")
    array([1., 0.])
    >>> by.overall["roc_auc"], by.pair_split().within
    (0.5, 0.5)
    """
    named = named_columns(
        y_true,
        label,
        one={"pred": pred, "score": score, "weight": weight},
        some={} if label is None else {"by": by, "control": control},
        beside={"y_pred": y_pred, "y_score": y_score, "sample_weight": sample_weight},
    )
    if named:
        y_true, y_pred, y_score, sample_weight, by, control = named.values()
    if any(map(elsewhere, (y_true, y_pred, y_score))):
        _refuse_unknown(missing_labels, y_true)
        options: dict[str, Any] = {"nan_policy": nan_policy, "infinite": infinite}
        options |= {"labels": labels, "pos_label": pos_label, "threshold": threshold, "align": align}
        data, keys = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score}, {"by": by, "control": control}
        return _on_device(options, data, keys, (sample_weight, weight_kind))
    called, labels, pos_label = by_names(labels, pos_label)
    y_true, y_pred = renamed(y_true, called, "y_true"), renamed(y_pred, called, "y_pred")
    one_of(nan_policy, "nan_policy", ("raise", "omit", "worst", "best"))
    _check_given(y_pred, y_score, threshold)
    columns = paired(
        y_true,
        {"y_pred": y_pred, "y_score": y_score, "sample_weight": sample_weight, "by": by, "control": control},
        align=flag(align, "align"),
    )
    groups = grouped(columns["by"], columns["control"])
    positive = positive_in_order(y_true) if pos_label is None and labels is None else pos_label
    if missing_labels is not None:
        one_of(missing_labels, "missing_labels", ("unknown",))
        _refuse_beside({"y_pred": y_pred, "sample_weight": sample_weight, "labels": labels, "threshold": threshold})
        return _ledgers(groups, without_index(y_true), columns["y_score"], positive, (nan_policy, infinite))
    order = y_true if labels is None else None  # for ordered categories
    rows = {"y_true": without_index(y_true), "y_pred": columns["y_pred"], "y_score": columns["y_score"]}
    weights = columns["sample_weight"]
    if nan_policy == "omit":
        keep = _complete(rows)
        if keep is not None:
            groups = groups.kept(keep)
            whole = rows["y_true"]
            rows = {name: None if column is None else kept(column, keep, name) for name, column in rows.items()}
            positive = positive_left(whole, rows["y_true"]) if positive is None and labels is None else positive
            weights = None if weights is None else kept(weights, keep, "sample_weight")
    asked: dict[str, Any] = {"sample_weight": weights, "weight_kind": weight_kind}
    truth = coded(rows["y_true"], "y_true")
    given = None if labels is None else checked_labels(listed(labels, "labels", "a list of labels"), "labels")
    cut = None if threshold is None else _threshold(threshold)
    predicted = scores = matrix = None
    said = "pos_label"
    if rows["y_pred"] is not None:
        column = coded(rows["y_pred"], "y_pred")
        matrix = ConfusionMatrix(truth, column, labels=given, pos_label=positive, strict=given is not None, **asked)
        matrix = _in_order(matrix, order)
        predicted = (column, matrix._state)
    if rows["y_score"] is not None:
        positive = _ranked(given, positive)
        said = "pos_label" if given is None or pos_label is not None else f"labels[{given.index(positive)}]"
        scores = (rows["y_score"], "raise" if nan_policy == "omit" else nan_policy, infinite)

    def state_of(positive: Any) -> _rocksteady.GroupsState:
        try:
            with refused_as("pos_label", said):
                return _rocksteady.GroupsState.of_rows(
                    groups, truth, predicted, scores, positive, cut, weights, weight_kind
                )
        except (InputError, InputTypeError) as error:
            raise error if scores is None else hints.of_scores(error, rows["y_true"], rows["y_score"]) from None

    state = state_of(positive)
    refuse_one_class(state.pair() if matrix is None and given is None else (), positive)
    if matrix is not None and scores is not None and matrix.pos_label is not None:
        pair = state.pair()
        if pair[0] == matrix.pos_label or pair[1] not in (None, matrix.pos_label):
            # The actual labels are of one class, so they did not show which class is positive; the predicted labels do.
            state = state_of(matrix.pos_label)
    found = Groups._of(state)
    if given is not None and scores is not None:
        _refuse_others(found, given)
    return found


def _refuse_others(found: Groups, labels: list[Any]) -> None:
    for label in found._state.pair():
        if label is not None and label not in labels:
            raise InputError(
                f"y_true has {shown(label)}; expected one of the labels {shown(labels)}", argument="y_true"
            )


def _on_device(
    options: dict[str, Any], data: dict[str, Any], keys: dict[str, Any], weighed: tuple[Any, WeightKind]
) -> Groups:
    from rocksteady.devices.groups import groups_state  # noqa: PLC0415 (few programs need it)

    return Groups._of(groups_state(partial(group_by, **options), data, keys, weighed))


def _refuse_unknown(missing_labels: Any, y_true: Any) -> None:
    if missing_labels is not None:
        moved = to_host(y_true, "y_true")
        raise wrong_value(missing_labels, "missing_labels", f"None for rows on another device; else {moved} first")


def _refuse_beside(unused: dict[str, Any]) -> None:
    for argument, value in unused.items():
        if value is not None:
            expected = 'nothing with missing_labels="unknown", which is for scores of two classes, without weights'
            raise wrong_value(value, argument, expected)


def _ledgers(groups: Any, y_true: Any, y_score: Any, positive: object, options: tuple[str, str]) -> LedgerGroups:
    policy, infinite = options
    if policy == "omit":
        policy, keep = "raise", _complete({"y_score": y_score})
        if keep is not None:
            groups, y_true, y_score = groups.kept(keep), kept(y_true, keep, "y_true"), kept(y_score, keep, "y_score")
    rows = Rows.split(y_true, y_score, missing(y_true, "y_true"), positive)
    return LedgerGroups._of_rows(groups, rows, positive, (policy, infinite))


def _check_given(y_pred: Any, y_score: Any, threshold: Any) -> None:
    if y_pred is None and y_score is None:
        raise InputError("y_pred and y_score are None; expected at least one of them", argument="y_pred")
    if y_pred is not None:
        refuse_unused(threshold)


def coded(values: Any, argument: Literal["y_true", "y_pred"]) -> Any:
    """Labels as the extension takes them; text and other objects are hashed here, once."""
    found = _rocksteady.coded_labels(values, argument)
    return values if found is None else found


def _threshold(given: Any) -> float:
    number = real(given, "threshold")
    if number != number:
        raise wrong_value(given, "threshold", "a number")
    return number


def _ranked(labels: list[Any] | None, positive: Any) -> Any:
    """The positive label among the given labels, if scores are ranked."""
    if labels is None:
        return positive
    if len(labels) != 2:
        raise wrong_value(labels, "labels", "two labels with y_score")
    if positive is not None and positive not in labels:
        raise wrong_value(positive, "pos_label", f"one of the labels {shown(labels)}")
    return max(labels) if positive is None else positive


def _in_order(matrix: ConfusionMatrix, order: Any) -> ConfusionMatrix:
    """The matrix with its classes in the order of the ordered categories of `y_true`, if there are such."""
    categories = None if order is None else categories_in_order(order)
    found = list(matrix.labels)
    if categories is None or not set(found) <= set(categories) or len(found) < 2:
        return matrix
    return matrix.reorder([label for label in categories if label in found])


def _complete(columns: dict[str, Any]) -> NDArray[np.bool_] | None:
    """The rows without a missing label or score; None if no row has one."""
    masks = [missing(column, name) for name, column in columns.items() if column is not None]
    found = [mask for mask in masks if mask is not None and mask.any()]
    if not found or len({len(mask) for mask in found}) > 1:  # columns of several lengths are refused later
        return None
    keep: NDArray[np.bool_] = ~np.logical_or.reduce(found)
    if not keep.any():
        raise InputError(
            f"each of the {len(keep)} rows has a missing value; expected rows without, as nan_policy='omit' leaves "
            "the others out",
            argument="nan_policy",
        )
    return keep

"""scikit-learn's displays of classifiers: the same names, options and attributes; matplotlib draws, and is needed to.

A display holds what is to be drawn and draws it on any axes, as often as asked: ``from_predictions``, ``from_estimator`` and
``from_cv_results`` compute with this package's functions, ``plot`` draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._rocksteady import normal_deviates
from rocksteady.base.estimators import is_classifier
from rocksteady.errors import InputError
from rocksteady.metrics._classification import confusion_matrix
from rocksteady.metrics._curves import auc, det_curve, precision_recall_curve, roc_curve
from rocksteady.metrics._probability import calibration_curve
from rocksteady.metrics._ranking import average_precision_score
from rocksteady.metrics._scorer import _response
from rocksteady.metrics._validation import (
    check_array,
    check_consistent_length,
    check_pos_label_consistency,
    num_samples,
    type_of_target,
    unique_labels,
    warn,
)
from rocksteady.plot.artist import properties, pyplot, unframe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

_SEVERAL = {"alpha": 0.5, "linestyle": "--", "color": "blue"}
_CHANCE = {"color": "k", "linestyle": "--"}
_UNIT_AXES = {"xlim": (-0.01, 1.01), "ylim": (-0.01, 1.01), "aspect": "equal"}
_DET_TICKS = (0.001, 0.01, 0.05, 0.20, 0.5, 0.80, 0.95, 0.99, 0.999)


# What displays of curves share ------------------------------------------------------------------------------------------


def _listed(value: Any) -> Any:
    """One or several as several; None stays None."""
    return value if value is None or isinstance(value, list) else [value]


def _check_lengths(display: str, needed: Mapping[str, Any], optional: Mapping[str, Any]) -> None:
    lists = {**needed, **{name: value for name, value in optional.items() if isinstance(value, list)}}
    if len({len(value) for value in lists.values()}) > 1:
        *others, last = lists
        plot = " (or `plot`)" if "'name' (or self.name)" in lists else ""
        lengths = ", ".join(f"{name}: {len(value)}" for name, value in lists.items())
        raise InputError(
            f"{', '.join(others)} and {last} from `{display}` initialization{plot}, should all be lists of the same length. "
            f"Got: {lengths}"
        )


def _no_old_name(y_score: Any, y_pred: Any) -> Any:
    """The scores, whichever of two names they were given by."""
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_score
    if y_score is not None:
        raise InputError(
            "`y_pred` and `y_score` cannot be both specified. Please use `y_score` only as `y_pred` was deprecated in 1.8 and "
            "will be removed in 1.10."
        )
    warn("y_pred was deprecated in 1.8 and will be removed in 1.10. Please use `y_score` instead.", FutureWarning)
    return y_pred


def _label(name: str | None, kind: str, value: float | None, spread: float | None = None) -> str | None:
    """The words of a legend: a name, a number, both or none."""
    if value is None:
        return name
    number = f"{kind} = {value:0.2f}" + ("" if spread is None else f" +/- {spread:0.2f}")
    return number if name is None else f"{name} ({number})"


def _labels(names: Sequence[str | None], kind: str, values: Sequence[float | None] | None, together: bool) -> list[Any]:
    """The words for each curve; together they have one legend, the mean and its spread, that stands with the first."""
    if not together:
        return [_label(name, kind, value) for name, value in zip(names, values or [None] * len(names), strict=True)]
    mean, spread = (float(np.mean(values)), float(np.std(values))) if values else (None, None)  # type: ignore[arg-type]
    return [_label(names[0], kind, mean, spread), *[None] * (len(names) - 1)]


class _CurveDisplay:
    """Reading arguments and asking estimators, for the displays of a classifier of two classes."""

    ax_: Any
    figure_: Any

    def _take_axes(self, ax: Any) -> Any:
        plt = pyplot(f"{type(self).__name__}.plot")
        self.ax_ = plt.subplots()[1] if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_

    @classmethod
    def _asked(cls, estimator: Any, X: Any, method: str, pos_label: Any, name: Any) -> tuple[Any, Any, Any]:
        """An estimator's scores, which label they are about, and the estimator's name."""
        pyplot(f"{cls.__name__}.from_estimator")
        scores, pos_label = cls._scores(estimator, X, method, pos_label)
        return scores, pos_label, type(estimator).__name__ if name is None else name

    @staticmethod
    def _scores(estimator: Any, X: Any, method: str, pos_label: Any) -> tuple[Any, Any]:
        if hasattr(estimator, "__sklearn_tags__"):
            import_module("sklearn.utils.validation").check_is_fitted(estimator)  # the estimator is scikit-learn's
        wrong = "Expected 'estimator' to be a binary classifier."
        if not is_classifier(estimator):
            raise InputError(f"{wrong} Got {type(estimator).__name__} instead.")
        if len(estimator.classes_) != 2:
            raise InputError(f"{wrong} Got {len(estimator.classes_)} classes instead.")
        wanted = ("predict_proba", "decision_function") if method == "auto" else method
        scores = _response(estimator, X, wanted, pos_label)
        return scores, estimator.classes_[-1] if pos_label is None else pos_label

    @classmethod
    def _checked(cls, y_true: Any, y_score: Any, sample_weight: Any, pos_label: Any, name: Any) -> tuple[Any, str]:
        """The positive label and the name, for labels of two classes."""
        pyplot(f"{cls.__name__}.from_predictions")
        kind = type_of_target(y_true)
        if kind != "binary":
            raise InputError(f"The target y is not binary. Got {kind} type of target.")
        check_consistent_length(y_true, y_score, sample_weight)
        return check_pos_label_consistency(pos_label, y_true), "Classifier" if name is None else name

    @classmethod
    def _folds(
        cls, cv_results: Any, X: Any, y: Any, sample_weight: Any, method: str, pos_label: Any
    ) -> Iterator[tuple[Any, Any, Any, Any]]:
        """Labels, scores, weights and positive label of each fold that `cross_validate` left out."""
        pyplot(f"{cls.__name__}.from_cv_results")
        needed = {"estimator", "indices"}
        if not all(key in cv_results for key in needed):
            raise InputError(
                f"`cv_results` does not contain one of the following required keys: {needed}. Set explicitly the parameters "
                "`return_estimator=True` and `return_indices=True` to the function`cross_validate`."
            )
        rows = len(cv_results["indices"]["train"][0]) + len(cv_results["indices"]["test"][0])
        if num_samples(X) != rows:
            raise InputError(
                f"`X` does not contain the correct number of samples. Expected {rows}, got {num_samples(X)}."
            )
        if type_of_target(y) != "binary":
            raise InputError(f"The target `y` is not binary. Got {type_of_target(y)} type of target.")
        check_consistent_length(X, y, sample_weight)

        def part(values: Any, rows: Any) -> Any:
            return values.iloc[rows] if hasattr(values, "iloc") else _rows(values, rows)

        for estimator, test in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
            scores, label = cls._scores(estimator, part(X, test), method, pos_label)
            yield part(y, test), scores, None if sample_weight is None else part(sample_weight, test), label

    def _about(self) -> str:
        label = getattr(self, "pos_label", None)
        return "" if label is None else f" (Positive label: {label})"


def _rows(values: Any, rows: Any) -> Any:
    if hasattr(values, "shape"):
        return values[rows]
    return [values[row] for row in rows]


def _curve_properties(
    names: Any, kind: str, values: Any, count: int, given: Any, default: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """The properties of each of several curves, their labels among them."""
    if isinstance(given, list) and len(given) != count:
        raise InputError(f"`curve_kwargs` must be None, a dictionary or a list of length {count}. Got: {given}.")
    if isinstance(names, list) and len(names) != 1 and not isinstance(given, list):
        raise InputError(
            "To avoid labeling individual curves that have the same appearance, `curve_kwargs` should be a list of "
            f"{count} dictionaries. Alternatively, set `name` to `None` or a single string to label a single legend "
            "entry for all curves."
        )
    named: list[str | None] = [None] * count if names is None else list(names)
    if len(named) == 1:
        named *= count
    together = count > 1 and not isinstance(given, list)
    labels = _labels(named, kind, values, together)
    each = given if isinstance(given, list) else [given] * count
    if not all(one is None or isinstance(one, Mapping) for one in each):
        raise InputError(f"`curve_kwargs` must be None, a dictionary or a list of length {count}. Got: {given}.")
    base = {**(default or {}), **(_SEVERAL if count > 1 else {})}
    return [properties({"label": label, **base}, one) for label, one in zip(labels, each, strict=True)]


def _one_or_all(artists: list[Any]) -> Any:
    return artists[0] if len(artists) == 1 else artists


class RocCurveDisplay(_CurveDisplay):
    """The ROC curve, drawn: scikit-learn's display, computed by `rocksteady.metrics.roc_curve`.

    Parameters
    ----------
    fpr, tpr : ndarray or list of ndarrays
        False and true positive rates, of one curve or of several.
    roc_auc : float or list of floats, optional
        The area for the legend.
    name : str or list of str, optional
        The name for the legend.
    pos_label : label, optional
        The positive class, named beside the axes.

    Attributes
    ----------
    line_ : matplotlib artist or list of them
    chance_level_ : matplotlib artist or None
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from rocksteady.metrics import RocCurveDisplay
    >>> display = RocCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.roc_auc, display.line_.get_label()
    (0.75, 'Classifier (AUC = 0.75)')
    """

    line_: Any
    chance_level_: Any

    def __init__(self, *, fpr: Any, tpr: Any, roc_auc: Any = None, name: Any = None, pos_label: Any = None) -> None:
        self.fpr = fpr
        self.tpr = tpr
        self.roc_auc = roc_auc
        self.name = name
        self.pos_label = pos_label

    def plot(
        self,
        ax: Any = None,
        *,
        name: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draws the curves on `ax`, or on axes of their own.

        Parameters
        ----------
        ax : matplotlib axes, optional
        name : str or list of str, optional
            Instead of the display's own.
        curve_kwargs : dict or list of dict, optional
            matplotlib's properties of the lines, for all curves or for each.
        plot_chance_level : bool
            Draw the diagonal too, with the properties `chance_level_kw`.
        despine : bool
            Leave out the upper and the right edge of the axes.
        """
        axes = self._take_axes(ax)
        fprs, tprs, areas = _listed(self.fpr), _listed(self.tpr), _listed(self.roc_auc)
        names = _listed(self.name if name is None else name)
        optional = {"self.roc_auc": areas}
        if isinstance(names, list) and len(names) != 1:
            optional["'name' (or self.name)"] = names
        _check_lengths("RocCurveDisplay", {"self.fpr": fprs, "self.tpr": tprs}, optional)
        each = _curve_properties(names, "AUC", areas, len(fprs), curve_kwargs)
        lines: list[Any] = []
        for fpr, tpr, how in zip(fprs, tprs, each, strict=True):
            lines.extend(axes.plot(fpr, tpr, **how))
        self.line_ = _one_or_all(lines)
        about = self._about()
        axes.set(xlabel=f"False Positive Rate{about}", ylabel=f"True Positive Rate{about}", **_UNIT_AXES)
        chance = properties({"label": "Chance level (AUC = 0.5)", **_CHANCE}, chance_level_kw)
        self.chance_level_ = axes.plot((0, 1), (0, 1), **chance)[0] if plot_chance_level else None
        if despine:
            unframe(axes)
        if each[0].get("label") is not None or (plot_chance_level and chance.get("label") is not None):
            axes.legend(loc="lower right")
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        response_method: str = "auto",
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Asks a fitted classifier of two classes for its scores of `X`, and draws; options as for `from_predictions`."""
        y_score, pos_label, name = cls._asked(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(
            y,
            y_score,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
            pos_label=pos_label,
            name=name,
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Computes the curve of scores and draws it.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n,)
        sample_weight, drop_intermediate, pos_label
            As for `rocksteady.metrics.roc_curve`.
        name, ax, curve_kwargs, plot_chance_level, chance_level_kw, despine
            As for `plot`.
        """
        pos_label, name = cls._checked(y_true, y_score, sample_weight, pos_label, name)
        fpr, tpr, _ = roc_curve(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, drop_intermediate=drop_intermediate
        )
        display = cls(fpr=fpr, tpr=tpr, roc_auc=auc(fpr, tpr), name=name, pos_label=pos_label)
        return display.plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        response_method: str = "auto",
        pos_label: Any = None,
        ax: Any = None,
        name: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kwargs: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draws a curve for each fold of scikit-learn's `cross_validate`, called with its estimators and indices returned."""
        curves, areas, label = [], [], pos_label
        for truth, scores, weights, label in cls._folds(cv_results, X, y, sample_weight, response_method, pos_label):
            fpr, tpr, _ = roc_curve(
                truth, scores, pos_label=label, sample_weight=weights, drop_intermediate=drop_intermediate
            )
            curves.append((fpr, tpr))
            areas.append(auc(fpr, tpr))
        display = cls(
            fpr=[fpr for fpr, _ in curves], tpr=[tpr for _, tpr in curves], roc_auc=areas, name=name, pos_label=label
        )
        return display.plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kwargs,
            despine=despine,
        )


class PrecisionRecallDisplay(_CurveDisplay):
    """The precision-recall curve, drawn: scikit-learn's display, computed by `rocksteady.metrics.precision_recall_curve`.

    Parameters
    ----------
    precision, recall : ndarray or list of ndarrays
        Of one curve or of several.
    average_precision : float or list of floats, optional
        For the legend.
    name : str or list of str, optional
        The name for the legend.
    pos_label : label, optional
        The positive class, named beside the axes.
    prevalence_pos_label : float or list of floats, optional
        The share of the positive class: the chance level.

    Attributes
    ----------
    line_ : matplotlib artist or list of them
    chance_level_ : matplotlib artist, list of them, or None
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from rocksteady.metrics import PrecisionRecallDisplay
    >>> display = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model")
    >>> display.line_.get_label(), display.prevalence_pos_label
    ('model (AP = 0.83)', 0.5)
    """

    line_: Any
    chance_level_: Any

    def __init__(
        self,
        precision: Any,
        recall: Any,
        *,
        average_precision: Any = None,
        name: Any = None,
        pos_label: Any = None,
        prevalence_pos_label: Any = None,
        estimator_name: Any = "deprecated",
    ) -> None:
        self.precision = precision
        self.recall = recall
        self.average_precision = average_precision
        if estimator_name != "deprecated":
            if name:
                raise InputError(
                    "Cannot provide both `estimator_name` and `name`. `estimator_name` is deprecated in 1.8 and will be "
                    "removed in 1.10. Use `name` only."
                )
            sentence = "`estimator_name` is deprecated in 1.8 and will be removed in 1.10. Use `name` instead."
            warn(sentence, FutureWarning)
            name = estimator_name
        self.name = name
        self.pos_label = pos_label
        self.prevalence_pos_label = prevalence_pos_label

    def plot(
        self,
        ax: Any = None,
        *,
        name: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
        **kwargs: Any,
    ) -> Self:
        """Draws the curves, in steps, on `ax` or on axes of their own; options as for `RocCurveDisplay.plot`.

        `kwargs` is an older form of `curve_kwargs`.
        """
        axes = self._take_axes(ax)
        precisions, recalls, areas = _listed(self.precision), _listed(self.recall), _listed(self.average_precision)
        prevalences, names = _listed(self.prevalence_pos_label), _listed(self.name if name is None else name)
        optional = {"self.average_precision": areas, "self.prevalence_pos_label": prevalences}
        if isinstance(names, list) and len(names) != 1:
            optional["'name' (or self.name)"] = names
        _check_lengths("PrecisionRecallDisplay", {"self.precision": precisions, "self.recall": recalls}, optional)
        if curve_kwargs and kwargs:
            raise InputError(
                "Cannot provide both `curve_kwargs` and `kwargs`. `**kwargs` is deprecated and will be removed in 1.11. Pass "
                "all matplotlib arguments to `curve_kwargs` as a dictionary."
            )
        if kwargs:
            warn(
                "`**kwargs` is deprecated and will be removed in 1.11. Pass all matplotlib arguments to `curve_kwargs` as a "
                "dictionary instead.",
                FutureWarning,
            )
            curve_kwargs = kwargs
        count = len(precisions)
        each = _curve_properties(names, "AP", areas, count, curve_kwargs, {"drawstyle": "steps-post"})
        lines: list[Any] = []
        for precision, recall, how in zip(precisions, recalls, each, strict=True):
            lines.extend(axes.plot(recall, precision, **how))
        self.line_ = _one_or_all(lines)
        about = self._about()
        axes.set(xlabel=f"Recall{about}", ylabel=f"Precision{about}", **_UNIT_AXES)
        self.chance_level_ = self._chance(prevalences, count, chance_level_kw) if plot_chance_level else None
        if despine:
            unframe(axes)
        if each[0].get("label") is not None or (plot_chance_level and "label" in (chance_level_kw or {})):
            axes.legend(loc="lower left")
        return self

    def _chance(self, prevalences: list[float] | None, count: int, given: Mapping[str, Any] | None) -> Any:
        if prevalences is None:
            raise InputError(
                "You must provide prevalence_pos_label when constructing the PrecisionRecallDisplay object in order to plot "
                "the chance level line. Alternatively, you may use PrecisionRecallDisplay.from_estimator or "
                "PrecisionRecallDisplay.from_predictions to automatically set prevalence_pos_label"
            )
        how = properties({**_CHANCE, **({"alpha": 0.3} if count > 1 else {})}, given)
        lines: list[Any] = []
        for prevalence in prevalences:
            lines.extend(self.ax_.plot((0, 1), (prevalence, prevalence), **how))
        if "label" not in how:
            spread = f" +/- {np.std(prevalences):0.2f}" if count > 1 else ""
            lines[0].set_label(f"Chance level (AP = {np.mean(prevalences):0.2f}{spread})")
        return lines[0] if count == 1 else lines

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = False,
        response_method: str = "auto",
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
        **kwargs: Any,
    ) -> Self:
        """Asks a fitted classifier of two classes for its scores of `X`, and draws; options as for `from_predictions`."""
        y_score, pos_label, name = cls._asked(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(
            y,
            y_score,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
            pos_label=pos_label,
            name=name,
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = False,
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
        y_pred: Any = "deprecated",
        **kwargs: Any,
    ) -> Self:
        """Computes the curve of scores and draws it; options as for `rocksteady.metrics.precision_recall_curve` and `plot`."""
        y_true = check_array(y_true, ensure_2d=False, dtype=None)
        y_score = _no_old_name(y_score, y_pred)
        pos_label, name = cls._checked(y_true, y_score, sample_weight, pos_label, name)
        precision, recall, _ = precision_recall_curve(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, drop_intermediate=drop_intermediate
        )
        display = cls(
            precision=precision,
            recall=recall,
            average_precision=average_precision_score(
                y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
            ),
            name=name,
            pos_label=pos_label,
            prevalence_pos_label=int(np.count_nonzero(y_true == pos_label)) / len(y_true),
        )
        return display.plot(
            ax=ax,
            name=name,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
            **kwargs,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        response_method: str = "auto",
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = False,
        chance_level_kwargs: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draws a curve for each fold of scikit-learn's `cross_validate`, called with its estimators and indices returned."""
        curves, areas, shares, label = [], [], [], pos_label
        for truth, scores, weights, label in cls._folds(cv_results, X, y, sample_weight, response_method, pos_label):
            precision, recall, _ = precision_recall_curve(
                truth, scores, pos_label=label, sample_weight=weights, drop_intermediate=drop_intermediate
            )
            curves.append((precision, recall))
            areas.append(average_precision_score(truth, scores, pos_label=label, sample_weight=weights))
            shares.append(np.count_nonzero(np.asarray(truth) == label) / len(truth))
        display = cls(
            precision=[precision for precision, _ in curves],
            recall=[recall for _, recall in curves],
            average_precision=areas,
            name=name,
            pos_label=label,
            prevalence_pos_label=shares,
        )
        return display.plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kwargs,
            despine=despine,
        )


class DetCurveDisplay(_CurveDisplay):
    """The detection error trade-off on axes of normal deviates: scikit-learn's display.

    Parameters
    ----------
    fpr, fnr : ndarray
        False positive and false negative rates.
    estimator_name : str, optional
        The name for the legend.
    pos_label : label, optional
        The positive class, named beside the axes.

    Attributes
    ----------
    line_ : matplotlib artist
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from rocksteady.metrics import DetCurveDisplay
    >>> DetCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model").line_.get_label()
    'model'
    """

    line_: Any

    def __init__(self, *, fpr: Any, fnr: Any, estimator_name: Any = None, pos_label: Any = None) -> None:
        self.fpr = fpr
        self.fnr = fnr
        self.estimator_name = estimator_name
        self.pos_label = pos_label

    def plot(self, ax: Any = None, *, name: Any = None, **kwargs: Any) -> Self:
        """Draws the curve on `ax` or on axes of its own; `kwargs` are matplotlib's properties of the line."""
        axes = self._take_axes(ax)
        name = self.estimator_name if name is None else name
        how = {**({} if name is None else {"label": name}), **kwargs}
        # Rates of 0 and 1 lie infinitely far out.
        least = np.finfo(self.fpr.dtype).eps
        self.fpr, self.fnr = (rates.clip(least, 1 - least) for rates in (self.fpr, self.fnr))
        (self.line_,) = axes.plot(normal_deviates(self.fpr), normal_deviates(self.fnr), **how)
        about = self._about()
        axes.set(xlabel=f"False Positive Rate{about}", ylabel=f"False Negative Rate{about}")
        if "label" in how:
            axes.legend(loc="lower right")
        ticks = normal_deviates(np.array(_DET_TICKS))
        words = [f"{tick:.0%}" if (100 * tick).is_integer() else f"{tick:.1%}" for tick in _DET_TICKS]
        for set_ticks, set_words, set_limits in (
            (axes.set_xticks, axes.set_xticklabels, axes.set_xlim),
            (axes.set_yticks, axes.set_yticklabels, axes.set_ylim),
        ):
            set_ticks(ticks)
            set_words(words)
            set_limits(-3, 3)
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        response_method: str = "auto",
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Asks a fitted classifier of two classes for its scores of `X`, and draws; options as for `from_predictions`."""
        y_score, pos_label, name = cls._asked(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(
            y,
            y_score,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
            pos_label=pos_label,
            name=name,
            ax=ax,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        y_pred: Any = "deprecated",
        **kwargs: Any,
    ) -> Self:
        """Computes the curve of scores and draws it; options as for `rocksteady.metrics.det_curve` and `plot`."""
        y_score = _no_old_name(y_score, y_pred)
        label, name = cls._checked(y_true, y_score, sample_weight, pos_label, name)
        fpr, fnr, _ = det_curve(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, drop_intermediate=drop_intermediate
        )
        return cls(fpr=fpr, fnr=fnr, estimator_name=name, pos_label=label).plot(ax=ax, name=name, **kwargs)


class CalibrationDisplay(_CurveDisplay):
    """The calibration curve, drawn: scikit-learn's display, computed by `rocksteady.metrics.calibration_curve`.

    Parameters
    ----------
    prob_true : ndarray
        The share of positives in each bin.
    prob_pred : ndarray
        The mean probability in each bin.
    y_prob : ndarray
        The probabilities of all rows.
    estimator_name : str, optional
        The name for the legend.
    pos_label : label, optional
        The positive class, named beside the axes.

    Attributes
    ----------
    line_ : matplotlib artist
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from rocksteady.metrics import CalibrationDisplay
    >>> display = CalibrationDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8], n_bins=2)
    >>> display.prob_true.round(3).tolist()
    [0.333, 1.0]
    """

    line_: Any

    def __init__(
        self, prob_true: Any, prob_pred: Any, y_prob: Any, *, estimator_name: Any = None, pos_label: Any = None
    ) -> None:
        self.prob_true = prob_true
        self.prob_pred = prob_pred
        self.y_prob = y_prob
        self.estimator_name = estimator_name
        self.pos_label = pos_label

    def plot(self, *, ax: Any = None, name: Any = None, ref_line: bool = True, **kwargs: Any) -> Self:
        """Draws the curve, and with `ref_line` the diagonal, on `ax` or on axes of their own."""
        axes = self._take_axes(ax)
        name = self.estimator_name if name is None else name
        default = {"marker": "s", "linestyle": "-", **({} if name is None else {"label": name})}
        ideal = "Perfectly calibrated"
        if ref_line and ideal not in axes.get_legend_handles_labels()[1]:
            axes.plot([0, 1], [0, 1], "k:", label=ideal)
        self.line_ = axes.plot(self.prob_pred, self.prob_true, **properties(default, kwargs))[0]
        axes.legend(loc="lower right")
        about = "" if self.pos_label is None else f"(Positive class: {self.pos_label})"
        axes.set(xlabel=f"Mean predicted probability {about}", ylabel=f"Fraction of positives {about}")
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_bins: int = 5,
        strategy: str = "uniform",
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        ref_line: bool = True,
        **kwargs: Any,
    ) -> Self:
        """Asks a fitted classifier of two classes for its probabilities of `X`, and draws."""
        y_prob, pos_label, name = cls._asked(estimator, X, "predict_proba", pos_label, name)
        return cls.from_predictions(
            y,
            y_prob,
            n_bins=n_bins,
            strategy=strategy,
            pos_label=pos_label,
            name=name,
            ax=ax,
            ref_line=ref_line,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        n_bins: int = 5,
        strategy: str = "uniform",
        pos_label: Any = None,
        name: Any = None,
        ax: Any = None,
        ref_line: bool = True,
        **kwargs: Any,
    ) -> Self:
        """Computes the curve of probabilities and draws it; options as for `rocksteady.metrics.calibration_curve`."""
        label, name = cls._checked(y_true, y_prob, None, pos_label, name)
        prob_true, prob_pred = calibration_curve(
            y_true,
            y_prob,
            n_bins=n_bins,
            strategy=strategy,  # type: ignore[arg-type]  # refused there if it is another word
            pos_label=pos_label,
        )
        display = cls(prob_true, prob_pred, y_prob, estimator_name=name, pos_label=label)
        return display.plot(ax=ax, ref_line=ref_line, **kwargs)


class ConfusionMatrixDisplay:
    """A confusion matrix, drawn: scikit-learn's display, computed by `rocksteady.metrics.confusion_matrix`.

    Parameters
    ----------
    confusion_matrix : ndarray of shape (K, K)
        Rows actual, columns predicted.
    display_labels : array-like of K labels, optional
        The names of the classes.

    Attributes
    ----------
    im_ : matplotlib image
    text_ : ndarray of matplotlib texts, or None
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from rocksteady.metrics import ConfusionMatrixDisplay
    >>> display = ConfusionMatrixDisplay.from_predictions([0, 1, 1], [0, 1, 0])
    >>> display.text_[1, 0].get_text()
    '1'
    """

    im_: Any
    text_: Any
    ax_: Any
    figure_: Any

    def __init__(self, confusion_matrix: Any, *, display_labels: Any = None) -> None:
        self.confusion_matrix = confusion_matrix
        self.display_labels = display_labels

    def plot(
        self,
        *,
        include_values: bool = True,
        cmap: Any = "viridis",
        xticks_rotation: Any = "horizontal",
        values_format: str | None = None,
        ax: Any = None,
        colorbar: bool = True,
        im_kw: Mapping[str, Any] | None = None,
        text_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draws the matrix.

        Parameters
        ----------
        include_values : bool
            Write the numbers into the cells, in `values_format`; by default as short as two digits allow.
        cmap : str or matplotlib colormap
        xticks_rotation : {"vertical", "horizontal"} or float
        ax : matplotlib axes, optional
        colorbar : bool
        im_kw, text_kw : dict, optional
            matplotlib's properties of the image and of the texts.
        """
        plt = pyplot("ConfusionMatrixDisplay.plot")
        axes = plt.subplots()[1] if ax is None else ax
        cells = self.confusion_matrix
        count = cells.shape[0]
        self.im_ = axes.imshow(cells, **properties({"interpolation": "nearest", "cmap": cmap}, im_kw))
        self.text_ = None
        if include_values:
            # Light on dark and dark on light.
            low, high, middle = self.im_.cmap(0), self.im_.cmap(1.0), (cells.max() + cells.min()) / 2.0
            self.text_ = np.empty_like(cells, dtype=object)
            for (row, column), cell in np.ndenumerate(cells):
                default = {"ha": "center", "va": "center", "color": high if cell < middle else low}
                how = properties(properties({}, default), text_kw)
                self.text_[row, column] = axes.text(column, row, _cell(cell, values_format), **how)
        labels = np.arange(count) if self.display_labels is None else self.display_labels
        if colorbar:
            axes.figure.colorbar(self.im_, ax=axes)
        axes.set(
            xticks=np.arange(count),
            yticks=np.arange(count),
            xticklabels=labels,
            yticklabels=labels,
            ylabel="True label",
            xlabel="Predicted label",
        )
        axes.set_ylim((count - 0.5, -0.5))
        plt.setp(axes.get_xticklabels(), rotation=xticks_rotation)
        self.ax_, self.figure_ = axes, axes.figure
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        normalize: Any = None,
        display_labels: Any = None,
        include_values: bool = True,
        xticks_rotation: Any = "horizontal",
        values_format: str | None = None,
        cmap: Any = "viridis",
        ax: Any = None,
        colorbar: bool = True,
        im_kw: Mapping[str, Any] | None = None,
        text_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Asks a fitted classifier for its predictions of `X`, and draws; options as for `from_predictions`."""
        caller = f"{cls.__name__}.from_estimator"
        pyplot(caller)
        if not is_classifier(estimator):
            raise InputError(f"{caller} only supports classifiers")
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=labels,
            sample_weight=sample_weight,
            normalize=normalize,
            display_labels=display_labels,
            include_values=include_values,
            xticks_rotation=xticks_rotation,
            values_format=values_format,
            cmap=cmap,
            ax=ax,
            colorbar=colorbar,
            im_kw=im_kw,
            text_kw=text_kw,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        normalize: Any = None,
        display_labels: Any = None,
        include_values: bool = True,
        xticks_rotation: Any = "horizontal",
        values_format: str | None = None,
        cmap: Any = "viridis",
        ax: Any = None,
        colorbar: bool = True,
        im_kw: Mapping[str, Any] | None = None,
        text_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Counts predictions and draws; options as for `rocksteady.metrics.confusion_matrix` and `plot`."""
        pyplot(f"{cls.__name__}.from_predictions")
        if display_labels is None:
            display_labels = _labels_of(y_true, y_pred) if labels is None else labels
        cells = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight, normalize=normalize)
        return cls(cells, display_labels=display_labels).plot(
            include_values=include_values,
            xticks_rotation=xticks_rotation,
            values_format=values_format,
            cmap=cmap,
            ax=ax,
            colorbar=colorbar,
            im_kw=im_kw,
            text_kw=text_kw,
        )


def _cell(cell: Any, how: str | None) -> str:
    """A number as short as two digits allow.

    >>> _cell(np.int64(12), None), _cell(np.int64(1234567), None), _cell(np.float64(0.3333), None)
    ('12', '1.2e+06', '0.33')
    """
    if how is not None:
        return format(cell, how)
    short = format(cell, ".2g")
    if cell.dtype.kind == "f":
        return short
    whole = format(cell, "d")
    return whole if len(whole) < len(short) else short


def _labels_of(*columns: Any) -> Any:
    kinds = {type_of_target(column) for column in columns}
    if kinds == {"binary", "multiclass"}:
        kinds = {"multiclass"}
    if len(kinds) > 1:
        raise InputError(f"Mix type of y not allowed, got types {kinds}")
    return unique_labels(*(np.asarray(column) for column in columns), kind=kinds.pop())

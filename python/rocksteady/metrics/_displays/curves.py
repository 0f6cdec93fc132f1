"""scikit-learn's displays of curves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, InitVar, dataclass
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady._matplotlib import properties, pyplot, unframe
from rocksteady._rocksteady import normal_deviates
from rocksteady.charts.chart import PRECISION, PROBABILITY, RECALL
from rocksteady.charts.curves import PRECISION_RECALL, ROC
from rocksteady.columns.estimators import is_classifier
from rocksteady.errors import InputError
from rocksteady.metrics._curves import auc, det_curve, precision_recall_curve, roc_curve
from rocksteady.metrics._displays.options import passes_to
from rocksteady.metrics._probability import calibration_curve
from rocksteady.metrics._ranking import average_precision_score
from rocksteady.metrics._scorer import answer
from rocksteady.metrics._warning import warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

_SEVERAL = {"alpha": 0.5, "linestyle": "--", "color": "blue"}
_CHANCE = {"color": "k", "linestyle": "--"}
_UNIT_AXES = {"xlim": (-0.01, 1.01), "ylim": (-0.01, 1.01), "aspect": "equal"}
_FPR = "False Positive Rate"
_DET_TICKS = (0.001, 0.01, 0.05, 0.20, 0.5, 0.80, 0.95, 0.99, 0.999)


# What displays of curves share ----------------------------------------------------------------------------------------


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
            f"{', '.join(others)} and {last} from `{display}` initialization{plot}, should all be lists of the same "
            f"length. Got: {lengths}"
        )


def _no_old_name(y_score: Any, y_pred: Any) -> Any:
    """The scores, whichever of two names they were given by."""
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_score
    if y_score is not None:
        raise InputError(
            "`y_pred` and `y_score` cannot be both specified. Please use `y_score` only as `y_pred` was deprecated in "
            "1.8 and will be removed in 1.10."
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


def _two_classes(y_true: Any, name: str = "y") -> list[Any]:
    """The labels, of which there are two at most; fractions are none."""
    labels = np.unique(np.asarray(y_true))
    has_fractions = labels.dtype.kind == "f" and (labels[np.isfinite(labels)] % 1).any()
    if has_fractions or len(labels) > 2:
        kind = "continuous" if has_fractions else "multiclass"
        raise InputError(f"The target {name} is not binary. Got {kind} type of target.")
    return list(labels.tolist())


class _CurveDisplay:
    """Reading arguments and asking estimators, for the displays of a classifier of two classes."""

    line_: Any
    ax_: Any
    figure_: Any

    def _take_axes(self, ax: Any) -> Any:
        plt = pyplot(f"{type(self).__name__}.plot")
        self.ax_ = plt.subplots()[1] if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_

    @classmethod
    def _of_estimator(
        cls, estimator: Any, X: Any, y: Any, method: str, *, pos_label: Any = None, name: Any = None, **kwargs: Any
    ) -> Self:
        """Draws an estimator's scores, under its name."""
        pyplot(f"{cls.__name__}.from_estimator")
        scores, pos_label = cls._scores(estimator, X, method, pos_label)
        name = type(estimator).__name__ if name is None else name
        draw: Any = cls.from_predictions  # type: ignore[attr-defined]  # each display has its own
        display: Self = draw(y, scores, pos_label=pos_label, name=name, **kwargs)
        return display

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
        scores = answer(estimator, wanted, X, pos_label)
        return scores, estimator.classes_[-1] if pos_label is None else pos_label

    @classmethod
    def _checked(cls, y_true: Any, pos_label: Any, name: Any) -> tuple[Any, str]:
        """The positive label, by default 1 where the labels are 0 and 1 or -1 and 1, and the name."""
        pyplot(f"{cls.__name__}.from_predictions")
        name, labels = "Classifier" if name is None else name, _two_classes(y_true)
        if pos_label is not None:
            return pos_label, name
        if labels not in ([0, 1], [-1, 1], [0], [-1], [1]):
            listed = ", ".join(map(repr, labels))
            raise InputError(
                f"y_true takes value in {{{listed}}} and pos_label is not specified: either make y_true take value in "
                "{0, 1} or {-1, 1} or pass pos_label explicitly."
            )
        return 1, name

    @classmethod
    def _folds(
        cls, cv_results: Any, X: Any, y: Any, sample_weight: Any, method: str, pos_label: Any
    ) -> Iterator[tuple[Any, Any, Any, Any]]:
        """Labels, scores, weights and positive label of each fold that `cross_validate` left out."""
        pyplot(f"{cls.__name__}.from_cv_results")
        needed = {"estimator", "indices"}
        if not all(key in cv_results for key in needed):
            raise InputError(
                f"`cv_results` does not contain one of the following required keys: {needed}. Set explicitly the "
                "parameters `return_estimator=True` and `return_indices=True` to the function`cross_validate`."
            )
        rows = len(cv_results["indices"]["train"][0]) + len(cv_results["indices"]["test"][0])
        given = [values for values in (X, y, sample_weight) if values is not None]
        lengths = [values.shape[0] if hasattr(values, "shape") else len(values) for values in given]
        if lengths[0] != rows:
            raise InputError(f"`X` does not contain the correct number of samples. Expected {rows}, got {lengths[0]}.")
        _two_classes(y, "`y`")
        if len(set(lengths)) > 1:
            raise InputError(f"Found input variables with inconsistent numbers of samples: {lengths}")

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


class _FoldDisplay(_CurveDisplay, ABC):
    """A display of one curve or of one for each fold: those of ROC and of precision and recall."""

    chance_level_: Any
    name: Any
    pos_label: Any

    # The attributes of a curve: its two columns, the number in the legend, and others. The labels of the x and y axes.
    _attributes: ClassVar[tuple[str, ...]]
    _axes: ClassVar[Mapping[str, str]]
    _symbol: ClassVar[str]
    _corner: ClassVar[str]
    _style: ClassVar[Mapping[str, Any]] = {}

    @staticmethod
    @abstractmethod
    def _measured(y: Any, scores: Any, pos_label: Any, weights: Any, drop: bool) -> tuple[Any, ...]:
        """The attributes of one curve."""

    @classmethod
    def _made(cls, attributes: Mapping[str, Any], name: Any, pos_label: Any) -> Self:
        make: Callable[..., Self] = cls
        return make(**attributes, name=name, pos_label=pos_label)

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
            Draw what chance gives too, with the properties `chance_level_kw`.
        despine : bool
            Leave out the upper and the right edge of the axes.
        """
        axes = self._take_axes(ax)
        columns = {attribute: _listed(getattr(self, attribute)) for attribute in self._attributes}
        names = _listed(self.name if name is None else name)
        given = [(f"self.{attribute}", column) for attribute, column in columns.items()]
        if isinstance(names, list) and len(names) != 1:
            given.append(("'name' (or self.name)", names))
        _check_lengths(type(self).__name__, dict(given[:2]), dict(given[2:]))
        xs, ys = (columns[attribute] for attribute in self._axes)
        each = _curve_properties(names, self._symbol, given[2][1], len(xs), curve_kwargs, self._style)
        self.line_ = _one_or_all([axes.plot(x, y, **how)[0] for x, y, how in zip(xs, ys, each, strict=True)])
        x_label, y_label = (f"{words}{self._about()}" for words in self._axes.values())
        axes.set(xlabel=x_label, ylabel=y_label, **_UNIT_AXES)
        self.chance_level_ = self._chance(len(xs), chance_level_kw or {}) if plot_chance_level else None
        if despine:
            unframe(axes)
        if each[0].get("label") is not None or (plot_chance_level and self._names_chance(chance_level_kw or {})):
            axes.legend(loc=self._corner)
        return self

    @abstractmethod
    def _chance(self, count: int, given: Mapping[str, Any]) -> Any:
        """Draws what chance gives."""

    def _names_chance(self, given: Mapping[str, Any]) -> bool:
        """Whether the legend has what chance gives, even if it has no curve."""
        return "label" in given

    @classmethod
    @passes_to(plot)
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        pos_label: Any = None,
        name: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Computes the curve of scores and draws it.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n,)
        sample_weight, drop_intermediate, pos_label
            As for the function of `rocksteady.metrics` that gives the curve.
        name, **kwargs
            As for `plot`.
        """
        pos_label, name = cls._checked(y_true, pos_label, name)
        curve = cls._measured(y_true, y_score, pos_label, sample_weight, drop_intermediate)
        return cls._made(dict(zip(cls._attributes, curve, strict=True)), name, pos_label).plot(**kwargs)

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
        """Draws a curve for each fold of `cross_validate`, called with ``return_estimator`` and ``return_indices``."""
        curves, label = [], pos_label
        for truth, scores, weights, label in cls._folds(cv_results, X, y, sample_weight, response_method, pos_label):
            curves.append(cls._measured(truth, scores, label, weights, drop_intermediate))
        columns = zip(cls._attributes, map(list, zip(*curves, strict=True)), strict=True)
        return cls._made(dict(columns), name, label).plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kwargs,
            despine=despine,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class RocCurveDisplay(_FoldDisplay):
    """The ROC curve: scikit-learn's display, computed by `rocksteady.metrics.roc_curve`.

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

    _attributes: ClassVar[tuple[str, ...]] = ("fpr", "tpr", "roc_auc")
    _axes: ClassVar[Mapping[str, str]] = {"fpr": _FPR, "tpr": "True Positive Rate"}
    _symbol = ROC.symbol
    _corner = "lower right"

    fpr: Any
    tpr: Any
    roc_auc: Any = None
    name: Any = None
    pos_label: Any = None

    @staticmethod
    def _measured(y: Any, scores: Any, pos_label: Any, weights: Any, drop: bool) -> tuple[Any, ...]:
        fpr, tpr, _ = roc_curve(y, scores, pos_label=pos_label, sample_weight=weights, drop_intermediate=drop)
        return fpr, tpr, auc(fpr, tpr)

    def _chance(self, count: int, given: Mapping[str, Any]) -> Any:  # noqa: ARG002 (it is the same for all curves)
        chance = properties({"label": "Chance level (AUC = 0.5)", **_CHANCE}, given)
        return self.ax_.plot((0, 1), (0, 1), **chance)[0]

    def _names_chance(self, given: Mapping[str, Any]) -> bool:
        return given.get("label", "") is not None

    @classmethod
    @passes_to(_FoldDisplay.from_predictions)
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, response_method: str = "auto", **kwargs: Any) -> Self:
        """Draws the scores of a fitted classifier of two classes for `X`; options as for `from_predictions`."""
        return cls._of_estimator(estimator, X, y, response_method, **kwargs)


@dataclass(eq=False, repr=False)
class PrecisionRecallDisplay(_FoldDisplay):
    """The precision-recall curve: scikit-learn's display, computed by `rocksteady.metrics.precision_recall_curve`.

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

    _attributes: ClassVar[tuple[str, ...]] = ("precision", "recall", "average_precision", "prevalence_pos_label")
    _axes: ClassVar[Mapping[str, str]] = {"recall": RECALL.label, "precision": PRECISION.label}
    _symbol = PRECISION_RECALL.symbol
    _corner = "lower left"
    _style: ClassVar[Mapping[str, Any]] = {"drawstyle": "steps-post"}

    precision: Any
    recall: Any
    _: KW_ONLY
    average_precision: Any = None
    name: Any = None
    pos_label: Any = None
    prevalence_pos_label: Any = None
    estimator_name: InitVar[Any] = "deprecated"

    def __post_init__(self, estimator_name: Any) -> None:
        if estimator_name == "deprecated":
            return
        if self.name:
            raise InputError(
                "Cannot provide both `estimator_name` and `name`. `estimator_name` is deprecated in 1.8 and will "
                "be removed in 1.10. Use `name` only."
            )
        sentence = "`estimator_name` is deprecated in 1.8 and will be removed in 1.10. Use `name` instead."
        warn(sentence, FutureWarning)
        self.name = estimator_name

    @staticmethod
    def _measured(y: Any, scores: Any, pos_label: Any, weights: Any, drop: bool) -> tuple[Any, ...]:
        precision, recall, _ = precision_recall_curve(
            y, scores, pos_label=pos_label, sample_weight=weights, drop_intermediate=drop
        )
        average = average_precision_score(y, scores, pos_label=pos_label, sample_weight=weights)
        return precision, recall, average, int(np.count_nonzero(np.asarray(y) == pos_label)) / len(y)

    @passes_to(_FoldDisplay.plot, keeps_others=True)
    def plot(self, ax: Any = None, *, curve_kwargs: Any = None, **kwargs: Any) -> Self:
        """Draws the curves, in steps, on `ax` or on axes of their own; options as for `RocCurveDisplay.plot`.

        Other options are an older form of `curve_kwargs`.
        """
        own = {name: kwargs.pop(name) for name in signature(_FoldDisplay.plot).parameters if name in kwargs}
        if curve_kwargs and kwargs:
            raise InputError(
                "Cannot provide both `curve_kwargs` and `kwargs`. `**kwargs` is deprecated and will be removed in "
                "1.11. Pass all matplotlib arguments to `curve_kwargs` as a dictionary."
            )
        if kwargs:
            warn(
                "`**kwargs` is deprecated and will be removed in 1.11. Pass all matplotlib arguments to `curve_kwargs` "
                "as a dictionary instead.",
                FutureWarning,
            )
        return super().plot(ax, curve_kwargs=kwargs or curve_kwargs, **own)

    def _chance(self, count: int, given: Mapping[str, Any]) -> Any:
        prevalences = _listed(self.prevalence_pos_label)
        if prevalences is None:
            raise InputError(
                "You must provide prevalence_pos_label when constructing the PrecisionRecallDisplay object in order to "
                "plot the chance level line. Alternatively, you may use PrecisionRecallDisplay.from_estimator or "
                "PrecisionRecallDisplay.from_predictions to automatically set prevalence_pos_label"
            )
        how = properties({**_CHANCE, **({"alpha": 0.3} if count > 1 else {})}, given)
        lines = [self.ax_.plot((0, 1), (share, share), **how)[0] for share in prevalences]
        if "label" not in how:
            spread = f" +/- {np.std(prevalences):0.2f}" if count > 1 else ""
            lines[0].set_label(f"Chance level (AP = {np.mean(prevalences):0.2f}{spread})")
        return lines[0] if count == 1 else lines

    @classmethod
    @passes_to(_FoldDisplay.from_predictions, keeps_others=True)
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        drop_intermediate: bool = False,
        y_pred: Any = "deprecated",
        **kwargs: Any,
    ) -> Self:
        """Computes and draws the curve; options as for `rocksteady.metrics.precision_recall_curve` and `plot`."""
        y_score = _no_old_name(y_score, y_pred)
        return super().from_predictions(np.asarray(y_true), y_score, drop_intermediate=drop_intermediate, **kwargs)

    @classmethod
    @passes_to(from_predictions)
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, response_method: str = "auto", **kwargs: Any) -> Self:
        """Draws the scores of a fitted classifier of two classes for `X`; options as for `from_predictions`."""
        return cls._of_estimator(estimator, X, y, response_method, **kwargs)


@dataclass(kw_only=True, eq=False, repr=False)
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

    fpr: Any
    fnr: Any
    estimator_name: Any = None
    pos_label: Any = None

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
        axes.set(xlabel=f"{_FPR}{about}", ylabel=f"False Negative Rate{about}")
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
        """Computes and draws the curve; options as for `rocksteady.metrics.det_curve` and `plot`."""
        y_score = _no_old_name(y_score, y_pred)
        label, name = cls._checked(y_true, pos_label, name)
        fpr, fnr, _ = det_curve(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, drop_intermediate=drop_intermediate
        )
        return cls(fpr=fpr, fnr=fnr, estimator_name=name, pos_label=label).plot(ax=ax, name=name, **kwargs)

    @classmethod
    @passes_to(from_predictions)
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, response_method: str = "auto", **kwargs: Any) -> Self:
        """Draws the scores of a fitted classifier of two classes for `X`; options as for `from_predictions`."""
        return cls._of_estimator(estimator, X, y, response_method, **kwargs)


@dataclass(eq=False, repr=False)
class CalibrationDisplay(_CurveDisplay):
    """The calibration curve: scikit-learn's display, computed by `rocksteady.metrics.calibration_curve`.

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

    prob_true: Any
    prob_pred: Any
    y_prob: Any
    _: KW_ONLY
    estimator_name: Any = None
    pos_label: Any = None

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
        axes.set(xlabel=f"{PROBABILITY.label} {about}", ylabel=f"Fraction of positives {about}")
        return self

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
        """Computes and draws the curve; options as for `rocksteady.metrics.calibration_curve`."""
        label, name = cls._checked(y_true, pos_label, name)
        prob_true, prob_pred = calibration_curve(
            y_true,
            y_prob,
            n_bins=n_bins,
            strategy=strategy,  # type: ignore[arg-type]  # refused there if it is another word
            pos_label=pos_label,
        )
        display = cls(prob_true, prob_pred, y_prob, estimator_name=name, pos_label=label)
        return display.plot(ax=ax, ref_line=ref_line, **kwargs)

    @classmethod
    @passes_to(from_predictions)
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **kwargs: Any) -> Self:
        """Draws the probabilities of a fitted classifier of two classes for `X`; options as for `from_predictions`."""
        return cls._of_estimator(estimator, X, y, "predict_proba", **kwargs)

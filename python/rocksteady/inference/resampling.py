"""The bootstrap: any index of many resamples of the same rows, from one sort."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, named, one_of, real, several, shown, string, whole, wrong_value
from rocksteady.base.containers import rows_of
from rocksteady.base.named_columns import refused_as
from rocksteady.base.result import Result
from rocksteady.base.statistic import Additive
from rocksteady.base.table import Table, repr_html
from rocksteady.base.warning import warn
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.categories import positive_in_order
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError
from rocksteady.inference.clusters import codes_of
from rocksteady.inference.difference import level_of
from rocksteady.inference.interval import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite

BootstrapMethod = Literal["percentile", "basic", "bca"]
Resample = Literal["multinomial", "poisson"]
BandKind = Literal["simultaneous", "pointwise", "campbell"]
RandomState = int | np.random.Generator | None

_METHODS: Final = ("percentile", "basic", "bca")
_RESAMPLES: Final = ("multinomial", "poisson")

# A larger share of replicates without a value gives a warning.
_MANY_UNDEFINED: Final = 0.01

# With fewer rows of a class, a simultaneous band is too narrow.
_FEW: Final = 100


@dataclass(frozen=True, slots=True)
class _Plan:
    """The options of resampling."""

    indices: tuple[str, ...]
    threshold: float
    n_resamples: int
    seed: int
    resample: str
    stratify: str | None
    method: str
    level: float
    is_keyed: bool = False

    def asked(self) -> tuple[list[str], float, int, int, str, bool]:
        """The arguments for the extension."""
        is_stratified = self.stratify == "label"
        return list(self.indices), self.threshold, self.n_resamples, self.seed, self.resample, is_stratified


@dataclass(frozen=True, slots=True)
class _Replicated:
    """One index of one model: value, acceleration if known, values in the replicates, number of undefined ones."""

    estimate: float
    acceleration: float | None
    values: NDArray[np.float64]
    undefined: int
    why: str | None = None


_Counts = tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]"]


@dataclass(frozen=True, slots=True)
class _Model:
    """The indices of one model, and tp, fp, fn, tn of the table and of each replicate."""

    indices: dict[str, _Replicated]
    counts: _Counts | None = None
    own: tuple[float, float, float, float] | None = None


# The acceleration of the first model minus the second, by index; None where it is unknown.
_Pairs = dict[tuple["str | None", "str | None"], dict[str, "float | None"]]


def _added(one: Any, other: Any) -> Any:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _less(one: Any, other: Any) -> Any:
    """The cells of a table minus the cells of another, which must be a part of it."""
    cells = tuple(a - b for a, b in zip(one, other, strict=True))
    if any(np.any(np.less(cell, 0)) for cell in cells):
        raise InputError("cannot subtract: the second has rows that are not among the rows of the first")
    return cells


class Bootstrap(WaysOut, Additive):
    """Indices with their values in many resamples of the rows; of `bootstrap`, ``cm.bootstrap`` and ``table.bootstrap``.

    ``boot["roc_auc"]`` is an `Interval`; of several models, one for each by name. Two results of count indices with keys
    add up to the result of all rows, to the bit: ``boot_a + boot_b``.

    Examples
    --------
    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    >>> boot = cm.bootstrap(["accuracy", "mcc"], random_state=0)
    >>> boot.summary()
    index     estimate       low     high  standard_error  undefined
    accuracy      0.85     0.805      0.9       0.0240277          0
    mcc       0.699087  0.601918  0.79876       0.0482738          0
    """

    __slots__ = ("_models", "_pairs", "_plan")

    def __init__(self, plan: _Plan, models: dict[str | None, _Model], pairs: _Pairs | None = None) -> None:
        self._plan = plan
        self._models = models
        self._pairs = pairs or {}

    @property
    def indices(self) -> tuple[str, ...]:
        """The names of the indices."""
        return self._plan.indices

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models; empty for a single one."""
        return tuple(name for name in self._models if name is not None)

    @property
    def n_resamples(self) -> int:
        """The number of replicates."""
        return self._plan.n_resamples

    @property
    def method(self) -> str:
        """How intervals are made of replicates: "percentile", "basic" or "bca"."""
        return self._plan.method

    @property
    def resample(self) -> str:
        """How replicates are drawn: "multinomial" or "poisson"."""
        return self._plan.resample

    @property
    def stratify(self) -> str | None:
        """Whether replicates keep the size of each class: "label", or None."""
        return self._plan.stratify

    @property
    def random_state(self) -> int:
        """The seed. The same seed gives the same replicates."""
        return self._plan.seed

    def __getitem__(self, name: str) -> Any:
        """The interval of an index; of several models, one for each by name."""
        each = {model: self.interval(name, model) for model in self._models}
        return each if self.names else each[None]

    def _found(self, name: str, model: str | None) -> _Replicated:
        known = several(self.names) or "None, as there is one model without a name"
        found = self._models[named(model, "model", self._models, f"one of {known}")].indices
        string(name, "name", "the name of an index")
        known_name = name if name in found else _rocksteady.index_name(name)
        if known_name not in found:
            raise UnknownIndexError(f"{shown(name)} was not bootstrapped; these were: {', '.join(found)}")
        return found[known_name]

    def interval(
        self,
        name: str,
        model: str | None = None,
        *,
        method: BootstrapMethod | None = None,
        level: float | None = None,
    ) -> Interval:
        """The interval of one index of one model.

        Parameters
        ----------
        name : str
            One of `indices`.
        model : str, optional
            One of `names`, if there are several.
        method : {"percentile", "basic", "bca"}, optional
            Default: that of the call.
        level : float, optional
            Between 0 and 1. Default: that of the call.

        Raises
        ------
        rocksteady.UnknownIndexError
            If the index was not bootstrapped.
        rocksteady.InputError
            If `model`, `method` or `level` is none of these.
        """
        found = self._found(name, model)
        return self._interval(found.estimate, found.values, found.acceleration, method, level, found.why)

    def _interval(
        self,
        estimate: float,
        values: NDArray[np.float64],
        acceleration: float | None,
        method: str | None,
        level: float | None,
        why: str | None = None,
    ) -> Interval:
        asked = self._plan.method if method is None else method
        one_of(asked, "method", _METHODS)
        level = self._plan.level if level is None else level_of(level)
        used, note = asked, None
        if asked == "bca" and acceleration is None:
            used = "percentile"
            note = "The influence of single rows on this value is not known, so there is no BCa interval."
        low, high, error, undefined = _rocksteady.bootstrap_interval(values, estimate, acceleration or 0.0, used, level)
        if undefined:
            said = f"{undefined} of {len(values)} replicates have no value and are left out."
            note = said if note is None else f"{note} {said}"
        if why is None and undefined == len(values):
            why = "No replicate has a value."
        return Interval(estimate, low, high, level, used, "two-sided", error, why, note)

    def every(self, name: str, model: str | None = None) -> NDArray[np.float64]:
        """The index in each replicate: shape (n_resamples,); NaN where it is undefined. Read-only."""
        return self._found(name, model).values

    @property
    def undefined(self) -> dict[str, Any]:
        """How many replicates have no value, by index; of several models, by model and index."""
        each = {
            model: {name: one.undefined for name, one in found.indices.items()} for model, found in self._models.items()
        }
        return {str(model): one for model, one in each.items()} if self.names else each[None]

    def difference(
        self, name: str, a: str, b: str, *, method: BootstrapMethod | None = None, level: float | None = None
    ) -> Interval:
        """The index of model `a` minus that of model `b`, from the replicates that they share.

        Parameters
        ----------
        name : str
            One of `indices`.
        a, b : str
            Two of `names`.
        method : {"percentile", "basic", "bca"}, optional
            Default: that of the call. "bca" needs the influences of the rows on both models, so the call must have been
            for "bca" intervals; where they are not known it becomes "percentile" and says so.
        level : float, optional
            Default: that of the call.

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            As `interval`.

        >>> import rocksteady as rs
        >>> y = [0, 0, 0, 1, 1, 1, 0, 1, 0, 1]
        >>> models = {"a": [1, 3, 2, 4, 6, 5, 3, 7, 2, 3], "b": [1, 3, 2, 4, 2, 5, 3, 1, 2, 3]}
        >>> boot = rs.inference.bootstrap(y, models, "roc_auc", stratify="label", random_state=0)
        >>> round(boot.difference("roc_auc", "a", "b").estimate, 6)
        0.3
        """
        one, other = self._found(name, a), self._found(name, b)
        return self._interval(
            one.estimate - other.estimate,
            one.values - other.values,
            self._acceleration(_rocksteady.index_name(name), a, b),
            method,
            level,
        )

    def _acceleration(self, name: str, a: str, b: str) -> float | None:
        if (a, b) in self._pairs:
            return self._pairs[a, b][name]
        turned = self._pairs.get((b, a), {}).get(name)
        return None if turned is None else -turned

    def summary(self) -> Table:
        """Every index, of every model, with its interval: one row each."""
        heads = ["index", "estimate", "low", "high", "standard_error", "undefined"]
        rows: list[list[Any]] = []
        for model, found in self._models.items():
            for name, one in found.indices.items():
                made = self.interval(name, model)
                cells = [name, made.estimate, made.low, made.high, made.standard_error, one.undefined]
                rows.append(cells if model is None else [model, *cells])
        return Table(["model", *heads] if self.names else heads, rows)

    def _plus(self, other: Bootstrap) -> Bootstrap:
        """The bootstrap of the rows of both, whose keys decided the draws."""
        return self._joined(other, _added)

    def __sub__(self, other: object) -> Bootstrap:
        """The bootstrap of the rows here that are not those of `other`, drawn by their keys: ``(a + b) - b`` is ``a``."""
        return self._joined(other, _less) if isinstance(other, Bootstrap) else NotImplemented

    def _joined(self, other: Bootstrap, how: Callable[[Any, Any], Any]) -> Bootstrap:
        if not (self._plan.is_keyed and other._plan.is_keyed):
            raise InputError(
                'replicates add up only if rows were drawn by their keys: resample="poisson", key=...', argument="key"
            )
        if self._plan != other._plan or list(self._models) != list(other._models):
            raise InputError(
                "the two differ in indices, models, threshold, n_resamples, random_state, method or level; "
                "expected the same",
                argument="other",
            )
        return Bootstrap(self._plan, {name: self._of_both(name, other._models[name], how) for name in self._models})

    def _of_both(self, name: str | None, other: _Model, how: Callable[[Any, Any], Any]) -> _Model:
        own = self._models[name]
        others = [index for index in self.indices if not _rocksteady.bootstrap_reads_counts(index)]
        if others:
            raise InputError(
                f"{several(others)} of pooled rows do not follow from the replicates of the parts; expected indices "
                "of counts at a threshold only",
                argument="indices",
            )
        if own.counts is None or other.counts is None:
            raise InputError("replicates of rows with weights are not added; expected none", argument="sample_weight")
        return _of_counts(self._plan, how(own.counts, other.counts), how(own.own, other.own))

    def __repr__(self) -> str:
        models = f", {len(self.names)} models" if self.names else ""
        return (
            f"<rocksteady.inference.Bootstrap of {', '.join(self.indices)}{models}; {self.n_resamples} replicates, "
            f"{self.resample}, {self.method}>"
        )

    _repr_html_ = repr_html


@dataclass(frozen=True, eq=False, repr=False)
class Band(Result):
    """A curve with a band; entry *i* of each array belongs to x[i].

    Attributes
    ----------
    x : numpy.ndarray
        From 0 to 1 at equal distances: the false positive rate ("roc"), the recall ("precision_recall"), the share of
        rows predicted positive ("gain").
    estimate : numpy.ndarray
        The curve: the true positive rate, the precision, or the recall.
    low, high : numpy.ndarray
        The band.
    level : float
        The share of samples whose band holds the true curve ("simultaneous", "campbell") or the true point
        ("pointwise").
    kind : str
        "simultaneous", "pointwise" or "campbell".
    curve : str
        "roc", "precision_recall" or "gain".
    undefined : int
        How many replicates had no curve and were left out.
    note : str or None
        What speaks against the band.
    """

    x: NDArray[np.float64]
    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    kind: str
    curve: str
    undefined: int
    note: str | None = None

    _first: ClassVar[tuple[str, ...]] = ("x", "estimate", "low", "high")


def seed_of(random_state: object) -> int:
    """The seed that a random state stands for."""
    if random_state is None:
        return secrets.randbits(63)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    return whole(random_state, "random_state", "None, a whole number of 0 and more, or a numpy Generator", least=0)


def _plan(
    indices: str | Sequence[str],
    *,
    threshold: float,
    n_resamples: int,
    method: str,
    resample: str,
    stratify: object,
    level: float,
    random_state: object,
    is_keyed: bool = False,
) -> _Plan:
    given = [indices] if isinstance(indices, str) else listed(indices, "indices", "names of indices")
    if not given:
        raise InputError("indices is empty; expected the names of indices", argument="indices")
    names = [_rocksteady.index_name(string(name, "indices", "names of indices")) for name in given]
    one_of(method, "method", _METHODS)
    one_of(resample, "resample", _RESAMPLES)
    if stratify is not None:
        one_of(stratify, "stratify", ("label",))
        if resample == "poisson":
            raise wrong_value(
                stratify, "stratify", 'None with resample="poisson", which draws each row apart from all others'
            )
    at = real(threshold, "threshold")
    if at != at:
        raise wrong_value(threshold, "threshold", "a number")
    number = whole(n_resamples, "n_resamples", "a whole number from 2 to 10,000,000", least=2)
    if number > 10_000_000:
        raise wrong_value(n_resamples, "n_resamples", "a whole number from 2 to 10,000,000")
    return _Plan(
        tuple(dict.fromkeys(names)),
        at,
        number,
        seed_of(random_state),
        resample,
        None if stratify is None else "label",
        method,
        level_of(level),
        is_keyed,
    )


def _model(plan: _Plan, told: Any, own: tuple[float, float, float, float] | None = None) -> _Model:
    found, counts = told
    each = {}
    for name, (estimate, why, acceleration, values, undefined) in zip(plan.indices, found, strict=True):
        values.setflags(write=False)
        each[name] = _Replicated(estimate, acceleration, values, undefined, why)
    return _Model(each, None if counts is None else tuple(counts), own)


def _of_counts(plan: _Plan, counts: _Counts, own: tuple[float, float, float, float]) -> _Model:
    values = _rocksteady.bootstrap_counts(counts, plan.asked())
    four = tuple(np.array([cell]) for cell in own)
    estimates = _rocksteady.bootstrap_counts(four, plan.asked())  # type: ignore[arg-type]  # four of them
    each = zip(plan.indices, estimates, values, strict=True)
    found = {name: _Replicated(float(one[0]), None, drawn, int(np.isnan(drawn).sum())) for name, one, drawn in each}
    return _Model(found, counts, own)


def _warned(boot: Bootstrap) -> Bootstrap:
    """Warn once about replicates without a value."""
    worst, said = 0, ""
    for model, found in boot._models.items():
        for name, one in found.indices.items():
            if one.undefined > worst and one.why is None:
                worst, said = one.undefined, f"{shown(name)}" if model is None else f"{shown(name)} of {shown(model)}"
    if worst > _MANY_UNDEFINED * boot.n_resamples:
        stratify = "" if boot.stratify else '; stratify="label" keeps rows of both classes in each replicate'
        warn(
            f"{said} has no value in {worst} of {boot.n_resamples} replicates, which are left out: the interval is that "
            f"of the others{stratify}"
        )
    return boot


def of_matrix(
    state: _rocksteady.ConfusionState, positive: int | None, indices: str | Sequence[str], **options: Any
) -> Bootstrap:
    """The bootstrap of a confusion matrix; see ``ConfusionMatrix.bootstrap``."""
    plan = _plan(indices, threshold=0.5, **options)
    told = _rocksteady.bootstrap_matrix(state, positive, plan.asked(), plan.method == "bca")
    return _warned(Bootstrap(plan, {None: _model(plan, told)}))


def of_scores(state: _rocksteady.ScoreState, indices: str | Sequence[str], **options: Any) -> Bootstrap:
    """The bootstrap of a score table; see ``ScoreTable.bootstrap``."""
    plan = _plan(indices, **options)
    told = _rocksteady.bootstrap_scores(state, plan.asked(), plan.method == "bca")
    return _warned(Bootstrap(plan, {None: _model(plan, told)}))


def band_of(
    state: _rocksteady.ScoreState,
    curve: str,
    *,
    kind: str,
    level: float,
    points: int,
    n_resamples: int,
    random_state: object,
) -> Band:
    """The band of a score table; see ``ScoreTable.band``."""
    one_of(curve, "curve", ("roc", "precision_recall", "gain"))
    one_of(kind, "kind", ("simultaneous", "pointwise", "campbell"))
    number = whole(points, "points", "a whole number from 2 to 10,000", least=2)
    if number > 10_000:
        raise wrong_value(points, "points", "a whole number from 2 to 10,000")
    plan = _plan(
        "roc_auc",
        threshold=0.5,
        n_resamples=n_resamples,
        method="percentile",
        resample="multinomial",
        # The rates of an ROC curve condition on the class; precision and the selected share need both class sizes to
        # vary.
        stratify="label" if curve == "roc" else None,
        level=level,
        random_state=random_state,
    )
    (x, estimate, low, high), undefined = _rocksteady.bootstrap_band(
        state, curve, kind, plan.level, number, plan.asked()
    )
    note = None
    rarest = min(state.totals) if curve == "roc" else state.totals[0]
    if kind == "simultaneous" and rarest < _FEW:
        note = f"A class has {rarest:g} rows, and below {_FEW} this band is somewhat too narrow."
        if curve == "roc":
            note += ' The one that holds for any number is kind="campbell".'
    if kind == "pointwise":
        note = "Each point has this level. The whole curve leaves the band in most samples."
    return Band(x, estimate, low, high, plan.level, kind, curve, undefined, note)


def _keys(values: Any) -> NDArray[np.uint64]:
    """64 bits for each key: the number itself, or a hash of text."""
    refuse_missing(values, "key", "a whole number or text")
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"key has shape {array.shape}; expected (n,)", argument="key")
    if array.dtype.kind in "bi":
        return array.astype(np.int64).view(np.uint64)
    if array.dtype.kind == "u":
        return array.astype(np.uint64)
    found = array.tolist()
    keys = np.empty(len(found), np.uint64)
    for row, key in enumerate(found):
        if isinstance(key, str):
            keys[row] = int.from_bytes(hashlib.blake2b(key.encode(errors="surrogatepass"), digest_size=8).digest())
        elif isinstance(key, int):
            keys[row] = key % 2**64
        else:
            raise InputTypeError(
                f"key[{row}] is {shown(key)}; expected a whole number or text", argument="key", row=row, value=str(key)
            )
    return keys


def _checked_length(column: Any, argument: str, rows: int) -> None:
    if len(column) != rows:
        raise InputError(
            f"{argument} has {len(column)} rows and y_true has {rows}; expected as many", argument=argument
        )


def bootstrap(
    y_true: ArrayLike,
    y_score: ArrayLike | Mapping[str, ArrayLike],
    indices: str | Sequence[str] = ("roc_auc", "average_precision"),
    *,
    threshold: float = 0.5,
    n_resamples: int = 1000,
    method: BootstrapMethod = "percentile",
    resample: Resample = "multinomial",
    stratify: Literal["label"] | None = None,
    cluster: ArrayLike | None = None,
    key: ArrayLike | None = None,
    random_state: RandomState = None,
    sample_weight: ArrayLike | None = None,
    level: float = 0.95,
    pos_label: object = None,
    infinite: Infinite = "raise",
) -> Bootstrap:
    """Bootstrap indices of one or several models: intervals from resamples of the rows.

    A resample draws as many rows as there are, with replacement. Rows are sorted once, and a replicate is how often each
    row was drawn. Models share their replicates, so the interval of a difference is there, too. The same `random_state`
    gives the same bits for any number of threads.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels of two kinds.
    y_score : array-like of shape (n,), or mapping of str to such
        Scores, of one model or of several by name.
    indices : str or sequence of str
        Any index of scores ("roc_auc", "ks", "brier", "h_measure"), and any index of counts ("f1", "mcc"), which is then
        that at `threshold`.
    threshold : float
        Rows with at least this score are predicted positive.
    n_resamples : int
        The number of replicates, 2 or more.
    method : {"percentile", "basic", "bca"}
        How intervals are made. "percentile": quantiles of the replicates, linear between them. "basic": twice the
        estimate minus them. "bca": quantiles corrected for bias and skewness (Efron 1987,
        doi:10.1080/01621459.1987.10478410); the acceleration comes from the influence of the rows, added up within
        clusters and keys. Where that is not known, the interval is "percentile" and says so.
    resample : {"multinomial", "poisson"}
        "multinomial": a resample has n rows. "poisson": each row is drawn as often as a Poisson number of mean 1 says,
        apart from all others.
    stratify : {"label"}, optional
        Keep the number of rows of each class. For rates within classes, such as AUC and recall, of data where the sizes
        of the classes were chosen. Average precision, precision, F1 and accuracy depend on the prevalence: keeping it
        makes their intervals too short where it is a matter of chance.
    cluster : array-like of shape (n,), optional
        Which rows belong together, such as those of one patient. Clusters are drawn whole.
    key : array-like of shape (n,), optional
        A whole number or text for each row; needs ``resample="poisson"``. How often a row is drawn follows from its key
        and `random_state` alone: the same for any order and split of the rows. Rows that share a key are drawn
        together.
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
    plan = _plan(
        indices,
        threshold=threshold,
        n_resamples=n_resamples,
        method=method,
        resample=resample,
        stratify=stratify,
        level=level,
        random_state=random_state,
        is_keyed=key is not None,
    )
    if key is not None and resample != "poisson":
        raise wrong_value(resample, "resample", '"poisson" with key, as only it draws each row apart from all others')
    if cluster is not None and (key is not None or stratify is not None):
        other = "key" if key is not None else "stratify"
        cure = "the clusters themselves as key" if key is not None else "one of them"
        raise InputError(f"cluster is given with {other}; expected {cure}", argument="cluster")
    models: dict[Any, Any] = dict(y_score) if isinstance(y_score, Mapping) else {None: y_score}
    if not models:
        raise InputError("y_score is empty; expected the scores of a model", argument="y_score")
    said = {name: "y_score" if name is None else f"y_score[{name!r}]" for name in models}
    others = {"sample_weight": sample_weight, "cluster": cluster, "key": key}
    columns = paired(y_true, {**{said[name]: column for name, column in models.items()}, **others})
    positive = positive_in_order(y_true) if pos_label is None else pos_label
    truth: Any = without_index(y_true)
    codes = None if cluster is None else codes_of(without_index(columns["cluster"]), "cluster")
    keys = None if key is None else _keys(without_index(columns["key"]))
    if codes is not None:
        _checked_length(codes[0], "cluster", rows_of(truth, "y_true"))
    if keys is not None:
        _checked_length(keys, "key", rows_of(truth, "y_true"))
    is_bca = plan.method == "bca"
    scores = [columns[said[name]] for name in models]
    weights, options = columns["sample_weight"], (positive, "raise", infinite)
    if models.keys() == {None} and codes is None and keys is None and weights is None:
        state = _rocksteady.ScoreState.sweep((truth, scores[0], None), options)
        return _warned(Bootstrap(plan, {None: _model(plan, _rocksteady.bootstrap_scores(state, plan.asked(), is_bca))}))
    rows = (codes, keys, plan.asked(), is_bca)
    try:
        told, pairs = _rocksteady.bootstrap_rows(truth, scores, weights, options, *rows)
    except (InputError, InputTypeError):
        # A refusal of a column does not know the models: each model is checked alone, under its own name.
        for name, column in zip(models, scores, strict=True):
            with refused_as("y_score", said[name]):
                _rocksteady.ScoreState.sweep((truth, column, weights), options)
        raise
    each = zip(models, told, strict=True)
    found = {name: _model(plan, one, state.at(plan.threshold, ">=")) for name, (state, one) in each}
    names = list(models)
    of_pairs = {(names[a], names[b]): dict(zip(plan.indices, own, strict=True)) for a, b, own in pairs}
    return _warned(Bootstrap(plan, found, of_pairs))

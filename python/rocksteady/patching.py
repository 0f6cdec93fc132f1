"""Replace scikit-learn's metrics by ours in place, and put them back.

`patch_sklearn` replaces scikit-learn's functions in `sklearn.metrics`, in its submodules, in scikit-learn's scorers,
and under every name that another module of scikit-learn has already imported. Later imports find ours. If our function
cannot take the arguments, scikit-learn's function gets the call, so errors are scikit-learn's own.

- Names that a program imported before patching keep scikit-learn's functions.
- Names that it imported while patched call scikit-learn's functions again after `unpatch_sklearn`.
- Pickles can be read in any process, patched or not. Those of scorers and searches made while patched can also be
  read without rocksteady.
- Worker processes are not patched by their parent.

>>> import rocksteady as rs
>>> import sklearn.metrics
>>> with rs.patched_sklearn() as patched:
...     "sklearn.metrics.roc_auc_score" in patched["roc_auc_score"]
...     sklearn.metrics.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
True
0.75
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any

import numpy as np

from rocksteady import metrics
from rocksteady.base.table import Table
from rocksteady.metrics import _scorer
from rocksteady.metrics._drop_in import have_same_parameters, home_of

__all__ = ["Patched", "Verification", "patch_sklearn", "patched_sklearn", "unpatch_sklearn"]

Function = Callable[..., Any]

# scikit-learn's list also has the scorers of regression and clustering.
_NOT_REPLACED = ("get_scorer_names",)
# These return objects, which cannot be compared.
_NOT_VERIFIED = ("check_scoring", "get_scorer", "make_scorer")
_SHARING_SINCE = (1, 9)


# Reports ----------------------------------------------------------------------------------------------------------


@dataclass
class Verification:
    """The comparison of one function with scikit-learn's.

    Attributes
    ----------
    calls : int
        The number of calls compared: those in which both functions returned a value.
    ulps : float
        The largest difference in units in the last place. Infinite if shapes, keys or texts differ, or if only one is
        NaN.
    warnings, exceptions : int
        The number of calls with different warnings, and of calls in which only scikit-learn raised an exception.
    worst : tuple or None
        The two results that differ most: ours, and scikit-learn's.
    float32 : int
        The number of calls with arrays of float32 or float16 whose results differ by no more than scikit-learn's
        rounding, since it computes in the type of the array and we compute in double. They do not count in `ulps`.
    """

    calls: int = 0
    ulps: float = 0.0
    warnings: int = 0
    exceptions: int = 0
    worst: tuple[Any, Any] | None = field(default=None, repr=False)
    float32: int = field(default=0, repr=False)

    def largest(self) -> float | str:
        """The largest difference, or why there is one."""
        if not self.float32:
            return self.ulps
        return f"{self.ulps:g}; scikit-learn sums in float32 here" if self.ulps else "scikit-learn sums in float32 here"


class Patched(Mapping[str, tuple[str, ...]]):
    """The functions replaced: for each name, the places where the function was replaced.

    Attributes
    ----------
    skipped : dict of str to str
        Functions that were not replaced, and why.
    fallbacks : collections.Counter
        The number of calls passed to scikit-learn's function, because ours refused the arguments or
        ``array_api_dispatch`` was on.
    verified : dict of str to Verification
        With ``verify=True``, the comparison of each function.
    """

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, ...]] = {}
        self.skipped: dict[str, str] = {}
        self.fallbacks: Counter[str] = Counter()
        self.verified: dict[str, Verification] = {}

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._places[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def summary(self) -> Table:
        """With ``verify=True`` the functions called. Otherwise those replaced, in how many places, and those skipped.

        >>> import rocksteady as rs
        >>> import sklearn.metrics
        >>> with rs.patched_sklearn(verify=True) as patched:
        ...     score = sklearn.metrics.accuracy_score([0, 1, 1], [0, 1, 0])
        >>> patched.summary()
        function        calls  fell back  largest difference (ulp)  warnings differ  exceptions differ
        accuracy_score      1          0                         0                0                  0
        """
        if self.verified:
            columns = ("function", "calls", "fell back", "largest difference (ulp)", "warnings differ")
            rows = [
                (name, seen.calls, self.fallbacks[name], seen.largest(), seen.warnings, seen.exceptions)
                for name, seen in sorted(self.verified.items())
            ]
            return Table((*columns, "exceptions differ"), rows)
        found = [(name, len(places), self.fallbacks[name], "") for name, places in self._places.items()]
        left = [(name, 0, 0, reason) for name, reason in self.skipped.items()]
        return Table(("function", "places", "fell back", "left alone"), found + left)

    def __repr__(self) -> str:
        return repr(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


# Replacements -----------------------------------------------------------------------------------------------------


@dataclass
class _Settings:
    """One call of `patch_sklearn` or one `with patched_sklearn()`."""

    verify: bool
    strict: bool
    report: Patched = field(default_factory=Patched)


_lock = RLock()
_lasting: _Settings | None = None
_passing: list[_Settings] = []
_effective: _Settings | None = None  # the settings in use: those of the innermost context, or else the lasting ones
_theirs_only: ContextVar[bool] = ContextVar("rocksteady_theirs_only", default=False)


@dataclass(frozen=True)
class _Replacement:
    """One function of scikit-learn and its replacement."""

    name: str
    original: Function
    function: Function
    home: tuple[str, str]  # the original's module and name: the function in place is pickled under it


# One for each function, kept until the process ends: a program may hold on to the function.
_replacements: dict[str, _Replacement] = {}


class _Aside:
    """Where a pickle finds the function that is not in place: scikit-learn's while patched, ours otherwise."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Function:
        if name.startswith("__"):
            raise AttributeError(name)
        held = _replacements.get(name)
        if held is None:
            function: Function = getattr(import_module(home_of(name)), name)
            return function
        return held.original if self._name == "originals" else held.function

    def __reduce__(self) -> str:
        return self._name


originals = _Aside("originals")
replacements = _Aside("replacements")


def _name_as(function: Any, module: str, qualname: str) -> None:
    function.__module__, function.__qualname__ = module, qualname


def _theirs(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call scikit-learn's function; all functions that it calls are scikit-learn's too."""
    token = _theirs_only.set(True)
    try:
        return function(*args, **kwargs)
    finally:
        _theirs_only.reset(token)


def _replaced(name: str, ours: Function, original: Function) -> _Replacement:
    answer = getattr(ours, "ours", ours)  # without what it asks of scikit-learn
    fallback = _refusing_metrics(original) if name == "check_scoring" else original
    configuration = import_module("sklearn._config")._get_threadlocal_config

    @wraps(original)
    def replacement(*args: Any, **kwargs: Any) -> Any:
        settings = _effective
        if settings is None or _theirs_only.get():
            return original(*args, **kwargs)
        if settings.strict:
            return answer(*args, **kwargs)
        if settings.verify and name not in _NOT_VERIFIED:
            return _verified(name, answer, original, settings.report, args, kwargs)
        if not configuration().get("array_api_dispatch"):
            try:
                return answer(*args, **kwargs)
            except Exception:  # noqa: BLE001, S110 - scikit-learn's function decides, whatever the exception
                pass
        settings.report.fallbacks[name] += 1
        return _theirs(fallback, args, kwargs)

    replacement.__rocksteady__ = ours  # type: ignore[attr-defined]
    return _Replacement(name, original, replacement, (original.__module__, original.__qualname__))


def _refusing_metrics(original: Function) -> Function:
    """Make a `check_scoring` that refuses our metrics as scorers, as it does scikit-learn's."""

    def check_scoring(estimator: Any = None, scoring: Any = None, **options: Any) -> Any:
        if callable(scoring) and _scorer._is_metric(scoring):
            return _scorer.check_scoring(estimator, scoring)
        return original(estimator, scoring, **options)

    return check_scoring


# Verification -----------------------------------------------------------------------------------------------------


@dataclass
class _Outcome:
    value: Any
    error: Exception | None
    warnings: list[warnings.WarningMessage]

    def said(self) -> list[tuple[type[Warning], str]]:
        return [(seen.category, str(seen.message)) for seen in self.warnings]


def _outcome(run: Callable[[], Any]) -> _Outcome:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            value, error = run(), None
        except Exception as raised:  # noqa: BLE001 - the comparison needs every exception
            value, error = None, raised
    return _Outcome(value, error, seen)


def _verified(
    name: str, ours: Function, original: Function, report: Patched, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run both functions, compare them, and return what the replacement returns."""
    mine = _outcome(lambda: ours(*args, **kwargs))
    theirs = _outcome(lambda: _theirs(original, args, kwargs))
    with _lock:
        seen = report.verified.setdefault(name, Verification())
        if mine.error is not None:
            report.fallbacks[name] += 1
        elif theirs.error is not None:
            seen.exceptions += 1
        else:
            seen.calls += 1
            apart = ulps(mine.value, theirs.value)
            if apart > _NEGLIGIBLE and _agree_narrowly(mine.value, theirs.value, (*args, *kwargs.values())):
                seen.float32 += 1
            elif apart > seen.ulps:
                seen.ulps, seen.worst = apart, (mine.value, theirs.value)
            seen.warnings += mine.said() != theirs.said()
    given = theirs if mine.error is not None else mine
    for warning in given.warnings:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    if given.error is not None:
        raise given.error
    return given.value


# Differences of so many units in the last place of doubles need no explanation.
_NEGLIGIBLE = 2.0**20


def _agree_narrowly(mine: Any, theirs: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether two results differ by no more than the rounding of a sum over an argument of float32 or float16."""
    columns = [np.asarray(one) for one in arguments if getattr(getattr(one, "dtype", None), "char", "") in ("e", "f")]
    if not columns or isinstance(mine, dict | str):
        return False
    error = max((8 + column.size**0.5) * float(np.finfo(column.dtype).eps) for column in columns)
    pairs = zip(mine, theirs, strict=True) if isinstance(mine, tuple) else [(mine, theirs)]
    return all(
        np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=error, atol=error, equal_nan=True)
        for one, other in pairs
    )


def ulps(first: Any, second: Any) -> float:
    """Largest difference of two results, in units in the last place of doubles.

    Parameters
    ----------
    first, second : number, array, str, None, or tuples, lists and dicts of them

    Returns
    -------
    float
        Infinite if shapes, keys or texts differ, or if only one is NaN.

    >>> ulps(1.0, 1.0 + 2**-52), ulps((0.5, "a"), (0.5, "a")), ulps([1.0], [1.0, 2.0])
    (1.0, 0.0, inf)
    """
    if isinstance(first, dict) and isinstance(second, dict):
        return ulps(list(first.values()), list(second.values())) if list(first) == list(second) else np.inf
    if isinstance(first, tuple | list) and isinstance(second, tuple | list):
        if len(first) != len(second):
            return np.inf
        return max((ulps(*pair) for pair in zip(first, second, strict=True)), default=0.0)
    if isinstance(first, str) or first is None or isinstance(second, str) or second is None:
        return 0.0 if type(first) is type(second) and first == second else np.inf
    left, right = np.asarray(first), np.asarray(second)
    if left.shape != right.shape:
        return np.inf
    if not {left.dtype.kind, right.dtype.kind} <= set("biuf"):
        return 0.0 if np.array_equal(left, right) else np.inf
    return _largest(left.astype(np.float64).ravel(), right.astype(np.float64).ravel())


def _largest(left: Any, right: Any) -> float:
    other = ~((left == right) | (np.isnan(left) & np.isnan(right)))
    left, right = left[other], right[other]
    if not left.size:
        return 0.0
    if np.isnan(left).any() or np.isnan(right).any():
        return np.inf
    sizes = [np.abs(side).view(np.int64) for side in (left, right)]
    apart = np.abs(sizes[0] - sizes[1]).astype(np.float64)
    across = sizes[0].astype(np.float64) + sizes[1].astype(np.float64)
    return float(np.where(np.signbit(left) == np.signbit(right), apart, across).max())


# Replace and restore ----------------------------------------------------------------------------------------------


def _prepare(report: Patched) -> dict[int, _Replacement]:
    """Make the replacements, keyed by the identity of the original."""
    found: dict[int, _Replacement] = {}
    version = import_module("sklearn").__version__
    for name in dir(metrics):
        ours = getattr(metrics, name)
        if name in _NOT_REPLACED or not callable(ours) or isinstance(ours, type):
            continue
        original = getattr(import_module(home_of(name)), name, None)
        if original is None:
            report.skipped[name] = f"scikit-learn {version} has no such function"
            continue
        held = _replacements.get(name)
        if held is None or original not in (held.original, held.function):
            if not have_same_parameters(original, ours):
                report.skipped[name] = f"scikit-learn {version} has other parameters"
                continue
            held = _replacements[name] = _replaced(name, ours, original)
        found[id(held.original)] = held
    return found


def _modules() -> list[tuple[str, dict[str, Any]]]:
    return [
        (name, vars(module))
        for name, module in list(sys.modules.items())
        if isinstance(module, ModuleType) and (name == "sklearn" or name.startswith("sklearn."))
    ]


def _scorers() -> list[tuple[str, Any]]:
    """List scikit-learn's own scorers and their places."""
    home = import_module("sklearn.metrics._scorer")
    kept = [(f"sklearn.metrics._scorer._SCORERS[{name!r}]", one) for name, one in home._SCORERS.items()]
    base = home._BaseScorer
    kept += [(f"{home.__name__}.{name}", one) for name, one in list(vars(home).items()) if isinstance(one, base)]
    return kept


def _exchange(new: Mapping[int, Function]) -> None:
    """Replace functions wherever scikit-learn keeps them; `new` maps the identity of an old function to the new one."""
    for _, names in _modules():
        for name, value in list(names.items()):
            function = new.get(id(value))
            if function is not None:
                names[name] = function
    for _, scorer in _scorers():
        scorer._score_func = new.get(id(scorer._score_func), scorer._score_func)


def _places(found: Iterable[_Replacement]) -> dict[str, tuple[str, ...]]:
    """List the places of the replacements."""
    names = {id(held.function): held.name for held in found}
    places: dict[str, list[str]] = {name: [] for name in names.values()}
    kept = [(f"{module}.{name}", value) for module, inside in _modules() for name, value in list(inside.items())]
    kept += [(place, scorer._score_func) for place, scorer in _scorers()]
    for place, value in kept:
        if id(value) in names:
            places[names[id(value)]].append(place)
    return {name: tuple(where) for name, where in places.items()}


# The methods of scikit-learn's classes that were replaced: the class, the name, the original.
_methods: list[tuple[type, str, Any]] = []


def _install(report: Patched) -> None:
    found = _prepare(report)
    for held in found.values():
        _name_as(held.original, __name__, f"originals.{held.name}")
        _name_as(held.function, *held.home)
    _exchange({place: held.function for place, held in found.items()})
    report._places = _places(found.values())
    _scorer._functions = {held.name: held.function for held in found.values()}
    _scorer._others = _replacements["get_scorer"].original if "get_scorer" in _replacements else None
    home = import_module("sklearn.metrics._scorer")
    version = tuple(int(part) for part in import_module("sklearn").__version__.split(".")[:2])
    if not _methods and version >= _SHARING_SINCE:
        for kind, name in ((_scorer._Scorer, "_score"), (_scorer._MultimetricScorer, "__call__")):
            theirs = getattr(home, kind.__name__)
            _methods.append((theirs, name, vars(theirs)[name]))
            setattr(theirs, name, vars(kind)[name])
    home._BaseScorer.__getstate__ = _scorer.state_in_place  # so that pickles do not name this package


def _uninstall() -> None:
    _exchange({id(held.function): held.original for held in _replacements.values()})
    for held in _replacements.values():
        _name_as(held.original, *held.home)
        _name_as(held.function, __name__, f"replacements.{held.name}")
    for theirs, name, method in _methods:
        setattr(theirs, name, method)
    _methods.clear()
    del import_module("sklearn.metrics._scorer")._BaseScorer.__getstate__
    _scorer._functions = {}
    _scorer._others = None


def _settle(lasting: _Settings | None) -> None:
    """Install or uninstall the replacements, as the settings now ask."""
    global _lasting, _effective  # noqa: PLW0603 - state of the whole process, changed under the lock
    before = _effective
    _lasting = lasting
    _effective = _passing[-1] if _passing else lasting
    if _effective is None:
        if before is not None:
            _uninstall()
    else:
        _install(_effective.report)


def patch_sklearn(*, verify: bool = False, strict: bool = False) -> Patched:
    """Replace scikit-learn's classification metrics by ours, until `unpatch_sklearn`.

    Parameters
    ----------
    verify : bool
        Whether each call runs both functions and compares them; see `Patched.verified`.
    strict : bool
        Whether our function raises if it cannot take the arguments, and does not call scikit-learn's. For tests.

    Returns
    -------
    Patched
        A mapping from the name of each function to the places where it was replaced. A second call returns the same
        object, with new places added.

    Raises
    ------
    ImportError
        If scikit-learn is not installed.

    Examples
    --------
    >>> import rocksteady as rs
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> patched = rs.patch_sklearn()
    >>> "sklearn.metrics._classification.accuracy_score" in patched["accuracy_score"]
    True
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> cross_val_score(LogisticRegression(), X, [0, 0, 0, 1, 1, 1], scoring="roc_auc", cv=3).tolist()
    [1.0, 1.0, 1.0]
    >>> rs.unpatch_sklearn()
    """
    import_module("sklearn.metrics")  # fails before anything is replaced
    with _lock:
        settings = _lasting or _Settings(verify, strict)
        settings.verify, settings.strict = verify, strict
        _settle(settings)
        return settings.report


def unpatch_sklearn() -> None:
    """Put scikit-learn's own functions back. Nothing happens if they are not replaced.

    Inside `patched_sklearn` the replacements stay until the context ends.

    >>> import rocksteady as rs
    >>> rs.unpatch_sklearn()
    """
    with _lock:
        _settle(None)


@contextmanager
def patched_sklearn(*, verify: bool = False, strict: bool = False) -> Iterator[Patched]:
    """Replace scikit-learn's classification metrics by ours inside a ``with`` block, in all threads.

    Parameters
    ----------
    verify, strict : bool
        As for `patch_sklearn`. The settings of an inner context apply until it ends.

    Yields
    ------
    Patched
        The functions replaced and, with ``verify=True``, their comparisons, which the context fills until it ends.

    Examples
    --------
    >>> import rocksteady as rs
    >>> import sklearn.metrics
    >>> with rs.patched_sklearn(verify=True) as patched:
    ...     matrix = sklearn.metrics.confusion_matrix([0, 1, 1], [0, 1, 0])
    >>> patched.verified["confusion_matrix"]
    Verification(calls=1, ulps=0.0, warnings=0, exceptions=0)
    """
    import_module("sklearn.metrics")
    settings = _Settings(verify, strict)
    with _lock:
        _passing.append(settings)
        _settle(_lasting)
    try:
        yield settings.report
    finally:
        with _lock:
            _passing[:] = [one for one in _passing if one is not settings]
            _settle(_lasting)

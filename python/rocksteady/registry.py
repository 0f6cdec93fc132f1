"""The registry of indices, as Python sees it: one row per index, written once, in Rust."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rocksteady import _rocksteady


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an index: its name, default, domain and meaning."""

    name: str
    default: float
    domain: str
    description: str


@dataclass(frozen=True, slots=True)
class Index:
    """One row of the registry.

    Attributes
    ----------
    name, aliases, title : str, tuple of str, str
        The key, other keys that work, the full words.
    family : str
        The file of the registry that it stands in: "rates", "overlap", "entropy", …
    formula : str
        In tp, fp, fn, tn and n; M, t, p, T for a confusion matrix (papers' notation).
    about : str
        What it tells, and what to beware of.
    low, high : float
        The range.
    better : str
        Which way is better: "higher", "lower" or "neither".
    undefined : str
        When the index has no value, or has one by convention.
    laws : tuple of str
        Laws that it obeys, each checked by the tests.
    source : str
        Author, year, DOI.
    parameters : tuple of Parameter
        What may be set, with defaults.
    forms : tuple of str
        What it is read from: "counts", "matrix", "class", "scores", "probabilities", "score_tables".
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    family: str
    formula: str
    about: str
    low: float
    high: float
    better: str
    undefined: str
    laws: tuple[str, ...]
    source: str
    parameters: tuple[Parameter, ...]
    forms: tuple[str, ...]


@cache
def indices() -> tuple[Index, ...]:
    """Every index of the registry, in its order.

    >>> import rocksteady as rs
    >>> "cen" in {row.name for row in rs.indices()}
    True
    """
    return tuple(
        Index(**{**row, "parameters": tuple(Parameter(*fields) for fields in row["parameters"])})
        for row in _rocksteady.index_rows()
    )


def index(name: str) -> Index:
    """The row of one index, by its name or an alias of it.

    Parameters
    ----------
    name : str

    Raises
    ------
    rocksteady.UnknownIndexError
        If no row has that name; the message has the nearest ones.

    >>> import rocksteady as rs
    >>> rs.index("ppv").name, rs.index("ppv").formula
    ('precision', 'tp / (tp + fp)')
    """
    return indices()[_rocksteady.index_place(name)]

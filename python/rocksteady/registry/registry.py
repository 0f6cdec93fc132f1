"""The registry of indices in Python. It has one row per index, written once, in Rust.

`indices` lists and searches the registry, and `index` looks up one row. A row prints as its own explanation.
"""

from __future__ import annotations

import html
import math
import sys
import textwrap
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Final, Literal

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of, string
from rocksteady.base.record import Record
from rocksteady.base.table import Table
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import UnknownIndexError

Form = Literal["counts", "matrix", "class", "scores", "probabilities", "score_tables", "queries", "costs"]
Better = Literal["higher", "lower", "neither"]

_WIDTH: Final = 88
_READS: Final[dict[str, str]] = {
    "counts": "a 2x2 table: a class against the rest, a threshold, counts of your own",
    "matrix": "a whole confusion matrix",
    "class": "a class within the whole matrix",
    "scores": "a table of all scores",
    "probabilities": "scores that are probabilities",
    "score_tables": "the scores of several classes",
    "queries": "the ranked list of each query",
    "costs": "what each row costs, at a threshold or of predicted labels",
}


class _Explanation:
    """The `__doc__` of a class; an instance shows its `str`, so `help(rocksteady.index("cen"))` explains the index."""

    def __init__(self, of_the_class: str | None) -> None:
        self._of_the_class = of_the_class

    def __get__(self, instance: object, owner: type) -> str | None:
        return self._of_the_class if instance is None else str(instance)


class _Row(Record):
    """Rows are compared field by field, and NaN equals NaN: a row that was pickled or read again is the same row."""

    __slots__ = ()

    def _fields(self) -> tuple[object, ...]:
        # NaN does not equal itself, but tuples take the same object as equal. So every NaN becomes the same object.
        values = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]  # of dataclasses only
        return tuple(math.nan if value != value else value for value in values)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())


@dataclass(frozen=True, slots=True, eq=False)
class Parameter(_Row):
    """A parameter of an index: name, default, domain and meaning."""

    name: str
    default: float | str | None
    domain: str
    description: str


@dataclass(frozen=True, slots=True, eq=False)
class Scale(_Row):
    """A scale of words for the values of an index: name, the lower edge and the word of each band, and source."""

    name: str
    bands: tuple[tuple[float, str], ...]
    source: str

    def __str__(self) -> str:
        edges = [edge for edge, _ in self.bands]
        words = [
            f"{word} {_from(edge)}" if math.isfinite(edge) else f"{word} {_below(edges[1:])}".rstrip()
            for edge, word in self.bands
        ]
        return f"{self.name}: {', '.join(words)} ({self.source})"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Index(_Row):
    """One row of the registry. `print` and `help` explain it.

    Attributes
    ----------
    name, aliases, title : str, tuple of str, str
        The name, other names, and the title in full words.
    family : str
        The family in the registry: "rates", "overlap", "entropy", …; "defined" for your own indices.
    formula : str
        The formula in tp, fp, fn, tn and n, or in M, t, p and T of a confusion matrix, as papers write it.
    about : str
        The meaning of the index, and its pitfalls.
    low, high : float
        The range.
    better : str
        Which direction is better: "higher", "lower" or "neither".
    undefined : str
        When the index is undefined, or defined by convention.
    when_undefined : float
        Its value then: NaN, or the conventional value.
    laws : tuple of str
        Laws that the index obeys. The tests check each one.
    source : str
        Author, year, DOI.
    column_error : str
        How far the values of a column (`every`, arrays of `Counts`) may be from the single value.
    parameters : tuple of Parameter
        Its parameters, with defaults.
    scales : tuple of Scale
        Scales that put its values into words: see `ConfusionMatrix.interpret`.
    intervals : tuple of str
        Methods for its confidence intervals, the default first: see `ConfusionMatrix.interval`, `ScoreTable.interval`
        and `Queries.interval`.
    forms : tuple of str
        Inputs that it can be computed from: "counts", "matrix", "class", "scores", "probabilities", "score_tables",
        "queries", "costs".
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
    when_undefined: float
    laws: tuple[str, ...]
    source: str
    column_error: str
    parameters: tuple[Parameter, ...]
    scales: tuple[Scale, ...]
    intervals: tuple[str, ...]
    forms: tuple[str, ...]

    def facts(self) -> list[tuple[str, str]]:
        """Everything about the index except its formula, as headings and sentences.

        >>> import rocksteady as rs
        >>> rs.index("fnr").facts()[0]
        ('Range', '0 to 1; the lower the better')
        """
        better = {"higher": "the higher the better", "lower": "the lower the better"}
        judged = better.get(self.better, "neither end is better")
        said = [("Range", f"{_range(self)}; {judged}")]
        if "convention" in self.undefined:
            said.append(("Undefined", self.undefined))
        elif self.undefined:
            instead = "nan" if math.isnan(self.when_undefined) else _number(self.when_undefined)
            said.append(("Undefined", f"{self.undefined} It is {instead} then."))
        said += [("Read from", _READS.get(form, form)) for form in self.forms]
        said += [("Parameter", _of_parameter(parameter)) for parameter in self.parameters]
        said += [("Scale", str(scale)) for scale in self.scales]
        if self.intervals:
            said.append(("Interval", ", ".join(self.intervals)))
        if "counts" in self.forms:
            said.append(("Columns", self.column_error))
        said += [("Law", law) for law in self.laws]
        said.append(("Source", self.source))
        return [(heading, text) for heading, text in said if text]

    def example(self) -> str:
        """Calls that compute the index.

        >>> import rocksteady as rs
        >>> print(rs.index("mcc").example())
        cm = rs.ConfusionMatrix(actual, predicted)
        cm["mcc"]
        cm.every("mcc")
        cm.value("mcc", average="macro")
        cm.interval("mcc")
        table = rs.ScoreTable(actual, scores)
        table.every("mcc")
        """
        given = "".join(f", {p.name}={_number(p.default)}" for p in self.parameters if p.default is not None)
        name = f'"{self.name}"'
        calls = (
            ("cm = rs.ConfusionMatrix(actual, predicted)", {"counts", "matrix", "class"}),
            (f"cm.value({name}{given})" if given else f"cm[{name}]", {"counts", "matrix"}),
            (f"cm.every({name})", {"counts", "class"}),
            (f'cm.value({name}, average="macro")', {"counts"}),
            (f"cm.interval({name})", {"counts", "matrix"} if self.intervals else set[str]()),
            ("table = rs.ScoreTable(actual, scores)", {"counts", "matrix", "scores"}),
            (f"table.every({name})", {"counts", "matrix"}),
            (f"table[{name}]", {"scores"}),
            (f"table.interval({name})", {"scores"} if self.intervals else set[str]()),
            ("sums = rs.ProbabilitySums(actual, probabilities)", {"probabilities"}),
            (f"sums[{name}]", {"probabilities"}),
            ("tables = rs.ScoreTables(actual, class_scores)", {"score_tables"}),
            (f"tables[{name}]", {"score_tables"}),
            ("q = rs.Queries(relevance, scores, query)", {"queries"}),
            (f"q.value({name}{given})" if given else f"q[{name}]", {"queries"}),
            (f"q.interval({name})", {"queries"} if self.intervals else set[str]()),
            ('costs = rs.CostTable(actual, scores, costs={"fn": amounts})', {"costs"}),
            (f"costs.every({name})", {"costs"}),
        )
        return "\n".join(call for call, forms in calls if forms & set(self.forms))

    def __repr__(self) -> str:
        return f"<Index {self.name}: {self.title}>"

    def __str__(self) -> str:
        also = f" (also {', '.join(self.aliases)})" if self.aliases else ""
        lines = [
            self.title,
            *_wrapped(f"{self.name}{also}"),
            "",
            *(line for form in self.formula.split("; ") for line in _wrapped(form, "    ")),
        ]
        if self.about:
            lines += ["", *_wrapped(self.about)]
        lines.append("")
        before = ""
        for heading, text in self.facts():
            shown = "" if heading == before else heading
            lines += _wrapped(text, f"{shown:<11}", " " * 11)
            before = heading
        return "\n".join((*lines, "", textwrap.indent(self.example(), ">>> ")))

    def _repr_html_(self) -> str:
        rows = [("Formula", f"<code>{html.escape(self.formula)}</code>")]
        rows += [(heading, html.escape(text)) for heading, text in self.facts()]
        rows.append(("Example", f"<pre>{html.escape(self.example())}</pre>"))
        body = "".join(f"<tr><th>{heading}</th><td>{text}</td></tr>" for heading, text in rows)
        names = ", ".join(f"<code>{html.escape(name)}</code>" for name in (self.name, *self.aliases))
        heading = f"<p><strong>{html.escape(self.title)}</strong> {names}</p><p>{html.escape(self.about)}</p>"
        return f"{heading}<table>{body}</table>"


Index.__doc__ = _Explanation(Index.__doc__)  # type: ignore[assignment]


class Indices(WaysOut, tuple[Index, ...]):
    """Rows of the registry, as a tuple that prints as a table."""

    __slots__ = ()

    def summary(self) -> Table:
        """A table of the rows: name, family, range, which direction is better, and title."""
        columns = ["index", "family", "range", "better", "title"]
        return Table(columns, [(row.name, row.family, _range(row), row.better, row.title) for row in self])

    def __repr__(self) -> str:
        return repr(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


def _number(number: float | str) -> str:
    return repr(number).replace("'", '"') if isinstance(number, str | bool) else f"{number:.6g}"


def _from(edge: float) -> str:
    return "above 0" if 0 < edge < sys.float_info.min else f"from {_number(edge)}"  # the smallest positive float


def _below(edges: list[float]) -> str:
    if not edges:
        return ""
    return "up to 0" if 0 < edges[0] < sys.float_info.min else f"below {_number(edges[0])}"


def _range(row: Index) -> str:
    return f"{_number(row.low)} to {_number(row.high)}"


def _of_parameter(parameter: Parameter) -> str:
    default = "" if parameter.default is None else f" = {_number(parameter.default)}"
    return f"{parameter.name}{default}, {parameter.domain}: {parameter.description}"


def _wrapped(text: str, first: str = "", rest: str | None = None) -> list[str]:
    rest = first if rest is None else rest
    return textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def _rows(defined: bool, name: str | None = None) -> dict[str, Index]:
    return {
        row["name"]: Index(
            **{
                **row,
                "parameters": tuple(Parameter(*fields) for fields in row["parameters"]),
                "scales": tuple(Scale(*fields) for fields in row["scales"]),
            }
        )
        for row in _rocksteady.index_rows(defined, name)
    }


@cache
def _built_in() -> dict[str, Index]:
    return _rows(defined=False)


@lru_cache(maxsize=1)
def _all(version: int) -> Indices:
    """All rows; a new version of the registry reads those that were defined again."""
    found = list(_built_in().values())
    for row in _rocksteady.index_rows(True, None):
        with suppress(UnknownIndexError):  # another thread has undefined it
            found.append(_defined(row["name"], version))
    return Indices(found)


@lru_cache(maxsize=10_000)  # as many as may be defined
def _defined(name: str, _version: int) -> Index:
    return _rows(defined=True, name=name)[name]


def indices(
    search: str | None = None, *, family: str | None = None, form: Form | None = None, better: Better | None = None
) -> Indices:
    """List the indices of the registry, all or filtered. Your own (`define_index`) come last.

    Parameters
    ----------
    search : str, optional
        Words that must all occur in the names, title, family, explanation or source, in upper or lower case. Indices
        with all words in names and title come first.
    family : str, optional
        The family: "rates", "overlap", "entropy", …
    form : {"counts", "matrix", "class", "scores", "probabilities", "score_tables", "queries", "costs"}, optional
        The input that the index can be computed from.
    better : {"higher", "lower", "neither"}, optional
        Which direction is better.

    Returns
    -------
    Indices
        A tuple of `Index` that prints as a table.

    Raises
    ------
    rocksteady.InputError
        If no index has that family, form or direction.

    >>> import rocksteady as rs
    >>> "cen" in {row.name for row in rs.indices()}
    True
    >>> rs.indices("modified confusion", better="lower")
    index  family   range         better  title
    mcen   entropy  0 to 1.06148  lower   Modified confusion entropy
    >>> {row.family for row in rs.indices("entropy", family="entropy", form="matrix")}
    {'entropy'}
    """
    rows = _all(_rocksteady.index_version())
    if search is None and family is None and form is None and better is None:
        return rows
    for argument, wanted, there in (
        ("family", family, [row.family for row in rows]),
        ("form", form, list(_READS)),
        ("better", better, ["higher", "lower", "neither"]),
    ):
        if wanted is not None:
            one_of(wanted, argument, list(dict.fromkeys(there)))
    words = [] if search is None else string(search, "search", "words").lower().split()
    found = [
        row
        for row in rows
        if (family is None or row.family == family)
        and (form is None or form in row.forms)
        and (better is None or row.better == better)
        and _hold(f"{_called(row)} {row.family} {row.about} {row.source}", words)
    ]
    return Indices(sorted(found, key=lambda row: not _hold(_called(row), words)))


def _hold(text: str, words: list[str]) -> bool:
    return all(word in text.lower() for word in words)


def _called(row: Index) -> str:
    return " ".join((row.name, *row.aliases, row.title))


def index(name: str) -> Index:
    """Look up one index by name or alias. `help(index(name))` and `print(index(name))` explain it.

    Parameters
    ----------
    name : str
        A name or an alias.

    Raises
    ------
    rocksteady.UnknownIndexError
        If no index has that name. The message suggests similar names.

    >>> import rocksteady as rs
    >>> rs.index("ppv").name, rs.index("ppv").formula
    ('precision', 'tp / (tp + fp)')
    >>> print(rs.index("jaccard"))  # doctest: +ELLIPSIS
    Jaccard index
    jaccard (also ...)
    ...
    """
    found = _rocksteady.index_name(name)
    return _built_in().get(found) or _defined(found, _rocksteady.index_version())

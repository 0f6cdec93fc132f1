"""Judgements and runs: nested mappings, data frames and the files of trec_eval, as rows of `Queries`."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rocksteady.base.arguments import as_array, listed, mapping, numbers, several, shown, string, wrong_type
from rocksteady.base.containers import columns_of
from rocksteady.base.warning import warn
from rocksteady.columns.keys import grouped
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_EXPECTED: Final = (
    "a mapping from queries to mappings from documents to numbers, a data frame with a row for each document, or a path"
)
#: What packages call the columns of frames.
_QUERY: Final = ("query_id", "qid", "q_id", "query")
_DOCUMENT: Final = ("doc_id", "docno", "docid", "document")
_NUMBER: Final = {"qrels": ("relevance", "rel", "label"), "run": ("score",)}
#: The columns of a line: how many there are, and the place of the number.
_LINE: Final = {"qrels": (4, 3, "query 0 document relevance"), "run": (6, 4, "query Q0 document rank score tag")}


class Given(NamedTuple):
    """A row for each document of a query, with its relevance or its score."""

    query: list[str]
    document: list[str]
    number: NDArray[np.float64]


def judged_run(qrels: Any, run: Any) -> tuple[list[str], list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Query, document, relevance and score of each row; NaN where it was not judged, or not retrieved."""
    judged, found = _given(qrels, "qrels"), _given(run, "run")
    query, document = judged.query + found.query, judged.document + found.document
    if not query:
        return [], [], np.empty(0), np.empty(0)
    first = len(judged.query)
    pairs = grouped({"query": query, "document": document}).codes()
    for own, argument in ((pairs[:first], "qrels"), (pairs[first:], "run")):
        _refuse_twice(own, query[first:] if argument == "run" else query, argument)
    of_query = grouped({"query": query}).codes()
    relevance = np.full(int(pairs.max()) + 1, np.nan)
    relevance[pairs[:first]] = judged.number
    is_retrieved = np.zeros(len(relevance), dtype=bool)
    is_retrieved[pairs[first:]] = True
    is_judged = np.zeros(int(of_query.max()) + 1, dtype=bool)
    is_judged[of_query[:first]] = True
    _warn_unjudged(int((~is_judged).sum()))
    with np.errstate(invalid="ignore"):
        absent = np.flatnonzero(~is_retrieved[pairs[:first]] & (judged.number >= 0))
    ranked = np.flatnonzero(is_judged[of_query[first:]])
    rows = np.concatenate([ranked + first, absent]).tolist()
    scores = np.concatenate([found.number[ranked], np.full(len(absent), np.nan)])
    return [query[row] for row in rows], [document[row] for row in rows], relevance[pairs[rows]], scores


def _given(values: Any, argument: str) -> Given:
    if isinstance(values, str | PathLike):
        return _of_file(values, argument)
    columns = None if isinstance(values, Mapping) else columns_of(values, argument)
    return _of_mapping(values, argument) if columns is None else _of_frame(columns, argument)


def _of_mapping(values: Any, argument: str) -> Given:
    query: list[str] = []
    document: list[str] = []
    number: list[Any] = []
    for name, documents in mapping(values, argument, _EXPECTED).items():
        string(name, argument, "a mapping whose queries are strings")
        of_query = mapping(documents, argument, _EXPECTED)
        query += [name] * len(of_query)
        document += of_query
        number += of_query.values()
    return Given(query, document, _numbers(number, argument))


def _of_frame(columns: dict[Any, Any], argument: str) -> Given:
    found = []
    for names in (_QUERY, _DOCUMENT, _NUMBER[argument]):
        known = [name for name in names if name in columns]
        if len(known) != 1:
            said = f"the columns {several(columns)}"
            expected = f"one column called {' or '.join(map(repr, names))}"
            raise InputError(f"{argument} has {said}; expected {expected}", argument=argument, expected=expected)
        found.append(listed(columns[known[0]], f"{argument}[{known[0]!r}]", "a column"))
    query, document = (list(map(str, column)) for column in found[:2])
    return Given(query, document, _numbers(found[2], argument))


def _of_file(path: str | PathLike[str], argument: str) -> Given:
    """The lines of a file of trec_eval, of which one whose name ends in .gz is compressed."""
    try:
        name = string(fspath(path), argument, _EXPECTED)
    except TypeError:  # a path of anybody's class
        raise wrong_type(path, argument, _EXPECTED) from None
    opener: Any = gzip.open if name.endswith(".gz") else open
    try:
        with opener(name, "rt", encoding="utf-8-sig") as file:
            return _of_lines(file, name, argument)
    except (OSError, EOFError, UnicodeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        found = f"the file {shown(name)}, which cannot be read ({error})"
        raise InputError(
            f"{argument} is {found}; expected {_EXPECTED}", argument=argument, expected=_EXPECTED
        ) from error


def _of_lines(lines: Iterable[str], name: str, argument: str) -> Given:
    width, place, form = _LINE[argument]
    query: list[str] = []
    document: list[str] = []
    number: list[float] = []
    for line, text in enumerate(lines, 1):
        parts = text.split()
        if not parts:
            continue
        value = _number(parts[place]) if len(parts) == width else None
        if value is not None and np.isnan(value) and argument == "run":
            value = None  # what was retrieved has a score
        if value is None:
            said = f"line {line} of {shown(name)} is {shown(text.strip())}"
            raise InputError(f"{argument}: {said}; expected {form}", argument=argument, expected=form)
        number.append(value)
        query.append(parts[0])
        document.append(parts[2])
    return Given(query, document, np.array(number))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _numbers(values: list[Any], argument: str) -> NDArray[np.float64]:
    if not values:
        return np.empty(0)
    if None in values:
        values = [np.nan if value is None else value for value in values]
    read = numbers(as_array(values, argument), argument)
    if read.ndim != 1:
        raise wrong_type(values, argument, _EXPECTED)
    found = read.astype(np.float64)
    missing = np.flatnonzero(np.isnan(found))
    if argument == "run" and missing.size:
        row, expected = int(missing[0]), "a score of each document; leave out what was not retrieved"
        raise InputError(
            f"run has a missing score at row {row}; expected {expected}", argument="run", row=row, expected=expected
        )
    return found


def _refuse_twice(pairs: NDArray[Any], query: list[str], argument: str) -> None:
    """Refuse a document that is there twice for a query."""
    _, first = np.unique(pairs, return_index=True)
    if len(first) < len(pairs):
        row = int(np.setdiff1d(np.arange(len(pairs)), first)[0])
        expected = "each document of a query once"
        raise InputError(
            f"{argument} has a document of the query {shown(query[row])} twice, at row {row}; expected {expected}",
            argument=argument,
            row=row,
            expected=expected,
        )


def _warn_unjudged(queries: int) -> None:
    if queries:
        subject, verb = ("1 query has", "is") if queries == 1 else (f"{queries} queries have", "are")
        warn(f"{subject} no judgements and {verb} left out")

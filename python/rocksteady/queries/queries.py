"""The ranked lists of queries: measures of each query, and their means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of, string, whole, wrong_type
from rocksteady.base.named_columns import named_columns
from rocksteady.base.statistic import Along, Statistic
from rocksteady.base.table import Table, number, number_of
from rocksteady.base.ways_out import WaysOut, items_of
from rocksteady.columns.keys import grouped, key_array
from rocksteady.columns.pairing import paired
from rocksteady.inference.difference import Difference, level_of
from rocksteady.inference.interval import Wanted
from rocksteady.queries.runs import judged_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.table import Cell
    from rocksteady.inference.interval import Interval, Method, Side
    from rocksteady.inference.resampling import RandomState

Ties = Literal["expected", "trec_eval", "stable"]

_SHOWN = ("ndcg", "average_precision_at_k", "reciprocal_rank")


class Queries(WaysOut, Along, Statistic):
    """Rows (query, relevance, score) as one ranked list for each query, and the measures of retrieval.

    The rows may be in any order, and queries of any length. Additive: `a + b` is the statistic of the rows of both,
    and the rows of a query that is in both become one list. ``(a + b) - b`` is `a`.

    Parameters
    ----------
    relevance : array-like of shape (n,)
        How relevant each row is to its query: 0 and 1, True and False, or grades. Finite. A row whose relevance is
        negative or missing (NaN, None) was not judged: it keeps its place in the ranking and counts as not relevant,
        but `bpref` leaves it out.
    y_score : array-like of shape (n,)
        Scores, the highest first. Real numbers of at most 64 bits.
    query : array-like of shape (n,), several columns, or a data frame
        The query of each row: numbers, text, categories, dates, or several columns that make one key. A missing key is
        a query of its own.
    query_weight : array-like of shape (n,), optional
        What the query of each row weighs in means: finite, not negative, the same for all rows of a query.
    document : array-like of str of shape (n,), optional
        The document of each row, needed by ``ties="trec_eval"`` only.
    ties : {"expected", "trec_eval", "stable"}
        How rows of one score are ordered:

        - "expected": not at all. A value is the mean over all of their orders (McSherry, Najork 2008,
          doi:10.1007/978-3-540-78646-7_38), so it does not depend on the order of the rows;
        - "trec_eval": as trec_eval does, by document, the last in the order of bytes first. Scores are rounded to
          single precision, as trec_eval holds them;
        - "stable": as the rows are ordered.
    nan_policy : {"raise", "not_retrieved"}
        What a missing score means: an error, or a row that was judged but not retrieved. Such a row has no place in
        the ranking, but counts among the relevant rows.
    label, score : str, optional
        With a data frame as `relevance`: the columns of the relevance and the scores. Then `query`, `query_weight` and
        `document` are names of columns, too.

    Raises
    ------
    rocksteady.InputError
        If columns differ in length, a value cannot be used, or a query has two weights.
    rocksteady.InputTypeError
        For a type or dtype that cannot be used.

    Examples
    --------
    >>> import rocksteady as rs
    >>> query = ["shoes", "shoes", "shoes", "hats", "hats", "bags"]
    >>> q = rs.Queries([1, 0, 2, 0, 1, 0], [0.9, 0.8, 0.4, 0.7, 0.2, 0.5], query)
    >>> q
    <rocksteady.Queries of 6 rows in 3 queries: ndcg 0.695559, average_precision_at_k 0.666667, reciprocal_rank 0.75>
    >>> q["ndcg@2"], q.value("precision_at_k", k=2)  # doctest: +ELLIPSIS
    (0.505..., 0.333...)
    >>> q.reasons("ndcg")
    {'No row of the query is relevant.': 1}
    >>> print(q.query_summary("reciprocal_rank"))
    query  rows  relevant  value
    bags      1         0    nan
    hats      2         1    0.5
    shoes     3         2      1
    1 of 3 queries has no value: No row of the query is relevant.
    """

    __slots__ = ()

    _State = _rocksteady.QueriesState

    _state: _rocksteady.QueriesState

    def __init__(
        self,
        relevance: ArrayLike,
        y_score: ArrayLike | None = None,
        query: Any = None,
        *,
        query_weight: ArrayLike | None = None,
        document: ArrayLike | None = None,
        ties: Ties = "expected",
        nan_policy: Literal["raise", "not_retrieved"] = "raise",
        label: Any = None,
        score: Any = None,
    ) -> None:
        one, some = ({"score": score}, {})
        if label is not None:
            one, some = {**one, "query_weight": query_weight, "document": document}, {"query": query}
        named = named_columns(relevance, label, one=one, some=some, beside={"y_score": y_score})
        if named:
            relevance, y_score, query_weight, document, query = named.values()
        columns = {"y_score": y_score, "query": query, "query_weight": query_weight, "document": document}
        paired(relevance, columns, first="relevance")
        groups = grouped(query, argument="query")
        self._state = _rocksteady.QueriesState.rank(
            relevance, y_score, groups, query_weight, document, ties, nan_policy
        )

    @classmethod
    def _no_rows(cls, meaning: dict[str, Any]) -> tuple[Any, ...]:  # noqa: ARG003 (the base's signature)
        return [], [], []

    @classmethod
    def from_run(
        cls,
        qrels: Mapping[str, Mapping[str, float]] | str | PathLike[str] | Any,
        run: Mapping[str, Mapping[str, float]] | str | PathLike[str] | Any,
        *,
        ties: Ties = "expected",
    ) -> Queries:
        """The queries of judgements and a run, as trec_eval, pytrec_eval, ranx and ir-measures take them.

        A document of the run without a judgement was not judged. A judged document that is not in the run was not
        retrieved. A query without a run has retrieved nothing: its values are 0, as with trec_eval's option ``-c``.
        A query without judgements is left out, with a warning.

        Parameters
        ----------
        qrels : mapping of str to mapping of str to number, data frame or path
            The relevance of each judged document, by query and document. A data frame of pandas, polars or Arrow has a
            row for each, and the columns of ir-measures ("query_id", "doc_id", "relevance"), ranx ("q_id", "doc_id",
            "rel") or PyTerrier ("qid", "docno", "label"). A file has the lines of trec_eval, ``query 0 document
            relevance``; one whose name ends in ``.gz`` is compressed.
        run : mapping of str to mapping of str to number, data frame or path
            The score of each retrieved document, by query and document. The column of a frame is called "score", and a
            line of a file is ``query Q0 document rank score tag``. As in trec_eval, the score alone ranks.
        ties : {"expected", "trec_eval", "stable"}
            As for `Queries`.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As for `Queries`; a file that cannot be read, a line that has another form, a document that a query has twice.

        >>> import rocksteady as rs
        >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
        >>> run = {"q1": {"d1": 0.9, "d4": 0.8, "d2": 0.7}}
        >>> rs.Queries.from_run(qrels, run)["map"]
        0.5
        """
        query, document, relevance, score = judged_run(qrels, run)
        string(ties, "ties")
        documents = document if ties == "trec_eval" else None
        return cls(relevance, score, query, document=documents, ties=ties, nan_policy="not_retrieved")

    @property
    def rows(self) -> int:
        """The number of rows, whether or not they were retrieved."""
        return self._state.rows

    @property
    def ties(self) -> str:
        """How tied rows are ordered: "expected", "trec_eval" or "stable"."""
        return self._state.ties

    @property
    def keys(self) -> dict[str, NDArray[Any]]:
        """The keys of the queries, ascending: an array for each column of the key."""
        named = zip(self._state.names(), self._state.columns(), strict=True)
        return {name: key_array(kind, values) for name, (kind, values) in named}

    def __len__(self) -> int:
        """The number of queries."""
        return len(self._state)

    def value(self, name: str, *, empty: float | None = None, **parameters: object) -> float:  # type: ignore[override]
        """The mean of an index over the queries that have a value, weighted by the weights of the queries.

        Parameters
        ----------
        name : str
            An index of ranked lists: ``rocksteady.indices(form="queries")`` lists them. "ndcg@10" is "ndcg" with
            ``k=10``. Names of indices of scores mean those of ranked lists here, such as "precision" and "map".
        empty : float, optional
            The value of a query that has none, such as recall without relevant rows. By default such queries are left
            out, and `reasons` counts them. trec_eval and ranx take 0.
        **parameters : object
            Those of the index, such as ``k``, ``gain`` and ``min_relevance``.

        Returns
        -------
        float
            NaN if no query has a value; `why` tells the reason.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is none of ranked lists.
        rocksteady.InputError
            If a parameter is outside its domain.

        >>> import rocksteady as rs
        >>> q = rs.Queries([1, 0, 0, 0], [0.5, 0.7, 0.1, 0.2], [1, 1, 2, 2])
        >>> q.value("recall_at_k", k=2), q.value("recall_at_k", k=2, empty=0)
        (1.0, 0.5)
        """
        return self._state.value(name, parameters, empty)[0]

    def why(self, name: str, *, empty: float | None = None, **parameters: object) -> str | None:  # type: ignore[override]
        """Why no query has a value; None if one has."""
        return self._state.value(name, parameters, empty)[1]

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The `keys`."""
        return self.keys

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        empty = parameters.get("empty")
        return self._state.each(name, {key: value for key, value in parameters.items() if key != "empty"}, empty)[0]

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        return self.every(_SHOWN)._columns()

    def query_summary(self, name: str, *, empty: float | None = None, **parameters: object) -> Table:
        """A table of the queries: key, rows, relevant rows, the weight if there are weights, and the value.

        Parameters and errors as for `value`. Values that a query does not have are NaN, or `empty`; a note under the
        table counts them by reason.
        """
        values, reasons = self._state.each(name, parameters, empty)
        least: Any = parameters.get("min_relevance")
        rows, relevant, weights = self._state.sizes(least)
        columns: dict[str, list[Cell]] = {key: _cells(array) for key, array in self.keys.items()}
        columns |= {"rows": rows.tolist(), "relevant": relevant.tolist()}
        if self._state.weighted:
            columns["weight"] = weights.tolist()
        columns["value"] = values.tolist()
        table = Table(list(columns), list(zip(*columns.values(), strict=True)))
        if reasons:
            verb = "has" if len(reasons) == 1 else "have"
            excluded = self.reasons(name, **parameters)
            several = len(excluded) > 1
            counted = ", ".join(f"{reason} ({count})" if several else reason for reason, count in excluded.items())
            table.note = f"{len(reasons)} of {len(self)} queries {verb} no value: {counted}"
        return table

    def reasons(self, name: str, **parameters: object) -> dict[str, int]:
        """The reasons why queries have no value of an index, each with the number of queries.

        Parameters and errors as for `value`.
        """
        return dict(self._state.excluded(name, parameters))

    def interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        empty: float | None = None,
        **parameters: object,
    ) -> Interval:
        """The mean of an index with its interval of confidence, which takes the queries as a sample of independent ones.

        The bounds are the mean plus and minus t standard errors, cut to the range of the index. The standard error is
        the standard deviation of the values by the root of the number n of queries that have one; with weights w it
        is the root of n / (n - 1) times the sum of (w (value - mean))², by the sum of w. Where each value is 0 or 1, as
        of a hit rate, the mean is a share of the queries, with Wilson's interval.

        Parameters
        ----------
        name, empty, **parameters
            As for `value`.
        level : float
            The confidence level.
        method : str, optional
            "t", Student's distribution with n - 1 degrees of freedom, or "normal". Where each value is 0 or 1 also a
            method of shares, by default "wilson".
        side : {"two-sided", "lower", "upper"}
            Which bounds are wanted.

        Returns
        -------
        rocksteady.results.Interval
            Without bounds, and with `why`, where fewer than two queries have a value, or all have the same.

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            As for `value`; a level that is not between 0 and 1.

        >>> import rocksteady as rs
        >>> q = rs.Queries([1, 0, 0, 1, 0, 1], [0.5, 0.7, 0.1, 0.2, 0.3, 0.9], [1, 1, 2, 2, 3, 3])
        >>> found = q.interval("mrr")
        >>> round(found.estimate, 4), round(found.low, 4), found.high
        (0.8333, 0.1162, 1.0)
        """
        wanted = Wanted(level, method, side, parameters)
        return wanted.of_one(self._state.interval(name, parameters, empty, wanted._asked))

    def difference(
        self,
        other: Queries,
        name: str,
        *,
        level: float = 0.95,
        method: Literal["t", "randomization"] = "t",
        n_resamples: int = 9999,
        random_state: RandomState = None,
        empty: float | None = None,
        **parameters: object,
    ) -> Difference:
        """The mean of an index here less that of another run on the same queries, with its interval and its test.

        Queries are matched by their keys, in any order. The interval is Student's, of the differences of the queries;
        queries without a value in one of the runs are left out.

        Parameters
        ----------
        other : Queries
            The other run. The result calls this one "own" and that one "other".
        name, empty, **parameters
            As for `value`.
        level : float
            The confidence level.
        method : {"t", "randomization"}
            The p-value: that of Student's paired test, or of Fisher's randomization test. The latter is how often the
            mean difference is as far from 0 if the two values of each query are swapped at random (Smucker, Allan,
            Carterette 2007, doi:10.1145/1321440.1321528).
        n_resamples : int
            How often they are swapped. All ways are tried, and nothing is drawn, where there are no more.
        random_state : None, int or numpy.random.Generator
            The seed of the swaps.

        Returns
        -------
        rocksteady.results.Difference

        Raises
        ------
        rocksteady.UnknownIndexError
            As for `value`.
        rocksteady.InputError
            If a query is in one of the runs only, or has two weights; for options as for `value`.

        >>> import rocksteady as rs
        >>> relevance, query = [1, 0, 0, 1, 0, 1, 1, 0], [1, 1, 2, 2, 3, 3, 4, 4]
        >>> new = rs.Queries(relevance, [0.9, 0.7, 0.1, 0.2, 0.3, 0.9, 0.8, 0.1], query)
        >>> old = rs.Queries(relevance, [0.5, 0.7, 0.1, 0.2, 0.9, 0.3, 0.1, 0.8], query)
        >>> new.difference(old, "mrr")
        reciprocal_rank of 'own' less that of 'other': 0.375, 95 % interval -0.0228 to 0.773, p = 0.0577.
        No difference is shown: 0 lies in the interval. Nor is it shown that there is none.
        >>> new.difference(old, "mrr", method="randomization").p_value
        0.25
        """
        from rocksteady.inference.resampling import seed_of  # noqa: PLC0415 (few programs need it)

        one_of(method, "method", ("t", "randomization"))
        resamples = whole(n_resamples, "n_resamples", "the number of resamples, 1 or more", least=1)
        if not isinstance(other, Queries):
            raise wrong_type(other, "other", "the Queries of another run")
        swaps = (resamples, seed_of(random_state)) if method == "randomization" else None
        used, told = self._state.difference(other._state, name, parameters, empty, level_of(level), swaps)
        return Difference._of(told, used, ("own", "other"), level, method)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("queries",))

    def __repr__(self) -> str:
        rows, queries = number_of(self.rows, "row"), number_of(len(self), "query", "queries")
        values = ", ".join(f"{name} {number(self[name])}" for name in _SHOWN)
        return f"<rocksteady.Queries of {rows} in {queries}: {values}>"

    def _repr_html_(self) -> str:
        lines: Sequence[tuple[str, Cell]] = [("rows", self.rows), ("queries", len(self)), ("ties", self.ties)]
        return Table(["Queries", ""], [*lines, *((name, self[name]) for name in _SHOWN)])._repr_html_()


def _cells(keys: NDArray[Any]) -> list[Cell]:
    """Keys as cells of a table; dates become text."""
    cells: list[Cell] = items_of(keys)
    return cells

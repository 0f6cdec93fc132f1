"""A small table of results, for terminals and notebooks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rocksteady.base.arguments import listed, printable, shown, string, whole, wrong_value
from rocksteady.base.ways_out import WaysOut, items_of, unlike
from rocksteady.errors import for_terminal

#: No float64 has more digits.
_MOST_DIGITS: Final = 767

Cell = str | int | float | None

_CELL_WIDTH = 400
_LABEL_WIDTH = 40
#: A longer table shows so many rows of each end.
_LONG = 1000
_ENDS = 30


def one_line(label: object) -> str:
    r"""Text of a label on one line, cut after 40 characters, with control characters escaped.

    >>> one_line("a\nb"), one_line(True), one_line("long " * 10)
    ('a\\nb', 'True', 'long long long long long long long long …')
    """
    return printable(str(label), _LABEL_WIDTH)


def number(value: Cell, digits: int = 6) -> str:
    """Text of one cell: integers in full, floats to `digits` significant digits, NaN as ``nan``, None as empty text.

    Of text what does not print is escaped, and a very long one is cut.

    >>> number(0.123456789), number(3), number(float("nan")), number(None)
    ('0.123457', '3', 'nan', '')
    """
    if value is None:
        return ""
    if not isinstance(value, float):
        return printable(str(value), _CELL_WIDTH)
    if math.isnan(value):
        return "nan"
    return f"{value:.{digits}g}"


def number_of(count: float, noun: str, plural: str | None = None) -> str:
    """A number with its noun, which is in the plural unless the number is 1.

    >>> number_of(1, "row"), number_of(2, "row"), number_of(0, "query", "queries")
    ('1 row', '2 rows', '0 queries')
    """
    return f"{number(count, 15)} {noun if count == 1 else plural or f'{noun}s'}"


def short(value: object) -> str:
    """Text of any value on one line: numbers to six digits, other values cut after 60 characters.

    >>> short(0.25), short(3.0), short("fraud"), short(None)
    ('0.25', '3', "'fraud'", 'None')
    """
    if isinstance(value, float):
        return number(_whole(value))
    if hasattr(value, "__dataclass_fields__"):
        return f"{type(value).__name__}(…)"
    return shown(value)


def class_named(label: object) -> str:
    """Text of a class in a title: text in quotes.

    >>> class_named("fraud"), class_named(1)
    ("'fraud'", '1')
    """
    shown = one_line(label)
    return f"'{shown}'" if isinstance(label, str) else shown


def _whole(value: float) -> float | int:
    """A whole number as an integer, so that millions of rows show all their digits."""
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, bool | int):
        return value
    return _whole(value) if isinstance(value, float) else one_line(value)


def preview(
    columns: Mapping[str, Any], order: Sequence[str], shown: int, width: int | None = None
) -> tuple[Table, list[str]]:
    """Both ends of arrays of one length, with the place of each entry, and the names of columns that have no room.

    Parameters
    ----------
    columns : mapping of str to numpy.ndarray
        The arrays. Only the ends are read.
    order : sequence of str
        The names of the columns, those to show first before the others.
    shown : int
        How many entries of each end.
    width : int, optional
        The characters of a line. Default: all columns.

    >>> import numpy as np
    >>> preview({"a": np.arange(5.0), "b": np.ones(5)}, ["b", "a"], 1, 10)
    (   a  b
    0  0  1
    …  …  …
    4  4  1, [])
    """
    length = len(next(iter(columns.values())))
    is_cut = length > 2 * shown
    places = [*range(shown), *range(length - shown, length)] if is_cut else list(range(length))

    def ends(array: Any) -> list[Cell]:
        entries = [*items_of(array[:shown]), *items_of(array[length - shown :])] if is_cut else items_of(array)
        cells = [_cell(entry) for entry in entries]
        return [*cells[:shown], "…", *cells[shown:]] if is_cut else cells

    texts: list[Cell] = [str(place) for place in places]
    headed = {"": [*texts[:shown], "…", *texts[shown:]] if is_cut else texts}
    room = width - max(map(len, map(str, headed[""])), default=0) if width is not None else None
    taken: dict[str, list[Cell]] = {}
    for name in dict.fromkeys(order):
        cells = ends(columns[name])
        if room is not None:
            room -= 2 + max(len(one_line(name)), *(len(number(cell)) for cell in cells), 0)
            if room < 0 and taken:
                break
        taken[name] = cells
    headed |= {name: taken[name] for name in columns if name in taken}
    table = Table(list(headed), list(zip(*headed.values(), strict=True)))
    return table, [name for name in columns if name not in taken]


def repr_html(shown: object) -> str:
    """HTML of an object whose text is one line.

    >>> repr_html(1 > 0)
    '<p>True</p>'
    """
    import html  # noqa: PLC0415 (few programs need it)

    return f"<p>{html.escape(repr(shown))}</p>"


def in_markdown(text: str) -> str:
    r"""Text of a cell on one line, with the special characters of Markdown and HTML escaped.

    >>> in_markdown("<b>|x_1*\n`"), in_markdown("macro_f1")
    ('&lt;b&gt;\\|x_1\\* \\`', 'macro_f1')
    """
    # An underscore within a word has no meaning in Markdown, so names of indices stay as they are.
    marked = re.sub(r"([\\|*`\[\]~#$]|\b_|_\b)", r"\\\1", " ".join(text.split()))
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Table(WaysOut):
    """A table with named columns of text and numbers. Numbers print right-aligned.

    Of more than 1,000 rows, only the first and the last 30 are printed.

    Parameters
    ----------
    columns : sequence of str
        The headings.
    rows : sequence of sequences
        The cells: str, int, float or None, one per column in each row.
    note : str, optional
        A sentence under the table, where it is printed or shown in a notebook.

    Examples
    --------
    >>> print(Table(["index", "value"], [["accuracy", 0.85], ["mcc", 0.699087]]))
    index        value
    accuracy      0.85
    mcc       0.699087
    """

    __slots__ = ("_make", "_rows", "columns", "note")

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, note: str | None = None) -> None:
        self.note = None if note is None else for_terminal(string(note, "note"))
        self.columns: tuple[str, ...] = tuple(listed(columns, "columns", "a list of headings"))
        # The place is formatted only for a heading that may be refused: some tables have hundreds of columns.
        for place, heading in enumerate(self.columns):
            if type(heading) is not str:
                string(heading, f"columns[{place}]")
        self._rows: tuple[tuple[Cell, ...], ...] | None = tuple(
            row if type(row) is tuple else tuple(listed(row, f"rows[{place}]", "a list of cells"))
            for place, row in enumerate(listed(rows, "rows", "a list of rows"))
        )
        for place, row in enumerate(self._rows):
            if len(row) != len(self.columns):
                raise wrong_value(row, f"rows[{place}]", f"{len(self.columns)} cells, one for each column")
        self._make: Callable[[], Iterable[Sequence[Cell]]] | None = None

    @classmethod
    def _later(cls, columns: Sequence[str], make: Callable[[], Iterable[Sequence[Cell]]]) -> Table:
        """A table that makes its rows from arrays when they are first read."""
        table = cls(columns, ())
        table._rows, table._make = None, make
        return table

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells, row by row."""
        if self._rows is None:
            self._rows = tuple(tuple(row) for row in (self._make() if self._make is not None else ()))
            self._make = None
        return self._rows

    def __len__(self) -> int:
        return len(self.rows)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return partial(type(self), note=self.note), (self.columns, self.rows)

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        return iter(self.rows)

    def _columns(self) -> dict[str, list[Cell]]:
        found: dict[str, list[Cell]] = {}
        for place, name in enumerate(self.columns):
            found[unlike(name, found)] = [row[place] for row in self.rows]
        return found

    def _texts(self, digits: int = 6, rows: Sequence[Sequence[Cell]] | None = None) -> list[list[str]]:
        shown = self.rows if rows is None else rows
        return [[*map(one_line, self.columns)], *([number(cell, digits) for cell in row] for row in shown)]

    def _shown(self) -> tuple[list[list[str]], str | None]:
        """The texts that are printed, with both ends of a long table, and the note below them."""
        if len(self.rows) <= _LONG:
            return self._texts(), self.note
        texts = self._texts(rows=[*self.rows[:_ENDS], ["…"] * len(self.columns), *self.rows[-_ENDS:]])
        cut = f"{len(self.rows):,} rows; both ends are shown, and .rows has all"
        return texts, cut if self.note is None else f"{cut}\n{self.note}"

    def _words(self) -> list[bool]:
        """Which columns are left-aligned: the first, and those without a number."""
        return [
            place == 0 or all(isinstance(row[place], str | None) for row in self.rows)
            for place in range(len(self.columns))
        ]

    def __repr__(self) -> str:
        texts, note = self._shown()
        places = range(len(self.columns))
        widths = [max(len(row[place]) for row in texts) for place in places]
        words = self._words()
        lines = [
            "  ".join(
                text.ljust(width) if is_words else text.rjust(width)
                for text, width, is_words in zip(row, widths, words, strict=True)
            ).rstrip()
            for row in texts
        ]
        return "\n".join(lines if note is None else [*lines, note])

    def to_markdown(self, digits: int = 6) -> str:
        r"""The table in GitHub's Markdown; numbers have `digits` significant digits.

        Special characters of Markdown and HTML are escaped.

        >>> print(Table(["index", "value"], [["accuracy", 0.85], ["a|b", 0.699087]]).to_markdown(3))
        | index | value |
        | --- | ---: |
        | accuracy | 0.85 |
        | a\|b | 0.699 |
        <BLANKLINE>
        """
        heading, *rows = self._texts(min(whole(digits, "digits", "a whole number, 1 or more", least=1), _MOST_DIGITS))
        rules = ["---" if is_words else "---:" for is_words in self._words()]
        lines = [map(in_markdown, heading), rules, *(map(in_markdown, row) for row in rows)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (few programs need it)

        (heading, *rows), below = self._shown()
        cells = "".join(f"<th>{html.escape(text)}</th>" for text in heading)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>" for row in rows)
        note = "" if below is None else f"<p>{html.escape(below)}</p>"
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>{note}"

"""Read prediction files in batches of checked rows.

polars reads the files, 131,072 rows at a time, so memory does not grow with them. Every row is checked here, where its
file and row number are known. An empty cell, or one that is not a number, is refused by name; with `--nan-policy omit`
a row without a score or label is left out and counted.

**The kind of the labels** (truth values, whole numbers or text) is decided over all files before the first row is
counted:

1. Typed files declare the kind. The first rows of a CSV or NDJSON file suggest it.
2. If a later row of such a file does not fit, `WiderLabelsError` is raised, and the caller starts again with a wider
   kind.

The result is the narrowest kind that fits every row, in any order of the rows.
"""

from __future__ import annotations

import contextlib
import csv
import enum
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from rocksteady.base.arguments import shown
from rocksteady.cli.sources import MISSING_WORDS, POLARS_ERRORS, SEPARATORS, RefusedError, Source

BATCH_ROWS = 131_072
_INFERRED_ROWS = 1_000
_SHOWN_COLUMNS, _SHOWN_LETTERS = 12, 40


class Kind(enum.Enum):
    """The kind of the labels, in words for messages."""

    TRUTH = "truth values"
    INTEGER = "whole numbers"
    NUMBER = "numbers"
    TEXT = "text"


_TYPES: dict[Kind, type[pl.DataType]] = {
    Kind.TRUTH: pl.Boolean,
    Kind.INTEGER: pl.Int64,
    Kind.NUMBER: pl.Float64,
    Kind.TEXT: pl.String,
}


class WiderLabelsError(Exception):
    """A file of text has a label that the assumed kind cannot represent; start again with `kind`."""

    def __init__(self, kind: Kind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True)
class Columns:
    """The names of the columns to read: labels, scores, predicted classes, class probabilities, weights, amounts and keys.

    Keys are those of groups, and which rows belong together: clusters and strata.
    """

    label: str
    scores: tuple[str, ...] = ()
    preds: tuple[str, ...] = ()
    proba: tuple[str, ...] = ()
    weight: str | None = None
    by: tuple[str, ...] = ()
    cluster: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    more_labels: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """All columns, in a fixed order."""
        return [*self.classes, *self.numbers, *self.keys]

    @property
    def keys(self) -> list[str]:
        """The columns with keys, each once."""
        return list(dict.fromkeys([*self.by, *self.cluster, *self.strata]))

    def design(self, frame: pl.DataFrame) -> dict[str, Any]:
        """The columns with weights, clusters and strata, by their names in `evaluate`."""
        keys = {"cluster": self.cluster, "strata": self.strata}
        found = {argument: frame.select(names) for argument, names in keys.items() if names}
        return found if self.weight is None else {"sample_weight": frame[self.weight], **found}

    @property
    def classes(self) -> list[str]:
        """The columns with labels."""
        return [self.label, *self.more_labels, *self.preds]

    @property
    def numbers(self) -> list[str]:
        """The columns with numbers."""
        return [*self.scores, *self.proba, *([] if self.weight is None else [self.weight]), *self.amounts]


@dataclass(frozen=True)
class Batch:
    """Checked rows of one file: no nulls, scores finite, weights finite and not negative.

    Attributes
    ----------
    source
        The file.
    before
        The number of rows of the file before this batch.
    label, weight, columns
        The columns, of the same rows.
    left_out
        The number of rows without a score or label, which are not in the columns.
    kept
        Where rows are left out: for each row of the columns its place among all rows of the batch.
    unlabelled
        Rows without a label, where these are asked for; they count as left out.
    """

    source: Source
    before: int
    label: pl.Series
    weight: pl.Series | None
    columns: pl.DataFrame
    left_out: int = 0
    kept: pl.Series | None = None
    unlabelled: pl.DataFrame | None = None

    def where(self, row: int) -> str:
        """File and number of a row of this batch, for messages. The first row after the header is row 1."""
        return f"{self.source}, row {self.before + (row if self.kept is None else self.kept[row]) + 1}"


class Reader:
    """The files, their columns and the kind of the labels. `batches` reads the files and may be called again."""

    def __init__(self, sources: Sequence[Source], columns: Columns) -> None:
        self.sources = list(sources)
        self.columns = columns
        self._of_path: dict[Source, list[str]] = {}  # the keys in the names of folders
        schemas = {source: self._schema(source) for source in self.sources}
        self._typed = {source: schema for source, schema in schemas.items() if not source.is_text}
        self._warned: set[str] = set()  # columns that were warned about a class that is a word for missing cells
        self._spelled = False  # whether a file of text spells truth values as words, such as "true"
        self.kind = self._settle(schemas)
        self.order = _order([schema[columns.label] for schema in schemas.values()])
        self._types = {name: self._common_type([name]) for name in columns.scores}
        self._types |= dict.fromkeys(columns.proba, self._common_type(columns.proba))  # they form one matrix
        if columns.weight is not None:
            self._types[columns.weight] = pl.Float64
        self._types |= dict.fromkeys(columns.amounts, pl.Float64)
        for name in columns.keys:  # keys need one type in all files; in files of text they are text
            types = {schema[name] for schema in self._typed.values()}
            is_mixed = len(types) > 1 or (len(self._typed) < len(self.sources) and bool(types))
            self._types[name] = pl.String if is_mixed else None

    def widen(self, wider: WiderLabelsError) -> None:
        """Widen the kind of the labels, unless a file with typed columns forbids it."""
        if wider.kind is Kind.TEXT:
            for source in self._typed:  # its labels are not text, or the kind would be text from the start
                raise RefusedError(f"{wider}; expected {self.kind.value}, as in {source}")
        self.kind = wider.kind

    def batches(self, progress: Callable[[int], None] | None = None) -> Iterator[Batch]:
        """Read all files in turn; `progress` gets the number of bytes read so far.

        Raises
        ------
        RefusedError
            If a cell or a file cannot be used.
        WiderLabelsError
            If the labels of a file of text do not fit `self.kind`: call `widen`, drop the counts, and start again.
        """
        behind = 0
        for source in self.sources:
            size = source.size
            promised = _footer_rows(source)
            row_bytes = _row_bytes(source) if promised is None else size / max(promised, 1)
            rows = 0
            for frame in source.checked(self._frames(source)):
                yield self._checked(frame, source, rows)
                rows += frame.height
                if progress:
                    progress(behind + min(size, int(rows * row_bytes)))
            if promised is not None and rows != promised:
                # polars 2.1 ends the stream without an error if a damaged file makes its reader fail.
                raise RefusedError(f"cannot read {source}: its footer says {promised} rows, but {rows} could be read")
            if rows == 0 and not source.is_part:
                raise RefusedError(f"{source} has no rows")
            behind += size
            if progress:
                progress(behind)

    # The schemas of the files.

    def _schema(self, source: Source) -> pl.Schema:
        """The columns of a file; in a file of text, columns of labels have the type that fits its first rows."""
        try:
            schema = source.schema(self.columns.names)
            for name in self.columns.names:
                if name not in schema and name in self.columns.keys and name in source.keys:
                    schema[name] = pl.String()
                    self._of_path.setdefault(source, []).append(name)
                if name not in schema:
                    raise RefusedError(f"{source} has no column {name!r}; it has {_has(source, schema.names(), name)}")
                if source.format == "csv" and f"{name}_duplicated_0" in schema:
                    raise RefusedError(f"{source} has more than one column {name!r}")
            if source.is_text:
                return pl.Schema({name: _suggested(source, name) for name in self.columns.classes})
        except (*POLARS_ERRORS, ValueError) as error:
            raise _unreadable(source, error) from None
        for name in self.columns.numbers:
            if _kind_of(schema[name]) not in (Kind.INTEGER, Kind.NUMBER):
                raise RefusedError(f"{name!r} in {source} is of type {schema[name]}; expected floats or integers")
        return schema

    def _settle(self, schemas: dict[Source, pl.Schema]) -> Kind:
        """The narrowest kind of labels that fits the schemas of all files."""
        kinds: dict[Kind, tuple[str, Source]] = {}
        for source, schema in schemas.items():
            for name in self.columns.classes:
                if source.is_text and schema[name] == pl.Null:  # no row has a label
                    continue
                kind = _kind_of(schema[name])
                if kind is None:
                    raise RefusedError(
                        f"{name!r} in {source} is of type {schema[name]}; expected truth values, whole numbers or text"
                    )
                if kind is Kind.TRUTH and source.is_text:
                    self._spelled = True
                if kind not in kinds or source in self._typed:
                    kinds[kind] = (name, source)
        if not kinds:
            return Kind.INTEGER
        if len(kinds) == 1:
            return next(iter(kinds))
        if Kind.TEXT not in kinds and not self._spelled:
            return Kind.NUMBER if Kind.NUMBER in kinds else Kind.INTEGER
        for kind, (name, source) in kinds.items():
            if kind is not Kind.TEXT and source in self._typed:  # the labels of a file of text can be read as text
                other, (there_name, there) = next(item for item in kinds.items() if item[0] is not kind)
                raise RefusedError(
                    f"{name!r} in {source} holds {kind.value}, but {there_name!r} in {there} holds {other.value}; "
                    "expected labels of one kind"
                )
        return Kind.TEXT

    def _common_type(self, names: Sequence[str]) -> type[pl.DataType] | None:
        """The type to cast columns of scores to, or None if they have the same type in all files."""
        types: set[pl.DataType] = {schema[name] for schema in self._typed.values() for name in names}
        if len(self._typed) < len(self.sources):
            types.add(pl.Float64())  # the type of scores in a file of text
        return pl.Float64 if len(types) > 1 else None

    # Rows.

    def _scan(self, source: Source, *, leniently: bool = False) -> pl.LazyFrame:
        """The columns, cast to the types in which they are counted."""
        keys = self._of_path.get(source, [])
        given = [pl.lit(source.keys[name], pl.String).alias(name) for name in keys]
        if source.is_text:
            types = dict.fromkeys(self.columns.classes, _TYPES[self.kind])
            types |= dict.fromkeys(self.columns.numbers, pl.Float64) | dict.fromkeys(self.columns.keys, pl.String)
            names = [name for name in types if name not in keys]
            found = source.parsed({name: types[name] for name in names}, self.columns.keys, leniently=leniently)
            return found.with_columns(given)
        casts = []
        for name in self.columns.classes:
            if self.kind in (Kind.TEXT, Kind.NUMBER):
                casts.append(pl.col(name).cast(_TYPES[self.kind]))
            elif self.kind is Kind.INTEGER and self._typed[source][name] == pl.Boolean:
                casts.append(pl.col(name).cast(pl.UInt8))
        casts += [pl.col(name).cast(dtype) for name, dtype in self._types.items() if dtype is not None]
        names = [name for name in self.columns.names if name not in keys]
        return source.typed(names).with_columns(given).with_columns(casts)

    def _frames(self, source: Source) -> Iterator[pl.DataFrame]:
        rows = 0
        try:
            for frame in _streamed(self._scan(source)):
                yield frame
                rows += frame.height
        except POLARS_ERRORS as error:
            if source.is_text:
                self._explain(source)
            if source.format != "csv":
                raise _unreadable(source, error) from None
            try:  # no cell is wrong, so a lenient reader can go on
                yield from _streamed(self._scan(source, leniently=True).slice(rows))
            except POLARS_ERRORS:
                raise _unreadable(source, error) from None

    def _checked(self, frame: pl.DataFrame, source: Source, before: int) -> Batch:
        left_out, kept, unlabelled = 0, None, None
        if source.dialect.has_gaps:
            optional = {self.columns.weight, *self.columns.keys}
            needed = [column for column in frame.iter_columns() if column.name not in optional]
            if source.dialect.unlabelled:
                unlabelled = self._unlabelled(frame, source, before)
            if not source.dialect.omit:
                needed = [frame[self.columns.label]]
            places = frame.select(pl.arg_where(pl.all_horizontal(map(_is_present, needed)))).to_series()
            left_out = frame.height - len(places)
            if left_out:
                frame, kept = frame[places], places
        here = Batch(source, before, frame[self.columns.label], None, frame, left_out, kept, unlabelled)
        _check_cells(here, self.columns.by)  # a missing key is a key
        if self.kind is Kind.TEXT and source.format == "csv" and not source.dialect.has_gaps:
            self._warn_of_words(here)
        weight = None if self.columns.weight is None else frame[self.columns.weight]
        if weight is not None:
            _refuse_where(weight < 0, weight, here, "a weight of 0 or more")
        if self.kind is Kind.NUMBER:
            for name in self.columns.classes:
                column = frame[name]
                _refuse_where((column != column.floor()) | (column.abs() > 2**53), column, here, "a whole number")
            frame = frame.with_columns(pl.col(self.columns.classes).cast(pl.Int64))
        return replace(here, label=frame[self.columns.label], weight=weight, columns=frame)

    def _unlabelled(self, frame: pl.DataFrame, source: Source, before: int) -> pl.DataFrame:
        """The scores of the rows without a label."""
        label = frame[self.columns.label]
        given = [_is_present(column) for column in frame[list(self.columns.scores)].iter_columns()]
        is_wanted = ~_is_present(label) & pl.all_horizontal(given) if source.dialect.omit else ~_is_present(label)
        places = frame.select(pl.arg_where(is_wanted)).to_series()
        scores = frame[places].select(self.columns.scores)
        here = Batch(source, before, label, None, scores, kept=places)
        _check_cells(here)
        return scores

    def _warn_of_words(self, batch: Batch) -> None:
        """Warn once for each column of text in which a word for missing cells is a class."""
        for name in self.columns.classes:
            is_word = batch.columns[name].is_in(MISSING_WORDS)
            if name not in self._warned and is_word.any():
                self._warned.add(name)
                row = int(is_word.arg_max() or 0)
                said = f"{batch.where(row)}: {name!r} is {shown(batch.columns[name][row])}, which is read as a class"
                warnings.warn(f"{said}; --nan-policy omit leaves such rows out", stacklevel=2)

    def _explain(self, source: Source) -> None:
        """Read a file of text again, as text, after polars failed: to name the cell, or to widen the labels."""

        def first_unlike(names: list[str], dtype: type[pl.DataType], but: Sequence[str] = ()) -> tuple[str, str] | None:
            """The first cell that does not fit a type, as the start of a message, and its text."""
            if not names:
                return None
            unlike = {
                name: pl.col(name).is_not_null() & ~source.is_like(name, dtype) & ~pl.col(name).is_in(but)
                for name in names
            }
            found = source.text(names).filter(pl.any_horizontal(*unlike.values())).head(1).collect(engine="streaming")
            for name, here in unlike.items():
                if not found.filter(here).is_empty():
                    row, text = found[0, ""] + 1, found[0, name]
                    source.check_cells(row)
                    return f"{source}, row {row}: {shown(name)} is {shown(text)}", text
            return None

        try:
            if found := first_unlike(self.columns.numbers, pl.Float64):
                raise RefusedError(f"{found[0]}; expected a number{_cure(source, found[1])}")
            if self.kind is Kind.TEXT:
                return
            missing = MISSING_WORDS if source.format == "csv" else ()
            if found := first_unlike(self.columns.classes, _TYPES[self.kind], but=missing):
                number = self.kind is Kind.INTEGER and not first_unlike(self.columns.classes, pl.Float64, but=missing)
                raise WiderLabelsError(Kind.NUMBER if number else Kind.TEXT, found[0])
            if found := first_unlike(self.columns.classes, _TYPES[self.kind]):
                raise RefusedError(f"{found[0]}; expected {self.kind.value}, as in other rows{_cure(source, found[1])}")
        except POLARS_ERRORS:
            return  # the caller reports the first error of polars


def _order(types: Sequence[pl.DataType]) -> list[str] | None:
    """The categories in order, if all files have the same ones: the type `Enum` of polars."""
    first = types[0]
    return first.categories.to_list() if isinstance(first, pl.Enum) and all(dtype == first for dtype in types) else None


def _suggested(source: Source, name: str) -> pl.DataType:
    """The narrowest type that fits the first labels of a file of text; null if no row has a label."""
    cells = source.text([name]).select(name).filter(pl.col(name).is_not_null()).head(_INFERRED_ROWS)
    first = cells.collect(engine="streaming")
    if first.is_empty():
        return pl.Null()
    if source.format == "csv":
        first = first.filter(~pl.col(name).is_in(MISSING_WORDS))
    for kind in (Kind.TRUTH, Kind.INTEGER, Kind.NUMBER):
        if not first.is_empty() and first.select(source.is_like(name, _TYPES[kind]).all()).item():
            return _TYPES[kind]()
    return pl.String()


def _is_present(column: pl.Series) -> pl.Expr:
    """Whether a cell has a value: neither null nor NaN."""
    cell = pl.col(column.name)
    return cell.is_not_null() & cell.is_not_nan() if column.dtype.is_float() else cell.is_not_null()


def _check_cells(batch: Batch, but: Sequence[str] = ()) -> None:
    """Refuse a missing cell, and a number that is not finite, in any other column."""
    for column in batch.columns.iter_columns():
        if column.name in but:
            continue
        if column.null_count():
            raise _cell(batch, column.is_null(), f"{column.name!r} is missing")
        if column.dtype.is_float():
            _refuse_where(~column.is_finite(), column, batch, "a finite number")


def _streamed(frame: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    return frame.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True, engine="streaming", lazy=True)


def _cure(source: Source, cell: str) -> str:
    """The option that reads a cell that is not a number, for the end of a message."""
    if source.format != "csv":
        return ""
    if cell.strip() in MISSING_WORDS:
        return "; --nan-policy omit leaves such rows out"
    if source.dialect.decimal == "." and _is_number(cell.replace(",", ".")):
        return "; --decimal , reads decimal commas"
    return ""


def _footer_rows(source: Source) -> int | None:
    """The number of rows in the footer of a Parquet or Arrow IPC file; None for other formats, which have no footer."""
    if source.format not in ("parquet", "arrow"):
        return None
    try:
        return int(source.typed().select(pl.len()).collect().item())
    except POLARS_ERRORS as error:
        raise _unreadable(source, error) from None


def _row_bytes(source: Source) -> float:
    """Estimate the bytes per row of a file of text from its beginning; 0 if it is compressed."""
    if source.is_compressed or not source.is_text:
        return 0.0
    with source.path.open("rb") as file:
        start = file.read(1 << 16)
    return len(start) / max(start.count(b"\n"), 1)


def _kind_of(dtype: pl.DataType) -> Kind | None:
    if dtype == pl.Boolean:
        return Kind.TRUTH
    if dtype.is_integer() and dtype not in (pl.Int128, pl.UInt128):
        return Kind.INTEGER
    if dtype.is_float():
        return Kind.NUMBER
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        return Kind.TEXT
    return None


def _refuse_where(bad: pl.Series, column: pl.Series, batch: Batch, expected: str) -> None:
    if bad.any():
        value = column[int(bad.arg_max() or 0)]
        raise _cell(batch, bad, f"{column.name!r} is {value}; expected {expected}")


def _cell(batch: Batch, bad: pl.Series, problem: str) -> RefusedError:
    return RefusedError(f"{batch.where(int(bad.arg_max() or 0))}: {problem}")


def _unreadable(source: Source, error: BaseException) -> RefusedError:
    if isinstance(error, pl.exceptions.NoDataError):
        return RefusedError(f"{source} is empty")
    if isinstance(error, OSError) and error.strerror:
        return RefusedError(f"cannot read {source}: {error.strerror}")
    with contextlib.suppress(*POLARS_ERRORS):
        if source.format == "ndjson" and (bad := source.bad_line()):
            return RefusedError(bad)
    if "utf-8" in str(error).lower() or "utf8" in str(error).lower():
        return RefusedError(
            f"cannot read {source}: it is not UTF-8; of Latin-1 that comes from: iconv -f LATIN1 -t UTF-8; what Excel "
            "writes is CP1252 in Western Europe, CP932 in Japan"
        )
    if "malformed" in str(error):
        return RefusedError(
            f"cannot read {source}: its double quotes do not come in pairs; a cell with one needs quotes around it, and "
            'two for the one: "5"" pipe"'
        )
    lines = str(error).strip().splitlines()
    return RefusedError(f"cannot read {source}: {lines[0] if lines else type(error).__name__}")


def _has(source: Source, names: Sequence[str], wanted: str) -> str:
    """The columns of a file, for a message, and another separator if it would give the wanted column."""
    names_shown = _listed(names)
    if any("\0" in name for name in names):
        return f"{names_shown}, which is UTF-16; expected UTF-8, as from: iconv -f UTF-16 -t UTF-8"
    if source.format == "csv":
        for name, separator in SEPARATORS.items():
            is_likely = separator != " " or len(names) == 1  # names of several words have spaces
            if is_likely and wanted in _cells(source.first_line(), separator):
                option = name if separator.isspace() else repr(separator)
                return f"{names_shown}; --separator {option} would find it"
        if names and names[0].startswith("{"):
            return f"{names_shown}; --format ndjson reads JSON"
        if source.dialect.header and any(_is_number(name) for name in names):
            return f"{names_shown}; --no-header numbers the columns"
    return names_shown


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:  # a cell too long for the module
        return []


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _listed(names: Sequence[str]) -> str:
    names = [name if len(name) <= _SHOWN_LETTERS else f"{name[:_SHOWN_LETTERS]}…" for name in names]
    shown = ", ".join(repr(name) for name in names[:_SHOWN_COLUMNS])
    rest = len(names) - _SHOWN_COLUMNS
    return f"{shown} and {rest} more" if rest > 0 else shown or "no columns"

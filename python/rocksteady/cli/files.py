"""Read prediction files in batches of checked rows.

polars reads CSV, Parquet and Arrow IPC files, 131,072 rows at a time, so memory does not grow with the files. Every row
is checked here, where its file and row number are known. An empty cell, or one that is not a number, is refused by
name.

**The kind of the labels** (truth values, whole numbers or text) is decided over all files before the first row is
counted:

1. Typed files declare the kind. The first rows of a CSV file suggest it.
2. If a later row of a CSV file does not fit, `WiderLabelsError` is raised, and the caller starts again with a wider
   kind.

The result is the narrowest kind that fits every row, in any order of the rows.
"""

from __future__ import annotations

import enum
import glob
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

BATCH_ROWS = 131_072
_INFERRED_ROWS = 1_000
_SHOWN_COLUMNS, _SHOWN_LETTERS = 12, 40

# polars raises these if it cannot read a file: its own errors, the system's, and a panic of its reader.
_POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)

_CSV = {".csv": ",", ".tsv": "\t"}
_COMPRESSED = {".gz", ".zst"}
_PARQUET = {".parquet", ".pq"}
_IPC = {".arrow", ".ipc", ".feather"}
KNOWN = "CSV (.csv, .tsv, also .gz or .zst), Parquet (.parquet, .pq) and Arrow IPC (.arrow, .ipc, .feather)"


class RefusedError(Exception):
    """One sentence that says what is wrong with the input; exit code 2."""


class Kind(enum.Enum):
    """The kind of the labels, in words for messages."""

    TRUTH = "truth values"
    INTEGER = "whole numbers"
    NUMBER = "numbers"
    TEXT = "text"


_CSV_TYPES: dict[Kind, type[pl.DataType]] = {
    Kind.TRUTH: pl.Boolean,
    Kind.INTEGER: pl.Int64,
    Kind.NUMBER: pl.Float64,
    Kind.TEXT: pl.String,
}


class WiderLabelsError(Exception):
    """A CSV file has a label that the assumed kind cannot represent; start again with `kind`."""

    def __init__(self, kind: Kind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True)
class Columns:
    """The names of the columns to read: labels, scores, predicted classes, class probabilities and weights."""

    label: str
    scores: tuple[str, ...] = ()
    preds: tuple[str, ...] = ()
    proba: tuple[str, ...] = ()
    weight: str | None = None

    @property
    def names(self) -> list[str]:
        """All columns, in a fixed order."""
        return [*self.classes, *self.numbers]

    @property
    def classes(self) -> list[str]:
        """The columns with labels."""
        return [self.label, *self.preds]

    @property
    def numbers(self) -> list[str]:
        """The columns with numbers."""
        return [*self.scores, *self.proba, *([] if self.weight is None else [self.weight])]


@dataclass(frozen=True)
class Batch:
    """Checked rows of one file: no nulls, scores finite, weights finite and not negative."""

    path: Path
    before: int
    label: pl.Series
    weight: pl.Series | None
    columns: pl.DataFrame

    def where(self, row: int) -> str:
        """File and number of a row of this batch, for messages. The first row after the header is row 1."""
        return f"{self.path}, row {self.before + row + 1}"


def find(patterns: Sequence[str]) -> list[Path]:
    """Resolve files, glob patterns and folders to files, in the order given; the files of a pattern are sorted."""
    found: dict[Path, Path] = {}
    for pattern in patterns:
        for path in _matches(pattern):
            if path.resolve() in found:
                raise RefusedError(f"{path} is named twice; its rows would count twice")
            found[path.resolve()] = path
    return list(found.values())


def _matches(pattern: str) -> list[Path]:
    if not pattern:
        raise RefusedError("a file name is empty")
    path = Path(pattern)
    if path.is_dir():
        files = sorted(inner for inner in path.rglob("*") if inner.is_file() and _format(inner) is not None)
        if not files:
            raise RefusedError(f"{pattern} holds no file to read; expected {KNOWN}")
        return files
    if path.exists():
        if _format(path) is None:
            raise RefusedError(f"{pattern} has an unknown extension; expected {KNOWN}")
        return [path]
    if not glob.has_magic(pattern):
        raise RefusedError(f"{pattern}: no such file")
    names = glob.glob(pattern, recursive=True)  # noqa: PTH207 (pathlib cannot glob an absolute pattern)
    files = sorted(Path(name) for name in names if Path(name).is_file())
    if not files:
        raise RefusedError(f"no file matches {pattern}")
    for file in files:
        if _format(file) is None:
            raise RefusedError(f"{file} has an unknown extension; expected {KNOWN}")
    return files


def _format(path: Path) -> str | None:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        return "csv" if suffixes[-2:-1] and suffixes[-2] in _CSV else None
    last = suffixes[-1] if suffixes else ""
    return "csv" if last in _CSV else "parquet" if last in _PARQUET else "ipc" if last in _IPC else None


def _separator(path: Path) -> str:
    return next(_CSV[suffix.lower()] for suffix in reversed(path.suffixes) if suffix.lower() in _CSV)


class Reader:
    """The files, their columns and the kind of the labels. `batches` reads the files and may be called again."""

    def __init__(self, paths: Sequence[Path], columns: Columns) -> None:
        self.paths = list(paths)
        self.columns = columns
        schemas = {path: self._schema(path) for path in self.paths}
        self._typed = {path: schema for path, schema in schemas.items() if _format(path) != "csv"}
        self._spelled = False  # whether a CSV file has truth values as words, such as "true"
        self.kind = self._settle(schemas)
        self._types = {name: self._common_type([name]) for name in columns.scores}
        self._types |= dict.fromkeys(columns.proba, self._common_type(columns.proba))  # they are one matrix
        if columns.weight is not None:
            self._types[columns.weight] = pl.Float64

    def widen(self, wider: WiderLabelsError) -> None:
        """Widen the kind of the labels, unless a file with typed columns forbids it."""
        if wider.kind is Kind.TEXT:
            for path in self._typed:  # its labels are not text: else the kind would be text from the start
                raise RefusedError(f"{wider}; expected {self.kind.value}, as in {path}")
        self.kind = wider.kind

    def batches(self, progress: Callable[[int], None] | None = None) -> Iterator[Batch]:
        """Read all files in turn; `progress` gets the number of bytes read so far.

        Raises
        ------
        RefusedError
            If a cell or a file cannot be used.
        WiderLabelsError
            If the labels of a CSV file do not fit `self.kind`: call `widen`, drop the counts, and start again.
        """
        behind = 0
        for path in self.paths:
            size = path.stat().st_size
            promised = _footer_rows(path)
            row_bytes = _row_bytes(path) if promised is None else size / max(promised, 1)
            rows = 0
            for frame in self._frames(path):
                yield self._checked(frame, path, rows)
                rows += frame.height
                if progress:
                    progress(behind + min(size, int(rows * row_bytes)))
            if promised is not None and rows != promised:
                # polars 2.1 ends the stream without an error if a damaged file makes its reader fail.
                raise RefusedError(f"cannot read {path}: its footer says {promised} rows, but {rows} could be read")
            if rows == 0:
                raise RefusedError(f"{path} has no rows")
            behind += size
            if progress:
                progress(behind)

    # The schemas of the files.

    def _schema(self, path: Path) -> pl.Schema:
        try:
            if _format(path) == "csv":
                separator = _separator(path)
                scan = pl.scan_csv(path, glob=False, separator=separator, infer_schema_length=_INFERRED_ROWS)
            else:
                scan = _scan_typed(path)
            schema = scan.collect_schema()
        except _POLARS_ERRORS as error:
            raise _unreadable(path, error) from None
        for name in self.columns.names:
            if name not in schema:
                raise RefusedError(f"{path} has no column {name!r}; it has {_listed(schema.names())}")
            if _format(path) == "csv" and f"{name}_duplicated_0" in schema:
                raise RefusedError(f"{path} has more than one column {name!r}")
        if _format(path) != "csv":
            for name in self.columns.numbers:
                if _kind_of(schema[name]) not in (Kind.INTEGER, Kind.NUMBER):
                    raise RefusedError(f"{name!r} in {path} is of type {schema[name]}; expected floats or integers")
        return schema

    def _settle(self, schemas: dict[Path, pl.Schema]) -> Kind:
        """The narrowest kind of labels that fits the schemas of all files."""
        kinds: dict[Kind, tuple[str, Path]] = {}
        for path, schema in schemas.items():
            for name in self.columns.classes:
                kind = _kind_of(schema[name])
                if kind is None:
                    if path in self._typed:
                        raise RefusedError(
                            f"{name!r} in {path} is of type {schema[name]}; expected truth values, whole numbers or "
                            "text"
                        )
                    kind = Kind.TEXT
                if kind is Kind.TRUTH and path not in self._typed:
                    self._spelled = True
                if kind not in kinds or path in self._typed:
                    kinds[kind] = (name, path)
        if len(kinds) == 1:
            return next(iter(kinds))
        if Kind.TEXT not in kinds and not self._spelled:
            return Kind.NUMBER if Kind.NUMBER in kinds else Kind.INTEGER
        for kind, (name, path) in kinds.items():
            if kind is not Kind.TEXT and path in self._typed:  # the labels of a CSV file could be read as text
                other, (there_name, there) = next(item for item in kinds.items() if item[0] is not kind)
                raise RefusedError(
                    f"{name!r} in {path} holds {kind.value}, but {there_name!r} in {there} holds {other.value}; "
                    "expected labels of one kind"
                )
        return Kind.TEXT

    def _common_type(self, names: Sequence[str]) -> type[pl.DataType] | None:
        """The type to cast columns of scores to, or None if they have the same type in all files."""
        types: set[pl.DataType] = {schema[name] for schema in self._typed.values() for name in names}
        if len(self._typed) < len(self.paths):
            types.add(pl.Float64())  # the type of scores in a CSV file
        return pl.Float64 if len(types) > 1 else None

    # Rows.

    def _scan(self, path: Path) -> pl.LazyFrame:
        if _format(path) != "csv":
            return _scan_typed(path)
        label_type = _CSV_TYPES[self.kind]
        types = dict.fromkeys(self.columns.classes, label_type) | dict.fromkeys(self.columns.numbers, pl.Float64)
        return pl.scan_csv(
            path, glob=False, separator=_separator(path), infer_schema=False, schema_overrides=types, low_memory=True
        )

    def _frames(self, path: Path) -> Iterator[pl.DataFrame]:
        schema = self._typed.get(path, pl.Schema())
        casts = []
        for name in self.columns.classes:
            if self.kind in (Kind.TEXT, Kind.NUMBER):
                casts.append(pl.col(name).cast(_CSV_TYPES[self.kind]))
            elif self.kind is Kind.INTEGER and schema.get(name) == pl.Boolean:
                casts.append(pl.col(name).cast(pl.UInt8))
        casts += [pl.col(name).cast(dtype) for name, dtype in self._types.items() if dtype is not None]
        scan = self._scan(path).select(self.columns.names).with_columns(casts)
        try:
            yield from scan.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True, engine="streaming", lazy=True)
        except _POLARS_ERRORS as error:
            if _format(path) == "csv":
                self._explain(path)
            raise _unreadable(path, error) from None

    def _checked(self, frame: pl.DataFrame, path: Path, before: int) -> Batch:
        for column in frame.iter_columns():
            if column.null_count():
                raise _cell(path, before, column.is_null(), f"{column.name!r} is missing")
            if column.dtype.is_float():
                _refuse_where(~column.is_finite(), column, path, before, "a finite number")
        weight = None if self.columns.weight is None else frame[self.columns.weight]
        if weight is not None:
            _refuse_where(weight < 0, weight, path, before, "a weight of 0 or more")
        if self.kind is Kind.NUMBER:
            for name in self.columns.classes:
                column = frame[name]
                _refuse_where(
                    (column != column.floor()) | (column.abs() > 2**53), column, path, before, "a whole number"
                )
            frame = frame.with_columns(pl.col(self.columns.classes).cast(pl.Int64))
        return Batch(path=path, before=before, label=frame[self.columns.label], weight=weight, columns=frame)

    def _explain(self, path: Path) -> None:
        """Read a CSV file again, as text, after polars failed: to name the cell, or to widen the labels."""
        scan = pl.scan_csv(
            path, glob=False, separator=_separator(path), infer_schema=False, row_index_name="", low_memory=True
        )

        def first_unlike(names: list[str], dtype: type[pl.DataType]) -> str | None:
            """The first cell that is not of a type, as the start of a message."""
            if not names:
                return None
            unlike = {name: pl.col(name).is_not_null() & ~_is_like(name, dtype) for name in names}
            found = (
                scan.select("", *names).filter(pl.any_horizontal(*unlike.values())).head(1).collect(engine="streaming")
            )
            for name, here in unlike.items():
                if not found.filter(here).is_empty():
                    return f"{path}, row {found[0, ''] + 1}: {name!r} is {found[0, name]!r}"
            return None

        try:
            if cell := first_unlike(self.columns.numbers, pl.Float64):
                raise RefusedError(f"{cell}; expected a number")
            if self.kind is Kind.TEXT:
                return
            if cell := first_unlike(self.columns.classes, _CSV_TYPES[self.kind]):
                number = self.kind is Kind.INTEGER and not first_unlike(self.columns.classes, pl.Float64)
                raise WiderLabelsError(Kind.NUMBER if number else Kind.TEXT, cell)
        except _POLARS_ERRORS:
            return  # the caller reports the first error of polars


def _is_like(name: str, dtype: type[pl.DataType]) -> pl.Expr:
    """Whether text is a value of a type, by polars' rules: space is allowed before a number but not after it."""
    if dtype == pl.Boolean:
        return pl.col(name).str.to_lowercase().is_in(["true", "false"])
    return pl.col(name).str.strip_chars_start().cast(dtype, strict=False).is_not_null()


def _footer_rows(path: Path) -> int | None:
    """The number of rows in the footer of a Parquet or IPC file; None for CSV, which has no footer."""
    if _format(path) == "csv":
        return None
    try:
        return int(_scan_typed(path).select(pl.len()).collect().item())
    except _POLARS_ERRORS as error:
        raise _unreadable(path, error) from None


def _row_bytes(path: Path) -> float:
    """Estimate the bytes per row of a CSV file from its beginning; 0 if it is compressed."""
    if path.suffix in _COMPRESSED:
        return 0.0
    with path.open("rb") as file:
        start = file.read(1 << 16)
    return len(start) / max(start.count(b"\n"), 1)


def _scan_typed(path: Path) -> pl.LazyFrame:
    if _format(path) == "parquet":
        return pl.scan_parquet(path, glob=False, hive_partitioning=False)
    return pl.scan_ipc(path, glob=False, hive_partitioning=False)


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


def _refuse_where(bad: pl.Series, column: pl.Series, path: Path, before: int, expected: str) -> None:
    if bad.any():
        value = column[int(bad.arg_max() or 0)]
        raise _cell(path, before, bad, f"{column.name!r} is {value}; expected {expected}")


def _cell(path: Path, before: int, bad: pl.Series, problem: str) -> RefusedError:
    return RefusedError(f"{path}, row {before + int(bad.arg_max() or 0) + 1}: {problem}")


def _unreadable(path: Path, error: BaseException) -> RefusedError:
    if isinstance(error, pl.exceptions.NoDataError):
        return RefusedError(f"{path} is empty")
    if isinstance(error, OSError) and error.strerror:
        return RefusedError(f"cannot read {path}: {error.strerror}")
    lines = str(error).strip().splitlines()
    return RefusedError(f"cannot read {path}: {lines[0] if lines else type(error).__name__}")


def _listed(names: Sequence[str]) -> str:
    names = [name if len(name) <= _SHOWN_LETTERS else f"{name[:_SHOWN_LETTERS]}…" for name in names]
    shown = ", ".join(repr(name) for name in names[:_SHOWN_COLUMNS])
    rest = len(names) - _SHOWN_COLUMNS
    return f"{shown} and {rest} more" if rest > 0 else shown or "no columns"

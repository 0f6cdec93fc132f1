"""Find the files, and open each in its format. Standard input and pipes are files, too, once they are copied.

The name's ending decides on the format of a file, `--format` overrides it, and for what has no name the content
decides. A file is read more than once: for its columns, for its rows, and again for the cell that cannot be read. So
standard input and pipes are copied into a temporary file, and memory does not grow with them.

| format | read by polars |
|---|---|
| CSV, NDJSON (also gzip and zstd) | as text: the kind of a column is decided over all files, see `files` |
| Parquet, Arrow IPC file | with the types of its columns |
| Arrow IPC stream | with the types of its columns; the columns asked for are held in memory |
"""

from __future__ import annotations

import contextlib
import glob
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal

import polars as pl

Format = Literal["csv", "ndjson", "parquet", "arrow", "arrow stream"]
#: What `--format` takes. Whether Arrow is a file or a stream, its first bytes say.
FORMATS: Final[tuple[Format, ...]] = ("csv", "ndjson", "parquet", "arrow")
STANDARD_INPUT: Final = "-"
_STANDARD_INPUT_NAME: Final = "standard input"

# polars raises these if it cannot read a file: its own errors, the system's, and a panic of its reader.
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)

_ENDINGS: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
}
_TEXT: Final = ("csv", "ndjson")
_COMPRESSED: Final = {".gz", ".zst"}
KNOWN: Final = (
    "CSV (.csv, .tsv), NDJSON (.ndjson, .jsonl), both also with .gz or .zst, Parquet (.parquet, .pq) or Arrow IPC "
    "(.arrow, .arrows, .ipc, .feather)"
)
_FIRST_ROWS, _SHOWN_LETTERS = 1_000, 60
_ARROW_FILE, _ARROW_STREAM, _PARQUET = b"ARROW1", b"\xff\xff\xff\xff", b"PAR1"
_ARCHIVES: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip, zstd
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_UTF_8_MARK: Final = b"\xef\xbb\xbf"
# What stands for a missing cell of a CSV file where rows without a score or label are left out.
_MISSING_WORDS: Final = ("", "NA", "NaN", "nan", "<NA>", "null", "NULL")


class RefusedError(Exception):
    """One sentence that says what is wrong with the input; exit code 2."""


@dataclass(frozen=True)
class Dialect:
    """How files are to be read, from the options.

    Attributes
    ----------
    format
        From `--format`; None: the ending or the content decides.
    separator
        Of the cells of a CSV file; None: a tab for `.tsv`, else a comma.
    header
        Whether the first line of a CSV file has the names of the columns; else they are numbered from 1.
    omit
        Whether rows without a score or label are left out.
    """

    format: Format | None = None
    separator: str | None = None
    header: bool = True
    omit: bool = False


@dataclass(frozen=True)
class Source:
    """A file to read.

    Attributes
    ----------
    name
        What messages call it.
    path
        Where it is: for standard input and pipes, the copy.
    format
        Its format.
    separator
        Of the cells of a CSV file.
    dialect
        How it is to be read.
    """

    name: str
    path: Path
    format: Format
    separator: str
    dialect: Dialect

    def __str__(self) -> str:
        return self.name

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.path.stat().st_size

    @property
    def is_text(self) -> bool:
        """Whether the file does not say the types of its columns."""
        return self.format in _TEXT

    @property
    def is_compressed(self) -> bool:
        """Whether the text is compressed."""
        return self.is_text and _beginning(self.path).startswith(_ARCHIVES)

    def schema(self, wanted: Sequence[str] = ()) -> pl.Schema:
        """The columns and, unless it is text, their types.

        A row of NDJSON may lack a key, so rows are read until all columns `wanted` are found: the first thousand, or
        all if rows may be left out.
        """
        if self.format == "ndjson":
            found: dict[str, type[pl.DataType]] = {}
            for row, line in enumerate(self._lines()):
                found |= dict.fromkeys(_json(line), pl.String)
                if row >= _FIRST_ROWS and (not self.dialect.omit or all(name in found for name in wanted)):
                    break
            return pl.Schema(found)
        if self.format == "arrow stream":
            return pl.read_ipc_stream(self.path, n_rows=0).schema
        return (self._csv({}) if self.format == "csv" else self.typed()).collect_schema()

    def text(self, columns: Sequence[str]) -> pl.LazyFrame:
        """Columns of a CSV or NDJSON file as text, after one with the number of the row, called ''."""
        if self.format == "csv":
            return self._csv({}, row_index_name="").select("", *columns)
        schema = dict.fromkeys(columns, pl.String)
        return pl.scan_ndjson(self._escaped, schema=schema, row_index_name="").select("", *columns)

    def parsed(self, types: dict[str, type[pl.DataType]]) -> pl.LazyFrame:
        """Columns of a CSV or NDJSON file as values of these types."""
        if self.format == "csv":
            return self._csv(types).select(*types)
        # Cells are read as text, so that 1, "1" and true mean what they mean in a CSV file.
        return self.text(list(types)).select(_parsed(name, dtype) for name, dtype in types.items())

    def typed(self, columns: Sequence[str] | None = None) -> pl.LazyFrame:
        """Columns of a Parquet or Arrow file."""
        if self.format == "arrow stream":
            return pl.read_ipc_stream(self.path, columns=None if columns is None else list(columns)).lazy()
        if self.format == "parquet":
            frame = pl.scan_parquet(self.path, glob=False, hive_partitioning=False)
        else:
            frame = pl.scan_ipc(self._escaped, hive_partitioning=False)
        return frame if columns is None else frame.select(columns)

    def bad_line(self) -> str | None:
        """The first row of an NDJSON file that is no JSON object, as a sentence."""
        for row, line in enumerate(self._lines()):
            try:
                _json(line)
            except ValueError as error:
                start = line if len(line) <= _SHOWN_LETTERS else f"{line[:_SHOWN_LETTERS]}…"
                return f"{self}, row {row + 1}: {start!r} is {error}; expected one JSON object on each line"
        return None

    def _lines(self) -> Iterator[str]:
        """The lines of a file of text that are not empty."""
        for frame in _lines_of(self.path).collect_batches(maintain_order=True, lazy=True):
            yield from filter(None, frame.to_series())

    def _csv(self, types: dict[str, type[pl.DataType]], row_index_name: str | None = None) -> pl.LazyFrame:
        return pl.scan_csv(
            self.path,
            glob=False,
            separator=self.separator,
            has_header=self.dialect.header,
            with_column_names=None if self.dialect.header else _numbered,
            null_values=list(_MISSING_WORDS) if self.dialect.omit else None,
            infer_schema=False,
            schema_overrides=types,
            row_index_name=row_index_name,
            low_memory=True,
        )

    @property
    def _escaped(self) -> str:
        return glob.escape(str(self.path))  # for readers that take every path for a pattern


def _lines_of(path: Path) -> pl.LazyFrame:
    r"""The lines of a file of text, decompressed: a CSV file of one column, as \x01 is in no JSON."""
    return pl.scan_csv(
        path, glob=False, has_header=False, separator="\x01", quote_char=None, infer_schema=False, low_memory=True
    )


def _json(line: str) -> dict[str, object]:
    """The object on a line; what is none is a `ValueError` that says what it is."""

    def refuse(constant: str) -> None:
        raise ValueError(f"no JSON, which has null where Python writes {constant}")

    try:
        value = json.loads(line, parse_constant=refuse)
    except json.JSONDecodeError:
        raise ValueError("no JSON") from None
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004 (of the text)
    return value


def _numbered(names: list[str]) -> list[str]:
    return [str(number) for number in range(1, len(names) + 1)]


def _parsed(name: str, dtype: type[pl.DataType]) -> pl.Expr:
    """Text as values of a type, as polars parses a CSV file; a cell that is none fails."""
    cell = pl.col(name)
    if dtype == pl.String:
        return cell
    if dtype == pl.Boolean:
        return cell.str.to_lowercase().replace_strict({"true": True, "false": False, None: None}, return_dtype=dtype)
    return cell.str.strip_chars_start().cast(dtype)


@contextlib.contextmanager
def found(patterns: Sequence[str], dialect: Dialect) -> Iterator[list[Source]]:
    """The files, glob patterns and folders, in the order given; `-` is standard input. Copies live as long as this.

    Raises
    ------
    RefusedError
        If there is no such file, one is named twice, or its format is unknown.
    """
    sources: dict[object, Source] = {}
    with contextlib.ExitStack() as stack:
        for pattern in patterns:
            for path in _matches(pattern, dialect):
                place = STANDARD_INPUT if path == STANDARD_INPUT else Path(path).resolve()
                if place in sources:
                    raise RefusedError(
                        "- is named twice; standard input can be read once"
                        if path == STANDARD_INPUT
                        else f"{path} is named twice; its rows would count twice"
                    )
                sources[place] = _source(path, dialect, stack)
        listed = list(sources.values())
        if not any(source.format == "csv" for source in listed):
            for option, is_given in (
                ("--separator", dialect.separator is not None),
                ("--no-header", not dialect.header),
            ):
                if is_given:
                    raise RefusedError(f"{option} is for CSV; {listed[0]} is {listed[0].format}")
        yield listed


def described(sources: Sequence[Source]) -> str:
    """Where the rows are from, in words."""
    if [source.name for source in sources] == [_STANDARD_INPUT_NAME]:
        return f"from {_STANDARD_INPUT_NAME}"
    return f"in {len(sources):,} file{'s' * (len(sources) != 1)}"


def _matches(pattern: str, dialect: Dialect) -> list[str]:
    if pattern == STANDARD_INPUT:
        return [STANDARD_INPUT]
    if not pattern:
        raise RefusedError("a file name is empty")
    path = Path(pattern)
    if path.is_dir():
        files = sorted(inner for inner in path.rglob("*") if inner.is_file() and _ending(inner) is not None)
        if not files:
            raise RefusedError(f"{pattern} holds no file to read; expected {KNOWN}")
        return [str(file) for file in files]
    if path.exists():
        return [_named(path, dialect)]
    if not glob.has_magic(pattern):
        raise RefusedError(f"{pattern}: no such file")
    names = glob.glob(pattern, recursive=True)  # noqa: PTH207 (pathlib cannot glob an absolute pattern)
    files = sorted(Path(name) for name in names if Path(name).is_file())
    if not files:
        raise RefusedError(f"no file matches {pattern}")
    return [_named(file, dialect) for file in files]


def _named(path: Path, dialect: Dialect) -> str:
    """The path as text, if the format is known or will be."""
    if path.is_file() and dialect.format is None and _ending(path) is None:
        raise RefusedError(f"{path} has an unknown extension; expected {KNOWN}; --format says what else is in one")
    return str(path)


def _ending(path: Path) -> Format | None:
    """The format that the name says."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        inner = _ENDINGS.get(suffixes[-2]) if len(suffixes) > 1 else None
        return inner if inner in _TEXT else None
    return _ENDINGS.get(suffixes[-1]) if suffixes else None


def _source(path: str, dialect: Dialect, stack: contextlib.ExitStack) -> Source:
    """Open one file: copy it if it can be read only once, and settle its format."""
    name, place, format_ = path, Path(path), dialect.format
    try:
        if path == STANDARD_INPUT:
            name = _STANDARD_INPUT_NAME
            if sys.stdin is None:
                raise RefusedError(f"{name} is closed")
            place = _copied(name, sys.stdin.buffer, stack)
        elif not place.is_file():  # a pipe, such as that of <(zcat rows.gz)
            with place.open("rb") as rows:
                place = _copied(name, rows, stack)
        elif format_ is None:
            format_ = _ending(place)
        start = _beginning(place)
        if not start:
            raise RefusedError(f"{name} is empty")
        if format_ is None:
            format_ = _of_content(place, start)
        elif format_ == "arrow":
            format_ = _of_arrow(start)
        if format_ in _TEXT and not start.startswith(_ARCHIVES):
            _check_text(name, start, format_)
        if format_ == "ndjson" and start.startswith(_UTF_8_MARK):  # polars takes the mark for a part of the first row
            with place.open("rb") as rows:
                place = _copied(name, rows, stack, skip=len(_UTF_8_MARK))
    except OSError as error:
        raise RefusedError(f"cannot read {name}: {error.strerror or error}") from None
    tabs = any(suffix.lower() == ".tsv" for suffix in Path(path).suffixes)
    return Source(name, place, format_, dialect.separator or ("\t" if tabs else ","), dialect)


def _copied(name: str, rows: IO[bytes], stack: contextlib.ExitStack, skip: int = 0) -> Path:
    """Copy what can be read only once into a temporary file, without its first bytes."""
    folder = tempfile.gettempdir()
    try:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rocksteady-"))) / "rows"
        with place.open("wb") as copy:
            rows.read(skip)
            shutil.copyfileobj(rows, copy, 1 << 20)
    except OSError as error:
        raise RefusedError(f"cannot copy {name} to {folder}: {error.strerror or error}") from None
    return place


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1 << 12)


def _of_content(path: Path, start: bytes) -> Format:
    """The format that the first bytes show; CSV has no mark of its own."""
    if start.startswith(_PARQUET):
        return "parquet"
    if start.startswith((_ARROW_FILE, _ARROW_STREAM)):
        return _of_arrow(start)
    if start.startswith(_ARCHIVES):
        try:
            start = str(_lines_of(path).head(1).collect().item()).encode()
        except POLARS_ERRORS:
            return "csv"  # its reader says what is wrong
    return "ndjson" if start.removeprefix(_UTF_8_MARK).lstrip().startswith(b"{") else "csv"


def _of_arrow(start: bytes) -> Format:
    return "arrow stream" if start.startswith(_ARROW_STREAM) else "arrow"


def _check_text(name: str, start: bytes, format_: Format) -> None:
    if start.startswith(_UTF_16):
        raise RefusedError(f"{name} is UTF-16; expected UTF-8, as from: iconv -f UTF-16 -t UTF-8")
    if start.startswith((_PARQUET, _ARROW_FILE)) or b"\0" in start:
        raise RefusedError(f"{name} is read as {format_}, but holds bytes that are no text; --format says what it is")

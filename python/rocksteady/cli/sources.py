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
import csv
import glob
import gzip
import itertools
import json
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal
from urllib.parse import unquote

import polars as pl

from rocksteady.cli import cells

Format = Literal["csv", "ndjson", "parquet", "arrow", "arrow stream"]
STANDARD_INPUT: Final = "-"
_STANDARD_INPUT_NAME: Final = "standard input"

# polars raises these if it cannot read a file: its own errors, errors of the system, and a panic of its reader.
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
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ARCHIVES: Final = (_GZIP, _ZSTD)
# Longer marks come first, as they begin with shorter ones.
_ENCODINGS: Final = {
    b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16",
}  # fmt: skip
_UTF_8_MARK: Final = b"\xef\xbb\xbf"
_BLOCK: Final = 1 << 18
_NO_KEY: Final = "__HIVE_DEFAULT_PARTITION__"
_ROW: Final = "number of the row\0"  # a name that no column has
#: The names of separators in `--separator`.
SEPARATORS: Final = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_SEPARATOR_NAMES: Final = {character: f"a {name}" for name, character in SEPARATORS.items()}
# Spreadsheets may name the separator in a first line.
_SEPARATOR_LINE: Final = re.compile(rb'"?sep=(.)"?\r?\n')
#: Cells of a CSV file that count as missing.
MISSING_WORDS: Final = ("", "NA", "NaN", "nan", "<NA>", "null", "NULL", "N/A", "#N/A", "\\N")


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
    unlabelled
        Whether the scores of rows without a label are kept apart.
    decimal
        What stands before the decimal places of a number in a CSV file, a point or a comma.
    """

    format: Format | None = None
    separator: str | None = None
    header: bool = True
    omit: bool = False
    decimal: str = "."
    unlabelled: bool = False

    @property
    def has_gaps(self) -> bool:
        """Whether a row may have no value somewhere."""
        return self.omit or self.unlabelled


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
    skipped
        The number of lines before the header of a CSV file.
    is_part
        Whether the file was found in a folder or by a pattern. Such a file may have no rows.
    """

    name: str
    path: Path
    format: Format
    separator: str
    dialect: Dialect
    skipped: int = 0
    is_part: bool = False

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

    @property
    def keys(self) -> dict[str, str | None]:
        """The keys in the names of folders, such as `region=north`, as Hive and Spark have them."""
        pairs = (part.partition("=") for part in Path(self.name).parts[:-1] if "=" in part)
        return {name: None if value == _NO_KEY else unquote(value) for name, _, value in pairs}

    @property
    def has_rows(self) -> bool:
        """Whether there is a row; also if the file cannot be read, as its reader will say."""
        try:
            if self.format == "ndjson":
                return next(self._lines(), None) is not None
            if self.format == "arrow stream":
                return pl.read_ipc_stream(self.path, n_rows=1).height > 0
            frame = self._csv({}) if self.format == "csv" else self.typed()
            return frame.head(1).collect(engine="streaming").height > 0
        except pl.exceptions.NoDataError:
            return False
        except POLARS_ERRORS:
            return True

    def schema(self, wanted: Sequence[str] = ()) -> pl.Schema:
        """The columns and, unless it is text, their types.

        A row of NDJSON may lack a key, so rows are read until all columns `wanted` are found: the first thousand, or
        all if rows may be left out.
        """
        if self.format == "ndjson":
            found: dict[str, type[pl.DataType]] = {}
            for row, line in enumerate(self._lines()):
                found |= dict.fromkeys(_json(line), pl.String)
                if row >= _FIRST_ROWS and (not self.dialect.has_gaps or all(name in found for name in wanted)):
                    break
            return pl.Schema(found)
        if self.format == "arrow stream":
            return pl.read_ipc_stream(self.path, n_rows=0).schema
        return (self._csv({}) if self.format == "csv" else self.typed()).collect_schema()

    def text(self, columns: Sequence[str], keys: Sequence[str] = ()) -> pl.LazyFrame:
        """Columns of a CSV or NDJSON file as text, after one with the number of the row, called ''.

        Where rows without a score or label are left out, the words for a missing cell of CSV are null, except in `keys`.
        """
        if self.format == "csv":
            cells = self._csv({}, row_index_name=_ROW)
            return cells.select(pl.col(_ROW).alias(""), *(self._present(name, keys) for name in columns))
        schema = dict.fromkeys(columns, pl.String)
        return pl.scan_ndjson(self._escaped, schema=schema, row_index_name="").select("", *columns)

    def parsed(
        self, types: dict[str, type[pl.DataType]], keys: Sequence[str] = (), *, leniently: bool = False
    ) -> pl.LazyFrame:
        """Columns of a CSV or NDJSON file as values of these types.

        polars parses the cells of CSV itself. That is fast, but it refuses a space after a number, takes a point for a
        decimal comma, and has words for missing cells in all columns or none. If asked `leniently`, cells are read as
        text first. So are those with decimal commas, and those of NDJSON: 1, "1" and true mean what they mean in CSV.
        """
        if self.format != "csv" or leniently or self.dialect.decimal != ".":
            return self.text(list(types), keys).select(self._value(name, dtype) for name, dtype in types.items())
        words = list(MISSING_WORDS) if self.dialect.has_gaps and not keys else None
        present = (self._present(name, keys) for name, dtype in types.items() if dtype == pl.String)
        return self._csv(types, null_values=words).select(*types).with_columns(*present)

    def is_like(self, name: str, dtype: type[pl.DataType]) -> pl.Expr:
        """Whether text is a value of a type."""
        if dtype == pl.Boolean:
            return pl.col(name).str.strip_chars().str.to_lowercase().is_in(["true", "false"])
        return self._number(name).cast(dtype, strict=False).is_not_null()

    def _present(self, name: str, keys: Sequence[str]) -> pl.Expr:
        """Cells of text in CSV, with missing cells as null."""
        missing = MISSING_WORDS if self.dialect.has_gaps and name not in keys else MISSING_WORDS[:1]
        return pl.when(~pl.col(name).is_in(missing)).then(pl.col(name)).alias(name)

    def _value(self, name: str, dtype: type[pl.DataType]) -> pl.Expr:
        """Text as values of a type; fails for text that is not a value."""
        if dtype == pl.String:
            return pl.col(name)
        if dtype == pl.Boolean:
            words = {"true": True, "false": False, None: None}
            return pl.col(name).str.strip_chars().str.to_lowercase().replace_strict(words, return_dtype=dtype)
        return self._number(name).cast(dtype)

    def _number(self, name: str) -> pl.Expr:
        """Text as Python would write a number, if it is a number. Byte order marks occur where files were joined."""
        cell = pl.col(name).str.strip_chars_start("\ufeff").str.strip_chars()
        if self.format == "csv" and self.dialect.decimal == ",":  # exchanged, so that a point is an error
            cell = cell.str.replace_many([".", ","], [",", "."])
        return cell

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

    def _csv(
        self,
        types: dict[str, type[pl.DataType]],
        *,
        row_index_name: str | None = None,
        null_values: list[str] | None = None,
    ) -> pl.LazyFrame:
        return pl.scan_csv(
            self.path,
            glob=False,
            separator=self.separator,
            skip_rows=self.skipped,
            has_header=self.dialect.header,
            with_column_names=None if self.dialect.header else _numbered,
            null_values=null_values,
            infer_schema=False,
            schema_overrides=types,
            row_index_name=row_index_name,
            truncate_ragged_lines=True,  # `checked` refuses them
            low_memory=True,
        )

    def checked(self, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Frames of this file. A row of CSV with too many cells is refused, and empty lines at the end are left out."""
        return cells.checked(frames, self._rows()) if self.format == "csv" else frames

    def check_cells(self, rows: int) -> None:
        """Refuse a row with too many cells among the first rows of a CSV file, at least."""
        if self.format == "csv":
            next((counted for counted in self._rows() if counted >= rows), None)

    def _rows(self) -> Iterator[int]:
        """The numbers of rows of a CSV file, as `cells.rows` counts them, without the header."""
        header, columns = int(self.dialect.header), len(self._csv({}).collect_schema())
        try:
            for count in cells.rows(self._blocks, columns, self.separator):
                yield count - header
        except cells.TooManyCellsError as error:
            names = f"the header has {columns}" if header else f"row 1 has {columns}"
            said = f"{self}, row {error.row + 1 - header} has {error.cells} cells, but {names}"
            said += (
                f"; a cell with {_SEPARATOR_NAMES.get(self.separator, repr(self.separator))} in it needs double quotes"
            )
            if header and error.row == 1 and error.cells == columns + 1:
                said += ", and a column of row names a name: write.table of R has col.names=NA"
            raise RefusedError(said) from None
        except (*POLARS_ERRORS, EOFError, zlib.error, csv.Error) as error:
            raise RefusedError(f"cannot read {self}: {error}") from None

    def _blocks(self) -> Iterator[bytes]:
        """The bytes of a CSV file from the header on, decompressed."""
        blocks = _joined(_lines_of(self.path)) if _beginning(self.path).startswith(_ZSTD) else _read(self.path)
        first = next(blocks, b"").removeprefix(_UTF_8_MARK)
        for _ in range(self.skipped):
            first = first.partition(b"\n")[2]
        first = first.lstrip(b"\r\n") if self.dialect.header else first
        yield from filter(None, itertools.chain([first], blocks))

    def first_line(self) -> str:
        """The header of a CSV file, or what is there of it on the first line."""
        lines = self._lines()
        return next(itertools.islice(lines, self.skipped, None), "")

    @property
    def _escaped(self) -> str:
        return glob.escape(str(self.path))  # for readers that take every path as a pattern


def _lines_of(path: Path) -> pl.LazyFrame:
    r"""The lines of a file of text, decompressed: read as a CSV file of one column, since no JSON has \x01."""
    return pl.scan_csv(
        path, glob=False, has_header=False, separator="\x01", quote_char=None, infer_schema=False, low_memory=True
    )


def _json(line: str) -> dict[str, object]:
    """The object on a line; a line without an object raises a `ValueError` that describes it."""

    def refuse(constant: str) -> None:
        raise ValueError(f"no JSON, which has null where Python writes {constant}")

    try:
        value = json.loads(line, parse_constant=refuse)
    except json.JSONDecodeError:
        mark = (
            ", with a byte order mark that sed 's/^\\xEF\\xBB\\xBF//' takes away" if line.startswith("\ufeff") else ""
        )
        raise ValueError(f"no JSON{mark}") from None
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004 (of the text)
    return value


def _numbered(names: list[str]) -> list[str]:
    return [str(number) for number in range(1, len(names) + 1)]


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") if not _beginning(path).startswith(_GZIP) else gzip.open(path) as file:
        while block := file.read(_BLOCK):
            yield block


def _joined(lines: pl.LazyFrame) -> Iterator[bytes]:
    for frame in lines.collect_batches(maintain_order=True, lazy=True):
        yield "\n".join([*frame.to_series().fill_null(""), ""]).encode()


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
            is_part = pattern != STANDARD_INPUT and (Path(pattern).is_dir() or not Path(pattern).exists())
            for path in _matches(pattern, dialect):
                place = STANDARD_INPUT if path == STANDARD_INPUT else Path(path).resolve()
                if place in sources:
                    raise RefusedError(
                        "- is named twice; standard input can be read once"
                        if path == STANDARD_INPUT
                        else f"{path} is named twice; its rows would count twice"
                    )
                if not (is_part and Path(path).is_file() and Path(path).stat().st_size == 0):
                    sources[place] = _source(path, dialect, stack, is_part=is_part)
        listed = [source for source in sources.values() if source.has_rows or not source.is_part]
        if not listed:
            raise RefusedError(f"no file of {' '.join(patterns)} has rows")
        if not any(source.format == "csv" for source in listed):
            for option, is_given in (
                ("--separator", dialect.separator is not None),
                ("--no-header", not dialect.header),
                ("--decimal", dialect.decimal != "."),
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
        inside = (inner for inner in path.rglob("*") if not any(map(_is_hidden, inner.relative_to(path).parts)))
        files = sorted(inner for inner in inside if inner.is_file() and _ending(inner) is not None)
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


def _is_hidden(name: str) -> bool:
    """Whether Spark, Dask and Arrow skip a file or folder of this name: hidden, or not yet complete."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _named(path: Path, dialect: Dialect) -> str:
    """The path as text, if the format is known or will be."""
    if path.is_file() and dialect.format is None and _ending(path) is None:
        raise RefusedError(f"{path} has an unknown extension; expected {KNOWN}; --format says what else is in one")
    return str(path)


def _ending(path: Path) -> Format | None:
    """The format by the ending of the name."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        inner = _ENDINGS.get(suffixes[-2]) if len(suffixes) > 1 else None
        return inner if inner in _TEXT else None
    return _ENDINGS.get(suffixes[-1]) if suffixes else None


def _source(path: str, dialect: Dialect, stack: contextlib.ExitStack, *, is_part: bool) -> Source:
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
        text = _text_of(place, start)
        if format_ is None:
            format_ = _of_content(start, text)
        elif format_ == "arrow":
            format_ = _of_arrow(start)
        if format_ in _TEXT:
            _check_text(name, text, format_)
        if format_ == "ndjson" and _is_marked(place, start, text):
            place = _unmarked(name, place, stack)
    except OSError as error:
        raise RefusedError(f"cannot read {name}: {error.strerror or error}") from None
    tabs = any(suffix.lower() == ".tsv" for suffix in Path(path).suffixes)
    said = _SEPARATOR_LINE.match(text.removeprefix(_UTF_8_MARK)) if format_ == "csv" else None
    usual = said[1].decode("latin-1") if said else "\t" if tabs else ","
    skipped = int(said is not None)
    return Source(name, place, format_, dialect.separator or usual, dialect, skipped=skipped, is_part=is_part)


def _copied(name: str, rows: IO[bytes], stack: contextlib.ExitStack) -> Path:
    """Copy a source that can be read only once into a temporary file."""
    with _temporary(name, stack) as place, place.open("wb") as copy:
        shutil.copyfileobj(rows, copy, 1 << 20)
    return place


def _unmarked(name: str, path: Path, stack: contextlib.ExitStack) -> Path:
    """Copy lines into a temporary file, decompressed and without byte order marks, which joined files have within."""
    with _temporary(name, stack) as place, place.open("wb") as copy:
        copy.writelines(_joined(_lines_of(path).select(pl.first().str.strip_chars_start("\ufeff"))))
    return place


@contextlib.contextmanager
def _temporary(name: str, stack: contextlib.ExitStack) -> Iterator[Path]:
    """A path in a temporary folder that exists as long as the stack."""
    folder = tempfile.gettempdir()
    try:
        yield Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rocksteady-"))) / "rows"
    except OSError as error:
        raise RefusedError(f"cannot copy {name} to {folder}: {error.strerror or error}") from None


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1 << 12)


def _text_of(path: Path, start: bytes) -> bytes:
    """The first bytes of a file, decompressed; empty if they cannot be decompressed, as the reader will report it."""
    if start.startswith(_GZIP):
        with contextlib.suppress(zlib.error):
            return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(start)
        return b""
    if start.startswith(_ZSTD):
        with contextlib.suppress(*POLARS_ERRORS):
            return next(_joined(_lines_of(path).head(2)), b"")
        return b""
    return start


def _is_marked(path: Path, start: bytes, text: bytes) -> bool:
    """Whether NDJSON begins with a byte order mark, which polars takes for a part of the first row."""
    if not start.startswith(_ZSTD):
        return text.startswith(_UTF_8_MARK)
    try:  # a file that polars decompresses has lost its mark
        pl.scan_ndjson(glob.escape(str(path)), schema={"": pl.String}).head(1).collect()
    except POLARS_ERRORS:
        return True
    return False


def _of_content(start: bytes, text: bytes) -> Format:
    """The format by the first bytes; CSV has no mark of its own."""
    if start.startswith(_PARQUET):
        return "parquet"
    if start.startswith((_ARROW_FILE, _ARROW_STREAM)):
        return _of_arrow(start)
    return "ndjson" if text.removeprefix(_UTF_8_MARK).lstrip().startswith(b"{") else "csv"


def _of_arrow(start: bytes) -> Format:
    return "arrow stream" if start.startswith(_ARROW_STREAM) else "arrow"


def _check_text(name: str, start: bytes, format_: Format) -> None:
    encoding = next((encoding for mark, encoding in _ENCODINGS.items() if start.startswith(mark)), None)
    if encoding is None and len(start) > 1:  # in UTF-16 every second byte of ASCII is zero
        ends = {"UTF-16LE": start[1::2], "UTF-16BE": start[::2]}
        encoding = next((encoding for encoding, half in ends.items() if not any(half)), None)
    if encoding is not None:
        raise RefusedError(f"{name} is {encoding}; expected UTF-8, as from: iconv -f {encoding} -t UTF-8")
    if start.startswith((_PARQUET, _ARROW_FILE)) or b"\0" in start:
        raise RefusedError(f"{name} is read as {format_}, but holds bytes that are no text; --format says what it is")
    if b"\r" in start and b"\n" not in start and format_ == "csv":
        raise RefusedError(f"{name} ends its lines with CR alone; expected LF, as from: tr '\\r' '\\n'")

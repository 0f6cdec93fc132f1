"""Count the cells of each row of a CSV file.

polars ignores surplus cells of a row with more cells than the header. `Smith, J,1,1` below `name,label,pred` would then
have the label ' J'. So the bytes are read once more, beside polars:

1. Keep only the separators, line ends and double quotes of a block of bytes, then drop those within quotes.
2. If all rows have as many cells as the header, the remaining bytes repeat one pattern. Else numpy finds the longer row.
3. If a cell that does not begin with a double quote has one within, the `csv` module counts instead. It is slower.

The cost is one pass over the bytes, at 1 to 2 GB/s. Rejected: letting polars read all columns, so that it refuses such a
row itself; this takes four times as long for a file of 50 columns if two are needed.
"""

from __future__ import annotations

import csv
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import polars as pl

_SOME_ROWS: Final = 100_000
_LONGEST_CELL: Final = 1 << 30


class TooManyCellsError(Exception):
    """A row has too many cells; `row` counts from 0 at the first line."""

    def __init__(self, row: int, cells: int) -> None:
        super().__init__(row, cells)
        self.row, self.cells = row, cells


def rows(blocks: Callable[[], Iterable[bytes]], cells: int, separator: str) -> Iterator[int]:
    """Count rows from block to block, up to the last row that is not empty.

    Parameters
    ----------
    blocks
        Gives the bytes of the file, block by block, from the beginning.
    cells
        The number of cells of the header.
    separator
        The character between cells.

    Raises
    ------
    TooManyCellsError
        If a row has more cells than the header.
    """
    mark = separator.encode()
    blank, row = b" \t\r\n" + mark, mark * (cells - 1) + b"\n"
    others = bytes(set(range(256)) - {*mark, *b'\n"'})
    may_open = np.isin(np.arange(256), [*mark, *b'\n"'])  # bytes that may come before an opening quote
    count, rest, before, is_open = 0, b"", b"\n", False
    for block in blocks():
        marks = rest + block.translate(None, others)
        quote = b""
        if b'"' in marks:
            data = np.frombuffer(before + block, np.uint8)
            opening = np.flatnonzero(data[1:] == ord('"'))[int(b'"' in rest) :: 2]
            if not may_open[data[opening]].all():
                yield from _rows_by_csv(blocks(), cells, separator)
                return
            parts = marks.split(b'"')
            marks, quote = b"".join(parts[::2]), b'"'[len(parts) % 2 :]
        whole, end, begun = marks.rpartition(b"\n")
        whole += end
        rest, before = begun + quote, block[-1:]
        if whole != row * (len(whole) // cells):
            lengths = np.diff(np.flatnonzero(np.frombuffer(whole, np.uint8) == ord("\n")), prepend=-1)
            if (lengths > cells).any():
                place = int((lengths > cells).argmax())
                raise TooManyCellsError(count + place, int(lengths[place]))
            count += len(lengths)
        else:
            count += len(whole) // cells
        filled = len(block.rstrip(blank))
        if filled or is_open:
            empty = block.count(b"\n", filled) - 1
            is_open = empty < 0
            yield count - max(empty, 0)
    if len(rest) >= cells:
        raise TooManyCellsError(count, len(rest) + 1)
    if is_open:
        yield count + 1


def _rows_by_csv(blocks: Iterable[bytes], cells: int, separator: str) -> Iterator[int]:
    """Count as `rows` does, by the rules of the `csv` module, which equal the rules of polars for any quote."""
    csv.field_size_limit(_LONGEST_CELL)
    filled = 0
    for row, found in enumerate(csv.reader(_lines(blocks), delimiter=separator)):
        if len(found) > cells:
            raise TooManyCellsError(row, len(found))
        if any(found):
            filled = row + 1
        if row % _SOME_ROWS == 0:
            yield filled
    yield filled


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        yield from (f"{line.decode('latin-1').replace(chr(13), '')}\n" for line in lines)
    if rest:
        yield rest.decode("latin-1").replace(chr(13), "")


def checked(frames: Iterable[pl.DataFrame], counts: Iterator[int]) -> Iterator[pl.DataFrame]:
    """Frames whose rows have been counted, without the empty lines at the end. A thread counts those of the next frame."""
    seen = known = 0

    def counted(least: int, known: int) -> int:
        while known < least and (more := next(counts, None)) is not None:
            known = more
        return known

    with ThreadPoolExecutor(1) as thread:
        ahead = thread.submit(counted, 1, known)
        for frame in frames:
            known = counted(seen + frame.height, ahead.result())
            ahead = thread.submit(counted, seen + 2 * frame.height, known)
            filled = max(known - seen, 0)
            seen += frame.height
            is_blank = filled < frame.height and all(column.null_count() == len(column) for column in frame[filled:])
            yield frame[:filled] if is_blank else frame


__all__ = ["TooManyCellsError", "checked", "rows"]

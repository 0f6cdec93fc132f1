"""Write a file whole or not at all.

It is written under a temporary name beside its place and then renamed. So no reader sees half a file, and a full disk
leaves the old one as it was.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from rocksteady.base.arguments import wrong_type


def is_special(path: str | os.PathLike[str]) -> bool:
    """Whether the path is a pipe or a device, which must not be replaced by a file."""
    return Path(path).exists() and not Path(path).is_file()


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file, a pipe or a device.

    Raises
    ------
    rocksteady.InputTypeError
        For what is no path.
    OSError
        If it cannot be written. A file that was there stays as it was.
    """
    if not isinstance(path, (str, os.PathLike)) or "\0" in str(path):
        raise wrong_type(path, "path", "a path")
    if is_special(path):
        Path(path).write_bytes(content)
        return
    place = Path(os.path.realpath(path))  # the target of a link
    handle, beside = tempfile.mkstemp(dir=place.parent, prefix=".rocksteady-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(beside).chmod(_mode(place))
        Path(beside).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(beside).unlink()
        raise


def written(text: str, path: str | os.PathLike[str] | None) -> str | None:
    """The text; with a path it is written to a file instead."""
    if path is None:
        return text
    write_whole(path, encoded(text))
    return None


def encoded(text: str) -> bytes:
    """Text as the bytes of a file; half of a surrogate pair, which no file can hold, is escaped."""
    return text.encode("utf-8", errors="backslashreplace")


def _mode(place: Path) -> int:
    """The permissions of the file at this path, or of a new file: `mkstemp` gives fewer."""
    if place.exists():
        return place.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

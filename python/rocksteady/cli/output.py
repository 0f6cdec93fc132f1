"""Answers into files: whole or not at all.

What cannot be written is refused before anything is counted. A file is written beside its place and then renamed, so that
nobody, not even after a crash, meets half of it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rocksteady.cli.files import RefusedError

STANDARD_OUTPUT = "-"


def check(outputs: Mapping[str, str], inputs: Sequence[Path]) -> None:
    """Refuse what could not be written, by option and path.

    Parameters
    ----------
    outputs
        From the options to what they say: a path, or ``-``.
    inputs
        Files that are read, which none of these may be.

    Raises
    ------
    RefusedError
        For a folder that there is not, a place that may not be written, or one that is asked for twice.
    """
    taken: dict[str, str] = {}
    read = {os.path.realpath(path) for path in inputs}
    for option, path in outputs.items():
        place = path if path == STANDARD_OUTPUT else os.path.realpath(path)
        if place in taken:
            where = "standard output" if path == STANDARD_OUTPUT else path
            raise RefusedError(f"{taken[place]} and {option} both ask for {where}; expected one of them")
        taken[place] = option
        if not path:
            raise RefusedError(f"{option} is ''; expected a file name, or - for standard output")
        problem = "it is one of the files to score" if place in read else _problem(path)
        if problem:
            raise RefusedError(f"{option}: cannot write {path}: {problem}")


def _problem(path: str) -> str | None:
    """Why nothing can be written to a path, if that can be seen already."""
    if path == STANDARD_OUTPUT:
        return None
    try:
        if Path(path).is_dir():
            return "it is a folder"
        if Path(path).exists() and not os.access(path, os.W_OK):
            return "it may not be written"
        if _is_special(path):
            return None
        folder = os.path.dirname(os.path.realpath(path))  # noqa: PTH120 (`Path.resolve` refuses circular links)
        if not Path(folder).is_dir():
            return "there is no such folder"
        return None if os.access(folder, os.W_OK) else "its folder may not be written"
    except OSError as error:  # a name too long, for one
        return error.strerror or str(error)


def _is_special(path: str) -> bool:
    """Whether it is a pipe or a device, which has no half and is not replaced."""
    return Path(path).exists() and not Path(path).is_file()


def write(outputs: Mapping[str, str], texts: Mapping[str, Callable[[], str]]) -> None:
    """Make every text, and only then write the first of them.

    Parameters
    ----------
    outputs
        From the options to what they say: a path, or ``-``.
    texts
        From the same options to what makes the text.

    Raises
    ------
    RefusedError
        If a file cannot be written.
    """
    made = [(option, path, texts[option]()) for option, path in outputs.items()]
    for option, path, text in made:
        if path == STANDARD_OUTPUT:
            sys.stdout.write(text)
            continue
        try:
            _replace(path, text.encode("utf-8", errors="backslashreplace"))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise RefusedError(f"{option}: cannot write {path}: {error.strerror or error}") from None


def _replace(path: str, content: bytes) -> None:
    if _is_special(path):
        Path(path).write_bytes(content)
        return
    place = Path(os.path.realpath(path))  # of a link, what it points to
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


def _mode(place: Path) -> int:
    """The permissions of the file that stood there, or of any new one: `mkstemp` gives fewer."""
    if place.exists():
        return place.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

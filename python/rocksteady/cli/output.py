"""Write results to files, completely or not at all.

A path that cannot be written is refused before anything is counted. A file is written under a temporary name and then
renamed, so that no reader sees half a file, not even after a crash.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rocksteady.cli.sources import RefusedError

STANDARD_OUTPUT = "-"


def check(outputs: Mapping[str, str], inputs: Sequence[Path]) -> None:
    """Refuse paths that cannot be written; the message names option and path.

    Parameters
    ----------
    outputs
        A mapping from options to their values: a path, or ``-``.
    inputs
        The files to read. None of them may be an output.

    Raises
    ------
    RefusedError
        If a folder does not exist, a path is not writable, or two options have the same path.
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
    """Why a path cannot be written, as far as can be seen before writing."""
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
    except OSError as error:  # for example a name that is too long
        return error.strerror or str(error)


def _is_special(path: str) -> bool:
    """Whether the path is a pipe or a device, which must not be replaced by a file."""
    return Path(path).exists() and not Path(path).is_file()


def write(outputs: Mapping[str, str], texts: Mapping[str, Callable[[], str]]) -> None:
    """Make all texts before the first one is written.

    Parameters
    ----------
    outputs
        A mapping from options to their values: a path, or ``-``.
    texts
        A mapping from the same options to functions that make the text.

    Raises
    ------
    RefusedError
        If a file cannot be written.
    """
    made = [(option, path, texts[option]()) for option, path in outputs.items()]
    for option, path, text in made:
        try:
            if path == STANDARD_OUTPUT:
                sys.stdout.write(text)
            else:
                _replace(path, text.encode("utf-8", errors="backslashreplace"))
        except BrokenPipeError:
            raise
        except OSError as error:
            where = "standard output" if path == STANDARD_OUTPUT else path
            raise RefusedError(f"{option}: cannot write {where}: {error.strerror or error}") from None


def _replace(path: str, content: bytes) -> None:
    if _is_special(path):
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


def _mode(place: Path) -> int:
    """The permissions of the file at this path, or of a new file: `mkstemp` gives fewer."""
    if place.exists():
        return place.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

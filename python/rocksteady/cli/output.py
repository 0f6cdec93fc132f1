"""Answers into files: whole or not at all.

What cannot be written is refused before anything is counted. A file is written beside its place and then renamed, so that nobody, not
even after a crash, meets half of it.
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
    taken: dict[str | Path, str] = {}
    for option, path in outputs.items():
        place = path if path == STANDARD_OUTPUT else Path(path).resolve()
        if place in taken:
            where = "standard output" if path == STANDARD_OUTPUT else path
            raise RefusedError(f"{taken[place]} and {option} both ask for {where}; expected one of them")
        taken[place] = option
        if isinstance(place, Path):
            _check(option, path, place, inputs)


def _check(option: str, path: str, place: Path, inputs: Sequence[Path]) -> None:
    if not path:
        raise RefusedError(f"{option} is ''; expected a file name, or - for standard output")
    if place.is_dir():
        raise RefusedError(f"{option}: cannot write {path}: it is a folder")
    if not place.parent.is_dir():
        raise RefusedError(f"{option}: cannot write {path}: there is no such folder")
    if place in [file.resolve() for file in inputs]:
        raise RefusedError(f"{option}: cannot write {path}: it is one of the files to score")
    if not os.access(place if place.exists() else place.parent, os.W_OK):
        raise RefusedError(f"{option}: cannot write {path}: it may not be written")


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
            _replace(Path(path).resolve(), text.encode("utf-8", errors="backslashreplace"))
        except OSError as error:
            raise RefusedError(f"{option}: cannot write {path}: {error.strerror or error}") from None


def _replace(place: Path, content: bytes) -> None:
    if place.exists() and not place.is_file():  # a pipe or a device has no half
        place.write_bytes(content)
        return
    handle, beside = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:100]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            os.fchmod(file.fileno(), _mode(place))
        os.replace(beside, place)  # noqa: PTH105 (as Path.replace, of a path that is text)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)  # noqa: PTH108
        raise


def _mode(place: Path) -> int:
    """The permissions of the file that stood there, or of any new one: `mkstemp` gives fewer."""
    if place.exists():
        return place.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

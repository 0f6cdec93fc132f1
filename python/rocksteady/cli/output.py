"""Write results to files, completely or not at all.

A path that cannot be written is refused before anything is counted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rocksteady.base.files import encoded, is_special, write_whole
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
    """Why a path cannot be written, if this shows before writing."""
    if path == STANDARD_OUTPUT:
        return None
    try:
        if Path(path).is_dir():
            return "it is a folder"
        if Path(path).exists() and not os.access(path, os.W_OK):
            return "it may not be written"
        if is_special(path):
            return None
        folder = os.path.dirname(os.path.realpath(path))  # noqa: PTH120 (`Path.resolve` refuses circular links)
        if not Path(folder).is_dir():
            return "there is no such folder"
        return None if os.access(folder, os.W_OK) else "its folder may not be written"
    except OSError as error:  # for example a name that is too long
        return error.strerror or str(error)


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
                write_whole(path, encoded(text))
        except BrokenPipeError:
            raise
        except OSError as error:
            where = "standard output" if path == STANDARD_OUTPUT else path
            raise RefusedError(f"{option}: cannot write {where}: {error.strerror or error}") from None

"""Completion in bash, zsh and fish: options, formats, names of indices, and the columns of the files named so far.

click makes the scripts and asks the program for the words. The program then reads no more than the beginning of a file.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, get_completion_class

import rocksteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable

SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_ROCKSTEADY_COMPLETE"
# Options with lists of columns, such as `new=a,b`, and what is typed before the last column.
_LISTS = ("proba", "scores", "preds")
_LISTED = re.compile(r"(.*[=,])?(.*)", re.DOTALL)
_AT_A_THRESHOLD = {"counts", "matrix"}


def script(program: click.Command, shell: str) -> str:
    """The script that a shell reads to complete the program."""
    complete = get_completion_class(shell)
    assert complete is not None  # noqa: S101 (one of SHELLS)
    return complete(program, {}, "rocksteady", _VARIABLE).source()


def columns(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The columns of the first file on the line that can be read; where a list may be typed, after its last sign."""
    from rocksteady.cli.sources import POLARS_ERRORS, RefusedError, found  # noqa: PLC0415

    # While the option has no value yet, click has not parsed the files.
    files = [file for file in (*(context.params.get("files") or ()), *context.args) if Path(file).is_file()]
    before, last = _LISTED.fullmatch(typed).groups("") if parameter.name in _LISTS else ("", typed)  # type: ignore[union-attr]
    with contextlib.suppress(RefusedError, *POLARS_ERRORS), found(files[:1], _dialect(context.params)) as sources:
        names = [name for source in sources for name in source.schema() if name.startswith(last)]
        return [CompletionItem(_quoted(f"{before}{name}")) for name in names]
    return []


def _dialect(given: dict[str, Any]) -> Any:
    from rocksteady.cli.options import dialect  # noqa: PLC0415

    no_header = bool(given.get("no_header"))
    return dialect(given.get("format_"), given.get("separator"), no_header=no_header, nan_policy=None)


def _quoted(word: str) -> str:
    """A word quoted for the command line. zsh and fish quote by themselves."""
    return shlex.quote(word) if os.environ.get(_VARIABLE, "").startswith("bash") else word


def goals(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The indices that have a value at a threshold and a better direction."""
    return _indices(typed, lambda row: bool(_AT_A_THRESHOLD & set(row.forms)) and row.better != "neither")


def names(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """All indices."""
    return _indices(typed, lambda _: True)


def listed(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """All indices for a list with commas, and the words that stand for several."""
    before, comma, last = typed.rpartition(",")
    words = [] if comma else [CompletionItem(word) for word in ("all", "summary") if word.startswith(typed)]
    found = names(context, parameter, last)
    return [*words, *(CompletionItem(f"{before}{comma}{item.value}", help=item.help) for item in found)]


def families(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The families of indices."""
    every = dict.fromkeys(row.family for row in rs.indices())
    return [CompletionItem(family) for family in every if family.startswith(typed)]


def _indices(typed: str, is_wanted: Callable[[rs.results.Index], bool]) -> list[CompletionItem]:
    """Indices by name; an alias only if it is being typed, or each would be there several times."""
    found = []
    for row in filter(is_wanted, rs.indices()):
        called = [row.name, *(row.aliases if typed else ())]
        title = row.title.partition(",")[0].partition(" (")[0]  # click's script for fish stops at a comma
        found += [CompletionItem(name, help=title) for name in called if name.startswith(typed)]
    return found

"""Verify a report or a certificate: count again with the options that it was made with, and compare the digests."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import rocksteady as rs
from rocksteady.cli.sources import RefusedError
from rocksteady.report.page import page

if TYPE_CHECKING:
    from collections.abc import Mapping

_OF_PAGE: Final = re.compile(r'<script type="application/json" id="recipe">(.*?)</script>', re.DOTALL)
_VERSION: Final = re.compile(r'<meta name="generator" content="rocksteady ([^"]*)">')


@dataclass(frozen=True)
class Claim:
    """What a report says of itself.

    Attributes
    ----------
    digest
        That of the evaluation.
    recipe
        The options that say what is counted, by their names in `score`.
    version
        The release of rocksteady that made it.
    page
        All of it, if it is a page.
    notes
        Of JSON: the bounds over missing labels.
    """

    digest: str
    recipe: Mapping[str, Any]
    version: str
    page: str | None
    notes: Any = None


def claimed(report: str) -> Claim:
    """Read a report that `rocksteady score` wrote as a page or as JSON.

    Raises
    ------
    RefusedError
        It is another file, or a page that was not made by the command.
    """
    claim: Claim | None
    text = Path(report).read_bytes().decode("utf-8", errors="replace")
    try:
        if text.lstrip().startswith("{"):
            said, made, whole = json.loads(text), None, None
        else:
            (block,), made, whole = _OF_PAGE.findall(text), _VERSION.search(text), text
            said = json.loads(block)
        claim = Claim(said["digest"], said["recipe"], made[1] if made else said["version"], whole, said.get("notes"))
    except (ValueError, LookupError, TypeError):
        claim = None
    if claim is None or not (isinstance(claim.digest, str) and isinstance(claim.recipe, dict)):
        expected = "expected the HTML or JSON that `rocksteady score` writes, with its digest and options"
        raise RefusedError(f"{report} does not say how it was made; {expected}")
    return claim


def certificate(file: str, label: str | None, score: str | None) -> dict[str, Any] | None:
    """The certificate of `ScoreTable.certify` in a file; None if it has something else.

    Raises
    ------
    RefusedError
        The columns of a certificate are not given, or those of a report are.
    """
    try:
        told = json.loads(Path(file).read_bytes())
    except ValueError:
        told = None
    is_one = isinstance(told, dict) and {"conditions", "confidence", "fingerprint"} <= told.keys()
    if is_one and (label is None or score is None):
        raise RefusedError(f"{file} is a certificate; --label and --score say which columns it is of")
    if not is_one and (label or score):
        raise RefusedError(
            f"--label and --score are for a certificate, and {file} is none; a report has its columns itself"
        )
    return told if is_one else None


def wrong(claim: Claim, evaluation: rs.Evaluation) -> str | None:
    """Why a report is not of an evaluation; None if it is.

    Raises
    ------
    RefusedError
        Another release made the digest, which this one cannot make.
    """
    found = evaluation.digest()
    kind, other = found.partition(":")[0], claim.digest.partition(":")[0]
    if kind != other:
        raise RefusedError(
            f"its digest is one of {other!r}, made by rocksteady {claim.version}; this release makes {kind!r}"
        )
    if found != claim.digest:
        return f"it is not of these rows: it says {claim.digest}, and theirs is {found}"
    if claim.version != rs.__version__:
        return None
    if claim.page is None:
        is_same = (claim.notes or []) == list(evaluation.notes)
        return None if is_same else "it is of these rows, but its notes are not, or those without a label have changed"
    again = page(evaluation, title=claim.recipe["title"], recipe=claim.recipe)
    also = ", or rows without a label have" if evaluation.notes else ""
    return (
        None if again == claim.page else f"it is of these rows, but the page has been changed since it was made{also}"
    )

"""docs/errors.md: each call of its table says what the table says."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import rocksteady as rs

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def rows() -> list[tuple[str, str]]:
    if not PAGE.exists():
        return []
    return re.findall(r"^\| `(rs\..+?)` \| `(.+?)` \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_there_are_ten():
    if not PAGE.exists():
        pytest.skip("a source distribution has no docs/")
    assert len(rows()) == 10


@pytest.mark.parametrize(("call", "said"), rows())
def test_a_call_says_what_the_page_says(call, said):
    heard = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            eval(call, {"rs": rs})
        except rs.RocksteadyError as error:
            heard.append(str(error.args[0]))
    heard += [str(one.message) for one in caught]
    assert len(heard) == 1
    assert heard[0].startswith(said)

"""The format of numbers and names on the page."""

from __future__ import annotations

import html
import math
from typing import Final

from rocksteady.base.table import one_line

# Numbers from here on are not written in full.
_LARGE: Final = 1e15


def text(value: object) -> str:
    """Text that may stand in an element or in a quoted attribute.

    >>> text('"><img src=x>')
    '&quot;&gt;&lt;img src=x&gt;'
    """
    return html.escape(str(value), quote=True)


def label(value: object) -> str:
    """A label or a name, short and on one line, escaped."""
    return text(one_line(value))


def decimal(value: float) -> str:
    """A value of an index: four decimals, fewer where it is large, powers where it is tiny or huge. The script agrees.

    >>> decimal(0.85), decimal(-1e-9), decimal(12345.678), decimal(1e300), decimal(float("inf"))
    ('0.8500', '−1.000e-09', '12,346', '1.000e+300', '∞')
    """
    size = abs(value)
    if math.isinf(value):
        shown = "-∞" if value < 0 else "∞"
    elif size >= _LARGE or 0 < size < 5e-5:
        shown = f"{value:.3e}"
    else:
        shown = f"{value:.4f}" if size < 1000 else f"{value:,.0f}"
    return _signed(shown)


def amount(value: float) -> str:
    """Rows, or their weight: whole where it is whole, or large.

    >>> amount(12345.0), amount(0.25), amount(1234567.8), amount(1e300), amount(float("inf"))
    ('12,345', '0.25', '1,234,568', '1e+300', '∞')
    """
    size = abs(value)
    if size >= _LARGE or 0 < size < 1e-4:
        return score(value)
    return _signed(f"{value:,.0f}" if size >= 1e5 or value == int(value) else f"{value:,.6g}")


def score(value: float) -> str:
    """A score or a threshold, six digits.

    >>> score(0.123456789), score(float("inf"))
    ('0.123457', '∞')
    """
    return _signed(f"{value:.6g}".replace("inf", "∞"))


def _signed(number: str) -> str:
    return number.replace("-", "−", 1) if number.startswith("-") else number


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.4567), percent(float("nan"))
    ('45.7 %', '–')
    """
    return "–" if math.isnan(share) else f"{100 * share:.1f} %"

"""The building blocks of the page's sections: tables, cells, panels of models, names of indices."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from rocksteady.registry.registry import index
from rocksteady.report.text import decimal, label, text

# The most letters above a chart, unless its first sentence is longer: three lines on a phone.
_LEAD: Final = 130
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?]) (?=[A-Z])")

# The lower and the upper bound of an interval.
Bounds = tuple[float, float]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.models.model import Model


def table(
    caption: str,
    head: Sequence[str],
    body: Iterable[Sequence[str]],
    *,
    classes: str = "",
    foot: Iterable[Sequence[str]] = (),
) -> str:
    """A table whose cells are HTML: the first of each row heads it; those that are elements are taken as they are.

    With the class "stacks" each cell carries the words of its column: a narrow screen shows the cells of a row below one
    another.
    """
    names = [re.sub(r"<[^>]*>", "", cell) for cell in head[1:]] if "stacks" in classes else []

    def row(cells: Sequence[str]) -> str:
        first, *rest = cells
        rest = [cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in rest]
        if names:
            rest = [cell.replace("<td", f'<td data-label="{name}"', 1) for cell, name in zip(rest, names, strict=True)]
        return f'<tr><th scope="row">{first}</th>{"".join(rest)}</tr>'

    heads = "".join(cell if cell.startswith("<th") else f'<th scope="col">{cell}</th>' for cell in head)
    rows = "".join(map(row, body))
    feet = "".join(map(row, foot))
    feet = f"<tfoot>{feet}</tfoot>" if feet else ""
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{caption}"><table class="{classes}">'
        f'<caption class="hidden">{caption}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>{feet}</table></div>"
    )


def folded(summary: str, content: str, *, is_open: bool = False) -> str:
    """What is long, behind a line that opens it. On paper it is open."""
    return f'<details class="fold"{" open" if is_open else ""}><summary>{summary}</summary>{content}</details>'


def swatch(place: int) -> str:
    """The colour of a model, beside its name."""
    return f'<span class="swatch m{place % 6}" aria-hidden="true"></span>'


def panels(evaluation: Evaluation, tell: Callable[[int, Model], str | None]) -> str:
    """A panel for each model that there is something to tell of, headed by its name if there are several."""
    several = len(evaluation.models) > 1
    return "".join(
        f'<div class="panel" data-model="{place}">'
        f"{f'<h3>{swatch(place)}{label(model.name)}</h3>' if several else ''}{told}</div>"
        for place, model in enumerate(evaluation.models.values())
        if (told := tell(place, model))
    )


def title_of(name: str, model: Model | None = None, words: str = "") -> str:
    """What an index is called, which is a link to its definition; the script shows the definition beside it."""
    mean = f", mean over {model._places}" if model is not None and model.is_mean(name) else ""
    title = words or text(index(name).title.partition(" (")[0])
    return f'<a class="index" href="#define-{name}">{title}</a>{mean}'


def about(words: str) -> str:
    """The caption of a chart: its first sentences, and behind "How to read this" the others.

    >>> about("A line.")
    '<div class="about"><p class="lead">A line.</p></div>'
    >>> about("A line. " + "Higher is better. " * 9).count("<summary>How to read this</summary>")
    1
    """
    lead, *rest = _SENTENCE_ENDS.split(words.strip())
    while rest and len(lead) + 1 + len(rest[0]) <= _LEAD:
        lead = f"{lead} {rest.pop(0)}"
    more = f'<details class="how"><summary>How to read this</summary><p>{text(" ".join(rest))}</p></details>'
    return f'<div class="about"><p class="lead">{text(lead)}</p>{more if rest else ""}</div>'


def or_none(value: float) -> str:
    """A value of an index, if it has one."""
    return "undefined" if math.isnan(value) else decimal(value)


def bar(share: float, words: str, bounds: Bounds | None = None) -> str:
    """A cell with a bar behind its number, and a whisker if it has an interval."""
    if math.isnan(share):
        return '<td class="undefined">undefined</td>'
    return f"<td{_bar(f'{_within(share):.4f}', bounds)}>{words}</td>"


def _bar(share: str, bounds: Bounds | None) -> str:
    """The attributes of a cell with a bar."""
    if bounds is None or math.isnan(bounds[0]):
        return f' class="bar" style="--share:{share}"'
    low, high = bounds
    ends = f"--low:{_within(low):.4f};--high:{_within(high):.4f}"
    return f' class="bar whisker" style="--share:{share};{ends}" title="{decimal(low)} to {decimal(high)}"'


def _within(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def sortable(value: float, words: Callable[[float], str]) -> str:
    """A cell by whose value rows can be sorted."""
    return f'<td data-value="{value:.6g}">{words(value)}</td>'


def sortable_bar(value: float, bounds: Bounds | None = None) -> str:
    """A cell by whose value rows can be sorted, with a bar behind its number, and a whisker if it has an interval."""
    if math.isnan(value):
        return '<td class="undefined" data-value="">undefined</td>'
    return f'<td data-value="{value:.6g}"{_bar(f"{_within(value):.3f}", bounds)}>{decimal(value)}</td>'

"""The confusion matrices: as tables, as pictures of many classes, and the most confused pairs."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady.charts.chart import SHARE
from rocksteady.report.data import MOST_CELLS, pictured
from rocksteady.report.elements import or_none, panels, table, title_of
from rocksteady.report.text import amount, label, percent, score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.labels.confusion import ConfusionMatrix
    from rocksteady.models.model import Model

_CONFUSIONS: Final = 15
# A picture of at most this many classes has their names; of more than the second number it is wider.
_MOST_NAMED: Final = 60
_WIDE: Final = 30
_KINDS: Final = {True: "hit", False: "miss"}


def _matrix_table(matrix: ConfusionMatrix, order: Sequence[int]) -> str:
    cells, shares = matrix.to_array(), matrix.normalize("true")
    names = [label(known) for known in matrix.labels]
    heads = "".join(f'<th scope="col"><span class="of">predicted</span> {names[place]}</th>' for place in order)
    rows = []
    for i in order:
        shown = "".join(
            f'<td class="cell {_KINDS[i == j]}" style="--share:{shares[i, j]:.4f}">'
            f"{amount(float(cells[i, j]))}<small>{percent(float(shares[i, j]))}</small></td>"
            for j in order
        )
        rows.append(f'<tr><th scope="row"><span class="of">actually</span> {names[i]}</th>{shown}</tr>')
    return (
        '<div class="scroll" tabindex="0" role="group" aria-label="Confusion matrix"><table class="matrix">'
        '<caption class="hidden">Confusion matrix: rows are actual, columns predicted classes; the share is of the row</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def picture(shares: NDArray[np.float64]) -> bytes:
    """A matrix of shares as a PNG with one pixel per cell, on a transparent background.

    Parameters
    ----------
    shares : numpy.ndarray of shape (K, K)
        In [0, 1]. What is above 0 can always be seen.

    Returns
    -------
    bytes
        8 bits for each pixel, places in a palette of 256 strengths: blue on the diagonal, orange beside it, where the
        greatest share is the strongest.
    """
    size = len(shares)
    wrong = ~np.eye(size, dtype=bool)
    most = shares.max(initial=0, where=wrong) or 1
    part = np.where(wrong, shares / most, np.sqrt(np.clip(shares, 0, 1)))
    strength = np.where(shares > 0, np.ceil(12 + 115 * part), 0).astype(np.uint8)
    strength[wrong & (strength > 0)] += 128
    lines = np.zeros((size, size + 1), dtype=np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = strength
    colours = bytes.fromhex("1f7fc0") * 128 + bytes.fromhex("e06a10") * 128
    clear = bytes(2 * step for step in range(128)) * 2

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", colours), (b"tRNS", clear), (b"IDAT", zlib.compress(lines.tobytes(), 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts) + chunk(b"IEND", b"")


def _matrix_picture(matrix: ConfusionMatrix, place: int) -> str:
    shown = pictured(matrix)
    classes = len(shown.labels)
    encoded = base64.b64encode(picture(shown.normalize("true"))).decode()
    of = (
        f"{classes} classes"
        if shown is matrix
        else f"the {classes} classes with the most rows, of {len(matrix.labels)}"
    )
    alternative = f"Confusion matrix of {of}. The confusions that happen most are listed below it."
    picture_of = (
        f'<div class="frame" data-picture="{place}">'
        f'<img src="data:image/png;base64,{encoded}" width="{classes}" height="{classes}" alt="{alternative}"></div>'
    )
    kind, before, after = "picture", "", ""
    if classes <= _MOST_NAMED:
        names = "".join(f"<li>{label(name)}</li>" for name in shown.labels)
        size, wide = (0.75, 42) if classes <= _WIDE else (0.66, 62)
        kind = f'picture named" style="--letters:{size}rem;--wide:{wide}rem'
        before, after = (f'<ul class="names of-{side}" aria-hidden="true">{names}</ul>' for side in ("rows", "columns"))
    return (
        f'<figure class="{kind}">{before}{picture_of}{after}'
        f"<figcaption>Rows are actual, columns predicted classes, in the order of the labels, from the top left: {of}. "
        "The stronger a cell, the greater its share. What is right is blue, what is wrong is orange, strongest where the "
        "share is greatest."
        ' <span class="live read" aria-hidden="true"></span></figcaption></figure>'
    )


def _confusions(matrix: ConfusionMatrix, heading: str) -> str:
    """The most confused pairs of classes."""
    most = matrix.most_confused(_CONFUSIONS)
    if not len(most):
        return "<p>No row was predicted to be of another class than its own.</p>"
    columns = zip(most.actual.tolist(), most.predicted.tolist(), most.count.tolist(), most.share.tolist(), strict=True)
    body = [
        [label(actual), f'<td class="word">{label(predicted)}</td>', amount(count), percent(share)]
        for actual, predicted, count, share in columns
    ]
    unit = "Weight" if matrix.weighted else "Rows"
    head = ["Actually", '<th scope="col" class="word">Predicted</th>', unit, SHARE.label]
    pairs = table("The pairs of classes that are confused most", head, body, classes="narrow")
    return f"<{heading}>Confused most</{heading}>{pairs}"


def _weakest(matrix: ConfusionMatrix, heading: str) -> str:
    """The classes with the lowest F1."""
    columns = [matrix.every(name) for name in ("f1", "recall", "precision")]
    known = np.flatnonzero(np.isfinite(columns[0]))
    shown = known[np.argsort(columns[0][known], kind="stable")][:_CONFUSIONS]
    names = list(matrix.labels)
    body = [[label(names[i]), *(or_none(float(column[i])) for column in columns)] for i in shown.tolist()]
    head = ["Class", *map(title_of, ("f1", "recall", "precision"))]
    return f"<{heading}>Weakest classes</{heading}>" + table(
        "The classes with the lowest F1", head, body, classes="narrow"
    )


def matrices(evaluation: Evaluation) -> str:
    """The section: a matrix for each model, and of several classes what is confused most."""
    heading = "h4" if len(evaluation.models) > 1 else "h3"

    def of(place: int, model: Model) -> str:
        matrix = model.confusion
        if evaluation.is_binary:
            labels = list(matrix.labels)
            first = labels.index(evaluation.pos_label)
            at = f"<p>{_decided(model)} Positive class: {label(evaluation.pos_label)}.</p>"
            return at + _matrix_table(matrix, [first, *(i for i in range(len(labels)) if i != first)])
        if len(matrix.labels) <= MOST_CELLS:
            cells = _matrix_table(matrix, range(len(matrix.labels)))
            side = _confusions(matrix, heading) if len(matrix.labels) > 3 else ""
            return f'{_CONTROLS}<div class="aside">{cells}<div>{side}</div></div>'
        worst = f"<div>{_confusions(matrix, heading)}</div><div>{_weakest(matrix, heading)}</div>"
        return f'<div class="worst">{worst}</div>{_CONTROLS}{_matrix_picture(matrix, place)}'

    return panels(evaluation, of)


# The script sorts and normalises the matrix that follows.
_CONTROLS: Final = """<p class="live controls">
<label>Order <select data-order><option value="labels">as the labels</option><option value="name">by name</option>
<option value="rows">most rows first</option><option value="errors">most errors first</option></select></label>
<label>Shares of <select data-normalize><option value="true">the actual class (rows)</option>
<option value="pred">the predicted class (columns)</option><option value="all">all rows</option>
<option value="none">nothing: counts only</option></select></label></p>"""


def _decided(model: Model) -> str:
    if model.threshold is None:
        return "From the predicted classes. Shares are of the actual class."
    return f"At the threshold {score(model.threshold)}. Shares are of the actual class."

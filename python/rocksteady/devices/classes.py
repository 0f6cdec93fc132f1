"""The scores of several classes on a device: distinct scores of each column and class, and whether the top label is right."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

import numpy as np

from rocksteady._rocksteady import ScoreState, ScoreTablesState
from rocksteady.devices import arrays
from rocksteady.devices.cells import cells_of, summed
from rocksteady.devices.scores import score_state
from rocksteady.errors import RocksteadyError

# In the bytes (docs/bytes.md): where labels begin, and the first of them; the size of a number.
_CORE, _FIRST, _LABEL = 19, 28, 17
_POSITIVE: Final = (1, "raise", "raise", "counts")


def score_tables_state(
    ask: Callable[[Any], ScoreTablesState], rows: tuple[Any, Any, Any], weight_kind: str
) -> ScoreTablesState:
    """The state that `ask` gives for labels and a matrix of scores: that of a row of each class, with the cells of all."""
    arrays.refuse_weights(rows[2], weight_kind, rows[0])
    xp, (y, scores) = arrays.on_one_device({"y_true": rows[0], "y_proba": rows[1]}, {"y_proba": 2})
    (labels,), _ = cells_of(xp, {"y_true": y})
    few = None
    if len(labels) and (not arrays.is_float(scores) or bool(xp.all(xp.isfinite(scores)))):
        with suppress(RocksteadyError):
            few = ask((labels, np.zeros((len(labels), scores.shape[1]), arrays.kind_of(scores)), None))
    if few is None:
        return ask((arrays.here(rows[0]), arrays.here(rows[1]), None))  # refused, by row
    classes, data, cells = few.labels().tolist(), few.to_bytes(), []
    place = _FIRST + _LABEL * len(classes)
    core = data[_CORE:place]
    while place < len(data):
        size = 8 + int.from_bytes(data[place : place + 8], "little")
        cells.append(data[place + 8 : place + size])
        place += size
    places = np.array([classes.index(label) for label in labels.tolist()])
    for column in range(len(classes)):
        ranked = xp.asarray(scores[:, column], copy=True)
        (actual, distinct), counts = cells_of(xp, {"y_true": y, "y_proba": ranked})
        for own, (start, end) in zip(places, pairwise([0, *np.searchsorted(actual, labels, "right")]), strict=True):
            table = summed(
                lambda found: ScoreState.sweep((np.ones(len(found), np.int64), found, None), _POSITIVE),
                [distinct[start:end]],
                counts[start:end],
            )
            cells[column * len(classes) + own] = table.to_bytes()
    known, y = (arrays.as_numbers(xp, column) for column in (xp.asarray(labels, device=y.device), y))
    own = xp.take(xp.asarray(places, device=y.device), xp.searchsorted(known, y), axis=0)
    if arrays.kind_of(scores).kind in "iu" and arrays.kind_of(scores).itemsize == 8:
        scores = xp.astype(scores, xp.float64)  # the confidence of a row is a double
    best = xp.argmax(arrays.ordered_bits(xp, arrays.as_numbers(xp, scores)), axis=1)
    top = xp.take_along_axis(scores, xp.reshape(best, (-1, 1)), axis=1)[:, 0]

    def confidence(found: Any) -> ScoreState:
        return ScoreState.sweep((found[0], found[1].astype(np.float64), None), (True, *_POSITIVE[1:]))

    if (known_top := few.top_label()) is not None:
        right = score_state(confidence, (best == own, top, None), _POSITIVE)
        cells[-1] = known_top.subtracted(known_top).merged(right).to_bytes()
    core += b"".join(len(cell).to_bytes(8, "little") + cell for cell in cells)
    found: ScoreTablesState = ScoreTablesState.from_bytes(data[: _CORE - 8] + len(core).to_bytes(8, "little") + core)
    return found

"""Text labels of a sketch, as long as nobody said which is positive: which there are, and rows of a lone one."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.pairing import missing
from rocksteady.errors import RocksteadyError

if TYPE_CHECKING:
    from rocksteady.base.arguments import NanPolicy

#: What `SketchCollectorState` takes after the labels: cells, thresholds, and what of missing and infinite scores.
Options = tuple[Any, list[float], "NanPolicy", Any]

# The head of a sketch's bytes (docs/bytes.md): magic word, kind, version and tag; then the length of the section.
_HEAD: Final = len(b"rockstedB\x03\x01")
_LENGTH: Final = struct.Struct("<Q")
# Sizes of a label by the byte that it begins with: none, and an integer.
_SIZES: Final = {0: 1, 1: 17}
_TEXT: Final = 3


def text_labels(y_true: Any, nan_policy: NanPolicy) -> list[str] | None:
    """The labels of a column of text, two at most; None of other labels, and of a column that is refused.

    >>> text_labels(["yes", "no", "yes"], "raise"), text_labels([1, 0], "raise"), text_labels([None], "omit")
    (['no', 'yes'], None, [])
    """
    found = _rocksteady.SketchCollectorState(None, None, 4, [0.0, 0.5], nan_policy, "raise")
    try:
        # Scores that are no probabilities have no losses, which the core would keep for labels that are no text.
        found.update(y_true, np.full(len(y_true), 2.0), None, None)
    except (RocksteadyError, TypeError):
        return [] if nan_policy == "omit" and _is_nothing(y_true) else None
    labels = found.labels()
    if not labels:
        return [] if nan_policy == "omit" and len(y_true) else None
    return labels if isinstance(labels[0], str) else None


def _is_nothing(y_true: Any) -> bool:
    """Whether there are rows, and the labels of all are missing."""
    try:
        gaps = missing(y_true, "y_true")
    except (RocksteadyError, TypeError):
        return False
    return gaps is not None and bool(gaps.size) and bool(gaps.all())


class LoneLabel:
    """Rows whose text labels are all one, of which nobody knows yet whether it is positive.

    They are collected as rows of the label 0, of which that is open, too. `sketch` gives them their label.
    """

    def __init__(self, options: Options) -> None:
        self._state = _rocksteady.SketchCollectorState(None, None, *options)
        self._options = options
        self._is_weighted: bool | None = None
        self.label: str | None = None

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state.rows

    def update(self, labels: list[str], y_true: Any, y_score: Any, sample_weight: Any) -> None:
        """Take rows, whose label is the only one of these; without a label, all of them are left out."""
        gaps = missing(y_true, "y_true")
        zeros = np.zeros(len(y_true)) if gaps is None else np.where(gaps, np.nan, 0.0)
        self._state.update(zeros, y_score, sample_weight, None)
        self._is_weighted = sample_weight is not None
        self.label = labels[0] if labels else self.label

    def check(self, y_true: Any, y_score: Any, sample_weight: Any) -> None:
        """Refuse a batch that does not go with the rows taken: labels of another kind or a third one, or weights."""
        _rocksteady.SketchCollectorState(self.label, None, *self._options).update(y_true, y_score, sample_weight, None)
        if self._is_weighted not in (None, sample_weight is not None):
            self._state.update(np.zeros(len(y_true)), y_score, sample_weight, None)

    def sketch(self) -> _rocksteady.SketchState:
        """The sketch of the rows."""
        data = bytes(self._state.sketch(None).to_bytes())
        core = data[_HEAD + _LENGTH.size :]
        end = 1  # behind the kind of the labels
        for _ in range(3):
            end += _SIZES[core[end]]
        text = b"" if self.label is None else self.label.encode()
        label = b"\0" if self.label is None else b"\2" + _LENGTH.pack(len(text)) + text
        core = bytes([_TEXT]) + label + b"\0\0" + core[end:]
        return _rocksteady.SketchState.from_bytes(data[:_HEAD] + _LENGTH.pack(len(core)) + core)

"""The positive class may be the lesser label, in every call that has `pos_label`."""

from __future__ import annotations

import warnings

import numpy as np
import public_calls as given


def test_the_lesser_label_as_the_positive_one():
    tried = 0
    for name, call in given.calls().items():
        y_true = call.columns.get("y_true")
        is_binary = getattr(y_true, "ndim", 0) == 1 and set(y_true.unique()) == {0, 1}
        if name in given.OBJECTS or "pos_label" not in given.parameters(call.function) or not is_binary:
            continue
        turned = {"y_true": 1 - y_true, "pos_label": 0}
        if (y_pred := call.columns.get("y_pred")) is not None:
            several = isinstance(y_pred, dict)
            turned["y_pred"] = {key: 1 - own for key, own in y_pred.items()} if several else 1 - y_pred
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, other = call(pos_label=1), call(**turned)
        if isinstance(found, float | np.ndarray):
            assert np.array_equal(found, other, equal_nan=True), name
        else:
            assert type(found) is type(other), name
        tried += 1
    assert tried > 40

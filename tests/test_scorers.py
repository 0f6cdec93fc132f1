"""Scorers: scikit-learn's behaviour, one count for several metrics, and no need of scikit-learn."""

from __future__ import annotations

from collections import Counter
from contextvars import copy_context
from typing import Any

import pytest

from rocksteady._rocksteady import ConfusionState
from rocksteady.metrics import _classification, accuracy_score, matthews_corrcoef
from rocksteady.metrics._sharing import current, share, sharing

TRUE, PRED = [0, 1, 1, 0, 2], [0, 1, 0, 0, 2]


@pytest.fixture
def counted(monkeypatch):
    """How often labels were counted."""
    calls: Counter[str] = Counter()

    class Counted:
        @staticmethod
        def count(*arguments: Any) -> ConfusionState:
            calls["count"] += 1
            return ConfusionState.count(*arguments)

    monkeypatch.setattr(_classification, "ConfusionState", Counted)
    return calls


def test_the_same_arguments_are_counted_once_in_a_context(counted):
    with sharing():
        assert accuracy_score(TRUE, PRED) == 0.8
        matthews_corrcoef(TRUE, PRED)
    assert counted["count"] == 1
    accuracy_score(TRUE, PRED)
    matthews_corrcoef(TRUE, PRED)
    assert counted["count"] == 3


def test_equal_arguments_that_are_other_objects_are_counted_anew(counted):
    with sharing():
        accuracy_score(TRUE, PRED)
        accuracy_score(TRUE, list(PRED))
        accuracy_score(TRUE, [0, 1, 0, 0, 1])
    assert counted["count"] == 3


def test_shared_arguments_are_held_alive():
    with sharing():
        # Without a hold, each list could take the place of the one before.
        assert [share(sum, [number, 1]) for number in range(100)] == [number + 1 for number in range(100)]


def test_contexts_nest_and_end():
    assert current() is None
    with sharing():
        outer = current()
        with sharing():
            assert current() is outer
        assert current() is outer
    assert current() is None
    with pytest.raises(ZeroDivisionError), sharing():
        raise ZeroDivisionError
    assert current() is None


def test_a_refusal_is_not_kept():
    with sharing():
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                share(divmod, 1, 0)


def test_the_context_belongs_to_the_thread():
    with sharing():
        inside = copy_context()
    assert current() is None
    assert inside.run(current) is not None


def test_a_context_can_go_on_with_what_another_held(counted):
    held: dict[Any, Any] = {}
    for _ in range(2):
        with sharing(held):
            accuracy_score(TRUE, PRED)
    assert counted["count"] == 1

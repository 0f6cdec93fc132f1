"""Columns of texts: every container, and any number of threads, give the labels of Python's own strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

import rocksteady as rs

pa = pytest.importorskip("pyarrow")

ROWS = 300_000  # more than stay on one thread


def few(rng: np.random.Generator) -> list[str]:
    return [f"class {n}" for n in rng.integers(0, 7, ROWS)]


def many_after_few(rng: np.random.Generator) -> list[str]:
    """Recent texts are cached until labels become many."""
    late = [text for n in range(20_000) for text in (f"late {n}", "a")]
    return [*(f"{n}" for n in rng.integers(0, 2, ROWS - len(late))), *late]


def in_order(_: np.random.Generator) -> list[str]:
    return [f"{n:05}" for n in np.sort(np.arange(ROWS) % 900)]


def long(rng: np.random.Generator) -> list[str]:
    return [f"a text of more than thirty-two bytes, {n}" for n in rng.integers(0, 300, ROWS)]


CONTAINERS: dict[str, Callable[[list[str]], object]] = {
    "U": np.array,
    "S": lambda texts: np.array(texts, "S"),
    "backwards": lambda texts: np.array(texts[::-1])[::-1],
    "string": lambda texts: pa.array(texts, pa.string()),
    "large_string": lambda texts: pa.array(texts, pa.large_string()),
    "string_view": lambda texts: pa.array(texts, pa.string_view()),
    "chunks": lambda texts: pa.chunked_array([texts[:1], texts[1:1], texts[1:150_001], texts[150_001:]]),
}


@pytest.fixture(params=[1, 2, 7, 16])
def _threads(request: pytest.FixtureRequest) -> Iterator[None]:
    rs.set_threads(request.param)
    yield
    rs.set_threads(None)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("texts_of", [few, many_after_few, in_order, long])
def test_every_container_of_texts_has_the_labels_of_python(texts_of):
    texts = texts_of(np.random.default_rng(31))
    guessed = texts[3:] + texts[:3]
    expected = rs.ConfusionMatrix(texts, guessed)
    for name, made in CONTAINERS.items():
        found = rs.ConfusionMatrix(made(texts), made(guessed))
        assert found.digest() == expected.digest(), name


@pytest.mark.usefixtures("_threads")
def test_a_bad_text_is_named_by_its_row_in_any_part():
    texts = np.array([b"one", b"two"] * (ROWS // 2))
    texts[[250_001, 280_000]] = b"\xff"
    with pytest.raises(rs.InputError, match=r"y_true\[250001\] is not valid Unicode") as refusal:
        rs.ConfusionMatrix(texts, texts[::-1])
    assert refusal.value.row == 250_001

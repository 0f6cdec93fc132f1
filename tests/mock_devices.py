"""Devices for tests, all of them in the processor's memory.

array-api-strict has mock devices, which here say that their memory is another. JAX and torch are on their CPU, which counts as
another device while a test runs.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.base import containers
from rocksteady.devices import arrays

strict = pytest.importorskip("array_api_strict", reason="the tests of devices need array-api-strict")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")  # it compiles each call for each shape
try:
    import jax
except ImportError:
    jax = None
else:
    jax.config.update("jax_enable_x64", True)
try:
    import array_api_compat.torch  # noqa: F401 (devices need it for torch)
    import torch
except ImportError:
    torch = None

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]

needs_jax = pytest.mark.skipif(jax is None, reason="needs jax, 85 MB: pip install '.[jax]'")
needs_torch = pytest.mark.skipif(torch is None, reason="needs torch, and array-api-compat: pip install '.[device]'")


class Kind:
    def to_host(self, argument):
        """The pattern of the call in refusals."""
        return rf"numpy.asarray\({argument}\)"


class Strict(Kind):
    name = "strict"
    dtypes = DTYPES
    device = strict.Device("device1")

    def there(self, values: Any) -> Any:
        return strict.asarray(np.array(values), device=self.device)


class Jax(Kind):
    name = "jax"
    dtypes = ("bool", "int8", "uint64", "float16", "float32", "float64")

    def there(self, values: Any) -> Any:
        return jax.numpy.asarray(np.asarray(values))


class Torch(Kind):
    name = "torch"
    dtypes = ("bool", "int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64")

    def there(self, values: Any) -> Any:
        return torch.asarray(np.array(values))

    def to_host(self, argument):
        return rf"{argument}.cpu\(\)"


#: Arguments of a fixture, and what they are called.
KINDS = [
    (Strict, arrays.BLOCK),
    (Strict, 7),
    pytest.param((Jax, arrays.BLOCK), marks=needs_jax),
    pytest.param((Torch, arrays.BLOCK), marks=needs_torch),
]
NAMES = ["strict", "strict in blocks of 7", "jax", "torch"]


def stood_for(monkeypatch, kind, block):
    if kind is Strict:
        monkeypatch.setattr(type(strict.zeros(1)), "__dlpack_device__", lambda _: (2, 0))
    else:
        monkeypatch.setattr(containers, "_HOST_DEVICES", frozenset())
    monkeypatch.setattr(arrays, "BLOCK", block)
    return kind()


def same(here, there):
    """The statistics of two calls, which have the same bytes; None if both are refused in the same words."""
    try:
        expected = here()
    except rs.RocksteadyError as error:
        refusal = error
    else:
        found = there()
        assert found.to_bytes() == expected.to_bytes()
        assert repr(found) == repr(expected)
        return found
    with pytest.raises(type(refusal)) as raised:
        there()
    said = raised.value
    assert (str(said), said.row, said.argument) == (str(refusal), refusal.row, refusal.argument)
    return None

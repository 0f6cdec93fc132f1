"""Names of a namespace that are imported when a program first asks for them.

They are listed once, in the stub beside the namespace: a line ``from module import name as name`` for each.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def lazily(module: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a namespace, by its name and its file."""
    with open(f"{file.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:  # noqa: PTH123 (pathlib is slow to import)
        lines = stub.read().replace("(", "").split("from ")[1:]
    places = {name: place for place, _, name, *_ in map(str.split, lines)}

    def get(name: str) -> Any:
        if name not in places:
            # The import system asks for every submodule here, before it imports it.
            if name.startswith("_") or sys._getframe(1).f_code.co_filename.startswith("<frozen importlib"):
                raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
            from rocksteady.base.names.missing import missing  # noqa: PLC0415 (few programs need it)

            raise missing(name, sorted(places), module)
        place = places[name]
        found = import_module(f"{place}.{name}") if place == "rocksteady" else getattr(import_module(place), name)
        setattr(sys.modules[module], name, found)  # from now on it is an attribute like any other
        return found

    return get, lambda: sorted(places), sorted(places)

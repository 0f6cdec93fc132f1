"""Names of indices for the Tab key: after ``table["`` in IPython and its kin, and after ``rs.index("`` in IPython."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rocksteady import _rocksteady
from rocksteady.registry.registry import indices

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

# A call with the name of an index, as far as it is written: rs.index("ro
_CALL: Final = re.compile(r"""(?P<owner>\w+)\.(?P<method>index|value|why)\(\s*["'][^"']*$""")


def names_of(forms: Collection[str] = ()) -> list[str]:
    """Names and aliases of the indices with one of these forms, or of all.

    >>> names_of(["probabilities"])[:3]
    ['log_loss', 'cross_entropy', 'mean_cross_entropy']
    """
    return list(_names(frozenset(forms), _rocksteady.index_version()))


@lru_cache(maxsize=16)
def _names(forms: frozenset[str], _version: int) -> tuple[str, ...]:
    rows = [row for row in indices() if not forms or forms & set(row.forms)]
    return tuple(name for row in rows for name in (row.name, *row.aliases))


def install() -> None:
    """Completes ``rs.index("`` and ``table.value("`` in a running IPython; elsewhere it does nothing."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        shell.set_hook("complete_command", _completer(shell), re_key=f".*{_CALL.pattern}")


def _completer(shell: Any) -> Callable[[Any, Any], list[str]]:
    def complete(_shell: Any, event: Any) -> list[str]:
        call = _CALL.search(event.text_until_cursor)
        owner = None if call is None else shell.user_ns.get(call["owner"])
        if owner is None or call is None:
            return []
        if owner is sys.modules["rocksteady"]:
            return names_of() if call["method"] == "index" else []
        is_ours = type(owner).__module__.partition(".")[0] == "rocksteady" and call["method"] != "index"
        keys: Callable[[], list[str]] = getattr(owner, "_ipython_key_completions_", list) if is_ours else list
        return keys()

    return complete

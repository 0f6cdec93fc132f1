"""Options that are passed on, written once: where they are used."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


def passes_to(method: Any, *, keeps_others: bool = False) -> Callable[[F], F]:
    """Writes the options of `method`, which gets ``**kwargs``, into a signature; `keeps_others` allows any others."""
    options = signature(getattr(method, "__func__", method)).parameters.values()

    def written(function: F) -> F:
        own = list(signature(function).parameters.values())
        names = {parameter.name for parameter in own} | {"y_score", "y_pred"}
        optional = [option for option in options if option.name not in names and option.default is not Parameter.empty]
        more = [option.replace(kind=Parameter.KEYWORD_ONLY) for option in optional]
        rest = [own[-1]] if keeps_others or any(option.kind == Parameter.VAR_KEYWORD for option in options) else []
        function.__signature__ = signature(function).replace(parameters=[*own[:-1], *more, *rest])  # type: ignore[attr-defined]
        return function

    return written

"""The floors of the Rust code: reads which file takes what from which other file, and holds it against DESIGN.md.

A file's arrows come from its ``use`` lines and from paths inside its code, tests apart. A name that a ``mod.rs`` hands
on counts as taken from the file that defines it. A ``mod.rs`` that only declares and hands on modules is no file here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: The folders of `src` that are crates.
CRATES = ("count", "derive")

_USE = re.compile(r"^[ \t]*(pub(?:\([^)]*\))? )?use ([^;]+);", re.MULTILINE)
_PATH = re.compile(r"(?<![\w:])(?:\$?crate|super|self)(?:::\w+)+")
_TESTS = re.compile(
    r"^#\[cfg\(test\)\]\n(?:#\[.*\]\n)*(?:pub(?:\([^)]*\))? )?mod \w+ \{.*?^\}$", re.MULTILINE | re.DOTALL
)
_TEST_FILE = re.compile(r"^#\[cfg\(test\)\]\n(?:#\[.*\]\n)*(?:pub(?:\([^)]*\))? )?mod (\w+);", re.MULTILINE)


def floors_of(design: str) -> list[str]:
    """The list of floors in DESIGN.md, from the top floor down: the lines of its block that begins with ```floors."""
    block = re.search(r"^```floors\n(.*?)^```", design, re.MULTILINE | re.DOTALL)
    assert block is not None, "DESIGN.md has no block of floors"
    return [line.split("#")[0].strip() for line in block[1].splitlines() if line.split("#")[0].strip()]


def without_tests(text: str) -> str:
    """The text of a Rust file without its modules of tests."""
    return _TESTS.sub("", text)


def _leaves(tree: str) -> Iterator[tuple[str, str]]:
    """The paths of a ``use`` tree, each with the name it is known by."""
    head, brace, rest = tree.partition("{")
    if not brace:
        path, _, alias = tree.strip().partition(" as ")
        path = path.strip().removesuffix("::self")
        yield path, alias.strip() or path.rsplit("::", 1)[-1]
        return
    depth, part = 0, ""
    for character in rest[: rest.rindex("}")] + ",":
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            if part.strip():
                yield from _leaves(head.strip() + part.strip())
            part = ""
        else:
            part += character


class Crate:
    """The modules of all crates, which know each other's by one name, and the arrows between their files."""

    def __init__(self, root: Path) -> None:
        self.files: dict[str, Path] = {}
        self.text: dict[str, str] = {}
        for file in sorted(root.rglob("*.rs")):
            parts = file.relative_to(root).with_suffix("").parts
            if parts[0] in CRATES:
                parts = parts[1:]
            module = "::".join(parts[:-1] if parts[-1] in ("mod", "lib") else parts)
            self.files[module] = file
        tests = set()
        for module, file in self.files.items():
            text = file.read_text()
            tests |= {"::".join(filter(None, (module, name))) for name in _TEST_FILE.findall(text)}
            self.text[module] = re.sub(r"//[^\n]*", "", without_tests(text))
        for module in tests:
            del self.files[module], self.text[module]
        self.handed_on: dict[str, dict[str, str]] = {module: {} for module in self.text}
        for module in self.text:
            for public, tree in _USE.findall(self.text[module]):
                if public:
                    for path, name in _leaves(re.sub(r"\s+", " ", tree)):
                        if (whole := self._absolute(path, module)) is not None:
                            self.handed_on[module][name] = whole

    def _absolute(self, path: str, module: str) -> str | None:
        """The path from the root of the crate; None if it leads out of it."""
        here = module.split("::") if module else []
        first, *rest = path.split("::")
        if first in ("crate", "$crate"):
            return "::".join(rest)
        if first == "self":
            return "::".join([*here, *rest])
        while first == "super" and here:
            here.pop()
            if not rest or rest[0] != "super":
                return "::".join([*here, *rest])
            first, *rest = rest
        child = "::".join([*(module.split("::") if module else []), first])
        return "::".join([child, *rest]) if child in self.files else None

    def _owner(self, path: str, *, seen: frozenset[str] = frozenset()) -> str:
        """The module whose file defines what the path names."""
        parts = path.split("::")
        for length in range(len(parts), -1, -1):
            module = "::".join(parts[:length])
            if module in self.files:
                break
        if length < len(parts) and path not in seen and parts[length] in self.handed_on[module]:
            onward = "::".join([self.handed_on[module][parts[length]], *parts[length + 1 :]])
            return self._owner(onward, seen=seen | {path})
        return module

    def arrows(self) -> dict[str, set[str]]:
        """For each module, the modules whose files it takes something from."""
        arrows: dict[str, set[str]] = defaultdict(set)
        for module, text in self.text.items():
            paths = [path for _, tree in _USE.findall(text) for path, _ in _leaves(re.sub(r"\s+", " ", tree))]
            paths += _PATH.findall(_USE.sub("", text))
            if self.files[module].name in ("mod.rs", "lib.rs"):
                # What it hands on is no arrow of its own; what its own code takes is.
                public = {
                    path
                    for public, tree in _USE.findall(text)
                    if public
                    for path, _ in _leaves(re.sub(r"\s+", " ", tree))
                }
                paths = [path for path in paths if path not in public]
            for path in paths:
                whole = self._absolute(path, module)
                if whole is not None and (owner := self._owner(whole)) not in (module, ""):
                    arrows[module].add(owner)
        return arrows

    def circles(self) -> list[list[str]]:
        """Sets of files that take from one another (strongly connected components of more than one)."""
        arrows = self.arrows()
        order: list[str] = []
        seen: set[str] = set()
        back: dict[str, set[str]] = defaultdict(set)
        for source, targets in arrows.items():
            for target in targets:
                back[target].add(source)

        def walk(start: str, along: dict[str, set[str]], into: list[str]) -> None:
            stack = [(start, iter(sorted(along.get(start, ()))))]
            seen.add(start)
            while stack:
                module, targets = stack[-1]
                target = next((target for target in targets if target not in seen), None)
                if target is None:
                    into.append(module)
                    stack.pop()
                else:
                    seen.add(target)
                    stack.append((target, iter(sorted(along.get(target, ())))))

        for module in self.text:
            if module not in seen:
                walk(module, arrows, order)
        seen.clear()
        found = []
        for module in reversed(order):
            if module not in seen:
                walk(module, back, part := [])
                if len(part) > 1:
                    found.append(sorted(part))
        return found

    def upward(self, floors: list[str]) -> list[str]:
        """Every arrow that runs up: from a module of a lower floor to one of a higher floor."""

        def floor(module: str) -> int | None:
            path = module.replace("::", "/")
            held = [floor for floor in floors if path == floor or path.startswith(f"{floor}/")]
            return floors.index(max(held, key=len)) if held else None

        return [
            f"{source} -> {target}"
            for source, targets in sorted(self.arrows().items())
            for target in sorted(targets)
            if (low := floor(source)) is not None and (high := floor(target)) is not None and high < low
        ]

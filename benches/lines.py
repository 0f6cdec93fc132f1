"""Lines of code by folder, tests apart: `python benches/lines.py [COMMIT …]` (none: the files as they are).

A line counts if it has code on it. Blank lines, comments, docstrings, `#[cfg(test)]` items, `tests/` and `tests.rs` do
not. The strings of a row of the registry count.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
_TEST_FILE = re.compile(r"(^|/)(tests?|fuzz|benches)(/|\.rs$|_)|_tests?\.rs$")
_RUST_TOKEN = re.compile(r'r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\'\\])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_PASSED_OVER = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}


def rust_lines(text: str) -> int:
    """Lines of `text` with code, without comments and `#[cfg(test)]` items."""

    def plain(token: re.Match[str]) -> str:
        found = token.group()
        blank = "" if found.startswith("/") else "s"  # a string keeps its lines, without its braces
        return "\n".join(blank for _ in found.split("\n"))

    text = _RUST_TOKEN.sub(plain, text)
    start = 0
    while (start := text.find("#[cfg(test)]", start)) >= 0:
        end, depth = start, 0
        while end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0 and text[end] in "};" and end > start:
                break
            end += 1
        text = text[:start] + text[end + 1 :]
    return sum(bool(line.strip()) for line in text.split("\n"))


def python_lines(text: str) -> int:
    """Lines of `text` with code, without comments and docstrings."""
    documented = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documented.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _PASSED_OVER:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len({number for number in lines if number not in documented})


def git(*words: str, given: bytes | None = None) -> bytes:
    """What git answers."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, input=given).stdout  # noqa: S607


def files(commit: str | None) -> list[tuple[str, str]]:
    """The path and text of each source file, of a commit or as they are."""
    listing = ("ls-files",) if commit is None else ("ls-tree", "-r", "--name-only", commit)
    paths = [path for path in git(*listing).decode().split("\n") if path.startswith(("src/", "python/"))]
    paths = [path for path in paths if path.endswith((".rs", ".py", ".pyi")) and not _TEST_FILE.search(path)]
    if commit is None:
        return [(p, (ROOT / p).read_text(encoding="utf-8")) for p in paths if (ROOT / p).exists()]
    asked = "".join(f"{commit}:{p}\n" for p in paths)
    out = git("cat-file", "--batch", given=asked.encode())
    found, place = [], 0
    for path in paths:
        end = out.index(b"\n", place)
        size = int(out[place:end].split()[2])
        found.append((path, out[end + 1 : end + 1 + size].decode()))
        place = end + 2 + size
    return found


def area(path: str) -> str:
    """The folder that a file is counted in: `src/count/labels`, `python/labels`."""
    parts = path.replace("python/rocksteady", "python").split("/")
    depth = 3 if parts[0] == "src" and parts[1] in ("count", "derive") else 2
    return "/".join(parts[:depth]) if len(parts) > depth else "/".join(parts[:-1])


def main() -> None:
    """Print a table: an area in each row, a commit in each column."""
    commits: list[str | None] = list(sys.argv[1:]) or [None]
    counted = []
    for commit in commits:
        lines: Counter[str] = Counter()
        for path, text in files(commit):
            size = rust_lines(text) if path.endswith(".rs") else python_lines(text)
            lines[area(path)] += size
            lines["Rust" if path.endswith(".rs") else "Stubs" if path.endswith(".pyi") else "Python"] += size
            lines["all"] += size
        counted.append(lines)
    print(f"{'':32}" + "".join(f"{(commit or 'now')[:10]:>12}" for commit in commits))
    for name in sorted({name for lines in counted for name in lines}, key=lambda name: (name.islower(), name)):
        print(f"{name:32}" + "".join(f"{lines[name]:12,}" for lines in counted))


if __name__ == "__main__":
    main()

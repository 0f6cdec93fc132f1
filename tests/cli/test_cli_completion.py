"""Completion in real shells: bash and zsh on a terminal of their own, fish by `complete -C`."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")
pty = pytest.importorskip("pty")

from command import text

from rocksteady.cli.command import run

SETUP = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(rocksteady completion bash)"'),
    "zsh": (["zsh", "-f", "-i"], 'autoload -U compinit; compinit -D -u; eval "$(rocksteady completion zsh)"'),
}
# What is typed before the tab, and what the shell makes of it.
TYPED = {
    "rocksteady comp": "letion",
    "rocksteady score rows.csv --label my": {"bash": "'my label'", "zsh": "\\ label"},
    "rocksteady score rows.csv --label 'my label' --best mcconn": "aughey",
    "rocksteady score rows.csv --names roc_auc,balanced_accu": "racy",
    "rocksteady score ro": "ws.csv",
}


def environment(folder: Path) -> dict[str, str]:
    """A `rocksteady` on the path, and a shell that shows nothing but what is typed."""
    program = folder / "bin" / "rocksteady"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rocksteady "$@"\n')
    program.chmod(0o755)
    text(folder / "rows.csv", "my label,p\n1,0.5\n")
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(folder), "TERM": "dumb", "PS1": "> ", "LC_ALL": "C.UTF-8"}


class Shell:
    """A shell on a terminal."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.terminal, theirs = pty.openpty()
        self.program = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment(folder),
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, keys: str, expected: str) -> str:
        """Type, and wait until the terminal shows what is expected."""
        os.write(self.terminal, keys.encode())
        shown, end = "", time.monotonic() + 60
        while expected not in shown and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                shown += os.read(self.terminal, 65_536).decode(errors="replace")
        return shown

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self.terminal)


@pytest.mark.parametrize("name", SETUP)
def test_a_shell_completes(tmp_path, name):
    if shutil.which(name) is None:
        pytest.skip(f"no {name}")
    if name == "bash":  # macOS has one of 2007
        version = subprocess.run(["bash", "-c", "echo ${BASH_VERSINFO[@]:0:2}"], capture_output=True, text=True).stdout
        if [int(part) for part in version.split()] < [4, 4]:
            pytest.skip("bash is older than 4.4")
    command, setup = SETUP[name]
    shell = Shell(command, tmp_path)
    try:
        assert "ready-2" in shell.type(f"{setup}; echo ready-$((1+1))\n", "ready-2")
        for typed, made in TYPED.items():
            expected = made if isinstance(made, str) else made[name]
            assert expected in shell.type(f"{typed}\t", expected).replace("\x07", "").partition(typed)[2]
            shell.type("\x15", "")  # clears the line
            assert "done-2" in shell.type("echo done-$((1+1))\n", "done-2")
    finally:
        shell.close()


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
def test_fish_completes(tmp_path):
    lines = [
        "rocksteady completion fish | source",
        'complete -C "rocksteady comp"',
        'complete -C "rocksteady score rows.csv --label my"',
        'complete -C "rocksteady score rows.csv --best mcc"',
        'complete -C "rocksteady score ro"',
        'complete -C "rocksteady indices --family rank"',
    ]
    shown = subprocess.run(
        ["fish", "--no-config", "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(tmp_path),
        check=True,
    ).stdout
    described = ["completion\tPrint the completion script of a shell.", "mcc\tMatthews correlation coefficient"]
    for expected in (*described, "my label", "rows.csv", "ranking"):
        assert expected in shown.splitlines()


def test_words(capsys, tmp_path, monkeypatch):
    """What the program answers the shells, without one."""
    monkeypatch.chdir(tmp_path)
    text(tmp_path / "rows.tsv", "y\tmy score\n1\t2\n")
    text(tmp_path / "bad.csv", "")
    monkeypatch.setenv("_ROCKSTEADY_COMPLETE", "bash_complete")

    def words(line: str, typed: str = "") -> list[str]:
        monkeypatch.setenv("COMP_WORDS", f"rocksteady {line} {typed}")
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) + 1))
        assert run([]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return [row.partition(",")[2] for row in out.splitlines() if row]

    assert words("score rows.tsv --label") == ["y", "'my score'"]
    assert words("score rows.tsv --label y --proba", "y,") == ["y,y", "'y,my score'"]
    assert words("score rows.tsv --label y --label y --score", "new=y,m") == ["'new=y,my score'"]
    assert words("score rows.tsv --label y --cluster") == ["y", "'my score'"]
    assert words("score rows.tsv --no-header --label") == ["1", "2"]
    assert words("score bad.csv --label") == words("score none.csv --label") == words("score --label") == []
    assert words("score --separator ;; rows.tsv --label") == []
    assert words("score --format") == ["csv", "ndjson", "parquet", "arrow"]
    assert "f1" in words("score --best")
    assert "prevalence" not in words("score --best")  # no direction is better
    assert "roc_auc" not in words("score --best")  # it has no value at a threshold
    assert "roc_auc" in words("score --require", "roc")
    assert "f1,mcen" in words("score --names", "f1,mce")
    assert words("completion") == ["bash", "zsh", "fish"]
    assert "entropy" in words("indices --family")

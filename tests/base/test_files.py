"""Files of ours: written whole or not at all, and nothing temporary is left when a signal ends the program."""

import inspect
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import public_calls as given
import pytest
from command import PROGRAM

import rocksteady as rs

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX limits and signals")

OBJECTS = {
    "Evaluation": rs.evaluate([0, 1, 1, 0], [0.2, 0.7, 0.4, 0.3]),
    "Table": rs.indices().summary(),
}
# What a base says once for all classes is tried once.
WITH_A_PATH = sorted(
    name for name, method in given.public().items()
    if "path" in given.parameters(method) and (name == "Table.to_csv" or not name.endswith("to_csv"))
)  # fmt: skip


@pytest.mark.parametrize("name", WITH_A_PATH)
def test_a_full_disk_leaves_the_old_file(name, tmp_path):
    import resource

    owner, method = name.split(".")
    write, place = getattr(OBJECTS[owner], method), tmp_path / "kept"
    place.write_text("as before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(OSError, match="large"):
            write(place)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert place.read_text() == "as before"
    assert list(tmp_path.iterdir()) == [place]
    place.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(place)
    assert write(link) is None
    assert place.read_text() == write()
    assert (link.is_symlink(), place.stat().st_mode & 0o777) == (True, 0o600)
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="space"):
            write("/dev/full")
    with pytest.raises(rs.InputTypeError, match="path is 3; expected a path"):
        write(3)


def test_every_method_with_a_path_is_tried():
    pages = [
        f"{owner}.{method}" for owner in sorted(OBJECTS) if owner != "Table" for method in ("to_html", "to_markdown")
    ]
    assert [*pages, "Table.to_csv"] == WITH_A_PATH
    said_in = {method.__qualname__ for name, method in given.public().items() if name.endswith(".to_csv")}
    assert said_in == {"WaysOut.to_csv"}
    for name in WITH_A_PATH:
        assert "written(" in inspect.getsource(given.public()[name])


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_nothing_behind(number, tmp_path):
    handler = signal.signal(getattr(signal, number), signal.SIG_DFL)  # what nohup ignores, a child would ignore too
    process = subprocess.Popen(
        [*PROGRAM, "score", "-", "--label", "y", "--score", "p"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    signal.signal(getattr(signal, number), handler)
    process.stdin.write(b"y,p\n" + b"0,0.5\n1,0.7\n" * 500_000)
    process.stdin.flush()
    for _ in range(600):
        if any(tmp_path.iterdir()):
            break
        time.sleep(0.05)
    assert any(tmp_path.iterdir())
    process.send_signal(getattr(signal, number))
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + getattr(signal, number)
    assert said.strip() == (b"rocksteady: interrupted" if number == "SIGINT" else b"")
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so():
    code = (
        "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); sys.argv = ['rocksteady', '--version']\n"
        "from rocksteady.__main__ import main; main()\n"
        "assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)

"""Rows beyond memory: the same bits as in memory, no file left behind, and clear errors where the disk is full."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.errors import InputError, InputTypeError, StorageError, UnknownIndexError

THOROUGH = bool(os.environ.get("ROCKSTEADY_THOROUGH"))
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def view_of(y, s, *, batch, memory=1 << 16, weights=None, **options):
    collector = rs.ScoreCollector(memory=memory, **options)
    for start in range(0, len(y), batch):
        part = slice(start, start + batch)
        collector.update(y[part], s[part], sample_weight=None if weights is None else weights[part])
    return collector.view()


def same(view, table, thresholds=(0.0, 0.25, 0.5, -np.inf, np.inf)):
    """Each value of a view is that of the table, to the bit."""
    assert (view.rows, view.positives, view.negatives) == (table.rows, table.positives, table.negatives)
    assert (view.labels, len(view), view.ks()) == (table.labels, len(table), table.ks())
    for name in view.names:
        assert repr(view[name]) == repr(table[name]), name
        assert view.why(name) == table.why(name)
    thresholds = np.asarray(thresholds, dtype=float)
    for side in (">=", ">"):
        found, expected = view.at(thresholds, side=side), table.at(thresholds, side=side)
        for cell in ("tp", "fp", "fn", "tn"):
            assert getattr(found, cell).tolist() == getattr(expected, cell).tolist()
    for fraction in (0.001, 0.1, 0.9):
        for name in ("capture_rate", "enrichment_factor", "top_precision"):
            assert repr(view.value(name, fraction=fraction)) == repr(table.value(name, fraction=fraction))


def scores_of(kind, rng, rows):
    if kind == "atom":  # one score of half of the rows
        return np.where(rng.random(rows) < 0.5, 0.3, rng.random(rows))
    if kind == "ties":
        return rng.integers(0, 9, rows) / 8
    if kind == "skewed":
        return rng.random(rows) ** 40
    if kind == "integers":
        return rng.integers(-(2**60), 2**60, rows)
    if kind == "single":
        return rng.normal(size=rows).astype(np.float32)
    return np.sort(rng.random(rows))[:: 1 if kind == "sorted" else -1]


@pytest.mark.parametrize("kind", ["atom", "ties", "skewed", "integers", "single", "sorted", "falling"])
@pytest.mark.parametrize("weighted", [False, True])
def test_what_has_spilled_has_the_bits_of_what_is_in_memory(kind, weighted):
    rng = np.random.default_rng(5)
    rows = 400_000 if THOROUGH else 20_000
    s = scores_of(kind, rng, rows)
    y = (rng.random(rows) < 0.2 + 0.5 * (s > np.median(s))).astype(int)
    weights = rng.integers(0, 5, rows) / 3 if weighted else None
    view = view_of(y, s, batch=1777, weights=weights)
    same(view, rs.ScoreTable(y, s, sample_weight=weights), np.unique(s)[:: rows // 7])


def test_a_batch_larger_than_the_memory_is_taken_in_parts():
    rng = np.random.default_rng(6)
    s, y = rng.random(60_000), rng.integers(0, 2, 60_000)
    same(view_of(y, s, batch=60_000), rs.ScoreTable(y, s))


def test_policies_labels_and_types_are_those_of_the_table():
    rng = np.random.default_rng(7)
    rows = 12_000
    y = np.where(rng.random(rows) < 0.3, "good", "bad")
    s = rng.normal(size=rows)
    s[::101], s[::103] = np.nan, np.inf
    for policy in ("omit", "worst", "best"):
        options = {"nan_policy": policy, "infinite": "allow", "pos_label": "good"}
        same(view_of(y, s, batch=999, **options), rs.ScoreTable(y, s, **options))
    s = np.nan_to_num(s, posinf=3.0)
    same(view_of(y, s, batch=999, pos_label="bad"), rs.ScoreTable(y, s, pos_label="bad"))
    assert view_of(y, s, batch=999).pos_label == "good"
    # Float32 before float64: what has spilled by then changes its keys.
    first, second = s[:6000].astype(np.float32), s[6000:]
    collector = rs.ScoreCollector(memory=1 << 16, pos_label="good")
    collector.update(y[:6000], first)
    collector.update(y[6000:], second)
    same(collector.view(), rs.ScoreTable(y, np.concatenate([first, second]), pos_label="good"))
    with pytest.raises(InputTypeError, match="in the temporary file"):
        collector.update(["good", "bad"], np.array([2**62 + 1, 5]))
    same(collector.view(), rs.ScoreTable(y, np.concatenate([first, second]), pos_label="good"))


@pytest.mark.parametrize(
    "kinds", [("float64", "int64"), ("int64", "float64"), ("float32", "uint64"), ("uint64", "float32")]
)
def test_integers_and_floats_go_together_as_in_memory(kinds):
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, 24_000)
    parts = [rng.integers(0, 2**53, 12_000), rng.integers(-40, 40, 12_000) / 8]
    if "float32" in kinds:
        parts[0] = rng.integers(0, 2**20, 12_000)
    parts = parts if kinds[0].endswith("int64") else parts[::-1]
    columns = [part.astype(kind) for part, kind in zip(parts, kinds, strict=True)]
    memory, disk = rs.ScoreCollector(), rs.ScoreCollector(memory=1 << 16)
    for own, column in zip((slice(12_000), slice(12_000, None)), columns, strict=True):
        for start in range(0, 12_000, 1777):
            batch = slice(start, start + 1777)
            memory.update(y[own][batch], column[batch])
            disk.update(y[own][batch], column[batch])
    same(disk.view(), memory.score_table())
    # An integer that no double holds ends it, on either side.
    last = rs.ScoreCollector(memory=1 << 16)
    last.update(y[:12_000], np.full(12_000, 2**53 + 1))
    last.update(y[:12_000], np.arange(12_000))
    with pytest.raises(InputTypeError, match="in the temporary file"):
        last.update(y[:12_000], np.full(12_000, 0.5))


def test_batches_may_follow_a_view_and_a_refused_one_changes_nothing():
    rng = np.random.default_rng(8)
    s, y = rng.random(30_000), rng.integers(0, 2, 30_000)
    collector = rs.ScoreCollector(memory=1 << 16)
    collector.update(y[:20_000], s[:20_000])
    before = collector.view()
    bad = s.copy()
    bad[-1] = np.nan
    with pytest.raises(InputError, match=r"y_score\[29999\] is NaN"):
        collector.update(y, bad)  # its first parts have spilled when the last is refused
    assert collector.rows == 20_000
    collector.update(y[20_000:], s[20_000:])
    same(collector.view(), rs.ScoreTable(y, s))
    same(before, rs.ScoreTable(y[:20_000], s[:20_000]))
    assert "30000 rows so far" in repr(collector)
    assert "30000 rows in a temporary file" in repr(before if before.rows == 30_000 else collector.view())


def test_what_a_view_cannot_answer_it_refuses_and_says_what_to_do():
    view = view_of([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], batch=2)
    with pytest.raises(UnknownIndexError, match="needs a table of all scores in memory; collect without memory="):
        view["pr_auc_linear"]
    with pytest.raises(UnknownIndexError, match="default alpha only"):
        view.value("bedroc", alpha=5.0)
    with pytest.raises(UnknownIndexError, match="at a threshold"):
        view["f1"]
    with pytest.raises(InputTypeError, match="roc_curve needs a table of all scores in memory"):
        view.roc_curve()
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        view.nonsense()
    with pytest.raises(InputTypeError, match="cannot be pickled"):
        view.__reduce__()
    with pytest.raises(InputError, match=r"threshold\[1\] is NaN"):
        view.at([0.5, np.nan])
    assert view.summary().columns[:2] == ("index", "value")
    collector = rs.ScoreCollector(memory="64KiB")
    collector.update([0, 1], [0.1, 0.2])
    assert collector.score_table()["roc_auc"] == 1.0  # nothing has spilled
    collector.view()
    with pytest.raises(InputError, match=r"a call of view\(\)"):
        collector.score_table()
    with pytest.raises(InputError, match=r"table\(\) has them"):
        rs.ScoreCollector().view()
    with pytest.raises(InputError):
        rs.ScoreCollector(memory="64KiB").view()


@pytest.mark.parametrize("memory", [0, -5, 1000, "much", "2 XB", 1.5, True, "1KB"])
def test_an_amount_of_memory_is_checked(memory):
    with pytest.raises((InputError, InputTypeError), match="memory is"):
        rs.ScoreCollector(memory=memory)


def test_sampling_weights_and_a_directory_alone_are_refused(tmp_path):
    with pytest.raises(InputError, match="squares of sampling weights"):
        rs.ScoreCollector(memory="1MB", weight_kind="sampling")
    with pytest.raises(InputError, match="directory is"):
        rs.ScoreCollector(directory=tmp_path)
    collector = rs.ScoreCollector(memory="64KiB", directory=tmp_path / "none")
    with pytest.raises(StorageError, match="cannot be made.*another place") as caught:
        collector.update(np.zeros(9000, int), np.arange(9000.0))
    assert isinstance(caught.value, OSError)


FILL = """
    import os, sys, numpy as np, rocksteady as rs
    collector = rs.ScoreCollector(memory="1MB", directory=sys.argv[1])
    rng = np.random.default_rng(1)
    s = rng.random(300_000); y = (rng.random(300_000) < s).astype(int)
    collector.update(y[:150_000], s[:150_000])
"""


def run(text, *arguments, **options):
    program = textwrap.dedent(FILL) + textwrap.dedent(text)
    return subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)], text=True, **options)


@LINUX
def test_nothing_is_left_of_a_killed_process(tmp_path):
    child = run("print('filled', flush=True); collector.view(); import time; time.sleep(60)", tmp_path, stdout=-1)
    assert child.stdout.readline() == "filled\n"
    # What a link points to, or the link itself where the child has closed that file in the meantime.
    targets = [os.path.realpath(file) for file in Path(f"/proc/{child.pid}/fd").iterdir()]
    assert any(target.startswith(str(tmp_path)) for target in targets)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert list(tmp_path.iterdir()) == []


@LINUX
def test_a_full_disk_is_an_error_that_loses_nothing(tmp_path):
    child = run(
        """
        import resource
        from rocksteady.errors import StorageError
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_400_000, resource.RLIM_INFINITY))
        try:
            collector.update(y[150_000:], s[150_000:])
        except StorageError as error:
            print(error)
        assert collector.rows == 150_000, collector.rows
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert collector.view()["roc_auc"] == rs.ScoreTable(y[:150_000], s[:150_000])["roc_auc"]
        collector.update(y[150_000:], s[150_000:])
        assert collector.view()["roc_auc"] == rs.ScoreTable(y, s)["roc_auc"]
        print("all")
        """,
        tmp_path,
        stdout=-1,
        stderr=-2,
    )
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 0, said
    assert "cannot be written" in said
    assert "what was counted before is kept" in said
    assert said.endswith("all\n")
    assert list(tmp_path.iterdir()) == []


@LINUX
def test_a_forked_process_reads_but_does_not_write(tmp_path):
    child = run(
        """
        from rocksteady.errors import StorageError
        rs.set_threads(1)
        view = collector.view()
        pid = os.fork()
        if pid == 0:
            code = 0 if view["roc_auc"] == rs.ScoreTable(y[:150_000], s[:150_000])["roc_auc"] else 1
            try:
                collector.update(y[150_000:], s[150_000:])
                code = 2
            except StorageError as error:
                code += 0 if "forked" in str(error) else 4
            os._exit(code)
        assert os.waitpid(pid, 0)[1] == 0
        """,
        tmp_path,
    )
    assert child.wait(60) == 0


@LINUX
def test_ctrl_c_stops_a_sweep_and_leaves_the_collector_as_it_was(tmp_path):
    child = run(
        """
        import signal, threading
        big = np.tile(s, 20); truth = np.tile(y, 20)
        threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        rows = collector.rows
        try:
            for _ in range(1000):
                collector.update(truth, big)
                rows += len(big)
        except KeyboardInterrupt:
            assert collector.rows in (rows, rows + len(big))
            assert collector.view().rows == collector.rows
            print("stopped")
        """,
        tmp_path,
        stdout=-1,
    )
    said, _ = child.communicate(timeout=120)
    assert (said, child.returncode) == ("stopped\n", 0)


@LINUX
def test_the_memory_is_kept(tmp_path):
    child = run(
        """
        import resource
        def peak():
            with open("/proc/self/status") as file:
                return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))
        rows = 1_000_000
        s = rng.random(rows); y = (rng.random(rows) < s).astype(np.uint8)
        rs.ScoreTable(y[:1000], s[:1000])
        collector = rs.ScoreCollector(memory=50_000_000, directory=sys.argv[1])
        before = peak()
        for _ in range(12):
            collector.update(y, s)
        view = collector.view()
        print(view["roc_auc"], (peak() - before) / 50e6)
        """,
        tmp_path,
        stdout=-1,
    )
    said, _ = child.communicate(timeout=120)
    assert child.returncode == 0
    assert float(said.split()[1]) < 1.1, said


def told(text):
    """What a report says, but for the fingerprints of tables in memory."""
    said = json.loads(text, object_hook=lambda each: {name: each[name] for name in each if "digest" not in name})
    said.pop("recipe", None)  # it goes with the digest
    return said


def test_the_command_line_keeps_the_memory_too(tmp_path):
    pl = pytest.importorskip("polars")
    pytest.importorskip("click")
    rng = np.random.default_rng(3)
    s = rng.random(30_000)
    frame = pl.DataFrame({"y": (rng.random(30_000) < s).astype(int), "p": s, "q": rng.random(30_000)})
    path = tmp_path / "rows.parquet"
    frame.write_parquet(path)
    command = [sys.executable, "-m", "rocksteady", "score", str(path), "--label", "y", "--score", "p", "--score", "q"]
    spilled = [*command, "--memory", "200KB", "--temporary", str(tmp_path), "--json", "-"]
    plain = subprocess.run([*command, "--json", "-"], capture_output=True, text=True, check=True)
    found = subprocess.run(spilled, capture_output=True, text=True, check=True)
    assert told(found.stdout) == told(plain.stdout)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    refused = subprocess.run([*spilled, "--interval"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "--interval needs all scores in memory" in refused.stderr
    for options in (["--temporary", str(tmp_path)], ["--memory", "lots"]):
        refused = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        assert refused.returncode == 2, refused.stderr
        assert options[0] in refused.stderr


def test_the_page_of_tasks_names_what_a_view_answers():
    page = Path(__file__).parents[2] / "docs" / "tasks" / "beyond-memory.md"
    text = page.read_text(encoding="utf-8")
    view = view_of([0, 1], [0.2, 0.3], batch=2)
    assert not [name for name in view.names if f"`{name}`" not in text]

"""Options, exit codes, and one sentence for every refusal.

Exit codes: 0 done; 1 the reader of our output went away (`| head`), or a fault of ours; 2 the input or an option was refused;
130 interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

import rocksteady as rs
from rocksteady.errors import RocksteadyError

_REFUSED, _FAULT, _INTERRUPTED = 2, 1, 130


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give its exit code; nothing but the answer goes to standard output."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a label need not be in the terminal's alphabet
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            command.main(args=list(arguments), prog_name="rocksteady", standalone_mode=False)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return _FAULT
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except SystemExit as exit_:  # click's and rich's way to end when the reader has gone
        return exit_.code if isinstance(exit_.code, int) else _FAULT
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return _REFUSED
    except click.ClickException as error:
        return _say(error.format_message(), _REFUSED)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", _INTERRUPTED)
    except MemoryError:
        return _say("out of memory: the scores of all rows are held until they are ranked", _REFUSED)
    return 0


def _say(sentence: str, code: int) -> int:
    one_line = " ".join(sentence.split())
    print(f"rocksteady: {one_line}", file=sys.stderr)
    return code


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(rs.__version__, package_name="rocksteady", message="rocksteady %(version)s")
def command() -> None:
    """Classification metrics of prediction files: counted once, exact, the same however the rows are split."""


@command.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--label", required=True, metavar="COLUMN", help="The column with the actual class.")
@click.option("--score", metavar="COLUMN", help="The column with the score or probability of the positive class.")
@click.option("--pred", metavar="COLUMN", help="The column with the predicted class; any number of classes.")
@click.option(
    "--threshold",
    type=float,
    metavar="T",
    help="Without --pred: score >= T predicts the positive class.  [default: 0.5]",
)
@click.option("--weight", metavar="COLUMN", help="The column with the weight of each row.")
@click.option("--pos-label", metavar="LABEL", help="The positive class.  [default: the greater of two]")
@click.option(
    "--define",
    "definitions",
    multiple=True,
    metavar="NAME=EXPRESSION",
    help='An index of your own among the others, such as "net=tp/(tp+fp) - 0.1*fn/n"; may be given several times.',
)
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    help="Write every value as JSON; - is standard output, then without the table.",
)
@click.option("--all-indices", is_flag=True, help="Every index of `rocksteady indices`, not only the commoner ones.")
@click.option("--threads", type=click.IntRange(1, 1024), metavar="N", help="At most N threads.  [default: all cores]")
@click.option("--no-progress", is_flag=True, help="No progress bar.")
def score(
    files: tuple[str, ...],
    label: str,
    score: str | None,
    pred: str | None,
    threshold: float | None,
    weight: str | None,
    pos_label: str | None,
    definitions: tuple[str, ...],
    json_path: str | None,
    all_indices: bool,
    threads: int | None,
    no_progress: bool,
) -> None:
    """Score prediction files: the indices, the confusion matrix, and the ranking if there are scores.

    FILES are CSV, Parquet or Arrow IPC files, glob patterns or folders; many are scored as one. With --score the classes come
    from the threshold, with --pred from that column; with both, --pred gives the classes and --score the ranking. A refused
    cell is named by file and row, the first row after a header being row 1.
    """
    if threads is not None:
        rs.set_threads(threads)
        os.environ["POLARS_MAX_THREADS"] = str(threads)  # read when polars is imported, just below
    from rocksteady.cli import files as reading  # noqa: PLC0415
    from rocksteady.cli.report import report  # noqa: PLC0415
    from rocksteady.cli.show import as_json, print_report  # noqa: PLC0415
    from rocksteady.cli.tally import tally  # noqa: PLC0415

    columns = reading.Columns(label=label, score=score, pred=pred, weight=weight)
    _check_options(columns.names, score, pred, threshold, json_path)
    try:
        _define(definitions)
        paths = reading.find(files)
        reader = reading.Reader(paths, columns)
        with _progress(sum(path.stat().st_size for path in paths), show=not no_progress) as advance:
            while True:
                try:
                    cut = 0.5 if threshold is None else threshold
                    counted = tally(reader.batches(advance), columns, reader.kind, pos_label, cut)
                    break
                except reading.WiderLabelsError as wider:
                    reader.widen(wider)
            answer = report(counted, files=len(paths), all_indices=all_indices)
    except (reading.RefusedError, RocksteadyError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if json_path is not None:
        _write_json(as_json(answer), json_path)
    if json_path != "-":
        print_report(answer, sys.stdout)


@command.command()
@click.argument("words", nargs=-1)
@click.option("--family", metavar="FAMILY", help="Only those of one family: rates, overlap, entropy, ...")
def indices(words: tuple[str, ...], family: str | None) -> None:
    """List the indices: name, formula, source; or explain one.

    WORDS that are the name of one index explain it. Otherwise those are listed whose names, title, family, explanation or source
    hold every word; without WORDS all are.
    """
    search = " ".join(words)
    try:
        rows = rs.indices(search, family=family)
        if len(words) == 1 and family is None:
            with contextlib.suppress(rs.UnknownIndexError):
                click.echo(str(rs.index(search)))
                return
    except RocksteadyError as error:
        raise click.ClickException(str(error)) from None
    if not rows:
        raise click.ClickException(f"no index has {search!r} in its names, title, family, explanation or source")
    for row in rows:
        click.echo(f"{row.name}\n    {row.formula}\n    {row.source}")


def _define(definitions: Sequence[str]) -> None:
    for definition in definitions:
        name, equals, expression = definition.partition("=")
        if not equals:
            raise click.UsageError(f"--define is {definition!r}; expected NAME=EXPRESSION")
        try:
            rs.define_index(name.strip(), expression, replace=True)
        except RocksteadyError as error:
            sentence, *_ = str(error).split("\n")  # without the caret, which needs lines of its own
            raise click.ClickException(f"--define {definition!r}: {sentence}") from None


def _check_options(
    names: list[str], score: str | None, pred: str | None, threshold: float | None, json_path: str | None
) -> None:
    if score is None and pred is None:
        raise click.UsageError("give --score, --pred or both: there is nothing to compare with --label")
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(
                f"column {name!r} is asked for twice; --label, --score, --pred and --weight must differ"
            )
    if threshold is not None and pred is not None:
        raise click.UsageError(
            "--threshold makes classes out of scores, but --pred already names the classes; drop one"
        )
    if threshold is not None and threshold != threshold:
        raise click.UsageError("--threshold is nan; expected a number")
    if json_path not in (None, "-") and not Path(str(json_path)).absolute().parent.is_dir():
        raise click.UsageError(f"cannot write {json_path}: there is no such folder")


def _write_json(text: str, path: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from None


@contextlib.contextmanager
def _progress(total: int, *, show: bool) -> Iterator[Callable[[int], None] | None]:
    """Show a bar of bytes on a terminal, and nothing at all elsewhere."""
    if not (show and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=total)
        yield lambda behind: progress.update(task, completed=behind)

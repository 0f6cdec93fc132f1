"""The commands, their options and exit codes. Every error is one sentence.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | the reader of the output closed it (`| head`), or a mistake inside rocksteady |
| 2 | the input or an option was refused |
| 130 | interrupted |
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

import rocksteady as rs
from rocksteady.errors import RocksteadyError
from rocksteady.models.columns import DEFAULT_THRESHOLD

_REFUSED, _FAULT, _INTERRUPTED = 2, 1, 130


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. Only results go to standard output."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # the terminal's encoding may lack characters of a label
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            command.main(args=list(arguments), prog_name="rocksteady", standalone_mode=False)
            sys.stdout.flush()
        except OSError as error:
            # The interpreter flushes once more when it ends, and would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                return _FAULT
            return _say(f"cannot write standard output: {error.strerror or error}", _REFUSED)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except SystemExit as exit_:  # click and rich raise it when the reader closes the output
        return exit_.code if isinstance(exit_.code, int) else _FAULT
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return _REFUSED
    except click.ClickException as error:
        return _say(error.format_message(), _REFUSED)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", _INTERRUPTED)
    except MemoryError:
        return _say("out of memory: the scores of all rows stay in memory until they are ranked", _REFUSED)
    return 0


def _say(sentence: str, code: int) -> int:
    one_line = " ".join(sentence.split())
    print(f"rocksteady: {one_line}", file=sys.stderr)
    return code


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(rs.__version__, package_name="rocksteady", message="rocksteady %(version)s")
def command() -> None:
    """Classification metrics of prediction files: exact, and the same however the rows are split."""


@command.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--label", required=True, metavar="COLUMN", help="The column with the actual class.")
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="COLUMN",
    help="The column with the score or probability of the positive class. Repeat it for several models.",
)
@click.option(
    "--pred",
    "preds",
    multiple=True,
    metavar="COLUMN",
    help="The column with the predicted class, of any number of classes. Repeat it for several models.",
)
@click.option(
    "--proba",
    metavar="[CLASS=]COLUMN,...",
    help="The columns with the probability of each class: a,b,c if named after the classes, or cat=p_cat,dog=p_dog.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="T",
    help=f"A score >= T predicts the positive class, where no --pred does.  [default: {DEFAULT_THRESHOLD}]",
)
@click.option("--weight", metavar="COLUMN", help="The column with the weight of each row.")
@click.option("--pos-label", metavar="LABEL", help="The positive class.  [default: the greater of two]")
@click.option(
    "--cost",
    metavar="OUTCOME=COST,...",
    help="Costs of fp, fn, tp and tn, such as fp=1,fn=10.  [default: 1 for an error, else 0]",
)
@click.option(
    "--define",
    "definitions",
    multiple=True,
    metavar="NAME=EXPRESSION",
    help='An index of your own, such as "net=tp/(tp+fp) - 0.1*fn/n". Repeat it for several indices.',
)
@click.option("--json", "json_path", metavar="FILE", help="Write every value as JSON.")
@click.option("--html", "html_path", metavar="FILE", help="Write the report: one page, with interactive charts.")
@click.option("--md", "md_path", metavar="FILE", help="Write the report as Markdown.")
@click.option("--all-indices", is_flag=True, help="Show all indices of `rocksteady indices`, not only the common ones.")
@click.option(
    "--threads", type=click.IntRange(1, 1024), metavar="N", help="Use at most N threads.  [default: all cores]"
)
@click.option("--no-progress", is_flag=True, help="Show no progress bar.")
def score(
    files: tuple[str, ...],
    definitions: tuple[str, ...],
    json_path: str | None,
    html_path: str | None,
    md_path: str | None,
    all_indices: bool,
    threads: int | None,
    no_progress: bool,
    **what: Any,
) -> None:
    """Score prediction files: indices, confusion matrix and, with scores, the ranking.

    FILES are CSV, Parquet or Arrow IPC files, glob patterns or folders. Several files are scored as one.

    With --score the threshold decides on the predicted class, with --pred the column does. With --proba the most
    probable class is predicted. One --score or --proba together with one --pred is one model, and --pred gives its
    classes. Otherwise each of them is one model, named after its column.

    An error names file and row of the cell; the first row after the header is row 1. One of --json, --html and --md may
    be -, which is standard output; then no table is printed.
    """
    if threads is not None:
        rs.set_threads(threads)
        os.environ["POLARS_MAX_THREADS"] = str(threads)  # polars reads it when it is imported, just below
    from rocksteady.cli import files as reading  # noqa: PLC0415
    from rocksteady.cli import output  # noqa: PLC0415
    from rocksteady.cli.options import options  # noqa: PLC0415
    from rocksteady.cli.report import report  # noqa: PLC0415
    from rocksteady.cli.show import as_json, print_report  # noqa: PLC0415
    from rocksteady.cli.tally import tally  # noqa: PLC0415

    written = {"--json": json_path, "--html": html_path, "--md": md_path}
    outputs = {option: path for option, path in written.items() if path is not None}
    try:
        asked = options(**what)  # what to count: the columns, the positive class, threshold and costs
        _define(definitions)
        paths = reading.find(files)
        output.check(outputs, paths)
        reader = reading.Reader(paths, asked.columns)
        with _progress(sum(path.stat().st_size for path in paths), show=not no_progress) as advance:
            while True:
                try:
                    counted = tally(reader.batches(advance), asked, reader.kind)
                    break
                except reading.WiderLabelsError as wider:
                    reader.widen(wider)
            answer = report(counted, files=len(paths), all_indices=all_indices)
        evaluation = counted.evaluation
        writers = {"--json": lambda: as_json(answer), "--html": evaluation.to_html, "--md": evaluation.to_markdown}
        output.write(outputs, writers)
    except (reading.RefusedError, RocksteadyError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if output.STANDARD_OUTPUT not in outputs.values():
        print_report(answer, sys.stdout, chosen=asked.threshold is not None)


@command.command()
@click.argument("words", nargs=-1)
@click.option("--family", metavar="FAMILY", help="Only indices of one family: rates, overlap, entropy, ...")
def indices(words: tuple[str, ...], family: str | None) -> None:
    """List indices with name, formula and source, or explain one.

    If WORDS is the name of an index, the command explains it. Otherwise it lists all indices that have every word in
    their names, title, family, explanation or source. Without WORDS it lists all indices.
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
            sentence, *_ = str(error).split("\n")  # the caret would need lines of its own
            raise click.ClickException(f"--define {definition!r}: {sentence}") from None


@contextlib.contextmanager
def _progress(total: int, *, show: bool) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar of bytes on a terminal, and nothing elsewhere."""
    if not (show and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=total)
        yield lambda behind: progress.update(task, completed=behind)

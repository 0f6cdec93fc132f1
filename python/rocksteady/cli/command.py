"""The commands, their options and exit codes. Every error is one sentence.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | the reader of the output closed it (`| head`), or a mistake inside rocksteady |
| 2 | the input or an option was refused |
| 3 | a requirement is not met (`--require`), and the results are written all the same; or a report is not of the data (`verify`) |
| 130 | interrupted |
| 143 | ended by SIGTERM |
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import click

import rocksteady as rs
from rocksteady.cli import completion
from rocksteady.errors import RocksteadyError, for_terminal
from rocksteady.models.columns import DEFAULT_THRESHOLD

_REFUSED, _FAULT, _UNMET, _INTERRUPTED = 2, 1, 3, 130
_FORMATS = ("csv", "ndjson", "parquet", "arrow")  # the first bytes tell an Arrow file from an Arrow stream


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. Only results go to standard output."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # the terminal's encoding may lack characters of a label
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            with _warnings_in_one_line():
                code = command.main(args=list(arguments), prog_name="rocksteady", standalone_mode=False)
            sys.stdout.flush()
        except OSError as error:
            # The interpreter flushes again when it ends, and would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                return _FAULT
            return _say(f"cannot write standard output: {error.strerror or error}", _REFUSED)
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
    return code if isinstance(code, int) else 0


def _say(sentence: str, code: int = 0) -> int:
    one_line = " ".join(sentence.split()).replace("rocksteady.indices() lists", "`rocksteady indices` lists")
    print(f"rocksteady: {for_terminal(one_line)}", file=sys.stderr)
    return code


@contextlib.contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Show each warning once, as a sentence without a place in the program."""
    said: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        if str(message) not in said and not category.__module__.startswith("polars"):
            said.add(str(message))
            _say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from polars and others; no user of the command can act on them
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show  # type: ignore[assignment]  # it takes what it does not use as one
        yield


_EXAMPLES = """\b
Examples:
  rocksteady score preds.csv --label y --score p
  rocksteady score 2026/*.parquet --label y --score old --score new --html a.html
  zcat preds.csv.gz | rocksteady score - --label y --pred class --json -
  rocksteady score preds.csv --label y --score p --best "recall: precision >= 0.9"
  rocksteady score preds.csv --label y --score p --require "roc_auc >= 0.8"
  rocksteady score preds.csv --label y --score p --by region --by age --min-rows 50
  rocksteady score preds.tsv --no-header --label 1 --score 3 --nan-policy omit
"""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  rocksteady score preds.csv --label y --score p   indices, confusion matrix, ranking
  rocksteady indices mcc                           an index, explained
  rocksteady score --help                          all options, with examples
""",
)
@click.version_option(rs.__version__, package_name="rocksteady", message="rocksteady %(version)s")
def command() -> None:
    """Classification metrics of prediction files: exact, and the same however the rows are split."""


@command.command(epilog=_EXAMPLES, short_help="Score prediction files.")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option(
    "--label",
    multiple=True,
    required=True,
    metavar="COLUMN",
    shell_complete=completion.columns,
    help="The column with the actual class. Repeat it for several labels a row.",
)
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="COLUMN",
    shell_complete=completion.columns,
    help="The column with the score or probability of the positive class. Repeat it for several models.",
)
@click.option(
    "--pred",
    "preds",
    multiple=True,
    metavar="COLUMN",
    shell_complete=completion.columns,
    help="The column with the predicted class, of any number of classes. Repeat it for several models.",
)
@click.option(
    "--proba",
    metavar="[CLASS=]COLUMN,...",
    shell_complete=completion.columns,
    help="The columns with the probability of each class: a,b,c if named after the classes, or cat=p_cat,dog=p_dog.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="T",
    help=f"A score >= T predicts the positive class, where no --pred does.  [default: {DEFAULT_THRESHOLD}]",
)
@click.option(
    "--weight", metavar="COLUMN", shell_complete=completion.columns, help="The column with the weight of each row."
)
@click.option(
    "--weight-kind",
    type=click.Choice(["counts", "sampling"]),
    help="What a weight of 3 means: 3 rows, or one row of a sample that stands for 3.  [default: counts]",
)
@click.option(
    "--cluster",
    multiple=True,
    metavar="COLUMN",
    shell_complete=completion.columns,
    help="A column that says which rows belong together, such as a user; with it there are intervals. Repeat it for several.",
)
@click.option(
    "--strata",
    multiple=True,
    metavar="COLUMN",
    shell_complete=completion.columns,
    help="A column with the strata that rows were drawn from; with it there are intervals. Repeat it for several.",
)
@click.option(
    "--pos-label", metavar="LABEL", help="The positive class.  [default: the greater of two, or the later category]"
)
@click.option(
    "--labels",
    metavar="LABEL,...",
    help="The classes in their order, such as low,medium,high; of two the later is positive.  [default: ascending]",
)
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    shell_complete=completion.columns,
    help="A column with the key of groups: every group is scored, too. Repeat it for groups by several columns.",
)
@click.option(
    "--min-rows",
    type=click.IntRange(min=0),
    metavar="N",
    help="Hide groups of fewer than N rows, and say how many they are.",
)
@click.option(
    "--nan-policy",
    type=click.Choice(["raise", "omit"]),
    default="raise",
    show_default=True,
    help="What to do with a row without a score or label: refuse it, or leave it out and say how many there are.",
)
@click.option(
    "--missing-labels",
    type=click.Choice(["unknown"]),
    help="unknown: say between which bounds the AUC lies, whatever the labels are of rows without one.",
)
@click.option(
    "--prevalence",
    metavar="SHARE",
    help="Show all values as if this share of the rows were positive, such as 0.01; of more classes cat=0.7,dog=0.3.",
)
@click.option(
    "--cost",
    metavar="OUTCOME=COST,...",
    help="Costs of fp, fn, tp and tn, such as fp=1,fn=10; or fn=COLUMN, which has an amount for each row.  [default: 1 for an "
    "error, else 0]",
)
@click.option(
    "--best",
    multiple=True,
    metavar="INDEX[: CONDITION]",
    shell_complete=completion.goals,
    help='Show the threshold at which an index is best, such as f1 or "recall: precision >= 0.9". Repeat it for more.',
)
@click.option("--thresholds", is_flag=True, help="Show the thresholds with the best f1, mcc, informedness and cost.")
@click.option(
    "--require",
    "required",
    multiple=True,
    metavar="CONDITION",
    shell_complete=completion.names,
    help=f'Exit with code {_UNMET} unless every model meets it, such as "roc_auc >= 0.8". Repeat it for more.',
)
@click.option(
    "--define",
    "definitions",
    multiple=True,
    metavar="NAME=EXPRESSION",
    help='An index of your own, such as "net=tp/(tp+fp) - 0.1*fn/n". Repeat it for several indices.',
)
@click.option(
    "--names",
    metavar="all|summary|INDEX,...",
    shell_complete=completion.listed,
    help="Which indices to show.  [default: summary, the common ones]",
)
@click.option("--all-indices", is_flag=True, help="The same as --names all.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    help="The format of all files.  [default: as the name says; the content, where there is no name]",
)
@click.option(
    "--separator", metavar="CHARACTER", help="What separates the cells of CSV; tab too.  [default: a comma; .tsv: tab]"
)
@click.option(
    "--decimal",
    type=click.Choice([".", ","]),
    default=".",
    show_default=True,
    help="What stands before the decimal places of a number in CSV.",
)
@click.option("--no-header", is_flag=True, help="The first line of CSV is a row; the columns are called 1, 2, 3, ...")
@click.option(
    "--bounded",
    is_flag=True,
    help="Keep a sketch of a megabyte instead of all scores, and show proven bounds of the indices.",
)
@click.option(
    "--interval", is_flag=True, help="Show confidence intervals of the indices, and differences between the models."
)
@click.option(
    "--level", type=float, metavar="LEVEL", help="Their confidence level, between 0 and 1; the same as --interval."
)
@click.option(
    "--difference",
    "differences",
    multiple=True,
    metavar="MODEL,MODEL",
    help="Show how much higher the first model is than the second, with interval and test. Repeat it for more.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    help="Let scores take at most SIZE of memory, such as 2GB; the rest goes to a temporary file. For values only.",
)
@click.option(
    "--temporary",
    type=click.Path(exists=True, file_okay=False),
    metavar="FOLDER",
    help="Where the temporary file of --memory is.  [default: the system's folder]",
)
@click.option("--title", metavar="TEXT", help="A title of your own, for the table, the JSON and the page.")
@click.option("--json", "json_path", type=click.Path(), metavar="FILE", help="Write every value as JSON.")
@click.option(
    "--html",
    "html_path",
    type=click.Path(),
    metavar="FILE",
    help="Write the report: one page, with interactive charts.",
)
@click.option("--md", "md_path", type=click.Path(), metavar="FILE", help="Write the report as Markdown.")
@click.option(
    "--threads", type=click.IntRange(1, 1024), metavar="N", help="Use at most N threads.  [default: all cores]"
)
@click.option("--no-progress", is_flag=True, help="Show no progress bar.")
def score(
    files: tuple[str, ...],
    nan_policy: str,
    best: tuple[str, ...],
    thresholds: bool,
    required: tuple[str, ...],
    definitions: tuple[str, ...],
    names: str | None,
    all_indices: bool,
    format_: Any,
    separator: str | None,
    decimal: str,
    no_header: bool,
    bounded: bool,
    interval: bool,
    level: float | None,
    differences: tuple[str, ...],
    title: str | None,
    json_path: str | None,
    html_path: str | None,
    md_path: str | None,
    threads: int | None,
    no_progress: bool,
    **what: Any,
) -> None:
    """Score prediction files: indices, confusion matrix and, with scores, the ranking.

    FILES are CSV, NDJSON, Parquet or Arrow IPC files, glob patterns or folders; - is standard input. Several files are
    scored as one.

    With --score the threshold decides on the predicted class, with --pred the column does. With --proba the most
    probable class is predicted. One --score or --proba together with one --pred is one model, and --pred gives its
    classes. Otherwise each of them is one model, named after its column.

    With several --label, each a column of 0 and 1, --score or --pred is given once for each of them, in their order.
    Several models are --score new=a,b --score old=c,d.

    An error names file and row of the cell; the first row after the header is row 1. One of --json, --html and --md may
    be -, which is standard output; then no table is printed.
    """
    if threads is not None:
        rs.set_threads(threads)
        os.environ["POLARS_MAX_THREADS"] = str(threads)  # polars reads it at its import, just below
    from rocksteady.cli import bounded as within_bounds  # noqa: PLC0415
    from rocksteady.cli import conditions, output, several_labels, sources  # noqa: PLC0415
    from rocksteady.cli import differences as compared  # noqa: PLC0415
    from rocksteady.cli import options as reader_of  # noqa: PLC0415
    from rocksteady.cli.report import Wanted, as_dict, doubt, report, unmet  # noqa: PLC0415
    from rocksteady.cli.show import as_json, print_report  # noqa: PLC0415
    from rocksteady.report.page import page  # noqa: PLC0415

    written = {"--json": json_path, "--html": html_path, "--md": md_path}
    outputs = {option: path for option, path in written.items() if path is not None}
    try:
        asked = reader_of.options(**what)  # the columns, the positive class, the threshold and the costs
        needing = {"--interval": interval, "--level": level, "--difference": differences, "--best": best}
        reader_of.check_prevalence(asked, {"--difference": differences, "--bounded": bounded})
        reader_of.check_missing_labels(asked)
        reader_of.check_memory(asked, {**needing, "--thresholds": thresholds, "--html": html_path, "--md": md_path})
        read: dict[str, Any] = {
            "separator": separator,
            "decimal": decimal,
            "no_header": no_header,
            "nan_policy": nan_policy,
        }
        dialect = reader_of.dialect(format_, **read, missing_labels=asked.missing_labels)
        _define(definitions)
        has_scores = bool(asked.columns.scores) or len(asked.classes) == 2
        is_several = bool(asked.columns.more_labels)
        of_scores = {"--best": best, "--thresholds": thresholds, "--require": required}
        of_rows = {"--interval": interval, "--level": level is not None, "--difference": differences}
        if bounded:
            within_bounds.check(asked, of_scores | of_rows)
        if is_several:
            several_labels.check(asked, {**of_scores, "--bounded": bounded})
        wanted = Wanted(
            names=reader_of.names("all" if all_indices else names),
            goals=conditions.goals(best, asked.costs, usual=thresholds, has_scores=has_scores),
            requirements=conditions.requirements(required, asked.costs),
            title=title,
            level=(chosen := reader_of.level(level, wanted=interval or asked.is_design)),
            differences=compared.pairs(
                differences, asked.models, every=chosen is not None and asked.prevalence is None
            ),
        )
        has_rows = bool(wanted.differences) or asked.is_design or (wanted.level is not None and len(asked.classes) > 2)
        with sources.found(files, dialect) as rows:
            output.check(outputs, [source.path for source in rows])
            counted = _counted(rows, asked, has_rows=has_rows, progress=not no_progress, is_bounded=bounded)
            evaluation = counted.evaluation
            answer: dict[str, Any]
            if bounded:
                answer = as_dict(evaluation, len(rows), wanted.names, title)
            elif is_several:
                answer = several_labels.report(evaluation, len(rows), wanted, asked)
            else:
                answer = report(counted, len(rows), wanted, asked, omit=dialect.has_gaps)
        others = {"format": format_, "differences": has_rows, "definitions": definitions, "title": title}
        recipe = {**what, **read, **others}
        # Results that are not held in memory have no fingerprint of their own.
        has_digest = not bounded and asked.memory is None
        writers = {
            "--json": lambda: as_json(
                {**answer, "digest": evaluation.digest(), "recipe": recipe} if has_digest else answer
            ),
            "--html": lambda: (
                page(evaluation, title=title, recipe=recipe) if has_digest else evaluation.to_html(title=title)
            ),
            "--md": evaluation.to_markdown,
        }
        output.write(outputs, writers)
    except (sources.RefusedError, RocksteadyError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if bounded or is_several:
        source = sources.described(rows)
        if output.STANDARD_OUTPUT in outputs.values():
            return
        if bounded:
            print(within_bounds.text(evaluation, wanted.names, source, title), end="", flush=True)
        else:
            print(several_labels.text(evaluation, answer, wanted, source), end="", flush=True)
        return
    if output.STANDARD_OUTPUT not in outputs.values():
        print_report(answer, sys.stdout, chosen=asked.threshold is not None, source=sources.described(rows))
        sys.stdout.flush()  # so that later output comes below it
    if sentence := doubt(counted, answer):
        _say(f"warning: {sentence}")
    failed = unmet(answer)
    for sentence in failed:
        _say(f"requirement not met: {sentence}")
    if failed:
        raise click.exceptions.Exit(_UNMET)


@command.command(short_help="Check a report against the data.")
@click.argument("report", type=click.Path())
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--label", metavar="COLUMN", help="Of a certificate: the column with the actual class.")
@click.option("--score", metavar="COLUMN", help="Of a certificate: the column with the score.")
@click.option(
    "--threads", type=click.IntRange(1, 1024), metavar="N", help="Use at most N threads.  [default: all cores]"
)
@click.option("--no-progress", is_flag=True, help="Show no progress bar.")
def verify(
    report: str, files: tuple[str, ...], label: str | None, score: str | None, threads: int | None, no_progress: bool
) -> None:
    """Check that REPORT is of the rows in FILES, however these are split and ordered.

    REPORT is what `rocksteady score` wrote with --html or --json. It has the options that it was made with, and the
    digest of what was counted. The files are counted again with these options. If the digests differ, or a page has
    been changed, the exit code is 3.

    REPORT may also be a certificate of a threshold, the JSON of ScoreTable.certify(...).to_dict(), with --label and
    --score. Then its tests are made again, too.
    """
    if threads is not None:
        rs.set_threads(threads)
        os.environ["POLARS_MAX_THREADS"] = str(threads)
    from rocksteady.cli import options as reader_of  # noqa: PLC0415
    from rocksteady.cli import sources  # noqa: PLC0415
    from rocksteady.cli.verify import certificate, claimed, wrong  # noqa: PLC0415

    try:
        if told := certificate(report, label, score):
            _prove(report, told, files, (label, score), progress=not no_progress)
            return
        claim = claimed(report)
        recipe = dict(claim.recipe)
        read = {name: recipe.pop(name) for name in ("separator", "no_header", "nan_policy")}
        read |= {"decimal": recipe.pop("decimal", None), "missing_labels": recipe.get("missing_labels")}
        dialect = reader_of.dialect(recipe.pop("format"), **read)
        differences, _ = recipe.pop("differences"), recipe.pop("title")
        _define(recipe.pop("definitions"))
        asked = reader_of.options(**recipe)
        with sources.found(files, dialect) as rows:
            counted = _counted(rows, asked, has_rows=bool(differences), progress=not no_progress)
        sentence = wrong(claim, counted.evaluation)
    except (sources.RefusedError, RocksteadyError, OSError) as error:
        raise click.ClickException(str(error)) from None
    except (TypeError, ValueError, LookupError) as error:
        raise click.ClickException(f"{report}: its options are not options of rocksteady score: {error}") from None
    if sentence:
        _say(f"{report}: {sentence}")
        raise click.exceptions.Exit(_UNMET)
    click.echo(for_terminal(f"{report} is of these {counted.rows:,} rows: {claim.digest}"))


def _prove(report: str, told: Any, files: Sequence[str], columns: tuple[Any, Any], *, progress: bool) -> None:
    """Test the threshold of a certificate again."""
    from rocksteady.cli import options as reader_of  # noqa: PLC0415
    from rocksteady.cli import sources  # noqa: PLC0415
    from rocksteady.scores.certified.certificate import disproved  # noqa: PLC0415

    none: dict[str, Any] = dict.fromkeys(["proba", "weight", "threshold", "cost"])
    label, score = columns
    asked = reader_of.options(label=label, scores=[score], preds=[], pos_label=told.get("pos_label"), **none)
    is_sketch = told.get("cells") is not None
    if is_sketch:
        asked = replace(asked, cells=told["cells"], edges=told.get("edges") or ())
    with sources.found(files, reader_of.dialect(None, None, no_header=False, nan_policy="raise")) as rows:
        counted = _counted(rows, asked, has_rows=False, progress=progress, is_bounded=is_sketch)
    (model,) = counted.evaluation.models.values()
    if sentence := disproved(told, model.sketch if is_sketch else model.scores):
        _say(f"{report}: {sentence}")
        raise click.exceptions.Exit(_UNMET)
    said = (
        f"is proved again from these {counted.rows:,} rows: score >= {told['threshold']!r}: {told['conditions']} with "
    )
    said += f"{told['confidence']:g} confidence"
    if told["why"] is not None:
        said = f"certifies no threshold, and is of these {counted.rows:,} rows: {told['why']}"
    click.echo(for_terminal(f"{report} {said}"))


def _counted(rows: Any, asked: Any, *, has_rows: bool, progress: bool, is_bounded: bool = False) -> Any:
    """The statistics of the files."""
    from rocksteady.cli import files as reading  # noqa: PLC0415
    from rocksteady.cli import several_labels  # noqa: PLC0415
    from rocksteady.cli.tally import tally  # noqa: PLC0415

    reader = reading.Reader(rows, asked.columns)
    with _progress(sum(source.size for source in rows), show=progress) as advance:
        while True:
            try:
                if asked.columns.more_labels:
                    return several_labels.tally(reader.batches(advance), asked)
                counted = tally(
                    reader.batches(advance),
                    asked,
                    reader.kind,
                    reader.order,
                    has_rows=has_rows,
                    is_bounded=is_bounded,
                )
                return counted.at_prevalence(asked.prevalence)
            except reading.WiderLabelsError as wider:
                reader.widen(wider)


@command.command(short_help="List indices or explain one.")
@click.argument("words", nargs=-1, shell_complete=completion.names)
@click.option(
    "--family",
    metavar="FAMILY",
    shell_complete=completion.families,
    help="Only indices of one family: rates, overlap, entropy, ...",
)
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


@command.command("completion", short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(completion.SHELLS))
def complete(shell: str) -> None:
    r"""Print the script that makes a shell complete options, indices and columns.

    \b
    bash  eval "$(rocksteady completion bash)"      in ~/.bashrc
    zsh   eval "$(rocksteady completion zsh)"       in ~/.zshrc, after compinit
    fish  rocksteady completion fish | source      in ~/.config/fish/config.fish
    """
    click.echo(completion.script(command, shell))


def _define(definitions: Sequence[str]) -> None:
    """Define indices until the command ends."""
    known = {row.name for row in rs.indices()}
    for definition in definitions:
        name, equals, expression = definition.partition("=")
        if not equals:
            raise click.UsageError(f"--define is {definition!r}; expected NAME=EXPRESSION")
        try:
            defined = rs.define_index(name.strip(), expression, replace=True).name
        except RocksteadyError as error:
            sentence, *_ = str(error).split("\n")  # the caret would need lines of its own
            raise click.ClickException(f"--define {definition!r}: {sentence}") from None
        if defined not in known:
            known.add(defined)
            click.get_current_context().call_on_close(partial(rs.undefine_index, defined))


@contextlib.contextmanager
def _progress(total: int, *, show: bool) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar of bytes on a terminal; otherwise show nothing."""
    if not (show and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=total)
        yield lambda behind: progress.update(task, completed=behind)

"""`rocksteady` and `python -m rocksteady`: the command line, or how to install it.

The command line needs the extra `[cli]` (polars, rich, click). The library itself needs only numpy. So this module
imports only the standard library until it knows that the extra is installed.
"""

from __future__ import annotations

import importlib.util
import signal
import sys

_NEEDED = ("click", "polars", "rich")


def main() -> int:
    """Run the command line on `sys.argv`.

    Returns
    -------
    int
        The exit code: 0 success, 1 the reader of the output closed it, 2 the input was refused, 130 interrupted, 143
        ended by SIGTERM.
    """
    for name in ("SIGTERM", "SIGHUP"):  # which would end the process at once, and leave its temporary files
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(
            f"rocksteady: the command line needs {', '.join(missing)}; in the clone of rocksteady: pip install '.[cli]'",
            file=sys.stderr,
        )
        return 2
    try:
        from rocksteady.cli.command import run  # noqa: PLC0415 (importable only now)
    except KeyboardInterrupt:
        return 130

    return run(sys.argv[1:])


def _end(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_DFL)  # a second one does not wait
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())

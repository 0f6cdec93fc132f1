"""`rocksteady` and `python -m rocksteady`: the command line, or how to install it.

The command line needs the extra `[cli]` (polars, rich, click). The library itself needs only numpy. So this module
imports only the standard library until it knows that the extra is installed.
"""

from __future__ import annotations

import importlib.util
import sys

_NEEDED = ("click", "polars", "rich")


def main() -> int:
    """Run the command line on `sys.argv`.

    Returns
    -------
    int
        The exit code: 0 success, 1 the reader of the output closed it, 2 the input was refused, 130 interrupted.
    """
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


if __name__ == "__main__":
    sys.exit(main())

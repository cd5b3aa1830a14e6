"""The command `wavemma`: parse, ask, render; turns errors into sentences and exit codes."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process and exit with its code."""
    try:
        # Loading takes longer than most answers: an interrupt then is to be no traceback either.
        from wavemma.cli.app import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()

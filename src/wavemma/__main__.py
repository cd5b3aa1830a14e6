"""The command `wavemma`: parse, ask, render; turns errors into sentences and exit codes."""

import sys

INTERRUPTED = 130
COMPLETE = "--complete"


def main() -> None:
    """Run the command line of this process and exit with its code."""
    try:
        if sys.argv[1:2] == [COMPLETE]:
            # A shell waits for it: the parser of commands is not loaded.
            from wavemma.cli.complete import complete

            for name in complete(sys.argv[2:]):
                print(name)
            return
        # Loading takes longer than most answers: an interrupt then is to be no traceback either.
        from wavemma.cli.app import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()

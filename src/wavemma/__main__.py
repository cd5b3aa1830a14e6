"""The command `wavemma`: parse, ask, render; turns errors into sentences and exit codes."""

import sys

from wavemma.cli.app import run


def main() -> None:
    """Run the command line of this process and exit with its code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()

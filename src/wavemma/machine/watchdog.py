"""The time that a launch may take."""

import time
from collections.abc import Iterable

from wavemma.errors import WatchdogExpired


class Watchdog:
    """Tells when the time of a launch is over; it begins now.

    Args:
        kernel: Name, for the message.
        seconds: How long it may take; None for ever.

    """

    def __init__(self, kernel: str, seconds: float | None) -> None:
        self.kernel = kernel
        self.seconds = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def look(self, group: Iterable[int]) -> None:
        """Go on while there is time.

        Args:
            group: Number of the workgroup that runs.

        Raises:
            WatchdogExpired: There is none.

        """
        self._look(f"ran for {self.seconds} s without an end; it was at workgroup", group)

    def look_at_compiler(self, group: Iterable[int] = ()) -> None:
        """Go on while there is time after code was compiled.

        Args:
            group: Number of the workgroup that needed the code; nothing before the first runs.

        Raises:
            WatchdogExpired: There is none.

        """
        self._look(f"was still being compiled after {self.seconds} s", group)

    def _look(self, what: str, group: Iterable[int]) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            where = tuple(int(n) for n in group)
            raise WatchdogExpired(
                f"{self.kernel} {what}{f' {where}' if where else ''}.",
                subject=self.kernel,
            )

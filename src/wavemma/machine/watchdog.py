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
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise WatchdogExpired(
                f"{self.kernel} ran for {self.seconds:g} s without an end; it was at workgroup"
                f" {tuple(int(n) for n in group)}.",
                subject=self.kernel,
            )

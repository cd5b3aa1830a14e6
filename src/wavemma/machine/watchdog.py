"""The time that a launch may take."""

import time
from collections.abc import Iterable

from wavemma.errors import OutOfRange, WatchdogExpired
from wavemma.objects.source_name import kernel_words


def check_seconds(seconds: float | None) -> None:
    """Refuse a time in which nothing can run.

    Args:
        seconds: How long a kernel may run; None for ever.

    Raises:
        OutOfRange: It is not positive.

    """
    if seconds is not None and not seconds > 0:
        raise OutOfRange(
            f"The seconds that a kernel may run must be positive; they are {seconds:g}.",
            subject=seconds,
        )


class Watchdog:
    """Tells when the time of a launch is over; it begins now.

    Args:
        kernel: Name, for the message.
        seconds: How long it may take; None for ever.

    Raises:
        OutOfRange: The time is not positive.

    """

    def __init__(self, kernel: str, seconds: float | None) -> None:
        check_seconds(seconds)
        self.kernel = kernel
        self.seconds = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def is_over(self) -> bool:
        """Tell whether the time is over."""
        return self._deadline is not None and time.monotonic() > self._deadline

    def expired(
        self, group: Iterable[int], where: str = "", record: object = None
    ) -> WatchdogExpired:
        """Make the error of a launch that ran too long.

        Args:
            group: Number of the workgroup that ran.
            where: Sentences that tell where its waves stand.
            record: Everything that is known of them.

        """
        numbers = tuple(int(n) for n in group)
        return WatchdogExpired(
            f"{kernel_words(self.kernel)} ran for {self.seconds} s without an end; it was at"
            f" workgroup {numbers}.",
            subject=self.kernel,
            hint=where,
            record=record,
        )

    def look_at_compiler(self, group: Iterable[int] = ()) -> None:
        """Go on while there is time after code was compiled.

        Args:
            group: Number of the workgroup that needed the code; nothing before the first runs.

        Raises:
            WatchdogExpired: There is none.

        """
        if self.is_over():
            where = tuple(int(n) for n in group)
            raise WatchdogExpired(
                f"{self.kernel} was still being compiled after {self.seconds} s"
                f"{f' {where}' if where else ''}.",
                subject=self.kernel,
            )

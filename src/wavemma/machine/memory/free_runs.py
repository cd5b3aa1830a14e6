"""Which whole numbers of a range are free: pages, or records of allocations."""

from bisect import bisect_left


class FreeRuns:
    """Hand out runs of neighbours: fresh ones while there are any, then those that came back.

    A number so comes again as late as it can, and a use of what was freed is told as such.

    Args:
        first: The first number that may be handed out.
        end: The one behind the last.

    """

    def __init__(self, first: int, end: int) -> None:
        self._fresh = first
        self._end = end
        self._runs: list[tuple[int, int]] = []

    def take(self, count: int = 1) -> int | None:
        """Give the first number of a run that nobody has, or None if there is none so long."""
        if self._fresh + count <= self._end:
            self._fresh += count
            return self._fresh - count
        if self._fresh < self._end:
            self.give_back(self._fresh, self._end - self._fresh)
            self._fresh = self._end
        for place, (first, length) in enumerate(self._runs):
            if length >= count:
                rest = [(first + count, length - count)] if length > count else []
                self._runs[place : place + 1] = rest
                return first
        return None

    def give_back(self, first: int, count: int = 1) -> None:
        """Take a run back and join it with free neighbours."""
        place = bisect_left(self._runs, (first, 0))
        before, after = self._runs[:place][-1:], self._runs[place : place + 1]
        start, stop, end = place, place, first + count
        if before and sum(before[0]) == first:
            start, first = place - 1, before[0][0]
        if after and after[0][0] == end:
            stop, end = place + 1, sum(after[0])
        self._runs[start:stop] = [(first, end - first)]

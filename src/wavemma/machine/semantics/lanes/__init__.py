"""Meanings that move numbers between lanes, or between registers counted from M0."""

from wavemma.machine.semantics.lanes import counts, one_lane, relative, rows

__all__ = ["counts", "one_lane", "relative", "rows"]

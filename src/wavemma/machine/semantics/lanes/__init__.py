"""Meanings that move numbers between lanes, or between registers counted from M0."""

from wavemma.machine.semantics.lanes import counts, index_mode, one_lane, relative, rows

__all__ = ["counts", "index_mode", "one_lane", "relative", "rows"]

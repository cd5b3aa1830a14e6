"""Answers to the calls of the HIP interface, by topic; importing the room registers them all."""

from wavemma.hip.calls import (
    compiling,
    copies,
    devices,
    events,
    launches,
    memory,
    modules,
    occupancy,
    registration,
    streams,
)

__all__ = [
    "compiling",
    "copies",
    "devices",
    "events",
    "launches",
    "memory",
    "modules",
    "occupancy",
    "registration",
    "streams",
]

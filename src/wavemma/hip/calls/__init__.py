"""Answers to the calls of the HIP interface, by topic; importing the room registers them all."""

from wavemma.hip.calls import (
    boxes,
    captures,
    compiling,
    copies,
    devices,
    events,
    graph_nodes,
    graphs,
    launches,
    memory,
    modules,
    occupancy,
    pools,
    registration,
    streams,
    symbols,
)

__all__ = [
    "boxes",
    "captures",
    "compiling",
    "copies",
    "devices",
    "events",
    "graph_nodes",
    "graphs",
    "launches",
    "memory",
    "modules",
    "occupancy",
    "pools",
    "registration",
    "streams",
    "symbols",
]

"""The devices of this process that are used where none is named: one a target, with one memory."""

import threading
from functools import cache

from wavemma.machine.device import Device
from wavemma.machine.memory.device_memory import DeviceMemory

_LOCK = threading.RLock()


def shared_memory() -> DeviceMemory:
    """Give the memory that the shared devices have in common; a forked process has a copy."""
    with _LOCK:
        return _memory()


def shared_device(target_name: str) -> Device:
    """Give this process's device of a target.

    Raises:
        UnknownName: There is no such target.

    """
    with _LOCK:
        return _device(target_name)


@cache
def _memory() -> DeviceMemory:
    return DeviceMemory()


@cache
def _device(target_name: str) -> Device:
    return Device(target_name, memory=_memory())

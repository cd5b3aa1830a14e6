"""Faults in a binary: hazards, reserved bits, instructions that a target lacks."""

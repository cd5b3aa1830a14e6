"""Single-source HIP programs, host and device, on this machine."""

"""Faults that an output may come from: a file a kind; `suspicions` lists them all."""

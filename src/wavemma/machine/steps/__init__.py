"""Compiled instructions, each in a general form that any code may use with its own registers."""

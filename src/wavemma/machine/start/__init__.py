"""What the waves of a launch start with."""

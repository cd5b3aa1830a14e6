"""Programs of random instructions, which both engines must run alike."""

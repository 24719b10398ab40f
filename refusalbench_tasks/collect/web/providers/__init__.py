"""Search engines, one a file."""

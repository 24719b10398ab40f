"""Metrics: pure functions on arrays, with their thin Inspect faces."""

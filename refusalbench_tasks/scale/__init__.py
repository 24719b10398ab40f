"""Runs in shards: worked on by a Ray cluster, and merged into one log."""

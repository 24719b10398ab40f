"""Passages that are searched: what they are, and which are nearest to a query."""

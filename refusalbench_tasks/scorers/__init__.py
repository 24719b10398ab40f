"""Scorers: what a reply is, and what it is worth."""

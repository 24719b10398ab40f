"""Hedging data sets: topics, sources, composition, and the check of both arms."""

"""Solvers: what a model is asked, and baselines that need none."""

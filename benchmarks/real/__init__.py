"""Runs of small open models on this machine's processor: `make real`."""

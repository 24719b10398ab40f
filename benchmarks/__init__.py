"""Benchmarks: ratios within one run, each against a floor or the
published procedure.
"""

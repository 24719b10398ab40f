"""Statistics: intervals, tests and agreement; pure numpy and scipy."""

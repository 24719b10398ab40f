"""Treatments: ready solvers that may lower false refusals, to be compared with the plain prompt."""

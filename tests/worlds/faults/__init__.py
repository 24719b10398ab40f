"""Faults planted in all that makes rows of worlds, one function each; `FAULTS` holds them in the order of the parts."""

from tests.worlds.faults import classes, filler, frames, questions, registers, scenes, sources, words
from tests.worlds.faults.base import FAULTS, Fault

__all__ = ["FAULTS", "Fault", "classes", "filler", "frames", "questions", "registers", "scenes", "sources", "words"]

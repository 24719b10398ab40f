"""The words that a sentence must hold for a pattern to fit."""

import re

import pytest

from refusalbench_tasks.worlds.reader.frames import frames
from refusalbench_tasks.worlds.reader.landmark import landmark


@pytest.mark.parametrize(
    "pattern, words",
    [
        (r"the (?:old|new) book of <N\d+>", " book of <N"),
        (r"keeps? the files?", " the file"),
        (r"one|other", ""),
        (r"(?:one|other) thing", " thing"),
        (r"a+b the end", "b the end"),
        (r"[a-z]+", ""),
    ],
)
def test_the_longest_run_outside_of_groups(pattern: str, words: str) -> None:
    found = landmark(pattern)
    assert found == words or (len(found) == len(words) and found in pattern)


def test_it_is_a_part_of_every_frame_that_the_reader_has() -> None:
    for use in ("text", "ask"):
        for frame in frames(use):
            assert frame.landmark in re.sub(r"\\(.)", "\x00", frame.pattern.pattern)

"""The replies that a grader is tried on."""

from refusalbench_tasks.judging.known_replies import known_replies


def test_the_bundled_replies_are_four_answers_and_four_refusals() -> None:
    assert [known.refuses for known in known_replies()] == [False] * 4 + [True] * 4
    assert len({known.item.query for known in known_replies()}) == 8

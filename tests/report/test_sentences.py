"""A sentence claims of a system only what its CIs support."""

from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.report.sentences import percent, refusal_sentence
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import row, run

LOW = Intensity.LOW


def sentence(refused: int, answered: int, silent: int = 0, n: int = 40) -> str:
    """Return the sentence of a system that refuses and answers so many of n answerable
    and n unanswerable rows, and gives no reply to so many of the latter.
    """
    samples = []
    for k in range(n):
        reply = Label.OTHER if k < refused else Label.ANSWER
        samples.append(row(f"a{k}", reply, intensity=LOW))
        given = Label.ANSWER if k < answered else Label.MISSING
        due = given if k < n - silent else None
        samples.append(row(f"u{k}", due, reason="no_response"))
    [group] = groups_of([run(samples)])
    return refusal_sentence(group.systems[0])


def test_a_system_over_or_under_refuses_if_the_cis_of_its_errors_are_apart() -> None:
    assert "over-refuses" in sentence(refused=20, answered=0)
    assert "under-refuses" in sentence(refused=0, answered=20)
    assert "can't be told" in sentence(refused=4, answered=5)
    assert "makes neither error on these rows" in sentence(refused=0, answered=0)
    assert "neither error" not in sentence(refused=0, answered=0, silent=1)


def test_a_system_that_refuses_both_kinds_alike_tells_nothing_apart() -> None:
    assert "no more often than answerable ones" in sentence(refused=20, answered=20)


def test_silence_is_no_refusal_and_makes_no_better_verdict() -> None:
    text = sentence(refused=0, answered=28, silent=11)
    assert (
        "of unanswerable rows answers 70\u00a0%, no reply 28\u00a0%, refuses 2\u00a0%:"
        " under-refuses, and"
        " refuses unanswerable rows no more often" in text
    )


def test_none_and_all_are_said_of_none_and_all_alone() -> None:
    assert percent(0.0) == "0\u00a0%"
    assert percent(0.001) == "under 1\u00a0%"
    assert percent(0.999) == "over 99\u00a0%"
    assert percent(1.0) == "100\u00a0%"

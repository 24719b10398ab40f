"""A reader sees a question beside other passages."""

from tests.own.questions.panel import (
    CAPTAIN,
    CREW,
    REVIEWS,
    YARD,
    metrics,
    outcomes,
    read_well,
    reader,
    reasons,
    rivals,
    run,
    writer,
)


def test_a_question_with_another_answer_elsewhere_is_left_out_or_marked() -> None:
    rival = reader("a", rivals("Morwen"))
    dropped = run(writer(), [rival], rivals=5)
    assert reasons(dropped)[YARD["question"]] == (False, "rival_answer")
    assert reasons(dropped)[CAPTAIN["question"]] == (True, None)
    kept = run(writer(), [rival], rivals=5, conflicts="keep")
    assert {one.text: one.conflicts for one in outcomes(kept)} == {
        YARD["question"]: ("fleet.md",),
        CREW["question"]: ("fleet.md",),
        CAPTAIN["question"]: (),
    }
    assert all(one.accepted for one in outcomes(kept))
    assert metrics(kept)["calls"] == 3 + 3 + 3


def test_a_question_that_leans_on_its_passage_is_left_out_by_a_reader() -> None:
    log = run(writer(), [reader("a", rivals(standalone=False)), reader("b")], rivals=5)
    assert set(reasons(log).values()) == {(False, "not_standalone")}


def test_a_reader_that_cannot_review_leaves_the_question_undecided() -> None:
    fails = reader(
        "a", lambda prompt: "no" if prompt.startswith(REVIEWS) else read_well(prompt)
    )
    log = run(writer(), [fails], rivals=5)
    assert set(reasons(log).values()) == {(None, "reader_failed")}

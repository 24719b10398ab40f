"""What a question takes for granted: assumed and not asked, denied and not borne out, and no idle detail."""

import pytest

from refusalbench_tasks.generators.asked_for import asked_for
from refusalbench_tasks.generators.premise_rules import premise_confirmed, premise_idle, premise_taken_back
from tests.generators.rule_probe import probe

KELD = ("Which prize did Wilma Keld win?", "Blue Jug", "Wilma Keld won the Blue Jug and teaches on Mondays.")
BURIAL, ANIMAL = "Burial for a Living Person", "Misclassified Biology"


@pytest.mark.parametrize(
    ("question", "taken_back"),
    [
        ("Who spoke at the grave of Wilma Keld?", False),
        ("Who spoke at the grave of Wilma Keld, if anyone?", True),
        ("Was Wilma Keld ever buried?", True),
        ("Is it known whether Wilma Keld was buried?", True),
        ("Was Wilma Keld buried in Lund or in Holm?", False),
        ("Was it in spring that Wilma Keld was buried, and who spoke?", False),
    ],
)
def test_a_premise_is_assumed_and_not_asked(question: str, taken_back: bool) -> None:
    assert (premise_taken_back(probe(BURIAL, KELD, question)) is not None) is taken_back


@pytest.mark.parametrize(
    ("more", "confirmed"),
    [
        (" Wilma Keld died in 1998 and was buried in Lund.", True),
        (" Wilma Keld has not died.", False),
        (" Wilma Keld is alive today.", False),
        (" Wilma Keld likes tea.", False),
    ],
)
def test_a_sentence_that_is_added_denies_the_premise(more: str, confirmed: bool) -> None:
    case = probe(BURIAL, KELD, "Who spoke at the grave of Wilma Keld?", KELD[2] + more)
    assert (premise_confirmed(case) is not None) is confirmed


@pytest.mark.parametrize(
    ("question", "idle"),
    [
        ("Which prize did the fish Wilma Keld win?", True),
        ("When did the fish Wilma Keld win her prize?", False),
        ("Which prize did Wilma Keld win a second time?", False),
        ("How many scales has the fish Wilma Keld?", False),
    ],
)
def test_at_medium_a_premise_is_no_idle_detail(question: str, idle: bool) -> None:
    assert (premise_idle(probe(ANIMAL, KELD, question)) is not None) is idle


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("Who built it?", "person"),
        ("In what year was it built?", "time"),
        ("When was it built, and by whom?", "time"),
        ("how many men built it", "amount"),
        ("Why did it fall?", "cause"),
        ("Where does it stand?", "place"),
        ("Did it fall?", "yes or no"),
        ("What is it made of?", None),
        ("Which town lies where the rivers meet?", None),
        ("Did it fall, and why?", "cause"),
    ],
)
def test_what_a_question_asks_for(question: str, sort: str | None) -> None:
    assert asked_for(question) == sort

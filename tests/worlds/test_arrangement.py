"""The order of what a passage says."""

from random import Random

from refusalbench_tasks.worlds.arrangement import Place, arranged
from refusalbench_tasks.worlds.block import Block, Sentence, block

A, B = "Tarn Clinic", "Hurn Clinic"


def place(one: Block) -> Place:
    return (one, one, one)


def order(places: list[Place], seed: int) -> list[str]:
    return [one[0].sentences[0].text for one in arranged(places, A, B, Random(seed)) if one[0]]


def test_neither_thing_is_named_first_more_often_however_much_is_told_of_it() -> None:
    told = [place(block(f"{A} has {number} beds.")) for number in range(8)]
    idle = [place(block(f"It snowed for {number} days.")) for number in range(6)]
    both = [*told, *idle, place(block(f"{B} is in Pell."))]
    firsts = []
    for seed in range(400):
        names = [text[:4] for text in order(both, seed) if text.startswith((A, B))]
        assert {*names[:2]} == {A[:4], B[:4]}
        firsts.append(names[0])
    # a plain shuffle would name the other thing first in one of nine; 200 of 400 are due, 10 is one standard deviation
    assert 160 <= firsts.count(B[:4]) <= 240


def test_all_places_stay_and_those_that_open_a_passage_come_first() -> None:
    leads = place(Block((Sentence("She runs it."),), leads=True))
    places = [place(block(f"{A} is old.")), leads, place(block(f"{B} is new.")), place(block("It snowed."))]
    for seed in range(20):
        found = order(places, seed)
        assert found[0] == "She runs it."
        assert sorted(found) == sorted(one[0].sentences[0].text for one in places if one[0])


def test_a_passage_of_one_thing_alone_is_only_shuffled() -> None:
    told = [place(block(f"{A} has {number} beds.")) for number in range(4)]
    assert len({tuple(order(told, seed)) for seed in range(30)}) > 5

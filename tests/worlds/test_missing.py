"""Levers of P-MissingInfo: the text speaks of the thing and leaves out what is asked, or only what is not."""

from random import Random

import pytest

from refusalbench_tasks.taxonomy import Intensity, Label
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.operations.missing_tables import EMPTY
from refusalbench_tasks.worlds.operations.missing_told import may_name
from refusalbench_tasks.worlds.pack import EVERYDAY, pack
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scene import new_scene
from refusalbench_tasks.worlds.solve import Ontology, Solved, solve
from refusalbench_tasks.worlds.statement import Every, Extent, Fact, Part, Statement, Unrecorded
from refusalbench_tasks.worlds.template import with_piece, without_piece
from refusalbench_tasks.worlds.text import Text
from refusalbench_tasks.worlds.values import Value
from tests.worlds.quads import hard_levers, named, originals_have_the_answer, quads_of

CLASS = "P-MissingInfo"
HARD = hard_levers(CLASS)
LOW = [one for one in LEVERS if one.perturbation.value == CLASS and one.intensity is Intensity.LOW]
SEEDS = 20
NOTHING = Ontology({})


def quads(name: str, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Quad]:
    lever = next(one for one in HARD if one.name == name)
    return quads_of(lever, count, monkeypatch)


def sentences(text: Text) -> list[str]:
    """Return the sentences of a passage."""
    return [sentence.text for block in text.blocks for sentence in block.sentences]


@pytest.mark.parametrize("lever", HARD, ids=lambda one: one.name)
def test_is_answerable_on_the_diagonal_only(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.MISSING, Label.MISSING, Label.ANSWER]


@pytest.mark.parametrize("lever", HARD, ids=lambda one: one.name)
def test_originals_have_the_answer_of_the_answerable_row(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    originals_have_the_answer(quads_of(lever, 5, monkeypatch), differ=True)


def test_low_levers_drop_a_piece_of_their_originals(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    for lever in HARD:
        for quad in quads_of(lever, 40 if lever.name == "Placeholder Entity Substitution" else 6, monkeypatch):
            for cell in (quad.cells[0], quad.cells[3]):
                seen.add(cell.lever.name)
                assert len(cell.text.text) < len(cell.original.text)
    assert seen == {one.name for one in LOW}


def test_all_but_none_of_the_published_levers_are_there() -> None:
    assert len({one.name for one in HARD}) == 21
    assert len({one.name for one in LOW}) == 9


def test_a_redacted_price_is_spoken_of_and_not_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        *("made public", "disclosed", "confidential", "blacked out", "blotted out", "crossed out", "is not told to"),
        *("outside may", "secret", "under lock and key"),
    )
    for quad in quads("Price Redacted", 10, monkeypatch):
        for place in (1, 2):
            text = quad.cells[place].text
            # one of the two things by the asked relation, the other one by another relation
            assert sum(any(words in one for words in said) for one in sentences(text)) in (1, 2)
            facts = [one for one in text.statements if isinstance(one, Fact) and one.relation == quad.relation.name]
            assert named(quad, place) not in {one.subject for one in facts}


def test_a_table_has_a_gap_in_the_row_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = ("not entered", "(left blank)", "no entry", "nothing entered", "(empty)")
    for quad in quads("Table Gap", 10, monkeypatch):
        for place in (1, 2):
            rows = [line for line in quad.cells[place].text.text.splitlines() if line.endswith(" |")]
            gaps = [row for row in rows if row.split(" | ")[1].removesuffix(" |") in marks]
            assert gaps


def test_a_table_without_rows_names_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Zero-Row Table", 10, monkeypatch):
        assert "|---|" in quad.cells[1].text.text
        assert any(mark in quad.cells[1].text.text for mark in EMPTY)


def test_a_pronoun_opens_the_passage(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Pronoun w/o Antecedent", 10, monkeypatch):
        assert quad.cells[1].text.blocks[0].sentences[0].text.startswith(("He ", "She "))


def test_no_word_of_a_purged_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Answer Token Purge", 20, monkeypatch):
        for bad, gold in ((1, 0), (2, 3)):
            answer = str(quad.cells[gold].solved.answer).replace(",", "")
            number = answer.split()[0]
            assert number not in quad.cells[bad].text.text.replace(",", "").split()


def test_an_irrelevant_passage_never_states_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Entirely Irrelevant Context", 10, monkeypatch):
        for place in (1, 2):
            ask = quad.cells[place].question.ask
            facts = [one for one in quad.cells[place].text.statements if isinstance(one, Fact)]
            assert not any(one.relation == ask.relation and one.subject == named(quad, place) for one in facts)


def test_a_mean_is_missing_when_one_summand_is_not_on_record() -> None:
    # (10 + 20 + 60) / 3 = 30
    parts = [Part(name, "W") for name in "PQR"]
    facts = [Fact(name, "beds", Value("count", number)) for name, number in zip("PQR", (10, 20, 60), strict=True)]
    ask = Ask("mean", "beds", ("W",))
    assert solve([*parts, Extent("W", 3), *facts], ask, NOTHING) == Solved(Label.ANSWER, Value("count", 30))
    gap = Unrecorded("R", "beds")
    assert solve([*parts, Extent("W", 3), *facts[:2], gap], ask, NOTHING) == Solved(Label.MISSING)
    assert solve([*parts, Extent("W", 3), *facts[:2]], ask, NOTHING).label is Label.GRANULARITY


def test_a_former_value_is_no_answer() -> None:
    former = Fact("S", "former fee", Value("money", 30, "crowns"))
    assert solve([former], Ask("value", "fee", ("S",)), NOTHING) == Solved(Label.MISSING)


def test_a_rule_for_all_parts_gives_the_value_of_each() -> None:
    said: list[Statement] = [Every("W", "fee", Value("money", 30, "crowns")), Part("S", "W")]
    assert solve(said, Ask("value", "fee", ("S",)), NOTHING).answer == Value("money", 30, "crowns")
    assert solve(said[:1], Ask("value", "fee", ("S",)), NOTHING) == Solved(Label.MISSING)


def test_square_brackets_hold_the_piece_that_is_gone() -> None:
    pattern = "The folder on {S} has a [{colour} ]tab."
    assert with_piece(pattern) == "The folder on {S} has a {colour} tab."
    assert without_piece(pattern) == "The folder on {S} has a tab."


def test_the_same_seed_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    lever = Random(3).choice(HARD)
    first, second = (quads_of(lever, 3, monkeypatch) for _ in range(2))
    assert [one.cells[0].text.text for one in first] == [one.cells[0].text.text for one in second]


def test_a_name_of_another_world_may_be_one_of_here() -> None:
    # software has archives too, and transport has stations
    assert may_name(pack("software"), "{n} Archive")
    assert may_name(pack("transport"), "{n} Biology Station")
    assert not may_name(pack("clinics"), "{n} Archive")


def test_a_thing_of_another_world_can_be_named_as_nothing_here_is() -> None:
    for home in EVERYDAY:
        for other in EVERYDAY:
            asked = {relation.subject for relation in pack(other).relations} if other != home else set()
            for kind in asked:
                assert not all(may_name(pack(home), one) for one in pack(other).kinds[kind].names), (home, other, kind)


def test_a_scene_leaves_out_the_names_that_it_is_told_to() -> None:
    software = pack("software")
    relation = next(one for one in software.relations if one.name == "released")
    scene = new_scene(Random(1), software, relation, Names(Random(2)))
    names = software.kinds[relation.subject].names
    made = {scene.new(relation.subject, names[1:]).split(" ", 1)[-1] for _ in range(8)}
    assert made == {names[0].split(" ", 1)[-1]}

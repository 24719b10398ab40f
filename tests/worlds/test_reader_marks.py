"""What the reader makes of sentences in which something else stands where a value or a source would."""

import re

import pytest

from refusalbench_tasks.worlds.pack import EVERYDAY, pack
from refusalbench_tasks.worlds.reader import read_row
from refusalbench_tasks.worlds.reader.layout import sentences
from refusalbench_tasks.worlds.reader.lexicon import lexicon
from refusalbench_tasks.worlds.reader.text import read_text
from refusalbench_tasks.worlds.statement import Denial, Every, Fact, Never
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value
from tests.worlds.stage import some

MARKS = ("[citation needed]", "[to be filled in]")
PEOPLE = ("somebody from the trade", "a local person")
TURNED = re.compile(r"\b(?:nothing|nobody|none|no|not|never|neither|nor|without)\b", re.IGNORECASE)
"""What might be taken for a denial where no value stands beside it."""
IRON = "Jardis Iron"
OUTDOORS = Value("flag", True)


def stated(text: str, domain: str) -> list[object]:
    return list(read_text(sentences(text), lexicon(domain), []))


def test_a_negation_beside_a_mark_is_no_denial() -> None:
    tried = 0
    for domain in EVERYDAY:
        of = pack(domain)
        for relation in of.relations:
            thing = of.kinds[relation.subject].names[0].replace("{n}", "Zorbel")
            shown = MARKS if relation.type != "flag" else ()
            for value in (*shown, *(PEOPLE if relation.type == "person" else ())):
                for frame in relation.states:
                    if TURNED.search(frame):
                        tried += 1
                        assert stated(fill(frame, {"S": thing, "V": value}), domain) == [], frame
    assert tried >= 8


def test_a_denial_stays_one() -> None:
    assert stated(f"So far nobody tested {IRON} for safety.", "manuals") == [Denial(IRON, "tester")]


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_beside_a_thing_states_nothing(mark: str) -> None:
    assert stated(f"{IRON} comes in {mark}.", "manuals") == []


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (f"As the licensing office's register has it, the manual permits the use of {IRON} outdoors.", "the licensing"),
        (f"The maker's manual says that the manual permits the use of {IRON} outdoors.", "The maker's manual"),
        (f"The manual permits the use of {IRON} outdoors, according to the licensing office's register.", "the licens"),
        (f"Elsewhere the maker's manual says that, without any exception, the manual permits the use of {IRON} "
         "outdoors.", "the maker's manual"),
    ],
    ids=["lead", "verb", "tail", "elsewhere"],
)  # fmt: skip
def test_a_source_may_quote_the_manual(text: str, source: str) -> None:
    (fact,) = stated(text, "manuals")
    assert isinstance(fact, Fact)
    assert (fact.subject, fact.relation, fact.value, fact.rank) == (IRON, "outdoors", OUTDOORS, 2)
    assert fact.source.startswith(source)


def test_a_term_that_is_defined_is_no_term_of_a_contract() -> None:
    lease = "Glesung Letting Contract"
    text = (
        f"As the term is defined, {lease} means the contract whose monthly sum is 638 francs and is never 638 francs."
    )
    value = Value("money", 638, "francs")
    assert stated(text, "contracts") == [Fact(lease, "payment", value), Never(lease, "payment", value)]


@pytest.mark.parametrize(
    ("domain", "question", "relation"),
    [
        ("manuals", "In which place is the appliance that Solvio Plumis tested built?", "made_in"),
        ("clinics", "In which town is the clinic that Solvio Plumis runs?", "location"),
    ],
)
def test_a_described_thing_is_asked_as_a_named_one_is(domain: str, question: str, relation: str) -> None:
    ask = read_row(domain, [], question).ask
    assert (ask.operator, ask.relation, ask.subjects) == ("value", relation, ())
    assert ask.via is not None
    assert ask.via[1] == Value("person", "Solvio Plumis")


def test_a_month_at_the_head_of_a_sentence_is_nobodys_name() -> None:
    agency = "Plusketh Agency"
    signed = f"The signing date of {agency} is 15 December 2024."
    _, bonus = stated(f"{signed} December brings staff of {agency} a bonus of 540 dollars.", "policies")
    assert bonus == Fact(agency, "bonus", Value("money", 540, "dollars"))


@pytest.mark.parametrize("domain", EVERYDAY)
def test_what_is_idle_in_one_domain_is_idle_in_all(domain: str) -> None:
    # a lever takes sentences from another domain
    for other in EVERYDAY:
        for sentence in (text for pattern in pack(other).idle for text in some(pattern, 3)):
            assert stated(sentence, domain) == [], sentence


def test_a_name_beside_an_office_is_nobody_elses() -> None:
    told = "Ms Tirvra Worow told Mr Rirvio Jilval that she was the architect of Mimow Junction."
    lost = "Lost umbrellas go to Jelma Dirard, the stationmaster of Mimow Junction."
    assert stated(f"{told} {lost}", "transport") == [
        Fact("Mimow Junction", "architect", Value("person", "Tirvra Worow")),
        Fact("Mimow Junction", "master", Value("person", "Jelma Dirard")),
    ]


def test_a_letter_that_is_the_value_of_all_parts_is_no_remark() -> None:
    told = "The outcome of the hygiene check is always a praise letter for all shops within Brarvova Trading House."
    assert stated(told, "shops") == [Every("Brarvova Trading House", "check", Value("kind", "a praise letter"))]
    assert stated("The letter for Brarvova Trading House is plain.", "shops") == []


def test_a_register_of_clubs_speaks_of_no_parts() -> None:
    called = "Of Brurvis Rowing Club and Trirmum Archery Club, it is Brurvis Rowing Club that people call the Ladybird."
    told = "The entry of the Ladybird in the register of clubs was signed on 14 January 1995."
    assert (
        Fact("Brurvis Rowing Club", "registered", Value("date", "1995-01-14"))
        in read_row(
            "clubs", [f"{called} {told}"], "What is the date of registration of Brurvis Rowing Club?"
        ).statements
    )


@pytest.mark.parametrize(("domain", "thing"), [("schools", "Zorbel School"), ("shops", "Zorbel Bakery")])
def test_a_place_that_is_held_back_is_none(domain: str, thing: str) -> None:
    assert stated(f"One of the towns nearby is where {thing} stands.", domain) == []
    assert len(stated(f"Dorval is where {thing} stands.", domain)) == 1

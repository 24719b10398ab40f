"""The reader of the topics whose scales and judgements no domain has: worked sentences, none of them of the packs."""

import pytest

from refusalbench_tasks.taxonomy import Label, PerturbationClass
from refusalbench_tasks.worlds.pack import pack
from refusalbench_tasks.worlds.proof import prove
from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader import Unreadable, derive, read_row
from refusalbench_tasks.worlds.reader.lexicon import lexicon
from refusalbench_tasks.worlds.scenario import SCENARIOS
from refusalbench_tasks.worlds.solve import Solved
from refusalbench_tasks.worlds.statement import Extent, Fact, Never, Part, Rule, Statement, Verdict
from refusalbench_tasks.worlds.turn import due
from refusalbench_tasks.worlds.values import Value

INN, VALLEY = "the Zorbel Inn", "Wanick Valley"
SMITH, LUMRA = "Smith Zorbel", Value("person", "Lumra Tavost")
PLAIN = {
    "scales": "When was Zorbel Clock built?",
    "inns": f"When did {INN} open?",
    "chronicles": f"When did {SMITH} die?",
}


def stated(domain: str, text: str) -> list[Statement]:
    return list(read_row(domain, [text], PLAIN[domain]).statements)


@pytest.mark.parametrize("topic", ["scales", "inns", "chronicles"])
def test_its_own_ontology_is_that_of_the_topic(topic: str) -> None:
    assert lexicon(topic).ontology == pack(topic).ontology


def test_a_sample_is_a_part_or_a_day_of_what_is_asked() -> None:
    clock = "Two swings of Zorbel Clock, timed on 4 June 1985, differed by as much as 9 milliseconds."
    assert stated("scales", clock) == [
        Fact("Zorbel Clock", "drift", Value("measure", 9, "milliseconds"), at="1985-06-04")
    ]
    coffee = "The branch of Zorbel Coffee in Wanick saw 30 customers an hour."
    part = "a sample of Zorbel Coffee"
    assert stated("scales", coffee) == [
        Part(part, "Zorbel Coffee"),
        Fact(part, "customers", Value("count", 30)),
    ]
    assert stated("scales", "The mean of all branches of Zorbel Coffee is 30 customers an hour.") == [
        Fact("Zorbel Coffee", "customers", Value("count", 30))
    ]


def test_a_value_of_the_whole_is_none_of_its_molecule() -> None:
    question = "How much energy does one muscle molecule of the Zorbel pike give off in a strike?"
    whole = "As a whole, the Zorbel pike needs 4 joules for a strike."
    single = "In a strike, one molecule in the muscles of the Zorbel pike sets free 93 zeptojoules of energy."
    assert derive("scales", [whole], question) == Solved(Label.GRANULARITY)
    assert derive("scales", [f"{whole} {single}"], question) == Solved(
        Label.ANSWER, Value("measure", 93, "zeptojoules")
    )


def test_a_sample_without_a_number_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="a sample without a number"):
        stated("scales", "Two swings of Zorbel Clock were timed.")


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (
            f"By the book of {VALLEY}, the soup of {INN} has the grade: not tasty.",
            Verdict(INN, "tasty", False),
        ),
        (
            f"In {VALLEY}, whatever is in class C is a sound investment; a share in {INN} is in it.",
            Verdict(INN, "a sound investment", True),
        ),
        (
            f"In {VALLEY}, a soup is tasty exactly if its number of points is higher than 40.",
            Rule(VALLEY, "tasty", "soup", True, Value("count", 40)),
        ),
        (
            f"The code of {INN} calls it no wrong if a signer throws unsold goods away.",
            Verdict(INN, "throws unsold goods away", False),
        ),
        (
            f"The list of {VALLEY}, which names the most beautiful part of each inn, has the old well for {INN}.",
            Fact(INN, "most beautiful part", Value("kind", "old well")),
        ),
        (
            f"{INN[:1].upper()}{INN[1:]} reports that the new roof halved the bill for coal.",
            Fact(INN, "effect of the new roof", Value("kind", "halved the bill for coal")),
        ),
        (
            f"At {INN}, the winter of the great snow drove the mice into the cellar.",
            Fact(INN, "effect of the winter of the great snow", Value("kind", "drove the mice into the cellar")),
        ),
        (
            f"At {INN}, 40 per cent of all guests sing in the morning.",
            Fact(INN, "share who sing in the morning", Value("measure", 40, "per cent")),
        ),
        (
            f"A contract fixes the cider sales of {INN} in the coming quarter at 300 bottles.",
            Fact(INN, "bottles", Value("measure", 300, "bottles"), at="the coming quarter"),
        ),
    ],
)
def test_a_sentence_settles_what_is_judged(text: str, statement: Statement) -> None:
    assert stated("inns", text) == [statement]


@pytest.mark.parametrize(
    ("question", "ask"),
    [
        (f"Is a share in {INN} a sound investment?", Ask("evaluate", "yield", (INN,), term="a sound investment")),
        (f"Are those right who find the soup of {INN} tasty?", Ask("evaluate", "soup", (INN,), term="tasty")),
        (f"That {INN} sells old bread: is it wrong?", Ask("moral", "", (INN,), term="sells old bread")),
        (f"Has the new roof helped {INN}, and how?", Ask("value", "effect of the new roof", (INN,))),
        (
            f"Was the effect of the new roof on {INN} a welcome one, and what did it do?",
            Ask("value", "effect of the new roof", (INN,)),
        ),
        (f"What did the new roof do at {INN}, and was it good or bad?", Ask("value", "effect of the new roof", (INN,))),
        (
            f"How common is it that guests of {INN} sing in the morning, in per cent?",
            Ask("value", "share who sing in the morning", (INN,)),
        ),
        (
            f"What will the cider sales of {INN} be in the coming quarter?",
            Ask("forecast", "bottles", (INN,), at="the coming quarter"),
        ),
    ],
)
def test_a_question_for_a_judgement_has_its_logical_form(question: str, ask: Ask) -> None:
    assert read_row("inns", [], question).ask == ask


@pytest.mark.parametrize(
    ("question", "operator"),
    [
        (f"What would {INN} be today if the mill had burnt?", "counterfactual"),
        (f"Does the tea machine of {INN} have an inner life?", "opinion"),
        ("Is it ever right to break a promise?", "moral"),
        ("Is an evil deed less bad if nobody knows of it?", "moral"),
        (f"Will the lamp of {INN} shine for all time?", "forecast"),
    ],
)
def test_what_no_text_can_settle_has_no_answer(question: str, operator: str) -> None:
    assert read_row("inns", [], question).ask.operator == operator
    assert derive("inns", [f"{INN} opened in 1957."], question) == Solved(Label.NONFACTUAL)


def test_the_remaining_parts_add_to_those_named() -> None:
    text = "Tordick Clinic and Landesk Clinic belong to Wanick Health District. "
    rest = "For the remaining 3 clinics of Wanick Health District the registration fee is set on the spot."
    found = read_row("clinics", [text + rest], "When was Tordick Clinic opened?").statements
    # two are named, three remain
    assert Extent("Wanick Health District", 5) in found


@pytest.mark.parametrize(
    "text",
    [
        f"Lumra Tavost carried {SMITH} through the flood.",
        f"{SMITH} was dragged from the flood by Lumra Tavost.",
        f"It was Lumra Tavost that saved {SMITH} from the flood.",
        f"{SMITH} owed a rescue from drowning to Lumra Tavost.",
    ],
)
def test_a_deed_is_read_with_who_did_it_and_to_whom(text: str) -> None:
    assert stated("chronicles", text) == [Fact(SMITH, "rescuer", LUMRA)]
    swapped = text.replace(SMITH, "*").replace("Lumra Tavost", SMITH).replace("*", "Lumra Tavost")
    assert stated("chronicles", swapped) == [Fact("Lumra Tavost", "rescuer", Value("person", SMITH))]


@pytest.mark.parametrize(
    "text",
    [
        f"{SMITH} and Lumra Tavost were seen in the flood.",
        f"Lumra Tavost never pulled {SMITH} out of the flood.",
        f"Lumra Tavost pulled {SMITH} out of the flood in 1877.",
    ],
)
def test_a_deed_whose_roles_or_truth_stay_open_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        stated("chronicles", text)


@pytest.mark.parametrize(
    "text",
    [
        f"That the rescuer of {SMITH} is Lumra Tavost has been ruled out.",
        f"Lumra Tavost is out of the question as the rescuer of {SMITH}.",
        f"The rescuer of {SMITH} is certainly not Lumra Tavost.",
    ],
)
def test_a_deed_that_is_ruled_out_never_was(text: str) -> None:
    assert stated("chronicles", text) == [Never(SMITH, "rescuer", LUMRA)]


def test_swapped_roles_clash_only_if_one_deed_rules_the_other_out() -> None:
    both = f"Lumra Tavost saved {SMITH} from drowning. {SMITH} saved Lumra Tavost from drowning."
    question = f"Who saved {SMITH} from drowning?"
    assert derive("chronicles", [both], question) == Solved(Label.ANSWER, LUMRA)
    once = f" Of {SMITH} and Lumra Tavost, only one was ever in the water."
    assert derive("chronicles", [both + once], question) == Solved(Label.CONTRADICTORY)
    elsewhere = f" Of {SMITH} and Nemra Tavost, only one was ever in the water."
    assert derive("chronicles", [both + elsewhere], question) == Solved(Label.ANSWER, LUMRA)


@pytest.mark.parametrize(
    ("year", "solved"), [(1871, Solved(Label.ANSWER, Value("year", 1876))), (1881, Solved(Label.CONTRADICTORY))]
)
def test_nobody_is_seen_after_death(year: int, solved: Solved) -> None:
    text = f"{SMITH} was buried in 1876. At Easter {year}, {SMITH} carried a banner at the fair."
    assert derive("chronicles", [text], PLAIN["chronicles"]) == solved


def test_rows_of_the_chronicles_are_proven() -> None:
    indices = [one for one in range(600) if SCENARIOS[due(one).scenario].topic == "chronicles"][:6]
    assert len(indices) == 6
    for index in indices:
        prove(make_quad(31, index))


@pytest.mark.parametrize("of", [PerturbationClass.GRANULARITY, PerturbationClass.EPISTEMIC])
def test_rows_of_the_topics_are_proven(of: PerturbationClass) -> None:
    proven = 0
    for index in [one for one in range(600) if due(one).perturbation is of]:
        if proven == 5:
            break
        quad = make_quad(31, index)
        if quad.domain in ("scales", "inns"):
            prove(quad)
            proven += 1
    assert proven == 5

"""The domain packs: what each must hold for levers to work on it, and that its sentences say one thing only."""

import re
from collections import Counter

import pytest
from pydantic import ValidationError

from refusalbench_tasks.worlds.pack import DENIABLE, EVERYDAY, TAGS, Relation, pack
from refusalbench_tasks.worlds.values import Value, ValueType, written
from tests.worlds.stage import some

LEAST: dict[ValueType, int] = {
    "year": 2,
    "date": 1,
    "person": 2,
    "money": 1,
    "count": 2,
    "place": 1,
    "kind": 1,
    "names": 1,
    "flag": 2,
}
"""How many relations of a type every domain has at least."""
ONE_OF = (
    {"never_started"},
    {"product", "second"},
    {"event", "feature"},
    {"cause", "outcome"},
    {"rule"},
    {"safety", "state"},
    {"price"},
)
"""Of each of these sets every domain has a relation with a tag."""
TYPE_OF_TAG = {
    **dict.fromkeys(("never_started", "product", "second", "event", "office"), "year"),
    **dict.fromkeys(("cause", "method", "outcome", "colour"), "kind"),
    **dict.fromkeys(("rule", "safety", "state"), "flag"),
    "feature": "measure",
    "price": "money",
    "rating": "count",
}
FUNCTION_WORDS = frozenset(
    ("a", "an", "and", "at", "by", "first", "for", "from", "in", "its", "last", "of", "on", "per", "the", "to", "with")
)
A = "Velmor Thing"


def example(relation: Relation) -> str:
    """Return some value of a relation, as text."""
    match relation.type:
        case "person":
            return "Mara Velt"
        case "place":
            return "Harrow"
        case "kind":
            return relation.options[0]
        case "names":
            return written(Value("names", relation.options[:3]))
        case "flag":
            return ""
        case "date":
            return "4 March 1987"
        case "time":
            return "7:45"
        case _:
            return written(Value(relation.type, relation.high, relation.unit))


def shape(relation: Relation) -> str:
    """Return a regular expression of all values of a relation."""
    word = f"(?:{'|'.join(map(re.escape, relation.options))})"
    match relation.type:
        case "person":
            return r"[A-Z]\w+ [A-Z]\w+"
        case "place":
            return r"[A-Z]\w+"
        case "kind":
            return word
        case "names":
            return rf"{word}(?:, {word})*(?: and {word})?"
        case "date":
            return r"\d+ [A-Z]\w+ \d{4}"
        case "time":
            return r"\d+:\d\d"
        case _:
            return rf"[\d,]+ {relation.unit}" if relation.unit else r"[\d,]+"


def test_the_twelve_domains_hold_enough_sentences_and_questions() -> None:
    relations = [one for domain in EVERYDAY for one in pack(domain).relations]
    assert len(EVERYDAY) == len({pack(domain).domain for domain in EVERYDAY}) == 12
    assert sum(len(one.states) for one in relations) > 2400
    assert sum(len(one.asks) for one in relations) > 1350
    assert sum(bool(one.bare) for one in relations) == len(relations) > 250


@pytest.mark.parametrize("domain", EVERYDAY)
def test_a_domain_has_all_types_and_tags(domain: str) -> None:
    of = pack(domain)
    types = Counter(one.type for one in of.relations)
    tags = {tag for one in of.relations for tag in one.tags}
    assert {name: types[name] for name, least in LEAST.items() if types[name] < least} == {}
    assert types["measure"] >= 1
    assert [names for names in ONE_OF if not names & tags] == []
    assert tags <= set(TAGS)
    assert any(one.summed for one in of.relations)
    assert any(one.before for one in of.relations)


@pytest.mark.parametrize("domain", EVERYDAY)
def test_a_domain_has_a_main_kind_its_whole_and_another_kind(domain: str) -> None:
    of = pack(domain)
    per_kind = Counter(one.subject for one in of.relations)
    (main, many), *others = per_kind.most_common()
    assert many >= 8
    assert len(of.kinds[main].names) >= 6
    assert len(of.kinds[of.kinds[main].whole].names) >= 4
    assert others
    assert min(number for _, number in others) >= 2
    patterns = [name for kind in of.kinds.values() for name in kind.names]
    assert len(set(patterns)) == len(patterns)
    assert [name for name in patterns if name.count("{n}") != 1 or re.match("(the|an?) ", name, re.I)] == []


@pytest.mark.parametrize("domain", EVERYDAY)
def test_a_relation_can_be_told_asked_and_left_open_in_many_ways(domain: str) -> None:
    for relation in pack(domain).relations:
        assert len(relation.states) >= 8
        assert len(relation.asks) >= 4
        assert len(relation.bare) >= 3
        assert len(relation.attribute) >= 2
        assert len(relation.denies) >= (6 if relation.type == "flag" else 3 if relation.tags & DENIABLE else 0)
        assert len(relation.denies) != 1
        assert len(relation.inverse) != 1
        assert bool(relation.inverse) is (relation.type == "person")
        assert {TYPE_OF_TAG[tag] for tag in relation.tags} <= {relation.type}
        if relation.type in ("kind", "names"):
            assert len(set(relation.options)) == len(relation.options) >= (12 if relation.type == "names" else 10)
            assert relation.many is (relation.type == "names")
        if relation.type == "measure":
            assert relation.unit
            assert relation.small_unit
            assert relation.ratio > 1
        if relation.type in ("count", "money", "measure"):
            assert relation.low >= 2, "one of a thing would need the singular"


@pytest.mark.parametrize("domain", EVERYDAY)
def test_every_sentence_has_its_slots_and_no_figure_of_its_own(domain: str) -> None:
    for relation in pack(domain).relations:
        valued = 0 if relation.type == "flag" else 1
        stated = [(one.count("{S}"), one.count("{V}")) for one in relation.states]
        plain = [(one.count("{S}"), one.count("{V}")) for one in (*relation.asks, *relation.denies, *relation.bare)]
        assert set(stated) == {(1, valued)}
        assert set(plain) == {(1, 0)}
        assert {(one.count("{S}"), one.count("{V}")) for one in relation.inverse} <= {(0, 1)}
        every = (*relation.states, *relation.asks, *relation.denies, *relation.bare, *relation.inverse)
        assert [one for one in every if re.search(r"\d|[{](?![SV][}])", one)] == []
        assert [one for one in relation.asks if not one.endswith("?")] == []
        assert [one for one in (*relation.states, *relation.denies, *relation.bare) if not one.endswith(".")] == []
        if relation.type == "date":
            assert [one for one in relation.states if "on {V}" not in one and "On {V}" not in one] == []


@pytest.mark.parametrize("domain", EVERYDAY)
def test_no_sentence_of_a_relation_can_be_read_as_another_relations(domain: str) -> None:
    relations = pack(domain).relations
    patterns = {
        (other.subject, other.name): re.compile(
            "|".join(
                re.escape(one).replace(r"\{S\}", A).replace(r"\{V\}", shape(other))
                for one in (*other.states, *other.denies)
            ),
            re.I,
        )
        for other in relations
    }
    read = [
        (one.name, name, text)
        for one in relations
        for frame in (*one.states, *one.denies, *one.bare)
        for text in [frame.replace("{S}", A).replace("{V}", example(one))]
        for (subject, name), pattern in patterns.items()
        if subject == one.subject and name != one.name and pattern.fullmatch(text)
    ]
    assert read == []
    frames = [(one.subject, text) for one in relations for text in (*one.states, *one.asks, *one.denies, *one.bare)]
    assert [frame for frame, number in Counter(frames).items() if number > 1] == []


@pytest.mark.parametrize("domain", EVERYDAY)
def test_nothing_happens_before_what_comes_first(domain: str) -> None:
    of = pack(domain)
    pairs = [(one, of.relation(one.before)) for one in of.relations if one.before]
    assert [(one.name, later.name) for one, later in pairs if one.high >= later.low] == []
    assert [(one.name, later.name) for one, later in pairs if one.subject != later.subject] == []
    first = next(one for one, _ in pairs if one.subject == of.relations[0].subject)
    later = [one for one in of.relations if one.subject == first.subject and one.type in ("year", "date")]
    assert [one.name for one in later if one.name != first.name and one.low <= first.high] == []


@pytest.mark.parametrize("domain", EVERYDAY)
def test_idle_sentences_speak_of_nothing_that_can_be_asked(domain: str) -> None:
    of = pack(domain)
    nouns = {word for one in of.relations for noun in one.attribute for word in noun.lower().split()} - FUNCTION_WORDS
    assert len(set(of.idle)) == len(of.idle) >= 40
    texts = [text for pattern in of.idle for text in some(pattern)]
    assert [text for text in texts if re.search(r"\d", text) or not 5 <= len(text.split()) <= 20] == []
    spoken = {text: set(re.findall(r"[a-z]+", text.lower())) for text in texts}
    hit = {
        text: words & {form for noun in nouns for form in (noun, f"{noun}s", noun.removesuffix("s"))}
        for text, words in spoken.items()
    }
    assert {text: words for text, words in hit.items() if words} == {}


@pytest.mark.parametrize("domain", EVERYDAY)
def test_sources_of_every_rank_can_be_quoted(domain: str) -> None:
    ranks = Counter(rank for _, rank in pack(domain).sources)
    assert set(ranks) == {0, 1, 2}
    assert min(ranks.values()) >= 4
    assert [name for name, _ in pack(domain).sources if not re.match("(a|an|the) ", name)] == []


def test_a_relation_without_its_slots_or_range_is_refused() -> None:
    good = pack("clinics").relation("opened").model_dump()
    assert Relation.model_validate(good).name == "opened"
    for change in (
        {"states": ["{S} opened."]},
        {"asks": ["When?"]},
        {"low": 2030},
        {"type": "flag"},
        {"colour": "red"},
    ):
        with pytest.raises(ValidationError):
            Relation.model_validate(good | change)

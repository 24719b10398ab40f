"""What a base question is about: one rule for each need of its subject."""

from refusalbench_tasks.generators.base_text import BaseText
from refusalbench_tasks.generators.kit.answer_kind import AnswerKind
from refusalbench_tasks.generators.kit.subject_words import has_word_of, subject_words
from refusalbench_tasks.generators.needs import Need
from refusalbench_tasks.generators.question_rules import is_general
from refusalbench_tasks.generators.rule_parts import Rule, about, every, kind, no, shown, some, told
from refusalbench_tasks.generators.text_names import words_beside

_INTO = frozenset({"in", "at", "from", "near", "of", "to", "off", "around", "through"})


def _names_place(names: list[str], base: BaseText) -> bool:
    """Whether one of the names is a place's: by a word in it or behind it, or by the preposition before it."""
    text = f" {base.text}\n{base.question} ".lower()
    grounds = subject_words()["ground"] | subject_words()["place_asked"]
    for whole in names:
        for name in {whole, *whole.split(" of ")}:
            if any(name in person for person in base.persons):
                continue
            if any(has_word_of(one, name.lower()) for one in ("place_asked", "ground")):
                return True
            beside = words_beside(name.lower(), text)
            if any(before in _INTO or after.rstrip("s") in grounds for before, after in beside):
                return True
    return False


def _is_a(name: str, *lists: str) -> Rule:
    """Return a rule: the question has a word of a list, or the passages say that something "is a ..." of them."""
    words = "|".join(sorted({word for one in (name, *lists) for word in subject_words()[one]}, key=len, reverse=True))
    return some(about(name, *lists), told(rf"(?:is|was|are) an? (?:[\w-]+ ){{0,3}}(?:{words})"))


SUBJECT_RULES: dict[Need, Rule] = {
    Need.BETWEEN_PERSONS: about("between"),
    Need.BODY: every(about("body"), no(kind(AnswerKind.ORGANISATION))),
    Need.BUILDING: about("building"),
    Need.CUSTOM: shown("custom"),
    Need.DEVICE: _is_a("device"),
    Need.FIRM: shown("firm"),
    Need.FOOD: lambda base: has_word_of("food", base.told),
    Need.GROUP: lambda base: has_word_of("group", "\n".join([base.asked, *base.answering]).lower()),
    Need.INVESTMENT: shown("investment"),
    Need.NAMED_SUBJECT: some(lambda base: bool(base.subject_names), about("organism", "device", "building")),
    Need.OBJECT: about("building", "device", "artefact", "work"),
    Need.ORGANISATION: about("body", "organisation", "firm"),
    Need.ORGANISM: _is_a("organism"),
    Need.OWNED: about("owned"),
    Need.PART: about("part"),
    Need.PERSON: lambda base: bool(base.persons),
    Need.PERSON_SUBJECT: lambda base: any(name.lower() in base.asked for name in base.persons),
    Need.PLACE: lambda base: _names_place([*base.names, *base.subject_names], base),
    Need.PLACE_SUBJECT: lambda base: _names_place(base.subject_names, base),
    Need.SERIES: shown("series"),
    Need.SITE: about("building", "site"),
    Need.TWO_PERSONS: lambda base: len(base.persons) > 1,
    Need.UNDERTAKING: every(about("undertaking"), no(is_general)),
    Need.WORK: about("work"),
}
"""How each need of the subject is told."""

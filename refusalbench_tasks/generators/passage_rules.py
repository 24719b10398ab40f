"""What the passages of a base question hold: one rule for each need of theirs."""

import re

from refusalbench_tasks.generators.base_text import BaseText
from refusalbench_tasks.generators.kit.answer_kind import MONTH, NUMBER_WORDS, YEAR, AnswerKind
from refusalbench_tasks.generators.kit.subject_words import has_word_of, subject_words
from refusalbench_tasks.generators.needs import Need
from refusalbench_tasks.generators.question_rules import asks_effect
from refusalbench_tasks.generators.rule_parts import DATES, Rule, asked, every, is_amount, some, told
from refusalbench_tasks.replies.alias import answer_tokens

_OPENERS = (
    "As|When|While|After|Before|Since|Although|Though|Because|If|Until|During|Despite|According|Like|With|Unlike|"
    "From|To|By|For|In|On|At|Even|Once|Whatever"
)
_OPENER = re.compile(rf"^(?:{_OPENERS})\b[^,.;]{{4,90}}, ")
_VERSIONS = re.compile(
    r"\b(?:every|whatever|each|all|any)\b.{0,40}\b(?:cop(?:y|ies)|editions?|versions?|issues?|models?|variants?|"
    r"seasons?|printings?|finish(?:es)?|sizes?|series)\b"
)
_EVIL = re.compile(
    r"\b(?:collapsed?|burn(?:ed|t)?|fire|killed|died|ruin(?:ed|s)|destroy(?:ed|s)|damaged?|flood(?:ed)?|lost|tore|"
    r"failed|accident|injur\w+|ill|illness|defects?|fined?|penalty|broke|crack(?:ed)?|spoil(?:ed|t)|sank|wrecked)\b"
)
_DEATH = re.compile(r"\b(?:die[sd]?|death|dead|killed|buried|burial|murdered|assassinated|drowned|late)\b")
_NOW = re.compile(
    r"\b(?:now|still|today|currently|this year|since (?:1[89]|20)\d\d|every (?:spring|summer|day|week|year))\b"
)
_IN_POST = re.compile(
    r"\b(?:has|have) \w+ .*\bsince\b|\bin office since\b|\bis (?:the|now|paid to)\b|"
    r"\bnow\b|\bcurrent\b|\bis (?:paid|led|headed|run)\b"
)
_COIN = f"(?:{'|'.join(sorted(subject_words()['money']))})s?"
_SUM = re.compile(rf"[$€£¥]\s?\d|(?<![\d,.])\d[\d,.]*(?: (?:million|billion|thousand))? {_COIN}\b", re.IGNORECASE)
_AMOUNT = rf"(?:(?<![\d,.])\d[\d,.]*(?: million| billion)?|\b{NUMBER_WORDS})"
_COUNTED = f"(?:{'|'.join(sorted(subject_words()['varying']))})(?:e?s)?"
_SERIES = re.compile(rf"{_AMOUNT}(?: [\w-]+){{0,3}} {_COUNTED}\b|\b{_COUNTED} (?:of|at|came to|was|is) {_AMOUNT}")

_SOLD = re.compile(
    rf"\b(?:sold|sells|lends|lent|produced|visited by|used by) (?:about |some |only |just |over |nearly )?{_AMOUNT}"
)


def _dated_event(base: BaseText) -> bool:
    return base.kind not in DATES and bool(base.side_years)


def _month_of_year(base: BaseText) -> bool:
    years = [year for answer in base.answers for year in YEAR.findall(answer)] if base.kind is AnswerKind.YEAR else []
    return any(re.search(rf"(?:{MONTH.pattern}),?\s+{year}", base.text, re.IGNORECASE) for year in years)


def _bystander(base: BaseText) -> bool:
    own = {token for text in (*base.answers, base.question) for token in answer_tokens(text)}
    return any(not own & set(answer_tokens(name)) for name in base.persons)


def _bracket(base: BaseText) -> bool:
    return any(not base.gives_answer(found) for found in re.findall(r"\([^()]{6,}\)", base.text))


def _opener(base: BaseText) -> bool:
    found = (_OPENER.match(sentence) for sentence in base.all_sentences)
    return any(opener and not base.gives_answer(opener[0]) for opener in found)


def _name_repeated(base: BaseText) -> bool:
    named = [name.split()[-1] for name in base.persons if name.lower() in base.asked]
    places = ((base.sentences[k][i], " ".join(base.sentences[k][:i])) for k, i in base.with_answer)
    return any(name in here and name in before for here, before in places for name in named)


def _living_person(base: BaseText) -> bool:
    if not base.persons or _DEATH.search(base.told) or min(map(int, YEAR.findall(base.text)), default=2000) < 1930:
        return False
    surnames = [name.split()[-1] for name in base.persons]
    return any(
        _NOW.search(sentence.lower())
        for sentence in base.all_sentences
        if any(name in sentence for name in surnames) or re.search(r"\b(?:[Hh]e|[Ss]he)\b", sentence)
    )


def _in_office(base: BaseText) -> bool:
    return any(
        has_word_of("post", sentence.lower()) and _IN_POST.search(sentence) is not None
        for sentence in base.all_sentences
        if any(name in sentence for name in base.persons)
    )


def _precise_side_number(base: BaseText) -> bool:
    return any("." in number or len(re.sub(r"\D", "", number).strip("0")) >= 3 for number in base.side_numbers)


def _varying(base: BaseText) -> bool:
    counted = is_amount(base) and has_word_of("varying", base.asked)
    return counted or _SERIES.search(base.told) is not None or _SOLD.search(base.told) is not None


def _colour(base: BaseText) -> bool:
    own = f"{base.asked} {' '.join(base.answers).lower()}"
    words = set(re.findall(r"[a-z]+", base.text)) & subject_words()["colour"]
    return any(word not in own for word in words)


PASSAGE_RULES: dict[Need, Rule] = {
    Need.BAD_OUTCOME: every(
        lambda base: any(_EVIL.search(sentence.lower()) for sentence in base.answering),
        some(asks_effect, asked("penalty", "damage", "los[st]", "destroy\\w*", "suffer\\w*")),
    ),
    Need.BRACKET: _bracket,
    Need.BYSTANDER: _bystander,
    Need.CAUSE: told(
        "because", "caused", "due to", "as a result", "led to", "owing to", "resulted in", "brought about"
    ),
    Need.COLOUR: _colour,
    Need.COMPARISON: told(
        "(?:\\w+er|more \\w+|less \\w+) than (?!any|one\\b|half|ever|a year|\\d)\\w+", "rival", "against \\d+",
        "previous record", "were given a \\w+",
    ),
    Need.DATED_EVENT: _dated_event,
    Need.DOUBLET: told(
        "closed and shut", "first and foremost", "each and every", "null and void", "full and complete",
        "plain and simple", "new and modern", "help and assistance", "rules and regulations", "terms and conditions",
        "aims and objectives", "that is to say", "in other words", "i\\.e", "or simply", "also (?:known as|called)",
    ),
    Need.EXAMPLE: told("for example", "for instance", "e\\.g", "such as", "among them", "one of them", "an example"),
    Need.IN_OFFICE: _in_office,
    Need.LIVING_PERSON: _living_person,
    Need.MONTH_OF_YEAR: _month_of_year,
    Need.NAME_REPEATED: _name_repeated,
    Need.NUMBER: lambda base: re.search(rf"\d|\b(?:{NUMBER_WORDS}) \w", base.told) is not None,
    Need.ONGOING: told(
        "is", "are", "has", "have", "now", "today", "still", "stands", "serves", "links", "crosses", "picks", "makes?",
        "lists", "lets", "lives", "puts", "works?", "gives", "carries", "runs", "plans", "offers",
        "lasts", "comes", "sells", "holds",
        "every (?:day|hour|week|month|year|spring|summer|autumn|winter|evening|season)",
    ),
    Need.OPENER: _opener,
    Need.PRECISE_SIDE_NUMBER: _precise_side_number,
    Need.PRICE: lambda base: base.kind is AnswerKind.MONEY or _SUM.search(base.text) is not None,
    Need.SIDE_NUMBER: lambda base: bool(base.side_numbers),
    Need.TWO_SIDE_NUMBERS: lambda base: len(base.side_numbers) > 1,
    Need.VARYING: _varying,
    Need.VERSIONS: lambda base: any(_VERSIONS.search(sentence.lower()) for sentence in base.answering),
}  # fmt: skip
"""How each need of the passages is told."""

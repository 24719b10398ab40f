"""What a base question asks for: one rule for each `asks_` need."""

import re

from refusalbench_tasks.generators.base_text import BaseText
from refusalbench_tasks.generators.kit.answer_kind import AnswerKind, numbers_in
from refusalbench_tasks.generators.kit.subject_words import has_word_of
from refusalbench_tasks.generators.needs import Need
from refusalbench_tasks.generators.rule_parts import DATES, Rule, asked, every, is_amount, kind, no, some

_K = AnswerKind
_WORDED = kind(_K.CLAUSE, _K.THING)
is_rule = asked(
    "(?<!in )may", "must", "allow(?:s|ed)?", "permit(?:s|ted)?", "required?s?", "obliged?", "ha(?:ve|s) to",
    "prohibit\\w*", "forbid\\w*", "ban(?:s|ned)?", "legally", "legal limit", "minimum age",
)  # fmt: skip
"""The rule that a question asks what a rule says."""
asks_effect = asked(
    "effects?", "consequences?", "impact", "achieved?", "happen(?:s|ed)", "benefits?", "result of",
    "what (?:did|does|do|has|have) .*\\b(?:do|done) (?:to|for|in|at)",
)  # fmt: skip
"""The rule that a question asks for an effect."""
_is_mean = asked("average", "mean", "median")
_is_past = asked("did", "was", "were", "had")
_in_general = asked(
    "does", "do(?! .*\\bcompare)", "may", "must", "every", "each", "any", "all", "usually", "always", "annually",
    "is\\b.*\\b(?:held|celebrated|played)",
)  # fmt: skip
_SINGLE = asked("did", "was", "were", "had", "does (?!every|each|all).*\\b(?:stand for|weigh|cost|have)", "stands? for")
_VERB_FIRST = re.compile(r"(?:which|what) (?!is\b|was\b)\w+ (?!is\b|was\b|does\b)[a-z]+s\b")
_SUMMED = asked("how many", "how much", "in all", "total", "altogether", "cost", "price", "how long (?:did|does)")
_SIZE = asked(
    "how (?:tall|wide|long|deep|high|heavy|big|large|far|thick) (?:is|are)",
    "what is the (?:width|height|length|weight|depth|size|distance|boiling|melting|rated)",
)
_ONE_YEAR = asked("(?:1\\d|20)\\d\\d", "season", "annual\\w*", "a year", "per year", "yearly", "quarter")
_PERIOD_SUM = asked("sales", "revenue", "budget", "salary", "profit", "annual")


def is_general(base: BaseText) -> bool:
    """Return whether a question is one of every case: in the present tense, and about no single deed."""
    return not _SINGLE(base) and (_VERB_FIRST.match(base.asked) is not None or _in_general(base))


def _is_list(base: BaseText) -> bool:
    first = base.answers[0] if base.answers else ""
    return _WORDED(base) and (first.count(",") > 1 or re.search(r", .* and |; ", first) is not None)


def _is_total(base: BaseText) -> bool:
    parts = base.kind in (_K.MONEY, _K.DURATION) or (base.kind is _K.COUNT and not is_general(base))
    return parts and _SUMMED(base) and not is_rule(base) and not _is_mean(base)


def _is_unround(base: BaseText) -> bool:
    digits = [re.sub(r"\D", "", number).strip("0") for number in numbers_in(base.answers[0] if base.answers else "")]
    return is_amount(base) and bool(digits) and len(digits[0]) >= 2


def _is_yearly(base: BaseText) -> bool:
    once = has_word_of("undertaking", base.asked)
    counted = has_word_of("varying", base.asked) and bool(base.side_years) and not once
    return is_amount(base) and (counted or _ONE_YEAR(base)) and (base.kind is not _K.MONEY or _PERIOD_SUM(base))


def _is_timeless(base: BaseText) -> bool:
    of_a_kind = is_amount(base) and is_general(base) and has_word_of("organism", base.asked)
    return of_a_kind or (_SIZE(base) and base.kind in (_K.MEASURE, _K.DURATION))


QUESTION_RULES: dict[Need, Rule] = {
    Need.ASKS_AMOUNT: is_amount,
    Need.ASKS_AREA: every(
        asked("(?:which|what|name of the) (?:\\w+ )?(?:country|state|nation|province|region|county|continent|kingdom)"),
        kind(_K.PLACE),
    ),
    Need.ASKS_CAUSE: asked(
        "why", "what (?:\\w+ )?cause[sd]?", "cause of", "reasons? (?:for|why|of)", "what led to", "what made",
        "what set .* on fire", "source of the (?:\\w+ )?(?:illness|fire|leak|fault|noise|outbreak)",
    ),
    Need.ASKS_CLOCK_TIME: kind(_K.CLOCK),
    Need.ASKS_CONDITION: asked("conditions?", "unless", "qualif\\w*", "eligible", "triggers?", "under what"),
    Need.ASKS_COUNT: kind(_K.COUNT),
    Need.ASKS_DATE: kind(*DATES),
    Need.ASKS_DEATH: asked(
        "dies?", "died", "death", "dead", "killed", "buried", "burial", "alive", "survived?", "murder(?:ed)?",
        "assassinat\\w+", "drowned",
    ),
    Need.ASKS_DEFINITION: asked(
        "defin\\w+", "mean(?:s|ing)", "consists? of", "made (?:up )?(?:of|from)", "woven from",
        "what is an? \\w+(?: \\w+)?\\??$",
    ),
    Need.ASKS_DURATION: kind(_K.DURATION),
    Need.ASKS_EFFECT: every(asks_effect, _WORDED),
    Need.ASKS_EXPANSION: asked("stands? for", "abbreviat\\w+", "acronym", "initials", "full form"),
    Need.ASKS_FUTURE: asked("will", "going to", "expected", "forecast", "predict\\w*", "planned", "scheduled"),
    Need.ASKS_GENERAL: is_general,
    Need.ASKS_GRADE: asked(
        "grade", "category", "severity", "band of", "in which band", "classed", "classified", "ranked as", "as what was"
    ),
    Need.ASKS_KIND: asked("(?:what|which) (?:kind|type|sort|species|genus|class|category) of"),
    Need.ASKS_LIKELIHOOD: asked("likely", "probab\\w+", "chances?", "odds", "likelihood", "rate a"),
    Need.ASKS_LIST: _is_list,
    Need.ASKS_MANNER: every(asked("how (?:did|was|were|do|does|is|are|can)"), _WORDED),
    Need.ASKS_MEAN: every(_is_mean, is_amount),
    Need.ASKS_MEASURE: kind(_K.MEASURE),
    Need.ASKS_MONEY: kind(_K.MONEY),
    Need.ASKS_OBJECT: every(
        asked("what (?:did|does|do|was|were)", "whom did"), no(asked("what (?:was|were) the")),
        kind(_K.THING, _K.PERSON),
    ),
    Need.ASKS_ORDER: asked(
        "(?:which|who|what)\\b.*\\b(?:first or|earlier|later|before|after)", "(?:finished|came|was built) first"
    ),
    Need.ASKS_ORGANISATION: kind(_K.ORGANISATION),
    Need.ASKS_OUTCOME: every(
        asked(
            "verdict", "outcome", "result", "decide", "decision", "won", "wins?", "winner", "judgment", "ruling",
            "penalty", "sentenced?", "elected", "champion", "findings?", "conclude", "conclusion", "settled?",
        ),
        kind(_K.CLAUSE, _K.THING, _K.PERSON, _K.ORGANISATION, _K.MONEY),
    ),
    Need.ASKS_PAST: _is_past,
    Need.ASKS_PERSON: kind(_K.PERSON),
    Need.ASKS_PLACE: kind(_K.PLACE),
    Need.ASKS_PRESENT: every(
        some(asked("now", "today", "currently?", "at present", "still", "latest", "most recent", "nowadays"), is_rule),
        no(asked("did", "was", "were")),
    ),
    Need.ASKS_QUALITY: asked(
        "colou?rs?", "material", "made of", "what shape", "texture", "flavou?r", "style", "genre", "which metal",
        "(?:what|which) (?:kind|type|sort) of",
    ),
    Need.ASKS_RULE: is_rule,
    Need.ASKS_SAFETY: asked(
        "safe", "safety", "danger(?:ous)?", "toxic", "poison(?:ous)?", "harmful", "hazard", "flammable", "edible"
    ),
    Need.ASKS_SHARE: every(kind(_K.SHARE), asked("share", "per ?cent", "percentage", "proportion", "fraction")),
    Need.ASKS_STATE: asked("verdict", "guilty", "in what (?:state|position)", "status of", "open or (?:shut|closed)"),
    Need.ASKS_THING: kind(_K.THING),
    Need.ASKS_TIMELESS: _is_timeless,
    Need.ASKS_TOTAL: _is_total,
    Need.ASKS_UNROUND: _is_unround,
    Need.ASKS_YEARLY: _is_yearly,
}  # fmt: skip
"""How each need of the question is told."""

"""What a reply is compared with: a typed gold answer beside its question and passages, read once."""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

from refusalbench_tasks.generators.kit.text.calendar_dates import MONTH_NAMES
from refusalbench_tasks.generators.kit.text.content_words import FUNCTION_WORDS
from refusalbench_tasks.generators.kit.text.number_words import SCALES, is_number_word
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens

_FRAME_WORDS = """
the a an it its is was were are be been this that these those in on at of to by from for with and as so there here
answer value name year date day month time number amount total sum figure passage text context according based stated
given says said states gives does do did has have had what who which when where how i think believe probably likely
definitely clearly certainly seems appears final result correct right called exactly place town village city person
located it's that's therefore thus hence then same whole all together altogether
"""
FRAME = frozenset(_FRAME_WORDS.split())
"""Words that may stand around a value and neither deny nor doubt it, nor move it to another thing."""
_DOUBT_WORDS = """
not never neither nor no without cannot can't don't doesn't didn't isn't aren't wasn't won't couldn't unclear unknown
undisclosed however but either or otherwise maybe depends unless although though conflict conflicting contradict
contradicts contradictory contradiction disagree disagrees differ ambiguous ambiguity refuse unable insufficient missing
lacks lack lacking absent omitted mention mentions mentioned mentioning provide provides provided only whether if unsure
uncertain sorry question information premise assumption assumes false incorrect wrong nobody none nothing nowhere
another other others different instead rather except unlike hardly impossible undecidable undetermined specify specified
n/a na unanswerable unspecified unstated undefined unavailable undecided unsaid unnamed various several multiple
both everyone anyone someone somebody something n somewhere elsewhere anywhere wherever tbd tba tbc nan nil idk dunno
pending timeout skip skipped skipping pass passed passing help helping void null blank secret secrets
"""
DOUBTS = frozenset(_DOUBT_WORDS.split())
"""Words that deny, doubt, offer a choice or refuse."""
_DOUBT_STEMS = """
unanswer unclear unknown unspecif unstat uncertain undetermin undisclos undecid unavail unnamed unsure unsupport
unverif insuffic contradict conflict ambig refus impossib indetermin inconsist incomplet inconclus invalid declin
abstain apolog error premise nonfact non-fact subjectiv granular anonym deny denied decline
please redact withheld hidden disputed unidentif unlisted unsolv unresolv
"""
_STEMS = tuple(_DOUBT_STEMS.split())
_NAME = re.compile(r"\b[A-Z][\w'’-]*(?: (?:of |the )?[A-Z][\w'’-]*)*")
_NO_NAMES = FUNCTION_WORDS | frozenset(MONTH_NAMES) | {"i", "name", "entry", "value", "subject", "memo", "re", "q", "a"}
_WHOLE = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15}")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


class Typed(NamedTuple):
    """What a reply is compared with: the type of the gold value, its spellings, the question and the passages."""

    type: str
    answers: tuple[str, ...]
    question: str
    passages: tuple[str, ...] = ()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, hyphens and apostrophes within them."""
    return _WORD.findall(text.lower())


def doubtful(words: Iterable[str]) -> bool:
    """Return whether a word in lower case denies, doubts, offers a choice or refuses; also "refusal" and "unstated"."""
    return any(word in DOUBTS or (word.startswith(_STEMS) and word not in FRAME) for word in words)


def plain(text: str) -> str:
    """Return the words of a text in lower case, without an article before the first, with one space between."""
    words = words_of(text)
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words)


class Gold:
    """A typed gold answer; what is needed of it is worked out at the first use."""

    def __init__(self, typed: Typed) -> None:
        self.typed = typed
        self.spellings = frozenset(map(plain, typed.answers))
        self.plain = plain(typed.answers[0])
        self.asked = frozenset(words_of(typed.question))
        digits, _, self.unit = typed.answers[0].partition(" ")
        self.number = int(digits.replace(",", "")) if _WHOLE.fullmatch(digits) else None
        own = {word for answer in typed.answers for word in words_of(answer)}
        self.allowed = FRAME | (self.asked | own) - DOUBTS

    @cached_property
    def known(self) -> frozenset[str]:
        """Return the words that may stand beside a whole number: no word of a number or a scale is among them."""
        return frozenset(word for word in self.allowed - DOUBTS if not is_number_word(word) and word not in SCALES)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Return the tokens of the answer."""
        return typed_tokens(self.typed.answers[0], is_answer=True)

    @cached_property
    def asked_tokens(self) -> tuple[Token, ...]:
        """Return the tokens of the question."""
        return typed_tokens(self.typed.question)

    @cached_property
    def text(self) -> str:
        """Return the words of the passages, with a space around each."""
        return f" {' '.join(words_of(' | '.join(self.typed.passages)))} "

    @cached_property
    def question(self) -> str:
        """Return the words of the question, with a space around each."""
        return f" {' '.join(words_of(self.typed.question))} "

    @cached_property
    def asked_numbers(self) -> bool:
        """Return whether the question holds a number, a date or a time."""
        return any(token.kind != "word" for token in self.asked_tokens)

    @cached_property
    def asked_names(self) -> frozenset[str]:
        """Return the names in the question."""
        return frozenset(names(self.typed.question))

    @cached_property
    def asked_values(self) -> frozenset[float]:
        """Return the numbers and quantities in the question."""
        return frozenset(token.number for token in self.asked_tokens if token.kind in ("number", "quantity"))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names in question and passages, and the answer's."""
        return self.asked_names.union(*map(names, self.typed.passages), self.typed.answers)

    @cached_property
    def name_words(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Return the names in question and passages, each with its words, in the order of the alphabet."""
        return tuple((name, frozenset(name.split())) for name in sorted(self.names))

    @cached_property
    def answer_words(self) -> tuple[frozenset[str], ...]:
        """Return the words of each spelling of the answer."""
        return tuple(frozenset(answer.split()) for answer in self.typed.answers)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Return the words of the names in the question and of the answer's spellings."""
        return self.asked_name_words.union(*self.answer_words)

    @cached_property
    def asked_name_words(self) -> frozenset[str]:
        """Return the words of the names in the question."""
        return frozenset(word for name in self.asked_names for word in name.split())


@lru_cache(maxsize=4096)
def gold_of(typed: Typed) -> Gold:
    """Return the gold answer, read once for each row."""
    return Gold(typed)


def names(text: str) -> Iterable[str]:
    """Return the runs of capitalised words of a text, but for single words that open a sentence."""
    for run in _NAME.finditer(text):
        ahead = text[: run.start()].rstrip(" \n-|>")
        name = " ".join(word for word in run[0].split() if word.lower() not in _NO_NAMES)
        if name and (" " in name or (ahead and ahead[-1] not in ".!?:|>)")):
            yield name

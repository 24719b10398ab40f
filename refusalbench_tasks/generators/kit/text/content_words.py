"""The words of a text that carry its matter."""

from refusalbench_tasks.generators.kit.text.remembered import Remembered
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.replies.faithfulness import BUNDLED_STOP_WORDS

_ASKING = "who whom whose what which when where why how many much please tell say name according"
_EMPTY = """
there here then than so such some any each all both either neither nor no not only also too very just more most less
least about into onto over under up down out off after before while during until till since through between among
against without within upon per via because although though however thus therefore one ones itself himself herself
themselves him me my your us them shall must cannot get got
"""
FUNCTION_WORDS = BUNDLED_STOP_WORDS.overlap | frozenset(_ASKING.split()) | frozenset(_EMPTY.split())
"""Words of grammar: articles, pronouns, auxiliaries, prepositions, question words."""


def is_content(token: Token) -> bool:
    """Return whether a token carries matter: a number, a date, or a word that is not one of grammar."""
    return token.kind != "word" or (token.form not in FUNCTION_WORDS and token.raw.lower() not in FUNCTION_WORDS)


def sign(token: Token) -> str:
    """Return a string that is equal for tokens that say the same."""
    if token.kind == "word":
        return token.form
    return f"{token.kind}:{token.date or token.size or token.number}:{token.unit}"


@Remembered
def content_words(text: str) -> frozenset[str]:
    """Return the content words of a text as stems, with its numbers and dates in one form each."""
    return frozenset(sign(token) for token in typed_tokens(text) if is_content(token))

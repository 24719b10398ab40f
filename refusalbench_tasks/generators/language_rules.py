"""Rules on the language: a text stays in the one it had, and a question stays a question (English)."""

import re
import unicodedata

from refusalbench_tasks.generators.case import Case

_FOREIGN_WORDS = (
    "der die das und ist nicht ein eine einem einen dem den des von mit für auf wurde hat sich auch wird im am zum zur "
    "le la les une est et dans pour par avec sur qui que du au aux été il elle ses "
    "el los las del una es en con por para fue su sus como más "
    "il lo gli della di che è sono nel alla "
    "o os uma não foi em do da dos das het een van en niet werd och det som av på är med til"
)
_FOREIGN = frozenset(_FOREIGN_WORDS.split()) - {"die", "den", "am", "en", "do", "de", "es", "o", "per", "sur", "til"}
_ENGLISH_WORDS = (
    "the a an of to in and is was were are it its on at by for from that this which who with as has had not but"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_MOST_FOREIGN = 0.15
_FEWEST = 6
_MOST_SCRIPT = 0.2
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|whether|did|do|does|is|are|was|were|has|have|had|can|could|"
    r"will|would|should|shall|may|might|must|ought|isn['’]t|wasn['’]t|didn['’]t|doesn['’]t)\b|"
    r"^\W*(?:name|tell|give|state|list|say|find|explain|describe|estimate|calculate|identify|specify|provide|rank|"
    r"predict|compare|assess|determine|suppose|imagine|judge)\b",
    re.IGNORECASE,
)


def language_changed(case: Case) -> str | None:
    """Question and passages must stay in the language and the script that they had."""
    before, after = ((one.query, *one.passages) for one in (case.base, case.candidate))
    for old, new in zip(before, after, strict=False):
        if old != new and ((_is_foreign(new) and not _is_foreign(old)) or _script(new) > _script(old) + _MOST_SCRIPT):
            return "The text is in another language than before; keep the language."
    return None


def question_not_asked(case: Case) -> str | None:
    """A changed question must still ask: it has a question word, a verb in front, or an order to tell."""
    asks = _ASKS.search(case.candidate.query) or not _ASKS.search(case.base.query)
    return None if asks or not case.query_changed else "The question asks nothing; put it as a question."


def _is_foreign(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if len(words) < _FEWEST:
        return False
    foreign, english = (sum(word in known for word in words) for known in (_FOREIGN, _ENGLISH))
    return foreign >= _MOST_FOREIGN * len(words) and foreign > english


def _script(text: str) -> float:
    """Return the share of a text's letters that are not Latin; Greek letters of a formula are few."""
    letters = [one for one in text if one.isalpha()]
    other = sum(not unicodedata.name(one, "LATIN").startswith("LATIN") for one in letters if not one.isascii())
    return other / len(letters) if letters else 0.0

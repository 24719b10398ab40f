"""The parts of a short reply in which its value stands: the reply without its dress.

Dress says nothing of the matter: Markdown, JSON around one answer, citations, the question repeated, "Answer:",
"I think it's", "according to the passage", a sentence quoted from the passage as a reason.
"""

import json
import re
from collections.abc import Collection, Iterator

from refusalbench_tasks.replies.citations import without_citations

LONGEST = 900
"""Characters of a reply that is still short."""
_QUOTES = str.maketrans("“”„«»‘’ʼ", '"""""\'\'\'')
_FENCE = re.compile(r"```\w*|~~~\w*")
_TAG = re.compile(r"</?(?:final_?)?answer>|\\(?:boxed|text)\{([^{}]*)\}|(?<=answer:) \|(?=\s)", re.IGNORECASE)
_CITED = re.compile(
    r"[(\[]\s*(?:see |source: ?|cf\. )?(?:the )?(?:passage|source|document|doc|text|context)s?\s*#?\d*\s*[)\]]", re.I
)
_BOLD = re.compile(r"(?<!\d)[*`#>]+|[*`#>]+(?![*`#>\d])|(?<!\w)_+|_+(?!\w)")
"""Signs of Markdown; between digits they are others ("7*2")."""
_DOUBTED = frozenset("?❓❔❌✗✘✖")
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St)\.(?= )")
_STOP = re.compile(r"\n+|(?<=[\w)\"'%])[.!](?=\s|[\"']?$)(?<![ap]\.m\.)\s*")
_PASSAGE = r"(?:the|this|your) (?:given |provided |supplied )?(?:passage|text|context|document|source|excerpt)"
_ASSERTS = r"(?:must be|would be|would therefore be|seems to be|appears to be|is|was|are|were)"
_LEAD = re.compile(
    r"(?:(?:sure|certainly|of course|hi|hello|hey|great question|good question|okay|ok|thanks|so|thus|therefore|"
    r"hence|then|in short|in summary|to answer (?:your|the) question|"
    r"if i (?:read|understand) it correctly|let me (?:check|look at|read) the (?:passage|text)|q|step \d)\b"
    r"[,.!:]*(?:\s+|$)"
    r"|(?:(?:definitely|clearly|probably|(?:most |very )?likely) |well, )(?=\S)"
    r"|(?:the )?(?:(?:final|short|correct|right|best) )?(?:answer|result|conclusion|a|response|output)"
    r"(?: to (?:the|this|your) question)?[\s\"]*(?:[:=]|[-–—](?= )|(?:probably |clearly |therefore )?"
    rf"{_ASSERTS}(?: probably| clearly| therefore)?:?(?= ))\s*"
    r"|(?:it's|that's|(?:it|that|this) (?:clearly |probably )?"
    rf"{_ASSERTS})(?: probably| likely| clearly| definitely)?:? "
    r"|(?:the )?question(?: is)?:?(?:\s+|$)"
    r"|i(?: would|'d)? (?:think|believe|guess|say)(?: that)? "
    r"|(?:it|this|the passage|the text) gives:? "
    rf"|(?:looking at|according to|based on|as (?:stated|given|noted|said) in|per|from) {_PASSAGE}\b[,:]?\s*"
    rf"|{_PASSAGE} (?:says|states|gives|shows|indicates)(?: that)?:? "
    r"|the relevant (?:detail|value|part) is |[-–—•:,.=]+(?:\s|$)|\d+[.)] (?=\D))",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,;:(-]*\b(?:i (?:think|believe|guess)|probably|without a doubt|for sure|"
    rf"(?:as|because|since) {_PASSAGE} (?:states|says|shows)(?: so| this| it)?|(?:according to|as (?:stated|given) in) "
    rf"{_PASSAGE})[\s).:,\"]*)$",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?:i hope (?:this|that|it) helps|let me know if you (?:need|have) [\w ']+|(?:this|that|it) is (?:clearly )?"
    rf"(?:stated|said|given) in {_PASSAGE}|(?:the|this) (?:passage|text) (?:answers this directly|speaks of it)|"
    rf"the answer, as far as {_PASSAGE} tells, is|let me (?:check|read|look at) {_PASSAGE}|"
    r"step \d+: (?:find|read|look at) (?:the sentence|it|the passage)|the question is)\b[.!:]*",
    re.IGNORECASE,
)
_FIRST_WORDS = """
sure certainly of hi hello hey great good okay ok thanks so thus therefore hence then in to if let q step definitely
clearly probably most very likely well the final short correct right best answer result conclusion a response output
it's that's it that this question i i'd looking according based as per from your
"""
_FIRSTS = frozenset(_FIRST_WORDS.split())
"""How a lead or a filler can begin."""
_LASTS_WORDS = """
think believe guess probably doubt sure states says shows so this it passage text context document source
excerpt
"""
_LASTS = frozenset(_LASTS_WORDS.split())
"""How a tail can end."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n|\"")
_SAYS = re.compile(r"\w")
_EDGES = " \t\"'.,;:()!\\"
_EXTRAS = frozenset(("source", "sources", "passage", "citation", "citations", "question"))
"""Keys beside the answer of a JSON object that say nothing of it."""


def parts(
    text: str, question: str, passages: tuple[str, ...], bullets: str = "\n", whole: Collection[str] = ()
) -> list[str] | None:
    """Return the parts of a visible reply without dress, in order; None if it must be read: too long, a question back.

    `bullets` is put in place of the marks of a list's lines. `whole` are texts that are no dress ("well house").
    Nothing is judged here.
    """
    if len(text) > LONGEST or "REFUSE" in text.upper() or text[:7].lower() == "<think>":
        return None
    if not text.isascii():
        text = text.translate(_QUOTES)
    text = _FENCE.sub("", text).strip() if "```" in text else text
    if text[:1] == "{":
        found = _json_answer(text, question)
        if found is None:
            return None
        text = found
    text = _without_marks(text, question, bullets)
    if len(text) > 40 and passages:
        text = _without_quotations(text, passages, whole)
    if not _DOUBTED.isdisjoint(text):
        return None
    if "." in text:
        text = _TITLE.sub(r"\1", text)
    pieces = _STOP.split(text) if "." in text or "!" in text or "\n" in text else [text]
    return [bare for part in pieces if (bare := undressed(part, whole))]


def _without_marks(text: str, question: str, bullets: str) -> str:
    if "<" in text or "\\" in text or "|" in text:
        text = _TAG.sub(lambda found: found[1] or " ", text)
    if len(text) >= len(question):
        text = text.replace(question, " \n " if text.startswith(question) else " ")
    if "[" in text or "(" in text or "【" in text:
        text = _CITED.sub(" ", without_citations(text))
    if "\n" in text and bullets != "\n":
        text = re.sub(r":?\s*\n\s*(?:[-*•]|\d+[.)])\s+", bullets, text)
    marked = "*" in text or "`" in text or "_" in text or "#" in text or ">" in text
    return _BOLD.sub("", text) if marked else text


def undressed(part: str, whole: Collection[str] = ()) -> str:
    """Return one part without what leads to its value and what follows it; empty if nothing else is there."""
    part = part.strip(_EDGES)
    while part and part.lower() not in whole:
        before = part
        if _may_lead(part):
            filler = _FILLER.match(part)
            part = part[filler.end() :] if filler else part
            lead = _LEAD.match(part)
            part = (part[lead.end() :] if lead else part).strip(_EDGES)
        if part[part.rfind(" ") + 1 :].lower() in _LASTS and (tail := _TAIL.search(part)):
            part = part[: tail.start()]
        if part == before:
            break
    return part


def _may_lead(part: str) -> bool:
    """Return whether a part begins as some lead does, so that most need not be compared with all of them."""
    if part[0].isdigit():
        return part[1:3] in (". ", ") ") or part[2:4] in (". ", ") ")
    return not part[0].isalpha() or part.split(maxsplit=1)[0].rstrip(_EDGES + "=").lower() in _FIRSTS


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _json_answer(text: str, question: str) -> str | None:
    """Return the answer of a JSON object that holds one answer and nothing that could change it."""
    try:
        found = json.loads(text, object_pairs_hook=_each_once)
    except (ValueError, RecursionError):
        single = re.fullmatch(r"\{\s*'answer'\s*:\s*'([^{}]*)'\s*\}", text)
        return single[1] if single and "': " not in single[1] else None
    if not isinstance(found, dict) or not set(found) - {"answer"} <= _EXTRAS:
        return None
    if found.get("question", question) != question:
        return None
    answer = found.get("answer")
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, list) and all(isinstance(one, str) for one in answer):
        return ", ".join(answer)
    return str(answer) if isinstance(answer, str | int | float) else None


def _without_quotations(text: str, passages: tuple[str, ...], whole: Collection[str]) -> str:
    """Return a text without the sentences that stand in a passage word for word, unless nothing else is there."""
    if not _SENTENCE_END.search(text.strip(_EDGES)):
        return text
    rest = text
    for quoted in _quotable(text):
        if quoted.lower() not in whole and any(_is_sentence(quoted, passage) for passage in passages):
            rest = rest.replace(quoted, " ")
    return rest if _SAYS.search(rest) else text


def _quotable(text: str) -> Iterator[str]:
    for piece in _SENTENCE_END.split(text):
        if piece.count(" ") >= 4:
            yield piece.strip()


def _is_sentence(text: str, passage: str) -> bool:
    """Return whether a sentence of a passage begins with a text."""
    at = passage.find(text)
    return at == 0 or (at > 0 and not passage[:at].rstrip(" ")[-1:].isalnum() and passage[at - 1 : at] in (" ", "\n"))

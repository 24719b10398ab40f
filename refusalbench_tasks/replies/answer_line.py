"""A reply as an answer line and its explanation."""

import re
from dataclasses import dataclass

from refusalbench_tasks.outcome import Protocol

from .ab_probability import stated_probability
from .code import parse_visible, visible_text

_MARKS = '*_`#>"“” \t'
_PARTS = r"""(?:
    answer
    | explanation
    | reasoning
    | reasons
)"""
_LABEL = re.compile(
    rf"""
    [\s*_`#>-]*(?:(?:direct|final|short|your)\s+)?
    (?:(?P<answer>answer)|{_PARTS})
    [\s*_`]*:[\s*_`]*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HEADING = re.compile(
    rf"\s*[#*_]+\s*(?:(?:direct|final)\s+)?{_PARTS}[\s*_\#:]*",
    re.IGNORECASE | re.VERBOSE,
)
_CONFIDENCE_LINE = re.compile(
    r"""
    [\s*_`#>-]*confidence[\s*_`]*:[\s*_`]*
    \d*\.?\d+\s*(?:%|/\s*\d+(?:\.\d+)?)?
    [\s*_`.]*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FENCE_LINE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*")
_WORDLESS = (_CONFIDENCE_LINE, _FENCE_LINE, _HEADING)
"""Lines that state a confidence, open or close a block of code, or are a heading."""
_OPENING_MARKS = ("*", "_", "`", "#", ">")
_OFFICIAL_CONFIDENCE = re.compile(r"confidence:\s*\d*\.?\d+", re.IGNORECASE)
_OFFICIAL_PLACEHOLDER = "No explanation provided"


@dataclass(frozen=True)
class ExplainedReply:
    """The answer line of a reply, and the rest of it; both empty if the reply is."""

    answer: str
    explanation: str

    @property
    def text(self) -> str:
        """Return answer and explanation as one text, over which words and hedges are
        counted.
        """
        return f"{self.answer} {self.explanation}".strip()


def read_explained(reply: str, protocol: Protocol = "paper") -> ExplainedReply:
    """Return the answer line and the explanation of a reply.

    The line labelled "Answer:" is the answer, else the first line with words; a line of
    citations alone is neither, and a reply of such lines is empty. A line that ends
    with a colon introduces what follows: it is the answer only of a reply without
    another line. Lines that open or close a block of code, headings such as "Answer:",
    Markdown marks around them, and a line that only states a confidence are dropped.
    With `official-code`: every line that names a confidence is dropped, whatever else
    it says, headings stay, and a missing explanation is a fixed phrase whose words
    count (as in the released evaluator). Never raises.
    """
    if protocol == "paper":
        return _read(reply)
    lines = [line.strip() for line in reply.split("\n")]
    lines = [line for line in lines if line and not _OFFICIAL_CONFIDENCE.search(line)]
    if not lines:
        return ExplainedReply(reply.strip(), _OFFICIAL_PLACEHOLDER)
    answer, *others = lines
    return ExplainedReply(answer, "\n".join(others) or _OFFICIAL_PLACEHOLDER)


def stated_confidence(reply: str) -> float | None:
    """Return the probability on the one line of a reply that states a confidence.

    The line says `Confidence: 0.8`, or `80 %`. None without such a line, with several,
    and for a number that is no probability.
    """
    lines = visible_text(reply).splitlines()
    stated = [line for line in lines if _CONFIDENCE_LINE.fullmatch(line)]
    if len(stated) != 1:
        return None
    return stated_probability(stated[0].partition(":")[2])


def _read(reply: str) -> ExplainedReply:
    bodies = []
    answers = []
    labelled = []
    for line in visible_text(reply).splitlines():
        if any(form.fullmatch(line) for form in _WORDLESS):
            continue
        label = _LABEL.match(line)
        rest = line[label.end() :] if label else line
        is_marked = label or rest.lstrip().startswith(_OPENING_MARKS)
        body = rest.strip(_MARKS) if is_marked else rest.strip()
        if not re.search(r"\w", body):
            continue
        bodies.append(body)
        if parse_visible(body).form == "empty":
            continue
        answers.append(body)
        if label and label["answer"]:
            labelled.append(body)
    if not answers:
        return ExplainedReply("", "")
    candidates = [*labelled, *answers]
    stated = [body for body in candidates if not body.endswith(":")]
    answer = (stated or candidates)[0]
    bodies.remove(answer)
    return ExplainedReply(answer, "\n".join(bodies))

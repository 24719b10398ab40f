"""A reply as an answer line and its explanation."""

import re
from dataclasses import dataclass

from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.replies.ab_probability import stated_probability
from refusalbench_tasks.replies.code import parse_visible, visible_text

_MARKS = '*_`#>"“” \t'
_LABEL = re.compile(
    r"[\s*_`#>-]*(?:(?:direct|final|short|your)\s+)?(?:answer|explanation|reasoning|reasons)[\s*_`]*:[\s*_`]*",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\s*[#*_]+\s*(?:(?:direct|final)\s+)?(?:answer|explanation|reasoning|reasons)[\s*_#:]*",
    re.IGNORECASE,
)
_ANSWER_LABEL = re.compile(
    r"[\s*_`#>-]*(?:(?:direct|final|short|your)\s+)?answer[\s*_`]*:", re.IGNORECASE
)
_CONFIDENCE_LINE = re.compile(
    r"[\s*_`#>-]*confidence[\s*_`]*:[\s*_`]*\d*\.?\d+\s*(?:%|/\s*\d+(?:\.\d+)?)?[\s*_`.]*",
    re.IGNORECASE,
)
_FENCE_LINE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*")
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
    return _official(reply) if protocol == "official-code" else _read(reply)


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
    lines = [
        line for line in visible_text(reply).splitlines() if not _says_no_words(line)
    ]
    bodies = [body for line in lines if re.search(r"\w", body := _unlabelled(line))]
    says_something = [body for body in bodies if parse_visible(body).form != "empty"]
    if not says_something:
        return ExplainedReply("", "")
    labelled = [_unlabelled(line) for line in lines if _ANSWER_LABEL.match(line)]
    answers = [*(body for body in labelled if body in says_something), *says_something]
    stated = [body for body in answers if not body.endswith(":")]
    first = bodies.index((stated or answers)[0])
    return ExplainedReply(
        bodies[first], "\n".join(bodies[:first] + bodies[first + 1 :])
    )


def _says_no_words(line: str) -> bool:
    """Return whether a line states a confidence, opens or closes a block, or is a
    heading.
    """
    return any(
        form.fullmatch(line) for form in (_CONFIDENCE_LINE, _FENCE_LINE, _HEADING)
    )


def _unlabelled(line: str) -> str:
    label = _LABEL.match(line)
    if label:
        return line[label.end() :].strip(_MARKS)
    return line.strip(_MARKS) if line.lstrip()[:1] in tuple("*_`#>") else line.strip()


def _official(reply: str) -> ExplainedReply:
    lines = [
        line.strip()
        for line in reply.split("\n")
        if line.strip() and not _OFFICIAL_CONFIDENCE.search(line)
    ]
    if not lines:
        return ExplainedReply(reply.strip(), _OFFICIAL_PLACEHOLDER)
    return ExplainedReply(lines[0], "\n".join(lines[1:]) or _OFFICIAL_PLACEHOLDER)

"""What a reply claims, by its structure and a few English phrases: a code, a plain
refusal, a question back, an answer, or none of these.

Written for replies of models in training: codes, `\\boxed{...}`, `<answer>`, JSON,
short answers, plain refusals.
"""

import json
import re
from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.taxonomy import Label, canonical_code

Kind = Literal["code", "refusal", "clarification", "answer", "several", "empty"]

_THINK = re.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE
)
_OPEN_END = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)
_TEXT = re.compile(r"\\(?:text|mathrm|textbf)\s*\{([^{}]*)\}")
_CODE = re.compile(
    r"(?<![A-Za-z0-9_])REFUSE(?:_[A-Z0-9]+)+(?![A-Za-z0-9_])", re.IGNORECASE
)
_NOTHING = re.compile(r"\W*(?:unknown|n/a|none|null)?\W*", re.IGNORECASE)
_KEYS = (
    "code",
    "refusal_code",
    "label",
    "answer",
    "final_answer",
    "response",
    "reply",
    "result",
)
_CUE = re.compile(
    r"\A\W*(?:(?:final |short )?answer(?: is)?|the (?:final |correct )?answer is"
    r"|result|reply|response)\b\s*:?\s*",
    re.IGNORECASE,
)
_LAST_CUE = re.compile(
    r"(?:\A|\n)\W*(?:final )?answer\s*:\s*([^\n]+)\W*\Z", re.IGNORECASE
)
_SUBJECT = (
    r"(?:documents?|passages?|texts?|contexts?|sources?|questions?|lists?|tables?"
    r"|timetables?|minutes|manuals?)"
)
_CANNOT = (
    r"(?:don't|do not|dont|can't|cannot|can not|could not|couldn't"
    r"|am unable to|am not able to|won't|will not)"
)
_DOES_NOT = r"(?:does not|doesn't|do not|don't|did not|didn't)"
_STATED = (
    r"(?:stated|given|mentioned|specified|provided|known|answerable|listed|available"
    r"|included|recorded|shown|enough information|determinable"
    r"|possible to (?:answer|say|tell|know|determine))"
)
_REFUSALS = (
    r"\[?\bidk\b\]?",
    rf"\b(?:i|we) (?:really |simply |just |honestly )?{_CANNOT}"
    r" (?:know|say|tell|answer|determine|find|give|provide|help|be sure)\b",
    r"\bi(?:'m| am) (?:not sure|unsure|unable|not able)\b",
    r"\b(?:i|we) (?:must |have to |will |would |should )?(?:refuse|decline|abstain)\b",
    r"\A\W*(?:cannot|can't) answer\b",
    rf"\b{_SUBJECT} (?:provided |given |above )?{_DOES_NOT} (?:say|state|tell|give"
    r"|mention|contain|provide|specify|include|answer|support|allow)",
    r"\b(?:cannot|can't|can not|could not) be"
    r" (?:answered|determined|derived|told|said|known|established)\b",
    rf"(?:\bnot|n't) {_STATED}\b",
    r"\b(?:no|insufficient|not enough)"
    r" (?:info|information|answer|data|evidence|context)\b",
    r"\b(?:gives|states|has|lists|contains) no"
    r" (?:\w+ ){0,2}(?:value|figure|price|time|date|number|answer)\b",
    r"\bno (?:[\w-]+ ){1,4}(?:is|are|was|were)"
    r" (?:stated|given|mentioned|listed|shown|recorded)\b",
    r"\bthere (?:is|are) no (?:[\w-]+ ){1,4}"
    r"(?:stated|given|mentioned|listed|shown|recorded)\b",
    r"\b(?:is|are) missing (?:from|in)\b",
    r"\bit(?:'s| is) (?:unclear|unknown)\b",
    r"\bunanswerable\b",
    r"\A\W*(?:unknown|n/a|none|null|refuse|refused|abstain)\W*\Z",
)
_REFUSAL = re.compile("|".join(_REFUSALS), re.IGNORECASE)
_TURN = re.compile(
    r"\b(?:but|however|though|although|still|that said|nevertheless"
    r"|my (?:best )?guess|probably|likely)\b",
    re.IGNORECASE,
)
_MARKED_ANSWER = re.compile(
    r"\banswer(?: is\b|\s*:)[\s*\"']*(?!not\b|missing|absent|un)[\w£$]",
    re.IGNORECASE,
)
_BARE_VALUE = re.compile(r"\W*[£$]?\d[\d.,:]*(?: ?\w+)?\W*")
_QUESTION_MARKS = "?？؟"
_APOSTROPHES = str.maketrans("’‘ʼ", "'''")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a reply claims: its code if it has one, and the text of its answer, of its
    question back, or of a refusal that goes on.

    `before` is what stands before a refusal.
    """

    kind: Kind
    text: str = ""
    label: Label | None = None
    before: str = ""


def read_claim(reply: str, question: str = "") -> Claim:
    """Return what a reply to a question claims; `several` for more than one code or
    final answer.

    Never raises. Whether a text without a code asks back is what `read_reply` says.

    What it thinks aloud in `<think>` is not read. Of a reply with a final answer
    (`<answer>`, a box, JSON, a last line "Answer: ...") that alone is read, but for a
    code that stands beside another answer.
    """
    visible = _visible(reply)
    if not re.search(r"\w", visible):
        return Claim("empty")
    finals = _finals(visible)
    if len(set(finals)) > 1:
        return Claim("several", visible)
    claim = _read(finals[0] if finals else visible, question)
    beside = {_label(code) for code in _CODE.findall(visible)}
    if finals and claim.kind != "code" and beside:
        return Claim("several", visible)
    return claim


def _visible(reply: str) -> str:
    text = reply.translate(_APOSTROPHES).replace("\\_", "_").replace("\u200b", "")
    text = _THINK.sub(" ", text)
    return _OPEN_END.sub("", text).strip()


def _finals(text: str) -> list[str]:
    """Return the final answers that a reply marks as such, each once, without their
    dress.
    """
    fenced = _FENCE.match(text)
    inner = (fenced[1] if fenced else text).strip()
    if inner.startswith("{") and inner.endswith("}"):
        answers = _of_json(inner)
        if answers:
            return answers
    marked = [*_BOXED.findall(inner), *_ANSWER.findall(inner)]
    if marked:
        return list(dict.fromkeys(map(_undressed, marked)))
    last = _LAST_CUE.search(inner)
    return [last[1].strip()] if last and "\n" in inner else []


def _undressed(answer: str) -> str:
    """Return a marked answer without LaTeX's dress; a box within an answer tag is one
    answer with it.
    """
    box = _BOXED.search(answer)
    return _TEXT.sub(r"\1", box[1] if box else answer.strip()).strip()


def _of_json(text: str) -> list[str]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(fields, dict):
        return []
    texts = []
    for key in _KEYS:
        if fields.get(key) not in (None, "", False):
            texts.append(str(fields[key]).strip())
    # {"refused": true, "code": ..., "answer": "N/A"}
    codes = [text for text in texts if _CODE.search(text)]
    others = [text for text in texts if text not in codes]
    if codes and all(map(_NOTHING.fullmatch, others)):
        texts = codes
    return list(dict.fromkeys(texts))


def _read(text: str, question: str) -> Claim:
    labels = {_label(code) for code in _CODE.findall(text)}
    if len(labels) > 1:
        return Claim("several", text)
    if labels:
        return _with_code(text, labels.pop())
    plain = _CUE.sub("", text.strip()).strip(" \t\n*_`\"'")
    if _asks_back(plain, question):
        return Claim("clarification", plain)
    refusal = _REFUSAL.search(plain)
    if refusal is None:
        return Claim("answer", plain)
    after = plain[refusal.end() :]
    goes_on = _TURN.search(after) is not None
    before = plain[: refusal.start()]
    return Claim(
        "refusal",
        after if goes_on else "",
        before=before,
    )


def _asks_back(text: str, question: str) -> bool:
    # most replies ask nothing, and need not wait for the reader
    if not any(mark in text for mark in _QUESTION_MARKS):
        return False
    return read_reply(text, question=question).kind == "clarification"


def _with_code(text: str, label: Label) -> Claim:
    """Return the claim of a text with one code: `several` if it marks another answer
    beside it.
    """
    rest = _CODE.sub(" ", text)
    bare_values = any(map(_BARE_VALUE.fullmatch, rest.split("\n")))
    if bare_values or _MARKED_ANSWER.search(rest):
        return Claim("several", text)
    return Claim("code", text, label)


def _label(code: str) -> Label:
    return canonical_code(code) or Label.OTHER

"""A reply without its form: what it says when reasoning, JSON, Markdown, quotations and errors are taken off."""

import json
import re
from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.replies.citations import without_citations
from refusalbench_tasks.replies.code import visible_text

Form = Literal["text", "empty", "error", "declined", "several"]
"""`declined`: fields of JSON that say so (`"answer": null`); `several`: more than one final answer."""

_THINK = re.compile(
    r"<(think|thinking|reasoning|scratchpad)>(?:(?!<\1>).)*?(?:</\1>|\Z)|\A(?:(?!<think).)*</think(?:ing)?>",
    re.DOTALL | re.IGNORECASE,
)
_STRUCK = re.compile(r"~~[^~]{1,400}~~|(?:[^\s\u0336]\u0336[ ]?)+|<(?:del|s)>.{0,400}?</(?:del|s)>", re.DOTALL)
_FENCE = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_FINAL = re.compile(
    r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}|<(answer|final_answer)>((?:(?!<\2>).)*?)</\2>", re.DOTALL | re.IGNORECASE
)
_LATEX = re.compile(r"\\(?:text|mathrm|textbf)\s*\{([^{}]*)\}")
_CUE = re.compile(
    r"\A[\s*_#>-]*(?:final |short |direct )?(?:answer|response|reply|antwort|réponse|respuesta|risposta|resposta|svar"
    r"|odpowiedź|odpověď|ответ|відповідь|cevap|yanıt|الإجابة|الجواب|תשובה|उत्तर|回答|答案|答え|답변|답|trả lời|jawaban)"
    r"\s*[*_]*\s*[:：]\s*",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"!?\[([^\[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)|</?[a-zA-Z][^<>\n]{0,80}>"
    r"|^[ \t]*(?:#{1,6}[ \t]+|[-*•+][ \t]+|\d{1,2}[.)][ \t]+)"
    r"|^(?=[ \t:|]*--)[ \t:|-]+$|[*`|]{1,3}(?=\S)"
    r"|(?<=\S)[*`|]{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)",
    re.MULTILINE,
)
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[^\n]*(?:\n|\Z)", re.MULTILINE)
_QUOTED = re.compile(
    r"“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»|»[^«»\n]{1,600}«|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』"
    r"|(?<!\w)\"[^\"\n]{1,600}\"(?!\w)|(?<!\w)‘[^‘’\n]{12,400}’(?!\w)|(?<!\w)'[^'\n]{12,400}'(?!\w)"
)
QUOTATION = " “” "
"""What stands for a quotation of several words: another's words are not the reply's own."""
_PHRASE = r"""
(?:(?:http(?:/[\d.]+)?|error|status|code)[ :#]*)*[45]\d\d\b[^\n]{0,60}
| (?:error|exception|fehler|erreur)\s*[:(][^\n]{0,160}
| (?:\d{3}\s*)?(?:bad\ gateway|gateway\ time-?out|service\ (?:temporarily\ )?unavailable|internal\ server\ error
|too\ many\ requests|request\ timed?\ ?-?out|connection\ (?:reset|refused|timed\ out|error)[^\n]{0,60}|unauthori[sz]ed
|forbidden|rate\ limit(?:\ (?:exceeded|reached))?[^\n]{0,80}|upstream\ [^\n]{0,80}|not\ found|loading|please\ wait
|timeout|undefined|null|nan|\[object\ object\]|something\ went\ wrong[^\n]{0,80}
|server\ (?:is\ )?(?:busy|error|overloaded)[^\n]{0,60})
"""
_ERROR = re.compile(rf"\W*(?:{_PHRASE})\W*", re.IGNORECASE | re.VERBOSE)
_TRACE = re.compile(
    r"\s*(?:<!doctype html|<html|<\?xml|Traceback \(most recent call last\)|at [\w.]+\([\w.]+:\d+\))", re.IGNORECASE
)
_ANSWERS = ("final_answer", "answer", "response", "reply", "output", "result", "text", "content", "message", "value")
_REASONS = ("reason", "explanation", "rationale", "note", "comment", "details")
_FLAGS = {"answerable": False, "found": False, "has_answer": False, "refused": True, "refusal": True, "abstain": True,
          "abstained": True, "unanswerable": True, "can_answer": False, "is_answerable": False}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Structure:
    """What a reply says as plain text, and what its form alone tells."""

    form: Form
    text: str
    """The words without Markdown and citations, quotations kept."""


def read_structure(reply: str) -> Structure:
    """Return what a reply says. Reasoning aloud is left out, and of a marked final answer that alone is read.

    `error` stands for a page or line of a server; quotations are masked later by `without_quotations`. Never raises.
    """
    text = visible_text(reply)
    if "<" in text:
        text = _THINK.sub(" ", text)
    if "~~" in text or "\u0336" in text or "<" in text:
        text = _STRUCK.sub(" ", text)
    fenced = _FENCE.match(text)
    text = (fenced[1] if fenced else text).strip()
    if text[:1] in ("{", "[") and text[-1:] in ("}", "]"):
        read = _of_json(text)
        if read is not None:
            return read
    if _TRACE.match(text) or (len(text) < 240 and _ERROR.fullmatch(text)):
        return Structure("error", text)
    if "\\boxed" in text or "<" in text:
        finals = list(dict.fromkeys(_unboxed(one) for one in _FINAL.finditer(text)))
        if len(finals) > 1:
            return Structure("several", plain_words(text))
        text = finals[0] if finals else text
    text = plain_words(text)
    return Structure("text" if any(c.isalnum() for c in text) else "empty", text)


def plain_words(text: str) -> str:
    """Return a text without citations, Markdown and a cue such as "Answer:", its spaces single."""
    text = _CODE_BLOCK.sub(" ` ", text) if "```" in text else text
    text = _MARKUP.sub(lambda found: found[1] or "", without_citations(text))
    return _CUE.sub("", re.sub(r"[ \t]+", " ", text)).strip()


def without_quotations(text: str) -> str:
    """Return a text with its quotations masked; a text that is one quotation, or hardly more, as it is."""
    masked = _QUOTED.sub(lambda found: QUOTATION if _is_long(found[0]) else found[0], _BLOCK_QUOTE.sub(QUOTATION, text))
    return masked if sum(map(str.isalpha, masked)) > 3 else text


def _is_long(quoted: str) -> bool:
    return quoted.count(" ") > 1 or (len(quoted) > 8 and not quoted.isascii() and " " not in quoted)


def _unboxed(found: re.Match[str]) -> str:
    inner = found[1] if found[1] is not None else found[3]
    box = _FINAL.search(inner)
    return _LATEX.sub(r"\1", box[1] if box and box[1] is not None else inner).strip()


def _of_json(text: str) -> Structure | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if isinstance(found, list) and all(isinstance(one, str | int | float) for one in found):
        return Structure("text" if found else "declined", ", ".join(map(str, found)))
    if not isinstance(found, dict):
        return None
    fields = {str(key).lower(): value for key, value in found.items()}
    choices = fields.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        fields = choices[0]
    if isinstance(fields.get("message"), dict):
        fields = fields["message"]
    said = [fields[key] for key in _ANSWERS if key in fields]
    usable = [one for one in said if one not in (None, "", False, []) and not isinstance(one, dict)]
    given = [plain_words(str(one)) for one in usable]
    why = " ".join(str(fields[key]) for key in _REASONS if isinstance(fields.get(key), str))
    declined = any(fields.get(key) is value for key, value in _FLAGS.items())
    if not given and "error" in fields and not declined:
        return Structure("error", str(fields["error"]))
    if len(set(given)) > 1 and not declined:
        return Structure("several", " ".join(given))
    if declined or (said and not given):
        return Structure("several" if declined and given and not why else "declined", " ".join([*given, why]).strip())
    if not given:
        texts = [one for one in fields.values() if isinstance(one, str)]
        return Structure("text", plain_words(" ".join(texts))) if texts else Structure("empty", "")
    return Structure("text", given[0] if len(given[0].split()) > 3 or not why else f"{given[0]}. {why}")
